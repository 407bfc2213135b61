package rust

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// maxExpression is the maximum nesting depth of expressions.
const maxExpression = 200

// fail ends the reading of the innermost block, because its syntax is unknown.
func (v *valueReader) fail() *crate.Type {
	v.lost = true
	return nil
}

// attributes skips attributes and reports whether one of them may remove what follows.
func (v *valueReader) attributes() (conditional bool) {
	for v.at(v.i) == "#" && (v.at(v.i+1) == "[" || v.at(v.i+1) == "!" && v.at(v.i+2) == "[") {
		open := v.i + 1
		if v.at(open) == "!" {
			open++
		}
		end := v.group(open)
		conditional = conditional || v.conditional(open, end)
		v.i = end + 1
	}
	return conditional
}

// block reads a block and returns the type of its value.
func (v *valueReader) block() (t *crate.Type) {
	if v.at(v.i) != "{" {
		return v.fail()
	}
	if v.nesting++; v.nesting > maxExpression {
		return v.fail()
	}
	close := v.group(v.i)
	vars, noBraces := len(v.vars), v.noBraces
	v.noBraces = false
	for v.i++; v.i < close && !v.lost; {
		before := v.i
		t = v.statement(close)
		if v.i == before {
			v.lost = true
		}
	}
	if v.lost || v.i > close {
		t = nil
	}
	v.nesting--
	v.i, v.vars, v.noBraces, v.lost = close+1, v.vars[:vars], noBraces, false
	return t
}

// statement reads a statement and returns the type of its value if it may be the last one of a block.
func (v *valueReader) statement(end int) *crate.Type {
	if v.attributes() { // it may not exist
		start := v.i
		if v.at(v.i) == "let" {
			v.i = min(v.until(v.i, end, ";"), end) + 1
		} else {
			v.i = min(v.item(v.i), end) + 1
		}
		for k := start; k < v.i; k++ {
			if v.isName(k) && v.at(start) == "let" {
				v.bind(v.at(k), nil)
			}
		}
		return nil
	}
	switch text := v.at(v.i); {
	case v.i >= end:
		return nil
	case text == ";":
		v.i++
		return nil
	case v.isItem(v.i) && text != "unsafe" || (text == "pub" || text == "async" || text == "unsafe" || text == "const" || text == "extern") && v.at(v.i+1) != "{" && v.declares(v.i):
		for v.at(v.i) != "fn" && !v.isItem(v.i) && v.i < end {
			v.i++
		}
		if v.at(v.i) == "fn" {
			v.i = v.function(v.i, end, v.scope) + 1
		} else {
			v.i = min(v.itemEnd(v.i, end), end) + 1
		}
		return nil
	case text == "let":
		v.let(end)
		return nil
	}
	start := v.i
	t := v.statementExpression()
	if v.lost {
		return nil
	}
	if v.isName(start) && v.at(start+1) == "!" || v.isName(start) && v.at(v.i-1) != "" && v.unknownMacro(start) >= 0 {
		if k := v.unknownMacro(start); k >= 0 {
			for ; k < v.i; k++ { // the macro may bind names
				if v.isName(k) {
					v.bind(v.at(k), nil)
				}
			}
		}
	}
	if v.at(v.i) == ";" {
		v.i++
		return nil
	}
	return t
}

// declares reports whether a function or another item follows words such as async and const.
func (v *valueReader) declares(i int) bool {
	for ; i < len(v.tokens); i++ {
		switch v.at(i) {
		case "fn":
			return v.isName(i + 1)
		case "pub", "async", "unsafe", "const", "extern":
		case "struct", "enum", "use", "static", "type", "trait", "mod", "impl", "union":
			return true
		case "(":
			if v.at(i-1) != "pub" {
				return false
			}
			i = v.group(i)
		default:
			if v.tokens[i].Kind == source.Literal && v.at(i-1) == "extern" {
				continue
			}
			return false
		}
	}
	return false
}

// unknownMacro returns the first token of the arguments of a statement that calls a macro that is not known, or -1.
func (v *valueReader) unknownMacro(i int) int {
	for v.isName(i) && v.separates(i+1) {
		i += 3
	}
	if v.isName(i) && v.at(i+1) == "!" && v.at(i+2) != "=" && !expressions[v.at(i)] && !messages[v.at(i)] {
		return i + 2
	}
	return -1
}

