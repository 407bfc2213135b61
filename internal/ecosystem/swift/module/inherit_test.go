package module

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestInheritedMembers lists the members that types inherit from protocol extensions,
// as in the compiler's symbol graphs.
func TestInheritedMembers(t *testing.T) {
	p := packageOf(`
public protocol Kiln { associatedtype Ware }
public protocol Gas: Kiln {}
extension Kiln { public var heat: Int { 1 }; public var wares: Int { 2 }; public func fire() {} }
extension Gas { public var heat: Int { 3 } }
extension Kiln where Self: Sendable { public func send() {} }
extension Kiln where Ware: Hashable { public func sort() {} }
extension Kiln where Self == Small { public static var small: Small { Small() } }
public struct Small: Gas { public typealias Ware = (Int, Int); public static var small: Small { Small() } }
public struct Full<T>: Kiln { public typealias Ware = Int; public var wares: Int { 5 } }
extension Full: Sendable where T: Sendable {}
public struct Sure<T: Sendable>: Kiln { public typealias Ware = Int }
extension Sure: Sendable where T: Sendable {}
extension Collection where Element: Comparable { public func top() {} }
public struct Pairs: Collection {
  public subscript(position: Int) -> (Int, Int) { (1, 2) }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public func index(after i: Int) -> Int { i + 1 }
}
public struct Plain: Collection {
  public struct Iterator: IteratorProtocol { public mutating func next() -> Int? { nil } }
}
public protocol Runner: SerialExecutor {}
extension Runner { public func checkIsolated() {}; public func other() {} }
`)
	g, err := ReadGraph(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range g.Relations {
		if r.Kind == InheritedMember || r.Kind == DefaultImplementationOf {
			got = append(got, r.Path+" "+r.Target)
		}
	}
	slices.Sort(got)
	want := `Full.fire() Kiln.fire()
Full.heat Kiln.heat
Full.sort() Kiln.sort()
Plain.top() Collection.top()
Runner.checkIsolated() _Concurrency.SerialExecutor.checkIsolated()
Small.fire() Kiln.fire()
Small.heat Gas.heat
Small.small Kiln.small
Small.wares Kiln.wares
Sure.fire() Kiln.fire()
Sure.heat Kiln.heat
Sure.send() Kiln.send()
Sure.sort() Kiln.sort()
Sure.wares Kiln.wares`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
