package lookup

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/search"
)

// A search in dependencies searches the exports of their root packages. If the query is the name of
// a symbol, the search also finds it in their other modules, entry points and packages. The indexes
// of packages show where the symbol is, so that only a few of these must be read.

const (
	// exactReaders is the number of packages whose indexes are read concurrently.
	exactReaders = 4
	// maxExact is the maximum number of symbols that are added to the results of one query.
	maxExact = 3
)

// isName reports whether a query can be the name of a symbol.
func isName(query string) bool {
	return len(query) > 2 && identifier(query) == query
}

func inName(r rune) bool {
	return r == '_' || r == '$' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// addExact searches the entry points of packages other than their roots for symbols whose name is
// the query. It adds them before the other results, unless one of these already has that name. It
// returns the number of packages that it could not search in time.
func (l *Lookup) addExact(ctx context.Context, r *reading, packages []*catalog.Item, result *answer.QueryResult, patience time.Duration) (unread int) {
	if !isName(result.Query) || slices.ContainsFunc(result.Hits, func(h answer.Hit) bool { return h.Symbol.Name() == result.Query }) {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found := make([]*Target, len(packages))
	hash := nameHash(result.Query)
	var candidates []int
	for i, p := range packages {
		if p != nil && r.mayHaveBelow(i, p, hash) {
			candidates = append(candidates, i)
		}
	}
	unread = len(candidates)
	_ = parallel.Limit(ctx, len(candidates), exactReaders, func(int, int) { unread-- }, func(n int) {
		i := candidates[n]
		found[i] = l.exactBelow(ctx, r, i, packages[i], result.Query)
	})
	best := 1.0
	if len(result.Hits) > 0 {
		best = result.Hits[0].Score
	}
	var hits []answer.Hit
	for _, t := range found {
		if t != nil && len(hits) < maxExact && !slices.ContainsFunc(hits, func(h answer.Hit) bool { return resolve.SameDeclaration(h.Symbol, t.Symbol) }) {
			hits = append(hits, answer.Hit{Renderer: t.Renderer(), Hit: search.Hit{Symbol: t.Symbol, Score: best}})
		}
	}
	result.Total += len(hits)
	result.Hits = append(hits, result.Hits...)
	return unread
}

// exactBelow finds a symbol by name in the other entry points of package number i. If the package
// is required directly and its language has no index, it searches the other packages of its module.
// It returns nil if there is no such symbol.
func (l *Lookup) exactBelow(ctx context.Context, r *reading, i int, p *catalog.Item, name string) *Target {
	q := r.question(i)
	x, others := l.readBelow(ctx, r, i, p)
	if x != nil {
		others = nil
		for _, entry := range x.Exporting(name, p.Name) {
			others = append(others, l.catalog.ReadAll(ctx, q, []string{entry})...)
		}
	}
	for _, other := range others {
		if s := other.Exported(name); s != nil {
			return &Target{Item: other, Symbol: s}
		}
	}
	return nil
}

// question returns the question that finds dependency number i.
func (r *reading) question(i int) Package {
	return Package{Language: string(r.language.Info().ID), Name: r.all[i].Package, Project: r.dir}
}

// readBelow reads the index of package number i or, if there is none, the other packages of its
// module, and records the names in them.
func (l *Lookup) readBelow(ctx context.Context, r *reading, i int, p *catalog.Item) (x *catalog.Index, others []*catalog.Item) {
	q := r.question(i)
	if x = l.catalog.Index(ctx, q, p); x != nil {
		r.setBelow(ctx, i, p, x.Item)
		return x, nil
	}
	var rest []string
	if r.all[i].Direct && !r.language.Info().Indexes {
		others, rest = l.catalog.Family(ctx, q, p)
	}
	if len(rest) == 0 {
		r.setBelow(ctx, i, p, others...)
	}
	return nil, others
}

// namesBelow contains the hashes of the names of symbols in the other entry points and packages of
// a dependency, in ascending order. With the hashes, most packages that do not have a name do not
// have to be read again.
type namesBelow struct {
	dependency *apidoc.Package // the dependency
	hashes     []uint32
}

var nameSeed = maphash.MakeSeed()

func nameHash(name string) uint32 { return uint32(maphash.String(nameSeed, name)) } // #nosec G115 -- a part of the hash

// mayHaveBelow reports whether package number i may have a symbol whose name has the given hash in
// its other entry points.
func (r *reading) mayHaveBelow(i int, p *catalog.Item, hash uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.below == nil || r.below[i].dependency != p.Package {
		return true
	}
	_, found := slices.BinarySearch(r.below[i].hashes, hash)
	return found
}

// setBelow records the names in the other entry points of package number i. It does not do so if
// some may be missing because ctx is done.
func (r *reading) setBelow(ctx context.Context, i int, p *catalog.Item, others ...*catalog.Item) {
	if ctx.Err() != nil {
		return
	}
	var hashes []uint32
	for _, other := range others {
		for s := range other.Everywhere {
			hashes = append(hashes, nameHash(identifier(s.Path)))
		}
	}
	slices.Sort(hashes)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.below == nil {
		r.below = make([]namesBelow, len(r.all))
	}
	r.below[i] = namesBelow{p.Package, slices.Clip(slices.Compact(hashes))}
}

// readAllBelow reads the names in the other entry points of the dependencies for which the previous
// reading has them. Searches then do not have to wait for this.
func (l *Lookup) readAllBelow(ctx context.Context, r *reading) {
	r.mu.Lock()
	previous, packages := r.previous, slices.Clone(r.packages)
	r.mu.Unlock()
	if previous == nil {
		return
	}
	previous.mu.Lock()
	below := slices.Clone(previous.below)
	previous.mu.Unlock()
	for i, p := range packages {
		if p != nil && i < len(below) && below[i].dependency != nil {
			l.readBelow(ctx, r, i, p)
		}
	}
}

// identifier returns the beginning of a path that can be a query for an exact name.
func identifier(path string) string {
	end := strings.IndexFunc(path, func(r rune) bool { return !inName(r) })
	if end < 0 {
		return path
	}
	return path[:end]
}
