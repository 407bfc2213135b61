package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// One declaration gets at most 1/overloadShare of an answer's limit for its overloads. A function
// that takes one to twenty functions has more overloads than anyone reads.
const overloadShare = 10

// overloads returns the lines of a signature that declares a name several times, or nil for any
// other signature.
func overloads(signature string) []string {
	if !strings.Contains(signature, "\n") {
		return nil
	}
	lines := strings.Split(signature, "\n")
	for _, l := range lines {
		if !strings.ContainsAny(l, "(<") || beforeParameters(l) != beforeParameters(lines[0]) {
			return nil
		}
	}
	return lines
}

func beforeParameters(line string) string {
	return line[:max(0, strings.IndexAny(line, "(<"))]
}

// fewer shortens overloads that take more than limit bytes. It keeps the first ones that fit, but
// at least one, and the last one. A comment that begins with mark gives the number of omitted
// overloads; fewer also returns that number.
func fewer(signature string, limit int, mark string) (string, int) {
	decorators, rest := cutDecorators(signature)
	lines := overloads(rest)
	if len(lines) < 3 || len(signature) <= limit {
		return signature, 0
	}
	last, shown := lines[len(lines)-1], 1
	for room := limit - len(last) - len(lines[0]); shown < len(lines)-1; shown++ {
		if room -= len(lines[shown]) + 1; room < 0 {
			break
		}
	}
	more := len(lines) - 1 - shown
	if more == 0 {
		return signature, 0
	}
	short := append(slices.Clone(lines[:shown]), mark+"… "+plural(more, "more overload", "more overloads"), last)
	return decorators + strings.Join(short, "\n"), more
}

// cutDecorators splits off the lines with decorators at the beginning of a declaration.
func cutDecorators(signature string) (decorators, rest string) {
	for rest = signature; strings.HasPrefix(rest, "@"); {
		end := strings.IndexByte(rest, '\n') + 1
		if end == 0 {
			break
		}
		rest = rest[end:]
	}
	return signature[:len(signature)-len(rest)], rest
}

// maxRepeats and maxRepetitive are the maximum numbers of paragraphs and bytes of a comment that
// are searched for repetitions.
const (
	maxRepeats    = 200
	maxRepetitive = 64 << 10
)

// cleanComment returns the comment on s without boilerplate and repetitions.
func (r *Renderer) cleanComment(s *apidoc.Symbol) string {
	return r.comments.get(s.Doc, func() string { return once(r.telling(markup.Clean(s.Doc))) })
}

// once removes repetitions from the comments of overloads: a paragraph that
// repeats another, and a list of parameters whose items are all in another list.
func once(doc string) string {
	if len(doc) > maxRepetitive {
		return doc
	}
	all := paragraphs(doc)
	if len(all) < 2 || len(all) > maxRepeats {
		return doc
	}
	items := make([]map[string]bool, len(all)) // the items of lists that have a label
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
	start, end, pos := -1, 0, 0 // the bounds of the current paragraph, and the position of the current line
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
