package lookup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func TestExporters_AreFoundInTheIndex(t *testing.T) {
	f := &followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	root := pkg("mine", "mine", []string{"mine/types", "mine/errors"}, "open")
	root.Symbols[0].Signature = "function open(input: OpenInput, other: Hidden): void"
	root.Symbols[0].Doc = "Opens it.\n\n**Throws:** `BusyError` if somebody else opens it."
	input := apidoc.Symbol{Path: "OpenInput", Kind: apidoc.Interface, Signature: "interface OpenInput", File: "declared.d.ts", Line: 3}
	hidden := apidoc.Symbol{Path: "Hidden", Kind: apidoc.Interface, Signature: "interface Hidden", File: "internal.d.ts", Line: 9}
	root.Internal = []apidoc.Symbol{input, hidden}
	types := pkg("mine/types", "mine", nil, "OpenInput", "Hidden") // this Hidden is another type
	types.Symbols[0] = input
	f.packages["mine"], f.packages["mine/types"], f.packages["mine/errors"] = root, types, pkg("mine/errors", "mine", nil, "BusyError")
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	const want = "\nExported elsewhere: OpenInput in mine/types; BusyError in mine/errors.\n"
	for _, symbols := range []string{"open", ""} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "mine"}, Symbols: symbols})
		if err != nil || symbols != "" && !strings.HasSuffix(a.Text, want) {
			t.Errorf("symbols %q: %v\n%s", symbols, err, a.Text)
		}
	}
	a, _, err := l.Search(t.Context(), Search{Package: Package{Language: "npm", Name: "mine"}, Query: "open"})
	if err != nil || !strings.HasSuffix(a.Text, want) {
		t.Errorf("search: %v\n%s", err, a.Text)
	}
}

// TestExporters_OfLargePackages checks that of a package with many packages below it, only those are
// read that are named like the file of a declaration, and not the index.
func TestExporters_OfLargePackages(t *testing.T) {
	f := &slowlyIndexed{followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}}
	below := []string{"mine/area", "mine/other"}
	for i := range maxIndexed {
		below = append(below, fmt.Sprintf("mine/p%d", i))
	}
	input := apidoc.Symbol{Path: "OpenInput", Kind: apidoc.Interface, Signature: "interface OpenInput", File: "area/types.d.ts", Line: 3}
	hidden := apidoc.Symbol{Path: "Hidden", Kind: apidoc.Interface, Signature: "interface Hidden", File: "area/types.d.ts", Line: 9}
	unrelated := apidoc.Symbol{Path: "Unrelated", Kind: apidoc.Interface, Signature: "interface Unrelated", File: "base.d.ts", Line: 1}
	area := pkg("mine/area", "mine", []string{"mine/area/types", "mine/area/errors"}, "open")
	area.Symbols[0].Signature = "function open(input: OpenInput, hidden: Hidden, u: Unrelated): void"
	area.Symbols[0].Doc = "Opens it.\n\n**Throws:** `BusyError` if somebody else opens it."
	area.Internal = []apidoc.Symbol{input, hidden, unrelated}
	types := pkg("mine/area/types", "mine", nil, "OpenInput", "Hidden") // this Hidden is another type
	types.Symbols[0] = input
	other := pkg("mine/other", "mine", nil, "Unrelated")
	other.Symbols[0] = unrelated
	f.packages["mine"], f.packages["mine/area"], f.packages["mine/area/types"], f.packages["mine/other"] = pkg("mine", "mine", below, "start"), area, types, other
	f.packages["mine/area/errors"] = pkg("mine/area/errors", "mine", nil, "BusyError")
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	const want = "\nExported elsewhere: OpenInput in mine/area/types.\n"
	a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "mine/area"}, Symbols: "open"})
	if err != nil || !strings.HasSuffix(a.Text, want) {
		t.Errorf("%v\n%s", err, a.Text)
	}
}

// slowlyIndexed is a language whose indexes are made from all files of a package.
type slowlyIndexed struct{ followed }

func (f *slowlyIndexed) Info() *ecosystem.Info {
	info := f.followed.Info()
	info.IndexReadsAll = true
	return info
}
