// Package parallel calls functions concurrently.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Each calls do concurrently for each number below n. If a call panics, Each panics with the same
// value after the other calls.
func Each(n int, do func(i int)) {
	if n == 1 {
		do(0)
		return
	}
	panics := make([]any, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			defer func() { panics[i] = recover() }()
			do(i)
		})
	}
	group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// Limit calls do for each number below n on at most limit goroutines, or on GOMAXPROCS goroutines if
// limit is 0. It calls progress, which may be nil, after each call, one call at a time. It stops
// when ctx is done, and returns the error of ctx.
func Limit(ctx context.Context, n, limit int, progress func(done, all int), do func(i int)) error {
	if limit == 0 {
		limit = runtime.GOMAXPROCS(0)
	}
	var mu sync.Mutex
	var next, done int
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= n && ctx.Err() == nil
	}
	var group sync.WaitGroup
	for range min(limit, n) {
		group.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				do(i)
				if progress == nil {
					continue
				}
				mu.Lock()
				done++
				progress(done, n)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
