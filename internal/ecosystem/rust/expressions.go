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
		v.element(func() { all = append(all, v.expression(0)) })
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
	switch v.tokens[v.i].kind {
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
		if v.isKind(v.i, source.Lifetime) {
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

// silently calls read, which reads code that may not exist, and reports nothing in it.
func (v *valueReader) silently(read func()) {
	member, fault, unknown := v.member, v.fault, v.crate
	v.member, v.fault, v.crate = func(int, crate.Member) {}, func(int, ecosystem.Fault, item, string) {}, func(int) {}
	read()
	v.member, v.fault, v.crate = member, fault, unknown
}

// element reads attributes, and with read what follows. It reports nothing in that if it may not exist.
func (v *valueReader) element(read func()) (conditional bool) {
	if conditional = v.attributes(); conditional {
		v.silently(read)
	} else {
		read()
	}
	return conditional
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
				v.bindUnknown(p)
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
			var body *crate.Type
			if conditional {
				v.silently(func() { body = v.statementExpression() })
			} else {
				body = v.statementExpression()
			}
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
	conditional := false // whether a parameter may not exist
	v.i++
	for v.i < len(v.tokens) && v.at(v.i) != "|" && !v.lost {
		conditional = v.attributes() || conditional
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
	if conditional {
		return nil
	}
	if async {
		result = v.scope.Future(result)
	}
	return v.scope.Function(params, result)
}

// arguments reads the arguments of a call. name is the token of the name of the function.
func (v *valueReader) arguments(c *crate.Callee, name int) {
	n, certain := v.passed(c)
	if c != nil && certain && c.Params >= 0 && c.Params != n {
		v.fault(name, ecosystem.ArgumentsFault, c, fmt.Sprintf("takes %s, and gets %d", count(c.Params, "argument"), n))
	}
}

// local is a variable that is called.
type local string

// Path implements item.
func (l local) Path() (module, path string) { return "", string(l) }

// call reads the arguments of a call of a variable and returns the type of its result. name is the token of the variable.
func (v *valueReader) call(t *crate.Type, name int) *crate.Type {
	params := t.Params()
	if n, certain := v.passed(nil); certain && params >= 0 && params != n {
		v.fault(name, ecosystem.ArgumentsFault, local(v.at(name)), fmt.Sprintf("takes %s, and gets %d", count(params, "argument"), n))
	}
	return t.Called()
}

// passed reads the arguments of a call and returns their number. certain is false if it may be another one.
func (v *valueReader) passed(c *crate.Callee) (n int, certain bool) {
	certain = true
	v.within(func(close int) {
		for v.i < close && !v.lost {
			conditional := v.element(func() {
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
			})
			certain = certain && !conditional
			n++
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	return n, certain && !v.lost
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
			if v.isKind(name, source.Literal) {
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

// look reports a member that is absent or private, or that a type has.
func (v *valueReader) look(i int, m crate.Member) crate.Member {
	if src := m.Crate(); src != nil {
		v.present(i, src)
	}
	if m.Absent || m.Private {
		v.member(i, m)
	}
	return m
}
