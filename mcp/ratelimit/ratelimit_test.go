package ratelimit_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

type client struct {
	t     *testing.T
	conn  net.Conn
	lines *bufio.Scanner
}

func server(t *testing.T, opts ratelimit.Options) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{ratelimit.New(&opts)}})
	for _, name := range []string{"a", "b"} {
		if err := mcp.AddTool(s, mcp.Tool{Name: name}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "ran", nil }); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// dial opens a session with s on behalf of a principal.
func dial(t *testing.T, s *mcp.Server, principal string) *client {
	near, far := net.Pipe()
	ctx := context.Background()
	if principal != "" {
		ctx = mcp.WithPrincipal(ctx, principal)
	}
	served := make(chan error, 1)
	go func() { served <- s.ServeConn(ctx, far) }()
	c := &client{t, near, bufio.NewScanner(near)}
	t.Cleanup(func() {
		near.Close()
		<-served
	})
	c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	return c
}

func (c *client) ask(method, params string) string {
	c.t.Helper()
	fmt.Fprintf(c.conn, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
	if !c.lines.Scan() {
		c.t.Fatalf("no answer to %s: %v", method, c.lines.Err())
	}
	return c.lines.Text()
}

// call calls a tool and returns the text of its result, and whether it is an error.
func (c *client) call(tool string) (string, bool) {
	c.t.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	line := c.ask("tools/call", fmt.Sprintf(`{"name":%q}`, tool))
	if err := json.Unmarshal([]byte(line), &m); err != nil || len(m.Result.Content) != 1 {
		c.t.Fatalf("answer %s: %v", line, err)
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

// ran makes n calls and returns the number of calls that were not refused.
func (c *client) ran(tool string, n int) (ran int) {
	c.t.Helper()
	for range n {
		if _, refused := c.call(tool); !refused {
			ran++
		}
	}
	return ran
}

// bubble runs f in fake time.
func bubble(t *testing.T, f func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // wait for the end of goroutines that are kept for later calls
		f(t)
	})
}

func TestACallTooManyTellsTheModelWhenToTryAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := dial(t, server(t, ratelimit.Options{PerSecond: 0.5, Burst: 3}), "ada")
		if n := c.ran("a", 3); n != 3 {
			t.Fatalf("%d of 3 calls ran", n)
		}
		text, refused := c.call("a")
		if want := `Rate limit reached: tool "a" was called too often and has not run. Try again in 2s.`; !refused || text != want {
			t.Errorf("got %q, error %t", text, refused)
		}
		time.Sleep(2 * time.Second)
		if n := c.ran("a", 2); n != 1 {
			t.Errorf("%d calls ran after the time is up, want 1", n)
		}
	})
}

func TestEachPrincipalHasALimitForEachTool(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := server(t, ratelimit.Options{PerSecond: 1, Burst: 2})
		ada, again, bob := dial(t, s, "ada"), dial(t, s, "ada"), dial(t, s, "bob")
		for i, got := range []int{ada.ran("a", 3), again.ran("a", 3), ada.ran("b", 3), bob.ran("a", 3)} {
			if want := []int{2, 0, 2, 2}[i]; got != want {
				t.Errorf("case %d: %d calls ran, want %d", i, got, want)
			}
		}
	})
}

func TestWithoutPrincipalEachSessionHasItsLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := server(t, ratelimit.Options{PerSecond: 1, Burst: 1})
		if a, b := dial(t, s, "").ran("a", 2), dial(t, s, "").ran("a", 2); a != 1 || b != 1 {
			t.Errorf("%d and %d calls ran", a, b)
		}
	})
}

func TestOtherRequestsAreLimitedIfTheyHaveAKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		byMethod := func(r *mcp.Request) string { return strings.TrimPrefix(r.Method(), "initialize") }
		c := dial(t, server(t, ratelimit.Options{PerSecond: 1, Burst: 1, Key: byMethod}), "")
		first, second := c.ask("tools/list", "{}"), c.ask("tools/list", "{}")
		if !strings.Contains(first, `"result"`) || !strings.Contains(second, "try tools/list again in 1s") {
			t.Errorf("got %s\nand %s", first, second)
		}
	})
}

func TestOnlySoManyKeysAreKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := server(t, ratelimit.Options{PerSecond: 1, Burst: 1, MaxKeys: 2})
		a, b, c := dial(t, s, "a"), dial(t, s, "b"), dial(t, s, "c")
		a.ran("a", 1)
		b.ran("a", 1)
		if n := a.ran("a", 1); n != 0 {
			t.Error("a key is forgotten before there is need")
		}
		c.ran("a", 1)
		if n := a.ran("a", 1); n != 0 {
			t.Error("not the one that was quiet longest is forgotten")
		}
		if n := b.ran("a", 1); n != 1 {
			t.Error("there are more keys than MaxKeys")
		}
	})
}

func TestNamesThatNoToolCanHaveCountAsOneAndAreNotKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var longest int
		s := server(t, ratelimit.Options{PerSecond: 1, Burst: 2, Key: func(r *mcp.Request) string {
			key := ratelimit.Caller(r)
			longest = max(longest, len(key))
			return key
		}})
		c := dial(t, s, "ada")
		for i, want := range []string{"Unknown tool", "Unknown tool", "Rate limit reached"} {
			line := c.ask("tools/call", fmt.Sprintf(`{"name":"%d%s"}`, i, strings.Repeat("x", 10_000)))
			if !strings.Contains(line, want) {
				t.Errorf("call %d is answered with %.200s, not %q", i, line, want)
			}
		}
		if longest > 500 {
			t.Errorf("a key has %d bytes", longest)
		}
	})
}

func TestTheZeroValueLimits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		if n := dial(t, server(t, ratelimit.Options{}), "").ran("a", 100); n != 20 {
			t.Errorf("%d of 100 calls ran, want 20", n)
		}
	})
}

func ExampleNew() {
	mcp.NewServer(mcp.Implementation{Name: "search", Version: "1.0.0"}, &mcp.ServerOptions{
		Middleware: []mcp.Middleware{ratelimit.New(&ratelimit.Options{PerSecond: 2, Burst: 5})},
	})
}
