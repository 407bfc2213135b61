package rust

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAdvisories(t *testing.T) {
	rs := &Rust{}
	if osv, name, version := rs.Advisories(&ecosystem.Used{Name: "my-crate", Version: "1.0.0"}); !strings.HasPrefix(osv, "crates.") || name != "my-crate" || version != "1.0.0" {
		t.Errorf("%s %s %s", osv, name, version)
	}
	for _, tt := range []struct {
		a, b  string
		order int
		ok    bool
	}{{"1.2.0", "1.10.0", -1, true}, {"1.0.0", "0.0.0-0", 1, true}, {"x", "1.0.0", 0, false}} {
		if order, ok := rs.CompareVersions(tt.a, tt.b); ok != tt.ok || ok && order != tt.order {
			t.Errorf("%s and %s: %d, %v", tt.a, tt.b, order, ok)
		}
	}
}
