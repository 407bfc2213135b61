package depgraph

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/quote"
)

// maxParsed is the maximum number of packages, and also of requirements, that Parse reads.
const maxParsed = 50_000

// Parse reads the output of docent deps --json. It ignores the directories in it.
func Parse(data []byte) ([]Language, error) {
	var in Data
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("this is not JSON from docent deps: %w", quote.Error(err))
	}
	if in.SchemaVersion != SchemaVersion {
		return nil, fmt.Errorf("this is not JSON from docent deps: its schemaVersion is %d, not %d", in.SchemaVersion, SchemaVersion)
	}
	packages, requirements := 0, 0
	var all []Language
	for i := range in.Languages {
		l := &in.Languages[i]
		g := &ecosystem.Graph{Packages: make([]ecosystem.Used, len(l.Packages))}
		if packages += len(l.Packages); packages > maxParsed {
			return nil, fmt.Errorf("the project has more than %d packages", maxParsed)
		}
		index := make(map[string]int, len(l.Packages))
		for n := range l.Packages {
			index[l.Packages[n].ID] = n
		}
		for n := range l.Packages {
			p := &l.Packages[n]
			u := &g.Packages[n]
			*u = ecosystem.Used{Name: p.Name, Aliases: p.Aliases, Version: p.Version, Location: p.Location, Revision: p.Revision, Member: p.Own, Inactive: p.Inactive, Wants: p.Wants, Features: p.Features}
			if requirements += len(p.Requires); requirements > maxParsed {
				return nil, fmt.Errorf("the project's packages have more than %d dependencies on each other", maxParsed)
			}
			for _, id := range p.Requires {
				to, ok := index[id]
				if !ok {
					return nil, errors.New("a package requires another package that is not listed")
				}
				u.Requires = append(u.Requires, to)
			}
		}
		all = append(all, Language{ID: l.Language, Graph: g})
	}
	return all, nil
}
