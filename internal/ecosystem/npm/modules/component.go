package modules

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

const (
	// maxComponentSteps is the maximum number of steps for one component, and maxAllComponentSteps
	// is the maximum for all components of a package together.
	maxComponentSteps    = 120_000
	maxAllComponentSteps = 6_000_000
	// maxProps is the maximum number of props that are listed for one component. After
	// maxAllProps in total for a package, only fewProps are listed for each component.
	maxProps    = 320
	maxAllProps = 40_000
	fewProps    = 30
)

// component describes a value that is a component: the types of its props, events and so on.
type component struct {
	// props is the type of the object that contains its props.
	props typeRef
	// events, slots and exposed are types whose members are the events, the slots and the members
	// that are available through a reference. Each is unknown if there are none. defaults is a type
	// that contains the props with a default.
	events, slots, exposed, defaults typeRef
	vue                              bool
	// generic is true if props is the type of a property of the component's instances.
	generic bool
}

// componentOf describes a value that is a component: a function from props to an element, a
// class whose instances have props, or an object that its framework declares to be a
// component. ok is false for other values.
func (e *evaluator) componentOf(value typeRef) (c component, ok bool) {
	if c, ok := e.vueFunction(value); ok {
		return c, true
	}
	calls := e.calls(value, 0)
	loose := len(calls) > 0 && e.isMarked(value)
	for _, f := range slices.Backward(calls) {
		if props, ok := e.propsOf(f, loose); ok {
			return component{props: props}, true
		}
	}
	if len(calls) > 0 {
		return component{}, false
	}
	if props, ok := e.propsByName(value); ok {
		return component{props: props}, true
	}
	return e.componentClass(value)
}

// wrappers are React's types whose first type argument is the type of a component's props.
var wrappers = map[string]bool{
	"FC": true, "FunctionComponent": true, "VFC": true, "ComponentType": true, "ComponentClass": true, "ExoticComponent": true, "NamedExoticComponent": true,
	"ForwardRefExoticComponent": true, "ForwardRefRenderFunction": true, "ProviderExoticComponent": true,
}

// propsByName returns the type of the props of a component whose type is recognized as one of
// React's by name, because React's types are not installed. ok is false for other values.
func (e *evaluator) propsByName(value typeRef) (props typeRef, ok bool) {
	if class := e.classOf(value); class != nil {
		for _, d := range class.decls {
			h := d.node.Child(dts.Extends)
			if h == nil || !h.Base().Is(dts.Ref) || !h.Base().HasArgs() || d.node.Kind != dts.Class {
				continue
			}
			name := lastOf(h.Base().Text)
			if (name == "Component" || name == "PureComponent") && e.r.target(e.r.entity(d.scope, h.Base().Text, valueMeaning)) == nil {
				return typeRef{node: h.Base().Arg(0), scope: d.scope, env: e.bind(d, nil, typeRef{})}, true
			}
		}
		return typeRef{}, false
	}
	t, sym := e.namedBy(value)
	if t.node == nil || sym != nil || t.node.Kind != dts.Ref && t.node.Kind != dts.ImportType {
		return typeRef{}, false
	}
	if t.node.HasArgs() && wrappers[lastOf(t.node.Text)] {
		return t.at(t.node.Arg(0)), true
	}
	return typeRef{}, false
}

// classOf returns the class that a value refers to, or nil if the value is not a class.
func (e *evaluator) classOf(value typeRef) *symbol {
	if value.node == nil || value.node.Kind != dts.TypeQuery {
		return nil
	}
	if sym := e.r.target(e.r.entity(value.scope, value.node.Text, valueMeaning)); sym != nil && isClass(sym) {
		return sym
	}
	return nil
}

// call is a call signature with its context.
type call struct {
	node    *dts.Node
	context typeRef
	part    int // the number of the part of a union to which it belongs
}

