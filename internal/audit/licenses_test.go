package audit

import (
	"context"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// licensed is a language whose packages have the licences of their names.
type licensed struct{ ecosystem.Language }

func (licensed) Info() *ecosystem.Info { return &ecosystem.Info{ID: "x"} }

func (licensed) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package == "away" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "not here")
	}
	return &ecosystem.Found{License: func(context.Context) ecosystem.License { return ecosystem.License{Expression: q.Package} }}, nil
}

func FuzzVerdict(f *testing.F) {
	for _, text := range []string{"MIT", "(MIT OR ISC) AND Apache-2.0 WITH LLVM-exception", "GPL-2.0+", "((", "LicenseRef-x", "MIT AND", strings.Repeat("(MIT OR ISC) AND ", 20) + "MIT"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := verdict(text, []string{"MIT", "Apache-2.0"}); got != allowed && got != denied && got != unknown {
			t.Errorf("%q is %q", text, got)
		}
	})
}

func TestReadLicenses(t *testing.T) {
	g := &ecosystem.Graph{Packages: []ecosystem.Used{{Name: "own", Member: true}, {Name: "off", Version: "1", Inactive: true}}}
	for _, name := range []string{"MIT", "MIT OR GPL-3.0-only", "MIT AND GPL-3.0-only", "GPL-3.0-only", "Ask me", "away", "mit"} {
		g.Packages = append(g.Packages, ecosystem.Used{Name: name, Version: "1"})
	}
	all := []depgraph.Language{{ID: "x", Graph: g}}
	languages := ecosystem.Languages{licensed{}}
	read := func(allow ...string) (*Licenses, string) {
		report, err := ReadLicenses(t.Context(), t.TempDir(), all, languages, allow)
		if err != nil {
			t.Fatal(err)
		}
		var verdicts, text strings.Builder
		for _, p := range report.Packages {
			verdicts.WriteString(p.Package + ":" + p.Verdict + " ")
		}
		if err := report.Text(&text); err != nil {
			t.Fatal(err)
		}
		return report, verdicts.String() + "\n" + text.String()
	}
	report, text := read("MIT", "ISC")
	for _, want := range []string{
		"MIT:allowed MIT OR GPL-3.0-only:allowed MIT AND GPL-3.0-only:denied GPL-3.0-only:denied Ask me:unknown away:unknown mit:allowed ", "not known (1)\n  x away 1\n", "4 packages of 7 without an allowed licence\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if !report.Fails() {
		t.Error("it does not fail")
	}
	report, text = read()
	if report.Fails() || !strings.Contains(text, "7 packages under 7 licences\n") {
		t.Errorf("without a list it fails, or has other words:\n%s", text)
	}
	var empty strings.Builder
	if err := (&Licenses{}).Text(&empty); err != nil || empty.String() != "The project has no packages with known versions.\n" {
		t.Errorf("without packages, it writes %q, %v", empty.String(), err)
	}
	if CheckAllowed([]string{"MIT", "Apache-2.0"}) != nil || CheckAllowed([]string{"MIT", "BSD"}) == nil {
		t.Error("CheckAllowed takes what is no identifier, or refuses what is one")
	}
}
