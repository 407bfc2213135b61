package doctext

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// fieldKind is the form in which a field is written.
type fieldKind uint8

const (
	labelField     fieldKind = iota // a labelled paragraph
	parameterField                  // "- Parameter x: text"
	parametersField
	exampleField
	deprecatedField
	droppedField
)

// fieldKinds maps the names of fields in Swift's markup and in DocC, in lower
// case, to their kinds.
var fieldKinds = map[string]struct {
	label string
	kind  fieldKind
}{
	"parameter": {"", parameterField}, "param": {"", parameterField}, "parameters": {"", parametersField},
	"returns": {label: "Returns"}, "return": {label: "Returns"}, "throws": {label: "Throws"},
	"attention": {label: "Attention"}, "bug": {label: "Bug"}, "complexity": {label: "Complexity"}, "experiment": {label: "Experiment"},
	"important": {label: "Important"}, "info": {label: "Info"}, "invariant": {label: "Invariant"}, "note": {label: "Note"}, "notes": {label: "Notes"},
	"postcondition": {label: "Postcondition"}, "precondition": {label: "Precondition"}, "preconditions": {label: "Precondition"},
	"remark": {label: "Remark"}, "remarks": {label: "Remarks"}, "requires": {label: "Requires"}, "seealso": {label: "See also"}, "see": {label: "See also"},
	"since": {label: "Since"}, "tip": {label: "Tip"}, "version": {label: "Version"}, "warning": {label: "Warning"},
	"mutatingvariant": {label: "Mutating variant"}, "nonmutatingvariant": {label: "Nonmutating variant"}, "recommended": {label: "Recommended"},
	"example": {"", exampleField}, "examples": {"", exampleField},
	"deprecated": {"", deprecatedField}, "deprecationsummary": {"", deprecatedField},
	"author": {"", droppedField}, "authors": {"", droppedField}, "copyright": {"", droppedField}, "date": {"", droppedField}, "tag": {"", droppedField},
	"todo": {"", droppedField}, "keyword": {"", droppedField}, "recommendedover": {"", droppedField}, "localizationkey": {"", droppedField},
}

// entry is one parameter.
type entry struct{ name, doc string }

// field reads the field that begins at line i. If there is none, next is i.
func (p *parser) field(lines []string, i int) (next int) {
	content, _, ok := item(lines[i])
	if !ok {
		return i
	}
	word, name, rest, ok := cutField(content)
	if !ok {
		if !strings.EqualFold(content, "parameters") || i+1 == len(lines) {
			return i
		}
		if _, indent, is := item(lines[i+1]); !is || indent < 2 {
			return i
		}
		word = content
	}
	f, known := fieldKinds[strings.ToLower(word)]
	if !known || (name != "") != (f.kind == parameterField) {
		return i
	}
	body, next := itemBody(lines, i, rest)
	p.flush()
	switch f.kind {
	case parameterField:
		p.parameter(entry{name, p.nested(body)})
	case parametersField:
		if len(body) == 0 || !hasItem(body) {
			// The items of this list are not indented.
			for next < len(lines) {
				one, end := p.unindented(lines, next)
				if end == next {
					break
				}
				p.parameter(one)
				next = end
			}
		}
		for _, e := range p.entries(body) {
			p.parameter(e)
		}
	case exampleField:
		p.examples(body)
	case deprecatedField:
		p.deprecated(body)
	case labelField:
		p.block(labelled(f.label, p.nested(body)))
	}
	return next
}

// deprecated reads a deprecation notice, which is one paragraph. The lines after
// it are part of the text.
func (p *parser) deprecated(lines []string) {
	notice, rest, _ := strings.Cut(p.nested(lines), "\n\n")
	if before, code, ok := strings.Cut(notice, "\n```"); ok {
		notice, rest = before, strings.TrimRight("```"+code+"\n\n"+rest, "\n")
	}
	if p.out.Deprecated == "" {
		p.out.Deprecated = strings.Join(strings.Fields(notice), " ")
	}
	p.flush()
	p.block(rest)
}

