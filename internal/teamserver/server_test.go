package teamserver

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/teamserver/apikey"
)

// tape is a language whose packages contain the project for which they were requested.
type tape struct {
	hold <-chan struct{} // reading the package "slow" waits for this channel
	busy chan<- struct{} // receives a value when reading the package "slow" starts
}

func (tape) Info() *ecosystem.Info {
	return &ecosystem.Info{
		ID: "tape", Style: apidoc.Style{Name: "Tape", Separator: "."},
		Help: ecosystem.Help{Noun: "a tape", Package: "name of a tape", Versioned: "turtle@2", Symbols: []string{"PLOT"}, Describe: []string{"turtle"}, Search: []string{"turtle x"}},
	}
}

func (l tape) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Read: func(ctx context.Context) (*apidoc.Package, error) {
		if strings.HasPrefix(q.Package, "slow") && l.hold != nil {
			l.busy <- struct{}{}
			select {
			case <-l.hold:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return &apidoc.Package{Name: q.Package, Version: "2", Synopsis: "asked for [" + q.ProjectDir + "]", Doc: "Asked for [" + q.ProjectDir + "].", Provenance: apidoc.Provenance{Source: "tape", ChosenBy: "test"}}, nil
	}}, nil
}
func (tape) HasProject(string) bool             { return false }
func (tape) Names(string, string, int) []string { return nil }
func (tape) Doctor(string) []ecosystem.Fact     { return nil }

// logText collects a log.
type logText struct {
	mu        sync.Mutex
	b         strings.Builder
	announced chan struct{} // closed when the log contains the announcement
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := strings.Contains(l.b.String(), announcement)
	n, err := l.b.Write(p)
	if !before && strings.Contains(l.b.String(), announcement) {
		close(l.announced)
	}
	return n, err
}

// announcement is a part of the line that a server logs when it is listening.
const announcement = "the server is listening"

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// running is a server that runs until the end of the test.
type running struct {
	*Server
	url  string
	log  *logText
	stop func() error // stops the server and returns the error of Serve
}

// start runs a server on a free port of the loopback interface.
func start(t *testing.T, language ecosystem.Language, o Options) *running {
	t.Helper()
	r := &running{log: &logText{announced: make(chan struct{})}}
	o.Logger = slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Addr = "127.0.0.1:0"
	if o.ProjectsDir == "" {
		o.ProjectsDir = t.TempDir()
	}
	if o.Documentation.Store == nil {
		o.Documentation.Store = store.New(ecosystem.Languages{language}, store.Options{})
	}
	o.Documentation.Version = "1"
	address := make(chan net.Addr, 1)
	o.HTTP.OnListen = func(a net.Addr) { address <- a }
	server, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Server = server
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx) }()
	r.stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() { _ = r.stop() })
	select {
	case a := <-address:
		r.url = "http://" + a.String()
	case err := <-served:
		t.Fatal(err)
	}
	<-r.log.announced
	return r
}

// call calls a tool over HTTP without a session. It returns the status and the text of the result.
func (r *running) call(t *testing.T, key string, arguments map[string]any) (status int, text string) {
	t.Helper()
	return r.tool(t, http.DefaultClient, key, "describe_tape_package", arguments)
}

func (r *running) tool(t *testing.T, client *http.Client, key, tool string, arguments map[string]any) (status int, text string) {
	t.Helper()
	return r.rpc(t, client, key, "tools/call", tool, map[string]any{"name": tool, "arguments": arguments})
}

