package program_test

import (
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// The words of replaced files must not be kept for ever.
func TestUpdate_Words(t *testing.T) {
	const src = "let a = x.wnid\n"
	p := program.New([]*program.Module{{Name: "App", Package: "app", Read: func() ([]*source.File, bool) {
		return []*source.File{source.Parse("a.swift", "struct S { var wind = 1 }\n"), source.Parse("b.swift", "let b = y.wnid\n"), source.Parse("c.swift", src)}, true
	}}})
	faults := func() int {
		p.Load("App")
		return len(p.Uses("App", "c.swift", program.Tokenize(src)))
	}
	if n := faults(); n != 0 {
		t.Fatalf("%d faults in a name that another file uses", n)
	}
	for i := range 300 {
		p = p.Update("App", source.Parse("b.swift", fmt.Sprintf("let b%d = 1\n", i)))
	}
	if n := faults(); n != 1 {
		t.Errorf("%d faults in a name that no other file uses any longer, want 1", n)
	}
}
