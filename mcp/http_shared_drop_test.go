package mcp

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// oneSession is a SessionStore with a session that no other process uses.
type oneSession struct{ SessionStore }

func (oneSession) Create(context.Context, *SessionRecord, time.Duration) error { return nil }
func (oneSession) Subscribe(func([]byte)) (stop func())                        { return func() {} }

// TestSharedSessions_DropReleasesTheUnread checks that data of a dropped session is no longer
// counted as unread.
func TestSharedSessions_DropReleasesTheUnreadBudget(t *testing.T) {
	server := NewServer(Implementation{Name: "test", Version: "1"}, nil)
	h := server.HTTPHandler(&HTTPOptions{Sessions: oneSession{}, MaxReplayBytes: 1000})
	s := &httpSession{h: h, used: time.Now().Add(-24 * time.Hour), calls: admission{opts: &server.opts}}
	s.stored.owner, s.stored.isStored = s, true
	if err := h.add(t.Context(), s, []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	used := func() (n int) {
		for i := range server.unread.parts {
			n += server.unread.parts[i].used
		}
		return n
	}
	s.eventsMu.Lock()
	stream := &eventStream{id: 1, done: true, events: [][]byte{bytes.Repeat([]byte("x"), 5000)}}
	s.streams, s.bytes = []*eventStream{stream}, 5000
	s.countKept()
	s.eventsMu.Unlock()
	if used() != 5000 {
		t.Fatalf("before, %d bytes are counted", used())
	}
	s.drop()
	if used() != 0 || s.bytes != 0 || len(h.open) != 0 {
		t.Errorf("after drop, %d bytes are counted, the session has %d, and %d sessions are open", used(), s.bytes, len(h.open))
	}
}
