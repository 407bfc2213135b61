package jsonschema

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestHost  = 253
	longestLabel = 63
)

// isHostname checks a host name of RFC 1123. Labels that start with xn-- must stand for valid international ones.
func isHostname(s []byte) bool {
	if len(s) > longestHost {
		return false
	}
	for label := range bytes.SplitSeq(s, []byte(".")) {
		if !isASCIILabel(label) {
			return false
		}
		if isALabel(label) {
			decoded, ok := decodeALabel(label)
			if !ok || !isULabel(decoded) || hasRightToLeft(decoded) && !followsBidiRule(decoded) {
				return false
			}
		}
	}
	return true
}

// isASCIILabel checks for letters, digits and inner hyphens.
func isASCIILabel(s []byte) bool {
	if len(s) == 0 || len(s) > longestLabel || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for _, c := range s {
		if !isLetter(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

func isALabel(s []byte) bool { return len(s) >= 4 && strings.EqualFold(string(s[:4]), "xn--") }

// decodeALabel returns the label that an xn-- label stands for, which must be the only way to write it.
func decodeALabel(s []byte) ([]rune, bool) {
	ascii := strings.ToLower(string(s[4:]))
	decoded, ok := decodePunycode(ascii)
	if !ok || len(decoded) == 0 || !slices.ContainsFunc(decoded, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return nil, false
	}
	again, ok := encodePunycode(decoded)
	return decoded, ok && again == ascii
}

// isIDNHostname checks a host name with international labels, by the rules of IDNA 2008.
func isIDNHostname(s []byte) bool {
	if len(s) > 4*longestHost {
		return false
	}
	text := strings.Map(func(r rune) rune {
		if r == '\u3002' || r == '\uFF0E' || r == '\uFF61' { // other full stops
			return '.'
		}
		return r
	}, string(s))
	length, bidi := -1, false
	var labels [][]rune
	for label := range strings.SplitSeq(text, ".") {
		runes, size, ok := readIDNLabel(label)
		if !ok {
			return false
		}
		length += size + 1
		labels = append(labels, runes)
		bidi = bidi || hasRightToLeft(runes)
	}
	if bidi && !allFunc(labels, followsBidiRule) {
		return false
	}
	return length <= longestHost
}

// readIDNLabel checks a label in either form. Size is that of its ASCII form.
func readIDNLabel(label string) (runes []rune, size int, ok bool) {
	runes = []rune(label)
	if !slices.ContainsFunc(runes, func(r rune) bool { return r >= utf8.RuneSelf }) {
		b := []byte(label)
		if !isASCIILabel(b) {
			return nil, 0, false
		}
		if isALabel(b) {
			if runes, ok = decodeALabel(b); !ok || !isULabel(runes) {
				return nil, 0, false
			}
		}
		return runes, len(label), true
	}
	encoded, ok := encodePunycode([]rune(strings.ToLower(label)))
	size = len("xn--") + len(encoded)
	return runes, size, ok && size <= longestLabel && isULabel(runes)
}

func allFunc[T any](list []T, f func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !f(x) })
}

// isULabel checks an international label by RFC 5891 and 5892.
func isULabel(label []rune) bool {
	if len(label) == 0 || label[0] == '-' || label[len(label)-1] == '-' || unicode.IsMark(label[0]) ||
		len(label) >= 4 && label[2] == '-' && label[3] == '-' {
		return false
	}
	for i, r := range label {
		if allowed, known := inContext(label, i); known {
			if !allowed {
				return false
			}
		} else if !isHostRune(r) {
			return false
		}
	}
	return true
}

var (
	// hostExtra are allowed though their class is not, or would be folded away.
	hostExtra = []rune{0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007}
	// hostNever are not allowed though they are letters or digits: exceptions of RFC 5892, old Hangul, and
	// blocks of compatibility forms, which normalisation replaces.
	hostNever = &unicode.RangeTable{
		R16: []unicode.Range16{
			{0x2B0, 0x2B8, 1}, {0x2E0, 0x2E4, 1}, {0x640, 0x640, 1}, {0x675, 0x678, 1}, {0x7FA, 0x7FA, 1},
			{0x1100, 0x11FF, 1}, {0x1D2C, 0x1D6A, 1}, {0x1D9B, 0x1DBF, 1}, {0x2070, 0x209C, 1}, {0x20D0, 0x20FF, 1},
			{0x2100, 0x214D, 1}, {0x2150, 0x2182, 1}, {0x302E, 0x302F, 1}, {0x3031, 0x3035, 1}, {0x303B, 0x303B, 1},
			{0x3131, 0x318E, 1}, {0xA960, 0xA97F, 1}, {0xD7B0, 0xD7FF, 1}, {0xF900, 0xFAFF, 1}, {0xFB00, 0xFDFF, 1},
			{0xFE00, 0xFE1F, 1}, {0xFE70, 0xFEFF, 1}, {0xFF00, 0xFFEF, 1},
		},
		R32: []unicode.Range32{
			{0x1D100, 0x1D24F, 1}, {0x1D400, 0x1D7FF, 1}, {0x1EE00, 0x1EEFF, 1}, {0x1F100, 0x1F1FF, 1},
			{0x2F800, 0x2FA1F, 1}, {0xE0000, 0xE0FFF, 1},
		},
	}
)

// isHostRune approximates the PVALID class of RFC 5892 with the tables of Go.
func isHostRune(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-'
	case slices.Contains(hostExtra, r):
		return true
	case unicode.Is(hostNever, r), unicode.ToLower(r) != r:
		return false
	}
	return unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Mn, unicode.Mc, unicode.Nd)
}

