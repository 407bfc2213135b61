package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// session is the state that a client of revision 2025-11-25 or earlier has established with
// initialize. It contains data that requests of these revisions do not contain.
type session struct {
	rev          revision.Revision
	client       Implementation
	capabilities ClientCapabilities
	initialized  atomic.Bool  // whether notifications/initialized has arrived
	level        atomic.Int32 // lowest level of log messages
	completions  bucket       // rate of completion requests, if there is no principal
	taskRequests bucket       // rate of requests about tasks, if there is no principal
	sessionless  bool         // whether the session exists only for one HTTP request
	declared     []string     // features that the response to initialize has declared
	// push sends a notification that does not belong to a request.
	push func(line []byte)
	// ctx contains the principal of the session. It may be nil.
	ctx context.Context
	// share is this session if several processes share it, and otherwise nil.
	share *httpSession
	// gone is closed when the client can no longer answer. It is nil if the transport cannot detect
	// that.
	gone <-chan struct{}

	mu              sync.Mutex
	name            string                        // random; see token
	subscribed      map[string]struct{}           // URIs of the resources to which the client has subscribed
	subscribedBytes int                           // size in bytes of the URIs in subscribed
	last            int64                         // ID of the last request to the client
	calls           map[int64]chan<- clientAnswer // unanswered requests to the client, by ID
}

// clientAnswer is the client's response to a request.
type clientAnswer struct {
	result []byte
	err    error
}

