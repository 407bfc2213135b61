package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// taking is a handler with the given input type. giving is a handler with the given output type.
func taking[In any](context.Context, *mcp.Request, In) (string, error) { return "", nil }

func giving[Out any](context.Context, *mcp.Request, struct{}) (out Out, err error) { return }

func TestASchemaIsReadInItsDialect(t *testing.T) {
	proves(t, "jsonschema.validate-by-dialect", "jsonschema.default-2020-12")
	const old, new2020 = `"items":[{"type":"integer"}]`, `"prefixItems":[{"type":"integer"}]`
	for _, test := range []struct {
		dialect, list  string
		fine, enforced bool
	}{
		{"", new2020, true, true}, {"", old, false, false},
		{"https://json-schema.org/draft/2020-12/schema", new2020, true, true}, {"https://json-schema.org/draft/2020-12/schema", old, false, false},
		{"https://json-schema.org/draft/2019-09/schema", new2020, true, false}, {"https://json-schema.org/draft/2019-09/schema", old, true, true},
		{"http://json-schema.org/draft-07/schema#", new2020, true, false}, {"http://json-schema.org/draft-07/schema#", old, true, true},
		{"https://json-schema.org/draft-07/schema", new2020, true, false}, {"https://json-schema.org/draft-07/schema", old, true, true},
	} {
		schema := `{"type":"object","properties":{"a":{` + test.list + `}}}`
		if test.dialect != "" {
			schema = strings.Replace(schema, "{", fmt.Sprintf(`{"$schema":%q,`, test.dialect), 1)
		}
		s := newServer(nil)
		if err := mcp.AddTool(s, mcp.Tool{Name: "in", InputSchema: json.RawMessage(schema)}, taking[json.RawMessage]); (err == nil) != test.fine {
			t.Errorf("%s: %v", schema, err)
		}
		if !test.fine {
			continue
		}
		for _, revision := range revisions[3:] {
			p := connect(t, s)
			if m := p.ask("1", "tools/call", p.open(revision)(callParams("in", `{"a":["x"]}`))); (m.Result["isError"] == true) != test.enforced {
				t.Errorf("%s, %s: %s", revision, schema, m.line)
			}
		}
		// The schemas of results are parsed in the same way.
		giving := func(context.Context, *mcp.Request, struct{}) (json.RawMessage, error) {
			return json.RawMessage(`{"a":["x"]}`), nil
		}
		must(t, mcp.AddTool(s, mcp.Tool{Name: "out", OutputSchema: json.RawMessage(schema)}, giving))
		for _, revision := range revisions[3:] {
			p := connect(t, s)
			if m := p.ask("1", "tools/call", p.open(revision)(callParams("out", `{}`))); (m.Error != nil) != test.enforced {
				t.Errorf("%s, %s: %s", revision, schema, m.line)
			}
		}
	}
}

