package interop

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// A foreign is a server from another project with which our client is tested. All of them have the
// same tools, prompts and resources.
type foreign struct {
	name string
	// command returns the server's command line without -stdio or -http. It skips the test if the
	// server is not installed.
	command   func(t *testing.T) []string
	revisions []string
	noSSE     bool // whether it does not support HTTP+SSE
	lacks     func(transport, revision string) lacks
}

var foreigners = []foreign{
	{name: "ours", command: func(*testing.T) []string { return []string{server} }, revisions: revisions},
	{name: "Go SDK", command: built("gosdk"), revisions: revisions},
	{name: "mcp-go", command: built("mcpgo"), revisions: revisions, lacks: func(transport, revision string) lacks {
		l := lacks{}
		if transport == "HTTP+SSE" {
			for _, step := range []string{"answers sampling", "answers elicitation", "tells its roots"} {
				l[step] = "mcp-go asks nothing over HTTP+SSE"
			}
		}
		if revision >= "2026-07-28" {
			l["sees a resource change"] = "mcp-go sends nothing of resources to subscriptions of 2026-07-28"
		}
		return l
	}},
	{name: "Python SDK", command: python("sdk.py"), revisions: revisions},
	{name: "fastmcp", command: python("fast.py"), revisions: revisions, noSSE: true, lacks: func(_, revision string) lacks {
		if revision < "2026-07-28" {
			return nil
		}
		return lacks{"sees a resource change": "fastmcp does not have subscriptions/listen"}
	}},
	{name: "TypeScript SDK 2", command: func(t *testing.T) []string {
		return []string{installed(t), "typescript/server2.mjs"}
	}, revisions: revisions, noSSE: true},
	{name: "rmcp", command: rmcp("server"), revisions: revisions, noSSE: true, lacks: func(transport, revision string) lacks {
		if transport != "stdio" || revision < "2026-07-28" {
			return nil
		}
		return lacks{"sees a resource change": "rmcp acknowledges a subscription before its server can begin to watch, so that it can miss the next change"}
	}},
}

// python returns a function that returns the command line of a server written in Python. The
// function skips the test if make interop could not install the server's libraries.
func python(script string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		interpreter, err := filepath.Abs("python/venv/bin/python")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(interpreter); err != nil {
			t.Skip("python/venv is not installed: run make interop where Python 3.10, pip and its index can be reached")
		}
		return []string{interpreter, filepath.Join("python", script)}
	}
}

// built returns the command line of one of the servers written in Go.
func built(name string) func(*testing.T) []string {
	return func(*testing.T) []string { return []string{filepath.Join(filepath.Dir(server), name)} }
}

// common contains the steps for servers from other projects. They have fewer features than ours,
// and their errors have different texts.
var common = []step{
	{"lists page by page", listCommon},
	{"calls a tool", call},
	{"sees structured content", structuredCommon},
	{"sees a tool fail", failingCommon},
	{"gets an error for an unknown tool", unknownCommon},
	{"reads resources", readCommon},
	{"gets prompts", promptCommon},
	{"sees progress", progressCommon},
	{"sees logs", loggingCommon},
	{"answers sampling", sampling},
	{"answers elicitation", elicitationCommon},
	{"tells its roots", roots},
	{"sees a resource change", subscription},
	{"cancels a call", cancellation},
}

// TestServers tests our client against servers from other projects.
func TestServers(t *testing.T) {
	for _, f := range foreigners {
		transports := []string{"stdio", "Streamable HTTP", "HTTP+SSE"}
		if f.noSSE {
			transports = transports[:2]
		}
		for _, transport := range transports {
			for _, revision := range f.revisions {
				if transport == "HTTP+SSE" && revision >= "2026-07-28" {
					continue // the revision does not have this transport
				}
				t.Run(f.name+" "+transport+" "+revision, func(t *testing.T) {
					t.Parallel()
					c := newOurs(t, f.open(t, transport), revision)
					var lacking lacks
					if f.lacks != nil {
						lacking = f.lacks(transport, revision)
					}
					take(t, common, c, c.received, revision, lacking)
				})
			}
		}
		t.Run(f.name+" chooses the newest revision", func(t *testing.T) {
			t.Parallel()
			c := newOurs(t, f.open(t, "stdio"), "")
			equal(t, "the revision", c.revision(), c.close(), f.revisions[len(f.revisions)-1])
		})
	}
}

func (f *foreign) open(t *testing.T, transport string) mcp.Transport {
	t.Helper()
	command := f.command(t)
	switch transport {
	case "stdio":
		return &mcp.CommandTransport{Command: command[0], Args: append(command[1:], "-stdio")}
	case "HTTP+SSE":
		return &mcp.HTTPTransport{URL: startHTTP(t, command) + "/sse"}
	}
	return &mcp.HTTPTransport{URL: startHTTP(t, command) + "/mcp"}
}

