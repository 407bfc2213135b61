package mcpproxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

var quiet = slog.New(slog.DiscardHandler)

// upstream is the server behind the proxies of the tests.
type upstream struct {
	*mcp.Server
	cancelled chan error // cancelled receives a value when a call of the tool "wait" is cancelled.
	waiting   chan bool
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	u := &upstream{cancelled: make(chan error, 100), waiting: make(chan bool, 100)}
	u.Server = mcp.NewServer(mcp.Implementation{Name: "upstream", Version: "7"}, &mcp.ServerOptions{
		Instructions: "Be kind.", Logger: quiet, Capabilities: mcp.ServerCapabilities{Logging: true},
	})
	type form struct {
		Name string `json:"name"`
	}
	err := errors.Join(
		mcp.AddTool(u.Server, mcp.Tool{Name: "echo", Title: "Echo"}, func(_ context.Context, r *mcp.Request, in struct {
			Text string `json:"text" default:"nothing"`
		}) (*mcp.CallToolResult, error) {
			r.Progress(1, 2, "half")
			r.Log(mcp.LevelWarning, "echo", "echoing")
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(in.Text)}, Structured: map[string]string{"text": in.Text}, Meta: mcp.Meta{"example.com/from": string(r.Meta()["example.com/to"])}}, nil
		}),
		mcp.AddTool(u.Server, mcp.Tool{Name: "fail"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", errors.New("it failed") }),
		mcp.AddTool(u.Server, mcp.Tool{Name: "break"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			return "", &mcp.Error{Code: 42, Message: "broken", Data: json.RawMessage(`{"why":"so"}`)}
		}),
		mcp.AddTool(u.Server, mcp.Tool{Name: "elicit"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			one, _, err := mcp.Elicit[form](ctx, r, "first")
			if err != nil {
				return "", err
			}
			two, action, err := mcp.Elicit[form](ctx, r, "second "+one.Name)
			return one.Name + "+" + two.Name + " " + string(action), err
		}),
		mcp.AddTool(u.Server, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			roots := &mcp.RootsQuestion{}
			sampling := &mcp.Sampling{MaxTokens: 5, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: []mcp.Content{mcp.Text("hi")}}}}
			answers, err := r.Ask(ctx, roots, sampling)
			if err != nil {
				return "", err
			}
			return answers[0].(*mcp.RootsResult).Roots[0].URI + " " + answers[1].(*mcp.SamplingResult).Text(), nil
		}),
		mcp.AddTool(u.Server, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			u.waiting <- true
			<-ctx.Done()
			u.cancelled <- ctx.Err()
			return "", ctx.Err()
		}),
		mcp.AddTool(u.Server, mcp.Tool{Name: "slow", TaskSupport: mcp.TaskSupportOptional}, func(_ context.Context, _ *mcp.Request, _ struct{}) (string, error) { return "slowly", nil }),
		u.AddPrompt(mcp.Prompt{Name: "greet", Arguments: []mcp.PromptArgument{{Name: "who", Required: true, Complete: mcp.OneOf("Ada", "Alan")}}},
			func(_ context.Context, _ *mcp.Request, args map[string]string) (*mcp.PromptResult, error) {
				return &mcp.PromptResult{Messages: []mcp.PromptMessage{{Content: mcp.Text("Hello, " + args["who"])}}}, nil
			}),
		u.AddResource(mcp.Resource{URI: "doc://one", Name: "one"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{{Text: "one", Meta: mcp.Meta{"example.com/a": 1}}}, nil
		}),
		u.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "page://{id}", Name: "page", Complete: map[string]mcp.Completer{"id": mcp.OneOf("1", "12")}},
			func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{{Text: uri}}, nil
			}),
		u.Handle("example.com/own", func(_ context.Context, r *mcp.Request) (mcp.Result, error) { return mcp.RawResult(r.Params()), nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// proxyTo makes a proxy to a server that is spoken to in one revision.
func proxyTo(u *upstream, revision string) *Proxy {
	return New(Options{
		Implementation: mcp.Implementation{Name: "proxy", Version: "1"},
		Connect: func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
			opts := &mcp.ClientOptions{Revisions: []string{revision}}
			change(opts)
			return mcp.Connect(ctx, &mcp.ServerTransport{Server: u.Server}, opts)
		},
	})
}

// overPipe serves a client of the proxy on a pipe.
func overPipe(t *testing.T, p *Proxy) mcp.Transport {
	t.Helper()
	near, far := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- p.ServeConn(context.Background(), far) }()
	t.Cleanup(func() {
		near.Close()
		<-done
	})
	return &mcp.ConnTransport{Conn: near}
}

