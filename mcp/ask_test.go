package mcp_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

type nameForm struct {
	Name string `json:"name" jsonschema:"your name" minLength:"1"`
}

func askServer(t testing.TB) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "greet"}, func(ctx context.Context, r *mcp.Request, in struct {
			Title string `json:"title,omitempty"`
		}) (string, error) {
			form, action, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
			if err != nil || action != mcp.ActionAccept {
				return string(action), err
			}
			written, err := r.Sample(ctx, &mcp.Sampling{MaxTokens: 10,
				Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Textf("Greet %s %s.", in.Title, form.Name)}}}})
			if err != nil {
				return "", err
			}
			return form.Name + ": " + written.Text(), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "all"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			schema, err := mcp.FormSchema[nameForm]()
			if err != nil {
				return "", err
			}
			name := &mcp.Elicitation{Key: "name", Message: "Who?", Schema: schema}
			roots := &mcp.RootsQuestion{Key: "roots"}
			answers, err := r.Ask(ctx, name, roots)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(content(answers[0]), " ", answers[1].(*mcp.RootsResult).Roots), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "page"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			e := &mcp.Elicitation{Message: "Please pay.", URL: "https://example.com/pay", ID: "pay-1"}
			answer, err := r.AskUser(ctx, e)
			if err != nil {
				return "", err
			}
			return string(answer.Action), nil
		}),
	)
	return s
}

