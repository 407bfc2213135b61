package mcp

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// sessions are the open sessions of an HTTPHandler.
type sessions struct {
	mu      sync.Mutex
	open    map[string]*httpSession
	sweeper *time.Timer // runs while sessions are open
	closed  bool
	active  int           // HTTP requests being served
	idle    chan struct{} // closed when active gets 0; nil if nobody waits
}

// httpSession is one session (specification to 2025-11-25: Streamable HTTP,
// Session Management).
type httpSession struct {
	session
	h         *HTTPHandler
	id        string
	principal string

	em      sync.Mutex
	used    time.Time
	busy    int // exchanges open and requests being served
	ended   bool
	last    int64 // id of the last stream
	streams []*eventStream
	bytes   int // of events kept
	flight  map[*Request]struct{}
}

// standalone is the id of the stream that belongs to no request.
const standalone = 0

// findSession finds the session that an HTTP request names; nil if it names
// none and needs none. If that is not possible it answers the request and
// reports false.
func (h *HTTPHandler) findSession(x *exchange) (*httpSession, bool) {
	head := x.req.Header
	if version := head.Get(headerVersion); version != "" && revision.Parse(version) == revision.None {
		writeError(x.w, http.StatusBadRequest, nil, errUnsupportedVersion(version))
		return nil, false
	}
	if h.opts.Stateless {
		return nil, true
	}
	id := head.Get(headerSession)
	if id == "" {
		writeError(x.w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "Invalid request: the header Mcp-Session-Id is missing; open a session with initialize"))
		return nil, false
	}
	h.mu.Lock()
	session := h.open[id]
	h.mu.Unlock()
	// Another principal's session is as good as none.
	if session == nil || session.principal != principalOf(x.req.Context()) {
		writeError(x.w, http.StatusNotFound, nil, errorf(CodeInvalidRequest, "Session not found; open a new one with initialize"))
		return nil, false
	}
	return session, true
}

func principalOf(ctx context.Context) string {
	principal, _ := ctx.Value(principalKey{}).(string)
	return principal
}

// postLegacy serves a message of a revision up to 2025-11-25.
func (h *HTTPHandler) postLegacy(x *exchange, m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request && m.Method == "initialize" {
		h.initialize(x, m)
		return
	}
	session, ok := h.findSession(x)
	if !ok {
		return
	}
	if session == nil {
		h.postStateless(x, m)
		return
	}
	if m.Kind != jsonrpc.Request {
		session.take(m)
		x.w.WriteHeader(http.StatusAccepted)
		return
	}
	x.session = session
	r := h.request(x, m, x.req.Context())
	if e := h.s.prepare(r, m.Params, &session.session); e != nil {
		writeJSON(x.w, http.StatusOK, appendError(nil, r.id, r.rev, e))
		return
	}
	session.serve(x, []*Request{r})
}

// postStateless serves a message as if it had just opened a session.
func (h *HTTPHandler) postStateless(x *exchange, m *jsonrpc.Message) {
	if m.Kind != jsonrpc.Request {
		x.w.WriteHeader(http.StatusAccepted)
		return
	}
	rev := revision.Parse(x.req.Header.Get(headerVersion))
	if rev == revision.None {
		rev = revision.V20250326 // what a client without the header speaks
	}
	passing := &session{rev: rev, push: func([]byte) {}}
	passing.level.Store(int32(LevelInfo))
	r := h.request(x, m, x.req.Context())
	if e := h.s.prepare(r, m.Params, passing); e != nil {
		writeJSON(x.w, http.StatusOK, appendError(nil, r.id, r.rev, e))
		return
	}
	x.finish(r, h.s.handle(r, nil))
}

// initialize opens a session.
func (h *HTTPHandler) initialize(x *exchange, m *jsonrpc.Message) {
	fresh := &httpSession{h: h, principal: principalOf(x.req.Context()), used: time.Now()}
	opening := &opening{exchange: x, session: fresh}
	r := h.request(x, m, x.req.Context())
	r.out = opening
	if e := h.s.prepare(r, m.Params, nil); e != nil {
		writeJSON(x.w, http.StatusOK, appendError(nil, r.id, r.rev, e))
		return
	}
	response := h.s.handle(r, nil)
	if fresh.rev != revision.None && r.failed == 0 && !h.opts.Stateless {
		if !h.add(fresh) {
			x.w.Header().Set("Retry-After", "60")
			writeError(x.w, http.StatusServiceUnavailable, r.id, errorf(CodeInternalError, "Too many sessions are open; try again later"))
			return
		}
		x.w.Header().Set(headerSession, fresh.id)
	}
	x.finish(r, response)
}

