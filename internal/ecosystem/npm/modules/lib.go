package modules

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// errorTypes declares the error types, which many packages extend, for projects
// without TypeScript.
//
//go:embed errors.d.ts
var errorTypes embed.FS

// late is a file in TypeScript's library that is parsed on first use of a name that it declares.
type late struct {
	pkg  *pkg
	path string
	// names contains its declared names, and some words from its comments.
	names map[string]bool
}

// large is the minimum size in bytes of a library file that is parsed late,
// together with the files after it. The types for browsers are ten times as
// large as the rest, and few packages use them.
const large = 512 << 10

// global finds a global name: in the loaded files, then in TypeScript's library,
// then in the declarations of Node.js. It returns nil if there is none.
func (r *Reader) global(name string, want meaning) *symbol {
	find := func() *symbol {
		if s := r.globals.get(name); s != nil && s.meaning()&want != 0 {
			return s
		}
		return nil
	}
	// The declarations of Node.js extend those of the library.
	r.loadLib()
	r.loadLate(name)
	r.loadNode(r.main)
	if s := find(); s != nil {
		return s
	}
	// The declaration export as namespace React makes the imported module a global name.
	folded := strings.ToLower(name)
	l, ok := r.imported[folded]
	if !ok {
		return nil
	}
	delete(r.imported, folded)
	r.moduleOf(l.from, l.spec)
	return find()
}

// loadNode loads the declarations of Node.js, if available, and reports whether
// that added any names.
func (r *Reader) loadNode(from *pkg) bool {
	if r.nodeTried {
		return r.nodeRead
	}
	r.nodeTried = true
	p := from
	if from.Name != "@types/node" {
		// TypeScript uses the project's declarations, even if the package has its
		// own.
		if p = r.projects("@types/node"); p == nil {
			p = r.dep(from, "@types/node")
		}
		if p == nil && from != r.main {
			p = r.dep(r.main, "@types/node")
		}
	}
	if p == nil {
		return false
	}
	if f, ok := p.subpath(".", typed); ok {
		// The declarations of Node.js extend the library, so it is loaded first.
		r.loadLib()
		r.loadAllLate()
		if m := r.load(p, f); m != nil {
			r.nodeRead = true
			r.closure(m)
		}
	}
	return r.nodeRead
}

// loadLib loads TypeScript's standard library, which declares Array, Promise, Error, HTMLElement
// and so on.
func (r *Reader) loadLib() {
	if r.libTried {
		return
	}
	r.libTried = true
	p := r.main
	if p.Name != "typescript" {
		p = r.dep(r.main, "typescript")
	}
	const file = "lib/lib.esnext.full.d.ts"
	if p != nil && !p.exists(file) {
		// Since version 7, the library is in a separate package for each platform.
		p = r.libOfPlatform(p, file)
	}
	if p == nil {
		r.lib = &pkg{Package: &Package{Name: "typescript", FS: errorTypes}, deps: map[string]*pkg{}, resolved: map[string]target{}, near: map[string]target{}}
		r.load(r.lib, "errors.d.ts")
		return
	}
	r.lib = p
	r.libFile(p, file)
}

// isLib reports whether a module is a file in TypeScript's library.
func (r *Reader) isLib(m *module) bool { return r.lib != nil && m.pkg == r.lib && m.pkg != r.main }

func (r *Reader) libOfPlatform(p *pkg, file string) *pkg {
	for _, name := range p.manifest.optional {
		if d := r.dep(p, name); d != nil && d.exists(file) {
			return d
		}
	}
	return nil
}

// libFile loads a file of the library and the files that it references, or
// defers it.
func (r *Reader) libFile(p *pkg, name string) {
	if _, known := r.files[fileKey{p, name}]; known {
		return
	}
	info, err := fs.Stat(p.FS, name)
	if err != nil {
		return
	}
	if len(r.late) == 0 && info.Size() < large {
		r.libNow(p, name)
		return
	}
	known := slices.ContainsFunc(r.late, func(l *late) bool { return l.path == name })
	if src, err := r.readFile(p, name); err == nil && !known {
		r.late = append(r.late, &late{pkg: p, path: name, names: declaredNames(src)})
	}
}

func (r *Reader) libNow(p *pkg, name string) {
	m := r.load(p, name)
	if m == nil {
		return
	}
	for _, ref := range m.file.References {
		if ref.Kind == "lib" {
			r.libFile(p, "lib/lib."+ref.Target+".d.ts")
		}
	}
}

// loadLate loads the deferred files of the library that declare a name, in
// order.
func (r *Reader) loadLate(name string) {
	r.loadWanted(func(l *late) bool { return l.names[name] })
}

// loadAllLate loads all deferred files of the library.
func (r *Reader) loadAllLate() {
	r.loadWanted(func(l *late) bool { return l.names != nil })
}

func (r *Reader) loadWanted(match func(*late) bool) {
	for {
		i := slices.IndexFunc(r.late, match) // Loading one file may have loaded others.
		if i < 0 {
			return
		}
		l := r.late[i]
		l.names = nil
		r.libNow(l.pkg, l.path)
	}
}

// declaredNames finds declarations at the start of lines, at any depth.
func declaredNames(src string) map[string]bool {
	names := make(map[string]bool, len(src)/500)
	for src != "" {
		var line string
		line, src, _ = strings.Cut(src, "\n")
		for {
			line = strings.TrimLeft(line, " \t")
			if line == "" || line[0] < 'a' || line[0] > 'z' {
				break
			}
			word, rest, _ := strings.Cut(line, " ")
			if !declaring(word) {
				break
			}
			line = strings.TrimLeft(rest, " \t")
			if end := strings.IndexFunc(line, notInName); end > 0 {
				names[line[:end]] = true
			} else if end < 0 {
				names[line] = true
			}
		}
	}
	return names
}

// declaring reports whether a word introduces a declared name or another such
// word.
func declaring(word string) bool {
	switch word {
	case "declare", "abstract", "interface", "type", "var", "let", "const", "function", "class", "namespace", "module", "enum":
		return true
	}
	return false
}
