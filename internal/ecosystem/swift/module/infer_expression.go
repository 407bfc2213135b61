package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

func known(text string) value { return value{text: text} }

// expression infers the type of an expression with operators. It splits the
// expression at the operators with the lowest precedence first.
func (p *inferer) expression() value {
	start := p.pos
	cast, coalesce, logical := -1, -1, false
	for i := start; i < len(p.tokens); i++ {
		switch t := p.at(i); t {
		case "(", "[", "{":
			i = p.behind(i) - 1
		case "as":
			cast = i
		case "is", "==", "!=", "<=", ">=", "&&", "||", "===", "!==", "~=":
			logical = logical || i > start
		case "<", ">":
			logical = logical || p.tokens[i].Space && i+1 < len(p.tokens) && p.tokens[i+1].Space
		case "??":
			if coalesce < 0 {
				coalesce = i
			}
		case "?":
			if p.tokens[i].Space && i+1 < len(p.tokens) && p.tokens[i+1].Space {
				return p.choice(i + 1)
			}
		case "if", "switch", "do":
			return value{}
		}
	}
	switch {
	case logical:
		return known("Bool")
	case coalesce >= 0:
		return p.coalesced(p.sub(start, coalesce), p.sub(coalesce+1, len(p.tokens)))
	case cast >= 0:
		return p.cast(cast + 1)
	}
	return p.arithmetic()
}

// cast returns the type after "as".
func (p *inferer) cast(start int) value {
	optional := p.at(start) == "?"
	if optional || p.at(start) == "!" {
		start++
	}
	if start >= len(p.tokens) {
		return value{}
	}
	text := strings.TrimSpace(p.text[p.tokens[start].Start:p.tokens[len(p.tokens)-1].End])
	if strings.ContainsAny(text, "{=") {
		return value{}
	}
	v := p.named(text)
	if optional && v.text != "" {
		return known(v.text + "?")
	}
	return v
}

// choice returns the type of a conditional expression, given the position after
// its "?".
func (p *inferer) choice(start int) value {
	depth := 1
	for i := start; i < len(p.tokens); i++ {
		switch t := p.at(i); {
		case t == "(" || t == "[" || t == "{":
			i = p.behind(i) - 1
		case t == "?" && p.tokens[i].Space:
			depth++
		case t == ":":
			if depth--; depth == 0 {
				return either(p.sub(start, i), p.sub(i+1, len(p.tokens)))
			}
		}
	}
	return value{}
}

// either returns the type of an expression whose value is one of two values.
func either(a, b value) value {
	switch {
	case a.null && b.text != "" && !b.meta:
		return known(strings.TrimSuffix(b.text, "?") + "?")
	case b.null && a.text != "" && !a.meta:
		return known(strings.TrimSuffix(a.text, "?") + "?")
	case a.text == "" || b.text == "" || a.meta || b.meta:
		return value{}
	case a.text == b.text, a.literal && (b.text == "Double" || !b.literal && !b.isPlain()):
		return b
	case b.literal && !a.isPlain():
		return a
	}
	return value{}
}

// isPlain reports whether a value has a type that a number literal cannot have.
func (v value) isPlain() bool {
	return v.text == "String" || v.text == "Bool" || strings.HasPrefix(v.text, "[") || strings.HasPrefix(v.text, "(")
}

// coalesced returns the type of a ?? b.
func (p *inferer) coalesced(a, b value) value {
	if t, ok := strings.CutSuffix(a.text, "?"); ok {
		switch {
		case b.text == a.text:
			return a
		case b.text == t, b.literal, b.text == "" && !b.null:
			return p.named(t)
		}
		return value{}
	}
	if a.text != "" || b.literal || b.meta || b.isPlain() {
		return value{} // a literal takes the type of the value before it
	}
	return b
}