// inContext judges the characters that RFC 5892 allows beside certain others only.
func inContext(label []rune, i int) (allowed, known bool) {
	before, after := rune(-1), rune(-1)
	if i > 0 {
		before = label[i-1]
	}
	if i+1 < len(label) {
		after = label[i+1]
	}
	switch r := label[i]; {
	case r == 0xB7: // middle dot
		return before == 'l' && after == 'l', true
	case r == 0x375: // Greek keraia
		return unicode.Is(unicode.Greek, after), true
	case r == 0x5F3, r == 0x5F4: // Hebrew geresh, gershayim
		return unicode.Is(unicode.Hebrew, before), true
	case r == 0x30FB: // Katakana middle dot
		return slices.ContainsFunc(label, func(r rune) bool {
			return r != 0x30FB && unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
		}), true
	case 0x660 <= r && r <= 0x669:
		return !slices.ContainsFunc(label, func(r rune) bool { return 0x6F0 <= r && r <= 0x6F9 }), true
	case 0x6F0 <= r && r <= 0x6F9:
		return !slices.ContainsFunc(label, func(r rune) bool { return 0x660 <= r && r <= 0x669 }), true
	case r == 0x200D: // zero-width joiner
		return isVirama(before), true
	case r == 0x200C: // zero-width non-joiner
		return isVirama(before) || joins(label, i), true
	}
	return false, false
}

// isVirama approximates the canonical combining class of viramas.
func isVirama(r rune) bool {
	switch r {
	case 0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD4D, 0xDCA, 0xE3A, 0xF84, 0x1039, 0x103A,
		0x1714, 0x1734, 0x17D2, 0x1A60, 0x1B44, 0x1BAA, 0x1BAB, 0x1BF2, 0x1BF3, 0x2D7F, 0xA806, 0xA8C4,
		0xA953, 0xA9C0, 0xAAF6, 0xABED:
		return true
	}
	return false
}

// joins reports whether the non-joiner at i stands between letters that would be joined. Joining scripts other
// than Arabic and Syriac are not told apart by letter.
func joins(label []rune, i int) bool {
	return neighbour(label[:i], true) && neighbour(label[i+1:], false)
}

func neighbour(part []rune, backward bool) bool {
	if backward {
		part = slices.Clone(part)
		slices.Reverse(part)
	}
	for _, r := range part {
		if unicode.Is(unicode.Mn, r) {
			continue // transparent
		}
		if backward && slices.Contains(rightJoining, r) {
			return false
		}
		return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic)
	}
	return false
}

// rightJoining are Arabic letters that never join with the one behind them.
var rightJoining = []rune{0x621, 0x622, 0x623, 0x624, 0x625, 0x627, 0x629, 0x62F, 0x630, 0x631, 0x632, 0x648, 0x649, 0x671}

// bidi is a class of RFC 5893, as far as its rule needs them.
type bidi uint8

const (
	bidiL bidi = iota
	bidiR
	bidiEN
	bidiAN
	bidiNSM
	bidiOther
)

func bidiClass(r rune) bidi {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return bidiNSM
	case '0' <= r && r <= '9', 0x6F0 <= r && r <= 0x6F9:
		return bidiEN
	case 0x660 <= r && r <= 0x669:
		return bidiAN
	case 0x590 <= r && r <= 0x8FF, 0xFB1D <= r && r <= 0xFDFF, 0xFE70 <= r && r <= 0xFEFF,
		0x10800 <= r && r <= 0x10FFF, 0x1E800 <= r && r <= 0x1EFFF:
		return bidiR
	case unicode.IsLetter(r), unicode.Is(unicode.Mc, r):
		return bidiL
	}
	return bidiOther
}

func hasRightToLeft(label []rune) bool {
	return slices.ContainsFunc(label, func(r rune) bool {
		c := bidiClass(r)
		return c == bidiR || c == bidiAN
	})
}

// followsBidiRule checks a label of a name that has right-to-left letters somewhere, by RFC 5893.
func followsBidiRule(label []rune) bool {
	var has [bidiOther + 1]bool
	for _, r := range label {
		has[bidiClass(r)] = true
	}
	last := bidiNSM
	for i := len(label) - 1; i >= 0 && last == bidiNSM; i-- {
		last = bidiClass(label[i])
	}
	switch bidiClass(label[0]) {
	case bidiR:
		return !has[bidiL] && (!has[bidiEN] || !has[bidiAN]) && (last == bidiR || last == bidiEN || last == bidiAN)
	case bidiL:
		return !has[bidiR] && !has[bidiAN] && (last == bidiL || last == bidiEN)
	}
	return false
}
