package godoc

import (
	"go/ast"
	"go/doc"
	"slices"
)

// maxArgSize is the maximum number of syntax nodes of a type argument that is
// written out. Nested instantiations can double the number at each step.
const maxArgSize = 200

// typeArg is a type argument and its number of syntax nodes.
type typeArg struct {
	expr ast.Expr
	size int
}

// bind maps the type parameters of a declaration to the arguments args, which are written in the
// environment e. A parameter without an argument is mapped to itself.
func (u *unit) bind(params *ast.FieldList, args []ast.Expr, e env) map[string]typeArg {
	if params == nil {
		return nil
	}
	bound := map[string]typeArg{}
	i := 0
	for _, f := range params.List {
		for _, name := range f.Names {
			arg := typeArg{ast.NewIdent(name.Name), 1}
			if i < len(args) {
				w := writer{unit: u, env: e}
				if x := w.expr(args[i]); w.size <= maxArgSize {
					arg = typeArg{x, w.size}
				}
			}
			bound[name.Name] = arg
			i++
		}
	}
	return bound
}

// receiverEnv returns the environment of a method's signature, in which the
// receiver may use other names for the type parameters than the type's
// declaration.
func receiverEnv(n named, m *method) env {
	e := n.env
	if n.decl == nil || n.decl.spec.TypeParams == nil {
		return e
	}
	var params []ast.Expr
	x := ast.Unparen(m.decl.Recv.List[0].Type)
	if star, ok := x.(*ast.StarExpr); ok {
		x = ast.Unparen(star.X)
	}
	switch t := x.(type) {
	case *ast.IndexExpr:
		params = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		params = t.Indices
	}
	e.args = map[string]typeArg{}
	i := 0
	for _, f := range n.decl.spec.TypeParams.List {
		for _, name := range f.Names {
			if i < len(params) {
				if id, ok := params[i].(*ast.Ident); ok {
					e.args[id.Name] = n.env.args[name.Name]
				}
			}
			i++
		}
	}
	return e
}

// writer copies type expressions from the environment env into the package that
// is being read, without positions. The meaning of the expressions does not
// change, because the writer qualifies names of other packages and replaces type
// parameters with their arguments.
type writer struct {
	unit *unit
	env  env
	size int // number of nodes written
}

func (w *writer) expr(x ast.Expr) ast.Expr {
	if w.size++; w.size > 10_000 {
		return ast.NewIdent("…")
	}
	switch t := x.(type) {
	case nil:
		return nil
	case *ast.Ident:
		if arg, ok := w.env.args[t.Name]; ok && arg.expr != nil {
			w.size += arg.size
			return arg.expr
		}
		if w.env.scope == w.unit.scope || w.env.scope.name == "" || doc.IsPredeclared(t.Name) {
			return ast.NewIdent(t.Name)
		}
		w.unit.promotedFrom[w.env.scope.name] = w.env.scope.path
		return &ast.SelectorExpr{X: ast.NewIdent(w.env.scope.name), Sel: ast.NewIdent(t.Name)}
	case *ast.SelectorExpr:
		if pkg, ok := t.X.(*ast.Ident); ok {
			return &ast.SelectorExpr{X: ast.NewIdent(w.qualifier(pkg.Name)), Sel: ast.NewIdent(t.Sel.Name)}
		}
	case *ast.ParenExpr:
		return &ast.ParenExpr{X: w.expr(t.X)}
	case *ast.StarExpr:
		return &ast.StarExpr{X: w.expr(t.X)}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{Op: t.Op, X: w.expr(t.X)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{Op: t.Op, X: w.expr(t.X), Y: w.expr(t.Y)}
	case *ast.ArrayType:
		return &ast.ArrayType{Len: w.expr(t.Len), Elt: w.expr(t.Elt)}
	case *ast.Ellipsis:
		return &ast.Ellipsis{Elt: w.expr(t.Elt)}
	case *ast.MapType:
		return &ast.MapType{Key: w.expr(t.Key), Value: w.expr(t.Value)}
	case *ast.ChanType:
		return &ast.ChanType{Dir: t.Dir, Value: w.expr(t.Value)}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: w.expr(t.X), Index: w.expr(t.Index)}
	case *ast.IndexListExpr:
		list := &ast.IndexListExpr{X: w.expr(t.X)}
		for _, index := range t.Indices {
			list.Indices = append(list.Indices, w.expr(index))
		}
		return list
	case *ast.FuncType:
		return w.funcType(t)
	case *ast.StructType:
		return &ast.StructType{Fields: w.fields(t.Fields)}
	case *ast.InterfaceType:
		return &ast.InterfaceType{Methods: w.fields(t.Methods)}
	case *ast.BasicLit:
		return &ast.BasicLit{Kind: t.Kind, Value: t.Value}
	}
	return x
}

