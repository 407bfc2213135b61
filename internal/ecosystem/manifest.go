package ecosystem

import "github.com/docent-mcp/docent/internal/lazyregexp"

// A ManifestWriter is a Language that can create a project that uses given packages.
type ManifestWriter interface {
	// Manifests returns the files, by name, of a project whose graph contains the
	// releases of g and their requirements. All of the project's own packages are merged
	// into one. The files contain only names and versions of packages, without directories
	// or settings, so that the author of g cannot choose where packages are read from.
	// The name of a package may be the address of a public repository. Packages that are not releases with a name and a version are omitted and
	// listed in skipped.
	Manifests(g *Graph) (files map[string][]byte, skipped []string, err error)
}

// Releases returns a graph of the releases in g for which valid returns true, and the
// names of the other releases. The first package of the graph represents all of the
// project's own packages and has their requirements.
func (g *Graph) Releases(valid func(*Used) bool) (releases *Graph, skipped []string) {
	releases = &Graph{Packages: []Used{{Name: "project", Member: true}}}
	place := make([]int, len(g.Packages))
	for i := range g.Packages {
		switch p := g.Packages[i]; {
		case p.Member || p.Dir != "" || p.Version == "":
		case !valid(&p):
			skipped = append(skipped, p.Name+"@"+p.Version)
		default:
			place[i] = len(releases.Packages)
			releases.Packages = append(releases.Packages, p)
		}
	}
	for i := range g.Packages {
		from := &releases.Packages[place[i]]
		if place[i] == 0 && !g.Packages[i].Member {
			continue
		}
		if !g.Packages[i].Member {
			from.Requires = nil
		}
		for _, to := range g.Packages[i].Requires {
			if place[to] != 0 {
				from.Requires = append(from.Requires, place[to])
			}
		}
	}
	return releases, skipped
}

var semanticVersion = lazyregexp.New(`^(0|[1-9]\d{0,15})(\.(0|[1-9]\d{0,15})){2}(-[0-9A-Za-z.-]{1,100})?(\+[0-9A-Za-z.-]{1,100})?$`)

// IsSemanticVersion reports whether a version has the form MAJOR.MINOR.PATCH, optionally
// with a pre-release and build metadata.
func IsSemanticVersion(version string) bool { return semanticVersion().MatchString(version) }
