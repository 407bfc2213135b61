package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// ServerOptions change what a Server does. The zero value is right for most.
type ServerOptions struct {
	// Instructions tell a model how to use the server as a whole.
	Instructions string

	// Logger receives what the server has to say of itself: panics, errors that
	// clients are told nothing of, refused connections. It never receives
	// arguments or results, but what a handler panics with or returns as its
	// error as it is: keep secrets out of that, or out of the logger. Nil is
	// slog.Default(), which writes to standard error; slog.DiscardHandler
	// discards it.
	Logger *slog.Logger

	// Tools, Prompts, Resources, Completions and Tasks declare the capability of
	// that name though the server has nothing of the kind yet. By default it
	// declares what it has when a client connects, and clients do not look for
	// more later.
	Tools, Prompts, Resources, Completions, Tasks bool

	// Logging declares the logging capability: Request.Log sends to clients.
	// The protocol deprecates it from 2026-07-28 on; it is off unless asked for.
	Logging bool
	// Secret reports whether members of that name are secrets in what
	// Request.Log sends; "[redacted]" is sent in their place. Nil takes names
	// with password, secret, token, authorization, api_key and their like for
	// such, however they are written. Strings that are a bearer token or basic
	// credentials are never sent.
	Secret func(key string) bool

	// Middleware wraps the handling of every request and notification, in both
	// directions; the first one is outermost.
	Middleware []Middleware

	// Visible reports whether what r comes from may know of a tool, prompt,
	// resource or resource template. Kind is "tools", "prompts", "resources" or
	// "resourceTemplates", name the entry's name, URI or template. What is hidden
	// is missing from lists and unknown to calls; a hidden resource or template
	// is not replaced by another template that its URIs fit. Nil shows
	// everything. It must be quick: it decides on each entry of a list, before
	// middleware, and on the goroutine that reads from the client.
	Visible func(r *Request, kind, name string) bool

	// MaxMessageBytes is the size of the largest message that is read; default
	// 4 MiB. A larger one is answered with an error and discarded as it comes.
	MaxMessageBytes int
	// MaxConcurrent is how many requests of one connection or session are
	// served at a time; default 128. Further ones wait. Open subscriptions do not
	// count, and pings do not wait. On a pipe, middleware may be busy with as
	// many notifications and pings beside.
	MaxConcurrent int
	// MaxWaiting is how many requests of one connection or session may wait;
	// default 1024. A further one is refused with an error: the client sends it
	// again after an answer has come. On a pipe as many notifications and pings
	// may wait for middleware; further notifications are dropped. As many
	// subscriptions may be open on one connection.
	MaxWaiting int
	// MaxQueuedBytes bounds, each for itself, what waits to be written to one
	// connection, what the params of its waiting requests hold, and what those
	// of the requests being served hold; default 8 MiB. A client that does not
	// read loses notifications at half of it; at the bound its requests wait.
	// It bounds the answers to one batch too; those beyond it become errors.
	MaxQueuedBytes int
	// UnreadTimeout is how long a client on a pipe may leave MaxQueuedBytes
	// unread while it sends what the server answers at once, such as requests
	// that are refused; default 30 seconds. Until the client reads, the server
	// reads no further; then the connection ends with an error.
	UnreadTimeout time.Duration
	// MaxNotifications is how many log messages, and as many reports of
	// progress, one request may send in a second; default 100, negative for no
	// bound. Further ones are dropped, but for the last report of progress, which
	// comes before the result.
	MaxNotifications int
	// MaxListeners is how many subscriptions of clients of 2026-07-28 may be
	// open at a time, on all connections together; default 10,000. A further
	// one is answered with an error.
	MaxListeners int
	// MaxCompletions is how many requests for completion a client may make in a
	// second; default 100. A further one is answered with an error.
	MaxCompletions int
	// PageSize is how many entries a list has before it is split; default 1000.
	PageSize int
	// AskTimeout is how long a client of a session may take to answer a
	// question; default 10 minutes.
	AskTimeout time.Duration
	// DrainTimeout is how long requests in flight may go on when a connection
	// ends; default 5 seconds.
	DrainTimeout time.Duration
	// TaskStore keeps tasks; nil keeps them in memory.
	TaskStore TaskStore
	// MaxTasks is how many tasks may run at a time; default 1000. A further
	// call of a tool that would be one is answered with an error.
	MaxTasks int
	// MaxTasksPerClient is how many of them one client may have: a principal, or
	// without one a session or a connection; default 100. Over HTTP, clients of
	// 2026-07-28 without a principal cannot be told apart and share MaxTasks.
	MaxTasksPerClient int
	// MaxTaskRequests is how many requests about tasks a client may make in a
	// second; default 1000, which is looking after MaxTasks tasks as often as
	// TaskPoll says. A further one is answered with an error.
	MaxTaskRequests int
	// TaskTTL is how long a task is kept, from its beginning, unless its client
	// wants it shorter; default 1 hour. A handler still running then is
	// cancelled.
	TaskTTL time.Duration
	// TaskPoll is how often clients are asked to look after a task; default 1
	// second.
	TaskPoll time.Duration
	// ListTTL is how long clients of 2026-07-28 may keep a list or the answer
	// to server/discover without asking again. Zero lets them ask every time.
	ListTTL time.Duration
	// Key seals what the server hands to clients to bring back, such as the
	// cursors of lists. Replicas behind one address need the same one, of 32
	// random bytes. An empty one makes one for this process.
	Key []byte
}

