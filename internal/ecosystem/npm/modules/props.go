package modules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// evaluator evaluates types. Because types can be infinite, it limits its steps.
type evaluator struct {
	r     *Reader
	steps int
	depth int
	cut   int // number of times that a limit was reached
	// guesses is the number of conditions in which objects or functions were compared
	// only in part.
	guesses int
	// chooses is true if generic aliases are replaced with the types that their conditions choose.
	chooses bool
	partial map[*symbol]partial // lists of members that were cut off by a limit
}

// short returns an evaluator that stops after fewer steps.
func (r *Reader) short(steps int) evaluator { return evaluator{r: r, steps: maxSteps - steps} }

const (
	maxSteps     = 400_000    // maximum steps for the members of one symbol
	maxAliasStep = 20_000     // maximum steps for the members of a union, a condition or a generic alias
	maxTextSteps = 1_000      // maximum steps for writing the type of one member
	maxAllSteps  = 50_000_000 // maximum steps for a package
	maxTypeDepth = 100        // maximum nesting of types
	maxCuts      = 1_000      // maximum number of times that an evaluation may reach a limit
)

func (e *evaluator) enter() bool {
	if e.depth == 0 {
		e.r.memo.forget()
	}
	e.steps++
	e.r.steps++
	if e.steps > maxSteps || e.depth >= maxTypeDepth || e.cut > maxCuts || e.r.steps > maxAllSteps || !e.r.meter.Step(evaluatorSteps) || e.r.steps%4096 == 0 && !e.r.check() {
		e.cut++
		return false
	}
	e.depth++
	return true
}

func (e *evaluator) leave() { e.depth-- }

// evaluatorSteps is the number of steps counted for one step of an evaluator, in which
// it lists parts or members.
const evaluatorSteps = 24

// spend counts members as steps. Eight members are one step.
func (e *evaluator) spend(members int) {
	e.steps += members / 8
	e.r.steps += members / 8
	e.r.meter.Step(members / 8)
}

// valueType returns the type of a variable or property. It returns false if the type
// is unknown.
func valueType(s *symbol) (typeRef, bool) {
	if !s.typ.unknown() {
		return s.typ, true
	}
	for _, d := range s.decls {
		switch d.node.Kind {
		case dts.Variable, dts.Property, dts.Getter, dts.Param:
			if t := d.node.Type(); t != nil {
				return typeRef{node: t, scope: d.scope}, true
			}
		case dts.ExportDefault, dts.ExportEquals:
			if v := d.node.Value(); v.Is(dts.Expression) && v.Callee() != nil {
				return typeRef{node: v.Callee(), scope: d.scope}, true
			}
		}
	}
	return typeRef{}, false
}

// propertySymbol returns a property of a value as a symbol, or nil if there is none.
func (r *Reader) propertySymbol(sym *symbol, name string) *symbol {
	e := evaluator{r: r}
	var set props
	t, typed := valueType(sym)
	p := declaredStatic(sym, name)
	switch {
	case p != nil:
	case isClass(sym):
		set = e.members(sym).statics
	case typed:
		set, _ = e.props(t)
	}
	if p == nil {
		p = set.get(name)
	}
	if p == nil {
		return nil
	}
	out := &symbol{name: name, decls: p.decls}
	if typed {
		if v, ok := e.propType(t, p); ok {
			out.typ = v
		}
	}
	return out
}

// declaredStatic returns a static member that the class itself declares, or nil if
// there is none. It does not list the members of the class, because they may depend on
// this member if it is used as the name of another member.
func declaredStatic(sym *symbol, name string) *prop {
	p := &prop{name: name, owner: sym}
	for _, d := range sym.decls {
		if d.node.Kind != dts.Class {
			continue
		}
		for n := range d.node.Children() {
			if n.IsMember() && n.Has(dts.FlagStatic) && !n.Has(dts.FlagPrivate) && n.Name() == name {
				p.decls = append(p.decls, decl{n, d.scope})
			}
		}
	}
	if len(p.decls) == 0 {
		return nil
	}
	return p
}

