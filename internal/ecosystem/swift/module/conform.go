package module

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// conformance is a protocol that a type conforms to.
type conformance struct {
	protocol *entity
	ext      *extension // the extension that declares or implies the conformance; nil for the type itself
	// derived is true for a conformance that follows from the stored properties
	// and payloads of a type.
	derived bool
}

// inherits returns the protocols that a protocol inherits directly: those in its
// inheritance clause, and those that it requires of Self.
func (e *entity) inherits() []*entity {
	if e.decl == nil {
		return nil
	}
	texts := e.decl.Inherits
	for i := range e.decl.Where {
		if r := &e.decl.Where[i]; r.Op == ":" && r.Left == "Self" {
			texts = append(slices.Clip(texts), r.Right)
		}
	}
	return e.unit.inherited(texts, e.parent, e.file)
}

// closureOf returns a protocol and all protocols that it inherits, without duplicates.
func (w *world) closureOf(e *entity) []*entity {
	f := e.fact()
	if f.closure != nil {
		return f.closure
	}
	all := []*entity{e}
	has := map[*entity]bool{e: true}
	add := func(b *entity) {
		if !has[b] && w.meter.Step(1) {
			has[b] = true
			all = append(all, b)
		}
	}
	for n := 0; n < len(all); n++ { //nolint:intrange // the loop appends to all
		p := all[n]
		if p.decl == nil {
			for _, name := range p.bases {
				add(w.outside([]string{name}))
			}
			continue
		}
		for _, b := range p.inherits() {
			if !b.isClass() {
				add(b)
			}
		}
	}
	f.closure, f.closed = all, has
	return all
}

// inheritsProtocol reports whether a protocol is the same as another one or inherits it.
func (w *world) inheritsProtocol(e, other *entity) bool {
	w.closureOf(e)
	return e.facts.closed[other]
}

// requires reports whether a protocol inherits Copyable or Escapable. Protocols
// do so unless they suppress it.
func (e *entity) requires(name string) bool {
	if e.decl == nil {
		return e.copyable
	}
	for _, text := range e.decl.Inherits {
		for _, part := range splitTop(text, '&') {
			part = trimType(part)
			if strings.HasPrefix(part, "~") && strings.TrimPrefix(strings.TrimSpace(part[1:]), "Swift.") == name {
				return false
			}
		}
	}
	return true
}

// superclass returns the class that a class inherits from, or nil if there is
// none.
func (e *entity) superclass() *entity {
	if !e.is(source.Class) {
		return nil
	}
	f := e.fact()
	if !f.superSet {
		f.superSet = true
		if len(e.decl.Inherits) > 0 {
			for _, b := range e.unit.inherited(e.decl.Inherits[:1], e.parent, e.file) {
				if b.isClass() && b != e {
					f.superclass = b
				}
			}
		}
	}
	return f.superclass
}

