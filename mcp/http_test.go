package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// overHTTP contains the revisions that Streamable HTTP supports.
var overHTTP = revisions[1:]

// eachOverHTTP runs f in fake time for every revision that Streamable HTTP supports.
func eachOverHTTP(t *testing.T, f func(t *testing.T, revision string)) {
	t.Helper()
	eachInBubble(t, overHTTP, f)
}

func modern(revision string) bool { return revision == "2026-07-28" }

func TestACallIsAnsweredWithJSON(t *testing.T) {
	proves(t, "http.endpoint.post-get", "http.endpoint.post-only", "http.post.content-type", "transport.utf8")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		a := w.call("echo", `{"message":"grüße, 世界"}`).want(http.StatusOK)
		if m := a.message(); m.text() != "grüße, 世界" {
			t.Error(m.line)
		}
		if m := w.begin(`"list"`, "tools/list", "").want(http.StatusOK).message(); len(list(m.Result["tools"])) != 4 || string(m.ID) != `"list"` {
			t.Error(m.line)
		}
		for _, kind := range []string{"application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON", " application/json ; x=y"} {
			w.with("Content-Type: " + kind).say("any form of the type")
		}
		if m := w.call("refuse", `{}`).want(http.StatusOK).message(); m.Error == nil || m.Error.Code != -1 {
			t.Error(m.line)
		}
	})
}

func TestInitializeOpensASession(t *testing.T) {
	proves(t, "session.assign", "session.id.visible-ascii", "lifecycle.version.server-echo")
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		seen := map[string]bool{}
		for i := range 500 {
			w := endpoint.web()
			if i%2 == 1 {
				w = w.with("Test-Principal: https://as.example.com Renée Ünal")
			}
			a := w.initialize(revisions[i%4], `{}`)
			id := a.head.Get("Mcp-Session-Id")
			if len(id) < 26 || strings.ContainsFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
				t.Fatalf("session id %q", id)
			}
			if seen[id] {
				t.Fatalf("session id %q is given twice", id)
			}
			seen[id] = true
			if got := a.message().Result["protocolVersion"]; got != revisions[i%4] {
				t.Errorf("asked for %s, got %v", revisions[i%4], got)
			}
		}
		// The header that later requests need is also allowed on the first request.
		endpoint.web().with("MCP-Protocol-Version: 2025-06-18").initialize("2025-06-18", `{}`)
		w := endpoint.web()
		w.session = "2025-11-25"
		m := w.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`).want(200).message()
		if m.Result["protocolVersion"] != "2025-11-25" {
			t.Error(m.line)
		}
		// An initialize request that fails does not open a session.
		a := endpoint.web().post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`)
		if a.wantError(200, mcp.CodeInvalidParams); a.head.Get("Mcp-Session-Id") != "" {
			t.Error("a failed initialize opened a session")
		}
	})
}

