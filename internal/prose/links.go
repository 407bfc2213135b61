package prose

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// anchors maps link targets in lower case, such as "docs/a.md#usage" and "docs/a.md", to
// the IDs of sections.
type anchors map[string]string

func (b *collector) addAnchors(file string, names []string, id string) {
	if b.anchors == nil {
		b.anchors = anchors{}
	}
	for _, place := range append([]string{file}, names...) {
		if place != file {
			place = file + "#" + strings.Trim(place, "-")
		}
		place = strings.ToLower(place)
		if b.anchors[place] == "" {
			b.anchors[place] = id
		}
	}
}

// anchorNames returns a function that maps the title of a heading to the anchor that web
// pages give the heading. It must be called for the headings of a file in order.
func anchorNames() func(title string) string {
	seen := map[string]int{}
	return func(title string) string {
		name := slug(title)
		n := seen[name]
		seen[name]++
		if n > 0 {
			name = slug(title + " " + strconv.Itoa(n))
		}
		return name
	}
}

// During the conversion to Markdown, HTML anchors are enclosed by two
// characters that do not occur in text.
const anchorStart, anchorEnd = "\uE000", "\uE001"

var (
	anchorMarks = strings.NewReplacer(anchorStart, "", anchorEnd, "")
	anchorTag   = lazyregexp.New(`(?i)<a\s+(?:id|name)\s*=\s*["']?([^"'\s<>]+)["']?\s*/?>(?:\s*</a>)?`)
	anchorMark  = lazyregexp.New(anchorStart + `([^` + anchorEnd + `]*)` + anchorEnd)
)

// markAnchors marks the HTML anchors of headings, which are on the line of a
// heading or on a separate line.
func markAnchors(md string) string {
	md = anchorMarks.Replace(md)
	if !strings.Contains(md, "<a") && !strings.Contains(md, "<A") {
		return md
	}
	var b strings.Builder
	b.Grow(len(md) + 64)
	for l := range markup.Lines(md) {
		if !l.Code && len(l.Text) <= maxAnchored {
			alone := strings.TrimSpace(anchorTag().ReplaceAllString(l.Text, "")) == ""
			if l.Level > 0 || alone {
				l.Text = anchorTag().ReplaceAllString(l.Text, anchorStart+"$1"+anchorEnd)
			}
			if alone {
				l.Text = "\n" + strings.TrimSpace(l.Text) + "\n"
			}
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// maxAnchored is the maximum length in bytes of a line that is searched for
// anchors.
const maxAnchored = 2000

// takeAnchors removes marked anchors from text. behind are the anchors at its end, and inside are
// the others.
func takeAnchors(text string) (rest string, inside, after []string) {
	if !strings.Contains(text, anchorStart) {
		return text, nil, nil
	}
	matches := anchorMark().FindAllStringSubmatchIndex(text, -1)
	last := len(matches) // last is the number of anchors that text follows.
	for end := len(text); last > 0 && strings.TrimSpace(text[matches[last-1][1]:end]) == ""; last-- {
		end = matches[last-1][0]
	}
	for i, m := range matches {
		if name := text[m[2]:m[3]]; i < last {
			inside = append(inside, name)
		} else {
			after = append(after, name)
		}
	}
	return strings.TrimSpace(anchorMark().ReplaceAllString(text, "")), inside, after
}

// maxInline is the maximum size in bytes of the text of a link, and also of its target.
const maxInline = 500

// nextLink finds the first link "[text](target)" in s. The text may contain pairs of
// brackets; the target must not contain parentheses or spaces. It returns the positions
// of "[", "](" and ")"; ok is false if there is none.
func nextLink(s string) (open, middle, end int, ok bool) {
	for open = strings.IndexByte(s, '['); open >= 0; {
		if middle, end, ok = linkEnds(s, open); ok {
			return open, middle, end, true
		}
		next := strings.IndexByte(s[open+1:], '[')
		if next < 0 {
			break
		}
		open += 1 + next
	}
	return 0, 0, 0, false
}

// linkEnds returns the positions of "](" and ")" of the link that begins at open.
func linkEnds(s string, open int) (middle, end int, ok bool) {
	depth := 0
	middle = -1
text:
	for i := open + 1; i < min(len(s), open+2+maxInline); i++ {
		switch s[i] {
		case '[':
			if depth++; depth > 1 {
				return 0, 0, false
			}
		case ']':
			if depth--; depth < 0 {
				middle = i
				break text
			}
		}
	}
	if middle <= open+1 || !strings.HasPrefix(s[middle:], "](") {
		return 0, 0, false
	}
	target := s[middle+2 : min(len(s), middle+3+maxInline)]
	if end = strings.IndexFunc(target, func(r rune) bool { return r == '(' || r == ')' || unicode.IsSpace(r) }); end <= 0 || target[end] != ')' {
		return 0, 0, false
	}
	return middle, middle + 2 + end, true
}

// resolveLinks replaces the targets of links between sections with the IDs of sections.
// It replaces a link within a file with its text if the link does not lead to a section.
func (b *collector) resolveLinks() {
	for i := range b.sections {
		s := &b.sections[i]
		if !strings.Contains(s.Body, "](") {
			continue
		}
		var body, prose strings.Builder
		flush := func() {
			text := prose.String()
			prose.Reset()
			for {
				open, middle, end, ok := nextLink(text)
				if !ok {
					break
				}
				body.WriteString(text[:open] + b.resolve(s.File, text[open+1:middle], text[middle+2:end]))
				text = text[end+1:]
			}
			body.WriteString(text)
		}
		for l := range markup.Lines(s.Body) {
			if l.Code {
				flush()
				body.WriteString(l.Text + "\n")
				continue
			}
			prose.WriteString(l.Text + "\n")
		}
		flush()
		s.Body = strings.TrimSuffix(body.String(), "\n")
	}
}

// resolve returns a link in a file, with the ID of a section as its target.
func (b *collector) resolve(file, text, target string) string {
	place, anchor, within := strings.Cut(target, "#")
	switch {
	case strings.Contains(place, ":") || strings.HasPrefix(place, "//"):
		return "[" + text + "](" + target + ")"
	case place == "":
		place = file
	case place[0] == '/':
		place = path.Clean(place[1:])
	default:
		place = path.Join(path.Dir(file), place)
	}
	place = strings.ToLower(place)
	id := b.anchors[place]
	if within {
		exact := b.anchors[place+"#"+strings.Trim(strings.ToLower(anchor), "-")]
		if exact == "" && target[0] == '#' {
			return text
		}
		id = cmp.Or(exact, id)
	}
	if id != "" {
		return "[" + text + "](" + id + ")"
	}
	return "[" + text + "](" + target + ")"
}