// opening is the sink of an initialize request.
type opening struct {
	*exchange
	session *httpSession
}

func (o *opening) begin(s *session) bool {
	one := &o.session.session
	one.rev, one.client, one.capabilities = s.rev, s.client, s.capabilities
	one.level.Store(s.level.Load())
	one.push = o.session.pushAlone
	return true
}

// add opens a session, unless there are too many.
func (h *HTTPHandler) add(s *httpSession) bool {
	s.id = rand.Text()
	h.mu.Lock()
	if h.closed || len(h.open) >= h.opts.MaxSessions {
		h.mu.Unlock()
		return false
	}
	h.open[s.id] = s
	if h.sweeper == nil {
		h.sweeper = time.AfterFunc(h.sweepInterval(), h.sweep)
	}
	h.mu.Unlock()
	h.s.addSession(&s.session)
	return true
}

func (h *HTTPHandler) sweepInterval() time.Duration {
	return min(h.opts.SessionIdle, time.Minute)
}

// sweep ends sessions that have been idle too long.
func (h *HTTPHandler) sweep() {
	var idle []*httpSession
	h.mu.Lock()
	for _, s := range h.open {
		s.em.Lock()
		if s.busy == 0 && time.Since(s.used) >= h.opts.SessionIdle {
			idle = append(idle, s)
		}
		s.em.Unlock()
	}
	if len(h.open) > len(idle) && !h.closed {
		h.sweeper.Reset(h.sweepInterval())
	} else {
		h.sweeper = nil
	}
	h.mu.Unlock()
	for _, s := range idle {
		s.end()
	}
}

// end ends the session: its requests are cancelled, its streams closed.
func (s *httpSession) end() {
	s.h.mu.Lock()
	delete(s.h.open, s.id)
	s.h.mu.Unlock()
	s.h.s.removeSession(&s.session)
	s.em.Lock()
	s.ended = true
	var conns []*exchange
	for _, stream := range s.streams {
		if stream.conn != nil {
			conns = append(conns, stream.conn)
			stream.conn = nil
		}
	}
	var flight []*Request
	for r := range s.flight {
		flight = append(flight, r)
	}
	s.em.Unlock()
	for _, r := range flight {
		r.ctx.cancel(context.Canceled)
	}
	for _, x := range conns {
		x.end()
	}
}

// take takes a notification or a response.
func (s *httpSession) take(m *jsonrpc.Message) {
	s.touch(0)
	if m.Kind == jsonrpc.Response {
		s.answer(m)
		return
	}
	switch m.Method {
	case "notifications/initialized":
		s.initialized.Store(true)
	case "notifications/cancelled":
		id, reason := cancelledID(m)
		if id == nil {
			return
		}
		s.em.Lock()
		defer s.em.Unlock()
		for r := range s.flight {
			if r.id.Equal(id) {
				s.h.s.log.Debug("request cancelled by the client", "method", r.method, "reason", reason)
				r.cancelByPeer()
			}
		}
	}
}

// touch notes a use of the session, and change in what keeps it busy.
func (s *httpSession) touch(change int) {
	s.em.Lock()
	defer s.em.Unlock()
	s.used = time.Now()
	s.busy += change
}

// serve serves the requests of one exchange. They go on if the client loses
// its connection.
func (s *httpSession) serve(x *exchange, requests []*Request) {
	x.done = make(chan struct{})
	s.em.Lock()
	s.used = time.Now()
	s.busy += 1 + len(requests)
	if s.flight == nil {
		s.flight = map[*Request]struct{}{}
	}
	for _, r := range requests {
		r.ctx.parent = context.WithoutCancel(r.ctx.parent)
		s.flight[r] = struct{}{}
	}
	ended := s.ended
	s.em.Unlock()
	for _, r := range requests {
		if ended {
			r.ctx.cancel(context.Canceled)
		}
		s.h.s.workers.run(func() {
			var response []byte
			defer func() {
				if response == nil { // the handler ended its goroutine
					s.h.s.finish(r)
					response = appendError(nil, r.id, r.rev, asError(errGoexit))
				}
				x.finish(r, response)
			}()
			response = s.h.s.handle(r, nil)
		})
	}
	s.wait(x)
	s.touch(-1)
}

