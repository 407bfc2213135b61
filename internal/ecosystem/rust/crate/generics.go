package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// arguments maps the names of the type parameters of a definition to the arguments of a type. Parameters without
// arguments are variables if fresh is true.
func (t *Type) arguments(d *def, fresh bool) map[string]*Type {
	params := map[string]*Type{}
	n := 0
	for _, name := range arguments(d.item.Generics.Text(d.unit.Text)) {
		if strings.HasPrefix(name, "'") {
			continue
		}
		params[name] = nil
		switch {
		case n < len(t.args):
			params[name] = t.args[n]
		case fresh:
			params[name] = newVariable()
		}
		n++
	}
	return params
}

// fill adds variables for the arguments that a type lacks.
func (t *Type) fill() *Type {
	if t == nil || t.def == nil || t.def.item == nil || len(t.bounds) > 0 || t.def.kind == primitive {
		return t
	}
	for range t.def.arity() - len(t.args) {
		t.args = append(t.args, newVariable())
	}
	return t
}

// arity returns the number of parameters of a definition, except lifetimes.
func (d *def) arity() (n int) {
	for _, name := range arguments(d.item.Generics.Text(d.unit.Text)) {
		if !strings.HasPrefix(name, "'") {
			n++
		}
	}
	return n
}

// Generic returns the scope of an item with type parameters, which are known by their bounds.
func (s *Scope) Generic(generics, where string) *Scope {
	if generics == "" && where == "" {
		inner := *s
		inner.visible, inner.where, inner.vague = nil, nil, false
		return &inner
	}
	inner := &Scope{p: s.p, m: s.m, self: s.self, trait: s.trait, params: map[string]*Type{}, bounds: s.bounds, assumed: s.assumed}
	maps.Copy(inner.params, s.params)
	names := typeParams(generics)
	for name := range names {
		inner.params[name] = &Type{}
	}
	more := false // whether outer parameters have further bounds
	add := func(text string) {
		name, bounds, ok := source.Cut(withoutAttributes(text), ':')
		if !ok {
			return
		}
		bounds, _, _ = source.Cut(bounds, '=')
		list := inner.boundsOf(bounds, 0)
		inner.bounds = slices.Concat(inner.bounds, list)
		if rest, ok := strings.CutPrefix(strings.TrimSpace(name), "for<"); ok {
			_, name, _ = strings.Cut(rest, ">")
		}
		name = withoutPointers(name)
		if t := inner.params[name]; t != nil && names[name] {
			t.bounds = append(t.bounds, list...)
		} else if t != nil && len(t.bounds) > 0 { // a further bound of an outer parameter
			bounded := *t
			bounded.bounds = slices.Concat(bounded.bounds, list)
			inner.params[name] = &bounded
			more = true
		} else if name == "Self" && inner.self != nil && len(inner.self.bounds) > 0 {
			bounded := *inner.self
			bounded.bounds = slices.Concat(bounded.bounds, list)
			inner.self = &bounded
		} else if t := inner.typeOf(name, 0).known(); t != nil && t.def != nil {
			inner.assumed = append(slices.Clip(inner.assumed), assumption{t.def, list})
		}
	}
	for _, p := range source.Split(generics) {
		add(p)
	}
	for _, p := range source.Split(where) {
		add(p)
	}
	for name := range names { // a constant, or a parameter without bounds
		if len(inner.params[name].bounds) == 0 {
			inner.params[name].bounds = []*Type{{def: s.p.sized()}}
		}
	}
	if inner.selfText = s.selfText; more && s.selfText != "" {
		inner.self = inner.Type(s.selfText)
	}
	return inner
}

