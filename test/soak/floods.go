package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// A flood is an action that a number of workers repeat.
type flood struct {
	name    string
	workers int
	act     func(f *flooding) // returns at the latest when f.ctx has ended
}

// flooding is a running flood.
type flooding struct {
	*target
	ctx     context.Context
	problem atomic.Pointer[string]
}

var floods = []flood{
	{"unfinished bodies", 300, (*flooding).unfinishedBody},
	{"dripping bodies", 300, (*flooding).drippingBody},
	{"sessions without end", 8, (*flooding).session},
	{"SSE streams not read", 100, (*flooding).streamNotRead},
	{"huge batches", 8, (*flooding).hugeBatch},
	{"invalid JSON", 16, (*flooding).invalidJSON},
	{"many subscriptions", 300, (*flooding).subscription},
	{"cancelled calls", 32, (*flooding).cancelledCall},
	{"pipes read slowly", 32, (*flooding).pipeReadSlowly},
	{"JSON answers not read", 64, (*flooding).jsonNotRead},
	{"event answers not read", 64, (*flooding).eventsNotRead},
	{"event answers left behind", 16, (*flooding).eventsLeftBehind},
	{"2024-11-05 answers not read", 32, (*flooding).sseNotRead},
	{"calls that wait on a pipe", 8, (*flooding).pipeThatWaits},
	{"hostile origins", 16, (*flooding).hostileOrigin},
}

// fail records an error of the server.
func (f *flooding) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f.problem.CompareAndSwap(nil, &text)
}

// dial opens a connection that is closed when the flood ends.
func (f *flooding) dial(addr string) (net.Conn, func()) {
	c, err := new(net.Dialer).DialContext(f.ctx, "tcp", addr)
	if err != nil {
		f.pause(100 * time.Millisecond)
		return nil, func() {}
	}
	stop := context.AfterFunc(f.ctx, func() { c.Close() })
	return c, func() {
		stop()
		c.Close()
	}
}

func (f *flooding) pause(d time.Duration) {
	select {
	case <-f.ctx.Done():
	case <-time.After(d):
	}
}

// client returns an HTTP client whose connection ends with it.
func (f *flooding) client() (*http.Client, func()) {
	transport := &http.Transport{}
	return &http.Client{Transport: transport}, transport.CloseIdleConnections
}

// post posts a message and discards the answer. It returns the status, or 0 if there is none.
func (f *flooding) post(client *http.Client, head http.Header, body string) int {
	resp, err := f.target.post(f.ctx, client, head, body)
	if err != nil {
		f.pause(10 * time.Millisecond)
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // The server may close the connection.
	return resp.StatusCode
}

const largeBody = 4 << 20

func (f *flooding) beginBody() (net.Conn, func()) {
	c, done := f.dial(f.web)
	if c != nil {
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", f.web, largeBody)
	}
	return c, done
}

var blank = strings.Repeat(" ", largeBody)

func (f *flooding) unfinishedBody() {
	c, done := f.beginBody()
	defer done()
	if c == nil {
		return
	}
	if _, err := io.WriteString(c, blank[1:]); err == nil {
		_, _ = io.Copy(io.Discard, c) // Read until the server closes the connection.
	}
	f.pause(time.Second)
}

func (f *flooding) drippingBody() {
	c, done := f.beginBody()
	defer done()
	if c == nil {
		return
	}
	for f.ctx.Err() == nil {
		if _, err := io.WriteString(c, " "); err != nil {
			return
		}
		f.pause(100 * time.Millisecond)
	}
}

func (f *flooding) session() {
	client, done := f.client()
	defer done()
	for range 100 {
		if _, err := f.open(f.ctx, client, "2025-11-25"); err != nil {
			f.pause(10 * time.Millisecond)
		}
	}
}

// streamNotRead holds a session's stream and the stream of a call that sends a
// megabyte, and reads neither.
func (f *flooding) streamNotRead() {
	client, done := f.client()
	defer done()
	session, err := f.open(f.ctx, client, "2025-11-25")
	if err != nil {
		f.pause(100 * time.Millisecond)
		return
	}
	const head = "Host: %s\r\nAccept: text/event-stream, application/json\r\nMcp-Session-Id: %s\r\n"
	get, closeGet := f.dial(f.web)
	defer closeGet()
	post, closePost := f.dial(f.web)
	defer closePost()
	if get == nil || post == nil {
		return
	}
	fmt.Fprintf(get, "GET /mcp HTTP/1.1\r\n"+head+"\r\n", f.web, session)
	line := call(1, "talk", `{}`, `,"_meta":{"progressToken":1}`)
	fmt.Fprintf(post, "POST /mcp HTTP/1.1\r\n"+head+"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", f.web, session, len(line), line)
	f.post(client, http.Header{"Mcp-Session-Id": {session}}, `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"soak:a"}}`)
	for range 50 {
		f.post(client, http.Header{"Mcp-Session-Id": {session}}, call(3, "change", `{}`, ""))
		f.pause(20 * time.Millisecond)
	}
}

func (f *flooding) hugeBatch() {
	client, done := f.client()
	defer done()
	one := call(1, "echo", `{"message":"x"}`, "")
	batch := "[" + strings.Repeat(one+",", 900) + one + "]"
	tooMany := "[" + strings.Repeat("1,", largeBody/3) + "1]"
	session, err := f.open(f.ctx, client, "2025-03-26")
	if err != nil {
		f.pause(10 * time.Millisecond)
		return
	}
	f.post(client, http.Header{"Mcp-Session-Id": {session}}, batch)
	f.post(client, http.Header{"Mcp-Session-Id": {session}}, tooMany)
	pipe, closePipe := f.dial(f.pipes)
	defer closePipe()
	if pipe == nil {
		return
	}
	go func() { _, _ = io.Copy(io.Discard, pipe) }()
	fmt.Fprintf(pipe, initialize+"\n", "2025-03-26")
	for _, line := range []string{batch, tooMany} {
		_, _ = io.WriteString(pipe, line+"\n") // The server may have closed it.
	}
	f.pause(100 * time.Millisecond)
}

func (f *flooding) invalidJSON() {
	client, done := f.client()
	defer done()
	for _, body := range []string{
		"", "{", "nonsense", strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), `{"jsonrpc":"2.0","id":` + strings.Repeat("9", 1<<20),
		"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20),
	} {
		if status := f.post(client, nil, body); status != 0 && (status < 400 || status >= 500) && status != http.StatusServiceUnavailable {
			f.fail("%.40q was answered with status %d", body, status)
		}
	}
}

