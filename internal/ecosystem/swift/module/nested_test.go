package module

import (
	"slices"
	"strings"
	"testing"
)

func TestNestedType_DeclarationsThatDependOnThemselves(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a base nested in the class", "public typealias B = A.C\npublic class A: B { public class C: D, E {} }"},
		{"an alias of its own member", "public struct S { public typealias T = T.U\n public func f(a: T) {} }"},
		{"aliases of each other's members", "public typealias A = B.C\npublic typealias B = A.C\npublic struct S: A {}"},
		{"bases of each other", "public protocol P: Q, R.N { typealias N = Q }\npublic protocol Q: P, R { }\npublic protocol R: P.N, Q {}\npublic struct S: P {}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p := read(t, packageOf(tt.text)); len(p.Symbols) == 0 {
				t.Error("nothing is read")
			}
		})
	}
}

func TestNestedType_FoundThroughBases(t *testing.T) {
	p := read(t, packageOf(`
public protocol Base { associatedtype X }
public class Root { public struct Token {} }
public class Middle: Root, Gone {}
public class Leaf: Middle {
    public func take(_ t: Token) {}
    public class Inner: Gone, Leaf {
        public func give() -> Token { Token() }
    }
}
public struct Token {}
`))
	refs := map[string]string{}
	for _, s := range p.Symbols {
		for _, m := range s.Members {
			for _, r := range m.Refs {
				refs[m.Name()] = r.Path
			}
			for _, i := range m.Members {
				for _, r := range i.Refs {
					refs[i.Name()] = r.Path
				}
			}
		}
	}
	var all []string
	for name, path := range refs {
		all = append(all, name+" "+path)
	}
	slices.Sort(all)
	if got := strings.Join(all, ", "); !strings.Contains(got, "take(_:) Root.Token") || !strings.Contains(got, "give() Root.Token") {
		t.Errorf("the references are %s", got)
	}
}
