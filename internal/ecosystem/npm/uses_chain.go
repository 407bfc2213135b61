package npm

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// expression is the target of an expression in a program: a symbol of a package, and the chain of
// members from the symbol to the value.
type expression struct {
	module, path string
	value        ecosystem.Value
	steps        []ecosystem.Step
	// void is true if a type argument may be void: calls may omit arguments of that type.
	void bool
}

const (
	// maxSteps is the maximum number of members in a chain.
	maxSteps = 100
	// maxTypeArgs is the maximum number of tokens in a list of type arguments.
	maxTypeArgs = 200
)

// chains reads the members of values that begin with imported names, and with variables and
// parameters whose values or types do.
func (r *usesReader) chains() {
	locals := r.locals()
	for i := range r.tokens {
		if !r.isWord(i) || r.isMember(i) || r.inImport(i) {
			continue
		}
		e, known, end := r.expression(i, locals)
		if end == 0 || len(e.steps) == known || r.isOwn(e.module) {
			continue
		}
		r.uses = append(r.uses, ecosystem.Use{
			Position: e.steps[known].Position, Package: e.module, Path: e.path, Text: e.steps[len(e.steps)-1].Text, Value: e.value, Steps: e.steps, Known: known,
		})
	}
}

// isMember reports whether the word at the given token is the name of a member.
func (r *usesReader) isMember(i int) bool {
	return r.at(i-1) == "."
}

// member returns the token of the name of the member that is accessed at the given token, or 0 if
// there is none.
func (r *usesReader) member(i int) int {
	if r.at(i) == "?" && r.at(i+1) == "." && r.tokens[i].Pos+1 == r.tokens[i+1].Pos {
		i++
	}
	if r.at(i) != "." || !r.isWord(i+1) {
		return 0
	}
	return i + 1
}

// inImport reports whether a token is part of an import statement.
func (r *usesReader) inImport(i int) bool {
	n, found := slices.BinarySearchFunc(r.statics, i, func(s span, i int) int { return s.start - i })
	return found || n > 0 && i <= r.statics[n-1].end
}

// locals returns the values of variables and parameters that are bound once in the file and always
// have the type with which they were declared.
func (r *usesReader) locals() map[string]expression {
	locals, narrowed := map[string]expression{}, r.narrowed()
	add := func(name string, e expression) {
		if r.bindings[name] == 1 && r.imported[name] == (importedName{}) && !narrowed[name] {
			locals[name] = e
		}
	}
	for _, i := range r.annotated {
		if e, end := r.annotation(i + 2); end > 0 && slices.Contains([]string{",", ")", "="}, r.at(end)) {
			add(r.at(i), e)
		}
	}
	for i := range r.tokens {
		if word := r.at(i); word != "const" && word != "let" && word != "var" || !r.isWord(i+1) || r.isMember(i) {
			continue
		}
		switch name := r.at(i + 1); r.at(i + 2) {
		case ":":
			if e, end := r.annotation(i + 3); end > 0 && (r.at(end) == "=" || r.ends(end)) {
				add(name, e)
			}
		case "=":
			if e, _, end := r.expression(i+3, locals); end > 0 && r.ends(end) {
				add(name, e)
			}
		}
	}
	return locals
}

// guard matches the name of a function that may reveal more about the type of its argument.
var guard = lazyregexp.New(`(?i)^(is|has|as|can|assert|invariant|ensure|check|expect|guard|verify)`)

// narrowed returns the variables whose types the compiler may narrow in a part of the program.
func (r *usesReader) narrowed() map[string]bool {
	names := map[string]bool{}
	for i := range r.tokens {
		name := r.at(i)
		if r.bindings[name] != 1 || names[name] || r.isMember(i) {
			continue
		}
		before, after, member := r.at(i-1), r.at(i+1), r.member(i+1)
		method := member > 0 && r.at(member+1) == "(" && guard().MatchString(r.at(member))
		passed := (before == "(" || before == ",") && (after == ")" || after == ",") && r.guarded(i)
		if after == "instanceof" || before == "in" || method || passed {
			names[name] = true
		}
	}
	return names
}

// guarded reports whether the function to which the argument at the given token is passed may be a
// guard.
func (r *usesReader) guarded(i int) bool {
	depth := 0
	for ; i >= 0; i-- {
		switch r.at(i) {
		case ")", "]", "}":
			depth++
		case "[", "{":
			if depth--; depth < 0 {
				return true
			}
		case "(":
			if depth--; depth >= 0 {
				continue
			}
			callee := i - 1
			for r.isMember(callee) {
				callee -= 2
			}
			return !r.isWord(i-1) || guard().MatchString(r.at(i-1)) || slices.Contains([]string{"(", "!", "&", "|", "?"}, r.at(callee-1))
		}
	}
	return true
}

// ends reports whether an expression or a type ends before the given token.
func (r *usesReader) ends(i int) bool {
	if i >= len(r.tokens) || r.at(i) == ";" {
		return true
	}
	if !r.tokens[i].NewLine {
		return false
	}
	switch r.at(i) {
	case "as", "satisfies", "in", "instanceof":
		return false
	}
	return r.isWord(i) || r.at(i) == "}" || r.at(i) == "@"
}

