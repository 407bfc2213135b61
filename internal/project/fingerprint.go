package project

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
)

// Fingerprint changes when one of the files that choose a project's versions
// does. The zero Fingerprint is that of no project.
type Fingerprint [sha256.Size]byte

// maxUp bounds how many directories above a project are looked at.
const maxUp = 64

// FingerprintOf looks for files of these names in dir, an absolute path, and
// in every directory above it, and at their times and sizes only. It costs a
// system call a name and directory.
func FingerprintOf(dir string, names []string) Fingerprint {
	seen := make([]byte, 0, 1024)
	for range maxUp {
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
	return sha256.Sum256(seen)
}
