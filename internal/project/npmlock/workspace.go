package npmlock

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/yaml"
)

// maxSettings is the maximum size in bytes of the file that contains a workspace's settings.
const maxSettings = 1 << 20

// patternsOf returns the globs of the workspace whose root is dir, or nil if dir is not
// the root of one.
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

// readPatterns reads the globs in a pnpm-workspace.yaml. It returns nil if the file
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
		if p, not := strings.CutPrefix(p, "!"); project.MatchGlob(p, rel) {
			in = !not
		}
	}
	return in
}

// members returns the directories of the packages of the workspace at root, by name.
func members(root string) map[string]string {
	patterns := patternsOf(context.Background(), root)
	if len(patterns) == 0 {
		return nil
	}
	found := map[string]string{}
	project.WalkGlobs(root, patterns, []string{"node_modules"}, func(dir, rel string) {
		if !isMember(patterns, rel) {
			return
		}
		if m, err := ReadManifest(filepath.Join(dir, "package.json")); err == nil && m.Name != "" && found[m.Name] == "" {
			found[m.Name] = dir
		}
	})
	return found
}
