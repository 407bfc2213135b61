package mcptest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// A SessionStore is an mcp.SessionStore in memory. To test a server that consists of several
// processes, pass the same SessionStore to several HTTPHandlers. NewSessionStore creates one.
type SessionStore struct {
	mu         sync.Mutex
	sessions   map[string]*storedSession
	watchers   map[*func()]string         // functions to call when a watched session changes, with the session's ID
	heard      map[*func([]byte)]struct{} // functions that were passed to Subscribe
	messages   [][]byte                   // messages that have not yet been delivered
	delivering bool                       // whether a call of Publish is delivering messages
}

type storedSession struct {
	rec    mcp.SessionRecord
	ends   time.Time
	events []mcp.SessionEvent
	last   int64        // position of the last event
	bytes  map[bool]int // size in bytes of the events' data; the key is whether they belong to stream 0
	number map[eventSource]int64
}

// eventSource identifies a sequence of event numbers. It is a stream or, for stream 0, one of its
// sources.
type eventSource struct {
	stream int64
	source string
}

var _ mcp.SessionStore = (*SessionStore)(nil)

// NewSessionStore returns an empty store.
func NewSessionStore() *SessionStore {
	return &SessionStore{sessions: map[string]*storedSession{}, watchers: map[*func()]string{}, heard: map[*func([]byte)]struct{}{}}
}

// find returns a session that has not expired. The caller must hold mu.
func (m *SessionStore) find(id string) (*storedSession, error) {
	s := m.sessions[id]
	if s == nil || !time.Now().Before(s.ends) {
		delete(m.sessions, id)
		return nil, mcp.ErrSessionNotFound
	}
	return s, nil
}

// Create implements mcp.SessionStore.
func (m *SessionStore) Create(_ context.Context, s *mcp.SessionRecord, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.Version = 1
	rec := *s
	rec.Data = slices.Clone(s.Data)
	m.sessions[s.ID] = &storedSession{rec: rec, ends: time.Now().Add(ttl), bytes: map[bool]int{}, number: map[eventSource]int64{}}
	return nil
}

// Load implements mcp.SessionStore.
func (m *SessionStore) Load(_ context.Context, id string, ttl time.Duration) (*mcp.SessionRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find(id)
	if err != nil {
		return nil, err
	}
	if ttl > 0 {
		s.ends = time.Now().Add(ttl)
	}
	rec := s.rec
	return &rec, nil
}

// Update implements mcp.SessionStore.
func (m *SessionStore) Update(_ context.Context, s *mcp.SessionRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, err := m.find(s.ID)
	if err != nil {
		return err
	}
	if old.rec.Version != s.Version {
		return mcp.ErrSessionChanged
	}
	s.Version++
	old.rec = *s
	old.rec.Data = slices.Clone(s.Data)
	return nil
}

// Delete implements mcp.SessionStore.
func (m *SessionStore) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, id)
	return nil
}

// Append implements mcp.SessionStore.
func (m *SessionStore) Append(_ context.Context, id string, events []mcp.SessionEvent, maxBytes int) error {
	m.mu.Lock()
	s, err := m.find(id)
	if err != nil {
		m.mu.Unlock()
		return err
	}
	for _, event := range events {
		from := eventSource{event.Stream, event.Source}
		if last, begun := s.number[from]; begun && event.Number <= last {
			continue
		}
		s.number[from] = event.Number
		s.last++
		event.Position = s.last
		event.Data = slices.Clone(event.Data)
		s.events = append(s.events, event)
		s.bytes[event.Stream == 0] += len(event.Data)
	}
	s.trim(maxBytes)
	var watching []func()
	for f, watched := range m.watchers {
		if watched == id {
			watching = append(watching, *f)
		}
	}
	m.mu.Unlock()
	for _, f := range watching {
		f()
	}
	return nil
}

// trim deletes the oldest events of stream 0 beyond maxBytes, and those of other
// streams.
func (s *storedSession) trim(maxBytes int) {
	last := map[bool]int{}
	for i, event := range s.events {
		last[event.Stream == 0] = i
	}
	i := -1
	s.events = slices.DeleteFunc(s.events, func(event mcp.SessionEvent) bool {
		i++
		alone := event.Stream == 0
		if s.bytes[alone] <= maxBytes || i == last[alone] {
			return false
		}
		s.bytes[alone] -= len(event.Data)
		return true
	})
}

// Events implements mcp.SessionStore.
func (m *SessionStore) Events(_ context.Context, id string, after int64) ([]mcp.SessionEvent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find(id)
	if err != nil {
		return nil, nil
	}
	for i, event := range s.events {
		if event.Position > after {
			return slices.Clone(s.events[i:]), nil
		}
	}
	return nil, nil
}

// Watch implements mcp.SessionStore.
func (m *SessionStore) Watch(id string, f func()) (stop func()) {
	m.mu.Lock()
	m.watchers[&f] = id
	m.mu.Unlock()
	f()
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watchers, &f)
	}
}

// Publish implements mcp.Bus.
func (m *SessionStore) Publish(_ context.Context, message []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, slices.Clone(message))
	if m.delivering {
		return nil // that call also delivers this message, so that all subscribers receive messages in the same order
	}
	m.delivering = true
	for len(m.messages) > 0 {
		next := m.messages[0]
		m.messages = m.messages[1:]
		var subscribers []func([]byte)
		for f := range m.heard {
			subscribers = append(subscribers, *f)
		}
		m.mu.Unlock()
		for _, f := range subscribers {
			f(next)
		}
		m.mu.Lock()
	}
	m.delivering = false
	return nil
}

// Subscribe implements mcp.Bus.
func (m *SessionStore) Subscribe(f func(message []byte)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard[&f] = struct{}{}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.heard, &f)
	}
}
