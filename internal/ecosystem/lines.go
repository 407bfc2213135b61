package ecosystem

import (
	"slices"
	"strings"
)

// Lines converts between offsets in text and positions.
type Lines struct {
	starts []int
}

// NewLines returns the Lines of text whose lines end in line feeds.
func NewLines(text string) Lines {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return Lines{starts}
}

// Position returns the position of an offset.
func (l Lines) Position(offset int) Position {
	line, found := slices.BinarySearch(l.starts, offset)
	if !found {
		line--
	}
	return Position{Line: line + 1, Column: offset - l.starts[line] + 1}
}

// Offset returns the offset of a position that Position has returned.
func (l Lines) Offset(p Position) int { return l.starts[p.Line-1] + p.Column - 1 }
