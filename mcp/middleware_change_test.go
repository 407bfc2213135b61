package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// with1 returns server options with one middleware.
func with1(f func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error)) *mcp.ServerOptions {
	return &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) { return f(ctx, r, next) }
	}}}
}

func TestMiddlewareMayChangeParamsOnTheirWayIn(t *testing.T) {
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		var err error
		switch r.Name() {
		case "old":
			err = r.SetParams(json.RawMessage(`{"name":"echo","arguments":{"message":"from old"}}`))
			if len(r.Meta()) == 0 && r.Revision() == "2026-07-28" {
				err = fmt.Errorf("_meta is lost")
			}
		case "echo":
			err = r.SetParams(json.RawMessage("{\"name\":\"echo\",\n\"arguments\":{\"message\":\"changed\"}}"))
		case "bad":
			if r.SetParams(nil) == nil || r.SetParams(json.RawMessage(`[]`)) == nil || r.SetParams(json.RawMessage(`{`)) == nil ||
				r.SetParams(json.RawMessage(`{"name":"a","name":"b"}`)) == nil {
				err = fmt.Errorf("params that are none")
			}
		case "x:old":
			err = r.SetParams(json.RawMessage(`{"uri":"x:new"}`))
		case "hello":
			err = r.SetParams(json.RawMessage(`{"name":"nobody"}`))
		}
		if r.Notification() && r.SetParams(json.RawMessage(`{}`)) == nil {
			err = fmt.Errorf("the params of a notification")
		}
		if err != nil {
			return nil, &mcp.Error{Code: 1, Message: err.Error()}
		}
		return next(ctx, r)
	})
	s := echoServer(t, opts)
	must(t,
		s.AddResource(mcp.Resource{URI: "x:new", Name: "new"}, holds(mcp.ResourceContents{Text: "new"})),
		s.AddPrompt(mcp.Prompt{Name: "hello"}, says()))
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for name, want := range map[string]string{"old": "from old", "echo": "changed"} {
			if m := p.ask("1", "tools/call", params(callParams(name, `{"message":"x"}`))); m.text() != want {
				t.Errorf("%s: %s", name, m.line)
			}
		}
		if m := p.ask("2", "tools/call", params(callParams("bad", `{}`))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Error(m.line)
		}
		if m := p.ask("3", "resources/read", params(uriParams("x:old"))); !strings.Contains(m.line, `"uri":"x:new"`) {
			t.Error(m.line)
		}
		if m := p.ask("4", "prompts/get", params(promptParams("hello", `{}`))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("a prompt that is not there: %s", m.line)
		}
	})
}

func TestWhatMiddlewareMakesOfParamsCannotShowWhatIsHidden(t *testing.T) {
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		if r.Method() == "tools/call" {
			if err := r.SetParams(json.RawMessage(`{"name":"fail"}`)); err != nil {
				return nil, err
			}
		}
		return next(ctx, r)
	})
	opts.Visible = func(_ *mcp.Request, e mcp.Entry) bool { return entryName(e) != "fail" }
	p := connect(t, echoServer(t, opts))
	if m := p.ask("1", "tools/call", p.open("2026-07-28")(callParams("echo", `{"message":"x"}`))); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
		t.Error(m.line)
	}
}

func TestARequestThatMiddlewareChangesCanBeSentAgainWithAnswers(t *testing.T) {
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		if r.Method() == "tools/call" {
			if err := r.SetParams(json.RawMessage(`{"name":"ask","arguments":{"times":2}}`)); err != nil {
				return nil, err
			}
		}
		return next(ctx, r)
	})
	p := connect(t, questioner(t, opts))
	state := ""
	for round := range 3 {
		m := p.ask("1", "tools/call", `{"name":"anything",`+state+metaWith(`{"roots":{}}`)+`}`)
		if round == 2 {
			if m.text() != "asked" {
				t.Error(m.line)
			}
			return
		}
		if m.Result["resultType"] != "input_required" {
			t.Fatal(m.line)
		}
		sealed, _ := json.Marshal(m.Result["requestState"])
		state = fmt.Sprintf(`"requestState":%s,"inputResponses":{"input-%d":{"roots":[]}},`, sealed, round+1)
	}
}

