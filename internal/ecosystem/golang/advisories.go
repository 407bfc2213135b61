package golang

import (
	"strings"

	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.Advised = (*Golang)(nil)

// Advisories implements ecosystem.Advised. Versions in OSV have no leading v.
func (g *Golang) Advisories(p *ecosystem.Used) (osv, name, version string) {
	return "Go", p.Name, strings.TrimPrefix(p.Version, "v")
}

// CompareVersions implements ecosystem.Advised.
func (g *Golang) CompareVersions(a, b string) (order int, ok bool) {
	a, b = "v"+strings.TrimPrefix(a, "v"), "v"+strings.TrimPrefix(b, "v")
	return semver.Compare(a, b), semver.IsValid(a) && semver.IsValid(b)
}
