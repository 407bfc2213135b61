package lookup

import (
	"context"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// Read returns the package with exactly the name in the question. Callers must not modify it.
func (l *Lookup) Read(ctx context.Context, q Package) (*apidoc.Package, error) {
	p, err := l.catalog.Read(store.Once(ctx), q)
	if err != nil {
		return nil, err
	}
	return p.Package, nil
}

// ReadIndex returns the index of a package's entry points; see ecosystem.Query.Index.
func (l *Lookup) ReadIndex(ctx context.Context, q Package) (*apidoc.Package, error) {
	if language := l.Languages().Find(q.Language); language != nil && !language.Info().Indexes {
		return nil, ecosystem.Fail(ecosystem.Invalid, "packages of %s have no index", language.Info().ID)
	}
	query := q.Query()
	query.Index = true
	return l.store.Describe(ctx, q.Language, query)
}

// Purposes returns the synopses of a project's dependencies by the names of the packages and of
// their modules. It returns those that have been read, and starts to read the others in the
// background. whole is true when all have been read.
func (l *Lookup) Purposes(q Package) (purposes map[string]string, whole bool, err error) {
	language, _, err := l.projectLanguage(q)
	if err != nil {
		return nil, false, err
	}
	r, err := l.dependencies(language, q.Project)
	if err != nil {
		return nil, false, err
	}
	r.mu.Lock()
	whole = r.looked == len(r.all)
	r.mu.Unlock()
	r, packages, _ := r.snapshot()
	all := r.all
	purposes = map[string]string{}
	for i, p := range packages {
		if p == nil || p.Synopsis == "" {
			continue
		}
		purposes[all[i].Package] = p.Synopsis
		if module := all[i].Module; purposes[module] == "" {
			purposes[module] = p.Synopsis
		}
	}
	return purposes, whole, nil
}
