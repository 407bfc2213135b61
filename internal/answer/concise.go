package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// The functions here remove from a declaration what it repeats and what callers cannot use.

// concise drops empty lines within a declaration, writes a struct without exported
// fields on one line, a Python property as an attribute, and shortens patterns.
func concise(signature string) string {
	signature = withoutPatterns(signature)
	if !strings.Contains(signature, "\n") {
		return signature
	}
	for _, mark := range []string{"@property\n", "@cached_property\n"} {
		rest, ok := strings.CutPrefix(signature, mark)
		name, result, found := strings.Cut(strings.TrimPrefix(rest, "def "), "(self) -> ")
		if ok && found && !strings.Contains(rest, "\n") && strings.HasPrefix(rest, "def ") {
			return mark[:len(mark)-1] + " " + name + ": " + result
		}
	}
	if head, ok := strings.CutSuffix(signature, "{\n\t// Has unexported fields.\n}"); ok {
		return head + "{ … }"
	}
	lines := strings.Split(signature, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" }), "\n")
}

// minPattern is the length from which a pattern is shortened, in bytes.
const minPattern = 40

// withoutPatterns replaces long destructuring patterns of parameters with elided. The type behind a
// pattern, as in f({ a, b, c }: Options), declares the same names. A pattern with defaults is kept.
func withoutPatterns(signature string) string {
	if !strings.Contains(signature, "({ ") && !strings.Contains(signature, ", { ") {
		return signature
	}
	var b strings.Builder
	from := 0
	for i := 2; i < len(signature); i++ {
		if signature[i] != '{' || signature[i-1] != '(' && signature[i-2:i] != ", " {
			continue
		}
		depth, end := 0, i
		for ; end < len(signature) && signature[end] != '\n'; end++ {
			switch signature[end] {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if end+1 >= len(signature) || signature[end] != '}' {
			break // the pattern is cut off, and so are the patterns within it
		}
		pattern := signature[i : end+1]
		typed := strings.TrimPrefix(signature[end+1:], "?")
		if strings.HasPrefix(typed, ": ") && len(pattern) > minPattern && !strings.Contains(pattern, " = ") {
			b.WriteString(signature[from:i] + elided)
			from, i = end+1, end
		}
	}
	return b.String() + signature[from:]
}

// withoutTags drops the tags of struct fields that repeat the names of the fields.
func withoutTags(signature string) string {
	if !strings.Contains(signature, "\"`") {
		return signature
	}
	lines := strings.Split(signature, "\n")
	for i, line := range lines {
		before, tag, ok := strings.Cut(strings.TrimSuffix(line, "`"), "`")
		if !ok || !strings.HasSuffix(line, "\"`") {
			continue
		}
		fields := strings.Fields(before)
		if len(fields) > 1 && repeatsName(tag, fields[0]) {
			lines[i] = strings.TrimRight(before, " \t")
		}
	}
	return strings.Join(lines, "\n")
}

// repeatsName reports whether each value of a struct tag is the name of the field, ignoring case,
// hyphens and underscores, as in `json:"user_id,omitempty"` of UserID.
func repeatsName(tag, name string) bool {
	for pair := range strings.FieldsSeq(tag) {
		_, value, ok := strings.Cut(pair, ":\"")
		value, _, _ = strings.Cut(strings.TrimSuffix(value, "\""), ",")
		if !ok || !strings.EqualFold(strings.NewReplacer("_", "", "-", "").Replace(value), name) {
			return false
		}
	}
	return true
}

// commentText formats documentation for a comment in code. Each paragraph and each list item
// becomes one line. There are no empty lines around labels, and the only item of a list is put on
// the line of its label.
func commentText(doc string) string {
	doc = unwrapped(doc)
	if !strings.Contains(doc, ":**\n") {
		return doc
	}
	var out []string
	lines := strings.Split(doc, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if !isLabel(line) {
			out = append(out, line)
			continue
		}
		for len(out) > 0 && out[len(out)-1] == "" {
			out = out[:len(out)-1]
		}
		label := strings.TrimSuffix(strings.TrimPrefix(line, "**"), "**")
		for i+1 < len(lines) && lines[i+1] == "" {
			i++
		}
		end := i + 1
		for end < len(lines) && lines[end] != "" {
			end++
		}
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "- ") &&
			!slices.ContainsFunc(lines[i+2:end], func(l string) bool { return strings.HasPrefix(l, "- ") }) &&
			(end+1 >= len(lines) || !strings.HasPrefix(lines[end+1], "- ") && !strings.HasPrefix(lines[end+1], " ")) {
			i++
			label += " " + strings.TrimPrefix(lines[i], "- ")
		}
		out = append(out, label)
	}
	return strings.Join(out, "\n")
}

// withoutRepeated returns the members of a type without its generated constructor if that only
// repeats the fields. If comments is false, it also omits the fields that a written constructor
// repeats with their types.
func (r *Renderer) withoutRepeated(t *apidoc.Symbol, members []apidoc.Symbol, comments bool) []apidoc.Symbol {
	isConstructor := func(m apidoc.Symbol) bool { return m.Role() == apidoc.ConstructorRole }
	index := slices.IndexFunc(members, isConstructor)
	if index < 0 || members[index].Doc != "" || slices.ContainsFunc(members[index+1:], isConstructor) {
		return members
	}
	made := members[index].File == t.File && members[index].Line == t.Line // the constructor is generated from the fields
	d := r.parse(&members[index])
	repeated := map[string]bool{}
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), apidoc.ParamPart) {
		if d.Parts[i].Flags&apidoc.Self != 0 {
			continue
		}
		field := slices.IndexFunc(members, func(m apidoc.Symbol) bool { return m.IsField() && r.repeats(d, i, &m) })
		if field < 0 {
			return members
		}
		repeated[members[field].Path] = true
	}
	if len(repeated) == 0 || !made && comments {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), func(m apidoc.Symbol) bool {
		if made {
			return isConstructor(m)
		}
		return repeated[m.Path]
	})
}

