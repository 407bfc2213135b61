package modules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

const (
	// maxComponentSteps bounds the steps for one component, and maxAllComponentSteps
	// those for all components of a package.
	maxComponentSteps    = 60_000
	maxAllComponentSteps = 6_000_000
	// maxProps bounds the props that are listed of one component.
	maxProps = 500
)

// component is a value that is a component, with the types of what it takes.
type component struct {
	// props is the type of the object with its props.
	props typeRef
}

// componentOf returns what a value takes if it is a component: a function from props to an
// element, a class whose instances have props, or an object that its framework declares
// to be one. ok is false for other values.
func (e *evaluator) componentOf(value typeRef) (c component, ok bool) {
	calls := e.calls(value, 0)
	for _, f := range slices.Backward(calls) {
		if props, ok := e.propsOf(f); ok {
			return component{props: props}, true
		}
	}
	if len(calls) > 0 {
		return component{}, false
	}
	return e.componentClass(value)
}

// call is a call signature in its context.
type call struct {
	node    *dts.Node
	context typeRef
}

// calls lists the call signatures of a value. Those of an intersection are those of its
// parts.
func (e *evaluator) calls(value typeRef, depth int) (all []call) {
	if depth > maxNesting {
		return nil
	}
	t := e.shape(value)
	switch {
	case t.sym != nil && !isClass(t.sym):
		for _, u := range e.members(t.sym).unnamed {
			for _, d := range u.decls {
				if d.node.Kind == dts.CallSig {
					at := *u
					at.decls = []decl{d}
					all = append(all, call{d.node, typeRef{scope: d.scope, env: e.envOf(&at, t)}})
				}
			}
		}
	case t.sym != nil:
	case t.compound != nil && t.compound.all:
		for _, p := range t.compound.parts {
			all = append(all, e.calls(p, depth+1)...)
		}
	case t.node == nil:
	default:
		switch n := t.node; n.Kind {
		case dts.FuncType, dts.Method, dts.Function:
			all = append(all, call{n, t})
		case dts.TypeLiteral:
			for c := range n.All(dts.CallSig) {
				all = append(all, call{c, t})
			}
		case dts.Intersection:
			for c := n.First; c != nil; c = c.Next {
				all = append(all, e.calls(t.at(c), depth+1)...)
			}
		case dts.TypeQuery:
			if sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym != nil {
				all = callsOfFunction(sym)
			}
		case dts.ImportType:
			if sym := e.importSymbol(t); sym != nil && n.Has(dts.FlagTypeof) {
				all = callsOfFunction(sym)
			}
		}
	}
	return all
}

// callsOfFunction lists the signatures of a declared function.
func callsOfFunction(sym *symbol) (all []call) {
	for _, d := range visible(sym.decls) {
		if d.node.Kind == dts.Function || d.node.Kind == dts.Method {
			all = append(all, call{d.node, typeRef{scope: d.scope}})
		}
	}
	return all
}

// elements are the names of the types that components of React, Preact, Solid, Vue and
// others return.
var elements = map[string]bool{
	"Element": true, "ReactElement": true, "ReactNode": true, "ReactPortal": true, "JSXElement": true, "VNode": true, "VNodeChild": true,
	"ComponentChild": true, "ComponentChildren": true, "DetailedReactHTMLElement": true, "FunctionComponentElement": true, "ReactSVGElement": true,
	"DOMElement": true, "CElement": true, "ReactHTMLElement": true, "HtmlEscapedString": true,
}

// returnsElement reports whether the result of a function is written as an element, as a
// union with one, or as null.
func returnsElement(n *dts.Node) bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case dts.Paren:
		return returnsElement(n.First)
	case dts.Union:
		for c := range n.Children() {
			if returnsElement(c) {
				return true
			}
		}
	case dts.Literal:
		return n.Text == "null"
	case dts.Ref:
		name := lastOf(n.Text)
		return elements[name] || name == "Promise" && returnsElement(n.First)
	case dts.ImportType:
		return elements[lastOf(n.Text)]
	}
	return false
}