// TestASchemaIsValidInItsDialect uses schemas for arguments and results that are not valid in a
// dialect.
func TestASchemaIsValidInItsDialect(t *testing.T) {
	proves(t, "jsonschema.schema-is-valid", "jsonschema.validate-by-dialect", "jsonschema.default-2020-12", "jsonschema.unsupported-dialect", "tools.input-schema.not-null", "tools.input-schema.object-root")
	ranBeforeClients(t)
	const new2020, old2019, draft7 = "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#"
	for _, test := range []struct {
		members  string
		dialects string // dialects in which the schema is valid; empty for none
	}{
		{`"properties":{"a":{"type":"string"}}`, "- 2020 2019 07"},
		{`"required":["a","a"]`, ""}, {`"required":"a"`, ""}, {`"properties":[]`, ""}, {`"properties":{"a":7}`, ""}, {`"properties":{"a":null}`, ""}, {`"minProperties":-1`, ""}, {`"title":7`, ""},
		{`"properties":{"a":{"type":"text"}}`, ""}, {`"properties":{"a":{"type":["string","string"]}}`, ""}, {`"properties":{"a":{"minLength":"1"}}`, ""}, {`"properties":{"a":{"pattern":"("}}`, ""},
		{`"properties":{"a":{"items":[{"type":"string"}]}}`, "2019 07"}, {`"properties":{"a":{"prefixItems":[{}]}}`, "- 2020 2019 07"},
		{`"dependentRequired":{"a":"b"}`, "07"}, {`"properties":{"a":{"minContains":-1}}`, "07"}, {`"$recursiveAnchor":"x"`, "- 2020 07"},
	} {
		for dialect, uri := range map[string]string{"-": "", "2020": new2020, "2019": old2019, "07": draft7, "04": "http://json-schema.org/draft-04/schema#", "own": "https://example.com/schema", "none": " "} {
			schema := `{"type":"object",` + test.members + `}`
			if uri != "" {
				schema = strings.Replace(schema, "{", fmt.Sprintf(`{"$schema":%q,`, uri), 1)
			}
			want := slices.Contains(strings.Fields(test.dialects), dialect)
			s := newServer(nil)
			in := mcp.AddTool(s, mcp.Tool{Name: "in", InputSchema: json.RawMessage(schema)}, taking[json.RawMessage])
			out := mcp.AddTool(s, mcp.Tool{Name: "out", OutputSchema: json.RawMessage(schema)}, giving[any])
			if (in == nil) != want || (out == nil) != want {
				t.Errorf("%s: of arguments: %v; of results: %v", schema, in, out)
			}
			if unsupported := dialect == "04" || dialect == "own" || dialect == "none"; unsupported && (in == nil || !strings.Contains(in.Error(), "dialect") || !strings.Contains(out.Error(), "dialect")) {
				t.Errorf("%s: %v", schema, in)
			}
		}
	}
}

func TestASchemaElsewhereIsNotFetched(t *testing.T) {
	proves(t, "jsonschema.ref.no-network", "jsonschema.ref.optin-off", "jsonschema.ref.unresolved-reject")
	ranBeforeClients(t)
	request := make(chan string, 100)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request <- r.URL.Path
		io.WriteString(w, `{"type":"object"}`)
	}))
	defer elsewhere.Close()
	for _, keyword := range []string{"$ref", "$dynamicRef", "$schema"} {
		for _, reference := range []string{elsewhere.URL + "/a.json", elsewhere.URL + "/a.json#/$defs/x", elsewhere.URL + "/a.json#x", "a.json", "/a.json#x", "../a.json"} {
			schema := fmt.Sprintf(`{"$id":%q,"type":"object",%q:%q}`, elsewhere.URL+"/b/c.json", keyword, reference)
			s := newServer(nil)
			if err := mcp.AddTool(s, mcp.Tool{Name: "in", InputSchema: json.RawMessage(schema)}, taking[json.RawMessage]); err == nil {
				t.Errorf("the input schema %s was taken", schema)
			}
			if err := mcp.AddTool(s, mcp.Tool{Name: "out", OutputSchema: json.RawMessage(schema)}, giving[any]); err == nil {
				t.Errorf("the output schema %s was taken", schema)
			}
		}
	}
	select {
	case path := <-request:
		t.Errorf("%s was fetched", path)
	default:
	}
}

