package modules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// mark records the object literals in an expression whose fields the compiler compares with the type
// that the context requires.
func (f *frame) mark(x *dts.Expr) {
	if x == nil {
		return
	}
	switch x.Kind {
	case dts.ExprObject:
		f.file.fresh[x] = true
		if spreads(x) {
			return // The values may have the fields in which literals within the literal differ.
		}
		for _, p := range x.List {
			if len(p.List) > 0 {
				f.mark(p.List[0])
			}
		}
	case dts.ExprArray:
		for _, e := range x.List {
			f.mark(e)
		}
	}
}

// markFields records that the compiler compares the fields of an object literal with the type that the context requires, but
// perhaps not those of the literals within it.
func (f *frame) markFields(x *dts.Expr) {
	if x.Kind == dts.ExprObject {
		f.file.fresh[x] = true
	}
}

// spreads reports whether an object or array literal contains the properties or elements of another value.
func spreads(x *dts.Expr) bool {
	return slices.ContainsFunc(x.List, func(p *dts.Expr) bool { return p != nil && p.Kind == dts.ExprSpread })
}

// spreadsObjects reports whether all values whose properties an object literal contains are objects of known types. The
// compiler compares no fields of a literal with the properties of a value of any type, or of a type parameter.
func (c *Code) spreadsObjects(f *frame, x *dts.Expr) bool {
	return !slices.ContainsFunc(x.List, func(p *dts.Expr) bool {
		if p.Kind != dts.ExprSpread {
			return false
		}
		t := c.expr(f, p.List[0], typeRef{})
		parts, ok := c.e.parts(t)
		return !ok || !c.e.settled(t, 0) || slices.ContainsFunc(parts, isTop)
	})
}

// compareFields records the fields of an object literal that the type want does not have, or those that it requires but the
// literal lacks.
func (c *Code) compareFields(f *frame, x *dts.Expr, want typeRef) {
	if !f.file.fresh[x] || want.unknown() || !c.spreadsObjects(f, x) {
		return
	}
	if excess := c.excess(x, want); len(excess) > 0 {
		c.reportExcess(f, x, excess, want)
		return
	}
	if lacking := c.lacking(x, want); len(lacking) > 0 {
		name, pkg := c.findingOwner(want)
		c.reportLacking(f, x, cmp.Or(name, "the object literal"), pkg, lacking, want)
	}
}

// excess returns the fields of an object literal that the type want does not have.
func (c *Code) excess(x *dts.Expr, want typeRef) (excess []*dts.Expr) {
	if !c.lists(want) {
		return nil
	}
	for _, p := range x.List {
		if p.Text == "" || isLiteral(p.Text) {
			continue // The type may have an index signature for numbers.
		}
		if _, how := c.member(want, p.Text); how == missing {
			excess = append(excess, p)
		}
	}
	return excess
}

func (c *Code) reportExcess(f *frame, x *dts.Expr, excess []*dts.Expr, want typeRef) {
	for _, p := range excess {
		u := MemberUse{Offset: int(p.Pos), Name: p.Text, Absent: true, Field: true, Literal: [2]int{int(x.List[0].Pos), int(x.List[len(x.List)-1].Pos)}}
		u.Owner, u.Package = c.findingOwner(want)
		u.Members, u.Types = c.memberNames(want)
		f.file.uses = append(f.file.uses, u)
		f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing})
	}
}

// lacking returns the names of fields that the type want requires, but an object literal lacks. If there are several types,
// it returns those of the type that requires the fewest others.
func (c *Code) lacking(x *dts.Expr, want typeRef) (lacking []string) {
	given := map[string]bool{}
	for _, p := range x.List {
		if p.Text == "" || p.Kind == dts.ExprSpread {
			return nil
		}
		given[p.Text] = true
	}
	parts, ok := c.e.parts(want)
	if !ok {
		return nil
	}
	for _, p := range parts {
		if isNothing(p) || primitiveName(p) != "" || c.interfaceOf(p) == "Function" {
			continue
		}
		if isAny(p) || p.sym != nil && isClass(p.sym) || c.isComputed(p, 0) {
			return nil
		}
		guesses, cut := c.e.guesses, c.e.cut
		set, ok := c.e.props(p)
		if !ok || c.e.guesses != guesses || c.e.cut != cut {
			return nil
		}
		var names []string
		for _, q := range set.order {
			if given[q.name] || q.optional() {
				continue
			}
			if _, how := c.globalMember("Object", q.name); how == missing {
				names = append(names, q.name)
			}
		}
		if len(names) == 0 {
			return nil
		}
		if lacking == nil || len(names) < len(lacking) {
			lacking = names
		}
	}
	return lacking
}

// isComputed reports whether a type has properties that a mapped type computes, which may be optional for reasons that are not
// known.
func (c *Code) isComputed(t typeRef, depth int) bool {
	if t.node == nil || depth > maxNesting {
		return t.compound != nil
	}
	switch t.node.Kind {
	case dts.Conditional, dts.Indexed:
		return true
	case dts.Mapped:
		m := t.node.Mapping()
		if of, ok := c.e.keyofOperand(t.at(m.Keys)); ok && m.As == nil {
			return c.isComputed(c.e.shape(of), depth+1)
		}
		return m.As != nil || m.Value.Is(dts.Indexed) || !isLiterals(t.at(m.Keys))
	case dts.Intersection:
		for k := range t.node.Children() {
			if c.isComputed(c.e.shape(t.at(k)), depth+1) {
				return true
			}
		}
	}
	return false
}

