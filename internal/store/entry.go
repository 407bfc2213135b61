package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

// entry is the content of a file on disk.
//
//	key, expiry in seconds since 1970 or 0,
//	count of stamps, each: bytes shared with the path before, rest of the path,
//	                      kind, size, time of change, inode number,
//	package
//
// Each text is preceded by its length.
type entry struct {
	key     string
	expires time.Time // zero means never
	stamps  []fingerprint.Stamp
	pkg     string // input of apicodec.Decode
}

var errDamaged = errors.New("it is damaged")

// head encodes the part of an entry before the package.
func (e *entry) head() []byte {
	b := appendText(nil, e.key)
	var expires int64
	if !e.expires.IsZero() {
		expires = e.expires.Unix()
	}
	b = binary.AppendVarint(b, expires)
	b = binary.AppendUvarint(b, uint64(len(e.stamps)))
	before := ""
	for i := range e.stamps {
		m := &e.stamps[i]
		same := 0
		for same < min(len(before), len(m.Path)) && before[same] == m.Path[same] {
			same++
		}
		b = binary.AppendUvarint(b, uint64(same))
		b = appendText(b, m.Path[same:])
		b = append(b, byte(m.Kind))
		b = binary.AppendVarint(b, m.Size)
		b = binary.AppendVarint(b, m.Changed)
		b = binary.AppendUvarint(b, m.ID)
		before = m.Path
	}
	return b
}

// writeEntry writes an entry: its head, then the package.
func writeEntry(w io.Writer, head []byte, pkg *apicodec.Encoding) error {
	out := bufio.NewWriterSize(w, 128<<10)
	_, err := out.Write(head)
	if err == nil {
		err = pkg.Write(out)
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// maxMark and maxKey are the maximum lengths of strings in an entry, in bytes.
const (
	maxMark = 16 << 10
	maxKey  = 64 << 10
)

// decodeEntry decodes an entry. It does not decode the package.
func decodeEntry(s string) (*entry, error) {
	r := decoder{rest: s}
	e := &entry{key: r.text(maxKey)}
	if expires := r.varint(); expires != 0 {
		e.expires = time.Unix(expires, 0)
	}
	n := r.uvarint()
	if n > uint64(len(r.rest)/6) { // A stamp uses at least six bytes.
		return nil, errDamaged
	}
	e.stamps = make([]fingerprint.Stamp, n)
	before := ""
	for i := range e.stamps {
		same := r.uvarint()
		rest := r.text(maxMark)
		if r.failed || same > uint64(len(before)) || same+uint64(len(rest)) > maxMark {
			return nil, errDamaged
		}
		m := &e.stamps[i]
		m.Path = before[:same] + rest
		m.Kind = fingerprint.Kind(r.byte())
		m.Size, m.Changed, m.ID = r.varint(), r.varint(), r.uvarint()
		before = m.Path
	}
	if r.failed {
		return nil, errDamaged
	}
	e.pkg = r.rest
	return e, nil
}

// decoder decodes an entry. rest is the part that has not been decoded yet.
type decoder struct {
	rest   string
	failed bool
}

func (r *decoder) byte() byte {
	if r.rest == "" {
		r.failed = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *decoder) uvarint() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.failed = true
	return 0
}

func (r *decoder) varint() int64 {
	n := r.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *decoder) text(maximum uint64) string {
	n := r.uvarint()
	if r.failed || n > maximum || n > uint64(len(r.rest)) {
		r.failed = true
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}
