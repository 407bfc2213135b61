package apidoc

import (
	"cmp"
	"slices"
	"strings"
)

// Paths of functions can end with argument labels, as in "Point.move(by:_:in:)".

// CutLabels splits a path before its argument labels, for example into "Point.move" and
// "(by:_:in:)". labels is empty if the path does not have any.
func CutLabels(path string) (base, labels string) {
	if !strings.HasSuffix(path, ")") {
		return path, ""
	}
	start := strings.LastIndexByte(path, '(')
	if start <= 0 {
		return path, ""
	}
	if path[start-1] == '.' && (start == 1 || path[start-2] != '.') {
		return path, "" // The path is that of a member without a name.
	}
	inner := path[start+1 : len(path)-1]
	if inner != "" && !strings.HasSuffix(inner, ":") || strings.ContainsAny(inner, " .,<>/[") {
		return path, ""
	}
	return path[:start], path[start:]
}

// operatorStart returns the index of the operator at the end of a path without labels, or -1 if the
// path ends with a name.
func operatorStart(base string) int {
	const operators = "./=-+!*%<>&|^~?"
	start := len(strings.TrimRight(base, operators))
	if start == len(base) {
		return -1
	}
	if base[start] == '.' && start > 0 && len(base)-start > 1 {
		start++ // Skip the dot before the operator.
	}
	return start
}

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
func (p *Package) labeled(spellings []string, equal func(a, b string) bool) *Symbol {
	for _, spelling := range spellings {
		request, suffix := CutLabels(spelling)
		var old *Symbol
		for s := range p.Everywhere {
			base, labels := CutLabels(s.Path)
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
func (p *Package) relabeled(name string, s *Symbol) []*Symbol {
	base, labels := CutLabels(s.Path)
	suffix := ""
	for _, spelling := range p.spellings(name) {
		if _, l := CutLabels(spelling); l != "" {
			suffix = l
			break
		}
	}
	attribute := labels == "" && p.Unqualified(name) != s.Path // Macros may have the same name as a type.
	if !attribute && (labels == "" || suffix == labels && suffix != "()") {
		return nil
	}
	var found []*Symbol
	for o := range p.listed {
		if attribute && o.Role() != MacroRole {
			continue
		}
		if b, l := CutLabels(o.Path); l != "" && b == base && o.Path != s.Path && labelsMatch(suffix, l) {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, func(a, b *Symbol) int { return min(len(a.Deprecated), 1) - min(len(b.Deprecated), 1) })
	return found
}