// A Server offers tools, prompts and resources to any number of clients, on
// any number of connections at a time and in every published revision of the
// protocol. Its methods are safe for concurrent use.
type Server struct {
	info    Implementation
	opts    ServerOptions
	log     *slog.Logger
	handler Handler
	wrapped bool // handler is more than route
	workers *workers

	// modernMeta is the _meta of every result for 2026-07-28, still open.
	modernMeta []byte

	tools         registry[*tool]
	prompts       registry[*prompt]
	resources     registry[*resource]
	templates     registry[*resourceTemplate]
	methods       atomic.Pointer[map[string]Handler] // the user's own
	hasTasks      atomic.Bool                        // some tool has been added whose calls can be tasks, or will be
	hasCompleters atomic.Bool                        // some prompt or template has been added with one, or will be
	completions   buckets                            // by principal
	taskRequests  buckets                            // by principal

	mu         sync.Mutex
	sessions   map[*session]struct{}
	extensions map[string][]byte   // settings, by id
	runs       map[string]*taskRun // tasks whose handlers run, by id
	tasksOf    map[any]int         // how many of them a client has
	// listeners are the subscriptions of clients of 2026-07-28.
	listeners map[*listener]struct{}
}

// NewServer makes a server that names itself info. A nil opts is the zero
// value.
func NewServer(info Implementation, opts *ServerOptions) *Server {
	s := &Server{info: info, workers: newWorkers(), sessions: map[*session]struct{}{}, listeners: map[*listener]struct{}{}, runs: map[string]*taskRun{}, tasksOf: map[any]int{}, extensions: map[string][]byte{}}
	s.methods.Store(new(map[string]Handler))
	if opts != nil {
		s.opts = *opts
	}
	orDefault(&s.opts.MaxMessageBytes, 4<<20)
	orDefault(&s.opts.MaxConcurrent, 128)
	orDefault(&s.opts.MaxWaiting, 1024)
	orDefault(&s.opts.MaxQueuedBytes, 8<<20)
	orDefault(&s.opts.MaxListeners, 10_000)
	if s.opts.Secret == nil {
		s.opts.Secret = isSecret
	}
	if s.opts.MaxNotifications == 0 {
		s.opts.MaxNotifications = 100
	}
	orDefault(&s.opts.MaxCompletions, 100)
	orDefault(&s.opts.PageSize, 1000)
	if s.opts.DrainTimeout <= 0 {
		s.opts.DrainTimeout = 5 * time.Second
	}
	durationOrDefault(&s.opts.UnreadTimeout, 30*time.Second)
	if s.opts.AskTimeout <= 0 {
		s.opts.AskTimeout = 10 * time.Minute
	}
	durationOrDefault(&s.opts.TaskTTL, time.Hour)
	durationOrDefault(&s.opts.TaskPoll, time.Second)
	orDefault(&s.opts.MaxTasks, 1000)
	orDefault(&s.opts.MaxTasksPerClient, 100)
	orDefault(&s.opts.MaxTaskRequests, 1000)
	if s.opts.TaskStore == nil {
		s.opts.TaskStore = new(memoryTasks)
	}
	if s.log = s.opts.Logger; s.log == nil {
		s.log = slog.Default()
	}
	switch n := len(s.opts.Key); {
	case n == 0: // of a setting that is missing, perhaps: anyone could know it
		s.opts.Key = make([]byte, 32)
		rand.Read(s.opts.Key)
	case n < 32:
		s.log.Warn("ServerOptions.Key is short and may be guessed; take 32 random bytes", "bytes", n)
	}
	s.modernMeta = append(s.modernMeta, `"_meta":{"`+metaServerInfo+`":`...)
	s.modernMeta = s.info.append(s.modernMeta, revision.Latest)
	s.handler, s.wrapped = s.route, len(s.opts.Middleware) > 0
	for i, wrap := range slices.Backward(s.opts.Middleware) {
		if wrap == nil { // not left out: it may have been there to refuse requests
			panic(fmt.Sprintf("mcp: ServerOptions.Middleware[%d] is nil", i))
		}
		s.handler = wrap(s.handler)
	}
	s.tools.init(s, "tools", toolName, (*tool).append)
	s.prompts.init(s, "prompts", promptName, (*prompt).append)
	s.resources.init(s, "resources", resourceURI, (*resource).append)
	s.templates.init(s, "resourceTemplates", templateText, (*resourceTemplate).append)
	s.tools.inUse.Store(s.opts.Tools)
	s.prompts.inUse.Store(s.opts.Prompts)
	s.resources.inUse.Store(s.opts.Resources)
	s.hasCompleters.Store(s.opts.Completions)
	s.hasTasks.Store(s.opts.Tasks)
	return s
}

