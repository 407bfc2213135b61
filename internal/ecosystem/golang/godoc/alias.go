package godoc

import (
	"go/ast"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// aliasDoc gives an alias without a comment the comment on the type that it refers to, if users
// cannot refer to that type.
func (u *unit) aliasDoc(s *apidoc.Symbol, target named) {
	if s.Doc != "" || target.decl == nil || target.decl.doc == nil {
		return
	}
	switch origin := target.decl.scope; {
	case origin == u.scope && !u.exported(target.decl.spec.Name.Name):
		s.Doc = markdown(u.parser, target.decl.doc.Text())
	case origin != u.scope && isInternal(origin.path):
		s.Doc = markdown(foreignComments, target.decl.doc.Text())
	}
	s.Deprecated = deprecation(s.Doc)
}

// forInternalUse reports whether a method takes an empty struct that is not accessible outside its
// package, in which case no other package can call the method.
func (u *unit) forInternalUse(sel selector) bool {
	var params *ast.FieldList
	e := sel.owner.env
	switch {
	case sel.method != nil:
		params = sel.method.decl.Type.Params
	case sel.signature != nil:
		if fn, ok := sel.signature.Type.(*ast.FuncType); ok {
			params = fn.Params
		}
	}
	if params == nil {
		return false
	}
	for _, f := range params.List {
		switch ast.Unparen(f.Type).(type) {
		case *ast.Ident, *ast.SelectorExpr:
		default:
			continue
		}
		n, ok := u.resolve(f.Type, e)
		if !ok || n.decl == nil || n.decl.scope == u.scope || !isInternal(n.decl.scope.path) {
			continue
		}
		if t, ok := n.literal().(*ast.StructType); ok && len(t.Fields.List) == 0 {
			return true
		}
	}
	return false
}

// isInternal reports whether only a part of the module may import the given path.
func isInternal(importPath string) bool {
	return strings.Contains("/"+importPath+"/", "/internal/")
}
