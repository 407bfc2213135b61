package lookup

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/store"
)

// released is a language with information from a registry about its packages.
type released struct {
	shelves

	says   map[string]ecosystem.Releases
	online bool // whether network access was allowed
}

func (r *released) Releases(ctx context.Context, _ string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	r.online = r.online || !fetch.NetworkOff(ctx)
	says, ok := r.says[p.Name+" "+p.Version]
	if !ok {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "nothing is cached")
	}
	return &says, nil
}

func (r *released) Dependencies(string) ([]ecosystem.Dependency, error) {
	return []ecosystem.Dependency{{Package: "lodash", Direct: true}, {Package: "chalks"}, {Package: "preact", Direct: true}}, nil
}

func TestStanding(t *testing.T) {
	r := &released{shelves: shelves{id: "npm", popular: "# names\nexpress\nexpresso\nvue\naxon\nchalk\n", packages: map[string]*apidoc.Package{}}, says: map[string]ecosystem.Releases{
		"plain v1": {Newest: "v1.9.0", Published: time.Now().Add(-30 * 24 * time.Hour)},
		"old v1":   {Newest: "v4.1.0"},
		"bad v1":   {Newest: "v1", Yanked: "it\nloses coins.", Deprecated: "use good", Archived: true},
		"noted v1": {Deprecated: "use good"},
		"new v1":   {Published: time.Now().Add(-time.Hour)},
	}}
	for _, name := range []string{"plain", "old", "bad", "noted", "new", "unknown", "loadsh", "lodahs", "chalk", "react", "lodash", "own", "expres", "Express", "exxpress/v4", "espresso", "express/vendor", "vye", "axons", "chalks"} {
		r.packages[name] = pkg(name, "", nil, "Open")
	}
	r.packages["noted"].Deprecated = "The README says so."
	r.packages["own"].Version = ""
	r.packages["lodahs"].Advice = []string{"shop uses lodash: check the name"}
	l := New(store.New(ecosystem.Languages{r}, store.Options{}))
	for _, tt := range []struct{ name, want string }{
		{"plain", ""},
		{"old", "The newest version is v4.1.0."},
		{"bad", "This version was withdrawn: it loses coins. Deprecated: use good. The package is archived, so there will be no more releases."},
		{"noted", ""},
		{"new", "This version was published on " + time.Now().Add(-time.Hour).UTC().Format(time.DateOnly) + ", less than a week ago."},
		{"unknown", ""},
		{"loadsh", "The project depends on lodash, not on loadsh."},
		{"lodahs", "shop uses lodash: check the name"},
		{"chalk", ""}, // the dependency is not direct
		{"react", "The project depends on preact, not on react."},
		{"lodash", ""},
		{"own", ""},
		{"expres", "Check the name: expres looks like a misspelling of the popular package express."},
		{"Express", ""},
		{"exxpress/v4", "Check the name: exxpress/v4 looks like a misspelling of the popular package express."},
		{"espresso", "Check the name: espresso looks like a misspelling of the popular package expresso."},
		{"express/vendor", ""},
		{"vye", ""},    // short names often resemble each other
		{"axons", ""},  // the popular name is short
		{"chalks", ""}, // a dependency of the project
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: tt.name, Project: "/src/npm"}})
		if err != nil {
			t.Fatal(err)
		}
		_, head, _ := strings.Cut(a.Text, "# "+tt.name)
		_, head, _ = strings.Cut(head, "\n\n")
		got := ""
		if first, _, _ := strings.Cut(head, "\n"); !strings.Contains(first, "read from") && !strings.HasPrefix(first, "> Deprecated: ") {
			got = strings.TrimPrefix(first, "> ")
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if r.online {
		t.Error("the registry may be asked for the line of an overview")
	}
}
