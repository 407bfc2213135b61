// Package docstring converts docstrings of Python programs to Markdown. It supports the styles of
// Google, NumPy, Sphinx and Epydoc, and plain text. In all styles, text is reStructuredText unless
// it is recognized as Markdown. The function Markdown converts reStructuredText only.
//
//	docstring -> sections and fields        section.go, field.go
//	doctests -> examples                    example.go
//	reStructuredText -> Markdown            rst.go, directive.go, table.go
//	roles, links, literals                  inline.go
//	marks of Epydoc, as in C{None}          epytext.go
//	code that indentation alone sets off     code.go
//	admonitions of MkDocs, %(name)s lines    admonition.go
//	references to pages of a site            reference.go
//
// Every function is linear in its input.
package docstring

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// Doc is a parsed docstring.
type Doc struct {
	// Text is Markdown, without the examples.
	Text string
	// Examples are the doctests and the code in sections of examples.
	Examples []apidoc.Example
	// Deprecated is the deprecation notice, empty if there is none.
	Deprecated string
	// Signature is the call at the beginning of the docstring of a compiled function, such as
	// "array(object, dtype=None)".
	Signature string
}

const (
	// maxDoc is the maximum number of bytes of a docstring that are converted. The rest is omitted.
	maxDoc = 1 << 20
	// maxNested is the maximum nesting depth of blocks.
	maxNested = 20
	// maxExamples is the maximum number of examples of one docstring.
	maxExamples = 50
)

// Clean removes the indentation of a docstring as inspect.cleandoc does.
func Clean(s string) string {
	if strings.IndexByte(s, '\t') >= 0 {
		s = expandTabs(s)
	}
	lines := strings.Split(s, "\n")
	margin := -1
	for _, l := range lines[1:] {
		if content := strings.TrimLeft(l, whitespace); content != "" {
			if indent := len(l) - len(content); margin < 0 || indent < margin {
				margin = indent
			}
		}
	}
	lines[0] = strings.TrimLeft(lines[0], whitespace)
	if margin > 0 {
		for i := 1; i < len(lines); i++ {
			lines[i] = lines[i][min(margin, len(lines[i])):]
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

const whitespace = " \t\r\v\f\x1c\x1d\x1e\x1f"

func expandTabs(s string) string {
	var b strings.Builder
	column := 0
	for i := range len(s) {
		switch c := s[i]; c {
		case '\t':
			n := 8 - column%8
			b.WriteString("        "[:n])
			column += n
		case '\n', '\r':
			b.WriteByte(c)
			column = 0
		default:
			b.WriteByte(c)
			if c < 0x80 || c >= 0xc0 {
				column++
			}
		}
	}
	return b.String()
}

// Parse converts a docstring from which Clean has removed the indentation.
func Parse(text string) Doc {
	if len(text) > maxDoc {
		text = strings.ToValidUTF8(text[:maxDoc], "")
	}
	p := parser{markdown: isMarkdown(text)}
	if !p.markdown {
		text = fromEpytext(text)
	}
	p.lines = lines(text)
	if p.markdown && strings.Contains(text, "][") {
		unreferenced(p.lines)
	}
	p.signature()
	p.targets = readTargets(p.lines)
	p.parse()
	return p.finish()
}

// lines splits text into at least one line, and removes spaces at the ends of lines.
func lines(text string) []string {
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " \t\r")
	}
	if strings.Contains(text, "!!! ") || strings.Contains(text, "???") || strings.Contains(text, "%(") {
		if all = unfolded(all); len(all) == 0 {
			return []string{""}
		}
	}
	return all
}

// isMarkdown reports whether a docstring is Markdown rather than
// reStructuredText: it has fences, headings or links of Markdown.
func isMarkdown(text string) bool {
	if strings.Contains(text, "```") || strings.Contains(text, "](http") || strings.Contains(text, "](#") || strings.Contains(text, "][") {
		return !strings.Contains(text, "\n.. ") && !strings.Contains(text, ":class:`") && !strings.Contains(text, ":param ")
	}
	return strings.HasPrefix(text, "# ") || strings.Contains(text, "\n# ") || strings.Contains(text, "\n## ")
}

// parser parses one docstring.
type parser struct {
	lines    []string
	markdown bool
	targets  targets

	prose  []string // lines that are not converted yet
	blocks []string // blocks of Markdown
	fields fields
	within int // nesting of sections around the lines
	out    Doc
}

// signature removes the paragraph at the beginning if it is a call, and records
// it.
func (p *parser) signature() {
	if name, _, ok := strings.Cut(p.lines[0], "("); !ok || name == "" || strings.ContainsAny(name, " `:") {
		return
	}
	end := 0
	for end < len(p.lines) && end < 10 && p.lines[end] != "" {
		end++
	}
	text := oneLine(strings.Join(p.lines[:end], " "))
	closed, _, _ := strings.Cut(text, " -> ")
	if !strings.HasSuffix(closed, ")") || end == len(p.lines) && end > 1 {
		return
	}
	p.out.Signature = text
	p.lines = p.lines[end:]
	if rest := trimEmpty(p.lines); len(rest) > 0 && rest[0] == "--" {
		p.lines = rest[1:]
	}
}

// convert returns lines as Markdown.
func (p *parser) convert(ls []string) string {
	if p.markdown {
		return strings.Trim(strings.Join(fenceDoctests(ls), "\n"), "\n")
	}
	return convert(ls, &p.targets, 0)
}

func (p *parser) block(text string) {
	if text != "" {
		p.blocks = append(p.blocks, text)
	}
}

// flush converts the collected prose.
func (p *parser) flush() {
	if len(p.prose) > 0 {
		p.block(p.convert(p.prose))
		p.prose = nil
	}
}

func (p *parser) parse() {
	fenced := false
	for i := 0; i < len(p.lines); {
		line := p.lines[i]
		if p.markdown && strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fenced = !fenced
		}
		if !fenced {
			if next, ok := p.section(i); ok {
				i = next
				continue
			}
			if next, ok := p.field(i); ok {
				i = next
				continue
			}
			if next, ok := p.deprecation(i); ok {
				i = next
				continue
			}
		}
		p.prose = append(p.prose, line)
		i++
	}
	p.flush()
}

