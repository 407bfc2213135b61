package python

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// spellings returns the paths that a path may represent: a call, a type with its arguments, or a decorator.
func spellings(path string) []string {
	return []string{ecosystem.PlainPath(path), ecosystem.UsedPath(path)}
}
