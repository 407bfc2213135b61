package program_test

import "testing"

func TestLabels_Systems(t *testing.T) {
	const no, have = ": no function ", " in the project and its packages has the argument label "
	expectFaults(t, []faultCase{
		{"initializers of arrays and dictionaries", `
func f() {
	let a = [Int](repeating: 1, count: 2)
	let b = [Int](repeating: 1, cnt: 2) // absent cnt` + no + `Array` + have + `cnt
	let c = [String: Int](minimumCapacity: 1)
	let d = [String: Int](minCapacity: 1) // absent minCapacity` + no + `Dictionary` + have + `minCapacity
	g([[Int]](repeating: [], size: 2)) // absent size` + no + `Array` + have + `size
	let e = functions[0](amount: 1), i = maker()[0](amount: 1)
}
`},
		{"functions whose labels are listed", `
import Foundation
func f() {
	x.index(after: i); x.index(before: i); x.index(i, offsetBy: 1, limitedBy: j)
	x.index(forWritingAt: i) // absent forWritingAt` + no + `index` + have + `forWritingAt
	x.trimmingCharacters(in: y); x.trimmingCharacters(of: y) // absent of` + no + `trimmingCharacters` + have + `of
	try decoder.decode(Kite.self, from: y); try decoder.decode(Kite.self, forKey: .a); try c.encode(contentsOf: y)
	try decoder.decode(Kite.self, contentsOf: y) // absent contentsOf` + no + `decode` + have + `contentsOf
	XCTAssertTrue(x, file: a, line: b); XCTAssertTrue(x, accuracy: a) // absent accuracy` + no + `XCTAssertTrue` + have + `accuracy
}
`},
		{"types whose initializers are listed", `
import Foundation
_ = String(decoding: x, as: y); _ = Array(repeating: 1, count: 2); _ = Int("1", radix: 2)
_ = String(decoding: x, forKey: y) // absent forKey` + no + `String` + have + `forKey
func f() { _ = Int.init(repeating: 1) } // absent repeating` + no + `Int` + have + `repeating
func g() { _ = Array.init(repeating: 1, count: 2); _ = Array.init(width: 1) } // absent width` + no + `Array` + have + `width
struct Date { init(text: String) {} }
_ = Date(text: ""); _ = Date(colour: 1) // arguments Date.init(text:): it has no argument label colour
`},
		{"labels of initializers that protocols declare", `
import Foundation
struct Plain: Hashable, Decodable { var a: Int; init(a: Int) { self.a = a } }
struct Number: ExpressibleByIntegerLiteral { init(integerLiteral n: Int) {}; init(_ n: Number) {} }
enum Size: String { case small }
class Object: NSObject { init(a: Int) {} }
try Plain(from: x); Number(integerLiteral: 1); Number(1); Size(rawValue: "a"); Object()
Plain(arrayLiteral: 1) // arguments Plain.init(a:): it has no argument label arrayLiteral
Plain("a") // arguments Plain.init(a:): it needs an argument for a
Number(arrayLiteral: 1) // arguments Number.init(integerLiteral:): none of its declarations accepts these arguments; the closest one has no argument label arrayLiteral
Object(b: 1) // arguments Object.init(a:): it has no argument label b
extension Plain { static let one = Self(a: 1); static let two = Self(b: 1) } // arguments Plain.init(a:): it has no argument label b
protocol Made { init() }
extension Made { static func make() -> Self { Self() } }
`},
		{"initializers that the program adds to another type", `
import Foundation
_ = Date(kite: 1); _ = URL(kite: 1) // absent kite` + no + `URL` + have + `kite
-- other.swift
extension Date { init(kite: Int) {} }
`},
		{"labels that the project or a package adds", `
import Foundation
_ = String(kite: 1); x.index(of: 1, in: 2); x.index(near: i)
extension String { init(kite: Int) {} }
-- other.swift
extension Array { func index(near: Int) -> Int { 1 } }
`},
		{"modules of interfaces may declare functions with short names", `
import UIKit
x.index(forWritingAt: i); x.starts(by: y, at: z)
x.trimmingCharacters(of: y) // absent of` + no + `trimmingCharacters` + have + `of
_ = String(decoding: x, forKey: y) // absent forKey` + no + `String` + have + `forKey
`},
		{"a missing module may declare any function", `
import Missing
x.index(forWritingAt: i); x.trimmingCharacters(of: y); _ = String(decoding: x, forKey: y)
`},
	})
}

