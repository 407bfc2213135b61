package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/markup"
)

// own is what a module exports, and what that leads to.
type own struct {
	// paths are those of the exported symbols.
	paths map[*symbol]string
	// given are the internal types whose members a value is shown with.
	given map[*symbol]bool
	internals
}

// ownTypes finds out which symbols a module exports, in its namespaces too.
func (w *documenter) ownTypes(m *module, exports []*symbol) {
	o := &own{map[*symbol]string{}, map[*symbol]bool{}, newInternals()}
	w.own = o
	if e := w.r.target(m.equals); e != nil && e.of == nil {
		o.export(e, "export=")
	}
	const maxDepth = 3
	var mark func(all []*symbol, prefix string, depth int)
	mark = func(all []*symbol, prefix string, depth int) {
		for _, last := range [...]bool{false, true} {
			for _, s := range all {
				if t := w.r.target(s); t != nil && (s.name == "default") == last {
					o.export(t, prefix+s.name)
				}
			}
		}
		if depth == maxDepth {
			return
		}
		for _, s := range all {
			t := w.r.target(s)
			if t == nil || o.paths[t] != prefix+s.name {
				continue
			}
			if t.exports != nil {
				mark(t.exports.order, prefix+s.name+".", depth+1)
			}
			if t.of != nil {
				mark(w.r.exportsOf(t.of), prefix+s.name+".", depth+1)
			}
		}
	}
	mark(exports, "", 0)
	for _, s := range exports {
		if t := w.r.target(s); t != nil && o.paths[t] == s.name {
			if base := w.standsFor(t); base != nil && o.paths[base] == "" {
				o.paths[base] = s.name
			}
		}
	}
}

// export notes the path of an exported symbol, the first one if it has several.
func (o *own) export(t *symbol, path string) {
	if o.paths[t] == "" {
		o.paths[t] = path
		o.addPackage(t)
	}
	o.taken[path] = true
}

// standsFor is the internal type for which an exported one is another name: of
// type App = Electron.App, or class App extends Electron.App {}.
func (w *documenter) standsFor(t *symbol) *symbol {
	if len(t.decls) == 0 {
		return nil
	}
	d := t.decls[0]
	var to *dts.Node
	switch d.node.Kind {
	case dts.TypeAlias:
		to = d.node.First
	case dts.Class, dts.Interface:
		if to = d.node.First; to == nil || to.Kind != dts.Extends || to.Next != nil {
			return nil
		}
		to = to.First
	default:
		return nil
	}
	if to == nil || to.Kind != dts.Ref || to.First != nil {
		return nil
	}
	base := w.referred(d.scope, to.Text)
	if base == nil || base == t || base.of != nil || len(base.decls) == 0 || !w.own.packages[base.decls[0].scope.mod.pkg] {
		return nil
	}
	return base
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
	if w.own.paths[of.sym] != "" || w.own.given[of.sym] || len(of.sym.decls) == 0 || !w.own.packages[of.sym.decls[0].scope.mod.pkg] {
		return
	}
	w.own.given[of.sym] = true
	w.listMembers(out, e.members(of.sym), t)
}

// listMembers adds what an instance has.
func (w *documenter) listMembers(out *apidoc.Symbol, l *memberList, t *symbol) {
	for _, group := range [...][]*prop{l.unnamed, l.props.order} {
		for _, p := range group {
			w.add(out, p, out.Path+".", t)
		}
	}
}

// maxAliased bounds the members that an alias is shown with.
const maxAliased = 1000

// aliasMembers fills in the members of an alias of a type that cannot be asked
// for, or of one that is worked out: Partial<Options>, Config["server"].
func (w *documenter) aliasMembers(out *apidoc.Symbol, d decl, t *symbol) {
	n := d.node.Type()
	if w.own == nil || n == nil || !w.own.packages[d.scope.mod.pkg] {
		return
	}
	switch n.Kind {
	case dts.Ref, dts.ImportType, dts.Mapped, dts.Indexed, dts.TypeQuery:
	default:
		return
	}
	if n.Kind == dts.Ref {
		// An exported type is asked for itself.
		if path := w.own.paths[w.referred(d.scope, n.Text)]; path != "" && path != out.Path {
			return
		}
	}
	e := evaluator{r: w.r}
	of := e.shape(typeRef{node: n, scope: d.scope, env: opaque(d)})
	if of.sym != nil {
		if path := w.own.paths[of.sym]; len(of.sym.decls) > 0 && (path == "" || path == out.Path) && w.own.packages[of.sym.decls[0].scope.mod.pkg] {
			w.listMembers(out, e.members(of.sym), t)
		}
		return
	}
	if of.node == nil {
		return
	}
	switch of.node.Kind {
	case dts.Mapped, dts.TypeLiteral, dts.Intersection, dts.Ref:
	default:
		return
	}
	set, _ := e.props(of)
	for _, p := range set.order[:min(len(set.order), maxAliased)] {
		if !w.r.isLib(p.decls[0].scope.mod) {
			w.add(out, p, out.Path+".", t)
		}
	}
}

// destructured documents a name that a pattern binds, as the property that it is:
// of const { add }: Instance. It reports whether that is known.
func (w *documenter) destructured(out *apidoc.Symbol, t *symbol) bool {
	d := t.decls[0]
	n := d.node.Type()
	if n == nil || n.Kind != dts.Indexed || !n.Has(dts.FlagInferred) {
		return false
	}
	e := evaluator{r: w.r}
	of := typeRef{node: n.First, scope: d.scope}
	set, _ := e.props(of)
	name := n.First.Next.Name()
	p := set.get(name)
	if p == nil {
		if v, ok := e.property(of, name); ok && v.node != nil {
			out.Signature = "const " + d.node.Text + ": " + markup.Clean(v.node.String())
			return true
		}
		return false
	}
	w.tell(out, p)
	out.Kind = kindOf(t.decls)
	var lines []string
	for line := range strings.SplitSeq(out.Signature, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(line, "readonly "), p.decls[0].node.Text)
		switch {
		case !ok:
		case strings.HasPrefix(rest, "?"):
			line = declaredWith(out.Kind) + d.node.Text + rest[1:]
		case strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "<"):
			line = "function " + d.node.Text + rest
		default:
			line = declaredWith(out.Kind) + d.node.Text + rest
		}
		lines = append(lines, line)
	}
	out.Signature = strings.Join(lines, "\n")
	if v, ok := e.propType(of, p); ok && v.node != nil && v.node.Kind == dts.Ref && w.referred(v.scope, v.node.Text) != nil {
		w.ownMembers(&e, out, v, t, 0)
	}
	return true
}

// declaredWith is the word before the name of a variable.
func declaredWith(k apidoc.Kind) string { return string(k) + " " }
