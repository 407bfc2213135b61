package pylock

import (
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// hasMember reports whether the workspace of a manifest includes the directory
// rel, which has forward slashes.
func (m *Manifest) hasMember(rel string) bool {
	matches := func(globs []string) bool {
		return slices.ContainsFunc(globs, func(g string) bool { return project.MatchGlob(g, rel) })
	}
	return matches(m.WorkspaceMembers) && !matches(m.WorkspaceExclude)
}

// findMembers returns the directories of the packages of the workspace at root,
// by normalized name.
func (m *Manifest) findMembers(root string) map[string]string {
	found := map[string]string{}
	project.WalkGlobs(root, m.WorkspaceMembers, []string{"node_modules", "venv"}, func(dir, rel string) {
		if !m.hasMember(rel) {
			return
		}
		if name := projectName(dir); name != "" && found[name] == "" {
			found[name] = dir
		}
	})
	return found
}

// projectName returns the normalized name in the pyproject.toml in a directory, or "" if
// there is none.
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
