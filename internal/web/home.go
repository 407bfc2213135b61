package web

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
)

// homePage is the body of the start page.
type homePage struct {
	Project   string
	Languages []projectLanguage
	// Problem explains why there are no packages.
	Problem string
	// Pending is true while purposes of packages are still being read.
	Pending bool
}

// projectLanguage holds the packages of the project in one language.
type projectLanguage struct {
	ID, Name, Root  string
	Problems        []string
	Own, Direct     []packageRow
	Others, Unused  []packageRow
	Total, Required int
}

// packageRow describes a package of the project in the list of packages.
type packageRow struct {
	Name, Version, Href, Purpose string
	// Note describes special properties of the package, for example that it is not installed.
	Note string
}

// Prepare begins to read in the background what the start page shows, so that the first visitor need
// not wait for it.
func (s *Site) Prepare(ctx context.Context) {
	go func() {
		graphs, err := s.graphs(ctx)
		if err != nil {
			return // the start page says so
		}
		_, _ = s.ownPackages(ctx)
		for i := range graphs {
			s.projectLanguage(&graphs[i])
		}
	}()
}

// serveHome serves the start page.
func (s *Site) serveHome(w http.ResponseWriter, r *http.Request) {
	if s.project == "" {
		s.render(w, http.StatusOK, "open.html", &page{Title: "Documentation", Body: s.openPage()})
		return
	}
	body := homePage{Project: clean(filepath.Base(s.project))}
	p := &page{Title: body.Project, Body: &body}
	s.start(w, p)
	graphs, err := s.graphs(r.Context())
	if err != nil {
		body.Problem = clean(err.Error())
	}
	packages, err := s.ownPackages(r.Context())
	if err != nil && body.Problem == "" {
		body.Problem = clean(err.Error())
	}
	for i := range graphs {
		l, pending := s.projectLanguage(&graphs[i])
		l.Own = packages[l.ID]
		body.Languages = append(body.Languages, l)
		body.Pending = body.Pending || pending
	}
	for _, l := range body.Languages {
		p.Contents = append(p.Contents, heading{l.Name, l.ID, l.Total})
	}
	s.render(w, http.StatusOK, "home.html", p)
}

// projectLanguage returns the packages of a graph that the project does not contain itself. pending is true if the purposes of some packages
// are unknown yet.
func (s *Site) projectLanguage(graph *depgraph.Language) (l projectLanguage, pending bool) {
	g := graph.Graph
	l = projectLanguage{ID: graph.ID, Name: graph.Name, Root: clean(g.Root), Problems: cleanAll(g.Problems), Total: len(g.Packages)}
	purposes, whole, err := s.lookup.Purposes(lookup.Package{Language: graph.ID, Project: s.project})
	if err != nil {
		l.Problems, whole = append(l.Problems, clean(err.Error())), true
	}
	direct := g.Direct()
	for i := range g.Packages {
		p := &g.Packages[i]
		row := packageRowOf(graph, p, purposes)
		switch {
		case p.Member: // see ownPackages
		case p.Inactive:
			l.Unused = append(l.Unused, row)
		case direct[i]:
			l.Direct = append(l.Direct, row)
		default:
			l.Others = append(l.Others, row)
		}
	}
	l.Required = len(l.Direct)
	return l, !whole
}

func packageRowOf(graph *depgraph.Language, p *ecosystem.Used, purposes map[string]string) packageRow {
	row := packageRow{Name: clean(p.Name), Version: clean(p.Version), Href: address{Language: graph.ID, Package: p.Name, Version: p.Version}.String()}
	for _, name := range append([]string{p.Name}, p.Aliases...) {
		if row.Purpose == "" {
			row.Purpose = sentence(purposes[name])
		}
	}
	row.Note = noteOf(graph, p)
	return row
}

// noteOf describes special properties of a package of the project.
func noteOf(graph *depgraph.Language, p *ecosystem.Used) string {
	var notes []string
	if len(p.Aliases) > 0 {
		notes = append(notes, "imported as "+clean(strings.Join(p.Aliases, ", ")))
	}
	if p.Dir != "" && !p.Member {
		notes = append(notes, "in "+clean(graph.Graph.Rel(p.Dir)))
	}
	if !p.Installed && !p.Member {
		notes = append(notes, "not installed")
	}
	return strings.Join(notes, "; ")
}

// maxOwn is the maximum number of packages that are listed below one of the project's own packages.
const maxOwn = 60

// memberRows returns the rows of a package of the project and of the packages below it that can be
// shown.
func (s *Site) memberRows(ctx context.Context, graph *depgraph.Language, member *ecosystem.Used) (rows []packageRow) {
	language := s.lookup.Languages().Find(graph.ID)
	names := append([]string{member.Name}, language.Names(s.project, member.Name+"/", maxOwn)...)
	for i, name := range names {
		row := packageRow{Name: clean(name), Href: address{Language: graph.ID, Package: name}.String()}
		p, err := s.lookup.Read(ctx, lookup.Package{Language: graph.ID, Name: name, Project: s.project})
		switch {
		case err == nil:
			row.Purpose = sentence(p.Synopsis)
		case i == 0 && len(names) > 1:
			continue // a module without a root package
		default:
			row.Href = ""
		}
		if i == 0 {
			row.Note, row.Version = noteOf(graph, member), clean(member.Version)
		}
		rows = append(rows, row)
	}
	return rows
}
