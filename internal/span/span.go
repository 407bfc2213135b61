// Package span reports the steps of a request and their duration to the Tracer in its context, if
// there is one.
package span

import (
	"context"
	"log/slog"
)

// A Tracer records steps.
type Tracer interface {
	// Start records the beginning of a step, and returns a context for its parts. The step ends
	// when end is called, with the error if it failed.
	Start(ctx context.Context, kind Kind, name string, attributes []slog.Attr) (_ context.Context, end func(err error))
}

// Kind specifies where a step takes place.
type Kind uint8

// Values of Kind.
const (
	Internal Kind = iota // in this process
	Client               // in a server called by this process
)

type tracerKey struct{}

// With returns a context whose steps t records.
func With(ctx context.Context, t Tracer) context.Context {
	return context.WithValue(ctx, tracerKey{}, t)
}

// Start records the beginning of a step. The caller must call end. Names and attributes must not
// contain credentials.
func Start(ctx context.Context, kind Kind, name string, attributes ...slog.Attr) (_ context.Context, end func(err error)) {
	t, ok := ctx.Value(tracerKey{}).(Tracer)
	if !ok {
		return ctx, func(error) {}
	}
	return t.Start(ctx, kind, name, attributes)
}
