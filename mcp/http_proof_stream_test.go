package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// newTurns returns a stage with the tool "turns". The tool sends a message each time it is
// released, and returns after three messages.
func newTurns(t *testing.T) *stage {
	g := newStage(t, nil)
	must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "turns"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		g.began <- r
		for i := range 3 {
			who := <-g.release
			r.Progress(float64(i+1), 3, "")
			r.Log(mcp.LevelError, "", who)
		}
		return "done", nil
	}))
	return g
}

// turns calls the tool "turns" with a progress token and does not wait for the response.
func (w *web) turns(id int) chan *answer {
	w.t.Helper()
	meta := fmt.Sprintf(`"progressToken":"token %d"`, id)
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"turns","arguments":{},"_meta":{%s}}}`, id, meta)
	if modern(w.session) {
		line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"turns","arguments":{},%s}}`, id, modernMeta(`,`+meta+`,"io.modelcontextprotocol/logLevel":"debug"`))
		w = w.with("Mcp-Method: tools/call", "Mcp-Name: turns")
	}
	answered := make(chan *answer, 1)
	go func() { answered <- w.post(line) }()
	return answered
}

func TestCallsThatSpeakInTurnsKeepTheirStreams(t *testing.T) {
	proves(t, "http.sse.related", "http.sse.related-notifications", "base.patterns.scoped-notifications", "http.multi-stream.one-copy", "http.multi-stream.no-broadcast")
	eachOverHTTP(t, func(t *testing.T, revision string) {
		g := newTurns(t)
		w := host(t, g.Server, nil).open(revision)
		var answers []chan *answer
		for id := range 3 {
			answers = append(answers, w.turns(id))
			<-g.began
			settle()
		}
		// The next value is received by the call that has waited longest, so the calls take turns.
		for range 3 {
			for id := range answers {
				g.release <- fmt.Sprint("turn of ", id)
				settle()
			}
		}
		for id, answered := range answers {
			a := (<-answered).want(200)
			for i := range 3 {
				m := a.receive()
				if m.Method != "notifications/progress" || m.Params["progressToken"] != fmt.Sprint("token ", id) || m.Params["progress"] != float64(i+1) {
					t.Errorf("on the stream of %d: %s", id, m.line)
				}
				if m := a.receive(); m.Params["data"] != fmt.Sprint("turn of ", id) {
					t.Errorf("on the stream of %d: %s", id, m.line)
				}
			}
			if m, before := a.response(); string(m.ID) != fmt.Sprint(id) || before != 0 {
				t.Errorf("%d messages before %s", before, m.line)
			}
		}
	})
}

func TestNothingIsWrittenForAClientOfTodayThatHasGone(t *testing.T) {
	proves(t, "http.sse.cancel-silent", "http.sse.cancel-stops-work")
	ran(t, "2026-07-28", "http")
	for _, streaming := range []bool{false, true} {
		t.Run(fmt.Sprint("streaming ", streaming), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
				began := make(chan struct{})
				must(t, mcp.AddTool(s, mcp.Tool{Name: "stubborn"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
					if streaming {
						r.Progress(1, 2, "")
					}
					close(began)
					<-ctx.Done()
					r.Progress(2, 2, "")
					r.Log(mcp.LevelError, "", "too late")
					return "too late", nil
				}))
				ctx, cancel := context.WithCancel(context.Background())
				line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stubborn","arguments":{},` + modernMeta(`,"progressToken":1,"io.modelcontextprotocol/logLevel":"debug"`) + `}}`
				req := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(line))
				for name, value := range map[string]string{"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "stubborn"} {
					req.Header.Set(name, value)
				}
				rec := httptest.NewRecorder()
				served := make(chan struct{})
				go func() {
					defer close(served)
					s.HTTPHandler(nil).ServeHTTP(rec, req)
				}()
				<-began
				settle()
				before := rec.Body.Len()
				if streaming != (before > 0) {
					t.Errorf("before the end of the connection: %q", rec.Body)
				}
				cancel()
				<-served
				if rec.Body.Len() > before {
					t.Errorf("after the end of the connection: %q", rec.Body.Bytes()[before:])
				}
			})
		})
	}
}

