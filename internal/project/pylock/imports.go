package pylock

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	maxImporting = 5000     // files of a project whose imports are read
	maxHead      = 64 << 10 // bytes of each that are read
)

var importLine = lazyregexp.New(`(?m)^\s*(?:from\s+([A-Za-z_]\w*)[\w.]*\s+import\b|import\s+([A-Za-z_][\w., \t]*))`)

// Imports returns the top-level modules that the project's own files import.
func (p *Project) Imports() map[string]bool {
	found := map[string]bool{}
	seen := 0
	_ = filepath.WalkDir(p.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read imports nothing
		}
		name := e.Name()
		if e.IsDir() {
			if path != p.Dir && (strings.HasPrefix(name, ".") || name == "venv" || name == "env" || name == "node_modules" || name == "site-packages" || name == "__pycache__" || name == "__pypackages__") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".py") || !e.Type().IsRegular() {
			return nil
		}
		if seen++; seen > maxImporting {
			return fs.SkipAll
		}
		for _, m := range importLine().FindAllStringSubmatch(project.Head(path, maxHead), 1000) {
			if m[1] != "" {
				found[m[1]] = true
				continue
			}
			for module := range strings.SplitSeq(m[2], ",") {
				module, _, _ = strings.Cut(strings.TrimSpace(module), " ")
				top, _, _ := strings.Cut(module, ".")
				found[top] = true
			}
		}
		return nil
	})
	return found
}
