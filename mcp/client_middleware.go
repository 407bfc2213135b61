package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A ClientMessage is a request or notification between a client and its server,
// for ClientMiddleware.
type ClientMessage struct {
	Client *Client
	Method string // such as "tools/call"
	// Params is a JSON object, or nil. Middleware may replace it before it calls next, except in
	// notifications from the server. It must not modify the bytes.
	Params json.RawMessage
	// Meta is sent with a request from the client; see CallOptions.Meta.
	// Middleware may replace it before it calls next.
	Meta Meta
	// Incoming is true if the server sends the message. Notification is true if the message has no
	// response.
	Incoming, Notification bool
}

// Name returns the name of the tool or prompt, the URI of the resource or the ID of the task that
// the request concerns. It returns "" for other methods.
func (m *ClientMessage) Name() string {
	name, _ := jsonrpc.String(member(m.Params, nameMember(m.Method)))
	return name
}

// A ClientHandler sends or handles a message, and returns the result of a request,
// a JSON object. The result of a notification is nil.
type ClientHandler func(ctx context.Context, m *ClientMessage) (json.RawMessage, error)

// ClientMiddleware makes a handler from the next one, to check, limit, measure or
// change the messages between a client and its server:
//
//   - Requests from the client. next sends them and waits for the result; meanwhile it answers the
//     server's questions, and repeats the request where the protocol requires it. A result from the
//     client's cache is not a request.
//   - Notifications from Client.Notify and Client.RootsChanged. next sends them.
//   - Questions from the server, such as sampling/createMessage, in every
//     revision. next has them answered by a function in ClientOptions.
//   - Notifications from the server for the functions Log, Notification and
//     ElicitationComplete in ClientOptions. next calls the function.
//
// The messages that a client sends to connect, subscribe, cancel and answer pings do not pass
// through middleware; ClientOptions.Trace receives all messages.
//
// Middleware that does not call next drops the message; it answers a request with the result or
// error that it returns. It may call next again, to repeat a request, but not after it has
// returned. For requests and notifications from the client, it runs on the calling goroutine;
// for messages from the server, on another goroutine.
type ClientMiddleware func(next ClientHandler) ClientHandler

// through calls the middleware with m, and end as the last handler.
func (c *Client) through(ctx context.Context, m *ClientMessage, end ClientHandler) (json.RawMessage, error) {
	handler := end
	for _, wrap := range slices.Backward(c.opts.Middleware) {
		handler = wrap(handler)
	}
	m.Client = c
	return handler(ctx, m)
}

// do performs the request of k: it passes the request through the middleware, and then sends it. It
// stores the result in k.result and returns the connection on which it arrived.
func (c *Client) do(ctx context.Context, k *call, opts *CallOptions) (*clientConn, error) {
	opts = cmp.Or(opts, &noOptions)
	if len(c.opts.Middleware) == 0 {
		return c.send(ctx, k, opts)
	}
	m := &ClientMessage{Method: k.method, Meta: maps.Clone(opts.Meta)}
	if len(k.params) > 0 {
		m.Params = append(bytes.Clone(k.params), '}')
	}
	original := m.Params
	var by *clientConn
	result, err := c.through(ctx, m, func(ctx context.Context, m *ClientMessage) (json.RawMessage, error) {
		k.inputs, k.state = nil, nil // set by an earlier call of next
		if !bytes.Equal(m.Params, original) {
			if err := k.replaceParams(c, m.Params); err != nil {
				return nil, err
			}
		}
		changed := *opts
		changed.Meta = m.Meta
		var err error
		if by, err = c.send(ctx, k, &changed); err != nil {
			return nil, err
		}
		return bytes.Clone(k.result), nil
	})
	switch {
	case err != nil:
		return nil, err
	case !isObject(result):
		return nil, fmt.Errorf("mcp: %s: middleware has returned a result that is not a JSON object", k.method)
	}
	k.result = append(k.result[:0], result...)
	if by == nil { // the middleware did not call next
		by = c.conn.Load()
	}
	return by, nil
}

// replaceParams replaces the params of k with params, a JSON object or nil.
func (k *call) replaceParams(c *Client, params json.RawMessage) error {
	if params != nil && !isObject(params) {
		return fmt.Errorf("mcp: %s: middleware has set params that are not a JSON object", k.method)
	}
	object := compact(params)
	if member(object, "_meta") != nil {
		return fmt.Errorf("mcp: %s: middleware has set params with a _meta; set ClientMessage.Meta", k.method)
	}
	if k.params = k.params[:0]; len(object) > 0 {
		k.params = append(k.params, object[:len(object)-1]...)
	}
	k.name, _ = jsonrpc.String(member(object, nameMember(k.method)))
	if k.method == "tools/call" {
		k.args, k.tool = bytes.Clone(member(object, "arguments")), c.tools.get(k.name)
	}
	return nil
}

// tell passes a notification from the client through the middleware and then sends it. params is a
// JSON object, or nil.
func (c *Client) tell(ctx context.Context, cc *clientConn, method string, params json.RawMessage) error {
	_, err := c.through(ctx, &ClientMessage{Method: method, Params: params, Notification: true}, func(_ context.Context, m *ClientMessage) (json.RawMessage, error) {
		line, err := message(m.Method, m.Params)
		if err == nil {
			cc.link.tell(line)
		}
		return nil, err
	})
	return err
}

// hear passes a notification from the server through the middleware, and then
// calls a function in ClientOptions.
func (c *Client) hear(method string, params json.RawMessage, call func()) {
	_, err := c.through(context.WithValue(c.ctx, clientKey{}, c), &ClientMessage{Method: method, Params: params, Incoming: true, Notification: true},
		func(context.Context, *ClientMessage) (json.RawMessage, error) {
			call()
			return nil, nil
		})
	if err != nil {
		c.log.Debug("notification stopped by middleware", "method", method, "error", err)
	}
}

// question passes a question from the server through the middleware and then to
// the function in ClientOptions.
func (c *Client) question(ctx context.Context, rev revision.Revision, method string, params []byte) ([]byte, *Error) {
	if len(c.opts.Middleware) == 0 {
		return c.dispatch(ctx, rev, method, params)
	}
	result, err := c.through(ctx, &ClientMessage{Method: method, Params: params, Incoming: true}, func(ctx context.Context, m *ClientMessage) (json.RawMessage, error) {
		result, failed := c.dispatch(ctx, rev, method, m.Params)
		if failed != nil {
			return nil, failed
		}
		return result, nil
	})
	if err == nil && !isObject(result) {
		err = errors.New("middleware has returned a result that is not a JSON object")
	}
	if err != nil {
		return nil, c.failure(ctx, method, err)
	}
	return compact(result), nil
}
