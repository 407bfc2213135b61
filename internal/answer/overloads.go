package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// overloadShare limits the overloads of a declaration to 1/overloadShare of an answer's limit. For
// example, a function that takes one to twenty functions has more overloads than readers need.
const overloadShare = 10

// overloads returns the indices of the declarations of a function or method with several
// declarations. It returns nil for any other symbol.
func overloads(d *apidoc.Decl) (all []int) {
	if len(d.Parts) == 0 {
		return nil
	}
	name, calls := d.ChildText(0, apidoc.NamePart), false
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		isCall := callPart(d, i) >= 0
		if d.ChildText(i, apidoc.NamePart) != name || !isCall && d.Child(i, apidoc.TypePart) >= 0 {
			return nil
		}
		calls = calls || isCall
		all = append(all, i)
	}
	if len(all) < 2 || !calls {
		return nil
	}
	return all
}

// fewer shortens overloads that take more than limit bytes. It keeps as many of the first ones as
// fit, but at least one, and the last one. A comment that begins with mark states the number of
// omitted overloads, which fewer also returns.
func fewer(d *apidoc.Decl, limit int, mark string) (*apidoc.Decl, int) {
	all := overloads(d)
	if len(all) < 3 || len(d.Text) <= limit {
		return d, 0
	}
	size := func(n int) int { return d.Parts[all[n]].End - d.Parts[all[n]].Start }
	shown := 1
	for room := limit - size(len(all)-1) - size(0); shown < len(all)-1; shown++ {
		if room -= size(shown) + 1; room < 0 {
			break
		}
	}
	more := len(all) - 1 - shown
	if more == 0 {
		return d, 0
	}
	text := mark + "… " + plural(more, "more overload", "more overloads") + "\n"
	return replace(d, []edit{{d.Parts[all[shown]].Start, d.Parts[all[len(all)-1]].Start, text}}), more
}

// maxRepeats and maxRepetitive are the maximum numbers of paragraphs and bytes of a comment that is
// searched for repetitions.
const (
	maxRepeats    = 200
	maxRepetitive = 64 << 10
)

// cleanComment returns the comment on s without boilerplate and repetitions.
func (r *Renderer) cleanComment(s *apidoc.Symbol) string {
	return r.comments.get(s.Doc, func() string { return once(r.telling(markup.Clean(s.Doc))) })
}

// once removes repetitions from the comments of overloads. These are paragraphs that repeat another
// one, and lists of parameters whose items are all in another list.
func once(doc string) string {
	if len(doc) > maxRepetitive {
		return doc
	}
	all := paragraphs(doc)
	if len(all) < 2 || len(all) > maxRepeats {
		return doc
	}
	items := make([]map[string]bool, len(all)) // items of the lists that have a label
	for i, p := range all {
		if !labelled(p) {
			continue
		}
		items[i] = map[string]bool{}
		for l := range strings.SplitSeq(p, "\n") {
			items[i][l] = true
		}
	}
	var lines []string
	for i, p := range all {
		if slices.Contains(lines, p) {
			continue
		}
		within := slices.ContainsFunc(items, func(other map[string]bool) bool {
			return len(other) > len(items[i]) && contains(other, items[i])
		})
		if items[i] == nil || !within {
			lines = append(lines, p)
		}
	}
	return strings.Join(lines, "\n\n")
}

func contains(all, some map[string]bool) bool {
	for s := range some {
		if !all[s] {
			return false
		}
	}
	return true
}

// labelled reports whether a paragraph is a list below a label such as "**Parameters:**".
func labelled(paragraph string) bool {
	label, list, _ := strings.Cut(paragraph, "\n\n")
	return isLabel(label) && strings.HasPrefix(list, "- ")
}

func isLabel(line string) bool {
	return strings.HasPrefix(line, "**") && strings.HasSuffix(line, ":**") && !strings.Contains(line, "\n")
}

// paragraphs splits Markdown at empty lines outside of code. A label and the
// list below it are one paragraph.
func paragraphs(md string) []string {
	var all []string
	start, end, pos := -1, 0, 0 // bounds of the current paragraph, and position of the current line
	add := func() {
		if start < 0 {
			return
		}
		p := md[start:end]
		if n := len(all); n > 0 && isLabel(all[n-1]) {
			all[n-1] += "\n\n" + p
		} else {
			all = append(all, p)
		}
		start = -1
	}
	for l := range markup.Lines(md) {
		if !l.Code && strings.TrimSpace(l.Text) == "" {
			add()
		} else {
			if start < 0 {
				start = pos
			}
			end = pos + len(l.Text)
		}
		pos += len(l.Text) + 1
	}
	add()
	return all
}
