package mcp

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// eventStream is one stream of events of a session. It outlives the
// connections that carry it, so that a client can resume it. The session's em
// guards it.
type eventStream struct {
	id     int64
	last   int64     // number of the last event
	sent   int64     // number of the last event that a connection took
	primed int64     // priming events sent
	events [][]byte  // the last ones, complete
	done   bool      // the response has been sent
	conn   *exchange // that carries it now
}

// standalone is the id of the stream that belongs to no request.
const standalone = 0

func (s *eventStream) eventID(n int64) string {
	return strconv.FormatInt(s.id, 10) + "-" + strconv.FormatInt(n, 10)
}

// after are the events kept that follow event n.
func (s *eventStream) after(n int64) [][]byte {
	first := s.last - int64(len(s.events)) + 1
	return s.events[min(max(n+1-first, 0), int64(len(s.events))):]
}

// parseEventID takes the stream and the event's number from an event id, which
// may be that of a priming event.
func parseEventID(id string) (stream, n int64, ok bool) {
	parts := strings.Split(id, "-")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, 0, false
	}
	stream, err1 := strconv.ParseInt(parts[0], 10, 64)
	n, err2 := strconv.ParseInt(parts[1], 10, 64)
	return stream, n, err1 == nil && err2 == nil && n >= 0
}

// attach has x carry the stream. Where the revision has it, it begins with a
// priming event: it has no data, and its id tells the client to resume after
// event n.
func (s *httpSession) attach(stream *eventStream, x *exchange, n int64) {
	stream.conn, x.stream = x, stream
	if s.rev.HasPolling() {
		x.out.add(stream.priming(n, 0))
	}
}

// priming is an event without data, to resume after event n. Unless retry is
// zero it tells the client to wait so long before it does.
func (s *eventStream) priming(n int64, retry time.Duration) []byte {
	s.primed++ // no two events have one id
	b := append([]byte("id: "), s.eventID(n)...)
	b = strconv.AppendInt(append(b, '-'), s.primed, 10)
	if retry > 0 {
		b = strconv.AppendInt(append(b, "\nretry: "...), retry.Milliseconds(), 10)
	}
	return append(b, "\ndata:\n"...)
}

// attachNew gives x a stream of its own, unless it has one or cannot. The
// caller holds em.
func (s *httpSession) attachNew(x *exchange) {
	if x.stream != nil || !x.startStream() {
		return
	}
	s.last++
	stream := &eventStream{id: s.last}
	s.streams = append(s.streams, stream)
	s.attach(stream, x, 0)
}

// detach takes the connection x off its stream.
func (s *httpSession) detach(x *exchange) {
	s.em.Lock()
	defer s.em.Unlock()
	if x.stream != nil && x.stream.conn == x {
		x.stream.conn = nil
	}
}

// offer puts a message on the stream of x; see exchange.offer.
func (s *httpSession) offer(x *exchange, line []byte) (sent bool, flush *writer) {
	s.em.Lock()
	defer s.em.Unlock()
	s.attachNew(x)
	if x.stream == nil {
		return false, nil
	}
	return true, s.record(x.stream, line)
}

// record appends a message to a stream, and puts it on the connection that
// carries it. It returns what is to be flushed, if anything. The caller holds
// em.
func (s *httpSession) record(stream *eventStream, line []byte) (flush *writer) {
	stream.last++
	event := appendEvent(stream.eventID(stream.last), line)
	stream.events = append(stream.events, event)
	s.bytes += len(event)
	s.evict(stream)
	x := stream.conn
	if x == nil {
		return nil
	}
	added, toFlush := x.out.offer(event)
	if !added {
		// The client does not read. It can come back for what is kept.
		stream.conn = nil
		x.end()
		return nil
	}
	stream.sent = stream.last
	if toFlush {
		return x.out
	}
	return nil
}