// arithmetic reads operands separated by operators. It returns the value of the
// whole expression, or a value without a type if the type cannot be determined.
func (p *inferer) arithmetic() value {
	switch p.at(p.pos) {
	case "...":
		p.pos++
		return partial("PartialRangeThrough", p.arithmetic())
	case "..<":
		p.pos++
		return partial("PartialRangeUpTo", p.arithmetic())
	}
	v := p.operand()
	for p.pos < len(p.tokens) {
		op := p.at(p.pos)
		if p.kind(p.pos) != source.Oper && op != "..." && op != "..<" {
			return value{}
		}
		p.pos++
		if op == "..." && p.pos == len(p.tokens) {
			return partial("PartialRangeFrom", v)
		}
		if op == "..." || op == "..<" {
			other := p.operand()
			if p.pos < len(p.tokens) {
				other = either(other, p.arithmetic())
			}
			if v.null || other.null {
				return value{}
			}
			bound := either(v, other)
			switch {
			case bound.text == "" || bound.meta:
				return value{}
			case op == "...":
				return known("ClosedRange<" + bound.text + ">")
			}
			return known("Range<" + bound.text + ">")
		}
		v = p.combined(v, op, p.operand())
	}
	return v
}

// partial returns the type of a range with one bound.
func partial(name string, bound value) value {
	if bound.text == "" || bound.meta {
		return value{}
	}
	return known(name + "<" + bound.text + ">")
}

// combined returns the type of two operands combined with an operator.
func (p *inferer) combined(a value, op string, b value) value {
	switch {
	case a.text == "" || b.text == "" || a.meta || b.meta:
		return value{}
	case op == "<<" || op == ">>" || op == "&<<" || op == "&>>":
		return a
	case a.literal && b.literal && b.text == "Double":
		return b
	case a.literal && !b.literal:
		return b.operated(op)
	case b.literal, a.text == b.text:
		return a.operated(op)
	}
	return value{}
}

// operated returns the result type of an operator between two values of the same
// type. It is that type, unless the package declares the operator.
func (v value) operated(op string) value {
	if v.typ == nil || v.typ.decl == nil {
		return v
	}
	found := value{}
	for _, m := range v.typ.members {
		if m.name != op || !m.is(source.Func) || len(m.decl.Params) != 2 {
			continue
		}
		result := m.valueOf(m.decl.Result, v.typ)
		if result.text == "" || found.text != "" && found.text != result.text {
			return value{}
		}
		found = result
	}
	return found
}

// operand reads a prefix operator, a value, and the suffixes applied to it.
func (p *inferer) operand() value {
	optional := false
	for {
		switch p.at(p.pos) {
		case "try", "await", "consume", "copy", "unsafe":
			p.pos++
			switch p.at(p.pos) {
			case "!":
				p.pos++
			case "?":
				p.pos++
				optional = true
			}
			continue
		case "-", "+", "~":
			p.pos++
			continue
		case "!":
			p.pos++
			p.operand()
			return known("Bool")
		}
		break
	}
	v := p.suffixes(p.primary())
	if optional && v.text != "" && !strings.HasSuffix(v.text, "?") {
		return known(v.text + "?")
	}
	return v
}

// primary reads a literal, a name, or an expression in brackets. It skips
// anything else.
func (p *inferer) primary() value {
	text := p.at(p.pos)
	switch p.kind(p.pos) {
	case source.EOF:
		return value{}
	case source.Integer:
		p.pos++
		return value{text: "Int", literal: true}
	case source.Float:
		p.pos++
		return value{text: "Double", literal: true}
	case source.String:
		p.pos++
		return known("String")
	case source.Regex:
		p.pos++
		return known(regexType(text))
	case source.Ident:
		return p.name()
	}
	switch text {
	case "(":
		end := p.behind(p.pos)
		parts := p.split(p.pos+1, end-1, ",")
		start := p.pos + 1
		p.pos = end
		if len(parts) == 0 {
			return known("()")
		}
		if len(parts) == 1 && p.at(start+1) != ":" {
			return p.sub(start, end-1)
		}
		return p.tuple(parts)
	case "[":
		end := p.behind(p.pos)
		start := p.pos
		p.pos = end
		if p.at(end) == "(" { // The expression is a call to the type, as in [Int]().
			t := p.text[p.tokens[start].Start:p.tokens[end-1].End]
			return value{text: source.PrintType(t), meta: true}
		}
		return p.collection(start+1, end-1)
	case "{":
		end := p.behind(p.pos)
		start := p.pos
		p.pos = end
		if p.at(end) != "(" {
			return p.closureType(start+1, end-1)
		}
		p.pos = p.behind(end)
		return p.closure(start+1, end-1)
	case ".":
		p.pos++
		return value{}
	}
	if strings.HasPrefix(text, "#") {
		return p.pound()
	}
	p.pos++
	return value{}
}

