package prose

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// anchors maps the targets of links to files, "docs/a.md#usage" and
// "docs/a.md", in lower case, to the IDs of sections.
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

// anchorNames returns a function that returns the anchors that web pages give
// to the headings of a file.
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

// takeAnchors removes marked anchors from a text. after are those at its end,
// inside the others.
func takeAnchors(text string) (rest string, inside, after []string) {
	if !strings.Contains(text, anchorStart) {
		return text, nil, nil
	}
	for _, m := range anchorMark().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if strings.TrimSpace(anchorMark().ReplaceAllString(text[m[1]:], "")) == "" {
			after = append(after, name)
		} else {
			inside = append(inside, name)
		}
	}
	return strings.TrimSpace(anchorMark().ReplaceAllString(text, "")), inside, after
}

var inlineLink = lazyregexp.New(`\[((?:[^\[\]]|\[[^\[\]]*\]){1,500})\]\(([^()\s]{1,500})\)`)

// resolveLinks replaces the targets of links between sections with the IDs of
// sections. It replaces a link within a file that leads to no section by its
// text.
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
			if strings.Contains(text, "](") {
				text = inlineLink().ReplaceAllStringFunc(text, func(link string) string {
					m := inlineLink().FindStringSubmatch(link)
					return b.resolve(s.File, m[1], m[2])
				})
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

// resolve returns a link in a file with the ID of a section for its target.
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