// wait holds the HTTP request until it has been answered, its stream was
// closed, or the client has gone.
func (s *httpSession) wait(x *exchange) {
	var late <-chan time.Time
	if x.sse {
		timer := time.NewTimer(s.h.opts.StreamAfter)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case <-x.done:
			return
		case <-late:
			late = nil
			s.em.Lock()
			s.attachNew(x, 0)
			s.em.Unlock()
			if x.startStream() {
				x.out.flush()
			}
		case <-x.req.Context().Done():
			s.detach(x)
			x.end()
			return
		}
	}
}

// detach takes the connection x off its stream.
func (s *httpSession) detach(x *exchange) {
	s.em.Lock()
	defer s.em.Unlock()
	if x.stream != nil && x.stream.conn == x {
		x.stream.conn = nil
	}
}

// attachNew gives x a stream of its own, unless it has one. The caller holds
// em.
func (s *httpSession) attachNew(x *exchange, retry time.Duration) {
	if x.stream != nil || !x.startStream() {
		return
	}
	s.last++
	x.stream = &eventStream{id: s.last, conn: x}
	s.streams = append(s.streams, x.stream)
	if s.rev.HasPolling() {
		x.out.put(appendPriming(nil, x.stream.eventID(0), retry))
	}
}

// offer puts a message on the stream of x. It reports whether there is
// something to flush on x.
func (s *httpSession) offer(x *exchange, line []byte) bool {
	s.em.Lock()
	defer s.em.Unlock()
	s.attachNew(x, 0)
	if x.stream == nil {
		return false
	}
	s.record(x.stream, line)
	return x.stream.conn == x
}

// record appends a message to a stream, and puts it on the connection that
// carries it. The caller holds em and flushes the connection.
func (s *httpSession) record(stream *eventStream, line []byte) {
	stream.last++
	event := appendEvent(nil, stream.eventID(stream.last), line)
	stream.events = append(stream.events, event)
	s.bytes += len(event)
	for i := 0; s.bytes > s.h.opts.ReplayBytes && i < len(s.streams); {
		old := s.streams[i]
		if len(old.events) == 0 || old == stream && len(old.events) == 1 {
			i++
			continue
		}
		s.bytes -= len(old.events[0])
		old.events[0] = nil
		old.events = old.events[1:]
	}
	s.forget()
	if x := stream.conn; x != nil && !x.out.put(event) {
		// The client does not read. It can come back for what is kept.
		stream.conn = nil
		s.h.s.workers.run(x.end)
	}
}

// forget drops streams that nobody can come back to. The caller holds em.
func (s *httpSession) forget() {
	kept := s.streams[:0]
	for _, stream := range s.streams {
		if stream.done && stream.conn == nil && len(stream.events) == 0 {
			continue
		}
		kept = append(kept, stream)
	}
	clear(s.streams[len(kept):])
	s.streams = kept
}

// finish answers r; nil is no answer.
func (s *httpSession) finish(x *exchange, r *Request, response []byte) {
	s.em.Lock()
	delete(s.flight, r)
	s.used = time.Now()
	s.busy--
	if x.open > 0 { // a batch
		if response != nil {
			x.answers = append(append(x.answers, ','), response...)
		}
		if x.open--; x.open > 0 {
			s.em.Unlock()
			return
		}
		if response = nil; len(x.answers) > 0 {
			x.answers[0] = '['
			response = append(x.answers, ']')
		}
	}
	if x.stream == nil && x.json {
		s.em.Unlock()
		x.mu.Lock()
		if !x.ended && response != nil {
			writeJSON(x.w, http.StatusOK, response)
		} else if !x.ended {
			x.w.WriteHeader(http.StatusAccepted)
		}
		x.mu.Unlock()
		x.end()
		return
	}
	s.attachNew(x, 0)
	stream := x.stream
	if stream == nil {
		s.em.Unlock()
		x.end()
		return
	}
	if response != nil {
		s.record(stream, response)
	}
	stream.done = true
	conn := stream.conn
	stream.conn = nil
	s.em.Unlock()
	if conn != nil {
		conn.out.drain()
		conn.end()
	}
}

// closeStream ends the connection of x, whose client is to come back.
func (s *httpSession) closeStream(x *exchange, retry time.Duration) {
	s.em.Lock()
	s.attachNew(x, retry)
	stream := x.stream
	if stream == nil || stream.conn == nil {
		s.em.Unlock()
		return
	}
	conn := stream.conn
	stream.conn = nil
	conn.out.put(appendPriming(nil, stream.eventID(stream.last), retry))
	s.em.Unlock()
	conn.out.drain()
	conn.end()
}