func TestLabels_Callees(t *testing.T) {
	expectFaults(t, []faultCase{
		{"functions of systems", `
import Foundation
func f(s: Any, t: Any) {
	s.insert(1, within: t); s.remove(1, within: t); s.remove(contentsOf: t); s.remove(from: t, forMode: t)
	s.write(to: t, options: t, originalContentsURL: nil); s.append(1, as: Int.self)
	s.insert(1, inside: t) // absent inside: no function insert in the project and its packages has the argument label inside
}
`},
		{"functions in functions", `
func f() {
	func moveAll(to x: Int) {}
	moveAll(to: 1); moveAll(into: 1) // arguments moveAll(to:): it has no argument label into
}
`},
		{"functions whose names are words, which functions of C may have", `
func expect(_ x: Int, at y: Int) {}
func print(_ x: Int, at y: Int) {}
expect(1, at: 2); expect(1, 2, 3)
expect(1, of: 2) // arguments expect(_:at:): it has no argument label of
print(1, of: 2)
`},
		{"a property with the name of a function", `
struct Site { var url: URL?; var path: (Int) -> Int; func url(for x: Int) -> Kite { .red }; func path(to x: Int) -> Kite { .red } }
struct Spool { var turn: Turn; func turn(by n: Int) {} }
struct Turn { func callAsFunction(at n: Int) {} }
func f(s: Site, t: Spool) {
	s.url(for: 1).land(); s.path(to: 1).land(); s.path(1)
	s.url(of: 1) // arguments Site.url(for:): it has no argument label of
	s.path(of: 1) // arguments Site.path(to:): it has no argument label of
	t.turn(at: 1); t.turn(by: 1)
}
`},
		{"the label that no declaration has", `
struct Name { init(type: Int, utf8: String) {}; init(type: Int, ascii: String) {}; init(of x: Int) {} }
_ = Name(
	kind: 1, // arguments Name.init(type:utf8:): none of its declarations accepts these arguments; the closest one has no argument label kind
	utf8: ""
)
`},
		{"a subscript that a missing module may declare", `
import Missing
struct Grid { subscript(row: Int) -> Kite { .red } }
func f(k: Kennel, g: Grid) {
	k[of: 1]
	g[of: 1] // arguments Grid.subscript(_:): it has no argument label of
}
-- Kite/kennel.swift
public struct Kennel { public subscript(row: Int) -> Kite { .red } }
`},
	})
}

func TestLabels_Patterns(t *testing.T) {
	expectFaults(t, []faultCase{
		{"cases in expressions", `
enum Keyword { case let, var }
enum Node { case variable(kind: Keyword, left: String), list([Node], done: (Int) -> Void) }
func take(_ a: Int, _ n: Node) {}
func f() {
	let a: Node = .variable(kind: .let, left: "")
	let b: Node = .variable(sort: .let, left: "") // arguments Node.variable(kind:left:): it has no argument label sort
	take(1, .variable(kind: .var, left: ""))
	take(1, .variable(sort: .var, left: "")) // arguments Node.variable(kind:left:): it has no argument label sort
	let c = Node.list([], end: { _ in let x = 1 }) // arguments Node.list(_:done:): it has no argument label end
}
`},
		{"cases in patterns", `
enum Node { case leaf(name: String, size: Int), pair(Node, Node) }
func f(n: Node) {
	switch n {
	case .leaf("", 1), .leaf("a", 2): break
	case .pair(.leaf("", 1), .leaf(_, 2)): break
	case .leaf(let name, size: 1): break
	default: break
	}
	if case .pair(.leaf("", 1), .leaf("", 2)) = n {}
}
`},
	})
}

func TestAttributes_Arguments(t *testing.T) {
	expectFaults(t, []faultCase{
		{"availability", `
@available(*, deprecated, message: "a", renamed: "b") func f() {}
@available(iOS, introduced: 13, deprecated: 14, obsoleted: 15) func g() {}
@available(*, deprecated, reason: "a") func h() {} // absent reason: @available has no argument label reason
`},
		{"expressions in the arguments of wrappers", `
@propertyWrapper struct Flag { var wrappedValue = false; init(help: Help) {} }
struct Help { init(_ text: String, hidden: Bool = false) {} }
struct Options {
	@Flag(help: Help("", hidden: true)) var a: Bool
	@Flag(help: Help("", shown: true)) var b: Bool // arguments Help.init(_:hidden:): it has no argument label shown
	@Flag(help: Gadget("")) var c: Bool // absent Gadget: neither the file's module nor one that it imports declares Gadget
	init() {}
}
`},
	})
}

