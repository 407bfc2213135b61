package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Server provides tools, prompts and resources. It can serve any number of clients on any number
// of connections at the same time, in all published revisions of the protocol. Its methods are safe
// for concurrent use.
type Server struct {
	info    Implementation
	opts    ServerOptions
	log     *slog.Logger
	handler MessageHandler
	wrapped bool // whether there is middleware
	workers *workers
	unread  *unreadBudget
	answers map[string]*answerSize // sizes of the responses of built-in methods

	// modernMeta is the _meta of every result of revision 2026-07-28, without the closing brace.
	modernMeta []byte

	tools         registry[*tool]
	prompts       registry[*prompt]
	resources     registry[*resource]
	templates     registry[*resourceTemplate]
	methods       atomic.Pointer[map[string]Handler] // methods added with Handle
	hasTasks      atomic.Bool                        // whether a tool with tasks has been added or tasks are declared
	hasCompleters atomic.Bool                        // whether a Completer has been added or completions are declared
	completions   buckets                            // rates of completion requests by principal
	taskRequests  buckets                            // rates of requests about tasks by principal

	mu         sync.Mutex
	sessions   map[*session]struct{}
	extensions map[string][]byte   // settings of extensions by id
	taskBus    *taskBus            // exchanges messages about tasks with other processes; nil if they do not share tasks
	runs       map[string]*taskRun // tasks whose handlers are running, by id
	tasksOf    map[any]int         // number of running tasks by client
	// listeners contains the subscriptions of clients of revision 2026-07-28.
	listeners map[*listener]struct{}
}

// NewServer returns a server that identifies itself to clients as info. A nil opts means the zero
// value.
func NewServer(info Implementation, opts *ServerOptions) *Server {
	s := &Server{info: info, workers: newWorkers(), sessions: map[*session]struct{}{}, listeners: map[*listener]struct{}{}, runs: map[string]*taskRun{}, tasksOf: map[any]int{}, extensions: map[string][]byte{}, answers: map[string]*answerSize{}}
	s.methods.Store(new(map[string]Handler))
	if opts != nil {
		s.opts = *opts
	}
	s.opts.setDefaults()
	s.unread = newUnreadBudget(s.opts.Limits.MaxUnreadBytes)
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "tasks/list", "tasks/get", "tasks/result"} {
		s.answers[method] = new(answerSize)
		s.answers[method].add(0)
	}
	if s.log = s.opts.Logger; s.log == nil {
		s.log = slog.Default()
	}
	switch n := len(s.opts.SealKey); {
	case n == 0: // a key of zeros could be guessed
		s.opts.SealKey = make([]byte, 32)
		rand.Read(s.opts.SealKey)
	case n < 32:
		s.log.Warn("ServerOptions.SealKey is so short that it could be guessed; use 32 random bytes", "bytes", n)
	}
	s.modernMeta = append(s.modernMeta, `"_meta":{"`+metaServerInfo+`":`...)
	s.modernMeta = s.info.append(s.modernMeta, revision.Latest)
	s.handler, s.wrapped = s.route, len(s.opts.Middleware) > 0
	for i, wrap := range slices.Backward(s.opts.Middleware) {
		if wrap == nil { // nil is not ignored, because the middleware may be intended to refuse requests
			panic(fmt.Sprintf("mcp: ServerOptions.Middleware[%d] is nil", i))
		}
		s.handler = wrap(s.handler)
	}
	s.tools.init(s, "tools", toolName, (*tool).append)
	s.prompts.init(s, "prompts", promptName, (*prompt).append)
	s.resources.init(s, "resources", resourceURI, (*resource).append)
	s.templates.init(s, "resourceTemplates", templateText, (*resourceTemplate).append)
	s.tools.inUse.Store(s.opts.Capabilities.Tools)
	s.prompts.inUse.Store(s.opts.Capabilities.Prompts)
	s.resources.inUse.Store(s.opts.Capabilities.Resources)
	s.hasCompleters.Store(s.opts.Capabilities.Completions)
	s.hasTasks.Store(s.opts.Capabilities.Tasks)
	s.joinTasks()
	return s
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

// forgetSession removes a session that has no tasks in this process. Other processes may still use
// it.
func (s *Server) forgetSession(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, one)
}

