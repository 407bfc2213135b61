// Package ratelimit limits the rate of tool calls.
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

// Options configure New.
type Options struct {
	// PerSecond is the sustained number of calls per second that each caller
	// can make to each tool; default 10.
	PerSecond float64
	// Burst is the number of calls that a caller can make without a pause; default twice PerSecond,
	// at least 1.
	Burst int
	// Key returns the key of a request; each key has its own limit. The default is
	// Caller. Requests with an empty key are not limited. Key is called for every
	// request from a client, not only for tool calls.
	Key func(r *mcp.Request) string
	// MaxKeys is the maximum number of keys in memory; default 10,000. Beyond
	// the limit, the least recently used key is removed.
	MaxKeys int
}

// Caller is the default Options.Key. It identifies the tool and its caller, which is the principal
// or, without one, the session. Callers with neither share a limit. Requests other than tool calls
// have no key; mcp.ServerOptions limits task and completion requests.
func Caller(r *mcp.Request) string {
	if r.Method() != "tools/call" {
		return ""
	}
	name := r.Name()
	if len(name) > maxName { // the name of a tool cannot be longer than that
		name = ""
	}
	return name + "\x00" + r.Caller()
}

// maxName is the maximum length in bytes of a tool's name.
const maxName = 128

// New returns middleware that limits the rate of requests per key. A tool call over the limit gets
// a result with IsError, which tells the model when to try again. Any other request gets an
// *mcp.Error. The handler does not run.
//
// Place this middleware after middleware that refuses requests, so that refused requests are not
// counted. A nil options means the zero value.
func New(options *Options) mcp.Middleware {
	l := NewLimiter(options)
	return func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, m mcp.Message) (mcp.Result, error) {
			if m.Outgoing() || m.Notification() {
				return next(ctx, m)
			}
			key := l.opts.Key(m.Request)
			if key == "" {
				return next(ctx, m)
			}
			if wait := l.Wait(key); wait > 0 {
				return refuse(m.Request, wait)
			}
			return next(ctx, m)
		}
	}
}

// NewLimiter returns a Limiter for anything other than MCP requests. It ignores Options.Key. A
// nil options means the zero value.
func NewLimiter(options *Options) *Limiter {
	var opts Options
	if options != nil {
		opts = *options
	}
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
	return &Limiter{opts: opts, byKey: map[string]*list.Element{}}
}

// refuse returns the response to a request over the limit, which tells the client to repeat the
// request after wait.
func refuse(r *mcp.Request, wait time.Duration) (mcp.Result, error) {
	wait = max(wait.Round(100*time.Millisecond), 100*time.Millisecond)
	if r.Method() == "tools/call" {
		text := fmt.Sprintf("Rate limit reached: tool %q was called too often and has not run. Try again in %v.", r.Name(), wait)
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}, IsError: true}, nil
	}
	return nil, &mcp.Error{Code: mcp.CodeInvalidRequest, Message: fmt.Sprintf("Rate limit reached: try %s again in %v", r.Method(), wait)}
}

// A Limiter limits the rate of events for each key. It stores the keys that were recently used. It
// is safe for concurrent use.
type Limiter struct {
	opts Options

	mu    sync.Mutex
	byKey map[string]*list.Element // elements by key; their values are *limiter
	order list.List                // most recently used first
}

type limiter struct {
	key string
	*rate.Limiter
}

// Wait takes a token of the key and returns 0. If there is none, it returns the time until one is
// available.
func (l *Limiter) Wait(key string) time.Duration {
	now := time.Now()
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
		reserved.CancelAt(now) // return the token
	}
	return wait
}
