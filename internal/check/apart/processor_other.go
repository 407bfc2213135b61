//go:build !unix

package apart

import "time"

var began = time.Now()

// ProcessorTime returns the age of this process, because the time that processors have spent on it is not known.
func ProcessorTime() time.Duration { return time.Since(began) }
