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
	// begin makes the session that initialize has agreed on the client's. It
	// reports false if there is one already.
	begin(*session) bool
	// handOver tells the connection that the caller's request is about to wait.
	handOver()
	// awaits tells the connection that n more answers of the client are waited
	// for.
	awaits(n int)
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
	flight   flight        // requests being served
	parked   int           // those of them that only wait for what there is to tell
	held     int           // bytes of params of the others
	taking   int           // notifications that middleware holds
	asking   int           // answers of the client that are waited for
	waiting  []*Request    // accepted, not yet served
	bytes    int           // of params in waiting
	draining bool          // no more input
	ended    chan error    // receives why reading ended
	gone     chan struct{} // closed then
	over     sync.Once     // it has
}

// tick is how long a request may hold the reading goroutine; twice that at
// most passes before another one takes over.
const tick = 100 * time.Microsecond

// Serve speaks MCP with one client over a connection that carries
// newline-delimited messages: a pipe, a Unix socket, one end of net.Pipe.
//
// It returns nil when input ends, after everything accepted until then has
// been answered or ServerOptions.DrainTimeout has passed; ctx's cause when ctx
// ends, after which no further request is accepted and those in flight have
// the same time; and the error of a read or write that fails. If conn is an io.Closer it is closed before Serve
// returns.
func (s *Server) Serve(ctx context.Context, conn io.ReadWriter) error {
	return s.serve(ctx, conn, conn)
}

