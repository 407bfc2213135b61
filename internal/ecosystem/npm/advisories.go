package npm

import (
	"deps.dev/util/semver"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.Advised = (*NPM)(nil)

// Advisories implements ecosystem.Advised.
func (n *NPM) Advisories(p *ecosystem.Used) (osv, name, version string) {
	return "npm", p.Name, p.Version
}

// CompareVersions implements ecosystem.Advised.
func (n *NPM) CompareVersions(a, b string) (order int, ok bool) {
	v, errA := semver.NPM.Parse(a)
	w, errB := semver.NPM.Parse(b)
	if errA != nil || errB != nil {
		return 0, false
	}
	return v.Compare(w), true
}
