package yaml

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// startsPlain reports whether a plain scalar begins at pos.
func (r *Reader) startsPlain() bool {
	switch c := r.peek(0); c {
	case '-', '?', ':':
		return !r.blankAt(1) && !(r.place.flow && flowIndicator(r.peek(1)))
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', 0:
		return false
	}
	return true
}

// plainLine advances to the end of the part of a plain scalar on this line. It
// returns the offset after its last character that is not white space.
func (r *Reader) plainLine() int {
	end := r.pos
	for ; r.pos < len(r.data); r.pos++ {
		switch c := r.data[r.pos]; {
		case c == '\n',
			c == ':' && (r.blankAt(1) || r.place.flow && flowIndicator(r.peek(1))),
			c == '#' && r.pos > end,
			r.place.flow && flowIndicator(c):
			r.end = r.line
			return end
		case c != ' ' && c != '\t':
			end = r.pos + 1
		}
	}
	r.end = r.line
	return end
}

// plain parses a plain scalar, which may span several lines.
func (r *Reader) plain() error {
	from := r.pos
	text := r.data[from:r.plainLine()]
	several := false
	for r.peek(0) == '\n' {
		if err := r.canceled(); err != nil {
			return err
		}
		breaks := r.breaks()
		if !r.goesOn() {
			break
		}
		if !several {
			several = true
			r.buf = append(r.buf[:0], text...)
		}
		r.fold(breaks)
		from = r.pos
		r.buf = append(r.buf, r.data[from:r.plainLine()]...)
		text = r.buf
	}
	r.node.text, r.node.plain = text, true
	return nil
}

// goesOn reports whether a multi-line plain scalar continues at pos.
func (r *Reader) goesOn() bool {
	c := r.peek(0)
	switch {
	case r.pos == len(r.data), r.marker(), c == '#':
		return false
	case r.place.flow:
		return !flowIndicator(c) && !(c == ':' && (r.blankAt(1) || flowIndicator(r.peek(1))))
	}
	return r.column() > r.place.indent
}

// breaks skips white space and returns the number of line breaks in it.
func (r *Reader) breaks() int {
	n := 0
	for ; r.pos < len(r.data); r.pos++ {
		switch r.data[r.pos] {
		case ' ', '\t':
		case '\n':
			r.newline()
			r.pos--
			n++
		default:
			return n
		}
	}
	return n
}

// fold appends the text for line breaks within a scalar.
func (r *Reader) fold(breaks int) {
	if breaks == 1 {
		r.buf = append(r.buf, ' ')
		return
	}
	r.newlines(breaks - 1)
}

func (r *Reader) newlines(n int) {
	for range n {
		r.buf = append(r.buf, '\n')
	}
}

// quoted parses a quoted scalar.
func (r *Reader) quoted(quote byte) error {
	r.pos++
	// Most quoted scalars are on one line, without escapes.
	length := bytes.IndexAny(r.data[r.pos:min(len(r.data), r.pos+256)], "\"'\\\n")
	if length >= 0 && r.peek(length) == quote && (quote == '"' || r.peek(length+1) != '\'') {
		r.node.text = r.data[r.pos : r.pos+length]
		r.pos += length + 1
		r.end = r.line
		return nil
	}
	r.buf = r.buf[:0]
	for {
		if err := r.canceled(); err != nil {
			return err
		}
		if r.pos == len(r.data) || r.marker() {
			return r.fail("a quote is not closed")
		}
		from := r.pos
		for r.pos < len(r.data) && r.data[r.pos] != quote && r.data[r.pos] != '\\' && r.data[r.pos] > ' ' {
			r.pos++
		}
		r.buf = append(r.buf, r.data[from:r.pos]...)
		if r.pos == len(r.data) {
			continue
		}
		switch c := r.data[r.pos]; {
		case c == quote && quote == '\'' && r.peek(1) == '\'':
			r.buf = append(r.buf, c)
			r.pos += 2
		case c == quote:
			r.pos++
			r.end = r.line
			r.node.text = r.buf
			return nil
		case c == '\\' && quote == '"':
			if err := r.escape(); err != nil {
				return err
			}
		case c == '\\':
			r.buf = append(r.buf, c)
			r.pos++
		default:
			from := r.pos
			if breaks := r.breaks(); breaks > 0 {
				r.fold(breaks)
			} else {
				r.buf = append(r.buf, r.data[from:r.pos]...)
			}
		}
	}
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// escape parses a backslash sequence.
func (r *Reader) escape() error {
	c := r.peek(1)
	var digits int
	switch c {
	case '\n':
		r.pos++
		r.newlines(r.breaks() - 1)
		return nil
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		text, ok := escapes[c]
		if !ok {
			return r.fail("an unknown escape")
		}
		r.buf = append(r.buf, text...)
		r.pos += 2
		return nil
	}
	r.pos += 2
	code, err := strconv.ParseUint(string(r.data[r.pos:min(r.pos+digits, len(r.data))]), 16, 32)
	if err != nil || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) || r.pos+digits > len(r.data) {
		return r.fail("the escape does not denote a character")
	}
	r.pos += digits
	r.buf = utf8.AppendRune(r.buf, rune(code))
	return nil
}

