package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// sessions contains the open sessions of an HTTPHandler.
type sessions struct {
	closed atomic.Bool  // set by Shutdown; afterwards, no request, stream or session starts
	active atomic.Int64 // number of HTTP requests and session requests that are being served

	mu      sync.Mutex // may be locked before a session's eventsMu, but not after it
	open    map[string]*httpSession
	byKey   map[string]*httpSession // sessions that several processes share, by SessionRecord.ID
	sweeper *time.Timer             // runs while there are open sessions
	idle    chan struct{}           // closed when active becomes 0; nil if no goroutine waits
}

// httpSession is a session over HTTP (specification up to 2025-11-25: Streamable HTTP, Session
// Management).
type httpSession struct {
	session
	h         *HTTPHandler
	id        string
	principal string

	eventsMu sync.Mutex // guards the following fields; never held during a blocking call
	used     time.Time  // time of the last request or open connection
	conns    int        // number of open connections for GET requests
	ended    bool
	last     int64 // ID of the last stream
	streams  []*eventStream
	bytes    int       // size in bytes of the stored events
	stored   peerClaim // claim for the stored events beyond MaxReplayBytes

	calls admission // requests that have not been answered

	shared *sharedSession // nil unless several processes share the session

	upgradeTimer *time.Timer // calls tick
	ticking      bool        // whether upgradeTimer is running
	ticks        int         // number of ticks so far
}

// findSession returns the session whose ID an HTTP request contains, or nil if the request needs
// none. If there is no such session, it answers the request and returns false.
func (h *HTTPHandler) findSession(x *exchange) (*httpSession, bool) {
	head := x.req.Header
	if version := header(head, headerVersion); version != "" && revision.Parse(version) == revision.None {
		writeError(x.w, http.StatusBadRequest, nil, errUnsupportedVersion(version))
		return nil, false
	}
	if h.opts.Stateless {
		return nil, true
	}
	if id := header(head, headerSession); id == "" {
		writeError(x.w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "Invalid request: the header Mcp-Session-Id is missing; open a session with initialize, or use 2026-07-28, with its header MCP-Protocol-Version and its _meta"))
		return nil, false
	}
	session, err := h.lookUp(x.req)
	switch {
	case err != nil:
		h.storeUnavailable(x.w, nil, err)
		return nil, false
	case session == nil:
		noSession(x.w)
	}
	return session, session != nil
}

// lookUp returns the session whose ID an HTTP request contains, or nil if it is not open or belongs
// to another principal. It returns an error if the session store fails.
func (h *HTTPHandler) lookUp(req *http.Request) (*httpSession, error) {
	if h.opts.Sessions != nil {
		return h.loadShared(req)
	}
	h.mu.Lock()
	session := h.open[header(req.Header, headerSession)]
	h.mu.Unlock()
	if session == nil || session.principal != principalOf(req.Context()) {
		return nil, nil
	}
	return session, nil
}

func noSession(w http.ResponseWriter) {
	writeError(w, http.StatusNotFound, nil, errorf(CodeInvalidRequest, "Session not found; open a new one with initialize"))
}

func principalOf(ctx context.Context) string {
	principal, _ := ctx.Value(principalKey{}).(string)
	return principal
}

// postLegacy serves a message of revision 2025-11-25 or earlier.
func (h *HTTPHandler) postLegacy(x *exchange, m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request && m.Method == "initialize" {
		h.initialize(x, m)
		return
	}
	session, ok := h.findSession(x)
	switch {
	case !ok:
	case session == nil:
		h.postStateless(x, m)
	case m.Kind != jsonrpc.Request:
		copied := *m
		var err error
		h.s.apart(h.s.wrapped, func() { err = session.take(x.req.Context(), &copied) })
		if err != nil {
			h.storeUnavailable(x.w, nil, err)
			return
		}
		x.w.WriteHeader(http.StatusAccepted)
	default:
		r := h.request(x, m)
		if e := h.s.prepare(r, m.Params, &session.session); e != nil {
			x.answer(http.StatusOK, appendError(nil, r.id, r.rev, e), nil)
			return
		}
		if m.Method == "ping" { // pings do not wait for other requests
			session.touch()
			x.finish(r, h.s.handleApart(r, h.s.wrapped))
			return
		}
		session.serve(x, r)
	}
}

