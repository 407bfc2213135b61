package ecosystem

import "regexp"

// A ManifestWriter is a Language that can make a project which uses given packages.
type ManifestWriter interface {
	// Manifests returns the files of a project, by name, whose graph has the releases of g
	// and what they require. All of the project's own packages become one. The files name
	// packages and versions alone, no addresses, directories or settings, so that whoever
	// made g does not choose where packages are read from. They leave out, and skipped
	// lists, what is not a release by its name and version.
	Manifests(g *Graph) (files map[string][]byte, skipped []string, err error)
}

// Releases returns a graph of the releases in g for which valid returns true, and the
// names of those for which it does not. Its first package stands for the project's own;
// it requires what any of them does.
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

var semanticVersion = regexp.MustCompile(`^(0|[1-9]\d{0,15})(\.(0|[1-9]\d{0,15})){2}(-[0-9A-Za-z.-]{1,100})?(\+[0-9A-Za-z.-]{1,100})?$`)

// IsSemanticVersion reports whether a version is written as MAJOR.MINOR.PATCH, with a
// pre-release and metadata perhaps.
func IsSemanticVersion(version string) bool { return semanticVersion.MatchString(version) }
