package module

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

const (
	// maxInferred is the maximum size, in bytes, of the part of an initial value that is examined.
	maxInferred = 16 << 10
	// maxInferDepth is the maximum nesting of expressions, and the maximum length
	// of chains of values that depend on one another.
	maxInferDepth = 24
)

// value is the type of an expression. The zero value means that the type is
// unknown.
type value struct {
	text    string  // the type as it is printed
	typ     *entity // the entity of a type without arguments, or nil for other types
	meta    bool    // whether the expression denotes the type itself
	literal bool    // whether it is a number literal, which takes its type from other operands
	null    bool    // whether it is nil
	// elements are the types of a tuple.
	elements []value
}

// inferred returns the type of a property that does not declare one, or "" if the
// initial value does not determine it.
func (e *entity) inferred() string {
	f := e.fact()
	if f.inferring || f.inferred != "" {
		return f.inferred
	}
	f.inferring = true
	if v := e.decl.Value; v != "" && len(v) <= maxInferred {
		p := newInferer(v, e.parent, e.unit, e.file, e.decl.Static(), maxInferDepth)
		t := p.whole()
		if e.decl.Pattern != "" {
			for index := range strings.SplitSeq(e.decl.Pattern, ".") {
				i, err := strconv.Atoi(index)
				if err != nil || i >= len(t.elements) {
					return ""
				}
				t = t.elements[i]
			}
		}
		if !t.meta {
			f.inferred = t.text
		}
	}
	if f.inferred == "" && e.decl.Pattern == "" {
		f.inferred = e.required()
	}
	return f.inferred
}

// fixedWidth lists the integer types that have separate names in C. The compiler writes these names
// if the value comes from a C function.
const fixedWidth = " Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 "

// required returns the type that a protocol requires for a property, or "" if no
// protocol of the package requires the property.
func (e *entity) required() string {
	if e.parent == nil || e.parent.isProtocol() || contains(fixedWidth, e.parent.path) {
		return ""
	}
	for _, c := range e.parent.conformances() {
		m := c.protocol.nestedMember(e)
		if m == nil || m.decl.Type == "" {
			continue
		}
		names := map[string]string{"Self": e.parent.path}
		for _, p := range e.unit.w.closureOf(c.protocol) {
			for name, a := range p.nested {
				if !a.is(source.AssociatedType) {
					continue
				}
				n := e.parent.nested[name]
				if n == nil {
					if mentions(m.decl.Type, name) {
						return ""
					}
					continue
				}
				names[name] = n.path
				if n.is(source.TypeAlias) {
					names[name] = n.decl.Type
				}
			}
		}
		return source.PrintType(substitute(m.decl.Type, names))
	}
	return ""
}

// nestedMember returns the requirement of a protocol that a property satisfies.
func (e *entity) nestedMember(p *entity) *entity {
	if e.decl == nil {
		return nil
	}
	for _, m := range e.members {
		if m.is(source.Var) && m.ext == nil && m.name == p.name && m.decl.Static() == p.decl.Static() {
			return m
		}
	}
	return nil
}

// writtenType returns the type of a property, whether it is written or inferred.
func (e *entity) writtenType() string {
	if e.decl.Type != "" {
		return e.decl.Type
	}
	return e.inferred()
}

// inferer infers the type of one expression.
type inferer struct {
	text   string
	tokens []source.Token
	pos    int
	scope  *entity
	unit   *unit
	file   *file
	static bool // whether names refer to static members of the scope
	depth  int
}

func newInferer(text string, scope *entity, u *unit, f *file, static bool, depth int) *inferer {
	p := &inferer{text: text, scope: scope, unit: u, file: f, static: static, depth: depth}
	s := source.NewScanner(text)
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		p.tokens = append(p.tokens, t)
	}
	return p
}

// at returns the text of a token, or "" after the last one.
func (p *inferer) at(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.text[p.tokens[i].Start:p.tokens[i].End]
}

func (p *inferer) kind(i int) source.TokenKind {
	if i < 0 || i >= len(p.tokens) {
		return source.EOF
	}
	return p.tokens[i].Kind
}

