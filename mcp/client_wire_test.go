package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestTheClientDeclaresWhatItsFunctionsCanAnswer(t *testing.T) {
	proves(t, "roots.capability", "roots.capability.modern", "sampling.capability", "sampling.capability.modern", "sampling.tools.capability",
		"elicit.capability", "elicit.capability.modern", "elicit.capability.one-mode", "arch.sampling-needs-capability", "arch.capabilities-respected",
		"roots.list-changed", "base.batch.no-initialize", "stdio.stdin-only-mcp", "ext.off-by-default", "xtasks.identifier")
	s := echoServer(t, nil)
	all := answering()
	all.SampleTools, all.Tasks = true, true
	form, url := mcp.ClientOptions{ElicitForm: all.ElicitForm}, mcp.ClientOptions{ElicitURL: all.ElicitURL}
	legacyRoots := `"roots":{"listChanged":true}`
	tests := map[string][4]string{ // expected capabilities without functions, with all functions, with forms only, and with URLs only
		"2024-11-05": {`{}`, `{` + legacyRoots + `,"sampling":{}}`, `{}`, `{}`},
		"2025-03-26": {`{}`, `{` + legacyRoots + `,"sampling":{}}`, `{}`, `{}`},
		"2025-06-18": {`{}`, `{` + legacyRoots + `,"sampling":{},"elicitation":{}}`, `{"elicitation":{}}`, `{}`},
		"2025-11-25": {`{}`, `{` + legacyRoots + `,"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`, `{"elicitation":{"form":{}}}`, `{"elicitation":{"url":{}}}`},
		"2026-07-28": {`{}`, `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
			`{"elicitation":{"form":{}}}`, `{"elicitation":{"url":{}}}`},
	}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			for i, opts := range []mcp.ClientOptions{{}, all, form, url} {
				r := reach(t, s, revision, opts)
				if _, err := r.CallTool(t.Context(), "echo", echoInput{"x"}, nil); err != nil {
					t.Fatal(err)
				}
				method, want := "initialize", `"capabilities":`+tests[revision][i]+`,"clientInfo"`
				if revision == "2026-07-28" {
					method, want = "tools/call", `"io.modelcontextprotocol/clientCapabilities":`+tests[revision][i]+`}`
				}
				if got := r.tap.lines(method); len(got) != 1 || !strings.Contains(got[0], want) {
					t.Errorf("sent %s, want %s", got, want)
				}
				must(t, r.RootsChanged(t.Context()), r.Ping(t.Context())) // the server must have read the first message before it answers the second
				if got := len(r.tap.lines("notifications/roots/list_changed")); (got == 1) != (i == 1 && revision != "2026-07-28") {
					t.Errorf("%d notifications of changed roots", got)
				}
			}
		})
	}
}

func TestRequestsHaveTheFormOfTheProtocol(t *testing.T) {
	proves(t, "tools.call.params", "resources.read.params", "prompts.get.params", "completion.ref-types", "base.id.required", "base.id.not-null", "base.jsonrpc.conform",
		"base.request.params-object", "base.notification.no-id", "base.id.unique-in-session", "progress.token.type", "stdio.no-embedded-newline",
		"progress.server-only", "page.not-persisted")
	for _, revision := range revisions {
		for _, transport := range clientTransports(revision) {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
				ctx := t.Context()
				do := exchanges(t, p)
				do("tools/call", emptyContent, `"params":{"name":"a\nb","arguments":{"x":1}`, func() error {
					_, err := c.CallTool(ctx, "a\nb", jsonText("{\n\"x\":1}"), nil)
					return err
				})
				do("tools/call", emptyContent, `"progressToken":`, func() error {
					_, err := c.CallTool(ctx, "x", nil, &mcp.CallOptions{Progress: func(mcp.Progress) {}, Meta: mcp.Meta{"com.example/a": 1, "progressToken": "mine"}})
					return err
				})
				do("resources/read", `{"resultType":"complete","contents":[]}`, `"params":{"uri":"x:a"`, func() error {
					_, err := c.ReadResource(ctx, "x:a", nil)
					return err
				})
				do("prompts/get", `{"resultType":"complete","messages":[]}`, `"params":{"name":"p","arguments":{"a":"1"}`, func() error {
					_, err := c.GetPrompt(ctx, "p", map[string]string{"a": "1"}, nil)
					return err
				})
				do("completion/complete", `{"resultType":"complete","completion":{"values":[]}}`, `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"t"}`, func() error {
					_, err := c.CompletePrompt(ctx, "p", "a", "t", nil)
					return err
				})
				do("completion/complete", `{"resultType":"complete","completion":{"values":[]}}`, `"ref":{"type":"ref/resource","uri":"x:{a}"}`, func() error {
					_, err := c.CompleteTemplate(ctx, "x:{a}", "a", "t", nil)
					return err
				})
				for _, args := range []any{[]int{1}, []int{}, 7, "x", jsonText(`null`), jsonText(`[]`), jsonText(`{} {}`), jsonText(`{`), []byte(`"{}"`)} {
					if _, err := c.CallTool(ctx, "x", args, nil); err == nil || !strings.Contains(err.Error(), "object") {
						t.Errorf("arguments %v: %v", args, err)
					}
				}
			})
		}
	}
}

func jsonText(s string) []byte { return []byte(s) }

func TestResultsThatAreNotOfTheProtocolAreErrors(t *testing.T) {
	proves(t, "base.result.type.unknown-invalid", "base.result.type.absent-is-complete", "base.response.result.object", "xtasks.client.unsupported-request", "mrtr.client.no-invented-state",
		"mrtr.client.no-cross-use", "cache.key.no-mrtr", "base.patterns.no-client-responses", "transport.binding.directions", "stdio.client-no-responses", "xtasks.client.both-shapes", "mrtr.client.opaque-state", "mrtr.client.echo-state")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts, log := answering(), new(lineLog)
				opts.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
				p, c := playedOver(t, transport, "2026-07-28", opts)
				for result, want := range map[string]string{
					`{"resultType":"surprise"}`:             `unknown resultType "surprise"`,
					`{"resultType":7}`:                      `unknown resultType "7"`,
					`{"resultType":"task","taskId":"t"}`:    "not allowed",
					`{"resultType":"input_required"}`:       "no question",
					`[]`:                                    "not an object",
					`"x"`:                                   "not an object",
					`{"content":[{"type":"text"}]}`:         "no text",
					`{"content":{}}`:                        "not a list",
					`{"content":[]}`:                        "",
					`{"content":[],"inputRequests":{}}`:     "",
					`{"resultType":"complete","content":0}`: "not a list",
				} {
					failed := calling(t, c, nil)
					p.Reply(p.Expect("tools/call"), result)
					if err := <-failed; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
						t.Errorf("%s: %v", result, err)
					}
				}
				for _, result := range []string{`{"resultType":"surprise","content":[]}`, `{"resultType":"Complete","content":[]}`, `{"resultType":"","content":[]}`} {
					failed := calling(t, c, nil) // the server must answer with the result of a second round
					p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","requestState":"s"}`)
					p.Reply(p.Expect("tools/call"), result)
					if err := <-failed; (err == nil) != strings.Contains(result, `""`) {
						t.Errorf("%s: %v", result, err)
					}
				}
				for kind, ask := range everyRequest(t, c) {
					method, valid, _ := strings.Cut(kind, " ")
					page, _, later := strings.Cut(valid, ` then`)
					for _, resultType := range []string{`"surprise"`, `"Complete"`, `"task"`, `null`, `["complete"]`, ``} {
						failed := make(chan error, 1)
						go func() { failed <- ask() }()
						m := p.Expect(method)
						if later {
							p.Reply(m, `{"resultType":"complete","nextCursor":"c",`+page+`}`)
							m = p.Expect(method)
						}
						if result := `{"resultType":` + resultType + `,` + page + `}`; resultType != "" {
							p.Reply(m, result)
							if err := <-failed; err == nil || !strings.Contains(err.Error(), "resultType") && !strings.Contains(err.Error(), "not allowed") {
								t.Errorf("%s: %s: %v", method, result, err)
							}
							continue
						}
						p.Reply(m, `{`+page+`}`)
						if err := <-failed; err != nil {
							t.Errorf("%s without resultType: %v", method, err)
						}
					}
				}
				// A server of this revision must not send requests, and an answer would also
				// violate the protocol. The client logs this once.
				request := calling(t, c, nil)
				call := p.Expect("tools/call")
				for _, method := range []string{"roots/list", "ping", "sampling/createMessage", "elicitation/create", "no/such", "initialize"} {
					p.Send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
					p.Send(`{"jsonrpc":"2.0","id":"a","method":"` + method + `","params":7}`)
					p.Send(`{"jsonrpc":"2.0","id":"b","method":"` + method + `","params":{}}`)
					p.Send(`{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{"message":"m","requestedSchema":{"type":"object","properties":{}},"maxTokens":1,"messages":[]}}`)
				}
				p.Send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
				p.Send(`{"jsonrpc":"2.0","id":{},"method":"ping"}`)
				p.Send(`{"id":3}`)
				p.Reply(call, emptyContent)
				must(t, <-request)
				if n := strings.Count(log.String(), "request of the server ignored"); n != 1 {
					t.Errorf("%d warnings: %s", n, log.String())
				}
				// The same state may be received again. After an error, no state is kept.
				request = calling(t, c, nil)
				m := p.Expect("tools/call")
				for range 3 {
					p.Reply(m, `{"resultType":"input_required","requestState":"\u00e9\/s","inputRequests":{"r":{"method":"roots/list"}}}`)
					if m = p.Expect("tools/call"); !strings.Contains(m.Line, `"requestState":"\u00e9\/s"`) {
						t.Errorf("sent %s", m.Line)
					}
				}
				p.Refuse(m, 7, "enough")
				if err := <-request; err == nil {
					t.Error("no error")
				}
				request = calling(t, c, nil)
				if m = p.Expect("tools/call"); strings.Contains(m.Line, "inputResponses") || strings.Contains(m.Line, "requestState") {
					t.Errorf("sent %s", m.Line)
				}
				p.Reply(m, emptyContent)
				must(t, <-request)
				read := func() chan error {
					failed := make(chan error, 1)
					go func() {
						_, err := c.ReadResource(t.Context(), "x:a", nil)
						failed <- err
					}()
					return failed
				}
				failed := read()
				p.Reply(p.Expect("resources/read"), `{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}`)
				again := p.Expect("resources/read")
				if strings.Contains(again.Line, "requestState") || !strings.Contains(again.Line, `"inputResponses":{"r":{"roots":`) {
					t.Errorf("sent %s", again.Line)
				}
				other := calling(t, c, nil)
				if m := p.Expect("tools/call"); strings.Contains(m.Line, "inputResponses") {
					t.Errorf("sent %s", m.Line)
				} else {
					p.Reply(m, emptyContent)
				}
				must(t, <-other)
				p.Reply(again, `{"resultType":"complete","ttlMs":60000,"cacheScope":"public","contents":[]}`)
				must(t, <-failed)
				failed = read() // the result does not come from the cache
				p.Reply(p.Expect("resources/read"), `{"resultType":"input_required","requestState":"s"}`)
				p.Reply(p.Expect("resources/read"), `{"resultType":"complete","ttlMs":60000,"contents":[]}`)
				must(t, <-failed)
				failed = read() // the result does not come from the cache either
				p.Reply(p.Expect("resources/read"), `{"resultType":"complete","contents":[]}`)
				must(t, <-failed)
			})
		})
	}
}

