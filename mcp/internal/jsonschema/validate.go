package jsonschema

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"
)

// Validate checks data, a JSON text, against the schema. It expects well-formed JSON without
// duplicate member names. For other text, the result is an error or depends on the parts that can
// be parsed. Validate does not retain data.
//
// The error is a *ValidationError if the value does not satisfy the schema; any other error wraps
// ErrMalformed, ErrTooDeep or ErrTooComplex. Validating a valid value against a typical schema
// allocates no memory.
func (s *Schema) Validate(data []byte) error {
	v := validators.Get().(*validator)
	defer v.release()
	v.start(s, data)
	if v.whole(s.root) {
		return nil
	}
	if v.fatal == nil {
		// The second pass collects failures. It may exceed MaxSteps, because it does not stop at
		// the first failure. Then the failures found so far are reported.
		v.start(s, data)
		v.collect = true
		v.whole(s.root)
	}
	if v.fatal != nil && len(v.faults) == 0 {
		return v.fatal
	}
	return v.report()
}

var validators = sync.Pool{New: func() any { return new(validator) }}

// validator validates an instance. The first pass stops at the first failure. A second pass
// collects failures only if the first one failed, so that validating a valid value is fast.
type validator struct {
	data    []byte
	shared  *shared
	collect bool        // whether to record failures and continue
	steps   int         // number of remaining steps
	depth   int         // nesting depth of applied schemas
	fatal   error       // the error that ended the pass, or nil
	text    []byte      // text of unescaped strings
	words   []uint64    // bits of sets; see marks
	scope   []*resource // resources in the dynamic scope, outermost first
	hashes  []itemHash  // hashes of array elements; see noteHash
	faults  []fault
}

const (
	keepBytes   = 64 << 10  // size in bytes of the text buffer that a pooled validator keeps
	keepWords   = 4 << 10   // capacity of words and of hashes that a pooled validator keeps
	baseSteps   = 1_000_000 // see Options.MaxSteps
	stepsAByte  = 16
	bytesAStep  = 32 // size in bytes of the text that can be scanned in the time of one step
	maxFaultsIn = 64 // maximum number of recorded failures, from which the reported ones are selected
)

func (v *validator) start(s *Schema, data []byte) {
	v.data, v.shared, v.fatal, v.collect, v.depth = data, s.shared, nil, false, 0
	v.steps = s.shared.maxSteps
	if v.steps <= 0 {
		v.steps = baseSteps + stepsAByte*len(data)
	}
	v.text, v.words, v.hashes = v.text[:0], v.words[:0], v.hashes[:0]
	v.scope, v.faults = v.scope[:0], nil
}

func (v *validator) release() {
	v.data, v.shared, v.fatal, v.faults = nil, nil, nil, nil
	if cap(v.text) > keepBytes {
		v.text = nil
	}
	if cap(v.words) > keepWords {
		v.words = nil
	}
	if cap(v.hashes) > keepWords {
		v.hashes = nil
	}
	clear(v.scope[:cap(v.scope)])
	validators.Put(v)
}

// whole reports whether data is exactly one value, and n allows it.
func (v *validator) whole(n *node) bool {
	pos := skipSpace(v.data, 0)
	end, ok := v.check(n, pos, noMarks)
	if v.fatal != nil {
		return false
	}
	if ok && skipSpace(v.data, end) != len(v.data) {
		v.fatal = ErrMalformed
		return false
	}
	return ok
}

// stop ends the pass with err, unless it has already ended.
func (v *validator) stop(err error) (int, bool) {
	v.fatal = cmp.Or(v.fatal, err)
	return -1, false
}

// spend subtracts n from the number of remaining steps. If too few remain, it ends the pass and
// returns false.
func (v *validator) spend(n int) bool {
	v.steps -= n
	if v.steps < 0 {
		v.stop(ErrTooComplex)
		return false
	}
	return true
}

// skip returns the index after a value that no schema checks. If the text is malformed, it ends the
// pass and returns -1.
func (v *validator) skip(pos int) int {
	end := skipValue(v.data, pos)
	if end < 0 {
		v.stop(ErrMalformed)
		return -1
	}
	if !v.spend((end - pos) / bytesAStep) {
		return -1
	}
	return end
}

// quits reports whether the pass stops at the first failure instead of collecting all failures.
func (v *validator) quits() bool { return !v.collect || v.fatal != nil }

