package modules

import (
	"slices"
	"strings"
)

// star is a statement "from module import *".
type star struct {
	module           string
	typing, fallback bool
	tried            bool // whether it is in a try statement
	line             int
	before           int     // the number of names that the scope has bound before it
	target           *module // the module, once it has been found
}

// target returns the module of a star import of a file, or nil if there is none.
func (r *Reader) target(f *file, s *star) *module {
	if s.target == nil {
		s.target = r.module(f.mod.dist, s.module)
	}
	return s.target
}

// namesOf appends the names that a star import of a file binds. Within one collection,
// each module, and each part of a module, contributes its names once.
func (r *Reader) namesOf(names []string, f *file, s star) []string {
	m := r.module(f.mod.dist, s.module)
	if m == nil || m == f.mod || !r.check() {
		return names
	}
	if i := r.running(m, f); i >= 0 {
		return r.namesUntil(names, m.code, i)
	}
	return r.starred(names, m)
}

// collect begins a collection of names, which ends when the returned function is
// called.
func (r *Reader) collect() (end func()) {
	outer := r.collected
	r.collected = map[any]bool{}
	return func() { r.collected = outer }
}

// visit reports whether the current collection visits a module, or a part of a module, for the
// first time.
func (r *Reader) visit(key any) bool {
	if r.collected[key] {
		return false
	}
	r.collected[key] = true
	return true
}

// reach is the search for the modules to which the star imports of a package lead. The search
// continues when a module is requested that was not found yet.
type reach struct {
	found map[*module]int // index of the first star import that leads to a module
	next  int             // index of the star import that is searched next
	queue []*module
}

// running returns the index of the star import in a package that leads to a file of a module below
// the package, or -1. The interpreter imports the package first. Therefore, the file runs during
// that import and sees only names that the package has bound before it.
func (r *Reader) running(m *module, f *file) int {
	if f.stub || m.code == nil || !strings.HasPrefix(f.mod.name, m.name+".") {
		return -1
	}
	index := r.leads(m, f.mod)
	if index >= 0 && len(m.code.scope.all) > 0 && m.code.scope.all[0].Line < m.code.scope.stars[index].line {
		return -1 // __all__ is complete before this import
	}
	return index
}

// leads returns the index of the first star import of a package that leads to another
// module, directly or through star imports of other modules. It returns -1 if there is
// none.
func (r *Reader) leads(m, to *module) int {
	search := r.reaches[m]
	if search == nil {
		search = &reach{found: map[*module]int{m: -1}}
		r.reaches[m] = search
	}
	for {
		if index, ok := search.found[to]; ok {
			return index
		}
		stars := m.code.scope.stars
		switch {
		case len(search.queue) > 0:
			next := search.queue[0]
			search.queue = search.queue[1:]
			if next.code == nil {
				continue
			}
			for _, s := range next.code.scope.stars {
				r.enqueue(search, m, next, s)
			}
		case search.next < len(stars):
			search.next++
			r.enqueue(search, m, m, stars[search.next-1])
		default:
			return -1
		}
	}
}

// enqueue adds the module of a star import to a search.
func (r *Reader) enqueue(search *reach, _, from *module, s star) {
	if s.typing || !r.check() {
		return
	}
	to := r.module(from.dist, s.module)
	if _, ok := search.found[to]; ok || to == nil {
		return
	}
	search.found[to] = search.next - 1
	search.queue = append(search.queue, to)
}

// until is a file up to one of its star imports.
type until struct {
	file  *file
	index int
}

// namesUntil appends the public names that a file has bound before one of its
// star imports.
func (r *Reader) namesUntil(names []string, f *file, index int) []string {
	if !r.visit(until{f, index}) {
		return names
	}
	for _, b := range f.scope.order[:min(f.scope.stars[index].before, len(f.scope.order))] {
		if !strings.HasPrefix(b.name, "_") && !b.typing {
			names = append(names, b.name)
		}
	}
	for _, s := range f.scope.stars[:index] {
		if !s.typing {
			names = r.namesOf(names, f, s)
		}
	}
	return names
}

// lookupStars looks for a name in the modules of a file's star imports, the last
// import first. It returns nil if there is none.
func (r *Reader) lookupStars(f *file, stars []star, name string) *entity {
	for _, fallback := range [...]bool{false, true} { // Imports that run only if another import failed come last.
		for i := range slices.Backward(stars) {
			s := &stars[i]
			if s.fallback != fallback {
				continue
			}
			m := r.target(f, s)
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

// lookupUntil looks for a name among the names that a file has bound before one of its
// star imports. It returns nil if there is none.
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

// starred appends the names that "from m import *" binds, except names that the current collection
// has already found.
func (r *Reader) starred(names []string, m *module) []string {
	first := len(r.collected) == 0
	if !r.visit(m) {
		return names
	}
	if m.exporting == 1 || m.starring { // An enclosing collection is in progress.
		r.blocked++
		return names
	}
	for _, f := range m.files() {
		if len(f.scope.all) > 0 {
			return append(names, r.exports(m)...)
		}
	}
	if m.starred {
		return append(names, m.stars...)
	}
	m.starring = true
	defer func() { m.starring = false }()
	blocked, start := r.blocked, len(names)
	for _, f := range m.files() {
		if f.stub && m.code != nil {
			continue
		}
		names = r.natural(names, f, true)
	}
	if len(names) > start+maxBindings {
		names = names[:start+maxBindings]
	}
	if first && r.blocked == blocked && !r.meter.Spent() { // The names are complete.
		m.stars, m.starred = unique(slices.Clone(names[start:])), true
	}
	return names
}

// unique removes repeated names.
func unique(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(n string) bool {
		if seen[n] {
			return true
		}
		seen[n] = true
		return false
	})
}

// gives reports whether "from m import *" binds the given name.
func (r *Reader) gives(m *module, name string) bool {
	for _, f := range m.files() {
		if len(f.scope.all) == 0 {
			continue
		}
		names := r.exports(m)
		if m.exporting == 1 { // The names of m are being computed.
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
