package source

import (
	"sort"
	"strings"
)

// Most of the text of a large crate is in bodies of functions and implementations. An outline does not
// keep it in memory.

const (
	// minBody is the minimum size in bytes of a body that is removed.
	minBody = 32
	// bodyMark replaces the body of an implementation, whose items can be read later.
	bodyMark = ";"
)

// cut is a place in shortened text from which a body was removed.
type cut struct {
	pos          int32 // where the text after the body begins
	bytes, lines int32 // what was removed up to here
}

// addBody records a body that an outline does not need.
func (p *parser) addBody(body Span) {
	if p.outline && body.End-body.Start >= minBody {
		p.bodies = append(p.bodies, body)
	}
}

// shorten returns the text of a file without the given bodies, and records the cuts. It returns "" if
// that would remove less than half of the text.
func (f *File) shorten(bodies []Span) string {
	total := 0
	for _, body := range bodies {
		total += int(body.End - body.Start)
	}
	if total*2 < len(f.Text) || total == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(len(f.Text) - total + len(bodies)*len(bodyMark))
	f.cuts = make([]cut, 0, len(bodies)) // Large crates have tens of thousands.
	pos, lines := int32(0), int32(0)
	for _, body := range bodies {
		b.WriteString(f.Text[pos:body.Start] + bodyMark)
		pos = body.End
		lines += int32(strings.Count(body.Text(f.Text), "\n"))                    // #nosec G115 -- less than MaxText
		f.cuts = append(f.cuts, cut{int32(b.Len()), pos - int32(b.Len()), lines}) // #nosec G115 -- less than MaxText
	}
	b.WriteString(f.Text[pos:])
	return b.String()
}

// Shortened reports whether bodies were removed from the text of the file.
func (f *File) Shortened() bool { return len(f.cuts) > 0 }

// removed returns how many bytes and lines were removed before a position in the text.
func (f *File) removed(pos int32) (bytes, lines int) {
	i := sort.Search(len(f.cuts), func(i int) bool { return f.cuts[i].pos > pos })
	if i == 0 {
		return 0, 0
	}
	return int(f.cuts[i-1].bytes), int(f.cuts[i-1].lines)
}

// RemovedLines returns how many lines were removed before a position in the text.
func (f *File) RemovedLines(pos int32) int {
	_, lines := f.removed(pos)
	return lines
}
