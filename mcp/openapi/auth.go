package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Bearer returns an Authorize that sends a token as "Authorization: Bearer TOKEN". A token that is
// empty or not allowed in a header is never sent. Each call then fails with an error that explains
// why.
func Bearer(token string) func(*http.Request) error {
	err := check("the bearer token", token)
	if err == nil && strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		err = errors.New("openapi: the bearer token contains a space or a character outside ASCII")
	}
	return func(req *http.Request) error {
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		return err
	}
}

// Basic returns an Authorize that sends a user's name and password. One of them may be empty, for
// an API that expects a key as the name or the password. Nothing is sent if both are empty, if one
// contains control characters, or if the name contains a colon. Each call then fails with an error
// that explains why.
func Basic(user, password string) func(*http.Request) error {
	var err error
	switch {
	case user+password == "":
		err = errors.New("openapi: the user's name and password are empty; set them to the API's credentials")
	case strings.Contains(user, ":"):
		err = errors.New("openapi: the user's name contains a colon")
	case strings.ContainsFunc(user, isControl):
		err = errors.New("openapi: the user's name contains a line break or another control character")
	case strings.ContainsFunc(password, isControl):
		err = errors.New("openapi: the password contains a line break or another control character")
	}
	return func(req *http.Request) error {
		if err == nil {
			req.SetBasicAuth(user, password)
		}
		return err
	}
}

// APIKey returns an Authorize that sends a key under a name, in the "header", the "query" or a
// "cookie", as the API's description requires. A key that is empty or not allowed there is never
// sent. Each call then fails with an error that explains why.
func APIKey(in, name, key string) func(*http.Request) error {
	err := checkKey(in, name, key)
	return func(req *http.Request) error {
		if err != nil {
			return err
		}
		switch in {
		case "header":
			req.Header.Set(name, key)
		case "query":
			req.URL.RawQuery = withKey(req.URL.RawQuery, name, key)
		case "cookie":
			req.AddCookie(&http.Cookie{Name: name, Value: key}) //nolint:gosec // clients do not send attributes
		}
		return nil
	}
}

// checkKey returns an error if a key cannot be sent under a name. The error does not contain the
// key.
func checkKey(in, name, key string) error {
	if err := check("the API key", key); err != nil {
		return err
	}
	valid := name != ""
	switch in {
	case "header":
		valid = isToken(name)
	case "cookie":
		valid = (&http.Cookie{Name: name, Value: "key"}).Valid() == nil     //nolint:gosec // it is not sent
		if valid && (&http.Cookie{Name: name, Value: key}).Valid() != nil { //nolint:gosec // it is not sent
			return errors.New("openapi: the API key contains a character that a cookie cannot contain")
		}
	case "query":
	default:
		return fmt.Errorf("openapi: an API key must be sent in the header, query or cookie, not in %q", in)
	}
	if !valid {
		return fmt.Errorf("openapi: an API key cannot be sent in the %s under the name %q", in, name)
	}
	return nil
}

// check returns an error if a credential is certainly wrong. The error does not contain the
// credential.
func check(what, credential string) error {
	switch {
	case credential == "":
		return fmt.Errorf("openapi: %s is empty; check that the environment variable it comes from is set", what)
	case strings.ContainsFunc(credential, isControl):
		return fmt.Errorf("openapi: %s contains a line break or another control character; trim it if it comes from a file", what)
	case strings.TrimSpace(credential) != credential:
		return fmt.Errorf("openapi: %s begins or ends with a space", what)
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// withKey returns the query with a key that replaces the parameters with the same name. It does not
// change other parameters, because encoding them again would escape the separators of lists.
func withKey(query, name, key string) string {
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		escaped, _, _ := strings.Cut(pair, "=")
		if other, err := url.QueryUnescape(escaped); pair != "" && (err != nil || other != name) {
			pairs = append(pairs, pair)
		}
	}
	return strings.Join(append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(key)), "&")
}
