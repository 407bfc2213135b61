package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// kite returns a program with the modules App and KiteCore. App imports KiteCore.
func kite() *program.Program {
	module := func(name, text string) *program.Module {
		return &program.Module{Name: name, Package: name, Read: func() ([]*source.File, bool) { return []*source.File{source.Parse(name+".swift", text)}, true }}
	}
	p := program.New([]*program.Module{
		module("App", "import KiteCore\n"),
		module("KiteCore", "public struct Kite<T> { public init(_ t: T, each body: (Tail) -> Void = { _ in }) {} ; public var tails: [Tail?] ; public var first: T }\npublic enum Tail: Error { case long, short(Int) }\n"),
	})
	p.Load("App")
	return p
}

func FuzzProgram(f *testing.F) {
	for _, text := range []string{
		"let k = Kite<Tail>(.long) { $0.x }\nk.first.y", "func f<T>(k: Kite<T>, _ t: inout Tail?) throws -> Tail { guard let t, let k = k.tails.first else { return .long }; return t }",
		"class A: B { var c: Int { get { 1 } set(d) { } } ; init?(e: F) { switch self.c { case .g(let h): h() ; default: break } } }", "#if X\nlet a = 1\n#endif", "if let a = b { c in d }.e { f }",
		"for k in [Kite] { k.x }", "{ [weak self, x = y] (a, b: C) -> D in a }", "KiteCore.Kite.init(1, each: { t in t })", "extension Kite where T: P { func g() -> Self { self } }", "case ~= let \\.a ? b : c", "a<b, c>(d)", "typealias A = B<", "@", "@``(a: 1)", "x.``(a: 1)", "case a(b: c), d(e: f): x.spin(g: h)",
	} {
		f.Add(text)
	}
	base := kite()
	f.Fuzz(func(t *testing.T, text string) {
		p := base.With("App", "App.swift", "import KiteCore\n"+text)
		p.Load("App")
		for _, u := range p.Uses("App", "App.swift", program.Tokenize("import KiteCore\n"+text)) {
			if u.Start < 0 || u.Start > len(text)+16 || u.Path == "" || u.Module == "" && u.Message == "" {
				t.Errorf("%+v", u)
			}
		}
	})
}

func TestUses_Hostile(t *testing.T) {
	const n = 20_000
	doubled := func(expression string) string { // each variable has a type that consists of twice as many
		var b strings.Builder
		b.WriteString("struct Pair<A> {}\nfunc dup<A>(_ a: A) -> Pair<(A, A)> {}\nfunc f() {\nlet v0 = (1, 2), w0 = (1, 2)\n")
		for i := range 60 {
			for _, name := range []string{"v", "w"} {
				fmt.Fprintf(&b, "let %s%d = %s\n", name, i+1, strings.ReplaceAll(expression, "x", fmt.Sprint(name, i)))
			}
		}
		b.WriteString("let z = true ? v60 : w60\n}\n")
		return b.String()
	}
	for name, text := range map[string]string{
		"closures": strings.Repeat("{", n) + strings.Repeat("}", n), "parentheses": strings.Repeat("(", n) + strings.Repeat(")", n), "calls": strings.Repeat("a(", n) + strings.Repeat(")", n),
		"members": "a" + strings.Repeat(".b", n), "types": strings.Repeat("struct A { ", n) + strings.Repeat("}", n), "variables": strings.Repeat("let a: B = c\n", n), "angles": strings.Repeat("a<", n),
		"conditions": strings.Repeat("#if a\n", n) + strings.Repeat("#endif\n", n), "aliases": "typealias A = B\ntypealias B = A\nlet c: A = A()\nc.d()\n", "values": "let a = b\nlet b = a\na.c()\n",
		"supertypes": "class A: B {}\nclass B: A { func f() { self.f() } }\n", "arrays": "let a: " + strings.Repeat("[", n) + strings.Repeat("]", n) + " = b\n", "statements": strings.Repeat("if a ", n) + "{ }\n",
		"tuples": doubled("(x, x)"), "generic arguments": doubled("dup(x)"),
	} {
		p := kite().With("App", "App.swift", text)
		p.Load("App")
		for _, u := range p.Uses("App", "App.swift", program.Tokenize(text)) {
			if u.Fault != ecosystem.NoFault {
				t.Errorf("%s: %+v", name, u)
			}
		}
	}
}

func BenchmarkUses(b *testing.B) {
	text := "import KiteCore\n" + strings.Repeat("func f(k: Kite<Tail>) -> Int {\n    let t = k.tails.first ?? .long\n    if let t { g(t, k.first) { $0.x } }\n    return k.tails.count\n}\n", 200)
	p := kite().With("App", "App.swift", text)
	p.Load("App")
	for b.Loop() {
		p.Uses("App", "App.swift", program.Tokenize(text))
	}
}