func TestWhatIsNoRequestIsAccepted(t *testing.T) {
	proves(t, "transport.binding.directions", "http.post.202", "http.post.reject-status", "base.notification.no-response")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		w.post(`{"jsonrpc":"2.0","method":"notifications/no-such-thing"}`).want(http.StatusAccepted)
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`).want(http.StatusAccepted)
		if modern(revision) {
			w.post(`{"jsonrpc":"2.0","id":1,"result":{}}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
			return
		}
		w.post(`{"jsonrpc":"2.0","id":5,"result":{}}`).want(http.StatusAccepted)
		w.post(`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`).want(http.StatusAccepted)
		w.with("Mcp-Session-Id:").post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		stateless := host(t, echoServer(t, nil), &mcp.HTTPOptions{Stateless: true}).open(revision)
		for _, body := range []string{`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":5,"result":{}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`} {
			stateless.post(body).want(http.StatusAccepted)
			if revision != "2025-03-26" {
				continue // this revision has no batches
			}
			for _, w := range []*web{w, stateless} {
				w.post("[" + body + "]").want(http.StatusAccepted)
				w.post(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}},` + body + "]").want(http.StatusAccepted)
			}
		}
	})
}

func TestWhatIsNoMessageGetsStatus400(t *testing.T) {
	proves(t, "http.post.reject-status", "base.error.parse", "base.error.invalid-request", "base.batch.unsupported", "transport.utf8")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		for _, test := range notMessages {
			if len(test.line) < 100_000 && test.code != mcp.CodeInvalidParams { // these messages have another status
				w.post(test.line).wantError(http.StatusBadRequest, test.code)
			}
		}
		for body, code := range map[string]int{
			"":     mcp.CodeParseError,
			"hi":   mcp.CodeParseError,
			"{":    mcp.CodeParseError,
			"null": mcp.CodeInvalidRequest,
			`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`:  mcp.CodeParseError,
			"{\"jsonrpc\":\"2.0\",\"x\":\"\xff\"}":         mcp.CodeParseError,
			strings.Repeat("[", 100_000):                   mcp.CodeParseError,
			`{"jsonrpc":"1.0","id":1,"method":"ping"}`:     mcp.CodeInvalidRequest,
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`:  mcp.CodeInvalidRequest,
			`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:   mcp.CodeInvalidRequest,
			`{"jsonrpc":"2.0","method":5}`:                 mcp.CodeInvalidRequest,
			`{"jsonrpc":"2.0","method":"n","params":"no"}`: mcp.CodeInvalidRequest,
		} {
			w.post(body).wantError(http.StatusBadRequest, code)
		}
		if revision != "2025-03-26" {
			w.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		}
		if revision == "2025-03-26" {
			m := w.post(`[{"jsonrpc":"2.0","id":1,"method":7}]`).want(http.StatusOK)
			var answers []message
			if err := json.Unmarshal([]byte(m.body), &answers); err != nil || len(answers) != 1 || answers[0].Error == nil || answers[0].Error.Code != mcp.CodeInvalidRequest {
				t.Errorf("in a batch: %s", m.body)
			}
		}
		if m := w.post(`{"jsonrpc":"2.0","id":"x","method":7}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest); string(m.ID) != `"x"` {
			t.Errorf("the id could be read: %s", m.line)
		}
		w.say("alive")
	})
}

func TestMethodsOfHTTPThatAreNotServed(t *testing.T) {
	proves(t, "http.get-delete.405", "http.get.sse-or-405", "session.delete-405", "http.endpoint.post-only")
	for name, opts := range map[string]*mcp.HTTPOptions{"with sessions": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, nil), opts)
				if opts == nil {
					for _, revision := range revisions[1:4] { // these clients do not accept an event stream
						endpoint.open(revision).with("Accept: application/json").do(http.MethodGet, nil).wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
					}
				}
				clients := []*web{endpoint.open("2026-07-28")}
				if opts != nil {
					clients = append(clients, endpoint.web(), endpoint.open("2025-11-25"), endpoint.web().with("Mcp-Session-Id: 123", "Last-Event-ID: 1-1"))
				}
				for _, w := range clients {
					for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodPatch, http.MethodOptions} {
						a := w.do(method, nil)
						a.wantError(http.StatusMethodNotAllowed, mcp.CodeInvalidRequest)
						if !strings.Contains(a.head.Get("Allow"), "POST") {
							t.Errorf("%s: Allow is %q", method, a.head.Get("Allow"))
						}
					}
				}
			})
		})
	}
}

func TestContentTypeMustBeJSON(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"} {
			w.with("Content-Type: "+kind).call("echo", `{"message":"x"}`).wantError(http.StatusUnsupportedMediaType, mcp.CodeInvalidRequest)
		}
		for _, kind := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON ;x=y"} {
			w.with("Content-Type: " + kind).say("x")
		}
	})
}

