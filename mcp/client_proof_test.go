package mcp_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// sentLog holds what a client has sent.
type sentLog struct {
	mu    sync.Mutex
	lines []string
}

// trace is a ClientOptions.Trace.
func (l *sentLog) trace(sent bool, message json.RawMessage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sent {
		l.lines = append(l.lines, string(message))
	}
}

// take returns what was sent since the last call.
func (l *sentLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.lines, "\n")
	l.lines = nil
	return text
}

// askingServer has a tool that asks for roots and one that asks to fill in the
// form of its argument.
func askingServer(t *testing.T) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "asks", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "roots"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "asked", r.Ask(ctx, &mcp.RootsQuestion{})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "form"}, func(ctx context.Context, r *mcp.Request, in struct {
			Schema json.RawMessage `json:"schema"`
		}) (string, error) {
			return "asked", r.Ask(ctx, &mcp.Elicitation{Message: "fill in", Schema: in.Schema})
		}))
	return s
}

// TestRootsAreFilesAndLeadNowhereElse gives roots that differ from a good one in
// one thing, alone and after a good one.
func TestRootsAreFilesAndLeadNowhereElse(t *testing.T) {
	proves(t, "roots.uri.file", "roots.security.traversal", "roots.internal", "roots.list.result")
	roots := map[string]bool{
		"file:///src": true, "file:///": true, "file:///a/..b": true, "file:///a/b..": true, "file:///a/.../b": true, "file:///a%20b/c": true, "file:///C:/a": true, "file://host/share": true,
		"http://example.com/src": false, "https://example.com/src": false, "ftp:///src": false, "files:///src": false, "fil:///src": false, "/src": false, "src": false, "": false, "file:": false, "file:src": false,
		"file:///..": false, "file:///../a": false, "file:///a/..": false, "file:///a/../b": false, "file:///a/../../b": false, "file:///a/%2e%2e/b": false, "file:///a/.%2E": false, "file:///a%2f..%2fb": false, `file:///a\..\b`: false,
		"file:///a/%5c..%5cb": false, "file://host/../a": false, "file://src": false, "file://src?a": false, "file://": false, "file:///..?a": false, "file://host/share/..": false, "file:///a/..//b": false, "file:///a/../": false, "://": false,
	}
	var given []mcp.Root
	log := new(sentLog)
	eachClient(t, askingServer(t), func() mcp.ClientOptions {
		return mcp.ClientOptions{Roots: func(context.Context) ([]mcp.Root, error) { return given, nil }, Trace: log.trace, Logger: slog.New(slog.DiscardHandler), Limits: mcp.ClientLimits{MaxQuestionRate: 100_000}}
	}, func(t *testing.T, revision string, c *mcp.Client) {
		given = nil
		log.take()
		if _, err := mcp.CallTool[string](t.Context(), c, "roots", nil, nil); err != nil || !strings.Contains(log.take(), `{"roots":[]}`) {
			t.Errorf("no roots: %v", err)
		}
		for uri, valid := range roots {
			for _, before := range [][]mcp.Root{nil, {{URI: "file:///good", Name: "good"}}, {{URI: "file:///good", Name: "good"}, {URI: "file:///unnamed"}, {URI: "file:///good"}}} {
				log.take()
				given = append(slices.Clone(before), mcp.Root{URI: uri, Name: "checked"})
				_, err := mcp.CallTool[string](t.Context(), c, "roots", nil, nil)
				text, sent := log.take(), strings.Contains
				if valid && len(before) > 1 && !sent(text, `"roots":[{"uri":"file:///good","name":"good"},{"uri":"file:///unnamed"},{"uri":"file:///good"},{"uri":`) {
					t.Errorf("sent %s", text)
				}
				if valid != (err == nil) || valid != sent(text, "checked") || !valid && sent(text, "good") {
					t.Errorf("%q: %v after\n%s", uri, err, text)
				}
				if !valid && revision < "2026-07-28" && !sent(text, `"error":{"code":-32603,"message":"Internal error"}`) {
					t.Errorf("%q is answered with %s", uri, text)
				}
			}
		}
	})
}

// TestFormsAreCheckedBeforeTheyAreSent fills in forms of each kind of field, with
// values at the bounds and beyond.
func TestFormsAreCheckedBeforeTheyAreSent(t *testing.T) {
	proves(t, "elicit.validate.client", "elicit.result.content")
	var content string
	log := new(sentLog)
	s := askingServer(t)
	for _, revision := range revisions[2:] {
		for _, transport := range []string{"pipe", "http"} {
			t.Run(revision+"/"+transport, func(t *testing.T) {
				opts := mcp.ClientOptions{
					ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
						return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(content)}, nil
					},
					Trace: log.trace, Logger: slog.New(slog.DiscardHandler),
				}
				var c *mcp.Client
				if transport == "pipe" {
					c = reach(t, s, revision, opts).Client
				} else {
					c = reachHTTP(t, s, revision, opts)
				}
				arrays := revision >= "2025-11-25"
				for _, tt := range []struct {
					field, value string // value is "" for none
					valid        bool
				}{
					{`{"type":"string"}`, `"a"`, true},
					{`{"type":"string"}`, `7`, false},
					{`{"type":"string"}`, `null`, false},
					{`{"type":"string"}`, ``, false}, // it is required
					{`{"type":"string","minLength":2}`, `"é"`, false},
					{`{"type":"string","minLength":2}`, `"éa"`, true},
					{`{"type":"string","maxLength":2}`, `"éa"`, true},
					{`{"type":"string","maxLength":2}`, `"abc"`, false},
					{`{"type":"string","format":"email"}`, `"a@example.com"`, true},
					{`{"type":"string","format":"email"}`, `"a.example.com"`, false},
					{`{"type":"string","format":"uri"}`, `"https://example.com"`, true},
					{`{"type":"string","format":"uri"}`, `"no uri"`, false},
					{`{"type":"string","format":"date"}`, `"2026-02-28"`, true},
					{`{"type":"string","format":"date"}`, `"2026-02-30"`, false},
					{`{"type":"string","format":"date-time"}`, `"2026-02-28T10:00:00Z"`, true},
					{`{"type":"string","format":"date-time"}`, `"2026-02-28"`, false},
					{`{"type":"string","enum":["a","b"]}`, `"b"`, true},
					{`{"type":"string","enum":["a","b"]}`, `"B"`, false},
					{`{"type":"integer"}`, `7`, true},
					{`{"type":"integer"}`, `7.5`, false},
					{`{"type":"integer"}`, `"7"`, false},
					{`{"type":"integer","minimum":1,"maximum":3}`, `0`, false},
					{`{"type":"integer","minimum":1,"maximum":3}`, `1`, true},
					{`{"type":"integer","minimum":1,"maximum":3}`, `3`, true},
					{`{"type":"integer","minimum":1,"maximum":3}`, `4`, false},
					{`{"type":"number","minimum":0.5}`, `0.4`, false},
					{`{"type":"number"}`, `-1.5e3`, true},
					{`{"type":"boolean"}`, `false`, true},
					{`{"type":"boolean"}`, `"false"`, false},
					{`{"type":"string","default":"d"}`, ``, true},
					{`{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":1}`, `["a"]`, arrays},
					{`{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":1}`, `["a","b"]`, false},
					{`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}`, `[]`, false},
					{`{"type":"array","items":{"type":"string","enum":["a","b"]}}`, `["c"]`, false},
				} {
					if !arrays && strings.Contains(tt.field, "array") {
						continue // the server cannot ask for it
					}
					log.take()
					content = "{}"
					if tt.value != "" {
						content = `{"field":` + tt.value + `}`
					}
					want := content
					if strings.Contains(tt.field, "default") {
						want = `{"field":"d"}`
					}
					schema := `{"schema":{"type":"object","properties":{"field":` + tt.field + `},"required":["field"]}}`
					_, err := mcp.CallTool[string](t.Context(), c, "form", json.RawMessage(schema), nil)
					text := log.take()
					if sent := strings.Contains(text, `{"action":"accept","content":`+want+`}`); tt.valid != sent || tt.valid != (err == nil) || !tt.valid && strings.Contains(text, `"action"`) {
						t.Errorf("%s for %s: %v after\n%s", tt.value, tt.field, err, text)
					}
				}
				// Values of no field of a form are not sent, even if the schema allows them.
				for value, valid := range map[string]bool{`1`: true, `["a"]`: true, `[1]`: false, `[["a"]]`: false, `{"x":"y"}`: false, `null`: false, `[]`: true} {
					log.take()
					content = `{"field":"a","more":` + value + `}`
					_, err := mcp.CallTool[string](t.Context(), c, "form", json.RawMessage(`{"schema":{"type":"object","properties":{"field":{"type":"string"}}}}`), nil)
					if text := log.take(); valid != strings.Contains(text, content) || valid != (err == nil) {
						t.Errorf("%s: %v after\n%s", value, err, text)
					}
				}
			})
		}
	}
}

