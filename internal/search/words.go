package search

import (
	"iter"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold returns a name without differences in case and in word separators. For example, ReadAll,
// readAll, read_all and read-all all become "readall". The path separators of all languages become
// ".".
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '_' || r == '-':
		case r == '.' || r == ':' || r == '#' || r == '/':
			if b.Len() > 0 && b.String()[b.Len()-1] != '.' {
				b.WriteByte('.')
			}
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteByte(byte(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// notInQuery reports whether a rune separates terms of a query.
func notInQuery(r rune) bool {
	switch r {
	case '.', ':', '#', '/', '_', '-', '$', '@':
		return false
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// rawWords returns an iterator over the words of text in their original spelling. A word is a
// sequence of letters and digits. For a compound name, rawWords returns the complete name and then
// each of its words.
func rawWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); {
			start := i
			var camel, plain bool
			for i < len(text) {
				c := text[i]
				if c < utf8.RuneSelf {
					if class[c] == 0 {
						break
					}
					camel = camel || class[c] == upper && i > start
					i++
					continue
				}
				r, size := utf8.DecodeRuneInString(text[i:])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					break
				}
				plain = true
				i += size
			}
			if i == start {
				_, size := utf8.DecodeRuneInString(text[i:])
				i += size
				continue
			}
			word := text[start:i]
			if len(word) < 2 || len(word) > maxWord {
				continue
			}
			if !yield(word) {
				return
			}
			if camel && !plain && !humpsOf(word, yield) {
				return
			}
		}
	}
}

const maxWord = 64 // maximum length of a word in bytes; longer sequences are data

// humpsOf calls yield with the words of a camel-case name.
func humpsOf(name string, yield func(string) bool) bool {
	starts := humps(name)
	for from := 0; from < len(name); {
		to := from + 1
		for to < len(name) && starts&(1<<to) == 0 {
			to++
		}
		if to-from >= 2 && to-from < len(name) && !yield(name[from:to]) {
			return false
		}
		from = to
	}
	return true
}

const (
	lower = iota + 1
	upper
	digit
)

var class = func() (c [utf8.RuneSelf]uint8) {
	for r := 'a'; r <= 'z'; r++ {
		c[r] = lower
	}
	for r := 'A'; r <= 'Z'; r++ {
		c[r] = upper
	}
	for r := '0'; r <= '9'; r++ {
		c[r] = digit
	}
	return c
}()

// humps returns the set of positions at which words begin in an ASCII name of at most 64 bytes. A
// word begins at the first byte, at a capital letter next to a small letter, at a digit after a
// letter, and at a letter after a digit.
func humps(name string) uint64 {
	var starts uint64
	var before uint8
	for i := range min(len(name), 64) {
		var now, after uint8
		if name[i] < utf8.RuneSelf {
			now = class[name[i]]
		}
		if i+1 < len(name) && name[i+1] < utf8.RuneSelf {
			after = class[name[i+1]]
		}
		switch {
		case i == 0,
			now == upper && (before != upper || after == lower),
			now == digit && before != digit,
			now == lower && before != lower && before != upper:
			starts |= 1 << i
		}
		before = now
	}
	return starts
}

// maskOf returns the set of letters and digits in a folded name. It is used to exclude names
// quickly that do not contain one of them.
func maskOf(s string) uint64 {
	var m uint64
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			m |= 1 << (c - 'a')
		case c >= '0' && c <= '9':
			m |= 1 << (26 + c - '0')
		case c != '.':
			m |= 1 << (36 + c%28)
		}
	}
	return m
}

// pairsOf returns the set of pairs of adjacent bytes in a folded name, hashed to 64 bits. It is
// used to exclude names quickly that do not contain one of them.
func pairsOf(s string) uint64 {
	var m uint64
	for i := 1; i < len(s); i++ {
		m |= 1 << ((31*s[i-1] + 7*s[i]) & 63)
	}
	return m
}

// rarity returns a value between 1, if only one of n entries contains a word, and 0, if all entries
// do. count is the number of entries that contain the word.
func rarity(count, n int) float32 {
	if n <= 1 {
		return 1
	}
	return float32(1 - math.Log(float64(count))/math.Log(float64(n)+1))
}