// statementExpression reads an expression at the beginning of a statement or of the body of an arm. One that ends
// with a block ends the statement.
func (v *valueReader) statementExpression() *crate.Type {
	if !v.beginsBlock(v.i) {
		return v.expression(0)
	}
	t := v.primary()
	if v.lost {
		return nil
	}
	if next := v.at(v.i); next == "." && v.at(v.i+1) != "." || next == "?" {
		return v.binary(v.postfix(t), 0)
	}
	return t
}

// beginsBlock reports whether an expression that ends with a block begins at a token.
func (v *valueReader) beginsBlock(i int) bool {
	switch v.at(i) {
	case "{", "if", "match", "loop", "while", "for":
		return true
	case "unsafe", "const":
		return v.at(i+1) == "{"
	}
	return v.tokens[i].Kind == source.Lifetime
}

// let reads a let statement.
func (v *valueReader) let(end int) {
	v.i++
	p := v.pattern(true)
	var t *crate.Type
	declared := false
	if v.at(v.i) == ":" {
		declared = true
		t = v.scope.Type(v.typeUntil(v.i+1, end, "=", ";"))
	}
	if v.at(v.i) == "=" {
		v.i++
		v.closure = t
		value := v.expression(0)
		if declared {
			v.program.Unify(t, value)
		} else {
			t = value
		}
		if v.at(v.i) == "else" {
			v.i++
			v.block()
		}
	} else if !declared {
		t = crate.NewVariable()
	}
	if v.at(v.i) != ";" {
		v.fail()
		return
	}
	v.i++
	v.match(p, t)
}

// operator returns the binary operator at the current token, its number of tokens and its precedence, or 0.
func (v *valueReader) operator() (op string, tokens, precedence int) {
	a := v.at(v.i)
	if a == "as" {
		return a, 1, 12
	}
	if v.i >= len(v.tokens) || v.tokens[v.i].Kind != source.Punct {
		return "", 0, 0
	}
	next := func(n int) byte {
		k := v.i + n
		if k < len(v.tokens) && v.tokens[k].Kind == source.Punct && v.tokens[k].Start == v.tokens[k-1].End {
			return v.tokens[k].Byte
		}
		return 0
	}
	b, c := next(1), next(2)
	switch a {
	case "*", "/", "%":
		if b == '=' {
			return a + "=", 2, 1
		}
		return a, 1, 11
	case "+", "-":
		if b == '=' {
			return a + "=", 2, 1
		}
		return a, 1, 10
	case "<", ">":
		if b == a[0] {
			if c == '=' {
				return a + a + "=", 3, 1
			}
			return a + a, 2, 9
		}
		if b == '=' {
			return a + "=", 2, 5
		}
		return a, 1, 5
	case "&", "|":
		if b == a[0] {
			return a + a, 2, map[string]int{"&": 4, "|": 3}[a]
		}
		if b == '=' {
			return a + "=", 2, 1
		}
		return a, 1, map[string]int{"&": 8, "|": 6}[a]
	case "^":
		if b == '=' {
			return a + "=", 2, 1
		}
		return a, 1, 7
	case "=":
		switch b {
		case '=':
			return "==", 2, 5
		case '>':
			return "", 0, 0
		}
		return "=", 1, 1
	case "!":
		if b == '=' {
			return "!=", 2, 5
		}
	case ".":
		if b == '.' {
			if c == '=' {
				return "..=", 3, 2
			}
			return "..", 2, 2
		}
	}
	return "", 0, 0
}

// expression reads an expression with operators of at least a precedence.
func (v *valueReader) expression(precedence int) *crate.Type {
	if v.nesting++; v.nesting > maxExpression {
		return v.fail()
	}
	defer func() { v.nesting-- }()
	t := v.unary()
	if v.lost {
		return nil
	}
	return v.binary(t, precedence)
}

// endsExpression reports whether no expression begins at the current token.
func (v *valueReader) endsExpression() bool {
	switch v.at(v.i) {
	case "", ";", ",", ")", "]", "}", "else":
		return true
	case "=":
		return true
	case "{":
		return v.noBraces
	}
	return false
}