func TestAMistakeInAToolIsAnErrorThatNamesItAndSaysWhatIsWrong(t *testing.T) {
	proves(t, "jsonschema.unsupported-dialect", "jsonschema.ref.no-network", "jsonschema.ref.optin-off", "jsonschema.ref.unresolved-reject",
		"jsonschema.validate-by-dialect", "tools.name.length", "tools.name.characters", "tools.name.no-special", "tools.name.unique",
		"tools.input-schema.object-root", "icons.src-required", "meta.key.reserved-any-position", "meta.key.reserved-second-label", "meta.key.prefix-format", "meta.key.label-format", "meta.key.name-format",
		"jsonschema.default-2020-12")
	ranBeforeClients(t)
	raw := func(schema string) func(*mcp.Server, mcp.Tool) error {
		return func(s *mcp.Server, tool mcp.Tool) error {
			tool.InputSchema = json.RawMessage(schema)
			return mcp.AddTool(s, tool, taking[json.RawMessage])
		}
	}
	out := func(schema string) func(*mcp.Server, mcp.Tool) error {
		return func(s *mcp.Server, tool mcp.Tool) error {
			tool.OutputSchema = json.RawMessage(schema)
			return mcp.AddTool(s, tool, giving[any])
		}
	}
	named := func(name string) func(*mcp.Server, mcp.Tool) error {
		return func(s *mcp.Server, _ mcp.Tool) error {
			return mcp.AddTool(s, mcp.Tool{Name: name}, taking[struct{}])
		}
	}
	with := func(change func(*mcp.Tool)) func(*mcp.Server, mcp.Tool) error {
		return func(s *mcp.Server, tool mcp.Tool) error {
			change(&tool)
			return mcp.AddTool(s, tool, taking[struct{}])
		}
	}
	tests := []struct {
		name string
		add  func(*mcp.Server, mcp.Tool) error
		says string // text that the error must contain, besides the tool's name
	}{
		{"a root of one type in a list", raw(`{"type":["object"]}`), "object"},
		{"a root that is an object or nothing", raw(`{"type":["object","null"]}`), "object"},
		{"a root of another type", raw(`{"type":"array"}`), "object"},
		{"a root with a longer type", raw(`{"type":"objects"}`), "object"},
		{"a root without type", raw(`{"properties":{}}`), "object"},
		{"a root that is an alternative", raw(`{"anyOf":[{"type":"object"}]}`), "object"},
		{"no name", named(""), "1 to 128 characters"},
		{"a name of 129 characters", named(strings.Repeat("x", 129)), "1 to 128 characters"},
		{"a name with a space", named("two words"), `not ' '`},
		{"a name with a comma", named("a,b"), `not ','`},
		{"a name with a slash", named("a/b"), `not '/'`},
		{"a name that is not ASCII", named("größe"), "A-Z"},
		{"a name with a bracket just above the letters", named("a[b"), `not '['`},
		{"a name with a newline", named("a\n"), `'\n'`},
		{"a name that is taken", named("echo"), "taken"},
		{"no handler", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool[echoInput, string](s, tool, nil)
		}, "handler is nil"},

		{"an input type that is a number", func(s *mcp.Server, tool mcp.Tool) error { return mcp.AddTool(s, tool, taking[int]) }, "struct or a map, not int"},
		{"an input type that is an interface", func(s *mcp.Server, tool mcp.Tool) error { return mcp.AddTool(s, tool, taking[any]) }, "struct or a map"},
		{"an input type that is a slice, with a schema", func(s *mcp.Server, tool mcp.Tool) error {
			tool.InputSchema = json.RawMessage(`{"type":"object"}`)
			return mcp.AddTool(s, tool, taking[[]int])
		}, "struct or a map, not []int"},
		{"an input type that is a number, with a schema", func(s *mcp.Server, tool mcp.Tool) error {
			tool.InputSchema = json.RawMessage(`{"type":"object"}`)
			return mcp.AddTool(s, tool, taking[int])
		}, "struct or a map, not int"},
		{"raw arguments without a schema", func(s *mcp.Server, tool mcp.Tool) error { return mcp.AddTool(s, tool, taking[json.RawMessage]) }, "InputSchema is required"},
		{"an input type that is a string by its methods", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[time.Time])
		}, "the input type time.Time has methods that decode something else"},
		{"two fields of one name", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct {
				A string `json:"B"`
				B string
			}])
		}, `the fields A and B are both "B" in JSON`},
		{"a tag that is written small", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct {
				A string `json:"a" minlength:"1"`
			}])
		}, `tag minlength:"1": tags are spelled like the keywords of JSON Schema: minLength`},
		{"a description in the manner of other libraries", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct {
				A string `json:"a" jsonschema:"required,description=what it is"`
			}])
		}, "required is not a keyword of fields"},
		{"a mark in place of a description", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct {
				A string `json:"a" jsonschema:"required"`
			}])
		}, "a field without omitempty is required anyway"},
		{"an input type with a channel", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct{ C chan int }])
		}, "chan int"},
		{"a default that its field cannot hold", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, taking[struct {
				N int `json:"n,omitempty" default:"many"`
			}])
		}, "many"},
		{"an output type that is a result by value", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[mcp.CallToolResult])
		}, "must be *mcp.CallToolResult"},
		{"an output type that is a block by value", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[mcp.TextContent])
		}, "must be *mcp.TextContent"},
		{"an output type that is a slice of one type of block", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[[]*mcp.TextContent])
		}, "must be []mcp.Content, not []*mcp.TextContent"},
		{"an output type that is a slice of blocks by value", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[[]mcp.ImageContent])
		}, "must be []mcp.Content, not []mcp.ImageContent"},
		{"an output type that is the result of a prompt", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[*mcp.PromptResult])
		}, "*mcp.PromptResult is the result of another method"},
		{"an output type that is an error", func(s *mcp.Server, tool mcp.Tool) error { return mcp.AddTool(s, tool, giving[error]) }, "return errors as the second value"},
		{"an output schema for text", func(s *mcp.Server, tool mcp.Tool) error {
			tool.OutputSchema = json.RawMessage(`{"type":"object"}`)
			return mcp.AddTool(s, tool, giving[string])
		}, "OutputSchema is for structured content, which the output type string is not"},
		{"an output schema for content", func(s *mcp.Server, tool mcp.Tool) error {
			tool.OutputSchema = json.RawMessage(`{"type":"object"}`)
			return mcp.AddTool(s, tool, giving[*mcp.TextContent])
		}, "OutputSchema is for structured content"},
		{"an unknown support for tasks", with(func(tool *mcp.Tool) { tool.TaskSupport = "sometimes" }), `TaskSupportOptional or TaskSupportRequired, not "sometimes"`},
		{"tasks by the handler of a tool without tasks", with(func(tool *mcp.Tool) { tool.TaskByHandler = true }), "TaskByHandler has no effect without Task"},
		{"an output type that is a channel", func(s *mcp.Server, tool mcp.Tool) error { return mcp.AddTool(s, tool, giving[chan int]) }, "output type: chan int"},
		{"an output type with a function", func(s *mcp.Server, tool mcp.Tool) error {
			return mcp.AddTool(s, tool, giving[struct{ F func() }])
		}, "func()"},

		{"an input schema that is not JSON", raw(`{"type":`), "input schema: it is not JSON"},
		{"an input schema that is an array", raw(`[]`), "input schema"},
		{"an input schema that is null", raw(`null`), "input schema"},
		{"an input schema that is true", raw(`true`), `"type" must be "object" at the root`},
		{"an input schema without type", raw(`{"properties":{}}`), `"type" must be "object" at the root`},
		{"an input schema for strings", raw(`{"type":"string"}`), `"type" must be "object" at the root`},
		{"an input schema for objects or null", raw(`{"type":["object","null"]}`), `"type" must be "object" at the root`},
		{"an unknown type", raw(`{"type":"object","properties":{"a":{"type":"strin"}}}`), `#/properties/a: type: "strin"`},
		{"a keyword with a bad value", raw(`{"type":"object","minProperties":-1}`), "minProperties"},
		{"a pattern that is not one", raw(`{"type":"object","properties":{"a":{"pattern":"("}}}`), "#/properties/a: pattern"},
		{"a reference to the network", raw(`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`), "https://example.com/a.json"},
		{"a reference to a file", raw(`{"type":"object","properties":{"a":{"$ref":"other.json#/a"}}}`), "other.json"},
		{"a reference to nothing", raw(`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}`), "#/$defs/b"},
		{"an unknown dialect", raw(`{"$schema":"https://example.com/mine","type":"object"}`), "https://example.com/mine"},
		{"the dialect draft-04", raw(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`), "draft-04"},
		// These mistakes do not affect validation, but clients may refuse such schemas.
		{"a property that is required twice", raw(`{"type":"object","required":["a","a"]}`), "#/required"},
		{"a description that is no text", raw(`{"type":"object","properties":{"a":{"description":["x"]}}}`), "#/properties/a: description: it must be a string"},
		{"an output schema with a mark that is no boolean", out(`{"type":"object","readOnly":"yes"}`), "#/readOnly"},
		{"a title that is no text, in draft-07", raw(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","title":7}`), "title: it must be a string"},
		{"an output schema that is not JSON", out(`{`), "output schema: it is not JSON"},
		{"an output schema that is null", out(`null`), "output schema"},
		{"an output schema with a reference to the network", out(`{"$ref":"https://example.com/a.json"}`), "https://example.com/a.json"},

		{"a _meta key with a bad name", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"-x": 1} }), `"-x"`},
		{"a _meta key with an empty label", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"a..b/x": 1} }), `"a..b/x"`},
		{"a _meta key with a label that ends in a hyphen", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"a-/x": 1} }), `"a-/x"`},
		{"a _meta key with a label that begins with a digit", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"1a.b/x": 1} }), `"1a.b/x"`},
		{"a _meta key whose prefix ends in mcp and a label", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"tools.api.mcp.com/x": 1} }), "reserves"},
		{"a _meta key whose prefix is mcp and a label", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"mcp.dev/x": 1} }), "reserves"},
		{"a _meta key of modelcontextprotocol and a label", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"modelcontextprotocol.io/x": 1} }), "reserves"},
		{"a _meta key whose second label is mcp", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"dev.mcp/x": 1} }), "reserves"},
		{"a _meta key whose second label is mcp among others", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"dev.mcp.tools.api/x": 1} }), "reserves"},
		{"a _meta key whose second label is modelcontextprotocol", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"org.modelcontextprotocol.api.x/x": 1} }), "reserves"},
		{"a _meta value that is not JSON", with(func(tool *mcp.Tool) { tool.Meta = mcp.Meta{"x": func() {}} }), `"x"`},
		{"an icon without source", with(func(tool *mcp.Tool) { tool.Icons = []mcp.Icon{{MIMEType: "image/png"}} }), "icon"},
		{"an icon that is a script", with(func(tool *mcp.Tool) { tool.Icons = []mcp.Icon{{Source: "javascript:alert(1)"}} }), "javascript:alert(1)"},
		{"an icon of data with a blank", with(func(tool *mcp.Tool) { tool.Icons = []mcp.Icon{{Source: "data:image/png;base64,A A="}} }), "percent-encoded"},
		{"an icon from a file", with(func(tool *mcp.Tool) { tool.Icons = []mcp.Icon{{Source: "file:///etc/passwd"}} }), "file:///etc/passwd"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := echoServer(t, nil)
			err := test.add(s, mcp.Tool{Name: "mine"})
			if err == nil {
				t.Fatal("the tool was added")
			}
			if !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), `tool "`) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %q, without %q", err, test.says)
			}
			p := connect(t, s)
			if got := toolNames(p.ask("1", "tools/list", p.open("2026-07-28")(""))); got != "echo fail panic refuse" {
				t.Errorf("tools are now %s", got)
			}
		})
	}
}

