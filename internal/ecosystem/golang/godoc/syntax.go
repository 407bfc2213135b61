package godoc

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Syntax implements apidoc.Syntax for the declarations that Read returns.
type Syntax struct{}

// maxParsed is the maximum size, in bytes, of a declaration that is parsed.
const maxParsed = 1 << 20

// Parts implements apidoc.Syntax.
func (Syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	const file = "package p\n"
	head, tail := file, ""
	switch s.Kind {
	case apidoc.Field:
		head, tail = file+"type _ struct {\n", "\n}"
	case apidoc.Method:
		if !strings.HasPrefix(s.Signature, "func ") {
			head, tail = file+"type _ interface {\n", "\n}"
		}
	}
	if len(s.Signature) > maxParsed {
		return nil
	}
	fset := token.NewFileSet()
	syntax, err := parseFile(fset, "", []byte(head+s.Signature+tail), parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || len(syntax.Decls) != 1 {
		return nil
	}
	base := fset.File(syntax.FileStart).Base() + len(head)
	w := partWriter{at: func(p token.Pos) int { return int(p) - base }, text: s.Signature, comments: syntax.Comments}
	w.Open(apidoc.DeclarationPart, 0)
	switch d := syntax.Decls[0].(type) {
	case *ast.FuncDecl:
		w.function(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if head == file {
					w.typeSpec(spec)
				} else {
					w.onlyMember(spec, s.Kind)
				}
			case *ast.ValueSpec:
				w.value(spec)
			}
		}
	}
	w.commentsUntil(token.Pos(base + len(s.Signature)))
	if s.Kind == apidoc.Type && strings.Contains(s.Signature, unexported) {
		w.flags |= apidoc.Closed
	}
	w.Close(len(s.Signature), w.flags)
	return w.List(len(s.Signature))
}

// partWriter collects the parts of one declaration.
type partWriter struct {
	apidoc.Parts
	at       func(token.Pos) int
	text     string
	comments []*ast.CommentGroup // comments that are not written yet
	local    []string            // names of type parameters in scope
	flags    apidoc.PartFlags    // the flags of the declaration
}

// commentsUntil writes the comments before the given position.
func (w *partWriter) commentsUntil(end token.Pos) {
	for len(w.comments) > 0 && w.comments[0].Pos() < end {
		w.Leaf(apidoc.CommentPart, w.at(w.comments[0].Pos()), w.at(min(w.comments[0].End(), end)))
		w.comments = w.comments[1:]
	}
}

func (w *partWriter) leaf(role apidoc.PartRole, n ast.Node) {
	w.commentsUntil(n.Pos())
	w.Leaf(role, w.at(n.Pos()), w.at(n.End()))
}

func (w *partWriter) open(role apidoc.PartRole, n ast.Node, flags ...apidoc.PartFlags) {
	w.commentsUntil(n.Pos())
	w.Open(role, w.at(n.Pos()), flags...)
}

func (w *partWriter) close(n ast.Node) {
	w.commentsUntil(n.End())
	w.Close(w.at(n.End()))
}

func (w *partWriter) function(d *ast.FuncDecl) {
	if d.Recv != nil && len(d.Recv.List) == 1 {
		f := d.Recv.List[0]
		w.open(apidoc.ReceiverPart, f)
		for _, name := range f.Names {
			w.leaf(apidoc.NamePart, name)
		}
		for _, arg := range typeArgs(f.Type) { // A receiver declares the type parameters.
			if name, ok := arg.(*ast.Ident); ok {
				w.local = append(w.local, name.Name)
			}
		}
		w.typ(apidoc.TypePart, f.Type)
		w.close(f)
	}
	w.leaf(apidoc.NamePart, d.Name)
	w.signature(d.Type)
}

// typeArgs returns the type arguments of a receiver's type.
func typeArgs(x ast.Expr) []ast.Expr {
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		return typeArgs(x.X)
	case *ast.IndexExpr:
		return []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		return x.Indices
	}
	return nil
}

