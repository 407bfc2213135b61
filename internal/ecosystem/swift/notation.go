package swift

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// spellings returns the paths that a path may represent: a call, a type with its arguments, an attribute or a
// macro, or a link in documentation, as in Point/move(by:)-9x2ab.
func spellings(path string) []string {
	link := strings.ReplaceAll(withoutHash(path), "/", ".")
	return []string{ecosystem.PlainPath(path), link, ecosystem.UsedPath(path)}
}

// withoutHash removes the suffix that distinguishes overloads in a link in documentation, as in
// Point/move(by:)-9x2ab.
func withoutHash(link string) string {
	if end := strings.LastIndex(link, ")-"); end > 0 && !strings.ContainsAny(link[end:], "./ ") {
		return link[:end+1]
	}
	return link
}
