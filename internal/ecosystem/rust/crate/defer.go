package crate

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Only a few modules of a dependency are needed to document a crate. Docent reads a file of a
// dependency when a name in its module is looked up, unless the file or a file below it may affect
// other modules: by exported macros, by primitive types, or by attributes of the module.

// affecting are texts that a file contains if it may affect other modules.
var affecting = [][]byte{[]byte("macro_export"), []byte("rustc_doc_primitive"), []byte("include!"), []byte("#![macro_use"), []byte("#![cfg"), []byte("#![doc(hidden"), []byte("#[path"), []byte("path =")}

// generator is the beginning of a macro whose name is a parameter of another macro.
const generator = "macro_rules! $"

// defers reports whether the file of a module, whose submodules are in the directory below, can be
// read when a name in it is looked up.
func (k *krate) defers(file, below string, depth int) bool {
	if result, ok := k.deferred[file]; ok {
		return result
	}
	k.deferred[file] = false // for files that include each other
	s, err := k.scan(file)
	if err != nil || depth > maxModules {
		return false
	}
	if k.generates = k.generates || s.generates; k.generates || s.affects {
		return false
	}
	for _, name := range s.modules {
		name = path.Join(below, name)
		if sub := k.moduleFile(name); !k.exists(sub) || !k.defers(sub, name, depth+1) {
			return false
		}
	}
	k.deferred[file] = true
	return true
}

// modulesIn returns the names of the modules in other files that a text may declare.
func modulesIn(text []byte) (names []string) {
	word := []byte("mod ")
	for {
		i := bytes.Index(text, word)
		if i < 0 {
			return names
		}
		text = text[i+len(word):]
		if end := bytes.IndexAny(text, ";{\n"); end > 0 && text[end] == ';' {
			names = append(names, strings.TrimPrefix(string(bytes.TrimSpace(text[:end])), "r#"))
		}
	}
}

// scan is what a file contains that determines when it has to be read.
type scan struct {
	affects   bool     // whether it may affect other modules
	generates bool     // whether a macro in it may declare macros
	modules   []string // names of modules in other files that it may declare
}

// Scans contains what was found in the files of a crate that does not change, for all crates that
// depend on it. The zero Scans is ready to use, and safe for concurrent use.
type Scans struct {
	files sync.Map // from name to scan
}

// scan scans a file of the crate.
func (k *krate) scan(file string) (scan, error) {
	if k.src.Scans != nil {
		if s, ok := k.src.Scans.files.Load(file); ok {
			return s.(scan), nil
		}
	}
	text, err := k.w.scan(k.src.FS, file)
	if err != nil {
		return scan{}, err
	}
	s := scan{generates: bytes.Contains(text, []byte(generator)), modules: modulesIn(text)}
	for _, word := range affecting {
		s.affects = s.affects || bytes.Contains(text, word)
	}
	if k.src.Scans != nil {
		k.src.Scans.files.Store(file, s)
	}
	return s, nil
}

// scan reads a file into memory that the next call reuses.
func (w *world) scan(files fs.FS, name string) ([]byte, error) {
	if w.failed() {
		return nil, w.err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	w.scanned.Reset()
	_, err = w.scanned.ReadFrom(io.LimitReader(file, source.MaxText))
	return w.scanned.Bytes(), err
}

// deferModule makes a module read its file with read when a name in it is looked up. The
// implementations in the file get the place of the file in the list of the crate.
func (k *krate) deferModule(m *module, read func()) {
	k.impls = append(k.impls, &impl{mod: m})
	m.load = func() {
		impls, pending, building, calls := k.impls, k.pending, k.building, k.w.calls
		k.impls, k.pending, k.building = nil, nil, true
		read()
		if len(k.pending) > 0 {
			k.expandPending()
		} else if k.w.calls != calls {
			k.forget()
		}
		m.impls = k.impls
		k.impls, k.pending, k.building = impls, pending, building
	}
}

// allImpls returns a list of implementations with those of modules whose reading was deferred.
func allImpls(list []*impl) []*impl {
	var all []*impl
	for _, im := range list {
		if im.item != nil {
			all = append(all, im)
			continue
		}
		im.mod.ensure()
		all = append(all, allImpls(im.mod.impls)...)
		im.mod.impls = nil
	}
	return all
}

// The documented crate may consist of thousands of files with private functions, such as those that
// encode and decode the messages of a service. They are not kept in memory, but read again if one of
// their names is looked up.

// defersPrivate reports whether the contents of a module need not be kept if they are inert.
func (k *krate) defersPrivate(it *source.Item) bool {
	return it.Vis != source.Public && k.deferred == nil && !k.w.program && !k.src.ProcMacro
}

// isInert reports whether a file contains nothing that affects other modules unless they name it: no
// implementations, macros, conditions or modules.
func (u *unit) isInert() bool {
	if slices.ContainsFunc(u.Inner, func(a source.Attr) bool { return a.Kind == source.Punct }) {
		return false
	}
	return !slices.ContainsFunc(u.Items, func(it *source.Item) bool {
		switch it.Kind {
		case source.Func, source.Const, source.Static, source.TypeAlias, source.Use:
			return false
		}
		return true
	})
}
