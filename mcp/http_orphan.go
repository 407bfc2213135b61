package mcp

import (
	"context"
	"time"
)

// The process that serves a request adds the response to the request's stream. If that process has
// died, the response is never added. Therefore, a process in which a client resumes another
// process's stream asks all processes whether they serve the stream. If none replies, it adds an
// error response to the stream.

const (
	// askEvery is the interval at which a follower asks for the process that serves its stream.
	askEvery = 5 * time.Second
	// servedTimeout is the time limit for that process to reply. The time starts when the follower
	// has received its own question from the store, so that a slow store does not look like a
	// process that has died.
	servedTimeout = 1500 * time.Millisecond
	// questions is the number of consecutive questions without a reply after which the process is
	// considered dead. The store may lose one reply.
	questions = 2
)

// watch tells a follower whether a process serves its stream.
type watch struct {
	requested chan struct{} // receives a value when the follower receives its own question
	served    chan struct{} // receives a value when a process replies
}

// notify sends a value on a channel unless the channel is full.
func notify(channel chan<- struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

func newWatch() watch { return watch{make(chan struct{}, 1), make(chan struct{}, 1)} }

// ask asks all processes whether they serve the stream of f.
func (f *follower) ask() {
	// publish logs an error. The next question may succeed.
	_ = f.s.h.publish(f.x.req.Context(), &sharedMessage{Op: opAsked, Session: f.s.shared.key, Follower: f.name, Stream: f.stream})
}

// answerFollower handles a question from a follower in another process.
func (s *httpSession) answerFollower(m *sharedMessage) {
	s.eventsMu.Lock()
	serves := s.serves(m.Stream)
	s.eventsMu.Unlock()
	if !serves {
		return
	}
	s.h.enter(1)
	s.h.s.workers.run(func() {
		defer s.h.leave()
		_ = s.h.publish(context.Background(), &sharedMessage{Op: opServed, Session: m.Session, Follower: m.Follower})
	})
}

// serves reports whether this process will add more events to a stream in the store. The caller
// must hold eventsMu.
func (s *httpSession) serves(stream int64) bool {
	for _, candidate := range s.streams {
		if candidate.id == stream && !candidate.done {
			return true
		}
	}
	return s.shared.flushing // the last event may not have been stored yet
}

// signal notifies the follower with the given name that its question or a reply has arrived.
func (s *httpSession) signal(name string, channel func(*follower) chan struct{}) {
	s.eventsMu.Lock()
	defer s.eventsMu.Unlock()
	for f := range s.shared.followers {
		if f.name == name {
			notify(channel(f))
		}
	}
}

// orphaned ends the stream of a process that has died, unless the last event of the stream is in
// the store. It reports whether it succeeded. The follower then reads the event that ends the
// stream.
func (f *follower) orphaned() bool {
	s, store := f.s, f.s.h.opts.Sessions
	ctx, cancel := detached(f.x.req.Context())
	defer cancel()
	events, err := store.Events(ctx, s.shared.key, 0)
	if err != nil {
		s.h.storeFailed("reading events", err)
		return false
	}
	last := SessionEvent{Stream: f.stream, Last: true}
	for _, event := range events {
		switch {
		case event.Stream != f.stream:
			continue
		case event.Last:
			return true
		case event.Number == 0 && len(event.Data) > 0:
			last.Data = appendError(nil, event.Data, s.rev, errorf(CodeInternalError, "The server process that served the request has ended without a response. It may have done part of the work"))
		}
		last.Number = max(last.Number, event.Number)
	}
	last.Number++
	s.h.s.log.Warn("a process of the server has ended without the response to a request")
	if err := store.Append(ctx, s.shared.key, []SessionEvent{last}, s.h.opts.MaxReplayBytes); err != nil {
		s.h.storeFailed("storing events", err)
		return false
	}
	return true
}

// endedSilently reports whether the stream has ended without a response and the client has received
// all of its messages. Otherwise, the client would resume the stream without end.
func (f *follower) endedSilently(events []SessionEvent) bool {
	ended := false
	for _, event := range events {
		if event.Stream == f.stream && event.Number > f.after {
			if event.Data != nil {
				return false
			}
			ended = ended || event.Last
		}
	}
	return ended
}
