package godoc

import (
	"slices"
	"testing"
)

func TestImports_QualifiersOfSignatures(t *testing.T) {
	for signature, want := range map[string][]string{
		"func F(a io.Reader, b []*url.URL) (http.Handler, error)": {"io", "url", "http"},
		"func F(opts ...parser.Option)":                           {"parser"},
		"func F(n ...int, e ...Error)":                            nil,
		"func F() a.B.C":                                          {"a"},
		"var X = x.y.Z":                                           nil,
	} {
		if got := slices.Collect(qualifiers(signature)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", signature, got, want)
		}
	}
}
