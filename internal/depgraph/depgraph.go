// Package depgraph shows the packages of a project: as a table, as a tree, by the packages that
// bring in a package, as JSON, and in few words for coding agents.
package depgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
)

// Language contains the packages of a project in one language.
type Language struct {
	ID, Name string
	Graph    *ecosystem.Graph
	// Remote is the name of the project for readers on other machines. Compact then does not
	// mention this machine. It is empty if the readers are on this machine.
	Remote string
	// Releases contains the registries' information about the packages of Graph, by index. It is
	// nil if no registry was queried. An element is nil if the package is not in a registry.
	Releases []*ecosystem.Releases
}

// label returns the name of a package with its version.
func label(p *ecosystem.Used) string {
	return strings.TrimSpace(line(p.Name) + " " + line(p.Version))
}

// line returns foreign text on one line.
func line(text string) string {
	return strings.Join(strings.Fields(markup.Clean(text)), " ")
}

// requirers returns, for each package, the indexes of the active packages that require it, with the
// project's packages first.
func requirers(g *ecosystem.Graph) [][]int {
	all := make([][]int, len(g.Packages))
	for i := range g.Packages {
		if g.Packages[i].Inactive {
			continue
		}
		for _, to := range g.Packages[i].Requires {
			all[to] = append(all[to], i)
		}
	}
	return all
}

// versions returns the names of packages that the project uses in several versions, and the
// versions of each.
func versions(g *ecosystem.Graph) (names []string, byName map[string][]string) {
	byName = map[string][]string{}
	for i := range g.Packages {
		p := &g.Packages[i]
		if p.Inactive || p.Member {
			continue
		}
		if version := cmp.Or(p.Version, g.Rel(p.Dir)); !slices.Contains(byName[p.Name], version) {
			byName[p.Name] = append(byName[p.Name], version)
		}
	}
	for name, all := range byName {
		if len(all) > 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, byName
}

// notes returns the notes about a package that follow its name and version.
func (l *Language) notes(i int) []string {
	p := &l.Graph.Packages[i]
	var notes []string
	if len(p.Aliases) > 0 {
		notes = append(notes, "imported as "+line(strings.Join(p.Aliases, ", ")))
	}
	if p.Dir != "" && !p.Member {
		notes = append(notes, "in "+line(l.Graph.Rel(p.Dir)))
	}
	if !p.Installed && !p.Inactive && l.Remote == "" {
		notes = append(notes, "not installed")
	}
	return notes
}
