// Package retry decides how long to wait before connections, requests and event
// streams that failed are tried again.
package retry

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff returns the time to wait before attempt n, which is at least 1. It
// starts at first, doubles with each attempt up to most, and is half random, so
// that clients do not return at the same moment.
func Backoff(n int, first, most time.Duration) time.Duration {
	d := min(first<<min(n-1, 20), most)
	return d/2 + rand.N(d/2+1) //nolint:gosec // jitter
}

// Sleep waits for d. It returns false if ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