func TestAnswersTakeAFormThatTheClientAccepts(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(revision)
		for _, accept := range []string{"text/html", "image/*", "application/xml, text"} {
			w.with("Accept: "+accept).call("echo", `{"message":"x"}`).wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
		}
		for accept, wantEvents := range map[string]bool{
			"application/json": false, "text/event-stream": true, "*/*": false, "application/*;q=0.5": false,
			"text/html, TEXT/*;q=0.1": true, "text/event-stream, application/json": false,
		} {
			w := w.with("Accept: " + accept)
			for tool, arguments := range map[string]string{"echo": `{"message":"x"}`, "refuse": `{}`} {
				a := w.call(tool, arguments).want(200)
				if a.events != wantEvents {
					t.Errorf("Accept %s: events %v", accept, a.events)
				}
				if m, before := a.response(); before != 0 || string(m.ID) == "" {
					t.Errorf("Accept %s: %s", accept, m.line)
				}
			}
			// The fields that must be sent first are omitted if they cannot be sent.
			w.last++
			a := w.begin(w.last, "tools/call", `"name":"talk","arguments":{"times":2},"_meta":{"progressToken":1}`)
			if modern(revision) {
				a = w.with("Mcp-Method: tools/call", "Mcp-Name: talk").post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"talk","arguments":{"times":2},%s}}`, w.last, modernMeta(`,"progressToken":1`)))
			}
			canStream := strings.Contains(strings.ToLower(accept), "text/") || accept == "*/*"
			if m, before := a.want(200).response(); m.text() != "done" || (before > 0) != canStream {
				t.Errorf("Accept %s: %d messages before %s", accept, before, m.line)
			}
		}
		if a := w.with("Accept:").call("echo", `{"message":"x"}`); a.status != 200 {
			t.Errorf("no Accept at all: %d", a.status)
		}
	})
}

func TestAFormOfWeightZeroIsNotTaken(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		for accept, form := range map[string]string{
			"application/json;q=0, text/event-stream": "text/event-stream",
			"application/json;v=1; Q=0.000, */*":      "text/event-stream",
			"*/*, application/*;q=0":                  "text/event-stream",
			"*/*;q=0, text/event-stream;q=0.001":      "text/event-stream",
			"text/event-stream;q=0, */*;q=0.1":        "application/json",
			"application/json;q=0.01, text/*;q=0.0":   "application/json",
			"application/*;q=0, application/json;x=q": "application/json",
			"*/*;q=0": "",
			"application/json; q=0, text/event-stream;q=0.": "",
		} {
			a := w.with("Accept: "+accept).call("echo", `{"message":"x"}`)
			if form == "" {
				a.wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
			} else if a.want(http.StatusOK).head.Get("Content-Type") != form {
				t.Errorf("Accept %s: answered with %s", accept, a.head.Get("Content-Type"))
			}
		}
		if modern(revision) {
			return
		}
		w.with("Accept: text/event-stream;q=0, */*").do(http.MethodGet, nil).wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
	})
}

func TestBodiesOverTheLimitAreRefused(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		w := host(t, echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 10_000}}), nil).open(revision)
		for _, chunked := range []bool{false, true} {
			var body io.Reader = strings.NewReader(w.request(1, "tools/call", callParams("echo", `{"message":"`+strings.Repeat("x", 10_000)+`"}`)))
			if chunked {
				body = io.MultiReader(body) // the length of the body is unknown
			}
			w.do(http.MethodPost, body).wantError(http.StatusRequestEntityTooLarge, mcp.CodeInvalidRequest)
		}
		w.say(strings.Repeat("x", 9000))
	})
}

func TestABodyThatEndsEarlyIsNotTaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		for _, text := range []string{
			"Content-Length: 100\r\n\r\n{\"jsonrpc\"",
			"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
		} {
			c := endpoint.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + text)
			got, _ := io.ReadAll(c) // as in a slowloris attack, the first byte arrives after the time limit of a request
			if status := string(got[:min(len(got), 13)]); status != "HTTP/1.1 408 " && status != "HTTP/1.1 400 " {
				t.Errorf("%q: %q", text, got)
			}
		}
	})
}

func TestTheVersionHeaderOfASession(t *testing.T) {
	proves(t, "http.version-header.invalid-400", "http.version-header.absent-assume")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		for _, version := range []string{"1900-01-01", "v999.0.0", "2025-06", "latest"} {
			w := w.with("MCP-Protocol-Version: " + version)
			w.call("echo", `{"message":"x"}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
			w.post(`{"jsonrpc":"2.0","method":"notifications/a"}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
			w.do(http.MethodGet, nil).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
			w.do(http.MethodDelete, nil).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
		}
		// Without the header, the session determines the revision.
		w.with("MCP-Protocol-Version:").say("x")
		w.with("MCP-Protocol-Version: " + revision).say("x")
	})
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), &mcp.HTTPOptions{Stateless: true})
		for _, version := range []string{"1900-01-01", "2025-06", "latest"} {
			w := endpoint.web().with("MCP-Protocol-Version: " + version)
			for _, revision := range overHTTP[:3] {
				w.session = revision
				w.call("echo", `{"message":"x"}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
				w.post(`{"jsonrpc":"2.0","method":"notifications/a"}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
				w.post(`[{"jsonrpc":"2.0","method":"notifications/a"}]`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
			}
		}
		w := endpoint.web() // without a header and a session, the revision is 2025-03-26
		w.session = "2025-03-26"
		m := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":7}}}`).want(200).message()
		if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("bad arguments are an error in 2025-03-26: %s", m.line)
		}
		if body := w.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`).want(200).body; body != `[{"jsonrpc":"2.0","id":1,"result":{}}]` {
			t.Errorf("2025-03-26 alone has batches: %s", body)
		}
		w = endpoint.web().with("MCP-Protocol-Version: 2025-11-25")
		w.session = "2025-11-25"
		m = w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":7}}}`).want(200).message()
		if m.Result["isError"] != true {
			t.Errorf("bad arguments are a result in 2025-11-25: %s", m.line)
		}
	})
}

