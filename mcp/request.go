package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A Request is one request or notification of a client, complete in itself:
// what an older revision keeps in its session has been filled in from there,
// so a handler need not know which revision it serves. It is safe for
// concurrent use. It may be kept after the handler has returned, but then
// nothing can be sent for it.
type Request struct {
	server  *Server
	out     sink
	session *session // nil unless the revision is a legacy one
	rev     revision.Revision
	method  string
	id      jsonrpc.ID // empty for a notification
	params  params
	meta    requestMeta
	tool    *tool // for tools/call, once found
	target  any   // what other methods are about, once found: see Server.resolve
	ctx     callContext

	mu       sync.Mutex
	finished bool // the response is on its way: nothing may follow it
	silent   bool // cancelled by the peer: nothing at all may follow
	outgoing bool // the server sends it: see Outgoing
	failed   int  // code of the error it was answered with
	reports  *reports
	missing  atomic.Bool // inputs has something to ask for
	inputs   *inputs     // nil until there is something
}

// params are the members of a request's params that the library itself looks
// at, as raw JSON; all is the whole object.
type params struct {
	all       []byte
	meta      []byte
	name      []byte
	arguments []byte
	uri       []byte
	cursor    []byte
	task      []byte
	taskID    []byte
	// Of a request that was made before and ended by asking for input:
	inputResponses []byte
	requestState   []byte
}

func (p *params) read(all []byte) *Error {
	p.all = all
	if all == nil {
		return nil
	}
	o := jsonrpc.ReadObject(all)
	for o.Next() {
		var field *[]byte
		switch string(o.Name) {
		case "_meta":
			field = &p.meta
		case "name":
			field = &p.name
		case "arguments":
			field = &p.arguments
		case "uri":
			field = &p.uri
		case "cursor":
			field = &p.cursor
		case "task":
			field = &p.task
		case "taskId":
			field = &p.taskID
		case "inputResponses":
			field = &p.inputResponses
		case "requestState":
			field = &p.requestState
		default:
			continue
		}
		if *field != nil {
			return errorf(CodeInvalidParams, "Invalid params: %q is given twice", o.Name)
		}
		*field = o.Value
	}
	// No revision has null for these, but clients in languages without optional
	// values write it for what they leave out.
	for _, field := range [...]*[]byte{&p.meta, &p.arguments, &p.cursor, &p.task, &p.inputResponses, &p.requestState} {
		if len(*field) == 4 && (*field)[0] == 'n' {
			*field = nil
		}
	}
	return nil
}

// hasCursor reports whether a page behind the first is asked for. An empty
// cursor, which this server never makes, is what clients send that always send
// one.
func (p *params) hasCursor() bool { return p.cursor != nil && string(p.cursor) != `""` }

// Method is the request's method, such as "tools/call".
func (r *Request) Method() string { return r.method }

// Params is the request's params as JSON, or nil. It must not be changed.
func (r *Request) Params() json.RawMessage { return r.params.all }

// SetParams replaces the params of a request, in either direction. Middleware
// may do so before it calls next, while nobody else uses the request: next then
// answers, or sends, a request with these params. A "_meta" that they lack stays
// as it was. What the protocol itself says in "_meta", such as the revision and
// the progress token, is what came with the request in any case.
//
// It fails if object is no JSON object, and for notifications.
func (r *Request) SetParams(object json.RawMessage) error {
	all := compact(object)
	if len(all) == 0 || all[0] != '{' {
		return errors.New("params must be a JSON object")
	}
	if r.Notification() {
		return fmt.Errorf("the params of a notification, %s, cannot be replaced", r.method)
	}
	var fresh params
	if e := fresh.read(all); e != nil {
		return e
	}
	if fresh.meta == nil {
		fresh.meta = r.params.meta
	}
	if r.outgoing {
		r.params = fresh
		return nil
	}
	r.input().came = r.digest() // what the client sends again is the request as it came
	r.params, r.tool, r.target = fresh, nil, nil
	r.server.resolve(r)
	return nil
}

// Notification reports whether the peer wants no answer.
func (r *Request) Notification() bool { return len(r.id) == 0 }

// Name is what the request is about: the name of a tool or prompt, the URI of
// a resource, the id of a task; empty for other methods.
func (r *Request) Name() string {
	name := r.params.name
	switch kind, _, _ := strings.Cut(r.method, "/"); kind {
	case "resources":
		name = r.params.uri
	case "tasks":
		name = r.params.taskID
	}
	s, _ := jsonrpc.String(name)
	return s
}

