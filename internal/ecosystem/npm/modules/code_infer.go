package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

const (
	// maxInferDepth is the maximum depth of the types that are compared to infer type arguments.
	maxInferDepth = 12
	// maxInferSteps is the maximum number of nodes that are compared for one call.
	maxInferSteps = 5_000
)

// infer finds the types of type parameters by comparing the type of a parameter with that of an
// argument.
func (c *Code) infer(p, arg typeRef, v *variables, depth int) {
	if len(v.names) == 0 || p.unknown() {
		return
	}
	names := c.variablesIn(p, v, depth)
	if len(names) == 0 {
		return
	}
	if arg.unknown() && v.partial {
		return
	}
	if depth > maxInferDepth || v.steps > maxInferSteps || arg.unknown() {
		v.spoil(names)
		return
	}
	if p.compound != nil {
		if len(p.compound.parts) > 1 && !p.compound.all || p.node != nil {
			v.spoil(names)
			return
		}
		if len(p.compound.parts) > 1 && isOverload(p.compound.parts) {
			v.spoil(names)
			return
		}
		for _, q := range p.compound.parts {
			c.infer(q, arg, v, depth+1)
		}
		return
	}
	switch n := p.node; n.Kind {
	case dts.Paren:
		c.infer(p.at(n.Inner()), arg, v, depth+1)
	case dts.Ref, dts.ImportType:
		if n.Kind == dts.Ref {
			if x := p.env.find(n.Text); x != nil {
				c.infer(x.val, arg, v, depth+1)
				return
			}
			if slices.Contains(v.names, n.Text) {
				c.candidate(n.Text, arg, v)
				return
			}
		}
		if n.Text == "NoInfer" {
			return
		}
		if body, ok := c.aliased(p); ok {
			if same, ok := c.sameAlias(p, arg, body.node); ok {
				for i := 0; n.Arg(i) != nil && same.node.Arg(i) != nil; i++ {
					c.infer(p.at(n.Arg(i)), same.at(same.node.Arg(i)), v, depth+1)
				}
				return
			}
			c.infer(body, arg, v, depth+1)
			return
		}
		c.inferReference(p, arg, v, depth)
	case dts.Array:
		elements, ok := c.e.elements(c.present(arg))
		if !ok || len(elements) == 0 {
			v.spoil(names)
			return
		}
		c.infer(p.at(n.Inner()), unionOf(elements), v, depth+1)
	case dts.Tuple:
		c.inferTuple(p, arg, v, depth)
	case dts.Operator:
		if n.Text != "readonly" {
			v.spoil(names)
			return
		}
		c.infer(p.at(n.Inner()), arg, v, depth+1)
	case dts.Indexed: // The compiler infers nothing from T[K].
	case dts.Intersection:
		for k := range n.Children() {
			c.infer(p.at(k), arg, v, depth+1)
		}
	case dts.TypeLiteral:
		c.inferFields(p, arg, v, depth)
	case dts.Mapped:
		c.inferMapped(p, arg, v, depth)
	case dts.Union:
		c.inferUnion(p, arg, v, depth)
	case dts.FuncType, dts.Method, dts.Function, dts.CallSig:
		c.inferFunction(p, arg, v, depth)
	case dts.NewType:
		c.inferConstructor(p, arg, v, depth)
	default:
		v.spoil(names)
	}
}

// isOverload reports whether types are the overloads of a method.
func isOverload(parts []typeRef) bool {
	return slices.ContainsFunc(parts, func(t typeRef) bool {
		return t.node != nil && (t.node.Kind == dts.Method || t.node.Kind == dts.Function || t.node.Kind == dts.CallSig)
	})
}

// candidate records a type that an argument has in place of a type parameter.
func (c *Code) candidate(name string, arg typeRef, v *variables) {
	parts, ok := c.e.parts(arg)
	if never := ok && len(parts) == 0; !never && (!ok || !slices.ContainsFunc(parts, func(q typeRef) bool { return !isNothing(q) })) {
		v.unsure[name] = v.unsure[name] || !v.partial
		return
	}
	if !slices.Contains(v.found[name], arg) {
		v.found[name] = append(v.found[name], arg)
	}
}

