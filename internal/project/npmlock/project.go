package npmlock

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// Project is a directory that has a package.json or is below one, with its
// workspace and lock file.
type Project struct {
	// Dir is the directory of the nearest package.json or, without one, of the
	// nearest node_modules. It is absolute.
	Dir string
	// Root is the directory of the workspace or lock file, or Dir if there is neither.
	Root     string
	Manifest *Manifest
	// LockFile is the path of the lock file, or "" if there is none. Problem is the error
	// that occurred when reading it.
	LockFile string
	Problem  string

	lock        lock
	rootOnce    sync.Once
	rootMade    *Manifest
	membersOnce sync.Once
	members     map[string]string

	catalogsOnce sync.Once
	catalogs     catalogs
}

// lock is a parsed lock file. It is safe for concurrent use.
type lock interface {
	// find returns the package that a name refers to in importer, a directory relative to the lock
	// file's directory, such as "." or "packages/app". spec is the specifier in its package.json,
	// or "" if there is none.
	find(importer, name, spec string) (Dependency, bool)
	// knows reports whether the directory contains one of the project's own packages
	// according to the lock file.
	knows(importer string) bool
	// each calls add with each package, except the project's own. It may pass an entry several
	// times. It returns an error only if ctx is done.
	each(ctx context.Context, add func(Entry)) error
}

// lockFiles are the names of lock files in order of precedence, used if
// packageManager does not determine one.
var lockFiles = []struct {
	name, manager string
	parse         func(context.Context, []byte) (lock, error)
}{
	{"npm-shrinkwrap.json", "npm", parsePackageLock},
	{"package-lock.json", "npm", parsePackageLock},
	{"pnpm-lock.yaml", "pnpm", parsePnpm},
	{"yarn.lock", "yarn", parseYarn},
	{"bun.lock", "bun", parseBun},
	{"bun.lockb", "bun", refuseOldBun},
}

// Files returns the files that choose a project's versions, relative to its
// directory or one above it.
func Files() []string {
	names := []string{
		"package.json", "pnpm-workspace.yaml", ".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml",
		"node_modules/.package-lock.json", "node_modules/.modules.yaml", "node_modules/.yarn-integrity", "node_modules/.yarn-state.yml",
	}
	for _, l := range lockFiles {
		names = append(names, l.name)
	}
	return names
}

const (
	maxLock = 128 << 20 // maximum size in bytes of a lock file
	maxUp   = 64        // maximum number of directories above a project that are searched
)

// Find reads the project that contains dir, which is absolute. It returns
// project.ErrNone if there is none, and stops when ctx is done.
func (l *Loader) Find(ctx context.Context, dir string) (*Project, error) {
	p := &Project{Manifest: &Manifest{}}
	if file := project.FindUp(dir, "package.json"); file != "" {
		p.Dir = filepath.Dir(file)
		if m, err := ReadManifest(file); err != nil {
			p.Problem = "package.json of " + p.Dir + " cannot be read: " + quote.Error(err).Error()
		} else {
			p.Manifest = m
		}
	} else {
		for up := dir; p.Dir == ""; up = filepath.Dir(up) {
			if info, err := os.Stat(filepath.Join(up, "node_modules")); err == nil && info.IsDir() {
				p.Dir = up
			} else if up == filepath.Dir(up) {
				return nil, project.ErrNone
			}
		}
	}
	p.Root = p.Dir
	up := p.Dir
	for range maxUp {
		adopted, err := l.adopt(ctx, p, up)
		if err != nil {
			return nil, err
		}
		if adopted || up == filepath.Dir(up) {
			break
		}
		up = filepath.Dir(up)
	}
	return p, nil
}

