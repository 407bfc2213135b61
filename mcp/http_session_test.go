package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// refusesSession checks that the client can no longer use the session.
func (w *web) refusesSession() {
	w.t.Helper()
	w.call("echo", `{"message":"x"}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	w.post(`{"jsonrpc":"2.0","id":1,"result":{}}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	w.resume("").wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	w.resume("0-0").wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	w.do(http.MethodDelete, nil).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
}

func TestASessionIsNeeded(t *testing.T) {
	proves(t, "session.missing-400", "session.terminated-404")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		w := host(t, echoServer(t, nil), nil).open(revision)
		none := w.with("Mcp-Session-Id:")
		none.call("echo", `{"message":"x"}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		none.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		none.resume("").wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		none.do(http.MethodDelete, nil).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		session := w.head.Get("Mcp-Session-Id")
		for _, id := range []string{"1", "forged", session[:len(session)-1], session + "A", strings.ToLower(session), strings.Repeat("A", 26)} {
			w.with("Mcp-Session-Id: " + id).refusesSession()
		}
		w.say("alive")
	})
}

func TestAClientCanEndItsSession(t *testing.T) {
	proves(t, "session.terminate", "session.terminated-404", "http.sse.session-expiry-end")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w, other := endpoint.open(revision), endpoint.open(revision)
		alone := w.resume("")
		call := w.talk(1, `1`, `{"times":1,"wait":true}`)
		<-g.began
		go w.with("Accept: application/json").call("wait", `{}`)
		<-g.began
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		settle()
		for range 2 {
			if err := <-g.ended; err == nil {
				t.Error("a call of the session went on")
			}
		}
		for _, a := range []*answer{alone, call} {
			for {
				if _, err := a.read(); err != nil {
					break
				}
			}
		}
		w.refusesSession()
		w.do(http.MethodDelete, nil).want(http.StatusNotFound)
		w.do(http.MethodGet, nil).want(http.StatusNotFound)
		w.post(`{"jsonrpc":"2.0","method":"notifications/a"}`).want(http.StatusNotFound)
		w.post(`{"jsonrpc":"2.0","id":1,"result":{}}`).want(http.StatusNotFound)
		other.say("alive")
	})
}

func TestIdleSessionsEnd(t *testing.T) {
	proves(t, "session.terminate", "session.terminated-404")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, &mcp.HTTPOptions{SessionTimeout: time.Hour})
		idle, used, listening, waiting := endpoint.open("2025-06-18"), endpoint.open("2025-06-18"), endpoint.open("2025-11-25"), endpoint.open("2025-11-25")
		silent := endpoint.open("2025-11-25")
		stream, other := listening.resume(""), silent.resume("")
		lost := waiting.call("wait", `{}`)
		lost.close()
		for range 3 {
			time.Sleep(40 * time.Minute)
			used.say("here")
		}
		idle.refusesSession()
		listening.say("alive")
		waiting.say("alive") // this session has a call in flight
		stream.close()
		other.close()
		g.release <- "x"
		settle()
		time.Sleep(59 * time.Minute)
		silent.say("alive") // this session had an open stream
		waiting.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).want(http.StatusAccepted)
		time.Sleep(3 * time.Minute)
		listening.refusesSession()
		waiting.say("alive")
		time.Sleep(2 * time.Hour)
		waiting.refusesSession()
		endpoint.open("2025-06-18").say("a new one")
	})
}

func TestARequestOfASessionOutlivesItsHTTPRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, nil)
		began, release := make(chan context.Context), make(chan bool)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "hold"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			began <- ctx
			<-release
			return "done", nil
		}))
		h := s.HTTPHandler(nil)
		endpoint := hostPlain(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			ctx, cancel := context.WithTimeout(req.Context(), time.Minute)
			defer cancel()
			h.ServeHTTP(w, req.WithContext(ctx))
		}))
		w := endpoint.open("2025-11-25")
		gone := make(chan bool)
		go func() {
			w.call("hold", `{}`).close() // the response becomes a stream after half a second
			close(gone)
		}()
		ctx := <-began
		<-gone
		time.Sleep(2 * time.Minute)
		if _, set := ctx.Deadline(); set || ctx.Err() != nil || context.Cause(ctx) != nil {
			t.Errorf("it has a deadline (%t), or has ended: %v, %v", set, ctx.Err(), context.Cause(ctx))
		}
		release <- true
		must(t, h.Shutdown(t.Context()))
	})
}

func TestSessionsAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), &mcp.HTTPOptions{MaxSessions: 3})
		var open []*web
		for range 3 {
			open = append(open, endpoint.open("2025-06-18"))
		}
		a := endpoint.web().post(initializeLine)
		if m := a.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError); string(m.ID) != `"init"` || a.head.Get("Retry-After") == "" || a.head.Get("Mcp-Session-Id") != "" {
			t.Errorf("%v: %s", a.head, m.line)
		}
		endpoint.open("2026-07-28").say("needs none")
		open[0].do(http.MethodDelete, nil).want(http.StatusNoContent)
		endpoint.open("2025-06-18").say("there is room")
		open[1].say("alive")
	})
}

func TestASessionBelongsToItsPrincipal(t *testing.T) {
	proves(t, "elicit.state.protected", "sec.session.bind-user", "sec.session.not-authentication", "sec.session.verify-inbound")
	for _, revision := range overHTTP[:3] {
		anybody := host(t, echoServer(t, nil), nil).open(revision)
		anybody.with("Test-Principal: eve").begin(1, "tools/list", "").want(http.StatusNotFound)
		anybody.say("still mine")
		t.Run(revision, func(t *testing.T) { bubble(t, func(t *testing.T) { testPrincipalOfASession(t, revision) }) })
	}
}

func testPrincipalOfASession(t *testing.T, revision string) {
	g := newStage(t, nil)
	endpoint := host(t, g.Server, nil)
	open := func(principal string) *web {
		w := endpoint.web().with("Test-Principal: " + principal)
		w.initialize(revision, `{"elicitation":{}}`)
		return w
	}
	ada := open("ada")
	eve := ada.with("Test-Principal: eve")
	nobody := ada.with("Test-Principal:")
	a := ada.talk(1, `1`, `{"times":1,"wait":true}`)
	id := a.lastID(2)
	r := <-g.began
	if r.Principal() != "ada" {
		t.Errorf("the principal is %q", r.Principal())
	}
	for _, w := range []*web{eve, nobody} {
		w.refusesSession()
		w.resume(id).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	}
	open("").with("Test-Principal: ada").refusesSession()
	g.release <- "done"
	if m, _ := a.response(); m.text() != "done" {
		t.Error(m.line)
	}
}

func TestAQuestionIsAnsweredByWhomItWasAskedOf(t *testing.T) {
	proves(t, "elicit.state.user-bound", "elicit.state.not-session-alone", "elicit.state.protected", "elicit.bind-identity",
		"elicit.user.not-client-asserted", "sec.session.verify-inbound")
	for _, revision := range overHTTP[1:] {
		t.Run(revision, func(t *testing.T) { bubble(t, func(t *testing.T) { testAnswerer(t, revision) }) })
	}
}

func testAnswerer(t *testing.T, revision string) {
	ada := host(t, newStage(t, nil).Server, nil).web().with("Test-Principal: ada")
	if modern(revision) {
		ada = ada.with("Mcp-Protocol-Version: "+revision, "Mcp-Method: tools/call", "Mcp-Name: ask")
		ada.session = revision
		call := func(w *web, more string) *answer {
			return w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask",` + more + metaWith(`{"elicitation":{}}`) + `}}`)
		}
		state, _ := json.Marshal(call(ada, "").message().Result["requestState"])
		retry := `"inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}},"requestState":` + string(state) + `,`
		for _, other := range []string{"Test-Principal: eve", "Test-Principal:"} {
			call(ada.with(other), retry).wantError(http.StatusBadRequest, mcp.CodeInvalidParams)
		}
		if m := call(ada, retry).message(); m.text() != "Hello, Ada" {
			t.Error(m.line)
		}
		return
	}
	ada.initialize(revision, `{"elicitation":{}}`)
	a := ada.call("ask", `{}`).want(http.StatusOK)
	question := a.receive()
	reply := func(name string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":%q}}}`, question.ID, name)
	}
	for _, other := range []string{"Test-Principal: eve", "Test-Principal:"} {
		ada.with(other).post(reply("Eve")).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	}
	ada.post(reply("Ada")).want(http.StatusAccepted)
	if m, _ := a.response(); m.text() != "Hello, Ada" {
		t.Error(m.line)
	}
}

