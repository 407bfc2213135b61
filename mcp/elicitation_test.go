package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// askerOf returns a server with the tool "ask", which asks the client the current question and
// returns the outcome.
func askerOf(t testing.TB, question func() mcp.Question) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		answers, err := r.Ask(ctx, question())
		if err != nil {
			return "", err
		}
		switch got := answers[0].(type) {
		case *mcp.ElicitationResult:
			return fmt.Sprintf("%s %s", got.Action, []byte(got.Content)), nil
		case *mcp.SamplingResult:
			return fmt.Sprintf("%s %s %s %q", got.Role, got.Model, got.StopReason, got.Text()), nil
		case *mcp.RootsResult:
			return fmt.Sprint(got.Roots), nil
		}
		return "", nil
	}))
	return s
}

// longID is longer than the text that error messages quote.
var longID = strings.Repeat("0123456789", 500) + "é\U0001F600"

const askedCapabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}`

// question calls "ask" and returns the resulting question as method and params, or the message that
// arrives instead of a question. It validates the question against the revision's schema.
func question(t *testing.T, p *peer, revision string) (method string, params map[string]any, m *message) {
	t.Helper()
	if revision == "2026-07-28" {
		m = p.ask("1", "tools/call", `{"name":"ask",`+metaWith(askedCapabilities)+`}`)
		requests := object(object(m.Result["inputRequests"])["input-1"])
		method, _ = requests["method"].(string)
		return method, object(requests["params"]), m
	}
	p.openWith(revision, askedCapabilities)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}`)
	m = p.receive()
	return m.Method, m.Params, m
}

// reply answers the question m and returns the tool's result.
func reply(p *peer, revision string, m *message, result string) *message {
	if revision != "2026-07-28" {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
		return p.receive()
	}
	state, _ := json.Marshal(m.Result["requestState"])
	return p.ask("2", "tools/call", fmt.Sprintf(`{"name":"ask","inputResponses":{"input-1":%s},"requestState":%s,%s}`, result, state, metaWith(askedCapabilities)))
}

func TestFormsAreAskedInTheRevisionsTerms(t *testing.T) {
	proves(t, "elicit.request.fields", "elicit.request.mode-and-message", "elicit.form.fields", "elicit.form.types.later", "elicit.form.types.2025-06", "elicit.result.handled", "elicit.error.handled")
	form := json.RawMessage(`{"type":"object","additionalProperties":false,"required":["name"],"properties":{
		"name":{"type":"string","title":"Name","minLength":2,"pattern":"^[A-Z]"},
		"mail":{"type":"string","format":"email"},
		"age":{"type":"integer","minimum":0,"default":30},
		"ok":{"type":"boolean","default":true},
		"plain":{"type":"string","enum":["a","b"]},
		"titled":{"type":"string","oneOf":[{"const":"a","title":"First"},{"const":"b","title":"Second"}]}}}`)
	s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "Who?", Schema: form} })
	for _, revision := range revisions[2:] {
		t.Run(revision, func(t *testing.T) {
			p := connect(t, s)
			method, params, m := question(t, p, revision)
			fields := object(object(params["requestedSchema"])["properties"])
			if method != "elicitation/create" || params["message"] != "Who?" || len(fields) != 6 || object(fields["name"])["minLength"] != 2.0 {
				t.Fatal(m.line)
			}
			if mode := params["mode"]; (mode == "form") != (revision >= "2025-11-25") {
				t.Errorf("mode %v", mode)
			}
			titled := object(fields["titled"])
			if revision == "2025-06-18" {
				if fmt.Sprint(titled["enum"], titled["enumNames"]) != "[a b] [First Second]" || titled["oneOf"] != nil {
					t.Errorf("titles before they existed: %v", titled)
				}
			} else if len(list(titled["oneOf"])) != 2 {
				t.Errorf("titles: %v", titled)
			}
			answer := reply(p, revision, m, `{"action":"accept","content":{"name":"Ada"}}`)
			if answer.text() != `accept {"name":"Ada"}` {
				t.Error(answer.line)
			}
		})
		for _, action := range []string{"decline", "cancel"} {
			p := connect(t, s)
			_, _, m := question(t, p, revision)
			if answer := reply(p, revision, m, `{"action":"`+action+`"}`); answer.text() != action+" " {
				t.Errorf("%s: %s", revision, answer.line)
			}
		}
	}
}

