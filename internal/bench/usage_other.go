//go:build !unix

package main

import (
	"os"
	"time"
)

func peak(*os.ProcessState) (mib float64, ok bool) { return 0, false }

var begun = time.Now()

// processorTime returns the time since the process began, because the system
// has no better measure.
func processorTime() time.Duration { return time.Since(begun) }
