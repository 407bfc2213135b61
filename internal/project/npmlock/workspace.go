package npmlock

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/yaml"
)

// maxMembers bounds how many directories are searched for packages of a
// workspace.
const maxMembers = 20_000

// maxSettings bounds the file with a workspace's settings, in bytes.
const maxSettings = 1 << 20

// patternsOf returns the globs of a workspace whose root is dir; nil if it is
// none.
func patternsOf(ctx context.Context, dir string) []string {
	var patterns []string
	if data, err := project.ReadFile(filepath.Join(dir, "pnpm-workspace.yaml"), maxSettings); err == nil {
		patterns = readPatterns(ctx, data)
	}
	if m, err := ReadManifest(filepath.Join(dir, "package.json")); err == nil {
		patterns = append(patterns, m.Workspaces...)
	}
	return patterns
}

// readPatterns reads the globs in a pnpm-workspace.yaml. It returns none if it
// cannot be read.
func readPatterns(ctx context.Context, data []byte) []string {
	var patterns []string
	err := yaml.Read(ctx, data, func(r *yaml.Reader) error {
		return r.Fields(func(name string) error {
			if name != "packages" {
				return nil
			}
			return r.Items(func() error {
				p, err := r.Text()
				patterns = append(patterns, p)
				return err
			})
		})
	})
	if err != nil {
		return nil
	}
	return patterns
}

// isMember reports whether a workspace's globs match the directory rel, which
// has forward slashes.
func isMember(patterns []string, rel string) bool {
	in := false
	for _, p := range patterns {
		p, not := strings.CutPrefix(p, "!")
		if globMatch(strings.Split(path.Clean(p), "/"), strings.Split(rel, "/")) {
			in = !not
		}
	}
	return in
}

// globMatch matches element by element; ** matches any number of elements.
func globMatch(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(name) + 1 {
				if globMatch(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); err != nil || !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}

// members finds the packages of the workspace at root: their directories by
// name.
func members(root string) map[string]string {
	patterns := patternsOf(context.Background(), root)
	if len(patterns) == 0 {
		return nil
	}
	depth := 1
	for _, p := range patterns {
		if strings.Count(p, "**") > 3 {
			return nil // such a pattern is slow to match, and no workspace needs it
		}
		if d := strings.Count(p, "/") + 1; d > depth {
			depth = d
		}
		if strings.Contains(p, "**") {
			depth = 12
		}
	}
	found := map[string]string{}
	seen := 0
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil //nolint:nilerr // a directory that cannot be read holds no package
		}
		if seen++; seen > maxMembers {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil || rel == "." {
			return nil //nolint:nilerr // the root itself
		}
		if n := e.Name(); n == "node_modules" || n[0] == '.' {
			return fs.SkipDir
		}
		rel = filepath.ToSlash(rel)
		if isMember(patterns, rel) {
			if m, err := ReadManifest(filepath.Join(dir, "package.json")); err == nil && m.Name != "" {
				if _, taken := found[m.Name]; !taken {
					found[m.Name] = dir
				}
			}
		}
		if strings.Count(rel, "/")+1 >= depth {
			return fs.SkipDir
		}
		return nil
	})
	return found
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
