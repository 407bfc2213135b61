package modules

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// dist is a distribution or the standard library, with the modules that have been read
// from it.
type dist struct {
	*Source
	modules map[string]*module
	// dirs caches the entries of directories: of Root, then of Stubs.
	dirs [2]map[string]map[string]bool
}

// module is one module: its code, its stub, or both.
type module struct {
	name string
	dist *dist
	// pkg is true for a package, which has modules below it.
	pkg        bool
	code, stub *file
	// native is true for a module that is written in another language and described only by
	// a stub. borrowed is true if that stub is the stub of its package, and guessed if the
	// stub was derived from the module's docstrings.
	native, borrowed, guessed bool

	exported  []string
	exporting int  // 0 if not computed, 1 while being computed, 2 once computed
	dynamic   bool // whether __all__ is computed at run time
	starring  bool
	listed    map[string]bool // set of exported names, computed on demand
	stars     []string        // the names that "import *" of the module binds, once starred
	starred   bool
	lookups   [2]map[string]*lookupState // lookups by name, first for names in code, then for names in stubs
}

// file is one file of a module.
type file struct {
	mod   *module
	name  string
	stub  bool
	made  bool // whether it was generated from a compiled module, so line numbers are meaningless
	doc   string
	scope *scope
	lazy  []source.Stmt // the body of __getattr__
	// provision contains the names that __getattr__ provides; see provided.
	provision *provision
	// replaced is true if the module replaces itself in sys.modules with another object. That
	// object contains the names that the file imports for type checkers.
	replaced bool
	computes truth // whether the file may bind names that it computes; see computed
	gaps     []source.Gap
	text     []byte                // the content of a file of a program
	source   string                // the text that was read, in which types look for bodies of functions
	classes  map[int]*binding      // classes in functions by offset, once they are needed; nil for those that cannot be read
	globals  map[string]bool       // names in global statements; computed on demand
	lines    []int                 // the offsets of its lines, once they are needed
	starts   []int                 // the offsets of the lines of source, once they are needed
	dynamic  []dynamicSite         // code that may add computed attributes; computed on demand
	bodies   map[int][]source.Stmt // bodies of functions by line, computed on demand
}

// files are the files of a module, the most informative first.
func (m *module) files() []*file {
	var all []*file
	if m.code != nil {
		all = append(all, m.code)
	}
	if m.stub != nil {
		all = append(all, m.stub)
	}
	return all
}

// entries lists a directory of Root (0) or Stubs (1). The value of an entry is true if it is a
// directory.
func (d *dist) entries(which int, dir string) map[string]bool {
	if known, ok := d.dirs[which][dir]; ok {
		return known
	}
	fsys := d.Root
	if which == 1 {
		fsys = d.Stubs
	}
	found := map[string]bool{}
	if fsys != nil {
		list, err := fs.ReadDir(fsys, dir)
		if err != nil {
			list = nil
		}
		for _, e := range list[:min(len(list), maxEntries)] {
			isDir := e.IsDir()
			if e.Type()&fs.ModeSymlink != 0 {
				info, err := fs.Stat(fsys, path.Join(dir, e.Name()))
				isDir = err == nil && info.IsDir()
			}
			found[e.Name()] = isDir
		}
	}
	if d.dirs[which] == nil {
		d.dirs[which] = map[string]map[string]bool{}
	}
	d.dirs[which][dir] = found
	return found
}

// place is the location of a module.
type place struct {
	code, stub string // paths of files; empty if there are none
	pxd        string // path of the Cython declarations next to compiled code
	stubs      bool   // whether stub is in Stubs
	pkg        bool
	native     bool
}

// locate finds the files of a module. ok is false if there is no such module.
func (d *dist) locate(name string) (p place, ok bool) {
	if strings.Count(name, ".") > maxDepth || strings.Contains(name, "..") || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || name == "" {
		return p, false
	}
	full := strings.ReplaceAll(name, ".", "/")
	dir, base := path.Split(full)
	dir = path.Clean(dir)
	for which := range 2 {
		list := d.entries(which, dir)
		if len(list) == 0 {
			continue
		}
		// A package takes precedence over a module with the same name.
		if list[base] {
			inner := d.entries(which, full)
			if _, has := inner["__init__.py"]; has && which == 0 {
				p.code, p.pkg = full+"/__init__.py", true
			}
			if _, has := inner["__init__.pyi"]; has && (p.stub == "" || which == 1) {
				p.stub, p.stubs, p.pkg = full+"/__init__.pyi", which == 1, true
			}
			if p.code == "" && p.stub == "" && which == 0 && hasModules(inner) {
				ok, p.pkg = true, true // The directory is a namespace package, unless a file is found.
			}
		}
		if which == 0 && p.code == "" {
			if isDir, has := list[base+".py"]; has && !isDir {
				p.code = full + ".py"
				p.pkg = false
			} else if isDir, has := list[base+".pyx"]; has && !isDir {
				p.code = full + ".pyx"
			}
		}
		if isDir, has := list[base+".pyi"]; has && !isDir && (p.stub == "" || which == 1) {
			p.stub, p.stubs = full+".pyi", which == 1
		}
		if which == 0 && (p.code == "" || !p.pkg) {
			p.native = isNative(list, base)
			if isDir, has := list[base+".pxd"]; has && !isDir && (p.native || strings.HasSuffix(p.code, ".pyx")) {
				p.pxd = full + ".pxd"
			}
			p.native = p.native && p.code == ""
		}
	}
	return p, ok || p.code != "" || p.stub != "" || p.native
}

