// Package calls contains the code that the Go servers share. It parses their command line and
// records the states of calls of their tool "wait".
package calls

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// A Log records the states of calls, by the IDs that clients have chosen.
type Log struct {
	mu      sync.Mutex
	states  map[string]string // "waiting" or "cancelled"
	changed chan struct{}     // closed and replaced when a state changes
}

// New returns a Log without calls.
func New() *Log { return &Log{states: map[string]string{}, changed: make(chan struct{})} }

func (l *Log) set(id, state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states[id] = state
	close(l.changed)
	l.changed = make(chan struct{})
}

// Wait waits until the call is cancelled.
func (l *Log) Wait(ctx context.Context, id string) error {
	l.set(id, "waiting")
	select {
	case <-ctx.Done():
		l.set(id, "cancelled")
		return ctx.Err()
	case <-time.After(time.Minute):
		return errors.New("nobody cancelled this call")
	}
}

// Reach waits until a call has the state, for at most five seconds.
func (l *Log) Reach(ctx context.Context, id, state string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for {
		l.mu.Lock()
		is, changed := l.states[id], l.changed
		l.mu.Unlock()
		if is == state {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("call %q is %q, not %q", id, is, state)
		}
	}
}

// Main runs a server according to the command line:
//
//	SERVER -http 127.0.0.1:0    prints its URL
//	SERVER -stdio
func Main(stdio func(ctx context.Context) error, web func() http.Handler) {
	Serve(stdio, func(ctx context.Context, l net.Listener) error {
		server := &http.Server{Handler: web()}
		context.AfterFunc(ctx, func() { server.Close() })
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
}

// Serve is like Main, for a server that accepts connections on a listener itself.
func Serve(stdio func(ctx context.Context) error, web func(ctx context.Context, l net.Listener) error) {
	addr := flag.String("http", "", "serve HTTP on this address")
	flag.Bool("stdio", true, "serve standard input and output, without -http")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := func() error {
		if *addr == "" {
			return stdio(ctx)
		}
		l, err := net.Listen("tcp", *addr)
		if err != nil {
			return err
		}
		fmt.Println("http://" + l.Addr().String())
		return web(ctx, l)
	}()
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}
