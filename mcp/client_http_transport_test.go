package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// origin is an HTTP/1.1 server. The function answer writes each response; if it returns false, the
// server closes the connection.
type origin struct{ url string }

func newOrigin(t *testing.T, answer func(conn net.Conn, req *http.Request, body string) bool) *origin {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &origin{url: "http://" + l.Addr().String() + "/mcp"}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer conn.Close()
				r := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					body, err := io.ReadAll(req.Body)
					if err != nil || !answer(conn, req, string(body)) {
						return
					}
				}
			})
		}
	})
	return o
}

func ok(conn net.Conn, body string) bool {
	_, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	return err == nil
}

// ownClient returns the HTTP client of an HTTPTransport without HTTPClient.
func ownClient(t *testing.T) *http.Client {
	t.Helper()
	c := &http.Client{Transport: newHTTPClientTransport()}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func post(t *testing.T, c *http.Client, address, body string) (string, error) {
	t.Helper()
	resp, err := c.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// TestHTTPTransport_DoesNotRepeatPosts checks that a request that the server may have read is not
// sent again, unless it is a GET.
func TestHTTPTransport_DoesNotRepeatPosts(t *testing.T) {
	var requests atomic.Int32
	o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
		if requests.Add(1)%2 == 0 {
			return false // close the connection without a response
		}
		return ok(conn, "hello")
	})
	c := ownClient(t)
	if text, err := post(t, c, o.url, "x"); err != nil || text != "hello" {
		t.Fatal(text, err)
	}
	if text, err := post(t, c, o.url, "x"); err == nil {
		t.Errorf("a request without a response was answered: %q", text)
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("%d requests were sent, not 2", n)
	}
	if text, err := post(t, c, o.url, "x"); err != nil || text != "hello" {
		t.Fatal(text, err)
	}
	resp, err := c.Get(o.url)
	if err != nil {
		t.Fatal("a GET was not repeated: ", err)
	}
	resp.Body.Close()
	if n := requests.Load(); n != 5 {
		t.Errorf("%d requests were sent, not 5", n)
	}
}

func TestHTTPTransport_HeadersAreBounded(t *testing.T) {
	o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
		_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
		for err == nil {
			_, err = io.WriteString(conn, "X: "+strings.Repeat("x", 1000)+"\r\n")
		}
		return false
	})
	if _, err := post(t, ownClient(t), o.url, "x"); err == nil || !strings.Contains(err.Error(), "exceeded") {
		t.Errorf("error %v", err)
	}
}

// countedConn is one end of a pipe.
type countedConn struct {
	net.Conn
	open *atomic.Int32
	once sync.Once
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// Common servers close connections that have been idle for 5 s, so the client must close them
// earlier.
func TestIdleConnectionsOfTheClientEndBeforeTheServersDo(t *testing.T) {
	const origin = "http://server.example/mcp"
	for _, size := range []int{1, 100_000} {
		synctest.Test(t, func(t *testing.T) {
			var open atomic.Int32
			conns := make(chan net.Conn)
			web := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				n, _ := io.Copy(io.Discard, req.Body)
				fmt.Fprint(w, n)
			})}
			standard := http.DefaultTransport
			defer func() { http.DefaultTransport = standard }()
			http.DefaultTransport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				conns <- far
				open.Add(1)
				return &countedConn{Conn: near, open: &open}, nil
			}}
			go web.Serve(pipeListener(conns))
			defer web.Close()
			c, body := &http.Client{Transport: newHTTPClientTransport()}, strings.Repeat("x", size)
			for range 3 {
				if text, err := post(t, c, origin, body); err != nil || text != fmt.Sprint(len(body)) {
					t.Fatal(text, err)
				}
				time.Sleep(3900 * time.Millisecond)
				synctest.Wait()
				if n := open.Load(); n != 1 {
					t.Fatalf("%d connections are open 3.9 s after their last use", n)
				}
			}
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
			if n := open.Load(); n != 0 {
				t.Errorf("%d connections are open 4.1 s after their last use", n)
			}
		})
	}
}

// pipeListener returns connections from a channel.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l pipeListener) Close() error   { close(l); return nil }
func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }
