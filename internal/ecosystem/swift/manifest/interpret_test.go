package manifest

import (
	"slices"
	"strings"
	"testing"
)

// evaluate returns the strings in the array that a manifest assigns to the
// constant result, and the warnings about the manifest.
func evaluate(t *testing.T, text string) (string, []string) {
	t.Helper()
	m := parsed(t, text+"\nlet package = Package(name: \"K\", targets: result.map { .target(name: $0) })")
	var all []string
	for _, target := range m.Targets {
		all = append(all, target.Name)
	}
	return strings.Join(all, " "), m.Warnings
}

// checkEvaluation evaluates manifests, each given as its name, its text and the
// strings that Swift would assign to result. No manifest has a warning.
func checkEvaluation(t *testing.T, manifests [][3]string) {
	t.Helper()
	for _, m := range manifests {
		t.Run(m[0], func(t *testing.T) {
			if got, warnings := evaluate(t, m[1]); got != m[2] || len(warnings) > 0 {
				t.Errorf("got %q, want %q; warnings %q", got, m[2], warnings)
			}
		})
	}
}

func TestEvaluate_Strings(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"case and affixes", `let result = ["kite".uppercased(), "KITE".lowercased(), "kite".capitalized, "\("kite".hasSuffix("te"))", "\("kite".contains("x"))", "\("kite".starts(with: "ki"))"]`, "KITE kite Kite true false true"},
		{"capitalized changes every word and keeps letters outside ASCII", `let result = ["kite TAIL".capitalized.replacingOccurrences(of: " ", with: "_"), "écluse".capitalized]`, "Kite_Tail Écluse"},
		{"parts", `let result = "a/b/c".components(separatedBy: "/") + "d-e".split(separator: "-").map(String.init) + "f.g".split(separator: ".").map { String($0) }`, "a b c d e f g"},
		{"split omits empty parts, components keeps them", `let result = ["\("a//b".split(separator: "/").count)", "\("a//b".components(separatedBy: "/").count)"]`, "2 3"},
		{"dropped letters", `let result = [String("xkite".dropFirst()), String("kite.git".dropLast(4)), "\("kite".count)", "\("".isEmpty)"]`, "kite kite 4 true"},
		{"appended and replaced", `let result = ["a".appending("b"), "a.b.c".replacingOccurrences(of: ".", with: "-"), "a_b".replacing("_", with: "")]`, "ab a-b-c ab"},
		{"joined", `let result = [["a", "b"].joined(separator: "+"), ["a", "b"].joined()]`, "a+b ab"},
		{"no strings joined", `let result = ["x" + [String]().joined(separator: "+")]`, "x"},
		{"compared", `let result = ["\("a" < "b")", "\("a" >= "b")", "\("a" == "a" && "a" != "b")"]`, "true false true"},
		{"changed by +=", `var s = "a"; s += "b"; let result = [s]`, "ab"},
		{"converted", `let result = [String(42), "\(Int("7") ?? 0)", "\(Int("x") ?? -1)", "\(Bool("true") ?? false)", "\(Bool("1") == nil)"]`, "42 7 -1 true true"},
		{"raw strings with interpolation", `let n = "a"; let result = [#"\(n)\#(n)"#]`, `\(n)a`},
		{"escapes", `let result = ["a\u{62}c", "q\"q"]`, `abc q"q`},
	})
}

func TestEvaluate_Numbers(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"arithmetic and precedence", `let result = ["\(1 + 2 * 3)", "\((1 + 2) * 3)", "\(7 / 2)", "\(7 % 2)", "\(-3 - 2)", "\(+4)"]`, "7 9 3 1 -5 4"},
		{"literals", `let result = ["\(1_000)", "\(0x10)", "\(0b11)", "\(0o17)"]`, "1000 16 3 15"},
		{"comparisons", `let result = ["\(1 < 2)", "\(2 <= 1)", "\(2 > 1)", "\(1 >= 1)", "\(9_223_372_036_854_775_807 > -2)"]`, "true false true true true"},
		{"logic", `let yes = true; let result = ["\(!yes || yes && !yes)", "\(yes ? 1 : 2)", "\(yes && 1 == 1 ? "a" : "b")"]`, "false 1 a"},
		{"assignments", `var n = 8; n -= 2; n *= 3; let result = ["\(n)"]`, "18"},
	})
}

