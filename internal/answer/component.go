package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxWrapper is the maximum size in bytes of a type in the declaration of a component that is shown
// in full. Longer ones repeat the props, which are listed below the declaration.
const maxWrapper = 160

// withoutWrappers shortens the long types in the declaration of a component whose props are listed:
// the type of a value, and those of the parameters of a function. The name at the beginning of a
// type remains.
func withoutWrappers(d *apidoc.Decl, s *apidoc.Symbol) *apidoc.Decl {
	if s.IsType() || len(d.Text) <= maxWrapper || !slices.ContainsFunc(s.Members, func(m apidoc.Symbol) bool { return m.ComponentRole() == apidoc.InputRole }) {
		return d
	}
	var edits []edit
	end := 0
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Role != apidoc.TypePart || p.End-p.Start <= maxWrapper || p.Start < end || p.Parent < 0 {
			continue
		}
		if role := d.Parts[p.Parent].Role; role != apidoc.DeclarationPart && role != apidoc.ParamPart {
			continue
		}
		start := p.Start
		for k := range d.Within(i, apidoc.ReferencePart) {
			if d.Parts[k].Start == p.Start {
				start = d.Parts[k].End
			}
			break
		}
		edits = append(edits, edit{start, p.End, strings.Repeat(" ", min(start-p.Start, 1)) + "…"})
		end = p.End
	}
	return replace(d, edits)
}