func hasModules(list map[string]bool) bool {
	for name, isDir := range list {
		if isDir && name != "__pycache__" && isName(name) || strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi") || strings.HasSuffix(name, ".so") || strings.HasSuffix(name, ".pyd") {
			return true
		}
	}
	return false
}

// isNative reports whether a directory contains a compiled module with the given name.
func isNative(list map[string]bool, base string) bool {
	if _, ok := list[base+".so"]; ok {
		return true
	}
	if _, ok := list[base+".pyd"]; ok {
		return true
	}
	for name := range list {
		if strings.HasPrefix(name, base) && len(name) > len(base) && name[len(base)] == '.' && (strings.HasSuffix(name, ".so") || strings.HasSuffix(name, ".pyd")) {
			return true
		}
	}
	return false
}

// isName reports whether s can be a part of a module's name.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// moduleIn returns a module of the distribution, or nil if there is none.
func (r *Reader) moduleIn(d *dist, name string) *module {
	if m, ok := d.modules[name]; ok {
		return m
	}
	p, ok := d.locate(name)
	var m *module
	if ok && r.check() {
		m = &module{name: name, dist: d, pkg: p.pkg, native: p.native}
		d.modules[name] = m // Store the module before its files are read, because these may refer to it.
		if p.code != "" {
			m.code = r.open(m, d.Root, p.code, false)
		}
		if p.stub != "" {
			fsys := d.Root
			if p.stubs {
				fsys = d.Stubs
			}
			m.stub = r.open(m, fsys, p.stub, true)
		}
		if p.pxd != "" {
			r.openDeclarations(m, p.pxd)
		}
		if p.native && !m.guessed && (m.stub == nil || m.stub.scope.names["__getattr__"] != nil) { // The stub is missing or declares every name.
			r.openNative(m)
		}
	}
	d.modules[name] = m
	return m
}

// open reads a file of a module. It returns nil if it cannot be read.
func (r *Reader) open(m *module, fsys fs.FS, name string, stub bool) *file {
	if r.files++; r.files > maxFiles || r.bytes > maxBytes {
		r.err = errTooMuch
		return nil
	}
	data, err := readFile(fsys, name)
	if err != nil {
		r.warn("%s cannot be read: %v", name, err)
		return nil
	}
	r.bytes += len(data)
	r.meter.Grant(int64(len(data)))
	parsed := r.readSource(name, data)
	f := &file{mod: m, name: name, stub: stub, doc: parsed.Doc, source: parsed.Text, gaps: parsed.Gaps}
	if r.Program && m.dist == r.main && !stub {
		f.text = data
	}
	f.scope = &scope{file: f, names: map[string]*binding{}}
	f.scope.bindAll(r, parsed.Body, branch{})
	return f
}

// openDeclarations reads the Cython declarations next to a compiled module: the attributes of
// classes that are declared only there, or everything if there is no code.
func (r *Reader) openDeclarations(m *module, name string) {
	declared := r.open(m, m.dist.Root, name, m.code == nil)
	switch {
	case declared == nil || len(declared.scope.order) == 0:
	case m.code == nil && (m.stub == nil || m.stub.scope.names["__getattr__"] != nil): // The stub is missing or declares every name.
		m.stub, m.guessed = declared, true
	case m.code == nil:
	default:
		for _, b := range declared.scope.order {
			if code := m.code.scope.names[b.name]; code != nil && isClassBinding(code) && isClassBinding(b) {
				code.declared = b
			}
		}
	}
}

func isClassBinding(b *binding) bool { return b.stmt != nil && b.stmt.Kind == source.Class }

// openNative finds declarations for a compiled module without a stub: the stub of its
// package, if the package exports the module with "from … import *", or else the module's
// own tables and docstrings.
func (r *Reader) openNative(m *module) {
	if i := strings.LastIndexByte(m.name, '.'); i > 0 {
		above := r.moduleIn(m.dist, m.name[:i])
		if above != nil && above.stub != nil && above.code != nil && slices.ContainsFunc(above.code.scope.stars, func(s star) bool { return s.module == m.name }) {
			m.stub, m.borrowed = above.stub, true
			return
		}
	}
	if text := r.nativeOf(m.dist, m.name).stub(); text != "" {
		m.stub, m.guessed = r.made(m, text), true
	}
}

// made returns a file with the given text, which was generated from a compiled module.
func (r *Reader) made(m *module, text string) *file {
	f := &file{mod: m, name: strings.ReplaceAll(m.name, ".", "/"), stub: true, made: true}
	f.scope = &scope{file: f, names: map[string]*binding{}}
	parsed := source.Read(text)
	f.doc = parsed.Doc
	f.scope.bindAll(r, parsed.Body, branch{})
	return f
}

