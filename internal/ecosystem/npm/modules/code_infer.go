package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// infer finds the types of type parameters by comparing the type of a parameter with that of an
// argument.
func (c *Code) infer(p, arg typeRef, v *variables, depth int) {
	if len(v.names) == 0 || p.node == nil || depth > 10 {
		return
	}
	uses := false
	for _, name := range v.names {
		uses = uses || contains(p.node, name)
	}
	if !uses {
		return
	}
	fail := func() {
		for _, name := range v.names {
			if contains(p.node, name) {
				v.unsure[name] = true
			}
		}
	}
	n := p.node
	if arg.unknown() {
		fail()
		return
	}
	switch n.Kind {
	case dts.Paren:
		c.infer(p.at(n.Inner()), arg, v, depth+1)
		return
	case dts.Ref:
		if slices.Contains(v.names, n.Text) && p.env.find(n.Text) == nil {
			parts, ok := c.e.parts(arg)
			if !ok {
				fail()
				return
			}
			only := true
			for _, q := range parts {
				only = only && isNothing(q)
			}
			if only {
				fail()
				return
			}
			if !slices.Contains(v.found[n.Text], arg) {
				v.found[n.Text] = append(v.found[n.Text], arg)
			}
			return
		}
		want := c.e.shape(p)
		if want.sym == nil || want.node == nil || !want.node.HasArgs() {
			fail()
			return
		}
		parts, ok := c.e.parts(arg)
		if !ok {
			fail()
			return
		}
		matched := false
		for _, q := range parts {
			if isNothing(q) {
				continue
			}
			if q.node != nil && q.node.Kind == dts.Array {
				q = c.list(q.at(q.node.Inner()))
			}
			if q.sym == nil || q.node == nil {
				fail()
				return
			}
			if q.sym != want.sym {
				up, found := c.e.inherited(q, want.sym, 0)
				if !found {
					fail()
					return
				}
				q = up
			}
			matched = true
			for i := 0; ; i++ {
				a, b := want.node.Arg(i), q.node.Arg(i)
				if a == nil || b == nil {
					break
				}
				c.infer(want.at(a), q.at(b), v, depth+1)
			}
		}
		if !matched {
			fail()
		}
		return
	case dts.Array:
		elements, ok := c.e.elements(c.present(arg))
		if !ok || len(elements) == 0 {
			fail()
			return
		}
		c.infer(p.at(n.Inner()), unionOf(elements), v, depth+1)
		return
	case dts.Operator:
		if n.Text == "readonly" {
			c.infer(p.at(n.Inner()), arg, v, depth+1)
			return
		}
	case dts.Union:
		c.inferUnion(p, arg, v, depth)
		return
	case dts.FuncType:
		calls := c.signatures(arg)
		if len(calls) != 1 || n.Type() == nil {
			fail()
			return
		}
		// The types of the function's own parameters come from the context.
		for q := range n.All(dts.Param) {
			for _, name := range v.names {
				if contains(q, name) && len(v.found[name]) == 0 && !contains(n.Type(), name) {
					v.unsure[name] = true
				}
			}
		}
		result := c.resultOf(calls[0])
		if n.Type().Kind == dts.Predicate {
			fail()
			return
		}
		c.infer(p.at(n.Type()), result, v, depth+1)
		return
	}
	fail()
}

// inferUnion is like infer, for a parameter whose type is a union.
func (c *Code) inferUnion(p, arg typeRef, v *variables, depth int) {
	var naked *dts.Node
	var others []*dts.Node
	for k := range p.node.Children() {
		switch {
		case k.Kind == dts.Ref && slices.Contains(v.names, k.Text):
			naked = k
		case isNothing(p.at(k)):
		default:
			others = append(others, k)
		}
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
		for _, k := range others {
			if !c.mentionsAny(k, v) {
				continue
			}
			want := c.e.shape(p.at(k))
			elements, known := c.e.elements(q)
			isList := known && len(elements) > 0
			switch {
			case primitiveName(q) != "":
			case want.sym == nil:
				ok = ok && want.node != nil && want.node.Kind == dts.FuncType && len(c.signatures(q)) == 0
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
			default:
				ok = false // It may match the type although it does not extend it.
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
	case naked == nil && len(others) == 1:
		c.infer(p.at(others[0]), unionOf(rest), v, depth+1)
		return
	}
	for _, name := range v.names {
		if contains(p.node, name) {
			v.unsure[name] = true
		}
	}
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

// mentionsAny reports whether a type contains one of the variables.
func (c *Code) mentionsAny(n *dts.Node, v *variables) bool {
	return slices.ContainsFunc(v.names, func(name string) bool { return contains(n, name) })
}
