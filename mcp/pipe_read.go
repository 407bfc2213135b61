package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// tick is the maximum time that a request may block the reading goroutine. Another goroutine takes
// over after one to two ticks.
const tick = 100 * time.Microsecond

// read reads and serves messages until the input ends, responses can no longer be sent, or another
// goroutine takes over.
func (c *pipe) read() {
	var buf []byte
	for {
		if !c.lines.Buffered() {
			pending, ended := c.out.pending()
			if ended || pending && !c.guard(c.out.flush) {
				return
			}
		}
		line, err := c.lines.Next()
		switch {
		case errors.Is(err, jsonrpc.ErrTooLong):
			if !c.refuse(&jsonrpc.ParseError{Code: CodeInvalidRequest, Message: fmt.Sprintf("Invalid request: the message is larger than the limit of %d bytes", c.s.opts.Limits.MaxMessageBytes)}) {
				return
			}
			continue
		case err != nil:
			c.guard(c.out.flush)
			c.end(err)
			return
		}
		var reading bool
		if buf, reading = c.receive(line, buf); !reading {
			return
		}
		if cap(buf) > keepBuffer {
			c.out.putBuffer(buf) // so that the buffer can be freed while the connection is idle
			buf = nil
		}
	}
}

// guard calls f, which may block. It reports whether the caller is still the reading goroutine.
func (c *pipe) guard(f func()) bool {
	turn := c.enter()
	defer func() {
		// f has ended the goroutine, so another goroutine continues to read.
		if turn != 0 && c.leave(turn) {
			c.s.workers.run(c.read)
		}
	}()
	f()
	mine := c.leave(turn)
	turn = 0
	return mine
}

// hold calls f, which must return before reading continues. In contrast to guard, no other
// goroutine takes over unless f ends this one.
func (c *pipe) hold(f func()) bool {
	returned := false
	defer func() {
		if !returned {
			c.s.workers.run(c.read)
		}
	}()
	f()
	returned = true
	return true
}

func (c *pipe) enter() uint64 {
	turn := c.turn.Add(1)
	if !c.armed.Load() && c.armed.CompareAndSwap(false, true) {
		c.timer.Reset(tick)
	}
	return turn
}

func (c *pipe) leave(turn uint64) bool {
	return c.turn.CompareAndSwap(turn, turn+1)
}

// onTick starts another reading goroutine if the current one has been in the
// same call to guard since the last tick.
func (c *pipe) onTick() {
	turn := c.turn.Load()
	switch {
	case turn&1 == 1 && turn == c.seen:
		if c.leave(turn) {
			c.s.workers.run(c.read)
		}
	case turn == c.seen:
		// Nothing has happened since the last tick, so stop the timer until the next call of enter.
		c.armed.Store(false)
		c.out.trim()
		if c.turn.Load() == turn || !c.armed.CompareAndSwap(false, true) {
			return
		}
	}
	c.seen = turn
	c.timer.Reset(tick)
}

func (c *pipe) handOver() {
	if turn := c.turn.Load(); turn&1 == 1 && c.leave(turn) {
		c.s.workers.run(c.read)
	}
}

// receive handles one line. It returns a buffer that can be reused, and reports
// whether the caller is still the reading goroutine.
func (c *pipe) receive(line, buf []byte) ([]byte, bool) {
	if jsonrpc.IsBatch(line) {
		return buf, c.receiveBatch(line)
	}
	var m jsonrpc.Message
	if err := jsonrpc.Parse(line, &m); err != nil {
		return buf, c.refuse(err)
	}
	return c.message(&m, nil, buf)
}

// message handles one message. It has the same results as receive. A message in a batch is never
// served on the reading goroutine.
func (c *pipe) message(m *jsonrpc.Message, b *batch, buf []byte) ([]byte, bool) {
	switch m.Kind {
	case jsonrpc.Notification:
		return buf, c.notified(m, b != nil)
	case jsonrpc.Response:
		if s := c.session.Load(); s != nil {
			_ = s.answer(m) // returns no error, because the session is not shared with other processes
		}
		return buf, true
	}
	call := newPipeCall(c, m, b)
	if e := c.prepare(call, bytes.Clone(m.Params)); e != nil {
		return buf, c.reject(call, e)
	}
	call.offReader = call.req.offReaderCounter()
	a := &c.calls
	if m.Method == "ping" {
		if !c.s.wrapped {
			return buf, c.respond(call, c.s.handle(&call.req, nil))
		}
		a = &c.control
	}
	c.mu.Lock()
	decided, draining := refused, c.draining
	if !draining && (b == nil || a.mayOpenBatch()) {
		decided = a.admit(&call.ticket)
	}
	if decided == waits {
		call.ticket.start = call.work
	}
	c.mu.Unlock()
	switch {
	case draining:
		return buf, c.reject(call, errorf(CodeInternalError, "The server is shutting down"))
	case decided == refused:
		return buf, c.reject(call, errorf(CodeInternalError, "Too many requests are waiting; retry this one after a response has arrived"))
	case decided == waits:
		return buf, true
	}
	if b != nil || call.isSlow() {
		c.s.workers.run(call.work)
		return buf, true
	}
	guard := c.guard
	if m.Method == "initialize" {
		guard = c.hold // the next message may need the session
	}
	if buf == nil {
		buf = c.out.takeBuffer()
	}
	still := guard(func() { buf = c.run(call, buf) })
	if !still {
		call.markSlow()
		c.out.flush() // the new reading goroutine may have flushed before the response was queued
		return nil, false
	}
	return buf, true
}

