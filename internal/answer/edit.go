package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// edit replaces a range of a declaration.
type edit struct {
	start, end int
	text       string
}

// replace returns a declaration with edits, which are in order and do not overlap. It omits the
// parts that begin or end within an edit.
func replace(d *apidoc.Decl, edits []edit) *apidoc.Decl {
	if len(edits) == 0 {
		return d
	}
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(d.Text[from:e.start])
		b.WriteString(e.text)
		from = e.end
	}
	b.WriteString(d.Text[from:])
	out := &apidoc.Decl{Text: b.String(), Parts: make([]apidoc.Part, 0, len(d.Parts))}
	index := make([]int, len(d.Parts)) // the new index of each part, or -1
	for i, p := range d.Parts {
		start, inEdit := moved(edits, p.Start, false)
		end, endsInEdit := moved(edits, p.End, true)
		index[i] = -1
		if inEdit || endsInEdit || p.Parent >= 0 && index[p.Parent] < 0 {
			continue
		}
		index[i] = len(out.Parts)
		p.Start, p.End = start, end
		if p.Parent >= 0 {
			p.Parent = index[p.Parent]
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// moved returns where an offset is after the edits. It reports whether the offset is within an
// edit: the start of a part that begins where an edit begins, or the end of one that ends where an
// edit ends, is within it.
func moved(edits []edit, offset int, isEnd bool) (after int, within bool) {
	shift := 0
	for _, e := range edits {
		switch {
		case offset < e.start || isEnd && offset == e.start:
			return offset + shift, false
		case offset < e.end || isEnd && offset == e.end && e.start < e.end:
			return 0, true
		}
		shift += len(e.text) - (e.end - e.start)
	}
	return offset + shift, false
}

// withoutAttributes removes the attributes at the beginning of the first declaration, and the white
// space after them.
func withoutAttributes(d *apidoc.Decl) *apidoc.Decl {
	end := 0
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), 0) {
		if d.Parts[i].Role != apidoc.AttributePart {
			if p := d.Parts[i]; end > 0 && strings.TrimSpace(d.Text[end:p.Start]) == "" {
				end = p.Start
			}
			break
		}
		end = d.Parts[i].End
	}
	end += len(d.Text[end:]) - len(strings.TrimLeft(d.Text[end:], " \t\n"))
	return replace(d, []edit{{0, end, ""}})
}
