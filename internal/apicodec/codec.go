// Package apicodec stores packages of package apidoc in a binary form.
package apicodec

import (
	"bufio"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A Package is stored in a binary form. It contains every string once, except paths of symbols,
// followed by the structs, which refer to strings by number. Because inherited members repeat their
// strings in every class, the form is much smaller than JSON. It is fast to read, because strings are
// parts of one string and do not have to be copied.
//
//	package = count of strings, length of each, their bytes,
//	          count of symbols, count of inherited members that are records,
//	          count of examples, fields of Package in order,
//	          count of records, the records
//
// Encoding and decoding use the same list of fields, so that they cannot
// differ.

var errDamaged = errors.New("it is not an encoded package, or it is damaged")

// maxNested is the maximum nesting of symbols.
const maxNested = 100

// Encoding is the binary form of a package. It shares its strings with the package.
type Encoding struct {
	head  []byte // the bytes before the strings
	texts []string
	rest  []byte
	size  int
}

// Encode returns the binary form of p. It fails if symbols are nested too
// deeply.
func Encode(p *apidoc.Package) (*Encoding, error) {
	n := len(p.Elsewhere) + len(p.Internal) + p.Count()
	// The capacity is an estimate. Most symbols have one text in addition to their path.
	c := coder{numbers: make(map[string]uint64, n), texts: make([]string, 1, 2*n+1), out: make([]byte, 0, 20*n)}
	c.pkg(p)
	if c.failed {
		return nil, errors.New("its symbols are nested too deeply to be stored")
	}
	e := &Encoding{head: make([]byte, 0, 2*len(c.texts)+binary.MaxVarintLen64), texts: c.texts, rest: c.out}
	e.head = binary.AppendUvarint(e.head, uint64(len(c.texts)))
	for _, s := range c.texts {
		e.head = binary.AppendUvarint(e.head, uint64(len(s)))
		e.size += len(s)
	}
	e.rest = binary.AppendUvarint(e.rest, uint64(len(c.recordNumbers)))
	e.rest = append(e.rest, c.records...)
	var counts []byte
	for _, n := range []int{c.symbols, c.copies, c.examples} {
		counts = binary.AppendUvarint(counts, uint64(n))
	}
	e.rest = slices.Insert(e.rest, 0, counts...)
	e.size += len(e.head) + len(e.rest)
	return e, nil
}

// Len returns the size of the binary form in bytes.
func (e *Encoding) Len() int { return e.size }

// Write writes the binary form.
func (e *Encoding) Write(w *bufio.Writer) error {
	_, err := w.Write(e.head)
	for _, s := range e.texts {
		if err == nil {
			_, err = w.WriteString(s)
		}
	}
	if err == nil {
		_, err = w.Write(e.rest)
	}
	return err
}

// Decode reads the binary form. The strings of the package are parts of s. For any s, it
// allocates at most about twenty times the size of s, plus space for a million inherited members.
func Decode(s string) (*apidoc.Package, error) {
	c := coder{decoding: true, in: s}
	if c.head(); c.failed {
		return nil, errDamaged
	}
	p := &apidoc.Package{}
	if c.pkg(p); c.failed {
		return nil, errDamaged
	}
	if c.decodeRecords(); c.failed || c.pos != len(c.in) {
		return nil, errDamaged
	}
	return p, nil
}

// coder visits the fields of a package to encode or to decode them.
type coder struct {
	decoding, failed bool
	depth            int

	// These fields are used for encoding.
	out               []byte
	numbers           map[string]uint64 // the number of each text
	symbols, examples int
	recordNumbers     map[string]uint64 // the number of each record, by its bytes
	records, record   []byte            // all records, and a buffer for one
	// recent contains texts, indexed by the line of their symbol and by their length. Text that
	// many classes inherit is a single string in memory, so it is recognized without a comparison.
	recent [1 << 12]struct {
		text   string
		number uint64
	}
	line int // line of the symbol

	// texts contains all strings in the order of their numbers. String 0 is "".
	texts []string

	// These fields are used for decoding.
	in  string
	pos int
	// Nested lists of symbols and examples are parts of these two slices.
	allSymbols  []apidoc.Symbol
	allExamples []apidoc.Example
	inherited   []*apidoc.Inherited

	// copies counts the inherited members that are records and were written or are yet
	// to be read.
	copies int
}

// head decodes everything before the structs.
func (c *coder) head() {
	c.texts = make([]string, c.count(1))
	lengths := c.pos
	for range c.texts {
		c.uint()
	}
	index := c.pos
	end := c.pos
	c.pos = lengths
	for i := range c.texts {
		n := c.uint()
		if c.failed || n > uint64(len(c.in)-index) {
			c.failed = true
			return
		}
		c.texts[i] = c.in[index : index+int(n)]
		index += int(n)
	}
	if c.pos != end {
		c.failed = true
		return
	}
	c.pos = index
	symbols, copies := c.count(minSymbol), c.count(1)
	if c.failed || copies > maxInherited {
		c.failed = true
		return
	}
	c.copies = copies
	c.allSymbols = make([]apidoc.Symbol, symbols+copies)
	c.allExamples = make([]apidoc.Example, c.count(minExample))
}

// These are the minimum sizes of encoded elements in bytes. They limit the memory that is allocated
// for a count.
const (
	minSymbol  = 15
	minRecord  = 13
	minExample = 5
	minText    = 1
	minOther   = 2
)

// count reads the number of elements that follow, each of which takes at least minimum bytes. If the
// input is too short for them, decoding fails and count returns 0.
func (c *coder) count(minimum int) int {
	n := c.uint()
	if c.failed || n > uint64((len(c.in)-c.pos)/minimum) {
		c.failed = true
		return 0
	}
	return int(n)
}

func (c *coder) uint() uint64 {
	if c.pos < len(c.in) && c.in[c.pos] < 0x80 {
		c.pos++
		return uint64(c.in[c.pos-1])
	}
	var n uint64
	for shift := 0; c.pos < len(c.in) && shift < 63; shift += 7 {
		b := c.in[c.pos]
		c.pos++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	c.failed = true
	return 0
}

func (c *coder) number(n *int) {
	if !c.decoding {
		c.out = binary.AppendVarint(c.out, int64(*n))
		return
	}
	u := c.uint()
	*n = int(u >> 1)
	if u&1 != 0 {
		*n = ^*n
	}
}

func (c *coder) truth(b *bool) {
	n := 0
	if *b {
		n = 1
	}
	c.number(&n)
	*b = n != 0
}

func (c *coder) text(s *string) {
	if !c.decoding {
		c.out = binary.AppendUvarint(c.out, c.numberOf(*s))
		return
	}
	n := c.uint()
	if n >= uint64(len(c.texts)) {
		c.failed = true
		return
	}
	*s = c.texts[n]
}

// numberOf returns the number of a text.
func (c *coder) numberOf(s string) uint64 {
	if s == "" {
		return 0
	}
	recent := &c.recent[uint(61*c.line+len(s))%uint(len(c.recent))]
	if recent.text == s {
		return recent.number
	}
	n, ok := c.numbers[s]
	if !ok {
		n = uint64(len(c.texts))
		c.numbers[s] = n
		c.texts = append(c.texts, s)
	}
	recent.text, recent.number = s, n
	return n
}

// list encodes or decodes a list. Its elements are decoded into a part of all,
// or into a new slice if all is nil. A nil list remains nil.
func list[T any](c *coder, l *[]T, all *[]T, each func(*T)) {
	if !c.decoding {
		if *l == nil {
			c.out = append(c.out, 0)
			return
		}
		c.out = binary.AppendUvarint(c.out, uint64(len(*l))+1)
		for i := range *l {
			each(&(*l)[i])
		}
		return
	}
	n := c.uint()
	if n == 0 || c.failed {
		return
	}
	n--
	minimum := uint64(minOther)
	if _, texts := any(l).(*[]string); texts {
		minimum = minText
	}
	switch {
	case all != nil && n <= uint64(len(*all)):
		*l, *all = (*all)[:n:n], (*all)[n:]
	case all == nil && n <= uint64(len(c.in)-c.pos)/minimum:
		*l = make([]T, n)
	default:
		c.failed = true
		return
	}
	for i := range *l {
		if each(&(*l)[i]); c.failed {
			return
		}
	}
}

func (c *coder) pkg(p *apidoc.Package) {
	c.text((*string)(&p.Ecosystem))
	c.text(&p.Name)
	c.text(&p.Module)
	c.text(&p.Version)
	c.text(&p.LocalName)
	list(c, &p.Qualifiers, nil, c.element)
	c.truth(&p.Command)
	c.text(&p.Synopsis)
	c.text(&p.Doc)
	c.text(&p.Deprecated)
	c.text(&p.Platform)
	c.text(&p.Homepage)
	c.text(&p.Repository)
	c.text(&p.RepositoryDir)
	c.text(&p.Above)
	c.text(&p.Dynamic)
	c.truth(&p.AllNames)
	list(c, &p.Symbols, &c.allSymbols, c.symbol)
	list(c, &p.Imports, nil, c.ref)
	list(c, &p.TypeVars, nil, c.text)
	list(c, &p.Groups, nil, c.group)
	list(c, &p.Elsewhere, &c.allSymbols, c.symbol)
	list(c, &p.Internal, &c.allSymbols, c.symbol)
	list(c, &p.Hidden, nil, c.element)
	list(c, &p.Wrapped, nil, c.element)
	list(c, &p.Unread, nil, c.element)
	c.text(&p.Part)
	list(c, &p.Examples, &c.allExamples, c.example)
	list(c, &p.Sections, nil, c.section)
	list(c, &p.Subpackages, nil, c.subpackage)
	list(c, &p.Advice, nil, c.element)
	list(c, &p.Warnings, nil, c.element)
	list(c, &p.Omissions, nil, c.element)
	list(c, &p.Options, nil, c.element)
	c.provenance(&p.Provenance)
}

func (c *coder) provenance(p *apidoc.Provenance) {
	c.text(&p.Source)
	c.text(&p.Location)
	c.text(&p.ChosenBy)
	c.truth(&p.Unused)
	c.text(&p.Undeclared)
	c.text(&p.Integrity)
}

func (c *coder) symbol(s *apidoc.Symbol) {
	if c.depth++; c.depth > maxNested {
		c.failed = true
		return
	}
	c.symbols++
	c.line = s.Line
	if c.decoding {
		c.text(&s.Path)
	} else { // The path is not looked up, because no other symbol has it.
		c.out = binary.AppendUvarint(c.out, uint64(len(c.texts)))
		c.texts = append(c.texts, s.Path)
	}
	c.declaration(s)
	c.members(s)
	c.depth--
}

// declaration encodes or decodes the fields of a symbol except its path and
// members.
func (c *coder) declaration(s *apidoc.Symbol) {
	c.text((*string)(&s.Kind))
	c.text(&s.Signature)
	list(c, &s.Refs, nil, c.ref)
	c.text(&s.Doc)
	c.text(&s.Deprecated)
	c.text(&s.File)
	c.number(&s.Line)
	c.number(&s.Group)
	c.text(&s.Of)
	c.text(&s.From)
	c.text(&s.Constraint)
	c.text(&s.Unlisted)
	c.truth(&s.AlsoType)
	c.truth(&s.Closed)
	list(c, &s.Examples, &c.allExamples, c.example)
}

func (c *coder) ref(r *apidoc.Ref) {
	c.text(&r.Name)
	c.text(&r.Package)
	c.text(&r.Path)
}

func (c *coder) group(g *apidoc.Group) {
	c.text(&g.Signature)
	c.text(&g.Doc)
}

func (c *coder) example(e *apidoc.Example) {
	c.examples++
	c.text(&e.Name)
	c.text(&e.Doc)
	c.text(&e.Code)
	c.text(&e.Output)
	c.text(&e.After)
	c.truth(&e.Unordered)
}

func (c *coder) section(s *apidoc.Section) {
	c.text(&s.ID)
	c.text(&s.Title)
	c.number(&s.Level)
	c.text(&s.Body)
	c.text(&s.File)
	c.text(&s.Origin)
}

func (c *coder) subpackage(s *apidoc.Subpackage) {
	c.text(&s.Name)
	c.text(&s.Synopsis)
	c.truth(&s.Command)
}

func (c *coder) element(s *string) { c.text(s) }
