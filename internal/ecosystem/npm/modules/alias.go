package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// closure loads the imports of a file within its package, and re-exports from other
// packages, to find all global declarations and augmentations that TypeScript would
// find. In a package that is read in parts, it loads nothing.
func (r *Reader) closure(start *module) {
	if r.inParts {
		return
	}
	queue := []*module{start}
	for len(queue) > 0 && r.check() {
		m := queue[0]
		queue = queue[1:]
		if m.closed {
			continue
		}
		m.closed = true
		for _, l := range m.imports {
			if l.types {
				// The types of Node.js are large, and are only loaded when a name is not
				// found.
				if t := r.typesReference(m, l.spec); t != nil {
					queue = append(queue, t)
				}
				continue
			}
			if !isNear(l.spec) && !l.reexport {
				if name, _ := splitSpecifier(l.spec); name != m.pkg.Name {
					l.from = m
					r.imported[strings.ToLower(l.spec)] = l
					continue
				}
			}
			if t := r.moduleOf(m, l.spec); t != nil && !t.closed {
				queue = append(queue, t)
			}
		}
	}
	r.augment()
}

// typesReference loads the package in /// <reference types="x" />. It returns nil
// if there is none.
func (r *Reader) typesReference(m *module, spec string) *module {
	if spec == "node" {
		return nil
	}
	name, sub := splitSpecifier(spec)
	for _, n := range [...]string{typesName(name), name} {
		p := m.pkg
		if n != p.Name {
			p = r.dep(m.pkg, n)
		}
		if p == nil {
			continue
		}
		if f, ok := p.subpath(sub, typed); ok {
			return r.load(p, f)
		}
	}
	return nil
}

// moduleOf loads the module that a specifier in m refers to. It returns nil if
// the module cannot be found.
func (r *Reader) moduleOf(m *module, spec string) *module {
	t, ok := r.resolve(m, spec)
	if !ok {
		return nil
	}
	if t.ambient != nil {
		return t.ambient
	}
	n := r.load(t.pkg, t.path)
	if n != nil && n.script {
		// A script declares modules only by name. Other scripts, which it references, can add to them.
		if r.exact {
			r.closure(n)
		}
		if a := r.ambient[spec]; a != nil {
			return a
		}
	}
	return n
}

// augment merges each declare module "x" block within a module into the module
// x.
func (r *Reader) augment() {
	if len(r.augments) > 0 {
		r.memo = memo{}
		r.memo.forget()
	}
	for len(r.augments) > 0 {
		a := r.augments[0]
		r.augments = r.augments[1:]
		name := a.node.Name()
		m := r.moduleOf(a.scope.mod, name)
		if m == nil {
			continue
		}
		exports := newTable()
		into := m.scope.exports
		if m.equals != nil {
			if e := r.target(m.equals); e != nil {
				if e.exports == nil {
					e.exports = newTable()
				}
				into = e.exports
			}
		}
		around := &scope{parent: a.scope, locals: newTable(), exports: into, mod: a.scope.mod}
		in := &scope{parent: around, locals: newTable(), exports: exports, mod: a.scope.mod}
		b := binder{r: r, m: a.scope.mod, ambient: true}
		b.body(in, a.node, !hasExports(a.node))
		for _, s := range exports.order {
			to := into.get(s.name)
			if to == nil {
				to = r.fromStars(m, s.name, map[*module]bool{})
			}
			if to != nil && to.alias != nil {
				if t := r.target(to); t != nil {
					to = t
				}
			}
			if to == nil {
				into.set(s)
				continue
			}
			merge(to, s)
		}
	}
}

// merge adds the declarations of a symbol to another one, to which its name then refers.
func merge(to, from *symbol) {
	if to == from || to.namespaceOf != nil || from.alias != nil {
		return
	}
	to.members = nil
	to.decls = append(to.decls, from.decls...)
	from.decls, from.alias, from.target, from.resolved = nil, &alias{}, to, true
	if from.exports == nil {
		return
	}
	if to.exports == nil {
		to.exports = newTable()
	}
	for _, s := range from.exports.order {
		if t := to.exports.get(s.name); t != nil {
			merge(t, s)
		} else {
			to.exports.set(s)
		}
	}
}

