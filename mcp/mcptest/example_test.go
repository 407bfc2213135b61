package mcptest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// newGreeter returns the server to test.
func newGreeter() *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "greeter", Version: "1.0"}, nil)
	err := mcp.AddTool(s, mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.Request, in struct {
		Name string `json:"name"`
	}) (string, error) {
		return "Hello, " + in.Name, nil
	})
	if err != nil {
		panic(err)
	}
	return s
}

// t replaces the parameter of the test function.
var t *testing.T

// A server is tested with a client that is connected in memory.
func ExampleConnect() {
	c := mcptest.Connect(t, newGreeter(), nil)
	got, err := mcp.CallTool[string](t.Context(), c, "greet", map[string]string{"name": "Ada"}, nil)
	if err != nil || got != "Hello, Ada" {
		t.Errorf("got %q, %v", got, err)
	}
}

// The messages of each revision are compared with a file.
func ExampleRecord() {
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			r := mcptest.Record(t, newGreeter(), &mcp.ClientOptions{Revisions: []string{revision}})
			if _, err := r.CallTool(t.Context(), "greet", map[string]string{"name": "Ada"}, nil); err != nil {
				t.Fatal(err)
			}
			r.Golden("testdata/greet." + revision + ".txt")
		})
	}
}

// A client is tested with a simulated server, which does not answer in this example. It uses fake
// time.
func ExamplePeer() {
	synctest.Test(t, func(t *testing.T) {
		p := mcptest.NewPeer(t)
		c := p.Connect("2025-11-25", &mcp.ClientOptions{Timeout: time.Minute})
		failed := make(chan error, 1)
		go func() {
			_, err := c.CallTool(t.Context(), "greet", nil, nil)
			failed <- err
		}()
		p.Expect("tools/call")
		p.Expect("notifications/cancelled") // one minute later, in fake time
		if err := <-failed; err == nil {
			t.Error("a call without an answer succeeds")
		}
	})
}
