package pgstore

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errDown is the error of all calls while PostgreSQL cannot be reached.
var errDown = errors.New("PostgreSQL cannot be reached")

// retryAfter is how long a Store waits before it tries to connect to PostgreSQL again.
const retryAfter = time.Second

// health records whether PostgreSQL can be reached and contains the tables. It is initially down.
type health struct {
	mu      sync.Mutex
	ok      bool
	changed chan struct{} // closed and replaced when ok changes
}

func (h *health) up() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ok
}

// set sets the state and reports whether it has changed.
func (h *health) set(ok bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ok == ok {
		return false
	}
	h.ok = ok
	close(h.changed)
	h.changed = make(chan struct{})
	return true
}

// wait waits until PostgreSQL can be reached if ok is true. Otherwise, it waits until PostgreSQL
// can no longer be reached.
func (h *health) wait(ctx context.Context, ok bool) error {
	for {
		h.mu.Lock()
		done, changed := h.ok == ok, h.changed
		h.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Up reports whether the last call could reach PostgreSQL.
func (s *Store) Up() bool { return s.health.up() }

// start connects, and starts the background goroutines.
func (s *Store) start(ctx context.Context) {
	first, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	if err := s.connect(first); err != nil {
		s.log.Error("the shared store cannot be used; until it can, this replica reads all packages itself", "error", reason(err))
	}
	s.work.Go(s.reconnect)
	s.work.Go(s.listen)
	s.work.Go(s.evictRegularly)
}

// connect checks that PostgreSQL can be reached, and creates the tables if they are missing.
func (s *Store) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	s.pool.Reset() // the connections may belong to a server that has ended
	s.locks.close()
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.health.set(true) {
		s.log.Info("the shared store is in use", "host", s.pool.Config().ConnConfig.Host, "database", s.pool.Config().ConnConfig.Database)
	}
	return nil
}

// reconnect connects again whenever PostgreSQL cannot be reached.
func (s *Store) reconnect() {
	for s.health.wait(s.ctx, false) == nil {
		if s.connect(s.ctx) != nil && !pause(s.ctx, retryAfter) {
			return
		}
	}
}

// pause waits for d. It returns false if ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// do calls f, with a timeout, unless PostgreSQL cannot be reached.
func (s *Store) do(ctx context.Context, f func(context.Context) error) error {
	if !s.health.up() {
		return errDown
	}
	limited, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := f(limited)
	if err != nil && ctx.Err() == nil {
		s.failed(err)
	}
	return err
}

// failed handles an error of PostgreSQL.
func (s *Store) failed(err error) {
	switch {
	case errors.Is(err, pgx.ErrNoRows) || errors.Is(err, context.Canceled):
	case lost(err):
		if s.health.set(false) {
			s.log.Error("the shared store cannot be reached; until it can, this replica reads all packages itself", "error", reason(err))
		}
	default:
		s.log.Warn("a call to the shared store failed", "error", reason(err))
	}
}

// lost reports whether an error concerns the connection and not just one statement.
func lost(err error) bool {
	if answered, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch answered.Code[:min(2, len(answered.Code))] {
		case "08", "28", "3D", "42", "53", "57": // connection, authorization, database, missing tables, resources, shutdown
			return true
		}
		return false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return true // a closed connection, a timeout or a failed attempt to connect
}

// reason returns the text of an error in one line.
func reason(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
