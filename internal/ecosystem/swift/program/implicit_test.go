package program_test

import "testing"

func TestImplicit_ExpectedTypes(t *testing.T) {
	expectFaults(t, []faultCase{
		{"written types", `
let a: Wind = .calm
let b: Wind = .clam // absent Wind.clam
let c: Wind? = .none
let d: Wind? = .clam // absent Wind.clam
let e: [Wind] = [.calm, .clam] // absent Wind.clam
var f: Kite = .red, g: Kite = .make("").fly(to: 1)
let h: Kite = .blue // absent Kite.blue
let i: Kite = .init(name: "")
let j: Kite = .init(nam: "") // arguments Kite.init(name:colour:): none of its declarations accepts these arguments; the closest one has no argument label nam
`},
		{"arguments", `
func sail(_ w: Wind, among all: [Wind] = [], or other: Wind? = nil, then: () -> Void = {}) {}
struct Boat { init(w: Wind) {}; func turn(to w: Wind) {}; func turn(by n: Int) {} }
func f(b: Boat) {
	b.turn(to: .calm); b.turn(to: .clam) // absent Wind.clam
	_ = Boat(w: .clam) // absent Wind.clam
	b.turn(by: .zero)
}
func sailFar(_ w: Wind, among all: [Wind] = [], or other: Wind? = nil) {}
sailFar(.calm, among: [.gust(1, 2)], or: .none)
sailFar(.clam) // absent Wind.clam
sailFar(.calm, among: [.calm, .clam]) // absent Wind.clam
sailFar(.calm, or: .clam) // absent Wind.clam
sailFar(.breeze(pace: 1)) // arguments Wind.breeze(speed:from:): it has no argument label pace
`},
		{"overloads with other types", `
struct Mixed { func set(_ w: Wind) {}; func set(_ k: Kite) {} }
func f(m: Mixed) { m.set(.calm); m.set(.red); m.set(.anything) } // absent Wind.anything
`},
		{"results", `
func f(b: Bool) -> Wind {
	if b { return .clam } // absent Wind.clam
	return .calm
}
var calm: Wind { .clam } // absent Wind.clam
func g() -> Wind { .clam } // absent Wind.clam
func h() -> Wind? { .clam } // absent Wind.clam
func i() -> [Wind] { [.anything] } // absent Wind.anything
@Builder func j() -> Wind { .anything }
let k: () -> Wind = { .anything }
`},
		{"assignments and comparisons", `
func f(k: inout Kite, w: inout Wind) {
	w = .clam // absent Wind.clam
	k.tail = .init()
	if w == .clam || w != .storm { } // absent Wind.clam | absent Wind.storm
	if .calm == w { }
	w = true ? .calm : .anything
	_ = k.wind == .calm
	let x = k.tail ?? .init()
}
`},
		{"default values", `
func f(w: Wind = .calm, v: Wind = .clam, o: Wind? = .none) {} // absent Wind.clam
struct S { var w: Wind = .clam; let v: Wind = .calm } // absent Wind.clam
`},
		{"option sets and literals of arrays", `
struct Marks: OptionSet { let rawValue: Int; static let a = Marks(rawValue: 1); static let b = Marks(rawValue: 2); var isA: Bool { [.calm, .any].contains(self) } }
func f() -> Marks { [.a, .c] } // absent Marks.c
func g() -> [Wind] { return [.calm, .clam] } // absent Wind.clam
func h(m: Marks = [.b, .d]) -> [Wind]? { [.other].map { $0 } } // absent Marks.d
var marks: Marks = [.a]
marks = [.a, .e] // absent Marks.e
let all: [Wind] = [.anything].compactMap { $0 }
struct Flags: OptionSet { typealias ArrayLiteralElement = Wind; let rawValue: Int }
let flags: Flags = [.calm]
`},
		{"extensions of an alias with the name of a nested type", `
enum Outer { enum Size: String { case small } }
typealias Size = Outer.Size
extension Size { init(text: String) { self = .small }; static func of(n: Int) -> Size { .small } }
func f() -> Outer.Size { Size(text: ""); Outer.Size(text: ""); return .of(n: 1) }
func g() -> Size { Size(txt: ""); return .off } // arguments Outer.Size.init(text:): it has no argument label txt | absent Outer.Size.off
`},
		{"static members of extensions and protocols", `
extension Wind { static let strong = Wind.gust(1, 2); static func of(_ n: Int) -> Wind { .calm } }
protocol Style {}
struct Plain: Style {}
extension Style where Self == Plain { static var plain: Plain { Plain() } }
func styled(_ s: some Style) {}
let a: Wind = .strong, b: Wind = .of(1)
styled(.plain); styled(.anything)
let c: Wind = .of(by: 1) // arguments Wind.of(_:): it has no argument label by
`},
		{"in tests", `
func f(k: Kite) {
	XCTAssertEqual(k.wind, .clam) // absent Wind.clam
	XCTAssertEqual(.calm, k.wind); XCTAssertNotEqual(k.wind, .storm) // absent Wind.storm
}
`},
	})
}

