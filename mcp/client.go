package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A Client talks to one server, using the newest revision of the protocol that both support.
// Connect creates one. Its methods are safe for concurrent use.
//
// An error sent by the server is an *Error. If a server refuses a request with an HTTP status, for
// example because of its token, the error wraps an *HTTPError. Any other error comes from the
// client itself: the error of the context, ErrClientClosed, or an error that describes what failed.
type Client struct {
	opts      ClientOptions
	revisions []revision.Revision // the revisions that may be used, newest first
	log       *slog.Logger
	transport Transport
	tools     toolMemo
	cache     resultCache
	events    eventQueue
	calls     sync.Pool
	level     atomic.Int32 // lowest level of log messages; 0 before SetLogLevel

	visits        visits
	questions     bucket // limits the rate of the server's questions
	askMu         sync.Mutex
	asking        int           // number of questions being answered
	askStart      time.Time     // when asking last changed from 0 to 1
	askTime       time.Duration // total time during which asking was more than 0, up to the last time it became 0
	subscriptions subscriptions

	// ctx is done after Close.
	ctx    context.Context
	cancel context.CancelFunc

	conn atomic.Pointer[clientConn]

	mu     sync.Mutex
	dial   *dialing // the current attempt to connect, or nil
	failed int      // number of consecutive attempts that failed
	closed bool
	ending sync.WaitGroup // connections that are being closed; see end
	done   chan struct{}  // closed by Close, or when the connection is lost and cannot be restored
	err    error          // why done is closed
}

// ErrClientClosed is the error of requests that were ended by Client.Close, and
// of a Subscription after its Close.
var ErrClientClosed = errors.New("the client is closed")

// ErrNoRevision is the error of Connect if the server supports none of the protocol revisions in
// ClientOptions.Revisions.
var ErrNoRevision = errors.New("no common revision of the protocol")

// ClientOptions configure a Client. The zero value suits a client that does not answer questions
// from the server.
type ClientOptions struct {
	// Info identifies the client to servers. The default is the name and version of the program's
	// main module.
	Info Implementation
	// Revisions are the revisions of the protocol that may be used, such as
	// "2025-11-25". By default all may be used, and Connect chooses the newest
	// that the server supports.
	Revisions []string

	// Roots lists the folders that the server may work on, each a file URI. The
	// client calls it when the server asks. Call Client.RootsChanged after a
	// change.
	Roots func(ctx context.Context) ([]Root, error)
	// Sample generates a message with a model on behalf of the server. Ask the user for permission
	// first. Sample returns ErrDeclined if the user refuses.
	Sample func(ctx context.Context, s *Sampling) (*SamplingResult, error)
	// SampleTools and SampleContext declare that Sample uses the fields Tools and IncludeContext.
	SampleTools, SampleContext bool
	// ElicitForm asks the user to fill in a form. Tell the user which server asks, and let the user
	// review the answers, decline or cancel. The client adds the defaults of fields that are
	// missing in Content, and refuses to send content that does not satisfy the form's schema; see
	// Elicitation.Validate.
	ElicitForm func(ctx context.Context, e *Elicitation) (ElicitationResult, error)
	// ElicitURL asks the user for consent to visit a page, and opens it. Show the
	// whole URL, and do not fetch it before the user has agreed. The URL is
	// absolute and its scheme is https, or http with a loopback address. The
	// client refuses other URLs itself.
	ElicitURL func(ctx context.Context, e *Elicitation) (Action, error)
	// ElicitationComplete is called when a server of revision 2025-11-25 reports that the user has
	// completed the interaction on the page of the Elicitation with the given ID. It is called once
	// for each page that the user has agreed to visit, or that the server required in an error.
	ElicitationComplete func(id string)
	// Tasks declares the extension for tasks. Servers of revision 2026-07-28 may then answer a
	// tool call with a task; CallTool waits for its result.
	Tasks bool
	// Extensions are additional extensions that the client supports, with their settings. The
	// settings must be encoded as JSON objects.
	Extensions map[string]any

	// Log receives the server's log messages, one at a time. LogLevel is the lowest level to
	// receive; the default is LevelInfo.
	Log      func(LogMessage)
	LogLevel Level
	// Notification receives notifications that the library does not handle, such as notifications
	// of extensions, one at a time.
	Notification func(method string, params json.RawMessage)

	// Middleware wraps the requests and notifications of both sides; the first one is
	// outermost.
	Middleware []ClientMiddleware
	// Trace is called with the JSON text of each message that is sent or received. It must not keep
	// or change message, and may be called concurrently. Messages can contain secrets; see Redact.
	Trace func(sent bool, message json.RawMessage)

	// Timeout is the time within which the server must answer a request or report its progress;
	// default 2 minutes, negative for no limit. Servers report progress only for requests with
	// CallOptions.Progress. The time that the user or the model takes to answer the server's
	// questions does not count. CallOptions can change Timeout for a request. The error wraps
	// context.DeadlineExceeded.
	Timeout time.Duration
	// MaxTimeout is the maximum time of a request, including all its progress; default 1 hour,
	// negative for no limit.
	MaxTimeout time.Duration
	// ProbeTimeout limits two waits; default 3 seconds. If a server on a pipe does not answer
	// server/discover in that time, the client also tries initialize. If a server that previously
	// used HTTP with SSE does not reopen its stream in that time, the client tries Streamable HTTP.
	ProbeTimeout time.Duration

	Limits ClientLimits
	// Logger receives messages for the operator of the client. They concern messages that violate
	// the protocol and connections that are lost or restored. Nil means slog.Default().
	Logger *slog.Logger
}