// calls lists the call signatures of a value. An intersection has the signatures of all its
// parts.
func (e *evaluator) calls(value typeRef, depth int) (all []call) {
	if depth > maxNesting {
		return nil
	}
	t := e.shape(value)
	switch {
	case t.sym != nil && !isClass(t.sym):
		return e.callsOfInterface(t, depth)
	case t.sym != nil:
	case t.compound != nil && t.compound.all:
		for _, p := range t.compound.parts {
			all = append(all, e.calls(p, depth+1)...)
		}
	case t.node == nil:
	default:
		switch n := t.node; n.Kind {
		case dts.FuncType, dts.Method, dts.Function:
			all = append(all, call{node: n, context: t})
		case dts.TypeLiteral:
			for c := range n.All(dts.CallSig) {
				all = append(all, call{node: c, context: t})
			}
		case dts.Intersection:
			for c := range n.Children() {
				all = append(all, e.calls(t.at(c), depth+1)...)
			}
		case dts.TypeQuery:
			if sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym != nil {
				all = e.callsOfFunction(sym, t)
			}
		case dts.ImportType:
			if sym := e.importSymbol(t); sym != nil && n.Has(dts.FlagTypeof) {
				all = e.callsOfFunction(sym, t)
			}
		}
	}
	return all
}

// callsOfInterface lists the call signatures of an interface and of the interfaces that it extends.
func (e *evaluator) callsOfInterface(t typeRef, depth int) (all []call) {
	for _, d := range t.sym.decls {
		if d.node.Kind != dts.Interface {
			continue
		}
		in := typeRef{scope: d.scope}
		if t.node != nil {
			in.env = e.bind(d, t.node, t)
		}
		for c := range d.node.All(dts.CallSig) {
			all = append(all, call{node: c, context: in})
		}
		if h := d.node.Child(dts.Extends); h != nil {
			for b := range h.Children() {
				all = append(all, e.calls(in.at(b), depth+1)...)
			}
		}
	}
	return all
}

// callsOfFunction lists the signatures of a declared function. query is the type that refers
// to it, possibly with type arguments.
func (e *evaluator) callsOfFunction(sym *symbol, query typeRef) (all []call) {
	for _, d := range visible(sym.decls) {
		if d.node.Kind != dts.Function && d.node.Kind != dts.Method {
			continue
		}
		in := typeRef{scope: d.scope}
		if query.node.HasArgs() {
			in.env = e.bind(d, query.node, query)
		}
		all = append(all, call{node: d.node, context: in})
	}
	return all
}

// returnType evaluates ReturnType<T> of TypeScript's library. ok is false for other types and
// if the result is unknown.
func (e *evaluator) returnType(t typeRef) (result typeRef, ok bool) {
	n := t.node
	if n.Text != "ReturnType" || !n.HasArgs() || e.r.lookup(t.scope, n.Text, typeMeaning) != nil || !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	return e.resultOf(t.at(n.Arg(0)))
}

// resultOf returns the result of the last call signature of a function type. ok is false if
// the result is unknown.
func (e *evaluator) resultOf(f typeRef) (result typeRef, ok bool) {
	all := e.calls(f, 0)
	if len(all) == 0 {
		return typeRef{}, false
	}
	last := all[len(all)-1]
	if last.node.Type() == nil {
		return typeRef{}, false
	}
	in := last.context
	if p := last.node.Child(dts.TypeParam); p == nil || in.env.find(p.Text) == nil {
		in = e.erased(last.node, in)
	}
	return in.at(last.node.Type()), true
}

// elements are the names of the types that components return in React, Preact, Solid, Vue and other
// frameworks.
var elements = map[string]bool{
	"Element": true, "ReactElement": true, "ReactNode": true, "ReactPortal": true, "JSXElement": true, "VNode": true, "VNodeChild": true,
	"ComponentChild": true, "ComponentChildren": true, "DetailedReactHTMLElement": true, "FunctionComponentElement": true, "ReactSVGElement": true,
	"DOMElement": true, "CElement": true, "ReactHTMLElement": true, "HtmlEscapedString": true,
}