// evict drops the oldest events while too much is kept, but for the last one
// of latest, and streams that nobody can come back to. The caller holds em.
func (s *httpSession) evict(latest *eventStream) {
	for _, old := range s.streams {
		for s.bytes > s.h.opts.ReplayBytes && len(old.events) > 0 && (old != latest || len(old.events) > 1) {
			s.bytes -= len(old.events[0])
			old.events[0] = nil
			old.events = old.events[1:]
		}
	}
	kept := s.streams[:0]
	for _, stream := range s.streams {
		if !stream.done || stream.conn != nil || len(stream.events) > 0 {
			kept = append(kept, stream)
		}
	}
	clear(s.streams[len(kept):])
	s.streams = kept
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
// connection for it, it is kept for one; if it is kept already, once is
// enough. It does not block.
func (s *httpSession) pushAlone(line []byte) {
	s.em.Lock()
	defer s.em.Unlock()
	if s.ended {
		return
	}
	stream := s.alone()
	if stream.conn == nil {
		for _, event := range stream.after(stream.sent) {
			if data, ok := bytes.CutSuffix(event, []byte("\n")); ok && bytes.HasSuffix(data, line) {
				return
			}
		}
	}
	if out := s.record(stream, line); out != nil {
		s.h.s.workers.run(out.flush)
	}
}

// closeStream ends the connection that carries the stream of x, whose client
// is to come back.
func (s *httpSession) closeStream(x *exchange, retry time.Duration) bool {
	s.em.Lock()
	s.attachNew(x)
	stream := x.stream
	if stream == nil || stream.conn == nil {
		s.em.Unlock()
		return false
	}
	conn := stream.conn
	stream.conn = nil
	conn.out.offer(stream.priming(stream.last, max(retry, time.Millisecond)))
	s.em.Unlock()
	conn.out.drain()
	conn.end()
	return true
}

// CloseStream ends the connection that carries the request's event stream,
// while the request goes on: the client comes back after retry for what
// follows. It saves connections while a handler is slow. Only requests of
// Streamable HTTP by clients of 2025-11-25 have such a stream; CloseStream
// reports whether there was one.
func (r *Request) CloseStream(retry time.Duration) bool {
	out := r.out
	if t, ok := out.(*taskRun); ok {
		out = t.out
	}
	x, ok := out.(*exchange)
	return ok && x.session != nil && r.rev.HasPolling() && x.session.closeStream(x, retry)
}

// get opens a connection for what belongs to no request, or resumes a stream.
func (h *HTTPHandler) get(w http.ResponseWriter, req *http.Request) {
	if h.postOnly(req) {
		h.notAllowed(w, req)
		return
	}
	x := newExchange(h, w, req)
	if !x.sse {
		writeError(w, http.StatusNotAcceptable, nil, errorf(CodeInvalidRequest, "Accept must list text/event-stream"))
		return
	}
	s, ok := h.findSession(x)
	if !ok {
		return
	}
	last := req.Header.Get("Last-Event-ID")
	stream, _ := s.find(last)
	switch {
	case stream == nil:
		writeError(w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "The stream of that Last-Event-ID is not kept any more"))
		return
	case stream.id == standalone && h.closed.Load():
		shuttingDown(w, nil)
		return
	}
	if x.takeOver() {
		if !s.resume(x, last) {
			x.leave()
			return
		}
		go func() {
			defer x.leave()
			x.watch()
			s.release(x)
		}()
		return
	}
	defer x.closeHere()
	x.done = make(chan struct{})
	if s.resume(x, last) {
		select {
		case <-x.done:
		case <-req.Context().Done():
		}
		s.release(x)
	}
}

// resume has x carry the stream that an event id names, from the event behind
// it on; see find. It reports false if the stream, or the session, is at its
// end.
func (s *httpSession) resume(x *exchange, last string) bool {
	s.em.Lock()
	stream, after := s.locate(last)
	if stream == nil || s.ended || stream.id == standalone && s.h.closed.Load() {
		s.em.Unlock()
		noSession(x.w)
		return false
	}
	if !x.startStream() {
		s.em.Unlock()
		return false
	}
	old := stream.conn
	x.session = s
	s.conns++
	s.attach(stream, x, after)
	for _, event := range stream.after(after) {
		x.out.add(event) // does not block: nobody writes yet
	}
	stream.sent = stream.last
	done := stream.done
	s.em.Unlock()
	if old != nil {
		old.end()
	}
	x.out.flush()
	x.flushHeader()
	if done {
		x.out.drain()
		s.release(x)
	}
	return !done
}

// release ends what resume began.
func (s *httpSession) release(x *exchange) {
	s.detach(x)
	s.em.Lock()
	defer s.em.Unlock()
	s.conns--
	s.used = time.Now()
}

// find finds the stream that an event id names, nil if it is not kept, and the
// event's number. Without an id it is the standalone stream and the last event
// that was sent on it.
func (s *httpSession) find(eventID string) (*eventStream, int64) {
	s.em.Lock()
	defer s.em.Unlock()
	return s.locate(eventID)
}

// locate is find for who holds em.
func (s *httpSession) locate(eventID string) (*eventStream, int64) {
	if eventID == "" {
		stream := s.alone()
		return stream, stream.sent
	}
	id, n, ok := parseEventID(eventID)
	for _, stream := range s.streams {
		if ok && stream.id == id && n <= stream.last {
			return stream, n
		}
	}
	return nil, 0
}
