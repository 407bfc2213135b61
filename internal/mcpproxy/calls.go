package mcpproxy

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// maxPending is the maximum number of calls through a bridge that wait for answers from clients
// without sessions.
const maxPending = 1000

// calls are the calls through a bridge that are in progress.
type calls struct {
	b *bridge

	mu      sync.Mutex
	running map[*call]bool
	pending map[string]*call // calls that wait for an answer, by the question's key
}

// A call is a forwarded request. For a client without a session, a call outlives its request: a
// question of the server ends the request, and the next request, which contains the answer,
// continues the call.
type call struct {
	questions chan *question
	outcome   chan outcome
	cancel    context.CancelCauseFunc
	expiry    *time.Timer

	mu      sync.Mutex
	front   *mcp.Request // the client's latest request for the call
	waiting map[string]*question
}

type outcome struct {
	res mcp.Result
	err error
}

// question is a question of the server to a client without a session.
type question struct {
	key      string
	ask      mcp.Question
	answered chan reply
}

// reply is the client's answer to a question.
type reply struct {
	answer mcp.Answer
	err    error
}

type callKey struct{}

// forward forwards a request to an upstream. The call is in ctx.
type forward func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error)

// do forwards r and returns the result for the client.
func (s *calls) do(ctx context.Context, r *mcp.Request, f forward) (mcp.Result, error) {
	if r.IsTask() || !r.AsksByResult() {
		return s.run(ctx, r, f)
	}
	c := s.resumed(r)
	if c == nil {
		c = s.begin(ctx, r, f)
	}
	c.mu.Lock()
	c.front = r
	answers := slices.Collect(maps.Values(c.waiting))
	c.mu.Unlock()
	for _, q := range answers {
		got := askOne(ctx, r, q.ask)
		if errors.Is(got.err, mcp.ErrInputRequired) {
			continue // this question has no answer yet
		}
		s.settle(c, q, got)
	}
	if len(answers) > 0 && s.stillWaiting(c) {
		return nil, mcp.ErrInputRequired
	}
	select {
	case got := <-c.outcome:
		s.forget(c)
		return got.res, passError(ctx, got.err)
	case q := <-c.questions:
		return nil, s.pose(ctx, r, c, q)
	case <-ctx.Done():
		c.cancel(context.Cause(ctx))
		s.forget(c)
		return nil, context.Cause(ctx)
	}
}

// run forwards r, and passes the server's questions on to the client in the meantime.
func (s *calls) run(ctx context.Context, r *mcp.Request, f forward) (mcp.Result, error) {
	c := &call{front: r}
	s.add(c)
	defer s.forget(c)
	upstream, release, err := s.b.upstreamFor(ctx, c, r)
	if err != nil {
		return nil, passError(ctx, err)
	}
	defer release()
	res, err := f(context.WithValue(ctx, callKey{}, c), upstream, c.options(r))
	_ = upstream.Flush(ctx) // log messages precede the result
	return res, passError(ctx, err)
}

// begin forwards r on a goroutine that outlives it, and returns the call immediately.
func (s *calls) begin(ctx context.Context, r *mcp.Request, f forward) *call {
	c := &call{questions: make(chan *question), outcome: make(chan outcome, 1), waiting: map[string]*question{}, front: r}
	base, cancel := context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), callKey{}, c))
	c.cancel = cancel
	stop := context.AfterFunc(s.b.ctx, func() { cancel(mcp.ErrClientClosed) })
	s.add(c)
	go func() {
		defer stop()
		defer cancel(nil)
		var got outcome
		if upstream, release, err := s.b.upstreamFor(base, c, r); err != nil {
			got.err = err
		} else {
			got.res, got.err = f(base, upstream, c.options(r))
			_ = upstream.Flush(base) // log messages precede the result
			release()
		}
		c.outcome <- got
	}()
	return c
}

// latest returns the client's latest request for the call.
func (c *call) latest() *mcp.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.front
}

// options makes the upstream report progress to the client's latest request.
func (c *call) options(r *mcp.Request) *mcp.CallOptions {
	return &mcp.CallOptions{Meta: metaOf(r), Progress: func(p mcp.Progress) {
		c.latest().Progress(p.Progress, p.Total, p.Message)
	}}
}

// pose ends r with a question to the client.
func (s *calls) pose(ctx context.Context, r *mcp.Request, c *call, q *question) error {
	s.mu.Lock()
	if s.pending == nil {
		s.pending = map[string]*call{}
	}
	full := len(s.pending) >= maxPending
	if !full {
		s.pending[q.key] = c
	}
	s.mu.Unlock()
	if full {
		q.answered <- reply{err: errors.New("too many calls are waiting for answers")}
		return &mcp.Error{Code: mcp.CodeInternalError, Message: "Too many calls are waiting for answers; try again later"}
	}
	c.mu.Lock()
	c.waiting[q.key] = q
	if c.expiry == nil {
		c.expiry = time.AfterFunc(s.b.p.opts.AnswerTimeout, func() {
			c.cancel(errors.New("the client did not respond"))
			s.forget(c)
		})
	} else {
		c.expiry.Reset(s.b.p.opts.AnswerTimeout)
	}
	c.mu.Unlock()
	got := askOne(ctx, r, q.ask)
	if got.err != nil && !errors.Is(got.err, mcp.ErrInputRequired) {
		s.settle(c, q, got)
	}
	return got.err
}

// settle passes an answer, or an error, to the function that waits for it.
func (s *calls) settle(c *call, q *question, got reply) {
	s.mu.Lock()
	delete(s.pending, q.key)
	s.mu.Unlock()
	c.mu.Lock()
	delete(c.waiting, q.key)
	if c.expiry != nil && len(c.waiting) == 0 {
		c.expiry.Stop()
	}
	c.mu.Unlock()
	q.answered <- got
}

func (s *calls) stillWaiting(c *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting) > 0
}

// resumed returns the call for which r contains answers, or nil.
func (s *calls) resumed(r *mcp.Request) *call {
	var params struct {
		Answers map[string]json.RawMessage `json:"inputResponses"`
	}
	if json.Unmarshal(r.Params(), &params) != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range params.Answers {
		if c := s.pending[key]; c != nil {
			return c
		}
	}
	return nil
}

func (s *calls) add(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		s.running = map[*call]bool{}
	}
	s.running[c] = true
}

func (s *calls) forget(c *call) {
	s.mu.Lock()
	delete(s.running, c)
	for key, other := range s.pending {
		if other == c {
			delete(s.pending, key)
		}
	}
	s.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expiry != nil {
		c.expiry.Stop()
	}
}

func (s *calls) close() {
	s.mu.Lock()
	running := slices.Collect(maps.Keys(s.running))
	s.mu.Unlock()
	for _, c := range running {
		if c.cancel != nil {
			c.cancel(mcp.ErrClientClosed)
		}
		s.forget(c)
	}
}

// inFlight returns the requests that are being served.
func (s *calls) inFlight() []*mcp.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*mcp.Request
	for c := range s.running {
		all = append(all, c.latest())
	}
	return all
}

// callOf returns the call to which a question of the server belongs. That is the call in ctx, or
// else any call in progress if all of them belong to the same client. It returns nil if there is
// none.
func (s *calls) callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok || s.b.shared {
		return c
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.running {
		return c
	}
	return nil
}

func newKey() string { return rand.Text() }
