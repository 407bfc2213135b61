// Package doctext converts Swift's documentation comments and the pages of DocC
// catalogues to Markdown that reads well outside DocC. Fields such as "-
// Parameter x:" and asides become labelled paragraphs, symbol links become
// paths, and directives are flattened or omitted.
//
//	fields and asides              field.go
//	"@Name(…) { … }"               directive.go, render.go
//	``Type/member``, <doc:Page>    link.go
//	"## Topics"                    topics.go
//
// Every function is linear in its input, except for nesting, which is limited.
package doctext

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Text is a parsed comment or page.
type Text struct {
	// Body is Markdown, with the fields as labelled paragraphs and lists.
	Body string
	// Deprecated is the deprecation notice in the text, or "" if there is none.
	Deprecated string
	// Examples are the examples in the example fields.
	Examples []apidoc.Example
	// Topics are the groups of the section "Topics", which is not part of Body.
	Topics []Topic
	// Metadata is the content of the "@Metadata" directive.
	Metadata Metadata
}

// Metadata is the content of the "@Metadata" directive.
type Metadata struct {
	// DisplayName is the title of a page if it differs from the heading.
	DisplayName string
	// Override is true if the page replaces the comment of its symbol.
	Override bool
	// Available lists, for each platform, the first version in which the symbol
	// is available, such as "Swift 6.2".
	Available []string
}

// Resolver returns the path of the symbol that a link refers to. For "doc:Name",
// it returns a complete Markdown link. The names in the link are separated by
// dots and have no suffixes that distinguish overloads.
type Resolver func(link string) (path string, ok bool)

// Options are options for converting text.
type Options struct {
	Resolve Resolver // may be nil
	// Snippet returns the code of a snippet, or of a slice of it; it may be nil.
	Snippet func(path, slice string) (code string, ok bool)
	// File returns the text of a file that a tutorial shows. It may be nil.
	File func(name string) (text string, ok bool)
	// Page is true for a page, in which list items that look like fields are
	// ordinary items.
	Page bool
}

const (
	// maxText is the maximum size, in bytes, of the text that is converted. The rest is omitted.
	maxText = 1 << 20
	// maxNested is the maximum nesting of directives, and of fields in them.
	maxNested = 20
	// maxExamples is the maximum number of examples in one comment.
	maxExamples = 50
)

// Markdown converts a documentation comment without its markers and common
// indentation.
func Markdown(comment string, resolve func(link string) (path string, ok bool)) Text {
	return Convert(comment, Options{Resolve: resolve})
}

// Convert converts a comment or page.
func Convert(text string, o Options) Text {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	text = markup.Clean(text)
	if isPlain(text) {
		body := strings.Trim(text, "\n")
		if o.Page {
			return Text{Body: body}
		}
		return Text{Body: body, Deprecated: deprecatedNote(body)}
	}
	p := parser{o: o, linked: hasLinks(text)}
	p.lines(strings.Split(withoutComments(text), "\n"))
	return p.finish()
}

// isPlain reports whether text is already plain Markdown. That is the case if it contains no links,
// and no line that begins like a field, a directive, a heading, a quote or code.
func isPlain(text string) bool {
	for start := 0; start < len(text); {
		line := text[start:]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		start += len(line) + 1
		for i := range len(line) {
			if line[i] == ' ' {
				continue
			}
			switch line[i] {
			case '@', '#', '>', '-', '*', '+', '`', '~':
				return false
			}
			break
		}
		if line != "" && line[len(line)-1] == ' ' {
			return false
		}
	}
	return !hasLinks(text) && !strings.Contains(text, "<!--") && !strings.Contains(text, "\n\n\n")
}

// hasLinks reports whether text may contain links or pictures.
func hasLinks(text string) bool {
	return strings.Contains(text, "``") || strings.Contains(text, "doc:") || strings.Contains(text, "![")
}

// parser converts one text.
type parser struct {
	o      Options
	depth  int
	linked bool     // whether the text may contain links
	prose  []string // lines not converted yet
	blocks []string // blocks of Markdown
	// parameters are the entries of all fields about parameters. pos is 1 + the
	// index in blocks at which they are written.
	parameters []entry
	pos        int
	// lastFiles contains the latest versions of the files shown by the steps of
	// a tutorial, by the name that readers see.
	lastFiles map[string]string
	out       Text
}