func TestBatchesOverHTTP(t *testing.T) {
	proves(t, "base.batch.receive")
	batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"},
		{"jsonrpc":"2.0","method":"notifications/no-such-thing"}, 5,
		{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}},
		{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}},
		{"jsonrpc":"2.0","id":4,"method":"no/such"}]`
	check := func(t *testing.T, w *web, a *answer) {
		t.Helper()
		a.want(200)
		var answers []json.RawMessage
		if err := json.Unmarshal([]byte(a.body), &answers); err != nil {
			t.Fatalf("%v: %s", err, a.body)
		}
		got := map[string]*message{}
		for _, one := range answers {
			m := w.decode(string(one))
			got[string(m.ID)] = m
		}
		if len(answers) != 5 || got["1"].Error != nil || got[`"two"`].text() != "hi" ||
			got["3"].Error.Code != mcp.CodeInvalidRequest || got["4"].Error.Code != mcp.CodeMethodNotFound ||
			got["null"].Error.Code != mcp.CodeInvalidRequest {
			t.Errorf("answers: %s", a.body)
		}
	}
	for name, opts := range map[string]*mcp.HTTPOptions{"in a session": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, nil), opts)
				w := endpoint.open("2025-03-26")
				check(t, w, w.post(batch))
				w.post(`[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","id":9,"result":{}}]`).want(http.StatusAccepted)
				w.post(`[]`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
				w.post(`[1,`).wantError(http.StatusBadRequest, mcp.CodeParseError)
				w.post("["+strings.Repeat(`{"jsonrpc":"2.0","method":"n"},`, 5000)+`{}]`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
				if a := w.post(`[{"jsonrpc":"2.0","id":1,"method":"no/such"},7]`).want(200); !strings.HasPrefix(a.body, "[{") {
					t.Error(a.body)
				}
				for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
					endpoint.open(revision).post(batch).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
				}
			})
		})
	}
}

func TestABatchIsServedAFewAtATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 3}})
		w := host(t, g.Server, nil).open("2025-03-26")
		var lines []string
		for i := range 10 {
			lines = append(lines, callLine(i, "wait", `{}`))
		}
		a := w.post("[" + strings.Join(lines, ",") + "]").want(200)
		for range 10 {
			settle()
			if n := len(g.began); n > 3 {
				t.Fatalf("%d calls at a time", n)
			}
			<-g.began
			g.release <- "x"
		}
		e := a.next()
		var answers []json.RawMessage
		if err := json.Unmarshal([]byte(e.data), &answers); err != nil || len(answers) != 10 {
			t.Errorf("%v: %s", err, e.data)
		}
		a.ends()
	})
}

func TestModernRequestsStandAlone(t *testing.T) {
	proves(t, "session.modern-ignored", "http.last-event-id.ignored", "http.sse.no-resume", "http.method-unknown.404", "versioning.dual-era.select-modern")
	for name, opts := range map[string]*mcp.HTTPOptions{"with sessions": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, echoServer(t, nil), opts)
				w := endpoint.open("2026-07-28")
				for _, w := range []*web{w, w.with("Mcp-Session-Id: forged"), w.with("Last-Event-ID: 1-1")} {
					w.session = "2026-07-28"
					a := w.call("echo", `{"message":"x"}`).want(200)
					if m := a.message(); m.text() != "x" || m.Result["resultType"] != "complete" || a.head.Get("Mcp-Session-Id") != "" {
						t.Errorf("%v: %s", w.head, m.line)
					}
				}
				for _, method := range []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "unknown/method"} {
					m := w.begin(7, method, "").wantError(http.StatusNotFound, mcp.CodeMethodNotFound)
					if string(m.ID) != "7" {
						t.Errorf("%s: %s", method, m.line)
					}
				}
				// The request has no _meta, although the header implies it.
				for _, method := range []string{"initialize", "ping"} {
					w.with("Mcp-Method: "+method).post(`{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{}}`).wantError(http.StatusNotFound, mcp.CodeMethodNotFound)
				}
				w.with("Accept: text/event-stream").begin(8, "ping", "").wantError(http.StatusNotFound, mcp.CodeMethodNotFound)
			})
		})
	}
}

func TestEveryMethodThatIsNotServedHasStatus404(t *testing.T) {
	proves(t, "http.method-unknown.404")
	w := host(t, newServer(nil), nil).open(latest)
	for method := range strings.FieldsSeq(`initialize ping logging/setLevel resources/subscribe resources/unsubscribe tools/list tools/call
		prompts/list prompts/get resources/list resources/templates/list resources/read completion/complete tasks/get tasks/list tasks/result
		tasks/update tasks/cancel none example/none notifications/none`) {
		body := w.request(1, method, `"name":"x"`)
		w.with("Mcp-Method: "+method, "Mcp-Name: x").post(strings.Replace(body, `"name":"x"`, `"name":"x","uri":"x","taskId":"x"`, 1)).wantError(http.StatusNotFound, mcp.CodeMethodNotFound)
	}
}