// propsOf returns the type of the props of a function, with type parameters bound to their
// defaults or constraints. ok is false for a function that is not a component.
func (e *evaluator) propsOf(f call) (props typeRef, ok bool) {
	list := slices.DeleteFunc(params(f.node), func(p *dts.Node) bool { return p.Text == "this" })
	if len(list) == 2 && list[1].Type() != nil && list[0].Type() != nil && isSvelteInternals(list[0].Type()) {
		list = list[1:]
	} else if !returnsElement(f.node.Type()) {
		return typeRef{}, false
	}
	in := f.context
	if f.node.Child(dts.TypeParam) != nil {
		in.env = e.r.memo.append(e.bind(decl{f.node, in.scope}, nil, typeRef{}), in.env)
	}
	switch {
	case len(list) == 0:
		return typeRef{node: &dts.Node{Kind: dts.TypeLiteral}, scope: in.scope}, true
	case len(list) > 2 || list[0].Type() == nil || list[0].Has(dts.FlagRest):
		return typeRef{}, false
	}
	return in.at(list[0].Type()), true
}

// isSvelteInternals reports whether a type is that of the first parameter of Svelte's
// components.
func isSvelteInternals(n *dts.Node) bool {
	return (n.Kind == dts.Ref || n.Kind == dts.ImportType) && lastOf(n.Text) == "ComponentInternals"
}

// componentClass is componentOf for values that new makes instances of.
func (e *evaluator) componentClass(value typeRef) (c component, ok bool) {
	made := e.constructed(value, typeRef{node: &dts.Node{Kind: dts.Ref}, scope: value.scope})
	if len(made) == 0 {
		return component{}, false
	}
	instance := allOf(made)
	if len(made) == 1 {
		instance = e.asInstance(made[0])
	}
	set, _ := e.props(instance)
	get := func(name string) (typeRef, bool) { return e.propType(instance, set.get(name)) }
	if props, ok := get("$$prop_def"); ok {
		return component{props: props}, true
	}
	if set.get("setState") == nil || set.get("render") == nil {
		return component{}, false
	}
	props, ok := get("props")
	return component{props: props}, ok
}

// asInstance returns the instance type of a class with its type parameters bound to their
// defaults.
func (e *evaluator) asInstance(t typeRef) typeRef {
	if t.node == nil && t.sym != nil && len(t.sym.decls) > 0 {
		d := t.sym.decls[0]
		return typeRef{node: &dts.Node{Kind: dts.Ref, Text: t.sym.name}, scope: d.scope, sym: t.sym}
	}
	return t
}

// takenProp is a prop of a component, with the type of the object that has it.
type takenProp struct {
	*prop
	object typeRef
	// partly is true if only some of the objects that the component takes have it.
	partly bool
}

// taken lists the props of a component. Of a union of objects, it lists those of each.
func (e *evaluator) taken(object typeRef) []takenProp {
	parts, known := e.parts(object)
	if !known || len(parts) == 0 || len(parts) > maxDistributed {
		parts = []typeRef{object}
	}
	var all []takenProp
	index := map[string]int{}
	count := map[string]int{}
	for i, part := range parts {
		set, _ := e.props(part)
		e.spend(len(set.order))
		for _, p := range set.order {
			count[p.name]++
			at, known := index[p.name]
			if !known {
				index[p.name] = len(all)
				all = append(all, takenProp{prop: p, object: part, partly: i > 0})
				continue
			}
			if one := all[at].prop; one != p && !p.never() {
				if one.never() {
					all[at].prop, all[at].object = p, part
					continue
				}
				both := props{order: []*prop{one}}
				both.merge(p, true)
				all[at].prop = both.order[0]
			}
		}
	}
	for i := range all {
		all[i].partly = count[all[i].name] < len(parts)
	}
	return all
}

// never reports whether a prop must not be given: a?: never.
func (p *prop) never() bool {
	t := p.decls[0].node.Type()
	return t != nil && t.Kind == dts.Keyword && (t.Text == "never" || t.Text == "undefined")
}

// frameworks are the packages that declare the attributes of elements and what every
// component of their framework has.
func isFramework(p *pkg) bool {
	switch p.Name {
	case "@types/react", "react", "@types/react-dom", "csstype", "preact", "solid-js", "vue", "@vue/runtime-dom", "@vue/runtime-core", "@vue/shared", "@vue/reactivity",
		"svelte", "svelte-html", "typescript", "@types/prop-types":
		return true
	}
	return false
}

