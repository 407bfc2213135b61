package program_test

import "testing"

func TestSupertypes_Protocols(t *testing.T) {
	expectFaults(t, []faultCase{
		{"requirements and extensions of inherited protocols", `
protocol Root { func root(); var size: Int { get } }
protocol Branch: Root { func branch() }
extension Root { func grow() {} }
extension Branch { func bend() {} }
struct Oak: Branch { var size = 1; func root() {}; func branch() {} }
func f(o: Oak, b: any Branch, r: any Root) {
	o.root(); o.branch(); o.grow(); o.bend(); o.size
	b.root(); b.grow(); b.bend()
	r.root(); r.grow(); r.bend() // absent Root.bend
	o.leaf() // absent Oak.leaf
}
`},
		{"compositions", `
protocol A { func a() }
protocol B { func b() }
typealias AB = A & B
struct S: AB { func a() {}; func b() {} }
struct T: A & B { func a() {}; func b() {} }
func f(s: S, t: T, x: any A & B, y: AB, z: some A & B) {
	s.a(); s.b(); t.a(); t.b(); x.a(); x.b(); y.a(); z.b()
	s.c() // absent S.c
	t.c() // absent T.c
}
`},
		{"conformances in extensions", `
protocol P { }
extension P { func p() {} }
struct S {}
extension S: P {}
enum E {}
func f(s: S, e: E) {
	s.p()
	s.q() // absent S.q
	e.p() // absent E.p
}
`},
		{"conditional extensions of generic types", `
struct Wrap<T> { var t: T }
extension Wrap where T == Int { func ints() {} }
extension Wrap: Flyer where T: Flyer { var speed: Double { 1 }; func soar() {} }
func f(w: Wrap<Int>, v: Wrap<Tail>) {
	w.ints(); w.t.magnitude; v.t.cut()
	w.none() // absent Wrap.none
	v.t.cute() // absent Tail.cute
}
`},
		{"associated types with bounds", `
protocol Holder { associatedtype Item: Flyer; var item: Item { get } }
func f<H: Holder>(h: H) {
	h.item.soar()
	h.itme // absent H.itme
}
`},
		{"static requirements", `
protocol Made { static func make() -> Self; static var count: Int { get } }
extension Made { static func twice() -> [Self] { [] } }
struct S: Made { static func make() -> S { S() }; static var count = 0 }
S.make(); S.count; S.twice()
S.thrice() // absent S.thrice
func f<M: Made>(m: M.Type) { M.make(); M.count; M.other() } // absent M.other
`},
	})
}

func TestSupertypes_Classes(t *testing.T) {
	expectFaults(t, []faultCase{
		{"chains", `
class A { var a = 1; func f() {}; class func make() -> A { A() }; static let one = A() }
class B: A { func g() {} }
final class C: B { override func f() { super.f(); super.g(); super.h() } } // absent B.h
func f(c: C) {
	c.a; c.f(); c.g(); C.make(); C.one
	c.h() // absent C.h
	C.two // absent C.two
	C.make().g() // absent A.g
}
`},
		{"classes of other modules", `
class Own: Ball { func own() { roll(); play() } }
func f(o: Own) {
	o.roll(); o.own(); o.play().play()
	o.spin() // absent Own.spin
}
`},
		{"a class that conforms", `
class Bird: Flyer { var speed = 1.0; func soar() {} }
class Hawk: Bird {}
func f(h: Hawk) {
	h.glide(); h.soar()
	h.glid() // absent Hawk.glid
}
`},
		{"rings", `
class A: B {}
class B: A {}
protocol P: Q {}
protocol Q: P {}
struct S: P {}
func f(a: A, s: S) { a.other; s.other } // absent A.other | absent S.other
`},
		{"actors", `
actor Store { var k: Kite = .red; nonisolated let name = ""; func set(_ k: Kite) {} }
func f(s: Store) async {
	await s.set(.red); s.name.count
	await s.k.lannd() // absent Kite.lannd
	await s.get() // absent Store.get
	await s.set(.blue) // absent Kite.blue
}
`},
		{"nested types", `
struct Outer {
	struct Inner { var k: Kite; enum Deep { case a } }
	var inner: Inner
	typealias Alias = Inner
	class Node { var next: Node?; var outer: Outer? }
}
extension Outer.Inner { func more() -> Deep { .a } }
func f(o: Outer, i: Outer.Inner, a: Outer.Alias, n: Outer.Node) {
	o.inner.k.lannd() // absent Kite.lannd
	i.more(); a.more()
	a.less() // absent Outer.Inner.less
	n.next?.next?.outer?.inner.more()
	n.next?.prev // absent Outer.Node.prev
	_ = Outer.Inner.Deep.b // absent Outer.Inner.Deep.b
	let d: Outer.Inner.Deep = .c // absent Outer.Inner.Deep.c
}
`},
	})
}
