package answer

import (
	"iter"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// declKey identifies the declarations of a symbol. Copies of a symbol have the same key.
type declKey struct {
	path, signature string
	kind            apidoc.Kind
}

func keyOf(s *apidoc.Symbol) declKey { return declKey{s.Path, s.Signature, s.Kind} }

// parse returns a symbol's declarations, split into their parts.
func (r *Renderer) parse(s *apidoc.Symbol) *apidoc.Decl {
	return r.parsed.get(keyOf(s), func() *apidoc.Decl {
		if text := markup.Clean(s.Signature); text != s.Signature {
			clean := *s
			clean.Signature = text
			s = &clean
		}
		d := r.resolver.Decl(s)
		return &d
	})
}

// typesIn returns an iterator over the types of the package to which part i of the declarations of
// s refers. The index -1 means the whole text.
func (r *Renderer) typesIn(d *apidoc.Decl, i int, s *apidoc.Symbol) iter.Seq[*apidoc.Symbol] {
	return func(yield func(*apidoc.Symbol) bool) {
		for k := max(i, 0); k < len(d.Parts) && (i < 0 || d.Parts[k].Start < d.Parts[i].End); k++ {
			if d.Parts[k].Role != apidoc.ReferencePart || d.Parts[k].Flags&apidoc.Local != 0 {
				continue
			}
			t := r.typeNamed(d.PartText(k), s)
			if t == nil || r.resolver.IsTypeParam(s, d.PartText(k)) { // a type parameter hides the type with that name
				continue
			}
			if !yield(t) {
				return
			}
		}
	}
}

// typesOf returns the types of the package that the declarations of s mention.
func (r *Renderer) typesOf(s *apidoc.Symbol) []*apidoc.Symbol {
	return r.addTypes(nil, r.parse(s), -1, s)
}

// typesOfDecl returns an iterator over the types of the package that a declaration or a group
// mentions.
func (r *Renderer) typesOfDecl(d *decl) iter.Seq[*apidoc.Symbol] {
	return func(yield func(*apidoc.Symbol) bool) {
		for i := range d.symbols {
			s := &d.symbols[i]
			if !r.mayMention(s) {
				continue
			}
			for t := range r.typesIn(r.parse(s), -1, s) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// mayMention quickly reports whether a word in the declarations of a symbol can be the name of a
// type of the package. It may return true in other cases.
func (r *Renderer) mayMention(s *apidoc.Symbol) bool {
	if len(s.Refs) > 0 {
		return true
	}
	types := r.types()
	for i := 0; i < len(s.Signature); i++ {
		start := i
		for i < len(s.Signature) && (inName(s.Signature[i]) || s.Signature[i] == '$') {
			i++
		}
		if word := s.Signature[start:i]; types.mayName(word) {
			if _, ok := types.byName[word]; ok {
				return true
			}
		}
	}
	return false
}

// addTypes appends the types to which part i of the declarations of s refers, except s itself and
// the types that contain it.
func (r *Renderer) addTypes(found []*apidoc.Symbol, d *apidoc.Decl, i int, s *apidoc.Symbol) []*apidoc.Symbol {
	for t := range r.typesIn(d, i, s) {
		if t == s || slices.Contains(found, t) || r.contains(t, s) && t.Form() != apidoc.ContractForm ||
			s.NumMembers() > 0 && r.pkg.IsInternal(t) && s.AllMembers()[0].From == t.Path { // s shows the members of t as its own
			continue
		}
		found = append(found, t)
	}
	return found
}

// contains reports whether s is a member of t or nested more deeply.
func (r *Renderer) contains(t, s *apidoc.Symbol) bool {
	return len(s.Path) > len(t.Path) && s.Path[:len(t.Path)] == t.Path && s.Path[len(t.Path)] == '.'
}

// addConstraints appends the types in the constraints and defaults of the type parameters to which
// part i of a declaration refers.
func (r *Renderer) addConstraints(found []*apidoc.Symbol, d *apidoc.Decl, declaration, i int, s *apidoc.Symbol) []*apidoc.Symbol {
	for k := range d.References(i) {
		if d.Parts[k].Flags&apidoc.Local == 0 {
			continue
		}
		name := d.PartText(k)
		for _, outer := range []int{declaration, d.Child(declaration, apidoc.TypePart)} {
			for p := range d.Within(outer, 0) {
				if outer >= 0 && constrains(d, p, name) {
					found = r.addTypes(found, d, p, s)
				}
			}
		}
	}
	return found
}

// constrains reports whether part i of a declaration is the type parameter with the given name, or
// a condition that this type parameter must satisfy.
func constrains(d *apidoc.Decl, i int, name string) bool {
	switch d.Parts[i].Role {
	case apidoc.TypeParamPart:
		return d.ChildText(i, apidoc.NamePart) == name
	case apidoc.ConstraintPart:
		return d.ChildText(i, apidoc.ReferencePart) == name
	}
	return false
}

// callPart returns the index of the part that contains the parameters and results of a declaration.
// It is the declaration itself, or its type if that is a function type. callPart returns -1 if the
// declaration is not a call.
func callPart(d *apidoc.Decl, declaration int) int {
	typ := d.Child(declaration, apidoc.TypePart)
	for _, i := range []int{declaration, typ} {
		if i >= 0 && (d.Child(i, apidoc.ParamPart) >= 0 || d.Child(i, apidoc.ResultPart) >= 0) {
			return i
		}
	}
	return -1
}

// findCallTypes returns the types of the package that the declarations of s take and return.
func (r *Renderer) findCallTypes(s *apidoc.Symbol) (c calledTypes) {
	d := r.parse(s)
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		call := callPart(d, i)
		switch {
		case call >= 0:
			for k := range d.Within(call, 0) {
				switch d.Parts[k].Role {
				case apidoc.ParamPart:
					c.params = r.addConstraints(r.addTypes(c.params, d, k, s), d, i, k, s)
				case apidoc.ResultPart, apidoc.EffectPart, apidoc.TypePart, apidoc.ReferencePart:
					if k != call && d.Child(k, apidoc.ParamPart) < 0 {
						c.results = r.addConstraints(r.addTypes(c.results, d, k, s), d, i, k, s)
					}
				}
			}
		case s.IsType(), r.isForeignGeneric(d, i, s): // for example, the properties of a component
			if t := r.typeNamed(d.ChildText(i, apidoc.NamePart), s); t != nil && t != s {
				c.params = append(c.params, t) // s is another name of the type t
			}
			c.params = r.addTypes(c.params, d, i, s)
		default: // for a variable or constant, use the type of its value
			c.results = r.addTypes(c.results, d, i, s)
		}
	}
	c.results = slices.DeleteFunc(c.results, func(t *apidoc.Symbol) bool { return slices.Contains(c.params, t) })
	return c
}

// isForeignGeneric reports whether a value is declared with type arguments for a type of another
// package, such as ForwardRefExoticComponent<Props>.
func (r *Renderer) isForeignGeneric(d *apidoc.Decl, declaration int, s *apidoc.Symbol) bool {
	typ := d.Child(declaration, apidoc.TypePart)
	if typ < 0 || s.NumMembers() > 0 {
		return false
	}
	outer := -1
	for k := range d.References(typ) {
		switch {
		case d.Parts[k].Flags&apidoc.Outer == 0:
			return outer >= 0 && r.findType(d.PartText(outer), s) == nil
		case outer < 0:
			outer = k
		}
	}
	return false
}
