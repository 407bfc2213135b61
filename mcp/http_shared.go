package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/retry"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// sharedSession is the part of an httpSession that is shared with other processes. Each process
// creates its own httpSession when it first receives a request in the session. The store contains
// the shared data, which consists of the state and the events. The methods state and restore copy
// the state, and flush appends the events.
type sharedSession struct {
	key    string // SessionRecord.ID
	source string // SessionEvent.Source
	params []byte // params of the initialize request

	changing sync.Mutex // held while the state is loaded and stored
	version  int64      // version of the record that was last loaded or stored; guarded by changing

	beginning chan struct{} // contains a value while a connection for the standalone stream starts

	// The following fields are guarded by the session's eventsMu.
	delivered int64                  // position of the last event in stream 0 that a client received
	alone     int64                  // number of the last event in stream 0
	unstored  []SessionEvent         // events that are not in the store yet
	bytes     [2]int                 // size in bytes of the events in unstored: of stream 0, and of other streams
	failing   bool                   // whether the store failed to append the last events
	flushing  bool                   // whether a goroutine runs flush
	followers map[*follower]struct{} // connections that send streams from the store
	stopped   chan struct{}          // closed when the session ends in this process
	stop      func()                 // closes stopped

	// The following fields are used only by flush.
	burst int       // size of the events of stream 0 that were appended since began
	began time.Time // start of the current burst
}

// sharedState is the content of SessionRecord.Data.
type sharedState struct {
	Revision    string          `json:"revision"`
	Params      json.RawMessage `json:"params"` // params of the initialize request
	Declared    []string        `json:"declared,omitempty"`
	Principal   []byte          `json:"principal,omitempty"` // bytes, because it may be invalid UTF-8
	Name        string          `json:"name"`                // see session.token
	Initialized bool            `json:"initialized,omitempty"`
	Level       int32           `json:"level"`
	Subscribed  []string        `json:"subscribed,omitempty"`
	Delivered   int64           `json:"delivered,omitempty"`
}

// idSpace limits the random first IDs of streams and questions. Each process chooses its own, so
// that processes do not use the same IDs. JSON numbers are exact up to twice this value.
const idSpace = 1 << 52

// randomID returns a number from 1 to idSpace.
func randomID() int64 {
	var b [8]byte
	rand.Read(b[:])
	return int64(binary.BigEndian.Uint64(b[:])%idSpace) + 1
}

// storeTimeout is the maximum time of calls to the store that do not belong to an HTTP request.
const storeTimeout = 10 * time.Second

func newSharedSession(key string, params []byte) *sharedSession {
	sh := &sharedSession{key: key, source: rand.Text(), params: params, followers: map[*follower]struct{}{}, beginning: make(chan struct{}, 1), stopped: make(chan struct{})}
	sh.stop = sync.OnceFunc(func() { close(sh.stopped) })
	return sh
}

// sessionKey returns the SessionRecord.ID of the session with the given id.
func sessionKey(id string) string {
	sum := sha256.Sum256([]byte("mcp session " + id))
	return hex.EncodeToString(sum[:16])
}

// joinShared subscribes to messages from other processes.
func (h *HTTPHandler) joinShared() {
	h.name = rand.Text()
	h.byKey = map[string]*httpSession{}
	h.leaveShared = h.opts.Sessions.Subscribe(h.hear)
}

// share stores s and makes it a session that several processes share.
func (h *HTTPHandler) share(ctx context.Context, s *httpSession, params []byte) error {
	s.shared = newSharedSession(sessionKey(s.id), slices.Clone(params))
	s.prepareShared()
	s.token()
	rec := &SessionRecord{ID: s.shared.key, Data: s.state()}
	if err := h.opts.Sessions.Create(ctx, rec, h.sharedTTL()); err != nil {
		return err
	}
	s.shared.version = rec.Version
	return nil
}

func (h *HTTPHandler) unshare(ctx context.Context, s *httpSession) {
	ctx, cancel := detached(ctx)
	defer cancel()
	if err := h.opts.Sessions.Delete(ctx, s.shared.key); err != nil {
		h.storeFailed("deleting a session", err)
	}
}

// detached returns a context for a call to the store that must continue even if the client
// disconnects.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
}