func TestEvaluate_Collections(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"elements", `let l = ["a", "b", "c"]; let result = [l.first!, l.last!, l[1], "\(l.count)", "\(l.isEmpty)", "\(l.contains("b"))", "\(l.contains { $0 == "x" })"]`, "a c b 3 false true false"},
		{"no elements", `let l: [String] = []; let result = [l.first ?? "none", l.last ?? "none", "\(l.isEmpty)"]`, "none none true"},
		{"removed", `var l = ["a", "b", "c", "d"]; l.removeFirst(); l.removeLast(); l.removeAll { $0 == "b" }; let result = l`, "c"},
		{"several removed", `var l = ["a", "b", "c", "d"]; l.removeFirst(2); l.removeLast(1); let result = l`, "c"},
		{"one removed at an index", `var l = ["a", "b", "c"]; l.remove(at: 1); let result = l`, "a c"},
		{"the removed element", `var l = ["a", "b"]; let last = l.removeLast(); let first = l.popLast() ?? "none"; let result = [last, first, "\(l.count)"]`, "b a 0"},
		{"all removed", `var l = ["a"]; l.removeAll(); l.append("b"); let result = l`, "b"},
		{"inserted", `var l = ["b", "d"]; l.insert("a", at: 0); l.insert("c", at: 2); l.insert(contentsOf: ["e", "f"], at: 4); let result = l`, "a b c d e f"},
		{"an element assigned", `var l = ["a", "b"]; l[1] = "c"; let result = l`, "a c"},
		{"reversed, sorted", `let result = ["b", "c", "a"].sorted() + ["x", "y"].reversed()`, "a b c y x"},
		{"sorted in place and by a closure", `var l = ["b", "a"]; l.sort(); let result = l + ["p", "q"].sorted { $0 > $1 } + ["n", "m"].sorted(by: <)`, "a b q p m n"},
		{"parts of a list", `let l = ["a", "b", "c"]; let result = Array(l.dropFirst()) + Array(l.dropLast()) + Array(l.prefix(1)) + Array(l.suffix(1)) + Array(l.dropFirst(2))`, "b c a b a c c"},
		{"flattened", `let result = [["a"], ["b", "c"]].flatMap { $0 } + Array([["d"], []].joined())`, "a b c d"},
		{"folded", `let result = ["a", "b"].reduce([]) { $0 + [$1 + "!"] } + [["c"], ["d"]].reduce([], +) + ["\([1, 2, 3].reduce(0, +))"]`, "a! b! c d 6"},
		{"tested", `let l = ["aa", "ab"]; let result = ["\(l.allSatisfy { $0.hasPrefix("a") })", l.first { $0.hasSuffix("b") } ?? "none", l.first(where: { $0 == "z" }) ?? "none"]`, "true ab none"},
		{"numbered", `let result = ["a", "b"].enumerated().map { "\($0.offset)\($0.element)" } + ["c"].enumerated().map { i, e in "\(e)\(i)" }`, "0a 1b c0"},
		{"for each", `var out: [String] = []; ["a", "b"].forEach { out.append($0) }; let result = out`, "a b"},
		{"indices", `let l = ["a", "b"]; let result = l.indices.map { l[$0] + "\($0)" }`, "a0 b1"},
		{"a lazy view", `let result = Array(["a", "b"].lazy.filter { $0 != "a" })`, "b"},
		{"dictionaries", `var d = ["a": "1"]; d["b"] = "2"; d["a"] = "3"; let result = [d["a"]!, d["b"]!, d["c", default: "none"], "\(d.count)", "\(d.isEmpty)", "\(d["z"] == nil)"]`, "3 2 none 2 false true"},
		{"keys and values", `let d = ["a": "1"]; let result = Array(d.keys) + Array(d.values) + d.keys.sorted() + d.map { $0.key + $0.value }`, "a 1 a a1"},
		{"a value removed from a dictionary", `var d = ["a": "1", "b": "2"]; d["a"] = nil; let result = Array(d.keys)`, "b"},
		{"a loop over a dictionary", `var out: [String] = []; for (k, v) in ["a": "b"] { out += [k, v] }; let result = out`, "a b"},
		{"sets", `var s: Set<String> = ["a"]; s.insert("b"); s.insert("a"); let result = s.sorted() + ["\(s.count)"] + Set(["c"]).union(["c"])`, "a b 2 c"},
		{"tuples", `let t = ("a", name: "b"); let (c, d) = ("c", "d"); let result = [t.0, t.1, t.name, c, d]`, "a b b c d"},
		{"key paths", `struct N { let name: String; var inner: [String] { [name, name] } }; let l = [N(name: "a")]; let result = l.map(\.name) + l.flatMap(\.inner) + l.map(\.self.name)`, "a a a a"},
		{"ranges", `let result = (1...2).map { "a\($0)" } + (0..<1).map { "b\($0)" }`, "a1 a2 b0"},
	})
}

