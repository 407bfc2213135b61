package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// talk calls "talk", which sends progress and log messages, with a progress
// token.
func (w *web) talk(id any, token, arguments string) *answer {
	w.t.Helper()
	meta := `,"progressToken":` + token
	if modern(w.session) {
		return w.with("Mcp-Method: tools/call", "Mcp-Name: talk").post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"talk","arguments":%s,%s}}`,
			id, arguments, modernMeta(meta+`,"io.modelcontextprotocol/logLevel":"debug"`)))
	}
	return w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"talk","arguments":%s,"_meta":{%s}}}`, id, arguments, meta[1:]))
}

func TestWhatARequestSendsComesOnItsOwnStream(t *testing.T) {
	proves(t, "http.sse.related", "http.sse.related-notifications", "http.sse.close-after-response", "http.sse.response-included",
		"http.sse.x-accel-buffering", "http.post.content-type", "base.patterns.scoped-notifications",
		"http.multi-stream.one-copy", "http.multi-stream.no-broadcast", "http.sse.prime-event", "http.resume.event-ids",
		"http.resume.id-unique", "http.resume.id-names-stream", "http.sse.no-resume")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(revision)
		first := w.talk(1, `"a"`, `{"times":3,"wait":true}`).want(200)
		second := w.talk(2, `"b"`, `{"times":3,"wait":true}`).want(200)
		ids := map[string]bool{}
		for token, a := range map[string]*answer{"a": first, "b": second} {
			if a.head.Get("X-Accel-Buffering") != "no" || !strings.Contains(a.head.Get("Cache-Control"), "no-cache") {
				t.Errorf("header %v", a.head)
			}
			if revision == "2025-11-25" {
				if e := a.next(); e.id == "" || e.data != "" || e.name != "priming" {
					t.Errorf("the first event is %+v", e)
				} else {
					ids[e.id] = true
				}
			}
			stream := ""
			for i := range 6 {
				e := a.next()
				m := w.decode(e.data)
				if want := []string{"notifications/progress", "notifications/message"}[i%2]; m.Method != want {
					t.Errorf("want %s, got %s", want, m.line)
				}
				if m.Method == "notifications/progress" && m.Params["progressToken"] != token {
					t.Errorf("on the stream of %q: %s", token, m.line)
				}
				if modern(revision) {
					if e.id != "" {
						t.Errorf("a stream that cannot be resumed has event id %q", e.id)
					}
					continue
				}
				source, _, _ := strings.Cut(e.id, "-")
				if stream == "" {
					stream = source
				}
				if ids[e.id] || source != stream {
					t.Errorf("event id %q on stream %q", e.id, stream)
				}
				ids[e.id] = true
			}
		}
		g.release <- "1"
		g.release <- "2"
		for id, a := range map[string]*answer{"1": first, "2": second} {
			if m, before := a.response(); string(m.ID) != id || before != 0 {
				t.Errorf("%d messages before %s", before, m.line)
			}
		}
	})
}

func TestSessionsStreamWhatTakesLong(t *testing.T) {
	proves(t, "http.sse.no-early-close")
	for _, revision := range overHTTP {
		for _, delay := range []time.Duration{0, 300 * time.Millisecond, 10 * time.Second, time.Hour} {
			t.Run(fmt.Sprintf("%s after %v", revision, delay), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newStage(t, nil)
					w := host(t, g.Server, nil).open(revision)
					go func() {
						<-g.began
						time.Sleep(delay)
						g.release <- "at last"
					}()
					began := time.Now()
					a := w.call("wait", `{}`).want(200)
					wantEvents := !modern(revision) && delay > time.Second
					if waited := time.Since(began); a.events != wantEvents || wantEvents && waited > time.Second {
						t.Errorf("events %v after %v", a.events, waited)
					}
					if m, _ := a.response(); m.text() != "at last" {
						t.Error(m.line)
					}
					// Who takes only JSON gets JSON, however long it takes.
					go func() {
						<-g.began
						time.Sleep(delay)
						g.release <- "in one piece"
					}()
					if m := w.with("Accept: application/json").call("wait", `{}`).want(200).message(); m.text() != "in one piece" {
						t.Error(m.line)
					}
				})
			})
		}
	}
}

