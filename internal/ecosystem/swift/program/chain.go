package program

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxChain is the maximum nesting of expressions that are evaluated.
const maxChain = 40

// chain evaluates the expression that begins at a token: a name or an expression in parentheses, with the calls and
// members after it.
func (w *walker) chain(i int) result {
	if r, ok := w.chains[i]; ok {
		return *r
	}
	r := &result{end: i + 1}
	w.chains[i] = r
	if w.depth > maxDepth+maxChain {
		return *r
	}
	w.depth++
	*r = w.evaluate(i)
	w.depth--
	return *r
}

func (w *walker) evaluate(i int) result {
	var v value
	j := i + 1
	if w.kind(i) == source.String {
		return w.suffixes(value{system: "String"}, i, j)
	}
	switch name := w.at(i); name {
	case "(":
		if !w.isOperand(i) {
			return result{end: i + 1}
		}
		j = w.closing[i] + 1
		if r := w.initializer(i + 1); r.end == w.closing[i] {
			if v = r.value; w.isUndetermined(i) {
				v = value{}
			}
		} else {
			v = w.tupleLiteral(i)
		}
	case "self":
		v = w.lookup(name, i)
	case "Self":
		if v = w.self(); v.t != nil {
			v.meta = true
		}
	case "super":
		v = w.superclass()
	default:
		v, j = w.unqualified(i)
	}
	return w.suffixes(v, i, j)
}

// suffixes evaluates the calls, members and subscripts of a value that begin at token j. first is the first token of the
// expression.
func (w *walker) suffixes(v value, first, j int) result {
	chained := false
	for {
		switch text := w.at(j); {
		case w.kind(j) == source.Oper && w.tight(j) && (text == "?" || text == "!"):
			chained = chained || text == "?"
			if v.optional > 0 {
				v.optional--
				v.forced = false
			} else {
				v = value{}
			}
			j++
			continue
		case text == "." && w.isName(j+1):
			v, j = w.memberOf(v, first, j+1)
			v = v.bounded()
			continue
		case text == "." && w.kind(j+1) == source.Integer:
			if v = v.unwrapped(); v.tuple != nil && v.optional == 0 {
				v = w.tupleElement(v.tuple, first, j+1)
			} else {
				v = value{}
			}
			j += 2
			continue
		case w.calls(j):
			if v.meta && v.t != nil && w.at(j-1) == "Self" && v.t.kind() != source.Protocol {
				v, j = w.initialize(v, j, first, j-1)
				continue
			}
			_, j = w.arguments(j)
			v = v.called()
			continue
		case text == "[" && w.tight(j):
			v = w.subscript(v, first, j)
			j = w.closing[j] + 1
			continue
		case text == "(" && !w.begins(j), text == "[" && !w.begins(j), w.kind(j) == source.Pound && (text == "#if" || !w.begins(j)):
			v = value{}
		}
		break
	}
	if chained && v.optional == 0 {
		v.optional = 1
	}
	v.forced = v.forced && !chained
	return result{v.bounded(), j}
}

// subscript evaluates a subscript of a value. first is the first token of the expression, and open the bracket.
func (w *walker) subscript(v value, first, open int) value {
	a, _ := w.arguments(open)
	v = v.unwrapped()
	switch {
	case a != nil && v.optional == 0 && slices.Equal(a.labels, []string{"keyPath"}):
		return w.keyPathValue(v, a.starts[0])
	case a == nil || v.optional > 0 || strings.Contains(w.between(open+1, w.closing[open]), ".."):
		return value{}
	case v.system == "Dictionary" && len(v.args) == 2 && slices.Equal(a.labels, []string{"_"}) && !w.mayUse(w.program.addedTo(v.system, "subscript"), open):
		v = v.args[1]
		v.optional, v.forced = v.optional+1, false
		return v
	case v.system == "Array" && len(v.args) == 1:
		if !slices.Equal(a.labels, []string{"_"}) || w.mayBeRange(open) || w.kind(open+1) != source.Integer && w.mayUse(w.program.addedTo(v.system, "subscript"), open) {
			return value{}
		}
		return v.args[0]
	case v.system == "String" && slices.Equal(a.labels, []string{"_"}) && !w.mayBeRange(open) && !w.mayUse(w.program.addedTo(v.system, "subscript"), open):
		return value{system: "Character"}
	case v.t == nil || v.t.isAlias() || slices.Contains(a.labels, "keyPath"):
		return value{}
	}
	found, complete := w.program.find(v.t, "subscript")
	found = slices.DeleteFunc(found, func(m *member) bool { return !m.isVisible(w.file) || m.decl.Static() != v.meta })
	_, systems, _ := w.program.closure(v.t)
	if len(found) == 0 {
		return value{}
	}
	accepting, closest := w.accepting(found, a)
	if slices.ContainsFunc(systems, func(s string) bool { return strings.HasSuffix(s, "Collection") }) && slices.Equal(a.labels, []string{"_"}) {
		if names, _ := systemNamesAndLabels(); !names[unquoted(w.at(a.starts[0]+1))] {
			w.pass(accepting, v, a)
		}
		return value{} // a collection of a system has other subscripts, for indices and ranges
	}
	if len(accepting) == 0 {
		if complete && !w.mayBeMissing(v.t) {
			w.reject(Use{Module: closest.member.file.module.Name, Path: w.path(closest.member, v)}, a, closest, first, open)
		}
		return value{}
	}
	w.found(accepting[0], v, first, open)
	w.pass(accepting, v, a)
	return w.valueOf(accepting, v, true, a)
}

