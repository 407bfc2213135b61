package terminal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// width returns the number of columns of text. Control sequences, which must be ones that
// style.apply and span.String write, do not count.
func width(text string) int {
	n := 0
	for {
		start := strings.IndexByte(text, '\x1b')
		if start < 0 {
			return n + displaywidth.String(text)
		}
		n += displaywidth.String(text[:start])
		end := "m"
		if strings.HasPrefix(text[start:], "\x1b]") {
			end = "\x1b\\"
		}
		_, text, _ = strings.Cut(text[start+1:], end)
	}
}

// wrapper puts words on lines of at most limit columns.
type wrapper struct {
	limit  int
	indent span // begins each line but the first
	lines  []string
	line   []span
	used   int
	space  *span // between the line so far and the next word
}

// wrap breaks text at the ends of words. A word that is longer than a line is truncated.
func wrap(spans []span, limit int) []string {
	w := wrapper{limit: limit}
	w.words(spans)
	w.newline()
	return w.lines
}

// words adds text, which is broken at spaces.
func (w *wrapper) words(spans []span) {
	var word []span
	end := func() {
		w.word(word)
		word = nil
	}
	for _, s := range spans {
		if s.text == "\n" {
			end()
			w.newline()
			continue
		}
		for len(s.text) > 0 {
			i := strings.IndexByte(s.text, ' ')
			if i < 0 {
				word = append(word, s)
				break
			}
			if i > 0 {
				word = append(word, span{s.text[:i], s.style, s.address})
			}
			end()
			w.space = &span{" ", s.style, s.address}
			s.text = strings.TrimLeft(s.text[i:], " ")
		}
	}
	end()
}

// word adds a word, whose parts may have different styles.
func (w *wrapper) word(parts []span) {
	n := 0
	for _, p := range parts {
		n += displaywidth.String(p.text)
	}
	if n == 0 {
		return
	}
	if w.used > 0 && w.space != nil {
		if w.used+1+n > w.limit {
			w.newline()
		} else {
			w.line = append(w.line, *w.space)
			w.used++
		}
	}
	w.space = nil
	for _, p := range parts {
		w.piece(p)
	}
}

// piece adds a part of a word. If it does not fit, it continues on the next line.
func (w *wrapper) piece(p span) {
	if n := displaywidth.String(p.text); w.used+n <= w.limit {
		w.line = append(w.line, p)
		w.used += n
		return
	}
	graphemes := displaywidth.StringGraphemes(p.text)
	start, end := 0, 0
	for graphemes.Next() {
		if n := graphemes.Width(); w.used+n > w.limit && w.used > 0 {
			w.line = append(w.line, span{p.text[start:end], p.style, p.address})
			w.newline()
			start = end
			w.used += n
		} else {
			w.used += n
		}
		end += len(graphemes.Value())
	}
	w.line = append(w.line, span{p.text[start:], p.style, p.address})
}

func (w *wrapper) newline() {
	var b strings.Builder
	for i := 0; i < len(w.line); {
		s := w.line[i]
		for i++; i < len(w.line) && w.line[i].style == s.style && w.line[i].address == s.address; i++ {
			s.text += w.line[i].text
		}
		b.WriteString(s.String())
	}
	w.lines = append(w.lines, b.String())
	w.line, w.used, w.space = nil, 0, nil
	if w.indent.text != "" {
		w.line, w.used = []span{w.indent}, len(w.indent.text)
	}
}

// codeWords splits a line of code where it may be broken: after a space, a comma, a parenthesis, a
// brace or a bar, but not before a comma or a closing bracket.
func codeWords(line []span) (words [][]span) {
	open := false // open is true if the last word may continue.
	for _, s := range line {
		for len(s.text) > 0 {
			end := strings.IndexAny(s.text, " ,({|")
			if end < 0 {
				end = len(s.text) - 1
			}
			part := span{s.text[:end+1], s.style, s.address}
			if len(words) > 0 && (open || strings.ContainsRune(",;)]} ", rune(part.text[0]))) {
				last := &words[len(words)-1]
				*last = append(*last, part)
			} else {
				words = append(words, []span{part})
			}
			open = !strings.ContainsRune(" ,({|", rune(part.text[end]))
			s.text = s.text[end+1:]
		}
	}
	return words
}

// wrapCode breaks a line of code that is too long and indents the lines that follow. It breaks
// between the words of codeWords if possible, and in comments and in text at spaces.
func wrapCode(line []span, limit int) []string {
	n := 0
	for _, s := range line {
		n += displaywidth.String(s.text)
	}
	w := wrapper{limit: limit}
	if n <= limit {
		for _, s := range line {
			w.piece(s)
		}
		w.newline()
		return w.lines
	}
	code, comment := splitComment(line)
	indent := 0
	if len(line) > 0 {
		indent = len(line[0].text) - len(strings.TrimLeft(line[0].text, " "))
	}
	w.code(code, min(indent+4, limit/2))
	if len(comment) > 0 {
		w.comment(comment, min(indent, limit/2), len(code) > 0)
	}
	w.indent = span{} // there is no next line
	w.newline()
	return w.lines
}

// code adds code, which is broken between the words of codeWords: outside of brackets rather than
// within them, and behind commas and semicolons rather than between other words. Lines that follow the first are
// indented.
func (w *wrapper) code(code []span, indent int) {
	w.indent.text = strings.Repeat(" ", indent)
	words := codeWords(code)
	for len(words) > 0 {
		n := w.fitting(words)
		before := len(w.lines)
		for _, word := range words[:n] {
			for _, part := range word {
				if bare := strings.TrimRight(part.text, " "); w.used+displaywidth.String(bare) == w.limit {
					part.text = bare // spaces do not go on the next line
				}
				w.piece(part)
			}
		}
		words = words[n:]
		if cut := len(w.lines) > before; cut && len(words) > 0 && w.fits(words[0]) { // beside the rest of a long word
			continue
		}
		if len(words) > 0 {
			w.newline()
			words[0][0].text = strings.TrimLeft(words[0][0].text, " ") // after a bar
		}
	}
}

