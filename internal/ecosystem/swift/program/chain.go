package program

import (
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
		case w.kind(j) == source.Oper && w.tight(j) && (text == "?" || text == "!" || strings.Trim(text, "?!") == "" && w.at(j+1) == "." && w.tight(j+1)):
			chained = chained || strings.Contains(text, "?")
			if v.optional >= len(text) {
				v.optional -= len(text)
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
