package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// gives adds a tool that returns out. If possible, the tool has a derived output schema.
func gives[Out any](t testing.TB, s *mcp.Server, name string, out Out) {
	t.Helper()
	must(t, mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (Out, error) { return out, nil }))
}

type greeting string

type report struct {
	Sum   int    `json:"sum"`
	Words string `json:"words,omitempty"`
}

// ToolContent describes the content of a report in words.
func (r report) ToolContent() []mcp.Content {
	return []mcp.Content{mcp.Textf("the sum is %d", r.Sum)}
}

func TestAStructuredResultIsSentInTheFormOfTheRevision(t *testing.T) {
	proves(t, "tools.structured.object", "tools.structured.any-value", "tools.structured.text-copy", "tools.structured.text-copy-non-object",
		"tools.call.content", "base.response.result.object", "tools.output-schema.object-root")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	gives(t, s, "struct", sumOutput{3})
	gives(t, s, "map", map[string]int{"b": 2, "a": 1})
	gives(t, s, "pointer", &sumOutput{3})
	gives(t, s, "nothing", struct{}{})
	gives(t, s, "slice", []int{1, 2})
	gives(t, s, "empty-slice", []int(nil))
	gives(t, s, "number", 7)
	gives(t, s, "truth", false)
	gives(t, s, "text", "plain")
	gives(t, s, "named-text", greeting("hello"))
	gives(t, s, "any-text", any("hello"))
	gives(t, s, "any-object", any(map[string]any{"n": json.Number("12345678901234567890"), "html": "<&>\u2028"}))
	gives(t, s, "json-number", struct {
		N json.Number `json:"n"`
	}{"1.50"})
	gives(t, s, "in-words", report{Sum: 3})
	gives(t, s, "whole-result", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("seven")}, Structured: 7})
	gives(t, s, "whole-result-with-its-copy", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("seven"), mcp.Text("7")}, Structured: 7})
	gives(t, s, "whole-result-text", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("seven")}, Structured: "7"})
	gives(t, s, "whole-result-same-text", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("seven")}, Structured: "seven"})
	gives(t, s, "whole-result-other-spelling", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("[ 1 ]"), mcp.Text("1")}, Structured: []int{1}})
	gives(t, s, "whole-result-truth", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("yes")}, Structured: true})
	gives(t, s, "whole-result-list", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("none")}, Structured: []int{}})
	gives(t, s, "whole-result-failed", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("seven")}, Structured: 7, IsError: true})
	gives(t, s, "whole-result-null-and-text", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("none")}, Structured: json.RawMessage("null")})
	gives(t, s, "whole-result-null", &mcp.CallToolResult{Structured: json.RawMessage("null")})
	gives(t, s, "raw", json.RawMessage("{\n \"a\" : [ 1 ]\n}"))
	gives(t, s, "nil-result", (*mcp.CallToolResult)(nil))
	gives(t, s, "no-content", &mcp.CallToolResult{Content: []mcp.Content{}})
	gives(t, s, "only-failed", &mcp.CallToolResult{IsError: true})

	text := func(texts ...string) string {
		var blocks []string
		for _, text := range texts {
			quoted, _ := json.Marshal(text)
			blocks = append(blocks, `{"type":"text","text":`+string(quoted)+`}`)
		}
		return `"content":[` + strings.Join(blocks, ",") + `]`
	}
	tests := []struct {
		tool       string
		content    string
		structured string // structured content for clients of 2026-07-28
		copied     string // content for clients of 2026-07-28, if it is different
	}{
		{"struct", text(`{"sum":3}`), `{"sum":3}`, ""},
		{"map", text(`{"a":1,"b":2}`), `{"a":1,"b":2}`, ""},
		{"whole-result-text", text("seven"), `"7"`, text("seven", `"7"`)},
		{"whole-result-same-text", text("seven"), `"seven"`, text("seven", `"seven"`)},
		{"whole-result-other-spelling", text("[ 1 ]", "1"), `[1]`, text("[ 1 ]", "1", "[1]")},
		{"whole-result-truth", text("yes"), `true`, text("yes", `true`)},
		{"whole-result-list", text("none"), `[]`, text("none", `[]`)},
		{"pointer", text(`{"sum":3}`), `{"sum":3}`, ""},
		{"nothing", text(`{}`), `{}`, ""},
		{"slice", text(`[1,2]`), `[1,2]`, ""},
		{"empty-slice", text(`[]`), `[]`, ""},
		{"number", text(`7`), `7`, ""},
		{"truth", text(`false`), `false`, ""},
		{"whole-result-null-and-text", text(`none`), `null`, text(`none`, `null`)},
		{"text", text(`plain`), ``, ""},
		{"named-text", text(`hello`), ``, ""},
		{"any-text", text(`hello`), ``, ""},
		{"any-object", text("{\"html\":\"<&>\u2028\",\"n\":12345678901234567890}"), "{\"html\":\"<&>\u2028\",\"n\":12345678901234567890}", ""},
		{"json-number", text(`{"n":1.50}`), `{"n":1.50}`, ""},
		{"in-words", text(`the sum is 3`), `{"sum":3}`, ""},
		{"whole-result", text(`seven`), `7`, text(`seven`, `7`)},
		{"whole-result-with-its-copy", text(`seven`, `7`), `7`, ""},
		{"whole-result-null", text(`null`), `null`, ""},
		{"raw", text(`{"a":[1]}`), `{"a":[1]}`, ""},
		{"nil-result", text(), ``, ""},
		{"no-content", text(), ``, ""},
		{"only-failed", text() + `,"isError":true`, ``, ""},
	}
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, test := range tests {
			m := p.ask("1", "tools/call", params(callParams(test.tool, `{}`)))
			if m.Error != nil {
				t.Errorf("%s: %s", test.tool, m.line)
				continue
			}
			delete(m.Result, "resultType")
			delete(m.Result, "_meta")
			want := `{` + test.content
			modern := revision == "2026-07-28"
			if modern && test.copied != "" {
				want = `{` + test.copied
			}
			if test.structured != "" && (modern || revision >= "2025-06-18" && test.structured[0] == '{') {
				want += `,"structuredContent":` + test.structured
				if !strings.Contains(m.line, test.structured) {
					t.Errorf("%s: %s is not in %s", test.tool, test.structured, m.line)
				}
			}
			sameJSON(t, test.tool, any(m.Result), want+"}")
		}
		m := p.ask("2", "tools/call", params(callParams("whole-result-failed", `{}`)))
		want := text("seven")
		if revision == latest {
			want = text("seven", "7")
		}
		sameJSON(t, "a failure with structured content", m.Result["content"], strings.TrimPrefix(want, `"content":`))
		if m.Result["isError"] != true {
			t.Error(m.line)
		}
	})
}

