package search

import (
	"math/bits"
	"strings"
)

// span is the position in Index.names of an entry's folded path. The path ends with the entry's
// name.
type span struct {
	pathStart, nameStart, nameEnd int32
	humps                         uint64 // bit set of the bytes of the folded name at which words begin
}

// isMember reports whether the path contains other names before the name.
func (s *span) isMember() bool { return s.nameStart > s.pathStart }

// parent returns the path before the name.
func (x *Index) parent(s *span) string { return x.names[s.pathStart : s.nameStart-1] }

// path and name return the folded path and name of an entry.
func (x *Index) path(i int) string { return x.names[x.spans[i].pathStart:x.spans[i].nameEnd] }
func (x *Index) name(i int) string { return x.names[x.spans[i].nameStart:x.spans[i].nameEnd] }

// scoreNames matches a term with names only, and appends the entries that match to hits. If alone
// is true, the term is the whole query. Because the user may still be typing, it can be the
// beginning of a word. Otherwise, it is a whole word. For example, "add" is unlikely to mean
// address.
func (x *Index) scoreNames(t *term, scores []float32, alone bool, hits []int32, b *buffers) []int32 {
	dot := strings.LastIndexByte(t.text, '.')
	if dot >= 0 {
		for i := range members(x.spelled(t.text, b)) {
			if scores[i] = x.matchPath(t.text, dot, i); scores[i] > 0 {
				hits = append(hits, int32(i))
			}
		}
		return hits
	}
	within, begun, shortened := x.mayMatch(t, b)
	for n := range within {
		for rest := within[n] | begun[n] | shortened[n]; rest != 0; rest &= rest - 1 {
			bit := rest & -rest
			i := 64*n + bits.TrailingZeros64(rest)
			span := &x.spans[i]
			name := x.names[span.nameStart:span.nameEnd]
			var s float32
			switch {
			case within[n]&bit != 0:
				s = matchName(name, span.humps, t.text)
			case begun[n]&bit != 0:
				s = scoreInitials(name, span.humps, t.text)
			}
			if !alone && s > 0 && s < exactName && t.stem != "" && !endsWord(name, span.humps, t) {
				s *= withinWord
			}
			if s == 0 && shortened[n]&bit != 0 && strings.HasPrefix(name, t.stem) {
				s = stemmed
			}
			if s == 0 && span.isMember() && within[n]&bit != 0 {
				s = matchParent(x.parent(span), t.text)
			}
			if s > 0 {
				scores[i] = s
				hits = append(hits, int32(i))
			}
		}
	}
	return hits
}

// mayMatch returns three sets of entries that may match a term. The paths of the first set may
// contain the term. The names of the second set begin with its first byte and may have its
// initials. The names of the third set may begin with its stem.
func (x *Index) mayMatch(t *term, b *buffers) (within, begun, shortened []uint64) {
	s := &x.signatures
	within, begun, shortened = b.set(0, s.width), b.set(1, s.width), b.set(2, s.width)
	s.all(begun)
	s.keep(begun, t.mask)
	copy(within, begun)
	s.keepPairs(within, pairsOf(t.text))
	s.keepFirst(begun, t.text[0])
	clear(shortened)
	if len(t.stem) < len(t.text) && len(t.stem) >= 4 {
		s.all(shortened)
		s.keep(shortened, maskOf(t.stem))
		s.keepFirst(shortened, t.text[0])
	}
	return within, begun, shortened
}

// spelled returns the set of entries whose paths contain all letters of text.
func (x *Index) spelled(text string, b *buffers) []uint64 {
	set := b.set(0, x.signatures.width)
	x.signatures.all(set)
	x.signatures.keep(set, maskOf(text))
	return set
}

// matchPath matches a text of several components with the path of entry i and returns the score.
// dot is the index of the last dot in the text.
func (x *Index) matchPath(text string, dot, i int) float32 {
	span, path := &x.spans[i], x.path(i)
	rest, ok := strings.CutSuffix(path, text)
	switch {
	case ok && rest == "":
		return exactPath
	case ok && strings.HasSuffix(rest, "."):
		return exactName
	case strings.HasPrefix(path, text):
		return prefix + fullness*float32(len(text))/float32(len(path))
	case !span.isMember():
		return 0
	}
	parent := matchParent(x.parent(span), text[:dot])
	if parent == 0 {
		return 0
	}
	name := matchName(x.name(i), span.humps, text[dot+1:])
	if name == 0 {
		return 0
	}
	return 0.8*name + 0.2*parent
}

// matchParent returns the score of a term for the path of a symbol's parent, or 0 if they do not
// match.
func matchParent(parent, text string) float32 {
	last := parent[strings.LastIndexByte(parent, '.')+1:]
	switch {
	case last == text || parent == text:
		return parentName
	case strings.HasPrefix(last, text) && len(text) >= 3:
		return parentName * float32(len(text)) / float32(len(last))
	}
	return 0
}

// matchName returns the score of a term for a name. humps contains the positions of the name's
// words. The score is 0 if they do not match.
func matchName(name string, humps uint64, text string) float32 {
	full := fullness * float32(len(text)) / float32(len(name))
	if strings.HasPrefix(name, text) {
		if len(text) == len(name) {
			return exactName
		}
		return prefix + full
	}
	for starts := humps; starts != 0; starts &= starts - 1 {
		if from := bits.TrailingZeros64(starts); from < len(name) && name[from] == text[0] && strings.HasPrefix(name[from:], text) {
			return humpPrefix + full
		}
	}
	switch {
	case !strings.Contains(name, text):
		return scoreInitials(name, humps, text)
	case len(text) < 3:
		return 0
	}
	return substring + full
}

// scoreInitials returns the score of a term that a name does not contain but whose letters are
// initials of the name's words.
func scoreInitials(name string, humps uint64, text string) float32 {
	if len(text) < 2 || !matchInitials(name, humps, text) {
		return 0
	}
	return initials + fullness*float32(len(text))/float32(2*bits.OnesCount64(humps)+len(name))
}

// endsWord reports whether a term occurs in a name and ends at the end of a word, or the word in
// the name is another form of the term. For example, FileServer contains another form of "serve".
// It also returns true if the name does not contain the term, because the term then matched by
// initials.
func endsWord(name string, humps uint64, t *term) bool {
	for from := 0; ; from++ {
		index := strings.Index(name[from:], t.text)
		if index < 0 {
			return from == 0
		}
		from += index
		end := from + len(t.text)
		for end < len(name) && (end >= 64 || humps&(1<<end) == 0) {
			end++
		}
		if word := name[from:end]; word == t.text || stem(word) == t.stem {
			return true
		}
	}
}

// matchInitials reports whether text consists of the beginnings of words of the name, in order,
// starting with the first word. For example, "nrwc" and "newreqctx" match NewRequestWithContext.
func matchInitials(name string, humps uint64, text string) bool {
	if name == "" || text[0] != name[0] {
		return false
	}
	// reach is the set of positions in the name at which the text that has been read so far can
	// end.
	reach := uint64(1)
	for i := 1; i < len(text); i++ {
		var next uint64
		// Continue within a word, or jump to the beginning of any later word.
		candidates := reach << 1
		if reach != 0 {
			lowest := uint(bits.TrailingZeros64(reach))
			candidates |= humps &^ (1<<(lowest+1) - 1)
		}
		for candidates != 0 {
			index := bits.TrailingZeros64(candidates)
			candidates &= candidates - 1
			if index < len(name) && name[index] == text[i] {
				next |= 1 << index
			}
		}
		if next == 0 {
			return false
		}
		reach = next
	}
	return true
}
