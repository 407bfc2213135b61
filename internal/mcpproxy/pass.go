package mcpproxy

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// known contains the methods that the front's server answers itself, from the mirror or its own
// state.
var known = map[string]bool{
	"server/discover": true, "ping": true, "subscriptions/listen": true,
	"tools/list": true, "prompts/list": true, "resources/list": true, "resources/templates/list": true,
	"tasks/get": true, "tasks/result": true, "tasks/list": true, "tasks/cancel": true, "tasks/update": true,
}

// pass is the middleware of a bridge. It forwards requests to the upstream,
// except those that the front's server answers itself.
func (b *bridge) pass(next mcp.MessageHandler) mcp.MessageHandler {
	return func(ctx context.Context, m mcp.Message) (mcp.Result, error) {
		r := m.Request
		switch {
		case m.Outgoing():
			return next(ctx, m)
		case m.Notification():
			b.notify(ctx, r)
			return next(ctx, m)
		}
		if r.Method() == "initialize" {
			res, err := next(ctx, m) // The handler next sets the session of r.
			if err == nil {
				b.remember(r)
			}
			return res, err
		}
		b.remember(r)
		switch method := r.Method(); method {
		case "tools/call":
			if b.becomesTask(r) {
				return next(ctx, m)
			}
			return b.callTool(ctx, r)
		case "prompts/get":
			return b.getPrompt(ctx, r)
		case "resources/read":
			return b.readResource(ctx, r)
		case "completion/complete":
			return b.complete(ctx, r)
		case "resources/subscribe", "resources/unsubscribe":
			return b.subscribe(ctx, m, next)
		case "logging/setLevel":
			return b.setLevel(ctx, m, next)
		case "subscriptions/listen":
			release, err := b.watches.hold(ctx, listened(r.Params()))
			if err != nil {
				return nil, passError(ctx, err)
			}
			defer release()
			return next(ctx, m)
		case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
			b.mirror.beforeList(ctx, method)
			return next(ctx, m)
		default:
			if known[method] {
				return next(ctx, m)
			}
			return b.callAny(ctx, r)
		}
	}
}

// notify forwards notifications that the library does not handle.
func (b *bridge) notify(ctx context.Context, r *mcp.Request) {
	switch method := r.Method(); method {
	case "notifications/initialized", "notifications/cancelled", "notifications/progress":
	case "notifications/roots/list_changed":
		if err := b.upstream.RootsChanged(ctx); err != nil {
			b.p.log.Debug("notification not forwarded", "method", method, "error", err)
		}
	default:
		var params any
		if p := r.Params(); p != nil {
			params = p
		}
		if err := b.upstream.Notify(ctx, method, params); err != nil {
			b.p.log.Debug("notification not forwarded", "method", method, "error", err)
		}
	}
}

// becomesTask reports whether the front's server runs a call as a task.
func (b *bridge) becomesTask(r *mcp.Request) bool {
	if support := b.mirror.taskSupport(r.Name()); support == mcp.TaskSupportForbidden {
		return false
	}
	if r.AsksByResult() {
		_, declared := r.ClientExtension("io.modelcontextprotocol/tasks")
		return declared
	}
	var params struct {
		Task json.RawMessage `json:"task"`
	}
	return json.Unmarshal(r.Params(), &params) == nil && params.Task != nil
}

func (b *bridge) callTool(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
	var params struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(r.Params(), &params); err != nil {
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params of tools/call"}
	}
	return b.calls.do(ctx, r, func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error) {
		var args any
		if params.Arguments != nil {
			args = params.Arguments
		}
		return result(c.CallTool(ctx, r.Name(), args, opts))
	})
}