// binary reads the operators after an expression of type t.
func (v *valueReader) binary(t *crate.Type, precedence int) *crate.Type {
	for !v.lost {
		op, n, p := v.operator()
		if n == 0 || p < precedence || p == 1 && precedence > 1 {
			break
		}
		v.i += n
		switch op {
		case "as":
			t = v.scope.Type(v.typeText())
			continue
		case "..", "..=":
			if v.endsExpression() {
				t = v.scope.Standard("ops::RangeFrom", t)
				continue
			}
			end := v.expression(p + 1)
			v.program.Unify(t, end)
			if t == nil {
				t = end
			}
			t = v.scope.Standard(map[string]string{"..": "ops::Range", "..=": "ops::RangeInclusive"}[op], t)
			continue
		case "=":
			right := v.expression(p)
			v.program.Unify(t, right)
			t = nil
			continue
		}
		next := p + 1
		if p == 1 {
			next = 1
		}
		right := v.expression(next)
		switch op {
		case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
			t = v.scope.Primitive("bool")
		case "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>":
			t = v.scope.Operator(op, t, right)
		default:
			t = nil
		}
	}
	return t
}

// typeText reads a type after as.
func (v *valueReader) typeText() string {
	start := v.i
	for v.i < len(v.tokens) {
		switch text := v.at(v.i); {
		case text == "&" || text == "*" || text == "mut" || text == "const" || text == "dyn" || v.tokens[v.i].Kind == source.Lifetime:
			v.i++
			continue
		case text == "(" || text == "[":
			v.i = v.group(v.i) + 1
		case text == "unsafe" || text == "extern":
			v.i++
			continue
		case text == "fn" && v.at(v.i+1) == "(":
			v.i = v.group(v.i+1) + 1
			if v.at(v.i) == "-" && v.at(v.i+1) == ">" {
				v.i += 2
				v.typeText()
			}
		case text == "<" || v.isName(v.i):
			if text == "<" {
				v.i = v.angle(v.i) + 1
			} else {
				v.i++
			}
			for {
				switch {
				case v.separates(v.i) && v.isName(v.i+2):
					v.i += 3
					continue
				case v.separates(v.i) && v.at(v.i+2) == "<":
					v.i = v.angle(v.i+2) + 1
					continue
				case v.at(v.i) == "<" && v.at(v.i+1) != "<" && v.at(v.i+1) != "=":
					if close := v.angle(v.i); close < len(v.tokens) {
						v.i = close + 1
						continue
					}
				}
				break
			}
		}
		break
	}
	return v.between(start, v.i)
}

// unary reads an expression without binary operators.
func (v *valueReader) unary() *crate.Type {
	switch v.at(v.i) {
	case "&":
		v.i++
		if v.at(v.i) == "raw" && (v.at(v.i+1) == "const" || v.at(v.i+1) == "mut") {
			v.i += 2
			v.deeper()
			return nil
		}
		if v.at(v.i) == "mut" {
			v.i++
		}
		return v.deeper()
	case "*":
		v.i++
		if t := v.deeper(); !t.IsPointer() {
			return t
		}
		return nil
	case "-", "!":
		v.i++
		return v.deeper()
	case ".":
		op, n, _ := v.operator()
		if n == 0 {
			return v.fail()
		}
		v.i += n
		if v.endsExpression() {
			return v.scope.Standard("ops::RangeFull")
		}
		t := v.expression(3)
		return v.scope.Standard(map[string]string{"..": "ops::RangeTo", "..=": "ops::RangeToInclusive"}[op], t)
	}
	t := v.primary()
	if v.lost {
		return nil
	}
	return v.postfix(t)
}

func (v *valueReader) deeper() *crate.Type {
	if v.nesting++; v.nesting > maxExpression {
		return v.fail()
	}
	t := v.unary()
	v.nesting--
	return t
}

// within reads what is in the brackets at the current token with read, and continues after them.
func (v *valueReader) within(read func(close int)) {
	close := v.group(v.i)
	noBraces := v.noBraces
	v.noBraces = false
	v.i++
	read(close)
	if v.i != close {
		v.lost = true
	}
	v.i, v.noBraces = close+1, noBraces
}

