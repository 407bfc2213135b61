package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// headerServer returns a server with the tool "query", whose parameters clients also send as HTTP
// headers, and with a tool whose name must be encoded in a header.
func headerServer(t testing.TB) *mcp.Server {
	s := echoServer(t, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "query", InputSchema: json.RawMessage(`{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"limit":{"type":"integer","x-mcp-header":"LIMIT"},
		"dry":{"type":"boolean","x-mcp-header":"dry-run"},
		"where":{"type":"object","properties":{"tenant":{"type":"string","x-mcp-header":"Tenant"}}},
		"x-mcp-header":{"type":"string"},
		"text":{"default":{"x-mcp-header":"A"},"examples":[{"x-mcp-header":"B"}]}}}`)},
		func(_ context.Context, _ *mcp.Request, in json.RawMessage) (string, error) { return string(in), nil }))
	return s
}

func TestHeadersThatRepeatTheBody(t *testing.T) {
	proves(t, "http.version-header.mismatch", "http.header.mismatch-reject", "http.header.mismatch-400", "http.header.mismatch-code",
		"http.header.required-missing", "http.header.invalid-characters", "http.header.decode-before-compare", "http.header.bad-base64",
		"http.header.sentinel-exact", "http.header.name-case-insensitive", "http.header.value-case-sensitive",
		"transport.binding.body-is-truth")
	bubble(t, func(t *testing.T) {
		w := host(t, headerServer(t), nil).open("2026-07-28")
		line := w.request(1, "tools/call", callParams("echo", `{"message":"x"}`))
		for _, test := range []struct {
			name    string
			headers []string
			ok      bool
		}{
			{"all as they should be", nil, true},
			{"the name in base64", []string{"Mcp-Name: =?base64?ZWNobw==?="}, true},
			{"no version", []string{"MCP-Protocol-Version:"}, false},
			{"another version", []string{"MCP-Protocol-Version: 2025-11-25"}, false},
			{"an unknown version", []string{"MCP-Protocol-Version: v999.0.0"}, false},
			{"no method", []string{"Mcp-Method:"}, false},
			{"another method", []string{"Mcp-Method: tools/list"}, false},
			{"the method in capitals", []string{"Mcp-Method: TOOLS/CALL"}, false},
			{"the method in base64", []string{"Mcp-Method: =?base64?dG9vbHMvY2FsbA==?="}, false},
			{"no name", []string{"Mcp-Name:"}, false},
			{"another name", []string{"Mcp-Name: fail"}, false},
			{"the name in capitals", []string{"Mcp-Name: ECHO"}, false},
			{"base64 without padding", []string{"Mcp-Name: =?base64?ZWNobw?="}, false},
			{"base64 with other characters", []string{"Mcp-Name: =?base64?ZWN!bw==?="}, false},
			{"base64 with bits behind the end", []string{"Mcp-Name: =?base64?ZWNobx==?="}, false},
			{"base64 with more behind its end", []string{"Mcp-Name: =?base64?ZWNobw==ZWNobw==?="}, false},
			{"base64 with other characters behind its end", []string{"Mcp-Name: =?base64?ZWNobw==!!!!?="}, false},
			{"base64 of another name", []string{"Mcp-Name: =?base64?ZmFpbA==?="}, false},
			{"the marker in capitals", []string{"Mcp-Name: =?BASE64?ZWNobw==?="}, false},
			{"the marker without its end", []string{"Mcp-Name: =?base64?ZWNobw=="}, false},
			{"characters beyond ASCII", []string{"Mcp-Name: échø"}, false},
		} {
			w := w.with("Mcp-Method: tools/call", "Mcp-Name: echo").with(test.headers...)
			if a := w.post(line); test.ok {
				a.want(http.StatusOK)
			} else if m := a.wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch); string(m.ID) != "1" {
				t.Errorf("%s: %s", test.name, m.line)
			} else {
				w.with("Accept: text/event-stream").post(line).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
			}
		}
		// A repeated header is an error, even if its values are equal.
		twice := w.with("Mcp-Method: tools/call", "Mcp-Name: echo")
		twice.head["Mcp-Name"] = []string{"echo", "echo"}
		twice.post(line).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
		// Header names may be in any case, and values may be surrounded by
		// white space.
		c := w.site.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHOST: localhost\r\ncontent-TYPE: application/json\r\nmcp-protocol-version: 2026-07-28\r\nMCP-METHOD: tools/call \t\r\nmCp-NaMe:  \t echo \r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(line), line))
		if got := readAll(t, c); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
			t.Error(got)
		}
	})
}

