package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/upstream"
)

func TestProject(t *testing.T) {
	var pushed, key string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		key = r.Header.Get("Authorization")
		switch r.Method + " " + r.URL.String() {
		case "PUT /docs/v1/projects/my-shop":
			pushed = string(data)
			_, _ = io.WriteString(w, `{"projectPath":"project:my-shop","packages":1,"skipped":["x@git\u001b[2J"]}`)
		case "GET /docs/v1/projects?group=team":
			_, _ = io.WriteString(w, `{"projects":[{"name":"shop","packages":7,"pushed":"2026-01-02T03:04:05Z"}]}`)
		case "DELETE /docs/v1/projects/shop":
			w.WriteHeader(http.StatusNoContent)
		case "DELETE /docs/v1/projects/locked":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			http.Error(w, "there is no such\nproject", http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv(serverVariable, server.URL+"/docs/mcp")
	t.Setenv(upstream.KeyVariable, "secret")
	dir := filetest.Dir(t, map[string]string{"my shop/go.mod": "module example.com/shop\n\ngo 1.21\n\nrequire example.com/a v1.2.3\n"})
	code, stdout, stderr := runDocent("project", "push", "--project", dir+"/my shop")
	if code != exitOK || !strings.Contains(stdout, "Pushed 1 package. The server's tools accept projectPath project:my-shop\n") || !strings.Contains(stdout, "Not pushed, because these packages do not come from a registry: x@git[2J\n") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	var data struct{ Languages []struct{ Language string } }
	if err := json.Unmarshal([]byte(pushed), &data); err != nil || len(data.Languages) != 1 || data.Languages[0].Language != "go" ||
		!strings.Contains(pushed, `"name":"example.com/a","version":"v1.2.3"`) || strings.Contains(pushed, dir) || strings.Contains(pushed, "go.mod") {
		t.Errorf("pushed %s (%v)", pushed, err)
	}
	if key != "Bearer secret" {
		t.Errorf("the key was sent as %q", key)
	}
	if code, stdout, stderr := runDocent("project", "list", "--group", "team"); code != exitOK || stdout != "project:shop  7 packages  pushed 2026-01-02\n" {
		t.Errorf("list: code %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := runDocent("project", "remove", "shop"); code != exitOK {
		t.Errorf("remove: code %d: %s", code, stderr)
	}
	for name, tt := range map[string]struct {
		server, want string
		args         []string
	}{
		"no such project":  {"", "there is no such project", []string{"remove", "other"}},
		"an expired key":   {"", "does not accept the key or token in " + upstream.KeyVariable, []string{"remove", "locked"}},
		"no server":        {" ", "must be an http or https URL", []string{"list"}},
		"a password":       {"https://a:b@docs.example.com", "without a user name or password", []string{"list"}},
		"not encrypted":    {"http://docs.example.com/mcp", "unencrypted", []string{"list"}},
		"another protocol": {"ftp://docs.example.com", "must be an http or https URL", []string{"list"}},
	} {
		args := append([]string{"project"}, tt.args...)
		if tt.server != "" {
			args = append(args, "--server", tt.server)
		}
		if code, _, stderr := runDocent(args...); code == exitOK || !strings.Contains(stderr, tt.want) || strings.Contains(stderr, "secret") {
			t.Errorf("%s: code %d: %s", name, code, stderr)
		}
	}
}
