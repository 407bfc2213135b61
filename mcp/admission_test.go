package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestCallsBeyondTheLimitWaitAndFurtherOnesAreRefused(t *testing.T) {
	proves(t, "base.error.internal", "base.response.error.id-unless-unreadable")
	tests := []struct {
		name            string
		opts            mcp.ServerOptions
		call            string
		served, waiting int
	}{
		{"by number", mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 3}}, callLine(1, "wait", `{}`), 2, 3},
		{"one at a time", mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1, MaxWaiting: 1}}, callLine(1, "wait", `{}`), 1, 1},
		// The params of this call have 1027 bytes, so three of them fit.
		{"by size of those that wait", mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxQueuedBytes: 4000}}, largeCall, 2, 3},
		{"by size of those served", mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 10, MaxQueuedBytes: 4000}}, largeCall, 3, 3},
		{"by size, one larger than all", mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxQueuedBytes: 100}}, largeCall, 1, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &test.opts)
				w := addWaiter(t, s)
				p := connect(t, s)
				p.open("2025-11-25")
				const all = 20
				for i := range all {
					p.send(strings.Replace(test.call, `"id":1,`, fmt.Sprintf(`"id":%d,`, i), 1))
					if i < test.served+test.waiting {
						continue
					}
					if m := p.receive(); string(m.ID) != fmt.Sprint(i) || m.Error == nil || m.Error.Code != mcp.CodeInternalError {
						t.Errorf("one too many: %s", m.line)
					}
				}
				if n := len(w.entered); n != test.served {
					t.Errorf("%d are served, not %d", n, test.served)
				}
				// Each answer admits another call.
				for i := range 3 {
					w.release <- struct{}{}
					if m := p.receive(); m.text() != "waited" {
						t.Error(m.line)
					}
					settle() // the response arrives before there is room for the next request
					p.send(strings.Replace(test.call, `"id":1,`, fmt.Sprintf(`"id":%d,`, all+i), 1))
				}
				settle()
				close(w.release)
				for range test.served + test.waiting {
					if m := p.receive(); m.text() != "waited" {
						t.Error(m.line)
					}
				}
				p.end()
			})
		})
	}
}

// The connection is full of calls that wait to be cancelled. The server must still read the
// cancellations.
func TestReadingGoesOnHoweverManyCallsWait(t *testing.T) {
	proves(t, "ping.respond", "cancel.receiver.stop", "cancel.receiver.no-response", "cancel.receiver.free", "stdio.shutdown.server-eof")
	for _, revision := range revisions {
		for _, middleware := range []bool{false, true} {
			t.Run(fmt.Sprint(revision, ", middleware: ", middleware), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					opts := &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 4, MaxWaiting: 3}}
					if middleware {
						opts.Middleware = []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler { return next }}
					}
					s := questioner(t, opts)
					w := addWaiter(t, s)
					p := connect(t, s)
					params := p.open(revision)
					legacy := revision != "2026-07-28"
					var question *message
					if legacy {
						p = connect(t, s)
						p.openWith(revision, `{"roots":{}}`)
						p.send(callLine(100, "ask", `{"times":1}`))
						question = p.receive()
					} else {
						p.send(waitCall("100", params))
					}
					for i := range 3 + 3 {
						p.send(waitCall(fmt.Sprint(i), params))
					}
					refused := p.ask("6", "tools/call", params(callParams("wait", `{}`)))
					if refused.Error == nil || refused.Error.Code != mcp.CodeInternalError {
						t.Errorf("one too many: %s", refused.line)
					}
					if legacy {
						if m := p.ask("7", "ping", ""); m.Error != nil {
							t.Errorf("ping: %s", m.line)
						}
						p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, question.ID))
						if m := p.receive(); m.text() != "asked" {
							t.Errorf("the answer to a question: %s", m.line)
						}
					} else {
						p.send(cancelLine(`{"requestId":100}`))
					}
					// One waiting call and one call being served are cancelled, so two more calls
					// fit.
					p.send(cancelLine(`{"requestId":5}`))
					p.send(cancelLine(`{"requestId":0}`))
					settle()
					p.send(waitCall("8", params))
					p.send(waitCall("9", params))
					settle()
					began := time.Now()
					p.closed = true
					p.in.Close()
					rest, err := io.ReadAll(p.lines)
					must(t, err, <-p.served)
					if len(rest) > 0 {
						t.Errorf("what was cancelled is answered: %s", rest)
					}
					if took := time.Since(began); took < 5*time.Second || took > 7*time.Second {
						t.Errorf("Serve returned after %v; DrainTimeout is 5s", took)
					}
					close(w.ends)
					for err := range w.ends {
						if err == nil {
							t.Error("a call ended though nothing had ended its context")
						}
					}
				})
			})
		}
	}
}