func TestHeadersOfNotifications(t *testing.T) {
	proves(t, "http.version-header.mismatch", "http.version-header.unsupported", "http.header.mismatch-reject", "http.header.mismatch-400",
		"http.header.mismatch-code", "http.header.required-missing", "http.header.value-case-sensitive", "http.post.reject-status", "http.post.202")
	bubble(t, func(t *testing.T) {
		received := 0
		s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				received++
				return next(ctx, r)
			}
		}}})
		w := host(t, s, nil).open("2026-07-28")
		const bare = `{"jsonrpc":"2.0","method":"notifications/a"}`
		named := func(revision string) string {
			return `{"jsonrpc":"2.0","method":"notifications/a","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `"}}}`
		}
		for _, test := range []struct {
			name    string
			line    string
			headers []string
			code    int // expected error code; 0 if the request is accepted
		}{
			{"the version alone", bare, nil, 0},
			{"the version twice the same", named("2026-07-28"), nil, 0},
			{"its method", bare, []string{"Mcp-Method: notifications/a"}, 0},
			{"another method", bare, []string{"Mcp-Method: notifications/b"}, mcp.CodeHeaderMismatch},
			{"the method in capitals", named("2026-07-28"), []string{"Mcp-Method: NOTIFICATIONS/A"}, mcp.CodeHeaderMismatch},
			{"no version", named("2026-07-28"), []string{"MCP-Protocol-Version:"}, mcp.CodeHeaderMismatch},
			{"another version", named("2026-07-28"), []string{"MCP-Protocol-Version: 2025-11-25"}, mcp.CodeHeaderMismatch},
			{"another version in the body", named("2025-11-25"), nil, mcp.CodeHeaderMismatch},
			{"an unknown version", named("2027-01-01"), []string{"MCP-Protocol-Version: 2027-01-01"}, mcp.CodeUnsupportedVersion},
		} {
			received = 0
			a := w.with(test.headers...).post(test.line)
			if test.code == 0 {
				a.want(http.StatusAccepted)
			} else if m := a.wantError(http.StatusBadRequest, test.code); m.ID != nil {
				t.Errorf("%s: %s", test.name, m.line)
			}
			if (received == 1) != (test.code == 0) {
				t.Errorf("%s: received %d times", test.name, received)
			}
		}
		for _, name := range []string{"Mcp-Method", "Mcp-Protocol-Version"} {
			twice := w.with("Mcp-Method: notifications/a")
			twice.head[name] = []string{twice.head.Get(name), twice.head.Get(name)}
			twice.post(bare).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
		}
	})
}

