package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

var levels = strings.Fields("debug info notice warning error critical alert emergency")

// loggingServer returns a server with the tool "report", which logs one message at each level, from
// the highest to the lowest.
func loggingServer(t testing.TB, on bool) *mcp.Server {
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: on}})
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		for l := mcp.LevelEmergency + 1; l >= mcp.LevelDebug-1; l-- {
			r.Log(l, "", int(l))
		}
	})
	return s
}

// logged returns the levels of messages in order. It checks that each message contains the number
// of its level.
func logged(t *testing.T, notifications []string) string {
	t.Helper()
	var got []string
	for _, n := range notifications {
		var number int
		for i, level := range levels {
			if n == fmt.Sprintf(`notifications/message {"level":%q,"data":%d}`, level, i+1) {
				number = i + 1
			}
		}
		if number == 0 {
			t.Errorf("not a message of this tool: %s", n)
			continue
		}
		got = append([]string{levels[number-1]}, got...)
	}
	return strings.Join(got, " ")
}

func from(level string) string {
	for i, l := range levels {
		if l == level {
			return strings.Join(levels[i:], " ")
		}
	}
	return ""
}

func TestASessionHearsOfTheLevelThatItHasSetAndAbove(t *testing.T) {
	proves(t, "log.levels", "log.level-filter", "log.default-level", "log.notification.fields", "log.capability", "base.notification.no-id")
	for _, revision := range revisions[:4] {
		t.Run(revision, func(t *testing.T) {
			p := connect(t, loggingServer(t, true))
			if m := p.initialize(revision); object(m.Result["capabilities"])["logging"] == nil {
				t.Errorf("logging is not declared: %s", m.line)
			}
			p.send(reportCall(revision, ""))
			if got := logged(t, p.notifications()); got != from("info") {
				t.Errorf("before a level is set: %s", got)
			}
			for _, level := range levels {
				if m := p.ask("2", "logging/setLevel", fmt.Sprintf(`{"level":%q}`, level)); m.Error != nil || len(m.Result) != 0 {
					t.Errorf("setting %s: %s", level, m.line)
				}
				p.send(reportCall(revision, ""))
				if got := logged(t, p.notifications()); got != from(level) {
					t.Errorf("at level %s: %s", level, got)
				}
			}
		})
	}
}

func TestALevelThatIsNoneIsRefused(t *testing.T) {
	proves(t, "log.levels", "log.invalid-level", "log.bad-request-level", "base.error.invalid-params")
	s := loggingServer(t, true)
	for _, revision := range revisions[:4] {
		refusesLevels(t, s, revision)
	}
	for _, level := range []string{`"loud"`, `"warn"`, `"Debug"`, `"emergency "`, `""`, `3`, `null`, `{}`} {
		p := connect(t, s)
		p.open("2026-07-28")
		p.note([]byte(reportCall("2026-07-28", "")))
		p.send(reportCall("2026-07-28", `"io.modelcontextprotocol/logLevel":`+level+`,`))
		if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("level %s of a request: %s", level, m.line)
		}
		for _, method := range []string{"server/discover", "tools/list", "no/such", "subscriptions/listen"} {
			m := p.ask("1", method, `{`+modernMeta(`,"io.modelcontextprotocol/logLevel":`+level)+`}`)
			if m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
				t.Errorf("level %s of %s: %s", level, method, m.line)
			}
		}
	}
}

// refusesLevels checks that levels that do not exist are refused.
func refusesLevels(t *testing.T, s *mcp.Server, revision string) {
	p := connect(t, s)
	p.initialize(revision)
	for _, params := range []string{``, `{}`, `{"level":""}`, `{"level":"loud"}`, `{"level":"DEBUG"}`, `{"level":"warn"}`, `{"level":"fatal"}`, `{"level":"emerg"}`, `{"level":"info "}`, `{"level":3}`, `{"level":null}`, `{"level":["debug"]}`} {
		if m := p.ask("2", "logging/setLevel", params); m.Error == nil || m.Error.Code != mcp.CodeInvalidParams {
			t.Errorf("%s: %s", params, m.line)
		}
	}
	p.send(reportCall(revision, ""))
	if got := logged(t, p.notifications()); got != from("info") {
		t.Errorf("afterwards: %s", got)
	}
}

func TestARequestHearsOfTheLevelThatItAsksForAlone(t *testing.T) {
	proves(t, "log.request-scoped", "log.opt-in", "log.at-or-above", "log.levels", "meta.caps.no-inference", "base.stateless.no-prior-context")
	p := connect(t, loggingServer(t, true))
	p.initialize("2025-11-25")
	p.ask("2", "logging/setLevel", `{"level":"debug"}`) // has no effect on requests of the newest revision
	for _, level := range append([]string{""}, levels...) {
		for range 2 { // the server stores nothing between requests
			meta := ""
			if level != "" {
				meta = fmt.Sprintf(`"io.modelcontextprotocol/logLevel":%q,`, level)
			}
			p.send(reportCall("2026-07-28", meta))
			if got := logged(t, p.notifications()); got != from(level) {
				t.Errorf("at level %q: %s", level, got)
			}
			for _, more := range []string{"", `"progressToken":"a long name",`, `"com.example/logLevel":"debug",`} {
				p.send(reportCall("2026-07-28", more))
				if got := logged(t, slices.DeleteFunc(p.notifications(), func(line string) bool { return strings.Contains(line, "notifications/progress") })); got != "" {
					t.Errorf("after one with level %q: %s", level, got)
				}
			}
		}
	}
}

