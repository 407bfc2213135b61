package manifest

import (
	"strings"
	"testing"
)

func TestEvaluate_Declarations(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"global computed variables", `var names: [String] { ["a"] + more }; var more: [String] { get { ["b"] } }; let result = names`, "a b"},
		{"local computed variables", `func f() -> [String] { var all: [String] { ["a"] }; let n = 1; var count: String { "\(n)" }; return all + [count] }; let result = f()`, "a 1"},
		{"attributes and modifiers", `@available(macOS 13, *) @discardableResult func f(_ body: @escaping () -> String, _ b: @autoclosure () -> String = "z") -> String { body() + b() }; private(set) var x = "c"; let result = [f({ "a" }), f({ "a" }, "b"), x]`, "az ab c"},
		{"constraints", `func f<T>(_ all: [T]) -> [T] where T: Equatable, T: Hashable { all }; struct Box<T> where T: Equatable { let v: T }; let result = f(["a"]) + [Box(v: "b").v]`, "a b"},
		{"several initializers", `struct S { let n: String; init(_ n: String) { self.n = n }; init(a: String, b: String = "B") { n = a + b } }; let result = [S("x").n, S(a: "y").n, S(a: "y", b: "z").n]`, "x yB yz"},
		{"optional members without a value", `struct S { var a: String?; var b: String? = "b" }; let s = S(); let result = [s.a ?? "none", s.b ?? "none"]`, "none b"},
		{"stored functions", `struct S { let f: (String) -> String }; let s = S(f: { $0 + "!" }); let result = [s.f("a")]`, "a!"},
		{"functions named without arguments", `func loud(_ s: String) -> String { s.uppercased() }; struct S { static func low(_ s: String) -> String { s.lowercased() }; func add(_ s: String) -> String { s + "+" } }; let result = ["a"].map(loud) + ["B"].map(S.low) + ["c"].map(S().add)`, "A b c+"},
		{"closures with labels after the first", `func f(_ a: () -> String, then b: () -> String) -> String { a() + b() }; let result = [f { "a" } then: { "b" }]`, "ab"},
		{"types of a closure's parameters", `let result = ["a"].map { (s: String) -> String in s + "1" } + ["b"].map { (s) in s + "2" } + [["c", "d"]].map { l in l[0] + l[1] }`, "a1 b2 cd"},
		{"errors and warnings in conditions that do not hold", "#if os(Plan9)\n#error(\"no (\")\n#warning(\"no\")\n#endif\nlet result = [\"a\"]", "a"},
		{"subscripts of a nested dictionary", `var d: [String: [String]] = [:]; d["a"] = ["x"]; d["a"]!.append("y"); d["b", default: []] += ["z"]; let result = d["a"]! + d["b"]!`, "x y z"},
		{"members of members", `struct In { var all: [String] = [] }; struct Out { var x = In() }; var o = Out(); o.x.all.append("a"); o.x.all += ["b"]; let result = o.x.all`, "a b"},
		{"discarded values", `_ = ["x"]; let _ = "y"; let (a, _) = ("a", "b"); let result = [a]`, "a"},
	})
}

func TestEvaluate_Statements(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"a result from within loops", `func f(_ l: [String]) -> String { for s in l { if s == "b" { return s } }; return "none" }
			func g() -> String { var n = 0; while n < 9 { n += 1; if n == 3 { return "\(n)" } }; return "end" }
			func h() -> String { repeat { return "once" } while true }
			let result = [f(["a", "b"]), f([]), g(), h()]`, "b none 3 once"},
		{"breaks from inner loops and switches", `var out: [String] = []
			for a in ["1", "2"] { for b in ["x", "y"] { if b == "y" { break }; out.append(a + b) } }
			for s in ["p", "q", "r"] { switch s { case "q": continue; case "r": break; default: out.append(s) } }
			let result = out`, "1x 2x p"},
		{"loops with patterns", `var out: [String] = []; for (i, s) in ["a", "b"].enumerated() { out.append("\(i)\(s)") }; for (name, _) in [("c", 1)] { out.append(name) }; for s: String in ["d"] { out.append(s) }; for s in ["e", "f"] where s != "e" { out.append(s) }; let result = out`, "0a 1b c d f"},
		{"thrown errors", `enum E: Error { case bad }; func f(_ s: String) throws -> String { if s.isEmpty { throw E.bad }; return s }; let result = [try f("a")]`, "a"},
		{"switches with conditions", `func f(_ n: Int) -> String { switch n { case 0: return "zero"; case let x where x > 10: return "big"; case 1...5: return "small"; @unknown default: return "other" } }; let result = [f(0), f(3), f(7)]`, "zero small other"},
		{"fallthrough is not needed for empty lists", `switch [String]().isEmpty { case true: break; case false: break }; let result = ["a"]`, "a"},
		{"casts", `let a: Any = "a"; let result = [a as! String, (a as? String) ?? "none", "b" as String, "\("c" is String)"]`, "a a b true"},
		{"logic with unknown operands", `let on = ProcessInfo.processInfo.environment["X"] != nil; let result = [false && on ? "a" : "b", true || on ? "c" : "d"]`, "b c"},
		{"what the tool is run with", `let result = ["\(CommandLine.arguments.contains("-v"))", "\(Context.gitInformation == nil)", ProcessInfo.processInfo.environment["NONE"] ?? "unset", Context.environment["NONE"] ?? "unset"]`, "false true unset unset"},
	})
}

