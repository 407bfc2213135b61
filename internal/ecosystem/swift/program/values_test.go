package program_test

import "testing"

func TestValues_Coding(t *testing.T) {
	expectFaults(t, []faultCase{
		{"keyed containers", `
import Foundation
struct S: Codable {
	enum CodingKeys: String, CodingKey { case kite, tail, box }
	init(from decoder: Decoder) throws {
		let c = try decoder.container(keyedBy: CodingKeys.self)
		let k = try c.decode(Kite.self, forKey: .kite)
		k.lannd() // absent Kite.lannd
		try c.decodeIfPresent(Tail.self, forKey: .tale)?.cut() // absent S.CodingKeys.tale
		let n = try c.nestedContainer(keyedBy: CodingKeys.self, forKey: .box)
		_ = n.contains(.tial) // absent S.CodingKeys.tial
		_ = try c.decodeList(Kite.self, forKey: .kite) // absent decodeList: KeyedDecodingContainer has no member decodeList, and no module of the project or of its packages adds one
	}
	func encode(to encoder: Encoder) throws {
		var c = encoder.container(keyedBy: CodingKeys.self)
		try c.encode(1, forKey: .kyte) // absent S.CodingKeys.kyte
	}
	struct Inner: Codable {
		init(from decoder: Decoder) throws { let c = try decoder.container(keyedBy: CodingKeys.self); _ = try c.decode(Int.self, forKey: .anything) }
	}
}
func f(d: Data) throws {
	try JSONDecoder().decode(Kite.self, from: d).lannd() // absent Kite.lannd
	let decoder = JSONDecoder()
	let all = try decoder.decode([Kite].self, from: d)
	all.first?.lannd() // absent Kite.lannd
}
`},
		{"containers of the program", `
struct Reader { func container(keyedBy: Any.Type) -> Kite { .red } }
func f(r: Any) { r.container(keyedBy: Wind.self).anything }
`},
	})
}

func TestValues_Closures(t *testing.T) {
	expectFaults(t, []faultCase{
		{"results", `
func run<T>(_ body: (Kite) throws -> T) rethrows -> T { try body(.red) }
func f(flag: Bool, all: [Kite]) {
	let a = run { k in
		let t = Tail()
		if flag { return t }
		return Tail()
	}
	a.cute() // absent Tail.cute
	let b = run { k in
		if flag { return Tail() }
		return k
	}
	b.anything
	let c = run { k -> Kite in k.lannd(); return all[0] } // absent Kite.lannd
	c.lannd() // absent Kite.lannd
	let d = all.map { k in
		let g = { return 1 }
		func h() -> Int { return 2 }
		return k.wind
	}
	d.first?.anything // absent Wind.anything
}
`},
		{"declarations with default values", `
struct Tester {
	func test(_ path: String, after: (Kite) -> Void) {}
	func test(_ path: String, before: (Tail) -> Void = { _ in }, after: (Kite) -> Void = { _ in }) {}
}
func f(t: Tester) { t.test("") { k in k.lannd() } } // absent Kite.lannd
struct Checker<C> {
	init(all: C, n: Int = 0, m: Int = 0, body: (C.Element) -> Void) {}
	init<A, B>(all: C, body: ((A, B)) -> Void) {}
}
func g() { _ = Checker(all: [1]) { x in x.anything } }
`},
	})
}

