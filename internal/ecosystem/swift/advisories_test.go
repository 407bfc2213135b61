package swift

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAdvisories(t *testing.T) {
	sw := &Swift{}
	for location, want := range map[string]string{
		"https://host.example/Mona/swift-kite.git": "host.example/mona/swift-kite",
		"git@host.example:mona/swift-kite":         "host.example/mona/swift-kite",
		"/src/kite":                                "",
		"mona.kite":                                "",
		"":                                         "",
	} {
		osv, name, version := sw.Advisories(&ecosystem.Used{Name: "swift-kite", Version: "1.2.0", Location: location})
		if name != want || (want != "") != (osv == "SwiftURL" && version == "1.2.0") {
			t.Errorf("%q: %s %s %s, want %s", location, osv, name, version, want)
		}
	}
	for _, tt := range []struct {
		a, b  string
		order int
		ok    bool
	}{{"1.2.0", "1.10.0", -1, true}, {"2.0.0-beta.1", "2.0.0", -1, true}, {"1.0.0", "1.0.0", 0, true}, {"main", "1.0.0", 0, false}} {
		if order, ok := sw.CompareVersions(tt.a, tt.b); order != tt.order || ok != tt.ok {
			t.Errorf("%s and %s: %d, %v", tt.a, tt.b, order, ok)
		}
	}
}
