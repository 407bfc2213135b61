package program_test

import "testing"

func TestOperators_Results(t *testing.T) {
	expectFaults(t, []faultCase{
		{"operators that the program declares", `
struct Length { static func + (a: Length, b: Length) -> Kite { .red }; static func - (a: Length, b: String) -> Tail { Tail() } }
func * (a: Length, b: Length) -> Wind { .calm }
func + <T>(a: T, b: Length) -> T { a }
func f(a: Length, b: Length, c: Length?, k: Kite) {
	let sum = a + b
	sum.lannd() // absent Kite.lannd
	let rest = a - "b"
	rest.cute() // absent Tail.cute
	let product = a * b
	product.anything
	let other = a + c; other.anything
	let any = k + b; any.anything
	let twice = a + b + b; twice.anything
	(a+b).lannd() // absent Kite.lannd
}
`},
		{"operators with several results", `
struct Length { static func + (a: Length, b: Length) -> Kite { .red } }
func + (a: Length, b: Length) -> Tail { Tail() }
func f(a: Length) { let sum = a + a; sum.anything }
`},
		{"numbers and strings", `
func f(i: Int, j: Int, d: Double, s: String, all: [Kite]) {
	let k = i + 1
	k.gentle() // absent gentle: Int has no member gentle` + noMember + `
	let l = "a" + s
	l.gentle() // absent gentle: String has no member gentle` + noMember + `
	let m = i + d; m.anything
	(1 + 2).gentle(); (1 / (2 * 3)).gentle()
	(i + j).gentle() // absent gentle: Int has no member gentle` + noMember + `
	let n = i - j == 1; n.anything
	all[i - 1].lannd() // absent Kite.lannd
	let both = all + all
	both.first?.lannd() // absent Kite.lannd
}
`},
		{"ranges", `
func f(i: Int, x: Any, all: [Kite]) {
	for k in 0..<i { k.gentle() } // absent gentle: Int has no member gentle` + noMember + `
	for k in 0 ... i + 1 { all[k].lannd() } // absent Kite.lannd
	for k in 0..<x { k.anything }
	let r = 1..<i
	r.lowerBound.gentle() // absent gentle: Int has no member gentle` + noMember + `
	r.gentle() // absent gentle: Range has no member gentle` + noMember + `
	all[r].anything
	(0..<i).map { all[$0] }.first?.lannd() // absent Kite.lannd
}
`},
	})
}

func TestOperators_ArrayLiterals(t *testing.T) {
	expectFaults(t, []faultCase{
		{"literals", `
func make<T>(_ x: T, _ y: T) -> T { x }
func f(d: [Double]) {
	let names = ["a", "b\(1)"]
	names.gentle() // absent gentle: Array has no member gentle` + noMember + `
	names.first?.gentle() // absent gentle: String has no member gentle` + noMember + `
	[1, 2].map { $0.gentle() } // absent gentle: Int has no member gentle` + noMember + `
	let mixed = [1, 2.0]; mixed.first?.anything
	let sums = [1] + d; sums.first?.anything
	make([1], d).first?.anything
	let bytes = [1, 2] as Bytes; bytes.anything
	let kites = ["a": Kite.red, "b": Kite(name: "b")]
	kites.gentle() // absent gentle: Dictionary has no member gentle` + noMember + `
	kites["a"]?.lannd() // absent Kite.lannd
	let pairs = ["a": Kite.red, 1: Kite.red]; pairs.anything
	let values = ["a": 1, "b": ""]; values.anything
	let byName = [unknown: Kite.red]
	byName[unknown]?.lannd() // absent Kite.lannd
}
`},
	})
}
