package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// laggards is a server whose budget for unread responses is 8 MiB. It has the tools big (2 MiB, of
// which two fit) and medium (100 KB, of which twenty fit).
type laggards struct {
	*mcp.Server
	*site
	began atomic.Int64 // number of calls of big that have started
}

func newLaggards(t *testing.T) *laggards {
	l := &laggards{Server: echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxUnreadBytes: 8 << 20}})}
	text := func(n int, began *atomic.Int64) func(context.Context, *mcp.Request, struct{}) (string, error) {
		return func(context.Context, *mcp.Request, struct{}) (string, error) {
			began.Add(1)
			return strings.Repeat("x", n), nil
		}
	}
	must(t,
		mcp.AddTool(l.Server, mcp.Tool{Name: "big"}, text(2<<20-1000, &l.began)),
		mcp.AddTool(l.Server, mcp.Tool{Name: "medium"}, text(100_000, new(atomic.Int64))),
	)
	l.site = host(t, l.Server, nil)
	// After these calls, the sizes of the responses are known.
	w := l.open("2026-07-28")
	for _, tool := range []string{"big", "medium"} {
		w.call(tool, `{}`)
	}
	l.began.Store(0)
	return l
}

// aLaggard calls big and does not read the response. leave closes its connection.
type aLaggard func(t *testing.T, l *laggards) (leave func())

