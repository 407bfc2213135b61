package mcp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// sameJSON checks that got, which is decoded JSON, equals the JSON text want.
func sameJSON(t *testing.T, what string, got any, want string) {
	t.Helper()
	var w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%s: the test wants %s: %v", what, want, err)
	}
	if !reflect.DeepEqual(got, w) {
		have, _ := json.Marshal(got)
		t.Errorf("%s:\n got %s\nwant %s", what, have, want)
	}
}

// tool finds the tool with the given name in a tools/list result.
func tool(m *message, name string) map[string]any {
	for _, one := range list(m.Result["tools"]) {
		if object(one)["name"] == name {
			return object(one)
		}
	}
	return nil
}

func TestAToolIsListedWithWhatTheRevisionHasOfIt(t *testing.T) {
	proves(t, "tools.list.fields", "tools.input-schema.object-root", "tools.output-schema.object-root", "tools.input-schema.not-null",
		"tools.no-params", "icons.src-required", "jsonschema.schema-is-valid", "tools.output-schema.any", "meta.passthrough",
		"jsonschema.prefer-2020-12")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{
			Name: "full", Title: "A title", Description: "What it does.",
			Annotations: &mcp.ToolAnnotations{ReadOnly: true, Destructive: new(false), Idempotent: true, OpenWorld: new(false)},
			Icons:       []mcp.Icon{{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48", "any"}, Theme: "dark"}},
			Meta:        mcp.Meta{"example.com/k": []int{1}},
		}, func(context.Context, *mcp.Request, echoInput) (o sumOutput, err error) { return }),
		mcp.AddTool(s, mcp.Tool{Name: "bare"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }),
		mcp.AddTool(s, mcp.Tool{Name: "number"}, func(context.Context, *mcp.Request, struct{}) (int, error) { return 7, nil }),
		mcp.AddTool(s, mcp.Tool{Name: "own", InputSchema: json.RawMessage("{\n  \"type\": \"object\",\n  \"properties\": {\"q\": {\"type\": \"string\"}}\n}")},
			func(context.Context, *mcp.Request, json.RawMessage) (string, error) { return "", nil }),
	)
	const (
		input  = `"inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"text to send back"}},"required":["message"],"additionalProperties":false}`
		output = `,"outputSchema":{"type":"object","properties":{"sum":{"type":"integer","description":"a plus b"}},"required":["sum"],"additionalProperties":false}`
		hints  = `,"annotations":{"title":"A title","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`
		icons  = `,"icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}]`
		title  = `,"title":"A title","_meta":{"example.com/k":[1]}`
		start  = `{"name":"full","description":"What it does.",` + input
	)
	want := map[string]string{
		"2024-11-05": start + `}`,
		"2025-03-26": start + hints + `}`,
		"2025-06-18": start + hints + title + output + `}`,
		"2025-11-25": start + hints + title + output + icons + `}`,
		"2026-07-28": start + hints + title + output + icons + `}`,
	}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/list", params(""))
		sameJSON(t, "full", any(tool(m, "full")), want[revision])
		sameJSON(t, "bare", any(tool(m, "bare")), `{"name":"bare","inputSchema":{"type":"object","additionalProperties":false}}`)
		sameJSON(t, "own", any(tool(m, "own")), `{"name":"own","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}`)
		number := `{"name":"number","inputSchema":{"type":"object","additionalProperties":false}`
		if revision == "2026-07-28" {
			number += `,"outputSchema":{"type":"integer"}`
		}
		sameJSON(t, "number", any(tool(m, "number")), number+"}")
	})
}

