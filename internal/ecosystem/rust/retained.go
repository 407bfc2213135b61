package rust

import (
	"context"
	"slices"
	"sync"
)

// maxRetained is the maximum number of projects whose types remain in memory after a check.
const maxRetained = 2

// typesCache contains the types of the projects that were checked last, except while they are in use.
type typesCache struct {
	mu  sync.Mutex
	all []*typeChecker // least recently used first
}

// take removes the types of a project from the cache and returns them. It returns nil if there are none or if a file has changed.
func (r *typesCache) take(ctx context.Context, dir string) *typeChecker {
	r.mu.Lock()
	i := slices.IndexFunc(r.all, func(c *typeChecker) bool { return c.finder.ask.project == dir })
	if i < 0 {
		r.mu.Unlock()
		return nil
	}
	c := r.all[i]
	r.all = slices.Delete(r.all, i, i+1)
	r.mu.Unlock()
	if c.toolchain != c.finder.rs.sysrootFor(dir) || !c.finder.seen.Unchanged() {
		c.finder.close()
		return nil
	}
	c.library.ctx = ctx
	if c.program != nil {
		c.program.Resume(ctx)
	}
	return c
}

// put adds the types of a project.
func (r *typesCache) put(c *typeChecker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all = append(r.all, c); len(r.all) > maxRetained {
		r.all[0].finder.close()
		r.all = slices.Delete(r.all, 0, 1)
	}
}

// Close implements io.Closer. It retains what was read for the next check.
func (c *typeChecker) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.library.ctx.Err() != nil { // some files may not have been read
		c.finder.close()
		return nil
	}
	if len(c.edited) > 0 || c.program != nil && c.program.Spent() {
		c.program, c.edited = nil, map[string]string{}
	}
	c.finder.rs.retained.put(c)
	return nil
}
