package store

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

// call is an in-flight reading of a package, for which several callers wait.
type call struct {
	done    chan struct{} // closed once pkg and err are set
	pkg     *apidoc.Package
	err     error
	waiters int // guarded by Store.mu
	cancel  context.CancelFunc
}

// start begins to read the package of k. The reading uses the values of the first
// caller's context, but not its cancellation. It requires s.mu.
func (s *Store) start(ctx context.Context, k key, lang ecosystem.Language) *call {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &call{done: make(chan struct{}), cancel: cancel}
	s.inflight[k] = c
	go func() {
		pkg, stamps, err := s.describe(ctx, k, lang)
		cancel()
		s.mu.Lock()
		if s.inflight[k] == c {
			delete(s.inflight, k)
		}
		if k.known && cacheable(pkg, err) {
			s.add(k, pkg, stamps, err)
		}
		s.mu.Unlock()
		c.pkg, c.err = pkg, err
		close(c.done)
	}()
	return c
}

// abandon removes a waiter whose context is done. If it is the last one, it
// cancels the call.
func (s *Store) abandon(k key, c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.waiters--
	if c.waiters > 0 {
		return
	}
	c.cancel()
	if s.inflight[k] == c {
		delete(s.inflight, k)
	}
}

// describe returns a package from disk or has the language read it, with the states of
// the input files. It turns a panic of a reader into an error, because it runs on a
// goroutine where a panic would end the process.
func (s *Store) describe(ctx context.Context, k key, lang ecosystem.Language) (pkg *apidoc.Package, stamps []fingerprint.Stamp, err error) {
	defer func() {
		if r := recover(); r != nil {
			pkg, stamps, err = nil, nil, &ecosystem.Error{
				Reason: ecosystem.Unreadable,
				What:   fmt.Sprintf("docent crashed while reading %s", k.query.Package),
				Next:   "this is a bug in docent: report it with the name and version of the package",
				Err:    &panicError{value: r, stack: debug.Stack()},
			}
		}
	}()
	cache := &reading{disk: &s.disk, language: k.language}
	err = s.options.Memory.Do(ctx, func(ctx context.Context) (err error) {
		pkg, err = ecosystem.Describe(ctx, lang, k.query, cache)
		return err
	})
	return pkg, cache.stamps, err
}

// reading is the ecosystem.Cache of one call. It keeps the states of the input
// files.
type reading struct {
	disk     *disk
	language apidoc.Ecosystem
	stamps   []fingerprint.Stamp
}

func (r *reading) Load(found *ecosystem.Found) (pkg *apidoc.Package) {
	pkg, r.stamps = r.disk.load(r.language, found)
	return pkg
}

func (r *reading) Save(found *ecosystem.Found, pkg *apidoc.Package) {
	r.stamps = found.Fingerprint.Stamps()
	r.disk.save(r.language, found, pkg)
}

// panicError is the value of a reader's panic, for logs.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// cacheable reports whether a result may be cached. A package of the user's own
// workspace may not, and neither may the result of a call that was canceled.
func cacheable(pkg *apidoc.Package, err error) bool {
	if err != nil {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	return pkg.Version != "" // only packages of the user's own workspace have no version
}
