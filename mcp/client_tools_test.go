package mcp_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// TestAToolThatIsLeftOutIsLogged makes a server list tools with an invalid x-mcp-header.
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
	if names := namesIn(c.Tools(t.Context()), func(tool *mcp.Tool) string { return tool.Name }); names != "good last" {
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

// TestToolsAsTheUserSeesThem checks the fields of tools that hosts show to users.
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
		proves(t, "tools.annotations.defaults") // absent hints stay absent, because their zero values are documented as the defaults
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

// TestStructuredResultsAreValidated makes tools return results that violate their output schemas.
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

// TestOutputSchemasAreOf2020ByDefault checks a result that violates a keyword of JSON Schema
// 2020-12 that older dialects ignore. The client must refuse the result, unless the tool's schema
// declares an older dialect.
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
