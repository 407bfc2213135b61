package modules

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// A package whose entry point re-exports more declarations than should be read at once is
// read in parts. The reading for the package itself skips large files, so it contains only the
// names of their declarations. Each of these names can be read on its own, as if it were an entry
// point of the package: googleapis/drive_v3.

const (
	// maxWhole is the maximum size, in bytes, of the files that an entry point re-exports
	// if the package is read as a whole.
	maxWhole = 24 << 20
	// maxReexported is the maximum size, in bytes, of a file that is read for the package
	// itself if the entry point re-exports it and the package is read in parts.
	maxReexported = 16 << 10
	// maxOther is the maximum size, in bytes, of another file that is read for the package
	// itself if it is read in parts.
	maxOther = 64 << 10
	// maxRoot is the maximum total size, in bytes, of the files that are read for the
	// package itself if it is read in parts.
	maxRoot = 8 << 20
)

// isLarge reports whether the files that a module re-exports by name from its own package are
// larger than maxWhole. A namespace counts with all files in the directory of its module. Names
// that the module re-exports with a star count, too.
func (r *Reader) isLarge(m *module) bool {
	var bytes int64
	reexported := map[string]bool{}
	for _, from := range append([]*module{m}, r.nearStars(m)...) {
		for _, s := range from.scope.exports.order {
			if s.alias == nil || !isNear(s.alias.spec) {
				continue
			}
			t, ok := r.resolve(from, s.alias.spec)
			if !ok || t.ambient != nil || reexported[t.path] {
				continue
			}
			reexported[t.path] = true
			if dir := path.Dir(t.path); s.alias.name == "*" && dir != path.Dir(from.path) {
				bytes += declarationsSize(t.pkg.FS, dir)
			} else {
				bytes += fileSize(t.pkg, t.path)
			}
		}
	}
	if bytes <= maxWhole {
		return false
	}
	r.reexported = reexported
	return true
}

// nearStars returns the modules of the package that a module re-exports with a star. It loads the
// imports of the module in the order in which closure does, up to a file that may not be read
// because the package is read in parts.
func (r *Reader) nearStars(m *module) (all []*module) {
	if len(m.stars) == 0 {
		return nil
	}
	for _, l := range m.imports {
		if !isNear(l.spec) || l.types {
			break
		}
		t, ok := r.resolve(m, l.spec)
		if !ok || t.ambient != nil || t.pkg != m.pkg || fileSize(t.pkg, t.path) > maxOther {
			break
		}
		if from := r.load(t.pkg, t.path); from != nil && slices.Contains(m.stars, l.spec) && !from.script {
			all = append(all, from)
		}
	}
	return all
}

// declarationsSize returns the total size of the files with declarations in a directory and
// the directories below it.
func declarationsSize(files fs.FS, dir string) (bytes int64) {
	_ = fs.WalkDir(files, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if lang, ok := dts.LanguageOf(name); !ok || lang != dts.Declarations || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// isNear reports whether a specifier refers to a file of the package itself.
func isNear(spec string) bool {
	return strings.HasPrefix(spec, ".") || strings.HasPrefix(spec, "#")
}

func fileSize(p *pkg, name string) int64 {
	info, err := fs.Stat(p.FS, name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// skips reports whether a file is not read because the package is read in parts.
func (r *Reader) skips(p *pkg, name string) bool {
	if !r.inParts || r.part != "" || p != r.main {
		return false
	}
	limit := int64(maxOther)
	if r.reexported[name] {
		limit = maxReexported
	}
	return r.bytes > maxRoot || fileSize(p, name) > limit
}

// isPart reports whether a symbol that the entry point exports is read on its own.
func (r *Reader) isPart(s *symbol) bool {
	if !r.inParts || r.part != "" || s.alias == nil || !isNear(s.alias.spec) {
		return false
	}
	if _, ok := r.resolve(s.alias.scope.mod, s.alias.spec); !ok {
		return false
	}
	t := r.target(s)
	return t == nil || t.namespaceOf != nil && t.namespaceOf.pkg == r.main
}

// readPart reads a symbol that the package exports, such as "./drive_v3". It returns nil if
// the package is not read in parts or does not export the symbol.
func (r *Reader) readPart(subpath string) *apidoc.Package {
	name := strings.TrimPrefix(subpath, "./")
	t, ok := r.entry(".")
	if !ok || t.ambient != nil || strings.ContainsAny(name, "/.") {
		return nil
	}
	m := r.load(t.pkg, t.path)
	if m == nil || !r.inParts && !r.isLarge(m) {
		return nil
	}
	r.inParts, r.part = true, name
	s := r.export(m, name)
	if s == nil || r.target(s) == nil {
		return nil
	}
	out := &apidoc.Package{Name: r.main.Name, Version: r.main.Version, Part: name}
	w := newDocumenter(r, t.pkg)
	w.ownTypes(m, []*symbol{s})
	w.under(m, func() { out.Symbols = w.listed([]*symbol{s}, "") })
	w.internals(out)
	return out
}

// parts lists the symbols that have to be read on their own.
func (r *Reader) parts(out *apidoc.Package, m *module) {
	if !r.inParts {
		return
	}
	for _, s := range r.exportsOf(m) {
		if r.isPart(s) {
			out.Unread = append(out.Unread, s.name)
		}
	}
	slices.Sort(out.Unread)
}
