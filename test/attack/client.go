package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

var clientAttacks = []attack{
	{"client: HTTP servers that break the protocol, own connections", func(t *trial) error { return brokenServers(t, nil) }, 128},
	{"client: HTTP servers that break the protocol, net/http", func(t *trial) error { return brokenServers(t, &http.Client{}) }, 128},
	{"client: redirects to another host, with credentials", redirects, 32},
	{"client: forms with hostile schemas", forms, 128},
}

const head = "HTTP/1.1 200 OK\r\n"

// broken are malformed responses, in bytes. "ID" represents the id of the request, and text that
// ends with "…" is repeated endlessly.
var broken = map[string]string{
	"no HTTP":                           "ceci n'est pas HTTP\r\n\r\n",
	"nothing":                           "",
	"a status line without end":         "HTTP/1.1 200 " + strings.Repeat("x", 1000) + "…",
	"headers without end":               head + "…X-A: " + strings.Repeat("x", 1000) + "\r\n",
	"a header line without end":         head + "X-A: …xxxxxxxxxxxxxxxx",
	"interim responses without end":     "…HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
	"another protocol":                  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n…x",
	"a negative length":                 head + "Content-Type: application/json\r\nContent-Length: -1\r\n\r\n{}",
	"two lengths":                       head + "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
	"a length beyond all":               head + "Content-Type: application/json\r\nContent-Length: 9223372036854775807\r\n\r\n…x",
	"a length and chunks":               head + "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	"chunks of no size":                 head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
	"a chunk beyond all":                head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n…x",
	"a negative chunk":                  head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n…x",
	"an extension without end":          head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;…a=b;",
	"extensions without end":            head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n…1;" + strings.Repeat("x", 1000) + "\r\n \r\n",
	"empty lines in place of chunks":    head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n…\r\n",
	"trailers without end":              head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n…X: y\r\n",
	"two codings":                       head + "Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
	"a compressed bomb":                 head + "Content-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(strings.Repeat(" ", 200<<20)),
	"a body without end":                head + "Content-Type: application/json\r\n\r\n… ",
	"deep JSON":                         head + "Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", 2<<20),
	"a thousand results":                head + "Content-Type: application/json\r\n\r\n" + strings.Repeat(`{"jsonrpc":"2.0","id":ID,"result":{}}`, 1000),
	"a batch":                           head + "Content-Type: application/json\r\n\r\n" + `[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]`,
	"no id":                             head + "Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","result":{"content":[]}}`,
	"another id":                        head + "Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":9999,"result":{"content":[]}}`,
	"the id as text":                    head + "Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":{"content":[]}}`,
	"the id twice":                      head + "Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":9999,"id":"ID","result":{"content":[]}}`,
	"HTML":                              head + "Content-Type: text/html\r\n\r\n<!DOCTYPE html><p>Log in",
	"an image":                          head + "Content-Type: image/png\r\n\r\n\x89PNG\r\n",
	"no type":                           head + "\r\nplain",
	"202 without an answer":             "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
	"204":                               "HTTP/1.1 204 No Content\r\n\r\n",
	"206":                               "HTTP/1.1 206 Partial Content\r\nContent-Type: application/json\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\n{}",
	"304":                               "HTTP/1.1 304 Not Modified\r\n\r\n",
	"status 999":                        "HTTP/1.1 999 Odd\r\n\r\n…x",
	"429 for ever":                      "HTTP/1.1 429 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n",
	"a refusal without end":             "HTTP/1.1 400 Bad Request\r\n\r\n…x",
	"a refusal with a challenge":        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer " + strings.Repeat(`a="b", `, 10_000) + "\r\nContent-Length: 0\r\n\r\n",
	"a redirect to itself":              "HTTP/1.1 307 Temporary Redirect\r\nLocation: /mcp\r\nContent-Length: 0\r\n\r\n",
	"a redirect to a file":              "HTTP/1.1 307 Temporary Redirect\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
	"a redirect without an address":     "HTTP/1.1 307 Temporary Redirect\r\nLocation: %zz\r\nContent-Length: 0\r\n\r\n",
	"a stream that ends":                head + "Content-Type: text/event-stream\r\n\r\n",
	"a stream of comments":              head + "Content-Type: text/event-stream\r\n\r\n…: comment\n\n",
	"a stream of a line without end":    head + "Content-Type: text/event-stream\r\n\r\ndata: …x",
	"a stream of a comment without end": head + "Content-Type: text/event-stream\r\n\r\n: …x",
	"a stream of an event without end":  head + "Content-Type: text/event-stream\r\n\r\n…data: x\n",
	"a stream of fields without end":    head + "Content-Type: text/event-stream\r\n\r\n…x: y\n",
	"a stream of ids":                   head + "Content-Type: text/event-stream\r\n\r\n…id: " + strings.Repeat("9", 900) + "\ndata: {}\n\n",
	"a stream of garbage":               head + "Content-Type: text/event-stream\r\n\r\n…data: {\"jsonrpc\":\n\n",
	"a stream of answers to others":     head + "Content-Type: text/event-stream\r\n\r\n…data: {\"jsonrpc\":\"2.0\",\"id\":9999,\"result\":{}}\n\n",
	"a stream of questions":             head + "Content-Type: text/event-stream\r\n\r\n…data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n\n",
	"a stream of list changes":          head + "Content-Type: text/event-stream\r\n\r\n…data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n",
	"a stream that breaks for ever":     head + "Content-Type: text/event-stream\r\nConnection: close\r\n\r\nid: 1\nretry: 0\ndata:\n\n",
}

