package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestUpstream_TwoProcesses runs docent serve with a key, and docent on another machine without
// registries. Its project uses packages that are not installed.
func TestUpstream_TwoProcesses(t *testing.T) {
	registry, team, home := newServer(t), t.TempDir(), t.TempDir()
	key, err := registry.command(t, team, "token", "create", "alice", "--keys", "keys.json").Output()
	if err != nil {
		t.Fatal(err)
	}
	serve := registry.command(t, team, "serve", "--http", "127.0.0.1:0", "--keys", "keys.json", "--audit-log", "audit.jsonl")
	address := startServe(t, serve)
	filetest.Write(t, home, map[string]string{
		"key":                   strings.TrimSpace(string(key)),
		"app/package.json":      `{"name":"app","version":"1.0.0","dependencies":{"till":"^1.0.0"}}`,
		"app/package-lock.json": `{"name":"app","lockfileVersion":3,"packages":{"":{"name":"app","dependencies":{"till":"^1.0.0"}},"node_modules/till":{"version":"1.0.0"}}}`,
		"app/own/package.json":  `{"name":"own","version":"0.0.1","types":"index.d.ts"}`,
		"app/own/index.d.ts":    "/** Is ours. */\nexport declare function ours(): void;\n",
		"app/use.ts":            "import { coins, notes } from 'till';\ncoins();\nnotes();\n",
		"docent.toml":           "upstream = \"" + address + "\"\nupstream-key-file = \"" + filepath.ToSlash(home) + "/key\"\n",
	})
	local := func(args ...string) *exec.Cmd {
		cmd := registry.command(t, home, args...)
		cmd.Env = append(cmd.Env, "NPM_CONFIG_REGISTRY=http://127.0.0.1:1", "GOPROXY=http://127.0.0.1:1", "DOCENT_UPSTREAM="+address, "DOCENT_KEY="+strings.TrimSpace(string(key)))
		cmd.Dir = filepath.Join(home, "app")
		return cmd
	}
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"describe", "npm", "till"}, "version from package-lock.json of app", 0},
		{[]string{"describe", "npm", "till", "coins"}, "Counts coins.", 0},
		{[]string{"describe", "npm", "./own"}, "Is ours.", 0},
		{[]string{"describe", "go", "example.com/lib@v1.0.0"}, "Coins counts coins.", 0},
		{[]string{"search", "npm", "till", "coins"}, "Counts coins.", 0},
		{[]string{"source", "npm", "till", "coins"}, "export declare function coins(): number;", 0},
		{[]string{"check", "use.ts"}, "notes", 1},
		{[]string{"describe", "npm", "stall"}, "stall, according to 127.0.0.1:", 3},
		{[]string{"describe", "npm", "other", "--offline"}, "network access is disabled", 4},
		{[]string{"doctor"}, "from which docent gets packages that are not on this machine", -1},
	} {
		out, err := local(tt.args...).CombinedOutput()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		if !strings.Contains(string(out), tt.want) || tt.code >= 0 && code != tt.code || strings.Contains(string(out), strings.TrimSpace(string(key))) {
			t.Errorf("%q: code %d\n%s", tt.args, code, out)
		}
	}
	if n := registry.times("/till.tgz"); n != 1 {
		t.Errorf("the registry was asked %d times", n)
	}
	log, err := os.ReadFile(filepath.Join(team, "audit.jsonl"))
	if err != nil || !strings.Contains(string(log), `"package":"till","version":"1.0.0"`) || strings.Contains(string(log), "own") || strings.Contains(string(log), home) {
		t.Errorf("the audit log of the server (%v): %s", err, log)
	}

	wrong := local("describe", "npm", "other")
	wrong.Env = append(wrong.Env, "DOCENT_KEY=dct_wrong")
	if out, err := wrong.CombinedOutput(); err == nil || !strings.Contains(string(out), "does not accept the key") || strings.Contains(string(out), "dct_wrong") {
		t.Errorf("a wrong key: %s", out)
	}
	stdio := registry.command(t, home, "serve", "--config", "docent.toml", "--log-level", "debug")
	stdio.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_npm_package","arguments":{"package":"till","symbol":"coins"}}}
`)
	if out, err := stdio.CombinedOutput(); err != nil || !strings.Contains(string(out), "Counts coins.") || strings.Contains(string(out), strings.TrimSpace(string(key))) {
		t.Errorf("docent serve on standard input: %v\n%s", err, out)
	}
	for name, args := range map[string][]string{
		"--upstream: the server must be an http": {"serve", "--upstream", "docs.example.com"},
		"unencrypted":                            {"serve", "--upstream", "http://docs.example.com", "--upstream-key-file", filepath.Join(home, "key")},
		"cannot be read":                         {"serve", "--upstream", "https://docs.example.com", "--upstream-key-file", "none"},
	} {
		if out, err := registry.command(t, home, args...).CombinedOutput(); err == nil || !strings.Contains(string(out), name) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}

// startServe starts docent serve and returns the URL at which it listens.
func startServe(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "docent: listening on "); ok {
			go func() {
				for lines.Scan() { // read the remaining output, so that the process can continue to write
				}
			}()
			return address
		}
	}
	t.Fatal("the server did not start")
	return ""
}
