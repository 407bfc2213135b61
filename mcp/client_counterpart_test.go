package mcp_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// counterpart is the server that a client in a transcript uses, and the network between them. It
// records what the client sends, and sends the test's answers. It waits until the client sends
// nothing more at a given instant, so that the order of messages does not depend on the machine.
type counterpart struct {
	t *testing.T
	variant
	capabilities string // capabilities of the server

	conn     io.WriteCloser // the server's end of a pipe
	get      *events        // the last stream that a GET request opened
	held     []*arrival     // requests that are not answered before "! answer", newest last
	last     string         // ID of the last request
	sessions int
	script   []cue
	closing  bool

	mu      sync.Mutex
	session string // revision of the session that the server opened last
	arrived []*arrival
	notes   []string
	shown   strings.Builder
}

// cue is the answer to the next request with a method.
type cue struct{ method, answer string }

// arrival is a message from the client, or an HTTP request without a message.
type arrival struct {
	text       string // text in the transcript
	method, id string // HTTP method other than POST, and the request's ID
	params     json.RawMessage
	ctx        context.Context
	reply      chan *http.Response // nil for messages on a pipe
	stream     *events             // stream of a request that has not been answered
}

// last returns 1 for a message that the transcript shows last. Another goroutine of the client
// sends it at the same instant, so its position on a pipe varies.
func (a *arrival) last() int {
	if a.method == "notifications/cancelled" {
		return 1
	}
	return 0
}

func (p *counterpart) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes = append(p.notes, "# "+fmt.Sprintf(format, args...))
}

func (p *counterpart) arrive(a *arrival, body string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	if body != "" {
		p.mu.Lock()
		revision := cmp.Or(p.session, p.revision)
		p.mu.Unlock()
		conformsToClient(p.t, revision, []byte(body))
		must(p.t, json.Unmarshal([]byte(body), &m))
		a.method, a.id, a.params = m.Method, string(m.ID), m.Params
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrived = append(p.arrived, a)
}

// dial connects a client over a pipe.
func (p *counterpart) dial(context.Context) (io.ReadWriteCloser, error) {
	p.note("the client connects")
	near, far := net.Pipe()
	p.mu.Lock()
	p.conn = far
	p.mu.Unlock()
	go func() {
		lines := bufio.NewReaderSize(far, 1<<20)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				if line != "" {
					p.t.Errorf("the client sent a part of a line: %s", line)
				}
				p.note("the connection has ended")
				far.Close()
				return
			}
			line = strings.TrimSuffix(line, "\n")
			p.arrive(&arrival{text: line}, line)
		}
	}()
	return near, nil
}

// RoundTrip answers an HTTP request from the client.
func (p *counterpart) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body.Close()
	}
	var head []string
	for name, values := range r.Header {
		for _, value := range values {
			head = append(head, name+": "+value)
		}
	}
	slices.Sort(head)
	a := &arrival{method: r.Method, ctx: r.Context(), reply: make(chan *http.Response, 1)}
	a.text = strings.TrimSpace(fmt.Sprintf("%s %s | %s | %s", r.Method, r.URL.RequestURI(), strings.Join(head, " | "), body))
	p.arrive(a, string(body))
	if r.Method == http.MethodDelete {
		p.answer(a) // answered immediately, because others wait for the end of the client
	}
	select {
	case res := <-a.reply:
		if res == nil {
			return nil, errors.New("the network is down")
		}
		res.Request = r
		return res, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

type events struct {
	name string
	w    *io.PipeWriter
	once sync.Once
}

// open answers a request with an event stream.
func (p *counterpart) open(a *arrival) *events {
	r, w := io.Pipe()
	s := &events{name: strings.TrimSpace(a.method + " " + a.id), w: w}
	gone := func() {
		s.once.Do(func() { p.note("the client leaves the stream of %s", s.name) })
		w.CloseWithError(context.Canceled)
	}
	context.AfterFunc(a.ctx, gone)
	a.reply <- &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}, Body: body{r, func() error { gone(); return nil }}}
	return s
}

