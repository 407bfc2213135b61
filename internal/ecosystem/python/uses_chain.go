package python

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// expression is what an expression in a program refers to: a symbol of a package, and the members
// that lead from it to the value.
type expression struct {
	module, path string
	own          bool // whether the module belongs to the program
	value        ecosystem.Value
	awaited      bool
	steps        []ecosystem.Step
}

// local is a variable or parameter that has the value or type of an expression in a part of the file.
type local struct {
	reach
	expression
}

// reach is a part of a file in which a variable has the value of one binding.
type reach struct {
	first, end int // tokens
	// scope is the function in which the variable is bound, or -1. The functions within it are
	// part of it only if inner is true.
	scope int
	inner bool
}

const (
	// maxSteps is the maximum number of members in a chain.
	maxSteps = 100
	// maxStepText is the maximum length, in bytes, of the text of an expression in a finding.
	maxStepText = 80
	// maxLocals is the maximum number of bindings of one name that are distinguished.
	maxLocals = 500
)

// block is the body of a function or class, with its first line.
type block struct {
	first, end int  // tokens
	class      bool // whether it is a class rather than a function
	statement  int  // the index of its statement
	parent     int  // the index of the block around it, or -1
}

// chains reads the members of values that begin with imported names, and with variables,
// parameters and classes of the file whose values, types or bases do.
func (r *usesReader) chains(statements []statement) {
	r.match()
	for _, at := range r.bindings {
		slices.Sort(at)
	}
	r.findDeclared(statements)
	r.findFunctions(statements)
	r.findLocals(statements)
	for n, s := range statements {
		if r.guarded[n] || r.has(s, "hasattr", "getattr", "setattr", "delattr") {
			continue
		}
		if r.has(s, typeTests[:2]...) { // a part of the statement may be evaluated only for some types
			all, names := r.narrows(s)
			if all {
				continue
			}
			r.narrowed[n] = slices.Concat(r.narrowed[n], names)
		}
		switch r.tokens[s.first].Text {
		case "import", "from", "del":
			continue
		}
		for i := s.first; i < s.end; i++ {
			if r.text1(i-1) == "." {
				continue
			}
			if e, known, end := r.expression(i, s); end > 0 {
				if len(e.steps) > known && r.isTarget(s, i, end) {
					e.steps = e.steps[:len(e.steps)-1]
				}
				if !slices.Contains(r.narrowed[n], r.text1(i)) {
					r.addSteps(e, known)
				}
			}
		}
	}
}

// addSteps adds the use of members after the first known ones.
func (r *usesReader) addSteps(e expression, known int) {
	if len(e.steps) <= known {
		return
	}
	r.uses = append(r.uses, ecosystem.Use{
		Position: e.steps[known].Position, Package: e.module, Own: e.own, Path: e.path, Text: e.steps[len(e.steps)-1].Text, Value: e.value, Awaited: e.awaited, Steps: e.steps, Known: known,
	})
}

