package search

import "testing"

func TestClose(t *testing.T) {
	x := New(library())
	tests := []struct {
		query string
		want  bool
	}{
		{"client timeout", true},
		{"new request with context", true},
		{"close idle connections", true},
		{"read the whole body until its end", true},
		{"retries", true},
		{"Größe", true},
		{"reqest context", true}, // a spelling error
		{"page layout for print", false},
		{"matrix of requests", false},
		{"sign a request with a private key", false},
		{"render a page as a bitmap", false},
		{"sql rows", false},
	}
	for _, test := range tests {
		hits, _ := x.Search(test.query, Options{Fuzzy: true})
		if got := Close(hits); got != test.want {
			t.Errorf("Close of the hits for %q = %v, want %v: %v", test.query, got, test.want, labels(hits))
		}
	}
}