// isOwn reports whether a prop is declared outside of the frameworks and TypeScript's
// library.
func (r *Reader) isOwn(p *prop) bool {
	return slices.ContainsFunc(p.decls, func(d decl) bool { return !isFramework(d.scope.mod.pkg) && !r.isLib(d.scope.mod) })
}

// mayBeComponent reports whether a name is one that users of a component would write.
func mayBeComponent(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// component adds to a value what it takes as a component: its own props, required ones
// first. It leaves other values as they are.
func (w *documenter) component(out *apidoc.Symbol, t *symbol, decls []decl) {
	if w.exports == nil || w.r.componentSteps > maxAllComponentSteps {
		return
	}
	name := lastOf(out.Path)
	if name == "default" || name == "export=" {
		name = declaredName(t)
	}
	if !mayBeComponent(name) {
		return
	}
	e := w.r.short(maxComponentSteps)
	before := e.steps
	defer func() { w.r.componentSteps += e.steps - before }()
	value, ok := valueOf(t, decls)
	if !ok {
		return
	}
	c, ok := e.componentOf(value)
	if !ok {
		return
	}
	parts := w.parts(&e, out, value, t)
	w.takes(&e, out, c)
	out.Members = append(out.Members, parts...)
}

// propDoc adds the comment of a prop: that of its own declarations or, if these have none, of
// the others and of what it overrides.
func (w *documenter) propDoc(m *apidoc.Symbol, p *prop, own []decl) {
	if w.doc(m, own) || w.doc(m, p.decls) {
		return
	}
	for q, depth := p.base, 0; q != nil && depth < 20; q, depth = q.base, depth+1 {
		if w.doc(m, q.decls) {
			return
		}
	}
}

// valueOf returns the type of a value that may be a component. ok is false for other
// symbols.
func valueOf(t *symbol, decls []decl) (value typeRef, ok bool) {
	if v, ok := valueType(t); ok {
		return v, true
	}
	for _, d := range decls {
		switch d.node.Kind {
		case dts.Function, dts.Method:
			return typeRef{node: d.node, scope: d.scope}, true
		case dts.Class:
			if d.node.Child(dts.Extends) == nil {
				return typeRef{}, false
			}
			return typeRef{node: &dts.Node{Kind: dts.TypeQuery, Text: d.node.Text, Pos: d.node.Pos}, scope: d.scope}, d.node.Text != ""
		}
	}
	return typeRef{}, false
}

// takes replaces the members of a component by its props and what else its users deal
// with.
func (w *documenter) takes(e *evaluator, out *apidoc.Symbol, c component) {
	out.Members = nil
	all := e.taken(c.props)
	var own []takenProp
	rest := newInheritedProps()
	for _, p := range all {
		switch {
		case w.r.isOwn(p.prop):
			if !p.never() {
				own = append(own, p)
			}
		default:
			rest.add(e, p)
		}
	}
	slices.SortStableFunc(own, func(a, b takenProp) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range own[:min(len(own), maxProps)] {
		w.prop(e, out, p, apidoc.Prop)
	}
	out.Unlisted = rest.String()
}

// rank sorts props: required ones, then others.
func rank(p takenProp) int {
	switch {
	case !p.partly && !p.optional():
		return 0
	case len(p.name) > 0 && (p.name[0] == '_' || strings.HasPrefix(p.name, "data-") || strings.HasPrefix(p.name, "aria-")):
		return 2
	}
	return 1
}

// prop adds one prop to a component.
func (w *documenter) prop(e *evaluator, out *apidoc.Symbol, p takenProp, kind apidoc.Kind) {
	if !w.r.meter.Step(symbolSteps) {
		return
	}
	w.r.symbols++
	out.Members = append(out.Members, apidoc.Symbol{})
	m := &out.Members[len(out.Members)-1]
	own := w.r.ownDecls(p.prop)
	m.Path, m.Kind = w.path(out.Path+".", p.name), kind
	m.Signature = e.propSignature(p)
	w.refer(m, own)
	m.File, m.Line = w.place(own[0])
	w.propDoc(m, p.prop, own)
	if pkg := own[0].scope.mod.pkg; !w.exports.packages[pkg] {
		m.From = pkg.Name
	}
}
