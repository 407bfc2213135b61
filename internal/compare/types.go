package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// typeSeverity returns the severity of a change to a type. taken is true for types of values that
// programs pass, and false for types of values that they receive.
func (c *comparison) typeSeverity(old, new text, taken bool) apidoc.Severity {
	if old.string == new.string {
		return max(c.rules.Type, apidoc.Risky) // The names refer to other symbols.
	}
	wide, narrow := new, old
	if !taken {
		wide, narrow = old, new
	}
	if covers(wide.alternatives, narrow.alternatives) || taken && slices.Contains(c.rules.Any, new.string) {
		return apidoc.Compatible
	}
	return max(c.rules.Type, apidoc.Risky)
}

// covers reports whether all contains all alternatives of some.
func covers(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// results compares the results of two functions.
func (c *comparison) results(old, new *declaration) []Detail {
	a, b := old.resultText(), new.resultText()
	if a.equal(b) {
		return nil
	}
	if (a.source == "" || b.source == "") && c.rules.Type < apidoc.Breaking {
		return nil // only the declaration of an unenforced type was added or removed
	}
	d := Detail{Aspect: ResultType, Severity: c.typeSeverity(a, b, false), Old: a.source, New: b.source, before: &a, after: &b, packages: a.otherPackages(b)}
	if c.rules.Type < apidoc.Breaking && !(old.resultIsKnown() && new.resultIsKnown()) {
		d.Severity = apidoc.Compatible // One of them may be another name for the other.
	}
	return []Detail{d}
}

// resultIsKnown reports whether the type of a result is a part of the language or a class in the
// compared packages, rather than a type variable or an alias.
func (d *declaration) resultIsKnown() bool {
	for i := range d.Within(d.part, apidoc.ResultPart) {
		for k := range d.References(i) {
			if d.Parts[k].Flags&apidoc.Builtin != 0 {
				return true
			}
			name, _ := d.symbol(k)
			s := naming.Exact(d.in, name)
			return s != nil && s.Role() == apidoc.TypeRole && s.NumMembers() > 0
		}
	}
	return false
}

// resultText returns the results of a function as one text.
func (d *declaration) resultText() (t text) {
	n := 0
	for i := range d.Within(d.part, apidoc.ResultPart) {
		one := i
		if typ := d.TypeOf(i); typ >= 0 {
			one = typ
		}
		r := d.reduce(one)
		if n++; n == 1 {
			t = r
			t.packages = maps.Clone(r.packages)
			t.words = slices.Clone(r.words)
			t.name = d.typeName(one, &r)
			continue
		}
		t.name = ""
		t.words = append(t.words, r.words...)
		t.string += ", " + r.string
		t.source += ", " + r.source
		t.refer(r.packages)
		t.alternatives = []string{t.string}
	}
	return t
}

// types compares the types and values of fields, values and aliases.
func (c *comparison) types(old, new *declaration) (details []Detail) {
	a, b := old.Child(old.part, apidoc.TypePart), new.Child(new.part, apidoc.TypePart)
	switch {
	case a >= 0 && b >= 0:
		before, after := old.withoutMembers(a), new.withoutMembers(b)
		if before.equal(after) {
			break
		}
		s := max(c.rules.Type, apidoc.Risky)
		switch old.Role() {
		case apidoc.ValueRole, apidoc.EnumValueRole:
			s = c.typeSeverity(before, after, false)
		case apidoc.FieldRole, apidoc.TypeRole:
			if covers(before.alternatives, after.alternatives) || covers(after.alternatives, before.alternatives) {
				s = apidoc.Risky // it is unknown whether programs take or pass the value
			}
			if c.isName(new.side, new.ref) != c.isName(old.side, old.ref) {
				s = apidoc.Risky // it is unknown what the name refers to
			}
		}
		details = append(details, Detail{Aspect: TypeOf, Severity: s, Old: before.source, New: after.source, before: &before, after: &after, packages: before.otherPackages(after)})
	case c.rules.Type < apidoc.Breaking: // The only difference is that the declaration of an unenforced type was added or removed.
	case a >= 0 != (b >= 0):
		d := Detail{Aspect: TypeOf, Severity: c.rules.Type}
		if a >= 0 {
			d.Old = old.PartText(a)
		} else {
			d.New = new.PartText(b)
		}
		if old.Child(old.part, apidoc.ValuePart) >= 0 || new.Child(new.part, apidoc.ValuePart) >= 0 {
			d.Severity = apidoc.Risky // The value determines the type.
		}
		if old.Kind == new.Kind && (c.isName(new.side, new.ref) || c.isName(old.side, old.ref)) {
			d.Severity = min(d.Severity, apidoc.Risky)
		}
		details = append(details, d)
	}
	v, w := old.Child(old.part, apidoc.ValuePart), new.Child(new.part, apidoc.ValuePart)
	if v >= 0 && w >= 0 && (old.Parts[v].Flags|new.Parts[w].Flags)&apidoc.Unknown == 0 {
		if x, y := old.reduce(v), new.reduce(w); x.string != y.string {
			details = append(details, Detail{Aspect: Value, Severity: apidoc.Risky, Old: x.source, New: y.source})
		}
	}
	return details
}

// withoutMembers returns a type without the members that are separate symbols, because those are
// compared separately.
func (d *declaration) withoutMembers(i int) text {
	names := map[string]bool{}
	for _, m := range d.AllMembers() {
		names[m.Name()] = true
	}
	has := func(k int) bool { return names[d.ChildText(k, apidoc.NamePart)] }
	if len(names) > 0 {
		all := true
		n := 0
		for k := range d.Members(i) {
			n++
			all = all && has(k)
		}
		if n > 0 && all {
			return text{}
		}
	}
	return d.reduce(i)
}

// typeParams compares type parameters and their constraints.
func (c *comparison) typeParams(old, new *declaration) (details []Detail) {
	a, b := old.typeParams(), new.typeParams()
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			d := Detail{Aspect: TypeParam, Severity: c.rules.Type, New: new.PartText(b[i])}
			if new.Parts[b[i]].Flags&apidoc.Optional != 0 {
				d.Severity = apidoc.Compatible
			}
			details = append(details, d)
		case i >= len(b):
			details = append(details, Detail{Aspect: TypeParam, Severity: c.rules.Type, Old: old.PartText(a[i])})
		default:
			name := new.ChildText(b[i], apidoc.NamePart)
			x, y := old.all(a[i], apidoc.ConstraintPart), new.all(b[i], apidoc.ConstraintPart)
			if x.equal(y) {
				continue
			}
			d := Detail{Aspect: Constraint, Severity: c.rules.Type, Name: name, Old: x.source, New: y.source, before: &x, after: &y}
			if covers(y.alternatives, x.alternatives) && x.source != "" || y.source == "" {
				d.Severity = apidoc.Compatible // The new type accepts more values.
			}
			details = append(details, d)
		}
	}
	return details
}

