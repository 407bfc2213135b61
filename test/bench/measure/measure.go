// Package measure contains what the comparisons share: medians, the processor time of a process, and
// what a page says about the machine and the compared versions.
package measure

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Median returns the median of values, or 0 if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// CPUTime returns the processor time of a process, or 0 on systems without
// /proc.
func CPUTime(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The second field is the name in parentheses, which may contain spaces.
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // ticks at 100 Hz
}

// Versions returns the releases of Go, the libraries of this module, the crate rmcp in a Cargo.lock,
// and Redis if withRedis is set, as a sentence lists them.
func Versions(cargoLock string, withRedis bool) string {
	versions := []string{runtime.Version()}
	if mod, err := os.ReadFile("go.mod"); err == nil {
		for _, m := range regexp.MustCompile(`(?m)^\s+\S+/(mcp-go|go-sdk) (v\S+)$`).FindAllStringSubmatch(string(mod), -1) {
			versions = append(versions, m[1]+" "+m[2])
		}
	}
	if lock, err := os.ReadFile(cargoLock); err == nil {
		if m := regexp.MustCompile(`name = "rmcp"\nversion = "([^"]+)"`).FindSubmatch(lock); m != nil {
			versions = append(versions, "rmcp "+string(m[1]))
		}
	}
	if withRedis {
		if out, err := exec.Command("redis-server", "--version").Output(); err == nil {
			if m := regexp.MustCompile(`v=(\S+)`).FindSubmatch(out); m != nil {
				versions = append(versions, "Redis "+string(m[1]))
			}
		}
	}
	return strings.Join(versions, ", ")
}

// LoadAverage returns the load average of the last minute as text, or "unknown".
func LoadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	load, _, _ := strings.Cut(string(data), " ")
	return load
}
