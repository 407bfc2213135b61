package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// hostHome creates a home directory that contains Cursor, and returns Cursor's configuration file.
func hostHome(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Cursor keeps its configuration in another directory on Windows")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PATH", filepath.Join(home, "bin"))
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"} {
		t.Setenv(name, "")
	}
	config := filepath.Join(home, ".cursor/mcp.json")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("{\n  // mine\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

func TestSetup_Command(t *testing.T) {
	config := hostHome(t)
	original, _ := os.ReadFile(config)
	same := func() bool {
		data, err := os.ReadFile(config)
		return err == nil && bytes.Equal(data, original)
	}
	if got := docent("setup"); got.code != exitUsage || !strings.Contains(got.err, "--yes") || !same() {
		t.Errorf("without a terminal: %+v", got)
	}
	if got := docent("setup", "--dry-run"); got.code != 0 || !strings.Contains(got.out, `+    "docent": {`) || !same() {
		t.Errorf("dry run: %+v", got)
	}
	answer := func(text string) outcome {
		var out, err bytes.Buffer
		code := run(context.Background(), []string{"setup"}, streams{in: strings.NewReader(text), out: &out, err: &err, inTerminal: true}, languages)
		return outcome{code, out.String(), err.String()}
	}
	if got := answer("n\n"); got.code != 0 || !strings.Contains(got.out, "Nothing was changed") || !same() {
		t.Errorf("refused: %+v", got)
	}
	if got := answer("y\n"); got.code != 0 || same() {
		t.Errorf("accepted: %+v", got)
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(config); !strings.Contains(string(data), executable) || !strings.Contains(string(data), "// mine") {
		t.Errorf("got\n%s", data)
	}
	if got := docent("setup", "--yes", "--hooks"); got.code != 0 {
		t.Errorf("hooks: %+v", got)
	}
	hooks := filepath.Join(filepath.Dir(config), "hooks.json")
	if data, _ := os.ReadFile(hooks); !strings.Contains(string(data), "check --hook cursor") {
		t.Errorf("got\n%s", data)
	}
	if got := docent("setup", "--yes"); got.code != 0 || !strings.Contains(got.out, "Nothing to change") {
		t.Errorf("again: %+v", got)
	}
	if got := docent("remove", "--yes"); got.code != 0 || !same() {
		t.Errorf("removed: %+v", got)
	}
	if _, err := os.Stat(hooks); err == nil {
		t.Error("the file of the hook remains")
	}
	if got := docent("remove", "--yes"); got.code != 0 || !strings.Contains(got.out, "Nothing to change") {
		t.Errorf("removed again: %+v", got)
	}
	if got := docent("setup", "--yes", "--host", "emacs"); got.code != exitFailure || !strings.Contains(got.err, "cursor") {
		t.Errorf("unknown host: %+v", got)
	}
	if got := docent("setup", "--yes", "--project", filepath.Join(config, "x")); got.code != exitUsage {
		t.Errorf("no project: %+v", got)
	}
}

func TestDoctor_Hooks(t *testing.T) {
	hooks := filepath.Join(filepath.Dir(hostHome(t)), "hooks.json")
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ list, want string }{
		{`[]`, "its hook                missing, in " + hooks + "; to add it: docent setup --host cursor --hooks\n"},
		{`[{"command": "` + executable + ` check --hook cursor"}]`, "its hook                " + executable + " check --hook cursor, in " + hooks + "\n"},
		{`[{"command": "/nonexistent/docent check --hook cursor"}]`, "! the hook cannot run: exec: \"/nonexistent/docent\": "},
		{`[{"command": "'/nonexistent/it'\\''s/docent' check --hook cursor"}]`, "! the hook cannot run: exec: \"/nonexistent/it's/docent\": "},
		{`[{"command": "$HOME/docent check --hook cursor"}]`, "its hook                $HOME/docent check --hook cursor, in " + hooks + "\n"},
		{`[`, "! " + hooks + " cannot be read: "},
	} {
		if err := os.WriteFile(hooks, []byte(`{"hooks": {"postToolUse": `+tt.list+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		got := docent("doctor")
		if !strings.Contains(got.out, tt.want) {
			t.Errorf("%s: not %q in\n%s", tt.list, tt.want, got.out)
		}
		if strings.Contains(got.out, "hook cannot run") != strings.Contains(tt.want, "hook cannot run") {
			t.Errorf("%s: got\n%s", tt.list, got.out)
		}
	}
}

func TestDoctor_Hosts(t *testing.T) {
	config := hostHome(t)
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ entry, want string }{
		{``, "docent is not set up in " + config},
		{`"docent": {"command": "` + executable + `", "args": ["serve"], "env": {"DOCENT_TEST_RUN": "1", "DOCENT_OFFLINE": "1"}}`, "responds, with 14 tools"},
		{`"docent": {"command": "/nonexistent/docent", "args": ["serve"]}`, "! docent in " + config + " does not start: "},
		{`"docent": {"command": "docent", "disabled": true}`, "docent is disabled"},
		{`"docent": [`, "cannot be read"},
	} {
		if err := os.WriteFile(config, []byte(`{"mcpServers": {`+tt.entry+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := docent("doctor"); !strings.Contains(got.out, tt.want) {
			t.Errorf("%s: not %q in\n%s", tt.entry, tt.want, got.out)
		}
	}
}

func TestDoctor_ProjectHosts(t *testing.T) {
	hostHome(t)
	repository := t.TempDir()
	project := filepath.Join(repository, "app")
	marker := filepath.Join(repository, "started")
	filetest.Write(t, repository, map[string]string{".git/HEAD": "", "app/go.mod": "module example.com/app\n"})
	if got := docent("doctor", "--project", project); strings.Contains(got.out, "in the project") {
		t.Errorf("before setup: %+v", got)
	}
	if got := docent("setup", "--yes", "--hooks", "--host", "claude-code", "--project", repository); got.code != 0 {
		t.Fatalf("setup: %+v", got)
	}
	entry, hook := filepath.Join(repository, ".mcp.json"), filepath.Join(repository, ".claude", "settings.json")
	for _, tt := range []struct {
		file, content string
		want          []string
	}{
		{filepath.Join(repository, ".claude", "rules", "docent.md"), "", []string{
			"Claude Code in the project  docent is set up in " + entry + "\n", "its rule                    out of date, in ", "to update it: docent setup --host claude-code --project " + repository + "\n",
			" check --hook claude, in " + hook + "\n",
		}},
		{entry, `{"mcpServers": {"docent": {"command": "/nonexistent/docent", "args": ["serve"]}}}`, []string{"! docent in " + entry + " cannot start: exec: \"/nonexistent/docent\": "}},
		{entry, `{"mcpServers": {"docent": {"command": "/bin/sh", "args": ["-c", "echo >` + marker + `"]}}}`, []string{"docent is set up in " + entry + "\n"}},
		{entry, `{}`, []string{"docent is not set up in " + entry + "; to add it: docent setup --host claude-code --project " + repository + "\n"}},
		{hook, "{\"hooks\": {\"PostToolUse\": [{\"hooks\": [{\"command\": \"/nonexistent/\\u001b[2Jdocent check --hook claude\"}]}]}}", []string{"! the hook cannot run: "}},
	} {
		if err := os.WriteFile(tt.file, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		got := docent("doctor", "--project", project)
		for _, want := range tt.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: not %q in\n%s", tt.content, want, got.out)
			}
		}
		if strings.Contains(got.out, "\x1b") {
			t.Errorf("%s: the output contains an escape sequence", tt.content)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("docent doctor started a server of the project")
	}
}
