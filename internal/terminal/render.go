// Package terminal shows Markdown on a terminal: wrapped at the ends of words, with colours,
// highlighted code and links. The text comes from other people, so none of its control characters
// reach the terminal.
package terminal

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// Options specify how text is shown.
type Options struct {
	// Width is the number of columns; text is not wider than maxWidth.
	Width int
	// Lexis returns how to highlight a block of code with an info string, or nil if it is not
	// highlighted.
	Lexis func(info string) *highlight.Lexis
	// Contents is the number of lines beyond which text begins with a list of its sections. If it
	// is 0, no text does.
	Contents int
}

const (
	// minWidth and maxWidth limit the width that text is wrapped to, because longer lines are hard
	// to read.
	minWidth, maxWidth = 20, 100
	// minText is the minimum number of columns for text within lists and quotations.
	minText = 10
	// maxDepth is the maximum nesting depth of blocks and styles.
	maxDepth = 50
)

// Render returns Markdown as a terminal shows it.
func Render(md string, o Options) string {
	o.Width = max(o.Width, minWidth)
	source := []byte(md)
	parser := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()
	r := &renderer{source: source, options: o}
	r.blocks(parser.Parse(text.NewReader(source)), frame{width: min(o.Width, maxWidth)})
	lines := r.lines
	if o.Contents > 0 && len(lines) > o.Contents {
		if contents := r.contents(); len(contents) > 0 {
			lines = append(lines[:r.head:r.head], append(contents, lines[r.head:]...)...)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// renderer collects the lines of text.
type renderer struct {
	source   []byte
	options  Options
	lines    []string
	sections []string // headings of the second level
	head     int      // number of lines before the first section
	depth    int
}

// frame describes the place of a block: its width, style and prefixes.
type frame struct {
	width int
	// first begins the first line of a block, and rest its other lines.
	first, rest string
	style       style
}

// inner returns the frame of blocks inside a block. Their first line begins with first, and their
// other lines begin with rest.
func (f frame) inner(first, rest string) frame {
	f.first, f.rest = f.rest+first, f.rest+rest
	f.width = max(f.width-width(rest), minText)
	return f
}

// blank adds an empty line, unless the last line is empty.
func (r *renderer) blank() {
	if n := len(r.lines); n > 0 && r.lines[n-1] != "" {
		r.lines = append(r.lines, "")
	}
}

// add adds the lines of a block.
func (r *renderer) add(f frame, lines []string) {
	for i, line := range lines {
		mark := f.rest
		if i == 0 {
			mark = f.first
		}
		r.lines = append(r.lines, strings.TrimRight(mark+line, " "))
	}
}

// blocks shows the blocks within a node.
func (r *renderer) blocks(parent ast.Node, f frame) {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.block(n, f)
		f.first = f.rest
	}
	r.depth--
}

func (r *renderer) block(n ast.Node, f frame) {
	if _, isItem := n.Parent().(*ast.ListItem); !isItem {
		r.blank()
	}
	switch n := n.(type) {
	case *ast.Heading:
		if n.Level == 2 {
			if len(r.sections) == 0 {
				r.head = len(r.lines)
			}
			r.sections = append(r.sections, r.plain(n))
		}
		r.add(f, wrap(r.inline(n, headingStyle(n.Level)), f.width))
	case *ast.Paragraph, *ast.TextBlock:
		r.add(f, wrap(r.inline(n, f.style), f.width))
	case *ast.Blockquote:
		inner := f.inner(dim.apply("│ "), dim.apply("│ "))
		inner.style = f.style | dim
		inner.first = f.first + dim.apply("│ ")
		r.blocks(n, inner)
	case *ast.List:
		r.list(n, f)
	case *ast.FencedCodeBlock:
		r.code(n, string(n.Language(r.source)), f)
	case *ast.CodeBlock:
		r.code(n, "", f)
	case *ast.ThematicBreak:
		r.add(f, []string{dim.apply(strings.Repeat("─", f.width))})
	case *ast.HTMLBlock:
		for line := range strings.Lines(r.raw(n)) {
			r.add(f, wrap([]span{{text: clean([]byte(line)), style: f.style}}, f.width))
			f.first = f.rest
		}
	case *table.Table:
		r.add(f, r.table(n, f))
	default:
		r.blocks(n, f)
	}
}

func (r *renderer) list(n *ast.List, f frame) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		inner := f.inner(mark, strings.Repeat(" ", len([]rune(mark))))
		inner.first = f.first + mark
		if !n.IsTight && item.PreviousSibling() != nil {
			r.blank()
		}
		r.blocks(item, inner)
		f.first = f.rest
	}
}