// qualifier returns the name by which the package that is being read refers to an
// imported package. The name may differ from the one used in another package's
// file, because it may refer to something else here.
func (w *writer) qualifier(name string) string {
	importPath := w.unit.importedAs(w.env.file, name)
	if importPath == "" {
		return name
	}
	if w.env.scope != w.unit.scope && w.isAlias(name) {
		name = AssumedName(importPath)
	}
	w.unit.promotedFrom[name] = importPath
	return name
}

// isAlias reports whether the file imports a package under another name.
func (w *writer) isAlias(name string) bool {
	return slices.ContainsFunc(w.env.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == name })
}

// funcType copies the type of a function. The function's own type parameters are kept.
func (w *writer) funcType(t *ast.FuncType) *ast.FuncType {
	if t.TypeParams != nil {
		defer func(outer map[string]typeArg) { w.env.args = outer }(w.env.args)
		args := w.unit.bind(t.TypeParams, nil, env{})
		for name, arg := range w.env.args {
			if _, hidden := args[name]; !hidden {
				args[name] = arg
			}
		}
		w.env.args = args
	}
	return &ast.FuncType{TypeParams: w.fields(t.TypeParams), Params: w.fields(t.Params), Results: w.fields(t.Results)}
}

func (w *writer) fields(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	// The printer writes a list on one line if its brackets are on one line.
	out := &ast.FieldList{Opening: 1, Closing: 1}
	for _, f := range list.List {
		field := &ast.Field{Type: w.expr(f.Type), Tag: f.Tag}
		for _, name := range f.Names {
			field.Names = append(field.Names, ast.NewIdent(name.Name))
		}
		out.List = append(out.List, field)
	}
	return out
}

// universeError is the predeclared type error.
var universeError = func() *typeDecl {
	fn := &ast.FuncType{
		Params:  &ast.FieldList{Opening: 1, Closing: 1},
		Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("string")}}},
	}
	body := &ast.InterfaceType{Methods: &ast.FieldList{List: []*ast.Field{{
		Names: []*ast.Ident{ast.NewIdent("Error")}, Type: fn,
	}}}}
	return &typeDecl{
		scope: &scope{types: map[string]*typeDecl{}},
		file:  &ast.File{Name: ast.NewIdent("builtin")},
		spec:  &ast.TypeSpec{Name: ast.NewIdent("error"), Type: body},
	}
}()

// outerReceiver returns the receiver that a method would have if it were
// declared for the type to which it is promoted.
func (u *unit) outerReceiver(s selector, outer *ast.TypeSpec) *ast.FieldList {
	var x ast.Expr = ast.NewIdent(outer.Name.Name)
	if outer.TypeParams != nil {
		var names []ast.Expr
		for _, f := range outer.TypeParams.List {
			for _, name := range f.Names {
				names = append(names, ast.NewIdent(name.Name))
			}
		}
		if x = (&ast.IndexListExpr{X: x, Indices: names}); len(names) == 1 {
			x = &ast.IndexExpr{X: ast.NewIdent(outer.Name.Name), Index: names[0]}
		}
	}
	field := &ast.Field{Type: x}
	if s.method != nil {
		orig := s.method.decl.Recv.List[0]
		for _, name := range orig.Names {
			field.Names = append(field.Names, ast.NewIdent(name.Name))
		}
		if _, star := ast.Unparen(orig.Type).(*ast.StarExpr); star && !s.pointer {
			field.Type = &ast.StarExpr{X: x}
		}
	}
	return &ast.FieldList{Opening: 1, List: []*ast.Field{field}, Closing: 1}
}

// promotedSignature returns a selector as a declaration of the type outer, to
// which it is promoted.
func (u *unit) promotedSignature(s selector, outer *ast.TypeSpec) string {
	switch {
	case s.field != nil:
		return u.fieldText(s.name, len(s.field.Names) == 0, (&writer{unit: u, env: s.owner.env}).expr(s.field.Type), s.field.Tag)
	case s.method != nil:
		decl := &ast.FuncDecl{Recv: u.outerReceiver(s, outer), Name: s.method.decl.Name, Type: s.method.decl.Type}
		if s.owner.env.scope != u.scope || len(s.owner.env.args) > 0 {
			w := writer{unit: u, env: receiverEnv(s.owner, s.method)}
			decl.Name, decl.Type = ast.NewIdent(s.name), w.funcType(decl.Type)
		}
		return u.text(decl)
	}
	w := writer{unit: u, env: s.owner.env}
	fn := w.funcType(s.signature.Type.(*ast.FuncType))
	if _, inInterface := ast.Unparen(outer.Type).(*ast.InterfaceType); inInterface {
		return s.name + u.signatureText(fn)
	}
	return u.text(&ast.FuncDecl{Recv: u.outerReceiver(s, outer), Name: ast.NewIdent(s.name), Type: fn})
}
