package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// These tests are about handlers and wrappers in front of an HTTPHandler.

// These types wrap a ResponseWriter in different ways.
type (
	wrapped    struct{ http.ResponseWriter }
	unwrapping struct{ wrapped }
	flushing   struct{ wrapped }
)

func (w unwrapping) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w flushing) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// front serves h, with f applied to the ResponseWriter of each request.
func front(h http.Handler, f func(w http.ResponseWriter) http.ResponseWriter) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { h.ServeHTTP(f(w), req) })
}

func TestAStreamCanBeClosedWhateverStandsInFront(t *testing.T) {
	for name, in := range map[string]func(h http.Handler) http.Handler{
		"a limit of time":  func(h http.Handler) http.Handler { return http.TimeoutHandler(h, time.Minute, "") },
		"a limit of bytes": func(h http.Handler) http.Handler { return http.MaxBytesHandler(h, 10_000) },
		"a wrapper": func(h http.Handler) http.Handler {
			return front(h, func(w http.ResponseWriter) http.ResponseWriter { return wrapped{w} })
		},
		"a wrapper that can be unwrapped": func(h http.Handler) http.Handler {
			return front(h, func(w http.ResponseWriter) http.ResponseWriter { return unwrapping{wrapped{w}} })
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newStage(t, nil)
				endpoint := hostPlain(t, in(g.HTTPHandler(nil)))
				w := endpoint.open("2025-11-25")
				for i := range 3 {
					a := w.call("poll", `{}`).want(200)
					a.next()
					second := a.next()
					if second.retry != "3000" {
						t.Errorf("%+v", second)
					}
					a.ends()
					w.say("while the call goes on")
					<-g.began
					if name == "a limit of time" { // http.TimeoutHandler sends nothing before the response is complete
						g.release <- fmt.Sprint("answer ", i)
						settle()
					} else {
						defer settle()
						go func() {
							settle()
							g.release <- fmt.Sprint("answer ", i)
						}()
					}
					if m, before := w.resume(second.id).want(200).response(); m.text() != fmt.Sprint("answer ", i) || before != 0 {
						t.Errorf("%d before %s", before, m.line)
					}
				}
			})
		})
	}
}

func TestALengthThatSomebodyInFrontHasChanged(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const limit = 100_000
		h := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: limit}}).HTTPHandler(nil)
		length := int64(0)
		endpoint := hostPlain(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if length != 0 {
				req.ContentLength = length
			}
			h.ServeHTTP(w, req)
		}))
		w := endpoint.open("2025-11-25")
		for _, length = range []int64{-1, 1, 10, 511, 512, 65_536, limit} {
			for _, size := range []int{1, 400, 500, 512, 5000, 65_300, 99_000} {
				w.say(strings.Repeat("x", size))
			}
			long := callLine(1, "echo", `{"message":"`+strings.Repeat("x", limit)+`"}`)
			w.post(long).wantError(http.StatusRequestEntityTooLarge, mcp.CodeInvalidRequest)
			whole := callLine(1, "echo", `{"message":""}`)
			whole = callLine(1, "echo", `{"message":"`+strings.Repeat("x", limit-len(whole))+`"}`)
			w.post(whole).want(200)
			w.post(whole+" ").wantError(http.StatusRequestEntityTooLarge, mcp.CodeInvalidRequest)
		}
		length = limit + 1
		w.post(callLine(1, "echo", `{"message":"x"}`)).wantError(http.StatusRequestEntityTooLarge, mcp.CodeInvalidRequest)
	})
}

// probing is a body that records the size of the buffer into which it is read.
type probing struct {
	io.Reader
	read, maximum int
}

func (b *probing) Read(p []byte) (int, error) {
	b.maximum = max(b.maximum, len(p)-b.read) // the buffer may be twice as large as the received data
	n, err := b.Reader.Read(p[:min(len(p), 1000)])
	b.read += n
	return n, err
}

