package browse

import (
	"fmt"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lookup"
)

func TestItemsIn_SymbolsBeforeManyPackages(t *testing.T) {
	p := &apidoc.Package{Name: "easel", Symbols: []apidoc.Symbol{{Path: "Paint", Kind: apidoc.Func}}}
	place := func(n int, name string) int {
		p.Subpackages = nil
		for i := range n {
			p.Subpackages = append(p.Subpackages, apidoc.Subpackage{Name: fmt.Sprintf("easel/p%d", i)})
		}
		return slices.IndexFunc(itemsIn(p, lookup.Package{Name: "easel"}), func(i item) bool { return i.name == name })
	}
	if first, symbol := place(10, "easel/p0"), place(10, "Paint"); first != 1 || symbol != 11 {
		t.Errorf("of 10 packages, the first is item %d, and the symbol item %d", first, symbol)
	}
	if first, symbol := place(11, "easel/p0"), place(11, "Paint"); first != 2 || symbol != 1 {
		t.Errorf("of 11 packages, the first is item %d, and the symbol item %d", first, symbol)
	}
}
