package markup

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is one line of Markdown.
type Line struct {
	Text string // without the line end
	// Code is true within a code block, fences included.
	Code bool
	// Level is the level of a heading, 1 to 6; 0 for other lines.
	Level int
}

// Lines yields the lines of a Markdown text. Joined with newlines, they form the text
// again.
func Lines(md string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		fence := ""
		blank := true // blank is true if the previous line is empty or code, after which an indented line is code.
		for text := range strings.SplitSeq(md, "\n") {
			line := Line{Text: text}
			trimmed := strings.TrimLeft(text, " ")
			indent := len(text) - len(trimmed)
			switch {
			case fence != "":
				line.Code = true
				if indent < 4 && closes(trimmed, fence) {
					fence = ""
				}
			case indent >= 4 || strings.HasPrefix(trimmed, "\t"):
				line.Code = blank && strings.TrimSpace(text) != ""
			default:
				if fence = opens(trimmed); fence != "" {
					line.Code = true
				} else {
					line.Level = heading(trimmed)
				}
			}
			blank = line.Code || strings.TrimSpace(text) == ""
			if !yield(line) {
				return
			}
		}
	}
}

// opens returns the run of ` or ~ that begins a fenced block, or "" if there is none.
func opens(line string) string {
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

func closes(line, fence string) bool {
	rest := strings.TrimLeft(line, fence[:1])
	return len(line)-len(rest) >= len(fence) && strings.TrimSpace(rest) == ""
}

func heading(line string) int {
	rest := strings.TrimLeft(line, "#")
	n := len(line) - len(rest)
	if n == 0 || n > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0
	}
	return n
}