func TestToolsAreListedByNameWhateverTheOrderOfAdding(t *testing.T) {
	proves(t, "tools.list.deterministic", "tools.name.case-sensitive")
	var first string
	for _, names := range [][]string{{"b", "a", "B", "c.d", "c-d", "_"}, {"_", "c-d", "B", "a", "c.d", "b"}} {
		s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
		for _, name := range names {
			must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return name, nil }))
		}
		p := connect(t, s)
		params := p.open("2026-07-28")
		got := toolNames(p.ask("1", "tools/list", params("")))
		if first == "" {
			first = got
		}
		if got != first || got != "B _ a b c-d c.d" {
			t.Errorf("tools are listed as %s", got)
		}
		for _, name := range []string{"b", "B"} {
			if m := p.ask("2", "tools/call", params(callParams(name, `{}`))); m.text() != name {
				t.Errorf("%s: %s", name, m.line)
			}
		}
	}
}

// toolNames returns the names in a tools/list result, in order.
func toolNames(m *message) string {
	var names []string
	for _, one := range list(m.Result["tools"]) {
		names = append(names, fmt.Sprint(object(one)["name"]))
	}
	return strings.Join(names, " ")
}

func TestTheToolSetIsTheSameOnEveryConnection(t *testing.T) {
	proves(t, "tools.list.no-connection-variance", "tools.list.answered", "base.stateless.no-affinity")
	s := echoServer(t, nil)
	want := ""
	for range 3 {
		p := connect(t, s)
		params := p.open("2026-07-28")
		p.ask("1", "tools/call", params(callParams("panic", `{}`))) // this call does not change anything
		got := p.ask("2", "tools/list", params("")).line
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	hidden := echoServer(t, &mcp.ServerOptions{Visible: func(*mcp.Request, mcp.Entry) bool { return false }})
	p := connect(t, hidden)
	if m := p.ask("1", "tools/list", p.open("2026-07-28")("")); m.Error != nil || len(list(m.Result["tools"])) != 0 || m.Result["tools"] == nil {
		t.Errorf("a list of what is hidden: %s", m.line)
	}
	s.RemoveTools("echo", "fail", "panic", "refuse")
	p = connect(t, s)
	if m := p.ask("1", "tools/list", p.open("2026-07-28")("")); m.Error != nil || len(list(m.Result["tools"])) != 0 || m.Result["tools"] == nil {
		t.Errorf("a list of nothing: %s", m.line)
	}
}

// TestListsDoNotDependOnTheConnection compares lists on connections on which different requests
// were sent before.
func TestListsDoNotDependOnTheConnection(t *testing.T) {
	proves(t, "tools.list.no-connection-variance", "prompts.list.no-connection-variance", "resources.list.no-connection-variance")
	s := capable(t)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "required", TaskSupport: mcp.TaskSupportRequired}, says1("done")),
		s.AddPrompt(mcp.Prompt{Name: "q"}, says()), s.AddResource(mcp.Resource{URI: "x:b", Name: "b"}, holds()),
		s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{c}", Name: "c"}, tells("")))
	want := map[string]string{}
	check := func(what string, p *peer) {
		t.Helper()
		for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
			for _, caps := range []string{`{}`, takesTasks} {
				got := p.ask("7", method, "{"+metaWith(caps)+"}").line
				if want[method] == "" {
					want[method] = got
				}
				if got != want[method] {
					t.Errorf("%s: %s\ngot  %s\nwant %s", what, method, got, want[method])
				}
			}
		}
	}
	check("a pipe", connect(t, s))
	check("HTTP", connectOver(t, s, latest, "http"))
	check("a pipe of a principal", connectWith(mcp.WithPrincipal(context.Background(), "ada"), t, s))
	for _, revision := range revisions[:4] {
		p := connect(t, s)
		p.openWith(revision, `{"roots":{},"sampling":{}}`)
		check("a session of "+revision, p)
		p.ask("1", "tools/call", "{"+callParams("echo", `{"message":"x"}`)+"}")
		p.ask("2", "tools/list", "{}")
		check("a session of "+revision+" that was used", p)
	}
	// These sessions started when the server had no entries.
	empty := newServer(nil)
	sessions := map[string]*peer{}
	for _, revision := range revisions[:4] {
		sessions[revision] = connect(t, empty)
		sessions[revision].openWith(revision, `{}`)
	}
	must(t, mcp.AddTool(empty, mcp.Tool{Name: "late"}, says1("")), empty.AddPrompt(mcp.Prompt{Name: "late"}, says()),
		empty.AddResource(mcp.Resource{URI: "x:late", Name: "late"}, holds()))
	clear(want)
	check("a pipe to a server that had nothing", connect(t, empty))
	for revision, p := range sessions {
		check("a session of "+revision+" with a server that had nothing", p)
	}
	clear(want)
	p := connect(t, s)
	for i, method := range []string{"tools/call", "prompts/get", "resources/read", "no/such", "server/discover"} {
		p.ask(fmt.Sprint(i), method, `{"name":"p","uri":"x:a",`+modernMeta("")+"}")
		check("after "+method, p)
	}
	// A connection on which the lists were already requested also gets the changed lists.
	web := connectOver(t, s, latest, "http")
	check("HTTP before a change", web)
	for _, change := range []func(){
		func() {
			must(t, mcp.AddTool(s, mcp.Tool{Name: "more"}, says1("")), s.AddPrompt(mcp.Prompt{Name: "more"}, says()), s.AddResource(mcp.Resource{URI: "x:more", Name: "more"}, holds()),
				s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:more/{c}", Name: "more"}, tells("")))
		},
		func() {
			s.RemoveTools("more")
			s.RemovePrompts("more")
			s.RemoveResources("x:more")
			s.RemoveResourceTemplates("x:more/{c}")
		},
	} {
		before := maps.Clone(want)
		change()
		clear(want)
		check("a new pipe after a change", connect(t, s))
		for method := range want {
			if want[method] == before[method] {
				t.Errorf("%s has not changed", method)
			}
		}
		check("a pipe that saw the lists before", p)
		check("HTTP after a change", web)
	}
}

