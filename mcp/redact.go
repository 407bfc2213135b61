package mcp

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// redacted takes the place of a secret.
const redacted = "[redacted]"

// redact returns value, JSON, with "[redacted]" in place of members that
// secret takes for secrets by their names, and of strings that are
// credentials of HTTP.
func redact(value []byte, secret func(key string) bool) ([]byte, error) {
	if len(value) > 0 && value[0] != '{' && value[0] != '[' && value[0] != '"' {
		return value, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(value), userJSON)
	var out bytes.Buffer
	enc := jsontext.NewEncoder(&out, userJSON)
	for {
		kind, n := dec.StackIndex(dec.StackDepth())
		isName := kind == '{' && n%2 == 0
		if kind == 0 && n > 0 {
			return bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), nil
		}
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		text := ""
		if token.Kind() == '"' {
			text = token.String()
		}
		if !isName && isCredentials(text) {
			token = jsontext.String(redacted)
		}
		if err := enc.WriteToken(token); err != nil {
			return nil, err
		}
		if isName && secret(text) {
			if err := dec.SkipValue(); err != nil {
				return nil, err
			}
			if err := enc.WriteToken(jsontext.String(redacted)); err != nil {
				return nil, err
			}
		}
	}
}

// secretWords are in the names of secrets, written small and without what is
// not a letter.
var secretWords = []string{"password", "passwd", "passphrase", "secret", "apikey", "privatekey", "accesskey", "authorization", "credential", "cookie"}

// isSecret is what ServerOptions.IsSecret is by default.
func isSecret(key string) bool {
	letters := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		}
		return -1
	}, key)
	for _, word := range secretWords {
		if strings.Contains(letters, word) {
			return true
		}
	}
	// maxTokens counts, and is none.
	return strings.HasSuffix(letters, "token") || letters == "tokens" || letters == "pwd"
}

// isCredentials reports whether s is the value of a header Authorization.
func isCredentials(s string) bool {
	scheme, rest, ok := strings.Cut(s, " ")
	return ok && rest != "" && !strings.Contains(rest, " ") && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic"))
}
