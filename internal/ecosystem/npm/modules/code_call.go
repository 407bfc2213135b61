package modules

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// signatures returns the call signatures of all parts of a type, or none if they are unknown.
func (c *Code) signatures(t typeRef) (all []call) {
	if t.unknown() {
		return nil
	}
	parts, ok := c.e.parts(t)
	if !ok {
		return nil
	}
	for i, p := range parts {
		if primitiveName(p) != "" || isNothing(p) {
			continue
		}
		calls := c.callsOf(p)
		for k := range calls {
			calls[k].part = i
		}
		all = append(all, calls...)
	}
	return all
}

func (c *Code) callsOf(p typeRef) []call {
	if p.compound != nil && p.compound.all {
		var all []call
		for _, q := range p.compound.parts {
			all = append(all, c.signatures(q)...)
		}
		return all
	}
	return c.e.calls(p, 0)
}

// maxArguments is greater than the number of arguments of a call.
const maxArguments = 1 << 20

// variables are the type parameters of a signature during a call.
type variables struct {
	names  []string
	given  bool // whether the call has type arguments
	args   int  // the number of arguments, or maxArguments if it is not known
	found  map[string][]typeRef
	unsure map[string]bool
}

// call evaluates a call.
func (c *Code) call(f *frame, x *dts.Expr) typeRef {
	callee := x.List[0]
	args := x.List[1:]
	if callee.Kind == dts.ExprSuper {
		c.all(f, args)
		return typeRef{}
	}
	t := c.expr(f, callee, typeRef{})
	var receiver typeRef
	if callee.Kind == dts.ExprMember {
		receiver = c.expr(f, callee.List[0], typeRef{})
	}
	signatures := c.signatures(t)
	if len(signatures) == 0 {
		c.all(f, args)
		if (f.file.conditions[x] || narrows().MatchString(callee.Text)) && !c.isAbsent(receiver, callee) {
			c.narrow(f, nil, "", args, x)
		}
		return typeRef{}
	}
	return c.results(f, signatures, x.Args, args, receiver, x)
}

// isAbsent reports whether a called method does not exist.
func (c *Code) isAbsent(receiver typeRef, callee *dts.Expr) bool {
	if callee.Kind != dts.ExprMember {
		return false
	}
	_, how := c.member(receiver, callee.Text)
	return how == missing
}

