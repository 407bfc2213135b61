package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// stopping calls stop on another goroutine.
func (endpoint *site) stopping() chan error {
	stopped := make(chan error, 1)
	go func() { stopped <- endpoint.stop() }()
	settle()
	return stopped
}

func TestShutdownFinishesWhatIsInFlight(t *testing.T) {
	proves(t, "subs.end.graceful-result")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open(revision)
		streamed := w.talk(1, `1`, `{"times":1,"wait":true}`)
		plain := make(chan *answer)
		go func() { plain <- w.with("Accept: application/json").call("wait", `{}`) }()
		<-g.began
		<-g.began
		var listening *answer
		if modern(revision) {
			listening = w.begin(3, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
			listening.receive()
		} else {
			listening = w.resume("")
		}
		stopped := endpoint.stopping()
		if modern(revision) {
			if m := listening.receive(); string(m.ID) != "3" || m.Result["resultType"] != "complete" {
				t.Error(m.line)
			}
		} else if revision == "2025-11-25" {
			listening.next()
		}
		listening.ends()
		w.call("echo", `{"message":"x"}`).wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		w.post(`{"jsonrpc":"2.0","method":"notifications/a"}`).want(http.StatusAccepted)
		if !modern(revision) {
			endpoint.web().post(initializeLine).wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
			w.resume("").wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
			// Shutdown still waits for the call of a lost connection, and the client can reconnect.
			streamed.lastID(1)
			streamed.close()
			settle()
			streamed = w.resume("1-2").want(200)
		}
		if len(stopped) > 0 {
			t.Fatal("it did not wait")
		}
		g.release <- "done"
		g.release <- "done"
		if m, _ := streamed.response(); m.text() != "done" {
			t.Error(m.line)
		}
		if m := (<-plain).want(200).message(); m.text() != "done" {
			t.Error(m.line)
		}
		if err := <-stopped; err != nil {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestShutdownLetsClientsAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, newStage(t, nil).Server, nil)
		w := endpoint.openWith("2025-06-18", `{"elicitation":{}}`)
		a := w.call("ask", `{}`)
		m := a.receive()
		stopped := endpoint.stopping()
		w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, m.ID)).want(http.StatusAccepted)
		if m, _ := a.response(); m.text() != "Hello, Ada" {
			t.Error(m.line)
		}
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

func TestShutdownHasADeadline(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{DrainTimeout: 7 * time.Second}})
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "deaf"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			time.Sleep(time.Minute)
			return "too late", nil
		}))
		endpoint := host(t, g.Server, nil)
		w := endpoint.open(revision)
		w.talk(1, `1`, `{"times":1,"wait":true}`)
		go w.with("Mcp-Method: tools/call", "Mcp-Name: deaf").try(http.MethodPost, "/mcp", strings.NewReader(w.request(2, "tools/call", callParams("deaf", `{}`))))
		settle()
		began := time.Now()
		if err := endpoint.stop(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took < 7*time.Second || took > 8*time.Second {
			t.Errorf("it took %v", took)
		}
		if err := <-g.ended; err == nil {
			t.Error("the call was not cancelled")
		}
	})
}

