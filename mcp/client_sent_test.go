package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// everyAction contains the actions of an elicitation's result, and strings that are not actions with
// the value false.
var everyAction = map[mcp.Action]bool{
	mcp.ActionAccept: true, mcp.ActionDecline: true, mcp.ActionCancel: true,
	"": false, "Accept": false, "reject": false, "accepted": false,
}

func TestEveryActionOfAnElicitation(t *testing.T) {
	ask := func(mode string) string {
		if mode == "url" {
			return `{"mode":"url","message":"m","url":"https://example.com/x","elicitationId":"1"}`
		}
		return `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`
	}
	eachPlayed(t, "elicit.result.action", func(t *testing.T, revision, transport string) {
		proves(t, "elicit.result.content")
		for action, valid := range everyAction {
			opts := mcp.ClientOptions{
				Logger: slog.New(slog.DiscardHandler),
				ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
					return mcp.ElicitationResult{Action: action, Content: []byte("{\n}")}, nil
				},
				ElicitURL: func(context.Context, *mcp.Elicitation) (mcp.Action, error) { return action, nil },
			}
			for _, mode := range []string{"form", "url"} {
				if mode == "url" && revision < "2025-11-25" {
					continue
				}
				want := fmt.Sprintf(`{"action":%q}`, action)
				if mode == "form" && action == mcp.ActionAccept {
					want = `{"action":"accept","content":{}}`
				}
				if revision < "2026-07-28" {
					p, _ := playedOver(t, transport, revision, opts)
					m := p.Ask("elicitation/create", ask(mode))
					if valid && string(m.Result) != want || !valid && !strings.Contains(string(m.Error), `"code":-32603`) {
						t.Errorf("%s, action %q: the client sent %s", mode, action, m.Line)
					}
					continue
				}
				s := scripted(t, func(w http.ResponseWriter, p *posted) {
					switch {
					case p.Method == "server/discover":
						p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
					case strings.Contains(p.body, `"inputResponses"`):
						p.reply(w, emptyContent)
					default:
						p.reply(w, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+ask(mode)+`}}}`)
					}
				})
				ran(t, revision, "http")
				opts.Revisions = []string{revision}
				c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, &opts)
				must(t, err)
				_, err = c.CallTool(t.Context(), "tool", nil, nil)
				sent := s.requests("tools/call")
				if (err == nil) != valid || valid != (len(sent) == 2 && strings.Contains(sent[1].body, `"inputResponses":{"q":`+want+`}`)) {
					t.Errorf("%s, action %q: %v after %d requests, the last %s", mode, action, err, len(sent), sent[len(sent)-1].body)
				}
				must(t, c.Close())
			}
		}
	})
}

// TestEveryRequestDeclaresTheCapabilities checks requests of each kind: the first one, requests for
// later pages, requests with answers to questions, requests about tasks, and the request for a
// subscription.
func TestEveryRequestDeclaresTheCapabilities(t *testing.T) {
	for name, sampling := range map[string]string{"sampling": `{}`, "sampling with tools": `{"tools":{}}`} {
		t.Run(name, func(t *testing.T) {
			proves(t, "sampling.capability.modern", "roots.capability.modern", "elicit.capability.modern", "xtasks.update.keys", "meta.request.protocol-version",
				"meta.request.client-capabilities", "mrtr.client.original-params", "mrtr.client.same-keys", "mrtr.client.builds-inputs")
			for _, transport := range clientTransports(latest) {
				t.Run(transport, func(t *testing.T) { requestsDeclare(t, transport, sampling) })
			}
		})
	}
}