// annotation reads a type that is the name of an imported type, perhaps with type arguments, at the
// given token. It returns the token after it, or 0 if the type is not such a name.
func (r *usesReader) annotation(i int) (e expression, end int) {
	e, end = r.base(i)
	if end == 0 || e.path == "default" {
		return e, 0
	}
	for r.at(end) == "." && r.isWord(end+1) {
		e.path += "." + r.at(end+1)
		end += 2
	}
	if r.at(end) == "<" {
		if end = r.skipTypeArgs(end); end == 0 {
			return e, 0
		}
	}
	e.void = r.hasVoid(i, end)
	e.value = ecosystem.Instance
	return e, end
}

// hasVoid reports whether the type void is among the tokens from start to end.
func (r *usesReader) hasVoid(start, end int) bool {
	return slices.ContainsFunc(r.tokens[start:min(end, len(r.tokens))], func(t dts.Token) bool { return t.Text == "void" })
}

// base reads the name of an imported symbol at the given token. It returns the token after it, or
// 0.
func (r *usesReader) base(i int) (e expression, end int) {
	name := r.at(i)
	if module := r.defaults[name]; module != "" && r.bindings[name] == 0 && r.imported[name] == (importedName{}) {
		return expression{module: module, path: "default"}, i + 1
	}
	to, ok := r.imported[name]
	if !ok || !r.isWord(i) || r.bound[name] {
		return e, 0
	}
	if to.path != "" {
		return expression{module: to.module, path: to.path}, i + 1
	}
	if r.at(i+1) != "." || !r.isWord(i+2) {
		return e, 0
	}
	return expression{module: to.module, path: r.at(i + 2)}, i + 3
}

// expression reads an expression at the given token. known is the number of the first steps that
// belong to the value of a variable. end is the token after it, or 0 if the expression is not
// understood.
func (r *usesReader) expression(i int, locals map[string]expression) (e expression, known, end int) {
	start := i
	if r.at(i) == "new" {
		if e, end = r.base(i + 1); end == 0 {
			return e, 0, 0
		}
		for r.at(end) == "." && r.isWord(end+1) {
			e.path += "." + r.at(end+1)
			end += 2
		}
		if end = r.call(end); end == 0 {
			return e, 0, 0
		}
		e.value = ecosystem.Instance
	} else if local, ok := locals[r.at(i)]; ok {
		e, known, end = local, len(local.steps), i+1
		e.steps = slices.Clip(e.steps)
	} else {
		if r.at(i-1) == "new" {
			return e, 0, 0 // This part is read together with the keyword "new".
		}
		if e, end = r.base(i); end == 0 {
			return e, 0, 0
		}
		if after := r.call(end); after > 0 && !r.declares(i, end) {
			e.value, end = ecosystem.Result, after
		}
	}
	e.void = e.void || r.hasVoid(start, end)
	for len(e.steps) < maxSteps {
		if r.at(end) == "!" && (r.at(end+1) == "." || r.ends(end+1)) && !r.tokens[end].NewLine {
			end++
		}
		at := r.member(end)
		if at == 0 {
			break
		}
		name := r.tokens[at]
		s := ecosystem.Step{Position: r.position(name.Pos), Name: name.Text, Text: r.text[r.tokens[start].Pos : name.Pos+len(name.Text)]}
		if len(s.Text) > maxStepText || strings.Contains(s.Text, "\n") {
			s.Text = name.Text
		}
		end = at + 1
		if after := r.call(end); after > 0 {
			if r.at(end) == "(" && !e.void {
				s.Args = r.args(end)
			}
			e.void = e.void || r.hasVoid(end, after)
			s.Called, end = true, after
		}
		e.steps = append(e.steps, s)
	}
	return e, known, end
}

// maxStepText is the maximum length, in bytes, of the text of an expression in a finding.
const maxStepText = 80

// call returns the token after the arguments that begin at a token, or 0 if there are none.
func (r *usesReader) call(i int) int {
	if r.at(i) == "<" {
		if i = r.skipTypeArgs(i); i == 0 {
			return 0
		}
	}
	if r.at(i) != "(" {
		return 0
	}
	if r.closing == nil {
		r.match()
	}
	if end := r.closing[i]; end > 0 {
		return end + 1
	}
	return 0
}

// match finds the closing bracket of each opening one.
func (r *usesReader) match() {
	r.closing = map[int]int{}
	var open []int
	for i := range r.tokens {
		switch r.at(i) {
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

// skipTypeArgs returns the token after a list of type arguments, or 0 if there is none.
func (r *usesReader) skipTypeArgs(i int) int {
	depth := 0
	for k := i; k < len(r.tokens) && k < i+maxTypeArgs; k++ {
		switch text := r.at(k); text {
		case "<", "[", "{":
			depth++
		case ">", "]", "}":
			if depth--; depth == 0 {
				return k + 1
			}
		case "(", ")", "=", "+", "-", "*", "!", "=>", "?":
			return 0
		case "&", "|":
			if r.at(k+1) == text {
				return 0
			}
		}
	}
	return 0
}
