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
	st := &stripper{budget: 16*len(md) + maxBlock}
	flush := func() {
		b.WriteString(st.strip(prose.String()))
		prose.Reset()
	}
	comment := false
	for l := range markup.Lines(md) {
		// What is indented within a comment is no code.
		if l.Code && !comment {
			flush()
			b.WriteString(l.Text + "\n")
			continue
		}
		prose.WriteString(l.Text + "\n")
		comment = commentAfter(comment, l.Text)
	}
	flush()
	return b.String()
}

// commentAfter tells whether a comment is open after a line.
func commentAfter(open bool, line string) bool {
	from, to := strings.LastIndex(line, "<!--"), strings.LastIndex(line, "-->")
	if from < 0 && to < 0 {
		return open
	}
	return from > to
}

// stripper takes tags out of text. Its budget is how many bytes it may still
// look through for end tags: elements without end would else cost the square
// of the length.
type stripper struct{ budget int }

// closing is where the end tag of an element is, if it comes within limit bytes.
func (st *stripper) closing(s, name string, limit int) int {
	s = s[:min(len(s), limit)]
	if st.budget -= len(s); st.budget < 0 {
		return -1
	}
	return strings.Index(strings.ToLower(s), "</"+name)
}

// How far the end tag of an element is looked for, in bytes: of one within a
// line, and of a block.
const (
	maxInline = 4000
	maxBlock  = 64 << 10
)

// strip works through text that is not code.
func (st *stripper) strip(s string) string {
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
			if end := st.closing(s, name, maxInline); end >= 0 {
				b.WriteString(strings.Join(strings.Fields(st.strip(s[:end])), " "))
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
			if end := st.closing(s, "a>", maxInline); end >= 0 {
				text := strings.TrimSpace(st.strip(s[:end]))
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
			if end := st.closing(s, name, maxBlock); end >= 0 {
				code := html.UnescapeString(st.strip(strings.TrimPrefix(s[:end], "\n")))
				fence := markup.Fence(code)
				b.WriteString("\n" + fence + "\n" + strings.Trim(code, "\n`") + "\n" + fence + "\n")
				s = s[end:]
			}
		case "script", "style", "svg", "picture":
			if end := st.closing(s, name, maxBlock); end >= 0 {
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