// postStateless serves a message in a session that is created only for this message.
func (h *HTTPHandler) postStateless(x *exchange, m *jsonrpc.Message) {
	if m.Kind != jsonrpc.Request {
		h.ignore(x, m, passing(x.req.Header))
		x.w.WriteHeader(http.StatusAccepted)
		return
	}
	r := h.request(x, m)
	if e := h.s.prepare(r, m.Params, passing(x.req.Header)); e != nil {
		x.answer(http.StatusOK, appendError(nil, r.id, r.rev, e), nil)
		return
	}
	x.finish(r, h.s.handle(r, nil))
}

// ignore passes a notification to middleware, and does nothing else.
func (h *HTTPHandler) ignore(x *exchange, m *jsonrpc.Message, session *session) {
	if m.Kind == jsonrpc.Notification {
		copied := *m
		h.s.apart(h.s.wrapped, func() { h.s.receive(x.req.Context(), &copied, session, func() {}) })
	}
}

// passing returns a session for a single request to a server without sessions. The revision comes
// from a header in head.
func passing(head http.Header) *session {
	s := &session{rev: revision.Parse(header(head, headerVersion)), sessionless: true, push: func([]byte) {}}
	if s.rev == revision.None {
		s.rev = revision.WithoutHeader
	}
	s.level.Store(int32(LevelInfo))
	return s
}

func (h *HTTPHandler) initialize(x *exchange, m *jsonrpc.Message) {
	fresh := &httpSession{h: h, principal: principalOf(x.req.Context()), used: time.Now(), calls: admission{opts: &h.s.opts}}
	fresh.stored.owner, fresh.stored.isStored = fresh, true
	r := h.request(x, m)
	r.out = &opening{exchange: x, session: fresh}
	if e := h.s.prepare(r, m.Params, nil); e != nil {
		x.answer(http.StatusOK, appendError(nil, r.id, r.rev, e), nil)
		return
	}
	response := h.s.handleApart(r, h.s.wrapped)
	if fresh.rev != revision.None && r.failed == 0 && !h.opts.Stateless {
		if err := h.add(x.req.Context(), fresh, r.params.all); err != nil {
			h.storeUnavailable(x.w, r.id, err)
			return
		}
		x.w.Header().Set(headerSession, fresh.id)
	}
	x.finish(r, response)
}

// opening receives the messages that belong to an initialize request. It keeps them until the
// response is sent, because the header of the response contains the session's ID.
type opening struct {
	*exchange
	session *httpSession
}

func (o *opening) notify([]byte) {}
func (o *opening) push([]byte)   {}

func (o *opening) send(context.Context, []byte) bool { return false }

func (o *opening) beginSession(s *session) *session {
	one := &o.session.session
	if one.rev != revision.None {
		return nil
	}
	one.rev, one.client, one.capabilities, one.declared = s.rev, s.client, s.capabilities, s.declared
	one.level.Store(s.level.Load())
	one.push = o.session.pushAlone
	if o.h.opts.Stateless {
		one.sessionless, one.push = true, func([]byte) {}
	}
	if o.session.principal != "" {
		one.ctx = WithPrincipal(context.Background(), o.session.principal)
	}
	return one
}

func tooManySessions(w http.ResponseWriter, id jsonrpc.ID) {
	w.Header().Set("Retry-After", "60")
	writeError(w, http.StatusServiceUnavailable, id, errorf(CodeInternalError, "Too many sessions are open; try again later"))
}

// add opens a session. params is the params of the initialize request. The error is
// ErrTooManySessions, errHandlerClosed, or an error from the store.
func (h *HTTPHandler) add(ctx context.Context, s *httpSession, params []byte) error {
	s.id = rand.Text()
	if h.opts.Sessions != nil {
		if err := h.mayAdd(); err != nil {
			return err
		}
		if err := h.share(ctx, s, params); err != nil {
			return err
		}
	}
	h.mu.Lock()
	err := h.addLocked(s)
	h.mu.Unlock()
	switch {
	case err == nil:
		h.s.addSession(&s.session)
	case s.shared != nil:
		h.unshare(ctx, s)
	}
	return err
}

func (h *HTTPHandler) mayAdd() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.full()
}

// full returns the reason why a session cannot be opened, or nil. The caller must hold mu.
func (h *HTTPHandler) full() error {
	switch {
	case h.closed.Load():
		return errHandlerClosed
	case len(h.open) >= h.opts.MaxSessions:
		return ErrTooManySessions
	}
	return nil
}

