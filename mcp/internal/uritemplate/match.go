package uritemplate

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Match returns the percent-decoded values with which t expands to uri. A variable has one value,
// or any number of values if it is exploded; an undefined variable is not in the map. Named
// variables may come in any order. Names from the keys of a map are unknown, so they do not match.
//
// Match accepts more URIs than Expand creates, because people and models also write URIs. A value
// may contain unencoded characters other than delimiters. A value of {x} ends before the next
// slash, question mark or number sign. A value of {/x} or {.x} also ends before the next separator.
// {x} and {+x} match at least one character; other expressions can match the empty string. {+x}
// matches all characters except a question mark or number sign with which a later part of the
// template begins. If there is a choice, {x} and {+x} match as much as possible, from left to
// right, and other expressions match as much as these leave.
func (t *Template) Match(uri string) (map[string][]string, bool) {
	if len(uri) > MaxLength {
		return nil, false
	}
	s, ok := normalize(uri)
	if !ok || !t.hasEnds(s) {
		return nil, false
	}
	m := newMatcher(s, len(t.matched))
	m.reach(0).add(0)
	for k := range t.matched {
		m.advance(&t.matched[k], m.reach(k), m.reach(k+1))
	}
	end := len(s)
	if !m.reach(len(t.matched)).has(end) {
		return nil, false
	}
	values := make(map[string][]string, len(t.names))
	found := func(v *variable, value []string) bool {
		if old, ok := values[v.name]; !ok || len(value[0]) > len(old[0]) {
			values[v.name] = value
		}
		return true
	}
	regions := make([]string, len(t.matched))
	for k := len(t.matched) - 1; k >= 0; k-- {
		p := &t.matched[k]
		start := m.begin(p, m.reach(k), end)
		regions[k] = s[start:end]
		if p.op != nil && !p.read(regions[k], found) {
			return nil, false
		}
		end = start
	}
	if !t.repeats {
		return values, true
	}
	agrees := func(v *variable, value []string) bool {
		full := values[v.name]
		return slices.Equal(value, full) || v.prefix > 0 && len(full) == 1 && value[0] == prefix(full[0], v.prefix, false)
	}
	for k := range t.matched {
		if p := &t.matched[k]; p.op != nil && !p.read(regions[k], agrees) {
			return nil, false
		}
	}
	return values, true
}

// hasEnds reports whether s has the literals with which t begins and ends, if it has any.
func (t *Template) hasEnds(s string) bool {
	if len(t.matched) == 0 {
		return s == ""
	}
	first, last := &t.matched[0], &t.matched[len(t.matched)-1]
	return (first.op != nil || strings.HasPrefix(s, first.literal)) && (last.op != nil || strings.HasSuffix(s, last.literal))
}

// prepareMatch sets t.matched to the parts, with the characters that each part can match. It joins
// adjacent expressions if their variables could be in one expression.
func (t *Template) prepareMatch() {
	for _, p := range t.parts {
		if p.op == nil {
			p.literal, _ = normalize(p.literal)
			t.matched = append(t.matched, p)
			continue
		}
		if n := len(t.matched); n > 0 && t.matched[n-1].continuedBy(&p) {
			last := &t.matched[n-1]
			if last.op != p.op {
				last.alias = p.op.first
			}
			last.vars = append(slices.Clip(last.vars), p.vars...)
			continue
		}
		t.matched = append(t.matched, p)
	}
	ahead := uint8(0) // classes of the question mark and the number sign, if a later part contains them
	for k := len(t.matched) - 1; k >= 0; k-- {
		p := &t.matched[k]
		if p.op == nil {
			for _, c := range []byte(p.literal) {
				ahead |= classes[c]
			}
			continue
		}
		p.prepare(ahead & (question | hash))
		ahead |= classes[p.op.first]
	}
}

// continuedBy reports whether the variables of next could be part of p.
func (p *part) continuedBy(next *part) bool {
	if p.op == nil || p.op.first == 0 || p.op.first == '#' {
		return false
	}
	return p.op == next.op && p.op.first != '?' || p.op.first == '?' && next.op.first == '&'
}

