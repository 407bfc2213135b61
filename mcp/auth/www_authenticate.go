package auth

import (
	"net/http"
	"strings"
)

// challenge is one challenge in a WWW-Authenticate header (RFC 9110, section
// 11.6.1; RFC 6750, section 3).
type challenge struct {
	scheme string
	params map[string]string // keyed by lower-case name; if a name is repeated, the first value is used
}

// maxChallenge is the maximum number of bytes that are read from a response's WWW-Authenticate
// headers.
const maxChallenge = 32 << 10

// parseChallenges parses the WWW-Authenticate headers of a response. It stops
// at a syntax error and returns the challenges before it.
func parseChallenges(h http.Header) []challenge {
	var all []challenge
	remaining := maxChallenge
	for _, value := range h.Values("WWW-Authenticate") {
		value = value[:min(len(value), remaining)]
		remaining -= len(value)
		all = append(all, (&challengeReader{value}).read()...)
	}
	return all
}

type challengeReader struct{ rest string }

func (r *challengeReader) read() (all []challenge) {
	for {
		r.skip(" \t,")
		name := r.token()
		if name == "" {
			return all
		}
		spaced := r.skip(" \t")
		if !r.accept('=') {
			all = append(all, challenge{scheme: name, params: map[string]string{}})
			if !spaced && r.rest != "" && r.rest[0] != ',' {
				return all
			}
			r.token68()
			continue
		}
		if len(all) == 0 {
			return all
		}
		r.skip(" \t")
		value, ok := r.value()
		if !ok {
			return all
		}
		params := all[len(all)-1].params
		name = strings.ToLower(name)
		if _, again := params[name]; !again {
			params[name] = value
		}
	}
}

// skip skips any of the given characters, and reports whether there were any.
func (r *challengeReader) skip(chars string) bool {
	before := len(r.rest)
	r.rest = strings.TrimLeft(r.rest, chars)
	return len(r.rest) < before
}

func (r *challengeReader) accept(c byte) bool {
	if r.rest == "" || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *challengeReader) token() string { return r.while(isTokenByte) }

// token68 skips credentials that are not parameters, such as the credentials of
// Negotiate.
func (r *challengeReader) token68() {
	before := r.rest
	text := r.while(func(c byte) bool { return isTokenByte(c) || c == '/' })
	text += r.while(func(c byte) bool { return c == '=' })
	r.skip(" \t")
	if text == "" || r.rest != "" && r.rest[0] != ',' {
		r.rest = before // this is a parameter, so go back
	}
}

func (r *challengeReader) while(part func(byte) bool) string {
	n := 0
	for n < len(r.rest) && part(r.rest[n]) {
		n++
	}
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

// value reads a token or a quoted string. It accepts any character except a comma or a space in a
// token, which the grammar does not, because some servers omit quotes.
func (r *challengeReader) value() (string, bool) {
	if !r.accept('"') {
		text := r.while(func(c byte) bool { return c > ' ' && c != ',' && c != '"' && c < 0x7f })
		return text, text != ""
	}
	var text strings.Builder
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; c {
		case '"':
			r.rest = r.rest[i+1:]
			return text.String(), true
		case '\\':
			if i++; i == len(r.rest) {
				return "", false
			}
			text.WriteByte(r.rest[i])
		default:
			text.WriteByte(c)
		}
	}
	return "", false
}

func isTokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}
