package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// In languages that write a value's type after a colon, a path can lead through values. For
// example, "axios.get" is declared as AxiosStatic.get, and axios as "const axios: AxiosStatic".

// maxSteps is the maximum number of types that one path may lead through.
const maxSteps = 32

// same reports whether two names are equal.
func same(a, b string) bool { return a == b }

// reach follows a path through members and types, beginning with its longest prefix that is a
// symbol, or else with the default export. It returns nil if the path does not lead to a symbol.
func reach(p *apidoc.Package, spellings []string, equal func(a, b string) bool) *apidoc.Symbol {
	if !p.Style.FollowTypes {
		return nil
	}
	defaults := p.Defaults()
	if len(defaults) > 0 && slices.ContainsFunc(names(p), func(name string) bool { return equal(name, spellings[0]) }) {
		return defaults[0]
	}
	w := walker{pkg: p, equal: equal, steps: maxSteps}
	for _, spelling := range spellings {
		names := p.Components(spelling)
		if len(names) > maxSteps {
			return nil
		}
		for n := len(names) - 1; n > 0; n-- {
			if s := p.At(p.Join(names[:n]...)); s != nil {
				if found := w.follow(s, names[n:]); found != nil {
					return found
				}
			}
		}
	}
	for _, spelling := range slices.Backward(spellings) {
		for _, s := range p.Defaults() {
			if found := w.follow(s, p.Components(spelling)); found != nil {
				return found
			}
		}
	}
	return nil
}

// walker follows one path.
type walker struct {
	pkg   *apidoc.Package
	equal func(a, b string) bool
	steps int // number of steps before the search gives up
}

// follow returns the symbol that is reached from s by names, or nil if there is none.
func (w *walker) follow(s *apidoc.Symbol, names []string) *apidoc.Symbol {
	for _, name := range names {
		if s = w.step(s, name); s == nil {
			return nil
		}
	}
	return s
}

// step returns the member with that name of a symbol or of its type, or nil if there is none.
func (w *walker) step(s *apidoc.Symbol, name string) *apidoc.Symbol {
	members := s.AllMembers()
	for i := range members {
		if m := &members[i]; w.equal(m.Name(), name) {
			return m
		}
	}
	if m := w.pkg.At(w.pkg.Join(s.Path, name)); m != nil {
		return m
	}
	for _, t := range TypesOf(w.pkg, s) {
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
func only(p *apidoc.Package, path string) *apidoc.Symbol {
	names := p.Components(path)
	last, _ := apidoc.CutLabels(names[len(names)-1])
	if first, _ := utf8.DecodeRuneInString(path); len(names) > 2 || len(names) == 2 && (unicode.IsUpper(first) || p.At(names[0]) != nil) {
		return nil
	}
	var found *apidoc.Symbol
	for s := range p.Everywhere {
		name, _ := apidoc.CutLabels(s.Name())
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

// TypesOf returns the package's types of a value, or the types that a function returns or that a
// type alias refers to: AxiosStatic for "const axios: AxiosStatic". It returns none for a symbol
// that itself has members, such as a class.
func TypesOf(p *apidoc.Package, s *apidoc.Symbol) []*apidoc.Symbol {
	if !p.Style.FollowTypes {
		return nil
	}
	var found []*apidoc.Symbol
	d := p.Decl(s)
	for i := range d.References(-1) {
		if d.Parts[i].Flags&(apidoc.Outer|apidoc.Self) == apidoc.Outer|apidoc.Self {
			if t := p.At(s.ParentPath()); t != nil && !slices.Contains(found, t) {
				found = append(found, t)
			}
			continue
		}
		if d.Parts[i].Flags&(apidoc.Outer|apidoc.Local) != apidoc.Outer || len(found) == maxSteps {
			continue
		}
		name := d.PartText(i)
		if ref, ok, _ := among(s.Refs, name, p.Separator()); ok {
			name = ref.Path
			if ref.Package != "" {
				name = "" // a type of another package
			}
		}
		t := typeAt(p, name)
		if t == nil || p.IsInternal(t) {
			if v := valueOf(p, name); v != nil {
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
func typeAt(p *apidoc.Package, name string) *apidoc.Symbol {
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
func valueOf(p *apidoc.Package, name string) *apidoc.Symbol {
	for i := range p.Symbols {
		s := &p.Symbols[i]
		if s.Role() != apidoc.ValueRole {
			continue
		}
		members := s.AllMembers()
		if len(members) == 0 || members[0].From == "" || !slices.ContainsFunc(members, func(m apidoc.Symbol) bool { return m.From == name }) {
			continue
		}
		d := p.Decl(s)
		for i := range d.References(-1) {
			if d.Parts[i].Flags&apidoc.Outer != 0 && d.PartText(i) == name {
				return s
			}
		}
	}
	return nil
}