func TestTheNameOfAResourceIsItsURI(t *testing.T) {
	proves(t, "http.header.no-trust")
	bubble(t, func(t *testing.T) {
		w := host(t, headerServer(t), nil).open("2026-07-28").with("Mcp-Method: resources/read")
		line := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"name":"harmless","uri":"file:///secret",` + modernMeta("") + `}}`
		w.with("Mcp-Name: harmless").post(line).wantError(http.StatusBadRequest, mcp.CodeHeaderMismatch)
		if a := w.with("Mcp-Name: file:///secret").post(line); a.status == http.StatusBadRequest {
			t.Error(a.body)
		}
	})
}

func TestHeadersThatRepeatArguments(t *testing.T) {
	proves(t, "base.error.reserved-range.meaning", "http.header.mismatch-code", "http.header.mismatch-400", "http.param.designate", "http.param.validate", "http.param.omitted-reject", "http.param.null-not-expected", "http.header.integer-numeric",
		"http.param.integer-range", "http.header.name-case-insensitive", "http.header.sentinel-exact", "http.header.decode-before-compare", "http.header.invalid-characters", "http.header.bad-base64")
	encoded := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	bubble(t, func(t *testing.T) {
		endpoint := host(t, headerServer(t), nil)
		w := endpoint.open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: query")
		for _, test := range []struct {
			arguments string
			headers   string // headers without the prefix Mcp-Param-, as "Name: value; Name: value"
			ok        bool
		}{
			{`{}`, ``, true},
			{`{"region":"us-west1"}`, `Region: us-west1`, true},
			{`{"region":"us-west1"}`, `REGION: us-west1`, true},
			{`{"region":"us-west1"}`, ``, false},
			{`{"region":"us-west1"}`, `Region: us-west2`, false},
			{`{"region":"us-west1"}`, `Region: US-WEST1`, false},
			{`{"region":"us-west1"}`, `Region: ` + encoded("us-west1"), true},
			{`{"region":"Hello, 世界"}`, `Region: =?base64?SGVsbG8sIOS4lueVjA==?=`, true},
			{`{"region":"Hello"}`, `Region: =?base64?SGVsbG8?=`, false},
			{`{"region":"Hello"}`, `Region: =?base64?SGVs!!!bG8=?=`, false},
			{`{"region":"SGVsbG8=?="}`, `Region: SGVsbG8=?=`, true},
			{`{"region":"=?base64?SGVsbG8="}`, `Region: =?base64?SGVsbG8=`, true},
			{`{"region":" padded "}`, `Region: ` + encoded(" padded "), true},
			{`{"region":" padded "}`, `Region: padded`, false},
			{`{"region":"line1\nline2"}`, `Region: ` + encoded("line1\nline2"), true},
			{`{"region":"=?base64?literal?="}`, `Region: ` + encoded("=?base64?literal?="), true},
			{`{"region":"=?base64?literal?="}`, `Region: =?base64?literal?=`, false},
			{`{"region":"caf\u00e9"}`, `Region: café`, false},
			{`{"region":"\u0075s"}`, `Region: us`, true},
			{`{"region":""}`, `Region: ` + encoded(""), true},
			{`{"region":null}`, ``, true},
			{`{"region":null}`, `Region: anything`, true},
			{`{}`, `Region: anything`, true},
			{`{"r\u0065gion":"us"}`, `Region: eu`, false},
			{`{"region":"1"}`, `Region: 1`, true},
			{`{"region":"1"}`, `Region: 1.0`, false},
			{`{"region":"1"}`, `Region: 01`, false},
			{`{"region":"true"}`, `Region: True`, false},
			{`{"limit":42}`, `Limit: 42`, true},
			{`{"limit":42}`, `Limit: 42.0`, true},
			{`{"limit":42.0}`, `Limit: 42`, true},
			{`{"limit":42}`, `Limit: 4.2e1`, true},
			{`{"limit":-7}`, `Limit: -7`, true},
			{`{"limit":42}`, `Limit: 43`, false},
			{`{"limit":42}`, `Limit: 42.5`, false},
			{`{"limit":5}`, `Limit: 0b101`, false},
			{`{"limit":5}`, `Limit: 10/2`, false},
			{`{"limit":5}`, `Limit: five`, false},
			{`{"limit":5}`, `Limit: 5e999999999`, false},
			{`{"limit":9007199254740991}`, `Limit: 9007199254740991`, true},
			{`{"limit":-9007199254740991}`, `Limit: -9007199254740991`, true},
			{`{"limit":9007199254740992}`, `Limit: 9007199254740992`, false},
			{`{"limit":-9007199254740992}`, `Limit: -9007199254740992`, false},
			{`{"limit":9007199254740993}`, `Limit: 9007199254740992`, false},
			{`{"limit":1e400}`, `Limit: 1e400`, false},
			{`{"dry":true}`, `Dry-Run: true`, true},
			{`{"dry":true}`, `Dry-Run: TRUE`, false},
			{`{"dry":true}`, `Dry-Run: 1`, false},
			{`{"dry":false}`, `Dry-Run: false`, true},
			{`{"dry":false}`, ``, false},
			{`{"where":{"tenant":"a"}}`, `Tenant: a`, true},
			{`{"where":{"tenant":"a"}}`, `Tenant: b`, false},
			{`{"where":{"tenant":"a"}}`, ``, false},
			{`{"where":{}}`, ``, true},
			{`{"tenant":"a"}`, ``, true},
			{`{"region":"a","limit":1,"dry":true,"where":{"tenant":"t"}}`, `Region: a; Limit: 1; Dry-Run: true; Tenant: t; Unknown: ignored`, true},
		} {
			w := w.with()
			for header := range strings.SplitSeq(test.headers, ";") {
				if name, value, ok := strings.Cut(header, ":"); ok {
					w.head.Set("Mcp-Param-"+strings.TrimSpace(name), strings.TrimSpace(value))
				}
			}
			a := w.post(w.request(1, "tools/call", callParams("query", test.arguments)))
			switch {
			case test.ok && a.status != http.StatusOK:
				t.Errorf("%s with %q: status %d: %s", test.arguments, test.headers, a.status, a.body)
			case !test.ok && (a.status != http.StatusBadRequest || !strings.Contains(a.body, `"code":-32020,`)):
				t.Errorf("%s with %q: status %d: %s", test.arguments, test.headers, a.status, a.body)
			}
		}
		// A duplicate argument is invalid, which is checked before headers are compared.
		twice := w.with("Mcp-Param-Region: us")
		if m := twice.post(w.request(1, "tools/call", callParams("query", `{"region":"us","region":"eu"}`))).want(200).message(); m.Result["isError"] != true {
			t.Error(m.line)
		}
		// Older revisions and stdio do not use these headers.
		if m := endpoint.open("2025-11-25").call("query", `{"region":"us"}`).want(200).message(); m.Result["isError"] != nil {
			t.Error(m.line)
		}
		p := connect(t, headerServer(t))
		if m := p.ask("1", "tools/call", p.open("2026-07-28")(callParams("query", `{"region":"us"}`))); m.Result["isError"] != nil {
			t.Error(m.line)
		}
		p.end()
	})
}

func TestMarksOfHeadersThatAreNotAllowed(t *testing.T) {
	proves(t, "http.param.name-not-empty", "http.param.name-token", "http.param.name-no-control", "http.param.name-unique", "http.param.primitive-only",
		"http.param.static-path", "http.param.no-dynamic-path")
	ranBeforeClients(t)
	marked := `{"type":"string","x-mcp-header":"A"}`
	schemas := map[string]string{
		"an empty name":           `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":""}}}`,
		"a name with a space":     `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`,
		"a name with a colon":     `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A:"}}}`,
		"a name with a newline":   `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A\r\nX: y"}}}`,
		"a name beyond ASCII":     `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Ä"}}}`,
		"a name that is a number": `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":7}}}`,
		"one name in two cases":   `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"REGION"}}}`,
		"one name deeper":         `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"Region"}}},"c":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"region"}}}}}`,
		"a number":                `{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}`,
		"a number deeper":         `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"number","x-mcp-header":"A"}}}}}`,
		"an object":               `{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}}`,
		"an array":                `{"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}}`,
		"several types":           `{"type":"object","properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`,
		"no type":                 `{"type":"object","properties":{"a":{"x-mcp-header":"A"}}}`,
		"null":                    `{"type":"object","properties":{"a":{"type":"null","x-mcp-header":"A"}}}`,
		"values without a type":   `{"type":"object","properties":{"a":{"enum":["x","y"],"x-mcp-header":"A"}}}`,
		"numbers without a type":  `{"type":"object","properties":{"a":{"enum":[1.5],"x-mcp-header":"A"}}}`,
		"a value without a type":  `{"type":"object","properties":{"a":{"const":"x","x-mcp-header":"A"}}}`,
		"a text by its length":    `{"type":"object","properties":{"a":{"minLength":1,"x-mcp-header":"A"}}}`,
		"values deeper":           `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"enum":["x"],"x-mcp-header":"A"}}}}}`,
		"types of alternatives":   `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"}],"x-mcp-header":"A"}}}`,
		"a list of one type":      `{"type":"object","properties":{"a":{"type":["string"],"x-mcp-header":"A"}}}`,
		"the root":                `{"type":"object","x-mcp-header":"A"}`,
		"an element":              `{"type":"object","properties":{"a":{"type":"array","items":` + marked + `}}}`,
		"an element by its place": `{"type":"object","properties":{"a":{"type":"array","prefixItems":[` + marked + `]}}}`,
		"an alternative":          `{"type":"object","properties":{"a":{"oneOf":[` + marked + `]}}}`,
		"anyOf":                   `{"type":"object","anyOf":[{"properties":{"a":` + marked + `}}]}`,
		"allOf":                   `{"type":"object","allOf":[{"properties":{"a":` + marked + `}}]}`,
		"not":                     `{"type":"object","not":{"properties":{"a":` + marked + `}}}`,
		"a condition":             `{"type":"object","if":{"properties":{"a":` + marked + `}},"then":{}}`,
		"then":                    `{"type":"object","then":{"properties":{"a":` + marked + `}}}`,
		"a definition":            `{"type":"object","$defs":{"a":` + marked + `},"properties":{"a":{"$ref":"#/$defs/a"}}}`,
		"further properties":      `{"type":"object","additionalProperties":` + marked + `}`,
		"properties by a pattern": `{"type":"object","patternProperties":{"^a":` + marked + `}}`,
	}
	for c := range 256 {
		token := c < 128 && strings.ContainsRune("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", rune(c))
		for _, name := range []string{"A" + string(rune(c)) + "B", "A" + string(rune(c)), string(rune(c)) + "B"} {
			quoted, err := json.Marshal(name)
			must(t, err)
			s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
			err = mcp.AddTool(s, mcp.Tool{Name: "x", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":` + string(quoted) + `}}}`)},
				func(context.Context, *mcp.Request, map[string]any) (string, error) { return "", nil })
			if (err == nil) != token {
				t.Errorf("the name %s: %v", quoted, err)
			}
		}
	}
	// Test every keyword that contains schemas, except properties, at the root and at deeper
	// levels, with various numbers of properties after it.
	within := `{"type":"object","properties":{"b":` + marked + `}}`
	for keyword, value := range map[string]string{
		"items": within, "additionalItems": within, "contains": within, "unevaluatedItems": within, "unevaluatedProperties": within,
		"additionalProperties": within, "propertyNames": within, "not": within, "if": within, "then": within, "else": within, "contentSchema": within,
		"oneOf": "[" + within + "]", "anyOf": "[{}," + within + "]", "allOf": "[" + within + "]", "prefixItems": "[" + within + "]",
		"$defs": `{"c":` + within + `}`, "definitions": `{"c":` + within + `}`, "patternProperties": `{"c":` + within + `}`,
		"dependentSchemas": `{"c":` + within + `}`,
	} {
		schemas[keyword] = fmt.Sprintf(`{"type":"object",%q:%s}`, keyword, value)
		schemas["a property's "+keyword] = fmt.Sprintf(`{"type":"object","properties":{"a":{%q:%s}}}`, keyword, value)
	}
	for name, schema := range schemas {
		s := echoServer(t, nil)
		err := mcp.AddTool(s, mcp.Tool{Name: "query", InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.Request, json.RawMessage) (string, error) { return "", nil })
		if err == nil || !strings.Contains(err.Error(), "query") || !strings.Contains(err.Error(), "x-mcp-header") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