// unescaped returns the text of a string. If the string has escapes, its text is in v.text, which
// the caller must truncate.
func (v *validator) unescaped(raw []byte, escaped bool) []byte {
	if !escaped {
		return raw
	}
	mark := len(v.text)
	v.text = appendUnescaped(slices.Grow(v.text, len(raw)), raw)
	return v.text[mark:]
}

// check applies the schema n to the value at pos. It returns the index after the value, which is
// valid only if the value satisfies the schema or quits returns false.
func (v *validator) check(n *node, pos int, m marks) (end int, ok bool) {
	if n.alias != nil {
		n = n.alias
	}
	if n.trivial {
		end = v.skip(pos)
		return end, end >= 0
	}
	if pos >= len(v.data) {
		return v.stop(ErrMalformed)
	}
	if v.depth++; v.depth > v.shared.maxDepth {
		return v.stop(ErrTooDeep)
	}
	if v.steps--; v.steps < 0 {
		return v.stop(ErrTooComplex)
	}
	if v.shared.scoped {
		v.scope = append(v.scope, n.res)
	}
	if n.layers {
		end, ok = v.layered(n, pos, m)
	} else {
		end, ok = v.local(n, pos, m)
	}
	if v.shared.scoped {
		v.scope = v.scope[:len(v.scope)-1]
	}
	v.depth--
	return end, ok
}

// local applies the keywords of n that apply no other schema to the same value,
// and returns the result of check.
func (v *validator) local(n *node, pos int, m marks) (end int, ok bool) {
	switch v.data[pos] {
	case '{':
		if n.types&typeObject == 0 {
			return v.wrongType(n, pos)
		}
		if n.object == nil {
			end, ok = v.skip(pos), true
		} else {
			end, ok = v.object(n, pos, m)
		}
	case '[':
		if n.types&typeArray == 0 {
			return v.wrongType(n, pos)
		}
		if n.array == nil {
			end, ok = v.skip(pos), true
		} else {
			end, ok = v.array(n, pos, m)
		}
	case '"':
		if n.types&typeString == 0 {
			return v.wrongType(n, pos)
		}
		return v.string(n, pos)
	case 't', 'f', 'n':
		return v.literal(n, pos)
	default:
		return v.number(n, pos)
	}
	if end < 0 || !ok && v.quits() {
		return -1, false
	}
	if n.enum != nil && !v.has(n.enum, pos) {
		ok = v.fail(n, pos, "enum")
	}
	if n.constant != nil && !v.has(n.constant, pos) {
		ok = v.fail(n, pos, "const")
	}
	return end, ok
}

func (v *validator) literal(n *node, pos int) (end int, ok bool) {
	t := typeBoolean
	word := "true"
	switch v.data[pos] {
	case 'n':
		t, word = typeNull, "null"
	case 'f':
		word = "false"
	}
	if end = scanLiteral(v.data, pos, word); end < 0 {
		return v.stop(ErrMalformed)
	}
	if n.types&t == 0 {
		return v.wrongType(n, pos)
	}
	ok = true
	for i, set := range [...]*valueSet{n.enum, n.constant} {
		if set == nil || word == "null" && set.null || word == "true" && set.yes || word == "false" && set.no {
			continue
		}
		ok = v.fail(n, pos, setKeywords[i])
	}
	return end, ok
}

var setKeywords = [...]string{"enum", "const"}

func (v *validator) string(n *node, pos int) (end int, ok bool) {
	end, escaped := scanString(v.data, pos)
	if end < 0 {
		return v.stop(ErrMalformed)
	}
	raw := v.data[pos+1 : end-1]
	if len(raw) > bytesAStep && !v.spend(len(raw)/bytesAStep) {
		return -1, false
	}
	if n.str == nil && n.enum == nil && n.constant == nil {
		return end, true
	}
	if n.lengthOnly && escaped {
		if count := countEscaped(raw); count < n.str.minLength {
			return end, v.fail(n, pos, "minLength")
		} else if n.str.maxLength >= 0 && count > n.str.maxLength {
			return end, v.fail(n, pos, "maxLength")
		}
		return end, true
	}
	mark := len(v.text)
	s := v.unescaped(raw, escaped)
	ok = true
	if n.str != nil {
		ok = v.stringRules(n, pos, s)
	}
	if n.enum != nil && !n.enum.hasString(s) {
		ok = v.fail(n, pos, "enum")
	}
	if n.constant != nil && !n.constant.hasString(s) {
		ok = v.fail(n, pos, "const")
	}
	v.text = v.text[:mark]
	return end, ok && v.fatal == nil
}

