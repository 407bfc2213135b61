package naming

import (
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, tt := range []struct {
		pattern, path, separator string
		want                     bool
	}{
		{"With*", "WithTimeout", ".", true},
		{"With*", "Without.Timeout", ".", false},
		{"Client.*Heap", "Client.DumpHeap", ".", true},
		{"Client.*Heap", "Client.Inner.DumpHeap", ".", false},
		{"*.*e*", "Client.Open.All", ".", false},
		{"*.*e*", "Client.Open", ".", true},
		{"*", "", ".", true},
		{"**", "a.b", ".", false},
		{"*a*", "aba", ".", true},
		{"*a", "abab", ".", false},
		{"*::new", "Client::new", "::", true},
		{"*new", "Client::new", "::", false},
		{strings.Repeat("*a", 50) + "*b", long, ".", false}, // must not take exponential time
		{strings.Repeat("*a", 50) + "*", long, ".", true},
	} {
		if got := matches(tt.pattern, tt.path, tt.separator); got != tt.want {
			t.Errorf("matches(%q, %q, %q) = %v, want %v", tt.pattern, tt.path, tt.separator, got, tt.want)
		}
	}
}