func (b *probing) Close() error { return nil }

func TestALengthIsBelievedOnlyAsFarAsItCostsLittle(t *testing.T) {
	h := echoServer(t, nil).HTTPHandler(nil)
	for _, length := range []int64{-1, 0, 1, 100, 60_000, 1 << 20, 4 << 20} {
		line := strings.Replace(initializeLine, "{", "{"+strings.Repeat(" ", 200_000), 1)
		body := &probing{Reader: strings.NewReader(line)}
		req := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", body)
		req.Header.Set("Content-Type", "application/json")
		req.ContentLength = length
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, req)
		if rec.Code != http.StatusOK || body.maximum > 4096 {
			t.Errorf("of length %d: status %d, room for %d bytes", length, rec.Code, body.maximum)
		}
	}
	must(t, h.Shutdown(t.Context()))
}

func TestAByteOverTheLimitCountsThoughItComesAlone(t *testing.T) {
	h := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 5000}}).HTTPHandler(nil)
	for size, status := range map[int]int{5000: http.StatusOK, 5001: http.StatusRequestEntityTooLarge} {
		line := initializeLine + strings.Repeat(" ", size-len(initializeLine))
		req := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", iotest.OneByteReader(strings.NewReader(line)))
		req.Header.Set("Content-Type", "application/json")
		req.ContentLength = -1
		rec := httptest.NewRecorder()
		if h.ServeHTTP(rec, req); rec.Code != status {
			t.Errorf("%d bytes: status %d", size, rec.Code)
		}
	}
	must(t, h.Shutdown(t.Context()))
}

// cutting is a ResponseWriter that aborts the connection in the middle of a
// response.
type cutting struct{ flushing }

func (w cutting) Write(b []byte) (int, error) {
	w.ResponseWriter.Write(b[:len(b)/2])
	panic(http.ErrAbortHandler)
}

func TestAResponseThatWasCutDoesNotEndAsIfItWereWhole(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		h := echoServer(t, nil).HTTPHandler(&mcp.HTTPOptions{SessionTimeout: 10 * time.Minute})
		endpoint := hostPlain(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Header.Get("Test-Cut") != "" {
				w = cutting{flushing{wrapped{w}}}
			}
			h.ServeHTTP(w, req)
		}))
		w := endpoint.open(revision)
		cut := w.with("Test-Cut: x", "Mcp-Method: tools/call", "Mcp-Name: echo")
		for _, size := range []int{10, 1000, 10_000} {
			got := readAll(t, endpoint.raw(cut.lines("HTTP/1.1", w.request(1, "tools/call", callParams("echo", `{"message":"`+strings.Repeat("x", size)+`"}`)))))
			if strings.HasSuffix(got, "0\r\n\r\n") || strings.Contains(got, `}]}}`) {
				t.Errorf("%q", got)
			}
		}
		w.say("alive")
		began := time.Now()
		if !modern(revision) {
			time.Sleep(20 * time.Minute)
			w.refusesSession()
			began = time.Now()
		}
		if err := h.Shutdown(t.Context()); err != nil || time.Since(began) > time.Second {
			t.Errorf("Shutdown took %v and returned %v", time.Since(began), err)
		}
	})
}

// mined is a ResponseWriter with a method that panics.
type mined struct {
	flushing
	method string
}

func (w mined) called(method string) {
	if method == w.method {
		panic(http.ErrAbortHandler)
	}
}

func (w mined) WriteHeader(status int) {
	w.called("WriteHeader")
	w.ResponseWriter.WriteHeader(status)
}

func (w mined) Write(b []byte) (int, error) {
	w.called("Write")
	return w.ResponseWriter.Write(b)
}

func (w mined) Flush() {
	w.called("Flush")
	w.flushing.Flush()
}

