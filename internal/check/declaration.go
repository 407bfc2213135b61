package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// maxLines is the maximum number of lines of a declaration that is shown as evidence.
	maxLines = 5
	// maxLine is the maximum size in bytes of a line of a declaration that is shown as evidence.
	maxLine = 800
	// maxTyped is the size in bytes of a line of a declaration above which long types of parameters are left out.
	maxTyped = 400
	// maxType is the maximum size in bytes of the types of parameters in such a line.
	maxType = 8
)

// declaration returns the declaration of a symbol with each overload on a line. It returns "" if
// that shows no more than the name.
func (s *surface) declaration(sym *apidoc.Symbol) string {
	if sym.Signature == sym.Name() {
		return ""
	}
	d := s.Decl(sym)
	return declarations(&d)
}

// declarations returns the text of a declaration with each overload on a line. The names of all parameters are more
// important than their types, so it replaces the longest types in a long line by an ellipsis.
func declarations(d *apidoc.Decl) string {
	all := slices.Collect(d.Within(-1, apidoc.DeclarationPart))
	if len(all) == 0 || len(all) == 1 && len(d.Text) <= maxTyped {
		return d.Text
	}
	var overloads []string
	for _, i := range all {
		overloads = append(overloads, oneLine(withoutLongTypes(d, i)))
	}
	return strings.Join(slices.Compact(overloads), "\n")
}

// withoutLongTypes returns the text of declaration i.
func withoutLongTypes(d *apidoc.Decl, i int) string {
	size := len(d.PartText(i))
	var types []apidoc.Part
	for param := range d.Within(i, apidoc.ParamPart) {
		for k := range d.Within(param, apidoc.TypePart) {
			types = append(types, d.Parts[k])
		}
	}
	slices.SortStableFunc(types, func(a, b apidoc.Part) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	n := 0
	for n < len(types) && size > maxTyped && types[n].End-types[n].Start > maxType {
		size -= types[n].End - types[n].Start - len("…")
		n++
	}
	types = types[:n]
	slices.SortFunc(types, func(a, b apidoc.Part) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := d.Parts[i].Start
	for _, t := range types {
		b.WriteString(d.Text[at:t.Start] + "…")
		at = t.End
	}
	b.WriteString(d.Text[at:d.Parts[i].End])
	return b.String()
}

// shortened returns the beginning of a declaration.
func shortened(declaration string) string {
	lines := strings.Split(strings.TrimSpace(declaration), "\n")
	for i, l := range lines {
		if lines[i] = line(l); len(lines[i]) > maxLine {
			lines[i] = strings.ToValidUTF8(lines[i][:maxLine], "") + " …"
		}
	}
	limit := maxLines
	if len(lines[0]) > maxTyped {
		limit = 1 // the other overloads have many parameters in common with it
	}
	if more := len(lines) - limit; more > 1 {
		lines = append(lines[:limit], "… "+plural(more, "more line", "more lines"))
	}
	return strings.Join(lines, "\n")
}
