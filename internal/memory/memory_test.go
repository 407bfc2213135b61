package memory

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// budget returns a Budget with room for two tasks, beside a heap that a test sets.
func budget() (*Budget, *atomic.Int64) {
	var heap atomic.Int64
	return &Budget{limit: 2 * share, heap: heap.Load}, &heap
}

func TestBudget_Do(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, heap := budget()
		var running, maximum, done atomic.Int64
		release := make(chan struct{})
		start := func() {
			go func() {
				_ = b.Do(t.Context(), func(context.Context) error {
					maximum.Store(max(maximum.Load(), running.Add(1)))
					<-release
					running.Add(-1)
					done.Add(1)
					return nil
				})
			}()
			synctest.Wait()
		}
		for range 5 {
			start()
		}
		if running.Load() != 2 {
			t.Errorf("%d tasks run at once, want 2", running.Load())
		}
		heap.Store(3 * share) // Above the limit, only one task runs at a time.
		for range 5 {
			release <- struct{}{}
			synctest.Wait()
			if n := running.Load(); n > 2 || done.Load() > 1 && n > 1 {
				t.Errorf("%d tasks run after %d have ended", n, done.Load())
			}
		}
		if done.Load() != 5 || maximum.Load() != 2 || b.running != 0 || len(b.waiting) != 0 {
			t.Errorf("%d tasks have ended, at most %d ran at once; %d run, %d wait", done.Load(), maximum.Load(), b.running, len(b.waiting))
		}
	})
}

func TestBudget_Order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, heap := budget()
		heap.Store(3 * share)
		var order []int
		release := make(chan struct{})
		for i := range 4 {
			go func() {
				_ = b.Do(t.Context(), func(context.Context) error {
					order = append(order, i)
					<-release
					return nil
				})
			}()
			synctest.Wait()
		}
		for range 4 {
			release <- struct{}{}
			synctest.Wait()
		}
		for i, n := range order {
			if i != n {
				t.Errorf("the order is %v", order)
				break
			}
		}
	})
}

func TestBudget_Cancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, heap := budget()
		heap.Store(3 * share)
		release := make(chan struct{})
		go func() { _ = b.Do(t.Context(), func(context.Context) error { <-release; return nil }) }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		var failed error
		go func() { failed = b.Do(ctx, func(context.Context) error { t.Error("it ran"); return nil }) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(failed, context.Canceled) || len(b.waiting) != 0 {
			t.Errorf("the error is %v; %d wait", failed, len(b.waiting))
		}
		close(release)
		synctest.Wait()
		if err := b.Do(t.Context(), func(context.Context) error { return nil }); err != nil || b.running != 0 {
			t.Errorf("the next task: %v; %d run", err, b.running)
		}
	})
}

func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, heap := budget()
		heap.Store(3 * share)
		answer := make(chan struct{})
		resumed := false
		go func() {
			_ = b.Do(t.Context(), func(ctx context.Context) error {
				first, second := Idle(ctx), Idle(ctx)
				first()
				<-answer
				second()
				resumed = true
				return nil
			})
		}()
		synctest.Wait()
		release := make(chan struct{})
		ran := false
		go func() { _ = b.Do(t.Context(), func(context.Context) error { ran = true; <-release; return nil }) }()
		synctest.Wait()
		if !ran {
			t.Fatal("no task runs while another one is idle")
		}
		close(answer)
		synctest.Wait()
		if resumed {
			t.Error("a task goes on although another one has taken its room")
		}
		close(release)
		synctest.Wait()
		if !resumed || b.running != 0 {
			t.Errorf("resumed: %v; %d run", resumed, b.running)
		}
	})
}

func TestBudget_None(t *testing.T) {
	var b *Budget
	failure := errors.New("no")
	if err := b.Do(t.Context(), func(ctx context.Context) error { Idle(ctx)(); return failure }); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
}
