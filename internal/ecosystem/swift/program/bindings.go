package program

import (
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// binding reads let or var with the patterns after it.
func (w *walker) binding(i, end int) int {
	j := i + 1
	pattern := w.at(i-1) == "case"
	switch {
	case w.at(j) == "(" && !pattern && !w.typeLevel():
		return w.tupleBinding(i, j)
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
		result, returns := w.result, w.returns
		w.result, w.returns, w.bodies[k] = v, nil, true
		w.implicitResult(i, k+1)
		if w.at(k+1) == "get" && w.at(k+2) == "{" {
			w.implicitResult(i, k+3)
		}
		w.closure(k)
		w.result, w.returns = result, returns
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

// tupleBinding reads let or var with a pattern for a tuple, which begins at a parenthesis.
func (w *walker) tupleBinding(i, open int) int {
	k := w.closing[open] + 1
	v, from := value{}, k
	if w.at(k) == ":" {
		stop := w.typeEnd(k + 1)
		w.annotation(k+1, stop)
		v, k = w.written(k+1, stop), stop
	}
	until, inHeader := len(w.tokens), w.headerEnd > 0 && i < w.headerEnd
	if inHeader {
		until = w.bodyEnd
	}
	if w.at(k) == "=" {
		r := w.initializer(k + 1)
		if !v.isKnown() {
			v = r.value
		}
		if inHeader || w.at(i-1) == "guard" || w.at(i-1) == "," {
			v.optional = max(0, v.optional-1)
		}
		from = max(r.end, k+1)
	}
	w.bindTuple(v, open, from, until)
	return k
}

// patterns evaluates the patterns of a case.
func (w *walker) patterns(i, end int) {
	if !w.subject.isKnown() {
		return
	}
	for k := i; k < end && w.at(k) != ":" && w.at(k) != "{" && w.at(k) != "where"; k++ {
		if k == i || w.at(k) == "," {
			w.pattern(w.subject, k+1, maxPatterns)
		} else if c := w.closing[k]; c > 0 {
			k = c
		}
	}
}

// maxPatterns is the maximum nesting of patterns.
const maxPatterns = 8

// pattern evaluates the members without a type in the pattern at a token, which a value is compared with, and determines
// the types of its variables.
func (w *walker) pattern(v value, k, depth int) {
	for w.at(k) == "let" || w.at(k) == "var" {
		k++
	}
	switch {
	case depth == 0:
	case w.at(k) == "." && w.isName(k+1):
		w.patterned[k] = true
		w.implicit(v, k)
		w.payload(v, k, depth)
	case w.at(k) == "(":
		if v.tuple == nil || v.optional > 0 {
			return
		}
		n := 0
		for i := k + 1; i < w.closing[k] && n < len(v.tuple.elements); i++ {
			e := v.tuple.elements[n]
			if w.isName(i) && w.at(i+1) == ":" {
				i += 2
			}
			w.pattern(e, i, depth-1)
			i = w.argumentEnd(i, w.closing[k])
			n++
		}
	case w.isName(k) && w.at(k+1) != "." && w.at(k+1) != "(": // not an expression, such as Shape.circle(radius)
		switch {
		case w.at(k+1) == "as":
			v = w.written(k+2, w.typeEnd(k+2))
		case w.at(k+1) == "?" && w.tight(k+1):
			v.optional = max(0, v.optional-1)
		}
		v.forced = false
		w.payloads[k] = v
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

// payload evaluates the patterns in that of an enum case, which begins with a dot.
func (w *walker) payload(v value, dot, depth int) {
	open := dot + 2
	if w.at(open) != "(" {
		return
	}
	var types []value
	if name := unquoted(w.at(dot + 1)); v.optional == 1 && name == "some" {
		v.optional = 0
		types = []value{v}
	} else {
		if v.t == nil {
			return
		}
		found, _ := w.program.find(v.t, name)
		if len(found) != 1 || found[0].decl.Kind != source.Case {
			return
		}
		v.optional = 0
		for i := range found[0].decl.Params {
			types = append(types, w.declared(found[0].decl.Params[i].Type, found[0], v))
		}
	}
	var starts []int // of the patterns
	for k := open + 1; k < w.closing[open]; k++ {
		if w.isName(k) && w.at(k+1) == ":" {
			k += 2
		}
		starts = append(starts, k)
		k = w.argumentEnd(k, w.closing[open])
	}
	if len(starts) != len(types) {
		return // a variable for several elements
	}
	for n, k := range starts {
		w.pattern(types[n], k, depth-1)
	}
}

// bindPattern binds the names in a pattern.
func (w *walker) bindPattern(i, end int) {
	for from := i; i < end; i++ {
		if w.isName(i) && w.at(i+1) != ":" && w.at(i+1) != "." && w.at(i-1) != "." {
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
