package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// narrowing contains the paths of values, such as "a.b", whose types the code of a function may narrow to more specific ones.
// The types of paths in refined are known in a part of the function; those of other paths are not.
type narrowing struct {
	paths    map[string]bool
	obscured map[string]bool // paths that code narrows in ways that facts do not show, such as "a" in x
	refined  map[string]typeRef
	// widened contains the types that a condition of a call may give a value, in addition to its own type.
	widened map[string][]typeRef
	part    bool // whether it belongs to a part of a function
	depth   int  // the number of enclosing parts
	outer   *narrowing
}

// maxNarrowedParts is the maximum number of parts of functions, one in the other, in which types are narrowed.
const maxNarrowedParts = 64

// newNarrowing returns the narrowing of a function in the code to which outer belongs.
func newNarrowing(outer *narrowing) *narrowing {
	return &narrowing{paths: map[string]bool{}, obscured: map[string]bool{}, outer: outer}
}

// find returns the type to which a condition narrows the value at a path. hidden is true if the type is not known because
// other code may narrow it.
func (n *narrowing) find(path string) (refined typeRef, hidden bool) {
	for inner := true; n != nil; n = n.outer {
		if n.paths[path] {
			return typeRef{}, true
		}
		if t, ok := n.refined[path]; ok && inner {
			return t, false
		}
		inner = inner && n.part // a function within the part may be called later
	}
	return typeRef{}, false
}

// enclosing returns the type to which the conditions around a part of the code narrow the value at a path. It is unknown if
// there are no such conditions. obscured is true if other code may narrow the value, too.
func (n *narrowing) enclosing(path string) (refined typeRef, obscured bool) {
	for ; n != nil; n = n.outer {
		if n.obscured[path] {
			return typeRef{}, true
		}
		if refined.unknown() {
			refined = n.refined[path]
		}
	}
	return refined, false
}

// obscure records that the code of a function narrows the type of the value at a path in a way that facts do not show.
func (n *narrowing) obscure(path string) {
	if path != "" {
		n.hide(path)
		n.obscured[path] = true
	}
}

// hides reports whether the type of the value at a path is not known because code may narrow it.
func (n *narrowing) hides(path string) bool {
	if path == "" {
		return false
	}
	_, hidden := n.find(path)
	return hidden
}

// wider returns the types that calls may give the value at a path, in addition to the one that is known for it.
func (n *narrowing) wider(path string) (types []typeRef) {
	for inner := true; n != nil && path != ""; n = n.outer {
		types = append(types, n.widened[path]...)
		if _, ok := n.refined[path]; ok && inner {
			break
		}
		inner = inner && n.part
	}
	return types
}

// widen records that a condition of a call may give the value at a path a type.
func (n *narrowing) widen(path string, t typeRef) {
	for ; n != nil && path != ""; n = n.outer {
		if n.widened == nil {
			n.widened = map[string][]typeRef{}
		}
		if len(n.widened[path]) >= maxConditions {
			n.hide(path)
		} else if !slices.Contains(n.widened[path], t) {
			n.widened[path] = append(n.widened[path], t)
		}
		if !n.part {
			return
		}
	}
}

// hide records that the code of a function may narrow the type of the value at a path.
func (n *narrowing) hide(path string) {
	for ; n != nil && path != ""; n = n.outer {
		if n.paths[path] = true; !n.part {
			return
		}
	}
}

// maxConditions is the maximum number of operands of a condition that narrow types.
const maxConditions = 16

// fact is what a condition reveals about a value.
type fact struct {
	value *dts.Expr
	typ   typeRef
}

// narrowed returns the context of the code that runs if a condition holds, or if it does not hold. There, the types of some
// values are known to be more specific.
func (c *Code) narrowed(f *frame, cond *dts.Expr, holds bool, code ...*dts.Expr) *frame {
	var facts []fact
	c.facts(f, cond, holds, &facts, maxConditions)
	part := &narrowing{paths: map[string]bool{}, obscured: map[string]bool{}, part: true, depth: f.depth + 1, outer: f.narrowing}
	f.findObscured(part, cond, holds, facts)
	refined := map[string]typeRef{}
	for _, k := range facts {
		path := pathOf(k.value)
		if path == "" || part.obscured[path] || slices.ContainsFunc(code, func(x *dts.Expr) bool { return assignsTo(x, path) }) {
			continue
		}
		of := c.unrefined(f, k.value)
		if first, ok := refined[path]; ok {
			of = first
		}
		if !of.unknown() {
			refined[path] = c.refinement(of, k.typ)
		}
	}
	if len(refined)+len(part.obscured) == 0 {
		return f
	}
	if f.depth >= maxNarrowedParts {
		for path := range refined {
			f.obscure(path)
		}
		return f
	}
	part.refined = refined
	in := *f
	in.narrowing = part
	for _, x := range code {
		in.findNarrowed(x)
	}
	return &in
}

