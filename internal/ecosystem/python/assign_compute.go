package python

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file decides whether a string in code may be the name of an attribute that the code gives to an object.

// computesAttributes matches code that may give objects attributes whose names are not written after a dot.
var computesAttributes = lazyregexp.New(`\bsetattr\(|__dict__|__slots__|__setattr__|\bvars\(|\blocals\(|\btype\([^()\n]*,|\bmake_dataclass\(`)

// declaresName matches a line that declares a function or class.
var declaresName = lazyregexp.New(`(?m)^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)`)

// codeBlocks are the statements of a file that begin at the left margin, with those in them.
type codeBlocks struct {
	blocks []codeBlock
	// names are the functions and classes in blocks that compute attributes, and anywhere is true if a block computes some that
	// is neither a function nor a class.
	names    map[string]bool
	anywhere bool
}

// codeBlock is such a statement.
type codeBlock struct {
	start, end         int
	declares, computes bool // whether there are functions or classes in it, and whether it computes attributes
}

// readBlocks divides code into blocks. If no block computes attributes, it returns none.
func readBlocks(code []byte) *codeBlocks {
	b := &codeBlocks{names: map[string]bool{}}
	if !computesAttributes().Match(code) {
		return b
	}
	start := 0
	for end := 0; end < len(code); {
		if n := bytes.IndexByte(code[end:], '\n'); n >= 0 {
			end += n + 1
		} else {
			end = len(code)
		}
		if end < len(code) && strings.IndexByte(" \t\r\n#)]}\"'", code[end]) >= 0 {
			continue
		}
		text := code[start:end]
		block := codeBlock{start: start, end: end, declares: declaresName().Match(text), computes: computesAttributes().Match(text)}
		if block.computes {
			b.anywhere = b.anywhere || !block.declares
			for _, m := range declaresName().FindAllSubmatch(text, -1) {
				b.names[string(m[1])] = true
			}
		}
		b.blocks = append(b.blocks, block)
		start = end
	}
	return b
}

// mayCompute reports whether the code may give an object an attribute whose name is in a string at an offset: whether the function
// or class around the string computes attributes or names one that does, or the string is in neither.
func (b *codeBlocks) mayCompute(code []byte, offset int) bool {
	i, found := slices.BinarySearchFunc(b.blocks, offset, func(block codeBlock, offset int) int { return block.start - offset })
	if !found {
		i--
	}
	if i < 0 {
		return false
	}
	block := b.blocks[i]
	if b.anywhere || !block.declares || block.computes {
		return true
	}
	for word := range bytes.FieldsFuncSeq(code[block.start:block.end], func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
		if b.names[string(word)] {
			return true
		}
	}
	return false
}

// slots matches the beginning of the declaration of the attributes of a class.
var slots = lazyregexp.New(`__slots__[ \t]*(?::[^=\n]*)?=[\s\w"',#(\[{:.*+-]*$`)

// maxSlots is the maximum length in bytes of a declaration of __slots__.
const maxSlots = 4000

// isSlot reports whether a string at an offset is the name of an attribute in __slots__.
func isSlot(code []byte, offset int) bool {
	return slots().Match(code[max(0, offset-maxSlots):offset])
}