// prepare sets the fields of r from params, which r retains, and from session, which is nil if
// there is no session. It returns an error for the client if params are not valid.
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

// resolve finds the tool, prompt, resource or completer of r, and stores it in r.tool or r.target.
// If it does not exist, resolve stores nothing, and the method's handler returns the error. For
// completion/complete, resolve stores the *Error in r.target.
func (s *Server) resolve(r *Request) {
	switch r.method {
	case "tools/call":
		if t, ok := s.tools.findJSON(r.params.name); ok && s.shows(r, t) {
			r.tool = t
		}
	case "prompts/get":
		if p, ok := s.prompts.findJSON(r.params.name); ok && s.shows(r, p) {
			r.target = p
		}
	case "resources/read":
		if found := s.findSource(r); found != nil {
			r.target = found
		}
	case "completion/complete":
		if request, e := s.readCompletion(r); e == nil {
			r.target = request
		} else {
			r.target = e
		}
	}
}

// chooseRevision sets the revision of r, or returns an error if the server does
// not support it (specification 2026-07-28: Versioning, Backward
// Compatibility).
func (r *Request) chooseRevision(session *session) *Error {
	switch {
	case r.method == "initialize" && r.meta.protocolVersion == nil:
		return nil
	case r.meta.protocolVersion != nil:
		name, ok := jsonrpc.String(r.meta.protocolVersion)
		if !ok {
			return errorf(CodeInvalidParams, "Invalid params: _meta[%q] must be a string", metaProtocolVersion)
		}
		requests := revision.Parse(name)
		if session != nil && requests == session.rev {
			r.session = session // the revision in _meta is that of the session
			return nil
		}
		if !requests.Stateless() {
			return errUnsupportedVersion(name)
		}
		r.rev = requests
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

// isImplementation reports whether info is missing or is an object. If the object contains name or
// version, they must be strings.
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

// errUnsupportedVersion returns the error for a request with an unsupported revision. The error
// lists the supported revisions. If the request has a revision with sessions but belongs to no
// session, the error lists only revisions without sessions, because the others would be refused in
// the same way.
func errUnsupportedVersion(name string) *Error {
	needsSession := revision.Parse(name).HasSessions()
	data := []byte(`{"supported":[`)
	for _, rev := range revision.All() {
		if rev.Stateless() || !needsSession {
			data = wire.String(wire.Comma(data), rev.String())
		}
	}
	data = append(data, `],"requested":`...)
	data = wire.String(data, clip(name, 64))
	return &Error{Code: CodeUnsupportedVersion, Message: "Unsupported protocol version", Data: append(data, '}')}
}

// handle serves r when there is room for its response, and appends the response to b. A panic in a
// handler becomes an error response. Afterwards, r.answer has the size of the response.
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
		// Otherwise, the handler has ended the goroutine; see abandoned.
	}()
	if !s.reserve(r) {
		s.finish(r)
		r.failed, returned = CodeInternalError, true
		return appendError(b, r.id, r.rev, errNoRoom)
	}
	res, err := s.handler(&r.ctx, Message{r})
	if r.missing.Load() {
		res, err = r.inputRequired()
	}
	if err == nil {
		res, err = encoded(res)
	}
	if err == nil && r.answer.unsized && !s.reserveResult(r) {
		err = errNoRoom
	}
	if err != nil {
		e := s.errorOf(r, err)
		r.failed = e.Code
		b = appendError(b, r.id, r.rev, e)
	} else {
		b = s.appendResponse(b, r, res)
		if size := s.answerSize(r); size != nil {
			size.add(len(b) - start)
		}
	}
	s.unread.correct(&r.answer, len(b)-start)
	s.finish(r)
	returned = true
	return b
}

var errNoRoom = errorf(CodeInternalError, "The request ended before its answer could be queued")

