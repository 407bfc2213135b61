package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// SchemaVersion is the version of the format of Report.
const SchemaVersion = 1

// Report is the result of an audit. docs/json.md documents its JSON.
type Report struct {
	SchemaVersion int       `json:"schemaVersion"`
	Packages      int       `json:"packages"` // number of packages that were looked up
	Findings      []Finding `json:"findings"`
	// Problems are sentences about packages that could not be audited.
	Problems []string `json:"problems,omitempty"`
}

// Finding is an advisory about a package that the project uses.
type Finding struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version"`
	// File is the file that determines the version, relative to the project.
	File string `json:"file,omitempty"`
	// Inactive is true if the project does not use the package on this machine.
	Inactive bool `json:"inactive,omitempty"`
	// ID is the ID of the advisory, and Aliases are other IDs of the same vulnerability.
	ID      string   `json:"id"`
	Aliases []string `json:"aliases,omitempty"`
	Summary string   `json:"summary,omitempty"`
	// Severity is "critical", "high", "moderate" or "low", or "" if the database does not specify
	// one.
	Severity string `json:"severity,omitempty"`
	CVSS     string `json:"cvss,omitempty"` // vector
	// Fixed are the versions that fix it, the next one first.
	Fixed []string `json:"fixed,omitempty"`
}

// used is a package of the project in the form that the database uses.
type used struct {
	finding       Finding // for the same version, without the advisory
	name, version string
}

// Run looks up the packages of a project. languages are the languages of the graphs.
func Run(ctx context.Context, all []depgraph.Language, languages ecosystem.Languages, database *Database) (*Report, error) {
	report := &Report{SchemaVersion: SchemaVersion, Findings: []Finding{}}
	for i := range all {
		advised, ok := languages.Find(all[i].ID).(ecosystem.Advised)
		if !ok {
			report.Problems = append(report.Problems, fmt.Sprintf("No advisory database covers %s packages.", all[i].Name))
			continue
		}
		report.Problems = append(report.Problems, all[i].Graph.Problems...)
		if err := report.audit(ctx, &all[i], advised, database); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(report.Findings, func(f, g Finding) int {
		return cmp.Or(cmp.Compare(rank(g.Severity), rank(f.Severity)), strings.Compare(f.Language, g.Language), strings.Compare(f.Package, g.Package), strings.Compare(f.Version, g.Version), strings.Compare(f.ID, g.ID))
	})
	return report, nil
}

// severities are the words for severities, from the lowest to the highest.
var severities = []string{"", "low", "moderate", "high", "critical"}

// rank returns a number that orders severities. Unknown words have the lowest rank.
func rank(word string) int { return max(slices.Index(severities, word), 0) }

// audit adds the advisories for the packages of one language.
func (r *Report) audit(ctx context.Context, l *depgraph.Language, advised ecosystem.Advised, database *Database) error {
	packages := map[string][]used{}
	query := names{}
	osv := ""
	all := slices.Concat(l.Graph.Packages, l.Graph.Bundled)
	for i := range all {
		p := &all[i]
		system, name, version := advised.Advisories(p)
		if p.Member || p.Dir != "" || system == "" || name == "" || version == "" {
			continue
		}
		osv = system
		r.Packages++
		query[fold(name)] = true
		packages[fold(name)] = append(packages[fold(name)], used{
			Finding{Language: l.ID, Package: p.Name, Version: p.Version, File: p.File, Inactive: p.Inactive}, name, version,
		})
	}
	if len(packages) == 0 {
		return nil
	}
	var found []Finding
	stale, err := database.each(ctx, osv, query, func(a *advisory) {
		for i := range a.Affected {
			about := &a.Affected[i]
			if system, _, _ := strings.Cut(about.Package.Ecosystem, ":"); !strings.EqualFold(system, osv) {
				continue
			}
			for _, u := range packages[fold(about.Package.Name)] {
				if u.name != about.Package.Name && !strings.EqualFold(fold(u.name), fold(about.Package.Name)) {
					continue
				}
				vulnerable, fixed := about.covers(u.version, advised.CompareVersions)
				if !vulnerable {
					continue
				}
				f := u.finding
				f.ID, f.Aliases, f.Fixed = a.ID, slices.Clone(a.Aliases), fixed
				f.Summary = summary(a)
				f.Severity, f.CVSS = a.rating(about)
				found = append(found, f)
			}
		}
	})
	if err != nil {
		return err
	}
	if stale != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("Docent could not download the advisories for %s again, so it used an older copy: %v.", l.Name, stale))
	}
	r.Findings = append(r.Findings, joined(found)...)
	return nil
}

// maxSummary is the maximum size, in bytes, of the summary of an advisory that has only details.
const maxSummary = 200

func summary(a *advisory) string {
	if a.Summary != "" {
		return a.Summary
	}
	first, _, _ := strings.Cut(strings.TrimSpace(a.Details), "\n")
	if len(first) > maxSummary {
		first = strings.ToValidUTF8(first[:maxSummary], "") + "…"
	}
	return first
}

// joined merges findings about the same vulnerability in the same version, because databases copy
// each other's advisories.
func joined(all []Finding) []Finding {
	slices.SortFunc(all, func(f, g Finding) int {
		// Findings with more information come first.
		return cmp.Or(cmp.Compare(rank(g.Severity), rank(f.Severity)), cmp.Compare(len(g.CVSS), len(f.CVSS)), cmp.Compare(len(g.Fixed), len(f.Fixed)), strings.Compare(f.ID, g.ID))
	})
	var out []Finding
	for _, f := range all {
		i := slices.IndexFunc(out, func(o Finding) bool {
			same := func(id string) bool { return id == o.ID || slices.Contains(o.Aliases, id) }
			return o.Package == f.Package && o.Version == f.Version && (same(f.ID) || slices.ContainsFunc(f.Aliases, same))
		})
		if i < 0 {
			out = append(out, f)
			continue
		}
		for _, id := range append([]string{f.ID}, f.Aliases...) {
			if id != out[i].ID && !slices.Contains(out[i].Aliases, id) {
				out[i].Aliases = append(out[i].Aliases, id)
			}
		}
		for _, version := range f.Fixed {
			if !slices.Contains(out[i].Fixed, version) && len(out[i].Fixed) == 0 {
				out[i].Fixed = append(out[i].Fixed, version)
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].Aliases)
		out[i].Aliases = slices.Compact(out[i].Aliases)
	}
	return out
}

// Fails reports whether there is a finding of at least a given severity: "low", "moderate", "high"
// or "critical". A finding without a severity counts as critical. For "never", Fails returns false.
func (r *Report) Fails(severity string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return severity != "never" && (f.Severity == "" || rank(f.Severity) >= rank(severity))
	})
}
