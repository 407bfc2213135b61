package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Decode returns the text of a file, by its byte order mark or the declaration
// of its encoding in the first two lines, and UTF-8 without either. Bytes that
// the encoding cannot say become U+FFFD. unknown is the name of an encoding
// that is not known: its ASCII is kept.
func Decode(data []byte) (text, unknown string) {
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return valid(string(rest)), ""
	}
	if len(data) >= 2 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		return decodeUTF16(data), ""
	}
	name := declaredEncoding(data)
	switch name {
	case "", "utf-8", "utf8", "utf-8-sig", "u8", "ascii", "us-ascii":
		return valid(string(data)), ""
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "l1", "iso-8859-15", "iso8859-15", "latin-9", "cp1252", "windows-1252":
		return decodeLatin(data), ""
	}
	text = string(data)
	if utf8.ValidString(text) {
		return text, ""
	}
	return valid(text), name
}

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// declaredEncoding returns the encoding that a comment in the first two lines
// declares, in lower case with dashes.
func declaredEncoding(data []byte) string {
	for range 2 {
		line, rest, _ := bytes.Cut(data[:min(len(data), 1000)], []byte("\n"))
		trimmed := bytes.TrimLeft(line, " \t\f")
		if len(trimmed) > 0 && trimmed[0] != '#' && trimmed[0] != '\r' {
			return ""
		}
		if _, value, ok := bytes.Cut(trimmed, []byte("coding")); ok && len(value) > 0 && (value[0] == ':' || value[0] == '=') {
			value = bytes.TrimLeft(value[1:], " \t")
			end := bytes.IndexFunc(value, func(r rune) bool {
				return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
			})
			if end >= 0 {
				value = value[:end]
			}
			return strings.ReplaceAll(strings.ToLower(string(value)), "_", "-")
		}
		if len(rest) == 0 {
			return ""
		}
		data = data[len(line)+1:]
	}
	return ""
}

// windows1252 are the characters of bytes 0x80 to 0x9f, which ISO 8859-1 has
// controls for that nobody writes.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func decodeLatin(data []byte) string {
	var b strings.Builder
	b.Grow(len(data) + len(data)/16)
	for _, c := range data {
		switch {
		case c < 0x80:
			b.WriteByte(c)
		case c < 0xa0:
			b.WriteRune(windows1252[c-0x80])
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

func decodeUTF16(data []byte) string {
	little := data[0] == 0xff
	var b strings.Builder
	for i := 2; i+1 < len(data); i += 2 {
		r := rune(data[i])<<8 | rune(data[i+1])
		if little {
			r = rune(data[i+1])<<8 | rune(data[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}
