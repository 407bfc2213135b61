package lookup

import (
	"context"
	"fmt"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// maxFound is the maximum number of packages whose complete documentation a search in all packages
// compares.
const maxFound = 12

// SearchesEverything reports whether SearchEverything is available.
func (l *Lookup) SearchesEverything() bool { return l.store.Searches() }

// SearchEverything searches all packages in a shared store. If s.Package specifies a language, it
// searches only packages in that language. found reports whether there are any matches.
func (l *Lookup) SearchEverything(ctx context.Context, s Search) (a *answer.Answer, found bool, err error) {
	var only apidoc.Ecosystem
	if s.Package.Language != "" {
		language, err := l.Languages().Get(s.Package.Language)
		if err != nil {
			return nil, false, err
		}
		only = language.Info().ID
	}
	queries, err := s.queries()
	if err != nil {
		return nil, false, err
	}
	var all []answer.QueryResult
	covered := 0
	for _, query := range queries {
		results, total, err := l.store.Search(ctx, only, query, maxFound)
		if err != nil {
			return nil, false, ecosystem.Fail(ecosystem.Unreachable, "the server cannot search its packages now").WithErr(err).WithNext("specify a package or a project to search")
		}
		covered = total
		packages := make([]*catalog.Item, len(results))
		for i := range results {
			packages[i] = l.catalog.Prepare(results[i])
		}
		used := make([]ecosystem.Dependency, len(packages))
		for i := range used {
			used[i].Imported = true // all packages are equally relevant
		}
		result := searchAll(packages, used, query, s.Limit)
		all = append(all, result)
	}
	noun := "packages"
	if covered == 1 {
		noun = "package"
	}
	note := fmt.Sprintf("Docent searched the %d %s that this server has read for its users. To search other packages, specify a package, or a project with projectPath.", covered, noun)
	return answer.SearchAll("the packages of this server", []string{note}, all, s.Options), haveHits(all), nil
}
