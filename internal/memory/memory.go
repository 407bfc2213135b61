// Package memory limits the memory that a server uses for packages that it reads at the same time.
package memory

import (
	"context"
	"runtime/metrics"
	"slices"
	"sync"
)

// share is the memory in bytes that one task is expected to use: about as much as reading
// a package of 60,000 symbols takes.
const share = 192 << 20

// Budget limits the memory of tasks. Tasks begin in the order of their calls. A task begins once
// the heap has room for it in addition to the running tasks, or if no other task is running. It is
// safe for concurrent use. A nil Budget has no limit.
type Budget struct {
	limit int64
	heap  func() int64

	mu      sync.Mutex
	running int
	waiting []chan struct{} // closed when the task may begin
}

// New returns a Budget of limit bytes for the whole heap.
func New(limit int64) *Budget { return &Budget{limit: limit, heap: liveHeap} }

// liveHeap returns the bytes that were in use when the last garbage collection ended.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(min(sample[0].Value.Uint64(), 1<<62))
}

// taskKey is the key of the *task in a context.
type taskKey struct{}

// task is a call to Do.
type task struct {
	budget *Budget
	ctx    context.Context

	mu   sync.Mutex
	idle int // calls to Idle that have not ended
}

// Do calls f once there is room for it. It returns the error of f, or the error of ctx if ctx is
// done before f begins. f must not call Do.
func (b *Budget) Do(ctx context.Context, f func(context.Context) error) error {
	if b == nil {
		return f(ctx)
	}
	if err := b.begin(ctx, false); err != nil {
		return err
	}
	defer b.end()
	t := &task{budget: b, ctx: ctx}
	return f(context.WithValue(ctx, taskKey{}, t))
}

// Idle marks the task of ctx, if there is one, as waiting for something other than the
// processor, such as the network. Other tasks may run until resume is called, which waits
// until there is room again.
func Idle(ctx context.Context) (resume func()) {
	t, _ := ctx.Value(taskKey{}).(*task)
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.idle++; t.idle == 1 {
		t.budget.end()
	}
	return t.resume
}

func (t *task) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.idle--; t.idle > 0 {
		return
	}
	if t.budget.begin(t.ctx, true) != nil { // The context is done, so the task will end.
		t.budget.mu.Lock()
		t.budget.running++
		t.budget.mu.Unlock()
	}
}

// begin waits until a task may run. The task queues after all others or, if first is true because
// it has already begun, ahead of them.
func (b *Budget) begin(ctx context.Context, first bool) error {
	b.mu.Lock()
	if (first || len(b.waiting) == 0) && b.hasRoom() {
		b.running++
		b.mu.Unlock()
		return nil
	}
	ready := make(chan struct{})
	if first {
		b.waiting = slices.Insert(b.waiting, 0, ready)
	} else {
		b.waiting = append(b.waiting, ready)
	}
	b.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, ready); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	} else {
		b.running-- // The task was admitted at the same moment.
	}
	b.wake()
	return ctx.Err()
}

// end removes a task from the running tasks.
func (b *Budget) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.wake()
}

// wake starts the waiting tasks for which there is room. It requires b.mu.
func (b *Budget) wake() {
	for len(b.waiting) > 0 && b.hasRoom() {
		b.running++
		close(b.waiting[0])
		b.waiting = slices.Delete(b.waiting, 0, 1)
	}
}

// hasRoom reports whether one more task may run. It requires b.mu.
func (b *Budget) hasRoom() bool {
	return b.running == 0 || b.heap()+int64(b.running+1)*share <= b.limit
}
