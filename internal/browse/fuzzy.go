package browse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxQuery is the maximum length of a query, in bytes.
	maxQuery = 200
	// maxName is the maximum length, in bytes, of the part of a name that is compared with a query.
	maxName = 500
)

// These are parts of the score of a match.
const (
	scoreEqual      = 1000 // the query is the whole name
	scoreLastPart   = 800  // the query is the last part of a path
	scorePrefix     = 500  // the name begins with the query
	scoreBoundary   = 300  // a part of the name begins with the query
	scoreInitials   = 200  // the query consists of the beginnings of parts of the name
	scoreContained  = 150  // the query is within the name
	scoreStart      = 12   // a character of the query begins a part of the name
	scoreAfter      = 8    // a character of the query directly follows the previous one
	scoreCase       = 2    // a character of the query has the same case
	scorePerMissing = -1   // for each character of the name that the query lacks
)

// pattern is a query. A name matches if it contains the characters of each word in order.
type pattern struct{ words [][]rune }

func newPattern(query string) pattern {
	var p pattern
	for word := range strings.FieldsSeq(query) {
		p.words = append(p.words, []rune(word))
	}
	return p
}

// match returns a score that is higher the better a name matches, and the indexes of the matching
// characters in ascending order.
func (p pattern) match(name string) (score int, places []int, ok bool) {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	for _, word := range p.words {
		if len(word) > len(name) || !contains(name, word) { // Most names do not match, so test for that first.
			return 0, nil, false
		}
	}
	text := []rune(name)
	for _, word := range p.words {
		s, found, ok := matchWord(text, word)
		if !ok {
			return 0, nil, false
		}
		score += s
		places = mergePlaces(places, found)
	}
	return score + scorePerMissing*(len(text)-len(places)), places, true
}

// contains reports whether a name contains the characters of a word in order.
func contains(name string, word []rune) bool {
	i := 0
	for _, r := range name {
		if equalFold(r, word[i]) {
			if i++; i == len(word) {
				return true
			}
		}
	}
	return false
}

func equalFold(a, b rune) bool {
	if a == b {
		return true
	}
	if a < utf8.RuneSelf && b < utf8.RuneSelf {
		return a|0x20 == b|0x20 && (a|0x20) >= 'a' && (a|0x20) <= 'z'
	}
	return unicode.ToLower(a) == unicode.ToLower(b)
}

// begins reports whether a part of a name begins at an index.
func begins(text []rune, i int) bool {
	if i == 0 {
		return true
	}
	before, r := text[i-1], text[i]
	if !isWord(before) {
		return isWord(r)
	}
	return unicode.IsUpper(r) && !unicode.IsUpper(before) || unicode.IsDigit(r) && !unicode.IsDigit(before)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// matchWord matches one word. It looks for the whole word in the name, or else for its characters
// one by one.
func matchWord(text, word []rune) (score int, places []int, ok bool) {
	start := -1
	for i := 0; i+len(word) <= len(text); i++ {
		if !hasAt(text, word, i) {
			continue
		}
		s := scoreContained
		switch {
		case i == 0 && len(word) == len(text):
			s = scoreEqual
		case i+len(word) == len(text) && !isWord(text[i-1]):
			s = scoreLastPart
		case i == 0:
			s = scorePrefix
		case begins(text, i):
			s = scoreBoundary
		}
		if s > score {
			score, start = s, i
		}
	}
	if start >= 0 {
		for i := range word {
			places = append(places, start+i)
		}
		return score + sameCase(text, word, places), places, true
	}
	return matchApart(text, word)
}

func hasAt(text, word []rune, at int) bool {
	for i, r := range word {
		if !equalFold(text[at+i], r) {
			return false
		}
	}
	return true
}

// matchApart finds the characters of a word one by one. It prefers a character that begins a part
// of the name, if the rest can still be found.
func matchApart(text, word []rune) (score int, places []int, ok bool) {
	// last[k] is the last index at which word[k:] can begin.
	last := make([]int, len(word))
	i := len(text) - 1
	for k := len(word) - 1; k >= 0; k-- {
		for i >= 0 && !equalFold(text[i], word[k]) {
			i--
		}
		if i < 0 {
			return 0, nil, false
		}
		last[k] = i
		i--
	}
	next, loose := 0, 0
	for k, r := range word {
		position := -1
		for i := next; i <= last[k]; i++ {
			if !equalFold(text[i], r) {
				continue
			}
			if i == next && k > 0 || begins(text, i) {
				position = i
				break
			}
			if position < 0 {
				position = i
			}
		}
		start, after := begins(text, position), k > 0 && position == next
		if start {
			score += scoreStart
		}
		if after {
			score += scoreAfter
		}
		if !start && !after {
			loose++
		}
		places = append(places, position)
		next = position + 1
	}
	switch {
	case loose > len(word)/looseShare:
		return 0, nil, false
	case loose == 0:
		score += scoreInitials
	}
	return score + sameCase(text, word, places), places, true
}

// looseShare limits the characters of a word that may be anywhere in a name to 1/looseShare of the
// word. The others must begin a part of the name or follow the previous character.
const looseShare = 3

func sameCase(text, word []rune, places []int) int {
	score := 0
	for i, place := range places {
		if text[place] == word[i] {
			score += scoreCase
		}
	}
	return score
}

// mergePlaces merges two ascending lists.
func mergePlaces(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	merged := make([]int, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			merged, a = append(merged, a[0]), a[1:]
		case len(a) > 0 && a[0] == b[0]:
			merged, a, b = append(merged, a[0]), a[1:], b[1:]
		default:
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return merged
}
