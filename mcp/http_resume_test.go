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

// resume opens a stream with GET. If id is not empty, the stream starts after the event with this
// ID.
func (w *web) resume(id string) *answer {
	w.t.Helper()
	return w.with("Last-Event-ID: "+id, "Content-Type:").do(http.MethodGet, nil)
}

// lastID reads n events and returns the ID of the last one.
func (a *answer) lastID(n int) (id string) {
	a.w.t.Helper()
	for range n {
		id = a.next().id
	}
	return id
}

func TestAStreamIsResumedWhereItBroke(t *testing.T) {
	proves(t, "http.resume.replay", "http.resume.same-stream-only", "http.sse.disconnect-is-not-cancel", "http.get.no-responses", "http.resume.id-unique")
	eachInBubble(t, overHTTP[:3], func(t *testing.T, revision string) {
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
		id := a.lastID(primed + 3) // two progress notifications and a log message
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
		// The second connection is also lost in the middle.
		b.close()
		settle()
		g.release <- "done"
		settle()
		for range 2 { // a client can resume several times
			c := w.resume(id).want(200)
			if m, before := c.response(); m.text() != "done" || string(m.ID) != "2" || before != 1 {
				t.Errorf("%d before %s", before, m.line)
			}
		}
		// The stream has ended, so no more events follow.
		done := w.resume(id).want(200)
		last := done.lastID(primed + 2)
		done.ends()
		end := w.resume(last).want(200)
		if primed == 1 {
			end.next()
		}
		end.ends()
		// These IDs do not exist or belong to events of other sessions.
		for _, id := range []string{"x", "1", "-", "-1", "1-", "99-1", "2-99", "2--1", "2-9223372036854775808", "2-1-1-1"} {
			w.resume(id).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		}
		endpoint.open(revision).resume(last).wantError(http.StatusBadRequest, mcp.CodeInvalidRequest)
		// The standalone stream contains no messages that belong to a request, whether it is new or
		// resumed.
		alone := w.resume("").want(200)
		for range 2 {
			e := alone.listChanged()
			alone.close()
			settle()
			g.AddDummyTool(t)
			alone = w.resume(e.id).want(200)
		}
		alone.close()
	})
}

// TestTheAnswerToALostCallComesOnNoOtherStream makes a client disconnect during a call without a
// stream.
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
					ended := make(chan error)
					go func() {
						_, err := one.try(http.MethodPost, "/mcp", strings.NewReader(callLine(1, "wait", `{}`)))
						ended <- err
					}()
					<-g.began
					leave()
					if err := <-ended; err == nil {
						t.Error("the call was answered")
					}
					settle()
					g.release <- "late"
					settle()
					g.AddDummyTool(t)
					get.listChanged()
				}
			})
		})
	}
}

// AddDummyTool changes the list of tools, so that sessions receive a notification.
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
		b := w.resume(id).want(200) // the server has not noticed that connection a is lost
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
		// One response is kept, even if it is larger than the limit.
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
		// In other cases, CloseStream has no effect.
		for _, w := range []*web{endpoint.open("2025-06-18"), endpoint.open("2026-07-28"), endpoint.open("2025-11-25").with("Accept: application/json")} {
			go func() { g.release <- "at once" }()
			if m, _ := w.call("poll", `{}`).want(200).response(); m.text() != "at once" {
				t.Error(m.line)
			}
		}
	})
}

func TestIDsOfEventsAreNeverUsedTwice(t *testing.T) {
	proves(t, "http.resume.id-unique")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-11-25")
		seen := map[string]string{} // maps the IDs of events to their data
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
		// The events of forgotten streams cannot be resumed either.
		w = host(t, g.Server, &mcp.HTTPOptions{MaxReplayBytes: 1}).open("2025-11-25")
		clear(seen)
		for i := range 5 {
			a := w.talk(i, fmt.Sprint(i), `{"times":2}`)
			settle()
			read(a)
		}
	})
}
