package mcp

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// eventStream is a stream of events in a session. It remains when its connection ends, so that a
// client can resume it. The session's eventsMu guards it.
type eventStream struct {
	id       int64
	last     int64     // number of the last event
	sent     int64     // number of the last event written to a connection
	primed   int64     // number of priming events sent
	events   [][]byte  // the last events, encoded without their final empty line
	done     bool      // whether the response has been sent
	draining bool      // whether the last connection is still writing the response
	conn     *exchange // the connection that sends the stream, or nil
}

// standalone is the ID of the stream for messages that do not belong to a request.
const standalone = 0

func (s *eventStream) eventID(n int64) string {
	return strconv.FormatInt(s.id, 10) + "-" + strconv.FormatInt(n, 10)
}

// after returns the stored events that follow event n.
func (s *eventStream) after(n int64) [][]byte {
	first := s.last - int64(len(s.events)) + 1
	return s.events[min(max(n+1-first, 0), int64(len(s.events))):]
}

// parseEventID returns the stream and the event number in an event ID. It also accepts the IDs of
// priming events.
func parseEventID(id string) (stream, n int64, ok bool) {
	parts := strings.Split(id, "-")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, 0, false
	}
	stream, err1 := strconv.ParseInt(parts[0], 10, 64)
	n, err2 := strconv.ParseInt(parts[1], 10, 64)
	return stream, n, err1 == nil && err2 == nil && n >= 0
}

// attach makes x send the stream. In revisions with priming events, x begins with a priming event,
// so that the client can resume the stream after event n.
func (s *httpSession) attach(stream *eventStream, x *exchange, n int64) {
	stream.conn, x.stream = x, stream
	if s.rev.HasPolling() {
		x.out.add(stream.priming(n, 0))
	}
}

// priming returns an event without data, whose ID allows the client to resume the stream after
// event n. If retry is not zero, it tells the client how long to wait before that.
func (s *eventStream) priming(n int64, retry time.Duration) []byte {
	s.primed++ // makes the ID unique
	b := append([]byte("id: "), s.eventID(n)...)
	b = strconv.AppendInt(append(b, '-'), s.primed, 10)
	if retry > 0 {
		b = strconv.AppendInt(append(b, "\nretry: "...), retry.Milliseconds(), 10)
	}
	return append(b, "\ndata:\n"...)
}

// attachNew creates a stream for x, unless x has one or cannot have one. The caller must hold
// eventsMu.
func (s *httpSession) attachNew(x *exchange) {
	if x.stream != nil || !x.startStream() {
		return
	}
	s.last++
	stream := &eventStream{id: s.last}
	if s.shared != nil {
		begin := SessionEvent{Stream: stream.id}
		if x.open == 0 { // x is not a batch
			begin.Data = bytes.Clone(x.first.id)
		}
		s.store(begin)
	}
	s.streams = append(s.streams, stream)
	s.attach(stream, x, 0)
}

// detach removes the connection x from its stream.
func (s *httpSession) detach(x *exchange) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	if x.stream != nil && x.stream.conn == x {
		x.stream.conn = nil
		s.countKept()
	}
}

// offer adds a message to the stream of x. See exchange.offer.
func (s *httpSession) offer(x *exchange, line []byte) (sent bool, flush *writer) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	s.attachNew(x)
	stream := x.stream
	switch {
	case stream == nil:
		return false, nil
	case stream.done: // the response is the last message of a stream
		stream = s.alone()
	}
	return true, s.record(stream, line)
}

// record adds a message to a stream and sends it on the stream's connection. It returns the writer
// to flush, or nil. The caller must hold eventsMu.
func (s *httpSession) record(stream *eventStream, line []byte) (flush *writer) {
	return s.recordEvent(stream, line, false)
}

// recordLast is record for the last message of a stream.
func (s *httpSession) recordLast(stream *eventStream, line []byte) {
	s.recordEvent(stream, line, true)
}

func (s *httpSession) recordEvent(stream *eventStream, line []byte, last bool) (flush *writer) {
	if s.shared != nil && stream.id == standalone {
		s.store(SessionEvent{Stream: standalone, Data: bytes.Clone(line)})
		return nil
	}
	stream.last++
	event := appendEvent(stream.eventID(stream.last), line)
	stream.events = append(stream.events, event)
	s.bytes += len(event)
	s.evict(stream)
	if s.shared != nil {
		data := event[len(event)-1-len(line) : len(event)-1]
		s.store(SessionEvent{Stream: stream.id, Number: stream.last, Last: last, Data: data})
	}
	x := stream.conn
	if x == nil {
		return nil
	}
	added, toFlush := x.out.offer(event)
	if !added {
		// The client does not read, but it can resume the stream.
		stream.conn = nil
		s.countKept()
		x.end()
		return nil
	}
	stream.sent = stream.last
	if toFlush {
		return x.out
	}
	return nil
}

