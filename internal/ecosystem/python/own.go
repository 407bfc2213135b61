package python

import (
	"iter"
	"path/filepath"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

var _ ecosystem.OwnFinder = (*Python)(nil)

// written matches the name of a file that a program may write.
var written = lazyregexp.New(`["'](\w+)\.py["']`)

// Own implements ecosystem.OwnFinder. A module may be in any directory, because
// programs and test runners add directories to sys.path. Tests may write it.
func (*Python) Own(dir string, paths iter.Seq[string]) func(pkg string) bool {
	names := sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		for name := range paths {
			base, isModule := strings.CutSuffix(name, ".py")
			if !isModule {
				continue
			}
			for part := range strings.SplitSeq(base, "/") {
				names[part] = true
			}
			code, err := project.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), maxAssignFile)
			if err != nil {
				continue
			}
			for _, found := range written().FindAllSubmatch(code, -1) {
				names[string(found[1])] = true
			}
		}
		return names
	})
	return func(pkg string) bool {
		top, _, _ := strings.Cut(pkg, ".")
		return names()[top]
	}
}