// TestQuestionsWithoutAFunctionAreRefused leaves out one function at a time.
func TestQuestionsWithoutAFunctionAreRefused(t *testing.T) {
	questions := map[string]string{
		"roots/list": `{}`, "sampling/createMessage": `{"maxTokens":100,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`,
		"elicitation/create": `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`,
	}
	eachPlayed(t, "roots.unsupported", func(t *testing.T, revision, transport string) {
		for missing := range questions {
			opts := answering()
			switch missing {
			case "roots/list":
				opts.Roots = nil
			case "sampling/createMessage":
				opts.Sample = nil
			default:
				opts.ElicitForm, opts.ElicitURL = nil, nil
			}
			p, _ := playedOver(t, transport, revision, opts)
			for method, params := range questions {
				m := p.Ask(method, params)
				if refused := strings.Contains(string(m.Error), `"code":-32601,`); refused != (method == missing || method == "elicitation/create" && revision < "2025-06-18") {
					t.Errorf("without %s: %s is answered with %s", missing, method, m.Line)
				}
			}
		}
	})
}

// TestToolUsesAreAnsweredAtOnce asks for a message after uses of tools that are
// not answered as they must be.
func TestToolUsesAreAnsweredAtOnce(t *testing.T) {
	const hi, use, other, result, otherResult = `{"type":"text","text":"hi"}`, `{"type":"tool_use","id":"a","name":"x","input":{}}`, `{"type":"tool_use","id":"b","name":"x","input":{}}`,
		`{"type":"tool_result","toolUseId":"a","content":[]}`, `{"type":"tool_result","toolUseId":"b","content":[]}`
	by := func(role string, content ...string) string {
		return `{"role":"` + role + `","content":[` + strings.Join(content, ",") + `]}`
	}
	eachPlayed(t, "sampling.error.tool-result-missing", func(t *testing.T, revision, transport string) {
		proves(t, "sampling.error.tool-result-mixed")
		asked := 0
		p, _ := playedOver(t, transport, revision, mcp.ClientOptions{SampleTools: true, Logger: slog.New(slog.DiscardHandler), Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
			asked++
			return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("hi")}}, nil
		}})
		for messages, valid := range map[string]bool{
			by("assistant", use) + "," + by("user", result):                             true,
			by("assistant", hi, use, other) + "," + by("user", otherResult, result):     true,
			by("assistant", use) + "," + by("user", result) + "," + by("assistant", hi): true,
			by("assistant", use):                        false,
			by("assistant", use) + "," + by("user", hi): false,
			by("assistant", use) + "," + by("assistant", hi) + "," + by("user", result): false,
			by("assistant", use, other) + "," + by("user", result):                      false,
			by("assistant", use, other) + "," + by("user", result, result):              false,
			by("assistant", use) + "," + by("user", otherResult):                        false,
			by("assistant", use) + "," + by("user", result, otherResult):                false,
			by("assistant", use) + "," + by("user", result, hi):                         false,
			by("assistant", use) + "," + by("user", hi, result):                         false,
			by("assistant", use) + "," + by("assistant", result):                        false,
			by("user", result):                         false,
			by("user", use) + "," + by("user", result): false,
		} {
			before := asked
			m := p.Ask("sampling/createMessage", `{"maxTokens":1,"tools":[{"name":"x","inputSchema":{"type":"object"}}],"messages":[`+messages+`]}`)
			if refused := strings.Contains(string(m.Error), `"code":-32602,`); refused == valid || (m.Result != nil) != valid || asked-before != map[bool]int{true: 1}[valid] {
				t.Errorf("%s is answered with %s", messages, m.Line)
			}
		}
	})
}

// TestCursorsEndWithTheirSession has the session end while the entries of a page
// are looked at, and when the next page is asked for.
func TestCursorsEndWithTheirSession(t *testing.T) {
	lists := map[string]func(ctx context.Context, c *mcp.Client) error{
		"tools/list":               func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tools(ctx)) },
		"prompts/list":             func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Prompts(ctx)) },
		"resources/list":           func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Resources(ctx)) },
		"resources/templates/list": func(ctx context.Context, c *mcp.Client) error { return lastOf(c.ResourceTemplates(ctx)) },
		"tasks/list":               func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tasks(ctx)) },
	}
	revisionsOf(t, "page.not-persisted", func(t *testing.T, revision string) {
		for _, transport := range clientTransports(revision) {
			t.Run(transport, func(t *testing.T) { cursorEnds(t, revision, transport) })
		}
		t.Run("http", func(t *testing.T) {
			for method, list := range lists {
				if method == "tasks/list" && revision < "2025-11-25" {
					continue
				}
				opened := 0
				s := scripted(t, func(w http.ResponseWriter, p *posted) {
					if p.Method == "initialize" {
						opened++
						w.Header().Set("Mcp-Session-Id", fmt.Sprint("session-", opened))
						p.reply(w, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{},"prompts":{},"resources":{},"tasks":{"list":{}}},"serverInfo":{"name":"x","version":"1"}}`, revision))
						return
					}
					switch {
					case p.session(w, revision, ""):
					case p.Header.Get("Mcp-Session-Id") == "session-1" && strings.Contains(p.body, "cursor"):
						w.WriteHeader(http.StatusNotFound)
					default:
						p.reply(w, `{"tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"tasks":[],"nextCursor":"of the first session"}`)
					}
				})
				if err := list(t.Context(), s.dialed(t, revision, &mcp.HTTPTransport{})); err == nil || !strings.Contains(err.Error(), "session") {
					t.Errorf("%s: the error is %v", method, err)
				}
				if len(s.requests(method)) < 2 {
					t.Errorf("%s: %d requests", method, len(s.requests(method)))
				}
				for _, p := range s.requests(method) {
					if p.Header.Get("Mcp-Session-Id") != "session-1" && strings.Contains(p.body, "cursor") {
						t.Errorf("%s: the cursor is sent in another session: %s", method, p.body)
					}
				}
			}
		})
	})
}

