package modules

import (
	"bytes"
	"iter"
	"slices"
)

// linesAround is the number of lines before and after a mark that around yields.
const linesAround = 2

// around yields the parts of code that contain one of the marks, which are a few lines around each, with their
// offsets. Expressions are slow, so they are matched only with these parts.
func around(code []byte, marks ...string) iter.Seq2[int, []byte] {
	var lines []int // lines contains the starts of the lines with marks.
	for _, mark := range marks {
		for at := 0; ; {
			i := bytes.Index(code[at:], []byte(mark))
			if i < 0 {
				break
			}
			at += i
			lines = append(lines, bytes.LastIndexByte(code[:at], '\n')+1)
			at = lineEnd(code, at)
		}
	}
	slices.Sort(lines)
	return func(yield func(int, []byte) bool) {
		for i := 0; i < len(lines); {
			start := lines[i]
			for range linesAround {
				start = bytes.LastIndexByte(code[:max(start-1, 0)], '\n') + 1
			}
			end, reach := lines[i], lines[i]
			for ; i < len(lines) && lines[i] <= reach; i++ { // Combine parts that would overlap.
				end = lines[i]
				for range linesAround + 1 {
					end = lineEnd(code, end)
				}
				reach = end
				for range linesAround {
					reach = lineEnd(code, reach)
				}
			}
			if !yield(start, code[start:end]) {
				return
			}
		}
	}
}

// lineEnd returns the offset after the line that contains an offset.
func lineEnd(code []byte, at int) int {
	if i := bytes.IndexByte(code[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(code)
}
