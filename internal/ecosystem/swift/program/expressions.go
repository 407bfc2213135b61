package program

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// literals are the types of literals if no other type is expected.
var literals = map[source.TokenKind]string{source.String: "String", source.Integer: "Int", source.Float: "Double"}

// initializer returns the value of the expression that initializes a variable. The value is unknown unless the
// expression is a chain of members.
func (w *walker) initializer(i int) result {
	optional := 0
	for {
		switch w.at(i) {
		case "await", "consume":
			i++
			continue
		case "try":
			i++
			if w.tight(i) && w.at(i) == "?" {
				optional = 1
				i++
			} else if w.tight(i) && w.at(i) == "!" {
				i++
			}
			continue
		}
		break
	}
	r := w.operand(i)
	if optional > 0 && r.value.optional == 0 {
		r.value.optional = 1
	}
	return r
}

// operand returns the value of an expression without try and await.
func (w *walker) operand(i int) result {
	if literal := literals[w.kind(i)]; literal != "" && (i+1 >= len(w.tokens) || w.begins(i+1) && w.at(i+1) != "." && w.kind(i+1) != source.Oper || contains(" , ; : ) ] } else ", w.at(i+1))) {
		return result{value{system: literal}, i + 1}
	}
	switch {
	case w.kind(i) == source.String && w.at(i+1) == ".":
		return w.complete(w.binary(w.chain(i)))
	case literals[w.kind(i)] != "" && w.isBinary(i+1):
		return w.complete(w.binary(w.term(i)))
	case w.at(i) == "[" && w.at(w.closing[i]+1) == "(" && w.tight(w.closing[i]+1): // [A]()
		_, end := w.arguments(w.closing[i] + 1)
		return w.complete(result{w.written(i, w.closing[i]+1), end})
	case w.at(i) == "[":
		if r, ok := w.chains[i]; ok {
			return *r
		}
		r := w.arrayLiteral(i)
		w.chains[i] = &r
		return r
	case w.at(i) == "#require" && w.at(i+1) == "(":
		r := w.initializer(i + 2)
		if !contains(" , ) ", w.at(r.end)) {
			r.value = value{}
		}
		r.value.optional, r.value.forced = max(0, r.value.optional-1), false
		return w.complete(result{r.value, w.closing[i+1] + 1})
	case w.at(i) == "{" && w.at(w.closing[i]+1) == "(" && w.tight(w.closing[i]+1):
		return w.complete(result{w.closureResult(i), w.closing[w.closing[i]+1] + 1})
	}
	if !w.isName(i) && w.at(i) != "(" {
		return result{end: i}
	}
	switch w.at(i) {
	case "if", "switch", "nil", "true", "false", "super", "do":
		return result{end: i}
	}
	r := w.chain(i)
	if r.end <= i {
		return result{end: i + 1}
	}
	if text := w.at(r.end); text == "as" {
		k := r.end + 1
		cast := 0
		if w.tight(k) && (w.at(k) == "?" || w.at(k) == "!") {
			if w.at(k) == "?" {
				cast = 1
			}
			k++
		}
		stop := w.typeEnd(k)
		r = result{w.written(k, stop), stop}
		r.value.optional += cast
	}
	if next := w.operators(r); next.end > r.end {
		return next
	}
	r = w.complete(w.binary(r))
	if r.value.meta {
		r.value = value{}
	}
	return r
}

// ofContext returns those of the accepting declarations that the compiler prefers for the call between two tokens:
// asynchronous ones after await, and others where nothing is awaited. A member of the result decides if there is one.
func (w *walker) ofContext(accepting []*member, first, end int) []*member {
	awaited := w.at(first-1) == "await"
	preferred := slices.DeleteFunc(slices.Clone(accepting), func(m *member) bool { return m.decl.Effects.Async != awaited })
	if len(preferred) == 0 || awaited && w.at(end) == "." || !awaited && w.isAwaited(first) {
		return accepting
	}
	return preferred
}

// isAwaited reports whether an expression that begins at a token may be awaited, because await or async is before it in
// its statement.
func (w *walker) isAwaited(first int) bool {
	for n, i := 0, first-1; i >= 0 && n < maxCondition; i, n = i-1, n+1 {
		switch w.at(i) {
		case "await", "async":
			return true
		case "{", "}", ";":
			return false
		}
	}
	return true
}

