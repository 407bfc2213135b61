package program

import (
	"maps"
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
		if v, ok := w.localTypes[name]; ok && w.functions > 0 {
			f.t = v.t
		} else {
			w.bindLocal(name, i)
		}
	case w.at(i) == "extension":
		stop := w.typeEnd(i + 1)
		if v := w.written(i+1, stop); v.optional == 0 {
			f.t, f.system = v.t, v.system
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
	if f.t == nil || f.t.local {
		w.bindGenerics(i+2, open, nil)
	}
	for k := i + 2; k < open; k++ {
		if w.at(k) == "where" && w.parent[k] == w.parent[i] {
			w.requirements(k, open)
			if w.at(i) == "extension" {
				w.frames[len(w.frames)-1].bound = w.equalities(k, open)
			}
		}
	}
	w.block(open+1, w.closing[open])
	w.forget(vars)
	w.frames, w.functions = frames, functions
	return w.closing[open] + 1
}

// equalities returns the types that a where clause, which begins at a token, requires names to be.
func (w *walker) equalities(where, end int) map[string]value {
	bound := map[string]value{}
	for k := where + 1; k < end; k++ {
		if w.isName(k) && w.at(k+1) == "==" && (w.at(k-1) == "where" || w.at(k-1) == "," || w.at(k-1) == "." && w.at(k-2) == "Self") {
			if v := w.written(k+2, min(w.typeEnd(k+2), end)); v.isKnown() && !v.isGeneric() {
				bound[unquoted(w.at(k))] = v
			}
		}
		k = max(k, w.closing[k])
	}
	return bound
}

// bindGenerics binds the names of generic parameters. types are those that stand for them, or nil if they are unknown.
func (w *walker) bindGenerics(i, end int, types map[string]value) {
	if w.at(i) == "" || w.at(i)[0] != '<' {
		return
	}
	c := w.angle(i)
	for k := i + 1; k < min(c, end); k++ {
		if w.isName(k) && (w.at(k-1) == "<" || w.at(k-1) == "," || w.at(k-1) == "each" || w.at(k-1) == "let") {
			w.set(w.at(k), i, len(w.tokens), types[unquoted(w.at(k))])
		}
	}
}

// genericTypes returns the types that stand for the generic parameters of a function whose header is between two tokens.
func (w *walker) genericTypes(i, end int) map[string]value {
	parsed := source.Parse(w.file.Name, w.between(i, end))
	if len(parsed.Decls) != 1 || len(parsed.Decls[0].Generics) == 0 {
		return nil
	}
	d := parsed.Decls[0]
	var scope *Type
	if n := len(w.frames); n > 0 {
		scope = w.frames[n-1].t
	}
	types := map[string]value{}
	for k := range d.Generics {
		name := d.Generics[k].Name
		if t := w.program.parameterType(name, []declaration{{d, w.file}}, d.Where, scope); t != nil {
			t.locals = w.localTypes
			types[name] = value{t: t, meta: true}
		}
	}
	return types
}

// enumCase reads the cases of an enum that are declared in a line.
func (w *walker) enumCase(i, end int) int {
	for i++; i < end; i++ {
		if c := w.closing[i]; c > 0 {
			if w.at(i) == "(" && w.tight(i) && w.isName(i-1) {
				w.payloadTypes(i)
			}
			i = c
		}
		if w.at(i+1) == "}" || w.begins(i+1) && w.at(i) != "," && w.at(i) != "=" && w.at(i+1) != "=" {
			return i + 1
		}
	}
	return end
}

// payloadTypes checks the names of types in the parameters of an enum case.
func (w *walker) payloadTypes(open int) {
	for k := open; k < w.closing[open]; k++ {
		if k == open || w.at(k) == "," {
			first := k + 1
			for w.isName(first) && (w.at(first+1) == ":" || w.isName(first+1) && w.at(first+2) == ":") {
				first++
			}
			if w.at(first) == ":" {
				first++
			}
			w.annotation(first, min(w.typeEnd(first), w.closing[open]))
		} else if c := w.closing[k]; c > 0 {
			k = c
		}
	}
}

// function reads a function. next is the token after its name.
func (w *walker) function(i, next, end int) int {
	if _, ok := w.localTypes[unquoted(w.at(i+1))]; !ok && w.functions > 0 {
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
			header := c
			for header < end && w.at(header) != "{" && w.at(header) != "}" && !(header > c && w.begins(header) && (isDeclarationKeyword(w.at(header)) || w.at(header) == "@")) {
				header = max(header, w.closing[header]) + 1
			}
			types := w.genericTypes(i, min(header, end))
			w.bindGenerics(next, c, types)
			localTypes := w.localTypes
			w.localTypes = maps.Clone(w.localTypes)
			if w.localTypes == nil {
				w.localTypes = map[string]value{}
			}
			for k := next; k < c; k++ {
				if w.isName(k) && w.at(k-1) != "." && w.at(k-1) != ":" {
					w.localTypes[w.at(k)] = types[w.at(k)]
				}
			}
			defer func() { w.localTypes = localTypes }()
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
			first := k
			for k < end && w.at(k) != "{" && !(w.begins(k) && (isDeclarationKeyword(w.at(k)) || w.at(k) == "@")) && w.at(k) != "}" {
				k++
			}
			w.requirements(first, k)
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
		result, returns := w.result, w.returns
		w.result, w.returns = returned, nil
		localTypes := w.localTypes
		w.locals(k+1, w.closing[k])
		w.implicitResult(i, k+1)
		w.block(k+1, w.closing[k])
		w.result, w.returns, w.localTypes = result, returns, localTypes
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
	types := maps.Clone(w.localTypes)
	if types == nil {
		types = map[string]value{}
	}
	declared := map[string]bool{}
	functions := map[string]int{} // the keywords of functions in the outermost block whose names are declared once
	for from := i; i < end; i++ {
		switch w.at(i) {
		case "struct", "class", "enum", "actor", "typealias", "func", "protocol":
			if !w.isName(i+1) || w.at(i-1) == "." || isMemberKeyword(w.at(i+1)) {
				continue
			}
			name := unquoted(w.at(i + 1))
			v := value{}
			if t := w.localType(i, types); t != nil && !declared[name] {
				v = value{t: t, meta: true}
			}
			if delete(functions, name); w.at(i) == "func" && !declared[name] && w.parent[i] == from-1 {
				functions[name] = i
			}
			declared[name], types[name] = true, v
			w.bind(name, from)
		}
	}
	for name := range declared {
		indices := w.named[name]
		w.vars[indices[len(indices)-1]].value = types[name]
	}
	w.localTypes = types
	for name, i := range functions {
		indices := w.named[name]
		w.vars[indices[len(indices)-1]].value = w.localFunction(i)
	}
}

// localFunction returns the value of a function in a function, whose keyword is at a token.
func (w *walker) localFunction(i int) value {
	open := i + 2
	if w.at(open) == "<" {
		open = w.angle(open)
	}
	if w.at(open) != "(" {
		return value{}
	}
	end := w.closing[open] + 1
	for n := 0; n < maxParameters && w.at(end) != "{"; n++ {
		if end >= len(w.tokens) || contains(" } ; ", w.at(end)) {
			return value{}
		}
		end = max(end, w.closing[end]) + 1
	}
	parsed := source.Parse(w.file.Name, w.between(i, end))
	if len(parsed.Decls) != 1 || parsed.Lost > 0 || parsed.Decls[0].Kind != source.Func {
		return value{}
	}
	m := &member{decl: parsed.Decls[0], file: w.file, locals: w.localTypes}
	if n := len(w.frames); n > 0 {
		m.scope = w.frames[n-1].t
	}
	f := &function{declared: m}
	if len(m.decl.Generics) == 0 {
		f.returned = w.declared(m.decl.Result, m, value{})
	}
	return value{function: f}
}

// localType reads the declaration of a type in a function, whose keyword is at a token. It returns nil if it is none of a
// type with members.
func (w *walker) localType(i int, locals map[string]value) *Type {
	switch w.at(i) {
	case "struct", "class", "enum", "actor":
	default:
		return nil
	}
	open := i + 2
	for n := 0; open < len(w.tokens) && w.at(open) != "{"; n++ {
		if n > maxParameters || w.at(open) == "}" || w.at(open) == ";" {
			return nil
		}
		open = max(open, w.closing[open]) + 1
	}
	start := i
	for {
		switch k := start - 1; {
		case w.at(k) == "final" || w.at(k) == "private" || w.at(k) == "fileprivate" || w.at(k) == "indirect" || w.at(k) == "distributed" || w.at(k) == "nonisolated":
			start = k
			continue
		case w.isName(k) && w.at(k-1) == "@":
			start = k - 1
			continue
		case w.at(k) == ")" && w.parent[k] > 1 && w.isName(w.parent[k]-1) && w.at(w.parent[k]-2) == "@":
			start = w.parent[k] - 2
			continue
		}
		break
	}
	if open >= len(w.tokens) || w.closing[open] == 0 {
		return nil
	}
	parsed := source.Parse(w.file.Name, w.between(start, w.closing[open]+1))
	if len(parsed.Decls) != 1 || parsed.Lost > 0 || !isType(parsed.Decls[0]) || len(parsed.Decls[0].Conditions) > 0 {
		return nil
	}
	t := &Type{name: parsed.Decls[0].Name, module: w.file.module, local: true, locals: locals}
	w.program.declare(t, parsed.Decls[0], w.file)
	return t
}

// functionParameters binds the parameters in the parentheses at a token. They are in scope from another token.
func (w *walker) functionParameters(open, from int) {
	end := w.closing[open]
	for i := open + 1; i < end; {
		for w.at(i) == "@" {
			i = w.attributeEnd(i)
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
			if w.at(i) == "..." && v.isKnown() {
				v = arrayOf(v)
			}
			if w.at(i) == "=" {
				w.expression(v, i+1)
			}
		}
		if name != "" {
			w.set(name, from, len(w.tokens), v)
		}
		w.functions++ // a default value contains no members of types
		for i < end && !(w.at(i) == "," && w.parent[i] == open) {
			i = w.step(i, end)
		}
		w.functions--
		i++
	}
}