func TestWhatIsNoMistakeIsTaken(t *testing.T) {
	proves(t, "jsonschema.explicit-dialect", "tools.input-schema.any-keyword", "tools.input-schema.not-null")
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	schema := func(name, schema string) error {
		return mcp.AddTool(s, mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, taking[json.RawMessage])
	}
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: strings.Repeat("x", 128)}, taking[struct{}]),
		mcp.AddTool(s, mcp.Tool{Name: "AZaz09_-."}, taking[map[string]any]),
		mcp.AddTool(s, mcp.Tool{Name: "any", InputSchema: json.RawMessage(`{"type":"object"}`)}, taking[any]),
		schema("draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"type":"string"}},"properties":{"x":{"$ref":"#/definitions/a"}}}`),
		schema("2019-09", `{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object"}`),
		schema("2020-12", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","allOf":[{"required":["a"]}],"unevaluatedProperties":false,"properties":{"a":true},"dependentRequired":{"a":["a"]}}`),
		schema("booleans", `{"type":"object","properties":{"a":true,"no":false,"b":{"type":"object","properties":{"c":true}}}}`),
		mcp.AddTool(s, mcp.Tool{Name: "anything", OutputSchema: json.RawMessage(`true`)}, giving[any]),
		mcp.AddTool(s, mcp.Tool{Name: "icons", Icons: []mcp.Icon{{Source: "https://example.com/a.png"}, {Source: "http://localhost/a.png"}, {Source: "data:image/png;base64,AA=="}}}, taking[struct{}]),
		mcp.AddTool(s, mcp.Tool{Name: "meta", Meta: mcp.Meta{"": 1, "com.example/": 2, "com.example-2/a_b.c-d": nil, "x": "y"}}, taking[struct{}]),
	)
	eachRevision(t, s, func(_ *testing.T, _ string, p *peer, params func(string) string) {
		p.ask("1", "tools/list", params("")) // the response is checked against the official schema
	})
	p := connect(t, s)
	params := p.open("2025-11-25")
	for _, test := range []struct{ tool, good, bad string }{
		{"draft-07", `{"x":"y"}`, `{"x":1}`},
		{"2020-12", `{"a":1}`, `{"a":1,"b":2}`},
		{"booleans", `{"a":1,"b":{"c":[]}}`, `{"no":1}`},
	} {
		if m := p.ask("2", "tools/call", params(callParams(test.tool, test.good))); m.Result["isError"] != nil {
			t.Errorf("%s: %s", test.tool, m.line)
		}
		if m := p.ask("3", "tools/call", params(callParams(test.tool, test.bad))); m.Result["isError"] != true {
			t.Errorf("%s: %s", test.tool, m.line)
		}
	}
}