func TestTasksAreHandledAsTheServerSays(t *testing.T) {
	proves(t, "xtasks.input.client-reads", "xtasks.input.same-trust", "xtasks.update.keys", "xtasks.poll.interval", "xtasks.poll.until", "xtasks.input.dedupe",
		"xtasks.cancel.not-notification", "cache.poll-jitter", "xtasks.client.both-shapes")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := answering()
				opts.Tasks = true
				p, c := playedOver(t, transport, "2026-07-28", opts)
				state := func(status, more string) string {
					return fmt.Sprintf(`{"resultType":"complete","taskId":"t1","status":%q,"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":5000%s}`, status, more)
				}
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), strings.Replace(state("working", ""), "complete", "task", 1))
				p.Reply(p.Expect("tasks/get"), state("working", ""))
				start := time.Now()
				question := `,"inputRequests":{"a":{"method":"roots/list"}}`
				p.Reply(p.Expect("tasks/get"), state("input_required", question))
				if waited := time.Since(start); waited < 5*time.Second || waited > 5500*time.Millisecond {
					t.Errorf("the next look came after %v", waited)
				}
				m := p.Expect("tasks/update")
				if !strings.Contains(m.Line, `"taskId":"t1","inputResponses":{"a":{"roots":[{"uri":"file:///src","name":"src"}]}}`) {
					t.Errorf("sent %s", m.Line)
				}
				p.Reply(m, `{"resultType":"complete"}`)
				p.Reply(p.Expect("tasks/get"), state("input_required", question)) // the client answers the question once
				p.Reply(p.Expect("tasks/get"), state("completed", `,"result":{"content":[]}`))
				must(t, <-failed)

				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					_, err := c.CallTool(ctx, "tool", nil, nil)
					failed <- err
				}()
				p.Reply(p.Expect("tools/call"), strings.Replace(state("working", ""), "complete", "task", 1))
				p.Reply(p.Expect("tasks/get"), state("working", ""))
				synctest.Wait() // the client has read the response, so no request is in flight
				cancel()
				p.Reply(p.Expect("tasks/cancel"), `{"resultType":"complete"}`)
				if err := <-failed; !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
				for status, want := range map[string]string{"cancelled": "cancelled", "failed": "code 5", "odd": "unknown status"} {
					failed = calling(t, c, nil)
					p.Reply(p.Expect("tools/call"), strings.Replace(state("working", ""), "complete", "task", 1))
					p.Reply(p.Expect("tasks/get"), state(status, `,"error":{"code":5,"message":"x"}`))
					if err := <-failed; err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%s: %v", status, err)
					}
				}
			})
		})
	}
}

