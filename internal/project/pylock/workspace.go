package pylock

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// maxMembers bounds how many directories are searched for packages of a
// workspace.
const maxMembers = 20_000

// hasMember reports whether the workspace of a manifest includes the directory
// rel, which has forward slashes.
func (m *Manifest) hasMember(rel string) bool {
	matches := func(globs []string) bool {
		for _, g := range globs {
			if matchGlob(strings.Split(path.Clean(g), "/"), strings.Split(rel, "/")) {
				return true
			}
		}
		return false
	}
	return matches(m.WorkspaceMembers) && !matches(m.WorkspaceExclude)
}

// matchGlob matches element by element; ** is any number of elements.
func matchGlob(glob, name []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for i := range len(name) + 1 {
				if matchGlob(glob[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], name[0]); err != nil || !ok {
			return false
		}
		glob, name = glob[1:], name[1:]
	}
	return len(name) == 0
}

// findMembers returns the directories of the packages of the workspace at root,
// by normalized name.
func (m *Manifest) findMembers(root string) map[string]string {
	found := map[string]string{}
	depth := 0
	for _, g := range m.WorkspaceMembers {
		switch {
		case strings.Count(g, "**") > 3:
			return found // no workspace needs it, and matching takes too long
		case strings.Contains(g, "**"):
			depth = max(depth, 12)
		}
		depth = max(depth, strings.Count(path.Clean(g), "/")+1)
	}
	if depth == 0 {
		return found
	}
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
		if n := e.Name(); n[0] == '.' || n == "node_modules" || n == "venv" {
			return fs.SkipDir
		}
		rel = filepath.ToSlash(rel)
		if m.hasMember(rel) {
			if name := projectName(dir); name != "" && found[name] == "" {
				found[name] = dir
			}
		}
		if strings.Count(rel, "/")+1 >= depth {
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// projectName returns the normalized name in the pyproject.toml of a directory,
// empty if there is none.
func projectName(dir string) string {
	data, err := project.ReadFile(filepath.Join(dir, "pyproject.toml"), maxManifest)
	if err != nil {
		return ""
	}
	var m Manifest
	if m.parsePyproject(data) != nil || !pep508.ValidName(m.Name) {
		return ""
	}
	return pep508.Normalize(m.Name)
}
