package godoc

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

const promoteModule = "example.com/promote"

// promoteSource opens a package below testdata/promote.
func promoteSource(importPath string) (*Source, error) {
	dir, ok := strings.CutPrefix(importPath, promoteModule+"/")
	if !ok {
		return nil, fs.ErrNotExist
	}
	return &Source{ImportPath: importPath, Module: promoteModule, FS: os.DirFS("testdata/promote"), Dir: dir, Own: true}, nil
}

// typeChecker imports packages below testdata/promote.
type typeChecker map[string]*types.Package

func (c typeChecker) Import(importPath string) (*types.Package, error) {
	if c[importPath] != nil {
		return c[importPath], nil
	}
	src, err := promoteSource(importPath)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join("testdata/promote", src.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: c}
	c[importPath], err = config.Check(importPath, fset, files, nil)
	return c[importPath], err
}

func TestPromotionsAreWhatTheTypeCheckerFinds(t *testing.T) {
	for _, name := range []string{"a", "b", "c/v2", "go-d"} {
		checked, err := typeChecker{}.Import(promoteModule + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		compareWithTypes(t, readPromote(t, name), checked)
	}
}

func readPromote(t *testing.T, name string) *apidoc.Package {
	t.Helper()
	src, err := promoteSource(promoteModule + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := Read(t.Context(), src, "", promoteSource)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Warnings) > 0 {
		t.Errorf("warnings: %q", pkg.Warnings)
	}
	return pkg
}

func TestPromotionsAreWrittenForTheTypeThatTakesThemOver(t *testing.T) {
	pkg := readPromote(t, "a")
	for _, tc := range []struct{ path, from, signature string }{
		{"Value.ID", "b.Base", "ID int `db:\"id\"`"},
		{"Value.Name", "b.Base", "func (b *Value) Name() string"},
		{"Pointer.Name", "b.Base", "func (b Pointer) Name() string"},
		{"Value.With", "b.Base", "func (b Value) With(o b.Option, ch <-chan *b.Option, all ...map[string]b.Option) (b.Option, error)"},
		{"Value.Fn", "b.Base", "Fn func(name string, o *b.Option) (b.Option, error)"},
		{"Shown.Field", "hidden", "Field string `json:\"field\"`"},
		{"Shown.Deep", "inner", "Deep int"},
		{"Shown.Method", "hidden", "func (h *Shown) Method(\n\tx int,\n\ty string,\n) error"},
		{"ReadCloser.Read", "Reader", "Read(p []byte) (n int, err error)"},
		{"ReadCloser.Close", "b.Closer", "Close(o b.Option) error"},
		{"ReadCloser.Error", "error", "Error() string"},
		{"ReadCloser.Own", "", "Own(b.Option) *b.Base"},
		{"Generic.At", "b.Container", "At(i int) (T, bool)"},
		{"WithInterface.At", "b.Container", "func (WithInterface) At(i int) (map[string]b.Option, bool)"},
		{"Pairs.Get", "pair", "Get(string) ([]V, bool)"},
		{"Ints.Push", "List", "func (l *Ints) Push(e int, more ...int) *List[int]"},
		{"Nested.Swap", "b.Box", "func (x Nested[K, V]) Swap(with *b.Box[[]K, map[K]V]) (map[K]V, []K)"},
		{"Twice.First", "b.Box", "First []string"},
		{"Twice.Second", "b.Box", "Second *map[string]List[A]"},
		{"EmbedsGeneric.Option", "b.Box", "func (x EmbedsGeneric) Option(struct {\n\tP b.Option\n\tO b.Option\n}, interface{ Get() (b.Option, b.Option) }, map[b.Size]b.Option)"},
		{"Alias.Name", "b.Base", "func (b *Alias) Name() string"},
		{"Defined.ID", "b.Base", "ID int `db:\"id\"`"},
		{"DefinedPointer.Field", "hidden", "Field string `json:\"field\"`"},
		{"Far.Give", "c.Holder", "func (Far) Give(c.C) b.Option"},
		{"Dotted.Self", "d.D", "func (Dotted) Self() d.D"},
		{"Vars.Feature", "", "Feature bool"},
		{"Vars.Sub.A", "", "A int"},
	} {
		s, err := naming.Find(pkg, tc.path)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.From != tc.from || s.Signature != tc.signature {
			t.Errorf("%s is\n%s from %q, want\n%s from %q", tc.path, s.Signature, s.From, tc.signature, tc.from)
		}
	}
	name, err := naming.Find(pkg, "Value.Name")
	if err != nil {
		t.Fatal(err)
	}
	if name.Deprecated != "use `Base.ID`." || !strings.HasPrefix(name.Doc, "Name names.") || name.File != "b/b.go" || name.Line == 0 {
		t.Errorf("%+v", name)
	}
}

func TestPackagesThatCannotBeOpenedLoseTheirPromotionsOnly(t *testing.T) {
	src, _ := promoteSource(promoteModule + "/a")
	for name, imp := range map[string]Importer{
		"no importer": nil,
		"not found":   func(string) (*Source, error) { return nil, fs.ErrNotExist },
		"empty":       func(p string) (*Source, error) { return &Source{ImportPath: p, FS: fstest.MapFS{}, Dir: "."}, nil },
	} {
		pkg, err := Read(t.Context(), src, "", imp)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := naming.Find(pkg, "Shown.Method"); err != nil || s.Path != "Shown.Method" {
			t.Errorf("%s: %v", name, err)
		}
		if imp != nil && !strings.Contains(strings.Join(pkg.Warnings, "\n"), "omitted members promoted from types of example.com/promote/b: ") {
			t.Errorf("%s: warnings %q", name, pkg.Warnings)
		}
	}
}

// TestHostileEmbeddingsEnd reads declarations that would never end if they were
// followed without a limit.
func TestHostileEmbeddingsEnd(t *testing.T) {
	var doubling, chain, fan strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, "type T%d[P any] struct{ T%d[func(P, P) P] }\n", i, i+1)
		fmt.Fprintf(&chain, "type A%d = A%d\n", i, (i+1)%60)
	}
	doubling.WriteString("type T60[P any] struct{ F P }\n")
	for i := range 3000 {
		fmt.Fprintf(&fan, "type F%d struct{ *F%d; *F%d; X%d int }\n", i, (i+1)%3000, (i*7+1)%3000, i)
	}
	for name, src := range map[string]string{
		"type arguments that double": doubling.String(),
		"aliases in a circle":        chain.String() + "type X struct{ A0 }\ntype Y = A3\ntype Z A5",
		"definitions in a circle":    "type A B\ntype B C\ntype C A\ntype D struct{ A }",
		"literals in a circle":       "type A = struct{ A }\ntype B = interface{ B; M() }\ntype C struct { A; *B }",
		"growing instances":          "type G[T any] struct{ *G[[]T]; H[G[T]] }\ntype H[T any] struct{ *G[H[T]] }",
		"everything in everything":   fan.String()[:60_000],
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		_, err := Read(ctx, oneFile("package p\n"+src), "", nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// oneFile returns one of the user's own packages, consisting of one file.
func oneFile(src string) *Source {
	return &Source{
		ImportPath: "example.com/p", Module: "example.com/p", Dir: ".", Own: true,
		FS: fstest.MapFS{"p.go": {Data: []byte(src)}},
	}
}