// Revision is the protocol revision in force, such as "2025-11-25". Before a
// session has agreed on one it is empty.
func (r *Request) Revision() string { return r.rev.String() }

// Client is how the client's software names itself; zero if it does not. It
// is not verified: show it, but decide nothing by it.
func (r *Request) Client() Implementation {
	if r.session != nil {
		return r.session.client
	}
	var client Implementation
	_ = decodeOptional(r.meta.clientInfo, &client)
	return client
}

// ClientCapabilities is what the client said it can do: with this request on
// 2026-07-28, with initialize before.
func (r *Request) ClientCapabilities() ClientCapabilities {
	if r.session != nil {
		return r.session.capabilities
	}
	var c ClientCapabilities
	_ = decodeOptional(r.meta.clientCapabilities, &c)
	return c
}

// Meta is the request's "_meta" as raw JSON members; nil if there is none.
func (r *Request) Meta() map[string]json.RawMessage {
	var meta map[string]json.RawMessage
	_ = decodeOptional(r.params.meta, &meta)
	return meta
}

func decodeOptional(data []byte, v any) error {
	if len(data) == 0 {
		return nil
	}
	return decode(data, v)
}

// Names of the members of _meta that the protocol defines.
const (
	metaProgressToken      = "progressToken"
	metaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo         = "io.modelcontextprotocol/clientInfo"
	metaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel           = "io.modelcontextprotocol/logLevel"
	metaSubscriptionID     = "io.modelcontextprotocol/subscriptionId"
	metaServerInfo         = "io.modelcontextprotocol/serverInfo"
)

// requestMeta are the members of a request's _meta that the protocol defines,
// as raw JSON.
type requestMeta struct {
	progressToken      []byte
	protocolVersion    []byte
	clientInfo         []byte
	clientCapabilities []byte
	logLevel           []byte
}

func (m *requestMeta) read(data []byte) *Error {
	if data == nil {
		return nil
	}
	if data[0] != '{' {
		return errorf(CodeInvalidParams, "Invalid params: _meta must be an object")
	}
	o := jsonrpc.ReadObject(data)
	for o.Next() {
		var field *[]byte
		switch string(o.Name) {
		case metaProgressToken:
			field = &m.progressToken
		case metaProtocolVersion:
			field = &m.protocolVersion
		case metaClientInfo:
			field = &m.clientInfo
		case metaClientCapabilities:
			field = &m.clientCapabilities
		case metaLogLevel:
			field = &m.logLevel
		default:
			continue
		}
		if *field != nil {
			return errorf(CodeInvalidParams, "Invalid params: _meta has %q twice", o.Name)
		}
		*field = o.Value
	}
	switch {
	case string(m.progressToken) == "null":
		m.progressToken = nil
	case m.progressToken != nil && !jsonrpc.ValidID(m.progressToken):
		m.progressToken = nil
		return errorf(CodeInvalidParams, "Invalid params: _meta.progressToken must be a string or an integer")
	}
	return nil
}

// modern reports whether _meta has any member by which a client of
// 2026-07-28 shows itself.
func (m *requestMeta) modern() bool {
	return m.protocolVersion != nil || m.clientCapabilities != nil || m.clientInfo != nil
}

type (
	requestKey   struct{}
	principalKey struct{}
)

// WithPrincipal says in ctx on whose behalf the requests made with it are: an
// identifier that means the same person or service for as long as the server
// runs. An http.Handler in front of the server's puts it into the request's
// context after it has checked credentials; the server then keeps sessions,
// tasks and what waits for input apart by it.
func WithPrincipal(ctx context.Context, principal string) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// Principal is what WithPrincipal said for the request, or "".
func (r *Request) Principal() string {
	principal, _ := r.ctx.Value(principalKey{}).(string)
	return principal
}

// Caller names whom the request is from, for as long as the server runs: the
// principal, or without one the session. It is empty for clients that have
// neither, which cannot be told apart. What it looks like may change.
func (r *Request) Caller() string { return r.owner() }

// RequestFrom returns the request that ctx belongs to, or nil. It serves code
// that is handed a context alone.
func RequestFrom(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}

// cancelByPeer ends r: nothing more is sent for it.
func (r *Request) cancelByPeer() {
	r.mu.Lock()
	r.silent = true
	r.mu.Unlock()
	r.ctx.cancel(context.Canceled)
}
