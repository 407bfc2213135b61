package web

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
)

const (
	// versionPath redirects to another version of a package, or to the changes between the
	// versions.
	versionPath = "/-/version"
	// diffView is the view of the changes from one version to the version in address.Name.
	diffView = "diff"
	// maxChanges is the maximum number of changes of one severity on a page.
	maxChanges = 1000
)

// versions returns the links to the other versions of a package that the project uses.
func (s *Site) versions(r *http.Request, v *packageView) []link {
	graphs, err := s.graphs(r.Context())
	if err != nil {
		return nil // the start page says so
	}
	var all []link
	for i := range graphs {
		if graphs[i].ID != v.address.Language {
			continue
		}
		for k := range graphs[i].Graph.Packages {
			p := &graphs[i].Graph.Packages[k]
			if (p.Name == v.Name || p.Name == v.Module) && p.Version != "" && p.Version != v.Version {
				to := v.address
				to.Version = p.Version
				all = append(all, link{clean(p.Version), to.String()})
			}
		}
	}
	return all
}

// serveVersion handles the version form of a package. It redirects to the requested version, or to
// the changes between the versions.
func (s *Site) serveVersion(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	a, ok := parseAddress(values.Get("package"))
	version := strings.TrimSpace(values.Get("version"))
	language := s.lookup.Languages().Find(a.Language)
	if !ok || language == nil || version == "" || len(version) > maxName {
		s.fail(w, r, ecosystem.Fail(ecosystem.Invalid, "the package or its version is missing or invalid").WithNext("go back and enter a version, such as latest"))
		return
	}
	a = address{Language: string(language.Info().ID), Package: a.Package, Version: a.Version}
	if values.Get("show") == "difference" {
		a = a.diff(version)
	} else {
		a.Version = version
	}
	redirect(w, r, a, "")
}

// diffPage is the body of the page about the changes between two versions.
type diffPage struct {
	Name, Old, New string
	Groups         []changes
	Left           int
	Unread         []string
}

// changes holds the changes of one severity.
type changes struct {
	Title, ID string
	All       []change
}

// change is the entry of one change.
type change struct {
	Kind, Symbol string
	Name, Href   string
	To           link
	Details      []string
	Old, New     string
	Notice       string
}

// serveDiff serves the changes from the version of v to the version in a.Name.
func (s *Site) serveDiff(w http.ResponseWriter, r *http.Request, v *packageView, a address) {
	report, err := s.lookup.Compare(r.Context(), lookup.Comparison{Old: v.question, New: lookup.Package{Name: v.Name, Version: a.Name, Project: s.project}})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if to := v.address.diff(report.New.Version); report.New.Version != "" && to.String() != r.URL.EscapedPath() {
		redirect(w, r, to, "")
		return
	}
	s.renderWithin(w, "diff.html", func(divisor int) *page { return s.diffPage(v, report, divisor) })
}

// diffPage returns the page about the changes of a report. The limits of its lists are divided by
// divisor.
func (s *Site) diffPage(v *packageView, report *compare.Report, divisor int) *page {
	body := diffPage{Name: clean(v.Name), Old: clean(v.Version), New: clean(report.New.Version), Unread: cleanAll(report.Unread)}
	for _, severity := range []apidoc.Severity{apidoc.Breaking, apidoc.Risky, apidoc.Compatible} {
		g := changes{Title: title(severity.String()), ID: severity.String()}
		for i := range report.Changes {
			c := &report.Changes[i]
			switch {
			case c.Severity != severity:
			case len(g.All) == maxChanges/divisor:
				body.Left++
			default:
				g.All = append(g.All, v.change(c, report.New.Version))
			}
		}
		if len(g.All) > 0 {
			body.Groups = append(body.Groups, g)
		}
	}
	p := s.pageOf(v, nil)
	p.Title = "Changes in " + body.New + " · " + p.Title
	p.Trail = append(p.Trail, link{Text: "Changes in " + body.New})
	p.Body = &body
	for _, g := range body.Groups {
		p.Contents = append(p.Contents, heading{g.Title, g.ID, len(g.All)})
	}
	return p
}

// change returns the entry of a change. It links to the symbol in the old version, or in the new
// version if the symbol was added.
func (v *packageView) change(c *compare.Change, newVersion string) change {
	a := address{Language: v.address.Language, Package: c.Package, Version: v.Version, Symbol: c.Path}
	if c.Kind == compare.Added {
		a.Version = newVersion
	}
	name := c.Path
	if c.Package != v.Name {
		name = strings.TrimSuffix(c.Package+": "+c.Path, ": ")
	}
	out := change{Kind: string(c.Kind), Symbol: string(c.Symbol), Name: clean(name), Href: a.String(), Old: clean(c.Old), New: clean(c.New), Notice: clean(c.Notice)}
	if c.NewPath != "" || c.NewPackage != "" {
		to := address{Language: a.Language, Package: c.NewPackage, Version: newVersion, Symbol: c.NewPath}
		to.Package = cmp.Or(to.Package, c.Package)
		out.To = link{clean(fmt.Sprintf("%s: %s", to.Package, to.Symbol)), to.String()}
	}
	for _, d := range c.Details {
		out.Details = append(out.Details, clean(d.String()))
	}
	return out
}

// diff returns the address of the changes to another version.
func (a address) diff(version string) address {
	a.Symbol, a.View, a.Name = "", diffView, version
	return a
}
