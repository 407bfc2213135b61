package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxSteps is the maximum number of aliases and supertypes that are followed to resolve one name.
const maxSteps = 48

// typeName is the text of a type with a name, such as A.B<C>?.
type typeName struct {
	path     []string
	args     []string // the generic arguments of the last name, or the types in the brackets
	array    bool     // whether it is the type of an array or a dictionary, such as [A] or [A: B]
	optional int
	forced   bool // whether it ends with an exclamation mark
}

// generic returns the path of the generic type that is written, which is Array for [A].
func (t *typeName) generic() []string {
	switch {
	case t.optional > 0:
		return []string{"Optional"}
	case t.array && len(t.args) == 1:
		return []string{"Array"}
	case t.array:
		return []string{"Dictionary"}
	}
	return t.path
}

// parseType reads the name of a type. ok is false for types without a name, such as tuples.
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
		case tok.Kind == source.Ident && isTypeKeyword(s.TokenText(tok)):
			tok = s.Next()
			continue
		}
		break
	}
	if tok.Kind == source.Punct && tok.Byte == '[' {
		end := closing(text, tok.Start)
		if end < 0 {
			return t, false
		}
		t.array, t.args = true, split(text[tok.Start+1:end-1], ':')
		s.Pos = end
		tok = s.Next()
	}
	for !t.array {
		if tok.Kind != source.Ident {
			return t, false
		}
		t.path = append(t.path, strings.Trim(s.TokenText(tok), "`"))
		tok = s.Next()
		if tok.Kind == source.Oper && tok.Byte == '<' {
			end := closing(text, tok.Start)
			if end < 0 {
				return t, false
			}
			t.args = split(text[tok.Start+1:end-1], ',')
			s.Pos = end
			tok = s.Next()
		}
		if tok.Kind == source.Punct && tok.Byte == '.' {
			tok = s.Next()
			t.args = nil
			continue
		}
		break
	}
	for tok.Kind == source.Oper && strings.Trim(s.TokenText(tok), "?!") == "" {
		t.optional += tok.End - tok.Start
		t.forced = text[tok.End-1] == '!'
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

// split splits a text at a byte outside brackets.
func split(text string, separator byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case separator:
			parts = append(parts, text[start:i])
			start = i + 1
		case '<', '(', '[':
			if end := closing(text, i); end > 0 {
				i = end - 1
			}
		}
	}
	return append(parts, text[start:])
}

