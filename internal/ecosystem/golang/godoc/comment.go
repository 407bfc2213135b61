package godoc

import (
	"go/doc/comment"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

const (
	// maxComment is the maximum size of a comment's text, in bytes.
	maxComment = 1 << 20
	// maxLink is the maximum length of a URL in a comment. The comment parser
	// takes quadratic time for longer URLs.
	maxLink = 1 << 10
)

// markdown converts the text of a doc comment to Markdown.
func markdown(p *comment.Parser, text string) string {
	if text == "" {
		return ""
	}
	if len(text) > maxComment {
		text = strings.ToValidUTF8(text[:maxComment], "") + "\n\n(The rest of the comment is omitted.)\n"
	}
	if hasEndlessLink(text) {
		fence := markup.Fence(text)
		return fence + "\n" + strings.Trim(text, "\n") + "\n" + fence
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for i, block := range p.Parse(indentFences(text)).Content {
		if i > 0 {
			b.WriteString("\n\n")
		}
		writeBlock(&b, block)
	}
	return b.String()
}

// hasEndlessLink reports whether text has a URL longer than maxLink.
func hasEndlessLink(text string) bool {
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return false
		}
		text = text[i:]
		end := strings.IndexAny(text, " \t\n")
		if end < 0 {
			end = len(text)
		}
		if end > maxLink {
			return true
		}
		text = text[end:]
	}
}

// indentFences converts Markdown's fenced code blocks to indented blocks. Go's
// comments have no fenced blocks, but many authors use them.
func indentFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "```") || strings.Contains(lines[i][3:], "`") {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimRight(lines[end], " \t") != "```" {
			end++
		}
		if end == len(lines) {
			break
		}
		lines[i], lines[end] = "", ""
		for j := i + 1; j < end; j++ {
			if lines[j] != "" {
				lines[j] = "\t" + lines[j]
			}
		}
		i = end
	}
	return strings.Join(lines, "\n")
}

func writeBlock(b *strings.Builder, block comment.Block) {
	switch x := block.(type) {
	case *comment.Paragraph:
		b.WriteString(paragraph(x.Text))
	case *comment.Heading:
		b.WriteString("## ")
		b.WriteString(inline(x.Text))
	case *comment.Code:
		fence := markup.Fence(x.Text)
		b.WriteString(fence)
		b.WriteByte('\n')
		b.WriteString(x.Text)
		if !strings.HasSuffix(x.Text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(fence)
	case *comment.List:
		blank := x.BlankBetween() // BlankBetween examines all items, so call it once.
		for i, item := range x.Items {
			if i > 0 {
				b.WriteByte('\n')
				if blank {
					b.WriteByte('\n')
				}
			}
			writeItem(b, item)
		}
	}
}

func writeItem(b *strings.Builder, item *comment.ListItem) {
	marker := "- "
	if item.Number != "" {
		marker = item.Number + ". "
	}
	b.WriteString(marker)
	for i, block := range item.Content {
		if i > 0 {
			b.WriteString("\n\n")
			b.WriteString(strings.Repeat(" ", len(marker)))
		}
		if p, ok := block.(*comment.Paragraph); ok { // List items contain only paragraphs.
			b.WriteString(paragraph(p.Text))
		}
	}
}

// paragraph returns text for the start of a line, where some characters have a
// special meaning in Markdown.
func paragraph(text []comment.Text) string {
	s := inline(text)
	if s == "" {
		return s
	}
	switch rest := strings.TrimLeft(s, "0123456789"); {
	case len(rest) < len(s) && len(s)-len(rest) < 10 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")):
		return s[:len(s)-len(rest)] + `\` + rest
	case s[0] == '#' && heading(s), s[0] == '>', strings.HasPrefix(s, "~~~"), isRule(s):
		return `\` + s
	case strings.ContainsRune("+-*", rune(s[0])) && (len(s) == 1 || s[1] == ' '):
		return `\` + s
	case s[0] == '[' && strings.Contains(s, "]:"):
		return `\` + s
	}
	return s
}

// heading reports whether Markdown reads a line that begins with "#" as a
// heading.
func heading(s string) bool {
	rest := strings.TrimLeft(s, "#")
	return len(s)-len(rest) <= 6 && (rest == "" || rest[0] == ' ')
}

// isRule reports whether Markdown reads a line as a horizontal rule.
func isRule(s string) bool {
	bare := strings.ReplaceAll(s, " ", "")
	return len(bare) >= 3 && strings.ContainsRune("-*_", rune(bare[0])) && strings.Trim(bare, bare[:1]) == ""
}

// inline returns text on one line. Links within the documentation, such as
// [Client.Do], become code.
func inline(text []comment.Text) string {
	marks := emphasis(text)
	var b strings.Builder
	for _, t := range text {
		switch t := t.(type) {
		case comment.Plain:
			writePlain(&b, string(t), marks)
		case comment.Italic:
			b.WriteByte('*')
			writePlain(&b, string(t), "*_")
			b.WriteByte('*')
		case *comment.Link:
			if t.Auto {
				b.WriteString(t.URL)
				continue
			}
			b.WriteByte('[')
			b.WriteString(inline(t.Text))
			b.WriteString("](")
			b.WriteString(strings.NewReplacer("(", "%28", ")", "%29").Replace(t.URL))
			b.WriteByte(')')
		case *comment.DocLink:
			b.WriteByte('`')
			for _, part := range t.Text {
				if plain, ok := part.(comment.Plain); ok {
					b.WriteString(oneLine(string(plain)))
				}
			}
			b.WriteByte('`')
		}
	}
	return strings.TrimSpace(b.String())
}