func TestEvaluate_ControlFlow(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"while, continue and break", `var n = 0; var out: [String] = []
			while true { n += 1; if n == 2 { continue }; if n > 3 { break }; out.append("\(n)") }
			let result = out`, "1 3"},
		{"repeat", `var n = 0; var out: [String] = []
			repeat { out.append("\(n)"); n += 1 } while n < 2
			let result = out`, "0 1"},
		{"a switch over strings", `func f(_ s: String) -> String { switch s { case "a", "b": return "ab"; case "c": return "c"; default: return "other" } }
			let result = ["a", "b", "c", "d"].map(f)`, "ab ab c other"},
		{"a switch over a tuple", `func f(_ a: Bool, _ b: Bool) -> String { switch (a, b) { case (true, false): return "first"; case (false, true): return "second"; default: return "both" } }
			let result = [f(true, false), f(false, true), f(true, true)]`, "first second both"},
		{"a switch as an expression", `let n = 2; let result = [switch n { case 1: "one" default: "many" }, if n == 2 { "two" } else { "else" }]`, "many two"},
		{"a switch over an enumeration", `enum E { case a, b, c }
			func f(_ e: E) -> String { switch e { case .a: "a" case .b, .c: "bc" } }
			let result = [f(.a), f(.c), f(E.b)]`, "a bc bc"},
		{"if case", `enum E { case a, b }; let e = E.a; var out: [String] = []; if case .a = e { out.append("a") }; if case .b = e { out.append("b") }; let result = out`, "a"},
		{"guard and early return", `func f(_ s: String?) -> String { guard let s, !s.isEmpty else { return "none" }; return s }
			let result = [f(nil), f(""), f("a")]`, "none none a"},
		{"if let with several conditions", `let a: String? = "a", b: String? = nil; var out: [String] = []
			if let a, b == nil { out.append(a) }
			if let a, let b { out += [a, b] } else { out.append("else") }
			if var c = a { c += "!"; out.append(c) }
			let result = out`, "a else a!"},
		{"nested functions and captured variables", `func outer(_ n: Int) -> [String] { var all: [String] = []; func add(_ i: Int) { all.append("\(i)"); if i < n { add(i + 1) } }; add(0); return all }
			let result = outer(2)`, "0 1 2"},
		{"default values, and variadic parameters", `func f(_ a: String, _ b: String = "b", then c: String = "c") -> String { a + b + c }
			func g(_ all: String...) -> [String] { all }
			let result = [f("a"), f("a", "x"), f("a", then: "y")] + g("p", "q")`, "abc axc aby p q"},
		{"overloads", `struct S { static func f(name: String) -> String { "n" + name }; static func f(path: String) -> String { "p" + path } }
			let result = [S.f(name: "1"), S.f(path: "2")]`, "n1 p2"},
		{"do, catch and defer", `func f() throws -> String { "f" }
			var out: [String] = []
			do { out.append(try f()) } catch { out.append("error") }
			let result = out + [(try? f()) ?? "none"]`, "f" + " f"},
		{"availability", `var out: [String] = []; if #available(macOS 13, *) { out.append("new") } else { out.append("old") }; let result = out`, "new"},
	})
}