func TestAServerWithoutToolsHasNoToolsMethods(t *testing.T) {
	proves(t, "arch.tools-need-capability", "tools.capability", "lifecycle.operation.capabilities.must", "base.components.legacy-core")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			p := connect(t, s)
			if !modern(revision) {
				sameJSON(t, "ping before initialize", any(p.ask("0", "ping", "{}").Result), `{}`)
			}
			var capabilities any
			if revision == "2026-07-28" {
				capabilities = p.ask("0", "server/discover", p.open(revision)("")).Result["capabilities"]
			} else {
				capabilities = p.initialize(revision).Result["capabilities"]
			}
			sameJSON(t, "capabilities", capabilities, `{}`)
			params := "{}"
			if revision == "2026-07-28" {
				params = "{" + modernMeta("") + "}"
			}
			for _, method := range []string{"tools/list", "tools/call"} {
				if m := p.ask("1", method, params); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
					t.Errorf("%s: %s", method, m.line)
				}
			}
			if !modern(revision) {
				sameJSON(t, "ping after it", any(p.ask("2", "ping", "{}").Result), `{}`)
			}
		})
	}
}

func TestAFailureWithoutAWordIsAResultToo(t *testing.T) {
	proves(t, "tools.error.execution-in-result")
	s := newServer(nil)
	for name, err := range map[string]error{"silent": errors.New(""), "wrapped": fmt.Errorf("reading: %w", io.EOF), "cancelled": context.Canceled} {
		must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (map[string]int, error) { return nil, err }))
	}
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for name, text := range map[string]string{"silent": "", "wrapped": "reading: EOF", "cancelled": "context canceled"} {
			m := p.ask("1", "tools/call", params(callParams(name, "{}")))
			if content := list(m.Result["content"]); m.Error != nil || m.Result["isError"] != true || len(content) != 1 || object(content[0])["text"] != text || m.Result["structuredContent"] != nil {
				t.Errorf("%s: %s", name, m.line)
			}
		}
	})
}

