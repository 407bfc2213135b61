package modeltest

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Versions returns the versions that a registry lists, each followed by its problems in
// parentheses.
func Versions(r *ecosystem.Releases) string {
	var all []string
	for _, v := range r.Versions() {
		text := v.Version
		if why := v.Deprecated + v.Yanked; why != "" {
			text += " (" + why + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