// finish returns the docstring that consists of all parts.
func (p *parser) finish() Doc {
	for _, b := range p.fields.blocks() {
		p.block(b)
	}
	p.out.Text = strings.Join(p.blocks, "\n\n")
	if p.out.Deprecated == "" {
		p.out.Deprecated = deprecatedNote(p.out.Text)
	}
	return p.out
}

// deprecation reads ".. deprecated:: 1.2" about the declaration as a whole. next is the
// index of the line after the directive. ok is false if line i is not such a directive,
// or if a deprecation is already known.
func (p *parser) deprecation(i int) (next int, ok bool) {
	rest, ok := strings.CutPrefix(p.lines[i], ".. deprecated::")
	if !ok || p.out.Deprecated != "" {
		return 0, false
	}
	version, first, _ := strings.Cut(strings.TrimSpace(rest), " ")
	body, next := indented(p.lines, i+1)
	first = strings.TrimSpace(first)
	text := strings.Join(strings.Fields(p.convert(append([]string{first}, body...))), " ")
	if partDeprecated().MatchString(first) || useDeprecated().MatchString(text) {
		return 0, false
	}
	p.flush()
	since := "Since " + version
	switch {
	case version == "":
		p.out.Deprecated = text
	case text == "":
		p.out.Deprecated = since + "."
	default:
		p.out.Deprecated = since + ": " + text
	}
	return next, true
}

// partDeprecated matches the notice that a parameter or another part of a declaration, named
// in quotes or emphasis, is deprecated.
var partDeprecated = lazyregexp.New("^(?:[Tt]he )?[*`'\"]+[\\w.=]+[*`'\"]+ (?:is|are|was|has been|argument|parameter|keyword|option|attribute|flag)\\b")

// useDeprecated matches a notice about a part or a use of a declaration, such as a parameter in emphasis,
// "Passing None is deprecated", or a future change of results or of what the declaration currently does.
var useDeprecated = lazyregexp.New("^\\*\\w+\\*(?:[\\s,]|$)" +
	"|^[^.;]* (?:argument|parameter|keyword|option|flag|helper)s? (?:is|are|was|were|has been|have been) (?:now )?deprecated\\b" +
	"|(?:^|[.;:] )\\w+ing\\b[^.;]* (?:is|are) (?:now )?deprecated\\b" +
	"|\\b(?:[Uu]sage|[Bb]ehaviou?r|[Nn]otation|[Ss]upport for)\\b(?:[^.;]|\\.\\w)* (?:is|are) (?:now )?deprecated\\b" +
	"|\\b[Ii]t is (?:now )?deprecated to\\b" +
	"|\\braises? an? \\W*DeprecationWarning\\W* (?:if|when)\\b" +
	"|^A future version\\b.* will return\\b" +
	"|\\b[Cc]urrently (?:accept|return|turn|raise|convert|ignore)")

// deprecatedNote returns the first sentence of text that begins with the word "deprecated", or else
// "".
func deprecatedNote(text string) string {
	head := strings.TrimLeft(text, "*_[(`!")
	if len(head) < len("deprecated") || !strings.EqualFold(head[:len("deprecated")], "deprecated") {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// indentOf counts the spaces at the beginning of a line. It returns -1 for an
// empty line.
func indentOf(line string) int {
	n := len(line) - len(strings.TrimLeft(line, " "))
	if n == len(line) {
		return -1
	}
	return n
}

// indented returns the lines from i that are indented, without their common
// indentation and the empty lines around them. next is the index of the line
// after them.
func indented(all []string, i int) (body []string, next int) {
	return indentedBy(all, i, 1)
}

// indentedBy returns the lines from i that are indented by at least minimum spaces.
// next is the index of the line after them.
func indentedBy(all []string, i, minimum int) (body []string, next int) {
	end := i
	for j := i; j < len(all); j++ {
		n := indentOf(all[j])
		if n >= 0 && n < minimum {
			break
		}
		if n >= 0 {
			end = j + 1
		}
	}
	return markup.Dedent(trimEmpty(all[i:end])), end
}

func trimEmpty(ls []string) []string {
	for len(ls) > 0 && ls[0] == "" {
		ls = ls[1:]
	}
	for len(ls) > 0 && ls[len(ls)-1] == "" {
		ls = ls[:len(ls)-1]
	}
	return ls
}
