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

// Project is a directory with a package.json, its own or that of a directory
// above it, and what surrounds it.
type Project struct {
	// Dir is the directory of the nearest package.json; without one, that of
	// the nearest node_modules. It is absolute.
	Dir string
	// Root is the directory of the workspace or lock file; Dir if there is
	// neither.
	Root     string
	Manifest *Manifest
	// LockFile is its path, empty without one. Problem says why it cannot be
	// read.
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

// lock is a lock file that was read. It is safe for concurrent use.
type lock interface {
	// find returns what the importer, a directory relative to the lock file's
	// ("." or "packages/app"), uses under a name. spec is how its package.json
	// asks for it, empty if it does not.
	find(importer, name, spec string) (Dependency, bool)
	// knows tells whether the directory is one of the lock file's own packages.
	knows(importer string) bool
}

// lockFiles in the order in which they are believed, if nothing else tells.
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

// Files names the files that choose a project's versions, relative to its
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
	maxLock = 128 << 20
	maxUp   = 64 // directories above a project
)

// Find reads the project that dir, which is absolute, belongs to. It returns
// project.ErrNone if there is none, and stops reading when ctx is done.
func (l *Loader) Find(ctx context.Context, dir string) (*Project, error) {
	p := &Project{Manifest: &Manifest{}}
	if file := project.FindUp(dir, "package.json"); file != "" {
		p.Dir = filepath.Dir(file)
		m, err := ReadManifest(file)
		if err != nil {
			p.Problem = "package.json of " + p.Dir + " cannot be read: " + quote.Error(err).Error()
		} else {
			p.Manifest = m
		}
	} else {
		for at := dir; p.Dir == ""; at = filepath.Dir(at) {
			if info, err := os.Stat(filepath.Join(at, "node_modules")); err == nil && info.IsDir() {
				p.Dir = at
			} else if at == filepath.Dir(at) {
				return nil, project.ErrNone
			}
		}
	}
	p.Root = p.Dir
	at := p.Dir
	for range maxUp {
		adopted, err := l.adopt(ctx, p, at)
		if err != nil {
			return nil, err
		}
		if adopted {
			break
		}
		if at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	return p, nil
}

// adopt takes the lock file or workspace at a directory for the project's own,
// if it is. An error is that of ctx.
func (l *Loader) adopt(ctx context.Context, p *Project, at string) (bool, error) {
	rel, err := filepath.Rel(at, p.Dir)
	if err != nil {
		return false, nil //nolint:nilerr // on another volume
	}
	rel = filepath.ToSlash(rel)
	member := rel == "." || isMember(patternsOf(ctx, at), rel)
	choice := -1
	manager := p.Manifest.Manager
	if rel != "." {
		if m, err := ReadManifest(filepath.Join(at, "package.json")); err == nil {
			manager = m.Manager
		}
	}
	for i, f := range lockFiles {
		if exists(filepath.Join(at, f.name)) && (choice < 0 || strings.HasPrefix(manager, f.manager+"@") && lockFiles[choice].manager != f.manager) {
			choice = i
		}
	}
	if choice < 0 {
		if member && rel != "." {
			p.Root = at
			return true, ctx.Err()
		}
		return false, ctx.Err()
	}
	file := filepath.Join(at, lockFiles[choice].name)
	lk, err := l.load(ctx, file, lockFiles[choice].parse)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		if member {
			p.Root, p.LockFile = at, file
			p.Problem = lockFiles[choice].name + " of " + at + " cannot be read: " + quote.Error(err).Error()
		}
		return member, nil
	}
	if !member && !lk.knows(rel) {
		return false, nil
	}
	p.Root, p.LockFile, p.lock = at, file, lk
	return true, nil
}

// importer is the key of the project's directory in its lock file.
func (p *Project) importer() string {
	rel, err := filepath.Rel(p.Root, p.Dir)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// Name is how answers call the project: its name, or that of its directory.
func (p *Project) Name() string {
	if p.Manifest.Name != "" {
		return p.Manifest.Name
	}
	return filepath.Base(p.Dir)
}

// Members are the directories of the workspace's packages, by name.
func (p *Project) Members() map[string]string {
	p.membersOnce.Do(func() { p.members = members(p.Root) })
	return p.members
}

// rootManifest is the package.json of the workspace's root.
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

// Wants is the specifier under which the project, or the root of its
// workspace, asks for a package.
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

// Locked is what the lock file chose for a name.
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
		// The readers give directories relative to the lock file.
		d.Dir = filepath.Join(p.Root, filepath.FromSlash(path.Clean(d.Dir)))
	}
	return d, true
}

// Loader keeps lock files that were read until they change. The zero Loader is
// ready and safe for concurrent use.
type Loader struct {
	mu   sync.Mutex
	kept map[string]keptLock
}

type keptLock struct {
	stamp project.Stamp
	lock  lock
}

// maxKept bounds how many lock files are kept; a server sees a handful.
const maxKept = 16

func (l *Loader) load(ctx context.Context, file string, parse func(context.Context, []byte) (lock, error)) (lock, error) {
	stamp := project.StampOf(file)
	l.mu.Lock()
	known, ok := l.kept[file]
	l.mu.Unlock()
	if ok && known.stamp == stamp {
		return known.lock, nil
	}
	data, err := project.ReadFile(file, maxLock)
	if err != nil {
		return nil, err
	}
	lk, err := parse(ctx, data)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil || len(l.kept) >= maxKept {
		l.kept = map[string]keptLock{}
	}
	l.kept[file] = keptLock{stamp, lk}
	return lk, nil
}
