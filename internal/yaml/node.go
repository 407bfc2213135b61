package yaml

import "strings"

// node is the state of the node at which the Reader is positioned.
type node struct {
	known bool // whether the other fields are set
	taken bool
	kind  Kind
	alias bool
	value any // value of an alias whose anchor was read by Value

	// These fields are set for a scalar or, with its first key, for a block
	// mapping.
	text  []byte // valid until the next scalar is read
	plain bool   // whether it is written without quotes

	// These fields are set for a collection.
	flow     bool
	explicit bool // whether it is a block mapping that begins with "?"
	column   int

	anchor string
	tagged bool
	values int // number of nodes that an alias refers to
}

// anchored is a node that has an anchor.
type anchored struct {
	kind   Kind
	text   string
	plain  bool
	value  any // value of a collection that was read by Value
	values int // number of nodes in value
}

// Kind returns the kind of the current node.
func (r *Reader) Kind() (Kind, error) {
	if !r.node.known {
		if err := r.canceled(); err != nil {
			return Null, err
		}
		r.node = node{}
		if err := r.begin(); err != nil {
			return Null, err
		}
		r.node.known = true
		if r.node.kind == Scalar && !r.node.alias {
			if err := r.rememberScalar(); err != nil {
				return Null, err
			}
		}
	}
	if r.node.kind == Scalar && r.node.plain && isNull(r.node.text) {
		return Null, nil
	}
	return r.node.kind, nil
}

