package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/search"
)

const (
	// maxSame is the maximum number of entry points that are read for a name that several of them
	// export.
	maxSame = 3
	// maxSearched is the maximum number of entry points that a search reads for its first query.
	// moreSearched is the maximum for each further query, and maxSearchedInAll the maximum for all
	// queries together. indexHits is the maximum number of names that are compared for each query.
	maxSearched      = 6
	moreSearched     = 2
	maxSearchedInAll = 24
	indexHits        = 40
	// fewEntries is the maximum number of entry points of a package of which a search reads all
	// entry points.
	fewEntries = 8
)

// Index contains the exports of all entry points of a package.
type Index struct {
	*Item
}

// Index returns the index of the package to which the entry point p belongs. It returns nil if the
// language has no index or the package has no other entry points.
func (c *Catalog) Index(ctx context.Context, q Question, p *Item) *Index {
	return c.index(ctx, q, p, false)
}

// Names is like Index, but the index may lack everything except names, because it takes less time to
// read. It suffices for Exporting, Containing, ExportersOf and Select.
func (c *Catalog) Names(ctx context.Context, q Question, p *Item) *Index {
	return c.index(ctx, q, p, true)
}

func (c *Catalog) index(ctx context.Context, q Question, p *Item, onlyNames bool) *Index {
	language := c.store.Languages().Find(q.Language)
	isRoot := p.Module == "" || p.Module == p.Name
	if language == nil || !language.Info().Indexes || isRoot && len(p.Subpackages) == 0 {
		return nil
	}
	query := q.Query()
	query.Index, query.Names = true, onlyNames
	if !isRoot {
		query.Package, query.Version = p.Module, q.RequestedVersion()
		if query.Version == "" && q.Project == "" {
			query.Version = p.Version
		}
	}
	found, err := c.store.Describe(ctx, q.Language, query)
	if err != nil || len(found.Symbols) < 2 {
		return nil
	}
	return &Index{Item: c.Prepare(found)}
}

// IsLarge reports whether the package has more entry points than a search reads.
func (x *Index) IsLarge() bool { return len(x.Symbols) > fewEntries }

// Exporting returns the entry points, except but, that export a name or a symbol with a member of
// that name. Those nearest to the root come first.
func (x *Index) Exporting(name, but string) []string {
	entries := x.exporters().entryPoints(name)
	entries = slices.DeleteFunc(entries, func(e string) bool { return e == but })
	slices.SortStableFunc(entries, func(a, b string) int {
		return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(len(a), len(b)))
	})
	// An entry point below another one re-exports the same name, so it is omitted.
	return slices.DeleteFunc(entries, func(e string) bool { return depth(e) > depth(entries[0]) })
}

// exporters records which entry points of an index export a name or a symbol with a member of that
// name.
type exporters struct {
	index   *apidoc.Package
	entries map[string]bool  // the entry points of the index
	first   map[string]int32 // the number of the first record for each name
	all     []exporter
}

// exporter is a record of one name in one entry point.
type exporter struct {
	entry int32 // number of the entry point in the index
	next  int32 // number of the record for the same name in a later entry point, or -1
}

func exportersIn(index *apidoc.Package) *exporters {
	n := 0
	for range index.All {
		n++
	}
	x := &exporters{index, make(map[string]bool, len(index.Symbols)), make(map[string]int32, n), make([]exporter, 0, n)}
	var add func(entry int, symbols []apidoc.Symbol)
	add = func(entry int, symbols []apidoc.Symbol) {
		for i := range symbols {
			s := &symbols[i]
			next, ok := x.first[s.Path]
			if !ok {
				next = -1
			}
			if !ok || int(x.all[next].entry) != entry {
				x.first[s.Path] = int32(len(x.all))
				x.all = append(x.all, exporter{int32(entry), next})
			}
			add(entry, s.AllMembers())
		}
	}
	for i, entry := range slices.Backward(index.Symbols) {
		x.entries[entry.Path] = true
		add(i, entry.AllMembers())
	}
	return x
}

// entryPoints returns the entry points that export a name, in the order of the index.
func (x *exporters) entryPoints(name string) []string {
	var entries []string
	next, ok := x.first[name]
	for ; ok && next >= 0; next = x.all[next].next {
		entries = append(entries, x.index.Symbols[x.all[next].entry].Path)
	}
	return entries
}

// depth returns the number of separators in the name of an entry point.
func depth(entry string) int {
	return strings.Count(entry, "/") + strings.Count(entry, ".") + strings.Count(entry, "::")
}

// Containing returns the entry point other than p with which a path begins. The path may omit the
// name of p, or contain only the last name of the entry point. For example, pkg.mod matches
// "mod.Class", and pkg/mod matches "mod.Class" and "PkgMod.Class". Containing returns "" if there
// is no such entry point.
func (x *Index) Containing(path string, p *Item) string {
	found := ""
	for i := range x.Symbols {
		e := x.Symbols[i].Path
		if e == p.Name || len(e) <= len(found) {
			continue
		}
		prefix, last := e+p.Separator(), e[strings.LastIndexByte(e, '/')+1:]+p.Separator()
		if strings.HasPrefix(path, prefix) || x.Style.FollowTypes && naming.SameWords(first(path), e) || strings.HasPrefix(path, last) || strings.HasPrefix(p.Name+p.Separator()+path, prefix) {
			found = e
		}
	}
	return found
}

// first returns the first name of a path.
func first(path string) string {
	if end := strings.IndexAny(path, ".:("); end > 0 {
		return path[:end]
	}
	return path
}