// code shows a block of code, indented. If its lines are numbered, the numbers are kept apart from
// the code.
func (r *renderer) code(n ast.Node, info string, f frame) {
	code := strings.TrimRight(markup.Clean(r.raw(n)), "\n")
	code = strings.ReplaceAll(code, "\t", "    ")
	var lexis *highlight.Lexis
	if r.options.Lexis != nil {
		lexis = r.options.Lexis(info)
	}
	if lexis == nil {
		lexis = &highlight.Lexis{}
	}
	inner := f.inner("  ", "  ")
	inner.width = max(r.options.Width-width(inner.rest), minWidth) // code may be wider than text
	code, numbers := cutNumbers(code)
	var lines [][]span
	line := []span{}
	add := func(text string, class highlight.Class) {
		for i, part := range strings.Split(text, "\n") {
			if i > 0 {
				lines, line = append(lines, line), []span{}
			}
			if class == highlight.Comment && len(numbers) == 0 {
				line = append(line, commentSpans(part)...)
			} else if part != "" {
				line = append(line, span{text: part, style: classStyles[class]})
			}
		}
	}
	if end := openComment(code, lexis); end > 0 && len(numbers) > 0 {
		add(code[:end], highlight.Comment)
		code = code[end:]
	}
	for class, piece := range highlight.Each(code, lexis) {
		add(piece, class)
	}
	lines = append(lines, line)
	if len(numbers) == 0 {
		for _, line := range joinComments(lines, inner.width) {
			r.add(inner, wrapCode(line, inner.width))
			inner.first = inner.rest
		}
		return
	}
	for i, line := range lines {
		numbered := inner.inner("", strings.Repeat(" ", len(numbers[i])+2))
		numbered.first = inner.first + dim.apply(numbers[i]) + "  "
		r.add(numbered, wrapCode(line, numbered.width))
		inner.first = inner.rest
	}
}

// lineNumber matches the number at the beginning of a line of source code.
var lineNumber = lazyregexp.New(`^ *(\d+)(?:  |$)`)

// cutNumbers removes the line numbers from source code, and returns them with the spaces before
// them. If not all lines have successive numbers, it returns the code unchanged.
func cutNumbers(code string) (rest string, numbers []string) {
	var b strings.Builder
	before := 0
	for line := range strings.SplitSeq(code, "\n") {
		m := lineNumber().FindStringSubmatch(line)
		if m == nil {
			return code, nil
		}
		number, err := strconv.Atoi(m[1])
		if err != nil || len(numbers) > 0 && number != before+1 {
			return code, nil
		}
		if before = number; len(numbers) > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line[len(m[0]):])
		numbers = append(numbers, strings.TrimRight(m[0], " "))
	}
	return b.String(), numbers
}

// openComment returns the end of a block comment that begins before the code, or 0 if there is none.
func openComment(code string, lexis *highlight.Lexis) int {
	if !lexis.BlockComments {
		return 0
	}
	end := strings.Index(code, "*/")
	if start := strings.Index(code, "/*"); end < 0 || start >= 0 && start < end {
		return 0
	}
	if line := code[strings.LastIndexByte(code[:end], '\n')+1:]; !strings.HasPrefix(strings.TrimLeft(line, " "), "*") {
		return 0 // in a string, such as a pattern of file names
	}
	return end + 2
}

// commentSpans returns a line of a comment, in which Markdown links are shown as their text.
func commentSpans(line string) []span {
	style := classStyles[highlight.Comment]
	var spans []span
	for text, target := range markup.SplitLinks(line) {
		piece := []span{{text: text, style: style}}
		if target != "" {
			if piece = link(piece, target); piece[0].address != "" {
				piece[0].style |= underline
			}
		}
		spans = append(spans, piece...)
	}
	return spans
}

// raw returns the source lines of a block.
func (r *renderer) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(r.source))
	}
	return b.String()
}

// inline returns the text of a block.
func (r *renderer) inline(parent ast.Node, s style) (spans []span) {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		return nil
	}
	defer func() { r.depth-- }()
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(r.source)
			if parent.Kind() != ast.KindCodeSpan {
				value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
			}
			spans = append(spans, span{text: clean(value), style: s})
			switch {
			case n.HardLineBreak():
				spans = append(spans, span{text: "\n"})
			case n.SoftLineBreak():
				spans = append(spans, span{text: " ", style: s})
			}
		case *ast.String:
			spans = append(spans, span{text: clean(n.Value), style: s})
		case *ast.CodeSpan:
			spans = append(spans, span{text: r.plain(n), style: s&^dim | code})
		case *ast.Emphasis:
			if n.Level > 1 {
				spans = append(spans, r.inline(n, s|bold)...)
			} else {
				spans = append(spans, r.inline(n, s|italic)...)
			}
		case *ast.Link:
			spans = append(spans, link(r.inline(n, s|underline), string(n.Destination))...)
		case *ast.AutoLink:
			address := string(n.URL(r.source))
			spans = append(spans, link([]span{{text: clean([]byte(address)), style: s | underline}}, address)...)
		case *ast.Image:
			spans = append(spans, span{text: "[" + r.plain(n) + "]", style: s | dim})
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				segment := n.Segments.At(i)
				spans = append(spans, span{text: clean(segment.Value(r.source)), style: s})
			}
		default:
			spans = append(spans, r.inline(n, s)...)
		}
	}
	return spans
}

// plain returns the text within a node without styles.
func (r *renderer) plain(n ast.Node) string {
	var b strings.Builder
	for _, s := range r.inline(n, 0) {
		b.WriteString(s.text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// contents returns the lines that list the sections of a long text.
func (r *renderer) contents() []string {
	if len(r.sections) < 3 {
		return nil
	}
	spans := []span{{text: "Contents: ", style: dim}}
	for i, title := range r.sections {
		if i > 0 {
			spans = append(spans, span{text: " · ", style: dim})
		}
		spans = append(spans, span{text: strings.ReplaceAll(title, " ", "\u00a0")})
	}
	return append(wrap(spans, min(r.options.Width, maxWidth)), "")
}

// clean returns text without control characters, including those written as entities. Line ends and
// tabs become spaces.
func clean(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, markup.Clean(string(text)))
}
