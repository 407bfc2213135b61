package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

type echoInput struct {
	Message string `json:"message" jsonschema:"text to send back"`
}

// echoServer returns a server with the tools "echo", "fail", "refuse" and "panic".
func echoServer(t testing.TB, opts *mcp.ServerOptions) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1.2.3", Title: "Test"}, opts)
	must(t,
		mcp.AddTool(s, mcp.Tool{Name: "echo", Description: "sends the message back"},
			func(_ context.Context, _ *mcp.Request, in echoInput) (string, error) { return in.Message, nil }),
		mcp.AddTool(s, mcp.Tool{Name: "fail"},
			func(context.Context, *mcp.Request, struct{}) (string, error) { return "", errors.New("disk is full") }),
		mcp.AddTool(s, mcp.Tool{Name: "refuse"},
			func(context.Context, *mcp.Request, struct{}) (string, error) {
				return "", &mcp.Error{Code: -1, Message: "not today", Data: json.RawMessage("{\n\"retry\": true}")}
			}),
		mcp.AddTool(s, mcp.Tool{Name: "panic"},
			func(context.Context, *mcp.Request, struct{}) (string, error) { panic("secret detail") }),
	)
	return s
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func callParams(tool, arguments string) string {
	return fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments)
}

func TestIDsGoBackExactlyAsSent(t *testing.T) {
	proves(t, "base.id.required", "base.response.result.id-echo", "base.response.error.id-echo", "base.jsonrpc.conform")
	eachRevision(t, echoServer(t, nil), func(t *testing.T, _ string, p *peer, params func(string) string) {
		for _, id := range []string{"0", "-0", "-7", "9007199254740993", "123456789012345678901234567890", `""`, `"a b"`, `"\u0061\n"`, `"é"`, `"\/\ud83d\ude00"`, `"-0"`, `"` + strings.Repeat("id", 500) + `"`} {
			if m := p.ask(id, "tools/call", params(callParams("echo", `{"message":"x"}`))); m.text() != "x" {
				t.Errorf("id %s: %s", id, m.line)
			}
			if m := p.ask(id, "no/such", params("")); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
				t.Errorf("id %s: %s", id, m.line)
			}
		}
	})
}

