package command

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// memoryVariable is the environment variable for the flag --memory.
	memoryVariable = "DOCENT_MEMORY"
	// defaultMemory is the default of the flag --memory.
	defaultMemory = "512MiB"
	// minMemory is the minimum value of the flag --memory, in bytes.
	minMemory = 64 << 20
)

// memoryBudget returns the memory limit in bytes for packages that a server reads at the same time.
// A flag or the environment specifies it. The garbage collector runs more often when the heap
// approaches this limit, unless the user has set GOMEMLIMIT.
func memoryBudget(flag string) (int64, error) {
	text := cmp.Or(flag, os.Getenv(memoryVariable), defaultMemory)
	limit, err := ParseSize(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("--memory %q is not a size; specify a number of bytes, or a number with a unit such as 512MiB or 2GiB", text)
	case limit < minMemory:
		return 0, fmt.Errorf("--memory %s is too small; specify at least %dMiB", text, minMemory>>20)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
	return limit, nil
}

// ParseSize parses a number of bytes. It may have one of the units KiB, MiB, GiB and TiB. The "iB",
// or only the "i", may be omitted.
func ParseSize(text string) (int64, error) {
	number, unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I"), int64(1)
	if last := len(number) - 1; last >= 0 {
		if i := strings.IndexByte("KMGT", number[last]); i >= 0 {
			number, unit = number[:last], 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, strconv.ErrSyntax
	}
	return n * unit, nil
}
