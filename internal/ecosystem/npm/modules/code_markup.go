package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// markup evaluates a JSX element, and compares its attributes with those that its component accepts.
func (c *Code) markup(f *frame, x *dts.Expr) {
	attributes := x.List[1]
	switch {
	case attributes == nil:
		c.expr(f, x.List[0], typeRef{})
	case x.Text != "":
		c.attributes(f, x, c.intrinsic(f, x), false)
	default:
		accepted, single := c.componentProps(f, x)
		c.attributes(f, x, accepted, single)
	}
	c.all(f, x.List[2:])
}

// attributes evaluates the attributes of an element. accepted contains the types of attributes that its component accepts. It
// is empty if they are unknown. inferred is true if these depend on the attributes.
func (c *Code) attributes(f *frame, x *dts.Expr, accepted []typeRef, inferred bool) {
	attributes := x.List[1]
	var want typeRef
	if len(accepted) > 0 {
		want = unionOf(accepted)
		if !inferred && len(accepted) == 1 && !spreads(attributes) {
			for _, a := range attributes.List {
				if len(a.List) > 0 {
					f.mark(a.List[0])
				}
			}
		}
	}
	c.objectLiteral(f, attributes, want)
	common := c.jsx(f.file.mod, "IntrinsicAttributes")
	if len(accepted) == 0 || common == nil || spreads(attributes) {
		return
	}
	c.compareAttributes(f, x, accepted, c.refer(common, nil))
}

// compareAttributes records the attributes that an element must not have, or those that it lacks, unless one of the accepted
// types matches.
func (c *Code) compareAttributes(f *frame, x *dts.Expr, accepted []typeRef, common typeRef) {
	attributes := x.List[1]
	var best typeRef
	var excess []*dts.Expr
	var lacking []string
	for _, want := range accepted {
		extra := slices.DeleteFunc(c.excess(attributes, want), func(a *dts.Expr) bool {
			if strings.ContainsAny(a.Text, "-:") || a.Text == "key" || a.Text == "ref" || a.Text == "children" {
				return true
			}
			_, how := c.member(common, a.Text)
			return how != missing
		})
		var lacks []string
		if !c.hasDefaults(f, x) {
			lacks = slices.DeleteFunc(c.lacking(attributes, want), func(name string) bool {
				return name == "children" || name == "key" || name == "ref"
			})
		}
		if len(extra)+len(lacks) == 0 {
			return
		}
		if best.unknown() || len(extra)+len(lacks) < len(excess)+len(lacking) {
			best, excess, lacking = want, extra, lacks
		}
	}
	name, of := x.Text, (*Package)(nil)
	if x.List[0] != nil {
		name = x.List[0].Text
	}
	if len(excess) > 0 {
		first := len(f.file.uses)
		c.reportExcess(f, attributes, excess, best)
		for i := range f.file.uses[first:] {
			f.file.uses[first+i].Element = name
		}
		return
	}
	if _, p := c.owner(best); p != nil {
		of = p
	}
	c.reportLacking(f, x, name, of, lacking, best)
}

// intrinsic returns the type of the attributes of an intrinsic element, such as <a>.
func (c *Code) intrinsic(f *frame, x *dts.Expr) []typeRef {
	sym := c.jsx(f.file.mod, "IntrinsicElements")
	if sym == nil {
		return nil
	}
	elements := c.refer(sym, nil)
	t, how := c.member(elements, x.Text)
	if how == exists && !t.unknown() {
		return []typeRef{t}
	}
	if how == missing {
		u := MemberUse{Offset: int(x.Pos), Name: x.Text, Absent: true}
		u.Owner, u.Package = c.owner(elements)
		u.Members, u.Types = c.memberNames(elements)
		f.file.uses = append(f.file.uses, u)
		f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing})
	}
	return nil
}

// componentProps returns the types of attributes that the component of an element accepts, one for each of its declarations,
// or none if they are unknown. inferred is true if they depend on the attributes.
func (c *Code) componentProps(f *frame, x *dts.Expr) (all []typeRef, inferred bool) {
	t := c.expr(f, x.List[0], typeRef{})
	if t.unknown() || f.has(pathOf(x.List[0])) {
		return nil, false
	}
	parts, ok := c.e.parts(t)
	if !ok {
		return nil, false
	}
	for _, p := range parts {
		calls := c.callsOf(p)
		if len(calls) == 0 {
			props, known := c.member(c.constructed(p), "props")
			if known != exists || props.unknown() {
				return nil, false
			}
			all = append(all, props)
			continue
		}
		for _, s := range calls {
			variables := c.typeParams(s, f, x.Args)
			inferred = inferred || len(variables.names) > 0 && len(x.Args) == 0
			props := c.parameter([]call{c.with(s, variables)}, 0, false)
			if props.unknown() {
				return nil, false
			}
			all = append(all, props)
		}
	}
	return all, inferred
}

// constructed returns the type of the instances of a class, or the unknown type.
func (c *Code) constructed(p typeRef) typeRef {
	if p.node != nil && p.node.Kind == dts.TypeQuery {
		sym := c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning))
		if sym == nil || !isClass(sym) {
			return typeRef{}
		}
		return c.refer(sym, nil)
	}
	signatures := c.constructors(p)
	if len(signatures) != 1 || signatures[0].node.Type() == nil {
		return typeRef{}
	}
	return signatures[0].context.at(signatures[0].node.Type())
}

// hasDefaults reports whether the file that declares the component of an element may declare default values for attributes.
func (c *Code) hasDefaults(f *frame, x *dts.Expr) bool {
	component := x.List[0]
	for component != nil && component.Kind == dts.ExprMember {
		component = component.List[0]
	}
	if component == nil || component.Kind != dts.ExprName {
		return x.Text == ""
	}
	sym := c.r.target(c.r.find(f.scope, component.Text, valueMeaning))
	if sym == nil {
		return true
	}
	m := f.file.mod
	switch {
	case sym.namespaceOf != nil:
		m = sym.namespaceOf
	case len(sym.decls) > 0:
		m = sym.decls[0].scope.mod
	}
	if m == nil || m.file == nil {
		return true
	}
	has, known := c.defaults[m]
	if !known {
		has = strings.Contains(m.file.Source, "defaultProps")
		if space := c.spaces[f.file.mod]; space != nil && len(space.decls) > 0 && space.decls[0].scope.mod.pkg == m.pkg {
			has = false // This package describes default values, but its components have none.
		}
		c.defaults[m] = has
	}
	return has
}

// jsx returns an interface in the namespace JSX that applies to a module, or nil if there is none.
func (c *Code) jsx(m *module, name string) *symbol {
	space, known := c.spaces[m]
	if !known {
		space = c.jsxNamespace(m)
		c.spaces[m] = space
	}
	if space == nil {
		return nil
	}
	sym := c.r.target(c.r.within(space, name))
	if sym == nil || !isClassOrInterface(sym) {
		return nil
	}
	return sym
}

// jsxNamespace finds the namespace JSX that applies to a module.
func (c *Code) jsxNamespace(m *module) *symbol {
	source := c.r.optionsOf(m.path).JSX
	if source == "" || strings.Contains(m.file.Source, "@jsx") {
		return nil // A comment may select another namespace.
	}
	for _, spec := range []string{source + "/jsx-runtime", source} {
		of := c.r.moduleOf(m, spec)
		if of == nil {
			continue
		}
		if sym := c.r.target(c.r.export(of, "JSX")); sym != nil {
			return sym
		}
	}
	return nil
}
