package markup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// WithoutHTML converts HTML within Markdown to Markdown: headings, links, code,
// lists, tables, details, pictures and line breaks are converted; other tags
// and comments are removed. Code blocks are not changed. The time is linear in
// the length of md.
func WithoutHTML(md string) string {
	if !strings.ContainsAny(md, "<&") {
		return md
	}
	c := newConverter(len(md))
	c.mixed = true
	var prose strings.Builder
	flush := func() {
		c.run(prose.String())
		prose.Reset()
	}
	inside, fenced := quoting{}, false
	for l := range Lines(md) {
		if l.Code && inside == (quoting{}) {
			flush()
			// Indented text within an element is not a code block.
			if fenced = fenced || opens(strings.TrimLeft(l.Text, " ")) != ""; fenced || len(c.frames) == 1 {
				c.write(l.Text + "\n")
				continue
			}
		}
		fenced = false
		prose.WriteString(l.Text + "\n")
		inside = inside.after(l.Text)
	}
	flush()
	return strings.TrimSuffix(tidy(c.end()), "\n")
}

// quoting is the HTML context at the end of a line in which Markdown is not
// recognized.
type quoting struct{ comment, pre bool }

func (q quoting) after(line string) quoting {
	if from, to := strings.LastIndex(line, "<!--"), strings.LastIndex(line, "-->"); from != to {
		q.comment = from > to
	}
	if strings.Contains(line, "pre") || strings.Contains(line, "PRE") {
		line = asciiLower(line)
		if from, to := strings.LastIndex(line, "<pre"), strings.LastIndex(line, "</pre"); from != to {
			q.pre = from > to
		}
	}
	return q
}

// FromHTML converts the main element of an HTML page, or else its body, to Markdown.
func FromHTML(page string) string {
	page = region(page)
	c := newConverter(len(page))
	c.run(page)
	return strings.TrimSpace(tidy(c.end()))
}

// region returns the part of a page that contains its text.
func region(page string) string {
	lower := asciiLower(page)
	for _, name := range []string{"main", "article", "body"} {
		start := strings.Index(lower, "<"+name)
		if start < 0 {
			continue
		}
		if end := strings.LastIndex(lower, "</"+name); end > start {
			return page[start:end]
		}
		return page[start:]
	}
	return page
}

