package jsonschema

import "slices"

// valueSet contains the values of enum or const, grouped by type so that scalars can be found
// quickly.
type valueSet struct {
	values  []*value // all values, in the order of the schema
	strings []string
	index   map[string]struct{} // set of the strings if there are many
	ints    []int64             // numbers that fit into int64, sorted
	numbers []decimal           // the other numbers, sorted
	rest    []*value            // arrays and objects
	yes, no bool                // whether true and false are in the set
	null    bool
}

func newValueSet(values []*value) *valueSet {
	s := &valueSet{values: values}
	for _, v := range values {
		switch v.kind {
		case kindNull:
			s.null = true
		case kindBool:
			s.yes = s.yes || v.isTrue()
			s.no = s.no || !v.isTrue()
		case kindString:
			s.strings = append(s.strings, v.str)
		case kindNumber:
			d := parseDecimal(v.raw)
			if n, exact := d.floor(); exact && d.exp < 19 {
				s.ints = append(s.ints, n)
			} else {
				s.numbers = append(s.numbers, d)
			}
		default:
			s.rest = append(s.rest, v)
		}
	}
	slices.Sort(s.ints)
	slices.SortFunc(s.numbers, decimal.cmp)
	if len(s.strings) >= mapFrom {
		s.index = make(map[string]struct{}, len(s.strings))
		for _, text := range s.strings {
			s.index[text] = struct{}{}
		}
	}
	return s
}

func (s *valueSet) hasString(text []byte) bool {
	if s.index != nil {
		_, ok := s.index[string(text)]
		return ok
	}
	for _, have := range s.strings { //nolint:modernize // slices.Contains would copy the text
		if string(text) == have {
			return true
		}
	}
	return false
}

func (s *valueSet) hasInt(n int64) bool {
	_, ok := slices.BinarySearch(s.ints, n)
	return ok
}

func (s *valueSet) hasNumber(d decimal) bool {
	if n, exact := d.floor(); exact && d.exp < 19 {
		return s.hasInt(n)
	}
	_, ok := slices.BinarySearchFunc(s.numbers, d, decimal.cmp)
	return ok
}

// has reports whether the array or object at pos is in the set.
func (v *validator) has(s *valueSet, pos int) bool {
	for _, want := range s.rest {
		if end := v.equal(want, pos); end >= 0 {
			return true
		}
		if v.fatal != nil {
			return false
		}
	}
	return false
}

// equal returns the index after the value at pos if the value equals want, and otherwise -1. The
// depth of the recursion is limited by the depth of want.
func (v *validator) equal(want *value, pos int) int {
	d := v.data
	if pos < 0 || pos >= len(d) || !v.spend(1) {
		return -1
	}
	if k, ok := kindAt(d[pos]); !ok || k != want.kind {
		return -1
	}
	switch want.kind {
	case kindString:
		end, escaped := scanString(d, pos)
		if end < 0 || !v.spend((end-pos)/bytesAStep) {
			return -1
		}
		mark := len(v.text)
		same := string(v.unescaped(d[pos+1:end-1], escaped)) == want.str
		v.text = v.text[:mark]
		if !same {
			return -1
		}
		return end
	case kindNumber:
		end := scanNumber(d, pos)
		if !v.spend((end - pos) / bytesAStep) {
			return -1
		}
		if parseDecimal(d[pos:end]).cmp(parseDecimal(want.raw)) != 0 {
			return -1
		}
		return end
	case kindArray:
		return v.equalArray(want, pos)
	case kindObject:
		return v.equalObject(want, pos)
	}
	return scanLiteral(d, pos, string(want.raw))
}

func (v *validator) equalArray(want *value, pos int) int {
	i := pos + 1
	for n := 0; ; n++ {
		next, done := nextElement(v.data, i, n == 0, ']')
		if next < 0 || done && n != len(want.items) {
			return -1
		}
		if done {
			return next + 1
		}
		if n == len(want.items) {
			return -1
		}
		if i = v.equal(want.items[n], next); i < 0 {
			return -1
		}
	}
}

func (v *validator) equalObject(want *value, pos int) int {
	d, i := v.data, pos+1
	for n := 0; ; n++ {
		next, done := nextElement(d, i, n == 0, '}')
		if next < 0 || done && n != len(want.items) {
			return -1
		}
		if done {
			return next + 1
		}
		if n == len(want.items) || d[next] != '"' {
			return -1
		}
		end, escaped := scanString(d, next)
		if end < 0 || !v.spend((end-next)/bytesAStep) {
			return -1
		}
		mark := len(v.text)
		item := want.member(v.unescaped(d[next+1:end-1], escaped))
		v.text = v.text[:mark]
		if i = afterColon(d, end); item == nil || i < 0 {
			return -1
		}
		if i = v.equal(item, i); i < 0 {
			return -1
		}
	}
}

// member returns the member with the given key, or nil. It takes the key as bytes, in contrast to
// get.
func (v *value) member(key []byte) *value {
	if v.index != nil {
		if i, ok := v.index[string(key)]; ok {
			return v.items[i]
		}
		return nil
	}
	for i, k := range v.keys {
		if k == string(key) {
			return v.items[i]
		}
	}
	return nil
}

// kindAt returns the type of the value that begins with the byte c.
func kindAt(c byte) (k kind, ok bool) {
	switch {
	case c == '{':
		return kindObject, true
	case c == '[':
		return kindArray, true
	case c == '"':
		return kindString, true
	case c == 't' || c == 'f':
		return kindBool, true
	case c == 'n':
		return kindNull, true
	case c == '-' || '0' <= c && c <= '9':
		return kindNumber, true
	}
	return 0, false
}