// openWith opens a session in an older revision with the given client capabilities.
func (p *peer) openWith(revision, capabilities string) {
	p.t.Helper()
	p.session = revision
	p.ask(`"init"`, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}`, revision, capabilities))
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func metaWith(capabilities string) string {
	return strings.Replace(modernMeta(""), `clientCapabilities":{}`, `clientCapabilities":`+capabilities, 1)
}

func TestASessionIsAskedByRequests(t *testing.T) {
	for _, revision := range revisions[2:4] {
		t.Run(revision, func(t *testing.T) {
			p := connect(t, askServer(t))
			p.openWith(revision, `{"elicitation":{},"sampling":{}}`)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"title":"Dr."}}}`)
			m := p.receive()
			if m.Method != "elicitation/create" || m.Params["message"] != "Who are you?" {
				t.Fatal(m.line)
			}
			// The server must serve other requests while the question is open.
			if m := p.ask("2", "ping", ""); m.Error != nil {
				t.Fatal(m.line)
			}
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, m.ID))
			m = p.receive()
			if m.Method != "sampling/createMessage" || !strings.Contains(m.line, "Greet Dr. Ada.") {
				t.Fatal(m.line)
			}
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"role":"assistant","content":{"type":"text","text":"Hello!"},"model":"m"}}`, m.ID))
			if m := p.receive(); string(m.ID) != "1" || m.text() != "Ada: Hello!" {
				t.Error(m.line)
			}
			p.end()
		})
	}
}

func TestARequestSaysWhetherItEndsToAsk(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "s"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ends"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		return fmt.Sprint(r.AsksByResult()), nil
	}))
	for _, revision := range revisions {
		p := connect(t, s)
		params := p.open(revision)
		if m := p.ask("1", "tools/call", params(`"name":"ends"`)); m.text() != fmt.Sprint(revision == "2026-07-28") {
			t.Errorf("%s: %s", revision, m.line)
		}
	}
}

func TestAClientThatCannotBeAskedIsNot(t *testing.T) {
	proves(t, "arch.capabilities-respected", "meta.caps.missing.code", "meta.caps.no-undeclared-use", "meta.caps.no-inference", "mrtr.declared-only", "elicit.mode.not-unsupported")
	questions := map[string]mcp.Question{
		"form":   &mcp.Elicitation{Message: "Who?", Schema: json.RawMessage(`{"type":"object"}`)},
		"page":   &mcp.Elicitation{Message: "Pay.", URL: "https://example.com/pay", ID: "1"},
		"sample": &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hello"))}},
		"tools":  &mcp.Sampling{MaxTokens: 1, Messages: []mcp.SamplingMessage{said(mcp.RoleUser, mcp.Text("Hello"))}, ToolChoice: "auto"},
		"roots":  &mcp.RootsQuestion{},
	}
	needs := map[string]string{"form": `{"elicitation":{}}`, "page": `{"elicitation":{"url":{}}}`, "sample": `{"sampling":{}}`, "tools": `{"sampling":{"tools":{}}}`, "roots": `{"roots":{}}`}
	// the questions that the server may ask a client with these capabilities
	for capabilities, can := range map[string]string{
		`{}`:                                     "",
		`{"experimental":{"roots":{}}}`:          "",
		`{"elicitation":{}}`:                     "form",
		`{"elicitation":{"form":{}}}`:            "form",
		`{"elicitation":{"url":{}}}`:             "page",
		`{"elicitation":{"form":{},"url":{}}}`:   "form page",
		`{"sampling":{}}`:                        "sample",
		`{"sampling":{"context":{}}}`:            "sample",
		`{"sampling":{"tools":{}}}`:              "sample tools",
		`{"roots":{}}`:                           "roots",
		`{"roots":{"listChanged":true}}`:         "roots",
		`{"elicitation":{"url":{}},"roots":{}}`:  "page roots",
		`{"elicitation":{},"sampling":{}}`:       "form sample",
		`{"sampling":{"tools":{}},"roots":null}`: "sample tools",
	} {
		for name, q := range questions {
			for _, revision := range revisions {
				what := fmt.Sprintf("%s of %s with %s", name, revision, capabilities)
				p := connect(t, askerOf(t, func() mcp.Question { return q })) // a server lets only a few first calls of a tool wait
				params := `{"name":"ask"}`
				if revision == latest {
					params = `{"name":"ask",` + metaWith(capabilities) + `}`
				} else {
					p.openWith(revision, capabilities)
				}
				p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`)
				m := p.receive()
				want := slices.Contains(strings.Fields(can), name)
				if name == "form" && revision < "2025-06-18" || name == "page" && revision < "2025-11-25" {
					want = false // the revision does not have this question
				}
				requested := m.Method != "" || m.Result["resultType"] == "input_required"
				if requested != want {
					t.Errorf("%s: %s", what, m.line)
				}
				if !want && revision == latest {
					if m.Error == nil || m.Error.Code != mcp.CodeMissingCapability {
						t.Fatalf("%s: %s", what, m.line)
					}
					sameJSON(t, what, m.Error.Data["requiredCapabilities"], needs[name])
				}
			}
		}
	}
	// If one of several questions cannot be asked, none of them is sent.
	for name, q := range questions {
		if name == "roots" {
			continue
		}
		for i, pair := range [][]mcp.Question{{q, questions["roots"]}, {questions["roots"], q}, {questions["roots"], questions["roots"], q}} {
			s := newServer(nil)
			must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
				return "asked", askOnly(ctx, r, pair...)
			}),
				mcp.AddTool(s, mcp.Tool{Name: "outside"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
					return "asked", askOnly(ctx, r.Session(), pair...)
				}))
			for _, revision := range revisions {
				p := connect(t, s)
				if revision == latest {
					m := p.ask("1", "tools/call", `{"name":"ask",`+metaWith(`{"roots":{}}`)+`}`)
					wantCode(t, m, mcp.CodeMissingCapability)
					sameJSON(t, name, m.Error.Data["requiredCapabilities"], needs[name])
					continue
				}
				p.openWith(revision, `{"roots":{}}`)
				for _, tool := range []string{"ask", "outside"} {
					if m := p.ask1("1", "tools/call", "{"+callParams(tool, `{}`)+"}"); m.Method != "" || m.Result["isError"] != true {
						t.Errorf("%s %d in %s: %s", name, i, revision, m.line)
					}
				}
			}
		}
	}
	s := askServer(t)
	p := connect(t, s)
	m := p.ask("1", "tools/call", `{"name":"greet",`+modernMeta("")+`}`)
	if m.Error == nil || m.Error.Code != mcp.CodeMissingCapability || object(m.Error.Data["requiredCapabilities"])["elicitation"] == nil {
		t.Error(m.line)
	}
	m = p.ask("2", "tools/call", `{"name":"page",`+metaWith(`{"elicitation":{}}`)+`}`)
	if m.Error == nil || m.Error.Code != mcp.CodeMissingCapability || object(object(m.Error.Data["requiredCapabilities"])["elicitation"])["url"] == nil {
		t.Error(m.line)
	}
}

