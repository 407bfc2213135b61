package docstring

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Doc is a docstring, taken apart.
type Doc struct {
	// Text is Markdown without the examples.
	Text       string
	Examples   []apidoc.Example
	Deprecated string
}

// Clean removes the indentation of a docstring as inspect.cleandoc does.
func Clean(s string) string {
	if strings.IndexByte(s, '\t') >= 0 {
		s = expandTabs(s)
	}
	lines := strings.Split(s, "\n")
	margin := -1
	for _, l := range lines[1:] {
		content := strings.TrimLeft(l, " ")
		if content != "" && strings.TrimSpace(l) != "" {
			if indent := len(l) - len(content); margin < 0 || indent < margin {
				margin = indent
			}
		}
	}
	lines[0] = strings.TrimLeft(lines[0], " ")
	if margin > 0 {
		for i := 1; i < len(lines); i++ {
			lines[i] = lines[i][min(margin, len(lines[i])):]
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

func expandTabs(s string) string {
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 8 - column%8
			b.WriteString("        "[:n])
			column += n
		case '\n', '\r':
			b.WriteRune(r)
			column = 0
		default:
			b.WriteRune(r)
			column++
		}
	}
	return b.String()
}

// Parse converts a docstring without indentation to Markdown.
func Parse(text string) Doc { return Doc{Text: text} }
