package modules

import (
	"maps"
	"slices"
	"strconv"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// compound is a computed union or intersection.
type compound struct {
	parts []typeRef
	all   bool // true for an intersection, false for a union
}

// unionOf returns the union of types, or never if there are none.
func unionOf(parts []typeRef) typeRef {
	if len(parts) == 1 {
		return parts[0]
	}
	return typeRef{compound: &compound{parts: parts}}
}

// allOf returns the intersection of types.
func allOf(parts []typeRef) typeRef {
	if len(parts) == 1 {
		return parts[0]
	}
	return typeRef{compound: &compound{parts: parts, all: true}}
}

func literalOf(s string) typeRef { return typeRef{lit: s, isLit: true} }

var (
	trueNode   = &dts.Node{Kind: dts.Literal, Text: "true"}
	falseNode  = &dts.Node{Kind: dts.Literal, Text: "false"}
	numberNode = &dts.Node{Kind: dts.Keyword, Text: "number"}
)

// maxParts is the maximum number of parts of one union.
const maxParts = 20_000

func (e *evaluator) findParts(t typeRef) ([]typeRef, bool) {
	for range 50 {
		if t.compound != nil && !t.compound.all {
			return e.partsOf(t.compound.parts)
		}
		if t.node == nil {
			return []typeRef{t}, !t.unknown()
		}
		if !e.enter() {
			return nil, false
		}
		next, step := e.step(t)
		if step == resolved {
			e.leave()
			t = next
			continue
		}
		out, known := []typeRef{next}, true
		switch {
		case step == unknown:
			out, known = nil, false
		case next.sym != nil:
		default:
			out, known = e.spread(next)
		}
		e.leave()
		return out, known
	}
	return nil, false
}

// spread is like parts, for a type that is already resolved.
func (e *evaluator) spread(t typeRef) ([]typeRef, bool) {
	switch n := t.node; n.Kind {
	case dts.Union:
		var all []typeRef
		for c := range n.Children() {
			all = append(all, t.at(c))
		}
		parts, known := e.partsOf(all)
		return distinct(parts), known
	case dts.Intersection:
		if all, ok := e.booleans(t); ok {
			return all, true
		}
		if all, ok := e.distributed(t); ok {
			return all, true
		}
	case dts.Keyword:
		switch n.Text {
		case "never":
			return nil, true
		case "boolean":
			return []typeRef{{node: trueNode}, {node: falseNode}}, true
		}
	case dts.Operator:
		if n.Text == "keyof" {
			return e.literals(t)
		}
	case dts.Literal:
		if n.Text[0] == '`' {
			return e.literals(t)
		}
	case dts.Conditional:
		return e.outcomes(t)
	case dts.Indexed:
		return e.accessed(t)
	case dts.Mapped:
		if all, ok := e.homomorphic(t); ok {
			return all, true
		}
	case dts.Ref:
		if casing(n.Text) != nil {
			return e.literals(t)
		}
		return e.utilityParts(t)
	}
	return []typeRef{t}, true
}

// distinct returns the types in the same order, without duplicates.
func distinct(all []typeRef) []typeRef {
	seen := make(map[typeRef]bool, len(all))
	return slices.DeleteFunc(slices.Clone(all), func(t typeRef) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}

// maxDistributed is the maximum number of intersections into which an intersection of unions is
// distributed.
const maxDistributed = 200

// distributed returns the parts of A & (B | C), which are A & B and A & C, without
// intersections that no value can have. The unions must consist of objects. It uses at
// most half of the remaining steps and cuts, so that enough remain to list the intersection
// undistributed. ok is false for other types.
func (e *evaluator) distributed(t typeRef) (all []typeRef, ok bool) {
	reserve := max(0, maxSteps-e.steps) / 2
	cuts := max(0, maxCuts-e.cut) / 2
	e.steps += reserve
	e.cut += cuts
	defer func() {
		e.steps -= reserve
		e.cut -= cuts
	}()
	sets := [][]typeRef{nil}
	for c := range t.node.Children() {
		parts := []typeRef{t.at(c)}
		if e.isUnion(parts[0]) {
			found, known := e.parts(parts[0])
			if !known || len(found) == 0 || len(found)*len(sets) > maxDistributed || slices.ContainsFunc(found, notObject) {
				return nil, false
			}
			parts = found
		}
		if len(parts) == 1 {
			for i := range sets {
				sets[i] = append(sets[i], parts[0])
			}
			continue
		}
		var next [][]typeRef
		for _, set := range sets {
			for _, p := range parts {
				next = append(next, append(slices.Clip(set), p))
			}
		}
		sets = next
	}
	e.spend(len(sets) * len(sets[0]))
	if len(sets) < 2 {
		return nil, false
	}
	literals := map[typeRef]map[string][]string{}
	for _, set := range sets {
		if !e.contradict(set, literals) {
			all = append(all, allOf(set))
		}
	}
	return all, len(all) > 0
}

// booleans returns the parts of an intersection of true, false, boolean, and conditions
// that have these as results. The parts are the values that all of its types have in
// common. ok is false for other types.
func (e *evaluator) booleans(t typeRef) (all []typeRef, ok bool) {
	remaining := map[string]bool{"true": true, "false": true}
	for c := range t.node.Children() {
		if !isBoolean(c) {
			return nil, false
		}
		parts, known := e.parts(t.at(c))
		if !known {
			return nil, false
		}
		in := map[string]bool{}
		for _, p := range parts {
			if p.node == nil {
				return nil, false
			}
			in[p.node.Text] = true
		}
		maps.DeleteFunc(remaining, func(word string, _ bool) bool { return !in[word] })
	}
	for _, n := range []*dts.Node{trueNode, falseNode} {
		if remaining[n.Text] {
			all = append(all, typeRef{node: n})
		}
	}
	return all, true
}

// isBoolean reports whether a type is written as true, false or boolean, or as a
// condition that has these as results.
func isBoolean(n *dts.Node) bool {
	switch n.Kind {
	case dts.Paren:
		return isBoolean(n.Inner())
	case dts.Conditional:
		c := n.Cond()
		return isBoolean(c.True) && isBoolean(c.False)
	}
	return (n.Kind == dts.Literal || n.Kind == dts.Keyword) && (n.Text == "true" || n.Text == "false" || n.Text == "boolean")
}

// contradict reports whether two of the types have a property that is a literal in both
// of them but never the same one. literals caches these properties.
func (e *evaluator) contradict(types []typeRef, literals map[typeRef]map[string][]string) bool {
	seen := map[string][]string{}
	for _, t := range types {
		own, known := literals[t]
		if !known {
			own = e.literalNames(t)
			literals[t] = own
		}
		for name, values := range own {
			if others := seen[name]; others != nil && !slices.ContainsFunc(values, func(v string) bool { return slices.Contains(others, v) }) {
				return true
			}
			seen[name] = values
		}
	}
	return false
}

// literalNames returns the properties of an object that are literals, with their values.
func (e *evaluator) literalNames(t typeRef) map[string][]string {
	set, _ := e.props(t)
	out := map[string][]string{}
	for _, p := range set.order {
		if typ, ok := e.propType(t, p); ok && !p.optional() {
			if values, ok := e.keys(typ); ok && len(values) > 0 {
				out[p.name] = values
			}
		}
	}
	return out
}

// isUnion reports whether a type is a union once it is resolved.
func (e *evaluator) isUnion(t typeRef) bool {
	t = e.shape(t)
	return t.compound != nil && !t.compound.all || t.node != nil && t.node.Kind == dts.Union
}

func notObject(t typeRef) bool { return primitive(t) || t.unknown() || isList(t) }

func (e *evaluator) partsOf(all []typeRef) ([]typeRef, bool) {
	if len(all) == 1 {
		return e.parts(all[0])
	}
	var out []typeRef
	known := true
	for _, t := range all {
		p, ok := e.parts(t)
		known = known && ok
		if len(p) == 1 && isAny(p[0]) {
			return p, ok // The type any includes all other parts.
		}
		if len(out)+len(p) > maxParts {
			return out, false
		}
		if len(out) == 0 {
			out = slices.Clip(p) // shares the list instead of copying it
			continue
		}
		e.spend(len(p))
		out = append(out, p...)
	}
	return out, known
}

func isAny(t typeRef) bool {
	return t.node != nil && t.node.Kind == dts.Keyword && t.node.Text == "any"
}

// isTop reports whether every type can be assigned to a type: whether it is any or unknown.
func isTop(t typeRef) bool {
	return isAny(t) || t.node.Is(dts.Keyword) && t.node.Text == "unknown"
}

// literals lists the literals of a type as types, or returns the type itself if
// it has values that are not literals.
func (e *evaluator) literals(t typeRef) ([]typeRef, bool) {
	keys, ok := e.keys(t)
	if !ok {
		return []typeRef{t}, true
	}
	out := make([]typeRef, len(keys))
	for i, k := range keys {
		out[i] = literalOf(k)
	}
	return out, true
}

// literal returns the string or number of a literal type. It returns false for
// other types.
func literal(t typeRef) (string, bool) {
	if t.isLit {
		return t.lit, true
	}
	if t.node != nil && t.node.Kind == dts.Literal {
		if c := t.node.Text[0]; c == '"' || c == '\'' || c >= '0' && c <= '9' {
			return t.node.Name(), true
		}
	}
	return "", false
}

// param returns the binding of a type that is just a type parameter. It returns
// false for other types.
func (t typeRef) param() (*env, bool) {
	if t.node == nil || t.node.Kind != dts.Ref || t.node.HasArgs() {
		return nil, false
	}
	x := t.env.find(t.node.Text)
	return x, x != nil
}

// free reports whether a type is an unbound type parameter, such as T within
// the declaration that introduces it.
func (t typeRef) free() bool {
	for range 20 {
		x, ok := t.param()
		if !ok {
			return false
		}
		if x.free {
			return true
		}
		t = x.val
	}
	return false
}

// outcomes evaluates a conditional type. It distributes over unions, as in TypeScript. If
// the condition cannot be decided, the results of both branches are returned.
func (e *evaluator) outcomes(t typeRef) ([]typeRef, bool) {
	check := t.at(t.node.Cond().Check)
	if e.r.exact && (!e.settled(check, 0) || !e.settled(t.at(t.node.Cond().Extends), 0)) {
		return nil, false
	}
	x, ok := check.param()
	if !ok {
		return e.decide(t)
	}
	all, known := e.parts(x.val)
	if !known && len(all) == 0 {
		out, _ := e.undecided(t)
		return out, false
	}
	var out []typeRef
	for _, p := range all {
		in := t
		in.env = e.r.memo.bind(check.node.Text, p, t.env)
		o, ok := e.decide(in)
		known = known && ok
		if len(o) == 1 && isAny(o[0]) {
			return o, known
		}
		if len(out)+len(o) > maxParts {
			return out, false
		}
		out = append(out, o...)
	}
	return out, known
}

// chosen returns the branch that a conditional type takes. For a union, it returns the
// union of the branches that its parts take. It returns false if the condition depends on
// a free type parameter, or cannot be decided without a guess.
func (e *evaluator) chosen(t typeRef) (typeRef, bool) {
	c := t.node.Cond()
	check := t.at(c.Check)
	if !e.settled(check, 0) || !e.settled(t.at(c.Extends), 0) {
		return typeRef{}, false
	}
	guesses := e.guesses
	x, distributes := check.param()
	if !distributes || primitive(x.val) {
		b, ok := e.branch(t)
		return b, ok && e.guesses == guesses
	}
	all, known := e.parts(x.val)
	if !known || len(all) == 0 || len(all) > maxWritten {
		return typeRef{}, false
	}
	var branches []typeRef
	same := true
	for _, p := range all {
		in := t
		in.env = e.r.memo.bind(check.node.Text, p, t.env)
		b, ok := e.branch(in)
		if !ok || e.guesses != guesses {
			return typeRef{}, false
		}
		same = same && (len(branches) == 0 || b.node == branches[0].node) && b.env == in.env
		branches = append(branches, b)
	}
	if same { // Keep the union as it is written.
		return t.at(branches[0].node), true
	}
	branches = slices.DeleteFunc(branches, func(b typeRef) bool {
		return b.node != nil && b.node.Kind == dts.Keyword && b.node.Text == "never"
	})
	return unionOf(branches), true
}

// settled reports whether all type parameters in a type are bound to types.
func (e *evaluator) settled(t typeRef, depth int) bool {
	if depth > maxNesting*2 || !e.enter() {
		return false
	}
	defer e.leave()
	switch {
	case t.compound != nil:
		return !slices.ContainsFunc(t.compound.parts, func(p typeRef) bool { return !e.settled(p, depth+1) })
	case t.node == nil:
		return !t.unknown()
	case t.node.Kind == dts.Keyword:
		return t.node.Text != "this"
	case t.node.Kind == dts.Operator && t.node.Text == "keyof" && e.hasFixedNames(t.at(t.node.Inner())):
		return true
	case t.node.Kind == dts.Ref:
		if x := t.env.find(t.node.Text); x != nil {
			return !x.free && e.settled(x.val, depth+1)
		}
	}
	for c := range t.node.Children() {
		if !e.settled(t.at(c), depth+1) {
			return false
		}
	}
	return true
}

// hasFixedNames reports whether a type is a class, an interface or a type literal. The
// names of its members do not depend on type parameters.
func (e *evaluator) hasFixedNames(t typeRef) bool {
	t = e.shape(t)
	return t.sym != nil || t.node != nil && t.node.Kind == dts.TypeLiteral
}

func (e *evaluator) decide(t typeRef) ([]typeRef, bool) {
	guesses := e.guesses
	if b, ok := e.branch(t); ok && (!e.r.exact || e.guesses == guesses) {
		return e.parts(b)
	}
	if e.r.exact {
		return nil, false
	}
	both, known := e.undecided(t)
	return both, known && isAny(e.shape(t.at(t.node.Cond().Check)))
}

func (e *evaluator) undecided(t typeRef) ([]typeRef, bool) {
	c := t.node.Cond()
	return e.partsOf([]typeRef{t.at(c.True), t.at(c.False)})
}

// accessed evaluates T[K] over the parts of T and the names in K.
func (e *evaluator) accessed(t typeRef) ([]typeRef, bool) {
	access := t.node.Access()
	object, index := t.at(access.Object), t.at(access.Key)
	if i := e.shape(index); i.node != nil && i.node.Kind == dts.Keyword && i.node.Text == "number" {
		return e.elements(object)
	}
	names, known := e.keys(index)
	if len(names) == 0 {
		return nil, known
	}
	parts, ok := e.parts(object)
	known = known && ok
	var all []typeRef
	for _, part := range parts {
		if isAny(part) {
			return []typeRef{part}, known
		}
		for _, n := range names {
			v, ok := e.property(part, n)
			switch {
			case ok:
			case e.lacks(t.at(access.Object), part, n):
				v = typeRef{node: dts.New(dts.Keyword, "unknown")}
			default:
				known = false
				continue
			}
			all = append(all, v)
		}
	}
	out, ok := e.partsOf(all)
	return out, known && ok
}

// lacks reports whether the object that replaces a type parameter is certain not to have a property that the
// constraint of the parameter allows. The type of the property is unknown then.
func (e *evaluator) lacks(param, object typeRef, name string) bool {
	if param.node.Kind != dts.Ref || param.node.HasArgs() {
		return false
	}
	if x := param.env.find(param.node.Text); x == nil || x.free {
		return false
	}
	set, known := e.props(object)
	return known && !set.open && len(set.order) > 0 && set.get(name) == nil
}

// elements evaluates T[number] of an array or a tuple. It returns false if they are
// unknown.
func (e *evaluator) elements(t typeRef) ([]typeRef, bool) {
	if !e.enter() { // a tuple may spread itself
		return nil, false
	}
	defer e.leave()
	all, known := e.parts(t)
	var out []typeRef
	for _, p := range all {
		var inner []typeRef
		switch {
		case p.node == nil:
			return nil, false
		case p.node.Kind == dts.Array:
			inner = []typeRef{p.at(p.node.Inner())}
		case p.node.Kind == dts.Tuple:
			for c := range p.node.Children() {
				switch {
				case c.Kind == dts.Rest || c.Kind == dts.TupleMember && c.Has(dts.FlagRest):
					parts, ok := e.elements(p.at(c.Inner()))
					known = known && ok
					inner = append(inner, parts...)
				case c.Kind == dts.TupleMember || c.Kind == dts.Optional:
					inner = append(inner, p.at(c.Inner()))
				default:
					inner = append(inner, p.at(c))
				}
			}
		case p.node.Kind == dts.Mapped:
			values, ok := e.mappedElements(p)
			known = known && ok
			inner = values
		case p.sym != nil && (p.sym.name == "Array" || p.sym.name == "ReadonlyArray") && p.node.HasArgs():
			inner = []typeRef{p.at(p.node.Arg(0))}
		default:
			return nil, false
		}
		got, ok := e.partsOf(inner)
		known = known && ok
		out = append(out, got...)
	}
	return out, known
}

// mappedElements returns the types of the elements of { [K in keyof T]: U }, where T is
// an array or a tuple.
func (e *evaluator) mappedElements(t typeRef) (values []typeRef, known bool) {
	m := t.node.Mapping()
	list, ok := e.keyofOperand(t.at(m.Keys))
	if !ok || m.Value == nil || m.As != nil {
		return nil, false
	}
	at := func(index typeRef) {
		v := t.at(m.Value)
		v.env = e.r.memo.bind(m.Param.Text, index, t.env)
		values = append(values, v)
	}
	lists, known := e.parts(list)
	if len(lists) != 1 || lists[0].node == nil {
		return nil, false
	}
	switch n := lists[0].node; n.Kind {
	case dts.Array:
		at(typeRef{node: numberNode})
	case dts.Ref:
		if !isList(lists[0]) {
			return nil, false
		}
		at(typeRef{node: numberNode})
	case dts.Tuple:
		i := 0
		for c := range n.Children() {
			if c.Kind == dts.Rest || c.Has(dts.FlagRest) {
				return nil, false
			}
			at(literalOf(strconv.Itoa(i)))
			i++
		}
	default:
		return nil, false
	}
	return values, known
}

// homomorphic distributes { [K in keyof T]: U } over the union T. It returns false if T
// is not a union or its parts are unknown.
func (e *evaluator) homomorphic(t typeRef) ([]typeRef, bool) {
	over := t.node.Mapping().Keys
	if !over.Is(dts.Operator) || over.Text != "keyof" {
		return nil, false
	}
	x, ok := t.at(over.Inner()).param()
	if !ok {
		return nil, false
	}
	all, known := e.parts(x.val)
	if !known || len(all) < 2 {
		return nil, false
	}
	out := make([]typeRef, len(all))
	for i, p := range all {
		out[i] = p
		if !primitive(p) {
			out[i] = t
			out[i].env = e.r.memo.bind(over.Inner().Text, p, t.env)
		}
	}
	return out, true
}

// primitive reports whether a type is a primitive type, which has no properties to map.
func primitive(t typeRef) bool {
	return t.isLit || t.node != nil && (t.node.Kind == dts.Keyword && t.node.Text != "object" || t.node.Kind == dts.Literal)
}

// utilityParts is like parts, for utility types that filter a union.
func (e *evaluator) utilityParts(t typeRef) ([]typeRef, bool) {
	first, second := t.node.Arg(0), t.node.Arg(1)
	if first == nil {
		return []typeRef{t}, true
	}
	var drop func(p typeRef) (yes, known bool)
	switch t.node.Text {
	default:
		return []typeRef{t}, true
	case "NoInfer":
		return e.parts(t.at(first))
	case "Awaited":
		parts, known := e.parts(t.at(first))
		for i, p := range parts {
			if p.sym != nil && p.node != nil && (p.sym.name == "Promise" || p.sym.name == "PromiseLike") && p.node.HasArgs() {
				parts = slices.Clone(parts)
				parts[i] = p.at(p.node.Arg(0))
			}
		}
		if len(parts) == 1 {
			return e.parts(parts[0])
		}
		return parts, known
	case "InstanceType":
		made := e.constructed(t.at(first), t)
		if len(made) == 0 {
			return nil, false
		}
		return e.parts(allOf(made))
	case "NonNullable":
		drop = func(p typeRef) (bool, bool) {
			n := p.node
			return n != nil && (n.Kind == dts.Literal && n.Text == "null" || n.Kind == dts.Keyword && (n.Text == "undefined" || n.Text == "void")), true
		}
	case "Exclude", "Extract":
		if second == nil {
			return nil, false
		}
		from := t.at(second)
		if keys, ok := e.utilityKeys(t); ok {
			out := make([]typeRef, len(keys))
			for i, k := range keys {
				out[i] = literalOf(k)
			}
			return out, true
		}
		exclude := t.node.Text == "Exclude"
		members, sure := e.parts(from)
		in := map[string]bool{}
		others := members[:0:0]
		for _, w := range members {
			if k, ok := literal(w); ok {
				in[k] = true
			} else {
				others = append(others, w)
			}
		}
		drop = func(p typeRef) (bool, bool) {
			if k, ok := literal(p); ok && sure {
				if in[k] {
					return exclude, true
				}
				holds, known, _ := e.extendsAny(p, others)
				return holds == exclude, known
			}
			holds, known, _ := e.extends(p, from)
			if !known {
				return exclude && from.free(), false
			}
			return holds == exclude, true
		}
	}
	all, known := e.parts(t.at(first))
	out := make([]typeRef, 0, len(all))
	for _, p := range all {
		no, ok := drop(p)
		known = known && ok
		if !no {
			out = append(out, p)
		}
	}
	return out, known
}