func TestValues_Generics(t *testing.T) {
	expectFaults(t, []faultCase{
		{"arguments of initializers", `
struct Locked<Value> { init(_ value: Value) {}; func with<T>(_ body: (inout Value) throws -> T) rethrows -> T { fatalError() }; var value: Value { fatalError() } }
func f(k: Kite) {
	let l = Locked(k)
	l.value.lannd() // absent Kite.lannd
	l.with { $0.lannd() } // absent Kite.lannd
	l.with { $0.tail }?.cute() // absent Tail.cute
	let n = Locked(1)
	n.value.anything
}
`},
		{"parameter packs", `
struct Row { func decode<each C>(_ type: (repeat each C).Type, at: Int = 0) {}; func all<each C>(_ values: repeat each C) {} }
func f(r: Row) {
	r.all(1, 2, 3)
	r.decode((Int, Int).self); r.decode(Int.self, column: 1) // arguments Row.decode(_:at:): it has no argument label column
}
`},
		{"sequences", `
struct Kites: Sequence { struct Iterator: IteratorProtocol { mutating func next() -> Kite? { nil } }; func makeIterator() -> Iterator { Iterator() } }
struct Stream<E>: AsyncSequence { struct AsyncIterator: AsyncIteratorProtocol { mutating func next() async -> Tail? { nil } }; func makeAsyncIterator() -> AsyncIterator { AsyncIterator() } }
func f(all: Kites, s: Stream<Int>) async {
	for k in all { k.lannd() } // absent Kite.lannd
	for await t in s { t.cute() } // absent Tail.cute
	all.map { $0.lannd() } // absent Kite.lannd
}
`},
		{"members of arrays that extensions overload", `
extension Array { func first(_ n: Int) -> Int { n } }
func f(all: [Kite]) {
	all.first?.lannd() // absent Kite.lannd
	all.first(1).anything
}
`},
		{"macros", `
let a = Kite.red
#expect(a.wind == 1)
func f(k: Kite?) throws {
	let b = try #require(k)
	#check(b)
	b.lannd() // absent Kite.lannd
}
`},
		{"operators", `
func f(k: Kite?, j: Kite, b: Bool) {
	let a = k ?? j
	a.lannd() // absent Kite.lannd
	let c = b ? j : Kite.red
	c.lannd() // absent Kite.lannd
	let d = b ? k : j
	d?.lannd() // absent Kite.lannd
	let e = k ?? .blue // absent Kite.blue
	e.lannd() // absent Kite.lannd
	let g = b == true ? .red : j
	g.lannd() // absent Kite.lannd
	let h = b ? j : Tail()
	h.anything
}
`},
	})
}

func TestValues_MissingModules(t *testing.T) {
	expectFaults(t, []faultCase{
		{"imported", `
import Missing
struct S: Decoder { var a = 1 }
struct Box { var a = 1; init(a: Int) {} }
struct Token: Codable { init(a: Int) {} }
protocol Named: AnyObject {}
final class Mode: Named {}
class Line: Tail {}
func run(a: Int) {}
func f(k: Kite, s: S, b: Box, t: Token, m: Mode, l: Line, w: Wind, n: any Named) {
	k.anything; k.land(a: 1); _ = Kite(a: 1); s.anything
	t.anything; _ = Token(b: 1)
	l.anything; w.anything; _ = Wind.anything
	var x: Wind.Anything
	run(b: 1)
	b.anything // absent Box.anything
	_ = Box(b: 1) // arguments Box.init(a:): it has no argument label b
	m.anything // absent Mode.anything
	n.anything // absent Named.anything
	let y: Mode.Anything // absent Mode.Anything
}
`},
		{"imported under a condition", `
#if os(Linux)
import Missing
#endif
struct S: Decoder { var a = 1 }
func f(k: Kite, s: S) { k.anything; s.anything } // absent Kite.anything | absent S.anything
`},
	})
}

func TestValues_IncompleteOperands(t *testing.T) {
	expectFaults(t, []faultCase{
		{"try? before an operator", `
func made() throws -> Tail { Tail() }
func f(other: Tail?) {
	let a = try? other ?? made()
	_ = a.map { $0.cute() } // absent Tail.cute
	a?.cute() // absent Tail.cute
}
`},
		{"members after a macro and a closure", `
func f(t: Tail?) throws {
	let a = try #require(t).anything
	a.anything
	let b = { () -> Tail in Tail() }().anything
	b.anything
	let c = try #require(t)
	c.cute() // absent Tail.cute
}
`},
		{"expressions in patterns", `
enum Wire { case on(Tail), off }
enum Event { case wired(Wire), cut(Tail) }
func f(e: Event) {
	switch e {
	case let .wired(Wire.on(t)): t.anything; _ = Wire.off
	case let .cut(t): t.cute() // absent Tail.cute
	default: break
	}
}
`},
	})
}
