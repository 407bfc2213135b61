package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

const (
	// Default is the budget of a server that is not configured, in bytes.
	Default = 512 << 20
	// Least is the smallest budget that can be configured, in bytes.
	Least = 64 << 20
)

// units are the suffixes of sizes, each with its number of bytes as a power of two.
var units = []struct {
	suffix string
	shift  uint
}{{"KIB", 10}, {"MIB", 20}, {"GIB", 30}, {"TIB", 40}, {"K", 10}, {"M", 20}, {"G", 30}, {"T", 40}, {"B", 0}, {"", 0}}

// ParseSize returns the number of bytes of a size such as 512MiB, 2G or 1073741824.
func ParseSize(s string) (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	for _, unit := range units {
		digits, ok := strings.CutSuffix(text, unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 63)
		if err != nil || n > math.MaxInt64>>unit.shift {
			break
		}
		if n<<unit.shift < Least {
			return 0, fmt.Errorf("the memory size %.40q is too small: give at least %dMiB", s, Least>>20)
		}
		return int64(n << unit.shift), nil
	}
	return 0, fmt.Errorf("%.40q is not a memory size: give a number with a unit, such as 512MiB or 2GiB", s)
}
