package jsonschema

import (
	"bytes"
	"net/netip"
	"strings"
)

// format is a check of the text of a string.
type format struct {
	valid func(s []byte) bool
	what  string // completes the message "… is not "
}

// formats contains the formats that elicitation forms may use. Other formats are only annotations.
var formats = map[string]*format{
	"date-time": {isDateTime, "a date and time such as 2006-01-02T15:04:05Z"},
	"date":      {isDate, "a date such as 2006-01-02"},
	"email":     {isEmail, "an email address"},
	"uri":       {isURI, "an absolute URI such as https://example.com/a"},
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func countDigits(s []byte) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isIPv4(s []byte) bool { return len(s) <= len("255.255.255.255") && isIP(s, netip.Addr.Is4) }

func isIPv6(s []byte) bool {
	return len(s) <= len("1000:1000:1000:1000:1000:1000:255.255.255.255") && isIP(s, netip.Addr.Is6)
}

func isIP(s []byte, is func(netip.Addr) bool) bool {
	a, err := netip.ParseAddr(string(s))
	return err == nil && is(a) && a.Zone() == ""
}

// isHostname reports whether s is a host name according to RFC 1123. It does not decode
// labels that start with xn--.
func isHostname(s []byte) bool {
	const longest, longestLabel = 253, 63
	if len(s) > longest {
		return false
	}
	for label := range bytes.SplitSeq(s, []byte(".")) {
		if len(label) == 0 || len(label) > longestLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !isLetter(c) && !isDigit(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

// isEmail reports whether s is a mailbox according to RFC 5321.
func isEmail(s []byte) bool {
	const longestLocal, longest = 64, 254
	sign := bytes.LastIndexByte(s, '@')
	if sign <= 0 || sign > longestLocal || len(s) > longest || !isLocalPart(s[:sign]) {
		return false
	}
	domain := s[sign+1:]
	if len(domain) > 2 && domain[0] == '[' && domain[len(domain)-1] == ']' {
		literal := domain[1 : len(domain)-1]
		if v6, ok := bytes.CutPrefix(literal, []byte("IPv6:")); ok {
			return isIPv6(v6)
		}
		return isIPv4(literal)
	}
	return isHostname(domain)
}

// isLocalPart reports whether s is a dot-string or a quoted string (RFC 5321).
func isLocalPart(s []byte) bool {
	if s[0] == '"' {
		return isQuotedLocalPart(s)
	}
	for i, c := range s {
		switch {
		case isDigit(c), isLetter(c), strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0:
		case c == '.' && i > 0 && i+1 < len(s) && s[i-1] != '.':
		default:
			return false
		}
	}
	return true
}

func isQuotedLocalPart(s []byte) bool {
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
		if c < ' ' || c == 0x7f || c >= 0x80 {
			return false
		}
	}
	return true
}
