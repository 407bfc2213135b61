package module

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

// shape is a kind of structure that is expensive to read. text returns about size bytes
// of it.
type shape struct {
	name string
	text func(size int) string
}

// fill appends the text that f returns for 0, 1, 2 … until the result has the given
// size.
func fill(size int, f func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(f(i))
	}
	return b.String()
}

func fillN(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func count(size, each int) int { return max(size/each, 2) }

func nest(n int, open func(i int) string, middle, end string) string {
	return fillN(n, open) + middle + strings.Repeat(end, n)
}

func each(f func(i int) string) func(int) string {
	return func(size int) string { return fill(size, f) }
}

func within(head string, f func(i int) string, tail string) func(int) string {
	return func(size int) string { return head + fill(size, f) + tail }
}

var sp = fmt.Sprintf

var shapes = []shape{
	{"nested classes with undeclared bases", func(size int) string {
		return nest(count(size, 36), func(i int) string { return sp("public class A%d: E, C { ", i) }, "", "}")
	}},
	{"nested classes with undeclared bases, few", func(_ int) string {
		return nest(26, func(i int) string { return sp("public class A%d: E, C { ", i) }, "", "}")
	}},
	{"nested protocols that inherit from each other", func(_ int) string {
		return nest(40, func(i int) string { return sp("public protocol P%d: P%d, Q%d, R { typealias T%d = R ", i, i+1, i+2, i) }, "", "}")
	}},
	{"protocols in a ring", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string { return sp("public protocol P%d: P%d { func f%d() }\n", i, (i+1)%n, i) })
	}},
	{"protocols of two", func(size int) string {
		n := count(size, 70)
		return fillN(n, func(i int) string {
			return sp("public protocol P%d: P%d, P%d { func f%d() }\n", i, (2*i+1)%n, (2*i+2)%n, i)
		}) + "public struct S: P0, Gone { }"
	}},
	{"protocols of the two next", func(size int) string {
		n := count(size, 70)
		return fillN(n, func(i int) string {
			return sp("public protocol P%d: P%d, P%d { associatedtype A; func f%d(x: A.B) }\n", i, i+1, i+2, i)
		}) + "public struct S: P0, Gone { func f(x: Nothing.B) {} }"
	}},
	{"protocols of all", func(size int) string {
		return fill(size, func(i int) string {
			return sp("public protocol P%d: %s Q {}\n", i, fillN(min(i, 40), func(k int) string { return sp("P%d, ", max(0, i-40)+k) }))
		})
	}},
	{"extensions of a chain of protocols", func(size int) string {
		return fill(size, func(i int) string {
			return sp("public protocol P%d: P%d {} extension P%d { public func f%d() {} } public struct S%d: P%d {}\n", i+1, i, i, i, i, i)
		})
	}},
	{"classes in a ring", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string { return sp("open class C%d: C%d { open func f() {} }\n", i, (i+1)%n) })
	}},
	{"chain of classes", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string { return sp("open class C%d: C%d { override open func f() {} }\n", i, i+1) })
	}},
	{"aliases in a ring", func(size int) string {
		n := count(size, 40)
		return fillN(n, func(i int) string { return sp("public typealias A%d = A%d\n", i, (i+1)%n) })
	}},
	{"aliases of compositions", func(size int) string {
		n := count(size, 40)
		return fillN(n, func(i int) string { return sp("public typealias A%d = A%d & A%d\n", i, i+1, i+1) }) + "public struct S: A0 {}"
	}},
	{"wide compositions", within("public protocol P: ", func(i int) string { return sp("A%d & ", i) }, "B {}")},
	{"nested aliases", func(size int) string {
		return nest(count(size, 50), func(i int) string { return sp("public struct S%d { typealias T = S%d.T.T ", i, i+1) }, "", "}")
	}},
	{"aliases within each other", func(size int) string {
		n := count(size, 70)
		return fillN(n, func(i int) string {
			return sp("public struct S%d: P%d { public typealias T = S%d.T.U }\n", i, i, (i+1)%n)
		})
	}},
	{"overloads", each(func(i int) string { return sp("public func f(a: A%d) {}\n", i) })},
	{"equal overloads", each(func(_ int) string { return "public func f() {}\n" })},
	{"overloaded members", within("public struct S {", func(i int) string { return sp("public func f(a: A%d) {}\n", i) }, "}")},
	{"overloaded members of a protocol", within("public struct S: P { public func f(a: A) {} }\npublic protocol P { func f(a: A) }\nextension P {", func(i int) string { return sp("public func f(a: A%d) {}\n", i) }, "}")},
	{"overloads in both", func(size int) string {
		return "public struct S: P { " + fill(size/2, func(i int) string { return sp("public func f(a: A%d) {}\n", i) }) + " }\npublic protocol P { func f(a: A) }\nextension P {" + fill(size/2, func(i int) string { return sp("public func f(a: A%d) {}\n", i) }) + "}"
	}},
	{"requirements and witnesses", func(size int) string {
		return "public struct S: P { " + fill(size/2, func(i int) string { return sp("public func f%d() {}\n", i) }) + " }\npublic protocol P { " + fill(size/2, func(i int) string { return sp("func f%d()\n", i) }) + "}"
	}},
	{"same requirement and witnesses", func(size int) string {
		return "public struct S: P { " + fill(size/2, func(i int) string { return sp("public func f(a: A%d) {}\n", i) }) + " }\npublic protocol P { " + fill(size/2, func(i int) string { return sp("func f(a: A%d)\n", i) }) + "}"
	}},
	{"overriding overloads", func(size int) string {
		return "open class S: P { " + fill(size/2, func(i int) string { return sp("override open func f(a: A%d) {}\n", i) }) + " }\nopen class P { " + fill(size/2, func(i int) string { return sp("open func f(a: A%d) {}\n", i) }) + "}"
	}},
	{"where of a function", within("public func f<T>() where ", func(i int) string { return sp("T: A%d, ", i) }, "T: B {}")},
	{"where of an extension", within("public struct S<T> {}\nextension S where ", func(i int) string { return sp("T: A%d, ", i) }, "T: B { public func f() {} }")},
	{"where of associated types", within("public struct S<T> {}\nextension S: P where ", func(i int) string { return sp("T.A%d: A%d, ", i, i) }, "T: B { public func f() {} public func g() {} }\npublic protocol P {}")},
	{"where with equality", within("public protocol S {}\npublic struct X: S {}\nextension S where ", func(i int) string { return sp("T.A%d == A%d?, ", i, i) }, "T: B { public func f() {} }")},
	{"where of declared protocols", func(size int) string {
		return fill(size/2, func(i int) string { return sp("public protocol A%d {}\n", i) }) + "public struct S<T> {}\nextension S where " + fillN(count(size/2, 8), func(i int) string { return sp("T: A%d, ", i) }) + "T: B { public func f() {} }"
	}},
	{"where of a chain of protocols", func(size int) string {
		return fill(size*3/4, func(i int) string { return sp("public protocol A%d: A%d {}\n", i, i+1) }) + "public struct S<T> {}\nextension S where " + fillN(count(size/4, 8), func(i int) string { return sp("T: A%d, ", i) }) + "T: B { public func f() {} }"
	}},
	{"generic parameters", within("public struct S<", func(i int) string { return sp("T%d: A%d, ", i, i) }, "U> { public func f(a: T0, b: T1) {} }\nextension S { public func g() {} }")},
	{"generic parameters and members", func(size int) string {
		return "public struct S<" + fill(size/2, func(i int) string { return sp("T%d: A%d, ", i, i) }) + "U> {" + fill(size/2, func(i int) string { return sp("public var a%d: T%d\n", i, i) }) + "}"
	}},
	{"generic parameters and extensions", func(size int) string {
		return "public struct S<" + fill(size/2, func(i int) string { return sp("T%d: A%d, ", i, i) }) + "U> {}" + fill(size/2, func(i int) string { return sp("extension S where T%d: B { public func f%d() {} }\n", i, i) })
	}},
	{"extensions of one type", each(func(i int) string { return sp("extension S { public func f%d() {} }\n", i) })},
	{"extensions of one declared type", within("public struct S {}\n", func(i int) string { return sp("extension S: P%d { public func f%d() {} }\n", i, i) }, "")},
	{"extensions of a protocol and types", func(size int) string {
		return "public protocol P {}\n" + fill(size, func(i int) string {
			return sp("extension P where Self: Q { public func f%d() {} }\npublic struct S%d: P {}\n", i, i)
		})
	}},
	{"extensions that declare what they extend", func(size int) string {
		n := count(size, 40)
		return fillN(n, func(i int) string {
			return sp("extension %s { public struct S%d {} }\n", strings.TrimSuffix("S"+fillN(1, func(int) string { return sp("%d", n-i) })+".", "."), n-i-1)
		}) + sp("public struct S%d {}", n)
	}},
	{"extensions in a chain", func(size int) string {
		n := 200
		path := func(k int) string { return strings.TrimSuffix(fillN(k, func(_ int) string { return "S." }), ".") }
		return fillN(min(n, size/200), func(i int) string { return sp("extension %s { public struct S {} }\n", path(min(n, size/200)-i)) }) + "public struct S {}"
	}},
	{"unknown extensions", each(func(i int) string { return sp("extension X%d.Y { public func f() {} }\n", i) })},
	{"conditional conformances", within("public struct S<T> {}\n", func(i int) string { return sp("extension S: P where T: Q%d {}\n", i) }, "public protocol P {}\nextension P { public func f() {} }")},
	{"defaults of protocols", func(size int) string {
		return fill(size/2, func(i int) string { return sp("public protocol P%d {}\nextension P%d { public func f() {} }\n", i, i) }) + "public struct S: " + fillN(count(size/2, 6), func(i int) string { return sp("P%d, ", i) }) + "Q {}"
	}},
	{"cases", within("public enum E: Int {", func(i int) string { return sp("case a%d\n", i) }, "}")},
	{"cases in a line", within("public enum E: Int { case ", func(i int) string { return sp("a%d, ", i) }, "z }")},
	{"variables", each(func(i int) string { return sp("public var a%d = b%d\n", i, i) })},
	{"inferred chain", each(func(i int) string { return sp("public let a%d = a%d\n", i, i+1) })},
	{"inferred of two", each(func(i int) string { return sp("public let a%d = a%d + a%d\n", i, i+1, i+2) })},
	{"inferred calls", each(func(i int) string { return sp("public let a%d = f(a%d, f(a%d)).g\n", i, i+1, i+2) })},
	{"inferred overloads", func(size int) string {
		return fill(size/2, func(i int) string { return sp("public func f(_ a: A%d) -> A%d {}\n", i, i) }) + fill(size/2, func(i int) string { return sp("public let a%d = f(1)\n", i) })
	}},
	{"inferred members", func(size int) string {
		return "public struct S { " + fill(size/2, func(i int) string { return sp("public static let f%d = S.f%d\n", i, i+1) }) + "}" + fill(size/2, func(i int) string { return sp("public let a%d = S.f0\n", i) })
	}},
	{"long expression", within("public let a = ", func(_ int) string { return "b + " }, "c")},
	{"long chain of members", within("public let a = b", func(_ int) string { return ".c" }, "")},
	{"long chain of calls", within("public let a = b", func(_ int) string { return ".c()" }, "")},
	{"nested calls", func(size int) string {
		return "public let a = " + nest(count(size, 3), func(_ int) string { return "b(" }, "1", ")")
	}},
	{"nested closures", func(size int) string {
		return "public let a = " + nest(count(size, 3), func(_ int) string { return "{ " }, "1", "}")
	}},
	{"nested arrays", func(size int) string {
		return "public let a = " + nest(count(size, 2), func(_ int) string { return "[" }, "1", "]")
	}},
	{"nested ternaries", within("public let a = ", func(_ int) string { return "b ? c : " }, "1")},
	{"nested generics", func(size int) string {
		return "public func f(a: " + nest(count(size, 3), func(_ int) string { return "A<" }, "B", ">") + ") {}\npublic typealias T = " + nest(count(size, 3), func(_ int) string { return "A<" }, "B", ">")
	}},
	{"nested tuples", func(size int) string {
		return "public func f(a: " + nest(count(size, 2), func(_ int) string { return "(" }, "B", ")") + ") {}\npublic struct S: " + nest(count(size, 2), func(_ int) string { return "(" }, "B", ")") + " {}"
	}},
	{"nested array types", func(size int) string {
		return "public func f(a: " + nest(count(size, 2), func(_ int) string { return "[" }, "B", "]") + ") {}"
	}},
	{"optionals", within("public func f(a: B", func(_ int) string { return "?" }, ") {}")},
	{"function types", within("public func f(a: ", func(_ int) string { return "(A) -> " }, "B) {}")},
	{"nested function types", func(size int) string {
		return "public func f(a: " + nest(count(size, 8), func(_ int) string { return "(" }, "B", ") -> C") + ") {}"
	}},
	{"some any", within("public func f(a: ", func(_ int) string { return "any " }, "B) {}")},
	{"metatypes", within("public func f(a: A", func(_ int) string { return ".Type" }, ") {}")},
	{"member types", within("public func f(a: A", func(_ int) string { return ".B" }, ") {}")},
	{"attributes of a type", within("public func f(a: ", func(_ int) string { return "@a " }, "B) {}")},
	{"attributes", within("", func(_ int) string { return "@a(b) " }, "public func f() {}")},
	{"available attributes", within("", func(i int) string { return sp("@available(macOS %d, iOS %d, *) ", i, i) }, "public func f() {}")},
	{"modifiers", within("", func(_ int) string { return "static " }, "public func f() {}")},
	{"parameters", within("public func f(", func(i int) string { return sp("a%d: A%d, ", i, i) }, "b: B) {}")},
	{"accessors", within("public var a: A { ", func(_ int) string { return "get set " }, "}")},
	{"nested #if", func(size int) string {
		return nest(count(size, 14), func(i int) string { return sp("#if A%d\n", i) }, "public func f() {}\n", "#endif\n")
	}},
	{"nested #else", func(size int) string {
		return nest(count(size, 20), func(i int) string { return sp("#if A%d\n#else\n", i) }, "public func f() {}\n", "#endif\n")
	}},
	{"#elseif", within("#if A\n", func(i int) string { return sp("#elseif B%d\npublic func f() {}\n", i) }, "#endif")},
	{"#if conditions", within("#if A", func(i int) string { return sp(" || B%d && !C", i) }, "\npublic func f() {}\n#endif")},
	{"#if parentheses", func(size int) string {
		return "#if " + nest(count(size, 2), func(_ int) string { return "(" }, "A", ")") + "\npublic func f() {}\n#endif"
	}},
	{"#if nots", within("#if ", func(_ int) string { return "!" }, "A\npublic func f() {}\n#endif")},
	{"#if in types", func(size int) string {
		return "public struct S {" + nest(count(size, 40), func(i int) string { return sp("#if A%d\n public func f%d() {}\n", i, i) }, "public func f() {}\n", "#endif\n") + "}"
	}},
	{"nested extensions off", func(size int) string {
		return "#if NO\n" + nest(count(size, 16), func(i int) string { return sp("public struct A%d { ", i) }, "public func f() {}\n", "}\n") + "#endif\n"
	}},
	{"nested structs", func(size int) string {
		return nest(count(size, 16), func(i int) string { return sp("public struct A%d { ", i) }, "public func f() {}\n", "}\n")
	}},
	{"nested structs of one name", func(size int) string {
		return nest(count(size, 16), func(_ int) string { return "public struct A: B { " }, "public func f() {}\n", "}\n")
	}},
	{"operators", each(func(i int) string {
		return sp("infix operator +%s: P%d\npublic func +(a: A%d, b: B) {}\n", strings.Repeat("-", i%40), i, i)
	})},
	{"long operator", within("public func ", func(_ int) string { return "+-*" }, "(a: A, b: B) {}\npublic let a = b +-*+-*+-* c")},
	{"precedence groups", each(func(i int) string { return sp("precedencegroup P%d { higherThan: P%d }\n", i, i+1) })},
	{"macros", each(func(i int) string {
		return sp("@freestanding(expression) public macro m%d() = #externalMacro(module: \"A\", type: \"B\")\n", i)
	})},
	{"imports", each(func(i int) string { return sp("@_exported import A%d\n", i) })},
	{"imports and types", func(size int) string {
		return fill(size/2, func(i int) string { return sp("import A%d\n", i) }) + fill(size/2, func(i int) string { return sp("public func f%d(a: A%d.B) {}\n", i, i) })
	}},
	{"long name", within("public func ", func(_ int) string { return "abc" }, "() {}")},
	{"long string", within("public let a = \"", func(_ int) string { return "abc\\(b)" }, "\"")},
	{"nested interpolation", func(size int) string {
		return "public let a = " + nest(count(size, 4), func(_ int) string { return "\"\\(" }, "1", ")\"")
	}},
	{"raw strings", within("public let a = ", func(i int) string { return strings.Repeat("#", i%100) + "\"" }, "")},
	{"quotes", within("public let a = ", func(_ int) string { return "\"\"\"" }, "")},
	{"nested comments", within("public let a = 1 ", func(_ int) string { return "/* " }, "")},
	{"regular expressions", within("public let a = ", func(_ int) string { return "/a" }, "")},
	{"regular expressions in lines", within("", func(_ int) string { return "public let a = /a(\n" }, "")},
	{"open regular expressions", within("public let a = ", func(_ int) string { return "#/a " }, "")},
	{"backquotes", within("public let ", func(_ int) string { return "`a" }, "")},
	{"doc comment", within("", func(_ int) string { return "/// a\n" }, "public func f() {}")},
	{"block comment", within("/**", func(_ int) string { return " * a\n" }, "*/public func f() {}")},
	{"doc links", within("", func(i int) string { return sp("/// ``X%d`` ``A/B`` <doc:C>\n", i) }, "public func f() {}")},
	{"doc fields", within("", func(i int) string { return sp("/// - Parameter a%d: b\n", i) }, "public func f() {}")},
	{"doc parameters", within("/// - Parameters:\n", func(i int) string { return sp("///   - a%d: b\n", i) }, "public func f() {}")},
	{"doc lists", within("", func(i int) string { return "/// " + strings.Repeat(" ", i%80) + "- a\n" }, "public func f() {}")},
	{"doc directives", within("", func(_ int) string { return "/// @A(b: c) {\n" }, "public func f() {}")},
	{"doc directive line", within("/// ", func(_ int) string { return "@A{" }, "\npublic func f() {}")},
	{"doc topics", within("", func(i int) string { return sp("/// ### A%d\n/// - ``X%d``\n", i, i) }, "public func f() {}")},
	{"doc brackets", within("/// ", func(_ int) string { return "[" }, "\npublic func f() {}")},
	{"doc backquotes", within("/// ", func(i int) string { return strings.Repeat("`", i%300+1) + " " }, "\npublic func f() {}")},
	{"doc angles", within("/// ", func(_ int) string { return "<doc:" }, "\npublic func f() {}")},
	{"open brackets", within("public func f(", func(_ int) string { return "[(<{" }, "")},
	{"open angles", within("public func f", func(_ int) string { return "<A: B" }, "")},
	{"open classes", within("", func(_ int) string { return "class A: B {" }, "")},
	{"open functions", within("", func(_ int) string { return "func a(b: " }, "")},
	{"open ifs", within("", func(_ int) string { return "#if a\n" }, "")},
	{"open vars", within("", func(_ int) string { return "var a = {" }, "")},
	{"let let", within("", func(_ int) string { return "let " }, "")},
	{"patterns", within("public let (", func(i int) string { return sp("a%d, ", i) }, "b) = c")},
	{"variables in a line", within("public let ", func(i int) string { return sp("a%d = 1, ", i) }, "b = 1")},
	{"variables of one type", within("public var ", func(i int) string { return sp("a%d, ", i) }, "b: Int")},
	{"stray closers", within("", func(_ int) string { return "}" }, "")},
	{"at signs", within("", func(_ int) string { return "@" }, "")},
	{"hashes", within("", func(_ int) string { return "#" }, "")},
	{"semicolons", within("", func(_ int) string { return ";" }, "")},
	{"subscripts", within("public struct S {", func(i int) string { return sp("public subscript(a: A%d) -> B { 1 }\n", i) }, "}")},
	{"initializers", within("public class S: Decodable {", func(i int) string { return sp("public init(a: A%d) {}\n", i) }, "}\npublic class T: S {}")},
	{"members of nested classes", func(size int) string {
		return fill(size, func(i int) string {
			return sp("open class C%d: C%d { public init(a%d: A) {} open func f%d() {} }\n", i+1, i, i, i)
		}) + "open class C0 {}"
	}},
	{"spi", each(func(i int) string {
		return sp("@_spi(A%d) public struct S%d {}\nextension S%d { public func f() {} }\n", i, i, i)
	})},
}

