package swift

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
)

// These constants limit the files of a package.
const (
	maxFiles = 20_000
	maxDepth = 32 // maximum depth of directories below a target
)

// modulesOf returns the modules that are part of a package's library products,
// and their dependencies, in the order of the manifest.
func (f *finder) modulesOf(l *located) []module.Target {
	m := l.manifest
	offered := map[string][]string{} // offered contains the names of products by target.
	for _, p := range m.Products {
		if p.Kind != "library" {
			continue
		}
		for _, name := range p.Targets {
			offered[name] = append(offered[name], p.Name)
		}
	}
	if len(offered) == 0 && l.inProject {
		for i := range m.Targets {
			if t := &m.Targets[i]; t.Kind == "target" || t.Kind == "executableTarget" {
				offered[t.Name] = []string{t.Name}
			}
		}
	}
	used := map[string]bool{}
	var use func(name string)
	use = func(name string) {
		t := m.Target(name)
		if t == nil || used[name] {
			return
		}
		used[name] = true
		for _, d := range t.Dependencies {
			if d.Package == "" {
				use(d.Name)
			}
		}
	}
	for name := range offered {
		use(name)
	}
	traits := m.EnabledTraits(l.traits)
	var all []module.Target
	budget := maxFiles
	for i := range m.Targets {
		t := &m.Targets[i]
		if !used[t.Name] || t.Kind == "binaryTarget" || t.Kind == "plugin" {
			continue
		}
		if out, ok := f.moduleOf(l, t, traits, &budget); ok {
			out.Products = offered[t.Name]
			all = append(all, out)
		}
	}
	return all
}

// moduleOf returns a target with its files. ok is false if it has no files.
func (f *finder) moduleOf(l *located, t *manifest.Target, traits []string, budget *int) (module.Target, bool) {
	out := module.Target{Name: t.Name, Macro: t.Kind == "macro"}
	if c := c99(t.Name); c != t.Name {
		out.C99Name = c
	}
	out.Dir = t.Directory(func(p string) bool { return isDir(l.files, p) })
	if out.Dir == "" && len(l.manifest.Targets) == 1 && isDir(l.files, "Sources") {
		out.Dir = "Sources" // Since tools version 5.9, the only target of a package may be in this directory.
	}
	if out.Dir == "" || !isDir(l.files, out.Dir) {
		return out, false
	}
	w := &walker{files: l.files, budget: budget, exclude: map[string]bool{}}
	for _, e := range t.Exclude {
		w.exclude[path.Join(out.Dir, e)] = true
	}
	roots := t.Sources
	if roots == nil {
		roots = []string{"."}
	}
	for _, root := range roots {
		w.walk(path.Join(out.Dir, root), 0)
	}
	if t.Sources != nil {
		w.catalogues(out.Dir)
	}
	out.Files = w.swift
	if len(w.swift) == 0 && (w.c || t.Kind == "systemLibrary" || isDir(l.files, path.Join(out.Dir, headersOf(t)))) {
		out.C = true
		h := &walker{files: l.files, budget: budget, exclude: w.exclude, headers: true}
		headers := path.Join(out.Dir, headersOf(t))
		if t.Kind == "systemLibrary" {
			headers = out.Dir
		}
		h.walk(headers, 0)
		out.Files = h.swift
	}
	out.Files = append(out.Files, w.docs...)
	slices.Sort(out.Files)
	out.Files = slices.Compact(out.Files)
	out.Defines, out.Features, out.Dependencies = t.Active(f.ask.platform, traits)
	return out, len(out.Files) > 0
}

// headersOf returns the directory with a target's public headers.
func headersOf(t *manifest.Target) string {
	if t.PublicHeaders != "" {
		return t.PublicHeaders
	}
	return "include"
}

// c99 returns the name of a target's module, which must be a C identifier.
func c99(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 {
			return r
		}
		return '_'
	}, name)
}

// walker collects the files of a target.
type walker struct {
	files   fs.FS
	budget  *int
	exclude map[string]bool
	headers bool // whether to collect headers and module maps
	swift   []string
	docs    []string // files of DocC catalogues
	c       bool     // whether there are C sources
}

func (w *walker) walk(name string, depth int) {
	if depth > maxDepth || w.exclude[name] || *w.budget <= 0 {
		return
	}
	info, err := fs.Stat(w.files, name)
	if err != nil {
		return
	}
	if !info.IsDir() {
		w.file(name)
		return
	}
	entries, err := fs.ReadDir(w.files, name)
	if err != nil {
		return
	}
	for _, e := range entries {
		full := path.Join(name, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), ".") || w.exclude[full]:
		case strings.HasSuffix(e.Name(), ".docc"):
			w.catalogue(full, 0)
		case e.IsDir():
			w.walk(full, depth+1)
		case e.Type().IsRegular():
			w.file(full)
		default: // the entry is a link
			w.walk(full, depth+1)
		}
	}
}

func (w *walker) file(name string) {
	*w.budget--
	switch strings.ToLower(path.Ext(name)) {
	case ".swift":
		if !w.headers {
			w.swift = append(w.swift, name)
		}
	case ".h", ".hh", ".hpp", ".hxx", ".modulemap":
		if w.headers {
			w.swift = append(w.swift, name)
		}
	case ".c", ".m", ".mm", ".cpp", ".cc", ".cxx", ".s":
		w.c = true
	}
}

// catalogue collects the files of a DocC catalogue.
func (w *walker) catalogue(name string, depth int) {
	entries, err := fs.ReadDir(w.files, name)
	if err != nil || depth > maxDepth {
		return
	}
	for _, e := range entries {
		full := path.Join(name, e.Name())
		switch {
		case w.exclude[full] || strings.HasPrefix(e.Name(), ".") || *w.budget <= 0:
		case e.IsDir():
			w.catalogue(full, depth+1)
		default:
			switch path.Ext(e.Name()) {
			case ".md", ".tutorial", ".plist", ".swift":
				*w.budget--
				w.docs = append(w.docs, full)
			}
		}
	}
}

// catalogues finds the DocC catalogues in a target whose sources are listed in
// the manifest.
func (w *walker) catalogues(dir string) {
	entries, err := fs.ReadDir(w.files, dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".docc") {
			w.catalogue(path.Join(dir, e.Name()), 0)
		}
	}
}

func isDir(files fs.FS, name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(files, name)
	return err == nil && info.IsDir()
}
