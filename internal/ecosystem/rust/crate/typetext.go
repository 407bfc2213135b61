package crate

import (
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Type returns the type with the given text, or nil if it is unknown.
func (s *Scope) Type(text string) *Type { return s.typeOf(text, 0) }

// withoutPointers removes references and their lifetimes from the beginning of a type.
func withoutPointers(t string) string {
	t = strings.TrimSpace(t)
	for strings.HasPrefix(t, "&") {
		t = strings.TrimSpace(t[1:])
		if strings.HasPrefix(t, "'") {
			s := source.Scanner{Text: t}
			t = strings.TrimSpace(t[s.Next().End:])
		}
		if rest, ok := strings.CutPrefix(t, "mut "); ok {
			t = strings.TrimSpace(rest)
		}
	}
	return t
}

// typeOf returns the type with the given text. Types that are not written, as in Vec<_>, are variables.
func (s *Scope) typeOf(text string, depth int) *Type {
	text = withoutPointers(source.Unmarked(text))
	if text == "" || depth > maxTypeDepth || s.p.nesting > maxNesting || s.p.w.failed() {
		return nil
	}
	if depth > 0 || !s.isClosed(text) {
		return s.readType(text, depth)
	}
	t := s.p.closed.text(s.m, text)
	if t == nil {
		if t = s.readType(text, depth); t.isClosed(0) {
			s.p.closed.addText(s.m, text, t)
		}
	}
	return t
}

// readType reads the text of a type that begins with no reference.
func (s *Scope) readType(text string, depth int) *Type {
	s.p.nesting++
	defer func() { s.p.nesting-- }()
	for _, word := range []string{"dyn ", "impl "} {
		if bounds, ok := strings.CutPrefix(text, word); ok {
			return s.bounded(bounds, depth+1)
		}
	}
	switch text[0] {
	case '_':
		if text == "_" {
			return newVariable()
		}
	case '!':
		return nil
	case '(':
		inner, ok := inBrackets(text)
		if !ok {
			return nil
		}
		parts := source.Split(inner)
		if len(parts) == 1 && !strings.HasSuffix(strings.TrimSpace(inner), ",") {
			return s.typeOf(parts[0], depth+1)
		}
		elements := make([]*Type, len(parts))
		for i, part := range parts {
			elements[i] = s.typeOf(part, depth+1)
		}
		return s.Tuple(elements)
	case '[':
		inner, ok := inBrackets(text)
		if !ok {
			return nil
		}
		element, _, array := source.Cut(inner, ';')
		return s.primitive(map[bool]string{true: "array", false: "slice"}[array], s.typeOf(element, depth+1))
	case '*':
		return s.primitive("pointer")
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-':
		return s.p.constant(text)
	case '{':
		return newVariable()
	case '<':
		self, rest, ok := qualified(text)
		if !ok {
			return nil
		}
		self, trait, _ := strings.Cut(self, " as ")
		name, ok := strings.CutPrefix(rest, "::")
		b := s.boundsOf(trait, depth+1)
		if !ok || len(b) != 1 || b[0].def == nil || strings.Contains(name, "::") {
			return nil
		}
		return s.typeOf(self, depth+1).project(s, b[0], name, depth+1)
	}
	if fn, ok := functionText(text); ok {
		return s.signature(fn, depth)
	}
	segs, ok := source.PathOf(text)
	if !ok {
		return nil
	}
	if len(segs) <= 2 {
		t, ok := s.params[segs[0]]
		if segs[0] == "Self" && s.self != nil {
			t, ok = s.self, true
		}
		switch {
		case ok && len(segs) == 1:
			return t
		case ok && !strings.Contains(text, "<"):
			for _, list := range s.where[segs[0]] {
				for _, b := range s.boundsOf(list, depth+1) {
					if b = b.declaring(s, segs[1], 0); b != nil {
						if v := t.resolved(); v != nil && v.number && b.isStandard("SliceIndex") {
							s.p.unify(v, s.primitive("usize"), 0)
						}
						return t.project(s, b, segs[1], depth+1)
					}
				}
			}
			var trait *Type
			if segs[0] == "Self" && s.trait != nil {
				trait = s.trait.declaring(s, segs[1], 0)
			}
			return t.project(s, trait, segs[1], depth+1)
		case segs[0] == "Self" && s.self == nil && len(segs) == 1:
			return nil
		}
	}
	d := s.m.krate.resolve(s.m, segs, types)
	if d != nil && d.kind == source.Module && len(segs) == 1 && primitives[segs[0]] {
		d = s.p.w.primitives[segs[0]] // the name refers to the primitive type even if a module with that name is in scope
	}
	if d == nil || d.isAlternative() {
		return nil
	}
	t := s.apply(d, typeArgs(text), depth)
	if t != nil && t.def == d && d.item != nil {
		if generics := d.item.Generics.Text(d.unit.Text); strings.Contains(generics, "=") {
			t.addDefaults(s, generics, depth)
		}
	}
	return t
}

// constant returns the argument of a type that is an integer, such as 8 in Buffer<8>.
func (p *Program) constant(text string) *Type {
	digits, negative := strings.CutPrefix(text, "-")
	n, ok := number(strings.TrimSpace(digits))
	if !ok {
		return newVariable()
	}
	value := strconv.FormatUint(n, 10) // 16, 0x10 and 16usize are the same argument
	if negative && n > 0 {
		value = "-" + value
	}
	d := p.constants[value]
	if d == nil {
		d = &def{kind: source.Const, name: value}
		p.constants[value] = d
	}
	return &Type{def: d}
}

// pathType returns the type at the beginning of the path of an expression, whose parameters are inferred if they have no
// arguments.
func (s *Scope) pathType(p *Path, n int) *Type {
	if n > 1 || s.params[p.Names[0]] == nil && p.Names[0] != "Self" {
		if d := s.m.krate.resolve(s.m, p.Names[:n], types); d != nil && (d.kind == source.Struct || d.kind == source.Enum || d.kind == source.Union) {
			return s.apply(d, source.Split(p.Args[n-1]), 0).fill()
		} else if d != nil && d.kind == source.TypeAlias && d.item != nil {
			return s.expand((&Type{def: d, args: s.types(p.Args[n-1])}).fill(), 0).fill()
		}
	}
	return s.typeOf(p.text(n), 0).fill()
}

// apply returns the type of a definition with the given arguments.
func (s *Scope) apply(d *def, args []string, depth int) *Type {
	if len(args) == 0 && d.isPlain() {
		return s.p.closed.plain(d)
	}
	t := &Type{def: d}
	for _, arg := range args {
		if !strings.HasPrefix(arg, "'") {
			t.args = append(t.args, s.typeOf(arg, depth+1))
		}
	}
	switch d.kind {
	case source.TypeAlias:
		if generics := d.item.Generics.Text(d.unit.Text); len(t.args) > 0 && strings.Contains(generics, "=") {
			t.addDefaults(s, generics, depth)
		}
		return s.expand(t, depth)
	case source.Struct, source.Enum, source.Union:
		return t
	case external:
		return t
	case primitive:
		if d.item == nil { // the library is unknown
			return nil
		}
		return t
	}
	return nil
}

// expand returns the type for which an alias with arguments is.
func (s *Scope) expand(t *Type, depth int) *Type {
	d := t.def
	inner := &Scope{p: s.p, m: d.mod, params: t.arguments(d, false)}
	text := d.item.Type.Text(d.unit.Text)
	if segs, ok := source.PathOf(text); ok && len(segs) == 1 && segs[0] == d.name { // an alias for a type in the prelude
		if other := s.p.w.preludeOf(d.name, types); other != nil && other != d {
			return inner.apply(other, typeArgs(text), depth+1)
		}
	}
	return inner.typeOf(text, depth+1)
}

// addDefaults adds the defaults of parameters that have no arguments.
func (t *Type) addDefaults(s *Scope, generics string, depth int) {
	defaults := map[string]string{}
	for _, p := range source.Split(generics) {
		name, value, _ := source.Cut(withoutAttributes(p), '=')
		name, _, _ = source.Cut(name, ':')
		if name = strings.TrimSpace(strings.TrimPrefix(name, "const ")); defaults[name] == "" {
			defaults[name] = value
		}
	}
	n := 0
	for _, name := range arguments(generics) {
		if strings.HasPrefix(name, "'") {
			continue
		}
		if n++; n <= len(t.args) {
			continue
		}
		if defaults[name] == "" {
			return
		}
		inner := &Scope{p: s.p, m: t.def.mod, params: t.arguments(t.def, false)}
		t.args = append(t.args, inner.typeOf(defaults[name], depth+1))
	}
}

// inBrackets returns the text within the brackets around a type.
func inBrackets(text string) (inner string, ok bool) {
	s := source.Scanner{Text: text}
	depth := 0
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		switch t.Byte {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[1:t.Start], s.Next().Kind == source.EOF
			}
		}
	}
	return "", false
}

