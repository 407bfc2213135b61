package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// A SessionStore allows the processes of one server to share Streamable HTTP sessions (see
// HTTPOptions.Sessions). Any process can then serve any request, so a load balancer may send each
// request from a client to a different process. Package redisstore contains an implementation;
// mcptest.NewSessionStore returns one in memory for tests, and mcptest.TestSessionStore tests an
// implementation.
//
// A request from a client is served by the process that receives it. The messages that belong to
// the request are events of the session. If a client has lost its connection, it can get them from
// any process. Implementations must be safe for concurrent use. Their methods must return when ctx
// is done, and should have a timeout in case ctx has no deadline.
type SessionStore interface {
	// Create stores a new session and sets its Version. The store deletes the session when ttl has
	// passed since the last Create, or the last Load with a ttl. ErrTooManySessions means that the
	// store is full.
	Create(ctx context.Context, s *SessionRecord, ttl time.Duration) error
	// Load returns the session with the given ID, or ErrSessionNotFound. If ttl is not zero, the
	// session is kept for ttl from now on.
	Load(ctx context.Context, id string, ttl time.Duration) (*SessionRecord, error)
	// Update replaces the data of a session and sets a new Version if the stored Version equals
	// s.Version. Otherwise, it returns ErrSessionChanged. If the session does not exist, it returns
	// ErrSessionNotFound.
	Update(ctx context.Context, s *SessionRecord) error
	// Delete deletes the session and its events, if the session exists.
	Delete(ctx context.Context, id string) error

	// Append adds events to a session's events, in order. If the data of the events of stream 0, or
	// of all other streams together, is then larger than maxBytes, the oldest of these events are
	// deleted, but never the last one. Append returns ErrSessionNotFound if the session does not
	// exist.
	Append(ctx context.Context, id string, events []SessionEvent, maxBytes int) error
	// Events returns the events of a session whose Position is greater than after, in order. It
	// returns none if the session does not exist.
	Events(ctx context.Context, id string, after int64) ([]SessionEvent, error)
	// Watch calls f once at the beginning, and at least once after each Append to the session in
	// any process, until stop is called. f must not block.
	Watch(id string, f func()) (stop func())

	Bus
}

// A Bus sends messages between the processes of one server.
type Bus interface {
	// Publish sends a message to all subscribers in all processes, including this one. A subscriber
	// whose connection was lost should receive it after it has reconnected.
	Publish(ctx context.Context, message []byte) error
	// Subscribe calls f for each message until stop is called. All subscribers in all processes
	// receive the messages in the same order. f must not block or modify the message.
	Subscribe(f func(message []byte)) (stop func())
}

// A SessionRecord is a session in the form in which a SessionStore stores it.
type SessionRecord struct {
	// ID is a hash of the ID that the client sends. Therefore, someone who can read the store or
	// its logs cannot use the session.
	ID string
	// Version changes with each change of Data. Stores set it.
	Version int64
	// Data is JSON that only package mcp interprets: the revision, the principal, and the client's
	// declarations and subscriptions. It contains no credentials.
	Data json.RawMessage
}

// A SessionEvent is an event of a session's event streams.
type SessionEvent struct {
	// Position is the position of the event among the events of its session, starting with 1.
	// Append sets it in the store.
	Position int64
	// Stream is the stream that the event belongs to. It is 0 for messages that do not belong to a
	// request.
	Stream int64
	// Number is the number of the event in its stream, starting with 1. The beginning of a stream
	// has the number 0. Several processes add to stream 0, each with its own Source and numbers.
	// Append ignores an event whose Number is not greater than that of every earlier event with the
	// same Stream and Source, so that an Append can be repeated.
	Number int64
	// Source is random for stream 0, and empty for other streams. Events does not need to return
	// it.
	Source string
	// Last is true if the stream ends with this event.
	Last bool
	// Data is a message as JSON. At the beginning of a stream, it is the ID of the request, or nil.
	// At the end of a stream, it is nil if the stream ends without a message.
	Data json.RawMessage
}

// Errors that the methods of a SessionStore return, wrapped or not.
var (
	// ErrSessionNotFound means that the session does not exist.
	ErrSessionNotFound = errors.New("session not found")
	// ErrSessionChanged means that the Version of the session differs from that of the record.
	ErrSessionChanged = errors.New("the session was changed by another request at the same time")
	// ErrTooManySessions means that the store is full.
	ErrTooManySessions = errors.New("too many sessions are open")
)
