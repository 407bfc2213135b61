package apidoc

import "strings"

// All calls yield for every symbol of the package in order, with parents before their members.
func (p *Package) All(yield func(*Symbol) bool) {
	walk(p.Symbols, yield)
}

// Everywhere calls yield for the symbols of the package, then the symbols of other platforms, and
// then the symbols that programs cannot import, with parents before their members.
func (p *Package) Everywhere(yield func(*Symbol) bool) {
	if walk(p.Symbols, yield) && walk(p.Elsewhere, yield) {
		walk(p.Internal, yield)
	}
}

func walk(symbols []Symbol, yield func(*Symbol) bool) bool {
	for i := range symbols {
		if !yield(&symbols[i]) || !walk(symbols[i].AllMembers(), yield) {
			return false
		}
	}
	return true
}

// At returns the symbol at exactly that path, or nil if there is none.
func (p *Package) At(path string) *Symbol {
	for _, symbols := range [][]Symbol{p.Symbols, p.Elsewhere, p.Internal} {
		if s := at(symbols, path); s != nil {
			return s
		}
	}
	return nil
}

func at(symbols []Symbol, path string) *Symbol {
	for i := range symbols {
		s := &symbols[i]
		if s.Path == path {
			return s
		}
		members := s.Members
		if s.inherited != nil && strings.HasPrefix(path, s.Path) {
			members = s.AllMembers()
		}
		if found := at(members, path); found != nil {
			return found
		}
	}
	return nil
}

// Namesakes returns the other symbols at the path of s, for example a static member with the same
// name as an instance member.
func (p *Package) Namesakes(s *Symbol) []*Symbol {
	var found []*Symbol
	for other := range p.Everywhere {
		if other.Path == s.Path && other.Signature != s.Signature {
			found = append(found, other)
		}
	}
	return found
}

// Importable calls yield for the symbols that programs can import: those of the package, and then
// those of other platforms.
func (p *Package) Importable(yield func(*Symbol) bool) {
	if walk(p.Symbols, yield) {
		walk(p.Elsewhere, yield)
	}
}

// IsInternal reports whether s is a type that users cannot import, or a member
// of one.
func (p *Package) IsInternal(s *Symbol) bool {
	found := false
	walk(p.Internal, func(x *Symbol) bool { found = x == s; return !found })
	return found
}
