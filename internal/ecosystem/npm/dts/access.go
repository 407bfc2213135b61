package dts

import "iter"

// HasChildren reports whether a node has children.
func (n *Node) HasChildren() bool { return n.first != nil }

// Is reports whether a node exists and has the given kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Inner returns the type in an [Array], an [Optional] or [Rest] element, a [TupleMember], an
// [Operator] or a [Paren], or the constraint of an [Infer], if it has one.
func (n *Node) Inner() *Node { return n.first }

// Unparen returns the type in any number of parentheses.
func (n *Node) Unparen() *Node {
	for n.Is(Paren) {
		n = n.first
	}
	return n
}

// Value returns the target of a node that exports or assigns: a value, a reference, or the target
// of an [ImportEquals]. It returns nil if there is none.
func (n *Node) Value() *Node {
	for c := n.first; c != nil; c = c.next {
		if c.Kind != Name {
			return c
		}
	}
	return nil
}

// Base returns the first type or expression of an [Extends].
func (n *Node) Base() *Node { return n.first }

// Constraint returns the bound of a [TypeParam], or the keys of the parameter of a [Mapped]
// type. It returns nil if there is none.
func (n *Node) Constraint() *Node {
	if n.first != nil && n.first.Has(FlagConstraint) {
		return n.first
	}
	return nil
}

// Module returns the module of an [ImportType].
func (n *Node) Module() *Node { return n.first }

// firstArg returns the first type argument.
func (n *Node) firstArg() *Node {
	if n.Kind == ImportType {
		return n.first.next
	}
	return n.first
}

// HasArgs reports whether a [Ref], [TypeQuery] or [ImportType] has type arguments.
func (n *Node) HasArgs() bool { return n.firstArg() != nil }

// Args yields the type arguments of a [Ref], [TypeQuery] or [ImportType].
func (n *Node) Args() iter.Seq[*Node] { return siblings(n.firstArg()) }

// Arg returns a type argument of a [Ref], [TypeQuery] or [ImportType], or nil if there is
// none. The first one has index 0.
func (n *Node) Arg(i int) *Node {
	c := n.firstArg()
	for ; c != nil && i > 0; i-- {
		c = c.next
	}
	return c
}

// Callee returns the reference to the function that an [Expression] calls, or nil if there is
// none.
func (n *Node) Callee() *Node { return n.first }

// CallArgs yields the arguments of an [Expression] that is a call.
func (n *Node) CallArgs() iter.Seq[*Node] { return siblings(n.first.next) }

func siblings(n *Node) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for c := n; c != nil; c = c.next {
			if !yield(c) {
				return
			}
		}
	}
}

// Cond is a conditional type: Check extends Extends ? True : False.
type Cond struct{ Check, Extends, True, False *Node }

// Cond returns the parts of a [Conditional].
func (n *Node) Cond() Cond {
	check := n.first
	extends := check.next
	yes := extends.next
	return Cond{check, extends, yes, yes.next}
}

// Access is an indexed access: Object[Key].
type Access struct{ Object, Key *Node }

// Access returns the parts of an [Indexed].
func (n *Node) Access() Access { return Access{n.first, n.first.next} }

// Mapping is a mapped type: { [Param in Keys as As]: Value }. As and Value may be nil.
type Mapping struct{ Param, Keys, As, Value *Node }

// Mapping returns the parts of a [Mapped].
func (n *Node) Mapping() Mapping {
	m := Mapping{Param: n.first, Keys: n.first.first, Value: n.first.next}
	if m.Value != nil && m.Value.Has(FlagAs) {
		m.As, m.Value = m.Value, m.Value.next
	}
	return m
}

// New returns a node with copies of children.
func New(k Kind, text string, children ...*Node) *Node {
	n := &Node{Kind: k, Text: text}
	n.SetChildren(children...)
	return n
}

// Alone returns a copy of a node without its siblings. The copy shares the children.
func (n *Node) Alone() *Node {
	out := *n
	out.next = nil
	return &out
}

// SetChildren replaces the children of a node with copies of others. It omits children that
// are nil.
func (n *Node) SetChildren(children ...*Node) {
	n.first = nil
	last := &n.first
	for _, c := range children {
		if c != nil {
			*last = c.Alone()
			last = &(*last).next
		}
	}
}

// ShareChildren replaces the children of a node with those of another node, which shares
// them.
func (n *Node) ShareChildren(from *Node) { n.first = from.first }