// aliased returns the type that an alias stands for.
func (c *Code) aliased(t typeRef) (typeRef, bool) {
	if t.node.Kind != dts.Ref {
		return typeRef{}, false
	}
	sym := c.r.target(c.r.entity(t.scope, t.node.Text, typeMeaning))
	if sym == nil {
		return typeRef{}, false
	}
	for _, d := range sym.decls {
		if d.node.Kind == dts.TypeAlias && d.node.Type() != nil {
			return typeRef{node: d.node.Type(), scope: d.scope, env: c.e.bind(d, t.node, t)}, true
		}
	}
	return typeRef{}, false
}

// sameAlias returns the reference to the alias p, with type arguments, that a type is. The alias stands for body.
func (c *Code) sameAlias(p, t typeRef, body *dts.Node) (typeRef, bool) {
	switch body.Kind {
	case dts.Intersection, dts.Union, dts.TypeLiteral, dts.Mapped, dts.FuncType:
	default:
		return typeRef{}, false // The compiler forgets the alias when it evaluates the type.
	}
	for range maxNesting {
		x, ok := t.param()
		if !ok || x.free {
			break
		}
		t = x.val
	}
	if t.node == nil || t.node.Kind != dts.Ref || !t.node.HasArgs() {
		return typeRef{}, false
	}
	sym := c.r.target(c.r.entity(t.scope, t.node.Text, typeMeaning))
	return t, sym != nil && sym == c.r.target(c.r.entity(p.scope, p.node.Text, typeMeaning))
}

// variablesIn returns the names of the type parameters that a type mentions.
func (c *Code) variablesIn(t typeRef, v *variables, depth int) (names []string) {
	var walk func(n *dts.Node, env *env, depth int)
	visit := func(t typeRef, depth int) {
		if t.compound != nil {
			for _, p := range t.compound.parts {
				names = append(names, c.variablesIn(p, v, depth+1)...)
			}
		}
		if t.node != nil {
			walk(t.node, t.env, depth)
		}
	}
	walk = func(n *dts.Node, env *env, depth int) {
		if v.steps++; depth > 2*maxInferDepth || v.steps > maxInferSteps {
			names = v.names // They may be mentioned.
			return
		}
		if n.Kind == dts.Ref {
			if x := env.find(n.Text); x != nil {
				if !x.free {
					visit(x.val, depth+1)
				}
			} else if slices.Contains(v.names, n.Text) && !slices.Contains(names, n.Text) {
				names = append(slices.Clip(names), n.Text)
			}
		}
		for k := range n.Children() {
			walk(k, env, depth)
		}
	}
	visit(t, depth)
	return names
}

// inferReference is like infer, for a parameter whose type is a class or an interface.
func (c *Code) inferReference(p, arg typeRef, v *variables, depth int) {
	fail := func() { v.spoil(c.variablesIn(p, v, depth)) }
	want := c.e.shape(p)
	parts, ok := c.e.parts(arg)
	if !ok || want.sym == nil || want.node == nil || !isClassOrInterface(want.sym) {
		fail()
		return
	}
	matched := false
	for _, q := range parts {
		if isNothing(q) {
			continue
		}
		matched = true
		if q.node != nil && q.node.Kind == dts.Array {
			q = c.list(q.at(q.node.Inner()))
		}
		if q.sym != nil && q.node != nil {
			if q.sym != want.sym {
				if up, found := c.e.inherited(q, want.sym, 0); found {
					q = up
				}
			}
			if q.sym == want.sym {
				for i := 0; ; i++ {
					a, b := want.node.Arg(i), q.node.Arg(i)
					if a == nil || b == nil {
						break
					}
					c.infer(want.at(a), q.at(b), v, depth+1)
				}
				continue
			}
		}
		if c.inferIntersected(want, q, v, depth) {
			continue
		}
		if c.isLibrary(want.sym, "Iterable") && want.node.HasArgs() && !isAny(q) {
			c.infer(want.at(want.node.Arg(0)), c.iterated(q, false), v, depth+1)
			continue
		}
		if primitiveName(q) != "" || isAny(q) || c.isLibrary(want.sym, want.sym.name) {
			fail()
			return
		}
		c.inferFields(want, q, v, depth)
	}
	if !matched {
		fail()
	}
}

