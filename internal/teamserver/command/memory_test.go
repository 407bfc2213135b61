package command

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "12": 12, "12B": 12, "3KiB": 3 << 10, "3k": 3 << 10, "512MiB": 512 << 20, "2 GB": 2 << 30, "1T": 1 << 40} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5GiB", "9999999999T", "much", "1PiB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestMemoryBudget(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv(memoryVariable, "1GiB")
	if got, err := memoryBudget(""); err != nil || got != 1<<30 || debug.SetMemoryLimit(-1) != 1<<30 {
		t.Errorf("the variable gives %d, %v, and the limit %d", got, err, debug.SetMemoryLimit(-1))
	}
	if got, err := memoryBudget("256MiB"); err != nil || got != 256<<20 {
		t.Errorf("the flag gives %d, %v", got, err)
	}
	for flag, want := range map[string]string{"lots": "is not a size", "1MiB": "is too small"} {
		if _, err := memoryBudget(flag); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", flag, err)
		}
	}
}