func oneLine(s string) string {
	return strings.ReplaceAll(s, "\n", " ")
}

// emphasis returns which of the characters * and _ Markdown would read as emphasis in text. Most
// comments with a pointer or a name in snake_case contain neither as emphasis, and do not need
// backslashes.
func emphasis(text []comment.Text) string {
	opened := map[rune]bool{}
	marks := ""
	for _, t := range text {
		plain, ok := t.(comment.Plain)
		if !ok || !strings.ContainsAny(string(plain), "*_") {
			continue
		}
		for s, code := range codeSpans(string(plain)) {
			if code {
				continue
			}
			before := ' '
			for i, r := range s {
				if r == '*' || r == '_' {
					after, _ := utf8.DecodeRuneInString(s[i+1:])
					opens, closes := flanks(r, before, after)
					if closes && opened[r] && !strings.ContainsRune(marks, r) {
						marks += string(r)
					}
					opened[r] = opened[r] || opens
				}
				before = r
			}
		}
	}
	return marks
}

// flanks reports whether a mark between two characters can open and close
// emphasis. At the end of text, behind is utf8.RuneError.
func flanks(mark, before, after rune) (opens, closes bool) {
	left := after != utf8.RuneError && !unicode.IsSpace(after)
	right := !unicode.IsSpace(before)
	if mark == '_' { // Underscores within a word are not emphasis.
		return left && !isWord(before), right && !isWord(after)
	}
	return left, right
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// codeSpans splits s into text and the parts between equal runs of backticks,
// which include the backticks.
func codeSpans(s string) func(yield func(part string, code bool) bool) {
	return func(yield func(string, bool) bool) {
		for s != "" {
			open := strings.IndexByte(s, '`')
			if open < 0 {
				yield(s, false)
				return
			}
			ticks := len(s[open:]) - len(strings.TrimLeft(s[open:], "`"))
			end := strings.Index(s[open+ticks:], s[open:open+ticks])
			if end < 0 {
				yield(s, false)
				return
			}
			end += open + 2*ticks
			if open > 0 && !yield(s[:open], false) || !yield(s[open:end], true) {
				return
			}
			s = s[end:]
		}
	}
}

// writePlain writes s with the backslashes that Markdown needs to show it
// unchanged. marks are the emphasis marks to escape. Text between backticks is
// code and is written unchanged.
func writePlain(b *strings.Builder, s, marks string) {
	s = oneLine(s)
	if !strings.ContainsAny(s, "`\\<&*_") {
		b.WriteString(s)
		return
	}
	for part, code := range codeSpans(s) {
		if code {
			b.WriteString(part)
			continue
		}
		for i := range len(part) {
			c := part[i]
			if escapes(part, i, marks) {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
}

func escapes(s string, i int, marks string) bool {
	next := byte(' ')
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch s[i] {
	case '`':
		return true
	case '*', '_':
		return strings.IndexByte(marks, s[i]) >= 0
	case '\\':
		return next > ' ' && next < 0x7f && !isLetter(next) && (next < '0' || next > '9')
	case '<':
		return isLetter(next) || next == '/' || next == '!' || next == '?'
	case '&':
		end := strings.IndexByte(s[i:min(len(s), i+32)], ';')
		return end > 1 && strings.Trim(s[i+1:i+end], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	}
	return false
}

// deprecation returns the deprecation notice in a comment: the rest of the
// paragraph that begins with "Deprecated:". It returns "" if there is none.
func deprecation(md string) string {
	notice, ok := strings.CutPrefix(md, "Deprecated:")
	if !ok {
		if _, notice, ok = strings.Cut(md, "\n\nDeprecated:"); !ok {
			return ""
		}
	}
	notice, _, _ = strings.Cut(notice, "\n")
	if notice = strings.TrimSpace(notice); notice == "" {
		return "no reason given"
	}
	return notice
}
