package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestCheck_Go(t *testing.T) {
	dir := shop(t)
	t.Chdir(dir)
	if got := docent("check", "--offline"); got.code != exitOK || !strings.HasPrefix(got.out, "0 findings in 1 file") {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
	const wrong = "package main\n\nimport (\n\t\"net/http\"\n\n\t\"example.com/drawer/lock\"\n)\n\nfunc main() { lock.Open(http.StatusOk); lock.Close() }\n"
	if err := os.WriteFile("main.go", []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	got := docent("check", "--offline", "main.go")
	for _, want := range []string{
		"main.go:9:20: call: Open takes 0 arguments, but 1 is passed\n\tdeclared as func Open()\n",
		"main.go:9:30: name: net/http@go1", " has no StatusOk\n\tdid you mean StatusOK?\n\tdeclared as StatusOK: const StatusOK = 200\n",
		"main.go:9:46: name: example.com/drawer/lock@v1.2.3 has no Close\n",
		"3 findings in 1 file",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing:\n%s%s", want, got.out, got.err)
		}
	}
	if got.code != exitFailure || got.err != "" {
		t.Errorf("code %d: %s", got.code, got.err)
	}
	var report check.Report
	if got := docent("check", "--offline", "--json", "--fail-on", "never"); got.code != exitOK || json.Unmarshal([]byte(got.out), &report) != nil || len(report.Findings) != 3 || report.SchemaVersion != check.SchemaVersion {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
	for _, args := range [][]string{{"check", "--stdin"}, {"check", "--fail-on", "often"}, {"check", "package.txt"}, {"check", ".."}, {"check", "--json", "--sarif"}} {
		if got := docent(args...); got.code == exitOK || got.err == "" {
			t.Errorf("%v: code %d: %s%s", args, got.code, got.out, got.err)
		}
	}
}

func TestCheck_ModulesWithinAProject(t *testing.T) {
	t.Chdir(filetest.Dir(t, map[string]string{
		"go.mod":        "module example.com/outer\n\ngo 1.26\n",
		"tools/go.mod":  "module example.com/tools\n\ngo 1.26\n",
		"tools/x/x.go":  "package x\n\nfunc X() {}\n",
		"tools/main.go": "package main\n\nimport \"example.com/tools/x\"\n\nfunc main() { x.X(); x.Y() }\n",
	}))
	if got := docent("check", "--offline"); got.code != exitFailure || !strings.Contains(got.out, "tools/main.go:5:24: name: example.com/tools/x has no Y") || !strings.Contains(got.out, "\n1 finding in 2 files") {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
}

func TestCheck_HookBelowTheRepository(t *testing.T) {
	dir := shop(t)
	main, below := filepath.Join(dir, "main.go"), filepath.Join(dir, "sub", "dir")
	if err := errors.Join(os.MkdirAll(below, 0o750), os.WriteFile(main, []byte("package main\n\nimport \"example.com/drawer/lock\"\n\nfunc main() { lock.Close() }\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	patch := "*** Begin Patch\n*** Update File: ../../main.go\n@@\n*** End Patch"
	events := map[string]map[string]any{
		"claude": {"session_id": "1", "cwd": below, "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]string{"file_path": main}},
		"codex":  {"session_id": "1", "cwd": below, "hook_event_name": "PostToolUse", "tool_name": "apply_patch", "tool_input": map[string]any{"command": []string{"apply_patch", patch}}},
		"cursor": {"conversation_id": "1", "cwd": below, "hook_event_name": "postToolUse", "tool_name": "Write", "tool_input": map[string]string{"path": main}},
		"gemini": {"session_id": "1", "cwd": below, "hook_event_name": "AfterTool", "tool_name": "replace", "tool_input": map[string]string{"file_path": main}},
	}
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, host string, event map[string]any)
		found   func(host string) bool
	}{
		{"elsewhere", func(*testing.T, string, map[string]any) {}, func(string) bool { return false }},
		{"in the project that the host names", func(t *testing.T, host string, event map[string]any) {
			switch host {
			case "claude":
				t.Setenv("CLAUDE_PROJECT_DIR", dir)
			case "cursor":
				event["workspace_roots"] = []string{below, dir}
			case "gemini":
				t.Setenv("GEMINI_PROJECT_DIR", dir)
			}
		}, func(host string) bool { return host != "codex" }}, // which names none
		{"in the repository", func(t *testing.T, _ string, event map[string]any) {
			delete(event, "workspace_roots")
			if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o750); err != nil {
				t.Fatal(err)
			}
		}, func(string) bool { return true }},
	} {
		for host, event := range events {
			t.Run(c.name+"/"+host, func(t *testing.T) {
				for _, name := range projectVariables {
					t.Setenv(name, "")
				}
				c.prepare(t, host, event)
				data, err := json.Marshal(event)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				code := run(t.Context(), []string{"check", "--offline", "--hook", host}, streams{in: bytes.NewReader(data), out: &out, err: io.Discard}, languages)
				found := strings.Contains(out.String(), "../../main.go:5:20: name: example.com/drawer/lock@v1.2.3 has no Close")
				if code != exitOK || found != c.found(host) || !found && out.String() != "{}\n" {
					t.Errorf("code %d, answer %s", code, &out)
				}
			})
		}
	}
}

func TestCheck_HookWithLinks(t *testing.T) {
	dir, parent := shop(t), t.TempDir()
	link, outside := filepath.Join(parent, "link"), filepath.Join(parent, "outside.go")
	const program = "package main\n\nimport \"example.com/drawer/lock\"\n\nfunc main() { lock.Close() }\n"
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o600), os.WriteFile(outside, []byte(program), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(dir, link), os.Symlink(outside, filepath.Join(dir, "outside.go"))); err != nil {
		t.Skipf("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode): %v", err)
	}
	for _, name := range projectVariables {
		t.Setenv(name, "")
	}
	for _, c := range []struct {
		name, dir, file string
		found           bool
	}{
		{"the directory is behind a link", link, filepath.Join(dir, "main.go"), true},
		{"the file is behind a link", dir, filepath.Join(link, "main.go"), true},
		{"both are", link, filepath.Join(link, "main.go"), true},
		{"a file elsewhere", link, outside, false},
		{"a link to a file elsewhere", dir, filepath.Join(dir, "outside.go"), false},
		{"a link to a file elsewhere, behind a link", dir, filepath.Join(link, "outside.go"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			event, err := json.Marshal(map[string]any{"cwd": c.dir, "tool_input": map[string]string{"file_path": c.file}})
			if err != nil {
				t.Fatal(err)
			}
			var out, problem bytes.Buffer
			code := run(t.Context(), []string{"check", "--offline", "--hook", "claude"}, streams{in: bytes.NewReader(event), out: &out, err: &problem}, languages)
			found := strings.Contains(out.String(), `\nmain.go:5:20: name: `)
			if code != exitOK || found != c.found || !found && out.String() != "{}\n" {
				t.Errorf("code %d, answer %s%s", code, &out, &problem)
			}
		})
	}
}

func TestCheck_Hook(t *testing.T) {
	dir := shop(t)
	main := filepath.Join(dir, "main.go")
	write := func(text string) {
		if err := os.WriteFile(main, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(host, event string) (answer hookAnswer, code int) {
		var out, errors bytes.Buffer
		code = run(t.Context(), []string{"check", "--offline", "--hook", host}, streams{in: strings.NewReader(event), out: &out, err: &errors}, languages)
		if code == exitOK && json.Unmarshal(out.Bytes(), &answer) != nil {
			t.Fatalf("the answer is %q, %s", &out, &errors)
		}
		return answer, code
	}
	quoted, _ := json.Marshal(dir)
	edited, _ := json.Marshal(map[string]any{"cwd": dir, "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]string{"file_path": main}})
	patched, _ := json.Marshal(map[string]any{"cwd": dir, "tool_name": "apply_patch", "tool_input": map[string]string{"command": "*** Begin Patch\n*** Update File: main.go\n@@\n*** End Patch"}})
	if answer, code := ask("claude", string(edited)); code != exitOK || answer != (hookAnswer{}) {
		t.Errorf("code %d: %+v", code, answer)
	}
	write("package main\n\nimport \"example.com/drawer/lock\"\n\nfunc main() { lock.Close() }\n")
	for host, event := range map[string]string{"claude": string(edited), "codex": string(patched), "gemini": string(edited)} {
		if answer, code := ask(host, event); code != exitOK || answer.Decision != hookHosts[host] || !strings.Contains(answer.Reason, "main.go:5:20: name: example.com/drawer/lock@v1.2.3 has no Close") {
			t.Errorf("%s: code %d: %+v", host, code, answer)
		}
	}
	root, _ := json.Marshal(map[string]any{"hook_event_name": "postToolUse", "tool_name": "Write", "workspace_roots": []string{dir}, "tool_input": map[string]string{"path": "main.go"}})
	for _, event := range []string{string(edited), string(root)} {
		if answer, code := ask("cursor", event); code != exitOK || answer.Decision != "" || !strings.Contains(answer.Context, "main.go:5:20: name: example.com/drawer/lock@v1.2.3 has no Close") {
			t.Errorf("cursor: code %d: %+v", code, answer)
		}
	}
	for _, event := range []string{`{"cwd":` + string(quoted) + `,"tool_input":{"file_path":"/etc/passwd"}}`, `{"cwd":` + string(quoted) + `,"tool_input":{"file_path":"gone.go"}}`, `{"cwd":` + string(quoted) + `}`,
		`{"cwd":` + string(quoted) + `,"tool_input":["main.go"]}`, `{"cwd":` + string(quoted) + `,"tool_input":{"path":7}}`} {
		if answer, code := ask("claude", event); code != exitOK || answer != (hookAnswer{}) {
			t.Errorf("%s: code %d: %+v", event, code, answer)
		}
	}
	for _, event := range []string{"no event", "[]", `{"cwd":7}`} {
		if _, code := ask("claude", event); code == exitOK {
			t.Errorf("%s: an event that is none passes", event)
		}
	}
	if _, code := ask("emacs", string(edited)); code != exitUsage {
		t.Errorf("an unknown host gives code %d", code)
	}
}
