package program

import (
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// binding reads let or var with the patterns after it.
func (w *walker) binding(i, end int) int {
	j := i + 1
	pattern := w.at(i-1) == "case"
	switch {
	case w.at(j) == "(":
		w.bindPattern(j+1, w.closing[j])
		return w.closing[j] + 1
	case w.at(j) == "." || w.isName(j) && w.at(j+1) == ".": // case let .a(b), A.b(c)
		for j < end && w.at(j) != "(" && (w.at(j) == "." || w.isName(j)) {
			j++
		}
		if w.at(j) == "(" {
			w.bindPattern(j+1, w.closing[j])
		}
		return i + 1
	case !w.isName(j):
		return j
	}
	name := w.at(j)
	inHeader := w.headerEnd > 0 && i < w.headerEnd
	if w.at(j+1) == "as" && (pattern || w.at(i-1) == "catch") {
		stop := w.typeEnd(j + 2)
		w.set(name, stop, len(w.tokens), w.written(j+2, stop))
		return stop
	}
	if pattern || w.at(j+1) != "=" && (w.at(i-1) == "(" || w.at(i-1) == ":" || w.at(i-1) == "," && !inHeader) {
		w.set(name, i, len(w.tokens), w.payloads[j])
		return j + 1
	}
	w.further(j+1, end)
	v := value{}
	known := false // whether the type is written
	k := j + 1
	if w.at(k) == ":" {
		stop := w.typeEnd(k + 1)
		w.annotation(k+1, stop)
		v = w.written(k+1, stop)
		known, k = true, stop
	}
	until := len(w.tokens)
	if inHeader {
		until = w.bodyEnd
	}
	guarded := inHeader || w.at(i-1) == "guard" || w.at(i-1) == ","
	switch {
	case w.at(k) == "=":
		static := w.isStatic(i)
		if w.typeLevel() {
			w.frames[len(w.frames)-1].static = static || !w.isLazy(i)
		}
		r := w.initializer(k + 1)
		if known {
			w.expression(v, k+1)
		}
		if w.typeLevel() {
			w.frames[len(w.frames)-1].static = false
		}
		if !known {
			v = r.value
			v.forced = false // without a written type, it is an ordinary optional
			if guarded {
				v.optional = max(0, v.optional-1)
			}
		}
		if !w.typeLevel() {
			w.set(name, max(r.end, k+1), until, v)
		}
	case guarded && !known: // if let x
		v := w.lookup(unquoted(name), j)
		v.optional, v.forced = max(0, v.optional-1), false
		w.set(name, j+1, until, v)
		return j + 1
	case !w.typeLevel():
		w.set(name, k, until, v)
	}
	if w.at(k) == "{" && known { // accessors
		if w.typeLevel() {
			w.frames[len(w.frames)-1].static = w.isStatic(i)
		}
		w.functions++
		result := w.result
		w.result, w.bodies[k] = v, true
		w.implicitResult(i, k+1)
		if w.at(k+1) == "get" && w.at(k+2) == "{" {
			w.implicitResult(i, k+3)
		}
		w.closure(k)
		w.result = result
		w.functions--
		if len(w.frames) > 0 && w.functions == 0 {
			w.frames[len(w.frames)-1].static = false
		}
		return w.closing[k] + 1
	}
	return max(k, j+1)
}

// further binds the names after the first one, as in let a = 1, b = 2.
func (w *walker) further(i, end int) {
	for ; i < end; i++ {
		switch w.at(i) {
		case "(", "[", "{":
			i = w.closing[i]
		case ")", "]", "}", ";", "let", "var", "else":
			return
		case ",":
			if w.isName(i+1) && (w.at(i+2) == "=" || w.at(i+2) == ":" || w.at(i+2) == ",") && !w.typeLevel() {
				w.bind(w.at(i+1), i)
			}
			continue
		}
		if w.begins(i+1) && w.at(i+1) != "." && w.at(i) != "," && w.kind(i+1) != source.Oper && w.kind(i) != source.Oper {
			return
		}
	}
}

// patterns evaluates the patterns of a case that begin with a dot.
func (w *walker) patterns(i, end int) {
	if w.subject.t == nil {
		return
	}
	for k := i; k < end && w.at(k) != ":" && w.at(k) != "{" && w.at(k) != "where"; k++ {
		if k == i || w.at(k) == "," {
			dot := k + 1
			if w.at(dot) == "let" || w.at(dot) == "var" {
				dot++
			}
			if w.at(dot) == "." && w.isName(dot+1) {
				w.implicit(w.subject, dot)
				w.payload(dot)
			}
		} else if c := w.closing[k]; c > 0 {
			k = c
		}
	}
}

// conditionCase evaluates the pattern of a case in a condition, and the value after it.
func (w *walker) conditionCase(i int) {
	for k := i + 1; k < len(w.tokens) && k < i+maxParameters; k++ {
		switch w.at(k) {
		case "=":
			subject := w.subject
			w.subject = w.initializer(k + 1).value
			w.patterns(i, k)
			w.subject = subject
			return
		case "(", "[":
			k = w.closing[k]
		case ":", "{", "}", ";", ",":
			return
		}
	}
}

// payload determines the types of the variables in the pattern of an enum case that begins with a dot.
func (w *walker) payload(dot int) {
	open := dot + 2
	if w.at(open) != "(" {
		return
	}
	found, _ := w.program.find(w.subject.t, unquoted(w.at(dot+1)))
	if len(found) != 1 || found[0].decl.Kind != source.Case {
		return
	}
	base := w.subject
	base.optional = 0
	var names []int // of the elements, or -1 for those that are no variables
	for k := open + 1; k < w.closing[open]; k++ {
		if w.isName(k) && w.at(k+1) == ":" {
			k += 2
		}
		if w.at(k) == "let" || w.at(k) == "var" {
			k++
		}
		if names = append(names, -1); w.isName(k) && (w.at(k+1) == "," || w.at(k+1) == ")") {
			names[len(names)-1] = k
		}
		for k < w.closing[open] && w.at(k) != "," {
			k = max(k, w.closing[k]) + 1
		}
	}
	if len(names) != len(found[0].decl.Params) {
		return // a variable for several elements
	}
	for n, k := range names {
		w.payloads[k] = w.declared(found[0].decl.Params[n].Type, found[0], base)
	}
}

// bindPattern binds the names in a pattern.
func (w *walker) bindPattern(i, end int) {
	for from := i; i < end; i++ {
		if w.isName(i) && w.at(i+1) != ":" && w.at(i-1) != "." {
			w.set(w.at(i), from, len(w.tokens), w.payloads[i])
		}
	}
}

func (w *walker) isStatic(i int) bool {
	for i--; w.isName(i) || w.at(i) == ")"; i-- {
		if w.at(i) == ")" { // private(set)
			for i > 0 && w.at(i) != "(" {
				i--
			}
			continue
		}
		switch w.at(i) {
		case "static", "class":
			return true
		}
		if w.begins(i) {
			return false
		}
	}
	return false
}

func (w *walker) isLazy(i int) bool {
	for i--; w.isName(i); i-- {
		if w.at(i) == "lazy" {
			return true
		}
		if w.begins(i) {
			return false
		}
	}
	return false
}

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
	if literal := literals[w.kind(i)]; literal != "" && (i+1 >= len(w.tokens) || w.begins(i+1) && w.at(i+1) != "." && w.kind(i+1) != source.Oper || contains(" , ; ) ] } else ", w.at(i+1))) {
		return result{value{system: literal}, i + 1}
	}
	if w.at(i) == "[" {
		return w.arrayLiteral(i)
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
	switch text := w.at(r.end); {
	case r.end >= len(w.tokens), text == ",", text == ";", text == "{", text == "}", text == ")", text == "]", text == "else", text == "where":
	case w.begins(r.end) && (w.kind(r.end) != source.Oper || w.tight(r.end+1)):
	default:
		r.value = value{}
	}
	if r.value.meta {
		r.value = value{}
	}
	if optional > 0 && r.value.optional == 0 {
		r.value.optional = 1
	}
	return r
}

// arrayLiteral returns the value of an array whose elements have the same evident type.
func (w *walker) arrayLiteral(open int) result {
	end := w.closing[open] + 1
	unknown := result{end: open}
	if !w.begins(end) && !contains(" , ; ) ] } else { ", w.at(end)) || w.at(end) == "." || w.depth > maxDepth {
		return unknown
	}
	w.depth++
	defer func() { w.depth-- }()
	var element value
	for k, n := open+1, 0; k < end-1; n++ {
		r := w.initializer(k)
		if n > maxElements || r.end <= k || r.end < end-1 && w.at(r.end) != "," || n > 0 && !same(r.value, element) || r.value.t == nil || r.value.optional > 0 {
			return unknown
		}
		element = r.value
		k = r.end + 1
	}
	if element.t == nil {
		return unknown
	}
	return result{value{system: "Array", args: []value{element}}, end}
}

// maxElements is the maximum number of elements of an array literal whose type is inferred.
const maxElements = 20
