package godoc

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/naming"
)

// TestAnAliasShowsWhatUsersCanUse reads aliases of types that other packages cannot
// import.
func TestAnAliasShowsWhatUsersCanUse(t *testing.T) {
	const shop = `package shop

import "example.com/shop/internal/q"

type Options = q.Options

// Named has a comment.
type Named = q.Options

type Cart = cart

// A cart is full.
type cart struct{}

func (c *cart) Add(n int) {}
`
	const q = `package q

// Secret is for this module.
type Secret struct{}

type Level struct{ N int }

// Options say how.
type Options struct{ Size int }

func (o *Options) Set(n Level) {}
func (o *Options) Hide(Secret) {}
func (o *Options) Show(*Secret) {}
`
	fsys := fstest.MapFS{"shop.go": {Data: []byte(shop)}, "internal/q/q.go": {Data: []byte(q)}}
	source := func(path, dir string) *Source {
		return &Source{ImportPath: path, Module: "example.com/shop", Dir: dir, FS: fsys}
	}
	pkg, err := Read(t.Context(), source("example.com/shop", "."), "linux/amd64", func(path string) (*Source, error) {
		if path != "example.com/shop/internal/q" {
			return nil, fs.ErrNotExist
		}
		return source(path, "internal/q"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, doc := range map[string]string{"Options": "Options say how.", "Named": "Named has a comment.", "Cart": "A cart is full."} {
		if s := naming.Exact(pkg, path); s == nil || s.Doc != doc {
			t.Errorf("%s: got %+v, expected the comment %q", path, s, doc)
		}
	}
	for path, want := range map[string]bool{
		"Options.Size": true, "Options.Set": true, "Options.Show": true, "Cart.Add": true,
		"Options.Hide": false, // no other package can create a Secret
	} {
		if got := naming.Exact(pkg, path) != nil; got != want {
			t.Errorf("%s is shown: %t, expected %t", path, got, want)
		}
	}
}