func TestSessionsDoNotReachEachOther(t *testing.T) {
	proves(t, "http.resume.same-stream-only")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		ada, eve := endpoint.openWith("2025-11-25", `{"elicitation":{}}`), endpoint.openWith("2025-11-25", `{"elicitation":{}}`)
		a := ada.talk(7, `7`, `{"times":1,"wait":true}`)
		id := a.lastID(2)
		eve.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).want(http.StatusAccepted)
		eve.resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		modern := endpoint.open("2026-07-28")
		modern.with("Mcp-Session-Id: "+ada.head.Get("Mcp-Session-Id"), "Mcp-Method: notifications/cancelled").
			post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).want(http.StatusAccepted)
		eve.do(http.MethodDelete, nil).want(http.StatusNoContent)
		settle()
		if len(g.ended) > 0 {
			t.Fatal("a call was cancelled by another client")
		}
		g.release <- "done"
		if m, _ := a.response(); m.text() != "done" {
			t.Error(m.line)
		}
	})
}

func TestRequestsOfASessionAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 2, MaxWaiting: 3}})
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-06-18")
		for range 5 {
			w.last++
			a := w.post(callLine(w.last, "wait", `{}`)).want(200)
			a.close() // closing the connection does not free the slot
		}
		a := w.call("wait", `{}`)
		if a.wantError(http.StatusTooManyRequests, mcp.CodeInternalError); a.head.Get("Retry-After") == "" {
			t.Errorf("%v", a.head)
		}
		w.post("["+callLine(1, "wait", `{}`)+"]").wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		if len(g.began) != 2 {
			t.Errorf("%d calls have begun", len(g.began))
		}
		endpoint.open("2025-06-18").say("others are served")
		endpoint.open("2026-07-28").say("others are served")
		// A waiting request that is cancelled must not start.
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`).want(http.StatusAccepted)
		for range 4 {
			g.release <- "x"
			settle()
		}
		if len(g.began) != 4 {
			t.Errorf("%d calls have begun", len(g.began))
		}
		w.say("there is room")
		// Requests that are waiting when their session ends must not start either.
		for range 4 {
			w.call("wait", `{}`).close()
		}
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		settle()
		if len(g.began) != 6 {
			t.Errorf("%d calls have begun", len(g.began))
		}
	})
}

func TestWithoutSessions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, &mcp.HTTPOptions{Stateless: true})
		for _, revision := range overHTTP {
			w := endpoint.open(revision)
			if w.head.Get("Mcp-Session-Id") != "" {
				t.Error("a session was opened")
			}
			w.say("x")
			w.with("Mcp-Session-Id: anything").say("x")
			w.last++
			if m := w.begin(w.last, "tools/list", "").want(200).message(); m.Result["tools"] == nil {
				t.Error(m.line)
			}
			if m, before := w.talk(5, `5`, `{"times":3}`).want(200).response(); m.text() != "done" || before != 6 {
				t.Errorf("%d before %s", before, m.line)
			}
			a := w.call("ask", `{}`)
			if modern(revision) {
				a.wantError(http.StatusBadRequest, mcp.CodeMissingCapability)
				continue
			}
			if m := a.want(200).message(); m.Result["isError"] != true {
				t.Error(m.line)
			}
			w.post(`{"jsonrpc":"2.0","id":1,"result":{}}`).want(http.StatusAccepted)
			w.resume("1-1").wantError(http.StatusMethodNotAllowed, mcp.CodeInvalidRequest)
			// No client can reconnect to get the response.
			b := w.talk(6, `6`, `{"times":1,"wait":true}`)
			b.close()
			if err := <-g.ended; err == nil {
				t.Error("the call went on")
			}
		}
		g.AddDummyTool(t)
	})
}

func TestManyClientsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		done := make(chan struct{})
		const clients = 40
		for i := range clients {
			go func() {
				defer func() { done <- struct{}{} }()
				w := endpoint.open(overHTTP[i%4])
				for j := range 5 {
					if !modern(w.session) {
						a := w.resume("")
						defer a.close()
					}
					w.say(fmt.Sprint(i, " ", j))
					if m, before := w.talk(fmt.Sprint(1000+j), `1`, `{"times":5}`).want(200).response(); m.text() != "done" || before != 10 {
						t.Errorf("%d before %s", before, m.line)
					}
				}
				if i%8 == 0 {
					w.do(http.MethodDelete, nil)
				}
			}()
		}
		for range 20 {
			g.AddDummyTool(t)
		}
		for range clients {
			<-done
		}
	})
}
