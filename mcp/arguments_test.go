package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// wide has a field of every kind that arguments are decoded into.
type wide struct {
	Name    string             `json:"name" minLength:"2" maxLength:"5" pattern:"^[a-z]+$"`
	Unit    string             `json:"unit,omitempty" enum:"celsius,fahrenheit" default:"celsius"`
	Days    int                `json:"days,omitempty" minimum:"1" maximum:"10" default:"3"`
	Exact   bool               `json:"exact,omitempty" default:"true"`
	Big     int64              `json:"big,omitempty"`
	Natural uint64             `json:"natural,omitempty"`
	Small   int8               `json:"small,omitempty"`
	Ratio   float64            `json:"ratio,omitempty"`
	Tags    []string           `json:"tags,omitempty"`
	Limits  map[string]uint8   `json:"limits,omitempty"`
	Data    []byte             `json:"data,omitempty"`
	When    *time.Time         `json:"when,omitempty"`
	Inner   *struct{ A int32 } `json:"inner,omitempty"`
	Any     any                `json:"any,omitempty"`
	Raw     json.RawMessage    `json:"raw,omitempty"`
	Number  json.Number        `json:"number,omitempty"`
}

// wideServer returns a server with the tool "wide", which returns its arguments as JSON.
func wideServer(t testing.TB) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "wide"}, func(_ context.Context, _ *mcp.Request, in wide) (string, error) {
		data, err := json.Marshal(in)
		return string(data), err
	}))
	return s
}

// refused returns the text of the error for invalid arguments. Depending on the revision, it is in
// a result or in a JSON-RPC error.
func refused(t *testing.T, revision string, m *message) string {
	t.Helper()
	if revision < "2025-11-25" {
		if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("not refused with -32602: %s", m.line)
			return ""
		}
		return m.Error.Message
	}
	if m.Error != nil || m.Result["isError"] != true || m.Result["structuredContent"] != nil {
		t.Errorf("not refused with a result that is an error: %s", m.line)
		return ""
	}
	return m.text()
}

func TestBadArgumentsAreRefusedWithWhatToCorrect(t *testing.T) {
	proves(t, "tools.security.validate", "tools.error.invalid-arguments.protocol", "tools.error.invalid-arguments.execution")
	tests := []struct {
		name, arguments string
		says            []string
	}{
		{"nothing at all", `{}`, []string{`"name"`, "missing"}},
		{"another type", `{"name":7}`, []string{"/name", "string", "7"}},
		{"null", `{"name":null}`, []string{"/name", "string", "null"}},
		{"too short", `{"name":"a"}`, []string{"/name", "2"}},
		{"too long", `{"name":"abcdef"}`, []string{"/name", "5"}},
		{"not the pattern", `{"name":"ABC"}`, []string{"/name", "^[a-z]+$"}},
		{"not in the enum", `{"name":"ab","unit":"kelvin"}`, []string{"/unit", "celsius", "fahrenheit"}},
		{"under the minimum", `{"name":"ab","days":0}`, []string{"/days", "1"}},
		{"over the maximum", `{"name":"ab","days":11}`, []string{"/days", "10"}},
		{"a fraction for an integer", `{"name":"ab","days":1.5}`, []string{"/days", "integer", "1.5"}},
		{"a number as text", `{"name":"ab","days":"3"}`, []string{"/days", "integer", `"3"`}},
		{"a word for a boolean", `{"name":"ab","exact":"yes"}`, []string{"/exact", "boolean"}},
		{"an unknown property", `{"name":"ab","dayz":3}`, []string{`"dayz"`, `"days"`}},
		{"a name in another case", `{"Name":"ab"}`, []string{`"Name"`, `"name"`}},
		{"one element of several", `{"name":"ab","tags":["a",7,"c"]}`, []string{"/tags/1", "string"}},
		{"a value of a map", `{"name":"ab","limits":{"x":256}}`, []string{"/limits/x", "255"}},
		{"a member of a member", `{"name":"ab","inner":{"A":"x"}}`, []string{"/inner/A", "integer"}},
		{"out of the range of int8", `{"name":"ab","small":128}`, []string{"/small", "127"}},
		{"out of the range of int64", `{"name":"ab","big":9223372036854775808}`, []string{"/big", "9223372036854775808"}},
		{"out of the range of uint64", `{"name":"ab","natural":18446744073709551616}`, []string{"/natural", "18446744073709551616"}},
		{"negative for an unsigned integer", `{"name":"ab","natural":-1}`, []string{"/natural", "0"}},
		{"no base64", `{"name":"ab","data":"!!"}`, []string{"/data", "base64"}},
		{"no time", `{"name":"ab","when":"yesterday"}`, []string{"/when"}},
		{"a property given twice", `{"name":"ab","name":"cd"}`, []string{"name"}},
	}
	eachRevision(t, wideServer(t), func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, none := range []string{`"name":"wide"`, `"name":"wide","arguments":null`} {
			if text := refused(t, revision, p.ask("1", "tools/call", params(none))); !strings.Contains(text, "missing") {
				t.Errorf("without arguments the client is told %q", text)
			}
		}
		for _, test := range tests {
			text := refused(t, revision, p.ask("1", "tools/call", params(callParams("wide", test.arguments))))
			for _, part := range append(test.says, `"wide"`) {
				if !strings.Contains(text, part) {
					t.Errorf("%s: the client is told %q, without %s", test.name, text, part)
				}
			}
			for _, part := range []string{"Go ", "struct", "unmarshal", "mcp_test", "\n"} {
				if strings.Contains(text, part) {
					t.Errorf("%s: the client is told %q, which speaks of the server's insides", test.name, text)
				}
			}
			if len(text) > 500 {
				t.Errorf("%s: the client is told %d bytes", test.name, len(text))
			}
		}
	})
}

