// Package ratelimit limits how often clients call tools.
package ratelimit

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/docent-mcp/docent/mcp"
)

// Options change what New limits. The zero value suits tools that cost little.
type Options struct {
	// PerSecond is how many calls each principal may make of each tool in a
	// second, over time; default 10.
	PerSecond float64
	// Burst is how many it may make at once; default twice PerSecond, and 1 at
	// least.
	Burst int
	// Key names what has a limit of its own; default Caller. Requests with an
	// empty key are not limited. It sees every request of a client, not only
	// calls of tools.
	Key func(r *mcp.Request) string
	// MaxKeys is how many keys are kept apart; default 10,000. Of more, the one
	// that has been quiet longest is forgotten.
	MaxKeys int
}

// Caller is the Key that tells apart who calls a tool, and which: the
// principal, or without one the session. Clients that have neither count
// together. Requests that call no tool are not limited; those about tasks and
// for completion have bounds in mcp.ServerOptions.
func Caller(r *mcp.Request) string {
	if r.Method() != "tools/call" {
		return ""
	}
	name := r.Name()
	if len(name) > maxName { // no tool has it, and it would be kept
		name = ""
	}
	return name + "\x00" + r.Caller()
}

// maxName is how many characters the name of a tool has at most.
const maxName = 128

// New makes middleware that lets each client call each tool so often and not
// oftener. A call too many does not reach its handler: its result is an error
// that tells the model when to try again. Other requests, if Key has limited
// them, are answered with an *mcp.Error.
//
// Place it behind middleware that refuses requests, so that those do not
// count.
func New(opts Options) mcp.Middleware {
	if !(opts.PerSecond > 0) {
		opts.PerSecond = 10
	}
	if opts.Burst <= 0 {
		opts.Burst = int(min(max(math.Ceil(2*opts.PerSecond), 1), 1e9))
	}
	if opts.Key == nil {
		opts.Key = Caller
	}
	if opts.MaxKeys <= 0 {
		opts.MaxKeys = 10_000
	}
	l := &limiters{opts: opts, byKey: map[string]*list.Element{}}
	return func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
			if r.Outgoing() || r.Notification() {
				return next(ctx, r)
			}
			key := opts.Key(r)
			if key == "" {
				return next(ctx, r)
			}
			if wait := l.wait(key, time.Now()); wait > 0 {
				return refuse(r, wait)
			}
			return next(ctx, r)
		}
	}
}

// refuse answers a request that comes too early by wait.
func refuse(r *mcp.Request, wait time.Duration) (mcp.Result, error) {
	wait = max(wait.Round(100*time.Millisecond), 100*time.Millisecond)
	if r.Method() == "tools/call" {
		text := fmt.Sprintf("Rate limit reached: tool %q was called too often and has not run. Try again in %v.", r.Name(), wait)
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}, IsError: true}, nil
	}
	return nil, &mcp.Error{Code: mcp.CodeInvalidRequest, Message: fmt.Sprintf("Rate limit reached: try %s again in %v", r.Method(), wait)}
}

// limiters are the keys of late and their limits.
type limiters struct {
	opts Options

	mu    sync.Mutex
	byKey map[string]*list.Element // of limiter
	order list.List                // the one used last is at the front
}

type limiter struct {
	key string
	*rate.Limiter
}

// wait takes a token of key's; if there is none, it says when there will be.
func (l *limiters) wait(key string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byKey[key]
	if e == nil {
		if l.order.Len() >= l.opts.MaxKeys {
			oldest := l.order.Back()
			delete(l.byKey, oldest.Value.(limiter).key)
			l.order.Remove(oldest)
		}
		e = l.order.PushFront(limiter{key, rate.NewLimiter(rate.Limit(l.opts.PerSecond), l.opts.Burst)})
		l.byKey[key] = e
	}
	l.order.MoveToFront(e)
	reserved := e.Value.(limiter).ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now) // it does not count against later ones
	}
	return wait
}