// errorOf returns the error to send to the client for err, and logs details
// that are hidden from the client. It is not inlined into handle, because every
// open subscription holds the stack of handle.
//
//go:noinline
func (s *Server) errorOf(r *Request, err error) *Error {
	if r.method == "resources/read" && errors.Is(err, ErrResourceNotFound) { // middleware may return this error
		return errResourceNotFound(r.rev, r.Name())
	}
	if sent, ok := errors.AsType[*Error](err); !ok {
		if !errors.Is(err, context.Canceled) || !r.cancelled() { // an error because the client no longer waits is not logged
			s.log.Error("request failed", "method", r.method, "name", r.about(), "error", err)
		}
	} else if sent == nil {
		s.log.Error("request failed", "method", r.method, "name", r.about(), "error", "the handler returned a nil *mcp.Error as its error; a variable that may be nil must be of type error")
	}
	return r.asError(err)
}

// asError returns the *Error to send for err, with the error code for the revision of r. See also
// the function asError.
func (r *Request) asError(err error) *Error {
	e := asError(err)
	if code := r.rev.ErrorCode(e.Code); code != e.Code {
		e = &Error{Code: code, Message: e.Message, Data: e.Data}
	}
	return e
}

// about returns the name of the tool or prompt that r calls, for the log. It returns no URIs and no
// IDs of tasks, because they must not be logged.
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

// abandoned finishes r after user code has ended its goroutine with runtime.Goexit, as t.FailNow
// does, and returns the response. The caller must ensure that no other request is served on the
// goroutine.
func (s *Server) abandoned(r *Request) []byte {
	s.log.Error("request failed", "method", r.method, "name", r.about(), "error", errGoexit)
	s.finish(r)
	r.failed = CodeInternalError
	return appendError(nil, r.id, r.rev, asError(errGoexit))
}

// handleApart calls handle and returns the response. The goroutine of the caller must not end if
// the handler calls runtime.Goexit. Therefore, if foreign is true because handle calls user code,
// handle runs on a worker.
func (s *Server) handleApart(r *Request, foreign bool) (response []byte) {
	if !s.apart(foreign, func() { response = s.handle(r, nil) }) {
		response = s.abandoned(r)
	}
	return response
}

// apart calls f and reports whether f has returned. If foreign is true, f runs on a worker, because
// it calls user code, which may end the goroutine.
func (s *Server) apart(foreign bool, f func()) bool {
	if foreign {
		return s.workers.apart(f)
	}
	f()
	return true
}

// finish ends r and its context. No messages may be sent for r after the response.
func (s *Server) finish(r *Request) {
	r.sendPending()
	r.mu.Lock()
	r.finished = true
	r.mu.Unlock()
	r.ctx.cancel(context.Canceled)
}

// route is the innermost handler. It answers requests from a client according to their method, and
// sends or handles any other message.
func (s *Server) route(ctx context.Context, m Message) (Result, error) {
	r := m.Request
	if r.outgoing || r.isNotification() {
		return r.target.(passage)(ctx)
	}
	if r.rev != revision.None && !r.rev.HasMethod(r.method) {
		return nil, errMethodNotFound(r.method)
	}
	switch r.method {
	case "tools/call":
		if s.serves(r, "tools") {
			return s.callTool(ctx, r)
		}
	case "tools/list":
		if s.serves(r, "tools") {
			return s.tools.list(r)
		}
	case "prompts/get":
		if s.serves(r, "prompts") {
			return s.getPrompt(ctx, r)
		}
	case "prompts/list":
		if s.serves(r, "prompts") {
			return s.prompts.list(r)
		}
	case "resources/read":
		if s.serves(r, "resources") {
			return s.readResource(ctx, r)
		}
	case "resources/list":
		if s.serves(r, "resources") {
			return s.resources.list(r)
		}
	case "resources/templates/list":
		if s.serves(r, "resources") {
			return s.templates.list(r)
		}
	case "resources/subscribe", "resources/unsubscribe":
		if r.session.promised("resources") {
			return s.subscribe(r)
		}
	case "completion/complete":
		if s.serves(r, "completions") || !r.rev.HasCompletions() && s.hasCompleters.Load() {
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
		if s.opts.Capabilities.Logging {
			return s.setLevel(r)
		}
	}
	if added := (*s.methods.Load())[r.method]; added != nil {
		return added(ctx, r)
	}
	return nil, errMethodNotFound(r.method)
}

func isNotification(method string) bool {
	return strings.HasPrefix(method, "notifications/")
}