// asciiLower converts ASCII letters to lower case, which does not change the
// length.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// tidy reduces runs of empty lines outside code to one.
func tidy(md string) string {
	var b strings.Builder
	b.Grow(len(md))
	empty := 0
	for l := range Lines(md) {
		text := l.Text
		if !l.Code {
			text = strings.TrimRight(text, " \t")
		}
		if empty++; text != "" || l.Code {
			empty = 0
		}
		if empty > 1 {
			continue
		}
		b.WriteString(text + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// maxFrames is the maximum nesting depth of elements. The tags of deeper elements are
// dropped.
const maxFrames = 32

// maxAttributes is the maximum number of attributes that a block of code collects from
// the code within it.
const maxAttributes = 64

// frame is an open element whose text is collected until its end tag.
type frame struct {
	name       string
	attributes []html.Attribute
	text       strings.Builder
	rows       [][]string // rows of a table
	items      int        // number of items in a list
}

// converter converts HTML in one pass.
type converter struct {
	mixed   bool // whether the text is Markdown with tags in it
	comment bool // whether it is within a comment
	frames  []*frame
	tags    tagReader
	missing map[string]bool // names of end tags that do not occur in the remaining text
	budget  int             // size in bytes of tags that may still be examined
}

func newConverter(size int) *converter {
	return &converter{frames: []*frame{{}}, budget: 32*size + 64<<10}
}

func (c *converter) top() *frame    { return c.frames[len(c.frames)-1] }
func (c *converter) write(s string) { c.top().text.WriteString(s) }

// within returns the index of the innermost open element with one of the names, or 0 if
// there is none.
func (c *converter) within(names ...string) int {
	for i := len(c.frames) - 1; i > 0; i-- {
		if slices.Contains(names, c.frames[i].name) {
			return i
		}
	}
	return 0
}

// run converts a section of text.
func (c *converter) run(s string) {
	c.missing = nil
	for s != "" {
		if c.comment {
			_, rest, ok := strings.Cut(s, "-->")
			if !ok {
				return
			}
			c.comment, s = false, rest
			continue
		}
		marks := "<`"
		if !c.mixed || c.within("pre", "code") != 0 {
			marks = "<"
		}
		index := strings.IndexAny(s, marks)
		if index < 0 {
			c.prose(s)
			return
		}
		c.prose(s[:index])
		s = s[index:]
		switch {
		case s[0] == '`':
			n := codeSpan(s)
			c.write(s[:n])
			s = s[n:]
		case strings.HasPrefix(s, "<!--"):
			c.comment, s = true, s[4:]
		case strings.HasPrefix(s, "<!") || strings.HasPrefix(s, "<?"):
			end := strings.IndexByte(s[:min(len(s), 1000)], '>')
			s = s[end+1:]
			if end < 0 {
				c.write("<")
				s = s[1:]
			}
		default:
			var tag html.Token
			size := 0
			if c.budget > 0 {
				tag, size = c.tags.read(s)
				c.budget -= max(size, 64)
			}
			if size == 0 {
				c.budget -= maxTag / 16
				c.write("<")
				s = s[1:]
				continue
			}
			if s = s[size:]; tag.Type == html.EndTagToken {
				c.close(tag.Data)
			} else {
				s = c.element(tag.Data, tag.Attr, s)
			}
		}
	}
}

// codeSpan returns the length of the code span at the beginning of s. If the
// span does not end within its paragraph, it returns the length of the
// backticks.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	rest := s[n:min(len(s), n+maxSpan)]
	if end := strings.Index(rest, "\n\n"); end >= 0 {
		rest = rest[:end]
	}
	for pos := 0; ; {
		i := strings.Index(rest[pos:], s[:n])
		if i < 0 {
			return n
		}
		pos += i
		run := len(rest[pos:]) - len(strings.TrimLeft(rest[pos:], "`"))
		if run == n {
			return n + pos + n
		}
		pos += run
	}
}

// maxSpan is the maximum length of a code span in bytes.
const maxSpan = 4000

// prose writes text between tags.
func (c *converter) prose(s string) {
	if s == "" {
		return
	}
	c.dropUnended(s)
	switch {
	case c.within("pre") != 0:
		c.write(html.UnescapeString(s))
	case c.mixed && c.within("code") == 0:
		c.write(entities(s))
	default:
		s = html.UnescapeString(s)
		if space := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }); space < 0 {
			s = " "
		} else {
			text := strings.Join(strings.Fields(s), " ")
			if space > 0 {
				text = " " + text
			}
			if s[len(s)-1] <= ' ' {
				text += " "
			}
			s = text
		}
		if before := c.top().text.String(); strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\n") || before == "" {
			s = strings.TrimLeft(s, " ")
		}
		c.write(s)
	}
}

// dropUnended replaces elements without an end tag with their text.
func (c *converter) dropUnended(next string) {
	for len(c.frames) > 1 {
		f := c.top()
		switch f.name {
		case "a", "b", "strong", "i", "em", "code", "kbd", "samp", "tt":
			if !(c.mixed && strings.Contains(next, "\n\n")) && f.text.Len() < maxSpan {
				return
			}
		case "h1", "h2", "h3", "h4", "h5", "h6", "summary":
			if f.text.Len() < maxSpan {
				return
			}
		default:
			return
		}
		text := f.text.String()
		c.frames = c.frames[:len(c.frames)-1]
		c.write(text)
	}
}

// entities decodes entities, except those that prevent text from being read as
// a tag.
func entities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		index := strings.IndexByte(s, '&')
		if index < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:index])
		s = s[index:]
		end := strings.IndexByte(s[:min(len(s), 32)], ';')
		if end < 0 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		text := html.UnescapeString(s[:end+1])
		switch text {
		case "<", ">", "&", "`", "\u00ad":
			text = s[:end+1]
		case "\u00a0", "\u2002", "\u2003", "\u2009":
			text = " "
		}
		b.WriteString(text)
		s = s[end+1:]
	}
}

