package jsonschema

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// itemHash is the hash of an array element. Elements that are equal as JSON values have equal
// hashes.
type itemHash struct {
	hash uint64
	pos  int
}

// seed makes the hashes unpredictable, so that a hostile instance cannot contain elements with
// equal hashes.
var seed = maphash.MakeSeed()

// noteHash records the hash of the element at pos. It returns false if the pass
// has ended.
func (v *validator) noteHash(pos int) bool {
	_, h := v.hash(pos, 0)
	if v.fatal != nil {
		return false
	}
	v.hashes = append(v.hashes, itemHash{h, pos})
	return true
}

// distinct reports whether all elements in v.hashes[floor:] are different. It compares elements
// with equal hashes.
func (v *validator) distinct(n *node, pos, floor int) bool {
	list := v.hashes[floor:]
	slices.SortFunc(list, func(a, b itemHash) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.pos, b.pos))
	})
	for i := 1; i < len(list); i++ {
		if list[i-1].hash == list[i].hash && v.sameItems(list[i-1].pos, list[i].pos) {
			return v.failWith(n, pos, "uniqueItems", list[i].pos, 0)
		}
	}
	return true
}

// sameItems reports whether the elements at a and b are equal. Their hashes are equal.
func (v *validator) sameItems(a, b int) bool {
	x, err := parseValue(v.data[a:skipValue(v.data, a)], v.shared.maxDepth)
	if err != nil {
		return true
	}
	y, err := parseValue(v.data[b:skipValue(v.data, b)], v.shared.maxDepth)
	return err != nil || equalValues(x, y)
}

// hash returns the index after the value at pos and its hash.
func (v *validator) hash(pos, depth int) (end int, h uint64) {
	d := v.data
	if pos < 0 || pos >= len(d) {
		return v.stopHash(ErrMalformed)
	}
	if depth > v.shared.maxDepth {
		return v.stopHash(ErrTooDeep)
	}
	if !v.spend(1) {
		return -1, 0
	}
	switch d[pos] {
	case '{':
		return v.hashObject(pos, depth)
	case '[':
		return v.hashArray(pos, depth)
	case '"':
		return v.hashString(pos)
	case 't', 'f', 'n':
		if end = skipValue(d, pos); end < 0 {
			return v.stopHash(ErrMalformed)
		}
		return end, uint64(d[pos])
	}
	end = scanNumber(d, pos)
	if end == pos {
		return v.stopHash(ErrMalformed)
	}
	if !v.spend((end - pos) / bytesAStep) {
		return -1, 0
	}
	return end, parseDecimal(d[pos:end]).hash()
}

func (v *validator) stopHash(err error) (int, uint64) {
	v.stop(err)
	return -1, 0
}

func (v *validator) hashString(pos int) (int, uint64) {
	end, escaped := scanString(v.data, pos)
	if end < 0 {
		return v.stopHash(ErrMalformed)
	}
	if !v.spend((end - pos) / bytesAStep) {
		return -1, 0
	}
	mark := len(v.text)
	h := maphash.Bytes(seed, v.unescaped(v.data[pos+1:end-1], escaped))
	v.text = v.text[:mark]
	return end, h
}

func (v *validator) hashArray(pos, depth int) (int, uint64) {
	i, h := pos+1, uint64('[')
	for n := 0; ; n++ {
		next, done := nextElement(v.data, i, n == 0, ']')
		if next < 0 {
			return v.stopHash(ErrMalformed)
		}
		if done {
			return next + 1, h
		}
		var item uint64
		if i, item = v.hash(next, depth+1); i < 0 {
			return -1, 0
		}
		h = mix(h, item)
	}
}

// hashObject returns the index after the object at pos and its hash. It adds the
// hashes of the members, so that their order does not matter.
func (v *validator) hashObject(pos, depth int) (int, uint64) {
	i, sum := pos+1, uint64('{')
	for n := 0; ; n++ {
		next, done := nextElement(v.data, i, n == 0, '}')
		if next < 0 {
			return v.stopHash(ErrMalformed)
		}
		if done {
			return next + 1, mix('{', sum)
		}
		if v.data[next] != '"' {
			return v.stopHash(ErrMalformed)
		}
		end, key := v.hashString(next)
		if end < 0 {
			return -1, 0
		}
		var item uint64
		if i, item = v.hash(afterColon(v.data, end), depth+1); i < 0 {
			return -1, 0
		}
		sum += mix(key, item)
	}
}

func mix(a, b uint64) uint64 { return maphash.Comparable(seed, [2]uint64{a, b}) }

// hash returns the same hash for equal numbers.
func (d decimal) hash() uint64 {
	if d.isZero() {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	start := 0
	for i, c := range d.text {
		if c == '.' {
			h.Write(d.text[start:i])
			start = i + 1
		}
	}
	h.Write(d.text[start:])
	sum := mix(h.Sum64(), uint64(d.exp))
	if d.neg {
		return ^sum
	}
	return sum
}
