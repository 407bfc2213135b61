package gomod

import (
	"time"

	"github.com/docent-mcp/docent/internal/project"
)

// Loader caches projects until one of their files changes. The zero Loader is
// ready and safe for concurrent use.
type Loader struct {
	cache project.Cache[loaderKey, *loaded]
}

type loaderKey struct {
	root    Root
	options Options
}

type loaded struct {
	project *Project
	loaded  time.Time
}

// keepPartial is the time for which an incomplete module graph is cached. It is short because
// missing files may appear in the module cache.
const keepPartial = 10 * time.Second

// Load returns the project that dir belongs to, from the cache if none of its files has
// changed. It returns project.ErrNone if dir does not belong to a project. dir is
// absolute.
func (l *Loader) Load(dir string, o Options) (*Project, error) {
	root, err := Find(dir, o)
	if err != nil {
		return nil, err
	}
	e, err := l.cache.Get(loaderKey{root, o}, func() (*loaded, error) {
		p, err := Load(root, o)
		return &loaded{p, time.Now()}, err
	})
	return e.project, err
}

// Current reports whether the cached project may still be used.
func (e *loaded) Current() bool {
	return e.project.files.Current() && !(e.project.partial.Load() && time.Since(e.loaded) > keepPartial)
}
