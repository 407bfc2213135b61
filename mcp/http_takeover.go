package mcp

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Streams that mostly wait (GET, subscriptions/listen) are taken from net/http,
// which holds three buffers and a grown stack for each: a stream then takes 6 to
// 8 KiB instead of 27. The connection ends with its stream; no other request is
// read from it. That works with HTTP/1.1, if whoever wrapped the ResponseWriter
// lets it.

// takeOver takes the connection from net/http, before anything is written. If
// it can, ServeHTTP may return and the exchange goes on until leave.
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

// leave ends an exchange whose connection was taken over.
func (x *exchange) leave() {
	x.close()
	x.h.mu.Lock()
	delete(x.h.taken, x)
	x.h.mu.Unlock()
	x.h.leave()
}

// bareResponse is an HTTP/1.1 response on a connection that ends with it.
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
