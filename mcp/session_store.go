package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// A SessionStore lets the processes of one server share Streamable HTTP sessions (see
// HTTPOptions.Sessions), so that any of them can serve any request: a load balancer may send
// each request from a client to a different process. Package redisstore contains an
// implementation; mcptest.NewSessionStore returns one in memory for tests, and
// mcptest.TestSessionStore tests an implementation.
//
// A request from a client is served by the process that receives it. The messages about it are
// events of the session, which a client that has lost its connection can get from any process.
// Implementations must be safe for concurrent use. Their methods must return when ctx is done, and
// should have a timeout in case ctx has no deadline.
type SessionStore interface {
	// Create stores a new session and sets its Version. The session is deleted when ttl has passed
	// since the last Create or Load with a ttl. ErrTooManySessions means that the store is full.
	Create(ctx context.Context, s *SessionRecord, ttl time.Duration) error
	// Load returns the session with the given ID, or ErrSessionNotFound. If ttl is not zero, the
	// session is kept for ttl from now on.
	Load(ctx context.Context, id string, ttl time.Duration) (*SessionRecord, error)
	// Update replaces the data of a session and sets a new Version, if the stored Version is
	// s.Version. If it is not, Update returns ErrSessionChanged, and if there is no such session,
	// ErrSessionNotFound.
	Update(ctx context.Context, s *SessionRecord) error
	// Delete deletes the session, if there is one, and its events.
	Delete(ctx context.Context, id string) error

	// Append adds events to a session's events, in order. If the events of stream 0, or of all
	// other streams, then have more than maxBytes of data, the oldest of them are deleted, but
	// never the last one. It returns ErrSessionNotFound if there is no such session.
	Append(ctx context.Context, id string, events []SessionEvent, maxBytes int) error
	// Events returns the events of a session with a Position greater than after, in
	// order; none if there is no such session.
	Events(ctx context.Context, id string, after int64) ([]SessionEvent, error)
	// Watch calls f at least once after each Append to the session in any process,
	// and once at the beginning, until stop is called. f must not block.
	Watch(id string, f func()) (stop func())

	Bus
}

// A Bus carries messages between the processes of one server.
type Bus interface {
	// Publish sends a message to all subscribers in all processes, this one
	// included. A subscriber whose connection was lost should get it when it has
	// connected again.
	Publish(ctx context.Context, message []byte) error
	// Subscribe calls f for each message until stop is called. All subscribers in all
	// processes get the messages in the same order. f must neither block nor change the
	// message.
	Subscribe(f func(message []byte)) (stop func())
}

// A SessionRecord is the form in which a SessionStore stores a session.
type SessionRecord struct {
	// ID is a hash of the id that the client sends, so that a session cannot be
	// taken over by anyone who can read the store or its logs.
	ID string
	// Version changes with each change of Data. Stores set it.
	Version int64
	// Data is JSON that only package mcp interprets: the revision, the principal, and the client's
	// declarations and subscriptions. It contains no credentials.
	Data json.RawMessage
}

// A SessionEvent is an event of a session's event streams.
type SessionEvent struct {
	// Position orders the events of a session, from 1. Append sets it in the store.
	Position int64
	// Stream is the stream that the event belongs to. It is 0 for messages that
	// belong to no request.
	Stream int64
	// Number is the place of the event in its stream, from 1. The beginning of a stream has 0.
	// Several processes add to stream 0, each with its own Source and numbers. Append ignores an
	// event whose Number is not greater than that of every earlier event with the same Stream and
	// Source, so that an Append can be repeated.
	Number int64
	// Source is random for stream 0, and empty for others. Events need not return it.
	Source string
	// Last is true if the stream ends with this event.
	Last bool
	// Data is a message as JSON. At the beginning of a stream, it is the id of the request, or nil;
	// at the end, it is nil if the stream ends without a message.
	Data json.RawMessage
}

// Errors that the methods of a SessionStore return, wrapped or not.
var (
	// ErrSessionNotFound means that there is no session with the ID, or that it no
	// longer exists.
	ErrSessionNotFound = errors.New("session not found")
	// ErrSessionChanged means that the session's Version differs from that of the record
	// to update.
	ErrSessionChanged = errors.New("the session was changed by another request at the same time")
	// ErrTooManySessions means that the store is full.
	ErrTooManySessions = errors.New("too many sessions are open")
)
