package naming

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Paths of functions can end with argument labels, as in "Point.move(by:_:in:)".

// labelsMatch reports whether the requested labels are among those of a symbol,
// in the same order. Labels of parameters with default values may be missing.
func labelsMatch(request, labels string) bool {
	all := strings.SplitAfter(strings.Trim(labels, "()"), ":")
	for label := range strings.SplitAfterSeq(strings.Trim(request, "()"), ":") {
		if label == "" {
			continue
		}
		for len(all) > 0 && all[0] != label {
			all = all[1:]
		}
		if len(all) == 0 {
			return false
		}
		all = all[1:]
	}
	return true
}

// labeled returns the first symbol that matches one of the spellings without its argument labels,
// or with only some of them. It prefers symbols that are not deprecated. It returns nil if there is
// none.
func labeled(p *apidoc.Package, spellings []string, equal func(a, b string) bool) *apidoc.Symbol {
	for _, spelling := range spellings {
		request, suffix := apidoc.CutLabels(spelling)
		var old *apidoc.Symbol
		for s := range p.Everywhere {
			base, labels := apidoc.CutLabels(s.Path)
			if labels == "" || !equal(base, request) || !labelsMatch(suffix, labels) {
				continue
			}
			if s.Deprecated == "" {
				return s
			}
			old = cmp.Or(old, s)
		}
		if old != nil {
			return old
		}
	}
	return nil
}

// relabeled returns the symbols that differ from s only in argument labels, if name, which was
// resolved to s, could also refer to them. It returns none if name contains all labels.
func relabeled(p *apidoc.Package, name string, s *apidoc.Symbol) []*apidoc.Symbol {
	base, labels := apidoc.CutLabels(s.Path)
	suffix := ""
	for _, spelling := range spellings(p, name) {
		if _, l := apidoc.CutLabels(spelling); l != "" {
			suffix = l
			break
		}
	}
	attribute := labels == "" && Unqualified(p, name) != s.Path // Macros may have the same name as a type.
	if !attribute && (labels == "" || suffix == labels && suffix != "()") {
		return nil
	}
	var found []*apidoc.Symbol
	for o := range p.Importable {
		if attribute && o.Role() != apidoc.MacroRole {
			continue
		}
		if b, l := apidoc.CutLabels(o.Path); l != "" && b == base && o.Path != s.Path && labelsMatch(suffix, l) {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, func(a, b *apidoc.Symbol) int { return min(len(a.Deprecated), 1) - min(len(b.Deprecated), 1) })
	return found
}
