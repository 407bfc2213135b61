package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/lookup"
)

// callsSwift reads the functions of a Swift file that take types of it, by their
// paths. A function has all types that its parameters and its result name.
func callsSwift(t *testing.T, file string) []call {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var calls []call
	types := map[string]bool{}
	var walk func(decls []*source.Decl, path string)
	walk = func(decls []*source.Decl, path string) {
		for _, d := range decls {
			switch d.Kind {
			case source.Func, source.Init, source.Subscript:
				c := call{path: path + d.Title()}
				for _, p := range d.Params {
					c.types = append(c.types, regexp.MustCompile(`\b[A-Z]\w*`).FindAllString(p.Type, -1)...)
				}
				for _, g := range d.Generics {
					c.types = append(c.types, g.Bound)
				}
				calls = append(calls, c)
			case source.Struct, source.Class, source.Actor, source.Enum, source.Protocol, source.TypeAlias:
				types[d.Name] = true
				walk(d.Members, path+d.Name+".")
			case source.Extension:
				walk(d.Members, path+d.Name+".")
			}
		}
	}
	walk(source.Parse(file, text).Decls, "")
	for i := range calls {
		calls[i].types = slices.DeleteFunc(calls[i].types, func(name string) bool { return !types[name] || strings.HasPrefix(calls[i].path, name+".") })
	}
	return slices.DeleteFunc(calls, func(c call) bool { return len(c.types) == 0 })
}

// TestTheTypesOfParametersComeWithACallOfSwift asks for the functions of a package
// and looks for the types of their parameters.
func TestTheTypesOfParametersComeWithACallOfSwift(t *testing.T) {
	dir := filepath.Join("testdata", "kiln")
	l := lookup.New(openStore(languages(true)))
	symbols, shown, all := 0, 0, 0
	for _, c := range callsSwift(t, filepath.Join(dir, "Sources", "Kiln", "Kiln.swift")) {
		const tokens = 4000
		a, err := l.Describe(t.Context(), lookup.Description{
			Package: lookup.Package{Language: "swift", Name: "Kiln", Project: dir}, Symbols: c.path, Options: answer.Options{MaxTokens: tokens},
		})
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		symbols++
		if len(a.Text) > answer.Bytes(tokens) {
			t.Errorf("%s takes %d bytes", c.path, len(a.Text))
		}
		for _, name := range c.types {
			all++
			if regexp.MustCompile(`\b(struct|class|actor|enum|protocol|typealias) ` + name + `\b`).MatchString(a.Text) {
				shown++
			} else {
				t.Logf("%s does not show %s", c.path, name)
			}
		}
	}
	t.Logf("%d symbols, %d of %d types of parameters shown", symbols, shown, all)
	if symbols < 15 || shown*100 < all*95 {
		t.Errorf("of %d symbols %d of %d types of parameters are shown", symbols, shown, all)
	}
}

// Defaults that only comments tell come with the call that takes the options.
func TestTheDefaultsOfOptionsComeWithACallOfSwift(t *testing.T) {
	l := lookup.New(openStore(languages(true)))
	a, err := l.Describe(t.Context(), lookup.Description{
		Package: lookup.Package{Language: "swift", Name: "Kiln", Project: filepath.Join("testdata", "kiln")}, Symbols: "Kiln.init(options:)", Options: answer.Options{MaxTokens: 4000},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.Text, "Degrees. Not set: 900.") {
		t.Errorf("the default of heat is missing in\n%s", a.Text)
	}
}