func (w *partWriter) signature(t *ast.FuncType) {
	w.typeParams(t.TypeParams)
	w.fields(apidoc.ParamPart, t.Params)
	w.fields(apidoc.ResultPart, t.Results)
}

func (w *partWriter) typeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			w.local = append(w.local, name.Name)
		}
	}
	for _, f := range list.List {
		w.each(apidoc.TypeParamPart, apidoc.ConstraintPart, f)
	}
}

func (w *partWriter) fields(role apidoc.PartRole, list *ast.FieldList) {
	if list != nil {
		for i, f := range list.List {
			w.each(role, apidoc.TypePart, f)
			if list.Closing.IsValid() && i == len(list.List)-1 {
				w.separator(f.End(), ',')
			}
		}
	}
}

// each writes the parameters of a field. If several names share a type, the type belongs
// to the last name.
func (w *partWriter) each(role, typ apidoc.PartRole, f *ast.Field) {
	var flags apidoc.PartFlags
	if _, ok := f.Type.(*ast.Ellipsis); ok {
		flags = apidoc.Variadic
	}
	for _, name := range f.Names[:max(len(f.Names)-1, 0)] {
		w.open(role, name, apidoc.Shared)
		w.leaf(apidoc.NamePart, name)
		w.close(name)
	}
	if n := len(f.Names); n > 0 {
		w.open(role, f.Names[n-1], flags)
		w.leaf(apidoc.NamePart, f.Names[n-1])
	} else {
		w.open(role, f.Type, flags)
	}
	w.typ(typ, f.Type)
	w.close(f.Type)
}

func (w *partWriter) typeSpec(spec *ast.TypeSpec) {
	w.leaf(apidoc.NamePart, spec.Name)
	w.typeParams(spec.TypeParams)
	switch t := spec.Type.(type) {
	case *ast.StructType:
		w.keyword(t.Struct, "struct")
		w.members(t.Fields, false)
	case *ast.InterfaceType:
		w.keyword(t.Interface, "interface")
		w.flags |= apidoc.Implemented
		w.members(t.Methods, true)
	default:
		w.typ(apidoc.TypePart, spec.Type)
	}
}

func (w *partWriter) keyword(start token.Pos, word string) {
	w.Leaf(apidoc.KeywordPart, w.at(start), w.at(start)+len(word))
}

func (w *partWriter) members(list *ast.FieldList, isInterface bool) {
	for _, f := range list.List {
		if ident, ok := f.Type.(*ast.Ident); ok && ident.Name == "" || f.Pos() == f.End() {
			continue
		}
		w.member(f, isInterface)
		w.separator(f.End(), ';')
	}
}

// separator writes the separator at the given position, if there is one.
func (w *partWriter) separator(p token.Pos, separator byte) {
	if i := w.at(p); i < len(w.text) && w.text[i] == separator {
		w.Leaf(apidoc.TriviaPart, i, i+1)
	}
}

// member writes a field or a method of an interface, or an embedded type.
func (w *partWriter) member(f *ast.Field, isInterface bool) {
	if len(f.Names) == 0 {
		role := apidoc.BasePart
		if _, named := embeddedName(f.Type); isInterface && !named {
			role = apidoc.ConstraintPart
		}
		w.typ(role, f.Type)
		if f.Tag != nil {
			w.leaf(apidoc.AttributePart, f.Tag)
		}
		return
	}
	last := len(f.Names) - 1
	for _, name := range f.Names[:last] {
		w.open(apidoc.MemberPart, name, apidoc.Shared)
		w.leaf(apidoc.NamePart, name)
		w.close(name)
	}
	w.open(apidoc.MemberPart, f.Names[last])
	w.leaf(apidoc.NamePart, f.Names[last])
	w.memberType(f, isInterface)
	w.close(f)
}