// qualified splits a path such as <A as B>::C.
func qualified(text string) (self, rest string, ok bool) {
	s := source.Scanner{Text: text}
	depth := 0
	var before source.Token
	for t := s.Next(); t.Kind != source.EOF; before, t = t, s.Next() {
		switch {
		case t.Byte == '<':
			depth++
		case t.Byte == '>' && before.Byte != '-' && before.Byte != '=':
			if depth--; depth == 0 {
				return text[1:t.Start], strings.TrimSpace(text[t.End:]), true
			}
		}
	}
	return "", "", false
}

// functionText returns the part of a type such as for<'a> fn(&'a A) -> B that begins with the parameters.
func functionText(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "for<"); ok {
		_, rest, _ = strings.Cut(rest, ">")
		text = strings.TrimSpace(rest)
	}
	for _, word := range []string{"unsafe ", "extern "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			text = strings.TrimSpace(rest)
			if strings.HasPrefix(text, "\"") {
				_, text, _ = strings.Cut(text[1:], "\"")
				text = strings.TrimSpace(text)
			}
		}
	}
	rest, ok := strings.CutPrefix(text, "fn")
	rest = strings.TrimSpace(rest)
	return rest, ok && strings.HasPrefix(rest, "(")
}

// signature returns the type of a function with the given parameters and result, as in (A, B) -> C.
func (s *Scope) signature(text string, depth int) *Type {
	end := closing(text)
	if end < 0 {
		return nil
	}
	t := &Type{function: true}
	for _, p := range source.Split(text[1:end]) {
		t.inexact = t.inexact || strings.HasSuffix(p, "...")
		if name, typ, ok := source.Cut(p, ':'); ok && source.IsName(strings.TrimSpace(name)) && !strings.HasPrefix(typ, ":") {
			p = typ
		}
		t.params = append(t.params, s.typeOf(p, depth+1))
	}
	if result, ok := strings.CutPrefix(strings.TrimSpace(text[end+1:]), "->"); ok {
		t.result = s.typeOf(result, depth+1)
	}
	return t
}

