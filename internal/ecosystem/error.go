package ecosystem

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/spelling"
)

// Reason classifies errors by what the user can do about them.
type Reason string

// These are the reasons why a query can fail.
const (
	NotFound     Reason = "not found"     // no such package or version
	Refused      Reason = "refused"       // exists, but may not be shown or read
	Unreachable  Reason = "unreachable"   // a registry did not respond or responded with an error
	Invalid      Reason = "invalid"       // the query is malformed
	Unreadable   Reason = "unreadable"    // found, but damaged or invalid
	NoneExported Reason = "none exported" // found and read, but nothing is exported
)

// Error is a failure that is shown to a user or a model: a sentence that contains the name of the
// package, followed by the attempts and advice on what to do next.
type Error struct {
	Reason Reason
	// What is one sentence without a final full stop, such as "no package example.com/x/y in module
	// example.com/x at v1.2.0".
	What string
	// Tried lists the places that were searched, in order.
	Tried []string
	// Next is advice on what the user can do: one sentence without a final full stop.
	Next string
	// Unsure is true if the package may exist although it was not found, for example under the name
	// of another distribution.
	Unsure bool
	// Foreign is true if the project takes the package from a place other than a registry,
	// where it was not found.
	Foreign bool
	// Near lists existing names that resemble the requested one.
	Near []string
	// Names are the names in a package that cannot be read, or nil if they are unknown.
	Names []string
	// Declared is the symbol of another package that declares the name in the query, or nil if none
	// is known.
	Declared *apidoc.Ref
	// Packages are the packages of the requested module, if there is no package at its root, and
	// nil otherwise.
	Packages []apidoc.Subpackage
	// Missing is the release that a project chose and that is not on this machine, if the network is
	// off; nil otherwise.
	Missing *MissingRelease
	// Err is the cause, for errors.Is and errors.As. It is not printed.
	Err error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.What)
	if len(e.Tried) > 0 {
		b.WriteString(" (tried: " + strings.Join(e.Tried, ", ") + ")")
	}
	if len(e.Near) > 0 {
		b.WriteString("; close by: " + strings.Join(e.Near, ", "))
	}
	if e.Next != "" {
		b.WriteString("; " + e.Next)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Fail creates an Error, to which the methods below add details:
//
//	return ecosystem.Fail(ecosystem.NotFound, "no package %s", name).WithNear(names...).WithNext("check the name")
func Fail(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, What: fmt.Sprintf(format, args...)}
}

// WithTried adds places that were searched.
func (e *Error) WithTried(places ...string) *Error {
	e.Tried = append(e.Tried, places...)
	return e
}

// WithPopular adds the popular packages of a language whose names differ from name in one or two letters, unless e
// already lists similar names.
func (e *Error) WithPopular(language *Info, name string) *Error {
	if len(e.Near) > 0 {
		return e
	}
	var distance spelling.Distance
	e.Near = slices.DeleteFunc(spelling.Near(func(yield func(string) bool) {
		for line := range strings.Lines(language.Popular) {
			if other := strings.TrimSpace(line); !strings.HasPrefix(other, "#") && !yield(other) {
				return
			}
		}
	}, name), func(other string) bool { return distance.Between(strings.ToLower(other), strings.ToLower(name), 2) > 2 })
	return e
}

// WithNext sets the advice on what the user can do.
func (e *Error) WithNext(format string, args ...any) *Error {
	e.Next = fmt.Sprintf(format, args...)
	return e
}

// WithNear adds names that resemble the requested one.
func (e *Error) WithNear(names ...string) *Error {
	e.Near = append(e.Near, names...)
	return e
}

// WithErr sets the cause.
func (e *Error) WithErr(err error) *Error {
	e.Err = err
	return e
}

// AsError returns err if it is an *Error, or else an Unreadable *Error that wraps it. All errors of a
// Language pass through it.
func AsError(err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Reason: Unreadable, What: quote.Error(err).Error(), Err: err}
}

// NoRoom is the advice when docent could not store a file.
const NoRoom = "free some disk space, or set DOCENT_CACHE to a writable directory"

// NotHere and AllNotHere follow the names of one item and of several items that are not on this machine while the network
// is off.
const (
	NotHere    = " is not on this machine, and network access is disabled"
	AllNotHere = " are not on this machine, and network access is disabled"
)

// RequestError returns the error for a failed request. what describes the requested item. If err is
// an *Error, RequestError returns it unchanged. Otherwise the Reason is Unreadable if docent could
// not process or store the response, Refused if either side refused the request, and Unreachable in
// all other cases. failed is the *fetch.Error in err, to which a language adds details, or nil.
func RequestError(what string, err error, tried []string) (e *Error, failed *fetch.Error) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e, nil
	}
	e = Fail(Unreachable, "the download of %s failed: %v", what, err).WithTried(tried...).WithNext("try again").WithErr(err)
	failed, _ = errors.AsType[*fetch.Error](err)
	switch {
	case errors.Is(err, cachedir.ErrNotKept), failed != nil && failed.Kind == fetch.Local:
		e.Reason, e.Next = Unreadable, NoRoom
	case failed != nil && failed.Kind == fetch.TooLarge:
		e.Reason, e.Next = Unreadable, "this download is too large for docent"
	case failed != nil && failed.Kind == fetch.Denied:
		e.Reason = Refused
	case failed != nil && failed.Kind == fetch.Refused:
		e.Reason, e.Next = Refused, "check the address"
	case failed != nil && failed.Kind == fetch.Offline:
		e.What = what + NotHere
	}
	return e, failed
}

// ReasonOf returns the Reason of an error of package fetch.
func ReasonOf(err *fetch.Error) Reason {
	switch err.Kind {
	case fetch.NotFound, fetch.Gone:
		return NotFound
	case fetch.Denied, fetch.Refused:
		return Refused
	case fetch.Local, fetch.TooLarge, fetch.Mismatch, fetch.BadURL:
		return Unreadable
	}
	return Unreachable
}
