package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"
)

// pushShared does the work of pushAlone for a shared session. It sends the message through the
// store to the process with a connection for it, if there is one.
func (s *httpSession) pushShared(line []byte) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	if !s.ended {
		s.store(SessionEvent{Stream: standalone, Data: slices.Clone(line)})
	}
}

// store adds an event to those that flush appends to the store. The caller must
// hold eventsMu.
func (s *httpSession) store(event SessionEvent) {
	sh := s.shared
	if event.Stream == standalone {
		sh.alone++
		event.Source, event.Number = sh.source, sh.alone
	}
	sh.unstored = append(sh.unstored, event)
	sh.bytes[kind(&event)] += len(event.Data)
	if sh.failing {
		sh.trim(s.h.opts.MaxReplayBytes)
	}
	s.countKept()
	if !sh.flushing {
		sh.flushing = true
		s.h.enter(1) // Shutdown waits until the event is stored
		s.h.s.workers.run(s.flush)
	}
}

// kind returns the index of an event in sharedSession.bytes.
func kind(event *SessionEvent) int {
	if event.Stream == standalone {
		return 0
	}
	return 1
}

// trim drops the oldest events that are not stored. Afterwards, the events of stream 0 have at most
// limit bytes, and so do the events of all other streams together. It always keeps the last event.
// The caller must hold the session's eventsMu.
func (sh *sharedSession) trim(limit int) {
	if max(sh.bytes[0], sh.bytes[1]) <= limit {
		return
	}
	remaining := sh.unstored[:0]
	for i := range sh.unstored {
		event := &sh.unstored[i]
		bytes := &sh.bytes[kind(event)]
		// Free a sixteenth of the limit, so that not every new event requires a pass over all of
		// them.
		if *bytes > limit-limit/16 && i < len(sh.unstored)-1 {
			*bytes -= len(event.Data)
			continue
		}
		remaining = append(remaining, *event)
	}
	clear(sh.unstored[len(remaining):])
	sh.unstored = remaining
}

// flush appends events to the store until all are stored. While the store fails, flush tries again.
func (s *httpSession) flush() {
	defer s.h.leave()
	sh := s.shared
	wait := firstFlushRetry
	for {
		s.eventsMu.Lock()
		if len(sh.unstored) == 0 || s.ended {
			sh.unstored, sh.bytes, sh.flushing = nil, [2]int{}, false
			s.countKept()
			s.eventsMu.Unlock()
			return
		}
		events, size := sh.takePart(s.h.opts.MaxReplayBytes / 2)
		s.countKept()
		s.eventsMu.Unlock()
		sh.pace(size, s.h.opts.MaxReplayBytes/2)
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		err := s.h.opts.Sessions.Append(ctx, sh.key, events, s.h.opts.MaxReplayBytes)
		cancel()
		if errors.Is(err, ErrSessionNotFound) { // the session has ended
			err = nil
		}
		s.eventsMu.Lock()
		if sh.failing = err != nil; sh.failing {
			for i := range events {
				sh.bytes[kind(&events[i])] += len(events[i].Data)
			}
			sh.unstored = append(events, sh.unstored...)
			sh.trim(s.h.opts.MaxReplayBytes)
			s.countKept()
		}
		s.eventsMu.Unlock()
		if err == nil {
			wait = firstFlushRetry
			continue
		}
		s.h.storeFailed("storing events", err)
		select {
		case <-time.After(wait):
		case <-sh.stopped:
		}
		wait = min(2*wait, time.Second)
	}
}

const firstFlushRetry = 50 * time.Millisecond

// takePart removes the first events that are not stored from the queue and returns them. The events
// of stream 0 have at most limit bytes, but at least one event is returned. The second result is
// the size of the events of stream 0. The caller must hold the session's eventsMu.
func (sh *sharedSession) takePart(limit int) (events []SessionEvent, size int) {
	n := 0
	for ; n < len(sh.unstored); n++ {
		event := &sh.unstored[n]
		if event.Stream == standalone {
			if n > 0 && size+len(event.Data) > limit {
				break
			}
			size += len(event.Data)
		}
		sh.bytes[kind(event)] -= len(event.Data)
	}
	events = sh.unstored[:n:n]
	if sh.unstored = sh.unstored[n:]; len(sh.unstored) == 0 {
		sh.unstored = nil
	}
	return events, size
}

// followerPause is how long a follower has to read events of stream 0 before the store deletes them
// to make room for new ones.
const followerPause = 50 * time.Millisecond

// pace waits before size bytes of stream 0 are appended if otherwise more than limit bytes would be
// appended within followerPause.
func (sh *sharedSession) pace(size, limit int) {
	passed := time.Since(sh.began)
	if passed < followerPause && sh.burst > 0 && sh.burst+size > limit {
		select {
		case <-time.After(followerPause - passed):
		case <-sh.stopped:
		}
		passed = followerPause
	}
	if passed >= followerPause {
		sh.began, sh.burst = time.Now(), 0
	}
	sh.burst += size
}

