package answer

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// fence returns the info string of code blocks in the package's language.
func fence(p *apidoc.Package) string {
	if p.Style.Fence != "" {
		return p.Style.Fence
	}
	return string(p.Ecosystem)
}

// comment returns the characters that begin a line comment in the package's language.
func comment(p *apidoc.Package) string {
	if p.Style.LineComment != "" {
		return p.Style.LineComment
	}
	return "// "
}

// rank returns the position of a symbol's kind in the order of the language. Default exports come
// first.
func (r *Renderer) rank(s *apidoc.Symbol) int {
	order := r.pkg.Style.KindOrder
	switch i := slices.IndexFunc(order, func(group []apidoc.Kind) bool { return slices.Contains(group, s.Kind) }); {
	case r.pkg.IsDefault(s.Path):
		return -1
	case i >= 0:
		return i
	}
	return len(order)
}
