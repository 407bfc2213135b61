package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/team/internal/pgtest"
)

// call calls a tool and returns the text of the answer.
func call(t *testing.T, url, tool string, arguments map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": tool, "arguments": arguments,
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "test", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v\n%s", response.Status, err, answer)
	}
	return string(answer)
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replica starts docent-team with a database that other replicas also use.
func replica(t *testing.T, database string) (url string) {
	t.Helper()
	cmd := program(t, "--http", "127.0.0.1:0", "--stateless")
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Env, postgresVariable+"="+database)
	return serve(t, cmd)
}

func TestServe_ReplicasShareWhatTheyRead(t *testing.T) {
	database := pgtest.Start(t).Database(t)
	first, second := replica(t, database), replica(t, database)
	search := map[string]any{"query": "format and print values", "language": "go"}
	if got := call(t, second, "search_package_docs", search); strings.Contains(got, "Sprintf") || !strings.Contains(got, "Docent searched the 0 packages") {
		t.Errorf("before anything is read: %s", got)
	}
	if got := call(t, first, "describe_go_package", map[string]any{"package": "fmt"}); !strings.Contains(got, "Sprintf") {
		t.Fatal(got)
	}
	search["query"] = "fmt Sprintf"
	if got := call(t, second, "search_package_docs", search); !strings.Contains(got, "func Sprintf(format string, a ...any) string") || !strings.Contains(got, "Docent searched the 1 package that") {
		t.Errorf("another replica: %s", got)
	}
	if text := get(t, second+"/metrics"); !strings.Contains(text, "\ndocent_shared_store_up 1\n") {
		t.Errorf("/metrics: %s", text)
	}
	search["language"] = "cobol"
	if got := call(t, second, "search_package_docs", search); !strings.Contains(got, "cobol") {
		t.Errorf("an unknown language: %s", got)
	}
}

func TestServe_KeepsPasswordsOffTheCommandLine(t *testing.T) {
	out, err := program(t, "--http", "127.0.0.1:0", "--postgres", "postgres://docent:hush@127.0.0.1/docent").CombinedOutput()
	if err == nil || !strings.Contains(string(out), postgresVariable) || strings.Contains(string(out), "hush") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestConfig_CheckPostgres(t *testing.T) {
	checkConfigs(t, "http = \"127.0.0.1:0\"\n", map[string]string{
		"postgres = \"postgres://docent:hush@db/docent\"\npostgres_size = \"5GiB\"": "is valid: 3 settings",
		"postgres = \"postgres://docent:hush@db:port/docent\"":                      "the address of PostgreSQL is not valid",
		"postgres_size = \"large\"":                                                 "not a size",
		"postgres_age = \"0\"":                                                      "not a duration",
	})
}
