package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// These tests are about streams that end before the handler of their request returns.

// counted is a listener that counts its open connections.
type counted struct {
	net.Listener
	open atomic.Int32
}

type countedConn struct {
	net.Conn
	once sync.Once
	l    *counted
}

func (l *counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.open.Add(1)
	return &countedConn{Conn: c, l: l}, nil
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.l.open.Add(-1) })
	return c.Conn.Close()
}

// dials counts the connections that the client of a site opens.
func (endpoint *site) dials() *atomic.Int32 {
	n := new(atomic.Int32)
	transport := endpoint.client.Transport.(*http.Transport)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		n.Add(1)
		return dial(ctx, network, addr)
	}
	return n
}

// lines returns the raw text of a POST request.
func (w *web) lines(version, body string) string {
	w.note([]byte(body))
	var head strings.Builder
	w.head.Write(&head)
	return fmt.Sprintf("POST /mcp %s\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", version, &head, len(body), body)
}

// readUntil reads until the text ends with the given suffix.
func readUntil(t *testing.T, r io.ByteReader, end string) {
	t.Helper()
	var b strings.Builder
	for !strings.HasSuffix(b.String(), end) {
		c, err := r.ReadByte()
		if err != nil {
			t.Fatalf("%v after %q", err, b.String())
		}
		b.WriteByte(c)
	}
}

func TestAConnectionIsKeptWhenItsStreamIsClosed(t *testing.T) {
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			g := newStage(t, nil)
			endpoint := n.host(t, g.Server)
			endpoint.client.CloseIdleConnections()
			dials := endpoint.dials()
			w := endpoint.open("2025-11-25")
			const rounds = 10
			for i := range rounds {
				a := w.call("poll", `{}`).want(200)
				a.next()
				a.next()
				a.ends()
				w.say("while the call goes on")
				<-g.began
				g.release <- "done"
				<-g.ended
				w.say(fmt.Sprint("after call ", i))
			}
			// If connections were closed with their streams, there would be a new one in each
			// round. On a busy machine, http.Transport opens a few that it does not need. This
			// happens if a request is made before a new HTTP/2 connection is in its pool, or if it
			// is notified more than 50ms late that an HTTP/1 request has been written.
			if n := dials.Load(); n > rounds/2 {
				t.Errorf("%d connections were opened", n)
			}
		})
	}
}

func TestNothingIsWrittenOnAConnectionThatHasGoneOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := hostPlain(t, g.HTTPHandler(&mcp.HTTPOptions{SessionTimeout: 10 * time.Hour}))
		w := endpoint.open("2025-11-25")
		c := endpoint.raw(w.lines("HTTP/1.1", callLine(1, "poll", `{}`)))
		lines := bufio.NewReader(c)
		readUntil(t, lines, "\r\n0\r\n\r\n")
		r := <-g.began
		r.Log(mcp.LevelError, "", "while it goes on")
		time.Sleep(time.Hour)
		g.release <- "done"
		settle()
		r.Session().CloseStream(time.Second) // the stream has already ended
		r.Log(mcp.LevelError, "", "late")
		time.Sleep(time.Hour)
		go io.WriteString(c, w.lines("HTTP/1.1", callLine(2, "echo", `{"message":"x"}`)))
		if line, err := lines.ReadString('\n'); line != "HTTP/1.1 200 OK\r\n" {
			t.Errorf("the next answer begins with %q, %v", line, err)
		}
		m, before := w.resume("1-0").want(200).response()
		if m.text() != "done" || before != 1 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestAStreamIsClosedForClientsOfHTTP10AsWell(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := hostPlain(t, g.HTTPHandler(nil))
		w := endpoint.open("2025-11-25")
		for _, test := range []struct{ version, header, end string }{
			{"HTTP/1.0", "", "retry: 3000\ndata:\n\n"},
			{"HTTP/1.0", "keep-alive", "retry: 3000\ndata:\n\n"},
			{"HTTP/1.1", "close", "\r\n0\r\n\r\n"},
		} {
			got := readAll(t, endpoint.raw(w.with("Connection: "+test.header).lines(test.version, callLine(1, "poll", `{}`))))
			if !strings.HasSuffix(got, test.end) || !strings.Contains(got, "retry: 3000\ndata:\n\n") {
				t.Errorf("%+v: %q", test, got)
			}
			<-g.began
			g.release <- "done"
		}
	})
}

