package godoc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

func kioskSource(dir string) *Source {
	return &Source{
		ImportPath: strings.TrimSuffix("example.com/kiosk/"+dir, "/."), Module: "example.com/kiosk", Version: "v1.2.3",
		FS: os.DirFS("testdata/kiosk"), Dir: dir,
		Provenance: apidoc.Provenance{Source: "workspace", ChosenBy: "the test"},
	}
}

// readerSource stands in for package io and declares only what the kiosk needs.
func readerSource(importPath string) (*Source, error) {
	if importPath != "io" {
		return nil, fs.ErrNotExist
	}
	return &Source{ImportPath: "io", Module: "std", Dir: "io", FS: fstest.MapFS{"io/io.go": {Data: []byte(
		"package io\n\ntype Reader interface {\n\t// Read reads.\n\tRead(p []byte) (n int, err error)\n}\n")}}}, nil
}

func TestReadGivesTheWholePackage(t *testing.T) {
	for _, tc := range []struct{ golden, dir, platform string }{
		{"kiosk.json", ".", "linux/amd64"},
		{"kiosk_till.json", "cmd/till", "linux/amd64"},
		{"kiosk_winonly.json", "winonly", "linux/amd64"},
	} {
		pkg, err := Read(t.Context(), kioskSource(tc.dir), tc.platform, readerSource)
		if err != nil {
			t.Fatal(err)
		}
		pkg.Ecosystem = "go"
		var got bytes.Buffer
		enc := json.NewEncoder(&got)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "\t")
		if err := enc.Encode(pkg); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", tc.golden)
		filetest.Golden(t, path, got.String())
	}
}

func TestReadIsTheSameEveryTime(t *testing.T) {
	var first []byte
	for range 5 {
		pkg, err := Read(t.Context(), kioskSource("."), "linux/amd64", readerSource)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(pkg)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Fatal("two readings differ")
		}
	}
}

func TestReadChoosesFilesByPlatform(t *testing.T) {
	pkg, err := Read(t.Context(), kioskSource("."), "windows/arm64", readerSource)
	if err != nil {
		t.Fatal(err)
	}
	for path, constraint := range map[string]string{"Shutter.Roll": "windows", "Kiosk.Lock": "windows", "Sign": "", "Awning": "!windows"} {
		s, err := naming.Find(pkg, path)
		if err != nil || s.Constraint != constraint {
			t.Errorf("%s: %v, %v", path, s, err)
		}
	}
	if pkg.Platform != "windows/arm64" || len(pkg.Elsewhere) != 1 || pkg.Elsewhere[0].Path != "Awning" {
		t.Errorf("on %s, elsewhere %v", pkg.Platform, pkg.Elsewhere)
	}
}

func TestFunctionsStandWhereGoDocPutsThem(t *testing.T) {
	const decls = "package p\n\ntype T int\n\nfunc New() (*T, error) { return nil, nil }\n"
	for src, want := range map[string]string{
		decls:                                    "T", // listed among the constructors of T
		decls + "type failure struct{ error }\n": "",  // An embedded error makes New a function that returns two exported types.
	} {
		pkg, err := readFiles(t, map[string]string{"a.go": src})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := naming.Find(pkg, "New"); err != nil || s.Of != want {
			t.Errorf("%s: %v, %v", src, s, err)
		}
	}
}