// instance returns a scope with variables for the parameters of an item. If a variable is inferred, its bounds infer
// others.
func (s *Scope) instance(generics, where string) (inner *Scope, names []string) {
	if generics == "" && where == "" {
		return &Scope{p: s.p, m: s.m, self: s.self, trait: s.trait, params: s.params, where: s.where}, nil
	}
	inner = &Scope{p: s.p, m: s.m, self: s.self, trait: s.trait, params: map[string]*Type{}}
	maps.Copy(inner.params, s.params)
	bounds := maps.Clone(s.where)
	if bounds == nil {
		bounds = map[string][]string{}
	}
	for _, p := range source.Split(generics) {
		p = withoutAttributes(p)
		name, list, _ := source.Cut(p, ':')
		name, _, _ = source.Cut(name, '=')
		name = strings.TrimSpace(name)
		if strings.HasPrefix(name, "'") {
			continue
		}
		if rest, ok := strings.CutPrefix(name, "const "); ok {
			name, list = strings.TrimSpace(rest), ""
		}
		if !slices.Contains(names, name) { // alternatives under conditions have the same name
			names = append(names, name)
			inner.params[name] = newVariable()
			delete(bounds, name) // those of an outer parameter with the same name
		}
		if list, _, _ = source.Cut(list, '='); strings.TrimSpace(list) != "" {
			bounds[name] = append(bounds[name], list)
		}
	}
	for _, p := range source.Split(where) {
		if name, list, ok := source.Cut(p, ':'); ok {
			name = strings.TrimSpace(name)
			bounds[name] = append(bounds[name], list)
		}
	}
	for _, name := range names {
		v := inner.params[name]
		for _, list := range bounds[name] {
			v.inferred = append(v.inferred, func(t *Type) { inner.require(t, list) })
		}
	}
	inner.where = bounds
	return inner, names
}

// require infers types from the bounds of an inferred type.
func (s *Scope) require(t *Type, list string) {
	for _, b := range s.boundsOf(list, 0) {
		s.satisfy(t, b, 0)
	}
}

// satisfy infers types from the fact that a type implements a trait.
func (s *Scope) satisfy(t, b *Type, depth int) {
	if b.function {
		if t.function {
			s.p.unify(b, &Type{function: true, params: t.params, result: t.result}, 0)
		}
		return
	}
	if b.def == nil || depth > maxTypeDepth || len(t.bounds) == 0 && !t.function && t.isOmitted(b.def) { // another implementation may apply
		return
	}
	for name, v := range b.assoc {
		found := t.project(s, b, name, 0)
		bounded := v.known()
		if bounded != nil && len(bounded.bounds) > 0 && (bounded.constrained || found.known() != nil) {
			infer := func(t *Type) {
				for _, other := range bounded.bounds {
					s.satisfy(t, other, depth+1)
				}
			}
			if k := found.known(); k != nil {
				infer(k)
			} else if found = found.resolved(); found != nil {
				found.inferred = append(found.inferred, infer)
			}
			continue
		}
		s.p.unify(v, found, 0)
	}
	if len(b.args) == 0 {
		return
	}
	if len(t.bounds) > 0 {
		for _, other := range t.bounds {
			if other.def == b.def {
				s.p.unify(&Type{def: b.def, args: b.args}, &Type{def: b.def, args: other.args}, 0)
			}
		}
		return
	}
	var only *impl
	for _, im := range t.implementations() {
		if im.derived == "" && im.trait() == b.def && !im.off {
			if only != nil {
				return
			}
			only = im
		}
	}
	if only == nil || s.mayBlanket(t, b.def) {
		return
	}
	inner, ok := t.within(s, only)
	if !ok {
		return
	}
	for i, arg := range typeArgs(only.item.Trait.Text(only.unit.Text)) {
		if i < len(b.args) && !strings.HasPrefix(arg, "'") {
			s.p.unify(inner.typeOf(arg, 0), b.args[i], 0)
		}
	}
}

// mayApplyTo reports whether the type of an implementation does not differ from a type.
func (im *impl) mayApplyTo(s *Scope, t *Type) bool {
	text := im.unit.Text
	inner, _ := (&Scope{p: s.p, m: im.mod}).instance(im.item.Generics.Text(text), im.item.Where.Text(text))
	return !inner.typeOf(im.item.Type.Text(text), 0).differs(t, 0)
}

// within returns the scope of an implementation for a type. ok is false if it is for other arguments.
func (t *Type) within(s *Scope, im *impl) (inner *Scope, ok bool) {
	text := im.unit.Text
	base := &Scope{p: s.p, m: im.mod}
	inner, _ = base.instance(im.item.Generics.Text(text), im.item.Where.Text(text))
	self := inner.typeOf(im.item.Type.Text(text), 0)
	if self.differs(t, 0) {
		return nil, false
	}
	s.p.unify(self, t, 0)
	inner.self, inner.vague = t, self.isVague()
	return inner, true
}

// isVague reports whether an argument of a type is unknown.
func (t *Type) isVague() bool {
	return t == nil || slices.ContainsFunc(t.args, func(arg *Type) bool { return arg == nil })
}

// implementations returns the implementations for a type with a definition.
func (t *Type) implementations() []*impl {
	if t == nil || t.def == nil {
		return nil
	}
	if t.def.krate != nil {
		t.def.krate.link()
	}
	return t.def.impls
}
