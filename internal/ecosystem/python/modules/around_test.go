package modules

import (
	"fmt"
	"strings"
	"testing"
)

func TestAroundYieldsTheLinesNearMarks(t *testing.T) {
	for _, tt := range []struct {
		lines int
		marks []int
		want  string
	}{
		{20, nil, ""},
		{20, []int{0}, "0-3"},
		{20, []int{9}, "7-12"},
		{20, []int{19}, "17-20"},
		{20, []int{5, 6, 10}, "3-13"},
		{20, []int{5, 10}, "3-13"},
		{20, []int{5, 11}, "3-8 9-14"},
		{2, []int{1}, "0-2"},
	} {
		var lines []string
		for i := range tt.lines {
			lines = append(lines, fmt.Sprintf("%d", i))
		}
		for _, i := range tt.marks {
			lines[i] += " eval(exec(eval("
		}
		code := strings.Join(lines, "\n")
		var got []string
		for start, part := range around([]byte(code), "eval(", "exec(") {
			if !strings.HasPrefix(code[start:], string(part)) {
				t.Errorf("%v: %q is not at %d", tt.marks, part, start)
			}
			first := strings.Count(code[:start], "\n")
			got = append(got, fmt.Sprintf("%d-%d", first, first+len(strings.Split(strings.TrimSuffix(string(part), "\n"), "\n"))))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: %v, want %s", tt.marks, got, tt.want)
		}
	}
}
