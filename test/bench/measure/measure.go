// Package measure contains what the comparisons share: medians, the processor time and memory of a process,
// and what a page says about the machine and the compared versions.
package measure

import (
	"fmt"
	"net"
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

// FreeAddr returns an address on loopback that no server uses, with a port that
// the system has chosen.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Reach waits until a server accepts connections.
func Reach(addr string) error {
	for range 500 {
		if c, err := net.Dial("tcp", addr); err == nil {
			return c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("%s cannot be reached", addr)
}

// Memory returns the resident memory of a process in bytes, and the most that it has had; both are
// 0 on systems without /proc.
func Memory(pid int) (resident, peak int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kib, _ := strconv.Atoi(fields[1])
		switch fields[0] {
		case "VmRSS:":
			resident = kib << 10
		case "VmHWM:":
			peak = kib << 10
		}
	}
	return resident, peak
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

// Versions returns the versions of Go, the libraries of this module, the crate rmcp in a
// Cargo.lock, and Redis if withRedis is true, as a list for a sentence.
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