// list reads expressions that are separated by commas, up to a token.
func (v *valueReader) list(close int) (all []*crate.Type) {
	for v.i < close && !v.lost {
		v.attributes()
		all = append(all, v.expression(0))
		if v.at(v.i) != "," {
			break
		}
		v.i++
	}
	return all
}

// primary reads an expression without operators and members.
func (v *valueReader) primary() *crate.Type {
	expected := v.closure
	v.closure = nil
	if v.i >= len(v.tokens) {
		return v.fail()
	}
	text := v.at(v.i)
	switch v.tokens[v.i].Kind {
	case source.Literal:
		v.i++
		return v.literal(text)
	case source.Lifetime:
		if v.at(v.i+1) != ":" {
			return v.fail()
		}
		v.i += 2
		return v.primary()
	}
	switch text {
	case "|":
		return v.lambda(expected, false)
	case "move", "static":
		v.i++
		v.closure = expected
		return v.primary()
	case "async":
		if v.at(v.i+1) == "move" && v.at(v.i+2) != "{" || v.at(v.i+1) == "|" {
			v.i++
			if v.at(v.i) == "move" {
				v.i++
			}
			return v.lambda(expected, true)
		}
		v.i++
		if v.at(v.i) == "move" {
			v.i++
		}
		return v.scope.Future(v.block())
	case "(":
		var all []*crate.Type
		comma := false
		v.within(func(close int) {
			all = v.list(close)
			comma = v.at(close-1) == ","
		})
		if len(all) == 1 && !comma {
			return all[0]
		}
		return v.scope.Tuple(all)
	case "[":
		var element *crate.Type
		v.within(func(close int) {
			all := v.list(close)
			if v.at(v.i) == ";" {
				v.i++
				v.expression(0)
			}
			element = v.join(all)
		})
		return v.scope.Array(element)
	case "{":
		return v.block()
	case "unsafe", "const":
		v.i++
		return v.block()
	case "if":
		return v.conditionals()
	case "match":
		return v.arms()
	case "loop":
		v.i++
		v.block()
		return nil
	case "while":
		v.i++
		vars := len(v.vars)
		v.condition()
		if !v.lost {
			v.block()
		}
		v.vars = v.vars[:vars]
		return nil
	case "for":
		v.i++
		p := v.pattern(false)
		if v.at(v.i) != "in" {
			return v.fail()
		}
		v.i++
		t := v.condition()
		if v.lost {
			return nil
		}
		vars := len(v.vars)
		v.match(p, v.scope.Element(t))
		v.block()
		v.vars = v.vars[:vars]
		return nil
	case "let":
		v.i++
		p := v.pattern(false)
		if v.at(v.i) != "=" {
			return v.fail()
		}
		v.i++
		v.match(p, v.expression(5))
		return v.scope.Primitive("bool")
	case "return", "break", "continue", "yield", "become":
		v.i++
		if v.i < len(v.tokens) && v.tokens[v.i].Kind == source.Lifetime {
			v.i++
		}
		if !v.endsExpression() && !(v.at(v.i) == "=" && v.at(v.i+1) == ">") {
			v.expression(1)
		}
		return nil
	case "true", "false":
		v.i++
		return v.scope.Primitive("bool")
	case "<", ":":
		return v.path()
	}
	if v.isName(v.i) && !keywords[text] {
		return v.path()
	}
	return v.fail()
}

// literal returns the type of a literal.
func (v *valueReader) literal(text string) *crate.Type {
	switch c := text[0]; {
	case c == '"', strings.HasPrefix(text, "r\""), strings.HasPrefix(text, "r#"):
		return v.scope.Primitive("str")
	case c == '\'':
		return v.scope.Primitive("char")
	case strings.HasPrefix(text, "b'"):
		return v.scope.Primitive("u8")
	case c == 'b':
		return v.scope.Array(v.scope.Primitive("u8"))
	case c == 'c':
		return v.scope.Standard("ffi::CStr")
	case c >= '0' && c <= '9':
		for k := 1; k < len(text); k++ {
			if suffix := text[k:]; (suffix[0] == 'u' || suffix[0] == 'i' || suffix[0] == 'f') && crate.IsPrimitive(suffix) && (suffix[0] != 'f' || !strings.HasPrefix(text, "0x")) {
				return v.scope.Primitive(suffix)
			}
		}
		if strings.HasPrefix(text, "0x") || !strings.ContainsAny(text, ".eE") {
			return crate.NewNumber()
		}
	}
	return nil
}

