// Package customs inspects what arrives.
package customs

import (
	"errors"

	"example.com/harbor/cargo"
)

// Base is embedded at two depths.
type Base struct {
	ID   string
	Kind string
}

// Check checks the kind.
func (b *Base) Check() error { return errors.ErrUnsupported }

// Seal is embedded beside Base and has a field of the same name, so that neither is promoted.
type Seal struct {
	Kind int
	Wax  string
}

// Parcel takes over ID, Wax and Check. Kind is ambiguous.
type Parcel struct {
	Base
	Seal
}

// Crate shadows the ID of its Parcel.
type Crate struct {
	*Parcel
	ID int
}

// Loop embeds itself.
type Loop struct {
	*Loop
	Round int
}

// Wrapper embeds an instance of a generic type of another package.
type Wrapper[T any] struct {
	cargo.Pair[T, error]
	Inner T
}

// Strict is defined by a pointer to a struct.
type Strict *Base

// Again is defined by a type of another package.
type Again cargo.Numbers

// Renamed is an alias of a generic type of another package.
type Renamed = cargo.Stack[int, string]

// Check2 is a method with a receiver in parentheses.
func (b *(Base)) Check2() {}

// Failure is an error with a cause.
type Failure struct {
	error
	Cause error
}