// overHTTP serves clients of the proxy over HTTP, and returns the address without
// its path.
func overHTTP(t *testing.T, p *Proxy) string {
	t.Helper()
	f := p.front()
	server := httptest.NewServer(f.handler())
	t.Cleanup(func() {
		f.close()
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// notes collects the notifications that a client gets.
type notes struct {
	mu   sync.Mutex
	logs []string
	seen chan bool
}

func (n *notes) options(revision string) *mcp.ClientOptions {
	n.seen = make(chan bool, 1000)
	return &mcp.ClientOptions{
		Info:      mcp.Implementation{Name: "tester", Version: "3"},
		Revisions: []string{revision},
		Logger:    quiet,
		Tasks:     true,
		Log: func(m mcp.LogMessage) {
			n.mu.Lock()
			n.logs = append(n.logs, string(m.Data))
			n.mu.Unlock()
			n.seen <- true
		},
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///work"}}, nil },
		Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
			return &mcp.SamplingResult{Content: []mcp.Content{mcp.Text("sampled")}, Model: "m"}, nil
		},
		ElicitForm: func(_ context.Context, e *mcp.Elicitation) (mcp.ElicitationResult, error) {
			content, err := json.Marshal(map[string]string{"name": "<" + e.Message + ">"})
			return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: content}, err
		},
	}
}

// TestEveryRevisionMeetsEveryOther passes everything through a proxy, for each
// pair of revisions and both transports.
func TestEveryRevisionMeetsEveryOther(t *testing.T) {
	for _, front := range mcp.Revisions() {
		for _, behind := range mcp.Revisions() {
			for _, transport := range []string{"pipe", "http", "sse"} {
				if transport == "http" && front == "2024-11-05" || transport == "sse" && front == "2026-07-28" {
					continue // it has no Streamable HTTP, or no HTTP with SSE
				}
				t.Run(fmt.Sprintf("%s over %s to %s", front, transport, behind), func(t *testing.T) {
					u := newUpstream(t)
					p := proxyTo(u, behind)
					n := new(notes)
					c, err := mcp.Connect(t.Context(), frontOf(t, p, transport), n.options(front))
					if err != nil {
						t.Fatal(err)
					}
					defer c.Close()
					passEverything(t, c, u, n, front, behind)
				})
			}
		}
	}
}

func passEverything(t *testing.T, c *mcp.Client, u *upstream, n *notes, front, behind string) {
	t.Helper()
	if info := c.Server(); info.Name != "upstream" || info.Version != "7" || info.Instructions != "Be kind." || info.Revision != front {
		t.Errorf("the server is told as %+v", info)
	}
	var tools []string
	for tool, err := range c.Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool.Name)
	}
	if want := []string{"ask", "break", "echo", "elicit", "fail", "slow", "wait"}; !slices.Equal(tools, want) {
		t.Errorf("tools %q", tools)
	}
	var progress []mcp.Progress
	res, err := c.CallTool(t.Context(), "echo", map[string]string{"text": "hi"}, &mcp.CallOptions{Meta: mcp.Meta{"example.com/to": "x"}, Progress: func(p mcp.Progress) { progress = append(progress, p) }})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Content[0].(*mcp.TextContent).Text; got != "hi" || res.Meta["example.com/from"] != `"x"` {
		t.Errorf("echo gives %q with _meta %v", got, res.Meta)
	}
	if front >= "2025-06-18" && behind >= "2025-06-18" && res.Structured == nil {
		t.Error("structured content is lost")
	}
	if len(progress) != 1 || progress[0].Progress != 1 || progress[0].Total != 2 || behind >= "2025-03-26" && front >= "2025-03-26" && progress[0].Message != "half" {
		t.Errorf("progress %+v", progress)
	}
	<-n.seen
	if n.mu.Lock(); n.logs[0] != `"echoing"` {
		t.Errorf("logs %q", n.logs)
	}
	n.mu.Unlock()
	if res, err := c.CallTool(t.Context(), "fail", nil, nil); err != nil || !res.IsError {
		t.Errorf("a tool that fails: %+v, %v", res, err)
	}
	if _, err := c.CallTool(t.Context(), "break", nil, nil); !isError(err, 42, "broken", `{"why":"so"}`) {
		t.Errorf("a tool that breaks: %v", err)
	}
	if _, err := c.CallTool(t.Context(), "none", nil, nil); err == nil {
		t.Error("an unknown tool is called")
	}
	if front >= "2025-06-18" && behind >= "2025-06-18" {
		if got := text(c.CallTool(t.Context(), "elicit", nil, nil)); got != "<first>+<second <first>> accept" {
			t.Errorf("elicitation: %s", got)
		}
	}
	if got := text(c.CallTool(t.Context(), "ask", nil, nil)); got != "file:///work sampled" {
		t.Errorf("roots and sampling: %s", got)
	}
	if got := text(c.CallTool(t.Context(), "slow", nil, nil)); got != "slowly" {
		t.Errorf("a tool that can be a task: %s", got)
	}
	if task, err := c.CallToolTask(t.Context(), "slow", nil, 0, nil); front >= "2025-11-25" && behind >= "2025-11-25" {
		if err != nil {
			t.Errorf("a task: %v", err)
		} else if got := text(task.Wait(t.Context())); got != "slowly" {
			t.Errorf("a task: %s", got)
		}
	}
	prompt, err := c.GetPrompt(t.Context(), "greet", map[string]string{"who": "Ada"}, nil)
	if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != "Hello, Ada" {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
	if _, err := c.GetPrompt(t.Context(), "greet", nil, nil); !is[*mcp.Error](err) {
		t.Errorf("a prompt without its argument: %v", err)
	}
	for _, uri := range []string{"doc://one", "page://7"} {
		if got, err := c.ReadResource(t.Context(), uri, nil); err != nil || got.Contents[0].Text != strings.TrimPrefix(uri, "doc://") {
			t.Errorf("resource %s: %+v, %v", uri, got, err)
		}
	}
	if _, err := c.ReadResource(t.Context(), "doc://none", nil); !errors.Is(err, mcp.ErrResourceNotFound) {
		t.Errorf("an unknown resource: %v", err)
	}
	if front >= "2025-03-26" && behind >= "2025-03-26" { // The capability "completions" does not exist before this revision.
		if got, err := c.CompletePrompt(t.Context(), "greet", "who", "A", nil); err != nil || len(got.Values) != 2 {
			t.Errorf("completion: %+v, %v", got, err)
		}
		if got, err := c.CompleteTemplate(t.Context(), "page://{id}", "id", "12", nil); err != nil || len(got.Values) != 1 {
			t.Errorf("completion: %+v, %v", got, err)
		}
	}
	if got, err := c.Call(t.Context(), "example.com/own", map[string]int{"n": 1}, nil); err == nil {
		if !strings.Contains(string(got), `"n":1`) {
			t.Errorf("a method of the server's own: %s", got)
		}
	} else if !strings.Contains(err.Error(), "does not have it") {
		t.Errorf("a method of the server's own: %v", err)
	}
	cancelCall(t, c, u)
	followChanges(t, c, u)
	if err := c.Ping(t.Context()); err != nil {
		t.Errorf("ping: %v", err)
	}
}

