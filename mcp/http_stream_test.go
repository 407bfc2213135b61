package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// talk calls the tool "talk" with a progress token. The tool sends progress and log messages.
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
					// A client that accepts only JSON gets JSON, even for a slow request.
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
	// The response is sent at the same moment at which the session's timer would start a stream.
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
	eachInBubble(t, overHTTP[1:3], func(t *testing.T, revision string) {
		endpoint := host(t, newStage(t, nil).Server, nil)
		w := endpoint.openWith(revision, `{"elicitation":{}}`)
		other := endpoint.openWith(revision, `{"elicitation":{}}`)
		a := w.call("ask", `{}`).want(200)
		m := a.receive()
		if m.Method != "elicitation/create" || m.Params["message"] != "Who are you?" {
			t.Fatal(m.line)
		}
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"%%s"}}}`, m.ID)
		// An answer from another session is ignored, as is an answer to another question.
		other.post(fmt.Sprintf(answer, "Eve")).want(http.StatusAccepted)
		w.post(`{"jsonrpc":"2.0","id":"7","result":{"action":"accept","content":{"name":"Eve"}}}`).want(http.StatusAccepted)
		w.post(fmt.Sprintf(answer, "Ada")).want(http.StatusAccepted)
		if m, before := a.response(); m.text() != "Hello, Ada" || before != 0 {
			t.Errorf("%d before %s", before, m.line)
		}
		w.post(fmt.Sprintf(answer, "late")).want(http.StatusAccepted)
		// A question that cannot be asked fails immediately.
		began := time.Now()
		m = w.with("Accept: application/json").call("ask", `{}`).want(200).message()
		if m.Result["isError"] != true || !strings.Contains(m.text(), "event stream") || time.Since(began) > time.Second {
			t.Errorf("after %v: %s", time.Since(began), m.line)
		}
	})
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
		// The server does not ask a client questions on its stream of changes, even if the client
		// supports all questions.
		changes := w.with("Mcp-Method: subscriptions/listen", "Mcp-Name:").post(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{` + listenAll + `,` +
			metaWith(`{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{},"context":{}}}`) + `}}`).want(200)
		if m := changes.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Error(m.line)
		}
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
		g.AddDummyTool(t)
		changes.listChanged()
	})
}

func TestAQuestionThatIsNotAnsweredIsCancelled(t *testing.T) {
	proves(t, "timeout.all-requests", "timeout.cancel-on-expiry.legacy")
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{AskTimeout: time.Minute}})
		w := host(t, g.Server, nil).openWith("2025-11-25", `{"elicitation":{}}`)
		a := w.call("ask", `{}`)
		request := a.receive()
		m := a.receive()
		if m.Method != "notifications/cancelled" || fmt.Sprint(m.Params["requestId"]) != string(request.ID) {
			t.Error(m.line)
		}
		if m, _ := a.response(); m.Result["isError"] != true {
			t.Error(m.line)
		}
	})
}

func TestChangesComeOnTheStandaloneStream(t *testing.T) {
	proves(t, "http.endpoint.post-get", "http.get.sse-or-405", "http.get.unrelated", "http.get.no-responses", "http.multi-stream.one-copy", "http.multi-stream.no-broadcast")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open(revision)
		// Notifications that are sent before a client connects are stored, each kind once.
		g.AddDummyTool(t)
		g.AddDummyTool(t)
		a := w.resume("").want(200)
		a.listChanged()
		// A call with a stream does not receive these notifications, and the other stream does not
		// receive those of the call.
		call := w.talk(1, `1`, `{"times":2,"wait":true}`)
		g.AddDummyTool(t)
		a.listChanged()
		g.release <- "done"
		if m, before := call.response(); m.text() != "done" || before != 4 {
			t.Errorf("%d before %s", before, m.line)
		}
		// A second GET replaces the first, and does not receive what was already sent.
		b := w.resume("").want(200)
		a.ends()
		g.AddDummyTool(t)
		e := b.listChanged()
		// After an interruption, the client gets the events that it missed.
		b.close()
		settle()
		g.AddDummyTool(t)
		c := w.resume(e.id).want(200)
		c.listChanged()
		c.close()
		settle()
		// Events that the client has received are not sent again unless it requests them.
		d := w.resume("").want(200)
		g.AddDummyTool(t)
		d.receive()
		settle()
		d.close()
		if e, err := d.read(); err == nil {
			t.Errorf("sent again: %+v", e)
		}
		// Without notifications/initialized, a session receives no notifications.
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
}

func TestAStreamWithoutSSEIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := host(t, echoServer(t, nil), nil).open("2025-06-18")
		w.with("Accept: application/json").resume("").wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
	})
}

func TestNothingFollowsTheResponseOnItsStream(t *testing.T) {
	proves(t, "http.sse.close-after-response", "http.multi-stream.one-copy", "cancel.request-id.required", "cancel.request-id.required-non-task")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
		late := make(chan struct{})
		hold := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Outgoing() && r.Method() == "notifications/cancelled" {
					<-late
				}
				return next(ctx, r)
			}
		}
		s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{hold}})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "leave"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			go askOnly(ctx, r, &mcp.RootsQuestion{}) // the handler does not wait for the answer
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
}
