package mcp_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// clientTransports returns the transports that playedOver supports for a revision.
func clientTransports(revision string) []string {
	if revision == "2024-11-05" {
		return []string{"pipe", "sse"}
	}
	return []string{"pipe", "http"}
}

// eachPlayed runs f in a subtest for every transport and every revision of a requirement. Each
// subtest proves the requirement. The function play calls playedOver.
func eachPlayed(t *testing.T, id string, f func(t *testing.T, revision, transport string)) {
	t.Helper()
	revisionsOf(t, id, func(t *testing.T, revision string) {
		for _, transport := range clientTransports(revision) {
			t.Run(transport, func(t *testing.T) { f(t, revision, transport) })
		}
	})
}

// exchanges returns a function that makes a call, checks that the sent line has the given method
// and contains want, and answers with result.
func exchanges(t *testing.T, p *mcptest.Peer) func(method, result, want string, call func() error) {
	return func(method, result, want string, call func() error) {
		t.Helper()
		failed := make(chan error, 1)
		go func() { failed <- call() }()
		m := p.Expect(method)
		if !strings.Contains(m.Line, want) {
			t.Errorf("sent %s, want %s", m.Line, want)
		}
		p.Reply(m, result)
		must(t, <-failed)
	}
}

// playedOver does the same as played on any transport.
func playedOver(t *testing.T, transport, revision string, opts mcp.ClientOptions) (*mcptest.Peer, *mcp.Client) {
	t.Helper()
	if transport == "pipe" {
		return played(t, revision, opts)
	}
	ran(t, revision, transport)
	p := mcptest.NewPeer(t)
	r := &relay{t: t, revision: revision, transport: transport, dial: p.Transport().(*mcp.ConnTransport).Dial}
	opts.Revisions = []string{revision}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	connected := make(chan error, 1)
	var c *mcp.Client
	go func() {
		var err error
		c, err = mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: r}}, &opts)
		connected <- err
	}()
	p.Accept()
	if opened := p.Handshake(revision); opened && opts.Log != nil {
		p.Reply(p.Expect("logging/setLevel"), "{}")
	}
	must(t, <-connected)
	t.Cleanup(func() {
		must(t, c.Close())
		r.end()
		p.Close()
	})
	return p, c
}

// relay is the network between an HTTP client and a simulated server that reads and writes lines.
// It checks the headers of each request. When a client of the newest revision closes a stream, the
// relay sends notifications/cancelled to the server.
type relay struct {
	t                   testing.TB
	revision, transport string
	dial                func(context.Context) (io.ReadWriteCloser, error)

	mu       sync.Mutex
	conn     io.ReadWriteCloser // connection to the server, or nil
	lines    chan string        // lines for the server
	sessions int
	stream   *io.PipeWriter // stream of the last GET
	posts    []*relayed     // unanswered requests, newest last
	agreed   bool           // whether the client has sent notifications/initialized
	closed   bool
}

type relayed struct {
	id    string
	ctx   context.Context
	reply chan *http.Response
	w     *io.PipeWriter // writes to the response stream, if there is one
}

// answer returns a response without a body.
func (r *relay) answer(status int) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}
}

func (r *relay) session() string { return fmt.Sprint("session-", r.sessions) }

// events returns a response with an event stream, and the writing end of the stream.
func (r *relay) events(ctx context.Context, gone func()) (*http.Response, *io.PipeWriter) {
	out, w := io.Pipe()
	leave := sync.OnceFunc(func() {
		w.CloseWithError(context.Canceled)
		gone()
	})
	context.AfterFunc(ctx, leave)
	res := r.answer(http.StatusOK)
	res.Header.Set("Content-Type", "text/event-stream")
	res.Body = body{out, func() error { leave(); return nil }}
	return res, w
}

func (r *relay) RoundTrip(req *http.Request) (*http.Response, error) {
	var text []byte
	if req.Body != nil {
		text, _ = io.ReadAll(req.Body)
		req.Body.Close()
	}
	res, err := r.serve(req, string(text))
	if res != nil {
		res.Request = req
	}
	return res, err
}

