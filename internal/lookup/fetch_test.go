package lookup

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// graphed is a language that also has the dependency graph of its project.
type graphed struct {
	*manifest

	graph *ecosystem.Graph
}

func (g *graphed) Graph(context.Context, string) (*ecosystem.Graph, error) { return g.graph, nil }

func newGraphed() *graphed {
	g := &graphed{manifest: &manifest{shelves: shelves{id: "go", packages: map[string]*apidoc.Package{}}}, graph: &ecosystem.Graph{
		Packages: []ecosystem.Used{
			{Name: "app", Member: true, Installed: true, Requires: []int{1, 2, 4}},
			{Name: "dist-name", Version: "1", Installed: true},
			{Name: "deep_name", Version: "1"},
			{Name: "deep_name", Version: "2"},
			{Name: "linked", Dir: "/src/linked", Installed: true},
			{Name: "other-platform", Version: "1", Inactive: true},
			{Name: "kite", Version: "1", Installed: true},
		},
	}}
	g.depends = []ecosystem.Dependency{
		{Package: "module", Module: "Dist_Name", Version: "1", Direct: true, Installed: true},
		{Package: "kite/Core", Version: "1", Installed: true},
		{Package: "other_platform", Version: "1"},
		{Package: "stranger", Version: "1", Installed: true},
		{Package: "fmt", Standard: true, Installed: true},
	}
	for _, name := range []string{"module", "deep_name", "kite/Core"} {
		g.packages[name] = pkg(name, name, nil, "One")
	}
	return g
}

func TestDependenciesOf_JoinsTheListAndTheGraph(t *testing.T) {
	g := newGraphed()
	d, err := dependenciesOf(t.Context(), g, g, "/src/go")
	if err != nil {
		t.Fatal(err)
	}
	names := func(all []ecosystem.Dependency) string {
		var names []string
		for _, d := range all {
			names = append(names, fmt.Sprint(d.Package, " ", d.Version, " ", d.Direct))
		}
		return strings.Join(names, ", ")
	}
	if got, want := names(d.all), "module 1 true, kite/Core 1 false, stranger 1 false, fmt  false, deep_name 1 true"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := names(d.versions), "deep_name 2 false"; got != want {
		t.Errorf("versions: got %s, want %s", got, want)
	}
}

func TestFetch(t *testing.T) {
	for _, missing := range []bool{false, true} {
		g := newGraphed()
		l := New(store.New(ecosystem.Languages{g}, store.Options{}))
		last := ""
		all, err := l.Fetch(t.Context(), "/src/go", "", missing, func(done, all int) { last = fmt.Sprint(done, " of ", all) })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range all {
			got = append(got, fmt.Sprint(f.Language, " ", f.Package, " ", f.Version, " ", f.Err == nil))
		}
		if want := "go module 1 true, go kite/Core 1 true, go deep_name 1 true, go deep_name 2 true"; strings.Join(got, ", ") != want || last != "4 of 4" {
			t.Errorf("missing %v: got %q, progress %q", missing, got, last)
		}
		want := []string{"deep_name", "deep_name", "kite/Core", "module"}
		if missing {
			want = []string{"deep_name offline", "deep_name offline"}
		}
		if slices.Sort(g.found); !slices.Equal(g.found, want) {
			t.Errorf("missing %v: read %q, want %q", missing, g.found, want)
		}
	}
	g := newGraphed()
	delete(g.packages, "deep_name")
	all, err := New(store.New(ecosystem.Languages{g}, store.Options{})).Fetch(t.Context(), "/src/go", "go", false, nil)
	if err != nil || all[0].Err != nil || all[2].Err == nil || all[3].Err == nil || Unreachable(all[2].Err) {
		t.Errorf("%+v, %v", all, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(store.New(ecosystem.Languages{newGraphed()}, store.Options{})).Fetch(ctx, "/src/go", "", false, nil); err == nil {
		t.Error("no error after the end of the context")
	}
}