// prepare sets the fields for matching. ahead contains the classes of characters that {+x} cannot
// match.
func (p *part) prepare(ahead uint8) {
	const simple = unreserved | subDelims | colonAt | percent
	switch p.op.first {
	case '#':
		p.class = ^hash
	case '/':
		p.class = simple | slash
	case '?', '&':
		p.class = simple | slash | question
	default:
		p.class = simple
		if p.op.reserved {
			p.class = ^ahead
		}
	}
	p.split = len(p.vars) > 1 || p.vars[0].explode || p.op.sep != ','
	if p.split {
		p.items = len(p.vars)
	}
	for _, v := range p.vars {
		if v.explode {
			p.items = 0
		}
	}
	if len(p.vars) == 1 && !p.op.named {
		p.limit = p.vars[0].prefix
	}
}

// begins reports whether c can be the first character of the expression.
func (p *part) begins(c byte) bool {
	return c == p.op.first || p.alias != 0 && c == p.alias
}

// A matcher computes the positions at which the parts of a template can begin
// and end.
type matcher struct {
	s     string
	words int
	sets  []uint64
	// far[i] is the end of the longest match at i of the part that was last passed to measure.
	far  []int32
	seps []int32
}

func newMatcher(s string, parts int) *matcher {
	words := len(s)/64 + 1
	return &matcher{s: s, words: words, sets: make([]uint64, words*(parts+1)), far: make([]int32, len(s)+1)}
}

// reach returns the positions at which part k can begin after the parts before it.
func (m *matcher) reach(k int) set { return m.sets[k*m.words : (k+1)*m.words] }

// advance adds to ends the positions where p can end if it begins at a position
// in starts.
func (m *matcher) advance(p *part, starts, ends set) {
	switch {
	case p.op == nil:
		for i := starts.next(0); i >= 0; i = starts.next(i + 1) {
			if strings.HasPrefix(m.s[i:], p.literal) {
				ends.add(i + len(p.literal))
			}
		}
	case p.op.named:
		for i := starts.next(0); i >= 0; i = starts.next(i + 1) {
			ends.add(i)
			p.params(m.s, i, func(_ int, _ string, end int) { ends.add(end) })
		}
	default:
		first := starts.next(0)
		if first < 0 {
			return
		}
		m.measure(p)
		covered := -1
		for i := first; i <= len(m.s); i++ {
			if i <= covered && isBoundary(m.s, i) {
				ends.add(i)
			}
			if starts.has(i) {
				if p.op.first != 0 {
					ends.add(i)
				}
				covered = max(covered, m.farthest(p, i))
			}
		}
	}
}

// begin returns a position in starts at which p begins if it ends at end. There must be such a
// position.
func (m *matcher) begin(p *part, starts set, end int) int {
	switch {
	case p.op == nil:
		return end - len(p.literal)
	case p.op.named:
		for i := starts.next(0); i >= 0 && i < end; i = starts.next(i + 1) {
			fits := false
			p.params(m.s, i, func(_ int, _ string, e int) { fits = fits || e == end })
			if fits {
				return i
			}
		}
		return end
	}
	m.measure(p)
	if p.op.first != 0 {
		for i := starts.next(0); i >= 0 && i < end; i = starts.next(i + 1) {
			if m.farthest(p, i) >= end {
				return i
			}
		}
		return end
	}
	for i := end - 1; ; i-- {
		if starts.has(i) && m.farthest(p, i) >= end {
			return i
		}
	}
}

// measure sets m.far for p.
func (m *matcher) measure(p *part) {
	seps := m.seps[:0]
	run := int32(len(m.s))
	m.far[run] = run
	for i := run - 1; i >= 0; i-- {
		c := m.s[i]
		if classes[c]&p.class == 0 {
			run = i
		}
		m.far[i] = run
		if p.items == 0 {
			continue
		}
		if c == p.op.sep {
			seps = append(seps, i)
		}
		if len(seps) >= p.items {
			m.far[i] = min(run, seps[len(seps)-p.items])
		}
	}
	m.seps = seps
}

// farthest returns the end of the longest match of p at i, or 0 if p cannot
// begin there.
func (m *matcher) farthest(p *part, i int) int {
	if p.op.first != 0 {
		if i == len(m.s) || !p.begins(m.s[i]) {
			return 0
		}
		i++
	}
	end := int(m.far[i])
	if p.limit == 0 {
		return end
	}
	for n := 0; i < end; i++ {
		if isBoundary(m.s, i) {
			if n++; n > p.limit {
				break
			}
		}
	}
	return i
}