// notMessages contains strings that are not valid requests, and the response of a server that accepts
// messages of up to 100,000 bytes.
var notMessages = []struct {
	name, line string
	code       int
	id         string // id of the response; "" if no response is expected
}{
	{"a word", `hello`, mcp.CodeParseError, ""},
	{"an object cut short", `{"jsonrpc":"2.0","id":1,"method":"ping"`, mcp.CodeParseError, ""},
	{"two messages on one line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, mcp.CodeParseError, ""},
	{"a trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, mcp.CodeParseError, ""},
	{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}", mcp.CodeParseError, ""},
	{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\tng\"}", mcp.CodeParseError, ""},
	{"a number with a leading zero", `{"jsonrpc":"2.0","id":01,"method":"ping"}`, mcp.CodeParseError, ""},
	{"nesting of 10,000 levels", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}}`, mcp.CodeParseError, ""},
	{"a line over the limit", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 100_000) + `"}}`, mcp.CodeInvalidRequest, ""},
	{"a string", `"hello"`, mcp.CodeInvalidRequest, ""},
	{"null", `null`, mcp.CodeInvalidRequest, ""},
	{"an empty object", `{}`, mcp.CodeInvalidRequest, ""},
	{"no jsonrpc", `{"id":1,"method":"ping"}`, mcp.CodeInvalidRequest, "1"},
	{"another jsonrpc", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, mcp.CodeInvalidRequest, "1"},
	{"jsonrpc as a number", `{"jsonrpc":2.0,"id":"a","method":"ping"}`, mcp.CodeInvalidRequest, `"a"`},
	{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"id 1.5", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"id 1e3", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"id given twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"method a number", `{"jsonrpc":"2.0","id":1,"method":7}`, mcp.CodeInvalidRequest, "1"},
	{"method an object", `{"jsonrpc":"2.0","id":1,"method":{}}`, mcp.CodeInvalidRequest, "1"},
	{"method an array", `{"jsonrpc":"2.0","id":1,"method":["ping"]}`, mcp.CodeInvalidRequest, "1"},
	{"method true", `{"jsonrpc":"2.0","id":1,"method":true}`, mcp.CodeInvalidRequest, "1"},
	{"method null", `{"jsonrpc":"2.0","id":1,"method":null}`, mcp.CodeInvalidRequest, "1"},
	{"no method", `{"jsonrpc":"2.0","id":1}`, mcp.CodeInvalidRequest, "1"},
	{"a version and nothing else", `{"jsonrpc":"2.0"}`, mcp.CodeInvalidRequest, ""},
	{"params without a method", `{"jsonrpc":"2.0","params":{}}`, mcp.CodeInvalidRequest, ""},
	{"params an empty array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, mcp.CodeInvalidRequest, "1"},
	{"method in upper case is another member", `{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, mcp.CodeInvalidRequest, "1"},
	{"params an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, mcp.CodeInvalidRequest, "1"},
	{"params a string", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`, mcp.CodeInvalidRequest, "1"},
	{"request and response in one", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, mcp.CodeInvalidRequest, "1"},
	{"request and error in one", `{"jsonrpc":"2.0","id":1,"method":"ping","error":{"code":1,"message":"x"}}`, mcp.CodeInvalidRequest, "1"},
	{"params true", `{"jsonrpc":"2.0","id":1,"method":"ping","params":true}`, mcp.CodeInvalidRequest, "1"},
	{"params a number", `{"jsonrpc":"2.0","id":1,"method":"ping","params":0}`, mcp.CodeInvalidRequest, "1"},
	{"id an array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, mcp.CodeInvalidRequest, ""},
	{"jsonrpc null", `{"jsonrpc":null,"id":1,"method":"ping"}`, mcp.CodeInvalidRequest, "1"},
	{"an array and a word", `[{"jsonrpc":"2.0","id":1,"method":"ping"}] x`, mcp.CodeParseError, ""},
	{"two words", `null null`, mcp.CodeParseError, ""},
	{"a string and a brace", `"a"}`, mcp.CodeParseError, ""},
	{"an empty array", `[]`, mcp.CodeInvalidRequest, ""},
	{"_meta an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}`, mcp.CodeInvalidParams, "1"},
	{"a fractional progress token", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1.5}}}`, mcp.CodeInvalidParams, "1"},
}

func TestTextThatIsNoMessageIsAnsweredAndTheConnectionLivesOn(t *testing.T) {
	proves(t, "base.error.parse", "base.error.invalid-request", "base.id.not-null", "base.request.method-string",
		"base.request.params-object", "base.batch.unsupported", "stdio.single-message-line",
		"base.response.error.id-unless-unreadable", "transport.utf8")
	s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 100_000}})
	eachRevision(t, s, func(t *testing.T, revision string, p *peer, params func(string) string) {
		for _, test := range notMessages {
			p.send(test.line)
			m := p.receive()
			if m.Error == nil || m.Error.Code != test.code {
				t.Errorf("%s: want code %d, got %s", test.name, test.code, m.line)
			}
			want := test.id
			if want == "" && revision < "2025-11-25" {
				want = "null"
			}
			if string(m.ID) != want {
				t.Errorf("%s: want id %s, got %s", test.name, want, m.line)
			}
		}
		if revision != "2025-03-26" {
			p.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
			if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeInvalidRequest {
				t.Errorf("a batch: %s", m.line)
			}
		}
		if m := p.ask("99", "tools/call", params(callParams("echo", `{"message":"alive"}`))); m.text() != "alive" {
			t.Errorf("after all that: %s", m.line)
		}
	}, "pipe")
}

func TestWhiteSpaceAroundMessagesIsNothing(t *testing.T) {
	p := connect(t, echoServer(t, nil))
	p.send("\r\n   \n\t {\"jsonrpc\" : \"2.0\" , \"id\" :1,\"method\":\"ping\" , \"params\":null} \t\r")
	if m := p.receive(); string(m.ID) != "1" || m.Error != nil {
		t.Error(m.line)
	}
	p.end()
}

func TestNotificationsAreNeverAnswered(t *testing.T) {
	proves(t, "base.notification.no-response")
	eachRevision(t, echoServer(t, nil), func(_ *testing.T, _ string, p *peer, _ func(string) string) {
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5,"reason":7}}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/no-such-thing"}`)
		p.send(`{"jsonrpc":"2.0","method":"tools/list"}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":[]}`)
		p.send(`{"method":"notifications/progress"}`)
		p.send(`{"jsonrpc":"2.0","id":5,"result":{}}`)
		p.send(`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`)
		p.end()
	}, "pipe")
}

