// Package catalog reads the packages that questions are about, and prepares them for answers. It
// creates a renderer and a search index for each package and, if a package has several entry
// points, an index of their exports.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// Settings contains the properties of a Catalog. They may be changed before the first question.
type Settings struct {
	// Web adds sections to the prose of packages. It may be nil.
	Web Web
	// Without contains the parts of the ranking that searches skip, to measure their effect.
	Without search.Parts
	// Single is true if only one question will be asked. The index of a package is then dropped
	// before the matching parts are read.
	Single bool
	// MaxBytes is the approximate maximum memory for the packages, or 64 MiB if zero. Their indexes
	// are not counted and need about the same amount again. The least recently used packages are
	// dropped first. The last package is always kept.
	MaxBytes int64
	// FamilyTime is the maximum time for reading the other packages of a module, or 3 seconds if
	// zero. Packages that have not been read in that time are not searched.
	FamilyTime time.Duration
}

// Catalog reads the packages of a store. It keeps recently used packages with their renderers and
// indexes. It is safe for concurrent use.
type Catalog struct {
	store    *store.Store
	settings *Settings

	mu     sync.Mutex
	recent []*Item // most recently used last
}

// New returns a Catalog for the packages of a store. The settings must not change after the first
// question.
func New(s *store.Store, settings *Settings) *Catalog { return &Catalog{store: s, settings: settings} }

// Languages returns the languages whose packages can be read.
func (c *Catalog) Languages() ecosystem.Languages { return c.store.Languages() }

// Question describes the package that a question is about.
type Question struct {
	// Language is the ID of a language or another name for it.
	Language string
	// Name is the package's name in imports, optionally with a version. It may also be a qualified
	// symbol ("json.Marshal").
	Name string
	// Version is the requested version. If it is empty, the project determines the version.
	Version string
	// Platform is the platform whose files are read. If it is empty, it is the platform of this
	// machine.
	Platform string
	// Features contains optional parts to read in addition to those that the project enables.
	Features string
	// Project is a directory of the user's project, or empty.
	Project string
}

// RequestedVersion returns the version that a question specifies in Version or after the package's
// name, or "".
func (q Question) RequestedVersion() string {
	if q.Version == "" {
		if _, version, ok := strings.Cut(strings.TrimPrefix(q.Name, "@"), "@"); ok {
			return version
		}
	}
	return q.Version
}

// Query returns the query for the package in the form that a language's reader expects.
func (q Question) Query() ecosystem.Query {
	return ecosystem.Query{Package: q.Name, Version: q.Version, ProjectDir: q.Project, Platform: q.Platform, Features: q.Features}
}

// Item is a package with its renderer and its index. They are created when they are first needed.
type Item struct {
	*apidoc.Package
	// Renderer returns the renderer of the package.
	Renderer func() *answer.Renderer
	// SearchIndex returns the index of the package's symbols and sections.
	SearchIndex func() *search.Index
	// exporters returns the entry points that export each path, if the package is an index.
	exporters func() *exporters
	web       webDocs
	bytes     int64 // memory of the package in bytes
}

// Exported returns the symbol at a path that users can import from p itself, or nil.
func (p *Item) Exported(path string) *apidoc.Symbol {
	if s := naming.Exact(p.Package, path); s != nil && !p.IsInternal(s) {
		return s
	}
	return nil
}

const (
	// maxPrepared is the maximum number of packages in a Catalog.
	maxPrepared = 128
	// preparedBytes is the default value of Settings.MaxBytes.
	preparedBytes = 64 << 20
)

// Prepare returns the item of p. It drops the least recently used packages.
func (c *Catalog) Prepare(p *apidoc.Package) *Item {
	c.mu.Lock()
	defer c.mu.Unlock()
	index := slices.IndexFunc(c.recent, func(r *Item) bool { return r.Package == p })
	if index < 0 {
		index = len(c.recent)
		r := c.NewItem(p)
		if !c.settings.Single { // with Single, there is no second question
			r.bytes = store.Weigh(p)
		}
		c.recent = append(c.recent, r)
	}
	r := c.recent[index]
	c.recent = append(slices.Delete(c.recent, index, index+1), r)
	var bytes int64
	first := len(c.recent) // the first entry that is kept
	for first > 0 && len(c.recent)-first < maxPrepared {
		bytes += c.recent[first-1].bytes
		if bytes > cmp.Or(c.settings.MaxBytes, preparedBytes) && first < len(c.recent) {
			break
		}
		first--
	}
	c.recent = slices.Delete(c.recent, 0, first)
	return r
}

// Forget drops an item.
func (c *Catalog) Forget(p *Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent = slices.DeleteFunc(c.recent, func(r *Item) bool { return r == p })
}

// NewItem returns an item for p, which the catalog does not keep.
func (c *Catalog) NewItem(p *apidoc.Package) *Item {
	return &Item{
		Package:     p,
		Renderer:    sync.OnceValue(func() *answer.Renderer { return answer.NewRenderer(p) }),
		SearchIndex: sync.OnceValue(func() *search.Index { return search.New(p).Without(c.settings.Without) }),
		exporters:   sync.OnceValue(func() *exporters { return exportersIn(p) }),
		web:         webDocs{turn: make(chan struct{}, 1)},
	}
}

// Ready returns the item of p if the catalog has one. Otherwise, it returns a new item, which the
// catalog does not keep.
func (c *Catalog) Ready(p *apidoc.Package) *Item {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.recent, func(r *Item) bool { return r.Package == p }); i >= 0 {
		return c.recent[i]
	}
	return c.NewItem(p)
}

// Read reads the package of a question by its name.
func (c *Catalog) Read(ctx context.Context, q Question) (*Item, error) {
	p, err := c.store.Describe(ctx, q.Language, q.Query())
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s was not read in time: %w", q.Name, err)
	}
	if err != nil {
		return nil, err
	}
	return c.Prepare(p), nil
}