// symbolOf returns the class or interface that a reference refers to, or nil.
func (e *evaluator) symbolOf(t typeRef) *symbol {
	if t.node == nil || t.node.Kind != dts.Ref {
		return t.sym
	}
	if _, param := t.env.get(t.node.Text); param {
		return nil
	}
	if utility(t.node.Text) && e.r.lookup(t.scope, t.node.Text, typeMeaning) == nil {
		return nil
	}
	return e.r.target(e.r.entity(t.scope, t.node.Text, typeMeaning))
}

func (e *evaluator) findProps(t typeRef) (props, bool) {
	if !e.enter() {
		return props{}, false
	}
	defer e.leave()
	if t.node == nil {
		switch {
		case t.compound != nil && t.compound.all:
			return e.all(t.compound.parts)
		case t.compound != nil:
			return e.common(t)
		case t.sym == nil:
			return props{}, t.isLit
		}
		return e.members(t.sym).props, e.lists(t.sym)
	}
	switch n := t.node; n.Kind {
	case dts.Ref:
		return e.reference(t)
	case dts.Paren:
		return e.props(t.at(n.Inner()))
	case dts.Operator:
		if n.Text != "readonly" {
			return props{}, true
		}
		operand := n.Inner().Unparen()
		if operand.Kind == dts.Array || operand.Kind == dts.Tuple {
			return e.listProps(t.at(operand), "ReadonlyArray")
		}
		return e.props(t.at(operand))
	case dts.TypeLiteral:
		var l memberList
		for m := range n.Children() {
			if m.IsMember() {
				e.member(&l, m, t.scope, nil)
			}
		}
		for _, p := range l.props.order {
			p.env = t.env
		}
		return l.props, true
	case dts.Intersection:
		if all, ok := e.parts(t); ok && len(all) > 0 && all[0].compound != nil {
			return e.common(t)
		}
		var parts []typeRef
		for c := range n.Children() {
			parts = append(parts, t.at(c))
		}
		return e.all(parts)
	case dts.Union, dts.Conditional:
		return e.common(t)
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			return props{}, false
		}
		return e.valueProps(sym)
	case dts.ImportType:
		return e.importType(t)
	case dts.Mapped:
		if parts, ok := e.homomorphic(t); ok {
			return e.common(unionOf(parts))
		}
		return e.mapped(t)
	case dts.Indexed:
		if v, ok := e.indexed(t); ok {
			return e.props(v)
		}
		return e.common(t)
	case dts.Array, dts.Tuple:
		return e.listProps(t, "Array")
	}
	return props{open: isAny(t)}, true
}

// listProps evaluates the properties of an array or a tuple. The elements of a tuple
// before a rest element are named 0, 1 and so on. It returns false if they are
// unknown.
func (e *evaluator) listProps(t typeRef, element string) (props, bool) {
	sym := e.r.global(element, typeMeaning)
	var out props
	if t.node.Kind == dts.Tuple {
		i := 0
		for c := range t.node.Children() {
			if c.Kind == dts.Rest || c.Has(dts.FlagRest) {
				break
			}
			typ := c
			if c.Kind == dts.TupleMember || c.Kind == dts.Optional {
				typ = c.Inner()
			}
			p := made(strconv.Itoa(i), typ, t.scope)
			i++
			p.typ = t.at(typ)
			p.decls[0].node.Flags |= c.Flags & dts.FlagOptional
			if c.Kind == dts.Optional {
				p.decls[0].node.Flags |= dts.FlagOptional
			}
			out.add(p)
		}
	}
	if sym == nil {
		return out, false
	}
	list := e.members(sym).props
	if len(out.order) == 0 {
		return list, true
	}
	for _, p := range list.order {
		out.add(p)
	}
	return out, true
}

