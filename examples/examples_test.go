// Package examples_test starts each example and sends it requests.
package examples_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// build compiles all examples, once.
var build = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "examples"); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./...").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, _ := build(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := build()
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(path, args...)
}

// client is connected to an example's standard input and output.
type client struct {
	t     *testing.T
	in    io.Writer
	lines *bufio.Scanner
}

// start runs an example until the test ends. The example must then exit by
// itself.
func start(t *testing.T, name string) *client {
	t.Helper()
	cmd := command(t, name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s ended with %v", name, err)
		}
	})
	c := &client{t, in, bufio.NewScanner(out)}
	c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// ask sends a request and returns the response, skipping notifications.
func (c *client) ask(method, params string) string {
	c.t.Helper()
	fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
	for c.lines.Scan() {
		if strings.Contains(c.lines.Text(), `"id":1,`) {
			return c.lines.Text()
		}
	}
	c.t.Fatalf("no answer to %s: %v", method, c.lines.Err())
	return ""
}

// expect sends a request and checks that the response contains all of want.
func (c *client) expect(method, params string, want ...string) {
	c.t.Helper()
	check(c.t, method+" "+params, c.ask(method, params), want...)
}

func check(t *testing.T, request, got string, want ...string) {
	t.Helper()
	for _, part := range want {
		if !strings.Contains(got, part) {
			t.Errorf("%s: got %s\nwant it to hold %s", request, got, part)
		}
	}
}

func TestWeather(t *testing.T) {
	c := start(t, "weather")
	c.expect("tools/list", "{}", `"name":"get_alerts"`, `"name":"get_forecast"`, `"enum":["Bergen","Denver","Nairobi"]`, `"outputSchema"`)
	c.expect("tools/call", `{"name":"get_forecast","arguments":{"city":"Denver","days":2}}`,
		`"structuredContent":{"days":[{"sky":"sunny","celsius":24},{"sky":"sunny","celsius":26}]}`)
	c.expect("tools/call", `{"name":"get_forecast","arguments":{"city":"Bergen"}}`, `"showers"`)
	c.expect("tools/call", `{"name":"get_forecast","arguments":{"city":"Bergen","days":9}}`, `"isError":true`)
	c.expect("tools/call", `{"name":"get_alerts","arguments":{"state":"FL"}}`, "Hurricane")
	c.expect("tools/call", `{"name":"get_alerts","arguments":{"state":"NY"}}`, "No alerts for NY.")
	c.expect("tools/call", `{"name":"get_alerts","arguments":{"state":"new york"}}`, `"isError":true`)
}

func TestRecipes(t *testing.T) {
	c := start(t, "recipes")
	c.expect("resources/templates/list", "{}", `"uriTemplate":"file://recipes/{cuisine}"`)
	c.expect("resources/read", `{"uri":"file://recipes/italian"}`, "Cacio e pepe", `"mimeType":"text/markdown"`)
	c.expect("resources/read", `{"uri":"file://recipes/klingon"}`, `"code":-32002`)
	c.expect("completion/complete", `{"ref":{"type":"ref/resource","uri":"file://recipes/{cuisine}"},"argument":{"name":"cuisine","value":"me"}}`, `"values":["mexican"]`)
	c.expect("prompts/list", "{}", `"name":"weekly-meal-planner"`)
	c.expect("prompts/get", `{"name":"weekly-meal-planner","arguments":{"cuisine":"japanese"}}`, "Plan the meals of a week", "Oyakodon", `"uri":"file://recipes/japanese"`)
	c.expect("prompts/get", `{"name":"weekly-meal-planner","arguments":{"cuisine":"klingon"}}`, `"code":-32602`)
	c.expect("prompts/get", `{"name":"weekly-meal-planner"}`, `"code":-32602`)
}

func TestTasks(t *testing.T) {
	c := start(t, "tasks")
	c.expect("tools/call", `{"name":"cook","arguments":{"dish":"soup"}}`, `"structuredContent":{"dish":"soup","steps":["chop","fry","season"]}`)
	call := `{"name":"cook","arguments":{"dish":"stew"},"task":{}}`
	created := func() string {
		t.Helper()
		var m struct {
			Result struct {
				Task struct {
					TaskID string `json:"taskId"`
				}
			}
		}
		line := c.ask("tools/call", call)
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Result.Task.TaskID == "" {
			t.Fatalf("%s: no task: %s", call, line)
		}
		return fmt.Sprintf(`{"taskId":%q}`, m.Result.Task.TaskID)
	}
	task := created()
	c.expect("tasks/get", task, `"status":"working"`)
	c.expect("tasks/result", task, `"steps":["chop","fry","season"]`)
	c.expect("tasks/get", task, `"status":"completed"`)
	other := created()
	c.expect("tasks/cancel", other, `"status":"cancelled"`)
}

func TestPrincipals(t *testing.T) {
	cmd := command(t, "principals", "-http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
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
	line, err := bufio.NewReader(stderr).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "serving ")
	if err != nil || !ok {
		t.Fatalf("the server says %q, %v", line, err)
	}
	ask := func(token, method, name, members string) (int, string) {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, method, members)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{
			"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
		} {
			if value != "" {
				req.Header.Set(key, value)
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(got)
	}
	if status, _ := ask("nobody", "tools/list", "", ""); status != http.StatusUnauthorized {
		t.Errorf("a stranger gets status %d", status)
	}
	_, got := ask("token-of-ada", "tools/list", "", "")
	check(t, "ada's list", got, "read_report", "delete_report", `"cacheScope":"private"`)
	_, got = ask("token-of-bob", "tools/list", "", "")
	check(t, "bob's list", got, "read_report")
	if strings.Contains(got, "delete_report") {
		t.Errorf("bob sees a tool that is not for him: %s", got)
	}
	const remove = `"name":"delete_report","arguments":{"id":7},`
	_, got = ask("token-of-ada", "tools/call", "delete_report", remove)
	check(t, "ada's call", got, "Report 7 is gone.")
	_, got = ask("token-of-bob", "tools/call", "delete_report", remove)
	check(t, "bob's call", got, `"code":-32602`, "Unknown tool: delete_report")
	_, got = ask("token-of-bob", "tools/call", "read_report", `"name":"read_report","arguments":{"id":7},`)
	check(t, "bob's own", got, "shown to bob")
}
