package python

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
)

// located is a module that was found. If it comes from an index, open opens its file when the
// module is read. Until then, source and metadata are not set.
type located struct {
	dist      string // name of the distribution; empty for the standard library and for code of the project
	version   string
	module    string // import name
	source    *modules.Source
	meta      *metadata
	docs      fs.FS  // directory of README, docs and examples; nil if there is none
	sdist     *offer // source distribution whose docs and examples are shown for a wheel; nil if there is none
	inProject bool   // whether it is part of the user's project
	stdlib    bool
	key       string // identifies the content of its file
	open      func(context.Context, *located) error

	deprecated string
	provenance apidoc.Provenance
}

func (l *located) chosen(by string) *located {
	l.provenance.ChosenBy = by
	return l
}

// tree is a directory of modules.
type tree struct {
	dir   string
	files *fingerprint.Tree
}

// maxTrees is the maximum number of directories that one query may open.
const maxTrees = 400

var errTrees = errors.New("too many package directories are open")

// tree opens a directory. It does not follow links that lead out of the
// directory.
func (f *finder) tree(dir string) (*tree, error) {
	if known := f.trees[dir]; known != nil {
		return known, nil
	}
	if len(f.trees) >= maxTrees {
		return nil, errTrees
	}
	files, err := fingerprint.OpenTree(dir, f.seen)
	if err != nil {
		return nil, err
	}
	t := &tree{dir, files}
	f.trees[dir] = t
	return t, nil
}

// sourceIn returns the source of a module in a directory.
func (f *finder) sourceIn(dir, module string) (*modules.Source, error) {
	t, err := f.tree(dir)
	if err != nil {
		return nil, err
	}
	top, _, _ := strings.Cut(module, ".")
	return &modules.Source{
		Module: module, Root: t.files, Dir: dir, Stubs: f.stubsFor(dir, top, t.files), Installed: f.env != nil, Python: f.target.minor(), Platform: f.target.platform,
	}, nil
}

func (t *target) minor() string {
	if t.python == "" {
		return newestPython
	}
	return minorOf(t.python)
}

// stubsFor returns the stubs of a top-level module that are outside it: in the directory
// module-stubs next to it, or elsewhere in the environment. Otherwise it returns the stubs of other
// modules next to it, which may belong to the same distribution. It returns nil if there are none.
func (f *finder) stubsFor(dir, top string, files fs.FS) fs.FS {
	beside := stubTree{files: files}
	if f.env != nil && slices.Contains(f.env.site, dir) {
		beside.tops = f.py.site(dir).stubs
	} else if isDirIn(files, top+stubsMark) {
		beside.tops = []string{top}
	}
	if slices.Contains(beside.tops, top) {
		return beside
	}
	if f.env != nil {
		for _, site := range f.env.site {
			if site == dir || !slices.Contains(f.py.site(site).stubs, top) {
				continue
			}
			if t, err := f.tree(site); err == nil {
				return stubTree{t.files, []string{top}}
			}
		}
	}
	if len(beside.tops) > 0 {
		return beside
	}
	return nil
}

// typeshed returns the stubs of the standard library that are included in a type checker in the
// environment, or nil if there is none.
func (f *finder) typeshed() fs.FS {
	if f.env == nil {
		return nil
	}
	for _, dir := range f.typesheds() {
		if project.IsFile(filepath.Join(dir, "builtins.pyi")) {
			if t, err := f.tree(dir); err == nil {
				return t.files
			}
		}
	}
	return nil
}

// typesheds returns the directories of typeshed's standard library that are included in type
// checkers. It looks in the environment, in environments that uv and pipx create for programs, in
// Node.js packages, and in editor extensions.
func (f *finder) typesheds() []string {
	env := f.py.env
	sites := slices.Clone(f.env.site)
	if f.env.stdlib != "" {
		sites = append(sites, filepath.Join(f.env.stdlib, "site-packages"))
	}
	for _, tools := range []string{
		cmp.Or(env.Get("UV_TOOL_DIR"), environ.Below(f.py.dataHome(), "uv", "tools")),
		environ.Below(env.Home(), ".local", "pipx", "venvs"), environ.Below(f.py.dataHome(), "pipx", "venvs"),
	} {
		for _, name := range []string{"mypy", "basedpyright", "pyright", "jedi-language-server"} {
			for _, lib := range project.DirNames(environ.Below(tools, name, "lib")) {
				sites = append(sites, filepath.Join(tools, name, "lib", lib, "site-packages"))
			}
		}
	}
	var dirs []string
	for _, site := range sites {
		for _, dir := range []string{
			"mypy/typeshed/stdlib", "basedpyright/dist/typeshed-fallback/stdlib", "pyright/dist/typeshed-fallback/stdlib",
			"jedi/third_party/typeshed/stdlib/3", "pytype/typeshed/stdlib",
		} {
			dirs = append(dirs, filepath.Join(site, filepath.FromSlash(dir)))
		}
	}
	for _, prefix := range []string{"/usr/lib", "/usr/local/lib"} {
		dirs = append(dirs, filepath.Join(f.py.system(prefix), "node_modules", "pyright", "dist", "typeshed-fallback", "stdlib"))
	}
	for _, editor := range []string{".vscode", ".vscode-server", ".cursor", ".cursor-server"} {
		extensions := environ.Below(env.Home(), editor, "extensions")
		for _, name := range project.DirNames(extensions) {
			if strings.HasPrefix(name, "ms-python.vscode-pylance-") || strings.HasPrefix(name, "ms-pyright.pyright-") {
				dirs = append(dirs, filepath.Join(extensions, name, "dist", "typeshed-fallback", "stdlib"))
			}
		}
	}
	return dirs
}

// stubsMark is the suffix of the name of a directory with the stubs of a module, such as foo-stubs.
const stubsMark = "-stubs"

// stubTree presents the directories foo-stubs of another file system as directories foo.
type stubTree struct {
	files fs.FS
	tops  []string // the modules that have such a directory
}

func (t stubTree) path(op, name string) (string, error) {
	top, rest, below := strings.Cut(name, "/")
	if !fs.ValidPath(name) || !slices.Contains(t.tops, top) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	if below {
		rest = "/" + rest
	}
	return top + stubsMark + rest, nil
}

// Open implements fs.FS.
func (t stubTree) Open(name string) (fs.File, error) {
	path, err := t.path("open", name)
	if err != nil {
		return nil, err
	}
	return t.files.Open(path)
}

// ReadDir implements fs.ReadDirFS.
func (t stubTree) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		var all []fs.DirEntry
		for _, top := range t.tops {
			if isDirIn(t.files, top+stubsMark) {
				all = append(all, directory(top))
			}
		}
		return all, nil
	}
	path, err := t.path("readdir", name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(t.files, path)
}

// Stat implements fs.StatFS.
func (t stubTree) Stat(name string) (fs.FileInfo, error) {
	path, err := t.path("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(t.files, path)
}

// directory is the directory entry of a directory with this name.
type directory string

func (d directory) Name() string             { return string(d) }
func (directory) IsDir() bool                { return true }
func (directory) Type() fs.FileMode          { return fs.ModeDir }
func (directory) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
