package program_test

import "testing"

func TestScopes_Conditions(t *testing.T) {
	expectFaults(t, []faultCase{
		{"if let", `
func f(t: Tail?, k: Kite?) {
	if let t { t.cut(); t.cute() } // absent Tail.cute
	if let x = t, let k { x.cut(); k.lannd() } // absent Kite.lannd
	if var y = k?.tail { y.cute() } // absent Tail.cute
	if let t { } else { t?.cut() }
	t?.cute() // absent Tail.cute
}
`},
		{"guard let", `
func f(t: Tail?, k: Kite?) {
	guard let t, let own = k else { return }
	t.cute() // absent Tail.cute
	own.lannd() // absent Kite.lannd
	guard let tail = own.tail else { own.lannd(); return } // absent Kite.lannd
	tail.cute() // absent Tail.cute
}
`},
		{"while let", `
func f(k: Kite) {
	while let t = k.tail { t.cut(); t.cute() } // absent Tail.cute
	repeat { k.lannd() } while k.wind.isWild // absent Kite.lannd | absent Wind.isWild
}
`},
		{"a variable that a condition shadows", `
func f(x: Kite, y: Any) {
	if let x = y as? Tail { x.cute() } // absent Tail.cute
	x.land(); x.cut() // absent Kite.cut
	if case let x = y { x.anything }
}
`},
		{"expressions as values", `
func f(b: Bool, k: Kite) {
	let t = if b { k.tail } else { nil }
	t?.anything
	let u = switch k.wind { case .calm: k; default: k }
	u.anything
	_ = b ? k.lannd() : k.land() // absent Kite.lannd
}
`},
	})
}

func TestScopes_ConditionalImports(t *testing.T) {
	const missing = ": neither the file's module nor one that it imports declares "
	const rope = `
-- Sea/sea.swift
public struct Rope {}
`
	expectFaults(t, []faultCase{
		{"a module of a user interface", `
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif
let a = Wave(1), b = NSView() // absent Wave` + missing + `Wave
`},
		{"another module of a system", `
#if canImport(CoreData)
import CoreData
#endif
let a = Rope() // absent Rope` + missing + `Rope, which Sea declares
` + rope},
		{"one of two modules of systems", `
#if canImport(OSLog)
import OSLog
#else
import CoreData
#endif
let a = Rope()
` + rope},
		{"a module that is imported without a condition, too", `
import CoreData
#if canImport(CoreData)
import CoreData
#endif
let a = Rope()
` + rope},
	})
}

func TestScopes_Loops(t *testing.T) {
	expectFaults(t, []faultCase{
		{"elements", `
func f(all: [Kite], some: Set<Int>) {
	for k in all where k.wind.isCalm { k.lannd() } // absent Kite.lannd
	for case let k? in [all.first] { k.anything }
	for (i, k) in all.enumerated() { k.anything } // absent Kite.anything
	for var k in all { k = .red; k.land() }
	for _ in 0..<3 { all[0].lannd() } // absent Kite.lannd
}
`},
		{"a variable that the loop shadows", `
func f(k: Kite, all: [Tail]) {
	for k in all { k.cut(); k.land() } // absent Tail.land
	k.land()
}
`},
		{"asynchronous", `
func f(s: AsyncStream<Kite>) async throws {
	for try await k in s { k.anything } // absent Kite.anything
}
`},
		{"labels", `
func f(all: [Kite]) {
	outer: for k in all { for l in all { if l.wind.isCalm { continue outer }; k.lannd(); break outer } } // absent Kite.lannd
}
`},
	})
}