// valueProps evaluates the properties of a value: the static side of a class, the
// exports of a namespace, or the members of a variable's type. It returns false if
// they are unknown.
func (e *evaluator) valueProps(sym *symbol) (props, bool) {
	if isClass(sym) {
		return e.members(sym).statics, true
	}
	if v, ok := valueType(sym); ok {
		return e.props(v)
	}
	if values, ok := enumProps(sym); ok {
		return values, true
	}
	var inner []*symbol
	switch {
	case sym.namespaceOf != nil:
		inner = e.r.exportsOf(sym.namespaceOf)
	case sym.exports != nil:
		inner = sym.exports.order
	default:
		return props{}, false
	}
	var out props
	for _, s := range inner {
		if t := e.r.target(s); t != nil && len(t.decls) > 0 && t.meaning()&valueMeaning != 0 {
			out.add(&prop{name: s.name, decls: t.decls})
		}
	}
	return out, true
}

// enumProps returns the members of an enumeration.
func enumProps(sym *symbol) (props, bool) {
	var out props
	for _, d := range sym.decls {
		if d.node.Kind != dts.Enum {
			continue
		}
		for m := range d.node.Children() {
			out.add(&prop{name: m.Name(), decls: []decl{{m, d.scope}}})
		}
	}
	return out, len(out.order) > 0
}

// all evaluates an intersection. It returns false if the properties of a part are
// unknown.
func (e *evaluator) all(parts []typeRef) (props, bool) {
	// The properties of object literals are known even if the properties of other
	// parts are not.
	for _, t := range parts {
		if t.node != nil && t.node.Kind == dts.TypeLiteral {
			e.props(t)
		}
	}
	var out props
	known := true
	for _, t := range parts {
		p, ok := e.props(t)
		known = known && ok
		out.open = out.open || p.open
		e.spend(len(p.order))
		for _, x := range p.order {
			out.merge(x, false)
		}
	}
	return out, known
}

// common evaluates the properties that all parts of a union have. Each property has
// the declarations of all parts. It returns false if they are unknown.
func (e *evaluator) common(t typeRef) (props, bool) {
	parts, known := e.parts(t)
	var out props
	for i, part := range parts {
		p, ok := e.props(part)
		known = known && ok
		if i == 0 {
			out = p
			continue
		}
		both := props{open: out.open && p.open}
		e.spend(len(out.order))
		for _, x := range out.order {
			y := p.get(x.name)
			if y == nil && !p.open {
				continue
			}
			if both.add(x); y != nil {
				both.merge(y, true)
			}
		}
		for _, y := range p.order {
			if out.open && out.get(y.name) == nil {
				both.add(y)
			}
		}
		if out = both; len(out.order) == 0 && !out.open {
			break
		}
	}
	return out, known
}

// reference evaluates a named type. It returns false if the type is unknown.
func (e *evaluator) reference(t typeRef) (props, bool) {
	n := t.node
	if v, ok := t.env.get(n.Text); ok {
		if v.unknown() {
			return props{}, false
		}
		return e.props(v)
	}
	if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
		return e.utility(t)
	}
	if result, ok := e.returnType(t); ok {
		return e.props(result)
	}
	sym := e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
	if sym == nil {
		return props{}, false
	}
	return e.named(sym, t, n)
}

// named evaluates a symbol with type arguments. It returns false if its properties are
// unknown.
func (e *evaluator) named(sym *symbol, t typeRef, ref *dts.Node) (props, bool) {
	if set, known, ok := e.optionProps(sym, t, ref); ok {
		return set, known
	}
	for _, d := range sym.decls {
		if d.node.Kind == dts.TypeAlias {
			return e.props(typeRef{node: d.node.Type(), scope: d.scope, env: e.bind(d, ref, t)})
		}
	}
	return e.bound(e.instanceProps(sym, t, ref), typeRef{node: ref, scope: t.scope, env: t.env, sym: sym}), e.lists(sym)
}

// lists reports whether the members of a class or interface are known. Without exact, those that are known suffice.
func (e *evaluator) lists(sym *symbol) bool { return !e.r.exact || !e.members(sym).incomplete }

