package setup

import "strings"

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
