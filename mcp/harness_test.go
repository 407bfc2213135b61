package mcp_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// revisions contains all published revisions, oldest first.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// peer is the client end of a connection. It writes and reads raw lines, and validates every line
// that it reads against the official schema of the revision.
type peer struct {
	checker
	in     io.WriteCloser
	lines  *bufio.Reader
	out    io.Closer
	served chan error
	closed bool
}

// checker validates the server's messages against the official schema of the revision, which
// depends on the requests.
type checker struct {
	t         testing.TB
	transport string // name of the transport, as in ran
	session   string // revision that initialize returned

	mu      sync.Mutex
	methods map[string]string // methods of sent requests, by ID
	era     map[string]string // revisions of sent requests, by ID
}

// connect serves one connection of s until the test ends.
func connect(t testing.TB, s *mcp.Server) *peer {
	t.Helper()
	return connectWith(context.Background(), t, s)
}

// connectWith is like connect, but with a context for ServeConn.
func connectWith(ctx context.Context, t testing.TB, s *mcp.Server) *peer {
	t.Helper()
	in, out, served := servePipes(ctx, s)
	p := &peer{in: in, out: out, lines: bufio.NewReaderSize(out, 1<<20), served: served}
	p.t, p.transport = t, "pipe"
	t.Cleanup(p.close)
	return p
}

// servePipes serves one connection of s. in and out are the client's ends; served receives the
// error of ServeConn.
func servePipes(ctx context.Context, s *mcp.Server) (in *io.PipeWriter, out *io.PipeReader, served chan error) {
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	served = make(chan error, 1)
	go func() {
		served <- s.ServeConn(ctx, struct {
			io.Reader
			io.Writer
			io.Closer
		}{inR, outW, closers{inR, outW}})
	}()
	return in, out, served
}

// connectSlowly is like connect, for a connection other than a pipe that reads and writes
// one byte at a time.
func connectSlowly(t testing.TB, s *mcp.Server) *peer {
	t.Helper()
	near, far := net.Pipe()
	p := &peer{in: near, out: near, lines: bufio.NewReaderSize(near, 1<<20), served: make(chan error, 1)}
	p.t, p.transport = t, "custom"
	go func() {
		p.served <- s.ServeConn(context.Background(), struct {
			io.Reader
			io.Writer
			io.Closer
		}{iotest.OneByteReader(far), oneByteWriter{far}, far})
	}()
	t.Cleanup(p.close)
	return p
}

// oneByteWriter writes one byte at a time.
type oneByteWriter struct{ w io.Writer }

func (o oneByteWriter) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		_, err = o.w.Write(b[n : n+1])
		n++
	}
	return n, err
}

type closers []io.Closer

func (c closers) Close() error {
	for _, closer := range c {
		closer.Close()
	}
	return nil
}

// close ends the input and waits until the server has returned.
func (p *peer) close() {
	if p.closed {
		return
	}
	p.closed = true
	p.in.Close()
	go io.Copy(io.Discard, p.lines)
	if err := <-p.served; err != nil {
		p.t.Errorf("Serve returned %v", err)
	}
}

func (p *peer) send(line string) {
	p.t.Helper()
	p.note([]byte(line))
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("sending %.200s: %v", line, err)
	}
}

// note records a request so that its answer can be validated.
func (c *checker) note(line []byte) {
	var all []json.RawMessage
	if json.Unmarshal(line, &all) == nil {
		for _, one := range all {
			c.note(one)
		}
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ProtocolVersion json.RawMessage
			Meta            map[string]json.RawMessage `json:"_meta"`
		}
	}
	err := json.Unmarshal(line, &m)
	var version, opened string
	json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/protocolVersion"], &version)
	json.Unmarshal(m.Params.ProtocolVersion, &opened)
	ran(c.t, cmp.Or(version, c.session, opened), c.transport)
	if err != nil || m.ID == nil || m.Method == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.methods == nil {
		c.methods, c.era = map[string]string{}, map[string]string{}
	}
	c.methods[string(m.ID)], c.era[string(m.ID)] = m.Method, version
}

