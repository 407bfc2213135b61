package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// A sink takes what the server sends to one client.
type sink interface {
	// notify sends a notification that belongs to a request in flight. It never
	// blocks; what it sends is lost if the client does not read.
	notify(line []byte)
	// push is notify for the goroutine of another client: it never blocks.
	push(line []byte)
	// send sends a request to the client. It blocks while the client does not
	// read, but no longer than ctx. It reports false if ctx ended first or there
	// is no way to send one.
	send(ctx context.Context, line []byte) bool
	// beginSession makes the session that initialize has agreed on the client's. It
	// reports false if there is one already.
	beginSession(*session) bool
	// handOver tells the connection that the caller's request is about to wait.
	handOver()
	// connection identifies the connection on which the client can be reached
	// beyond the request; nil if there is none.
	connection() any
	// ending reports whether the server is ending the connection.
	ending() bool
}

// stream is one connection that carries newline-delimited messages both ways
// (specification: Transports, stdio).
//
// A request is served on the goroutine that read it. A timer watches: when
// the goroutine has been in a handler, or in a write, for longer than a tick,
// reading goes on on another goroutine, and the first one ends when its call
// does. So quick calls cost no switch between goroutines, and slow ones hold
// up nobody. A handler that was slow before is not tried on the reading
// goroutine again until it has been quick a few times.
//
// Reading goes on whatever waits, so that cancellations, pings, responses and
// the end of input are always seen: a request for which there is no room is
// refused with an error. Only a client that leaves MaxQueuedBytes unread stops
// it, see pause; so what waits to be written is bounded.
type stream struct {
	s      *Server
	ctx    context.Context
	cancel context.CancelCauseFunc
	log    *slog.Logger
	lines  *jsonrpc.Lines // used by the reading goroutine alone
	out    *writer

	session atomic.Pointer[session]

	// turn is odd while the reading goroutine does what may block. Whoever
	// makes it even again owns the reading.
	turn  atomic.Uint64
	armed atomic.Bool // the timer runs
	timer *time.Timer
	seen  uint64 // turn at the last tick; used by tick alone

	mu       sync.Mutex
	changed  sync.Cond     // something below got less
	calls    admission     // requests but pings
	control  admission     // notifications and pings, if there is middleware
	draining bool          // no more input
	ended    chan error    // receives why reading ended
	gone     chan struct{} // closed then
	over     sync.Once     // it has
}

// tick is how long a request may hold the reading goroutine; twice that at
// most passes before another one takes over.
const tick = 100 * time.Microsecond

// ServeConn speaks MCP with one client over a connection that carries
// newline-delimited messages: a pipe, a Unix socket, one end of net.Pipe.
//
// It returns nil when input ends, after everything accepted until then has been
// answered or Limits.DrainTimeout has passed; ctx's cause when ctx ends, after
// which no further request is accepted and those in flight have the same time;
// and the error of a read or write that fails. If conn is an io.Closer it is
// closed before ServeConn returns.
func (s *Server) ServeConn(ctx context.Context, conn io.ReadWriter) error {
	return s.serve(ctx, conn, conn)
}

func (s *Server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &stream{
		s:       s,
		log:     s.log,
		lines:   jsonrpc.NewLines(in, s.opts.Limits.MaxMessageBytes),
		calls:   admission{opts: &s.opts},
		control: admission{opts: &s.opts},
		ended:   make(chan error, 1),
		gone:    make(chan struct{}),
	}
	// The requests' contexts end when the connection does, not when ctx does:
	// what was accepted is given time to finish.
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer c.cancel(nil)
	c.changed.L = &c.mu
	c.out = newWriter(out, s.opts.Limits.MaxQueuedBytes, func(err error) {
		c.cancelAll(errDrain) // nobody will hear of what is still served
		c.end(err)
	})
	c.timer = time.AfterFunc(time.Hour, c.onTick)
	c.timer.Stop()

	defer func() {
		if session := c.session.Load(); session != nil {
			s.removeSession(session)
		}
	}()
	go c.read()

	var err error
	select {
	case err = <-c.ended:
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			err = nil
		}
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	c.drain()
	for _, end := range []any{in, out} {
		if closer, ok := end.(io.Closer); ok {
			closer.Close()
		}
	}
	return err
}

