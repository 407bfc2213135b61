package modules

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// owner returns the name of the type of a value, and the package that declares it.
func (c *Code) owner(t typeRef) (name string, of *Package) {
	parts, _ := c.e.parts(t)
	for _, p := range parts {
		if isNothing(p) {
			continue
		}
		sym := p.sym
		if sym == nil && p.node != nil && (p.node.Kind == dts.Array || p.node.Kind == dts.Tuple) {
			sym = c.r.global("Array", typeMeaning)
		}
		if general := c.interfaceOf(p); general != "" {
			sym = c.r.global(general, typeMeaning)
		}
		if sym == nil && p.node != nil && p.node.Kind == dts.TypeQuery {
			if sym = c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning)); sym != nil {
				name = "typeof "
			}
		}
		if sym == nil {
			if p.scope != nil && p.scope.mod != nil && p.scope.mod.pkg != c.r.main {
				return "", p.scope.mod.pkg.Package
			}
			return "", nil
		}
		if len(sym.decls) > 0 && sym.decls[0].scope.mod != nil && sym.decls[0].scope.mod.pkg != c.r.main {
			of = sym.decls[0].scope.mod.pkg.Package
		}
		if sym.namespaceOf != nil {
			return "", of
		}
		return name + sym.name, of
	}
	return "", nil
}

// findingOwner is like owner, but it prefers objects to the other parts of a union, and knows the names that aliases give to
// unions and literals.
func (c *Code) findingOwner(t typeRef) (name string, of *Package) {
	parts, _ := c.e.parts(t)
	objects := slices.DeleteFunc(slices.Clone(parts), func(p typeRef) bool { return isNothing(p) || c.interfaceOf(p) != "" })
	if len(objects) == 0 {
		return c.owner(t)
	}
	if name, of = c.namespace(objects[0]); of != nil {
		return name, of
	}
	same := true
	for i, p := range objects {
		part, pkg := c.owner(p)
		part = cmp.Or(part, literalName(p))
		if i == 0 {
			name, of = part, pkg
		}
		same = same && part == name
	}
	if same && name != "" || !t.node.Is(dts.Ref) || t.node.Arg(0) != nil || t.scope == nil {
		return name, of
	}
	if alias := c.r.target(c.r.entity(t.scope, t.node.Text, typeMeaning)); alias != nil {
		name = alias.name
	}
	return name, of
}

// namespace returns the name of the module of a package whose exports are the members of a value, and the package.
func (c *Code) namespace(p typeRef) (name string, of *Package) {
	if !p.node.Is(dts.TypeQuery) {
		return "", nil
	}
	sym := c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning))
	if sym == nil || sym.namespaceOf == nil || sym.namespaceOf.pkg == c.r.main {
		return "", nil
	}
	if m := sym.namespaceOf; m.ambient {
		name = m.path
	} else {
		name = m.pkg.Name
	}
	return name, sym.namespaceOf.pkg.Package
}

// literalName returns the name of the alias whose type is a literal, or "".
func literalName(t typeRef) string {
	if !t.node.Is(dts.TypeLiteral) || t.scope == nil {
		return ""
	}
	for _, names := range [...]*table{t.scope.exports, t.scope.locals} {
		for _, sym := range names.order {
			for _, d := range sym.decls {
				if d.node.Kind == dts.TypeAlias && d.node.Type() == t.node {
					return sym.name
				}
			}
		}
	}
	return ""
}

// memberNames returns the names of the members of a value, and its types and those that they inherit from.
func (c *Code) memberNames(t typeRef) (names []string, types []TypeName) {
	parts, _ := c.e.parts(t)
	for _, p := range parts {
		more, of := c.partNames(p, 0)
		names, types = append(names, more...), append(types, of...)
	}
	return names, types
}

