package setup

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestTable_IsInTheDocumentation(t *testing.T) {
	text := filetest.Read(t, "../../docs/hosts.md")
	if !strings.Contains(string(text), hostTable()) {
		t.Errorf("docs/hosts.md does not have this table:\n%s", hostTable())
	}
}

// TestInstallLinks decodes the links as the hosts do.
func TestInstallLinks(t *testing.T) {
	text := filetest.Read(t, "../../README.md")
	if !strings.Contains(string(text), installLinks()) {
		t.Errorf("README.md does not have these links:\n%s", installLinks())
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

// hostTable returns the table of hosts in docs/hosts.md.
func hostTable() string {
	var b strings.Builder
	b.WriteString("| host | `--host` | user configuration | project configuration | key | user rule | project rule |\n|---|---|---|---|---|---|---|\n")
	for _, h := range hosts() {
		b.WriteString("| [" + h.title + "](" + h.source + ") | `" + h.name + "` | " + h.user.cell() + " | " + h.project.cell() +
			" | `" + strings.Join(append(h.key, serverName), "`, `") + "` | " + h.userRule.paths.cell() + " | " + h.projectRule.paths.cell() + " |\n")
	}
	return b.String()
}

// cell returns paths for a table.
func (p paths) cell() string {
	if p.others == nil {
		return "–"
	}
	return "`" + strings.Join(p.others, "`, `") + "`"
}

// installLinks returns the links in README.md that add docent to VS Code and Cursor. They contain
// the entry that Setup writes, for docent in PATH.
func installLinks() string {
	var links []string
	for _, h := range hosts() {
		fields := h.fill("docent")
		switch h.name {
		case "vscode":
			named := append([]field{{"name", serverName}}, fields...)
			install := "vscode:mcp/install?" + url.PathEscape(jsonStyle{}.inline(named))
			links = append(links, "[Add to VS Code](https://vscode.dev/redirect?url="+url.QueryEscape(install)+")")
		case "cursor":
			config := base64.StdEncoding.EncodeToString([]byte(jsonStyle{}.inline(fields)))
			links = append(links, "[Add to Cursor](https://cursor.com/en/install-mcp?name="+serverName+"&config="+url.QueryEscape(config)+")")
		}
	}
	return strings.Join(links, " · ")
}
