package program_test

import "testing"

// noMember is the message about a member that a value of a system does not have.
const noMember = ", and no module of the project or of its packages adds one"

func TestMembers_Values(t *testing.T) {
	expectFaults(t, []faultCase{
		{"properties, methods and their results", `
func f(k: Kite) {
	k.fly(to: 1).fly(to: 2).land()
	k.fly(to: 1).lannd() // absent Kite.lannd
	k.wind.isCalm
	k.wind.isWild // absent Wind.isWild
	k.secret() // hidden Kite.secret()
	k.name.utf8.count
}
`},
		{"optional chaining and unwrapping", `
func f(k: Kite?, t: Tail?, u: Tail!) {
	k?.tail?.cut(); k!.tail!.cut()
	k?.tail?.cute() // absent Tail.cute
	k!.tail!.cute() // absent Tail.cute
	(k?.tail)?.cute() // absent Tail.cute
	u.cut()
	u.cute() // absent Tail.cute
	u?.cut()
	k.map { $0.land() }
	k.map { $0.lannd() } // absent Kite.lannd
	k.flatMap { $0.tail }?.cute() // absent Tail.cute
	t.unsafelyUnwrapped.anything
}
`},
		{"static members and those of objects", `
_ = Kite.red.wind
_ = Kite.blue // absent Kite.blue
Kite.make("").land()
Kite.make("").lannd() // absent Kite.lannd
let type = Kite.self
Kite.Type.self
`},
		{"await, try and parentheses", `
func f(k: Kite) async throws {
	try await k.tie(1).cut()
	try await k.tie(1).cute() // absent Tail.cute
	let t = try await k.tie(1, tight: true)
	t.cute() // absent Tail.cute
	(try? await k.tie())?.cut()
	(k).lannd() // absent Kite.lannd
	((k.tail)!).cute() // absent Tail.cute
}
`},
		{"inherited members", `
final class Cube: Ball {
	func f() { roll(); play(); self.roll(); super.roll(); super.play() }
	func g() { self.rol() } // absent Cube.rol
	func h() { super.plai() } // absent Ball.plai
}
func f(b: Ball) { b.play(); b.roll() }
func g(b: Ball) { b.jump() } // absent Ball.jump
func h(b: Ball) { b.play().roll() } // absent Toy.roll
`},
		{"members of protocols", `
struct Bird: Flyer { var speed = 1.0; func soar() {} }
func f(b: Bird, g: any Flyer, h: some Flyer) {
	b.glide(); g.glide(); h.glide(); g.speed; h.soar()
	b.glid() // absent Bird.glid
	g.glid() // absent Flyer.glid
	h.glid() // absent Flyer.glid
}
`},
		{"extensions", `
extension Kite { func swoop() -> Tail { tail! }; static let best = Kite(name: ""); struct Rig { var t: Tail } }
extension Flyer where Self: Sendable { func dive() {} }
func f(k: Kite, r: Kite.Rig) {
	k.swoop().cut(); Kite.best.land(); r.t.cut()
	k.swoop().cute() // absent Tail.cute
	Kite.worst.land() // absent Kite.worst
	r.u.cut() // absent Kite.Rig.u
}
`},
		{"values without a written type", `
let k = Kite(name: "")
let t = k.tail
let w = Kite.red.wind
k.lannd() // absent Kite.lannd
t?.cute() // absent Tail.cute
w.isWild // absent Wind.isWild
struct S { let k = Kite(name: ""); var t = Tail() }
func f(s: S) {
	s.k.lannd() // absent Kite.lannd
	s.t.cute() // absent Tail.cute
	var n = k.fly(to: 1)
	n = .red
	n.lannd() // absent Kite.lannd
}
`},
		{"tuples", `
let (a, b) = (Kite.red, Tail())
a.anything; b.anything // absent Kite.anything | absent Tail.anything
let c = (k: Kite.red, 1)
c.k.anything; c.1.anything // absent Kite.anything | absent anything: Int has no member anything, and no module of the project or of its packages adds one
c.j // absent j: the tuple has no element j, only k, 1
typealias Pair = (k: Kite, Tail)
func pair() -> (k: Kite, t: Tail)? { nil }
func f(p: Pair, all: [String: Kite]) {
	let (d, (_, e)) = (p.0, (1, p.1))
	d.anything; e.anything // absent Kite.anything | absent Tail.anything
	if let (k, t) = pair() { k.lannd(); t.cute() } // absent Kite.lannd | absent Tail.cute
	guard let (k, _) = pair() else { return }
	k.lannd() // absent Kite.lannd
	pair()?.t.cute() // absent Tail.cute
	all.first?.value.lannd() // absent Kite.lannd
	for (n, k) in all where k.lannd() { n.anything; k.land() } // absent Kite.lannd | absent anything: String has no member anything, and no module of the project or of its packages adds one
	let pairs = [p]
	pairs.map { $1.cute() } // absent Tail.cute
	pairs.map { k, t in k.lannd() } // absent Kite.lannd
	pairs.map { $0.k.lannd() } // absent Kite.lannd
	pairs.map { x in x.t } // absent t: the tuple has no element t, only k, 1
	for case (let k, _)? in [pair()] { k.anything }
}
`},
		{"key paths and selectors", `
func f(all: [Kite]) {
	all.map(\.tail).first??.cut()
	all.compactMap(\.tail).first?.anything // absent Tail.anything
	let p = \Kite.tale // absent Kite.tale
	all[0][keyPath: p]
}
`},
		{"operators between values are not followed", `
func f(a: Kite, b: Kite) {
	(a + b).anything
	(a as Any).anything
	(a as? Kite)?.lannd() // absent Kite.lannd
}
`},
	})
}

