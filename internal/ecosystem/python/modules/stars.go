package modules

import (
	"slices"
	"strings"
)

// star is a statement "from module import *".
type star struct {
	module           string
	typing, fallback bool
	line             int
	before           int // the number of names that the scope has bound before it
}

// namesOf returns the names that a star import of a file binds.
func (r *Reader) namesOf(f *file, s star) []string {
	m := r.module(f.mod.dist, s.module)
	switch {
	case m == nil || m == f.mod:
		return nil
	case r.running(m, f) >= 0:
		return r.namesUntil(m.code, r.running(m, f))
	}
	return r.starred(m)
}

// running returns the index of the star import in a package that leads to a file of a
// module below the package, or -1. The interpreter imports the package first. So the
// file runs during that import and sees only names that the package has bound before
// it.
func (r *Reader) running(m *module, f *file) int {
	if f.stub || m.code == nil || !strings.HasPrefix(f.mod.name, m.name+".") {
		return -1
	}
	key := [2]*module{m, f.mod}
	if i, ok := r.imports[key]; ok {
		return i
	}
	seen := map[*module]bool{m: true}
	index := slices.IndexFunc(m.code.scope.stars, func(s star) bool {
		return !s.typing && r.leads(r.module(m.dist, s.module), f.mod, seen)
	})
	if index >= 0 && len(m.code.scope.all) > 0 && m.code.scope.all[0].Line < m.code.scope.stars[index].line {
		index = -1 // __all__ is complete before this import
	}
	r.imports[key] = index
	return index
}

// leads reports whether star imports of a module lead to another one.
func (r *Reader) leads(from, to *module, seen map[*module]bool) bool {
	queue := []*module{from}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		if m == to {
			return true
		}
		if m == nil || m.code == nil || seen[m] {
			continue
		}
		seen[m] = true
		for _, s := range m.code.scope.stars {
			if !s.typing {
				queue = append(queue, r.module(m.dist, s.module))
			}
		}
	}
	return false
}

// namesUntil returns the public names that a file has bound before one of its star
// imports.
func (r *Reader) namesUntil(f *file, index int) []string {
	var names []string
	for _, b := range f.scope.order[:min(f.scope.stars[index].before, len(f.scope.order))] {
		if !strings.HasPrefix(b.name, "_") && !b.typing {
			names = append(names, b.name)
		}
	}
	for _, s := range f.scope.stars[:index] {
		if !s.typing {
			names = append(names, r.namesOf(f, s)...)
		}
	}
	return names
}

// lookupStars looks for a name in the modules of a file's star imports, the last
// import first. It returns nil if there is none.
func (r *Reader) lookupStars(f *file, stars []star, name string) *entity {
	for _, fallback := range [...]bool{false, true} { // imports that run only if another import failed come last
		for _, s := range slices.Backward(stars) {
			if s.fallback != fallback {
				continue
			}
			m := r.module(f.mod.dist, s.module)
			if m == nil || m == f.mod {
				continue
			}
			var e *entity
			if i := r.running(m, f); i >= 0 {
				e = r.lookupUntil(m.code, i, name)
			} else if r.gives(m, name) {
				e = r.lookup(m, name, f.stub)
			}
			if e.known() {
				return e
			}
		}
	}
	return nil
}

// lookupUntil looks for a name among those that a file has bound before one of
// its star imports. It returns nil if there is none.
func (r *Reader) lookupUntil(f *file, index int, name string) *entity {
	if strings.HasPrefix(name, "_") {
		return nil
	}
	b := f.scope.names[name]
	if b != nil && slices.Contains(f.scope.order[:min(f.scope.stars[index].before, len(f.scope.order))], b) {
		if e := r.followAny(b); e.known() {
			return e
		}
	}
	return r.lookupStars(f, f.scope.stars[:index], name)
}

// keeps reports whether a stub does not export a name that it imports (PEP
// 484).
func (f *file) keeps(b *binding) bool { return f.stub && b.imported && !b.explicit }

// starred returns the names that "from m import *" binds.
func (r *Reader) starred(m *module) []string {
	if m.exporting == 1 {
		r.cycles++
		return nil
	}
	for _, f := range m.files() {
		if len(f.scope.all) > 0 {
			return r.exports(m)
		}
	}
	switch {
	case m.starred:
		return m.stars
	case m.starring:
		r.cycles++
		return nil
	}
	m.starring = true
	cycles := r.cycles
	var names []string
	for _, f := range m.files() {
		if f.stub && m.code != nil {
			continue
		}
		names = append(names, r.natural(f, true)...)
	}
	if len(names) > maxBindings {
		names = names[:maxBindings]
	}
	m.starring = false
	if r.cycles == cycles { // no cycle made the result incomplete
		m.stars, m.starred = names, true
	}
	return names
}

// gives reports whether "from m import *" binds a name.
func (r *Reader) gives(m *module, name string) bool {
	for _, f := range m.files() {
		if len(f.scope.all) == 0 {
			continue
		}
		names := r.exports(m)
		if m.exporting == 1 { // the names of m are being computed
			return true
		}
		if m.listed == nil {
			m.listed = set(names...)
		}
		return m.listed[name]
	}
	if m.code == nil && m.stub != nil {
		if b := m.stub.scope.names[name]; b != nil && m.stub.keeps(b) {
			return false
		}
	}
	return !strings.HasPrefix(name, "_")
}
