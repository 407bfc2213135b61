package setup

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestTable_IsInTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), Table()) {
		t.Errorf("docs/hosts.md does not have this table:\n%s", Table())
	}
}

// TestInstallLinks decodes the links as the hosts do.
func TestInstallLinks(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), InstallLinks()) {
		t.Errorf("README.md does not have these links:\n%s", InstallLinks())
	}
	link := func(title string) *url.URL {
		_, rest, _ := strings.Cut(string(text), "["+title+"](")
		address, _, _ := strings.Cut(rest, ")")
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" {
			t.Fatalf("%s: %q, %v", title, address, err)
		}
		return u
	}
	check := func(data, want string) {
		var got, entry map[string]any
		if err := json.Unmarshal([]byte(data), &got); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		_ = json.Unmarshal([]byte(want), &entry)
		if !reflect.DeepEqual(got, entry) {
			t.Errorf("got %s, want %s", data, want)
		}
	}
	install, ok := strings.CutPrefix(link("Add to VS Code").Query().Get("url"), "vscode:mcp/install?")
	data, err := url.PathUnescape(install)
	if !ok || err != nil {
		t.Fatalf("%q, %v", install, err)
	}
	check(data, `{"name": "docent", "type": "stdio", "command": "docent", "args": ["serve"]}`)
	query := link("Add to Cursor").Query()
	config, err := base64.StdEncoding.DecodeString(query.Get("config"))
	if err != nil || query.Get("name") != "docent" {
		t.Fatalf("%v, %v", query, err)
	}
	check(string(config), `{"command": "docent", "args": ["serve"]}`)
}
