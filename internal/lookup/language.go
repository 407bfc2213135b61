package lookup

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// LanguageOf returns the language of a package. That is the named language, or else the first
// language that has both the package and a project at the question's directory, or else the first
// language that has the package.
func (l *Lookup) LanguageOf(ctx context.Context, q Package) (*ecosystem.Info, error) {
	languages := l.store.Languages()
	if q.Language != "" || len(languages) == 1 {
		if q.Language == "" {
			return languages[0].Info(), nil
		}
		if language := languages.Find(q.Language); language != nil {
			return language.Info(), nil
		}
		_, err := l.store.Describe(ctx, q.Language, q.query()) // its error lists the languages
		return nil, err
	}
	var order []ecosystem.Language
	for _, language := range languages {
		if q.Project != "" && language.HasProject(q.Project) {
			order = append(order, language)
		}
	}
	if len(order) == 1 {
		return order[0].Info(), nil
	}
	for _, language := range languages {
		if q.Project == "" || !language.HasProject(q.Project) {
			order = append(order, language)
		}
	}
	if names := Packages(q.Name); len(names) > 1 {
		q.Name = names[0]
	}
	var problems []error
	for _, language := range order {
		q.Language = string(language.Info().ID)
		_, _, err := l.find(ctx, q)
		if err == nil {
			return language.Info(), nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		problems = append(problems, err)
	}
	return nil, errors.Join(problems...)
}
