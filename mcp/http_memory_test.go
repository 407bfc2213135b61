package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// held returns the size of the heap and the stacks after a garbage collection.
func held() int {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// minHeld returns the increase of held since before. If it is larger than enough, it measures
// again as long as the value becomes smaller, because clients can receive data before the
// goroutines that wrote it are idle.
func minHeld(enough, before int) float64 {
	minimum := held()
	for same := 0; minimum > enough && same < 5; same++ {
		if now := held(); now < minimum {
			minimum, same = now, 0
		}
	}
	return float64(minimum - before)
}

const (
	manySessions = 10_000
	manyStreams  = 8_000 // each stream needs two file descriptors, which many systems limit to about 20,000
)

// discarding is a ResponseWriter that stores only the header.
type discarding struct {
	head http.Header
	n    int
}

func (w *discarding) Header() http.Header         { return w.head }
func (w *discarding) WriteHeader(int)             {}
func (w *discarding) Write(b []byte) (int, error) { w.n += len(b); return len(b), nil }

// openMany opens sessions, makes a call in each of them, and returns their IDs.
func openMany(t *testing.T, h http.Handler, n int) []string {
	ids := make([]string, n)
	post := func(id, body string) *discarding {
		req := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		if id != "" {
			req.Header.Set("Mcp-Session-Id", id)
		}
		w := &discarding{head: http.Header{}}
		h.ServeHTTP(w, req)
		return w
	}
	for i := range ids {
		w := post("", initializeLine)
		ids[i] = w.head.Get("Mcp-Session-Id")
		post(ids[i], `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if w := post(ids[i], callLine(1, "echo", `{"message":"hello"}`)); ids[i] == "" || w.n == 0 {
			t.Fatalf("session %d: %+v", i, w)
		}
	}
	return ids
}

func TestMemory_OfIdleSessions(t *testing.T) {
	if raceDetector {
		t.Skip("memory cannot be measured with the race detector, which allocates memory itself; run without -race")
	}
	h := echoServer(t, nil).HTTPHandler(nil)
	before := held()
	openMany(t, h, manySessions)
	each := float64(held()-before) / manySessions / 1024
	t.Logf("%.2f KiB for each of %d idle sessions", each, manySessions)
	if each > 4 {
		t.Error("that is more than 4 KiB")
	}
	if err := h.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	remaining := minHeld(before+manySessions*1024/2, before) / manySessions / 1024
	if remaining > 0.5 {
		t.Errorf("%.2f KiB each are left when the sessions have ended", remaining)
	}
}

func TestMemory_OfOpenStreams(t *testing.T) {
	if raceDetector {
		t.Skip("memory cannot be measured with the race detector, which allocates memory itself; run without -race")
	}
	for _, kind := range []string{"the stream of a session", "a subscription"} {
		t.Run(kind, func(t *testing.T) {
			s := echoServer(t, nil)
			h := s.HTTPHandler(nil)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			ctx, cancel := context.WithCancel(context.Background())
			served := make(chan error, 1)
			go func() { served <- h.Serve(ctx, l, nil) }()
			before := held()
			ids := make([]string, manyStreams)
			if kind == "the stream of a session" {
				ids = openMany(t, h, manyStreams)
			}
			conns := make([]net.Conn, 0, manyStreams)
			for _, id := range ids {
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					t.Skipf("this system allows only %d connections, fewer than this test opens: %v; to run it, raise the limit of open files (ulimit -n)", len(conns), err)
				}
				defer c.Close()
				c.SetDeadline(time.Now().Add(time.Minute))
				conns = append(conns, c)
				head := "Host: localhost\r\nAccept: text/event-stream\r\nUser-Agent: test\r\n"
				if id != "" {
					fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\n%sMcp-Session-Id: %s\r\n\r\n", head, id)
				} else {
					line := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta("") + `}}`
					fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\n%sContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: %d\r\n\r\n%s", head, len(line), line)
				}
			}
			var first [12]byte
			for _, c := range conns {
				if _, err := io.ReadFull(c, first[:]); errors.Is(err, os.ErrDeadlineExceeded) {
					t.Skip("this system does not allow as many connections as this test opens; to run it, raise the limit of open files (ulimit -n)")
				} else if err != nil || string(first[:]) != "HTTP/1.1 200" {
					t.Fatalf("%q, %v", first, err)
				}
				c.SetDeadline(time.Time{}) // remove the deadline, because the rest can take long on a slow machine
			}
			const maximum = 36 // in KiB, for net/http's buffers and two goroutines, and for the client's end
			each := minHeld(before+maximum*1024*manyStreams, before) / manyStreams / 1024
			t.Logf("%.2f KiB for each of %d open streams, with the client's end of the connection", each, manyStreams)
			if each > maximum {
				t.Errorf("that is more than %d KiB", maximum)
			}
			// All streams receive a notification of the change.
			must(t, mcp.AddTool(s, mcp.Tool{Name: "new"}, exitTool))
			for _, c := range conns {
				r := bufio.NewReaderSize(c, 1024)
				for {
					line, err := r.ReadString('\n')
					must(t, err)
					if strings.Contains(line, "list_changed") {
						break
					}
				}
				c.Close()
			}
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}
