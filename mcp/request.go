package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A Request is one request or notification from a client. It also contains data that an older
// revision keeps in its session, so a handler does not need to know the revision. A Request is safe
// for concurrent use. A Request can be used after the handler has returned, but no more messages
// can be sent for it.
//
// Principal, Caller, Client, ClientCapabilities, ClientExtension and Revision describe the client;
// Method, Name, Params and Meta describe the request. Progress, Log and LogHandler inform the
// client; Ask, AskUser, Sample, Roots and the function Elicit ask it questions. BecomeTask, IsTask
// and SetStatusMessage are for calls that are tasks. The result of Session can be used after the
// request has ended. Middleware gets a Message.
type Request struct {
	server  *Server
	out     sink
	session *session // nil for revisions without sessions
	rev     revision.Revision
	method  string
	id      jsonrpc.ID // empty for a notification
	params  params
	meta    requestMeta
	tool    *tool // the tool of a tools/call, if it exists
	target  any   // the prompt, resource or completer of other methods; see Server.resolve
	ctx     callContext
	answer  claim // claim for the response, until a connection or a batch takes it over

	mu       sync.Mutex
	finished bool // whether the response is being sent, after which no messages may follow
	silent   bool // whether the client has cancelled the request, after which no messages may follow
	outgoing bool // whether the server sends the message; see Outgoing
	failed   int  // error code of the response, or 0
	reports  *reports
	missing  atomic.Bool // whether inputs contains questions to ask
	inputs   *inputs     // nil until the first question
}

// params contains the members of a request's params that the library uses, as raw JSON. all is the
// complete object.
type params struct {
	all       []byte
	meta      []byte
	name      []byte
	arguments []byte
	uri       []byte
	cursor    []byte
	task      []byte
	taskID    []byte
	// These members are set if the client sends a request again with answers.
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
			return errorf(CodeInvalidParams, "Invalid params: %q occurs twice", o.Name)
		}
		*field = o.Value
	}
	// The schemas do not allow null for these members, but clients in languages without optional
	// values send it instead of omitting a member.
	for _, field := range [...]*[]byte{&p.meta, &p.arguments, &p.cursor, &p.task, &p.inputResponses, &p.requestState} {
		if len(*field) == 4 && (*field)[0] == 'n' {
			*field = nil
		}
	}
	return nil
}

// hasCursor reports whether the request is for a page after the first one. Some clients always send
// a cursor, which is empty for the first page. The server never sends an empty cursor.
func (p *params) hasCursor() bool { return p.cursor != nil && string(p.cursor) != `""` }

// Method returns the request's method, such as "tools/call".
func (r *Request) Method() string { return r.method }

// Params returns the request's params as JSON, or nil. The caller must not modify it.
func (r *Request) Params() json.RawMessage { return r.params.all }

// isNotification reports whether the message is a notification, which has no response.
func (r *Request) isNotification() bool { return len(r.id) == 0 }

// Name returns the name of the tool or prompt, the URI of the resource, or the ID of the task that
// the request concerns. For other methods, it returns "".
func (r *Request) Name() string {
	name := r.params.name
	switch nameMember(r.method) {
	case "uri":
		name = r.params.uri
	case "taskId":
		name = r.params.taskID
	}
	s, _ := jsonrpc.String(name)
	return s
}

// nameMember returns the member of params that identifies the object of a request with the given
// method: "name", "uri" or "taskId".
func nameMember(method string) string {
	switch kind, _, _ := strings.Cut(method, "/"); kind {
	case "resources":
		return "uri"
	case "tasks":
		return "taskId"
	}
	return "name"
}

// Revision returns the protocol revision of the request, such as "2025-11-25". It is
// empty until a session has negotiated one.
func (r *Request) Revision() string { return r.rev.String() }

// Client returns the name and version that the client's software declares, or the zero value if it
// declares none. They are not verified, so use them only for display.
func (r *Request) Client() Implementation {
	if r.session != nil {
		return r.session.client
	}
	var client Implementation
	_ = decodeOptional(r.meta.clientInfo, &client)
	return client
}

// ClientCapabilities returns the capabilities that the client has declared. In revision 2026-07-28,
// each request declares them; in earlier revisions, initialize does.
func (r *Request) ClientCapabilities() ClientCapabilities {
	if r.session != nil {
		return r.session.capabilities
	}
	var c ClientCapabilities
	_ = decodeOptional(r.meta.clientCapabilities, &c)
	return c
}

// Meta returns the members of the request's "_meta" as unchanged JSON, or nil if there are none.
// The type Meta is for messages that a program sends.
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

// requestMeta contains the members of a request's _meta that the protocol defines, as raw JSON.
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
			return errorf(CodeInvalidParams, "Invalid params: _meta contains %q twice", o.Name)
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

// modern reports whether _meta contains a member that only clients of revision 2026-07-28 send.
func (m *requestMeta) modern() bool {
	return m.protocolVersion != nil || m.clientCapabilities != nil || m.clientInfo != nil
}

type (
	requestKey   struct{}
	principalKey struct{}
)

// WithPrincipal returns a context for requests on behalf of principal. A principal is an identifier
// that always means the same person or service while the server runs. An http.Handler that wraps
// the handler of a Server sets it in the request's context after it has checked credentials. The
// server keeps each principal's sessions, tasks and pending questions separate.
func WithPrincipal(ctx context.Context, principal string) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// Principal returns the principal that WithPrincipal set, or "".
func (r *Request) Principal() string {
	principal, _ := r.ctx.Value(principalKey{}).(string)
	return principal
}

// Caller identifies the sender of the request while the server runs. It is the principal or,
// without one, the session. It is empty for clients with neither, which cannot be distinguished.
// The format may change.
func (r *Request) Caller() string { return r.owner() }

// RequestFrom returns the request that ctx belongs to, or nil. It is for code that has only a
// context.
func RequestFrom(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}

// cancelByPeer cancels r on behalf of its client, so that no more messages are sent for it.
func (r *Request) cancelByPeer() {
	r.mu.Lock()
	r.silent = true
	r.mu.Unlock()
	r.ctx.cancel(context.Canceled)
}
