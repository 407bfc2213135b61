package jsonschema

import "slices"

// plan contains the defaults of a schema and its subschemas.
type plan struct {
	names   nameTable // names of members
	members []planned // plans of the members, by the indexes of their names in names
	other   *plan     // plan of all other members
	prefix  []*plan   // plans of the first array elements
	rest    *plan     // plan of all other elements
	useful  bool      // whether the plan or a subplan contains a default
}

type planned struct {
	text []byte // text of the default, or nil
	sub  *plan
}

// HasDefaults reports whether the schema has defaults that AppendDefaults can insert.
func (s *Schema) HasDefaults() bool { return s.root.plan != nil && s.root.plan.useful }

// AppendDefaults appends data, a JSON value, to dst, inserts defaults for missing members, and
// returns true. If no default is missing, or if the value would grow by more than eight times its
// length and 16 MiB, it returns dst unchanged and false. It finds defaults in properties,
// additionalProperties, items, prefixItems, $ref, allOf, and an anyOf of a schema and null, but not
// in other alternatives. It inserts defaults unchanged and does not check them.
func (s *Schema) AppendDefaults(dst, data []byte) ([]byte, bool) {
	if !s.HasDefaults() {
		return dst, false
	}
	floor := len(dst)
	w := completer{data: data, out: dst, room: s.shared.maxDepth, limit: floor + maxGrowth*len(data) + maxGrown}
	if w.value(s.root.plan, skipSpace(data, 0)) < 0 || w.copied == 0 || len(w.out) > w.limit {
		return dst[:floor], false
	}
	return append(w.out, data[w.copied:]...), true
}

const (
	maxGrowth = 8        // limit of the increase in size, as a multiple of the value's length
	maxGrown  = 16 << 20 // limit of the increase in size, in bytes
)

// completer copies a value and inserts missing defaults.
type completer struct {
	data   []byte
	out    []byte
	copied int // length of the data that was copied to out; 0 before the first default
	room   int // number of further levels that may be nested
	limit  int // maximum length of out
}

// value copies the value at pos and returns the index after it, or -1 if the text is malformed or
// exceeds a limit.
func (w *completer) value(p *plan, pos int) int {
	if pos < 0 || pos >= len(w.data) || w.room == 0 || len(w.out) > w.limit {
		return -1
	}
	if p == nil || !p.useful {
		return skipValue(w.data, pos)
	}
	w.room--
	defer func() { w.room++ }()
	switch w.data[pos] {
	case '{':
		return w.object(p, pos)
	case '[':
		return w.array(p, pos)
	}
	return skipValue(w.data, pos)
}

func (w *completer) array(p *plan, pos int) int {
	i := pos + 1
	for n := 0; ; n++ {
		next, done := nextElement(w.data, i, n == 0, ']')
		if next < 0 {
			return -1
		}
		if done {
			return next + 1
		}
		sub := p.rest
		if n < len(p.prefix) {
			sub = p.prefix[n]
		}
		if i = w.value(sub, next); i < 0 {
			return -1
		}
	}
}

func (w *completer) object(p *plan, pos int) int {
	var seen uint64
	var many []bool
	if len(p.members) > 64 {
		many = make([]bool, len(p.members))
	}
	i, hint, count := pos+1, 0, 0
	for ; ; count++ {
		next, done := nextElement(w.data, i, count == 0, '}')
		if next < 0 {
			return -1
		}
		if done {
			w.insert(p, i, count, seen, many)
			return next + 1
		}
		if w.data[next] != '"' {
			return -1
		}
		end, escaped := scanString(w.data, next)
		if end < 0 {
			return -1
		}
		key := w.data[next+1 : end-1]
		if escaped {
			key = appendUnescaped(nil, key)
		}
		sub := p.other
		if found := p.names.find(key, hint); found >= 0 {
			hint = found + 1
			sub = p.members[found].sub
			if many != nil {
				many[found] = true
			} else {
				seen |= 1 << found
			}
		}
		if i = w.value(sub, afterColon(w.data, end)); i < 0 {
			return -1
		}
	}
}

