package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// tick is how long a request may hold the reading goroutine; twice that at
// most passes before another one takes over.
const tick = 100 * time.Microsecond

// read reads and serves until input ends or another goroutine takes over.
func (c *pipe) read() {
	var buf []byte
	for {
		if !c.lines.Buffered() && c.out.pending() && !c.guard(c.out.flush) {
			return
		}
		line, err := c.lines.Next()
		switch {
		case errors.Is(err, jsonrpc.ErrTooLong):
			if !c.refuse(&jsonrpc.ParseError{Code: CodeInvalidRequest, Message: fmt.Sprintf("Invalid request: the message is over the limit of %d bytes", c.s.opts.Limits.MaxMessageBytes)}) {
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
			c.out.lend(buf) // who lets go of it when the connection is idle
			buf = nil
		}
	}
}

// guard calls f, which may block, and reports whether the goroutine is still
// the one that reads.
func (c *pipe) guard(f func()) bool {
	turn := c.enter()
	defer func() {
		// A handler may end its goroutine. Reading must go on all the same.
		if turn != 0 && c.leave(turn) {
			c.s.workers.run(c.read)
		}
	}()
	f()
	mine := c.leave(turn)
	turn = 0
	return mine
}

// hold is guard for what reading has to wait for: nobody takes it over, unless
// f ends the goroutine.
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

// onTick hands reading over if the reading goroutine has been busy with one
// thing since the last tick.
func (c *pipe) onTick() {
	turn := c.turn.Load()
	switch {
	case turn&1 == 1 && turn == c.seen:
		if c.leave(turn) {
			c.s.workers.run(c.read)
		}
	case turn == c.seen:
		// Nothing has happened since the last tick: rest until enter asks.
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

// receive takes one line. It reports whether the goroutine is still the one
// that reads.
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

// message takes one message. One that belongs to a batch is never served on
// the reading goroutine.
func (c *pipe) message(m *jsonrpc.Message, b *batch, buf []byte) ([]byte, bool) {
	switch m.Kind {
	case jsonrpc.Notification:
		return buf, c.notified(m, b != nil)
	case jsonrpc.Response:
		if s := c.session.Load(); s != nil {
			s.answer(m)
		}
		return buf, true
	}
	call := newPipeCall(c, m, b)
	if e := c.prepare(call, bytes.Clone(m.Params)); e != nil {
		return buf, c.reject(call, e)
	}
	call.slow = call.req.slowness()
	a := &c.calls
	if m.Method == "ping" {
		if !c.s.wrapped {
			return buf, c.respond(call, c.s.handle(&call.req, nil))
		}
		a = &c.control
	}
	c.mu.Lock()
	decided, draining := refused, c.draining
	if !draining {
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
		return buf, c.reject(call, errorf(CodeInternalError, "Too many requests wait; send this one again after an answer has come"))
	case decided == waits:
		return buf, true
	}
	if b != nil || call.isSlow() {
		c.s.workers.run(call.work)
		return buf, true
	}
	guard := c.guard
	if m.Method == "initialize" {
		guard = c.hold // what comes next may need the session
	}
	if buf == nil {
		buf = c.out.borrow()
	}
	still := guard(func() { buf = c.run(call, buf) })
	if !still {
		call.markSlow()
		c.out.flush() // who reads now may have looked before the answer was there
		return nil, false
	}
	return buf, true
}

// prepare is Server.prepare for the reading goroutine, which
// ServerOptions.Visible may end: then the request fails and reading goes on.
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

var errUnread = errors.New("the client has not read what the server sent, while it went on to write")

// pause keeps the reading goroutine waiting while the client leaves
// MaxQueuedBytes unread. If it does so for UnreadTimeout the connection ends.
func (c *pipe) pause() {
	if !c.out.waitBelow(c.s.opts.Limits.UnreadTimeout) {
		c.out.abort(errUnread)
	}
}

// notified takes a notification, which is never answered. It reports whether
// the goroutine is still the one that reads: middleware may take its time. Of
// more notifications than middleware may be busy with the later ones wait, and
// what is over the bound is dropped.
func (c *pipe) notified(m *jsonrpc.Message, inBatch bool) bool {
	if !c.s.wrapped {
		c.notification(m)
		return true
	}
	kept := &jsonrpc.Message{Method: m.Method, Params: bytes.Clone(m.Params)} // m is read over
	t := &ticket{size: len(m.Params)}
	t.start = func() {
		defer c.release(t)
		c.s.receive(c.ctx, kept, c.session.Load(), func() { c.notification(kept) })
	}
	c.mu.Lock()
	decided := c.control.admit(t)
	c.mu.Unlock()
	switch {
	case decided == refused:
		c.log.Warn("notification of the client dropped: middleware holds up too many", "method", kept.Method)
	case decided == served && inBatch:
		c.s.workers.run(t.start)
	case decided == served:
		return c.guard(t.start)
	}
	return true
}

// notification does what a notification says.
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

// cancelledID reads notifications/cancelled: the id is nil if it names none.
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

// cancelRequest ends the request with that id, if there is one, without an
// answer.
func (c *pipe) cancelRequest(id jsonrpc.ID, reason string) {
	c.mu.Lock()
	waited := c.calls.cancel(id, c.log, reason)
	c.mu.Unlock()
	for _, t := range waited {
		c.s.workers.run(t.start)
	}
}

// refuse answers what is no message, unless that is never answered. It reports
// whether the goroutine is still the one that reads.
func (c *pipe) refuse(err error) bool {
	e := parseError(err)
	if c.unanswered(e) {
		return true
	}
	return c.reply(appendError(nil, e.ID, c.revision(), &Error{Code: e.Code, Message: e.Message}))
}

// unanswered reports whether the message that could not be read is a
// notification or a response, which get no answer. The question that a
// malformed response is for fails.
func (c *pipe) unanswered(e *jsonrpc.ParseError) bool {
	if !e.Response {
		return len(e.ID) == 0 && isNotification(e.Method)
	}
	c.log.Debug("malformed response of the client", "error", e.Message)
	if s := c.session.Load(); s != nil {
		s.answerMalformed(e)
	}
	return true
}
