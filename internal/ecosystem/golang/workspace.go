package golang

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// ownPackage finds the package if it is one of the project's own. It returns nil
// if it is not.
func (f *finder) ownPackage(context.Context) (*godoc.Source, error) {
	if f.project == nil || f.ask.version != "" {
		return nil, nil
	}
	m, rel, ok := f.project.Owner(f.ask.path)
	if !ok {
		return nil, nil
	}
	src := ownSource(m.Path, m.Dir, rel)
	src.Provenance.ChosenBy = "the project itself, " + f.project.Name()
	if hasGoFiles(src.FS, rel) {
		return src, nil
	}
	f.lack(src)
	return nil, nil
}

// directory finds the package in the directory given by the query.
func (f *finder) directory() (*godoc.Source, error) {
	dir := f.ask.dir
	if project.IsFile(dir) {
		dir = filepath.Dir(dir)
	}
	m, rel, ok := f.project.OwnerOfDir(dir)
	if !ok {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s is not in any module of %s", dir, f.project.Name()).
			WithNext("specify a directory in one of the modules that go.work uses")
	}
	src := ownSource(m.Path, m.Dir, rel)
	src.Provenance.ChosenBy = "the project itself, " + f.project.Name()
	if !hasGoFiles(src.FS, rel) {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s does not contain any Go files", dir).
			WithNear(packagesBelow(src, maxNear)...).
			WithNext("specify a directory that contains a package")
	}
	return src, nil
}

// inDirectory opens the package in a directory that replaces its module. It returns nil if the
// directory does not contain the package, and an error if there is no such directory.
func (f *finder) inDirectory(s gomod.Selection) (*godoc.Source, error) {
	if !project.IsDir(s.Dir()) {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "there is no directory %s, which replaces %s: %s", s.Dir(), s.Path, s.By).
			WithNext("check out the directory, or correct the replace directive")
	}
	rel := relativeTo(s.Path, f.ask.path)
	src := ownSource(s.Path, s.Dir(), rel)
	src.Provenance.ChosenBy = s.By
	if !hasGoFiles(src.FS, rel) {
		f.lack(src)
		return nil, nil
	}
	f.adviseFork(s.Path, s.Actual, s.By)
	return src, nil
}

// ownSource returns a Source for a module in a local directory.
func ownSource(modulePath, dir, rel string) *godoc.Source {
	return &godoc.Source{
		ImportPath: path.Join(modulePath, rel),
		Module:     modulePath,
		FS: &dirFS{openTree(dir), func(sub string) bool {
			return path.Base(sub) == "vendor" || project.IsFile(filepath.Join(dir, filepath.FromSlash(sub), "go.mod"))
		}},
		Dir: rel,
		Own: true,
		Provenance: apidoc.Provenance{
			Source:   "workspace",
			Location: filepath.Join(dir, filepath.FromSlash(rel)),
		},
	}
}

// relativeTo returns the directory of a package in its module.
func relativeTo(modulePath, importPath string) string {
	if rel := strings.TrimPrefix(strings.TrimPrefix(importPath, modulePath), "/"); rel != "" {
		return rel
	}
	return "."
}

// dirFS is a module in a directory that may also contain other modules, whose
// files it hides.
type dirFS struct {
	fs.FS
	hidden func(dir string) bool // hidden is called for directories below the root
}

var (
	_ fs.ReadDirFS  = (*dirFS)(nil)
	_ fs.ReadFileFS = (*dirFS)(nil)
	_ fs.StatFS     = (*dirFS)(nil)
)

func (d *dirFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(d.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && d.hidden(path.Join(name, e.Name()))
	}), err
}

func (d *dirFS) ReadFile(name string) ([]byte, error) { return fs.ReadFile(d.FS, name) }

func (d *dirFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(d.FS, name) }

// owns reports whether a directory belongs to the module.
func (d *dirFS) owns(dir string) bool {
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		if d.hidden(dir) {
			return false
		}
	}
	return true
}
