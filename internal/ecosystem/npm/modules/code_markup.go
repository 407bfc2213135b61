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
		c.attributes(f, x, accepted{types: c.intrinsic(f, x)})
	default:
		c.attributes(f, x, c.componentProps(f, x))
	}
	c.all(f, x.List[2:])
}

// accepted describes the attributes that the component of an element accepts.
type accepted struct {
	// types are the types of the attributes, one for each declaration of the component. It is empty if they are unknown.
	types    []typeRef
	inferred bool // whether the types depend on the attributes
	adapted  bool // whether the library may accept other attributes than these types require
}

// attributes evaluates the attributes of an element.
func (c *Code) attributes(f *frame, x *dts.Expr, accepted accepted) {
	attributes := x.List[1]
	var want typeRef
	if len(accepted.types) > 0 {
		want = unionOf(accepted.types)
		if !accepted.inferred && len(accepted.types) == 1 && !spreads(attributes) {
			for _, a := range attributes.List {
				if len(a.List) > 0 {
					f.mark(a.List[0])
				}
			}
		}
	}
	c.objectLiteral(f, attributes, want)
	common := c.jsx(f.file.mod, "IntrinsicAttributes")
	if len(accepted.types) == 0 || accepted.adapted || common == nil || spreads(attributes) {
		return
	}
	c.compareAttributes(f, x, accepted.types, c.refer(common, nil))
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
		lacks := slices.DeleteFunc(c.lacking(attributes, want), func(name string) bool {
			return name == "children" || name == "key" || name == "ref"
		})
		if len(extra)+len(lacks) == 0 {
			return
		}
		if best.unknown() || len(extra)+len(lacks) < len(excess)+len(lacking) {
			best, excess, lacking = want, extra, lacks
		}
	}
	name, pkg := x.Text, (*Package)(nil)
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
		pkg = p
	}
	c.reportLacking(f, x, name, pkg, lacking, best)
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

// componentProps returns the attributes that the component of an element accepts.
func (c *Code) componentProps(f *frame, x *dts.Expr) accepted {
	t := c.expr(f, x.List[0], typeRef{})
	if t.unknown() || f.hides(pathOf(x.List[0])) {
		return accepted{}
	}
	parts, ok := c.e.parts(t)
	if !ok {
		return accepted{}
	}
	all := accepted{adapted: c.isAdapted(f, x.List[0])}
	for _, p := range parts {
		calls := c.callsOf(p)
		if len(calls) == 0 {
			props, known := c.member(c.constructed(p), "props")
			if known != exists || props.unknown() {
				return accepted{}
			}
			all.types = append(all.types, props)
			all.adapted = all.adapted || c.hasStatics(p)
			continue
		}
		for _, s := range calls {
			variables := c.typeParams(s, f, x.Args)
			all.inferred = all.inferred || len(variables.names) > 0 && len(x.Args) == 0
			props := c.parameter([]call{c.with(s, variables, false)}, 0, false)
			if props.unknown() {
				return accepted{}
			}
			all.types = append(all.types, props)
			all.adapted = all.adapted || c.adaptsIn(f, s.context.scope.mod)
		}
	}
	return all
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

// statics are the static properties of components from which libraries derive the attributes that the components accept.
var statics = []string{"defaultProps", "propTypes"}

// hasStatics reports whether a class may have one of the static properties, or inherit it.
func (c *Code) hasStatics(class typeRef) bool {
	return class.node != nil && class.node.Kind == dts.TypeQuery && slices.ContainsFunc(statics, func(name string) bool {
		_, how := c.member(class, name)
		return how != missing
	})
}

// isAdapted reports whether the library may change the attributes of a component: the namespace JSX adds some, or the file that
// declares the component may set one of the static properties.
func (c *Code) isAdapted(f *frame, component *dts.Expr) bool {
	if c.addsAttributes(f.file.mod) {
		return true
	}
	for component.Kind == dts.ExprMember {
		component = component.List[0]
	}
	if component.Kind != dts.ExprName {
		return true
	}
	sym := c.r.target(c.r.find(f.scope, component.Text, valueMeaning))
	switch {
	case sym == nil:
		return true
	case sym.namespaceOf != nil:
		return c.adaptsIn(f, sym.namespaceOf)
	case len(sym.decls) > 0:
		return c.adaptsIn(f, sym.decls[0].scope.mod)
	}
	return c.adaptsIn(f, f.file.mod)
}

// adaptsIn reports whether a file may set one of the static properties of a component.
func (c *Code) adaptsIn(f *frame, m *module) bool {
	if m == nil || m.file == nil {
		return true
	}
	adapts, known := c.adapting[m]
	if !known {
		adapts = slices.ContainsFunc(statics, func(name string) bool { return strings.Contains(m.file.Source, name) })
		if space := c.spaces[f.file.mod]; space != nil && len(space.decls) > 0 && space.decls[0].scope.mod.pkg == m.pkg {
			adapts = false // This package describes the properties, but its components have none.
		}
		c.adapting[m] = adapts
	}
	return adapts
}

// addsAttributes reports whether the namespace JSX that applies to a module may add attributes to those that components declare,
// as that of Emotion does.
func (c *Code) addsAttributes(m *module) bool {
	space := c.jsxNamespace(m)
	if space == nil {
		return false
	}
	sym := c.r.target(c.r.within(space, "LibraryManagedAttributes"))
	return sym != nil && slices.ContainsFunc(sym.decls, func(d decl) bool {
		return d.node.Type() != nil && strings.Contains(d.node.Type().String(), "&")
	})
}

// jsx returns an interface in the namespace JSX that applies to a module, or nil if there is none.
func (c *Code) jsx(m *module, name string) *symbol {
	space := c.jsxNamespace(m)
	if space == nil {
		return nil
	}
	sym := c.r.target(c.r.within(space, name))
	if sym == nil || !isClassOrInterface(sym) {
		return nil
	}
	return sym
}

// jsxNamespace returns the namespace JSX that applies to a module, or nil if there is none.
func (c *Code) jsxNamespace(m *module) *symbol {
	space, known := c.spaces[m]
	if !known {
		space = c.findJSX(m)
		c.spaces[m] = space
	}
	return space
}

func (c *Code) findJSX(m *module) *symbol {
	source := c.r.optionsOf(m.path).JSX
	if source == "" || strings.Contains(m.file.Source, "@jsx") {
		return nil // A comment may select another namespace.
	}
	for _, spec := range []string{source + "/jsx-runtime", source} {
		types := c.r.moduleOf(m, spec)
		if types == nil {
			continue
		}
		if sym := c.r.target(c.r.export(types, "JSX")); sym != nil {
			return sym
		}
	}
	return nil
}
