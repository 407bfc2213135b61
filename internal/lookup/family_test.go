package lookup

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func TestPackagesOfAModuleAreSearchedAsFarAsTheyAreReadInTime(t *testing.T) {
	const left = "Not searched: "
	for _, tt := range []struct {
		time time.Duration
		want []string
		not  string
	}{
		{0, []string{
			"**Glaze**",
			left + "example.com/kiln/b, because example.com/kiln has more packages than docent can read at once; to search one of them, specify its name\n",
		}, "GlazeAll"},
		{time.Hour, []string{"**Glaze**", "GlazeAll"}, left},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, m := withDependencies(2 * time.Second)
			for _, p := range []*apidoc.Package{
				pkg("example.com/kiln", "example.com/kiln", []string{"example.com/kiln/a", "example.com/kiln/b"}, "Fire"),
				pkg("example.com/kiln/a", "example.com/kiln", nil, "Glaze"),
				pkg("example.com/kiln/b", "example.com/kiln", nil, "GlazeAll"),
			} {
				m.packages[p.Name] = p
			}
			l.FamilyTime = tt.time
			a, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/kiln"}, Query: "glaze"})
			if err != nil || !found {
				t.Fatal(found, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(a.Text, want) {
					t.Errorf("in %v: %q is not in\n%s", tt.time, want, a.Text)
				}
			}
			if strings.Contains(a.Text, tt.not) {
				t.Errorf("in %v: %q is in\n%s", tt.time, tt.not, a.Text)
			}
		})
	}
}

func TestAMemberThatATypeOfAnotherModuleDeclaresIsFoundOnce(t *testing.T) {
	l, m := withDependencies(0)
	root := pkg("kiln", "kiln", []string{"kiln.commands"}, "Kiln")
	root.Symbols[0].Members = []apidoc.Symbol{{Path: "Kiln.glaze", Kind: apidoc.Method, Signature: "def glaze()", File: "commands.py", Line: 7, From: "Commands"}}
	below := pkg("kiln.commands", "kiln", nil, "Commands")
	below.Symbols[0].Members = []apidoc.Symbol{
		{Path: "Commands.glaze", Kind: apidoc.Method, Signature: "def glaze()", File: "commands.py", Line: 7},
		{Path: "Commands.glaze_all", Kind: apidoc.Method, Signature: "def glaze_all()", File: "commands.py", Line: 9},
	}
	m.packages["kiln"], m.packages["kiln.commands"] = root, below
	results, err := l.Matches(t.Context(), Search{Package: Package{Language: "go", Name: "kiln"}, Query: "glaze"})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, h := range results[0].Hits {
		found = append(found, h.Symbol.Path)
	}
	if got := strings.Join(found, " "); got != "Kiln.glaze Commands.glaze_all" {
		t.Errorf("found %s", got)
	}
}

// rootless is a language with a module that has no package at its root.
type rootless struct{ shelves }

func (r *rootless) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package == "example.com/kiln" {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package at its root", Packages: []apidoc.Subpackage{
			{Name: "example.com/kiln/cmd", Command: true}, {Name: "example.com/kiln/fire", Synopsis: "Fires."}, {Name: "example.com/kiln/glaze"},
		}}
	}
	return r.shelves.Find(ctx, q)
}

func TestRootlessModule_ItsPackagesAreFound(t *testing.T) {
	r := &rootless{shelves{id: "go", packages: map[string]*apidoc.Package{}}}
	for _, p := range []*apidoc.Package{pkg("example.com/kiln/fire", "example.com/kiln", nil, "Start"), pkg("example.com/kiln/glaze", "example.com/kiln", nil, "Mix")} {
		r.packages[p.Name] = p
	}
	l := New(store.New(ecosystem.Languages{r}, store.Options{}))
	question := Package{Language: "go", Name: "example.com/kiln"}
	a, found, err := l.Search(t.Context(), Search{Package: question, Query: "mix; start"})
	if err != nil || !found {
		t.Fatal(found, err)
	}
	for _, want := range []string{"# Found in example.com/kiln@v1\n", "**Mix** in example.com/kiln/glaze", "**Start** in example.com/kiln/fire"} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("the search lacks %q:\n%s", want, a.Text)
		}
	}
	for symbols, want := range map[string]string{"": "no package at its root", "Mix": "Mix (func) in example.com/kiln/glaze"} {
		a, err := l.Describe(t.Context(), Description{Package: question, Symbols: symbols})
		if err != nil || !strings.Contains(a.Text, want) {
			t.Errorf("%q: %v, %v", symbols, a, err)
		}
	}
	if _, err := l.Prose(t.Context(), Prose{Package: question}); err == nil || err.Error() != "no package at its root" {
		t.Errorf("its README: %v", err)
	}
}
