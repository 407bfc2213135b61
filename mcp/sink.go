package mcp

import "context"

// A sink sends messages from the server to one client. The transport of a
// request implements it.
type sink interface {
	// notify sends a notification that belongs to a request in flight, without
	// blocking. It is lost if the client does not read.
	notify(line []byte)
	// push is like notify, for goroutines that are serving another client.
	push(line []byte)
	// send sends a request to the client. It blocks while the client does not read, until ctx is
	// done. It returns false if ctx was done first or the transport cannot send requests.
	send(ctx context.Context, line []byte) bool
	// beginSession assigns the session that initialize has negotiated to the
	// client, and returns the session that the client has from then on. It returns
	// nil if the client already has a session.
	beginSession(*session) *session
	// handOver tells the transport that the handler is about to block.
	handOver()
	// connection identifies the connection on which the client can be reached
	// after the request; nil if there is none.
	connection() any
	// unread returns the number of bytes that the connection already holds for the
	// client, as far as the budget counts them.
	unread() int
	// ending reports whether the server is closing the connection.
	ending() bool
}
