package lookup

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/store"
)

func TestAQualifiedNameMeansTheDependencyThatExportsIt(t *testing.T) {
	m := &manifest{shelves: shelves{id: "npm", packages: map[string]*apidoc.Package{}}}
	zod := pkg("zod", "zod", nil, "object")
	zod.Symbols = append(zod.Symbols, apidoc.Symbol{Path: "z", Kind: apidoc.Namespace, Members: []apidoc.Symbol{{Path: "z.object", Kind: apidoc.Func, Signature: "function object()", Doc: "An object."}}})
	for _, p := range []*apidoc.Package{
		zod, pkg("zoo", "zoo", nil, "keeper"), pkg("react", "react", nil, "useState"),
		pkg("left", "left", nil, "pad"), pkg("left-pad", "left-pad", nil, "left.pad"), pkg("zindirect", "zindirect", nil, "z.far"),
	} {
		m.packages[p.Name] = p
		m.depends = append(m.depends, ecosystem.Dependency{Package: p.Name, Direct: p.Name != "zindirect", Installed: true})
	}
	l := New(store.New(ecosystem.Languages{m}, store.Options{}))
	for name, want := range map[string]string{
		"z.object": "z.object (func) in zod@v1", "React.useState": "useState (func) in react@v1",
		"z.keeper": "", "z.far": "", "React.useFoo": "",
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: name, Project: "/src/npm"}})
		switch {
		case want == "" && err == nil:
			t.Errorf("%s: got\n%s", name, a.Text)
		case want != "" && (err != nil || !strings.Contains(a.Text, want)):
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "z.object"}}); err == nil {
		t.Error("a package is found without a project")
	}
}

// TestANameThatDocumentationOmitsIsOfThePackageThatDeclaresIt describes a name that a package re-exports.
func TestANameThatDocumentationOmitsIsOfThePackageThatDeclaresIt(t *testing.T) {
	f := &followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	prelude := pkg("engine/prelude", "engine", nil, "other")
	prelude.Hidden = []string{"Game", "Lost"}
	prelude.Imports = []apidoc.Ref{{Name: "Game", Package: "core", Path: "App"}, {Name: "Lost", Package: "gone", Path: "Lost"}, {Name: "Seen", Package: "core", Path: "App"}}
	f.packages["engine/prelude"], f.packages["core"] = prelude, pkg("core", "core", nil, "App")
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "engine/prelude"}, Symbols: "Game"})
	if err != nil || !strings.Contains(a.Text, "# App (func) in core@v1") || !strings.Contains(a.Text, "engine/prelude re-exports App of core") {
		t.Errorf("Game: %v, %v", err, a)
	}
	for _, name := range []string{"Lost", "Seen"} { // of a package that cannot be read; imported, and not re-exported
		if a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "engine/prelude"}, Symbols: name}); err == nil {
			t.Errorf("%s: got\n%s", name, a.Text)
		}
	}
}

// followed is a language with packages in which paths contain types.
type followed struct{ indexed }

func (f *followed) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "npm", Indexes: true, ProjectFiles: []string{"app.lock"}, Style: apidoc.Style{FollowTypes: true, Syntax: modules.Syntax{}}}
}

func TestANameForThePackageLeadsToItsEntryPoints(t *testing.T) {
	f := &followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	f.packages["fire-base"] = pkg("fire-base", "fire-base", []string{"fire-base/auth", "fire-base/table"}, "open")
	f.packages["fire-base/auth"] = pkg("fire-base/auth", "fire-base", nil, "signIn", "copy")
	f.packages["fire-base/table"] = pkg("fire-base/table", "fire-base", nil, "copy")
	for _, p := range f.packages {
		p.LocalName = ""
	}
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	for symbols, want := range map[string]string{
		"FireBase.open": "open (func) in fire-base@v1", "FireBase.signIn": "signIn (func) in fire-base/auth@v1",
		"FireBaseTable.copy": "copy (func) in fire-base/table@v1", "FireBase": "# fire-base@v1",
		"auth": "# fire-base/auth@v1", "table.copy": "copy (func) in fire-base/table@v1",
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire-base"}, Symbols: symbols})
		if err != nil || !strings.Contains(a.Text, want) {
			t.Errorf("%s: %v, want %q", symbols, err, want)
		}
	}
	for _, symbols := range []string{"FireBase.close", "auth.close"} {
		if _, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire-base"}, Symbols: symbols}); err == nil {
			t.Errorf("%s is found, which does not exist", symbols)
		}
	}
}

func TestAModuleThatAPackageExportsLeadsToItsSymbols(t *testing.T) {
	f := &followed{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	root, inner, deep := pkg("flow", "flow", nil, "run"), pkg("flow._api.io", "flow", nil, "read"), pkg("flow._api.io.files", "flow", nil, "open")
	inner.Subpackages = []apidoc.Subpackage{{Name: "flow._api.io.net"}}
	f.packages["flow._api.io.net"] = pkg("flow._api.io.net", "flow", nil, "dial")
	module := func(name, pkg string) apidoc.Symbol {
		return apidoc.Symbol{Path: name, Kind: apidoc.Module, Refs: []apidoc.Ref{{Name: name, Package: pkg}}}
	}
	root.Symbols = append(root.Symbols, module("io", inner.Name))
	inner.Symbols = append(inner.Symbols, module("files", deep.Name))
	for _, p := range []*apidoc.Package{root, inner, deep} {
		f.packages[p.Name] = p
	}
	l := New(store.New(ecosystem.Languages{f}, store.Options{}))
	for symbols, want := range map[string]string{"io.read": "read (func) in flow._api.io@v1", "io.files.open": "open (func) in flow._api.io.files@v1", "io.net.dial": "dial (func) in flow._api.io.net@v1", "io.open": ""} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "flow"}, Symbols: symbols})
		if want == "" && err == nil || want != "" && (err != nil || !strings.Contains(a.Text, want)) {
			t.Errorf("%s: %v, want %q", symbols, err, want)
		}
	}
}
