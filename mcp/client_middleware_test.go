package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestClientMiddleware_SeesBothDirections records the messages that pass through a client's
// middleware in every revision.
func TestClientMiddleware_SeesBothDirections(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "roots"}, func(ctx context.Context, r *mcp.Request, in struct {
		N int `json:"n"`
	}) (string, error) {
		roots, err := r.Roots(ctx)
		r.Log(mcp.LevelError, "", "seen")
		return fmt.Sprintf("%d %d %s", in.N, len(roots), r.Meta()["com.example/trace"]), err
	}))
	var mu sync.Mutex
	var seen []string
	opts := &mcp.ClientOptions{
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a"}}, nil },
		Log:   func(mcp.LogMessage) {},
		Middleware: []mcp.ClientMiddleware{func(next mcp.ClientHandler) mcp.ClientHandler {
			return func(ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) {
				direction := "out"
				if m.Incoming {
					direction = "in"
				}
				if m.Notification {
					direction += " note"
				}
				mu.Lock()
				seen = append(seen, strings.TrimSpace(direction+" "+m.Method+" "+m.Name()))
				mu.Unlock()
				if m.Client == nil {
					t.Error("no client")
				}
				if m.Method == "tools/call" {
					m.Params = json.RawMessage(`{"name":"roots","arguments":{"n":2}}`)
					m.Meta = mcp.Meta{"com.example/trace": "t"}
				}
				return next(ctx, m)
			}
		}},
	}
	mcptest.EachRevision(t, s, opts, func(t *testing.T, _ string, c *mcp.Client) {
		seen = nil
		text, err := mcp.CallTool[string](t.Context(), c, "other", map[string]int{"n": 1}, nil)
		if err != nil || text != `2 1 "t"` {
			t.Errorf("got %s, %v", text, err)
		}
		must(t, c.Notify(t.Context(), "notifications/a", nil))
		must(t, c.Flush(t.Context()))
		mu.Lock()
		defer mu.Unlock()
		for _, want := range []string{"out tools/call other", "in roots/list", "in note notifications/message", "out note notifications/a"} {
			if !slices.Contains(seen, want) {
				t.Errorf("%q is not among %q", want, seen)
			}
		}
	})
}

// TestClientMiddleware_AnswersItself uses middleware that answers, repeats, refuses and breaks
// requests.
func TestClientMiddleware_AnswersItself(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, nil)
	calls := 0
	must(t, mcp.AddFunc(s, mcp.Tool{Name: "count"}, func(context.Context, struct{}) (string, error) {
		calls++
		return fmt.Sprint(calls), nil
	}))
	refusal := errors.New("refused here")
	var handle func(next mcp.ClientHandler, ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error)
	answer := func(result json.RawMessage, err error) {
		handle = func(mcp.ClientHandler, context.Context, *mcp.ClientMessage) (json.RawMessage, error) {
			return result, err
		}
	}
	c := mcptest.Connect(t, s, &mcp.ClientOptions{Middleware: []mcp.ClientMiddleware{func(next mcp.ClientHandler) mcp.ClientHandler {
		return func(ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) { return handle(next, ctx, m) }
	}}})
	call := func() (string, error) { return mcp.CallTool[string](t.Context(), c, "count", nil, nil) }

	answer(json.RawMessage(`{"content":[{"type":"text","text":"cached"}]}`), nil)
	if text, err := call(); text != "cached" || err != nil || calls != 0 {
		t.Errorf("got %q, %v after %d calls", text, err, calls)
	}
	handle = func(next mcp.ClientHandler, ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) {
		if _, err := next(ctx, m); err != nil {
			return nil, err
		}
		return next(ctx, m)
	}
	if text, err := call(); text != "2" || err != nil {
		t.Errorf("repeated: got %q, %v", text, err)
	}
	answer(nil, refusal)
	_, err := call()
	if failure := c.Notify(t.Context(), "notifications/a", nil); !errors.Is(err, refusal) || !errors.Is(failure, refusal) {
		t.Errorf("refused: %v, %v", err, failure)
	}
	for name, wrong := range map[string]func(*mcp.ClientMessage){
		"params that are no object": func(m *mcp.ClientMessage) { m.Params = json.RawMessage("7") },
		"params with _meta":         func(m *mcp.ClientMessage) { m.Params = json.RawMessage(`{"_meta":{}}`) },
	} {
		handle = func(next mcp.ClientHandler, ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) {
			wrong(m)
			return next(ctx, m)
		}
		if _, err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	answer(nil, nil)
	if _, err := call(); err == nil {
		t.Error("no result is a result")
	}
	if _, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s}, &mcp.ClientOptions{Middleware: []mcp.ClientMiddleware{nil}}); err == nil {
		t.Error("nil is middleware")
	}
}

// This middleware of a client measures requests and adds their trace to them.
func ExampleClientMiddleware() {
	s := mcp.NewServer(mcp.Implementation{Name: "sums", Version: "1.0.0"}, nil)
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "trace"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		return string(r.Meta()["traceparent"]), nil
	}))
	traced := func(next mcp.ClientHandler) mcp.ClientHandler {
		return func(ctx context.Context, m *mcp.ClientMessage) (json.RawMessage, error) {
			m.Meta = mcp.Meta{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
			result, err := next(ctx, m)
			fmt.Println(m.Method, m.Name(), err)
			return result, err
		}
	}
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: s}, &mcp.ClientOptions{Middleware: []mcp.ClientMiddleware{traced}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	fmt.Println(mcp.CallTool[string](ctx, c, "trace", nil, nil))
	// Output:
	// tools/call trace <nil>
	// "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" <nil>
}