func TestALogMessageComesOnTheStreamOfTheRequestThatSetTheLevel(t *testing.T) {
	proves(t, "log.request-scoped")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(latest)
		call := func(id int, wait bool, meta string) *answer {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,%s}}`, id, callParams("talk", fmt.Sprintf(`{"times":2,"wait":%v}`, wait)), modernMeta(meta))
			return w.with("Mcp-Method: tools/call", "Mcp-Name: talk").post(body)
		}
		listening := w.with("Mcp-Method: subscriptions/listen").post(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta("") + `}}`)
		if m := listening.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Error(m.line)
		}
		loud := call(2, true, `,"io.modelcontextprotocol/logLevel":"debug"`)
		<-g.began // the call continues while others are served
		if m, before := call(3, false, "").response(); before != 0 || m.text() != "done" {
			t.Errorf("%d messages before %s", before, m.line)
		}
		g.release <- "done"
		if m, before := loud.response(); before != 2 || m.text() != "done" {
			t.Errorf("%d messages before %s", before, m.line)
		}
		addNamed(t, g.Server, "more")
		if m := listening.receive(); m.Method != "notifications/tools/list_changed" {
			t.Error(m.line)
		}
		listening.close()
	})
}

func TestALevelIsOfOneSessionAlone(t *testing.T) {
	s := loggingServer(t, true)
	p, q := connect(t, s), connect(t, s)
	p.initialize("2025-11-25")
	q.initialize("2025-11-25")
	p.ask("2", "logging/setLevel", `{"level":"emergency"}`)
	q.send(reportCall("2025-11-25", ""))
	if got := logged(t, q.notifications()); got != from("info") {
		t.Errorf("the other session hears %s", got)
	}
}

func TestWithoutLoggingThereIsNone(t *testing.T) {
	proves(t, "log.capability", "base.error.method-not-found", "lifecycle.operation.capabilities.must")
	s := loggingServer(t, false)
	for _, revision := range revisions {
		p := connect(t, s)
		params := p.open(revision)
		if m := p.ask("2", "logging/setLevel", params(`"level":"debug"`)); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
			t.Errorf("%s: %s", revision, m.line)
		}
		p.send(reportCall(revision, `"io.modelcontextprotocol/logLevel":"debug",`))
		expectNotifications(t, p.notifications())
	}
}

func TestWhatIsLoggedIsAnyValueOfJSON(t *testing.T) {
	proves(t, "log.notification.fields")
	s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		r.Log(mcp.LevelInfo, "db", map[string]any{"error": "refused\n", "n": 1})
		r.Log(mcp.LevelInfo, "", "text")
		r.Log(mcp.LevelInfo, "", nil)
		for _, value := range []any{"", 0, false, map[string]int{}} {
			r.Log(mcp.LevelInfo, "", value)
		}
		r.Log(mcp.LevelInfo, "", []int{})
		r.Log(mcp.LevelInfo, "", make(chan int)) // a channel cannot be encoded
	})
	for _, revision := range revisions {
		p := connect(t, s)
		p.open(revision)
		p.send(reportCall(revision, `"io.modelcontextprotocol/logLevel":"info",`))
		expectNotifications(t, p.notifications(),
			`notifications/message {"level":"info","logger":"db","data":{"error":"refused\n","n":1}}`,
			`notifications/message {"level":"info","data":"text"}`,
			`notifications/message {"level":"info","data":null}`,
			`notifications/message {"level":"info","data":""}`,
			`notifications/message {"level":"info","data":0}`,
			`notifications/message {"level":"info","data":false}`,
			`notifications/message {"level":"info","data":{}}`,
			`notifications/message {"level":"info","data":[]}`)
	}
}

func TestALevelSaysItsName(t *testing.T) {
	proves(t, "log.levels")
	for i, want := range append(append([]string{""}, levels...), "") {
		if got := mcp.Level(i).String(); got != want {
			t.Errorf("level %d is %q", i, got)
		}
	}
	if mcp.Level(-1).String() != "" {
		t.Error("a negative level has a name")
	}
}

func TestALogThatFailsIsAnInternalErrorOfTheRequest(t *testing.T) {
	proves(t, "log.config-error", "log.internal-error")
	opts := with1(func(ctx context.Context, r mcp.Message, next mcp.MessageHandler) (mcp.Result, error) {
		if r.Method() == "logging/setLevel" {
			return nil, errors.New("the disk with the configuration is full")
		}
		return next(ctx, r)
	})
	opts.Capabilities.Logging = true
	opts.IsSecret = func(string) bool { panic("no list of secrets") }
	s := newServer(opts)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "log"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Log(mcp.LevelError, "", map[string]string{"key": "value"})
		return "", nil
	}))
	p := connect(t, s)
	p.initialize("2025-11-25")
	for method, params := range map[string]string{"logging/setLevel": `{"level":"debug"}`, "tools/call": `{"name":"log"}`} {
		if m := p.ask("1", method, params); m.Error == nil || m.Error.Code != mcp.CodeInternalError || m.Error.Message != "Internal error" {
			t.Errorf("%s: %s", method, m.line)
		}
	}
}

func TestALevelIsNotSetWithoutASession(t *testing.T) {
	proves(t, "log.capability")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		endpoint := host(t, loggingServer(t, true), &mcp.HTTPOptions{Stateless: true})
		w := endpoint.web()
		a := w.initialize(revision, `{}`)
		if object(a.message().Result["capabilities"])["logging"] == nil {
			t.Errorf("messages are sent, but the capability is not declared: %s", a.body)
		}
		m := w.post(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}`).want(http.StatusOK).message()
		if m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
			t.Errorf("a level that is not kept: %s", m.line)
		}
		_, sent := w.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"report"}}`).want(http.StatusOK).response()
		if want := strings.Count(from("info"), " ") + 1; sent != want {
			t.Errorf("%d messages, not %d", sent, want)
		}
	})
}