// request sends a request to the client, waits for the response until ctx is done, and returns the
// result. If ctx is done first, it calls notify with the cancellation to send, without the last two
// braces.
func (s *session) request(ctx context.Context, out sink, method string, params []byte, notify func(line []byte)) ([]byte, error) {
	answer := make(chan clientAnswer, 1)
	s.mu.Lock()
	s.last++
	id := s.last
	if s.calls == nil {
		s.calls = map[int64]chan<- clientAnswer{}
	}
	s.calls[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.calls, id)
		s.mu.Unlock()
	}()
	b := wire.Int([]byte(`{"jsonrpc":"2.0"`), "id", id)
	b = wire.Field(b, "method", method)
	b = wire.Raw(b, "params", params)
	if !out.send(ctx, append(b, '}')) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, errors.New("the client does not accept an event stream, so the server cannot ask it anything")
	}
	select {
	case got := <-answer:
		return got.result, got.err
	case <-s.gone:
		return nil, errors.New("the client has disconnected and can no longer answer")
	case <-ctx.Done():
		b := wire.Int([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{`), "requestId", id)
		notify(b)
		return nil, context.Cause(ctx)
	}
}

// answer handles a response from the client. It drops a response that does not match an open
// request. It returns the error of settle.
func (s *session) answer(m *jsonrpc.Message) error {
	switch {
	case m.Error != nil:
		return s.settle(m.ID, clientAnswer{err: peerError(m.Error)})
	case m.Result[0] != '{':
		return s.settle(m.ID, clientAnswer{err: errors.New("the client's response is malformed: its result is not an object")})
	}
	return s.settle(m.ID, clientAnswer{result: bytes.Clone(m.Result)})
}

// answerMalformed completes, with an error, the request to which the client has sent a malformed
// response. It returns the error of settle.
func (s *session) answerMalformed(e *jsonrpc.ParseError) error {
	return s.settle(e.ID, clientAnswer{err: fmt.Errorf("the client's response is malformed: %s", e.Reason())})
}

// settle completes the open request with the given ID, if it exists. If several processes share the
// session, another process may have sent the request. settle returns an error if that process could
// not be notified.
func (s *session) settle(id jsonrpc.ID, got clientAnswer) error {
	if !s.settleHere(id, got) && s.share != nil {
		return s.share.forward(id, got)
	}
	return nil
}

// settleHere does the work of settle for the requests of this process. It reports whether this
// process has sent such a request.
func (s *session) settleHere(id jsonrpc.ID, got clientAnswer) bool {
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.calls[n]
	if waiting == nil {
		return false
	}
	delete(s.calls, n)
	waiting <- got
	return true
}

// peerError converts the error member of a client's response to an error.
func peerError(data []byte) error {
	var e struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if decode(data, &e) != nil {
		return errors.New("the client answered with a malformed error")
	}
	return fmt.Errorf("the client answered with error %d: %s", e.Code, clip(e.Message, 256))
}

// initialize opens a session (specification up to 2025-11-25: Lifecycle). The schemas of all these
// revisions require protocolVersion, capabilities, and clientInfo with name and version; params in
// which one of them is missing or null are refused.
func (s *Server) initialize(r *Request) (Result, error) {
	next, e := readInitialize(r.params.all)
	if e != nil {
		return nil, e
	}
	for _, feature := range features {
		if s.offers(feature) {
			next.declared = append(next.declared, feature)
		}
	}
	begun := r.out.beginSession(next)
	if begun == nil {
		return nil, errorf(CodeInvalidRequest, "Invalid request: the session is already initialized")
	}
	r.rev, r.session = next.rev, begun

	b := wire.Field(open(), "protocolVersion", next.rev.String())
	b = s.appendCapabilities(b, r)
	b = s.info.append(wire.Name(b, "serverInfo"), next.rev)
	b = wire.Optional(b, "instructions", s.opts.Instructions)
	return encodedResult(b[1:]), nil
}

// readInitialize returns a session with the revision and the capabilities in the params of
// initialize.
func readInitialize(params []byte) (*session, *Error) {
	var p struct {
		ProtocolVersion jsonValue           `json:"protocolVersion"`
		Capabilities    *ClientCapabilities `json:"capabilities"`
		ClientInfo      jsonValue           `json:"clientInfo"`
	}
	var client Implementation
	if len(params) > maxSubscribedBytes {
		return nil, errorf(CodeInvalidParams, "Invalid params of initialize: they are larger than the limit of %d bytes", maxSubscribedBytes)
	}
	if err := decodeOptional(params, &p); err != nil || p.Capabilities == nil || !client.read(p.ClientInfo) {
		return nil, errorf(CodeInvalidParams, "Invalid params of initialize: capabilities and clientInfo must be objects, clientInfo with name and version")
	}
	request, ok := jsonrpc.String(p.ProtocolVersion)
	if !ok {
		return nil, errorf(CodeInvalidParams, "Invalid params of initialize: protocolVersion must be a string")
	}
	agreed := revision.Parse(request)
	if !agreed.HasSessions() {
		agreed = revision.LatestWithSessions
	}
	next := &session{rev: agreed, client: client, capabilities: *p.Capabilities}
	next.level.Store(int32(LevelInfo))
	return next, nil
}

// open returns an object that consists of only its opening brace. The functions that append members
// add commas.
func open() []byte { return []byte{'{'} }

// discover answers server/discover, with which clients of revision 2026-07-28 get the information
// that other clients get from initialize (specification 2026-07-28: Discovery).
func (s *Server) discover(r *Request) (Result, error) {
	b := append(wire.Name(open(), "supportedVersions"), '[')
	for _, rev := range revision.All() {
		b = wire.String(wire.Comma(b), rev.String())
	}
	b = append(b, ']')
	b = s.appendCapabilities(b, r)
	b = wire.Optional(b, "instructions", s.opts.Instructions)
	b = s.appendCaching(b, "public")
	return encodedResult(b[1:]), nil
}

func (s *Server) appendCapabilities(b []byte, r *Request) []byte {
	rev := r.rev
	b = append(wire.Name(b, "capabilities"), '{')
	lists, resources := `{"listChanged":true}`, `{"subscribe":true,"listChanged":true}`
	if r.session != nil && r.session.sessionless { // the client has no stream for notifications
		lists, resources = `{}`, `{}`
	}
	if s.serves(r, "tools") {
		b = append(wire.Name(b, "tools"), lists...)
	}
	if s.serves(r, "prompts") {
		b = append(wire.Name(b, "prompts"), lists...)
	}
	if s.serves(r, "resources") {
		b = append(wire.Name(b, "resources"), resources...)
	}
	if s.serves(r, "completions") && rev.HasCompletions() {
		b = append(wire.Name(b, "completions"), `{}`...)
	}
	if s.opts.Capabilities.Logging {
		b = append(wire.Name(b, "logging"), `{}`...)
	}
	if s.serves(r, "tasks") && rev.HasCoreTasks() {
		b = append(wire.Name(b, "tasks"), `{`...)
		if r.hasOwner() {
			b = append(b, `"list":{},`...)
		}
		b = append(b, `"cancel":{},"requests":{"tools":{"call":{}}}}`...)
	}
	b = s.appendExtensions(b, rev)
	return append(b, '}')
}

// appendCaching appends the caching hints of revision 2026-07-28.
func (s *Server) appendCaching(b []byte, scope string) []byte {
	b = strconv.AppendInt(wire.Name(b, "ttlMs"), max(s.opts.ListTTL.Milliseconds(), 0), 10)
	return wire.Field(b, "cacheScope", scope)
}
