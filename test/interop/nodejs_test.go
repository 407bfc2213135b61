package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// installed returns the path of the Node.js that package.json specifies. It skips the test if `make
// interop` could not install it.
func installed(t *testing.T) string {
	t.Helper()
	node, err := filepath.Abs("node_modules/node/bin/node")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(node); err != nil {
		t.Skip("node_modules is not installed: run make interop where npm and its registry can be reached")
	}
	return node
}

// TestTypeScript tests our server with the clients of both major versions of the TypeScript SDK.
func TestTypeScript(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), installed(t), "--test", "--test-reporter=tap", "typescript/scenario.test.mjs")
	cmd.Env = append(os.Environ(), "INTEROP_SERVER="+server)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, line := range regexp.MustCompile(`(?m)^ *(not )?ok \d+ - .*$`).FindAllString(string(out), -1) {
		t.Log(line)
	}
	if n := strings.Count(string(out), "- cancels a call"); n < 27 {
		t.Errorf("%d of 27 scenarios were taken to their end\n%s", n, out)
	}
}

// TestInspector tests our server with the inspector, a command that sends one request and prints
// the result.
func TestInspector(t *testing.T) {
	node := installed(t)
	transports := map[string]func(t *testing.T) []string{
		"stdio":           func(*testing.T) []string { return []string{server, "-stdio"} },
		"Streamable HTTP": func(t *testing.T) []string { return []string{serveHTTP(t) + "/mcp"} },
		"HTTP+SSE":        func(t *testing.T) []string { return []string{serveHTTP(t) + "/sse"} },
	}
	names := func(member, key string) func(out map[string]any) any {
		return func(out map[string]any) any {
			var names []string
			entries, _ := out[member].([]any)
			for _, entry := range entries {
				names = append(names, entry.(map[string]any)[key].(string))
			}
			slices.Sort(names)
			return names
		}
	}
	content := func(out map[string]any) any {
		return out["content"].([]any)[0].(map[string]any)["text"]
	}
	requests := []struct {
		args []string
		pick func(out map[string]any) any
		want string
	}{
		{[]string{"tools/list"}, names("tools", "name"), "[add ask-model ask-roots ask-user ask-visit echo fail grow job poll route state steps wait write-note]"},
		{[]string{"prompts/list"}, names("prompts", "name"), "[compose plain]"},
		{[]string{"resources/list"}, names("resources", "uri"), "[note://today pic://dot]"},
		{[]string{"resources/templates/list"}, names("resourceTemplates", "uriTemplate"), "[greet://{name}]"},
		{[]string{"tools/call", "--tool-name", "echo", "--tool-arg", "message=Grüße"}, content, "Grüße"},
		{[]string{"tools/call", "--tool-name", "add", "--tool-arg", "a=19", "b=23"},
			func(out map[string]any) any { return out["structuredContent"] }, "map[sum:42]"},
		{[]string{"resources/read", "--uri", "greet://Ada"},
			func(out map[string]any) any { return out["contents"].([]any)[0].(map[string]any)["text"] }, "Hello, Ada!"},
		{[]string{"prompts/get", "--prompt-name", "compose", "--prompt-args", "kind=song", "about=love"},
			func(out map[string]any) any {
				return out["messages"].([]any)[0].(map[string]any)["content"].(map[string]any)["text"]
			}, "Write a song about love."},
	}
	for transport, target := range transports {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(transport+" "+era, func(t *testing.T) {
				t.Parallel()
				target := target(t)
				inspect := func(args ...string) ([]byte, error) {
					args = slices.Concat([]string{"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli", "--protocol-era", era, "--method"}, args, []string{"--"}, target)
					cmd := exec.CommandContext(t.Context(), node, args...)
					cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
					var errors bytes.Buffer
					cmd.Stderr = &errors
					out, err := cmd.Output()
					if err != nil {
						err = fmt.Errorf("%w: %s", err, errors.Bytes())
					}
					return out, err
				}
				for _, r := range requests {
					data, err := inspect(r.args...)
					var out map[string]any
					if err != nil {
						t.Errorf("%q: %v", r.args, err)
					} else if err := json.Unmarshal(data, &out); err != nil {
						t.Errorf("%q printed %s: %v", r.args, data, err)
					} else if got := fmt.Sprint(r.pick(out)); got != r.want {
						t.Errorf("%q: got %s, want %s", r.args, got, r.want)
					}
				}
				if out, err := inspect("tools/call", "--tool-name", "fail"); !strings.Contains(fmt.Sprint(string(out), err), "no such luck") {
					t.Errorf("a tool that fails: printed %s, error %v", out, err)
				}
				if out, err := inspect("resources/read", "--uri", "note://tomorrow"); err == nil {
					t.Errorf("a resource that is not there: printed %s", out)
				}
			})
		}
	}
}