// conformances returns the protocols that a type conforms to, without duplicates:
// those that it or an extension declares, those that these inherit, and those of
// its superclass.
func (e *entity) conformances() []conformance {
	f := e.fact()
	if f.conforming {
		return f.conforms
	}
	f.conforming = true
	w := e.worldOf()
	if w == nil {
		return nil
	}
	type declaration struct {
		protocol *entity
		ext      *extension
	}
	var declared []declaration
	if e.decl != nil {
		for _, b := range e.unit.inherited(e.decl.Inherits, e.parent, e.file) {
			if !b.isClass() && (b.isProtocol() || !e.isRawType(b)) {
				declared = append(declared, declaration{b, nil})
			}
		}
		for _, name := range e.implied() {
			declared = append(declared, declaration{w.outside([]string{name}), nil})
		}
	} else {
		for _, name := range e.bases {
			declared = append(declared, declaration{w.outside([]string{name}), nil})
		}
	}
	for _, x := range e.extensions {
		if x.hidden {
			continue
		}
		for _, b := range x.unit.inherited(x.decl.Inherits, e, x.file) {
			if !b.isClass() {
				declared = append(declared, declaration{b, x})
			}
		}
	}
	// Declared conformances come before implied ones.
	var all []conformance
	has := map[*entity]bool{}
	for _, d := range declared {
		if !has[d.protocol] {
			has[d.protocol] = true
			all = append(all, conformance{protocol: d.protocol, ext: d.ext})
		}
	}
	for _, d := range declared {
		for _, c := range w.closureOf(d.protocol) {
			if w.meter.Step(1) && !has[c] {
				has[c] = true
				all = append(all, conformance{protocol: c, ext: d.ext})
			}
		}
	}
	if super := e.superclass(); super != nil {
		for _, c := range super.conformances() {
			if w.meter.Step(1) && !has[c.protocol] {
				has[c.protocol] = true
				all = append(all, conformance{protocol: c.protocol})
			}
		}
	}
	if e.decl != nil && !e.isProtocol() {
		frozen := e.decl.Attribute("frozen") != nil
		f.conforms = all // This is the preliminary result, for types that contain themselves.
		if frozen {
			f.conformsTo = maps.Clone(has)
		}
		derive := func(name string) {
			for _, c := range w.closureOf(w.outside([]string{name})) {
				if !has[c] {
					has[c] = true
					all = append(all, conformance{protocol: c, derived: true})
				}
			}
		}
		if !has[w.outside([]string{"Sendable"})] && !e.suppresses("Sendable") && (e.isolated() || frozen && e.holdsOnly(holdsSendable)) {
			derive("Sendable")
		}
		if frozen && !has[w.outside([]string{"BitwiseCopyable"})] && !e.suppresses("BitwiseCopyable") && !e.suppresses("Copyable") && e.holdsOnly(holdsBitwise) {
			derive("BitwiseCopyable")
		}
	}
	f.conforms, f.conformsTo = all, has
	return all
}

// worldOf returns the package that was being read when the entity was found.
func (e *entity) worldOf() *world {
	if e.unit != nil {
		return e.unit.w
	}
	return e.world
}

// conformsTo reports whether a type conforms to a protocol.
func (e *entity) conformsTo(p *entity) bool {
	if e.isProtocol() {
		w := p.worldOf()
		if w == nil {
			w = e.worldOf()
		}
		return w != nil && w.inheritsProtocol(e, p)
	}
	e.conformances()
	return e.facts.conformsTo[p]
}

// isRawType reports whether the first type that an enum inherits is its raw
// type.
func (e *entity) isRawType(b *entity) bool {
	return e.is(source.Enum) && len(e.decl.Inherits) > 0 && !b.isProtocol() && (b.decl != nil || knownToolchain().types[b.path] != nil)
}

// rawType returns the type of the raw values of an enum, or "" if it has none.
func (e *entity) rawType() string {
	if !e.is(source.Enum) || len(e.decl.Inherits) == 0 {
		return ""
	}
	b := e.unit.lookup(typePath(e.decl.Inherits[0]), e.parent, e.file, true)
	if b == nil {
		return ""
	}
	switch e.decl.Inherits[0] {
	case "CInt", "CUnsignedInt", "CChar", "CLong", "CShort", "CUnsignedLong":
		return e.decl.Inherits[0]
	}
	if t := b.underlying(); e.isRawType(t) {
		return e.decl.Inherits[0]
	}
	return ""
}

// implied returns the protocols that the kind of a type implies.
func (e *entity) implied() []string {
	switch e.decl.Kind {
	case source.Actor:
		if e.decl.Attribute("globalActor") != nil {
			return []string{"Actor", "GlobalActor"}
		}
		return []string{"Actor"}
	case source.Enum:
		if e.rawType() != "" {
			return []string{"RawRepresentable", "Hashable"}
		}
		cases := 0
		for _, m := range e.members {
			if m.is(source.Case) {
				if len(m.decl.Params) > 0 {
					return nil
				}
				cases++
			}
		}
		if cases > 0 {
			return []string{"Hashable"}
		}
	}
	return nil
}

