package swift

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

var _ ecosystem.ManifestWriter = (*Swift)(nil)

var (
	repositoryPath = lazyregexp.New(`^(/[A-Za-z0-9_~][A-Za-z0-9._~-]{0,99}){2,8}$`)
	commitHash     = lazyregexp.New(`^[0-9a-f]{40}$`)
)

// resolvedPin is a package in a Package.resolved of version 2.
type resolvedPin struct {
	Identity string            `json:"identity"`
	Kind     swiftpm.Kind      `json:"kind"`
	Location string            `json:"location"`
	State    map[string]string `json:"state"`
}

// Manifests implements ecosystem.ManifestWriter. A repository is the name of a package, so its URL is
// part of the files. It is always https, on a host of public repositories or one for which the user
// of this process has a login in ~/.netrc.
func (sw *Swift) Manifests(g *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	f := &finder{sw: sw}
	g, skipped = g.Releases(func(p *ecosystem.Used) bool {
		_, ok := f.pinOf(p)
		return ok
	})
	var manifest bytes.Buffer
	manifest.WriteString("// swift-tools-version:5.7\nimport PackageDescription\n\nlet package = Package(name: \"project\", dependencies: [\n")
	pins := []resolvedPin{}
	seen := map[string]bool{}
	for i := range g.Packages[1:] {
		p := &g.Packages[i+1]
		pin, _ := f.pinOf(p)
		if seen[pin.Identity] { // A project has one version of each package.
			skipped = append(skipped, p.Name+"@"+p.Version)
			continue
		}
		seen[pin.Identity] = true
		pins = append(pins, pin)
		if !slices.Contains(g.Packages[0].Requires, i+1) {
			continue
		}
		key, value := "url", pin.Location
		if pin.Kind == swiftpm.Registry {
			key, value = "id", pin.Identity
		}
		which, chosen := "revision", pin.State["revision"]
		if v := pin.State["version"]; v != "" {
			which, chosen = "exact", v
		}
		fmt.Fprintf(&manifest, "    .package(%s: %q, %s: %q),\n", key, value, which, chosen)
	}
	manifest.WriteString("])\n")
	resolved, err := json.Marshal(map[string]any{"version": 2, "pins": pins})
	return map[string][]byte{"Package.swift": manifest.Bytes(), "Package.resolved": resolved}, skipped, err
}

// pinOf returns the pin of a package. ok is false for a package that is neither in a registry nor at
// a commit of a repository whose host is allowed.
func (f *finder) pinOf(p *ecosystem.Used) (pin resolvedPin, ok bool) {
	released := ecosystem.IsSemanticVersion(p.Version)
	if p.Location == "" {
		_, _, valid := swiftpm.RegistryID(p.Name)
		return resolvedPin{Identity: strings.ToLower(p.Name), Kind: swiftpm.Registry, State: map[string]string{"version": p.Version}}, valid && released
	}
	u, err := url.Parse(webLocation(p.Location))
	if err != nil || u.Scheme != "https" || u.Port() != "" || !repositoryPath().MatchString(u.Path) || !commitHash().MatchString(p.Revision) {
		return pin, false
	}
	if _, login := f.login(u.Host); !login && !slices.ContainsFunc(hosts, func(h host) bool { return strings.EqualFold(h.name, u.Host) }) {
		return pin, false
	}
	pin = resolvedPin{Identity: swiftpm.Identity(u.String()), Kind: swiftpm.Remote, Location: u.String(), State: map[string]string{"revision": p.Revision}}
	if released {
		pin.State["version"] = p.Version
	} else if swiftpm.ValidRef(p.Version) && p.Version != p.Revision {
		pin.State["branch"] = p.Version
	}
	return pin, true
}