// inferIntersected infers from the parts of an intersection that extend a class or an interface. It returns false if there are
// none.
func (c *Code) inferIntersected(want, q typeRef, v *variables, depth int) (matched bool) {
	for _, p := range c.intersected(q) {
		p = c.e.shape(p)
		if p.sym == nil || p.node == nil {
			continue
		}
		if up, found := c.e.inherited(p, want.sym, 0); p.sym == want.sym || found {
			if p.sym != want.sym {
				p = up
			}
			matched = true
			c.infer(want, p, v, depth+1)
		}
	}
	return matched
}

// inferFields is like infer, for a parameter whose type is an object.
func (c *Code) inferFields(want, arg typeRef, v *variables, depth int) {
	set, ok := c.e.props(want)
	if !ok || isAny(arg) {
		v.spoil(c.variablesIn(want, v, depth))
		return
	}
	for _, p := range set.order {
		raw := typeRef{scope: p.decls[0].scope, node: p.decls[0].node, env: c.e.envOf(p, want)}
		names := c.variablesIn(raw, v, depth)
		if len(names) == 0 {
			continue
		}
		field, how := c.member(arg, p.name)
		if how == missing {
			continue
		}
		t := c.propertyType(want, p)
		if how == uncertain || t.unknown() {
			v.spoil(names)
			continue
		}
		c.infer(t, field, v, depth+1)
	}
	c.inferUnnamed(want, arg, v, depth)
}

// inferUnnamed infers from the signatures of an object.
func (c *Code) inferUnnamed(want, arg typeRef, v *variables, depth int) {
	signatures := c.unnamed(want)
	for _, s := range signatures {
		switch {
		case s.node.Kind == dts.CallSig && len(signatures) == 1:
			c.infer(s, arg, v, depth+1)
		case s.node.Kind == dts.NewSig && len(signatures) == 1:
			c.inferConstructor(s, arg, v, depth)
		case s.node.Kind == dts.IndexSig:
			t := c.indexed(arg, "string")
			if t.unknown() && isAnonymous(arg) {
				t = c.fieldTypes(arg)
			}
			if !t.unknown() && s.node.Type() != nil {
				c.infer(s.at(s.node.Type()), t, v, depth+1)
				continue
			}
			fallthrough
		default:
			v.spoil(c.variablesIn(s, v, depth))
		}
	}
}

// inferConstructor is like infer, for a parameter whose value constructs objects.
func (c *Code) inferConstructor(p, arg typeRef, v *variables, depth int) {
	for _, q := range (call{node: p.node}).params() {
		if q.Type() != nil {
			v.spoil(c.variablesIn(p.at(q.Type()), v, depth))
		}
	}
	result := p.node.Type()
	if result == nil {
		return
	}
	if sym := c.classOf(c.e.shape(arg)); sym != nil && !slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Child(dts.TypeParam) != nil }) {
		c.infer(p.at(result), c.refer(sym, nil), v, depth+1)
		return
	}
	v.spoil(c.variablesIn(p.at(result), v, depth))
}

// classOf returns the class that a value is, or nil.
func (c *Code) classOf(t typeRef) *symbol {
	if t.node == nil || t.node.Kind != dts.TypeQuery {
		return nil
	}
	if sym := c.r.target(c.r.entity(t.scope, t.node.Text, valueMeaning)); sym != nil && isClass(sym) {
		return sym
	}
	return nil
}

// fieldTypes returns the union of the types of the fields of an object, or the unknown type.
func (c *Code) fieldTypes(t typeRef) typeRef {
	set, ok := c.e.props(t)
	if !ok || set.open || len(set.order) == 0 {
		return typeRef{}
	}
	var all []typeRef
	for _, p := range set.order {
		field := c.propertyType(t, p)
		if field.unknown() {
			return field
		}
		if !slices.Contains(all, field) {
			all = append(all, field)
		}
	}
	return unionOf(all)
}

