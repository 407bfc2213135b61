package mcp_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// memory is an in-memory network for HTTP tests in fake time. Its addresses are loopback addresses.
type memory struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newMemory() *memory { return &memory{conns: make(chan net.Conn), done: make(chan struct{})} }

type loopbackConn struct{ net.Conn }

func (loopbackConn) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (l *memory) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *memory) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *memory) Addr() net.Addr { return loopbackConn{}.LocalAddr() }

func (l *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- loopbackConn{far}:
		return near, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// site is an HTTP server with MCP at /mcp and HTTP+SSE at /sse.
type site struct {
	t       testing.TB
	handler *mcp.HTTPHandler
	dial    func(ctx context.Context, network, addr string) (net.Conn, error)
	client  *http.Client
	stop    func() error // stops the server and returns the error of Serve
}

// host serves s in memory until the test ends.
func host(t testing.TB, s *mcp.Server, opts *mcp.HTTPOptions) *site {
	t.Helper()
	l := newMemory()
	return hostOn(t, s, opts, l, l.dial)
}

// hostOn serves s on l. The header "Test-Principal" contains the authenticated principal.
func hostOn(t testing.TB, s *mcp.Server, opts *mcp.HTTPOptions, l net.Listener, dial func(context.Context, string, string) (net.Conn, error)) *site {
	t.Helper()
	h := s.HTTPHandler(opts)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.Handle("/sse", s.SSEHandler(opts))
	front := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if principal := r.Header.Get("Test-Principal"); principal != "" {
			r = r.WithContext(mcp.WithPrincipal(r.Context(), principal))
		}
		mux.ServeHTTP(w, r)
	})
	ctx, cancel := context.WithCancel(context.Background())
	var err error
	served := make(chan struct{})
	go func() {
		defer close(served)
		err = h.Serve(ctx, l, front)
	}()
	transport := &http.Transport{DialContext: dial}
	endpoint := &site{t: t, handler: h, dial: dial, client: &http.Client{Transport: transport}}
	endpoint.stop = func() error { // a test may be blocked in stop when it ends
		cancel()
		<-served
		return err
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		endpoint.stop()
		transport.CloseIdleConnections()
	})
	return endpoint
}

// socketPath returns a path for a Unix socket. The path is short, as operating systems require,
// even if that of t.TempDir is long.
func socketPath(t testing.TB) string {
	t.Helper()
	parent := os.TempDir()
	if len(parent) > 64 {
		parent = "/tmp"
	}
	dir, err := os.MkdirTemp(parent, "mcp") //nolint:usetesting // see above
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

// hostPlain serves a handler in memory, without Serve.
func hostPlain(t testing.TB, h http.Handler) *site {
	t.Helper()
	endpoint, _ := hostCounted(t, h)
	return endpoint
}

// hostCounted is like hostPlain, but counts the open connections.
func hostCounted(t testing.TB, h http.Handler) (*site, *counted) {
	t.Helper()
	l := newMemory()
	count := &counted{Listener: l}
	server := &http.Server{Handler: h}
	served := make(chan error, 1)
	go func() { served <- server.Serve(count) }()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		<-served
	})
	return &site{t: t, dial: l.dial, client: &http.Client{Transport: transport}}, count
}

// web is a client of a site. It validates what it receives against the official schema of its
// revision.
type web struct {
	*checker
	site *site
	head http.Header // headers of every request
	last int         // ID of the last request of call
	ctx  context.Context
}

func (endpoint *site) web() *web {
	w := &web{checker: &checker{t: endpoint.t, transport: "http"}, site: endpoint, head: http.Header{}, ctx: context.Background()}
	w.head.Set("Content-Type", "application/json")
	w.head.Set("Accept", "application/json, text/event-stream")
	return w
}

// open returns a client of the revision, with a session if the revision has
// them.
func (endpoint *site) open(revision string) *web {
	endpoint.t.Helper()
	return endpoint.openWith(revision, `{}`)
}

