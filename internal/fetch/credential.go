package fetch

import (
	"encoding/base64"
	"strings"
)

// Basic returns the Authorization header for a user name and password.
func Basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// leaks reports whether text, sent by a server, repeats the secret of an
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