func TestARecursiveTypeIsAnInput(t *testing.T) {
	type tree struct {
		Value    int    `json:"value"`
		Children []tree `json:"children,omitempty"`
	}
	var sum func(tree) int
	sum = func(t tree) int {
		n := t.Value
		for _, child := range t.Children {
			n += sum(child)
		}
		return n
	}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "sum"}, func(_ context.Context, _ *mcp.Request, in tree) (string, error) { return fmt.Sprint(sum(in)), nil }))
	p := connect(t, s)
	params := p.open("2025-11-25")
	if m := p.ask("1", "tools/call", params(callParams("sum", `{"value":1,"children":[{"value":2,"children":[{"value":3}]},{"value":4}]}`))); m.text() != "10" {
		t.Error(m.line)
	}
	if m := p.ask("2", "tools/call", params(callParams("sum", `{"value":1,"children":[{"value":2,"children":[{"value":"3"}]}]}`))); m.Result["isError"] != true || !strings.Contains(m.text(), "/children/0/children/0/value") {
		t.Error(m.line)
	}
}

func TestAddFunc_ErrorsAreThoseOfAddTool(t *testing.T) {
	s := newServer(nil)
	taking := func(context.Context, int) (string, error) { return "", nil }
	for name, err := range map[string]error{
		"no function":   mcp.AddFunc[struct{}, string](s, mcp.Tool{Name: "a"}, nil),
		"invalid input": mcp.AddFunc(s, mcp.Tool{Name: "b"}, taking),
		"invalid name":  mcp.AddFunc(s, mcp.Tool{Name: "c d"}, func(context.Context, struct{}) (string, error) { return "", nil }),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	func() {
		defer func() {
			if got := fmt.Sprint(recover()); !strings.HasPrefix(got, `mcp: tool "b": `) {
				t.Errorf("Must panics with %q", got)
			}
		}()
		mcp.Must(mcp.AddFunc(s, mcp.Tool{Name: "b"}, taking))
	}()
	mcp.Must(nil)
}

func TestErrNameTaken(t *testing.T) {
	s := newServer(nil)
	read := func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return nil, nil }
	for kind, add := range map[string]func(options ...mcp.AddOption) error{
		"tool": func(options ...mcp.AddOption) error {
			return mcp.AddFunc(s, mcp.Tool{Name: "a"}, func(context.Context, struct{}) (string, error) { return "", nil }, options...)
		},
		"foreign tool": func(options ...mcp.AddOption) error {
			return s.AddForeignTool(mcp.Tool{Name: "b", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.Request, json.RawMessage) (mcp.Result, error) { return nil, nil }, options...)
		},
		"prompt": func(options ...mcp.AddOption) error {
			return s.AddPrompt(mcp.Prompt{Name: "a"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) { return nil, nil }, options...)
		},
		"resource": func(options ...mcp.AddOption) error {
			return s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, read, options...)
		},
		"template": func(options ...mcp.AddOption) error {
			return s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "x:{a}", Name: "a"}, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
				return nil, nil
			}, options...)
		},
	} {
		if err := add(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if err := add(); !errors.Is(err, mcp.ErrNameTaken) {
			t.Errorf("%s: added twice: %v", kind, err)
		}
		if err := add(mcp.Replace); err != nil {
			t.Errorf("%s: replaced: %v", kind, err)
		}
	}
}