func TestScopes_Switches(t *testing.T) {
	expectFaults(t, []faultCase{
		{"each case has its own variables", `
func f(w: Wind, k: Kite) {
	switch w {
	case .calm:
		let k = Tail()
		k.cute() // absent Tail.cute
	case .breeze(let k, _): k.magnitude
	case .gust: k.lannd() // absent Kite.lannd
	}
	k.cut() // absent Kite.cut
}
`},
		{"types of associated values", `
enum Part { case body(Kite), tail(Tail?, n: Int), none }
func f(p: Part) {
	switch p {
	case .body(let k): k.lannd() // absent Kite.lannd
	case .tail(let t, n: _): t?.cut(); t?.cute() // absent Tail.cute
	case .none: break
	}
	if case let .body(k) = p { k.lannd() } // absent Kite.lannd
	guard case .body(let k) = p else { return }
	k.lannd() // absent Kite.lannd
}
`},
		{"patterns with types", `
func f(x: Any) {
	switch x {
	case let k as Kite: k.lannd() // absent Kite.lannd
	case is Tail: x.anything
	case let (a, b): a.anything; b.anything
	case Kite.self: break
	default: break
	}
	switch (x, 1) { case (let k as Kite, _): k.lannd(); default: break } // absent Kite.lannd
}
`},
		{"the value of the subject", `
func f(k: Kite) {
	switch k.wind { case .clam: break; case .calm, .strom: break; default: break } // absent Wind.clam | absent Wind.strom
	switch k.tail { case .some(let t): t.anything; case .none: break } // absent Tail.anything
	switch (k.wind, k.wind) { case let (.breeze(a), .gust(b, c)): a.anything; b.anything; default: break } // absent anything: Int has no member anything, and no module of the project or of its packages adds one
	switch k.tail?.length { case 1?: break; case nil: break; default: break }
	switch (k.wind, 1) { case (.anything, _): break; default: break } // absent Wind.anything
}
`},
		{"fallthrough, unknown default and where", `
func f(w: Wind, k: Kite) {
	switch w {
	case .calm where k.wind.isWild: fallthrough // absent Wind.isWild
	@unknown default: k.lannd() // absent Kite.lannd
	}
}
`},
	})
}

func TestScopes_Errors(t *testing.T) {
	expectFaults(t, []faultCase{
		{"catch", `
struct Broken: Error { var code = 1 }
enum Worse: Error { case bad(Kite), ugly }
func f() {
	do { try g() } catch let e as Broken { e.code; e.cod } // absent Broken.cod
	do { try g() } catch Worse.ugly { } catch Worse.bad(let k) { k.anything }
	do { try g() } catch { error.anything }
	do { try g() } catch is Broken { } catch let other { other.anything }
	do { try g() } catch Worse.good { } // absent Worse.good
	do throws(Broken) { try g() } catch { error.anything }
}
func g() throws {}
`},
		{"results", `
func f(r: Result<Kite, Error>) {
	switch r { case .success(let k): k.anything; case .failure(let e): e.anything }
	try? r.get().anything // absent Kite.anything
}
`},
		{"defer", `
func f(k: Kite) {
	defer { k.lannd() } // absent Kite.lannd
	let k = Tail()
	defer { k.cute() } // absent Tail.cute
}
`},
	})
}

func TestScopes_Closures(t *testing.T) {
	expectFaults(t, []faultCase{
		{"captures", `
final class Shop {
	var k = Kite(name: "")
	func run(_ body: @escaping () -> Void) {}
	func f() {
		run { [weak self] in self?.k.lannd(); self?.open() } // absent Kite.lannd | absent Shop.open
		run { [weak self] in guard let self else { return }; self.close() } // absent Shop.close
		run { [unowned self] in self.close() } // absent Shop.close
		run { [k] in k.lannd() } // absent Kite.lannd
		run { [t = k.tail] in t?.anything }
		run { self.k.land(); k.land() }
	}
}
`},
		{"parameters with types", `
let a = { (k: Kite, _ t: Tail) -> Void in k.lannd(); t.cut() } // absent Kite.lannd
let b: (Kite) -> Tail? = { $0.tail }
let c: (Kite) -> Void = { k in k.anything }
let d = { (k: Kite?) in k?.lannd() } // absent Kite.lannd
let e = { @MainActor (k: Kite) async throws in k.lannd() } // absent Kite.lannd
let g = { (k: inout Kite) in k.lannd() } // absent Kite.lannd
`},
		{"closures in closures", `
func withTwo(_ f: (Kite, Tail) -> Void) {}
func withOne(_ f: (Tail) -> Void) {}
func f() {
	withTwo { $0.lannd(); $1.cute() } // absent Kite.lannd | absent Tail.cute
	withTwo { k, t in withOne { $0.cute(); k.lannd() } } // absent Tail.cute | absent Kite.lannd
	withTwo { unknown { $0.anything } }
	withTwo { k, _ in k.lannd() } // absent Kite.lannd
}
`},
		{"a closure that is called at once", `
let k = { Kite(name: "") }()
k.anything // absent Kite.anything
let t: Tail = { let t = Tail(); t.cute(); return t }() // absent Tail.cute
t.cute() // absent Tail.cute
`},
		{"functions as values", `
typealias Maker = (Int) -> Kite
struct Plant { let make: Maker; var later: (() -> Tail)?; func build(_ m: Maker) {} }
func f(p: Plant, make: (Int) throws -> Tail) rethrows {
	p.make(1).lannd() // absent Kite.lannd
	p.later?().cute() // absent Tail.cute
	try make(1).cute() // absent Tail.cute
	p.build { _ in .red }
	p.build { n in n.anything; return .red } // absent anything: Int has no member anything` + noMember + `
}
`},
		{"autoclosures", `
func isOn(_ b: @autoclosure () -> Bool) -> Kite { .red }
isOn(true).lannd() // absent Kite.lannd
`},
	})
}