func (r *relay) serve(req *http.Request, text string) (*http.Response, error) {
	sse := r.transport == "sse"
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if req.Method == http.MethodPost {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			r.t.Errorf("the client posts %s", text)
		}
		if sse && req.URL.Path != "/post" {
			return r.answer(http.StatusMethodNotAllowed), nil
		}
	}
	opens := req.Method == http.MethodGet && sse || m.Method == "initialize" && !sse || r.revision == latest && r.idle()
	if opens && !r.open(req.Context()) {
		return nil, errors.New("the network is down")
	}
	r.mu.Lock()
	if !opens && r.revision != latest && !sse && req.Header.Get("Mcp-Session-Id") != r.session() || r.conn == nil {
		r.mu.Unlock()
		return r.answer(http.StatusNotFound), nil
	}
	r.checkHeader(req, text)
	switch {
	case req.Method == http.MethodDelete:
		r.mu.Unlock()
		return r.answer(http.StatusOK), nil
	case req.Method == http.MethodGet && r.revision == latest:
		r.mu.Unlock()
		return r.answer(http.StatusMethodNotAllowed), nil
	case req.Method == http.MethodGet:
		res, w := r.events(req.Context(), func() {})
		r.stream = w
		r.mu.Unlock()
		if sse {
			go io.WriteString(w, "event: endpoint\ndata: /post\n\n")
		}
		return res, nil
	case m.ID == nil || m.Method == "" || sse:
		r.lines <- text
		r.mu.Unlock()
		return r.answer(http.StatusAccepted), nil
	}
	x := &relayed{id: string(m.ID), ctx: req.Context(), reply: make(chan *http.Response, 1)}
	r.posts = append(r.posts, x)
	r.lines <- text
	r.mu.Unlock()
	select {
	case res := <-x.reply:
		if res == nil {
			return nil, errors.New("the network is down")
		}
		if m.Method == "initialize" {
			res.Header.Set("Mcp-Session-Id", r.session())
		}
		return res, nil
	case <-req.Context().Done():
		r.leave(x)
		return nil, req.Context().Err()
	}
}

func (r *relay) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.conn == nil
}

func (r *relay) open(ctx context.Context) bool {
	conn, err := r.dial(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || r.closed {
		return false
	}
	lines := make(chan string, 10_000)
	r.conn, r.lines, r.stream, r.posts, r.agreed = conn, lines, nil, nil, false
	r.sessions++
	go func() {
		for line := range lines {
			io.WriteString(conn, line+"\n")
		}
	}()
	go func() {
		in := bufio.NewReaderSize(conn, 1<<20)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				conn.Close()
				r.lost(conn)
				close(lines)
				return
			}
			r.pass(strings.TrimSuffix(line, "\n"))
		}
	}()
	return true
}

// lost closes everything that depends on a connection.
func (r *relay) lost(conn io.ReadWriteCloser) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != conn {
		return
	}
	r.conn = nil
	if r.stream != nil {
		r.stream.Close()
	}
	for _, x := range r.posts {
		if x.w != nil {
			x.w.Close()
		} else {
			x.reply <- nil
		}
	}
	r.posts = nil
}

func (r *relay) end() {
	r.mu.Lock()
	conn := r.conn
	r.closed = true
	r.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// leave is called when the client stops waiting for the response.
func (r *relay) leave(x *relayed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.posts, x)
	if i < 0 {
		return
	}
	r.posts = slices.Delete(r.posts, i, i+1)
	if r.revision == latest && r.conn != nil {
		r.lines <- fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, x.id)
	}
}

