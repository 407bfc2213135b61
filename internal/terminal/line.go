package terminal

import (
	"cmp"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// Piece is a part of a line.
type Piece struct {
	Text string
	Look Look
}

// Look is how a piece of a line looks.
type Look int

// These are the looks of pieces.
const (
	Plain  Look = iota
	Strong      // the most important text
	Faint       // the least important text
	Match       // characters that match a query
	Marked      // text that the user is looking for
)

var lookStyles = [...]style{Strong: bold, Faint: dim, Match: bold | accent, Marked: reverse}

// maxPiece is the maximum number of bytes of a piece that are read.
const maxPiece = 4000

// Line returns pieces as one line that fills a number of columns. Text that does not fit is
// replaced by an ellipsis. A selected line is in reverse video.
func Line(columns int, selected bool, pieces ...Piece) string {
	if columns <= 0 {
		return ""
	}
	var base style
	if selected {
		base = reverse
	}
	spans := make([]span, 0, len(pieces))
	for _, p := range pieces {
		text := clean([]byte(p.Text[:min(len(p.Text), maxPiece)]))
		spans = append(spans, span{text: text, style: lookStyles[p.Look] | base})
	}
	line := cut(spans, columns)
	if width(line) > columns { // The line is very narrow and the character is wide.
		line = Fit(line, columns)
	}
	return line + base.apply(strings.Repeat(" ", columns-width(line)))
}

// Columns returns the number of columns that text takes up on a line.
func Columns(text string) int {
	return displaywidth.String(clean([]byte(text[:min(len(text), maxPiece)])))
}

// Clean returns text on one line without control characters, as Line shows it.
func Clean(text string) string { return clean([]byte(text)) }

// Wrap returns text on lines of at most a number of columns, broken at the ends of words.
func Wrap(text string, columns int) []string {
	return wrap([]span{{text: clean([]byte(text))}}, max(columns, 1))
}

// hanging is the further indentation of the rest of a line that Text has broken.
const hanging = 4

// Text returns plain text with lines of at most that number of columns. Longer lines are broken
// between words, and continuation lines are indented further.
func Text(text string, columns int) string {
	columns = max(columns, minWidth)
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "        ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		rest := strings.Repeat(" ", min(indent+hanging, columns/2))
		for {
			head, tail := breakLine(line, indent, columns)
			b.WriteString(strings.TrimRight(head, " ") + "\n")
			if tail == "" {
				break
			}
			line, indent = rest+tail, len(rest)
		}
	}
	return b.String()
}

// breakLine breaks a line after the last word that fits, or within a word that does not fit. The
// indentation is no place to break it.
func breakLine(line string, indent, columns int) (head, tail string) {
	used, space := 0, 0
	for i, r := range line {
		if r == ' ' && i > indent {
			space = i
		}
		if used += displaywidth.Rune(r); used <= columns {
			continue
		}
		space = cmp.Or(space, i)
		return line[:space], strings.TrimLeft(line[space:], " ")
	}
	return line, ""
}

// Fit returns a line of text from Render, padded or cut to a number of columns.
func Fit(line string, columns int) string {
	if n := width(line); n <= columns {
		return line + strings.Repeat(" ", columns-n)
	}
	var b strings.Builder
	used, full := 0, false
	for line != "" {
		if line[0] == '\x1b' {
			end := sequence().FindString(line)
			b.WriteString(end)
			line = line[max(len(end), 1):]
			continue
		}
		text, rest := line, ""
		if i := strings.IndexByte(line, '\x1b'); i >= 0 {
			text, rest = line[:i], line[i:]
		}
		for graphemes := displaywidth.StringGraphemes(text); !full && graphemes.Next(); {
			if full = used+graphemes.Width() > columns; !full {
				b.WriteString(graphemes.Value())
				used += graphemes.Width()
			}
		}
		line = rest
	}
	return b.String() + strings.Repeat(" ", columns-used)
}

// OneLine returns text as one line of at most that many columns, without control characters.
func OneLine(text string, columns int) string {
	return strings.TrimRight(Bare(Line(columns, false, Piece{Text: text})), " ")
}

// sequence matches a control sequence that Render writes.
var sequence = lazyregexp.New("^(?:\x1b\\[[0-9;]*m|\x1b\\]8;;[^\x1b]*\x1b\\\\)")

// Bare returns a line of text from Render without its control sequences.
func Bare(line string) string {
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(line, "\x1b")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		rest = "\x1b" + rest
		line = rest[max(len(sequence().FindString(rest)), 1):]
	}
}

// colors matches control sequences that set styles, including colours.
var colors = lazyregexp.New("\x1b\\[[0-9;]*m")

// WithoutColor returns a line without the colours that Render gives it. It keeps other styles.
func WithoutColor(line string) string {
	return colors().ReplaceAllStringFunc(line, func(s string) string {
		var rest []string
		for code := range strings.SplitSeq(s[2:len(s)-1], ";") {
			if len(code) != 2 || code[0] != '3' {
				rest = append(rest, code)
			}
		}
		if len(rest) == 0 {
			return ""
		}
		return "\x1b[" + strings.Join(rest, ";") + "m"
	})
}
