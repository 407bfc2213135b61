package modules

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// own are the types that nobody can ask for by a name that a module exports,
// though a value that it exports is of them: JQueryStatic, of jQuery. The first
// such value is told with the members of its type.
type own struct {
	exported map[*symbol]bool
	given    map[*symbol]bool
}

// ownTypes finds out which symbols a module exports, in its namespaces too.
func (w *documenter) ownTypes(exports []*symbol) {
	o := &own{map[*symbol]bool{}, map[*symbol]bool{}}
	var mark func(all []*symbol, depth int)
	mark = func(all []*symbol, depth int) {
		for _, s := range all {
			t := w.r.target(s)
			if t == nil || o.exported[t] {
				continue
			}
			o.exported[t] = true
			if t.exports != nil && depth < 3 {
				mark(t.exports.order, depth+1)
			}
			if t.of != nil && depth < 3 {
				mark(w.r.exportsOf(t.of), depth+1)
			}
		}
	}
	mark(exports, 0)
	w.own = o
}

// valueMembers fills in the members of the type of a value that the module
// exports under its own name, if the type is the package's own.
func (w *documenter) valueMembers(out *apidoc.Symbol, s, t *symbol) {
	if w.own == nil || len(out.Members) > 0 || out.Path != s.name && out.Path != "export=" {
		return
	}
	switch out.Kind {
	case apidoc.Const, apidoc.Var, KindLet:
	default:
		return
	}
	value, ok := valueType(t)
	if !ok {
		return
	}
	e := evaluator{r: w.r}
	w.ownMembers(&e, out, value, t, 0)
}

// maxNesting limits how deep intersections are looked into.
const maxNesting = 5

// ownMembers fills in the members of a type that is the package's own, or of
// those parts of an intersection.
func (w *documenter) ownMembers(e *evaluator, out *apidoc.Symbol, value typeRef, t *symbol, depth int) {
	of := e.shape(value)
	if of.sym == nil {
		if of.node != nil && of.node.Kind == dts.Intersection && depth < maxNesting {
			for part := of.node.First; part != nil; part = part.Next {
				w.ownMembers(e, out, of.at(part), t, depth+1)
			}
		}
		return
	}
	if w.own.exported[of.sym] || w.own.given[of.sym] || len(of.sym.decls) == 0 || of.sym.decls[0].scope.mod.pkg != w.pkg {
		return
	}
	w.own.given[of.sym] = true
	l := e.members(of.sym)
	for _, group := range [...][]*prop{l.unnamed, l.props.order} {
		for _, p := range group {
			w.add(out, p, out.Path+".", t)
		}
	}
}
