package docstring

import (
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// epytextMark matches text in braces that Epydoc marks as code, a link, emphasis and so on, such as
// C{None} or L{the reactor <twisted.internet.reactor>}. The first group is what precedes it.
var epytextMark = lazyregexp.New(`(^|[\s("'\[,/-])([BCILMU])\{([^{}\\$]{1,300})\}`)

// fromEpytext returns a text in which the marks of Epydoc are replaced by those of
// reStructuredText. A text without code or links in Epydoc's form is not changed, nor is one with
// formulas, which contain braces.
func fromEpytext(text string) string {
	if !strings.Contains(text, "C{") && !strings.Contains(text, "L{") || strings.Contains(text, "math:") {
		return text
	}
	return epytextMark().ReplaceAllStringFunc(text, func(mark string) string {
		open := strings.IndexByte(mark, '{')
		before, kind, content := mark[:open-1], mark[open-1], mark[open+1:len(mark)-1]
		title, target, _ := strings.Cut(strings.TrimSuffix(content, ">"), "<")
		title = strings.TrimRight(title, " \n")
		switch {
		case kind == 'I':
			return before + "*" + content + "*"
		case kind == 'B':
			return before + "**" + content + "**"
		case kind == 'U' && target != "":
			return before + "`" + title + " <" + target + ">`_"
		case kind == 'U':
			return before + content
		case kind == 'L' && title != "" && target != "" && strings.ContainsAny(title, " \n"):
			return before + title // The title of a link is prose.
		case kind == 'L':
			return before + "``" + title + "``"
		}
		return before + "``" + content + "``"
	})
}
