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
		{2, 1, "Not shown: the declarations of 2 packages below it. To see several in one call, name them together: kiln/p0,kiln/p1."},
		{12, 0, "Not shown: the declarations of 12 packages below it. To see several in one call, name them together: kiln/p0,kiln/p1,kiln/p2,kiln/p3."},
		{13, 0, "Not shown: the declarations of 13 packages below it."},
	} {
		p := &apidoc.Package{Name: "kiln", Doc: "Fires clay."}
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
