package modules

import (
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// manyOfType is the number of props from one type above which they are listed last, such
	// as the style props of every component of a library. It is manyOfShared for a type that is declared in another
	// directory than the component.
	manyOfType   = 60
	manyOfShared = 20
)

// propRanks determines the order of the props of a component.
type propRanks struct {
	common   map[*symbol]bool // the types from which very many props come
	packages map[*pkg]int     // the other packages that declare props, in their order
}

const (
	rankOfRequired = iota
	rankOfOptional
	// Props that other packages declare follow, package by package.
	rankOfSpecial = 1 << 10 // attributes for accessibility and internal props
	rankOfMany    = rankOfSpecial + 1
)

// ranks returns the order of the props of a component: required ones first, then those that its package declares.
func (w *documenter) ranks(component *apidoc.Symbol, all []acceptedProp) propRanks {
	out := propRanks{common: map[*symbol]bool{}, packages: map[*pkg]int{}}
	count := map[*symbol]int{}
	for _, p := range all {
		if p.owner != nil {
			count[p.owner]++
		}
		if from := w.r.ownDecls(p.prop)[0].scope.mod.pkg; !w.exports.packages[from] && out.packages[from] == 0 {
			out.packages[from] = len(out.packages) + 1
		}
	}
	for owner, n := range count {
		maximum := manyOfType
		if file, _ := w.place(owner.decls[0]); path.Dir(file) != path.Dir(component.File) && !strings.Contains(owner.name, component.Name()) {
			maximum = manyOfShared
		}
		out.common[owner] = n > maximum
	}
	return out
}

// of returns a number by which props are sorted.
func (r propRanks) of(p acceptedProp) int {
	switch {
	case !p.partly && !p.optional():
		return rankOfRequired
	case p.owner != nil && r.common[p.owner]:
		return rankOfMany
	case len(p.name) > 0 && (p.name[0] == '_' || strings.HasPrefix(p.name, "data-") || strings.HasPrefix(p.name, "aria-")):
		return rankOfSpecial
	}
	return rankOfOptional + min(r.packages[p.decls[0].scope.mod.pkg], rankOfSpecial-rankOfOptional-1)
}
