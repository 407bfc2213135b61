package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/docent-mcp/docent/internal/highlight"
)

// Result is one of the results of a search.
type Result struct {
	Title string
	// Note describes the kind and the place of the result.
	Note string
	// Code is a declaration, or "" if there is none, and Info is its language.
	Code, Info string
	// Text is a sentence about the purpose of the result, or "" if it is unknown.
	Text string
}

// linesOfResult is the maximum number of lines of a result.
const linesOfResult = 3

// Fitting returns how many results fit on a number of lines, but at least one.
func Fitting(lines int) int { return max(lines/linesOfResult, 1) }

// Results returns a numbered list of results, with at most three lines for each, none of
// which is wider than the terminal.
func Results(all []Result, o Options) string {
	o.Width = max(o.Width, minWidth)
	digits := len(strconv.Itoa(len(all)))
	indent := strings.Repeat(" ", digits+2)
	var b strings.Builder
	for i, r := range all {
		title := []span{
			{text: fmt.Sprintf("%*d", digits, i+1), style: dim}, {text: "  "},
			{text: oneLine(r.Title), style: bold}, {text: "  "}, {text: oneLine(r.Note), style: dim},
		}
		b.WriteString(cut(title, o.Width) + "\n")
		var lexis *highlight.Lexis
		if o.Lexis != nil {
			lexis = o.Lexis(r.Info)
		}
		if lexis == nil {
			lexis = &highlight.Lexis{}
		}
		if code := oneLine(withoutComments(r.Code, lexis)); code != "" {
			line := []span{{text: indent}}
			for class, piece := range highlight.Each(code, lexis) {
				line = append(line, span{text: piece, style: classStyles[class]})
			}
			b.WriteString(cut(line, o.Width) + "\n")
		}
		if text := withoutMarks.Replace(oneLine(r.Text)); text != "" {
			b.WriteString(cut([]span{{text: indent}, {text: text}}, o.Width) + "\n")
		}
	}
	return b.String()
}

// withoutComments returns code without its comments.
func withoutComments(code string, lexis *highlight.Lexis) string {
	var b strings.Builder
	for class, piece := range highlight.Each(code, lexis) {
		if class != highlight.Comment {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// withoutMarks removes the markup for code and emphasis from a sentence of Markdown.
var withoutMarks = strings.NewReplacer("`", "", "**", "")

// oneLine returns text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(clean([]byte(text))), " ") }

// cut returns the spans on one line of at most limit columns. An ellipsis replaces the rest.
func cut(spans []span, limit int) string {
	total := 0
	for _, s := range spans {
		total += displaywidth.String(s.text)
	}
	if total > limit {
		limit--
	}
	w := wrapper{limit: limit}
	for _, s := range spans {
		if w.piece(s); len(w.lines) > 0 {
			break
		}
	}
	if len(w.lines) == 0 {
		w.newline()
	}
	if total > limit {
		return w.lines[0] + (dim | spans[0].style&reverse).apply("…")
	}
	return w.lines[0]
}
