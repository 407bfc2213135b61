// Package timer rings when bread is done.
package timer

import "time"

// A Timer rings once.
type Timer struct{ at time.Time }

// Set sets a timer that rings after d.
func Set(d time.Duration) *Timer { return &Timer{time.Now().Add(d)} }

// Stop stops the timer before it rings.
func (t *Timer) Stop() {}