// message is a decoded message from the server.
type message struct {
	line   string
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params map[string]any  `json:"params"`
	Result map[string]any  `json:"result"`
	Error  *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

// text returns the first text block of a result of a tool.
func (m *message) text() string {
	for _, block := range list(m.Result["content"]) {
		if text, ok := block.(map[string]any)["text"].(string); ok {
			return text
		}
	}
	return ""
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// receive reads the next line, which must be one message.
func (p *peer) receive() *message {
	p.t.Helper()
	line := p.receiveLine()
	m := &message{line: line}
	if err := json.Unmarshal([]byte(line), m); err != nil {
		p.t.Fatalf("server sent %.300s: %v", line, err)
	}
	return m
}

func (p *peer) receiveLine() string {
	p.t.Helper()
	line, err := p.lines.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("reading what the server sends: %v", err)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) == nil {
		for _, one := range batch {
			p.check(one)
		}
	} else {
		p.check(line)
	}
	return string(line)
}

// end fails the test if the server sends anything after its input has ended.
func (p *peer) end() {
	p.t.Helper()
	p.closed = true
	p.in.Close()
	rest, _ := io.ReadAll(p.lines)
	if len(rest) > 0 {
		p.t.Errorf("server sent more: %s", rest)
	}
	if err := <-p.served; err != nil {
		p.t.Errorf("Serve returned %v", err)
	}
}

// ask sends a request and returns the response.
func (p *peer) ask(id, method, params string) *message {
	p.t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q`, id, method)
	if params != "" {
		line += `,"params":` + params
	}
	p.send(line + "}")
	m := p.receive()
	if string(m.ID) != id {
		p.t.Fatalf("answer to %s has id %s: %s", id, m.ID, m.line)
	}
	return m
}

// initialize opens a session of a revision with sessions.
func (p *peer) initialize(revision string) *message {
	p.t.Helper()
	p.session = revision
	m := p.ask(`"init"`, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}`, revision))
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

