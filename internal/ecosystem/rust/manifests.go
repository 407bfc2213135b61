package rust

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

var _ ecosystem.ManifestWriter = (*Rust)(nil)

var crateName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

var featureName = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_+.-]{0,100}$`)

// listOf returns a list of features, except the default feature, in TOML.
func listOf(features []string) string {
	var quoted []string
	for _, feature := range features {
		if feature != defaultFeature {
			quoted = append(quoted, strconv.Quote(feature))
		}
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Manifests implements ecosystem.ManifestWriter. All crates come from the default
// registry.
func (rs *Rust) Manifests(g *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	g, skipped = g.Releases(func(p *ecosystem.Used) bool {
		valid := crateName().MatchString(p.Name) && ecosystem.IsSemanticVersion(p.Version)
		for _, feature := range p.Features {
			valid = valid && featureName().MatchString(feature)
		}
		return valid
	})
	var manifest, lock bytes.Buffer
	manifest.WriteString("[package]\nname = \"project\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n")
	named := map[string]bool{}
	for _, to := range g.Packages[0].Requires {
		p := &g.Packages[to]
		key := p.Name
		if named[key] { // Two versions of a crate need two names.
			key = fmt.Sprintf("%s-%d", p.Name, to)
		}
		named[key] = true
		fmt.Fprintf(&manifest, "%q = { package = %q, version = %q", key, p.Name, "="+p.Version)
		if p.Features != nil {
			fmt.Fprintf(&manifest, ", default-features = %t, features = %s", slices.Contains(p.Features, defaultFeature), listOf(p.Features))
		}
		manifest.WriteString(" }\n")
	}
	lock.WriteString("version = 4\n\n")
	for i := range g.Packages {
		p := &g.Packages[i]
		if i == 0 {
			fmt.Fprintf(&lock, "[[package]]\nname = \"project\"\nversion = \"0.0.0\"\n")
		} else {
			fmt.Fprintf(&lock, "[[package]]\nname = %q\nversion = %q\nsource = %q\n", p.Name, p.Version, cargoconf.DefaultSource)
		}
		lock.WriteString("dependencies = [\n")
		for _, to := range p.Requires {
			fmt.Fprintf(&lock, " %q,\n", g.Packages[to].Name+" "+g.Packages[to].Version)
		}
		lock.WriteString("]\n\n")
	}
	return map[string][]byte{"Cargo.toml": manifest.Bytes(), "Cargo.lock": lock.Bytes()}, skipped, nil
}
