// Package store keeps what has been read, so that a question asked twice is
// answered from memory, and a question asked by many at once is worked on
// once.
//
// In memory, a kept answer is keyed by everything that went into it: the language, the
// question, and the times and sizes of the project's files that choose
// versions. Packages of the user's own workspace are never kept, because they
// change while they are asked about. Failures are kept for seconds only, so
// that a registry that is down is not asked in a loop and one that is up again
// is asked at once.
//
// On disk, packages are kept for the next process: see disk and entry.
package store

import (
	"container/list"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/footprint"
	"github.com/docent-mcp/docent/internal/project"
)

// Options bound a Store. The zero value of each field is a sensible default.
type Options struct {
	// MaxPackages is how many packages are kept; 512 if zero.
	MaxPackages int
	// MaxBytes is how much text they may hold together, roughly; 128 MiB if
	// zero. A package larger than that is answered, but not kept.
	MaxBytes int64
	// MaxAge is how long a package is kept; 5 minutes if zero. It bounds how
	// old an answer to "the newest release" can be.
	MaxAge time.Duration
	// FailureAge is how long a failure is kept; 2 seconds if zero, 5 seconds
	// at most.
	FailureAge time.Duration
	// Cache keeps packages between processes. Nil keeps none.
	Cache *cachedir.Cache
}

// Store answers questions about packages and keeps the answers. It is safe
// for concurrent use. What it returns is shared: callers must not change it.
type Store struct {
	languages ecosystem.Languages
	options   Options
	disk      disk

	mu      sync.Mutex
	entries map[key]*list.Element // of *answered
	recent  *list.List            // most recently used first
	bytes   int64                 // sum over entries
	flights map[key]*flight
}

// key is all that goes into an answer.
type key struct {
	language apidoc.Ecosystem
	query    ecosystem.Query
	project  project.Fingerprint
	known    bool // project says all there is to say of the project's state
}

// answered is one kept answer or failure.
type answered struct {
	key     key
	pkg     *apidoc.Package
	err     error
	bytes   int64
	expires time.Time
	marks   []footprint.Mark // what it rests on
	looked  time.Time        // when they were found to hold
}

// lookAgain is how long what an answer rests on is taken to be as it was: to
// look at every file for each of many questions would take longer than they.
const lookAgain = time.Second

// New returns an empty Store over the given languages.
func New(languages ecosystem.Languages, options Options) *Store {
	if options.MaxPackages <= 0 {
		options.MaxPackages = 512
	}
	if options.MaxBytes <= 0 {
		options.MaxBytes = 128 << 20
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
	return &Store{
		languages: languages,
		options:   options,
		disk:      disk{cache: options.Cache, build: thisBuild(), now: time.Now},
		entries:   make(map[key]*list.Element),
		recent:    list.New(),
		flights:   make(map[key]*flight),
	}
}

// Languages are those that the Store was made with.
func (s *Store) Languages() ecosystem.Languages { return s.languages }

// Describe answers from what is kept or asks the language, which is named by
// its ID or a spelling. Callers
// that ask the same at the same time share one answer; one of them giving up
// does not disturb the others, and only when all have given up is the work
// stopped.
func (s *Store) Describe(ctx context.Context, language string, q ecosystem.Query) (*apidoc.Package, error) {
	lang := s.languages.Find(language)
	if lang == nil {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Invalid,
			What:   fmt.Sprintf("docent does not read packages of %q", language),
			Next:   "ask for one of: " + strings.Join(s.languages.IDs(), ", "),
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	files, known := stampOf(lang.Info(), q.ProjectDir)
	k := key{lang.Info().ID, q, files, known}

	s.mu.Lock()
	e := s.lookup(k)
	if e != nil && len(e.marks) > 0 && time.Since(e.looked) >= lookAgain {
		e.looked = time.Now()
		s.mu.Unlock()
		same := hold(e.marks)
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
	f, ok := s.flights[k]
	if !ok {
		f = s.takeOff(ctx, k, lang)
	}
	f.waiters++
	s.mu.Unlock()

	select {
	case <-f.done:
		return f.pkg, f.err
	case <-ctx.Done():
		s.leave(k, f)
		return nil, ctx.Err()
	}
}

// Doctor says where docent keeps downloads and what was read, how much of it
// there is, and what is wrong if nothing can be kept.
func (s *Store) Doctor() ecosystem.Fact {
	value, problem := s.disk.cache.Describe()
	return ecosystem.Fact{Name: "cache", Value: value, Problem: problem}
}

// HasProject reports whether dir lies in a project of the language, which is
// named by its ID or a spelling.
func (s *Store) HasProject(language, dir string) bool {
	l := s.languages.Find(language)
	return l != nil && l.HasProject(dir)
}

// lookup returns what is kept under k, nil if nothing is or it is too old.
// s.mu is held.
func (s *Store) lookup(k key) *answered {
	element, ok := s.entries[k]
	if !ok {
		return nil
	}
	e := element.Value.(*answered)
	if !time.Now().Before(e.expires) {
		s.drop(element)
		return nil
	}
	s.recent.MoveToFront(element)
	return e
}

// keep remembers an answer or a failure and makes room for it. s.mu is held.
func (s *Store) keep(k key, pkg *apidoc.Package, marks []footprint.Mark, err error) {
	now := time.Now()
	e := &answered{key: k, pkg: pkg, err: err, expires: now.Add(s.options.MaxAge), marks: marks, looked: now}
	if err != nil {
		e.expires = now.Add(s.options.FailureAge)
	} else {
		e.bytes = weigh(pkg)
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
	e := s.recent.Remove(element).(*answered)
	delete(s.entries, e.key)
	s.bytes -= e.bytes
}