func TestTheAnswerComesOnceHoweverLongItTakes(t *testing.T) {
	// At the session's tick the answer and the stream begin at the same moment.
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-06-18")
		for range 500 {
			go func() {
				<-g.began
				time.Sleep(625 * time.Millisecond)
				g.release <- "x"
			}()
			if m, _ := w.call("wait", `{}`).want(200).response(); m.text() != "x" {
				t.Fatal(m.line)
			}
		}
	})
}

func TestAnAnswerThatIsReadSlowlyIsStillOne(t *testing.T) {
	// The stream would begin while the answer is being written as JSON.
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		w := endpoint.open("2025-06-18")
		long := strings.Repeat("x", 100_000)
		line := callLine(1, "echo", `{"message":"`+long+`"}`)
		var head strings.Builder
		w.head.Write(&head)
		c := endpoint.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(line), line))
		time.Sleep(10 * time.Second)
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		must(t, err)
		w.note([]byte(line))
		if body := readAll(t, resp.Body); w.decode(body).text() != long || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("header %v, %d bytes", resp.Header, len(body))
		}
	})
}

func TestASessionIsAskedOnTheStreamOfItsRequest(t *testing.T) {
	proves(t, "http.sse.related", "elicit.validate.server")
	for _, revision := range overHTTP[1:3] {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				endpoint := host(t, newStage(t, nil).Server, nil)
				w := endpoint.openWith(revision, `{"elicitation":{}}`)
				other := endpoint.openWith(revision, `{"elicitation":{}}`)
				a := w.call("ask", `{}`).want(200)
				m := a.receive()
				if m.Method != "elicitation/create" || m.Params["message"] != "Who are you?" {
					t.Fatal(m.line)
				}
				answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"%%s"}}}`, m.ID)
				// Another session's answer is not one, nor is one to another question.
				other.post(fmt.Sprintf(answer, "Eve")).want(http.StatusAccepted)
				w.post(`{"jsonrpc":"2.0","id":"7","result":{"action":"accept","content":{"name":"Eve"}}}`).want(http.StatusAccepted)
				w.post(fmt.Sprintf(answer, "Ada")).want(http.StatusAccepted)
				if m, before := a.response(); m.text() != "Hello, Ada" || before != 0 {
					t.Errorf("%d before %s", before, m.line)
				}
				w.post(fmt.Sprintf(answer, "late")).want(http.StatusAccepted)
				// A question that cannot be put is an error at once.
				began := time.Now()
				m = w.with("Accept: application/json").call("ask", `{}`).want(200).message()
				if m.Result["isError"] != true || !strings.Contains(m.text(), "event stream") || time.Since(began) > time.Second {
					t.Errorf("after %v: %s", time.Since(began), m.line)
				}
			})
		})
	}
}

func TestAModernClientIsAskedByTheResponseAlone(t *testing.T) {
	proves(t, "http.sse.no-requests", "mrtr.only-way", "base.patterns.no-server-requests")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "talk-and-ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "")
			form, _, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
			if err != nil {
				return "", err
			}
			return "Hello, " + form.Name, nil
		}))
		w := host(t, g.Server, nil).open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: talk-and-ask")
		meta := strings.Replace(metaWith(`{"elicitation":{}}`), `"_meta":{`, `"_meta":{"progressToken":1,`, 1)
		a := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk-and-ask",` + meta + `}}`).want(200)
		if m := a.receive(); m.Method != "notifications/progress" || m.ID != nil {
			t.Error(m.line)
		}
		m, before := a.response()
		if m.Result["resultType"] != "input_required" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
		state, _ := json.Marshal(m.Result["requestState"])
		a = w.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"talk-and-ask","inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}},"requestState":` + string(state) + `,` + meta + `}}`).want(200)
		if m, _ := a.response(); m.text() != "Hello, Ada" {
			t.Error(m.line)
		}
	})
}