type body struct {
	io.Reader
	close func() error
}

func (b body) Close() error { return b.close() }

// end ends the stream as a server does, after sending last unless it is "".
func (s *events) end(text string) {
	s.once.Do(func() {})
	if text != "" {
		s.message(text)
	}
	s.w.Close()
}

func (s *events) message(text string) { io.WriteString(s.w, "data: "+text+"\n\n") }

// status answers with an HTTP status and a body or a header.
func (a *arrival) status(code int, rest string) {
	res := &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
	if strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") {
		res.Header.Set("Content-Type", "application/json")
		res.Body = io.NopCloser(strings.NewReader(rest))
	} else if name, value, ok := strings.Cut(rest, ": "); ok {
		res.Header.Set(name, value)
	}
	a.reply <- res
}

// run waits until the client has nothing to do, and answers what it has sent.
func (p *counterpart) run() {
	for {
		synctest.Wait()
		p.mu.Lock()
		wave, notes := p.arrived, p.notes
		p.arrived, p.notes = nil, nil
		p.mu.Unlock()
		if len(wave) == 0 && len(notes) == 0 {
			return
		}
		slices.SortStableFunc(wave, func(a, b *arrival) int {
			if p.transport != "pipe" {
				return strings.Compare(a.text, b.text)
			}
			return a.last() - b.last()
		})
		slices.Sort(notes)
		for _, a := range wave {
			p.shown.WriteString(a.text + "\n")
		}
		for _, note := range notes {
			p.shown.WriteString(note + "\n")
		}
		for _, a := range wave {
			if a.method != http.MethodDelete {
				p.answer(a)
			}
		}
	}
}