// runTask is the handler of the front's tools, which runs only for tasks.
func (b *bridge) runTask(ctx context.Context, r *mcp.Request, args json.RawMessage) (mcp.Result, error) {
	return b.calls.do(ctx, r, func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error) {
		if b.mirror.taskSupport(r.Name()) == mcp.TaskSupportRequired || !b.hasTaskExtension() {
			return result(c.CallTool(ctx, r.Name(), args, opts))
		}
		t, err := c.CallToolTask(ctx, r.Name(), args, 0, opts)
		if err != nil {
			return nil, err
		}
		if t.ID() != "" { // The server has made the call a task.
			if _, err := b.calls.callOf(ctx).latest().BecomeTask(); err != nil {
				b.p.log.Debug("the call did not become a task", "error", err)
			}
		}
		res, err := t.Wait(ctx)
		if ctx.Err() != nil {
			_ = t.Cancel(b.ctx) // the server may already have ended the task
		}
		return result(res, err)
	})
}

// result returns res as an mcp.Result. It avoids an interface that holds a nil
// pointer.
func result[T mcp.Result](res T, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return res, nil
}

func (b *bridge) getPrompt(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
	var params struct {
		Arguments map[string]string `json:"arguments"`
	}
	if err := json.Unmarshal(r.Params(), &params); err != nil {
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params of prompts/get: arguments must be strings"}
	}
	return b.calls.do(ctx, r, func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error) {
		return result(c.GetPrompt(ctx, r.Name(), params.Arguments, opts))
	})
}

func (b *bridge) readResource(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
	return b.calls.do(ctx, r, func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error) {
		return result(c.ReadResource(ctx, r.Name(), opts))
	})
}

func (b *bridge) complete(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
	var params struct {
		Ref struct {
			Type, Name, URI string
		} `json:"ref"`
		Argument struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"argument"`
		Context struct {
			Arguments map[string]string `json:"arguments"`
		} `json:"context"`
	}
	if err := json.Unmarshal(r.Params(), &params); err != nil {
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params of completion/complete"}
	}
	var found mcp.Completion
	var err error
	switch a := &params.Argument; params.Ref.Type {
	case "ref/prompt":
		found, err = b.upstream.CompletePrompt(ctx, params.Ref.Name, a.Name, a.Value, params.Context.Arguments)
	case "ref/resource":
		found, err = b.upstream.CompleteTemplate(ctx, params.Ref.URI, a.Name, a.Value, params.Context.Arguments)
	default:
		return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "Invalid params of completion/complete: ref must identify a prompt or a resource"}
	}
	if err != nil {
		return nil, passError(ctx, err)
	}
	return &mcp.CompletionResult{Completion: found}, nil
}

func (b *bridge) subscribe(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
	res, err := next(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.Method() == "resources/unsubscribe" {
		b.watches.drop(r.Name())
		return res, nil
	}
	return res, passError(ctx, b.watches.keep(ctx, r.Name()))
}

func (b *bridge) setLevel(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
	res, err := next(ctx, r)
	if err != nil {
		return nil, err
	}
	var params struct {
		Level string `json:"level"`
	}
	if err := json.Unmarshal(r.Params(), &params); err != nil {
		return nil, err
	}
	for level := mcp.LevelDebug; level <= mcp.LevelEmergency; level++ {
		if level.String() == params.Level {
			return res, passError(ctx, b.upstream.SetLogLevel(ctx, level))
		}
	}
	return res, nil
}

// callAny forwards a request whose method is not part of MCP.
func (b *bridge) callAny(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
	return b.calls.do(ctx, r, func(ctx context.Context, c *mcp.Client, opts *mcp.CallOptions) (mcp.Result, error) {
		params := map[string]json.RawMessage{}
		if p := r.Params(); p != nil {
			if err := json.Unmarshal(p, &params); err != nil {
				return nil, errors.New("the params are not an object")
			}
			delete(params, "_meta")
		}
		raw, err := c.Call(ctx, r.Method(), params, opts)
		return mcp.RawResult(raw), err
	})
}

// metaOf returns the _meta to forward with a request.
func metaOf(r *mcp.Request) mcp.Meta {
	var meta mcp.Meta
	for key, value := range r.Meta() {
		if strings.HasPrefix(key, "io.modelcontextprotocol/") || key == "progressToken" {
			continue // the front adds these members in the form of its own revision
		}
		if meta == nil {
			meta = mcp.Meta{}
		}
		meta[key] = value
	}
	return meta
}