// behind returns the index of the token after the bracket that closes the bracket at i.
func (p *inferer) behind(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		switch p.at(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(p.tokens)
}

// whole returns the type of the whole expression.
func (p *inferer) whole() value {
	if p.depth <= 0 || len(p.tokens) == 0 {
		return value{}
	}
	return p.expression()
}

// sub returns the type of the expression between two tokens.
func (p *inferer) sub(start, end int) value {
	if start >= end || p.depth <= 1 {
		return value{}
	}
	q := *p
	q.tokens, q.pos, q.depth = p.tokens[start:end], 0, p.depth-1
	return q.whole()
}

// split splits the tokens between two indices at separators outside brackets.
func (p *inferer) split(start, end int, separator string) [][2]int {
	var parts [][2]int
	from := start
	for i := start; i < end; i++ {
		switch p.at(i) {
		case "(", "[", "{":
			i = p.behind(i) - 1
		case separator:
			parts = append(parts, [2]int{from, i})
			from = i + 1
		}
	}
	if from < end {
		parts = append(parts, [2]int{from, end})
	}
	return parts
}

// pound reads a literal such as #file or #line.
func (p *inferer) pound() value {
	word := strings.TrimPrefix(p.at(p.pos), "#")
	p.pos++
	if word == "" {
		word = p.at(p.pos)
		p.pos++
	}
	switch word {
	case "file", "fileID", "filePath", "function":
		return known("String")
	case "line", "column":
		return known("Int")
	}
	return value{}
}

// named returns the value of the name of a type in the expression.
func (p *inferer) named(text string) value {
	return typeValue(text, p.scope, p.unit, p.file)
}

// typeValue returns the value of a type that is written in the scope of another
// type.
func typeValue(text string, scope *entity, u *unit, f *file) value {
	text = source.PrintType(strings.TrimSpace(text))
	if text == "" {
		return value{}
	}
	if text == "Self" && scope != nil {
		return value{text: scope.path, typ: scope}
	}
	if path := typePath(text); len(path) > 0 && strings.Join(path, ".") == text {
		if t := u.first(path, scope, f); t != nil {
			if t.is(source.AssociatedType) {
				return value{}
			}
			return value{text: t.path, typ: t.underlying()}
		}
	}
	return value{text: text}
}

// name reads a name with generic arguments.
func (p *inferer) name() value {
	name := strings.Trim(p.at(p.pos), "`")
	switch name {
	case "true", "false":
		p.pos++
		return known("Bool")
	case "nil":
		p.pos++
		return value{null: true}
	case "if", "switch", "do", "_":
		p.pos = len(p.tokens)
		return value{}
	case "self":
		p.pos++
		if p.scope == nil {
			return value{}
		}
		return value{text: p.scope.path, typ: p.scope, meta: p.static}
	case "Self":
		p.pos++
		if p.scope == nil || p.scope.isProtocol() {
			return value{}
		}
		return value{text: p.scope.path, typ: p.scope, meta: true}
	}
	start := p.pos
	p.pos++
	if args := p.generics(); args >= 0 {
		p.pos = args
		text := p.text[p.tokens[start].Start:p.tokens[args-1].End]
		t := p.unit.lookup(typePath(text), p.scope, p.file, true)
		return value{text: source.PrintType(text), typ: t, meta: true}
	}
	if t := p.unit.first([]string{name}, p.scope, p.file); t != nil {
		u := t.underlying()
		return value{text: t.path, typ: u, meta: true}
	}
	if v := p.variable(name); v.text != "" {
		return v
	}
	if text := p.unit.fromC(name, p.file); text != "" {
		return value{text: text}
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		if x := p.unit.w.units[name]; x != nil || p.unit.w.platform.has(name) && knownToolchain().types[name] == nil {
			if p.at(p.pos) == "." && p.kind(p.pos+1) == source.Ident { // The name refers to a module.
				p.pos++
				return p.name()
			}
		}
		if p.scope.hasParameterAround(name) {
			return value{text: name, meta: true}
		}
		if p.at(p.pos) == "." && p.kind(p.pos+1) == source.Ident && p.unit.isC(name) {
			text := p.unit.fromC(p.at(p.pos+1), p.file)
			p.pos += 2
			return value{text: text}
		}
		if strings.Contains(name, "_") && strings.ToUpper(name) == name {
			return value{} // the name is a C macro or constant
		}
		return value{text: name, typ: p.unit.w.outside([]string{name}), meta: true}
	}
	return value{}
}

// hasParameterAround reports whether a name is a generic parameter of a type or of
// an enclosing type.
func (e *entity) hasParameterAround(name string) bool {
	for ; e != nil; e = e.parent {
		if e.hasParameter(name) {
			return true
		}
	}
	return false
}

// generics returns the index of the token after the generic arguments at the
// position, or -1 if there are none.
func (p *inferer) generics() int {
	if p.at(p.pos) != "<" || p.tokens[p.pos].Space {
		return -1
	}
	depth := 0
	for i := p.pos; i < len(p.tokens); i++ {
		switch t := p.at(i); {
		case t == "(" || t == "[":
			i = p.behind(i) - 1
		case strings.Trim(t, "<") == "":
			depth += len(t)
		case t != "" && strings.Trim(t, ">?") == "" && strings.Contains(t, ">"):
			if depth -= strings.Count(t, ">"); depth <= 0 {
				if depth < 0 {
					return -1
				}
				return i + 1
			}
		case t == "{" || t == ";":
			return -1
		}
	}
	return -1
}
