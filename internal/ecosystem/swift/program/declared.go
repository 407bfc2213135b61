package program

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// use evaluates the use of one of several declarations with the same name, and the call after it. certain is true if
// there are no others. implicit is true if the name may also be one of the declarations that the base does not have.
func (w *walker) use(base value, found []*member, certain, implicit bool, first, i int) (value, int) {
	j := i + 1
	visible := slices.DeleteFunc(slices.Clone(found), func(m *member) bool { return !m.isVisible(w.file) })
	if len(visible) == 0 {
		if certain && !implicit {
			w.report(Use{Module: found[0].file.module.Name, Path: w.path(found[0], base), Fault: ecosystem.UnexportedFault}, first, i)
		}
		return w.skip(j)
	}
	if certain && !implicit {
		w.misuse(found, base, first, i)
	}
	if base.t != nil {
		selected := slices.DeleteFunc(slices.Clone(visible), func(m *member) bool {
			return (m.decl.Static() || m.decl.Kind == source.Case) != base.meta
		})
		if len(selected) == 0 {
			return w.skip(j)
		}
		if !implicit || !base.meta {
			visible = selected
		}
	}
	if w.at(j) != "" && w.at(j)[0] == '<' && w.kind(j) == source.Oper && w.tight(j) {
		if c := w.angle(j); c > 0 {
			j = c
		}
	}
	if !w.calls(j) {
		if values := slices.DeleteFunc(slices.Clone(visible), func(m *member) bool { return m.decl.Kind == source.Func }); len(values) > 0 && w.at(j) == "." {
			visible = values // functions have no members
		}
		w.found(visible[0], base, first, i)
		return w.valueOf(visible, base, false, nil), j
	}
	a, end := w.arguments(j)
	if functions := slices.DeleteFunc(slices.Clone(visible), func(m *member) bool { return w.isNotCallable(m, base, a) }); len(functions) > 0 {
		visible = functions
	}
	if slices.ContainsFunc(visible, func(m *member) bool { return m.decl.Kind != source.Func && m.decl.Kind != source.Case }) {
		w.found(visible[0], base, first, i)
		_, j = w.skip(j)
		return w.valueOf(visible, base, false, nil).called(), j
	}
	if a == nil || visible[0].decl.Kind == source.Case && w.isPattern(first, j) {
		return value{}, end
	}
	accepting, closest := w.accepting(visible, a)
	if len(accepting) == 0 {
		if certain && !w.mayBeMissing(base.t) {
			w.reject(Use{Module: closest.member.file.module.Name, Path: w.path(closest.member, base)}, a, closest, first, i)
		}
		return value{}, end
	}
	accepting = w.ofContext(accepting, first, end)
	w.found(accepting[0], base, first, i)
	if base.t == nil && !certain && isShared(unquoted(w.at(i)), true) {
		return value{}, end // it may be a function of a system
	}
	w.pass(accepting, base, a)
	if base.t != nil && !certain && !(len(a.starts) == 0 && contains(" makeIterator makeAsyncIterator next ", unquoted(w.at(i)))) {
		_, systems, _ := w.program.closure(base.t)
		if slices.ContainsFunc(systems, func(s string) bool { return contains(closedSystems[s], unquoted(w.at(i))) }) {
			return value{}, end // it may be a declaration of a system
		}
	}
	return w.valueOf(accepting, base, true, a), end
}

// isNotCallable reports whether a member is certainly no function, nor a value that can be called like one with these
// arguments, which may be nil. Only a type with a method callAsFunction has values that can be called with labels.
func (w *walker) isNotCallable(m *member, base value, a *arguments) bool {
	if m.decl.Kind != source.Var {
		return false
	}
	v := w.valueOf([]*member{m}, base, false, nil)
	if a != nil && a.hasLabel() && !v.meta {
		switch {
		case v.optional > 0 || strings.HasSuffix(m.decl.Type, "?"):
			return !w.program.extends("Optional", "callAsFunction")
		case v.function != nil:
			return true
		case v.system != "":
			return !w.program.extendsSystem(v.system, "callAsFunction")
		case v.t == nil && m.decl.Type != "" && !strings.HasSuffix(m.decl.Type, "Action") && !w.program.importsMissing(m.file): // the actions in the environment of SwiftUI have labels
			known := w.program.wordsOf().arguments
			return known["callAsFunction"] == nil && known["dynamicallyCall"] == nil && !strings.Contains(w.file.Text, "callAsFunction")
		}
	}
	switch {
	case v.optional > 0 && !v.forced:
		return !w.program.extends("Optional", "callAsFunction")
	case v.optional > 0 || v.meta || v.function != nil || v.t != nil && v.t.isAlias():
		return false
	case v.t != nil:
		return w.program.lacksCallAsFunction(v.t)
	}
	return systemMembers[v.system] != "" || v.tuple != nil
}

