// Package store caches package documentation in memory and on disk, and reads a
// package only once for concurrent callers.
//
// In memory, the cache key is the language, the query, and the times and sizes of the project files
// that determine versions. Packages of the user's own workspace are not cached, because they can
// change at any time. Failures are cached for a few seconds, so that a registry that is down is not
// queried repeatedly.
//
// On disk, packages are cached for other processes, and in a shared Backend for other machines:
// see layer and entry.
package store

import (
	"container/list"
	"context"
	"hash/maphash"
	"sync"
	"time"
	"weak"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/upstream"
)

// Options limit what a Store caches. The zero value of each field is a sensible default.
type Options struct {
	// MaxPackages is the maximum number of packages that are cached in memory. If it is zero, it is
	// 512.
	MaxPackages int
	// MaxBytes is the maximum of their approximate total size in memory. If it is zero, it is 96
	// MiB. A larger package is returned but not cached.
	MaxBytes int64
	// MaxAge is how long a package is cached. If it is zero, it is 5 minutes. An answer about "the
	// newest release" is never older than that.
	MaxAge time.Duration
	// FailureAge is how long a failure is cached. If it is zero, it is 2 seconds. The maximum is 5
	// seconds.
	FailureAge time.Duration
	// Cache stores packages on disk. If it is nil, they are not stored.
	Cache *cachedir.Cache
	// Shared stores packages for the stores of other machines, too. It may be nil. Group is the
	// group whose credentials this store uses, and Build identifies the program; Shared is not
	// used if Build is empty.
	Shared       Backend
	Group, Build string
	// Pushed is the directory of projects whose packages all come from registries. Search finds the
	// packages of no other project.
	Pushed string
	// Upstream is asked for packages that are not on this machine. It may be nil. The languages must
	// then be without a network.
	Upstream *upstream.Client
	// Memory bounds the memory of packages that are read at the same time; nil means no
	// limit.
	Memory *memory.Budget
}

// Store reads and caches packages. It is safe for concurrent use. Callers share
// the packages that it returns and must not change them.
type Store struct {
	languages ecosystem.Languages
	options   Options
	cache     *cachedir.Cache
	disk      layer
	shared    layer

	mu       sync.Mutex
	entries  map[key]*list.Element // elements are *cached
	recent   *list.List            // most recently used first
	bytes    int64                 // sum over entries
	inflight map[key]*call
}

// key is the cache key in memory.
type key struct {
	language apidoc.Ecosystem
	query    ecosystem.Query
	project  project.Fingerprint
	known    bool // whether project includes all files that determine versions
}

// cached is a package, or the failure to read it.
type cached struct {
	key     key
	pkg     *apidoc.Package
	err     error
	bytes   int64
	expires time.Time
	stamps  []fingerprint.Stamp // states of the input files
	checked time.Time           // time when the input files were last known to have these states
}

// checkAfter is how long input files are assumed to be unchanged. Checking all of them for each
// query would take longer than answering the query.
const checkAfter = time.Second

// New returns an empty Store over the given languages.
func New(languages ecosystem.Languages, options Options) *Store {
	if options.MaxPackages <= 0 {
		options.MaxPackages = 512
	}
	if options.MaxBytes <= 0 {
		options.MaxBytes = 96 << 20
	}
	if options.MaxAge <= 0 {
		options.MaxAge = 5 * time.Minute
	}
	if options.FailureAge <= 0 {
		options.FailureAge = 2 * time.Second
	}
	options.FailureAge = min(options.FailureAge, 5*time.Second)
	if options.Cache == nil {
		options.Cache = cachedir.New("", cachedir.Options{})
	}
	decoded := &decodedPackages{seed: maphash.MakeSeed(), byHash: map[uint64]weak.Pointer[apidoc.Package]{}}
	return &Store{
		languages: languages,
		options:   options,
		cache:     options.Cache,
		disk:      layer{backend: Directory(options.Cache), build: thisBuild(), now: time.Now, decoded: decoded},
		shared:    layer{backend: options.Shared, group: options.Group, build: options.Build, shared: true, now: time.Now, decoded: decoded},
		entries:   make(map[key]*list.Element),
		recent:    list.New(),
		inflight:  make(map[key]*call),
	}
}

// Languages returns the languages that were passed to New.
func (s *Store) Languages() ecosystem.Languages { return s.languages }

// Describe returns a package from the cache, or lets the language read it. The language is
// specified by its ID or another spelling. Concurrent calls for the same package share one reading,
// which stops when all their contexts are done.
func (s *Store) Describe(ctx context.Context, language string, q ecosystem.Query) (*apidoc.Package, error) {
	lang, err := s.languages.Get(language)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	files, known := stampFor(ctx, lang.Info(), q.ProjectDir)
	k := key{lang.Info().ID, q, files, known}

	s.mu.Lock()
	e := s.lookup(k)
	if e != nil && len(e.stamps) > 0 && time.Since(e.checked) >= checkAfter {
		e.checked = time.Now()
		s.mu.Unlock()
		same := unchanged(e.stamps)
		s.mu.Lock()
		if !same {
			if element := s.entries[k]; element != nil && element.Value == e {
				s.drop(element)
			}
			e = s.lookup(k)
		}
	}
	if e != nil {
		s.mu.Unlock()
		return e.pkg, e.err
	}
	c, ok := s.inflight[k]
	if !ok {
		c = s.start(ctx, k, lang)
	}
	c.waiters++
	s.mu.Unlock()

	select {
	case <-c.done:
		return c.pkg, c.err
	case <-ctx.Done():
		s.abandon(k, c)
		return nil, ctx.Err()
	}
}

// Cached returns the number of packages that are cached in memory, and an estimate of their size in
// bytes.
func (s *Store) Cached() (packages int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recent.Len(), s.bytes
}

// Doctor returns a fact about docent's cache: its directory and size, and the problem if files
// cannot be stored in it.
func (s *Store) Doctor() ecosystem.Fact {
	value, problem := s.cache.Describe()
	return ecosystem.Fact{Name: "cache", Value: value, Problem: problem}
}

// HasProject reports whether dir is in a project of the language, which is specified by its ID or
// another spelling.
func (s *Store) HasProject(language, dir string) bool {
	l := s.languages.Find(language)
	return l != nil && l.HasProject(dir)
}

// lookup returns the cache entry of k, or nil if there is none or it has expired. It
// requires s.mu.
func (s *Store) lookup(k key) *cached {
	element, ok := s.entries[k]
	if !ok {
		return nil
	}
	e := element.Value.(*cached)
	if !time.Now().Before(e.expires) {
		s.drop(element)
		return nil
	}
	s.recent.MoveToFront(element)
	return e
}

// add caches a package or a failure, and evicts other entries if necessary. It
// requires s.mu.
func (s *Store) add(k key, pkg *apidoc.Package, stamps []fingerprint.Stamp, err error) {
	now := time.Now()
	e := &cached{key: k, pkg: pkg, err: err, expires: now.Add(s.options.MaxAge), stamps: stamps, checked: now}
	if err != nil {
		e.expires = now.Add(s.options.FailureAge)
	} else {
		e.bytes = Weigh(pkg)
	}
	if e.bytes > s.options.MaxBytes {
		return
	}
	s.entries[k] = s.recent.PushFront(e)
	s.bytes += e.bytes
	for s.recent.Len() > s.options.MaxPackages || s.bytes > s.options.MaxBytes {
		s.drop(s.recent.Back())
	}
}

func (s *Store) drop(element *list.Element) {
	e := s.recent.Remove(element).(*cached)
	delete(s.entries, e.key)
	s.bytes -= e.bytes
}
