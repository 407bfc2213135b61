package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// played connects a client that uses the given revision to a server simulated
// by the test.
func played(t *testing.T, revision string, opts mcp.ClientOptions) (*mcptest.Peer, *mcp.Client) {
	t.Helper()
	ran(t, revision, "pipe")
	p := mcptest.NewPeer(t)
	return p, p.Connect(revision, &opts)
}

// calling calls a tool in the background and sends the outcome on the channel.
func calling(t *testing.T, c *mcp.Client, opts *mcp.CallOptions) chan error {
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "tool", nil, opts)
		failed <- err
	}()
	return failed
}

const emptyContent = `{"resultType":"complete","content":[]}`

func TestNoisyServersDoNotDisturbRequests(t *testing.T) {
	noise := map[string]string{
		"unknown notifications":    `{"jsonrpc":"2.0","method":"notifications/x","params":{"y":1}}`,
		"log messages":             `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}`,
		"progress of nothing":      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}`,
		"responses to nothing":     `{"jsonrpc":"2.0","id":99,"result":{}}`,
		"the id as a string":       `{"jsonrpc":"2.0","id":"2","result":{"content":[{"type":"text","text":"lie"}]}}`,
		"the id with a fraction":   `{"jsonrpc":"2.0","id":2.0,"result":{"content":[{"type":"text","text":"lie"}]}}`,
		"errors without an id":     `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`,
		"text that is no JSON":     `hello`,
		"JSON that is no message":  `[1,2]`,
		"an empty batch":           `[]`,
		"both result and error":    `{"jsonrpc":"2.0","id":99,"result":{},"error":{"code":1,"message":"x"}}`,
		"cancellation of its own":  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":OWN}}`,
		"cancellation of nothing":  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		"changes":                  `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		"acknowledgments":          `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":99},"notifications":{}}}`,
		"completed elicitations":   `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"none"}}`,
		"malformed notifications":  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[],"progress":"x"}}`,
		"deeply nested parameters": `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}`,
	}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			proves(t, "cancel.race", "cancel.same-direction", "elicit.complete.unknown-ignored", "progress.known-token-only")
			p, c := played(t, revision, mcp.ClientOptions{Log: func(mcp.LogMessage) { runtime.Gosched() }, Notification: func(string, json.RawMessage) {}})
			for name, line := range noise {
				failed := calling(t, c, nil)
				call := p.Expect("tools/call")
				line = strings.Replace(line, "OWN", string(call.ID), 1) // use the id of a request from the client instead of the server
				for range 2000 {
					if !p.Send(line) {
						t.Fatalf("%s: the client has closed the connection", name)
					}
				}
				p.Reply(call, emptyContent)
				if err := <-failed; err != nil {
					t.Errorf("%s: %v", name, err)
				}
				p.Reply(call, emptyContent)
			}
		})
	}
}

func TestAServerThatDoesNotAnswerOrReadCannotHangTheClient(t *testing.T) {
	proves(t, "tools.client.timeouts")
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ran(t, revision, "pipe")
				p := mcptest.NewPeer(t)
				c := p.Connect(revision, &mcp.ClientOptions{Timeout: time.Minute, Limits: mcp.ClientLimits{MaxQueuedBytes: 1 << 10}})
				start := time.Now()
				if _, err := c.CallTool(t.Context(), "tool", nil, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute || !strings.Contains(err.Error(), "for 1m0s (Timeout)") {
					t.Errorf("after %v: %v", time.Since(start), err)
				}
				// The first call now blocks in a write, so the queue fills up.
				for range 5 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					if _, err := c.CallTool(ctx, "tool", map[string]string{"x": strings.Repeat("x", 1<<10)}, nil); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("with a full queue: %v", err)
					}
					cancel()
				}
				must(t, c.Close())
				if _, err := c.CallTool(t.Context(), "tool", nil, nil); !errors.Is(err, mcp.ErrClientClosed) {
					t.Errorf("after Close: %v", err)
				}
			})
		})
	}
}

func TestQuestionsDoNotExtendTheTimeBeyondThatOfTheirAnswers(t *testing.T) {
	for name, roots := range map[string]func(context.Context) ([]mcp.Root, error){
		"answered at once": func(context.Context) ([]mcp.Root, error) { return nil, nil },
		"refused":          nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := played(t, "2025-11-25", mcp.ClientOptions{Timeout: time.Minute, Roots: roots})
				start := time.Now()
				failed := calling(t, c, nil)
				p.Expect("tools/call")
				took := make(chan time.Duration, 1)
				go func() {
					if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("the error is %v", err)
					}
					took <- time.Since(start)
				}()
				for time.Since(start) < 5*time.Minute {
					p.Send(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
					p.Receive() // wait for the response or for the cancellation of the call
					time.Sleep(10 * time.Second)
				}
				if got := <-took; got != time.Minute {
					t.Errorf("the call took %v, want a minute", got)
				}
			})
		})
	}
}

// TestSlowAnswersExtendTheTimeUpToAMaximum checks that a server that keeps asking and a user who
// answers slowly cannot keep a request open longer than MaxTimeout.
func TestSlowAnswersExtendTheTimeUpToAMaximum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, "2025-11-25", mcp.ClientOptions{Timeout: time.Minute, MaxTimeout: 10 * time.Minute, Roots: func(ctx context.Context) ([]mcp.Root, error) {
			select {
			case <-time.After(45 * time.Second):
			case <-ctx.Done():
			}
			return nil, nil
		}})
		start := time.Now()
		failed := calling(t, c, nil)
		p.Expect("tools/call")
		answers := 0
		for {
			p.Send(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			if m := p.Receive(); m.Method != "" {
				break
			}
			answers++
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 10*time.Minute || answers != 13 || !strings.Contains(err.Error(), "within 10m0s (MaxTimeout)") {
			t.Errorf("after %v and %d answers: %v", time.Since(start), answers, err)
		}
	})
}

func TestTheIDOfAQuestionIsFreeOnceItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := played(t, "2025-11-25", mcp.ClientOptions{
			Roots:  func(context.Context) ([]mcp.Root, error) { return nil, nil },
			Limits: mcp.ClientLimits{MaxQuestionRate: 100_000},
		})
		for range 10_000 {
			p.Send(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			if m := p.Receive(); m.Error != nil {
				t.Fatal(m.Line)
			}
		}
	})
}

func TestProgressExtendsTheTimeUpToAMaximum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, "2025-11-25", mcp.ClientOptions{Timeout: time.Minute, MaxTimeout: 10 * time.Minute})
		start := time.Now()
		reports := 0
		failed := calling(t, c, &mcp.CallOptions{Progress: func(mcp.Progress) { reports++ }})
		call := p.Expect("tools/call")
		for i := range 30 {
			time.Sleep(50 * time.Second)
			p.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":%d}`, call.ID, i+1))
			if time.Since(start) > 10*time.Minute {
				break
			}
			p.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":1}`, call.ID)) // the progress does not increase
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) || reports != 11 {
			t.Errorf("after %d reports: %v", reports, err)
		}
	})
}

