package docstring

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// admonitions are directives whose content is text under a label.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "tip": "Tip", "important": "Important", "caution": "Caution", "danger": "Danger", "hint": "Hint",
	"attention": "Attention", "error": "Error", "seealso": "See also", "todo": "Todo",
	"versionadded": "Added in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version",
	"versionremoved": "Removed in version", "deprecated-removed": "Deprecated since version",
}

// codes are directives whose content is code.
var codes = map[string]bool{
	"code-block": true, "code": true, "sourcecode": true, "ipython": true, "prompt": true, "doctest": true, "testcode": true, "testoutput": true,
	"parsed-literal": true, "literal": true, "plot": true, "jupyter-execute": true, "code-cell": true, "try_examples": true, "command-output": true,
}

// shownDirectives are directives whose content is shown as text.
var shownDirectives = map[string]bool{
	"container": true, "only": true, "topic": true, "sidebar": true, "centered": true, "admonition": true, "compound": true, "epigraph": true,
	"figure": true, "tab": true, "tabs": true, "tab-set": true, "tab-item": true, "dropdown": true, "details": true, "collapse": true, "rst-class": true,
	"class": true, "autoclass": true, "function": true, "py:function": true, "method": true, "attribute": true, "data": true, "exception": true,
	"describe": true, "option": true, "confval": true, "glossary": true, "grid": true, "grid-item-card": true, "card": true, "md-tab-item": true,
	"tabularcolumns": true, "py:class": true, "py:method": true, "py:attribute": true, "py:data": true, "c:function": true, "group-tab": true, "code-tab": true,
}

// hiddenDirectives are directives whose content is only for tools that generate pages:
// lists of pages, settings, pictures, and code that runs before an example.
var hiddenDirectives = map[string]bool{
	"toctree": true, "contents": true, "include": true, "literalinclude": true, "index": true, "meta": true, "raw": true, "highlight": true, "sectnum": true,
	"module": true, "currentmodule": true, "image": true, "role": true, "default-role": true, "target-notes": true, "testsetup": true, "testcleanup": true,
	"bibliography": true, "graphviz": true, "graph": true, "digraph": true, "mermaid": true, "uml": true, "inheritance-diagram": true, "bokeh-plot": true,
	"altair-plot": true, "plotly": true, "ifconfig": true, "productionlist": true, "minigallery": true, "jupyter-kernel": true, "youtube": true, "video": true,
	"click": true, "argparse": true, "program-output": true, "plot_directive": true, "nbgallery": true, "sqlformat": true, "footbibliography": true,
}

// explicit reads a block that begins with "..": a directive, a target, a footnote
// or a comment. It returns the index of the line after the block.
func (c *converter) explicit(i int) int {
	c.flush()
	line := strings.TrimPrefix(strings.TrimPrefix(c.ls[i], ".."), " ")
	body, next := indented(c.ls, i+1)
	body = splitIndented(c.ls, i+1, body)
	if next == i {
		next = i + 1
	}
	switch {
	case strings.HasPrefix(line, "["): // The block is a footnote or citation.
		if name, rest, ok := strings.Cut(line[1:], "]"); ok {
			text := convert(append([]string{strings.TrimSpace(rest)}, body...), c.targets, c.depth+1)
			c.add("[" + strings.TrimPrefix(name, "#") + "] " + text)
			return next
		}
	case strings.HasPrefix(line, "_") || strings.HasPrefix(line, "|"):
		return next
	}
	name, argument, ok := strings.Cut(line, "::")
	name = strings.ToLower(strings.TrimSpace(name))
	if !ok || name == "" || strings.Contains(name, " ") {
		return next // a comment
	}
	c.directive(name, strings.TrimSpace(argument), body)
	return next
}

// withoutOptions removes the ":option: value" lines at the beginning of a
// directive.
func withoutOptions(body []string) []string {
	body = trimEmpty(body)
	for len(body) > 0 && strings.HasPrefix(body[0], ":") && strings.Contains(body[0][1:], ":") {
		body = body[1:]
	}
	return trimEmpty(body)
}