// refinement returns the type of a value of type t that is known to be of another type.
func (c *Code) refinement(t, to typeRef) typeRef {
	if isAny(t) || t.node != nil && t.node.Kind == dts.Keyword && t.node.Text == "unknown" || c.isSubclass(to, t) {
		return to
	}
	if parts := c.chosenParts(t, to); len(parts) > 0 {
		return unionOf(parts)
	}
	if !isNothing(to) {
		if p := c.present(t); !p.unknown() {
			t = p
		}
	}
	return allOf([]typeRef{t, to})
}

// chosenParts returns the parts of the union t that are of the type to, if that has only classes and interfaces of these parts.
func (c *Code) chosenParts(t, to typeRef) (chosen []typeRef) {
	all, ok := c.e.parts(t)
	parts, known := c.e.parts(to)
	if !ok || !known || len(all) < 2 {
		return nil
	}
	for _, p := range parts {
		i := slices.IndexFunc(all, func(q typeRef) bool { return p.sym != nil && q.sym == p.sym && isClassOrInterface(p.sym) })
		if i < 0 {
			return nil
		}
		if !slices.Contains(chosen, all[i]) {
			chosen = append(chosen, all[i])
		}
	}
	return chosen
}

// isSubclass reports whether a class or an interface has all members of another one because it extends it.
func (c *Code) isSubclass(t, base typeRef) bool {
	t, base = c.e.shape(t), c.e.shape(base)
	if t.sym == nil || base.sym == nil {
		return false
	}
	_, found := c.e.inherited(t, base.sym, 0)
	return found
}

// findObscured records the values whose types a condition that holds, or does not hold, narrows in ways that the facts about
// it do not show.
func (f *frame) findObscured(part *narrowing, x *dts.Expr, holds bool, facts []fact) {
	if x == nil || x.Kind == dts.ExprFunc || x.Kind == dts.ExprClass {
		return
	}
	isFact := func(v *dts.Expr) bool {
		return slices.ContainsFunc(facts, func(k fact) bool { return k.value == v })
	}
	switch {
	case x.Kind == dts.ExprUnary && x.Text == "!":
		holds = !holds
	case x.Kind == dts.ExprBinary && (x.Text == "&&" || x.Text == "||"):
	case x.Kind == dts.ExprBinary && x.Text == "instanceof":
		if holds && !isFact(x.List[0]) {
			part.obscure(pathOf(x.List[0]))
		}
		return
	case x.Kind == dts.ExprBinary && x.Text == "in":
		if holds {
			part.obscure(pathOf(x.List[1]))
		}
		return
	case x.Kind == dts.ExprCall && f.file.predicates[x]:
		values := slices.Clone(x.List[1:])
		if callee := x.List[0]; callee.Kind == dts.ExprMember {
			values = append(values, callee.List[0])
		}
		if !holds || slices.ContainsFunc(values, isFact) {
			return
		}
		for _, v := range values {
			part.obscure(pathOf(v))
		}
		return
	default:
		holds = true
	}
	for _, k := range x.List {
		f.findObscured(part, k, holds, facts)
	}
}

// facts adds what a condition reveals if it holds, or if it does not hold.
func (c *Code) facts(f *frame, cond *dts.Expr, holds bool, all *[]fact, max int) {
	if cond == nil || max == 0 {
		return
	}
	switch cond.Kind {
	case dts.ExprUnary:
		if cond.Text == "!" {
			c.facts(f, cond.List[0], !holds, all, max-1)
		}
	case dts.ExprBinary:
		switch {
		case cond.Text == "&&" && holds, cond.Text == "||" && !holds:
			c.facts(f, cond.List[0], holds, all, max-1)
			c.facts(f, cond.List[1], holds, all, max-1)
		case cond.Text == "instanceof" && holds:
			if t := c.instanceOf(c.expr(f, cond.List[1], typeRef{})); !t.unknown() {
				*all = append(*all, fact{cond.List[0], t})
			}
		}
	case dts.ExprCall:
		if holds {
			c.predicate(f, cond, all)
		}
	}
}

