package jsonschema

import (
	"bytes"
	"strings"
)

const (
	subDelims = "!$&'()*+,;="
	pathSigns = subDelims + ":@/"
)

// isURI reports whether s is a URI according to RFC 3986. A URI must have a scheme.
func isURI(s []byte) bool {
	s, fragment, _ := bytes.Cut(s, []byte("#"))
	if !isURIText(fragment, pathSigns+"?") {
		return false
	}
	s, query, _ := bytes.Cut(s, []byte("?"))
	if !isURIText(query, pathSigns+"?") {
		return false
	}
	if end := bytes.IndexAny(s, ":/"); end >= 0 && s[end] == ':' {
		if !isScheme(s[:end]) {
			return false
		}
		s = s[end+1:]
	} else {
		return false
	}
	if rest, ok := bytes.CutPrefix(s, []byte("//")); ok {
		end := bytes.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if !isAuthority(rest[:end]) {
			return false
		}
		s = rest[end:]
	}
	return isURIText(s, pathSigns)
}

func isScheme(s []byte) bool {
	for i, c := range s {
		if !isLetter(c) && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return len(s) > 0
}

func isAuthority(s []byte) bool {
	if sign := bytes.IndexByte(s, '@'); sign >= 0 {
		if !isURIText(s[:sign], subDelims+":") {
			return false
		}
		s = s[sign+1:]
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
	return countDigits(port) == len(port) && isURIText(host, subDelims)
}

// isFutureAddress reports whether s is an IPvFuture according to RFC 3986, such
// as v1.fe.
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
	return bytes.IndexByte(address, '%') < 0 && isURIText(address, subDelims+":")
}

// isURIText reports whether s consists of unreserved characters, percent-encoding and the given characters.
func isURIText(s []byte, signs string) bool {
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
		default:
			return false
		}
	}
	return true
}