// TestEachKindOfResultIsKeptForItsTime asks for results of each kind that servers
// allow to keep, at the ends of their time and after changes.
func TestEachKindOfResultIsKeptForItsTime(t *testing.T) {
	proves(t, "cache.key.exact", "cache.ttl.fresh", "cache.ttl.zero", "cache.ttl.absent", "cache.ttl.negative", "cache.stale-refetch", "cache.notification-invalidates", "cache.no-poll")
	changes := map[string]string{
		"tools": "notifications/tools/list_changed", "prompts": "notifications/prompts/list_changed", "resources": "notifications/resources/list_changed", "a resource": "notifications/resources/updated",
	}
	for kind, tt := range map[string]struct {
		method, result string // lacks the brace at the end
		change         string // of changes
		ask            func(ctx context.Context, c *mcp.Client) error
	}{
		"tools":     {"tools/list", `{"resultType":"complete","tools":[]`, "tools", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Tools(ctx)) }},
		"prompts":   {"prompts/list", `{"resultType":"complete","prompts":[]`, "prompts", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Prompts(ctx)) }},
		"resources": {"resources/list", `{"resultType":"complete","resources":[]`, "resources", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.Resources(ctx)) }},
		"templates": {"resources/templates/list", `{"resultType":"complete","resourceTemplates":[]`, "resources", func(ctx context.Context, c *mcp.Client) error { return lastOf(c.ResourceTemplates(ctx)) }},
		"a resource": {"resources/read", `{"resultType":"complete","contents":[]`, "a resource", func(ctx context.Context, c *mcp.Client) error {
			_, err := c.ReadResource(ctx, "x:a", nil)
			return err
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, c := played(t, "2026-07-28", mcp.ClientOptions{})
				// asks has the client ask for the result, and reports whether it asks the
				// server, which answers with the hints.
				asks := func(hints string) bool {
					t.Helper()
					failed, asked := make(chan error, 1), false
					go func() { failed <- tt.ask(t.Context(), c) }()
					synctest.Wait()
					select {
					case err := <-failed:
						must(t, err)
					default:
						asked = true
						p.Reply(p.Expect(tt.method), tt.result+hints+`,"cacheScope":"private"}`)
						must(t, <-failed)
					}
					return asked
				}
				want := func(asked bool, when, hints string) {
					t.Helper()
					if got := asks(hints); got != asked {
						t.Errorf("%s: the server is asked: %t, want %t", when, got, asked)
					}
				}
				const hints = `,"ttlMs":60000`
				want(true, "at first", hints)
				want(false, "at once", hints)
				time.Sleep(60*time.Second - 1)
				want(false, "a nanosecond before the end", hints)
				time.Sleep(time.Nanosecond)
				synctest.Wait() // the client does not ask by itself
				want(true, "at the end", hints)
				for name, notification := range changes {
					p.Notify(notification, `{"uri":"x:a"}`)
					synctest.Wait()
					want(name == tt.change, "after a change of "+name, hints)
				}
				p.Notify(changes["a resource"], `{"uri":"x:b"}`)
				p.Notify("notifications/example", `{"uri":"x:a"}`)
				synctest.Wait()
				want(false, "after a change of another resource", hints)
				for _, none := range []string{`,"ttlMs":0`, `,"ttlMs":-1`, ``, `,"ttlMs":"60000"`, `,"ttlMs":null`, `,"ttlMs":0.4`} {
					time.Sleep(time.Minute)
					want(true, "before "+none, none)
					want(true, "after "+none, hints)
				}
				// What is kept of one method is not the result of another.
				for _, other := range []struct{ method, result string }{{"tools/list", `"tools":[]`}, {"prompts/list", `"prompts":[]`}, {"resources/list", `"resources":[]`}} {
					if other.method == tt.method {
						continue
					}
					failed := make(chan error, 1)
					go func() {
						switch other.method {
						case "tools/list":
							failed <- lastOf(c.Tools(t.Context()))
						case "prompts/list":
							failed <- lastOf(c.Prompts(t.Context()))
						default:
							failed <- lastOf(c.Resources(t.Context()))
						}
					}()
					p.Reply(p.Expect(other.method), `{"resultType":"complete",`+other.result+`,"ttlMs":0}`)
					must(t, <-failed)
				}
				want(false, "after other lists", hints)
				if kind != "a resource" {
					return
				}
				for _, uri := range []string{"X:a", "x:A", "x:a/", "x:a#", "x:a?", "x:%61", "x: a", "x:a\n", "x:", "x:a b", "x:a%20b", "x:a%2520b", "x:a?b", "x:a?b=1", "x:a?b=2", "x:a//", "x:" + strings.Repeat("a", 500), "x:" + strings.Repeat("a", 500) + "b", "x:a.", "x:á", "x:a\u0301"} {
					failed := make(chan error, 1)
					go func() {
						_, err := c.ReadResource(t.Context(), uri, nil)
						failed <- err
					}()
					synctest.Wait()
					if len(failed) > 0 {
						t.Errorf("%q is taken for x:a", uri)
						continue
					}
					p.Reply(p.Expect(tt.method), tt.result+hints+`}`) // it is kept, too
					must(t, <-failed)
				}
			})
		})
	}
}

// lastOf reads a list to its end and returns the error, if there was one.
func lastOf[T any](list func(yield func(T, error) bool)) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestPagesAfterACursorThatIsNotValidAreAskedForAgain has a server refuse the
// cursor of a page that is kept.
func TestPagesAfterACursorThatIsNotValidAreAskedForAgain(t *testing.T) {
	proves(t, "cache.cursor-invalid", "cache.consistent-snapshot")
	synctest.Test(t, func(t *testing.T) {
		p, c := played(t, "2026-07-28", mcp.ClientOptions{})
		failed := make(chan error, 1)
		list := func() { failed <- lastOf(c.Tools(t.Context())) }
		page := func(cursor, result string) {
			t.Helper()
			m := p.Expect("tools/list")
			if got := strings.Contains(m.Line, `"params":{"cursor":"`+cursor+`"`); got != (cursor != "") {
				t.Errorf("sent %s, want the cursor %q", m.Line, cursor)
			}
			if result == "" {
				p.Refuse(m, -32602, "no such cursor")
				return
			}
			p.Reply(m, `{"resultType":"complete","tools":[],"cacheScope":"private",`+result+`}`)
		}
		go list()
		page("", `"ttlMs":60000,"nextCursor":"one"`)
		page("one", `"ttlMs":60000,"nextCursor":"two"`)
		page("two", `"ttlMs":0`)
		must(t, <-failed)
		go list() // the first two pages are kept
		page("two", "")
		if err := <-failed; err == nil || !strings.Contains(err.Error(), "no such cursor") {
			t.Errorf("the error is %v", err)
		}
		go list()
		page("", `"ttlMs":60000`)
		must(t, <-failed)
	})
}

// TestTwoClientsKeepTheirOwnResults has two users read the same resource of one
// server, and one sign in as another.
func TestTwoClientsKeepTheirOwnResults(t *testing.T) {
	proves(t, "cache.private.no-sharing")
	var mu sync.Mutex
	expired := map[string]bool{}
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		mu.Lock()
		defer mu.Unlock()
		user := p.Header.Get("Authorization")
		switch {
		case expired[user]:
			w.WriteHeader(http.StatusUnauthorized)
		case p.Method == "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}}}`)
		case p.Method == "tools/call":
			p.reply(w, emptyContent)
		default:
			p.reply(w, `{"resultType":"complete","ttlMs":60000,"cacheScope":"private","contents":[{"uri":"x:a","text":"`+user+`"}]}`)
		}
	})
	read := func(c *mcp.Client, want string) {
		t.Helper()
		for range 2 {
			res, err := c.ReadResource(t.Context(), "x:a", nil)
			if err != nil || len(res.Contents) != 1 || res.Contents[0].Text != want {
				t.Errorf("%+v, %v, want the one of %s", res, err, want)
			}
		}
	}
	transport := func(user string) *mcp.HTTPTransport {
		return &mcp.HTTPTransport{Header: http.Header{"Authorization": {user}}}
	}
	read(s.dialed(t, "2026-07-28", transport("ada")), "ada")
	read(s.dialed(t, "2026-07-28", transport("eve")), "eve")
	guest := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{Authorizer: new(guests)})
	read(guest, "guest 1")
	mu.Lock()
	expired["guest 1"] = true
	mu.Unlock()
	if _, err := guest.CallTool(t.Context(), "x", nil, nil); err != nil { // signs in
		t.Fatal(err)
	}
	read(guest, "guest 2")
}

