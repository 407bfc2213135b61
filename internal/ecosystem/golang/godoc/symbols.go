package godoc

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/token"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// maxNested is the maximum depth of anonymous struct types in fields.
	maxNested = 8
	// maxPromoting is the maximum number of types searched and members written, in
	// total, for the promoted members of a package.
	maxPromoting = 25_000
)

// unit is a package on one platform.
type unit struct {
	*reader
	target target
	scope  *scope
	doc    *doc.Package
	// parser parses the package's comments; it knows the names that links may
	// refer to.
	parser *comment.Parser
	groups []apidoc.Group
	// promoting is the number of types and members that count towards maxPromoting.
	promoting int
	// promotedFrom contains the paths of packages, by the names by which promoted
	// members refer to them.
	promotedFrom map[string]string
	// all is true for package builtin, whose names are not exported.
	all bool
}

// unit prepares the files of a package, which must be sorted by name. The unit owns them
// afterwards.
func (r *reader) unit(t target, files []*ast.File) *unit {
	u := &unit{
		reader: r, target: t, promotedFrom: map[string]string{},
		scope: &scope{path: r.src.ImportPath, name: files[0].Name.Name, module: r.src.Module, types: map[string]*typeDecl{}},
		all:   r.src.Module == "std" && r.src.ImportPath == "builtin",
	}
	u.scope.add(files)
	u.scope.resolveReceivers()
	restore := u.hideEmbedded(files)
	var err error
	if u.doc, err = doc.NewFromFiles(r.fset, files, r.src.ImportPath, doc.AllDecls); err != nil {
		panic(err) // This cannot happen, because all files are in the set and their names end in .go.
	}
	restore()
	u.parser = u.doc.Parser()
	return u
}

// hideEmbedded removes the embedded fields from all structs until restore is called. To find
// methods that addPromoted also finds, package go/doc follows all paths through embedded fields,
// and there can be exponentially many paths.
func (u *unit) hideEmbedded(files []*ast.File) (restore func()) {
	hidden := map[*ast.StructType]*ast.FieldList{}
	for _, f := range files {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && takesOver(spec) {
					if t, ok := spec.Type.(*ast.StructType); ok {
						hidden[t] = t.Fields
						fields := *t.Fields
						fields.List = slices.DeleteFunc(slices.Clone(fields.List), func(f *ast.Field) bool {
							return len(f.Names) == 0 && !u.predeclared(f.Type)
						})
						t.Fields = &fields
					}
				}
			}
		}
	}
	return func() {
		for t, fields := range hidden {
			t.Fields = fields
		}
	}
}

// predeclared reports whether x is a predeclared type, such as error. Package
// go/doc misclassifies functions that return an error once an error is
// embedded.
func (u *unit) predeclared(x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	return ok && doc.IsPredeclared(name.Name) && (u.scope.types[name.Name] == nil || u.scope.types[name.Name].spec == nil)
}

func (u *unit) exported(name string) bool { return u.all || token.IsExported(name) }

// symbols returns the exported symbols in the order of go doc -all: constants,
// variables and functions, then each type with its constants, variables and
// functions.
func (u *unit) symbols() []apidoc.Symbol {
	list := []apidoc.Symbol{}
	var hidden []*doc.Type
	for _, t := range u.doc.Types {
		if !u.exported(t.Name) {
			hidden = append(hidden, t)
		}
	}
	list = u.addValues(list, u.doc.Consts, "")
	for _, t := range hidden {
		list = u.addValues(list, t.Consts, "")
	}
	list = u.addValues(list, u.doc.Vars, "")
	for _, t := range hidden {
		list = u.addValues(list, t.Vars, "")
	}
	list = u.addFuncs(list, u.doc.Funcs, "")
	for _, t := range hidden {
		list = u.addFuncs(list, t.Funcs, "")
	}
	for _, t := range u.doc.Types {
		if !u.exported(t.Name) || u.ctx.Err() != nil {
			continue
		}
		spec := specOf(t)
		if spec == nil {
			continue
		}
		list = append(list, u.typeSymbol(t, spec))
		list = u.addValues(list, t.Consts, t.Name)
		list = u.addValues(list, t.Vars, t.Name)
		list = u.addFuncs(list, t.Funcs, t.Name)
	}
	return list
}

func specOf(t *doc.Type) *ast.TypeSpec {
	for _, spec := range t.Decl.Specs {
		if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.Name == t.Name {
			return spec
		}
	}
	return nil
}

// symbol returns a symbol with the common fields. text is its comment.
func (u *unit) symbol(path string, kind apidoc.Kind, pos token.Pos, text string) apidoc.Symbol {
	s := apidoc.Symbol{Path: path, Kind: kind, Doc: markdown(u.parser, text)}
	s.Deprecated = deprecation(s.Doc)
	s.File, s.Line = u.position(pos)
	return s
}