func TestToolsAreTasksOnlyWhereTheServerSaysSo(t *testing.T) {
	proves(t, "tasks.tool.forbidden", "tasks.tool.required", "tasks.tool.optional", "tasks.notify.not-relied")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := playedOver(t, transport, "2025-11-25", mcp.ClientOptions{})
				listed := make(chan bool)
				go func() {
					for _, err := range c.Tools(t.Context()) {
						if err != nil {
							t.Error(err)
						}
					}
					listed <- true
				}()
				p.Reply(p.Expect("tools/list"), `{"tools":[{"name":"never","inputSchema":{}},{"name":"tool","inputSchema":{},"execution":{"taskSupport":"required"}}]}`)
				<-listed
				if _, err := c.CallToolTask(t.Context(), "never", nil, 0, nil); err == nil {
					t.Error("a tool that forbids it was called as a task")
				}
				failed := calling(t, c, nil)
				m := p.Expect("tools/call")
				if !strings.Contains(m.Line, `"task":{}`) {
					t.Errorf("sent %s", m.Line)
				}
				const task = `"taskId":"t1","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null`
				p.Reply(m, `{"task":{`+task+`,"status":"working"}}`)
				// The server sends no notifications. It may or may not specify how often to poll.
				for _, poll := range []string{``, `,"pollInterval":50`, `,"pollInterval":0`, `,"pollInterval":null`, `,"pollInterval":3600000`, ``} {
					p.Reply(p.Expect("tasks/get"), `{`+task+`,"status":"working"`+poll+`}`)
				}
				p.Reply(p.Expect("tasks/get"), `{`+task+`,"status":"completed"}`)
				p.Reply(p.Expect("tasks/result"), `{"content":[]}`)
				must(t, <-failed)
				// The latest list is used, for every way of calling the tool.
				for i, support := range []string{"", "required", "optional", "required", "forbidden", "required", "Required", "required"} {
					go func() { must(t, lastOf(c.Tools(t.Context()))); listed <- true }()
					more := []string{``, `,"title":"T","annotations":{"readOnlyHint":true}`, `,"description":"D","_meta":{"example.com/a":1}`, `,"outputSchema":{"type":"object"}`}[i/2]
					p.Reply(p.Expect("tools/list"), `{"tools":[{"name":"tool","inputSchema":{},"execution":{"taskSupport":"`+support+`"}`+more+`}]}`)
					<-listed
					for name, call := range map[string]func() error{
						"plain":   func() error { _, err := c.CallTool(t.Context(), "tool", nil, nil); return err },
						"generic": func() error { _, err := mcp.CallTool[string](t.Context(), c, "tool", nil, nil); return err },
						"progress": func() error {
							_, err := c.CallTool(t.Context(), "tool", nil, &mcp.CallOptions{Progress: func(mcp.Progress) {}})
							return err
						},
					} {
						go func() { failed <- call() }()
						m := p.Expect("tools/call")
						if strings.Contains(m.Line, `"task":{`) != (support == "required") {
							t.Errorf("%q, %s: sent %s", support, name, m.Line)
						}
						p.Refuse(m, 1, "enough")
						<-failed
					}
				}
			})
		})
	}
}

