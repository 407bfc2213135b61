package markup

import (
	"cmp"
	"iter"
	"strings"
)

// Plain normalizes Markdown: it removes front matter, writes underlined
// headings with "#", and puts the targets of reference links inline.
func Plain(md string) string {
	return inlineLinks(underlined(WithoutFrontMatter(md)))
}

// FrontTitle returns the title in the front matter of a page, or "" if there is none.
func FrontTitle(md string) string {
	head, _, ok := frontMatter(md)
	if !ok {
		return ""
	}
	for line := range strings.Lines(head) {
		if value, ok := strings.CutPrefix(line, "title:"); ok {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// WithoutFrontMatter returns a page without the settings at its beginning.
func WithoutFrontMatter(md string) string {
	if _, body, ok := frontMatter(md); ok {
		return body
	}
	return md
}

// frontMatter splits off the settings between two lines of "---" at the
// beginning. ok is false if there are none.
func frontMatter(md string) (head, body string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(md, "\n"), "---\n")
	if !ok {
		return "", md, false
	}
	head, body, ok = strings.Cut(rest, "\n---")
	if !ok || len(head) > 8000 || head != "" && !strings.Contains(head, ":") {
		return "", md, false
	}
	_, body, _ = strings.Cut(body, "\n")
	return head, body, true
}

// underlined rewrites headings underlined with "=" or "-" to begin with "#".
func underlined(md string) string {
	if !strings.Contains(md, "\n=") && !strings.Contains(md, "\n-") && !strings.Contains(md, "\n ") {
		return md
	}
	var b strings.Builder
	b.Grow(len(md) + 64)
	var before []string // before contains the lines of one paragraph.
	flush := func() {
		for _, l := range before {
			b.WriteString(l + "\n")
		}
		before = before[:0]
	}
	for l := range Lines(md) {
		if text := strings.TrimSpace(l.Text); l.Code || l.Level > 0 || text == "" {
			flush()
			b.WriteString(l.Text + "\n")
			continue
		}
		if level := underline(l.Text); level > 0 && len(before) == 1 && !marked(before[0]) {
			b.WriteString(strings.Repeat("#", level) + " " + strings.TrimSpace(before[0]) + "\n")
			before = before[:0]
			continue
		}
		before = append(before, l.Text)
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// underline returns the level of the heading if line, which consists of "=" or "-",
// underlines the previous line. It returns 0 for other lines.
func underline(line string) int {
	text := strings.TrimRight(line, " \t")
	if trimmed := strings.TrimLeft(text, " "); len(text)-len(trimmed) < 4 && len(trimmed) > 0 {
		switch {
		case strings.Trim(trimmed, "=") == "":
			return 1
		case strings.Trim(trimmed, "-") == "" && len(trimmed) > 1:
			return 2
		}
	}
	return 0
}

// marked reports whether a line is a list item, a quotation or a table row.
func marked(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, "+ ") || strings.HasPrefix(t, ">") ||
		strings.HasPrefix(t, "|") || strings.HasPrefix(t, "<")
}

// maxReferences is the maximum number of link definitions in a page.
const maxReferences = 5000

// inlineLinks puts the targets of reference links inline and removes their definitions.
func inlineLinks(md string) string {
	if !strings.Contains(md, "]") {
		return md
	}
	targets := map[string]string{}
	for label, target := range definitions(md) {
		if _, known := targets[label]; !known && len(targets) < maxReferences {
			targets[label] = target
		}
	}
	w := linker{targets: targets, budget: 64*len(md) + 64<<10}
	w.b.Grow(len(md))
	var prose strings.Builder
	flush := func() {
		w.write(prose.String())
		prose.Reset()
	}
	label := "" // label is the label on the previous line, which may begin a definition.
	for l := range Lines(md) {
		if label != "" {
			begun := label
			label = ""
			if isTarget(l) {
				continue
			}
			prose.WriteString(begun + "\n")
		}
		if _, _, ok := definition(l); ok {
			continue
		}
		if isLabel(l) {
			label = l.Text
			continue
		}
		if l.Code || strings.TrimSpace(l.Text) == "" {
			flush()
			w.b.WriteString(l.Text + "\n")
			continue
		}
		prose.WriteString(l.Text + "\n")
	}
	if label != "" {
		prose.WriteString(label + "\n")
	}
	flush()
	return strings.TrimSuffix(w.b.String(), "\n")
}

// definitions yields the link definitions of a page. The target of a definition may be on
// the next line.
func definitions(md string) iter.Seq2[string, string] {
	return func(yield func(label, target string) bool) {
		before := Line{}
		for l := range Lines(md) {
			label, target, ok := definition(l)
			if !ok && isLabel(before) && isTarget(l) {
				label, target, ok = definition(Line{Text: before.Text + " " + strings.TrimSpace(l.Text)})
			}
			if ok && !yield(label, target) {
				return
			}
			before = l
		}
	}
}

// isLabel reports whether a line is a link definition without its target.
func isLabel(l Line) bool {
	text := strings.TrimSpace(l.Text)
	return !l.Code && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]:") && !strings.HasPrefix(text, "[^") && len(text) > 3
}

// isTarget reports whether a line may be the target of a definition that begins on the
// previous line.
func isTarget(l Line) bool {
	text := strings.TrimSpace(l.Text)
	return text != "" && !strings.ContainsAny(text, " \t")
}

// definition parses "[label]: target". ok is false for other lines.
func definition(l Line) (label, target string, ok bool) {
	if l.Code || l.Level > 0 || len(l.Text) > 2000 {
		return "", "", false
	}
	text := strings.TrimLeft(l.Text, " ")
	if !strings.HasPrefix(text, "[") || strings.HasPrefix(text, "[^") {
		return "", "", false
	}
	end := strings.Index(text, "]:")
	if end < 2 || strings.ContainsAny(text[1:end], "[]") {
		return "", "", false
	}
	fields := strings.Fields(text[end+2:])
	if len(fields) == 0 || len(fields) > 1 && !strings.ContainsAny(fields[1][:1], `"'(`) {
		return "", "", false
	}
	return reference(text[1:end]), strings.Trim(fields[0], "<>"), true
}

// reference normalizes a label for comparison.
func reference(label string) string {
	return strings.ToLower(strings.Join(strings.Fields(label), " "))
}

// linker rewrites reference links. Its budget limits the number of bytes that it may
// still scan.
type linker struct {
	b       strings.Builder
	targets map[string]string
	budget  int
}

func (w *linker) matching(s string) int {
	i := matching(s, 0)
	if w.budget -= i; i < 0 {
		w.budget -= min(len(s), 2*maxLink)
	}
	return i
}

// write writes a paragraph.
func (w *linker) write(s string) {
	b, targets := &w.b, w.targets
	for {
		if w.budget < 0 {
			b.WriteString(s)
			return
		}
		index := strings.IndexAny(s, "[`\\")
		if index < 0 {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:index])
		image := index > 0 && s[index-1] == '!'
		s = s[index:]
		switch s[0] {
		case '\\':
			n := min(2, len(s))
			b.WriteString(s[:n])
			s = s[n:]
			continue
		case '`':
			n := codeSpan(s)
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		end := w.matching(s)
		if end < 0 {
			b.WriteByte('[')
			s = s[1:]
			continue
		}
		text, rest := s[1:end], s[end+1:]
		target, size, ok := "", 0, false
		switch {
		case strings.HasPrefix(rest, "("):
			if e := w.matching(rest); e > 0 {
				b.WriteByte('[')
				if !image {
					w.write(text)
				} else {
					b.WriteString(text)
				}
				b.WriteString("]" + rest[:e+1])
				s = rest[e+1:]
				continue
			}
		case strings.HasPrefix(rest, "["):
			if e := w.matching(rest); e > 0 {
				label := cmp.Or(rest[1:e], text)
				target, ok = targets[reference(label)]
				size = e + 1
			}
		case !strings.HasPrefix(rest, ":"):
			target, ok = targets[reference(text)]
		}
		if !ok {
			// The text may contain links itself: [![x][y]][z].
			b.WriteByte('[')
			s = s[1:]
			continue
		}
		b.WriteByte('[')
		if image {
			b.WriteString(text)
		} else {
			w.write(text)
		}
		b.WriteString("](" + target + ")")
		s = rest[size:]
	}
}

// WithoutImages removes images, and links that contain only images, from a line.
func WithoutImages(s string) string {
	if len(s) > 16<<10 {
		return s // too long to be a line of badges
	}
	for {
		index := strings.Index(s, "![")
		if index < 0 {
			return s
		}
		end := bracketEnd(s, index+1)
		if end < 0 {
			return s
		}
		start := index
		// Remove the link around the image.
		if before := strings.TrimRight(s[:index], " \n"); strings.HasSuffix(before, "[") && strings.HasPrefix(strings.TrimLeft(s[end:], " \n"), "]") {
			open := len(before) - 1
			if e := bracketEnd(s, open); e > 0 {
				start, end = open, e
			}
		}
		s = s[:start] + s[end:]
	}
}

// bracketEnd returns the end of the link whose bracket is at open, "[x](y)" or "[x][y]",
// or -1 if there is none.
func bracketEnd(s string, open int) int {
	i := matching(s, open)
	if i < 0 {
		return -1
	}
	if i+1 < len(s) && s[i+1] == '(' {
		if e := matching(s, i+1); e >= 0 {
			return e + 1
		}
		return -1
	}
	if i+1 < len(s) && s[i+1] == '[' {
		if e := matching(s, i+1); e >= 0 {
			return e + 1
		}
	}
	return i + 1
}

// matching returns the index of the bracket that closes the one at pos, or -1 if there is
// none within 2*maxLink bytes.
func matching(s string, pos int) int {
	if end := Closing(s[pos:min(len(s), pos+2*maxLink)]); end >= 0 {
		return pos + end
	}
	return -1
}

// Closing returns the index of the character that closes the bracket, parenthesis, brace
// or angle bracket at the beginning of s, or -1 if there is none. It ignores a character
// after a backslash.
func Closing(s string) int {
	if s == "" {
		return -1
	}
	kind := strings.IndexByte("([{<", s[0])
	if kind < 0 {
		return -1
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			depth++
		case ")]}>"[kind]:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// Dedent removes the spaces with which all lines begin. It ignores empty lines.
func Dedent(lines []string) []string {
	margin := -1
	for _, l := range lines {
		if rest := strings.TrimLeft(l, " "); rest != "" && (margin < 0 || len(l)-len(rest) < margin) {
			margin = len(l) - len(rest)
		}
	}
	if margin <= 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(margin, len(l)):]
	}
	return out
}
