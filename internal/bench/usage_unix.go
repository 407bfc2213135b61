//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the maximum resident memory of a process in MiB, if the system
// reports it.
func peak(p *os.ProcessState) (mib float64, ok bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	unit := 1024.0
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / (1 << 20), true
}