func (endpoint *site) openWith(revision, capabilities string) *web {
	endpoint.t.Helper()
	w := endpoint.web()
	if revision == "2026-07-28" {
		w.session = revision
		w.head.Set("Mcp-Protocol-Version", revision)
		return w
	}
	w.initialize(revision, capabilities)
	return w
}

// initialize opens a session.
func (w *web) initialize(revision, capabilities string) *answer {
	w.t.Helper()
	w.session = revision
	a := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}`, revision, capabilities))
	a.want(http.StatusOK)
	if m := a.message(); m.Error != nil {
		w.t.Fatal(m.line)
	}
	if id := a.head.Get("Mcp-Session-Id"); id != "" {
		w.head.Set("Mcp-Session-Id", id)
	}
	if revision >= "2025-06-18" {
		w.head.Set("MCP-Protocol-Version", revision)
	}
	w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).want(http.StatusAccepted)
	return a
}

// with returns the client with additional headers of the form "Name: value"; "Name:" removes a
// header.
func (w *web) with(headers ...string) *web {
	other := &web{checker: w.checker, site: w.site, head: w.head.Clone(), ctx: w.ctx}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ":")
		other.head.Del(name)
		if value = strings.TrimSpace(value); value != "" {
			other.head.Set(name, value)
		}
	}
	return other
}

// answer is the response to an HTTP request.
type answer struct {
	w      *web
	status int
	head   http.Header
	events bool               // whether the body is an event stream, which next reads
	body   string             // the body, if events is false
	lines  chan string        // lines of the event stream
	failed error              // why lines is closed
	close  context.CancelFunc // closes the connection
	ids    map[string]bool    // IDs of the events that were read
	beats  int                // number of comments that were read
}

// post sends a POST request and returns when the header of the response has arrived.
func (w *web) post(body string) *answer {
	w.t.Helper()
	w.note([]byte(body))
	return w.do(http.MethodPost, strings.NewReader(body))
}

func (w *web) do(method string, body io.Reader) *answer {
	w.t.Helper()
	a, err := w.try(method, "/mcp", body)
	if err != nil {
		w.t.Fatalf("%s: %v", method, err)
	}
	return a
}

func (w *web) try(method, path string, body io.Reader) (*answer, error) {
	ran(w.t, cmp.Or(w.session, w.head.Get("Mcp-Protocol-Version")), w.transport)
	ctx, cancel := context.WithTimeout(w.ctx, 24*time.Hour)
	req, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, body)
	if err != nil {
		cancel()
		return nil, err
	}
	req.Header = w.head.Clone()
	if h := w.head.Get("Host"); h != "" {
		req.Host = h
	}
	resp, err := w.site.client.Do(req)
	if err != nil {
		cancel()
		return nil, err
	}
	a := &answer{w: w, status: resp.StatusCode, head: resp.Header, ids: map[string]bool{}}
	ended := make(chan struct{}) // closed when no more events are read
	a.close = func() {
		cancel()
		<-ended // a Close during a Read can block in a bubble, because http.Transport of Go 1.27 waits on a mutex
		resp.Body.Close()
	}
	if a.events = resp.Header.Get("Content-Type") == "text/event-stream"; a.events {
		a.lines = make(chan string, 10_000)
		go func() {
			defer close(ended)
			defer close(a.lines)
			lines := bufio.NewReader(resp.Body)
			for {
				var line string
				if line, a.failed = lines.ReadString('\n'); a.failed != nil {
					return
				}
				a.lines <- line
			}
		}()
		w.t.Cleanup(a.close)
		return a, nil
	}
	close(ended)
	defer a.close()
	data, err := io.ReadAll(resp.Body)
	if a.body = string(data); err != nil {
		return a, err
	}
	if len(data) > 0 && resp.Header.Get("Content-Type") != "application/json" {
		w.t.Errorf("%s answered with content type %q", method, resp.Header.Get("Content-Type"))
	}
	return a, nil
}

func (a *answer) want(status int) *answer {
	a.w.t.Helper()
	if a.status != status {
		a.w.t.Fatalf("want status %d, got %d: %s", status, a.status, a.body)
	}
	if status == http.StatusAccepted && a.body != "" {
		a.w.t.Errorf("status 202 has a body: %s", a.body)
	}
	return a
}

// wantError checks the status and the code of the error in the body.
func (a *answer) wantError(status, code int) *message {
	a.w.t.Helper()
	a.want(status)
	m := a.message()
	if m.Error == nil || m.Error.Code != code {
		a.w.t.Fatalf("want error %d, got %s", code, m.line)
	}
	return m
}

// message returns the body, which must be one message.
func (a *answer) message() *message {
	a.w.t.Helper()
	if a.events {
		a.w.t.Fatalf("the answer is an event stream")
	}
	return a.w.decode(a.body)
}

func (w *web) decode(line string) *message {
	w.t.Helper()
	m := &message{line: line}
	if err := json.Unmarshal([]byte(line), m); err != nil {
		w.t.Fatalf("server sent %.300q: %v", line, err)
	}
	if m.Error != nil && m.ID == nil {
		conforms(w.t, "2025-11-25", "", []byte(line)) // the body of a refusal has the same format in every revision
	} else {
		w.check([]byte(line))
	}
	return m
}

type event struct {
	id, name, data string
	retry          string
}

var errStreamEnded = errors.New("the event stream has ended")

func (a *answer) next() *event {
	a.w.t.Helper()
	e, err := a.read()
	if err != nil {
		a.w.t.Fatalf("reading an event: %v", err)
	}
	return e
}

func (a *answer) read() (*event, error) {
	if !a.events {
		return nil, fmt.Errorf("the answer is no event stream but status %d: %s", a.status, a.body)
	}
	e := new(event)
	for {
		line, ok := <-a.lines
		switch {
		case !ok && errors.Is(a.failed, io.EOF) && *e == event{}:
			return nil, errStreamEnded
		case !ok:
			return nil, a.failed
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" && *e == (event{}) {
			continue // the lines of a comment
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if e.id != "" && a.ids[e.id] {
				return nil, fmt.Errorf("event id %q is used twice", e.id)
			}
			a.ids[e.id] = true
			return e, nil
		case name == "":
			a.beats++
		case name == "id":
			e.id = value
		case name == "event":
			e.name = value
		case name == "retry":
			e.retry = value
		case name == "data" && e.data == "":
			if e.data = value; value == "" {
				e.name = "priming"
			}
		default:
			return nil, fmt.Errorf("the event stream has a line %q", line)
		}
	}
}

// receive reads the next event with a message.
func (a *answer) receive() *message {
	a.w.t.Helper()
	return a.w.decode(a.nextMessage().data)
}

// nextMessage reads the next event that has a message.
func (a *answer) nextMessage() *event {
	a.w.t.Helper()
	for {
		switch e := a.next(); e.name {
		case "message":
			return e
		case "priming":
		default:
			a.w.t.Fatalf("event of type %q", e.name)
		}
	}
}

// listChanged reads the next event with a message, which must be the notification that the list of
// tools has changed.
func (a *answer) listChanged() *event {
	a.w.t.Helper()
	e := a.nextMessage()
	if m := a.w.decode(e.data); m.Method != "notifications/tools/list_changed" {
		a.w.t.Error(m.line)
	}
	return e
}

// response reads the rest of the response in either form. It returns the last message and the
// number of messages before it.
func (a *answer) response() (m *message, before int) {
	a.w.t.Helper()
	if !a.events {
		return a.message(), 0
	}
	for {
		m = a.receive()
		if m.Method == "" {
			break
		}
		before++
	}
	a.ends()
	return m, before
}

// ends checks that the stream ends.
func (a *answer) ends() {
	a.w.t.Helper()
	if e, err := a.read(); !errors.Is(err, errStreamEnded) {
		a.w.t.Fatalf("want the end of the stream, got %+v, %v", e, err)
	}
}

// request returns a request in the client's revision. members contains the members of its params.
func (w *web) request(id any, method, members string) string {
	if w.head.Get("Mcp-Protocol-Version") == "2026-07-28" {
		if members != "" {
			members += ","
		}
		members += modernMeta("")
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":%q,"params":{%s}}`, id, method, members)
}

