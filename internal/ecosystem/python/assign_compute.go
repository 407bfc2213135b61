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
var declaresName = lazyregexp.New(`(?m)^([ \t]*)(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)`)

// codeBlocks are the statements of a file that begin at the left margin, with those in them.
type codeBlocks struct {
	blocks   []codeBlock
	anywhere bool // whether a block computes attributes that is neither a function nor a class
}

// codeBlock is such a statement.
type codeBlock struct {
	start, end int
	declares   bool // whether there are functions or classes in it
	computes   bool // whether it computes attributes, or may exchange their names with a block that does
}

// readBlocks divides code into blocks. If no block computes attributes, it returns none.
func readBlocks(code []byte) *codeBlocks {
	b := &codeBlocks{}
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
		b.anywhere = b.anywhere || block.computes && !block.declares
		b.blocks = append(b.blocks, block)
		start = end
	}
	if !b.anywhere {
		b.connect(code)
	}
	return b
}

// connect finds the blocks that exchange values with those that compute attributes: callers, whose arguments may be names of
// attributes, and callees, whose results may be. Callers of callers and callees of callees count if their calls name functions or
// classes at the left margin, because many classes have methods with the same names.
func (b *codeBlocks) connect(code []byte) {
	type name struct {
		text   string
		global bool
	}
	declared := make([][]name, len(b.blocks))
	declaring := map[name][]int{} // the blocks that declare a name
	for i, block := range b.blocks {
		for _, m := range declaresName().FindAllSubmatch(code[block.start:block.end], -1) {
			if n := (name{string(m[2]), len(m[1]) == 0}); !strings.HasPrefix(n.text, "__") {
				declared[i] = append(declared[i], n)
				declaring[n] = append(declaring[n], i)
			}
		}
	}
	words := make([][]string, len(b.blocks)) // the declared names in each block
	naming := map[string][]int{}             // the blocks that contain a declared name
	for i, block := range b.blocks {
		for word := range bytes.FieldsFuncSeq(code[block.start:block.end], func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
			if w := string(word); declaring[name{w, true}] != nil || declaring[name{w, false}] != nil {
				words[i] = append(words[i], w)
				naming[w] = append(naming[w], i)
			}
		}
	}
	var queue []int
	for i, block := range b.blocks {
		if block.computes {
			queue = append(queue, i)
		}
	}
	add := func(blocks []int) {
		for _, i := range blocks {
			if !b.blocks[i].computes {
				b.blocks[i].computes = true
				queue = append(queue, i)
			}
		}
	}
	for n, direct := 0, len(queue); n < len(queue); n++ {
		i := queue[n]
		for _, d := range declared[i] {
			if d.global || n < direct {
				add(naming[d.text])
				delete(naming, d.text) // a second time adds none
			}
		}
		for _, word := range words[i] {
			for _, global := range []bool{true, false} {
				if d := (name{word, global}); global || n < direct {
					add(declaring[d])
					delete(declaring, d)
				}
			}
		}
	}
}

// mayCompute reports whether the code may give an object an attribute whose name is in a string at an offset: whether the function
// or class around the string computes attributes or exchanges values with one that does, or the string is in neither.
func (b *codeBlocks) mayCompute(offset int) bool {
	i, found := slices.BinarySearchFunc(b.blocks, offset, func(block codeBlock, offset int) int { return block.start - offset })
	if !found {
		i--
	}
	return i >= 0 && (b.anywhere || !b.blocks[i].declares || b.blocks[i].computes)
}

// slots matches the beginning of the declaration of the attributes of a class.
var slots = lazyregexp.New(`__slots__[ \t]*(?::[^=\n]*)?=[\s\w"',#(\[{:.*+-]*$`)

// maxSlots is the maximum length in bytes of a declaration of __slots__.
const maxSlots = 4000

// isSlot reports whether a string at an offset is the name of an attribute in __slots__.
func isSlot(code []byte, offset int) bool {
	return slots().Match(code[max(0, offset-maxSlots):offset])
}
