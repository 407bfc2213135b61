package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// redacted is the text that replaces a secret.
const redacted = "[redacted]"

// Redact returns value, a JSON text, with "[redacted]" in place of secrets. Secrets are HTTP
// credentials, the user and password in a URL, and the values of JSON members and URL parameters
// whose names are secret. isSecretName reports whether a name is secret; nil means the default of
// ServerOptions.IsSecret. If value is not JSON, Redact returns the string "[not JSON]".
func Redact(value json.RawMessage, isSecretName func(name string) bool) json.RawMessage {
	if isSecretName == nil {
		isSecretName = isSecret
	}
	out, err := redact(value, isSecretName)
	if err != nil || !json.Valid(out) {
		return json.RawMessage(`"[not JSON]"`)
	}
	return out
}

// redact returns value, a JSON text, with secrets replaced by "[redacted]". Secrets are the values
// of members whose names are secret, and what redactText finds in strings.
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
		if !isName {
			token = redactString(token, text, secret)
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

// redactString redacts a string that contains HTTP credentials or JSON with secrets. For a token
// that is not a string, text is empty, and the token is returned unchanged.
func redactString(token jsontext.Token, text string, secret func(key string) bool) jsontext.Token {
	switch {
	case isCredentials(text):
		return jsontext.String(redacted)
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		if inner, err := redact([]byte(text), secret); err == nil && bytes.Contains(inner, []byte(redacted)) {
			return jsontext.String(string(inner))
		}
	}
	if safe := redactText(text, secret); safe != text {
		return jsontext.String(safe)
	}
	return token
}

// secretWords contains words that occur in the names of secrets, in lower case and with letters
// only.
var secretWords = []string{"password", "passwd", "passphrase", "secret", "apikey", "privatekey", "accesskey", "authorization", "credential", "cookie"}

// isSecret is the default of ServerOptions.IsSecret.
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
	// progressToken, which the protocol defines, is not a secret. Plurals such as maxTokens are
	// counts.
	return letters != "progresstoken" && strings.HasSuffix(letters, "token") || letters == "tokens" || letters == "pwd"
}

// isCredentials reports whether s could be the value of an Authorization
// header.
func isCredentials(s string) bool {
	scheme, rest, ok := strings.Cut(s, " ")
	return ok && rest != "" && !strings.Contains(rest, " ") && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic"))
}