func TestUndeclared_Systems(t *testing.T) {
	const missing = ": neither the file's module nor one that it imports declares "
	expectFaults(t, []faultCase{
		{"names that only begin like those of systems", `
func f(a: SecKey, b: CGPoint, c: XCTestExpectation, d: UInt128, e: NSObject) {}
func g(a: Secretary) {} // absent Secretary` + missing + `Secretary
`},
		{"names like those of types of C that a package declares", `
func f(a: AEDesc, b: AEParcel) {} // absent AEParcel` + missing + `AEParcel, which Dock declares
-- Dock/Dock.swift
public struct AEParcel {}
`},
		{"in default values", `
struct Post { init(_ n: Int, make: () -> Void) {} }
func f(a: Post = Post(1, make: { Winch() }), b: Int = 1) {} // absent Winch` + missing + `Winch
func g(a: Post = Post(1, mak: {}), b: Int = 1) {} // arguments Post.init(_:make:): it has no argument label mak
`},
		{"types that are not public in the module that declares them", `
import Dock
let a = Winch() // hidden Winch
func f(w: Winch) {} // hidden Winch
-- Dock/Dock.swift
struct Winch {}
`},
		{"in extensions of types of systems", `
extension Array where Element == Kite {
	func f() -> Int { let a = Winch(); return Coil() } // absent Winch` + missing + `Winch, which Dock declares
	func g(w: Winch, c: Coil, e: Element, i: Index) {} // absent Winch` + missing + `Winch, which Dock declares
}
-- other.swift
extension Collection { struct Coil {} }
-- Dock/Dock.swift
public struct Winch {}
public struct Coil {}
`},
	})
}

func TestArguments_ClosureParameters(t *testing.T) {
	expectFaults(t, []faultCase{
		{"the number of parameters of a closure selects an overload", `
struct Loom {
	func weave(_ body: (Kite, Int) -> Void) -> Kite { .red }
	func weave(_ body: () -> Void) -> Tail { Tail() }
	func weave(_ body: (Tail) -> Void) -> Loom { self }
}
func f(l: Loom) {
	l.weave { k, n in k.lannd() }.landd() // absent Kite.landd | absent Kite.lannd
	l.weave { [weak l] (k: Kite, n: Int) -> Void in }.landd() // absent Kite.landd
	l.weave { $0.lannd(); use($1) }.landd() // absent Kite.landd | absent Kite.lannd
	l.weave { t in t.cutt() }.weave { @Sendable in }.cutt() // absent Tail.cutt | absent Tail.cutt
	l.weave { _ in }.woven() // absent Loom.woven
	l.weave { other("\($0)") }.anything
	l.weave { a, b, c in }.anything
}
`},
		{"a function of a system may be another overload", `
func XCTExpectFailure(_ body: () -> Void) {}
func XCTExpectFailure(_ body: (Kite) -> Void) {}
func f() { XCTExpectFailure { $0.anything } }
`},
		{"a closure without parameters may have one of type Void", `
struct Loom {
	func weave<T>(_ body: (T) -> Void) -> Kite { .red }
	func weave(_ body: (Int, Int) -> Void) -> Tail { Tail() }
}
func f(l: Loom) {
	l.weave { }.landd() // absent Kite.landd
	l.weave { x in }.landd() // absent Kite.landd
	l.weave { x, y in }.anything
}
`},
	})
}

func TestMembers_GenericParameters(t *testing.T) {
	expectFaults(t, []faultCase{
		{"of the enclosing type", `
protocol Model { static func query(on db: Int) -> Query<Self>; init(id: Int) }
struct Query<M> { func first() -> M? { nil } }
extension Model { static func find(id: Int) {} }
struct Finder<Token> where Token: Model {
	func f() {
		Token.find(id: 1); _ = Token(id: 1); _ = Token.self
		Token.find(key: 1) // arguments Model.find(id:): it has no argument label key
		Token.search() // absent Token.search
	}
}
struct Other<Token> { func f() { Token.find(key: 1) } } // absent Token.find
`},
	})
}
