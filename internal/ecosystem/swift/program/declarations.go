package program

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// typeDeclaration reads the declaration of a type or an extension.
func (w *walker) typeDeclaration(i, end int) int {
	open := i + 2
	for open < end && w.at(open) != "{" {
		if c := w.closing[open]; c > 0 {
			open = c
		}
		if w.at(open) == "}" || w.at(open) == ";" {
			return open
		}
		open++
	}
	if open >= end {
		return end
	}
	f := frame{}
	outer := (*Type)(nil)
	unknown := false // whether an enclosing type is unknown
	if n := len(w.frames); n > 0 {
		outer = w.frames[n-1].t
		unknown = outer == nil
	}
	name := unquoted(w.at(i + 1))
	switch {
	case w.functions > 0 || unknown:
		w.bindLocal(name, i)
	case w.at(i) == "extension":
		stop := w.typeEnd(i + 1)
		if v := w.written(i+1, stop); v.optional == 0 {
			f.t = v.t
		}
	case outer != nil:
		w.program.extendType(outer)
		f.t = outer.nested[name]
	default:
		f.t = w.file.module.typeNamed(name, w.file)
	}
	frames, functions, vars := w.frames, w.functions, len(w.vars)
	w.frames = append(slices.Clip(w.frames), f)
	w.functions = 0
	if f.t == nil {
		w.bindGenerics(i+2, open)
	}
	w.block(open+1, w.closing[open])
	w.forget(vars)
	w.frames, w.functions = frames, functions
	return w.closing[open] + 1
}

// bindGenerics binds the names of generic parameters.
func (w *walker) bindGenerics(i, end int) {
	if w.at(i) == "" || w.at(i)[0] != '<' {
		return
	}
	c := w.angle(i)
	for k := i + 1; k < min(c, end); k++ {
		if w.isName(k) && (w.at(k-1) == "<" || w.at(k-1) == "," || w.at(k-1) == "each" || w.at(k-1) == "let") {
			w.bind(w.at(k), i)
		}
	}
}

// enumCase skips the cases of an enum that are declared in a line.
func (w *walker) enumCase(i, end int) int {
	for i++; i < end; i++ {
		if c := w.closing[i]; c > 0 {
			i = c
		}
		if w.at(i+1) == "}" || w.begins(i+1) && w.at(i) != "," && w.at(i) != "=" && w.at(i+1) != "=" {
			return i + 1
		}
	}
	return end
}

// function reads a function. next is the token after its name.
func (w *walker) function(i, next, end int) int {
	if w.functions > 0 {
		w.bind(w.at(i+1), i)
	}
	vars := len(w.vars)
	for w.kind(next) == source.Oper && w.at(next)[0] != '<' { // init? or the rest of an operator's name
		next++
	}
	if w.kind(next) == source.Oper {
		if w.at(next) != "<" { // an operator such as <=
			next++
		}
		if c := w.angle(next); c > 0 {
			w.bindGenerics(next, c)
			next = c
		}
	}
	if w.at(next) != "(" {
		w.forget(vars)
		return next
	}
	w.functionParameters(next, i)
	k := w.closing[next] + 1
	returned := value{}
header:
	for k < end {
		switch w.at(k) {
		case "async", "throws", "rethrows", "reasync":
			k++
			if w.at(k) == "(" && w.at(k-1) == "throws" {
				k = w.closing[k] + 1
			}
		case "->":
			first := k + 1
			k = w.typeEnd(first)
			w.annotation(first, k)
			returned = w.written(first, k)
		case "where":
			for k < end && w.at(k) != "{" && !(w.begins(k) && (isDeclarationKeyword(w.at(k)) || w.at(k) == "@")) && w.at(k) != "}" {
				k++
			}
		default:
			break header
		}
	}
	if w.at(k) == "{" {
		last := len(w.frames) - 1
		if last >= 0 && w.functions == 0 {
			w.frames[last].static = w.isStatic(i)
		}
		w.functions++
		result := w.result
		w.result = returned
		w.locals(k+1, w.closing[k])
		w.implicitResult(i, k+1)
		w.block(k+1, w.closing[k])
		w.result = result
		w.functions--
		if last >= 0 && w.functions == 0 {
			w.frames[last].static = false
		}
		k = w.closing[k] + 1
	}
	w.forget(vars)
	return max(k, i+1)
}

func isDeclarationKeyword(word string) bool {
	switch word {
	case "func", "var", "let", "init", "subscript", "static", "public", "mutating", "associatedtype", "typealias", "case", "struct", "class", "enum", "extension", "protocol", "private", "internal":
		return true
	}
	return false
}

// locals binds the types and functions that are declared in a function, because they can be used before they are
// declared.
func (w *walker) locals(i, end int) {
	for from := i; i < end; i++ {
		switch w.at(i) {
		case "struct", "class", "enum", "actor", "typealias", "func", "protocol":
			if w.isName(i+1) && w.at(i-1) != "." {
				w.bind(w.at(i+1), from)
			}
		}
	}
}

// functionParameters binds the parameters in the parentheses at a token. They are in scope from another token.
func (w *walker) functionParameters(open, from int) {
	end := w.closing[open]
	for i := open + 1; i < end; {
		for w.at(i) == "@" {
			i += 2
			if w.at(i) == "(" && w.tight(i) {
				i = w.closing[i] + 1
			}
		}
		name := ""
		for i < end && w.isName(i) {
			name = w.at(i)
			i++
		}
		v := value{}
		if w.at(i) == ":" {
			stop := min(w.typeEnd(i+1), end)
			w.annotation(i+1, stop)
			v = w.written(i+1, stop)
			i = stop
			if w.at(i) == "..." {
				v = value{}
			}
			if w.at(i) == "=" {
				w.implicit(v, i+1)
			}
		}
		if name != "" {
			w.set(name, from, len(w.tokens), v)
		}
		for i < end && w.at(i) != "," {
			switch {
			case w.at(i) == "{":
				w.closure(i)
				i = w.closing[i] + 1
			case w.isName(i) && w.at(i-1) != "." && !isLiteral(w.at(i)):
				w.chain(i)
				i++
			case w.at(i) == "(" || w.at(i) == "[":
				i = w.closing[i] + 1
			default:
				i++
			}
		}
		i++
	}
}

func isLiteral(word string) bool { return word == "true" || word == "false" || word == "nil" }
