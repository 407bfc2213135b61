package program_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// TestCopy uses a program and copies of it concurrently, which read the files once.
func TestCopy(t *testing.T) {
	const src = "func f(s: S) { s.size; s.siez; s.wnid; other.wnid; T.make() }\n"
	reads := 0
	p := program.New([]*program.Module{{Name: "App", Package: "app", Read: func() ([]*source.File, bool) {
		reads++
		return []*source.File{source.Parse("a.swift", "struct S { var wind = 1; var size = inferred }\nlet inferred = T.make()\n"), source.Parse("b.swift", "struct T { static func make(n: Int) -> S { S() } }\n"), source.Parse("c.swift", src)}, true
	}}})
	uses := make([][]program.Use, 8)
	var group sync.WaitGroup
	for i := range uses {
		p := p
		if i > 0 {
			p = p.Copy()
		}
		group.Go(func() {
			p.Load("App")
			uses[i] = p.Uses("App", "c.swift", program.Tokenize(src))
		})
	}
	group.Wait()
	faults := 0
	for _, u := range uses[0] {
		if u.Fault != ecosystem.NoFault {
			faults++
		}
	}
	if faults != 4 || reads != 1 {
		t.Errorf("%d faults after %d reads, want 4 after 1: %+v", faults, reads, uses[0])
	}
	for i := range uses {
		if !reflect.DeepEqual(uses[i], uses[0]) {
			t.Errorf("copy %d finds %+v, and the program %+v", i, uses[i], uses[0])
		}
	}
}

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