func TestInitializeIsNeverCancelled(t *testing.T) {
	revisionsOf(t, "cancel.not-initialize", func(t *testing.T, revision string) {
		for _, timeout := range []time.Duration{time.Hour, time.Minute} { // the call ends because of the caller's timeout or the client's
			t.Run(fmt.Sprintf("pipe, %v", timeout), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					near, far := tapped(t)
					ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
					defer cancel()
					opts := &mcp.ClientOptions{Revisions: []string{revision}, Timeout: timeout}
					if _, err := mcp.Connect(ctx, &mcp.ConnTransport{Conn: near}, opts); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("the error is %v", err)
					}
					if got := far.text(); !strings.Contains(got, `"method":"initialize"`) || strings.Count(got, "\n") != 1 {
						t.Errorf("sent %s", got)
					}
				})
				ran(t, revision, "pipe")
			})
		}
		t.Run("pipe, again", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := echoServer(t, nil)
				near, far := tapped(t)
				dialed := 0
				first, served := net.Pipe()
				c, err := mcp.Connect(t.Context(), &mcp.ConnTransport{Dial: func(context.Context) (io.ReadWriteCloser, error) {
					if dialed++; dialed > 1 {
						return near, nil
					}
					go server.ServeConn(context.Background(), served)
					return first, nil
				}}, &mcp.ClientOptions{Revisions: []string{revision}, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
				must(t, err, served.Close())
				synctest.Wait() // the client has noticed the end of the connection
				if err := c.Ping(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the error is %v", err)
				}
				if got := far.text(); !strings.Contains(got, `"method":"initialize"`) || strings.Contains(got, "cancelled") {
					t.Errorf("sent %s", got)
				}
				must(t, c.Close())
			})
			ran(t, revision, "pipe")
		})
		for _, kind := range []string{"http", "sse"} {
			if kind == "sse" && revision != "2024-11-05" {
				continue
			}
			t.Run(kind, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				s := scripted(t, func(w http.ResponseWriter, p *posted) {
					switch {
					case p.Request.Method == http.MethodGet:
						w.Header().Set("Content-Type", "text/event-stream")
						io.WriteString(w, "event: endpoint\ndata: /post\n\n")
						w.(http.Flusher).Flush()
						<-p.Context().Done()
					case kind == "sse" && p.URL.Path != "/post":
						w.WriteHeader(http.StatusMethodNotAllowed)
					case kind == "sse":
						w.WriteHeader(http.StatusAccepted)
						cancel()
					default:
						cancel()
						<-p.Context().Done()
					}
				})
				if _, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: s.URL}, &mcp.ClientOptions{Revisions: []string{revision}}); !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
				s.Close() // the server has served all requests
				ran(t, revision, kind)
				for _, p := range s.requests("") {
					if p.Request.Method == http.MethodPost && p.Method != "initialize" {
						t.Errorf("sent %s", p.body)
					}
				}
			})
		}
	})
}

