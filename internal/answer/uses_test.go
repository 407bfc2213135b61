package answer

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestUses_OfOneTypeAreThoseOfAll(t *testing.T) {
	npm := &apidoc.Package{
		Ecosystem: "npm", Style: npmStyle, Name: "app", LocalName: "app",
		Symbols: []apidoc.Symbol{
			{Path: "default", Kind: apidoc.Class, Signature: "export default class App", File: "a.d.ts", Line: 1},
			{Path: "App", Kind: apidoc.Class, Signature: "export default class App", File: "a.d.ts", Line: 1},
			{Path: "Server", Kind: apidoc.Class, Signature: "export default class App", File: "a.d.ts", Line: 1},
			{Path: "open", Kind: apidoc.Function, Signature: "function open(o: Options): App"},
			{Path: "serve", Kind: apidoc.Function, Signature: "function serve(o: Settings): Server", Refs: []apidoc.Ref{{Name: "Settings", Path: "Options"}}},
			{Path: "other", Kind: apidoc.Function, Signature: "function other<App>(o: App, p: OptionsOf): ns.Inner"},
			{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options { app: App; inner?: ns.Inner }"},
			{Path: "ns", Kind: apidoc.Namespace, Signature: "namespace ns", Members: []apidoc.Symbol{{Path: "ns.Inner", Kind: apidoc.Interface, Signature: "interface Inner { next: Inner; app: App }"}}},
		},
	}
	for _, p := range []*apidoc.Package{npm, web(), cookie(), jobs(), curried(), worker(), till(), desk(20)} {
		r := NewRenderer(p)
		for s := range p.Declared {
			uses := r.uses()[s]
			for n := range len(uses) + 2 {
				if got, want := r.hasUses(s, n), n <= len(uses); got != want {
					t.Errorf("%s: hasUses(%s, %d) = %v, but %v mention it", p.Name, s.Path, n, got, pathsOf(uses))
				}
			}
		}
	}
}

func pathsOf(symbols []*apidoc.Symbol) (paths []string) {
	for _, s := range symbols {
		paths = append(paths, s.Path)
	}
	return paths
}