// maxAliases limits the length of a chain of aliases.
const maxAliases = 500

// target follows aliases to the symbol that they refer to, or nil if it cannot be
// found.
func (r *Reader) target(s *symbol) *symbol {
	switch {
	case s == nil || s.alias == nil:
		return s
	case s.resolved:
		return s.target
	case s.resolving || r.aliases > maxAliases:
		return nil
	}
	s.resolving = true
	r.aliases++
	s.target = r.target(r.follow(s.alias))
	r.aliases--
	s.resolving, s.resolved = false, true
	return s.target
}

// follow returns the symbol that an alias refers to, which may be another alias.
// It returns nil if there is none.
func (r *Reader) follow(a *alias) *symbol {
	if a.spec == "" {
		return r.entity(a.scope, a.name, anything)
	}
	if a.spec == selfSpec {
		return a.scope.exports.get(a.name)
	}
	m := r.moduleOf(a.scope.mod, a.spec)
	if m == nil {
		return nil
	}
	r.combine(m)
	if a.name == "*" {
		if m.equals != nil && (a.equals || m.scope.exports.get("default") == nil) {
			return m.equals
		}
		return &symbol{name: a.name, namespaceOf: m}
	}
	s := r.export(m, a.name)
	if s == nil && !m.closed {
		// Another file of an imported package may declare the name.
		r.closure(m)
		s = r.export(m, a.name)
	}
	return s
}

// combine adds the other exports of a module to the symbol that the module assigns to export =,
// because importers see both.
func (r *Reader) combine(m *module) {
	if m.equals == nil || m.combined || m.script || len(m.scope.exports.order) == 0 {
		return
	}
	m.combined = true
	e := r.target(m.equals)
	if e == nil || e.namespaceOf != nil || e.exports == m.scope.exports {
		return
	}
	if e.exports == nil {
		e.exports = newTable()
	}
	for _, s := range m.scope.exports.order {
		if e.exports.get(s.name) == nil && s != e {
			e.exports.set(s)
		}
	}
}

// export returns the export of a module with the given name, or nil if there is none.
func (r *Reader) export(m *module, name string) *symbol {
	if s := m.scope.exports.get(name); s != nil && !m.script {
		return s
	}
	if m.equals != nil {
		e := r.target(m.equals)
		if name == "export=" || name == "default" && (e == nil || e.exports.get(name) == nil) {
			return m.equals
		}
		if e != nil {
			if e.namespaceOf != nil {
				return r.export(e.namespaceOf, name)
			}
			if s := e.exports.get(name); s != nil {
				return s
			}
			// import {x} from a module that exports an object refers to a property
			// of the object.
			return r.within(e, name)
		}
		return nil
	}
	if name == "default" {
		// The default import of a module without a default export is the module
		// itself, as for CommonJS in Node.js.
		if m.file != nil && m.file.Language == dts.TypeScript {
			return nil
		}
		return &symbol{name: name, namespaceOf: m}
	}
	return r.fromStars(m, name, map[*module]bool{})
}

func (r *Reader) fromStars(m *module, name string, seen map[*module]bool) *symbol {
	if seen[m] {
		return nil
	}
	seen[m] = true
	if s := m.starred[name]; s != nil {
		return s
	}
	for i, spec := range m.stars {
		t := r.moduleOf(m.starsAt[i].mod, spec)
		if t == nil {
			continue
		}
		if s := r.fromStar(t, name, seen); s != nil {
			if m.starred == nil {
				m.starred = map[string]*symbol{}
			}
			m.starred[name] = s
			return s
		}
	}
	return nil
}

