package program_test

import "testing"

func TestCalls_Types(t *testing.T) {
	const (
		protocol = "it is a protocol, and cannot be called"
		enum     = "it is an enum without initializers, and cannot be called"
	)
	expectFaults(t, []faultCase{
		{"protocols and enums have no initializers", `
enum Spool { case full }
protocol Winch {}
_ = Spool() // arguments Spool: ` + enum + `
_ = Winch() // arguments Winch: ` + protocol + `
_ = Flyer() // arguments Flyer: ` + protocol + `
_ = Wind(1) // arguments Wind: ` + enum + `
_ = Spool.full
`},
		{"an enum with a raw value", `
enum Spool: Int { case full = 1 }
_ = Spool(rawValue: 1)
_ = Spool(rawValue: 1)?.full // arguments Spool.full: it is a case of the enum, and not a member of its values
`},
		{"an enum with an initializer", `
enum Spool { case full; init(n: Int) { self = .full } }
_ = Spool(n: 1)
_ = Spool(m: 1) // arguments Spool.init(n:): it has no argument label m
_ = Spool() // arguments Spool.init(n:): it needs an argument for n
`},
		{"an enum with an initializer in an extension", `
enum Spool { case full }
extension Spool { init?(text: String) { nil } }
_ = Spool(text: "")
_ = Spool(texts: "") // arguments Spool.init(text:): it has no argument label texts
`},
		{"the members of a struct", `
struct Spool { var length: Int; let colour = 1; var width = 2; static var all = 3; var area: Int { 1 } }
_ = Spool(length: 1)
_ = Spool(length: 1, width: 2)
_ = Spool(width: 2) // arguments Spool.init(length:width:): it needs an argument for length
_ = Spool(length: 1, colour: 2) // arguments Spool.init(length:width:): it has no argument label colour
_ = Spool(length: 1, area: 2) // arguments Spool.init(length:width:): it has no argument label area
`},
		{"a struct with an initializer has no other one", `
struct Spool { var length = 1; init(of n: Int) {} }
_ = Spool(of: 1)
_ = Spool(length: 1) // arguments Spool.init(of:): it has no argument label length
`},
		{"a struct with an initializer in an extension has both", `
struct Spool { var length: Int }
extension Spool { init(of n: Int) { length = n } }
_ = Spool(of: 1); _ = Spool(length: 1)
_ = Spool(size: 1) // arguments Spool.init(of:): none of its declarations accepts these arguments; the closest one has no argument label size
`},
		{"the initializers of a superclass", `
class Reel { init(n: Int) {} }
class Drum: Reel {}
_ = Drum(n: 1)
_ = Drum(m: 1) // arguments Drum.init(n:): none of its declarations accepts these arguments; the closest one has no argument label m
`},
		{"a failable initializer", `
func f() {
	Kite(parsing: "")?.land()
	Kite(parsing: "")?.lannd() // absent Kite.lannd
	Kite(parsing: "")!.lannd() // absent Kite.lannd
}
`},
		{"the members of another module's struct", `
_ = Tail()
_ = Tail(length: 1) // arguments Tail.init(): it has no argument label length
`},
	})
}

func TestCalls_Values(t *testing.T) {
	expectFaults(t, []faultCase{
		{"a property that is no function", `
struct Spool { var count = Tail(); var turn: (Int) -> Tail }
func f(s: Spool) {
	s.turn(1).cut()
	s.turn(1).cute() // absent Tail.cute
}
`},
		{"a value that is called as a function", `
struct Spool { func callAsFunction(_ n: Int) -> Tail { Tail() } }
struct Crane { var spool = Spool() }
func f(s: Spool, c: Crane) { s(1); c.spool(1) }
`},
		{"a subscript", `
struct Spool { subscript(_ n: Int) -> Tail { Tail() }; subscript(name n: String) -> Kite { Kite.red } }
func f(s: Spool) {
	s[1].cut()
	s[1].cute() // absent Tail.cute
	s[name: ""].land()
	s[name: ""].lannd() // absent Kite.lannd
}
`},
		{"variants with values", `
_ = Wind.gust(1, 2)
_ = Wind.gust(1) // arguments Wind.gust(_:_:): it needs an argument for Int
_ = Wind.breeze(speed: 1)
_ = Wind.breeze(sped: 1) // arguments Wind.breeze(speed:from:): it has no argument label sped
let w: Wind = .gust(1, 2, 3) // arguments Wind.gust(_:_:): it takes 2 arguments, but 3 are passed
`},
	})
}

func TestCalls_Overloads(t *testing.T) {
	expectFaults(t, []faultCase{
		{"types of arguments", `
struct Name: ExpressibleByStringLiteral { init(stringLiteral s: String) {} }
func run(_ s: String) -> Kite { .red }
func run(_ all: [Int]) -> Tail { Tail() }
func run(_ t: Toy) -> Wind { .calm }
func name(_ n: Name) -> Kite { .red }
func name(_ n: Int) -> Tail { Tail() }
func half(_ d: Double) -> Kite { .red }
func half(_ s: String) -> Tail { Tail() }
func any<T>(_ x: T) -> T { x }
func any(_ x: String) -> Tail { Tail() }
func f(s: String, b: Ball, n: [Int], x: Any, o: String?) {
	run("a").lannd() // absent Kite.lannd
	run(s).lannd() // absent Kite.lannd
	run(n).cute() // absent Tail.cute
	let w = run(b)
	w.isCalmer // absent Wind.isCalmer
	half((1)).lannd() // absent Kite.lannd
	run(x).anything
	run(o).anything
	name("a").lannd() // absent Kite.lannd
	name(1).anything
	name(s).anything
}
`},
	})
}