func TestGoodArgumentsReachTheHandlerAsTheyAre(t *testing.T) {
	const defaults = `"unit":"celsius","days":3,"exact":true`
	tests := []struct{ name, arguments, want string }{
		{"defaults are filled in", `{"name":"ab"}`, `{"name":"ab",` + defaults + `}`},
		{"what is given is not replaced", `{"name":"ab","unit":"fahrenheit","days":1}`, `{"name":"ab","unit":"fahrenheit","days":1,"exact":true}`},
		{"escapes and runes", `{"name":"\u0061b"}`, `{"name":"ab",` + defaults + `}`},
		{"integers above 2^53", `{"name":"ab","big":9007199254740993}`, `{"name":"ab",` + defaults + `,"big":9007199254740993}`},
		{"the least int64", `{"name":"ab","big":-9223372036854775808}`, `{"name":"ab",` + defaults + `,"big":-9223372036854775808}`},
		{"the greatest int64 and uint64", `{"name":"ab","big":9223372036854775807,"natural":18446744073709551615}`,
			`{"name":"ab",` + defaults + `,"big":9223372036854775807,"natural":18446744073709551615}`},
		{"an integer with a fraction of zero", `{"name":"ab","days":2.0,"big":1e3,"small":-10E-1}`, `{"name":"ab","unit":"celsius","days":2,"exact":true,"big":1000,"small":-1}`},
		{"an integer with a fraction of zero, deep", `{"name":"ab","limits":{"x":7.00},"inner":{"A":-3.0}}`, `{"name":"ab",` + defaults + `,"limits":{"x":7},"inner":{"A":-3}}`},
		{"numbers where any value may be", `{"name":"ab","days":2.0,"raw":1.50,"number":12345678901234567890.10}`,
			`{"name":"ab","unit":"celsius","days":2,"exact":true,"raw":1.50,"number":12345678901234567890.10}`},
		{"bytes and a time", `{"name":"ab","data":"AAEC","when":"2026-07-28T12:00:00Z"}`, `{"name":"ab",` + defaults + `,"data":"AAEC","when":"2026-07-28T12:00:00Z"}`},
		{"white space", "{ \"name\" :\t\"ab\" , \"tags\" : [ \"x\" ] }", `{"name":"ab",` + defaults + `,"tags":["x"]}`},
	}
	eachRevision(t, wideServer(t), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, test := range tests {
			m := p.ask("1", "tools/call", params(callParams("wide", test.arguments)))
			var got, want any
			json.Unmarshal([]byte(m.text()), &got)
			json.Unmarshal([]byte(test.want), &want)
			if m.text() != test.want && fmt.Sprint(got) != fmt.Sprint(want) || strings.Contains(test.want, "9007199254740993") && !strings.Contains(m.text(), "9007199254740993") {
				t.Errorf("%s: got %s\nwant %s", test.name, m.line, test.want)
			}
		}
	})
}

func TestACallWithoutArgumentsIsACallWithNone(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "none"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "called", nil }),
		mcp.AddTool(s, mcp.Tool{Name: "optional"}, func(_ context.Context, _ *mcp.Request, in struct {
			N int `json:"n,omitempty" default:"7"`
		}) (string, error) {
			return fmt.Sprint(in.N), nil
		}),
	)
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, arguments := range []string{``, `,"arguments":{}`} {
			for name, want := range map[string]string{"none": "called", "optional": "7"} {
				if m := p.ask("1", "tools/call", params(fmt.Sprintf(`"name":%q`, name)+arguments)); m.text() != want {
					t.Errorf("%s%s: %s", name, arguments, m.line)
				}
			}
		}
		refused(t, revision, p.ask("2", "tools/call", params(callParams("none", `{"x":1}`))))
	})
}

