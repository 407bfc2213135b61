package search

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// ofForeignTrait is the factor for the standing of a member that a type gets from a trait of
// another package. Users know the member from the trait, and many types have it.
const ofForeignTrait = 0.7

// fromForeignTrait returns a function that reports whether a member comes from a trait that p does
// not declare. In a package without implementations of traits, this is never the case.
func fromForeignTrait(p *apidoc.Package) func(*apidoc.Symbol) bool {
	implements := false
	declared := map[string]bool{}
	for s := range p.All {
		implements = implements || s.IsImplementation()
		if s.IsTrait() {
			declared[baseName(s)] = true
		}
	}
	return func(s *apidoc.Symbol) bool {
		return implements && s.From != "" && s.ParentPath() != "" && !declared[s.From[strings.LastIndexByte(s.From, ':')+1:]]
	}
}
