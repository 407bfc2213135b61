package docstring

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// maxProse is the maximum number of bytes of reStructuredText that are converted.
const maxProse = 8 << 20

// Markdown converts reStructuredText to Markdown: headings, lists, literal blocks, doctests,
// tables, directives, roles, links and substitutions. It omits comments, and directives that only
// Sphinx can execute.
func Markdown(rst string) string {
	if len(rst) > maxProse {
		rst = strings.ToValidUTF8(rst[:maxProse], "")
	}
	if strings.IndexByte(rst, '\t') >= 0 {
		rst = expandTabs(rst)
	}
	ls := lines(rst)
	t := readTargets(ls)
	return convert(ls, &t, 0)
}

// targets contains the meanings of the references and substitutions in text.
type targets struct {
	links map[string]string
	// anonymous are the targets of the links without a name that follow, in order.
	anonymous     []string
	substitutions map[string]string
	// adornments are the characters that underline headings, in the order of the headings' levels.
	adornments []string
}

// readTargets finds ".. _name: url", ".. __: url", "__ url" and ".. |name| replace:: text".
func readTargets(ls []string) targets {
	t := targets{}
	for i, l := range ls {
		l = strings.TrimLeft(l, " ")
		if url, ok := strings.CutPrefix(l, "__ "); ok {
			t.anonymous = append(t.anonymous, strings.TrimSpace(url))
		}
		if !strings.HasPrefix(l, ".. ") {
			continue
		}
		l = l[3:]
		switch {
		case strings.HasPrefix(l, "__: "):
			t.anonymous = append(t.anonymous, strings.TrimSpace(l[4:]))
		case strings.HasPrefix(l, "_"):
			name, url, ok := cutTarget(l[1:])
			if url == "" && i+1 < len(ls) {
				if next := strings.TrimSpace(ls[i+1]); strings.HasPrefix(next, "http") {
					url = next
				}
			}
			if ok && strings.Contains(url, "://") {
				if t.links == nil {
					t.links = map[string]string{}
				}
				t.links[strings.ToLower(name)] = url
			}
		case strings.HasPrefix(l, "|"):
			name, rest, ok := strings.Cut(l[1:], "|")
			if !ok {
				continue
			}
			kind, text, _ := strings.Cut(strings.TrimSpace(rest), "::")
			if t.substitutions == nil {
				t.substitutions = map[string]string{}
			}
			switch kind {
			case "replace":
				t.substitutions[name] = strings.TrimSpace(text)
			case "image", "date", "unicode":
				t.substitutions[name] = ""
			}
		}
	}
	return t
}

// cutTarget returns the name and the URL in "name: url" or "`a name`: url". ok is
// false for any other text.
func cutTarget(s string) (name, url string, ok bool) {
	if strings.HasPrefix(s, "`") {
		name, rest, ok := strings.Cut(s[1:], "`:")
		return name, strings.TrimSpace(rest), ok
	}
	name, url, ok = strings.Cut(s, ":")
	return name, strings.TrimSpace(url), ok
}

// converter writes the blocks of one text.
type converter struct {
	ls      []string
	targets *targets
	depth   int
	out     []string
	para    []string
	// tableless is the index of a line before which no table ends, so that the end of a table is
	// not searched for again.
	tableless int
}

// convert converts lines whose common indentation has been removed.
func convert(ls []string, t *targets, depth int) string {
	ls = trimEmpty(ls)
	if len(ls) == 0 {
		return ""
	}
	if depth > maxNested {
		return strings.Join(ls, "\n")
	}
	c := converter{ls: ls, targets: t, depth: depth}
	for i := 0; i < len(c.ls); {
		next := c.block(i)
		if next <= i { // A line that matches no rule is text.
			c.para = append(c.para, c.ls[i])
			next = i + 1
		}
		i = next
	}
	c.flush()
	return strings.Join(c.out, "\n\n")
}