func TestEvaluate_Types(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"a struct with defaults and methods", `struct M { let name: String; var suffix = "S"; var full: String { get { name + suffix } set { } }; func with(_ s: String) -> M { var c = self; c.suffix = s; return c } }
			let m = M(name: "a"), n = m.with("T"); let result = [m.full, n.full, M(name: "b", suffix: "").full]`, "aS aT b"},
		{"instances are copied", `struct M { var n = "a" }; var x = M(); var y = x; y.n = "b"; let result = [x.n, y.n]`, "a b"},
		{"methods that change self", `struct M { var all: [String] = []; mutating func add(_ s: String) { all.append(s) } }; var m = M(); m.add("a"); m.add("b"); let result = m.all`, "a b"},
		{"enumerations with raw values", `enum E: String, CaseIterable { case a, b = "bee" }; let result = E.allCases.map(\.rawValue) + [E(rawValue: "bee")!.rawValue, "\(E(rawValue: "x") == nil)", "\(E.a)"]`, "a bee bee true a"},
		{"enumerations as names", `enum Names { static let core = "Core"; static var ui: String { core + "UI" }; enum Deep { static let x = "X" } }; let result = [Names.core, Names.ui, Names.Deep.x]`, "Core CoreUI X"},
		{"static functions and Self", `struct S { let n: String; static func make(_ n: String) -> Self { Self(n: n) }; static let shared: Self = .make("s") }; let result = [S.make("a").n, S.shared.n]`, "a s"},
		{"extensions of strings and arrays", `extension String { func tests() -> String { self + "Tests" }; var dotted: String { replacingOccurrences(of: "-", with: ".") } }
			extension Array where Element == String { var loud: [String] { map { $0.uppercased() } } }
			extension [String] { func plus(_ s: String) -> [String] { self + [s] } }
			let result = ["a".tests(), "b-c".dotted] + ["d"].loud + ["e"].plus("f")`, "aTests b.c D e f"},
		{"aliases", `typealias Names = [String]; let l: Names = ["a"]; let result = l`, "a"},
		{"property observers and lazy variables", `var n = "a" { didSet { print(n) } }; struct S { lazy var l = "b" }; n = "c"; var s = S(); let result = [n, s.l]`, "c b"},
		{"generic functions", `func pick<T>(_ all: [T], where test: (T) -> Bool) -> [T] { all.filter(test) }; let result = pick(["a", "b"]) { $0 == "b" }`, "b"},
		{"functions as values", `let f: (String) -> String = { $0 + "!" }; let g = { (a: String, b: String) -> String in a + b }; let result = [f("a"), g("b", "c")]`, "a! bc"},
	})
}