// typeParams returns the type parameters that a declaration must not omit.
func (d *declaration) typeParams() (all []int) {
	for i := range d.Within(d.part, apidoc.TypeParamPart) {
		if d.params[d.ChildText(i, apidoc.NamePart)] != elided {
			all = append(all, i)
		}
	}
	return all
}

// all returns the parts with a given role directly within parent as one text, in sorted order.
func (d *declaration) all(parent int, role apidoc.PartRole) (t text) {
	var parts []text
	for i := range d.Within(parent, role) {
		parts = append(parts, d.reduce(i))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var sources []string
	for _, p := range parts {
		sources = append(sources, p.source)
	}
	slices.SortStableFunc(parts, func(a, b text) int { return strings.Compare(a.string, b.string) })
	for _, p := range parts {
		t.string += " " + p.string
		t.words = append(t.words, p.words...)
		t.refer(p.packages)
	}
	t.source, t.alternatives = strings.Join(sources, ", "), []string{t.string}
	return t
}

// constraints compares the constraints that are written outside the type parameters, and the
// keywords of types.
func (c *comparison) constraints(old, new *declaration) (details []Detail) {
	reduce := func(d *declaration) (all []text) {
		for i := range d.Within(d.part, apidoc.ConstraintPart) {
			all = append(all, d.reduce(i))
		}
		return all
	}
	before, after := reduce(old), reduce(new)
	for _, t := range before {
		if !slices.ContainsFunc(after, t.equal) {
			details = append(details, Detail{Aspect: Constraint, Old: t.source, before: &t})
		}
	}
	for _, t := range after {
		if !slices.ContainsFunc(before, t.equal) {
			details = append(details, Detail{Aspect: Constraint, Severity: c.rules.Type, New: t.source, after: &t})
		}
	}
	if a, b := old.ChildText(old.part, apidoc.KeywordPart), new.ChildText(new.part, apidoc.KeywordPart); a != b && len(before)+len(after) == 0 {
		d := Detail{Aspect: SymbolKind, Severity: apidoc.Breaking, Old: a, New: b}
		if c.isName(new.side, new.ref) || c.isName(old.side, old.ref) {
			d.Severity = apidoc.Risky // It is unknown what the other name refers to.
		}
		details = append(details, d)
	}
	return details
}

// bases compares the bases of a type, both in its own declaration and in others.
func (c *comparison) bases(before, after []*declaration, old, new []*ref) (details []Detail) {
	reduce := func(s *side, declarations []*declaration, refs []*ref) (all []text) {
		for _, r := range refs {
			for _, one := range r.bases {
				declarations = append(slices.Clip(declarations), s.declarations(one, c.rules)...)
			}
		}
		for _, d := range declarations {
			for i := range d.Within(d.part, apidoc.BasePart) {
				if d.ref != refs[0] {
					d.reduced = nil
					d.params = map[string]string{} // numbered by their order in the base alone
					for k := range d.References(i) {
						if name := d.PartText(k); d.Parts[k].Flags&apidoc.Local != 0 && d.params[name] == "" {
							d.params[name] = "$" + string(rune('0'+len(d.params)%64))
						}
					}
				}
				t := d.reduce(i)
				if k := d.Child(i, apidoc.ReferencePart); k >= 0 {
					t.name, _ = d.symbol(k)
				}
				all = append(all, t)
			}
		}
		return all
	}
	a, b := reduce(c.old, before, old), reduce(c.new, after, new)
	if c.rules.Type < apidoc.Breaking { // Type arguments do not affect the program at run time.
		for _, all := range [][]text{a, b} {
			for i := range all {
				all[i].string = cmp.Or(all[i].name, all[i].string)
			}
		}
	}
	for _, t := range a {
		if !slices.ContainsFunc(b, t.equal) {
			details = append(details, Detail{Aspect: Base, Severity: apidoc.Breaking, Old: t.source, base: t.name, before: &t})
		}
	}
	for _, t := range b {
		if !slices.ContainsFunc(a, t.equal) {
			details = append(details, Detail{Aspect: Base, Severity: c.severityOfBase(old[0], new[0], t.name), New: t.source, base: t.name, after: &t})
		}
	}
	return slices.CompactFunc(details, func(x, y Detail) bool { return x.Old == y.Old && x.New == y.New })
}

// severityOfBase returns the severity of an additional base, which can require members of those who
// implement a type.
func (c *comparison) severityOfBase(old, new *ref, base string) apidoc.Severity {
	flags := old.in.Flags(old.Symbol)
	s := naming.Exact(new.in, base)
	if flags&apidoc.Implemented == 0 || flags&apidoc.Closed != 0 || s == nil || s.Path == new.Path { // That is an implementation for another type.
		return apidoc.Compatible
	}
	for _, m := range s.AllMembers() {
		if isRequired(new.in, &m) && c.old.symbols[key{old.pkg, old.Path + old.in.Separator() + m.Name()}] == nil {
			return c.rules.Requirement
		}
	}
	return apidoc.Compatible
}

// members compares members that are written within a declaration and are not separate symbols.
func (c *comparison) members(old, new *declaration) (details []Detail) {
	reduce := func(d *declaration) (names []string, texts map[string]text) {
		symbols := map[string]bool{}
		for _, m := range d.AllMembers() {
			symbols[m.Name()] = true
		}
		texts = map[string]text{}
		n := 0
		for i := range d.Members(d.part) {
			name := d.ChildText(i, apidoc.NamePart)
			if name == "" {
				name = string(rune('0' + n%10)) // by place
				n++
			}
			if !symbols[name] && texts[name].source == "" {
				names = append(names, name)
				texts[name] = d.reduce(i)
			}
		}
		return names, texts
	}
	before, a := reduce(old)
	after, b := reduce(new)
	symbolIn := func(d *declaration, name string) bool {
		return slices.ContainsFunc(d.AllMembers(), func(m apidoc.Symbol) bool { return m.Name() == name })
	}
	for _, name := range before {
		was := a[name]
		switch t, ok := b[name]; {
		case !ok && !symbolIn(new, name):
			details = append(details, Detail{Aspect: Member, Severity: apidoc.Breaking, Name: name, Old: was.source, before: &was})
		case ok && !was.equal(t):
			details = append(details, Detail{Aspect: Member, Severity: max(c.rules.Type, apidoc.Risky), Name: name, Old: was.source, New: t.source, before: &was, after: &t})
		}
	}
	for _, name := range after {
		if _, ok := a[name]; !ok && !symbolIn(old, name) {
			s := c.rules.Field
			if old.Parts[old.part].Flags&apidoc.Closed != 0 {
				s = apidoc.Compatible
			}
			details = append(details, Detail{Aspect: Member, Severity: s, Name: name, New: b[name].source})
		}
	}
	return details
}
