package godoc

import (
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

// maxPrinting is the maximum cost of printing deeply nested declarations in one
// package, which takes the printer more than linear time; see cost.
const maxPrinting = 100_000_000

// text prints a declaration or expression as gofmt does.
func (u *unit) text(node ast.Node) string {
	if s, ok := shortText(node); ok {
		return s
	}
	if u.spent += cost(node); u.spent > maxPrinting {
		u.warn("the content of some declarations is omitted because it is nested too deeply")
		return elided(node)
	}
	u.buf.Reset()
	if err := format.Node(&u.buf, u.fset, node); err != nil {
		u.warn("a declaration cannot be printed: " + quote.Error(err).Error())
		return elided(node)
	}
	// If the declaration ends with a comment, the printer adds a line break.
	return strings.TrimSuffix(u.buf.String(), "\n")
}

// shortText prints common types and tags of fields without the printer, which is many times slower.
// It returns false for all other nodes.
func shortText(node ast.Node) (string, bool) {
	switch x := node.(type) {
	case *ast.Ident:
		return x.Name, true
	case *ast.BasicLit:
		// The printer normalizes numbers, but not strings.
		return x.Value, x.Kind == token.STRING || x.Kind == token.CHAR || strings.Trim(x.Value, "0123456789") == ""
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return pkg.Name + "." + x.Sel.Name, true
		}
	case *ast.StarExpr:
		s, ok := shortText(x.X)
		return "*" + s, ok
	case *ast.ArrayType:
		if x.Len == nil {
			s, ok := shortText(x.Elt)
			return "[]" + s, ok
		}
	}
	return "", false
}

// cost estimates the steps of printing node if it is nested unusually deeply. It returns the number
// of its nodes times their depth, times the square of the depth of nested blocks. It returns 0 for
// other nodes.
func cost(node ast.Node) int64 {
	var nodes, deepest, deepestBlock, block int64
	var open []bool // open contains, for each enclosing node from the outermost to the innermost, whether it is a block.
	ast.Inspect(node, func(n ast.Node) bool {
		if n == nil {
			last := len(open) - 1
			if open[last] {
				block--
			}
			open = open[:last]
			return true
		}
		isBlock := false
		switch n.(type) {
		case *ast.CompositeLit, *ast.FuncLit, *ast.StructType, *ast.InterfaceType, *ast.FuncType, *ast.CallExpr, *ast.BlockStmt:
			isBlock = true
			block++
		}
		open = append(open, isBlock)
		nodes++
		deepest, deepestBlock = max(deepest, int64(len(open))), max(deepestBlock, block)
		return true
	})
	factor := deepest + deepestBlock*deepestBlock
	if factor <= 100 {
		return 0
	}
	return nodes * factor
}

// elided returns a placeholder for a declaration that is too expensive to
// print.
func elided(node ast.Node) string {
	switch n := node.(type) {
	case *ast.FuncDecl:
		return "func " + n.Name.Name + "(…)"
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				return "type " + spec.Name.Name + " …"
			case *ast.ValueSpec:
				return n.Tok.String() + " " + spec.Names[0].Name + " …"
			}
		}
	}
	return "…"
}

// signatureText prints the parameters and results of a function.
func (u *unit) signatureText(t *ast.FuncType) string {
	return strings.TrimPrefix(u.text(t), "func")
}

// fieldText prints a struct field. An embedded field has no name.
func (u *unit) fieldText(name string, embedded bool, typ ast.Expr, tag *ast.BasicLit) string {
	s := u.text(typ)
	if !embedded {
		s = name + " " + s
	}
	if tag != nil {
		s += " " + tag.Value
	}
	return s
}

// typeText prints a type declaration as go doc does: with only the exported fields
// or methods, and a note if there are others.
func (u *unit) typeText(decl *ast.GenDecl, spec *ast.TypeSpec) string {
	shown := *spec
	switch t := spec.Type.(type) {
	case *ast.StructType:
		if t.Fields != nil {
			c := *t
			c.Fields = u.shownFields(t.Fields, false)
			shown.Type = &c
		}
	case *ast.InterfaceType:
		if t.Methods != nil {
			c := *t
			c.Methods = u.shownFields(t.Methods, true)
			shown.Type = &c
		}
	}
	d := *decl
	d.Specs = []ast.Spec{&shown}
	return u.text(&d)
}

