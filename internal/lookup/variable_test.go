package lookup

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func TestAVariableOfTheDocumentationLeadsToMembers(t *testing.T) {
	class := func(name string, members ...string) apidoc.Symbol {
		s := apidoc.Symbol{Path: name, Kind: apidoc.Class, Signature: "class " + name}
		for _, m := range members {
			s.Members = append(s.Members, apidoc.Symbol{Path: name + "." + m, Kind: apidoc.Method, Signature: m + "(): void", File: name, Line: len(s.Members) + 1})
		}
		return s
	}
	f := &followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	kiln := pkg("kiln", "kiln", []string{"kiln/node"}, "fire")
	kiln.Symbols = append(kiln.Symbols, class("Oven", "heat", "close", "open"), class("Rack", "close", "open", "stack"))
	kiln.Sections = []apidoc.Section{{ID: "readme", Body: "```ts\nconst stove = await new Oven({ size: 1 })\nconst backend = makeServer()\nlet other = fire()\n```\n"}}
	node := pkg("kiln/node", "kiln", nil)
	node.Symbols = []apidoc.Symbol{
		{Path: "makeServer", Kind: "function", Signature: "function makeServer(): Server"},
		class("Server", "close", "listen"), class("Stoker", "stoke"),
	}
	f.packages["kiln"], f.packages["kiln/node"] = kiln, node
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	for _, tt := range []struct{ path, title, note string }{
		{"stove.close", "# Oven.close (method) in kiln@v1", "kiln has no symbol stove. In the documentation, the variable stove contains the result of Oven: this is its close."},
		{"backend.close()", "# Server.close (method) in kiln/node@v1", "the variable backend contains the result of makeServer"},
		{"boss.stoke", "# Stoker.stoke (method) in kiln/node@v1", "kiln has no symbol boss; stoke is a member of Stoker."},
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "kiln"}, Symbols: tt.path})
		if err != nil || !strings.Contains(a.Text, tt.title) || !strings.Contains(a.Text, tt.note) {
			t.Errorf("%s: %v\n%+v", tt.path, err, a)
		}
	}
	for path, want := range map[string]string{
		"thing.open":   "the nearest are Oven.open, Rack.open",
		"thing.close":  "the nearest are Oven.close, Rack.close, Server.close of kiln/node",
		"other.open":   "the nearest are Oven.open, Rack.open", // the values that fire creates have no such member
		"thing.none":   "no symbol thing.none in kiln",
		"Thing.open":   "no symbol Thing.open in kiln",
		"thing.a.open": "no symbol thing.a.open in kiln",
	} {
		_, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "kiln"}, Symbols: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// colons is a language whose paths contain colons.
type colons struct{ indexed }

func (c *colons) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "rust", Indexes: true, Style: apidoc.Style{Separator: "::"}}
}

func TestAVariableNamedAsATypeHereIsNoModuleElsewhere(t *testing.T) {
	c := &colons{indexed{shelves{id: "rust", packages: map[string]*apidoc.Package{}}}}
	kiln := pkg("kiln", "kiln", []string{"kiln::blocking"})
	kiln.Symbols = []apidoc.Symbol{{Path: "Client", Kind: "struct", Signature: "struct Client", Members: []apidoc.Symbol{{Path: "Client::get", Kind: apidoc.Method, Signature: "fn get(&self)"}}}}
	c.packages["kiln"], c.packages["kiln::blocking"] = kiln, pkg("kiln::blocking", "kiln", nil, "get", "Client")
	l := New(store.New(ecosystem.Languages{c}, store.Options{}))
	a, err := l.Describe(t.Context(), Description{Package: Package{Language: "rust", Name: "kiln"}, Symbols: "client.get"})
	if err != nil || !strings.Contains(a.Text, "# Client::get (method) in kiln@v1") {
		t.Errorf("%v\n%+v", err, a)
	}
}