func TestAModernClientIsAskedByResults(t *testing.T) {
	proves(t, "mrtr.only-way", "mrtr.one-of-two", "mrtr.keys-unique", "mrtr.request-kinds", "mrtr.repeat", "mrtr.responses.ask-again",
		"mrtr.responses.ignore-extra", "base.patterns.no-server-requests", "stdio.server-no-requests", "cache.hints.not-interim")
	p := connect(t, askServer(t))
	caps := metaWith(`{"elicitation":{},"sampling":{},"roots":{}}`)
	call := func(id, more string) *message {
		return p.ask(id, "tools/call", `{"name":"greet","arguments":{"title":"Dr."},`+more+caps+`}`)
	}
	m := call("1", "")
	question := object(object(m.Result["inputRequests"])["input-1"])
	if m.Result["resultType"] != "input_required" || question["method"] != "elicitation/create" || m.Result["requestState"] == nil || m.Result["ttlMs"] != nil {
		t.Fatal(m.line)
	}
	state, _ := json.Marshal(m.Result["requestState"])
	// An answer with the wrong key is ignored.
	m = call("2", `"inputResponses":{"other":{"action":"accept","content":{"name":"Eve"}}},"requestState":`+string(state)+`,`)
	if m.Result["resultType"] != "input_required" {
		t.Fatal(m.line)
	}
	m = call("3", `"inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}},"unknown":7},"requestState":`+string(state)+`,`)
	second := object(m.Result["inputRequests"])
	if m.Result["resultType"] != "input_required" || len(second) != 1 || object(second["input-2"])["method"] != "sampling/createMessage" || !strings.Contains(m.line, "Greet Dr. Ada.") {
		t.Fatal(m.line)
	}
	next, _ := json.Marshal(m.Result["requestState"])
	if string(next) == string(state) {
		t.Error("the state did not change")
	}
	// The first answer is now in the state, so the client does not repeat it.
	m = call("4", `"inputResponses":{"input-2":{"role":"assistant","content":[{"type":"text","text":"Hello!"}],"model":"m"}},"requestState":`+string(next)+`,`)
	if m.text() != "Ada: Hello!" || m.Result["resultType"] != "complete" {
		t.Error(m.line)
	}
	p.end()
}

func TestAResultWithoutQuestionsAsksForNothing(t *testing.T) {
	proves(t, "mrtr.one-of-two")
	s := askServer(t)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "mute"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", mcp.ErrInputRequired
	}))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		if m := p.ask("1", "tools/call", params(`"name":"mute"`)); m.Error == nil || m.Error.Code != mcp.CodeInternalError {
			t.Error(m.line)
		}
	})
}

func TestAnswersMayComeBeforeTheQuestions(t *testing.T) {
	p := connect(t, askServer(t))
	m := p.ask("1", "tools/call", `{"name":"all","inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}},"roots":{"roots":[{"uri":"file:///home"}]}},`+
		metaWith(`{"elicitation":{},"roots":{}}`)+`}`)
	if m.text() != `{"name":"Ada"} [{file:///home }]` {
		t.Error(m.line)
	}
}