// results evaluates the arguments of a call and returns the union of the results of the signatures
// that may accept them.
func (c *Code) results(f *frame, signatures []call, typeArgs []*dts.Node, args []*dts.Expr, receiver typeRef, x *dts.Expr) typeRef {
	spread := slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread })
	var candidates []call
	for _, s := range signatures {
		if c.acceptsTypes(s, f, typeArgs) && (spread || c.accepts(s, args)) {
			candidates = append(candidates, s)
		}
	}
	if len(candidates) == 0 || len(candidates) > 60 {
		if len(candidates) == 0 {
			c.miscounted(f, signatures, args, x)
		}
		c.all(f, args)
		return c.commonResult(signatures)
	}
	if len(candidates) > 1 && !spread && candidates[0].part == candidates[len(candidates)-1].part && c.certain(f, candidates[0], args) {
		candidates = candidates[:1]
	}
	bound := make([]*variables, len(candidates))
	for i, s := range candidates {
		if bound[i] = c.typeParams(s, f, typeArgs); !spread {
			bound[i].args = len(args)
		}
	}
	for k, s := range candidates {
		if p := s.node.Child(dts.Param); p != nil && p.Text == "this" && p.Type() != nil && !receiver.unknown() && len(typeArgs) == 0 {
			c.infer(s.context.at(p.Type()), receiver, bound[k], 0)
		}
	}
	types := make([]typeRef, len(args))
	for i, a := range args {
		if a.Kind == dts.ExprSpread {
			c.all(f, a.List)
			for _, v := range bound {
				v.spoil()
			}
			continue
		}
		var want []typeRef
		for k, s := range candidates {
			if p := c.parameter([]call{c.with(s, bound[k])}, i, false); !p.unknown() && !slices.Contains(want, p) {
				want = append(want, p)
			} else if p.unknown() {
				want = nil
				break
			}
		}
		var context typeRef
		if len(want) > 0 && !spread {
			context = unionOf(want)
			switch {
			case len(typeArgs) > 0 || !slices.ContainsFunc(candidates, func(s call) bool { return c.generic(s, i) }):
				f.mark(a)
			case !slices.ContainsFunc(candidates, func(s call) bool { return c.inferredFrom(s, i) }):
				f.markFields(a)
			}
		}
		t := c.expr(f, a, context)
		types[i] = t
		for k, s := range candidates {
			if p := c.parameter([]call{s}, i, false); !p.unknown() && !spread && len(typeArgs) == 0 {
				c.infer(p, t, bound[k], 0)
			}
		}
	}
	var all []typeRef
	known, matched := true, -1 // matched is the part of which an overload accepts the arguments
	for k, s := range candidates {
		if s.part == matched {
			continue
		}
		fits := false
		if len(candidates) > 1 {
			var decided bool
			if fits, decided = c.fits(s, types); decided && !fits {
				continue
			}
		}
		n := s.node.Type()
		var t typeRef
		switch in := c.with(s, bound[k]); {
		case n == nil || n.Has(dts.FlagInferred):
			if t = c.inferredResult(s); f.file.conditions[x] && (t.unknown() || c.isPrimitive(t, "boolean")) {
				c.narrow(f, nil, "", args, x) // The compiler may infer a predicate.
			}
		case n.Kind == dts.Predicate:
			c.narrow(f, s.node, n.Text, args, x)
			t = c.keyword("boolean")
		case n.Kind == dts.Keyword && n.Text == "this":
			t = receiver
		default:
			t = in.context.at(n)
		}
		known = known && !t.unknown()
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
		if fits {
			matched = s.part // the compiler takes the first overload that accepts the arguments
		}
	}
	switch {
	case !known:
		return typeRef{}
	case len(all) == 0:
		return c.commonResult(candidates)
	}
	return unionOf(all)
}