// mayBeRange reports whether the only argument of a subscript, whose bracket is at a token, may be a range.
func (w *walker) mayBeRange(open int) bool {
	if k := w.closing[open]; w.kind(open+1) == source.Integer && k == open+2 || contains(" startIndex endIndex ", w.at(k-1)) {
		return false
	}
	for k := open + 1; k < w.closing[open]; k++ {
		if w.kind(k) == source.Oper && w.isBinary(k) && contains(" + - * / % & | ^ << >> &+ &- &* ", w.at(k)) {
			return false
		}
		k = max(k, w.closing[k])
	}
	r := w.operand(open + 1)
	return !r.value.isKnown() || strings.Contains(r.value.system, "Range")
}

// isOperand reports whether a parenthesis begins an operand, and not the arguments of a call.
func (w *walker) isOperand(i int) bool {
	if w.begins(i) || i == 0 {
		return true
	}
	switch w.kind(i - 1) {
	case source.Ident:
		switch w.at(i - 1) {
		case "return", "try", "await", "in", "if", "while", "guard", "switch", "else", "throw", "case", "where", "is", "as", "consume", "for":
			return !w.tight(i)
		}
		return false
	case source.Punct:
		return w.at(i-1) != ")" && w.at(i-1) != "]" && w.at(i-1) != "}" && w.at(i-1) != "." && w.at(i-1) != "@"
	case source.Oper:
		return !w.tight(i) || !w.tight(i-1)
	}
	return false
}

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

// memberOf evaluates a member of a value. first is the first token of the expression, and i the name of the member.
func (w *walker) memberOf(v value, first, i int) (value, int) {
	name := unquoted(w.at(i))
	if v.forced && !contains(optionalMembers, name) && !w.program.extends("Optional", name) {
		v = v.unwrapped()
	}
	switch {
	case v.tuple != nil && v.optional == 0:
		return w.tupleElement(v.tuple, first, i), i + 1
	case v.system != "" && v.optional == 0:
		return w.systemMember(v, first, i)
	case v.optional == 1 && (name == "map" || name == "flatMap") && w.calls(i+1) && !w.program.extends("Optional", name):
		a, end := w.arguments(i + 1)
		if a == nil || len(a.starts) != 1 || !w.isMapped(a.starts[0]) {
			return value{}, end
		}
		v.optional = 0
		w.closures[a.starts[0]] = []value{v}
		r := w.closureResult(a.starts[0])
		if name == "flatMap" && r.optional > 0 {
			r.optional--
		}
		r.optional, r.forced = r.optional+1, false
		return r, end
	case name == "container" && !v.isKnown() && w.calls(i+1):
		return w.keyedContainer(first, i)
	case v.t == nil || v.optional > 0:
		return w.skip(i + 1)
	case name == "self":
		if v.meta {
			return value{}, i + 1
		}
		return v, i + 1
	case name == "Type" || name == "Protocol":
		return value{}, i + 1
	case name == "init":
		if base := w.at(first); !v.meta && (i != first+2 || base != "self" && base != "super") {
			return w.skip(i + 1)
		}
		return w.initialize(v, i+1, first, i)
	}
	if strings.HasPrefix(name, "$") && !w.calls(i+1) {
		return w.projectedValue(v, name), i + 1
	}
	found, complete := w.program.find(v.t, name)
	if len(found) == 0 {
		n, known := w.program.nestedIn(v.t, name, 0)
		if n != nil {
			if !v.meta {
				return w.skip(i + 1)
			}
			return w.typeUse(w.program.underlying(n, 0), first, i)
		}
		if e := w.program.element(v); contains(sequenceFunctions, name) && e.isKnown() {
			return w.systemMember(value{system: "Array", args: []value{e}}, first, i)
		}
		if complete && known && !v.t.isAlias() && !w.mayBeMissing(v.t) {
			w.report(Use{Module: v.t.module.Name, Path: v.t.path() + "." + name, Fault: ecosystem.AbsentFault}, first, i)
		}
		return w.skip(i + 1)
	}
	return w.use(v, found, complete, false, first, i)
}

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
		found, complete := w.program.find(v.t, "callAsFunction")
		_, _, known := w.program.closure(v.t)
		return len(found) == 0 && (complete || known)
	}
	return systemMembers[v.system] != "" || v.tuple != nil
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
