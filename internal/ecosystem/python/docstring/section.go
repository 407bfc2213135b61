package docstring

import "strings"

// sectionKind is the kind of content of a section.
type sectionKind uint8

const (
	proseSection  sectionKind = iota + 1
	listSection               // names with types and descriptions
	resultSection             // types, or names with types, with descriptions
	exampleSection
	seeSection // names, each with a description
)

// sectionTitles maps the titles of sections, in lower case, to their labels and
// kinds.
var sectionTitles = map[string]struct {
	label string
	kind  sectionKind
}{
	"args": {"Parameters", listSection}, "arguments": {"Parameters", listSection}, "parameters": {"Parameters", listSection},
	"params": {"Parameters", listSection}, "other parameters": {"Other parameters", listSection}, "other args": {"Other parameters", listSection},
	"keyword args": {"Keyword arguments", listSection}, "keyword arguments": {"Keyword arguments", listSection}, "inputs": {"Parameters", listSection},
	"attributes": {"Attributes", listSection}, "fields": {"Fields", listSection}, "methods": {"Methods", listSection},
	"functions": {"Functions", listSection}, "classes": {"Classes", listSection},
	"returns": {"Returns", resultSection}, "return": {"Returns", resultSection}, "yields": {"Yields", resultSection}, "yield": {"Yields", resultSection},
	"receives": {"Receives", listSection}, "receive": {"Receives", listSection},
	"raises": {"Raises", resultSection}, "raise": {"Raises", resultSection}, "except": {"Raises", resultSection}, "exceptions": {"Raises", resultSection},
	"warns": {"Warns", resultSection}, "warnings": {"Warnings", proseSection}, "warning": {"Warning", proseSection},
	"note": {"Note", proseSection}, "notes": {"Notes", proseSection}, "see also": {"See also", seeSection}, "references": {"References", proseSection},
	"todo": {"Todo", proseSection}, "tip": {"Tip", proseSection}, "important": {"Important", proseSection}, "hint": {"Hint", proseSection},
	"caution": {"Caution", proseSection}, "danger": {"Danger", proseSection}, "attention": {"Attention", proseSection},
	"example": {"Example", exampleSection}, "examples": {"Examples", exampleSection}, "usage": {"Usage", exampleSection},
}

// section reads a section that begins at line i, in Google's or NumPy's form.
// next is the index of the line after the section. ok is false if there is none.
func (p *parser) section(i int) (next int, ok bool) {
	line := p.lines[i]
	if line == "" || line[0] == ' ' || len(line) > 40 {
		return 0, false
	}
	if i+1 < len(p.lines) && isUnderline(p.lines[i+1]) && len(p.lines[i+1]) >= 3 {
		t, known := sectionTitles[strings.ToLower(strings.TrimSuffix(line, ":"))]
		if !known {
			return 0, false
		}
		end := i + 2
		for end < len(p.lines) && !p.numpyTitle(end) {
			end++
		}
		p.flush()
		p.write(t.label, t.kind, trimEmpty(p.lines[i+2:end]), true)
		return end, true
	}
	title, first, colon := strings.Cut(line, ":")
	if !colon {
		return 0, false
	}
	t, known := sectionTitles[strings.ToLower(title)]
	if !known || title[0] < 'A' || title[0] > 'Z' || strings.TrimSpace(first) != "" {
		return 0, false
	}
	j := i + 1
	for j < len(p.lines) && p.lines[j] == "" {
		j++
	}
	if j == len(p.lines) || p.lines[j][0] != ' ' && (t.kind != exampleSection || !strings.HasPrefix(p.lines[j], ">>>") && fenceEnd(p.lines, j) == j) {
		return 0, false
	}
	p.flush()
	if end := fenceEnd(p.lines, j); end > j { // Code in a fence does not have to be indented.
		p.write(t.label, t.kind, p.lines[j:end], false)
		return end, true
	}
	if p.lines[j][0] != ' ' { // Doctests do not have to be indented.
		end := j
		for end < len(p.lines) && p.lines[end] != "" {
			end++
		}
		p.write(t.label, t.kind, p.lines[j:end], false)
		return end, true
	}
	body, next := indented(p.lines, i+1)
	if k := p.innerSection(body); k > 0 && t.kind == listSection && p.within < maxWithin {
		p.write(t.label, t.kind, trimEmpty(body[:k]), false)
		outer := p.lines
		p.lines = body[k:]
		p.within++
		p.parse()
		p.within--
		p.lines = outer
		return next, true
	}
	p.write(t.label, t.kind, body, false)
	return next, true
}