func orDefault(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}

// ServeStdio speaks MCP on standard input and output until input ends; see
// Serve. While it serves, os.Stdout is standard error, so that a stray
// fmt.Println does not break into the protocol.
func (s *Server) ServeStdio(ctx context.Context) error {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = stdout }()
	return s.serve(ctx, os.Stdin, struct{ io.Writer }{stdout})
}

func (s *Server) addSession(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[one] = struct{}{}
}

func (s *Server) removeSession(one *session) {
	s.mu.Lock()
	delete(s.sessions, one)
	s.mu.Unlock()
	s.endTasks(one)
}

// prepare fills in r from params, which r keeps, and from the session that
// its connection has, nil if none.
func (s *Server) prepare(r *Request, params []byte, session *session) *Error {
	if session != nil {
		r.rev = session.rev
	}
	if e := r.params.read(params); e != nil {
		return e
	}
	if e := r.meta.read(r.params.meta); e != nil {
		return e
	}
	if e := r.chooseRevision(session); e != nil {
		return e
	}
	if r.method != "tasks/update" && (r.params.requestState != nil || r.params.inputResponses != nil) {
		if e := r.readInputs(); e != nil {
			return e
		}
	}
	s.resolve(r)
	return nil
}

// resolve finds what r is about. What it does not find, the method that r
// calls will tell the client of.
func (s *Server) resolve(r *Request) {
	switch r.method {
	case "tools/call":
		if t, ok := s.tools.findJSON(r.params.name); ok && s.tools.shows(r, t) {
			r.tool = t
		}
	case "prompts/get":
		if p, ok := s.prompts.findJSON(r.params.name); ok && s.prompts.shows(r, p) {
			r.target = p
		}
	case "resources/read":
		if found := s.findSource(r); found != nil {
			r.target = found
		}
	case "completion/complete":
		if asked, e := s.readCompletion(r); e == nil {
			r.target = asked
		} else {
			r.target = e
		}
	}
}

