package golang

import (
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

var _ ecosystem.ManifestWriter = (*Golang)(nil)

// listsAll is the Go version in the go directive. From this version on, a go.mod file lists all
// required modules, so no other go.mod file affects the versions.
const listsAll = "1.21"

// Manifests implements ecosystem.ManifestWriter.
func (g *Golang) Manifests(graph *ecosystem.Graph) (files map[string][]byte, skipped []string, err error) {
	graph, skipped = graph.Releases(func(p *ecosystem.Used) bool { return module.Check(p.Name, p.Version) == nil })
	f := &modfile.File{Syntax: &modfile.FileSyntax{}}
	if err := f.AddModuleStmt("project"); err != nil {
		return nil, nil, err
	}
	if err := f.AddGoStmt(listsAll); err != nil {
		return nil, nil, err
	}
	var required []*modfile.Require
	for i := range graph.Packages[1:] {
		p := &graph.Packages[i+1]
		direct := slices.Contains(graph.Packages[0].Requires, i+1)
		required = append(required, &modfile.Require{Mod: module.Version{Path: p.Name, Version: p.Version}, Indirect: !direct})
	}
	f.SetRequireSeparateIndirect(required)
	data, err := f.Format()
	return map[string][]byte{"go.mod": data}, skipped, err
}
