package golang

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// spellings returns the paths that a path may represent: a method with its receiver, as in (*Client).Do,
// a type with its arguments, or a call.
func spellings(path string) []string {
	return []string{ecosystem.PlainPath(path)}
}