func TestListsWithoutEndEnd(t *testing.T) {
	tests := map[string]struct {
		pages int
		page  func(n int) string
		want  string
	}{
		"a cursor that is repeated": {2, func(int) string { return `{"resultType":"complete","tools":[],"nextCursor":"again"}` }, "repeats the cursor"},
		"new cursors for ever":      {50, func(n int) string { return fmt.Sprintf(`{"resultType":"complete","tools":[],"nextCursor":"%d"}`, n) }, "more than 50 pages"},
		"a list that is too long": {5, func(n int) string {
			return fmt.Sprintf(`{"resultType":"complete","tools":[%s{"name":"x","inputSchema":{}}],"nextCursor":"%d"}`, strings.Repeat(`{"name":"x","inputSchema":{}},`, 20), n)
		}, "more than 100 entries"},
		"no list": {1, func(int) string { return `{"resultType":"complete"}` }, "no list"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, revision := range revisions {
				p, c := played(t, revision, mcp.ClientOptions{Limits: mcp.ClientLimits{MaxListPages: 50, MaxListEntries: 100}})
				failed := make(chan error, 1)
				go func() {
					for _, err := range c.Tools(t.Context()) {
						if err != nil {
							failed <- err
							return
						}
					}
					failed <- nil
				}()
				for n := range test.pages {
					p.Reply(p.Expect("tools/list"), test.page(n))
				}
				if err := <-failed; err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: %v", revision, err)
				}
			}
		})
	}
}

