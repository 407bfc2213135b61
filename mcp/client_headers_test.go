package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// marked returns a server with a tool whose schema has x-mcp-header in its properties.
func marked(t *testing.T, tools string) *script {
	return scripted(t, func(w http.ResponseWriter, p *posted) {
		switch p.Method {
		case "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
		case "tools/list":
			p.reply(w, `{"resultType":"complete","tools":[`+tools+`]}`)
		default:
			p.reply(w, emptyContent)
		}
	})
}

// TestCodesOfOldServersAreErrorsAlone makes servers refuse calls with error codes that they use
// with their own meanings.
func TestCodesOfOldServersAreErrorsAlone(t *testing.T) {
	proves(t, "base.error.legacy-range.no-meaning")
	for code := -32019; code <= -32000; code++ {
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			switch p.Method {
			case "server/discover":
				p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			case "tools/list":
				p.reply(w, `{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"}}]}`)
			default:
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no","data":{"supported":["2025-11-25"]}}}`, p.ID, code)
			}
		})
		c := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{})
		listed := len(s.requests("tools/list"))
		_, err := c.CallTool(t.Context(), "a", nil, nil)
		if e, ok := errors.AsType[*mcp.Error](err); !ok || e.Code != code {
			t.Errorf("code %d: %v", code, err)
		}
		if calls, lists := len(s.requests("tools/call")), len(s.requests("tools/list"))-listed; calls != 1 || lists != 0 || len(s.requests("initialize")) != 0 {
			t.Errorf("code %d: %d calls, %d lists", code, calls, lists)
		}
	}
}

// repeated returns the headers that repeat arguments, keyed by name without the prefix.
func repeated(p *posted) map[string]string {
	got := map[string]string{}
	for name, values := range p.Header {
		if short, ok := strings.CutPrefix(name, "Mcp-Param-"); ok {
			got[short] = strings.Join(values, " and ")
		}
	}
	return got
}