func requestsDeclare(t *testing.T, transport, sampling string) {
	declared := `"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":` + sampling + `,"elicitation":{"form":{},"url":{}},` +
		`"extensions":{"com.example/a":{"b":1},"io.modelcontextprotocol/tasks":{}}}`
	keys := []string{"a", `with "quotes" and \`, "two\nlines", strings.Repeat("long", 100), "é\u2028", " padded ", "more", ""}
	questions, answers := map[string]any{}, map[string]any{}
	for _, key := range keys {
		questions[key] = map[string]any{"method": "roots/list"}
		answers[key] = map[string]any{"roots": []any{map[string]any{"uri": "file:///src", "name": "src"}}}
	}
	request, err := json.Marshal(questions)
	must(t, err)
	opts := answering()
	opts.SampleTools, opts.Tasks = sampling != "{}", true
	opts.Extensions = map[string]any{"com.example/a": json.RawMessage("{\n\"b\":1}")}
	p, c := playedOver(t, transport, "2026-07-28", opts)
	expect := func(method string) (reply func(result string)) {
		t.Helper()
		m := p.Expect(method)
		if !strings.Contains(m.Line, declared) {
			t.Errorf("%s does not declare %s: %s", method, declared, m.Line)
		}
		for _, key := range []string{"protocolVersion", "clientInfo", "clientCapabilities"} {
			if strings.Count(m.Line, `"io.modelcontextprotocol/`+key+`"`) != 1 {
				t.Errorf("%s does not have %s once: %s", method, key, m.Line)
			}
		}
		if method == "tools/call" && !strings.Contains(m.Line, `"com.example/m":[1]`) {
			t.Errorf("%s lacks the caller's _meta: %s", method, m.Line)
		}
		var params struct {
			Inputs map[string]any `json:"inputResponses"`
		}
		must(t, json.Unmarshal(m.Params, &params))
		if got, want := fmt.Sprint(params.Inputs), fmt.Sprint(answers); len(params.Inputs) > 0 && got != want {
			t.Errorf("%s has the answers %s, want %s", method, got, want)
		}
		return func(result string) { p.Reply(m, result) }
	}
	failed := calling(t, c, &mcp.CallOptions{Progress: func(mcp.Progress) {}, Meta: mcp.Meta{
		"com.example/m": []int{1}, "io.modelcontextprotocol/protocolVersion": "2025-11-25", "io.modelcontextprotocol/clientCapabilities": map[string]any{}, "io.modelcontextprotocol/clientInfo": "mine",
	}})
	expect("tools/call")(`{"resultType":"input_required","requestState":"s","inputRequests":` + string(request) + `}`)
	expect("tools/call")(`{"resultType":"input_required","requestState":"t"}`)
	const task = `"taskId":"t1","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":1`
	expect("tools/call")(`{"resultType":"task","status":"working",` + task + `}`)
	expect("tasks/get")(`{"resultType":"complete","status":"input_required",` + task + `,"inputRequests":` + string(request) + `}`)
	expect("tasks/update")(`{"resultType":"complete"}`)
	expect("tasks/get")(`{"resultType":"complete","status":"completed",` + task + `,"result":{"content":[]}}`)
	must(t, <-failed)
	go func() {
		for _, err := range c.Tools(t.Context()) {
			failed <- err
			return
		}
		failed <- nil
	}()
	expect("tools/list")(`{"resultType":"complete","tools":[],"nextCursor":"x"}`)
	expect("tools/list")(`{"resultType":"complete","tools":[]}`)
	must(t, <-failed)
	go func() { failed <- c.Ping(t.Context()) }()
	expect("server/discover")(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`)
	must(t, <-failed)
	for method, call := range map[string]func() error{
		"completion/complete": func() error { _, err := c.CompletePrompt(t.Context(), "p", "a", "", nil); return err },
		"prompts/get":         func() error { _, err := c.GetPrompt(t.Context(), "p", nil, nil); return err },
		"resources/read":      func() error { _, err := c.ReadResource(t.Context(), "x:a", nil); return err },
		"tasks/cancel":        func() error { return c.Task("x").Cancel(t.Context()) },
		"example/any":         func() error { _, err := c.Call(t.Context(), "example/any", nil, nil); return err },
	} {
		go func() { failed <- call() }()
		expect(method)(`{"resultType":"complete","completion":{"values":[]},"messages":[],"contents":[]}`)
		must(t, <-failed)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := c.Subscribe(ctx, mcp.Filter{Tools: true})
		failed <- err
	}()
	expect("subscriptions/listen")
	cancel()
	<-failed
	if transport != "pipe" {
		return
	}
	for range 2 { // on a new connection
		p.Close()
		go func() {
			err := errors.New("not sent")
			for err != nil { // try until the client has noticed the end of the connection
				err = c.Ping(t.Context())
			}
			failed <- err
		}()
		p.Accept()
		expect("server/discover")(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + mcptest.Capabilities + `}`)
		expect("server/discover")(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`)
		must(t, <-failed)
	}
}

// TestIDsOfRequestsInFlightAreNotUsedAgain sends many requests while one request waits.
func TestIDsOfRequestsInFlightAreNotUsedAgain(t *testing.T) {
	revisionsOf(t, "base.id.unique-in-flight", func(t *testing.T, revision string) {
		p, c := played(t, revision, mcp.ClientOptions{})
		seen := map[string]bool{}
		first := calling(t, c, nil)
		waiting := p.Expect("tools/call")
		seen[string(waiting.ID)] = true
		for range 10_000 {
			failed := calling(t, c, nil)
			m := p.Expect("tools/call")
			if seen[string(m.ID)] {
				t.Fatalf("the id %s is used again", m.ID)
			}
			seen[string(m.ID)] = true
			p.Reply(m, emptyContent)
			must(t, <-failed)
		}
		p.Reply(waiting, emptyContent)
		must(t, <-first)
	})
	// Send requests of each kind, two at the same time.
	everyKind := func(c *mcp.Client, kind string) error {
		ctx := t.Context()
		var err error
		switch kind {
		case "tools/call":
			_, err = c.CallTool(ctx, "x", nil, nil)
		case "resources/read":
			_, err = c.ReadResource(ctx, "x:a", nil)
		case "prompts/get":
			_, err = c.GetPrompt(ctx, "x", nil, nil)
		case "tools/list":
			err = lastOf(c.Tools(ctx))
		case "completion/complete":
			_, err = c.CompletePrompt(ctx, "p", "a", "", nil)
		case "tasks/get":
			_, err = c.Task("x").State(ctx)
		case "tasks/cancel":
			err = c.Task("x").Cancel(ctx)
		case "server/discover":
			err = c.Ping(ctx)
		case "subscriptions/listen":
			_, err = c.Subscribe(ctx, mcp.Filter{Tools: true})
		default:
			_, err = c.Call(ctx, kind, nil, nil)
		}
		return err
	}
	eachPlayed(t, "base.id.unique-in-flight", func(t *testing.T, revision, transport string) {
		opts := answering()
		opts.Tasks = true
		p, c := playedOver(t, transport, revision, opts)
		kinds := []string{"tools/call", "resources/read", "prompts/get", "tools/list", "completion/complete", "tasks/get", "tasks/cancel", "server/discover", "subscriptions/listen", "example/any"}
		kinds = append(kinds, kinds...)
		var asking sync.WaitGroup
		for _, kind := range kinds {
			asking.Go(func() {
				if everyKind(c, kind) == nil {
					t.Errorf("%s is answered", kind)
				}
			})
		}
		seen := map[string]string{}
		for range kinds {
			m := p.Receive()
			if other, used := seen[string(m.ID)]; used {
				t.Errorf("the id %s is that of %s and of %s", m.ID, other, m.Method)
			}
			seen[string(m.ID)] = m.Method
		}
		p.Close()
		must(t, c.Close())
		asking.Wait()
	})
}

// TestWhatTheCallerGivesIsSentOnOneLine passes JSON with line breaks wherever the client accepts
// JSON. Peer fails the test if a line is not a complete message.
func TestWhatTheCallerGivesIsSentOnOneLine(t *testing.T) {
	broken := json.RawMessage("{\n\"a\":\r\n[ 1,\n2 ]\r}")
	revisionsOf(t, "stdio.no-embedded-newline", func(t *testing.T, revision string) {
		proves(t, "stdio.stdin-only-mcp")
		opts := answering()
		opts.Extensions = map[string]any{"com.example/a": broken}
		opts.Info = mcp.Implementation{Name: "two\nlines", Version: "1\r\n2"}
		opts.ElicitForm = func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage("{\n\"a\":\r\n1\r}")}, nil
		}
		opts.Sample = func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
			return &mcp.SamplingResult{Model: "m\n", Content: []mcp.Content{mcp.Text("x\r\ny")}, StopReason: "\n"}, nil
		}
		opts.Roots = func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a", Name: "b\nc"}}, nil }
		p, c := played(t, revision, opts)
		if revision < "2026-07-28" {
			questions := map[string]string{"roots/list": `{}`, "sampling/createMessage": `{"maxTokens":1,"messages":[]}`}
			if revision >= "2025-06-18" {
				questions["elicitation/create"] = `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`
			}
			for method, params := range questions {
				if m := p.Ask(method, params); m.Result == nil || strings.ContainsAny(m.Line, "\n\r") {
					t.Errorf("%s is answered with %q", method, m.Line)
				}
			}
		}
		opt := &mcp.CallOptions{Meta: mcp.Meta{"com.example/m": broken}}
		for method, call := range map[string]func() error{
			"tools/call":           func() error { _, err := c.CallTool(t.Context(), "x\ny", broken, opt); return err },
			"resources/read":       func() error { _, err := c.ReadResource(t.Context(), "x:\n", opt); return err },
			"prompts/get":          func() error { _, err := c.GetPrompt(t.Context(), "p", map[string]string{"a\n": "\r"}, opt); return err },
			"completion/complete":  func() error { _, err := c.CompletePrompt(t.Context(), "p", "\n", "\r", nil); return err },
			"example/any":          func() error { _, err := c.Call(t.Context(), "example/any", broken, opt); return err },
			"notifications/custom": func() error { return c.Notify(t.Context(), "notifications/custom", broken) },
		} {
			failed := make(chan error, 1)
			go func() { failed <- call() }()
			m := p.Expect(method)
			if strings.ContainsAny(m.Line, "\n\r") {
				t.Errorf("%s is sent as %q", method, m.Line)
			}
			if m.ID != nil {
				p.Refuse(m, 1, "read")
			}
			<-failed
		}
		callCtx, cancel := context.WithCancelCause(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := c.CallTool(callCtx, "x", nil, nil)
			failed <- err
		}()
		p.Expect("tools/call")
		cancel(errors.New("\"two\"\r\nlines"))
		if m := p.Expect("notifications/cancelled"); strings.ContainsAny(m.Line, "\n\r") || !strings.Contains(m.Line, `"reason":"\"two\"\r\nlines"`) {
			t.Errorf("the reason is sent as %q", m.Line)
		}
		<-failed
	})
}

// TestAnElicitationIsCompletedOnce reports the completion of elicitations that the server has
// started, and of others.
func TestAnElicitationIsCompletedOnce(t *testing.T) {
	revisionsOf(t, "elicit.complete.unknown-ignored", func(t *testing.T, revision string) {
		proves(t, "elicit.url.id-opaque")
		var completed []string
		action := mcp.ActionAccept
		p, c := played(t, revision, mcp.ClientOptions{
			ElicitURL: func(context.Context, *mcp.Elicitation) (mcp.Action, error) {
				if action == "" {
					return mcp.ActionAccept, errors.New("no browser")
				}
				return action, nil
			},
			ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
				return mcp.ElicitationResult{Action: mcp.ActionAccept}, nil
			},
			Logger:              slog.New(slog.DiscardHandler),
			ElicitationComplete: func(id string) { completed = append(completed, id) }, // Flush waits until this function has returned
		})
		visit := func(id string) {
			p.Ask("elicitation/create", `{"mode":"url","message":"m","url":"https://example.com/x","elicitationId":"`+id+`"}`)
		}
		visit("asked")
		action = mcp.ActionDecline
		visit("declined")
		action = mcp.ActionCancel
		visit("cancelled")
		action = ""
		visit("failed")
		p.Ask("elicitation/create", `{"mode":"form","message":"m","elicitationId":"form","requestedSchema":{"type":"object","properties":{}}}`)
		action = mcp.ActionAccept
		opaque := []string{" spaced ", "é", "E\u0301", "{}", "0", "00", "Asked", "null", strings.Repeat("long", 250)}
		for _, id := range opaque {
			visit(id)
		}
		failed := calling(t, c, nil)
		m := p.Expect("tools/call")
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"mode":"url","elicitationId":"required","url":"https://example.com/y","message":"m"},{"mode":"url","elicitationId":" É\"0 ","url":"https://example.com/z","message":"m"}]}}}`, m.ID))
		if err := <-failed; err == nil {
			t.Error("no error")
		}
		for _, params := range []string{`{}`, `{"elicitationId":null}`, `{"elicitationId":7}`, `{"elicitationId":""}`, `{"elicitationId":"unknown"}`, `{"elicitationId":"declined"}`, `{"elicitationId":"cancelled"}`, `{"elicitationId":"failed"}`,
			`{"elicitationId":"form"}`, `{"elicitationId":"ask"}`, `{"elicitationId":"ASKED"}`, `{"elicitationId":"asked "}`, `{"elicitationId":"spaced"}`, `{"elicitationId":"e"}`, `{"elicitationId":"É"}`,
			`{"elicitationId":"` + strings.Repeat("long", 249) + `"}`, `{"elicitationId":"` + strings.Repeat("long", 300) + `"}`, `{"elicitationId":0}`,
			`{"elicitationId":"asked"}`, `{"elicitationId":"required"}`, `{"elicitationId":"É\"0"}`, `{"elicitationId":" É\"0 "}`, `{"elicitationId":"asked"}`, `{"elicitationId":"required"}`} {
			p.Notify("notifications/elicitation/complete", params)
		}
		for _, id := range opaque {
			for range 2 {
				p.Notify("notifications/elicitation/complete", fmt.Sprintf(`{"elicitationId":"%s"}`, id))
			}
		}
		failed = calling(t, c, nil) // when this call arrives, the client has read the notifications
		p.Reply(p.Expect("tools/call"), emptyContent)
		must(t, <-failed, c.Flush(t.Context()))
		if want := append([]string{"asked", "required", ` É"0 `}, opaque...); !slices.Equal(completed, want) {
			t.Errorf("completed %q, want %q", completed, want)
		}
	})
}

