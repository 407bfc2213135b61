package source

import "strings"

// Doc returns the text of the documentation comment: without markers and the
// indentation of its first line with text, the lines joined by line breaks.
func (d *Decl) Doc() string { return CleanComment(d.Comment) }

// CleanComment removes the markers from documentation comments, and the
// indentation of the first line with text from all of them. Other comments between them
// are left out.
func CleanComment(comment string) string {
	if comment == "" {
		return ""
	}
	lines := commentLines(comment)
	if len(lines) == 0 {
		return ""
	}
	indent, size := -1, 0
	for _, line := range lines {
		size += len(line) + 1
		if n := blanks(line); indent < 0 && n < len(line) {
			indent = n
		}
	}
	indent = max(indent, 0)
	var b strings.Builder
	b.Grow(size)
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line[min(indent, blanks(line)):])
	}
	return b.String()
}

// blanks returns the length of the white space that begins a line.
func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " \t\v\f\r")) }

// commentLines splits comments into lines without markers.
func commentLines(text string) []string {
	var lines []string
	for {
		column := len(text) - len(strings.TrimLeft(text, " \t"))
		text = strings.TrimLeft(text, " \t\r\n\v\f\x00")
		switch {
		case strings.HasPrefix(text, "/*"):
			end := blockEnd(text, 0)
			lines = blockLines(lines, text[:end], column)
			text = text[end:]
		case strings.HasPrefix(text, "//"):
			end := lineEnd(text, 0)
			if line := text[:end]; strings.HasPrefix(line, "///") {
				lines = append(lines, strings.TrimSuffix(line[3:], "\r"))
			}
			text = text[end:]
		default:
			return lines
		}
	}
}

// blockLines appends the lines of a comment in /** */ that begins at a column.
// Stars that begin its lines are removed if the first line has one.
func blockLines(lines []string, text string, column int) []string {
	text = strings.TrimPrefix(text, "/**")
	if t, ok := strings.CutSuffix(text, "*/"); ok {
		text = t
	} else {
		text = strings.TrimSuffix(text, "/")
	}
	first, rest, more := strings.Cut(text, "\n")
	stars := false
	if more && strings.TrimSuffix(first, "\r") == "" {
		stars = starred(rest, column) > 0
		first, rest, more = strings.Cut(rest, "\n")
	}
	for {
		if stars {
			first = first[starred(first, column):]
		}
		if more || first != "" {
			lines = append(lines, strings.TrimSuffix(first, "\r"))
		}
		if !more {
			return lines
		}
		first, rest, more = strings.Cut(rest, "\n")
	}
}

// starred returns the length of the indentation and star that begin a line of a
// comment at a column, 0 if there is no star.
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
