package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestDeps_OfSeveralLanguages(t *testing.T) {
	dir := shop(t)
	t.Chdir(dir)
	for _, test := range []struct {
		arguments string
		code      int
		words     []string
		absent    string
	}{
		{"deps", exitOK, []string{"Go: 1 package in ", "  example.com/drawer  v1.2.3  go.mod\n", "npm: 2 packages in ", "  absent         package.json  not installed\n", "  till    1.0.0  package.json\n"}, ""},
		{"deps javascript", exitOK, []string{"npm: 2 packages"}, "Go"},
		{"deps go --tree", exitOK, []string{"example.com/shop\n└── example.com/drawer v1.2.3\n"}, "npm"},
		{"deps --why till", exitOK, []string{"npm: till 1.0.0 (package.json)\n  shop > till 1.0.0\n"}, "Go"},
		{"deps --why unknown", exitNotFound, nil, "till"},
		{"deps cobol", exitUsage, nil, "npm"},
		{"deps rust", exitUsage, nil, "npm"},
		{"deps --tree --json", exitUsage, nil, "npm"},
	} {
		got := docent(strings.Fields(test.arguments)...)
		if got.code != test.code || (got.err == "") != (test.code == exitOK) || test.absent != "" && strings.Contains(got.out, test.absent) {
			t.Errorf("docent %s: code %d\n%s%s", test.arguments, got.code, got.out, got.err)
		}
		for _, want := range test.words {
			if !strings.Contains(got.out, want) {
				t.Errorf("docent %s lacks %q:\n%s", test.arguments, want, got.out)
			}
		}
	}
	var data depgraph.Data
	got := docent("deps", "--json")
	if err := json.Unmarshal([]byte(got.out), &data); err != nil || data.SchemaVersion != 1 || len(data.Languages) != 2 || data.Languages[1].Packages[2].ID != "till@1.0.0" {
		t.Errorf("%v:\n%s", err, got.out)
	}
	if got := docent("deps", "--project", t.TempDir()); got.code != exitUsage || !strings.Contains(got.err, "there is no project in") {
		t.Errorf("without a project: code %d, %s", got.code, got.err)
	}
}

func TestDeps_OfAProjectThatCannotBeRead(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.26\n", "Cargo.toml": "[package\n"})
	got := docent("deps", "--project", dir)
	if got.code != exitOK || !strings.Contains(got.out, "Go: 0 packages") || !strings.Contains(got.out, "note: The project cannot be read: ") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := docent("deps", "rust", "--project", dir); got.code != exitFailure || got.out != "" || !strings.Contains(got.err, "Cargo.toml") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestDeps_Outdated(t *testing.T) {
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case down.Load():
			http.Error(w, "down", http.StatusServiceUnavailable)
		case r.URL.Path == "/till" && r.Header.Get("Accept") == "application/json": // only the full document contains dates
			fmt.Fprint(w, `{"name":"till","dist-tags":{"latest":"2.0.0"},"time":{"1.0.0":"2020-01-01T00:00:00.000Z"},"versions":{
				"1.0.0":{"deprecated":"it loses coins","dist":{}},"1.1.0":{"dist":{}},"2.0.0":{"dist":{}}}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("DOCENT_CACHE", t.TempDir())
	t.Setenv("DOCENT_OFFLINE", "0") // the registry is on loopback
	t.Chdir(filetest.Dir(t, map[string]string{
		".npmrc":            "registry=" + server.URL + "\n",
		"package.json":      `{"name":"shop","dependencies":{"till":"^1.0.0"}}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{},"node_modules/till":{"version":"1.0.0"}}}`,
	}))
	if got := docent("deps", "--outdated", "--offline"); got.code != exitUnreachable || !strings.Contains(got.out, "unknown: ") {
		t.Errorf("offline, nothing cached: code %d\n%s%s", got.code, got.out, got.err)
	}
	for _, offline := range []string{"--offline=false", "--offline"} { // the second time, the responses are cached
		got := docent("deps", "--outdated", offline)
		for _, want := range []string{"npm: looked up 1 package", "till     1.0.0  1.1.0    2.0.0   ", " years  deprecated: it loses coins\n"} {
			if got.code != exitOK || !strings.Contains(got.out, want) {
				t.Errorf("%s: code %d, %q is missing\n%s%s", offline, got.code, want, got.out, got.err)
			}
		}
		down.Store(true)
	}
	var data depgraph.Data
	got := docent("deps", "--outdated", "--json")
	if err := json.Unmarshal([]byte(got.out), &data); err != nil || data.Languages[0].Packages[1].Registry.Newest != "2.0.0" {
		t.Errorf("%v:\n%s", err, got.out)
	}
	if got := docent("deps", "--outdated", "--tree"); got.code != exitUsage {
		t.Errorf("--outdated --tree: code %d", got.code)
	}
}