func TestReadingGoesOnHoweverManyCallsOfABatchWait(t *testing.T) {
	proves(t, "base.batch.receive")
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 2}})
		addWaiter(t, s)
		p := connect(t, s)
		p.open("2025-03-26")
		var calls []string
		for i := range 6 {
			calls = append(calls, callLine(i, "wait", `{}`))
		}
		p.send("[" + strings.Join(calls, ",") + `,{"jsonrpc":"2.0","id":6,"method":"ping"}]`)
		if m := p.ask("7", "ping", ""); m.Error != nil {
			t.Error(m.line)
		}
		for i := range 4 {
			p.send(cancelLine(fmt.Sprintf(`{"requestId":%d}`, i)))
		}
		var answers []message
		line := p.receiveLine()
		must(t, json.Unmarshal([]byte(line), &answers))
		if len(answers) != 3 || answers[0].Error == nil || answers[1].Error == nil || string(answers[2].ID) != "6" || answers[2].Error != nil {
			t.Errorf("answers: %s", line)
		}
		p.end()
	})
}

func TestACancelledCallMakesRoomForThoseBehindIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 10, MaxQueuedBytes: 1500}})
		w := addWaiter(t, s)
		p := connect(t, s)
		p.open("2025-11-25")
		p.send(largeCall)
		p.send(strings.Replace(largeCall, `"id":1,`, `"id":2,`, 1)) // waits for room
		p.send(callLine(3, "echo", `{"message":"behind it"}`))
		settle()
		p.send(cancelLine(`{"requestId":2}`))
		if m := p.receive(); m.text() != "behind it" {
			t.Error(m.line)
		}
		close(w.release)
		if m := p.receive(); string(m.ID) != "1" {
			t.Error(m.line)
		}
		p.end()
	})
}

// flood sends the line until sending fails.
func flood(p *pipes, line string) (accepted *atomic.Int64, done chan struct{}) {
	accepted, done = new(atomic.Int64), make(chan struct{})
	go func() {
		defer close(done)
		for p.send(line) == nil {
			accepted.Add(1)
		}
	}()
	return accepted, done
}

// floods are lines that the server answers without running a handler.
var floods = map[string]string{
	"calls that are refused":   callLine(1, "wait", `{}`),
	"pings":                    `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
	"broken lines":             `x`,
	"unknown revisions":        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}}`,
	"batches of what is wrong": `[1,2,3,4]`,
	"batches of calls":         "[" + callLine(1, "wait", `{}`) + "," + callLine(2, "wait", `{}`) + "]",
}