func TestBadAnswersAreRefused(t *testing.T) {
	proves(t, "mrtr.responses.validate", "mrtr.responses.protocol-error", "elicit.validate.server")
	p := connect(t, askServer(t))
	for _, state := range []string{`7`, `{}`, `["x"]`, `true`, `""`, `"x"`} {
		m := p.ask("1", "tools/call", `{"name":"all","requestState":`+state+`,`+metaWith(`{"elicitation":{},"roots":{}}`)+`}`)
		if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("requestState %s: %s", state, m.line)
		}
	}
	for _, responses := range []string{`[]`, `"x"`, `{"name":12345}`, `{"name":{}}`, `{"name":{"action":"maybe"}}`, `{"name":{"action":"accept"}}`,
		`{"name":{"action":"accept","content":{"name":""}}}`, `{"name":{"action":"accept","content":{"name":7}}}`, `{"name":{"action":"cancel"},"roots":{}}`,
		`{"name":{"action":"cancel"},"roots":{"roots":7}}`} {
		m := p.ask("1", "tools/call", `{"name":"all","inputResponses":`+responses+`,`+metaWith(`{"elicitation":{},"roots":{}}`)+`}`)
		if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %s", responses, m.line)
		}
	}
}

func TestNobodyIsAskedWithoutAMessage(t *testing.T) {
	proves(t, "elicit.request.mode-and-message", "elicit.request.fields")
	for _, q := range []*mcp.Elicitation{{Schema: []byte(`{"type":"object","properties":{}}`)}, {URL: "https://example.com/", ID: "1"}} {
		s := newServer(nil)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "asked", askOnly(ctx, r, q)
		}))
		for _, revision := range []string{"2025-06-18", "2025-11-25", latest} {
			p := connect(t, s)
			call := callParams("ask", "{}")
			if revision == latest {
				call += "," + metaWith(`{"elicitation":{"form":{},"url":{}}}`)
			} else {
				p.openWith(revision, `{"elicitation":{"form":{},"url":{}}}`)
			}
			if m := p.ask("1", "tools/call", "{"+call+"}"); m.Result["isError"] != true || !strings.Contains(m.line, "elicitation: Message is empty") && (q.URL == "" || revision != "2025-06-18") {
				t.Errorf("%s: %s", revision, m.line)
			}
		}
	}
}

func TestAnswersHaveTheFormatsOfTheForm(t *testing.T) {
	proves(t, "elicit.validate.server", "mrtr.responses.validate", "mrtr.responses.protocol-error")
	tests := map[string][2]string{ // a valid and an invalid answer
		"email": {"ada@example.com", "ada"}, "uri": {"https://example.com/", "example"}, "date": {"2026-07-28", "28.7.2026"}, "date-time": {"2026-07-28T01:02:03Z", "2026-07-28"},
	}
	for format, answers := range tests {
		s := newServer(nil)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			q := &mcp.Elicitation{Message: "?", Schema: []byte(`{"type":"object","properties":{"x":{"type":"string","format":"` + format + `"}}}`)}
			return "asked", askOnly(ctx, r, q)
		}))
		for _, revision := range []string{"2025-06-18", "2025-11-25", latest} {
			for i, answer := range answers {
				result := `{"action":"accept","content":{"x":"` + answer + `"}}`
				p := connect(t, s)
				var m *message
				if revision == latest {
					m = p.ask("1", "tools/call", `{"name":"ask","inputResponses":{"input-1":`+result+`},`+metaWith(`{"elicitation":{}}`)+`}`)
				} else {
					p.openWith(revision, `{"elicitation":{}}`)
					p.send(callLine(1, "ask", `{}`))
					p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, p.receive().ID, result))
					m = p.receive()
				}
				if refused := m.Error != nil || m.Result["isError"] == true; refused != (i == 1) || refused && !strings.Contains(m.line, "schema") {
					t.Errorf("%s, %s %q: %s", revision, format, answer, m.line)
				}
			}
		}
	}
}

