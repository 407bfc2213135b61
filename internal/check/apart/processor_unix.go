//go:build unix

package apart

import (
	"syscall"
	"time"
)

// ProcessorTime returns the time that processors have spent on this process.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it cannot fail with these arguments
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
