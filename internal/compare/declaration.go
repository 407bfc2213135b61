package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// sameImport is the evidence for two default exports with different names. Most programs import both in
// the same way.
const sameImport = "the same import"

// shared compares the symbols that both versions have.
func (c *comparison) shared() {
	for _, k := range c.old.order {
		old, new := c.old.symbols[k], c.new.symbols[k]
		if new == nil || c.inherited(old[0], new[0]) {
			continue
		}
		change := Change{Package: old[0].in.Name, Path: old[0].Path, Symbol: old[0].Kind, old: old[0], new: new[0]}
		change.Old, change.New = signatures(old), signatures(new)
		change.Details = c.symbols(old, new)
		switch wasDeprecated, isDeprecated := old[0].Deprecated != "", new[0].Deprecated != ""; {
		case isDeprecated && !wasDeprecated:
			one := change
			one.Kind, one.Severity, one.Notice, one.Details, one.Old = Deprecated, apidoc.Risky, new[0].Deprecated, nil, ""
			c.changes = append(c.changes, one)
		case wasDeprecated && !isDeprecated:
			one := change
			one.Kind, one.Notice, one.Details, one.Old = Undeprecated, old[0].Deprecated, nil, ""
			c.changes = append(c.changes, one)
		}
		switch {
		case old[0].owner == nil && old[0].Path != new[0].Path:
			change.Kind, change.Severity = Moved, max(apidoc.Risky, severity(change.Details))
			change.NewPackage, change.NewPath, change.Evidence = new[0].in.Name, new[0].Path, sameImport
			c.changes = append(c.changes, change)
		case len(change.Details) > 0:
			change.Kind, change.Severity = Changed, severity(change.Details)
			c.changes = append(c.changes, change)
		}
	}
}

// inherited reports whether a member comes from a type of the packages in both versions, in which
// case its change is reported at that type.
func (c *comparison) inherited(old, new *ref) bool {
	if old.From == "" || old.From != new.From {
		return false
	}
	if base := lastName(old.From, old.in.Separator()); old.owner.implements(base) && new.owner.implements(base) {
		return true // the changes of the bases cover this
	}
	k := key{old.pkg, old.From + old.in.Separator() + old.Name()}
	return k != old.key && c.old.symbols[k] != nil && c.new.symbols[k] != nil
}

// implements reports whether a type has a base that is declared separately.
func (r *ref) implements(base string) bool {
	return r != nil && slices.ContainsFunc(r.bases, func(one *ref) bool { return slices.Contains(one.baseNames(), base) })
}

func signatures(refs []*ref) string {
	all := make([]string, len(refs))
	for i, r := range refs {
		all[i] = r.Signature
	}
	return strings.Join(all, "\n")
}

// symbols compares the symbols at one path of both versions, which can be overloads or have the
// same name but different roles.
func (c *comparison) symbols(old, new []*ref) (details []Detail) {
	if slices.EqualFunc(old, new, func(a, b *ref) bool {
		return a.Signature == b.Signature && a.Kind == b.Kind && a.Constraint == b.Constraint && len(a.bases)+len(b.bases) == 0 && c.sameNames(a, b)
	}) {
		return nil
	}
	roles := func(refs []*ref) (all []apidoc.Role) {
		for _, r := range refs {
			if role := r.Role(); !slices.Contains(all, role) {
				all = append(all, role)
			}
		}
		return all
	}
	with := func(refs []*ref, role apidoc.Role) (all []*ref) {
		for _, r := range refs {
			if r.Role() == role {
				all = append(all, r)
			}
		}
		return all
	}
	before, after := roles(old), roles(new)
	for _, role := range before {
		a, b := with(old, role), with(new, role)
		switch {
		case len(b) > 0:
			details = append(details, c.role(role, a, b)...)
		case len(after) == 1 && len(before) == 1:
			details = append(details, c.kind(a[0], new[0]))
		default:
			details = append(details, Detail{Aspect: SymbolKind, Severity: apidoc.Breaking, Old: string(a[0].Kind)})
		}
	}
	for _, role := range after {
		if !slices.Contains(before, role) && len(before)+len(after) > 2 {
			details = append(details, Detail{Aspect: SymbolKind, New: string(with(new, role)[0].Kind)})
		}
	}
	return details
}

