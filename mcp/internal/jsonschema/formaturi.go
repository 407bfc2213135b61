package jsonschema

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

func isURI(s []byte) bool          { return isReference(s, false, true) }
func isURIReference(s []byte) bool { return isReference(s, false, false) }
func isIRI(s []byte) bool          { return isReference(s, true, true) }
func isIRIReference(s []byte) bool { return isReference(s, true, false) }

const (
	subDelims = "!$&'()*+,;="
	pathSigns = subDelims + ":@/"
)

// isReference checks a URI of RFC 3986, or an IRI of RFC 3987.
func isReference(s []byte, iri, absolute bool) bool {
	s, fragment, _ := bytes.Cut(s, []byte("#"))
	if !isURIText(fragment, pathSigns+"?", iri, false) {
		return false
	}
	s, query, _ := bytes.Cut(s, []byte("?"))
	if !isURIText(query, pathSigns+"?", iri, true) {
		return false
	}
	if end := bytes.IndexAny(s, ":/"); end >= 0 && s[end] == ':' {
		if !isScheme(s[:end]) {
			return false
		}
		s = s[end+1:]
	} else if absolute {
		return false
	}
	if rest, ok := bytes.CutPrefix(s, []byte("//")); ok {
		end := bytes.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if !isAuthority(rest[:end], iri) {
			return false
		}
		s = rest[end:]
	}
	return isURIText(s, pathSigns, iri, false)
}

func isScheme(s []byte) bool {
	for i, c := range s {
		if !isLetter(c) && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return len(s) > 0
}

func isAuthority(s []byte, iri bool) bool {
	if at := bytes.IndexByte(s, '@'); at >= 0 {
		if !isURIText(s[:at], subDelims+":", iri, false) {
			return false
		}
		s = s[at+1:]
	}
	if len(s) > 0 && s[0] == '[' {
		end := bytes.IndexByte(s, ']')
		if end < 0 || !isIPv6(s[1:end]) && !isFutureAddress(s[1:end]) {
			return false
		}
		s = s[end+1:]
		return len(s) == 0 || s[0] == ':' && countDigits(s[1:]) == len(s)-1
	}
	host, port, _ := bytes.Cut(s, []byte(":"))
	return countDigits(port) == len(port) && isURIText(host, subDelims, iri, false)
}

// isFutureAddress checks an IPvFuture like v1.fe.
func isFutureAddress(s []byte) bool {
	version, address, ok := bytes.Cut(s, []byte("."))
	if !ok || len(version) < 2 || version[0]|0x20 != 'v' || len(address) == 0 {
		return false
	}
	for _, c := range version[1:] {
		if !isHex(c) {
			return false
		}
	}
	return bytes.IndexByte(address, '%') < 0 && isURIText(address, subDelims+":", false, false)
}

// isURIText checks for unreserved characters, percent-encoding and the given signs, and in IRIs letters beyond
// ASCII.
func isURIText(s []byte, signs string, iri, private bool) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isLetter(c), isDigit(c), c == '-', c == '.', c == '_', c == '~', strings.IndexByte(signs, c) >= 0:
			i++
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 3
		case c >= utf8.RuneSelf && iri:
			r, n := utf8.DecodeRune(s[i:])
			if !isIRIRune(r, private) {
				return false
			}
			i += n
		default:
			return false
		}
	}
	return true
}

// isIRIRune reports whether r is a ucschar of RFC 3987, or a private one, which a query may have.
func isIRIRune(r rune, private bool) bool {
	switch {
	case 0xE000 <= r && r <= 0xF8FF, 0xF0000 <= r && r&0xFFFF < 0xFFFE:
		return private
	case r < 0xA0, 0xFDD0 <= r && r <= 0xFDEF, 0xFFF0 <= r && r <= 0xFFFF, r&0xFFFF >= 0xFFFE, 0xE0000 <= r && r < 0xE1000:
		return false
	}
	return true
}

// isURITemplate checks a template of RFC 6570.
func isURITemplate(s []byte) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '{':
			end := bytes.IndexByte(s[i:], '}')
			if end < 0 || !isExpression(s[i+1:i+end]) {
				return false
			}
			i += end + 1
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 3
		case c <= ' ', c == 0x7f, strings.IndexByte("\"<>\\^`|}", c) >= 0:
			return false
		default:
			i++
		}
	}
	return true
}

// isExpression checks what stands between the braces of a template.
func isExpression(s []byte) bool {
	if len(s) > 0 && strings.IndexByte("+#./;?&", s[0]) >= 0 {
		s = s[1:]
	}
	for spec := range bytes.SplitSeq(s, []byte(",")) {
		name, length, cut := bytes.Cut(spec, []byte(":"))
		if cut {
			if n := countDigits(length); n == 0 || n > 4 || n != len(length) || length[0] == '0' {
				return false
			}
		} else {
			name = bytes.TrimSuffix(name, []byte("*"))
		}
		if !isVariable(name) {
			return false
		}
	}
	return true
}

func isVariable(s []byte) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isLetter(c), isDigit(c), c == '_':
		case c == '.' && i > 0 && i+1 < len(s) && s[i-1] != '.':
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 2
		default:
			return false
		}
	}
	return len(s) > 0
}
