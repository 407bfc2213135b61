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
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// unfinished returns the beginning of a request whose body has size bytes. It contains the first
// sent bytes of the body.
func unfinished(size, sent int) string {
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat(" ", sent))
}

func TestUnfinishedBodiesAreBoundedTogether(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		endpoint := host(t, echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 1 << 20}}), &mcp.HTTPOptions{MaxBodyMemory: 3 << 20})
		w := endpoint.open(revision)
		answers := make(chan *http.Response, 20)
		for range cap(answers) {
			c := endpoint.raw(unfinished(1<<20, 1<<20-1))
			settle()
			go func() {
				if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
					answers <- resp
				}
			}()
		}
		settle()
		// The server drops as many waiting bodies as necessary, beginning with the oldest.
		if n := len(answers); n != cap(answers)-3 {
			t.Errorf("%d bodies were dropped", n)
		}
		for range len(answers) {
			resp := <-answers
			if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !resp.Close {
				t.Errorf("status %d, header %v", resp.StatusCode, resp.Header)
			}
		}
		began := time.Now()
		w.say("small bodies are read")
		w.say(strings.Repeat("x", 900_000))
		if took := time.Since(began); took > time.Second {
			t.Errorf("that took %v", took)
		}
		settle()
		if n := len(answers); n != 1 {
			t.Errorf("%d bodies were dropped for a large one", n)
		}
	})
}

func TestTheBodyThatWaitsLongestIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 1 << 20}}), &mcp.HTTPOptions{MaxBodyMemory: 2 << 20})
		answers := make(chan int, 3)
		read := func(i int, c net.Conn) {
			if _, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
				answers <- i
			}
		}
		first := endpoint.raw(unfinished(1<<20, 900_000))
		settle()
		second := endpoint.raw(unfinished(1<<20, 900_000))
		settle()
		io.WriteString(first, strings.Repeat(" ", 1000))
		go read(1, first)
		go read(2, second)
		endpoint.raw(unfinished(1<<20, 900_000))
		settle()
		if got := <-answers; got != 2 || len(answers) > 0 {
			t.Errorf("body %d was dropped", got)
		}
	})
}

// dripping is a body of four parts that arrives at a rate in bytes per second.
type dripping struct {
	remaining, rate int
}

func (d *dripping) Read(p []byte) (int, error) {
	if d.remaining == 0 {
		return 0, io.EOF
	}
	time.Sleep(time.Second / 4)
	n := min(len(p), d.remaining, d.rate/4)
	copy(p, strings.Repeat(" ", n))
	d.remaining -= n
	return n, nil
}

func TestBodiesHaveALeastRate(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprint("HTTP/2 ", http2), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, nil), &mcp.HTTPOptions{MinBodyRate: 400})
				if http2 {
					transport := endpoint.client.Transport.(*http.Transport)
					transport.Protocols = new(http.Protocols)
					transport.Protocols.SetUnencryptedHTTP2(true)
				}
				w := endpoint.open("2025-11-25")
				say := strings.NewReader(callLine(1, "echo", `{"message":"x"}`))
				// This client is slow, but fast enough.
				w.do(http.MethodPost, io.MultiReader(&dripping{remaining: 12_000, rate: 800}, say)).want(http.StatusOK)
				for _, body := range []func() io.Reader{
					func() io.Reader { return &dripping{remaining: 4000, rate: 8} },
					// A fast part before the current period is not counted.
					func() io.Reader {
						return io.MultiReader(strings.NewReader(strings.Repeat(" ", 100_000)), &dripping{remaining: 50_000, rate: 200})
					},
				} {
					began := time.Now()
					a, err := w.try(http.MethodPost, "/mcp", body())
					// http.Transport may notice that the server closes the connection before it
					// reads the response.
					for n := 0; errors.Is(err, io.ErrClosedPipe) && n < 10; n++ {
						began = time.Now()
						a, err = w.try(http.MethodPost, "/mcp", body())
					}
					if err != nil {
						t.Fatal(err)
					}
					a.wantError(http.StatusRequestTimeout, mcp.CodeInvalidRequest)
					if took := time.Since(began); took < 10*time.Second || took > 22*time.Second {
						t.Errorf("it took %v", took)
					}
				}
				w.say("alive")
			})
		})
	}
}

func TestBodiesAreBoundedWhereTheyCannotBeInterrupted(t *testing.T) {
	// Like some wrappers, a recorder does not support deadlines.
	bubble(t, func(t *testing.T) {
		h := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 1 << 20}}).HTTPHandler(&mcp.HTTPOptions{MaxBodyMemory: 2 << 20})
		serve := func(body io.Reader) *httptest.ResponseRecorder {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", body)
			req.Header.Set("Content-Type", "application/json")
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, req)
			return rec
		}
		line := strings.Replace(initializeLine, "{", "{"+strings.Repeat(" ", 900_000), 1)
		var ends []*io.PipeWriter
		status := make(chan int, 2)
		for range 2 {
			r, w := io.Pipe()
			ends = append(ends, w)
			go func() { status <- serve(r).Code }()
			io.WriteString(w, line[:len(line)-1])
		}
		settle()
		if rec := serve(strings.NewReader(line)); rec.Code != http.StatusServiceUnavailable {
			t.Errorf("beyond the bound: status %d: %s", rec.Code, rec.Body)
		}
		if rec := serve(strings.NewReader(initializeLine)); rec.Code != http.StatusOK {
			t.Errorf("a small body: status %d: %s", rec.Code, rec.Body)
		}
		for _, w := range ends {
			go func() {
				io.WriteString(w, "}")
				w.Close()
			}()
			if got := <-status; got != http.StatusServiceUnavailable {
				t.Errorf("a body that was dropped: status %d", got)
			}
		}
		if rec := serve(strings.NewReader(line)); rec.Code != http.StatusOK {
			t.Errorf("when there is room again: status %d: %s", rec.Code, rec.Body)
		}
		must(t, h.Shutdown(t.Context()))
	})
}

// TestMemory_OfUnfinishedBodies measures the memory that MaxBodyMemory
// limits.
func TestMemory_OfUnfinishedBodies(t *testing.T) {
	if raceDetector {
		t.Skip("memory cannot be measured with the race detector, which allocates memory itself; run without -race")
	}
	const many, limit = 300, 16 << 20
	h := echoServer(t, nil).HTTPHandler(&mcp.HTTPOptions{MaxBodyMemory: limit})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, l, h) }()
	before := held()
	text := unfinished(4<<20, 4<<20-1)
	for range many {
		c, err := net.Dial("tcp", l.Addr().String())
		must(t, err)
		defer c.Close()
		io.WriteString(c, text) // fails if the body is dropped
	}
	took := held() - before
	t.Logf("%d unfinished bodies of 4 MiB take %d KiB", many, took>>10)
	if took > 2*limit {
		t.Error("that is more than twice the bound")
	}
	cancel()
	<-served
}
