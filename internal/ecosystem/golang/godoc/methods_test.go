package godoc

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/naming"
)

// TestMethodsWithTypeParametersAreRead applies to docent built with Go 1.26, whose parser rejects
// such methods, as well as with later releases.
func TestMethodsWithTypeParametersAreRead(t *testing.T) {
	const shop = `package shop

import "example.com/q"

// Set is generic.
type Set[T comparable] struct{ q.Base }

// Map converts.
func (s Set[T]) Map[U comparable](f func(T) U) Set[U] {
	return nil
}

// Fold
// folds.
func (
	s *Set[_],
) Fold[
	A interface{ ~int | ~string },
	B any,
](start A, f func(A) B) (x [3]A, _ B) { if x := 1; true { }; panic([]int{1}) }

type plain struct{}

func (plain) As[U any]() (u U) { return u }

// Both promotes.
type Both struct {
	plain
	*q.Base
}

func After() {}
`
	const q = `package q

type Limit interface{ ~int }
type Option int
type Base struct{}

func (b *Base) N[Option Limit](n Option, o Limit, m map[Option][]Text) Option { return n }

type Text string
`
	fsys := fstest.MapFS{"shop.go": {Data: []byte(shop)}, "q/q.go": {Data: []byte(q)}}
	source := func(path, dir string) *Source {
		return &Source{ImportPath: path, Module: path, Dir: dir, FS: fsys}
	}
	pkg, err := Read(t.Context(), source("example.com/shop", "."), "linux/amd64", func(path string) (*Source, error) {
		if path != "example.com/q" {
			return nil, fs.ErrNotExist
		}
		return source(path, "q"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkg.Warnings) > 0 {
		t.Errorf("warnings %q", pkg.Warnings)
	}
	for path, want := range map[string]string{
		"Set.Map":  "func (s Set[T]) Map[U comparable](f func(T) U) Set[U]",
		"Set.Fold": "func (\n\ts *Set[_],\n) Fold[\n\tA interface{ ~int | ~string },\n\tB any,\n](start A, f func(A) B) (x [3]A, _ B)",
		"Set.N":    "func (b *Set[T]) N[Option q.Limit](n Option, o q.Limit, m map[Option][]q.Text) Option",
		"Both.As":  "func (Both) As[U any]() (u U)",
		"Both.N":   "func (b Both) N[Option q.Limit](n Option, o q.Limit, m map[Option][]q.Text) Option",
		"After":    "func After()",
	} {
		s, err := naming.Find(pkg, path)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Signature != want {
			t.Errorf("%s is\n%s, want\n%s", path, s.Signature, want)
		}
	}
	if s, err := naming.Find(pkg, "Set.Map"); err != nil || s.Doc != "Map converts." || s.Line != 9 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestABrokenDeclarationCostsNoMethodWithTypeParameters(t *testing.T) {
	pkg, err := readFiles(t, map[string]string{"a.go": "package p\ntype T int\nfunc (T) M[U any](U) {}\nfunc ( {}\nfunc (T) N[U any]() {}\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"T.M", "T.N"} {
		if _, err := naming.Find(pkg, path); err != nil {
			t.Error(err)
		}
	}
	if len(pkg.Warnings) != 1 {
		t.Errorf("warnings %q", pkg.Warnings)
	}
}