func TestMembers_Generics(t *testing.T) {
	expectFaults(t, []faultCase{
		{"arguments that are written or inferred", `
func f(a: Box<Kite>, b: Box<Tail?>, c: Box<[Kite]>, d: [Box<Tail>]) {
	a.item.lannd() // absent Kite.lannd
	a.take().lannd() // absent Kite.lannd
	b.item?.cute() // absent Tail.cute
	c.item[0].lannd() // absent Kite.lannd
	d[0].take().cute() // absent Tail.cute
	let e = Box<Tail>(Tail())
	e.take().cute() // absent Tail.cute
	Box(Tail()).take().anything // absent Tail.anything
}
`},
		{"requirements of parameters", `
func f<T: Flyer, U>(t: T, u: U, all: [T]) where U: Flyer {
	t.soar(); u.glide(); all.first?.soar()
	t.sour() // absent T.sour
	u.glid() // absent U.glid
	all.map { $0.sour() } // absent T.sour
}
func g<T>(t: T) { t.anything } // absent T.anything
struct S<E: Flyer> {
	var e: E
	func f() { e.soar(); e.sour() } // absent E.sour
}
extension S where E: Equatable { func g() { e.soar() } }
`},
		{"results of generic functions", `
func sameOf<T>(_ t: T) -> T { t }
func firstOf<T>(_ t: [T]) -> T? { t.first }
func makeOf<T>(_ t: T.Type) -> T { fatalError() }
func runIt<T>(_ f: () throws -> T) rethrows -> T { try f() }
func f(k: Kite, all: [Kite]) {
	sameOf(k).lannd() // absent Kite.lannd
	firstOf(all)?.anything
	makeOf(Tail.self).cute() // absent Tail.cute
	runIt { k }.lannd() // absent Kite.lannd
	sameOf(unknown).anything
}
`},
		{"associated types", `
protocol Store { associatedtype Key; associatedtype Item; func get(_ k: Key) -> Item }
struct KiteStore: Store { func get(_ k: String) -> Kite { .red } }
func f(s: KiteStore) { s.get("").anything; s.got() } // absent KiteStore.got
func g<S: Store>(s: S, k: S.Key) where S.Item == Kite { s.get(k).land() }
func h(s: some Store) { s.got() } // absent Store.got
`},
		{"aliases with parameters", `
typealias Pair<T> = Box<T>
typealias KiteBox = Box<Kite>
func f(a: KiteBox, b: Pair<Tail>) {
	a.put() // absent Box.put
	b.take().cute() // absent Tail.cute
}
`},
		{"shadowed names of types", `
func f<Kite>(k: Kite) { k.x() } // absent Kite.x
struct Outer { struct Tail { var own = 1 }; func f(t: Tail) { t.own; t.cut() } } // absent Outer.Tail.cut
func g() { struct Tail { var own = 1 }; Tail().own; Tail().cut() } // absent Tail.cut
`},
	})
}

