package source

import (
	"strings"
	"testing"
)

// TestDeclaration_Constructs checks the declarations of a text in the form of a symbol graph, each
// followed by those of its members, and how many could not be read. As in a symbol graph, a subscript has
// no label "_", a case has no inner names, and a stored property with a private setter is shown as { get }.
// Types of values are inferred elsewhere.
func TestDeclaration_Constructs(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"operators that look like regular expressions", "func /(a: Int, b: Int) -> Int { a }\nfunc /=(a: inout Int, b: Int) {}", "func / (a: Int, b: Int) -> Int | func /= (a: inout Int, b: Int)"},
		{"operators of other scripts", "func ≤ (a: V, b: V) -> Bool { true }\nprefix func √(a: V) -> V { a }\npostfix func °(a: V) -> V { a }", "func ≤ (a: V, b: V) -> Bool | prefix func √ (a: V) -> V | postfix func ° (a: V) -> V"},
		{"specifiers of parameters", "func f(a: isolated A, b: sending B, c: consuming C, d: borrowing D, _ e: Int..., f: inout F) {}", "func f(a: isolated A, b: sending B, c: consuming C, d: borrowing D, _ e: Int..., f: inout F)"},
		{"attributes of parameters", "func f(@Builder _ a: @escaping @Sendable () -> Int = { 1 }, b: @autoclosure () throws -> Bool) {}", "func f(@Builder _ a: @escaping @Sendable () -> Int = { 1 }, b: @autoclosure () throws -> Bool)"},
		{"function types", "typealias F = (_ a: inout Int, borrowing B) async throws(E) -> (any P & Q)?", "typealias F = (_ a: inout Int, borrowing B) async throws(E) -> (any P & Q)?"},
		{"patterns", "let (a, (b, _)): (Int, (String, Bool)) = f()\nvar (c, d) = (1, 2)", "let a: Int | let b: String | var c | var d"},
		{"accessors with effects", "var a: Int { get async throws { 1 } }\nvar b: Int { _read { yield x } _modify { yield &x } }\nvar c: Int { @inlinable get { 1 } nonmutating set(v) {} }", "var a: Int { get async throws } | var b: Int { get set } | var c: Int { get nonmutating set }"},
		{"observers and initial values", "var a: Int = 1 { willSet { f() } didSet(old) { g() } }\nvar b = 1 { didSet {} }", "var a: Int { get set } | var b { get set }"},
		{"accessors for initializers", "struct S { var w: Int { @storageRestrictions(initializes: _w, accesses: x) init(v) { } get { 1 } set { } } }", "struct S | var w: Int { get set }"},
		{"requirements", "protocol P<A> : AnyObject where A : Q { associatedtype A : R = Int where A.B == C; subscript<T>(i: T) -> T { get set }; init?(x: Int); static func make() -> Self; var a: A { get async } }", "protocol P<A> : AnyObject where A : Q | associatedtype A : R = Int where A.B == C | subscript<T>(i: T) -> T { get set } | init?(x: Int) | static func make() -> Self | var a: A { get async }"},
		{"cases", "indirect enum E : Int { case a(E), b(_ x: Int, y: String = \"}\")\n/** C. */ case c = 1, `default` }", "indirect enum E | case a(E) | case b(_: Int, y: String = \"}\") | case c | case `default`"},
		{"macros", "@freestanding(expression) macro f<T>(_ x: T) -> T = #externalMacro(module: \"M\", type: \"F\")\n@attached(member, names: named(init)) macro Make() = #externalMacro(module: \"M\", type: \"G\")", "@freestanding(expression) macro f<T>(_ x: T) -> T | @attached(member, names: named(init)) macro Make()"},
		{"words with arguments", "class A { nonisolated(unsafe) static var x = 1; unowned(unsafe) let a: A; weak var b: B?; private(set) var c: Int }", "class A | nonisolated(unsafe) static var x | unowned(unsafe) let a: A | weak var b: B? | var c: Int { get }"},
		{"packs", "func f<each T, each U>(_ t: repeat each T) -> (repeat (each T, each U)) where repeat each T : P {}", "func f<each T, each U>(_ t: repeat each T) -> (repeat (each T, each U)) where repeat each T : P"},
		{"conditions around attributes", "#if A\n@objc\n#elseif B\n@nonobjc\n#else\n@available(macOS 13, *) @x(1)\n#endif\nfunc f() {}\nfunc g() {}", "func f() | func g()"},
		{"where clauses of old sources", "func f<T where T : P>(x: T) {}", "func f<T>(x: T) where T : P"},
		{"imports of single declarations", "import func Swift.+\nimport struct A.B.C\n@testable import M\nfunc f() {}", "func f()"},
		{"values that are expressions", "let a = if x { 1 } else { 2 }\nlet b = x ? (y ? 1 : 2) : 3\nlet c = a as? B ?? d\nlet d = { [weak self] (x: Int) async throws -> Int in x }\nlet e = \\A.b[0]?.c\nlet f = switch x { case .a where y: 1; default: 2 }\nlet g = try! await f()!.x?[0] as! [A]\nvar h: Int", "let a | let b | let c | let d | let e | let f | let g | var h: Int"},
		{"literals with brackets", "let a = \"\\(f(\"}\"))\"\nlet b = #\"\\(\"}\"#\nlet c = \"\"\"\n  }\n  \\(\"\"\"\n  {\n  \"\"\")\n  \"\"\"\nlet d = /[)}]\\//\nlet e = #/ } /#\nlet f = \"\\( /* ) */ 1)\"\nfunc g() {}", "let a | let b | let c | let d | let e | let f | func g()"},
		{"comments in comments", "/* a /* b } */ c { */ func f() { /* } */ }\nfunc g() {} // }", "func f() | func g()"},
		{"comparisons are no arguments", "let a = b < c, d = e > f\nlet g = h<i>(j)\nlet k = l < m ? n : o", "let a | let d | let g | let k"},
		{"operators at the beginning of a line", "let a = b\n  + c\n  ?? d\nlet e = f\n  .g()\n  .h { $0 }\n-i", "let a | let e"},
		{"throwing accessors of a subscript", "struct S { subscript(dynamicMember name: String) -> Int { get throws { 1 } }; static subscript(_ i: Int, at j: Int = 0) -> String { \"\" } }", "struct S | subscript(dynamicMember name: String) -> Int { get throws } | static subscript(i: Int, at j: Int = 0) -> String { get }"},
		{"extensions", "extension A.B where C == Int { func f() {} }\nextension D : @retroactive E, @unchecked Sendable {}", "extension A.B where C == Int | func f() | extension D : @retroactive E, @unchecked Sendable"},
		{"precedence", "infix operator <+> : Sum\nprecedencegroup Sum { higherThan: A\n associativity: left }\nprefix operator √", "infix operator <+> : Sum | precedencegroup Sum | prefix operator √"},
		{"initializers", "class A { required convenience init?<T>(_ x: T) throws where T : P {}; init!(y: Int) {}; deinit {}; override func f() {} }", "class A | required convenience init?<T>(_ x: T) throws where T : P | init!(y: Int) | deinit | override func f()"},
		{"an unreadable declaration is lost alone", "func f() {}\nfunc 1() {}\nlet = 2\nfunc g() {}", "func f() | func g() | lost 2"},
	} {
		f := Parse("a.swift", []byte(tt.text))
		var got []string
		walk(f.Decls, func(d *Decl) { got = append(got, strings.Join(strings.Fields(d.Declaration(Inferred{})), " ")) })
		if f.Lost > 0 {
			got = append(got, "lost "+string(rune('0'+f.Lost)))
		}
		if s := strings.Join(got, " | "); s != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, s, tt.want)
		}
	}
}