func (s *Server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &stream{
		s:     s,
		log:   s.log,
		lines: jsonrpc.NewLines(in, s.opts.MaxMessageBytes),
		ended: make(chan error, 1),
		gone:  make(chan struct{}),
	}
	// The requests' contexts end when the connection does, not when ctx does:
	// what was accepted is given time to finish.
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer c.cancel(nil)
	c.changed.L = &c.mu
	c.out = newWriter(out, s.opts.MaxQueuedBytes, func(err error) {
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
	c.s.endListeners(func(out sink) bool { return out == c })
	late := time.AfterFunc(c.s.opts.DrainTimeout, func() {
		c.cancelAll(errDrain)
		c.out.close()
	})
	defer late.Stop()
	// Who ignores that its context has ended is not waited for for ever.
	var abandoned atomic.Bool
	last := time.AfterFunc(c.s.opts.DrainTimeout+time.Second, func() {
		abandoned.Store(true)
		c.mu.Lock()
		c.changed.Broadcast()
		c.mu.Unlock()
	})
	defer last.Stop()
	c.mu.Lock()
	for (c.flight.n > 0 || len(c.waiting) > 0) && !abandoned.Load() {
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
	for r := c.flight.first; r != nil; r = r.next {
		r.ctx.cancel(context.Canceled)
	}
	c.waiting = nil
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
			if !c.refuse(&jsonrpc.ParseError{Code: CodeInvalidRequest, Message: fmt.Sprintf("Invalid request: the message is over the limit of %d bytes", c.s.opts.MaxMessageBytes)}) {
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
	r := &Request{method: m.Method, id: append(jsonrpc.ID(nil), m.ID...), out: c, batch: b, server: c.s, size: len(m.Params)}
	r.ctx.parent, r.ctx.req = c.ctx, r
	if e := c.prepare(r, bytes.Clone(m.Params)); e != nil {
		return buf, c.reject(r, e)
	}
	switch c.admit(r) {
	case refused:
		return buf, c.reject(r, errorf(CodeInternalError, "The server is shutting down"))
	case tooMany:
		return buf, c.reject(r, errorf(CodeInternalError, "Too many requests wait; answer what the server has asked, then send this one again"))
	case waits:
		return buf, true
	}
	if b != nil || r.slow != nil && r.slow.Load() > 0 {
		c.s.workers.run(func() { c.work(r) })
		return buf, true
	}
	guard := c.guard
	if r.method == "initialize" {
		guard = c.hold // what comes next may need the session
	}
	if buf == nil {
		buf = c.out.borrow()
	}
	still := guard(func() {
		buf = c.run(r, buf)
		c.next()
	})
	if !still {
		r.markSlow()
		c.out.flush() // who reads now may have looked before the answer was there
		return nil, false
	}
	return buf, true
}

// prepare is Server.prepare for the reading goroutine, which
// ServerOptions.Visible may end: then the request fails and reading goes on.
func (c *stream) prepare(r *Request, params []byte) *Error {
	if c.s.opts.Visible == nil {
		return c.s.prepare(r, params, c.session.Load())
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		response := c.s.abandoned(r)
		if r.batch != nil {
			r.batch.add(c, r, response)
		} else {
			c.out.add(response)
		}
		c.s.workers.run(func() {
			if r.batch == nil || c.receiveRest(r.batch) {
				c.read()
			}
		})
	}()
	e := c.s.prepare(r, params, c.session.Load())
	returned = true
	return e
}

// admission is what becomes of a request that has come.
type admission uint8

const (
	served  admission = iota // now
	waits                    // until another one has ended
	refused                  // the connection is ending
	tooMany                  // wait already
)

// admit counts r as being served; or, if too many are, lets it wait. If too
// much waits, it blocks, and with it reading; unless what is served waits for
// the client, whose answer has to be read.
func (c *stream) admit(r *Request) admission {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full(r) {
		c.s.workers.run(c.out.flush) // the client may wait for what is answered already
		for c.full(r) {
			if c.asking > 0 {
				return tooMany
			}
			c.changed.Wait()
		}
	}
	switch {
	case c.draining:
		return refused
	case len(c.waiting) == 0 && c.room(r):
		c.start(r)
		return served
	}
	c.waiting = append(c.waiting, r)
	c.bytes += r.size
	return waits
}

// full reports whether so much waits that r may not. The caller holds mu.
func (c *stream) full(r *Request) bool {
	return !c.draining && len(c.waiting) > 0 &&
		(len(c.waiting) >= c.s.opts.MaxWaiting || c.bytes+r.size > c.s.opts.MaxQueuedBytes)
}

// room reports whether r may be served now. The caller holds mu.
func (c *stream) room(r *Request) bool {
	return c.s.opts.room(c.flight.n-c.parked, c.held, r.size)
}

// room reports whether a connection or session of which so many requests are
// served, with so many bytes of params, may have another one of size bytes
// served. One alone may be as large as any message.
func (o *ServerOptions) room(serving, held, size int) bool {
	return serving < o.MaxConcurrent && (held == 0 || held+size <= o.MaxQueuedBytes)
}

// reject answers a request that is not served. It reports whether the
// goroutine is still the one that reads.
func (c *stream) reject(r *Request, e *Error) bool {
	response := appendError(nil, r.id, r.rev, e)
	if r.batch != nil {
		r.batch.add(c, r, response) // is not the last: the batch is being read
		return true
	}
	return c.reply(response)
}

// reply sends a line from the reading goroutine, and reports whether it is
// still the one that reads.
func (c *stream) reply(line []byte) bool {
	return !c.out.add(line) || c.guard(c.out.flush)
}

// start puts r among the requests being served. The caller holds mu.
func (c *stream) start(r *Request) {
	c.held += r.size
	c.flight.add(r)
}

// run serves r and answers it.
func (c *stream) run(r *Request, buf []byte) []byte {
	returned := false
	defer func() {
		if !returned { // the handler ended the goroutine
			c.answer(r, c.s.abandoned(r))
			c.release(r)
			c.next()
			c.out.flush()
		}
	}()
	if !r.cancelled() {
		buf = c.s.handle(r, buf[:0])
	}
	returned = true
	buf = c.answer(r, buf)
	c.release(r)
	return buf
}

// work is run on a goroutine that does not read.
func (c *stream) work(r *Request) {
	began := time.Now()
	c.out.lend(c.run(r, c.out.borrow()))
	c.next() // before flush, which may block
	c.out.flush()
	if r.slow != nil && time.Since(began) < tick {
		if n := r.slow.Load(); n > 0 {
			r.slow.CompareAndSwap(n, n-1)
		}
	}
}

// answer sends the response to r, unless the client wants none any more.
func (c *stream) answer(r *Request, response []byte) (buf []byte) {
	cancelled := r.cancelled()
	if r.batch != nil {
		if cancelled {
			response = nil
		}
		r.batch.add(c, r, response)
		return nil
	}
	if cancelled {
		return response
	}
	buf, full := c.out.give(response)
	if r.farewell != nil {
		full = c.out.add(r.farewell)
	}
	if full {
		c.out.flush()
	}
	return buf
}

// release takes r from the requests being served.
func (c *stream) release(r *Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flight.remove(r)
	if r.parked {
		c.parked--
	} else {
		c.held -= r.size
	}
	if c.draining || len(c.waiting) > 0 {
		c.changed.Broadcast()
	}
}

// park tells that r, which is being served, only waits for what there is to
// tell, so that it keeps no other request from being served. It reports false
// if as many do as may.
func (c *stream) park(r *Request) bool {
	c.mu.Lock()
	if c.parked >= c.s.opts.MaxWaiting {
		c.mu.Unlock()
		return false
	}
	r.parked = true
	c.parked++
	c.held -= r.size
	c.mu.Unlock()
	c.next()
	return true
}

func (c *stream) awaits(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asking += n
	c.changed.Broadcast()
}

// next starts requests that wait, as far as there is room.
func (c *stream) next() {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 || !c.room(c.waiting[0]) {
			c.mu.Unlock()
			return
		}
		r := c.waiting[0]
		c.waiting[0] = nil
		c.waiting = c.waiting[1:]
		c.bytes -= r.size
		c.start(r)
		c.changed.Broadcast()
		c.mu.Unlock()
		c.s.workers.run(func() { c.work(r) })
	}
}

// notified takes a notification, which is never answered. It reports whether
// the goroutine is still the one that reads: middleware may take its time.
func (c *stream) notified(m *jsonrpc.Message, inBatch bool) bool {
	if !c.s.wrapped {
		c.notification(m)
		return true
	}
	kept := &jsonrpc.Message{Method: m.Method, Params: bytes.Clone(m.Params)} // m is read over
	c.mu.Lock()
	for c.taking >= c.s.opts.MaxConcurrent && !c.draining {
		c.changed.Wait()
	}
	c.taking++
	c.mu.Unlock()
	take := func() {
		defer func() {
			c.mu.Lock()
			c.taking--
			c.changed.Broadcast()
			c.mu.Unlock()
		}()
		c.s.receive(c.ctx, kept, c.session.Load(), func() { c.notification(kept) })
	}
	if inBatch {
		c.s.workers.run(take)
		return true
	}
	return c.guard(take)
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
// answer (specification: Cancellation).
func (c *stream) cancelRequest(id jsonrpc.ID, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range c.waiting {
		if !r.id.Equal(id) || r.method == "initialize" {
			continue
		}
		r.cancelByPeer()
		// One of a batch keeps its place, to be counted there when its turn comes.
		if r.batch == nil {
			c.waiting = append(c.waiting[:i:i], c.waiting[i+1:]...)
			c.bytes -= r.size
			c.changed.Broadcast()
		}
		return
	}
	for r := c.flight.first; r != nil; r = r.next {
		if r.id.Equal(id) && r.method != "initialize" {
			c.log.Debug("request cancelled by the client", "method", r.method, "reason", reason)
			r.cancelByPeer()
		}
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

func (c *stream) notify(line []byte) {
	if _, flush := c.out.offer(line); flush {
		c.s.workers.run(c.out.flush)
	}
}

func (c *stream) push(line []byte) { c.notify(line) }

func (c *stream) send(ctx context.Context, line []byte) bool {
	added := c.out.addUntil(ctx, line)
	c.s.workers.run(c.out.flush) // which may block for longer than ctx
	return added
}

func (c *stream) ending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.draining
}

func (c *stream) begin(s *session) bool {
	s.push, s.ctx, s.gone = c.push, c.ctx, c.gone
	if !c.session.CompareAndSwap(nil, s) {
		return false
	}
	c.s.addSession(s)
	return true
}

// markSlow keeps the handler off the reading goroutine for some calls.
func (r *Request) markSlow() {
	if r.slow != nil {
		r.slow.Store(16)
	}
}