// repeats reports whether parameter i of a declaration has the name and the type of a field.
func (r *Renderer) repeats(d *apidoc.Decl, i int, field *apidoc.Symbol) bool {
	f := r.parse(field)
	declaration := f.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 {
		return false
	}
	differs := d.Child(i, apidoc.DefaultPart) < 0 && (d.Parts[i].Flags^f.Parts[declaration].Flags)&apidoc.Optional != 0
	return !differs && d.Child(i, apidoc.LabelPart) < 0 && d.Parts[i].Flags&apidoc.Variadic == 0 &&
		d.ChildText(i, apidoc.NamePart) == f.ChildText(declaration, apidoc.NamePart) &&
		d.ChildText(i, apidoc.TypePart) == f.ChildText(declaration, apidoc.TypePart) && modifiers(d, i) == modifiers(f, declaration)
}

// modifiers returns the modifiers of a part.
func modifiers(d *apidoc.Decl, i int) string {
	var all []string
	for k := range d.Within(i, apidoc.ModifierPart) {
		all = append(all, d.PartText(k))
	}
	return strings.Join(all, " ")
}

// baseName returns the last name of a symbol's path without argument labels.
func baseName(s *apidoc.Symbol) string {
	name, _ := apidoc.CutLabels(s.Name())
	return name
}

// unwrapped joins the lines of each paragraph of Markdown, and of each list item. It returns
// documentation that contains code, a table or a quotation unchanged.
func unwrapped(doc string) string {
	if !strings.Contains(doc, "\n") || !inComments(doc) || strings.Contains(doc, "\n>") || strings.Contains(doc, "  \n") {
		return doc
	}
	var b strings.Builder
	b.Grow(len(doc))
	begun := false // whether the next line continues a paragraph
	for line := range strings.SplitSeq(doc, "\n") {
		text := strings.TrimLeft(line, " ")
		switch {
		case text == "":
			begun = false
		case begun && !beginsItem(text):
			b.WriteByte(' ')
			b.WriteString(text)
			continue
		default:
			begun = !isLabel(text)
		}
		b.WriteByte('\n')
		b.WriteString(line)
	}
	return b.String()[1:]
}

// beginsItem reports whether a line begins an item of a list, or is a label.
func beginsItem(line string) bool {
	if isLabel(line) {
		return true
	}
	number := strings.TrimLeft(line, "0123456789")
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") ||
		len(number) < len(line) && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") "))
}
