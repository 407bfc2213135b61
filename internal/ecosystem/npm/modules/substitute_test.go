package modules

import "testing"

func TestMembers_InheritedFromGenericTypes(t *testing.T) {
	const bases = `interface Base<T, U = T[]> { get(): T; all: U; pair: [T, U] }
interface Middle<T> extends Omit<Base<T>, "pair"> { middle: T }
interface Same<V> extends Middle<V> {}
type Alias<T> = { aliased: T; run(x: T): Promise<T> };
interface Literal<T> extends Alias<T> { literal: T }
declare class Store<S, A> { constructor(s: S); state: S; get last(): A; on<T>(x: T, s: S): T }
`
	expectMembers(t, "", []struct{ name, src, want string }{
		{"a default that depends on an argument", bases + "export interface X extends Base<string> {}",
			"get [method] get(): string <- Base\nall [property] all: string[] <- Base\npair [property] pair: [string, string[]] <- Base\n"},
		{"a utility type between the interfaces", bases + "export interface X extends Middle<number> {}",
			"middle [property] middle: number <- Middle\nget [method] get(): number <- Base\nall [property] all: number[] <- Base\n"},
		{"two interfaces that pass their parameter on", bases + "export interface X extends Same<symbol> {}",
			"middle [property] middle: symbol <- Middle\nget [method] get(): symbol <- Base\nall [property] all: symbol[] <- Base\n"},
		{"an alias of an object", bases + "export interface X extends Literal<Date> {}",
			"literal [property] literal: Date <- Literal\naliased [property] aliased: Date\nrun [method] run(x: Date): Promise<Date>\n"},
		{"a property of a parameter without an argument", bases + "interface Kinds { kind: string }\nexport interface X<K extends Kinds> extends Base<K[\"kind\"], K> {}",
			"get [method] get(): K[\"kind\"] <- Base\nall [property] all: K <- Base\npair [property] pair: [K[\"kind\"], K] <- Base\n"},
		{"a property of a parameter that has one", "interface Kinds { kind: string }\ninterface Of<K extends Kinds> { kind: K[\"kind\"] }\nexport interface X extends Of<{ kind: \"a\" }> {}",
			"kind [property] kind: \"a\" <- Of\n"},
		{"a class", bases + `export declare class X extends Store<number, "a" | "b"> {}`,
			"constructor [constructor] constructor(s: number) <- Store\nstate [property] state: number <- Store\n" +
				"last [accessor] get last(): \"a\" | \"b\" <- Store\non [method] on<T>(x: T, s: number): T <- Store\n"},
		{"the picked members of an interface", bases + `export type X = Pick<Base<RegExp>, "get" | "all">;`,
			"get [method] get(): RegExp <- Base\nall [property] all: RegExp[] <- Base\n"},
	})
}
