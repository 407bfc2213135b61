package golang

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAdvisories(t *testing.T) {
	g := &Golang{}
	if osv, name, version := g.Advisories(&ecosystem.Used{Name: "example.com/a/v2", Version: "v2.0.0"}); osv != "Go" || name != "example.com/a/v2" || version != "2.0.0" {
		t.Errorf("%s %s %s", osv, name, version)
	}
	for toolchain, want := range map[string]string{"1.26.8": "1.26.8", "1.26": "1.26.0", "1.27rc1": "1.27.0-rc.1", "1.26.2-custom": "1.26.2", "default": "default"} {
		if osv, name, version := g.Advisories(&ecosystem.Used{Name: "stdlib", Version: toolchain}); osv != "Go" || name != "stdlib" || version != want {
			t.Errorf("toolchain %s: %s %s %s, want %s", toolchain, osv, name, version, want)
		}
	}
	for _, tt := range []struct {
		a, b  string
		order int
		ok    bool
	}{{"1.2.0", "v1.10.0", -1, true}, {"0.0.0-20200101000000-abcdefabcdef", "0.0.0-20200102000000-abcdefabcdef", -1, true}, {"2.0.0+incompatible", "2.0.0", 0, true}, {"x", "1.0.0", -1, false}} {
		if order, ok := g.CompareVersions(tt.a, tt.b); ok != tt.ok || ok && order != tt.order {
			t.Errorf("%s and %s: %d, %v", tt.a, tt.b, order, ok)
		}
	}
}
