package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// bubble runs f in fake time. The test fails if a goroutine is still running afterwards.
func bubble(t *testing.T, f func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // wait for the end of goroutines that are kept for later calls
		f(t)
	})
}

// eachInBubble runs f in fake time for each of the revisions.
func eachInBubble(t *testing.T, revisions []string, f func(t *testing.T, revision string)) {
	t.Helper()
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) { bubble(t, func(t *testing.T) { f(t, revision) }) })
	}
}

// settle advances the fake time until every goroutine is waiting. Another goroutine then reads
// wherever a handler blocks.
func settle() {
	time.Sleep(10 * time.Millisecond)
	synctest.Wait()
}

// pipes is the client's end of a connection. It does not have the checks of a peer, and is used in
// tests in which the client reads late or never.
type pipes struct {
	in     *io.PipeWriter
	out    *io.PipeReader
	cancel context.CancelCauseFunc // cancels the context of Serve
	served chan error
}

// dial serves one connection of s. Its goroutines end when the test closes the pipes.
func dial(s *mcp.Server) *pipes {
	ctx, cancel := context.WithCancelCause(context.Background())
	in, out, served := servePipes(ctx, s)
	return &pipes{in, out, cancel, served}
}

func (p *pipes) send(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

func (p *pipes) openSession(t *testing.T, revision string) *bufio.Reader {
	t.Helper()
	must(t, p.send(strings.Replace(initializeLine, "2025-11-25", revision, 1)))
	r := bufio.NewReader(p.out)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	must(t, p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	return r
}

const initializeLine = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func callLine(id any, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

var errStop = errors.New("the operator said so")

func TestServeReturnsWhenItsContextEndsThoughTheClientDoesNotRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		p := dial(s)
		must(t, p.send(initializeLine), p.send(callLine(1, "echo", `{"message":"x"}`)))
		settle() // the first response is being written, and the client does not read
		began := time.Now()
		p.cancel(errStop)
		if err := <-p.served; !errors.Is(err, errStop) {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took > 7*time.Second {
			t.Errorf("Serve took %v to return; DrainTimeout is 5s", took)
		}
	})
}

func TestServeReturnsThoughAHandlerReportsToAClientThatDoesNotReadAndCancels(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "talk"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "half way")
			<-ctx.Done()
			return "", ctx.Err()
		}))
		p := dial(s)
		p.openSession(t, "2025-11-25")
		must(t, p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","_meta":{"progressToken":1}}}`))
		settle() // the handler is writing progress
		must(t, p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
		settle()
		must(t, p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)) // the server continues to read
		p.cancel(errStop)
		if err := <-p.served; !errors.Is(err, errStop) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestAClientThatDoesNotReadHoldsUpNobodyElse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		stuck := dial(s)
		stuck.openSession(t, "2025-11-25")
		settle()
		must(t, mcp.AddTool(s, mcp.Tool{Name: "more"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }))
		s.RemoveTools("more")
		p := connect(t, s)
		p.initialize("2025-11-25")
		if m := p.ask("1", "tools/call", "{"+callParams("echo", `{"message":"x"}`)+"}"); m.text() != "x" {
			t.Error(m.line)
		}
		stuck.in.Close()
		stuck.out.Close()
		<-stuck.served
	})
}

func TestRequestsAreRefusedWhileDrainingThoughTheClientDoesNotRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: 1000}})
		p := dial(s)
		p.openSession(t, "2025-11-25")
		go func() {
			for i := 0; p.send(callLine(i, "echo", `{"message":"`+strings.Repeat("x", 100)+`"}`)) == nil; i++ {
			}
		}()
		settle()
		p.cancel(errStop)
		if err := <-p.served; !errors.Is(err, errStop) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestWhatWaitsIsBoundedThoughTheClientDoesNotRead(t *testing.T) {
	for _, concurrent := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(concurrent, " at a time"), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: concurrent, MaxWaiting: 10, MaxQueuedBytes: 4000}})
				release := make(chan struct{})
				must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
					<-release
					return "", nil
				}))
				p := dial(s)
				p.openSession(t, "2025-11-25")
				const all = 2000
				var accepted atomic.Int64
				go func() {
					for range concurrent {
						p.send(callLine(`"w"`, "wait", `{}`))
					}
					for range all {
						p.send(callLine(1, "echo", `{"message":"hello"}`))
						accepted.Add(1)
					}
					p.in.Close()
				}()
				settle()
				// A refusal has about 130 bytes, so 31 refusals fill the queue.
				if n := accepted.Load(); n > 50 {
					t.Errorf("the server took %d requests while it served %d and 10 might wait", n, concurrent)
				}
				release <- struct{}{} // one response that the client does not read
				settle()
				// A response has about 80 bytes, so 50 responses fill the queue. The same number
				// may be in transit.
				if n := accepted.Load(); n > 200 {
					t.Errorf("the server took %d requests from a client that does not read", n)
				}
				close(release)
				answers, err := io.ReadAll(p.out)
				must(t, err, <-p.served)
				if got := strings.Count(string(answers), "\n"); got != all+concurrent {
					t.Errorf("%d calls, %d answers", all+concurrent, got)
				}
			})
		})
	}
}

func TestAClientMayWriteThousandsOfMessagesBeforeItReadsAnAnswer(t *testing.T) {
	const n = 5000
	for name, line := range map[string]string{
		"calls":           callLine(1, "echo", `{"message":"x"}`),
		"unknown methods": `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
		"bad params":      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}`,
		"broken lines":    `x`,
		"batches":         `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := dial(echoServer(t, nil))
				r := p.openSession(t, "2025-03-26")
				must(t, p.send(strings.Repeat(line+"\n", n-1)+line))
				p.in.Close()
				answers, err := io.ReadAll(r)
				must(t, err, <-p.served)
				if got := strings.Count(string(answers), "\n"); got != n {
					t.Errorf("%d messages, %d answers", n, got)
				}
				for line := range strings.Lines(string(answers)) {
					if !json.Valid([]byte(line)) {
						t.Fatalf("not JSON: %.200s", line)
					}
				}
			})
		})
	}
}

func TestWhatFollowsInitializeOnThePipeFindsItsSessionHoweverLongThatTakes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		slowly := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				time.Sleep(time.Second)
				return next(ctx, r)
			}
		}
		p := dial(echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{slowly}}))
		must(t, p.send(initializeLine+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+callLine(1, "echo", `{"message":"hello"}`)))
		p.in.Close()
		answers, err := io.ReadAll(p.out)
		must(t, err, <-p.served)
		if !strings.Contains(string(answers), `"hello"`) {
			t.Errorf("answers: %s", answers)
		}
	})
}

func TestNotificationsToAClientThatDoesNotReadAreLostNotKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const limit, size = 100_000, 1000
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxQueuedBytes: limit, MaxNotificationRate: -1}})
		addReporter(t, s, func(_ context.Context, r *mcp.Request) {
			for i := range 10_000 {
				r.Progress(float64(i), 0, strings.Repeat("m", size)) // does not wait for the client
			}
		})
		p := dial(s)
		r := p.openSession(t, "2025-11-25")
		must(t, p.send(reportCall("2025-11-25", `"progressToken":1,`)))
		settle()
		p.in.Close()
		all, err := io.ReadAll(r)
		must(t, err, <-p.served)
		if n := strings.Count(string(all), "notifications/progress"); n < 10 || len(all) > 2*limit {
			t.Errorf("%d notifications in %d bytes were kept", n, len(all))
		}
		if !strings.Contains(string(all), `"done"`) {
			t.Error("the answer was lost")
		}
	})
}
