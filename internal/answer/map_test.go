package answer

import (
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
	for _, n := range []int{2000, 60} { // a map, and an overview that is not whole
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
