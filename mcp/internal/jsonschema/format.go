package jsonschema

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// format checks the text of a string. The names are those of JSON Schema; unknown formats check nothing.
type format struct {
	valid func(s []byte) bool
	what  string // completes "… is not "
}

var formats = map[string]*format{
	"date-time":             {isDateTime, "a date and time like 2006-01-02T15:04:05Z"},
	"date":                  {isDate, "a date like 2006-01-02"},
	"time":                  {isTime, "a time like 15:04:05Z"},
	"duration":              {isDuration, "a duration like P1DT12H"},
	"email":                 {isEmail, "an email address"},
	"idn-email":             {isIDNEmail, "an email address"},
	"hostname":              {isHostname, "a host name"},
	"idn-hostname":          {isIDNHostname, "a host name"},
	"ipv4":                  {isIPv4, "an IPv4 address like 192.0.2.1"},
	"ipv6":                  {isIPv6, "an IPv6 address like 2001:db8::1"},
	"uri":                   {isURI, "an absolute URI like https://example.com/a"},
	"uri-reference":         {isURIReference, "a URI or a relative reference"},
	"iri":                   {isIRI, "an absolute IRI like https://example.com/ä"},
	"iri-reference":         {isIRIReference, "an IRI or a relative reference"},
	"uri-template":          {isURITemplate, "a URI template like /users/{id}"},
	"uuid":                  {isUUID, "a UUID like 123e4567-e89b-12d3-a456-426614174000"},
	"json-pointer":          {isPointer, "a JSON Pointer like /a/0"},
	"relative-json-pointer": {isRelativePointer, "a relative JSON Pointer like 1/a"},
	"regex":                 {isRegex, "a regular expression of ECMA-262"},
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isIPv4(s []byte) bool {
	for part := range 4 {
		n, x := 0, 0
		for n < len(s) && n < 3 && isDigit(s[n]) {
			x = x*10 + int(s[n]-'0')
			n++
		}
		if n == 0 || x > 255 || n > 1 && s[0] == '0' {
			return false
		}
		s = s[n:]
		if part < 3 {
			if len(s) == 0 || s[0] != '.' {
				return false
			}
			s = s[1:]
		}
	}
	return len(s) == 0
}

func isIPv6(s []byte) bool {
	const longest = len("1000:1000:1000:1000:1000:1000:255.255.255.255")
	if len(s) > longest {
		return false
	}
	a, err := netip.ParseAddr(string(s))
	return err == nil && a.Is6() && a.Zone() == ""
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (c == '-') || !hyphen && !isHex(c) {
			return false
		}
	}
	return true
}

// isRegex accepts what newPattern can use, and what it only refuses as not supported.
func isRegex(s []byte) bool {
	_, err := newPattern(string(s))
	return err == nil || isUnsupported(err)
}

// isPointer checks a JSON Pointer of RFC 6901.
func isPointer(s []byte) bool {
	if len(s) > 0 && s[0] != '/' {
		return false
	}
	for i, c := range s {
		if c == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

func isRelativePointer(s []byte) bool {
	n := countDigits(s)
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	return string(s[n:]) == "#" || isPointer(s[n:])
}

func countDigits(s []byte) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// isEmail checks a mailbox of RFC 5321.
func isEmail(s []byte) bool { return isMailbox(s, false) }

// isIDNEmail also accepts what RFC 6531 adds.
func isIDNEmail(s []byte) bool { return isMailbox(s, true) }

func isMailbox(s []byte, idn bool) bool {
	const longestLocal, longest = 64, 254
	at := bytes.LastIndexByte(s, '@')
	if at <= 0 || at > longestLocal || len(s) > longest {
		return false
	}
	if !isLocalPart(s[:at], idn) {
		return false
	}
	domain := s[at+1:]
	if len(domain) > 2 && domain[0] == '[' && domain[len(domain)-1] == ']' {
		literal := domain[1 : len(domain)-1]
		if v6, ok := bytes.CutPrefix(literal, []byte("IPv6:")); ok {
			return isIPv6(v6)
		}
		return isIPv4(literal)
	}
	if idn {
		return isIDNHostname(domain)
	}
	return isHostname(domain)
}

// isLocalPart checks a dot-string or a quoted string.
func isLocalPart(s []byte, idn bool) bool {
	if s[0] == '"' {
		return isQuotedLocalPart(s, idn)
	}
	for i, c := range s {
		switch {
		case isDigit(c), isLetter(c), strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0:
		case c >= utf8.RuneSelf && idn:
		case c == '.' && i > 0 && i+1 < len(s) && s[i-1] != '.':
		default:
			return false
		}
	}
	return true
}

func isQuotedLocalPart(s []byte, idn bool) bool {
	if len(s) < 3 || s[len(s)-1] != '"' {
		return false
	}
	inner := s[1 : len(s)-1]
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		switch c {
		case '"':
			return false
		case '\\':
			if i++; i == len(inner) {
				return false
			}
			c = inner[i]
		}
		if c < ' ' || c == 0x7f || c >= utf8.RuneSelf && !idn {
			return false
		}
	}
	return true
}
