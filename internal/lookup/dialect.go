package lookup

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

//go:embed dialects.txt
var dialectText string

// dialects returns the dialects that libraries have variants for, each as the list of names by which
// packages of the variants and their drivers are called.
var dialects = sync.OnceValue(func() [][]string {
	var all [][]string
	for line := range strings.Lines(dialectText) {
		if names := strings.Fields(line); len(names) > 0 && names[0] != "#" {
			all = append(all, names)
		}
	}
	return all
})

// otherDialect is the factor for the score of matches in a package for a dialect that the project
// does not use, if it uses another one. A package for the dialect that it uses scores as much as the
// requested package.
const otherDialect = 0.6

// usedDialects returns the set of the dialects whose drivers the project of a question depends on
// directly, or imports. It returns an empty set if no package below the requested one is for a
// dialect.
func (l *Lookup) usedDialects(question Package, requested *apidoc.Package) uint64 {
	lister, ok := l.store.Languages().Find(question.Language).(ecosystem.Lister)
	if !ok || question.Project == "" || !slices.ContainsFunc(requested.Subpackages, func(p apidoc.Subpackage) bool {
		return dialectsIn(strings.TrimPrefix(p.Name, requested.Name)) != 0
	}) {
		return 0
	}
	dependencies, err := lister.Dependencies(question.Project)
	if err != nil {
		return 0
	}
	var used uint64
	for i := range dependencies {
		if d := &dependencies[i]; d.Direct || d.Imported {
			used |= dialectsIn(d.Package) | dialectsIn(d.Module)
		}
	}
	return used
}

// dialectsIn returns the set of the dialects that a package's name contains.
func dialectsIn(name string) uint64 {
	var found uint64
	isSeparator := func(r rune) bool { return strings.ContainsRune(".:/@", r) }
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), isSeparator) {
		words := strings.FieldsFunc(part, func(r rune) bool { return r == '-' || r == '_' })
		for i, names := range dialects() {
			if slices.ContainsFunc(names, func(n string) bool { return part == n || slices.Contains(words, n) }) {
				found |= 1 << i
			}
		}
	}
	return found
}

// dialectFactor returns the factor for the score of matches in another package of the module or
// another entry point. It is 1 unless the package is for a dialect that the requested package and
// the query do not name, and the project uses one of the dialects.
func dialectFactor(request, other string, used uint64, query string) float64 {
	if used == 0 {
		return 1
	}
	its := dialectsIn(strings.TrimPrefix(other, request))
	if its == 0 {
		return 1
	}
	named := dialectsIn(request)
	for word := range strings.FieldsSeq(query) {
		named |= dialectsIn(word)
	}
	switch {
	case its&named != 0:
		return 1
	case its&used != 0:
		return 1 / otherDialect
	}
	return otherDialect
}
