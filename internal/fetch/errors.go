package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/docent-mcp/docent/internal/quote"
)

// Kind classifies failures.
type Kind string

// These are the kinds of failures.
const (
	NotFound    Kind = "not found"   // status 404
	Gone        Kind = "gone"        // status 410
	Denied      Kind = "denied"      // status 401, 403 or 407
	Busy        Kind = "busy"        // status 429
	Failed      Kind = "failed"      // any other status
	Unreachable Kind = "unreachable" // no connection, or it broke
	NoHost      Kind = "no host"     // the name does not resolve
	Timeout     Kind = "timeout"     // nothing happened for too long
	Stopped     Kind = "stopped"     // the caller's context ended
	Refused     Kind = "refused"     // an address or redirect that is not followed
	TooLarge    Kind = "too large"   // more bytes than allowed
	Mismatch    Kind = "mismatch"    // bytes that do not match the digest or the expected content
	Offline     Kind = "offline"     // network access is disabled
	BadURL      Kind = "bad URL"
	Whole       Kind = "whole" // the whole resource was sent instead of a part
	Local       Kind = "local" // the response could not be stored on this machine
)

// Error is a failed request. Its text completes a sentence that begins with the name of the
// requested thing. It contains no credentials.
type Error struct {
	Kind   Kind
	URL    string // URL without credentials and query
	Status int    // 0 if there was no response
	Detail string // the server's own message, the reason for refusing, or how long the request waited
	// Challenge is the WWW-Authenticate header of a refusal.
	Challenge string
	Err       error

	retryAfter time.Duration
}

func (e *Error) Error() string {
	switch e.Kind {
	case Offline:
		return "network access is disabled, so " + e.URL + " was not contacted"
	case Whole:
		return e.URL + " does not support range requests"
	case BadURL:
		return e.URL + " is not an http or https URL"
	case NoHost:
		return fmt.Sprintf("the connection to %s failed: there is no host %s", e.URL, e.Detail)
	case Timeout:
		return e.URL + " did not respond in time" + e.Detail
	case Stopped:
		return "the request to " + e.URL + " was stopped"
	case Unreachable:
		return fmt.Sprintf("the connection to %s failed: %v", e.URL, quote.Error(plain(e.Err)))
	case Local:
		if e.URL == "" {
			return fmt.Sprintf("the file could not be stored: %v", quote.Error(e.Err))
		}
		return fmt.Sprintf("the response from %s could not be stored: %v", e.URL, quote.Error(e.Err))
	case TooLarge, Mismatch:
		return e.URL + " " + e.Detail
	case Refused:
		return e.URL + " leads to " + e.Detail + ", which is not followed"
	}
	s := fmt.Sprintf("%s responded with %d %s", e.URL, e.Status, http.StatusText(e.Status))
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// passing reports whether another attempt may succeed.
func (e *Error) passing() bool {
	switch e.Kind {
	case Busy:
		return true
	case Unreachable:
		return !errors.Is(e.Err, syscall.ECONNREFUSED) && !isCertificate(e.Err)
	case Failed:
		switch e.Status {
		case 500, 502, 503, 504:
			return true
		}
	}
	return false
}

// plain removes the URL from errors of net/http, because it may contain credentials and Error
// already has it.
func plain(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

func sizeDetail(limit int64) string {
	if limit >= 10<<20 {
		return fmt.Sprintf("is larger than the limit of %d MiB", limit>>20)
	}
	return fmt.Sprintf("is larger than the limit of %d bytes", limit)
}

// Redact removes the user name, password, query and fragment from a URL, because each may be
// secret.
func Redact(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "an invalid URL"
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if u.RawQuery != "" {
		u.RawQuery = "…"
	}
	return u.String()
}

// RedactSpec removes the user name, password and query from the URL in a dependency specifier such
// as "git+https://host.example/a.git#v1". It does not change other text.
func RedactSpec(spec string) string {
	scheme, rest, ok := strings.Cut(spec, "://")
	if !ok {
		return spec
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	path, _, _ = strings.Cut(path, "?")
	return scheme + "://" + host + "/" + path
}
