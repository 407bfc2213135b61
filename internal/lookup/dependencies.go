package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/search"
)

const (
	// maxDependencies is the maximum number of dependencies of a project that are searched.
	// maxSymbols is the maximum number of symbols in all of them together.
	maxDependencies = 2_000
	maxSymbols      = 200_000
	// maxProjects is the maximum number of projects whose dependencies are kept in memory. A
	// project counts once for each of its languages.
	maxProjects = 8
	// firstAnswer is how long a server's search waits for dependencies that have not been read yet.
	// wholeReading is the maximum time for reading all dependencies.
	firstAnswer  = 900 * time.Millisecond
	wholeReading = 10 * time.Minute
	// dependenciesAge is the age from which a reading is checked for changes in the background.
	dependenciesAge = time.Minute
)

// These are the weights of a match, depending on the relation of its package to the project. A
// match has a higher weight if the query contains the name of the package.
const (
	weightImported = 1.0
	weightDirect   = 0.9
	weightIndirect = 0.65
	weightNamed    = 1.5
	// weightElsewhere applies to packages that exist only on other platforms.
	weightElsewhere = 0.4
)

// readings contains the readings of the dependencies of recently searched projects.
type readings struct {
	mu     sync.Mutex
	recent []*reading // most recent last
}

// reading is the state of reading a project's dependencies.
type reading struct {
	language ecosystem.Language
	dir      string
	stamp    project.Fingerprint

	mu       sync.Mutex
	begun    time.Time
	all      []ecosystem.Dependency
	packages []*catalog.Item // indexed by dependency; nil if it was not read
	below    []namesBelow    // indexed by dependency; nil until a search needs it
	empty    []bool          // indexed by dependency; true if it exports nothing
	failed   []string        // packages that could not be read, except those without documentation
	// unreachable is the number of dependencies that could not be downloaded, because a registry did
	// not respond.
	unreachable int
	looked      int // number of dependencies that were read or could not be read
	symbols     int
	full        bool          // whether there are more than maxSymbols symbols
	changed     chan struct{} // closed and replaced whenever looked increases
	previous    *reading      // the reading that is used for answers until this one has ended
}

// dependencies returns the reading of a project's dependencies. It starts one if there is no recent
// one.
func (l *Lookup) dependencies(language ecosystem.Language, dir string) (*reading, error) {
	lister, ok := language.(ecosystem.Lister)
	if !ok {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid, What: fmt.Sprintf("docent cannot determine a project's dependencies for %s", language.Info().Style.Name), Next: "name a package",
		}
	}
	if dir == "" {
		return nil, noProject()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	stamp := project.FingerprintOf(dir, language.Info().ProjectFiles)
	l.readings.mu.Lock()
	defer l.readings.mu.Unlock()
	i := slices.IndexFunc(l.readings.recent, func(r *reading) bool { return r.language == language && r.dir == dir })
	var previous *reading
	if i >= 0 {
		previous = l.readings.recent[i]
		if previous.stamp == stamp && !previous.old() {
			return previous, nil
		}
		l.readings.recent = slices.Delete(l.readings.recent, i, i+1)
	}
	listing, err := dependenciesOf(context.Background(), language, lister, dir)
	if err != nil {
		return nil, err
	}
	all := listing.all
	r := &reading{language: language, dir: dir, stamp: stamp, begun: time.Now(), all: all, packages: make([]*catalog.Item, len(all)), empty: make([]bool, len(all)), changed: make(chan struct{})}
	if previous != nil && previous.stamp == stamp {
		r.previous = previous
	}
	l.readings.recent = append(l.readings.recent, r)
	if len(l.readings.recent) > maxProjects {
		l.readings.recent = slices.Delete(l.readings.recent, 0, 1)
	}
	go l.readInstalled(r)
	return r, nil
}

// old reports whether a reading has ended and its files may have changed since then.
func (r *reading) old() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.looked == len(r.all) && time.Since(r.begun) > dependenciesAge
}

// maxUnreachable is the number of failed downloads after which a search reads the other dependencies
// only from the cache.
const maxUnreachable = 3

// readInstalled reads the installed dependencies, beginning with the most important ones, and then
// the others, which are cached or downloaded.
func (l *Lookup) readInstalled(r *reading) {
	ctx, cancel := context.WithTimeout(context.Background(), wholeReading)
	defer cancel()
	var installed, remote []int
	for i := range r.all {
		if r.all[i].Installed {
			installed = append(installed, i)
		} else {
			remote = append(remote, i)
		}
	}
	// Each dependency is put, even if it is not read because ctx is done.
	// One goroutine reads the most important ones, which may be very large, while the others read many
	// small ones, so that the first answers cover as many as possible.
	waiting := newQueue(r.all, installed)
	readers := min(runtime.GOMAXPROCS(0), 4)
	parallel.Each(readers, func(n int) {
		smallest := n > 0 || readers == 1
		for i, ok := waiting.take(smallest); ok; i, ok = waiting.take(smallest) {
			r.put(i, l.readDependency(ctx, r, i, false))
		}
	})
	_ = parallel.Limit(context.Background(), len(remote), downloads, nil, func(n int) {
		r.put(remote[n], l.readDependency(ctx, r, remote[n], r.isUnreachable()))
	})
	l.readAllBelow(ctx, r)
	r.mu.Lock()
	r.previous = nil
	r.mu.Unlock()
}