// ClientLimits limit the work and memory that a server can cause for a client. A field that is zero
// or negative means the default, unless its comment states otherwise.
type ClientLimits struct {
	// MaxMessageBytes is the maximum size of a received message; default 32 MiB. If the
	// response to a request is larger, the request fails.
	MaxMessageBytes int
	// MaxQueuedBytes is the maximum size of the data waiting to be written to a server that does
	// not read; default 8 MiB. When it is reached, requests wait, and answers to the server are
	// dropped.
	MaxQueuedBytes int
	// MaxListEntries is the maximum number of entries of a list, on all its pages; default 100,000.
	// A longer list ends with an error.
	MaxListEntries int
	// MaxListPages is the maximum number of pages of a list; default 10,000.
	MaxListPages int
	// MaxQuestions is the maximum number of the server's questions that are answered at a time;
	// default 16. MaxQuestionRate is the maximum number that are answered per second; default 100.
	// Additional questions are refused with an error.
	MaxQuestions    int
	MaxQuestionRate int
	// MaxRounds is the maximum number of times that a server of revision 2026-07-28 may answer
	// one request with questions; default 16.
	MaxRounds int
	// MaxEvents is the maximum number of log messages and notifications that wait for the functions
	// in ClientOptions; default 1000. Additional ones are dropped. It also limits the number of
	// pages opened by ElicitURL for which ElicitationComplete can still be called, and the number
	// of tasks whose progress is received after their calls were answered; beyond the limit, the
	// oldest are forgotten.
	MaxEvents int
	// MaxReports is the maximum number of progress reports for one request that wait for
	// its Progress function; default 100. Beyond the limit, the oldest are dropped.
	MaxReports int
	// MaxCacheBytes is the maximum size of the result cache; default 16 MiB, negative for no
	// cache. The server's hints determine which results are cached, and for how long.
	MaxCacheBytes int
	// MaxReconnects is the maximum number of consecutive attempts to recover from a lost
	// connection, for each request, stream, subscription and task; default 8. After the last
	// attempt the request, stream, subscription or task fails.
	MaxReconnects int
	// MaxBackoff is the maximum time between consecutive attempts to reconnect;
	// default 30 seconds.
	MaxBackoff time.Duration
	// CloseTimeout is the maximum time that Client.Close waits for the connection to end; default 3
	// seconds. Over HTTP, Client.Close then waits for up to the same time for the server to end the
	// session.
	CloseTimeout time.Duration
}

// A LogMessage is a log message from a server.
type LogMessage struct {
	Level  Level
	Logger string // name of the logger; may be empty
	Data   json.RawMessage
}

func (o *ClientOptions) setDefaults() {
	if o.Info.Name == "" {
		o.Info.Name, o.Info.Version = programName()
	}
	o.Info.Version = cmp.Or(o.Info.Version, "devel")
	defaultTo(&o.Timeout, 2*time.Minute)
	defaultTo(&o.MaxTimeout, time.Hour)
	defaultTo(&o.ProbeTimeout, 3*time.Second)
	o.LogLevel = cmp.Or(o.LogLevel, LevelInfo)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	l := &o.Limits
	orDefault(&l.MaxMessageBytes, 32<<20)
	orDefault(&l.MaxQueuedBytes, 8<<20)
	orDefault(&l.MaxListEntries, 100_000)
	orDefault(&l.MaxListPages, 10_000)
	orDefault(&l.MaxQuestions, 16)
	orDefault(&l.MaxQuestionRate, 100)
	orDefault(&l.MaxRounds, 16)
	orDefault(&l.MaxEvents, 1000)
	orDefault(&l.MaxReports, 100)
	defaultTo(&l.MaxCacheBytes, 16<<20)
	orDefault(&l.MaxReconnects, 8)
	orDefault(&l.MaxBackoff, 30*time.Second)
	orDefault(&l.CloseTimeout, 3*time.Second)
}

func defaultTo[T cmp.Ordered](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

func programName() (name, version string) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path == "" {
		return "mcp-client", ""
	}
	version = info.Main.Version
	if version == "(devel)" {
		version = ""
	}
	return path.Base(info.Main.Path), version
}

