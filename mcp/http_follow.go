package mcp

import (
	"context"
	"errors"
	"slices"
	"time"
)

// pushShared is httpSession.pushAlone for a shared session: the message goes to the
// process that has a connection for it, if any, by way of the store.
func (s *httpSession) pushShared(line []byte) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	if !s.ended {
		s.store(SessionEvent{Stream: standalone, Data: slices.Clone(line)})
	}
}

// store adds an event to those that flush appends to the store. Beyond
// MaxReplayBytes it drops the oldest. It requires eventsMu.
func (s *httpSession) store(event SessionEvent) {
	sh := s.shared
	sh.unstored = append(sh.unstored, event)
	sh.bytes += len(event.Data)
	for sh.bytes > s.h.opts.MaxReplayBytes && len(sh.unstored) > 1 {
		sh.bytes -= len(sh.unstored[0].Data)
		sh.unstored[0] = SessionEvent{}
		sh.unstored = sh.unstored[1:]
	}
	if !sh.flushing {
		sh.flushing = true
		s.h.enter(1) // Shutdown waits for the store
		s.h.s.workers.run(s.flush)
	}
}

// flush appends events to the store until it has all of them. While the store fails,
// flush tries again.
func (s *httpSession) flush() {
	defer s.h.leave()
	sh := s.shared
	wait := 50 * time.Millisecond
	for {
		s.eventsMu.Lock()
		events := sh.unstored
		if len(events) == 0 || s.ended {
			sh.unstored, sh.bytes, sh.flushing = nil, 0, false
			s.eventsMu.Unlock()
			return
		}
		sh.unstored, sh.bytes = nil, 0
		s.eventsMu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		err := s.h.opts.Sessions.Append(ctx, sh.key, events, s.h.opts.MaxReplayBytes)
		cancel()
		switch {
		case err == nil, errors.Is(err, ErrSessionNotFound): // it has ended
			wait = 50 * time.Millisecond
			continue
		}
		s.h.storeFailed("storing events", err)
		s.eventsMu.Lock()
		later := sh.unstored
		sh.unstored, sh.bytes = nil, 0
		for _, event := range append(events, later...) {
			s.store(event)
		}
		s.eventsMu.Unlock()
		select {
		case <-time.After(wait):
		case <-sh.stopped:
		}
		wait = min(2*wait, time.Second)
	}
}

// findStream is how long an event may be unknown to the store, since the process that
// sent it has not stored it yet, before a client cannot resume the stream there.
const findStream = time.Second

// follow makes x carry a stream of the store: the one of messages that belong to no
// request, or one that another process began.
func (s *httpSession) follow(x *exchange, last string) {
	s.eventsMu.Lock()
	stream, after := int64(standalone), s.shared.delivered
	s.eventsMu.Unlock()
	if last != "" {
		var ok bool
		if stream, after, ok = parseEventID(last); !ok {
			notKept(x.w)
			return
		}
	}
	f := &follower{s: s, x: x, stream: stream, after: after, appended: make(chan struct{}, 1)}
	if stream == standalone {
		f.position, f.repeated = after, map[string]bool{}
	}
	stop := s.h.opts.Sessions.Watch(s.shared.key, func() {
		select {
		case f.appended <- struct{}{}:
		default:
		}
	})
	defer stop()
	f.run()
}

// follower is a connection that carries a stream of the store.
type follower struct {
	s        *httpSession
	x        *exchange
	stream   int64
	after    int64           // number of the last event that the client has
	position int64           // of the last event that was read
	repeated map[string]bool // messages that no connection carried; equal ones are sent once
	wrote    bool            // whether events have been sent
	appended chan struct{}   // receives a value when there may be more events
}

func (f *follower) run() {
	if f.stream != standalone && !f.find() {
		return
	}
	if !f.begin() {
		return
	}
	defer f.end()
	for {
		events, err := f.s.h.opts.Sessions.Events(f.x.req.Context(), f.s.shared.key, f.position)
		var retry <-chan time.Time
		if err != nil && f.x.req.Context().Err() == nil {
			f.s.h.storeFailed("reading events", err)
			retry = time.After(time.Second)
		}
		if f.write(events) {
			return
		}
		select {
		case <-f.appended:
		case <-retry:
		case <-f.x.done:
			return
		case <-f.x.req.Context().Done():
			return
		}
	}
}

