package mcp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// A Session is the session of a client of revision 2025-11-25 or earlier. It lasts from initialize
// to the end of the connection or, over HTTP, until the client or the server ends it. A Session can
// be used on any goroutine, also after a request has ended. Request.Session and Server.Sessions
// return it.
//
// Clients of revision 2026-07-28, and all clients with HTTPOptions.Stateless, have no session.
// Their Session is nil. The methods of a nil Session do nothing, and Ask returns an error.
type Session struct {
	r *Request // the request from which Session was called, or the result of standIn
}

// Session returns the session of the request, or nil. In middleware, the session that initialize
// opens exists after next has returned.
func (r *Request) Session() *Session {
	if r.session == nil || r.session.sessionless {
		return nil
	}
	return &Session{r}
}

// Sessions returns the open sessions, in no particular order. Compare them by ID. If several
// processes share sessions (see HTTPOptions.Sessions), it returns the sessions that this process
// has served within SessionTimeout.
func (s *Server) Sessions() iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		s.mu.Lock()
		open := slices.Collect(maps.Keys(s.sessions))
		s.mu.Unlock()
		for _, one := range open {
			if !yield(&Session{s.standIn(one)}) {
				return
			}
		}
	}
}

// standIn returns a Request for messages in a session that do not belong to a request.
func (s *Server) standIn(one *session) *Request {
	r := &Request{server: s, session: one, rev: one.rev, finished: true}
	if r.ctx.parent = one.ctx; one.ctx == nil {
		r.ctx.parent = context.Background()
	}
	r.ctx.req = r
	return r
}

// ID returns a random name for the session. It is not the ID that clients send over HTTP, so it can
// be logged.
func (s *Session) ID() string {
	if s == nil {
		return ""
	}
	return s.r.session.token()
}

// Client returns the name and version that the client's software declares; see
// Request.Client.
func (s *Session) Client() Implementation {
	if s == nil {
		return Implementation{}
	}
	return s.r.session.client
}

// ClientCapabilities returns the capabilities that the client declared in
// initialize.
func (s *Session) ClientCapabilities() ClientCapabilities {
	if s == nil {
		return ClientCapabilities{}
	}
	return s.r.session.capabilities
}

// Principal returns the principal that opened the session, or "".
func (s *Session) Principal() string {
	if s == nil {
		return ""
	}
	return s.r.Principal()
}

// Revision returns the session's revision of the protocol.
func (s *Session) Revision() string {
	if s == nil {
		return ""
	}
	return s.r.session.rev.String()
}

// Ask asks questions as Request.Ask does, for questions that do not belong to a request. An example
// is a question from another server that a gateway forwards. Over HTTP, the question is sent on the
// stream that the client has opened for messages from the server. Without such a stream, it waits
// for at most Limits.AskTimeout.
func (s *Session) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	if s == nil {
		return nil, errors.New("this client has no session, so the server cannot ask it anything")
	}
	if err := s.r.checkQuestions(questions); err != nil {
		return nil, err
	}
	return s.r.askByRequest(ctx, sessionSink{s.r.session}, questions)
}

// Log sends a log message as Request.Log does, for messages that do not belong to a request.
// Limits.MaxNotificationRate does not apply.
func (s *Session) Log(level Level, logger string, data any) {
	if s == nil || !s.r.wantsLog(level) {
		return
	}
	if line := s.r.logMessage(level, logger, data); line != nil {
		s.r.server.push(s.r.session, append(line, '}', '}'))
	}
}

// Notify sends a notification that the protocol does not define, such as one defined by an
// extension. params must be encoded as a JSON object, or nil. The notification arrives only if the
// client is connected. Over HTTP, it is sent on the stream that the client has opened for messages
// from the server.
func (s *Session) Notify(method string, params any) error {
	line, err := notification(method, params)
	if s != nil && err == nil {
		s.r.server.push(s.r.session, line)
	}
	return err
}

// ElicitationComplete notifies the client that the user has completed the interaction on the page
// of the Elicitation with the given ID. It returns false if the client's revision is not
// 2025-11-25, the only one with this notification.
func (s *Session) ElicitationComplete(id string) bool {
	if s == nil || !s.r.rev.HasElicitationID() {
		return false
	}
	b := wire.String([]byte(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":`), id)
	b = s.r.appendRelated(b)
	s.r.server.push(s.r.session, append(b, '}', '}'))
	return true
}

// CloseStream closes the connection on which the client waits for the response to a request. This
// saves connections while a handler is slow. Call it as r.Session().CloseStream in the handler of
// r. The request continues. The client reconnects after retry and receives the messages that it has
// missed. CloseStream reports whether it closed a connection: only clients of revision 2025-11-25
// over Streamable HTTP have such a connection.
func (s *Session) CloseStream(retry time.Duration) bool {
	return s != nil && s.r.closeStream(retry)
}

// Notify sends a notification that the protocol does not define, such as one defined by an
// extension, to all sessions; see Session.Notify. Clients without a session do not receive it.
func (s *Server) Notify(method string, params any) error {
	line, err := notification(method, params)
	if err != nil {
		return err
	}
	s.broadcast(func(to *session) []byte {
		if to.initialized.Load() {
			return line
		}
		return nil
	}, func(*listener) []byte { return nil })
	return nil
}

// notification returns a notification as one line of JSON.
func notification(method string, params any) ([]byte, error) {
	switch {
	case revision.Defines(method):
		return nil, fmt.Errorf("notification %q belongs to the protocol; the library sends it", method)
	case method == "" || strings.ContainsFunc(method, unicode.IsControl):
		return nil, fmt.Errorf("notification %q: a method's name must not be empty or contain control characters", method)
	}
	var object []byte
	if params != nil {
		var err error
		if object, err = encode(params); err != nil {
			return nil, fmt.Errorf("notification %q: params do not encode as a JSON object", method)
		}
	}
	return message(method, object)
}

// logMessage returns a log message without its last two braces. It returns nil if data cannot be
// encoded.
func (r *Request) logMessage(level Level, logger string, data any) []byte {
	value, err := encode(data)
	if err == nil {
		value, err = redact(value, r.server.opts.IsSecret)
	}
	if err != nil {
		return nil
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/message","params":{`...)
	b = wire.Field(b, "level", level.String())
	b = wire.Optional(b, "logger", logger)
	return wire.Raw(b, "data", value)
}

// sessionSink sends messages that do not belong to a request.
type sessionSink struct{ s *session }

func (k sessionSink) notify(line []byte) { k.s.push(line) }
func (k sessionSink) push(line []byte)   { k.s.push(line) }

func (k sessionSink) send(ctx context.Context, line []byte) bool {
	k.s.push(line)
	return ctx.Err() == nil
}

func (k sessionSink) beginSession(*session) *session { return nil }
func (k sessionSink) handOver()                      {}
func (k sessionSink) connection() any                { return nil }
func (k sessionSink) unread() int                    { return 0 }
func (k sessionSink) ending() bool                   { return false }