// queue contains the dependencies that have not been taken yet.
type queue struct {
	mu        sync.Mutex
	taken     map[int]bool
	important []int // the most important ones first
	small     []int // the smallest ones first
}

func newQueue(all []ecosystem.Dependency, important []int) *queue {
	small := slices.Clone(important)
	slices.SortStableFunc(small, func(a, b int) int { return cmp.Compare(all[a].Size, all[b].Size) })
	return &queue{taken: map[int]bool{}, important: important, small: small}
}

// take removes the smallest or the most important dependency. It returns false if there is none.
func (q *queue) take(smallest bool) (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	order := &q.important
	if smallest {
		order = &q.small
	}
	for len(*order) > 0 {
		i := (*order)[0]
		*order = (*order)[1:]
		if !q.taken[i] {
			q.taken[i] = true
			return i, true
		}
	}
	return 0, false
}

// readDependency reads a dependency. If offline is true, it reads only from the cache. It returns
// nil if the dependency cannot be read.
func (l *Lookup) readDependency(ctx context.Context, r *reading, i int, offline bool) *catalog.Item {
	d := &r.all[i]
	r.mu.Lock()
	full := r.full || i >= maxDependencies
	r.mu.Unlock()
	if full {
		return nil
	}
	q := Package{Language: string(r.language.Info().ID), Name: d.Package, Project: r.dir}
	query := q.Query()
	query.Offline = offline
	p, err := l.store.Describe(ctx, q.Language, query)
	if err != nil {
		failed, _ := errors.AsType[*ecosystem.Error](err)
		r.fail(i, failed, offline)
		return nil
	}
	one := l.catalog.Ready(p)
	one.SearchIndex().Search("index the words", search.Options{Limit: 1})
	return one
}

// fail records why a dependency was not read. reason is nil if it is unknown.
func (r *reading) fail(i int, reason *ecosystem.Error, offline bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch d := &r.all[i]; {
	case reason != nil && reason.Reason == ecosystem.NoneExported:
		r.empty[i] = true
	case reason != nil && reason.Reason == ecosystem.NotFound:
	case d.Installed:
		r.failed = append(r.failed, d.Package)
	case reason != nil && reason.Reason == ecosystem.Unreachable && !offline:
		r.unreachable++
	}
}

// isUnreachable reports whether too many downloads have failed.
func (r *reading) isUnreachable() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unreachable >= maxUnreachable
}

// put records that a dependency was read, or that it could not be read.
func (r *reading) put(i int, p *catalog.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p != nil {
		r.packages[i] = p
		r.symbols += p.Count()
		r.full = r.symbols > maxSymbols
	}
	r.looked++
	close(r.changed)
	r.changed = make(chan struct{})
}