func TestMembers_Systems(t *testing.T) {
	const no = " has no member "
	expectFaults(t, []faultCase{
		{"strings and numbers", `
func f(s: String, n: Int, d: Double, b: Bool) {
	s.count; s.uppercased(); s.isEmpty; s.utf8.count; s.hasPrefix("a")
	n.magnitude; n.advanced(by: 1); d.rounded(); b.toggle
	s.lengthh // absent lengthh: String` + no + `lengthh` + noMember + `
	n.abs // absent abs: Int` + no + `abs` + noMember + `
}
`},
		{"collections", `
func f(a: [Kite], d: [String: Tail], s: Set<Int>) {
	a.first?.lannd() // absent Kite.lannd
	a.last!.lannd() // absent Kite.lannd
	for k in a { k.lannd() } // absent Kite.lannd
	for (i, k) in a.enumerated() { i; k.anything } // absent Kite.anything
	for (key, t) in d { key; t.anything } // absent Tail.anything
	a.forEach { $0.lannd() } // absent Kite.lannd
	a.filter { $0.wind.isCalm }.first?.lannd() // absent Kite.lannd
	a.map { $0.tail }.first??.cut()
	a.compactMap { $0.tail }.first?.cute() // absent Tail.cute
	a.sorted { $0.name < $1.nam } // absent Kite.nam
	a.reduce(0) { n, k in n + k.anything } // absent Kite.anything
	d.values.first?.anything; d.keys.first // absent Tail.anything
	a.size // absent size: Array` + no + `size` + noMember + `
	d.size // absent size: Dictionary` + no + `size` + noMember + `
	s.size // absent size: Set` + no + `size` + noMember + `
}
`},
		{"members that the program adds", `
extension String { var trimmed: String { self } }
extension Array { func second() -> Element? { nil } }
extension Sequence { func own() {} }
extension Int: Flyer {}
func f(s: String, a: [Kite], n: Int) { s.trimmed; a.second(); a.own(); s.own(); n.glide() }
`},
		{"a protocol that is not known", `
extension String: Mystery {}
func f(s: String) { s.anything }
`},
		{"literals", `
"".lnegth // absent lnegth: String has no member lnegth, and no module of the project or of its packages adds one
[Kite.red][0].anything
let all = [Kite.red, Kite.make("")]
all.first?.lannd() // absent Kite.lannd
let none: [Kite] = []
none.first?.lannd() // absent Kite.lannd
`},
	})
}

func TestMembers_Undecided(t *testing.T) {
	expectFaults(t, []faultCase{
		{"dynamic members", `
@dynamicMemberLookup struct Dyn { subscript(dynamicMember s: String) -> Int { 1 } }
@dynamicCallable struct Call { func dynamicallyCall(withArguments a: [Int]) {} }
func f(d: Dyn, c: Call) { d.anything; c(1, 2) }
`},
		{"attached macros", `
@Observable class Model { var x = 1 }
@Unknown struct Other {}
func f(m: Model, o: Other) { m.anything; o.anything }
`},
		{"supertypes of systems", `
class View: UIView { func f() { self.anything; anything() } }
struct Screen: SomeProtocol { func f() { self.anything } }
func f(v: View, s: Screen) { v.anything; s.anything }
`},
		{"protocols of systems with known members", `
struct P: Equatable, Hashable, Codable, Sendable, CustomStringConvertible { var description = "" }
func f(p: P) {
	p.hashValue; p.description; p == p
	p.descriptin // absent P.descriptin
}
enum E: String, CaseIterable { case a }
E.allCases; E.a.rawValue; E(rawValue: "")
E.a.rawVal // absent E.rawVal
struct I: Identifiable { let id = 1 }
I().id; I.ID.self
I().idd // absent I.idd
`},
		{"property wrappers and projected values", `
@propertyWrapper struct Clamp { var wrappedValue: Int; var projectedValue: Tail { Tail() } }
struct S {
	@Clamp var n: Int
	@Mystery var m: Kite // absent Mystery: neither the file's module nor one that it imports declares Mystery
	func f() { $n.anything; _n.anything; n; $m.anything } // absent Tail.anything
	func g(s: S) { s.$n.anything; self.$n.cut(); s.$m.anything; $0.anything } // absent Tail.anything
	func g() { m.lannd() } // absent Kite.lannd
}
`},
		{"opaque conditions", `
#if canImport(UIKit)
typealias Native = UIView
#else
typealias Native = NSView
#endif
func f(n: Native) { n.anything }
struct S {
	#if DEBUG
	var only = 1
	#endif
}
func g(s: S) { s.only }
`},
		{"types of modules that are not read", `
import Foundation
func f(d: Data, u: Foundation.URL) { d.anything; u.anything } // absent anything: Data has no member anything, and no module of the project or of its packages adds one
`},
	})
}