// rawCall sends a POST with a call whose response is not read.
func (l *laggards) rawCall(w *web, tool, accept string) net.Conn {
	w = w.with("Mcp-Method: tools/call", "Mcp-Name: "+tool, "Accept: "+accept)
	more := ""
	if w.head.Get("Mcp-Session-Id") == "" {
		more = "," + modernMeta("")
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}` + more + `}}`
	w.note([]byte(body))
	if w.session == "2025-03-26" {
		body = "[" + body + "]"
	}
	var head strings.Builder
	w.head.Write(&head)
	return l.raw(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", head.String(), len(body), body))
}

func overWeb(revision, accept string) aLaggard {
	return func(_ *testing.T, l *laggards) func() {
		c := l.rawCall(l.open(revision), "big", accept)
		settle()
		return func() { c.Close() }
	}
}

var laggardsOf = map[string]aLaggard{
	"JSON":                  overWeb("2026-07-28", "application/json"),
	"JSON of a session":     overWeb("2025-11-25", "application/json"),
	"JSON of a batch":       overWeb("2025-03-26", "application/json"),
	"an event":              overWeb("2026-07-28", "text/event-stream"),
	"an event of a session": overWeb("2025-11-25", "text/event-stream"),
	"a pipe": func(t *testing.T, l *laggards) func() {
		p := dial(l.Server)
		p.openSession(t, "2025-11-25")
		must(t, p.send(callLine(1, "big", `{}`)))
		settle()
		return func() {
			p.in.Close()
			p.out.Close()
			<-p.served
		}
	},
	"a batch on a pipe": func(t *testing.T, l *laggards) func() {
		p := dial(l.Server)
		p.openSession(t, "2025-03-26")
		must(t, p.send("["+callLine(1, "big", `{}`)+"]"))
		settle()
		return func() {
			p.in.Close()
			p.out.Close()
			<-p.served
		}
	},
	"HTTP with SSE": func(t *testing.T, l *laggards) func() {
		c := l.raw("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
		var text strings.Builder
		for !strings.Contains(text.String(), "\n\n") {
			b := make([]byte, 100)
			n, err := c.Read(b)
			must(t, err)
			text.Write(b[:n])
		}
		_, endpoint, _ := strings.Cut(text.String(), "data: ")
		endpoint, _, _ = strings.Cut(endpoint, "\n")
		w := l.web()
		go func() { // read the line with the response to initialize
			_, _ = io.ReadFull(c, make([]byte, 100))
		}()
		for _, line := range []string{strings.Replace(initializeLine, "2025-11-25", "2024-11-05", 1), callLine(1, "big", `{}`)} {
			a, err := w.try(http.MethodPost, endpoint, strings.NewReader(line))
			must(t, err)
			a.want(http.StatusAccepted)
			settle()
		}
		return func() { c.Close() }
	},
}

func TestUnreadAnswersOfAllConnectionsAreBounded(t *testing.T) {
	for kind, begin := range laggardsOf {
		t.Run(kind, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLaggards(t)
				const all = 10
				var leave []func()
				for range all {
					leave = append(leave, begin(t, l))
				}
				if n := l.began.Load(); n < 2 || n > 2 {
					t.Errorf("%d of %d calls began", n, all)
				}
				if n := l.UnreadBytes(); n > 5<<20 {
					t.Errorf("%d bytes of answers are unread", n)
				}
				// Smaller responses do not wait.
				for _, revision := range []string{"2025-11-25", "2026-07-28"} {
					began := time.Now()
					if m := l.open(revision).call("medium", `{}`).message(); len(m.text()) != 100_000 || time.Since(began) > time.Second {
						t.Errorf("an answer of %d bytes came after %v", len(m.text()), time.Since(began))
					}
				}
				// A large response waits until other connections have been slow for long enough.
				began := time.Now()
				w := l.open("2026-07-28")
				if m := w.call("big", `{}`).message(); len(m.text()) != 2<<20-1000 {
					t.Error("the large answer was lost")
				}
				if took := time.Since(began); took < 4*time.Second || took > time.Minute {
					t.Errorf("a large answer came after %v", took)
				}
				for _, f := range leave {
					f()
				}
				settle()
				if n := l.UnreadBytes(); n > 4<<20 { // events that sessions keep for their clients
					t.Errorf("%d bytes are claimed when all have left", n)
				}
				w.call("big", `{}`)
				w.call("big", `{}`)
			})
		})
	}
}

func TestUnreadAnswers_WaitingCallsThatNobodyWantsDoNotBegin(t *testing.T) {
	for _, kind := range []string{"JSON", "JSON of a session", "an event", "an event of a session"} {
		t.Run(kind, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLaggards(t)
				holders := []func(){laggardsOf["JSON"](t, l), laggardsOf["JSON"](t, l)}
				var leave []func()
				for range 5 {
					leave = append(leave, laggardsOf[kind](t, l))
				}
				for _, f := range leave {
					f()
				}
				settle()
				for _, f := range holders {
					f()
				}
				settle()
				if n := l.began.Load(); n != 2 {
					t.Errorf("%d calls began", n)
				}
				if n := l.UnreadBytes(); n != 0 {
					t.Errorf("%d bytes are claimed", n)
				}
			})
		})
	}
}

func TestUnreadAnswers_CancelledCallsDoNotBegin(t *testing.T) {
	proves(t, "cancel.receiver.free")
	bubble(t, func(t *testing.T) {
		l := newLaggards(t)
		holders := []func(){laggardsOf["JSON"](t, l), laggardsOf["JSON"](t, l)}
		p := dial(l.Server)
		r := p.openSession(t, "2025-11-25")
		must(t, p.send(callLine(1, "big", `{}`)), p.send(callLine(2, "big", `{}`)), p.send(cancelLine(`{"requestId":1}`)))
		settle()
		must(t, p.send(callLine(3, "echo", `{"message":"meanwhile"}`)))
		line, err := r.ReadString('\n')
		must(t, err)
		if !strings.Contains(line, "meanwhile") {
			t.Errorf("%.200s", line)
		}
		for _, f := range holders {
			f()
		}
		p.in.Close()
		if got := answers(t, r); len(got) != 1 || got[2] == "" {
			t.Errorf("%d answers", len(got))
		}
		must(t, <-p.served)
		if n, bytes := l.began.Load(), l.UnreadBytes(); n != 3 || bytes != 0 {
			t.Errorf("%d calls began, %d bytes are claimed", n, bytes)
		}
	})
}

func TestUnreadAnswers_ShutdownEndsThem(t *testing.T) {
	for kind, begin := range laggardsOf {
		t.Run(kind, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLaggards(t)
				var leave []func()
				for range 5 {
					leave = append(leave, begin(t, l))
				}
				began := time.Now()
				_ = l.stop() // calls may still be running, so ignore the error
				if took := time.Since(began); took > time.Minute {
					t.Errorf("it took %v", took)
				}
				for _, f := range leave {
					f()
				}
				settle()
				if n := l.UnreadBytes(); n != 0 {
					t.Errorf("%d bytes are claimed", n)
				}
			})
		})
	}
}

func TestUnreadAnswers_EventsAreKeptUntilOthersWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLaggards(t)
		w := l.open("2025-11-25")
		c := l.rawCall(w, "big", "text/event-stream")
		settle()
		c.Close()
		settle()
		if n := l.UnreadBytes(); n < 2_000_000 || n > 2_200_000 {
			t.Errorf("%d bytes are claimed for the event", n)
		}
		if m, _ := w.resume("1-0").want(200).response(); len(m.text()) != 2<<20-1000 {
			t.Error(m.line)
		}
		for range 2 {
			defer laggardsOf["JSON"](t, l)()
		}
		settle()
		w.resume("1-0").want(http.StatusBadRequest) // the event was dropped
		if n := l.began.Load(); n != 3 {
			t.Errorf("%d calls began", n)
		}
	})
}

// While the budget is full, the server does not read from a client on a pipe that does not read its
// refusals, so that refusals cannot fill the memory.
func TestUnreadAnswers_RefusalsWaitInThePipe(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLaggards(t)
		w := l.open("2026-07-28")
		for range 25 { // the last ones are waiting
			l.rawCall(w, "medium", "application/json")
		}
		settle()
		p := dial(l.Server)
		p.openSession(t, "2025-11-25")
		sent := new(atomic.Int64)
		go func() {
			for p.send(`{"jsonrpc":"2.0","id":1,"method":"no/such","params":{}}`) == nil {
				sent.Add(1)
			}
		}()
		time.Sleep(time.Second) // fake time; the maximum number of calls is waiting
		if n := sent.Load(); n > 5_000 {
			t.Errorf("the server took %d requests", n)
		}
		p.in.Close()
		p.out.Close()
		<-p.served
	})
}
