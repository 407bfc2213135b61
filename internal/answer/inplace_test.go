package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestAFieldAskedForWithItsTypeStaysInIt(t *testing.T) {
	size := "size?: Size"
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "box", Symbols: []apidoc.Symbol{
		{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", Members: []apidoc.Symbol{
			{Path: "Options.size", Kind: apidoc.Property, Signature: size, Doc: "How large it is."},
			{Path: "Options.open", Kind: apidoc.Property, Signature: "open?: boolean", Doc: "Whether it is open."},
		}},
		{Path: "Size", Kind: apidoc.Type, Signature: "type Size = 'small' | 'large'", Doc: "Sizes of boxes."},
	}}
	for _, paths := range []string{"Options Options.size", "Options.size Options"} {
		text := describe(t, p, Options{Guide: guide}, paths).Text
		before, after, ok := strings.Cut(text, "## Options.size (property): above, in Options\n")
		if !ok || !strings.Contains(before, size+"\n  // Whether it is open.") || strings.Contains(after, size) || !strings.Contains(after, "type Size = ") {
			t.Errorf("%s: got:\n%s", paths, text)
		}
	}
	// A comment that is truncated in the type is shown completely.
	p.Symbols[0].Members[0].Doc = "How large it is. " + strings.Repeat("It never shrinks. ", 400) + "The end."
	text := describe(t, p, Options{Guide: guide}, "Options Options.size").Text
	if strings.Contains(text, ": above, in Options") || !strings.Contains(text, size) {
		t.Errorf("the comment stands nowhere:\n%s", text)
	}
}

func TestAnAnswerIsCalledCompleteOnlyIfItIs(t *testing.T) {
	asks := guide
	asks.Section = "read section %s"
	for name, test := range map[string]struct {
		change func(*apidoc.Package)
		below  int
		guide  Guide
		want   string
	}{
		"everything": {func(*apidoc.Package) {}, 0, asks, "Complete: this is all of box; there is nothing more to request."},
		"a package below that was not read": {func(p *apidoc.Package) { p.Subpackages = []apidoc.Subpackage{{Name: "box/lid"}} }, 0, asks,
			"Complete: all declarations of box. Not shown: 1 package below it."},
		"all packages below": {func(p *apidoc.Package) { p.Subpackages = []apidoc.Subpackage{{Name: "box/lid"}} }, 1, asks,
			"Complete: this is all of box and 1 package below it; there is nothing more to request."},
		"prose": {func(p *apidoc.Package) {
			p.Sections = []apidoc.Section{{ID: "docs/care", Title: "Care", Level: 1, Body: "Keep dry.", File: "docs/care.md"}}
		}, 0, asks, "Complete: all declarations of box. Not shown: 1 section of prose."},
		"prose that cannot be asked for": {func(p *apidoc.Package) {
			p.Sections = []apidoc.Section{{ID: "docs/care", Title: "Care", Level: 1, Body: "Keep dry.", File: "docs/care.md"}}
		}, 0, guide, "Complete: "},
		"another platform": {func(p *apidoc.Package) { p.Elsewhere = []apidoc.Symbol{{Path: "Registry", Constraint: "windows"}} }, 0, asks,
			"Not shown: 1 symbol that is not in this build."},
		"optional parts": {func(p *apidoc.Package) { p.Options = []string{"Features on: a."} }, 0, asks, "Complete: this is all of box"},
		"a file that could not be read": {func(p *apidoc.Package) { p.Warnings = []string{"lid.go could not be read"} }, 0, asks,
			"\nAll declarations of box that were found; a note describes what may be missing."},
		"a warning about a package all of whose names are known": {func(p *apidoc.Package) { p.Warnings, p.AllNames = []string{"from @types"}, true }, 0, asks,
			"Complete: this is all of box"},
		"prose that was not read": {func(p *apidoc.Package) { p.Omissions = []string{"guide.md is too long"} }, 0, asks,
			"Complete: all declarations of box. Not shown: prose that is too long."},
	} {
		p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "box", Symbols: []apidoc.Symbol{{Path: "Open", Kind: apidoc.Func, Signature: "func Open()"}}}
		test.change(p)
		var below []*Renderer
		for range test.below {
			below = append(below, NewRenderer(&apidoc.Package{Ecosystem: "go", Name: "box/lid", Symbols: []apidoc.Symbol{{Path: "Shut", Kind: apidoc.Func, Signature: "func Shut()"}}}))
		}
		text := NewRenderer(p).Overview(below, Options{Guide: test.guide}).Text
		if !strings.Contains(text, test.want) || strings.Contains(test.want, "declarations") && strings.Contains(text, "nothing more") {
			t.Errorf("%s: no %q in\n%s", name, test.want, text)
		}
	}
}
