package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// The functions in this file remove the parts of a declaration that are repeated or that callers
// cannot use.

// concise returns the declarations of a symbol without empty lines. It writes a type with hidden
// fields on one line, writes a getter like a field, and shortens patterns and the types of components.
func (r *Renderer) concise(s *apidoc.Symbol) *apidoc.Decl {
	return r.short.get(keyOf(s), func() *apidoc.Decl { return withoutWrappers(conciseDecl(r.parse(s), s.IsField()), s) })
}

// conciseOf is like concise, for a declaration that may be a group.
func (r *Renderer) conciseOf(d *decl) *apidoc.Decl {
	if d.group == nil {
		return r.concise(d.first())
	}
	return r.concise(&apidoc.Symbol{Kind: d.first().Kind, Signature: d.group.Signature})
}

func conciseDecl(d *apidoc.Decl, isField bool) *apidoc.Decl {
	declaration := d.Child(-1, apidoc.DeclarationPart)
	switch {
	case declaration < 0:
	case isField && isGetterOf(d, declaration):
		attribute, name, result := d.Child(declaration, apidoc.AttributePart), d.Child(declaration, apidoc.NamePart), d.Child(declaration, apidoc.ResultPart)
		d = replace(d, []edit{{d.Parts[attribute].End, d.Parts[name].Start, " "}, {d.Parts[name].End, d.Parts[result].Start, ": "}})
	case isOpaque(d):
		d = opaque(d, declaration)
	}
	return withoutEmptyLines(withoutPatterns(d))
}

// isGetterOf reports whether a declaration consists of an attribute, a name, a parameter without a
// type for the value that contains the field, and a result.
func isGetterOf(d *apidoc.Decl, declaration int) bool {
	var roles []apidoc.PartRole
	for i := range d.Within(declaration, 0) {
		if roles = append(roles, d.Parts[i].Role); d.Parts[i].Role == apidoc.ParamPart && (d.Parts[i].Flags&apidoc.Self == 0 || d.Child(i, apidoc.TypePart) >= 0) {
			return false
		}
	}
	return slices.Equal(roles, []apidoc.PartRole{apidoc.AttributePart, apidoc.NamePart, apidoc.ParamPart, apidoc.ResultPart})
}

// opaque replaces the comments in a declaration that contains nothing else, including the line
// breaks around them.
func opaque(d *apidoc.Decl, declaration int) *apidoc.Decl {
	start, end := len(d.Text), 0
	for i := range d.Within(declaration, apidoc.CommentPart) {
		start, end = min(start, d.Parts[i].Start), d.Parts[i].End
	}
	start = len(strings.TrimRight(d.Text[:start], " \t\n"))
	end += len(d.Text[end:]) - len(strings.TrimLeft(d.Text[end:], " \t\n"))
	return replace(d, []edit{{start, end, " … "}})
}

// withoutEmptyLines removes empty lines.
func withoutEmptyLines(d *apidoc.Decl) *apidoc.Decl {
	if !strings.Contains(d.Text, "\n") {
		return d
	}
	var edits []edit
	start := 0
	for line := range strings.SplitAfterSeq(d.Text, "\n") {
		if strings.TrimSpace(line) == "" {
			edits = append(edits, edit{start, start + len(line), ""})
		}
		start += len(line)
	}
	return replace(d, edits)
}

// minPattern is the minimum length in bytes of a pattern that is shortened.
const minPattern = 40

// withoutPatterns omits the names in long patterns of parameters, because the type after a pattern,
// as in f({ a, b, c }: Options), declares the same names. It keeps a pattern with defaults.
func withoutPatterns(d *apidoc.Decl) *apidoc.Decl {
	var edits []edit
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Role == apidoc.NamePart && p.Flags&(apidoc.Pattern|apidoc.Optional) == apidoc.Pattern && p.End-p.Start > minPattern && d.Child(p.Parent, apidoc.TypePart) >= 0 {
			edits = append(edits, edit{p.Start + 1, p.End - 1, " … "})
		}
	}
	return replace(d, edits)
}

// withoutTags omits the attributes after field names that only repeat the names.
func withoutTags(d *apidoc.Decl) *apidoc.Decl {
	var edits []edit
	for i := range d.Parts {
		if p := &d.Parts[i]; p.Role == apidoc.AttributePart && p.Flags&apidoc.Redundant != 0 {
			edits = append(edits, edit{len(strings.TrimRight(d.Text[:p.Start], " \t")), p.End, ""})
		}
	}
	return replace(d, edits)
}

// commentText formats documentation for a comment in code. Each paragraph and each list item
// becomes one line. There are no empty lines around labels, and a list with a single item is put on
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
// repeats the fields. If comments is false, it also omits the fields that an explicit constructor
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

// repeats reports whether parameter i of a declaration has the same name and type as a field.
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

// unwrapped joins the lines of each paragraph and each list item in a Markdown text. If the text
// contains code, a table or a quotation, it is returned unchanged.
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
