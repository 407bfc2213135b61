package apidoc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// In languages that write a value's type after a colon, a path can lead
// through values: "axios.get" is declared as AxiosStatic.get, and axios as
// "const axios: AxiosStatic".

// maxSteps bounds the types that one path may lead through.
const maxSteps = 32

// same reports whether two names are equal.
func same(a, b string) bool { return a == b }

// defaults returns the symbols that an import of the whole package binds.
func (p *Package) defaults() []*Symbol {
	var found []*Symbol
	for i := range p.Symbols {
		if s := &p.Symbols[i]; s.Path == "default" || s.Path == "export=" {
			found = append(found, s)
		}
	}
	return found
}

// reach follows a path by members and types, beginning with its longest prefix
// that is a symbol, or else with the default export. It returns nil if the path
// leads nowhere.
func (p *Package) reach(spellings []string, equal func(a, b string) bool) *Symbol {
	if !p.Style.FollowTypes {
		return nil
	}
	for _, s := range p.defaults() {
		if slices.ContainsFunc(p.names(), func(name string) bool { return equal(name, spellings[0]) }) {
			return s
		}
	}
	w := walker{pkg: p, equal: equal, steps: maxSteps}
	for _, spelling := range spellings {
		names := p.components(spelling)
		if len(names) > maxSteps {
			return nil
		}
		for n := len(names) - 1; n > 0; n-- {
			if s := p.At(p.join(names[:n]...)); s != nil {
				if found := w.follow(s, names[n:]); found != nil {
					return found
				}
			}
		}
	}
	for _, spelling := range slices.Backward(spellings) {
		for _, s := range p.defaults() {
			if found := w.follow(s, p.components(spelling)); found != nil {
				return found
			}
		}
	}
	return nil
}

// walker follows one path.
type walker struct {
	pkg   *Package
	equal func(a, b string) bool
	steps int // steps left before the search gives up
}

// follow returns the symbol reached from s by names, nil if there is none.
func (w *walker) follow(s *Symbol, names []string) *Symbol {
	for _, name := range names {
		if s = w.step(s, name); s == nil {
			return nil
		}
	}
	return s
}

// step returns the member of a symbol or of its type. It returns nil if there is
// none.
func (w *walker) step(s *Symbol, name string) *Symbol {
	members := s.AllMembers()
	for i := range members {
		if m := &members[i]; w.equal(m.Name(), name) {
			return m
		}
	}
	if m := w.pkg.At(w.pkg.join(s.Path, name)); m != nil {
		return m
	}
	for _, t := range w.pkg.TypesOf(s) {
		if w.steps--; w.steps < 0 {
			return nil
		}
		if m := w.step(t, name); m != nil {
			return m
		}
	}
	return nil
}

// only returns the symbol with the last name of a path, if there is only one. The
// rest of the path must look like a variable of the user ("app.listen") rather
// than a symbol of the package. Inherited members with the same declaration count
// as one.
func (p *Package) only(path string) *Symbol {
	names := p.components(path)
	last, _ := CutLabels(names[len(names)-1])
	if first, _ := utf8.DecodeRuneInString(path); len(names) > 2 || len(names) == 2 && (unicode.IsUpper(first) || p.At(names[0]) != nil) {
		return nil
	}
	var found *Symbol
	for s := range p.everywhere {
		name, _ := CutLabels(s.Name())
		switch {
		case name != last:
		case found == nil:
			found = s
		case found.File == "" || s.File != found.File || s.Line != found.Line:
			return nil
		case s.From == "" && found.From != "" || (s.From == "") == (found.From == "") && len(s.Path) < len(found.Path):
			found = s
		}
	}
	return found
}

// Name returns the last component of the symbol's path. A component in brackets
// may contain dots: "[Symbol.iterator]".
func (s *Symbol) Name() string {
	return s.Path[nameStart(s.Path):]
}

func nameStart(path string) int {
	if base, labels := CutLabels(path); labels != "" {
		if i := operatorStart(base); i >= 0 {
			return i
		}
		path = base
	}
	if strings.HasSuffix(path, "]") {
		if i := strings.Index(path, ".["); i >= 0 {
			return i + 1
		}
		if path[0] == '[' {
			return 0
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case '.', ':', '#', '/':
			return i + 1
		}
	}
	return 0
}

// ParentPath returns the path of the symbol's parent, "" if it is not a member.
func (s *Symbol) ParentPath() string {
	return strings.TrimRight(s.Path[:nameStart(s.Path)], ".:#/")
}

// components splits a path at its separators outside of brackets.
func (p *Package) components(path string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth <= 0 && i >= start && strings.HasPrefix(path[i:], p.Separator()) {
				parts = append(parts, path[start:i])
				start = i + len(p.Separator())
			}
		}
	}
	return append(parts, path[start:])
}