// subscription keeps one of many subscriptions open, all of which are notified of each change.
func (f *flooding) subscription() {
	client, done := f.client()
	defer done()
	ctx, cancel := context.WithTimeout(f.ctx, 5*time.Second)
	defer cancel()
	resp, err := f.target.post(ctx, client, modernHead("subscriptions/listen", ""), `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["soak:a"]},`+modernMeta+`}}`)
	if err != nil {
		f.pause(10 * time.Millisecond)
		return
	}
	defer resp.Body.Close()
	f.post(client, modernHead("tools/call", "change"), call(2, "change", `{}`, ","+modernMeta))
	_, _ = io.Copy(io.Discard, resp.Body) // Read until ctx ends.
}

func modernHead(method, name string) http.Header {
	head := http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}}
	if name != "" {
		head["Mcp-Name"] = []string{name}
	}
	return head
}

// cancelledCall cancels a call in a session by a notification, and one of
// 2026-07-28 by closing its connection.
func (f *flooding) cancelledCall() {
	client, done := f.client()
	defer done()
	session, err := f.open(f.ctx, client, "2025-11-25")
	if err != nil {
		f.pause(10 * time.Millisecond)
		return
	}
	head := http.Header{"Mcp-Session-Id": {session}}
	const limited = `{"seconds":5}` // for a call that comes after its cancellation
	for id := range 20 {
		go f.post(client, head, call(id, "wait", limited, ""))
		f.pause(5 * time.Millisecond)
		f.post(client, head, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		ctx, cancel := context.WithTimeout(f.ctx, 10*time.Millisecond)
		if resp, err := f.target.post(ctx, client, modernHead("tools/call", "wait"), call(id, "wait", limited, ","+modernMeta)); err == nil {
			resp.Body.Close()
			f.fail("a call that waits was answered with %s", resp.Status)
		}
		cancel()
	}
}

func (f *flooding) pipeReadSlowly() {
	c, done := f.dial(f.pipes)
	defer done()
	if c == nil {
		return
	}
	fmt.Fprintf(c, initialize+"\n", "2025-11-25")
	go func() {
		for id := 1; f.ctx.Err() == nil; id++ {
			if _, err := io.WriteString(c, call(id, "big", `{"kb":256}`, "")+"\n"); err != nil {
				return
			}
		}
	}()
	for range 200 {
		if _, err := io.ReadFull(c, make([]byte, 1000)); err != nil {
			return
		}
		f.pause(20 * time.Millisecond)
	}
}

// postUnread posts a call of 50 MB and does not read its answer.
func (f *flooding) postUnread(head http.Header, more string) (net.Conn, func()) {
	c, done := f.dial(f.web)
	if c == nil {
		return nil, done
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4096) // the answer waits in the server, not in system buffers
	}
	line := call(1, "big", fmt.Sprintf(`{"kb":%d}`, largeAnswer), more)
	var fields strings.Builder
	_ = head.Write(&fields)
	fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", f.web, fields.String(), len(line), line)
	return c, done
}