func (c *converter) add(text string) {
	c.flush()
	if text != "" {
		c.out = append(c.out, text)
	}
}

// flush writes the current paragraph.
func (c *converter) flush() {
	if len(c.para) == 0 {
		return
	}
	text := strings.Join(c.para, "\n")
	c.para = nil
	text = inline(text, c.targets)
	if rest, ok := strings.CutSuffix(text, "::"); ok { // A literal block follows.
		text = strings.TrimRight(rest, " \n")
		if text != "" {
			text += ":"
		}
	}
	if text != "" {
		c.out = append(c.out, text)
	}
}

// block reads the block at line i and returns the index of the line after it.
func (c *converter) block(i int) int {
	line := c.ls[i]
	if line == "" {
		literal := len(c.para) > 0 && strings.HasSuffix(c.para[len(c.para)-1], "::")
		c.flush()
		if literal {
			return c.literal(i + 1)
		}
		return i + 1
	}
	if next := c.heading(i); next > i {
		return next
	}
	switch {
	case strings.HasPrefix(line, ">>>"):
		end := i
		for end < len(c.ls) && c.ls[end] != "" {
			end++
		}
		c.fence("python", c.ls[i:end])
		return end
	case strings.HasPrefix(line, "```"):
		end := i + 1
		for end < len(c.ls) && !strings.HasPrefix(c.ls[end], "```") {
			end++
		}
		end = min(end+1, len(c.ls))
		c.add(strings.Join(c.ls[i:end], "\n"))
		return end
	case line == ".." || strings.HasPrefix(line, ".. "):
		return c.explicit(i)
	case strings.HasPrefix(line, "__ "):
		return i + 1
	case len(c.para) == 0 && line[0] == ' ':
		return c.quote(i)
	case strings.HasPrefix(line, "+-") || strings.HasPrefix(line, "+="):
		return c.gridTable(i)
	case strings.HasPrefix(line, "==") && strings.Trim(line, "= ") == "" && strings.Contains(line, " "):
		return c.simpleTable(i)
	case strings.HasPrefix(line, "| ") && len(c.para) == 0:
		return c.lineBlock(i)
	case len(c.para) == 0 && line[0] == ':':
		return c.fieldList(i)
	}
	if listMark(line) > 0 && len(c.para) == 0 {
		return c.list(i)
	}
	if len(c.para) == 0 && i+1 < len(c.ls) && indentOf(c.ls[i+1]) > 0 && !strings.HasSuffix(line, "::") {
		return c.definition(i)
	}
	return i
}

// fence writes a block of code.
func (c *converter) fence(language string, ls []string) {
	ls = trimEmpty(ls)
	if len(ls) == 0 {
		return
	}
	text := strings.Join(ls, "\n")
	mark := markup.Fence(text)
	c.add(mark + language + "\n" + text + "\n" + mark)
}

// literal writes the literal block that follows "::". It returns the index of the
// line after the block, or of the first line with text if there is no block.
func (c *converter) literal(i int) int {
	for i < len(c.ls) && c.ls[i] == "" {
		i++
	}
	if i == len(c.ls) || c.ls[i][0] != ' ' {
		return i
	}
	body, next := indented(c.ls, i)
	c.fence(languageOf(body), body)
	return next
}

// languageOf guesses whether code is Python. It returns "" if it is not.
func languageOf(ls []string) string {
	for _, l := range ls[:min(len(ls), 20)] {
		switch {
		case strings.HasPrefix(l, ">>>"), strings.HasPrefix(l, "import "), strings.HasPrefix(l, "from "), strings.HasPrefix(l, "def "),
			strings.HasPrefix(l, "class "), strings.HasPrefix(l, "@"), strings.Contains(l, " = ") && !strings.HasPrefix(l, "$"):
			return "python"
		case strings.HasPrefix(l, "$ "):
			return "console"
		}
	}
	return ""
}