// users is an Authorizer whose user changes without a challenge.
type users struct{ user atomic.Value }

func (u *users) Authorize(_ context.Context, r *http.Request) error {
	user := u.user.Load().(string)
	if user == "" {
		return errors.New("signed out")
	}
	r.Header.Set("Cookie", "user="+user)
	r.Header.Set("Dpop", rand.Text()) // differs in each request
	return nil
}

func (*users) Challenged(context.Context, *http.Response) error { return errors.New("refused") }

// TestAPrivateResultIsReadUnderItsOwnCredentialsAlone changes the token of one
// client while results are cached, and while one is being read.
func TestAPrivateResultIsReadUnderItsOwnCredentialsAlone(t *testing.T) {
	proves(t, "cache.private.no-sharing")
	for _, scope := range []string{"private", "public", "", "Public", "shared", "absent"} {
		t.Run("scope "+scope, func(t *testing.T) {
			var asked atomic.Int32
			who := new(users)
			who.user.Store("ada")
			var during atomic.Value // becomes the user while a result is read
			during.Store("")
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				user := strings.TrimPrefix(p.Header.Get("Cookie"), "user=")
				hints := `{"resultType":"complete","ttlMs":60000,"cacheScope":"` + scope + `",`
				if scope == "absent" {
					hints = `{"resultType":"complete","ttlMs":60000,`
				}
				switch p.Method {
				case "server/discover":
					p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}}}`)
					return
				case "tools/list":
					p.reply(w, hints+`"tools":[{"name":"`+user+`","inputSchema":{"type":"object"}}]}`)
				default:
					p.reply(w, hints+`"contents":[{"uri":"x:a","text":"`+user+`"}]}`)
				}
				asked.Add(1)
				if next := during.Swap("").(string); next != "" {
					who.user.Store(next)
				}
			})
			c := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{Authorizer: who})
			read := func(user string, requests int32) {
				t.Helper()
				asked.Store(0)
				res, err := c.ReadResource(t.Context(), "x:a", nil)
				if err != nil || res.Contents[0].Text != user {
					t.Errorf("got %+v, %v, want the one of %s", res, err, user)
				}
				for tool, err := range c.Tools(t.Context()) {
					if err != nil || tool.Name != user {
						t.Errorf("got %+v, %v, want the one of %s", tool, err, user)
					}
				}
				if n := asked.Load(); n != requests {
					t.Errorf("%d requests, want %d", n, requests)
				}
			}
			read("ada", 2)
			read("ada", 0)
			who.user.Store("eve")
			if scope == "public" {
				read("ada", 0)
				return
			}
			read("eve", 2)
			read("eve", 0)
			who.user.Store("ada")
			during.Store("eve")
			if res, err := c.ReadResource(t.Context(), "x:a", nil); err != nil || res.Contents[0].Text != "ada" {
				t.Errorf("got %+v, %v", res, err)
			}
			read("eve", 0)     // what she has read before, not the result for ada
			who.user.Store("") // nobody
			if res, err := c.ReadResource(t.Context(), "x:a", nil); err == nil {
				t.Errorf("without credentials got %+v", res)
			}
			if lastOf(c.Tools(t.Context())) == nil {
				t.Error("without credentials got a list")
			}
		})
	}
}

// guests is an Authorizer that is another user after each challenge.
type guests struct {
	mu    sync.Mutex
	count int
}

func (g *guests) Authorize(_ context.Context, r *http.Request) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	r.Header.Set("Authorization", fmt.Sprint("guest ", g.count+1))
	return nil
}

func (g *guests) Challenged(context.Context, *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count++
	return nil
}

// TestAToolThatIsLeftOutIsLogged lists tools whose marks for headers are wrong.
func TestAToolThatIsLeftOutIsLogged(t *testing.T) {
	proves(t, "http.param.reject-log", "http.param.reject-invalid-tool")
	var log strings.Builder
	reasons := map[string]string{
		"empty": `{"type":"string","x-mcp-header":""}`, "spaced": `{"type":"string","x-mcp-header":"A B"}`, "colon": `{"type":"string","x-mcp-header":"A:"}`, "letters": `{"type":"string","x-mcp-header":"Ä"}`,
		"number": `{"type":"number","x-mcp-header":"A"}`, "object": `{"type":"object","x-mcp-header":"A"}`, "array": `{"type":"array","x-mcp-header":"A"}`, "untyped": `{"x-mcp-header":"A"}`, "no-text": `{"type":"string","x-mcp-header":7}`,
	}
	tools := `{"name":"good","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"integer","x-mcp-header":"B"}}}}`
	const marked = `{"type":"string","x-mcp-header":"M"}`
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		reasons[keyword] = `{"type":"object","properties":{"b":{"type":"object","` + keyword + `":[{"type":"object"},{"properties":{"x":` + marked + `}}]}}}`
	}
	for _, keyword := range []string{"not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames", "unevaluatedProperties"} {
		reasons[keyword] = `{"type":"object","` + keyword + `":{"properties":{"x":` + marked + `}}}`
	}
	for _, keyword := range []string{"$defs", "definitions", "patternProperties", "dependentSchemas"} {
		reasons[keyword] = `{"type":"object","` + keyword + `":{"x":` + marked + `}}`
	}
	for name, property := range reasons {
		tools += `,{"name":"bad-` + name + `","inputSchema":{"type":"object","properties":{"a":` + property + `}}}`
	}
	tools += `,{"name":"bad-root","inputSchema":{"type":"object","x-mcp-header":"A"}}`
	tools += `,{"name":"bad-twice","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}},{"name":"last","inputSchema":{"type":"object"}}`
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		if p.Method == "server/discover" {
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			return
		}
		p.reply(w, `{"resultType":"complete","tools":[`+tools+`]}`)
	})
	ran(t, "2026-07-28", "http")
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, &mcp.ClientOptions{Revisions: []string{"2026-07-28"}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	must(t, err)
	defer c.Close()
	var names []string
	for tool, err := range c.Tools(t.Context()) {
		must(t, err)
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"good", "last"}) {
		t.Errorf("listed %s", names)
	}
	for name := range reasons {
		found := false
		for line := range strings.Lines(log.String()) {
			found = found || strings.Contains(line, "level=WARN") && strings.Contains(line, "name=bad-"+name+" ") && strings.Contains(line, "x-mcp-header")
		}
		if !found {
			t.Errorf("bad-%s is left out without a reason:\n%s", name, &log)
		}
	}
	if !strings.Contains(log.String(), "name=bad-twice ") || strings.Contains(log.String(), "name=good") {
		t.Errorf("the log reads %s", &log)
	}
}

