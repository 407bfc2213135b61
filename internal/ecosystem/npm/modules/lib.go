package modules

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// errorTypes declares what errors are, which many packages extend, for projects
// without TypeScript.
//
//go:embed errors.d.ts
var errorTypes embed.FS

// late is a file of TypeScript's library that is read when a name is looked
// for that it declares.
type late struct {
	pkg  *pkg
	path string
	// names are all that it may declare, and some words of its comments.
	names map[string]bool
}

// large is the size of a file of the library, in bytes, from which on it and
// those after it are read late: that of browsers is ten times as large as all
// that every program has, and few packages have to do with it.
const large = 512 << 10

// global finds a global name: in the files that were reached, then in
// TypeScript's own library, then in the declarations of Node.js.
func (r *Reader) global(name string, want meaning) *symbol {
	find := func() *symbol {
		if s := r.globals.get(name); s != nil && s.meaning()&want != 0 {
			return s
		}
		return nil
	}
	// Both, as in a project for Node.js: its declarations add to those of the
	// library.
	r.loadLib()
	r.loadLate(name)
	r.loadNode(r.main)
	if s := find(); s != nil {
		return s
	}
	// export as namespace React, of a module that is imported somewhere, as
	// react, makes it known everywhere.
	folded := strings.ToLower(name)
	l, ok := r.imported[folded]
	if !ok {
		return nil
	}
	delete(r.imported, folded)
	r.moduleOf(l.from, l.spec)
	return find()
}

// loadNode reads the declarations of Node.js, if they are to be had. It tells
// whether something came of it.
func (r *Reader) loadNode(from *pkg) bool {
	if r.nodeTried {
		return r.nodeRead
	}
	r.nodeTried = true
	p := from
	if from.Name != "@types/node" {
		if p = r.dep(from, "@types/node"); p == nil && from != r.main {
			p = r.dep(r.main, "@types/node")
		}
	}
	if p == nil {
		return false
	}
	if f, ok := p.subpath(".", typed); ok {
		// What it adds to comes before it.
		r.loadLib()
		r.loadAllLate()
		if m := r.load(p, f); m != nil {
			r.nodeRead = true
			r.closure(m)
		}
	}
	return r.nodeRead
}

// loadLib reads the library of TypeScript: Array, Promise, Error, HTMLElement.
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
		// From version 7 on the library is in a package for each platform.
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

// isLib reports whether a module is a file of TypeScript's library.
func (r *Reader) isLib(m *module) bool { return r.lib != nil && m.pkg == r.lib && m.pkg != r.main }

func (r *Reader) libOfPlatform(p *pkg, file string) *pkg {
	for _, name := range p.manifest.optional {
		if d := r.dep(p, name); d != nil && d.exists(file) {
			return d
		}
	}
	return nil
}

// libFile reads a file of the library and those that it refers to, or notes it
// for later.
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

// loadLate reads the files of the library that declare a global name, in their
// order.
func (r *Reader) loadLate(name string) {
	r.loadWanted(func(l *late) bool { return l.names[name] })
}

// loadAllLate reads what is left of the library.
func (r *Reader) loadAllLate() {
	r.loadWanted(func(l *late) bool { return l.names != nil })
}

func (r *Reader) loadWanted(wanted func(*late) bool) {
	for {
		i := slices.IndexFunc(r.late, wanted) // one may have referred to others
		if i < 0 {
			return
		}
		l := r.late[i]
		l.names = nil
		r.libNow(l.pkg, l.path)
	}
}

// declaredNames finds what is declared at the start of lines, at whatever depth.
func declaredNames(src string) map[string]bool {
	names := make(map[string]bool, len(src)/500)
	for src != "" {
		var line string
		line, src, _ = strings.Cut(src, "\n")
		for {
			line = line[blanks(line):]
			if line == "" || line[0] < 'a' || line[0] > 'z' {
				break
			}
			word, rest, _ := strings.Cut(line, " ")
			if !declaring(word) {
				break
			}
			line = rest[blanks(rest):]
			if end := strings.IndexFunc(line, notInName); end > 0 {
				names[line[:end]] = true
			} else if end < 0 {
				names[line] = true
			}
		}
	}
	return names
}

// blanks counts the spaces and tabs that s begins with.
func blanks(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

// declaring tells the words behind which a name or another such word stands.
func declaring(word string) bool {
	switch word {
	case "declare", "abstract", "interface", "type", "var", "let", "const", "function", "class", "namespace", "module", "enum":
		return true
	}
	return false
}
