package golang

import (
	"cmp"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

var _ ecosystem.Advised = (*Golang)(nil)

// stdlib is the name of the standard library in OSV.
const stdlib = "stdlib"

// bundled returns the standard library at the version of the toolchain line, or else of the go line.
func bundled(p *gomod.Project, file string) []ecosystem.Used {
	version := cmp.Or(strings.TrimPrefix(p.Toolchain, "go"), p.Go)
	if version == "" {
		return nil
	}
	return []ecosystem.Used{{Name: stdlib, Version: version, File: file, Installed: true}}
}

// Advisories implements ecosystem.Advised. Versions in OSV have no leading v, and versions of the
// standard library are semantic versions.
func (g *Golang) Advisories(p *ecosystem.Used) (osv, name, version string) {
	if p.Name == stdlib {
		return "Go", stdlib, semanticVersion(p.Version)
	}
	return "Go", cmp.Or(p.Location, p.Name), strings.TrimPrefix(p.Version, "v")
}

// toolchainVersion matches the version of a toolchain: a minor version, a patch or a prerelease, and
// the name of a build.
var toolchainVersion = lazyregexp.New(`^(1\.[0-9]+)(\.[0-9]+)?(?:(rc|beta)([0-9]+))?(?:[-+ ].*)?$`)

// semanticVersion returns the semantic version of a toolchain: 1.27.0-rc.1 for 1.27rc1, and 1.26.2
// for 1.26.2-custom. It returns text of any other form unchanged.
func semanticVersion(toolchain string) string {
	m := toolchainVersion().FindStringSubmatch(toolchain)
	if m == nil {
		return toolchain
	}
	version := m[1] + cmp.Or(m[2], ".0")
	if m[3] != "" {
		version += "-" + m[3] + "." + m[4]
	}
	return version
}

// CompareVersions implements ecosystem.Advised.
func (g *Golang) CompareVersions(a, b string) (order int, ok bool) {
	a, b = "v"+strings.TrimPrefix(a, "v"), "v"+strings.TrimPrefix(b, "v")
	return semver.Compare(a, b), semver.IsValid(a) && semver.IsValid(b)
}