// parameter adds a parameter. All parameters are listed at the position of the
// first one.
func (p *parser) parameter(e entry) {
	if p.pos == 0 {
		p.blocks = append(p.blocks, "")
		p.pos = len(p.blocks)
	}
	p.parameters = append(p.parameters, e)
}

// unindented reads a parameter at the same indentation as "- Parameters:", which
// should be indented. It also returns the index of the line after it, or i if
// there is no parameter.
func (p *parser) unindented(lines []string, i int) (entry, int) {
	content, _, ok := item(lines[i])
	if !ok {
		return entry{}, i
	}
	name, rest, ok := cutName(content)
	if _, known := fieldKinds[strings.ToLower(name)]; !ok || known || strings.HasPrefix(strings.ToLower(name), "parameter ") {
		return entry{}, i
	}
	body, next := itemBody(lines, i, rest)
	return entry{name, p.nested(body)}, next
}

func hasItem(lines []string) bool {
	for _, l := range lines {
		if _, _, ok := item(l); ok {
			return true
		}
	}
	return false
}

// entries reads the list below "- Parameters:".
func (p *parser) entries(lines []string) []entry {
	var all []entry
	for i := 0; i < len(lines); {
		content, _, ok := item(lines[i])
		if !ok { // This is text between the items.
			end := i + 1
			for end < len(lines) {
				if _, _, ok := item(lines[end]); ok {
					break
				}
				end++
			}
			if text := p.nested(lines[i:end]); text != "" {
				all = append(all, entry{doc: text})
			}
			i = end
			continue
		}
		name, rest, named := cutName(content)
		if !named {
			name, rest = "", content
		}
		body, next := itemBody(lines, i, rest)
		all = append(all, entry{name, p.nested(body)})
		i = next
	}
	return all
}

// nested converts the lines of a field.
func (p *parser) nested(lines []string) string {
	in := parser{o: p.o, depth: p.depth, linked: p.linked}
	in.o.Page = true // A field cannot contain fields.
	in.lines(trimEmpty(lines))
	in.flush()
	return strings.Join(in.blocks, "\n\n")
}

// aside reads a block quote that is an aside, "> Note: text". next is the index
// of the line after it, or i if there is none.
func (p *parser) aside(lines []string, i int) (next int) {
	content := strings.TrimLeft(lines[i], " >")
	word, rest, ok := strings.Cut(content, ":")
	f, known := fieldKinds[strings.ToLower(strings.TrimSpace(strings.Trim(word, "*")))]
	if !ok || !known || f.kind == parameterField || f.kind == parametersField {
		return i
	}
	body := []string{strings.TrimSpace(strings.TrimPrefix(rest, "**"))}
	for next = i + 1; next < len(lines); next++ {
		line := strings.TrimLeft(lines[next], " ")
		if line == "" || line[0] != '>' && (startsBlock(line) || opens(line) != "") {
			break
		}
		if quoted, is := strings.CutPrefix(line, ">"); is {
			line = strings.TrimPrefix(quoted, " ")
		}
		body = append(body, line)
	}
	p.flush()
	label := f.label
	switch f.kind {
	case droppedField:
		return next
	case exampleField:
		label = "Example"
	case deprecatedField:
		label = "Deprecated"
	}
	p.block(labelled(label, p.nested(body)))
	return next
}

// examples reads an example field. Each block of code becomes an example,
// together with the prose before it.
func (p *parser) examples(lines []string) {
	var prose []string
	for i := 0; i < len(lines); {
		code, next := codeBlock(lines, i, len(trimEmpty(prose)) > 0)
		if next == i {
			prose = append(prose, lines[i])
			i++
			continue
		}
		i = next
		if code != "" && len(p.out.Examples) < maxExamples {
			p.out.Examples = append(p.out.Examples, apidoc.Example{Doc: p.nested(prose), Code: code})
			prose = nil
		}
	}
	if text := p.nested(prose); text != "" {
		p.block(labelled("Example", text))
	}
}