// TypesOf returns the package's types of a value, or the types that a function
// returns or a type alias names: AxiosStatic for "const axios: AxiosStatic". It
// returns none for a symbol that has members itself, such as a class.
func (p *Package) TypesOf(s *Symbol) []*Symbol {
	var found []*Symbol
	for line := range strings.Lines(s.Signature) {
		for _, name := range typeNames(declaredType(strings.TrimSpace(line))) {
			for i := range s.Refs {
				if s.Refs[i].Name == name {
					if s.Refs[i].Package != "" {
						name = "" // a type of another package
					} else {
						name = s.Refs[i].Path
					}
					break
				}
			}
			t := p.typeAt(name)
			if t == nil || p.IsInternal(t) {
				if v := p.valueOf(name); v != nil {
					t = v
				}
			}
			if t != nil && t != s && !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
	}
	return found
}

// typeAt returns a type by its name, which may be qualified by a namespace or by
// an import that the package does not export. It returns nil if there is none.
func (p *Package) typeAt(name string) *Symbol {
	for {
		if s := p.At(name); s != nil {
			return s
		}
		_, rest, ok := strings.Cut(name, ".")
		if !ok {
			return nil
		}
		name = rest
	}
}

// valueOf returns the value that is documented with the members of an unexported
// type. It returns nil if there is none.
func (p *Package) valueOf(name string) *Symbol {
	for i := range p.Symbols {
		s := &p.Symbols[i]
		switch s.Kind {
		case Const, Var, "let":
			if members := s.AllMembers(); len(members) > 0 && members[0].From != "" && strings.Contains(s.Signature, ": "+name) &&
				slices.ContainsFunc(members, func(m Symbol) bool { return m.From == name }) {
				return s
			}
		}
	}
	return nil
}

// DeclaredName returns the name in a symbol's declaration if it differs from
// the name in its path: "axios" for "const axios: AxiosStatic" at default. It
// is empty if the declaration has no name.
func (s *Symbol) DeclaredName() string {
	line, _, _ := strings.Cut(s.Signature, "\n")
	words := strings.Fields(line[:min(len(line), 300)])
	for i, w := range words[:max(0, len(words)-1)] {
		switch w {
		case "const", "let", "var", "function", "class", "interface", "type", "enum", "namespace":
			name := words[i+1]
			end := strings.IndexFunc(name, func(r rune) bool {
				return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
			if end >= 0 {
				name = name[:end]
			}
			return name
		case "declare", "abstract", "export", "default", "async":
		default:
			return ""
		}
	}
	return ""
}

// declaredType returns the type after the colon of a value or function, or after
// the equals sign of a type alias. For a function type, it returns the result
// type. It returns "" if the declaration has no type.
func declaredType(line string) string {
	for _, word := range []string{"class ", "abstract class ", "interface ", "enum ", "namespace "} {
		if strings.HasPrefix(line, word) {
			return ""
		}
	}
	marks := ":"
	if strings.HasPrefix(line, "type ") {
		marks = "="
	}
	index := outside(line, marks)
	if index < 0 {
		return ""
	}
	t := strings.TrimSpace(line[index+1:])
	for range maxSteps {
		if arrow := outside(t, ">"); arrow >= 0 {
			t = strings.TrimSpace(t[arrow+1:])
			continue
		}
		if !strings.HasPrefix(t, "(") || !strings.HasSuffix(t, ")") {
			break
		}
		t = strings.TrimSpace(t[1 : len(t)-1])
	}
	return t
}

// typeNames returns the names at the beginning of a type, or those of all parts
// of a union or intersection.
func typeNames(t string) []string {
	var names []string
	for t != "" && len(names) < maxSteps {
		part := t
		if index := outside(t, "&|"); index >= 0 {
			part, t = t[:index], t[index+1:]
		} else {
			t = ""
		}
		part = strings.TrimSpace(part)
		for _, word := range []string{"readonly ", "typeof ", "asserts "} {
			part = strings.TrimPrefix(part, word)
		}
		if strings.HasPrefix(part, "import(") {
			_, part, _ = strings.Cut(part, ").")
		}
		end := strings.IndexFunc(part, func(r rune) bool {
			return r != '_' && r != '$' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if end < 0 {
			end = len(part)
		} else if strings.HasPrefix(part[end:], "[") {
			continue // an array or an indexed type has members of another kind
		}
		if name := strings.Trim(part[:end], "."); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// outside returns the index of the first of the marks outside of brackets and
// strings, -1 if there is none. The mark ">" means an arrow.
func outside(s, marks string) int {
	depth := 0
	quote := byte(0)
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '>' && i > 0 && s[i-1] == '=':
			if depth == 0 && marks == ">" {
				return i
			}
		case c == '=' && depth == 0 && marks == "=":
			return i
		case depth == 0 && c != '>' && c != '=' && strings.IndexByte(marks, c) >= 0:
			return i
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '}' || c == '>':
			depth--
		}
	}
	return -1
}
