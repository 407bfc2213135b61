package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// rejection is the reason for which a declaration does not accept arguments.
type rejection struct {
	member   *member
	problem  string
	argument int // the number of the argument that is not accepted, or the number of arguments if one is missing
	label    int // the number of the first argument with a label that no declaration has, although one has the label of another argument, or -1
}

// accepting returns the declarations that may accept arguments, first those that are not deprecated. If there are none,
// it returns the reason for which the one that accepts most of the arguments does not.
func (w *walker) accepting(all []*member, a *arguments) (accepting []*member, closest rejection) {
	var params []int
	for _, m := range all {
		p := w.mismatch(m, a, &params)
		if p == "" {
			accepting = append(accepting, m)
		} else if closest.problem == "" || len(params) > closest.argument {
			closest = rejection{m, p, len(params), -1}
		}
	}
	declared := func(label string) bool {
		return slices.ContainsFunc(all, func(m *member) bool { return m.decl.HasLabel(label) })
	}
	closest.label = -1
	if slices.ContainsFunc(a.labels, declared) {
		closest.label = slices.IndexFunc(a.labels, func(label string) bool { return label != "_" && !declared(label) })
	}
	accepting = w.fitting(accepting, a)
	slices.SortStableFunc(accepting, func(a, b *member) int { return deprecated(a.decl) - deprecated(b.decl) })
	if len(all) > 1 && len(accepting) == 0 {
		closest.problem = "none of its declarations accepts these arguments; the closest one " + strings.TrimPrefix(closest.problem, "it ")
	}
	return accepting, closest
}

// reject reports arguments that no declaration accepts, at the argument that is not accepted.
func (w *walker) reject(u Use, a *arguments, r rejection, first, i int) {
	u.Fault, u.Message, u.Declaration = ecosystem.ArgumentsFault, r.problem, r.member.decl.Declaration(source.Inferred{})
	w.report(u, first, i)
	start := &w.uses[len(w.uses)-1].Start
	switch {
	case r.label >= 0:
		*start = w.tokens[w.argument(a, r.label)].Start
	case r.argument < len(a.starts) && !(len(a.labels) > 1 && lacksLabels(r.member.decl, a.labels)):
		*start = w.tokens[w.argument(a, r.argument)].Start
	}
}

// lacksLabels reports whether a declaration has none of the given labels, so another one may be meant.
func lacksLabels(d *source.Decl, labels []string) bool {
	return !slices.ContainsFunc(labels, d.HasLabel)
}

// argument returns the first token of an argument, which is its label if it has one.
func (w *walker) argument(a *arguments, n int) int {
	if n < len(a.labels) && a.labels[n] != "_" {
		return a.starts[n] - 2
	}
	return a.starts[n]
}

func deprecated(d *source.Decl) int {
	for _, a := range d.Availability() {
		if a.IsDeprecated || a.Unavailable {
			return 1
		}
	}
	return 0
}

