package markup

import (
	"iter"
	"strings"
)

// Fenced is the content of a fenced code block.
type Fenced struct {
	// Info is the text after the opening fence: "go", "rust,no_run".
	Info string
	// Line is the number of the first line of Code, from 1.
	Line int
	// Code is the unchanged text of the block. Its lines are indented at least as far as the
	// fence.
	Code string
}

// FencedBlocks yields the fenced code blocks of a Markdown text, including those in list
// items.
func FencedBlocks(md string) iter.Seq[Fenced] {
	return func(yield func(Fenced) bool) {
		var block Fenced
		fence := ""
		offset, start, n := 0, 0, 0 // start is the position at which the code of the block begins.
		for line := range strings.Lines(md) {
			n++
			offset += len(line)
			trimmed := strings.TrimSpace(line)
			switch {
			case fence == "":
				if fence = opens(trimmed); fence != "" {
					block = Fenced{Info: strings.TrimSpace(trimmed[len(fence):]), Line: n + 1}
					start = offset
				}
			case closes(trimmed, fence):
				block.Code = md[start : offset-len(line)]
				if !yield(block) {
					return
				}
				fence = ""
			}
		}
		if fence != "" { // The block is not closed.
			block.Code = md[start:]
			yield(block)
		}
	}
}