// ExportersOf reads the entry point with which a path begins. If there is none, it reads up to
// maxSame entry points that export the first name of the path.
func (c *Catalog) ExportersOf(ctx context.Context, q Question, x *Index, p *Item, path string) []*Item {
	if e := x.Containing(path, p); e != "" {
		return c.ReadAll(ctx, q, []string{e})
	}
	name := first(path)
	entries := x.Exporting(name, p.Name)
	return c.ReadAll(ctx, q, entries[:min(len(entries), maxSame)])
}

// ReadAll reads packages in the version that a question specifies. It skips packages that cannot be
// read.
func (c *Catalog) ReadAll(ctx context.Context, q Question, names []string) (all []*Item) {
	q.Version = q.RequestedVersion()
	for _, name := range names {
		q.Name = name
		if other, err := c.Read(ctx, q); err == nil {
			all = append(all, other)
		}
	}
	return all
}

// Matching returns the entry points other than p whose names match the queries best. It takes entry
// points for each query in turn, so that the best ones for each query are read. Of the
// entry points that export the same name, it returns the first one after sorting them with prefer.
func (x *Index) Matching(p *Item, queries []string, prefer func(a, b string) int) []string {
	all := make([][]string, len(queries))
	parallel.Each(len(queries), func(i int) { all[i] = x.matchingOne(p, queries[i], prefer) })
	maximum := min(maxSearched+moreSearched*(len(queries)-1), maxSearchedInAll)
	var entries []string
	for rank := range maxSearched {
		for _, matching := range all {
			if rank < len(matching) && len(entries) < maximum && !slices.Contains(entries, matching[rank]) {
				entries = append(entries, matching[rank])
			}
		}
	}
	return entries
}

// matchingOne returns the entry points other than p whose names match a query best, best match
// first.
func (x *Index) matchingOne(p *Item, query string, prefer func(a, b string) int) []string {
	var entries []string
	add := func(name string) {
		if name != p.Name && !slices.Contains(entries, name) && len(entries) < maxSearched {
			entries = append(entries, name)
		}
	}
	hits, _ := x.SearchIndex().Search(query, search.Options{Limit: indexHits})
	for _, h := range hits {
		if h.Symbol == nil {
			continue
		}
		if x.exporters().entries[h.Symbol.Path] {
			add(h.Symbol.Path)
			continue
		}
		if from := x.Exporting(h.Symbol.Path, ""); len(from) > 0 && !slices.Contains(from, p.Name) {
			add(slices.MinFunc(from, prefer))
		}
	}
	return entries
}

// Nearest returns names in the exports of entry points that are similar to a name, each with its
// entry point.
func (x *Index) Nearest(path string) []string {
	_, err := naming.Find(x.Package, path)
	missing, ok := err.(*naming.NoSymbolError) //nolint:errorlint // Find returns no other
	if !ok {
		return nil
	}
	var near []string
	for _, name := range missing.Near {
		if from := x.Exporting(name, ""); len(from) > 0 {
			near = append(near, name+" of "+from[0])
		}
	}
	return near
}

// WithMember returns the entry points, except but, that may have a member with a given name.
// According to the index, these entry points have such a member. If there are none and the package
// has only a few entry points, WithMember returns all of them.
func (x *Index) WithMember(member, but string) (entries []string) {
	for i := range x.Symbols {
		e := &x.Symbols[i]
		if e.Path != but && len(entries) < maxSearched && slices.ContainsFunc(e.AllMembers(), func(s apidoc.Symbol) bool { return hasMember(&s, member) }) {
			entries = append(entries, e.Path)
		}
	}
	if len(entries) == 0 && !x.IsLarge() {
		for i := range x.Symbols {
			if e := x.Symbols[i].Path; e != but {
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// Select returns the entry points, except but, that export names for which matches returns true. Of
// those that export the same name, it returns only the ones that Exporting returns first.
func (x *Index) Select(but string, matches func(name string) bool) (entries []string) {
	seen := map[string]bool{}
	for i := range x.Symbols {
		for _, s := range x.Symbols[i].AllMembers() {
			if seen[s.Path] || !matches(s.Path) {
				continue
			}
			seen[s.Path] = true
			if from := x.Exporting(s.Path, ""); !slices.Contains(from, but) && !slices.ContainsFunc(from, func(e string) bool { return slices.Contains(entries, e) }) {
				entries = append(entries, from[0])
			}
		}
	}
	return entries
}

// hasMember reports whether a symbol of an index has a member with that name.
func hasMember(s *apidoc.Symbol, name string) bool {
	return slices.ContainsFunc(s.AllMembers(), func(m apidoc.Symbol) bool {
		last, _ := apidoc.CutLabels(m.Name())
		return last == name || hasMember(&m, name)
	})
}

// MatchingParts returns the parts of a package whose names match the queries best, as names of
// packages. The package must be one that is read in parts.
func (p *Item) MatchingParts(queries []string) (names []string) {
	for _, query := range queries {
		hits, _ := p.SearchIndex().Search(query, search.Options{Limit: indexHits})
		matching := 0
		for _, h := range hits {
			if h.Symbol == nil || matching == maxSearched || !slices.Contains(p.Unread, h.Symbol.Path) {
				continue
			}
			matching++
			if name := p.Name + "/" + h.Symbol.Path; !slices.Contains(names, name) && len(names) < maxSearchedInAll {
				names = append(names, name)
			}
		}
	}
	return names
}
