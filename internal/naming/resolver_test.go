package naming

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestResolver_Mention(t *testing.T) {
	p := &apidoc.Package{
		Name: "example.com/web", LocalName: "web",
		Imports:  []apidoc.Ref{{Name: "io", Package: "io"}},
		Symbols:  []apidoc.Symbol{{Path: "Get", Kind: apidoc.Func}, {Path: "Client", Kind: apidoc.Type, Members: []apidoc.Symbol{{Path: "Client.Do", Kind: apidoc.Method}}}},
		Internal: []apidoc.Symbol{{Path: "hidden", Kind: apidoc.Type}},
	}
	r := NewResolver(p)
	for name, want := range map[string]apidoc.Ref{
		"Get": {Name: "Get", Path: "Get"}, "web.Get": {Name: "web.Get", Path: "Get"}, "Client.Do": {Name: "Client.Do", Path: "Client.Do"},
		"hidden": {Name: "hidden", Path: "hidden"}, "io": {Name: "io", Package: "io"}, "io.Reader": {Name: "io.Reader", Package: "io", Path: "Reader"},
	} {
		if got, ok := r.Mention(&apidoc.Symbol{}, name); !ok || got != want {
			t.Errorf("%s means %+v, %t; want %+v", name, got, ok, want)
		}
	}
	for _, name := range []string{"Gone", "web.Gone", "web", ""} {
		if got, ok := r.Mention(&apidoc.Symbol{}, name); ok {
			t.Errorf("%q means %+v", name, got)
		}
	}
}