// A tcpServer answers the handshake of each client, if it speaks MCP, and other requests with a
// given response. It counts the bytes that it has sent.
type tcpServer struct {
	l       net.Listener
	answer  string
	mcp     bool // whether it answers the handshake of MCP
	sent    atomic.Int64
	serving sync.WaitGroup
}

func serveTCP(answer string, speaksMCP bool) (*tcpServer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &tcpServer{l: l, answer: answer, mcp: speaksMCP}
	s.serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.serving.Go(func() { defer conn.Close(); s.serve(conn) })
		}
	})
	return s, nil
}

func (s *tcpServer) close() {
	s.l.Close()
	s.serving.Wait()
}

func (s *tcpServer) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(body, &m)
		switch {
		case s.mcp && (req.Method == http.MethodDelete || req.Method == http.MethodGet && req.Header.Get("Last-Event-Id") == ""):
			_, err = io.WriteString(conn, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
		case m.Method == "initialize":
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
			_, err = fmt.Fprintf(conn, head+"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
		case len(m.ID) == 0 && m.Method != "":
			_, err = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
		default:
			before, again, endless := strings.Cut(strings.ReplaceAll(s.answer, "ID", string(m.ID)), "…")
			if endless && again == "" {
				again = before
			}
			n, err := io.WriteString(conn, before)
			s.sent.Add(int64(n))
			again = strings.Repeat(again, 1+4096/max(len(again), 1))
			for endless && err == nil {
				n, err = io.WriteString(conn, again)
				s.sent.Add(int64(n))
			}
			return
		}
		if err != nil {
			return
		}
	}
}

// brokenServers calls a tool of each broken server. base is the HTTP client, or nil for the
// library's own.
func brokenServers(t *trial, base *http.Client) error {
	read := 0
	for name, answer := range broken {
		if err := brokenServer(t, base, answer, &read); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	t.outcome = fmt.Sprintf("each call ended in an error but %d that were answered", read)
	return nil
}

func brokenServer(t *trial, base *http.Client, answer string, read *int) error {
	s, err := serveTCP(answer, true)
	if err != nil {
		return err
	}
	defer s.close()
	if base != nil {
		base = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	c, err := mcp.Connect(context.Background(), &mcp.HTTPTransport{URL: "http://" + s.l.Addr().String() + "/mcp", HTTPClient: base, NoSSE: true}, &mcp.ClientOptions{
		Revisions: []string{"2025-11-25"}, Logger: slog.New(slog.DiscardHandler), Timeout: 2 * time.Second, MaxTimeout: 2 * time.Second,
		Roots:  func(context.Context) ([]mcp.Root, error) { return nil, nil },
		Limits: mcp.ClientLimits{MaxMessageBytes: 1 << 20, MaxReconnects: 2, MaxBackoff: 5 * time.Millisecond, CloseTimeout: time.Second},
	})
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	for range t.scale {
		result, err := c.CallTool(context.Background(), "tool", nil, &mcp.CallOptions{Timeout: 300 * time.Millisecond})
		t.input(len(answer))
		if err == nil {
			if *read++; len(result.Content) > 0 {
				return errors.New("an answer to another request was taken")
			}
		}
	}
	return c.Close()
}

// redirects makes a server redirect each request to another host, which must not see the
// credentials.
func redirects(t *trial) error {
	var seen []string
	var mu sync.Mutex
	other := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"))
		w.WriteHeader(http.StatusTeapot)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, path := range []string{"", "/deep"} {
			front := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if path != "" && r.URL.Path != path { // The first redirect is within the origin, and the next one leads to another origin.
					http.Redirect(w, r, path, status)
					return
				}
				http.Redirect(w, r, "http://"+other.Addr+"/mcp", status)
			}))
			for _, base := range []*http.Client{nil, {Transport: &http.Transport{DisableKeepAlives: true}}} {
				t.input(0)
				c, err := mcp.Connect(context.Background(), &mcp.HTTPTransport{
					URL: "http://" + front.Addr + "/mcp", HTTPClient: base, Header: http.Header{"Authorization": {"Bearer secret"}, "X-Api-Key": {"secret"}},
				}, &mcp.ClientOptions{Timeout: 2 * time.Second})
				if err == nil {
					c.Close()
					front.Close()
					return errors.New("it connected")
				}
				if strings.Contains(err.Error(), "secret") {
					front.Close()
					return fmt.Errorf("the error has the secret: %w", err)
				}
			}
			front.Close()
		}
	}
	if len(seen) > 0 {
		return fmt.Errorf("the other host was asked %d times: %q", len(seen), seen)
	}
	t.outcome = "the other host was not asked"
	return nil
}

