package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func TestAForeignToolIsPassedOnAsItIs(t *testing.T) {
	const input = `{"type":"object","properties":{"to":{"type":"string","pattern":"^(?!x).*$","default":"a"}},"required":["n"]}`
	s := mcp.NewServer(mcp.Implementation{Name: "gateway", Version: "1"}, nil)
	err := s.AddForeignTool(mcp.Tool{Name: "send mail/now", InputSchema: json.RawMessage(input), OutputSchema: json.RawMessage(`{"type":"object","$ref":"https://example.com/far"}`)},
		func(_ context.Context, _ *mcp.Request, in json.RawMessage) (mcp.Result, error) {
			return mcp.RawResult(`{"content":[{"type":"text","text":` + string(mustJSON(t, string(in))) + `}],"_meta":{"example.com/a":1}}`), nil
		})
	must(t, err)
	mcptest.EachRevision(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		for tool, err := range c.Tools(t.Context()) {
			if err != nil || tool.Name != "send mail/now" || string(tool.InputSchema) != input {
				t.Errorf("the tool is listed as %+v, %v", tool, err)
			}
		}
		res, err := c.CallTool(t.Context(), "send mail/now", json.RawMessage(`{"to":5}`), nil)
		must(t, err)
		if got := res.Content[0].(*mcp.TextContent).Text; got != `{"to":5}` || res.Meta["example.com/a"] == nil {
			t.Errorf("the arguments arrive as %s, the result's _meta is %v", got, res.Meta)
		}
	})
}

func TestAForeignToolNeedsWhatTheWireNeeds(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "gateway", Version: "1"}, nil)
	object := json.RawMessage(`{}`)
	for why, tool := range map[string]mcp.Tool{
		"1 to 1024 bytes":      {Name: strings.Repeat("x", 1025), InputSchema: object},
		"bytes of UTF-8":       {Name: "\xff", InputSchema: object},
		"must be JSON objects": {Name: "a", InputSchema: json.RawMessage(`true`)},
		"schemas of a foreign": {Name: "a", InputSchema: object, OutputSchema: json.RawMessage(`[`)},
	} {
		err := s.AddForeignTool(tool, func(context.Context, *mcp.Request, json.RawMessage) (mcp.Result, error) { return nil, nil })
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
	if err := s.AddForeignTool(mcp.Tool{Name: "a", InputSchema: object}, nil); err == nil || !strings.Contains(err.Error(), "handler is nil") {
		t.Errorf("without a handler: %v", err)
	}
	for name, result := range map[string]mcp.Result{"nothing": nil, "nil": (*mcp.CallToolResult)(nil), "other": &mcp.PromptResult{}} {
		must(t, s.AddForeignTool(mcp.Tool{Name: name, InputSchema: object}, func(context.Context, *mcp.Request, json.RawMessage) (mcp.Result, error) { return result, nil }))
		c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, nil)
		must(t, err)
		if _, err := c.CallTool(t.Context(), name, nil, nil); (err != nil) != (name == "other") {
			t.Errorf("the result %s: %v", name, err)
		}
		must(t, c.Close())
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return b
}

func TestATemplateMatchesURIs(t *testing.T) {
	d := mcp.ResourceTemplate{URITemplate: "page://{site}/{+path}"}
	if vars, ok := d.Match("page://a/b/c%20d"); !ok || vars.Get("site") != "a" || vars.Get("path") != "b/c d" {
		t.Errorf("got %v, %v", vars, ok)
	}
	if _, ok := d.Match("other://a/b"); ok {
		t.Error("another scheme matches")
	}
	d.URITemplate = "{" // an invalid template, which a server can send
	if _, ok := d.Match("{"); ok {
		t.Error("a malformed template matches")
	}
}
