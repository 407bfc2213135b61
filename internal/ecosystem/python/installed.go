package python

import (
	"cmp"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// distribution returns the installed distribution with the given name, or nil if there is none.
func (f *finder) distribution(name string) *distribution {
	if f.env == nil {
		return nil
	}
	name = pep508.Normalize(name)
	for _, dir := range f.env.site {
		f.seen.Add(dir)
		if all := f.py.site(dir).byName[name]; len(all) > 0 {
			// If a broken upgrade has left an older version behind, choose the newest.
			return slices.MaxFunc(all, func(a, b *distribution) int { return pep440.Compare(a.version, b.version) })
		}
	}
	return nil
}

// owner returns the installed distribution that a module belongs to, and the
// directory that contains the module. The distribution is nil for a module that
// was copied there by hand. The directory is empty if there is no such module.
func (f *finder) owner(module string) (d *distribution, dir string) {
	if f.env == nil {
		return nil, ""
	}
	top, _, _ := strings.Cut(module, ".")
	fallback, fallbackDir := (*distribution)(nil), ""
	for _, dir := range f.env.site {
		f.seen.Add(dir)
		site := f.py.site(dir)
		if !site.has(top) {
			continue
		}
		if d := site.owner(module); d != nil {
			if d.owns(module) > strings.Count(module, ".") {
				return d, dir
			}
			if fallback == nil {
				fallback, fallbackDir = d, dir
			}
		}
		fallbackDir = cmp.Or(fallbackDir, dir)
	}
	return fallback, fallbackDir
}

// editable returns the directory that contains a module of an editable installation: the
// parent of its package. It returns "" if there is none.
func (f *finder) editable(module string) string {
	if f.env == nil {
		return ""
	}
	for _, dir := range f.env.site {
		mapped := editableModules(f.py.site(dir))
		for name := module; name != ""; name = parentModule(name) {
			path, ok := mapped[name]
			if !ok {
				continue
			}
			for range strings.Count(name, ".") + 1 {
				path = filepath.Dir(path)
			}
			return path
		}
	}
	return ""
}

// parentModule returns the name of the module that contains another one: "a.b" for "a.b.c", and ""
// for "a".
func parentModule(module string) string {
	return module[:max(strings.LastIndexByte(module, '.'), 0)]
}

// openInstalled opens a module of an installed distribution. An empty name means
// the distribution's primary module. It returns nil if there is no such module.
func (f *finder) openInstalled(d *distribution, module string) *located {
	f.seen.Add(d.info)
	f.seen.Add(filepath.Join(d.info, "RECORD"))
	f.seen.Add(filepath.Join(d.info, "direct_url.json"))
	if dir := d.editableDir(); dir != "" {
		if l := f.openEditable(d, dir, module); l != nil {
			return l
		}
	}
	if module == "" {
		if module = d.primary(); module == "" {
			return nil
		}
	}
	src, err := f.sourceIn(d.site, module)
	if err != nil || !hasModule(src, module) {
		return nil
	}
	d.load()
	src.Modules = d.modules
	l := &located{
		dist: d.name, version: d.version, module: module, source: src, meta: readInfo(d.info),
		provenance: apidoc.Provenance{Source: filepath.Base(d.site), Location: d.site, Integrity: "not verified: docent read the installed files"},
	}
	l.dist, l.version = cmp.Or(l.meta.Name, l.dist), cmp.Or(l.meta.Version, l.version)
	if direct := d.direct(); direct != nil {
		f.warnings = append(f.warnings, d.name+" was installed from "+fetch.RedactSpec(direct.URL)+", not from an index")
	}
	return l
}

// openEditable opens a module of an editable installation of the project in a
// directory. It returns nil if there is none.
func (f *finder) openEditable(d *distribution, dir, module string) *located {
	d.load()
	if module == "" {
		for name := range editableModules(f.py.site(d.site)) {
			if pep508.Normalize(name) == pep508.Normalize(d.name) {
				module = name
			}
		}
	}
	if l := f.openProject(dir, module, d.name); l != nil {
		l.dist, l.version = d.name, d.version
		l.provenance.Source = "editable installation"
		return l
	}
	return nil
}

// editableOwner returns the editable installation of the project that contains a
// directory, or nil if there is none.
func (f *finder) editableOwner(dir string) *distribution {
	for _, site := range f.env.site {
		for _, d := range f.py.site(site).ordered {
			project := d.editableDir()
			if project == "" {
				continue
			}
			if rel, err := filepath.Rel(project, dir); err == nil && filepath.IsLocal(rel) {
				return d
			}
		}
	}
	return nil
}

// openProject opens a module of the project in a directory. The sources are in the directory
// itself, in src, or in a place that a finder specifies. If the name is empty, the module with the
// project's name is opened.
func (f *finder) openProject(dir, module, name string) *located {
	var roots []string
	if module != "" {
		roots = append(roots, f.editable(module))
	}
	roots = append(roots, filepath.Join(dir, "src"), dir, filepath.Join(dir, "lib"), filepath.Join(dir, "python"))
	for _, root := range roots {
		if root == "" || !project.IsDir(root) {
			continue
		}
		found := module
		if found == "" {
			found = moduleIn(root, name)
		}
		if found == "" || !modulePath(root, found) {
			continue
		}
		src, err := f.sourceIn(root, found)
		if err != nil {
			continue
		}
		l := &located{dist: name, module: found, source: src, inProject: true, meta: &metadata{}}
		l.provenance = apidoc.Provenance{Source: "workspace", Location: root}
		if t, err := f.tree(dir); err == nil {
			l.docs = t.files
		}
		return l
	}
	return nil
}

// moduleIn returns the primary module of a distribution in a directory: the module that has the
// distribution's name, or else the only package there. It returns "" if there is none.
func moduleIn(root, dist string) string {
	want := pep508.Normalize(dist)
	var packages []string
	for _, name := range project.DirNames(root) {
		module := moduleOf(name)
		if module == "" && validModule(name) && project.IsFile(filepath.Join(root, name, "__init__.py")) {
			module = name
			switch name {
			case "tests", "test", "docs", "examples", "scripts", "tools", "benchmarks":
			default:
				packages = append(packages, name)
			}
		}
		if module != "" && pep508.Normalize(module) == want {
			return module
		}
	}
	// In a namespace, google-cloud-storage is google/cloud/storage.
	if parts := strings.FieldsFunc(want, func(r rune) bool { return r == '-' }); len(parts) > 1 && project.IsDir(filepath.Join(append([]string{root}, parts...)...)) {
		return strings.Join(parts, ".")
	}
	if len(packages) == 1 {
		return packages[0]
	}
	return ""
}

// modulePath reports whether a directory contains a module.
func modulePath(root, module string) bool {
	path := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(module, ".", "/")))
	if project.IsDir(path) {
		return true
	}
	for _, name := range project.DirNames(filepath.Dir(path)) {
		if moduleOf(name) == filepath.Base(path) {
			return true
		}
	}
	return false
}

