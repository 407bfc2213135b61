package source

import (
	"strings"
	"testing"
)

// TestParse_Recovers reads files with faults. Only the declaration with the fault is lost, or what a bracket that does
// not end contains.
func TestParse_Recovers(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a parameter list that does not end", "func a() {}\nfunc b(x: Int\nfunc c() {}", "a b c"},
		{"a name that is missing", "struct {}\nfunc b() {}", "b"},
		{"a body that does not end", "func a() {\nfunc b() {}", "a"},
		{"a type's body that does not end", "struct A { func b() {}\nfunc c() {}", "A b c"},
		{"brackets that end too early", "func a() }\nfunc b() {}", "a b"},
		{"brackets that do not match", "func a(x: [Int) {}\nfunc b() {}", "a b"},
		{"an attribute that does not end", "@available(macOS 13\nfunc a() {}", "a"},
		{"a directive that does not end", "#if A\nfunc a() {}", "a"},
		{"ends without beginnings", "#endif\n#else\nfunc a() {}", "a"},
		{"generic parameters that do not end", "func a<T(x: T) {}\nfunc b() {}", "a b"},
		{"a where clause without requirements", "func a<T>(x: T) where {}\nfunc b() {}", "a b"},
		{"modifiers without a declaration", "public static\nfunc b() {}", "b"},
		{"a string that does not end", "let a = \"x\nfunc b() {}", "a b"},
		{"a string of several lines that does not end", "func a() {}\nlet b = \"\"\"\nfunc c() {}", "a b"},
		{"a comment that does not end", "func a() {}\n/* func b() {}", "a"},
		{"cases without names", "enum E { case; case a, ; case b }", "E a b"},
		{"an accessor that is none", "struct S { var a: Int { what is } ; var b: Int }", "S a b"},
		{"an operator without a name", "infix operator\nfunc a() {}", "a"},
		{"a subscript without a result", "struct S { subscript(i: Int); func b() {} }", "S subscript b"},
		{"another language", "int main(void) { return 0; }\nfunc a() {}", "a"},
		{"bytes that are no text", "func a\xff() {}\nfunc b() {}", "b"},
		{"only brackets", "}}}{{{", ""},
		{"nothing", "", ""},
	} {
		var got []string
		walk(Parse("a.swift", []byte(tt.text)).Decls, func(d *Decl) { got = append(got, d.Name) })
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: the declarations are %q, want %q", tt.name, s, tt.want)
		}
	}
}

// TestParse_CutOff reads every beginning of a file with all kinds of declarations: it must neither fail nor find other
// declarations than the whole file has.
func TestParse_CutOff(t *testing.T) {
	const text = `import A
@available(macOS 13, *) public struct S<T: P>: Q, ~Copyable where T.X == Int {
	public var a: Int = 1 { didSet {} }, b = [1: "x"]
	subscript(i: Int) -> T { get throws { fatalError() } }
	enum E: String { indirect case c(Int, d: S) , e = "\("f")" }
	init?<U>(_ u: U...) throws(X) { #if G
		h()
		#endif }
}
extension S: R where T: Hashable { static func i() async -> (T, [T])? { nil } }
protocol P { associatedtype X = Int; func j() }
infix operator <+>: K
precedencegroup K { associativity: left }
typealias L<M> = (M) -> @Sendable () -> Void
@attached(member) macro N(_ o: Int) = #externalMacro(module: "a", type: "b")
actor Q { nonisolated let r = /a(b)/; deinit {} }
`
	all := map[string]bool{}
	whole := Parse("a.swift", []byte(text))
	walk(whole.Decls, func(d *Decl) { all[d.Name] = true })
	if whole.Lost != 0 || len(all) < 18 {
		t.Fatalf("%d declarations, %d lost", len(all), whole.Lost)
	}
	for n := range len(text) {
		walk(Parse("a.swift", []byte(text[:n])).Decls, func(d *Decl) {
			known := all[d.Name]
			for name := range all { // the name may be cut off, too
				known = known || strings.HasPrefix(name, d.Name)
			}
			if !known {
				t.Errorf("the first %d bytes declare %q", n, d.Name)
			}
		})
	}
}