// readSource reads a Python or Cython file.
func (r *Reader) readSource(name string, data []byte) *source.File {
	if strings.HasSuffix(name, ".pyx") || strings.HasSuffix(name, ".pxi") || strings.HasSuffix(name, ".pxd") {
		return source.ReadCython(data)
	}
	return source.ReadMetered(r.meter, data)
}

// include binds the declarations of a Cython file that another one includes.
func (s *scope) include(r *Reader, name string, in branch) {
	outer := s.included
	full := path.Join(path.Dir(s.file.name), name)
	if len(outer) >= maxIncludes || slices.Contains(outer, full) || !fs.ValidPath(full) || !strings.HasSuffix(full, ".pxi") || !r.check() {
		return
	}
	if r.files++; r.files > maxFiles || r.bytes > maxBytes {
		r.err = errTooMuch
		return
	}
	data, err := readFile(s.file.mod.dist.Root, full)
	if err != nil {
		r.warn("%s includes %s, which cannot be read: %v", s.file.name, name, err)
		return
	}
	r.bytes += len(data)
	s.included = append(slices.Clip(outer), full)
	s.bindAll(r, r.readSource(full, data).Body, in)
	s.included = outer
}

var errTooLong = errors.New("it is longer than 64 MiB")

func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > source.MaxSize {
		return nil, errTooLong
	}
	return fs.ReadFile(fsys, name)
}

// module returns a module by its full name, as a module of d would import it.
// It returns nil if the module cannot be found.
func (r *Reader) module(d *dist, name string) *module {
	if m := r.moduleIn(d, name); m != nil {
		return m
	}
	top, _, _ := strings.Cut(name, ".")
	if r.err != nil || top == "" {
		return nil
	}
	key := otherKey{d, name}
	other, ok := r.others[key]
	if !ok {
		if known, tried := r.tops[otherKey{d, top}]; tried && known == nil {
			return nil
		}
		if r.importer != nil && r.main != nil {
			if src, err := r.importer(name); err == nil && src != nil {
				other = r.distOf(src)
			}
		}
		r.others[key] = other
		if other != nil || name == top {
			r.tops[otherKey{d, top}] = other
		}
	}
	if other == nil || other == d {
		return nil
	}
	return r.moduleIn(other, name)
}

// otherKey is a module that a distribution imports from another one.
type otherKey struct {
	dist *dist
	name string
}

// distOf returns the distribution of a source. Sources in the same directory share one.
func (r *Reader) distOf(src *Source) *dist {
	for _, d := range r.dists {
		if d.Source == src || src.Dir != "" && d.Dir == src.Dir {
			return d
		}
	}
	d := &dist{Source: src, modules: map[string]*module{}}
	r.dists = append(r.dists, d)
	return d
}

// below lists the modules directly below a package, sorted.
func (d *dist) below(m *module) []string {
	if !m.pkg {
		return nil
	}
	dir := strings.ReplaceAll(m.name, ".", "/")
	found := map[string]bool{}
	for which := range 2 {
		for name, isDir := range d.entries(which, dir) {
			base, ext := name, ""
			if i := strings.IndexByte(name, '.'); i >= 0 {
				base, ext = name[:i], name[i:]
			}
			switch {
			case !isName(base) || base == "__pycache__" || base == "__init__":
			case isDir && ext == "":
				inner := d.entries(which, path.Join(dir, name))
				_, code := inner["__init__.py"]
				if _, stub := inner["__init__.pyi"]; code || stub || hasFiles(inner) {
					found[base] = true
				}
			case ext == ".py" || ext == ".pyi" || ext == ".pyx" || strings.HasSuffix(ext, ".so") || strings.HasSuffix(ext, ".pyd"):
				found[base] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func hasFiles(list map[string]bool) bool {
	for name, isDir := range list {
		if !isDir && (strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi")) {
			return true
		}
	}
	return false
}

func topOf(name string) string {
	top, _, _ := strings.Cut(name, ".")
	return top
}

// root returns the name of the outermost module above a module that is not a namespace package,
// such as "requests" for requests.sessions, or "google.cloud.storage" for its modules. Other
// distributions may have modules in the same directory.
func (r *Reader) root(d *dist, name string) string {
	if known, ok := r.roots[name]; ok {
		return known
	}
	found := name
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if p, ok := d.locate(name[:i]); ok && (p.code != "" || p.stub != "") {
			found = name[:i]
			break
		}
	}
	r.roots[name] = found
	return found
}

// related reports whether two modules belong to one distribution. The modules of a program are read one by one.
func (r *Reader) related(a, b *module) bool {
	if a.dist != b.dist || r.Program {
		return a == b
	}
	return r.root(a.dist, a.name) == r.root(b.dist, b.name) || slices.Contains(a.dist.Modules, topOf(a.name)) && slices.Contains(a.dist.Modules, topOf(b.name))
}
