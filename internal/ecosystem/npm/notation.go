package npm

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// spellings returns the paths that a path may represent: a call, a member as in Client#get and
// Client.prototype.get, a type with its arguments, or a decorator.
func spellings(path string) []string {
	plain := strings.ReplaceAll(ecosystem.PlainPath(path), ".prototype.", ".")
	return []string{plain, ecosystem.UsedPath(plain)}
}
