package jsonschema

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMalformed is reported for an instance that is not JSON after all.
var ErrMalformed = errors.New("the value is not well-formed JSON")

// ErrTooDeep is reported when schemas are applied inside of each other more than Options.MaxDepth times.
var ErrTooDeep = errors.New("the value and its schema nest too deeply to be validated")

// ErrTooComplex is reported when validation would take more than Options.MaxSteps steps.
var ErrTooComplex = errors.New("the value takes too much work to be validated against its schema")

// CompileError says what is wrong with a schema.
type CompileError struct {
	Location string // of the schema, such as "#/properties/limit"
	Keyword  string // "" when the fault is not in one keyword
	Message  string
}

func (e *CompileError) Error() string {
	if e.Keyword == "" {
		return fmt.Sprintf("schema %s: %s", e.Location, e.Message)
	}
	return fmt.Sprintf("schema %s: %s: %s", e.Location, e.Keyword, e.Message)
}

// ValidationError says why a value does not match a schema, in words that let a model correct its call.
type ValidationError struct {
	// Failures has at least one element and at most Options.MaxFailures.
	Failures []Failure
	// More is set when there were further failures.
	More bool
}

// Failure is one reason.
type Failure struct {
	Pointer string // JSON Pointer of the value in the instance; "" is the whole
	Keyword string // that refused it, such as "maximum"
	Schema  string // where the keyword's schema stands, such as "#/properties/limit"
	Message string // such as "500 is more than the maximum 100"
}

// String returns the message after the pointer: "/limit: 500 is more than the maximum 100".
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
