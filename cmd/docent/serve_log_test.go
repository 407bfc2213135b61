package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestServe_LogsCallsAndRequests(t *testing.T) {
	registry := newServer(t)
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("DOCENT_OFFLINE", "0")
	t.Setenv("DOCENT_CACHE", t.TempDir())
	t.Setenv("NPM_CONFIG_REGISTRY", strings.Replace(registry.URL, "http://", "http://user:secret@", 1))
	_, stderr := serve(
		t, t.TempDir(), []string{"--log-level", "debug", "--log-file", log},
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"7"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_npm_package","arguments":{"package":"till","symbol":"coins"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe_npm_package","arguments":{"package":"absent"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"strings","symbol":"Nothing"}}}`,
	)
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{
		"msg=call tool=describe_npm_package package=till symbol=coins outcome=answered time=",
		`client="probe 7"`, " bytes=",
		"msg=call tool=describe_npm_package package=absent outcome=\"not found\"",
		"msg=call tool=describe_go_package package=strings symbol=Nothing outcome=\"no symbol\"",
		"msg=request url=" + registry.URL + "/till.tgz time=",
		"msg=request url=" + registry.URL + "/absent ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "Counts coins") {
		t.Errorf("the log has a credential or the text of an answer:\n%s", text)
	}
	if stderr != "" {
		t.Errorf("standard error: %s", stderr)
	}
}

// started starts the real command in a separate process.
func started(t *testing.T, args ...string) (cmd *exec.Cmd, stdin io.WriteCloser, stderr *bufio.Reader) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // the process has already ended unless the test failed
	return cmd, stdin, bufio.NewReader(errs)
}

func TestServe_SaysWhereItListens(t *testing.T) {
	cmd, _, stderr := started(t, "serve", "--port", "0")
	line, err := stderr.ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "docent: listening on ")
	if err != nil || !ok || strings.Contains(address, ":0/") {
		t.Fatalf("%q, %v", line, err)
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		t.Errorf("%s: %s", address, response.Status)
	}
	if runtime.GOOS == "windows" {
		return // Windows has no such signals
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after a signal: %v", err)
	}
}

func TestSignals_TheSecondOneEndsABlockedCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal that asks another process to end")
	}
	// The command waits for its standard input, which does not end.
	cmd, stdin, _ := started(t, "mcp", "call", "describe_go_package", "-", "--env", "DOCENT_TEST_RUN=1", "--", os.Args[0], "serve")
	if _, err := io.WriteString(stdin, `{"a": "`+strings.Repeat("a", 1<<20)); err != nil { // more than the buffer of a pipe, so the command must be reading
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case <-done:
			return
		default:
			_ = cmd.Process.Signal(syscall.SIGTERM) // ignored, because the process may have ended
			runtime.Gosched()
		}
	}
}
