package store

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

// Once returns a context for a question that reads several packages. The files that determine their
// versions are then checked only once, and so are the answers of registries.
func Once(ctx context.Context) context.Context {
	if ctx.Value(stampsKey{}) != nil {
		return ctx
	}
	return ecosystem.Once(context.WithValue(ctx, stampsKey{}, &sync.Map{}))
}

// stampsKey is the key of the stamps of a question: a sync.Map from stampPlace to
// project.Fingerprint.
type stampsKey struct{}

type stampPlace struct {
	language apidoc.Ecosystem
	dir      string
}

// stampFor is like stampOf, but determines the stamp only once for each question.
func stampFor(ctx context.Context, lang *ecosystem.Info, dir string) (project.Fingerprint, bool) {
	stamps, once := ctx.Value(stampsKey{}).(*sync.Map)
	if !once || dir == "" {
		return stampOf(lang, dir)
	}
	place := stampPlace{lang.ID, dir}
	if s, ok := stamps.Load(place); ok {
		return s.(project.Fingerprint), true
	}
	s, ok := stampOf(lang, dir)
	if ok {
		stamps.Store(place, s)
	}
	return s, ok
}

// stampOf returns the state of the files that determine versions in dir. ok is false if the
// language does not list such files.
func stampOf(lang *ecosystem.Info, dir string) (s project.Fingerprint, ok bool) {
	if dir == "" {
		return s, true
	}
	if len(lang.ProjectFiles) == 0 {
		return s, false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return s, false
	}
	return project.FingerprintOf(dir, lang.ProjectFiles), true
}
