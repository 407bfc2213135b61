package lookup

import (
	"context"
	"fmt"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/search"
)

// Prose is a question for the README, guides, examples and changelog of a
// package.
type Prose struct {
	Package Package
	// Section is the ID, title, file or folder of sections. Query has words that
	// the sections should be about. If both are empty, the question is for the
	// README.
	Section, Query string
	// Limit is the maximum number of bytes of the answer; 0 or less means no
	// bound.
	Limit int
	// More holds the words that tell the reader how to ask for sections that are
	// left out.
	More answer.Hints
}

// Prose answers with prose of a package.
func (l *Lookup) Prose(ctx context.Context, q Prose) (*answer.Answer, error) {
	p, _, err := l.findPackage(ctx, q.Package)
	if err != nil {
		return nil, err
	}
	p = l.withProse(ctx, q.Package, p)
	asked := answer.Readme(p.Sections)
	if q.Section != "" {
		if asked, err = answer.FindSections(p.Package, q.Section); err != nil {
			return nil, err
		}
	}
	if q.Query != "" {
		if q.Section == "" {
			asked = p.Sections
		}
		if asked = about(p.Package, asked, q.Query); len(asked) == 0 {
			return nil, fmt.Errorf("no section of the documentation of %s is about %q: ask with fewer or other words, without a query to see what there is, or search its symbols", p.Name, q.Query)
		}
	}
	return answer.Sections(p.Package, asked, q.Limit, q.More), nil
}

// Sections returns the sections of a package that have the given name, without
// shortening them.
func (l *Lookup) Sections(ctx context.Context, q Prose) ([]apidoc.Section, error) {
	p, _, err := l.findPackage(ctx, q.Package)
	if err != nil {
		return nil, err
	}
	return answer.FindSections(l.withProse(ctx, q.Package, p).Package, q.Section)
}

// withProse returns the package whose prose a question about p means. That is p
// with sections from the web. If there are none, it is the package of which p is
// a module or an entry point, since only that package has a README.
func (l *Lookup) withProse(ctx context.Context, q Package, p *prepared) *prepared {
	p = l.withWeb(ctx, p)
	if len(p.Sections) > 0 || p.Module == "" || p.Module == p.Name {
		return p
	}
	q.Name, q.Version = p.Module, versionOf(q)
	if q.Version == "" && q.Project == "" {
		q.Version = p.Version
	}
	if root, err := l.read(ctx, q); err == nil && len(root.Sections) > 0 {
		return root
	}
	return p
}

// maxSections bounds the sections that a query finds.
const maxSections = 50

// about returns those of the given sections that a query finds, best first.
func about(p *apidoc.Package, among []apidoc.Section, query string) []apidoc.Section {
	only := *p
	only.Symbols, only.Subpackages, only.Sections = nil, nil, among
	hits, _ := search.New(&only).Search(query, search.Options{Fuzzy: true, Limit: maxSections})
	var found []apidoc.Section
	for i := range hits {
		if hits[i].Section != nil {
			found = append(found, *hits[i].Section)
		}
	}
	return found
}
