// Package gomod reads the dependencies of a Go project in the same way as the
// go command: from go.work, go.mod, go.sum and vendor/modules.txt, and from
// go.mod files in the module cache.
package gomod

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// Options are the settings of the go command that affect a project's versions.
type Options struct {
	GOWORK   string // "" looks for go.work upwards, "off" uses none
	ModFlag  string // -mod in GOFLAGS: "", "vendor", "mod", "readonly"
	ModFile  string // -modfile in GOFLAGS
	ModCache string // GOMODCACHE, for go.mod files of dependencies
}

// These are the maximum sizes of files, in bytes.
const (
	maxModFile = 16 << 20
	maxSumFile = 64 << 20
	maxMains   = 2000
)

// Root contains the paths of a project's main files.
type Root struct {
	WorkFile string // go.work, or "" if there is no workspace
	ModFile  string // go.mod of the module that contains dir, or "" in a workspace outside its modules
	// Outside is true if a go.work was found but does not use the module.
	Outside bool
}

// Find looks for the project that contains dir, an absolute path. It returns
// project.ErrNone if there is none.
func Find(dir string, o Options) (Root, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return Root{}, fmt.Errorf("the project directory %s cannot be opened: %w", dir, quote.Error(err))
	case !info.IsDir():
		dir = filepath.Dir(dir)
	}
	root := Root{ModFile: findMod(dir), WorkFile: o.GOWORK}
	switch o.GOWORK {
	case "":
		root.WorkFile = project.FindUp(dir, "go.work")
	case "off":
		root.WorkFile = ""
	}
	if root.ModFile == "" && root.WorkFile == "" {
		return Root{}, project.ErrNone
	}
	return root, nil
}

// findMod looks for a go.mod file. Like the go command, it ignores a go.mod in the directory for
// temporary files itself, because any user may have created it. It returns "" if there is none.
func findMod(dir string) string {
	path := project.FindUp(dir, "go.mod")
	if path != "" && filepath.Dir(path) == filepath.Clean(os.TempDir()) {
		return ""
	}
	return path
}

// Main is a module of the project itself.
type Main struct {
	Path string // module path
	Dir  string // absolute path
	file *modfile.File
}

// Project is a Go module or workspace. It is safe for concurrent use.
type Project struct {
	Root Root
	// Dir is the directory of go.work, or of go.mod if there is no workspace.
	Dir string
	// Mains are the project's own modules. The module from which the project was
	// found comes first.
	Mains []Main
	// Go and Toolchain are the go and toolchain lines, which determine the toolchain, such as
	// "1.26.0" and "go1.27.1". Either may be empty.
	Go, Toolchain string

	options  Options
	replaced map[module.Version]replacement // version "" means every version
	excluded map[module.Version]bool
	vendored vendored
	files    project.Files

	graphOnce sync.Once
	graph     graph
	partial   atomic.Bool // whether go.mod files that may appear later are missing from the graph
	sumsOnce  sync.Once
	sums      map[module.Version][]string
}

type replacement struct {
	new module.Version // Version is empty if Path is a directory, which is absolute
	by  string
}

// Load reads the project at root.
func Load(root Root, o Options) (*Project, error) {
	p := &Project{
		Root: root, options: o,
		replaced: map[module.Version]replacement{},
		excluded: map[module.Version]bool{},
	}
	if err := p.readMains(); err != nil {
		return nil, err
	}
	for i := range p.Mains {
		p.takeDirectives(&p.Mains[i])
	}
	for _, file := range p.sumFiles() {
		p.files.Add(file)
	}
	if err := p.readVendor(); err != nil {
		return nil, err
	}
	return p, nil
}

// Equal reports whether both projects were read from the same files and choose the same versions.
// Either may be nil.
func (p *Project) Equal(other *Project) bool {
	if p == other || p == nil || other == nil {
		return p == other
	}
	return p.Root == other.Root && p.options == other.options && p.files.Equal(&other.files) &&
		maps.Equal(p.loadGraph().selected, other.loadGraph().selected)
}

func (p *Project) readMains() error {
	if p.Root.WorkFile != "" {
		if used, err := p.readWork(); err != nil || used {
			return err
		}
		// The go command fails in this case. docent reads the module without the go.work, and
		// mentions that in answers.
		p.Mains, p.replaced, p.Root.WorkFile, p.Root.Outside = nil, map[module.Version]replacement{}, "", true
	}
	path := p.Root.ModFile
	if alt := p.options.ModFile; alt != "" {
		if !filepath.IsAbs(alt) {
			alt = filepath.Join(filepath.Dir(path), alt)
		}
		path = alt
	}
	m, err := p.readMain(path)
	if err != nil {
		return err
	}
	m.Dir = filepath.Dir(p.Root.ModFile)
	p.Dir, p.Mains = m.Dir, []Main{m}
	p.Go, p.Toolchain = goLine(m.file), toolchainLine(m.file.Toolchain)
	return nil
}

