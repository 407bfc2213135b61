package godoc

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestWithoutBodiesEmptiesFunctionsOnly(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a function", "package p\nfunc F() {\n\tx := 1\n}\n", "package p\nfunc F() {\n\n}\n"},
		{"a method on one line", "func (t *T) F() { return }\nvar X = 1", "func (t *T) F() {}\nvar X = 1"},
		{"results of literal type", "func F() struct{ A int } { return x }", "func F() struct{ A int } {}"},
		{"channel of struct", "func F() chan struct{} { return nil }", "func F() chan struct{} {}"},
		{"interface as parameter", "func F(x interface{ M() }) interface{} { return nil }", "func F(x interface{ M() }) interface{} {}"},
		{"type parameters", "func F[T interface{ ~[]E }, E any](x T) { return }", "func F[T interface{ ~[]E }, E any](x T) {}"},
		{"no body", "func F()\nfunc G() { x }", "func F()\nfunc G() {}"},
		{"braces in strings", "func F() { a(\"}\", '}', `}`, \"\\\"}\") }\n", "func F() {}\n"},
		{"braces in comments", "func F() { /* } */ // }\n}\n", "func F() {\n}\n"},
		{"a literal in a variable", "var F = func() { x }\n", "var F = func() { x }\n"},
		{"a literal on a line of its own", "var F =\nfunc() { x }\n", "var F =\nfunc() { x }\n"},
		{"a literal in a group", "var (\n\tF = func() {\n\t\tx\n\t}\n)\n", "var (\n\tF = func() {\n\t\tx\n\t}\n)\n"},
		{"indented", "  func F() { x }", "  func F() {}"},
		{"signature over lines", "func F(\n\ta int,\n) (\n\tb int,\n) { x }", "func F(\n\ta int,\n) (\n\tb int,\n) {}"},
		{"comment before the brace", "func F() /* { */ struct /* x */ { a int } { x }", "func F() /* { */ struct /* x */ { a int } {}"},
		{"unclosed body", "func F() { x\nvar X = 1\n", "func F() { x\nvar X = 1\n"},
		{"unclosed string", "func F() { \"x }\nfunc G() { y }", "func F() {}\nfunc G() {}"},
		{"empty", "", ""},
	} {
		if got := string(withoutBodies([]byte(tc.in))); got != tc.want {
			t.Errorf("%s:\n%s\nbecame\n%s\nwant\n%s", tc.name, tc.in, got, tc.want)
		}
	}
}

// TestWithoutBodiesKeepsDeclarations compares the declarations of real files
// before and after, line numbers included.
func TestWithoutBodiesKeepsDeclarations(t *testing.T) {
	dirs := []string{"net/http", "go/parser", "runtime", "reflect", "text/template", "strconv", "slices"}
	for _, dir := range dirs {
		for name, src := range stdFiles(t, dir) {
			if got, want := declarations(t, withoutBodies(src)), declarations(t, src); got != want {
				t.Errorf("%s declares something else without its bodies", name)
			}
		}
	}
}

func declarations(t *testing.T, src []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return ""
	}
	var b strings.Builder
	for _, decl := range f.Decls {
		b.WriteString(fset.Position(decl.Pos()).String())
		if fn, ok := decl.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
		if err := format.Node(&b, fset, decl); err != nil {
			t.Error(err)
		}
	}
	return b.String()
}

func FuzzWithoutBodies(f *testing.F) {
	f.Add([]byte("package p\nfunc F() { `}` }\nvar x = func() {}\n"))
	f.Add([]byte("func F() interface{ M() } { '\\'' /* } */ }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		out := withoutBodies(src)
		if a, b := bytes.Count(src, newline), bytes.Count(out, newline); a != b {
			t.Errorf("%d lines became %d", a, b)
		}
		if len(out) > len(src) {
			t.Errorf("grew from %d to %d bytes", len(src), len(out))
		}
	})
}

func BenchmarkWithoutBodies(b *testing.B) {
	src := filetest.Read(b, filepath.Join(goroot(b), "src/net/http/server.go"))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		withoutBodies(src)
	}
}
