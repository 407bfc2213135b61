package python

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

var _ ecosystem.Advised = (*Python)(nil)

// Advisories implements ecosystem.Advised.
func (py *Python) Advisories(p *ecosystem.Used) (osv, name, version string) {
	return "PyPI", pep508.Normalize(p.Name), p.Version
}

// CompareVersions implements ecosystem.Advised.
func (py *Python) CompareVersions(a, b string) (order int, ok bool) {
	_, errA := pep440.Parse(a)
	_, errB := pep440.Parse(b)
	return pep440.Compare(a, b), errA == nil && errB == nil
}