// chooseRevision finds out which revision the request is of (specification
// 2026-07-28: Versioning, Backward Compatibility).
func (r *Request) chooseRevision(session *session) *Error {
	switch {
	case r.method == "initialize" && r.meta.protocolVersion == nil:
		return nil
	case r.meta.protocolVersion != nil:
		name, ok := jsonrpc.String(r.meta.protocolVersion)
		if !ok {
			return errorf(CodeInvalidParams, "Invalid params: _meta[%q] must be a string", metaProtocolVersion)
		}
		asked := revision.Parse(name)
		if session != nil && asked == session.rev {
			r.session = session // says again what was agreed on
			return nil
		}
		if !asked.Stateless() {
			return errUnsupportedVersion(name)
		}
		r.rev = asked
		if len(r.meta.clientCapabilities) == 0 || r.meta.clientCapabilities[0] != '{' {
			return errorf(CodeInvalidParams, "Invalid params: _meta[%q] must be an object", metaClientCapabilities)
		}
		if !isImplementation(r.meta.clientInfo) {
			return errorf(CodeInvalidParams, "Invalid params: _meta[%q] must be an object with name and version", metaClientInfo)
		}
		if r.meta.logLevel != nil {
			if level, ok := jsonrpc.String(r.meta.logLevel); !ok || parseLevel(level) == 0 {
				return errorf(CodeInvalidParams, "Invalid params: _meta[%q] is not a log level", metaLogLevel)
			}
		}
		return nil
	case session != nil:
		r.session = session
		return nil
	case r.method == "ping" && !r.meta.modern():
		return nil
	}
	if r.meta.modern() || r.method == "server/discover" {
		r.rev = revision.Latest
	}
	return errorf(CodeInvalidParams, "Invalid params: the request has no _meta[%q], and no session was opened by initialize", metaProtocolVersion)
}

// isImplementation reports whether info, if it is given, is an object whose
// name and version, if they are, are strings.
func isImplementation(info []byte) bool {
	if info == nil {
		return true
	}
	o := jsonrpc.ReadObject(info)
	for o.Next() {
		if name := string(o.Name); (name == "name" || name == "version") && o.Value[0] != '"' {
			return false
		}
	}
	return o.Err == nil
}

// errUnsupportedVersion refuses a revision by the name asked for. Who asks for
// a legacy one without a session is told of those alone that need none: to ask
// for another of the others would be refused too.
func errUnsupportedVersion(name string) *Error {
	sessionless := revision.Parse(name).HasSessions()
	data := []byte(`{"supported":[`)
	for _, rev := range revision.All() {
		if rev.Stateless() || !sessionless {
			data = wire.String(wire.Comma(data), rev.String())
		}
	}
	data = append(data, `],"requested":`...)
	data = wire.String(data, clip(name, 64))
	return &Error{Code: CodeUnsupportedVersion, Message: "Unsupported protocol version", Data: append(data, '}')}
}

