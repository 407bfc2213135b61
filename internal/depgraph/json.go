package depgraph

import (
	"cmp"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Data is the JSON of docent deps. docs/json.md documents it.
type Data struct {
	SchemaVersion int            `json:"schemaVersion"`
	Languages     []LanguageData `json:"languages"`
}

// LanguageData is the JSON of a project's packages in one language.
type LanguageData struct {
	Language string        `json:"language"`
	Root     string        `json:"root"`
	Packages []PackageData `json:"packages"`
	Problems []string      `json:"problems,omitempty"`
}

// PackageData is the JSON of one version of a package.
type PackageData struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Aliases   []string `json:"aliases,omitempty"`
	Version   string   `json:"version,omitempty"`
	Location  string   `json:"location,omitempty"`
	Revision  string   `json:"revision,omitempty"`
	File      string   `json:"file,omitempty"`
	Dir       string   `json:"dir,omitempty"`
	Own       bool     `json:"own,omitempty"`
	Direct    bool     `json:"direct,omitempty"`
	Installed bool     `json:"installed"`
	Inactive  bool     `json:"inactive,omitempty"`
	Wants     []string `json:"wants,omitempty"`
	Features  []string `json:"features,omitzero"`
	Requires  []string `json:"requires,omitempty"`
	// Registry is the registry's information about the package, if it was queried.
	Registry *ReleaseData `json:"registry,omitempty"`
}

// SchemaVersion is the version of the format of Data.
const SchemaVersion = 1

// JSON returns the packages of a project as data.
func JSON(all []Language) Data {
	data := Data{SchemaVersion: SchemaVersion, Languages: []LanguageData{}}
	for i := range all {
		l := &all[i]
		g := l.Graph
		out := LanguageData{Language: l.ID, Root: g.Root, Problems: g.Problems, Packages: make([]PackageData, len(g.Packages))}
		direct := g.Direct()
		for n, isDirect := range direct {
			p := &g.Packages[n]
			d := PackageData{
				ID: id(g, n), Name: p.Name, Aliases: p.Aliases, Version: p.Version, Location: p.Location, Revision: p.Revision, File: p.File, Dir: p.Dir, Own: p.Member, Direct: isDirect,
				Installed: p.Installed, Inactive: p.Inactive, Wants: p.Wants, Features: p.Features, Registry: l.releaseData(n),
			}
			for _, to := range p.Requires {
				d.Requires = append(d.Requires, id(g, to))
			}
			out.Packages[n] = d
		}
		data.Languages = append(data.Languages, out)
	}
	return data
}

// id identifies a package in a graph: by its name and version or, without a version, by its name
// and directory.
func id(g *ecosystem.Graph, i int) string {
	p := &g.Packages[i]
	if last := cmp.Or(p.Version, g.Rel(p.Dir)); last != "" {
		return p.Name + "@" + last
	}
	return p.Name
}