// complete returns a result without its value if more of the expression follows.
func (w *walker) complete(r result) result {
	switch text := w.at(r.end); {
	case r.end >= len(w.tokens), text == ":", text == ",", text == ";", text == "{", text == "}", text == ")", text == "]", text == "else", text == "where":
	case w.begins(r.end) && text != "." && (w.kind(r.end) != source.Oper || w.tight(r.end+1)):
	default:
		r.value = value{}
	}
	return r
}

// isLiteral reports whether an expression begins with a literal, perhaps in parentheses, or is an array of literals. Their types
// depend on the context.
func (w *walker) isLiteral(i int) bool {
	for contains(" [ ( ", w.at(i)) {
		i++
	}
	return literals[w.kind(i)] != ""
}

// arrayLiteral returns the value of an array or a dictionary whose elements have the same evident type.
func (w *walker) arrayLiteral(open int) result {
	end := w.closing[open] + 1
	unknown := result{end: open}
	if !w.begins(end) && !contains(" , ; ) ] } else { . ", w.at(end)) || w.kind(end) == source.Oper || w.depth > maxDepth {
		return unknown
	}
	w.depth++
	defer func() { w.depth-- }()
	var element, key value
	entries := false // whether it is a dictionary
	for k, n := open+1, 0; k < end-1; n++ {
		r := w.initializer(k)
		entry := value{}
		if r.end > k && w.at(r.end) == ":" {
			entries, entry = true, r.value
			r = w.initializer(r.end + 1)
		}
		if n > maxElements || r.end <= k || r.end < end-1 && w.at(r.end) != "," || !r.value.isKnown() || r.value.optional > 0 || n > 0 && !(same(r.value, element) && same(entry, key)) {
			return unknown
		}
		element, key = r.value, entry
		k = r.end + 1
	}
	if !element.isKnown() {
		return unknown
	}
	v := arrayOf(element)
	if entries {
		v = value{system: "Dictionary", args: []value{key, element}}
	}
	if w.at(end) == "." {
		return w.complete(w.suffixes(v, open, end))
	}
	return result{v, end}
}

// maxElements is the maximum number of elements of an array literal whose type is inferred.
const maxElements = 20

// operators evaluates ?? or a conditional operator after the first operand of an expression. It returns the operand if neither
// follows.
func (w *walker) operators(left result) result {
	i := left.end
	if w.at(i) == "??" {
		inner := left.value
		if inner.optional == 0 {
			inner = value{}
		}
		inner.optional, inner.forced = max(0, inner.optional-1), false
		right := w.branch(inner, i+1)
		if inner.isKnown() && same(right.value, optional(inner)) {
			inner = right.value
		} else if !same(right.value, inner) {
			inner = value{}
		}
		return result{inner, right.end}
	}
	for n := 0; n < maxCondition && i < len(w.tokens) && !contains(" , ; ) ] } : = { ", w.at(i)) && !(w.begins(i) && w.kind(i) != source.Oper && w.at(i) != "."); n++ {
		if w.at(i) == "?" && w.kind(i) == source.Oper && !w.tight(i) && !w.tight(i+1) {
			return w.conditional(i)
		}
		i = max(i, w.closing[i]) + 1
	}
	return left
}

// maxCondition is the maximum number of tokens in the condition before a conditional operator.
const maxCondition = 100

// conditional evaluates a conditional operator whose question mark is at a token.
func (w *walker) conditional(i int) result {
	first := w.branch(value{}, i+1)
	if w.at(first.end) != ":" || first.end <= i+1 && w.at(i+1) != "." {
		return result{end: i}
	}
	second := w.branch(first.value, first.end+1)
	if w.at(i+1) == "." {
		first.value = second.value
		w.implicit(first.value, i+1)
	}
	switch {
	case same(first.value, second.value):
	case same(optional(first.value), second.value):
		return second
	case !same(first.value, optional(second.value)):
		first.value = value{}
	}
	return result{first.value, second.end}
}

// branch evaluates an operand, which may be a literal or an implicit member, such as .red, of the type of another one.
func (w *walker) branch(other value, i int) result {
	if w.at(i) != "." || !w.isName(i+1) {
		if w.depth > maxDepth {
			return result{end: i}
		}
		w.depth++
		r := w.initializer(i)
		w.depth--
		return r
	}
	w.implicit(other, i)
	for w.at(i) == "." && w.isName(i+1) {
		if i += 2; w.calls(i) {
			_, i = w.arguments(i)
		}
	}
	return result{other, i}
}
