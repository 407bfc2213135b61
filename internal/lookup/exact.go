package lookup

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
)

// A search of dependencies covers what their root packages export. If the query is the name of a
// symbol, the search also finds it in their other modules, entry points and packages. The indexes
// of packages show where the symbol is, so that only few of these have to be read.

const (
	// exactReaders is the number of packages whose indexes are read at once.
	exactReaders = 4
	// maxExact is the maximum number of symbols that are added to the results of one query.
	maxExact = 3
)

// isName reports whether a query may be the name of a symbol.
func isName(query string) bool {
	return len(query) > 2 && !slices.ContainsFunc([]rune(query), func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
}

// addExact looks for symbols that a query names exactly in the entry points of packages other than
// their roots. It puts them before the other results, unless one of these already has that name. It
// returns the number of packages that it could not search in time.
func (l *Lookup) addExact(ctx context.Context, r *reading, packages []*prepared, all []ecosystem.Dependency, wish *answer.Wish, patience time.Duration) (unread int) {
	if !isName(wish.Query) || slices.ContainsFunc(wish.Hits, func(h answer.Hit) bool { return h.Symbol.Name() == wish.Query }) {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found := make([]*target, len(packages))
	next := make(chan int)
	var wait sync.WaitGroup
	for range exactReaders {
		wait.Go(func() {
			for i := range next {
				q := Package{Language: string(r.language.Info().ID), Name: all[i].Package, Project: r.dir}
				found[i] = l.exactBelow(ctx, q, packages[i], all[i].Direct, wish.Query)
			}
		})
	}
	for i, p := range packages {
		if p == nil {
			continue
		}
		if ctx.Err() != nil {
			unread++
			continue
		}
		next <- i
	}
	close(next)
	wait.Wait()
	best := 1.0
	if len(wish.Hits) > 0 {
		best = wish.Hits[0].Score
	}
	var hits []answer.Hit
	for _, t := range found {
		if t != nil && len(hits) < maxExact && !slices.ContainsFunc(hits, func(h answer.Hit) bool { return sameDeclaration(h.Symbol, t.symbol) }) {
			hits = append(hits, answer.Hit{Renderer: t.in.renderer(), Hit: search.Hit{Symbol: t.symbol, Score: best, Relevance: 1}})
		}
	}
	wish.Total += len(hits)
	wish.Hits = append(hits, wish.Hits...)
	return unread
}

// exactBelow finds the symbol with that name in the other entry points of a package. If the package
// is required directly and its language does not have an index, it searches the other packages of
// its module. It returns nil if there is no such symbol.
func (l *Lookup) exactBelow(ctx context.Context, q Package, p *prepared, direct bool, name string) *target {
	if x := l.index(ctx, q, p); x != nil {
		for _, entry := range x.exporting(name, p.Name) {
			for _, other := range l.readAll(ctx, q, []string{entry}) {
				if s := exported(other, name); s != nil {
					return &target{in: other, symbol: s}
				}
			}
		}
		return nil
	}
	if r := l.store.Languages().Find(q.Language); !direct || r.Info().Indexes {
		return nil
	}
	others, _ := l.family(ctx, q, p)
	for _, other := range others {
		if s := exported(other, name); s != nil {
			return &target{in: other, symbol: s}
		}
	}
	return nil
}
