//go:build cgo && !windows

package lights

// #include <stdint.h>
import "C"

// Native returns a value of C.
func Native(x C.int32_t) C.int32_t { return x }
