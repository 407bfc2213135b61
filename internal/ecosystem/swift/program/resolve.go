package program

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxSteps is the maximum number of aliases and supertypes that are followed to resolve one name.
const maxSteps = 48

// typeName is the text of a type with a name, such as A.B<C>?.
type typeName struct {
	path     []string
	optional int
}

// parseType reads the name of a type. ok is false for types without a name, such as tuples. The names of arrays and
// dictionaries are Array and Dictionary.
func parseType(text string) (t typeName, ok bool) {
	s := source.Scanner{Text: text}
	tok := s.Next()
	for {
		switch {
		case tok.Kind == source.Punct && tok.Byte == '@':
			if tok = s.Next(); tok.Kind != source.Ident {
				return t, false
			}
			tok = s.Next()
			if tok.Kind == source.Punct && tok.Byte == '(' {
				return t, false
			}
			continue
		case tok.Kind == source.Ident && isTypeKeyword(s.Of(tok)):
			tok = s.Next()
			continue
		}
		break
	}
	if tok.Kind == source.Punct && tok.Byte == '[' {
		return t, false
	}
	for {
		if tok.Kind != source.Ident {
			return t, false
		}
		t.path = append(t.path, strings.Trim(s.Of(tok), "`"))
		tok = s.Next()
		if tok.Kind == source.Oper && tok.Byte == '<' {
			end := closingAngle(text, tok.Start)
			if end < 0 {
				return t, false
			}
			s.Pos = end
			tok = s.Next()
		}
		if tok.Kind == source.Punct && tok.Byte == '.' {
			tok = s.Next()
			continue
		}
		break
	}
	for tok.Kind == source.Oper && strings.Trim(s.Of(tok), "?!") == "" {
		t.optional += tok.End - tok.Start
		tok = s.Next()
	}
	return t, tok.Kind == source.EOF
}

func isTypeKeyword(word string) bool {
	switch word {
	case "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "nonisolated", "_const":
		return true
	}
	return false
}

// closingAngle returns the offset after the angle bracket that closes the one at i, or -1.
func closingAngle(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '<', '(', '[':
			depth++
		case ')', ']':
			depth--
		case '>':
			if text[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if depth <= 0 {
			return -1
		}
	}
	return -1
}

// value is what is known about an expression: its type, or that it denotes a type.
type value struct {
	t        *Type // nil if it is unknown
	meta     bool  // whether the expression denotes the type itself
	optional int
}

// context is where a name of a type occurs.
type context struct {
	file  *file
	scope *Type // the innermost enclosing type, or nil
	// generics are the declarations around the name whose generic parameters are in scope.
	generics []*source.Decl
}

// typed returns the value of an expression with the given type.
func (p *Program) typed(text string, c context) value {
	if text == "" {
		return value{}
	}
	t, ok := parseType(text)
	if !ok {
		return value{}
	}
	v := p.resolve(t.path, c, 0)
	if v.t == nil {
		return value{}
	}
	v.optional += t.optional
	return v
}

// resolve finds a type by its path. It follows aliases.
func (p *Program) resolve(path []string, c context, depth int) value {
	if depth > maxSteps || len(path) == 0 {
		return value{}
	}
	for _, d := range c.generics {
		for i := range d.Generics {
			if d.Generics[i].Name == path[0] {
				return value{}
			}
		}
	}
	if path[0] == "Self" {
		if c.scope == nil {
			return value{}
		}
		return p.descend(value{t: c.scope}, path[1:], depth)
	}
	for s := c.scope; s != nil; s = s.parent {
		if s.hasGeneric(path[0]) {
			return value{}
		}
		if s.name == path[0] && !s.isAlias() {
			return p.descend(value{t: s}, path[1:], depth)
		}
		n, known := p.nestedIn(s, path[0], depth+1)
		if n != nil {
			return p.descend(p.underlying(n, depth+1), path[1:], depth)
		}
		if !known && mayNest(path[0]) {
			return value{}
		}
	}
	if t := c.file.module.types[path[0]]; t != nil {
		return p.descend(p.underlying(t, depth+1), path[1:], depth)
	}
	modules := p.visible(c.file)
	var found *Type
	for _, m := range modules {
		if t := m.types[path[0]]; t != nil && (m == c.file.module || t.isVisible(c.file)) {
			if found != nil && found != t {
				return value{}
			}
			found = t
		}
	}
	if found != nil {
		return p.descend(p.underlying(found, depth+1), path[1:], depth)
	}
	if m := p.modules[path[0]]; m != nil && len(path) > 1 && !m.Opaque && m.loaded {
		if t := p.topLevel(m, path[1]); t != nil {
			return p.descend(p.underlying(t, depth+1), path[2:], depth)
		}
	}
	return value{}
}

// topLevel finds a type in a module or the modules that it re-exports.
func (p *Program) topLevel(m *unit, name string) *Type {
	queue := []*unit{m}
	for i := 0; i < len(queue) && i < maxSteps; i++ {
		if t := queue[i].types[name]; t != nil {
			return t
		}
		for _, e := range queue[i].exports {
			if x := p.modules[e]; x != nil && x.loaded {
				queue = append(queue, x)
			}
		}
	}
	return nil
}

// descend follows the rest of a path into a type.
func (p *Program) descend(v value, path []string, depth int) value {
	for _, name := range path {
		if v.t == nil || v.optional > 0 || name == "Type" || name == "Protocol" {
			return value{}
		}
		n, _ := p.nestedIn(v.t, name, depth+1)
		if n == nil {
			return value{}
		}
		v = p.underlying(n, depth+1)
	}
	return v
}

// underlying returns the type that an alias represents, or the type itself.
func (p *Program) underlying(t *Type, depth int) value {
	if t == nil || !t.isAlias() {
		return value{t: t}
	}
	var all value
	for i, d := range t.decls {
		if d.decl.Kind != source.TypeAlias || depth > maxSteps {
			return value{}
		}
		n, ok := parseType(d.decl.Type)
		if !ok {
			return value{}
		}
		scope := t.parent
		v := p.resolve(n.path, context{file: d.file, scope: scope, generics: []*source.Decl{d.decl}}, depth+1)
		v.optional += n.optional
		if i > 0 && v != all {
			return value{} // the alias depends on a condition
		}
		all = v
	}
	return all
}
