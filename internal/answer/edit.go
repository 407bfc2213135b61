package answer

import (
	"sort"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// edit is the replacement of a range of a declaration.
type edit struct {
	start, end int
	text       string
}

// replace applies edits to a declaration. The edits are in order and do not overlap. It removes
// parts that are within an edit and parts that begin or end within one. It keeps a part whose
// complete text is replaced.
func replace(d *apidoc.Decl, edits []edit) *apidoc.Decl {
	if len(edits) == 0 {
		return d
	}
	var b strings.Builder
	from := 0
	shifts := make([]int, len(edits)+1) // how far the text after each edit moves
	for i, e := range edits {
		b.WriteString(d.Text[from:e.start])
		b.WriteString(e.text)
		from = e.end
		shifts[i+1] = shifts[i] + len(e.text) - (e.end - e.start)
	}
	b.WriteString(d.Text[from:])
	out := &apidoc.Decl{Text: b.String(), Parts: make([]apidoc.Part, 0, len(d.Parts))}
	index := make([]int, len(d.Parts)) // the new index of each part, or -1
	for i, p := range d.Parts {
		first := sort.Search(len(edits), func(k int) bool { return edits[k].end > p.Start }) // the first edit that is not before the part
		last := sort.Search(len(edits), func(k int) bool { return edits[k].end > p.End })    // the first edit that is not before the end of the part
		within := func(k, offset int) bool { return k < len(edits) && edits[k].start < offset }
		covered := first < len(edits) && edits[first].start <= p.Start && p.End <= edits[first].end && p.Start < p.End
		if covered && edits[first].text != "" && edits[first].start == p.Start && p.End == edits[first].end {
			covered = false
		}
		index[i] = -1
		if covered || within(first, p.Start) || within(last, p.End) || p.Parent >= 0 && index[p.Parent] < 0 {
			continue
		}
		index[i] = len(out.Parts)
		p.Start += shifts[first]
		p.End += shifts[last]
		if p.Parent >= 0 {
			p.Parent = index[p.Parent]
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// withoutAttributes removes the attributes at the beginning of the first declaration and the white
// space after them.
func withoutAttributes(d *apidoc.Decl) *apidoc.Decl {
	end := attributesEnd(d)
	if end == 0 {
		return d
	}
	return replace(d, []edit{{0, end, ""}})
}

// attributesEnd returns the end of the attributes at the beginning of the first declaration and of
// the white space after them. It returns 0 if there are no attributes or if the declaration
// consists only of attributes.
func attributesEnd(d *apidoc.Decl) int {
	end := 0
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), apidoc.AttributePart) {
		if strings.TrimSpace(d.Text[end:d.Parts[i].Start]) != "" {
			break
		}
		end = d.Parts[i].End
	}
	if end == 0 || strings.TrimSpace(d.Text[end:]) == "" {
		return 0
	}
	return end + len(d.Text[end:]) - len(strings.TrimLeft(d.Text[end:], " \t\n"))
}