func TestAQuestionThatIsNotAnsweredIsCancelled(t *testing.T) {
	proves(t, "timeout.all-requests", "timeout.cancel-on-expiry.legacy")
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{AskTimeout: time.Minute}})
		w := host(t, g.Server, nil).openWith("2025-11-25", `{"elicitation":{}}`)
		a := w.call("ask", `{}`)
		asked := a.receive()
		m := a.receive()
		if m.Method != "notifications/cancelled" || fmt.Sprint(m.Params["requestId"]) != string(asked.ID) {
			t.Error(m.line)
		}
		if m, _ := a.response(); m.Result["isError"] != true {
			t.Error(m.line)
		}
	})
}

// resume opens a stream with GET, after the event of that id unless it is "".
func (w *web) resume(id string) *answer {
	w.t.Helper()
	return w.with("Last-Event-ID: "+id, "Content-Type:").do(http.MethodGet, nil)
}

// lastID reads n events and returns the id of the last one.
func (a *answer) lastID(n int) (id string) {
	a.w.t.Helper()
	for range n {
		id = a.next().id
	}
	return id
}

func TestAStreamIsResumedWhereItBroke(t *testing.T) {
	proves(t, "http.resume.replay", "http.resume.same-stream-only", "http.sse.disconnect-is-not-cancel", "http.get.no-responses", "http.resume.id-unique")
	for _, revision := range overHTTP[:3] {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newStage(t, nil)
				endpoint := host(t, g.Server, nil)
				w := endpoint.open(revision)
				primed := 0
				if revision == "2025-11-25" {
					primed = 1
				}
				other := w.talk(1, `"other"`, `{"times":4}`).want(200)
				other.response()
				a := w.talk(2, `"mine"`, `{"times":2,"wait":true}`).want(200)
				id := a.lastID(primed + 3) // the first two progresses and a log
				a.close()
				g.AddDummyTool(t)
				settle()
				if len(g.ended) != 0 {
					t.Fatal("the lost connection ended the call")
				}
				b := w.resume(id).want(200)
				if m := b.receive(); m.Method != "notifications/message" || m.Params["data"] != "said 2" {
					t.Errorf("what follows %s: %s", id, m.line)
				}
				// Once more in the middle: the second connection is lost too.
				b.close()
				settle()
				g.release <- "done"
				settle()
				for range 2 { // as often as the client likes
					c := w.resume(id).want(200)
					if m, before := c.response(); m.text() != "done" || string(m.ID) != "2" || before != 1 {
						t.Errorf("%d before %s", before, m.line)
					}
				}
				// From the end of the stream nothing follows.
				done := w.resume(id).want(200)
				last := done.lastID(primed + 2)
				done.ends()
				end := w.resume(last).want(200)
				if primed == 1 {
					end.next()
				}
				end.ends()
				// Ids that name nothing, or what is another session's.
				for _, id := range []string{"x", "1", "-", "-1", "1-", "99-1", "2-99", "2--1", "2-9223372036854775808", "2-1-1-1"} {
					w.resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
				}
				endpoint.open(revision).resume(last).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
			})
		})
	}
}

// TestTheAnswerToALostCallComesOnNoOtherStream has a client leave a call that
// has no stream.
func TestTheAnswerToALostCallComesOnNoOtherStream(t *testing.T) {
	for _, revision := range overHTTP[:3] {
		t.Run(revision, func(t *testing.T) {
			proves(t, "http.get.no-responses", "http.sse.disconnect-is-not-cancel")
			bubble(t, func(t *testing.T) {
				g := newStage(t, nil)
				w := host(t, g.Server, nil).open(revision)
				get := w.resume("").want(200)
				for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
					ctx, leave := context.WithCancel(t.Context())
					one := w.with("Accept: " + accept)
					one.ctx = ctx
					left := make(chan error)
					go func() {
						_, err := one.try(http.MethodPost, "/mcp", strings.NewReader(callLine(1, "wait", `{}`)))
						left <- err
					}()
					<-g.began
					leave()
					if err := <-left; err == nil {
						t.Error("the call was answered")
					}
					settle()
					g.release <- "late"
					settle()
					g.AddDummyTool(t)
					for {
						e := get.next()
						if e.name == "priming" {
							continue
						}
						if m := w.decode(e.data); m.Method != "notifications/tools/list_changed" {
							t.Errorf("%s: %s", accept, m.line)
						}
						break
					}
				}
			})
		})
	}
}

