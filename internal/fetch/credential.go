package fetch

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Basic returns the Authorization header for a user name and password.
func Basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// leaks reports whether text from a server contains the secret of an
// Authorization header: a token, or a password, encoded or not.
func leaks(text, authorization string) bool {
	_, token, ok := strings.Cut(authorization, " ")
	if !ok {
		token = authorization
	}
	if token == "" {
		return false
	}
	pair, _ := base64.StdEncoding.DecodeString(token)
	_, password, _ := strings.Cut(string(pair), ":")
	return strings.Contains(text, token) || password != "" && strings.Contains(text, password)
}

// maxToken is the maximum length, in bytes, of tokens whose expiry is read.
const maxToken = 16 << 10

// Expired returns when a JSON Web Token expired. ok is false for a token that has not expired or
// does not have an expiry, and for any other text.
func Expired(token string) (on time.Time, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > maxToken {
		return on, false
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return on, false
	}
	var claims struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(payload, &claims, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil ||
		claims.Exp <= 0 || claims.Exp > 1<<40 {
		return on, false
	}
	on = time.Unix(int64(claims.Exp), 0).UTC()
	return on, on.Before(time.Now())
}
