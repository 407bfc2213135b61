// Package markup handles the prose of documentation: it cleans text of what a
// reader cannot see, and takes Markdown apart at its headings.
//
// The Markdown functions know as much of the syntax as they need: lines,
// fenced and indented code, and headings that begin with "#".
package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s without what can hide in text: control characters (terminal
// escapes among them) except newline and tab, format characters such as
// zero-width and bidirectional controls and tags, and variation selectors.
// Line ends become "\n"; bytes that are not UTF-8 become U+FFFD. It returns s
// itself if there is nothing to change.
func Clean(s string) string {
	i := 0
	for i < len(s) && (s[i] >= ' ' && s[i] < 0x7f || s[i] == '\n' || s[i] == '\t') {
		i++
	}
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
		case r == '\n' || r == '\t' || !hidden(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden is true for what takes no room, reorders its neighbours, or commands
// a terminal.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	switch {
	case r == 0x034F, // combining grapheme joiner
		r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, // Hangul fillers
		r == 0x17B4, r == 0x17B5, // Khmer inherent vowels
		r >= 0x180B && r <= 0x180F,   // Mongolian variation selectors
		r >= 0xFE00 && r <= 0xFE0F,   // variation selectors
		r >= 0xE0000 && r <= 0xE0FFF, // tags and more variation selectors
		r == 0x2028, r == 0x2029:     // line and paragraph separators
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}