// prepareShared sets the fields that all shared sessions need.
func (s *httpSession) prepareShared() {
	s.last = randomID()
	s.session.last = randomID()
	s.push = s.pushShared
	s.share = s
}

// sharedTTL is how long the store keeps a session. It is longer than SessionTimeout by the interval
// between two extensions by sweep.
func (h *HTTPHandler) sharedTTL() time.Duration { return h.opts.SessionTimeout + h.sweepInterval() }

// state returns the state of s in the format of SessionRecord.Data.
func (s *httpSession) state() json.RawMessage {
	state := sharedState{
		Revision: s.rev.String(), Params: s.shared.params, Declared: s.declared, Principal: []byte(s.principal), Name: s.token(),
		Initialized: s.initialized.Load(), Level: s.level.Load(),
	}
	s.mu.Lock()
	state.Subscribed = sortedKeys(s.subscribed)
	s.mu.Unlock()
	s.eventsMu.Lock()
	state.Delivered = s.shared.delivered
	s.eventsMu.Unlock()
	data, err := encode(state)
	if err != nil {
		panic(err) // cannot happen, because the fields are strings and numbers
	}
	return data
}

// restore replaces the variable state of a session by the state in the store.
func (s *httpSession) restore(rec *SessionRecord, state *sharedState) {
	s.shared.version = rec.Version
	s.initialized.Store(state.Initialized)
	s.level.Store(state.Level)
	s.mu.Lock()
	s.name = state.Name
	s.subscribed, s.subscribedBytes = map[string]struct{}{}, 0
	for _, uri := range state.Subscribed {
		s.subscribed[uri] = struct{}{}
		s.subscribedBytes += len(uri)
	}
	s.mu.Unlock()
	s.eventsMu.Lock()
	s.shared.delivered = max(s.shared.delivered, state.Delivered)
	s.eventsMu.Unlock()
}

func (s *sharedState) read(rec *SessionRecord) error {
	if err := decode(rec.Data, s); err != nil || !revision.Parse(s.Revision).HasSessions() {
		return errors.New("the stored session was not written by this version of package mcp")
	}
	return nil
}

// loadShared returns the session whose ID an HTTP request contains, or nil if there is none. If
// only other processes know the session, loadShared creates it in this process. If another process
// has ended it, loadShared ends it.
func (h *HTTPHandler) loadShared(req *http.Request) (*httpSession, error) {
	id := header(req.Header, headerSession)
	key := sessionKey(id)
	rec, err := h.opts.Sessions.Load(req.Context(), key, h.sharedTTL())
	if errors.Is(err, ErrSessionNotFound) {
		h.mu.Lock()
		s := h.open[id]
		h.mu.Unlock()
		if s != nil {
			s.end()
		}
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("loading a session: %w", err)
	}
	var state sharedState
	if err := state.read(rec); err != nil {
		return nil, err
	}
	if string(state.Principal) != principalOf(req.Context()) {
		return nil, nil
	}
	s, err := h.adopt(id, rec, &state)
	if err != nil {
		return nil, err
	}
	// While another goroutine changes the session, its state is as recent as the record.
	if s.shared.changing.TryLock() {
		defer s.shared.changing.Unlock()
		if rec.Version > s.shared.version {
			s.restore(rec, &state)
		}
	}
	return s, nil
}

// adopt returns the session of a record. It creates the session unless it is open in this process.
func (h *HTTPHandler) adopt(id string, rec *SessionRecord, state *sharedState) (*httpSession, error) {
	h.mu.Lock()
	s := h.open[id]
	if s != nil {
		s.touch() // so that sweep does not drop it
	}
	h.mu.Unlock()
	if s != nil {
		return s, nil
	}
	from, e := readInitialize(state.Params)
	if e != nil {
		return nil, errors.New("the stored session was not written by this version of package mcp")
	}
	s = &httpSession{h: h, id: id, principal: string(state.Principal), used: time.Now(), calls: admission{opts: &h.s.opts}}
	s.stored.owner, s.stored.isStored = s, true
	s.rev, s.client, s.capabilities, s.declared = revision.Parse(state.Revision), from.client, from.capabilities, state.Declared
	if s.principal != "" {
		s.ctx = WithPrincipal(context.Background(), s.principal)
	}
	s.shared = newSharedSession(rec.ID, state.Params)
	s.prepareShared()
	s.restore(rec, state)
	h.mu.Lock()
	if other := h.open[id]; other != nil { // another request has created the session first
		other.touch()
		h.mu.Unlock()
		return other, nil
	}
	err := h.addLocked(s)
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	h.s.addSession(&s.session)
	return s, nil
}

