package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// maxInherited is the maximum number of members that one type inherits.
const maxInherited = 5000

// inheritedSteps is the number of steps counted for an inherited member, which is
// documented with each type that inherits it.
const inheritedSteps = 80

// inheritedMembers returns the visible members that a type inherits from
// extensions of the protocols that it conforms to.
func (r *reading) inheritedMembers(t *entity) []*entity {
	if t.isProtocol() {
		return nil
	}
	var all []*entity
	has := map[*extension]bool{}
	conditional := map[*entity]bool{} // conditional contains the protocols with a conditional conformance.
	super := t.superclass()
	for _, c := range t.conformances() {
		if c.ext != nil && !slices.Contains(r.sees, c.ext.unit) {
			continue
		}
		// The members of a superclass that is listed are documented with the superclass.
		if super != nil && super.unit != nil && r.shows(super.unit) && super.conformsTo(c.protocol) {
			continue
		}
		conditional[c.protocol] = c.ext != nil && len(c.ext.where) > 0
		for _, x := range c.protocol.extensions {
			if has[x] || x.hidden || !slices.Contains(r.sees, x.unit) || len(all) > maxInherited {
				continue
			}
			has[x] = true
			if !r.w.meter.Step(1) || !r.applies(x, t) {
				continue
			}
			for _, m := range x.members {
				if r.w.meter.Step(inheritedSteps) && m.isVisible() && !m.isType() && !m.is(source.TypeAlias) && !r.shadowed(m, t) {
					all = append(all, m)
				}
			}
		}
	}
	return r.best(all, conditional)
}

// best removes functions that calls cannot reach. A function with the same name
// and parameters takes precedence if it comes from a more specific protocol or
// from an unconditional conformance.
func (r *reading) best(all []*entity, conditional map[*entity]bool) []*entity {
	parents := map[string][]*entity{} // parents is keyed by callKey.
	for _, m := range all {
		if key := callKey(m); key != "" && !slices.Contains(parents[key], m.parent) {
			r.w.meter.Step(len(parents[key]) / 8)
			parents[key] = append(parents[key], m.parent)
		}
	}
	return slices.DeleteFunc(all, func(m *entity) bool {
		for _, o := range parents[callKey(m)] {
			switch r.w.meter.Step(1); {
			case o == m.parent:
			case conditional[o] && !conditional[m.parent]:
			case conditional[m.parent] && !conditional[o], r.w.inheritsProtocol(o, m.parent):
				return true
			}
		}
		return false
	})
}

