package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// pair is a client of HTTP+SSE. It consists of the stream and the URL for POST requests.
type pair struct {
	*web
	*answer
	endpoint string
	last     int
}

// pair opens a stream. Unless revision is empty, it also opens a session on the stream.
func (endpoint *site) pair(revision, capabilities string, headers ...string) *pair {
	endpoint.t.Helper()
	w := endpoint.web().with(append(headers, "Accept: text/event-stream")...)
	w.transport = "sse"
	a, err := w.try(http.MethodGet, "/sse", nil)
	if err != nil {
		endpoint.t.Fatal(err)
	}
	p := &pair{web: w, answer: a.want(200)}
	e := a.next()
	if p.endpoint = e.data; e.name != "endpoint" {
		endpoint.t.Fatalf("the first event is %+v", e)
	}
	w.head.Set("Accept", "*/*")
	if revision == "" {
		return p
	}
	w.session = revision
	m := p.ask(`"init"`, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}`, revision, capabilities))
	if m.Result["protocolVersion"] != revision {
		endpoint.t.Fatal(m.line)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).want(http.StatusAccepted)
	return p
}

func (p *pair) send(body string) *answer {
	p.t.Helper()
	p.note([]byte(body))
	a, err := p.try(http.MethodPost, p.endpoint, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// ask sends a request and reads the response from the stream.
func (p *pair) ask(id, method, params string) *message {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)).want(http.StatusAccepted)
	m := p.receive()
	if string(m.ID) != id {
		p.t.Fatalf("want the answer to %s, got %s", id, m.line)
	}
	return m
}

func (p *pair) say(text string) {
	p.t.Helper()
	p.last++
	if m := p.ask(fmt.Sprint(p.last), "tools/call", "{"+callParams("echo", fmt.Sprintf(`{"message":%q}`, text))+"}"); m.text() != text {
		p.t.Fatalf("echo of %q: %s", text, m.line)
	}
}

func TestTheOldTransport(t *testing.T) {
	proves(t, "sse.two-endpoints", "sse.endpoint-event", "sse.message-events", "sse.keep-old-endpoints")
	eachInBubble(t, revisions[:4], func(t *testing.T, revision string) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		p := endpoint.pair(revision, `{"elicitation":{}}`)
		other := endpoint.pair(revision, `{}`)
		for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead} {
			for _, path := range []string{"/sse", p.endpoint} {
				a, err := endpoint.web().try(method, path, strings.NewReader(callLine(1, "talk", `{}`)))
				must(t, err)
				a.want(http.StatusMethodNotAllowed)
			}
		}
		u, err := url.Parse(p.endpoint)
		if err != nil || u.Path != "/sse" || len(u.Query().Get("sessionId")) < 26 || p.endpoint == other.endpoint {
			t.Errorf("endpoints %q, %q", p.endpoint, other.endpoint)
		}
		p.say("grüße, 世界")
		p.say(strings.Repeat("x", 1<<20))
		// The message has several lines, as if it came from a file.
		p.send("{\n\t\"jsonrpc\": \"2.0\",\r\n\t\"id\": \"tall\",\n\t\"method\": \"ping\"\n}\n").want(http.StatusAccepted)
		if m := p.receive(); string(m.ID) != `"tall"` || m.Error != nil {
			t.Error(m.line)
		}
		p.send(`{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"talk","arguments":{"times":2},"_meta":{"progressToken":1}}}`)
		for _, want := range []string{"notifications/progress", "notifications/message", "notifications/progress", "notifications/message", ""} {
			if m := p.receive(); m.Method != want {
				t.Errorf("want %q, got %s", want, m.line)
			}
		}
		p.send(`{"jsonrpc":"2.0","id":"none","method":"no/such/method"}`).want(http.StatusAccepted)
		if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
			t.Error(m.line)
		}
		p.send(callLine(71, "wait", `{}`)).want(http.StatusAccepted)
		<-g.began
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":71}}`).want(http.StatusAccepted)
		if err := <-g.ended; err == nil {
			t.Error("the call was not cancelled")
		}
		if revision >= "2025-06-18" {
			p.send(callLine(72, "ask", `{}`)).want(http.StatusAccepted)
			request := p.receive()
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, request.ID)).want(http.StatusAccepted)
			if m := p.receive(); m.text() != "Hello, Ada" {
				t.Error(m.line)
			}
		}
		g.AddDummyTool(t)
		for _, p := range []*pair{p, other} {
			if m := p.receive(); m.Method != "notifications/tools/list_changed" {
				t.Error(m.line)
			}
		}
		batch := `[{"jsonrpc":"2.0","id":80,"method":"ping"},` + "\n" + `{"jsonrpc":"2.0","id":81,"method":"ping"}]`
		p.send(batch).want(http.StatusAccepted)
		if e := p.next(); revision == "2025-03-26" && !strings.HasPrefix(e.data, "[{") || revision != "2025-03-26" && !strings.Contains(e.data, "-32600") {
			t.Errorf("a batch: %s", e.data)
		}
		other.say("alive")
	})
}

