package mcp

import "strings"

// redactText returns text without secrets. It removes HTTP credentials, the users and passwords of
// URLs, and the values of URL parameters whose names are secret.
func redactText(text string, secret func(key string) bool) string {
	if strings.Contains(text, "://") {
		text = redactUsers(text)
	}
	if strings.Contains(text, "=") && strings.ContainsAny(text, "?&#") {
		text = redactParameters(text, secret)
	}
	for _, scheme := range credentialSchemes {
		text = redactScheme(text, scheme)
	}
	return text
}

// credentialSchemes contains the HTTP authentication schemes whose credentials consist of one word.
var credentialSchemes = []string{"bearer", "basic", "dpop"}

// endsURL contains the characters that end a URL within a text.
const endsURL = " \t\r\n\"'<>`\\{}|^"

// redactUsers returns text with the user and password of URLs redacted.
func redactUsers(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "://")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("://")
		end := strings.IndexAny(after, endsURL+"/?#")
		if end < 0 {
			end = len(after)
		}
		if sign := strings.LastIndexByte(after[:end], '@'); sign > 0 {
			b.WriteString(redacted)
			after = after[sign:]
		}
		text = after
	}
}

// redactParameters returns text with the values of parameters in queries and
// fragments redacted.
func redactParameters(text string, secret func(key string) bool) string {
	var b strings.Builder
	for {
		start := strings.IndexAny(text, "?&#") + 1
		if start == 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		text = text[start:]
		end := strings.IndexAny(text, endsURL+"?&#")
		if end < 0 {
			end = len(text)
		}
		if name, value, ok := strings.Cut(text[:end], "="); ok && value != "" && secret(name) {
			b.WriteString(name + "=" + redacted)
			text = text[end:]
		}
	}
}

// minCredentials is the minimum length in bytes of a word that can be credentials within a text.
// The word must also contain a digit, so that ordinary text such as "basic understanding" is not
// redacted.
const minCredentials = 12

// redactScheme returns text in which the word after each occurrence of a scheme is redacted if it
// could be credentials.
func redactScheme(text, scheme string) string {
	for from := 0; ; {
		i := indexFold(text[from:], scheme+" ")
		if i < 0 {
			return text
		}
		from += i + len(scheme) + 1
		end := from
		for end < len(text) && isToken68(text[end]) {
			end++
		}
		if end-from >= minCredentials && strings.ContainsAny(text[from:end], "0123456789") {
			text = text[:from] + redacted + text[end:]
			from += len(redacted)
		}
	}
}

// indexFold is like strings.Index, but ignores the case of ASCII letters. lower must be in
// lower case.
func indexFold(text, lower string) int {
	for i := 0; i+len(lower) <= len(text); i++ {
		if text[i]|0x20 == lower[0] && strings.EqualFold(text[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}

// isToken68 reports whether c can be part of credentials (RFC 9110, section 11.2).
func isToken68(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~+/=", c) >= 0
}