func TestQuestionsWithoutAKeyHaveKeysOfTheirOwn(t *testing.T) {
	proves(t, "mrtr.keys-unique", "mrtr.request-kinds")
	s := newServer(nil)
	ask := func(ctx context.Context, r *mcp.Request) (string, error) {
		a, b, c := nameQuestion(t, ""), nameQuestion(t, ""), nameQuestion(t, "")
		a.Message, b.Message, c.Message = "a", "b", "c"
		first, err := r.Ask(ctx, a, b)
		if err != nil {
			return "", err
		}
		second, err := r.Ask(ctx, c)
		if err != nil {
			return "", err
		}
		return content(first[0]) + " " + content(first[1]) + " " + content(second[0]), nil
	}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) { return ask(ctx, r) }),
		s.AddPrompt(mcp.Prompt{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
			text, err := ask(ctx, r)
			return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text(text)}}}, err
		}))
	must(t, mcp.AddTool(s, mcp.Tool{Name: "mixed"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		a, b, c := nameQuestion(t, "once"), nameQuestion(t, ""), nameQuestion(t, "")
		a.Message, b.Message, c.Message = "a", "b", "c"
		answers, err := r.Ask(ctx, a, b, c)
		if again := askOnly(ctx, r, a); err == nil { // a question that is asked twice is sent once
			err = again
		}
		if err != nil {
			return "", err
		}
		return content(answers[0]) + " " + content(answers[1]) + " " + content(answers[2]), nil
	}))
	// A key that looks like that of a question without a key must remain distinct from it, whether
	// it is asked in the same round, an earlier one or a later one.
	keys := []string{"", "input-1", "", "input-input-1", "input-2", "input-x", "input-", ""}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "alike"}, func(ctx context.Context, r *mcp.Request, in struct {
		Rounds int `json:"rounds"`
	}) (string, error) {
		var questions []mcp.Question
		for i, key := range keys {
			q := nameQuestion(t, key)
			q.Message = fmt.Sprint(i)
			questions = append(questions, q)
		}
		got := ""
		for _, round := range [][]mcp.Question{questions[:in.Rounds], questions[in.Rounds:]} {
			answers, err := r.Ask(ctx, round...)
			if err != nil {
				return "", err
			}
			for _, answer := range answers {
				got += content(answer)
			}
		}
		return got, nil
	}))
	for _, transport := range transportsOf(latest) {
		mixed := connectOver(t, s, latest, transport)
		m := mixed.ask("1", "tools/call", `{"name":"mixed",`+metaWith(`{"elicitation":{}}`)+`}`)
		for _, key := range []string{"input-1", "input-2", "once"} {
			if strings.Count(m.line, fmt.Sprintf(`%q:{"method"`, key)) != 1 {
				t.Errorf("the key %s is not there once: %s", key, m.line)
			}
		}
		for rounds := range keys {
			call, total := fmt.Sprintf(`{"name":"alike","arguments":{"rounds":%d},%s`, rounds, metaWith(`{"elicitation":{}}`)), 0
			m := mixed.ask("1", "tools/call", call+"}")
			for m.Result["resultType"] == "input_required" {
				var replies []string
				for key, question := range object(m.Result["inputRequests"]) {
					replies = append(replies, fmt.Sprintf("%q:%s", key, accepts(fmt.Sprint(object(object(question)["params"])["message"]))))
				}
				total += len(replies)
				m = mixed.ask("1", "tools/call", fmt.Sprintf(`%s,"inputResponses":{%s},"requestState":%q}`, call, strings.Join(replies, ","), m.Result["requestState"]))
			}
			var want string
			for i := range keys {
				want += fmt.Sprintf(`{"name":"%d"}`, i)
			}
			if total != len(keys) || m.text() != want {
				t.Errorf("%d in the first round: %d asked, %s", rounds, total, m.line)
			}
		}
		for _, method := range []string{"tools/call", "prompts/get"} {
			p, call := connectOver(t, s, latest, transport), `"name":"ask",`+metaWith(`{"elicitation":{}}`)
			answers := ""
			for _, want := range []string{"a b", "c"} {
				m := p.ask("1", method, `{`+call+answers+`}`)
				requests, messages, replies := object(m.Result["inputRequests"]), []string{}, []string{}
				for _, key := range slices.Sorted(maps.Keys(requests)) {
					messages = append(messages, fmt.Sprint(object(object(requests[key])["params"])["message"]))
					replies = append(replies, fmt.Sprintf("%q:%s", key, accepts(messages[len(messages)-1])))
				}
				if strings.Join(messages, " ") != want {
					t.Errorf("%s: want questions %s: %s", method, want, m.line)
				}
				answers = fmt.Sprintf(`,"inputResponses":{%s},"requestState":%q`, strings.Join(replies, ","), m.Result["requestState"])
			}
			m := p.ask("1", method, `{`+call+answers+`}`)
			if !strings.Contains(m.line, `{\"name\":\"a\"} {\"name\":\"b\"} {\"name\":\"c\"}`) {
				t.Error(m.line)
			}
		}
	}
}