// closing returns the offset after the bracket that closes the one at i, or -1.
func closing(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			if text[i] == '>' && i > 0 && text[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// value is what is known about an expression: its type, or that it denotes a type.
type value struct {
	t    *Type // nil if it is unknown
	meta bool  // whether the expression denotes the type itself
	// system is the name of its type if that is declared by a system and in systemMembers, such as Array. The elements
	// of an array are args[0].
	system   string
	optional int
	forced   bool // whether an optional is implicitly unwrapped, as one of type A! is
	function *function
	tuple    *tuple
	args     []value // the generic arguments of the type, or nil if they are unknown
	// bound are the types of the associated types of self, if the type is a protocol, as far as the extension around it requires
	// them.
	bound map[string]value
}

// function is the type of a function, if that is known.
type function struct {
	params   []value
	returned value
	declared *member // the function in a function that the value is, or nil
}

// unwrapped returns the wrapped value of an implicitly unwrapped optional, or the value itself.
func (v value) unwrapped() value {
	if v.forced && v.optional == 1 {
		v.optional, v.forced = 0, false
	}
	return v
}

// isGeneric reports whether a type contains a stand-in for a generic parameter.
func (v value) isGeneric() bool {
	return v.t != nil && v.t.local && v.t.kind() == source.Protocol || slices.ContainsFunc(v.args, value.isGeneric) ||
		v.tuple != nil && slices.ContainsFunc(v.tuple.elements, value.isGeneric) ||
		v.function != nil && (v.function.returned.isGeneric() || slices.ContainsFunc(v.function.params, value.isGeneric))
}

// maxTypes is the maximum number of types of which the type of an expression consists. Statements such as let b = (a, a) may
// double it.
const maxTypes = 200

// bounded returns an unknown value if the type of the value consists of too many types.
func (v value) bounded() value {
	if v.types(0) > maxTypes {
		return value{}
	}
	return v
}

// types adds the number of types of which the type of a value consists to n. It stops above maxTypes.
func (v value) types(n int) int {
	n++
	for _, arg := range v.args {
		if n > maxTypes {
			return n
		}
		n = arg.types(n)
	}
	if v.tuple != nil {
		for _, e := range v.tuple.elements {
			if n > maxTypes {
				return n
			}
			n = e.types(n)
		}
	}
	if v.function != nil {
		for _, param := range v.function.params {
			if n > maxTypes {
				return n
			}
			n = param.types(n)
		}
		n = v.function.returned.types(n)
	}
	return n
}

// called returns the result of calling the value, which is unknown if the value is not a function.
func (v value) called() value {
	if v = v.unwrapped(); v.function == nil || v.optional > 0 {
		return value{}
	}
	return v.function.returned
}

// same reports whether two values have the same type.
func same(a, b value) bool {
	if (a.function == nil) != (b.function == nil) || (a.tuple == nil) != (b.tuple == nil) {
		return false
	}
	if t, u := a.tuple, b.tuple; t != nil && !(slices.Equal(t.labels, u.labels) && slices.EqualFunc(t.elements, u.elements, same)) {
		return false
	}
	if f, g := a.function, b.function; f != nil && !(same(f.returned, g.returned) && slices.EqualFunc(f.params, g.params, same)) {
		return false
	}
	return a.t == b.t && a.meta == b.meta && a.system == b.system && a.optional == b.optional && a.forced == b.forced && slices.EqualFunc(a.args, b.args, same)
}

// context is where a name of a type occurs.
type context struct {
	file  *file
	scope *Type // the innermost enclosing type, or nil
	// generics are the declarations around the name whose generic parameters are in scope.
	generics []*source.Decl
	// bound are the types that generic parameters stand for, and self the one that Self stands for, or nil. local returns
	// the local declaration that a name may stand for; it may be nil.
	bound map[string]value
	self  *value
	// parameters is true within the scope: its generic parameters have the members that their requirements give them.
	parameters bool
	local      func(name string) (v value, ok bool)
}

// maxTypeDepth is the maximum nesting of the arguments of a type.
const maxTypeDepth = 8

// typed returns the value of an expression with the given type.
func (p *Program) typed(text string, c context) value { return p.typedIn(text, c, maxTypeDepth) }

func (p *Program) typedIn(text string, c context, depth int) value {
	if text == "" || depth == 0 {
		return value{}
	}
	n, ok := parseType(text)
	if !ok {
		if v, ok := p.tupleTyped(text, c, depth); ok {
			return v
		}
		return p.functionTyped(text, c, depth)
	}
	if n.array {
		n.path = []string{"Array"}
		if len(n.args) == 2 {
			n.path[0] = "Dictionary"
		}
	}
	var v value
	if !n.array {
		v = p.resolve(n.path, c, 0)
	}
	if !v.isKnown() {
		if len(n.path) > 1 || systemMembers[n.path[0]] == "" && !p.isFoundation(n.path[0], c) {
			return value{}
		}
		v = value{system: n.path[0], optional: n.optional, forced: n.forced}
		for _, arg := range n.args {
			v.args = append(v.args, p.typedIn(arg, c, depth-1))
		}
		return v
	}
	if len(n.args) > 0 && v.args == nil && v.t != nil && len(v.t.decls[0].decl.Generics) == len(n.args) && v.t.kind() != source.Protocol {
		for _, arg := range n.args {
			v.args = append(v.args, p.typedIn(arg, c, depth-1))
		}
	}
	v.optional += n.optional
	v.forced = n.forced
	return v
}

// functionTyped returns the value of an expression with the given type if that is the type of a function.
func (p *Program) functionTyped(text string, c context, depth int) value {
	params, returned, ok := functionParams(text)
	if !ok {
		return value{}
	}
	v := value{function: &function{returned: p.typedIn(returned, c, depth-1)}}
	for _, param := range params {
		if name, rest, ok := strings.Cut(param, ":"); ok && !strings.ContainsAny(name, "<([") {
			param = rest
		}
		v.function.params = append(v.function.params, p.typedIn(param, c, depth-1))
	}
	if text = strings.TrimSpace(text); strings.HasSuffix(text, ")?") || strings.HasSuffix(text, ")!") {
		v.optional, v.forced = 1, text[len(text)-1] == '!'
	}
	return v
}

// resolve finds a type by its path. It follows aliases.
func (p *Program) resolve(path []string, c context, depth int) value {
	if depth > maxSteps || len(path) == 0 {
		return value{}
	}
	v, ok := c.bound[path[0]]
	if !ok && c.self != nil && path[0] == "Self" {
		v, ok = *c.self, true
	}
	if ok {
		if len(path) > 1 && (v.t == nil || v.optional > 0 || v.isGeneric()) {
			return value{}
		}
		return p.descend(v, path[1:], depth)
	}
	if c.local != nil {
		if v, ok := c.local(path[0]); ok {
			return p.localType(v, path[1:], depth)
		}
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
			if s != c.scope || !c.parameters {
				return value{} // an extension of the inner type may constrain it
			}
			return p.descend(value{t: p.parameter(s, path[0])}, path[1:], depth)
		}
		if s.name == path[0] && !s.isAlias() {
			other := p.global(path[0], c.file)
			switch {
			case s.parent != nil && (other != nil || isSystemType(path[0])):
				return value{} // an extension of s is not within its parent
			case other != nil && other.module == c.file.module:
				s = other // an extension of an alias of s
			}
			return p.descend(value{t: s}, path[1:], depth)
		}
		n, known := p.nestedIn(s, path[0], depth+1)
		if n != nil && n.isVisible(c.file) {
			if s != c.scope && p.global(path[0], c.file) != nil {
				return value{}
			}
			return p.descend(p.underlying(n, depth+1), path[1:], depth)
		}
		if !known && mayNest(path[0]) {
			return value{}
		}
		if v, ok := s.locals[path[0]]; ok {
			return p.localType(v, path[1:], depth)
		}
	}
	if t := c.file.module.typeNamed(path[0], c.file); t != nil {
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

// localType returns the type that a path into a local declaration names.
func (p *Program) localType(v value, path []string, depth int) value {
	if !v.meta {
		return value{}
	}
	v.meta = false
	return p.descend(v, path, depth)
}

// global returns a type outside types that has the given name and is visible in a file, or nil if there is none.
func (p *Program) global(name string, f *file) *Type {
	if t := f.module.typeNamed(name, f); t != nil {
		return t
	}
	for _, m := range p.visible(f) {
		if t := m.types[name]; t != nil && t.isVisible(f) {
			return t
		}
	}
	return nil
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
	if t.target == nil {
		t.target = &value{} // ends a cycle
		v := p.target(t, depth)
		t.target = &v
	}
	return *t.target
}

func (p *Program) target(t *Type, depth int) (all value) {
	for i, d := range t.decls {
		if d.decl.Kind != source.TypeAlias || depth > maxSteps {
			return value{}
		}
		c := context{file: d.file, scope: t.parent, generics: []*source.Decl{d.decl}}
		n, ok := parseType(d.decl.Type)
		var v value
		switch {
		case !ok:
			v = p.typedIn(d.decl.Type, c, maxTypeDepth/2)
		case !n.array:
			v = p.resolve(n.path, c, depth+1)
			v.optional += n.optional
		}
		if i > 0 && !same(v, all) {
			return value{} // the alias depends on a condition
		}
		all = v
	}
	return all
}
