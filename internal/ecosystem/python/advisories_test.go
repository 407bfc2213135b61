package python

import (
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestAdvisories(t *testing.T) {
	py := &Python{}
	if osv, name, version := py.Advisories(&ecosystem.Used{Name: "Py_YAML", Version: "6.0"}); osv != "PyPI" || name != "py-yaml" || version != "6.0" {
		t.Errorf("%s %s %s", osv, name, version)
	}
	for _, tt := range []struct {
		a, b  string
		order int
		ok    bool
	}{{"1.2", "1.10", -1, true}, {"2.0rc1", "2.0", -1, true}, {"1.0", "1.0.0", 0, true}, {"1!0.1", "2.0", 1, true}, {"x", "1.0", 0, false}} {
		if order, ok := py.CompareVersions(tt.a, tt.b); ok != tt.ok || ok && order != tt.order {
			t.Errorf("%s and %s: %d, %v", tt.a, tt.b, order, ok)
		}
	}
}
