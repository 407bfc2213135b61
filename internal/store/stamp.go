package store

import (
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

// A Chooser is an ecosystem.Ecosystem whose answers within a project depend on
// files of known names. Answers of any other Ecosystem within a project are
// not kept.
type Chooser interface {
	// ProjectFiles names, relative to a project's directory or any directory
	// above it, the files that choose versions: "go.mod", "vendor/modules.txt".
	ProjectFiles() []string
}

// stampOf is the state of the files that choose versions in dir; ok is false
// if that is not known.
func stampOf(lang ecosystem.Ecosystem, dir string) (s project.Fingerprint, ok bool) {
	if dir == "" {
		return s, true
	}
	chooser, ok := lang.(Chooser)
	if !ok {
		return s, false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return s, false
	}
	return project.FingerprintOf(dir, chooser.ProjectFiles()), true
}