// end makes serve return. Only the first call has an effect.
func (c *stream) end(err error) {
	c.over.Do(func() {
		c.ended <- err
		close(c.gone)
	})
}

// drain waits until all that was accepted is answered, at most as long as the
// options say; then it cancels what is left.
func (c *stream) drain() {
	c.mu.Lock()
	c.draining = true
	c.changed.Broadcast()
	c.mu.Unlock()
	c.s.endListeners(func(out sink) bool { return out.connection() == c })
	late := time.AfterFunc(c.s.opts.Limits.DrainTimeout, func() {
		c.cancelAll(errDrain)
		c.out.close()
	})
	defer late.Stop()
	// Who ignores that its context has ended is not waited for for ever.
	var abandoned atomic.Bool
	last := time.AfterFunc(c.s.opts.Limits.DrainTimeout+time.Second, func() {
		abandoned.Store(true)
		c.mu.Lock()
		c.changed.Broadcast()
		c.mu.Unlock()
	})
	defer last.Stop()
	c.mu.Lock()
	for c.calls.count()+c.control.count() > 0 && !abandoned.Load() {
		c.changed.Wait()
	}
	c.mu.Unlock()
	if !abandoned.Load() {
		c.out.drain()
	}
	c.out.close()
	c.cancelAll(context.Canceled)
	c.timer.Stop()
}

var errDrain = errors.New("the connection has ended")

func (c *stream) cancelAll(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range []*admission{&c.calls, &c.control} {
		for t := a.serving.first; t != nil; t = t.next {
			if t.r != nil {
				t.r.ctx.cancel(context.Canceled)
			}
		}
		for t := a.waiting.first; t != nil; t = a.waiting.first {
			a.withdraw(t)
		}
	}
	c.cancel(err)
	c.changed.Broadcast()
}

