package npm

import (
	"html"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// withoutHTML turns the HTML that stands in Markdown into Markdown: headings,
// links, code and line breaks keep their meaning, other tags and comments go.
// Blocks of code stay as they are.
func withoutHTML(md string) string {
	if !strings.Contains(md, "<") {
		return md
	}
	var b strings.Builder
	b.Grow(len(md))
	var prose strings.Builder
	flush := func() {
		b.WriteString(stripTags(prose.String()))
		prose.Reset()
	}
	for l := range markup.Lines(md) {
		// What is indented within HTML is no code.
		if l.Code && !inTag(prose.String()) {
			flush()
			b.WriteString(l.Text + "\n")
			continue
		}
		prose.WriteString(l.Text + "\n")
	}
	flush()
	return b.String()
}

// inTag is true within a tag or comment that has no end yet.
func inTag(s string) bool {
	if i := strings.LastIndex(s, "<!--"); i >= 0 && !strings.Contains(s[i:], "-->") {
		return true
	}
	return false
}

// stripTags works through text that is not code.
func stripTags(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		at := strings.IndexAny(s, "<`")
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:at])
		s = s[at:]
		if s[0] == '`' { // a code span is quoted as it stands
			n := len(s) - len(strings.TrimLeft(s, "`"))
			if end := strings.Index(s[n:], s[:n]); end >= 0 {
				b.WriteString(s[:n+end+n])
				s = s[n+end+n:]
			} else {
				b.WriteString(s[:n])
				s = s[n:]
			}
			continue
		}
		if strings.HasPrefix(s, "<!--") {
			end := strings.Index(s, "-->")
			if end < 0 {
				return b.String()
			}
			s = s[end+3:]
			continue
		}
		name, attributes, size := tag(s)
		if size == 0 {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		s = s[size:]
		switch name {
		case "h1", "h2", "h3", "h4", "h5", "h6":
			b.WriteString("\n\n" + strings.Repeat("#", int(name[1]-'0')) + " ")
			// Its words stand on one line.
			if end := strings.Index(strings.ToLower(s), "</"+name); end >= 0 && end < 4000 {
				b.WriteString(strings.Join(strings.Fields(stripTags(s[:end])), " "))
				s = s[end:]
			}
		case "br", "/p", "/div", "/tr", "/summary", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6", "/table", "/ul", "/ol":
			b.WriteString("\n")
		case "li":
			b.WriteString("\n- ")
		case "td", "th":
			b.WriteString(" ")
		case "b", "strong", "/b", "/strong":
			b.WriteString("**")
		case "code", "/code", "kbd", "/kbd":
			b.WriteString("`")
		case "a":
			href := attribute(attributes, "href")
			if end := strings.Index(strings.ToLower(s), "</a"); end >= 0 && end < 4000 {
				text := strings.TrimSpace(stripTags(s[:end]))
				s = s[end:]
				switch {
				case text == "":
				case href == "" || strings.HasPrefix(href, "#"):
					b.WriteString(text)
				default:
					b.WriteString("[" + text + "](" + href + ")")
				}
			}
		case "pre":
			if end := strings.Index(strings.ToLower(s), "</pre"); end >= 0 {
				code := html.UnescapeString(stripTags(strings.TrimPrefix(s[:end], "\n")))
				fence := markup.Fence(code)
				b.WriteString("\n" + fence + "\n" + strings.Trim(code, "\n`") + "\n" + fence + "\n")
				s = s[end:]
			}
		case "script", "style", "svg", "picture":
			if end := strings.Index(strings.ToLower(s), "</"+name); end >= 0 {
				s = s[end:]
			}
		}
	}
}

// tags are the elements that are taken for HTML; anything else in angle
// brackets, such as <T> or an address, is text.
var tags = func() map[string]bool {
	known := map[string]bool{}
	for n := range strings.FieldsSeq(`a abbr b big blockquote br caption center code col colgroup dd del details div dl dt em
		figcaption figure font footer g h1 h2 h3 h4 h5 h6 header hr i img ins kbd li nav ol p picture pre s samp script
		section small source span strike strong style sub summary sup svg table tbody td tfoot th thead tr tt u ul video iframe main article aside`) {
		known[n], known["/"+n] = true, true
	}
	return known
}()

// tag reads the tag that s begins with; size is 0 if there is none.
func tag(s string) (name, attributes string, size int) {
	i := 1
	if i < len(s) && s[i] == '/' {
		i++
	}
	for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	name = strings.ToLower(s[1:i])
	if !tags[name] {
		return "", "", 0
	}
	quote := byte(0)
	for j := i; j < min(len(s), i+8000); j++ {
		switch c := s[j]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return name, s[i:j], j + 1
		case c == '<':
			return "", "", 0
		}
	}
	return "", "", 0
}

func attribute(attributes, name string) string {
	for {
		at := strings.Index(strings.ToLower(attributes), name)
		if at < 0 {
			return ""
		}
		rest := strings.TrimLeft(attributes[at+len(name):], " \t\n")
		if v, ok := strings.CutPrefix(rest, "="); ok {
			v = strings.TrimLeft(v, " \t\n")
			if v != "" && (v[0] == '"' || v[0] == '\'') {
				if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
					return html.UnescapeString(strings.TrimSpace(v[1 : end+1]))
				}
				return ""
			}
			if f := strings.Fields(v); len(f) > 0 {
				return f[0]
			}
			return ""
		}
		attributes = attributes[at+len(name):]
	}
}
