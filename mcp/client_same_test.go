package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// TestEveryConnectionCarriesTheSame makes a client perform the same calls on each kind of connection, and
// compares the messages of both sides.
func TestEveryConnectionCarriesTheSame(t *testing.T) {
	for _, row := range []string{"transport.custom.preserve.legacy", "transport.custom.preserve.modern"} {
		revisionsOf(t, row, carriesTheSame)
	}
}

// anyState matches a requestState, which differs each time.
var anyState = regexp.MustCompile(`"requestState":"[^"]+"`)

func carriesTheSame(t *testing.T, revision string) {
	if revision < latest {
		proves(t, "lifecycle.init.initialized")
	}
	var first string
	for _, kind := range []string{"a pipe", "one made again", "memory"} {
		s := mcp.NewServer(mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
		must(t, mcp.AddTool(s, mcp.Tool{Name: "tool"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			r.Progress(1, 2, "half")
			r.Log(mcp.LevelDebug, "", "asking")
			err := askOnly(ctx, r, &mcp.RootsQuestion{})
			return "done", err
		}))
		started := make(chan bool)
		must(t, mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			started <- true
			<-ctx.Done()
			return "", ctx.Err()
		}))
		dial := func(context.Context) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			go s.ServeConn(context.Background(), far)
			return near, nil
		}
		conn, err := dial(t.Context())
		must(t, err)
		transport := map[string]mcp.Transport{"a pipe": &mcp.ConnTransport{Conn: conn}, "one made again": &mcp.ConnTransport{Dial: dial}, "memory": &mcp.ServerTransport{Server: s}}[kind]
		var mu sync.Mutex
		var sent, received []string
		opts := answering()
		opts.Revisions = []string{revision}
		opts.Log, opts.LogLevel = func(mcp.LogMessage) {}, mcp.LevelDebug
		opts.Trace = func(out bool, message json.RawMessage) {
			mu.Lock()
			defer mu.Unlock()
			if out {
				sent = append(sent, string(message))
			} else {
				received = append(received, string(message))
			}
		}
		c, err := mcp.Connect(t.Context(), transport, &opts)
		must(t, err)
		ran(t, revision, "pipe")
		_, err = c.CallTool(t.Context(), "tool", nil, &mcp.CallOptions{Progress: func(mcp.Progress) {}})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-started
			cancel()
		}()
		if _, err := c.CallTool(ctx, "wait", nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", kind, err)
		}
		must(t, c.RootsChanged(t.Context()), c.Ping(t.Context()), c.Close(), conn.Close())
		mu.Lock()
		text := strings.Join(slices.Concat([]string{"sent"}, sent, []string{"received"}, received), "\n")
		text = anyState.ReplaceAllString(text, `"requestState":"sealed"`)
		mu.Unlock()
		if first == "" {
			first = text
		}
		if text != first {
			t.Errorf("%s:\n%s\nwant:\n%s", kind, text, first)
		}
		if strings.Contains(text, "notifications/initialized") != (revision < latest) || strings.Count(text, `"method":"notifications/cancelled"`) != 1 ||
			!strings.Contains(text, `"roots":[{"uri":"file:///src"`) || !strings.Contains(text, `"data":"asking"`) {
			t.Errorf("%s: %s", kind, text)
		}
	}
}
