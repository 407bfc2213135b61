package rust

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// joinImpls joins the plain implementations of each type into one, such as impl Clone, Debug,
// From<&str> for Value.
func joinImpls(symbols []apidoc.Symbol) {
	for i := range symbols {
		symbols[i].Members = joinMembers(&symbols[i])
		joinImpls(symbols[i].Members)
	}
}

// joinMembers returns the members of a symbol, with plain implementations joined at the
// place of the first one.
func joinMembers(s *apidoc.Symbol) []apidoc.Symbol {
	traits := map[string][]string{} // traits contains the traits by the type that implements them.
	for i := range s.Members {
		if trait, self := plainImpl(&s.Members[i]); trait != "" {
			traits[self] = append(traits[self], trait)
		}
	}
	if len(traits) == 0 {
		return s.Members
	}
	var joined []apidoc.Symbol
	done := map[string]bool{}
	for _, m := range s.Members {
		trait, self := plainImpl(&m)
		switch {
		case trait == "" || len(traits[self]) == 1:
			joined = append(joined, m)
		case !done[self]:
			done[self] = true
			m.Signature = "impl " + strings.Join(slices.Compact(traits[self]), ", ") + " for " + self
			m.Path = s.Path + "::" + signature.ImplName(m.Signature)
			joined = append(joined, m)
		}
	}
	return joined
}

// plainImpl returns the trait and the type of a plain implementation, which does not have a
// comment, a condition, or bounds other than those that a derive adds. Both are empty for other
// implementations.
func plainImpl(m *apidoc.Symbol) (trait, self string) {
	rest, ok := strings.CutPrefix(m.Signature, "impl")
	if !ok || m.Kind != apidoc.Impl || m.Doc != "" || m.Constraint != "" || m.Deprecated != "" || m.From != "" || len(m.Members) > 0 || strings.Contains(rest, "\n") {
		return "", ""
	}
	generics, rest := signature.CutGenerics(rest)
	trait, self, ok = strings.Cut(strings.TrimSpace(rest), " for ")
	if !ok || strings.Contains(self, " where ") || strings.Contains(trait, "for<") {
		return "", ""
	}
	for _, p := range source.Split(generics) {
		if _, bound, ok := strings.Cut(p, ":"); ok && strings.TrimSpace(bound) != trait && !strings.HasPrefix(p, "const ") {
			return "", ""
		}
	}
	return trait, self
}
