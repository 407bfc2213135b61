package apidoc

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// A type can inherit more members than it declares. Of the 30,000 symbols of the Swift module
// SwiftSyntax, 24,000 are inherited. A decoded Package keeps inherited members in encoded form, and
// AllMembers decodes the members of one type. Types that inherit the same member share its record,
// because their copies differ only in the parent's path.

// inherited contains the encoded members of one symbol.
type inherited struct {
	parent  string // path of the symbol that inherits the members
	records []Symbol
	numbers string // the numbers of the records, encoded
	count   int    // the number of all members
	once    sync.Once
	// all contains the decoded members. Its capacity includes all members that follow, so that the
	// address of each symbol does not change.
	all []Symbol
}

// AllMembers returns all members of s, including inherited ones. The result must not
// be changed. It is safe for concurrent use.
func (s *Symbol) AllMembers() []Symbol {
	if s.inherited == nil {
		return s.Members
	}
	s.inherited.once.Do(s.inherited.decode)
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

func (x *inherited) decode() {
	size := 0
	for n := range x.each {
		size += len(x.parent) + len(n.Path)
	}
	var paths strings.Builder
	paths.Grow(size)
	for r := range x.each {
		start := paths.Len()
		paths.WriteString(x.parent)
		paths.WriteString(r.Path)
		s := *r
		s.Path = paths.String()[start:]
		x.all = append(x.all, s)
	}
}

// each yields the records of the members.
func (x *inherited) each(yield func(*Symbol) bool) {
	c := coder{in: x.numbers}
	for c.pos < len(c.in) && yield(&x.records[c.uint()]) {
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
func (p *Package) Declared(yield func(*Symbol) bool) { declared(p.Symbols, yield) }

func declared(symbols []Symbol, yield func(*Symbol) bool) bool {
	for i := range symbols {
		if !yield(&symbols[i]) || !declared(symbols[i].Members, yield) {
			return false
		}
	}
	return true
}

// Whole returns p with all members in Symbol.Members.
func (p *Package) Whole() *Package {
	out := *p
	out.Symbols, out.Elsewhere, out.Internal = whole(p.Symbols), whole(p.Elsewhere), whole(p.Internal)
	return &out
}

// Whole returns s with all members in Symbol.Members.
func (s *Symbol) Whole() *Symbol { return &whole([]Symbol{*s})[0] }

func whole(symbols []Symbol) []Symbol {
	out := slices.Clone(symbols)
	for i := range out {
		out[i].SetMembers(whole(out[i].AllMembers()))
	}
	return out
}

// maxInherited is the maximum number of inherited members that a package keeps in encoded form.
const maxInherited = 1 << 20

// isCopy reports whether a member of parent can be decoded later, because searches for types or
// nested symbols do not have to visit it.
func isCopy(m, parent *Symbol) bool {
	switch m.Role() {
	case CallableRole, ConstructorRole, FieldRole, EnumValueRole:
		return m.From != "" && m.Members == nil && m.inherited == nil && strings.HasPrefix(m.Path, parent.Path)
	}
	return false
}

// members encodes or decodes the members of a symbol: the number of inherited members in encoded
// form, the numbers of their records, and then the other members.
func (c *coder) members(s *Symbol) {
	if c.decoding {
		c.decodeMembers(s)
		return
	}
	all := s.AllMembers()
	n := len(all)
	for n > 0 && isCopy(&all[n-1], s) && c.copies < maxInherited {
		n--
		c.copies++
	}
	c.out = binary.AppendUvarint(c.out, uint64(len(all)-n))
	if n < len(all) {
		var numbers []byte
		for i := range all[n:] {
			numbers = binary.AppendUvarint(numbers, c.recordOf(&all[n+i], s))
		}
		c.out = binary.AppendUvarint(c.out, uint64(len(numbers)))
		c.out = append(c.out, numbers...)
	}
	direct := all[:n]
	list(c, &direct, nil, c.symbol)
}

// recordOf returns the number of the record of a copy.
func (c *coder) recordOf(m, parent *Symbol) uint64 {
	out, examples := c.out, c.examples
	c.out = c.record[:0]
	c.line = m.Line
	suffix := m.Path[len(parent.Path):]
	c.text(&suffix)
	c.declaration(m)
	c.record, c.out = c.out, out
	n, ok := c.recordNumbers[string(c.record)]
	if ok {
		c.examples = examples
	} else {
		n = uint64(len(c.recordNumbers))
		if c.recordNumbers == nil {
			c.recordNumbers = map[string]uint64{}
		}
		c.recordNumbers[string(c.record)] = n
		c.records = append(c.records, c.record...)
	}
	return n
}

func (c *coder) decodeMembers(s *Symbol) {
	copies := c.uint()
	if c.failed || copies > uint64(c.copies) {
		c.failed = true
		return
	}
	var x *inherited
	if copies > 0 {
		size := c.uint()
		if c.failed || size > uint64(len(c.in)-c.pos) {
			c.failed = true
			return
		}
		x = &inherited{parent: s.Path, numbers: c.in[c.pos : c.pos+int(size)]}
		c.pos += int(size)
		c.copies -= int(copies)
		c.held = append(c.held, x)
	}
	n := c.uint()
	switch {
	case c.failed:
		return
	case n > 0:
		n--
	case x == nil:
		return // nil stays nil
	}
	if n > uint64(len(c.allSymbols)) || copies > uint64(len(c.allSymbols))-n {
		c.failed = true
		return
	}
	s.Members = c.allSymbols[:n:n]
	if x != nil {
		x.all, x.count = c.allSymbols[:n:n+copies], int(n+copies)
		s.inherited = x
	}
	c.allSymbols = c.allSymbols[n+copies:]
	for i := range s.Members {
		if c.symbol(&s.Members[i]); c.failed {
			return
		}
	}
}

// decodeRecords decodes the records, which are at the end of a package, and checks
// the record numbers that were read before.
func (c *coder) decodeRecords() {
	records := make([]Symbol, c.count(minRecord))
	for i := range records {
		c.text(&records[i].Path)
		if c.declaration(&records[i]); c.failed {
			return
		}
	}
	for _, x := range c.held {
		n := 0
		for numbers := (&coder{in: x.numbers}); numbers.pos < len(numbers.in); n++ {
			if r := numbers.uint(); numbers.failed || r >= uint64(len(records)) {
				c.failed = true
				return
			}
		}
		if n != x.count-len(x.all) {
			c.failed = true
			return
		}
		x.records = records
	}
}
