package setup

import (
	"fmt"
	"strings"
)

// contextLines is the number of unchanged lines around a change.
const contextLines = 3

// diff returns the change from old to new text in the unified format. All that
// docent changes in a file is one range of it, so there is one hunk.
func diff(path string, before, after []byte) string {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from, to := max(0, head-contextLines), min(len(a), len(a)-tail+contextLines)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %[1]s\n@@ -%d,%d +%d,%d @@\n", path, from+1, to-from, from+1, to-from+len(b)-len(a))
	write := func(mark string, lines []string) {
		for _, line := range lines {
			if line != "" {
				out.WriteString(mark + strings.TrimRight(line, "\r\n") + "\n")
			}
		}
	}
	write(" ", a[from:head])
	write("-", a[head:len(a)-tail])
	write("+", b[head:len(b)-tail])
	write(" ", a[len(a)-tail:to])
	return out.String()
}
