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

// callsSwift returns the functions in a file of the package Kiln that take types of the package, by
// their paths. A function has all types in its parameters and its result.
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
				c := call{pkg: "Kiln", path: path + d.Title()}
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

// TestTheTypesOfParametersComeWithACallOfSwift requests functions of a package and checks that the
// answers contain the types of their parameters.
func TestTheTypesOfParametersComeWithACallOfSwift(t *testing.T) {
	dir := filepath.Join("testdata", "kiln")
	v := &coverage{
		Lookup: lookup.New(openStore(languages, true)), language: "swift", project: dir,
		declaration: `\b(struct|class|actor|enum|protocol|typealias) %s\b`,
	}
	for _, c := range callsSwift(t, filepath.Join(dir, "Sources", "Kiln", "Kiln.swift")) {
		v.ask(t, c)
	}
	v.check(t, 15)
}

// TestTheDefaultsOfOptionsComeWithACallOfSwift checks that the answer for a call with options
// contains defaults that only comments state.
func TestTheDefaultsOfOptionsComeWithACallOfSwift(t *testing.T) {
	l := lookup.New(openStore(languages, true))
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
