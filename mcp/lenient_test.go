package mcp_test

import (
	"context"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// Clients in languages without optional values write null or an empty string for members that the
// schema allows them to omit.

func TestNullCountsAsLeftOut(t *testing.T) {
	s := echoServer(t, &mcp.ServerOptions{PageSize: 1})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "plain"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "called", nil }))
	must(t, s.AddPrompt(mcp.Prompt{Name: "plain"}, says(mcp.Text("said"))))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		if m := p.ask("1", "tools/call", params(`"name":"plain","arguments":null`)); m.text() != "called" {
			t.Errorf("arguments of a tool: %s", m.line)
		}
		if m := p.ask("2", "prompts/get", params(`"name":"plain","arguments":null`)); len(list(m.Result["messages"])) != 1 {
			t.Errorf("arguments of a prompt: %s", m.line)
		}
		for _, cursor := range []string{`null`, `""`} {
			if m := p.ask("3", "tools/list", params(`"cursor":`+cursor)); len(list(m.Result["tools"])) != 1 || m.Result["nextCursor"] == nil {
				t.Errorf("cursor %s: %s", cursor, m.line)
			}
		}
		if m := p.ask("4", "tools/call", params(`"name":"echo","arguments":null`)); m.Error == nil && m.Result["isError"] != true {
			t.Errorf("arguments that the tool needs: %s", m.line)
		}
		if m := p.ask("8", "tools/call", params(`"name":"plain","requestState":null,"inputResponses":null`)); m.text() != "called" {
			t.Errorf("what earlier rounds would have brought: %s", m.line)
		}
		if m := p.ask("5", "tools/call", params(`"name":"plain","arguments":null,"arguments":{}`)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("arguments given twice: %s", m.line)
		}
		if revision == "2026-07-28" {
			return
		}
		for _, members := range []string{`null`, `{"_meta":null}`, `{"_meta":{"progressToken":null}}`, `{"cursor":null,"_meta":null}`} {
			if m := p.ask("6", "tools/list", members); len(list(m.Result["tools"])) != 1 {
				t.Errorf("params %s: %s", members, m.line)
			}
		}
		if m := p.ask("7", "tools/call", `{"name":"plain","arguments":null,"task":null,"_meta":null}`); m.text() != "called" {
			t.Errorf("nulls everywhere: %s", m.line)
		}
	})
}

func TestNullDoesNotStandForWhatIsNeeded(t *testing.T) {
	s := echoServer(t, nil)
	must(t, s.AddResource(mcp.Resource{URI: "a://b", Name: "b"}, holds(mcp.ResourceContents{Text: "x"})))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for method, members := range map[string]string{"tools/call": `"name":null`, "resources/read": `"uri":null`} {
			if m := p.ask("1", method, params(members)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("%s: %s", method, m.line)
			}
		}
		if revision != "2026-07-28" {
			return
		}
		if m := p.ask("3", "tools/call", params(`"name":"echo","requestState":null,"requestState":"x"`)); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("requestState given twice: %s", m.line)
		}
		if m := p.ask("2", "tools/list", `{"_meta":null}`); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("no _meta: %s", m.line)
		}
	})
}
