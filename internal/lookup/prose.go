package lookup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/search"
)

// Prose is a question about the README, guides, examples or changelog of a package.
type Prose struct {
	Package Package
	// Section is the ID, title, file or folder of sections. Query contains words that describe the
	// subject of the sections. If both are empty, the README is requested.
	Section, Query string
	// Limit is the maximum number of bytes of the answer. There is no limit if it is 0 or less.
	Limit int
	// More describes how to request omitted sections.
	More answer.Hints
}

// Prose returns an answer with prose of a package.
func (l *Lookup) Prose(ctx context.Context, q Prose) (*answer.Answer, error) {
	p, _, err := l.resolver.FindPackage(ctx, q.Package)
	if err != nil {
		return nil, err
	}
	p = l.withProse(ctx, q.Package, p)
	requests := answer.Readme(p.Sections)
	if q.Section != "" {
		if requests, err = answer.FindSections(p.Package, q.Section); err != nil {
			return nil, err
		}
	}
	if q.Query != "" {
		if q.Section == "" {
			requests = p.Sections
		}
		among := requests
		var alike []apidoc.Section
		if requests, alike = about(p.Package, among, q.Query); len(requests) == 0 {
			return nil, noneAbout(p.Package, append(alike, answer.Outline(among)...), q.Query)
		}
	}
	return answer.Sections(p.Package, requests, q.Limit, q.More), nil
}

// Sections returns the complete sections of a package that have the given name.
func (l *Lookup) Sections(ctx context.Context, q Prose) ([]apidoc.Section, error) {
	p, _, err := l.resolver.FindPackage(ctx, q.Package)
	if err != nil {
		return nil, err
	}
	return answer.FindSections(l.withProse(ctx, q.Package, p).Package, q.Section)
}

// withProse returns the package whose prose is used for a question about p. It is p with sections
// from the web. If there are no such sections, it is the package of which p is a module or an entry
// point, because only that package has a README.
func (l *Lookup) withProse(ctx context.Context, q Package, p *catalog.Item) *catalog.Item {
	p = l.catalog.WithWeb(ctx, p)
	if len(p.Sections) > 0 || p.Module == "" || p.Module == p.Name && p.Part == "" {
		return p
	}
	q.Name, q.Version = p.Module, q.RequestedVersion()
	if q.Version == "" && q.Project == "" {
		q.Version = p.Version
	}
	if root, err := l.catalog.Read(ctx, q); err == nil && len(root.Sections) > 0 {
		return root
	}
	return p
}

// maxSections is the maximum number of sections that a query finds.
const maxSections = 50

// about returns the given sections that are about one of the queries in text, best match first. If
// there are none, alike contains the sections that only share words with a query.
func about(p *apidoc.Package, among []apidoc.Section, text string) (found, alike []apidoc.Section) {
	whole := indexOf(p, p.Doc, among)
	titles := slices.Clone(among)
	for i := range titles {
		titles[i].Body = ""
	}
	named := indexOf(p, headings(p.Doc), titles)
	queries := answer.SplitQueries(text)
	for _, query := range queries[:min(len(queries), maxQueries)] {
		hits, _ := whole.Search(query, search.Options{Fuzzy: true, Limit: maxSections})
		inTitle := map[string]bool{}
		byTitle, _ := named.Search(query, search.Options{Limit: maxSections})
		for i := range byTitle {
			inTitle[sectionKey(byTitle[i].Section)] = true
		}
		isClose := search.Close(hits)
		for i := range hits {
			s := hits[i].Section
			to := &alike
			if isClose || inTitle[sectionKey(s)] {
				to = &found
			}
			if !slices.ContainsFunc(*to, func(other apidoc.Section) bool { return sectionKey(&other) == sectionKey(s) }) {
				*to = append(*to, *s)
			}
		}
	}
	return found, alike
}

// indexOf returns an index that contains only the given documentation and sections of a package.
func indexOf(p *apidoc.Package, doc string, sections []apidoc.Section) *search.Index {
	only := *p
	only.Symbols, only.Internal, only.Elsewhere, only.Subpackages = nil, nil, nil, nil
	only.Doc, only.Sections = doc, sections
	return search.New(&only)
}

// headings returns the headings in a Markdown text.
func headings(md string) string {
	var b strings.Builder
	for l := range markup.Lines(md) {
		if !l.Code && strings.HasPrefix(l.Text, "#") {
			b.WriteString(l.Text + "\n\n")
		}
	}
	return b.String()
}

func sectionKey(s *apidoc.Section) string { return s.ID + "\n" + s.Title }

// maxNamedSections is the maximum number of sections that an error lists.
const maxNamedSections = 30

// noneAbout returns the error for a query if no section is about it. The error lists the sections.
func noneAbout(p *apidoc.Package, sections []apidoc.Section, query string) error {
	var ids []string
	for i := range sections {
		isSection := slices.ContainsFunc(p.Sections, func(s apidoc.Section) bool { return s.ID == sections[i].ID })
		if isSection && !slices.Contains(ids, sections[i].ID) {
			ids = append(ids, sections[i].ID)
		}
	}
	next := "Search the symbols of the package"
	if len(ids) > 0 {
		next = "Its sections: " + quote.List(ids, maxNamedSections) + ". Request one of them, or search the symbols of the package"
	}
	return fmt.Errorf("no section of the documentation of %s is about %q. %s", p.Name, query, next)
}