func (p *Project) readMain(path string) (Main, error) {
	p.files.Add(path)
	data, err := project.ReadFile(path, maxModFile)
	if err != nil {
		return Main{}, fmt.Errorf("%s cannot be read: %w", path, quote.Error(err))
	}
	f, err := modfile.Parse(path, data, keepVersion)
	if err != nil {
		return Main{}, fmt.Errorf("%s is not a valid go.mod: %w", path, quote.Error(firstError(err)))
	}
	if f.Module == nil || f.Module.Mod.Path == "" {
		return Main{}, fmt.Errorf("%s has no module line", path)
	}
	return Main{Path: f.Module.Mod.Path, Dir: filepath.Dir(path), file: f}, nil
}

// keepVersion also accepts other versions in a go.mod, such as branch names. The go command
// replaces these when it next writes the file.
func keepVersion(_, version string) (string, error) {
	if canonical := module.CanonicalVersion(version); canonical != "" {
		return canonical, nil
	}
	return version, nil
}

// firstError returns the first line of an error, because modfile reports every line that it cannot
// parse.
func firstError(err error) error {
	if line, _, more := strings.Cut(err.Error(), "\n"); more {
		return fmt.Errorf("%s", line)
	}
	return err
}

func goLine(f *modfile.File) string {
	if f.Go == nil {
		return ""
	}
	return f.Go.Version
}

func toolchainLine(t *modfile.Toolchain) string {
	if t == nil || t.Name == "default" {
		return ""
	}
	return t.Name
}

// takeDirectives adds the replace and exclude directives of one of the project's modules.
// Lines in go.work take precedence.
func (p *Project) takeDirectives(m *Main) {
	for _, r := range m.file.Replace {
		if old, ok := p.replaced[r.Old]; ok && old.by == p.Name() && p.Root.WorkFile != "" {
			continue
		}
		p.replaced[r.Old] = replacement{absolute(r.New, m.Dir), "replace in go.mod of " + m.Path}
	}
	for _, x := range m.file.Exclude {
		p.excluded[x.Mod] = true
	}
}

// absolute makes the directory of a replacement absolute.
func absolute(m module.Version, dir string) module.Version {
	if m.Version == "" && !filepath.IsAbs(m.Path) {
		m.Path = filepath.Join(dir, filepath.FromSlash(m.Path))
	}
	return m
}

// Name returns a name for the project's main file, such as "go.mod of example.com/app".
func (p *Project) Name() string {
	if p.Root.WorkFile != "" {
		return "go.work in " + p.Dir
	}
	name := "go.mod of " + p.Mains[0].Path
	if p.Root.Outside {
		name += ", which the go.work above it does not use"
	}
	return name
}

// Owner returns the project's own module that would contain an import path, and
// the path's directory relative to the module. ok is false if there is none.
func (p *Project) Owner(importPath string) (m Main, rel string, ok bool) {
	for _, main := range p.Mains {
		if within(importPath, main.Path) && (!ok || len(main.Path) > len(m.Path)) {
			m, ok = main, true
		}
	}
	if !ok {
		return Main{}, "", false
	}
	if rel = strings.TrimPrefix(strings.TrimPrefix(importPath, m.Path), "/"); rel == "" {
		rel = "."
	}
	return m, rel, true
}

// OwnerOfDir returns the project's own module that contains a directory, and the
// directory's path relative to the module, with forward slashes. ok is false if
// there is none.
func (p *Project) OwnerOfDir(dir string) (m Main, rel string, ok bool) {
	for _, main := range p.Mains {
		r, err := filepath.Rel(main.Dir, dir)
		if err == nil && filepath.IsLocal(r) && (!ok || len(main.Dir) > len(m.Dir)) {
			m, rel, ok = main, filepath.ToSlash(r), true
		}
	}
	return m, rel, ok
}

// within reports whether an import path is the path of a module or below it.
func within(importPath, modulePath string) bool {
	rest, ok := strings.CutPrefix(importPath, modulePath)
	return ok && (rest == "" || rest[0] == '/')
}

// replacementOf returns the replacement of a module version.
func (p *Project) replacementOf(m module.Version) (replacement, bool) {
	if r, ok := p.replaced[m]; ok {
		return r, true
	}
	r, ok := p.replaced[module.Version{Path: m.Path}]
	return r, ok
}

// pruned reports whether a go.mod file with this go line lists all modules that
// are needed.
func pruned(goVersion string) bool {
	return semver.Compare(languageVersion(goVersion), "v1.17") >= 0
}

// languageVersion converts versions such as "1.21rc2" and "1.26.0" to "v1.21" and "v1.26", which
// can be compared.
func languageVersion(v string) string {
	if v == "" {
		return "v1.16" // This is the go command's default for a go.mod without a go line.
	}
	parts := strings.SplitN(v, ".", 3)
	if len(parts) < 2 {
		return "v" + v
	}
	minor := parts[1]
	for i := 0; i < len(minor); i++ {
		if minor[i] < '0' || minor[i] > '9' {
			minor = minor[:i]
			break
		}
	}
	return "v" + parts[0] + "." + minor
}
