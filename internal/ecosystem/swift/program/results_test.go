package program_test

import "testing"

func TestResults_Foundation(t *testing.T) {
	expectFaults(t, []faultCase{
		{"properties and methods of types of systems", `
import Foundation
func f(u: URL, c: URLComponents, s: String, d: [Kite], r: Range<Int>) {
	u.deletingLastPathComponent().path.hasPrefix("a")
	u.deletingLastPathComponent().path.gentle() // absent gentle: String has no member gentle` + noMember + `
	c.queryItems?.first?.name.gentle() // absent gentle: String has no member gentle` + noMember + `
	FileManager.default.temporaryDirectory.gentle() // absent gentle: URL has no member gentle` + noMember + `
	s.split(separator: ",").first?.gentle() // absent gentle: Substring has no member gentle` + noMember + `
	for c in s { c.gentle() } // absent gentle: Character has no member gentle` + noMember + `
	s.map { $0.gentle() } // absent gentle: Character has no member gentle` + noMember + `
	s[s.startIndex].gentle() // absent gentle: Character has no member gentle` + noMember + `
	r.lowerBound.gentle() // absent gentle: Int has no member gentle` + noMember + `
	s.components(separatedBy: ",").joined().gentle() // absent gentle: String has no member gentle` + noMember + `
	let k = DispatchQueue.main.sync { d[0] }
	k.lannd() // absent Kite.lannd
	for k in d.prefix(2) { k.lannd() } // absent Kite.lannd
}
`},
		{"generic parameters with the names of types of systems", `
import Foundation
extension Kite { func gentle() {} }
func f<Result>(_ r: Result, _ all: Box<Result>) { r.anything; all.item.anything }
struct S<Task> { func f(t: Task, b: Box<Task>) { t.anything; b.item.anything } } // absent Task.anything | absent Task.anything
`},
		{"members that the program adds", `
import Foundation
extension URL { var path: Kite { .red } }
func f(u: URL) { u.path.land(); u.path.anything }
`},
		{"initializers of arrays and of generic types", `
var a = [Kite]()
var b = [Wind: Tail]()
let c = Array<Kite>(repeating: .red, count: 2)
let e = [Kite]().first?.lannd()
func f() {
	let d = Dictionary<String, Kite>()
	a.first?.lannd() // absent Kite.lannd
	b[.calm]?.cute() // absent Tail.cute
	c[0].lannd() // absent Kite.lannd
	d["a"]?.lannd() // absent Kite.lannd
	Array(unknown)[0].anything
}
`},
		{"subscripts that the program adds to arrays", `
extension Array { subscript(safe i: Int) -> Element? { nil } }
func f(a: [Kite], i: Int, r: Range<Int>) {
	a[i].lannd() // absent Kite.lannd
	a[safe: i]?.anything
	a[i..<2].anything
}
`},
		{"subscripts that replace those of arrays", `
struct Place {}
extension Array { subscript(i: Place) -> Tail { Tail() } }
func f(a: [Kite], p: Place) { a[p].anything }
`},
	})
}