func TestAClientThatFloodsAndDoesNotReadIsDisconnected(t *testing.T) {
	for name, line := range floods {
		for _, middleware := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", middleware: ", middleware), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					const limit = 20_000
					opts := &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 2, MaxQueuedBytes: limit, UnreadTimeout: time.Minute}}
					if middleware {
						opts.Middleware = []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler { return next }}
					}
					s := echoServer(t, opts)
					addWaiter(t, s)
					p := dial(s)
					p.openSession(t, "2025-03-26")
					began, before := time.Now(), runtime.NumGoroutine()
					accepted, done := flood(p, line)
					settle()
					n, goroutines := accepted.Load(), runtime.NumGoroutine()-before
					time.Sleep(50 * time.Second)
					if now := accepted.Load(); now != n || n > limit/20 {
						t.Errorf("the server took %d lines, and %d later", n, now)
					}
					if goroutines > 20 {
						t.Errorf("%d goroutines more", goroutines)
					}
					if err := <-p.served; err == nil || !strings.Contains(err.Error(), "without reading") {
						t.Errorf("Serve returned %v", err)
					}
					if took := time.Since(began); took < time.Minute || took > 70*time.Second {
						t.Errorf("Serve returned after %v; UnreadTimeout is 1m", took)
					}
					<-done
					if now := accepted.Load(); now > n+1 {
						t.Errorf("the server read %d lines after it had given up the client", now-n)
					}
				})
			})
		}
	}
}

func TestAClientThatReadsLateGetsEveryAnswer(t *testing.T) {
	for name, line := range floods {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 2, MaxQueuedBytes: 20_000, UnreadTimeout: time.Minute}})
				release := make(chan struct{})
				must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
					<-release
					return "", nil
				}))
				p := dial(s)
				r := p.openSession(t, "2025-03-26")
				const all = 5000
				go func() {
					for range all {
						p.send(line)
					}
					p.in.Close()
				}()
				time.Sleep(50 * time.Second)
				close(release)
				answers, err := io.ReadAll(r)
				must(t, err, <-p.served)
				if got := strings.Count(string(answers), "\n"); got != all {
					t.Errorf("%d lines, %d answers", all, got)
				}
			})
		})
	}
}

func TestServeEndsWithItsInputThoughARefusalIsNotRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1, MaxWaiting: 1}})
		w := addWaiter(t, s)
		p := dial(s)
		p.openSession(t, "2025-11-25")
		for i := range 1000 {
			must(t, p.send(callLine(i, "wait", `{}`))) // The server refuses 998 of these calls.
		}
		p.in.Close()
		began := time.Now()
		must(t, <-p.served)
		if took := time.Since(began); took > 7*time.Second {
			t.Errorf("Serve returned after %v; DrainTimeout is 5s", took)
		}
		if err := <-w.ends; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
	})
}

func TestNotificationsThatMiddlewareHoldsUpAreBounded(t *testing.T) {
	for _, revision := range []string{"2025-03-26", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var held, passed atomic.Int64
				release := make(chan struct{})
				hold := func(next mcp.MessageHandler) mcp.MessageHandler {
					return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
						if r.Method() == "notifications/progress" {
							held.Add(1)
							<-release
							passed.Add(1)
						}
						return next(ctx, r)
					}
				}
				var log strings.Builder
				s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{hold}, Limits: mcp.Limits{MaxConcurrent: 4, MaxWaiting: 3}, Logger: textLogger(&log)})
				w := addWaiter(t, s)
				p := connect(t, s)
				p.open(revision)
				p.send(callLine(1, "wait", `{}`))
				settle()
				line := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
				if revision == "2025-03-26" {
					line = "[" + line + "," + line + "]"
				}
				for range 100 {
					p.send(line)
				}
				settle()
				if n := held.Load(); n != 4 {
					t.Errorf("middleware holds %d notifications", n)
				}
				if !strings.Contains(log.String(), "dropped") {
					t.Error("the log says nothing of those that were dropped")
				}
				// The server must still answer calls, and the connection must still end with the
				// input.
				if m := p.ask("2", "tools/call", "{"+callParams("echo", `{"message":"x"}`)+"}"); m.text() != "x" {
					t.Error(m.line)
				}
				if m := p.ask("3", "ping", ""); m.Error == nil {
					t.Errorf("a ping beyond the bound: %s", m.line)
				}
				close(release)
				settle()
				if n := passed.Load(); n != 4+3 {
					t.Errorf("%d notifications passed", n)
				}
				if m := p.ask("4", "ping", ""); m.Error != nil {
					t.Error(m.line)
				}
				close(w.release)
				p.receive()
				p.end()
			})
		})
	}
}