// bound binds the type parameters of a class or interface in the types of its properties. t is a
// reference to it.
func (e *evaluator) bound(set props, t typeRef) props {
	s := e.substitution(t)
	if s == nil {
		return set
	}
	var owner *symbol
	var known *env
	out := props{order: make([]*prop, len(set.order)), index: set.index, open: set.open, empty: set.empty}
	e.spend(len(set.order))
	for i, p := range set.order {
		if p.owner != t.sym {
			out.order[i] = s.prop(p)
			continue
		}
		out.order[i] = p
		if p.owner != owner || len(p.owner.decls) > 1 {
			owner, known = p.owner, e.envOf(p, t)
		}
		if known != nil {
			instance := *p
			instance.args, instance.rendered = known, renderedMember{}
			out.order[i] = &instance
		}
	}
	return out
}

// importType evaluates import("x").Y. It returns false if the type is unknown.
func (e *evaluator) importType(t typeRef) (props, bool) {
	sym := e.importSymbol(t)
	if sym == nil {
		return props{}, false
	}
	if t.node.Has(dts.FlagTypeof) {
		return e.valueProps(sym)
	}
	return e.named(sym, t, t.node)
}

func (e *evaluator) importSymbol(t typeRef) *symbol {
	if known := e.r.memo.imports[t.node]; known != nil {
		return known
	}
	m := e.r.moduleOf(t.scope.mod, t.node.Module().Name())
	if m == nil {
		return nil
	}
	sym := &symbol{namespaceOf: m}
	if m.equals != nil {
		sym = e.r.target(m.equals)
	}
	for name := range strings.SplitSeq(t.node.Text, ".") {
		if sym == nil || name == "" {
			break
		}
		sym = e.r.target(e.r.within(sym, name))
	}
	e.r.memo.imports[t.node] = sym
	return sym
}

// indexed evaluates T["x"]. It returns false if the type is unknown.
func (e *evaluator) indexed(t typeRef) (typeRef, bool) {
	access := t.node.Access()
	keys, ok := e.keys(t.at(access.Key))
	if !ok || len(keys) != 1 {
		return typeRef{}, false
	}
	value := t.at(access.Object)
	return e.property(value, keys[0])
}

// property evaluates one property of an object of type t. It returns false if the type
// is unknown.
func (e *evaluator) property(t typeRef, name string) (typeRef, bool) {
	switch n := t.node; {
	case n == nil:
	case n.Kind == dts.TypeQuery && e.isGlobalThis(t):
		sym := e.r.target(e.r.global(name, valueMeaning))
		if sym == nil {
			return typeRef{}, false
		}
		if v, ok := valueType(sym); ok {
			return v, true
		}
		return typeRef{node: &dts.Node{Kind: dts.TypeQuery, Text: n.Text + "." + name, Pos: n.Pos}, scope: t.scope}, true
	case n.Kind == dts.Mapped:
		// Evaluate only the requested property.
		if m := n.Mapping(); m.Value != nil && m.As == nil {
			v := t.at(m.Value)
			v.env = e.r.memo.bind(m.Param.Text, literalOf(name), t.env)
			return v, true
		}
	case n.Kind == dts.Intersection:
		if v, ok := e.propertyOfAll(t, name); ok {
			return v, true
		}
	case n.Kind == dts.Ref && n.Text == "Record" && n.Arg(1) != nil && e.r.lookup(t.scope, n.Text, typeMeaning) == nil:
		keys, known := e.keys(t.at(n.Arg(0)))
		if slices.Contains(keys, name) || !known && e.isString(e.shape(t.at(n.Arg(0)))) {
			return t.at(n.Arg(1)), true
		}
		return typeRef{}, false
	}
	if i, err := strconv.Atoi(name); err == nil {
		if v, ok := e.tupleElement(e.shape(t), i); ok {
			return v, true
		}
	}
	if name == "length" {
		if v, ok := e.tupleLength(e.shape(t)); ok {
			return v, !v.unknown()
		}
	}
	if parts, ok := e.parts(t); ok && len(parts) > 1 {
		if v, ok := e.propertyOfEach(parts, name); ok {
			return v, true
		}
	}
	set, _ := e.props(t)
	return e.propType(t, set.get(name))
}