// stringRules reports whether s, the text of the string at pos, satisfies the rules of n. It does
// not match patterns against strings that are too long.
func (v *validator) stringRules(n *node, pos int, s []byte) bool {
	// A code point has 1 to 4 bytes, so the code points often need not be counted.
	r := n.str
	if r.minLength > 0 && len(s) < 4*r.minLength && (len(s) < r.minLength || utf8.RuneCount(s) < r.minLength) {
		return v.fail(n, pos, "minLength")
	}
	if r.maxLength >= 0 && len(s) > r.maxLength && (len(s) > 4*r.maxLength || utf8.RuneCount(s) > r.maxLength) {
		return v.fail(n, pos, "maxLength")
	}
	ok := true
	for i, p := range r.patterns {
		if !v.spend(p.steps(s)) {
			return false
		}
		if !p.match(s) {
			ok = v.failWith(n, pos, "pattern", i, 0)
		}
	}
	if r.format != nil && !r.format.valid(s) {
		ok = v.fail(n, pos, "format")
	}
	return ok
}

// maxFastDigits is a number of digits that always fits into an int64.
const maxFastDigits = 18

func (v *validator) number(n *node, pos int) (end int, ok bool) {
	d, i := v.data, pos
	neg := d[i] == '-'
	if neg {
		i++
	}
	var x int64
	first := i
	for i < len(d) && '0' <= d[i] && d[i] <= '9' && i-first < maxFastDigits {
		x = x*10 + int64(d[i]-'0')
		i++
	}
	if i == first {
		return v.stop(ErrMalformed)
	}
	if i < len(d) && (d[i] == '.' || d[i] == 'e' || d[i] == 'E' || '0' <= d[i] && d[i] <= '9') {
		return v.exactNumber(n, pos)
	}
	if n.types&typeInteger == 0 {
		return v.wrongType(n, pos)
	}
	if neg {
		x = -x
	}
	ok = true
	if r := n.number; r != nil {
		if x < r.low || x > r.high {
			v.failBounds(n, pos, i)
			ok = false
		}
		if m := r.multiple; m != nil {
			if m.whole != 0 && x%m.whole != 0 || m.whole == 0 && !m.divides(parseDecimal(d[pos:i])) {
				ok = v.fail(n, pos, "multipleOf")
			}
		}
	}
	if n.enum != nil && !n.enum.hasInt(x) {
		ok = v.fail(n, pos, "enum")
	}
	if n.constant != nil && !n.constant.hasInt(x) {
		ok = v.fail(n, pos, "const")
	}
	return i, ok
}

// exactNumber does the work of number for a number with a fraction, an exponent or many digits.
func (v *validator) exactNumber(n *node, pos int) (end int, ok bool) {
	end = scanNumber(v.data, pos)
	if !v.spend((end - pos) / 4) {
		return -1, false
	}
	d := parseDecimal(v.data[pos:end])
	t := typeFraction
	if d.isInteger() {
		t = typeInteger
	}
	if n.types&t == 0 {
		return v.wrongType(n, pos)
	}
	ok = true
	if r := n.number; r != nil {
		for i := range r.bounds {
			if r.bounds[i].breaks(d) {
				ok = v.failWith(n, pos, r.bounds[i].keyword, i, 0)
			}
		}
		if r.multiple != nil && !r.multiple.divides(d) {
			ok = v.fail(n, pos, "multipleOf")
		}
	}
	if n.enum != nil && !n.enum.hasNumber(d) {
		ok = v.fail(n, pos, "enum")
	}
	if n.constant != nil && !n.constant.hasNumber(d) {
		ok = v.fail(n, pos, "const")
	}
	return end, ok
}

// failBounds records which bound an integer violates.
func (v *validator) failBounds(n *node, pos, end int) {
	if !v.collect {
		return
	}
	d := parseDecimal(v.data[pos:end])
	for i := range n.number.bounds {
		if n.number.bounds[i].breaks(d) {
			v.failWith(n, pos, n.number.bounds[i].keyword, i, 0)
		}
	}
}