func TestMiddlewareMayChangeWhatTheClientIsAsked(t *testing.T) {
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		if r.Outgoing() && r.Method() == "roots/list" {
			if err := r.SetParams(json.RawMessage(`{"_meta":{"com.example/x":1}}`)); err != nil {
				return nil, err
			}
		}
		return next(ctx, r)
	})
	p := connect(t, questioner(t, opts))
	p.openWith("2025-11-25", `{"roots":{}}`)
	p.send(callLine(1, "ask", `{"times":1}`))
	m := p.receive()
	if object(m.Params["_meta"])["com.example/x"] != 1.0 {
		t.Error(m.line)
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, m.ID))
	if m := p.receive(); m.text() != "asked" {
		t.Error(m.line)
	}
}

func TestMiddlewareMayChangeAnyResultOnItsWayOut(t *testing.T) {
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		res, err := next(ctx, r)
		if err != nil || r.Notification() {
			return res, err
		}
		data, err := r.ResultJSON(res)
		if err != nil {
			return nil, err
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return nil, err
		}
		meta := map[string]any{}
		json.Unmarshal(members["_meta"], &meta)
		meta["com.example/seen"] = true
		members["_meta"], _ = json.Marshal(meta)
		data, _ = json.Marshal(members)
		return mcp.RawResult(data), nil
	})
	s := echoServer(t, opts)
	gives(t, s, "sum", sumOutput{7})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		plain := connect(t, echoServer(t, nil))
		plainParams := plain.open(revision)
		for method, members := range map[string]string{"tools/list": "", "tools/call": callParams("echo", `{"message":"x"}`)} {
			m, want := p.ask("1", method, params(members)), plain.ask("1", method, plainParams(members))
			if object(m.Result["_meta"])["com.example/seen"] != true || strings.Count(m.line, `"_meta"`) != 1 || strings.Count(m.line, `"resultType"`) != strings.Count(want.line, `"resultType"`) {
				t.Errorf("%s: %s", method, m.line)
			}
			delete(object(m.Result["_meta"]), "com.example/seen")
			if meta := object(m.Result["_meta"]); len(meta) == 0 {
				delete(m.Result, "_meta")
			}
			if method == "tools/call" && fmt.Sprint(m.Result) != fmt.Sprint(want.Result) {
				t.Errorf("%s:\n got %s\nwant %s", method, m.line, want.line)
			}
		}
		if m := p.ask("2", "tools/call", params(callParams("sum", `{}`))); (m.Result["structuredContent"] != nil) != (revision >= "2025-06-18") || m.text() != `{"sum":7}` {
			t.Error(m.line)
		}
	})
}

func TestCapabilitiesCanBeDeclaredBeforeThereIsAnything(t *testing.T) {
	proves(t, "tools.list-changed", "lifecycle.operation.capabilities.must", "prompts.list.answered")
	for _, revision := range revisions {
		bare, all := connect(t, newServer(nil)), &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Tools: true, Prompts: true, Resources: true, Completions: true, Tasks: true}}
		if got := bare.capabilities(revision); len(got) != 0 {
			t.Errorf("%s: a server with nothing declares %v", revision, got)
		}
		s := newServer(all)
		p := connect(t, s)
		got := p.capabilities(revision)
		for name, want := range map[string]bool{"tools": true, "prompts": true, "resources": true, "completions": revision > "2024-11-05", "tasks": revision == "2025-11-25", "extensions": revision == "2026-07-28"} {
			if (got[name] != nil) != want {
				t.Errorf("%s: %s in %v", revision, name, got)
			}
		}
		params := func(members string) string { return "{" + members + "}" }
		if revision == "2026-07-28" {
			params = func(members string) string { return "{" + members + modernMeta("") + "}" }
		}
		for _, kind := range []string{"tools", "prompts", "resources"} {
			if m := p.ask("1", kind+"/list", params("")); m.Error != nil || len(list(m.Result[kind])) != 0 {
				t.Errorf("%s: %s", revision, m.line)
			}
		}
		if revision == "2026-07-28" {
			continue
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.ask("2", "ping", "")
		addNamed(t, s, "first")
		if m := p.receive(); m.Method != "notifications/tools/list_changed" {
			t.Errorf("%s: %s", revision, m.line)
		}
		p.end()
	}
}

func TestWithoutSessionsNoNewsIsPromised(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, revision := range overHTTP[:3] {
			w := host(t, changing(t, nil), &mcp.HTTPOptions{Stateless: true}).web()
			caps := object(w.initialize(revision, `{}`).message().Result["capabilities"])
			if got := fmt.Sprint(caps["tools"], caps["prompts"], caps["resources"]); got != "map[] map[] map[]" {
				t.Errorf("%s: declared are %v", revision, caps)
			}
			w.post(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x:a"}}`).wantError(http.StatusOK, mcp.CodeMethodNotFound)
		}
	})
}
