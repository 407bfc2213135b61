package mcp

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// servedConns contains the open connections of an http.Server. http.Server.Shutdown closes a
// connection unless the handler has been called with its request. Without servedConns, it would
// also close connections on which a client has started to send a request. The client could not know
// whether that request was served.
type servedConns struct {
	mu      sync.Mutex
	changed sync.Cond // signals that a connection has changed its state
	open    map[net.Conn]http.ConnState
	closeBy time.Time // when to close connections on which nothing was received; zero before finish
}

// stateHandled is the state of an active connection whose request has reached the handler.
const stateHandled = http.StateClosed + 1

// servedConnKey is the context key of a request's connection.
type servedConnKey struct{}

// lastRequests is how long connections stay open when a server shuts down, for requests that
// clients have sent but the server has not received.
const lastRequests = 100 * time.Millisecond

func newServedConns() *servedConns {
	s := &servedConns{open: map[net.Conn]http.ConnState{}}
	s.changed.L = &s.mu
	return s
}

// track is the ConnState of the http.Server.
func (s *servedConns) track(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(s.open, c)
		return
	}
	s.open[c] = state
	if served, ok := c.(*servedConn); ok && state == http.StateActive {
		served.begin(nil)
	} else if ok {
		served.wait(s.closeBy)
	}
}

// context is the ConnContext of the http.Server.
func (s *servedConns) context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, servedConnKey{}, c)
}

// handler wraps next so that s is notified when a request reaches it. After finish has started,
// responses ask the client to send no more requests.
func (s *servedConns) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(servedConnKey{}).(net.Conn); ok && s.handle(c) && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// handle records that a request on c has reached the handler, and reports whether finish has
// started.
func (s *servedConns) handle(c net.Conn) (finishing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[c]; ok {
		s.open[c] = stateHandled
	}
	s.changed.Broadcast()
	return !s.closeBy.IsZero()
}

// finish gives the open connections a short time to start a request. It returns when every started
// request has reached the handler, or when ctx is done.
func (s *servedConns) finish(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeBy = time.Now().Add(lastRequests)
	for c, state := range s.open {
		if served, ok := c.(*servedConn); ok {
			served.closeWaiting(s.closeBy)
		} else if state == http.StateNew {
			_ = c.SetReadDeadline(s.closeBy) // with TLS, net/http sets another deadline after the handshake
		}
	}
	wake := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	}
	defer context.AfterFunc(ctx, wake)()
	timer := time.AfterFunc(lastRequests, wake)
	defer timer.Stop()
	for ctx.Err() == nil && (len(s.open) > 0 && time.Now().Before(s.closeBy) || s.anyArriving()) {
		s.changed.Wait()
	}
}

// anyArriving reports whether a connection has received at least part of a request that has not
// reached the handler. The caller must hold mu.
func (s *servedConns) anyArriving() bool {
	for c, state := range s.open {
		if state == http.StateActive { // net/http would drop the request if Shutdown were called now
			return true
		}
		if served, ok := c.(*servedConn); ok && state != stateHandled && served.hasBegun() {
			return true
		}
	}
	return false
}

// servedListener wraps the connections that it accepts in servedConn, except TLS connections,
// because net/http needs their type.
type servedListener struct {
	net.Listener
	conns *servedConns
}

func (l servedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if _, ok := c.(*tls.Conn); err != nil || ok {
		return c, err
	}
	return &servedConn{Conn: c}, nil
}

// servedConn is a connection that records whether a request has started. It sets write deadlines
// for peers that do not read.
type servedConn struct {
	net.Conn

	mu       sync.Mutex
	waiting  bool      // whether net/http waits for a request and has read nothing since it began to wait
	http2    bool      // whether the connection uses HTTP/2, which has its own message for the end of a connection
	deadline time.Time // read deadline set by net/http
	closeBy  time.Time // earlier read deadline while waiting; zero if there is none
}

// wait is called when net/http waits for a request. closeBy has the same meaning as for
// closeWaiting.
func (c *servedConn) wait(closeBy time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting, c.closeBy = true, closeBy
	_ = c.setDeadline()
}

// closeWaiting closes the connection at closeBy unless data arrives before then.
func (c *servedConn) closeWaiting(closeBy time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeBy = closeBy
	_ = c.setDeadline()
}

// hasBegun reports whether net/http has read part of a request since it started to wait for one.
func (c *servedConn) hasBegun() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.waiting && !c.http2
}

// setDeadline sets the read deadline. The caller must hold mu.
func (c *servedConn) setDeadline() error {
	d := c.deadline
	if c.waiting && !c.closeBy.IsZero() && (d.IsZero() || c.closeBy.Before(d)) {
		d = c.closeBy
	}
	return c.Conn.SetReadDeadline(d)
}

// SetReadDeadline is called by net/http.
func (c *servedConn) SetReadDeadline(d time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = d
	return c.setDeadline()
}

func (c *servedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.begin(b[:n])
	}
	return n, err
}

// begin records that data was read from the connection or from the buffer of net/http.
func (c *servedConn) begin(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.waiting {
		return
	}
	c.waiting = false
	c.http2 = c.http2 || bytes.HasPrefix(data, []byte("PRI "))
	if !c.closeBy.IsZero() {
		_ = c.setDeadline()
	}
}

// Write sets a new deadline before each part of b.
func (c *servedConn) Write(b []byte) (n int, err error) {
	for {
		_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
		wrote, err := c.Conn.Write(b[n:min(n+writeAtOnce, len(b))])
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}