// join returns the type of alternatives, such as the arms of a match expression.
func (v *valueReader) join(all []*crate.Type) (t *crate.Type) {
	for _, other := range all {
		if t == nil {
			t = other
		} else {
			v.program.Unify(t, other)
		}
	}
	return t
}

// condition reads an expression before a block.
func (v *valueReader) condition() *crate.Type {
	noBraces := v.noBraces
	v.noBraces = true
	t := v.expression(0)
	v.noBraces = noBraces
	if v.at(v.i) != "{" {
		return v.fail()
	}
	return t
}

// conditionals reads an if expression.
func (v *valueReader) conditionals() *crate.Type {
	v.i++
	vars := len(v.vars)
	v.condition()
	if v.lost {
		return nil
	}
	all := []*crate.Type{v.block()}
	v.vars = v.vars[:vars]
	if v.at(v.i) != "else" {
		return nil
	}
	v.i++
	if v.at(v.i) == "if" {
		if v.nesting++; v.nesting > maxExpression {
			return v.fail()
		}
		all = append(all, v.conditionals())
		v.nesting--
	} else {
		all = append(all, v.block())
	}
	return v.join(all)
}

// arms reads a match expression.
func (v *valueReader) arms() *crate.Type {
	v.i++
	t := v.condition()
	if v.lost {
		return nil
	}
	var all []*crate.Type
	v.within(func(close int) {
		for v.i < close && !v.lost {
			before := v.i
			conditional := v.attributes()
			p := v.pattern(false)
			vars := len(v.vars)
			if !conditional {
				v.match(p, t)
			} else {
				v.match(p, nil)
			}
			if v.at(v.i) == "if" {
				v.i++
				v.expression(0)
			}
			if v.at(v.i) != "=" || v.at(v.i+1) != ">" {
				v.lost = true
			}
			if v.lost {
				break
			}
			v.i += 2
			start := v.i
			body := v.statementExpression()
			if v.at(start) == "{" && v.at(v.i) != "," && v.at(v.i-1) != "}" {
				v.lost = true
			}
			v.vars = v.vars[:vars]
			all = append(all, body)
			if v.at(v.i) == "," {
				v.i++
			} else if v.i < close && v.at(v.i-1) != "}" {
				v.lost = true
			}
			if v.i == before {
				v.lost = true
			}
		}
	})
	return v.join(all)
}

// lambda reads a closure.
func (v *valueReader) lambda(expected *crate.Type, async bool) *crate.Type {
	if v.at(v.i) != "|" {
		return v.fail()
	}
	vars := len(v.vars)
	var params []*crate.Type
	v.i++
	for v.i < len(v.tokens) && v.at(v.i) != "|" && !v.lost {
		v.attributes()
		p := v.pattern(true)
		t := expected.Parameter(len(params))
		if t == nil {
			t = crate.NewVariable()
		}
		if v.at(v.i) == ":" {
			declared := v.scope.Type(v.typeUntil(v.i+1, len(v.tokens), ",", "|"))
			v.program.Unify(t, declared)
			t = declared
		}
		params = append(params, t)
		v.match(p, t)
		if v.at(v.i) == "," {
			v.i++
		} else if v.at(v.i) != "|" {
			return v.fail()
		}
	}
	v.i++
	var result *crate.Type
	if v.at(v.i) == "-" && v.at(v.i+1) == ">" {
		result = v.scope.Type(v.typeUntil(v.i+2, len(v.tokens), "{"))
		v.program.Unify(result, v.block())
	} else {
		result = v.expression(1)
	}
	v.vars = v.vars[:vars]
	if async {
		result = v.scope.Future(result)
	}
	return v.scope.Function(params, result)
}