func TestAPanicOfAResponseWriterEndsItsAnswerAlone(t *testing.T) {
	for _, revision := range overHTTP {
		for _, method := range []string{"WriteHeader", "Write", "Flush"} {
			t.Run(revision+"/"+method, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2}})
					h := g.HTTPHandler(nil)
					old := g.SSEHandler(nil)
					endpoint := hostPlain(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
						if req.Header.Get("Test-Mine") != "" {
							w = mined{flushing{wrapped{w}}, method}
						}
						if req.URL.Path == "/sse" {
							old.ServeHTTP(w, req)
						} else {
							h.ServeHTTP(w, req)
						}
					}))
					w := endpoint.open(revision)
					ends := func(what, lines string) {
						t.Helper()
						if got := readAll(t, endpoint.raw(lines)); strings.HasSuffix(got, "0\r\n\r\n") {
							t.Errorf("%s: %q", what, got)
						}
						w.say("alive after " + what)
					}
					mine := w.with("Test-Mine: x", "Mcp-Method: tools/call", "Mcp-Name: talk")
					talk := callParams("talk", `{"times":3}`) + `,"_meta":{"progressToken":1}`
					if modern(revision) {
						talk = callParams("talk", `{"times":3}`) + "," + modernMeta(`,"progressToken":1`)
					}
					ends("events", mine.lines("HTTP/1.1", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+talk+`}}`))
					if modern(revision) {
						return
					}
					get := "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nTest-Mine: x\r\nMcp-Session-Id: " + w.head.Get("Mcp-Session-Id") + "\r\n\r\n"
					ends("a stream of 2024-11-05", fmt.Sprintf(get, "/sse"))
					ends("a call that takes long", mine.lines("HTTP/1.1", callLine(2, "wait", `{}`)))
					<-g.began
					g.release <- "done"
				})
			})
		}
	}
}

// slow is a ResponseWriter whose Write blocks until release is called. It has no optional methods.
type slow struct {
	wrapped
	writes, release chan bool
}

func (w slow) Write(b []byte) (int, error) {
	w.writes <- true
	<-w.release
	return w.ResponseWriter.Write(b)
}

func TestServeHTTPReturnsAfterWhatIsBeingWritten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := echoServer(t, nil).HTTPHandler(nil)
		opened := httptest.NewRecorder()
		h.ServeHTTP(opened, postTo(t.Context(), initializeLine))
		ctx, cancel := context.WithCancel(t.Context())
		req := postTo(ctx, callLine(1, "echo", `{"message":"x"}`))
		req.Header.Set("Mcp-Session-Id", opened.Header().Get("Mcp-Session-Id"))
		rec := httptest.NewRecorder()
		w := slow{wrapped{rec}, make(chan bool), make(chan bool)}
		returned := make(chan bool)
		go func() {
			h.ServeHTTP(w, req)
			close(returned)
		}()
		<-w.writes
		cancel() // the client disconnects
		settle()
		select {
		case <-returned:
			t.Error("it returned while something was being written")
		default:
		}
		w.release <- true
		<-returned
		must(t, h.Shutdown(t.Context()))
	})
}

func TestShutdownDoesNotWaitForGoroutinesThatHaveEnded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := exits(t).HTTPHandler(nil)
		opened := httptest.NewRecorder()
		h.ServeHTTP(opened, postTo(t.Context(), initializeLine))
		req := postTo(t.Context(), callLine(1, "exit", `{}`))
		req.Header.Set("Mcp-Session-Id", opened.Header().Get("Mcp-Session-Id"))
		rec := httptest.NewRecorder()
		h.ServeHTTP(wrapped{rec}, req) // call the handler on another goroutine
		if !strings.Contains(rec.Body.String(), "-32603") {
			t.Errorf("answered with %s", rec.Body)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		must(t, h.Shutdown(ctx))
	})
}

func postTo(ctx context.Context, line string) *http.Request {
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(line))
	req.Header.Set("Content-Type", "application/json")
	return req
}