var errHandlerClosed = errors.New("the server is shutting down")

// change applies f, which changes the state of the session, in this process and in the store. It
// calls f again if another process has changed the session at the same time.
func (s *httpSession) change(ctx context.Context, f func() error) error {
	sh, store := s.shared, s.h.opts.Sessions
	sh.changing.Lock()
	defer sh.changing.Unlock()
	for {
		if err := f(); err != nil {
			return err
		}
		rec := &SessionRecord{ID: sh.key, Version: sh.version, Data: s.state()}
		err := store.Update(ctx, rec)
		if err == nil {
			sh.version = rec.Version
			s.h.announce(ctx, &sharedMessage{Op: opChanged, Session: sh.key})
			return nil
		}
		if errors.Is(err, ErrSessionChanged) {
			err = s.reload(ctx)
		}
		if err != nil {
			s.h.storeFailed("changing a session", err)
			return errorf(CodeInternalError, "The session could not be stored; try again later")
		}
	}
}

// reload restores the state from the store. The caller must hold changing.
func (s *httpSession) reload(ctx context.Context) error {
	rec, err := s.h.opts.Sessions.Load(ctx, s.shared.key, 0)
	if err != nil {
		return err
	}
	var state sharedState
	if err := state.read(rec); err != nil {
		return err
	}
	s.restore(rec, &state)
	return nil
}

// changed applies a change of the session's state. If no other processes share the session, it only
// calls f.
func (s *session) changed(ctx context.Context, f func() error) error {
	if s.share == nil {
		return f()
	}
	return s.share.change(ctx, f)
}

// storeFailed logs an error of the store, at most once per second.
func (h *HTTPHandler) storeFailed(attempt string, err error) {
	now := time.Now().UnixNano()
	last := h.complained.Load()
	if now-last >= int64(time.Second) && h.complained.CompareAndSwap(last, now) {
		h.s.log.Error("the session store failed", "attempt", attempt, "error", err)
	}
}

// storeUnavailable refuses a request whose session could not be loaded or stored.
func (h *HTTPHandler) storeUnavailable(w http.ResponseWriter, id jsonrpc.ID, err error) {
	switch {
	case errors.Is(err, errHandlerClosed):
		shuttingDown(w, id)
	case errors.Is(err, ErrTooManySessions):
		tooManySessions(w, id)
	default:
		h.storeFailed("serving a request", err)
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusServiceUnavailable, id, errorf(CodeInternalError, "The sessions of the server cannot be reached; try again later"))
	}
}

