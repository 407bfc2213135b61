package mcpproxy

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/mcp"
)

// asking is an upstream that only one call uses at a time, so that the server's questions belong to
// that call.
type asking struct {
	upstream *mcp.Client
	client   *client
	current  *call // the call that uses it; guarded by bridge.mu
}

// upstreamFor returns the upstream for a call, and a function to call after its
// use.
func (b *bridge) upstreamFor(ctx context.Context, c *call, r *mcp.Request) (*mcp.Client, func(), error) {
	requester := client{info: r.Client(), caps: r.ClientCapabilities()}
	if !b.shared || !requester.canBeAsked() {
		return b.upstream, func() {}, nil
	}
	b.mu.Lock()
	for i, a := range b.idle {
		if signature(&a.client.caps) == signature(&requester.caps) && a.upstream.Err() == nil {
			b.idle = append(b.idle[:i], b.idle[i+1:]...)
			a.current = c
			b.askers++
			b.mu.Unlock()
			return a.upstream, func() { b.release(a) }, nil
		}
	}
	full := b.askers >= b.p.opts.HTTP.MaxSessions
	if !full {
		b.askers++
	}
	b.mu.Unlock()
	if full {
		return nil, nil, &mcp.Error{Code: mcp.CodeInternalError, Message: "Too many calls that may ask the user are in progress; try again later"}
	}
	a := &asking{client: &requester, current: c}
	upstream, err := b.p.opts.Connect(ctx, func(opts *mcp.ClientOptions) {
		b.configure(opts, client{caps: requester.caps, sessionless: true})
		exclusive(opts, b, a)
	})
	if err != nil {
		b.mu.Lock()
		b.askers--
		b.mu.Unlock()
		return nil, nil, err
	}
	a.upstream = upstream
	return upstream, func() { b.release(a) }, nil
}

// maxIdle is the maximum number of idle upstreams that are kept for calls that may ask questions.
const maxIdle = 4

func (b *bridge) release(a *asking) {
	b.mu.Lock()
	a.current = nil
	b.askers--
	keep := !b.closed && len(b.idle) < maxIdle && a.upstream.Err() == nil
	if keep {
		b.idle = append(b.idle, a)
	}
	b.mu.Unlock()
	if !keep {
		a.upstream.Close()
	}
}

// exclusive sends the questions and log messages of a's server to the call that
// uses a.
func exclusive(opts *mcp.ClientOptions, b *bridge, a *asking) {
	with := func(ctx context.Context) context.Context {
		b.mu.Lock()
		defer b.mu.Unlock()
		return context.WithValue(ctx, callKey{}, a.current)
	}
	opts.Log = func(m mcp.LogMessage) {
		if c, _ := with(context.Background()).Value(callKey{}).(*call); c != nil {
			c.latest().Log(m.Level, m.Logger, m.Data)
		}
	}
	if form := opts.ElicitForm; form != nil {
		opts.ElicitForm = func(ctx context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			return form(with(ctx), e)
		}
	}
	if visit := opts.ElicitURL; visit != nil {
		opts.ElicitURL = func(ctx context.Context, e *mcp.Elicitation) (mcp.Action, error) { return visit(with(ctx), e) }
	}
	if sample := opts.Sample; sample != nil {
		opts.Sample = func(ctx context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) { return sample(with(ctx), s) }
	}
	if roots := opts.Roots; roots != nil {
		opts.Roots = func(ctx context.Context) ([]mcp.Root, error) { return roots(with(ctx)) }
	}
}

// capabilities are the client capabilities that determine which questions a server may ask: roots;
// sampling, with tools and context; forms and pages.
type capabilities [6]bool

func signature(c *mcp.ClientCapabilities) (s capabilities) {
	s[0] = c.Roots != nil
	if c.Sampling != nil {
		s[1], s[2], s[3] = true, c.Sampling.Tools != nil, c.Sampling.Context != nil
	}
	if e := c.Elicitation; e != nil {
		s[4], s[5] = e.Form != nil || e.URL == nil, e.URL != nil
	}
	return s
}

// answerQuestions sets the functions that answer the server's questions, for the kinds of questions
// that the client supports.
func (b *bridge) answerQuestions(opts *mcp.ClientOptions, caps *mcp.ClientCapabilities) {
	can := signature(caps)
	if can[0] {
		opts.Roots = func(ctx context.Context) ([]mcp.Root, error) {
			q := &mcp.RootsQuestion{Key: newKey()}
			answer, err := b.ask(ctx, q, q.Key)
			if err != nil {
				return nil, err
			}
			return answer.(*mcp.RootsResult).Roots, nil
		}
	}
	if can[1] {
		opts.SampleTools, opts.SampleContext = can[2], can[3]
		opts.Sample = func(ctx context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
			q := *s
			q.Key = newKey()
			answer, err := b.ask(ctx, &q, q.Key)
			if err != nil {
				return nil, err
			}
			return answer.(*mcp.SamplingResult), nil
		}
	}
	if can[4] {
		opts.ElicitForm = func(ctx context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			q := &mcp.Elicitation{Key: newKey(), Message: e.Message, Schema: e.Schema}
			answer, err := b.ask(ctx, q, q.Key)
			if err != nil {
				return mcp.ElicitationResult{}, err
			}
			return *answer.(*mcp.ElicitationResult), nil
		}
	}
	if can[5] {
		opts.ElicitURL = func(ctx context.Context, e *mcp.Elicitation) (mcp.Action, error) {
			q := &mcp.Elicitation{Key: newKey(), Message: e.Message, URL: e.URL, ID: e.ID}
			if q.ID == "" {
				q.ID = q.Key // Questions in the newest revision have no IDs.
			}
			answer, err := b.ask(ctx, q, q.Key)
			if err != nil {
				return "", err
			}
			return answer.(*mcp.ElicitationResult).Action, nil
		}
	}
}

// ask sends the server's question to the client.
func (b *bridge) ask(ctx context.Context, q mcp.Question, key string) (mcp.Answer, error) {
	c := b.calls.callOf(ctx)
	if c == nil {
		r := b.latest()
		if r == nil {
			return nil, errors.New("no client is available to answer")
		}
		got := askOne(ctx, r.Session(), q)
		return got.answer, got.err
	}
	if front := c.latest(); !front.AsksByResult() || front.IsTask() {
		got := askOne(ctx, front, q)
		return got.answer, got.err
	}
	one := &question{key: key, ask: q, answered: make(chan reply, 1)}
	select {
	case c.questions <- one:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case got := <-one.answered:
		return got.answer, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// askOne asks one question, in a request or in a session.
func askOne(ctx context.Context, r interface {
	Ask(ctx context.Context, questions ...mcp.Question) ([]mcp.Answer, error)
}, q mcp.Question) reply {
	answers, err := r.Ask(ctx, q)
	if err != nil {
		return reply{err: err}
	}
	return reply{answer: answers[0]}
}
