package lookup

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/store"
)

// nested is a language whose method Names lists only modules.
type nested struct{ shelves }

func (n *nested) Names(string, string, int) []string {
	return []string{"errors", "example.com/kiln/v5"}
}

func (n *nested) Below(project string) []string {
	if project == "" {
		return []string{"example.com/kiln/v5", "example.com/vat"}
	}
	return []string{"example.com/kiln/v5/glaze", "example.com/kiln/v5/glaze/mix", "example.com/vat/stir", "example.com/kiln/v5/stir"}
}

func nestedLanguage() *nested {
	n := &nested{shelves{id: "go", packages: map[string]*apidoc.Package{}}}
	for name, symbol := range map[string]string{
		"example.com/kiln/v5": "Fire", "example.com/kiln/v5/glaze": "Dip", "example.com/kiln/v5/glaze/mix": "Stir", "errors": "New", "example.com/vat": "Drain",
		"example.com/vat/stir": "A", "example.com/kiln/v5/stir": "B",
	} {
		n.packages[name] = pkg(name, name, nil, symbol)
	}
	return n
}

func TestNames_PackagesOfDependencies(t *testing.T) {
	l := New(store.New(ecosystem.Languages{nestedLanguage()}, store.Options{}))
	for name, want := range map[string]string{
		"glaze": "# example.com/kiln/v5/glaze@v1\n", "kiln/glaze": "# example.com/kiln/v5/glaze@v1\n", "kiln/v5/glaze": "# example.com/kiln/v5/glaze@v1\n",
		"glaze/mix.Stir": "# Stir (func) in example.com/kiln/v5/glaze/mix@v1\n", "mix.Stir": "# Stir (func) in example.com/kiln/v5/glaze/mix@v1\n",
		"kiln": "# example.com/kiln/v5@v1\n", "kiln.Fire": "# Fire (func) in example.com/kiln/v5@v1\n",
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: name, Project: "/src/go"}})
		if err != nil || !strings.Contains(a.Text, want) {
			t.Errorf("%s: %v, %v, want %s", name, err, a, want)
		}
	}
	if _, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: "stir", Project: "/src/go"}}); err == nil || !strings.Contains(err.Error(), "stir can refer to any of example.com/vat/stir, example.com/kiln/v5/stir") {
		t.Errorf("a name that two dependencies have: %v", err)
	}
	if a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: "vat"}}); err != nil || !strings.Contains(a.Text, "# example.com/vat@v1\n") {
		t.Errorf("without a project: %v", err)
	}
}

// unreachable is a language whose registry cannot be reached.
type unreachable struct{ shelves }

func (u *unreachable) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	found, err := u.shelves.Find(ctx, q)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "network access is disabled")
	}
	return found, nil
}

func TestCandidates(t *testing.T) {
	remote := &unreachable{shelves{id: "npm", packages: map[string]*apidoc.Package{"errors": pkg("errors", "errors", nil)}}}
	languages := ecosystem.Languages{remote, nestedLanguage()}
	for name, want := range map[string][]resolve.Candidate{
		"errors": {{Language: "npm", Package: "errors", Local: true}, {Language: "go", Package: "errors", Local: true}},
		"vat":    {{Language: "go", Package: "example.com/vat", Local: true}, {Language: "npm", Package: "vat", Local: false}},
		"none":   {{Language: "npm", Package: "none", Local: false}},
	} {
		if got := resolve.Candidates(t.Context(), languages, name); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
