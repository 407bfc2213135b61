package jsonschema

import "slices"

// WithoutNulls returns data, a JSON value, without the null members that the schema does not allow
// to be null. It removes only members that are in the schema's properties and not required. If
// there are none, it returns data unchanged and false. It searches for members through properties,
// additionalProperties, items, prefixItems, $ref, allOf, and an anyOf of a schema and null.
func (s *Schema) WithoutNulls(data []byte) ([]byte, bool) {
	w := nullRemover{schema: s, data: data, depth: s.shared.maxDepth, steps: s.shared.maxSteps}
	if w.steps <= 0 {
		w.steps = baseSteps + stepsAByte*len(data)
	}
	if w.value(applied(nil, s.root), skipSpace(data, 0)) < 0 || w.copied == 0 {
		return data, false
	}
	return append(w.out, data[w.copied:]...), true
}

// nullRemover copies a value without the members that WithoutNulls removes.
type nullRemover struct {
	schema *Schema
	data   []byte
	out    []byte
	copied int // length of the data that was copied to out or omitted; 0 before the first removal
	depth  int // number of further levels that may be nested
	steps  int // number of further schemas that may be considered
}

// maxApplied is the maximum number of schemas to consider for one value.
const maxApplied = 32

// applied appends to nodes n and the schemas that n applies to the same value.
func applied(nodes []*node, n *node) []*node {
	if n == nil || len(nodes) == maxApplied || slices.Contains(nodes, n) {
		return nodes
	}
	nodes = append(nodes, n)
	if n.alias != nil {
		nodes = applied(nodes, n.alias)
	}
	if p := n.inPlace; p != nil {
		nodes = applied(nodes, p.ref)
		for _, sub := range p.allOf {
			nodes = applied(nodes, sub)
		}
		nodes = applied(nodes, p.orNull())
	}
	return nodes
}

// value processes the value at pos, to which nodes apply. It returns the index after the value, or
// -1 if the text is malformed or exceeds a limit.
func (w *nullRemover) value(nodes []*node, pos int) int {
	w.steps -= len(nodes)
	if pos < 0 || pos >= len(w.data) || w.depth == 0 || w.steps < 0 {
		return -1
	}
	if len(nodes) == 0 {
		return skipValue(w.data, pos)
	}
	w.depth--
	defer func() { w.depth++ }()
	switch w.data[pos] {
	case '{':
		return w.object(nodes, pos)
	case '[':
		return w.array(nodes, pos)
	}
	return skipValue(w.data, pos)
}

func (w *nullRemover) array(nodes []*node, pos int) int {
	i := pos + 1
	for n := 0; ; n++ {
		next, done := nextElement(w.data, i, n == 0, ']')
		if next < 0 {
			return -1
		}
		if done {
			return next + 1
		}
		var subs []*node
		for _, one := range nodes {
			switch a := one.array; {
			case a == nil:
			case n < len(a.prefix):
				subs = applied(subs, a.prefix[n])
			default:
				subs = applied(subs, a.rest)
			}
		}
		if i = w.value(subs, next); i < 0 {
			return -1
		}
	}
}

func (w *nullRemover) object(nodes []*node, pos int) int {
	i, first := pos+1, true // first means that no member has been kept so far
	for n := 0; ; n++ {
		start := i
		next, done := nextElement(w.data, i, n == 0, '}')
		if next < 0 {
			return -1
		}
		if done {
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
		subs, direct := members(nodes, key)
		at := afterColon(w.data, end)
		if i = w.value(subs, at); i < 0 {
			return -1
		}
		if w.data[at] != 'n' || !w.refusesNull(direct) {
			first = false
			continue
		}
		// If no member precedes the removed one, the comma after it is also removed.
		w.out = append(w.out, w.data[w.copied:start]...)
		if first {
			if comma := skipSpace(w.data, i); comma < len(w.data) && w.data[comma] == ',' {
				i, n = comma+1, -1
			}
		}
		w.copied = i
	}
}

// members returns the schemas that apply to the member key of an object. direct contains the
// member's own schemas, without those that they refer to. It is nil unless the member is an
// optional property.
func members(nodes []*node, key []byte) (subs, direct []*node) {
	property, required := false, false
	for _, one := range nodes {
		o := one.object
		if o == nil {
			continue
		}
		sub := o.additional
		if i := o.names.find(key, 0); i >= 0 {
			if n := o.names.list[i].node; n != nil {
				property, sub = true, n
			}
			required = required || slices.Contains(o.required, i)
		}
		if sub != nil {
			direct = append(direct, sub)
			subs = applied(subs, sub)
		}
	}
	if required || !property {
		direct = nil
	}
	return subs, direct
}

// refusesNull reports whether one of the schemas does not allow null.
func (w *nullRemover) refusesNull(nodes []*node) bool {
	w.steps -= len(nodes)
	return slices.ContainsFunc(nodes, func(n *node) bool {
		return (&Schema{n, w.schema.shared}).Validate([]byte("null")) != nil
	})
}