// TestServersOfHTTPWithSSEAreFound answers POST with every status, and GET with a
// stream as servers of 2024-11-05 do.
func TestServersOfHTTPWithSSEAreFound(t *testing.T) {
	bodies := map[string]string{
		"empty": "", "a page": "<html>", "an error": `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, "no method": `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}`,
		"modern -32020": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32020,"message":"x"}}`, "modern -32021": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32021,"message":"x"}}`,
		"modern -32022": `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"x","data":{"supported":["3000-01-01"]}}}`,
	}
	for _, newest := range revisions[1:] {
		t.Run(newest, func(t *testing.T) {
			row := "http.fallback.any-4xx"
			switch newest {
			case "2025-11-25":
				row = "http.fallback.400-404-405"
			case "2026-07-28":
				row = "http.fallback.modern"
			}
			proves(t, row)
			for _, status := range []int{400, 403, 404, 405, 406, 410, 415, 422, 500, 501} {
				for name, body := range bodies {
					sse := echoServer(t, nil).SSEHandler(nil)
					s := scripted(t, func(w http.ResponseWriter, p *posted) {
						if p.Request.Method == http.MethodPost && p.URL.RawQuery == "" {
							if body != "" {
								w.Header().Set("Content-Type", "application/json")
							}
							w.WriteHeader(status)
							io.WriteString(w, strings.Replace(body, "ID", string(p.ID), 1))
							return
						}
						p.Body = io.NopCloser(strings.NewReader(p.body))
						sse.ServeHTTP(w, p.Request)
					})
					ran(t, newest, "http")
					c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL + "/sse"}, &mcp.ClientOptions{Revisions: []string{"2024-11-05", newest}, Logger: slog.New(slog.DiscardHandler)})
					modern := strings.HasPrefix(name, "modern")
					if want := status < 500 && !modern; want != (err == nil) {
						t.Errorf("status %d, %s: %v", status, name, err)
					}
					all := s.requests("")
					gets := len(s.requests(http.MethodGet))
					if all[0].Request.Method != http.MethodPost || (gets > 0) != (err == nil) {
						t.Errorf("status %d, %s: %d requests, %d of them GET", status, name, len(all), gets)
					}
					if c != nil {
						if text, err := mcp.CallTool[string](t.Context(), c, "echo", echoInput{"hi"}, nil); err != nil || text != "hi" || c.Server().Revision != "2024-11-05" && c.Server().Revision != newest {
							t.Errorf("status %d, %s: %q, %v", status, name, text, err)
						}
						must(t, c.Close())
					}
					sse.Shutdown(t.Context())
				}
			}
		})
	}
}

// TestTheSessionIDIsToldNobody has a server redirect and fail in each way.
func TestTheSessionIDIsToldNobody(t *testing.T) {
	const secret = "session-of-ada-7f3"
	revisionsOf(t, "session.id.client-secure", func(t *testing.T, revision string) {
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			t.Errorf("another origin gets %s %v", r.Method, r.Header)
		}))
		defer other.Close()
		var log strings.Builder
		answers := map[string]func(w http.ResponseWriter, p *posted){
			"refuses": func(w http.ResponseWriter, _ *posted) { w.WriteHeader(http.StatusBadRequest) },
			"fails":   func(w http.ResponseWriter, _ *posted) { http.Error(w, "failed", http.StatusInternalServerError) },
			"redirects": func(w http.ResponseWriter, p *posted) {
				http.Redirect(w, p.Request, other.URL, http.StatusTemporaryRedirect)
			},
			"redirects to another scheme": func(w http.ResponseWriter, p *posted) {
				http.Redirect(w, p.Request, "https://"+p.Host, http.StatusPermanentRedirect)
			},
			"is gone":   func(w http.ResponseWriter, _ *posted) { w.WriteHeader(http.StatusNotFound) },
			"lies":      func(w http.ResponseWriter, _ *posted) { io.WriteString(w, "{") },
			"hangs up":  func(http.ResponseWriter, *posted) { panic(http.ErrAbortHandler) },
			"is silent": func(w http.ResponseWriter, _ *posted) { w.Header().Set("Content-Type", "text/event-stream") },
		}
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if f := answers[p.Header.Get("X-Answer")]; f != nil && p.Method == "tools/call" {
				f(w, p)
			} else if !p.session(w, revision, secret) {
				p.reply(w, emptyContent)
			}
		})
		for i, name := range slices.Repeat(slices.Collect(maps.Keys(answers)), 2) {
			var client *http.Client // the transport's own
			if i >= len(answers) {
				client = new(http.Client)
			}
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, Header: http.Header{"X-Answer": {name}}, HTTPClient: client},
				&mcp.ClientOptions{Revisions: []string{revision}, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			must(t, err)
			ran(t, revision, "http")
			if _, err := c.CallTool(t.Context(), "x", nil, nil); err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
				t.Errorf("%s: the error is %v", name, err)
			} else if strings.HasPrefix(name, "redirects") && !strings.Contains(err.Error(), "redirects to another origin") {
				t.Errorf("%s: %v", name, err)
			}
			must(t, c.Close())
			if got := s.requests("tools/call"); got[len(got)-1].Header.Get("Mcp-Session-Id") != secret {
				t.Errorf("%s: %v", name, got[len(got)-1].Header)
			}
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log reads %s", &log)
		}
		// An id that could break out of its header is refused.
		for _, id := range []string{"a b", "é", "a\tb", strings.Repeat("x", 5000)} {
			bad := scripted(t, func(w http.ResponseWriter, p *posted) { p.session(w, revision, id) })
			if c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: bad.URL, NoSSE: true}, &mcp.ClientOptions{Revisions: []string{revision}}); err == nil {
				c.Close()
				t.Errorf("the id %.20q is taken", id)
			} else if strings.Contains(err.Error(), id) {
				t.Errorf("the error quotes the id %.20q", id)
			}
		}
	})
}

// TestWhatServersNameIsNotFetched has a server name URLs wherever it can.
func TestWhatServersNameIsNotFetched(t *testing.T) {
	proves(t, "elicit.url.no-prefetch", "elicit.url.no-open-without-consent", "icons.scheme.allow", "icons.scheme.reject", "elicit.url.id-opaque")
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the client asks for %s", r.URL) }))
	defer web.Close()
	var icons []string
	for _, scheme := range []string{"https://example.com/", "data:image/png;base64,", "HTTPS://example.com/", "http://example.com/", "javascript:", "file:///", "ftp://example.com/", "ws://example.com/", "vbscript:", "app:", "/", "//example.com/", "", " https://example.com/", "httpss://", "blob:", "JavaScript:", "FILE:///", "Ftp://example.com/", "x-app:", "web+app://", "http+unix://", "data2:", "javascript:https:", "\tdata:", "DATA:image/png;base64,", "data:,", "wss://example.com/", "ftps://example.com/", "mailto:", "smb://example.com/"} {
		icons = append(icons, fmt.Sprintf(`{"src":%q}`, scheme+"i"), fmt.Sprintf(`{"src":%q,"mimeType":"image/png","sizes":["1x1"]}`, scheme+"j"))
	}
	list := `"icons":[` + strings.Join(icons, ",") + `]`
	const want = "https://example.com/i https://example.com/j data:image/png;base64,i data:image/png;base64,j HTTPS://example.com/i HTTPS://example.com/j DATA:image/png;base64,i DATA:image/png;base64,j data:,i data:,j"
	for _, on := range []string{"2025-11-25/pipe", "2025-11-25/http", "2026-07-28/pipe", "2026-07-28/http"} {
		revision, transport, _ := strings.Cut(on, "/")
		t.Run(on, func(t *testing.T) {
			address := strings.Replace(web.URL, "127.0.0.1", "localhost", 1) + "/page?a=%20b&c=d#e%C3%A9"
			ids := []string{"1", " x ", "é\n", `{"a":1}`, strings.Repeat("x", 300), "0", "null", "1", "0", "1", "null"}
			var shown []mcp.Elicitation
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{
				ElicitURL: func(_ context.Context, e *mcp.Elicitation) (mcp.Action, error) {
					shown = append(shown, *e)
					return mcp.Action(e.Message), nil
				},
				ElicitationComplete: func(string) {},
			})
			got := make(chan string)
			sources := func(icons []mcp.Icon) string {
				var all []string
				for _, icon := range icons {
					all = append(all, icon.Source)
				}
				return strings.Join(all, " ")
			}
			go func() {
				for entry, err := range c.Tools(t.Context()) {
					must(t, err)
					got <- sources(entry.Icons)
				}
				for entry, err := range c.Prompts(t.Context()) {
					must(t, err)
					got <- sources(entry.Icons)
				}
				for entry, err := range c.Resources(t.Context()) {
					must(t, err)
					got <- sources(entry.Icons)
				}
				for entry, err := range c.ResourceTemplates(t.Context()) {
					must(t, err)
					got <- sources(entry.Icons)
				}
			}()
			for _, reply := range [][2]string{
				{"tools/list", `{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"},` + list + `}]}`},
				{"prompts/list", `{"resultType":"complete","prompts":[{"name":"a",` + list + `}]}`},
				{"resources/list", `{"resultType":"complete","resources":[{"name":"a","uri":"` + web.URL + `/resource",` + list + `}]}`},
				{"resources/templates/list", `{"resultType":"complete","resourceTemplates":[{"name":"a","uriTemplate":"` + web.URL + `/{x}",` + list + `}]}`},
			} {
				p.Reply(p.Expect(reply[0]), reply[1])
				if text := <-got; text != want {
					t.Errorf("%s: the icons are %s, want %s", reply[0], text, want)
				}
			}
			links := make(chan string, 1)
			go func() {
				res, err := c.CallTool(t.Context(), "tool", nil, nil)
				must(t, err)
				links <- sources(res.Content[0].(*mcp.ResourceLink).Icons)
				prompt, err := c.GetPrompt(t.Context(), "p", nil, nil)
				must(t, err)
				links <- sources(prompt.Messages[0].Content.(*mcp.ResourceLink).Icons)
			}()
			link := `{"type":"resource_link","name":"a","uri":"` + web.URL + `/link",` + list + `}`
			for _, reply := range [][2]string{{"tools/call", `"content":[` + link + `]`}, {"prompts/get", `"messages":[{"role":"user","content":` + link + `}]`}} {
				p.Reply(p.Expect(reply[0]), `{"resultType":"complete",`+reply[1]+`}`)
				if text := <-links; text != want {
					t.Errorf("%s: the icons of a link are %s, want %s", reply[0], text, want)
				}
			}
			for _, id := range ids {
				quoted, err := json.Marshal(id)
				must(t, err)
				action := []string{"accept", "decline", "cancel"}[len(shown)%3]
				params := `{"mode":"url","message":"` + action + `","url":"` + address + `","elicitationId":` + string(quoted) + `}`
				if revision == "2025-11-25" {
					if m := p.Ask("elicitation/create", params); string(m.Result) != `{"action":"`+action+`"}` {
						t.Errorf("answered %s", m.Line)
					}
					continue
				}
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":`+params+`}}}`)
				p.Reply(p.Expect("tools/call"), `{"resultType":"complete","content":[{"type":"resource_link","name":"a","uri":"`+web.URL+`/link",`+list+`}]}`)
				must(t, <-failed)
			}
			if len(shown) != len(ids) {
				t.Fatalf("%d pages are shown", len(shown))
			}
			for i, e := range shown {
				if e.URL != address || e.ID != ids[i] {
					t.Errorf("shown is %q with the id %q, want %q with %q", e.URL, e.ID, address, ids[i])
				}
			}
		})
	}
}

