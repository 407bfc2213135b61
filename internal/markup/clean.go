// Package markup processes the prose of documentation: it removes invisible
// characters, converts HTML to Markdown, and splits Markdown at its headings.
//
// The Markdown functions parse only lines, fenced and indented code, and
// headings that begin with "#".
package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s without characters that can hide text. These are control
// characters (including terminal escapes) except newline and tab, format
// characters such as zero-width and bidirectional controls and tags, and
// variation selectors. Line ends become "\n"; bytes that are not UTF-8 become
// U+FFFD. It returns s itself if there is nothing to change.
func Clean(s string) string {
	i := plain(s)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '\r':
			if !strings.HasPrefix(s[i:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\n' || r == '\t' || !Hidden(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain returns the length of the prefix of s that is printable ASCII, newline
// and tab. Most text is, so it checks eight bytes at a time.
func plain(s string) int {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	i := 0
	for {
		for ; i+8 <= len(s); i += 8 {
			w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
				uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
			// The top bit of a byte is set if the byte is below ' ', or at
			// least 0x7f; a carry from a lower byte may also set it.
			if ((w-' '*ones)|(w+ones)|w)&tops != 0 {
				break
			}
		}
		end := min(i+8, len(s))
		for ; i < end; i++ {
			if (s[i] < ' ' || s[i] >= 0x7f) && s[i] != '\n' && s[i] != '\t' {
				return i
			}
		}
		if i == len(s) {
			return i
		}
	}
}

// Hidden reports whether a character has no width, reorders its neighbours, or
// controls a terminal.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	switch {
	case r == 0x034F, // This is the combining grapheme joiner.
		r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, // Hangul fillers
		r == 0x17B4, r == 0x17B5, // Khmer inherent vowels
		r >= 0x180B && r <= 0x180F,   // Mongolian variation selectors
		r >= 0xFE00 && r <= 0xFE0F,   // These are variation selectors.
		r >= 0xE0000 && r <= 0xE0FFF, // These are tags and more variation selectors.
		r == 0x2028, r == 0x2029:     // These are line and paragraph separators.
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}
