package mcp

import "context"

// A sink takes what the server sends to one client.
type sink interface {
	// notify sends a notification that belongs to a request in flight. It never
	// blocks; what it sends is lost if the client does not read.
	notify(line []byte)
	// push is notify for the goroutine of another client: it never blocks.
	push(line []byte)
	// send sends a request to the client. It blocks while the client does not
	// read, but no longer than ctx. It reports false if ctx ended first or there
	// is no way to send one.
	send(ctx context.Context, line []byte) bool
	// beginSession makes the session that initialize has agreed on the client's. It
	// reports false if there is one already.
	beginSession(*session) bool
	// handOver tells the connection that the caller's request is about to wait.
	handOver()
	// connection identifies the connection on which the client can be reached
	// beyond the request; nil if there is none.
	connection() any
	// ending reports whether the server is ending the connection.
	ending() bool
}
