package store

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/footprint"
)

// flight is one piece of work that several callers wait for.
type flight struct {
	done    chan struct{} // closed once pkg and err are set
	pkg     *apidoc.Package
	err     error
	waiters int // guarded by Store.mu
	cancel  context.CancelFunc
}

// takeOff starts the work on k. It keeps the values of the first caller's
// context, but not its cancellation. s.mu is held.
func (s *Store) takeOff(ctx context.Context, k key, lang ecosystem.Language) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	s.flights[k] = f
	go func() {
		pkg, marks, err := s.describe(ctx, k, lang)
		cancel()
		s.mu.Lock()
		if s.flights[k] == f {
			delete(s.flights, k)
		}
		if k.known && worthKeeping(pkg, err) {
			s.keep(k, pkg, marks, err)
		}
		s.mu.Unlock()
		f.pkg, f.err = pkg, err
		close(f.done)
	}()
	return f
}

// leave is called by a waiter that gives up. The last one stops the work and
// takes the flight off, so that whoever asks next starts anew.
func (s *Store) leave(k key, f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.waiters--
	if f.waiters > 0 {
		return
	}
	f.cancel()
	if s.flights[k] == f {
		delete(s.flights, k)
	}
}

// describe answers from disk or asks the language, and turns a panic in a
// reader into an error: it runs on a goroutine of its own, where a panic would
// end the process. It returns what the answer rests on as well.
func (s *Store) describe(ctx context.Context, k key, lang ecosystem.Language) (pkg *apidoc.Package, marks []footprint.Mark, err error) {
	defer func() {
		if r := recover(); r != nil {
			pkg, marks, err = nil, nil, &ecosystem.Error{
				Reason: ecosystem.Unreadable,
				What:   fmt.Sprintf("docent failed while it read %s", k.query.Package),
				Next:   "this is a defect of docent: report it with the name and version of the package",
				Err:    &panicError{value: r, stack: debug.Stack()},
			}
		}
	}()
	found, err := lang.Find(ctx, k.query)
	if err != nil {
		return nil, nil, err
	}
	pkg, err = found.Describe(ctx, lang.Info(), func(ctx context.Context) (*apidoc.Package, error) {
		kept, on := s.disk.load(k.language, found)
		if kept != nil {
			marks = on
			return kept, nil
		}
		read, err := found.Read(ctx)
		if err == nil {
			marks = found.Footprint.Marks()
			s.disk.save(k.language, found, read)
		}
		return read, err
	})
	return pkg, marks, err
}

// panicError is what a reader panicked with, for logs.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// worthKeeping is false for what may change while it is asked about, and for
// work that was only given up.
func worthKeeping(pkg *apidoc.Package, err error) bool {
	if err != nil {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	return pkg.Version != "" // only packages of the user's own workspace have none
}
