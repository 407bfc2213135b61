package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxDepthOfNames is the maximum depth of superclasses and protocols that are
// searched for a nested type.
const maxDepthOfNames = 8

// names caches data about one entity for the lookup of nested types. It is valid
// for one epoch of the world.
type names struct {
	epoch    int
	bases    []base
	target   *entity            // target of an alias, or nil if it is unknown
	found    map[string]*entity // results of nestedType; nil if there is no such type
	declarer []*entity          // the entities with nested types among the bases and the bases of these
	// These record whether a field is being computed or is complete.
	baseState, targetState, declarerState progress
}

type progress uint8

const (
	started progress = iota + 1
	complete
)

// base is a superclass or protocol in the package that is searched for nested
// types.
type base struct {
	name   string // the first component of its path, as written
	entity *entity
}

// cached returns the cache of an entity.
func (e *entity) cached() *names {
	if epoch := e.unit.w.epoch; e.names == nil || e.names.epoch != epoch {
		e.names = &names{epoch: epoch}
	}
	return e.names
}

// enter and leave enclose a computation whose result is cached. A computation that
// needs its own result, because declarations depend on themselves, sets w.cyclic: results cached in
// the meantime may be incomplete, and are discarded at the end. Only the outermost result, which is
// stored in n by keep, is complete.
func (w *world) enter() { w.resolving++ }

func (w *world) leave(e *entity, keep func(n *names)) {
	if w.resolving--; w.resolving == 0 && w.cyclic {
		w.cyclic = false
		w.epoch++
	}
	keep(e.cached())
}

// hasParameter reports whether a name is one of the generic parameters.
func (e *entity) hasParameter(name string) bool {
	if e.decl == nil || e.decl.Kind == source.Protocol || len(e.decl.Generics) == 0 {
		return false
	}
	if len(e.decl.Generics) > manyParameters {
		f := e.fact()
		if f.parameters == nil {
			f.parameters = map[string]bool{}
			for i := range e.decl.Generics {
				f.parameters[e.decl.Generics[i].Name] = true
			}
		}
		return f.parameters[name]
	}
	for i := range e.decl.Generics {
		if e.decl.Generics[i].Name == name {
			return true
		}
	}
	return false
}

// manyParameters is the number of generic parameters above which they are looked
// up in a map.
const manyParameters = 8

// nestedType finds a type in a type, its superclass and its protocols. It returns
// nil if there is none.
func (e *entity) nestedType(name string) *entity {
	if t := e.nested[name]; t != nil {
		return t
	}
	if e.decl == nil || !e.isType() || len(e.decl.Inherits) == 0 {
		return nil
	}
	n := e.cached()
	if t, ok := n.found[name]; ok {
		return t
	}
	w := e.unit.w
	w.enter()
	var t *entity
	if slices.ContainsFunc(e.declarers(), func(d *entity) bool { return d.nested[name] != nil }) {
		t = e.searchBases(name, maxDepthOfNames, map[*entity]int{})
	}
	w.leave(e, func(n *names) {
		if n.found == nil {
			n.found = map[string]*entity{}
		}
		n.found[name] = t
	})
	return t
}

// searchBases looks for a nested type in the bases of an entity, up to the given depth. seen
// contains the remaining depth at which an entity was searched without success.
func (e *entity) searchBases(name string, depth int, seen map[*entity]int) *entity {
	if depth == 0 || e.decl == nil || !e.isType() || seen[e] >= depth {
		return nil
	}
	seen[e] = depth
	for _, b := range e.supertypes() {
		if b.name == name || !e.unit.w.meter.Step(1) {
			continue
		}
		if t := b.entity.nested[name]; t != nil {
			return t
		}
		if t := b.entity.searchBases(name, depth-1, seen); t != nil {
			return t
		}
	}
	return nil
}

// supertypes returns the superclass and the protocols in the inheritance clause of
// an entity that the package declares.
func (e *entity) supertypes() []base {
	n, w := e.cached(), e.unit.w
	switch n.baseState {
	case complete:
		return n.bases
	case started:
		w.cyclic = true
		return nil
	}
	n.baseState = started
	w.enter()
	var all []base
	for _, text := range e.decl.Inherits {
		path := typePath(text)
		if len(path) == 0 || e.parent == nil && path[0] == e.name {
			continue
		}
		if b := e.unit.first(path, e.parent, e.file); b != nil && b != e {
			if b = b.underlying(); b != e && b != nil {
				all = append(all, base{path[0], b})
			}
		}
	}
	w.leave(e, func(n *names) { n.bases, n.baseState = all, complete })
	return all
}

// declarers returns the entities with nested types among the bases of an entity and the bases of
// these. Most names are not the names of nested types, and a search of these entities shows that
// quickly.
func (e *entity) declarers() []*entity {
	n, w := e.cached(), e.unit.w
	switch n.declarerState {
	case complete:
		return n.declarer
	case started:
		w.cyclic = true
		return nil
	}
	n.declarerState = started
	w.enter()
	var all []*entity
	level, seen := []*entity{e}, map[*entity]bool{e: true}
	for range maxDepthOfNames {
		var next []*entity
		for _, x := range level {
			if x.decl == nil || !x.isType() {
				continue
			}
			for _, b := range x.supertypes() {
				if seen[b.entity] || !w.meter.Step(1) {
					continue
				}
				seen[b.entity] = true
				next = append(next, b.entity)
				if len(b.entity.nested) > 0 {
					all = append(all, b.entity)
				}
			}
		}
		level = next
	}
	w.leave(e, func(n *names) { n.declarer, n.declarerState = all, complete })
	return all
}

// underlying returns the type that an alias refers to. It returns the entity itself if it is not an
// alias or the type is unknown.
func (e *entity) underlying() *entity {
	for range maxSteps {
		if e == nil || !e.is(source.TypeAlias) {
			return e
		}
		t := e.aliased()
		if t == nil || t == e {
			return e
		}
		e = t
	}
	return e
}

// aliased returns the target of an alias, which may be another alias. It returns nil if that is
// unknown or depends on the alias itself.
func (e *entity) aliased() *entity {
	n, w := e.cached(), e.unit.w
	switch n.targetState {
	case complete:
		return n.target
	case started:
		w.cyclic = true
		return nil
	}
	n.targetState = started
	w.enter()
	path := typePath(e.decl.Type)
	t := e.unit.lookup(path, e.parent, e.file, false)
	if t == nil && !strings.ContainsAny(e.decl.Type, "&(") {
		t = w.outside(path)
	}
	w.leave(e, func(n *names) { n.target, n.targetState = t, complete })
	return t
}
