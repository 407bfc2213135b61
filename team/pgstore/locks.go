package pgstore

import (
	"context"
	"encoding/binary"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docent-mcp/docent/internal/store"
)

const (
	// maxWait is how long a replica waits for another one that is reading a package.
	maxWait = time.Minute
	// poll is the interval at which a waiting replica checks whether the lock is free. This is
	// necessary because a notification can be lost.
	poll = time.Second
	// channel is the PostgreSQL channel for notifications about released locks.
	channel = "docent_unlocked"
)

// locks contains the advisory locks of this replica. One connection holds all of them.
type locks struct {
	config *pgx.ConnConfig

	connecting sync.Mutex // held while conn is in use
	conn       *pgx.Conn  // nil if there is none

	mu      sync.Mutex
	held    map[int64]chan struct{} // closed when a goroutine releases the lock
	waiting map[int64]chan struct{} // closed when another replica releases the lock
}

func (l *locks) init(config *pgx.ConnConfig) {
	l.config, l.held, l.waiting = config, map[int64]chan struct{}{}, map[int64]chan struct{}{}
}

// close closes the connection, which releases all locks.
func (l *locks) close() {
	l.connecting.Lock()
	defer l.connecting.Unlock()
	if l.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = l.conn.Close(ctx)
		l.conn = nil
	}
}

// Lock implements store.Backend.
func (s *Store) Lock(ctx context.Context, k store.Key) (unlock func(), err error) {
	hash := k.Hash()
	id := int64(binary.BigEndian.Uint64(hash[:]))
	limit := time.NewTimer(maxWait)
	defer limit.Stop()
	none := func() {}
	// First wait for other goroutines of this replica, because locks belong to the connection.
	for {
		s.locks.mu.Lock()
		other, busy := s.locks.held[id]
		if !busy {
			s.locks.held[id] = make(chan struct{})
		}
		s.locks.mu.Unlock()
		if !busy {
			break
		}
		select {
		case <-other:
		case <-limit.C:
			return none, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	release := func() {
		s.locks.mu.Lock()
		defer s.locks.mu.Unlock()
		close(s.locks.held[id])
		delete(s.locks.held, id)
	}
	defer s.locks.forget(id)
	for {
		woken := s.locks.await(id)
		locked, err := s.tryLock(ctx, id)
		if err != nil {
			return release, nil // PostgreSQL is not available, so replicas read without waiting for each other
		}
		if locked {
			return func() {
				s.unlock(ctx, id)
				release()
			}, nil
		}
		timer := time.NewTimer(poll)
		select {
		case <-woken:
		case <-timer.C:
		case <-limit.C:
			timer.Stop()
			return release, nil
		case <-ctx.Done():
			timer.Stop()
			release()
			return nil, ctx.Err()
		}
		timer.Stop()
	}
}

// await returns a channel that is closed when another replica releases a lock.
func (l *locks) await(id int64) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting[id] == nil {
		l.waiting[id] = make(chan struct{})
	}
	return l.waiting[id]
}

func (l *locks) forget(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiting, id)
}

// wake wakes the goroutine that waits for a lock.
func (l *locks) wake(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ch := l.waiting[id]; ch != nil {
		close(ch)
		delete(l.waiting, id)
	}
}

func (s *Store) tryLock(ctx context.Context, id int64) (locked bool, err error) {
	err = s.onLockConn(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, id).Scan(&locked)
	})
	return locked, err
}

func (s *Store) unlock(ctx context.Context, id int64) {
	_ = s.onLockConn(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SELECT pg_advisory_unlock($1), pg_notify('`+channel+`', $2)`, id, strconv.FormatInt(id, 10))
		return err
	})
}

// onLockConn calls f with the connection that holds the locks. It does not cancel f when ctx is
// done, because that would close the connection and release all locks.
func (s *Store) onLockConn(ctx context.Context, f func(context.Context, *pgx.Conn) error) error {
	return s.do(context.WithoutCancel(ctx), func(ctx context.Context) error {
		l := &s.locks
		l.connecting.Lock()
		defer l.connecting.Unlock()
		if l.conn == nil || l.conn.IsClosed() {
			conn, err := pgx.ConnectConfig(ctx, l.config)
			if err != nil {
				return err
			}
			l.conn = conn
		}
		return f(ctx, l.conn)
	})
}

// listen wakes the goroutines that wait for locks of other replicas.
func (s *Store) listen() {
	for s.health.wait(s.ctx, true) == nil {
		s.listenOnce()
		if !pause(s.ctx, retryAfter) {
			return
		}
	}
}

// listenOnce listens until its connection is closed.
func (s *Store) listenOnce() {
	conn, err := pgx.ConnectConfig(s.ctx, s.locks.config)
	if err != nil {
		return
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(s.ctx, `LISTEN `+channel); err != nil {
		return
	}
	for {
		n, err := conn.WaitForNotification(s.ctx)
		if err != nil {
			return
		}
		if id, err := strconv.ParseInt(n.Payload, 10, 64); err == nil {
			s.locks.wake(id)
		}
	}
}