// hasModule reports whether a source contains a module.
func hasModule(src *modules.Source, module string) bool {
	path := strings.ReplaceAll(module, ".", "/")
	for _, files := range []fs.FS{src.Root, src.Stubs} {
		if files == nil {
			continue
		}
		if info, err := fs.Stat(files, path); err == nil && info.IsDir() {
			return true
		}
		dir, base := ".", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			dir, base = path[:i], path[i+1:]
		}
		for _, ending := range []string{".py", ".pyi"} {
			if info, err := fs.Stat(files, path+ending); err == nil && !info.IsDir() {
				return true
			}
		}
		entries, err := fs.ReadDir(files, dir)
		if err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && moduleOf(e.Name()) == base }) {
			return true
		}
	}
	return false
}

// primary returns the primary module of the distribution, or "" if it has none.
func (d *distribution) primary() string {
	d.load()
	return primaryModule(d.name, d.modules, d.files)
}

// primaryModule chooses the primary module of a distribution: the module that has the
// distribution's name, or else the largest public module. In a namespace, it is the package whose
// name matches the distribution's, or else the nearest one. It returns "" if the distribution does
// not have any modules.
func primaryModule(dist string, top, files []string) string {
	if len(top) == 0 {
		return ""
	}
	want := pep508.Normalize(dist)
	for _, bare := range []string{want, strings.TrimPrefix(strings.TrimPrefix(want, "python-"), "py"), strings.TrimSuffix(strings.TrimSuffix(want, "-python"), "-py")} {
		for _, m := range top {
			if pep508.Normalize(m) == bare {
				return inNamespace(m, want, files)
			}
		}
	}
	count := map[string]int{}
	for _, file := range files {
		if moduleOf(filepath.Base(file)) != "" {
			first, _, nested := strings.Cut(file, "/")
			if !nested {
				first = moduleOf(first)
			}
			count[strings.TrimSuffix(first, "-stubs")]++
		}
	}
	best := slices.MaxFunc(top, func(a, b string) int {
		// The first part of the name, up to a dash, may be a namespace.
		return cmp.Or(
			public(a)-public(b), prefixed(want, a)-prefixed(want, b), cmp.Compare(count[a], count[b]), cmp.Compare(len(b), len(a)), cmp.Compare(b, a))
	})
	return inNamespace(best, want, files)
}

func public(module string) int {
	switch {
	case strings.HasPrefix(module, "_"), module == "tests", module == "test", module == "examples", module == "docs", module == "benchmarks":
		return 0
	}
	return 1
}

// prefixed returns 1 if a distribution's name begins with the name of a module, and 0 otherwise.
func prefixed(dist, module string) int {
	if strings.HasPrefix(dist, pep508.Normalize(module)+"-") {
		return 1
	}
	return 0
}