func TestShutdownDoesNotWaitForConnectionsThatSentNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		endpoint.open("2025-06-18").say("x")
		endpoint.raw("")
		settle()
		began := time.Now()
		if err := endpoint.stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestServeEndsWithItsListener(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		l := newMemory()
		endpoint := hostOn(t, g.Server, nil, l, l.dial)
		w := endpoint.open("2025-06-18")
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		l.Close()
		settle()
		g.release <- "done"
		if m, _ := a.response(); m.text() != "done" {
			t.Error(m.line)
		}
		if err := endpoint.stop(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestShutdownCanBeCalledTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-06-18")
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		ended := make(chan error)
		for range 2 {
			go func() { ended <- endpoint.handler.Shutdown(context.Background()) }()
		}
		settle()
		g.release <- "done"
		a.response()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		if err := endpoint.handler.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestSlowClientsAreNotWaitedForForEver(t *testing.T) {
	proves(t, "http.header.size-limits")
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		w := endpoint.open("2025-06-18")
		for name, test := range map[string]struct {
			send  string
			after time.Duration
		}{
			"that say nothing":                          {"", 10 * time.Second},
			"that do not end their header":              {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 10 * time.Second},
			"that do not end their body":                {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", time.Minute},
			"whose connection is idle":                  {"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 2 * time.Minute},
			"that begin HTTP/2 and say no more":         {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 2 * time.Minute},
			"whose header is larger than a header gets": {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Large: " + strings.Repeat("x", 100_000) + "\r\n\r\n", time.Second},
		} {
			began := time.Now()
			got, err := io.ReadAll(endpoint.raw(test.send))
			if took := time.Since(began); err != nil || took > test.after+time.Second {
				t.Errorf("clients %s: %v after %v: %.100s", name, err, took, got)
			}
			if strings.Contains(name, "larger") && !strings.HasPrefix(string(got), "HTTP/1.1 431 ") {
				t.Errorf("clients %s: %.100s", name, got)
			}
		}
		w.say("meanwhile others are served")
	})
}

func TestAnAnswerThatNobodyReadsIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		for _, size := range []int{10, 1 << 20} {
			line := endpoint.open("2026-07-28").request(1, "tools/call", callParams("echo", `{"message":"`+strings.Repeat("x", size)+`"}`))
			c := endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: %d\r\n\r\n%s", len(line), line))
			time.Sleep(31 * time.Second)
			if data, _ := io.ReadAll(c); len(data) > 100_000 {
				t.Errorf("%d bytes came after all", len(data))
			}
		}
		began := time.Now()
		if err := endpoint.stop(); err != nil || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestAConnectionServesManyRequestsForLong(t *testing.T) {
	// The deadline of one request must not apply to the next one.
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		dials := 0
		l := newMemory()
		endpoint := hostOn(t, g.Server, nil, l, func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials++
			return l.dial(ctx, network, addr)
		})
		w := endpoint.open("2025-06-18")
		for range 20 {
			w.talk(1, `1`, `{"times":1}`).response()
			settle()
			time.Sleep(50 * time.Second)
			w.say("again")
			settle()
			time.Sleep(70 * time.Second)
		}
		if dials > 1 {
			t.Errorf("%d connections", dials)
		}
	})
}

func TestOverRealNetworks(t *testing.T) {
	for _, network := range []string{"TCP", "a Unix socket", "HTTP/2 without TLS"} {
		t.Run(network, func(t *testing.T) {
			g := newStage(t, nil)
			var l net.Listener
			var err error
			if network == "a Unix socket" {
				l, err = net.Listen("unix", socketPath(t))
			} else {
				l, err = net.Listen("tcp", "127.0.0.1:0")
			}
			must(t, err)
			endpoint := hostOn(t, g.Server, nil, l, func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, l.Addr().Network(), l.Addr().String())
			})
			major := 1
			if network == "HTTP/2 without TLS" {
				protocols := new(http.Protocols)
				protocols.SetUnencryptedHTTP2(true)
				endpoint.client.Transport.(*http.Transport).Protocols = protocols
				major = 2
			}
			for _, revision := range overHTTP {
				w := endpoint.openWith(revision, `{"elicitation":{}}`)
				w.say("x")
				w.say(strings.Repeat("x", 300_000))
				if m, before := w.talk(1, `1`, `{"times":50}`).want(200).response(); m.text() != "done" || before != 100 {
					t.Errorf("%d before %s", before, m.line)
				}
				a := w.talk(2, `1`, `{"times":1,"wait":true}`)
				<-g.began
				a.close()
				if modern(revision) {
					if err := <-g.ended; err == nil {
						t.Error("the call went on")
					}
					continue
				}
				g.release <- "done"
				if err := <-g.ended; err != nil {
					t.Error(err)
				}
				b := w.resume("2-2").want(200)
				if m, _ := b.response(); m.text() != "done" {
					t.Error(m.line)
				}
				if revision >= "2025-06-18" {
					c := w.call("ask", `{}`)
					m := c.receive()
					w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, m.ID)).want(http.StatusAccepted)
					if m, _ := c.response(); m.text() != "Hello, Ada" {
						t.Error(m.line)
					}
				}
			}
			resp, err := endpoint.client.Get("http://localhost/mcp")
			must(t, err)
			resp.Body.Close()
			if resp.ProtoMajor != major {
				t.Errorf("spoken: %s", resp.Proto)
			}
			if network == "TCP" || major == 2 {
				endpoint.web().with("Host: evil.example.com").post(initializeLine).want(http.StatusForbidden)
			} else {
				endpoint.web().with("Host: unix").post(initializeLine).want(http.StatusOK)
			}
			if err := endpoint.stop(); err != nil {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
}

// dialUntil dials until a server is listening.
func dialUntil(t *testing.T, network, addr string) net.Conn {
	t.Helper()
	for {
		c, err := net.Dial(network, addr)
		if err == nil {
			return c
		}
		if !errors.Is(err, os.ErrNotExist) && !strings.Contains(err.Error(), "refused") {
			t.Fatal(err)
		}
	}
}

