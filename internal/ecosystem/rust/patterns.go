package rust

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// pattern is a pattern that is matched with a value.
type pattern struct {
	kind patternKind
	name string      // of a variable
	path *crate.Path // of a struct or variant
	last int         // the token of the last name of path
	// parts are the alternatives, elements or fields; names are the tokens of the names of fields.
	parts []*pattern
	names []int
	rest  int  // the index of .. in the elements, or -1
	open  bool // whether there may be more fields: after .., or because of a condition
}

type patternKind uint8

const (
	anyPattern patternKind = iota
	variablePattern
	alternatives
	tuplePattern
	slicePattern
	tupleStruct
	structPattern
)

// pattern reads a pattern. Alternatives at its top need brackets if single is true.
func (v *valueReader) pattern(single bool) *pattern {
	if v.nesting++; v.nesting > maxExpression || v.lost {
		v.lost = true
		return &pattern{}
	}
	defer func() { v.nesting-- }()
	if !single && v.at(v.i) == "|" {
		v.i++
	}
	first := v.simple()
	if single || v.at(v.i) != "|" {
		return first
	}
	p := &pattern{kind: alternatives, parts: []*pattern{first}}
	for v.at(v.i) == "|" && !v.lost {
		v.i++
		p.parts = append(p.parts, v.simple())
	}
	return p
}

