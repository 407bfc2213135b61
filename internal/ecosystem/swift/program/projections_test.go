package program_test

import "testing"

func TestProjections(t *testing.T) {
	expectFaults(t, []faultCase{
		{"property wrappers with generic parameters and aliases", `
@propertyWrapper final class Opt<From, To> { var wrappedValue: To?; var projectedValue: Opt<From, To> { self }; init(key: String) {}; func get() -> To? { nil } }
protocol Model {}
extension Model { typealias OptParent<To> = Opt<Self, To> }
struct Planet: Model { @OptParent(key: "a") var star: Star?; @Opt<Planet, Star>(key: "b") var moon: Star?; @Wrap var kite: Kite; @Wrap @available(macOS 1, *) var old: Kite; @Wrap @Unwrap var twice: Kite; var plain = 1 }
struct Star {}
@propertyWrapper struct Wrap { var wrappedValue: Kite; var projectedValue: Tail }
@propertyWrapper struct Unwrap { var wrappedValue: Kite }
func f(p: Planet) {
	p.$star.get(); p.$star.gett() // absent Opt.gett
	p.$moon.gett() // absent Opt.gett
	p.$kite.cute() // absent Tail.cute
	p.$old.cute() // absent Tail.cute
	p.kite.lannd() // absent Kite.lannd
	p.$twice.anything; p.$plain.anything; p.$none.anything
}
`},
		{"iterators", `
struct Fleet: Sequence {
	struct Iterator: IteratorProtocol { mutating func next() -> Kite? { nil } }
	func makeIterator() -> Iterator { Iterator() }
	func first() -> Tail { Tail() }
}
func f(s: Fleet) {
	var i = s.makeIterator()
	i.nxt() // absent Fleet.Iterator.nxt
	i.next()?.lannd() // absent Kite.lannd
	s.first().anything
}
`},
		{"static members of types of systems", `
func f() {
	let a = Int.length // absent length: Int has no member length` + noMember + `
	let b = Int.max, c = Double.pi, d = Double.significandBitCount, e = String.localizedStringWithFormat
	Double(Int.length) // absent length: Int has no member length` + noMember + `
	MemoryLayout<Int>.length // absent length: MemoryLayout has no member length` + noMember + `
	MemoryLayout<Int>.size; MemoryLayout.size(ofValue: a); Bool("")?.map { $0 }
}
`},
	})
}
