package mcpproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// counting makes a proxy that counts its upstreams.
func counting(u *upstream, revision string, clients *[]*mcp.Client, opts Options) *Proxy {
	var mu sync.Mutex
	opts.Connect = func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
		o := &mcp.ClientOptions{Revisions: []string{revision}}
		change(o)
		c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: u.Server}, o)
		mu.Lock()
		defer mu.Unlock()
		*clients = append(*clients, c)
		return c, err
	}
	return New(opts)
}

const initialize = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// post sends a message to a front.
func post(t *testing.T, h http.Handler, header map[string]string, body string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if host := header["Host"]; host != "" {
		req.Host = host
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

func TestARefusedRequestReachesNoServer(t *testing.T) {
	var clients []*mcp.Client
	p := counting(newUpstream(t), "2025-11-25", &clients, Options{HTTP: mcp.HTTPOptions{AllowedHosts: []string{"localhost"}}})
	f := p.front()
	defer f.close()
	guarded := p.opts.HTTP.Screen(f)
	for name, header := range map[string]map[string]string{
		"another host":       {"Host": "evil.example.com"},
		"another origin":     {"Origin": "https://evil.example.com"},
		"an unknown session": {"Mcp-Session-Id": "guessed"},
	} {
		if w := post(t, guarded, header, initialize); w.Code != http.StatusForbidden && w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	if w := post(t, guarded, nil, strings.Repeat(" ", 17<<20)+initialize); w.Code != http.StatusBadRequest {
		t.Errorf("a message that is too large: status %d", w.Code)
	}
	if len(clients) > 0 {
		t.Errorf("%d connections to the server", len(clients))
	}
}

func TestASessionHasAnUpstreamOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // fake time; idle goroutines of the servers end
		var clients []*mcp.Client
		p := counting(newUpstream(t), "2025-11-25", &clients, Options{HTTP: mcp.HTTPOptions{MaxSessions: 2, SessionTimeout: time.Minute}})
		f := p.front()
		ctx, cancel := context.WithCancel(t.Context())
		go f.sweep(ctx)
		defer cancel()
		defer f.close()
		one, two := post(t, f, nil, initialize), post(t, f, nil, initialize)
		if one.Code != 200 || two.Code != 200 || len(clients) != 2 || !strings.Contains(one.Body.String(), `"name":"upstream"`) {
			t.Fatalf("status %d and %d, %d upstreams\n%s", one.Code, two.Code, len(clients), one.Body)
		}
		if w := post(t, f, nil, initialize); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"id":7`) {
			t.Errorf("a session too many: status %d, %s", w.Code, w.Body)
		}
		session := func(w *httptest.ResponseRecorder) map[string]string {
			return map[string]string{"Mcp-Session-Id": w.Header().Get("Mcp-Session-Id"), "Mcp-Protocol-Version": "2025-11-25"}
		}
		call := `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo"}}`
		if w := post(t, f, session(one), call); w.Code != 200 || !strings.Contains(w.Body.String(), "nothing") {
			t.Errorf("a call: status %d, %s", w.Code, w.Body)
		}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "http://localhost/mcp", nil)
		for name, value := range session(one) {
			req.Header.Set(name, value)
		}
		f.ServeHTTP(httptest.NewRecorder(), req)
		if clients[0].Err() == nil || clients[1].Err() != nil {
			t.Errorf("after the end of one session: %v, %v", clients[0].Err(), clients[1].Err())
		}
		if w := post(t, f, session(one), call); w.Code != http.StatusNotFound {
			t.Errorf("a session that has ended: status %d", w.Code)
		}
		time.Sleep(2 * time.Minute) // fake time
		synctest.Wait()
		if clients[1].Err() == nil {
			t.Error("an idle session keeps its upstream")
		}
		if w := post(t, f, nil, initialize); w.Code != 200 {
			t.Errorf("a session after those: status %d", w.Code)
		}
		clients[2].Close() // The connection to the server is lost.
		synctest.Wait()
		if f.mu.Lock(); len(f.sessions) != 0 {
			t.Error("a session outlives its server")
		}
		f.mu.Unlock()
	})
}

