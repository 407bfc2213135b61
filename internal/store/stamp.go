package store

import (
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

// stampOf returns the state of the files that choose versions in dir; ok is false
// if the language does not list them.
func stampOf(lang *ecosystem.Info, dir string) (s project.Fingerprint, ok bool) {
	if dir == "" {
		return s, true
	}
	if len(lang.ProjectFiles) == 0 {
		return s, false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return s, false
	}
	return project.FingerprintOf(dir, lang.ProjectFiles), true
}
