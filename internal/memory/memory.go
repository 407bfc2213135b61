// Package memory holds a server's memory within a budget. Whoever is about to read,
// decode or render something large acquires its approximate size first and waits
// until there is room. Caches count against the same budget and give up entries
// when somebody waits.
package memory

import (
	"container/list"
	"context"
	"sync"
)

// Budget is an amount of memory in bytes. Reservations are granted in the order in
// which they are requested. It is safe for concurrent use. The nil Budget grants
// everything at once.
type Budget struct {
	size int64

	mu      sync.Mutex
	used    int64
	waiting list.List // elements are *waiter
	evict   []func(bytes int64)
}

// waiter is a reservation that has not been granted yet.
type waiter struct {
	bytes   int64
	granted chan struct{} // closed once it is granted
}

// New returns a Budget of size bytes.
func New(size int64) *Budget { return &Budget{size: size} }

// Size returns the size of the budget in bytes, 0 for the nil Budget.
func (b *Budget) Size() int64 {
	if b == nil {
		return 0
	}
	return b.size
}

// OnShortage registers a function that evicts about the given number of bytes from
// a cache, and as much less if the cache does not hold them. It calls [Budget.Charge]
// for what it evicts, and must not acquire anything.
func (b *Budget) OnShortage(evict func(bytes int64)) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.evict = append(b.evict, evict)
}

// Acquire reserves n bytes until release is called, which may be called several
// times. It waits for room, and returns the error of ctx if that ends first. What is
// larger than the whole budget is granted when nothing else is reserved. A caller
// that holds a reservation must not acquire another, since both could wait forever.
func (b *Budget) Acquire(ctx context.Context, n int64) (release func(), err error) {
	if b == nil {
		return func() {}, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &waiter{min(max(n, 0), b.size), make(chan struct{})}
	b.mu.Lock()
	element := b.waiting.PushBack(w)
	b.mu.Unlock()
	b.Reclaim()
	select {
	case <-w.granted:
	case <-ctx.Done():
		b.mu.Lock()
		select {
		case <-w.granted: // just before ctx ended
			b.used -= w.bytes
		default:
			b.waiting.Remove(element)
		}
		b.mu.Unlock()
		b.Reclaim()
		return nil, ctx.Err()
	}
	return sync.OnceFunc(func() {
		b.Charge(-w.bytes)
		b.Reclaim()
	}), nil
}

// Charge adds n bytes, which may be negative, to what is used, without waiting. A
// cache calls it for each change of its size, and calls [Budget.Reclaim] after it has
// released its locks.
func (b *Budget) Charge(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += n
	b.grant()
}

// Reclaim evicts entries of caches if somebody waits for memory. The caller must
// not hold a lock that a function of [Budget.OnShortage] takes.
func (b *Budget) Reclaim() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, evict := range b.evict {
		missing := b.grant()
		if missing <= 0 {
			return
		}
		b.mu.Unlock()
		evict(missing)
		b.mu.Lock()
	}
	b.grant()
}

// grant grants reservations for which there is room, first come, first served. It
// returns the number of bytes that the next one lacks. It requires b.mu.
func (b *Budget) grant() (missing int64) {
	for first := b.waiting.Front(); first != nil; first = b.waiting.Front() {
		w := first.Value.(*waiter)
		if missing := b.used + w.bytes - b.size; missing > 0 {
			return missing
		}
		b.waiting.Remove(first)
		b.used += w.bytes
		close(w.granted)
	}
	return 0
}