func TestAnswersToAFormAreChecked(t *testing.T) {
	form := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","pattern":"^[A-Z]"}}}`)
	s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "Who?", Schema: form} })
	for _, revision := range revisions[2:4] {
		for _, result := range []string{`{"action":"accept","content":{"name":"ada"}}`, `{"action":"accept"}`, `{"action":"perhaps"}`, `{}`} {
			p := connect(t, s)
			_, _, m := question(t, p, revision)
			if answer := reply(p, revision, m, result); answer.Result["isError"] != true {
				t.Errorf("%s: %s: %s", revision, result, answer.line)
			}
		}
		p := connect(t, s)
		_, _, m := question(t, p, revision)
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"no user here"}}`, m.ID))
		if answer := p.receive(); answer.Result["isError"] != true || !strings.Contains(answer.text(), "no user here") {
			t.Error(answer.line)
		}
	}
}

func TestAnswersToAFormHaveTheirFormats(t *testing.T) {
	for format, values := range map[string][2]string{
		"email":     {"ada@example.com", "ada at example.com"},
		"uri":       {"https://example.com/a", "example.com/a"},
		"date":      {"2026-07-28", "2026-02-29"},
		"date-time": {"2026-07-28T10:00:00+02:00", "2026-07-28 10:00"},
	} {
		form := json.RawMessage(`{"type":"object","properties":{"x":{"type":"string","format":"` + format + `"}}}`)
		s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "?", Schema: form} })
		for _, revision := range revisions[2:] {
			for i, value := range values {
				p := connect(t, s)
				_, _, m := question(t, p, revision)
				answer := reply(p, revision, m, fmt.Sprintf(`{"action":"accept","content":{"x":%q}}`, value))
				refused := answer.Error != nil || answer.Result["isError"] == true
				if refused != (i == 1) {
					t.Errorf("%s: %s %s: %s", revision, format, value, answer.line)
				}
			}
		}
	}
}

func TestFormsThatAreNoneAreNotSent(t *testing.T) {
	proves(t, "elicit.form.flat-schema")
	for name, schema := range map[string]string{
		"no object":                  `{"type":"string"}`,
		"a nested object":            `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`,
		"an array of anything":       `{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}`,
		"a field without type":       `{"type":"object","properties":{"a":{}}}`,
		"a reference":                `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`,
		"a condition":                `{"type":"object","properties":{},"if":{},"then":{}}`,
		"choices without titles":     `{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x"}]}}}`,
		"a keyword of another type":  `{"type":"object","properties":{"a":{"type":"boolean","minLength":1}}}`,
		"fields that are no object":  `{"type":"object","properties":7}`,
		"text that is not JSON":      `{`,
		"a choice of any texts":      `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`,
		"a choice of several of any": `{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"array","items":true}}}`,
		"elements that are objects":  arrayForm(`{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}}}]}`),
		"elements of any type":       arrayForm(`{"anyOf":[{}]}`),
		"elements of several types":  arrayForm(`{"anyOf":[{"type":"string"},{"type":"number"}]}`),
		"an alternative of choices":  arrayForm(`{"anyOf":[{"type":"string","enum":["x"]}]}`),
		"elements without a choice":  arrayForm(`{"anyOf":[]}`),
		"an element without a title": arrayForm(`{"anyOf":[{"const":"x","title":"X"},{"const":"y"}]}`),
		"an element without a value": arrayForm(`{"anyOf":[{"title":"X"}]}`),
		"a value that is no text":    arrayForm(`{"anyOf":[{"const":1,"title":"One"}]}`),
		"an element that is a text":  arrayForm(`{"anyOf":["x"]}`),
		"elements that are no list":  arrayForm(`{"anyOf":{"const":"x","title":"X"}}`),
		"elements that are null":     arrayForm(`{"anyOf":null}`),
	} {
		s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "?", Schema: json.RawMessage(schema)} })
		for _, revision := range revisions[2:] {
			p := connect(t, s)
			if method, _, m := question(t, p, revision); method != "" {
				t.Errorf("%s: %s: sent %s", revision, name, m.line)
			}
		}
	}
	for _, items := range []string{`{"type":"string","enum":["x"]}`, `{"anyOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]}`} {
		s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "?", Schema: json.RawMessage(arrayForm(items))} })
		for _, revision := range revisions[2:] {
			p := connect(t, s)
			if method, _, m := question(t, p, revision); (method != "") != (revision >= "2025-11-25") {
				t.Errorf("%s: a choice of several of %s: %s", revision, items, m.line)
			}
		}
	}
}

