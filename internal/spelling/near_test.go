package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestIsNear(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"useEfect", "useEffect", true},
		{"open_shop", "openShop", true},
		{"Fetch", "FetchAll", true},
		{"use", "useEffect", false},
		{"escape", "Response", false},
		{"BaseSettings", "BaseConfig", false},
	} {
		if got := IsNear(tt.a, tt.b); got != tt.want || IsNear(tt.b, tt.a) != got {
			t.Errorf("%s, %s: %v, want %v in both orders", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNearOffersNamesThatResembleTheOneAskedFor(t *testing.T) {
	known := "axios axios-retry serde serde_json sharp React react-dom lodash Zed zed go ab tokio tokio-util tokio-stream tokio-macros tokio-test tokio-rustls"
	for _, tt := range []struct{ name, want string }{
		{"axois", "axios"},
		{"loddasch", "lodash"},
		{"serde-json", "serde_json"},
		{"react", "React"},
		{"react-dom-extra", "react-dom React"},
		{"serde", "serde_json"},
		{"zedd", "zed Zed"},
		{"Zedd", "Zed zed"},
		{"go", ""},
		{"golang", ""},
		{"tokio", "tokio-test tokio-util tokio-macros"},
		{"numpy", ""},
	} {
		if got := Near(slices.Values(strings.Fields(known)), tt.name); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNearOffersNamesOfTheSameWords(t *testing.T) {
	known := "raise_for_status headers head get_adapter setInterval withTimeout clearTimeout getHTTPServer Router"
	for _, tt := range []struct{ name, want string }{
		{"raise_for_error", "raise_for_status"},
		{"set_header", "headers head"},
		{"addHeader", "headers head"},
		{"header", "headers"},
		{"setTimeout", "withTimeout clearTimeout"},
		{"HttpServer", "getHTTPServer"},
		{"make_http_server", "getHTTPServer"},
		{"get_user", ""},
		{"useInterval", "setInterval"},
		{"router_router_router", "Router"},
		{strings.Repeat("header_", 200_000), ""},
		{"__", ""},
		{"\xff\xfeAb_\xff", ""},
	} {
		if got := Near(slices.Values(strings.Fields(known)), tt.name); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMisspelled(t *testing.T) {
	known := strings.Fields("withTimeout color items cached request userID Logger map from utf8 value tail maxBytes read label")
	for _, c := range []struct{ name, want string }{
		{"withTimeuot", "withTimeout"}, {"withTimout", "withTimeout"}, {"colour", "color"}, {"requezt", "request"}, {"userId", "userID"}, {"Loggre", "Logger"}, {"mpa", "map"}, {"frmo", "from"},
		{"item", ""}, {"cache", ""}, {"requests", ""}, {"utf6", ""}, {"logger", ""}, {"form", ""}, {"sail", ""}, {"lapel", ""}, {"value", ""}, {"maxByte", ""}, {"", ""}, {"é", ""}, {"ma", ""}, {"tali", "tail"},
	} {
		if got := strings.Join(Misspelled(slices.Values(known), c.name), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