// modernMeta returns the _meta of a request of revision 2026-07-28, with the
// given members appended.
func modernMeta(more string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}` + more + `}`
}

// open starts a connection in a revision. params returns the params of a request with the given
// members.
func (p *peer) open(revision string) (params func(members string) string) {
	if revision != "2026-07-28" {
		p.initialize(revision)
		return func(members string) string { return "{" + members + "}" }
	}
	return func(members string) string {
		if members != "" {
			members += ","
		}
		return "{" + members + modernMeta("") + "}"
	}
}

// eachRevision runs f for every revision on each of the given transports that the revision
// supports, each time on a new connection. Without transports, it uses all of transportsOf.
func eachRevision(t *testing.T, s *mcp.Server, f func(t *testing.T, revision string, p *peer, params func(string) string), transports ...string) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			for _, transport := range transportsOf(revision) {
				if len(transports) > 0 && !slices.Contains(transports, transport) {
					continue
				}
				t.Run(transport, func(t *testing.T) {
					p := connectOver(t, s, revision, transport)
					f(t, revision, p, p.open(revision))
				})
			}
		})
	}
}

var schemaCache sync.Map // maps a revision to its *jsonschema.Schema

// official returns the official schema of a revision, or nil if MCP_SCHEMA_DIR is not set.
func official(t testing.TB, revision string) *jsonschema.Schema {
	dir := os.Getenv("MCP_SCHEMA_DIR")
	if dir == "" {
		return nil
	}
	if s, ok := schemaCache.Load(revision); ok {
		return s.(*jsonschema.Schema)
	}
	data, err := os.ReadFile(filepath.Join(dir, revision, "schema.json"))
	if err != nil {
		t.Fatalf("MCP_SCHEMA_DIR: %v", err)
	}
	s, err := jsonschema.Compile(data, nil)
	if err != nil {
		t.Fatalf("schema of %s: %v", revision, err)
	}
	schemaCache.Store(revision, s)
	return s
}

// resultTypes maps each method to the schema definition of its result.
var resultTypes = map[string]string{
	"initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult",
	"logging/setLevel": "EmptyResult", "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
	"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult",
	"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult",
	"resources/read": "ReadResourceResult", "resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult",
	"completion/complete":  "CompleteResult",
	"subscriptions/listen": "SubscriptionsListenResult",
	"tasks/get":            "GetTaskResult", "tasks/list": "ListTasksResult", "tasks/cancel": "CancelTaskResult", "tasks/result": "CallToolResult",
}

// check validates one message that the server sent.
func (c *checker) check(line []byte) {
	c.t.Helper()
	var m struct{ ID, Error json.RawMessage }
	if err := json.Unmarshal(line, &m); err != nil {
		c.t.Fatalf("server sent %.300s: %v", line, err)
	}
	c.mu.Lock()
	method, era := c.methods[string(m.ID)], c.era[string(m.ID)]
	c.mu.Unlock()
	revision := c.session
	switch {
	case era == "2026-07-28", revision == "" && m.Error != nil, bytes.Contains(line, []byte("io.modelcontextprotocol/subscriptionId")):
		revision = "2026-07-28"
	case revision == "":
		revision = "2024-11-05" // a ping before initialize
	}
	conforms(c.t, revision, method, line)
}

// conforms validates a message to a client of the given revision. If it is a
// response, method is that of the request.
func conforms(t testing.TB, revision, method string, line []byte) {
	t.Helper()
	if bytes.ContainsAny(line, "\n\r") {
		t.Errorf("a message holds a line break: %s", line)
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatalf("server sent %.300s: %v", line, err)
	}
	(&shape{t, revision, string(line)}).message(method)
	schema := official(t, revision)
	if schema == nil {
		return
	}
	validate := func(definition string, value []byte) {
		t.Helper()
		prefix := "#/$defs/"
		if revision < "2025-11-25" {
			prefix = "#/definitions/"
		}
		sub, err := schema.Sub(prefix + definition)
		if err != nil {
			t.Fatalf("%s %s: %v", revision, definition, err)
		}
		if err := sub.Validate(value); err != nil {
			t.Errorf("%s: not a %s: %v\n%s", revision, definition, err, line)
		}
	}
	switch {
	case m.Method == "notifications/tasks" && revision >= "2026-07-28", // notification of an extension
		m.ID == nil && strings.HasPrefix(m.Method, "x/"): // notification with a method of a test
		validate("JSONRPCNotification", line)
	case m.Method != "" && m.ID == nil:
		validate("ServerNotification", line)
	case m.Method != "":
		validate("ServerRequest", line)
	case m.Error != nil && revision >= "2025-11-25":
		validate("JSONRPCErrorResponse", line)
	case m.Error != nil && string(m.ID) == "null":
		// JSON-RPC requires a null ID here, which the schema of these revisions does not allow.
	case m.Error != nil:
		validate("JSONRPCError", line)
	default:
		if revision >= "2025-11-25" {
			validate("JSONRPCResultResponse", line)
		} else {
			validate("JSONRPCResponse", line)
		}
		definition := resultTypes[method]
		if strings.HasPrefix(method, "maps/") || strings.HasPrefix(method, "example/") {
			definition = "Result" // result of a method of an extension
		}
		var kind struct {
			ResultType string          `json:"resultType"`
			Task       json.RawMessage `json:"task"`
		}
		json.Unmarshal(m.Result, &kind)
		switch {
		case kind.ResultType == "task", revision >= "2026-07-28" && strings.HasPrefix(method, "tasks/"): // result of an extension
			definition = "Result"
		case kind.ResultType == "input_required":
			definition = "InputRequiredResult"
		case kind.Task != nil && method == "tools/call":
			definition = "CreateTaskResult"
		}
		if definition == "" {
			t.Fatalf("no result type known for %q", method)
		}
		validate(definition, m.Result)
	}
}
