package dts

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse parses arbitrary text in any dialect: it must end, respect the
// limits, and return a tree that can be printed.
func FuzzParse(f *testing.F) {
	for lang, name := range []string{"everything.d.ts", "typescript.ts", "commonjs.js"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, uint8(lang))
	}
	f.Fuzz(func(t *testing.T, src []byte, lang uint8) {
		if len(src) > 1<<16 {
			return
		}
		file, err := Parse(string(src), Language(lang%3))
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Warnings) > maxWarnings {
			t.Errorf("%d warnings", len(file.Warnings))
		}
		nodes := 0
		check(t, file, file.Root, &nodes)
		if limit := 40*len(src) + 100; nodes > limit {
			t.Errorf("%d nodes from %d bytes", nodes, len(src))
		}
		everything(file, file.Root)
		file.FileDoc()
	})
}

func check(t *testing.T, f *File, n *Node, nodes *int) {
	*nodes++
	if int(n.Pos) > len(f.Source) {
		t.Errorf("%s is said to be at %d of %d", n.Text, n.Pos, len(f.Source))
	}
	if line := f.Line(n.Pos); line < 1 {
		t.Errorf("line %d", line)
	}
	for c := range n.Children() {
		check(t, f, c, nodes)
	}
}

// FuzzReadDoc converts arbitrary comments to Markdown.
func FuzzReadDoc(f *testing.F) {
	f.Add("/**\n * Adds {@link a | b}.\n * @param {string} [a=1] - x\n * @example\n * ```ts\n * @a\n * ```\n * @deprecated\n */")
	f.Add("/** @template {T} U, V\n @returns {Promise<{a: b}>} x @throws */")
	f.Fuzz(func(t *testing.T, raw string) {
		d := ReadDoc(raw)
		if len(d.Markdown) > 4*len(raw)+200 {
			t.Errorf("%d bytes became %d", len(raw), len(d.Markdown))
		}
		parseType(raw, true)
	})
}

// damaged reports whether a source has an unclosed bracket or string. A
// destructuring pattern is printed verbatim, such errors included.
func damaged(src string) bool {
	var l lexer
	l.lex(&File{Source: src})
	for i, t := range l.toks {
		p := parser{toks: l.toks}
		if t.kind == 0 || (t.kind == '(' || t.kind == '[' || t.kind == '{') && !p.closed(i) {
			return true
		}
	}
	return false
}

// FuzzSignature parses the printed signatures again and expects the same tree.
func FuzzSignature(f *testing.F) {
	for _, s := range []string{
		"type A = string | (() => void)[]", "function f<T>(a?: T, ...b: T[]): a is string", "interface A<in T> extends B<T>, C { a(): b; }",
		"const a: { [K in keyof T as `x${K}`]?: T[K] }", "type A = B extends infer C extends D ? E : F",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<12 || damaged(src) {
			return
		}
		file, err := Parse("declare "+src, Declarations)
		if err != nil || len(file.Warnings) > 0 || file.Root.first == nil {
			return
		}
		n := file.Root.first
		if n.Kind != TypeAlias && n.Kind != Function && n.Kind != Interface || n.Text == "" {
			return
		}
		once := n.Signature()
		if n.Kind == Interface {
			once += " {}"
		}
		again, err := Parse("declare "+once, Declarations)
		if err != nil || len(again.Warnings) > 0 || again.Root.first == nil {
			t.Fatalf("%q was printed as %q, which cannot be read: %v", src, once, again.Warnings)
		}
		twice := again.Root.first.Signature()
		if n.Kind == Interface {
			twice += " {}"
		}
		if once != twice {
			t.Errorf("%q was printed as %q, and that as %q", src, once, twice)
		}
	})
}