func TestMembers_Additions(t *testing.T) {
	expectFaults(t, []faultCase{
		{"results of members that extensions add to types of systems", `
import Foundation
extension String { var kite: Kite { .red }; func kite(_ n: Int) -> Tail { Tail() }; static var shared: Tail { Tail() } }
extension Array { var box: Box<Element> { Box(self[0]) }; func each(_ body: (Element) -> Void) -> Self { self } }
extension Sequence { func list() -> List<Self> { List() } }
extension URL { var kite: Kite { .red }; var path: Tail { Tail() } }
extension Collection where Element == Kite { var tie: Tail { Tail() } }
extension Collection where Element == Tail { var tie: Kite { .red } }
struct List<T> { func count() -> Int { 0 } }
func f(s: String, all: [Kite], u: URL) {
	s.kite.lannd() // absent Kite.lannd
	s.kite(1).cute() // absent Tail.cute
	all.box.item.lannd() // absent Kite.lannd
	all.each { $0.lannd() }.first?.lannd() // absent Kite.lannd | absent Kite.lannd
	all.list().cuont() // absent List.cuont
	u.kite.lannd() // absent Kite.lannd
	u.path.anything
	all.tie.anything
}
`},
		{"slices", `
func f(all: [Kite]) {
	let s = all.dropFirst()
	s.gentle() // absent gentle: Array has no member gentle` + noMember + `
}
func g(s: ArraySlice<Kite>) {
	s.gentle() // absent gentle: ArraySlice has no member gentle` + noMember + `
	s.sorted { $0.lannd() } // absent Kite.lannd
}
`},
		{"members that only some types have without a declaration", `
struct Plain { var a = 1 }
struct Shown: CustomStringConvertible { var description: String { "" } }
enum Size { case small }
enum Code: Int { case one }
class Object: NSObject {}
actor Agent {}
distributed actor Remote {}
func f(p: Plain, s: Shown, e: Size, c: Code, o: Object, a: Agent, r: Remote) {
	p.self; s.description; e.hashValue; c.rawValue; o.hash; a.assumeIsolated { _ in }; r.id
	a.rawValue // absent Agent.rawValue
	p.rawValue // absent Plain.rawValue
	p.description // absent Plain.description
	s.hashValue // absent Shown.hashValue
	e.rawValue // absent Size.rawValue
	o.kite // absent Object.kite
}
`},
		{"members that systems add to types without a declaration there", `
import Foundation
struct Name: ExpressibleByStringLiteral, Equatable { init(stringLiteral: String) {} }
enum Label: Name { case a = "a" }
@globalActor actor Agent { static let shared = Agent() }
class Object: NSObject {}
func f(l: Label, o: Object) {
	l.rawValue; l.hashValue; Label(rawValue: "a"); Agent.sharedUnownedExecutor
	o.perform(Selector("a")); o.perform(Selector("a"), with: nil, afterDelay: 1); o.validateValue(x, forKey: "a"); o.setNilValueForKey("a")
	Object.automaticallyNotifiesObservers(forKey: "a"); o.classDescription
	o.kite // absent Object.kite
}
`},
		{"members that a module of user interfaces adds to NSObject", `
import UIKit
class Object: NSObject {}
func f(o: Object) { o.accessibilityFrame; o.kite }
`},
		{"functions zip, and methods with this name", `
func f(x: Any, k: [Kite]) {
	x.zip(k, k).sink { _ in }
	zip(x, x).sink { _ in }
	zip(k, k).sink { _ in } // absent sink: Array has no member sink` + noMember + `
	k.indices.lowerBound
}
`},
		{"variables with the names of keywords", `
func f(package: Kite, open: Tail) {
	package.lannd() // absent Kite.lannd
	open.cute() // absent Tail.cute
}
`},
		{"string literals", `
import Foundation
extension String { var kite: Kite { .red } }
"a".kite.lannd() // absent Kite.lannd
let k = "a\(1)".kite
k.lannd() // absent Kite.lannd
"a".gentle() // absent gentle: String has no member gentle` + noMember + `
print(CommandLine.arguments.gentle()) // absent gentle: Array has no member gentle` + noMember + `
`},
	})
}
