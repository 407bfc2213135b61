package ecosystem

import (
	"slices"
	"strings"
	"testing"
)

func TestNearOffersNamesThatResembleTheOneAskedFor(t *testing.T) {
	known := "axios axios-retry serde serde_json sharp React react-dom lodash go ab tokio tokio-util tokio-stream tokio-macros tokio-test tokio-rustls"
	for _, tt := range []struct{ name, want string }{
		{"axois", "axios"},
		{"loddasch", "lodash"},
		{"serde-json", "serde_json serde"},
		{"react", "React react-dom"},
		{"react-dom-extra", "react-dom React"},
		{"serde", "serde_json"},
		{"go", ""},
		{"golang", ""},
		{"tokio", "tokio-test tokio-util tokio-macros tokio-rustls tokio-stream"},
		{"numpy", ""},
	} {
		if got := Near(slices.Values(strings.Fields(known)), tt.name); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
