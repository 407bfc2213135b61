package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestNamesOfAMapHaveNoLabels(t *testing.T) {
	buffer := apidoc.Symbol{Path: "Buffer", Kind: apidoc.Class}
	for _, name := range []string{"read(length:)", "read(into:)", "write(_:at:)", "clear()"} {
		buffer.Members = append(buffer.Members, apidoc.Symbol{Path: "Buffer." + name, Kind: apidoc.Method})
	}
	for len(buffer.Members) < manyMethods+1 {
		buffer.Members = append(buffer.Members, apidoc.Symbol{Path: "Buffer.m" + strings.Repeat("x", len(buffer.Members)) + "(_:)", Kind: apidoc.Method})
	}
	groups := NewRenderer(&apidoc.Package{Symbols: []apidoc.Symbol{buffer}}).groups()
	if text := groups[0].text(1000); !strings.HasPrefix(text, "Methods of Buffer (12): read, write, clear, mxxxx,") {
		t.Errorf("got %s", text)
	}
}

func TestProseThatAnOverviewShowsIsNotOfferedAgain(t *testing.T) {
	for _, n := range []int{2000, 60} { // one package gets a map, the other an incomplete overview
		p := wordy(n)
		for i := range p.Symbols {
			p.Symbols[i].Doc += strings.Repeat(" There is more to say about it.", 20)
		}
		p.Sections = []apidoc.Section{
			{ID: "readme/use", Title: "Use", Level: 1, Body: "Call `New`.", File: "README.md"},
			{ID: "readme/rules", Title: "Rules", Level: 1, Body: "There are none.", File: "README.md"},
		}
		text := NewRenderer(p).Overview(nil, Options{Guide: guideBySection()}).Text
		if !strings.Contains(text, "Call `New`.") || strings.Contains(text, "readme/use") || !strings.Contains(text, "readme/rules") {
			t.Errorf("of %d functions:\n%s", n, text)
		}
		if strings.Contains(text, wholeReadme) {
			t.Errorf("of %d functions, a README that is not shown is called whole:\n%s", n, text)
		}
		p.Sections[1].Body = "There are none but `New`."
		if text := NewRenderer(p).Overview(nil, Options{Guide: guideBySection()}).Text; !strings.Contains(text, wholeReadme) {
			t.Errorf("of %d functions, a README that is shown is not called whole:\n%s", n, text)
		}
	}
}

func guideBySection() Guide {
	g := guide
	g.Section = "read section %s"
	return g
}

// TestTypesThatFewCallsHaveToDoWithAreNoHubs uses a family of types among hundreds of functions
// that do not use them.
func TestTypesThatFewCallsHaveToDoWithAreNoHubs(t *testing.T) {
	const family = 9
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "many"}
	for i := range family {
		tuple := fmt.Sprintf("Tuple%d", i)
		p.Symbols = append(p.Symbols,
			apidoc.Symbol{Path: tuple, Kind: apidoc.Type, Signature: "type " + tuple + " struct {\n\tA int\n\tB int\n}", Members: []apidoc.Symbol{
				{Path: tuple + ".A", Kind: apidoc.Field, Signature: "A int"}, {Path: tuple + ".B", Kind: apidoc.Field, Signature: "B int"},
			}},
			apidoc.Symbol{Path: "Zip" + tuple, Kind: apidoc.Func, Signature: "func Zip" + tuple + "(a, b []int) []" + tuple})
	}
	for i := range 600 {
		name := fmt.Sprintf("Do%s%d", string(rune('A'+i%26)), i)
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Signature: "func " + name + "(first, second []string, third func(string) bool) []string", Doc: name + " does it. " + strings.Repeat("More. ", 20)})
	}
	text := NewRenderer(p).Overview(nil, Options{Guide: guide, MaxTokens: 3000}).Text
	if !strings.Contains(text, "This overview lists") || strings.Contains(text, "type Tuple") {
		t.Errorf("got\n%s", text)
	}
	for i := range p.Symbols { // each call returns one of the types
		if s := &p.Symbols[i]; s.Kind == apidoc.Func {
			s.Signature = strings.TrimSuffix(s.Signature, "[]string") + "Tuple0"
		}
	}
	if text := NewRenderer(p).Overview(nil, Options{Guide: guide, MaxTokens: 3000}).Text; !strings.Contains(text, "Central types:") || !strings.Contains(text, "type Tuple0 struct") {
		t.Errorf("got\n%s", text)
	}
}
