package modules

import (
	"path"
	"slices"
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
	declarer func(*prop) *pkg
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
		if from := w.declarer(p.prop); from != nil && out.packages[from] == 0 {
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
	out.declarer = w.declarer
	return out
}

// declarer returns the other package that declares a prop. It returns nil for a prop of the package itself, and for one
// that a mapped type makes, such as VariantProps<typeof button>.
func (w *documenter) declarer(p *prop) *pkg {
	if p.made || p.isNarrowed(0) {
		return nil
	}
	if from := w.r.ownDecls(p)[0].scope.mod.pkg; !w.exports.packages[from] {
		return from
	}
	return nil
}

// isNarrowed reports whether a mapped type narrows the type of a declared prop, such as an attribute.
func (p *prop) isNarrowed(depth int) bool {
	return !p.either && depth < maxNesting && slices.ContainsFunc(p.merged, func(q *prop) bool {
		return q.made && !isFramework(q.decls[0].scope.mod.pkg) || q.isNarrowed(depth+1)
	})
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
	return rankOfOptional + min(r.packages[r.declarer(p.prop)], rankOfSpecial-rankOfOptional-1)
}