func (u *unit) position(pos token.Pos) (file string, line int) {
	if !pos.IsValid() {
		return "", 0
	}
	// A position from a "//line" directive is not in a file of the package.
	p := u.fset.PositionFor(pos, false)
	return p.Filename, p.Line
}

// addValues appends the exported names of constant or variable declarations.
func (u *unit) addValues(list []apidoc.Symbol, values []*doc.Value, owner string) []apidoc.Symbol {
	for _, v := range values {
		if slices.ContainsFunc(v.Names, u.exported) {
			list = u.addValue(list, v, owner)
		}
	}
	return list
}

func (u *unit) addValue(list []apidoc.Symbol, v *doc.Value, owner string) []apidoc.Symbol {
	kind := apidoc.Const
	if v.Decl.Tok == token.VAR {
		kind = apidoc.Var
	}
	shown := u.shownValues(v.Decl)
	text := u.text(shown)
	first, group, about := len(list), 0, markdown(u.parser, v.Doc)
	var carried ast.Expr
	for _, spec := range v.Decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		typ := spec.Type
		if kind == apidoc.Const {
			if spec.Type == nil && len(spec.Values) == 0 {
				typ = carried
			}
			carried = typ
		}
		for i, name := range spec.Names {
			if !u.exported(name.Name) {
				continue
			}
			if group == 0 && (v.Decl.Lparen.IsValid() || len(spec.Names) > 1) {
				u.groups = append(u.groups, apidoc.Group{Signature: text, Doc: about})
				group = len(u.groups)
			}
			doc := v.Doc
			if group > 0 {
				doc = commentOf(spec.Doc, spec.Comment)
			}
			s := u.symbol(name.Name, kind, name.Pos(), doc)
			s.Of, s.Group, s.Signature = owner, group, text
			if group > 0 {
				s.Signature = u.valueText(v.Decl.Tok, spec, i, typ)
			}
			if s.Deprecated == "" {
				s.Deprecated = deprecation(about)
			}
			if lit := structOf(spec, i); lit != nil {
				s.Members = u.fields(s.Path, lit, 0)
			}
			list = append(list, s)
		}
	}
	if len(list) == first+1 && group > 0 { // The comment of a group with a single symbol is about that symbol.
		list[first].Doc = strings.TrimSpace(about + "\n\n" + list[first].Doc)
	}
	return list
}

// structOf returns the struct literal type of a variable.
func structOf(spec *ast.ValueSpec, i int) *ast.StructType {
	typ := spec.Type
	if typ == nil && i < len(spec.Values) {
		if lit, ok := spec.Values[i].(*ast.CompositeLit); ok {
			typ = lit.Type
		}
	}
	t, _ := typ.(*ast.StructType)
	return t
}

// commentOf returns the text of the comment above a declaration, or else of the comment
// after it.
func commentOf(doc, behind *ast.CommentGroup) string {
	if text := doc.Text(); text != "" {
		return text
	}
	return behind.Text()
}

func (u *unit) addFuncs(list []apidoc.Symbol, funcs []*doc.Func, owner string) []apidoc.Symbol {
	for _, f := range funcs {
		if u.exported(f.Name) {
			s := u.funcSymbol(f)
			s.Of = owner
			list = append(list, s)
		}
	}
	return list
}

// funcSymbol describes a function or method.
func (u *unit) funcSymbol(f *doc.Func) apidoc.Symbol {
	path, kind := f.Name, apidoc.Func
	if f.Recv != "" { // go/doc writes "BADRECV" for a type in parentheses.
		path, kind = typeName(f.Decl.Recv.List[0].Type)+"."+f.Name, apidoc.Method
	}
	s := u.symbol(path, kind, f.Decl.Name.Pos(), f.Doc)
	s.Signature = u.text(f.Decl)
	return s
}

// typeSymbol describes a type with its fields and methods, promoted ones last.
func (u *unit) typeSymbol(t *doc.Type, spec *ast.TypeSpec) apidoc.Symbol {
	s := u.symbol(t.Name, apidoc.Type, spec.Name.Pos(), t.Doc)
	s.Signature = u.typeText(t.Decl, spec)
	switch lit := ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		s.Members = u.fields(s.Path, lit, 0)
	case *ast.InterfaceType:
		s.Members = u.ownInterfaceMethods(s.Path, lit)
	}
	s.Members = u.addFuncs(s.Members, t.Methods, "")
	u.addPromoted(&s, spec)
	return s
}

