package program

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// misuse reports the use of a member in a way that no declaration with its name allows: a static member of a value, a property
// of an instance after the name of the type, a member of a method that is not called, or the call of a property whose values are
// no functions. found are all declarations with the name.
func (w *walker) misuse(found []*member, base value, first, i int) {
	if base.t == nil || contains(" self super ", w.at(first)) || w.at(first-1) == `\` || w.isSelector(first) || w.mayBeMissing(base.t) {
		return
	}
	every := func(holds func(m *member) bool) bool {
		return !slices.ContainsFunc(found, func(m *member) bool { return !holds(m) })
	}
	j := i + 1
	if w.at(j) != "" && w.at(j)[0] == '<' && w.tight(j) {
		return
	}
	u := Use{Module: found[0].file.module.Name, Path: w.path(found[0], base), Fault: ecosystem.ArgumentsFault}
	switch {
	case !base.meta && every(func(m *member) bool { return m.decl.Kind == source.Case }):
		u.Message = "it is a case of the enum, and not a member of its values"
	case !base.meta && every(func(m *member) bool { return m.decl.Static() }):
		u.Message = "it is a static member, and not a member of values of the type"
	case base.meta && every(func(m *member) bool { return m.decl.Kind == source.Var && !m.decl.Static() }):
		u.Message = "it is a property of values of the type, and not a static one"
	case base.meta && w.calls(j) && every(func(m *member) bool { return m.decl.Kind == source.Func && !m.decl.Static() }):
		if a, _ := w.arguments(j); a == nil || len(a.starts) == 1 && !a.hasLabel() {
			return // the only argument may be the value whose method is returned
		}
		u.Message = "it is a method of values of the type, and not a static one"
	case w.at(j) == "." && w.isName(j+1) && w.at(j+1) != "self" && every(func(m *member) bool { return m.decl.Kind == source.Func && m.decl.HasParams }):
		if nested, known := w.program.nestedIn(base.t, found[0].decl.Name, 0); nested != nil || !known {
			return
		}
		u.Message = "it is a method, and has no members unless it is called"
	case w.at(j) == "(" && w.tight(j):
		a, _ := w.arguments(j)
		if a == nil || w.isPattern(first, j) || !every(func(m *member) bool {
			if m.decl.Kind != source.Var || m.decl.Static() != base.meta {
				return false
			}
			v := w.valueOf([]*member{m}, base, false, nil)
			return (v.t != nil && !v.meta && !v.isGeneric() || systemMembers[v.system] != "") && w.isNotCallable(m, base, a)
		}) {
			return
		}
		u.Message = "it is a property whose values cannot be called"
	default:
		return
	}
	w.report(u, first, i)
}

// isSelector reports whether an expression may be an argument of #selector or #keyPath, which name members of instances after types.
func (w *walker) isSelector(first int) bool {
	k := first
	for range maxDepth {
		if k = w.parent[k]; k <= 0 {
			return false
		}
		if w.kind(k-1) == source.Pound {
			return true
		}
	}
	return true
}
