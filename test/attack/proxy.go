package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/mcpproxy"
	"github.com/docent-mcp/docent/mcp"
)

var proxyAttacks = []attack{
	{"proxy: servers with hostile lists, floods and ends", hostileUpstreams, 256},
}

// An upstream plays a hostile server behind the proxy. Before an answer, it can send anything.
type upstream struct {
	name string
	// before runs before each answer, unless it is nil. The connection is closed if it fails.
	before func(w io.Writer, method string, id json.RawMessage) error
	page   func(id json.RawMessage) string // the list of tools; one tool if it is nil
	call   string                          // the result of a call; an empty one if it is ""
	works  bool                            // whether a call succeeds
}

func (u *upstream) answer(w io.Writer, method string, id json.RawMessage) error {
	if u.before != nil {
		if err := u.before(w, method, id); err != nil {
			return err
		}
	}
	switch {
	case method != "tools/list":
		return result(w, id, cmp.Or(u.call, `{"content":[]}`))
	case u.page != nil:
		return result(w, id, u.page(id))
	}
	return result(w, id, tools(1, ""))
}

func result(w io.Writer, id json.RawMessage, text string) error {
	_, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, text)
	return err
}

func notice(w io.Writer, method string, count int) error {
	for range count {
		if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","method":%q}`+"\n", method); err != nil {
			return err
		}
	}
	return nil
}

// tools returns a page of tools.
func tools(count int, cursor string) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, `{"name":"tool%d","inputSchema":{"type":"object"}},`, i)
	}
	return `{"tools":[` + strings.TrimSuffix(b.String(), ",") + `]` + cursor + `}`
}

// inCall makes before run for calls only.
func inCall(before func(w io.Writer, id json.RawMessage) error) func(io.Writer, string, json.RawMessage) error {
	return func(w io.Writer, method string, id json.RawMessage) error {
		if method == "tools/list" {
			return nil
		}
		return before(w, id)
	}
}

func listOf(page string) func(json.RawMessage) string {
	return func(json.RawMessage) string { return page }
}

var upstreams = []upstream{
	{name: "the next page is the same", page: listOf(tools(1, `,"nextCursor":"again"`)), works: true},
	{name: "there is always a next page", page: func(id json.RawMessage) string { return tools(0, `,"nextCursor":"`+string(id)+`"`) }, works: true},
	{name: "20,000 tools", page: listOf(tools(20_000, "")), works: true},
	{name: "tools of the same name", page: listOf(strings.ReplaceAll(tools(2000, ""), "tool1", "tool0")), works: true},
	{name: "tools that are none", page: listOf(`{"tools":[{},{"name":""},{"name":"` + strings.Repeat("x", 100_000) +
		`"},{"name":"\u0000\u202e"},{"name":"a","inputSchema":[]},{"name":"b","inputSchema":{"$ref":"#"}},null,1]}`), works: true},
	{name: "20,000 changes of its list", page: listOf(tools(100, "")), before: inCall(func(w io.Writer, _ json.RawMessage) error {
		return notice(w, "notifications/tools/list_changed", 20_000)
	}), works: true},
	{name: "20,000 notifications of unknown kinds", before: func(w io.Writer, method string, _ json.RawMessage) error {
		return notice(w, "notifications/x/"+method, 20_000)
	}, works: true},
	{name: "5,000 questions", before: inCall(func(w io.Writer, _ json.RawMessage) error {
		for i := range 5000 {
			if _, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":"q%d","method":"sampling/createMessage","params":{}}`+"\n", i); err != nil {
				return err
			}
		}
		return nil
	}), works: true},
	{name: "answers to other requests", before: inCall(func(w io.Writer, _ json.RawMessage) error {
		for i := range 5000 {
			if err := result(w, json.RawMessage(fmt.Sprint(10_000+i)), `{"content":[{"type":"text","text":"other"}]}`); err != nil {
				return err
			}
		}
		return nil
	}), works: true},
	{name: "it ends in a call", before: inCall(func(io.Writer, json.RawMessage) error { return io.EOF })},
	{name: "it ends in half an answer", before: inCall(func(w io.Writer, id json.RawMessage) error {
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"resu`, id)
		return io.EOF
	})},
	{name: "its answer is no object", call: `[]`},
	{name: "its list ends with the connection", before: func(io.Writer, string, json.RawMessage) error { return io.EOF }},
}

// play responds to the messages on conn. It counts the requested lists.
func (u *upstream) play(conn net.Conn, lists *atomic.Int64) {
	defer conn.Close()
	var writing sync.Mutex
	var answering sync.WaitGroup
	defer answering.Wait()
	lines := bufio.NewReader(conn)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || m.Method == "" {
			continue
		}
		if m.Method == "tools/list" {
			lists.Add(1)
		}
		answering.Go(func() { // The proxy is read while it is written to.
			writing.Lock()
			defer writing.Unlock()
			if m.Method == "initialize" {
				_ = result(conn, m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}`)
			} else if u.answer(conn, m.Method, m.ID) != nil {
				conn.Close()
			}
		})
	}
}

// hostileUpstreams puts a proxy in front of each server, and makes a client list and call its
// tools. Each request must end, and the proxy must end with its client.
func hostileUpstreams(t *trial) error {
	var total int64
	for i := range upstreams {
		u := &upstreams[i]
		lists, err := u.proxied(t)
		if err != nil {
			return fmt.Errorf("%s: %w", u.name, err)
		}
		if lists > 2*maxPages {
			return fmt.Errorf("%s: the list was asked for %d times", u.name, lists)
		}
		total += lists
	}
	t.outcome = fmt.Sprintf("each request ended, %d pages of lists were asked for", total)
	return nil
}

// maxPages is ClientLimits.MaxListPages of the proxy's client.
const maxPages = 500

func (u *upstream) proxied(t *trial) (int64, error) {
	var playing sync.WaitGroup
	var lists atomic.Int64
	defer playing.Wait()
	p := mcpproxy.New(mcpproxy.Options{Connect: func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
		near, far := net.Pipe()
		playing.Go(func() { u.play(far, &lists) })
		o := &mcp.ClientOptions{Revisions: []string{"2025-11-25"}, Limits: mcp.ClientLimits{MaxListPages: maxPages, CloseTimeout: time.Second}}
		change(o)
		return mcp.Connect(ctx, &mcp.ConnTransport{Conn: near}, o)
	}})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	front, back := net.Pipe()
	playing.Go(func() { _ = p.ServeConn(ctx, back); back.Close() })
	c, err := mcp.Connect(ctx, &mcp.ConnTransport{Conn: front}, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		front.Close()
		if u.works {
			return 0, fmt.Errorf("connecting: %w", err)
		}
		return lists.Load(), nil
	}
	defer c.Close()
	for range 3 {
		t.input(0)
		count := 0
		for tool, err := range c.Tools(ctx) {
			if err != nil {
				break
			}
			count += len(tool.Name)
		}
		answer, err := c.CallTool(ctx, "tool0", nil, nil)
		if ctx.Err() != nil {
			return 0, fmt.Errorf("a request did not end: %w", err)
		}
		if err == nil && len(answer.Content) > 0 {
			return 0, fmt.Errorf("the answer to another request was passed on")
		}
		if u.works && err != nil && count > 0 {
			return 0, err
		}
	}
	return lists.Load(), nil
}
