package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// self returns the value of self.
func (w *walker) self() value {
	n := len(w.frames)
	if n == 0 || w.frames[n-1].t == nil {
		return value{}
	}
	return w.enclosing(&w.frames[n-1])
}

// enclosing returns the value of self in an enclosing type, whose generic arguments are its parameters.
func (w *walker) enclosing(f *frame) value {
	v := value{t: f.t, meta: f.static}
	switch {
	case v.t.isAlias():
		return v
	case v.t.kind() == source.Protocol:
		v.bound = f.bound
		return v
	}
	generics := v.t.decls[0].decl.Generics
	for i := range generics {
		argument, ok := f.bound[generics[i].Name]
		if !ok {
			argument = value{t: w.program.parameter(v.t, generics[i].Name)}
		}
		v.args = append(v.args, argument)
	}
	return v
}

// superclass returns the value of super.
func (w *walker) superclass() value {
	v := w.self()
	if v.t == nil {
		return value{}
	}
	w.program.inherit(v.t)
	for _, s := range v.t.supers {
		if s.kind() == source.Class {
			return value{t: s, meta: v.meta}
		}
	}
	return value{}
}

// lookup returns the value of a local variable or, for self, of the enclosing type.
func (w *walker) lookup(name string, i int) value {
	if v, ok := w.local(name, i); ok {
		return v
	}
	if name == "self" {
		return w.self()
	}
	return value{}
}

// local finds a local variable.
func (w *walker) local(name string, i int) (v value, ok bool) {
	for _, k := range slices.Backward(w.named[name]) {
		if x := &w.vars[k]; x.from <= i && i < x.until {
			return x.value, true
		}
	}
	return value{}, false
}

// unqualified evaluates a name that no dot precedes, and the call after it. It returns the next token.
func (w *walker) unqualified(i int) (v value, j int) {
	name := unquoted(w.at(i))
	j = i + 1
	if v, ok := w.local(name, i); ok || name == "_" || strings.HasPrefix(name, "$") {
		if w.at(j) != "" && w.at(j)[0] == '<' && w.tight(j) {
			if c := w.angle(j); c > 0 {
				j = c
			}
		}
		if w.calls(j) && v.meta && v.t != nil {
			return w.initialize(v, j, i, i)
		}
		switch {
		case !ok && len(name) > 1 && !w.calls(j) && (name[1] < '0' || name[1] > '9'):
			return w.projectedValue(w.self(), name), j
		case !w.calls(j):
			return v, j
		case v.function != nil && v.function.declared != nil:
			return w.use(value{}, []*member{v.function.declared}, true, false, i, i)
		}
		_, j = w.arguments(j)
		return v.called(), j
	}
	certain := true     // whether no enclosing type may have unknown members
	supersKnown := true // whether only members of supertypes in systems may be unknown
	for k, f := range slices.Backward(w.frames) {
		if w.mayNotNest(&f, name) {
			certain = false
			continue
		}
		if f.t != nil && f.t.hasGeneric(name) && k == len(w.frames)-1 {
			if g := w.program.parameter(f.t, name); g != nil {
				return w.typeUse(value{t: g}, i, i)
			}
		}
		if f.t == nil || f.t.inGeneric(name) {
			return w.skip(j)
		}
		found, complete := w.program.find(f.t, name)
		if len(found) > 0 {
			base := w.enclosing(&f)
			base.meta = base.meta || k < len(w.frames)-1
			return w.use(base, found, complete && w.globals(name) == nil, true, i, i)
		}
		n, known := w.program.nestedIn(f.t, name, 0)
		if n != nil {
			return w.typeUse(w.program.underlying(n, 0), i, i)
		}
		isType := strings.ToUpper(name[:1]) == name[:1] && !mayNest(name)
		if !known && !isType {
			return w.skip(j)
		}
		known = known && complete
		certain, supersKnown = certain && known, supersKnown && (known || isType && w.program.hasKnownSupers(f.t))
	}
	if v := w.program.resolve([]string{name}, context{file: w.file}, 0); v.t != nil {
		return w.typeUse(v, i, i)
	}
	if found := w.globals(name); len(found) > 0 {
		a, _ := w.arguments(j)
		return w.use(value{}, found, !isShared(name, a != nil && a.hasLabel() && !w.file.module.imported), true, i, i)
	}
	if m := w.program.modules[name]; m != nil && w.at(j) == "." && w.isName(j+1) {
		return w.qualified(m, i, j+1)
	}
	if v := w.typed(name); v.system == name {
		return w.foundation(v, j)
	}
	if supersKnown && w.tight(j) && (w.at(j) == "(" || w.at(j) == ".") {
		w.missing(i, certain)
	}
	if certain && w.calls(j) {
		w.missingFunction(i)
	}
	return w.skip(j)
}

