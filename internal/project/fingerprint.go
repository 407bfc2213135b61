package project

import (
	"crypto/sha256"
	"encoding/binary"
	"path/filepath"
)

// Fingerprint identifies the state of the files that choose a project's versions. The zero
// Fingerprint represents a directory without a project.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of the files with these names in dir, an absolute path, and
// in the directories above it. It includes paths, sizes and modification times, and requires one
// system call for each name and directory.
func FingerprintOf(dir string, names []string) Fingerprint {
	state := make([]byte, 0, 1024)
	for _, dir := range Upwards(dir) {
		for i, name := range names {
			modified, size, ok := stat(filepath.Join(dir, name))
			if !ok {
				continue
			}
			state = binary.AppendUvarint(state, uint64(len(dir)))
			state = binary.AppendUvarint(state, uint64(i))
			state = binary.AppendVarint(state, modified)
			state = binary.AppendVarint(state, size)
		}
	}
	return sha256.Sum256(state)
}
