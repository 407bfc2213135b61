// Package migrate tests the guides to migrating to this library: the code in them
// is taken from servers and clients, before and after the migration, that are
// compiled and run here and behave alike.
package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/interop/migrate/docent"
	"github.com/docent-mcp/docent/test/interop/migrate/gosdk"
	"github.com/docent-mcp/docent/test/interop/migrate/mcpgo"
)

var update = flag.Bool("update", false, "rewrite the code in the guides")

// notes are the methods that a server's middleware has seen.
type notes struct {
	mu   sync.Mutex
	seen []string
}

func (n *notes) add(method string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, method)
}

func (n *notes) has(method string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Contains(n.seen, method)
}

// servers are the servers in the guides, over HTTP.
var servers = map[string]func(note func(string)) http.Handler{
	"go-sdk": func(note func(string)) http.Handler { return gosdk.Handler(gosdk.NewServer(note)) },
	"mcp-go": func(note func(string)) http.Handler { return mcpgo.Handler(mcpgo.NewServer(note)) },
	"docent": func(note func(string)) http.Handler { return docent.Handler(docent.NewServer(note)) },
}

// serve serves one of the servers on loopback, and returns its address.
func serve(t *testing.T, name string, note func(string)) string {
	t.Helper()
	web := httptest.NewServer(servers[name](note))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL + "/mcp"
}

// TestServersBehaveAlike uses each server with the same client, and expects the
// same results from all of them.
func TestServersBehaveAlike(t *testing.T) {
	for name := range servers {
		t.Run(name, func(t *testing.T) {
			noted := &notes{}
			updated, logged := make(chan string, 1), make(chan string, maxCalls)
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: serve(t, name, noted.add)}, &mcp.ClientOptions{
				Revisions: []string{"2025-11-25"},
				Log:       func(m mcp.LogMessage) { logged <- m.Logger + string(m.Data) },
				Roots:     func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///src"}}, nil },
				Sample: func(context.Context, *mcp.Sampling) (*mcp.SamplingResult, error) {
					return &mcp.SamplingResult{Model: "m", Content: []mcp.Content{mcp.Text("thought")}}, nil
				},
				ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
					return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if info := c.Server(); info.Name != "desk" || info.Instructions != "Ask the desk." {
				t.Errorf("server %+v", info)
			}
			calls(t, c, name)
			offers(t, c, name)
			var progress []mcp.Progress
			got := callUntil(t, logged, name == "mcp-go", func() {
				progress = nil
				if text, err := mcp.CallTool[string](t.Context(), c, "work", nil, &mcp.CallOptions{Progress: func(p mcp.Progress) { progress = append(progress, p) }}); err != nil || text != "done" {
					t.Errorf("work: %q, %v", text, err)
				}
			})
			// mcp-go sends notifications separately from the result, which may arrive
			// first.
			if name != "mcp-go" && !slices.Equal(progress, []mcp.Progress{{Progress: 1, Total: 2, Message: "half"}}) {
				t.Errorf("progress %+v", progress)
			}
			if got != `work"working"` {
				t.Errorf("logged %s", got)
			}
			subscription, err := c.Subscribe(t.Context(), mcp.Filter{URIs: []string{"config://app"}})
			if err != nil {
				t.Fatal(err)
			}
			defer subscription.Close()
			go func() {
				change, _ := subscription.Next(t.Context())
				updated <- change.URI
			}()
			uri := callUntil(t, updated, name == "mcp-go", func() {
				if text, err := mcp.CallTool[string](t.Context(), c, "touch", nil, nil); err != nil || text != "touched" {
					t.Errorf("touch: %q, %v", text, err)
				}
			})
			if uri != "config://app" {
				t.Errorf("changed %q", uri)
			}
			if !noted.has("tools/call") {
				t.Errorf("middleware has seen %q", noted.seen)
			}
		})
	}
}

// maxCalls is the maximum number of calls to a tool whose notification may be
// lost.
const maxCalls = 1000

// callUntil calls a tool, and returns the notification that the call causes. The call
// is repeated if the server may lose the notification, as mcp-go does when the result
// overtakes it.
func callUntil(t *testing.T, heard <-chan string, lossy bool, call func()) string {
	t.Helper()
	call()
	for calls := 1; lossy; calls++ {
		select {
		case notification := <-heard:
			return notification
		default:
			if calls == maxCalls {
				t.Fatalf("got no notification of %d calls", calls)
			}
			call()
		}
	}
	return <-heard
}

