package setup

import (
	"fmt"
	"strings"
)

// contextLines is the number of unchanged lines around a change.
const contextLines = 3

// diff returns the change from before to after in the unified format. docent changes only one range
// of a file, so there is one hunk.
func diff(path string, before, after []byte) string {
	a, b := splitLines(before), splitLines(after)
	head, tail := common(a, b)
	from, to := max(0, head-contextLines), min(len(a), len(a)-tail+contextLines)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %[1]s\n@@ -%s +%s @@\n", path, hunkRange(from, to-from), hunkRange(from, to-from+len(b)-len(a)))
	write := func(mark string, lines []string) {
		for _, line := range lines {
			text := strings.TrimSuffix(line, "\n")
			out.WriteString(mark + strings.TrimSuffix(text, "\r") + "\n")
			if text == line {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	write(" ", a[from:head])
	write("-", a[head:len(a)-tail])
	write("+", b[head:len(b)-tail])
	write(" ", a[len(a)-tail:to])
	return out.String()
}

// splitLines returns the lines of a file with their ends.
func splitLines(data []byte) []string {
	lines := strings.SplitAfter(string(data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

// hunkRange returns the lines of a hunk as diff -u prints them: the first line and the number of
// lines. For an empty range, the first line is the line before it.
func hunkRange(from, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

// common returns the lengths of the longest common beginning of a and b, and of the longest common end
// of what follows.
func common[T comparable](a, b []T) (head, tail int) {
	shorter := min(len(a), len(b))
	for head < shorter && a[head] == b[head] {
		head++
	}
	for tail < shorter-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}