// inferTuple is like infer, for a parameter whose type is a tuple.
func (c *Code) inferTuple(p, arg typeRef, v *variables, depth int) {
	i := 0
	for n := range p.node.Children() {
		if n.Kind == dts.Rest || n.Has(dts.FlagRest) {
			q := c.e.shape(c.present(arg))
			if inner := n.Inner(); n.Kind == dts.Rest && inner != nil && inner.Kind == dts.Ref && q.node != nil && q.node.Kind == dts.Tuple {
				var rest []typeRef
				for k := range q.node.Children() {
					if i--; i < 0 {
						rest = append(rest, q.at(k))
					}
				}
				c.infer(p.at(inner), c.tuple(rest), v, depth+1)
				return
			}
			v.spoil(c.variablesIn(p.at(n), v, depth))
			return
		}
		t := n
		if n.Kind == dts.TupleMember || n.Kind == dts.Optional {
			t = n.Inner()
		}
		c.infer(p.at(t), c.elementAt(arg, i), v, depth+1)
		i++
	}
}

// inferMapped is like infer, for a parameter whose type is a mapped type.
func (c *Code) inferMapped(p, arg typeRef, v *variables, depth int) {
	key := p.node.Child(dts.TypeParam)
	value := p.node.Type()
	if key == nil || key.Constraint() == nil || value == nil || value.Has(dts.FlagAs) {
		v.spoil(c.variablesIn(p, v, depth))
		return
	}
	over := key.Constraint()
	if over.Kind == dts.Ref && c.isVariable(p.at(over), v) {
		c.inferKeys(p.at(over), arg, v, depth)
		v.spoil(c.variablesIn(p.at(value), v, depth))
		return
	}
	if over.Kind == dts.Operator && over.Text == "keyof" && value.Kind == dts.Indexed && over.Inner() != nil && over.Inner().Kind == dts.Ref {
		object, index := value.Inner(), (*dts.Node)(nil)
		for k := range value.Children() {
			index = k
		}
		if object != nil && object.Kind == dts.Ref && object.Text == over.Inner().Text && index != nil && index.Kind == dts.Ref && index.Text == key.Text {
			if c.meetsConstraint(object.Text, p, arg, v) {
				c.infer(p.at(over.Inner()), arg, v, depth+1) // as in { [K in keyof T]: T[K] }
				return
			}
		}
	}
	v.spoil(c.variablesIn(p, v, depth))
}

// inferKeys infers the names of the properties of an object in place of a type parameter, as in { [P in K]: number }.
func (c *Code) inferKeys(key, arg typeRef, v *variables, depth int) {
	set, ok := c.e.props(arg)
	if !ok || set.open || len(set.order) == 0 {
		v.spoil(c.variablesIn(key, v, depth))
		return
	}
	names := make([]typeRef, len(set.order))
	for i, p := range set.order {
		names[i] = literalOf(p.name)
	}
	c.infer(key, unionOf(names), v, depth+1)
}

// meetsConstraint reports whether the argument for a mapped type such as Partial<T> is certain to meet the constraint of T. The
// compiler takes the constraint in place of an argument that does not.
func (c *Code) meetsConstraint(name string, p, arg typeRef, v *variables) bool {
	if x := p.env.find(name); x != nil && x.val.node != nil {
		name = x.val.node.Text
	}
	for _, param := range v.params {
		if param.Text == name && param.Constraint() != nil {
			holds, certain, _ := c.e.assignable(arg, typeRef{node: param.Constraint(), scope: v.scope})
			return holds && certain
		}
	}
	return true
}

