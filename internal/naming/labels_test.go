package naming

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func swift() *apidoc.Package {
	return &apidoc.Package{Name: "Geometry", LocalName: "Geometry", Style: apidoc.Style{Nested: true, Spellings: func(path string) []string { return []string{strings.TrimPrefix(path, "@")} }}, Symbols: []apidoc.Symbol{
		{Path: "Point", Kind: "struct", Members: []apidoc.Symbol{
			{Path: "Point.init(x:y:)", Kind: "init"},
			{Path: "Point.move(for:)", Kind: apidoc.Method, Deprecated: "Use another."},
			{Path: "Point.move(by:_:in:)", Kind: apidoc.Method},
			{Path: "Point.move(to:)", Kind: apidoc.Method},
			{Path: "Point.reset()", Kind: apidoc.Method},
			{Path: "Point.subscript(_:)", Kind: "subscript"},
			{Path: "Point.+(_:_:)", Kind: apidoc.Method},
			{Path: "Point....(_:_:)", Kind: apidoc.Method},
			{Path: "Point.length", Kind: apidoc.Property},
		}},
		{Path: "distance(from:to:)", Kind: apidoc.Func},
		{Path: "./(_:_:)", Kind: apidoc.Func},
		{Path: "<(_:_:)", Kind: apidoc.Func},
		{Path: "Flag", Kind: "struct"},
		{Path: "Test", Kind: "struct"},
		{Path: "Test(_:)", Kind: "macro"},
		{Path: "expect(_:)", Kind: "macro"},
	}}
}

func TestFindWithoutLabels(t *testing.T) {
	p := swift()
	for _, test := range []struct {
		request string
		want    []string
	}{
		{"Point.move(by:_:in:)", []string{"Point.move(by:_:in:)"}},
		{"Point.move", []string{"Point.move(by:_:in:)", "Point.move(to:)", "Point.move(for:)"}},
		{"Point.move()", []string{"Point.move(by:_:in:)", "Point.move(to:)", "Point.move(for:)"}},
		{"Point.move(by:)", []string{"Point.move(by:_:in:)"}},
		{"Geometry.Point.move(to:)", []string{"Point.move(to:)"}},
		{"Geometry.Point.move", []string{"Point.move(by:_:in:)", "Point.move(to:)", "Point.move(for:)"}},
		{"point.reset", []string{"Point.reset()"}},
		{"distance", []string{"distance(from:to:)"}},
		{"reset", []string{"Point.reset()"}},
		{"Point.+", []string{"Point.+(_:_:)"}},
		{"Point.init", []string{"Point.init(x:y:)"}},
		{"Point.subscript", []string{"Point.subscript(_:)"}},
		{"Point.length", []string{"Point.length"}},
		{"@Flag", []string{"Flag"}},
		{"@Test", []string{"Test", "Test(_:)"}},
		{"Test", []string{"Test"}},
		{"<", []string{"<(_:_:)"}},
	} {
		found, err := Select(p, test.request)
		var paths []string
		for _, s := range found {
			paths = append(paths, s.Path)
		}
		if !slices.Equal(paths, test.want) || err != nil {
			t.Errorf("%s: %q, %v, want %q", test.request, paths, err, test.want)
		}
	}
	_, err := Find(p, "Point.move(with:)")
	if missing, ok := errors.AsType[*NoSymbolError](err); !ok || !slices.Contains(missing.Near, "Point.move(by:_:in:)") {
		t.Errorf("labels that no symbol has: %v", err)
	}
}

func TestNamesWithLabels(t *testing.T) {
	for path, want := range map[string][2]string{
		"Point.move(by:_:in:)":     {"move(by:_:in:)", "Point"},
		"Point.reset()":            {"reset()", "Point"},
		"Point.Inner.+(_:_:)":      {"+(_:_:)", "Point.Inner"},
		"Point....(_:_:)":          {"...(_:_:)", "Point"},
		"...(_:_:)":                {"...(_:_:)", ""},
		"Point./(_:_:)":            {"/(_:_:)", "Point"},
		"distance(from:to:)":       {"distance(from:to:)", ""},
		"A.B.C":                    {"C", "A.B"},
		"Real.signGamma(_:)":       {"signGamma(_:)", "Real"},
		"Box.extension Equatable":  {"extension Equatable", "Box"},
		"CS.BigUInt.<<(_:_:)":      {"<<(_:_:)", "CS.BigUInt"},
		"a::impl From<Error> for ": {"impl From<Error> for ", "a"},
	} {
		s := apidoc.Symbol{Path: path}
		if s.Name() != want[0] || s.ParentPath() != want[1] {
			t.Errorf("%s: name %q of %q, want %q of %q", path, s.Name(), s.ParentPath(), want[0], want[1])
		}
	}
}