// arrayForm returns the schema of a form with an array of items.
func arrayForm(items string) string {
	return `{"type":"object","properties":{"a":{"type":"array","items":` + items + `}}}`
}

func TestPagesAreAskedForByURL(t *testing.T) {
	proves(t, "elicit.url.fields.2025-11", "elicit.url.fields.modern", "elicit.url.valid")
	address := "https://example.com/pay?order=" + strings.Repeat("0123456789", 200)
	page := &mcp.Elicitation{Message: "Please pay.", URL: address, ID: longID}
	s := askerOf(t, func() mcp.Question { return page })
	for _, revision := range revisions {
		p := connect(t, s)
		method, params, m := question(t, p, revision)
		if revision < "2025-11-25" {
			if m.Result["isError"] != true {
				t.Errorf("%s: %s", revision, m.line)
			}
			continue
		}
		if method != "elicitation/create" || params["mode"] != "url" || params["url"] != address || (params["elicitationId"] == longID) != (revision == "2025-11-25") {
			t.Errorf("%s: %s", revision, m.line)
		}
		if answer := reply(p, revision, m, `{"action":"accept"}`); answer.text() != "accept " {
			t.Errorf("%s: %s", revision, answer.line)
		}
	}
	for _, url := range []string{"pay", "/pay", "//example.com/pay", "https:", "://x", "https://exa mple.com/"} {
		s := askerOf(t, func() mcp.Question { return &mcp.Elicitation{Message: "?", URL: url, ID: "x"} })
		for _, revision := range revisions[3:] {
			if method, _, m := question(t, connect(t, s), revision); method != "" {
				t.Errorf("URL %q on %s: %s", url, revision, m.line)
			}
		}
	}
}

func TestTheEndOfAVisitIsReportedToTheClientThatWasSentThere(t *testing.T) {
	proves(t, "elicit.complete.id", "elicit.complete.initiator-only")
	request := make(chan *mcp.Request, 1)
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "pay"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		request <- r
		return "ok", nil
	}))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		other := connect(t, s)
		if revision == latest {
			other.open(revision)
		} else {
			other.openWith(revision, askedCapabilities)
		}
		p.ask("1", "tools/call", params(`"name":"pay"`))
		r := <-request
		for _, id := range []string{"pay-1", longID} {
			r.Session().ElicitationComplete(id)
			if revision == "2025-11-25" {
				if m := p.receive(); m.Method != "notifications/elicitation/complete" || m.Params["elicitationId"] != id {
					t.Error(m.line)
				}
			}
		}
		p.end()
		other.end()
	}, "pipe")
	// Other sessions of the same user do not receive the notification either.
	ada := mcp.WithPrincipal(context.Background(), "ada")
	p, other := connectWith(ada, t, s), connectWith(ada, t, s)
	for _, one := range []*peer{p, other} {
		one.openWith("2025-11-25", askedCapabilities)
	}
	p.ask("1", "tools/call", `{"name":"pay"}`)
	r := <-request
	r.Session().ElicitationComplete("pay-2")
	if m := p.receive(); m.Params["elicitationId"] != "pay-2" {
		t.Error(m.line)
	}
	p.end()
	other.end()
}

func TestStateOfAnElicitationIsThePrincipals(t *testing.T) {
	proves(t, "elicit.state.user-bound", "elicit.state.user-bound-if-any", "elicit.state.not-session-alone", "elicit.state.protected",
		"elicit.bind-identity", "elicit.user.not-client-asserted", "mrtr.state.principal", "sec.handle.not-authentication", "mrtr.no-assumed-retry")
	s := askServer(t)
	call := func(principal, more string) *message {
		p := connectWith(mcp.WithPrincipal(context.Background(), principal), t, s)
		defer p.close()
		return p.ask("1", "tools/call", `{"name":"greet",`+more+metaWith(`{"elicitation":{},"sampling":{}}`)+`}`)
	}
	first := call("ada", "")
	state, _ := json.Marshal(first.Result["requestState"])
	retry := `"inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}},"requestState":` + string(state) + `,`
	// The server stores no state, so a call that is never retried needs no memory.
	call("ada", "")
	for _, other := range []string{"eve", ""} {
		if m := call(other, retry); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("the state of another principal: %s", m.line)
		}
	}
	if m := call("ada", retry); m.Result["resultType"] != "input_required" {
		t.Errorf("the principal's own state: %s", m.line)
	}
	// The state of a client without credentials must not be accepted from a principal either.
	state, _ = json.Marshal(call("", "").Result["requestState"])
	if m := call("eve", `"inputResponses":{},"requestState":`+string(state)+`,`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
		t.Errorf("the state of nobody: %s", m.line)
	}
}