// addLocked adds a session to the open ones. The caller must hold mu.
func (h *HTTPHandler) addLocked(s *httpSession) error {
	if err := h.full(); err != nil {
		return err
	}
	h.open[s.id] = s
	if s.shared != nil {
		h.byKey[s.shared.key] = s
	}
	if h.sweeper == nil {
		h.sweeper = time.AfterFunc(h.sweepInterval(), h.sweep)
	}
	return nil
}

// removeLocked removes a session from the open ones. The caller must hold mu.
func (h *HTTPHandler) removeLocked(s *httpSession) {
	if h.open[s.id] != s {
		return
	}
	delete(h.open, s.id)
	if s.shared != nil {
		delete(h.byKey, s.shared.key)
	}
}

func (h *HTTPHandler) sweepInterval() time.Duration {
	return min(h.opts.SessionTimeout, time.Minute)
}

// sweep ends idle sessions.
func (h *HTTPHandler) sweep() {
	if h.opts.Sessions != nil {
		h.sweepShared()
		return
	}
	var idle []*httpSession
	h.mu.Lock()
	for _, s := range h.open {
		s.eventsMu.Lock()
		if !s.busy() && time.Since(s.used) >= h.opts.SessionTimeout {
			s.ended = true
			idle = append(idle, s)
		}
		s.eventsMu.Unlock()
	}
	h.sweepAgain(len(h.open) > len(idle))
	h.mu.Unlock()
	for _, s := range idle {
		s.end()
	}
}

// sweepAgain starts the timer for the next sweep if there are still sessions. The caller must hold
// mu.
func (h *HTTPHandler) sweepAgain(remaining bool) {
	if remaining && !h.closed.Load() {
		h.sweeper.Reset(h.sweepInterval())
	} else {
		h.sweeper = nil
	}
}

// end ends the session, cancels its requests and closes its streams.
func (s *httpSession) end() {
	s.h.mu.Lock()
	s.h.removeLocked(s)
	s.h.mu.Unlock()
	s.h.s.removeSession(&s.session)
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	s.ended = true
	for t := range s.calls.all() {
		t.r.ctx.cancel(context.Canceled)
	}
	for _, stream := range s.streams {
		if stream.conn != nil {
			stream.conn.end()
			stream.conn = nil
		}
	}
	s.countKept()
	if s.shared != nil {
		s.shared.stop()
		s.endFollowersLocked(func(int64) bool { return true })
	}
}

// take handles a notification or a response from the client. It returns an error if the response
// belongs to another process that could not be notified.
func (s *httpSession) take(ctx context.Context, m *jsonrpc.Message) error {
	s.touch()
	if m.Kind == jsonrpc.Response {
		return s.answer(m)
	}
	s.h.s.receive(ctx, m, &s.session, func() { s.notification(ctx, m) })
	return nil
}

// notification handles a notification from the client.
func (s *httpSession) notification(ctx context.Context, m *jsonrpc.Message) {
	switch m.Method {
	case "notifications/initialized":
		if !s.initialized.Load() {
			_ = s.changed(ctx, func() error { // changed logs an error, and the session continues
				s.initialized.Store(true)
				return nil
			})
		}
	case "notifications/cancelled":
		if id, reason := cancelledID(m); id != nil && !s.cancelRequest(id, reason) && s.shared != nil {
			s.h.announce(ctx, &sharedMessage{Op: opCancelled, Session: s.shared.key, ID: id, Reason: reason})
		}
	}
}

// cancelRequest cancels the request with the given ID. It returns false if this process has no such
// request.
func (s *httpSession) cancelRequest(id jsonrpc.ID, reason string) (found bool) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	found, waited := s.calls.cancel(id, s.h.s.log, reason)
	for _, t := range waited {
		s.h.s.workers.run(t.start)
	}
	return found
}

// touch records that the session was used.
func (s *httpSession) touch() {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	s.used = time.Now()
}

// busy reports whether the session has requests or connections. The caller must
// hold eventsMu.
func (s *httpSession) busy() bool { return s.conns > 0 || s.calls.count() > 0 }