func TestScopes_Declarations(t *testing.T) {
	expectFaults(t, []faultCase{
		{"functions in functions", `
func f() {
	func inner(_ k: Kite) -> Tail { k.lannd(); return Tail() } // absent Kite.lannd
	inner(.red).cute() // absent Tail.cute
	later(1)
	func later(_ n: Int) {}
	wait().lannd() // absent Kite.lannd
	func wait() throws -> Kite { .red }
	either(1).anything
	func either(_ n: Int) -> Kite { .red }
	func either(_ n: String) -> Tail { Tail() }
	many(count: 2) { $0.lannd() } // absent Kite.lannd
	many(size: 2) { _ in } // arguments many(count:body:): it has no argument label size
	func many(count: Int, body: (Kite) -> Void) {}
	pick(Tail()).cute() // absent Tail.cute
	func pick<T>(_ x: T) -> T { x }
	struct Box { func open() {} }
	opened().open(); opened().take() // absent Box.take
	func opened() -> Box { Box() }
	class Door { func shut() {} }
	shut(1)
	later { func inner2() {} } // arguments later(_:): it takes no trailing closure here
	inner2(1)
}
`},
		{"types in functions", `
func f() {
	struct Local { var k: Kite; func g() { k.lannd(); self.no() } } // absent Kite.lannd | absent Local.no
	enum Size { case small }
	let l = Local(k: .red)
	l.k.lannd() // absent Kite.lannd
	l.nothing // absent Local.nothing
	Size.large // absent Size.large
	Local(j: 1) // arguments Local.init(k:): it has no argument label j
}
`},
		{"variables of blocks", `
func f(k: Kite) {
	do { let k = Tail(); k.cute() } // absent Tail.cute
	k.cute() // absent Kite.cute
	if true { let k = 1; k.magnitude }
	k.cute() // absent Kite.cute
}
`},
		{"accessors", `
struct S {
	var k: Kite { get { Kite.red } set { newValue.anything } }
	var t: Tail { willSet(new) { new.anything } didSet { oldValue.anything } }
	var w: Wind { .clam } // absent Wind.clam
	subscript(i: Int) -> Kite { get { .red } set(value) { value.anything } }
	var read: Tail { _read { yield t } }
}
`},
		{"parameters", `
func f(k: inout Kite, for t: Tail = Tail(), _ all: Kite..., with u: borrowing Tail) {
	k.lannd() // absent Kite.lannd
	t.cute() // absent Tail.cute
	all[0].lannd() // absent Kite.lannd
	u.cute() // absent Tail.cute
}
`},
		{"self and Self", `
struct A {
	static let one = A(); var k: Kite { .red }
	func f() { self.k.lannd(); Self.one.k.land(); Self.two } // absent Kite.lannd | absent A.two
	static func g() { self.one.f(); self.two; one.k.lannd() } // absent A.two | absent Kite.lannd
	mutating func h() { self = A(); self = Self() }
}
extension A { func i() { k.lannd(); self.j() } } // absent Kite.lannd | absent A.j
`},
		{"conditions", `
#if os(Linux)
let k = Kite.red
#else
let k = Tail()
#endif
k.anything
func f() {
	#if DEBUG
	Kite.anything
	#endif
	Kite.red.lannd() // absent Kite.lannd
}
`},
		{"code that cannot be paired", "\nfunc f() { Kite.blue ) }\n"},
	})
}

