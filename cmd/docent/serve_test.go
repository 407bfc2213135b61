package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serve runs the real command in a separate process, sends it the lines, and returns its answers
// after it has exited.
func serve(t *testing.T, dir string, flags []string, lines ...string) (answers []map[string]any, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{"serve"}, flags...)...)
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("docent serve: %v\n%s", err, errs.String())
	}
	for line := range strings.Lines(out.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
			t.Fatalf("standard output has what is not MCP: %q", line)
		}
		answers = append(answers, m)
	}
	return answers, errs.String()
}

// byID returns the answer to one request.
func byID(t *testing.T, answers []map[string]any, id float64) map[string]any {
	t.Helper()
	for _, m := range answers {
		if m["id"] == id {
			return m
		}
	}
	t.Fatalf("no answer to %v in %v", id, answers)
	return nil
}

// at returns the value at a path in an answer.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

const describeMarshal = `"name":"describe_go_package","arguments":{"package":"encoding/json","symbol":"Marshal"}`

func TestServeAnswersInEverySessionRevision(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			answers, stderr := serve(
				t, t.TempDir(), nil,
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
				`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{`+describeMarshal+`}}`,
				`{"jsonrpc":"2.0","id":4,"method":"ping"}`,
			)
			if len(answers) != 4 {
				t.Errorf("%d answers to 4 requests", len(answers))
			}
			opened := byID(t, answers, 1)
			if got := at(opened, "result", "protocolVersion"); got != revision {
				t.Errorf("agreed on %v", got)
			}
			if got := at(opened, "result", "serverInfo", "version"); got != version() {
				t.Errorf("serverInfo.version is %v, docent version says %s", got, version())
			}
			checkTools(t, byID(t, answers, 2))
			checkMarshal(t, byID(t, answers, 3))
			if stderr != "" {
				t.Errorf("standard error without being asked: %s", stderr)
			}
		})
	}
}

func TestServeAnswersWithoutASession(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	answers, _ := serve(
		t, t.TempDir(), nil,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{`+describeMarshal+`,`+meta+`}}`,
	)
	if got := at(byID(t, answers, 1), "result", "_meta", "io.modelcontextprotocol/serverInfo", "version"); got != version() {
		t.Errorf("serverInfo.version is %v, docent version says %s", got, version())
	}
	checkTools(t, byID(t, answers, 2))
	checkMarshal(t, byID(t, answers, 3))
}

func checkTools(t *testing.T, answer map[string]any) {
	t.Helper()
	var names []string
	for i := 0; at(answer, "result", "tools", i) != nil; i++ {
		names = append(names, fmt.Sprint(at(answer, "result", "tools", i, "name")))
	}
	if got := strings.Join(names, " "); got != "check_code compare_package_versions describe_go_package describe_npm_package describe_python_package describe_rust_package describe_swift_package get_go_package_doc get_npm_package_doc get_python_package_doc get_rust_package_doc get_swift_package_doc list_project_packages search_package_docs" {
		t.Errorf("tools are %q", got)
	}
}

func checkMarshal(t *testing.T, answer map[string]any) {
	t.Helper()
	text := fmt.Sprint(at(answer, "result", "content", 0, "text"))
	for _, part := range []string{"# Marshal (func) in encoding/json@go", "func Marshal(v any) ([]byte, error)"} {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q: %.500s", part, text)
		}
	}
	if at(answer, "result", "structuredContent") != nil {
		t.Error("structured content that nobody asked for")
	}
}

const (
	maxTools       = 11 << 10 // maximum size in bytes of tools/list, which every session sends to a model
	maxDescription = 700      // maximum size in bytes of the description of a tool
)

func TestToolsTakeFewTokens(t *testing.T) {
	answers, _ := serve(t, t.TempDir(), nil,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	)
	tools := at(byID(t, answers, 2), "result", "tools")
	total := 0
	for i := 0; at(tools, i) != nil; i++ {
		data, err := json.Marshal(at(tools, i))
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
	}
	if total > maxTools {
		t.Errorf("the tools of all languages take %d bytes", total)
	}
	for i := 0; at(tools, i) != nil; i++ {
		if text := fmt.Sprint(at(tools, i, "description")); len(text) > maxDescription {
			t.Errorf("%d bytes describe %v", len(text), at(tools, i, "name"))
		}
	}
}

func TestServeLogsWhereTheFlagSays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docent.log")
	for _, flags := range [][]string{{"--log-level", "debug"}, {"--log-level", "debug", "--log-file", file}} {
		_, stderr := serve(t, t.TempDir(), flags, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "not JSON")
		if len(flags) == 4 && stderr != "" {
			t.Errorf("with a log file, standard error has %q", stderr)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func TestServeUsesTheProjectThatItWasStartedIn(t *testing.T) {
	dir := workspace(t)
	answers, _ := serve(
		t, dir, nil,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"example.com/app/db"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"no/such"}}}`,
	)
	if text := fmt.Sprint(at(byID(t, answers, 2), "result", "content", 0, "text")); !strings.Contains(text, "Package db keeps rows.") {
		t.Errorf("got %s", text)
	}
	failed := byID(t, answers, 3)
	if at(failed, "result", "isError") != true || !strings.Contains(fmt.Sprint(at(failed, "result", "content", 0, "text")), "no package no/such") {
		t.Errorf("got %v", failed)
	}
}

func TestServeOverHTTPOnASocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the test ends the server with a signal, which Windows has not")
	}
	dir, err := os.MkdirTemp("", "docent") //nolint:usetesting // a path that is short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "--http", "unix:"+socket, "--log-level", "info")
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, errs)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	var answer []byte
	for t.Context().Err() == nil { // wait until the server listens
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := client.Do(req)
		if err != nil {
			runtime.Gosched()
			continue
		}
		answer, _ = io.ReadAll(res.Body)
		res.Body.Close()
		break
	}
	if !strings.Contains(string(answer), `"name":"docent"`) {
		t.Errorf("got %s", answer)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestServeEndsQuietlyWhenItsHostEndsIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal that asks another process to end")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve")
	cmd.Env = append(os.Environ(), "DOCENT_TEST_RUN=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// After the server has answered a request, it is running.
	if _, err := fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("it ended with %v and %q", err, errs.String())
	}
}

func TestServe_RefusesAMemoryLimitThatIsNoSize(t *testing.T) {
	if got := docent("serve", "--memory", "lots"); got.code != exitUsage || !strings.Contains(got.err, "is not a size") {
		t.Errorf("code %d: %s", got.code, got.err)
	}
}