// inNamespace follows a namespace package, which is a directory without __init__.py, down to the
// package that matches the distribution's name, or else to the only package.
func inNamespace(module, want string, files []string) string {
	const maxDown = 6
	for range maxDown {
		dir := strings.ReplaceAll(module, ".", "/")
		regular := false
		below := map[string]bool{}
		for _, file := range files {
			rest, ok := strings.CutPrefix(file, dir+"/")
			if !ok {
				if moduleOf(filepath.Base(file)) != "" && strings.TrimSuffix(file, filepath.Ext(file)) == dir {
					regular = true // the module is a single file
				}
				continue
			}
			first, _, nested := strings.Cut(rest, "/")
			switch {
			case !nested && strings.HasPrefix(first, "__init__."):
				regular = true
			case nested && first != "__pycache__" && validModule(first) && moduleOf(filepath.Base(rest)) != "":
				below[first] = true
			case !nested && validModule(moduleOf(first)):
				below[moduleOf(first)] = true
			}
		}
		if regular || len(below) == 0 {
			return module
		}
		next := ""
		for _, name := range slices.Sorted(maps.Keys(below)) {
			full := pep508.Normalize(strings.ReplaceAll(module+"."+name, ".", "-"))
			if leads := full == want || strings.HasPrefix(want, full+"-"); leads && (next == "" || public(name) > public(next)) { // _storage has the normalized name of storage
				next = name
			}
		}
		if next == "" && len(below) == 1 {
			for name := range below {
				next = name
			}
		}
		if next == "" {
			return module
		}
		module += "." + next
	}
	return module
}

// openStdlib opens a module of the standard library. It returns nil if it does not exist.
func (f *finder) openStdlib(module string) *located {
	if f.env == nil || f.env.stdlib == "" || !validModule(module) {
		return nil
	}
	top, _, _ := strings.Cut(module, ".")
	if top == "site-packages" || top == "test" || top == "idlelib" && strings.Contains(module, "idle_test") {
		return nil
	}
	// The module os.path is a different module on each platform.
	file := module
	if rest, ok := strings.CutPrefix(module, "os.path"); ok && (rest == "" || rest[0] == '.') {
		if file = "posixpath" + rest; f.target.goos() == "windows" {
			file = "ntpath" + rest
		}
	}
	src, err := f.sourceIn(f.env.stdlib, file)
	if err != nil {
		return nil
	}
	src.Stubs = f.typeshed()
	loaded := f.dynload()
	switch inLibrary := hasModule(&modules.Source{Root: src.Root}, file); {
	case !inLibrary && loaded != nil && hasModule(&modules.Source{Root: loaded.files}, module):
		src.Root, src.Dir = loaded.files, loaded.dir // The docstrings of the compiled module document it.
	case !inLibrary && !hasModule(src, file) && !builtin[top]:
		return nil
	}
	l := &located{
		module: module, version: f.env.version, source: src, stdlib: true, meta: &metadata{},
		provenance: apidoc.Provenance{Source: "standard library", Location: f.env.stdlib, ChosenBy: f.env.by},
	}
	return l
}

// compiled returns the error for a compiled module of the standard library that cannot be read
// because no stubs are installed. It returns nil for other modules.
func (f *finder) compiled(l *located) error {
	if !l.stdlib || modules.Tells(l.source) {
		return nil
	}
	e := ecosystem.Fail(ecosystem.Unreadable, "%s is compiled into Python %s, without sources", l.module, f.env.version).
		WithNext("its declarations are in typeshed, which comes with mypy, pyright and jedi; install one of them in the environment")
	e.Names = modules.Compiled(l.module)
	return e
}

// namespaceOf reports whether a module in a directory is a namespace package, that is, a directory
// without __init__ that several distributions may share.
func namespaceOf(dir, module string) bool {
	path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(module, ".", "/")))
	return project.IsDir(path) && !slices.ContainsFunc(project.DirNames(path), func(name string) bool { return strings.HasPrefix(name, "__init__.") })
}

// dynload returns the directory of the standard library's compiled modules, or nil if
// there is none.
func (f *finder) dynload() *tree {
	for _, dir := range []string{filepath.Join(f.env.stdlib, "lib-dynload"), filepath.Join(filepath.Dir(f.env.stdlib), "DLLs")} {
		if project.IsDir(dir) {
			if t, err := f.tree(dir); err == nil {
				return t
			}
		}
	}
	return nil
}

// builtin contains the public modules that are compiled into the interpreter.
var builtin = map[string]bool{
	"builtins": true, "sys": true, "time": true, "itertools": true, "gc": true, "errno": true, "marshal": true, "posix": true, "pwd": true, "atexit": true,
	"faulthandler": true, "math": true, "array": true, "msvcrt": true, "winreg": true, "nt": true, "zlib": true, "binascii": true, "cmath": true,
}