// inferFunction is like infer, for a parameter whose type is a function.
func (c *Code) inferFunction(p, arg typeRef, v *variables, depth int) {
	n := p.node
	calls := c.signatures(arg)
	if len(calls) != 1 || n.Type() == nil || n.Type().Kind == dts.Predicate || calls[0].node.Child(dts.TypeParam) != nil {
		v.spoil(c.variablesIn(p, v, depth))
		return
	}
	given := calls[0].params()
	for i, q := range (call{node: n}).params() {
		if q.Has(dts.FlagRest) && q.Type().Is(dts.Ref) && c.isVariable(p.at(q.Type()), v) {
			rest := c.parameterTuple(calls[0], given[min(i, len(given)):])
			for _, name := range c.variablesIn(p.at(q.Type()), v, depth) {
				v.unsure[name] = v.unsure[name] || rest.unknown()
				v.taken[name] = append(v.taken[name], rest)
			}
			break
		}
		if i >= len(given) {
			break
		}
		t := given[i].Type()
		if q.Type() == nil || t == nil || t.Has(dts.FlagInferred) {
			continue // The context determines its type.
		}
		if q.Has(dts.FlagRest) || given[i].Has(dts.FlagRest) {
			v.spoil(c.variablesIn(p.at(q.Type()), v, depth))
			break
		}
		inner := newVariables(v.params, v.scope)
		inner.steps = v.steps
		c.infer(p.at(q.Type()), calls[0].context.at(t), inner, depth+1)
		v.steps = inner.steps
		for _, name := range inner.names {
			if inner.unsure[name] || len(inner.found[name]) > 1 || len(inner.taken[name]) > 0 {
				v.unsure[name] = true
			} else if len(inner.found[name]) == 1 {
				v.taken[name] = append(v.taken[name], inner.found[name]...)
			}
		}
	}
	c.infer(p.at(n.Type()), c.resultOf(calls[0]), v, depth+1)
}

// parameterTuple returns the tuple of the types of parameters of a signature, or the unknown type if one of them has no type.
func (c *Code) parameterTuple(s call, list []*dts.Node) typeRef {
	n := &dts.Node{Kind: dts.Tuple}
	t := typeRef{node: n, scope: c.globals}
	var elements []*dts.Node
	for _, p := range list {
		if p.Type() == nil || p.Type().Has(dts.FlagInferred) {
			return typeRef{}
		}
		ref := &dts.Node{Kind: dts.Ref, Text: c.name()}
		t.env = c.r.memo.bind(ref.Text, s.context.at(p.Type()), t.env)
		e := &dts.Node{Kind: dts.TupleMember, Text: p.Text, Flags: p.Flags & (dts.FlagOptional | dts.FlagRest)}
		e.SetChildren(ref)
		elements = append(elements, e)
	}
	n.SetChildren(elements...)
	return t
}

