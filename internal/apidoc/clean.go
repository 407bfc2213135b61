package apidoc

import (
	"strings"
	"unicode/utf8"
)

// Clean removes from text what no reader sees and a model would still read:
// control characters other than newline and tab, characters without a shape,
// and those that change the direction in which text is shown. CR LF becomes
// LF, bytes that are not UTF-8 become U+FFFD.
func Clean(s string) string {
	i := 0
	for i < len(s) && (s[i] >= ' ' && s[i] < 0x7f || s[i] == '\n' || s[i] == '\t') {
		i++
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || unseen(r) {
			break
		}
		i += size
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		if !unseen(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseen reports whether r is shown as nothing or steers how other characters
// are shown.
func unseen(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r <= 0x9f:
		return true
	case r == 0xad, r == 0x34f, r == 0x61c, // soft hyphen, grapheme joiner, Arabic letter mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // Hangul fillers
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		0x180b <= r && r <= 0x180f,   // Mongolian selectors
		0x200b <= r && r <= 0x200f,   // zero width space and joiners, direction marks
		0x2028 <= r && r <= 0x202e,   // line and paragraph separators, embeddings and overrides
		0x2060 <= r && r <= 0x206f,   // word joiner, invisible operators, isolates
		0xfe00 <= r && r <= 0xfe0f,   // variation selectors
		r == 0xfeff,                  // byte order mark
		0xfff0 <= r && r <= 0xfffb,   // interlinear annotation
		0x1bca0 <= r && r <= 0x1bca3, // shorthand format controls
		0x1d173 <= r && r <= 0x1d17a, // musical format controls
		0xe0000 <= r && r <= 0xe0fff: // tags, variation selectors supplement
		return true
	}
	return false
}
