package lookup

import (
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// entries is a language whose packages have several entry points and an index of them.
type entries struct {
	indexed
	depends []ecosystem.Dependency
}

func (e *entries) Dependencies(string) ([]ecosystem.Dependency, error) { return e.depends, nil }

func TestSearchAll_ExactNamesOfEntryPoints(t *testing.T) {
	e := &entries{indexed: indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	below := []string{"fire/core", "fire/core/deep"}
	e.packages["fire"] = pkg("fire", "fire", below, "light", "burnAll")
	e.packages["fire/core"] = pkg("fire/core", "fire", nil, "kindle", "hidden")
	e.packages["fire/core/deep"] = pkg("fire/core/deep", "fire", nil, "kindle")
	e.depends = []ecosystem.Dependency{{Package: "fire", Direct: false, Installed: true}}
	l := New(store.New(ecosystem.Languages{e}, store.Options{}))
	goLookup, m := withDependencies(0)
	m.packages["example.com/imported"].Subpackages = []apidoc.Subpackage{{Name: "example.com/imported/sub"}}
	m.packages["example.com/imported/sub"] = pkg("example.com/imported/sub", "example.com/imported", nil, "Forge")
	for _, tt := range []struct {
		lookup              *Lookup
		language, query     string
		first, other, title string
	}{
		{l, "npm", "kindle", "fire/core", "", "**kindle** in fire/core@v1"},
		{l, "npm", "light", "fire", "", "**light** in fire@v1"},
		{l, "npm", "kindle; hidden", "fire/core", "fire/core", "## kindle"},
		{l, "npm", "kindel", "", "", ""},
		{l, "npm", "how to kindle", "", "", ""},
		{goLookup, "go", "Forge", "example.com/imported/sub", "", "**Forge** in example.com/imported/sub@v1"},
	} {
		q := Dependencies{Search: Search{Package: Package{Language: tt.language, Project: "/src/" + tt.language}, Query: tt.query}, Patience: time.Hour}
		results, notes, err := tt.lookup.DependencyMatches(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{tt.first, tt.other} {
			got := ""
			if i < len(results) && len(results[i].Hits) > 0 {
				got = results[i].Hits[0].Package().Name
			}
			if got != want {
				t.Errorf("%s: match %d is in %q, want %q", tt.query, i+1, got, want)
			}
		}
		a, found, err := tt.lookup.SearchDependencies(t.Context(), q)
		if err != nil || found != (tt.title != "") || !strings.Contains(a.Text, tt.title) || !strings.Contains(notes[0], "only exact names are found") {
			t.Errorf("%s: %v\n%v\n%s", tt.query, err, a, notes)
		}
	}
}

func TestSearchAll_ExactNamesAreNotReadAgain(t *testing.T) {
	l, m := withDependencies(0)
	m.packages["example.com/imported"].Subpackages = []apidoc.Subpackage{{Name: "example.com/imported/sub"}}
	m.packages["example.com/imported/sub"] = pkg("example.com/imported/sub", "example.com/imported", nil, "Forge")
	search := func(query string) (first string, reads int) {
		t.Helper()
		m.mu.Lock()
		before := len(m.found)
		m.mu.Unlock()
		results, _, err := l.DependencyMatches(t.Context(), Dependencies{Search: Search{Package: Package{Language: "go", Project: "/src/go"}, Query: query}, Patience: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if len(results[0].Hits) > 0 {
			first = results[0].Hits[0].Package().Name
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		return first, len(m.found) - before
	}
	search("Missing")
	if first, reads := search("Absent"); first != "" || reads != 0 {
		t.Errorf("a name that no package has is found in %q, after %d questions", first, reads)
	}
	if first, _ := search("Forge"); first != "example.com/imported/sub" {
		t.Errorf("the name of another package of the module is found in %q", first)
	}
}