// suppresses reports whether a type declares ~P, or declares its conformance to P
// as unavailable.
func (e *entity) suppresses(name string) bool {
	for _, text := range e.decl.Inherits {
		if text = trimType(text); strings.HasPrefix(text, "~") && typeName(text[1:]) == name {
			return true
		}
	}
	for _, x := range e.extensions {
		for _, text := range x.decl.Inherits {
			if typeName(strings.TrimPrefix(trimType(text), "~")) == name && (x.hidden || strings.Contains(text, "~")) {
				return true
			}
		}
	}
	return false
}

// typeName returns the last component of a type's path.
func typeName(text string) string {
	path := typePath(text)
	if len(path) == 0 {
		return ""
	}
	return path[len(path)-1]
}

// isolated reports whether the type is isolated to a global actor.
func (e *entity) isolated() bool {
	for i := range e.decl.Attributes {
		if e.unit.isGlobalActor(e.decl.Attributes[i].Name, e) {
			return true
		}
	}
	return false
}

func (u *unit) isGlobalActor(name string, scope *entity) bool {
	if name == "MainActor" || name == "Swift.MainActor" || name == "_Concurrency.MainActor" {
		return true
	}
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	t := u.first(strings.Split(name, "."), scope, nil)
	return t != nil && t.decl != nil && t.decl.Attribute("globalActor") != nil
}

// A property is a characteristic of a type that follows from the types of its stored
// values.
type property uint8

const (
	holdsSendable property = iota
	holdsBitwise
)

func (p property) protocol() string {
	if p == holdsSendable {
		return "Sendable"
	}
	return "BitwiseCopyable"
}

// holdsOnly reports whether the types of all stored properties and payloads
// have a property.
func (e *entity) holdsOnly(p property) bool {
	if e.isClass() {
		return false
	}
	for _, m := range e.members {
		switch {
		case m.ext != nil || m.decl.Static():
		case m.is(source.Case):
			for i := range m.decl.Params {
				if !e.typeHas(m.decl.Params[i].Type, p) {
					return false
				}
			}
		case m.is(source.Var) && m.isStored():
			if !e.typeHas(m.writtenType(), p) {
				return false
			}
		}
	}
	return true
}

// typeHas reports whether a type, as written in e, is known to have a property.
func (e *entity) typeHas(text string, p property) bool {
	if !e.unit.w.meter.Step(len(text)) {
		return false
	}
	text = trimType(text)
	if strings.HasSuffix(text, "?") {
		return e.typeHas(text[:len(text)-1], p)
	}
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && closingIndex(text, 0) == len(text) {
		for _, part := range splitTop(text[1:len(text)-1], ',') {
			if i := topLevel(part, ':'); i >= 0 {
				part = part[i+1:]
			}
			if part != "" && !e.typeHas(part, p) {
				return false
			}
		}
		return true
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		inner := text[1 : len(text)-1]
		if p == holdsBitwise {
			return false
		}
		return !slices.ContainsFunc(splitTop(inner, ':'), func(part string) bool { return !e.typeHas(part, p) })
	}
	path := typePath(text)
	if len(path) == 0 {
		return false
	}
	name := path[len(path)-1]
	if p == holdsSendable && len(path) <= 2 {
		if c := knownToolchain().protocols[name]; c != nil && (name == "Error" || name == "Actor") {
			return true // any Error is Sendable
		}
	}
	if t := e.unit.first(path, e, e.file); t != nil {
		if t = t.underlying(); t.decl == nil {
			name = t.name
		} else {
			w := e.unit.w
			proto := w.outside([]string{p.protocol()})
			return t != e && t.isType() && t.conformsTo(proto)
		}
	}
	if strings.HasSuffix(name, "Pointer") && name != "ManagedBufferPointer" || name == "Unmanaged" {
		return p == holdsBitwise
	}
	if name[0] >= 'a' && name[0] <= 'z' {
		return true // a C scalar or structure
	}
	copied, shared, _ := strings.Cut(structs["Swift"], "|")
	return contains(copied, name) || p == holdsSendable && contains(shared, name) && !strings.Contains(text, "<")
}