func TestUndeclared_Types(t *testing.T) {
	const missing = ": neither the file's module nor one that it imports declares "
	expectFaults(t, []faultCase{
		{"in signatures", `
func f(a: Gadget) {} // absent Gadget` + missing + `Gadget
func g() -> Gadget? { nil } // absent Gadget` + missing + `Gadget
func h(a: [String: Gadget], b: (Gadget) -> Void) {} // absent Gadget` + missing + `Gadget | absent Gadget` + missing + `Gadget
func i<T: Gadget>(t: T) {}
struct S { var g: Gadget; let h = [Gadget]() } // absent Gadget` + missing + `Gadget
let x: Kite.Gadget = y // absent Kite.Gadget
func j() throws(Gadget) {}
`},
		{"in expressions", `
let a = Gadget(1) // absent Gadget` + missing + `Gadget
let b = Gadget.shared // absent Gadget` + missing + `Gadget
let c = x as? Gadget
let d = x is Gadget
`},
		{"generic parameters and associated types", `
func f<T, each U>(a: T, b: repeat each U) {}
struct S<T> { var t: T; struct I { var t: T } }
extension S { func f(t: T) {} }
protocol P { associatedtype A; func f(a: A) -> Self.A }
extension P { func g(a: A) {} }
typealias Pair<T> = (T, T)
`},
		{"types of systems", `
func f(a: Int, b: UInt8, c: Character, d: Result<Int, any Error>, e: Never, g: Range<Int>, h: AnyObject, i: Any, j: Optional<Int>, k: Substring) {}
func l(a: some Sequence<Int>, b: any Collection, c: Task<Void, Never>, d: KeyPath<Kite, Int>, e: ObjectIdentifier, g: DefaultStringInterpolation) {}
`},
		{"with a module whose types are known", `
import Foundation
func f(a: Gadget, d: Data, n: NSGadget) {} // absent Gadget` + missing + `Gadget
`},
		{"with a module that is not read", `
import UIKit
func f(a: Gadget) {}
`},
		{"in other written types", `
typealias T = Gadget.Size // absent Gadget` + missing + `Gadget
typealias U<V> = Box<V>
	where V: Kite,
		V.Gadget == String
enum E { case a(Gadget, size: Int, of: [Gadget] = []) } // absent Gadget` + missing + `Gadget | absent Gadget` + missing + `Gadget
func f<A, B>(a: A) -> B where A == Gadget, B: Kite { a } // absent Gadget` + missing + `Gadget
extension Kite where Gadget == Int { subscript(g: Gadget) -> Int { 1 } } // absent Gadget` + missing + `Gadget | absent Gadget` + missing + `Gadget
let c = { (a: Int) -> Gadget in a } // absent Gadget` + missing + `Gadget
`},
		{"types of extensions of superclasses in systems", `
import XCTest
extension XCTestCase { typealias Variation = Int }
final class Tests: XCTestCase { func f(v: Variation) {} }
`},
		{"types that conditions declare", `
#if os(Linux)
struct Gadget {}
#endif
func f(a: Gadget) {}
`},
		{"types that a macro may add", `
@AddGadget struct S {}
func f(a: S.Gadget, b: SGadget) {}
`},
		{"generic parameters of failable initializers", `
struct S { init?<T>(_ t: T, u: T.Type) where T: Sequence { let x: T? = nil; return nil }; init!<U>(u: U, g: Gadget) { nil } } // absent Gadget` + missing + `Gadget
`},
	})
}

