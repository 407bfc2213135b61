package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	// maxQuery is the maximum length of a query, in bytes.
	maxQuery = 500
	// maxResults is the maximum number of results of a search.
	maxResults = 40
	// patience is how long a search waits for packages that are still being read.
	patience = 2 * time.Second
)

// result is a match of a search.
type result struct {
	Name     string  `json:"name"`
	Href     string  `json:"href"`
	Kind     string  `json:"kind,omitempty"`
	Package  string  `json:"package"`
	Language string  `json:"language"`
	Synopsis string  `json:"synopsis,omitempty"`
	score    float64 // comparable only within one language
}

// searchPage is the body of the page of search results.
type searchPage struct {
	Query, In string
	Results   []result
	Notes     []string
}

// serveSearch serves the results of a search as a page, or as JSON for the page's script.
func (s *Site) serveSearch(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	query := strings.TrimSpace(values.Get("q"))
	query = query[:min(len(query), maxQuery)]
	body := searchPage{Query: clean(query)}
	p := &page{Title: "Search", Query: body.Query}
	wait := patience
	asJSON := values.Get("format") == "json"
	if asJSON {
		wait = time.Millisecond
	}
	if query != "" {
		p.Title = body.Query + " · Search"
	}
	var err error
	if in := values.Get("in"); in != "" {
		a, ok := parseAddress(in)
		if !ok {
			s.fail(w, r, ecosystem.Fail(ecosystem.Invalid, "%.200q is not the address of a package", in))
			return
		}
		v, failed := s.load(r.Context(), a)
		if failed != nil {
			s.fail(w, r, failed)
			return
		}
		body.In = clean(v.Name)
		p.Scope = &scope{body.In, v.address.String()}
		if query != "" {
			body.Results, err = s.searchPackage(r.Context(), v, query)
		}
	} else if query != "" {
		if !asJSON {
			s.start(w, p) // A search of a project that is being read takes a while, but does not fail.
		}
		body.Results, body.Notes, err = s.searchProject(r.Context(), query, wait)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if asJSON {
		w.Header().Set("Content-Type", "application/json")
		if err := s.encode(w, body.Results); err != nil {
			s.fail(w, r, err)
		}
		return
	}
	p.Body = &body
	s.render(w, http.StatusOK, "search.html", p)
}

// searchPackage searches a package and the other packages of its module.
func (s *Site) searchPackage(ctx context.Context, v *packageView, query string) ([]result, error) {
	results, err := s.lookup.Matches(ctx, lookup.Search{Package: v.question, Query: oneQuery(query), Limit: maxResults})
	return resultsOf(results), err
}

// oneQuery makes a single query of text that may contain separators of queries.
func oneQuery(query string) string {
	return strings.Join(strings.FieldsFunc(query, func(r rune) bool { return r == ';' || r == '\n' || r == '\r' }), " ")
}

// searchProject searches the dependencies of the project in all languages.
func (s *Site) searchProject(ctx context.Context, query string, wait time.Duration) (results []result, notes []string, err error) {
	if s.project == "" {
		return nil, []string{"Open a package to search it."}, nil
	}
	deadline := time.Now().Add(wait)
	languages := s.lookup.Languages()
	found := false
	for _, l := range languages {
		if _, ok := l.(ecosystem.Lister); !ok || !l.HasProject(s.project) {
			continue
		}
		found = true
		q := lookup.Dependencies{
			Search:   lookup.Search{Package: lookup.Package{Language: string(l.Info().ID), Project: s.project}, Query: oneQuery(query), Limit: maxResults},
			Patience: max(time.Until(deadline), time.Millisecond),
		}
		queries, about, err := s.lookup.DependencyMatches(ctx, q)
		switch {
		case errors.Is(err, project.ErrNone):
			continue
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			notes = append(notes, clean(l.Info().Style.Name+": "+err.Error()))
			continue
		}
		results = append(results, resultsOf(queries)...)
		for _, note := range about {
			notes = append(notes, clean(l.Info().Style.Name+": "+note))
		}
	}
	if !found {
		return nil, []string{"There is no project in " + s.project + "."}, nil
	}
	slices.SortStableFunc(results, func(a, b result) int { return rank(b, query) - rank(a, query) })
	results = append(s.packagesNamed(ctx, query), results...)
	return results[:min(len(results), maxResults)], notes, nil
}

// rank returns the rank of a result among results in several languages. Exact matches of the query
// rank higher.
func rank(r result, query string) int {
	n := int(r.score * 1000)
	if strings.EqualFold(r.Name, query) || strings.EqualFold(r.Package, query) {
		n *= 2
	}
	return n
}

// resultsOf returns the matches of all searches as one list.
func resultsOf(results []answer.QueryResult) []result {
	var all []result
	for i := range results {
		for k := range results[i].Hits {
			h := &results[i].Hits[k]
			p := h.Package()
			r := result{Package: clean(p.Name), Language: p.Style.Name, score: h.Score}
			a := addressOf(p)
			switch {
			case h.Symbol != nil:
				r.Name, r.Kind, r.Href = clean(naming.Called(p, h.Symbol.Path)), string(h.Symbol.Kind), a.at(h.Symbol.Path).String()
			case h.Section != nil:
				r.Name, r.Kind, r.Href = clean(h.Section.Title), "guide", a.document(fileOf(h.Section)).String()
				if title := slug(h.Section.Title); title != "" {
					r.Href += "#" + idPrefix + title
				}
			case h.Subpackage != nil:
				a.Package = h.Subpackage.Name
				r.Name, r.Kind, r.Href = clean(h.Subpackage.Name), "package", a.String()
			default:
				continue
			}
			r.Synopsis = sentence(h.Snippet())
			all = append(all, r)
		}
	}
	return all
}

// maxNamed is the maximum number of packages that a search finds by their names.
const maxNamed = 5

// packagesNamed returns the packages of the project whose names contain the query. Names that equal
// the query come first, then names that begin with it.
func (s *Site) packagesNamed(ctx context.Context, query string) []result {
	graphs, err := s.graphs(ctx)
	if err != nil {
		return nil // the start page shows this
	}
	query = strings.ToLower(query)
	var all []result
	for i := range graphs {
		for k := range graphs[i].Graph.Packages {
			p := &graphs[i].Graph.Packages[k]
			name := strings.ToLower(p.Name)
			index := strings.Index(name, query)
			if index < 0 || p.Inactive {
				continue
			}
			score := 1.0
			switch last := name[strings.LastIndexByte(name, '/')+1:]; {
			case name == query:
				score = 4
			case last == query:
				score = 3
			case index == 0 || strings.HasPrefix(last, query):
				score = 2
			}
			all = append(all, result{
				Name: clean(p.Name), Href: address{Language: graphs[i].ID, Package: p.Name, Version: p.Version}.String(), Kind: "package",
				Package: clean(p.Version), Language: graphs[i].Name, score: score,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b result) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.Name), len(b.Name)))
	})
	return all[:min(len(all), maxNamed)]
}