// A Transport connects to a server. It is a *CommandTransport, *HTTPTransport, *ConnTransport or
// *ServerTransport. Set the fields of a transport before Connect, and do not change them later.
//
// The interface is sealed, because what a client requires of a transport differs between revisions
// and changes with the protocol. Examples are request headers, resumed streams, and whether a lost
// connection can be restored. To reach a server in another way, such as over a WebSocket, an SSH
// session or a container's pipe, use a ConnTransport with anything that reads and writes lines of
// JSON. Its Dial is called again when the connection is lost.
//
// A transport connects to one server. For a server with sessions, it remembers the revision and,
// over HTTP, the kind of transport. Later connections, including those of other clients with the
// same transport, therefore begin with requests that the server understands. If the server has
// changed, its response shows that.
type Transport interface {
	// dials returns the ways to connect, to be tried in order.
	dials() []dialer
	// redials reports whether a lost connection can be restored.
	redials() bool
	// remembered returns what earlier connections learned about the server.
	remembered() *memory
}

// A dialer connects to a server and returns the link for conn. It does not
// perform the handshake.
type dialer func(ctx context.Context, conn *clientConn) (link, error)

// Connect connects to the server of t and gets its capabilities. ctx applies only until Connect
// returns; the client remains usable until Close. A nil opts means the zero value. If the server
// refuses the client with an HTTP status, for example because of its token, the error wraps an
// *HTTPError.
func Connect(ctx context.Context, t Transport, opts *ClientOptions) (*Client, error) {
	c := &Client{transport: t, done: make(chan struct{}), calls: sync.Pool{New: makeCall}}
	if opts != nil {
		c.opts = *opts
	}
	c.opts.setDefaults()
	c.log = c.opts.Logger
	for _, rev := range revision.All() {
		if len(c.opts.Revisions) == 0 || slices.Contains(c.opts.Revisions, rev.String()) {
			c.revisions = append(c.revisions, rev)
		}
	}
	for _, name := range c.opts.Revisions {
		if revision.Parse(name) == revision.None {
			return nil, fmt.Errorf("mcp: connecting: ClientOptions.Revisions names %q, which is not a revision of the protocol", name)
		}
	}
	if i := slices.IndexFunc(c.opts.Middleware, func(m ClientMiddleware) bool { return m == nil }); i >= 0 {
		return nil, fmt.Errorf("mcp: connecting: ClientOptions.Middleware[%d] is nil", i)
	}
	for _, id := range sortedKeys(c.opts.Extensions) {
		if settings, err := encode(c.opts.Extensions[id]); err != nil || !isObject(settings) {
			return nil, fmt.Errorf("mcp: connecting: the settings of extension %q do not encode as a JSON object", id)
		}
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.events.limit = c.opts.Limits.MaxEvents
	if c.opts.ElicitationComplete != nil {
		c.visits.limit = c.opts.Limits.MaxEvents
	}
	c.cache.limit = c.opts.Limits.MaxCacheBytes
	if _, err := c.connect(ctx); err != nil {
		c.cancel()
		return nil, fmt.Errorf("mcp: connecting: %w", inner{err})
	}
	return c, nil
}

// ServerInfo is a server's description of itself.
type ServerInfo struct {
	Implementation
	// Revision is the revision of the protocol that the client and the server use.
	Revision string
	// Instructions tell a model how to use the server.
	Instructions string
	Capabilities ServerCapabilities
	// Subscriptions is true if the server supports subscriptions to changes in resources.
	Subscriptions bool
	// Declared are the capabilities as JSON, including those for which
	// Capabilities has no field.
	Declared json.RawMessage
}

// Extension returns the settings with which the server declared an extension,
// and whether it did.
func (i *ServerInfo) Extension(id string) (settings json.RawMessage, declared bool) {
	value := member(member(i.Declared, "extensions"), id)
	return value, value != nil
}

// Server returns the description that the server sent when the connection was last established.
func (c *Client) Server() *ServerInfo { return c.conn.Load().agreement().server }

// Done is closed when the client is closed or its connection is lost for good.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err returns why Done is closed: ErrClientClosed, or the error that ended the
// connection. It returns nil while Done is open.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// finish closes done and records err as the reason. It does nothing if done is already
// closed.
func (c *Client) finish(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		close(c.done)
	}
}

// Close ends the connection. Requests in flight fail with ErrClientClosed. A
// server that was started as a command is stopped; see CommandTransport. Close
// returns when that is done, or after ClientLimits.CloseTimeout and the
// timeouts of the CommandTransport. It may be called more than once.
func (c *Client) Close() error {
	c.mu.Lock()
	again := c.closed
	c.closed = true
	c.mu.Unlock()
	c.finish(ErrClientClosed)
	if again {
		return nil
	}
	c.cancel()
	var err error
	if conn := c.conn.Load(); conn != nil {
		err = conn.close(ErrClientClosed)
	}
	c.ending.Wait()
	c.events.close()
	return err
}

// Revisions returns the names of the published revisions of the protocol, oldest
// first.
func Revisions() []string {
	var names []string
	for _, rev := range slices.Backward(revision.All()) {
		names = append(names, rev.String())
	}
	return names
}
