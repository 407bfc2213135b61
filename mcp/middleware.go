package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A Handler answers one request; see Server.Handle.
type Handler func(ctx context.Context, req *Request) (Result, error)

// A Message is a request or notification in either direction, for Middleware. Its
// Request belongs to the client, even if the server sends the message.
type Message struct{ *Request }

// A MessageHandler answers, sends or handles one message. The result of a
// notification is nil.
type MessageHandler func(ctx context.Context, m Message) (Result, error)

// Middleware makes a handler from the next one, to check, limit, measure or change requests and
// notifications. It is called for all requests and notifications, in both directions:
//
//   - Requests from the client. next answers them.
//   - Notifications from the client. next handles them.
//   - Requests from the server to the client, such as sampling/createMessage,
//     in sessions. Clients of revision 2026-07-28 receive such questions in results.
//     next sends them and waits for the answer, which it returns as a
//     RawResult.
//   - Notifications from the server, such as notifications/progress. next sends
//     them.
//
// Message.Outgoing is true for the last two kinds, Message.Notification for notifications. For an
// outgoing request or notification, RequestFrom(ctx) returns the client's request that it belongs
// to, or nil. Middleware that does not call next drops the request or notification. The error of a
// notification is logged at level Debug.
//
// Message.SetParams changes a request before next gets it. Middleware may replace the result of
// next: the result of a tool, prompt, resource or completion with another of the same type, and any
// result with a RawResult made from Message.ResultJSON. It must not modify a result that next has
// returned, since the library may return the same result to other requests.
type Middleware func(next MessageHandler) MessageHandler

// Outgoing reports whether the server sends the message to the client.
func (m Message) Outgoing() bool { return m.outgoing }

// Notification reports whether the message is a notification, which has no response.
func (m Message) Notification() bool { return m.isNotification() }

// SetParams replaces the params of a request in either direction. Middleware calls it before next,
// which then answers or sends the request with these params. No other goroutine may use the request
// in the meantime. If object has no "_meta", the old one is kept. Members of "_meta" that the
// protocol defines, such as the revision and the progress token, keep their effect regardless of
// object.
//
// SetParams returns an error if object is not a JSON object or if the message is a notification.
func (m Message) SetParams(object json.RawMessage) error {
	r := m.Request
	all := compact(object)
	if len(all) == 0 || all[0] != '{' {
		return errors.New("params must be a JSON object")
	}
	if r.isNotification() {
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
	r.input().originalDigest = r.digest() // because the client repeats the request with the original params
	r.params, r.tool, r.target = fresh, nil, nil
	r.server.resolve(r)
	return nil
}

// passage sends or handles a message, after all middleware.
type passage func(ctx context.Context) (Result, error)

// pass passes r, which is not a request from a client, through the middleware and then to end. It
// returns a panic as an error.
func (s *Server) pass(ctx context.Context, r *Request, end passage) (res Result, err error) {
	r.target = end
	r.finished = true // no messages can be sent for r
	returned := false
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in middleware", "method", r.method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res, err = nil, errors.New("panic")
		} else if !returned {
			err = errGoexit
		}
		r.ctx.cancel(context.Canceled)
		if err != nil && r.isNotification() {
			s.log.Debug("notification stopped", "method", r.method, "outgoing", r.outgoing, "error", err)
		}
	}()
	res, err = s.handler(ctx, Message{r})
	returned = true
	return res, err
}

// receive passes a notification from a client through the middleware and then
// calls effect. m may point into a buffer that is reused.
func (s *Server) receive(ctx context.Context, m *jsonrpc.Message, session *session, effect func()) {
	if !s.wrapped {
		effect()
		return
	}
	n := &Request{server: s, method: m.Method}
	n.ctx.parent, n.ctx.req = ctx, n
	if session != nil {
		n.rev = session.rev
	}
	// Invalid notifications are dropped without a response.
	if n.params.read(bytes.Clone(m.Params)) == nil && n.meta.read(n.params.meta) == nil {
		_ = n.chooseRevision(session)
	}
	_, _ = s.pass(&n.ctx, n, func(context.Context) (Result, error) {
		effect()
		return nil, nil
	})
}

// outgoing returns a Request for a message that the server sends to a client.
func (s *Server) outgoing(ctx context.Context, session *session, rev revision.Revision, method string, params []byte) *Request {
	r := &Request{server: s, session: session, rev: rev, method: method, outgoing: true}
	r.ctx.parent, r.ctx.req = ctx, r
	_ = r.params.read(params)
	_ = r.meta.read(r.params.meta)
	return r
}

// tell passes a notification from the server, which is a complete message, through the middleware
// and then calls send. The caller must not hold a lock that middleware could need.
func (s *Server) tell(ctx context.Context, session *session, rev revision.Revision, line []byte, send func()) {
	var m jsonrpc.Message
	if !s.wrapped || jsonrpc.Parse(line, &m) != nil {
		send()
		return
	}
	// Middleware runs on a worker, so that the caller continues even if
	// middleware ends its goroutine.
	s.workers.apart(func() {
		_, _ = s.pass(ctx, s.outgoing(ctx, session, rev, m.Method, m.Params), func(context.Context) (Result, error) {
			send()
			return nil, nil
		})
	})
}

// demand sends a request to the client of r through out, waits for the response, and returns the
// result.
func (s *Server) demand(ctx context.Context, r *Request, out sink, method string, params []byte) ([]byte, error) {
	notify := func(line []byte) {
		line = append(r.appendRelated(line), '}', '}')
		s.tell(context.WithoutCancel(ctx), r.session, r.rev, line, func() { out.notify(line) })
	}
	if !s.wrapped {
		return r.session.request(ctx, out, method, params, notify)
	}
	question := s.outgoing(ctx, r.session, r.rev, method, params)
	question.id = jsonrpc.ID("0") // any ID marks it as a request; the session sets the actual ID
	res, err := s.pass(ctx, question, func(ctx context.Context) (Result, error) {
		answer, err := r.session.request(ctx, out, method, question.params.all, notify)
		return RawResult(answer), err
	})
	switch raw, ok := res.(RawResult); {
	case err != nil:
		return nil, err
	case ok:
		return raw, nil
	case res == nil:
		return nil, errors.New("middleware has returned no result")
	}
	return append(res.appendMembers([]byte{'{'}, r.rev), '}'), nil
}

// broadcast calls to for each session and toListener for each listener, and sends them the returned
// messages. It sends nothing if the returned message is nil.
func (s *Server) broadcast(to func(*session) []byte, toListener func(*listener) []byte) {
	var later []func() // functions that call middleware, which must not run while the lock is held
	s.mu.Lock()
	for one := range s.sessions {
		line := to(one)
		switch {
		case line == nil:
		case !s.wrapped:
			one.push(line)
		default:
			later = append(later, func() { s.push(one, line) })
		}
	}
	for l := range s.listeners {
		line := toListener(l)
		switch {
		case line == nil:
		case !s.wrapped:
			l.push(line)
		default:
			later = append(later, func() { s.tell(&l.r.ctx, nil, l.r.rev, line, func() { l.push(line) }) })
		}
	}
	s.mu.Unlock()
	for _, send := range later {
		send()
	}
}

// push sends a notification that does not belong to a request to a session.
func (s *Server) push(to *session, line []byte) {
	ctx := to.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	s.tell(ctx, to, to.rev, line, func() { to.push(line) })
}