// TestEachArgumentIsRepeatedAsItIs calls a tool with arguments of each form, in every way in which
// the client can call a tool.
func TestEachArgumentIsRepeatedAsItIs(t *testing.T) {
	proves(t, "http.param.client-support", "http.param.extraction", "http.param.present-include", "http.param.null-or-absent-omit", "http.param.encode",
		"http.param.encode-base64", "http.param.encode-sentinel-clash", "http.param.all-steps", "http.param.latest-schema")
	s := marked(t, `{"name":"tool","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object","properties":{"text":{"type":"string","x-mcp-header":"Region"},"UP":{"type":"string","x-mcp-header":"up"},`+
		`" a":{"type":"string","x-mcp-header":"Spaced"},"n":{"type":"integer","x-mcp-header":"N"},"deep":{"type":"object","properties":{"er":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"B"},`+
		`"est":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"Y"}}}}}}}}}}`)
	c := s.dialed(t, latest, &mcp.HTTPTransport{})
	must(t, lastOf(c.Tools(t.Context())))
	long := strings.Repeat("long", 200)
	for arguments, want := range map[string]map[string]string{
		``:                                   {},
		`{}`:                                 {},
		`{"text":null,"n":null,"deep":null}`: {},
		`{"text":"null"}`:                    {"Region": "null"},
		`{"text":"true"}`:                    {"Region": "true"},
		`{"text":"007"}`:                     {"Region": "007"},
		`{"text":"1.0"}`:                     {"Region": "1.0"},
		`{"text":"a, \"b\"; \\"}`:            {"Region": `a, "b"; \`},
		`{"text":"\u0061\/"}`:                {"Region": "a/"},
		`{"\u0074ext":"a"}`:                  {"Region": "a"},
		`{"text":" "}`:                       {"Region": "=?base64?IA==?="},
		`{"text":"a "}`:                      {"Region": "=?base64?YSA=?="},
		`{"text":"\t"}`:                      {"Region": "=?base64?CQ==?="},
		`{"text":"a\tb"}`:                    {"Region": "=?base64?YQli?="},
		`{"text":"\u0000"}`:                  {"Region": "=?base64?AA==?="},
		`{"text":"\u007f"}`:                  {"Region": "=?base64?fw==?="},
		`{"text":"\u0080"}`:                  {"Region": "=?base64?woA=?="},
		`{"text":"\u00a0"}`:                  {"Region": "=?base64?wqA=?="},
		`{"text":"\ud83d\ude00?>"}`:          {"Region": "=?base64?8J+YgD8+?="},
		`{"text":"=?base64??="}`:             {"Region": "=?base64?PT9iYXNlNjQ/Pz0=?="},
		`{"text":"=?base64?YQ==?="}`:         {"Region": "=?base64?PT9iYXNlNjQ/WVE9PT89?="},
		`{"text":"=?base64?!?="}`:            {"Region": "=?base64?PT9iYXNlNjQ/IT89?="},
		`{"text":"` + long + `"}`:            {"Region": long},
		`{"text":"` + strings.Repeat("é", 3000) + `"}`: {"Region": "=?base64?" + strings.Repeat("w6nDqcOp", 1000) + "?="},
		`{"text":"` + long + ` "}`:                     {"Region": "=?base64?" + base64.StdEncoding.EncodeToString([]byte(long+" ")) + "?="},
		`{"text":"=?base64?` + long + `?="}`:           {"Region": "=?base64?" + base64.StdEncoding.EncodeToString([]byte("=?base64?"+long+"?=")) + "?="},
		`{"deep":{"er":{"b":null}}}`:                   {},
		`{"TEXT":"a","Text":"b","up":"c"}`:             {},
		`{"UP":"c"}`:                                   {"Up": "c"},
		`{" a":"c"}`:                                   {"Spaced": "c"},
		`{"a":"c"}`:                                    {},
		`{"n":-0}`:                                     {"N": "0"},
		`{"n":5.0}`:                                    {"N": "5"},
		`{"n":1e2}`:                                    {"N": "100"},
		`{"n":9007199254740991}`:                       {"N": "9007199254740991"},
		`{"n":1.5}`:                                    {},
		`{"deep":{"er":{"b":true}}}`:                   {"B": "true"},
		`{"deep":{"er":{"b":false}}}`:                  {"B": "false"},
		`{"deep":"er"}`:                                {},
		`{"deep":{"er":"b"}}`:                          {},
		`{"deep":{"er":null}}`:                         {},
		`{"deep":{"b":true},"er":{"b":true},"b":true,"deep.er.b":true,"deep/er/b":true}`: {},
		`{"deep":[{"er":{"b":true}}]}`:              {},
		`{"deep":{"er":{"est":{"x":"1","y":"2"}}}}`: {"X": "1", "Y": "2"},
		`{"deep":{"er":{"est":{"y":"2"}}}}`:         {"Y": "2"},
	} {
		var args any
		if arguments != "" {
			args = json.RawMessage(arguments)
		}
		params := map[string]any{"name": "tool"}
		if args != nil {
			params["arguments"] = args
		}
		for name, call := range map[string]func() error{
			"CallTool": func() error { _, err := c.CallTool(t.Context(), "tool", args, nil); return err },
			"generic":  func() error { _, err := mcp.CallTool[string](t.Context(), c, "tool", args, nil); return err },
			"raw":      func() error { _, err := c.Call(t.Context(), "tools/call", params, nil); return err },
		} {
			must(t, call())
			calls := s.requests("tools/call")
			if got := repeated(calls[len(calls)-1]); !maps.Equal(got, want) {
				t.Errorf("%s, arguments %s: the headers are %v, want %v", name, arguments, got, want)
			}
		}
	}
}

// TestToolsWithWrongMarksAreLeftOut makes a server list tools with an invalid x-mcp-header among
// other tools.
func TestToolsWithWrongMarksAreLeftOut(t *testing.T) {
	proves(t, "http.param.reject-invalid-tool")
	const mark = `{"type":"string","x-mcp-header":"X"}`
	wrong := []string{
		`"properties":{"a":` + mark + `,"b":{"type":"string","x-mcp-header":"x"}}`,
		`"properties":{"a":` + mark + `,"b":{"type":"object","properties":{"c":` + mark + `}}}`,
		`"x-mcp-header":"X"`, `"additionalProperties":` + mark, `"not":` + mark, `"if":` + mark, `"then":` + mark, `"else":` + mark, `"allOf":[` + mark + `]`, `"anyOf":[{},` + mark + `]`, `"oneOf":[` + mark + `]`,
		`"patternProperties":{"a":` + mark + `}`, `"$defs":{"a":` + mark + `}`, `"definitions":{"a":` + mark + `}`, `"propertyNames":` + mark, `"dependentSchemas":{"a":` + mark + `}`,
		`"properties":{"a":{"type":"array","items":` + mark + `}}`, `"properties":{"a":{"type":"array","prefixItems":[` + mark + `]}}`, `"properties":{"a":{"type":"object","properties":{"b":{"allOf":[` + mark + `]}}}}`,
		`"properties":{"a":{"allOf":[{"properties":{"b":` + mark + `}}]}}`, `"properties":{"a":{"type":"object","additionalProperties":{"properties":{"b":` + mark + `}}}}`,
	}
	for _, name := range []string{`""`, `" X"`, `"X "`, `"A B"`, `"X:"`, `"X:Y"`, `"X\n"`, `"X\r\nY: 1"`, `"é"`, `"\u0000"`, `"X,Y"`, `"(X)"`, `7`, `null`, `true`, `["X"]`, `{"a":1}`} {
		wrong = append(wrong, `"properties":{"a":{"type":"string","x-mcp-header":`+name+`}}`)
	}
	for _, kind := range []string{`"number"`, `"object"`, `"array"`, `"null"`, `"String"`, `["string"]`, `["string","null"]`, `null`} {
		wrong = append(wrong, `"properties":{"a":{"type":`+kind+`,"x-mcp-header":"X"}}`)
	}
	wrong = append(wrong, `"properties":{"a":{"x-mcp-header":"X"}}`, `"properties":{"a":{"enum":["a"],"x-mcp-header":"X"}}`)
	var tools, want []string
	for i, schema := range wrong {
		good := fmt.Sprint("good", i)
		tools = append(tools, fmt.Sprintf(`{"name":"bad%d","inputSchema":{"type":"object",%s}}`, i, schema), `{"name":"`+good+`","inputSchema":{"type":"object","properties":{"x-mcp-header":`+mark+`}}}`)
		want = append(want, good)
	}
	c := marked(t, strings.Join(tools, ",")).dialed(t, latest, &mcp.HTTPTransport{})
	var got []string
	for tool, err := range c.Tools(t.Context()) {
		must(t, err)
		if strings.HasPrefix(tool.Name, "bad") {
			t.Errorf("listed is %s", tool.InputSchema)
			continue
		}
		got = append(got, tool.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

// TestNoHeaderIsReplacedOrLost sends requests with the caller's own headers, and sends them again
// after they have been refused.
func TestNoHeaderIsReplacedOrLost(t *testing.T) {
	revisionsOf(t, "http.post.accept", func(t *testing.T, revision string) {
		proves(t, "http.get.accept", "http.version-header.subsequent", "http.version-header.every-post", "http.version-header.equals-meta", "http.header.mcp-method", "http.header.mcp-name",
			"http.post.metadata-headers", "session.client-sends", "http.post.one-per-message")
		refusals := map[string]int{}
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if p.ID != nil && p.Method != "initialize" && p.Method != "server/discover" {
				switch refusals[p.Method]++; refusals[p.Method] {
				case 1:
					w.WriteHeader(http.StatusUnauthorized)
					return
				case 2:
					w.Header().Set("Retry-After", "0")
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
			}
			switch {
			case p.Method == "server/discover":
				p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}}}`)
			case !p.session(w, revision, "session-1"):
				p.reply(w, `{"resultType":"complete","content":[],"contents":[],"messages":[],"tools":[],"prompts":[],"completion":{"values":[]}}`)
			}
		})
		header := http.Header{}
		for _, name := range []string{"accept", "content-type", "mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"} {
			header[name] = []string{"mine"}
		}
		if revision < latest {
			delete(header, "mcp-method") // the header has no meaning in these revisions
			delete(header, "mcp-name")
		} else {
			delete(header, "mcp-session-id")
		}
		c := s.dialed(t, revision, &mcp.HTTPTransport{Header: header, Authorizer: new(guests)})
		names := map[string]string{"tools/call": "x", "prompts/get": "x", "resources/read": "x:a"}
		for method, call := range callsOf(c) {
			if method == "completion/complete" && revision > "2024-11-05" && revision < latest || strings.HasPrefix(method, "prompts/") && revision < latest || method == "resources/read" && revision < latest {
				continue // the revision does not declare this capability
			}
			must(t, call(t.Context()))
			sent := s.requests(method)
			if len(sent) != 3 {
				t.Errorf("%s is sent %d times", method, len(sent))
			}
			for i, p := range sent {
				want := map[string]string{"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
				if revision == latest {
					want["Mcp-Method"] = method
					if name := names[method]; name != "" {
						want["Mcp-Name"] = name
					}
				} else {
					want["Mcp-Session-Id"] = "session-1"
				}
				if revision >= "2025-06-18" {
					want["Mcp-Protocol-Version"] = revision
				}
				for name, value := range want {
					if got := p.Header[name]; len(got) != 1 || got[0] != value {
						t.Errorf("%s, request %d: %s is %q, want %q", method, i, name, got, value)
					}
				}
				if p.body != sent[0].body || p.Request.Method != http.MethodPost {
					t.Errorf("%s: request %d is %s", method, i, p.body)
				}
			}
		}
		for _, p := range s.requests(http.MethodGet) {
			if got := p.Header["Accept"]; len(got) != 1 || got[0] != "text/event-stream" {
				t.Errorf("GET has %v", p.Header)
			}
		}
	})
}