// isMarked reports whether a value has a property that only React components have.
func (e *evaluator) isMarked(value typeRef) bool {
	set, _ := e.props(value)
	return set.get("displayName") != nil || set.get("propTypes") != nil || set.get("$$typeof") != nil
}

// isElement reports whether the result of a function is declared as an element, as a union
// that contains one, or as null.
func (e *evaluator) isElement(t typeRef, depth int) bool {
	if t.node == nil || depth > maxNesting {
		return false
	}
	switch n := t.node; n.Kind {
	case dts.Paren:
		return e.isElement(t.at(n.Inner()), depth+1)
	case dts.Union:
		for c := range n.Children() {
			if e.isElement(t.at(c), depth+1) {
				return true
			}
		}
	case dts.Intersection:
		return e.isElement(t.at(n.Inner()), depth+1)
	case dts.Literal:
		return n.Text == "null"
	case dts.Ref:
		switch name := lastOf(n.Text); {
		case elements[name]:
			return true
		case name == "Promise" && n.HasArgs():
			return e.isElement(t.at(n.Arg(0)), depth+1)
		case name == "ReturnType" && n.HasArgs():
			result, ok := e.resultOf(t.at(n.Arg(0)))
			return ok && e.isElement(result, depth+1)
		}
	case dts.ImportType:
		return elements[lastOf(n.Text)]
	}
	return false
}

// propsOf returns the type of the props of a function, with type parameters bound to their
// defaults or constraints. ok is false for a function that is not a component.
// The result of the function may be any if anyResult is true.
func (e *evaluator) propsOf(f call, anyResult bool) (props typeRef, ok bool) {
	list := slices.DeleteFunc(params(f.node), func(p *dts.Node) bool { return p.Text == "this" })
	in := f.context
	if len(list) == 2 && list[1].Type() != nil && list[0].Type() != nil && isSvelteInternals(list[0]) {
		list = list[1:]
	} else if result := in.at(f.node.Type()); !e.isElement(result, 0) && !(anyResult && isAny(result)) {
		return typeRef{}, false
	}
	in.env = e.byDefault(f.node, in)
	switch {
	case len(list) == 0:
		return typeRef{node: &dts.Node{Kind: dts.TypeLiteral}, scope: in.scope}, true
	case len(list) > 2 && list[0].Text != "__VLS_props" || list[0].Type() == nil || list[0].Has(dts.FlagRest):
		return typeRef{}, false
	}
	if list[0].Text == "__VLS_props" {
		inner := e.inside(f.node, f.context) // The type of one parameter may refer to another one.
		in.scope = inner.scope
	}
	return in.at(list[0].Type()), true
}

// byDefault binds the type parameters of a signature to their defaults or else to their
// constraints, which may refer to the type parameters of the enclosing interface. A default without values, as in
// Name extends string = never, stands for an argument that is inferred.
func (e *evaluator) byDefault(n *dts.Node, context typeRef) *env {
	out := context.env
	for p := range n.All(dts.TypeParam) {
		var constraint, val typeRef
		inferred := false
		for c := range p.Children() {
			t := typeRef{node: c, scope: context.scope, env: out}
			switch {
			case !c.Has(dts.FlagDefault):
				constraint = t
			case isUndefined(t) || c.Is(dts.Keyword) && c.Text == "never":
				inferred = true
			default:
				val = t
			}
		}
		if val.unknown() {
			val = constraint
		}
		if val.unknown() && inferred {
			val = typeRef{node: dts.New(dts.Keyword, "unknown")}
		}
		out = e.r.memo.bind(p.Text, val, out)
	}
	return out
}

