package swift

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

var _ ecosystem.Advised = (*Swift)(nil)

// Advisories implements ecosystem.Advised. OSV identifies packages by the addresses of their
// repositories without the scheme. It has no advisories about pods.
func (sw *Swift) Advisories(p *ecosystem.Used) (osv, name, version string) {
	name = swiftpm.Canonical(p.Location)
	if strings.HasPrefix(name, "/") || !strings.Contains(name, "/") {
		return "", "", "" // The location is a path, or the package is in a registry.
	}
	return "SwiftURL", name, p.Version
}

// CompareVersions implements ecosystem.Advised.
func (sw *Swift) CompareVersions(a, b string) (order int, ok bool) {
	v, errA := swiftpm.ParseVersion(a)
	w, errB := swiftpm.ParseVersion(b)
	if errA != nil || errB != nil {
		return 0, false
	}
	return v.Compare(w), true
}
