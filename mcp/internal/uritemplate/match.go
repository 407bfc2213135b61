package uritemplate

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Match finds values with which t expands to uri, percent-decoded. A variable
// has one value, with the explode modifier any number; one that is left out
// has none. Named variables may come in any order. Names that a map would
// bring along are not known to the template, so they do not match.
//
// What an expression can match goes a little further than what Expand writes,
// because people and models write URIs too: characters that need no encoding
// where they stand count as the value's own. So a value of {x} reaches to the
// next slash, question mark or number sign, one of {/x} or {.x} also to the
// next separator. {x} and {+x} match one character at least, others also
// nothing. {+x} matches all characters, but not across a question mark or
// number sign with which a later part of the template begins. Where this
// leaves a choice, {x} and {+x} match as much as they can, the earlier ones
// first, and others take what they can from these.
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

// hasEnds reports whether s has the literals that t begins and ends with.
func (t *Template) hasEnds(s string) bool {
	if len(t.matched) == 0 {
		return s == ""
	}
	first, last := &t.matched[0], &t.matched[len(t.matched)-1]
	return (first.op != nil || strings.HasPrefix(s, first.literal)) && (last.op != nil || strings.HasSuffix(s, last.literal))
}

// prepareMatch fills in t.matched: expressions that continue one another are
// joined, and each knows what it can match.
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
	ahead := uint8(0) // question mark and number sign, if a later part has them
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

// continuedBy reports whether the variables of next could as well be in p.
func (p *part) continuedBy(next *part) bool {
	if p.op == nil || p.op.first == 0 || p.op.first == '#' {
		return false
	}
	return p.op == next.op && p.op.first != '?' || p.op.first == '?' && next.op.first == '&'
}

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

// begins reports whether c can begin the expression.
func (p *part) begins(c byte) bool {
	return c == p.op.first || p.alias != 0 && c == p.alias
}

// A matcher finds the places where the parts of a template can begin and end.
type matcher struct {
	s     string
	words int
	sets  []uint64
	// far[i] is how far values that begin at i reach, for the part that measure
	// was called with.
	far  []int32
	seps []int32
}

func newMatcher(s string, parts int) *matcher {
	words := len(s)/64 + 1
	return &matcher{s: s, words: words, sets: make([]uint64, words*(parts+1)), far: make([]int32, len(s)+1)}
}

// reach is the set of places where part k can begin, given the parts before.
func (m *matcher) reach(k int) set { return m.sets[k*m.words : (k+1)*m.words] }

// advance fills to with the places where p can end if it begins at one of
// from.
func (m *matcher) advance(p *part, from, to set) {
	switch {
	case p.op == nil:
		for i := from.next(0); i >= 0; i = from.next(i + 1) {
			if strings.HasPrefix(m.s[i:], p.literal) {
				to.add(i + len(p.literal))
			}
		}
	case p.op.named:
		for i := from.next(0); i >= 0; i = from.next(i + 1) {
			to.add(i)
			p.params(m.s, i, func(_ int, _ string, end int) { to.add(end) })
		}
	default:
		first := from.next(0)
		if first < 0 {
			return
		}
		m.measure(p)
		covered := -1
		for i := first; i <= len(m.s); i++ {
			if i <= covered && isBoundary(m.s, i) {
				to.add(i)
			}
			if from.has(i) {
				if p.op.first != 0 {
					to.add(i)
				}
				covered = max(covered, m.farthest(p, i))
			}
		}
	}
}

// begin is the place in from where p begins if it ends at end, which is known
// to be possible.
func (m *matcher) begin(p *part, from set, end int) int {
	switch {
	case p.op == nil:
		return end - len(p.literal)
	case p.op.named:
		for i := from.next(0); i >= 0 && i < end; i = from.next(i + 1) {
			fits := false
			p.params(m.s, i, func(_ int, _ string, at int) { fits = fits || at == end })
			if fits {
				return i
			}
		}
		return end
	}
	m.measure(p)
	if p.op.first != 0 {
		for i := from.next(0); i >= 0 && i < end; i = from.next(i + 1) {
			if m.farthest(p, i) >= end {
				return i
			}
		}
		return end
	}
	for i := end - 1; ; i-- {
		if from.has(i) && m.farthest(p, i) >= end {
			return i
		}
	}
}

// measure fills in far.
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

// farthest is how far p reaches if it begins at i; 0 if it cannot.
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

// isBoundary reports whether a character of the text that s encodes can begin
// at i.
func isBoundary(s string, i int) bool {
	if i > 0 && s[i-1] == '%' || i > 1 && s[i-2] == '%' {
		return false
	}
	return i == len(s) || s[i] != '%' || unhex(s[i+1])&^3 != 8
}

// params walks the pairs of name and value with which s goes on at i, and
// calls found for each with the number of the variable, the value and where
// the pair ends. It stops at a name that is not the part's or has had its
// value.
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

// read calls found with the values in text, which p has matched, and reports
// whether they are all that the variables can have and found agrees.
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

// accept decodes values of v in place and calls found with them.
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

// unescape decodes s, whose triplets are known to be good. What it encodes
// must be UTF-8.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return string(b), utf8.Valid(b)
}

// normalize is a URI, or part of one, with percent-encoding in the one form
// that all its spellings share: upper-case digits, and none for unreserved
// characters. It reports false if s has what no URI has.
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
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if classes[c] != unreserved {
				b = appendTriplet(b, c)
				continue
			}
		}
		b = append(b, c)
	}
	return string(b), true
}

// A set holds places in a text.
type set []uint64

func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// next is the least member that is not less than i, or -1.
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
