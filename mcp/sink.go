package mcp

import "context"

// A sink sends messages from the server to one client. The transport of a
// request implements it.
type sink interface {
	// notify sends a notification that belongs to a request in flight, without blocking. It drops
	// the notification if the client does not read.
	notify(line []byte)
	// push is like notify, for goroutines that serve another client.
	push(line []byte)
	// send sends a request to the client. While the client does not read, it blocks until ctx is
	// done. It returns false if ctx is done first or the transport cannot send requests.
	send(ctx context.Context, line []byte) bool
	// beginSession assigns the session that initialize has negotiated to the client. It returns the
	// session that the client then has, or nil if the client already had a session.
	beginSession(*session) *session
	// handOver informs the transport that the handler is about to block.
	handOver()
	// connection identifies the connection that the client has after the request. It is nil if
	// there is none.
	connection() any
	// unread returns the number of bytes waiting on the connection for the client that the budget
	// counts.
	unread() int
	// ending reports whether the server is closing the connection.
	ending() bool
}