// maxWithin is the maximum nesting depth of sections.
const maxWithin = 3

// innerSection returns the line at which a section of Google's form contains another
// section that is indented like its entries, or 0 if there is none.
func (p *parser) innerSection(body []string) int {
	for i, line := range body {
		title, ok := strings.CutSuffix(line, ":")
		if t := sectionTitles[strings.ToLower(title)]; ok && i > 0 && title != "" && title[0] >= 'A' && title[0] <= 'Z' && (t.kind == resultSection || t.kind == exampleSection) {
			return i
		}
	}
	return 0
}

// numpyTitle reports whether a titled section begins at line i.
func (p *parser) numpyTitle(i int) bool {
	if i+1 >= len(p.lines) || !isUnderline(p.lines[i+1]) || p.lines[i] == "" || p.lines[i][0] == ' ' {
		return false
	}
	n := len(p.lines[i]) - len(p.lines[i+1])
	return n >= -1 && n <= 1 || sectionTitles[strings.ToLower(p.lines[i])].kind != 0
}

// isUnderline reports whether a line consists only of - or =.
func isUnderline(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "-") == "" || strings.Trim(line, "=") == "")
}

// write adds a section. Its entries are in NumPy's form if numpy is true, and otherwise in
// Google's.
func (p *parser) write(label string, kind sectionKind, body []string, numpy bool) {
	if len(body) == 0 {
		return
	}
	switch kind {
	case exampleSection:
		p.examples(body)
		return
	case listSection, resultSection, seeSection:
		var entries []entry
		if numpy {
			entries = numpyEntries(body, kind)
		} else {
			entries = googleEntries(body, kind)
		}
		if len(entries) > 0 {
			p.block("**" + label + ":**\n\n" + p.list(entries))
			return
		}
	}
	p.block(labelled(label, p.convert(body)))
}

// labelled puts a label before text. Before a list, the label is on a separate line.
func labelled(label, text string) string {
	if listMark(text) > 0 || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "|") {
		return "**" + label + ":**\n\n" + text
	}
	return "**" + label + ":** " + text
}

// entry is one item of a section: a name, its type, and its description.
type entry struct {
	name, typ string
	doc       []string
}

// list returns entries as a Markdown list.
func (p *parser) list(entries []entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- ")
		typ := p.inline(e.typ)
		if strings.Count(typ, "`") <= 2 && strings.HasPrefix(typ, "`") && strings.HasSuffix(typ, "`") {
			typ = strings.Trim(typ, "`")
		}
		switch {
		case e.name != "" && typ != "":
			b.WriteString(p.name(e.name) + " (" + typ + ")")
		case e.name != "":
			b.WriteString(p.name(e.name))
		case typ != "":
			b.WriteString(code(typ))
		}
		if text := p.convert(trimEmpty(e.doc)); text != "" {
			if e.name != "" || typ != "" {
				b.WriteString(": ")
			}
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n"))
		}
	}
	return b.String()
}

// name returns the name of an entry, which may have a role: :func:`f`.
func (p *parser) name(s string) string {
	if strings.Contains(s, "`") {
		return p.inline(s)
	}
	return code(s)
}

// code puts a name into quotes, unless it already contains quotes.
func code(s string) string {
	s = strings.ReplaceAll(s, `\*`, "*")
	if strings.Contains(s, "`") {
		return s
	}
	return "`" + s + "`"
}

func (p *parser) inline(s string) string {
	if p.markdown {
		return s
	}
	return inline(s, &p.targets)
}