// TestTheCallerIsThePrincipalInEverySession checks that a handler can store its own state by
// Caller.
func TestTheCallerIsThePrincipalInEverySession(t *testing.T) {
	proves(t, "elicit.state.user-bound", "elicit.state.not-session-alone")
	s := newServer(nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "who"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) { return "by " + r.Caller(), nil }))
	for _, revision := range revisions {
		who := func(principal string) string {
			p := connectWith(mcp.WithPrincipal(context.Background(), principal), t, s)
			defer p.close()
			return p.ask("1", "tools/call", p.open(revision)(callParams("who", "{}"))).text()
		}
		if ada, again := who("ada"), who("ada"); ada == "by " || ada != again {
			t.Errorf("%s: ada is %q, then %q", revision, ada, again)
		}
		if ada := who("ada"); ada == who("eve") || ada == who("") {
			t.Errorf("%s: others are %q, too", revision, ada)
		}
		if one := who(""); (one == who("")) != (revision == latest) {
			t.Errorf("%s: two sessions of nobody are %q", revision, one)
		}
	}
}

func TestOnlySomeRequestsCanAsk(t *testing.T) {
	proves(t, "mrtr.unsupported-requests")
	// Middleware asks a question in every other request.
	asks := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if method := r.Method(); !r.Outgoing() && !r.Notification() && method != "example/ask" && method != "completion/complete" && method != "subscriptions/listen" {
				if err := askOnly(ctx, r, new(mcp.RootsQuestion)); err != nil {
					return nil, err
				}
			}
			return next(ctx, r)
		}
	}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{asks}})
	must(t, s.Handle("example/ask", func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
		if err := askOnly(ctx, r, new(mcp.RootsQuestion)); err != nil {
			return nil, err
		}
		return mcp.RawResult("{}"), nil
	}))
	must(t, s.AddPrompt(mcp.Prompt{Name: "p", Arguments: []mcp.PromptArgument{{Name: "a", Complete: func(ctx context.Context, r *mcp.Request, _ string, _ map[string]string) (mcp.Completion, error) {
		return mcp.Completion{}, askOnly(ctx, r, new(mcp.RootsQuestion))
	}}}}, says()))
	for method, members := range map[string]string{"example/ask": "", "completion/complete": `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},`,
		"tools/list": "", "prompts/list": "", "resources/list": "", "resources/templates/list": "", "server/discover": "", "tasks/get": `"taskId":"x",`,
	} {
		p := connect(t, s)
		if m := p.ask("1", method, `{`+members+metaWith(askedCapabilities)+`}`); m.Error == nil || m.Error.Code != mcp.CodeInternalError || m.Result != nil {
			t.Error(m.line)
		}
	}
}

func TestRootsAreAskedFor(t *testing.T) {
	s := askerOf(t, func() mcp.Question { return new(mcp.RootsQuestion) })
	for _, revision := range revisions {
		p := connect(t, s)
		method, _, m := question(t, p, revision)
		if method != "roots/list" {
			t.Fatal(m.line)
		}
		if answer := reply(p, revision, m, `{"roots":[{"uri":"file:///home/ada","name":"Home"}]}`); answer.text() != "[{file:///home/ada Home}]" {
			t.Errorf("%s: %s", revision, answer.line)
		}
	}
}

func TestAFormTakesNumbersOfEveryKind(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	type numbers struct {
		Exact json.Number `json:"exact"`
		Whole int         `json:"whole"`
		Small int8        `json:"small"`
	}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		form, action, err := mcp.Elicit[numbers](ctx, r, "How many?")
		return fmt.Sprint(form, action), err
	}))
	for _, revision := range revisions[2:] {
		p := connect(t, s)
		_, _, m := question(t, p, revision)
		m = reply(p, revision, m, `{"action":"accept","content":{"exact":12345678901234567890.5,"whole":3.0,"small":1e2}}`)
		if want := "{12345678901234567890.5 3 100}accept"; m.text() != want {
			t.Errorf("%s: %s, not %s", revision, m.line, want)
		}
	}
}