// tupleLength returns the number of elements of a tuple, or the unknown type if a part of the tuple may have any number of
// them. ok is false if t is not a tuple.
func (e *evaluator) tupleLength(t typeRef) (length typeRef, ok bool) {
	if t.node == nil || t.node.Kind != dts.Tuple {
		return typeRef{}, false
	}
	n := 0
	for c := range t.node.Children() {
		if c.Kind == dts.Rest || c.Kind == dts.Optional || c.Flags&(dts.FlagRest|dts.FlagOptional) != 0 {
			return typeRef{}, true
		}
		n++
	}
	return typeRef{node: &dts.Node{Kind: dts.Literal, Text: strconv.Itoa(n)}}, true
}

// tupleElement returns the type of an element of a tuple. ok is false for other types, and if the element may be absent.
func (e *evaluator) tupleElement(t typeRef, i int) (element typeRef, ok bool) {
	if !t.node.Is(dts.Tuple) || i < 0 {
		return typeRef{}, false
	}
	for c := range t.node.Children() {
		if c.Kind == dts.Rest || c.Kind == dts.Optional || c.Flags&(dts.FlagRest|dts.FlagOptional) != 0 {
			break
		}
		if i--; i >= 0 {
			continue
		}
		if c.Kind == dts.TupleMember {
			c = c.Inner()
		}
		return t.at(c), true
	}
	return typeRef{}, false
}

// propertyOfEach evaluates a property that exists in all parts of a union.
func (e *evaluator) propertyOfEach(parts []typeRef, name string) (typeRef, bool) {
	all := make([]typeRef, 0, len(parts))
	for _, p := range parts {
		v, ok := e.property(p, name)
		if !ok {
			return typeRef{}, false
		}
		all = append(all, v)
	}
	return unionOf(all), true
}

// propertyOfAll evaluates a property of an intersection of Records. The result
// is never if the property is never in one of them.
func (e *evaluator) propertyOfAll(t typeRef, name string) (typeRef, bool) {
	if !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	var all []typeRef
	for c := range t.node.Children() {
		value := e.shape(t.at(c))
		if value.node == nil || value.node.Kind != dts.Ref || value.node.Text != "Record" {
			return typeRef{}, false
		}
		if v, ok := e.property(value, name); ok {
			if v.node != nil && v.node.Kind == dts.Keyword && v.node.Text == "never" {
				return unionOf(nil), true
			}
			all = append(all, v)
		}
	}
	return allOf(all), len(all) > 0
}

// propType returns the type of property p of an object of type t. It returns false if
// the type is unknown.
func (e *evaluator) propType(t typeRef, p *prop) (typeRef, bool) {
	switch {
	case p == nil:
		return typeRef{}, false
	case !p.typ.unknown():
		return p.typ, true
	case e.r.exact && len(p.merged) > 0:
		return e.mergedType(t, p)
	case p.decls[0].node.Kind == dts.Method || p.decls[0].node.Kind == dts.Function:
		if all := visible(p.decls); e.r.exact && len(all) > 1 {
			overloads := &compound{all: true}
			for _, d := range e.r.callOrder(all) {
				overloads.parts = append(overloads.parts, typeRef{node: d.node, scope: d.scope, env: e.envOf(p, t)})
			}
			return typeRef{compound: overloads}, true
		}
		// The type of a method is its declaration.
		return typeRef{node: p.decls[0].node, scope: p.decls[0].scope, env: e.envOf(p, t)}, true
	}
	typ, s := p.declaredType()
	if typ == nil {
		return typeRef{}, false
	}
	return typeRef{node: typ, scope: s, env: e.envOf(p, t)}, true
}

