package golang

import (
	"go/types"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

// typesCache contains the last type check of each project. The next check of the project uses the
// packages that it imported, unless they have changed.
type typesCache struct {
	now  func() time.Time
	mu   sync.Mutex
	last []*typeChecker // most recent first
}

const (
	// maxTypedProjects is the maximum number of projects whose imported packages remain in memory
	// after a type check.
	maxTypedProjects = 4
	// maxTypedDecls is the maximum number of declarations in all packages that remain in memory. Each
	// takes about 1.2 KB. The least recently checked projects are dropped first, and then the packages
	// of the last project that its last check did not use. A check that uses more is dropped itself.
	maxTypedDecls = 100_000
)

// add adds a check and passes it the packages of the last check of its project.
func (t *typesCache) add(c *typeChecker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := []*typeChecker{c}
	size := 0
	if i := slices.IndexFunc(t.last, c.sameProject); i >= 0 {
		c.earlier, size = t.last[i].packages()
		t.last = slices.Delete(t.last, i, i+1)
	}
	for _, other := range t.last {
		_, n := other.packages()
		if size += n; size > maxTypedDecls || len(all) == maxTypedProjects {
			break
		}
		all = append(all, other)
	}
	t.last = all
}

// grow adds the declarations of an imported package to the size of a check. It drops the check if it
// has become too large.
func (t *typesCache) grow(c *typeChecker, decls int) {
	if c.size += decls; c.size <= maxTypedDecls {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = slices.DeleteFunc(t.last, func(other *typeChecker) bool { return other == c })
}

// sameProject reports whether another check was of the same project, with the same versions.
func (c *typeChecker) sameProject(other *typeChecker) bool {
	a, b := c.finder, other.finder
	return a.ask.project == b.ask.project && c.platform == other.platform && a.toolchain() == b.toolchain() &&
		projectOptions(a.st) == projectOptions(b.st) && a.project.Equal(b.project)
}

// packages returns the packages that a later check may use, and the number of their declarations.
func (c *typeChecker) packages() (all map[string]*importedPackage, size int) {
	if !c.mu.TryLock() {
		return nil, maxTypedDecls // a check that may never end is importing a package
	}
	defer c.mu.Unlock()
	all, size = maps.Clone(c.imported), c.size
	for key, p := range c.earlier {
		if _, ok := all[key]; !ok && size+p.decls <= maxTypedDecls {
			all[key] = p
			size += p.decls
		}
	}
	return all, size
}

// reuse returns the package of an earlier check, or nil if it or a package that it imports has
// changed.
func (c *typeChecker) reuse(key string) *importedPackage {
	p := c.earlier[key]
	if p == nil || p.stamps == nil {
		return nil
	}
	delete(c.earlier, key)
	if slices.ContainsFunc(p.stamps, func(m fingerprint.Stamp) bool { return !m.Unchanged() }) {
		return nil
	}
	for _, t := range p.types.Imports() {
		if t == types.Unsafe || t.Path() == "C" {
			continue
		}
		other := c.imported[t.Path()]
		if other == nil {
			other = c.reuse(t.Path())
		}
		if other == nil || other.types != t {
			return nil
		}
	}
	c.imported[key] = p
	c.finder.g.types.grow(c, p.decls)
	return p
}

// stampsOf returns the states of the files of a package that is about to be read. It returns nil if
// they changed so recently that a further change could go unnoticed.
func stampsOf(src *godoc.Source, now func() time.Time) []fingerprint.Stamp {
	seen := &fingerprint.Fingerprint{}
	files := src.FS
	local, ok := files.(*dirFS)
	if ok {
		files = local.FS
	}
	tree, ok := files.(*fingerprint.Tree)
	if !ok {
		seen.Add(src.Provenance.Location)
		stamps, _, _ := seen.Reusable(now())
		return stamps
	}
	seen.AddStamp(tree.Stamp(src.Dir))
	for dir := src.Dir; local != nil && dir != "."; dir = path.Dir(dir) {
		seen.Add(tree.Path(dir + "/go.mod")) // would make the directory a module of its own
	}
	entries, _ := fs.ReadDir(files, src.Dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			seen.Add(tree.Path(path.Join(src.Dir, e.Name())))
		}
	}
	stamps, _, _ := seen.Reusable(now())
	return stamps
}