// startHTTP starts a server that prints its URL, and returns the URL. It kills
// the server at the end of the test.
func startHTTP(t *testing.T, command []string) string {
	t.Helper()
	cmd := exec.Command(command[0], append(slices.Clone(command[1:]), "-http", "127.0.0.1:0")...)
	if testing.Verbose() {
		cmd.Stderr = os.Stderr
	}
	return urlOf(t, cmd, func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

func listCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	has := func(what string, list func(context.Context) ([]string, error), want ...string) {
		t.Helper()
		got, err := list(ctx)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q is not among %q", what, w, got)
			}
		}
	}
	has("tools", c.tools, "add", "ask-model", "ask-roots", "ask-user", "echo", "fail", "state", "steps", "wait", "write-note")
	has("prompts", c.prompts, "compose")
	has("resources", c.resources, "note://today", "pic://dot")
}

func readCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	got, _, err := c.read(ctx, "note://today")
	equal(t, "a text", got, err, "nothing to do")
	_, blob, err := c.read(ctx, "pic://dot")
	equal(t, "a blob", blob, err, []byte{0, 1, 254, 255})
	if got, _, err := c.read(ctx, "note://tomorrow"); err == nil {
		t.Errorf("a resource that is not there: %q", got)
	}
}

func promptCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	got, err := c.prompt(ctx, "compose", map[string]string{"kind": "song", "about": "Ümläute"})
	if err != nil || len(got) == 0 || got[0] != "user: Write a song about Ümläute." {
		t.Errorf("compose: %q, error %v", got, err)
	}
	if got, err := c.prompt(ctx, "compose", nil); err == nil {
		t.Errorf("a prompt without its required argument: %q", got)
	}
}

func elicitationCommon(ctx context.Context, t *testing.T, c peer, received events) {
	if c.revision() < "2025-06-18" { // the revision does not support it
		if r, err := c.call(ctx, "ask-user", nil); err == nil && !r.failed {
			t.Errorf("got %+v", r)
		}
		return
	}
	elicitation(ctx, t, c, received)
}

// structuredCommon accepts structured content in old revisions, because some servers send it in all
// revisions.
func structuredCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	r, err := c.call(ctx, "add", map[string]any{"a": 19, "b": 23})
	if c.revision() < "2025-06-18" && r.structured == "" {
		return
	}
	equal(t, "add", r.structured, err, `{"sum":42}`)
}

// progressCommon also accepts progress messages in a revision that does not have them.
func progressCommon(ctx context.Context, t *testing.T, c peer, received events) {
	equal(t, "steps", text(ctx, t, c, "steps", nil), nil, "there")
	awaitSteps(ctx, t, received, "progress %d/3 ", "")
}

func loggingCommon(ctx context.Context, t *testing.T, c peer, received events) {
	equal(t, "steps", text(ctx, t, c, "steps", nil), nil, "there")
	awaitSteps(ctx, t, received, "log info steps: ", "took step %d")
}

// awaitSteps waits for an event for each step. The event must have the given prefix and contain the
// given part.
func awaitSteps(ctx context.Context, t *testing.T, received events, prefix, part string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	numbered := func(format string, n int) string { return strings.ReplaceAll(format, "%d", fmt.Sprint(n)) }
	var seen []string
	for n := 1; n <= 3; {
		select {
		case got := <-received:
			seen = append(seen, got)
			if strings.HasPrefix(got, numbered(prefix, n)) && strings.Contains(got, numbered(part, n)) {
				n++
			}
		case <-ctx.Done():
			t.Fatalf("step %d is missing among %q", n, seen)
		}
	}
}

func failingCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	r, err := c.call(ctx, "fail", nil)
	if err != nil || !r.failed || !strings.Contains(r.text, "no such luck") {
		t.Errorf("fail: %+v, error %v", r, err)
	}
	r, err = c.call(ctx, "add", map[string]any{"a": "nineteen", "b": 23})
	if err == nil && !r.failed {
		t.Errorf("add of a string answered %q", r.text)
	}
}

// unknownCommon also accepts a failed call as an error.
func unknownCommon(ctx context.Context, t *testing.T, c peer, _ events) {
	r, err := c.call(ctx, "no-such-tool", nil)
	if err == nil && !r.failed || !strings.Contains(fmt.Sprint(r.text, err), "no-such-tool") {
		t.Errorf("got %+v, error %v", r, err)
	}
}