func TestParse_Targets(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a target is found and changed": {
			`let package = Package(name: "K", products: [.library(name: "A", targets: ["A"])], targets: [.target(name: "A"), .target(name: "B")])
			if let i = package.targets.firstIndex(where: { $0.name == "B" }) { package.targets[i].name = "C" }
			package.products[0].name += "1"`,
			"P A1=A, T A, T C",
		},
		"targets are filtered by kind": {
			`let package = Package(name: "K", targets: [.target(name: "A"), .executableTarget(name: "E"), .testTarget(name: "ATests"), .macro(name: "M"), .plugin(name: "P", capability: .command(intent: .custom(verb: "v", description: "d")))])
			package.targets.removeAll { $0.isTest }
			package.targets = package.targets.filter { $0.type != .plugin && $0.type != .executable }`,
			"T A, T M",
		},
		"the last target is removed": {
			`let package = Package(name: "K", targets: [.target(name: "A"), .target(name: "B")])
			package.targets.removeLast()`,
			"T A",
		},
		"Package.init and types written in full": {
			`let t: PackageDescription.Target = .init(name: "no", dependencies: [])
			let package: PackageDescription.Package = PackageDescription.Package.init(name: "K", products: [Product.executable(name: "e", targets: ["E"])],
			  dependencies: [Package.Dependency.package(url: "https://host.example/mona/a", from: Version("1.2.3"))], targets: [Target.executableTarget(name: "E")])`,
			"P e=E, T E, D a",
		},
		"a list of products by a function": {
			`func module(_ name: String, _ dependencies: Target.Dependency...) -> (Product, Target) { (.library(name: name, targets: [name]), .target(name: name, dependencies: dependencies)) }
			let modules = [module("A"), module("B", "A")]
			let package = Package(name: "K", products: modules.map { $0.0 }, targets: modules.map { $0.1 })`,
			"P A=A, P B=B, T A, T B",
		},
		"a conditional list": {
			`let isLinux: Bool = { 
			#if os(Linux)
			  return true
			#else
			  return false
			#endif
			}()
			let package = Package(name: "K", targets: [.target(name: "A")] + (isLinux ? [.target(name: "L")] : []))
			if !isLinux { package.targets.append(.target(name: "M")) }`,
			"T A, T L",
		},
	} {
		m := parsed(t, tt.text)
		if got := names(m); got != tt.want || len(m.Warnings) > 0 {
			t.Errorf("%s: %s, want %s; %q", name, got, tt.want, m.Warnings)
		}
	}
}

func TestTarget_Active(t *testing.T) {
	m := parsed(t, `
let all: [SwiftSetting] = [.define("ALWAYS"), .define("RELEASE", .when(configuration: .release)), .enableExperimentalFeature("Lifetimes", .when(platforms: [.linux, .windows]))]
let package = Package(name: "K", targets: [
  .target(name: "A", dependencies: ["B", .product(name: "P", package: "p", condition: .when(platforms: [.iOS])), .byName(name: "T", condition: .when(traits: ["More"]))],
    swiftSettings: all + [.define("MORE", .when(traits: ["More"])), .swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
])`)
	for _, tt := range []struct {
		platform                        string
		traits                          []string
		defines, features, dependencies string
	}{
		{"linux", nil, "ALWAYS", "Lifetimes", "B"},
		{"ios", []string{"More"}, "ALWAYS MORE", "", "B P T"},
	} {
		defines, features, dependencies := m.Target("A").Active(tt.platform, tt.traits)
		got := []string{strings.Join(defines, " "), strings.Join(features, " "), strings.Join(dependencies, " ")}
		if want := []string{tt.defines, tt.features, tt.dependencies}; !slices.Equal(got, want) {
			t.Errorf("%s with the traits %q: %q, want %q", tt.platform, tt.traits, got, want)
		}
	}
	if m.Target("Z") != nil {
		t.Error("there is a target Z")
	}
}

func TestConditions_OfHosts(t *testing.T) {
	for condition, hosts := range map[string]string{
		"os(macOS)": "macOS", "os(OSX) || os(Windows)": "macOS windows", "!os(Linux)": "macOS windows",
		"canImport(Darwin)": "macOS", "canImport(Glibc)": "linux", "canImport(WinSDK)": "windows", "canImport(SwiftUI)": "macOS",
		"canImport(Foundation) && !canImport(UIKit)": "linux macOS windows", "canImport(AppleProductTypes)": "", "canImport(Darwin, _version: 5)": "macOS",
		"swift(>=5.5) && swift(<99)": "linux macOS windows", "swift(<5.5)": "", "compiler(>=6)": "linux macOS windows", "compiler(>6)": "",
		"(os(Linux) || os(macOS)) && !(os(macOS))": "linux", "false || true && !false": "linux macOS windows", "DEBUG": "", "!DEBUG": "linux macOS windows",
		"os(Linux) || os(macOS) && false": "linux", "arch(arm64)": "", "os(": "", "": "", "&& ||": "", "((os(Linux)": "linux",
	} {
		var got []string
		for _, host := range []string{"linux", "macOS", "windows"} {
			if holds(condition, host, Compiler) {
				got = append(got, host)
			}
		}
		if strings.Join(got, " ") != hosts {
			t.Errorf("#if %s holds on %q, want %q", condition, got, hosts)
		}
	}
}

