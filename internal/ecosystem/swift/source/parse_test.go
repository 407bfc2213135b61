package source

import (
	"os"
	"strings"
	"testing"
)

func TestLineBreaksOfWindows(t *testing.T) {
	for _, name := range inputs(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := dump(Parse(name, text))
		got := dump(Parse(name, []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))))
		if got = strings.ReplaceAll(got, `\r\n`, `\n`); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "\n@a\npublic func f() { } \n struct S { let x = 1 ; var y: Int }\n"
	var got []string
	walk(Parse("a.swift", []byte(text)).Decls, func(d *Decl) { got = append(got, text[d.Start:d.End]) })
	want := "@a\npublic func f() { }|struct S { let x = 1 ; var y: Int }|let x = 1|var y: Int"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %q\nwant %q", s, want)
	}
}

func TestParents(t *testing.T) {
	f := Parse("a.swift", []byte("struct A { struct B { case x\n func f() {} } }"))
	b := f.Decls[0].Members[0]
	if b.Parent != f.Decls[0] || b.Members[0].Parent != b || f.Decls[0].Parent != nil {
		t.Error("parents are wrong")
	}
}

func TestImpliedRequirements(t *testing.T) {
	for text, want := range map[string]string{
		"func f<E>(_ body: () throws(E) -> Void) {}":                      "E : Error",
		"func f<E>() throws(E) {}":                                        "E : Error",
		"func f<E: Error>() throws(E) where E: Sendable {}":               "E : Error",
		"func f<K, V>(_ x: [K: V]) {}":                                    "K : Hashable",
		"func f<K>() -> Set<K> {}":                                        "K : Hashable",
		"func f<K: Equatable>() -> Dictionary<K, Int> {}":                 "K : Hashable",
		"func f<KK, K>(_ x: [KK], _ y: [K: KK]) {}":                       "K : Hashable",
		"func f<T>(_ t: T) where T: Copyable, T: P & Q, T: P, T.A == Int": "T : P, T : Q, T.A == Int",
		"func f<T>(_ t: T)":                                               "",
	} {
		d := Parse("a.swift", []byte(text)).Decls[0]
		var got []string
		for _, r := range d.Requirements(nil) {
			if r.Op == ":" {
				r.Op = " :"
			} else {
				r.Op = " " + r.Op
			}
			got = append(got, r.Left+r.Op+" "+r.Right)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: got %s, want %s", text, s, want)
		}
	}
}

func TestLazyProperties(t *testing.T) {
	for text, want := range map[string]string{
		"struct A { lazy var x: Int = 1 }": "lazy var x: Int { mutating get set }",
		"class A { lazy var x: Int = 1 }":  "lazy var x: Int { get set }",
		"actor A { lazy var x: Int = 1 }":  "lazy var x: Int { get set }",
	} {
		if got := Parse("a.swift", []byte(text)).Decls[0].Members[0].Declaration(Inferred{}); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestConditionalAvailability(t *testing.T) {
	all := Parse("a.swift", []byte("#if A\n@available(macOS 13, *)\n#endif\n@available(iOS 15, *)\nfunc f() {}")).Decls[0].Availability()
	if len(all) != 2 || len(all[0].Conditions) != 1 || all[0].Conditions[0].Text != "A" || len(all[1].Conditions) != 0 {
		t.Errorf("got %+v", all)
	}
}

func TestNestedConditions(t *testing.T) {
	const n = 2 * maxDepth
	f := Parse("a.swift", []byte(strings.Repeat("#if a\n", n)+"func f()\n"+strings.Repeat("#endif\n", n)+"func g()"))
	if len(f.Decls) != 2 || len(f.Decls[0].Conditions) != maxDepth || len(f.Decls[1].Conditions) != 0 {
		t.Errorf("read %d declarations, the first in %d conditions", len(f.Decls), len(f.Decls[0].Conditions))
	}
}

func TestInferred(t *testing.T) {
	d := Parse("a.swift", []byte("public static let x = f()")).Decls[0]
	if got, want := d.Declaration(Inferred{Type: "[Int]"}), "static let x: [Int]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d = Parse("a.swift", []byte("public func f<T: P>(_ x: Box<T>) -> T")).Decls[0]
	if got, want := d.Declaration(Inferred{Where: []Requirement{{"T", ":", "Q"}, {"T", ":", "P"}}}), "func f<T>(_ x: Box<T>) -> T where T : P, T : Q"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
