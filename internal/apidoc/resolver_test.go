package apidoc

import "testing"

func TestResolver_Mention(t *testing.T) {
	p := &Package{
		Name: "example.com/web", LocalName: "web",
		Imports:  []Ref{{Name: "io", Package: "io"}},
		Symbols:  []Symbol{{Path: "Get", Kind: Func}, {Path: "Client", Kind: Type, Members: []Symbol{{Path: "Client.Do", Kind: Method}}}},
		Internal: []Symbol{{Path: "hidden", Kind: Type}},
	}
	r := NewResolver(p)
	for name, want := range map[string]Ref{
		"Get": {Name: "Get", Path: "Get"}, "web.Get": {Name: "web.Get", Path: "Get"}, "Client.Do": {Name: "Client.Do", Path: "Client.Do"},
		"hidden": {Name: "hidden", Path: "hidden"}, "io": {Name: "io", Package: "io"}, "io.Reader": {Name: "io.Reader", Package: "io", Path: "Reader"},
	} {
		if got, ok := r.Mention(&Symbol{}, name); !ok || got != want {
			t.Errorf("%s means %+v, %t; want %+v", name, got, ok, want)
		}
	}
	for _, name := range []string{"Gone", "web.Gone", "web", ""} {
		if got, ok := r.Mention(&Symbol{}, name); ok {
			t.Errorf("%q means %+v", name, got)
		}
	}
}