// closing returns the offset of the bracket that closes the first one, or -1.
func closing(text string) int {
	s := source.Scanner{Text: text}
	depth := 0
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		switch t.Byte {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return t.Start
			}
		}
	}
	return -1
}

// bounded returns the type that is only known by its traits.
func (s *Scope) bounded(bounds string, depth int) *Type {
	t := &Type{bounds: s.boundsOf(bounds, depth), dynamic: true}
	if len(t.bounds) == 0 {
		return nil
	}
	return t
}

// boundsOf returns the traits in bounds such as A + B<C = D>. A trait that is unknown has no definition.
func (s *Scope) boundsOf(text string, depth int) (all []*Type) {
	for _, bound := range splitBounds(text) {
		bound = strings.TrimSpace(bound)
		for strings.HasPrefix(bound, "(") && strings.HasSuffix(bound, ")") {
			bound = strings.TrimSpace(bound[1 : len(bound)-1])
		}
		if rest, ok := strings.CutPrefix(bound, "for<"); ok {
			_, bound, _ = strings.Cut(rest, ">")
			bound = strings.TrimSpace(bound)
		}
		if bound == "" || bound[0] == '\'' || bound[0] == '?' || strings.HasPrefix(bound, "use<") || depth > maxTypeDepth {
			continue
		}
		b := &Type{}
		all = append(all, b)
		segs, ok := source.PathOf(bound)
		if !ok {
			continue
		}
		if d := s.m.krate.resolve(s.m, segs, types); d != nil && d.kind == source.Trait {
			b.def = d
		}
		if i := strings.IndexByte(bound, '('); i > 0 && (strings.IndexByte(bound, '<') < 0 || strings.IndexByte(bound, '<') > i) {
			if fn := s.signature(bound[i:], depth+1); fn != nil {
				b.function, b.params, b.result = true, fn.params, fn.result
			}
			continue
		}
		for _, arg := range typeArgs(bound) {
			if strings.HasPrefix(arg, "'") {
				continue
			}
			if name, value, ok := source.Cut(arg, '='); ok {
				if b.assoc == nil {
					b.assoc = map[string]*Type{}
				}
				b.assoc[strings.TrimSpace(name)] = s.typeOf(value, depth+1)
				continue
			}
			if name, value, ok := source.Cut(arg, ':'); ok && source.IsName(strings.TrimSpace(name)) && !strings.HasPrefix(value, ":") {
				if b.assoc == nil {
					b.assoc = map[string]*Type{}
				}
				item := s.bounded(value, depth+1)
				if item != nil {
					item.constrained = true
				}
				b.assoc[strings.TrimSpace(name)] = item
				continue
			}
			b.args = append(b.args, s.typeOf(arg, depth+1))
		}
	}
	return all
}