// lacksCallAsFunction reports whether the values of a type certainly have no method callAsFunction.
func (p *Program) lacksCallAsFunction(t *Type) bool {
	found, complete := p.find(t, "callAsFunction")
	_, _, known := p.closure(t)
	return len(found) == 0 && (complete || known)
}

// valueOf returns the value of members, or of their results for arguments, if it is the same for all of them.
func (w *walker) valueOf(all []*member, base value, called bool, a *arguments) value {
	var v value
	for i, m := range all {
		var x value
		switch {
		case m.decl.Kind == source.Case && (called || len(m.decl.Params) == 0):
			x = value{t: m.owner}
			if m.owner == base.t {
				x.args = base.args
			}
		case m.decl.Kind == source.Var && !called && m.decl.Type == "":
			if x = w.program.infer(m); x.isGeneric() {
				x = value{}
			}
		case m.decl.Kind == source.Var && !called:
			x = w.declared(m.decl.Type, m, base)
		case (m.decl.Kind == source.Func || m.decl.Kind == source.Subscript) && called:
			x = w.declaredIn(m.decl.Result, m, base, w.inferred(m, a, true))
		}
		if i > 0 && !same(x, v) {
			return value{}
		}
		v = x
	}
	return v
}

// declared returns the value of a type that is written in the declaration of a member.
func (w *walker) declared(text string, m *member, base value) value {
	return w.declaredIn(text, m, base, nil)
}

// declaredIn returns the value of a type that is written in the declaration of a member. parameters are the types of its
// generic parameters.
func (w *walker) declaredIn(text string, m *member, base value, parameters map[string]value) value {
	c := context{file: m.file, scope: cmp.Or(m.owner, m.scope), generics: []*source.Decl{m.decl}}
	if m.locals != nil {
		c.local = func(name string) (value, bool) { v, ok := m.locals[name]; return v, ok }
	}
	if base.isKnown() {
		c.self = &value{t: base.t, system: base.system, args: base.args, bound: base.bound}
	}
	if base.system != "" {
		c.bound = map[string]value{"Element": w.program.element(value{system: base.system, args: base.args})}
		if base.system == "Dictionary" && len(base.args) == 2 {
			c.bound["Key"], c.bound["Value"] = base.args[0], base.args[1]
		}
	}
	if len(base.bound) > 0 && m.owner != nil && m.owner.kind() == source.Protocol {
		c.bound = maps.Clone(base.bound)
	}
	if m.owner != nil && m.owner == base.t && m.owner.kind() != source.Protocol && len(base.args) > 0 {
		c.bound = map[string]value{}
		generics := m.owner.decls[0].decl.Generics
		for i := range generics {
			if i < len(base.args) {
				c.bound[generics[i].Name] = base.args[i]
			}
		}
	}
	for i := range m.decl.Generics {
		delete(c.bound, m.decl.Generics[i].Name)
	}
	if c.bound == nil {
		c.bound = parameters
	} else {
		maps.Copy(c.bound, parameters)
	}
	return w.program.typed(text, c)
}

// typeUse evaluates the name of a type, and the call of an initializer after it.
func (w *walker) typeUse(v value, first, i int) (value, int) {
	j := i + 1
	if w.at(j) != "" && w.at(j)[0] == '<' && w.kind(j) == source.Oper && w.tight(j) {
		if c := w.angle(j); c > 0 {
			j = c
		}
	}
	if v.t == nil || v.optional > 0 || v.t.isAlias() {
		return w.skip(j)
	}
	if j > i+1 && v.args == nil && len(v.t.decls[0].decl.Generics) > 0 {
		v.args = w.written(i, j).args
	}
	v.meta = true
	if !w.calls(j) {
		if v.t.module != w.file.module {
			w.report(Use{Module: v.t.module.Name, Path: v.t.path()}, first, i)
		}
		return v, j
	}
	return w.initialize(v, j, first, i)
}

// path returns the path of a member in its module.
func (w *walker) path(m *member, base value) string {
	owner := m.owner
	if owner == nil {
		owner = base.t
	}
	if owner == nil {
		return labeled(m.decl)
	}
	return owner.path() + "." + labeled(m.decl)
}

// found records a right use of a declaration of another module.
func (w *walker) found(m *member, base value, first, i int) {
	w.resolved[i] = true
	if m.file.module != w.file.module {
		w.report(Use{Module: m.file.module.Name, Path: w.path(m, base)}, first, i)
	}
}

func (w *walker) report(u Use, first, i int) {
	u.Start = w.tokens[i].Start
	u.Text = strings.Join(strings.Fields(w.text[w.tokens[first].Start:w.tokens[i].End]), " ")
	const longest = 80
	if len(u.Text) > longest {
		u.Text = w.at(i)
	}
	w.uses = append(w.uses, u)
}