// pass uses the types of parameters for the arguments that have no type by themselves: closures and members without a
// type, such as .red.
func (w *walker) pass(accepting []*member, base value, a *arguments) {
	if len(accepting) > maxPassed {
		return
	}
	params := make([][]int, len(accepting))
	for i, m := range accepting {
		w.mismatch(m, a, &params[i])
	}
	for n, start := range a.starts {
		switch w.at(start) {
		case "{":
			w.closures[start] = w.closureTypes(accepting, base, a, params, n)
			w.returnTypes[start] = w.closureReturn(accepting, base, a, params, n)
			continue
		case `\`:
			w.closures[start] = w.keyPathRoot(accepting, base, a, params, n)
			w.keyPath(start)
			continue
		case "[", ".":
		default:
			continue
		}
		var types []value
		for i, m := range accepting {
			if n >= len(params[i]) || params[i][n] < 0 {
				return
			}
			v := w.declared(m.decl.Params[params[i][n]].Type, m, base)
			if !slices.ContainsFunc(types, func(other value) bool { return same(v, other) }) {
				types = append(types, v)
			}
		}
		switch {
		case len(types) == 1:
			w.expression(types[0], start)
		case w.at(start) == ".":
			w.implicitOf(types, start)
		}
	}
}

// implicitOf evaluates a member that has no type, such as .red, at a place where a value of one of several types is expected.
func (w *walker) implicitOf(types []value, dot int) {
	var having []value
	for _, v := range types {
		if w.mayHaveStatic(v, unquoted(w.at(dot+1))) {
			having = append(having, v)
		}
	}
	switch len(having) {
	case 0:
		w.implicit(types[0], dot)
	case 1:
		w.implicit(having[0], dot)
	}
}

// mayHaveStatic reports whether a type may have a member, other than one of its instances, with the given name.
func (w *walker) mayHaveStatic(v value, name string) bool {
	switch {
	case v.system != "":
		return !w.lacks(v.system, name)
	case v.t == nil || v.isGeneric() || v.t.isAlias() || v.t.kind() == source.Protocol || name == "init" || v.optional > 0 && contains(" none some ", name):
		return true
	}
	found, complete := w.program.find(v.t, name)
	n, known := w.program.nestedIn(v.t, name, 0)
	return n != nil || !complete || !known || w.mayBeMissing(v.t) || slices.ContainsFunc(found, func(m *member) bool { return isOfType(m.decl) })
}

// closureTypes returns the types of the parameters of a closure, which is argument n of a call, if they are the same for all
// declarations, or for those that need the fewest default values. params are the parameters for the arguments.
func (w *walker) closureTypes(accepting []*member, base value, a *arguments, params [][]int, n int) []value {
	types := make([][]value, len(accepting))
	defaults := func(i int) int { return len(accepting[i].decl.Params) - len(params[i]) }
	fewest, required := defaults(0), false // whether a declaration that needs more default values has none for the closure
	for i, m := range accepting {
		if n >= len(params[i]) || params[i][n] < 0 {
			return nil
		}
		if f := w.declaredIn(m.decl.Params[params[i][n]].Type, m, base, w.inferred(m, a, false)).function; f != nil {
			types[i] = f.params
		}
		fewest = min(fewest, defaults(i))
	}
	for i, m := range accepting {
		required = required || defaults(i) > fewest && m.decl.Params[params[i][n]].Default == ""
	}
	for _, limit := range []int{maxParameters, fewest} {
		if limit == fewest && (slices.ContainsFunc(types, func(all []value) bool {
			return all == nil || slices.ContainsFunc(all, func(v value) bool { return !v.isKnown() })
		}) || required) {
			break // another declaration may be a better match
		}
		first, equal := -1, true
		for i := range types {
			if defaults(i) > limit {
				continue
			}
			if first < 0 {
				first = i
			}
			equal = equal && slices.EqualFunc(types[i], types[first], same)
		}
		if equal && first >= 0 {
			return types[first]
		}
	}
	return nil
}

// closureReturn returns the type of what a closure must return, which is argument n of a call, if it is the same for all
// declarations, and none of them builds the result from the statements of the closure.
func (w *walker) closureReturn(accepting []*member, base value, a *arguments, params [][]int, n int) value {
	var all value
	for i, m := range accepting {
		if n >= len(params[i]) || params[i][n] < 0 {
			return value{}
		}
		p := &m.decl.Params[params[i][n]]
		f := w.declaredIn(p.Type, m, base, w.inferred(m, a, false)).function
		if f == nil || f.returned.isGeneric() || mayBeMacro(p.Attributes) || i > 0 && !same(f.returned, all) {
			return value{}
		}
		all = f.returned
	}
	return all
}

// returnType returns the type of what a closure must return: the one that it declares, or that the called function determines.
func (w *walker) returnType(open int) value {
	if first, end := w.writtenResult(open); first < end {
		return w.written(first, end)
	}
	return w.returnTypes[open]
}

// writtenResult returns the tokens of the result type that a closure declares.
func (w *walker) writtenResult(open int) (first, end int) {
	end = w.parameters(open + 1)
	for k := open + 1; k < end; k++ {
		if w.at(k) == "->" {
			return k + 1, end
		}
		k = max(k, w.closing[k])
	}
	return end, end
}

// maxPassed is the maximum number of declarations whose parameters are compared.
const maxPassed = 16

// expression evaluates an implicit member, such as .red, or an array literal of such members, where a value is expected.
func (w *walker) expression(v value, i int) {
	if w.at(i) == "[" {
		w.elements(v, i)
	} else {
		w.implicit(v, i)
	}
}

// elements evaluates the members in a literal of an array or an option set that have no type.
func (w *walker) elements(v value, open int) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	var element value
	var elements []value // of literals of a type that several initializers accept
	next := w.closing[open] + 1
	switch {
	case v.optional > 1 || w.at(next) == "." || w.kind(next) == source.Oper && !w.begins(next) || w.at(next) == "[" && w.tight(next):
		return // the literal is a part of an expression
	case (v.system == "Array" || v.system == "Set") && len(v.args) == 1:
		element = v.args[0]
	case v.system == "Dictionary" && len(v.args) == 2:
		element = pair("", v.args[0], "", v.args[1])
	case v.t == nil || v.t.kind() != source.Struct:
		return
	default:
		if elements = w.literalElements(v, open); len(elements) > 0 {
			element = elements[0]
			break
		}
		_, systems, _ := w.program.closure(v.t)
		if other, _ := w.program.nestedIn(v.t, "ArrayLiteralElement", 0); other != nil || !slices.Contains(systems, "OptionSet") {
			return
		}
		element = v
	}
	end := w.closing[open]
	for k := open + 1; k < end; k++ {
		first := k
		k = w.keyEnd(first, end)
		entry := w.at(k) == ":" && k < end // of a dictionary
		switch t := element.tuple; {
		case entry && t != nil && len(t.elements) == 2:
			if len(elements) > 1 {
				w.entryOf(elements, k+1)
				break
			}
			w.expression(t.elements[0], first)
			w.expression(t.elements[1], k+1)
		case !entry && v.system != "Dictionary" && len(elements) < 2:
			w.expression(element, first)
		}
		k = w.argumentEnd(k, end)
	}
}

// keyEnd returns the token after the key of an entry of a dictionary, or after an element of an array.
func (w *walker) keyEnd(k, end int) int {
	for ; k < end && w.at(k) != "," && w.at(k) != ":" && w.at(k) != "?"; k++ {
		k = max(k, w.closing[k])
	}
	return k
}

// entryOf evaluates the value of an entry of a dictionary, which begins at a token and is one of several types of tuples.
func (w *walker) entryOf(entries []value, i int) {
	if w.at(i) != "." {
		return
	}
	var types []value
	for _, entry := range entries {
		if entry.tuple == nil || len(entry.tuple.elements) != 2 || !entry.tuple.elements[1].isKnown() {
			return
		}
		types = append(types, entry.tuple.elements[1])
	}
	slices.SortStableFunc(types, func(a, b value) int { return strings.Compare(a.system, b.system) }) // types of the program first
	w.implicitOf(types, i)
}

// literalElements returns the types of the elements of a literal of an array or a dictionary that stands for a value, one for each
// initializer that the type of the value has for literals. It returns nil if one of these types is unknown.
func (w *walker) literalElements(v value, open int) (elements []value) {
	label := "arrayLiteral"
	if w.at(w.keyEnd(open+1, w.closing[open])) == ":" {
		label = "dictionaryLiteral"
	}
	found, _ := w.program.find(v.t, "init")
	found = slices.DeleteFunc(found, func(m *member) bool {
		return len(m.decl.Params) != 1 || !m.decl.Params[0].Variadic || m.decl.Params[0].Label != label
	})
	for _, m := range found {
		e := w.declared(m.decl.Params[0].Type, m, value{t: v.t, args: v.args})
		if !e.isKnown() {
			return nil
		}
		elements = append(elements, e)
	}
	return elements
}

// implicit evaluates a member that has no type, such as .red, at a place where a value is expected.
func (w *walker) implicit(v value, dot int) {
	if w.at(dot) != "." || !w.isName(dot+1) || v.t == nil && v.system == "" || v.t != nil && v.t.kind() == source.Protocol || v.optional > 1 {
		return
	}
	if name := w.at(dot + 1); v.optional == 1 && (name == "none" || name == "some" || name == "init" && w.at(dot+2) == "(" && w.at(dot+4) != ":") {
		return // a member of the optional, such as .init(value)
	}
	if _, ok := w.chains[dot]; ok {
		return
	}
	if v.system != "" {
		w.foundationMember(v.system, dot+1)
		member, end := w.skip(dot + 2)
		w.chains[dot] = &result{member, end}
		return
	}
	v.optional, v.meta = 0, true
	member, end := w.memberOf(v, dot, dot+1)
	w.chains[dot] = &result{member, end}
}

// expected evaluates an implicit member, such as .red, after a value and an operator.
func (w *walker) expected(r result) {
	if w.at(r.end+1) != "." && w.at(r.end+1) != "[" || r.value.meta {
		return
	}
	switch operator := w.at(r.end); operator {
	case "=", "??":
		w.expression(r.value, r.end+1)
	case "==", "!=":
		if r.value.t == nil {
			return
		}
		found, _ := w.program.find(r.value.t, "==")
		if !slices.ContainsFunc(append(found, w.globals("==")...), func(m *member) bool {
			return len(m.decl.Params) != 2 || m.decl.Params[0].Type != m.decl.Params[1].Type
		}) {
			w.implicit(r.value, r.end+1)
		}
	}
}

// initialize evaluates the call of an initializer.
func (w *walker) initialize(v value, j, first, i int) (value, int) {
	if !w.calls(j) {
		return value{}, j
	}
	a, end := w.arguments(j)
	created := value{t: v.t, args: v.args}
	switch v.t.kind() {
	case source.Struct, source.Class, source.Actor, source.Enum:
	default:
		if w.at(j) == "(" {
			w.uninitializable(v.t, first, i)
		}
		return value{}, end
	}
	found, certain := w.program.find(v.t, "init")
	found = slices.DeleteFunc(found, func(m *member) bool { return !m.isVisible(w.file) })
	if m, known := w.memberwise(v.t); m != nil {
		found = append(found, m)
	} else if !known {
		certain = false
	}
	switch {
	case v.t.kind() == source.Enum && a != nil && slices.Equal(a.labels, []string{"rawValue"}) && len(found) == 0:
		created.optional = 1
		return created, end
	case a == nil:
		return value{}, end
	case v.t.kind() == source.Enum && len(found) == 0:
		if _, systems, _ := w.program.closure(v.t); certain && !hasSystemInit(systems, a.labels) && !w.mayBeMissing(v.t) {
			w.uninitializable(v.t, first, i)
		}
		return value{}, end
	case len(found) == 0:
		return created, end
	}
	accepting, closest := w.accepting(found, a)
	if len(accepting) == 0 {
		_, systems, _ := w.program.closure(v.t)
		if !certain || hasSystemInit(systems, a.labels) || w.mayBeMissing(v.t) {
			return value{}, end
		}
		if len(a.closures) > 0 && !w.program.lacksCallAsFunction(v.t) {
			return value{}, end // the closures may be arguments of this method
		}
		w.reject(Use{Module: v.t.module.Name, Path: v.t.path() + "." + labeled(closest.member.decl)}, a, closest, first, i)
		if slices.ContainsFunc(found, func(m *member) bool { return m.decl.Failable != 0 }) {
			return value{}, end // the value may be optional
		}
		return created, end // the arguments are wrong, but not the type
	}
	w.found(accepting[0], v, first, i)
	w.pass(accepting, v, a)
	for _, m := range accepting {
		if m.decl.Failable != accepting[0].decl.Failable {
			return value{}, end
		}
	}
	if created.args == nil {
		created.args = w.inferredArguments(v.t, accepting, a)
	}
	if accepting[0].decl.Failable == '?' {
		created.optional = 1
	}
	return created, end
}

// uninitializable reports the call of a type that has no initializers: a protocol, or an enum without any.
func (w *walker) uninitializable(t *Type, first, i int) {
	if t.local || unquoted(w.at(i)) != t.name || w.globals(t.name) != nil {
		return
	}
	kind := "a protocol"
	switch t.kind() {
	case source.Enum:
		kind = "an enum without initializers"
	case source.Protocol:
	default:
		return
	}
	w.report(Use{Module: t.module.Name, Path: t.path(), Fault: ecosystem.ArgumentsFault, Message: "it is " + kind + ", and cannot be called"}, first, i)
}

// memberwise returns the initializer that the compiler creates for a type without one, or nil if there is none that the
// file can use. known is false if that is uncertain, or its parameters are.
func (w *walker) memberwise(t *Type) (m *member, known bool) {
	if t.kind() == source.Enum || t.module != w.file.module && !slices.Contains(w.file.testable, t.module.Name) {
		return nil, true
	}
	for _, d := range t.decls {
		if slices.ContainsFunc(d.decl.Members, func(m *source.Decl) bool { return m.Kind == source.Init && !m.Has("convenience") }) {
			return nil, true
		}
	}
	if len(t.decls) != 1 {
		return nil, false
	}
	d := t.decls[0]
	m = &member{decl: &source.Decl{Kind: source.Init, Name: "init", HasParams: true, Parent: d.decl}, file: d.file, owner: t}
	if t.kind() != source.Struct {
		return m, true
	}
	for _, property := range d.decl.Members {
		if property.Kind != source.Var || property.Static() || property.Value == "" && isComputed(property) {
			continue
		}
		if property.Let && property.Value != "" {
			continue
		}
		wrapped := slices.ContainsFunc(property.Attributes, func(a source.Attribute) bool {
			return !contains(" available objc nonobjc usableFromInline _spi MainActor ", a.Name)
		})
		if wrapped || property.Has("lazy") || len(property.Conditions) > 0 || property.Pattern != "" || property.Type == "" && property.Value == "" {
			return nil, false
		}
		if isPrivate(property) && d.file.Name != w.file.Name {
			return nil, property.Value == ""
		}
		p := source.Param{Label: property.Name, Name: property.Name, Type: property.Type, Default: property.Value}
		if last := len(p.Type) - 1; p.Default == "" && !property.Let && (p.Type[last] == '?' || p.Type[last] == '!') {
			p.Default = "nil"
		}
		m.decl.Params = append(m.decl.Params, p)
	}
	return m, true
}

// isComputed reports whether a property has accessors other than observers.
func isComputed(d *source.Decl) bool {
	return d.Body && !slices.ContainsFunc(d.Accessors, func(a source.Accessor) bool {
		return a.Kind == source.WillSet || a.Kind == source.DidSet
	})
}

// between returns the text of the tokens from first up to end.
func (w *walker) between(first, end int) string {
	if first >= end || end > len(w.tokens) {
		return ""
	}
	return w.text[w.tokens[first].Start:w.tokens[end-1].End]
}

// calls reports whether the arguments of a call follow.
func (w *walker) calls(j int) bool {
	return w.at(j) == "(" && w.tight(j) || w.isClosure(j)
}

// isClosure reports whether a brace begins a trailing closure.
func (w *walker) isClosure(j int) bool {
	if w.at(j) != "{" || w.begins(j) || w.bodies[j] {
		return false
	}
	switch w.at(j + 1) {
	case "willSet", "didSet":
		return false
	case "get", "set", "_read", "_modify":
		return w.at(j+2) != "{" && w.at(j+2) != "("
	}
	return true
}

// arguments reads the arguments of a call. They are nil if they cannot be determined. end is the token after them.
func (w *walker) arguments(j int) (a *arguments, end int) {
	a = &arguments{}
	known := true
	end = j
	if w.at(j) == "(" || w.at(j) == "[" {
		end = w.closing[j] + 1
		if w.isReference(j) {
			return nil, end
		}
		start := true
		for k := j + 1; k < end-1; k++ {
			if start {
				start = false
				label := "_"
				if w.isName(k) && w.at(k+1) == ":" {
					label = unquoted(w.at(k))
					w.labels[k] = true
				}
				a.labels = append(a.labels, label)
				begin := k
				if label != "_" || w.at(k+1) == ":" {
					begin = k + 2
				}
				a.starts = append(a.starts, begin)
			}
			switch text := w.at(k); {
			case w.kind(k) == source.Pound && text == "#if":
				known = false
				k = w.closing[k]
			case w.closing[k] > 0:
				k = w.closing[k]
			case text == ",":
				start = true
			case text[0] == '<' && w.kind(k) == source.Oper && w.tight(k):
				if c := w.angle(k); c > 0 && c < end {
					k = c - 1
				}
			}
		}
	}
	switch {
	case w.isClosure(end):
		a.closures = append(a.closures, "_")
		a.starts = append(a.starts, end)
		end = w.closing[end] + 1
		for w.isName(end) && w.at(end+1) == ":" && w.at(end+2) == "{" && w.at(end) != "default" {
			a.closures = append(a.closures, unquoted(w.at(end)))
			a.starts = append(a.starts, end+2)
			end = w.closing[end+2] + 1
		}
	case w.at(end) == "{" && w.begins(end):
		known = false // it may be a closure
	}
	if !known {
		return nil, end
	}
	return a, end
}

// isReference reports whether the parentheses at a token contain only labels, as in a.b(c:d:).
func (w *walker) isReference(open int) bool {
	end := w.closing[open]
	for k := open + 1; k < end; k += 2 {
		if !w.isName(k) || w.at(k+1) != ":" {
			return false
		}
	}
	return end > open+1
}

// isPattern reports whether the arguments at a token are a pattern, or an expression begins in a pattern. Patterns of
// enum cases may omit labels.
func (w *walker) isPattern(first, open int) bool {
	switch w.at(first - 1) {
	case "case", "catch", "let", "var":
		return true
	case ",":
		if w.inCase(first) {
			return true
		}
	}
	return w.patterned[first] || w.binds(open)
}

// binds reports whether the parentheses at a token contain a pattern that binds or ignores a value, outside closures.
func (w *walker) binds(open int) bool {
	for k := open + 1; k < w.closing[open]; k++ {
		switch w.at(k) {
		case "{":
			k = w.closing[k]
		case "let", "var", "_":
			if w.at(k-1) != "." {
				return true
			}
		}
	}
	return false
}

// inCase reports whether a token is in the pattern of a case. Patterns may omit labels.
func (w *walker) inCase(i int) bool {
	for p := w.parent[i]; p >= 0 && w.at(p) != "{"; p = w.parent[p] {
		i = p
	}
	for n := 0; i >= 0 && n < maxParameters; n++ {
		switch w.at(i) {
		case "case", "catch":
			return true
		case "=", ":", "{", ";", "in", "where":
			return false
		case ")", "]", "}":
			i = w.parent[i]
		}
		i--
	}
	return false
}