// prepare calls Server.prepare. If ServerOptions.Visible ends the goroutine,
// the request fails and another goroutine continues reading.
func (c *pipe) prepare(call *pipeCall, params []byte) *Error {
	r := &call.req
	if c.s.opts.Visible == nil {
		return c.s.prepare(r, params, c.session.Load())
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		response := c.s.abandoned(r)
		if call.batch != nil {
			call.batch.add(c, r, response)
		} else {
			c.pause()
			c.out.addNow(response)
		}
		c.s.workers.run(func() {
			if call.batch == nil || c.receiveRest(call.batch) {
				c.read()
			}
		})
	}()
	e := c.s.prepare(r, params, c.session.Load())
	returned = true
	return e
}

var errUnread = errors.New("the client kept sending messages without reading the server's answers")

// pause blocks the reading goroutine while MaxQueuedBytes are unread. After UnreadTimeout, it ends
// the connection.
func (c *pipe) pause() {
	if !c.out.waitBelow(c.s.opts.Limits.UnreadTimeout) {
		c.out.abort(errUnread)
	}
}

// notified handles a notification, which has no response. It reports whether the caller is still
// the reading goroutine, which may have changed if middleware is slow. Notifications wait while
// middleware has reached its limit. If too many wait, further ones are dropped.
func (c *pipe) notified(m *jsonrpc.Message, inBatch bool) bool {
	if !c.s.wrapped {
		c.notification(m)
		return true
	}
	copied := &jsonrpc.Message{Method: m.Method, Params: bytes.Clone(m.Params)} // copy m, because the reader reuses it
	t := &ticket{size: len(m.Params)}
	t.start = func() {
		defer c.release(t)
		c.s.receive(c.ctx, copied, c.session.Load(), func() { c.notification(copied) })
	}
	c.mu.Lock()
	decided := c.control.admit(t)
	c.mu.Unlock()
	switch {
	case decided == refused:
		c.log.Warn("notification from the client dropped, because too many are waiting in middleware", "method", copied.Method)
	case decided == served && inBatch:
		c.s.workers.run(t.start)
	case decided == served:
		return c.guard(t.start)
	}
	return true
}

// notification handles a notification that the protocol defines.
func (c *pipe) notification(m *jsonrpc.Message) {
	switch m.Method {
	case "notifications/cancelled":
		if id, reason := cancelledID(m); id != nil {
			c.cancelRequest(id, reason)
		}
	case "notifications/initialized":
		if s := c.session.Load(); s != nil {
			s.initialized.Store(true)
		}
	}
}

// cancelledID returns the request id in a notifications/cancelled. The id is nil if the
// notification contains no valid id.
func cancelledID(m *jsonrpc.Message) (id jsonrpc.ID, reason string) {
	var p struct {
		RequestID jsonValue `json:"requestId"`
		Reason    jsonValue `json:"reason"`
	}
	if decodeOptional(m.Params, &p) != nil || !jsonrpc.ValidID(p.RequestID) {
		return nil, ""
	}
	reason, _ = jsonrpc.String(p.Reason)
	return jsonrpc.ID(p.RequestID), clip(reason, 256)
}

// cancelRequest cancels the request with the given id, if it exists. The request then gets no
// response.
func (c *pipe) cancelRequest(id jsonrpc.ID, reason string) {
	c.mu.Lock()
	_, waited := c.calls.cancel(id, c.log, reason)
	c.mu.Unlock()
	for _, t := range waited {
		c.s.workers.run(t.start)
	}
}

// refuse sends an error for a line that is not a valid message, unless such a message has no
// response. It reports whether the caller is still the reading goroutine.
func (c *pipe) refuse(err error) bool {
	e := parseError(err)
	if c.unanswered(e) {
		return true
	}
	return c.reply(appendError(nil, e.ID, c.revision(), &Error{Code: e.Code, Message: e.Message}))
}

// unanswered reports whether the invalid message is a notification or a response, which must not be
// answered. If it is a response, the question that it belongs to fails.
func (c *pipe) unanswered(e *jsonrpc.ParseError) bool {
	if !e.Response {
		return len(e.ID) == 0 && isNotification(e.Method)
	}
	c.log.Debug("malformed response of the client", "error", e.Message)
	if s := c.session.Load(); s != nil {
		_ = s.answerMalformed(e)
	}
	return true
}
