package modules

import (
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
		if slices.ContainsFunc(x.List, func(p *dts.Expr) bool { return p.Kind == dts.ExprSpread }) {
			return
		}
		f.file.fresh[x] = true
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

// excess records the fields of an object literal that the type want does not have.
func (c *Code) excess(f *frame, x *dts.Expr, want typeRef) {
	if !f.file.fresh[x] || want.unknown() || !c.lists(want) {
		return
	}
	for _, p := range x.List {
		if p.Text == "" {
			continue
		}
		if _, how := c.member(want, p.Text); how != missing {
			continue
		}
		u := MemberUse{Offset: int(p.Pos), Name: p.Text, Absent: true, Field: true, Literal: [2]int{int(x.List[0].Pos), int(x.List[len(x.List)-1].Pos)}}
		u.Owner, u.Package = c.owner(want)
		u.Members, u.Types = c.memberNames(want)
		f.file.uses = append(f.file.uses, u)
		f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing})
	}
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
		if isNothing(p) || primitiveName(p) != "" {
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
	callee := x.List[0]
	object := callee
	switch callee.Kind {
	case dts.ExprName:
	case dts.ExprMember:
		object = callee.List[0]
	default:
		return
	}
	problem := ""
	for _, s := range signatures {
		if problem = c.miscount(s, len(args)); problem == "" {
			return
		}
	}
	if len(signatures) > 1 {
		problem = fmt.Sprintf("none of its %d declarations accepts %d arguments", len(signatures), len(args))
	}
	f.file.uses = append(f.file.uses, MemberUse{Offset: int(callee.Pos), Name: callee.Text, Arguments: problem})
	f.file.values = append(f.file.values, usedValue{f.narrowing, pathOf(object)})
}

// miscount returns the reason why a signature does not accept a number of arguments, or "" if it may
// accept it.
func (c *Code) miscount(s call, n int) string {
	if m := s.context.scope; m == nil || m.mod == nil || m.mod.file == nil || m.mod.file.Language == dts.JavaScript {
		return ""
	}
	list := slices.DeleteFunc(params(s.node), func(p *dts.Node) bool { return p.Text == "this" })
	rest, required := false, 0
	for i, p := range list {
		if p.Has(dts.FlagRest) {
			rest = true
		} else if !p.Has(dts.FlagOptional) {
			required = i + 1
		}
	}
	if n > len(list) && !rest {
		return fmt.Sprintf("it takes at most %s, but %d are passed", argumentCount(len(list)), n)
	}
	if n >= required || c.voidable(s, list[n:required]) {
		return ""
	}
	var missing []string
	for _, p := range list[n:required] {
		missing = append(missing, p.Text)
	}
	return "it needs arguments for " + strings.Join(missing, ", ")
}

func argumentCount(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}
