package filetest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Structures generate texts of n parts each that are easy to write but can be slow to read: many of
// the same construct, nested constructs, and constructs without an end. The texts are Markdown,
// Markdown with HTML, or Go comments.
var Structures = map[string]func(n int) string{
	"contents":              repeated("- [x](#x)\n"),
	"contents in a section": func(n int) string { return "## Usage\n\n" + strings.Repeat("- [x](#x)\n", n) },
	"contents, numbered":    func(n int) string { return numbered(n, "- [x%](#x%)\n") },
	"items":                 repeated("- x\n"),
	"numbered items":        func(n int) string { return numbered(n, " %. x\n") },
	"items with lines":      repeated("  - x\n    y\n\n    z\n"),
	"deep items":            func(n int) string { return nested(n, "  ", "- x\n") },
	"quotes":                func(n int) string { return strings.Repeat("> ", n) + "x\n" },
	"headings":              func(n int) string { return numbered(n, "# h%\n\nx\n\n") },
	"same headings":         repeated("## h\n\nx\n\n"),
	"underlined headings":   repeated("h\n=\n\nx\n\n"),
	"idle headings":         repeated("## Sponsors\n\n[x](#y)\n\n"),
	"one heading":           func(n int) string { return "# " + strings.Repeat("x ", n) + "\n" },
	"links":                 repeated("[x](y) "),
	"links within":          repeated("[x](#h) [y](./z)\n"),
	"links, nested":         func(n int) string { return strings.Repeat("[", n) + "x" + strings.Repeat("](y)", n) },
	"links, unclosed":       func(n int) string { return "[a](#b) " + strings.Repeat("[x", n) },
	"links, half":           func(n int) string { return "[a](#b) " + strings.Repeat("[x](", n) },
	"links, bracketed":      func(n int) string { return "[a](#b) [" + strings.Repeat("[x] ", n) },
	"empty links":           repeated("a [](x) "),
	"brackets":              func(n int) string { return "[a](#b) " + strings.Repeat("[", n) },
	"references": func(n int) string {
		return numbered(n, "[x][r%] ") + "\n\n" + numbered(n, "[r%]: https://h.example/%\n")
	},
	"definitions":         func(n int) string { return "![a][r1]\n\ntext\n\n" + numbered(n, "[r%]: https://h.example/%\n") },
	"labels":              repeated("[x]:\n"),
	"images":              repeated("![x](y) "),
	"images, linked":      repeated("[![x](y)](z)\n"),
	"images, nested":      func(n int) string { return strings.Repeat("![", n) + strings.Repeat("](x)", n) },
	"images, unclosed":    repeated("![x "),
	"anchors":             repeated("<a name=\"x\"></a>\n"),
	"anchors in headings": func(n int) string { return numbered(n, "## <a id=\"x%\"></a> h\n\n") },
	"one line":            repeated("word "),
	"one word":            repeated("word"),
	"sentences":           repeated("e.g. X. x. "),
	"emphasis":            repeated("*x_ "),
	"emphasis, nested":    func(n int) string { return strings.Repeat("*", n) + "x" + strings.Repeat("_", n) },
	"backticks":           repeated("`x "),
	"backticks, growing":  func(n int) string { return growing(n, "`") },
	"fences":              repeated("```\nx\n```\n"),
	"fences, unclosed":    repeated("```x\n"),
	"fences, growing":     func(n int) string { return growing(n, "~") },
	"indented code":       repeated("\n    x\n"),
	"table":               repeated("| x | y |\n"),
	"table, wide":         func(n int) string { return strings.Repeat("| x ", n) + "|\n" + strings.Repeat("| - ", n) + "|\n" },
	"escapes":             repeated("\\[\\`\\"),
	"entities":            repeated("&amp;&#x41;&"),
	"front matter":        func(n int) string { return "---\n" + strings.Repeat("a: b\n", n) },
	"rules":               repeated("---\n\n"),
	"blank lines":         repeated("\n \n"),
	"tags":                repeated("<b>x</b> "),
	"tags, nested":        func(n int) string { return strings.Repeat("<b>", n) + "x" + strings.Repeat("</b>", n) },
	"tags, blocks":        func(n int) string { return strings.Repeat("<blockquote>x\n", n) + strings.Repeat("</blockquote>", n) },
	"tags, lists":         func(n int) string { return strings.Repeat("<ul><li>x\n", n) },
	"tags, tables":        func(n int) string { return strings.Repeat("<table><tr><td>x\n", n) },
	"tags, mixed":         func(n int) string { return strings.Repeat("<ul><li><b><blockquote><table><tr><td>x", n) },
	"tags, unopened":      repeated("</div></li></td>"),
	"tags, unclosed":      repeated("<b <i <a href=\"x "),
	"tags, attributes":    func(n int) string { return "<a " + strings.Repeat("x=y ", n) + ">x</a>" },
	"tags, rows":          func(n int) string { return "<table>" + strings.Repeat("<tr><td>x<td>![a](b)", n) + "</table>" },
	"tags, preformatted":  repeated("<pre>`x\n"),
	"comments":            repeated("<!-- x -->"),
	"comments, unclosed":  repeated("<!-- x "),
	"angles":              repeated("<"),
	"components":          repeated("<Card x=\"y\">\n"),
	"braces":              repeated("{/* x "),
	"doc links":           repeated("[Type.Method] [pkg.Name] "),
	"addresses":           repeated("https://h.example/x "),
	"address":             func(n int) string { return "https://h.example/" + strings.Repeat("x", n) },
	"deprecations":        repeated("Deprecated: x\n\n"),
}

func repeated(part string) func(n int) string {
	return func(n int) string { return strings.Repeat(part, n) }
}

// numbered repeats a part with its number in place of "%".
func numbered(n int, part string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(part, "%", strconv.Itoa(i+1)))
	}
	return b.String()
}

// nested indents each part one level deeper than the previous one, and starts again after 300
// levels.
func nested(n int, indent, part string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(indent, i%300))
		b.WriteString(part)
	}
	return b.String()
}

// growing returns runs of a character that get longer, up to a length of 300.
func growing(n int, mark string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(mark, 1+i%300) + " x\n")
	}
	return b.String()
}

// Markdown returns text of nested and successive structures, which depends only on the arguments.
func Markdown(seed uint64, parts int) string {
	r := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // tests need the same text again
	names := slices.Sorted(maps.Keys(Structures))
	var b strings.Builder
	for range parts {
		text := Structures[names[r.IntN(len(names))]](1 + r.IntN(8))
		switch r.IntN(4) {
		case 0:
			text = "> " + strings.ReplaceAll(text, "\n", "\n> ")
		case 1:
			text = "- " + strings.ReplaceAll(text, "\n", "\n  ")
		case 2:
			text = text[:r.IntN(len(text))]
		}
		b.WriteString(text)
		b.WriteString([]string{"\n\n", "\n", " ", ""}[r.IntN(4)])
	}
	return b.String()
}