func TestAConnectionThatResumedCanBeClosedToo(t *testing.T) {
	proves(t, "http.get.poll-behaviour", "http.sse.poll.close-connection", "http.sse.poll.retry-sent", "http.sse.prime-event")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		must(t, mcp.AddTool(g.Server, mcp.Tool{Name: "slow"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
			for i := range 3 {
				r.Session().CloseStream(time.Duration(i+1) * time.Second)
				r.Log(mcp.LevelError, "", fmt.Sprint("between ", i))
				<-g.release
			}
			return "done", nil
		}))
		w := host(t, g.Server, nil).open("2025-11-25")
		a := w.call("slow", `{}`).want(200)
		for i := range 3 {
			if i > 0 {
				if m := a.receive(); m.Params["data"] != fmt.Sprint("between ", i-1) {
					t.Error(m.line)
				}
				g.release <- "go on"
			} else if e := a.next(); e.id == "" || e.data != "" {
				t.Errorf("the first event is %+v", e)
			}
			e := a.next()
			if e.id == "" || e.data != "" || e.retry != fmt.Sprint((i+1)*1000) {
				t.Errorf("before the connection is closed: %+v", e)
			}
			a.ends()
			a = w.resume(e.id).want(200)
			if e := a.next(); e.id == "" || e.data != "" {
				t.Errorf("the first event of connection %d is %+v", i+2, e)
			}
		}
		g.release <- "go on"
		if m, before := a.response(); m.text() != "done" || before != 1 {
			t.Errorf("%d before %s", before, m.line)
		}
	})
}

func TestTheStandaloneStreamBeginsWithAnEventToComeBackTo(t *testing.T) {
	proves(t, "http.sse.prime-event", "http.get.poll-behaviour")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		w := host(t, g.Server, nil).open("2025-11-25")
		a := w.resume("").want(200)
		first := a.next()
		if first.id == "" || first.data != "" {
			t.Errorf("the first event is %+v", first)
		}
		a.close()
		settle()
		g.AddDummyTool(t)
		b := w.resume(first.id).want(200)
		b.listChanged()
		for _, revision := range []string{"2025-03-26", "2025-06-18"} { // these revisions do not have the feature
			a := host(t, g.Server, nil).open(revision).resume("").want(200)
			g.AddDummyTool(t)
			if e := a.next(); e.data == "" {
				t.Errorf("%s: the first event is %+v", revision, e)
			}
		}
	})
}

func TestASubscriptionEndsWithItsConnection(t *testing.T) {
	proves(t, "subs.no-state-across-connections", "subs.opt-in-only")
	bubble(t, func(t *testing.T) {
		s := changing(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxSubscriptions: 1}})
		w := host(t, s, nil).open("2026-07-28")
		filters := []string{`{"toolsListChanged":true}`, `{"promptsListChanged":true}`, `{"resourceSubscriptions":["x:a"]}`}
		hears := []string{"tools/list_changed <nil>", "prompts/list_changed <nil>", "resources/updated x:a"}
		for i, filter := range filters {
			change(t, s, 2*i) // no client will ever receive this notification
			a := w.begin(1, "subscriptions/listen", `"notifications":`+filter).want(200)
			if m := a.receive(); m.Method != "notifications/subscriptions/acknowledged" {
				t.Error(m.line)
			}
			change(t, s, 2*i+1)
			if m := a.receive(); heard(m) != hears[i] {
				t.Errorf("want %q, got %s", hears[i], m.line)
			}
			settle()
			a.close()
			if e, err := a.read(); err == nil {
				t.Errorf("%s: more: %+v", filter, e)
			}
			settle()
		}
	})
}

func TestARequestBehindAClosedStreamLearnsItsFateAtOnce(t *testing.T) {
	// The request was sent before the response to the previous one had ended.
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		w := endpoint.open("2025-11-25")
		var head strings.Builder
		w.head.Write(&head)
		both := ""
		for id, tool := range []string{"poll", "echo"} {
			line := callLine(id, tool, map[string]string{"poll": `{}`, "echo": `{"message":"behind"}`}[tool])
			both += fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", &head, len(line), line)
		}
		c := endpoint.raw(both)
		began := time.Now()
		done := make(chan string, 1)
		go func() {
			data, _ := io.ReadAll(c) // reads to the end, or until c is closed
			done <- string(data)
		}()
		<-g.began
		time.Sleep(time.Second)
		g.release <- "done"
		time.Sleep(time.Second)
		if len(done) == 0 { // the connection is still open, so it must have received both responses
			c.Close()
			if got := <-done; !strings.Contains(got, "behind") {
				t.Errorf("after %v the second request is not answered: %s", time.Since(began), got)
			}
			return
		}
		if got := <-done; !strings.Contains(got, "retry: 3000") || !strings.HasSuffix(got, "0\r\n\r\n") && !strings.Contains(got, "behind") {
			t.Errorf("the connection was closed in the middle: %q", got)
		}
	})
}
