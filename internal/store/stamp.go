package store

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// A Chooser is an ecosystem.Ecosystem whose answers within a project depend on
// files of known names. Answers of any other Ecosystem within a project are
// not kept.
type Chooser interface {
	// ProjectFiles names, relative to a project's directory or any directory
	// above it, the files that choose versions: "go.mod", "vendor/modules.txt".
	ProjectFiles() []string
}

// stamp changes when one of the files that choose a project's versions does.
// The zero stamp is that of no project.
type stamp [sha256.Size]byte

// maxDepth bounds how many directories above a project are looked at.
const maxDepth = 64

// stampOf looks at times and sizes only, in dir and every directory above it.
// It costs a system call a file.
func stampOf(lang ecosystem.Ecosystem, dir string) (s stamp, ok bool) {
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
	names := chooser.ProjectFiles()
	seen := make([]byte, 0, 1024)
	for range maxDepth {
		for i, name := range names {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			seen = binary.AppendUvarint(seen, uint64(len(dir)))
			seen = binary.AppendUvarint(seen, uint64(i))
			seen = binary.AppendVarint(seen, info.ModTime().UnixNano())
			seen = binary.AppendVarint(seen, info.Size())
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return sha256.Sum256(seen), true
}