// arguments reads the arguments of a call. name is the token of the name of the function.
func (v *valueReader) arguments(c *crate.Callee, name int) {
	n, certain := 0, true
	v.within(func(close int) {
		for v.i < close && !v.lost {
			if v.attributes() {
				certain = false
			}
			v.closure = nil
			if c != nil {
				switch v.at(v.i) {
				case "|", "move", "async", "static", "&":
					v.closure = c.Closure(n)
				}
			}
			t := v.expression(0)
			if c != nil {
				c.Argument(n, t)
			}
			n++
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	if c == nil || v.lost || !certain || c.Params < 0 || c.Params == n {
		return
	}
	v.fault(name, ecosystem.ArgumentsFault, c, fmt.Sprintf("takes %s, and gets %d", count(c.Params, "argument"), n))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// postfix reads the members, calls and indexes after an expression.
func (v *valueReader) postfix(t *crate.Type) *crate.Type {
	for !v.lost {
		switch text := v.at(v.i); {
		case text == "?":
			v.i++
			t = v.scope.Try(t)
		case text == "(":
			v.arguments(nil, 0)
			t = t.Called()
		case text == "[":
			var index *crate.Type
			v.within(func(int) { index = v.expression(0) })
			t = v.scope.Index(t, index)
		case text == "." && v.at(v.i+1) != ".":
			name := v.i + 1
			if name < len(v.tokens) && v.tokens[name].Kind == source.Literal {
				for field := range strings.SplitSeq(v.at(name), ".") {
					t = v.look(name, v.scope.Field(t, field)).Type
				}
				v.i += 2
				continue
			}
			if !v.isName(name) {
				return v.fail()
			}
			v.i += 2
			if v.at(name) == "await" {
				t = v.scope.Await(t)
				continue
			}
			generics := ""
			if v.separates(v.i) && v.at(v.i+2) == "<" {
				close := v.angle(v.i + 2)
				generics = v.between(v.i+3, close)
				v.i = close + 1
			}
			member := strings.TrimPrefix(v.at(name), "r#")
			if v.at(v.i) != "(" {
				t = v.look(name, v.scope.Field(t, member)).Type
				continue
			}
			m := v.look(name, v.scope.Method(t, member))
			if m.Callee != nil && generics != "" {
				m.Callee.Generics(v.scope.Types(generics))
			}
			v.arguments(m.Callee, name)
			t = nil
			if m.Callee != nil {
				t = m.Callee.Result()
			}
		default:
			return t
		}
	}
	return nil
}

// look reports a member that is absent or private.
func (v *valueReader) look(i int, m crate.Member) crate.Member {
	if m.Absent || m.Private {
		v.member(i, m)
	}
	return m
}

// names reads a path.
func (v *valueReader) names() (p *crate.Path, last int) {
	p = &crate.Path{}
	if v.at(v.i) == "<" {
		close := v.angle(v.i)
		p.Self = v.between(v.i+1, close)
		v.i = close + 1
		if !v.separates(v.i) || !v.isName(v.i+2) {
			v.lost = true
			return p, 0
		}
		v.i += 2
	} else if v.separates(v.i) {
		p.Names, p.Args = append(p.Names, ""), append(p.Args, "")
		v.i += 2
	}
	for v.isName(v.i) {
		last = v.i
		p.Names, p.Args = append(p.Names, strings.TrimPrefix(v.at(v.i), "r#")), append(p.Args, "")
		v.i++
		if v.separates(v.i) && v.at(v.i+2) == "<" {
			close := v.angle(v.i + 2)
			p.Args[len(p.Args)-1] = v.between(v.i+3, close)
			v.i = close + 1
		}
		if !v.separates(v.i) || !v.isName(v.i+2) {
			break
		}
		v.i += 2
	}
	if len(p.Names) == 0 || p.Names[len(p.Names)-1] == "" {
		v.lost = true
		p.Names, p.Args = []string{"_"}, []string{""}
	}
	return p, last
}

// path reads an expression that begins with a path.
func (v *valueReader) path() *crate.Type {
	p, last := v.names()
	if v.lost {
		return nil
	}
	name := p.Names[len(p.Names)-1]
	if v.at(v.i) == "!" && v.at(v.i+1) != "=" {
		v.i++
		if name == "macro_rules" {
			v.i++
		}
		return v.macro(name)
	}
	if v.at(v.i) == "{" && !v.noBraces && p.Self == "" && (name == "Self" || name[0] >= 'A' && name[0] <= 'Z') {
		return v.fields(p, last)
	}
	if len(p.Names) == 1 && p.Self == "" {
		if t, ok := v.variable(name); ok {
			if v.at(v.i) == "(" {
				v.arguments(nil, 0)
				return t.Called()
			}
			return t
		}
	}
	m := v.look(last, v.scope.Value(p))
	if v.at(v.i) == "(" {
		v.arguments(m.Callee, last)
		if m.Callee != nil {
			return m.Callee.Result()
		}
		return m.Type.Called()
	}
	if m.Callee != nil {
		return m.Callee.Function()
	}
	return m.Type
}

// fields reads the fields of a struct literal.
func (v *valueReader) fields(p *crate.Path, last int) *crate.Type {
	l := v.scope.Literal(p)
	present := map[string]bool{}
	base := false
	v.within(func(close int) {
		for v.i < close && !v.lost {
			if v.attributes() {
				base = true // the field may not exist
			}
			if v.at(v.i) == "." && v.at(v.i+1) == "." {
				base = true
				v.i += 2
				if v.i < close {
					v.program.Unify(l.TypeOf(), v.expression(0))
				}
				break
			}
			at := v.i
			name := strings.TrimPrefix(v.at(at), "r#")
			v.i++
			var field *crate.Type
			if l != nil {
				t, ok := l.Field(name)
				if field = t; !ok && v.isName(at) {
					v.fault(at, ecosystem.FieldsFault, l, name)
				}
			}
			present[name] = true
			var value *crate.Type
			if v.at(v.i) == ":" {
				v.i++
				v.closure = field
				value = v.expression(0)
			} else {
				value, _ = v.variable(name)
			}
			v.program.Unify(field, value)
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	if v.lost || l == nil {
		return nil
	}
	if !base {
		var missing []string
		for _, name := range l.Required() {
			if !present[name] {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			v.fault(last, ecosystem.ArgumentsFault, l, "lacks the "+map[bool]string{true: "field ", false: "fields "}[len(missing) == 1]+strings.Join(missing, ", "))
		}
	}
	return l.Type
}

// macro reads the arguments of a macro and returns the type of its result.
func (v *valueReader) macro(name string) *crate.Type {
	switch v.at(v.i) {
	case "(", "[", "{":
	default:
		return v.fail()
	}
	if !expressions[name] {
		v.i = v.group(v.i) + 1
		switch name {
		case "concat", "stringify", "include_str", "env", "file", "module_path":
			return v.scope.Primitive("str")
		}
		return nil
	}
	var all []*crate.Type
	lost := false
	close := v.group(v.i)
	vars := len(v.vars)
	v.within(func(close int) {
		for n := 0; v.i < close && !v.lost; n++ {
			if name == "matches" && n == 1 {
				v.match(v.pattern(false), all[0])
				if v.at(v.i) == "if" {
					v.i++
					v.expression(0)
				}
			} else {
				if v.isName(v.i) && v.at(v.i+1) == "=" && v.at(v.i+2) != "=" && n > 0 {
					v.i += 2
				}
				all = append(all, v.expression(0))
			}
			if v.at(v.i) != "," && v.at(v.i) != ";" {
				break
			}
			v.i++
		}
		lost = v.lost
	})
	if lost { // its syntax may differ from that of the macro of the standard library with the same name
		v.i = close + 1
	}
	v.vars = v.vars[:vars]
	switch name {
	case "format":
		return v.scope.Standard("string::String")
	case "matches":
		return v.scope.Primitive("bool")
	case "vec":
		element := crate.NewVariable()
		for k, t := range all {
			if k == 0 || v.at(close-1) == "" {
				v.program.Unify(element, t)
			}
		}
		return v.scope.Standard("vec::Vec", element)
	case "dbg":
		if len(all) == 1 {
			return all[0]
		}
	}
	return nil
}
