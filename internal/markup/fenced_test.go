package markup

import (
	"slices"
	"testing"
)

func TestFencedBlocks(t *testing.T) {
	const md = "# A\n```go title=x\na\n\n```\n- b\n\n    ~~~~\n    ~~~\n    c\n    ~~~~\n`x` ```\n\n```\n```\n````rust,no_run\n```\n"
	want := []Fenced{{"go title=x", 3, "a\n\n"}, {"", 9, "    ~~~\n    c\n"}, {"", 15, ""}, {"rust,no_run", 17, "```\n"}}
	if got := slices.Collect(FencedBlocks(md)); !slices.Equal(got, want) {
		t.Errorf("the blocks are %+v, want %+v", got, want)
	}
}

func FuzzFencedBlocks(f *testing.F) {
	f.Add("```go\na\n```\n")
	f.Add("~~~\n```\n~~~~ \n````x\n```")
	f.Fuzz(func(t *testing.T, md string) {
		line := 0
		for b := range FencedBlocks(md) {
			if b.Line <= line {
				t.Errorf("a block of line %d follows one of line %d", b.Line, line)
			}
			line = b.Line
		}
	})
}