func TestUnknownMethodsAreRefusedInEachRevision(t *testing.T) {
	proves(t, "base.error.method-not-found", "base.removed-methods")
	eachRevision(t, echoServer(t, nil), func(t *testing.T, revision string, p *peer, params func(string) string) {
		unknown := []string{"no/such", "Tools/list", "", "prompts/list", "logging/setLevel", "completion/complete"}
		if revision == "2026-07-28" {
			unknown = append(unknown, "ping", "resources/subscribe", "resources/unsubscribe", "tasks/result", "tasks/list", "initialize")
		} else {
			unknown = append(unknown, "server/discover", "subscriptions/listen")
		}
		for _, method := range unknown {
			if m := p.ask("1", method, params("")); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
				t.Errorf("%q: %s", method, m.line)
			}
		}
	})
}

func TestBatchesAreServedWhereTheRevisionHasThem(t *testing.T) {
	proves(t, "base.batch.receive", "stdio.batch-line")
	p := connect(t, echoServer(t, nil))
	p.initialize("2025-03-26")
	p.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},
		{"jsonrpc":"2.0","method":"notifications/no-such-thing"}, 5,
		{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}},
		{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}},
		{"jsonrpc":"2.0","id":4,"method":"no/such"}]`)
	// A newline ends a message, so the text above consists of five malformed messages.
	for range 5 {
		if m := p.receive(); m.Error == nil {
			t.Errorf("a broken line was taken: %s", m.line)
		}
	}
	batch := strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 1000)
	p.send("[" + strings.TrimSuffix(batch, ",") + "]")
	if n := strings.Count(p.receiveLine(), `"result":{}`); n != 1000 {
		t.Errorf("%d answers to 1000 requests", n)
	}
	p.send("[" + batch + `{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeInvalidRequest {
		t.Errorf("1001 requests: %s", m.line)
	}
	p.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}, {"jsonrpc":"2.0","method":"notifications/no-such-thing"}, 5, ` +
		`{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}, ` +
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}, {"jsonrpc":"2.0","id":4,"method":"no/such"}]`)
	var answers []message
	line := p.receiveLine()
	if err := json.Unmarshal([]byte(line), &answers); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	got := map[string]*message{}
	for _, m := range answers {
		got[string(m.ID)] = &m
	}
	if len(answers) != 5 || got["1"].Error != nil || got[`"two"`].text() != "hi" ||
		got["3"].Error.Code != mcp.CodeInvalidRequest || got["4"].Error.Code != mcp.CodeMethodNotFound ||
		got["null"].Error.Code != mcp.CodeInvalidRequest {
		t.Errorf("answers: %s", line)
	}
	for _, one := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `5`} {
		p.send("[" + one + "]")
		line := p.receiveLine()
		var answers []message
		if err := json.Unmarshal([]byte(line), &answers); err != nil || len(answers) != 1 || line[0] != '[' || one != `5` && string(answers[0].ID) != "1" {
			t.Errorf("the answer to [%s] is %s", one, line)
		}
	}
	p.send(`[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","id":9,"result":{}}]`)
	p.end() // the server sends no message instead of an empty array
}

func TestAPanicIsOneFailedRequest(t *testing.T) {
	proves(t, "base.error.internal")
	var log strings.Builder
	s := echoServer(t, &mcp.ServerOptions{Logger: textLogger(&log)})
	eachRevision(t, s, func(t *testing.T, _ string, p *peer, params func(string) string) {
		m := p.ask("1", "tools/call", params(callParams("panic", `{}`)))
		if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
			t.Errorf("a panic: %s", m.line)
		}
		if m := p.ask("2", "tools/call", params(callParams("echo", `{"message":"alive"}`))); m.text() != "alive" {
			t.Errorf("after a panic: %s", m.line)
		}
	})
	if !strings.Contains(log.String(), "secret detail") || !strings.Contains(log.String(), "base_test.go") {
		t.Errorf("the log does not tell of the panic and where it came from: %s", log.String())
	}
}

func TestAPingIsAnsweredWhateverItsParams(t *testing.T) {
	s := echoServer(t, nil)
	revisionsOf(t, "ping.respond", func(t *testing.T, revision string) {
		for _, transport := range transportsOf(revision) {
			p := connectOver(t, s, revision, transport)
			p.open(revision)
			for _, params := range []string{`{}`, `null`, `{"_meta":{}}`, `{"_meta":{"progressToken":1}}`, `{"_meta":null,"unknown":[1]}`} {
				m := p.ask("1", "ping", params)
				sameJSON(t, transport+" "+params, any(m.Result), `{}`)
			}
		}
	})
}