// AddDummyTool changes the list of tools, so that sessions are notified.
func (g *stage) AddDummyTool(t *testing.T) {
	t.Helper()
	g.dummies++
	must(t, mcp.AddTool(g.Server, mcp.Tool{Name: fmt.Sprintf("dummy-%d", g.dummies)}, exitTool))
}

func TestAStreamIsResumedFromItsPrimingEvent(t *testing.T) {
	proves(t, "http.sse.prime-event")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-11-25")
		a := w.call("wait", `{}`).want(200)
		id := a.lastID(1)
		a.close()
		g.release <- "done"
		settle()
		if m, before := w.resume(id).want(200).response(); m.text() != "done" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestAConnectionThatResumesTakesOver(t *testing.T) {
	proves(t, "http.multi-stream.one-copy")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-06-18")
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		id := a.lastID(2)
		b := w.resume(id).want(200) // the server has not noticed that a is lost
		a.ends()
		g.release <- "done"
		if m, before := b.response(); m.text() != "done" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestEventsAreKeptUpToABound(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, &mcp.HTTPOptions{MaxReplayBytes: 3000}).open("2025-06-18")
		old := w.talk(1, `"old"`, `{"times":2}`)
		oldID := old.lastID(1)
		old.response()
		a := w.talk(2, `"new"`, `{"times":100,"wait":true}`)
		first := a.lastID(1)
		a.close()
		settle()
		g.release <- "done"
		settle()
		w.resume(oldID).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		b := w.resume(first).want(200)
		m, before := b.response()
		if m.text() != "done" || before == 0 || before > 30 {
			t.Errorf("%d before %s", before, m.line)
		}
		// One answer is kept however large it is.
		large := strings.Repeat("x", 10_000)
		c := w.call("wait", `{}`)
		c.close()
		g.release <- large
		settle()
		if m, _ := w.resume("3-0").want(200).response(); m.text() != large {
			t.Errorf("%.200s", m.line)
		}
	})
}

func TestChangesComeOnTheStandaloneStream(t *testing.T) {
	proves(t, "http.endpoint.post-get", "http.get.sse-or-405", "http.get.unrelated", "http.get.no-responses", "http.multi-stream.one-copy", "http.multi-stream.no-broadcast")
	for _, revision := range overHTTP[:3] {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newStage(t, nil)
				endpoint := host(t, g.Server, nil)
				w := endpoint.open(revision)
				// What happens before anybody listens is kept, once.
				g.AddDummyTool(t)
				g.AddDummyTool(t)
				a := w.resume("").want(200)
				if m := a.receive(); m.Method != "notifications/tools/list_changed" {
					t.Error(m.line)
				}
				// A call that streams meanwhile gets none of it, and the other way round.
				call := w.talk(1, `1`, `{"times":2,"wait":true}`)
				g.AddDummyTool(t)
				if m := a.receive(); m.Method != "notifications/tools/list_changed" {
					t.Error(m.line)
				}
				g.release <- "done"
				if m, before := call.response(); m.text() != "done" || before != 4 {
					t.Errorf("%d before %s", before, m.line)
				}
				// A second GET takes over, and gets nothing again.
				b := w.resume("").want(200)
				a.ends()
				g.AddDummyTool(t)
				e := b.next()
				if e.name == "priming" {
					e = b.next()
				}
				if m := w.decode(e.data); m.Method != "notifications/tools/list_changed" {
					t.Error(m.line)
				}
				// After a break the client gets what it missed.
				b.close()
				settle()
				g.AddDummyTool(t)
				c := w.resume(e.id).want(200)
				if m := c.receive(); m.Method != "notifications/tools/list_changed" {
					t.Error(m.line)
				}
				c.close()
				settle()
				// All that came is not sent again to who does not ask for it.
				d := w.resume("").want(200)
				g.AddDummyTool(t)
				d.receive()
				settle()
				d.close()
				if e, err := d.read(); err == nil {
					t.Errorf("sent again: %+v", e)
				}
				// A session without notifications/initialized gets no notifications.
				raw := endpoint.web()
				raw.session = revision
				early := raw.post(strings.Replace(initializeLine, "2025-11-25", revision, 1)).want(200)
				raw.head.Set("Mcp-Session-Id", early.head.Get("Mcp-Session-Id"))
				g.AddDummyTool(t)
				f := raw.resume("").want(200)
				settle()
				f.close()
				settle()
				for {
					e, err := f.read()
					if err != nil {
						break
					}
					if e.data != "" {
						t.Errorf("before notifications/initialized: %+v", e)
					}
				}
			})
		})
	}
}

