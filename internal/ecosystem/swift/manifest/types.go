package manifest

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// typ is a type without optional marks and generic arguments. The zero value is an unknown type.
type typ struct {
	name  string // such as "Target.Dependency"; empty if it is unknown
	depth int    // nesting of arrays or sets: 1 for [Target]
}

func named(name string) typ { return typ{name: name} }

func arrayOf(name string) typ { return typ{name, 1} }

// array returns the type of arrays of t.
func (t typ) array() typ { return typ{t.name, t.depth + 1} }

// elem returns the type of the elements of an array, or the unknown type.
func (t typ) elem() typ {
	if t.depth == 0 {
		return typ{}
	}
	return typ{t.name, t.depth - 1}
}

// known reports whether the type, or the type of the elements of an array, is known.
func (t typ) known() bool { return t.name != "" }

// member returns the name of a type that is declared in t.
func (t typ) member(name string) typ {
	if t.known() {
		name = t.name + "." + name
	}
	return named(name)
}

// outer returns the type in which t is declared, or the unknown type.
func (t typ) outer() typ {
	i := strings.LastIndexByte(t.name, '.')
	if i < 0 || t.depth > 0 {
		return typ{}
	}
	return named(t.name[:i])
}

func (t typ) String() string {
	return strings.Repeat("[", t.depth) + t.name + strings.Repeat("]", t.depth)
}

// typeRef reads a type. It returns the unknown type for function types and tuples, and if
// there is no type.
func (p *parser) typeRef() typ {
	start := p.pos
	for {
		if w := p.textOf(p.tok()); w == "some" || w == "any" || w == "inout" || w == "borrowing" || w == "consuming" {
			p.pos++
			continue
		}
		if p.is("@") {
			p.pos += 2
			if p.is("(") && !p.tok().Space {
				p.skipGroup()
			}
			continue
		}
		break
	}
	begin := p.pos
	t := p.plainType()
	if p.pos == begin {
		p.pos = start
		return typ{}
	}
	for t := p.tok(); !p.end() && !t.Space && t.Kind == source.Oper && strings.Trim(p.textOf(t), "?!") == ""; t = p.tok() {
		p.pos++
	}
	for p.is("->") || p.is("async") || p.is("throws") { // The type is a function type.
		if p.accept("->") {
			p.typeRef()
			return typ{}
		}
		p.pos++
	}
	return t
}

// plainType reads a type without attributes and marks.
func (p *parser) plainType() typ {
	switch {
	case p.is("("):
		p.skipGroup()
		return typ{}
	case p.is("["):
		elem, next := p.argumentType()
		p.skipGroup()
		if next == ":" {
			return named("Dictionary")
		}
		return elem.array()
	case p.tok().Kind != source.Ident:
		return typ{}
	}
	t := named(p.name())
	for !p.end() {
		switch tok := p.tok(); {
		case p.is(".") && p.peek(1).Kind == source.Ident:
			p.pos++
			if name := p.name(); t == named("PackageDescription") {
				t = named(name)
			} else {
				t = t.member(name)
			}
			continue
		case tok.Kind == source.Oper && tok.Byte == '<' && !tok.Newline:
			elem, _ := p.argumentType()
			p.skipAngles()
			switch t.name {
			case "Array", "Set":
				t = elem.array()
			case "Optional":
				t = elem
			}
			continue
		}
		break
	}
	return t
}

// argumentType returns the type after an opening bracket, and the text of the token after
// the type. The parser stays at the bracket.
func (p *parser) argumentType() (t typ, next string) {
	if p.depth >= maxDepth {
		return typ{}, ""
	}
	p.depth++
	defer p.leave()
	start := p.pos
	p.pos++
	t = p.typeRef()
	next = p.textOf(p.tok())
	p.pos = start
	return t, next
}
