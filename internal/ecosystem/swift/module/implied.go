package module

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Generic types in a declaration imply requirements. A function that returns Box<T> requires T to
// meet the requirements of Box's parameter. The compiler prints these requirements.

const (
	// maxApplied is the maximum number of generic types in one declaration that are examined.
	maxApplied = 40
	// maxAliases is the maximum length of a chain of aliases with parameters.
	maxAliases = 4
)

// impliedRequirements returns the requirements that the types in a declaration
// imply, in addition to those that it declares.
func (e *entity) impliedRequirements() []source.Requirement {
	d := e.decl
	switch d.Kind {
	case source.Func, source.Init, source.Subscript, source.Macro:
	default:
		return nil
	}
	ofProtocol := e.parent != nil && e.parent.isProtocol()
	if len(d.Generics) == 0 && !(ofProtocol && e.ext != nil) {
		return nil
	}
	p := implier{e: e, ofProtocol: ofProtocol, remaining: maxApplied}
	for i := range d.Params {
		p.types(d.Params[i].Type, e.unit, e.parent, e.file, maxAliases)
	}
	p.types(d.Result, e.unit, e.parent, e.file, maxAliases)
	if len(p.found) == 0 {
		return nil
	}
	stated := e.unit.requirements(d, e.parent, e.file)
	if e.ext != nil {
		stated = append(stated, e.ext.requirements()...)
	}
	if ofProtocol {
		stated = append(stated, requirement{rest: "Self", op: ":", right: e.parent.path, protocol: e.parent})
	}
	var out []source.Requirement
	for i := range p.found {
		r := &p.found[i]
		if e.unit.w.implies(stated, r) || e.unit.w.associated(stated, r) || e.unit.w.implies(p.found[:i], r) || slices.ContainsFunc(p.found[i+1:], func(o requirement) bool {
			return r.protocol != nil && o.protocol != nil && o.rest == r.rest && o.protocol != r.protocol && e.unit.w.inheritsProtocol(o.protocol, r.protocol)
		}) {
			continue
		}
		rest := r.rest
		if ofProtocol && rest != "Self" && !e.hasParameter(firstName(rest)) {
			rest = "Self." + rest
		}
		out = append(out, source.Requirement{Left: rest, Op: r.op, Right: r.right})
	}
	return out
}

// implies reports whether the stated requirements include r, or require a
// protocol that inherits from the protocol in r.
func (w *world) implies(stated []requirement, r *requirement) bool {
	for i := range stated {
		o := &stated[i]
		switch {
		case r.op == "==":
			a, b := subject(r.rest), subject(r.right)
			x, y := subject(o.rest), subject(o.right)
			if o.op == "==" && (a == x && b == y || a == y && b == x) {
				return true
			}
		case o.rest != r.rest:
		case o.protocol != nil && r.protocol != nil:
			if w.inheritsProtocol(o.protocol, r.protocol) {
				return true
			}
		case o.right == r.right:
			return true
		}
	}
	return false
}

// associatedBounds are the protocols to which associated types of the standard
// library conform.
var associatedBounds = map[string]string{
	"Elements": "Collection", "Iterator": "IteratorProtocol", "AsyncIterator": "AsyncIteratorProtocol", "Index": "Comparable", "Indices": "BidirectionalCollection",
	"SubSequence": "Collection", "Duration": "DurationProtocol", "Instant": "InstantProtocol", "Failure": "Error", "Element": "", "Stride": "SignedNumeric", "RawValue": "",
	"Words": "RandomAccessCollection", "Magnitude": "Numeric", "Base": "Sequence",
}

