package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// attribute reads an attribute. If it is a property wrapper, its arguments are those of an initializer.
func (w *walker) attribute(at int) int {
	name, i := w.attributeArguments(at)
	if name == at+1 {
		w.attributeName(name)
	}
	if w.at(i) != "(" || !w.tight(i) {
		return i
	}
	text := w.between(at+1, name+1)
	if text == "available" {
		w.availability(i)
	}
	a, end := w.arguments(i)
	if !contains(plainAttributes, text) || contains(testAttributes, text) {
		defer w.expressionsIn(i)
	}
	if a == nil || contains(plainAttributes, text) || len(w.named[w.at(at+1)]) > 0 {
		return w.closing[i] + 1
	}
	var scope *Type
	if n := len(w.frames); n > 0 {
		scope = w.frames[n-1].t
	}
	if t := w.program.attributeType(text, scope, w.file); t != nil && w.closing[i]+1 == end {
		w.wrap(t, a, at+1, name)
	}
	return w.closing[i] + 1
}

// testAttributes are those of plainAttributes whose arguments are expressions.
const testAttributes = " Suite Test "

// expressionsIn evaluates the arguments of an attribute, which begin at a token.
func (w *walker) expressionsIn(open int) {
	w.functions++ // they contain no members
	for k := open + 1; k < w.closing[open]; {
		k = w.step(k, w.closing[open])
	}
	w.functions--
}

// projectedValue returns the value of the projection of a property, such as $name, which its property wrapper declares.
func (w *walker) projectedValue(v value, name string) value {
	if v.t == nil {
		return value{}
	}
	found, _ := w.program.find(v.t, name[1:])
	if len(found) != 1 || found[0].decl.Kind != source.Var {
		return value{}
	}
	var wrapper *Type
	for i := range found[0].decl.Attributes {
		t := w.program.attributeType(found[0].decl.Attributes[i].Name, found[0].owner, found[0].file)
		if t == nil && contains(plainAttributes, found[0].decl.Attributes[i].Name) {
			continue
		}
		if t == nil || wrapper != nil {
			return value{}
		}
		wrapper = t
	}
	if wrapper == nil {
		return value{}
	}
	if found, _ = w.program.find(wrapper, "projectedValue"); len(found) != 1 || found[0].decl.Kind != source.Var || found[0].decl.Static() {
		return value{}
	}
	return w.declared(found[0].decl.Type, found[0], value{t: wrapper})
}

// availability reports the labels in the arguments of @available, which begin at a token, that do not exist.
func (w *walker) availability(open int) {
	for k := open + 1; k < w.closing[open]; k++ {
		if w.at(k+1) == ":" && w.isName(k) && !contains(" deprecated introduced message obsoleted renamed ", w.at(k)) {
			w.report(Use{Path: w.at(k), Fault: ecosystem.AbsentFault, Message: "@available has no argument label " + w.at(k)}, k, k)
		}
	}
}

// attributeArguments returns the last name of the attribute at a token, and the token after its generic arguments.
func (w *walker) attributeArguments(at int) (name, i int) {
	i = at + 2
	for w.at(i) == "." && w.isName(i+1) {
		i += 2
	}
	name = i - 1
	if w.at(i) != "" && w.at(i)[0] == '<' && w.kind(i) == source.Oper && w.tight(i) {
		if c := w.angle(i); c > 0 {
			i = c
		}
	}
	return name, i
}

// attributeEnd returns the token after the attribute at a token.
func (w *walker) attributeEnd(at int) int {
	_, i := w.attributeArguments(at)
	if w.at(i) == "(" && w.tight(i) {
		i = w.closing[i] + 1
	}
	return i
}

// attributeName reports the name of an attribute that nothing in scope declares, or that a type has which is no property
// wrapper, result builder or global actor.
func (w *walker) attributeName(i int) {
	name := unquoted(w.at(i))
	if !w.isName(i) || contains(plainAttributes, name) || len(w.named[name]) > 0 {
		return
	}
	certain := true
	for _, f := range w.frames {
		if f.t == nil || f.t.inGeneric(name) {
			return
		}
		if n, _ := w.program.nestedIn(f.t, name, 0); n != nil || mayNest(name) {
			return
		}
		_, systems, _ := w.program.closure(f.t)
		certain = certain && !slices.ContainsFunc(systems, func(s string) bool { _, ok := closedSystems[s]; return !ok })
	}
	t := w.program.global(name, w.file)
	switch {
	case t == nil:
		w.missing(i, certain)
	case t.isAlias() || !certain || isSystemType(name) || !w.program.scopeOf(w.file).complete || w.globals(name) != nil || w.program.attributeType(name, nil, w.file) != nil:
	default:
		w.report(Use{Module: t.module.Name, Path: t.path(), Fault: ecosystem.ArgumentsFault, Message: "it is no property wrapper, result builder or global actor, and cannot be an attribute"}, i, i)
	}
}

// wrap evaluates the arguments of a property wrapper. The initial value of the property may be a further argument.
func (w *walker) wrap(t *Type, a *arguments, first, name int) {
	found, certain := w.program.find(t, "init")
	found = slices.DeleteFunc(found, func(m *member) bool { return !m.isVisible(w.file) })
	if len(found) == 0 || slices.ContainsFunc(t.decls, func(d declaration) bool { return d.decl.Attribute("propertyWrapper") == nil }) {
		return
	}
	accepting, closest := w.accepting(found, a)
	base := value{t: t, meta: true}
	if len(accepting) > 0 {
		w.found(accepting[0], base, first, name)
		w.pass(accepting, base, a)
		return
	}
	for _, label := range []string{"wrappedValue", "initialValue"} {
		b := &arguments{labels: slices.Concat([]string{label}, a.labels), closures: a.closures, starts: slices.Concat([]int{first}, a.starts)}
		if accepting, _ := w.accepting(found, b); len(accepting) > 0 {
			w.found(accepting[0], base, first, name)
			w.pass(accepting, base, b)
			return
		}
	}
	if certain && !strings.HasPrefix(t.name, "_") {
		w.reject(Use{Module: t.module.Name, Path: t.path() + "." + labeled(closest.member.decl)}, a, closest, first, name)
	}
}
