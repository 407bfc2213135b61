package mcptest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

func newServer(t testing.TB) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0.0"}, nil)
	err := errors.Join(
		mcp.AddTool(s, mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.Request, in struct {
			Name string `json:"name"`
		}) (string, error) {
			return "Hello, " + in.Name + "!", nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			roots, err := r.Roots(ctx)
			if err != nil {
				return "", err
			}
			return roots[0].URI, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTranscriptsAreGoldenByRevision(t *testing.T) {
	s := newServer(t)
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			r := mcptest.Record(t, s, &mcp.ClientOptions{
				Info: mcp.Implementation{Name: "test", Version: "1"}, Revisions: []string{revision},
				Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///src"}}, nil },
			})
			text, err := mcp.CallTool[string](t.Context(), r.Client, "greet", map[string]any{"name": "Ada"}, nil)
			if err != nil || text != "Hello, Ada!" {
				t.Errorf("%q, %v", text, err)
			}
			if text, err = mcp.CallTool[string](t.Context(), r.Client, "ask", nil, nil); err != nil || text != "file:///src" {
				t.Errorf("%q, %v", text, err)
			}
			r.Golden("testdata/greet-" + revision + ".txt")
		})
	}
}

func TestEachRevisionIsSpoken(t *testing.T) {
	n := 0
	mcptest.EachRevision(t, newServer(t), nil, func(t *testing.T, revision string, c *mcp.Client) {
		n++
		if got := c.Server().Revision; got != revision {
			t.Errorf("the client speaks %s", got)
		}
	})
	if n != len(mcp.Revisions()) || n < 5 {
		t.Errorf("%d revisions", n)
	}
}

func TestAPeerPlaysTheServerWithFakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mcptest.NewPeer(t)
		c := p.Connect("2025-11-25", &mcp.ClientOptions{Timeout: time.Hour})
		failed := make(chan error)
		start := time.Now()
		go func() {
			_, err := c.CallTool(t.Context(), "slow", nil, nil)
			failed <- err
		}()
		call := p.Expect("tools/call")
		if !strings.Contains(call.Line, `"name":"slow"`) {
			t.Errorf("the client sent %s", call.Line)
		}
		p.Expect("notifications/cancelled")
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Hour {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if got := p.Ask("ping", "{}"); string(got.Result) != "{}" {
			t.Errorf("the client answered %s", got.Line)
		}
	})
}

func TestAServerIsJoinedInABubbleWithFakeTime(t *testing.T) {
	for name, connect := range map[string]func(testing.TB, *mcp.Server, *mcp.ClientOptions) *mcp.Client{
		"connect": mcptest.Connect,
		"record": func(t testing.TB, s *mcp.Server, opts *mcp.ClientOptions) *mcp.Client {
			return mcptest.Record(t, s, opts).Client
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := mcp.NewServer(mcp.Implementation{Name: "clock", Version: "1"}, nil)
				if err := mcp.AddTool(s, mcp.Tool{Name: "sleep"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
					select {
					case <-time.After(30 * time.Minute):
						return "slept", nil
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}); err != nil {
					t.Fatal(err)
				}
				c := connect(t, s, &mcp.ClientOptions{Timeout: time.Minute})
				start := time.Now()
				if _, err := c.CallTool(t.Context(), "sleep", nil, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute {
					t.Errorf("after %v: %v", time.Since(start), err)
				}
				text, err := mcp.CallTool[string](t.Context(), c, "sleep", nil, &mcp.CallOptions{Timeout: time.Hour})
				if err != nil || text != "slept" || time.Since(start) != 31*time.Minute {
					t.Errorf("after %v: %q, %v", time.Since(start), text, err)
				}
			})
		})
	}
}