// TestToolsAsTheUserSeesThem reads what hosts show of tools.
func TestToolsAsTheUserSeesThem(t *testing.T) {
	yes, no := true, false
	tests := map[string]mcp.Tool{
		`"title":"Of the tool","annotations":{"title":"Of the annotations"}`:              {Title: "Of the tool", Annotations: &mcp.ToolAnnotations{}},
		`"annotations":{"title":"Of the annotations","readOnlyHint":true}`:                {Title: "Of the annotations", Annotations: &mcp.ToolAnnotations{ReadOnly: true}},
		`"title":"","annotations":{"title":"Of the annotations","destructiveHint":false}`: {Title: "Of the annotations", Annotations: &mcp.ToolAnnotations{Destructive: &no}},
		`"title":"Of the tool"`: {Title: "Of the tool"},
		`"description":"x"`:     {Description: "x"},
		`"annotations":{}`:      {Annotations: &mcp.ToolAnnotations{}},
		`"annotations":{"idempotentHint":true,"openWorldHint":true,"destructiveHint":true}`: {Annotations: &mcp.ToolAnnotations{Idempotent: true, OpenWorld: &yes, Destructive: &yes}},
	}
	eachPlayed(t, "tools.title.precedence", func(t *testing.T, revision, transport string) {
		proves(t, "tools.annotations.defaults") // absent hints stay absent, whose zero values are documented as the defaults
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
		for members, want := range tests {
			got := make(chan *mcp.Tool)
			go func() {
				for tool, err := range c.Tools(t.Context()) {
					must(t, err)
					got <- tool
				}
			}()
			p.Reply(p.Expect("tools/list"), `{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"},`+members+`}]}`)
			want.Name, want.InputSchema = "a", json.RawMessage(`{"type":"object"}`)
			if tool := <-got; shown(tool) != shown(&want) {
				t.Errorf("%s: %s, want %s", members, shown(tool), shown(&want))
			}
		}
	})
}

// TestStructuredResultsAreValidated has tools break the output schemas that they
// were listed with.
func TestStructuredResultsAreValidated(t *testing.T) {
	eachPlayed(t, "tools.output-schema.client-validates", func(t *testing.T, revision, transport string) {
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
		listed := make(chan error)
		go func() { listed <- lastOf(c.Tools(t.Context())) }()
		p.Reply(p.Expect("tools/list"), `{"resultType":"complete","tools":[{"name":"tool","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]}}]}`)
		must(t, <-listed)
		for result, valid := range map[string]bool{
			`{"content":[],"structuredContent":{"n":1}}`: true, `{"content":[],"structuredContent":{"n":1,"m":2}}`: true, `{"content":[],"structuredContent":{"n":0}}`: false, `{"content":[],"structuredContent":{"n":"1"}}`: false,
			`{"content":[],"structuredContent":{}}`: false, `{"content":[],"structuredContent":{"N":1}}`: false, `{"content":[],"structuredContent":{"n":1.5}}`: false, `{"structuredContent":{"n":0},"content":[]}`: false,
			`{"content":[{"type":"text","text":"failed"}],"structuredContent":{},"isError":true}`: true,
		} {
			failed := calling(t, c, nil)
			p.Reply(p.Expect("tools/call"), result)
			if err := <-failed; (err == nil) != valid {
				t.Errorf("%s: %v", result, err)
			}
		}
	})
}