func TestAMessageOverTheLimitFailsItsRequestOnly(t *testing.T) {
	for _, revision := range revisions {
		p, c := played(t, revision, mcp.ClientOptions{Limits: mcp.ClientLimits{MaxMessageBytes: 10_000}})
		one, two := calling(t, c, nil), calling(t, c, nil)
		first, second := p.Expect("tools/call"), p.Expect("tools/call")
		p.Reply(first, `{"content":[{"type":"text","text":"`+strings.Repeat("x", 50_000)+`"}]}`)
		p.Reply(second, emptyContent)
		a, b := <-one, <-two
		if a == nil {
			a, b = b, a
		}
		if a == nil || !strings.Contains(a.Error(), "limit of 10000 bytes") || b != nil {
			t.Errorf("%s: %v and %v", revision, a, b)
		}
	}
}

func TestALostConnectionFailsRequestsAndIsReported(t *testing.T) {
	near, far := net.Pipe()
	s := echoServer(t, nil)
	go s.ServeConn(t.Context(), far)
	c, err := mcp.Connect(t.Context(), &mcp.ConnTransport{Conn: near}, nil)
	must(t, err)
	far.Close()
	<-c.Done()
	if err := c.Err(); err == nil || errors.Is(err, mcp.ErrClientClosed) {
		t.Errorf("Err is %v", err)
	}
	if _, err := c.CallTool(t.Context(), "echo", nil, nil); err == nil || err.Error() != c.Err().Error() {
		t.Errorf("a call: %v", err)
	}
	must(t, c.Close())
}

func TestQuestionsWithoutEndEnd(t *testing.T) {
	proves(t, "mrtr.client.new-id", "mrtr.client.echo-state", "mrtr.client.original-params", "mrtr.client.same-keys", "mrtr.client.builds-inputs",
		"mrtr.client.opaque-state", "roots.list.result", "base.id.unique-in-flight")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := answering()
				opts.Limits.MaxRounds = 5
				p, c := playedOver(t, transport, "2026-07-28", opts)
				failed := make(chan error, 1)
				go func() {
					_, err := c.CallTool(t.Context(), "tool", map[string]any{"a": 1}, nil)
					failed <- err
				}()
				last := ""
				for n := range 6 {
					m := p.Expect("tools/call")
					if string(m.ID) == last {
						t.Errorf("the id %s is sent again", m.ID)
					}
					last = string(m.ID)
					if !strings.Contains(m.Line, `"params":{"name":"tool","arguments":{"a":1}`) {
						t.Errorf("the params have changed: %s", m.Line)
					}
					want := fmt.Sprintf(`"inputResponses":{"k%d":{"roots":[{"uri":"file:///src","name":"src"}]}},"requestState":"\u00e9 %d"`, n, n)
					if n > 0 && !strings.Contains(m.Line, want) {
						t.Errorf("%s lacks %s", m.Line, want)
					}
					p.Reply(m, fmt.Sprintf(`{"resultType":"input_required","inputRequests":{"k%d":{"method":"roots/list"}},"requestState":"\u00e9 %d"}`, n+1, n+1))
				}
				if err := <-failed; err == nil || !strings.Contains(err.Error(), "5 times") {
					t.Errorf("the error is %v", err)
				}
			})
		})
	}
}

func TestAFloodOfQuestionsIsRefused(t *testing.T) {
	for _, revision := range revisions[:4] {
		release := make(chan struct{})
		p, _ := played(t, revision, mcp.ClientOptions{
			Limits: mcp.ClientLimits{MaxQuestions: 3},
			Roots:  func(context.Context) ([]mcp.Root, error) { <-release; return nil, nil },
		})
		for i := range 10 {
			p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, i))
			if i >= 3 {
				if m := p.Receive(); string(m.ID) != fmt.Sprint(i) || !strings.Contains(string(m.Error), "Too many requests") {
					t.Errorf("question %d was answered with %s", i, m.Line)
				}
			}
		}
		close(release)
		for range 3 {
			if m := p.Receive(); string(m.Result) != `{"roots":[]}` {
				t.Errorf("the client answered %s", m.Line)
			}
		}
	}
}

