package godoc

import (
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/naming"
)

func TestImports_QualifiersOfSignatures(t *testing.T) {
	for signature, want := range map[string][]string{
		"func F(a io.Reader, b []*url.URL) (http.Handler, error)": {"io", "url", "http"},
		"func F(opts ...parser.Option)":                           {"parser"},
		"func F(n ...int, e ...Error)":                            nil,
		"func F() a.B.C":                                          {"a"},
		"var X = x.y.Z":                                           nil,
	} {
		if got := slices.Collect(qualifiers(signature)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", signature, got, want)
		}
	}
}

func TestImports_Dots(t *testing.T) {
	for name, test := range map[string]struct {
		imports string
		want    map[string]string // names and the packages that they refer to
	}{
		"one":     {`import . "example.com/low"`, map[string]string{"Level": "example.com/low", "Depth": "example.com/low"}},
		"several": {"import (\n\t. \"example.com/low\"\n\t. \"example.com/deep\"\n)", map[string]string{"Level": "example.com/low", "Depth": "example.com/deep"}},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{
				"shop.go": {Data: []byte("package shop\n\n" + test.imports + "\n\ntype Cart[T any] struct{}\n\nfunc (c *Cart[T]) Fill(l Level, d []Depth, t T, o Other, e error) *Cart[T] { return c }\n")},
				"more.go": {Data: []byte("package shop\n\ntype Other int\n")},
				"low.go":  {Data: []byte("package low\n\ntype Level int\n")},
				"deep.go": {Data: []byte("package deep\n\ntype Depth int\n")},
			}
			open := func(path string, files ...string) *Source {
				only := fstest.MapFS{}
				for _, f := range files {
					only[f] = fsys[f]
				}
				return &Source{ImportPath: path, Module: "example.com/shop", Dir: ".", FS: only}
			}
			pkg, err := Read(t.Context(), open("example.com/shop", "shop.go", "more.go"), "linux/amd64", func(path string) (*Source, error) {
				switch path {
				case "example.com/low":
					return open(path, "low.go"), nil
				case "example.com/deep":
					return open(path, "deep.go"), nil
				}
				return nil, fs.ErrNotExist
			})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, ref := range naming.Exact(pkg, "Cart.Fill").Refs {
				if ref.Path != ref.Name {
					t.Errorf("the path of %s is %q", ref.Name, ref.Path)
				}
				got[ref.Name] = ref.Package
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