func (w *partWriter) memberType(f *ast.Field, isInterface bool) {
	if fn, ok := f.Type.(*ast.FuncType); ok && isInterface {
		w.signature(fn)
		return
	}
	w.typ(apidoc.TypePart, f.Type)
	if f.Tag != nil {
		w.leaf(apidoc.AttributePart, f.Tag)
		if repeatsName(f.Tag.Value, f.Names[len(f.Names)-1].Name) {
			w.Flag(w.Len()-1, apidoc.AttributePart, apidoc.Redundant)
		}
	}
}

// repeatsName reports whether each quoted text in a field's tag is the name of the field, ignoring
// case, hyphens and underscores. An example is `json:"user_id,omitempty"` for UserID.
func repeatsName(tag, name string) bool {
	quoted := strings.Split(tag, "\"")
	for i := 1; i < len(quoted); i += 2 {
		value, _, _ := strings.Cut(quoted[i], ",")
		if !strings.EqualFold(strings.NewReplacer("_", "", "-", "").Replace(value), name) {
			return false
		}
	}
	return len(quoted) > 1
}

// embeddedName returns the name of an embedded type.
func embeddedName(x ast.Expr) (name string, ok bool) {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name, true
	case *ast.SelectorExpr:
		return x.Sel.Name, true
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.IndexExpr:
		return embeddedName(x.X)
	case *ast.IndexListExpr:
		return embeddedName(x.X)
	}
	return "", false
}

// onlyMember writes the field or method of the generated type that surrounds it.
func (w *partWriter) onlyMember(spec *ast.TypeSpec, kind apidoc.Kind) {
	var list *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	}
	if list == nil || len(list.List) != 1 {
		return
	}
	f := list.List[0]
	if len(f.Names) == 0 {
		w.typ(apidoc.TypePart, f.Type)
		if f.Tag != nil {
			w.leaf(apidoc.AttributePart, f.Tag)
		}
		return
	}
	w.leaf(apidoc.NamePart, f.Names[0])
	w.memberType(f, kind == apidoc.Method)
}

func (w *partWriter) value(spec *ast.ValueSpec) {
	for _, name := range spec.Names {
		w.leaf(apidoc.NamePart, name)
	}
	if spec.Type != nil {
		w.typ(apidoc.TypePart, spec.Type)
	}
	for _, x := range spec.Values {
		w.open(apidoc.ValuePart, x)
		w.literalType(x)
		for len(w.comments) > 0 && w.comments[0].Pos() < x.End() { // Comments within the value are part of it.
			w.comments = w.comments[1:]
		}
		w.close(x)
	}
}

// literalType writes the names in the type of a composite literal or of a pointer to one.
func (w *partWriter) literalType(x ast.Expr) {
	if pointer, ok := x.(*ast.UnaryExpr); ok {
		x = pointer.X
	}
	if literal, ok := x.(*ast.CompositeLit); ok && literal.Type != nil {
		w.expr(literal.Type)
	}
}

// typ writes a type expression and the names in it.
func (w *partWriter) typ(role apidoc.PartRole, x ast.Expr) {
	w.open(role, x)
	w.expr(x)
	w.close(x)
}

func (w *partWriter) expr(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			w.reference(n, n.Name)
		case *ast.SelectorExpr:
			w.leaf(apidoc.ReferencePart, n)
			return false
		case *ast.FuncType:
			w.signature(n)
			return false
		case *ast.StructType:
			w.members(n.Fields, false)
			return false
		case *ast.InterfaceType:
			if len(n.Methods.List) == 0 {
				w.leaf(apidoc.KeywordPart, n)
			}
			w.members(n.Methods, true)
			return false
		}
		return true
	})
}

func (w *partWriter) reference(n ast.Node, name string) {
	var flags apidoc.PartFlags
	switch {
	case name == "_" || name == "":
		return
	case slices.Contains(w.local, name):
		flags = apidoc.Local
	case doc.IsPredeclared(name):
		flags = apidoc.Builtin
	}
	w.commentsUntil(n.Pos())
	w.Leaf(apidoc.ReferencePart, w.at(n.Pos()), w.at(n.End()), flags)
}
