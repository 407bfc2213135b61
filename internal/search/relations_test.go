package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestRelations_PrepositionsOfTheQueryAreFoundInNames(t *testing.T) {
	x := New(&apidoc.Package{Name: "kiln", Symbols: []apidoc.Symbol{
		{Path: "Temperature", Kind: apidoc.Type, Signature: "type Temperature struct{}", Doc: "Temperature is the heat of a kiln."},
		{Path: "Temperature.String", Kind: apidoc.Method, Signature: "func (t Temperature) String() string", Doc: "String formats a temperature as a string."},
		{Path: "TemperatureFromString", Kind: apidoc.Func, Signature: "func TemperatureFromString(s string) Temperature"},
		{Path: "TemperatureToString", Kind: apidoc.Func, Signature: "func TemperatureToString(t Temperature) string"},
	}})
	for query, want := range map[string]string{
		"read temperature from string":  "TemperatureFromString",
		"write temperature into string": "TemperatureToString",
	} {
		hits, _ := x.Search(query, Options{})
		if got := labels(hits); len(got) == 0 || got[0] != want {
			t.Errorf("%q: got %v, want %s first", query, got, want)
		}
		hits, _ = x.Without(Relations).Search(query, Options{})
		if got := labels(hits); got[0] == want {
			t.Errorf("%q: %s is also first if prepositions do not count", query, want)
		}
	}
}

func TestRelations(t *testing.T) {
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"parse decimal", nil},
		{"parse decimal from string", []string{"fromstring"}},
		{"turn my text into a number", []string{"intonumber", "tonumber"}},
		{"sort by", nil},
		{"everything in by key", []string{"bykey"}},
		{"from net.Conn with timeout", []string{"withtimeout"}},
	} {
		var terms []term
		for word := range strings.FieldsSeq(test.query) {
			terms = append(terms, newTerm(fold(word)))
		}
		if got := relations(terms); !slices.Equal(got, test.want) {
			t.Errorf("relations of %q = %q, want %q", test.query, got, test.want)
		}
	}
}

func TestContainsWords(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"NewFromString", "fromstring", true},
		{"from_string_lossy", "fromstring", true},
		{"from_strings", "fromstring", false},
		{"PlatformString", "formstring", false},
		{"New", "fromstring", false},
	} {
		if got := containsWords(fold(test.name), foldedHumps(test.name), test.text); got != test.want {
			t.Errorf("containsWords(%s, %s) = %v", test.name, test.text, got)
		}
	}
}
