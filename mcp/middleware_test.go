package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/docent-mcp/docent/mcp"
)

// witness is middleware that records all messages that pass through it.
type witness struct {
	mu   sync.Mutex
	seen []string
	// stop is the method of a message that is not passed on.
	stop string
}

func (w *witness) middleware(next mcp.MessageHandler) mcp.MessageHandler {
	return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
		direction, kind, about := "in", "request", ""
		if r.Outgoing() {
			direction = "out"
			if for_ := mcp.RequestFrom(ctx); for_ != nil {
				about = " of " + for_.Method()
			}
		}
		if r.Notification() {
			kind = "notification"
			r.Progress(1, 1, "") // this progress notification must not be sent
		}
		w.mu.Lock()
		w.seen = append(w.seen, fmt.Sprintf("%s %s %s%s", direction, kind, r.Method(), about))
		w.mu.Unlock()
		if r.Method() == w.stop {
			return nil, errors.New("stopped")
		}
		return next(ctx, r)
	}
}

func (w *witness) saw(line string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.seen, line)
}

// watched returns a server with one resource and the tool "everything", which sends every kind of
// message that a handler can send.
func watched(t testing.TB, w *witness) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Middleware: []mcp.Middleware{w.middleware}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "everything"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Progress(2, 3, "")
		r.Log(mcp.LevelError, "", "here")
		roots, err := r.Roots(ctx)
		return fmt.Sprint(len(roots), " roots"), err
	}))
	must(t, s.AddResource(mcp.Resource{URI: "doc://a", Name: "a"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) { return nil, nil }))
	return s
}

const everything = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"everything","_meta":{"progressToken":"t"}}}`

func TestMiddlewareSeesBothDirectionsOfASession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var w witness
		s := watched(t, &w)
		p := connect(t, s)
		p.session = "2025-11-25"
		p.ask("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1"}}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.ask("2", "resources/subscribe", `{"uri":"doc://a"}`)
		p.send(everything)
		for {
			m := p.receive()
			if m.Method == "roots/list" {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[{"uri":"file:///a"}]}}`, m.ID))
			}
			if string(m.ID) == "7" {
				if m.text() != "1 roots" {
					t.Errorf("the tool has not got its answer: %s", m.line)
				}
				break
			}
		}
		synctest.Wait() // wait until middleware has passed on notifications/initialized
		updated := make(chan struct{})
		go func() {
			defer close(updated)
			s.ResourceUpdated("doc://a")
			s.RemoveTools("everything")
		}()
		for _, want := range []string{"notifications/resources/updated", "notifications/tools/list_changed"} {
			if m := p.receive(); m.Method != want {
				t.Errorf("got %s, want %s", m.line, want)
			}
		}
		<-updated
		for _, want := range []string{
			"in request initialize", "in notification notifications/initialized", "in request tools/call",
			"out notification notifications/progress of tools/call", "out notification notifications/message of tools/call",
			"out request roots/list of tools/call",
			"out notification notifications/resources/updated", "out notification notifications/tools/list_changed",
		} {
			if !w.saw(want) {
				t.Errorf("middleware has not seen: %s\nbut %s", want, strings.Join(w.seen, "\n    "))
			}
		}
	})
}

func TestMiddlewareSeesSubscriptionsOf20260728(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var w witness
		s := watched(t, &w)
		p := connect(t, s)
		p.send(`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta("") + `}}`)
		p.receive()
		go s.RemoveTools("everything")
		if m := p.receive(); m.Method != "notifications/tools/list_changed" {
			t.Errorf("got %s", m.line)
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
		synctest.Wait()
		for _, want := range []string{
			"in request subscriptions/listen",
			"out notification notifications/subscriptions/acknowledged of subscriptions/listen",
			"out notification notifications/tools/list_changed of subscriptions/listen",
			"in notification notifications/cancelled",
		} {
			if !w.saw(want) {
				t.Errorf("middleware has not seen: %s\nbut %s", want, strings.Join(w.seen, "\n    "))
			}
		}
	})
}

func TestWhatMiddlewareStopsDoesNotHappen(t *testing.T) {
	t.Run("a notification of the server", func(t *testing.T) {
		w := witness{stop: "notifications/message"}
		p := connect(t, watched(t, &w))
		p.initialize("2025-11-25")
		p.send(everything)
		if m := p.receive(); m.Method != "notifications/progress" {
			t.Errorf("first: %s", m.line)
		}
		// The client has no roots, so the tool returns an error.
		if m := p.receive(); string(m.ID) != "7" {
			t.Errorf("then: %s", m.line)
		}
	})
	t.Run("a notification of the client", func(t *testing.T) {
		w := witness{stop: "notifications/initialized"}
		s := watched(t, &w)
		p := connect(t, s)
		p.initialize("2025-11-25")
		p.ask("1", "ping", "")
		s.RemoveTools("everything") // only initialized sessions receive this notification
		p.ask("2", "ping", "")
	})
	t.Run("a request of the server", func(t *testing.T) {
		w := witness{stop: "roots/list"}
		p := connect(t, watched(t, &w))
		p.session = "2025-11-25"
		p.ask("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1"}}`)
		p.send(everything)
		p.receive()
		p.receive()
		if m := p.receive(); !strings.Contains(m.text(), "stopped") {
			t.Errorf("got %s", m.line)
		}
	})
	t.Run("the acknowledgment of a subscription", func(t *testing.T) {
		w := witness{stop: "notifications/subscriptions/acknowledged"}
		p := connect(t, watched(t, &w))
		if m := p.ask("1", "subscriptions/listen", `{"notifications":{"toolsListChanged":true},`+modernMeta("")+`}`); m.Error == nil {
			t.Errorf("got %s", m.line)
		}
	})
}

