package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// syntax parses declarations with a few names from the standard library.
type syntax struct{}

func (syntax) Parts(s *apidoc.Symbol) []apidoc.Part {
	return source.Parts(s.Signature, func(name string) bool {
		return slices.Contains([]string{"Int", "String", "Error", "Any", "Equatable", "Copyable"}, name)
	})
}

func (syntax) Role(*apidoc.Symbol) apidoc.Role { return 0 }

func TestSyntax_Parts(t *testing.T) {
	for _, tt := range []struct {
		signature string
		want      []string // the parts below the declaration, one per line
	}{
		{"@discardableResult mutating func move(by dx: Double, _ dy: Int = 0, rest: Int...) async throws(Failure) -> Self?", []string{
			"attribute @discardableResult", "modifier mutating", "name move",
			"parameter by dx: Double", "  label by", "  name dx", "  type Double", "    reference Double",
			"parameter _ dy: Int = 0 [optional positional-only]", "  label _", "  name dy", "  type Int", "    reference Int [builtin]", "  default 0",
			"parameter rest: Int... [variadic]", "  name rest", "  type Int", "    reference Int [builtin]",
			"effect async", "effect throws(Failure)", "  type Failure", "    reference Failure",
			"result Self?", "  type Self?", "    reference Self [local]",
		}},
		{"@available(macOS 12, *)\nfunc map<T, each U>(_ body: @escaping @Sendable (_ a: T, inout Outer.Value...) async throws -> [String : T]) rethrows where T : Equatable, Base.Element == (first: Int, T)", []string{
			"attribute @available(macOS 12, *)", "name map",
			"type parameter T", "  name T", "type parameter each U", "  modifier each", "  name U",
			"parameter _ body: @escaping @Sendable (_ a: T, inout Outer.Value...) async throws -> [String : T] [positional-only]", "  label _", "  name body",
			"  type @escaping @Sendable (_ a: T, inout Outer.Value...) async throws -> [String : T]",
			"    attribute @escaping", "    attribute @Sendable", "      reference Sendable",
			"    parameter _ a: T [positional-only]", "      label _", "      name a", "      type T", "        reference T [local]",
			"    parameter inout Outer.Value... [variadic positional-only]", "      type inout Outer.Value", "        modifier inout", "        reference Outer.Value",
			"    effect async", "    effect throws",
			"    result [String : T]", "      type [String : T]", "        reference String [builtin]", "        reference T [local]",
			"effect rethrows",
			"constraint T : Equatable", "  reference T [local]", "  reference Equatable [builtin]",
			"constraint Base.Element == (first: Int, T)", "  reference Base.Element", "  member first: Int", "    name first", "    type Int", "      reference Int [builtin]",
			"  reference T [local]",
		}},
		{"static func ..< (lhs: Self, rhs: Self) -> any P & Q", []string{
			"modifier static", "name ..<",
			"parameter lhs: Self [positional-only]", "  name lhs", "  type Self", "    reference Self [local]",
			"parameter rhs: Self [positional-only]", "  name rhs", "  type Self", "    reference Self [local]",
			"result any P & Q", "  type any P & Q", "    modifier any", "    reference P", "    reference Q",
		}},
		{"func < <T>(a: T)", []string{"name <", "type parameter T", "  name T", "parameter a: T [positional-only]", "  name a", "  type T", "    reference T [local]"}},
		{"subscript(i: Int, key key: Key) -> Value { mutating get async throws nonmutating set }", []string{
			"name subscript", "parameter i: Int [positional-only]", "  name i", "  type Int", "    reference Int [builtin]",
			"parameter key key: Key", "  label key", "  name key", "  type Key", "    reference Key",
			"result Value", "  type Value", "    reference Value",
			"effect async", "effect throws",
		}},
		{"required convenience init?<S>(_ s: S = Dictionary<Int, [Int]>(), b: () -> Void = { a, b in }) where S : ~Copyable", []string{
			"modifier required", "modifier convenience", "name init", "modifier ?", "type parameter S", "  name S",
			"parameter _ s: S = Dictionary<Int, [Int]>() [optional positional-only]", "  label _", "  name s", "  type S", "    reference S [local]", "  default Dictionary<Int, [Int]>()",
			"parameter b: () -> Void = { a, b in } [optional]", "  name b", "  type () -> Void", "    result Void", "      type Void", "        reference Void", "  default { a, b in }",
			"constraint S : ~Copyable", "  reference S [local]", "  reference Copyable [builtin]",
		}},
		{"@Clamped var `class`: Dictionary<Int, Outer<A>.Inner?>.Index where Value : P { get }", []string{
			"attribute @Clamped", "  reference Clamped", "name class", "type Dictionary<Int, Outer<A>.Inner?>.Index",
			"  reference Dictionary", "  reference Int [builtin]", "  reference Outer", "  reference A",
			"constraint Value : P", "  reference Value", "  reference P", "modifier get",
		}},
		{"nonisolated(unsafe) static let a: Double = -1.5", []string{
			"modifier nonisolated(unsafe)", "modifier static", "modifier let", "name a", "type Double", "  reference Double", "value -1.5",
		}},
		{"indirect case line(Double, to: (Int) -> Int = { $0 })", []string{
			"modifier indirect", "name line", "parameter Double [positional-only]", "  type Double", "    reference Double",
			"parameter to: (Int) -> Int = { $0 } [optional]", "  name to", "  type (Int) -> Int",
			"    parameter Int [positional-only]", "      type Int", "        reference Int [builtin]",
			"    result Int", "      type Int", "        reference Int [builtin]", "  default { $0 }",
		}},
		{`case slow = "a b"`, []string{"name slow", `value "a b"`}},
		{"func skip(_: Int)", []string{"name skip", "parameter _: Int [positional-only]", "  name _", "  type Int", "    reference Int [builtin]"}},
		{"class func make()", []string{"modifier class", "name make"}},
		{"open class Dog<T, let N : Int> : Animal<T>, @unchecked Sendable, ~Copyable where T : P", []string{
			"modifier open", "name Dog", "type parameter T", "  name T", "type parameter let N : Int", "  modifier let", "  name N", "  constraint Int", "    reference Int [builtin]",
			"base Animal<T>", "  reference Animal", "  reference T [local]", "base @unchecked Sendable", "  attribute @unchecked", "  reference Sendable",
			"base ~Copyable", "  reference Copyable [builtin]", "constraint T : P", "  reference T [local]", "  reference P",
		}},
		{"protocol Container<Element> : AnyObject", []string{"name Container", "reference Element", "base AnyObject", "  reference AnyObject"}},
		{"associatedtype Element : Equatable = Int where Element : P", []string{
			"name Element", "base Equatable", "  reference Equatable [builtin]", "default Int", "  reference Int [builtin]",
			"constraint Element : P", "  reference Element", "  reference P",
		}},
		{"typealias Pair<T> = (first: T, [3 of T], MainActor.Type)", []string{
			"name Pair", "type parameter T", "  name T", "type (first: T, [3 of T], MainActor.Type)",
			"  member first: T", "    name first", "    type T", "      reference T [local]", "  reference T [local]", "  reference MainActor",
		}},
		{"extension Outer.Box : P where Value == Int", []string{
			"name Outer.Box", "  reference Outer.Box", "base P", "  reference P", "constraint Value == Int", "  reference Value", "  reference Int [builtin]",
		}},
		{"@attached(member, names: named(init)) macro AddInit(_ all: Bool = true) -> Int", []string{
			"attribute @attached(member, names: named(init))", "name AddInit",
			"parameter _ all: Bool = true [optional positional-only]", "  label _", "  name all", "  type Bool", "    reference Bool", "  default true",
			"result Int", "  type Int", "    reference Int [builtin]",
		}},
		{"infix operator <+> : Joining", []string{"modifier infix", "name <+>", "type Joining", "  reference Joining"}},
		{"precedencegroup Joining { // how\n  associativity: left\n  higherThan: A, B /* last */\n}", []string{
			"name Joining", "comment // how", "member associativity: left", "  name associativity", "  value left",
			"member higherThan: A, B", "  name higherThan", "  type A", "    reference A", "  type B", "    reference B", "comment /* last */",
		}},
		{"func f(", nil}, {"func f(a: Int b: Int)", nil}, {"var", nil}, {"something else", nil}, {"struct A extra", nil},
	} {
		decltest.Expect(t, syntax{}, apidoc.Func, tt.signature, strings.Join(tt.want, "\n"))
	}
}

