package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"io"

	"github.com/docent-mcp/docent/internal/rootfs"
)

const (
	// maxContent is the maximum size, in bytes, of a file that ContentOf reads.
	maxContent = 8 << 20
	// maxNames is the maximum number of names in a directory that ContentOf reads.
	maxNames = 10_000
)

// ContentOf returns a stamp of what a path contains: the bytes of a file, or the names in a
// directory. Unlike a stamp of StampOf, it is the same on all machines. ok is false for a path that
// is too large or cannot be read.
func ContentOf(path string) (m Stamp, ok bool) {
	m = Stamp{Path: path, Kind: StampOf(path).Kind}
	h := sha256.New()
	switch m.Kind {
	case Absent:
		return m, true
	case File:
		f, err := rootfs.OpenAnywhere(path)
		if err != nil {
			return m, false
		}
		defer f.Close()
		if m.Size, err = io.Copy(h, io.LimitReader(f, maxContent+1)); err != nil || m.Size > maxContent {
			return m, false
		}
	case Directory:
		names, err := rootfs.Names(path, maxNames+1)
		if err != nil || len(names) > maxNames {
			return m, false
		}
		for _, name := range names {
			_, _ = io.WriteString(h, name+"\x00")
		}
	default:
		return m, false
	}
	sum := h.Sum(nil)
	m.Changed, m.ID = int64(binary.BigEndian.Uint64(sum)), binary.BigEndian.Uint64(sum[8:])
	return m, true
}