// closureType returns the type of a closure whose signature contains all types, as in
// { (a: Int) -> T in … }.
func (p *inferer) closureType(start, end int) value {
	if p.at(start) != "(" {
		return value{}
	}
	arrow := p.behind(start)
	stop := arrow
	for stop < end && p.at(stop) != "in" {
		stop++
	}
	if p.at(arrow) != "->" || arrow+1 >= stop || stop == end {
		return value{}
	}
	var types []string
	for _, part := range p.split(start+1, arrow-1, ",") {
		if p.at(part[0]+1) != ":" || part[0]+2 >= part[1] {
			return value{}
		}
		types = append(types, p.text[p.tokens[part[0]+2].Start:p.tokens[part[1]-1].End])
	}
	result := p.text[p.tokens[arrow+1].Start:p.tokens[stop-1].End]
	return known(source.PrintType("(" + strings.Join(types, ", ") + ") -> " + result))
}

// closure returns the result of a closure that is called immediately, as in { … }().
func (p *inferer) closure(start, end int) value {
	for i := start; i < end; i++ {
		switch p.at(i) {
		case "in": // The closure has a signature, as in { () -> T in … }.
			for k := start; k < i; k++ {
				if p.at(k) == "->" {
					return p.named(p.text[p.tokens[k+1].Start:p.tokens[i-1].End])
				}
			}
			return p.closure(i+1, end)
		case "{", "(", "[":
			i = p.behind(i) - 1
		case "for":
			i = end
		}
	}
	last := start
	for i := start; i < end; i++ {
		switch p.at(i) {
		case "return":
			last = i
			end = min(end, p.lineEnd(i, end))
		case "#if", "guard", "if", "switch":
			return value{} // the result may depend on this statement
		case "{", "(", "[":
			i = p.behind(i) - 1
		}
	}
	if last == start && p.at(start) != "return" {
		if p.lineEnd(start, end) < end {
			return value{}
		}
		return p.sub(start, end)
	}
	if last+1 < end && p.kind(last+1) == source.Ident {
		if v, ok := p.local(p.at(last+1), start, last); ok {
			rest := *p
			rest.tokens, rest.pos = p.tokens[last+2:end], 0
			if v = rest.suffixes(v); rest.pos < len(rest.tokens) {
				return value{}
			}
			return v
		}
	}
	return p.sub(last+1, end)
}

// lineEnd returns the index of the first token of the next statement after i.
func (p *inferer) lineEnd(i, end int) int {
	for k := i + 1; k < end; k++ {
		t := p.at(k)
		if t == ";" || p.tokens[k].Newline && t != "." && p.kind(k) != source.Oper {
			return k
		}
		if t == "{" || t == "(" || t == "[" {
			k = p.behind(k) - 1
		}
	}
	return end
}

// local returns the type of a variable that a closure declares. ok is false if
// there is no such variable.
func (p *inferer) local(name string, start, end int) (v value, ok bool) {
	for i := start; i+2 < end; i++ {
		switch p.at(i) {
		case "let", "var":
			if p.at(i+1) != name {
				continue
			}
			stop := p.lineEnd(i, end)
			from := i + 3
			if p.at(i+2) == ":" {
				until := from
				for until < stop && p.at(until) != "=" {
					until++
				}
				if from >= until {
					return value{}, true
				}
				return p.named(p.text[p.tokens[from].Start:p.tokens[until-1].End]), true
			}
			if p.at(i+2) != "=" {
				return value{}, true
			}
			return p.sub(from, stop), true
		case "{", "(", "[":
			i = p.behind(i) - 1
		}
	}
	return value{}, false
}
