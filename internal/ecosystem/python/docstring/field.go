package docstring

import "strings"

// fields are the fields of Sphinx (":param x:") and Epydoc ("@param x:").
type fields struct {
	order  []string
	groups map[string][]entry
	types  map[string]string
	parser *parser
}

// fieldLabels maps fields to their labels and records whether a field has a name.
var fieldLabels = map[string]struct {
	label string
	named bool
}{
	"param": {"Parameters", true}, "parameter": {"Parameters", true}, "arg": {"Parameters", true}, "argument": {"Parameters", true},
	"key": {"Keyword arguments", true}, "keyword": {"Keyword arguments", true}, "kwarg": {"Keyword arguments", true}, "kwparam": {"Keyword arguments", true},
	"type": {"", true}, "vartype": {"", true}, "kwtype": {"", true}, "paramtype": {"", true},
	"ivar": {"Attributes", true}, "cvar": {"Attributes", true}, "var": {"Attributes", true},
	"return": {"Returns", false}, "returns": {"Returns", false}, "rtype": {"Returns", false}, "returntype": {"Returns", false},
	"yield": {"Yields", false}, "yields": {"Yields", false}, "ytype": {"Yields", false},
	"raise": {"Raises", true}, "raises": {"Raises", true}, "except": {"Raises", true}, "exception": {"Raises", true},
	"deprecated": {"Deprecated", false}, "since": {"Since", false}, "note": {"Note", false}, "see": {"See also", false}, "todo": {"", false},
	"meta": {"", true},
}

// field reads a field that begins at line i. next is the index of the line after
// the field. ok is false if there is none.
func (p *parser) field(i int) (next int, ok bool) {
	line := strings.TrimLeft(p.lines[i], " ")
	indent := len(p.lines[i]) - len(line)
	if len(line) < 4 || line[0] != ':' && line[0] != '@' || indent > 8 {
		return 0, false
	}
	head, rest, colon := cutField(line[1:])
	if !colon {
		return 0, false
	}
	word, name, _ := strings.Cut(head, " ")
	f, known := fieldLabels[word]
	if !known || f.named && strings.TrimSpace(name) == "" || !f.named && strings.TrimSpace(name) != "" {
		return 0, false
	}
	p.flush()
	body, next := indentedBy(p.lines, i+1, indent+1)
	// A description that continues without indentation ends at an empty line.
	for len(body) == 0 && next < len(p.lines) && indentOf(p.lines[next]) == indent && !startsField(p.lines[next]) && !strings.HasPrefix(p.lines[next], "..") {
		rest += " " + strings.TrimSpace(p.lines[next])
		next++
	}
	doc := append([]string{strings.TrimSpace(rest)}, body...)
	name = strings.TrimSpace(name)
	if p.fields.groups == nil {
		p.fields = fields{groups: map[string][]entry{}, types: map[string]string{}, parser: p}
	}
	text := strings.Join(strings.Fields(strings.Join(doc, " ")), " ")
	switch {
	case word == "rtype" || word == "returntype" || word == "ytype":
		p.fields.types[f.label] = text
		p.fields.add(f.label, entry{}, false)
	case word == "deprecated":
		p.out.Deprecated = p.convert(doc)
	case f.label == "" && f.named:
		p.fields.types[name] = text
	case f.label == "":
	case f.label == "Raises":
		p.fields.add(f.label, entry{typ: name, doc: doc}, true)
	case f.named:
		e := entry{name: name, doc: doc}
		if space := strings.LastIndexByte(name, ' '); space > 0 {
			e.typ, e.name = name[:space], name[space+1:]
		}
		p.fields.add(f.label, e, true)
	default:
		p.fields.add(f.label, entry{doc: doc}, true)
	}
	return next, true
}

func startsField(line string) bool {
	line = strings.TrimLeft(line, " ")
	return line != "" && (line[0] == ':' || line[0] == '@')
}

// cutField splits text such as "param x: text" at its colon. ok is false for any other text.
func cutField(s string) (head, rest string, ok bool) {
	depth := 0
	for i := range min(len(s), 200) {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '`':
			return "", "", false
		case ':':
			if depth <= 0 && (i+1 == len(s) || s[i+1] == ' ') {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// add adds an entry under a label. An empty entry only reserves the place of the label.
func (f *fields) add(label string, e entry, filled bool) {
	if _, known := f.groups[label]; !known {
		f.order = append(f.order, label)
		f.groups[label] = nil
	}
	if filled {
		f.groups[label] = append(f.groups[label], e)
	}
}

// blocks returns the fields as Markdown.
func (f *fields) blocks() []string {
	var all []string
	for _, label := range f.order {
		entries := f.groups[label]
		for i := range entries {
			if entries[i].typ == "" {
				entries[i].typ = f.types[entries[i].name]
			}
		}
		switch label {
		case "Returns", "Yields":
			typ := f.types[label]
			if len(entries) == 0 {
				entries = []entry{{}}
			}
			entries[0].typ = typ
			if typ == "" {
				all = append(all, "**"+label+":** "+f.parser.convert(entries[0].doc))
				continue
			}
		case "Since", "Note", "See also":
			for _, e := range entries {
				all = append(all, "**"+label+":** "+f.parser.convert(e.doc))
			}
			continue
		}
		all = append(all, "**"+label+":**\n\n"+f.parser.list(entries))
	}
	return all
}
