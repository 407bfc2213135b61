package dts

import (
	"slices"
	"strings"
	"testing"
)

// typeOf parses the type of an alias.
func typeOf(t *testing.T, text string) *Node {
	t.Helper()
	f, err := Parse("type X = "+text+";", Declarations)
	if err != nil || len(f.Warnings) > 0 {
		t.Fatalf("%s: %v, %v", text, err, f.Warnings)
	}
	return f.Root.Child(TypeAlias).Type()
}

func TestNode_NamesItsParts(t *testing.T) {
	texts := func(nodes ...*Node) string {
		all := make([]string, len(nodes))
		for i, n := range nodes {
			if all[i] = "-"; n != nil {
				all[i] = n.String()
			}
		}
		return strings.Join(all, ", ")
	}
	for text, tt := range map[string]struct {
		parts func(n *Node) []*Node
		want  string
	}{
		"A extends B ? C : D": {func(n *Node) []*Node { c := n.Cond(); return []*Node{c.Check, c.Extends, c.True, c.False} }, "A, B, C, D"},
		`A["b"]`:              {func(n *Node) []*Node { a := n.Access(); return []*Node{a.Object, a.Key} }, `A, "b"`},
		"{ [K in keyof A]: B }": {func(n *Node) []*Node {
			m := n.Mapping()
			return []*Node{m.Keys, m.As, m.Value, {Kind: Ref, Text: m.Param.Text}}
		}, "keyof A, -, B, K"},
		"{ [K in A as B]: C }":      {func(n *Node) []*Node { m := n.Mapping(); return []*Node{m.Keys, m.As, m.Value} }, "A, B, C"},
		"{ [K in A as B] }":         {func(n *Node) []*Node { m := n.Mapping(); return []*Node{m.Keys, m.As, m.Value} }, "A, B, -"},
		"A<B, C>":                   {func(n *Node) []*Node { return append(slices.Collect(n.Args()), n.Arg(0), n.Arg(1), n.Arg(2)) }, "B, C, B, C, -"},
		`import("m").A<B>`:          {func(n *Node) []*Node { return append(slices.Collect(n.Args()), n.Arg(1)) }, "B, -"},
		"((A[]))":                   {func(n *Node) []*Node { return []*Node{n.Inner(), n.Unparen(), n.Unparen().Inner()} }, "(A[]), A[], A"},
		"(this: A, ...b: C[]) => D": {func(n *Node) []*Node { return []*Node{n.Child(Param).Type(), n.Type()} }, "A, D"},
	} {
		if got := texts(tt.parts(typeOf(t, text))...); got != tt.want {
			t.Errorf("%s: %s, want %s", text, got, tt.want)
		}
	}
}

func TestNode_SetChildrenCopies(t *testing.T) {
	union := typeOf(t, "A | B<C> | D")
	parts := slices.Collect(union.Children())
	tuple := New(Tuple, "", parts[2], nil, parts[0], parts[2])
	if got := tuple.String(); got != "[D, A, D]" {
		t.Errorf("the tuple is %s", got)
	}
	if got := union.String(); got != "A | B<C> | D" {
		t.Errorf("the union has become %s", got)
	}
	if got := parts[1].Alone(); got.String() != "B<C>" || got.next != nil {
		t.Errorf("alone: %s", got)
	}
}