// quadratic contains the shapes whose documentation or macro expansions grow faster
// than their text. Reading one may run out of steps.
var quadratic = map[string]bool{"extensions of a chain of protocols": true, "extensions of a protocol and types": true, "defaults of protocols": true, "nested #if": true, "nested #else": true, "#elseif": true}

// readingOf returns a reading that reads a text as a module.
func readingOf(text string) modeltest.Reading {
	return func(ctx context.Context) error {
		_, err := Read(ctx, packageOf(text))
		return err
	}
}

func TestRead_BoundsTheCostOfHostileShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			modeltest.Bounded(t, quadratic[s.name], func(size int) modeltest.Reading { return readingOf(s.text(size)) })
		})
	}
}

// mixed returns several of the shapes in one text. The shapes declare the same names
// and therefore refer to one another.
func mixed(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	parts := 1 + random.IntN(4)
	var b strings.Builder
	for range parts {
		b.WriteString(shapes[random.IntN(len(shapes))].text(modeltest.HostileSize/parts) + "\n")
	}
	return b.String()
}

// FuzzRead_HostileShapes reads structures that a seed generates.
func FuzzRead_HostileShapes(f *testing.F) {
	modeltest.FuzzBounded(f, func(seed uint64) modeltest.Reading { return readingOf(mixed(seed)) })
}

func TestRead_StopsWhenCanceled(t *testing.T) {
	for _, s := range shapes {
		for _, checks := range []int{2, 40, 300} {
			if quadratic[s.name] {
				modeltest.Canceled(t, s.name, checks, readingOf(s.text(modeltest.HostileSize)))
			}
		}
	}
}