func TestEvaluate_Equality(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"lists", `let result = ["\(["a", "b"] == ["a", "b"])", "\(["a"] == ["b"])", "\(["a"] != ["a", "b"])", "\([String]() == [])"]`, "true false true true"},
		{"tuples", `let a = (1, "x"), b = (1, "y"); let result = ["\(a == (1, "x"))", "\(a == b)", "\(a != b)"]`, "true false true"},
		{"optional values", `let none: String? = nil; let some: String? = "a"; let result = ["\(none == nil)", "\(some == nil)", "\(some == "a")", "\(none != some)"]`, "true false true true"},
		{"cases", `enum Mode: String { case debug, release }; let m = Mode.release; let result = ["\(m == .release)", "\(m == .debug)", m.rawValue, "\(Mode(rawValue: "debug") == .debug)"]`, "true false release true"},
		{"structs", `struct Pin: Equatable { let name: String; let major: Int }; let a = Pin(name: "a", major: 1); let result = ["\(a == Pin(name: "a", major: 1))", "\(a == Pin(name: "a", major: 2))"]`, "true false"},
		{"a removed element of a set", `var s: Set<String> = ["a", "b", "c"]; s.remove("b"); s.remove("z"); let result = s.sorted()`, "a c"},
		{"the element that has been removed", `var l = ["a", "b", "c"]; let x = l.remove(at: 1); let y = l.removeLast(); let result = [x, y] + l`, "b c a"},
		{"the last elements removed", `var l = ["a", "b", "c", "d"]; l.removeLast(3); let result = l`, "a"},
	})
}

func TestEvaluate_StaticMembers(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"several in one declaration", `enum Names { static let a = "x", b = "y" }; let result = [Names.a, Names.b]`, "x y"},
		{"functions", `struct Name { static func of(_ s: String, suffix: String = "Kit") -> String { s + suffix } }; let result = [Name.of("A"), Name.of("B", suffix: "C")]`, "AKit BC"},
		{"computed ones that use others", `enum Names { static let base = "Core"; static var tests: String { base + "Tests" }; static var all: [String] { [base, tests] } }; let result = Names.all`, "Core CoreTests"},
		{"of an extension", `extension String { static let core = "Core"; var tests: String { self + "Tests" }; func with(_ s: String) -> String { "\(self)\(s)" } }; let result: [String] = [.core, String.core.tests, "A".with("B")]`, "Core CoreTests AB"},
		{"in a nested type", `enum Outer { enum Inner { static let name = "in" } static let name = Inner.name + "out" }; let result = [Outer.Inner.name, Outer.name]`, "in inout"},
	})
}

func TestEvaluate_GenericArguments(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"of an empty array", `var l = Array<String>(); l.append("a"); l += ["b"]; let result = l`, "a b"},
		{"of an empty dictionary", `var d = Dictionary<String, [String]>(); d["k", default: []].append("a"); d["k", default: []].append("b"); let result = d["k"]!`, "a b"},
		{"of a function", `func pick<T>(_ all: [T], where keep: (T) -> Bool) -> [T] { all.filter(keep) }; let result = pick(["a", "bb"], where: { $0.count > 1 })`, "bb"},
		{"of a repeated element", `let result = Array<String>(repeating: "a", count: 2) + [String](repeating: "b", count: 1) + [String(repeating: "cd", count: 3)]`, "a a b cdcdcd"},
	})
}