// findStream is how long a client that resumes a stream waits for its last event to appear in the
// store. The process that sent the event may not have stored it yet.
const findStream = time.Second

// follow makes x send a stream from the store, which is the standalone stream or a stream that
// another process started.
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
	f := &follower{s: s, x: x, stream: stream, name: rand.Text(), after: after, appended: make(chan struct{}, 1), watch: newWatch()}
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

// follower is a connection that sends a stream from the store.
type follower struct {
	s        *httpSession
	x        *exchange
	stream   int64
	name     string          // random name that identifies f in messages to other processes
	heard    bool            // whether the message that begin sends has been received; guarded by eventsMu
	after    int64           // number of the last event that the client received
	position int64           // position of the last event that was read
	repeated map[string]bool // messages that no connection could send; equal messages are sent once
	wrote    bool            // whether events have been sent
	found    []SessionEvent  // the events that find has read
	appended chan struct{}   // receives a value when there may be more events
	watch    watch           // watch on the process that serves the original request
}

func (f *follower) run() {
	if f.stream != standalone && !f.find() || !f.begin() {
		return
	}
	defer f.end()
	if f.write(f.found) {
		return
	}
	f.found = nil
	var ask, late <-chan time.Time
	silence := 0 // number of consecutive queries without a reply
	if f.stream != standalone {
		f.ask()
		ask = time.After(askEvery)
	}
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
		if err == nil {
			f.repeated = nil
		}
		select {
		case <-f.appended:
		case <-retry:
		case <-ask:
			f.ask()
			ask = time.After(askEvery)
		case <-f.watch.requested:
			if late == nil {
				late = time.After(servedTimeout)
			}
		case <-f.watch.served:
			late, silence = nil, 0
			select {
			case <-f.watch.requested: // a reply to the query
			default:
			}
		case <-late:
			late = nil
			if silence++; silence < questions {
				f.ask()
				ask = time.After(askEvery)
			} else if f.orphaned() {
				ask = nil
			}
		case <-f.x.done:
			return
		case <-f.x.req.Context().Done():
			return
		}
	}
}

// find waits until the store contains the last event that the client has received. If that does not
// happen in time, find answers the request and returns false.
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
			if f.endedSilently(events) {
				notKept(f.x.w)
				return false
			}
			f.found = events
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

// begin starts the event stream. If it is the standalone stream, begin also ends the other
// connections that send it. It returns false if the stream cannot be started; if the session has
// ended, begin has also answered the request.
func (f *follower) begin() bool {
	s, x := f.s, f.x
	if f.stream == standalone {
		// Messages to other processes are sent in the order of the connections.
		select {
		case s.shared.beginning <- struct{}{}:
		case <-x.req.Context().Done():
			return false
		}
		defer func() { <-s.shared.beginning }()
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
	if f.stream == standalone {
		s.endFollowersLocked(func(stream int64) bool { return stream == standalone })
	}
	s.shared.followers[f] = struct{}{}
	s.conns++
	s.eventsMu.Unlock()
	if s.rev.HasPolling() {
		// The last part makes the ID unique.
		x.out.add((&eventStream{id: f.stream, primed: randomID()}).priming(f.after, 0))
	}
	x.out.flush()
	x.flushHeader()
	if f.stream == standalone && s.h.publish(x.req.Context(), &sharedMessage{Op: opFollowed, Session: s.shared.key, Follower: f.name}) != nil {
		s.followed(f.name)
	}
	return true
}

// followed handles the message that a connection for the standalone stream sends to all processes,
// including its own. It ends the other connections. All processes receive these messages in the
// same order. A connection whose message has not arrived yet is newer, so only the last connection
// remains.
func (s *httpSession) followed(name string) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	for f := range s.shared.followers {
		switch {
		case f.stream != standalone:
		case f.name == name:
			f.heard = true
		case f.heard:
			f.x.end()
		}
	}
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
	if flush {
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
	delete(s.shared.followers, f)
	s.conns--
	s.used = time.Now()
	ended, delivered := s.ended, f.stream == standalone && f.wrote
	s.eventsMu.Unlock()
	if delivered && !ended {
		// Tell other processes which events the client has received, so that they do not send them
		// again.
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		defer cancel()
		_ = s.change(ctx, func() error { return nil })
	}
}

// endFollowersLocked ends the connections of the streams for which the function returns true. The
// caller must hold eventsMu.
func (s *httpSession) endFollowersLocked(match func(stream int64) bool) {
	for f := range s.shared.followers {
		if match(f.stream) {
			f.x.end()
		}
	}
}
