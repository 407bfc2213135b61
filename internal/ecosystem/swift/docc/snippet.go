package docc

import (
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// snippet returns the code of a snippet, which is a file below Snippets in the
// package's root, or a slice of the code. The path begins with the name of the
// package. ok is false if there is no such snippet.
func (c *Catalogue) snippet(name, slice string) (code string, ok bool) {
	_, rest, _ := strings.Cut(name, "Snippets/")
	if rest == "" || c.shown > maxAllShown {
		return "", false
	}
	text, ok := c.shorten(path.Join("Snippets", rest+".swift"))
	if !ok {
		return "", false
	}
	code = Snippet(text, slice)
	return code, code != ""
}

// Snippet returns the code of a snippet, or the slice with the given name. It omits
// hidden lines, markers, and the comment that describes the snippet.
func Snippet(text, slice string) string {
	const mark = "snippet."
	var out []string
	hidden, current, described := false, "", true
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if described && strings.HasPrefix(trimmed, "//!") {
			continue
		}
		if comment, ok := strings.CutPrefix(trimmed, "//"); ok {
			if comment, ok = strings.CutPrefix(strings.TrimSpace(comment), mark); ok {
				word, argument, _ := strings.Cut(comment, " ")
				switch word = strings.ToLower(strings.TrimSpace(word)); {
				case word == "hide":
					hidden = true
				case word == "show":
					hidden = false
				case word == "end":
					current = ""
				case word == "slice" || strings.HasPrefix(comment, "name:"):
					current = strings.TrimSpace(argument)
				default:
					current = strings.TrimSpace(comment)
				}
				continue
			}
		}
		described = described && trimmed == ""
		if !hidden && (slice == "" || slice == current) {
			out = append(out, strings.TrimRight(line, " \t\r"))
		}
	}
	return strings.Trim(strings.Join(markup.Dedent(out), "\n"), "\n")
}
