package interop

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

const everything = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"

// everythingSteps contains the steps for the official server with all features, whose tools differ
// from those of the other servers.
var everythingSteps = []step{
	{"lists", func(ctx context.Context, t *testing.T, c peer, _ events) {
		for what, list := range map[string]func(context.Context) ([]string, error){
			"get-sum": c.tools, "simple-prompt": c.prompts, "demo://resource/dynamic/text/{resourceId}": c.templates,
		} {
			names, err := list(ctx)
			if err != nil || !strings.Contains(strings.Join(names, "\n"), what) {
				t.Errorf("%q lacks %s, error %v", names, what, err)
			}
		}
	}},
	{"calls a tool", func(ctx context.Context, t *testing.T, c peer, _ events) {
		equal(t, "get-sum", text(ctx, t, c, "get-sum", map[string]any{"a": 19, "b": 23}), nil, "The sum of 19 and 23 is 42.")
	}},
	{"sees structured content", func(ctx context.Context, t *testing.T, c peer, _ events) {
		r, err := c.call(ctx, "get-structured-content", map[string]any{"location": "New York"})
		if err != nil || !strings.Contains(r.structured, `"conditions"`) {
			t.Errorf("got %+v, error %v", r, err)
		}
	}},
	{"reads a resource", func(ctx context.Context, t *testing.T, c peer, _ events) {
		got, _, err := c.read(ctx, everythingURI)
		if err != nil || !strings.HasPrefix(got, "Resource 1") {
			t.Errorf("got %q, error %v", got, err)
		}
	}},
	{"gets a prompt", func(ctx context.Context, t *testing.T, c peer, _ events) {
		got, err := c.prompt(ctx, "args-prompt", map[string]string{"city": "Zürich"})
		if err != nil || !strings.Contains(strings.Join(got, ""), "Zürich") {
			t.Errorf("got %q, error %v", got, err)
		}
	}},
	{"completes arguments", func(ctx context.Context, t *testing.T, c peer, _ events) {
		got, err := c.complete(ctx, "ref/prompt", "completable-prompt", "department", "E", nil)
		equal(t, "department", got, err, []string{"Engineering"})
	}},
	{"sees progress", func(ctx context.Context, t *testing.T, c peer, received events) {
		text(ctx, t, c, "trigger-long-running-operation", map[string]any{"duration": 0.3, "steps": 3})
		received.await(ctx, t, "progress 1/3 ", "progress 2/3 ", "progress 3/3 ")
	}},
	{"answers sampling", says("trigger-sampling-request", map[string]any{"prompt": "Polly?"}, model)},
	{"answers elicitation", func(ctx context.Context, t *testing.T, c peer, received events) {
		says("trigger-elicitation-request", nil, "Ada")(ctx, t, c, received)
	}},
	{"tells its roots", says("get-roots-list", nil, rootURI)},
	{"sees a resource change", func(ctx context.Context, t *testing.T, c peer, received events) {
		s, err := c.(*ours).Subscribe(ctx, mcp.Filter{URIs: []string{everythingURI}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		text(ctx, t, c, "toggle-subscriber-updates", nil)
		change, err := s.Next(ctx)
		equal(t, "the change", change, err, mcp.Change{Kind: mcp.ChangeResource, URI: everythingURI})
		text(ctx, t, c, "toggle-subscriber-updates", nil)
	}},
	{"sees logs", func(ctx context.Context, t *testing.T, c peer, received events) {
		text(ctx, t, c, "toggle-simulated-logging", nil)
		for got := range received {
			if strings.HasPrefix(got, "log ") {
				break
			}
		}
	}},
	{"cancels a call", func(ctx context.Context, t *testing.T, c peer, _ events) {
		calling, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() {
			_, err := c.call(calling, "trigger-long-running-operation", map[string]any{"duration": 600, "steps": 1})
			ended <- err
		}()
		cancel()
		if err := <-ended; err == nil {
			t.Error("the cancelled call was answered")
		}
		equal(t, "the next call", text(ctx, t, c, "echo", map[string]any{"message": "still here"}), nil, "Echo: still here")
	}},
}

const everythingURI = "demo://resource/dynamic/text/1"

// says calls a tool and checks that the text of its result contains want.
func says(tool string, args map[string]any, want string) func(context.Context, *testing.T, peer, events) {
	return func(ctx context.Context, t *testing.T, c peer, _ events) {
		if got := text(ctx, t, c, tool, args); !strings.Contains(got, want) {
			t.Errorf("%s said %q, which lacks %q", tool, got, want)
		}
	}
}

// TestServerEverything tests our client against server-everything.
func TestServerEverything(t *testing.T) {
	node := installed(t)
	transports := map[string]func(t *testing.T) mcp.Transport{
		"stdio": func(*testing.T) mcp.Transport {
			return &mcp.CommandTransport{Command: node, Args: []string{everything, "stdio"}}
		},
		"Streamable HTTP": func(t *testing.T) mcp.Transport {
			return &mcp.HTTPTransport{URL: serveEverything(t, node, "streamableHttp") + "/mcp"}
		},
		"HTTP+SSE": func(t *testing.T) mcp.Transport {
			return &mcp.HTTPTransport{URL: serveEverything(t, node, "sse") + "/sse"}
		},
	}
	for name, connect := range transports {
		for _, revision := range revisions[:4] {
			t.Run(name+" "+revision, func(t *testing.T) {
				t.Parallel()
				lacking := lacks{}
				if revision < "2025-06-18" {
					lacking["answers elicitation"] = "the revision has none"
				}
				c := newOurs(t, connect(t), revision)
				take(t, everythingSteps, c, c.received, revision, lacking)
			})
		}
	}
}

// serveEverything starts the server, waits until it is listening, and returns its URL.
func serveEverything(t *testing.T, node, transport string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	cmd := exec.Command(node, everything, transport)
	cmd.Env = append(os.Environ(), "PORT="+port)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), port) {
			go func() {
				for lines.Scan() {
				}
			}()
			return "http://127.0.0.1:" + port
		}
	}
	t.Fatal("the server did not say that it listens")
	return ""
}