// everyRequest returns functions that each send a request. A key consists of the method and the
// members of a result, followed by "then" if the request is for a later page.
func everyRequest(t *testing.T, c *mcp.Client) map[string]func() error {
	ctx := t.Context()
	pages := func() error { return lastOf(c.Prompts(ctx)) }
	return map[string]func() error{
		`tools/list "tools":[]`:                                    func() error { return lastOf(c.Tools(ctx)) },
		`prompts/list "prompts":[]`:                                pages,
		`prompts/list "prompts":[] then`:                           pages,
		`resources/list "resources":[]`:                            func() error { return lastOf(c.Resources(ctx)) },
		`resources/templates/list "resourceTemplates":[]`:          func() error { return lastOf(c.ResourceTemplates(ctx)) },
		`resources/read "contents":[]`:                             func() error { _, err := c.ReadResource(ctx, "x:b", nil); return err },
		`prompts/get "messages":[]`:                                func() error { _, err := c.GetPrompt(ctx, "x", nil, nil); return err },
		`completion/complete "completion":{"values":[]}`:           func() error { _, err := c.CompletePrompt(ctx, "p", "a", "", nil); return err },
		`server/discover "supportedVersions":[],"capabilities":{}`: func() error { return c.Ping(ctx) },
		`tasks/get "taskId":"x","status":"working"`:                func() error { _, err := c.Task("x").State(ctx); return err },
		`tasks/cancel "taskId":"x"`:                                func() error { return c.Task("x").Cancel(ctx) },
		`example/any "a":1`:                                        func() error { _, err := c.Call(ctx, "example/any", nil, nil); return err },
	}
}
