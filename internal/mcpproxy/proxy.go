// Package mcpproxy translates between the two transports of the Model Context Protocol: it makes a
// server on standard input and output available over HTTP, or a server on the web available on
// standard input and output. It also translates between revisions.
//
// Clients connect to a front; an upstream is a connection to the server. A bridge connects the two:
// an mcp.Server with a copy of the upstream's lists, whose middleware forwards requests. Each
// session of a client has its own bridge, and therefore an upstream that knows the client's
// capabilities. Clients without sessions share upstreams, but a client that the server may ask
// questions has its own upstream during a call, so that no question reaches another client.
package mcpproxy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// Options configure a Proxy.
type Options struct {
	// Connect connects to the server. change sets the client options that the
	// proxy needs.
	Connect func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error)
	// Implementation is the name of the proxy that servers see if no client's name is known.
	Implementation mcp.Implementation
	// HTTP are the options of the front over HTTP. MaxSessions is 100 by default,
	// since each session has an upstream, which may be a process.
	HTTP mcp.HTTPOptions
	// MaxMessageBytes is the maximum size of a message of a client; default 16 MiB.
	MaxMessageBytes int
	// AnswerTimeout is how long a client without a session may take to answer a
	// question of the server; default 15 minutes.
	AnswerTimeout time.Duration
	// Logger receives messages for the operator.
	Logger *slog.Logger
}

// A Proxy forwards requests of clients to a server.
type Proxy struct {
	opts Options
	log  *slog.Logger
}

// New makes a Proxy.
func New(opts Options) *Proxy {
	p := &Proxy{opts: opts, log: opts.Logger}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.opts.MaxMessageBytes = cmp.Or(p.opts.MaxMessageBytes, 16<<20)
	p.opts.HTTP.MaxSessions = cmp.Or(p.opts.HTTP.MaxSessions, 100)
	p.opts.HTTP.SessionTimeout = cmp.Or(p.opts.HTTP.SessionTimeout, 30*time.Minute)
	p.opts.AnswerTimeout = cmp.Or(p.opts.AnswerTimeout, 15*time.Minute)
	return p
}

// client is a client's description of itself.
type client struct {
	info        mcp.Implementation
	caps        mcp.ClientCapabilities
	sessionless bool
}

// canBeAsked reports whether a server may ask the client questions.
func (c *client) canBeAsked() bool {
	return c.caps.Roots != nil || c.caps.Sampling != nil || c.caps.Elicitation != nil
}

// A bridge connects clients to an upstream.
type bridge struct {
	p        *Proxy
	shared   bool // whether it is used by clients without sessions
	client   client
	upstream *mcp.Client
	server   *mcp.Server
	ctx      context.Context
	cancel   context.CancelFunc
	mirror   mirror
	watches  watches
	calls    calls

	mu      sync.Mutex
	session *mcp.Request // the latest request of the session; nil without a session
	idle    []*asking    // idle upstreams for calls that may ask questions
	askers  int          // number of upstreams that such calls use
	closed  bool
}

// open connects to the server for a client, and mirrors its lists. ctx applies only to connecting.
// shared is true if clients without sessions share the connection.
func (p *Proxy) open(ctx context.Context, c client, shared bool) (*bridge, error) {
	b := &bridge{p: p, shared: shared, client: c}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.calls.b, b.watches.b, b.mirror.b = b, b, b
	upstream, err := p.opts.Connect(ctx, func(opts *mcp.ClientOptions) {
		b.configure(opts, c) // A server may offer more features to clients that support questions.
	})
	if err != nil {
		b.cancel()
		return nil, err
	}
	b.upstream = upstream
	info := upstream.Server()
	caps := info.Capabilities
	caps.Tasks = caps.Tasks || b.hasTaskExtension()
	b.server = mcp.NewServer(info.Implementation, &mcp.ServerOptions{
		Instructions: info.Instructions,
		Capabilities: caps,
		Middleware:   []mcp.Middleware{b.pass},
		Logger:       p.log,
		IsSecret:     func(string) bool { return false }, // log messages come from the server, which decides what is secret
		Limits:       mcp.Limits{MaxMessageBytes: p.opts.MaxMessageBytes, AskTimeout: p.opts.AnswerTimeout},
	})
	b.mirror.start(ctx)
	return b, nil
}

// configure sets the options of an upstream for client c.
func (b *bridge) configure(opts *mcp.ClientOptions, c client) {
	if opts.Info = c.info; c.info.Name == "" {
		opts.Info = b.p.opts.Implementation
	}
	opts.Timeout, opts.MaxTimeout = -1, -1 // The client decides how long it waits.
	opts.Tasks = true
	opts.Logger = b.p.log
	opts.Limits.MaxRounds = 1000
	opts.Limits.MaxCacheBytes = -1 // Only the client's own cache is used.
	opts.ElicitForm, opts.ElicitURL, opts.Sample, opts.Roots = nil, nil, nil, nil
	opts.ElicitationComplete = b.elicitationComplete
	if opts.Log, opts.LogLevel = b.logged, mcp.LevelInfo; c.sessionless {
		opts.LogLevel = mcp.LevelDebug // Each request sets its own level.
	}
	b.answerQuestions(opts, &c.caps)
}

func (b *bridge) hasTaskExtension() bool {
	_, declared := b.upstream.Server().Extension("io.modelcontextprotocol/tasks")
	return declared
}

// done returns a channel that is closed when the connection to the upstream is
// lost.
func (b *bridge) done() <-chan struct{} { return b.upstream.Done() }

func (b *bridge) close() {
	b.mu.Lock()
	again := b.closed
	b.closed = true
	idle := b.idle
	b.idle = nil
	b.mu.Unlock()
	if again {
		return
	}
	b.cancel()
	b.calls.close()
	var closing sync.WaitGroup
	for _, a := range idle {
		closing.Go(func() { a.upstream.Close() })
	}
	b.upstream.Close()
	closing.Wait()
}

// remember stores a request of the session, with which the client can be reached outside requests.
func (b *bridge) remember(r *mcp.Request) {
	if b.shared || r.AsksByResult() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session = r
}

func (b *bridge) latest() *mcp.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

func (b *bridge) elicitationComplete(id string) {
	if r := b.latest(); r != nil {
		r.Session().ElicitationComplete(id)
	}
}

// logged forwards a log message. Without a session, it is sent with the
// requests in flight.
func (b *bridge) logged(m mcp.LogMessage) {
	if r := b.latest(); r != nil {
		r.Session().Log(m.Level, m.Logger, m.Data)
		return
	}
	if b.shared {
		return // the message may be about another client
	}
	for _, r := range b.calls.inFlight() {
		r.Log(m.Level, m.Logger, m.Data)
	}
}

// passError converts an error of a forwarded request to an error for the client.
func passError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, mcp.ErrInputRequired), ctx.Err() != nil:
		return err
	case errors.Is(err, mcp.ErrResourceNotFound):
		return mcp.ErrResourceNotFound
	}
	if e, ok := errors.AsType[*mcp.Error](err); ok {
		return e
	}
	return &mcp.Error{Code: mcp.CodeInternalError, Message: fmt.Sprintf("The server behind the proxy did not answer: %v", err)}
}
