// Package pylock reads the packages that a Python project uses from
// pyproject.toml, setup.cfg, Pipfile, requirements files, workspaces, and the
// lock files of uv, Poetry, pdm, pipenv and PEP 751.
//
//	directory -> project         project.go, workspace.go
//	pyproject.toml, setup.cfg    manifest.go
//	Pipfile, Pipfile.lock        pipenv.go
//	requirements files           requirements.go
//	lock files in TOML           tomllocks.go
//	what a lock file chose       lock.go
//
// All input may be hostile, so sizes and depths are limited. Nothing is executed: Loader.Setup
// reads the literals of setup.py.
package pylock

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/quote"
)

// Dependency is the package that a project uses under one name.
type Dependency struct {
	project.Dependency
	// Package is the package's entry in the lock file.
	Package *Package
	// Note explains the choice if the lock file has several packages with that name.
	Note string
}

// Project is a directory with its manifest, which may be in a directory above it, and the lock
// file and workspace that apply to it.
type Project struct {
	// Dir is the directory of the nearest manifest or, without one, of the nearest
	// lock file or virtual environment. It is absolute.
	Dir string
	// Root is the directory of the workspace or lock file, or Dir if there is neither.
	Root     string
	Manifest *Manifest
	// RootManifest is the manifest of Root; it is Manifest if Root is Dir.
	RootManifest *Manifest
	// LockFile is the path of the lock file, or "" if there is none. Problem is the error that
	// occurred when reading a file, if any.
	LockFile string
	Problem  string

	lock        *Lock
	membersOnce sync.Once
	members     map[string]string
}

// lockFiles are the names of lock files in the order of preference, for projects whose settings do
// not specify their tool.
var lockFiles = []struct {
	name, tool string
	parse      func(context.Context, []byte) (*Lock, error)
}{
	{"uv.lock", "uv", parseUV},
	{"poetry.lock", "poetry", parsePoetry},
	{"pdm.lock", "pdm", parsePDM},
	{"Pipfile.lock", "pipenv", parsePipenv},
	{"pylock.toml", "", parsePylock},
}

