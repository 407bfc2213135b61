package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// askingServer returns a server with a tool that asks for roots and a tool that asks the user to
// fill in the form in its argument.
func askingServer(t *testing.T) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "asks", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "roots"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "asked", askOnly(ctx, r, &mcp.RootsQuestion{})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "form"}, func(ctx context.Context, r *mcp.Request, in struct {
			Schema json.RawMessage `json:"schema"`
		}) (string, error) {
			return "asked", askOnly(ctx, r, &mcp.Elicitation{Message: "fill in", Schema: in.Schema})
		}))
	return s
}

// TestRootsAreFilesAndLeadNowhereElse uses invalid roots that differ slightly from a valid one,
// alone and after a valid root.
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

// TestFormsAreCheckedBeforeTheyAreSent fills in forms with each kind of field. The values are at
// the bounds and just beyond them.
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
					field, value string // an empty value means that the field is absent
					valid        bool
				}{
					{`{"type":"string"}`, `"a"`, true},
					{`{"type":"string"}`, `7`, false},
					{`{"type":"string"}`, `null`, false},
					{`{"type":"string"}`, ``, false}, // the field is required
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
						continue // this revision does not allow such a field in a form
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
				// Values that no form field can have are not sent, even if the schema allows them.
				for value, valid := range map[string]bool{`1`: true, `["a"]`: true, `[1]`: false, `["a",1]`: false, `[["a"]]`: false, `{"x":"y"}`: false, `null`: false, `[]`: true} {
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

// TestQuestionsWithoutAFunctionAreRefused omits one function of ClientOptions at a time.
func TestQuestionsWithoutAFunctionAreRefused(t *testing.T) {
	questions := map[string]string{
		"roots/list": `{}`, "sampling/createMessage": `{"maxTokens":100,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`,
		"elicitation/create": `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`,
	}
	eachPlayed(t, "roots.unsupported", func(t *testing.T, revision, transport string) {
		proves(t, "arch.sampling-needs-capability")
		for missing := range questions {
			opts := answering()
			opts.SampleTools = true // the option has no effect without Sample
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

// TestAQuestionThatShallBeATaskIsAnsweredAtOnce sends questions that request a task to a client
// that has not declared tasks.
func TestAQuestionThatShallBeATaskIsAnsweredAtOnce(t *testing.T) {
	eachPlayed(t, "tasks.undeclared-ignored", func(t *testing.T, revision, transport string) {
		p, _ := playedOver(t, transport, revision, answering())
		for method, params := range map[string]string{
			"roots/list":             `{`,
			"sampling/createMessage": `{"maxTokens":100,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],`,
			"elicitation/create":     `{"message":"m","requestedSchema":{"type":"object","properties":{}},`,
		} {
			for _, task := range []string{`{"ttl":60000}`, `{}`} {
				if m := p.Ask(method, params+`"task":`+task+`}`); m.Result == nil || strings.Contains(m.Line, `"taskId"`) {
					t.Errorf("%s as a task is answered with %s", method, m.Line)
				}
			}
		}
	})
}

// TestAResourceWithoutContentsIsRefused embeds invalid resources in a tool's result.
func TestAResourceWithoutContentsIsRefused(t *testing.T) {
	eachPlayed(t, "content.embedded-resource", func(t *testing.T, revision, transport string) {
		p, c := playedOver(t, transport, revision, mcp.ClientOptions{})
		for block, valid := range map[string]bool{
			`{"uri":"x:a","text":""}`: true, `{"uri":"x:a","blob":""}`: true, `{"uri":"x:a","blob":"AA=="}`: true,
			`{"uri":"x:a"}`: false, `{"uri":"x:a","mimeType":"text/plain"}`: false, `{"uri":"x:a","blob":"?"}`: false, `null`: false,
		} {
			failed := make(chan error, 1)
			go func() {
				_, err := c.CallTool(t.Context(), "a", nil, nil)
				failed <- err
			}()
			p.Reply(p.Expect("tools/call"), `{"resultType":"complete","content":[{"type":"resource","resource":`+block+`}]}`)
			if err := <-failed; (err == nil) != valid {
				t.Errorf("%s: %v", block, err)
			}
		}
	})
}

// TestAModelsMessageHasTheFormOfTheRevision uses a model that writes blocks that a revision does
// not support.
func TestAModelsMessageHasTheFormOfTheRevision(t *testing.T) {
	sound := &mcp.AudioContent{Data: []byte("x"), MIMEType: "audio/wav"}
	for _, row := range []string{"sampling.content.2024", "sampling.content.2025-h1"} {
		eachPlayed(t, row, func(t *testing.T, revision, transport string) {
			for want, content := range map[string][]mcp.Content{
				`"content":{"type":"text","text":"a"}`: {mcp.Text("a")},
				`"content":{"type":"` + map[bool]string{true: "text", false: "audio"}[revision == "2024-11-05"] + `",`: {sound},
				`"code":-32603`: {mcp.Text("a"), mcp.Text("b")},
			} {
				p, _ := playedOver(t, transport, revision, mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler), Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
					return &mcp.SamplingResult{Model: "m", Content: content}, nil
				}})
				if m := p.Ask("sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`); !strings.Contains(m.Line, want) {
					t.Errorf("want %s: %s", want, m.Line)
				}
			}
		})
	}
}

// TestToolUsesAreAnsweredAtOnce requests a message after tool uses that lack the required results.
func TestToolUsesAreAnsweredAtOnce(t *testing.T) {
	const hi, use, other, result, otherResult = `{"type":"text","text":"hi"}`, `{"type":"tool_use","id":"a","name":"x","input":{}}`, `{"type":"tool_use","id":"b","name":"x","input":{}}`,
		`{"type":"tool_result","toolUseId":"a","content":[]}`, `{"type":"tool_result","toolUseId":"b","content":[]}`
	by := func(role string, content ...string) string {
		return `{"role":"` + role + `","content":[` + strings.Join(content, ",") + `]}`
	}
	eachPlayed(t, "sampling.error.tool-result-missing", func(t *testing.T, revision, transport string) {
		proves(t, "sampling.error.tool-result-mixed")
		requests := 0
		p, _ := playedOver(t, transport, revision, mcp.ClientOptions{SampleTools: true, Logger: slog.New(slog.DiscardHandler), Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
			requests++
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
			before := requests
			m := p.Ask("sampling/createMessage", `{"maxTokens":1,"tools":[{"name":"x","inputSchema":{"type":"object"}}],"messages":[`+messages+`]}`)
			if refused := strings.Contains(string(m.Error), `"code":-32602,`); refused == valid || (m.Result != nil) != valid || requests-before != map[bool]int{true: 1}[valid] {
				t.Errorf("%s is answered with %s", messages, m.Line)
			}
		}
	})
}