// partNames is like memberNames, for a part of a union.
func (c *Code) partNames(p typeRef, depth int) (names []string, types []TypeName) {
	for _, q := range c.intersected(p) {
		if depth > maxNesting {
			return names, append(types, AnyType)
		}
		parts, known := c.e.parts(q)
		if !known {
			types = append(types, AnyType)
		}
		for _, r := range parts {
			more, of := c.partNames(r, depth+1)
			names, types = append(names, more...), append(types, of...)
		}
	}
	if len(types) > 0 {
		return names, types
	}
	if general := c.interfaceOf(p); general != "" {
		if sym := c.r.global(general, typeMeaning); sym != nil {
			p = typeRef{sym: sym}
		}
	}
	set, _ := c.e.props(p)
	if p.sym != nil {
		set = c.e.members(p.sym).props
	}
	known, literal := len(set.order) > 0, p.node != nil && p.node.Kind == dts.TypeLiteral
	for _, q := range set.order {
		names = append(names, q.name)
		if q.owner == nil {
			known = known && literal
		} else if of := c.r.typeName(q.owner); !slices.Contains(types, of) {
			types = c.baseNames(append(types, of), q.owner, 0)
		}
	}
	if p.node != nil && p.node.Kind == dts.TypeQuery {
		if sym := c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning)); sym != nil {
			of := c.r.typeName(sym)
			types, known = append(types, of, TypeName{Package: of.Package}), true
		}
	}
	switch {
	case p.sym != nil:
		types = c.baseNames(append(types, c.r.typeName(p.sym)), p.sym, 0)
	case known && literal:
		types = append(types, TypeName{Package: "typescript", Name: "Object", Global: true}) // Other files cannot extend the literal itself.
	case !known && !isNothing(p):
		types = append(types, AnyType)
	}
	return names, types
}

// intersected returns the parts of an intersection, or nil for another type.
func (c *Code) intersected(t typeRef) (parts []typeRef) {
	switch {
	case t.compound != nil && t.compound.all:
		return t.compound.parts
	case t.sym == nil && t.node != nil && t.node.Kind == dts.Intersection:
		for k := range t.node.Children() {
			parts = append(parts, t.at(k))
		}
	}
	return parts
}

// typeName returns the name of a type or module.
func (r *Reader) typeName(sym *symbol) TypeName {
	t := TypeName{Name: sym.name}
	switch {
	case sym.namespaceOf != nil:
		return TypeName{Package: sym.namespaceOf.pkg.Name}
	case len(sym.decls) > 0 && sym.decls[0].scope.mod != nil:
		s := sym.decls[0].scope
		t.Package, t.Global = s.mod.pkg.Name, s.exports == r.globals
		t.Nested = s != s.mod.scope && !t.Global
	}
	return t
}

// baseNames adds the names of the bases of a type.
func (c *Code) baseNames(types []TypeName, sym *symbol, depth int) []TypeName {
	for _, d := range sym.decls {
		for b := range bases(d) {
			types = c.namesIn(types, b, d.scope, depth+1)
		}
	}
	return types
}

// namesIn adds the name of the class or interface that a type refers to, which a type of TypeScript's library may modify, and
// those of its bases.
func (c *Code) namesIn(types []TypeName, n *dts.Node, s *scope, depth int) []TypeName {
	switch {
	case depth > maxNesting || n == nil:
		return append(types, AnyType)
	case n.Kind == dts.TypeLiteral, n.Kind == dts.FuncType, n.Kind == dts.NewType:
		return types
	case n.Kind == dts.Intersection, n.Kind == dts.Union, n.Kind == dts.Paren:
		for k := range n.Children() {
			types = c.namesIn(types, k, s, depth+1)
		}
		return types
	case n.Kind == dts.TypeQuery:
		if sym := c.r.target(c.r.entity(s, n.Text, valueMeaning)); sym != nil && (sym.namespaceOf != nil || isClass(sym)) {
			return append(types, c.r.typeName(sym))
		}
		return append(types, AnyType)
	case n.Kind != dts.Ref:
		return append(types, AnyType)
	}
	switch n.Text {
	case "Partial", "Required", "Readonly", "Pick", "Omit":
		if c.r.lookup(s, n.Text, typeMeaning) == nil {
			return c.namesIn(types, n.Arg(0), s, depth+1)
		}
	}
	sym := c.r.target(c.r.entity(s, n.Text, anything))
	switch {
	case sym == nil || len(sym.decls) == 0:
		return append(types, AnyType)
	case isClassOrInterface(sym):
		return c.baseNames(append(types, c.r.typeName(sym)), sym, depth)
	}
	if d := sym.decls[0]; len(sym.decls) == 1 && d.node.Kind == dts.TypeAlias {
		return c.namesIn(types, d.node.Type(), d.scope, depth+1)
	}
	return append(types, AnyType)
}

// isClassOrInterface reports whether a symbol is a class or an interface.
func isClassOrInterface(sym *symbol) bool {
	return slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Kind == dts.Class || d.node.Kind == dts.Interface })
}
