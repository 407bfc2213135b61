package source

import "strings"

// Doc returns the text of the documentation comment, without markers and without the
// indentation of its first line of text. Lines are separated by line breaks.
func (d *Decl) Doc() string { return cleanComment(d.Comment) }

// cleanComment removes the markers from documentation comments. It also removes the
// indentation of the first line of text from all lines, and omits other comments in
// between.
func cleanComment(comment string) string {
	if comment == "" {
		return ""
	}
	if text, ok := cleanLines(comment); ok {
		return text
	}
	return cleanBlocks(comment)
}

// cleanBlocks is like cleanComment, for comments of all kinds.
func cleanBlocks(comment string) string {
	var b strings.Builder
	b.Grow(len(comment))
	lines := commentLines{rest: comment}
	indent := 0
	for found := false; !found; {
		line, ok := lines.next()
		if !ok {
			break
		}
		if n := blanks(line); n < len(line) {
			indent, found = n, true
		}
	}
	lines = commentLines{rest: comment}
	for first := true; ; first = false {
		line, ok := lines.next()
		if !ok {
			return b.String()
		}
		if !first {
			b.WriteByte('\n')
		}
		b.WriteString(line[min(indent, blanks(line)):])
	}
}

// cleanLines is like cleanComment, for comments in which each line begins with ///, as
// most do. It returns false for other comments.
func cleanLines(comment string) (text string, ok bool) {
	var b strings.Builder
	b.Grow(len(comment))
	indent := -1 // indent is the indentation of the first line of text, or -1 before it is known.
	for i := 0; ; {
		start := i + blanks(comment[i:])
		if start == len(comment) {
			return b.String(), true
		}
		if !strings.HasPrefix(comment[start:], "///") {
			return "", false
		}
		end := lineEnd(comment, start)
		line := strings.TrimSuffix(comment[start+3:end], "\r")
		n := blanks(line)
		if indent < 0 {
			switch {
			case n < len(line):
				indent = n
			case n > 0:
				return "", false
			}
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line[min(max(indent, 0), n):])
		i = end
	}
}

// blanks returns the length of the white space at the beginning of a line.
func blanks(line string) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] >= '\t' && line[i] <= '\r') {
		i++
	}
	return i
}

// commentLines splits comments into lines without markers.
type commentLines struct {
	rest string
	// block is the unread rest of a /** */ comment. column is the column at which the
	// comment began, and stars whether its lines begin with stars.
	block   string
	inBlock bool
	column  int
	stars   bool
}

// next returns the next line. ok is false after the last line.
func (l *commentLines) next() (line string, ok bool) {
	if l.inBlock {
		return l.blockLine(), true
	}
	for {
		n := blanks(l.rest)
		blank := l.rest[:n]
		l.rest = l.rest[n:]
		switch {
		case strings.HasPrefix(l.rest, "/*"):
			column := n - 1 - strings.LastIndexByte(blank, '\n')
			end := blockEnd(l.rest, 0)
			text, isDoc := strings.CutPrefix(l.rest[:end], "/**")
			l.rest = l.rest[end:]
			if isDoc && l.open(text, column) {
				return l.blockLine(), true
			}
		case strings.HasPrefix(l.rest, "//"):
			end := lineEnd(l.rest, 0)
			text, isDoc := strings.CutPrefix(l.rest[:end], "///")
			l.rest = l.rest[end:]
			if isDoc {
				return strings.TrimSuffix(text, "\r"), true
			}
		default:
			return "", false
		}
	}
}

// open begins a /** */ comment with the text after its opening marker. It reports whether this text is a
// line of the comment; empty text is not.
func (l *commentLines) open(text string, column int) bool {
	if t, ok := strings.CutSuffix(text, "*/"); ok {
		text = t
	} else {
		text = strings.TrimSuffix(text, "/")
	}
	l.column, l.stars = column, false
	if first, rest, more := strings.Cut(text, "\n"); more && strings.TrimSuffix(first, "\r") == "" {
		l.stars = starred(rest, column) > 0
		text = rest
	} else if text == "" {
		return false
	}
	l.block, l.inBlock = text, true
	return true
}

// blockLine returns the next line of a /** */ comment.
func (l *commentLines) blockLine() string {
	var line string
	line, l.block, l.inBlock = strings.Cut(l.block, "\n")
	if l.stars {
		line = line[starred(line, l.column):]
	}
	l.inBlock = l.inBlock && l.block != ""
	return strings.TrimSuffix(line, "\r")
}

// starred returns the length of the indentation and star at the beginning of a comment
// line that is at the given column, or 0 if there is no star.
func starred(line string, column int) int {
	if len(line) < column || strings.Trim(line[:column], " ") != "" {
		return 0
	}
	switch rest := line[column:]; {
	case strings.HasPrefix(rest, " * "):
		return column + 3
	case rest == " *", strings.HasPrefix(rest, " *\n"), strings.HasPrefix(rest, " *\r"):
		return column + 2
	}
	return 0
}