// inferUnion is like infer, for a parameter whose type is a union.
func (c *Code) inferUnion(p, arg typeRef, v *variables, depth int) {
	var naked *dts.Node
	var others []*dts.Node
	for k := range p.node.Children() {
		switch {
		case k.Kind == dts.Ref && (c.isVariable(p.at(k), v) || c.isAliasOfVariable(p.at(k), v)):
			naked = k
		case isNothing(p.at(k)):
		default:
			others = append(others, k)
		}
	}
	if naked == nil && len(others) == 1 {
		c.infer(p.at(others[0]), c.present(arg), v, depth+1)
		return
	}
	parts, ok := c.e.parts(arg)
	if !ok {
		parts = nil
	}
	var rest []typeRef
	for _, q := range parts {
		if isNothing(q) {
			continue
		}
		taken := false
		same := slices.ContainsFunc(others, func(k *dts.Node) bool { return q.sym != nil && c.e.shape(p.at(k)).sym == q.sym })
		for _, k := range others {
			want := c.e.shape(p.at(k))
			if same && want.sym != q.sym || want.sym != nil && c.isLibrary(want.sym, "ArrayLike") && c.isObjectWithoutLength(q) {
				continue
			}
			if len(c.variablesIn(p.at(k), v, depth)) == 0 {
				fits, known, _ := c.e.assignable(q, want)
				taken = taken || known && fits && (primitiveName(q) != "" && primitiveName(want) != "" || q.sym != nil && q.sym == want.sym)
				continue
			}
			elements, known := c.e.elements(q)
			isList := known && len(elements) > 0
			switch {
			case primitiveName(q) != "":
			case want.node != nil && want.node.Kind == dts.FuncType:
				if len(c.signatures(q)) > 0 {
					c.infer(want, q, v, depth+1)
					taken = true
				}
			case naked == nil && (isAnonymous(q) || !c.recordValue(q, "string").unknown()) && !isList:
				c.infer(p.at(k), q, v, depth+1)
				taken = true
			case c.classOf(q) != nil && (want.sym != nil || isAnonymous(want)):
				c.infer(want, q, v, depth+1)
				taken = true
			case want.sym == nil:
				ok = false
			case isList && c.isLibrary(want.sym, "Array", "ReadonlyArray"):
				c.infer(want.at(want.node.Arg(0)), unionOf(elements), v, depth+1)
				taken = true
			case c.isLibrary(want.sym, "Array", "ReadonlyArray"):
				_, how := c.memberOfPart(q, "concat", 0)
				ok = ok && how == missing // It is not an array.
			case q.sym != nil && q.sym == want.sym:
				c.infer(p.at(k), q, v, depth+1)
				taken = true
			case c.isLibrary(want.sym, "Promise", "PromiseLike"):
				// A promise matches, and another value does not.
				if _, how := c.memberOfPart(q, "then", 0); how == missing {
					break
				}
				c.infer(p.at(want.node.Arg(0)), c.awaited(q), v, depth+1)
				taken = true
			case naked == nil && isClassOrInterface(want.sym):
				c.infer(p.at(k), q, v, depth+1) // It may match the type although it does not extend it.
				taken = true
			default:
				ok = false
			}
		}
		if !taken {
			rest = append(rest, q)
		}
	}
	switch {
	case !ok || len(parts) == 0:
	case len(rest) == 0:
		return
	case naked != nil:
		c.infer(p.at(naked), unionOf(rest), v, depth+1)
		return
	}
	v.spoil(c.variablesIn(p, v, depth))
}

// isAnonymous reports whether a type is an object without a name, such as that of a literal.
func isAnonymous(t typeRef) bool {
	return t.sym == nil && t.node != nil && t.node.Kind == dts.TypeLiteral
}

// isVariable reports whether a name is that of a type parameter.
func (c *Code) isVariable(t typeRef, v *variables) bool {
	for range maxNesting {
		x := t.env.find(t.node.Text)
		if x == nil {
			return slices.Contains(v.names, t.node.Text)
		}
		if t = x.val; x.free || t.node == nil || t.node.Kind != dts.Ref {
			return false
		}
	}
	return false
}

// isObjectWithoutLength reports whether a type is an object of which an array-like type tells nothing.
func (c *Code) isObjectWithoutLength(t typeRef) bool {
	return (isAnonymous(t) || !c.recordValue(t, "string").unknown()) && !isList(t)
}

// isAliasOfVariable reports whether a type is an alias of its type argument, which is a type parameter.
func (c *Code) isAliasOfVariable(t typeRef, v *variables) bool {
	body, ok := c.aliased(t)
	return ok && body.node.Kind == dts.Ref && c.isVariable(body, v)
}

// mentions reports whether the type of one of the first n parameters of a signature contains a name, or the constraint of
// another type parameter.
func mentions(s *dts.Node, name string, n int) bool {
	for p := range s.All(dts.Param) {
		if p.Text == "this" {
			if contains(p, name) {
				return true
			}
			continue
		}
		if n == 0 {
			break
		}
		if n--; contains(p, name) {
			return true
		}
	}
	for p := range s.All(dts.TypeParam) {
		if p.Text != name && contains(p, name) {
			return true
		}
	}
	return false
}

func contains(n *dts.Node, name string) bool {
	if (n.Kind == dts.Ref || n.Kind == dts.Literal) && n.Text == name {
		return true
	}
	for k := range n.Children() {
		if contains(k, name) {
			return true
		}
	}
	return false
}