// adopt uses the lock file or workspace in root if the project belongs to it. It returns an error
// only if ctx is done.
func (l *Loader) adopt(ctx context.Context, p *Project, root string) (bool, error) {
	rel, err := filepath.Rel(root, p.Dir)
	if err != nil {
		return false, nil //nolint:nilerr // on another volume
	}
	rel = filepath.ToSlash(rel)
	member := rel == "." || isMember(patternsOf(ctx, root), rel)
	choice := -1
	manager := p.Manifest.Manager
	if rel != "." {
		if m, err := ReadManifest(filepath.Join(root, "package.json")); err == nil {
			manager = m.Manager
		}
	}
	for i, f := range lockFiles {
		if project.Exists(filepath.Join(root, f.name)) && (choice < 0 || strings.HasPrefix(manager, f.manager+"@") && lockFiles[choice].manager != f.manager) {
			choice = i
		}
	}
	if choice < 0 {
		if member && rel != "." {
			p.Root = root
			return true, ctx.Err()
		}
		return false, ctx.Err()
	}
	file := filepath.Join(root, lockFiles[choice].name)
	lk, err := l.locks.Read(file, maxLock, func(data []byte) (lock, error) { return lockFiles[choice].parse(ctx, data) })
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		if member {
			p.Root, p.LockFile = root, file
			p.Problem = lockFiles[choice].name + " of " + root + " cannot be read: " + quote.Error(err).Error()
		}
		return member, nil
	}
	if !member && !lk.knows(rel) {
		return false, nil
	}
	p.Root, p.LockFile, p.lock = root, file, lk
	return true, nil
}

// importer returns the key of the project's directory in its lock file.
func (p *Project) importer() string {
	rel, err := filepath.Rel(p.Root, p.Dir)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// Name returns the project's name, or else the name of its
// directory.
func (p *Project) Name() string {
	if p.Manifest.Name != "" {
		return p.Manifest.Name
	}
	return filepath.Base(p.Dir)
}

// Members returns the directories of the workspace's packages, by name.
func (p *Project) Members() map[string]string {
	p.membersOnce.Do(func() { p.members = members(p.Root) })
	return p.members
}

// rootManifest returns the package.json of the workspace's root.
func (p *Project) rootManifest() *Manifest {
	p.rootOnce.Do(func() {
		p.rootMade = p.Manifest
		if p.Root != p.Dir {
			if m, err := ReadManifest(filepath.Join(p.Root, "package.json")); err == nil {
				p.rootMade = m
			}
		}
	})
	return p.rootMade
}

// Wants returns the specifier that the project, or the root of its workspace, uses to require a
// package. by is the file that contains it. Both results are empty if neither requires the package.
func (p *Project) Wants(name string) (spec, by string) {
	if spec, kind := p.Manifest.Wants(name); kind != "" {
		return p.plain(name, spec), "package.json of " + p.Name()
	}
	if p.Root != p.Dir {
		if spec, kind := p.rootManifest().Wants(name); kind != "" {
			return p.plain(name, spec), "package.json of the workspace"
		}
	}
	return "", ""
}

// Locked returns the version of a package that the lock file specifies. It returns
// false if there is none.
func (p *Project) Locked(name string) (Dependency, bool) {
	if p.lock == nil {
		return Dependency{}, false
	}
	importer := p.importer()
	spec, kind := p.Manifest.Wants(name)
	direct := kind != ""
	if !direct && p.Root != p.Dir {
		if rootSpec, kind := p.rootManifest().Wants(name); kind != "" {
			importer, spec, direct = ".", rootSpec, true
		}
	}
	if forced, ok := p.rootManifest().Resolutions[name]; ok {
		spec = forced
	}
	d, ok := p.lock.find(importer, name, p.plain(name, spec))
	if !ok {
		return Dependency{}, false
	}
	d.Name, d.Direct, d.By = name, direct, filepath.Base(p.LockFile)
	if d.Alias == name {
		d.Alias = ""
	}
	if d.Dir != "" {
		// The readers return directories relative to the lock file.
		d.Dir = filepath.Join(p.Root, filepath.FromSlash(path.Clean(d.Dir)))
	}
	return d, true
}

// Loader caches lock files until they change. The zero Loader is ready and safe
// for concurrent use.
type Loader struct {
	locks project.FileCache[lock]
}
