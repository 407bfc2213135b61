package terminal

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
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
	indent string // begins each line but the first
	lines  []string
	line   []span
	used   int
	space  *span // between the line so far and the next word
}

// wrap breaks text at the ends of words. A word that is longer than a line is truncated.
func wrap(spans []span, limit int) []string {
	w := wrapper{limit: limit}
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
	w.newline()
	return w.lines
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
	if w.indent != "" {
		w.line, w.used = []span{{text: w.indent}}, len(w.indent)
	}
}

// codeWords splits a line of code where it may be broken: after a space, a comma, a parenthesis, a
// brace or a bar, but not before a comma or a closing bracket.
func codeWords(line []span) (words [][]span) {
	open := false // whether the last word may go on
	for _, s := range line {
		for len(s.text) > 0 {
			end := strings.IndexAny(s.text, " ,({|")
			if end < 0 {
				end = len(s.text) - 1
			}
			part := span{s.text[:end+1], s.style, s.address}
			if len(words) > 0 && (open || strings.ContainsRune(",;)]}", rune(part.text[0]))) {
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
// between the words of codeWords if possible.
func wrapCode(line []span, limit int) []string {
	n, indent := 0, 0
	for i, s := range line {
		if i == 0 {
			indent = len(s.text) - len(strings.TrimLeft(s.text, " "))
		}
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
	w.indent = strings.Repeat(" ", min(indent+4, limit/2))
	for _, word := range codeWords(line) {
		width := 0
		for _, part := range word {
			width += displaywidth.String(part.text)
		}
		if w.used+width > limit && w.used > len(w.indent) {
			w.newline()
		}
		for _, part := range word {
			w.piece(part)
		}
	}
	w.indent = "" // there is no next line
	w.newline()
	return w.lines
}