func TestVisibility_Modules(t *testing.T) {
	expectFaults(t, []faultCase{
		{"internal declarations of another module", `
Kite.red.secret() // hidden Kite.secret()
let h = Kite.Hidden() // absent Kite.Hidden
`},
		{"testable imports", `
import Boat
@testable import Ship
_ = Ship.Anchor(); _ = Ship.Sail()
Boat.Oar() // hidden Oar
Boat.Deck().swab() // hidden Deck.swab()
-- Ship/ship.swift
struct Anchor {}
public struct Sail { init() {} }
-- Boat/boat.swift
struct Oar {}
public struct Deck { public init() {}; func swab() {}; @usableFromInline func wash() {} }
`},
		{"names after the name of a module", `
import Boat
Boat.Deck(); Boat.moorHere(); Boat.flag
Boat.Dek() // absent Dek
let d: Boat.Deck = Boat.moorHere(at: 1) // arguments moorHere(): it has no argument label at
-- Boat/boat.swift
public struct Deck { public init() {} }
public func moorHere() -> Deck { Deck() }
public let flag = 1
`},
		{"modules that others export", `
import Boat
_ = Boat.Hull(); Hull().leak() // absent Hull.leak
-- Boat/boat.swift
@_exported import Dock
-- Dock/dock.swift
public struct Hull { public init() {} }
`},
		{"private declarations of other files", `
let s = Shared()
let l = Lone() // absent Lone: neither the file's module nor one that it imports declares Lone
s.open(); s.close() // absent Shared.close
l.anything
-- other.swift
struct Shared { func open() {} }
private struct Lone { func own() {} }
`},
		{"two modules with the same name", `
import Boat
func f(k: Kite) { k.anything }
let k: Boat.Kite = Boat.Kite()
k.land() // absent Kite.land
-- Boat/boat.swift
public struct Kite { public init() {}; public func sail() {} }
`},
		{"the module's own type comes first", `
struct Kite { var own = 1 }
func f(k: Kite) { k.own; k.land() } // absent Kite.land
`},
		{"extensions in other files and modules", `
import Boat
Kite.red.swoop(); Kite.red.row(); Kite.red.paddle() // hidden Kite.paddle()
-- other.swift
import Kite
extension Kite { func swoop() {} }
-- Boat/boat.swift
import Kite
extension Kite { public func row() {}; func paddle() {} }
`},
	})
}

func TestClosures_Values(t *testing.T) {
	expectFaults(t, []faultCase{
		{"parameters of asynchronous closures", `
func use(_ f: (Kite) async throws -> Void) {}
use { k async throws in k.lannd() } // absent Kite.lannd
use { k async throws -> Void in k.land() }
`},
		{"parameters that other arguments determine", `
func use<T>(_ t: T, with f: (T, Tail) -> T) {}
struct Line<E> { func scan<A>(_ seed: A, _ next: @escaping (A, E) throws -> A) {} }
use(Kite(name: "")) { k, t in k.lannd(); t.cut(); return k } // absent Kite.lannd
func g(l: Line<Tail>) {
	l.scan(Kite(name: "")) { last, t in t.cutt(); return last } // absent Tail.cutt
	l.scan(unknown) { last, t in last.anything; return last }
}
`},
	})
}

func TestSequences_Elements(t *testing.T) {
	expectFaults(t, []faultCase{
		{"a sequence of the project", `
func f(l: Flock, m: Mixed<Kite>, o: Flock?) {
	for k in l { k.lannd() } // absent Kite.lannd
	l.compactMap { $0.tail }.first?.cutt() // absent Tail.cutt
	l.forEach { k in k.lannd() } // absent Kite.lannd
	l.enumerated(); l.sum { $0.anything } // absent Kite.anything
	for x in m { x.anything }
	for x in o { x.anything }
	l.absent // absent Flock.absent
}
-- other.swift
import Kite
struct Flock: Sequence { typealias Element = Kite; func makeIterator() -> AnyIterator<Kite> { fatalError() } }
struct Mixed<T>: Sequence { typealias Element = T; func makeIterator() -> AnyIterator<T> { fatalError() } }
extension Sequence { func sum(_ f: (Element) -> Int) {} }
`},
		{"parts of arrays and dictionaries", `
func f(a: [Kite], d: [String: Tail], n: [String]) {
	a.dropFirst().first?.lannd() // absent Kite.lannd
	for (k, t) in d { t.cutt() } // absent Tail.cutt
	for (i, k) in a.enumerated() where i > 0 { k.lannd() } // absent Kite.lannd
	for (i, k) in zip(a, a) { k.lannd() } // absent Kite.lannd
	n.joined(separator: "").lengthh // absent lengthh: String has no member lengthh, and no module of the project or of its packages adds one
	d.keys.joinedUp()
}
-- other.swift
extension Dictionary.Keys { func joinedUp() {} }
`},
		{"unwrapped values", `
func f(k: Kite) throws {
	try XCTUnwrap(k.tail).cutt() // absent Tail.cutt
	let t = try XCTUnwrap(k.tail, "message")
	t.cutt() // absent Tail.cutt
	let u = try XCTUnwrap(unknown)
	u.anything
}
`},
	})
}
