package golang

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// typedProject is a project whose types are checked several times.
type typedProject struct {
	g    *Golang
	dir  string
	size int // number of declarations that a check counts before it begins
}

func newTypedProject(t *testing.T, others map[string]string) typedProject {
	t.Helper()
	files := maps.Clone(kiln)
	files["cmd/empty.go"] = "package main\n"
	maps.Copy(files, others)
	p := typedProject{g: New(ecosystem.Options{Offline: true}), dir: filetest.Dir(t, files)}
	p.g.types.now = func() time.Time { return time.Now().Add(time.Minute) } // the files are not new
	return p
}

// check returns the members that do not exist, and the check.
func (p typedProject) check(t *testing.T) (absent []string, c *typeChecker) {
	t.Helper()
	checked, err := p.g.Types(t.Context(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.size > 0 { // other checks read the size concurrently
		checked.(*typeChecker).size = p.size
	}
	f := &ecosystem.SourceFile{Name: "cmd/main.go", Dir: p.dir, Text: []byte(`package main

import (
	_ "example.com/kiln/part" // before kiln, which imports it, too

	"example.com/kiln"
	"example.com/shop"
)

func f(k *kiln.Kiln, s shop.Shop) { k.Weigh(); s.Buy(); s.Sell() }
`)}
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			absent = append(absent, u.Path)
		}
	}
	return absent, checked.(*typeChecker)
}

