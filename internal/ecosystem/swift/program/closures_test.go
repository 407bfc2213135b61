package program_test

import "testing"

func TestClosures_Overloads(t *testing.T) {
	expectFaults(t, []faultCase{
		{"initializers that take a closure, a value of a generic type and another type", `
public final class Signal<Value, Failure: Error> { public final class Observer { public func send(value: Value) {} } }
public struct Producer<Value, Failure: Error> {
	public init(_ start: @escaping (Signal<Value, Failure>.Observer, Tail) -> Void) {}
	public init(_ signal: Signal<Value, Failure>) {}
	public init(_ action: @escaping () -> Value) {}
	public init(value: Value) {}
}
func f(k: Kite) {
	let p = Producer { [weak k] observer, tail in
		observer.snd() // absent Signal.Observer.snd
		tail.cute() // absent Tail.cute
		k?.lannd() // absent Kite.lannd
	}
	_ = Producer<Int, Never> { observer, tail in observer.snd(); tail.cute() } // absent Signal.Observer.snd | absent Tail.cute
	_ = Producer { Tail() }
}
`},
		{"types whose values can be called", `
struct Stack { let spacing: Int; func callAsFunction(_ content: () -> Void) {} }
struct Layer { let spacing: Int }
func f() {
	Stack(spacing: 1) { }
	Stack(spacng: 1) // arguments Stack.init(spacing:): it has no argument label spacng
	Layer(spacing: 1) { } // arguments Layer.init(spacing:): it takes no trailing closure here
}
`},
		{"declarations without a parameter for a closure", `
func giveTo(_ n: Int, to k: Kite) {}
func show<T>(_ x: T) {}
func play(_ t: Flyer) {}
giveTo(1) { } // arguments giveTo(_:to:): it takes no trailing closure here
show { $0.anything }; play { }
`},
	})
}

func TestExtensions_Equalities(t *testing.T) {
	expectFaults(t, []faultCase{
		{"associated types and generic parameters", `
protocol Stream { associatedtype Element; associatedtype Other }
extension Stream { func flat<R>(_ f: (Element) throws -> R) -> R { fatalError() }; func other(_ f: (Other) -> Void) {} }
extension Stream where Element == Kite {
	func g(s: any Stream) { flat { $0.lannd() }; self.flat { $0.lannd() } } // absent Kite.lannd | absent Kite.lannd
	func h(s: any Stream) { s.flat { $0.anything }; other { $0.anything } }
}
extension Stream where Self.Element == Tail, Other == [Kite] {
	func i() { flat { $0.cute() }; other { $0.first?.lannd() } } // absent Tail.cute | absent Kite.lannd
}
extension Box where Item == Kite { func j() { take().lannd(); item.lannd() } } // absent Kite.lannd | absent Kite.lannd
`},
	})
}

func TestCollections_Initializers(t *testing.T) {
	expectFaults(t, []faultCase{
		{"arrays, sets and strings", `
func f(a: [Kite], u: Any) {
	Set(a).first?.lannd() // absent Kite.lannd
	for k in Set(a.map { $0 }) where k.name.isEmpty { k.lannd() } // absent Kite.lannd
	Array(Set(a))[0].lannd() // absent Kite.lannd
	String(describing: a).lannd() // absent lannd: String has no member lannd` + noMember + `
	Set(u).first?.anything; Array(u).first?.anything; String(u).count
}
`},
		{"members that extensions add", `
import Foundation
extension URLRequest { func encodedBody(of kite: Kite, encoder: Int = 1) -> Kite { .red } }
extension String { static func murmur(loud: Int) {}; func shout(loud: Bool) -> String { self }; var quiet: Int { 1 } }
extension Collection { func chunked(by n: Int) -> [Kite] { [] } }
func f(r: URLRequest, s: String, n: [Int]) {
	r.encodedBody(of: .red, negative: 2).land() // arguments encodedBody(of:encoder:): it has no argument label negative
	s.shout(quiet: true) // arguments shout(loud:): it has no argument label quiet
	String.murmur(loud: 1); String.murmur(soft: 1) // arguments murmur(loud:): it has no argument label soft
	n.chunked(of: 1) // arguments chunked(by:): it has no argument label of
	n.chunked(by: 1).first?.lannd() // absent Kite.lannd
}
`},
	})
}

func TestLiterals_SeveralInitializers(t *testing.T) {
	expectFaults(t, []faultCase{
		{"entries of dictionaries", `
struct Names: ExpressibleByDictionaryLiteral {
	enum Description { case same(proto: String), unique }
	init(dictionaryLiteral elements: (Int, Int)...) {}
	init(dictionaryLiteral elements: (Int, Description)...) {}
}
let a: Names = [1: .same(proto: ""), 2: .unique, 3: 4]
let b: Names = [
	1: .same(prt: ""), // arguments Names.Description.same(proto:): it has no argument label prt
	2: .unque, // absent Names.Description.unque
]
`},
	})
}