func TestAFailureOfAToolIsAResultAndAnErrorOfTheProtocolIsNot(t *testing.T) {
	proves(t, "tools.error.execution-in-result", "tools.error.unknown-tool", "base.response.error.fields", "base.error.code-integer",
		"base.response.result-or-error", "base.response.not-both", "base.response.result.field", "stdio.no-embedded-newline",
		"stdio.newline-delimited")
	eachRevision(t, echoServer(t, nil), func(t *testing.T, _ string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("fail", `{}`)))
		if m.Error != nil || m.Result["isError"] != true || m.text() != "disk is full" {
			t.Errorf("a tool that fails: %s", m.line)
		}
		m = p.ask("2", "tools/call", params(callParams("refuse", `{}`)))
		if m.Result != nil || m.Error == nil || m.Error.Code != -1 || m.Error.Message != "not today" || m.Error.Data["retry"] != true {
			t.Errorf("a tool that refuses with data over two lines: %s", m.line)
		}
		for _, name := range []string{"nonesuch", "ECHO", "echo ", ""} {
			m = p.ask("3", "tools/call", params(callParams(name, `{}`)))
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams || !strings.Contains(m.Error.Message, name) {
				t.Errorf("tool %q: %s", name, m.line)
			}
		}
	})
}

func TestDataOfAnErrorThatIsNotJSONIsLeftOut(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "refuse"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", &mcp.Error{Code: -1, Message: "no", Data: json.RawMessage(`{"half":`)}
	}))
	p := connect(t, s)
	if m := p.ask("1", "tools/call", p.open("2025-11-25")(callParams("refuse", `{}`))); m.Error == nil || m.Error.Message != "no" || m.Error.Data != nil {
		t.Error(m.line)
	}
}

func TestACallThatIsNotOneIsRefused(t *testing.T) {
	proves(t, "base.error.invalid-params", "tools.error.malformed-request")
	eachRevision(t, echoServer(t, nil), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, members := range []string{``, `"name":7,"arguments":{}`, `"name":null`, `"name":["echo"]`, `"arguments":{"message":"x"}`,
			`"name":"echo","arguments":[]`, `"name":"echo","arguments":["x"]`, `"name":"echo","arguments":"x"`,
			`"name":"echo","arguments":5`, `"name":"echo","arguments":true`,
			`"name":"echo","name":"fail","arguments":{}`, `"name":"echo","arguments":{"message":"a"},"arguments":{"message":"b"}`} {
			if m := p.ask("1", "tools/call", params(members)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("params %s: %s", members, m.line)
			}
		}
		for _, twice := range []string{`"cursor":"","cursor":""`, `"cursor":null,"cursor":null`, `"cursor":"","cursor":null`} {
			if m := p.ask("1", "tools/list", params(twice)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("params %s: %s", twice, m.line)
			}
		}
		// Unknown members of an object are allowed.
		if m := p.ask("2", "tools/call", params(callParams("echo", `{"message":"x"}`)+`,"unknown":{"deep":[1]}`)); m.text() != "x" {
			t.Errorf("an unknown member of params: %s", m.line)
		}
	})
}

