// Package yaml reads the first document of a YAML file, as package managers
// write their lock files and as people write their settings.
//
// A Reader reads the file once and does not build a tree, so memory is used only by data that the
// caller keeps. Time is linear in the size of the file. Errors do not quote the file, which may
// contain credentials.
//
// It reads block and flow collections, all five styles of scalars, comments,
// anchors and aliases, explicit scalar keys ("? key") and, in Value, merge keys.
// Tags are ignored. It refuses keys that are not scalars and pairs without
// braces in flow sequences ("[a: b]").
//
//	collections, position   reader.go
//	one node                node.go
//	scalars                 scalar.go
//	whole values            value.go
package yaml

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"
)

// These constants limit what is read from a file.
const (
	maxDepth   = 100     // maximum nesting depth of collections
	maxAnchors = 10_000  // maximum number of nodes with an anchor
	maxValues  = 1 << 20 // maximum number of nodes that Value returns, counting repeated ones again
)

// Kind is the kind of a YAML node.
type Kind int

// These are the kinds of nodes. An alias has the kind of its anchor.
const (
	Null Kind = iota
	Scalar
	Mapping
	Sequence
)

// Reader is positioned at one node of a document. The caller consumes the node
// with Text, Fields, Items, Value or Skip.
type Reader struct {
	ctx     context.Context
	data    []byte
	pos     int
	start   int // start of the line that contains pos
	line    int // number of that line, counted from 1
	end     int // number of the line in which the last token ends
	checked int // pos when ctx was last checked
	depth   int
	values  int // number of nodes that Value has returned

	place    place
	node     node
	plainKey bool   // whether the key of the field is written without quotes
	buf      []byte // buffer for a scalar whose value differs from its text

	anchors map[string]anchored
}

// place is the context of the next node.
type place struct {
	indent  int  // column of the enclosing block collection
	flow    bool // whether it is within [] or {}
	compact bool // whether a block collection may begin on the line of its indicator
	field   bool // whether it is the value of a field in a block mapping, where a sequence need not be indented
}

// Read calls read with a Reader at the root of the first document, and ignores
// later documents. It stops when ctx is done.
func Read(ctx context.Context, data []byte, read func(*Reader) error) error {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8")
	}
	for i, c := range data {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return fmt.Errorf("line %d: control characters are not allowed", 1+bytes.Count(data[:i], []byte("\n")))
		}
	}
	if bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	r := &Reader{ctx: ctx, data: data, line: 1}
	if err := r.prologue(); err != nil {
		return err
	}
	if err := read(r); err != nil {
		return err
	}
	if err := r.finish(); err != nil {
		return err
	}
	if err := r.space(); err != nil {
		return err
	}
	if r.pos < len(r.data) && !r.marker() {
		return r.fail("this is not part of the value above it")
	}
	return nil
}

// prologue skips directives and the marker that begins a document.
func (r *Reader) prologue() error {
	r.place = place{indent: -1, compact: true}
	for {
		if err := r.space(); err != nil {
			return err
		}
		if r.peek(0) != '%' || r.column() != 0 {
			break
		}
		r.lineEnd()
	}
	if r.marker() && r.peek(0) == '-' {
		r.pos += 3
		r.end = r.line
		r.place.compact = false
	}
	return nil
}