// TestATimeoutCancelsItsOwnRequest lets requests time out one after another while later ones wait.
func TestATimeoutCancelsItsOwnRequest(t *testing.T) {
	eachPlayed(t, "cancel.in-progress", func(t *testing.T, revision, transport string) {
		proves(t, "cancel.own-request", "cancel.same-direction", "cancel.request-id.required", "cancel.request-id.required-non-task", "stdio.cancel.notification")
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
			var ids []string
			var failed []chan error
			for i := range 4 {
				bounds := mcp.CallOptions{Timeout: time.Duration(i+1) * time.Minute}
				if i == 3 {
					bounds = mcp.CallOptions{Timeout: -1, MaxTimeout: time.Hour}
				}
				failed = append(failed, calling(t, c, &bounds))
				ids = append(ids, string(p.Expect("tools/call").ID))
			}
			for i, id := range ids {
				m := p.Expect("notifications/cancelled")
				if text := strings.NewReplacer("}", ",").Replace(m.Line); !strings.Contains(text, `"requestId":`+id+`,`) {
					t.Errorf("request %s is cancelled by %s", id, m.Line)
				}
				if err := <-failed[i]; !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	})
}

// TestEveryKindOfRequestIsCancelled cancels the context of requests of each kind.
func TestEveryKindOfRequestIsCancelled(t *testing.T) {
	eachPlayed(t, "cancel.in-progress", func(t *testing.T, revision, transport string) {
		proves(t, "cancel.own-request", "stdio.cancel.notification", "cancel.request-id.required", "cancel.request-id.required-non-task", "subs.end.client-cancel")
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{Tasks: true})
			calls := callsOf(c)
			if revision >= "2025-11-25" {
				calls["tasks/get"] = func(ctx context.Context) error { _, err := c.Task("t").State(ctx); return err }
				calls["tasks/cancel"] = func(ctx context.Context) error { return c.Task("t").Cancel(ctx) }
			}
			giveUp := func(method string, call func(ctx context.Context) error, lead func(m mcptest.Message) mcptest.Message) {
				t.Helper()
				ctx, cancel := context.WithCancel(t.Context())
				failed := make(chan error, 1)
				go func() { failed <- call(ctx) }()
				m := lead(p.Expect(method))
				cancel()
				if err := <-failed; !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", method, err)
				}
				if got := p.Expect("notifications/cancelled"); !strings.Contains(strings.ReplaceAll(got.Line, "}", ","), `"requestId":`+string(m.ID)+`,`) {
					t.Errorf("%s %s is cancelled by %s", method, m.ID, got.Line)
				}
			}
			for method, call := range calls {
				giveUp(method, call, func(m mcptest.Message) mcptest.Message { return m })
			}
			giveUp("prompts/list", calls["prompts/list"], func(m mcptest.Message) mcptest.Message {
				p.Reply(m, `{"resultType":"complete","prompts":[],"nextCursor":"c"}`)
				return p.Expect("prompts/list")
			})
			reported := make(chan bool)
			giveUp("tools/call", func(ctx context.Context) error {
				_, err := c.CallTool(ctx, "x", nil, &mcp.CallOptions{Progress: func(mcp.Progress) { reported <- true }})
				return err
			}, func(m mcptest.Message) mcptest.Message {
				p.Notify("notifications/progress", `{"progressToken":`+string(m.ID)+`,"progress":1}`)
				<-reported
				return m
			})
			if revision < latest {
				return
			}
			giveUp("tools/call", calls["tools/call"], func(m mcptest.Message) mcptest.Message {
				p.Reply(m, `{"resultType":"input_required","requestState":"s"}`)
				return p.Expect("tools/call")
			})
			giveUp("subscriptions/listen", func(ctx context.Context) error {
				_, err := c.Subscribe(ctx, mcp.Filter{Tools: true})
				return err
			}, func(m mcptest.Message) mcptest.Message { return m })
		})
	})
}

// TestLooksAtATaskBackOff breaks the connection each time the client requests the state of a task.
func TestLooksAtATaskBackOff(t *testing.T) {
	revisionsOf(t, "cache.poll-jitter", func(t *testing.T, revision string) {
		synctest.Test(t, func(t *testing.T) {
			p, c := played(t, revision, mcp.ClientOptions{Tasks: true})
			failed := make(chan error)
			go func() {
				_, err := c.Task("t").Wait(t.Context())
				failed <- err
			}()
			minimum := 50 * time.Millisecond
			for range 7 {
				p.Expect("tasks/get")
				p.Close()
				lost := time.Now()
				p.Accept()
				if waited := time.Since(lost); waited < minimum || waited > 3*minimum {
					t.Errorf("the client looks again after %v, want at least %v", waited, minimum)
				}
				minimum *= 2
				p.Handshake(revision)
			}
			p.Refuse(p.Expect("tasks/get"), 1, "enough")
			<-failed
		})
	})
}
