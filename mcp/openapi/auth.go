package openapi

import (
	"fmt"
	"net/http"
)

// Bearer returns an Authorize that sends a token as "Authorization: Bearer TOKEN".
func Bearer(token string) func(*http.Request) error {
	return func(req *http.Request) error {
		req.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

// Basic returns an Authorize that sends a user's name and password.
func Basic(user, password string) func(*http.Request) error {
	return func(req *http.Request) error {
		req.SetBasicAuth(user, password)
		return nil
	}
}

// APIKey returns an Authorize that sends a key under a name, in the "header", the "query" or a
// "cookie", as required by the description of the API.
func APIKey(in, name, key string) func(*http.Request) error {
	return func(req *http.Request) error {
		switch in {
		case "header":
			req.Header.Set(name, key)
		case "query":
			query := req.URL.Query()
			query.Set(name, key)
			req.URL.RawQuery = query.Encode()
		case "cookie":
			req.AddCookie(&http.Cookie{Name: name, Value: key}) //nolint:gosec // a client sends no attributes
		default:
			return fmt.Errorf("openapi: an API key must be sent in the header, query or cookie, not in %q", in)
		}
		return nil
	}
}
