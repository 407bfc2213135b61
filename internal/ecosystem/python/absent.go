package python

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/spelling"
)

// A regular package contains all its modules, so a module that it lacks does not exist, unless code creates it while the
// program runs. No index needs to be asked for it.

const (
	// maxCreatingFiles is the maximum number of files of a package that are searched for code that creates modules.
	maxCreatingFiles = 5000
	// maxCreatingBytes is the maximum size, in bytes, of these files together.
	maxCreatingBytes = 64 << 20
)

// createsModules matches code that may create modules below a package, or find them elsewhere. A module that replaces
// itself creates no other.
var createsModules = lazyregexp.New(`\bmodules\[(?:[^_\]\n]|_[^_\]\n]|__[^n\]\n])[^\n]*\]\s*=[^=]|\bmodules\.(?:setdefault|update)\(|\bmeta_path\b|\bpath_hooks\b|\b__path__\s*(?:=[^=]|\+=|\.(?:append|extend|insert)\b)|["']__path__["']|\bextend_path\b|\bdeclare_namespace\b`)

// namedModule matches an assignment that creates one module, whose name is its key.
var namedModule = lazyregexp.New(`^modules\[["']([\w.]+)["']\]\s*=`)

// splitLibrary contains packages of the standard library that Linux distributions install only in part.
var splitLibrary = []string{"distutils", "ensurepip", "idlelib", "lib2to3", "test", "tkinter", "turtledemo"}

// absentModule returns an error if the module of the query belongs to a package of the environment that surely does not
// contain it. dist is the distribution of the module.
func (f *finder) absentModule(name, dist string, d *distribution) error {
	if f.env == nil || !validModule(name) || !strings.Contains(name, ".") {
		return nil
	}
	top, _, _ := strings.Cut(name, ".")
	var title string
	isImportSystem := false
	_, dir := f.owner(name)
	switch {
	case f.openStdlib(top) != nil:
		dir, title = f.env.stdlib, "Python "+f.env.version
		isImportSystem = top == "importlib"
		if slices.Contains(splitLibrary, top) {
			return nil
		}
	case d == nil || d.editableDir() != "" || f.distribution(name) != nil:
		return nil
	default:
		title = d.name + " " + d.version
		if f.project != nil {
			if dep, ok := f.project.Locked(dist, f.target.environment()); ok && dep.Package.Version != "" && !sameVersion(dep.Package.Version, d.version) {
				return nil
			}
		}
	}
	src, err := f.sourceIn(dir, name)
	if err != nil {
		return nil //nolint:nilerr // the modules are not known
	}
	parent := parentModule(name)
	for absent := name; ; absent, parent = parent, parentModule(parent) {
		if parent == "" || hasModule(src, absent) {
			return nil
		}
		if hasModule(src, parent) {
			name = absent
			break
		}
	}
	below := strings.ReplaceAll(parent, ".", "/")
	if !isFileIn(src.Root, below+"/__init__.py") && !isFileIn(src.Root, below+".py") || !isImportSystem && mayCreateModules(src.Root, top, name) {
		return nil
	}
	fail := ecosystem.Fail(ecosystem.NotFound, "%s has no module %s", title, name).WithTried(f.env.by).WithNext("request one of its modules")
	entries, _ := fs.ReadDir(src.Root, below) // Without entries, there are no similar names.
	last := name[len(parent)+1:]
	for _, near := range spelling.Near(func(yield func(string) bool) {
		for _, entry := range entries {
			module := moduleOf(entry.Name())
			if entry.IsDir() {
				module = entry.Name()
			}
			if module != "" && !strings.HasPrefix(module, "_") && !yield(module) {
				return
			}
		}
	}, last) {
		fail = fail.WithNear(parent + "." + near)
	}
	f.absent = true
	return fail
}

// mayCreateModules reports whether code of a package may create a module, or is too large to tell.
func mayCreateModules(files fs.FS, top, module string) bool {
	count, size, creates := 0, 0, false
	search := func(name string) {
		data, err := project.ReadFS(files, name, maxAssignFile)
		count, size = count+1, size+len(data)
		creates = err != nil || count > maxCreatingFiles || size > maxCreatingBytes || slices.ContainsFunc(createsModules().FindAll(data, -1), func(code []byte) bool {
			named := namedModule().FindSubmatch(code)
			return named == nil || bytes.Count(code, []byte("modules[")) > 1 || strings.HasPrefix(module+".", string(named[1])+".")
		})
	}
	if isFileIn(files, top+".py") {
		search(top + ".py")
		return creates
	}
	err := fs.WalkDir(files, top, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path.Base(name) == "__pycache__":
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".py"):
			if search(name); creates {
				return fs.SkipAll
			}
		}
		return nil
	})
	return creates || err != nil
}