// wait waits until all dependencies have been read, the context is done, or patience has passed.
func (r *reading) wait(ctx context.Context, patience time.Duration, progress func(done, all int)) {
	r.mu.Lock()
	ready := r.previous != nil || r.looked == len(r.all)
	r.mu.Unlock()
	if ready {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		r.mu.Lock()
		looked, changed := r.looked, r.changed
		r.mu.Unlock()
		if progress != nil {
			progress(looked, len(r.all))
		}
		if looked == len(r.all) {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// snapshot returns the reading that a search uses, its packages, and notes about packages that are
// not searched.
func (r *reading) snapshot() (from *reading, packages []*catalog.Item, notes []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.previous != nil {
		return r.previous.snapshot()
	}
	var read, direct, pending int
	var missing, unread []string
	for i := range r.all {
		d := &r.all[i]
		switch {
		case r.packages[i] != nil:
			read++
			if d.Direct {
				direct++
			}
		case r.looked < len(r.all):
			pending++
		case r.empty[i]:
		case !d.Installed && i < maxDependencies && !r.full:
			missing = append(missing, d.Package)
		case r.full || i >= maxDependencies:
			unread = append(unread, d.Package)
		}
	}
	note := fmt.Sprintf("Searched %s that the project depends on, %d of them directly.", quote.Count(read, "package"), direct)
	if pending > 0 {
		note += " Still being read: " + quote.Count(pending, "package") + "; ask again to search them, too."
	}
	if len(missing) > 0 {
		note += " Not installed, so not searched: " + quote.List(missing, maxListed) + " (docent fetch reads them)."
	}
	if len(r.failed) > 0 {
		note += " Not readable: " + quote.List(r.failed, maxListed) + "."
	}
	if len(unread) > 0 {
		note += " Not searched, because the project has too many dependencies: " + quote.List(unread, maxListed) + "."
	}
	return r, slices.Clone(r.packages), []string{note}
}

// maxListed is the maximum number of names in a note about packages that were not searched.
const maxListed = 6

// Dependencies is a search for symbols by words in all dependencies of a project.
type Dependencies struct {
	Search
	// Patience is how long to wait for packages that have not been read yet. If it is zero, the
	// search waits for less than a second. Reading continues in the background.
	Patience time.Duration
	// Progress is called while packages are read. It may be nil.
	Progress func(done, all int)
}

// SearchDependencies answers a search in the dependencies of the project of s.Package, whose name
// is empty. found reports whether there are any matches.
func (l *Lookup) SearchDependencies(ctx context.Context, s Dependencies) (a *answer.Answer, found bool, err error) {
	results, notes, err := l.DependencyMatches(ctx, s)
	if err != nil {
		return nil, false, err
	}
	return answer.SearchAll("the project's dependencies", notes, results, s.Options), haveHits(results), nil
}

// DependencyMatches returns the results of a search in dependencies for programs, and notes about
// packages that were not searched.
func (l *Lookup) DependencyMatches(ctx context.Context, s Dependencies) (results []answer.QueryResult, notes []string, err error) {
	language, others, err := l.projectLanguage(s.Package)
	if err != nil {
		return nil, nil, err
	}
	queries, err := s.queries()
	if err != nil {
		return nil, nil, err
	}
	r, err := l.dependencies(language, s.Package.Project)
	if err != nil {
		return nil, nil, err
	}
	if s.Patience <= 0 {
		s.Patience = firstAnswer
	}
	r.wait(ctx, s.Patience, s.Progress)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	defer progress.Begin(ctx, searching).End()
	r, packages, notes := r.snapshot()
	all := r.all
	if len(others) > 0 {
		notes = append(notes, "Searched only for "+language.Info().Style.Name+"; for the project's other packages, set language to "+strings.Join(others, " or ")+".")
	}
	unread := 0
	for _, query := range queries {
		result := searchAll(packages, all, query, s.Limit)
		unread = max(unread, l.addExact(ctx, r, packages, &result, s.Patience))
		results = append(results, result)
	}
	notes[0] += " In their other modules and entry points, only exact names are found."
	if unread > 0 {
		notes[0] += " " + quote.Count(unread, "package") + " could not be searched for these names in time; ask again."
	}
	return results, notes, nil
}

// ProjectMatches returns the results of DependencyMatches for every language of the project, best
// match first. If the search specifies a language, it returns only the results for that language.
func (l *Lookup) ProjectMatches(ctx context.Context, s Dependencies) (matches []answer.QueryResult, notes []string, err error) {
	_, others, err := l.projectLanguage(s.Package)
	if err != nil || len(others) == 0 {
		return l.DependencyMatches(ctx, s)
	}
	var problems []error
	for _, each := range l.store.Languages() {
		if _, ok := each.(ecosystem.Lister); !ok || !each.HasProject(s.Package.Project) {
			continue
		}
		s.Package.Language = string(each.Info().ID)
		results, more, err := l.DependencyMatches(ctx, s)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", each.Info().Style.Name, err))
			continue
		}
		for _, note := range more {
			notes = append(notes, each.Info().Style.Name+": "+note)
		}
		if matches == nil {
			matches = results
			continue
		}
		for i := range results {
			matches[i].Hits = append(matches[i].Hits, results[i].Hits...)
			matches[i].Total += results[i].Total
		}
	}
	if matches == nil {
		return nil, nil, errors.Join(problems...)
	}
	for _, problem := range problems {
		if !errors.Is(problem, project.ErrNone) {
			notes = append(notes, problem.Error())
		}
	}
	for i := range matches {
		hits := matches[i].Hits
		slices.SortStableFunc(hits, func(a, b answer.Hit) int { return cmp.Compare(b.Score, a.Score) })
		if s.Limit > 0 {
			matches[i].Hits = hits[:min(len(hits), s.Limit)]
		}
	}
	return matches, notes, nil
}

// LanguageOfProject returns the language for a search in dependencies. It is the specified
// language, or otherwise the first language that has a project in the directory and can list its
// dependencies.
func (l *Lookup) LanguageOfProject(q Package) (*ecosystem.Info, error) {
	language, _, err := l.projectLanguage(q)
	if err != nil {
		return nil, err
	}
	return language.Info(), nil
}

// projectLanguage is like LanguageOfProject, but also returns the names of the other
// languages of the project.
func (l *Lookup) projectLanguage(q Package) (language ecosystem.Language, others []string, err error) {
	languages := l.store.Languages()
	if q.Language != "" {
		language, err := languages.Get(q.Language)
		return language, nil, err
	}
	for _, each := range languages {
		if _, ok := each.(ecosystem.Lister); !ok || q.Project == "" || !each.HasProject(q.Project) {
			continue
		}
		if language == nil {
			language = each
		} else {
			others = append(others, string(each.Info().ID))
		}
	}
	if language == nil {
		return nil, nil, noProject()
	}
	return language, others, nil
}

func noProject() error {
	return &ecosystem.Error{
		Reason: ecosystem.Invalid, What: "neither a package nor a project was named",
		Next: "name the package to search, or the directory of the project whose dependencies to search",
	}
}

// candidate is a package with matches.
type candidate struct {
	*catalog.Item
	words   string // the words of the query, without the name of the package
	options search.Options
	weight  float64 // factor for the scores of the package's matches
	hits    []search.Hit
	total   int // number of all matches
}

// searchEach searches packages, several of them concurrently.
func searchEach(candidates []candidate) {
	var next atomic.Int64
	parallel.Each(min(runtime.GOMAXPROCS(0), len(candidates)), func(int) {
		for i := int(next.Add(1)) - 1; i < len(candidates); i = int(next.Add(1)) - 1 {
			c := &candidates[i]
			c.hits, c.total = c.SearchIndex().Search(c.words, c.options)
			for k := range c.hits {
				c.hits[k].Score *= c.weight
			}
		}
	})
}

// searchAll searches packages for one query.
func searchAll(packages []*catalog.Item, all []ecosystem.Dependency, query string, limit int) answer.QueryResult {
	result := answer.QueryResult{Query: query}
	var candidates []candidate
	var indexes []*search.Index
	for _, p := range packages {
		if p != nil {
			indexes = append(indexes, p.SearchIndex())
		}
	}
	among, here := search.NewCorpus(indexes...), platformOf(packages)
	for i, p := range packages {
		if p == nil {
			continue
		}
		c := candidate{Item: p, words: query, options: search.Options{Limit: 1, Among: among, Here: true}, weight: weightIndirect}
		switch d := &all[i]; {
		case d.Imported:
			c.weight = weightImported
		case d.Direct:
			c.weight = weightDirect
		}
		if rest, named := withoutName(query, p); named {
			c.words, c.weight, c.options.Here = rest, c.weight*weightNamed, false
		} else if p.Platform != here {
			c.weight *= weightElsewhere
		}
		candidates = append(candidates, c)
	}
	searchEach(candidates)
	for i := range candidates {
		result.Total += candidates[i].total
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return len(c.hits) == 0 })
	// The best matches are in the packages with the best matches. Therefore, it is sufficient to
	// examine as many packages closely as there are matches to show.
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.hits[0].Score, a.hits[0].Score) })
	candidates = candidates[:min(len(candidates), limit)]
	for i := range candidates {
		candidates[i].options.Limit = limit
	}
	searchEach(candidates)
	for i := range candidates {
		for _, h := range candidates[i].hits {
			if h.Symbol != nil {
				result.Hits = append(result.Hits, answer.Hit{Renderer: candidates[i].Renderer(), Hit: h})
			}
		}
	}
	slices.SortStableFunc(result.Hits, func(a, b answer.Hit) int { return cmp.Compare(b.Score, a.Score) })
	result.Hits = result.Hits[:min(len(result.Hits), limit)]
	return result
}

// platformOf returns the platform for which most packages were read. A package that does not exist
// for that platform was read for another one.
func platformOf(packages []*catalog.Item) string {
	counts := map[string]int{}
	commonest := ""
	for _, p := range packages {
		if p == nil {
			continue
		}
		counts[p.Platform]++
		if n := counts[p.Platform]; n > counts[commonest] || n == counts[commonest] && p.Platform < commonest {
			commonest = p.Platform
		}
	}
	return commonest
}

// withoutName removes the name of a package from a query. named is false if the query does not
// contain both the name and other words.
func withoutName(query string, p *catalog.Item) (rest string, named bool) {
	words := strings.Fields(query)
	if len(words) < 2 {
		return query, false
	}
	others := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return strings.EqualFold(w, p.Name) || strings.EqualFold(w, p.LocalName) || strings.EqualFold(w, shortName(p.Name))
	})
	if len(others) == 0 || len(others) == len(words) {
		return query, false
	}
	return strings.Join(others, " "), true
}

// shortName returns the last part of a path that is not a major version.
func shortName(name string) string {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && resolve.IsMajor(last) {
		last = parts[len(parts)-2]
	}
	return last
}
