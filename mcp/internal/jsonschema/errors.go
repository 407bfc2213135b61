package jsonschema

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMalformed is the error for an instance that is not well-formed JSON.
var ErrMalformed = errors.New("the value is not well-formed JSON")

// ErrTooDeep is the error if the nesting depth of applied schemas exceeds Options.MaxDepth.
var ErrTooDeep = errors.New("the value and its schema nest too deeply to be validated")

// ErrTooComplex is the error if validation would exceed Options.MaxSteps.
var ErrTooComplex = errors.New("validating the value against its schema takes too much work")

// CompileError describes a mistake in a schema.
type CompileError struct {
	Location string // location of the schema, such as "#/properties/limit"
	Keyword  string // the wrong keyword, or "" if the mistake is not in a single keyword
	Message  string
}

func (e *CompileError) Error() string {
	if e.Keyword == "" {
		return fmt.Sprintf("schema %s: %s", e.Location, e.Message)
	}
	return fmt.Sprintf("schema %s: %s: %s", e.Location, e.Keyword, e.Message)
}

// ValidationError describes why a value does not satisfy a schema, so that a model can correct its
// call.
type ValidationError struct {
	// Failures contains between one and Options.MaxFailures elements.
	Failures []Failure
	// More is true if there are additional failures.
	More bool
}

// Failure is one failed check.
type Failure struct {
	Pointer string // JSON Pointer to the value in the instance; "" for the root
	Keyword string // the keyword that failed, such as "maximum"
	Schema  string // location of the keyword's schema, such as "#/properties/limit"
	Message string // such as "500 is more than the maximum 100"
}

// String returns the pointer and the message, such as "/limit: 500 is more than the maximum 100".
func (f Failure) String() string {
	if f.Pointer == "" {
		return f.Message
	}
	return f.Pointer + ": " + f.Message
}

func (e *ValidationError) Error() string {
	var b strings.Builder
	for i, f := range e.Failures {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.String())
	}
	if e.More {
		b.WriteString("; and more")
	}
	return b.String()
}