// shownFields copies the fields of a struct or the elements of an interface,
// without the unexported ones.
func (u *unit) shownFields(fields *ast.FieldList, isInterface bool) *ast.FieldList {
	shown := &ast.FieldList{Opening: fields.Opening, Closing: fields.Closing}
	hidden := false
	for _, f := range fields.List {
		if !u.shown(f, isInterface) {
			hidden = true
			continue
		}
		if f.Doc != nil {
			c := *f
			c.Doc = plainComment(f.Doc)
			f = &c
		}
		shown.List = append(shown.List, f)
	}
	if hidden {
		note := unexported + "fields.\n"
		if isInterface {
			note = unexported + "methods.\n"
		}
		// The note is the comment of a field without a name or width, just before the
		// closing brace.
		shown.List = append(shown.List, &ast.Field{
			Type:    &ast.Ident{NamePos: fields.Closing - 1},
			Comment: &ast.CommentGroup{List: []*ast.Comment{{Text: note}}},
		})
	}
	return shown
}

// unexported is the beginning of the comment in place of fields and methods that are not exported.
const unexported = "// Has unexported "

// shown reports whether go doc shows a field. It shows fields whose names are all
// exported and interface elements without names.
func (u *unit) shown(f *ast.Field, isInterface bool) bool {
	for _, name := range f.Names {
		if !u.exported(name.Name) {
			return false
		}
	}
	if len(f.Names) > 0 {
		return true
	}
	x := f.Type
	if star, ok := x.(*ast.StarExpr); ok && !isInterface {
		x = star.X
	}
	switch t := x.(type) {
	case *ast.Ident:
		if isInterface && (t.Name == "error" || t.Name == "comparable") && u.scope.types[t.Name] == nil {
			return true
		}
		return u.exported(t.Name)
	case *ast.SelectorExpr:
		return u.exported(t.Sel.Name)
	}
	return true
}

// plainComment returns a comment without directives.
func plainComment(doc *ast.CommentGroup) *ast.CommentGroup {
	plain := &ast.CommentGroup{}
	text := doc.Text()
	if last := doc.List[len(doc.List)-1]; len(last.Text) != len("//") {
		text = strings.TrimSuffix(text, "\n")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "\t") {
			line = " " + line
		}
		plain.List = append(plain.List, &ast.Comment{Text: "//" + line})
	}
	plain.List[0].Slash = doc.List[0].Slash
	return plain
}

// shownValues reduces a declaration of constants or variables to the lines with
// exported names. If these lines repeat a type implicitly, the type is written on
// the first one.
func (u *unit) shownValues(decl *ast.GenDecl) *ast.GenDecl {
	shown := *decl
	shown.Specs = nil
	var carried ast.Expr
	for _, spec := range decl.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if v.Type != nil {
			carried = v.Type
		}
		if !u.anyExported(v.Names) {
			continue
		}
		if v.Type == nil && v.Values == nil && carried != nil {
			c := *v
			c.Type = &ast.Ident{Name: u.text(carried), NamePos: v.End() - 1}
			v = &c
		}
		carried = nil
		shown.Specs = append(shown.Specs, v)
	}
	return &shown
}

func (u *unit) anyExported(names []*ast.Ident) bool {
	return slices.ContainsFunc(names, func(name *ast.Ident) bool { return u.exported(name.Name) })
}

// valueText prints one name of a spec as a separate declaration. typ is its type, which may come
// from an earlier line.
func (u *unit) valueText(tok token.Token, v *ast.ValueSpec, i int, typ ast.Expr) string {
	var b strings.Builder
	b.WriteString(tok.String())
	b.WriteByte(' ')
	several := len(v.Values) > 0 && len(v.Values) != len(v.Names) // A single value belongs to several names, as in a, b = f().
	if several {
		for j, name := range v.Names {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name.Name)
		}
	} else {
		b.WriteString(v.Names[i].Name)
	}
	if typ != nil {
		b.WriteByte(' ')
		b.WriteString(u.text(typ))
	}
	switch {
	case several:
		b.WriteString(" = ")
		for j, x := range v.Values {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(u.text(x))
		}
	case i < len(v.Values):
		b.WriteString(" = ")
		b.WriteString(u.text(v.Values[i]))
	}
	return b.String()
}
