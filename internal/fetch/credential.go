package fetch

import (
	"encoding/base64"
	"strings"
)

// Basic makes an Authorization of a user name and a password.
func Basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// leaks reports whether a text holds the secret of an Authorization, which a
// server may repeat: a token, or the password of a user, encoded or not.
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
