package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// playedRegistry simulates a registry of MCP servers.
func playedRegistry(t *testing.T) {
	t.Helper()
	entry := func(name, version, more, status string) string {
		return fmt.Sprintf(`{"server":{"name":%q,"description":"About\u001b[2J %s","version":%q%s},"_meta":{"io.modelcontextprotocol.registry/official":`+
			`{"status":%q,"statusMessage":"Use another.","publishedAt":"2026-01-02T03:04:05Z","isLatest":true}}}`, name, name, version, more, status)
	}
	weather := entry("io.github.someone/weather", "1.2.0", `,"packages":[{"registryType":"mcpb","identifier":"https://github.com/a/mcp","transport":{"type":"stdio"}},`+
		`{"registryType":"oci","identifier":"docker.io/someone/weather:1.2.0","transport":{"type":"stdio"},"environmentVariables":[{"name":"API_KEY","description":"Your key","isRequired":true,"isSecret":true}]}],`+
		`"remotes":[{"type":"streamable-http","url":"https://weather.example.com/mcp"}]`, "active")
	entries := map[string]string{
		"io.github.someone/weather": weather,
		"com.example/old-weather":   entry("com.example/old-weather", "0.1.0", `,"remotes":[{"type":"streamable-http","url":"https://old.example.com/mcp"}]`, "deprecated"),
		"com.example/gone":          entry("com.example/gone", "0.1.0", `,"remotes":[{"type":"streamable-http","url":"https://gone.example.com/mcp"}]`, "deleted"),
		"com.example/shell":         entry("com.example/shell", "1", `,"packages":[{"registryType":"oci","identifier":"x","runtimeHint":"sh","transport":{"type":"stdio"}}]`, "active"),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v0.1/servers", func(w http.ResponseWriter, r *http.Request) {
		var found []string
		for _, name := range []string{"io.github.someone/weather", "com.example/old-weather"} {
			if strings.Contains(name, r.URL.Query().Get("search")) {
				found = append(found, entries[name])
			}
		}
		fmt.Fprintf(w, `{"servers":[%s],"metadata":{"count":%d}}`, strings.Join(found, ","), len(found))
	})
	mux.HandleFunc("GET /v0.1/servers/{name}/versions", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"servers":[%s]}`, entries[r.PathValue("name")])
	})
	mux.HandleFunc("GET /v0.1/servers/{name}/versions/{version}", func(w http.ResponseWriter, r *http.Request) {
		if entries[r.PathValue("name")] == "" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"detail":"Server not found"}`)
		}
		fmt.Fprint(w, entries[r.PathValue("name")])
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	t.Setenv("DOCENT_MCP_REGISTRY", s.URL)
	t.Setenv("DOCENT_OFFLINE", "")
}

func TestMCPSearch(t *testing.T) {
	playedRegistry(t)
	got := docent("mcp", "search", "weather")
	want := "io.github.someone/weather 1.2.0  (mcpb, oci, remote)\n    About[2J io.github.someone/weather\ncom.example/old-weather 0.1.0  (remote)  deprecated: Use another.\n    About[2J com.example/old-weather\n"
	if got.code != 0 || got.out != want {
		t.Errorf("got %+v\nwant %q", got, want)
	}
	if got := docent("mcp", "search", "weather", "someone", "--limit", "1"); got.code != 0 || strings.Count(got.out, "About") != 1 || got.err != "" {
		t.Errorf("two words: %+v", got)
	}
	if got := docent("mcp", "search", "weather", "--limit", "1"); !strings.Contains(got.err, "There are more servers") {
		t.Errorf("a limit: %+v", got)
	}
	if got := docent("mcp", "search", "nothing"); got.code != exitNotFound || !strings.Contains(got.err, "No server matches") {
		t.Errorf("no match: %+v", got)
	}
	if got := docent("mcp", "search", "--versions", "io.github.someone/weather"); got.out != "1.2.0  2026-01-02\n" {
		t.Errorf("versions: %+v", got)
	}
	var list []struct{ Name, Version, Status string }
	if got := docent("mcp", "search", "weather", "--json"); json.Unmarshal([]byte(got.out), &list) != nil || len(list) != 2 || list[1].Status != "deprecated" {
		t.Errorf("JSON: %+v", got)
	}
	t.Setenv("DOCENT_OFFLINE", "1")
	if got := docent("mcp", "search", "weather"); got.code != exitFailure || !strings.Contains(got.err, "DOCENT_OFFLINE") {
		t.Errorf("offline: %+v", got)
	}
}

func TestMCPSearch_RegistryAway(t *testing.T) {
	t.Setenv("DOCENT_OFFLINE", "")
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	if got := docent("mcp", "search", "--registry", s.URL); got.code != exitUnreachable {
		t.Errorf("got %+v", got)
	}
}