// read reads and serves until input ends or another goroutine takes over.
func (c *stream) read() {
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
func (c *stream) guard(f func()) bool {
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
func (c *stream) hold(f func()) bool {
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

func (c *stream) enter() uint64 {
	turn := c.turn.Add(1)
	if !c.armed.Load() && c.armed.CompareAndSwap(false, true) {
		c.timer.Reset(tick)
	}
	return turn
}

func (c *stream) leave(turn uint64) bool {
	return c.turn.CompareAndSwap(turn, turn+1)
}

// onTick hands reading over if the reading goroutine has been busy with one
// thing since the last tick.
func (c *stream) onTick() {
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

func (c *stream) handOver() {
	if turn := c.turn.Load(); turn&1 == 1 && c.leave(turn) {
		c.s.workers.run(c.read)
	}
}

// receive takes one line. It reports whether the goroutine is still the one
// that reads.
func (c *stream) receive(line, buf []byte) ([]byte, bool) {
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
func (c *stream) message(m *jsonrpc.Message, b *batch, buf []byte) ([]byte, bool) {
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
func (c *stream) prepare(call *pipeCall, params []byte) *Error {
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

// reject answers a request that is not served. It reports whether the
// goroutine is still the one that reads.
func (c *stream) reject(call *pipeCall, e *Error) bool {
	return c.respond(call, appendError(nil, call.req.id, call.req.rev, e))
}

// respond answers a request from the reading goroutine, and reports whether it
// is still the one that reads.
func (c *stream) respond(call *pipeCall, response []byte) bool {
	if call.batch != nil {
		call.batch.add(c, &call.req, response) // is not the last: the batch is being read
		return true
	}
	return c.reply(response)
}

// reply sends a line from the reading goroutine, and reports whether it is
// still the one that reads.
func (c *stream) reply(line []byte) bool {
	c.pause()
	return !c.out.addNow(line) || c.guard(c.out.flush)
}

var errUnread = errors.New("the client has not read what the server sent, while it went on to write")

// pause keeps the reading goroutine waiting while the client leaves
// MaxQueuedBytes unread. If it does so for UnreadTimeout the connection ends.
func (c *stream) pause() {
	if !c.out.waitBelow(c.s.opts.Limits.UnreadTimeout) {
		c.out.abort(errUnread)
	}
}

// run serves a request and answers it.
func (c *stream) run(call *pipeCall, buf []byte) []byte {
	r := &call.req
	returned := false
	defer func() {
		if !returned { // the handler ended the goroutine
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
	c.out.lend(c.run(call, c.out.borrow()))
	c.out.flush()
	if time.Since(began) < tick {
		call.markQuick()
	}
}

// answer sends the response to a request, unless the client wants none any
// more.
func (c *stream) answer(call *pipeCall, response []byte) (buf []byte) {
	cancelled := call.req.cancelled()
	if call.batch != nil {
		if cancelled {
			response = nil
		}
		call.batch.add(c, &call.req, response)
		return nil
	}
	if cancelled {
		return response
	}
	buf, full := c.out.give(response)
	if call.farewell != nil {
		full = c.out.add(call.farewell)
	}
	if full {
		c.out.flush()
	}
	return buf
}

// admitted is the admission that t has its place in.
func (c *stream) admitted(t *ticket) *admission {
	if t.r == nil || t.r.method == "ping" {
		return &c.control
	}
	return &c.calls
}

// release takes back the place of t, which has been served, and starts what
// waits for it.
func (c *stream) release(t *ticket) {
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

// next starts what waits in a, as far as there is room.
func (c *stream) next(a *admission) {
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

// notified takes a notification, which is never answered. It reports whether
// the goroutine is still the one that reads: middleware may take its time. Of
// more notifications than middleware may be busy with the later ones wait, and
// what is over the bound is dropped.
func (c *stream) notified(m *jsonrpc.Message, inBatch bool) bool {
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
func (c *stream) notification(m *jsonrpc.Message) {
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

// cancelByPeer ends r: nothing more is sent for it.
func (r *Request) cancelByPeer() {
	r.mu.Lock()
	r.silent = true
	r.mu.Unlock()
	r.ctx.cancel(context.Canceled)
}

// cancelRequest ends the request with that id, if there is one, without an
// answer.
func (c *stream) cancelRequest(id jsonrpc.ID, reason string) {
	c.mu.Lock()
	waited := c.calls.cancel(id, c.log, reason)
	c.mu.Unlock()
	for _, t := range waited {
		c.s.workers.run(t.start)
	}
}

// refuse answers what is no message, unless that is never answered. It reports
// whether the goroutine is still the one that reads.
func (c *stream) refuse(err error) bool {
	e := parseError(err)
	if c.unanswered(e) {
		return true
	}
	return c.reply(appendError(nil, e.ID, c.revision(), &Error{Code: e.Code, Message: e.Message}))
}

// unanswered reports whether the message that could not be read is a
// notification or a response, which get no answer. The question that a
// malformed response is for fails.
func (c *stream) unanswered(e *jsonrpc.ParseError) bool {
	if !e.Response {
		return len(e.ID) == 0 && isNotification(e.Method)
	}
	c.log.Debug("malformed response of the client", "error", e.Message)
	if s := c.session.Load(); s != nil {
		s.answerMalformed(e)
	}
	return true
}

func (c *stream) revision() revision.Revision {
	if s := c.session.Load(); s != nil {
		return s.rev
	}
	return revision.None
}

// push sends a notification. It never blocks; what it sends is lost if the
// client does not read.
func (c *stream) push(line []byte) {
	if _, flush := c.out.offer(line); flush {
		c.s.workers.run(c.out.flush)
	}
}