func TestWhatIsPostedToTheOldTransport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := echoServer(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxMessageBytes: 10_000}})
		opened := host(t, s, nil)
		p := opened.pair("2024-11-05", `{}`)
		for body, code := range map[string]int{
			"": mcp.CodeParseError, "hi": mcp.CodeParseError, `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`: mcp.CodeParseError,
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\nng\"}": mcp.CodeParseError, "[1,": mcp.CodeParseError, "[]": mcp.CodeInvalidRequest,
			"null": mcp.CodeInvalidRequest, `{"jsonrpc":"2.0","id":null,"method":"ping"}`: mcp.CodeInvalidRequest,
		} {
			p.send(body).wantError(http.StatusBadRequest, code)
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("x", 10_000)+`"}}`).wantError(http.StatusRequestEntityTooLarge, mcp.CodeInvalidRequest)
		p.web.head.Set("Content-Type", "text/plain")
		p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantError(http.StatusUnsupportedMediaType, mcp.CodeInvalidRequest)
		p.web.head.Set("Content-Type", "application/json")
		address := p.endpoint
		for endpoint, status := range map[string]int{"/sse": 400, "/sse?sessionId=": 400, "/sse?sessionId=forged": 404, address[:len(address)-1]: 404, address + "A": 404, "/sse?sessionId=" + strings.ToLower(strings.TrimPrefix(address, "/sse?sessionId=")): 404} {
			p.endpoint = endpoint
			p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantError(status, mcp.CodeInvalidRequest)
		}
		p.endpoint = address
		p.say("alive")
		for _, method := range []string{http.MethodDelete, http.MethodPut, http.MethodOptions} {
			a, err := p.try(method, "/sse", nil)
			must(t, err)
			if a.wantError(http.StatusMethodNotAllowed, mcp.CodeInvalidRequest); a.head.Get("Allow") != "GET, POST" {
				t.Errorf("Allow is %q", a.head.Get("Allow"))
			}
		}
		a, err := opened.web().with("Accept: application/json").try(http.MethodGet, "/sse", nil)
		must(t, err)
		a.wantError(http.StatusNotAcceptable, mcp.CodeInvalidRequest)
	})
}

func TestConnectionsOfTheOldTransportEndWithTheirStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		endpoint := host(t, g.Server, nil)
		p := endpoint.pair("2024-11-05", `{}`)
		p.send(callLine(1, "wait", `{}`)).want(http.StatusAccepted)
		<-g.began
		p.close()
		time.Sleep(10 * time.Second)
		if err := <-g.ended; err == nil {
			t.Error("the call went on")
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
	})
}

func TestConnectionsOfTheOldTransportAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), &mcp.HTTPOptions{MaxSessions: 2, SessionTimeout: time.Minute})
		p, silent := endpoint.pair("2024-11-05", `{}`), endpoint.pair("", "")
		a, err := endpoint.web().try(http.MethodGet, "/sse", nil)
		must(t, err)
		if a.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError); a.head.Get("Retry-After") == "" {
			t.Errorf("%v", a.head)
		}
		// A connection without messages is closed to free resources. A client with a session may be
		// silent for longer.
		time.Sleep(2 * time.Minute)
		silent.send(initializeLine).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
		silent.ends()
		endpoint.pair("2024-11-05", `{}`).say("there is room")
		time.Sleep(time.Hour)
		p.say("alive")
		if p.beats < 100 {
			t.Errorf("%d comments in an hour", p.beats)
		}
	})
}

func TestAConnectionOfTheOldTransportBelongsToItsPrincipal(t *testing.T) {
	proves(t, "sec.session.bind-user")
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		p := host(t, g.Server, nil).pair("2024-11-05", `{}`, "Test-Principal: ada")
		for _, principal := range []string{"eve", ""} {
			p.web.head.Set("Test-Principal", principal)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
		}
		p.web.head.Set("Test-Principal", "ada")
		p.send(callLine(1, "wait", `{}`)).want(http.StatusAccepted)
		if r := <-g.began; r.Principal() != "ada" {
			t.Errorf("the principal is %q", r.Principal())
		}
		g.release <- "x"
		p.receive()
	})
}

func TestTheEndpointIsWhereTheStreamIs(t *testing.T) {
	proves(t, "sse.endpoint-event")
	ran(t, "2024-11-05", "sse")
	for _, version := range []int{1, 2} {
		bubble(t, func(t *testing.T) { endpointNamed(t, version) })
	}
}

// endpointNamed opens a stream over a version of HTTP.
func endpointNamed(t *testing.T, version int) {
	s := echoServer(t, nil)
	l := newMemory()
	h := s.HTTPHandler(nil)
	old := s.SSEHandler(nil)
	mux := http.NewServeMux()
	mux.Handle("/api/v1/old%20ones/sse", http.StripPrefix("/api/v1", old))
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, l, mux) }()
	endpoint := &site{t: t, dial: l.dial, client: &http.Client{Transport: &http.Transport{DialContext: l.dial}}}
	if version == 2 {
		transport := endpoint.client.Transport.(*http.Transport)
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	a, err := endpoint.web().try(http.MethodGet, "/api/v1/old%20ones/sse?x=y", nil)
	must(t, err)
	if e := a.next(); e.name != "endpoint" || !strings.HasPrefix(e.data, "/api/v1/old%20ones/sse?sessionId=") {
		t.Errorf("the endpoint is %q", e.data)
	}
	must(t, old.Shutdown(context.Background()))
	a.ends()
	cancel()
	must(t, <-served)
	endpoint.client.CloseIdleConnections()
}

func TestShutdownOfTheOldTransport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, nil)
		old := g.SSEHandler(nil)
		l := newMemory()
		server := &http.Server{Handler: old}
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }()
		endpoint := &site{t: t, dial: l.dial, client: &http.Client{Transport: &http.Transport{DialContext: l.dial}}}
		p := endpoint.pair("2025-06-18", `{"elicitation":{}}`)
		p.send(callLine(1, "wait", `{}`)).want(http.StatusAccepted)
		<-g.began
		p.send(callLine(2, "ask", `{}`)).want(http.StatusAccepted)
		request := p.receive()
		stopped := make(chan error, 1)
		go func() { stopped <- old.Shutdown(context.Background()) }()
		settle()
		a, err := endpoint.web().try(http.MethodGet, "/sse", nil)
		must(t, err)
		a.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		p.send(callLine(3, "echo", `{"message":"x"}`)).want(http.StatusAccepted)
		if m := p.receive(); string(m.ID) != "3" || m.Error == nil {
			t.Error(m.line)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Ada"}}}`, request.ID)).want(http.StatusAccepted)
		if m := p.receive(); m.text() != "Hello, Ada" {
			t.Error(m.line)
		}
		g.release <- "done"
		if m := p.receive(); m.text() != "done" {
			t.Error(m.line)
		}
		p.ends()
		must(t, <-stopped, server.Close())
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		endpoint.client.CloseIdleConnections()
	})
}