// begin sends a request with the headers that its method requires.
func (w *web) begin(id any, method, members string) *answer {
	w.t.Helper()
	if w.head.Get("Mcp-Protocol-Version") == "2026-07-28" {
		var p struct{ Name, URI string }
		json.Unmarshal([]byte("{"+members+"}"), &p)
		w = w.with("Mcp-Method: "+method, "Mcp-Name: "+p.Name+p.URI)
	}
	return w.post(w.request(id, method, members))
}

// call calls a tool.
func (w *web) call(tool, arguments string) *answer {
	w.t.Helper()
	w.last++
	return w.begin(w.last, "tools/call", callParams(tool, arguments))
}

// say calls the tool "echo" and checks its result.
func (w *web) say(text string) {
	w.t.Helper()
	a := w.call("echo", fmt.Sprintf(`{"message":%q}`, text)).want(http.StatusOK)
	if m, _ := a.response(); m.text() != text {
		w.t.Fatalf("echo of %q: %s", text, m.line)
	}
}

// stage is a server with tools that a test controls.
type stage struct {
	*mcp.Server
	began   chan *mcp.Request
	release chan string // results for calls of work
	ended   chan error  // error of the context of each call to work
	dummies int
}

// work returns the text from release, or the error of its context.
func (g *stage) work(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
	g.began <- r
	select {
	case text := <-g.release:
		g.ended <- nil
		return text, nil
	case <-ctx.Done():
		g.ended <- ctx.Err()
		return "", ctx.Err()
	}
}

