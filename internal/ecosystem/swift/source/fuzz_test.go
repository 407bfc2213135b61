package source

import (
	"os"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, name := range inputs(f) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{"struct A { func f(", "#if a\n#if b\n#else\n@x #endif", "let (a, (b, c)): (Int, (A, B)) = x, d = a<b, c>(d) { get }", "var x: Int { @x #if a\nget #endif }",
		"enum E { case a(b: C = 1, _ d: E), f = -1, `g h` }", "func <<<T>(a: T) /* a", "func f<each T, let n: Int>(_ a: repeat each T...) async throws(E) -> [n of T] where (repeat each T): P {}",
		"@available(*, deprecated, message: \"\"\"\n a\n \"\"\")\nfunc a()", "/** \n * a\n */ /// b\nvar c = a\n#if x\n.b\n#endif\n",
		"///\n///   \n///  a\r\n    /// b\n///c\nvar d = 1", "///a\n///  b\n\t///\nvar d = 1", "///\nvar d = 1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := Parse("a.swift", text)
		check(t, file.Text, file.Decls)
	})
}

// check fails if a declaration is outside its file or has no name.
func check(t *testing.T, text string, decls []*Decl) {
	for _, d := range decls {
		if d.Start < 0 || d.End > len(text) || d.Start > d.End || d.Kind == 0 || d.Name == "" || d.Line < 1 {
			t.Fatalf("%q: %+v", text, d)
		}
		d.Declaration(Inferred{})
		d.Title()
		if text, ok := cleanLines(d.Comment); ok && text != cleanBlocks(d.Comment) {
			t.Fatalf("%q is cleaned to %q, not %q", d.Comment, text, cleanBlocks(d.Comment))
		}
		d.Availability()
		check(t, text, d.Members)
	}
}
