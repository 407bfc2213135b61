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
	// maxSimilar is the same for the declaration of a name that is similar to the one in the code. The next step is to correct
	// the name; if the arguments do not fit either, a later check reports them with the whole declaration.
	maxSimilar = 240
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

// declarations returns the text of a declaration with each overload on a line.
func declarations(d *apidoc.Decl) string {
	var overloads []string
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		overloads = append(overloads, summary(d, i))
	}
	switch len(overloads) {
	case 0:
		return d.Text
	case 1:
		return overloads[0]
	}
	for i := range overloads {
		overloads[i] = oneLine(overloads[i])
	}
	return strings.Join(slices.Compact(overloads), "\n")
}

// summary returns declaration i. The names of all parameters and members are more important than the rest, so it leaves out
// the longest types of the parameters of a function with many, and the comments in a long declaration of a type.
func summary(d *apidoc.Decl, i int) string {
	text := d.PartText(i)
	size, lines := len(text), strings.Count(text, "\n")+1
	var types, omitted []apidoc.Part
	for k := i + 1; k < len(d.Parts) && d.Parts[k].Start < d.Parts[i].End; k++ {
		switch p := &d.Parts[k]; {
		case p.Role == apidoc.CommentPart && lines > maxLines:
			omitted = append(omitted, *p)
		case p.Role == apidoc.TypePart && p.Parent >= 0 && d.Parts[p.Parent].Role == apidoc.ParamPart && d.Parts[p.Parent].Parent == i:
			types = append(types, *p)
		}
	}
	slices.SortStableFunc(types, func(a, b apidoc.Part) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	for _, t := range types {
		if size <= maxTyped || t.End-t.Start <= maxType {
			break
		}
		size -= t.End - t.Start - len("…")
		omitted = append(omitted, t)
	}
	slices.SortFunc(omitted, func(a, b apidoc.Part) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	end := d.Parts[i].Start // of what has been written or omitted
	for _, p := range omitted {
		b.WriteString(d.Text[end:max(end, p.Start)])
		if p.Role == apidoc.TypePart {
			b.WriteString("…")
		}
		end = max(end, p.End)
	}
	b.WriteString(d.Text[end:d.Parts[i].End])
	if text = b.String(); lines > maxLines {
		return oneLine(text)
	}
	return text
}

// shortened returns the beginning of a declaration, with lines of at most size bytes.
func shortened(declaration string, size int) string {
	lines := strings.Split(strings.TrimSpace(declaration), "\n")
	for i, l := range lines {
		if lines[i] = line(l); len(lines[i]) > size {
			lines[i] = strings.ToValidUTF8(lines[i][:size], "") + " …"
		}
	}
	limit, least := maxLines, 2
	if len(lines[0]) > min(maxTyped, size) {
		limit, least = 1, 1 // the other overloads have many parameters in common with it
	}
	if more := len(lines) - limit; more >= least {
		lines = append(lines[:limit], "… "+plural(more, "more line", "more lines"))
	}
	return strings.Join(lines, "\n")
}