func (p *parser) block(text string) {
	if text = strings.Trim(text, "\n"); text != "" {
		p.blocks = append(p.blocks, text)
	}
}

// flush converts the collected prose.
func (p *parser) flush() {
	if len(p.prose) > 0 {
		p.block(p.links(p.prose))
		p.prose = nil
	}
}

// lines converts the lines of text, or of the body of a directive, block by block.
func (p *parser) lines(lines []string) {
	if p.depth++; p.depth > maxNested {
		p.prose = append(p.prose, lines...)
		p.depth--
		return
	}
	fence := ""
	for i := 0; i < len(lines); {
		line := strings.TrimRight(lines[i], " \t")
		if fence != "" {
			if closes(line, fence) {
				fence = ""
			}
			p.prose = append(p.prose, line)
			i++
			continue
		}
		if fence = opens(line); fence != "" {
			p.prose = append(p.prose, line)
			i++
			continue
		}
		next := i
		switch trimmed := strings.TrimLeft(line, " "); {
		case trimmed == "" || len(line)-len(trimmed) > 3:
		case trimmed[0] == '@':
			next = p.directive(lines, i)
		case trimmed[0] == '#':
			next = p.topics(lines, i)
		case trimmed[0] == '>':
			next = p.aside(lines, i)
		case !p.o.Page:
			next = p.field(lines, i)
		}
		if next == i {
			if n := len(p.prose); line != "" || n > 0 && p.prose[n-1] != "" {
				p.prose = append(p.prose, line)
			}
			next++
		}
		i = next
	}
	p.depth--
}

// finish returns the text that consists of all parts.
func (p *parser) finish() Text {
	p.flush()
	if n := p.pos; n > 0 {
		p.blocks[n-1] = labelled("Parameters", list(p.parameters))
	}
	if a := p.out.Metadata.Available; len(a) > 0 {
		p.block("**Since:** " + strings.Join(a, ", "))
	}
	p.out.Body = strings.Join(p.blocks, "\n\n")
	if p.out.Deprecated == "" && !p.o.Page {
		p.out.Deprecated = deprecatedNote(p.out.Body)
	}
	return p.out
}

// deprecatedNote returns the first paragraph of text that begins with the word "deprecated". It
// returns "" for any other text.
func deprecatedNote(text string) string {
	head := strings.TrimLeft(text, "*_[(`!")
	const word = "deprecated"
	if len(head) < len(word) || !strings.EqualFold(head[:len(word)], word) {
		return ""
	}
	if rest := head[len(word):]; rest != "" && strings.IndexByte("\n.:,;-*_)]`!", rest[0]) < 0 && !strings.HasPrefix(rest, " in ") && !strings.HasPrefix(rest, " since ") {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// opens returns the fence that a line opens, or "" if it does not open one.
func opens(line string) string {
	line = strings.TrimLeft(line, " ")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return ""
	}
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return ""
	}
	return line[:n]
}

// closes reports whether a line closes a fence.
func closes(line, fence string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}

// withoutComments removes HTML comments outside code.
func withoutComments(text string) string {
	if !strings.Contains(text, "<!--") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	fence, open, first := "", false, true
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
		case !open:
			fence = opens(line)
		}
		if fence == "" && (open || strings.Contains(line, "<!--")) {
			if line, open = withoutCommentsLine(line, open); strings.TrimSpace(line) == "" {
				continue
			}
		}
		if !first {
			b.WriteByte('\n')
		}
		first = false
		b.WriteString(line)
	}
	return b.String()
}

// withoutCommentsLine removes the comments from a line. open reports whether a comment began before
// the line, and goesOn whether a comment continues after it.
func withoutCommentsLine(line string, open bool) (rest string, goesOn bool) {
	var b strings.Builder
	code := false
	for {
		if open {
			_, after, ok := strings.Cut(line, "-->")
			if !ok {
				return b.String(), true
			}
			line, open = after, false
		}
		before, after, ok := strings.Cut(line, "<!--")
		b.WriteString(before)
		if !ok {
			return b.String(), false
		}
		if code = code != (strings.Count(before, "`")%2 == 1); code {
			b.WriteString("<!--")
		} else {
			open = true
		}
		line = after
	}
}
