package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestALostConnection(t *testing.T) {
	proves(t, "http.sse.disconnect-is-not-cancel", "http.sse.disconnect-is-cancel", "http.sse.cancel-stops-work")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(revision)
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		r := <-g.began
		a.close()
		settle()
		if modern(revision) {
			select {
			case err := <-g.ended:
				if err == nil {
					t.Error("the call went on")
				}
			default:
				t.Error("closing the stream did not cancel the call")
			}
			r.Log(mcp.LevelError, "", "nobody hears this") // has no effect
			return
		}
		if len(g.ended) > 0 {
			t.Error("losing the connection cancelled the call")
		}
		// A client must request log messages explicitly.
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"bored"}}`).want(http.StatusAccepted)
		settle()
		if err := <-g.ended; err == nil {
			t.Error("notifications/cancelled did not cancel the call")
		}
	})
}

func TestACancelledCallIsNotAnswered(t *testing.T) {
	proves(t, "cancel.receiver.no-response", "cancel.receiver.stop", "cancel.race", "cancel.invalid-ignored", "http.post.content-type")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w, other := endpoint.open(revision), endpoint.open(revision)
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		a.lastID(2)
		cancel := func(w *web, params string) {
			w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`).want(http.StatusAccepted)
		}
		cancel(other, `{"requestId":1}`)
		cancel(w, `{"requestId":"1"}`)
		cancel(w, `{}`)
		cancel(w, `{"requestId":[]}`)
		settle()
		if len(g.ended) > 0 {
			t.Fatal("the call was cancelled by what does not name it")
		}
		cancel(w, `{"requestId":1,"reason":"bored"}`)
		for {
			e, err := a.read()
			if err != nil {
				break
			}
			if e.data != "" {
				if m := w.decode(e.data); m.Method == "" {
					t.Errorf("after the cancellation: %s", m.line)
				}
			}
		}
		cancel(w, `{"requestId":1}`) // the request has already ended
		// If the stream of the request has not started, the response is a stream without events.
		<-g.began
		cancelWhenBegun := func(id int) {
			go func() {
				<-g.began
				cancel(w, fmt.Sprintf(`{"requestId":%d}`, id))
			}()
		}
		cancelWhenBegun(2)
		empty := w.post(callLine(2, "wait", `{}`)).want(http.StatusOK)
		empty.ends()
		// A client that accepts only JSON must get JSON.
		onlyJSON := w.with("Accept: application/json")
		cancelWhenBegun(3)
		if m := onlyJSON.post(callLine(3, "wait", `{}`)).wantError(http.StatusOK, mcp.CodeInternalError); string(m.ID) != "3" {
			t.Error(m.line)
		}
		if revision == "2025-03-26" {
			cancelWhenBegun(4)
			w.post(`[` + callLine(4, "wait", `{}`) + `]`).want(http.StatusOK).ends()
			cancelWhenBegun(5)
			if a := onlyJSON.post(`[` + callLine(5, "wait", `{}`) + `]`).want(http.StatusOK); !strings.Contains(a.body, `[{"jsonrpc":"2.0","id":5,"error":`) {
				t.Error(a.body)
			}
		}
		w.say("alive")
	})
}

func TestOpenStreamsAreKeptAlive(t *testing.T) {
	proves(t, "http.sse.keepalive-comment", "http.sse.no-requests", "base.patterns.no-server-requests")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(revision)
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		time.Sleep(10 * time.Minute) // longer than all timeouts of the connection
		g.release <- "done"
		if m, before := a.response(); m.text() != "done" || before != 2 || a.beats < 35 || a.beats > 45 {
			t.Errorf("%d comments, %d messages before %s", a.beats, before, m.line)
		}
		var b *answer
		if modern(revision) {
			b = w.begin(2, "subscriptions/listen", listenAll)
			b.receive() // read the acknowledgement
		} else {
			b = w.resume("")
		}
		time.Sleep(10 * time.Minute)
		g.AddDummyTool(t)
		if m := b.receive(); m.Method != "notifications/tools/list_changed" || b.beats < 35 || b.beats > 45 {
			t.Errorf("%d comments on the stream of changes before %s", b.beats, m.line)
		}
	})
}

func TestAClientThatDoesNotReadLosesItsConnection(t *testing.T) {
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open(revision)
		request := func(body string) string {
			var head strings.Builder
			w.with("Mcp-Method: tools/call", "Mcp-Name: talk").head.Write(&head)
			return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(body), body)
		}
		meta := `"_meta":{"progressToken":1}`
		if modern(revision) {
			meta = modernMeta(`,"progressToken":1`)
		}
		endpoint.raw(request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","arguments":{"times":100,"wait":true},` + meta + `}}`))
		<-g.began
		time.Sleep(time.Minute)
		if modern(revision) {
			if err := <-g.ended; err == nil {
				t.Error("the call went on")
			}
			return
		}
		w.say("alive") // no other request in the session had to wait
		g.release <- "done"
		settle()
		if m, _ := w.resume("1-0").want(200).response(); m.text() != "done" {
			t.Error(m.line)
		}
	})
}

func TestStreamsHaveTheirDeadlinesOnAnyServer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := hostPlain(t, g.HTTPHandler(&mcp.HTTPOptions{KeepAlive: time.Hour}))
		w := endpoint.open("2025-06-18")
		var head strings.Builder
		w.head.Write(&head)
		line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","arguments":{"times":100,"wait":true},"_meta":{"progressToken":1}}}`
		c := endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(line), line))
		<-g.began
		time.Sleep(40 * time.Second)
		if rest, _ := io.ReadAll(c); len(rest) > 10_000 {
			t.Errorf("%d bytes were still written", len(rest))
		}
		g.release <- "done"
		// The write deadline is removed, so the next stream can still end normally.
		a := w.talk(2, `2`, `{"times":1,"wait":true}`)
		a.lastID(2)
		time.Sleep(time.Minute)
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`).want(http.StatusAccepted)
		a.ends()
	})
}

func TestAnHTTPClientThatDoesNotReadHoldsUpNobodyElse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-06-18")
		var head strings.Builder
		w.head.Write(&head)
		endpoint.raw("GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + head.String() + "\r\n")
		line := callLine(1, "echo", `{"message":"`+strings.Repeat("x", 100_000)+`"}`)
		endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(line), line))
		synctest.Wait()
		began := time.Now()
		other := endpoint.open("2025-06-18")
		for range 100 {
			g.AddDummyTool(t)
			w.say("still served")
			other.say("served too")
		}
		if time.Since(began) > time.Second {
			t.Errorf("it took %v", time.Since(began))
		}
		// The connections are closed after the time limit.
		time.Sleep(time.Minute)
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		if _, err := w.try(http.MethodPost, "/mcp", strings.NewReader(line)); err != nil {
			t.Error(err)
		}
	})
}
