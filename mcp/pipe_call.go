package mcp

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// pipeCall is a request that arrived over a pipe. It sends the messages that belong to the request.
type pipeCall struct {
	req    Request
	c      *pipe
	ticket ticket
	batch  *batch // the request's batch, or nil
	// offReader points to the handler's counter of calls that must not run on the reading
	// goroutine. It is nil for methods that the library handles.
	offReader *atomic.Int32
	farewell  []byte // notification to send after the response, or nil
}

func newPipeCall(c *pipe, m *jsonrpc.Message, b *batch) *pipeCall {
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
func (call *pipeCall) unread() int        { return int(call.c.out.counted.Load()) }

func (call *pipeCall) send(ctx context.Context, line []byte) bool {
	added := call.c.out.addUntil(ctx, line)
	call.c.s.workers.run(call.c.out.flush) // flush runs on a worker, because it may block for longer than ctx allows
	return added
}

func (call *pipeCall) ending() bool {
	call.c.mu.Lock()
	defer call.c.mu.Unlock()
	return call.c.draining
}

func (call *pipeCall) beginSession(s *session) *session {
	c := call.c
	s.push, s.ctx, s.gone = c.push, c.ctx, c.gone
	if !c.session.CompareAndSwap(nil, s) {
		return nil
	}
	c.s.addSession(s)
	return s
}

// markIdle marks the request as one that only waits for events, so that it no
// longer counts against MaxConcurrent. It returns false if too many requests
// are idle already.
func (call *pipeCall) markIdle() bool {
	c := call.c
	c.mu.Lock()
	ok := c.calls.markIdle(&call.ticket)
	c.mu.Unlock()
	c.next(&c.calls)
	return ok
}

// markSlow keeps the next 16 calls of the handler off the reading goroutine.
func (call *pipeCall) markSlow() {
	if call.offReader != nil {
		call.offReader.Store(16)
	}
}

// isSlow reports whether the handler must not run on the reading goroutine.
func (call *pipeCall) isSlow() bool { return call.offReader != nil && call.offReader.Load() > 0 }

// markQuick counts a fast call. After 16 fast calls, the handler runs on the reading goroutine
// again.
func (call *pipeCall) markQuick() {
	if call.offReader != nil {
		if n := call.offReader.Load(); n > 0 {
			call.offReader.CompareAndSwap(n, n-1)
		}
	}
}

// offReaderCounter returns the handler's counter for pipeCall.offReader, or nil if the library
// serves the request.
func (r *Request) offReaderCounter() *atomic.Int32 {
	if r.tool != nil {
		return &r.tool.offReader
	}
	switch target := r.target.(type) {
	case *prompt:
		return &target.offReader
	case *reading:
		return &target.offReader
	case *completing:
		return target.offReader
	}
	return nil
}

var _ sink = (*pipeCall)(nil)

// reject refuses a request with an error without serving it. It reports whether the caller is still
// the reading goroutine.
func (c *pipe) reject(call *pipeCall, e *Error) bool {
	return c.respond(call, appendError(nil, call.req.id, call.req.rev, e))
}

// respond sends a response from the reading goroutine. It reports whether the caller is still the
// reading goroutine.
func (c *pipe) respond(call *pipeCall, response []byte) bool {
	if call.batch != nil {
		call.batch.add(c, &call.req, response) // this is not the last response, because the batch is still being read
		return true
	}
	return c.reply(response)
}

// reply sends a line from the reading goroutine. It reports whether the caller is still the reading
// goroutine.
func (c *pipe) reply(line []byte) bool {
	c.pause()
	return !c.out.addNow(line) || c.guard(c.out.flush)
}

// run serves a request and sends the response. It may use buf, and returns a buffer that can be
// reused.
func (c *pipe) run(call *pipeCall, buf []byte) []byte {
	r := &call.req
	returned := false
	defer func() {
		if !returned { // the handler has ended the goroutine
			c.answer(call, c.s.abandoned(r))
			c.release(&call.ticket)
			c.out.flush()
		}
	}()
	if !r.cancelled() {
		buf = c.s.handle(r, buf[:0])
	}
	returned = true
	buf = c.answer(call, buf)
	c.release(&call.ticket)
	return buf
}

// work serves the call on a goroutine that does not read.
func (call *pipeCall) work() {
	c, began := call.c, time.Now()
	buf := c.out.takeBuffer()
	if c.postpone(call) {
		c.out.putBuffer(buf)
		return
	}
	c.out.putBuffer(c.run(call, buf))
	c.out.flush()
	if time.Since(began) < tick {
		call.markQuick()
	}
}

// postpone makes call wait again if its handler has not started and there is no longer room for its
// response. Many calls can be admitted before the first response shows how large responses are.
// postpone reports whether call must wait.
func (c *pipe) postpone(call *pipeCall) bool {
	if !c.out.behind.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if call.req.cancelled() { // a cancelled request ends immediately
		return false
	}
	call.ticket.start = call.work
	return c.admitted(&call.ticket).postpone(&call.ticket)
}

// answer sends the response to a request unless the client has cancelled it. It
// returns a buffer that can be reused.
func (c *pipe) answer(call *pipeCall, response []byte) (buf []byte) {
	cancelled := call.req.cancelled()
	if !cancelled {
		call.ticket.answerBytes = len(response)
	}
	if call.batch != nil {
		if cancelled {
			response = nil
		}
		call.batch.add(c, &call.req, response)
		return nil
	}
	if cancelled {
		c.s.unread.correct(&call.req.answer, 0)
		return response
	}
	buf, full := c.out.give(response)
	c.s.unread.correct(&call.req.answer, 0) // out counts the response
	if call.farewell != nil {
		full = c.out.add(call.farewell)
	}
	if full {
		c.out.flush()
	}
	return buf
}

// admitted returns the admission that contains t.
func (c *pipe) admitted(t *ticket) *admission {
	if t.r == nil || t.r.method == "ping" {
		return &c.control
	}
	return &c.calls
}

// release removes t, which has been served, from its admission. It starts requests that can now be
// served.
func (c *pipe) release(t *ticket) {
	a := c.admitted(t)
	c.mu.Lock()
	a.release(t)
	more := a.waiting.n > 0
	if c.draining {
		c.changed.Broadcast()
	}
	c.mu.Unlock()
	if more {
		c.next(a)
	}
}

// next starts waiting requests of a while there is room for them.
func (c *pipe) next(a *admission) {
	for {
		c.mu.Lock()
		t := a.next()
		c.mu.Unlock()
		if t == nil {
			return
		}
		c.s.workers.run(t.start)
	}
}