func TestAPanicOfMiddlewareOverANotificationIsNotTheServersEnd(t *testing.T) {
	panics := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if r.Notification() {
				panic("at " + r.Method())
			}
			return next(ctx, r)
		}
	}
	s := echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{panics}})
	addReporter(t, s, func(_ context.Context, r *mcp.Request) { r.Progress(1, 1, "") })
	p := connect(t, s)
	p.initialize("2025-11-25")
	p.send(reportCall("2025-11-25", `"progressToken":"t",`))
	if m := p.receive(); m.Error != nil || m.Method != "" {
		t.Errorf("got %s", m.line)
	}
}

func TestSlowMiddlewareOverANotificationHoldsUpNobody(t *testing.T) {
	release := make(chan struct{})
	waits := func(next mcp.MessageHandler) mcp.MessageHandler {
		return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
			if r.Method() == "notifications/slow" {
				<-release
			}
			return next(ctx, r)
		}
	}
	p := connect(t, echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{waits}}))
	p.initialize("2025-11-25")
	p.send(`{"jsonrpc":"2.0","method":"notifications/slow"}`)
	p.ask("1", "ping", "")
	close(release)
}

func TestMiddlewareSeesNotificationsOverHTTP(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(fmt.Sprintf("%s stateless %t", revision, stateless), func(t *testing.T) {
				var w witness
				h := watched(t, &w).HTTPHandler(&mcp.HTTPOptions{Stateless: stateless})
				session := ""
				post := func(body string) *httptest.ResponseRecorder {
					req := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(body))
					req.Header.Set("Content-Type", "application/json")
					req.Header.Set("Mcp-Protocol-Version", revision)
					req.Header.Set("Mcp-Method", "notifications/custom")
					if session != "" {
						req.Header.Set("Mcp-Session-Id", session)
					}
					rec := httptest.NewRecorder()
					h.ServeHTTP(rec, req)
					return rec
				}
				if revision != "2026-07-28" {
					session = post(initializeLine).Header().Get("Mcp-Session-Id")
				}
				if got := post(`{"jsonrpc":"2.0","method":"notifications/custom"}`); got.Code != http.StatusAccepted {
					t.Errorf("status %d: %s", got.Code, got.Body)
				}
				if !w.saw("in notification notifications/custom") {
					t.Errorf("middleware has seen %s", w.seen)
				}
			})
		}
	}
}

func TestQuickReportsAreLimitedButTheLastIsSent(t *testing.T) {
	proves(t, "progress.rate-limit", "log.rate-limit")
	for _, revision := range revisions {
		for _, transport := range transportsOf(revision) {
			t.Run(revision+" "+transport, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					s := echoServer(t, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}, Limits: mcp.Limits{MaxNotificationRate: 5}})
					addReporter(t, s, func(_ context.Context, r *mcp.Request) {
						for i := range 100 {
							r.Progress(float64(i), 100, "")
							r.Log(mcp.LevelError, "", i)
						}
					})
					p := connectOver(t, s, revision, transport)
					p.open(revision)
					meta := `"progressToken":"t",`
					if revision == latest {
						meta += `"io.modelcontextprotocol/logLevel":"debug",`
					}
					p.send(reportCall(revision, meta))
					var progress, logs []string
					for _, n := range p.notifications() {
						if strings.HasPrefix(n, "notifications/progress") {
							progress = append(progress, n)
						} else {
							logs = append(logs, n)
						}
					}
					if len(logs) != 5 {
						t.Errorf("%d log messages", len(logs))
					}
					if len(progress) != 6 || !strings.Contains(progress[5], `"progress":99,`) {
						t.Errorf("progress: %s", progress)
					}
				})
			})
		}
	}
}

func TestANegativeBoundLetsAllReportsThrough(t *testing.T) {
	s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxNotificationRate: -1}})
	addReporter(t, s, func(_ context.Context, r *mcp.Request) {
		for i := range 1000 {
			r.Progress(float64(i), 0, "")
		}
	})
	p := connect(t, s)
	p.initialize("2025-11-25")
	p.send(reportCall("2025-11-25", `"progressToken":"t",`))
	if got := len(p.notifications()); got != 1000 {
		t.Errorf("%d of 1000 reports came", got)
	}
}
