package store

import (
	"context"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/memory"
)

// A Searcher is a Backend that finds packages by the words in their documentation.
type Searcher interface {
	// Search returns at most limit packages that match a query, the best first, and the number
	// of packages that it covers. Callers share the packages and must not change them. The budget
	// limits the memory of packages that are decoded.
	Search(ctx context.Context, scope Scope, query string, limit int, budget *memory.Budget) (results []*apidoc.Package, total int, err error)
}

// A Scope selects the packages that a search covers: packages of a build and of some languages that
// everyone may see, and packages of a group.
type Scope struct {
	Build, Group string
	Languages    []*ecosystem.Info
}

// Searches reports whether Search works.
func (s *Store) Searches() bool {
	_, ok := s.shared.backend.(Searcher)
	return ok && s.shared.build != ""
}

// Search searches all packages of the shared backend that this store may read, in one language or,
// if language is empty, in all.
func (s *Store) Search(ctx context.Context, language apidoc.Ecosystem, query string, limit int) (results []*apidoc.Package, total int, err error) {
	scope := Scope{Build: s.shared.build, Group: s.shared.group}
	for _, l := range s.languages {
		if info := l.Info(); language == "" || info.ID == language {
			scope.Languages = append(scope.Languages, info)
		}
	}
	return s.shared.backend.(Searcher).Search(ctx, scope, query, limit, s.options.Memory)
}

// Decode decodes a value of a Backend.
func Decode(data string) (*apidoc.Package, error) {
	e, err := decodeEntry(data)
	if err != nil {
		return nil, err
	}
	return apicodec.Decode(e.pkg)
}
