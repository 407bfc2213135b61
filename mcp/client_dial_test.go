package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestRefusalsLeadToNoOtherTransport makes a server refuse POST for a reason that also applies to
// GET.
func TestRefusalsLeadToNoOtherTransport(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		challenge string
		methods   []string // methods of the requests
	}{
		"credentials are missing":    {401, "", []string{"server/discover"}},
		"credentials are challenged": {401, "Bearer", []string{"server/discover"}},
		"a scope is missing":         {403, `Bearer error="insufficient_scope"`, []string{"server/discover"}},
		"a proxy wants credentials":  {407, "", []string{"server/discover"}},
		"too many requests":          {429, "", []string{"server/discover"}},
		"POST is forbidden":          {403, "", []string{"server/discover", "initialize", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				if p.Request.Method == http.MethodGet {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				if c.challenge != "" {
					w.Header().Set("WWW-Authenticate", c.challenge)
				}
				w.WriteHeader(c.status)
			})
			_, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL + "/mcp?key=secret"}, nil)
			status, ok := errors.AsType[*mcp.HTTPError](err)
			if !ok || status.StatusCode != c.status || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v", err)
			}
			var methods []string
			for _, p := range s.requests("") {
				methods = append(methods, p.Method)
			}
			if !slices.Equal(methods, c.methods) {
				t.Errorf("the client sent %q, want %q", methods, c.methods)
			}
		})
	}
}

func TestAnErrorNamesWhatWasTriedOnWhat(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, _ *posted) { http.NotFound(w, nil) })
	_, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL + "/wrong?key=secret"}, nil)
	want := "mcp: connecting: no MCP server answers at " + s.URL + "/wrong; check the URL, especially its path " +
		"(Streamable HTTP: initialize: the server answered with HTTP status 404 Not Found: 404 page not found; HTTP with SSE: the server answered with HTTP status 404 Not Found: 404 page not found)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	_, err = mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: strings.Replace(gone.URL, "://", "://user:sesame@", 1) + "/mcp?token=sesame"}, nil)
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), gone.URL+"/mcp") {
		t.Errorf("a server that is not there: %v", err)
	}
	// A server that uses HTTP with SSE gets a request of a revision without sessions.
	sse := echoServer(t, nil).SSEHandler(nil)
	old := scripted(t, func(w http.ResponseWriter, p *posted) {
		if p.Request.Method == http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		sse.ServeHTTP(w, p.Request)
	})
	defer sse.Shutdown(t.Context())
	_, err = mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: old.URL}, &mcp.ClientOptions{Revisions: []string{"2026-07-28"}})
	want = "mcp: connecting: no common revision of the protocol: " + old.URL + " supports only HTTP with SSE, which is for revisions with sessions, up to 2025-11-25"
	if !errors.Is(err, mcp.ErrNoRevision) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestTransport_OnlySSE(t *testing.T) {
	sse := echoServer(t, nil).SSEHandler(nil)
	var first atomic.Pointer[string]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first.CompareAndSwap(nil, &r.Method)
		sse.ServeHTTP(w, r)
	}))
	defer s.Close()
	defer sse.Shutdown(t.Context())
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, OnlySSE: true}, nil)
	must(t, err)
	if revision := c.Server().Revision; revision != "2025-11-25" {
		t.Errorf("the revision is %s", revision)
	}
	must(t, c.Close())
	if method := *first.Load(); method != http.MethodGet {
		t.Errorf("the first request is %s", method)
	}
	_, err = mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, OnlySSE: true, NoSSE: true}, nil)
	if err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Errorf("without any transport: %v", err)
	}
}