// elements reads patterns in brackets.
func (v *valueReader) elements(kind patternKind) *pattern {
	p := &pattern{kind: kind, rest: -1}
	v.within(func(close int) {
		for v.i < close && !v.lost {
			if v.attributes() {
				p.open = true
			}
			if v.at(v.i) == "." && v.at(v.i+1) == "." && (v.at(v.i+2) == "," || v.i+2 == close) {
				p.rest = len(p.parts)
				v.i += 2
			} else {
				part := v.pattern(false)
				if part.kind == variablePattern && part.rest == 1 { // name @ ..
					p.rest = len(p.parts)
				}
				p.parts = append(p.parts, part)
			}
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	return p
}

// simple reads a pattern without alternatives.
func (v *valueReader) simple() *pattern {
	for v.at(v.i) == "&" || v.at(v.i) == "mut" && v.at(v.i-1) == "&" || v.at(v.i) == "box" && v.isName(v.i+1) {
		v.i++
	}
	if v.i >= len(v.tokens) {
		v.lost = true
		return &pattern{}
	}
	switch text := v.at(v.i); {
	case text == "_":
		v.i++
		return &pattern{}
	case text == "(":
		one := v.group(v.i)
		p := v.elements(tuplePattern)
		if len(p.parts) == 1 && p.rest < 0 && v.at(one-1) != "," {
			return p.parts[0]
		}
		return p
	case text == "[":
		return v.elements(slicePattern)
	case text == "-" || v.isKind(v.i, source.Literal) || text == "." || text == "true" || text == "false" || text == "const":
		if text == "const" {
			v.i = v.group(v.i+1) + 1
			return &pattern{}
		}
		v.constants()
		return &pattern{}
	case text == "ref" || text == "mut":
		v.i++
		if v.at(v.i) == "mut" {
			v.i++
		}
		if !v.isName(v.i) {
			v.lost = true
			return &pattern{}
		}
		return v.binding()
	case v.isName(v.i) && v.at(v.i+1) == "!" && v.at(v.i+2) != "=":
		v.lost = true // a macro
		return &pattern{}
	case v.isName(v.i) && v.at(v.i+1) == "@":
		return v.binding()
	case text == "<" || v.isName(v.i) || v.separates(v.i):
		start := v.i
		p, last := v.names()
		if v.lost {
			return &pattern{}
		}
		if len(p.Names) > 1 && v.at(v.i) != "!" {
			v.look(last, v.scope.Value(p))
		}
		switch next := v.at(v.i); {
		case next == "(":
			e := v.elements(tupleStruct)
			e.path, e.last = p, last
			return e
		case next == "{":
			return v.fieldPatterns(p, last)
		case next == "!":
			v.lost = true
			return &pattern{}
		case next == "." && v.at(v.i+1) == ".":
			v.constants()
			return &pattern{}
		case v.i == start+1 && p.Self == "" && !v.scope.IsValue(p.Names[0]):
			return &pattern{kind: variablePattern, name: p.Names[0]}
		}
		return &pattern{}
	}
	v.lost = true
	return &pattern{}
}

// binding reads the name of a variable and the pattern after @.
func (v *valueReader) binding() *pattern {
	p := &pattern{kind: variablePattern, name: v.at(v.i)}
	v.i++
	if v.at(v.i) == "@" {
		v.i++
		if v.at(v.i) == "." && v.at(v.i+1) == "." && (v.at(v.i+2) == "," || v.at(v.i+2) == "]") {
			v.i += 2
			p.rest = 1
			return p
		}
		p.parts = []*pattern{v.pattern(true)}
	}
	return p
}

// constants skips literals, constants and ranges of them.
func (v *valueReader) constants() {
	for v.i < len(v.tokens) {
		switch text := v.at(v.i); {
		case text == "-" || v.isKind(v.i, source.Literal) || text == "true" || text == "false":
			v.i++
		case text == "." && v.at(v.i+1) == ".":
			v.i += 2
			if v.at(v.i) == "=" && v.at(v.i+1) != ">" {
				v.i++
			}
			if v.isName(v.i) && !keywords[v.at(v.i)] {
				v.names()
			}
		default:
			return
		}
	}
}

// fieldPatterns reads the fields of a struct pattern.
func (v *valueReader) fieldPatterns(path *crate.Path, last int) *pattern {
	p := &pattern{kind: structPattern, path: path, last: last}
	v.within(func(close int) {
		for v.i < close && !v.lost {
			if v.attributes() {
				p.open = true
			}
			if v.at(v.i) == "." && v.at(v.i+1) == "." {
				p.open = true
				v.i += 2
				break
			}
			if v.at(v.i+1) == ":" && v.at(v.i+2) != ":" {
				p.names = append(p.names, v.i)
				v.i += 2
				p.parts = append(p.parts, v.pattern(false))
			} else {
				for v.at(v.i) == "ref" || v.at(v.i) == "mut" || v.at(v.i) == "box" {
					v.i++
				}
				if !v.isName(v.i) {
					v.lost = true
					return
				}
				p.names = append(p.names, v.i)
				p.parts = append(p.parts, &pattern{kind: variablePattern, name: v.at(v.i)})
				v.i++
			}
			if v.at(v.i) != "," {
				break
			}
			v.i++
		}
	})
	return p
}

// match binds the variables of a pattern that matches a value of type t.
func (v *valueReader) match(p *pattern, t *crate.Type) {
	if v.lost {
		return
	}
	switch p.kind {
	case variablePattern:
		v.bind(p.name, t)
		for _, part := range p.parts {
			v.match(part, t)
		}
	case alternatives:
		for _, part := range p.parts {
			v.match(part, t)
		}
	case tuplePattern:
		v.matchElements(p, func(i, n int) *crate.Type { return t.Element(i, n, p.rest >= 0) })
	case slicePattern:
		element := v.scope.Index(t, crate.NewNumber())
		for _, part := range p.parts {
			if part.kind == variablePattern && part.rest == 1 {
				v.match(part, v.scope.Slice(element))
				continue
			}
			v.match(part, element)
		}
	case tupleStruct, structPattern:
		l := v.scope.Literal(p.path)
		if l == nil {
			for _, part := range p.parts {
				v.match(part, nil)
			}
			return
		}
		l.Match(t)
		if p.kind == tupleStruct {
			if n := l.Elements(); n >= 0 && !p.open && (p.rest < 0 && len(p.parts) != n || len(p.parts) > n+1) {
				v.fault(p.last, ecosystem.ArgumentsFault, l, fmt.Sprintf("has %s, and the pattern has %d", count(n, "field"), len(p.parts)))
			}
			v.matchElements(p, func(i, _ int) *crate.Type {
				f, _ := l.Field(strconv.Itoa(i))
				return f
			}, l.Fields())
			return
		}
		v.matchFields(p, l)
	}
}

// matchFields matches the fields of a struct or variant.
func (v *valueReader) matchFields(p *pattern, l *crate.Literal) {
	present := map[string]bool{}
	for i, part := range p.parts {
		name := strings.TrimPrefix(v.at(p.names[i]), "r#")
		present[name] = true
		t, ok := l.Field(name)
		if !ok && v.isName(p.names[i]) {
			v.fault(p.names[i], ecosystem.FieldsFault, l, name)
		}
		v.match(part, t)
	}
	if !p.open {
		v.lacks(p.last, l, present)
	}
}

// bindUnknown binds the variables of a pattern in code that may not exist.
func (v *valueReader) bindUnknown(p *pattern) {
	if p.kind == variablePattern {
		v.bind(p.name, nil)
	}
	for _, part := range p.parts {
		v.bindUnknown(part)
	}
}

// matchElements matches the elements of a tuple or tuple struct, which has size elements.
func (v *valueReader) matchElements(p *pattern, element func(i, n int) *crate.Type, size ...int) {
	for i, part := range p.parts {
		k := i
		if p.rest >= 0 && i >= p.rest {
			if len(size) == 0 {
				v.match(part, element(i-len(p.parts), len(p.parts)))
				continue
			}
			k = size[0] - len(p.parts) + i
		}
		v.match(part, element(k, len(p.parts)))
	}
}
