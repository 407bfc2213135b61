package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/github/go-spdx/v2/spdxexp"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
)

// Licenses are the licences of a project's packages. docs/json.md documents its JSON.
type Licenses struct {
	SchemaVersion int       `json:"schemaVersion"`
	Packages      []License `json:"packages"`
}

// License is the licence of one package.
type License struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version"`
	// License is an SPDX expression or the package's own words. It is empty if the licence is
	// unknown.
	License string `json:"license,omitempty"`
	// File is the file of the package that states the licence.
	File string `json:"file,omitempty"`
	// Verdict is "allowed", "denied" or "unknown", or "" without a list of allowed licences.
	Verdict string `json:"verdict,omitempty"`
}

// These are the verdicts.
const (
	allowed = "allowed"
	denied  = "denied"
	unknown = "unknown"
)

// CheckAllowed returns an error for a list of allowed licences that contains anything but SPDX
// identifiers.
func CheckAllowed(allow []string) error {
	if ok, wrong := spdxexp.ValidateLicenses(allow); !ok {
		return ecosystem.Fail(ecosystem.Invalid, "not SPDX licence identifiers: %.200q", strings.Join(wrong, ", ")).WithNext("write MIT, Apache-2.0, BSD-3-Clause and so on: https://spdx.org/licenses")
	}
	return nil
}

// ReadLicenses reads the licences of a project's packages that are on this machine. allow contains
// the SPDX identifiers of the allowed licences. If it is empty, all are allowed.
func ReadLicenses(ctx context.Context, dir string, all []depgraph.Language, languages ecosystem.Languages, allow []string) (*Licenses, error) {
	report := &Licenses{SchemaVersion: SchemaVersion, Packages: []License{}}
	var packages []*ecosystem.Used
	for i := range all {
		for n := range all[i].Graph.Packages {
			if u := &all[i].Graph.Packages[n]; !u.Member && u.Version != "" && !u.Inactive {
				report.Packages = append(report.Packages, License{Language: all[i].ID, Package: u.Name, Version: u.Version})
				packages = append(packages, u)
			}
		}
	}
	err := parallel.Limit(ctx, len(packages), 0, nil, func(i int) {
		l := &report.Packages[i]
		found := licenseOf(ctx, languages.Find(l.Language), dir, packages[i])
		l.License, l.File = found.Expression, found.From
		if len(allow) > 0 {
			l.Verdict = verdict(found.Expression, allow)
		}
	})
	return report, err
}

// licenseOf returns the licence of a package that is on this machine.
func licenseOf(ctx context.Context, l ecosystem.Language, dir string, u *ecosystem.Used) ecosystem.License {
	if l == nil {
		return ecosystem.License{}
	}
	if licenser, ok := l.(ecosystem.Licenser); ok {
		if license := licenser.License(ctx, dir, u); license != (ecosystem.License{}) {
			return license
		}
	}
	found, err := l.Find(ctx, ecosystem.Query{Package: u.Name, Version: u.Version, ProjectDir: dir, Offline: true})
	if err != nil {
		return ecosystem.License{}
	}
	if found.Close != nil {
		defer found.Close()
	}
	if found.License == nil {
		return ecosystem.License{}
	}
	return found.License(ctx)
}

// These constants limit an expression that is evaluated, because the library expands all
// combinations of alternatives.
const (
	maxExpression   = 500
	maxAlternatives = 8
)

// verdict compares an expression with the allowed licences.
func verdict(expression string, allow []string) (result string) {
	if expression == "" || len(expression) > maxExpression || strings.Count(strings.ToUpper(expression), "OR ") > maxAlternatives {
		return unknown
	}
	defer func() {
		if recover() != nil { // Neither the expression nor the parser can be trusted, so recover from panics.
			result = unknown
		}
	}()
	ok, err := spdxexp.Satisfies(expression, allow)
	switch {
	case err != nil:
		return unknown
	case ok:
		return allowed
	}
	return denied
}

// Fails reports whether a package does not have an allowed licence.
func (l *Licenses) Fails() bool {
	return slices.ContainsFunc(l.Packages, func(p License) bool { return p.Verdict == denied || p.Verdict == unknown })
}

// Text writes the packages for people, grouped by licence. With a list of allowed licences, it
// writes only packages without an allowed licence.
func (l *Licenses) Text(w io.Writer) error {
	groups := map[string][]string{}
	judged := false
	failing := 0
	for i := range l.Packages {
		p := &l.Packages[i]
		judged = judged || p.Verdict != ""
		if p.Verdict == allowed {
			continue
		}
		if p.Verdict != "" {
			failing++
		}
		title := cmp.Or(line(p.License), "not known")
		groups[title] = append(groups[title], line(p.Language)+" "+line(p.Package)+" "+line(p.Version))
	}
	titles := slices.Collect(maps.Keys(groups))
	slices.SortFunc(titles, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), strings.Compare(a, b))
	})
	var b strings.Builder
	for _, title := range titles {
		fmt.Fprintf(&b, "%s (%d)\n", title, len(groups[title]))
		for _, name := range groups[title] {
			b.WriteString("  " + name + "\n")
		}
	}
	if len(titles) > 0 {
		b.WriteByte('\n')
	}
	if len(l.Packages) == 0 {
		b.WriteString("The project has no packages with known versions.\n")
	} else if judged {
		fmt.Fprintf(&b, "%s of %s without an allowed licence\n", count(failing, "package", "packages"), fmt.Sprint(len(l.Packages)))
	} else {
		fmt.Fprintf(&b, "%s under %s\n", count(len(l.Packages), "package", "packages"), count(len(titles), "licence", "licences"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