// TestTypes_Changes checks that a later check uses the packages of an earlier one unless they or
// what they import have changed.
func TestTypes_Changes(t *testing.T) {
	write := func(name, text string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	remove := func(name string) func(dir string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, name)) }
	}
	const (
		dependency = "vendor/example.com/kiln/"
		weigh      = "package kiln\n\nfunc (*Kiln) Weigh() {}\n"
		buy        = "package shop\n\nfunc (Shop) Buy() {}\n"
	)
	replaced := map[string]string{
		"go.mod":             "module example.com/shop\n\ngo 1.26\n\nrequire example.com/kiln v1.0.0\n\nreplace example.com/kiln => ./one\n",
		"vendor/modules.txt": "",
		"one/go.mod":         "module example.com/kiln\n",
		"one/kiln.go":        "package kiln\n\ntype Kiln struct{}\n",
		"two/go.mod":         "module example.com/kiln\n",
		"two/kiln.go":        "package kiln\n\ntype Kiln struct{}\n\nfunc (Kiln) Weigh() {}\n",
	}
	all := []string{"example.com/kiln", "example.com/kiln/part", "example.com/shop"}
	for _, tt := range []struct {
		name          string
		others        map[string]string
		change        func(dir string) error
		before, after []string
		reused        []string
	}{
		{"nothing", nil, func(string) error { return nil }, []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Kiln.Weigh", "Shop.Buy"}, all},
		{"the checked directory", nil, write("cmd/other.go", "package main\n\nvar x int\n"), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Kiln.Weigh", "Shop.Buy"}, all},
		{"a dependency", nil, write(dependency+"kiln.go", kiln[dependency+"kiln.go"]+"func (*Kiln) Weigh() {}\n"), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Shop.Buy"}, all[1:]},
		{"a dependency of a dependency", nil, write(dependency+"part/part.go", "package part\n\ntype Door struct{}\n\nfunc (Door) Weigh() {}\n\ntype Part struct{}\n"), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Shop.Buy"}, all[2:]},
		{"a new file of a dependency", nil, write(dependency+"weigh.go", weigh), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Shop.Buy"}, all[1:]},
		{"a removed file of a dependency", map[string]string{dependency + "weigh.go": weigh}, remove(dependency + "weigh.go"), []string{"Shop.Buy"}, []string{"Kiln.Weigh", "Shop.Buy"}, all[1:]},
		{"a file of the project", nil, write("shop.go", "package shop\n\ntype Shop struct{}\n\nfunc (Shop) Buy() {}\n"), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Kiln.Weigh", "Shop.Sell"}, all[:2]},
		{"a new file of the project", nil, write("buy.go", buy), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Kiln.Weigh"}, all[:2]},
		{"a removed file of the project", map[string]string{"buy.go": buy}, remove("buy.go"), []string{"Kiln.Weigh"}, []string{"Kiln.Weigh", "Shop.Buy"}, all[:2]},
		{"a package that was missing", map[string]string{dependency + "kiln.go": "package kiln\n\nimport \"example.com/kiln/late\"\n\ntype Kiln struct{ late.Type }\n", "vendor/modules.txt": kiln["vendor/modules.txt"] + "example.com/kiln/late\n"},
			func(dir string) error {
				return errors.Join(os.Mkdir(filepath.Join(dir, dependency, "late"), 0o700), write(dependency+"late/late.go", "package late\n\ntype Type struct{}\n")(dir))
			}, []string{"Shop.Buy"}, []string{"Kiln.Weigh", "Shop.Buy"}, all[1:]},
		{"go.mod", replaced, write("go.mod", strings.Replace(replaced["go.mod"], "./one", "./two", 1)), []string{"Kiln.Weigh", "Shop.Buy"}, []string{"Shop.Buy"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newTypedProject(t, tt.others)
			absent, first := p.check(t)
			if !slices.Equal(absent, tt.before) {
				t.Errorf("before the change, %q are absent, want %q", absent, tt.before)
			}
			if err := tt.change(p.dir); err != nil {
				t.Fatal(err)
			}
			absent, second := p.check(t)
			if !slices.Equal(absent, tt.after) {
				t.Errorf("after the change, %q are absent, want %q", absent, tt.after)
			}
			var reused []string
			for _, name := range all {
				if found := second.imported[name]; found != nil && found == first.imported[name] {
					reused = append(reused, name)
				}
			}
			if !slices.Equal(reused, tt.reused) {
				t.Errorf("%q were used again, want %q", reused, tt.reused)
			}
		})
	}
}

// TestTypes_RecentChange checks that packages whose files have just changed are read again, because another
// change might not be visible in the times of the files.
func TestTypes_RecentChange(t *testing.T) {
	p := newTypedProject(t, nil)
	p.g.types.now = time.Now
	_, first := p.check(t)
	_, second := p.check(t)
	if second.imported["example.com/shop"] == first.imported["example.com/shop"] {
		t.Error("a package with a new file was used again")
	}
}

// TestTypes_Concurrent checks a project several times at once while its files change.
func TestTypes_Concurrent(t *testing.T) {
	p := newTypedProject(t, nil)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			absent, _ := p.check(t)
			if !slices.Contains(absent, "Kiln.Weigh") {
				t.Errorf("%q are absent", absent)
			}
			name := filepath.Join(p.dir, "new"+strings.Repeat("x", i)+".go")
			if err := os.WriteFile(name, []byte("package shop\n"), 0o600); err != nil {
				t.Error(err)
			}
			p.check(t)
		})
	}
	group.Wait()
}

// TestTypes_Bounds checks that the packages of few projects, and few packages, remain.
func TestTypes_Bounds(t *testing.T) {
	p := newTypedProject(t, nil)
	large := p
	large.size = maxTypedDecls
	_, c := large.check(t)
	if len(p.g.types.last) != 0 {
		t.Error("a check with too many declarations remains")
	}
	_, second := p.check(t)
	if second.imported["example.com/shop"] == c.imported["example.com/shop"] {
		t.Error("a package of a check with too many declarations was used again")
	}
	for range maxTypedProjects {
		other := typedProject{g: p.g, dir: newTypedProject(t, nil).dir}
		other.check(t)
	}
	if len(p.g.types.last) != maxTypedProjects {
		t.Errorf("%d projects remain", len(p.g.types.last))
	}
	if _, third := p.check(t); third.imported["example.com/shop"] == second.imported["example.com/shop"] {
		t.Error("a package of a project that was not checked for long was used again")
	}
}