func TestWhatIsKeptForALaterStreamDoesNotGrow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-06-18")
		for range 1000 {
			g.AddDummyTool(t)
		}
		a := w.resume("").want(200)
		a.receive()
		settle()
		a.close()
		if e, err := a.read(); err == nil {
			t.Errorf("the same change is told again: %+v", e)
		}
	})
}

func TestAStreamWithoutSSEIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := host(t, echoServer(t, nil), nil).open("2025-06-18")
		w.with("Accept: application/json").resume("").wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
	})
}

func TestAHandlerCanCloseItsStream(t *testing.T) {
	proves(t, "http.sse.poll.close-connection", "http.sse.poll.retry-sent", "http.sse.no-early-close")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-11-25")
		a := w.call("poll", `{}`).want(200)
		first := a.next()
		second := a.next()
		if first.id == "" || first.data != "" || second.retry != "3000" || second.data != "" {
			t.Errorf("events %+v, %+v", first, second)
		}
		a.ends()
		<-g.began
		g.release <- "done"
		settle()
		for _, id := range []string{first.id, second.id} {
			b := w.resume(id).want(200)
			if m, before := b.response(); m.text() != "done" || before != 0 {
				t.Errorf("%d before %s", before, m.line)
			}
		}
		// Elsewhere it does nothing.
		for _, w := range []*web{endpoint.open("2025-06-18"), endpoint.open("2026-07-28"), endpoint.open("2025-11-25").with("Accept: application/json")} {
			go func() { g.release <- "at once" }()
			if m, _ := w.call("poll", `{}`).want(200).response(); m.text() != "at once" {
				t.Error(m.line)
			}
		}
	})
}

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
			r.Log(mcp.LevelError, "", "nobody hears this") // does no harm
			return
		}
		if len(g.ended) > 0 {
			t.Error("losing the connection cancelled the call")
		}
		// The client says so if it wants that.
		w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"bored"}}`).want(http.StatusAccepted)
		settle()
		if err := <-g.ended; err == nil {
			t.Error("notifications/cancelled did not cancel the call")
		}
	})
}

func TestACancelledCallIsNotAnswered(t *testing.T) {
	proves(t, "cancel.receiver.no-response", "cancel.receiver.stop", "cancel.race", "cancel.invalid-ignored", "http.post.content-type")
	for _, revision := range overHTTP[:3] {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
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
				cancel(w, `{"requestId":1}`) // late
				// Before its stream has begun, it is one that ends without an event.
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
				// A client that takes only JSON has to be answered with that.
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
		})
	}
}

func TestOpenStreamsAreKeptAlive(t *testing.T) {
	proves(t, "http.sse.keepalive-comment")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open(revision)
		a := w.talk(1, `1`, `{"times":1,"wait":true}`)
		time.Sleep(10 * time.Minute) // longer than any timeout of the connection
		g.release <- "done"
		if m, _ := a.response(); m.text() != "done" || a.beats < 35 || a.beats > 45 {
			t.Errorf("%d comments before %s", a.beats, m.line)
		}
		if modern(revision) {
			return
		}
		b := w.resume("")
		time.Sleep(10 * time.Minute)
		g.AddDummyTool(t)
		if b.receive(); b.beats < 35 || b.beats > 45 {
			t.Errorf("%d comments on the standalone stream", b.beats)
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
		w.say("alive") // nothing else of the session waited
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
		// The write deadline is cleared, so the next stream can still end
		// properly.
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
		// When its time is over, the connections are closed.
		time.Sleep(time.Minute)
		w.do(http.MethodDelete, nil).want(http.StatusNoContent)
		if _, err := w.try(http.MethodPost, "/mcp", strings.NewReader(line)); err != nil {
			t.Error(err)
		}
	})
}

func TestIDsOfEventsAreNeverUsedTwice(t *testing.T) {
	proves(t, "http.resume.id-unique")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-11-25")
		seen := map[string]string{} // id -> data
		read := func(a *answer) (last string) {
			for {
				e, err := a.read()
				if errors.Is(err, errStreamEnded) || err != nil {
					return last
				}
				if data, ok := seen[e.id]; e.id == "" || ok && (data != e.data || data == "") {
					t.Errorf("id %q of %q and %q", e.id, data, e.data)
				}
				seen[e.id], last = e.data, e.id
			}
		}
		var streams []*answer
		for i := range 5 {
			streams = append(streams, w.talk(i, fmt.Sprint(i), `{"times":2}`), w.call("poll", `{}`), w.resume(""))
			g.AddDummyTool(t)
			<-g.began
			g.release <- "x"
			settle()
		}
		streams[len(streams)-1].close()
		var last []string
		for _, a := range streams {
			last = append(last, read(a))
		}
		for _, id := range slices.Concat(last, last) {
			a := w.resume(id).want(200)
			settle()
			if strings.HasPrefix(id, "0-") {
				a.close()
			}
			read(a)
		}
		// Neither are those of streams that are forgotten.
		w = host(t, g.Server, &mcp.HTTPOptions{MaxReplayBytes: 1}).open("2025-11-25")
		clear(seen)
		for i := range 5 {
			a := w.talk(i, fmt.Sprint(i), `{"times":2}`)
			settle()
			read(a)
		}
	})
}

func TestNothingFollowsTheResponseOnItsStream(t *testing.T) {
	proves(t, "http.sse.close-after-response", "http.multi-stream.one-copy", "cancel.request-id.required", "cancel.request-id.required-non-task")
	for _, revision := range overHTTP[:3] {
		t.Run(revision, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				late := make(chan struct{})
				hold := func(next mcp.Handler) mcp.Handler {
					return func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
						if r.Outgoing() && r.Method() == "notifications/cancelled" {
							<-late
						}
						return next(ctx, r)
					}
				}
				s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{hold}})
				must(t, mcp.AddTool(s, mcp.Tool{Name: "leave"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
					go r.Ask(ctx, &mcp.RootsQuestion{}) // nobody waits for the answer
					settle()
					return "left", nil
				}))
				w := host(t, s, nil).openWith(revision, `{"roots":{}}`)
				alone := w.resume("")
				a := w.call("leave", `{}`)
				question := a.receive()
				last := a.next()
				if m := w.decode(last.data); m.text() != "left" {
					t.Fatal(m.line)
				}
				a.ends()
				close(late)
				if m := alone.receive(); m.Method != "notifications/cancelled" || fmt.Sprint(m.Params["requestId"]) != string(question.ID) {
					t.Error(m.line)
				}
				again := w.resume(strings.Split(last.id, "-")[0] + "-0")
				if m := again.receive(); m.Method != "roots/list" {
					t.Error(m.line)
				}
				if m := again.receive(); m.text() != "left" {
					t.Error(m.line)
				}
				again.ends()
			})
		})
	}
}