// pass sends a message from the server where a server must send it. A response is sent as the
// response to its request, and a message that belongs to a request on the request's stream. All
// other messages are sent on the stream that GET opened or, in the newest revision, on the stream
// of the newest request.
func (r *relay) pass(line string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Result json.RawMessage
		Params struct {
			ProgressToken json.RawMessage
			Meta          map[string]json.RawMessage `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(line), &m)
	r.mu.Lock()
	defer r.mu.Unlock()
	event := "data: " + line + "\n\n"
	related := string(m.ID)
	if m.Method != "" {
		related = string(m.Params.ProgressToken) + string(m.Params.Meta["io.modelcontextprotocol/subscriptionId"])
	}
	i := slices.IndexFunc(r.posts, func(x *relayed) bool { return x.id == related })
	if i < 0 && r.revision == latest {
		i = len(r.posts) - 1
	}
	switch {
	case i < 0:
		if r.stream != nil {
			w := r.stream
			r.mu.Unlock() // unlock, so that the client can read and send requests
			io.WriteString(w, event)
			r.mu.Lock()
		}
		return
	case m.Method == "" && m.ID != nil && r.posts[i].id == string(m.ID) && r.posts[i].w == nil:
		res := r.answer(http.StatusOK)
		if r.revision == latest && strings.Contains(line, `"error":{"code":-3202`) {
			res.StatusCode = http.StatusBadRequest
		}
		res.Header.Set("Content-Type", "application/json")
		res.Body = io.NopCloser(strings.NewReader(line))
		r.posts[i].reply <- res
		r.posts = slices.Delete(r.posts, i, i+1)
		return
	}
	x := r.posts[i]
	if x.w == nil {
		var res *http.Response
		res, x.w = r.events(x.ctx, func() { r.leave(x) })
		x.reply <- res
	}
	over := m.Method == "" && x.id == string(m.ID)
	if over {
		r.posts = slices.Delete(r.posts, i, i+1)
	}
	r.mu.Unlock()
	io.WriteString(x.w, event)
	if over {
		x.w.Close()
	}
	r.mu.Lock()
}

// checkHeader reports differences from the headers that the specification
// requires.
func (r *relay) checkHeader(req *http.Request, text string) {
	post := req.Method == http.MethodPost
	want := map[string]string{"Accept": "text/event-stream", "Content-Type": "", "Mcp-Session-Id": "", "Mcp-Protocol-Version": "", "Mcp-Method": "", "Mcp-Name": ""}
	if post {
		want["Accept"], want["Content-Type"] = "application/json, text/event-stream", "application/json"
	}
	if req.Method == http.MethodDelete || r.transport == "sse" && post {
		want["Accept"] = req.Header.Get("Accept") // any value is allowed
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name, URI, TaskID string
			Meta              struct {
				Version string          `json:"io.modelcontextprotocol/protocolVersion"`
				Caps    map[string]any  `json:"io.modelcontextprotocol/clientCapabilities"`
				Info    json.RawMessage `json:"io.modelcontextprotocol/clientInfo"`
			} `json:"_meta"`
		}
	}
	if post {
		if err := json.Unmarshal([]byte(text), &m); err != nil || strings.Contains(text, "\n") {
			r.t.Errorf("the client posts %s: %v", text, err)
		}
	}
	switch {
	case r.transport == "sse":
	case r.revision == latest:
		want["Mcp-Protocol-Version"], want["Mcp-Method"] = latest, m.Method
		switch m.Method {
		case "":
			r.t.Errorf("the client posts a response: %s", text)
		case "tools/call", "prompts/get", "resources/read", "tasks/get", "tasks/update", "tasks/cancel":
			if len(req.Header["Mcp-Name"]) != 1 { // the value may be empty
				r.t.Errorf("%s has no name: %v", text, req.Header)
			}
		}
		switch m.Method {
		case "tools/call", "prompts/get":
			want["Mcp-Name"] = inHeader(m.Params.Name)
		case "resources/read":
			want["Mcp-Name"] = inHeader(m.Params.URI)
		case "tasks/get", "tasks/update", "tasks/cancel":
			want["Mcp-Name"] = inHeader(m.Params.TaskID)
		}
		if meta := m.Params.Meta; m.ID != nil && (meta.Version != latest || meta.Caps == nil || meta.Info == nil) {
			r.t.Errorf("the client posts %s", text)
		}
	case m.Method != "initialize":
		want["Mcp-Session-Id"] = r.session()
		r.agreed = r.agreed || m.Method == "notifications/initialized"
		if r.agreed && r.revision > "2025-03-26" {
			want["Mcp-Protocol-Version"] = r.revision
		}
	}
	for name, value := range want {
		if got := strings.Join(req.Header[http.CanonicalHeaderKey(name)], " and "); got != value {
			r.t.Errorf("%s of %s %s is %q, want %q", name, req.Method, text, got, value)
		}
	}
}

// inHeader returns text in the encoding of a header.
func inHeader(s string) string {
	plain := s == strings.TrimSpace(s) && !strings.HasPrefix(s, "=?base64?")
	for _, c := range s {
		plain = plain && c >= ' ' && c <= '~'
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// TestEveryRequestHasTheHeadersOfItsRevision sends requests of every kind. The relay checks their
// headers.
func TestEveryRequestHasTheHeadersOfItsRevision(t *testing.T) {
	eachPlayed(t, "tools.call.params", func(t *testing.T, revision, transport string) {
		proves(t, "session.client-sends", "session.client-delete", "http.version-header.subsequent", "http.version-header.negotiated", "http.version-header.every-post",
			"http.version-header.equals-meta", "http.post.accept", "http.post.one-per-message", "http.post.body.single", "http.post.body.batch", "http.post.body.modern", "http.post.no-response-body",
			"http.get.accept", "http.header.mcp-method", "http.header.mcp-name", "http.header.mcp-name.encode", "http.post.metadata-headers", "http.param.all-steps",
			"meta.request.protocol-version", "meta.request.client-capabilities", "meta.request.client-info", "xtasks.http.mcp-name", "sse.post-to-endpoint",
			"resources.read.params", "prompts.get.params")
		opts := answering()
		opts.Tasks = true
		p, c := playedOver(t, transport, revision, opts)
		ctx := t.Context()
		do := exchanges(t, p)
		held := calling(t, c, nil) // this call waits while others are sent
		waiting := p.Expect("tools/call")
		for _, name := range []string{"x", "with space", " x", "x ", "\tx", "é", "x\ny", "x\u007f", "=?base64?eA==?=", "=?base64?", "?=", "=?BASE64?eA==?=", "=?base64??=", "~!", strings.Repeat("n", 300), strings.Repeat("é", 300), strings.Repeat("ÿ", 101), "null", "a#b", ""} {
			quoted, err := json.Marshal(name)
			must(t, err)
			if name == "x\u007f" {
				quoted = []byte("\"x\u007f\"")
			}
			do("tools/call", emptyContent, `"params":{"name":`+string(quoted), func() error { _, err := c.CallTool(ctx, name, nil, nil); return err })
			do("prompts/get", `{"resultType":"complete","messages":[]}`, `"params":{"name":`+string(quoted), func() error { _, err := c.GetPrompt(ctx, name, nil, nil); return err })
			do("resources/read", `{"resultType":"complete","contents":[]}`, `"params":{"uri":`+string(quoted), func() error { _, err := c.ReadResource(ctx, name, nil); return err })
			if revision == latest && name != "" {
				do("tasks/cancel", `{"resultType":"complete"}`, `"taskId":`+string(quoted), func() error { return c.Task(name).Cancel(ctx) })
			}
		}
		do("tools/list", `{"resultType":"complete","tools":[]}`, "", func() error { return lastOf(c.Tools(ctx)) })
		do("prompts/get", `{"resultType":"complete","messages":[]}`, `"params":{"name":"p","arguments":{"":"é","a":"","b":"1","c":"null"}`, func() error {
			_, err := c.GetPrompt(ctx, "p", map[string]string{"a": "", "b": "1", "c": "null", "": "é"}, nil)
			return err
		})
		do("completion/complete", `{"resultType":"complete","completion":{"values":[]}}`, "", func() error { _, err := c.CompletePrompt(ctx, "p", "a", "", nil); return err })
		for _, method := range []string{"example/any", "Example/AnyOther", "tools/call", "prompts/get", "resources/read", "tasks/get"} {
			if method == "tasks/get" && revision < "2025-11-25" {
				continue
			}
			do(method, `{"resultType":"complete"}`, `"name":"é n"`, func() error {
				_, err := c.Call(ctx, method, map[string]string{"name": "é n", "uri": "x:é", "taskId": "=?base64?eA==?="}, nil)
				return err
			})
		}
		p.Reply(waiting, emptyContent)
		must(t, <-held)
		must(t, c.Notify(ctx, "notifications/example", nil))
		p.Expect("notifications/example")
		ping := map[bool]string{true: "server/discover", false: "ping"}[revision == latest]
		do(ping, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`, "", func() error { return c.Ping(ctx) })
		// The caller cancels a request.
		callCtx, cancel := context.WithCancel(ctx)
		failed := make(chan error, 1)
		go func() {
			_, err := c.CallTool(callCtx, "tool", nil, nil)
			failed <- err
		}()
		call := p.Expect("tools/call")
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
		if m := p.Expect("notifications/cancelled"); !strings.Contains(m.Line, `"requestId":`+string(call.ID)) {
			t.Errorf("sent %s", m.Line)
		}
		if revision < latest {
			if m := p.Ask("roots/list", `{}`); m.Result == nil {
				t.Errorf("answered %s", m.Line)
			}
			if m := p.Ask("no/such", `{}`); m.Error == nil {
				t.Errorf("answered %s", m.Line)
			}
			return
		}
		const task = `"taskId":"é","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":1`
		const questions = `"requestState":"s","inputRequests":{"q":{"method":"roots/list","params":{"_meta":{"progressToken":7}}}}`
		proves(t, "xtasks.client.both-shapes", "mrtr.client.original-params", "progress.server-only")
		// A server of this revision must not send requests, so they get no response.
		failed = calling(t, c, nil)
		call = p.Expect("tools/call")
		for _, id := range []string{`"a"`, `7`, `""`, string(call.ID)} {
			for _, method := range []string{"ping", "roots/list", "sampling/createMessage", "elicitation/create", "no/such"} {
				p.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{}}`)
			}
		}
		p.Reply(call, emptyContent)
		must(t, <-failed)
		do("tools/list", `{"resultType":"complete","tools":[{"name":"marked","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}}]}`, "", func() error { return lastOf(c.Tools(ctx)) })
		for _, request := range []struct {
			method, result string
			call           func() error
		}{
			{"tools/call", emptyContent, func() error { _, err := c.CallTool(ctx, "marked", map[string]string{"a": "é"}, nil); return err }},
			{"tools/call", emptyContent, func() error {
				_, err := c.CallTool(ctx, "marked", map[string]string{"a": "é"}, &mcp.CallOptions{Progress: func(mcp.Progress) {}, Meta: mcp.Meta{"com.example/a": 1}})
				return err
			}},
			{"tools/call", emptyContent, func() error {
				_, err := c.Call(ctx, "tools/call", map[string]any{"name": "marked", "arguments": map[string]string{"a": "é"}}, nil)
				return err
			}},
			{"prompts/get", `{"resultType":"complete","messages":[]}`, func() error {
				_, err := c.GetPrompt(ctx, "p", map[string]string{"a": "", "b": "1", "c": "true"}, nil)
				return err
			}},
			{"resources/read", `{"resultType":"complete","contents":[]}`, func() error { _, err := c.ReadResource(ctx, "x:a", nil); return err }},
		} {
			failed := make(chan error, 1)
			go func() { failed <- request.call() }()
			m := p.Expect(request.method)
			asks := []string{questions, `"requestState":"s"`, `"requestState":"s"`, `"inputRequests":{"q":{"method":"roots/list"}}`}
			for i, ask := range asks {
				p.Reply(m, `{"resultType":"input_required",`+ask+`}`)
				again := p.Expect(request.method)
				if got, want := plainRequest(t, again), plainRequest(t, m); got != want || again.ID == nil || string(again.ID) == string(m.ID) {
					t.Errorf("round %d is %s, want %s again", i, again.Line, want)
				}
				m = again
			}
			p.Reply(m, request.result)
			must(t, <-failed)
		}
		failed = calling(t, c, nil)
		p.Reply(p.Expect("tools/call"), `{"resultType":"input_required",`+questions+`}`)
		p.Reply(p.Expect("tools/call"), `{"resultType":"task","status":"working",`+task+`}`)
		p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"input_required",`+task+`,`+questions+`}`)
		p.Reply(p.Expect("tasks/update"), `{"resultType":"complete"}`)
		p.Reply(p.Expect("tasks/get"), `{"resultType":"complete","status":"completed",`+task+`,"result":{"content":[]}}`)
		must(t, <-failed)
		subscribed := make(chan *mcp.Subscription, 1)
		go func() {
			s, err := c.Subscribe(ctx, mcp.Filter{Tools: true})
			must(t, err)
			subscribed <- s
		}()
		listen := p.Expect("subscriptions/listen")
		p.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+string(listen.ID)+`},"notifications":{"toolsListChanged":true}}`)
		go (<-subscribed).Close()
		p.Expect("notifications/cancelled")
	})
}

// plainRequest returns the method and params of a request without the parts that differ between
// rounds. It checks that the progress token belongs to the request.
func plainRequest(t *testing.T, m mcptest.Message) string {
	t.Helper()
	var params map[string]any
	must(t, json.Unmarshal(m.Params, &params))
	delete(params, "inputResponses")
	delete(params, "requestState")
	if meta, ok := params["_meta"].(map[string]any); ok && meta["progressToken"] != nil {
		meta["progressToken"] = fmt.Sprint(meta["progressToken"]) == string(m.ID)
	}
	text, err := json.Marshal(params)
	must(t, err)
	return m.Method + " " + string(text)
}