// rpc sends an MCP request. name is the value of the header Mcp-Name; if it is empty, there is no
// such header.
func (r *running) rpc(t *testing.T, client *http.Client, key, method, name string, params map[string]any) (status int, text string) {
	t.Helper()
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, r.url+"/mcp", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	if name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

// newKeys returns the path of a key file, and a function that adds a key to it.
func newKeys(t *testing.T) (file string, add func(name string, expires time.Duration, groups ...string) string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "keys.json")
	return file, func(name string, expires time.Duration, groups ...string) string {
		t.Helper()
		var until time.Time
		if expires != 0 {
			until = time.Now().Add(expires)
		}
		text, _, err := apikey.Create(file, name, groups, until)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

func TestNew_RefusesUnsafeOptions(t *testing.T) {
	keys, add := newKeys(t)
	add("alice", 0)
	for _, tt := range []struct {
		options Options
		want    string // part of the expected error; empty if no error is expected
	}{
		{Options{Addr: "0.0.0.0:0"}, "needs authentication"},
		{Options{Addr: "192.0.2.1:80"}, "needs authentication"},
		{Options{Addr: "[::]:0"}, "needs authentication"},
		{Options{Addr: "docs.example.com:80"}, "needs authentication"},
		{Options{Addr: "[::ffff:192.0.2.1]:80"}, "needs authentication"},
		{Options{Addr: "0.0.0.0:0", Insecure: true}, ""},
		{Options{Addr: "0.0.0.0:0", Keys: keys}, ""},
		{Options{Addr: "0.0.0.0:0", Keys: keys + ".none"}, "cannot be read"},
		{Options{Addr: "127.0.0.1:0"}, ""},
		{Options{Addr: "[::1]:0"}, ""},
		{Options{Addr: ":0"}, ""},
		{Options{Addr: "localhost:0"}, ""},
		{Options{Addr: "unix:/run/x"}, ""},
		{Options{Addr: ":0", TLSCert: "x"}, "--tls-key"},
		{Options{Addr: ":0", ClientCA: "x"}, "--tls-cert"},
		{Options{Addr: ":0", OAuth: OAuth{Issuer: "https://login.example.com"}}, "--audience"},
		{Options{Addr: ":0", OAuth: OAuth{Issuer: "http://login.example.com", Audience: "https://docs.example.com/mcp"}}, "https"},
		{Options{Addr: ":0", OAuth: OAuth{Scopes: []string{"x"}}}, "--issuer"},
		{Options{Addr: ":0", Groups: map[string]Group{"a": {Projects: []string{"src"}}}}, "absolute"},
		{Options{Addr: ":0", Groups: map[string]Group{"a": {Environment: []string{"A=b"}}}}, "home"},
		{Options{Addr: ":0", Groups: map[string]Group{"*": {Home: "/x"}}}, "everyone"},
		{Options{Addr: ":0", Groups: map[string]Group{"a": {Home: "/x", Environment: []string{"=b"}}}}, "NAME=value"},
		{Options{Addr: ":0", Groups: map[string]Group{"a b": {}}}, "not a valid name"},
	} {
		_, err := New(tt.options)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %q", tt.options, err, tt.want)
		}
	}
}

func TestServe_WithoutAuthenticationOnLoopbackServesTheUser(t *testing.T) {
	r := start(t, tape{}, Options{})
	dir := t.TempDir()
	if status, text := r.call(t, "", map[string]any{"package": "turtle", "projectPath": dir}); status != 200 || !strings.Contains(text, "["+dir+"]") {
		t.Errorf("%d %s", status, text)
	}
}

func TestServe_AnswersTheRequestsInFlightBeforeItEnds(t *testing.T) {
	hold, busy := make(chan struct{}), make(chan struct{})
	r := start(t, tape{hold, busy}, Options{})
	type answer struct {
		status int
		text   string
	}
	answered := make(chan answer)
	go func() {
		status, text := r.call(t, "", map[string]any{"package": "slow"})
		answered <- answer{status, text}
	}()
	<-busy
	ended := make(chan error)
	go func() { ended <- r.stop() }()
	for !strings.Contains(r.log.String(), "the server is stopping") {
		runtime.Gosched()
	}
	close(hold)
	if a := <-answered; a.status != 200 || !strings.Contains(a.text, "slow") {
		t.Errorf("%+v", a)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
