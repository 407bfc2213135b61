package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
)

// resolvePackages contains packages of Go's standard library. resolveSecond is another package that
// exports none of their names.
var (
	resolvePackages = []string{"bufio", "container/heap", "context", "encoding/json", "errors", "io", "net/url", "path", "sync", "text/tabwriter", "time"}
	resolveSecond   = "unicode/utf16"
)

// TestResolve_EveryWayFindsTheSymbol requests every symbol of several packages as data, as data
// with a second package, as text, and by a search for its path.
func TestResolve_EveryWayFindsTheSymbol(t *testing.T) {
	l := lookup.New(openStore(languages, true))
	for _, name := range resolvePackages {
		question := lookup.Package{Language: "go", Name: name}
		whole, _, err := l.Select(t.Context(), lookup.Description{Package: question})
		if err != nil || len(whole) != 1 {
			t.Fatalf("%s: %d packages, %v", name, len(whole), err)
		}
		for s := range whole[0].All {
			want := name + " " + s.Path
			d := lookup.Description{Package: question, Symbols: s.Path}
			if got, _ := selected(t, l, d); !slices.Equal(got, []string{want}) {
				t.Errorf("%s as data: %q", want, got)
			}
			if a, err := l.Describe(t.Context(), d); err != nil || !strings.Contains(a.Text, "# "+s.Path+" (") {
				t.Errorf("%s as text: %v", want, err)
			}
			d.Package.Name += ", " + resolveSecond
			if got, _ := selected(t, l, d); !slices.Equal(got, []string{want}) {
				t.Errorf("%s with a second package: %q", want, got)
			}
			results, err := l.Matches(t.Context(), lookup.Search{Package: question, Query: s.Path})
			if err != nil || !slices.ContainsFunc(results[0].Hits, func(h answer.Hit) bool { return h.Symbol != nil && h.Symbol.Path == s.Path }) {
				t.Errorf("%s by a search: not among the results, %v", want, err)
			}
		}
	}
}

// TestResolve_EveryWayFailsAlike requests names that packages do not have. They are invented,
// misspelled, or in a different case. All ways must return the same suggestions and never another
// symbol.
func TestResolve_EveryWayFailsAlike(t *testing.T) {
	l := lookup.New(openStore(languages, true))
	for _, name := range resolvePackages {
		question := lookup.Package{Language: "go", Name: name}
		whole, _, err := l.Select(t.Context(), lookup.Description{Package: question})
		if err != nil || len(whole) != 1 {
			t.Fatalf("%s: %d packages, %v", name, len(whole), err)
		}
		p := whole[0].Package
		for i := range p.Symbols {
			path := p.Symbols[i].Path
			for _, missing := range []string{"Zq" + path + "Zq", path + "x", strings.ToUpper(path)} {
				if naming.Exact(p, missing) != nil {
					continue
				}
				d := lookup.Description{Package: question, Symbols: missing}
				found, asData := selected(t, l, d)
				if asData == nil {
					t.Errorf("%s in %s: found %q", missing, name, found)
					continue
				}
				if _, err := l.Describe(t.Context(), d); err == nil || err.Error() != asData.Error() {
					t.Errorf("%s in %s as text: %v, as data: %v", missing, name, err, asData)
				}
				absent, ok := errors.AsType[*naming.NoSymbolError](asData)
				if alike := strings.EqualFold(missing, path); !ok || absent.Case != alike || alike && !slices.Contains(absent.Near, path) {
					t.Errorf("%s in %s: %v", missing, name, asData)
				}
				for _, flags := range [][]string{{}, {"--json"}} {
					got := docent(append([]string{"describe", "go", name, missing}, flags...)...)
					if got.code != 3 || got.out != "" || !strings.Contains(got.err, asData.Error()) {
						t.Errorf("describe %s %s %v: code %d, %q, %s", name, missing, flags, got.code, got.out, got.err)
					}
				}
				d.Package.Name += ", " + resolveSecond
				if found, err := selected(t, l, d); err == nil || err.Error() != asData.Error() {
					t.Errorf("%s in %s with a second package: %q, %v; alone: %v", missing, name, found, err, asData)
				}
			}
		}
	}
}

// selected returns the symbols to which a question refers, each as package and path.
func selected(t *testing.T, l *lookup.Lookup, d lookup.Description) (found []string, err error) {
	t.Helper()
	targets, problems, err := l.Select(t.Context(), d)
	for _, target := range targets {
		found = append(found, target.Name+" "+target.Symbol.Path)
	}
	return found, errors.Join(append(problems, err)...)
}