// certain reports whether a signature certainly accepts the arguments of a call, which are known before the types of
// functions among them.
func (c *Code) certain(f *frame, s call, args []*dts.Expr) bool {
	list := s.params()
	for i, a := range args {
		if i >= len(list) || list[i].Has(dts.FlagRest) {
			return false
		}
		p := list[i]
		switch a.Kind {
		case dts.ExprFunc:
			if p.Type() == nil || !c.takesFunction(s.context.at(p.Type()), a) {
				return false
			}
		case dts.ExprLiteral, dts.ExprName, dts.ExprMember, dts.ExprThis:
			if accepts, known := c.acceptsType(s, p, c.expr(f, a, typeRef{})); !accepts || !known {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// takesFunction reports whether a function can be assigned to a type, because the type's own function ignores results and the
// function has no parameters with types.
func (c *Code) takesFunction(t typeRef, x *dts.Expr) bool {
	parts, ok := c.e.parts(t)
	if !ok || x.Type.Child(dts.TypeParam) != nil {
		return false
	}
	functions := 0
	for _, p := range parts {
		if isNothing(p) {
			continue
		}
		functions++
		calls := c.callsOf(p)
		if len(calls) != 1 || calls[0].node.Type() == nil {
			return false
		}
		if n := calls[0].node.Type(); n.Kind != dts.Keyword || n.Text != "void" && n.Text != "any" && n.Text != "unknown" {
			return false
		}
		count, rest := 0, false
		for _, q := range calls[0].params() {
			count++
			rest = rest || q.Has(dts.FlagRest)
		}
		if !rest && len(x.List)-1 > count {
			return false
		}
	}
	for _, q := range x.List[1:] {
		if n := q.Type; n.Type() != nil && !n.Type().Has(dts.FlagInferred) || n.Text == "this" {
			return false
		}
	}
	return functions == 1
}

// commonResult returns the type of the results of signatures if they have the same, although none of them accepts the
// arguments of a call.
func (c *Code) commonResult(signatures []call) (common typeRef) {
	for i, s := range signatures {
		n := s.node.Type()
		if n == nil || n.Has(dts.FlagInferred) || n.Kind == dts.Predicate || n.Kind == dts.Keyword && n.Text == "this" || s.mentionsVariable(n) {
			return typeRef{}
		}
		t := s.context.at(n)
		if i > 0 && c.e.shape(t) != c.e.shape(common) {
			return typeRef{}
		}
		common = t
	}
	return common
}

// acceptsTypes reports whether a signature may accept the type arguments of a call.
func (c *Code) acceptsTypes(s call, f *frame, args []*dts.Node) bool {
	if len(args) == 0 {
		return true
	}
	i := 0
	for p := range s.node.All(dts.TypeParam) {
		if i < len(args) {
			if k := p.Constraint(); k != nil && !s.mentionsVariable(k) {
				holds, known, _ := c.e.assignable(typeRef{node: args[i], scope: f.scope, env: f.env}, s.context.at(k))
				if known && !holds {
					return false
				}
			}
		} else if !hasDefault(p) {
			return false
		}
		i++
	}
	return len(args) <= i
}

// hasDefault reports whether a type parameter has a default.
func hasDefault(p *dts.Node) bool {
	for k := range p.Children() {
		if k.Has(dts.FlagDefault) {
			return true
		}
	}
	return false
}

// accepts reports whether a signature may accept the arguments of a call.
func (c *Code) accepts(s call, args []*dts.Expr) bool {
	params, minimum, rest := 0, 0, false
	list := make([]*dts.Node, 0, 4)
	for p := range s.node.All(dts.Param) {
		if p.Text == "this" {
			continue
		}
		list = append(list, p)
		params++
		if p.Has(dts.FlagRest) {
			rest = true
			params--
		} else if !p.Has(dts.FlagOptional) {
			minimum++
		}
	}
	if len(args) < minimum && !c.voidable(s, list[len(args):minimum]) || len(args) > params && !rest {
		return false
	}
	for i, a := range args {
		if i >= len(list) || list[i].Has(dts.FlagRest) || a.Kind != dts.ExprLiteral || a.Type.Kind != dts.Literal || list[i].Type() == nil {
			break
		}
		text, isString := literal(typeRef{node: a.Type})
		if !isString {
			break
		}
		want := cmp.Or(constraintOf(s.node, list[i].Type()), list[i].Type())
		if s.mentionsVariable(want) {
			continue
		}
		if keys, ok := c.e.keys(s.context.at(want)); ok && len(keys) > 0 && !slices.Contains(keys, text) {
			return false
		}
	}
	return true
}

// params returns the parameters of a signature, without that for this.
func (s call) params() []*dts.Node {
	return slices.DeleteFunc(params(s.node), func(p *dts.Node) bool { return p.Text == "this" })
}

// generic reports whether the type of a parameter contains type parameters of the signature.
func (c *Code) generic(s call, i int) bool {
	list := s.params()
	if i >= len(list) {
		return true
	}
	return s.mentionsVariable(list[i])
}

// mentionsVariable reports whether a type contains the name of a type parameter of the signature.
func (s call) mentionsVariable(n *dts.Node) bool {
	for v := range s.node.All(dts.TypeParam) {
		if contains(n, v.Text) {
			return true
		}
	}
	return false
}

// inferredFrom reports whether the type of a parameter may be inferred from the fields of the argument, so that it has all of
// them.
func (c *Code) inferredFrom(s call, i int) bool {
	list := s.params()
	if i >= len(list) || list[i].Has(dts.FlagRest) || list[i].Type() == nil {
		return true
	}
	return c.mayHaveAny(s.context.at(list[i].Type()), 0)
}

// mayHaveAny reports whether a type may have any fields, depending on type arguments that are not known.
func (c *Code) mayHaveAny(t typeRef, depth int) bool {
	if t.node == nil || depth > maxNesting || !c.r.check() {
		return true
	}
	switch n := t.node; n.Kind {
	case dts.Union, dts.Intersection:
		for k := range n.Children() {
			if c.mayHaveAny(t.at(k), depth+1) {
				return true
			}
		}
		return false
	case dts.Paren:
		return c.mayHaveAny(t.at(n.Inner()), depth+1)
	case dts.TypeLiteral, dts.FuncType, dts.Keyword, dts.Literal, dts.Array:
		return false
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return c.mayHaveAny(v, depth+1)
		}
		sym := c.r.target(c.r.entity(t.scope, n.Text, typeMeaning))
		if sym == nil {
			return true // It may be a type parameter.
		}
		for _, d := range sym.decls {
			if d.node.Kind == dts.TypeAlias {
				return c.mayHaveAny(typeRef{node: d.node.Type(), scope: d.scope, env: c.e.bind(d, n, t)}, depth+1)
			}
		}
		return !isClassOrInterface(sym) || c.e.extendsParameter(sym)
	}
	return true
}

// fits reports whether a signature accepts arguments of the given types. It returns false for decided
// if that is not certain.
func (c *Code) fits(s call, args []typeRef) (fits, decided bool) {
	list := params(s.node)
	if len(list) > 0 && list[0].Text == "this" {
		return false, false
	}
	fits = true
	for i, t := range args {
		holds, known := false, false
		if i < len(list) {
			holds, known = c.acceptsType(s, list[i], t)
		}
		if known && !holds {
			return false, true
		}
		fits = fits && known
	}
	return fits, fits
}

// acceptsType reports whether the parameter p of a signature accepts a value of type t. It returns
// false for known if that is not certain.
func (c *Code) acceptsType(s call, p *dts.Node, t typeRef) (accepts, known bool) {
	if p.Has(dts.FlagRest) || p.Type() == nil || t.unknown() || isAny(c.e.shape(t)) {
		return false, false
	}
	for v := range s.node.All(dts.TypeParam) {
		if contains(p.Type(), v.Text) {
			return false, false
		}
	}
	want := s.context.at(p.Type())
	if isAny(c.e.shape(want)) {
		return true, true
	}
	if shape := c.e.shape(t); c.interfaceOf(shape) == "Function" || shape.compound != nil || shape.node != nil && (shape.node.Kind == dts.TypeLiteral || shape.node.Kind == dts.Intersection) {
		return false, false // The types of fields in a literal may be wider than in the program.
	}
	accepts, known, _ = c.e.assignable(t, want)
	if known && !accepts {
		parts, ok := c.e.parts(want)
		known = ok && c.isPrimitive(t, primitiveName(c.e.shape(t))) &&
			!slices.ContainsFunc(parts, func(q typeRef) bool { return primitiveName(q) == "" && !isNothing(q) })
	}
	return accepts, known
}

// voidable reports whether arguments may be omitted because the parameters accept void.
func (c *Code) voidable(s call, list []*dts.Node) bool {
	for _, p := range list {
		if p.Type() == nil {
			return false
		}
		parts, ok := c.e.parts(s.context.at(p.Type()))
		if ok && !slices.ContainsFunc(parts, func(t typeRef) bool {
			return t.node != nil && t.node.Kind == dts.Keyword && (t.node.Text == "void" || t.node.Text == "any" || t.node.Text == "unknown")
		}) {
			return false
		}
	}
	return true
}

// constraintOf returns the constraint of a type parameter of a signature.
func constraintOf(n, t *dts.Node) *dts.Node {
	if t.Kind != dts.Ref || t.HasArgs() {
		return nil
	}
	for p := range n.All(dts.TypeParam) {
		if p.Text == t.Text {
			return p.Constraint()
		}
	}
	return nil
}

// typeParams returns the type parameters of a signature, with the type arguments of a call.
func (c *Code) typeParams(s call, f *frame, args []*dts.Node) *variables {
	v := &variables{given: len(args) > 0, args: maxArguments}
	i := 0
	for p := range s.node.All(dts.TypeParam) {
		if i == 0 {
			v.found, v.unsure = map[string][]typeRef{}, map[string]bool{}
		}
		v.names = append(v.names, p.Text)
		if i < len(args) {
			v.found[p.Text] = []typeRef{{node: args[i], scope: f.scope, env: f.env}}
		}
		i++
	}
	return v
}

// spoil makes the types of all parameters unknown.
func (v *variables) spoil() {
	for _, name := range v.names {
		v.unsure[name] = true
	}
}

// with returns a signature whose type parameters are bound to what is known about them.
func (c *Code) with(s call, v *variables) call {
	if len(v.names) == 0 {
		return s
	}
	env := s.context.env
	for p := range s.node.All(dts.TypeParam) {
		var t typeRef
		found := v.found[p.Text]
		switch {
		case v.unsure[p.Text]:
		case len(found) > 0:
			t = unionOf(found)
		case v.given || !mentions(s.node, p.Text, v.args):
			for k := range p.Children() {
				if k.Has(dts.FlagDefault) || t.node == nil && !v.given {
					t = typeRef{node: k, scope: s.context.scope, env: env}
				}
			}
		}
		env = c.r.memo.bind(p.Text, t, env)
	}
	s.context.env = env
	return s
}

// resultOf returns the type of the result of a signature.
func (c *Code) resultOf(s call) typeRef {
	n := s.node.Type()
	if n == nil || n.Has(dts.FlagInferred) {
		return c.inferredResult(s)
	}
	if n.Kind == dts.Predicate {
		return c.keyword("boolean")
	}
	return s.context.at(n)
}

// inferredResult infers the result of a function of the project from its body.
func (c *Code) inferredResult(s call) typeRef {
	place := c.placeOf(s.context.scope, s.node)
	if place.x == nil || place.x.Kind != dts.ExprFunc {
		return typeRef{}
	}
	t := c.body(place.f, place.x, typeRef{})
	if s.node.Child(dts.TypeParam) != nil {
		return typeRef{} // The result may depend on the type parameters.
	}
	return c.inferredIn(place.f, t)
}

// construct evaluates new X(…).
func (c *Code) construct(f *frame, x *dts.Expr) typeRef {
	t := c.expr(f, x.List[0], typeRef{})
	args := x.List[1:]
	if t.unknown() {
		c.all(f, args)
		return typeRef{}
	}
	shape := c.e.shape(t)
	if shape.node != nil && shape.node.Kind == dts.TypeQuery {
		sym := c.r.target(c.r.entity(shape.scope, shape.node.Text, valueMeaning))
		if sym == nil || !isClass(sym) {
			c.all(f, args)
			return typeRef{}
		}
		return c.instance(f, sym, x)
	}
	signatures := c.constructors(shape)
	if len(signatures) == 0 {
		c.all(f, args)
		return typeRef{}
	}
	return c.results(f, signatures, x.Args, args, typeRef{}, x)
}

// constructors returns the signatures with which a value that is no class constructs objects.
func (c *Code) constructors(t typeRef) (signatures []call) {
	if t.sym != nil {
		for _, u := range c.e.members(t.sym).unnamed {
			for _, d := range u.decls {
				if d.node.Kind == dts.NewSig {
					signatures = append(signatures, call{node: d.node, context: typeRef{scope: d.scope, env: c.e.envOf(u, t)}})
				}
			}
		}
	} else if t.node != nil && t.node.Kind == dts.TypeLiteral {
		for k := range t.node.All(dts.NewSig) {
			signatures = append(signatures, call{node: k, context: t})
		}
	}
	return signatures
}

// instance evaluates new X(…), where X is a class.
func (c *Code) instance(f *frame, sym *symbol, x *dts.Expr) typeRef {
	var params []*dts.Node
	var class decl
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class {
			class = d
			for p := range d.node.All(dts.TypeParam) {
				params = append(params, p)
			}
			break
		}
	}
	var signatures []call
	own := true // whether the class does not inherit its constructor
	for _, u := range c.e.members(sym).unnamed {
		for _, d := range visible(u.decls) {
			if d.node.Kind == dts.Constructor {
				own = own && u.owner == sym
				s := call{node: d.node, context: typeRef{scope: d.scope}}
				if u.owner != sym {
					s.context.env = c.e.envOf(u, typeRef{sym: sym})
				}
				signatures = append(signatures, s)
			}
		}
	}
	args := x.List[1:]
	if len(params) == 0 || len(x.Args) > 0 {
		var given []typeRef
		for _, a := range x.Args {
			given = append(given, typeRef{node: a, scope: f.scope, env: f.env})
		}
		env := c.e.bind(class, nil, typeRef{})
		for i, p := range params {
			if i < len(given) {
				env = c.r.memo.bind(p.Text, given[i], env)
			}
		}
		for i := range signatures {
			if signatures[i].context.env == nil {
				signatures[i].context.env = env
			}
		}
		if len(signatures) > 0 {
			c.results(f, signatures, nil, args, typeRef{}, x)
		} else {
			c.all(f, args)
		}
		for i := len(given); i < len(params); i++ {
			var t typeRef
			for k := range params[i].Children() {
				if k.Has(dts.FlagDefault) {
					t = typeRef{node: k, scope: class.scope, env: env}
				}
			}
			given = append(given, t)
		}
		if len(params) == 0 {
			return c.refer(sym, nil)
		}
		return c.refer(sym, given)
	}
	// The constructor's parameters determine the type arguments.
	if len(signatures) > 0 && !slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread }) {
		c.miscounted(f, signatures, args, x)
	}
	count := len(args)
	if slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread }) {
		count = maxArguments
	}
	// defaultOf returns the default of a type parameter on which the arguments do not depend.
	defaultOf := func(p *dts.Node) (t typeRef) {
		if slices.ContainsFunc(signatures, func(s call) bool { return mentions(s.node, p.Text, count) }) {
			return t
		}
		for k := range p.Children() {
			if k.Has(dts.FlagDefault) {
				t = typeRef{node: k, scope: class.scope}
			}
		}
		return t
	}
	if len(signatures) != 1 {
		c.all(f, args)
		var given []typeRef
		for _, p := range params {
			given = append(given, defaultOf(p))
		}
		return c.refer(sym, given)
	}
	s := signatures[0]
	v := &variables{found: map[string][]typeRef{}, unsure: map[string]bool{}}
	for _, p := range params {
		v.names = append(v.names, p.Text)
	}
	for i, a := range args {
		if a.Kind == dts.ExprSpread {
			c.all(f, a.List)
			v.spoil()
			continue
		}
		bound := s
		env := s.context.env
		for _, name := range v.names {
			var t typeRef
			if len(v.found[name]) > 0 && !v.unsure[name] {
				t = unionOf(v.found[name])
			}
			env = c.r.memo.bind(name, t, env)
		}
		bound.context.env = env
		if own && !c.inferredFrom(s, i) {
			f.markFields(a)
		}
		t := c.expr(f, a, c.parameter([]call{bound}, i, false))
		if p := c.parameter([]call{s}, i, false); !p.unknown() {
			c.infer(p, t, v, 0)
		}
	}
	var given []typeRef
	for _, p := range params {
		var t typeRef
		switch {
		case v.unsure[p.Text]:
		case len(v.found[p.Text]) > 0:
			t = unionOf(v.found[p.Text])
		default:
			t = defaultOf(p)
		}
		given = append(given, t)
	}
	return c.refer(sym, given)
}