// blockScalar parses a literal or folded scalar.
func (r *Reader) blockScalar(folded bool) error {
	keep, strip, indent, err := r.blockHeader()
	if err != nil {
		return err
	}
	parent := max(r.place.indent, 0)
	detect := indent == 0
	indent += parent
	if detect {
		indent = r.blockIndent(max(r.place.indent+1, 1))
	}
	r.buf = r.buf[:0]
	breaks := r.blockBreaks(indent) // breaks is the number of line breaks before the next text.
	lines, spaced := 0, false       // spaced is true if the previous line begins with white space.
	for ; r.pos < len(r.data) && r.column() == indent && !r.marker(); lines++ {
		if err := r.canceled(); err != nil {
			return err
		}
		blank := r.peek(0) == ' ' || r.peek(0) == '\t'
		if lines > 0 && folded && !spaced && !blank {
			r.fold(breaks)
		} else {
			r.newlines(breaks)
		}
		spaced = blank
		from := r.pos
		r.lineEnd()
		r.buf = append(r.buf, r.data[from:r.pos]...)
		breaks = 0
		if r.pos < len(r.data) {
			r.newline()
			breaks = 1 + r.blockBreaks(indent)
		}
	}
	switch {
	case keep:
		r.newlines(breaks)
	case !strip && lines > 0 && breaks > 0:
		r.newlines(1)
	}
	if r.pos < len(r.data) {
		r.end = r.line - 1 // The next token is on a new line.
	} else {
		r.end = r.line
	}
	r.node.text = r.buf
	return nil
}

// blockHeader parses the indicators after "|" or ">" on the first line of a block scalar. keep and
// strip specify how line breaks at the end are treated. indent is 0 if it is not specified.
func (r *Reader) blockHeader() (keep, strip bool, indent int, err error) {
	r.pos++
	for range 2 {
		switch c := r.peek(0); {
		case c == '+' && !strip:
			keep = true
		case c == '-' && !keep:
			strip = true
		case c >= '1' && c <= '9' && indent == 0:
			indent = int(c - '0')
		default:
			continue
		}
		r.pos++
	}
	if !r.blankAt(0) {
		return false, false, 0, r.fail("more than one value")
	}
	line := r.line
	r.end = line
	for r.peek(0) == ' ' || r.peek(0) == '\t' {
		r.pos++
	}
	if r.peek(0) == '#' {
		r.lineEnd()
	}
	if r.pos == len(r.data) {
		return keep, strip, indent, nil
	}
	if r.peek(0) != '\n' {
		return false, false, 0, r.fail("more than one value")
	}
	r.newline()
	return keep, strip, indent, nil
}

// blockIndent returns the column of the first line with text, but not less than minimum or than the
// column of the blank lines before it.
func (r *Reader) blockIndent(minimum int) int {
	column := 0
	for _, c := range r.data[r.pos:] {
		switch c {
		case '\n':
			minimum, column = max(minimum, column), 0
		case ' ':
			column++
		default:
			return max(minimum, column)
		}
	}
	return max(minimum, column)
}

// blockBreaks skips blank lines and the indentation of the next line of a block
// scalar, and returns the number of lines.
func (r *Reader) blockBreaks(indent int) int {
	n := 0
	for {
		for r.pos < len(r.data) && r.data[r.pos] == ' ' && r.column() < indent {
			r.pos++
		}
		if r.peek(0) != '\n' {
			return n
		}
		r.newline()
		n++
	}
}