// TestOutputSchemasAreOf2020ByDefault checks a result that violates a keyword of
// JSON Schema 2020-12 which older dialects ignore: it is refused unless the tool's
// schema names an older dialect.
func TestOutputSchemasAreOf2020ByDefault(t *testing.T) {
	proves(t, "jsonschema.default-2020-12")
	revisionsOf(t, "tools.output-schema.client-validates", func(t *testing.T, revision string) {
		p, c := played(t, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
		for dialect, matters := range map[string]bool{"": true, `"$schema":"https://json-schema.org/draft/2020-12/schema",`: true, `"$schema":"http://json-schema.org/draft-07/schema#",`: false} {
			listed := make(chan error)
			go func() { listed <- lastOf(c.Tools(t.Context())) }()
			p.Reply(p.Expect("tools/list"), `{"resultType":"complete","tools":[{"name":"tool","inputSchema":{"type":"object"},"outputSchema":{`+dialect+`"type":"object","properties":{"a":{"prefixItems":[{"type":"string"}]}}}}]}`)
			must(t, <-listed)
			for value, valid := range map[string]bool{`["x",1]`: true, `[1]`: !matters} {
				failed := calling(t, c, nil)
				p.Reply(p.Expect("tools/call"), `{"content":[],"structuredContent":{"a":`+value+`}}`)
				if err := <-failed; (err == nil) != valid {
					t.Errorf("%s%s: %v", dialect, value, err)
				}
			}
		}
	})
}

// TestSubscriptionsAreToldApart holds two subscriptions on one connection.
func TestSubscriptionsAreToldApart(t *testing.T) {
	eachPlayed(t, "stdio.subscription-correlation", func(t *testing.T, revision, transport string) {
		proves(t, "cancel.own-request", "subs.end.client-cancel")
		synctest.Test(t, func(t *testing.T) { subscribeTwice(t, transport, revision) })
	})
}

func subscribeTwice(t *testing.T, transport, revision string) {
	p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
	tags := map[string]string{}
	var subs []*mcp.Subscription
	for _, name := range []string{"one", "two"} {
		began := make(chan *mcp.Subscription)
		go func() {
			s, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true, Prompts: true, URIs: []string{"x:a"}})
			must(t, err)
			began <- s
		}()
		m := p.Expect("subscriptions/listen")
		tags[name] = string(m.ID)
		p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":99},"notifications":{}}`)
		p.Notify("notifications/subscriptions/acknowledged", `{"notifications":{"promptsListChanged":true}}`)
		synctest.Wait()
		p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+tags[name]+`},"notifications":{"toolsListChanged":true}}`)
		s := <-began
		if got := s.Accepted(); !got.Tools || got.Prompts || got.URIs != nil {
			t.Errorf("%s: accepted %+v", name, got)
		}
		subs = append(subs, s)
	}
	tags["no number"], tags["text"], tags["other"], tags["none"] = `{}`, `"`+tags["one"]+`"`, "99", ""
	next := func(s *mcp.Subscription) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		change, err := s.Next(ctx)
		if err != nil {
			return ""
		}
		return string(change.Kind)
	}
	for name, tag := range tags {
		for method, kind := range map[string]string{"notifications/tools/list_changed": "tools", "notifications/prompts/list_changed": "prompts", "notifications/resources/updated": "resource"} {
			params := `{"uri":"x:a","_meta":{"io.modelcontextprotocol/subscriptionId":` + tag + `}}`
			if tag == "" {
				params = `{"uri":"x:a"}`
			}
			p.Notify(method, params)
			synctest.Wait()
			for i, want := range []string{"one", "two"} {
				if got := next(subs[i]); (got == kind) != (name == want) || got != "" && got != kind {
					t.Errorf("%s of %s: subscription %s gets %q", method, name, want, got)
				}
			}
		}
	}
	go subs[0].Close()
	if m := p.Expect("notifications/cancelled"); !strings.Contains(m.Line, `"requestId":`+tags["one"]+`}`) && !strings.Contains(m.Line, `"requestId":`+tags["one"]+`,`) {
		t.Errorf("sent %s", m.Line)
	}
	p.Notify("notifications/tools/list_changed", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+tags["two"]+`}}`)
	if got := next(subs[1]); got != "tools" {
		t.Errorf("after the end of the first the second gets %q", got)
	}
}

// TestPollsAreSpreadOut measures the time between the looks at many tasks.
func TestPollsAreSpreadOut(t *testing.T) {
	proves(t, "cache.poll-jitter", "xtasks.poll.interval")
	for interval, want := range map[string]time.Duration{`,"pollIntervalMs":5000`: 5 * time.Second, `,"pollIntervalMs":30000`: 30 * time.Second, ``: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			p, c := played(t, "2026-07-28", mcp.ClientOptions{Tasks: true})
			state := func(status, interval string) string {
				return `{"resultType":"complete","taskId":"t1","status":"` + status + `","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000` + interval + `}`
			}
			waited := make(chan error)
			go func() {
				_, err := c.Task("t1").Wait(t.Context())
				waited <- err
			}()
			p.Reply(p.Expect("tasks/get"), state("working", `,"pollIntervalMs":100`)) // the latest counts
			p.Reply(p.Expect("tasks/get"), state("working", interval))
			seen := map[time.Duration]bool{}
			for range 20 {
				began := time.Now()
				m := p.Expect("tasks/get")
				took := time.Since(began)
				if took < want || took > want*5/4 {
					t.Errorf("%s: the next look came after %v", interval, took)
				}
				seen[took] = true
				p.Reply(m, state("working", interval))
			}
			if spread := slices.Max(slices.Collect(maps.Keys(seen))) - slices.Min(slices.Collect(maps.Keys(seen))); spread < want/50 {
				t.Errorf("%s: the looks differ by %v only", interval, spread)
			}
			if len(seen) < 10 {
				t.Errorf("%s: only %d different times", interval, len(seen))
			}
			p.Refuse(p.Expect("tasks/get"), 1, "enough")
			<-waited
		})
	}
}

// TestListsHaveAnyNumberOfPages lists entries of each kind, on pages of every
// size, with cursors of every form.
func TestListsHaveAnyNumberOfPages(t *testing.T) {
	cursors := []string{`"1"`, `""`, `"` + strings.Repeat("long", 500) + `"`, `"` + strings.Repeat("long", 500) + `2"`, `"2"`, `"é\n\u2028"`, `" "`, `"{\"a\":1}"`, `"null"`, `"AAAA=="`, `"0"`, `"false"`}
	names := func(list func(yield func(string, error) bool)) string {
		var all []string
		for name, err := range list {
			if err != nil {
				return err.Error()
			}
			all = append(all, name)
		}
		return strings.Join(all, " ")
	}
	for kind, tt := range map[string]struct {
		method, entry string
		list          func(ctx context.Context, c *mcp.Client) string
	}{
		"tools": {"tools/list", `{"name":"N","inputSchema":{"type":"object"}}`, func(ctx context.Context, c *mcp.Client) string {
			return names(func(yield func(string, error) bool) {
				for e, err := range c.Tools(ctx) {
					if err != nil || !yield(e.Name, nil) {
						yield("", err)
						return
					}
				}
			})
		}},
		"prompts": {"prompts/list", `{"name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return names(func(yield func(string, error) bool) {
				for e, err := range c.Prompts(ctx) {
					if err != nil || !yield(e.Name, nil) {
						yield("", err)
						return
					}
				}
			})
		}},
		"resources": {"resources/list", `{"uri":"x:N","name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return names(func(yield func(string, error) bool) {
				for e, err := range c.Resources(ctx) {
					if err != nil || !yield(e.Name, nil) {
						yield("", err)
						return
					}
				}
			})
		}},
		"tasks": {"tasks/list", `{"taskId":"N","status":"working"}`, func(ctx context.Context, c *mcp.Client) string {
			return names(func(yield func(string, error) bool) {
				for e, err := range c.Tasks(ctx) {
					if err != nil || !yield(e.ID, nil) {
						yield("", err)
						return
					}
				}
			})
		}},
		"resourceTemplates": {"resources/templates/list", `{"uriTemplate":"x:{N}","name":"N"}`, func(ctx context.Context, c *mcp.Client) string {
			return names(func(yield func(string, error) bool) {
				for e, err := range c.ResourceTemplates(ctx) {
					if err != nil || !yield(e.Name, nil) {
						yield("", err)
						return
					}
				}
			})
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			eachPlayed(t, "prompts.client-paginates", func(t *testing.T, revision, transport string) {
				if kind == "tasks" && revision != "2025-11-25" {
					return // no other revision lists tasks
				}
				proves(t, "page.size-not-assumed", "page.opaque", "page.missing-ends", "page.both-flows", "page.empty-string-cursor", "cache.key.exact")
				synctest.Test(t, func(t *testing.T) {
					p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
					for _, pages := range []int{1, 2, 3, len(cursors) + 1} {
						got := make(chan string, 1)
						go func() { got <- tt.list(t.Context(), c) }()
						var want []string
						for n := range pages {
							m := p.Expect(tt.method)
							sent := ""
							if n > 0 {
								sent = `"params":{"cursor":` + cursors[n-1]
							}
							if !strings.Contains(m.Line, sent) || n == 0 && strings.Contains(m.Line, `"cursor"`) {
								t.Errorf("page %d of %d: sent %s, want %s", n+1, pages, m.Line, sent)
							}
							var entries []string
							size := (n * 3) % 5 // none, too
							if n == 2 {
								size = 300
							}
							for i := range size {
								name := fmt.Sprintf("n%d-%d", n, i)
								want, entries = append(want, name), append(entries, strings.ReplaceAll(tt.entry, "N", name))
							}
							next := ""
							if n < pages-1 {
								next = `,"nextCursor":` + cursors[n]
							} else if pages%2 == 1 {
								next = `,"nextCursor":null`
							}
							p.Reply(m, `{"resultType":"complete","ttlMs":1000,"`+kind+`":[`+strings.Join(entries, ",")+`]`+next+`}`)
						}
						if text := <-got; text != strings.Join(want, " ") {
							t.Errorf("%d pages: listed %s, want %s", pages, text, want)
						}
						if revision == "2026-07-28" { // each page is kept by itself
							if text := tt.list(t.Context(), c); text != strings.Join(want, " ") {
								t.Errorf("%d pages: listed %s again, want %s", pages, text, want)
							}
						}
						time.Sleep(time.Second)
					}
				})
			})
		})
	}
}