// associated reports whether a requirement on an associated type is already
// implied by the protocols that the parameter conforms to.
func (w *world) associated(stated []requirement, r *requirement) bool {
	owner, name := "Self", r.rest
	if i := strings.LastIndexByte(r.rest, '.'); i >= 0 {
		owner, name = r.rest[:i], r.rest[i+1:]
	}
	if r.protocol == nil {
		return false
	}
	if bound := associatedBounds[name]; bound != "" && w.inheritsProtocol(w.outside([]string{bound}), r.protocol) {
		return true
	}
	for i := range stated {
		if stated[i].rest != owner || stated[i].protocol == nil {
			continue
		}
		for _, p := range w.closureOf(stated[i].protocol) {
			a := p.nested[name]
			if !a.is(source.AssociatedType) {
				continue
			}
			for _, b := range a.unit.inherited(a.decl.Inherits, p, a.file) {
				if w.inheritsProtocol(b, r.protocol) {
					return true
				}
			}
		}
	}
	return false
}

func firstName(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// implier collects the requirements of the generic types in a declaration.
type implier struct {
	e          *entity
	ofProtocol bool
	remaining  int
	found      []requirement
}

// types collects the requirements of the generic types in a type that is
// written in a scope.
func (p *implier) types(text string, u *unit, scope *entity, f *file, aliases int) {
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (isNameByte(text[i]) || text[i] == '.' && i+1 < len(text) && isNameByte(text[i+1])) {
			i++
		}
		if i == len(text) || text[i] != '<' {
			continue
		}
		if p.remaining--; p.remaining < 0 {
			return
		}
		end := closingIndex(text, i)
		if end-1 <= i {
			continue
		}
		p.applied(text[start:i], splitTop(text[i+1:end-1], ','), u, scope, f, aliases)
		i++ // The next iteration examines the arguments.
	}
}

// applied adds the requirements that a generic type places on its arguments.
func (p *implier) applied(name string, args []string, u *unit, scope *entity, f *file, aliases int) {
	t := u.first(typePath(name), scope, f)
	if t == nil || t.decl == nil || len(t.decl.Generics) != len(args) || slices.ContainsFunc(t.decl.Generics, func(g source.GenericParam) bool { return g.Each || g.Value }) {
		return
	}
	names := map[string]string{}
	for i, g := range t.decl.Generics {
		names[g.Name] = trimType(args[i])
	}
	if t.is(source.TypeAlias) && aliases > 0 {
		p.types(substitute(t.decl.Type, names), t.unit, t.parent, t.file, aliases-1)
	}
	for _, r := range t.unit.requirements(t.decl, t, t.file) {
		r.rest = subject(elementOf(substitute(r.rest, names)))
		if r.op == "==" {
			r.right = elementOf(substitute(r.right, names))
			if !p.isParameter(r.rest) && p.isParameter(r.right) {
				r.rest, r.right = r.right, r.rest
			}
			if r.rest == subject(r.right) || strings.Contains(r.right, "].") || strings.Contains(r.right, ">.") {
				continue
			}
		}
		if p.isParameter(r.rest) && r.right != "AnyObject" {
			p.found = append(p.found, r)
		}
	}
}

// elementOf returns the element type of an array whose type is written as
// [T].Element.
func elementOf(text string) string {
	if inner, ok := strings.CutSuffix(text, "].Element"); ok && strings.HasPrefix(inner, "[") && topLevel(inner[1:], ':') < 0 {
		return subject(inner[1:])
	}
	return text
}

// isParameter reports whether a path begins with a generic parameter of the
// declaration, or with Self.
func (p *implier) isParameter(path string) bool {
	if path == "" || strings.ContainsAny(path, "<[( ?") {
		return false
	}
	first := firstName(path)
	if p.e.hasParameter(first) {
		return true
	}
	if !p.ofProtocol {
		return false
	}
	if first == "Self" {
		return true
	}
	if p.e.parent.decl == nil {
		_, ok := associatedBounds[first]
		return ok
	}
	for _, q := range p.e.worldOf().closureOf(p.e.parent) {
		if q.nested[first].is(source.AssociatedType) {
			return true
		}
	}
	return false
}

// substitute replaces the names in a type that are keys of names with their
// values.
func substitute(text string, names map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		start := i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
		word := text[start:i]
		if to, ok := names[word]; ok && (start == 0 || text[start-1] != '.') {
			b.WriteString(to)
			continue
		}
		b.WriteString(word)
	}
	return b.String()
}