func TestRequestStateIsBoundAndSealed(t *testing.T) {
	proves(t, "mrtr.state.integrity", "mrtr.state.reject-bad", "mrtr.state.untrusted", "mrtr.state.request-binding", "mrtr.state.expiry", "mrtr.state.principal")
	synctest.Test(t, func(t *testing.T) {
		s := askServer(t)
		p := connect(t, s)
		caps := metaWith(`{"elicitation":{},"sampling":{},"roots":{}}`)
		m := p.ask("1", "tools/call", `{"name":"greet","arguments":{"title":"Dr.","x":1},`+caps+`}`)
		if m.Result["isError"] != true {
			t.Fatal(m.line)
		}
		m = p.ask("1", "tools/call", `{"name":"greet","arguments":{"title":"Dr."},`+caps+`}`)
		state := m.Result["requestState"].(string)
		retry := func(p *peer, tool, arguments, state string) *message {
			return p.ask("2", "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"requestState":%q,"inputResponses":{},%s}`, tool, arguments, state, caps))
		}
		if m := retry(p, "greet", `{ "title": "Dr." }`, state); m.Result["resultType"] != "input_required" {
			t.Errorf("the state as issued: %s", m.line)
		}
		other := connect(t, askServer(t))
		for what, m := range map[string]*message{
			"tampered":        retry(p, "greet", `{"title":"Dr."}`, state+"-TAMPERED"),
			"cut short":       retry(p, "greet", `{"title":"Dr."}`, state[:10]),
			"empty":           retry(p, "greet", `{"title":"Dr."}`, ""),
			"other arguments": retry(p, "greet", `{"title":"Prof."}`, state),
			"another tool":    retry(p, "all", `{"title":"Dr."}`, state),
			"another server":  retry(other, "greet", `{"title":"Dr."}`, state),
		} {
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("%s: %s", what, m.line)
			}
		}
		for _, value := range []string{`7`, `true`, `[]`, `{}`, `{"state":"x"}`} {
			m := p.ask("3", "tools/call", `{"name":"greet","arguments":{"title":"Dr."},"requestState":`+value+`,`+caps+`}`)
			wantCode(t, m, mcp.CodeInvalidParams)
		}
		time.Sleep(time.Hour)
		if m := retry(p, "greet", `{"title":"Dr."}`, state); m.Error == nil || !strings.Contains(m.Error.Message, "expired") {
			t.Errorf("after an hour: %s", m.line)
		}
		p.close()
		other.close()
	})
}

func TestWhoAsksAfterItsHandlerHasReturnedDisturbsNobody(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	late := make(chan struct{})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		go func() {
			for range 100 {
				askOnly(ctx, r, &mcp.RootsQuestion{})
			}
			late <- struct{}{}
		}()
		return "", askOnly(ctx, r, &mcp.RootsQuestion{})
	}))
	p := connect(t, s)
	for range 20 {
		if m := p.ask("1", "tools/call", `{"name":"ask",`+metaWith(`{"roots":{}}`)+`}`); m.Result["resultType"] != "input_required" {
			t.Error(m.line)
		}
		<-late
	}
}