// TestUndeclared_Apple tests what only Apple's systems declare.
func TestUndeclared_Apple(t *testing.T) {
	expectFaults(t, []faultCase{
		{"types of C", `
import Foundation
let a: UniChar = 1, b: SInt32 = 1, c: AEKeyword = 1, d: AuthorizationRef? = nil
var info = Dl_info(), header: Elf64_Ehdr?
let e: Unichar = 1 // absent Unichar: neither the file's module nor one that it imports declares Unichar
`},
		{"types of Combine and CryptoKit", `
import Combine
import CryptoKit
func f(a: AsyncPublisher<Just<Int>>, b: any CustomCombineIdentifierConvertible, c: CryptoKitASN1Error, d: Justt) {} // absent Justt: neither the file's module nor one that it imports declares Justt
`},
		{"members and labels", `
import Foundation
import XCTest
var r = URLRequest(url: u)
r.assumesHTTP3Capable = true; r.attribution = .user; r.allowsExpensiveNetworkAcces = true // absent allowsExpensiveNetworkAcces: URLRequest has no member allowsExpensiveNetworkAcces, and no module of the project or of its packages adds one
FileManager.default.url(forUbiquityContainerIdentifier: nil)
ProcessInfo.thermalStateDidChangeNotification; URLSession.shared.allTasks
XCTMemoryMetric(application: a); XCTCPUMetric(limitingToCurrentThread: true); XCTAttachment(image: a, quality: .high)
withVaList([]) { a }
`},
		{"modules that re-export others", `
import Umbrella
let a = URLRequest(url: u).anything
-- Umbrella/umbrella.swift
@_exported import Foundation
@_exported import UIKit
`},
	})
}

func TestUndeclared_Names(t *testing.T) {
	const undeclared = ": neither the project nor a package that it uses declares "
	const function = ": neither the file's module nor one that it imports declares a function "
	expectFaults(t, []faultCase{
		{"names that resemble declared ones", `
let a = y.wnid // absent wnid` + undeclared + `wnid
makeKtie(1) // absent makeKtie` + function + `makeKtie
let b = z.fly(colur: 2) // absent colur: no function fly in the project and its packages has the argument label colur
func makeKite(_ n: Int) {}
`},
		{"names that nothing resembles", `
let a = y.completelyOther
somethingElse(1) // absent somethingElse` + function + `somethingElse
somethingelse(1); some_Other(1); withUnsafeOther(1); other.somethingElse(1)
func f(aBlock: () -> Void) { aBlock(); bBlock() } // absent bBlock` + function + `bBlock
struct S: Unknown { func f() { anyMember(1) } }
class C: XCTestCase { func f() { ownMember(1); continueTest(1) } } // absent ownMember` + function + `ownMember
`},
		{"labels", `
let t = (fly: 1, other: 2)
x.fly(at: 1) // absent at: no function fly in the project and its packages has the argument label at
XCTAssertEqual(1, 2, file: a, lines: 1) // absent lines: no function XCTAssertEqual in the project and its packages has the argument label lines
XCTAssertEqual(1, 2, accuracy: 1, file: a, line: 1)
String(decoding: a, colour: b); String(decoding: a, as: b) // absent colour: no function String in the project and its packages has the argument label colour
`},
		{"names that the file declares somewhere", `
let a = y.wnid
func f(wnid: Int) {}
x.tali; let tali = 1
enum E { case lnad }
x.lnad
`},
		{"names under a condition", `
#if DEBUG
x.wnid
#endif
y.wnid
`},
		{"strings and comments", `
let a = "x.wnid" /* x.wnid */
let b = #"\(x.wnid)"#
`},
	})
}

func TestWrappers_Arguments(t *testing.T) {
	expectFaults(t, []faultCase{
		{"arguments of property wrappers", `
@propertyWrapper struct Limit<V> { var wrappedValue: V; init(wrappedValue: V, max: Int = 0, wind: Wind = .calm) { fatalError() }; init(min: Int) { fatalError() } }
struct S {
	@Limit(max: 1) var a = 1
	@Limit(min: 1) var b: Int
	@Limit(max: 1, wind: .clam) var c = 1 // absent Wind.clam
	@Limit(mx: 1) var d = 1 // arguments Limit.init(wrappedValue:max:wind:): none of its declarations accepts these arguments; the closest one has no argument label mx
	@Mystery(mx: 1) var e = 1 // absent Mystery: neither the file's module nor one that it imports declares Mystery
}
`},
		{"attributes that are no wrappers", `
@available(iOS 13, *) func f() {}
@objc(name:) class A {}
@discardableResult @inlinable func g() -> Int { 1 }
@MainActor final class B { @Sendable func f() {} }
@resultBuilder enum Build { static func buildBlock(_ x: Int...) -> [Int] { x } }
func h(@Build body: () -> [Int]) {}
h { 1; 2 }
`},
	})
}
