// Package parallel calls functions concurrently.
package parallel

import "sync"

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