// match finds the closing bracket of each opening one.
func (r *usesReader) match() {
	r.closing = map[int]int{}
	var open []int
	for i := range r.tokens {
		switch r.tokens[i].Text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				r.closing[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
}

// blocks finds the functions and classes of the file.
func (r *usesReader) blocks(statements []statement) {
	var open []int // open contains the indices of the blocks around the current statement.
	for n, s := range statements {
		for len(open) > 0 && statements[r.scopes[open[len(open)-1]].statement].indent >= s.indent {
			r.scopes[open[len(open)-1]].end = s.first
			open = open[:len(open)-1]
		}
		word := r.text1(s.first)
		if word == "async" {
			word = r.text1(s.first + 1)
		}
		parent := -1
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		r.scopeOf, r.scopeAt = append(r.scopeOf, parent), append(r.scopeAt, -1)
		if word != "def" && word != "class" {
			continue
		}
		r.scopeAt[n] = len(r.scopes)
		open = append(open, len(r.scopes))
		r.scopes = append(r.scopes, block{first: s.first, end: len(r.tokens), class: word == "class", statement: n, parent: parent})
	}
}

// findLocals finds the variables and parameters with known values or types.
func (r *usesReader) findLocals(statements []statement) {
	r.locals = map[string][]local{}
	add := func(at, statement, scope int, e expression) {
		name := r.text1(at)
		if r.imported[name] != (importedName{}) || len(r.locals[name]) == maxLocals {
			return
		}
		if x, ok := r.reachOf(at, statement, scope, statements); ok && !r.isNarrowed(name, x.first, x.end) {
			r.locals[name] = append(r.locals[name], local{x, e})
		}
	}
	for n := range r.scopes {
		if b := &r.scopes[n]; b.class {
			r.findSelf(b, n, statements, add)
		} else {
			r.findParameters(b, n, statements[b.statement], add)
		}
	}
	for n, s := range statements {
		scope := r.scopeOf[n]
		if scope >= 0 && r.scopes[scope].class || scope < 0 && r.starred { // an import may bind the name
			continue
		}
		i := s.first
		if r.text1(i) == "async" {
			i++
		}
		switch {
		case r.text1(i) == "with":
			r.findManagers(s, i+1, i > s.first, func(at int, e expression) { add(at, n, scope, e) })
		case r.isName(i) && r.text1(i+1) == "=":
			at := i + 2
			awaited := r.text1(at) == "await"
			if awaited {
				at++
			}
			e, _, after := r.expression(at, s)
			if after == s.end || r.text1(after) == ";" {
				if awaited && !e.await() || !awaited && after == 0 {
					continue
				}
				add(i, n, scope, e)
			}
		case r.isName(i) && r.text1(i+1) == ":" && !pythonKeyword(r.text1(i)):
			if e, after := r.annotation(i + 2); after > 0 && (after == s.end || r.text1(after) == "=") {
				add(i, n, scope, e)
			}
		}
	}
}

// reachOf returns the part of the file in which a variable has the value that is bound at a token of a
// statement in a function. If nothing else in the function binds the variable, that is the whole function.
// Otherwise it is the rest of the block, up to another binding or a loop with one.
func (r *usesReader) reachOf(at, statement, scope int, statements []statement) (x reach, ok bool) {
	x = reach{first: 0, end: len(r.tokens), scope: scope, inner: true}
	if scope >= 0 {
		x.first, x.end = r.scopes[scope].first, r.scopes[scope].end
	}
	bindings := r.bindings[r.text1(at)]
	from, _ := slices.BinarySearch(bindings, x.first)
	to, _ := slices.BinarySearch(bindings, x.end)
	bindings = bindings[from:to]
	if len(bindings) == 1 {
		return x, true
	}
	if len(bindings) > maxLocals {
		return x, false
	}
	for _, b := range bindings {
		if word := r.text1(statements[r.statementAt(b, statements)].first); word == "global" || word == "nonlocal" {
			return x, false
		}
	}
	s := statements[statement]
	x.first, x.inner = s.end, false
	isParameter := scope >= 0 && r.scopes[scope].statement == statement
	for n := statement + 1; n < len(statements) && statements[n].first < x.end; n++ {
		other := statements[n]
		if other.indent < s.indent && !isParameter {
			x.end = other.first
			break
		}
		end := other.end
		if r.isLoop(other) {
			end = r.blockEnd(n, statements)
		}
		i, _ := slices.BinarySearch(bindings, other.first)
		if i == len(bindings) || bindings[i] >= end {
			continue
		}
		x.end = other.first
		if bindings[i] == other.first && r.text1(other.first+1) == "=" { // the new value is computed first
			x.end = other.end
		}
		break
	}
	return x, true
}

// isLoop reports whether a statement begins a loop.
func (r *usesReader) isLoop(s statement) bool {
	word := r.text1(s.first)
	return word == "for" || word == "while" || word == "async" && r.text1(s.first+1) == "for"
}

// blockEnd returns the token after the block that a statement begins.
func (r *usesReader) blockEnd(n int, statements []statement) int {
	for k := n + 1; k < len(statements); k++ {
		if statements[k].indent <= statements[n].indent {
			return statements[k].first
		}
	}
	return len(r.tokens)
}

// statementAt returns the index of the statement that contains a token.
func (r *usesReader) statementAt(i int, statements []statement) int {
	n, found := slices.BinarySearchFunc(statements, i, func(s statement, i int) int { return s.first - i })
	if !found {
		n--
	}
	return max(n, 0)
}

// findDeclared finds the functions and classes of the file that nothing else binds.
func (r *usesReader) findDeclared(statements []statement) {
	r.declared = map[string]bool{}
	if !strings.HasSuffix(r.file.Name, ".py") || r.starred {
		return
	}
	for _, b := range r.scopes {
		s := statements[b.statement]
		at := s.first + 1
		if r.text1(at) == "def" { // after async
			at++
		}
		name := r.text1(at)
		if b.parent < 0 && !s.doubtful && len(r.bindings[name]) == 1 && r.imported[name] == (importedName{}) {
			r.declared[name] = true
		}
	}
}

// findFunctions finds the functions of the file whose results have known types.
func (r *usesReader) findFunctions(statements []statement) {
	r.functions = map[string]expression{}
	for n := range r.scopes {
		b := &r.scopes[n]
		s := statements[b.statement]
		name := r.text1(s.first + 1)
		if b.class || b.parent >= 0 || r.text1(s.first) != "def" || len(r.bindings[name]) != 1 || r.imported[name] != (importedName{}) {
			continue
		}
		if b.statement > 0 && r.text1(statements[b.statement-1].first) == "@" {
			continue
		}
		for i := s.first; i < s.end; i++ {
			if r.text1(i) != "->" {
				continue
			}
			if e, after := r.annotation(i + 1); after > 0 && r.text1(after) == ":" {
				r.functions[name] = e
			}
			break
		}
	}
}

// catching contains exceptions that code expects if an attribute may be absent.
var catching = []string{"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError", "Exception", "BaseException"}

// await marks the last call of an expression as awaited. It returns false if there is none.
func (e *expression) await() bool {
	if n := len(e.steps); n > 0 {
		e.steps = slices.Clone(e.steps)
		e.steps[n-1].Awaited = true
		return e.steps[n-1].Called
	}
	e.awaited = true
	return e.value == ecosystem.Result
}

// findManagers finds the variables of a with statement, whose first expression is at the given
// token.
func (r *usesReader) findManagers(s statement, i int, async bool, add func(int, expression)) {
	if r.text1(i) == "(" && r.text1(r.closing[i]+1) == ":" {
		i++
	}
	for i < s.end {
		e, _, end := r.expression(i, s)
		if end == 0 {
			return
		}
		if r.text1(end) == "as" && r.isName(end+1) {
			if after := r.text1(end + 2); after == ":" || after == "," || after == ")" {
				enter := ecosystem.Step{Position: r.lines.Position(r.tokens[i].Pos), Name: "__enter__", Text: r.text1(end + 1), Called: true}
				if async {
					enter.Name, enter.Awaited = "__aenter__", true
				}
				e.steps = append(slices.Clip(e.steps), enter)
				add(end+1, e)
			}
			end += 2
		}
		if r.text1(end) != "," {
			return
		}
		i = end + 1
	}
}

// findParameters finds the parameters of a function that have annotations.
func (r *usesReader) findParameters(b *block, index int, s statement, add func(int, int, int, expression)) {
	open := s.first
	for open < s.end && r.text1(open) != "(" {
		if r.text1(open) == "[" { // The brackets contain type parameters.
			open = r.closing[open]
			if open == 0 {
				return
			}
		}
		open++
	}
	end := r.closing[open]
	for i := open + 1; i > 0 && i < end; i++ {
		switch r.text1(i) {
		case "(", "[", "{":
			if i = r.closing[i]; i == 0 {
				return
			}
			continue
		}
		before := r.text1(i - 1)
		if !r.isName(i) || r.text1(i+1) != ":" || before != "(" && before != "," {
			continue
		}
		if e, after := r.annotation(i + 2); after > 0 && (r.text1(after) == "," || r.text1(after) == ")" || r.text1(after) == "=" && (r.text1(after+1) != "None" || r.isOptional(i+2, after))) {
			add(i, b.statement, index, e)
		}
	}
}

// findSelf finds the first parameters of the methods of a class: values of its only base if that is imported
// from another package, or else of the class itself. The names that the class statement contains are omitted
// from the steps.
func (r *usesReader) findSelf(b *block, index int, statements []statement, add func(int, int, int, expression)) {
	s := statements[b.statement]
	name := r.text1(s.first + 1)
	if b.parent >= 0 || s.doubtful {
		return
	}
	base, end := r.base(s.first + 3)
	switch {
	case end > 0 && !base.own && r.text1(end) == ")" && r.text1(s.first+2) == "(":
		if s.first > 0 && b.statement > 0 && r.text1(statements[b.statement-1].first) == "@" || strings.Contains(name, "Mixin") || strings.Contains(base.path, "Mixin") {
			return
		}
	case r.declared[name]:
		base = expression{path: name, own: true}
	default:
		return
	}
	for i := b.first; i < b.end; i++ {
		switch r.text1(i) {
		case "__getattr__", "__getattribute__", "__dict__", "__class__", "setattr", "vars":
			return
		}
	}
	base.value = ecosystem.Derived
	own := r.ownNames(b, index, statements)
	for n := range r.scopes {
		f := &r.scopes[n]
		if f.parent != index || f.class {
			continue
		}
		open := statements[f.statement].first
		if r.text1(open) != "def" {
			open++
		}
		if r.text1(open+2) != "(" || r.text1(open+3) != "self" || f.statement > 0 && r.text1(statements[f.statement-1].first) == "@" && r.has(statements[f.statement-1], "staticmethod", "classmethod") {
			continue
		}
		add(open+3, f.statement, n, base)
	}
	r.classes = append(r.classes, ownNames{b.first, b.end, own})
}

// ownNames are the names that a class of the file declares or assigns.
type ownNames struct {
	first, end int
	names      map[string]bool
}

func (r *usesReader) ownNames(b *block, index int, statements []statement) map[string]bool {
	names := map[string]bool{}
	for n, s := range statements {
		if r.scopeOf[n] != index {
			continue
		}
		for i := s.first; i < s.end; i++ {
			if word := r.text1(i); (word == "def" || word == "class") && r.isName(i+1) {
				names[r.text1(i+1)] = true
				break
			}
			if r.isName(i) && r.text1(i-1) != "." && (r.text1(i+1) == "=" || r.text1(i+1) == ":" || r.text1(i+1) == ",") {
				names[r.text1(i)] = true
			}
		}
	}
	for i := b.first; i+1 < b.end; i++ { // The targets are assignments such as self.x = …, tuples, and targets of loops.
		if r.text1(i) == "." && r.isName(i+1) {
			if next := r.text1(i + 2); next == "=" || next == ":" || next == "," || next == "in" || next == ")" && r.text1(i+3) == "=" || isAugmented(next) {
				names[r.text1(i+1)] = true
			}
		}
	}
	return names
}

// base reads the name of an imported symbol at the given token. It returns the token after it, or
// 0.
func (r *usesReader) base(i int) (e expression, end int) {
	if !r.isName(i) {
		return e, 0
	}
	name := r.text1(i)
	to, ok := r.imported[name]
	if !ok && r.declared[name] {
		full, end := r.dotted(i)
		return expression{path: full, own: true}, end
	}
	if !ok && builtinTypes[name] && len(r.bindings[name]) == 0 && !r.starred {
		return expression{module: builtinsModule, path: name, own: true}, i + 1
	}
	if !ok || !r.isImported(i) || r.isBound(i) {
		return e, 0
	}
	full, end := r.dotted(i)
	pkg, attributes := to.pkg, strings.TrimPrefix(full, name)
	if to.path == "" && to.pkg == name {
		pkg, attributes = r.longest(full)
	}
	e.module, e.own, e.path = pkg, to.own, strings.Trim(to.path+attributes, ".")
	if e.path == "" {
		return e, 0
	}
	return e, end
}

// builtinsModule is the module of the builtin types.
const builtinsModule = "builtins"

// builtinTypes are types whose constructors make values of exactly these types.
var builtinTypes = map[string]bool{"str": true, "bytes": true, "bytearray": true, "int": true, "list": true, "dict": true, "set": true, "frozenset": true}

// display reads a list, dictionary or set in brackets, or a string. It returns the token after it, or 0 if there is
// something else.
func (r *usesReader) display(i int) (e expression, end int) {
	e = expression{module: builtinsModule, own: true, value: ecosystem.Instance}
	switch text := r.text1(i); {
	case i < len(r.tokens) && r.tokens[i].Kind == source.StringToken:
		prefix, _, _ := strings.Cut(strings.ToLower(text[:strings.IndexAny(text, `"'`)+1]), `"`)
		e.path = "str"
		if strings.Contains(prefix, "b") {
			e.path = "bytes"
		}
		for end = i + 1; end < len(r.tokens) && r.tokens[end].Kind == source.StringToken; end++ {
		}
		if i > 0 && r.tokens[i-1].Kind == source.StringToken {
			return e, 0
		}
		return e, end
	case r.closing[i] == 0 || r.isIndexed(i-1):
		return e, 0
	case text == "[":
		e.path = "list"
	case text == "{":
		e.path = "set"
		depth := 0
		for k := i; k < r.closing[i]; k++ {
			switch r.text1(k) {
			case "(", "[", "{", "lambda":
				depth++
			case ")", "]", "}":
				depth--
			case ":":
				if depth == 1 {
					e.path = "dict"
				}
			case "**":
				e.path = "dict"
			}
		}
		if r.closing[i] == i+1 {
			e.path = "dict"
		}
	default:
		return e, 0
	}
	return e, r.closing[i] + 1
}

// isIndexed reports whether an opening bracket after the given token contains an index.
func (r *usesReader) isIndexed(i int) bool {
	switch text := r.text1(i); {
	case text == ")" || text == "]" || text == "}":
		return true
	case i >= 0 && r.tokens[i].Kind == source.StringToken:
		return true
	default:
		return r.isName(i) && !slices.Contains(operators, text)
	}
}

// operators are keywords before expressions.
var operators = []string{"and", "assert", "await", "elif", "else", "if", "in", "is", "not", "or", "return", "while", "yield"}

// annotation reads a type that is the name of an imported type, perhaps with type arguments, or the
// union of such a type and None, at the given token. It returns the token after it, or 0 if the type is
// something else.
func (r *usesReader) annotation(i int) (e expression, end int) {
	if r.text1(i) == "None" && r.text1(i+1) == "|" {
		return r.class(i + 2)
	}
	if e, end = r.class(i); end > 0 && r.text1(end) == "|" {
		if r.text1(end+1) != "None" {
			return e, 0
		}
		end += 2
	}
	return e, end
}

// class reads the name of an imported type, perhaps in Optional or Annotated, or with type arguments.
func (r *usesReader) class(i int) (e expression, end int) {
	if e, end = r.base(i); end == 0 {
		e, end = r.quoted(i)
	}
	if end == 0 {
		return e, 0
	}
	if r.text1(end) == "[" {
		after := r.closing[end] + 1
		if after == 1 {
			return e, 0
		}
		switch last := e.path[strings.LastIndexByte(e.path, '.')+1:]; last {
		case "Union", "Type", "ClassVar", "Final":
			return e, 0
		case "Optional", "Annotated":
			var next int
			e, next = r.base(end + 1)
			if next > 0 && r.text1(next) == "[" {
				next = r.closing[next] + 1
			}
			if next+1 != after && (last != "Annotated" || r.text1(next) != ",") || next == 0 {
				return e, 0
			}
		}
		end = after
	}
	e.value = ecosystem.Instance
	if e.module == builtinsModule && e.own {
		e.value = ecosystem.Derived // The class of the value may have other bases, too.
	}
	return e, end
}

// quoted reads a string that contains the name of a type.
func (r *usesReader) quoted(i int) (e expression, end int) {
	if i >= len(r.tokens) || r.tokens[i].Kind != source.StringToken {
		return e, 0
	}
	name := strings.Trim(r.text1(i), `"'`)
	first, rest, _ := strings.Cut(name, ".")
	to, ok := r.imported[first]
	switch {
	case !validModule(name) || len(name)+2 != len(r.text1(i)):
		return e, 0
	case ok && !r.bound[first] && len(r.bindings[first]) == 0 && slices.Contains(r.importedIn[first], -1) && to.path != "":
		return expression{module: to.pkg, own: to.own, path: strings.Trim(to.path+"."+rest, ".")}, i + 1
	case r.declared[first]:
		return expression{path: name, own: true}, i + 1
	}
	return e, 0
}

// isOptional reports whether the type between the given tokens includes None.
func (r *usesReader) isOptional(first, end int) bool {
	for i := first; i < end; i++ {
		if word := r.text1(i); word == "None" || word == "Optional" {
			return true
		}
	}
	return false
}

// local returns the variable that a name at the given token refers to, or nil if there is none.
func (r *usesReader) local(i int) *local {
	locals := r.locals[r.text1(i)]
	for k := range locals {
		l := &locals[k]
		if i < l.first || i >= l.end {
			continue
		}
		if l.inner {
			return l
		}
		n := r.statementAt(i, r.code)
		if r.scopeOf[n] == l.scope && !r.has(r.code[n], "lambda", "def", "class") {
			return l
		}
	}
	return nil
}

// expression reads an expression in a statement at the given token. known is the number of the
// first steps that belong to the value of a variable. end is the token after it, or 0 if it is not
// understood.
func (r *usesReader) expression(i int, s statement) (e expression, known, end int) {
	start := i
	var own map[string]bool
	if l := r.local(i); l != nil {
		e, known, end = l.expression, len(l.steps), i+1
		e.steps = slices.Clip(e.steps)
		if e.value == ecosystem.Derived {
			for _, o := range r.classes {
				if i >= o.first && i < o.end {
					own = o.names
				}
			}
		}
	} else if f, ok := r.functions[r.text1(i)]; ok && r.text1(i+1) == "(" && r.closing[i+1] > 0 {
		e, end = f, r.closing[i+1]+1
	} else if e, end = r.display(i); end == 0 {
		if e, end = r.base(i); end == 0 || r.text1(end) != "(" || r.closing[end] == 0 {
			return e, 0, 0
		}
		e.value, end = ecosystem.Result, r.closing[end]+1
	}
	for {
		if r.text1(start-1) == "await" && r.text1(start-2) == "(" && r.text1(end) == ")" && r.closing[start-2] == end { // (await f()).x
			if len(e.steps) == known && known > 0 || !e.await() {
				return e, 0, 0
			}
			end, start = end+1, start-2
		}
		name := end + 1
		if len(e.steps) == maxSteps || end >= s.end || r.text1(end) != "." || !r.isName(name) {
			return e, known, end
		}
		text := r.text1(name)
		if n := len(e.steps); strings.HasPrefix(text, "_") || own[text] && n == known || n > 0 && r.tested[e.steps[n-1].Name] {
			return e, known, end
		}
		step := ecosystem.Step{Position: r.lines.Position(r.tokens[name].Pos), Name: text, Text: r.text[r.tokens[start].Pos : r.tokens[name].Pos+len(text)]}
		if len(step.Text) > maxStepText || strings.Contains(step.Text, "\n") {
			step.Text = text
		}
		end = name + 1
		if r.text1(end) == "(" && r.closing[end] > 0 {
			step.Called, step.Args = true, r.callArgs(text, end, s.end)
			end = r.closing[end] + 1
		}
		e.steps = append(e.steps, step)
	}
}

// isTarget reports whether the expression between the given tokens may be the target of an
// assignment.
func (r *usesReader) isTarget(s statement, i, end int) bool {
	next := r.text1(end)
	switch before := r.text1(i - 1); {
	case next == "=" && !r.isArgument(s, i), isAugmented(next), next == ":" && i == s.first, next == ":=":
		return true
	case before == "as" || before == "for" || next == "in" && r.has(s, "for"):
		return true
	}
	if !r.assigns(s) || next != "," && next != ")" && next != "]" {
		return false
	}
	depth := 0
	for k := end; k < s.end; k++ {
		switch r.tokens[k].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "=":
			if depth <= 0 {
				return true
			}
		}
	}
	return false
}

// isArgument reports whether a token is within brackets of its statement.
func (r *usesReader) isArgument(s statement, i int) bool {
	depth := 0
	for k := s.first; k < i; k++ {
		switch r.tokens[k].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
	}
	return depth > 0
}
