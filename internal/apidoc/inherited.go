package apidoc

import (
	"slices"
	"strings"
	"sync"
)

// A type can inherit more members than it declares. Of the 30,000 symbols of the Swift module
// SwiftSyntax, 24,000 are inherited. A package that was stored therefore has them as records, and
// AllMembers makes the members of one type from them. Types that inherit the same member share its
// record, because their copies differ only in the parent's path.

// Inherited are inherited members of one symbol.
type Inherited struct {
	// Records are members of all symbols of the package. Their paths begin after the path of the
	// symbol that inherits them.
	Records []Symbol
	// Numbers are the indices of the records that the symbol has.
	Numbers []uint32

	parent string
	count  int // the number of all members
	once   sync.Once
	// all has room for the members in Numbers, so that the address of each symbol does not change.
	all []Symbol
}

// Inherited returns the inherited members that s has as records, or nil.
func (s *Symbol) Inherited() *Inherited { return s.inherited }

// SetInherited replaces all members by the given ones, followed by inherited ones, for which
// members must have room.
func (s *Symbol) SetInherited(members []Symbol, x *Inherited) {
	s.Members, s.inherited = slices.Clip(members), x
	x.parent, x.all, x.count = s.Path, members, len(members)+len(x.Numbers)
}

// AllMembers returns all members of s, including inherited ones. The result must not
// be changed. It is safe for concurrent use.
func (s *Symbol) AllMembers() []Symbol {
	if s.inherited == nil {
		return s.Members
	}
	s.inherited.once.Do(s.inherited.makeAll)
	return s.inherited.all
}

// NumMembers returns the length of AllMembers.
func (s *Symbol) NumMembers() int {
	if s.inherited == nil {
		return len(s.Members)
	}
	return s.inherited.count
}

// SetMembers replaces all members.
func (s *Symbol) SetMembers(members []Symbol) { s.Members, s.inherited = members, nil }

func (x *Inherited) makeAll() {
	size := 0
	for _, n := range x.Numbers {
		size += len(x.parent) + len(x.Records[n].Path)
	}
	var paths strings.Builder
	paths.Grow(size)
	for _, n := range x.Numbers {
		s := x.Records[n]
		start := paths.Len()
		paths.WriteString(x.parent)
		paths.WriteString(s.Path)
		s.Path = paths.String()[start:]
		x.all = append(x.all, s)
	}
}

// Count returns the number of symbols that All yields.
func (p *Package) Count() int {
	n := 0
	for s := range p.Declared {
		n++
		if s.inherited != nil {
			n += s.NumMembers() - len(s.Members)
		}
	}
	return n
}

// Declared yields the symbols of the package. It is faster than All, but may skip inherited members
// that have no members themselves and are not types.
func (p *Package) Declared(yield func(*Symbol) bool) { WalkDeclared(p.Symbols, yield) }

// WalkDeclared yields symbols and their members as [Package.Declared] does. It returns false if yield
// did.
func WalkDeclared(symbols []Symbol, yield func(*Symbol) bool) bool {
	for i := range symbols {
		if !yield(&symbols[i]) || !WalkDeclared(symbols[i].Members, yield) {
			return false
		}
	}
	return true
}