// codeBlock reads the code that begins at line i. The code is between fences or
// is indented. Indented code must follow an empty line or be at the beginning.
// next is the index of the line after the code, or i if there is none. behind is true if the code
// follows other text.
func codeBlock(lines []string, i int, behind bool) (code string, next int) {
	if fence := opens(lines[i]); fence != "" {
		end := i + 1
		for end < len(lines) && !closes(lines[end], fence) {
			end++
		}
		return strings.Join(trimEmpty(markup.Dedent(lines[i+1:end])), "\n"), min(end+1, len(lines))
	}
	if !strings.HasPrefix(lines[i], "    ") || behind && i > 0 && strings.TrimSpace(lines[i-1]) != "" {
		return "", i
	}
	end := i
	for end < len(lines) && (strings.HasPrefix(lines[end], "    ") || strings.TrimSpace(lines[end]) == "") {
		end++
	}
	return strings.Join(trimEmpty(markup.Dedent(lines[i:end])), "\n"), end
}

// item returns the content of a list item and the indentation of its marker. ok
// is false for other lines.
func item(line string) (content string, indent int, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	indent = len(line) - len(trimmed)
	if len(trimmed) < 3 || trimmed[0] != '-' && trimmed[0] != '*' && trimmed[0] != '+' || trimmed[1] != ' ' {
		return "", 0, false
	}
	return strings.TrimLeft(trimmed[2:], " "), indent, true
}

// itemBody returns the lines of the list item at line i, beginning with first,
// and the index of the line after it.
func itemBody(lines []string, i int, first string) (body []string, next int) {
	_, indent, _ := item(lines[i])
	end, empty := i+1, false
	var rest []string
	for j := i + 1; j < len(lines); j++ {
		trimmed := strings.TrimLeft(lines[j], " ")
		if trimmed == "" {
			rest = append(rest, "")
			empty = true
			continue
		}
		if n := len(lines[j]) - len(trimmed); n <= indent {
			if empty || startsBlock(trimmed) || opens(trimmed) != "" {
				break
			}
			// A paragraph may continue without indentation.
			rest = append(rest, strings.Repeat(" ", indent+1)+trimmed)
		} else {
			rest = append(rest, strings.TrimRight(lines[j], " \t"))
		}
		empty = false
		end = j + 1
	}
	rest = markup.Dedent(rest[:end-i-1])
	if first = strings.TrimSpace(first); first != "" {
		rest = append([]string{first}, rest...)
	}
	return trimEmpty(rest), end
}

// startsBlock reports whether a line ends the paragraph before it.
func startsBlock(line string) bool {
	if _, _, ok := item(line); ok {
		return true
	}
	return line[0] == '#' || line[0] == '>' || line[0] == '@' && directiveName(line) != ""
}

// cutField splits "Parameter x: text" into its parts. ok is false for other
// texts.
func cutField(content string) (word, name, rest string, ok bool) {
	head, rest, ok := cutName(content)
	if !ok {
		return "", "", "", false
	}
	word, name, _ = strings.Cut(head, " ")
	return word, strings.Trim(strings.TrimSpace(name), "`"), rest, true
}

// cutName splits "name: text" at the colon. It removes emphasis and quotes around
// the name. ok is false if it is not the name of a parameter.
func cutName(content string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(content, ":")
	if !ok || len(name) > maxName {
		return "", "", false
	}
	if strings.HasPrefix(name, "*") {
		rest = strings.TrimLeft(rest, "*")
	}
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "*`"))
	if name == "" || strings.ContainsAny(name, "()[]{}<>\"!?;\\") {
		return "", "", false
	}
	if words := strings.Fields(name); len(words) > 3 && !strings.Contains(name, ",") {
		return "", "", false
	}
	return name, rest, true
}

// maxName is the maximum length of the name of a parameter, in bytes.
const maxName = 200

// labelled puts a label before text. Before a list or code, the label is on a separate line.
func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	if _, _, list := item(text); list || opens(text) != "" || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "    ") {
		return "**" + label + ":**\n\n" + text
	}
	return "**" + label + ":** " + text
}

// list returns parameters as a Markdown list.
func list(entries []entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- ")
		if e.name != "" {
			b.WriteString("`" + strings.ReplaceAll(e.name, "`", "") + "`")
		}
		if e.doc != "" {
			if e.name != "" {
				b.WriteString(": ")
			}
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(e.doc, "\n", "\n  "), "\n  \n", "\n\n"))
		}
	}
	return b.String()
}

func trimEmpty(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