func TestASessionThatEndsClosesTheStreamsOfHandlersThatGoOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
		release := make(chan struct{})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "stubborn"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Log(mcp.LevelError, "", "begun")
			<-release
			r.Log(mcp.LevelError, "", "nobody hears this")
			return "done", nil
		}))
		endpoint := host(t, s, nil)
		w := endpoint.open("2025-11-25")
		dials := endpoint.dials()
		a := w.call("stubborn", `{}`).want(200)
		b := w.call("stubborn", `{}`).want(200)
		a.receive()
		b.receive()
		b.close()
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		began := time.Now()
		a.ends()
		if time.Since(began) > time.Second {
			t.Errorf("it took %v", time.Since(began))
		}
		used := dials.Load()
		endpoint.open("2025-11-25").say("on the same connections")
		if n := dials.Load(); n > used {
			t.Errorf("%d connections more", n-used)
		}
		close(release)
		settle()
		w.refusesSession()
		if err := endpoint.handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAConnectionIsClosedWhenItsClientHasGoneThoughTheHandlerGoesOn(t *testing.T) {
	for name, wait := range map[string]time.Duration{"before the stream began": 100 * time.Millisecond, "after": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newStage(t, nil)
				endpoint, open := hostCounted(t, g.HTTPHandler(&mcp.HTTPOptions{KeepAlive: time.Hour, SessionTimeout: 10 * time.Minute}))
				w := endpoint.open("2025-11-25")
				endpoint.client.CloseIdleConnections()
				c := endpoint.raw(w.lines("HTTP/1.1", callLine(1, "wait", `{}`)))
				<-g.began
				time.Sleep(wait)
				go io.Copy(io.Discard, c)
				settle()
				c.Close()
				time.Sleep(time.Second)
				if n := open.open.Load(); n != 0 {
					t.Errorf("%d connections are open", n)
				}
				time.Sleep(time.Hour)
				w.say("the session is in use all the time")
				g.release <- "done"
				settle()
				if name == "after" { // in this case, the client may have received an event
					if m, before := w.resume("1-0").want(200).response(); m.text() != "done" || before != 0 {
						t.Errorf("%d before %s", before, m.line)
					}
				}
				endpoint.client.CloseIdleConnections()
				time.Sleep(20 * time.Minute)
				w.refusesSession()
			})
		})
	}
}

func TestAConnectionThatIsWrittenToEndsBehindWhatIsWritten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := hostPlain(t, g.HTTPHandler(nil))
		w := endpoint.open("2025-11-25")
		c := endpoint.raw(w.lines("HTTP/1.1", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","arguments":{"times":100,"wait":true},"_meta":{"progressToken":1}}}`))
		<-g.began
		settle() // the client does not read
		other := w.resume("1-0").want(200)
		settle()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		must(t, err)
		if body := readAll(t, resp.Body); !strings.HasPrefix(body, "id: 1-0-1\ndata:\n\n") || !strings.HasSuffix(body, "\n\n") {
			t.Errorf("%q", body)
		}
		g.release <- "done"
		if m, _ := other.response(); m.text() != "done" {
			t.Error(m.line)
		}
	})
}

func TestStreamsBeginInTimeForEachOfManyRequests(t *testing.T) {
	// One timer is used for a whole session. Its resolution is a quarter of StreamAfter.
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "take"}, func(_ context.Context, _ *mcp.Request, in struct {
			Milliseconds int `json:"milliseconds"`
		}) (string, error) {
			time.Sleep(time.Duration(in.Milliseconds) * time.Millisecond)
			return "done", nil
		}))
		w := host(t, s, nil).open("2025-06-18")
		for range 3 {
			for _, ms := range []int{1, 499, 499, 626, 499, 626, 626, 2000, 499} {
				began := time.Now()
				a := w.call("take", fmt.Sprintf(`{"milliseconds":%d}`, ms)).want(200)
				if took := time.Since(began); a.events != (ms > 500) || a.events && (took < 500*time.Millisecond || took > 625*time.Millisecond) {
					t.Errorf("%d ms: a stream: %t, after %v", ms, a.events, took)
				}
				if m, _ := a.response(); m.text() != "done" {
					t.Error(m.line)
				}
			}
		}
	})
}