// fromStar returns a name that a module has if it exports all names of t.
func (r *Reader) fromStar(t *module, name string, seen map[*module]bool) *symbol {
	if s := t.scope.exports.get(name); s != nil && !t.script {
		return s
	}
	if !r.scripts || t.equals == nil || seen[t] {
		return r.fromStars(t, name, seen)
	}
	seen[t] = true
	e := r.target(t.equals) // A script exports the properties of the value that it assigns to module.exports.
	switch {
	case e == nil:
		return nil
	case e.namespaceOf == nil:
		return r.within(e, name)
	}
	return r.fromStar(e.namespaceOf, name, seen)
}

// exportsOf lists the exports of a module, with its own exports before those of export *.
func (r *Reader) exportsOf(m *module) []*symbol {
	seen := map[string]bool{}
	var out []*symbol
	visited := map[*module]bool{}
	var visit func(m *module, depth int)
	visit = func(m *module, depth int) {
		if visited[m] || !r.check() {
			return
		}
		visited[m] = true
		add := func(t *table) {
			if t == nil {
				return
			}
			for _, s := range t.order {
				if !seen[s.name] && (depth == 0 || s.name != "default") {
					seen[s.name] = true
					out = append(out, s)
				}
			}
		}
		if !m.script {
			add(m.scope.exports)
		}
		// In TypeScript, export * does not include export =.
		if m.equals != nil && depth == 0 {
			if e := r.target(m.equals); e != nil {
				add(e.exports)
				add(r.instanceExports(m, e))
				if e.namespaceOf != nil {
					visit(e.namespaceOf, depth)
				}
			}
		}
		for i, spec := range m.stars {
			if t := r.moduleOf(m.starsAt[i].mod, spec); t != nil {
				visit(t, depth+1)
			} else {
				r.warn("%s re-exports everything from %q, which was not found", m.path, spec)
			}
		}
	}
	visit(m, 0)
	return out
}

// instanceExports returns the members of an object made with new that a JavaScript
// module exports, as in module.exports = new Passport(). It returns nil for other
// modules.
func (r *Reader) instanceExports(m *module, e *symbol) *table {
	t, ok := valueType(e)
	if !ok || m.file.Language != dts.JavaScript || t.node.Kind != dts.Ref || !t.node.Has(dts.FlagInferred) {
		return nil
	}
	class := r.target(r.entity(t.scope, t.node.Text, valueMeaning))
	if class == nil {
		return nil
	}
	found := newTable()
	add := func(d decl) {
		if name := d.node.Name(); found.get(name) == nil && d.node.Kind != dts.Constructor && !strings.HasPrefix(name, "[") {
			d.node = asFunction(d.node)
			found.set(&symbol{name: name, decls: []decl{d}})
		}
	}
	if isClass(class) {
		for _, p := range r.membersOf(class).props.order {
			add(p.decls[0])
		}
		return found
	}
	for _, d := range class.decls {
		f := d.node
		if t := f.Type(); f.Kind == dts.Variable && t != nil {
			f = t // const X = function () { this.a = … }
		}
		for c := range f.All(dts.Property) {
			add(decl{c, d.scope})
		}
	}
	for _, d := range class.methods {
		add(d)
	}
	return found
}

// meaning is the set of declaration spaces that a name belongs to: type, value and
// namespace. The same name may be a type here and a value in an outer scope.
type meaning uint8

const (
	typeMeaning meaning = 1 << iota
	valueMeaning
	spaceMeaning
	anything = typeMeaning | valueMeaning | spaceMeaning
)

func (s *symbol) meaning() meaning {
	if s.alias != nil || s.namespaceOf != nil {
		return anything
	}
	var m meaning
	for _, d := range s.decls {
		switch d.node.Kind {
		case dts.Interface, dts.TypeAlias:
			m |= typeMeaning
		case dts.Class:
			m |= typeMeaning | valueMeaning
		case dts.Enum:
			m |= anything
		case dts.Namespace:
			m |= spaceMeaning | valueMeaning
		default:
			m |= valueMeaning
		}
	}
	return m
}

