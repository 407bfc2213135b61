// Package lookup answers questions about packages. It finds the packages in a question and the
// symbols or sections that it is about, and calls package answer to write the text. Both the
// command line and the MCP server use it.
package lookup

import (
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/store"
)

// Lookup answers questions about the packages of a store.
type Lookup struct {
	catalog.Settings

	store    *store.Store
	catalog  *catalog.Catalog
	resolver *resolve.Resolver
	readings readings
}

// New returns a Lookup of the packages of a store.
func New(s *store.Store) *Lookup {
	l := &Lookup{store: s}
	l.catalog = catalog.New(s, &l.Settings)
	l.resolver = resolve.New(l.catalog)
	return l
}

// Languages returns the languages whose packages can be requested.
func (l *Lookup) Languages() ecosystem.Languages { return l.store.Languages() }

// Package describes the package that a question is about.
type Package = catalog.Question