func cancelCall(t *testing.T, c *mcp.Client, u *upstream) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, "wait", nil, nil)
		failed <- err
	}()
	<-u.waiting
	cancel()
	<-failed
	if err := <-u.cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled call ends with %v", err)
	}
}

func followChanges(t *testing.T, c *mcp.Client, u *upstream) {
	t.Helper()
	sub, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true, URIs: []string{"doc://one"}})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if got := sub.Accepted(); !got.Tools || len(got.URIs) != 1 {
		t.Fatalf("accepted %+v", got)
	}
	u.ResourceUpdated("doc://one")
	if change, err := sub.Next(t.Context()); err != nil || change.Kind != mcp.ChangeResource || change.URI != "doc://one" {
		t.Errorf("change %+v, %v", change, err)
	}
	if err := mcp.AddTool(u.Server, mcp.Tool{Name: "new"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil }); err != nil {
		t.Fatal(err)
	}
	if change, err := sub.Next(t.Context()); err != nil || change.Kind != mcp.ChangeTools {
		t.Errorf("change %+v, %v", change, err)
	}
	found := false
	for tool := range c.Tools(t.Context()) {
		found = found || tool != nil && tool.Name == "new"
	}
	if !found {
		t.Error("the new tool is not listed")
	}
}

func text(res *mcp.CallToolResult, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	if len(res.Content) == 0 {
		return ""
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isError(err error, code int, message, data string) bool {
	e, ok := errors.AsType[*mcp.Error](err)
	return ok && e.Code == code && e.Message == message && string(e.Data) == data
}

// frontOf returns a transport of that name to the proxy.
func frontOf(t *testing.T, p *Proxy, transport string) mcp.Transport {
	switch transport {
	case "http":
		return &mcp.HTTPTransport{URL: overHTTP(t, p) + "/mcp", NoSSE: true}
	case "sse":
		return &mcp.HTTPTransport{URL: overHTTP(t, p) + "/sse"}
	}
	return overPipe(t, p)
}
