package module

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/header"
)

// fromC returns the type of a function or constant in a C module that a file
// imports, or "" if there is none.
func (u *unit) fromC(name string, f *file) string {
	if u.w.platform.os == "Windows" {
		return "" // C integers have other sizes on Windows
	}
	for i := range u.p.Targets {
		t := &u.p.Targets[i]
		if !t.C || !slices.Contains(f.imports, t.module()) {
			continue
		}
		types, ok := u.w.headers[t]
		if !ok {
			symbols, _ := header.ReadModule(u.w.meter, u.p.Root, t.Files)
			types = header.Imported(symbols)
			u.w.headers[t] = types
		}
		if text := types[name]; text != "" {
			return text
		}
	}
	return ""
}

// isC reports whether a name is the name of a C module.
func (u *unit) isC(name string) bool {
	for i := range u.p.Targets {
		if t := &u.p.Targets[i]; t.C && t.module() == name {
			return true
		}
	}
	return false
}
