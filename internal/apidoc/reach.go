package apidoc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// In languages that write a value's type after a colon, a path can lead through values. For
// example, "axios.get" is declared as AxiosStatic.get, and axios as "const axios: AxiosStatic".

// maxSteps is the maximum number of types that one path may lead through.
const maxSteps = 32

// same reports whether two names are equal.
func same(a, b string) bool { return a == b }

// Defaults returns the symbols that an import of the whole package binds.
func (p *Package) Defaults() []*Symbol {
	if len(p.Style.Defaults) == 0 {
		return nil
	}
	var found []*Symbol
	for i := range p.Symbols {
		if s := &p.Symbols[i]; p.IsDefault(s.Path) {
			found = append(found, s)
		}
	}
	return found
}

// IsDefault reports whether the symbol at a path is one that an import of the whole package binds.
func (p *Package) IsDefault(path string) bool {
	return slices.ContainsFunc(p.Style.Defaults, func(d Default) bool { return d.Path == path })
}

// reach follows a path through members and types, beginning with its longest prefix that is a
// symbol, or else with the default export. It returns nil if the path does not lead to a symbol.
func (p *Package) reach(spellings []string, equal func(a, b string) bool) *Symbol {
	if !p.Style.FollowTypes {
		return nil
	}
	defaults := p.Defaults()
	if len(defaults) > 0 && slices.ContainsFunc(p.names(), func(name string) bool { return equal(name, spellings[0]) }) {
		return defaults[0]
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
		for _, s := range p.Defaults() {
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
	steps int // number of steps before the search gives up
}

// follow returns the symbol that is reached from s by names, or nil if there is none.
func (w *walker) follow(s *Symbol, names []string) *Symbol {
	for _, name := range names {
		if s = w.step(s, name); s == nil {
			return nil
		}
	}
	return s
}

// step returns the member with that name of a symbol or of its type, or nil if there is none.
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

// only returns the symbol with the last name of a path, if there is exactly one. The rest of the
// path must look like a variable of the user ("app.listen") rather than a symbol of the package.
// Inherited members with the same declaration count as one.
func (p *Package) only(path string) *Symbol {
	names := p.components(path)
	last, _ := CutLabels(names[len(names)-1])
	if first, _ := utf8.DecodeRuneInString(path); len(names) > 2 || len(names) == 2 && (unicode.IsUpper(first) || p.At(names[0]) != nil) {
		return nil
	}
	var found *Symbol
	for s := range p.Everywhere {
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

// ParentPath returns the path of the symbol's parent, or "" if it is not a member.
func (s *Symbol) ParentPath() string {
	return strings.TrimRight(s.Path[:nameStart(s.Path)], ".:#/")
}

// components splits a path at separators that are not within brackets.
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

// TypesOf returns the package's types of a value, or the types that a function returns or that a
// type alias refers to: AxiosStatic for "const axios: AxiosStatic". It returns none for a symbol
// that itself has members, such as a class.
func (p *Package) TypesOf(s *Symbol) []*Symbol {
	if !p.Style.FollowTypes {
		return nil
	}
	var found []*Symbol
	d := p.Decl(s)
	for i := range d.References(-1) {
		if d.Parts[i].Flags&(Outer|Self) == Outer|Self {
			if t := p.At(s.ParentPath()); t != nil && !slices.Contains(found, t) {
				found = append(found, t)
			}
			continue
		}
		if d.Parts[i].Flags&(Outer|Local) != Outer || len(found) == maxSteps {
			continue
		}
		name := d.PartText(i)
		if ref, ok, _ := among(s.Refs, name, p.Separator()); ok {
			name = ref.Path
			if ref.Package != "" {
				name = "" // a type of another package
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
	return found
}

// typeAt returns a type by its name, which may be qualified by a namespace or by an import that the
// package does not export. It returns nil if there is none.
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
		if s.Role() != ValueRole {
			continue
		}
		members := s.AllMembers()
		if len(members) == 0 || members[0].From == "" || !slices.ContainsFunc(members, func(m Symbol) bool { return m.From == name }) {
			continue
		}
		d := p.Decl(s)
		for i := range d.References(-1) {
			if d.Parts[i].Flags&Outer != 0 && d.PartText(i) == name {
				return s
			}
		}
	}
	return nil
}

// DeclaredName returns the name in a symbol's declaration, which can differ from the name in its
// path: "axios" for "const axios: AxiosStatic" at default. It is empty if the declaration does not
// contain a name.
func (p *Package) DeclaredName(s *Symbol) string {
	d := p.Decl(s)
	return d.ChildText(d.Child(-1, DeclarationPart), NamePart)
}
