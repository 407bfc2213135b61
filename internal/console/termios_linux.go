package console

import (
	"runtime"
	"strings"
)

// termiosRequests returns the requests that read and write the modes of a terminal: TCGETS and
// TCSETS, which package syscall does not define.
func termiosRequests() (get, set uintptr) {
	switch {
	case strings.HasPrefix(runtime.GOARCH, "mips"):
		return 0x540d, 0x540e
	case strings.HasPrefix(runtime.GOARCH, "ppc64"):
		return 0x402c7413, 0x802c7414
	}
	return 0x5401, 0x5402
}
