package gomod

import (
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/project"
)

// Loader keeps projects that were read until one of their files changes. The
// zero Loader is ready and safe for concurrent use.
type Loader struct {
	mu   sync.Mutex
	kept map[loaderKey]*loaded
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
	// maxLoaded bounds how many projects are kept. A server sees a handful.
	maxLoaded = 64
	// keepPartial is how long a module graph with gaps is kept: what is missing
	// in the module cache may be there soon.
	keepPartial = 10 * time.Second
)

// Load finds and reads the project that dir belongs to, or returns the one
// that was read before if none of its files has changed. It returns
// project.ErrNone if dir belongs to none. dir is absolute.
func (l *Loader) Load(dir string, o Options) (*Project, error) {
	root, err := Find(dir, o)
	if err != nil {
		return nil, err
	}
	key := loaderKey{root, o}
	l.mu.Lock()
	known := l.kept[key]
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
	if l.kept == nil {
		l.kept = map[loaderKey]*loaded{}
	}
	if len(l.kept) >= maxLoaded {
		clear(l.kept)
	}
	l.kept[key] = &loaded{p, time.Now()}
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

// watch is called before a file is read, so that no change is missed.
func (p *Project) watch(path string) {
	p.watched = append(p.watched, watched{path, project.StampOf(path)})
}
