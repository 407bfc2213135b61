package web

import (
	"bytes"
	"html/template"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxProse is the maximum size of the Markdown that is rendered as one text, in bytes. The rest of
// a longer text is shown as plain text.
const maxProse = 1 << 20

// converter renders Markdown and keeps the HTML in it, which is sanitized afterwards.
var converter = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)), extension.Strikethrough, extension.Linkify),
		goldmark.WithRendererOptions(renderer.WithUnsafe()),
	)
})

// sanitizer keeps the elements of prose. It drops scripts, styles, forms, embedded documents, SVG
// and MathML, all event handlers, and the attributes id, name, class and style, with which text
// could change the page around it.
var sanitizer = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "code", "kbd", "samp", "var",
		"em", "strong", "b", "i", "s", "del", "ins", "sub", "sup", "small", "q", "mark", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary", "div", "span")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(regexp.MustCompile(`^\d{1,4}$`)).OnElements("img")
	p.AllowAttrs("colspan", "rowspan").Matching(regexp.MustCompile(`^\d{1,2}$`)).OnElements("td", "th")
	p.AllowAttrs("class").Matching(infoClass()).OnElements("code")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^\d{1,6}$`)).OnElements("ol")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
})

// infoClass matches the class that the Markdown renderer gives to a block of code with an info
// string.
var infoClass = lazyregexp.New(`^language-[\w+#.,-]{1,40}$`)

// prose renders the Markdown of one page. IDs of headings are unique within it.
type prose struct {
	// level is the level of the outermost headings.
	level int
	// symbol returns the address of the symbol that a name in code refers to, or "" if there is
	// none.
	symbol func(name string) string
	// file returns the address of the page of a file of the package, or "" if there is none. The
	// name is relative to the file of the text. If the page has the heading that a fragment refers
	// to, the address includes the fragment.
	file func(name, fragment string) string
	// lexis returns how to highlight a block of code with an info string, or nil if it is not
	// highlighted. The function may be nil.
	lexis func(info string) *highlight.Lexis
	// image returns the image of the package that src refers to, or nil if there is none. The
	// function may be nil.
	image func(src string) *picture

	pictures []*picture     // images that are shown
	ids      map[string]int // number of headings with each ID
	here     []*html.Node   // links within the text
	contents []heading
}

// idPrefix begins the IDs of headings in prose, so that they differ from the page's own IDs.
const idPrefix = "doc-"

// render returns Markdown as sanitized HTML.
func (p *prose) render(md string) template.HTML {
	md = clean(md)
	if strings.TrimSpace(md) == "" {
		return ""
	}
	rest := ""
	if len(md) > maxProse {
		cut := strings.LastIndexByte(md[:maxProse], '\n') + 1
		md, rest = md[:cut], md[cut:]
	}
	var out bytes.Buffer
	if err := converter().Convert([]byte(md), &out); err != nil {
		return plainText(md + rest)
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(sanitizer().SanitizeReader(&out), body)
	if err != nil {
		return plainText(md + rest)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	p.shift(body)
	p.here = nil
	p.walk(body, false, false)
	p.checkLinks()
	out.Reset()
	for n := range body.ChildNodes() {
		if err := html.Render(&out, n); err != nil {
			return plainText(md + rest)
		}
	}
	if rest != "" {
		out.WriteString(string(plainText(rest)))
	}
	return template.HTML(out.String()) // #nosec G203 -- sanitized
}

// inline returns a sentence of Markdown as sanitized HTML without an enclosing paragraph.
func (p *prose) inline(md string) template.HTML {
	text := string(p.render(md))
	if inner, ok := strings.CutPrefix(strings.TrimSpace(text), "<p>"); ok {
		if inner, ok = strings.CutSuffix(inner, "</p>"); ok && !strings.Contains(inner, "<p>") {
			return template.HTML(inner) // #nosec G203 -- sanitized
		}
	}
	return template.HTML(text) // #nosec G203 -- sanitized
}

// plainText returns text as HTML that shows it unchanged.
func plainText(text string) template.HTML {
	return template.HTML(`<pre class="plain" tabindex="0">` + html.EscapeString(clean(text)) + "</pre>") // #nosec G203 -- escaped
}

// clean removes control characters and characters that hide or reorder text.
func clean(text string) string { return markup.Clean(text) }

// shift changes the levels of all headings so that the outermost ones have p.level, and the headings
// below them follow without a gap.
func (p *prose) shift(root *html.Node) {
	var above []int // above contains the levels, as written, of the headings that enclose the current one.
	for n := range root.Descendants() {
		level := headingLevel(n)
		if level == 0 {
			continue
		}
		for len(above) > 0 && above[len(above)-1] >= level {
			above = above[:len(above)-1]
		}
		n.Data = "h" + strconv.Itoa(min(p.level+len(above), 6))
		n.DataAtom = atom.Lookup([]byte(n.Data))
		above = append(above, level)
	}
}

// headingLevel returns the level of a heading, or 0 if n is not a heading.
func headingLevel(n *html.Node) int {
	if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

// walk prepares the elements below a node for the page.
func (p *prose) walk(n *html.Node, inLink, inPre bool) {
	var next *html.Node
	for c := n.FirstChild; c != nil; c = next {
		next = c.NextSibling
		if c.Type != html.ElementNode {
			continue
		}
		link, pre := inLink, inPre
		switch c.DataAtom {
		case atom.A:
			p.link(c)
			link = true
		case atom.Img:
			p.img(c, inLink)
			continue
		case atom.Pre:
			c.Attr = []html.Attribute{{Key: "tabindex", Val: "0"}}
			pre = true
		case atom.Table:
			c.Attr = []html.Attribute{{Key: "tabindex", Val: "0"}}
		case atom.Code:
			if inPre && onlyText(c) {
				p.code(c)
				continue
			}
			c.Attr = nil
			if p.symbol != nil && !inLink && !inPre {
				if href := p.symbol(textOf(c)); href != "" {
					a := element(atom.A, html.Attribute{Key: "href", Val: href})
					n.InsertBefore(a, c)
					n.RemoveChild(c)
					a.AppendChild(c)
					continue
				}
			}
		}
		if headingLevel(c) > 0 {
			p.head(c)
		}
		p.walk(c, link, pre)
	}
}

// onlyText reports whether all children of a node are text.
func onlyText(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type != html.TextNode {
			return false
		}
	}
	return true
}

// code highlights a block of code that contains only text.
func (p *prose) code(n *html.Node) {
	info := strings.TrimPrefix(attribute(n, "class"), "language-")
	n.Attr = nil
	text := textOf(n)
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	var lexis *highlight.Lexis
	if p.lexis != nil {
		lexis = p.lexis(info)
	}
	for class, piece := range pieces(text, lexis) {
		child := &html.Node{Type: html.TextNode, Data: piece}
		if class != "" {
			span := element(atom.Span, html.Attribute{Key: "class", Val: class})
			span.AppendChild(child)
			child = span
		}
		n.AppendChild(child)
	}
}

func element(a atom.Atom, attributes ...html.Attribute) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a, Attr: attributes}
}

// textOf returns the text within a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// head gives a heading an ID.
func (p *prose) head(n *html.Node) {
	text := strings.Join(strings.Fields(textOf(n)), " ")
	id := slug(text)
	if p.ids == nil {
		p.ids = map[string]int{}
	}
	p.ids[id]++
	if k := p.ids[id]; k > 1 {
		id += "-" + strconv.Itoa(k-1)
	}
	n.Attr = []html.Attribute{{Key: "id", Val: idPrefix + id}}
	if text != "" && headingLevel(n) == p.level {
		p.contents = append(p.contents, heading{Text: text, ID: idPrefix + id})
	}
}

// slug returns the anchor of a heading in the form that code hosts use.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// link points a link to a page of this site, or marks it as a link to another site. A link to a
// file that has no page becomes text.
func (p *prose) link(n *html.Node) {
	href := ""
	for _, a := range n.Attr {
		if a.Key == "href" {
			href = strings.TrimSpace(a.Val)
		}
	}
	n.Attr = nil
	u, err := url.Parse(href)
	switch {
	case err != nil || href == "":
	case u.IsAbs() || u.Host != "":
		if u.Host != "" && u.Scheme == "" {
			u.Scheme = "https"
		}
		n.Attr = []html.Attribute{{Key: "href", Val: u.String()}, {Key: "rel", Val: "noreferrer noopener external"}}
	case u.Path == "" && u.Fragment != "":
		n.Attr = []html.Attribute{{Key: "href", Val: "#" + idPrefix + u.Fragment}}
		p.here = append(p.here, n)
	case p.file != nil:
		if to := p.file(path.Clean(u.Path), u.Fragment); to != "" {
			n.Attr = []html.Attribute{{Key: "href", Val: to}}
		}
	}
	if n.Attr == nil {
		n.Data, n.DataAtom = "span", atom.Span
	}
}

// checkLinks replaces links to headings that do not exist with their text.
func (p *prose) checkLinks() {
	for _, n := range p.here {
		name := strings.TrimPrefix(n.Attr[0].Val, "#"+idPrefix)
		exists := p.ids[name] > 0
		if i := strings.LastIndexByte(name, '-'); i > 0 && !exists { // A repeated heading has a number.
			k, err := strconv.Atoi(name[i+1:])
			exists = err == nil && k > 0 && p.ids[name[:i]] > k
		}
		if !exists {
			n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
		}
	}
}

// img shows an image of the package. It replaces any other image with a link to it, or with its
// description if it is inside a link, because a page loads nothing from other hosts.
func (p *prose) img(n *html.Node, inLink bool) {
	src, alt := attribute(n, "src"), strings.TrimSpace(attribute(n, "alt"))
	if p.image != nil {
		if shown := p.image(src); shown != nil {
			p.pictures = append(p.pictures, shown)
			if alt == "" && inLink { // A link needs text.
				alt = path.Base(shown.name)
			}
			attributes := []html.Attribute{{Key: "src", Val: shown.href}, {Key: "alt", Val: alt}, {Key: "loading", Val: "lazy"}}
			for _, a := range n.Attr {
				if a.Key == "width" || a.Key == "height" {
					attributes = append(attributes, a)
				}
			}
			n.Attr = attributes
			return
		}
	}
	n.Attr = nil
	n.Data, n.DataAtom = "span", atom.Span
	if alt == "" {
		return
	}
	if u, err := url.Parse(src); err == nil && u.Host != "" && !inLink {
		n.Data, n.DataAtom = "a", atom.A
		n.Attr = []html.Attribute{{Key: "href", Val: src}, {Key: "rel", Val: "noreferrer noopener external"}}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: "class", Val: "image"})
	n.AppendChild(&html.Node{Type: html.TextNode, Data: alt})
}