// serve serves the requests of an exchange on workers. They continue even if the client disconnects
// or the handler closes the stream.
func (s *httpSession) serve(x *exchange, requests ...*Request) {
	x.serving = nil // if a handler ends its goroutine, run sends the response
	tickets := s.tickets(x, requests)
	s.eventsMu.Lock()
	if s.ended {
		s.eventsMu.Unlock()
		noSession(x.w)
		return
	}
	ok, begin := x.open == 0 || s.calls.mayOpenBatch(), 0
	if ok {
		begin, ok = s.calls.admitAll(tickets)
	}
	if !ok {
		s.eventsMu.Unlock()
		x.w.Header().Set("Retry-After", "1")
		writeError(x.w, http.StatusTooManyRequests, requests[0].id, errorf(CodeInternalError, "Too many requests of the session are being served; wait for an answer"))
		return
	}
	x.session, x.done = s, make(chan struct{})
	s.h.enter(len(requests))
	s.watch(x)
	s.eventsMu.Unlock()
	for _, t := range tickets[:begin] {
		s.h.s.workers.run(t.start)
	}
	s.wait(x)
}

// tickets returns a ticket for each request of x.
func (s *httpSession) tickets(x *exchange, requests []*Request) []*ticket {
	tickets := make([]*ticket, len(requests))
	for i, r := range requests {
		t := &x.ticket
		if i > 0 {
			t = new(ticket)
		}
		t.r, t.size = r, len(r.params.all)
		t.start = func() {
			defer s.h.leave()
			s.run(x, t)
		}
		r.ctx.alone = true
		tickets[i] = t
	}
	return tickets
}

// run serves one request and answers it.
func (s *httpSession) run(x *exchange, t *ticket) {
	r := t.r
	out := bodies.Get().(*bytes.Buffer)
	var response []byte
	returned := false
	defer func() {
		if !returned { // the handler has ended its goroutine
			response = s.h.s.abandoned(r)
		}
		s.h.s.finish(r)
		final := response
		if r.cancelled() {
			final = nil
		}
		if cap(response) > keepBuffer {
			response = nil // an event contains a copy
		}
		s.finish(x, t, final)
		s.h.s.unread.correct(&r.answer, 0)
		keep(out, response)
	}()
	switch {
	case r.cancelled():
	case r.ctx.Err() != nil:
		response = appendError(nil, r.id, r.rev, errorf(CodeInternalError, "The session has ended"))
	default:
		response = s.h.s.handle(r, out.AvailableBuffer())
	}
	returned = true
}

// finish sends the response to a request. response is nil if the client cancelled the request: the
// HTTP response is then an event stream without events, or an error for clients that accept only
// JSON.
func (s *httpSession) finish(x *exchange, t *ticket, response []byte) {
	if response == nil && !x.sse {
		response = appendError(nil, t.r.id, t.r.rev, errorf(CodeInternalError, "The request was cancelled"))
	}
	s.eventsMu.Lock()
	s.calls.release(t)
	if !s.busy() {
		s.used = time.Now()
	}
	for next := s.calls.next(); next != nil; next = s.calls.next() {
		s.h.s.workers.run(next.start)
	}
	if x.open > 0 { // the request is part of a batch
		if response != nil {
			before := len(x.answers)
			x.answers = s.calls.gather(x.answers, t.r, response)
			x.counted += len(x.answers) - before
		}
		x.moveToBatch(t.r)
		if x.open--; x.open > 0 {
			s.eventsMu.Unlock()
			return
		}
		s.calls.batchBytes -= x.counted
		response = x.gathered()
	}
	if x.stream == nil && response == nil {
		x.startStream()
		x.end()
		s.eventsMu.Unlock()
		return
	}
	if x.stream == nil && x.json && x.chooseJSON() {
		s.eventsMu.Unlock()
		if x.answers != nil {
			x.reply(http.StatusOK, response, &x.batch)
		} else {
			x.reply(http.StatusOK, response, &t.r.answer)
		}
		s.h.s.unread.correct(&x.batch, 0)
		x.end()
		return
	}
	defer s.h.s.unread.correct(&x.batch, 0)
	s.attachNew(x)
	stream := x.stream
	if stream == nil { // the client disconnected before there was a stream to resume
		s.eventsMu.Unlock()
		x.end()
		return
	}
	if response == nil && s.shared != nil {
		s.store(SessionEvent{Stream: stream.id, Number: stream.last + 1, Last: true})
	}
	if response != nil {
		s.recordLast(stream, response)
		x.answers = nil
		s.h.s.unread.correct(&t.r.answer, 0)
		s.h.s.unread.correct(&x.batch, 0)
	}
	conn := stream.conn
	stream.done, stream.conn, stream.draining = true, nil, conn != nil
	s.evict(stream)
	s.eventsMu.Unlock()
	if conn != nil {
		conn.out.drain()
		conn.end()
		s.eventsMu.Lock()
		defer s.eventsMu.Unlock()
		stream.draining = false
		s.countKept()
	}
}

