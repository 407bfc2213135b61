package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/store"
)

func TestCatalog_ItemsAreBoundedByTheirNumber(t *testing.T) {
	c := New(store.New(nil, store.Options{}), &Settings{})
	for range maxPrepared + 5 {
		c.Prepare(new(apidoc.Package))
	}
	if len(c.recent) != maxPrepared {
		t.Errorf("%d packages are kept", len(c.recent))
	}
}

func TestCatalog_ItemsAreBoundedByTheirMemory(t *testing.T) {
	c := New(store.New(nil, store.Options{}), &Settings{MaxBytes: 1 << 20})
	text := strings.Repeat("x", 1<<20)
	prepare := func(name string, size int) *Item {
		return c.Prepare(&apidoc.Package{Name: name, Doc: text[:size]})
	}
	names := func() (all []string) {
		for _, p := range c.recent {
			all = append(all, p.Name)
		}
		return all
	}
	a := prepare("a", 1<<19)
	prepare("b", 1<<18)
	c.Prepare(a.Package) // use it again
	prepare("c", 1<<18)
	if got := names(); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("%q are kept prepared, b was used least recently", got)
	}
	prepare("giant", 1<<20)
	if got := names(); !slices.Equal(got, []string{"giant"}) {
		t.Errorf("%q are kept prepared beside a package that takes all room", got)
	}
	prepare("d", 1)
	if got := names(); !slices.Equal(got, []string{"d"}) {
		t.Errorf("%q are kept prepared, the giant is larger than the bound", got)
	}
}
