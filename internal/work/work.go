// Package work limits the computation of one reading of a package. A [Meter] counts its steps,
// which are small pieces of work of about equal length, such as reading one token, comparing one
// declaration, or following one import. The number of steps that a reading may take grows with the
// bytes that it reads, so input that needs more than a linear amount of work uses up its steps.
//
// A reading that its callers have canceled stops at its next step. A reading that has used up its
// steps first gets false from [Meter.Step], so that it can return what it has. If it continues
// regardless, it is stopped.
package work

import (
	"context"
	"errors"
	"sync/atomic"
)

const (
	// Base is the number of steps that any reading may take, however little it reads.
	Base = 4_000_000
	// perByte is the number of steps that each byte of input adds.
	perByte = 64
	// checkEvery is the number of steps between two checks of the context. It must be a
	// power of two.
	checkEvery = 1 << 12
)

// ErrSpent is returned by [Run] for a function that continued after it had run out of
// steps.
var ErrSpent = errors.New("reading it requires more work than docent allows for one package")

// Meter counts the steps of one reading. It is safe for concurrent use. The nil Meter has no limit.
type Meter struct {
	ctx   context.Context
	used  atomic.Int64
	limit atomic.Int64
}

type meterKey struct{}

// FromContext returns the Meter of the reading to which ctx belongs, or nil if there is none.
func FromContext(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// stop is the value of the panic that ends a reading.
type stop struct{ err error }

// Run calls f with a context that carries a new Meter, which allows base steps plus [perByte] steps
// for each granted byte. It returns the error of f, the error of ctx if that ended f, or
// [ErrSpent].
func Run(ctx context.Context, base int64, f func(context.Context) error) (err error) {
	m := &Meter{ctx: ctx}
	m.limit.Store(base)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	return f(context.WithValue(ctx, meterKey{}, m))
}

// Grant adds the steps for n bytes of input. Code that opens a file calls it once.
func (m *Meter) Grant(n int64) {
	if m != nil && n > 0 {
		m.limit.Add(n * perByte)
	}
}

// Step counts n steps, but at least one. It returns false if the reading has used up its steps. The
// caller should then skip the rest of its work and return what it has. If a reading takes twice the
// allowed number, or if its context is done, Step ends it with a panic that [Run] turns into an
// error. Therefore, a caller that cannot do anything useful may ignore the result. On a goroutine
// other than Run's, [Meter.Catch] must be deferred.
func (m *Meter) Step(n int) bool {
	if m == nil {
		return true
	}
	size := int64(max(n, 1))
	used, limit := m.used.Add(size), m.limit.Load()
	if used&^(checkEvery-1) != (used-size)&^(checkEvery-1) {
		if err := m.ctx.Err(); err != nil {
			panic(stop{err})
		}
	}
	if used > 2*limit {
		panic(stop{ErrSpent})
	}
	return used <= limit
}

// Spent reports whether the reading has run out of steps.
func (m *Meter) Spent() bool {
	return m != nil && m.used.Load() > m.limit.Load()
}

// Catch ends a goroutine without a crash if Step stopped it. The goroutine that
// waits for it is stopped by its own next step or, at the latest, by [Meter.Check].
func (m *Meter) Catch() {
	if r := recover(); r != nil {
		if _, ok := r.(stop); !ok {
			panic(r)
		}
	}
}

// Check stops the reading if its context is done or it has taken twice the
// allowed number of steps, however few steps have passed since the last check.
func (m *Meter) Check() {
	if m == nil {
		return
	}
	if err := m.ctx.Err(); err != nil {
		panic(stop{err})
	}
	if m.used.Load() > 2*m.limit.Load() {
		panic(stop{ErrSpent})
	}
}

// Used returns the number of steps that the reading has taken.
func (m *Meter) Used() int64 {
	if m == nil {
		return 0
	}
	return m.used.Load()
}

// Limit returns the number of steps that the reading may take.
func (m *Meter) Limit() int64 {
	if m == nil {
		return 0
	}
	return m.limit.Load()
}