// mergedType returns the type of a property that several parts of an intersection or a union have.
func (e *evaluator) mergedType(t typeRef, p *prop) (typeRef, bool) {
	all := make([]typeRef, 0, len(p.merged))
	for _, part := range p.merged {
		v, ok := e.propType(t, part)
		if !ok {
			return typeRef{}, false
		}
		all = append(all, v)
	}
	if p.either {
		return unionOf(all), true
	}
	return allOf(all), true
}

// declaredType returns the type in the first declaration of a property. For an
// accessor, it is the type that the getter returns or, without a getter, the type
// that the setter takes. It returns nil if the declaration has no type.
func (p *prop) declaredType() (*dts.Node, *scope) {
	d := p.decls[0]
	if d.node.Kind != dts.Setter {
		return d.node.Type(), d.scope
	}
	if i := slices.IndexFunc(p.decls, isGetter); i >= 0 {
		return p.decls[i].node.Type(), p.decls[i].scope
	}
	if param := d.node.Child(dts.Param); param != nil {
		return param.Type(), d.scope
	}
	return nil, d.scope
}

// envOf binds the type parameters of the class or interface that declares a
// property of an object of type t.
func (e *evaluator) envOf(p *prop, t typeRef) *env {
	if p.owner == nil && p.env != nil {
		return p.env
	}
	context := e.shape(t)
	if p.owner == nil {
		return context.env
	}
	if context.node != nil && context.node.Kind == dts.TypeQuery && !isClass(p.owner) {
		context = e.shape(e.staticBase(context))
	}
	for _, d := range p.owner.decls {
		if d.scope != p.decls[0].scope || d.node.Kind != dts.Class && d.node.Kind != dts.Interface {
			continue
		}
		if context.sym == p.owner && context.node != nil {
			return e.bind(d, context.node, context)
		}
		if context.sym != nil && context.node != nil {
			if up, ok := e.inherited(context, p.owner, 0); ok {
				return e.bind(d, up.node, up)
			}
		}
		if p.args != nil {
			return p.args
		}
		return e.opaque(d)
	}
	return p.args
}

// staticBase returns the type of the value that a class extends, directly or not, and
// from which the class's static side inherits. For class C extends Base, where Base is
// a const, that is typeof Base. t is typeof C. The result is unknown if all bases are
// classes.
func (e *evaluator) staticBase(t typeRef) typeRef {
	sym := e.r.target(e.r.entity(t.scope, t.node.Text, valueMeaning))
	for range maxNesting * 2 {
		if sym == nil {
			break
		}
		if !isClass(sym) {
			v, _ := valueType(sym)
			return v
		}
		var base typeRef
		for _, d := range sym.decls {
			if h := d.node.Child(dts.Extends); h != nil && d.node.Kind == dts.Class {
				base = typeRef{node: h.Base(), scope: d.scope}
			}
		}
		switch {
		case base.node == nil:
			return typeRef{}
		case base.node.Kind == dts.Expression:
			v, _ := e.called(base)
			return v
		}
		sym = e.r.target(e.r.entity(base.scope, base.node.Text, valueMeaning))
	}
	return typeRef{}
}

// inherited returns the reference to owner that a class or interface extends,
// directly or not, with the type arguments of t. It returns false if there is
// none.
func (e *evaluator) inherited(t typeRef, owner *symbol, depth int) (typeRef, bool) {
	if depth > 20 || !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	for _, d := range t.sym.decls {
		h := d.node.Child(dts.Extends)
		if h == nil || d.node.Kind != dts.Class && d.node.Kind != dts.Interface {
			continue
		}
		in := typeRef{scope: d.scope, env: e.bind(d, t.node, t)}
		for b := range h.Children() {
			up := e.shape(in.at(b))
			if up.sym == nil || up.node == nil {
				continue
			}
			if up.sym == owner {
				return up, true
			}
			if found, ok := e.inherited(up, owner, depth+1); ok {
				return found, true
			}
		}
	}
	return typeRef{}, false
}