// isSvelteInternals reports whether p is the first parameter of a Svelte component, its internals.
func isSvelteInternals(p *dts.Node) bool {
	n := p.Type()
	if n.Kind == dts.Keyword {
		return p.Text == "internal" && n.Text == "unknown"
	}
	return (n.Kind == dts.Ref || n.Kind == dts.ImportType) && lastOf(n.Text) == "ComponentInternals"
}

// componentClass is like componentOf, for values that can be instantiated with new.
func (e *evaluator) componentClass(value typeRef) (c component, ok bool) {
	parts := e.constructed(value, typeRef{node: &dts.Node{Kind: dts.Ref}, scope: value.scope})
	if len(parts) == 0 {
		return component{}, false
	}
	if c, ok := e.vueComponent(parts); ok {
		return c, true
	}
	instance := allOf(parts)
	if len(parts) == 1 {
		instance = e.asInstance(parts[0])
	}
	set, _ := e.props(instance)
	get := func(name string) (typeRef, bool) { return e.propType(instance, set.get(name)) }
	if props, ok := get("$$prop_def"); ok {
		c.props = props
		c.events, _ = get("$$events_def")
		c.slots, _ = get("$$slot_def")
		return c, true
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

// acceptedProp is a prop that a component accepts, with the type of the object that declares it.
type acceptedProp struct {
	*prop
	object typeRef
	// partly is true if only some of the objects that the component accepts have the prop.
	partly bool
}

// taken lists the props of a component. For a union of objects, it lists the props of each object.
func (e *evaluator) taken(object typeRef, depth int) []acceptedProp {
	t := e.shape(object)
	if t.unknown() {
		t = object // describe the type without deciding conditions
	}
	if depth > 2*maxNesting || !e.enter() {
		return nil
	}
	defer e.leave()
	var parts []typeRef
	switch {
	case t.compound != nil && t.compound.all:
		parts = t.compound.parts
	case t.sym == nil && t.node != nil && t.node.Kind == dts.Intersection:
		for c := range t.node.Children() {
			parts = append(parts, t.at(c))
		}
	case t.compound != nil || t.sym == nil && t.node != nil && t.node.Kind == dts.Union:
		if all, ok := e.parts(t); ok && len(all) > 1 && len(all) <= maxDistributed {
			return e.acceptedByEither(all, depth)
		}
	}
	if parts == nil {
		set, _ := e.props(t)
		e.spend(len(set.order))
		all := make([]acceptedProp, len(set.order))
		for i, p := range set.order {
			all[i] = acceptedProp{prop: p, object: t}
		}
		return all
	}
	// Literals are listed even if the other parts take all steps.
	lists := make([][]acceptedProp, len(parts))
	for _, literal := range []bool{true, false} {
		for i, part := range parts {
			if part.node.Is(dts.TypeLiteral) == literal {
				lists[i] = e.taken(part, depth+1)
			}
		}
	}
	var out acceptedProps
	for _, more := range lists {
		if len(out.all) == 0 {
			out.all = more
			continue
		}
		for _, p := range more {
			out.merge(p, false)
		}
	}
	return out.all
}

// acceptedByEither lists the props of the objects in a union.
func (e *evaluator) acceptedByEither(objects []typeRef, depth int) []acceptedProp {
	var out acceptedProps
	count := map[string]int{}
	for _, o := range objects {
		for _, p := range e.taken(o, depth+1) {
			count[p.name]++
			out.merge(p, true)
		}
	}
	for i := range out.all {
		out.all[i].partly = out.all[i].partly || count[out.all[i].name] < len(objects)
	}
	return out.all
}

// acceptedProps contains props by name, in order.
type acceptedProps struct {
	all   []acceptedProp
	index map[string]int
}

// merge adds a prop from another part of an intersection or a union.
func (x *acceptedProps) merge(p acceptedProp, union bool) {
	if x.index == nil {
		x.index = make(map[string]int, len(x.all)+few)
		for i := range x.all {
			x.index[x.all[i].name] = i
		}
	}
	i, known := x.index[p.name]
	if !known {
		x.index[p.name] = len(x.all)
		x.all = append(x.all, p)
		return
	}
	one := &x.all[i]
	required := !one.partly && !one.optional() || !p.partly && !p.optional()
	switch {
	case one.prop == p.prop:
	case union && p.never():
		one.partly = one.partly || p.optional()
	case union && one.never():
		one.partly = one.partly || one.optional()
		one.prop, one.object = p.prop, p.object
	default:
		both := props{order: []*prop{one.prop}}
		both.merge(p.prop, union)
		one.prop = both.order[0]
	}
	if union {
		one.partly = one.partly || p.partly
	} else {
		one.partly = (one.partly || p.partly) && !required
	}
}

// never reports whether a prop must not be passed, as in a?: never.
func (p *prop) never() bool {
	for i, q := range p.merged {
		never := q.never()
		if never != p.either || i == len(p.merged)-1 {
			return never
		}
	}
	t := p.decls[0].node.Type()
	if p.retyped {
		t = p.typ.node
	}
	return t != nil && t.Kind == dts.Keyword && (t.Text == "never" || t.Text == "undefined")
}

// isFramework reports whether a package is a framework, which declares the attributes of
// elements and the props that all of its components have.
func isFramework(p *pkg) bool {
	switch p.Name {
	case "@types/react", "react", "@types/react-dom", "csstype", "preact", "solid-js", "vue", "@vue/runtime-dom", "@vue/runtime-core", "@vue/shared", "@vue/reactivity",
		"svelte", "svelte-html", "typescript", "@types/prop-types":
		return true
	}
	return false
}

// isOwn reports whether a prop is declared or narrowed outside frameworks and TypeScript's library.
func (r *Reader) isOwn(p *prop) bool {
	return p.isNarrowed(0) || slices.ContainsFunc(p.decls, func(d decl) bool { return !isFramework(d.scope.mod.pkg) && !r.isLib(d.scope.mod) })
}

// mayBeComponent reports whether a name looks like the name of a component.
func mayBeComponent(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// component adds the component's own props, required ones first, to a value that is a
// component. It does not change other values.
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
	var key likeness
	if s := e.shape(value); s.node != nil && s.node.Kind >= dts.Keyword && s.env == nil && s.scope != nil && len(out.Members) == 0 {
		if key = (likeness{s.scope, s.node.String(), w.r.componentProps > maxAllProps}); w.sameComponent(out, key) {
			out.Signature = w.frameworkType(&e, out.Signature, value)
			return
		}
	}
	c, ok := e.componentOf(value)
	if !ok {
		w.holdsParts(&e, out, value, t)
		return
	}
	out.Signature = w.frameworkType(&e, out.Signature, value)
	parts := w.parts(&e, out, value, t, !c.vue) // The other properties of Vue components are their options.
	w.takes(&e, out, c)
	propParameters(out)
	out.Members = append(out.Members, parts...)
	if key.text != "" && len(parts) == 0 {
		if w.alike == nil {
			w.alike = map[likeness]apidoc.Symbol{}
		}
		w.alike[key] = *out
	}
}

// likeness identifies the components of a file whose types have the same text, such as icons.
type likeness struct {
	scope *scope
	text  string
	few   bool // whether only fewProps of the props are listed
}

// sameComponent copies the props of another component with the same type. It reports whether
// there is one.
func (w *documenter) sameComponent(out *apidoc.Symbol, key likeness) bool {
	known, ok := w.alike[key]
	if !ok {
		return false
	}
	out.Unlisted = known.Unlisted
	out.Members = slices.Clone(known.Members)
	for i := range out.Members {
		m := &out.Members[i]
		m.Path = w.path(out.Path+".", m.Path[len(known.Path)+1:])
	}
	w.r.componentProps += len(out.Members)
	return true
}

// propDoc adds the comment of a prop: the comment of decls, which are its own declarations, or of the
// other declarations and of the props that it overrides.
func (w *documenter) propDoc(m *apidoc.Symbol, p *prop, decls []decl) {
	tags := false
	if w.inheritedDoc(m, decls, &tags) {
		return
	}
	rest := slices.DeleteFunc(slices.Clone(p.decls), func(d decl) bool { return slices.Contains(decls, d) })
	if w.inheritedDoc(m, rest, &tags) {
		return
	}
	for q, depth := p.base, 0; q != nil && depth < 20; q, depth = q.base, depth+1 {
		if w.inheritedDoc(m, visible(q.decls), &tags) {
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
	for _, d := range slices.Backward(visible(decls)) { // The last overload declares the props, as React.ComponentProps says.
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

// takes replaces the members of a component with its props, events, slots and so on.
func (w *documenter) takes(e *evaluator, out *apidoc.Symbol, c component) {
	out.Members = nil
	all := e.taken(c.props, 0)
	events := e.emitted(c.events)
	listeners := map[string]bool{}
	for _, v := range events {
		listeners[listener(v.name)] = true
	}
	var byDefault props
	if !c.defaults.unknown() {
		byDefault, _ = e.props(c.defaults)
	}
	var local []acceptedProp
	rest := &inheritedProps{count: map[string]int{}}
	for _, p := range all {
		p.partly = p.partly || byDefault.get(p.name) != nil
		switch {
		case c.vue && (isSlotProp(p.name) || listeners[p.name]):
		case w.r.isOwn(p.prop):
			if !p.never() {
				local = append(local, p)
			}
		default:
			rest.add(e, p)
		}
	}
	ranks := w.ranks(out, local)
	slices.SortStableFunc(local, func(a, b acceptedProp) int { return cmp.Compare(ranks.of(a), ranks.of(b)) })
	maximum := maxProps
	if w.r.componentProps > maxAllProps {
		maximum = fewProps
	}
	for _, p := range local[:min(len(local), maximum)] {
		w.prop(e, out, p, apidoc.Prop)
		if n := len(out.Members); n > 0 && ranks.of(p) == rankOfMany && out.Members[n-1].From == "" {
			out.Members[n-1].From = p.owner.name
		}
	}
	if n := len(local) - maximum; n > 0 {
		rest.more(n, local[maximum:])
	}
	w.r.componentProps += len(out.Members)
	for _, v := range events[:min(len(events), maxProps)] {
		w.prop(e, out, v, apidoc.Event)
	}
	for _, slot := range w.ownProps(e, c.slots) {
		w.prop(e, out, slot, apidoc.Slot)
	}
	for _, x := range w.ownProps(e, c.exposed) {
		w.prop(e, out, x, apidoc.Exposed)
	}
	out.Unlisted = rest.String()
}

// ownProps lists the known members of a type that are not declared by frameworks.
func (w *documenter) ownProps(e *evaluator, t typeRef) []acceptedProp {
	if t.unknown() || !e.isObject(t, 0) {
		return nil
	}
	local := slices.DeleteFunc(e.taken(t, 0), func(p acceptedProp) bool { return !w.r.isOwn(p.prop) })
	return local[:min(len(local), maxProps)]
}

// prop adds one prop to a component.
func (w *documenter) prop(e *evaluator, out *apidoc.Symbol, p acceptedProp, kind apidoc.Kind) {
	if !w.r.meter.Step(symbolSteps) {
		return
	}
	out.Members = append(out.Members, apidoc.Symbol{})
	m := &out.Members[len(out.Members)-1]
	decls := w.r.ownDecls(p.prop)
	m.Path, m.Kind = w.path(out.Path+".", p.name), kind
	m.Signature = w.propSignature(e, p, decls)
	w.refer(m, decls)
	m.File, m.Line = w.place(decls[0])
	w.propDoc(m, p.prop, decls)
	if from := w.declarer(p.prop); from != nil {
		m.From = from.Name
	}
}
