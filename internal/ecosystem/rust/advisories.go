package rust

import (
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

var _ ecosystem.Advised = (*Rust)(nil)

// osvName is the name of the ecosystem in OSV.
const osvName = "crates" + ".io"

// Advisories implements ecosystem.Advised.
func (rs *Rust) Advisories(p *ecosystem.Used) (osv, name, version string) {
	return osvName, p.Name, p.Version
}

// CompareVersions implements ecosystem.Advised.
func (rs *Rust) CompareVersions(a, b string) (order int, ok bool) {
	v, errA := cargo.ParseVersion(a)
	w, errB := cargo.ParseVersion(b)
	return v.Compare(w), errA == nil && errB == nil
}
