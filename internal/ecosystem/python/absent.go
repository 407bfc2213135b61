package python

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
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
// itself creates no other. What its group matches concerns only modules below the one that contains the code.
var createsModules = lazyregexp.New(`(\bmodules\[__name__\s*\+|(?m:^)__path__ *= *\[\] *(?:#.*)?(?m:$))|` +
	`\bmodules\[(?:[^_\]\n]|_[^_\]\n]|__[^n\]\n])[^\n]*\]\s*=[^=]|\bmodules\.(?:setdefault|update)\(|[^\n]*\bmeta_path\b[^\n]*|\bpath_hooks\b|` +
	`\b__path__\s*(?:=[^=]|\+=|\.(?:append|extend|insert)\b)|["']__path__["']|\bextend_path\b|\bdeclare_namespace\b`)

// namedModule matches an assignment that creates one module, whose name is its key.
var namedModule = lazyregexp.New(`^modules\[["']([\w.]+)["']\]\s*=`)

// readsFinders matches a line that adds no finder of modules, although it uses the list of these.
var readsFinders = lazyregexp.New(`^\s*(?:(?:el)?if|del|for\s+[\w, ]+\s+in)\s+(?:enumerate\()?(?:sys\.)?meta_path(?:\[\w+\])?\)?\s*:?\s*(?:#.*)?$`)

// addsFinder matches a line that adds a finder of modules, which is a variable.
var addsFinder = lazyregexp.New(`^\s*(?:sys\.)?meta_path\.(?:append\(|insert\(\s*0\s*,)\s*(\w+)\s*\)`)

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
		creates = err != nil || count > maxCreatingFiles || size > maxCreatingBytes || createsModule(data, name, module)
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

// createsModule reports whether the code of a file of a package may create a module.
func createsModule(data []byte, name, module string) bool {
	file := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(name, ".py"), "/__init__"), "/", ".")
	isBelow := strings.HasPrefix(module, file+".")
	return slices.ContainsFunc(createsModules().FindAllSubmatchIndex(data, -1), func(m []int) bool {
		code := data[m[0]:m[1]]
		switch named := namedModule().FindSubmatch(code); {
		case m[2] >= 0:
			return isBelow
		case named != nil && bytes.Count(code, []byte("modules[")) == 1:
			return strings.HasPrefix(module+".", string(named[1])+".")
		case readsFinders().Match(code), isInLoader(data[:m[0]]):
			return false
		}
		if added := addsFinder().FindSubmatch(code); added != nil && findsBelow(data, string(added[1])) {
			return isBelow
		}
		return true
	})
}

// isInLoader reports whether code ends in the method that loads the modules that a finder finds.
func isInLoader(code []byte) bool {
	i := bytes.LastIndex(code, []byte("def "))
	return i >= 0 && bytes.HasPrefix(code[i:], []byte("def load_module("))
}

// findsBelow reports whether a variable is a finder that is created with the name of the module, below which it finds modules.
func findsBelow(code []byte, variable string) bool {
	created, err := regexp.Compile(`(?m)^` + variable + `[ \t]*=[ \t]*\w+\(__name__\)[ \t\r]*$`)
	return err == nil && created.Match(code)
}