func TestListenAndServe(t *testing.T) {
	proves(t, "http.bind-localhost", "sec.local.server-restricts")
	path := socketPath(t)
	for _, sse := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- echoServer(t, nil).ListenAndServe(ctx, "unix:"+path, &mcp.HTTPOptions{SSE: sse}) }()
		for route, want := range map[string]int{"/mcp": http.StatusBadRequest, "/sse": http.StatusBadRequest, "/": http.StatusNotFound} {
			if route == "/sse" && !sse {
				want = http.StatusNotFound
			}
			c := dialUntil(t, "unix", path)
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", route)
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			must(t, err)
			if c.Close(); resp.StatusCode != want {
				t.Errorf("%s: status %d", route, resp.StatusCode)
			}
		}
		cancel()
		if err := <-served; err != nil {
			t.Errorf("it returned %v", err)
		}
	}
	if err := echoServer(t, nil).ListenAndServe(context.Background(), "no such address", nil); err == nil {
		t.Error("an address that is none was listened on")
	}
	// An address without a host means loopback only.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := echoServer(t, nil).ListenAndServe(context.Background(), ":"+port, nil); err == nil || !strings.Contains(err.Error(), "127.0.0.1:") {
		t.Errorf("listening on the port alone: %v", err)
	}
}

// listening returns the addresses on which this process listens, in the format of the kernel. For
// example, "0100007F:1F90" is port 8080 of 127.0.0.1.
func listening(t *testing.T) map[string]bool {
	t.Helper()
	open := map[string]bool{}
	files, err := filepath.Glob("/proc/self/fd/*")
	must(t, err)
	for _, file := range files {
		if link, err := os.Readlink(file); err == nil {
			open[link] = true
		}
	}
	addrs := map[string]bool{}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/self/net/" + table)
		if errors.Is(err, os.ErrNotExist) {
			continue // this machine has no IPv6
		}
		must(t, err)
		for line := range strings.Lines(string(text)) {
			const listens = "0A"
			if f := strings.Fields(line); len(f) > 9 && f[3] == listens && open["socket:["+f[9]+"]"] {
				addrs[f[1]] = true
			}
		}
	}
	return addrs
}

func TestAnyPortIsOnLoopbackOnlyToo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has /proc, which this test reads; to run it, use Linux")
	}
	proves(t, "http.bind-localhost", "sec.local.server-restricts")
	for _, addr := range []string{":0", ":"} {
		for _, sse := range []bool{false, true} {
			before := listening(t)
			ctx, cancel := context.WithCancel(context.Background())
			served := make(chan error, 1)
			go func() { served <- echoServer(t, nil).ListenAndServe(ctx, addr, &mcp.HTTPOptions{SSE: sse}) }()
			var added []string
			for len(added) == 0 && len(served) == 0 {
				for addr := range listening(t) {
					if !before[addr] {
						added = append(added, addr)
					}
				}
			}
			if len(added) != 1 || !strings.HasPrefix(added[0], "0100007F:") {
				t.Errorf("%q listens on %s", addr, added)
			}
			cancel()
			must(t, <-served)
		}
	}
}

func TestListenAndServeServesEveryMethod(t *testing.T) {
	proves(t, "http.endpoint.post-get", "http.endpoint.post-only", "http.get.sse-or-405", "session.terminate", "sse.two-endpoints")
	path := socketPath(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	s := echoServer(t, nil)
	go func() { served <- s.ListenAndServe(ctx, "unix:"+path, &mcp.HTTPOptions{SSE: true}) }()
	dialUntil(t, "unix", path).Close()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	endpoint := &site{t: t, dial: dial, client: &http.Client{
		Transport:     &http.Transport{DialContext: dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, revision := range overHTTP {
		w := endpoint.open(revision)
		w.say("hello")
		if modern(revision) {
			w.do(http.MethodGet, nil).want(http.StatusMethodNotAllowed)
			w.do(http.MethodDelete, nil).want(http.StatusMethodNotAllowed)
			continue
		}
		if a := w.do(http.MethodGet, nil).want(http.StatusOK); !a.events {
			t.Errorf("%s: GET is answered with %v", revision, a.head)
		}
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		w.refusesSession()
	}
	endpoint.pair("2024-11-05", `{}`).say("hello")
	cancel()
	must(t, <-served)
	endpoint.client.CloseIdleConnections()
}

func TestNothingOutlivesServe(t *testing.T) {
	// The bubble fails the test if a goroutine is still running.
	for _, revision := range overHTTP {
		synctest.Test(t, func(t *testing.T) {
			g := newStage(t, nil)
			endpoint := host(t, g.Server, nil)
			w := endpoint.open(revision)
			w.say("x")
			a := w.talk(1, `1`, `{"times":1,"wait":true}`)
			<-g.began
			a.close()
			if !modern(revision) {
				w.resume("")
			}
			endpoint.stop()
			time.Sleep(time.Minute)
		})
	}
}
