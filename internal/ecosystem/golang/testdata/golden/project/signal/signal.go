// Package signal sends flags and lights.
package signal

import (
	"context"
	"fmt"
	"io"
)

// Sender sends messages.
type Sender interface {
	// Send sends one message and waits for the answer.
	Send(ctx context.Context, text string, flags ...Flag) (answer string, err error)
	Close() error // Close ends the watch.
}

// Both is a Sender that can be read.
type Both interface {
	Sender
	io.Reader
	fmt.Stringer
	error
	// Reset starts again.
	Reset()
}

// Number is a constraint.
type Number interface {
	~int | ~int64 | ~float64
	String() string
}

// Sealed cannot be implemented by others.
type Sealed interface {
	Public(func(int) Flag) <-chan Flag
	private()
}

// Empty is satisfied by every type.
type Empty interface{}

// Ordered embeds a constraint of the language.
type Ordered interface {
	comparable
	interface{ Less(other any) bool }
}

// Flag is a coloured flag.
type Flag rune

// Alpha and Bravo are flags.
const (
	Alpha Flag = 'A' + iota
	Bravo
)

// Mast has a Sender and takes over its methods.
type Mast struct {
	Sender
	io.Writer
	Height int
}

// Send overrides the method of the Sender.
func (m *Mast) Send(ctx context.Context, text string, flags ...Flag) (string, error) {
	return "", nil
}

// Wrap is defined by an interface.
type Wrap Sender

// ErrLost is returned if nobody answers.
var ErrLost = fmt.Errorf("signal: lost")

// ErrorFunc is an error that is a function.
type ErrorFunc func() string

func (f ErrorFunc) Error() string { return f() }
