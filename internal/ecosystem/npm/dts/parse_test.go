package dts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// outline prints a tree of declarations, one per line.
func outline(f *File) string {
	var b strings.Builder
	for _, r := range f.References {
		fmt.Fprintf(&b, "reference %s %q\n", r.Kind, r.Target)
	}
	if d := f.FileDoc(); d != "" {
		fmt.Fprintf(&b, "file doc %q\n", ReadDoc(d).Markdown)
	}
	walk(&b, f, f.Root, "")
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

var kindNames = map[Kind]string{
	Global: "global", Import: "import", ImportDefault: "default", ImportStar: "*", ImportEquals: "import=", Export: "export",
	ExportStar: "export *", ExportDefault: "export default", ExportEquals: "export =", ExportNamespace: "export as namespace",
	ExportAssign: "exports.", MemberAssign: "assign", Specifier: "specifier", Require: "require", Name: "name", Object: "object", Spread: "spread", Expression: "expression",
}

func walk(b *strings.Builder, f *File, n *Node, indent string) {
	for c := range n.Children() {
		declares := c.Kind >= Variable && c.Kind <= Namespace || c.IsMember()
		if name, ok := kindNames[c.Kind]; ok {
			fmt.Fprintf(b, "%s%s %q", indent, name, c.Text)
		} else if declares {
			fmt.Fprintf(b, "%s%s", indent, c.Signature())
		} else if c.Kind >= Keyword && n.Kind >= Import && n.Kind <= Spread {
			fmt.Fprintf(b, "%stype %s", indent, c)
		} else {
			continue
		}
		if c.Has(FlagExport) {
			b.WriteString(" [export]")
		}
		if c.Has(FlagDefault) {
			b.WriteString(" [default]")
		}
		if c.Has(FlagTypeOnly) {
			b.WriteString(" [type]")
		}
		if d := ReadDoc(f.Doc(c)).Markdown; d != "" {
			fmt.Fprintf(b, " // %s", strings.ReplaceAll(d, "\n", "⏎"))
		}
		b.WriteString("\n")
		if c.Kind <= Object || c.Kind == Spread || c.Kind == Object {
			walk(b, f, c, indent+"\t")
		}
	}
}

func parse(t testing.TB, name, src string) *File {
	t.Helper()
	lang, ok := LanguageOf(name)
	if !ok {
		t.Fatalf("%s is in no known language", name)
	}
	f, err := Parse(src, lang)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFilesAreReadAsTheirGoldenOutlinesSay(t *testing.T) {
	for _, name := range []string{"everything.d.ts", "typescript.ts", "commonjs.js"} {
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			got := outline(parse(t, name, string(src)))
			filetest.Golden(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}

// TestParse_NoSemicolons checks that a declaration ends before the next one without a semicolon.
func TestParse_NoSemicolons(t *testing.T) {
	for _, value := range []string{"x as A<B>", "x satisfies A<B>", "x as void", "x.await", "x?.new", "(x) => x as A<B>"} {
		f, err := Parse("export const a = "+value+"\n/** B. */\nexport const b = 1", TypeScript)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for n := range f.Root.Children() {
			names = append(names, n.Name())
		}
		if got := strings.Join(names, " "); got != "a b" {
			t.Errorf("%s: the file declares %s, not a b", value, got)
		}
	}
}

func TestUnknownSyntaxCostsItsDeclarationOnly(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // the signatures that remain
		lines     []int    // of the warnings
	}{
		{"a type that is none", "export type A = ;\nexport type B = string;", []string{"type B = string"}, []int{1}},
		{"an unknown statement", "export declare const a: 1;\nexport frobnicate x { y }\nexport declare const b: 2;", []string{"const a: 1", "const b: 2"}, []int{2}},
		{"a member", "interface I {\n a: string;\n b: ??;\n c(): void;\n}", []string{"interface I", "a: string", "c(): void"}, []int{3}},
		{"a member without a semicolon", "interface I {\n a: %%\n b: string\n}", []string{"interface I", "b: string"}, []int{2}},
		{"a statement in a namespace", "declare namespace N {\n const a: =;\n const b: string;\n}\ndeclare const c: 1", []string{"namespace N", "const b: string", "const c: 1"}, []int{2}},
		{"a bracket that is not closed", "export declare function f(a: string;\nexport declare const b: 1;", nil, []int{1}},
		{"a stray bracket", "declare const a: 1; }\ndeclare const b: 2;", []string{"const a: 1", "const b: 2"}, []int{1}},
		{"a condition that breaks off", "type A<T> = T extends string ? 1;\ntype B = 2", []string{"type B = 2"}, []int{1}},
		{"an enum", "enum E { a = 1, ?? }\nenum F { b }", []string{"enum F", "b"}, []int{1}},
		{"an import", "import { a b } from 'x';\ndeclare const c: 1", []string{"const c: 1"}, []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := parse(t, "a.d.ts", tt.src)
			var got []string
			var list func(n *Node)
			list = func(n *Node) {
				for c := range n.Children() {
					if c.Kind >= Variable && c.Kind <= Namespace || c.IsMember() {
						got = append(got, c.Signature())
						if c.Kind != Variable {
							list(c)
						}
					}
				}
			}
			list(f.Root)
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("read %q, want %q", got, tt.want)
			}
			var lines []int
			for _, w := range f.Warnings {
				lines = append(lines, w.Line)
			}
			if fmt.Sprint(lines) != fmt.Sprint(tt.lines) {
				t.Errorf("warnings %v, want them on lines %v", f.Warnings, tt.lines)
			}
		})
	}
}

func TestHostileSourcesAreReadInLinearTimeAndBoundedDepth(t *testing.T) {
	const n = 200_000
	repeat := strings.Repeat
	tests := map[string]string{
		"round brackets":       "type A = " + repeat("(", n),
		"closed brackets":      "type A = " + repeat("(", n) + "x" + repeat(")", n),
		"type literals":        "type A = " + repeat("{a:", n),
		"tuples":               "type A = " + repeat("[", n),
		"type arguments":       "type A = " + repeat("A<", n),
		"arrays":               "type A = x" + repeat("[]", n),
		"conditions":           "type A = " + repeat("a extends b ? c : ", n) + "d",
		"arrow types":          "type A = " + repeat("() => ", n) + "void",
		"keyof":                "type A = " + repeat("keyof ", n) + "x",
		"namespaces":           repeat("declare namespace a {", n),
		"dotted namespaces":    "declare namespace a" + repeat(".a", n) + "{}",
		"unions":               "type A = a" + repeat("|a", n),
		"braces that close":    repeat("}", n),
		"mixed wrong brackets": repeat("([{", n) + repeat(")]}", n),
		"comments":             repeat("/**/", n),
		"doc comments":         repeat("/** a */", n),
		"slashes":              repeat("/[", n),
		"open strings":         repeat("\"", n),
		"open templates":       repeat("`${", n),
		"decorators":           repeat("@a(", n),
		"members":              "interface A {" + repeat("a:%;", n) + "}",
		"default values":       "class A { a(" + repeat("b = (", n),
		"arrow values":         "const a = " + repeat("(b = ", n),
		"objects":              "module.exports = " + repeat("{a:", n),
		"classes":              "module.exports = " + repeat("class{a=", n),
		"assignments":          repeat("exports.a=", n),
		"casts":                "const a = b" + repeat(" as {", n),
		"asserted types":       "const a = " + repeat("x as a<", n),
		"JSDoc types":          "/** @type {" + repeat("?", n) + "} */ var a",
		"JSDoc functions":      "/** @param {" + repeat("function(", n) + "} a */ function f(a) {}",
		"patterns":             "const " + repeat("{a:", n),
		"this":                 "class A { a() {" + repeat("this.a=", n) + "}}",
		"generic arrows":       "const a = " + repeat("<T>(", n),
		"nothing":              "\x00" + repeat("\xff", n),
	}
	for name, src := range tests {
		for _, lang := range []Language{Declarations, TypeScript, JavaScript} {
			t.Run(fmt.Sprintf("%s in language %d", name, lang), func(t *testing.T) {
				f, err := Parse(src, lang)
				if err != nil {
					t.Fatal(err)
				}
				everything(f, f.Root)
				if len(f.Warnings) > maxWarnings {
					t.Errorf("%d warnings are kept", len(f.Warnings))
				}
			})
		}
	}
}

func TestASourceThatIsTooLargeIsRefused(t *testing.T) {
	if _, err := Parse(strings.Repeat(" ", MaxSize+1), Declarations); err == nil {
		t.Error("it is read")
	}
}

func TestLinesCountFromOne(t *testing.T) {
	f := parse(t, "a.d.ts", "declare const a: 1;\r\n\r\n/** doc */\r\ndeclare const b: 2;\n@x\ndeclare class\n C {\n m: 1\n }")
	var got []string
	for n := range f.Root.Children() {
		got = append(got, fmt.Sprintf("%s %d", n.Text, f.Line(n.Pos)))
		for m := range n.Children() {
			if m.IsMember() {
				got = append(got, fmt.Sprintf("%s %d", m.Text, f.Line(m.Pos)))
			}
		}
	}
	if s := strings.Join(got, ", "); s != "a 1, b 4, C 7, m 8" {
		t.Errorf("got %s", s)
	}
}

func TestWhatMakesAFileAModule(t *testing.T) {
	tests := map[string]bool{
		"declare const a: 1;":                     false,
		"export declare const a: 1;":              true,
		"export {};":                              true,
		"import 'x';":                             true,
		"import x = require('x');":                true,
		"import x = A.B;":                         false,
		"export import x = A.B;":                  true,
		"declare module 'x' { export const a }":   false,
		"declare namespace N { export const a }":  false,
		"export as namespace X;":                  true,
		"declare global { interface A {} }":       false,
		"declare const x: import('y').Z;":         false,
		"export default interface A {}":           true,
		"export = x;":                             true,
		"/* export {} */ declare function f(): 1": false,
	}
	for src, want := range tests {
		if f := parse(t, "a.d.ts", src); f.Module != want {
			t.Errorf("%s: module is %v", src, f.Module)
		}
	}
}

func TestLanguageOfAFile(t *testing.T) {
	tests := map[string]string{
		"index.d.ts": "0 true", "a/b.d.mts": "0 true", "x.d.cts": "0 true", "style.d.css.ts": "0 true", "a.ts": "1 true", "a.mts": "1 true",
		"a.tsx": "1 true", "a.js": "2 true", "a.cjs": "2 true", "a.json": "0 false", "README": "0 false", "d.ts": "1 true",
	}
	for name, want := range tests {
		lang, ok := LanguageOf(name)
		if got := fmt.Sprint(lang, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestParse_ExpressionEnd checks values that are followed by another statement although their last token is ">" or a
// keyword.
func TestParse_ExpressionEnd(t *testing.T) {
	f, err := Parse("export const a = <T>(x: T): F<T> => x as F<T>\nexport const b = 1\nexport const c = x as F<T>\n  .d as G\nexport const d = x.await\nexport const e = 2", TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for n := range f.Root.Children() {
		names = append(names, n.Text)
	}
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