// TestOnlyCallsOfToolsBecomeTasks answers requests of each method with a task.
func TestOnlyCallsOfToolsBecomeTasks(t *testing.T) {
	proves(t, "xtasks.client.unsupported-request", "xtasks.client.both-shapes")
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			for _, tasks := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					p, c := playedOver(t, transport, "2026-07-28", mcp.ClientOptions{Tasks: tasks})
					for method, call := range map[string]func() error{
						"tools/list":               func() error { return lastOf(c.Tools(t.Context())) },
						"prompts/list":             func() error { return lastOf(c.Prompts(t.Context())) },
						"resources/list":           func() error { return lastOf(c.Resources(t.Context())) },
						"resources/templates/list": func() error { return lastOf(c.ResourceTemplates(t.Context())) },
						"resources/read":           func() error { _, err := c.ReadResource(t.Context(), "x:a", nil); return err },
						"prompts/get":              func() error { _, err := c.GetPrompt(t.Context(), "p", nil, nil); return err },
						"completion/complete":      func() error { _, err := c.CompletePrompt(t.Context(), "p", "a", "", nil); return err },
						"example/any":              func() error { _, err := c.Call(t.Context(), "example/any", nil, nil); return err },
						"server/discover":          func() error { return c.Ping(t.Context()) },
						"tasks/get":                func() error { _, err := c.Task("t").State(t.Context()); return err },
						"tools/call":               func() error { _, err := c.CallTool(t.Context(), "x", nil, nil); return err },
					} {
						for _, hints := range []string{"", `,"pollIntervalMs":20`} {
							failed := make(chan error, 1)
							go func() { failed <- call() }()
							task := `"taskId":"t","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000` + hints
							p.Reply(p.Expect(method), `{"resultType":"task","status":"working",`+task+`,"tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"contents":[],"messages":[],"content":[],"completion":{"values":[]}}`)
							if tasks && method == "tools/call" {
								p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
								must(t, <-failed)
								// It has ended when it is created, or there is none.
								go func() { failed <- call() }()
								p.Reply(p.Expect(method), `{"resultType":"task","status":"completed",`+task+`}`)
								p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
								must(t, <-failed)
								for _, content := range []string{`"content":[]`, `"content":[],"isError":true`, `"content":[],"structuredContent":{"a":1}`} {
									go func() {
										begun, err := c.CallToolTask(t.Context(), "x", nil, 0, nil)
										if err == nil && begun.ID() == "" {
											_, err = begun.Wait(t.Context())
										}
										failed <- err
									}()
									p.Reply(p.Expect(method), `{"resultType":"complete",`+content+`}`)
									must(t, <-failed)
								}
							} else if err := <-failed; err == nil || !strings.Contains(err.Error(), "task, which it must not") {
								t.Errorf("tasks %t, %s: %v", tasks, method, err)
							}
						}
					}
				})
			}
		})
	}
}

// TestToolsThatAreNoTasksAreNotCalledAsTasks lists tools of every form.
func TestToolsThatAreNoTasksAreNotCalledAsTasks(t *testing.T) {
	const schema = `"inputSchema":{"type":"object"}`
	eachPlayed(t, "tasks.tool.forbidden", func(t *testing.T, revision, transport string) {
		synctest.Test(t, func(t *testing.T) {
			p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
			for members, task := range map[string]string{
				schema: "never", schema + `,"outputSchema":{"type":"object"}`: "never", schema + `,"annotations":{"readOnlyHint":true},"title":"T"`: "never", schema + `,"execution":{}`: "never",
				schema + `,"execution":{"taskSupport":"forbidden"}`: "never", schema + `,"execution":{"taskSupport":"forbidden"},"outputSchema":{"type":"object"}`: "never",
				schema + `,"execution":{"taskSupport":"sometimes"}`: "never", schema + `,"execution":{"taskSupport":"Required"}`: "never", schema + `,"_meta":{"taskSupport":"required"},"taskSupport":"required"`: "never",
				schema + `,"execution":{"taskSupport":"optional"}`: "asked", schema + `,"execution":{"taskSupport":"required"},"outputSchema":{"type":"object"}`: "always",
			} {
				listed := make(chan error)
				go func() { listed <- lastOf(c.Tools(t.Context())) }()
				p.Reply(p.Expect("tools/list"), `{"tools":[{"name":"tool",`+members+`}]}`)
				must(t, <-listed)
				failed := calling(t, c, nil)
				m := p.Expect("tools/call")
				if strings.Contains(m.Line, `"task":{}`) != (task == "always") || strings.Contains(m.Line, `"task"`) != (task == "always") {
					t.Errorf("%s: sent %s", members, m.Line)
				}
				p.Refuse(m, 1, "enough")
				<-failed
				go func() {
					_, err := c.CallToolTask(t.Context(), "tool", nil, time.Minute, nil)
					failed <- err
				}()
				if task == "never" {
					if err := <-failed; err == nil || !strings.Contains(err.Error(), "cannot be called as a task") {
						t.Errorf("%s: %v", members, err)
					}
					continue
				}
				if m = p.Expect("tools/call"); !strings.Contains(m.Line, `"task":{"ttl":60000}`) {
					t.Errorf("%s: sent %s", members, m.Line)
				}
				p.Refuse(m, 1, "enough")
				<-failed
			}
		})
	})
}

// cursorEnds has a session end between two pages of a list.
func cursorEnds(t *testing.T, revision, transport string) {
	const first = `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"of the first session"}`
	synctest.Test(t, func(t *testing.T) {
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
		list := func(between func()) chan string {
			got := make(chan string, 1)
			go func() {
				var all []string
				for tool, err := range c.Tools(t.Context()) {
					if err != nil {
						all = append(all, err.Error())
						break
					}
					all = append(all, tool.Name)
					between()
				}
				got <- strings.Join(all, " ")
			}()
			return got
		}
		paused, goOn := make(chan bool), make(chan bool)
		got := list(func() { paused <- true; <-goOn })
		p.Reply(p.Expect("tools/list"), first)
		<-paused
		p.Close()
		synctest.Wait() // the client knows that the session has ended
		go func() { goOn <- true }()
		p.Accept()
		p.Handshake(revision)
		if text := <-got; !strings.HasPrefix(text, "a ") || !strings.Contains(text, "session") {
			t.Errorf("listed %s", text)
		}
		got = list(func() {})
		if m := p.Expect("tools/list"); strings.Contains(m.Line, "cursor") {
			t.Errorf("sent %s", m.Line)
		} else {
			p.Reply(m, `{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}`)
		}
		if text := <-got; text != "b" {
			t.Errorf("listed %s", text)
		}
	})
}