// alone is the stream that belongs to no request. The caller holds em.
func (s *httpSession) alone() *eventStream {
	for _, stream := range s.streams {
		if stream.id == standalone {
			return stream
		}
	}
	stream := &eventStream{id: standalone}
	s.streams = append([]*eventStream{stream}, s.streams...)
	return stream
}

// pushAlone sends a notification that belongs to no request. Without a
// connection for it, it is kept for one.
func (s *httpSession) pushAlone(line []byte) {
	s.em.Lock()
	stream := s.alone()
	s.record(stream, line)
	conn := stream.conn
	s.em.Unlock()
	if conn != nil {
		s.h.s.workers.run(conn.out.flush)
	}
}

// get opens a connection for what belongs to no request, or resumes a stream.
func (h *HTTPHandler) get(w http.ResponseWriter, req *http.Request) {
	if h.opts.Stateless || revision.Parse(req.Header.Get(headerVersion)).Modern() {
		h.notAllowed(w, req)
		return
	}
	_, sse := accepts(req.Header)
	if !sse {
		writeError(w, http.StatusNotAcceptable, nil, errorf(CodeInvalidRequest, "Accept must list text/event-stream"))
		return
	}
	x := &exchange{h: h, w: w, req: req, sse: true, done: make(chan struct{})}
	s, ok := h.findSession(x)
	if !ok {
		return
	}
	s.em.Lock()
	stream, after := s.alone(), int64(0)
	if last := req.Header.Get("Last-Event-ID"); last != "" {
		stream, after = s.find(last)
	}
	if stream == nil || s.ended {
		s.em.Unlock()
		writeError(w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "The stream of that Last-Event-ID is not kept any more"))
		return
	}
	old := stream.conn
	x.session, x.stream, stream.conn = s, stream, x
	s.busy++
	x.startStream()
	if after == 0 && stream.id != standalone && s.rev.HasPolling() {
		x.out.put(appendPriming(nil, stream.eventID(0), 0))
	}
	for _, event := range stream.after(after) {
		x.out.put(event)
	}
	done := stream.done
	if done {
		stream.conn = nil
	}
	s.em.Unlock()
	if old != nil {
		old.end()
	}
	x.out.flush()
	x.flushHeader()
	if done {
		x.out.drain()
		x.end()
	}
	select {
	case <-x.done:
	case <-req.Context().Done():
		s.detach(x)
		x.end()
	}
	s.touch(-1)
}

// flushHeader sends the header of an event stream that has no event yet.
func (x *exchange) flushHeader() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended {
		http.NewResponseController(x.w).Flush()
	}
}

// find finds the stream that an event id names, and the event's number. The
// caller holds em.
func (s *httpSession) find(eventID string) (*eventStream, int64) {
	id, n, ok := parseEventID(eventID)
	for _, stream := range s.streams {
		if ok && stream.id == id && n <= stream.last {
			return stream, n
		}
	}
	return nil, 0
}

// delete ends a session at its client's wish.
func (h *HTTPHandler) delete(w http.ResponseWriter, req *http.Request) {
	if h.opts.Stateless || revision.Parse(req.Header.Get(headerVersion)).Modern() {
		h.notAllowed(w, req)
		return
	}
	s, ok := h.findSession(&exchange{h: h, w: w, req: req})
	if !ok {
		return
	}
	s.end()
	w.WriteHeader(http.StatusNoContent)
}

// enter counts an HTTP request, unless the handler has been shut down.
func (h *HTTPHandler) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.active++
	return true
}

func (h *HTTPHandler) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.active--; h.active == 0 && h.idle != nil {
		close(h.idle)
		h.idle = nil
	}
}

// Shutdown takes no new requests, ends subscriptions and streams that belong
// to no request, waits until those in flight are answered or ctx ends, and
// ends all sessions. It returns ctx's error if that ended first.
func (h *HTTPHandler) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	var open []*httpSession
	for _, s := range h.open {
		open = append(open, s)
	}
	if h.sweeper != nil {
		h.sweeper.Stop()
	}
	idle := make(chan struct{})
	if h.active == 0 {
		close(idle)
	} else {
		h.idle = idle
	}
	h.mu.Unlock()
	h.s.endListeners(func(out sink) bool {
		x, ok := out.(*exchange)
		return ok && x.h == h
	})
	for _, s := range open {
		s.em.Lock()
		alone := s.alone().conn
		s.em.Unlock()
		if alone != nil {
			alone.end()
		}
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
	return err
}