func TestModernRefusalsHaveStatus400(t *testing.T) {
	proves(t, "http.version-header.unsupported", "versioning.unsupported.code", "meta.request.missing.code", "meta.caps.missing.code",
		"meta.request.missing.http-400", "meta.caps.missing.http-400")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2026-07-28")
		for _, meta := range []string{``, `"_meta":{}`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`,
			`"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}`} {
			m := w.with("Mcp-Method: server/discover").post(`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{`+meta+`}}`).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
			if string(m.ID) != `"d"` {
				t.Errorf("%s: %s", meta, m.line)
			}
		}
		for _, method := range []string{"tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read",
			"completion/complete", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"} {
			w.with("Mcp-Method: "+method, "Mcp-Name: x:a").post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"m","method":%q,"params":{"name":"x:a","uri":"x:a","taskId":"x:a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, method)).
				wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
		}
		other := w.with("MCP-Protocol-Version: v999.0.0", "Mcp-Method: server/discover")
		m := other.post(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"v999.0.0","io.modelcontextprotocol/clientCapabilities":{}}}}`).wantError(http.StatusBadRequest, mcp.CodeUnsupportedVersion)
		if m.Error.Data["requested"] != "v999.0.0" || len(list(m.Error.Data["supported"])) != 5 {
			t.Error(m.line)
		}
		m = w.call("ask", `{}`).wantError(http.StatusBadRequest, mcp.CodeMissingCapability)
		if object(m.Error.Data["requiredCapabilities"])["elicitation"] == nil {
			t.Error(m.line)
		}
		ask := func(ctx context.Context, r *mcp.Request) error { return askOnly(ctx, r, &mcp.RootsQuestion{}) }
		must(t,
			g.AddPrompt(mcp.Prompt{Name: "asks"}, func(ctx context.Context, r *mcp.Request, _ map[string]string) (*mcp.PromptResult, error) {
				return nil, ask(ctx, r)
			}),
			g.AddResource(mcp.Resource{URI: "x:asks", Name: "asks"}, func(ctx context.Context, r *mcp.Request, _ string) ([]mcp.ResourceContents, error) {
				return nil, ask(ctx, r)
			}),
			g.Handle("example/ask", func(context.Context, *mcp.Request) (mcp.Result, error) {
				return nil, mcp.MissingExtension("com.example/x")
			}),
			mcp.AddTool(g.Server, mcp.Tool{Name: "task", TaskSupport: mcp.TaskSupportRequired}, says1("")))
		for _, call := range [][2]string{{"prompts/get", `"name":"asks"`}, {"resources/read", `"uri":"x:asks"`}, {"example/ask", ""}, {"tools/call", `"name":"task"`},
			{"subscriptions/listen", `"notifications":{"taskIds":["x"]}`}} {
			w.begin(2, call[0], call[1]).wantError(http.StatusBadRequest, mcp.CodeMissingCapability)
		}
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			w.with("Mcp-Method: "+method, "Mcp-Name: x").post(w.request(3, method, `"taskId":"x","inputResponses":{}`)).wantError(http.StatusBadRequest, mcp.CodeMissingCapability)
		}
		// clientInfo is optional.
		w.with("Mcp-Method: tools/list").post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`).want(200)
	})
}

func TestBothErasShareOneEndpoint(t *testing.T) {
	proves(t, "versioning.dual-era.select-legacy")
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		var clients []*web
		for _, revision := range overHTTP {
			clients = append(clients, endpoint.open(revision))
		}
		for range 3 {
			for _, w := range clients {
				w.say("from " + w.session)
			}
		}
		// A client of a session may repeat the revision in _meta.
		w := clients[2]
		m := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`).want(200).message()
		if m.Result["tools"] == nil || m.Result["resultType"] != nil {
			t.Error(m.line)
		}
	})
}

func TestPanicsAreOneFailedRequestOverHTTP(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		var log strings.Builder
		w := host(t, echoServer(t, &mcp.ServerOptions{Logger: textLogger(&log)}), nil).open(revision)
		m := w.call("panic", `{}`).want(200).message()
		if m.Error == nil || m.Error.Code != mcp.CodeInternalError || strings.Contains(m.line, "secret") {
			t.Error(m.line)
		}
		w.say("alive")
		if id := w.head.Get("Mcp-Session-Id"); id != "" && strings.Contains(log.String(), id) {
			t.Error("the log holds the session's id")
		}
	})
}
