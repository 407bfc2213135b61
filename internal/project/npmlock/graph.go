package npmlock

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project"
)

// Entry is a package in a lock file, or one of the project's own packages.
type Entry struct {
	Dependency
	// Place is the package's directory relative to the lock file's directory, with forward slashes.
	// It is empty if the lock file does not record it.
	Place string
	// Aliases are the names, other than the published one, by which other packages require it.
	Aliases []string
	// Member is true for the project's own packages.
	Member bool
	// Platforms are the platforms that the package is for.
	Platforms Platforms
	// Optional is true if the lock file does not record the platforms of packages, and this
	// package may not support all of them.
	Optional bool
	// Requires are indexes of the entries that the package requires.
	Requires []int
	// Wants are the specifiers with which the project's own packages require it.
	Wants []string

	requires []string // identities
	wants    []want   // requirements of one of the project's own packages
}

// want is a requirement of one of the project's own packages.
type want struct {
	identity   string
	name, spec string // as in package.json
}

// Platforms are the names of systems, processors and C libraries in a package.json. "!" before a
// name excludes it and includes all others. An empty list includes all.
type Platforms struct {
	OS, CPU, Libc []string
}

// Include reports whether a package for these platforms is used on one of them.
func (p *Platforms) Include(system, cpu, libc string) bool {
	fits := func(list []string, name string) bool {
		if len(list) == 0 || name == "" {
			return true
		}
		negative := false
		for _, item := range list {
			if not, ok := strings.CutPrefix(item, "!"); !ok {
				if item == name || item == "any" {
					return true
				}
			} else if negative = true; not == name {
				return false
			}
		}
		return negative
	}
	return fits(p.OS, system) && fits(p.CPU, cpu) && fits(p.Libc, libc)
}

// identity returns a string that identifies a package in a lock file. Entries with equal identities
// are the same package, even if they are in several places.
func (d *Dependency) identity(name string) string {
	switch {
	case d.Dir != "":
		return "dir:" + path.Clean(d.Dir)
	case d.Foreign != "":
		return cmp.Or(d.Alias, name) + "@" + d.Foreign
	}
	return cmp.Or(d.Alias, name) + "@" + d.Version
}

// maxEntries is the maximum number of packages in a project.
const maxEntries = 100_000

// entrySet merges entries with equal identities.
type entrySet struct {
	all   []Entry
	index map[string]int
}

func (s *entrySet) add(e Entry) {
	id := e.identity(e.Name)
	e.addAliases(e.Name)
	if i, ok := s.index[id]; ok {
		entry := &s.all[i]
		entry.addAliases(e.Aliases...)
		entry.requires = append(entry.requires, e.requires...)
		entry.Place = cmp.Or(entry.Place, e.Place)
		return
	}
	if len(s.all) < maxEntries {
		s.index[id] = len(s.all)
		s.all = append(s.all, e)
	}
}

// Entries returns the project's own packages and each version of the packages in its lock file,
// with their requirements. If there is no lock file, it uses the record in node_modules, or else
// only the requirements in the manifests. It stops early when ctx is done.
func (p *Project) Entries(ctx context.Context) ([]Entry, error) {
	lk, file := p.lock, filepath.Base(p.LockFile)
	if lk == nil {
		file = "node_modules/.package-lock.json"
		if data, err := project.ReadFile(filepath.Join(p.Root, file), maxLock); err == nil {
			lk, _ = parsePackageLock(ctx, data) // Without a lock file, only the manifests are known.
		}
	}
	s := &entrySet{index: map[string]int{}}
	for dir, m := range p.memberManifests() {
		s.add(p.memberEntry(dir, m, lk))
	}
	members := len(s.all)
	if lk != nil {
		if err := lk.each(ctx, func(e Entry) {
			if ValidName(e.Published()) || e.Dir != "" {
				e.By = file
				s.add(e)
			}
		}); err != nil {
			return nil, err
		}
	}
	for i := range members {
		s.requireUnlocked(p, i)
	}
	for i := range s.all {
		e := &s.all[i]
		for _, id := range e.requires {
			if to, ok := s.index[id]; ok {
				e.Requires = append(e.Requires, to)
			}
		}
		if e.Dir != "" {
			e.Dir = filepath.Join(p.Root, filepath.FromSlash(path.Clean(e.Dir)))
		}
		e.Direct = false
	}
	for i := range members {
		for _, w := range s.all[i].wants {
			if to, ok := s.index[w.identity]; ok {
				s.all[to].require(w.name, w.spec)
			}
		}
	}
	return s.all, ctx.Err()
}