func TestAnOutputSchemaIsShownWhereTheRevisionHasIt(t *testing.T) {
	proves(t, "tools.output-schema.any", "tools.output-schema.object-root")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	gives(t, s, "struct", sumOutput{})
	gives(t, s, "map", map[string]int{})
	gives(t, s, "slice", []int{})
	gives(t, s, "number", 7)
	gives(t, s, "text", "")
	gives(t, s, "any", any(1))
	gives(t, s, "content", mcp.Content(mcp.Text("")))
	gives(t, s, "contents", []mcp.Content{})
	gives(t, s, "result", &mcp.CallToolResult{})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "own", OutputSchema: json.RawMessage(`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`)}, giving[any]))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/list", params(""))
		for name, kind := range map[string]string{"struct": "object", "map": "object", "slice": "array", "number": "integer", "own": "ref",
			"text": "", "any": "", "content": "", "contents": "", "result": ""} {
			want := kind != "" && (revision == "2026-07-28" || revision >= "2025-06-18" && kind == "object")
			schema, shown := tool(m, name)["outputSchema"]
			if shown != want || shown && kind != "ref" && object(schema)["type"] != kind {
				t.Errorf("%s: output schema %v", name, schema)
			}
		}
	})
}

func TestAResultThatViolatesItsOutputSchemaIsAnInternalErrorAndLogged(t *testing.T) {
	proves(t, "tools.output-schema.conform", "base.error.internal")
	var log strings.Builder
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: textLogger(&log)})
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":9}},"required":["n"]}`)
	add := func(name string, res any, err error) {
		must(t, mcp.AddTool(s, mcp.Tool{Name: name, OutputSchema: schema}, func(context.Context, *mcp.Request, struct{}) (any, error) { return res, err }))
	}
	add("over-the-maximum", map[string]int{"n": 10}, nil)
	add("nothing-required", map[string]int{}, nil)
	add("another-type", []int{1}, nil)
	add("nothing-at-all", nil, nil)
	add("only-text", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("secret-1")}}, nil)
	add("over-the-maximum-beside-text", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("secret-2")}, Structured: map[string]int{"n": 10}, Meta: mcp.Meta{"k": 1}}, nil)
	add("not-JSON", map[string]any{"n": func() {}}, nil)
	add("not-UTF-8", map[string]any{"n": 1, "s": "\xff"}, nil)
	add("a-failure-needs-no-structured-content", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("broken")}, IsError: true}, nil)
	add("an-error-needs-none-either", nil, fmt.Errorf("broken"))
	add("beside-several-texts", &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("secret-3"), mcp.Text("secret-4")}, Structured: map[string]int{"n": 10}}, nil)
	add("raw", mcp.RawResult(`{"content":[{"type":"text","text":"secret-5"}],"structuredContent":{"n":10}}`), nil)
	add("raw-without-any", mcp.RawResult(`{"content":[]}`), nil)
	gives(t, s, "no-value-of-its-type", (*sumOutput)(nil))
	add("as-the-schema-wants", map[string]int{"n": 9}, nil)
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, name := range []string{"over-the-maximum", "nothing-required", "another-type", "nothing-at-all", "only-text", "over-the-maximum-beside-text", "not-JSON", "not-UTF-8", "no-value-of-its-type", "beside-several-texts", "raw", "raw-without-any"} {
			log.Reset()
			m := p.ask("1", "tools/call", params(callParams(name, `{}`)))
			if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") || m.Error.Data != nil {
				t.Errorf("%s: %s", name, m.line)
			}
			if !strings.Contains(log.String(), `tool \"`+name) {
				t.Errorf("%s: the log says only %s", name, log.String())
			}
		}
		for _, name := range []string{"a-failure-needs-no-structured-content", "an-error-needs-none-either"} {
			if m := p.ask("2", "tools/call", params(callParams(name, `{}`))); m.Result["isError"] != true || m.text() != "broken" {
				t.Errorf("%s: %s", name, m.line)
			}
		}
		if m := p.ask("3", "tools/call", params(callParams("as-the-schema-wants", `{}`))); m.text() != `{"n":9}` {
			t.Error(m.line)
		}
	})
}

