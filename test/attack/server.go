package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp"
)

var serverAttacks = []attack{
	{"server: batches of 2025-03-26", batches, 128},
	{"server: tasks that are started and abandoned", abandonedTasks, 64},
	{"server: floods of subscriptions", subscriptions, 128},
	{"server: large answers that nobody reads", unreadAnswers, 256},
}

// A line is a connection to a server, whose messages are lines.
type line struct {
	conn    net.Conn
	lines   *bufio.Reader
	serving sync.WaitGroup
}

// dial connects to a server, with a handshake of the given revision.
func dial(s *mcp.Server, revision string) (*line, error) {
	near, far := net.Pipe()
	l := &line{conn: near, lines: bufio.NewReaderSize(near, 1<<20)}
	l.serving.Go(func() { _ = s.ServeConn(context.Background(), far) })
	_, err := l.ask(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "hello")
	if err == nil {
		err = l.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return l, err
}

func (l *line) close() {
	l.conn.Close()
	l.serving.Wait()
}

func (l *line) send(text string) error {
	_, err := l.conn.Write([]byte(text + "\n"))
	return err
}

// ask sends a line, and reads until the response with an ID. It returns the lines before the
// response.
func (l *line) ask(text, id string) (before []string, err error) {
	sent := make(chan error, 1)
	go func() { sent <- l.send(text) }() // The server may block until its output is read.
	for {
		one, err := l.lines.ReadString('\n')
		if err != nil {
			return before, err
		}
		if strings.Contains(one, `"id":"`+id+`"`) && one[0] == '{' {
			return before, <-sent
		}
		before = append(before, one)
	}
}

// newServer returns a server with a tool that answers immediately, and one that waits until its
// call ends.
func newServer(opts *mcp.ServerOptions) (*mcp.Server, error) {
	opts.Logger = slog.New(slog.DiscardHandler)
	s := mcp.NewServer(mcp.Implementation{Name: "target", Version: "1"}, opts)
	err := mcp.AddTool(s, mcp.Tool{Name: "large"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return strings.Repeat("x", 64<<10), nil })
	if err == nil {
		err = mcp.AddTool(s, mcp.Tool{Name: "wait", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		})
	}
	return s, err
}

// batches sends batches of every kind. The server must answer each request once, and continue.
func batches(t *trial) error {
	s, err := newServer(&mcp.ServerOptions{})
	if err != nil {
		return err
	}
	repeat := func(count int, element string) string {
		var all []string
		for i := range count {
			all = append(all, strings.ReplaceAll(element, "N", fmt.Sprint(i)))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	ping := `{"jsonrpc":"2.0","id":N,"method":"ping"}`
	for name, batch := range map[string]struct {
		text    string
		answers int // number of answers in batches; -1 for a single error instead of a batch
	}{
		"empty":                {"[]", -1},
		"1,000 requests":       {repeat(1000, ping), 1000},
		"1,001 requests":       {repeat(1001, ping), -1},
		"100,000 requests":     {repeat(100_000, ping), -1},
		"a batch in a batch":   {"[" + repeat(2, ping) + "]", 1},
		"deep":                 {strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), -1},
		"the same id":          {repeat(100, `{"jsonrpc":"2.0","id":7,"method":"ping"}`), 100},
		"notifications alone":  {repeat(1000, `{"jsonrpc":"2.0","method":"notifications/x"}`), 0},
		"responses alone":      {repeat(1000, `{"jsonrpc":"2.0","id":N,"result":{}}`), 0},
		"no messages":          {`[1,"x",null,{}]`, 4},
		"a handshake":          {`[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}]`, 1},
		"answers beyond all":   {repeat(1000, `{"jsonrpc":"2.0","id":N,"method":"tools/call","params":{"name":"large"}}`), 1000},
		"cancelled requests":   {`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 1},
		"a request that waits": {`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 0},
	} {
		for range t.scale {
			t.input(len(batch.text))
			if err := tryBatch(s, batch.text, batch.answers); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	t.outcome = "each request has one answer, the server goes on"
	return nil
}

func tryBatch(s *mcp.Server, text string, want int) error {
	l, err := dial(s, "2025-03-26")
	if err != nil {
		return err
	}
	defer l.close()
	sent := make(chan error, 1)
	go func() { sent <- l.send(text) }()
	got, single := 0, false
	for got < want || want < 0 && !single {
		one, err := l.lines.ReadString('\n')
		if err != nil {
			return err
		}
		var answers []json.RawMessage
		if json.Unmarshal([]byte(one), &answers) == nil {
			got += len(answers)
		} else {
			single = true
		}
		if want >= 0 && single {
			return fmt.Errorf("the answer to a batch is %.200s", one)
		}
	}
	if err := <-sent; err != nil {
		return err
	}
	more, err := l.ask(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`, "alive")
	if err == nil && (len(more) > 0 || got > max(want, 0)) {
		err = fmt.Errorf("%d answers, not %d, and then %d lines", got, want, len(more))
	}
	return err
}

// abandonedTasks starts tasks that do not end on their own, and disconnects.
func abandonedTasks(t *trial) error {
	s, err := newServer(&mcp.ServerOptions{Tasks: mcp.TaskOptions{MaxPerClient: 100}})
	if err != nil {
		return err
	}
	started, refused := 0, 0
	for range 20 * t.scale {
		l, err := dial(s, "2025-11-25")
		if err != nil {
			return err
		}
		for i := range 150 {
			id := fmt.Sprint("t", i)
			request := `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"wait","task":{"ttl":3600000}}}`
			t.input(len(request))
			if err := l.send(request); err != nil {
				return err
			}
			for {
				one, err := l.lines.ReadString('\n')
				if err != nil {
					return err
				}
				if !strings.Contains(one, `"id":"`+id+`"`) {
					continue
				}
				if strings.Contains(one, `"error"`) {
					refused++
				} else {
					started++
				}
				break
			}
		}
		l.close()
	}
	t.outcome = fmt.Sprintf("%d started, %d refused, none runs on", started, refused)
	if started == 0 || refused == 0 {
		return fmt.Errorf("%d tasks were started, %d refused", started, refused)
	}
	return nil
}

// subscriptions subscribes one client to many resources.
func subscriptions(t *trial) error {
	s, err := newServer(&mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Resources: true}})
	if err != nil {
		return err
	}
	template := mcp.ResourceTemplate{Name: "x", URITemplate: "x:{a}"}
	err = s.AddResourceTemplate(template, func(context.Context, *mcp.Request, string, mcp.Variables) ([]mcp.ResourceContents, error) {
		return nil, nil
	})
	if err != nil {
		return err
	}
	l, err := dial(s, "2025-11-25")
	if err != nil {
		return err
	}
	defer l.close()
	accepted, refused := 0, 0
	for i := range 20_000 * t.scale {
		id := fmt.Sprint("s", i)
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"resources/subscribe","params":{"uri":"x:%d%s"}}`, id, i, strings.Repeat("a", 2000))
		t.input(len(request))
		if err := l.send(request); err != nil {
			return err
		}
		one, err := l.lines.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.Contains(one, `"error"`) {
			refused++
		} else {
			accepted++
		}
	}
	t.outcome = fmt.Sprintf("%d taken, %d refused", accepted, refused)
	if accepted == 0 || refused == 0 {
		return fmt.Errorf("%d subscriptions were taken, %d refused", accepted, refused)
	}
	return nil
}
