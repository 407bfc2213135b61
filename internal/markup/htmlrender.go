package markup

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// render returns an element as Markdown.
func (c *converter) render(f *frame) string {
	text := f.text.String()
	switch f.name {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		title := strings.Join(strings.Fields(text), " ")
		switch {
		case title == "":
			return ""
		case c.within("td", "th", "li", "a", "summary") != 0:
			return title
		}
		return "\n\n" + strings.Repeat("#", int(f.name[1]-'0')) + " " + title + "\n\n"
	case "b", "strong":
		return emphasis(text, "**")
	case "i", "em":
		return emphasis(text, "*")
	case "code", "kbd", "samp", "tt":
		return span(text)
	case "a":
		return anchor(text, attribute(f.attributes, "href"))
	case "summary":
		title := strings.Trim(strings.Join(strings.Fields(text), " "), "*# ")
		if title == "" {
			return ""
		}
		return "\n\n**" + title + "**\n\n"
	case "pre":
		return "\n\n" + fencedCode(text, f.attributes) + "\n\n"
	case "blockquote":
		return "\n\n" + indented(strings.TrimSpace(tidy(text)), "> ", "> ") + "\n\n"
	case "li":
		return c.item(text)
	case "ul", "ol":
		if i := c.within("li"); i != 0 {
			return "\n" + strings.Trim(text, "\n")
		}
		return "\n\n" + strings.Trim(text, "\n") + "\n\n"
	case "dt":
		return "\n\n" + emphasis(strings.Join(strings.Fields(text), " "), "**") + "\n"
	case "dd":
		return strings.TrimSpace(text) + "\n"
	case "td", "th":
		return c.cell(text)
	case "tr":
		return ""
	case "table":
		return table(f)
	}
	return text
}

func emphasis(text, mark string) string {
	inner := strings.TrimSpace(text)
	if inner == "" || strings.Contains(inner, "\n\n") || strings.Contains(inner, "*") || strings.HasPrefix(inner, "![") {
		return text
	}
	start := strings.Index(text, inner)
	return text[:start] + mark + inner + mark + text[start+len(inner):]
}

func span(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	mark := "`"
	if !strings.Contains(text, mark) {
		return mark + text + mark
	}
	for strings.Contains(text, mark) && len(mark) < 100 {
		mark += "`"
	}
	return mark + " " + text + " " + mark
}

func anchor(text, href string) string {
	inner := strings.TrimSpace(text)
	switch {
	case inner == "":
		return ""
	case href == "" || strings.Contains(inner, "\n\n") || strings.ContainsAny(href, " ()\n"):
		return text
	}
	start := strings.Index(text, inner)
	return text[:start] + "[" + strings.Join(strings.Fields(inner), " ") + "](" + href + ")" + text[start+len(inner):]
}

// fencedCode returns a code block; the element's class may name the language.
func fencedCode(code string, attributes []html.Attribute) string {
	language := ""
	for class := range strings.FieldsSeq(attribute(attributes, "class") + " lang-" + attribute(attributes, "lang")) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
			if name, ok := strings.CutPrefix(class, prefix); ok && name != "" && language == "" && len(name) < 20 {
				language = strings.Trim(name, "`~")
			}
		}
	}
	code = strings.Trim(code, "\n")
	if inner := strings.TrimSpace(code); strings.HasPrefix(inner, "```") && strings.HasSuffix(inner, "```") && strings.Count(inner, "```") == 2 && len(inner) >= 6 {
		return inner // the HTML already contains Markdown
	}
	fence := Fence(code)
	return fence + language + "\n" + code + "\n" + fence
}

// item returns a list item as Markdown.
func (c *converter) item(text string) string {
	mark := "- "
	if i := len(c.frames) - 2; i > 0 && c.frames[i].name == "ol" {
		c.frames[i].items++
		mark = strconv.Itoa(c.frames[i].items) + ". "
	}
	text = strings.TrimSpace(tidy(text))
	if text == "" {
		return ""
	}
	return "\n" + indented(text, mark, strings.Repeat(" ", len(mark)))
}

// indented prefixes the first line of text with a mark and the others with spaces.
func indented(text, mark, others string) string {
	return mark + strings.ReplaceAll(text, "\n", "\n"+others)
}

// cell escapes the text of a table cell.
func (c *converter) cell(text string) string {
	i := c.within("table")
	row := c.within("tr")
	if i == 0 {
		return text
	}
	t := c.frames[i]
	if row < i { // The cell is not in a row.
		if len(t.rows) == 0 {
			t.rows = append(t.rows, nil)
		}
	} else if c.frames[row].items == 0 {
		t.rows = append(t.rows, nil)
		c.frames[row].items++
	}
	if last := len(t.rows) - 1; len(t.rows[last]) < maxCells {
		t.rows[last] = append(t.rows[last], strings.TrimSpace(text))
	}
	return ""
}

// maxCells is the maximum number of cells in a table row.
const maxCells = 64

// table returns rows as a table if each cell is one line and there are several
// columns. Otherwise it returns them as paragraphs.
func table(f *frame) string {
	columns, tall := 0, false
	var rows [][]string
	for _, row := range f.rows {
		full := false
		for i, cell := range row {
			if strings.Trim(WithoutImages(cell), " \n|-") != "" {
				full = true
			} else {
				row[i] = ""
			}
			tall = tall || strings.Contains(cell, "\n\n") || strings.Contains(cell, "```") || strings.Contains(cell, "\n- ")
		}
		if full {
			rows = append(rows, row)
			columns = max(columns, len(row))
		}
	}
	var b strings.Builder
	b.WriteString("\n\n")
	if text := strings.TrimSpace(f.text.String()); text != "" {
		b.WriteString(text + "\n\n")
	}
	for i, row := range rows {
		if columns == 1 || tall {
			for _, cell := range row {
				if cell != "" {
					b.WriteString(cell + "\n\n")
				}
			}
			continue
		}
		for j := range columns {
			cell := ""
			if j < len(row) {
				cell = strings.ReplaceAll(strings.Join(strings.Fields(row[j]), " "), "|", `\|`)
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", columns) + "|\n")
		}
	}
	b.WriteString("\n")
	return b.String()
}