// element handles a start tag and returns the remaining input.
func (c *converter) element(name string, attributes []html.Attribute, rest string) string {
	if c.within("pre") != 0 && name != "pre" && name != "code" && name != "br" {
		return rest // the tag only adds syntax colours, and is dropped
	}
	switch name {
	case "script", "style", "svg", "iframe", "video", "nav", "head", "template", "button", "form", "select":
		return c.skip(name, rest)
	case "br":
		c.lineBreak()
	case "img":
		if alt := strings.Join(strings.Fields(attribute(attributes, "alt")), " "); alt != "" {
			c.write("![" + strings.NewReplacer("[", "(", "]", ")").Replace(alt) + "](" + attribute(attributes, "src") + ")")
		}
	case "hr", "p", "div", "section", "center", "details", "header", "footer", "article", "main", "aside", "figure", "figcaption", "caption",
		"picture", "thead", "tbody", "tfoot", "dl", "body", "html":
		c.block()
	case "li":
		if i := c.within("li", "ul", "ol"); i != 0 && c.frames[i].name == "li" {
			c.closeTo(i)
		}
		c.push(name, attributes)
	case "tr":
		if i := c.within("tr", "table"); i != 0 && c.frames[i].name == "tr" {
			c.closeTo(i)
		}
		c.push(name, attributes)
	case "td", "th":
		if i := c.within("td", "th", "tr", "table"); i != 0 && len(c.frames[i].name) == 2 && c.frames[i].name != "tr" {
			c.closeTo(i)
		}
		if c.within("table") == 0 {
			return rest
		}
		c.push(name, attributes)
	case "dt", "dd":
		if i := c.within("dt", "dd"); i != 0 {
			c.closeTo(i)
		}
		c.push(name, attributes)
	case "code":
		if i := c.within("pre"); i != 0 {
			if f := c.frames[i]; len(f.attributes) < maxAttributes {
				f.attributes = append(f.attributes, attributes...)
			}
			return rest
		}
		c.push(name, attributes)
	case "a":
		if i := c.within("a"); i != 0 {
			c.closeTo(i) // Links do not contain links.
		}
		c.push(name, attributes)
	case "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "kbd", "samp", "tt", "pre", "summary", "blockquote", "ul", "ol", "table":
		c.push(name, attributes)
	case "sup":
		// A superscript after a word or number is a power or a note; elsewhere it is only small
		// text.
		text := c.top().text.String()
		if r, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(r) || unicode.IsDigit(r) {
			c.write("^")
		}
	}
	return rest
}

// skip removes an element with its content.
func (c *converter) skip(name, rest string) string {
	if c.missing[name] {
		return rest
	}
	for pos := 0; ; {
		i := strings.Index(rest[pos:], "</")
		if i < 0 {
			if c.missing == nil {
				c.missing = map[string]bool{}
			}
			c.missing[name] = true
			return rest
		}
		pos += i + 2
		if len(rest) >= pos+len(name) && strings.EqualFold(rest[pos:pos+len(name)], name) {
			if end := strings.IndexByte(rest[pos:], '>'); end >= 0 {
				return rest[pos+end+1:]
			}
			return ""
		}
	}
}

// lineBreak writes a <br> in the form that fits its context.
func (c *converter) lineBreak() {
	switch {
	case c.within("pre") != 0:
		c.write("\n")
	case c.within("td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "a") != 0:
		c.write(" ")
	default:
		text := c.top().text.String()
		if c.mixed && strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "|") {
			c.write(" ") // A row of a table must stay on one line.
			return
		}
		c.write("\n")
	}
}

// block starts a new paragraph.
func (c *converter) block() {
	switch c.top().name {
	case "h1", "h2", "h3", "h4", "h5", "h6", "a", "b", "strong", "i", "em", "code", "summary":
		c.write(" ")
	default:
		if text := c.top().text.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
			c.write("\n\n")
		}
	}
}

func (c *converter) push(name string, attributes []html.Attribute) {
	if len(c.frames) < maxFrames {
		c.frames = append(c.frames, &frame{name: name, attributes: attributes})
	}
}

// close handles an end tag.
func (c *converter) close(name string) {
	switch name {
	case "p", "div", "section", "center", "details", "header", "footer", "article", "main", "aside", "figure", "figcaption", "caption", "picture", "dl":
		if c.within("pre") == 0 {
			c.block()
		}
		return
	case "code":
		if c.within("pre") != 0 {
			return
		}
	}
	i := c.within(name)
	if i == 0 {
		return
	}
	// The end of a cell or an item does not end elements that contain it.
	if outer := c.within("table", "td", "th", "li", "ul", "ol", "blockquote", "pre"); outer > i && len(name) <= 3 && !structural[name] {
		return
	}
	c.closeTo(i)
}

var structural = map[string]bool{"ul": true, "ol": true, "li": true, "td": true, "th": true, "tr": true, "dt": true, "dd": true, "pre": true}

// closeTo closes the open elements from the innermost to index i.
func (c *converter) closeTo(i int) {
	for len(c.frames) > i {
		f := c.frames[len(c.frames)-1]
		text := c.render(f)
		c.frames = c.frames[:len(c.frames)-1]
		c.write(text)
	}
}

// end closes all open elements.
func (c *converter) end() string {
	c.closeTo(1)
	return c.frames[0].text.String()
}