func TestMiddlewareSeesEveryRequestOutermostFirst(t *testing.T) {
	var seen []string
	layer := func(name string) mcp.Middleware {
		return func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				seen = append(seen, name+" before "+r.Method()+" "+r.Name()+" "+r.Revision())
				res, err := next(ctx, r)
				seen = append(seen, name+" after")
				if r.Name() == "fail" {
					return nil, &mcp.Error{Code: 429, Message: "too many"}
				}
				return res, err
			}
		}
	}
	p := connect(t, echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{layer("outer"), layer("inner")}}))
	p.initialize("2025-06-18")
	p.ask("1", "tools/call", `{"name":"echo","arguments":{"message":"x"}}`)
	m := p.ask("2", "tools/call", `{"name":"fail"}`)
	p.ask("3", "no/such", "{}")
	if m.Error == nil || m.Error.Code != 429 {
		t.Errorf("middleware refuses: %s", m.line)
	}
	want := `outer before initialize  , inner before initialize  , inner after, outer after, ` +
		`outer before notifications/initialized  2025-06-18, inner before notifications/initialized  2025-06-18, inner after, outer after, ` +
		`outer before tools/call echo 2025-06-18, inner before tools/call echo 2025-06-18, inner after, outer after, ` +
		`outer before tools/call fail 2025-06-18, inner before tools/call fail 2025-06-18, inner after, outer after, ` +
		`outer before no/such  2025-06-18, inner before no/such  2025-06-18, inner after, outer after`
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMiddlewareMayAnswerWithAResultOfItsOwn(t *testing.T) {
	wrap := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			switch r.Name() {
			case "echo":
				return &mcp.CallToolResult{Structured: map[string]int{"n": 1}}, nil
			case "fail":
				return mcp.RawResult("{ \"content\": [],\n \"isError\": true }"), nil
			case "refuse":
				return nil, nil
			case "panic":
				return &mcp.CallToolResult{Structured: make(chan int)}, nil
			}
			return next(ctx, r)
		}
	}
	s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{wrap}})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("echo", `{"message":"x"}`)))
		if m.text() != `{"n":1}` || (m.Result["structuredContent"] != nil) != (revision >= "2025-06-18") {
			t.Errorf("structured content: %s", m.line)
		}
		if m := p.ask("2", "tools/call", params(callParams("fail", `{}`))); m.Result["isError"] != true {
			t.Errorf("a raw result: %s", m.line)
		}
		for _, name := range []string{"refuse", "panic"} {
			if m := p.ask("3", "tools/call", params(callParams(name, `{}`))); m.Error == nil || m.Error.Code != mcp.CodeInternalError {
				t.Errorf("%s: %s", name, m.line)
			}
		}
	})
}

func TestWhatMiddlewareChangesInAResultIsWhatGoesOut(t *testing.T) {
	change := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			res, err := next(ctx, r)
			call, ok := res.(*mcp.CallToolResult)
			if !ok || err != nil {
				return res, err
			}
			if raw := call.Structured.(json.RawMessage); string(raw) != `{"sum":3}` {
				t.Errorf("middleware sees %s", raw)
			}
			switch string(r.Meta()["how"]) {
			case `"copy"`:
				other := *call
				other.Structured = json.RawMessage(`{ "sum": 9 }`)
				return &other, nil
			case `"in place"`:
				call.Structured = map[string]any{"sum": 9}
			case `"remove"`:
				call.Structured = nil
			}
			return call, nil
		}
	}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{change}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "sum"}, func(_ context.Context, _ *mcp.Request, in sumInput) (sumOutput, error) {
		return sumOutput{in.A + in.B}, nil
	}))
	p := connect(t, s)
	p.initialize("2025-11-25")
	for how, want := range map[string]string{"not": `{"sum":3}`, "copy": `{"sum":9}`, "in place": `{"sum":9}`, "remove": ``} {
		m := p.ask("1", "tools/call", fmt.Sprintf(`{"name":"sum","arguments":{"a":1,"b":2},"_meta":{"how":%q}}`, how))
		got, _ := json.Marshal(m.Result["structuredContent"])
		if m.text() != want || string(got) != cmp.Or(want, "null") {
			t.Errorf("changed %s: %s", how, m.line)
		}
	}
}

func TestAHandlerMayReturnTheSameResultToSeveralCallsAtOnce(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	same := &mcp.CallToolResult{Structured: map[string]int{"n": 1}}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "same"}, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) { return same, nil }))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			p := connect(t, s)
			params := p.open("2025-11-25")
			for range 50 {
				if m := p.ask("1", "tools/call", params(callParams("same", `{}`))); m.text() != `{"n":1}` {
					t.Error(m.line)
				}
			}
		})
	}
	all.Wait()
}