// fields describes the exported fields of a struct, embedded ones included.
func (u *unit) fields(owner string, t *ast.StructType, depth int) []apidoc.Symbol {
	var list []apidoc.Symbol
	if t.Fields == nil || depth > maxNested {
		return nil
	}
	for _, f := range t.Fields.List {
		names := f.Names
		if len(names) == 0 {
			if name := typeName(f.Type); name != "" {
				names = []*ast.Ident{{Name: name, NamePos: f.Type.Pos()}}
			}
		}
		for _, name := range names {
			if !u.exported(name.Name) {
				continue
			}
			s := u.symbol(owner+"."+name.Name, apidoc.Field, name.Pos(), commentOf(f.Doc, f.Comment))
			s.Signature = u.fieldText(name.Name, len(f.Names) == 0, f.Type, f.Tag)
			x := ast.Unparen(f.Type)
			if star, ok := x.(*ast.StarExpr); ok {
				x = star.X
			}
			if nested, ok := x.(*ast.StructType); ok {
				s.Members = u.fields(s.Path, nested, depth+1)
			}
			list = append(list, s)
		}
	}
	return list
}

// ownInterfaceMethods describes the exported methods that an interface
// declares.
func (u *unit) ownInterfaceMethods(owner string, t *ast.InterfaceType) []apidoc.Symbol {
	var list []apidoc.Symbol
	if t.Methods == nil {
		return nil
	}
	for _, f := range t.Methods.List {
		fn, ok := f.Type.(*ast.FuncType)
		if !ok {
			continue
		}
		for _, name := range f.Names {
			if u.exported(name.Name) {
				s := u.symbol(owner+"."+name.Name, apidoc.Method, name.Pos(), commentOf(f.Doc, f.Comment))
				s.Signature = name.Name + u.signatureText(fn)
				list = append(list, s)
			}
		}
	}
	return list
}

// addPromoted appends the members that a type gets from embedded types, from the type
// that it is defined as, or from the type that it is an alias of.
func (u *unit) addPromoted(s *apidoc.Symbol, spec *ast.TypeSpec) {
	decl := u.scope.types[s.Path]
	if decl == nil || decl.spec != spec || !takesOver(spec) && !decl.aliased {
		return
	}
	if u.promoting > maxPromoting {
		u.warn("types embed each other so often that some promoted members are not shown")
		return
	}
	e := env{scope: u.scope, file: decl.file, args: u.bind(spec.TypeParams, nil, env{})}
	root := named{decl: decl, expr: spec.Type, env: e}
	if spec.Assign.IsValid() {
		var ok bool
		if root, ok = u.resolve(spec.Type, e); !ok {
			return
		}
		u.aliasDoc(s, root)
	}
	has := map[string]bool{}
	for _, m := range s.Members {
		has[m.Path] = true
	}
	for _, sel := range u.selectors(root) {
		path := s.Path + "." + sel.name
		if has[path] || u.forInternalUse(sel) {
			continue
		}
		u.promoting++
		m := u.promotedSymbol(path, sel, spec)
		if sel.owner.decl == decl { // An alias of this type declares the member.
			m.From = ""
		}
		s.Members = append(s.Members, m)
	}
}

// takesOver reports whether a type can have members that its declaration does
// not list.
func takesOver(spec *ast.TypeSpec) bool {
	var list *ast.FieldList
	switch t := ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	if list != nil {
		for _, f := range list.List {
			if len(f.Names) == 0 {
				return true
			}
		}
	}
	return false
}

// promotedSymbol describes a selector promoted to the type outer.
func (u *unit) promotedSymbol(path string, sel selector, outer *ast.TypeSpec) apidoc.Symbol {
	var text string
	var pos token.Pos
	kind := apidoc.Method
	switch {
	case sel.field != nil:
		kind, text, pos = apidoc.Field, commentOf(sel.field.Doc, sel.field.Comment), sel.field.Pos()
	case sel.method != nil:
		text, pos = sel.method.doc.Text(), sel.method.decl.Name.Pos()
	default:
		text, pos = commentOf(sel.signature.Doc, sel.signature.Comment), sel.signature.Pos()
	}
	s := apidoc.Symbol{Path: path, Kind: kind, From: sel.owner.from(u.scope)}
	origin := sel.owner.env.scope
	if origin == u.scope {
		s.Doc = markdown(u.parser, text)
	} else {
		s.Doc = markdown(foreignComments, text)
	}
	s.Deprecated = deprecation(s.Doc)
	if origin == u.scope || origin.module == u.scope.module {
		s.File, s.Line = u.position(pos)
	}
	s.Signature = u.promotedSignature(sel, outer)
	return s
}

// from returns the type's name as written in the package of scope s.
func (n named) from(s *scope) string {
	switch {
	case n.decl == nil:
		return "an unnamed type"
	case n.decl.scope == s || n.decl.scope.name == "":
		return n.decl.spec.Name.Name
	}
	return n.decl.scope.name + "." + n.decl.spec.Name.Name
}

// foreignComments parses the comments of packages in which only some types are known. It treats
// everything that may be a link as a link.
var foreignComments = &comment.Parser{
	LookupSym: func(_, name string) bool { return token.IsExported(name) },
}
