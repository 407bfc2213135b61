package module

import (
	"slices"
	"strings"
	"sync"
)

// maxSteps is the maximum number of aliases, superclasses and protocols that are
// followed to resolve one name.
const maxSteps = 64

// knownToolchain returns the built-in list of the toolchain's own modules. The modules are never
// modified.
var knownToolchain = sync.OnceValue(newToolchain)

// typePath returns the names in the path of a type, such as Array and Index for
// "Array<Int>.Index", or Optional for "T?". It returns nil for types without a name,
// such as tuples.
func typePath(text string) []string {
	text = trimType(text)
	switch {
	case text == "":
		return nil
	case strings.HasSuffix(text, "?"), strings.HasSuffix(text, "!"):
		return []string{"Optional"}
	case text[0] == '[':
		if end := closingIndex(text, 0); end == len(text) && text[end-1] == ']' {
			if topLevel(text[1:end-1], ':') >= 0 {
				return []string{"Dictionary"}
			}
			return []string{"Array"}
		}
		return nil
	case text[0] == '(':
		return nil
	}
	var names []string
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
		if i == start {
			return nil
		}
		names = append(names, strings.Trim(text[start:i], "`"))
		i = skipSpace(text, i)
		if i < len(text) && text[i] == '<' {
			i = skipSpace(text, closingIndex(text, i))
		}
		if i == len(text) {
			break
		}
		if text[i] != '.' {
			return nil
		}
		i = skipSpace(text, i+1)
	}
	return names
}

func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

func isNameByte(c byte) bool {
	return c == '_' || c == '`' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// maxParentheses is the maximum number of redundant parentheses around a type that are removed.
const maxParentheses = 8

// trimType removes attributes and keywords before a type.
func trimType(text string) string {
	text = strings.TrimSpace(text)
	parentheses := 0
	for {
		switch {
		case strings.HasPrefix(text, "@"):
			i := 1
			for i < len(text) && (isNameByte(text[i]) || text[i] == '.') {
				i++
			}
			if i < len(text) && text[i] == '(' {
				i = closingIndex(text, i)
			}
			text = strings.TrimSpace(text[i:])
			continue
		case len(text) > 2 && text[0] == '(' && parentheses < maxParentheses && closingIndex(text, 0) == len(text) && topLevel(text[1:len(text)-1], ',') < 0 && topLevel(text[1:len(text)-1], ':') < 0:
			text = strings.TrimSpace(text[1 : len(text)-1])
			parentheses++
			continue
		}
		word, rest, ok := strings.Cut(text, " ")
		if !ok {
			return text
		}
		switch word {
		case "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "nonisolated", "unsafe", "each", "repeat", "_const":
			text = strings.TrimSpace(rest)
			continue
		}
		return text
	}
}

// closingIndex returns the index after the bracket that closes the bracket at i.
func closingIndex(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i > 0 && (text[i-1] == '-' || text[i-1] == '=') {
				continue
			}
			depth--
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// topLevel returns the index of the first byte c outside brackets, or -1 if there is
// none.
func topLevel(text string, c byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case c:
			return i
		case '(', '[', '{', '<':
			i = closingIndex(text, i) - 1
		}
	}
	return -1
}

// splitTop splits text at a byte outside brackets.
func splitTop(text string, c byte) []string {
	var parts []string
	for {
		i := topLevel(text, c)
		if i < 0 {
			return append(parts, strings.TrimSpace(text))
		}
		parts = append(parts, strings.TrimSpace(text[:i]))
		text = text[i+1:]
	}
}

// lookup finds a type by its path as written in a file, in the scope of a type. If
// external is true, it creates an entity for a type that is not in the package.
func (u *unit) lookup(path []string, scope *entity, f *file, external bool) *entity {
	if len(path) == 0 {
		return nil
	}
	if e := u.first(path, scope, f); e != nil {
		return e
	}
	if !external {
		return nil
	}
	if len(path) > 1 && f != nil && slices.Contains(f.imports, path[0]) {
		path = path[1:]
	}
	return u.w.outside(path)
}

// first finds a type by its path in the scope, the module, and the modules that
// it imports. It returns nil if there is none.
func (u *unit) first(path []string, scope *entity, f *file) *entity {
	for s, n := scope, 0; s != nil && n < maxSteps; s, n = s.parent, n+1 {
		if !u.w.meter.Step(1) || s.hasParameter(path[0]) {
			return nil
		}
		if path[0] == "Self" {
			if s.isType() {
				return s.descend(path[1:])
			}
			continue
		}
		if s.name == path[0] && s.isType() {
			return s.descend(path[1:])
		}
		if e := s.nestedType(path[0]); e != nil {
			return e.descend(path[1:])
		}
	}
	if e := u.types[path[0]]; e != nil {
		return e.descend(path[1:])
	}
	var names []string
	if f != nil {
		names = f.imports
	}
	for _, list := range [][]string{names, u.imports} {
		u.w.meter.Step(len(list) / 4)
		for _, name := range list {
			x := u.w.units[name]
			if x == nil || !x.loaded {
				continue
			}
			if e := x.typeAt(path); e != nil {
				return e
			}
		}
	}
	if x := u.w.units[path[0]]; x != nil {
		return x.typeAt(path[1:])
	}
	return nil
}

// typeAt returns the type at the given path in a module or in the modules that it re-exports.
// It returns nil if there is none.
func (u *unit) typeAt(path []string) *entity {
	if len(path) == 0 {
		return nil
	}
	first, rest := path[0], path[1:]
	for _, x := range u.shown() {
		if e := x.types[first]; e != nil {
			return e.descend(rest)
		}
	}
	return nil
}

// descend looks up the rest of a path inside a type. It returns nil if there is no type
// at that path.
func (e *entity) descend(path []string) *entity {
	for _, name := range path {
		if name == "Type" || name == "Protocol" {
			return nil
		}
		t := e.underlying()
		next := t.nestedType(name)
		if next == nil {
			if t.decl == nil {
				next = e.unitless(t, name)
				e = next
				continue
			}
			return nil
		}
		e = next
	}
	return e
}

// unitless returns the entity of a type that is nested in a type of another package.
func (e *entity) unitless(t *entity, name string) *entity {
	return &entity{name: name, path: t.path + "." + name, external: t.external, parent: t, world: t.world}
}

// outside returns an entity for a type of another package, or nil for an empty path.
func (w *world) outside(path []string) *entity {
	if len(path) == 0 {
		return nil
	}
	tools := knownToolchain()
	module := ""
	if len(path) > 1 && (w.platform.has(path[0]) || w.isModule(path[0])) {
		module, path = path[0], path[1:]
	}
	name := strings.Join(path, ".")
	if e := w.externals[name]; e != nil {
		return e
	}
	e := &entity{name: path[len(path)-1], path: name, external: module, copyable: true, world: w}
	known := tools.protocols[name]
	if known == nil {
		known = tools.types[name]
	}
	if known != nil {
		clone := *known
		e = &clone
		e.world = w
	} else if len(path) > 1 {
		if outer := tools.types[path[0]]; outer != nil {
			e.external = outer.external
		}
	}
	w.externals[name] = e
	return e
}

// isModule reports whether name is a module of another package that a target can
// import.
func (w *world) isModule(name string) bool {
	for i := range w.p.Targets {
		if slices.Contains(w.p.Targets[i].Dependencies, name) {
			return true
		}
	}
	return false
}
