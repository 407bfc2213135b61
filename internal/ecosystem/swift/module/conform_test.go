package module

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// relations returns the relations of the given kinds, sorted, one per line.
func relations(t *testing.T, text string, kinds ...RelationKind) string {
	t.Helper()
	g, err := ReadGraph(context.Background(), packageOf(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range g.Relations {
		if slices.Contains(kinds, r.Kind) {
			got = append(got, r.Path+" "+r.Target)
		}
	}
	slices.Sort(got)
	return strings.Join(got, "\n")
}

func TestConformances_OfValueTypes(t *testing.T) {
	got := relations(t, `
@frozen public struct Point { public var x: Int; var y: Double? ; let z: (Int, b: [String]) }
@frozen public struct Bits { public var x: Int; var y: (Bool, Float?) }
@frozen public struct Shared { let r: Ref }
@frozen public struct Raw { let p: UnsafePointer<Int> }
@frozen public struct Broken { var x: [ }
@frozen public struct Torn { var x: ( }
@frozen public enum Choice { case a, b(Int), c(Point) }
@frozen public enum Holder { case a(Ref) }
public struct Open { public var x: Int }
public final class Ref {}
@frozen public struct Alone: ~Copyable { public var x: Int }
@frozen public struct Box<T> { public var t: T }
public enum Plain { case a, b }
public enum Numbers: Int { case a }
public enum Names: String { case a }
public enum Failure: Error { case a(Int) }
public actor Worker {}
@MainActor public class View {}
`, ConformsTo)
	const want = `Alone Swift.Sendable
Bits Swift.BitwiseCopyable
Bits Swift.Sendable
Choice Swift.Sendable
Failure Swift.Error
Failure Swift.Sendable
Failure Swift.SendableMetatype
Names Swift.Equatable
Names Swift.Hashable
Names Swift.RawRepresentable
Numbers Swift.Equatable
Numbers Swift.Hashable
Numbers Swift.RawRepresentable
Plain Swift.Equatable
Plain Swift.Hashable
Point Swift.Sendable
Raw Swift.BitwiseCopyable
View Swift.Sendable
Worker Swift.Sendable
Worker Swift.SendableMetatype
Worker _Concurrency.Actor`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestInheritedMembers_UnderConstraints(t *testing.T) {
	got := relations(t, `
public protocol Kiln { associatedtype Ware; associatedtype Fuel }
extension Kiln where Ware == Int { public func ints() {} }
extension Kiln where Ware == String { public func strings() {} }
extension Kiln where Ware == Fuel { public func same() {} }
extension Kiln where Self: AnyObject { public func object() {} }
extension Kiln where Self: Base { public func based() {} }
extension Kiln where Self == Odd { public func odd() {} }
extension Kiln where Ware: Equatable, Ware: Shape { public func shaped() {} }
public protocol Shape {}
open class Base {}
public class Leaf: Base, Kiln { public typealias Ware = Int; public typealias Fuel = Int }
public class Other: Kiln { public typealias Ware = String; public typealias Fuel = String }
public struct Odd: Kiln { public typealias Ware = Clay; public typealias Fuel = Clay }
public struct Real: Kiln { public typealias Ware = Double; public typealias Fuel = Double }
extension Double: Shape {}
public struct Clay: Shape, Equatable {}
`, InheritedMember, DefaultImplementationOf)
	const want = `Leaf.based() Kiln.based()
Leaf.ints() Kiln.ints()
Leaf.object() Kiln.object()
Leaf.same() Kiln.same()
Odd.odd() Kiln.odd()
Odd.same() Kiln.same()
Odd.shaped() Kiln.shaped()
Other.object() Kiln.object()
Other.same() Kiln.same()
Other.strings() Kiln.strings()
Real.same() Kiln.same()
Real.shaped() Kiln.shaped()`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHostile_BrokenTypes reads declarations whose types lack their closing brackets.
func TestHostile_BrokenTypes(t *testing.T) {
	for _, broken := range []string{"[", "(", "<", "[?", "(?", "[:", "@a(", "any [", "A<", "[[", "(,", "{", "A.", ".", "[]?", "()", "`"} {
		for _, text := range []string{
			"@frozen public struct S { public var x: %; }", "extension % { public func f() {} }", "public func f<T: %>(_ x: %) -> % where T == % {}",
			"public typealias A = %", "public class C: % {}", "public protocol P: % { associatedtype A: % = % }", "public enum E { case a(%) }", "public let x = % as %", "extension P where Self == % { public func f() {} }",
		} {
			p := packageOf(strings.ReplaceAll(text, "%", broken) + "\npublic struct After {}\n")
			read(t, p)
			if _, err := ReadGraph(context.Background(), p); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