// TestSyntax_Overloads parses several declarations of one symbol.
func TestSyntax_Overloads(t *testing.T) {
	text := "func f(a: String = \"\"\"\n  x\n  \"\"\")\n@available(macOS 12, *)\nfunc f() -> Int\nstatic func f()"
	d := apidoc.Decl{Text: text, Parts: syntax{}.Parts(&apidoc.Symbol{Signature: text})}
	var got []string
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		got = append(got, d.PartText(i))
	}
	if want := strings.Replace(text, "\n@", "\x00@", 1); strings.Join(got, "\x00") != strings.Replace(want, "\nstatic", "\x00static", 1) {
		t.Errorf("the declarations are %q", got)
	}
}

// TestSyntax_Nesting parses types that are nested too deeply.
func TestSyntax_Nesting(t *testing.T) {
	for _, open := range []string{"(", "[", "A<", "@a (", "((", "() -> ", "A & ", "~"} {
		text := "let a: " + strings.Repeat(open, 100_000)
		if parts := (syntax{}).Parts(&apidoc.Symbol{Signature: text}); parts != nil {
			t.Errorf("%q many times has %d parts", open, len(parts))
		}
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{
		"@A<B>(c) mutating func `f`<T>(_ a: [T : (b: Int) throws(E) -> T]? = { a, b in }, c: T...) async -> some P & Q where T : P", "subscript(i: Int) -> A { mutating get async set }",
		"open class A<let N : Int> : B, ~C", "case a(Int, b: C = D<E, F>()) = 1", "infix operator <+> : A\nprefix func - (a: A)", "precedencegroup A { // b\n c: d }", "let √: @", "func \xff(", "var a: A.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, signature string) {
		d := apidoc.Decl{Text: signature, Parts: syntax{}.Parts(&apidoc.Symbol{Signature: signature})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