// isBoundary reports whether a character of the decoded text can begin at s[i].
func isBoundary(s string, i int) bool {
	if i > 0 && s[i-1] == '%' || i > 1 && s[i-2] == '%' {
		return false
	}
	return i == len(s) || s[i] != '%' || unhex(s[i+1])&^3 != 8
}

// params iterates over the name-value pairs in s, starting at i. It calls found with the index of
// the variable, the value, and the end of the pair. It stops at an unknown name, or at a repeated
// name without the explode modifier.
func (p *part) params(s string, i int, found func(k int, value string, end int)) {
	if i == len(s) || !p.begins(s[i]) {
		return
	}
	used := make([]bool, len(p.vars))
	for {
		i++
		end := i
		for end < len(s) && s[end] != p.op.sep && classes[s[end]]&p.class != 0 {
			end++
		}
		name, value, _ := strings.Cut(s[i:end], "=")
		k := slices.IndexFunc(p.vars, func(v variable) bool { return v.key == name })
		if k < 0 || used[k] {
			return
		}
		used[k] = !p.vars[k].explode
		found(k, value, end)
		if i = end; i == len(s) || s[i] != p.op.sep {
			return
		}
	}
}

// read calls found with the values in text, which p has matched. It returns false if a value is not
// valid for its variable or if found returns false.
func (p *part) read(text string, found func(v *variable, value []string) bool) bool {
	if text == "" {
		return true
	}
	if p.op.named {
		lists := make([][]string, len(p.vars))
		p.params(text, 0, func(k int, value string, _ int) { lists[k] = append(lists[k], value) })
		for k, values := range lists {
			if values != nil && !accept(&p.vars[k], values, found) {
				return false
			}
		}
		return true
	}
	if p.op.first != 0 {
		text = text[1:]
	}
	if !p.split {
		return accept(&p.vars[0], []string{text}, found)
	}
	values := strings.Split(text, string(p.op.sep))
	for k := range p.vars {
		v := &p.vars[k]
		n := 1
		if v.explode {
			n = max(len(values)-len(p.vars)+k+1, 0)
		}
		if n = min(n, len(values)); n == 0 {
			continue
		}
		if !accept(v, values[:n:n], found) {
			return false
		}
		values = values[n:]
	}
	return len(values) == 0
}

// accept decodes the values of v in place and calls found with them. It returns false if one of
// them is not valid for v or if found returns false.
func accept(v *variable, values []string, found func(*variable, []string) bool) bool {
	for i, value := range values {
		decoded, ok := unescape(value)
		if !ok || v.prefix > 0 && utf8.RuneCountInString(decoded) > v.prefix {
			return false
		}
		values[i] = decoded
	}
	return found(v, values)
}

// unescape decodes s. All triplets in s must be valid. It returns false if the result is not UTF-8.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, size := decodeByte(s[i:])
		b = append(b, c)
		i += size
	}
	return string(b), utf8.Valid(b)
}

// decodeByte decodes the byte or triplet at the beginning of s and returns its
// length.
func decodeByte(s string) (c byte, size int) {
	if s[0] != '%' {
		return s[0], 1
	}
	return unhex(s[1])<<4 | unhex(s[2]), 3
}

// normalize returns s with upper-case percent-encoding, in which unreserved characters are decoded.
// It returns false if s contains characters that are not allowed in a URI.
func normalize(s string) (string, bool) {
	encoded := false
	for i := range len(s) {
		switch classes[s[i]] {
		case 0:
			return "", false
		case percent:
			if !isTriplet(s[i:]) {
				return "", false
			}
			encoded = true
		}
	}
	if !encoded {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, size := decodeByte(s[i:])
		if size > 1 && classes[c] != unreserved {
			b = appendTriplet(b, c)
		} else {
			b = append(b, c)
		}
		i += size
	}
	return string(b), true
}

// A set is a set of positions in the text, stored as bits.
type set []uint64

func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// next returns the smallest element that is not less than i, or -1.
func (s set) next(i int) int {
	for w := i >> 6; w < len(s); w++ {
		word := s[w]
		if w == i>>6 {
			word &= ^uint64(0) << (i & 63)
		}
		if word != 0 {
			return w<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
