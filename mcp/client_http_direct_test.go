package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// origin is a server for a directTransport. It answers each request with what
// answer writes, and closes the connection if that reports false.
type origin struct {
	url      string
	accepted atomic.Int32 // number of connections
}

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
			o.accepted.Add(1)
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

// direct returns a client for the origin of address.
func direct(t *testing.T, address string) *http.Client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	transport, ok := newHTTPClientTransport(u).(*directTransport)
	if !ok {
		t.Skip("this system has no directTransport")
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// post sends body and returns that of the response.
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

func TestDirectTransportKeepsItsConnection(t *testing.T) {
	bodies := map[string]string{
		"with a length":          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"in chunks":              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
		"empty":                  "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
		"without content":        "HTTP/1.1 204 No Content\r\n\r\n",
		"behind interim answers": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
	}
	for name, response := range bodies {
		t.Run(name, func(t *testing.T) {
			var seen []string
			o := newOrigin(t, func(conn net.Conn, req *http.Request, body string) bool {
				seen = append(seen, fmt.Sprint(req.Method, " ", req.URL, " ", req.Host == req.Header.Get("X-Host"), " ", req.Header["X-Many"], " ", req.Header.Get("User-Agent"), " ", body))
				_, err := io.WriteString(conn, response)
				return err == nil
			})
			c := direct(t, o.url)
			for i := range 3 {
				req, err := http.NewRequest(http.MethodPost, o.url+"?a=b%20c", strings.NewReader(fmt.Sprint("body ", i)))
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{"X-Host": {req.URL.Host}, "X-Many": {"one", "two"}, "User-Agent": {"me"}}
				resp, err := c.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if want := strings.Repeat("hello", strings.Count(response, " 200 ")); err != nil || string(text) != want {
					t.Errorf("got %q, %v", text, err)
				}
				if want := fmt.Sprintf("POST /mcp?a=b%%20c true [one two] me body %d", i); seen[i] != want {
					t.Errorf("the server saw %q, not %q", seen[i], want)
				}
			}
			if n := o.accepted.Load(); n != 1 {
				t.Errorf("%d connections were made", n)
			}
		})
	}
}

func TestDirectTransportDropsConnections(t *testing.T) {
	tests := map[string]func(conn net.Conn) bool{
		"that end": func(conn net.Conn) bool { ok(conn, "hello"); return false },
		"that are to be closed": func(conn net.Conn) bool {
			_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
			return err == nil
		},
		"of HTTP/1.0":                 func(conn net.Conn) bool { io.WriteString(conn, "HTTP/1.0 200 OK\r\n\r\nhello"); return false },
		"with more than the response": func(conn net.Conn) bool { ok(conn, "hello"); return ok(conn, "not for you") },
		"with more in the same segment": func(conn net.Conn) bool {
			_, err := io.WriteString(conn, strings.Repeat("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 2))
			return err == nil
		},
		"whose response has no end mark": func(conn net.Conn) bool { io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nhello"); return false },
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			answered := make(chan bool, 10)
			o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
				more := answer(conn)
				if !more {
					conn.Close()
				}
				answered <- true
				return more
			})
			c := direct(t, o.url)
			for i := range 3 {
				if text, err := post(t, c, o.url, "x"); err != nil || text != "hello" {
					t.Fatalf("request %d: %q, %v", i, text, err)
				}
				<-answered
			}
			if n := o.accepted.Load(); n != 3 {
				t.Errorf("%d connections were made for 3 requests", n)
			}
			if len(answered) > 0 {
				t.Error("a request was sent more than once")
			}
		})
	}
	t.Run("whose response is not read", func(t *testing.T) {
		o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool { return ok(conn, strings.Repeat("x", 100_000)) })
		c := direct(t, o.url)
		for range 2 {
			resp, err := c.Get(o.url)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if n, err := resp.Body.Read(make([]byte, 1)); n != 0 || err == nil {
				t.Errorf("a closed body was read: %d, %v", n, err)
			}
		}
		if n := o.accepted.Load(); n != 2 {
			t.Errorf("%d connections were made", n)
		}
	})
}

// A request that the server may have read is not sent again, unless it is a GET.
func TestDirectTransportDoesNotRepeatPosts(t *testing.T) {
	var requests atomic.Int32
	o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
		if requests.Add(1)%2 == 0 {
			return false // and no response
		}
		return ok(conn, "hello")
	})
	c := direct(t, o.url)
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

func TestDirectTransportIsBounded(t *testing.T) {
	endless := func(piece string) func(net.Conn, *http.Request, string) bool {
		return func(conn net.Conn, _ *http.Request, _ string) bool {
			for {
				if _, err := io.WriteString(conn, piece); err != nil {
					return false
				}
			}
		}
	}
	for name, test := range map[string]struct {
		answer func(net.Conn, *http.Request, string) bool
		want   string
	}{
		"header": {endless("X-More: " + strings.Repeat("x", 1000) + "\r\n"), ""},
		"line":   {endless("HTTP/1.1"), errHeadTooLong.Error()},
		"fields": {func(conn net.Conn, r *http.Request, b string) bool {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			return endless("X: "+strings.Repeat("x", 1000)+"\r\n")(conn, r, b)
		}, errHeadTooLong.Error()},
		"interim": {endless("HTTP/1.1 103 Early Hints\r\n\r\n"), "too many interim responses"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrigin(t, test.answer)
			_, err := post(t, direct(t, o.url), o.url, "x")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, not %q", err, test.want)
			}
		})
	}
}

