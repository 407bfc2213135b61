package search

import (
	"reflect"
	"testing"
)

func TestLexemes(t *testing.T) {
	for text, want := range map[string][]string{
		"Reads all requests, and reads them again.": {"read", "all", "request", "and", "them", "again"},
		"NewRequestWithContext":                     {"newrequestwithcontext", "new", "request", "with", "context"},
		"":                                          nil,
	} {
		if got := Lexemes(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got, want := NameLexemes("io.read_all"), []string{"io", "read", "all", "readall"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	for query, want := range map[string][][]string{
		"how to parse the config files": {{"pars"}, {"config"}, {"file"}},
		"readAll":                       {{"readall", "read", "all"}},
		"json.Marshal":                  {{"json"}, {"marsh"}},
		"how to":                        {{"how"}, {"to"}},
		" ; ":                           nil,
	} {
		if got := QueryLexemes(query); !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q: %q", query, got)
		}
	}
}