func TestAHandlerCanRefuseAStateThatItHasSeen(t *testing.T) {
	proves(t, "mrtr.state.single-use")
	seen := map[string]bool{}
	s := newServer(nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "pay"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		if id := r.StateID(); id != "" && seen[id] {
			return "", &mcp.Error{Code: mcp.CodeInvalidParams, Message: "this has been paid"}
		} else if id != "" {
			seen[id] = true
		}
		form, _, err := mcp.Elicit[nameForm](ctx, r, "Who pays?")
		return form.Name + " pays", err
	}))
	for _, over := range []string{"pipe", "http"} {
		var call func(more string) *message
		if over == "pipe" {
			p := connect(t, s)
			call = func(more string) *message {
				return p.ask("1", "tools/call", `{"name":"pay",`+more+metaWith(`{"elicitation":{}}`)+`}`)
			}
		} else {
			w := host(t, s, nil).open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: pay")
			call = func(more string) *message {
				return w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay",` + more + metaWith(`{"elicitation":{}}`) + `}}`).message()
			}
		}
		for i := range 40 {
			name := fmt.Sprint("Ada ", i)
			state, _ := json.Marshal(call("").Result["requestState"])
			answer := `"inputResponses":{"input-1":{"action":"accept","content":{"name":"` + name + `"}}},"requestState":` + string(state) + `,`
			if m := call(answer); m.text() != name+" pays" {
				t.Errorf("%s: %s", over, m.line)
			}
			for _, again := range []string{answer, `"requestState":` + string(state) + `,`, `"inputResponses":{},"requestState":` + string(state) + `,`} {
				if m := call(again); m.Error == nil || m.Error.Message != "this has been paid" {
					t.Errorf("%s, again: %s", over, m.line)
				}
			}
		}
	}
}

// TestClientsThatDoNotComeBackTakeNoRoom sends questions to clients that never answer. Their
// questions must not count against the limit of concurrent requests.
func TestClientsThatDoNotComeBackTakeNoRoom(t *testing.T) {
	proves(t, "mrtr.no-assumed-retry")
	s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 1}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		return "", askOnly(ctx, r, nameQuestion(t, ""))
	}))
	for _, transport := range transportsOf(latest) {
		p := connectOver(t, s, latest, transport)
		for range 10 {
			if m := p.ask("1", "tools/call", `{"name":"ask",`+metaWith(`{"elicitation":{}}`)+`}`); m.Result["resultType"] != "input_required" {
				t.Errorf("%s: %s", transport, m.line)
			}
		}
		if m := p.ask("1", "tools/call", `{`+callParams("echo", `{"message":"hi"}`)+`,`+metaWith(`{}`)+`}`); m.text() != "hi" {
			t.Errorf("%s: %s", transport, m.line)
		}
	}
}

// TestWhatAHandlerGivesIsSentOnOneLine makes handlers pass JSON that spans several lines, in every
// place where a handler can pass JSON.
func TestWhatAHandlerGivesIsSentOnOneLine(t *testing.T) {
	proves(t, "stdio.newline-delimited")
	const broken = "{\n\"a\":\r\n[ 1,\n2 ]\r}"
	raw, form := json.RawMessage(broken), json.RawMessage("{\n\"type\":\r\n\"object\",\n\"properties\":\n{\"a\":\n{\"type\":\n\"string\"}}}")
	sampling := &mcp.Sampling{MaxTokens: 1, SystemPrompt: "a\nb", StopSequences: []string{"\n"}, Metadata: mcp.Meta{"m": raw},
		Messages: []mcp.SamplingMessage{
			said(mcp.RoleUser, mcp.Text("a\r\nb")),
			said(mcp.RoleAssistant, &mcp.ToolUseContent{ID: "1", Name: "t", Input: raw}),
			said(mcp.RoleUser, &mcp.ToolResultContent{ToolUseID: "1", Content: []mcp.Content{mcp.Text("x")}, Structured: raw}),
		},
		Tools: []mcp.Tool{{Name: "t", InputSchema: form}}}
	questions := []mcp.Question{sampling, &mcp.Elicitation{Message: "a\nb", Schema: form}}
	revisionsOf(t, "stdio.no-embedded-newline", func(t *testing.T, revision string) {
		requests := questions
		if revision < "2025-11-25" { // these revisions have no tools in sampling
			plain := *sampling
			plain.Messages, plain.Tools = plain.Messages[:1], nil
			if requests = []mcp.Question{&plain}; revision >= "2025-06-18" {
				requests = append(requests, questions[1])
			}
		}
		s := newServer(&mcp.ServerOptions{Instructions: "a\nb", Capabilities: mcp.ServerCapabilities{Logging: true}})
		must(t, s.AddExtension("com.example/a", raw),
			mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
				return "", askOnly(ctx, r, requests...)
			}),
			mcp.AddTool(s, mcp.Tool{Name: "raw", InputSchema: form, Meta: mcp.Meta{"com.example/m": raw}}, func(_ context.Context, r *mcp.Request, _ map[string]any) (mcp.RawResult, error) {
				r.Log(mcp.LevelError, "a\nb", raw)
				r.Progress(1, 2, "a\nb")
				return mcp.RawResult("{\n\"content\":\n[],\n\"structuredContent\":" + broken + "\r}"), nil
			}),
			mcp.AddTool(s, mcp.Tool{Name: "fail"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
				return "", &mcp.Error{Code: 1, Message: "a\nb", Data: raw}
			}))
		p := connect(t, s)
		capabilities := `{"sampling":{"tools":{}},"elicitation":{}}`
		params := func(members string) string {
			return "{" + members + "," + strings.Replace(modernMeta(`,"progressToken":1,"io.modelcontextprotocol/logLevel":"debug"`), `clientCapabilities":{}`, `clientCapabilities":`+capabilities, 1) + "}"
		}
		if !modern(revision) {
			p.openWith(revision, capabilities)
			params = func(members string) string { return "{" + members + `,"_meta":{"progressToken":1}}` }
		}
		// The test harness fails on a line that is not a complete message.
		lines := map[string]int{"raw": 3, "fail": 1, "ask": len(requests)}
		if modern(revision) {
			lines["ask"] = 1
		}
		for _, tool := range []string{"raw", "fail", "ask"} {
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params(callParams(tool, `{}`)) + `}`)
			for range lines[tool] {
				if line := p.receiveLine(); !json.Valid([]byte(line)) {
					t.Errorf("%s: %q", tool, line)
				}
			}
		}
	})
}

