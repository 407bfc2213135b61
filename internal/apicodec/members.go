package apicodec

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxInherited is the maximum number of inherited members that a package keeps as records.
const maxInherited = 1 << 20

// isCopy reports whether a member of parent can be a record, because searches for types or
// nested symbols do not have to visit it.
func isCopy(m, parent *apidoc.Symbol) bool {
	switch m.Role() {
	case apidoc.CallableRole, apidoc.ConstructorRole, apidoc.FieldRole, apidoc.EnumValueRole:
		return m.From != "" && m.Members == nil && m.NumMembers() == 0 && strings.HasPrefix(m.Path, parent.Path)
	}
	return false
}

// members encodes or decodes the members of a symbol: the number of inherited members that are
// records, the numbers of these, and then the other members.
func (c *coder) members(s *apidoc.Symbol) {
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
func (c *coder) recordOf(m, parent *apidoc.Symbol) uint64 {
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

func (c *coder) decodeMembers(s *apidoc.Symbol) {
	copies := c.uint()
	if c.failed || copies > uint64(c.copies) {
		c.failed = true
		return
	}
	var x *apidoc.Inherited
	if copies > 0 {
		x = &apidoc.Inherited{Numbers: c.recordNumbersOf(int(copies))}
		c.copies -= int(copies)
		c.inherited = append(c.inherited, x)
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
		s.SetInherited(c.allSymbols[:n:n+copies], x)
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
	records := make([]apidoc.Symbol, c.count(minRecord))
	for i := range records {
		c.text(&records[i].Path)
		if c.declaration(&records[i]); c.failed {
			return
		}
	}
	for _, x := range c.inherited {
		if slices.ContainsFunc(x.Numbers, func(n uint32) bool { return int(n) >= len(records) }) {
			c.failed = true
			return
		}
		x.Records = records
	}
}

// recordNumbersOf decodes the numbers of the records of a symbol.
func (c *coder) recordNumbersOf(n int) []uint32 {
	size := c.uint()
	if c.failed || size > uint64(len(c.in)-c.pos) || n > int(size) {
		c.failed = true
		return nil
	}
	end := c.pos + int(size)
	numbers := make([]uint32, n)
	for i := range numbers {
		number := c.uint()
		if number > maxInherited {
			c.failed = true
			return nil
		}
		numbers[i] = uint32(number)
	}
	c.failed = c.failed || c.pos != end
	return numbers
}