func TestFilesWithCgoArePartOfThePackage(t *testing.T) {
	pkg, err := readFiles(t, map[string]string{
		"a.go":      "package p\n\nfunc Everywhere() {}\n\nfunc Both() {}\n",
		"c.go":      "package p\n\n// int x;\nimport \"C\"\n\nfunc Native(C.int) {}\n\nfunc Mock() {}\n",
		"c_not.go":  "//go:build !cgo\n\npackage p\n\nfunc Mock() {}\n\nfunc Without() {}\n",
		"c_arch.go": "//go:build cgo && amd64\n\npackage p\n\nimport \"C\"\n\nfunc Arch() {}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, constraint := range map[string]string{
		"Everywhere": "", "Native": "cgo", "Mock": "", "Without": "!cgo", "Arch": "cgo && amd64",
	} {
		s, err := naming.Find(pkg, path)
		if err != nil || s.Constraint != constraint {
			t.Errorf("%s: %v, %v", path, s, err)
		}
	}
	if len(pkg.Elsewhere) != 1 || pkg.Elsewhere[0].Path != "Without" {
		t.Errorf("elsewhere: %v", pkg.Elsewhere)
	}
}

func TestSymbolsOfBuildTagsAreListedWithTheTag(t *testing.T) {
	pkg, err := readFiles(t, map[string]string{
		"a.go":        "package p\n\ntype Index struct{}\n\nfunc NewVector() Vector { return nil }\n",
		"flat.go":     "//go:build !vectors\n\npackage p\n\nfunc Size() int { return 0 }\n",
		"vectors.go":  "//go:build vectors\n\npackage p\n\ntype Vector []float32\n\nfunc (*Index) Near(Vector) {}\n\nfunc Size() int { return 1 }\n",
		"gpu.go":      "//go:build vectors && cuda && !mock\n\npackage p\n\nfunc Cores() int { return 1 }\n",
		"generate.go": "//go:build ignore\n\npackage p\n\nfunc Generate() {}\n",
		"newer.go":    "//go:build go1.999\n\npackage p\n\nfunc Newer() {}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, constraint := range map[string]string{"Index": "", "Size": "", "Vector": "-tags vectors (off)", "NewVector": "-tags vectors (off)", "Index.Near": "-tags vectors (off)", "Cores": "-tags vectors,cuda (off)"} {
		s, err := naming.Find(pkg, path)
		if err != nil || s.Constraint != constraint {
			t.Errorf("%s: %v, %v", path, s, err)
		}
	}
	for _, path := range []string{"Generate", "Newer"} {
		if s, err := naming.Find(pkg, path); err == nil {
			t.Errorf("%s: found %v", path, s)
		}
	}
}

func TestBuildTagsDoNotHideThePlatforms(t *testing.T) {
	files := map[string]string{"a.go": "package p\n\nfunc A() {}\n", "b_plan9.go": "package p\n\nfunc OnPlan9() {}\n"}
	for i := range maxOtherTargets + 1 {
		files[fmt.Sprintf("tag%d.go", i)] = fmt.Sprintf("//go:build tag%d\n\npackage p\n\nfunc Tag%d() {}\n", i, i)
	}
	pkg, err := readFiles(t, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"OnPlan9", "Tag0"} {
		if _, err := naming.Find(pkg, path); err != nil {
			t.Error(err)
		}
	}
	if want := fmt.Sprintf("Tag%d", maxOtherTargets); !slices.Equal(pkg.Hidden, []string{want}) {
		t.Errorf("the names without documentation are %q, want %s", pkg.Hidden, want)
	}
}

func TestInternalPackagesAreListedForTheirOwnersOnly(t *testing.T) {
	for _, internal := range []bool{false, true} {
		src := kioskSource(".")
		src.Own = internal
		pkg, err := Read(t.Context(), src, "", readerSource)
		if err != nil {
			t.Fatal(err)
		}
		listed := slices.ContainsFunc(pkg.Subpackages, func(s apidoc.Subpackage) bool {
			return s.Name == "example.com/kiosk/internal/ledger"
		})
		if listed != internal {
			t.Errorf("own %t: %v", internal, pkg.Subpackages)
		}
	}
}

func TestReadTellsWhatIsBroken(t *testing.T) {
	good := "package p\n\n// F is fine.\nfunc F() {}\n"
	for _, tc := range []struct {
		name    string
		files   map[string]string
		symbols []string
		warning string
	}{
		{"a body that does not parse", map[string]string{"a.go": "package p\nfunc F() { if := }\n"}, []string{"F"}, ""},
		{"a syntax error between functions", map[string]string{"a.go": "package p\nfunc F() {}\nfunc ( {}\nfunc G() {}\n"}, []string{"F", "G"}, "a.go has a syntax error in line 3"},
		{"a file that is no Go", map[string]string{"a.go": good, "b.go": "\x7fELF\x00\x00"}, []string{"F"}, "b.go has a syntax error in line 1"},
		{"an empty file", map[string]string{"a.go": good, "b.go": ""}, []string{"F"}, "b.go has a syntax error"},
		{"two packages", map[string]string{"a.go": good, "b.go": "package p\nvar V int", "c.go": "package q\nfunc Q() {}"}, []string{"V", "F"}, "c.go belongs to package q"},
		{"documentation beside the package", map[string]string{"a.go": good, "b.go": "// No.\npackage documentation\n"}, []string{"F"}, ""},
		{"the same function twice", map[string]string{"a.go": good, "b.go": "package p\nfunc F(int)"}, []string{"F"}, ""},
		{"a test that does not parse", map[string]string{"a.go": good, "a_test.go": "package p\nfunc ExampleF() { }}"}, []string{"F"}, "a_test.go has a syntax error"},
		{"an interface in a circle", map[string]string{"a.go": "package p\ntype I interface { J }\ntype J interface { I; M() }"}, []string{"I", "I.M", "J", "J.M"}, ""},
		{"a receiver of no type", map[string]string{"a.go": good + "func (x *Gone) M() {}\nfunc () N() {}\n"}, []string{"F"}, ""},
		{"a brace never closed", map[string]string{"a.go": "package p\nfunc F() {}\nfunc G() { if x {\n}\n// H\nfunc H() {}\ntype T struct {\nvar V int\n"}, []string{"V", "F", "H"}, "a.go has a syntax error in line 6"},
		{"a platform of no one", map[string]string{"a.go": "//go:build never\n\n" + good}, []string{"F"}, "build tags that are not set by default"},
		{"carriage returns", map[string]string{"a.go": "package p\r\n// F has\rfunc Evil() {}\r\nfunc F() {}\r\n"}, []string{"F"}, ""},
		{"another platform only", map[string]string{"a_plan9.go": good}, []string{"F"}, "this documentation is for plan9/amd64"},
	} {
		pkg, err := readFiles(t, tc.files)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		var paths []string
		for s := range pkg.All {
			paths = append(paths, s.Path)
		}
		if !slices.Equal(paths, tc.symbols) {
			t.Errorf("%s: symbols %v, want %v", tc.name, paths, tc.symbols)
		}
		if got := strings.Join(pkg.Warnings, "\n"); (got == "") != (tc.warning == "") || !strings.Contains(got, tc.warning) {
			t.Errorf("%s: warnings %q, want %q", tc.name, got, tc.warning)
		}
	}
}

func TestReadRefusesOnlyWhatHoldsNothing(t *testing.T) {
	big := strings.Repeat("// x\n", maxFileSize/5+1)
	for _, tc := range []struct {
		name   string
		files  map[string]string
		reason ecosystem.Reason
		says   string
	}{
		{"no files", map[string]string{}, ecosystem.NotFound, "example.com/p does not contain any Go files"},
		{"only packages below", map[string]string{"a/b/c.go": "package b"}, ecosystem.NotFound, "close by: example.com/p/a/b"},
		{"only tests", map[string]string{"a_test.go": "package p"}, ecosystem.NotFound, "only tests"},
		{"no Go in the files", map[string]string{"a.go": "<html>"}, ecosystem.Unreadable, "a.go has a syntax error in line 1"},
		{"only a file too large", map[string]string{"a.go": big}, ecosystem.Unreadable, "larger than 16 MiB"},
	} {
		_, err := readFiles(t, tc.files)
		var e *ecosystem.Error
		if !errors.As(err, &e) || e.Reason != tc.reason || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, kioskSource("."), "", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNothingInvisibleIsRead(t *testing.T) {
	hide := "\u202e\u2066\u200b\ufeff\U000e0041\x00\x1b"
	pkg, err := readFiles(t, map[string]string{
		"a.go":      "// Package p" + hide + " hides.\npackage p\n\n// F " + hide + "f.\nfunc F(x struct{ A int `a" + hide + "b` }) {}\n\nvar V = \"v" + hide + "w\"\n",
		"a_test.go": "package p\n\nfunc ExampleF() {\n\tF(\"" + hide + "x\")\n\t// Output: o" + hide + "p\n}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Package p hides.", "F f.", "`ab`", `\"vw\"`, `F(\"x\")`, `"op"`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s is not in %s", want, data)
		}
	}
	for _, r := range hide {
		if escaped, _ := json.Marshal(string(r)); bytes.Contains(data, bytes.Trim(escaped, `"`)) {
			t.Errorf("%U is in %s", r, data)
		}
	}
}

// TestHostileSourceEnds reads files that are designed to take forever.
func TestHostileSourceEnds(t *testing.T) {
	const n = 20_000
	nest := func(open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for name, decl := range map[string]string{
		"brackets":            "var X = " + nest("(", "1", ")"),
		"literals":            "var X = " + nest("T{\n", "1", "}"),
		"functions":           "var X = " + nest("func() { return ", "1", "}"),
		"structs":             "type X " + nest("struct{ A ", "int", "}"),
		"structs over lines":  "type X " + nest("struct{\nA ", "int", "\n}"),
		"pointers":            "type X " + strings.Repeat("*", n) + "int",
		"sums":                "const X = 1" + strings.Repeat(" +\n1", n),
		"parameters":          "type X " + nest("func(", "int", ")"),
		"type arguments":      "type X " + nest("T[", "int", "]"),
		"names":               "var " + strings.Repeat("A, ", n) + "B int",
		"constants":           "const (\nA = iota\n" + strings.Repeat("B\n", n) + ")",
		"examples of it":      "func F() {}\nfunc ExampleF() {" + nest("{", "", "}") + "}",
		"braces never closed": "func F() " + strings.Repeat("{", n),
	} {
		_, err := readFiles(t, map[string]string{"a.go": "package p\n" + decl + "\n", "a_test.go": "package p\n" + decl + "\n"})
		var e *ecosystem.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTooManyFilesAndPackagesAreCut(t *testing.T) {
	files := map[string]string{}
	for i := range maxFiles + 5 {
		files[fmt.Sprintf("f%06d.go", i)] = "package p\n"
	}
	for i := range maxSubpackages + 5 {
		files[fmt.Sprintf("d%06d/x.go", i)] = "package x\n"
	}
	pkg, err := readFiles(t, files)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(pkg.Warnings, "\n"); !strings.Contains(got, "only the first 10000 files") || !strings.Contains(got, "only the first 2000 subpackages") {
		t.Errorf("warnings %q", got)
	}
}

func readFiles(t *testing.T, files map[string]string) (*apidoc.Package, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, src := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	return Read(t.Context(), &Source{ImportPath: "example.com/p", Module: "example.com/p", Dir: ".", Own: true, FS: fsys}, "linux/amd64", nil)
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"kiosk.go", "doc.go", "example_test.go", "../promote/a/a.go", "../promote/b/b.go"} {
		src := filetest.Read(f, filepath.Join("testdata/kiosk", name))
		f.Add(src)
	}
	f.Add([]byte("package p\ntype T int\nfunc (t *T) M[U any, V ~int](U) (v V) { return }\nfunc (T) N[\nfunc (T) O[P any]() {"))
	f.Fuzz(func(t *testing.T, src []byte) {
		fsys := fstest.MapFS{"a.go": {Data: src}, "a_test.go": {Data: src}, "b_windows.go": {Data: src}}
		pkg, err := Read(t.Context(), &Source{ImportPath: "p", Module: "p", Dir: ".", FS: fsys}, "linux/amd64", readerSource)
		var e *ecosystem.Error
		switch {
		case errors.As(err, &e):
			if strings.Contains(e.What, "confuse the reader") {
				t.Error(e)
			}
		case err != nil:
			t.Error(err)
		default:
			for s := range pkg.All {
				if s.Path == "" || s.Kind == "" || s.Signature == "" {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}