// TestVisitID makes a tool send the user to two pages, one after the other, and
// checks which IDs each run of its handler sees.
func TestVisitID(t *testing.T) {
	s := newServer(nil)
	var ids []string
	visit := func(ctx context.Context, r *mcp.Request, id string, e mcp.Elicitation) error {
		e.Message, e.URL, e.ID = "Pay.", "https://example.com/"+id, id
		return askOnly(ctx, r, &e)
	}
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "pages"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			first, second := r.VisitID(""), r.VisitID("second")
			ids = append(ids, first, second)
			if r.VisitID("second") != second {
				t.Error("the ID changes during a run")
			}
			if err := visit(ctx, r, first, mcp.Elicitation{}); err != nil {
				return "", err
			}
			return "done", visit(ctx, r, second, mcp.Elicitation{Key: "second"})
		}),
		mcp.AddTool(s, mcp.Tool{Name: "changes"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return "done", visit(ctx, r, rand.Text(), mcp.Elicitation{})
		}),
	)
	p := connect(t, s)
	answer := func(name, key string, m *message) *message {
		return p.ask("1", "tools/call", fmt.Sprintf(`{%s,"requestState":%q,"inputResponses":{%q:{"action":"accept"}},%s}`, callParams(name, "{}"), m.Result["requestState"], key, metaWith(`{"elicitation":{"url":{}}}`)))
	}
	call := func(name string) *message {
		return p.ask("1", "tools/call", fmt.Sprintf(`{%s,%s}`, callParams(name, "{}"), metaWith(`{"elicitation":{"url":{}}}`)))
	}
	if m := answer("pages", "second", answer("pages", "input-1", call("pages"))); m.text() != "done" {
		t.Error(m.line)
	}
	if len(ids) != 6 || ids[0] == ids[1] || ids[2] != ids[0] || ids[4] != ids[0] || ids[3] != ids[1] || ids[5] != ids[1] {
		t.Errorf("the IDs of three runs are %q", ids)
	}
	if m := answer("changes", "input-1", call("changes")); m.Result["isError"] != true || !strings.Contains(m.text(), "use Request.VisitID") {
		t.Error(m.line)
	}
	if call("pages"); ids[6] == ids[0] {
		t.Error("two requests have the same ID")
	}
}
