package lookup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/project"
)

// Graphs returns the packages of the project in a directory, for the given language or for each
// language that has a project there.
func (l *Lookup) Graphs(ctx context.Context, dir, language string) ([]depgraph.Language, error) {
	defer progress.Begin(ctx, "Finding the project's packages").End()
	languages, err := l.languages(language)
	if err != nil {
		return nil, err
	}
	var all []depgraph.Language
	for _, each := range languages {
		grapher, ok := each.(ecosystem.Grapher)
		if !ok || !each.HasProject(dir) {
			continue
		}
		g, err := grapher.Graph(ctx, dir)
		if errors.Is(err, project.ErrNone) {
			continue
		}
		if err != nil && (language != "" || ctx.Err() != nil) {
			return nil, fmt.Errorf("list the packages of the %s project in %s: %w", each.Info().Style.Name, dir, err)
		}
		if err != nil { // other languages can still be listed
			g = &ecosystem.Graph{Root: dir, Problems: []string{"The project cannot be read: " + err.Error() + "."}}
		}
		all = append(all, depgraph.Language{ID: string(each.Info().ID), Name: each.Info().Style.Name, Graph: g})
	}
	if len(all) == 0 {
		return nil, noProjectIn(dir, languages)
	}
	return all, nil
}

// languages returns the language with the given name, or all languages if the name is empty.
func (l *Lookup) languages(name string) (ecosystem.Languages, error) {
	if name == "" {
		return l.Languages(), nil
	}
	language, err := l.Languages().Get(name)
	return ecosystem.Languages{language}, err
}

// noProjectIn returns the error for a directory that does not contain a project.
func noProjectIn(dir string, languages ecosystem.Languages) error {
	return ecosystem.Fail(ecosystem.Invalid, "there is no project in %s", dir).WithNext("specify the directory of a project that contains %s",
		strings.Join(languages.Each(func(i *ecosystem.Info) string { return strings.Join(i.Manifests[:min(len(i.Manifests), 1)], "") }), ", "))
}