// fits reports whether a word fits on the line.
func (w *wrapper) fits(word []span) bool {
	n := w.used
	for _, part := range word {
		n += displaywidth.String(part.text)
	}
	return n <= w.limit
}

// fitting returns how many words, at least one, are put on the line.
func (w *wrapper) fitting(words [][]span) int {
	used, depth := w.used, 0
	best, minimum := 1, 0
	for i, word := range words {
		var b strings.Builder
		for _, part := range word {
			b.WriteString(part.text)
		}
		text := b.String()
		bare := strings.TrimRight(text, " ")
		if width := displaywidth.String(bare); used+width > w.limit && i > 0 {
			return best
		}
		used += displaywidth.String(text)
		for _, c := range text {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		cost := 2 * depth
		if strings.TrimRight(bare, ",;({") == bare {
			cost++
		}
		if best <= 1 || cost <= minimum || used < w.limit/2 {
			best, minimum = i+1, cost
		}
	}
	return len(words)
}

// minComment is the minimum number of columns for a comment beside code. A comment for which there
// are fewer is shown below the code.
const minComment = 24

// comment adds a comment or a line of text, which is broken at spaces. The lines that follow begin
// with the mark of the comment. indent is the indentation of the line, and beside is true if the
// comment follows code.
func (w *wrapper) comment(spans []span, indent int, beside bool) {
	first := &spans[0]
	indented := len(first.text) - len(strings.TrimLeft(first.text, " "))
	mark, rest := cutMark(first.text[indented:])
	if beside {
		w.line = append(w.line, span{text: strings.Repeat(" ", indented)})
		w.used += indented
		indent, indented = w.used, 0
		if len(w.lines) > 0 || w.limit-indent < minComment {
			indent = min(len(w.indent.text), w.limit/2)
			w.indent = span{text: strings.Repeat(" ", indent)}
			w.newline()
		}
	}
	w.indent = span{text: strings.Repeat(" ", indent) + rest, style: first.style &^ underline}
	w.piece(span{text: strings.Repeat(" ", min(indented, indent)) + mark, style: first.style})
	first.text = first.text[len(first.text)-len(strings.TrimLeft(first.text, " "))+len(mark):]
	w.words(spans)
}

// commentMark matches the beginning of a comment's line, with the mark of an item in a list.
var commentMark = lazyregexp.New(`^(/{2,}!?|#+!?|/?\*+)? *([-*+•] +|\d{1,3}[.)] +)?`)

// joinComments joins each line of a comment that is longer than limit with the lines that continue its
// paragraph.
func joinComments(lines [][]span, limit int) [][]span {
	var all [][]span
	var before string // what begins the lines that continue the last line, or ""
	isCode := false
	for _, line := range lines {
		code, comment := splitComment(line)
		if len(code) > 0 || len(comment) == 0 || comment[0].style&dim == 0 {
			all, before, isCode = append(all, line), "", false
			continue
		}
		text := ""
		for _, s := range comment {
			text += s.text
		}
		indent := len(text) - len(strings.TrimLeft(text, " "))
		mark, rest := cutMark(text[indent:])
		text = text[indent+len(mark):]
		if strings.HasPrefix(text, "```") {
			isCode = !isCode
		}
		if before != "" && before == strings.Repeat(" ", indent)+mark && !isCode && continues(text) {
			comment[0].text = " " + comment[0].text[min(indent+len(mark), len(comment[0].text)):]
			all[len(all)-1] = append(all[len(all)-1], comment...)
			continue
		}
		all = append(all, comment)
		before = ""
		if indented := strings.HasSuffix(mark, "    "); !isCode && !indented && indent+len(mark)+displaywidth.String(text) > limit {
			before = strings.Repeat(" ", indent) + rest
		}
	}
	return all
}

// continues reports whether a line of a comment continues the paragraph of the line before it. A label,
// such as "Parameters:", does not.
func continues(text string) bool {
	if strings.HasPrefix(text, "**") || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "Deprecated:") || strings.HasSuffix(text, ":") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("`([\"'*_", r)
}

// cutMark returns the mark at the beginning of a comment's line, and what begins the lines that
// continue it.
func cutMark(text string) (mark, rest string) {
	m := commentMark().FindStringSubmatch(text)
	mark, item := m[0], m[2]
	rest = mark[:len(mark)-len(item)] + strings.Repeat(" ", len([]rune(item)))
	if strings.HasPrefix(rest, "/*") {
		rest = " *" + strings.Repeat(" ", len(rest)-2)
	}
	return mark, rest
}

// splitComment splits a line into code and the comment at its end. A line that is only text, such as
// one within a long string, counts as a comment.
func splitComment(line []span) (code, comment []span) {
	i := len(line)
	for i > 0 && line[i-1].style&dim != 0 { // in code, only comments are dim
		i--
	}
	if i == 0 || len(line) == 1 && line[0].style == str {
		return nil, slices.Clone(line)
	}
	code, comment = line[:i], slices.Clone(line[i:])
	if len(comment) == 0 {
		return code, nil
	}
	// The spaces before a comment belong to it.
	last := code[len(code)-1]
	text := strings.TrimRight(last.text, " ")
	comment[0].text = last.text[len(text):] + comment[0].text
	code = slices.Clone(code[:len(code)-1])
	if text != "" {
		code = append(code, span{text, last.style, last.address})
	}
	return code, comment
}