func isNull(text []byte) bool {
	switch string(text) {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// rememberScalar records the scalar under its anchor.
func (r *Reader) rememberScalar() error {
	if r.node.anchor == "" {
		return nil
	}
	return r.remember(r.node.anchor, anchored{kind: Scalar, text: string(r.node.text), plain: r.node.plain})
}

func (r *Reader) remember(anchor string, a anchored) error {
	if anchor == "" {
		return nil
	}
	if r.anchors == nil {
		r.anchors = map[string]anchored{}
	}
	if len(r.anchors) >= maxAnchors {
		return r.fail("more than %d anchors", maxAnchors)
	}
	r.anchors[anchor] = a
	return nil
}

// begin determines the kind of the node. It also parses the node if it is a
// scalar, or its first key if it is a block mapping.
func (r *Reader) begin() error {
	fresh, absent, err := r.token()
	if absent || err != nil {
		return err
	}
	block := (fresh || r.place.compact) && !r.place.flow
	r.node.column = r.column()
	properties := false // properties is true if the properties are on the line of the content.
	for r.peek(0) == '&' || r.peek(0) == '!' {
		if err := r.property(); err != nil {
			return err
		}
		fresh, absent, err := r.token()
		if err != nil {
			return err
		}
		if absent {
			return r.remember(r.node.anchor, anchored{kind: Scalar, plain: true})
		}
		if properties = !fresh; fresh {
			block = !r.place.flow
			r.node.column = r.column()
		}
	}
	return r.content(block, properties)
}

// token moves to the next token of the node. fresh is true if it is on a later
// line than the previous token. absent is true if it belongs to something else,
// so that the node is null.
func (r *Reader) token() (fresh, absent bool, err error) {
	if r.place.flow {
		if err := r.flowSpace(); err != nil {
			return false, false, err
		}
		c := r.peek(0)
		return r.line != r.end, c == ',' || c == ']' || c == '}', nil
	}
	if err := r.space(); err != nil {
		return false, false, err
	}
	fresh = r.line != r.end
	switch {
	case r.pos == len(r.data) || r.marker():
		absent = true
	case fresh && r.column() <= r.place.indent:
		absent = !r.place.field || r.column() != r.place.indent || !r.dash()
	}
	return fresh, absent, nil
}

// content reads the beginning of the node after its anchor and tag. block reports whether a block
// collection may begin here. properties reports whether an anchor or tag precedes the node on its
// line.
func (r *Reader) content(block, properties bool) error {
	n := &r.node
	switch c := r.peek(0); {
	case c == '*':
		return r.alias()
	case c == '[':
		n.kind, n.flow = Sequence, true
	case c == '{':
		n.kind, n.flow = Mapping, true
	case (c == '-' || c == '?') && r.blankAt(1):
		if !block || properties {
			return r.fail("a collection cannot begin here")
		}
		if n.kind = Sequence; c == '?' {
			n.kind, n.explicit = Mapping, true
		}
	case (c == '|' || c == '>') && !r.place.flow:
		n.kind = Scalar
		return r.blockScalar(c == '>')
	case c == '"' || c == '\'':
		n.kind = Scalar
		line := r.line
		if err := r.quoted(c); err != nil {
			return err
		}
		if r.place.flow || r.line != line || !r.colon() {
			return nil
		}
		return r.firstKey(block, properties)
	case r.startsPlain():
		n.kind = Scalar
		line := r.line
		if err := r.plain(); err != nil {
			return err
		}
		if r.place.flow || r.end != line || !r.colon() {
			return nil
		}
		return r.firstKey(block, properties)
	default:
		return r.fail("%q is not allowed here", c)
	}
	return nil
}

// firstKey turns the node into a block mapping. The node's text becomes the first
// key. block and properties are as for content.
func (r *Reader) firstKey(block, properties bool) error {
	if !block {
		return r.fail("a mapping cannot begin here")
	}
	r.node.kind = Mapping
	if !properties {
		return nil
	}
	anchor := r.node.anchor
	r.node.anchor = ""
	return r.remember(anchor, anchored{kind: Scalar, text: string(r.node.text), plain: r.node.plain})
}

// colon skips the colon after a key on the same line, and reports whether
// there is one.
func (r *Reader) colon() bool {
	start := r.pos
	for start < len(r.data) && (r.data[start] == ' ' || r.data[start] == '\t') {
		start++
	}
	if r.line != r.end || !r.blankAt(start+1-r.pos) || start == len(r.data) || r.data[start] != ':' {
		return false
	}
	r.pos = start + 1
	return true
}

// implicitKey reads a key of a block mapping and its colon.
func (r *Reader) implicitKey() error {
	r.node = node{}
	r.end = r.line
	for r.peek(0) == '&' || r.peek(0) == '!' {
		if err := r.property(); err != nil {
			return err
		}
		if err := r.space(); err != nil {
			return err
		}
	}
	switch c := r.peek(0); {
	case r.line != r.end:
		return r.fail("a field of the mapping is expected")
	case c == '"' || c == '\'':
		line := r.line
		if err := r.quoted(c); err != nil {
			return err
		}
		if r.line != line {
			return r.fail("the quoted key does not end on the line where it begins")
		}
	case r.startsPlain() && r.peek(0) != '*':
		from := r.pos
		r.node.text, r.node.plain = r.data[from:r.plainLine()], true
	}
	if r.node.text == nil || !r.colon() {
		return r.fail("a field of the mapping is expected")
	}
	return r.rememberScalar()
}

// alias reads an alias.
func (r *Reader) alias() error {
	if r.node.anchor != "" {
		return r.fail("an alias cannot have an anchor")
	}
	r.pos++
	a, ok := r.anchors[r.name()]
	r.end = r.line
	if !ok {
		return r.fail("the alias refers to an anchor that does not precede it")
	}
	r.node.alias, r.node.kind, r.node.value, r.node.values = true, a.kind, a.value, a.values
	r.node.text, r.node.plain = []byte(a.text), a.plain
	return nil
}

// property reads an anchor or a tag.
func (r *Reader) property() error {
	anchor := r.peek(0) == '&'
	r.pos++
	name := r.name()
	if anchor {
		if r.node.anchor != "" || name == "" || strings.Trim(name, nameCharacters) != "" {
			return r.fail("exactly one anchor is expected, with a name of letters, digits, - and _")
		}
		r.node.anchor = name
	} else if r.node.tagged {
		return r.fail("more than one tag")
	}
	r.node.tagged = r.node.tagged || !anchor
	r.end = r.line
	if !r.blankAt(0) {
		return r.fail("a space is expected after an anchor or tag")
	}
	return nil
}

// nameCharacters are the characters that all versions of YAML allow in the
// names of anchors.
const nameCharacters = "-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// name reads the name of an anchor, an alias or a tag.
func (r *Reader) name() string {
	from := r.pos
	for !r.blankAt(0) && !flowIndicator(r.peek(0)) {
		r.pos++
	}
	return string(r.data[from:r.pos])
}

func flowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}