// find waits until the store has the event that the client has last. If it does not, find answers the request
// and returns false.
func (f *follower) find() bool {
	late := time.NewTimer(findStream)
	defer late.Stop()
	for {
		events, err := f.s.h.opts.Sessions.Events(f.x.req.Context(), f.s.shared.key, 0)
		if err != nil {
			f.s.h.storeUnavailable(f.x.w, nil, err)
			return false
		}
		if slices.ContainsFunc(events, func(e SessionEvent) bool { return e.Stream == f.stream && e.Number >= f.after }) {
			return true
		}
		select {
		case <-f.appended:
		case <-late.C:
			notKept(f.x.w)
			return false
		case <-f.x.req.Context().Done():
			return false
		}
	}
}

// begin starts the event stream, and ends other connections that carry the
// standalone stream. If the session has ended, it answers the request and returns
// false.
func (f *follower) begin() bool {
	s, x := f.s, f.x
	if f.stream == standalone {
		s.h.publish(x.req.Context(), &sharedMessage{Op: opFollowed, Session: s.shared.key})
		s.endFollowers(func(stream int64) bool { return stream == standalone })
	}
	s.eventsMu.Lock()
	if s.ended {
		s.eventsMu.Unlock()
		noSession(x.w)
		return false
	}
	if !x.startStream() {
		s.eventsMu.Unlock()
		return false
	}
	s.shared.followers[x] = f.stream
	s.conns++
	s.eventsMu.Unlock()
	if s.rev.HasPolling() {
		// The last part makes the id unique.
		x.out.add((&eventStream{id: f.stream, primed: randomID()}).priming(f.after, 0))
	}
	x.out.flush()
	x.flushHeader()
	return true
}

// write sends events to the client, and reports whether the stream has ended.
func (f *follower) write(events []SessionEvent) (ended bool) {
	line := &eventStream{id: f.stream}
	delivered := int64(0)
	flush := false
	for _, event := range events {
		f.position = event.Position
		if event.Stream != f.stream {
			continue
		}
		number := event.Number
		if f.stream == standalone {
			number = event.Position
			if f.repeated[string(event.Data)] {
				f.after, delivered = number, number
				continue
			}
			if f.repeated != nil {
				f.repeated[string(event.Data)] = true
			}
		}
		if number > f.after && event.Data != nil {
			added, toFlush := f.x.out.offer(appendEvent(line.eventID(number), event.Data))
			if !added { // the client does not read; it can resume the stream
				ended = true
				break
			}
			flush = flush || toFlush
			f.after, delivered, f.wrote = number, number, true
		}
		ended = ended || event.Last
	}
	if f.repeated = nil; flush {
		f.x.out.flush()
	}
	if f.stream == standalone && delivered > 0 {
		f.s.eventsMu.Lock()
		f.s.shared.delivered = max(f.s.shared.delivered, delivered)
		f.s.eventsMu.Unlock()
	}
	if ended {
		f.x.out.drain()
	}
	return ended
}

// end undoes begin.
func (f *follower) end() {
	s := f.s
	f.x.end()
	s.eventsMu.Lock()
	delete(s.shared.followers, f.x)
	s.conns--
	s.used = time.Now()
	ended, delivered := s.ended, f.stream == standalone && f.wrote
	s.eventsMu.Unlock()
	if delivered && !ended {
		// Other processes learn what the client has, so that they do not send it again.
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		defer cancel()
		_ = s.change(ctx, func() error { return nil })
	}
}

// endFollowers ends the connections of streams that match.
func (s *httpSession) endFollowers(match func(stream int64) bool) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	s.endFollowersLocked(match)
}

// endFollowersLocked does what endFollowers does; it requires eventsMu.
func (s *httpSession) endFollowersLocked(match func(stream int64) bool) {
	for x, stream := range s.shared.followers {
		if match(stream) {
			x.end()
		}
	}
}