func TestMCPInstall(t *testing.T) {
	config := hostHome(t)
	playedRegistry(t)
	original, _ := os.ReadFile(config)
	for name, tt := range map[string]struct {
		args []string
		code int
		want string // part of the expected error
	}{
		"an unknown server":    {[]string{"a/b"}, exitNotFound, "Server not found"},
		"a deleted server":     {[]string{"com.example/gone"}, exitFailure, "was deleted from the registry, so docent does not install it. Use another."},
		"a shell":              {[]string{"com.example/shell"}, exitFailure, `started with "sh"`},
		"a value that lacks":   {[]string{"io.github.someone/weather", "--using", "oci"}, exitFailure, "API_KEY  Your key"},
		"a variable not set":   {[]string{"io.github.someone/weather", "--set", "NOT_SET_ANYWHERE"}, exitUsage, "the variable NOT_SET_ANYWHERE is not set"},
		"another way":          {[]string{"io.github.someone/weather", "--using", "other"}, exitFailure, `--using "other"`},
		"the name of docent":   {[]string{"io.github.someone/weather", "--name", "docent"}, exitUsage, "choose another one"},
		"a name with a slash":  {[]string{"io.github.someone/weather", "--name", "a/b"}, exitUsage, "choose another one"},
		"a missing terminal":   {[]string{"io.github.someone/weather", "--using", "remote"}, exitUsage, "--yes"},
		"an entry of a bundle": {[]string{"io.github.someone/weather", "--using", "mcpb"}, exitFailure, "cannot be started with a command"},
	} {
		args := append([]string{"mcp", "install"}, tt.args...)
		if name != "a missing terminal" {
			args = append(args, "--yes")
		}
		if got := docent(args...); got.code != tt.code || !strings.Contains(got.err, tt.want) {
			t.Errorf("%s: %+v; want code %d, %q", name, got, tt.code, tt.want)
		}
		if now, _ := os.ReadFile(config); string(now) != string(original) {
			t.Fatalf("%s: the file was changed", name)
		}
	}
	t.Setenv("API_KEY", `se"cret`)
	got := docent("mcp", "install", "io.github.someone/weather@1.2.0", "--using", "oci", "--set", "API_KEY", "--yes")
	data, _ := os.ReadFile(config)
	if got.code != 0 || strings.Contains(got.out, "cret") || !strings.Contains(got.out, "[redacted]") || !strings.Contains(got.out, `"weather"`) {
		t.Errorf("install: %+v", got)
	}
	if text := string(data); !strings.Contains(text, `"API_KEY": "se\"cret"`) || !strings.Contains(text, "docker.io/someone/weather:1.2.0") || !strings.Contains(text, "// mine") {
		t.Errorf("file:\n%s", text)
	}
	if got := docent("mcp", "uninstall", "weather", "--yes"); got.code != 0 {
		t.Errorf("uninstall: %+v", got)
	}
	if data, _ := os.ReadFile(config); string(data) != string(original) {
		t.Errorf("after uninstall:\n%s", data)
	}
	// Bundles and, without docker, images cannot be started, so the remote server is used.
	if got := docent("mcp", "install", "io.github.someone/weather", "--dry-run"); got.code != 0 || !strings.Contains(got.out, `"url": "https://weather.example.com/mcp"`) {
		t.Errorf("without a value: %+v", got)
	}
	if got := docent("mcp", "install", "com.example/old-weather", "--dry-run"); got.code != 0 || !strings.Contains(got.err, "is deprecated. Use another.") || !strings.Contains(got.out, `"url": "https://old.example.com/mcp"`) {
		t.Errorf("dry run: %+v", got)
	}
	if got := docent("mcp", "uninstall", "docent", "--yes"); got.code != exitUsage {
		t.Errorf("uninstall docent: %+v", got)
	}
}

func TestMCPPublish_Check(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.json")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("server.json", `{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json","name":"io.github.someone/weather",
		"description":"Weather","version":"latest","packages":[{"registryType":"oci","identifier":"docker.io/someone/weather:1","transport":{"type":"stdio"}}]}`)
	got := docent("mcp", "publish", "--check", file)
	if got.code != exitFailure || !strings.Contains(got.out, "server.json: version: must be a version, and not latest\n") || !strings.Contains(got.out, "no Dockerfile sets the label") {
		t.Errorf("problems: %+v", got)
	}
	data, _ := os.ReadFile(file)
	write("server.json", strings.Replace(string(data), "latest", "1.0.0", 1))
	write("Dockerfile", "LABEL io.modelcontextprotocol.server.name=\"io.github.someone/weather\"\n")
	if got := docent("mcp", "publish", "--check", file); got.code != 0 || got.out != file+" is ready to be published.\n" {
		t.Errorf("a valid file: %+v", got)
	}
	if got := docent("mcp", "publish", file); got.code != exitUsage || !strings.Contains(got.err, "--check") {
		t.Errorf("without --check: %+v", got)
	}
	if got := docent("mcp", "publish", "--check", filepath.Join(dir, "missing.json")); got.code != exitFailure {
		t.Errorf("a missing file: %+v", got)
	}
}
