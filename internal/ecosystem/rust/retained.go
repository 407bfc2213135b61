package rust

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/rootfs"
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
	c.library.ctx = ctx
	if c.program != nil {
		c.program.Resume(ctx)
	}
	if c.toolchain != c.finder.rs.sysrootFor(dir) || !c.update() {
		c.finder.close()
		return nil
	}
	return c
}

// update reads the project's source files that have changed. It returns false if something else has changed.
func (c *typeChecker) update() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := map[*words]bool{}
	for _, now := range changedStamps(c.finder.seen.Stamps()) {
		i := slices.IndexFunc(c.library.packages, func(w *words) bool { return w.files[now.Path] != nil || w.listed[now.Path] != nil })
		if i < 0 {
			return false
		}
		w := c.library.packages[i]
		text, change, ok := w.reread(now)
		if !ok {
			return false
		}
		if change == declarationsChange || change == importsChange && !c.replaceImports(now.Path, text) {
			c.changed(now.Path)
		}
		c.finder.seen.Replace(now)
		changed[w] = true
	}
	for w := range changed {
		w.merge()
		clear(c.library.names)
	}
	return !c.finder.seen.Invalid()
}

// changedStamps returns the current states of the files that have changed.
func changedStamps(stamps []fingerprint.Stamp) (changed []fingerprint.Stamp) {
	const chunk = 64
	parts := make([][]fingerprint.Stamp, (len(stamps)+chunk-1)/chunk)
	_ = parallel.Limit(context.Background(), len(parts), 0, nil, func(i int) {
		for _, before := range stamps[i*chunk : min((i+1)*chunk, len(stamps))] {
			if now := fingerprint.StampOf(before.Path); now != before {
				parts[i] = append(parts[i], now)
			}
		}
	})
	return slices.Concat(parts...)
}

// change is the part of a file that has changed.
type change uint8

const (
	bodiesChange  change = iota // nothing but the bodies of functions
	importsChange               // private imports and bodies
	declarationsChange
)

// reread reads a file of the package that has changed. The caller merges the names. ok is false if the names in a
// directory have changed, except those of files that declare nothing, because editors create and remove some.
func (w *words) reread(now fingerprint.Stamp) (text string, change change, ok bool) {
	files := rootfs.New(w.dirs[0])
	name, err := filepath.Rel(w.dirs[0], now.Path)
	if err != nil {
		return "", 0, false
	}
	if _, listed := w.listed[now.Path]; now.Kind == fingerprint.Directory && listed {
		entries, err := fs.ReadDir(files, filepath.ToSlash(name))
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !mayDeclare(filepath.Join(now.Path, e.Name()), e) })
		return "", bodiesChange, err == nil && slices.EqualFunc(entries, w.listed[now.Path], func(e fs.DirEntry, name string) bool { return e.Name() == name })
	}
	if now.Kind != fingerprint.File || filepath.Ext(name) != ".rs" {
		return "", 0, false
	}
	if text, err = readText(files, filepath.ToSlash(name), maxWordFile); err != nil {
		return "", 0, false
	}
	before, f := w.files[now.Path], w.file(name, text)
	w.files[now.Path] = f
	switch {
	case !w.declaresInOutline(now.Path) || before == nil || f.outline().rest != before.outline().rest:
		return text, declarationsChange, true
	case f.outline() != before.outline():
		return text, importsChange, true
	}
	return text, bodiesChange, true
}

// replaceImports replaces a file of which only private imports and bodies of functions have changed. It returns false if
// the crates that contain it must be read again.
func (c *typeChecker) replaceImports(file, text string) bool {
	if c.program == nil || c.stale {
		return false
	}
	for dir, files := range c.parsed {
		name, err := filepath.Rel(dir, file)
		if err == nil && !c.program.ReplaceImports(files, filepath.ToSlash(name), text, func(name string) bool { return mentions(text, name) }) {
			return false
		}
	}
	return true
}

// declaresInOutline reports whether the outline of a file contains all that it declares. The bodies of functions in build scripts and
// procedural macros declare something, too.
func (w *words) declaresInOutline(full string) bool {
	return !w.macro && strings.HasPrefix(full, filepath.Join(w.dirs[0], "src")+string(filepath.Separator)) && filepath.Ext(full) == ".rs" && full != w.build
}

// sameOutline reports whether a text declares the same as the file of the package that it replaces.
func (w *words) sameOutline(full, text string) bool {
	f := w.files[full] // nil in packages that are not the project's
	return f != nil && w.declaresInOutline(full) && f.outline() == outlineOf(text)
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
	if c.library.ctx.Err() != nil || c.partial != "" { // some files have not been read
		c.finder.close()
		return nil
	}
	for _, full := range c.modified {
		c.changed(full)
	}
	if c.program != nil && c.program.Spent() {
		c.program = nil
	}
	c.edited, c.modified, c.declaring = map[string]string{}, nil, nil
	c.finder.rs.retained.put(c)
	return nil
}