func TestQuestionsAreCheckedBeforeTheyAreAnswered(t *testing.T) {
	proves(t, "base.error.method-not-found", "base.error.invalid-params", "sampling.error.rejected", "elicit.error.undeclared-mode", "sampling.tools.error-without-capability",
		"elicit.mode.default-form", "elicit.result.action", "elicit.result.content", "sampling.result.fields", "roots.uri.file", "roots.security.traversal",
		"roots.internal", "sampling.error.tool-result-missing", "sampling.error.tool-result-mixed", "base.error.internal", "ping.respond", "base.response.result.id-echo", "sampling.tools.balance", "elicit.validate.client")
	const message = `"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]`
	roots := []mcp.Root{{URI: "file:///a/../b"}}
	for _, revision := range revisions[:4] {
		for _, transport := range clientTransports(revision) {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				declined := false
				p, _ := playedOver(t, transport, revision, mcp.ClientOptions{
					Roots: func(context.Context) ([]mcp.Root, error) { return roots, nil },
					Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
						if declined {
							return nil, mcp.ErrDeclined
						}
						panic("secret")
					},
					ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
						return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: []byte(`{"age":"old"}`)}, nil
					},
				})
				code := func(method, params, want string) {
					t.Helper()
					m := p.Ask(method, params)
					if !strings.Contains(string(m.Error), `"code":`+want+`,`) {
						t.Errorf("%s %s is answered with %s, want %s", method, params, m.Line, want)
					}
					if strings.Contains(m.Line, "secret") {
						t.Errorf("the server is told %s", m.Line)
					}
				}
				code("no/such", `{}`, "-32601")
				code("sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"assistant","content":{"type":"tool_use","id":"a","name":"x","input":{}}},{"role":"user","content":{"type":"text","text":"hi"}}]}`, "-32602")
				code("sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"assistant","content":{"type":"tool_use","id":"a","name":"x","input":{}}},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"text","text":"hi"}]}]}`, "-32602")
				code("roots/list", `{}`, "-32603")
				code("sampling/createMessage", `{"maxTokens":1,`+message+`}`, "-32603")
				declined = true
				code("sampling/createMessage", `{"maxTokens":1,`+message+`}`, "-1")
				code("sampling/createMessage", `{`+message+`}`, "-32602")
				code("sampling/createMessage", `{"maxTokens":1,"tools":[{"name":"x","inputSchema":{"type":"object"}}],`+message+`}`, "-32602")
				if revision >= "2025-06-18" {
					code("elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{"age":{"type":"integer"}}}}`, "-32603")
					code("elicitation/create", `{"message":"m","requestedSchema":{"type":"string"}}`, "-32602")
					code("elicitation/create", `{"mode":"url","message":"m","url":"https://example.com","elicitationId":"1"}`, "-32602")
					for _, mode := range []string{`"url","url":"javascript:x"`, `"url"`, `"voice"`, `"Form"`, `"form "`} {
						code("elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{}},"mode":`+mode+`}`, "-32602")
					}
				} else {
					code("elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`, "-32601")
				}
				if revision >= "2025-11-25" {
					proves(t, "elicit.capability.one-mode")
					p, _ := playedOver(t, transport, revision, mcp.ClientOptions{ElicitURL: func(context.Context, *mcp.Elicitation) (mcp.Action, error) { return mcp.ActionAccept, nil }})
					for _, mode := range []string{``, `"mode":"form",`, `"mode":"",`, `"mode":null,`, `"mode":"voice",`} {
						if m := p.Ask("elicitation/create", `{`+mode+`"message":"m","url":"https://example.com/x","elicitationId":"1","requestedSchema":{"type":"object","properties":{}}}`); !strings.Contains(string(m.Error), `"code":-32602,`) {
							t.Errorf("a client without forms answers %s with %s", mode, m.Line)
						}
					}
				}
				if m := p.Ask("ping", "{}"); string(m.Result) != "{}" {
					t.Errorf("ping: %s", m.Line)
				}
			})
		}
	}
}