func TestStreamsThatAreClosedAtOnceLoseNothing(t *testing.T) {
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "flash"}, func(_ context.Context, r *mcp.Request, in struct {
		How int `json:"how"`
	}) (string, error) {
		switch in.How {
		case 0:
			r.Session().CloseStream(time.Millisecond)
			r.Session().CloseStream(time.Millisecond)
		case 1:
			r.Log(mcp.LevelError, "", "before")
			r.Session().CloseStream(time.Millisecond)
		case 2:
			var both sync.WaitGroup
			both.Go(func() { r.Session().CloseStream(time.Millisecond) })
			both.Go(func() { r.Session().CloseStream(time.Millisecond) })
			both.Wait()
		}
		return "done", nil
	}))
	endpoint := networks[0].host(t, s)
	var all sync.WaitGroup
	for range 8 {
		w := endpoint.open("2025-11-25")
		all.Go(func() {
			for i := range 60 {
				a, err := w.try(http.MethodPost, "/mcp", strings.NewReader(callLine(i, "flash", fmt.Sprintf(`{"how":%d}`, i%3))))
				if err != nil || !a.events {
					t.Errorf("%v: %+v", err, a)
					return
				}
				last, answered := "", false
				for {
					e, err := a.read()
					if errors.Is(err, errStreamEnded) && !answered {
						if a, err = w.with("Last-Event-ID: "+last).try(http.MethodGet, "/mcp", nil); err != nil {
							t.Error(err)
							return
						}
						continue
					} else if errors.Is(err, errStreamEnded) {
						break
					} else if err != nil {
						t.Errorf("after %q: %v", last, err)
						return
					}
					if last = e.id; strings.Contains(e.data, `"result"`) {
						answered = true
					}
				}
			}
		})
	}
	all.Wait()
}

func TestAHandlerThatEndsItsGoroutineKeepsNoSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, exits(t), &mcp.HTTPOptions{SessionTimeout: 10 * time.Minute})
		for _, tool := range []string{"exit", "late"} {
			w := endpoint.open("2025-11-25")
			a := w.call(tool, `{}`).want(200)
			var m *message
			if a.events {
				m = a.receive()
			} else {
				m = a.message()
			}
			if !m.isInternalError() {
				t.Error(m.line)
			}
			endpoint.client.CloseIdleConnections()
			time.Sleep(20 * time.Minute)
			w.refusesSession()
		}
	})
}

func TestAConnectionIsClosedIfNobodyReadsTheEndOfItsStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint, open := hostCounted(t, g.HTTPHandler(nil))
		w := endpoint.open("2025-11-25")
		endpoint.client.CloseIdleConnections()
		readUntil(t, bufio.NewReader(endpoint.raw(w.lines("HTTP/1.1", callLine(1, "poll", `{}`)))), "retry: 3000\ndata:\n\n\r\n")
		<-g.began
		time.Sleep(40 * time.Second)
		if n := open.open.Load(); n != 0 {
			t.Errorf("%d connections are open", n)
		}
		g.release <- "done"
	})
}

func TestALongAnswerForAHandlerThatEndsItsGoroutineIsOneAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, exits(t), nil)
		w := endpoint.open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: exit")
		id := `"` + strings.Repeat("x", 3000) + `"`
		c := endpoint.raw(w.lines("HTTP/1.1", w.request(id, "tools/call", callParams("exit", `{}`))))
		got, _ := io.ReadAll(c)
		if text := string(got); !strings.Contains(text, "Content-Length") || !strings.Contains(text, id) || !strings.HasSuffix(text, "}") {
			t.Errorf("%q", got)
		}
	})
}
