package main

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/memory"
)

func TestMemory_Budget(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	tests := []struct {
		name, flag, variable, limit string
		want                        int64 // size of the budget; 0 if it is an error
		collector                   int64 // limit of the garbage collector
	}{
		{"by default", "", "", "", memory.Default, memory.Default},
		{"variable", "", "1GiB", "", 1 << 30, 1 << 30},
		{"flag before variable", "128MiB", "1GiB", "", 128 << 20, 128 << 20},
		{"the user's limit of the collector stays", "128MiB", "", "2GiB", 128 << 20, math.MaxInt64},
		{"too small", "1KiB", "", "", 0, math.MaxInt64},
		{"not a size", "", "lots", "", 0, math.MaxInt64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(memoryVariable, tt.variable)
			t.Setenv("GOMEMLIMIT", tt.limit)
			debug.SetMemoryLimit(math.MaxInt64)
			budget, err := memoryBudget(tt.flag)
			if budget.Size() != tt.want || (err == nil) != (tt.want > 0) {
				t.Errorf("%d, %v; want %d", budget.Size(), err, tt.want)
			}
			if tt.variable == "lots" && !strings.Contains(err.Error(), memoryVariable) {
				t.Errorf("%v does not name the variable", err)
			}
			if got := debug.SetMemoryLimit(-1); got != tt.collector {
				t.Errorf("the collector's limit is %d, want %d", got, tt.collector)
			}
		})
	}
}
