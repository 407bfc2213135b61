package modeltest

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/docent-mcp/docent/internal/work"
)

const (
	// HostileSize is the size of hostile inputs in bytes.
	HostileSize = 64 << 10
	// HostileMemory is the maximum number of bytes that may be allocated to read one of them.
	HostileMemory = 200 << 20
)

// Reading reads a hostile input.
type Reading func(context.Context) error

// Cost returns what a reading takes: its steps with their limit, and the bytes that it allocates.
func Cost(ctx context.Context, read Reading) (steps, limit int64, allocated uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = work.Run(ctx, work.Base, func(ctx context.Context) error {
		m := work.FromContext(ctx)
		defer func() { steps, limit = m.Used(), m.Limit() }()
		return read(ctx)
	})
	runtime.ReadMemStats(&after)
	return steps, limit, after.TotalAlloc - before.TotalAlloc, err
}

// Bounded tests that the cost of readings is bounded and, unless it is quadratic, proportional to
// the size of their inputs.
func Bounded(t *testing.T, quadratic bool, reading func(size int) Reading) {
	t.Helper()
	steps, limit, allocated, err := Cost(t.Context(), reading(HostileSize))
	if allocated > HostileMemory {
		t.Errorf("%d MB are allocated", allocated>>20)
	}
	if quadratic {
		return
	}
	if err != nil || steps > limit {
		t.Fatalf("it takes %d of %d steps: %v", steps, limit, err)
	}
	quarter, _, _, _ := Cost(t.Context(), reading(HostileSize/4))
	if steps > 8*quarter+10_000 {
		t.Errorf("it takes %d steps, a quarter of it %d", steps, quarter)
	}
}

// FuzzBounded tests that readings of inputs that a seed determines do not allocate too much.
func FuzzBounded(f *testing.F, reading func(seed uint64) Reading) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if _, _, allocated, _ := Cost(t.Context(), reading(seed)); allocated > 2*HostileMemory {
			t.Errorf("%d MB are allocated", allocated>>20)
		}
	})
}

// countdown is a context that is canceled after its Err method has been called a given
// number of times.
type countdown struct {
	context.Context
	remaining int
	canceled  func()
}

func (c *countdown) Err() error {
	if c.remaining--; c.remaining > 0 {
		return nil
	}
	if c.remaining == 0 {
		c.canceled()
	}
	return context.Canceled
}

// Canceled tests that a reading ends soon after its context is canceled, at the given number of
// checks of the context. It reports whether the reading was canceled before its end.
func Canceled(t *testing.T, name string, checks int, read Reading) bool {
	t.Helper()
	var m *work.Meter
	used := int64(-1) // steps before the cancellation
	ctx := &countdown{Context: t.Context(), remaining: checks, canceled: func() { used = m.Used() }}
	err := work.Run(ctx, work.Base, func(ctx context.Context) error {
		m = work.FromContext(ctx)
		return read(ctx)
	})
	if further := m.Used() - used; used >= 0 && (!errors.Is(err, context.Canceled) || further > 10_000) {
		t.Errorf("%s: %v after %d further steps", name, err, further)
	}
	return used >= 0
}