// handle answers r: it appends the response to b. Whatever happens in a
// handler, a panic included, becomes a response.
func (s *Server) handle(r *Request, b []byte) (response []byte) {
	start := len(b)
	returned := false
	defer func() {
		if returned {
			return
		}
		if p := recover(); p != nil {
			s.log.Error("panic in a handler", "method", r.method, "name", r.about(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			s.finish(r)
			r.failed = CodeInternalError
			response = appendError(b[:start], r.id, r.rev, asError(errors.New("panic")))
		}
		// Else the handler has ended the goroutine: see abandoned.
	}()
	res, err := s.handler(&r.ctx, r)
	if r.missing.Load() {
		res, err = r.inputRequired()
	}
	if err == nil {
		res, err = encoded(res)
	}
	if err != nil {
		e := s.errorOf(r, err)
		r.failed = e.Code
		b = appendError(b, r.id, r.rev, e)
	} else {
		b = s.appendResponse(b, r, res)
	}
	s.finish(r)
	returned = true
	return b
}

// errorOf is what the client is told of err, with which r has failed; the log
// is told what the client is not. It is no part of handle because of the stack
// that each open subscription holds.
//
//go:noinline
func (s *Server) errorOf(r *Request, err error) *Error {
	if own, ok := errors.AsType[*Error](err); !ok {
		s.log.Error("request failed", "method", r.method, "name", r.about(), "error", err)
	} else if own == nil {
		s.log.Error("request failed", "method", r.method, "name", r.about(), "error", "the handler returned a nil *mcp.Error as its error; a variable that may be nil must be of type error")
	}
	e := asError(err)
	if code := r.rev.ErrorCode(e.Code); code != e.Code {
		e = &Error{Code: code, Message: e.Message, Data: e.Data}
	}
	return e
}

// about is the name of the tool or prompt that r is about, for the log. What
// it asks of a resource or a task is not for that.
func (r *Request) about() string {
	if r.tool != nil {
		return r.tool.Name
	}
	if p, ok := r.target.(*prompt); ok {
		return p.Name
	}
	return ""
}

var errGoexit = errors.New("the goroutine was ended with runtime.Goexit")

// abandoned ends r, whose handler, or what stands before it, has ended its
// goroutine with runtime.Goexit, as a failing test does. It returns the
// response. Whoever serves requests sees to it that nothing else ends with the
// goroutine.
func (s *Server) abandoned(r *Request) []byte {
	s.log.Error("request failed", "method", r.method, "name", r.about(), "error", errGoexit)
	s.finish(r)
	r.failed = CodeInternalError
	return appendError(nil, r.id, r.rev, asError(errGoexit))
}

// handleApart is handle on another goroutine, for callers whose own must not
// end with the handler's.
func (s *Server) handleApart(r *Request) (response []byte) {
	if !s.workers.apart(func() { response = s.handle(r, nil) }) {
		response = s.abandoned(r)
	}
	return response
}

// apart calls f, which calls code that the user of the library has brought if
// foreign is set: then on another goroutine, because such code may end it. It
// reports whether f has returned.
func (s *Server) apart(foreign bool, f func()) bool {
	if foreign {
		return s.workers.apart(f)
	}
	f()
	return true
}

// finish ends r: nothing can be sent for it after its response, and its
// context is over.
func (s *Server) finish(r *Request) {
	r.sendPending()
	r.mu.Lock()
	r.finished = true
	r.mu.Unlock()
	r.ctx.cancel(context.Canceled)
}

// route calls the method of r.
func (s *Server) route(ctx context.Context, r *Request) (Result, error) {
	if r.outgoing || r.Notification() {
		return r.target.(passage)(ctx)
	}
	if r.rev != revision.None && !r.rev.HasMethod(r.method) {
		return nil, errMethodNotFound(r.method)
	}
	switch r.method {
	case "tools/call":
		if s.tools.used() {
			return s.callTool(ctx, r)
		}
	case "tools/list":
		if s.tools.used() {
			return s.tools.list(r)
		}
	case "prompts/get":
		if s.prompts.used() {
			return s.getPrompt(ctx, r)
		}
	case "prompts/list":
		if s.prompts.used() {
			return s.prompts.list(r)
		}
	case "resources/read":
		if s.offers("resources") {
			return s.readResource(ctx, r)
		}
	case "resources/list":
		if s.offers("resources") {
			return s.resources.list(r)
		}
	case "resources/templates/list":
		if s.offers("resources") {
			return s.templates.list(r)
		}
	case "resources/subscribe", "resources/unsubscribe":
		if s.offers("resources") && !r.session.passing {
			return s.subscribe(r)
		}
	case "completion/complete":
		if s.hasCompleters.Load() {
			return s.complete(ctx, r)
		}
	case "ping":
		return emptyResult{}, nil
	case "initialize":
		return s.initialize(r)
	case "server/discover":
		return s.discover(r)
	case "tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update":
		return s.taskMethod(ctx, r)
	case "subscriptions/listen":
		return s.listen(ctx, r)
	case "logging/setLevel":
		if s.opts.Logging {
			return s.setLevel(r)
		}
	}
	if own := (*s.methods.Load())[r.method]; own != nil {
		return own(ctx, r)
	}
	return nil, errMethodNotFound(r.method)
}

func isNotification(method string) bool {
	return strings.HasPrefix(method, "notifications/")
}