// Manifests returns the files that make a directory a project.
func Manifests() []string {
	return []string{"pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "requirements.txt"}
}

// requirementFiles are the usual names of requirements files, in the order of
// preference.
var requirementFiles = []string{
	"requirements.txt", "requirements.lock", "requirements/base.txt", "requirements/requirements.txt", "requirements/prod.txt", "requirements/production.txt",
	"requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt", "requirements-test.txt", "test-requirements.txt",
	"requirements/dev.txt", "requirements/development.txt", "requirements/test.txt", "constraints.txt",
}

// Files returns the files that choose a project's versions, relative to its
// directory or one above it.
func Files() []string {
	names := append([]string{"pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "uv.toml", ".python-version", "pip.conf"}, requirementFiles...)
	for _, l := range lockFiles {
		names = append(names, l.name)
	}
	for _, venv := range []string{".venv", "venv"} {
		names = append(names, venv+"/pyvenv.cfg")
	}
	return names
}

const (
	maxLock     = 128 << 20 // maximum size in bytes of a lock file
	maxManifest = 4 << 20   // maximum size in bytes of pyproject.toml and similar files
)

// Find reads the project that contains dir, which is absolute. It returns
// project.ErrNone if there is none, and stops when ctx is done.
func (l *Loader) Find(ctx context.Context, dir string, env environ.Env) (*Project, error) {
	p := &Project{}
	for _, up := range project.Upwards(dir) {
		if up == env.Home() && up != dir {
			break // files in the home directory do not apply to the projects below it
		}
		if isProject(up) {
			p.Dir = up
			break
		}
	}
	if p.Dir == "" {
		return nil, project.ErrNone
	}
	var reqs *requirements
	p.Manifest, reqs, p.Problem = l.readManifest(p.Dir, env)
	p.Root, p.RootManifest = p.Dir, p.Manifest
	for _, up := range project.Upwards(p.Dir) {
		adopted, err := l.adopt(ctx, p, up, env)
		if err != nil {
			return nil, err
		}
		if adopted {
			break
		}
	}
	if p.lock == nil && p.LockFile == "" && reqs != nil {
		if p.lock = reqs.lock(); p.lock != nil {
			p.LockFile = reqs.file()
		}
	}
	return p, ctx.Err()
}

func isProject(dir string) bool {
	names := Manifests()
	for _, l := range lockFiles {
		names = append(names, l.name)
	}
	for _, venv := range []string{".venv", "venv"} {
		names = append(names, filepath.Join(venv, "pyvenv.cfg"))
	}
	return slices.ContainsFunc(names, func(name string) bool { return project.IsFile(filepath.Join(dir, name)) })
}

// adopt uses the lock file or workspace in the given directory if the project belongs to it.
// It returns an error only if ctx is done.
func (l *Loader) adopt(ctx context.Context, p *Project, dir string, env environ.Env) (bool, error) {
	rel, err := filepath.Rel(dir, p.Dir)
	if err != nil {
		return false, nil //nolint:nilerr // on another volume
	}
	rel = filepath.ToSlash(rel)
	manifest := p.Manifest
	member := rel == "."
	if !member {
		if !project.IsFile(filepath.Join(dir, "pyproject.toml")) {
			return false, ctx.Err()
		}
		manifest, _, _ = l.readManifest(dir, env)
		member = manifest.hasMember(rel)
	}
	choice := -1
	for i, f := range lockFiles {
		// Only uv locks several projects in one file.
		if project.IsFile(filepath.Join(dir, f.name)) && (rel == "." || f.tool == "uv") && (choice < 0 || f.tool != "" && f.tool == manifest.Tool) {
			choice = i
		}
	}
	if choice < 0 {
		if member && rel != "." {
			p.Root, p.RootManifest = dir, manifest
			return true, ctx.Err()
		}
		return false, ctx.Err()
	}
	file := filepath.Join(dir, lockFiles[choice].name)
	lock, err := l.locks.Read(file, maxLock, func(data []byte) (*Lock, error) { return lockFiles[choice].parse(ctx, data) })
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		if member {
			p.Root, p.RootManifest, p.LockFile = dir, manifest, file
			p.Problem = lockFiles[choice].name + " of " + dir + " cannot be read: " + quote.Error(err).Error()
		}
		return member, nil
	}
	if !member && lock.roots[rel] == nil {
		return false, nil
	}
	p.Root, p.RootManifest, p.LockFile, p.lock = dir, manifest, file, lock
	return true, nil
}

// readManifest reads the requirements in the files of a directory. reqs contains the
// directory's requirements files, or is nil if there are none. problem is the first error in
// words, or "" if there is none.
func (l *Loader) readManifest(dir string, env environ.Env) (m *Manifest, reqs *requirements, problem string) {
	m = &Manifest{}
	parse := func(name string, parse func([]byte) error) {
		data, err := project.ReadFile(filepath.Join(dir, name), maxManifest)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			err = parse(data)
		}
		if err != nil && problem == "" {
			problem = name + " of " + dir + " cannot be read: " + quote.Error(err).Error()
		}
	}
	parse("pyproject.toml", m.parsePyproject)
	parse("setup.cfg", func(data []byte) error { m.parseSetupCfg(data); return nil })
	if l.Setup != nil {
		parse("setup.py", func(data []byte) error { m.addSetup(l.Setup(data)); return nil })
	}
	parse("Pipfile", m.parsePipfile)
	for _, name := range requirementFiles {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if !project.IsFile(file) {
			continue
		}
		if reqs == nil {
			reqs = readRequirements(file, env)
		} else {
			reqs.include(file, strings.HasPrefix(name, "constraints"))
		}
	}
	if reqs == nil {
		return m, nil, problem
	}
	hasRequirements := len(m.Groups()) > 0 // If hasRequirements is true, requirements files are generated from the manifest.
	for _, line := range reqs.lines {
		if !line.constraint && !hasRequirements {
			m.add("", line.Requirement)
		}
	}
	m.Indexes = append(m.Indexes, reqs.indexes...)
	m.FindLinks, m.NoIndex = append(m.FindLinks, reqs.links...), m.NoIndex || reqs.noIndex
	if problem == "" && reqs.problem != "" {
		problem = reqs.problem + " in " + dir
	}
	return m, reqs, problem
}

// file returns the name of the file that represents all requirements files.
func (r *requirements) file() string {
	for _, line := range r.lines {
		if _, exact := line.Specifiers.Exact(); exact {
			return line.file
		}
	}
	return "requirements.txt"
}

// Name returns the project's name, or else the name of its directory.
func (p *Project) Name() string {
	if p.Manifest.Name != "" {
		return p.Manifest.Name
	}
	return filepath.Base(p.Dir)
}

// LockName returns the base name of the lock file, or "" without one.
func (p *Project) LockName() string {
	if p.LockFile == "" {
		return ""
	}
	return filepath.Base(p.LockFile)
}

// Locked returns the version of the named package that is locked for the given environment. It
// returns false if there is none.
func (p *Project) Locked(name string, e pep508.Environment) (Dependency, bool) {
	if p.lock == nil {
		return Dependency{}, false
	}
	name = pep508.Normalize(name)
	from, err := filepath.Rel(p.Root, p.Dir)
	if err != nil {
		from = "."
	}
	wants := p.Wants(name)
	pkg, note, ok := p.lock.find(name, filepath.ToSlash(from), e, wants)
	if !ok {
		return Dependency{}, false
	}
	d := Dependency{Package: pkg, Note: note}
	d.Name, d.Version, d.Direct, d.By = pkg.Name, pkg.Version, len(wants) > 0, p.LockName()
	if pkg.Dir != "" {
		d.Dir = filepath.FromSlash(pkg.Dir)
		if !filepath.IsAbs(d.Dir) {
			d.Dir = filepath.Join(p.Root, d.Dir)
		}
	}
	return d, true
}

// LockedNames returns the normalized names in the lock file, sorted.
func (p *Project) LockedNames() []string {
	if p.lock == nil {
		return nil
	}
	return p.lock.names()
}

// Wants returns the requirements that the project and the root of its workspace have for a
// package.
func (p *Project) Wants(name string) []pep508.Requirement {
	if wants := p.Manifest.Wants(name); len(wants) > 0 || p.RootManifest == p.Manifest {
		return wants
	}
	return p.RootManifest.Wants(name)
}

// SourcesOf returns the sources that replace the indexes for a package, and the
// directory to which their paths are relative.
func (p *Project) SourcesOf(name string) (sources []Source, dir string) {
	if s := p.Manifest.SourcesOf(name); s != nil || p.RootManifest == p.Manifest {
		return s, p.Dir
	}
	return p.RootManifest.SourcesOf(name), p.Root
}

// Members returns the directories of the packages of the workspace by normalized
// name. They include the project itself and its path dependencies.
func (p *Project) Members() map[string]string {
	p.membersOnce.Do(func() {
		p.members = p.RootManifest.findMembers(p.Root)
		if p.Manifest.Name != "" {
			p.members[pep508.Normalize(p.Manifest.Name)] = p.Dir
		}
		if p.lock == nil {
			return
		}
		for dir, pkg := range p.lock.roots {
			if dir = path.Clean(dir); !strings.HasPrefix(dir, "../../..") {
				p.members[pep508.Normalize(pkg.Name)] = filepath.Join(p.Root, filepath.FromSlash(dir))
			}
		}
	})
	return p.members
}

// Loader caches parsed lock files until they change. The zero Loader is ready and
// safe for concurrent use.
type Loader struct {
	// Setup reads the literals of a setup.py; if nil, setup.py is not read.
	Setup func(data []byte) Setup

	locks project.FileCache[*Lock]
}

// Setup holds the literals of a setup.py.
type Setup struct {
	Name, Version  string
	RequiresPython string
	Requires       []string
	Extras         map[string][]string
}