// sharedMessage is a message to the other processes.
type sharedMessage struct {
	From     string     `json:"from"` // HTTPHandler.name
	Op       string     `json:"op"`
	Session  string     `json:"session"` // key of the session
	ID       jsonrpc.ID `json:"id,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Result   jsonValue  `json:"result,omitempty"`
	Error    string     `json:"error,omitempty"`
	Follower string     `json:"follower,omitempty"` // follower.name
	Stream   int64      `json:"stream,omitempty"`
}

// The operations of a sharedMessage.
const (
	opEnded     = "session ended"
	opChanged   = "session changed"   // the state of the session has changed
	opCancelled = "request cancelled" // uses ID and Reason
	opAnswered  = "question answered" // uses ID, and Result or Error
	opFollowed  = "stream followed"   // Follower is the newest connection for the standalone stream
	opAsked     = "stream asked"      // Follower asks which process serves Stream
	opServed    = "stream served"     // the sender serves the stream that Follower asked about
)

// publish sends a message to the other processes.
func (h *HTTPHandler) publish(ctx context.Context, m *sharedMessage) error {
	m.From = h.name
	data, err := encode(m)
	if err != nil {
		return err
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	if err := h.opts.Sessions.Publish(ctx, data); err != nil {
		h.storeFailed("publishing: "+m.Op, err)
		return err
	}
	return nil
}

// announceTimeout is how long announce tries to send a message.
const announceTimeout = time.Minute

// announce sends a message to the other processes. While the store fails, it tries again in the
// background.
func (h *HTTPHandler) announce(ctx context.Context, m *sharedMessage) {
	if h.publish(ctx, m) == nil {
		return
	}
	h.enter(1) // Shutdown waits until the message has been sent
	h.s.workers.run(func() {
		defer h.leave()
		end := time.Now().Add(announceTimeout)
		for attempt := 1; time.Now().Before(end); attempt++ {
			retry.Sleep(context.Background(), retry.Backoff(attempt, 50*time.Millisecond, time.Second))
			if h.publish(context.Background(), m) == nil {
				return
			}
		}
	})
}

// hear handles a message from another process. It does not block.
func (h *HTTPHandler) hear(data []byte) {
	var m sharedMessage
	if decode(data, &m) != nil || m.Session == "" || m.From == h.name && m.Op != opFollowed && m.Op != opAsked {
		return
	}
	h.mu.Lock()
	s := h.byKey[m.Session]
	h.mu.Unlock()
	if s == nil {
		return
	}
	switch m.Op {
	case opEnded:
		h.s.workers.run(s.end)
	case opChanged:
		h.s.workers.run(func() {
			ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
			defer cancel()
			s.shared.changing.Lock()
			defer s.shared.changing.Unlock()
			if err := s.reload(ctx); err != nil && !errors.Is(err, ErrSessionNotFound) {
				h.storeFailed("reloading a session", err)
			}
		})
	case opCancelled:
		s.cancelRequest(m.ID, m.Reason)
	case opAnswered:
		got := clientAnswer{result: m.Result}
		if m.Error != "" {
			got = clientAnswer{err: errors.New(m.Error)}
		}
		s.settleHere(m.ID, got)
	case opFollowed:
		s.followed(m.Follower)
	case opAsked:
		if m.From == h.name {
			s.signal(m.Follower, func(f *follower) chan struct{} { return f.watch.requested })
		} else {
			s.answerFollower(&m)
		}
	case opServed:
		s.signal(m.Follower, func(f *follower) chan struct{} { return f.watch.served })
	}
}

// forward sends the answer to a question that another process has asked.
func (s *httpSession) forward(id jsonrpc.ID, got clientAnswer) error {
	m := &sharedMessage{Op: opAnswered, Session: s.shared.key, ID: id, Result: got.result}
	if got.err != nil {
		m.Error = got.err.Error()
	}
	return s.h.publish(context.Background(), m)
}

// endShared ends the session in all processes.
func (s *httpSession) endShared(ctx context.Context) error {
	deleting, cancel := detached(ctx)
	defer cancel()
	if err := s.h.opts.Sessions.Delete(deleting, s.shared.key); err != nil {
		return fmt.Errorf("deleting a session: %w", err)
	}
	s.h.announce(ctx, &sharedMessage{Op: opEnded, Session: s.shared.key})
	return nil
}

// sweepShared extends the sessions in the store that are in use. It drops sessions that have ended
// or are not used in this process.
func (h *HTTPHandler) sweepShared() {
	h.mu.Lock()
	open := slices.Collect(maps.Values(h.open))
	h.mu.Unlock()
	for _, s := range open {
		s.eventsMu.Lock()
		busy, idle := s.busy(), time.Since(s.used) >= h.opts.SessionTimeout
		s.eventsMu.Unlock()
		if !busy && !idle {
			continue
		}
		ttl := time.Duration(0)
		if busy {
			ttl = h.sharedTTL()
		}
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		_, err := h.opts.Sessions.Load(ctx, s.shared.key, ttl)
		cancel()
		switch {
		case errors.Is(err, ErrSessionNotFound):
			s.end()
		case err != nil:
			h.storeFailed("extending a session", err)
		case idle && !busy && !h.s.runsTasks(&s.session):
			s.drop()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sweepAgain(len(h.open) > 0)
}

// drop removes a session that is not used in this process. Other processes may still use it.
func (s *httpSession) drop() {
	s.h.mu.Lock()
	s.eventsMu.Lock()
	idle := !s.busy() && time.Since(s.used) >= s.h.opts.SessionTimeout
	if idle {
		s.h.removeLocked(s)
		s.streams, s.bytes = nil, 0
		s.countKept()
	}
	s.eventsMu.Unlock()
	s.h.mu.Unlock()
	if idle {
		s.h.s.forgetSession(&s.session)
	}
}