// newStage returns a server with the tools of echoServer and "wait", which waits until it is
// released or its context is done; "talk", which first sends progress and log messages; "ask",
// which asks the client for a name; and "poll", which closes its stream and waits.
func newStage(t testing.TB, opts *mcp.ServerOptions) *stage {
	t.Helper()
	if opts == nil {
		opts = &mcp.ServerOptions{}
	}
	opts.Capabilities.Logging = true
	g := &stage{Server: echoServer(t, opts), began: make(chan *mcp.Request, 2000), release: make(chan string), ended: make(chan error, 2000)}
	must(t,
		mcp.AddTool(g.Server, mcp.Tool{Name: "wait"}, g.work),
		mcp.AddTool(g.Server, mcp.Tool{Name: "talk"}, func(ctx context.Context, r *mcp.Request, in struct {
			Times int  `json:"times"`
			Wait  bool `json:"wait,omitempty"`
		}) (string, error) {
			for i := range in.Times {
				r.Progress(float64(i+1), 0, "")
				r.Log(mcp.LevelError, "talk", fmt.Sprintf("said %d", i+1))
			}
			if in.Wait {
				return g.work(ctx, r, struct{}{})
			}
			return "done", nil
		}),
		mcp.AddTool(g.Server, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			form, action, err := mcp.Elicit[nameForm](ctx, r, "Who are you?")
			if err != nil || action != mcp.ActionAccept {
				return string(action), err
			}
			return "Hello, " + form.Name, nil
		}),
		mcp.AddTool(g.Server, mcp.Tool{Name: "poll"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Session().CloseStream(3 * time.Second)
			return g.work(ctx, r, struct{}{})
		}),
	)
	return g
}

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("reading: %v", err)
	}
	return string(data)
}

// raw opens a connection and writes text to it.
func (endpoint *site) raw(text string) net.Conn {
	endpoint.t.Helper()
	c, err := endpoint.dial(context.Background(), "tcp", "localhost:80")
	if err != nil {
		endpoint.t.Fatal(err)
	}
	endpoint.t.Cleanup(func() { c.Close() })
	go io.Copy(c, bytes.NewReader([]byte(text)))
	return c
}

// exitTool ends its goroutine, as t.FailNow does in a handler.
func exitTool(context.Context, *mcp.Request, struct{}) (string, error) {
	runtime.Goexit()
	return "", nil
}
