package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestOverview_PackagesBelow expects an overview of a package that does not show the packages below
// it to say so at the beginning, with the names of some of them if there are not too many.
func TestOverview_PackagesBelow(t *testing.T) {
	for _, c := range []struct {
		below, commands int
		want            string
	}{
		{0, 2, ""},
		{1, 0, "Not shown: the declarations of 1 package below it."},
		{2, 1, "Not shown: the declarations of 2 packages below it. To see them in one call, name them together: kiln/p0,kiln/p1."},
		{24, 0, "Not shown: the declarations of 24 packages below it. To see several in one call, name them together: " +
			"kiln/p20,kiln/p0,kiln/p1,kiln/p2,kiln/p3,kiln/p4,kiln/p5,kiln/p6,kiln/p7,kiln/p8,kiln/p9,kiln/p10."},
		{25, 0, "Not shown: the declarations of 25 packages below it."},
	} {
		p := &apidoc.Package{Name: "kiln", Doc: "Fires clay.", Examples: []apidoc.Example{{Code: "p20.Fire()"}}}
		for i := range 400 {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: fmt.Sprint("Symbol", i), Kind: apidoc.Function, Signature: fmt.Sprintf("func Symbol%d(temperature, time int)", i), Doc: "Does one thing well."})
		}
		for i := range c.below + c.commands {
			p.Subpackages = append(p.Subpackages, apidoc.Subpackage{Name: fmt.Sprint("kiln/p", i), Command: i >= c.below})
		}
		for _, budget := range []int{2000, 6000} {
			text := NewRenderer(p).Overview(nil, Options{MaxTokens: budget, Guide: guide}).Text
			head, _, _ := strings.Cut(text, "Fires clay.")
			blocks := strings.Split(strings.TrimSpace(head), "\n\n")
			if got := blocks[len(blocks)-1]; c.want != "" && got != c.want || c.want == "" && strings.Contains(text, "Not shown") {
				t.Errorf("%d packages and %d commands: %q, want %q", c.below, c.commands, got, c.want)
			}
		}
	}
}

// TestOverview_FamilyShowsNothingTwice expects a package and the packages below it, which do not
// fit with all their comments, to be shown without the symbols that one of them already contains.
func TestOverview_FamilyShowsNothingTwice(t *testing.T) {
	entry := func(name string, from, to int) *Renderer {
		p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Aliased: true}, Name: name, Doc: name + "."}
		for i := from; i < to; i++ {
			p.Symbols = append(p.Symbols, apidoc.Symbol{
				Path: fmt.Sprint("Symbol", i), Kind: apidoc.Func, Signature: fmt.Sprintf("func Symbol%d(temperature, time int)", i),
				Doc: "Does one thing well.\n\n" + strings.Repeat("It takes a while. ", 40), File: "all.go", Line: 1 + i,
			})
		}
		return NewRenderer(p)
	}
	root, a, b := entry("kiln", 0, 40), entry("kiln/a", 30, 50), entry("kiln/b", 40, 60)
	for _, r := range []*Renderer{a, b} {
		root.pkg.Subpackages = append(root.pkg.Subpackages, apidoc.Subpackage{Name: r.pkg.Name})
	}
	text := root.Overview([]*Renderer{a, b}, Options{Guide: guide}).Text
	if !strings.Contains(text, "\n\nAll declarations of kiln and 2 packages below it; comments are shortened") {
		t.Errorf("the head is wrong:\n%s", text)
	}
	for i := range 60 {
		if n := strings.Count(text, fmt.Sprintf("func Symbol%d(", i)); n != 1 {
			t.Errorf("Symbol%d is shown %d times", i, n)
		}
	}
	if n := strings.Count(text, "Also exports: "); n != 2 {
		t.Errorf("%d packages list what they also export:\n%s", n, text)
	}
}