// listen serves on loopback. The server's Addr is its address.
func listen(h http.Handler) *http.Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &http.Server{Addr: l.Addr().String(), Handler: h, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	go func() { _ = s.Serve(l) }()
	return s
}

// forms makes a server request forms with hostile schemas.
func forms(t *trial) error {
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	var names, cycle, fan strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&names, `%q,`, fmt.Sprint("value ", i))
	}
	for i := range 40 {
		fmt.Fprintf(&fan, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	cycle.WriteString(`{"$ref":"#/$defs/a"}`)
	schemas := map[string]string{
		"deep":                       strings.Repeat(`{"type":"object","properties":{"a":`, 100) + "{}" + strings.Repeat("}}", 100),
		"a choice of 200,000":        object(`"a":{"type":"string","enum":[` + names.String() + `"x"]}`),
		"a reference to itself":      `{"$ref":"#"}`,
		"references in a ring":       `{"type":"object","properties":{"a":` + cycle.String() + `},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"references that double":     `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + fan.String() + `"d40":{"type":"string"}}}`,
		"a pattern that explodes":    object(`"a":{"type":"string","pattern":"^(((a{1,1000}){1,1000}){1,1000})+$"}`),
		"a pattern that backtracks":  object(`"a":{"type":"string","pattern":"^(a+)+$"}`),
		"a pattern of 1 MB":          object(`"a":{"type":"string","pattern":"` + strings.Repeat("(a|b)", 200_000) + `"}`),
		"a reference elsewhere":      object(`"a":{"$ref":"http://127.0.0.1:1/schema"}`),
		"a reference to a file":      object(`"a":{"$ref":"file:///etc/passwd"}`),
		"100,000 properties":         object(strings.TrimSuffix(strings.Repeat(`"a":{"type":"string"},`, 100_000), ",")),
		"no schema":                  `[]`,
		"a number of many digits":    object(`"a":{"type":"number","maximum":1e999999999}`),
		"a length beyond all":        object(`"a":{"type":"string","minLength":1e308}`),
		"a default that is no value": object(`"a":{"type":"string","default":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`),
	}
	accepted, refused := 0, 0
	for name, schema := range schemas {
		near, far := net.Pipe()
		request := make(chan string, 1)
		var playing sync.WaitGroup
		playing.Go(func() {
			defer far.Close()
			lines := bufio.NewReader(far)
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					return
				}
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.Unmarshal([]byte(line), &m)
				switch {
				case m.Method == "initialize":
					_, _ = fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", m.ID)
				case m.Method == "tools/call":
					_, _ = fmt.Fprintf(far, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":%s}}`+"\n", schema)
				case string(m.ID) == `"q"`:
					request <- line
				}
			}
		})
		c, err := mcp.Connect(context.Background(), &mcp.ConnTransport{Conn: near}, &mcp.ClientOptions{
			Revisions: []string{"2025-11-25"}, Logger: slog.New(slog.DiscardHandler),
			ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
				content := json.RawMessage(`{"a":"` + strings.Repeat("a", 5000) + `!"}`)
				_ = e.Validate(content)
				return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: content}, nil
			},
		})
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		go func() { _, _ = c.CallTool(ctx, "tool", nil, nil) }()
		t.input(len(schema))
		select {
		case line := <-request:
			if strings.Contains(line, `"error"`) {
				refused++
			} else {
				accepted++
			}
		case <-ctx.Done():
			err = fmt.Errorf("%s: no answer", name)
		}
		cancel()
		c.Close()
		playing.Wait()
		if err != nil {
			return err
		}
	}
	t.outcome = fmt.Sprintf("%d refused, %d answered", refused, accepted)
	return nil
}

func gzipped(text string) string { return string(gzipBytes([]byte(text))) }