// lookup finds a name in a scope or an enclosing one, but not a global name. It
// returns nil if there is none.
func (r *Reader) lookup(s *scope, name string, want meaning) *symbol {
	for ; s != nil; s = s.parent {
		if sym := s.locals.get(name); sym != nil && sym.meaning()&want != 0 {
			// The names were declared by import { X }, which is a value, and export type X = typeof
			// X.
			if x := s.exports.get(name); sym.alias != nil && x != nil && x.alias == nil && want != anything && x.meaning()&want != 0 {
				return x
			}
			return sym
		}
		if sym := s.exports.get(name); sym != nil && sym.meaning()&want != 0 && !(sym.alias != nil && sym.alias.hidden) && s.exports != r.globals {
			return sym
		}
	}
	return nil
}

// find finds a name in a scope, an enclosing scope, or the global scope.
func (r *Reader) find(s *scope, name string, want meaning) *symbol {
	if sym := r.lookup(s, name, want); sym != nil {
		return sym
	}
	return r.global(name, want)
}

// entity resolves a dotted name. It returns nil if there is none.
func (r *Reader) entity(s *scope, name string, want meaning) *symbol {
	first, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return r.find(s, first, want)
	}
	var sym *symbol
	if first == "globalThis" && r.lookup(s, first, anything) == nil {
		first, rest, dotted = strings.Cut(rest, ".")
		if sym = r.global(first, spaceMeaning|valueMeaning); !dotted {
			return r.global(first, want)
		}
	} else {
		sym = r.find(s, first, spaceMeaning|valueMeaning)
	}
	for dotted {
		sym = r.target(sym)
		if sym == nil {
			return nil
		}
		first, rest, dotted = strings.Cut(rest, ".")
		sym = r.within(sym, first)
	}
	return sym
}

// entityLocal is like entity, but does not find global values.
func (r *Reader) entityLocal(s *scope, name string) *symbol {
	if first, _, _ := strings.Cut(name, "."); r.lookup(s, first, anything) == nil {
		return nil
	}
	return r.target(r.entity(s, name, valueMeaning|spaceMeaning))
}

// maxSearches is the maximum number of nested searches for a name within another name.
const maxSearches = 50

// within finds a name in a namespace, a class, or a module's namespace object. It
// returns nil if there is none.
func (r *Reader) within(sym *symbol, name string) *symbol {
	if r.searches >= maxSearches { // This prevents endless recursion in const x: x.y and class A extends A.B.
		return nil
	}
	r.searches++
	defer func() { r.searches-- }()
	if sym.namespaceOf != nil {
		return r.export(sym.namespaceOf, name)
	}
	if s := sym.exports.get(name); s != nil {
		return s
	}
	if e := enumValue(sym, name); e != nil {
		return e
	}
	// A variable may be declared as var global: typeof globalThis.
	if t, ok := valueType(sym); ok && t.node.Is(dts.TypeQuery) && t.node.Text == "globalThis" {
		return r.global(name, anything)
	}
	if s := r.propertySymbol(sym, name); s != nil || !isClass(sym) {
		return s
	}
	return r.inheritedValue(sym, name, 0)
}

// inheritedValue finds a static name in the base classes of a class, because typeof
// Stream has the members of typeof EventEmitter. It returns nil if there is none.
func (r *Reader) inheritedValue(sym *symbol, name string, depth int) *symbol {
	for _, d := range sym.decls {
		h := d.node.Child(dts.Extends)
		if h == nil || !h.Base().Is(dts.Ref) || d.node.Kind != dts.Class || depth > 20 {
			continue
		}
		base := r.target(r.entity(d.scope, h.Base().Text, valueMeaning))
		if base == nil || base == sym {
			return nil
		}
		if s := base.exports.get(name); s != nil {
			return s
		}
		return r.inheritedValue(base, name, depth+1)
	}
	return nil
}

func enumValue(sym *symbol, name string) *symbol {
	for _, d := range sym.decls {
		if d.node.Kind != dts.Enum {
			continue
		}
		for m := range d.node.Children() {
			if m.Name() == name {
				return &symbol{name: name, decls: []decl{{m, d.scope}}}
			}
		}
	}
	return nil
}