func (r *Reader) fail(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// peek returns the byte at a distance from pos, or 0 beyond the end.
func (r *Reader) peek(distance int) byte {
	if r.pos+distance < len(r.data) {
		return r.data[r.pos+distance]
	}
	return 0
}

// blankAt reports whether there is white space or the end of the file at a distance from pos.
func (r *Reader) blankAt(distance int) bool {
	c := r.peek(distance)
	return c == ' ' || c == '\t' || c == '\n' || c == 0
}

func (r *Reader) column() int { return r.pos - r.start }

// newline consumes a line break at pos.
func (r *Reader) newline() {
	r.pos++
	r.start = r.pos
	r.line++
}

// lineEnd advances to the end of the line.
func (r *Reader) lineEnd() {
	if i := bytes.IndexByte(r.data[r.pos:], '\n'); i >= 0 {
		r.pos += i
	} else {
		r.pos = len(r.data)
	}
}

// space skips white space and comments.
func (r *Reader) space() error {
	tab := false // tab is true if the indentation contains a tab.
	for ; r.pos < len(r.data); r.pos++ {
		switch c := r.data[r.pos]; {
		case c == ' ':
		case c == '\t':
			tab = tab || r.line != r.end
		case c == '\n':
			if err := r.canceled(); err != nil {
				return err
			}
			tab = false
			r.newline()
			r.pos--
		case c == '#' && (r.column() == 0 || r.data[r.pos-1] == ' ' || r.data[r.pos-1] == '\t'):
			r.lineEnd()
			r.pos--
		case tab && !r.place.flow:
			return r.fail("the indentation contains a tab")
		default:
			return nil
		}
	}
	return nil
}

// canceled checks the context every 64 KiB.
func (r *Reader) canceled() error {
	if r.pos-r.checked < 64<<10 {
		return nil
	}
	r.checked = r.pos
	return r.ctx.Err()
}

// marker reports whether a document marker, "---" or "...", begins at pos.
func (r *Reader) marker() bool {
	if r.column() != 0 || !r.blankAt(3) || r.pos+3 > len(r.data) {
		return false
	}
	mark := string(r.data[r.pos : r.pos+3])
	return mark == "---" || mark == "..."
}

// dash reports whether an item of a block sequence begins at pos.
func (r *Reader) dash() bool { return r.peek(0) == '-' && r.blankAt(1) && !r.marker() }

// Fields calls field with the name of each field of a mapping, while the Reader
// is at its value. It skips a value that field does not consume. A null has no
// fields.
func (r *Reader) Fields(field func(name string) error) error {
	return r.fields(func(name []byte) error { return field(string(name)) })
}

func (r *Reader) fields(field func(name []byte) error) error {
	return r.collection(Mapping, func(n node) error {
		if n.flow {
			return r.flowFields(field)
		}
		return r.blockFields(n, field)
	})
}

// Items calls item with the Reader at each item of a sequence. It skips an item
// that is not consumed. A null has no items.
func (r *Reader) Items(item func() error) error {
	return r.collection(Sequence, func(n node) error {
		if n.flow {
			return r.flowItems(item)
		}
		return r.blockItems(n, item)
	})
}

// collection consumes a node of the given kind, or a null.
func (r *Reader) collection(want Kind, read func(node) error) error {
	kind, err := r.Kind()
	if err != nil {
		return err
	}
	n := r.node
	r.node.taken = true
	switch {
	case kind == Null:
		return nil
	case kind != want && want == Mapping:
		return r.fail("a mapping is expected")
	case kind != want:
		return r.fail("a sequence is expected")
	case n.alias:
		return r.fail("an alias of a collection is not supported here")
	}
	if r.depth++; r.depth > maxDepth {
		return r.fail("collections are nested more than %d levels deep", maxDepth)
	}
	err = read(n)
	r.depth--
	r.node = node{known: true, taken: true}
	return err
}

// item calls take with the Reader at an item of a sequence.
func (r *Reader) item(where place, take func() error) error {
	r.place, r.node = where, node{}
	if err := take(); err != nil {
		return err
	}
	return r.finish()
}

// finish skips a node that was not consumed.
func (r *Reader) finish() error {
	if r.node.taken {
		return nil
	}
	return r.Skip()
}

// next advances to the next entry of a block collection at a column. It returns
// false at the end of the collection.
func (r *Reader) next(column int) (bool, error) {
	if err := r.space(); err != nil {
		return false, err
	}
	switch {
	case r.pos == len(r.data) || r.marker():
		return false, nil
	case r.line == r.end:
		return false, r.fail("more than one value")
	case r.column() > column:
		return false, r.fail("the indentation does not match that of any enclosing block")
	}
	return r.column() == column, nil
}

func (r *Reader) blockFields(n node, field func(name []byte) error) error {
	r.node = n
	for first := true; ; first = false {
		where := place{indent: n.column, field: true}
		empty := false
		r.place = place{indent: n.column}
		switch {
		case first && !n.explicit:
			// The key was already read to recognize the mapping.
		case r.peek(0) == '?' && r.blankAt(1):
			var err error
			if empty, err = r.explicitKey(n.column); err != nil {
				return err
			}
			where.compact = true
		default:
			if err := r.implicitKey(); err != nil {
				return err
			}
		}
		if err := r.fieldValue(where, empty, field); err != nil {
			return err
		}
		r.place = place{indent: n.column}
		if more, err := r.next(n.column); !more || err != nil {
			return err
		}
		if r.dash() {
			return r.fail("a field of the mapping is expected")
		}
	}
}

// fieldValue calls field with the key that is in r.node. empty is true if the
// field has no value.
func (r *Reader) fieldValue(where place, empty bool, field func(name []byte) error) error {
	name := r.node.text
	r.plainKey = r.node.plain
	r.place, r.node = where, node{known: empty}
	if err := field(name); err != nil {
		return err
	}
	return r.finish()
}

// explicitKey parses "? key" and the colon before its value. empty is true if
// there is no value.
func (r *Reader) explicitKey(column int) (empty bool, err error) {
	r.pos++
	r.end = r.line
	r.place, r.node = place{indent: column}, node{}
	if _, err := r.Kind(); err != nil {
		return false, err
	}
	if r.node.kind != Scalar {
		return false, r.fail("a key that is not a scalar is not supported")
	}
	key := r.node
	if err := r.space(); err != nil {
		return false, err
	}
	r.node = key
	if r.pos < len(r.data) && r.line != r.end && r.column() == column && r.peek(0) == ':' && r.blankAt(1) {
		r.pos++
		r.end = r.line
		return false, nil
	}
	return true, nil
}

func (r *Reader) blockItems(n node, item func() error) error {
	for {
		r.pos++
		r.end = r.line
		if err := r.item(place{indent: n.column, compact: true}, item); err != nil {
			return err
		}
		r.place = place{indent: n.column}
		if more, err := r.next(n.column); !more || err != nil {
			return err
		}
		if !r.dash() {
			return nil // this is the next field of the mapping that contains the sequence
		}
	}
}

// flowEnd consumes the delimiter after an entry of a flow collection: a comma or the closing
// bracket. ended reports whether the collection has ended.
func (r *Reader) flowEnd(closing byte) (ended bool, err error) {
	r.place = place{flow: true}
	if err := r.flowSpace(); err != nil {
		return false, err
	}
	switch r.peek(0) {
	case ',':
		r.pos++
		r.end = r.line
		if err := r.flowSpace(); err != nil {
			return false, err
		}
		if r.peek(0) != closing {
			return false, nil
		}
	case closing:
	default:
		return false, r.fail("a comma or %c is expected", closing)
	}
	r.pos++
	r.end = r.line
	return true, nil
}

// flowSpace skips white space within a flow collection, where the document must
// not end.
func (r *Reader) flowSpace() error {
	r.place = place{flow: true}
	if err := r.space(); err != nil {
		return err
	}
	if r.pos == len(r.data) || r.marker() {
		return r.fail("a bracket is not closed")
	}
	return nil
}

// flowBegin consumes an opening bracket and reports whether the closing one
// follows.
func (r *Reader) flowBegin(closing byte) (ended bool, err error) {
	r.pos++
	r.end = r.line
	if err := r.flowSpace(); err != nil || r.peek(0) != closing {
		return false, err
	}
	r.pos++
	r.end = r.line
	return true, nil
}

func (r *Reader) flowItems(item func() error) error {
	ended, err := r.flowBegin(']')
	for !ended && err == nil {
		if c := r.peek(0); c == ',' || c == ':' && r.blankAt(1) {
			return r.fail("an item is expected")
		}
		if err = r.item(place{flow: true}, item); err == nil {
			ended, err = r.flowEnd(']')
		}
	}
	return err
}

func (r *Reader) flowFields(field func(name []byte) error) error {
	ended, err := r.flowBegin('}')
	for !ended && err == nil {
		if ended, err = r.flowField(field); err != nil {
			return err
		}
	}
	return err
}

func (r *Reader) flowField(field func(name []byte) error) (ended bool, err error) {
	r.place, r.node = place{flow: true}, node{}
	if _, err := r.Kind(); err != nil {
		return false, err
	}
	if r.node.kind != Scalar || r.node.alias {
		return false, r.fail("a key that is not a scalar is not supported")
	}
	key := r.node
	if err := r.flowSpace(); err != nil {
		return false, err
	}
	empty := true
	if r.peek(0) == ':' && (!key.plain || r.blankAt(1) || flowIndicator(r.peek(1))) {
		r.pos++
		r.end = r.line
		empty = false
	}
	r.node = key
	if err := r.fieldValue(place{flow: true}, empty, field); err != nil {
		return false, err
	}
	return r.flowEnd('}')
}
