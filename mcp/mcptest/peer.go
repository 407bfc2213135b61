package mcptest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// A Peer is a server that the test controls. It reads the client's messages and can write any text.
// Its methods, except Transport, must be called on the test's goroutine.
type Peer struct {
	t        testing.TB
	accepted chan net.Conn
	conn     net.Conn
	lines    *bufio.Reader
	ids      int
}

// A Message is a message from a client.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Line   string          `json:"-"` // the whole line
}

// NewPeer returns a Peer. The Peer is closed when the test ends.
func NewPeer(t testing.TB) *Peer {
	p := &Peer{t: t, accepted: make(chan net.Conn)}
	t.Cleanup(p.Close)
	return p
}

// Transport returns a transport that connects a client to the Peer, which must
// call Accept for each connection.
func (p *Peer) Transport() mcp.Transport {
	return &mcp.ConnTransport{Dial: p.dial}
}

func (p *Peer) dial(ctx context.Context) (io.ReadWriteCloser, error) {
	near, far := net.Pipe()
	select {
	case p.accepted <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the client to connect. It closes the previous connection
// first.
func (p *Peer) Accept() {
	p.t.Helper()
	p.Close()
	p.conn = <-p.accepted
	p.lines = bufio.NewReaderSize(p.conn, 1<<20)
}

// Connect returns a client that uses the revision and is connected to p. It performs the handshake
// and closes the client when the test ends.
func (p *Peer) Connect(revision string, opts *mcp.ClientOptions) *mcp.Client {
	p.t.Helper()
	copied := mcp.ClientOptions{}
	if opts != nil {
		copied = *opts
	}
	copied.Revisions = []string{revision}
	type outcome struct {
		c   *mcp.Client
		err error
	}
	connected := make(chan outcome)
	go func() {
		c, err := mcp.Connect(p.t.Context(), p.Transport(), &copied)
		connected <- outcome{c, err}
	}()
	p.Accept()
	if opened := p.Handshake(revision); opened && copied.Log != nil {
		p.Reply(p.Expect("logging/setLevel"), "{}")
	}
	got := <-connected
	if got.err != nil {
		p.t.Fatal(got.err)
	}
	p.t.Cleanup(func() {
		p.Close()
		if err := got.c.Close(); err != nil {
			p.t.Errorf("closing the client: %v", err)
		}
	})
	return got.c
}

// Capabilities are the capabilities that the Peer declares in Handshake.
const Capabilities = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"completions":{},"logging":{},` +
	`"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// Handshake answers the client's server/discover or initialize as a server that uses the given
// revision and has all Capabilities. It reports whether the handshake opened a session.
func (p *Peer) Handshake(revision string) (opened bool) {
	p.t.Helper()
	m := p.Receive()
	switch m.Method {
	case "server/discover":
		p.Reply(m, fmt.Sprintf(`{"resultType":"complete","supportedVersions":[%q],"capabilities":%s,"ttlMs":0,"cacheScope":"private"}`, revision, Capabilities))
	case "initialize":
		p.Reply(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"peer","version":"1"}}`, revision, Capabilities))
		p.Expect("notifications/initialized")
		return true
	default:
		p.t.Fatalf("the client began with %s", m.Line)
	}
	return false
}

// Receive returns the client's next message. It fails the test if there is no message or if the
// message is not JSON.
func (p *Peer) Receive() Message {
	p.t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		p.t.Fatalf("reading the client's next message: %v", err)
	}
	m := Message{Line: line[:len(line)-1]}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		p.t.Fatalf("the client sent %s: %v", m.Line, err)
	}
	return m
}

// Expect returns the client's next message. It fails the test if the message has another method.
func (p *Peer) Expect(method string) Message {
	p.t.Helper()
	m := p.Receive()
	if m.Method != method {
		p.t.Fatalf("the client sent %s, not %s", m.Line, method)
	}
	return m
}

// Send writes a line, which may contain any text. It reports whether the client has read the line.
func (p *Peer) Send(line string) bool {
	_, err := io.WriteString(p.conn, line+"\n")
	return err == nil
}

// Reply answers m with a result, which is a JSON object. It reports whether the client has read the
// answer.
func (p *Peer) Reply(m Message, result string) bool {
	return p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

// Refuse answers m with an error. It reports whether the client has read the answer.
func (p *Peer) Refuse(m Message, code int, message string) bool {
	return p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, message))
}

// Ask sends a request to the client and returns the response. params is a JSON object. If the
// client sends another message first, the test fails.
func (p *Peer) Ask(method, params string) Message {
	p.t.Helper()
	p.ids++
	id := fmt.Sprintf(`"peer-%d"`, p.ids)
	p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	m := p.Receive()
	if string(m.ID) != id || m.Method != "" {
		p.t.Fatalf("the client sent %s, not the answer to %s", m.Line, method)
	}
	return m
}

// Notify sends a notification to the client. params is a JSON object. Notify reports whether the
// client has read the notification.
func (p *Peer) Notify(method, params string) bool {
	return p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// Close ends the connection.
func (p *Peer) Close() {
	if p.conn != nil {
		p.conn.Close()
	}
}
