package rust

import (
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// operator returns the binary operator at the current token, its number of tokens and its precedence, or 0.
func (v *valueReader) operator() (op string, tokens, precedence int) {
	a := v.at(v.i)
	if a == "as" {
		return a, 1, 12
	}
	if !v.isKind(v.i, source.Punct) {
		return "", 0, 0
	}
	next := func(n int) byte {
		k := v.i + n
		if v.isKind(k, source.Punct) && v.tokens[k].start == v.tokens[k-1].end {
			return v.tokens[k].byte
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
		case text == "&" || text == "*" || text == "mut" || text == "const" || text == "dyn" || v.isKind(v.i, source.Lifetime):
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
		t := v.deeper()
		if t.IsPointer() || v.scope.Dereferences(t) && (v.at(v.i) != ")" || v.at(v.i+1) != ".") {
			return nil // it is either the value, behind a reference, or that to which the value dereferences
		}
		return t
	case "-", "!":
		op := v.at(v.i)
		v.i++
		return v.scope.Unary(op, v.deeper())
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