// isLiterals reports whether a type is a literal, or a union of literals.
func isLiterals(t typeRef) bool {
	switch {
	case t.isLit || t.node.Is(dts.Literal):
		return true
	case t.compound != nil && !t.compound.all:
		return !slices.ContainsFunc(t.compound.parts, func(p typeRef) bool { return !isLiterals(p) })
	case !t.node.Is(dts.Union):
		return false
	}
	for k := range t.node.Children() {
		if !k.Is(dts.Literal) {
			return false
		}
	}
	return true
}

// maxLacking is the maximum number of fields that a finding names.
const maxLacking = 5

func (c *Code) reportLacking(f *frame, x *dts.Expr, name string, pkg *Package, lacking []string, want typeRef) {
	more := ""
	if n := len(lacking) - maxLacking; n > 0 {
		lacking, more = lacking[:maxLacking], fmt.Sprintf(" and %d more", n)
	}
	u := MemberUse{Offset: int(x.Pos), Name: name, Package: pkg, Arguments: "it requires " + strings.Join(lacking, ", ") + more}
	_, u.Types = c.memberNames(want)
	f.file.uses = append(f.file.uses, u)
	f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing})
}

// lists reports whether all parts of a type that objects may have are objects with known fields. The
// compiler allows any field if the type has none.
func (c *Code) lists(t typeRef) bool {
	parts, ok := c.e.parts(t)
	if !ok {
		return false
	}
	objects := 0
	for _, p := range parts {
		if isNothing(p) || primitiveName(p) != "" || c.interfaceOf(p) == "Function" {
			continue
		}
		if set, ok := c.e.props(p); !ok || set.open || len(set.order) == 0 {
			return false
		}
		objects++
	}
	return objects > 0
}

// miscounted records a call with a number of arguments that none of the signatures accepts.
func (c *Code) miscounted(f *frame, signatures []call, args []*dts.Expr, x *dts.Expr) {
	problem := ""
	for _, s := range signatures {
		if problem = c.miscount(s, len(args)); problem == "" {
			return
		}
	}
	if len(signatures) > 1 {
		problem = fmt.Sprintf("none of its %d declarations accepts %d arguments", len(signatures), len(args))
	}
	c.reportCall(f, x, problem)
}

// reportCall records what is wrong with the arguments of a call.
func (c *Code) reportCall(f *frame, x *dts.Expr, problem string) {
	callee := x.List[0]
	object, name := callee, "the function"
	switch callee.Kind {
	case dts.ExprName:
		name = callee.Text
	case dts.ExprMember:
		object, name = callee.List[0], callee.Text
	case dts.ExprSuper:
		name = "super"
	}
	f.file.uses = append(f.file.uses, MemberUse{Offset: int(callee.Pos), Name: name, Arguments: problem})
	f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing, path: pathOf(object)})
}

// slot is a parameter of a signature, or an element of the tuple that is the type of its rest parameter.
type slot struct {
	name     string
	typ      typeRef
	optional bool
}

// slots returns what a signature accepts as its arguments. rest is true if it accepts more than these.
func (c *Code) slots(s call) (list []slot, rest bool) {
	for _, p := range s.params() {
		if !p.Has(dts.FlagRest) {
			q := slot{name: p.Text, optional: p.Has(dts.FlagOptional)}
			if p.Type() != nil {
				q.typ = s.context.at(p.Type())
			}
			list = append(list, q)
			continue
		}
		if p.Type() == nil || s.mentionsVariable(p.Type()) {
			return list, true
		}
		tuple := c.e.shape(s.context.at(p.Type()))
		if !tuple.node.Is(dts.Tuple) {
			return list, true
		}
		for n := range tuple.node.Children() {
			if n.Kind == dts.Rest || n.Has(dts.FlagRest) {
				return list, true
			}
			q := slot{name: fmt.Sprintf("%s[%d]", p.Text, len(list)), typ: tuple.at(n), optional: n.Kind == dts.Optional || n.Has(dts.FlagOptional)}
			if n.Kind == dts.TupleMember {
				q.name = n.Text
			}
			if n.Kind == dts.TupleMember || n.Kind == dts.Optional {
				q.typ = tuple.at(n.Inner())
			}
			list = append(list, q)
		}
	}
	return list, false
}

// miscount returns the reason why a signature does not accept a number of arguments, or "" if it may
// accept it.
func (c *Code) miscount(s call, n int) string {
	if !isTyped(s) {
		return ""
	}
	list, rest := c.slots(s)
	if n > len(list) && !rest {
		return fmt.Sprintf("it takes at most %s, but %d are passed", argumentCount(len(list)), n)
	}
	required := len(list)
	for required > n && list[required-1].optional {
		required--
	}
	if n >= required || c.voidable(s, list[n:required]) {
		return ""
	}
	var missing []string
	for _, p := range list[n:required] {
		missing = append(missing, p.name)
	}
	return "it needs arguments for " + strings.Join(missing, ", ")
}

func argumentCount(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}
