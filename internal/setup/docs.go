package setup

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Table returns the table of hosts in docs/hosts.md.
func Table() string {
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

// InstallLinks returns the links in README.md that add docent to VS Code and Cursor. They contain
// the entry that Setup writes, for docent in PATH.
func InstallLinks() string {
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
