package lookup

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/parallel"
)

// releaseRequests is the number of packages that are looked up in registries concurrently.
const releaseRequests = 16

// Releases looks up the packages of a project in registries, several of them concurrently, and sets
// the field Releases for each language. It skips the project's own packages, local directories, and
// packages that the project does not use on this machine. progress may be nil. The error is the
// error of ctx.
func (l *Lookup) Releases(ctx context.Context, dir string, all []depgraph.Language, progress func(done, all int)) error {
	type question struct {
		language, index int
		releaser        ecosystem.Releaser
	}
	var questions []question
	for i := range all {
		releaser, ok := l.Languages().Find(all[i].ID).(ecosystem.Releaser)
		if !ok {
			continue
		}
		all[i].Releases = make([]*ecosystem.Releases, len(all[i].Graph.Packages))
		for n := range all[i].Graph.Packages {
			if p := &all[i].Graph.Packages[n]; !p.Member && !p.Inactive && p.Dir == "" {
				questions = append(questions, question{i, n, releaser})
			}
		}
	}
	return parallel.Limit(ctx, len(questions), releaseRequests, progress, func(n int) {
		q := questions[n]
		r, err := q.releaser.Releases(ctx, dir, &all[q.language].Graph.Packages[q.index])
		if err != nil {
			r = &ecosystem.Releases{Err: err}
		}
		all[q.language].Releases[q.index] = r
	})
}

// Unreachable reports whether err means that a registry could not be reached.
func Unreachable(err error) bool {
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok {
		return failed.Reason == ecosystem.Unreachable
	}
	_, ok := errors.AsType[*fetch.Error](err)
	return ok
}