// sameNames reports whether the names in two equal signatures are known to refer to the same
// symbols.
func (c *comparison) sameNames(old, new *ref) bool {
	if !slices.Equal(old.Refs, new.Refs) {
		return false
	}
	names, ok := c.imports[old.pkg]
	if !ok {
		names = c.otherImports(old.in, new.in)
		if c.imports == nil {
			c.imports = map[string][]string{}
		}
		c.imports[old.pkg] = names
	}
	return !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(old.Signature, name) })
}

// otherImports returns the names that refer to different packages in the signatures of the two
// versions of a package.
func (c *comparison) otherImports(old, new *apidoc.Package) (names []string) {
	before := map[string]apidoc.Ref{}
	for _, r := range old.Imports {
		before[r.Name] = r
	}
	for _, r := range new.Imports {
		was, ok := before[r.Name]
		if ok && (was.Path != r.Path || c.old.relative(was.Package) != c.new.relative(r.Package)) {
			names = append(names, r.Name)
		}
	}
	return names
}

// kind returns the detail for a symbol whose kind has changed.
func (c *comparison) kind(old, new *ref) Detail {
	d := Detail{Aspect: SymbolKind, Severity: apidoc.Breaking, Old: string(old.Kind), New: string(new.Kind)}
	if slices.ContainsFunc(c.rules.Interchangeable, func(g []apidoc.Kind) bool {
		return slices.Contains(g, old.Kind) && slices.Contains(g, new.Kind)
	}) {
		d.Severity = apidoc.Risky
	}
	return d
}

// role compares symbols with the same role at one path.
func (c *comparison) role(role apidoc.Role, old, new []*ref) (details []Detail) {
	a, b := old[0], new[0]
	if len(old) == 1 && len(new) == 1 && a.Kind != b.Kind {
		details = append(details, c.kind(a, b))
	}
	if a.Constraint != b.Constraint {
		details = append(details, Detail{Aspect: Platform, Severity: apidoc.Risky, Old: cmp.Or(a.Constraint, "all"), New: cmp.Or(b.Constraint, "all")})
	}
	before, after := c.declarations(c.old, old), c.declarations(c.new, new)
	if len(before) == 0 || len(after) == 0 {
		if x, y := strings.Join(strings.Fields(signatures(old)), " "), strings.Join(strings.Fields(signatures(new)), " "); x != y {
			details = append(details, Detail{Aspect: Text, Severity: apidoc.Risky, Old: x, New: y})
		}
		return details
	}
	if role.IsCall() {
		return append(details, c.overloads(before, after)...)
	}
	if role == apidoc.TypeRole {
		details = append(details, c.bases(before, after, old, new)...)
	}
	// If a type or value has several declarations, they all describe it in the same way.
	return append(details, c.declaration(before[0], after[0])...)
}

func (c *comparison) declarations(s *side, refs []*ref) (all []*declaration) {
	for _, r := range refs {
		all = append(all, s.declarations(r, c.rules)...)
	}
	return all
}

// maxOverloads is the maximum number of overloads of one symbol for which all pairs of an old and a
// new overload are compared.
const maxOverloads = 16

// overloads compares the overloads of a function. It ignores overloads that are equal in both
// versions, and compares the most similar ones of the others.
func (c *comparison) overloads(old, new []*declaration) (details []Detail) {
	texts := func(all []*declaration) (out []text) {
		for _, d := range all {
			out = append(out, d.reduce(d.part))
		}
		return out
	}
	before, after := texts(old), texts(new)
	all := slices.Clone(new)
	for i := 0; i < len(old); i++ {
		k := slices.IndexFunc(after, before[i].equal)
		if k < 0 {
			continue
		}
		details = append(details, c.words(old[i], new[k])...)
		old, before = slices.Delete(old, i, i+1), slices.Delete(before, i, i+1)
		new, after = slices.Delete(new, k, k+1), slices.Delete(after, k, k+1)
		i--
	}
	for len(old) > 0 && len(new) > 0 {
		a, b := 0, 0
		best := c.declaration(old[0], new[0])
		if len(old) <= maxOverloads && len(new) <= maxOverloads && len(old)+len(new) > 2 {
			for i := range old {
				for k := range new {
					if found := c.declaration(old[i], new[k]); cost(found) < cost(best) {
						a, b, best = i, k, found
					}
				}
			}
		}
		details = append(details, c.served(best, all)...)
		old, new = slices.Delete(old, a, a+1), slices.Delete(new, b, b+1)
	}
	for _, d := range old {
		t := d.reduce(d.part)
		details = append(details, Detail{Aspect: Overload, Severity: max(c.rules.Type, apidoc.Risky), Old: t.source, before: &t})
	}
	for _, d := range new {
		t := d.reduce(d.part)
		details = append(details, Detail{Aspect: Overload, New: t.source, after: &t})
	}
	return details
}

