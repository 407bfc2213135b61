package program_test

import "testing"

func TestExpected_Closures(t *testing.T) {
	expectFaults(t, []faultCase{
		{"results that closures declare or that functions expect", `
func add(_ body: (Kite) -> Wind) {}
func build(@Builder _ body: () -> Wind) {}
func any<T>(_ body: () -> T) {}
@resultBuilder enum Builder { static func buildBlock(_ x: Tail...) -> Wind { .calm } }
add { _ in .clam } // absent Wind.clam
add { k in
	if k.wind.isCalm { return .calm }
	return .gusty // absent Wind.gusty
}
let f = { (k: Kite) -> Wind in .clam } // absent Wind.clam
let g = { (k: Kite) -> Wind in
	add { _ in return .calm }
	return .clam // absent Wind.clam
}
build { .anything }
any { .anything }
`},
		{"declarations that need more default values", `
func test(setup: Int, _ body: (Kite) -> Void) {}
func test(setup: Int = 0, more: Int = 0, body: (Tail) -> Void) {}
test(setup: 1) { x in x.anything }
`},
	})
}

func TestExpected_Overloads(t *testing.T) {
	expectFaults(t, []faultCase{
		{"properties that are optional cannot be called", `
struct Node {
	var wind: Wind? { nil }
	func wind(_ w: Wind) -> Kite { .red }
}
func f(n: Node) {
	n.wind(.clam) // absent Wind.clam
	n.wind(.calm).lannd() // absent Kite.lannd
}
`},
		{"asynchronous functions", `
struct Line { func close() -> Kite { .red }; func close() async -> Tail { Tail() } }
func f(l: Line) async {
	l.close().lannd() // absent Kite.lannd
	let t = await l.close()
	t.cute() // absent Tail.cute
	await l.close().anything
	async let x = l.close().anything
	await use { l.close().lannd() } // absent Kite.lannd
	await use(l.close().anything)
}
`},
		{"subscripts of collections", `
struct Fields: RandomAccessCollection {
	subscript(name: Wind) -> String { "" }
	subscript(all name: Wind) -> String { "" }
	subscript(position: Int) -> Tail { Tail() }
	var startIndex: Int { 0 }
	var endIndex: Int { 0 }
}
func f(c: Fields) {
	_ = c[.calm]; _ = c[0].anything
	_ = c[.clam] // absent Wind.clam
}
`},
		{"extensions that name a module that re-exports the type", `
import Sky
extension Sky.Kite { init(wind: Wind) { self.init(name: "") } }
_ = Kite(wind: .calm)
_ = Kite(wind: .clam) // absent Wind.clam
-- Sky/sky.swift
@_exported import Kite
`},
	})
}

func TestExpected_Literals(t *testing.T) {
	expectFaults(t, []faultCase{
		{"dictionaries", `
struct Fields: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
	init(dictionaryLiteral elements: (Wind, Kite)...) {}
	init(arrayLiteral elements: Tail...) {}
}
func f(_ x: Fields) {}
f([.calm: .red, .gust(1, 2): Kite(name: "")]); f([:])
f([.clam: .red]) // absent Wind.clam
f([.calm: .red, .gust(1, 2): .rad]) // absent Kite.rad
let d: [Wind: [Kite]] = [.calm: [.red, .rad]] // absent Kite.rad
let e: [String: Wind] = ["a": .calm, "b": .clam] // absent Wind.clam
struct Twice: ExpressibleByDictionaryLiteral {
	#if A
	init(dictionaryLiteral elements: (Int, Int)...) {}
	#else
	init(dictionaryLiteral elements: (Int, Wind)...) {}
	#endif
}
let t: Twice = [1: .anything] // absent Wind.anything
func g(b: Bool) { f([b ? .calm : .anything: .red]) }
`},
		{"sets and lists of the program", `
struct List: ExpressibleByArrayLiteral { init(arrayLiteral elements: Wind...) {} }
let l: List = [.calm, .clam] // absent Wind.clam
let s: Set<Wind> = [.clam] // absent Wind.clam
`},
	})
}

func TestExpected_SystemTypes(t *testing.T) {
	expectFaults(t, []faultCase{
		{"members without a type", `
import Foundation
extension Duration { static var gentle: Duration { .seconds(1) } }
func wait(_ d: Duration) {}
func f() -> Result<Kite, Error> {
	wait(.seconds(1)); wait(.gentle)
	wait(.gentel) // absent gentel: Duration has no member gentel` + noMember + `
	return .failed(1) // absent failed: Result has no member failed` + noMember + `
}
`},
		{"modules of systems that are imported under a condition", `
#if canImport(UIKit)
import UIKit
#endif
func f(n: [Int], x: Kite) {
	n.gentle() // absent gentle: Array has no member gentle` + noMember + `
	unknown.gentle()
}
-- Sea/sea.swift
public struct Sea { public func gentle() {} }
`},
		{"modules of systems", `
import SwiftUI
func f(n: [Int]) { n.gentle() }
`},
		{"modules that are missing", `
import Mystery
func f(n: [Int]) { n.gentle() }
`},
	})
}

func TestExpected_Parameters(t *testing.T) {
	expectFaults(t, []faultCase{
		{"attributes with generic arguments", `
import Foundation
@resultBuilder enum Builder<T> { static func buildBlock(_ x: T...) -> [T] { x } }
func f(@Builder<Kite> makeKites: () -> [Kite]) { makeKites().first?.land() }
func g(@Builder<Kite> makeKites: () -> [Kite]) { makeKites().first?.lannd() } // absent Kite.lannd
`},
	})
}