// hold keeps c open until the server closes it, reading a byte occasionally.
func (f *flooding) hold(c net.Conn) {
	for f.ctx.Err() == nil {
		if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
			return
		}
		f.pause(100 * time.Millisecond)
	}
}

func (f *flooding) jsonNotRead() {
	head := modernHead("tools/call", "big")
	head.Set("Accept", "application/json")
	c, done := f.postUnread(head, ","+modernMeta)
	defer done()
	if c != nil {
		f.hold(c)
	}
}

// eventHead opens a session and returns the headers of a call in it that is answered with an event.
func (f *flooding) eventHead() http.Header {
	client, done := f.client()
	defer done()
	session, err := f.open(f.ctx, client, "2025-11-25")
	if err != nil {
		f.pause(100 * time.Millisecond)
		return nil
	}
	return http.Header{"Mcp-Session-Id": {session}, "Accept": {"text/event-stream"}}
}

func (f *flooding) eventsNotRead() {
	head := f.eventHead()
	if head == nil {
		return
	}
	c, done := f.postUnread(head, "")
	defer done()
	if c != nil {
		f.hold(c)
	}
}

// eventsLeftBehind disconnects while its answer is written, so that the server keeps the event for
// the client to resume.
func (f *flooding) eventsLeftBehind() {
	head := f.eventHead()
	if head == nil {
		return
	}
	c, done := f.postUnread(head, "")
	if c != nil {
		_, _ = io.ReadFull(c, make([]byte, 4096))
	}
	done()
}

// sseNotRead posts calls of 1 MB to a 2024-11-05 connection that it reads very slowly.
func (f *flooding) sseNotRead() {
	c, done := f.dial(f.web)
	defer done()
	if c == nil {
		return
	}
	fmt.Fprintf(c, "GET /sse HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", f.web)
	lines := bufio.NewScanner(c)
	path := ""
	for path == "" && lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "data: "); ok {
			path = after
		}
	}
	client, closeClient := f.client()
	defer closeClient()
	for id := range 200 {
		line := call(id, "big", `{"kb":1024}`, "")
		if id == 0 {
			line = fmt.Sprintf(initialize, "2024-11-05")
		}
		req, err := http.NewRequestWithContext(f.ctx, http.MethodPost, "http://"+f.web+path, strings.NewReader(line))
		if err != nil {
			return
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	f.hold(c)
}

// pipeThatWaits fills a pipe with calls that wait, more than are served and
// queued, and then cancels them all.
func (f *flooding) pipeThatWaits() {
	c, done := f.dial(f.pipes)
	defer done()
	if c == nil {
		return
	}
	go func() { _, _ = io.Copy(io.Discard, c) }()
	fmt.Fprintf(c, initialize+"\n", "2025-11-25")
	const many = 2500
	for _, line := range []func(id int) string{
		func(id int) string { return call(id, "wait", `{}`, "") },
		func(id int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		},
	} {
		for id := range many {
			if _, err := io.WriteString(c, line(id)+"\n"); err != nil {
				return
			}
		}
	}
	f.pause(100 * time.Millisecond)
}

func (f *flooding) hostileOrigin() {
	client, done := f.client()
	defer done()
	for _, head := range []http.Header{
		{"Origin": {"https://evil.example.com"}}, {"Origin": {"null"}}, {"Origin": {"http://" + f.web + ".example.com"}},
		{"Origin": {"http://" + f.web, "https://evil.example.com"}}, {"Origin": {"file://"}}, {"Origin": {"http://localhost:1"}},
	} {
		if status := f.post(client, head, fmt.Sprintf(initialize, "2025-11-25")); status != 0 && status != http.StatusForbidden {
			f.fail("Origin %q was answered with status %d", head["Origin"], status)
		}
	}
}
