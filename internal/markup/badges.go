package markup

import (
	"html"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// OnlyImages reports whether text contains only images, links around images and links
// without text.
func OnlyImages(text string) bool {
	text = html.UnescapeString(withoutEmptyLinks(WithoutImages(text))) // spaces between badges are often &nbsp; or &ensp;
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r > 0x2fff }) < 0 &&
		!strings.ContainsAny(text, "`<{(=$%") && !strings.Contains(text, "|")
}

// withoutEmptyLinks removes "[](target)" from text.
func withoutEmptyLinks(text string) string {
	var b strings.Builder
	for {
		index := strings.Index(text, "[](")
		if index < 0 {
			break
		}
		end := strings.IndexByte(text[index:], ')')
		if end < 0 {
			break
		}
		b.WriteString(text[:index])
		text = text[index+end+1:]
	}
	return b.String() + text
}

var (
	// layoutTag matches tags that arrange text, and images.
	layoutTag = lazyregexp.New(`(?i)</?(?:div|p|br|hr|center|a|img|picture|source|span|sub|sup|h[1-6])(?:\s[^<>]*)?/?>`)
	// linkDefinition matches the line that gives the target of [label].
	linkDefinition = lazyregexp.New(`^ {0,3}\[([^\[\]]+)\]:\s*\S+(?:\s+["'(].*)?\s*$`)
)

// WithoutBadges removes from Markdown the paragraphs and lines that contain only images, such as
// badges, and the definitions of links that are used only in them. It keeps text.
func WithoutBadges(md string) string {
	if !strings.Contains(md, "![") && !strings.Contains(md, "<img") {
		return md
	}
	var lines, paragraph []string
	var removed strings.Builder
	flush := func() {
		if len(paragraph) == 0 {
			return
		}
		if text := strings.Join(paragraph, "\n"); OnlyImages(layoutTag().ReplaceAllString(text, "")) {
			removed.WriteString(text + "\n")
		} else {
			for _, line := range paragraph {
				if strings.Contains(line, "![") && OnlyImages(layoutTag().ReplaceAllString(line, "")) {
					removed.WriteString(line + "\n")
				} else {
					lines = append(lines, line)
				}
			}
		}
		paragraph = paragraph[:0]
	}
	for l := range Lines(md) {
		switch {
		case l.Code:
			flush()
			lines = append(lines, l.Text)
		case strings.TrimSpace(l.Text) == "":
			flush()
			if n := len(lines); n > 0 && lines[n-1] != "" {
				lines = append(lines, "")
			}
		default:
			paragraph = append(paragraph, l.Text)
		}
	}
	flush()
	if removed.Len() == 0 {
		return md
	}
	return strings.Trim(strings.Join(withoutDefinitions(lines, removed.String()), "\n"), "\n")
}

// withoutDefinitions removes the definitions of links that occur in the removed text
// but not in the lines.
func withoutDefinitions(lines []string, removed string) []string {
	var text strings.Builder
	for _, line := range lines {
		if linkDefinition().FindStringSubmatch(line) == nil {
			text.WriteString(line + "\n")
		}
	}
	inRemoved, inText := labels(linkLabel(removed)), labels(linkLabel(text.String()))
	out := lines[:0]
	for _, line := range lines {
		if m := linkDefinition().FindStringSubmatch(line); m != nil {
			if label := linkLabel(m[1]); inRemoved[label] && !inText[label] {
				continue
			}
		}
		out = append(out, line)
	}
	return out
}

// labels returns the strings in brackets that do not contain brackets.
func labels(s string) map[string]bool {
	all := map[string]bool{}
	for {
		open := strings.IndexByte(s, '[')
		if open < 0 {
			return all
		}
		s = s[open+1:]
		if end := strings.IndexAny(s, "[]"); end >= 0 && s[end] == ']' {
			all[s[:end]] = true
		}
	}
}

// linkLabel returns the label of a link in the form in which labels are
// compared.
func linkLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
