package python

import (
	"iter"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.OwnFinder = (*Python)(nil)

// IsOwn implements ecosystem.OwnFinder. A module may be in any directory, because
// programs and test runners add directories to sys.path.
func (*Python) IsOwn(pkg string, paths iter.Seq[string]) bool {
	top, _, _ := strings.Cut(pkg, ".")
	for path := range paths {
		path = "/" + path
		if strings.HasSuffix(path, "/"+top+".py") || strings.Contains(path, "/"+top+"/") && strings.HasSuffix(path, ".py") {
			return true
		}
	}
	return false
}
