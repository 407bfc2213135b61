package python

import (
	"bytes"
	"iter"
	"path"
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
// programs and test runners add directories to sys.path. Tests may write it. A module below another one is in a directory.
func (*Python) Own(dir string, paths iter.Seq[string]) func(pkg string) bool {
	const isModule, mayBePackage = 1, 2
	names := sync.OnceValue(func() map[string]int {
		names := map[string]int{}
		for name := range paths {
			base, isCode := strings.CutSuffix(name, ".py")
			if !isCode {
				continue
			}
			for part := range strings.SplitSeq(path.Dir(base), "/") {
				names[part] = mayBePackage
			}
			names[path.Base(base)] = max(names[path.Base(base)], isModule)
			code, err := project.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), maxAssignFile)
			if err != nil {
				continue
			}
			writesPackages := bytes.Contains(code, []byte("__init__.py"))
			for _, found := range written().FindAllSubmatch(code, -1) {
				kind := isModule
				if writesPackages && namesDirectory(code, string(found[1])) {
					kind = mayBePackage
				}
				names[string(found[1])] = max(names[string(found[1])], kind)
			}
		}
		return names
	})
	return func(pkg string) bool {
		top, _, below := strings.Cut(pkg, ".")
		return names()[top] == mayBePackage || !below && names()[top] == isModule
	}
}

// namesDirectory reports whether a string in code is, or begins with, the name of a directory.
func namesDirectory(code []byte, name string) bool {
	for first := range occurrences(code, name) {
		end := first + len(name)
		if first > 0 && end < len(code) && (code[first-1] == '"' || code[first-1] == '\'') && (code[end] == code[first-1] || code[end] == '/') {
			return true
		}
	}
	return false
}