func (c *converter) directive(name, argument string, body []string) {
	label, admonition := admonitions[name]
	switch {
	case admonition && strings.Contains(label, "version"):
		version, rest, _ := strings.Cut(argument, " ")
		text := convert(append([]string{strings.TrimSpace(rest)}, body...), c.targets, c.depth+1)
		if text != "" {
			text = ": " + text
		} else {
			text = "."
		}
		c.add(label + " " + version + text)
	case admonition:
		text := convert(append([]string{argument, ""}, body...), c.targets, c.depth+1)
		if argument != "" {
			rest := withoutOptions(body)
			if len(body) > 0 && body[0] == "" {
				rest = append([]string{""}, rest...)
			}
			text = convert(append([]string{argument}, rest...), c.targets, c.depth+1)
		}
		c.add("**" + label + ":** " + text)
	case codes[name]:
		language := argument
		if i := strings.IndexByte(language, ' '); i >= 0 {
			language = language[:i]
		}
		switch {
		case pythonNames[language]:
			language = "python"
		case language == "none" || language == "text":
			language = ""
		}
		body = withoutOptions(body)
		if argument == "" {
			language = languageOf(body)
		}
		c.fence(language, body)
	case name == "math":
		if argument != "" {
			body = append([]string{argument}, body...)
		}
		c.fence("math", withoutOptions(body))
	case name == "raw" && argument == "html" && slices.ContainsFunc(body, func(l string) bool { return strings.Contains(l, "<p>") }):
		// Paragraphs contain prose, as client generators write it; other HTML is decoration.
		c.add(markup.FromHTML(strings.Join(body, "\n")))
	case name == "rubric":
		c.add("**" + inline(argument, c.targets) + "**")
	case name == "list-table":
		c.listTable(argument, withoutOptions(body))
	case name == "csv-table" || name == "table":
		if argument != "" {
			c.add("**" + inline(argument, c.targets) + "**")
		}
		c.add(convert(withoutOptions(body), c.targets, c.depth+1))
	case shownDirectives[name]:
		if argument != "" && name != "container" && name != "only" && name != "figure" && name != "tabularcolumns" && name != "rst-class" {
			if strings.Contains(argument, "(") || strings.Contains(name, "class") || strings.Contains(name, "attr") {
				argument = code(argument)
			} else {
				argument = "**" + inline(argument, c.targets) + "**"
			}
			c.add(argument)
		}
		c.add(convert(withoutOptions(body), c.targets, c.depth+1))
	case !hiddenDirectives[name] && !strings.HasPrefix(name, "auto") && !strings.Contains(name, ":"): // The directive is an admonition that the project defines.
		if text := convert(withoutOptions(body), c.targets, c.depth+1); text != "" {
			label := strings.TrimSpace(strings.ToUpper(name[:1]) + name[1:] + " " + inline(argument, c.targets))
			c.add(labelled(label, text))
		}
	}
}

// listTable converts a table that is written as a list of lists.
func (c *converter) listTable(title string, body []string) {
	if title != "" {
		c.add("**" + inline(title, c.targets) + "**")
	}
	var rows [][]string
	var cell []string
	flush := func() {
		if n := len(rows); n > 0 && cell != nil {
			rows[n-1] = append(rows[n-1], oneLine(convert(markup.Dedent(cell), c.targets, c.depth+1)))
		}
		cell = nil
	}
	for _, l := range body {
		rest, row := strings.CutPrefix(l, "* -")
		switch {
		case row:
			flush()
			rows = append(rows, nil)
			cell = []string{strings.TrimSpace(rest)}
		case strings.HasPrefix(l, "  -"):
			flush()
			cell = []string{strings.TrimSpace(l[3:])}
		default:
			cell = append(cell, strings.TrimSpace(l))
		}
	}
	flush()
	c.table(rows, true)
}

// pythonNames are the names of Python as the language of a block of code.
var pythonNames = map[string]bool{
	"python": true, "python3": true, "py": true, "py3": true, "pycon": true, "pycon3": true, "python-console": true, "ipython": true, "default": true,
}