// TestTheKindOfServerIsRemembered replaces a server that uses HTTP with SSE by one that uses
// Streamable HTTP.
func TestTheKindOfServerIsRemembered(t *testing.T) {
	for _, newer := range revisions[1:] {
		t.Run(newer, func(t *testing.T) {
			server := echoServer(t, nil)
			streamable := server.HTTPHandler(nil)
			var sse atomic.Pointer[mcp.SSEHandler]
			sse.Store(server.SSEHandler(nil))
			var upgraded atomic.Bool
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				p.Body = io.NopCloser(strings.NewReader(p.body))
				switch {
				case upgraded.Load() && p.Request.Method == http.MethodGet && p.Header.Get("Mcp-Session-Id") == "":
					// Some servers open a stream in response to a GET without a session.
					w.Header().Set("Content-Type", "text/event-stream")
					w.(http.Flusher).Flush()
					<-p.Request.Context().Done()
				case upgraded.Load():
					streamable.ServeHTTP(w, p.Request)
				case p.Request.Method == http.MethodPost && p.URL.RawQuery == "":
					w.WriteHeader(http.StatusMethodNotAllowed)
				default:
					sse.Load().ServeHTTP(w, p.Request)
				}
			})
			transport := &mcp.HTTPTransport{URL: s.URL}
			connect := func() *mcp.Client {
				c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{Revisions: []string{"2024-11-05", newer}, ProbeTimeout: 500 * time.Millisecond})
				must(t, err)
				t.Cleanup(func() { must(t, c.Close()) })
				return c
			}
			// refused returns the number of requests that the server does not support.
			refused := func() (n int) {
				for _, p := range s.requests("") {
					if p.Request.Method == http.MethodPost && p.URL.RawQuery == "" {
						n++
					}
				}
				return n
			}
			c := connect()
			first := refused()
			connect()
			if first == 0 || refused() != first {
				t.Errorf("%d requests that the server does not know, then %d", first, refused()-first)
			}
			must(t, sse.Swap(server.SSEHandler(nil)).Shutdown(t.Context()))
			for {
				if text, err := mcp.CallTool[string](t.Context(), c, "echo", echoInput{"hi"}, nil); err == nil && text == "hi" {
					break
				}
			}
			if refused() != first {
				t.Errorf("%d requests that the server does not know after the connection was lost", refused()-first)
			}
			upgraded.Store(true)
			must(t, sse.Load().Shutdown(t.Context()))
			for {
				if text, err := mcp.CallTool[string](t.Context(), c, "echo", echoInput{"hi"}, nil); err == nil && text == "hi" {
					break
				}
			}
			if got := c.Server().Revision; got != newer {
				t.Errorf("after the upgrade the client speaks %s", got)
			}
			must(t, streamable.Shutdown(t.Context()))
		})
	}
}

// TestTheRevisionOfAServerOnAPipeIsRemembered connects to a server that ignores server/discover,
// then to a modern server, and then to the first one again.
func TestTheRevisionOfAServerOnAPipeIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mcptest.NewPeer(t)
		transport := p.Transport()
		connect := func(play func()) *mcp.Client {
			t.Helper()
			connected := make(chan *mcp.Client)
			go func() {
				c, err := mcp.Connect(t.Context(), transport, nil)
				if err != nil {
					t.Error(err)
				}
				connected <- c
			}()
			p.Accept()
			play()
			return <-connected
		}
		initialize := func() {
			p.Reply(p.Expect("initialize"), `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"old","version":"1"}}`)
			p.Expect("notifications/initialized")
		}
		start := time.Now()
		connect(func() { p.Expect("server/discover"); initialize() }).Close()
		if took := time.Since(start); took < 3*time.Second {
			t.Errorf("the first connection takes %v", took)
		}
		start = time.Now()
		connect(initialize).Close()
		if took := time.Since(start); took != 0 {
			t.Errorf("the second connection takes %v", took)
		}
		c := connect(func() {
			p.Refuse(p.Expect("initialize"), -32022, "no sessions")
			p.Accept()
			p.Handshake("2026-07-28")
		})
		if got := c.Server().Revision; got != "2026-07-28" {
			t.Errorf("after the upgrade the client speaks %s", got)
		}
		c.Close()
		connect(func() { p.Expect("server/discover"); initialize() }).Close()
	})
}

