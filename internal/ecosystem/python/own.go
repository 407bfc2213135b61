package python

import (
	"bytes"
	"iter"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

var _ ecosystem.OwnFinder = (*Python)(nil)

// IsOwn implements ecosystem.OwnFinder. A module may be in any directory, because
// programs and test runners add directories to sys.path. Tests may write it.
func (*Python) IsOwn(dir, pkg string, paths iter.Seq[string]) bool {
	top, _, _ := strings.Cut(pkg, ".")
	written := []byte(`"` + top + `.py"`)
	for name := range paths {
		if strings.HasSuffix(name, ".py") {
			if code, err := project.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), maxAssignFile); err == nil && bytes.Contains(code, written) {
				return true
			}
		}
		path := "/" + name
		if strings.HasSuffix(path, "/"+top+".py") || strings.Contains(path, "/"+top+"/") && strings.HasSuffix(path, ".py") {
			return true
		}
	}
	return false
}
