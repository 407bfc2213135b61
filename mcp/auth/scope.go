package auth

import (
	"context"
	"net/http"
	"slices"

	"github.com/docent-mcp/docent/mcp"
)

// Middleware refuses calls to tools whose GuardOptions.ToolScopes the caller's token lacks. It
// works only after Protect. The HTTP response has status 403 and a challenge that contains all scopes
// that the call needs, so that clients can request them (specification: Authorization, Scope
// Challenge Handling). In a batch, only the response to the call is an error. A call that did not
// pass a guard is refused.
func (g *Guard) Middleware(next mcp.MessageHandler) mcp.MessageHandler {
	return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
		if r.Method() != "tools/call" || r.Outgoing() {
			return next(ctx, r)
		}
		needed := g.opts.ToolScopes[r.Name()]
		if len(needed) == 0 {
			return next(ctx, r)
		}
		granted, _ := ctx.Value(grantKey{}).(*grant)
		if granted != nil && len(g.opts.lacking(granted.token.Scopes, needed)) == 0 {
			return next(ctx, r)
		}
		if granted != nil {
			all := g.opts.together(needed)
			granted.need.Store(&all)
		}
		return nil, &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "The access token lacks a scope that this tool needs"}
	}
}

// together returns the scopes that a call of a tool needs, including those that every request
// needs.
func (o *GuardOptions) together(tool []string) []string {
	all := slices.Clone(o.Scopes)
	for _, s := range tool {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// scopedWriter sets the status and the challenge in the response to a call that
// Middleware has refused. It does not change an event stream that has begun, or
// the response to a batch.
type scopedWriter struct {
	http.ResponseWriter
	guard *Guard
	req   *http.Request
	grant *grant
	wrote bool
	held  int // status that WriteHeader has not yet sent, or 0
}

func (w *scopedWriter) WriteHeader(status int) {
	if w.grant.need.Load() != nil && !w.wrote && w.Header().Get("Content-Type") == "application/json" {
		w.held, w.wrote = status, true
		return
	}
	w.wrote = w.wrote || status >= 200
	w.ResponseWriter.WriteHeader(status)
}

func (w *scopedWriter) Write(b []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	w.release(len(b) > 0 && b[0] == '[')
	return w.ResponseWriter.Write(b)
}

// release sends the header that WriteHeader has not yet sent. Unless batch is true, it replaces the
// status with 403 and adds the challenge.
func (w *scopedWriter) release(batch bool) {
	status := w.held
	if status == 0 {
		return
	}
	w.held = 0
	if need := *w.grant.need.Load(); !batch {
		status = http.StatusForbidden
		w.guard.challenge(w.Header(), w.grant.dpop, status, "insufficient_scope", "The access token lacks a scope that this tool needs", need)
		w.guard.opts.Logger.InfoContext(w.req.Context(), "auth: tool call refused", "status", status, "needs", need)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is called by http.ResponseController.
func (w *scopedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
