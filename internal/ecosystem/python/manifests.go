package python

import (
	"bytes"
	"fmt"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

var _ ecosystem.ManifestWriter = (*Python)(nil)

// Manifests implements ecosystem.ManifestWriter. The lock file is a poetry.lock, which does not
// have to name an index.
func (py *Python) Manifests(g *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	seen := map[string]bool{}
	g, skipped = g.Releases(func(p *ecosystem.Used) bool {
		_, err := pep440.Parse(p.Version)
		name := pep508.Normalize(p.Name)
		valid := err == nil && pep508.ValidName(p.Name) && !seen[name]
		seen[name] = true
		return valid
	})
	var manifest, lock bytes.Buffer
	manifest.WriteString("[tool.poetry]\nname = \"project\"\nversion = \"0\"\n\n[tool.poetry.dependencies]\npython = \"*\"\n")
	for _, to := range g.Packages[0].Requires {
		fmt.Fprintf(&manifest, "%q = %q\n", g.Packages[to].Name, "=="+g.Packages[to].Version)
	}
	for i := range g.Packages[1:] {
		p := &g.Packages[i+1]
		fmt.Fprintf(&lock, "[[package]]\nname = %q\nversion = %q\noptional = false\npython-versions = \"*\"\nfiles = []\n\n", p.Name, p.Version)
		for n, to := range p.Requires {
			if n == 0 {
				lock.WriteString("[package.dependencies]\n")
			}
			fmt.Fprintf(&lock, "%q = \"*\"\n", g.Packages[to].Name)
		}
		lock.WriteString("\n")
	}
	lock.WriteString("[metadata]\nlock-version = \"2.1\"\npython-versions = \"*\"\n")
	return map[string][]byte{"pyproject.toml": manifest.Bytes(), "poetry.lock": lock.Bytes()}, skipped, nil
}
