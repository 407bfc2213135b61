package mcp

import (
	"context"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// pipeCall is a request that came over a stream, and that request's sink.
type pipeCall struct {
	req    Request
	c      *stream
	ticket ticket
	batch  *batch // that the request belongs to, or nil
	// slow is the handler's count of calls to keep off the reading goroutine;
	// nil for methods of the library's own.
	slow     *atomic.Int32
	farewell []byte // notification to send after the response, or nil
}

func newPipeCall(c *stream, m *jsonrpc.Message, b *batch) *pipeCall {
	call := &pipeCall{c: c, batch: b}
	r := &call.req
	r.method, r.id, r.out, r.server = m.Method, append(jsonrpc.ID(nil), m.ID...), call, c.s
	r.ctx.parent, r.ctx.req = c.ctx, r
	call.ticket.r, call.ticket.size = r, len(m.Params)
	return call
}

func (call *pipeCall) notify(line []byte) { call.c.push(line) }
func (call *pipeCall) push(line []byte)   { call.c.push(line) }
func (call *pipeCall) handOver()          { call.c.handOver() }
func (call *pipeCall) connection() any    { return call.c }

func (call *pipeCall) send(ctx context.Context, line []byte) bool {
	added := call.c.out.addUntil(ctx, line)
	call.c.s.workers.run(call.c.out.flush) // which may block for longer than ctx
	return added
}

func (call *pipeCall) ending() bool {
	call.c.mu.Lock()
	defer call.c.mu.Unlock()
	return call.c.draining
}

func (call *pipeCall) beginSession(s *session) bool {
	c := call.c
	s.push, s.ctx, s.gone = c.push, c.ctx, c.gone
	if !c.session.CompareAndSwap(nil, s) {
		return false
	}
	c.s.addSession(s)
	return true
}

// rest makes the request one that only waits for events, so that it keeps no
// other from being served. It reports false if as many do as may.
func (call *pipeCall) rest() bool {
	c := call.c
	c.mu.Lock()
	ok := c.calls.rest(&call.ticket)
	c.mu.Unlock()
	c.next(&c.calls)
	return ok
}

// markSlow keeps the handler off the reading goroutine for some calls.
func (call *pipeCall) markSlow() {
	if call.slow != nil {
		call.slow.Store(16)
	}
}

// isSlow reports whether the handler is kept off the reading goroutine.
func (call *pipeCall) isSlow() bool { return call.slow != nil && call.slow.Load() > 0 }

// markQuick counts a call that was quick off that goroutine.
func (call *pipeCall) markQuick() {
	if call.slow != nil {
		if n := call.slow.Load(); n > 0 {
			call.slow.CompareAndSwap(n, n-1)
		}
	}
}

// slowness is the count of pipeCall.slow of the handler that r calls.
func (r *Request) slowness() *atomic.Int32 {
	if r.tool != nil {
		return &r.tool.slow
	}
	switch target := r.target.(type) {
	case *prompt:
		return &target.slow
	case *reading:
		return &target.slow
	case *completing:
		return target.slow
	}
	return nil
}

var _ sink = (*pipeCall)(nil)