func TestEvaluate_Methods(t *testing.T) {
	checkEvaluation(t, [][3]string{
		{"positions", `let l = ["a", "b"]; let result = ["\(l.firstIndex(of: "b")!)", "\(l.firstIndex(of: "z") == nil)", "\(l.firstIndex { $0 == "a" } ?? -1)"]`, "1 true 0"},
		{"sets", `let a: Set = ["a", "b"], b: Set<String> = ["b", "c"]; let result = a.union(b).sorted() + a.intersection(b).sorted() + a.subtracting(b).sorted() + ["\(a.contains("a"))"]`, "a b c b a true"},
		{"elements that satisfy a condition", `let l = ["a", "bb"]; let result = l.filter { $0.count > 1 } + ["\(l.contains(where: { $0.isEmpty }))", "\(l.contains(where: { $0 == "a" }))"] + l.compactMap { $0 == "a" ? nil : $0 }`, "bb false true bb"},
		{"descending order", `let result = ["a", "c", "b"].sorted(by: >) + [2, 1].sorted().map { "\($0)" } + ["bb", "a"].sorted { $0.count < $1.count }`, "c b a 1 2 a bb"},
		{"sums of dictionaries", `var d = ["a": "1"]; d.merge(["b": "2"]) { a, _ in a }; let result = d.merging(["c": "3"]) { $1 }.map { $0.key + $0.value }.sorted()`, "a1 b2 c3"},
		{"values of dictionaries", `let d = ["a": "1", "b": "2"]; let result = d.mapValues { $0 + "!" }.values.sorted() + d.filter { $0.key == "b" }.map { $0.value } + d.sorted { $0.key > $1.key }.map(\.key)`, "1! 2! 2 b a"},
		{"closures in closures", `let result = ["k": ["a", "b"]].map { $0.key + $0.value.reduce("") { $0 + $1 } }`, "kab"},
		{"pairs", `let result = zip(["a", "b"], ["1", "2"]).map { $0 + $1 } + ["c"].enumerated().map { "\($1)\($0)" } + Dictionary(uniqueKeysWithValues: [("k", "v")]).map { $0.key + $0.value }`, "a1 b2 c0 kv"},
		{"division by zero is unknown", `let zero = 0; let n = 1; let result = n == 2 ? ["\(1 / zero)"] : ["a"]`, "a"},
		{"fractions", `let result = ["\(1.5 < 2.5)", "\(1.5)"]`, "true 1.5"},
		{"converted values", `let result = [String(true), String(describing: "d"), "\(Int(3))", "\(Bool(true))", String("e"), "\(Int("12", radix: 8) ?? 0)"]`, "true d 3 true e 10"},
	})
}

// What cannot be known is reported with its line, and the rest of the manifest is read.
func TestWarnings_UnknownValues(t *testing.T) {
	for name, tt := range map[string]struct{ text, want, warning string }{
		"a list of targets":        {`let package = Package(name: "K", targets: [.target(name: "A"), unknown()])`, "T A", "line 3: one of the targets could not be interpreted"},
		"the name of a product":    {`let package = Package(name: "K", products: [.library(name: "L", targets: unknown())], targets: [.target(name: "A")])`, "P L=, T A", "line 3: the targets of library could not be interpreted"},
		"one of the names":         {"let package = Package(name: \"K\", products: [\n.library(name: \"L\", targets: [\"A\", unknown()])], targets: [.target(name: \"A\")])", "P L=A, T A", "line 4: one of several strings could not be interpreted"},
		"dependencies of a target": {`let package = Package(name: "K", targets: [.target(name: "A", dependencies: unknown())])`, "T A", "line 3: the dependencies of a target could not be interpreted"},
		"a dependency of a target": {`let package = Package(name: "K", targets: [.target(name: "A", dependencies: ["B", unknown()])])`, "T A", "line 3: a dependency of a target could not be interpreted"},
		"an operator":              {"let x = 1 <=> 2\nlet package = Package(name: \"K\", targets: [.target(name: \"A\")])", "T A", "line 3: the operator <=> could not be interpreted"},
		"the elements of a loop":   {"let package = Package(name: \"K\", targets: [.target(name: \"A\")])\nfor x in unknown() { package.targets.append(.target(name: x)) }", "T A", "line 4: a loop iterates over something that only the compiler knows, and is skipped"},
		"an assignment":            {"let package = Package(name: \"K\", targets: [.target(name: \"A\")])\nunknown().x = 1", "T A", "line 4: an assignment could not be interpreted"},
		"an appended value":        {"let package = Package(name: \"K\", targets: [.target(name: \"A\")])\npackage.targets.append(unknown())", "T A", "line 3: one of the targets could not be interpreted"},
	} {
		m := parsed(t, tt.text)
		if got := names(m); got != tt.want || !strings.Contains(strings.Join(m.Warnings, "\n"), tt.warning) {
			t.Errorf("%s: %s, want %s; warnings %q, want %q", name, got, tt.want, m.Warnings, tt.warning)
		}
	}
}