// heading reads a title with a line of adornment below it, or with lines above and below it. It
// returns the index of the line after them, or i if there is no title.
func (c *converter) heading(i int) int {
	if len(c.para) > 0 || c.depth > 0 {
		return i
	}
	over := adornment(c.ls[i])
	title := i
	if over != 0 {
		title = i + 1
		if title >= len(c.ls) || c.ls[title] == "" {
			if len(c.ls[i]) >= 4 && (title >= len(c.ls) || c.ls[title] == "") && !strings.Contains(c.ls[i], " ") {
				c.add("---")
				return i + 1
			}
			return i
		}
	}
	if title+1 >= len(c.ls) || c.ls[title] == "" {
		return i
	}
	under := adornment(c.ls[title+1])
	if under == 0 || over != 0 && under != over {
		return i
	}
	text := strings.TrimSpace(c.ls[title])
	if over == 0 && (c.ls[title][0] == ' ' || len(c.ls[title+1]) < min(3, len(text))) || utf8.RuneCountInString(text) > len(c.ls[title+1])+2 {
		return i
	}
	mark := string(rune(under))
	if over != 0 {
		mark += mark
	}
	level := -1
	for k, m := range c.targets.adornments {
		if m == mark {
			level = k
		}
	}
	if level < 0 {
		c.targets.adornments = append(c.targets.adornments, mark)
		level = len(c.targets.adornments) - 1
	}
	c.add(strings.Repeat("#", min(level+1, 6)) + " " + inline(text, c.targets))
	return title + 2
}

// adornment returns the character of a line below or above a heading, such as
// '=' for "=====", and 0 for any other line.
func adornment(line string) byte {
	if len(line) < 2 || strings.IndexByte("=-~^\"'`*+#:._<>!$%&,/;?@|", line[0]) < 0 {
		return 0
	}
	if strings.Trim(line, line[:1]) != "" || len(line) == 2 && line[0] == ':' || line == ".." || line == "..." || line == "``" {
		return 0
	}
	return line[0]
}

// quote writes an indented paragraph as a quotation, or as a block of code if it
// is code. It returns the index of the line after the paragraph.
func (c *converter) quote(i int) int {
	body, next := indented(c.ls, i)
	if isCode(body) {
		c.fence("python", body)
		return next
	}
	if text := convert(body, c.targets, c.depth+1); text != "" {
		c.add("> " + strings.ReplaceAll(text, "\n", "\n> "))
	}
	return next
}

// listMark returns the width of the list marker at the beginning of a line, or 0 if there is none.
func listMark(line string) int {
	if len(line) < 2 {
		return 0
	}
	if strings.IndexByte("*-+", line[0]) >= 0 && line[1] == ' ' {
		return len(line) - len(strings.TrimLeft(line[1:], " "))
	}
	if strings.HasPrefix(line, "• ") {
		return len("• ")
	}
	n := 0
	if line[0] == '(' {
		n = 1
	}
	start := n
	for n < len(line) && n < 6 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == start && n < len(line) && (line[n] == '#' || start == 1 && unicode.IsLetter(rune(line[n]))) {
		n++
	}
	if n == start || n+1 >= len(line) || line[n] != '.' && line[n] != ')' || line[n+1] != ' ' {
		return 0
	}
	return n + 2
}