// TestTheLogOfABadResultSaysWhereAndNothingOfIt checks the log message for a result that does not
// satisfy its schema. The message must contain the location of the error, but no part of the
// result.
func TestTheLogOfABadResultSaysWhereAndNothingOfIt(t *testing.T) {
	var log strings.Builder
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: textLogger(&log)})
	type patient struct {
		Name  string         `json:"name" maxLength:"3"`
		Notes map[string]int `json:"notes,omitempty"`
	}
	must(t, mcp.AddTool(s, mcp.Tool{Name: "patient", OutputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","maxLength":3},"notes":{"type":"object","additionalProperties":{"type":"integer","maximum":1}}},"required":["name"],"additionalProperties":false}`)},
		func(context.Context, *mcp.Request, struct{}) (patient, error) {
			return patient{"a secret name", map[string]int{"secret-diagnosis": 7}}, nil
		}))
	p := connect(t, s)
	m := p.ask("1", "tools/call", p.open("2026-07-28")(callParams("patient", `{}`)))
	if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
		t.Errorf("the client is told %s", m.line)
	}
	for _, want := range []string{"patient", "#/properties/name/maxLength", "#/properties/notes/additionalProperties/maximum"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %q: %s", want, &log)
		}
	}
	if strings.Contains(log.String(), "secret") {
		t.Errorf("the log holds what was returned: %s", &log)
	}
}

func TestNilSlicesAndMapsAreEmptyInResultsAndTheirSchema(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	type inner struct {
		Rows [][]int          `json:"rows"`
		Tags map[string][]int `json:"tags"`
	}
	type out struct {
		List  []inner        `json:"list"`
		Map   map[string]any `json:"map"`
		Bytes []byte         `json:"bytes"`
		Gone  *inner         `json:"gone"`
	}
	gives(t, s, "nil", out{})
	gives(t, s, "inside", out{List: []inner{{}, {Rows: [][]int{nil}, Tags: map[string][]int{"a": nil}}}})
	p := connect(t, s)
	params := p.open("2026-07-28")
	sameJSON(t, "nil", p.ask("1", "tools/call", params(callParams("nil", `{}`))).Result["structuredContent"], `{"list":[],"map":{},"bytes":"","gone":null}`)
	sameJSON(t, "inside", p.ask("2", "tools/call", params(callParams("inside", `{}`))).Result["structuredContent"],
		`{"list":[{"rows":[],"tags":{}},{"rows":[[]],"tags":{"a":[]}}],"map":{},"bytes":"","gone":null}`)
	schema, _ := json.Marshal(tool(p.ask("3", "tools/list", params("")), "nil")["outputSchema"])
	if n := strings.Count(string(schema), "null"); n != 1 { // count the pointers
		t.Errorf("what is never null may be by the schema: %s", schema)
	}
}