// callKey returns a string that is the same for functions and properties that
// calls cannot distinguish, as far as the declarations show. They have the same
// name and kind, the same optional parameters, and both or neither are async. The
// key is "" for generic functions, which count as different from all other functions, and for members
// that are neither functions nor properties.
func callKey(m *entity) string {
	d := m.decl
	if !m.is(source.Func) && !m.is(source.Var) || len(d.Generics) > 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(lastName(m))
	for _, is := range []bool{m.is(source.Func), d.Static(), d.Effects.Async} {
		b.WriteByte(" +"[btoi(is)])
	}
	for i := range d.Params {
		b.WriteByte(" ?"[btoi(strings.HasSuffix(d.Params[i].Type, "?"))])
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// applies reports whether the constraints of an extension of a protocol can hold
// for a type.
func (r *reading) applies(x *extension, t *entity) bool {
	for _, q := range x.requirements() {
		path := typePath(q.rest)
		if len(path) == 0 {
			continue
		}
		if len(path) == 1 && path[0] == "Self" {
			switch {
			case q.op == "==":
				if s := x.unit.lookup(typePath(q.right), x.target, x.file, true); s != nil && s.underlying() != t {
					return false
				}
			case q.right == "AnyObject":
				if !t.isClass() && (t.decl != nil || knownToolchain().types[t.path] != nil) {
					return false
				}
			case q.protocol != nil:
				if !t.conformsTo(q.protocol) || q.protocol.path == "Sendable" && !t.isSendable(q.protocol) {
					return false
				}
			default:
				if !t.inheritsFrom(x.unit.lookup(typePath(q.right), x.target, x.file, true)) {
					return false
				}
			}
			continue
		}
		// If the type declares the type that an associated type represents, that type is known.
		if q.protocol != nil && len(path) == 1 && !strings.HasPrefix(q.protocol.path, "Sendable") {
			if strings.HasPrefix(t.standsFor(path[0]), "(") {
				return false // tuples do not conform to protocols
			}
		}
		w := t.witness(path[0])
		if w == nil || len(path) > 1 {
			continue
		}
		switch {
		case q.op == "==":
			other := x.unit.lookup(typePath(q.right), x.target, x.file, true)
			if other == nil || other.is(source.AssociatedType) || len(typePath(q.right)) == 0 || x.target.parameterLike(q.right) {
				continue
			}
			if o := other.underlying(); o != w && o.path != w.path {
				return false
			}
		case q.protocol != nil:
			if (w.decl != nil || q.protocol.decl != nil && knownToolchain().types[w.path] != nil) && !w.conformsTo(q.protocol) {
				return false
			}
		}
	}
	return true
}

// standsFor returns the type that an associated type represents, if a type alias, a subscript or an
// iterator of the type determines it. It returns "" if it is unknown.
func (e *entity) standsFor(name string) string {
	if n := e.nested[name]; n != nil {
		if n.is(source.TypeAlias) {
			return n.decl.Type
		}
		return ""
	}
	if name != "Element" {
		return ""
	}
	for _, m := range e.members {
		if m.is(source.Subscript) && len(m.decl.Params) == 1 && m.decl.Params[0].Name == "position" {
			return trimType(m.decl.Result)
		}
	}
	for _, iterator := range []string{"Iterator", "AsyncIterator"} {
		n := e.nested[iterator]
		if n == nil {
			continue
		}
		for _, m := range n.members {
			if !m.is(source.Func) || m.name != "next" {
				continue
			}
			text := strings.TrimSuffix(trimType(m.decl.Result), "?")
			if a := n.nested[text]; a.is(source.TypeAlias) {
				return a.decl.Type
			}
			return text
		}
	}
	return ""
}

// isSendable reports whether a type is Sendable regardless of its type
// arguments.
func (e *entity) isSendable(p *entity) bool {
	for _, c := range e.conformances() {
		if c.protocol != p || c.ext == nil || e.decl == nil {
			continue
		}
		for _, q := range c.ext.where {
			if !slices.ContainsFunc(e.decl.Generics, func(g source.GenericParam) bool { return g.Name == q.Left && mentions(g.Bound, q.Right) }) &&
				!slices.ContainsFunc(e.decl.Where, func(o source.Requirement) bool { return o.Left == q.Left && o.Op == q.Op && mentions(o.Right, q.Right) }) {
				return false
			}
		}
	}
	return true
}

// parameterLike reports whether a type in a requirement of an extension is an
// associated type.
func (e *entity) parameterLike(text string) bool {
	path := typePath(text)
	if len(path) > 1 {
		return true
	}
	for _, p := range e.worldOf().closureOf(e) {
		if m := p.nested[path[0]]; m != nil && m.is(source.AssociatedType) {
			return true
		}
	}
	return false
}

// inheritsFrom reports whether a class is the same as another class or inherits from it.
func (e *entity) inheritsFrom(super *entity) bool {
	for n := 0; e != nil && n < maxSteps; n++ {
		if e == super {
			return true
		}
		e = e.superclass()
	}
	return false
}

// witness returns the type that an associated type represents, if a nested type with that name
// determines it. It returns nil if the type is unknown or is a generic parameter.
func (e *entity) witness(name string) *entity {
	n := e.nested[name]
	if n == nil {
		return nil
	}
	if n.is(source.TypeAlias) {
		path := typePath(n.decl.Type)
		for s := e; s != nil; s = s.parent {
			if len(path) > 0 && s.hasParameter(path[0]) {
				return nil
			}
		}
		n = n.underlying()
		if n.is(source.TypeAlias) {
			return nil
		}
	}
	return n
}

// shadowed reports whether a type declares a function with the same name and types,
// or a property with the same name.
func (r *reading) shadowed(m *entity, t *entity) bool {
	if !m.is(source.Func) && (!m.is(source.Var) || m.ext.isOfSelf()) {
		return false
	}
	key := callKey(m)
	if key == "" {
		return false
	}
	for s, n := t, 0; s != nil && n < maxSteps; s, n = s.superclass(), n+1 {
		if s.declares(key) {
			return true
		}
	}
	return false
}

// declares reports whether a member of a type has a callKey.
func (e *entity) declares(key string) bool {
	f := e.fact()
	for ; f.callable < len(e.members); f.callable++ {
		if f.callKeys == nil {
			f.callKeys = map[string]bool{}
		}
		if k := callKey(e.members[f.callable]); k != "" {
			f.callKeys[k] = true
		}
	}
	return f.callKeys[key]
}

// isOfSelf reports whether an extension of a protocol applies to only one type,
// as with Self == T.
func (x *extension) isOfSelf() bool {
	return x != nil && slices.ContainsFunc(x.where, func(q source.Requirement) bool { return q.Op == "==" && q.Left == "Self" })
}

// sameTypes reports whether two functions can have the same types, as far as
// their declarations show. They have the same optional parameters, and both or
// neither are async. A generic function never has the same types as another
// function.
func sameTypes(a, b *source.Decl) bool {
	if len(a.Params) != len(b.Params) || len(a.Generics) > 0 || len(b.Generics) > 0 || a.Effects.Async != b.Effects.Async {
		return false
	}
	for i := range a.Params {
		if strings.HasSuffix(a.Params[i].Type, "?") != strings.HasSuffix(b.Params[i].Type, "?") {
			return false
		}
	}
	return true
}

// overridden returns the paths of the members that a member overrides.
func (e *entity) overridden() []string {
	if e.parent == nil || e.decl == nil {
		return nil
	}
	p := e.parent
	name := lastName(e)
	if p.isProtocol() && e.ext == nil && p.decl != nil {
		var all []string
		for _, q := range p.worldOf().closureOf(p)[1:] {
			for _, m := range q.members {
				if m.isRequirement() && m.isVisible() && lastName(m) == name && m.kind() == e.kind() && (e.is(source.AssociatedType) || sameTypes(e.decl, m.decl) && e.decl.Result == m.decl.Result) {
					all = append(all, m.path)
				}
			}
		}
		return all
	}
	if !p.is(source.Class) || !e.decl.Has("override") && !(e.is(source.Init) && e.decl.Has("required")) {
		return nil
	}
	for s, n := p.superclass(), 0; s != nil && n < maxSteps; s, n = s.superclass(), n+1 {
		for _, m := range s.members {
			if lastName(m) == name && m.decl.Static() == e.decl.Static() && m.isVisible() {
				return []string{m.path}
			}
		}
		if s.decl == nil {
			return nil
		}
	}
	return nil
}

// made is an initializer that the compiler synthesizes.
type made struct {
	name, declaration string
	availability      []source.Availability
}

// synthesized returns the initializers that the compiler synthesizes for a
// type.
func (e *entity) synthesized() []made {
	if e.decl == nil || !e.isType() || e.isProtocol() {
		return nil
	}
	has := func(name string) bool {
		return slices.ContainsFunc(e.members, func(m *entity) bool { return m.is(source.Init) && lastName(m) == name })
	}
	var all []made
	raw := e.rawType()
	if raw != "" && !has("init(rawValue:)") {
		all = append(all, made{"init(rawValue:)", "init?(rawValue: " + raw + ")", e.availability()})
	}
	if raw == "" && !has("init(from:)") && !e.is(source.Actor) {
		decodable := slices.ContainsFunc(e.conformances(), func(c conformance) bool {
			return c.protocol.decl == nil && c.protocol.path == "Decodable"
		})
		if super := e.superclass(); decodable && (super == nil || !super.conformsTo(e.unit.w.outside([]string{"Decodable"}))) && !e.hasRawDefault() {
			all = append(all, made{"init(from:)", "init(from decoder: any Decoder) throws", e.availability()})
		}
	}
	return all
}

// hasRawDefault reports whether RawRepresentable, or an extension of a protocol,
// implements encoding and decoding for a type.
func (e *entity) hasRawDefault() bool {
	for _, c := range e.conformances() {
		if c.protocol.decl == nil && c.protocol.path == "RawRepresentable" {
			return true
		}
		for _, x := range c.protocol.extensions {
			for _, m := range x.members {
				if m.is(source.Init) && lastName(m) == "init(from:)" {
					return true
				}
			}
		}
	}
	return false
}