func TestDirectTransportHeedsTheContext(t *testing.T) {
	for name, head := range map[string]string{
		"before the response": "",
		"within the header":   "HTTP/1.1 200 OK\r\nX: ",
		"within the body":     "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
	} {
		t.Run(name, func(t *testing.T) {
			sent, closed := make(chan bool), make(chan bool)
			o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
				io.WriteString(conn, head)
				sent <- true
				io.Copy(io.Discard, conn)
				close(closed)
				return false
			})
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				<-sent
				cancel()
			}()
			resp, err := direct(t, o.url).Do(req)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			<-closed
		})
	}
}

// Closing the body ends a Read of it that is under way.
func TestDirectTransportCloseEndsRead(t *testing.T) {
	o := newOrigin(t, func(conn net.Conn, _ *http.Request, _ string) bool {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
		io.Copy(io.Discard, conn)
		return false
	})
	resp, err := direct(t, o.url).Get(o.url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	go resp.Body.Close()
	if _, err := resp.Body.Read(make([]byte, 1)); err == nil {
		t.Error("Read returned without an error")
	}
}

// These requests are for http.Transport.
func TestDirectTransportLeavesTheRestToItsBase(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		n, _ := io.Copy(io.Discard, req.Body)
		fmt.Fprint(w, req.Method, " ", n)
	}))
	defer web.Close()
	c := direct(t, web.URL)
	for name, test := range map[string]struct {
		change func(req *http.Request)
		want   string
		direct bool
	}{
		"small": {func(*http.Request) {}, "POST 1", true},
		"large": {func(req *http.Request) {
			body := newRequestBody(make([]byte, maxDirectBody+1))
			req.Body, req.ContentLength = body, int64(body.Len())
		}, fmt.Sprint("POST ", maxDirectBody+1), false},
		"without length": {func(req *http.Request) { req.ContentLength = -1 }, "POST 1", false},
		"PUT":            {func(req *http.Request) { req.Method = http.MethodPut }, "PUT 1", false},
		"closing":        {func(req *http.Request) { req.Header.Set("Connection", "close") }, "POST 1", false},
		"hop by hop":     {func(req *http.Request) { req.Header["te"] = []string{"trailers"} }, "POST 1", false},
		"bad name":       {func(req *http.Request) { req.Header["X\r\nY"] = []string{"1"} }, "", false},
		"bad value":      {func(req *http.Request) { req.Header["X"] = []string{"1\r\nY: 2"} }, "", false},
		"bad method":     {func(req *http.Request) { req.Method = "GET / HTTP/1.1\r\nX:" }, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			c.CloseIdleConnections()
			req, err := http.NewRequest(http.MethodPost, web.URL, strings.NewReader("1"))
			if err != nil {
				t.Fatal(err)
			}
			test.change(req)
			resp, err := c.Do(req)
			if test.want == "" {
				if err == nil {
					t.Error("it was sent")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || string(text) != test.want {
				t.Errorf("got %q, %v", text, err)
			}
			transport := c.Transport.(*directTransport)
			transport.mu.Lock()
			defer transport.mu.Unlock()
			if got := len(transport.idle) == 1; got != test.direct {
				t.Errorf("sent directly: %v, want %v", got, test.direct)
			}
		})
	}
	for name, base := range map[string]*http.Transport{
		"a proxy":       {Proxy: func(*http.Request) (*url.URL, error) { return url.Parse("http://127.0.0.1:1") }, DialContext: new(net.Dialer).DialContext},
		"a bound":       {MaxConnsPerHost: 1, DialContext: new(net.Dialer).DialContext},
		"no keep-alive": {DisableKeepAlives: true, DialContext: new(net.Dialer).DialContext},
	} {
		u, _ := url.Parse(web.URL)
		if newDirectTransport(base, u) != http.RoundTripper(base) {
			t.Errorf("%s is ignored", name)
		}
	}
	if u, _ := url.Parse("https://127.0.0.1/mcp"); newDirectTransport(http.DefaultTransport.(*http.Transport), u) != http.DefaultTransport {
		t.Error("https is sent directly")
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

// Common servers close connections that were idle for 5 s.
func TestIdleConnectionsOfTheClientEndBeforeTheServersDo(t *testing.T) {
	for _, origin := range []string{"http://server.example/mcp", "http://server.example/large"} {
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
			u, err := url.Parse(origin)
			if err != nil {
				t.Fatal(err)
			}
			c := &http.Client{Transport: newHTTPClientTransport(u)}
			body := "x"
			if u.Path == "/large" {
				body = strings.Repeat("x", maxDirectBody+1)
			}
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

// pipeListener accepts the connections of a channel.
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