// instanceOf returns the type of the instances of a class, or of a value that constructs them.
func (c *Code) instanceOf(t typeRef) typeRef {
	if t.unknown() {
		return t
	}
	shape := c.e.shape(t)
	if sym := c.classOf(shape); sym != nil {
		return c.refer(sym, nil)
	}
	if shape.node != nil && shape.node.Kind == dts.TypeQuery {
		return typeRef{}
	}
	v, how := c.member(t, "prototype")
	if sym := c.e.shape(v).sym; how != exists || sym == nil || sym.name == "Object" || sym.name == "Function" {
		return typeRef{}
	}
	return v
}

// predicate adds what the result of a call of a function such as isDoor(x): x is Door reveals.
func (c *Code) predicate(f *frame, x *dts.Expr, all *[]fact) {
	var value *dts.Expr
	var types []typeRef
	for _, s := range c.signatures(c.expr(f, x.List[0], typeRef{})) {
		n := s.node.Type()
		if n == nil || n.Kind != dts.Predicate || n.Type() == nil {
			return
		}
		tested := testedValue(s, n, x)
		if tested == nil || value != nil && tested != value {
			return
		}
		value = tested
		v := c.typeParams(s, f, x.Args)
		v.args = len(x.List) - 1
		t := c.with(s, v, false).context.at(n.Type())
		if t.unknown() {
			return
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	if len(types) > 0 {
		*all = append(*all, fact{value, unionOf(types)})
	}
}

// testedValue returns the value that the predicate of a called signature is about, or nil.
func testedValue(s call, predicate *dts.Node, x *dts.Expr) *dts.Expr {
	if predicate.Text == "this" {
		if x.List[0].Kind == dts.ExprMember {
			return x.List[0].List[0]
		}
		return nil
	}
	i := slices.IndexFunc(s.params(), func(p *dts.Node) bool { return p.Text == predicate.Text })
	if i < 0 || i+1 >= len(x.List) || slices.ContainsFunc(x.List[1:], func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread }) {
		return nil
	}
	return x.List[i+1]
}

// unrefined returns the type of a name or member without what conditions of the function reveal, except those that are
// known to hold.
func (c *Code) unrefined(f *frame, x *dts.Expr) typeRef {
	if refined, obscured := f.enclosing(pathOf(x)); obscured || !refined.unknown() {
		return refined
	}
	switch x.Kind {
	case dts.ExprName:
		return c.symbolType(c.r.find(f.scope, x.Text, valueMeaning))
	case dts.ExprMember:
		t, _ := c.member(c.expr(f, x.List[0], typeRef{}), x.Text)
		return t
	}
	return typeRef{}
}

// assignsTo reports whether code may assign a value to a path or to one of the values before it.
func assignsTo(x *dts.Expr, path string) bool {
	if x == nil {
		return false
	}
	if x.Kind == dts.ExprAssign {
		if k := x.List[0].Kind; k == dts.ExprObject || k == dts.ExprArray {
			return true
		}
		if target := pathOf(x.List[0]); target != "" && (target == path || strings.HasPrefix(path, target+".") || strings.HasPrefix(path, target+"[")) {
			return true
		}
	}
	return slices.ContainsFunc(x.List, func(k *dts.Expr) bool { return assignsTo(k, path) })
}

// leaves reports whether a statement does not end with the next statement.
func leaves(x *dts.Expr) bool {
	switch {
	case x == nil:
		return false
	case x.Kind == dts.StmtBlock:
		return len(x.List) > 0 && leaves(x.List[len(x.List)-1])
	case x.Kind == dts.StmtOther:
		return x.Text == "throw" || x.Text == "jump"
	}
	return x.Kind == dts.StmtReturn
}

// narrow records that a call may narrow the types of its arguments, or of the value whose method it
// calls. n is the called function, and name what its result is a predicate for; they are nil and
// empty if they are unknown.
func (c *Code) narrow(f *frame, n *dts.Node, name string, args []*dts.Expr, x *dts.Expr) {
	if name == "this" {
		args = nil
		if x.List[0].Kind == dts.ExprMember {
			args = x.List[0].List[:1]
		}
	} else if n != nil && name != "" {
		list := slices.DeleteFunc(params(n), func(p *dts.Node) bool { return p.Text == "this" })
		i := slices.IndexFunc(list, func(p *dts.Node) bool { return p.Text == name })
		if i >= 0 && i < len(args) && !list[i].Has(dts.FlagRest) {
			args = args[i : i+1]
		}
	}
	f.file.predicates[x] = true
	for _, a := range args {
		if f.file.conditions[x] {
			f.hide(pathOf(a))
		} else { // It is an assertion, or a variable contains the result.
			f.obscure(pathOf(a))
		}
	}
}

// narrowTo records that a call may narrow the type of a value to another one, if its result is a condition.
func (c *Code) narrowTo(f *frame, value *dts.Expr, to typeRef) {
	path := pathOf(value)
	if path == "" {
		return
	}
	t := c.unrefined(f, value)
	if t.unknown() {
		f.hide(path)
	} else if len(c.chosenParts(t, to)) == 0 {
		f.widen(path, c.refinement(t, to))
	}
}

// maxPath is the maximum number of parts of a chain that pathOf returns. Building the path of each part of a longer chain
// would take quadratic time.
const maxPath = 100

// pathOf returns a chain of names and constant keys, such as "a.b", "this.a" or "a[0]", or "" for another expression and for
// a chain of more than maxPath parts.
func pathOf(x *dts.Expr) string { return pathWithin(x, maxPath) }

func pathWithin(x *dts.Expr, parts int) string {
	if parts == 0 {
		return ""
	}
	switch x.Kind {
	case dts.ExprName:
		return x.Text
	case dts.ExprThis:
		return "this"
	case dts.ExprNonNull:
		return pathWithin(x.List[0], parts)
	case dts.ExprMember:
		if inner := pathWithin(x.List[0], parts-1); inner != "" {
			return inner + "." + x.Text
		}
	case dts.ExprIndex:
		key := pathWithin(x.List[1], parts-1)
		if k := x.List[1]; k.Kind == dts.ExprLiteral && k.Type != nil {
			key = k.Type.Text
		}
		if inner := pathWithin(x.List[0], parts-1); inner != "" && key != "" {
			return inner + "[" + key + "]"
		}
	}
	return ""
}

// narrows matches the name of a function that may reveal more about the type of its argument.
var narrows = lazyregexp.New(`(?i)^(is|has|as|can|assert|invariant|ensure|check|expect|guard|verify|in|instance|must|should|validate|supports)`)

// findAssigned records the values to which code assigns others. In JavaScript, these may have other
// types.
func (f *frame) findAssigned(x *dts.Expr) {
	if x == nil {
		return
	}
	if x.Kind == dts.ExprAssign {
		f.hide(pathOf(x.List[0]))
	}
	for _, k := range x.List {
		f.findAssigned(k)
	}
}

// findNarrowed records the values whose types the code of a function may narrow to more specific
// ones.
func (f *frame) findNarrowed(x *dts.Expr) {
	if x == nil || x.Kind == dts.ExprFunc || x.Kind == dts.ExprClass {
		return
	}
	switch {
	case x.Kind == dts.ExprBinary && x.Text == "instanceof":
		f.hide(pathOf(x.List[0]))
	case x.Kind == dts.ExprBinary && x.Text == "in":
		f.hide(pathOf(x.List[1]))
	case x.Kind == dts.StmtVar:
		for _, b := range x.List {
			if v := b.List[1]; v != nil && (v.Kind == dts.ExprBinary || v.Kind == dts.ExprUnary) {
				f.findObscured(f.narrowing, v, true, nil) // as in const ok = x instanceof C
			}
		}
	case x.Kind == dts.ExprMember && x.Text == "constructor":
		f.obscure(pathOf(x.List[0]))
	case x.Kind == dts.ExprUnary && x.Text == "!", x.Kind == dts.ExprConditional, x.Kind == dts.ExprBinary && (x.Text == "&&" || x.Text == "||"), x.Kind == dts.StmtOther && len(x.List) > 1:
		for _, cond := range x.List {
			for cond != nil && cond.Kind == dts.ExprUnary {
				cond = cond.List[0]
			}
			if cond != nil && cond.Kind == dts.ExprCall {
				f.file.conditions[cond] = true
			}
		}
	}
	for _, k := range x.List {
		f.findNarrowed(k)
	}
}
