package npm

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAdvisories(t *testing.T) {
	n := &NPM{}
	if osv, name, version := n.Advisories(&ecosystem.Used{Name: "@a/b", Version: "1.0.0"}); osv != "npm" || name != "@a/b" || version != "1.0.0" {
		t.Errorf("%s %s %s", osv, name, version)
	}
	for _, tt := range []struct {
		a, b  string
		order int
		ok    bool
	}{{"1.2.0", "1.10.0", -1, true}, {"2.0.0-rc.1", "2.0.0", -1, true}, {"git+https://host/x", "1.0.0", 0, false}} {
		if order, ok := n.CompareVersions(tt.a, tt.b); ok != tt.ok || order != tt.order {
			t.Errorf("%s and %s: %d, %v", tt.a, tt.b, order, ok)
		}
	}
}