func TestAHandlerIsNotCalledWithBadArguments(t *testing.T) {
	called := 0
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "raw", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":5}},"required":["s"]}`)},
		func(_ context.Context, _ *mcp.Request, in json.RawMessage) (string, error) {
			called++
			return string(in), nil
		}))
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		called = 0
		refused(t, revision, p.ask("1", "tools/call", params(callParams("raw", `{"n":1}`))))
		refused(t, revision, p.ask("2", "tools/call", params(callParams("raw", `{"n":"1","s":1}`))))
		m := p.ask("3", "tools/call", params(callParams("raw", `{"s":{"big":12345678901234567890.123}, "more": 1}`)))
		if want := `{"s":{"big":12345678901234567890.123}, "more": 1,"n":5}`; m.text() != want {
			t.Errorf("got %s\nwant %s", m.line, want)
		}
		if called != 1 {
			t.Errorf("the handler was called %d times", called)
		}
	})
}

func TestArgumentsThatDoNotFitAreRepaired(t *testing.T) {
	proves(t, "tools.security.validate")
	type input struct {
		Name string `json:"name"`
		Days int    `json:"days,omitempty" default:"3"`
	}
	repairs := 0
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "greet", Repair: func(args json.RawMessage) json.RawMessage {
		repairs++
		switch text := string(args); {
		case strings.Contains(text, "broken"):
			return json.RawMessage(`[`)
		case strings.Contains(text, "leave"):
			return nil
		default:
			return json.RawMessage(strings.Replace(text, "who", "name", 1))
		}
	}}, func(_ context.Context, _ *mcp.Request, in input) (string, error) {
		return fmt.Sprint(in.Name, in.Days), nil
	}))
	for _, tt := range []struct {
		args, want string
		repairs    int
	}{
		{`{"name":"a"}`, "a3", 0},
		{`{"who":"b","days":4}`, "b4", 1},
		{`{"who":7}`, "name", 1},
		{`{"whom":"broken"}`, "whom", 1},
		{`{"leave":"it"}`, "leave", 1},
	} {
		repairs = 0
		p := connect(t, s)
		params := p.open("2025-11-25")
		m := p.ask("1", "tools/call", params(callParams("greet", tt.args)))
		p.close()
		if text := m.text(); !strings.Contains(text, tt.want) || repairs != tt.repairs || (m.Result["isError"] == true) != (len(tt.want) > 2) {
			t.Errorf("%s: %s, repaired %d times", tt.args, m.line, repairs)
		}
	}
}

// TestArguments_Null calls a tool with null for optional arguments, which counts
// as absent unless the schema allows null or the server refuses it.
func TestArguments_Null(t *testing.T) {
	type place struct {
		City string `json:"city"`
		Zone *int   `json:"zone,omitempty"`
	}
	type input struct {
		Name  string   `json:"name"`
		Days  int      `json:"days,omitempty" default:"3"`
		Tags  []string `json:"tags,omitempty"`
		Place *place   `json:"place,omitempty"`
		Any   any      `json:"any,omitempty"`
	}
	for _, c := range []struct {
		name, args string
		refuse     bool
		want       string // the expected arguments, or part of the error
	}{
		{"default filled in", `{"name":"a","days":null}`, false, `{"name":"a","days":3}`},
		{"several, and one inside", `{"tags":null,"name":"a","days":1,"place":{"city":"x","zone":null}}`, false, `{"name":"a","days":1,"place":{"city":"x"}}`},
		{"allowed by the schema", `{"name":"a","any":null}`, false, `{"name":"a","days":3}`},
		{"required", `{"name":null,"days":null}`, false, "/name"},
		{"required inside", `{"name":"a","place":{"city":null}}`, false, "/place/city"},
		{"refused", `{"name":"a","days":null}`, true, "/days"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{RefuseNull: c.refuse})
			must(t, mcp.AddTool(s, mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.Request, in input) (string, error) {
				data, err := json.Marshal(in)
				return string(data), err
			}))
			client, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, nil)
			must(t, err)
			defer client.Close()
			text, err := mcp.CallTool[string](t.Context(), client, "echo", json.RawMessage(c.args), nil)
			switch {
			case strings.HasPrefix(c.want, "{") && (err != nil || text != c.want):
				t.Errorf("got %s, %v; want %s", text, err, c.want)
			case !strings.HasPrefix(c.want, "{") && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %s, %v; want an error about %s", text, err, c.want)
			}
		})
	}
}