// Fence returns a fence for code: a run of at least three backticks that is
// longer than any in code.
func Fence(code string) string {
	longest, run := 2, 0
	for i := range len(code) {
		if code[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// Demote shifts the headings of md so that the outermost has the given level,
// and closes an unclosed code block, so that md fits below a heading.
func Demote(md string, level int) string {
	outermost, fence := 7, ""
	for l := range Lines(md) {
		if l.Level > 0 {
			outermost = min(outermost, l.Level)
		}
		fence = track(fence, l)
	}
	if fence != "" {
		md = strings.TrimSuffix(md, "\n") + "\n" + fence
	}
	by := level - outermost
	if by <= 0 {
		return md
	}
	var b strings.Builder
	b.Grow(len(md) + 64)
	first := true
	for l := range Lines(md) {
		if !first {
			b.WriteByte('\n')
		}
		first = false
		if l.Level > 0 {
			text := strings.TrimLeft(l.Text, " ")
			b.WriteString(strings.Repeat("#", min(l.Level+by, 6)))
			b.WriteString(text[l.Level:])
			continue
		}
		b.WriteString(l.Text)
	}
	return b.String()
}

// track returns the fence that is open after a line. It returns "" if none is
// open.
func track(fence string, l Line) string {
	trimmed := strings.TrimLeft(l.Text, " ")
	if !l.Code {
		return ""
	}
	if fence == "" {
		return opens(trimmed)
	}
	if closes(trimmed, fence) {
		return ""
	}
	return fence
}

// Part is the Markdown text under one heading.
type Part struct {
	Title string // title of the heading; empty for text before the first heading
	Level int    // level of the heading; 0 for text before the first heading
	Body  string // text without the heading and without surrounding empty lines
}

// Parts splits md at its headings. Text before the first heading is a separate part.
func Parts(md string) []Part {
	var parts []Part
	var current Part
	var body []string
	flush := func() {
		current.Body = strings.Trim(strings.Join(body, "\n"), "\n")
		if current.Level > 0 || strings.TrimSpace(current.Body) != "" {
			parts = append(parts, current)
		}
		body = body[:0]
	}
	for l := range Lines(md) {
		if l.Level == 0 {
			body = append(body, l.Text)
			continue
		}
		flush()
		current = Part{Title: title(l.Text), Level: l.Level}
	}
	flush()
	return parts
}

// title returns the text of a heading line, without markers and a trailing
// {#anchor}.
func title(line string) string {
	text := strings.TrimSpace(strings.TrimLeft(strings.TrimLeft(line, " "), "#"))
	if strings.HasSuffix(text, "}") {
		if i := strings.LastIndex(text, "{#"); i >= 0 {
			text = strings.TrimSpace(text[:i])
		}
	}
	if rest := strings.TrimRight(text, "#"); rest == "" || strings.HasSuffix(rest, " ") {
		text = strings.TrimSpace(rest)
	}
	return text
}

// Synopsis returns the first sentence of the first paragraph of md on one line, without
// the targets of links. It skips a paragraph that consists only of a label and a link:
// "**See:** [Fields](fields.md)". It returns "" if md does not begin with a paragraph, or
// begins with a heading in bold: "**Parameters:**".
func Synopsis(md string) string {
	var words []string
	for l := range Lines(md) {
		blank := strings.TrimSpace(l.Text) == ""
		if blank && len(words) == 0 {
			continue
		}
		if blank && refersElsewhere(strings.Join(words, " ")) {
			words = words[:0]
			continue
		}
		if blank || l.Code || l.Level > 0 {
			break
		}
		words = append(words, strings.Fields(l.Text)...)
	}
	if n := len(words); n > 0 && strings.HasPrefix(words[0], "**") && strings.HasSuffix(words[n-1], ":**") {
		return ""
	}
	return PlainLinks(sentence(strings.Join(words, " ")))
}

// refersElsewhere reports whether a paragraph consists of a label in bold and a link.
func refersElsewhere(paragraph string) bool {
	label, link, ok := strings.Cut(paragraph, ":** [")
	if !ok || !strings.HasPrefix(label, "**") {
		return false
	}
	_, target, ok := strings.Cut(link, "](")
	return ok && strings.IndexByte(target, ')') == len(target)-1
}

// sentence returns the first sentence of s.
func sentence(s string) string {
	for first := range Sentences(s) {
		return first
	}
	return s
}

// Sentences yields the sentences of a line of text. A sentence ends with a full
// stop, question or exclamation mark before a space, except after an
// abbreviation.
func Sentences(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i+1 < len(s); i++ {
			if s[i+1] != ' ' || s[i] != '.' && s[i] != '?' && s[i] != '!' {
				continue
			}
			if s[i] == '.' && abbreviation(s[start:i]) {
				continue
			}
			if !yield(s[start : i+1]) {
				return
			}
			start = i + 2
		}
		if start < len(s) {
			yield(s[start:])
		}
	}
}

// abbreviation reports whether the full stop after s belongs to an
// abbreviation: one capital letter ("J. Doe"), "e.g", "i.e", "etc", "vs", "cf".
func abbreviation(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "vs", "cf", "etc", "resp", "approx", "no":
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}

// PlainLinks replaces Markdown links [text](target) with their text if the target is an
// address, a path or an anchor. It does not change images, or text that only looks like a
// link, such as a call to a generic function.
func PlainLinks(md string) string {
	if !strings.Contains(md, "](") {
		return md
	}
	var b strings.Builder
	b.Grow(len(md))
	for text := range SplitLinks(md) {
		b.WriteString(text)
	}
	return b.String()
}

// SplitLinks yields the text of Markdown in pieces: each link that PlainLinks replaces as its text
// with its target, and what is between links with "".
func SplitLinks(md string) iter.Seq2[string, string] {
	return func(yield func(text, target string) bool) {
		budget := 64*len(md) + 64<<10 // bytes that may still be scanned for the ends of links
		next := 0                     // where the search for the next link begins
		for {
			open := strings.IndexByte(md[next:], '[')
			if open < 0 || budget < 0 {
				break
			}
			open += next
			text, target, rest, scanned := link(md[open:])
			budget -= scanned
			ok := len(rest) < len(md)-open
			if !ok || open > 0 && (md[open-1] == '!' || md[open-1] == '\\') {
				next = open + 1
				continue
			}
			if open > 0 && !yield(md[:open], "") || !yield(text, target) {
				return
			}
			md, next = rest, 0
		}
		if md != "" {
			yield(md, "")
		}
	}
}

// maxLink is the maximum size in bytes of the text of a link, and also of its target.
const maxLink = 2000

// link parses "[text](target)" at the beginning of s, and returns its parts and the
// rest of s after it.
// Text may contain matching brackets; target contains no spaces and only matching
// parentheses. rest is s if s does not begin with a link. scanned is the number of bytes
// that were examined.
func link(s string) (text, target, rest string, scanned int) {
	depth, end := 0, -1
	for i := range min(len(s), maxLink) {
		scanned++
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '\n':
			if strings.HasPrefix(s[i:], "\n\n") {
				return "", "", s, scanned
			}
		}
		if depth == 0 {
			end = i
			break
		}
	}
	if end < 0 || !strings.HasPrefix(s[end:], "](") {
		return "", "", s, scanned
	}
	depth = 0
	for i := end + 1; i < min(len(s), end+maxLink); i++ {
		scanned++
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ' ', '\n', '\t':
			return "", "", s, scanned
		}
		if depth == 0 {
			if !address(s[end+2 : i]) {
				return "", "", s, scanned
			}
			return s[1:end], s[end+2 : i], s[i+1:], scanned
		}
	}
	return "", "", s, scanned
}

func address(target string) bool {
	return strings.HasPrefix(target, "#") || strings.HasPrefix(target, "/") || strings.HasPrefix(target, ".") ||
		strings.HasPrefix(target, "mailto:") || strings.Contains(target, "://") || strings.Contains(target, "::")
}