// list writes the items of a list. It returns the index of the line after the
// list.
func (c *converter) list(i int) int {
	var b strings.Builder
	loose := false
	for n := 0; i < len(c.ls); n++ {
		line := c.ls[i]
		m := listMark(line)
		if m == 0 {
			break
		}
		bullet := "- "
		if strings.IndexByte("*-+", line[0]) < 0 && !strings.HasPrefix(line, "•") {
			bullet = strings.TrimLeft(line[:m], "(")
			if bullet[0] == '#' {
				bullet = "1. "
			} else {
				bullet = strings.TrimRight(bullet, ".) ") + ". "
			}
		}
		text := []string{line[m:]}
		// A line that follows belongs to the item even if it is not indented.
		end := i + 1
		for end < len(c.ls) && c.ls[end] != "" && indentOf(c.ls[end]) == 0 && listMark(c.ls[end]) == 0 && !strings.HasPrefix(c.ls[end], ".. ") && !strings.HasPrefix(c.ls[end], ">>>") {
			text = append(text, c.ls[end])
			end++
		}
		body, next := indented(c.ls, end)
		item := convert(append(text, splitIndented(c.ls, end, body)...), c.targets, c.depth+1)
		if n > 0 {
			b.WriteByte('\n')
			if loose {
				b.WriteByte('\n')
			}
		}
		pad := strings.Repeat(" ", len(bullet))
		b.WriteString(bullet + strings.ReplaceAll(strings.ReplaceAll(item, "\n", "\n"+pad), "\n"+pad+"\n", "\n\n"))
		loose = strings.Contains(item, "\n\n")
		i = max(next, end)
		for i < len(c.ls) && c.ls[i] == "" {
			i++
		}
		if i < len(c.ls) && listMark(c.ls[i]) == 0 {
			break
		}
	}
	c.add(b.String())
	return i
}

// splitIndented returns the indented body of an item. An empty line before the
// body is kept, so that the body becomes a separate paragraph.
func splitIndented(ls []string, i int, body []string) []string {
	if len(body) > 0 && i < len(ls) && ls[i] == "" {
		return append([]string{""}, body...)
	}
	return body
}

// definition writes a term with an indented definition, or a line with the code
// below it. It returns the index of the line after them.
func (c *converter) definition(i int) int {
	var b strings.Builder
	for n := 0; i+1 < len(c.ls) && c.ls[i] != "" && indentOf(c.ls[i]) == 0 && indentOf(c.ls[i+1]) > 0 && listMark(c.ls[i]) == 0 && !strings.HasPrefix(c.ls[i], ".. "); n++ {
		body, next := indented(c.ls, i+1)
		if strings.HasSuffix(c.ls[i], ":") && isCode(body) {
			c.add(b.String())
			c.add(inline(c.ls[i], c.targets))
			c.fence("python", body)
			return next
		}
		text := convert(body, c.targets, c.depth+1)
		if n > 0 {
			b.WriteByte('\n')
		}
		term := inline(c.ls[i], c.targets)
		if strings.HasSuffix(term, ":") {
			term += " "
		} else {
			term += ": "
		}
		if listMark(text) > 0 {
			text = "\n" + text
		}
		b.WriteString("- " + term + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n"))
		i = next
		for i < len(c.ls) && c.ls[i] == "" {
			i++
		}
	}
	c.add(b.String())
	return i
}

// lineBlock writes lines that begin with "| ". It returns the index of the line
// after them.
func (c *converter) lineBlock(i int) int {
	var all []string
	for i < len(c.ls) && (strings.HasPrefix(c.ls[i], "| ") || c.ls[i] == "|") {
		all = append(all, inline(strings.TrimPrefix(c.ls[i][1:], " "), c.targets))
		i++
	}
	c.add(strings.Join(all, "  \n"))
	return i
}

// fieldList writes fields of the form ":name: text". It returns the index of the line after the
// fields.
func (c *converter) fieldList(i int) int {
	var all []string
	for i < len(c.ls) && c.ls[i] != "" && c.ls[i][0] == ':' {
		name, rest, ok := strings.Cut(c.ls[i][1:], ":")
		if !ok || name == "" || rest != "" && rest[0] != ' ' {
			break
		}
		body, next := indented(c.ls, i+1)
		text := convert(append([]string{strings.TrimSpace(rest)}, body...), c.targets, c.depth+1)
		all = append(all, "- "+name+": "+strings.ReplaceAll(text, "\n", "\n  "))
		i = next
	}
	if len(all) > 0 {
		c.add(strings.Join(all, "\n"))
	}
	return i
}