// evict drops the oldest events beyond MaxReplayBytes, except the last event of
// latest. It also drops streams that can no longer be resumed. The caller must
// hold eventsMu.
func (s *httpSession) evict(latest *eventStream) {
	for _, old := range s.streams {
		for s.bytes > s.h.opts.MaxReplayBytes && len(old.events) > 0 && (old != latest || len(old.events) > 1) {
			s.bytes -= len(old.events[0])
			old.events[0] = nil
			old.events = old.events[1:]
		}
	}
	remaining := s.streams[:0]
	for _, stream := range s.streams {
		if !stream.done || stream.conn != nil || len(stream.events) > 0 {
			remaining = append(remaining, stream)
		}
	}
	clear(s.streams[len(remaining):])
	s.streams = remaining
	s.countKept()
}

// countKept counts the events beyond MaxReplayBytes that no connection is writing. They are needed
// only if a client reconnects. The caller must hold eventsMu.
func (s *httpSession) countKept() {
	n := 0
	if s.bytes > s.h.opts.MaxReplayBytes && !s.ended {
		for _, stream := range s.streams {
			if stream.conn == nil && !stream.draining {
				for _, event := range stream.events {
					n += len(event)
				}
			}
		}
	}
	if s.shared != nil && !s.ended {
		if unstored := s.shared.bytes[0] + s.shared.bytes[1]; unstored > s.h.opts.MaxReplayBytes {
			n += unstored
		}
	}
	s.h.s.unread.correctPeer(&s.stored, n)
}

// cutOff drops the events that countKept counts.
func (s *httpSession) cutOff() {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	for _, stream := range s.streams {
		if stream.conn == nil && !stream.draining {
			for _, event := range stream.events {
				s.bytes -= len(event)
			}
			stream.events = nil
		}
	}
	if s.shared != nil {
		s.shared.trim(s.h.opts.MaxReplayBytes / 2)
	}
	s.evict(nil)
}

// alone returns the stream for messages that do not belong to a request. It creates the stream if
// necessary. The caller must hold eventsMu.
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

// pushAlone sends a notification that does not belong to a request, without blocking. If there is
// no connection, it stores the notification for the next one. Equal notifications are stored once.
func (s *httpSession) pushAlone(line []byte) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
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

// closeStream closes the connection that sends the stream of x. The client reconnects to receive
// the remaining events. closeStream returns false if x has no stream.
func (s *httpSession) closeStream(x *exchange, retry time.Duration) bool {
	s.eventsMu.Lock()
	s.attachNew(x)
	stream := x.stream
	if stream == nil || stream.conn == nil {
		s.eventsMu.Unlock()
		return false
	}
	conn := stream.conn
	stream.conn = nil
	conn.out.offer(stream.priming(stream.last, max(retry, time.Millisecond)))
	s.eventsMu.Unlock()
	conn.out.drain()
	conn.end()
	return true
}

// closeStream implements Session.CloseStream.
func (r *Request) closeStream(retry time.Duration) bool {
	out := r.out
	if t, ok := out.(*taskRun); ok {
		out = t.out
	}
	x, ok := out.(*exchange)
	return ok && x.session != nil && r.rev.HasPolling() && x.session.closeStream(x, retry)
}

// get opens a connection for messages that do not belong to a request, or resumes a stream.
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
	isShared := s.shared != nil && (stream == nil || stream.id == standalone)
	switch {
	case (isShared || stream != nil && stream.id == standalone) && h.closed.Load():
		shuttingDown(w, nil)
		return
	case stream == nil && !isShared:
		notKept(w)
		return
	}
	defer x.closeHere()
	x.done = make(chan struct{})
	if isShared {
		s.follow(x, last)
		return
	}
	if s.resume(x, last) {
		select {
		case <-x.done:
		case <-req.Context().Done():
		}
		s.release(x)
	}
}

func notKept(w http.ResponseWriter) {
	writeError(w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "The stream of that Last-Event-ID is no longer kept"))
}

// resume makes x send the stream that contains the event with the ID last, starting with the next
// event; see find. It returns false if the stream or the session has ended.
func (s *httpSession) resume(x *exchange, last string) bool {
	s.eventsMu.Lock()
	stream, after := s.locate(last)
	if stream == nil || s.ended || stream.id == standalone && s.h.closed.Load() {
		s.eventsMu.Unlock()
		noSession(x.w)
		return false
	}
	if !x.startStream() {
		s.eventsMu.Unlock()
		return false
	}
	old := stream.conn
	x.session = s
	s.conns++
	s.attach(stream, x, after)
	for _, event := range stream.after(after) {
		x.out.addShared(event)
	}
	s.countKept()
	stream.sent = stream.last
	done := stream.done
	s.eventsMu.Unlock()
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

// release undoes resume.
func (s *httpSession) release(x *exchange) {
	s.detach(x)
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	s.conns--
	s.used = time.Now()
}

// find returns the stream and the number of the event with the given ID. The stream is nil if it is
// no longer stored. An empty ID means the standalone stream and the last event that was sent on it.
func (s *httpSession) find(eventID string) (*eventStream, int64) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	return s.locate(eventID)
}

// locate does the work of find. The caller must hold eventsMu.
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