// answer answers a request according to the script, or as a server without any entries.
func (p *counterpart) answer(a *arrival) {
	if p.transport == "sse" && p.get == nil && a.method != http.MethodGet {
		a.status(http.StatusMethodNotAllowed, "")
		return
	}
	answer := p.usual(a)
	for i, c := range p.script {
		if c.method == a.method {
			p.script = slices.Delete(p.script, i, i+1)
			answer = c.answer
			break
		}
	}
	if a.id != "" && a.method != "" {
		p.last = a.id
	}
	if rest, ok := strings.CutPrefix(answer, "status "); ok {
		code, rest, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(code)
		must(p.t, err)
		a.status(n, strings.ReplaceAll(rest, "ID", a.id))
		return
	}
	if p.transport == "sse" && a.method != http.MethodGet {
		a.status(http.StatusAccepted, "")
	}
	switch answer {
	case "drop":
		p.drop()
		if a.reply != nil {
			a.reply <- nil
		}
	case "stream": // the stream that a GET request opens
		p.get = p.open(a)
		if p.transport == "sse" {
			io.WriteString(p.get.w, "event: endpoint\ndata: /messages?session=1\n\n")
		}
	case "":
		if a.reply != nil && p.transport != "sse" {
			a.status(http.StatusAccepted, "")
		}
	case "hold", "listen":
		if p.has("json", "stream") {
			a.stream = p.open(a)
		}
		p.held = append(p.held, a)
		if answer == "listen" {
			p.send(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID},` + strings.TrimPrefix(strings.SplitAfter(string(a.params), `,"_meta"`)[0], "{"))
		}
	default:
		p.finish(a, p.response(a.id, answer))
	}
}

func (p *counterpart) finish(a *arrival, response string) {
	if a.method == "initialize" {
		var m struct {
			Result struct{ ProtocolVersion string }
		}
		if json.Unmarshal([]byte(response), &m) == nil && slices.Contains(revisions, m.Result.ProtocolVersion) {
			p.mu.Lock()
			p.session = m.Result.ProtocolVersion
			p.mu.Unlock()
		}
	}
	switch {
	case a.stream != nil:
		a.stream.end(response)
	case p.transport == "stream":
		p.open(a).end(response)
	case p.transport == "json":
		code := http.StatusOK
		if p.revision == latest && strings.Contains(response, `"error":{"code":-3202`) {
			code = http.StatusBadRequest
		}
		a.status(code, response)
	default:
		p.write(response)
	}
}

// response returns a JSON-RPC error if answer begins with "!", and otherwise a result. After "=",
// the result is used unchanged; otherwise, it gets the members that the revision requires.
func (p *counterpart) response(id, answer string) string {
	member := "result"
	switch answer[0] {
	case '!':
		member, answer = "error", answer[1:]
	case '=':
		answer = answer[1:]
	case '{':
		if p.revision == latest && !strings.Contains(answer, `"resultType"`) {
			answer = strings.Replace(`{"resultType":"complete",`+answer[1:], ",}", "}", 1)
		}
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`, id, member, answer)
}

// write sends a message on the connection, or on the session's stream.
func (p *counterpart) write(text string) {
	switch {
	case p.transport == "pipe":
		io.WriteString(p.conn, text+"\n")
	case p.get != nil:
		p.get.message(text)
	}
}

// send sends a message where a server would send it: on the stream of the last unanswered request,
// or on the stream that GET opened.
func (p *counterpart) send(text string) {
	text = strings.ReplaceAll(text, "ID", p.last)
	if n := len(p.held); n > 0 && p.held[n-1].stream != nil {
		p.held[n-1].stream.message(text)
	} else {
		p.write(text)
	}
}

// drop breaks the connection or all streams.
func (p *counterpart) drop() {
	if p.conn != nil {
		p.conn.Close()
	}
	if p.get != nil {
		p.get.end("")
		p.get = nil
	}
	for _, a := range p.held {
		if a.stream != nil {
			a.stream.end("")
		}
	}
	p.held = nil
}

// usual returns the server's answer to a request for which there is no script.
func (p *counterpart) usual(a *arrival) string {
	old := p.revision != latest
	switch a.method {
	case http.MethodGet:
		if old {
			return "stream"
		}
		return "status 405"
	case http.MethodDelete:
		return "status 200"
	case "initialize":
		result := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"counterpart","version":"1"},"instructions":"Be kind."}`, p.revision, p.capabilities)
		if p.has("json", "stream") && old {
			p.sessions++
			a.reply = withHeader(a.reply, "Mcp-Session-Id", fmt.Sprint("session-", p.sessions))
		}
		return result
	case "server/discover":
		if !old {
			return fmt.Sprintf(`{"supportedVersions":[%q],"capabilities":%s,"instructions":"Be kind.","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"counterpart","version":"1"}}}`, latest, p.capabilities)
		}
		if p.transport != "pipe" {
			return "status 405"
		}
	case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/update":
		return "{}"
	case "tools/call":
		return `{"content":[]}`
	case "tools/list", "prompts/list", "resources/list", "tasks/list":
		return fmt.Sprintf(`{%q:[]}`, strings.TrimSuffix(a.method, "/list"))
	case "resources/templates/list":
		return `{"resourceTemplates":[]}`
	case "resources/read":
		return `{"contents":[]}`
	case "prompts/get":
		return `{"messages":[]}`
	case "completion/complete":
		return `{"completion":{"values":[]}}`
	case "subscriptions/listen":
		return "listen"
	}
	if a.id == "" || a.method == "" {
		return ""
	}
	return `!{"code":-32601,"message":"Method not found"}`
}

func withHeader(reply chan *http.Response, name, value string) chan *http.Response {
	inner := make(chan *http.Response, 1)
	go func() {
		res := <-inner
		res.Header.Set(name, value)
		reply <- res
	}()
	return inner
}

// options returns the options of a client with the features that words lists.
func (p *counterpart) options(words []string) *mcp.ClientOptions {
	has := func(word string) bool { return slices.Contains(words, word) }
	opts := &mcp.ClientOptions{
		Info:      mcp.Implementation{Name: "c", Version: "1"},
		Revisions: []string{p.revision}, Tasks: has("tasks"), Logger: slog.New(slog.DiscardHandler),
	}
	if has("whole") {
		opts.Info = mcp.Implementation{Name: "the \"client\"\n", Version: "é", Title: "Title", Description: "About it.", WebsiteURL: "https://example.com",
			Icons: []mcp.Icon{{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48"}}}}
	}
	if has("any") {
		opts.Revisions = nil
	}
	if has("roots") {
		opts.Roots = func(context.Context) ([]mcp.Root, error) {
			p.note("asked for roots")
			return []mcp.Root{{URI: "file:///src", Name: "src"}, {URI: "file:///tmp"}}, nil
		}
	}
	if has("sampling") || has("model") {
		opts.SampleTools = has("sampling")
		opts.Sample = func(_ context.Context, s *mcp.Sampling) (*mcp.SamplingResult, error) {
			p.note("asked for a message: %s", shown(s))
			if s.SystemPrompt == "decline" {
				return nil, mcp.ErrDeclined
			}
			return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("Hello.\n")}, StopReason: "endTurn"}, nil
		}
	}
	if has("forms") {
		opts.ElicitForm = func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			p.note("asked to fill in a form: %s", shown(e))
			return mcp.ElicitationResult{Action: mcp.Action(e.Message), Content: json.RawMessage("{ \"name\": \"Ada\"\n}")}, nil
		}
	}
	if has("pages") {
		opts.ElicitURL = func(_ context.Context, e *mcp.Elicitation) (mcp.Action, error) {
			p.note("asked to visit a page: %s", shown(e))
			return mcp.Action(e.Message), nil
		}
		opts.ElicitationComplete = func(id string) { p.note("the page %s is done with", id) }
	}
	if has("log") {
		opts.Log, opts.LogLevel = func(m mcp.LogMessage) { p.note("logged: %s", shown(m)) }, mcp.LevelWarning
	}
	if has("extension") {
		opts.Extensions = map[string]any{"com.example/x": map[string]int{"b": 1, "a": 2}}
		opts.Notification = func(method string, params json.RawMessage) { p.note("notified: %s %s", method, params) }
	}
	return opts
}

func (p *counterpart) connection(words []string) mcp.Transport {
	if p.transport == "pipe" {
		return &mcp.ConnTransport{Dial: p.dial}
	}
	t := &mcp.HTTPTransport{URL: "https://example.com/mcp?x=1", HTTPClient: &http.Client{Transport: p}}
	if slices.Contains(words, "header") {
		t.Header = http.Header{"X-Api-Key": {"key"}, "Mcp-Method": {"mine"}, "Mcp-Protocol-Version": {"mine"}}
	}
	if slices.Contains(words, "sign-in") {
		t.Authorizer = &countingUser{p: p}
	}
	return t
}

// countingUser is an Authorizer that gets a new token after each challenge.
type countingUser struct {
	p     *counterpart
	mu    sync.Mutex
	token int
}

func (u *countingUser) Authorize(_ context.Context, r *http.Request) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	r.Header.Set("Authorization", fmt.Sprint("Bearer token-", u.token))
	return nil
}

func (u *countingUser) Challenged(_ context.Context, res *http.Response) error {
	u.p.note("challenged: %d %s", res.StatusCode, res.Header.Get("Www-Authenticate"))
	u.mu.Lock()
	defer u.mu.Unlock()
	u.token++
	return nil
}

// wait advances the fake time, and answers what arrives in the meantime.
func (p *counterpart) wait(d time.Duration) {
	for step := max(d/500, 10*time.Millisecond); d > 0; d -= step {
		time.Sleep(min(step, d))
		p.run()
	}
}