// skip skips the call after a name about which nothing is known.
func (w *walker) skip(j int) (value, int) {
	if w.at(j) != "" && w.at(j)[0] == '<' && w.kind(j) == source.Oper && w.tight(j) {
		if c := w.angle(j); c > 0 {
			j = c
		}
	}
	if w.calls(j) {
		name := w.at(j - 1)
		a, end := w.arguments(j)
		if a != nil && name == "zip" && w.at(j-2) != "." && slices.Equal(a.labels, []string{"_", "_"}) {
			return w.zip(a), end
		}
		if a != nil && contains(equalTypes, name) {
			w.equate(a)
		}
		if a != nil && name == "XCTUnwrap" && len(a.starts) > 0 {
			if r := w.initializer(a.starts[0]); contains(" , ) ", w.at(r.end)) {
				r.value.optional, r.value.forced = max(0, r.value.optional-1), false
				return r.value, end
			}
		}
		j = end
	}
	return value{}, j
}

// equalTypes are functions of systems whose first two arguments have the same type.
const equalTypes = " XCTAssertEqual XCTAssertNotEqual XCTAssertLessThan XCTAssertLessThanOrEqual XCTAssertGreaterThan XCTAssertGreaterThanOrEqual min max swap "

// equate evaluates an implicit member, such as .red, that is one of two arguments of the same type.
func (w *walker) equate(a *arguments) {
	if len(a.labels) < 2 || a.labels[0] != "_" || a.labels[1] != "_" {
		return
	}
	for i, start := range a.starts[:2] {
		if other := a.starts[1-i]; w.at(start) == "." && w.at(other) != "." {
			if r := w.initializer(other); w.at(r.end) == "," || w.at(r.end) == ")" {
				w.implicit(r.value.unwrapped(), start)
			}
		}
	}
}

// globals returns the functions and variables outside types that have a name and are visible in the file.
func (w *walker) globals(name string) []*member {
	found := slices.DeleteFunc(slices.Clone(w.file.module.values[name]), func(m *member) bool { return isPrivate(m.decl) && m.file.Name != w.file.Name })
	modules := w.program.visible(w.file)
	for _, m := range modules {
		if m == w.file.module {
			continue
		}
		for _, x := range m.values[name] {
			if x.isVisible(w.file) {
				found = append(found, x)
			}
		}
	}
	return found
}

// qualified evaluates a name after the name of a module.
func (w *walker) qualified(m *unit, first, i int) (value, int) {
	if m.Opaque || !m.loaded || !slices.Contains(w.file.imports, m.Name) && m != w.file.module {
		return w.skip(i + 1)
	}
	name := unquoted(w.at(i))
	if t := w.program.topLevel(m, name); t != nil {
		if !t.isVisible(w.file) {
			w.report(Use{Module: t.module.Name, Path: t.path(), Fault: ecosystem.UnexportedFault}, first, i)
			return w.skip(i + 1)
		}
		return w.typeUse(w.program.underlying(t, 0), first, i)
	}
	var found []*member
	complete := m.types[m.Name] == nil // or the name may be that of the type
	queue := []*unit{m}
	for k := 0; k < len(queue) && k < maxSteps; k++ {
		found = append(found, queue[k].values[name]...)
		complete = complete && queue[k].complete
		for _, e := range queue[k].exports {
			x := w.program.modules[e]
			if x == nil || !x.loaded || x.Opaque {
				complete = false
			} else if !slices.Contains(queue, x) {
				queue = append(queue, x)
			}
		}
	}
	if len(found) == 0 {
		if complete {
			w.report(Use{Module: m.Name, Path: name, Fault: ecosystem.AbsentFault}, first, i)
		}
		return w.skip(i + 1)
	}
	return w.use(value{}, found, complete, false, first, i)
}