func TestCloseEndsWhateverTheServerDoes(t *testing.T) {
	for _, revision := range revisions {
		synctest.Test(t, func(t *testing.T) {
			p, c := played(t, revision, mcp.ClientOptions{
				Roots: func(ctx context.Context) ([]mcp.Root, error) { <-ctx.Done(); return nil, ctx.Err() },
			})
			p.Send(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`) // a request that is in flight when the connection ends
			one := calling(t, c, nil)
			p.Expect("tools/call")
			closed := make(chan error)
			go func() { closed <- c.Close() }()
			if err := <-one; !errors.Is(err, mcp.ErrClientClosed) {
				t.Errorf("a request in flight: %v", err)
			}
			must(t, <-closed)
			p.Send(`{"jsonrpc":"2.0","id":2,"method":"roots/list"}`)
			must(t, c.Close())
			<-c.Done()
			if !errors.Is(c.Err(), mcp.ErrClientClosed) {
				t.Errorf("Err is %v", c.Err())
			}
		}) // synctest.Test fails if a goroutine is still running
	}
}

// stuck is a connection whose Read and Write block until it is closed.
type stuck struct{ closed chan struct{} }

func (s stuck) Read([]byte) (int, error)    { <-s.closed; <-make(chan struct{}); return 0, io.EOF }
func (s stuck) Write(b []byte) (int, error) { return len(b), nil }
func (s stuck) Close() error                { return nil }

func TestConnectAndCloseEndOnAConnectionThatDoesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := mcp.Connect(ctx, &mcp.ConnTransport{Conn: stuck{make(chan struct{})}}, &mcp.ClientOptions{Limits: mcp.ClientLimits{CloseTimeout: 10 * time.Millisecond}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Connect: %v", err)
	}
}

func TestQuestionsInResultsAreCheckedToo(t *testing.T) {
	proves(t, "roots.uri.file", "roots.security.traversal", "sampling.tools.error-without-capability", "elicit.mode.default-form", "resources.not-found.client-accepts", "sampling.message.role-content")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			p, c := playedOver(t, transport, "2026-07-28", mcp.ClientOptions{
				Roots:  func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a/../b"}}, nil },
				Sample: answering().Sample,
				ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
					return mcp.ElicitationResult{Action: mcp.ActionDecline}, nil
				},
			})
			for question, want := range map[string]string{
				`"method":"roots/list"`: "Internal error",
				`"method":"no/such"`:    "Method not found",
				`"method":"sampling/createMessage","params":{"maxTokens":1,"tools":[{"name":"x","inputSchema":{"type":"object"}}],"messages":[]}`: "sampling.tools",
				`"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"content":{"type":"text","text":"x"}}]}`:                  "role must be",
				`"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user"}]}`:                                         "no content",
				`"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com"}`:                                 "mode",
				`"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}`:                      "",
			} {
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{"q":{`+question+`}}}`)
				if want == "" {
					m := p.Expect("tools/call")
					if !strings.Contains(m.Line, `"inputResponses":{"q":{"action":"decline"}}`) {
						t.Errorf("sent %s", m.Line)
					}
					p.Reply(m, emptyContent)
				}
				if err := <-failed; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s: %v", question, err)
				}
			}
			failed := make(chan error)
			go func() {
				_, err := c.ReadResource(t.Context(), "x:a", nil)
				failed <- err
			}()
			p.Refuse(p.Expect("resources/read"), -32002, "not there")
			if err := <-failed; !errors.Is(err, mcp.ErrResourceNotFound) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestAClientWithoutFunctionsRefusesQuestions(t *testing.T) {
	proves(t, "roots.unsupported")
	for _, revision := range revisions[:4] {
		for _, transport := range clientTransports(revision) {
			p, _ := playedOver(t, transport, revision, mcp.ClientOptions{})
			for _, method := range []string{"roots/list", "sampling/createMessage", "elicitation/create"} {
				if m := p.Ask(method, "{}"); !strings.Contains(string(m.Error), `"code":-32601`) {
					t.Errorf("%s is answered with %s", method, m.Line)
				}
			}
		}
	}
}

func TestFlushWaitsBehindAFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		logged := 0
		p, c := played(t, "2025-06-18", mcp.ClientOptions{
			Limits: mcp.ClientLimits{MaxEvents: 1},
			Log: func(mcp.LogMessage) {
				<-release
				logged++
			},
		})
		for range 2 { // one is being handled, and the other waits
			p.Notify("notifications/message", `{"level":"error","data":1}`)
			synctest.Wait()
		}
		flushed := make(chan error, 1)
		go func() { flushed <- c.Flush(t.Context()) }()
		synctest.Wait()
		if len(flushed) > 0 {
			t.Error("Flush returned while two messages were waiting")
		}
		close(release)
		if err := <-flushed; err != nil || logged != 2 {
			t.Errorf("%d messages, %v", logged, err)
		}
	})
}
