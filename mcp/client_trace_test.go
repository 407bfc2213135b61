package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestTraceSeesEachMessage compares what ClientOptions.Trace receives with what
// a server receives and sends, on a pipe and over HTTP.
func TestTraceSeesEachMessage(t *testing.T) {
	s := askingServer(t)
	overHTTP := httptest.NewServer(s.HTTPHandler(nil))
	defer overHTTP.Close()
	for name, transport := range map[string]mcp.Transport{
		"pipe": &mcp.ServerTransport{Server: s}, "http": &mcp.HTTPTransport{URL: overHTTP.URL},
	} {
		for _, revision := range mcp.Revisions() {
			if name == "http" && revision == "2024-11-05" {
				continue // this revision does not have Streamable HTTP
			}
			t.Run(name+" "+revision, func(t *testing.T) {
				var mu sync.Mutex
				var seen []string
				c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{
					Revisions: []string{revision},
					Roots:     func(context.Context) ([]mcp.Root, error) { return nil, nil },
					Trace: func(sent bool, message json.RawMessage) {
						var m struct {
							Method        string
							Result, Error json.RawMessage
						}
						if err := json.Unmarshal(message, &m); err != nil {
							t.Errorf("%s: %v", message, err)
						}
						mark := "<"
						if sent {
							mark = ">"
						}
						if m.Method == "" {
							m.Method = "answer"
						}
						mu.Lock()
						defer mu.Unlock()
						seen = append(seen, mark+m.Method)
					},
				})
				must(t, err)
				if _, err := c.CallTool(t.Context(), "roots", nil, nil); err != nil {
					t.Fatal(err)
				}
				c.Close()
				want := []string{">initialize", "<answer", ">notifications/initialized", ">tools/call", "<roots/list", ">answer", "<answer"}
				if revision == "2026-07-28" {
					want = []string{">server/discover", "<answer", ">tools/call", "<answer", ">tools/call", "<answer"}
				}
				mu.Lock()
				defer mu.Unlock()
				if !slices.Equal(seen, want) {
					t.Errorf("traced %v, want %v", seen, want)
				}
			})
		}
	}
}

type valueKey struct{}

// TestAQuestionBelongsToItsCall checks the context of a question that arrived
// in a result.
func TestAQuestionBelongsToItsCall(t *testing.T) {
	s := askingServer(t)
	request, ended := make(chan any, 2), make(chan error, 1)
	var wait bool
	c := mcptest.Connect(t, s, &mcp.ClientOptions{Revisions: []string{"2026-07-28"}, Roots: func(ctx context.Context) ([]mcp.Root, error) {
		request <- ctx.Value(valueKey{})
		if mcp.ClientFrom(ctx) == nil {
			t.Error("the question has no client")
		}
		if wait {
			<-ctx.Done()
			ended <- ctx.Err()
		}
		return nil, nil
	}})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), valueKey{}, "mine"))
	defer cancel()
	if _, err := c.CallTool(ctx, "roots", nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := <-request; got != "mine" {
		t.Errorf("the question's context has the value %v", got)
	}
	wait = true
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, "roots", nil, nil)
		failed <- err
	}()
	<-request
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("the call that was cancelled while the user is asked: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the question's context: %v", err)
	}
}

func TestResultsEncodeAsTheyCame(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, nil)
	err := errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "t"}, func(context.Context, *mcp.Request, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("x"), &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"}}, Structured: map[string]int{"n": 1}, IsError: true, Meta: mcp.Meta{"example.com/a": 1}}, nil
		}),
		s.AddPrompt(mcp.Prompt{Name: "p"}, func(context.Context, *mcp.Request, map[string]string) (*mcp.PromptResult, error) {
			return &mcp.PromptResult{Description: "d", Messages: []mcp.PromptMessage{{Content: mcp.Text("x")}}}, nil
		}),
		s.AddResource(mcp.Resource{URI: "a:b", Name: "n"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "x"}}, nil
		}),
	)
	must(t, err)
	c := mcptest.Connect(t, s, nil)
	tool, err1 := c.CallTool(t.Context(), "t", nil, nil)
	prompt, err2 := c.GetPrompt(t.Context(), "p", nil, nil)
	resource, err3 := c.ReadResource(t.Context(), "a:b", nil)
	must(t, errors.Join(err1, err2, err3))
	for want, res := range map[string]any{
		`{"content":[{"type":"text","text":"x"},{"type":"image","data":"AQ==","mimeType":"image/png"}],"structuredContent":{"n":1},"isError":true,"_meta":{"example.com/a":1}}`: tool,
		`{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`:                                                                                 prompt,
		`{"contents":[{"uri":"a:b","text":"x"}],"ttlMs":0,"cacheScope":"private"}`:                                                                                              resource,
	} {
		got, err := json.Marshal(res)
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}

// sentLog records what a client has sent.
type sentLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *sentLog) trace(sent bool, message json.RawMessage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sent {
		l.lines = append(l.lines, string(message))
	}
}

// take returns what was sent since the last call.
func (l *sentLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.lines, "\n")
	l.lines = nil
	return text
}