func TestAServerThatCannotBeReachedIsReported(t *testing.T) {
	p := New(Options{Connect: func(context.Context, func(*mcp.ClientOptions)) (*mcp.Client, error) {
		return nil, errors.New("nobody is there")
	}})
	f := p.front()
	if w := post(t, f, nil, initialize); w.Code != http.StatusBadGateway || !strings.Contains(w.Body.String(), `"id":7`) || !strings.Contains(w.Body.String(), "nobody is there") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
	if w := post(t, f, nil, `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`); w.Code != http.StatusBadGateway {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
	var out bytes.Buffer
	err := p.ServeConn(t.Context(), struct {
		io.Reader
		io.Writer
	}{strings.NewReader("\n" + initialize + "\n"), &out})
	var answer struct {
		ID    int
		Error struct{ Message string }
	}
	if err == nil || json.Unmarshal(out.Bytes(), &answer) != nil || answer.ID != 7 || !strings.Contains(answer.Error.Message, "nobody is there") {
		t.Errorf("%v, %s", err, out.String())
	}
}

func TestThePipeEndsWithItsServer(t *testing.T) {
	var clients []*mcp.Client
	p := counting(newUpstream(t), "2025-11-25", &clients, Options{})
	near, far := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- p.ServeConn(context.Background(), far) }()
	c, err := mcp.Connect(t.Context(), &mcp.ConnTransport{Conn: near}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	clients[0].Close()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "lost") {
		t.Errorf("the proxy ends with %v", err)
	}
	for name, input := range map[string]string{"nothing": "", "blank lines": "\n\n", "nonsense": "\x00{{{\n", "a part": `{"jsonrpc"`} {
		var out bytes.Buffer
		if err := p.ServeConn(t.Context(), struct {
			io.Reader
			io.Writer
		}{strings.NewReader(input), &out}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.opts.MaxMessageBytes = 100
	if err := p.ServeConn(t.Context(), struct {
		io.Reader
		io.Writer
	}{strings.NewReader(strings.Repeat("x", 1<<20)), io.Discard}); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a first line that is too long: %v", err)
	}
}

// TestQuestionsReachNoOtherClient has clients without sessions asked at the same
// time, through servers of each revision.
func TestQuestionsReachNoOtherClient(t *testing.T) {
	for _, behind := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(behind, func(t *testing.T) {
			url := overHTTP(t, proxyTo(newUpstream(t), behind)) + "/mcp"
			var clients sync.WaitGroup
			for i := range 6 {
				clients.Go(func() {
					c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: url}, &mcp.ClientOptions{
						Revisions: []string{"2026-07-28"},
						ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
							if strings.HasPrefix(e.Message, "second ") && e.Message != fmt.Sprintf("second %d", i) {
								t.Errorf("client %d is asked %q", i, e.Message)
							}
							return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(fmt.Sprintf(`{"name":"%d"}`, i))}, nil
						},
					})
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					for range 5 {
						if got, want := text(c.CallTool(t.Context(), "elicit", nil, nil)), fmt.Sprintf("%d+%[1]d accept", i); got != want {
							t.Errorf("client %d gets %q", i, got)
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

// TestAQuestionOutsideOfRequests forwards a question that a server asks outside a request.
func TestAQuestionOutsideOfRequests(t *testing.T) {
	peer := mcptest.NewPeer(t)
	p := New(Options{Connect: func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
		opts := &mcp.ClientOptions{Revisions: []string{"2025-06-18"}}
		change(opts)
		return mcp.Connect(ctx, peer.Transport(), opts)
	}})
	n := new(notes)
	ready := make(chan *mcp.Client, 1)
	go func() {
		c, err := mcp.Connect(context.Background(), overPipe(t, p), n.options("2025-11-25"))
		if err != nil {
			t.Error(err)
		}
		ready <- c
	}()
	peer.Accept()
	peer.Handshake("2025-06-18")
	for range 6 { // The proxy requests the log level, the lists and finally a ping.
		m := peer.Receive()
		switch m.Method {
		case "tools/list":
			peer.Reply(m, `{"tools":[]}`)
		case "prompts/list":
			peer.Reply(m, `{"prompts":[]}`)
		case "resources/list":
			peer.Reply(m, `{"resources":[]}`)
		case "resources/templates/list":
			peer.Reply(m, `{"resourceTemplates":[]}`)
		default:
			peer.Reply(m, `{}`)
		}
	}
	c := <-ready
	defer c.Close()
	if answer := peer.Ask("roots/list", `{}`); !strings.Contains(answer.Line, "file:///work") {
		t.Errorf("the server gets %s", answer.Line)
	}
	peer.Notify("notifications/message", `{"level":"error","data":"by itself"}`)
	<-n.seen
	if n.logs[0] != `"by itself"` {
		t.Errorf("logs %q", n.logs)
	}
}

// TestAnUnansweredQuestionEndsItsCall abandons a call of a client without
// session.
func TestAnUnansweredQuestionEndsItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // fake time; idle goroutines of the servers end
		u := newUpstream(t)
		ended := make(chan error, 1)
		if err := mcp.AddTool(u.Server, mcp.Tool{Name: "patient"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			_, err := r.Roots(ctx)
			ended <- err
			return "", err
		}); err != nil {
			t.Fatal(err)
		}
		p := proxyTo(u, "2025-11-25")
		f := p.front()
		defer f.close()
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`
		w := post(t, f, map[string]string{"Mcp-Method": "tools/call", "Mcp-Name": "patient", "Mcp-Protocol-Version": "2026-07-28"},
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"patient",`+meta+`}}`)
		if w.Code != 200 || !strings.Contains(w.Body.String(), `"input_required"`) {
			t.Fatalf("status %d, %s", w.Code, w.Body)
		}
		s := f.shared[capabilities{true}]
		s.calls.mu.Lock()
		if n := len(s.calls.pending); n != 1 {
			t.Errorf("%d calls wait", n)
		}
		s.calls.mu.Unlock()
		begun := time.Now()
		if err := <-ended; err == nil {
			t.Error("the question is answered")
		}
		if took := time.Since(begun); took < 10*time.Minute || took > 16*time.Minute {
			t.Errorf("the call ends after %v", took)
		}
		time.Sleep(10 * time.Minute) // fake time
		synctest.Wait()
		s.calls.mu.Lock()
		defer s.calls.mu.Unlock()
		if len(s.calls.pending)+len(s.calls.running) > 0 {
			t.Errorf("%d calls wait, %d run", len(s.calls.pending), len(s.calls.running))
		}
	})
}
