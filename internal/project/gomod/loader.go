package gomod

import (
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/project"
)

// Loader caches projects until one of their files changes. The zero Loader is
// ready and safe for concurrent use.
type Loader struct {
	mu     sync.Mutex
	cached map[loaderKey]*loaded
}

type loaderKey struct {
	root    Root
	options Options
}

type loaded struct {
	project *Project
	at      time.Time
}

const (
	// maxLoaded bounds the cached projects. A server sees a handful.
	maxLoaded = 64
	// keepPartial is how long an incomplete module graph is cached: the module
	// cache may receive what is missing.
	keepPartial = 10 * time.Second
)

// Load returns the project that dir belongs to, from the cache if none of its
// files has changed. It returns project.ErrNone if dir belongs to none. dir is
// absolute.
func (l *Loader) Load(dir string, o Options) (*Project, error) {
	root, err := Find(dir, o)
	if err != nil {
		return nil, err
	}
	key := loaderKey{root, o}
	l.mu.Lock()
	known := l.cached[key]
	l.mu.Unlock()
	if known != nil && known.fresh() {
		return known.project, nil
	}
	p, err := Load(root, o)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cached == nil {
		l.cached = map[loaderKey]*loaded{}
	}
	if len(l.cached) >= maxLoaded {
		clear(l.cached)
	}
	l.cached[key] = &loaded{p, time.Now()}
	return p, nil
}

func (e *loaded) fresh() bool {
	if e.project.partial.Load() && time.Since(e.at) > keepPartial {
		return false
	}
	for _, w := range e.project.watched {
		if w.stamp != project.StampOf(w.path) {
			return false
		}
	}
	return true
}

// watched is a file whose change makes a Project stale.
type watched struct {
	path  string
	stamp project.Stamp
}

// watch records the state of a file. It is called before the file is read, so
// that no change is missed.
func (p *Project) watch(path string) {
	p.watched = append(p.watched, watched{path, project.StampOf(path)})
}
