package program_test

import "testing"

func TestKeyPaths_Subscripts(t *testing.T) {
	expectFaults(t, []faultCase{
		{"values", `
struct Planet { var kite: Kite }
func f(p: Planet, k: KeyPath<Planet, Kite>, w: WritableKeyPath<Planet, Tail>?, any: AnyKeyPath) {
	p[keyPath: k].lannd() // absent Kite.lannd
	p[keyPath: w!].cute() // absent Tail.cute
	p[keyPath: \.kite].lannd() // absent Kite.lannd
	p[keyPath: \.kite.tail]?.cute() // absent Tail.cute
	p[keyPath: any].anything; k.anything // absent anything: KeyPath has no member anything` + noMember + `
}
`},
	})
}

func TestKeyPaths(t *testing.T) {
	expectFaults(t, []faultCase{
		{"roots that sequences and optionals determine", `
func f(all: [Kite], k: Kite?) {
	all.map(\.wind).first?.isCalmer // absent Wind.isCalmer
	all.compactMap(\.tail).first?.cute() // absent Tail.cute
	all.map(\.name.utf8.count); all.map(\.self).first?.land()
	all.map(\.nam) // absent Kite.nam
	all.filter(\.wind.isCalmer).first?.land() // absent Wind.isCalmer
	all.contains(where: \.wind.isCalmer) // absent Wind.isCalmer
	k.map(\.wind)?.isCalmer // absent Wind.isCalmer
	all.map(\.tail?.length).first
	all.map(\.tail?.lengt).first // absent Tail.lengt
	all.map(\Kite.nam) // absent Kite.nam
}
`},
		{"roots that functions determine", `
func pick<V>(_ p: KeyPath<Kite, V>, _ body: (V) -> Void = { _ in }) -> V { fatalError() }
func choose<V>(_ body: (Kite) -> V) -> V { fatalError() }
func over(_ p: KeyPath<Kite, Int>) {}
func over(_ p: KeyPath<Tail, Int>) {}
func free<R, V>(_ p: KeyPath<R, V>, _ r: R) {}
struct Row<Item> { func sort<V>(by p: KeyPath<Item, V>) {} }
func f(r: Row<Kite>) {
	pick(\.wind).isCalmer // absent Wind.isCalmer
	pick(\.wnid) // absent Kite.wnid
	choose(\.wind).isCalmer // absent Wind.isCalmer
	over(\.anything); free(\.anything, 1)
	r.sort(by: \.name); r.sort(by: \.nam) // absent Kite.nam
}
`},
		{"operands of operators", `
struct Check<V> { var subject: V }
func > <T, U>(a: KeyPath<T, U>, b: U) -> (Check<T>) -> Bool { fatalError() }
func check(_ body: (Check<Kite>) -> Bool) {}
func f(all: [Kite]) { check(\.name.utf8.count > 0); check(\.subject.name); all.filter(\.whatever > 0) }
func g(all: [Kite], r: Range<Int>, i: Int) { all[r].count; all[r].gentle(); all[i].gentle() // absent Kite.gentle
}
extension ArraySlice { func gentle() {} }
`},
		{"values with dynamic members", `
@dynamicMemberLookup struct Lens { subscript<V>(dynamicMember p: KeyPath<Kite, V>) -> V { fatalError() } }
func f(all: [Lens]) { all.map(\.wind); all.map(\.anything) }
`},
	})
}
