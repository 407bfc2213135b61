package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"soak","version":"1"}}}`
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"soak","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	patience   = 20 * time.Second // after which a steady client considers its call lost
)

func call(id int, tool, arguments, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, id, tool, arguments, more)
}

// steady is a set of clients that repeatedly call tools: a session and a client of 2026-07-28 over
// HTTP, and one on a pipe.
type steady struct {
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu    sync.Mutex
	calls calls
}

// calls counts the outcomes of calls.
type calls struct {
	took []time.Duration
	lost []error
}

func (c *calls) add(more calls) {
	c.took = append(c.took, more.took...)
	c.lost = append(c.lost, more.lost...)
}

func (c *calls) quantile(percent int) time.Duration {
	if len(c.took) == 0 {
		return 0
	}
	slices.Sort(c.took)
	return c.took[len(c.took)*percent/100].Round(10 * time.Microsecond)
}

// steady starts the steady clients.
func (t *target) steady() (*steady, error) {
	ctx, cancel := context.WithCancel(context.Background())
	h := &steady{cancel: cancel}
	client := &http.Client{Transport: &http.Transport{}, Timeout: patience}
	session, err := t.open(ctx, client, "2025-11-25")
	if err != nil {
		cancel()
		return nil, err
	}
	pipe, err := net.Dial("tcp", t.pipes)
	if err != nil {
		cancel()
		return nil, err
	}
	answers := bufio.NewReader(pipe)
	fmt.Fprintf(pipe, initialize+"\n", "2025-11-25")
	if _, err := answers.ReadString('\n'); err != nil {
		cancel()
		return nil, err
	}
	web := func(head http.Header, more string) func(id int, text string) (string, error) {
		return func(id int, text string) (string, error) {
			resp, err := t.post(context.Background(), client, head, call(id, "echo", `{"message":"`+text+`"}`, more))
			if err != nil {
				return "", err
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if resp.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %s: %s", resp.Status, body)
			}
			return string(body), err
		}
	}
	h.run(ctx, web(http.Header{"Mcp-Session-Id": {session}}, ""))
	h.run(ctx, web(http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"}}, ","+modernMeta))
	h.run(ctx, func(id int, text string) (string, error) {
		if err := pipe.SetDeadline(time.Now().Add(patience)); err != nil {
			return "", err
		}
		if _, err := io.WriteString(pipe, call(id, "echo", `{"message":"`+text+`"}`, "")+"\n"); err != nil {
			return "", err
		}
		return answers.ReadString('\n')
	})
	return h, nil
}

// run makes one call after another, every tenth of them a large one.
func (h *steady) run(ctx context.Context, echo func(id int, text string) (string, error)) {
	h.all.Go(func() {
		for id := 1; ctx.Err() == nil; id++ {
			text := fmt.Sprintf("honest %d", id)
			if id%10 == 0 {
				text += strings.Repeat("x", 100_000)
			}
			began := time.Now()
			answer, err := echo(id, text)
			if err == nil && !strings.Contains(answer, `"text":"`+text+`"`) {
				err = fmt.Errorf("the answer is %.200q", answer)
			}
			h.mu.Lock()
			if err != nil {
				h.calls.lost = append(h.calls.lost, err)
			} else {
				h.calls.took = append(h.calls.took, time.Since(began))
			}
			h.mu.Unlock()
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
}

// take returns the calls since the last take.
func (h *steady) take() calls {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.calls
	h.calls = calls{}
	return c
}

func (h *steady) stop() {
	h.cancel()
	h.all.Wait()
}

// post posts a message with the headers that head adds.
func (t *target) post(ctx context.Context, client *http.Client, head http.Header, body string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+t.web+"/mcp", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, head)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	return client.Do(req)
}

// open opens a session.
func (t *target) open(ctx context.Context, client *http.Client, revision string) (string, error) {
	resp, err := t.post(ctx, client, nil, fmt.Sprintf(initialize, revision))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("initialize: status %s", resp.Status)
	}
	return resp.Header.Get("Mcp-Session-Id"), nil
}
