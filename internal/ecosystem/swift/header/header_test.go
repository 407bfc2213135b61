package header

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/filetest"
)

// written formats symbols in the form used in golden files.
func written(b *strings.Builder, symbols []apidoc.Symbol, indent string) {
	for _, s := range symbols {
		fmt.Fprintf(b, "%s%s [%s] %s:%d\n%s  %s\n", indent, s.Path, s.Kind, s.File, s.Line, indent, s.Signature)
		if s.Constraint != "" {
			fmt.Fprintf(b, "%s  on: %s\n", indent, s.Constraint)
		}
		if s.Deprecated != "" {
			fmt.Fprintf(b, "%s  deprecated: %s\n", indent, s.Deprecated)
		}
		if s.Doc != "" {
			fmt.Fprintf(b, "%s  | %s\n", indent, strings.ReplaceAll(s.Doc, "\n", "\n"+indent+"  | "))
		}
		written(b, s.Members, indent+"    ")
	}
}

func golden(t *testing.T, name string, symbols []apidoc.Symbol) {
	t.Helper()
	var b strings.Builder
	written(&b, symbols, "")
	filetest.Golden(t, name, b.String())
}

func TestModule(t *testing.T) {
	root := os.DirFS("testdata")
	symbols, warnings := ReadModule(nil, root, headersBelow(root, "include"))
	if len(warnings) > 0 {
		t.Errorf("warnings: %q", warnings)
	}
	golden(t, "testdata/module.golden", symbols)
}

func TestCPP(t *testing.T) {
	text, err := os.ReadFile("testdata/kiln.hpp")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/kiln.hpp.golden", read(nil, "kiln.hpp", text, macros{}))
}

func TestModuleMap(t *testing.T) {
	files := fstest.MapFS{
		"a/module.modulemap": {Data: []byte("framework module A [system] {\n header \"one.h\" // \"two.h\"\n private header \"p.h\"\n textual header \"t.h\"\n module B { umbrella \"sub\" } }")},
		"a/one.h":            {Data: []byte("int one(void);")}, "a/two.h": {Data: []byte("int two(void);")}, "a/p.h": {Data: []byte("int p(void);")},
		"a/t.h": {Data: []byte("int t(void);")}, "a/sub/s.h": {Data: []byte("int s(void);")}, "b/x.h": {Data: []byte("int x(void);")},
	}
	for dir, want := range map[string]string{"a": "one s t", "b": "x"} {
		symbols, _ := ReadModule(nil, files, headersBelow(files, dir))
		var names []string
		for _, s := range symbols {
			names = append(names, s.Path)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
	if _, warnings := ReadModule(nil, files, []string{"a/gone.h", "b/x.h"}); len(warnings) != 1 || !strings.Contains(warnings[0], "could not read a/gone.h") {
		t.Errorf("a header that is missing: %q", warnings)
	}
}

// Reading hostile headers takes time proportional to their length.
func TestHostileHeaders(_ *testing.T) {
	for _, unit := range []string{"(", "{", "struct a {", "int f(", "@interface A\n", "#if x\n", "enum {", "/**", "template <", "a<", "namespace a {", "__attribute__((", "[[", "- (a)b:", "#define a(", "typedef ", "class A : B<",
		"int a,", "int x; ///<\n", "/// a\n", "operator(", "#define a(b) c##b; a(b) a(c)\n", "#define a b; a\na\n", "#define a(b, ...) b(b) __VA_ARGS__;\na(a, a)\na(", "a(a##", "extern \"C\" {", "@property (", "NS_ENUM(", "\\\n", "#\\\n", "~A("} {
		read(nil, "a.hpp", []byte(strings.Repeat(unit, 100<<10/len(unit))), macros{})
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"include/kiln.h", "include/KilnController.h", "kiln.hpp"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"a.h", "a.hpp"} {
			for _, s := range read(nil, name, text, macros{}) {
				if s.Path == "" || len(s.Signature) > maxSignature+16 {
					t.Errorf("path %q, %d bytes of signature", s.Path, len(s.Signature))
				}
			}
		}
		var m moduleMap
		m.read("a", string(text))
	})
}

// headersBelow returns the headers and module maps below a directory.
func headersBelow(root fs.FS, dir string) (files []string) {
	_ = fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (IsHeader(name) || path.Base(name) == "module.modulemap") {
			files = append(files, name)
		}
		return nil
	})
	return files
}