func calls(t *testing.T, c *mcp.Client, server string) {
	t.Helper()
	var names []string
	for tool, err := range c.Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
		if tool.Description == "" {
			t.Errorf("%s has no description", tool.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"add", "ask", "fail", "greet", "raw", "think", "touch", "where", "work"}; !slices.Equal(names, want) {
		t.Errorf("tools %q", names)
	}
	for _, call := range []struct{ tool, args, want string }{
		{"greet", `{"name":"Ada","times":2}`, "Hello, Ada! Hello, Ada!"},
		{"greet", `{"name":"Ada"}`, "Hello, Ada!"},
		{"raw", `{"x":1}`, `{"x":1}`},
		{"ask", `{}`, "Ada"},
		{"think", `{}`, "thought"},
		{"where", `{}`, "file:///src"},
	} {
		if text, err := mcp.CallTool[string](t.Context(), c, call.tool, json.RawMessage(call.args), nil); err != nil || text != call.want {
			t.Errorf("%s %s: %q, %v", call.tool, call.args, text, err)
		}
	}
	if sum, err := mcp.CallTool[struct{ Sum int }](t.Context(), c, "add", json.RawMessage(`{"a":1,"b":2}`), nil); err != nil || sum.Sum != 3 {
		t.Errorf("add: %+v, %v", sum, err)
	}
	if _, err := mcp.CallTool[string](t.Context(), c, "fail", nil, nil); err == nil || !strings.Contains(err.Error(), "the printer is on fire") {
		t.Errorf("fail: %v", err)
	}
	for _, wrong := range []string{`{}`, `{"x":"a"}`} {
		// The Go SDK does not check arguments against a handwritten schema.
		if _, err := mcp.CallTool[string](t.Context(), c, "raw", json.RawMessage(wrong), nil); (err == nil) != (server == "go-sdk") {
			t.Errorf("raw of %s: %v", wrong, err)
		}
	}
}

func offers(t *testing.T, c *mcp.Client, server string) {
	t.Helper()
	prompt, err := c.GetPrompt(t.Context(), "review", map[string]string{"language": "go"}, nil)
	if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != "Review this go code." {
		t.Errorf("prompt %+v, %v", prompt, err)
	}
	if found, err := c.CompletePrompt(t.Context(), "review", "language", "p", nil); err != nil || !slices.Equal(found.Values, []string{"python"}) {
		t.Errorf("completion %+v, %v", found, err)
	}
	for uri, want := range map[string]string{"config://app": "debug=false", "users://7": "user 7"} {
		if read, err := c.ReadResource(t.Context(), uri, nil); err != nil || read.Contents[0].Text != want {
			t.Errorf("%s: %+v, %v", uri, read, err)
		}
	}
	// mcp-go returns an internal error for a resource that its handler does not
	// find.
	if _, err := c.ReadResource(t.Context(), "users://0", nil); err == nil || errors.Is(err, mcp.ErrResourceNotFound) == (server == "mcp-go") {
		t.Errorf("users://0: %v", err)
	}
}

// TestClientsBehaveAlike uses the migrated server with each client.
func TestClientsBehaveAlike(t *testing.T) {
	want := []string{"add", "ask", "fail", "greet", "raw", "think", "touch", "where", "work", "3", "Ada", "thought", "file:///src", "debug=false", "Review this go code."}
	for name, use := range map[string]func(context.Context, string) ([]string, error){
		"go-sdk": gosdk.UseClient, "mcp-go": mcpgo.UseClient, "docent": docent.UseClient,
	} {
		t.Run(name, func(t *testing.T) {
			seen, err := use(t.Context(), serve(t, "docent", func(string) {}))
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(seen[:9])
			if !slices.Equal(seen, want) {
				t.Errorf("got %q", seen)
			}
		})
	}
}

func TestTestsInMemoryBehaveAlike(t *testing.T) {
	note := func(string) {}
	for name, test := range map[string]func() (string, error){
		"go-sdk": func() (string, error) { return gosdk.Test(t.Context(), gosdk.NewServer(note)) },
		"mcp-go": func() (string, error) { return mcpgo.Test(t.Context(), mcpgo.NewServer(note)) },
		"docent": func() (string, error) { return docent.Test(t.Context(), docent.NewServer(note)) },
	} {
		if text, err := test(); err != nil || text != "Hello, Ada!" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// place matches the marker for a part of a source file in a guide, such as <!--
// gosdk tool -->, and the code block that follows it.
var place = regexp.MustCompile("(?s)<!-- (gosdk|mcpgo|docent) ([a-z]+) -->\n```go\n.*?\n?```\n")

// TestGuides checks that the code in the guides is the code tested here, and that
// each guide shows every part.
func TestGuides(t *testing.T) {
	for guide, before := range map[string]string{"migrating-from-go-sdk.md": "gosdk", "migrating-from-mcp-go.md": "mcpgo"} {
		path := "../../../docs/" + guide
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		want := place.ReplaceAllStringFunc(string(text), func(block string) string {
			named := place.FindStringSubmatch(block)
			shown[named[1]+" "+named[2]] = true
			return fmt.Sprintf("<!-- %s %s -->\n```go\n%s```\n", named[1], named[2], parts(t, named[1])[named[2]])
		})
		for _, pkg := range []string{before, "docent"} {
			for part := range parts(t, pkg) {
				if !shown[pkg+" "+part] {
					t.Errorf("%s does not show the part %q of %s", guide, part, pkg)
				}
			}
		}
		switch {
		case string(text) == want:
		case *update:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows other code than that which is tested; run go test ./migrate -run Guides -update", guide)
		}
	}
}

// parts returns the parts of a package's file that the guides show, without
// their indentation.
func parts(t *testing.T, pkg string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(pkg + "/" + pkg + ".go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	marker := regexp.MustCompile(`^// guide ([a-z]+)$`)
	part, indent := "", ""
	for line := range strings.Lines(string(data)) {
		trimmed := strings.TrimSpace(line)
		switch begin := marker.FindStringSubmatch(trimmed); {
		case begin != nil:
			part = begin[1]
			indent, _, _ = strings.Cut(line, "/")
		case trimmed == "// end":
			found[part] = strings.TrimSpace(found[part]) + "\n"
			part = ""
		case part != "":
			found[part] += strings.TrimPrefix(line, indent)
		}
	}
	return found
}
