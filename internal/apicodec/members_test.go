package apicodec

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// syntax returns a package of types that inherit the same members.
func syntax(types int) *apidoc.Package {
	p := &apidoc.Package{Name: "Syntax"}
	for i := range types {
		s := apidoc.Symbol{Path: fmt.Sprint("Node", i), Kind: "struct", Signature: "struct Node", Members: []apidoc.Symbol{{Path: fmt.Sprintf("Node%d.own", i), Kind: apidoc.Property, Signature: "let own: Int"}}}
		for j := range 40 {
			s.Members = append(s.Members, apidoc.Symbol{
				Path: fmt.Sprintf("Node%d.walk%d(_:)", i, j), Kind: apidoc.Method, Signature: fmt.Sprintf("func walk%d(_ v: Visitor)", j), From: "SyntaxProtocol", File: "S.swift", Line: j,
				Refs: []apidoc.Ref{{Name: "Visitor", Path: "Syntax.Visitor"}}, Examples: []apidoc.Example{{Code: "node.walk()"}},
			})
		}
		p.Symbols = append(p.Symbols, s)
	}
	return p
}

func TestInheritedMembersAreDecodedWhenAskedFor(t *testing.T) {
	want := syntax(50)
	got := roundTrip(t, want)
	node := &got.Symbols[7]
	if len(node.Members) != 1 || node.NumMembers() != 41 || got.Count() != want.Count() {
		t.Fatalf("%d of %d members are decoded, %d symbols", len(node.Members), node.NumMembers(), got.Count())
	}
	member := &node.Members[0]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if all := node.AllMembers(); len(all) != 41 || &all[0] != member || &all[40] != &node.AllMembers()[40] {
				t.Errorf("%d members, and symbols at several addresses", len(all))
			}
		})
	}
	wg.Wait()
	if s := got.At("Node9.walk3(_:)"); s == nil || s.From != "SyntaxProtocol" || s.Line != 3 {
		t.Errorf("found %+v", s)
	}
	if again := roundTrip(t, got); !reflect.DeepEqual(whole(again), want) || !reflect.DeepEqual(whole(got), want) {
		t.Error("the package is another one when all members are decoded")
	}
	n := 0
	for range got.All {
		n++
	}
	if n != want.Count() {
		t.Errorf("All yields %d of %d symbols", n, want.Count())
	}
}

func TestMembersThatMayBeTypesAreDecodedAtOnce(t *testing.T) {
	p := roundTrip(t, &apidoc.Package{Symbols: []apidoc.Symbol{{Path: "A", Members: []apidoc.Symbol{
		{Path: "A.x", Kind: apidoc.Method, From: "P"}, {Path: "A.T", Kind: apidoc.Class, From: "P"}, {Path: "A.y", Kind: apidoc.Method, From: "P", Members: []apidoc.Symbol{{Path: "A.y.z"}}},
		{Path: "B.y", Kind: apidoc.Method, From: "P"}, {Path: "A.z", Kind: apidoc.Method, From: "P"},
	}}}})
	if a := &p.Symbols[0]; len(a.Members) != 4 || a.NumMembers() != 5 {
		t.Errorf("%d of %d members are decoded at once", len(a.Members), a.NumMembers())
	}
}

func TestReplacedMembersAreAll(t *testing.T) {
	s := roundTrip(t, syntax(1)).Symbols[0]
	s.SetMembers(nil)
	if len(s.AllMembers()) != 0 || s.NumMembers() != 0 {
		t.Errorf("%d members are left", s.NumMembers())
	}
}

func TestInheritedMembersAreKeptOnce(t *testing.T) {
	one, many := len(encoded(t, syntax(1))), len(encoded(t, syntax(50)))
	if each := (many - one) / 49; each > 150 {
		t.Errorf("a type with 40 inherited members takes %d bytes", each)
	}
}
