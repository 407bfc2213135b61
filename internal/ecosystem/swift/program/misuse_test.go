package program_test

import "testing"

func TestMisuse(t *testing.T) {
	expectFaults(t, []faultCase{
		{"static members of values", `
func f(k: Kite, w: Wind, t: (some Glider).Type, u: any Glider.Type, v: [Kite].Type) {
	t.wings; u.wings; v.init()
	k.red // arguments Kite.red: it is a static member, and not a member of values of the type
	k.make("") // arguments Kite.make(_:): it is a static member, and not a member of values of the type
	w.calm // arguments Wind.calm: it is a case of the enum, and not a member of its values
	Kite.red.land(); Wind.calm.isCalm; Kite.make("").land()
}
protocol Glider { static var wings: Int { get } }
`},
		{"properties of instances after the name of the type", `
func f(k: Kite) {
	Kite.name // arguments Kite.name: it is a property of values of the type, and not a static one
	expect((k as? Kite?)??.name, .anything); (k as? Kite?)??.nam // absent Kite.nam
	Kite.land(k)(); Kite.fly(k)(to: 1)
	Kite.fly(to: 1) // arguments Kite.fly(to:): it is a method of values of the type, and not a static one
	Kite.land() // arguments Kite.land(): it is a method of values of the type, and not a static one
	let path = \Kite.name
	#selector(getter: Kite.name)
}
struct Pen {
	var ink = 1
	static func fill() { self.ink }
	lazy private(set) var level = { self.ink }()
}
`},
		{"members of methods", `
func f(k: Kite) {
	k.land.anything // arguments Kite.land(): it is a method, and has no members unless it is called
	k.land().self; k.land.self
	let g = k.land
}
struct Pen { var ink = 1; func ink(_ n: Int) -> Int { n } }
func g(p: Pen) { p.ink.description; p.ink(1) }
`},
		{"calls of properties", `
struct Pen { var write: () -> Void = {}; var ink = 1; var tip = Tip(); var maker = Kite.self; var any: Any = 1; func ink(_ n: Int) {}; var anyTip: Tip { tip } }
struct Tip { func callAsFunction() {}; var length = 1 }
func f(k: Kite, p: Pen, t: Tip) {
	k.name() // arguments Kite.name: it is a property whose values cannot be called
	k.wind(1) // arguments Kite.wind: it is a property whose values cannot be called
	t.length(1) // arguments Tip.length: it is a property whose values cannot be called
	k.tail?.length(of: k) // arguments Tail.length: it is a property whose values cannot be called
	p.write(); p.ink(2); p.tip(); p.anyTip(); p.maker(name: ""); p.any()
	if k.name { k.land() }
}
`},
		{"types with extensions of unknown modules", `
import Missing
func f(k: Kite) { k.name(); k.red; Kite.name }
`},
	})
}