// TestARememberedServerThatIsNotThereStaysRemembered tries to connect while the server is not
// listening.
func TestARememberedServerThatIsNotThereStaysRemembered(t *testing.T) {
	p := mcptest.NewPeer(t)
	gone := false
	transport := &mcp.ConnTransport{Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
		if gone {
			return nil, &net.OpError{Op: "dial", Err: io.EOF}
		}
		return p.Transport().(*mcp.ConnTransport).Dial(ctx)
	}}
	var methods []string
	for range 2 {
		go func() {
			p.Accept()
			for m := p.Receive(); ; m = p.Receive() {
				methods = append(methods, m.Method)
				switch m.Method {
				case "server/discover":
					p.Refuse(m, -32601, "unknown")
				case "initialize":
					p.Reply(m, `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"old","version":"1"}}`)
					return
				}
			}
		}()
		c, err := mcp.Connect(t.Context(), transport, nil)
		must(t, err)
		must(t, c.Close())
		gone = true
		if _, err := mcp.Connect(t.Context(), transport, nil); err == nil {
			t.Fatal("connected to nothing")
		}
		gone = false
	}
	if want := []string{"server/discover", "initialize", "initialize"}; !slices.Equal(methods, want) {
		t.Errorf("the client sent %q, want %q", methods, want)
	}
}

// TestAServerThatEndsAtAProbeIsConnectedToAgain uses servers that expect initialize and end the
// connection after any other message.
func TestAServerThatEndsAtAProbeIsConnectedToAgain(t *testing.T) {
	for name, test := range map[string]struct {
		revisions []string
		answers   bool // whether the server answers initialize
		twice     bool // whether the same transport connects a second time
		methods   []string
		failure   string // part of the expected error, or ""
	}{
		"a server that answers initialize": {answers: true, methods: []string{"server/discover", "initialize"}},
		"a server that is known":           {answers: true, twice: true, methods: []string{"server/discover", "initialize", "initialize"}},
		"a server that always ends":        {methods: []string{"server/discover", "initialize"}, failure: "initialize: the server has closed the connection"},
		"a client of the newest revision":  {revisions: []string{"2026-07-28"}, answers: true, methods: []string{"server/discover"}, failure: "the server has closed the connection"},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var methods []string // the first message of each connection
			transport := &mcp.ConnTransport{Dial: func(context.Context) (io.ReadWriteCloser, error) {
				near, far := net.Pipe()
				go func() {
					defer far.Close()
					var m mcptest.Message
					if json.NewDecoder(far).Decode(&m) != nil {
						return
					}
					mu.Lock()
					methods = append(methods, m.Method)
					mu.Unlock()
					if m.Method == "initialize" && test.answers {
						fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"old","version":"1"}}}`+"\n", m.ID)
						_, _ = io.Copy(io.Discard, far)
					}
				}()
				return near, nil
			}}
			connect := func() error {
				c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{Revisions: test.revisions})
				if err != nil {
					return err
				}
				return c.Close()
			}
			err := connect()
			if test.twice {
				err = errors.Join(err, connect())
			}
			if test.failure == "" && err != nil || test.failure != "" && (err == nil || !strings.Contains(err.Error(), test.failure)) {
				t.Errorf("error %v, want %q", err, test.failure)
			}
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(methods, test.methods) {
				t.Errorf("the connections begin with %q, want %q", methods, test.methods)
			}
		})
	}
}

// TestWhatIsRememberedIsOfferedOnlyWhereItMayBe makes two clients with
// different revisions use one transport.
func TestWhatIsRememberedIsOfferedOnlyWhereItMayBe(t *testing.T) {
	revisionsOf(t, "lifecycle.version.client-supported", func(t *testing.T, revision string) {
		p := mcptest.NewPeer(t)
		transport := p.Transport()
		for _, allowed := range revisions[:4] {
			connected := make(chan error, 1)
			var c *mcp.Client
			for _, name := range []string{revision, allowed} { // the transport remembers the revision of the first client
				go func() {
					var err error
					c, err = mcp.Connect(t.Context(), transport, &mcp.ClientOptions{Revisions: []string{name}})
					connected <- err
				}()
				p.Accept()
				ran(t, name, "pipe")
				initialized(t, p, name, name)
				must(t, <-connected)
				must(t, c.Close())
			}
		}
	})
}
