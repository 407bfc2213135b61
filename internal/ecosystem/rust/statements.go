package rust

import (
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// attributes skips attributes and reports whether one of them may remove or replace what follows.
func (v *valueReader) attributes() (conditional bool) {
	for v.at(v.i) == "#" && (v.at(v.i+1) == "[" || v.at(v.i+1) == "!" && v.at(v.i+2) == "[") {
		open := v.i + 1
		if v.at(open) == "!" {
			open++
		}
		end := v.group(open)
		conditional = conditional || v.conditional(open, end) || v.rewrites(v.i)
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
		if v.at(v.i) == "use" {
			v.imports(v.i+1, v.scope)
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
				if v.isName(k) && v.at(k) != "self" {
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
			if v.isKind(i, source.Literal) && v.at(i-1) == "extern" {
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
	if v.isName(i) && !keywords[v.at(i)] && v.at(i+1) == "!" && v.at(i+2) != "=" && !expressions[v.at(i)] && !messages[v.at(i)] {
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
	return v.isKind(i, source.Lifetime)
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
			v.program.Coerce(value, t)
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
