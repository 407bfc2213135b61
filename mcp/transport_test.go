package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// over returns a peer whose connection is not a pair of pipes. Closing in ends the input of the
// server.
func over(t *testing.T, s *mcp.Server, near io.ReadWriteCloser, far io.ReadWriter) *peer {
	t.Helper()
	p := &peer{in: near, out: near, lines: bufio.NewReaderSize(near, 1<<20), served: make(chan error, 1)}
	p.t, p.transport = t, "custom"
	go func() { p.served <- s.ServeConn(context.Background(), far) }()
	t.Cleanup(p.close)
	return p
}

func TestAnyConnectionCarriesEveryRevision(t *testing.T) {
	proves(t, "transport.custom", "transport.custom.preserve.legacy", "transport.custom.preserve.modern", "transport.custom.reuse-stdio-framing",
		"versioning.several-supported", "lifecycle.operation.version.must")
	dialed := func(t *testing.T, network, address string) (near, far net.Conn) {
		l, err := net.Listen(network, address)
		must(t, err)
		defer l.Close()
		near, err = net.Dial(network, l.Addr().String())
		must(t, err)
		far, err = l.Accept()
		must(t, err)
		return near, far
	}
	for name, pair := range map[string]func(t *testing.T) (near, far net.Conn){
		"net.Pipe":    func(*testing.T) (near, far net.Conn) { return net.Pipe() },
		"Unix socket": func(t *testing.T) (near, far net.Conn) { return dialed(t, "unix", socketPath(t)) },
		"TCP":         func(t *testing.T) (near, far net.Conn) { return dialed(t, "tcp", "127.0.0.1:0") },
	} {
		for _, revision := range revisions {
			t.Run(name+" "+revision, func(t *testing.T) {
				s := echoServer(t, nil)
				w := addWaiter(t, s)
				near, far := pair(t)
				p := over(t, s, near, far)
				if revision != latest { // the client gets no notifications of changes before notifications/initialized
					p.session = revision
					p.ask("0", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}`, revision))
					addNamed(t, s, "early")
					s.RemoveTools("early")
					p.ask("0", "ping", "{}")
					p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				}
				params := func(members string) string { return "{" + members + "}" }
				if revision == latest {
					params = p.open(revision)
				}
				p.send(waitCall("1", params))
				<-w.entered
				if m := p.ask("2", "tools/call", params(callParams("echo", `{"message":"é"}`))); m.text() != "é" {
					t.Error(m.line)
				}
				p.send(`not a message`)
				if m := p.receive(); m.Error == nil || m.Error.Code != mcp.CodeParseError {
					t.Error(m.line)
				}
				if m := p.ask("3", "tools/list", params("")); len(list(m.Result["tools"])) != 5 {
					t.Error(m.line)
				}
				p.send(cancelLine(`{"requestId":1}`))
				if err := <-w.ends; err == nil {
					t.Error("the call was not cancelled")
				}
				// The session keeps the negotiated revision.
				if revision != "2026-07-28" {
					for _, other := range revisions[:4] {
						m := p.ask("4", "tools/list", fmt.Sprintf(`{"_meta":{"io.modelcontextprotocol/protocolVersion":%q}}`, other))
						if other == revision && m.Error != nil || other != revision && (m.Error == nil || m.Error.Code != mcp.CodeUnsupportedVersion) {
							t.Errorf("a request of %s: %s", other, m.line)
						}
					}
				}
			})
		}
	}
}

func TestNothingButMessagesGoesToStandardOutput(t *testing.T) {
	proves(t, "stdio.stdout-only-mcp", "stdio.stderr.server", "stdio.shutdown.server-eof", "stdio.newline-delimited")
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) { testStandardOutput(t, revision) })
	}
}

func testStandardOutput(t *testing.T, revision string) {
	ran(t, revision, "pipe")
	stdin, stdout, stderr := os.Stdin, os.Stdout, os.Stderr
	defer func() { os.Stdin, os.Stdout, os.Stderr = stdin, stdout, stderr }()
	inR, inW, err := os.Pipe()
	must(t, err)
	outR, outW, err := os.Pipe()
	must(t, err)
	errR, errW, err := os.Pipe()
	must(t, err)
	os.Stdin, os.Stdout, os.Stderr = inR, outW, errW

	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: textLogger(errW)})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "print"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		fmt.Println("a stray print")
		fmt.Fprintln(os.Stdout, "another")
		panic("with a panic")
	}))
	must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		<-ctx.Done()
		fmt.Println("a stray print")
		return "", ctx.Err()
	}))
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(context.Background()) }()
	if revision == "2026-07-28" {
		fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{%s}}`+"\n", modernMeta(""))
		fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"print",%s}}`+"\n", modernMeta(""))
	} else {
		fmt.Fprintln(inW, strings.Replace(initializeLine, "2025-11-25", revision, 1))
		fmt.Fprintln(inW, callLine(1, "print", `{}`))
	}
	wait := callLine(2, "wait", `{}`)
	if revision == latest {
		wait = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait",` + modernMeta("") + `}}`
	}
	// None of these messages has a response.
	fmt.Fprintf(inW, "%s\n%s\n%s\n\n", wait, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, `{"jsonrpc":"2.0","method":"notifications/example"}`)
	inW.Close()
	must(t, <-served)
	if os.Stdout != outW {
		t.Error("os.Stdout is not what it was")
	}
	outW.Close()
	errW.Close()
	out, err := io.ReadAll(outR)
	must(t, err)
	output, err := io.ReadAll(errR)
	must(t, err)
	lines := 0
	for line := range bytes.Lines(out) {
		var m message
		if json.Unmarshal(line, &m) != nil || m.Result == nil && m.Error == nil {
			t.Errorf("standard output has %q", line)
		}
		lines++
	}
	if lines != 2 {
		t.Errorf("%d answers: %s", lines, out)
	}
	for _, part := range []string{"a stray print", "another", "with a panic"} {
		if !strings.Contains(string(output), part) {
			t.Errorf("standard error does not say %q: %s", part, output)
		}
	}
}

func TestACursorServesOnAnotherConnection(t *testing.T) {
	proves(t, "base.stateless.explicit-handle", "base.stateless.no-affinity", "page.stable-cursors")
	s := numbered(t, 3, &mcp.ServerOptions{PageSize: 2})
	p, q := connect(t, s), connect(t, s)
	_, next := page(t, p, p.open("2026-07-28"), "")
	p.end()
	if names, _ := page(t, q, q.open("2026-07-28"), next); names != "t02" {
		t.Errorf("the next page is %q", names)
	}
}

func TestWhatOutlivesARequestIsNamedOnAnyConnection(t *testing.T) {
	proves(t, "base.stateless.explicit-handle", "base.stateless.no-affinity")
	asks, works := newStage(t, nil), newWorks(t, nil)
	for _, first := range transportsOf(latest) {
		for _, second := range transportsOf(latest) {
			t.Run(first+", then "+second, func(t *testing.T) {
				p, q := connectOver(t, asks.Server, latest, first), connectOver(t, asks.Server, latest, second)
				call := callParams("ask", "{}") + "," + metaWith(`{"elicitation":{}}`)
				request := p.ask("1", "tools/call", "{"+call+"}")
				p.close()
				m := q.ask("2", "tools/call", fmt.Sprintf(`{"requestState":%q,"inputResponses":{"input-1":%s},%s}`, request.Result["requestState"], accepts("Ada"), call))
				if m.text() != "Hello, Ada" {
					t.Errorf("the answers to %s: %s", request.line, m.line)
				}
				p, q = connectOver(t, works.Server, latest, first), connectOver(t, works.Server, latest, second)
				task := p.ask("1", "tools/call", "{"+callParams("quick", "{}")+","+metaWith(takesTasks)+"}")
				p.close()
				if m := q.ask("2", "tasks/get", "{"+taskID(task.Result)+","+metaWith(takesTasks)+"}"); m.Error != nil || m.Result["taskId"] != task.Result["taskId"] {
					t.Errorf("the task of %s: %s", task.line, m.line)
				}
			})
		}
	}
}

func TestALevelOfASessionIsNotThatOfOtherRequestsOnItsPipe(t *testing.T) {
	proves(t, "base.stateless.explicit-handle")
	s := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "log"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		r.Log(mcp.LevelEmergency, "", "fire")
		return "logged", nil
	}))
	for _, revision := range revisions[:4] {
		p := connect(t, s)
		p.initialize(revision)
		p.ask("1", "logging/setLevel", `{"level":"debug"}`)
		ran(t, latest, "pipe")
		if m := p.ask("2", "tools/call", "{"+callParams("log", "{}")+","+modernMeta("")+"}"); m.text() != "logged" { // this response arrives first
			t.Errorf("%s: %s", revision, m.line)
		}
	}
}