// insert inserts the missing members of an object at index i, after its last member.
func (w *completer) insert(p *plan, i, count int, seen uint64, many []bool) {
	for k := range p.members {
		m := &p.members[k]
		if m.text == nil || many != nil && many[k] || many == nil && seen&(1<<k) != 0 {
			continue
		}
		w.out = append(w.out, w.data[w.copied:i]...)
		w.copied = i
		if count > 0 {
			w.out = append(w.out, ',')
		}
		count++
		w.out = appendQuoted(w.out, p.names.list[k].text)
		w.out = append(append(w.out, ':'), m.text...)
	}
}

// planDefaults sets the plans of the nodes, unless no schema has a default.
func (c *compiler) planDefaults() {
	if !slices.ContainsFunc(c.all, func(n *node) bool { return n.src != nil && n.src.get("default") != nil }) {
		return
	}
	for _, n := range c.all {
		n.plan = &plan{}
	}
	uses := map[*plan][]*plan{}
	var useful []*plan
	for _, n := range c.all {
		n.plan.build(n, nil)
		for _, sub := range n.plan.below() {
			uses[sub] = append(uses[sub], n.plan)
		}
		if n.plan.hasText() {
			useful = append(useful, n.plan)
		}
	}
	for len(useful) > 0 {
		p := useful[len(useful)-1]
		useful = useful[:len(useful)-1]
		if !p.useful {
			p.useful = true
			useful = append(useful, uses[p]...)
		}
	}
}

// build adds the defaults of n, of the schemas it refers to, and of the schemas in its allOf.
func (p *plan) build(n *node, path []*node) {
	if o := n.object; o != nil {
		for _, name := range o.names.list {
			if name.node != nil {
				p.add(name.text, name.node)
			}
		}
		if o.additional != nil && p.other == nil {
			p.other = o.additional.plan
		}
	}
	if a := n.array; a != nil {
		for _, sub := range a.prefix {
			p.prefix = append(p.prefix, sub.plan)
		}
		if a.rest != nil && p.rest == nil {
			p.rest = a.rest.plan
		}
	}
	if n.inPlace == nil || len(path) > 100 {
		return
	}
	path = append(path, n)
	if n.inPlace.ref != nil {
		p.build(n.inPlace.ref, path)
	}
	for _, sub := range n.inPlace.allOf {
		p.build(sub, path)
	}
	if sub := n.inPlace.orNull(); sub != nil {
		p.build(sub, path)
	}
}

// orNull returns the other schema of an anyOf that consists of a schema and null. For any other
// anyOf, it returns nil.
func (p *inPlaceRules) orNull() *node {
	if len(p.anyOf) == 2 {
		for i, sub := range p.anyOf {
			if sub.types == typeNull {
				return p.anyOf[1-i]
			}
		}
	}
	return nil
}

// add adds the schema n for the member text. If several schemas have a default for the member, the
// first one is used.
func (p *plan) add(text string, n *node) {
	i := p.names.add(text)
	if i == len(p.members) {
		p.members = append(p.members, planned{sub: n.plan})
	}
	if p.members[i].text == nil {
		p.members[i].text = n.defaultText()
	}
}

// defaultText returns the default of n or of the schema it refers to, or nil.
func (n *node) defaultText() []byte {
	for range 100 {
		if n.src == nil {
			return nil
		}
		if d := n.src.get("default"); d != nil {
			return d.raw
		}
		if n.inPlace == nil || n.inPlace.ref == nil {
			return nil
		}
		n = n.inPlace.ref
	}
	return nil
}

func (p *plan) below() []*plan {
	list := append([]*plan{}, p.prefix...)
	for _, sub := range [...]*plan{p.rest, p.other} {
		if sub != nil {
			list = append(list, sub)
		}
	}
	for _, m := range p.members {
		list = append(list, m.sub)
	}
	return list
}

func (p *plan) hasText() bool {
	return slices.ContainsFunc(p.members, func(m planned) bool { return m.text != nil })
}