// wait blocks the HTTP request until it is answered, its stream is closed, or the client
// disconnects.
func (s *httpSession) wait(x *exchange) {
	select {
	case <-x.done:
	case <-x.req.Context().Done():
		s.detach(x)
	}
}

// The timer of a session ticks four times within StreamAfter, at intervals of at least
// shortestTick.
const shortestTick = 10 * time.Millisecond

func (o *HTTPOptions) tick() time.Duration { return max(o.StreamAfter/4, shortestTick) }

// watch upgrades the response of x to an event stream when x has taken StreamAfter. All requests of
// a session share one timer, because few take that long. The caller must hold eventsMu.
func (s *httpSession) watch(x *exchange) {
	x.began = s.ticks
	if s.ticking || !x.sse {
		return
	}
	s.ticking = true
	if s.upgradeTimer == nil {
		s.upgradeTimer = time.AfterFunc(s.h.opts.tick(), s.tick)
	} else {
		s.upgradeTimer.Reset(s.h.opts.tick())
	}
}

// tick upgrades slow requests. The timer continues to run while there are requests that can become
// slow.
func (s *httpSession) tick() {
	s.eventsMu.Lock()
	s.ticks++
	s.ticking = false
	var slow []*exchange
	for t := range s.calls.all() {
		x := t.r.out.(*exchange)
		switch {
		case !x.sse || x.upgraded:
		case time.Duration(s.ticks-x.began-1)*s.h.opts.tick() >= s.h.opts.StreamAfter:
			x.upgraded = true
			slow = append(slow, x)
		default:
			s.ticking = true
		}
	}
	if s.ticking {
		s.upgradeTimer.Reset(s.h.opts.tick())
	}
	s.eventsMu.Unlock()
	for _, x := range slow {
		s.streamLate(x)
	}
}

// streamLate starts the event stream of a slow request.
func (s *httpSession) streamLate(x *exchange) {
	s.eventsMu.Lock()
	s.attachNew(x)
	s.eventsMu.Unlock()
	if x.startStream() {
		x.out.flush()
		x.flushHeader()
	}
}

// delete answers a DELETE request, with which a client ends its session.
func (h *HTTPHandler) delete(w http.ResponseWriter, req *http.Request) {
	if h.postOnly(req) {
		h.notAllowed(w, req)
		return
	}
	if s, ok := h.findSession(newExchange(h, w, req)); ok {
		if s.shared != nil {
			if err := s.endShared(req.Context()); err != nil {
				h.storeUnavailable(w, nil, err)
				return
			}
		}
		s.end()
		w.WriteHeader(http.StatusNoContent)
	}
}

// enter adds n to the number of requests that Shutdown waits for.
func (h *HTTPHandler) enter(n int) { h.active.Add(int64(n)) }

func (h *HTTPHandler) leave() {
	if h.active.Add(-1) == 0 && h.closed.Load() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.wake()
	}
}

// wake wakes Shutdown if no request is being served. The caller must hold mu.
func (h *HTTPHandler) wake() {
	if h.idle != nil && h.active.Load() == 0 {
		close(h.idle)
		h.idle = nil
	}
}

// Shutdown refuses new requests and ends subscriptions and streams that do not belong to a request.
// It waits until the requests in flight are answered or ctx is done, and then ends all sessions. It
// returns ctx's error if ctx was done first. While it waits, clients can still answer questions,
// cancel requests and resume streams.
func (h *HTTPHandler) Shutdown(ctx context.Context) error {
	h.closed.Store(true)
	h.s.endListeners(func(out sink) bool {
		x, ok := out.(*exchange)
		return ok && x.h == h
	})
	h.mu.Lock()
	open := slices.Collect(maps.Values(h.open))
	if h.sweeper != nil {
		h.sweeper.Stop()
	}
	if h.idle == nil {
		h.idle = make(chan struct{})
	}
	idle := h.idle
	h.wake()
	h.mu.Unlock()
	for _, s := range open {
		s.eventsMu.Lock()
		for _, stream := range s.streams {
			if stream.id == standalone && stream.conn != nil {
				stream.conn.end()
			}
		}
		if s.shared != nil { // clients can resume the stream in another process
			s.endFollowersLocked(func(int64) bool { return true })
		}
		s.eventsMu.Unlock()
	}
	var err error
	select {
	case <-idle:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	for _, s := range open {
		s.end()
	}
	if h.leaveShared != nil {
		h.leaveShared()
	}
	return err
}
