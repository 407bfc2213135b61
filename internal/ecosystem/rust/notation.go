package rust

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// pathSpellings returns the paths that a path may represent: a call, a type with its arguments, a macro or an attribute.
func pathSpellings(path string) []string {
	return []string{ecosystem.PlainPath(path), ecosystem.UsedPath(path)}
}
