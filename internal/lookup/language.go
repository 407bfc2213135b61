package lookup

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/resolve"
)

// LanguageOf returns the language of a package. It is the specified language. If none is specified,
// it is the first language that knows the package on this machine for the project in the question's
// directory. Otherwise, it is the first language with both the package and a project there, or
// otherwise the first language with the package.
func (l *Lookup) LanguageOf(ctx context.Context, q Package) (*ecosystem.Info, error) {
	languages := l.store.Languages()
	if q.Language != "" || len(languages) == 1 {
		if q.Language == "" {
			return languages[0].Info(), nil
		}
		language, err := languages.Get(q.Language)
		if err != nil {
			return nil, err
		}
		return language.Info(), nil
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
	if names := resolve.SplitNames(q.Name); len(names) > 1 {
		q.Name = names[0]
	}
	for _, language := range order {
		if q.Project != "" && HasPackage(language, q.Project, q.Name) {
			return language.Info(), nil
		}
	}
	var problems []error
	for _, language := range order {
		q.Language = string(language.Info().ID)
		_, _, err := l.resolver.Find(ctx, q)
		if err == nil {
			return language.Info(), nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		problems = append(problems, err)
	}
	return nil, nowhere(q.Name, problems)
}

// maxNear is the maximum number of similar names in an error.
const maxNear = 5

// nowhere returns the error for a package that does not exist in any language. It combines the
// errors of the languages.
func nowhere(name string, problems []error) error {
	var near []string
	for _, err := range problems {
		failed, ok := errors.AsType[*ecosystem.Error](err)
		if !ok || failed.Reason != ecosystem.NotFound || len(failed.Packages) > 0 {
			return errors.Join(problems...)
		}
		near = append(near, failed.Near...)
	}
	e := ecosystem.Fail(ecosystem.NotFound, "there is no package %.200s in any language", name)
	if len(near) > 0 {
		return e.WithNext("did you mean %s?", strings.Join(near[:min(len(near), maxNear)], " or "))
	}
	return e.WithNext("check the name, or specify the language to see where docent looked for it")
}

// HasPackage reports whether a language knows a package by its complete name on this machine, for
// the project in a directory. The name may end with a version.
func HasPackage(language ecosystem.Language, dir, name string) bool {
	if !language.HasProject(dir) {
		return false
	}
	if i := strings.LastIndex(name, "@"); i > 0 {
		name = name[:i]
	}
	return slices.Contains(language.Names(dir, name, resolve.MaxNames), name)
}
