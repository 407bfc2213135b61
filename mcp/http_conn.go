package mcp

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Streams that mostly wait are taken from net/http, which holds three buffers
// and a grown stack for each: several times what a session takes. That works
// with HTTP/1.1, if whoever wrapped the ResponseWriter lets it.

// takeOver takes the connection from net/http. If it can, ServeHTTP may return
// and the exchange goes on: until leave is called, which has to follow. Nothing
// has been written before.
func (x *exchange) takeOver() bool {
	if !x.req.ProtoAtLeast(1, 1) {
		return false
	}
	head := x.w.Header()
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return false
	}
	x.conn = conn
	x.w, x.req = &bareResponse{Conn: conn, head: head}, nil
	x.h.enter(1)
	x.h.mu.Lock()
	defer x.h.mu.Unlock()
	x.h.taken[x] = struct{}{}
	return true
}

// watch returns when the connection has ended.
func (x *exchange) watch() {
	var b [1]byte
	for {
		if _, err := x.conn.Read(b[:]); err != nil {
			return
		}
	}
}

// leave ends an exchange whose connection has been taken over.
func (x *exchange) leave() {
	x.close()
	x.h.mu.Lock()
	delete(x.h.taken, x)
	x.h.mu.Unlock()
	x.h.leave()
}

// A handler that runs on the goroutine of ServeHTTP keeps net/http from ending
// the response. Where it has to end all the same, that is done by hand.

// canHangUp reports whether hangUp will work: as far as w tells.
func canHangUp(w http.ResponseWriter, req *http.Request) bool {
	if _, ok := w.(interface { // as net/http's own
		http.Hijacker
		http.Flusher
	}); ok {
		return req.ProtoMajor == 1
	}
	return req.ProtoMajor == 1 && offers[http.Hijacker](w) &&
		(offers[http.Flusher](w) || offers[interface{ FlushError() error }](w))
}

// offers reports whether w, or what it is wrapped around, is a T.
func offers[T any](w http.ResponseWriter) bool {
	for {
		if _, ok := w.(T); ok {
			return true
		}
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return false
		}
		w = wrapper.Unwrap()
	}
}

// leaveHere notes that the handler has returned.
func (x *exchange) leaveHere() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.here = false
}

// hangUp ends the response of an exchange that has ended, and gives the
// connection back to its server for the next request.
func (x *exchange) hangUp() {
	x.mu.Lock()
	for x.writing {
		x.wait()
	}
	again := x.hung
	x.hung = true
	x.mu.Unlock()
	if again || !canHangUp(x.w, x.req) {
		return
	}
	c := http.NewResponseController(x.w)
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
	err := errEnded
	if x.panic == nil {
		err = c.Flush()
	}
	conn, unread, failed := c.Hijack() // which takes deadlines off
	if failed != nil {
		_ = c.SetWriteDeadline(time.Time{})
		return
	}
	if err == nil && !x.broken && x.chunked() {
		_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout))
		_, err = io.WriteString(conn, "0\r\n\r\n") // the chunk that is the last
		_ = conn.SetWriteDeadline(time.Time{})
		if err == nil && unread.Reader.Buffered() == 0 && x.mayFollow() {
			conn = x.giveBack(conn)
		}
	}
	if conn != nil {
		conn.Close()
	}
}

// chunked reports whether the end of the response is a chunk, and nothing that
// somebody in front would have to write: otherwise it ends with its connection.
func (x *exchange) chunked() bool {
	head := x.w.Header()
	return x.req.ProtoAtLeast(1, 1) && head["Content-Length"] == nil && head["Transfer-Encoding"] == nil && head["Content-Encoding"] == nil
}

// mayFollow reports whether another request may come on the connection. Its
// first byte must be behind a body that has been read to its end, also if
// somebody in front has put another in its place.
func (x *exchange) mayFollow() bool {
	return !x.req.Close && x.w.Header()["Connection"] == nil && header(x.req.Header, "Content-Length") == strconv.Itoa(x.size)
}

// giveBack has the server of x serve conn. It returns conn if that does not
// take it: it is shutting down, or it looks at the listener.
func (x *exchange) giveBack(conn net.Conn) net.Conn {
	server, ok := x.req.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok || server.BaseContext != nil {
		return conn
	}
	back := &oneConn{conn: conn}
	_ = server.Serve(back) // ends when it has it
	return back.conn
}

// oneConn is a listener that accepts one connection.
type oneConn struct {
	conn net.Conn // nil once it is accepted
}

func (l *oneConn) Accept() (net.Conn, error) {
	conn := l.conn
	l.conn = nil
	if conn == nil {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.UnixAddr{} }

// bareResponse is an HTTP/1.1 response on a connection of its own, with which
// it ends.
type bareResponse struct {
	net.Conn
	head  http.Header
	begin []byte // the header, until it is written
}

func (r *bareResponse) Header() http.Header { return r.head }

func (r *bareResponse) WriteHeader(status int) {
	b := bytes.NewBuffer(nil)
	b.WriteString("HTTP/1.1 " + strconv.Itoa(status) + " " + http.StatusText(status) + "\r\n")
	r.head.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	r.head.Set("Connection", "close")
	_ = r.head.Write(b) // into memory
	b.WriteString("\r\n")
	r.head, r.begin = nil, b.Bytes()
}

func (r *bareResponse) Write(b []byte) (int, error) {
	if r.begin == nil {
		return r.Conn.Write(b)
	}
	before := len(r.begin)
	n, err := r.Conn.Write(append(r.begin, b...))
	r.begin = nil
	return max(n-before, 0), err
}

func (r *bareResponse) FlushError() error {
	if r.begin == nil {
		return nil
	}
	_, err := r.Write(nil)
	return err
}