// numpyEntries reads "name : type" with an indented description.
func numpyEntries(body []string, kind sectionKind) []entry {
	var all []entry
	for i := 0; i < len(body); {
		line := body[i]
		if line == "" {
			i++
			continue
		}
		if line[0] == ' ' || strings.HasPrefix(line, ".. ") { // This is a paragraph between entries.
			doc, next := indentedBy(body, i, indentOf(line))
			if strings.HasPrefix(line, ".. ") {
				doc, next = indented(body, i+1)
				doc = append([]string{line}, indentLines(doc, "   ")...)
			}
			if next <= i {
				next = i + 1
			}
			if n := len(all); n > 0 {
				all[n-1].doc = append(append(all[n-1].doc, ""), doc...)
			} else {
				all = append(all, entry{doc: doc})
			}
			i = next
			continue
		}
		e := entry{}
		name, typ, colon := strings.Cut(line, " : ")
		if !colon {
			name, typ, colon = strings.Cut(line, ": ")
		}
		name = strings.TrimSuffix(strings.TrimSpace(name), " :")
		switch {
		case colon && kind == seeSection:
			e.name, e.doc = name, []string{strings.TrimSpace(typ)}
		case colon:
			e.name, e.typ = name, strings.TrimSpace(typ)
		case kind == resultSection:
			e.typ = name
		default:
			e.name = name
		}
		doc, next := indented(body, i+1)
		e.doc, i = append(e.doc, doc...), next
		if colon && strings.Contains(e.name, " ") && !strings.Contains(e.name, ",") {
			e.doc = append([]string{line}, e.doc...) // The line is prose.
			e.name, e.typ = "", ""
		}
		all = append(all, e)
	}
	return all
}

func indentLines(ls []string, by string) []string {
	out := make([]string, len(ls))
	for i, l := range ls {
		if l != "" {
			out[i] = by + l
		}
	}
	return out
}

// googleEntries reads "name (type): description" with deeper continuation lines.
// A section of results in another form is prose.
func googleEntries(body []string, kind sectionKind) []entry {
	var all []entry
	for i := 0; i < len(body); {
		line := body[i]
		if line == "" {
			i++
			continue
		}
		if end := fenceEnd(body, i); end > i && len(all) > 0 { // Lines of code are not entries.
			last := &all[len(all)-1]
			last.doc = append(append(last.doc, ""), body[i:end]...)
			i = end
			continue
		}
		doc, next := indented(body, i+1)
		if line[0] == ' ' {
			return nil
		}
		name, rest, ok := cutEntry(line)
		if !ok {
			if kind == resultSection || len(all) == 0 {
				return nil
			}
			last := &all[len(all)-1]
			last.doc = append(append(last.doc, line), doc...)
			i = next
			continue
		}
		e := entry{name: name, doc: append([]string{strings.TrimSpace(rest)}, splitIndented(body, i+1, doc)...)}
		if open := strings.Index(name, " ("); open > 0 && strings.HasSuffix(name, ")") {
			e.name, e.typ = name[:open], name[open+2:len(name)-1]
		} else if kind == resultSection {
			e.name, e.typ = "", name
		}
		all = append(all, e)
		i = next
	}
	if kind == resultSection && len(all) == 1 && strings.Contains(all[0].typ, " ") && !strings.ContainsAny(all[0].typ, "[|") {
		return nil
	}
	return all
}

// fenceEnd returns the line after the block of code that begins at line i, or i if there
// is none.
func fenceEnd(ls []string, i int) int {
	if !strings.HasPrefix(ls[i], "```") {
		return i
	}
	for end := i + 1; end < len(ls); end++ {
		if strings.HasPrefix(ls[end], "```") {
			return end + 1
		}
	}
	return i
}

// cutEntry splits a line at the colon that is not within brackets. ok is false if the line is not
// an entry.
func cutEntry(line string) (name, rest string, ok bool) {
	depth := 0
	for i := range len(line) {
		switch line[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth > 0 {
				continue
			}
			if i+1 < len(line) && line[i+1] != ' ' {
				return "", "", false
			}
			name = line[:i]
			words := len(strings.Fields(name))
			if words == 0 || words > 4 && !strings.Contains(name, "(") && !strings.ContainsAny(name, "[,|") {
				return "", "", false
			}
			return name, line[i+1:], true
		}
	}
	return "", "", false
}
