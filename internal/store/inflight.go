package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/span"
)

// call is a reading of a package that is in progress and for which one or more callers wait.
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

// describe returns a package from disk or lets the language read it, together with the states of
// the input files. It converts a panic of a reader to an error, because a panic on this goroutine
// would end the process.
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
	defer progress.Begin(ctx, "Reading "+k.query.Package).End()
	ctx, end := span.Start(ctx, span.Internal, "read package",
		slog.String("docent.language", string(k.language)), slog.String("docent.package", k.query.Package), slog.String("docent.version", k.query.Version))
	defer func() { end(err) }()
	cache := &reading{store: s, key: k}
	err = s.options.Memory.Do(ctx, func(ctx context.Context) (err error) {
		cache.ctx = ctx
		defer cache.close()
		pkg, err = s.read(ctx, lang, k.query, cache)
		return err
	})
	return pkg, cache.stamps, err
}

// reading is the ecosystem.Cache of one call. It records the states of the input files.
type reading struct {
	store  *Store
	key    key
	ctx    context.Context
	stamps []fingerprint.Stamp
	unlock func() // releases the lock in the shared backend, nil if it is not held
}

// Load returns a package from disk or from the shared backend. If neither has it, this process must
// read it. Load waits while another process reads it.
func (r *reading) Load(found *ecosystem.Found) *apidoc.Package {
	pkg, stamps, _ := r.store.disk.load(r.ctx, r.key.language, found)
	if pkg == nil {
		pkg, stamps = r.loadShared(found)
	}
	r.stamps = stamps
	return pkg
}

func (r *reading) loadShared(found *ecosystem.Found) (*apidoc.Package, []fingerprint.Stamp) {
	shared := &r.store.shared
	k, ok := shared.key(r.key.language, found)
	if !ok {
		return nil, nil
	}
	pkg, stamps, expires := shared.load(r.ctx, r.key.language, found)
	if pkg == nil {
		resume := memory.Idle(r.ctx)
		unlock, err := shared.backend.Lock(r.ctx, k)
		resume()
		if err != nil {
			return nil, nil
		}
		if pkg, stamps, expires = shared.load(r.ctx, r.key.language, found); pkg == nil {
			r.unlock = unlock
			return nil, nil
		}
		unlock()
	}
	seen := &fingerprint.Fingerprint{}
	for i := range stamps {
		seen.Add(stamps[i].Path)
	}
	if !expires.IsZero() {
		seen.LimitAge(time.Until(expires))
	}
	r.store.disk.save(r.ctx, r.key.language, &ecosystem.Found{Key: found.Key, Fingerprint: seen}, pkg, false)
	return pkg, stamps
}

func (r *reading) Save(found *ecosystem.Found, pkg *apidoc.Package) {
	r.stamps = found.Fingerprint.Stamps()
	r.store.disk.save(r.ctx, r.key.language, found, pkg, false)
	r.store.shared.save(r.ctx, r.key.language, found, pkg, r.key.query.Index || !r.store.public(r.key.query.ProjectDir))
}

// public reports whether a search may find packages of a project. Only clients that may name a
// directory may find packages that are installed in it.
func (s *Store) public(project string) bool {
	if project == "" {
		return true
	}
	rel, err := filepath.Rel(s.options.Pushed, project)
	return s.options.Pushed != "" && err == nil && filepath.IsLocal(rel)
}

// close lets other processes read the package if this one has not saved it.
func (r *reading) close() {
	if r.unlock != nil {
		r.unlock()
	}
}

// panicError is the value of a reader's panic, for logs.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// cacheable reports whether a result may be cached. A package of the user's own workspace must not
// be cached, and neither must the result of a call that was canceled.
func cacheable(pkg *apidoc.Package, err error) bool {
	if err != nil {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	return pkg.Version != "" // Only packages of the user's own workspace do not have a version.
}