// served removes the differences from one overload that callers do not notice because another
// overload accepts their arguments. If types are not enforced, overloads only describe a function that
// accepts the arguments of any of them, and allows them to be passed in ways that none of them shows.
func (c *comparison) served(details []Detail, overloads []*declaration) []Detail {
	if len(overloads) < 2 {
		return details
	}
	for i := range details {
		if d := &details[i]; c.rules.Type < apidoc.Breaking && slices.Contains([]Aspect{ParamPassing, ParamsReordered, ParamRenamed, ParamRequired}, d.Aspect) {
			d.Severity = min(d.Severity, apidoc.Risky)
		}
	}
	return slices.DeleteFunc(details, func(d Detail) bool {
		if d.Aspect != ParamRemoved && d.Aspect != ParamRequired {
			return false
		}
		return slices.ContainsFunc(overloads, func(o *declaration) bool {
			params, _ := o.list()
			i := slices.IndexFunc(params, func(p *param) bool { return p.name == d.Name })
			if d.Aspect == ParamRemoved {
				return i >= 0
			}
			return i < 0 || params[i].optional()
		})
	})
}

// cost returns a number that is higher the more the differences matter.
func cost(details []Detail) (n int) {
	for _, d := range details {
		n += 1 + 2*int(d.Severity)
	}
	return n
}

// declaration compares two declarations with the same role.
func (c *comparison) declaration(old, new *declaration) (details []Detail) {
	details = c.words(old, new)
	details = append(details, c.typeParams(old, new)...)
	details = append(details, c.constraints(old, new)...)
	details = append(details, c.params(old, new)...)
	details = append(details, c.results(old, new)...)
	details = append(details, c.types(old, new)...)
	return append(details, c.members(old, new)...)
}

// words compares modifiers, attributes and effects, and whether a field is optional.
func (c *comparison) words(old, new *declaration) (details []Detail) {
	compare := func(a, b *declaration, removed bool) {
		for _, role := range []apidoc.PartRole{apidoc.ModifierPart, apidoc.AttributePart, apidoc.EffectPart} {
			before := b.words(role)
			for i := range a.Within(a.part, role) {
				t := a.reduce(i)
				if slices.Contains(before, t.string) {
					continue
				}
				rule, ok := c.rules.Word(t.string)
				if !ok && role == apidoc.EffectPart {
					rule, ok = apidoc.WordRule{Added: apidoc.Breaking, Removed: apidoc.Breaking}, true
				}
				aspect := Word
				if role == apidoc.EffectPart {
					aspect = Effect
				}
				switch {
				case !ok:
				case removed:
					details = append(details, Detail{Aspect: aspect, Severity: rule.Removed, Old: a.PartText(i), before: &t})
				default:
					details = append(details, Detail{Aspect: aspect, Severity: rule.Added, New: a.PartText(i), after: &t})
				}
			}
		}
	}
	compare(old, new, true)
	compare(new, old, false)
	was, is := old.Parts[old.part].Flags&apidoc.Optional != 0, new.Parts[new.part].Flags&apidoc.Optional != 0
	switch {
	case !was && is:
		details = append(details, Detail{Aspect: FieldOptional, Severity: max(c.rules.Type, apidoc.Risky)})
	case was && !is:
		details = append(details, Detail{Aspect: FieldRequired, Severity: max(c.rules.Type, apidoc.Risky)})
	}
	return details
}

// words returns the reduced text of each part with the given role.
func (d *declaration) words(role apidoc.PartRole) (all []string) {
	for i := range d.Within(d.part, role) {
		all = append(all, d.reduce(i).string)
	}
	return all
}