// LockedVersion returns the entry of the given version of a package, wherever it is in
// the lock file. ok is false if there is none.
func (p *Project) LockedVersion(ctx context.Context, name, version string) (found Entry, ok bool) {
	if p.lock == nil {
		return Entry{}, false
	}
	err := p.lock.each(ctx, func(e Entry) {
		if e.Published() == name && e.Version == version && e.Foreign == "" && e.Dir == "" && (!ok || found.Place == "") {
			found, ok = e, true
			found.By = filepath.Base(p.LockFile)
		}
	})
	return found, ok && err == nil
}

// memberManifests returns the manifests of the project's own packages by directory
// relative to the lock file.
func (p *Project) memberManifests() map[string]*Manifest {
	all := map[string]*Manifest{".": p.rootManifest()}
	for _, dir := range p.Members() {
		rel, err := filepath.Rel(p.Root, dir)
		if err != nil {
			continue
		}
		if m, err := ReadManifest(filepath.Join(dir, "package.json")); err == nil {
			all[filepath.ToSlash(rel)] = m
		}
	}
	return all
}

// require records that one of the project's own packages requires the entry.
func (e *Entry) require(name, spec string) {
	e.Direct = true
	if spec != "" && !slices.Contains(e.Wants, spec) {
		e.Wants = append(e.Wants, spec)
	}
	e.addAliases(name)
}

// addAliases adds names that differ from the published one.
func (e *Entry) addAliases(names ...string) {
	for _, name := range names {
		if name != e.Published() && !e.Member && e.Dir == "" && !slices.Contains(e.Aliases, name) {
			e.Aliases = append(e.Aliases, name)
		}
	}
}

// memberEntry returns the entry of one of the project's own packages.
func (p *Project) memberEntry(dir string, m *Manifest, lk lock) Entry {
	e := Entry{Member: true}
	e.Name, e.Dir, e.By = m.Name, dir, "package.json"
	if dir != "." {
		e.By = dir + "/package.json"
	}
	if e.Name == "" {
		e.Name = filepath.Base(filepath.Join(p.Root, dir))
	}
	if lk == nil {
		return e
	}
	for _, names := range m.kinds() {
		for name, spec := range names {
			spec = p.plain(name, spec)
			if forced, ok := p.rootManifest().Resolutions[name]; ok {
				spec = forced
			}
			d, ok := lk.find(dir, name, spec)
			if !ok {
				continue
			}
			if member, ok := p.Members()[name]; ok && ParseSpec(spec).Kind == Workspace {
				if rel, err := filepath.Rel(p.Root, member); err == nil {
					d.Dir = filepath.ToSlash(rel)
				}
			}
			e.requires = append(e.requires, d.identity(name))
			e.wants = append(e.wants, want{d.identity(name), name, spec})
		}
	}
	return e
}

// peers is the index of the peer dependencies in the result of kinds. They may have to be provided
// by other packages.
const peers = 3

// kinds returns the specifiers of a manifest by kind.
func (m *Manifest) kinds() []map[string]string {
	return []map[string]string{m.Dependencies, m.Dev, m.Optional, m.Peer}
}

// requireUnlocked adds the packages that member i requires but no lock file contains, with the
// installed versions.
func (s *entrySet) requireUnlocked(p *Project, i int) {
	dir := filepath.Join(p.Root, filepath.FromSlash(s.all[i].Dir))
	m, by := p.rootManifest(), s.all[i].By
	if s.all[i].Dir != "." {
		var err error
		if m, err = ReadManifest(filepath.Join(dir, "package.json")); err != nil {
			return
		}
	}
	known := map[string]bool{}
	for _, w := range s.all[i].wants {
		if _, ok := s.index[w.identity]; ok {
			known[w.name] = true
		}
	}
	for k, names := range m.kinds() {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if known[name] || !ValidName(name) || k == peers && !project.IsFile(filepath.Join(dir, "node_modules", filepath.FromSlash(name), "package.json")) {
				continue
			}
			e := Entry{}
			spec := ParseSpec(p.plain(name, names[name]))
			e.Name, e.By = name, by
			if member, ok := p.Members()[name]; ok {
				if rel, err := filepath.Rel(p.Root, member); err == nil {
					e.Dir = filepath.ToSlash(rel)
				}
			} else {
				switch e.Alias = spec.Name; {
				case spec.Kind == Foreign, spec.Kind == Local && isTarball(spec.Range):
					e.Foreign = spec.Range
				case spec.Kind == Local:
					e.Dir = path.Join(s.all[i].Dir, spec.Range)
				}
				for _, up := range project.Upwards(dir) {
					place := filepath.Join(up, "node_modules", filepath.FromSlash(name))
					if installed, err := ReadManifest(filepath.Join(place, "package.json")); err == nil {
						e.Version = installed.Version
						break
					}
					if up == p.Root {
						break
					}
				}
			}
			s.add(e)
			s.all[i].requires = append(s.all[i].requires, e.identity(name))
			s.all[i].wants = append(s.all[i].wants, want{e.identity(name), name, p.plain(name, names[name])})
		}
	}
}
