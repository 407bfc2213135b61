package memory

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

func mustAcquire(t *testing.T, b *Budget, n int64) (release func()) {
	t.Helper()
	release, err := b.Acquire(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// unused fails if anything is reserved or waits.
func unused(t *testing.T, b *Budget) {
	t.Helper()
	if b.used != 0 || b.waiting.Len() != 0 {
		t.Errorf("%d bytes are used, %d wait", b.used, b.waiting.Len())
	}
}

func TestBudget_GrantsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(10)
		release := mustAcquire(t, b, 6)
		var mu sync.Mutex
		var order []int64
		var wait sync.WaitGroup
		for _, n := range []int64{9, 1, 20, 2} { // 1 would fit at once, and 20 is larger than the budget
			wait.Go(func() {
				release := mustAcquire(t, b, n)
				mu.Lock()
				order = append(order, n)
				mu.Unlock()
				if n == 20 && b.used != 10 {
					t.Errorf("%d bytes are used beside the reservation that is larger than the budget", b.used-10)
				}
				release()
			})
			synctest.Wait()
		}
		if len(order) != 0 {
			t.Errorf("%v were granted before those that came first", order)
		}
		release()
		release()
		wait.Wait()
		if len(order) != 4 || order[2] != 20 && order[3] != 20 {
			t.Errorf("order %v", order)
		}
		unused(t, b)
	})
}

func TestBudget_ObeysContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(10)
		release := mustAcquire(t, b, 5)
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() {
			_, err := b.Acquire(ctx, 6)
			result <- err
		}()
		synctest.Wait()
		behind := make(chan func())
		go func() { behind <- mustAcquire(t, b, 5) }()
		synctest.Wait()
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
		(<-behind)() // it fits once the one before it has gone
		if _, err := b.Acquire(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("with an ended context: %v", err)
		}
		release()
		unused(t, b)
	})
}

func TestBudget_EvictsFromCaches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(10)
		cached := int64(8)
		b.Charge(cached)
		b.OnShortage(func(bytes int64) {
			n := min(bytes, cached)
			cached -= n
			b.Charge(-n)
		})
		release := mustAcquire(t, b, 5)
		if cached != 5 {
			t.Errorf("%d bytes are cached beside a reservation of 5", cached)
		}
		done := make(chan func())
		go func() { done <- mustAcquire(t, b, 10) }()
		synctest.Wait()
		cached += 3 // the holder caches its result while another waits
		b.Charge(3)
		release()
		(<-done)()
		if cached != 0 {
			t.Errorf("%d bytes are cached beside a reservation of everything", cached)
		}
		unused(t, b)
	})
}

func TestBudget_NilGrantsEverything(t *testing.T) {
	var b *Budget
	b.OnShortage(nil)
	b.Charge(1)
	b.Reclaim()
	mustAcquire(t, b, 1<<60)()
	if b.Size() != 0 {
		t.Error("it has a size")
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		in   string
		want int64 // 0 if it is an error
	}{
		{"512MiB", 512 << 20}, {"64m", 64 << 20}, {" 2 GiB ", 2 << 30}, {"1073741824", 1 << 30}, {"1073741824B", 1 << 30}, {"131072k", 128 << 20},
		{"", 0}, {"MiB", 0}, {"-1G", 0}, {"1.5G", 0}, {"63MiB", 0}, {"9223372036854775807T", 0}, {"99999999999999999999", 0}, {"512 MB", 0},
	}
	for _, tt := range tests {
		if got, err := ParseSize(tt.in); got != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", tt.in, got, err, tt.want)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"512MiB", "2G", "1073741824", "8388608T", "-1", "KIB", "0x10M"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseSize(s)
		if err == nil && n < Least {
			t.Errorf("ParseSize(%q) = %d", s, n)
		}
	})
}
