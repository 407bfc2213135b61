// Package retry computes how long to wait before a failed connection, request
// or event stream is tried again.
package retry

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff returns the time to wait before attempt n, which is at least 1. The time is first for the
// first attempt, and doubles with each attempt up to maximum. Half of it is random, so that clients do
// not all retry at the same moment.
func Backoff(n int, first, maximum time.Duration) time.Duration {
	d := min(first<<min(n-1, 20), maximum)
	return d/2 + rand.N(d/2+1) //nolint:gosec // jitter
}

// Sleep waits for d. It returns false if ctx is done first.
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
