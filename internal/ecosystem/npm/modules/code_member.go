package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// existence describes whether a value has a member.
type existence uint8

const (
	uncertain existence = iota
	exists
	missing
)

// present returns a type without null and undefined.
func (c *Code) present(t typeRef) typeRef {
	parts, ok := c.e.parts(t)
	if !ok {
		return typeRef{}
	}
	return unionOf(slices.DeleteFunc(slices.Clone(parts), isNothing))
}

// member returns the type of a member of a value of type t. If only some parts of a union have the
// member, it exists.
func (c *Code) member(t typeRef, name string) (typeRef, existence) {
	if t.unknown() {
		return typeRef{}, uncertain
	}
	cut := c.e.cut
	parts, ok := c.e.parts(t)
	if !ok || c.e.cut != cut {
		return typeRef{}, uncertain
	}
	var found []typeRef
	unsure, none, known := false, 0, true
	n := 0
	for _, p := range parts {
		if isNothing(p) {
			continue
		}
		n++
		v, how := c.memberOfPart(p, name, 0)
		switch how {
		case exists:
			known = known && !v.unknown()
			if !slices.Contains(found, v) {
				found = append(found, v)
			}
		case missing:
			none++
		default:
			unsure = true
		}
	}
	switch {
	case n == 0 || unsure || c.e.cut != cut:
		return typeRef{}, uncertain
	case none == n:
		return typeRef{}, missing
	case !known:
		return typeRef{}, exists
	}
	return unionOf(found), exists
}

// interfaceOf returns the global interface with the members of a part that is a primitive or a
// function.
func (c *Code) interfaceOf(p typeRef) string {
	if name := boxedName(p); name != "" {
		return name
	}
	if p.node != nil {
		switch p.node.Kind {
		case dts.FuncType, dts.NewType, dts.Function, dts.Method:
			return "Function"
		}
	}
	return ""
}

// objectMembers are the members of all objects.
var objectMembers = []string{"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"}

// hasLibrary reports whether TypeScript's own declarations are installed. Without them, global
// interfaces have only the members that other packages add.
func (c *Code) hasLibrary() bool {
	c.r.loadLib()
	return c.r.lib != nil && c.r.lib.FS != errorTypes
}

// globalMember returns the member of a global interface.
func (c *Code) globalMember(of, name string) (typeRef, existence) {
	sym := c.r.global(of, typeMeaning)
	switch {
	case sym == nil && of == "Object" && !slices.Contains(objectMembers, name):
		return typeRef{}, missing // TypeScript's own declarations are not installed.
	case sym == nil:
		return typeRef{}, uncertain
	}
	l := c.e.members(sym)
	if l.props.get(name) == nil && !c.hasLibrary() {
		return typeRef{}, uncertain
	}
	if p := l.props.get(name); p != nil {
		return c.propertyType(typeRef{sym: sym}, p), exists
	}
	if l.incomplete {
		return typeRef{}, uncertain
	}
	return typeRef{}, missing
}

// memberOfPart is like member, for one part of a union.
func (c *Code) memberOfPart(p typeRef, name string, depth int) (typeRef, existence) {
	if depth > maxNesting {
		return typeRef{}, uncertain
	}
	if of := c.interfaceOf(p); of != "" {
		v, how := c.globalMember(of, name)
		if how == missing && of == "Function" {
			if c.mayAssign(p.scope, name) {
				return typeRef{}, uncertain
			}
		}
		if how != missing {
			return v, how
		}
		return c.globalMember("Object", name)
	}
	if p.compound != nil {
		if !p.compound.all {
			return c.member(p, name)
		}
		return c.memberOfAll(p.compound.parts, name, depth)
	}
	if p.sym == nil {
		if p.node == nil {
			return typeRef{}, uncertain
		}
		switch n := p.node; n.Kind {
		case dts.Intersection:
			var parts []typeRef
			for k := range n.Children() {
				parts = append(parts, p.at(k))
			}
			return c.memberOfAll(parts, name, depth)
		case dts.Array:
			return c.member(c.list(p.at(n.Inner())), name)
		case dts.Tuple:
			sym := c.r.global("Array", typeMeaning)
			if sym == nil {
				return typeRef{}, uncertain
			}
			if parts, ok := c.e.elements(p); ok {
				return c.member(c.list(unionOf(parts)), name)
			}
			return typeRef{}, uncertain
		case dts.TypeQuery:
			return c.memberOfQuery(p, name)
		case dts.TypeLiteral:
			for k := range n.Children() {
				switch k.Kind {
				case dts.IndexSig:
					if q := k.Child(dts.Param); q == nil || q.Type() == nil || q.Type().Text != "number" {
						if v, how := c.listed(p, name); how == exists {
							return v, how
						}
						if v := c.indexed(p, "string"); !v.unknown() && depth == 0 {
							return c.keyed(v, name)
						}
						return typeRef{}, uncertain
					}
				case dts.CallSig, dts.NewSig:
					if v, how := c.globalMember("Function", name); how != missing {
						return v, how
					}
				}
			}
			return c.listed(p, name)
		case dts.Ref:
			switch n.Text {
			case "Record":
				v, how := c.listed(p, name)
				if value := c.recordValue(p, "string"); how == uncertain && !value.unknown() && depth == 0 {
					return c.keyed(value, name)
				}
				return v, how
			case "Pick", "Omit":
				return c.derived(p, p.at(n.Arg(0)), name, exists)
			case "Partial", "Required", "Readonly":
				return c.derived(p, p.at(n.Arg(0)), name, missing)
			}
		case dts.Mapped:
			if of, ok := c.e.keyofOperand(p.at(n.Mapping().Keys)); ok {
				if shape := c.e.shape(of); boxedName(shape) != "" {
					return c.member(of, name) // The compiler maps a primitive type to itself.
				}
				if elements, ok := c.e.elements(of); ok && len(elements) > 0 {
					return c.member(c.list(typeRef{}), name) // The compiler maps the elements.
				}
				if _, how := c.member(of, "\x00"); how == missing && c.isEmpty(p) {
					return c.globalMember("Object", name)
				}
				return c.derived(p, of, name, exists)
			}
			if keys, ok := c.e.parts(p.at(n.Mapping().Keys)); ok && len(keys) == 0 {
				return c.globalMember("Object", name)
			}
			return c.listed(p, name)
		case dts.Operator:
			if n.Text == "readonly" {
				return c.member(p.at(n.Inner()), name)
			}
		case dts.Keyword:
			if n.Text == "object" {
				return c.globalMember("Object", name)
			}
		}
		return typeRef{}, uncertain
	}
	return c.memberOfSymbol(p, name)
}

func (c *Code) memberOfAll(parts []typeRef, name string, depth int) (typeRef, existence) {
	how := missing
	for _, p := range parts {
		all, ok := c.e.parts(p)
		if !ok || len(all) == 0 {
			how = uncertain
			continue
		}
		for _, q := range all {
			v, found := c.memberOfPart(q, name, depth+1)
			switch {
			case found == exists && len(parts) > 1:
				// Another part may declare the member with a more specific type.
				for _, other := range parts {
					if other == p || c.onlyIndexed(other, name, depth+1) {
						continue
					}
					if w, also := c.member(other, name); also != missing {
						if also == uncertain || w.unknown() || v.unknown() {
							return typeRef{}, exists
						}
						v = allOf([]typeRef{v, w})
					}
				}
				return v, exists
			case found == exists:
				return v, exists
			case found == uncertain:
				how = uncertain
			}
		}
	}
	return typeRef{}, how
}

// onlyIndexed reports whether a type does not declare a member, but has an index signature and perhaps nothing else, such as
// Record<string, any>. The compiler ignores it if another part of an intersection declares the member.
func (c *Code) onlyIndexed(t typeRef, name string, depth int) bool {
	if depth > maxNesting {
		return false
	}
	p := c.e.shape(t)
	switch {
	case p.sym != nil && isClassOrInterface(p.sym) && !isClass(p.sym):
		l := c.e.members(p.sym)
		return !l.incomplete && len(l.props.order) == 0 && slices.ContainsFunc(l.unnamed, func(u *prop) bool { return u.decls[0].node.Kind == dts.IndexSig })
	case p.node == nil:
	case p.node.Kind == dts.TypeLiteral:
		for k := range p.node.Children() {
			if k.Kind != dts.IndexSig {
				return false
			}
		}
		return p.node.HasChildren()
	case p.node.Kind == dts.Intersection:
		for k := range p.node.Children() {
			if _, how := c.member(p.at(k), name); how != missing && !c.onlyIndexed(p.at(k), name, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// isEmpty reports whether an object has no members.
func (c *Code) isEmpty(t typeRef) bool {
	guesses := c.e.guesses
	set, ok := c.e.props(t)
	return ok && !set.open && len(set.order) == 0 && c.e.guesses == guesses
}

// derived is like listed, for an object whose properties are those of another type. It may lack a
// property only if that type lacks it or if, for omitted set to exists, that type has it.
func (c *Code) derived(p, of typeRef, name string, omitted existence) (typeRef, existence) {
	v, how := c.listed(p, name)
	if how == missing {
		if _, original := c.member(of, name); original != missing && original != omitted {
			return typeRef{}, uncertain
		}
	}
	return v, how
}

// listed finds a member in the list of the properties of an object.
func (c *Code) listed(p typeRef, name string) (typeRef, existence) {
	guesses := c.e.guesses
	set, ok := c.e.props(p)
	if q := set.get(name); q != nil && c.e.guesses == guesses {
		return c.propertyType(p, q), exists
	}
	if !ok || set.open || c.e.guesses != guesses || p.node.Kind != dts.TypeLiteral && len(set.order) == 0 {
		return typeRef{}, uncertain
	}
	return c.globalMember("Object", name)
}

// memberOfQuery finds a member of a class, an enumeration or a namespace.
func (c *Code) memberOfQuery(p typeRef, name string) (typeRef, existence) {
	sym := c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning))
	if sym == nil {
		return typeRef{}, uncertain
	}
	if s := sym.exports.get(name); s != nil {
		return c.symbolType(s), exists
	}
	if sym.namespaceOf != nil {
		if s := c.r.export(sym.namespaceOf, name); s != nil {
			return c.symbolType(s), exists
		}
		if name != "default" && c.whole(sym.namespaceOf, 0) && !c.namespaceHasVariant(sym.namespaceOf, name) {
			return typeRef{}, missing
		}
		return typeRef{}, uncertain
	}
	if !isClass(sym) {
		if general := c.declaredAs(sym, name); general != "" {
			if v, how := c.globalMember(general, name); how != missing {
				return v, how
			}
			return c.globalMember("Object", name)
		}
		if values, ok := enumProps(sym); ok {
			if q := values.get(name); q != nil {
				return c.enumeration(sym), exists
			}
			if len(sym.decls) == 1 {
				return c.globalMember("Object", name)
			}
		}
		return typeRef{}, uncertain
	}
	if name == "prototype" {
		return typeRef{sym: sym}, exists
	}
	if t, ok := c.declaredMember(typeRef{sym: sym}, name, true); ok {
		return t, exists
	}
	l := c.e.members(sym)
	if q := l.statics.get(name); q != nil {
		return c.propertyType(p, q), exists
	}
	if l.incomplete || l.partialStatics || c.hides(sym, name, 0) || c.e.isPartial(sym) {
		return typeRef{}, uncertain
	}
	for _, d := range sym.decls {
		if d.node.Kind != dts.Class && d.node.Kind != dts.Interface && d.node.Kind != dts.Namespace {
			return typeRef{}, uncertain
		}
		for m := range d.node.All(dts.IndexSig) {
			if m.Has(dts.FlagStatic) {
				return typeRef{}, uncertain
			}
		}
	}
	return c.globalMember("Function", name)
}

// declaredAs returns the global interface with the members that a namespace of a package or a function has besides those that
// it exports, or "" if the symbol may have another member with the given name.
func (c *Code) declaredAs(sym *symbol, name string) string {
	general := "Object"
	for _, d := range sym.decls {
		switch {
		case d.scope.mod == nil || d.scope.mod.pkg == c.r.main && d.node.Kind != dts.Function:
			return ""
		case d.node.Kind == dts.Function && !c.mayAssign(d.scope, name):
			general = "Function"
		case d.node.Kind != dts.Namespace && d.node.Kind != dts.Interface && d.node.Kind != dts.TypeAlias:
			return ""
		}
	}
	return general
}

// mayAssign reports whether code in the file of a function may assign the function a property, as in f.displayName = "x".
func (c *Code) mayAssign(s *scope, name string) bool {
	if s == nil || s.mod == nil || s.mod.file == nil || s.mod.file.Language == dts.JavaScript {
		return true
	}
	if s.mod.file.Language == dts.Declarations {
		return false
	}
	for rest := s.mod.file.Source; ; {
		i := strings.Index(rest, "."+name)
		if i < 0 {
			return false
		}
		rest = strings.TrimLeft(rest[i+1+len(name):], " \t\r\n")
		if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>") {
			return true
		}
	}
}

// maxNocheck is the size, in bytes, of the beginning of a file that may contain the comment @ts-nocheck.
const maxNocheck = 1000

// whole reports whether all exports of a module are known.
func (c *Code) whole(m *module, depth int) bool {
	if m.equals != nil || depth > maxNesting || m.file == nil || m.file.Language == dts.JavaScript || len(m.file.Warnings) > 0 {
		return false
	}
	if m.file.Language == dts.TypeScript && strings.Contains(m.file.Source[:min(len(m.file.Source), maxNocheck)], "@ts-nocheck") {
		return false // it may export in any way
	}
	for _, spec := range m.stars {
		if of := c.r.moduleOf(m, spec); of == nil || !c.whole(of, depth+1) {
			return false
		}
	}
	return true
}

// enumeration returns the type of the members of an enumeration.
func (c *Code) enumeration(sym *symbol) typeRef {
	kind := ""
	for _, d := range sym.decls {
		for m := range d.node.All(dts.EnumMember) {
			text := "number"
			if i := m.Child(dts.Initial); i != nil && i.Text != "" && (i.Text[0] == '"' || i.Text[0] == '\'' || i.Text[0] == '`') {
				text = "string"
			} else if i != nil && (i.Text == "" || i.Text[0] < '0' || i.Text[0] > '9') {
				return typeRef{}
			}
			if kind != "" && kind != text {
				return typeRef{}
			}
			kind = text
		}
	}
	if kind == "" {
		return typeRef{}
	}
	return c.keyword(kind)
}

// hides reports whether a class or one of its bases may have a member that other classes cannot use.
func (c *Code) hides(sym *symbol, name string, depth int) bool {
	if depth > 20 {
		return true
	}
	l := c.e.members(sym)
	if l.private[name] || l.privateStatic[name] {
		return true
	}
	for _, d := range sym.decls {
		for b := range bases(d) {
			base := c.r.target(c.r.entity(d.scope, b.Text, anything))
			if base != nil && base != sym && isClass(base) && c.hides(base, name, depth+1) {
				return true
			}
		}
	}
	return false
}

// privateMember returns the type of a member with a private name, such as #x.
func (c *Code) privateMember(t typeRef, name string) typeRef {
	parts, _ := c.e.parts(t)
	for _, p := range parts {
		if p.node != nil && p.node.Kind == dts.TypeQuery {
			if sym := c.r.target(c.r.entity(p.scope, p.node.Text, valueMeaning)); sym != nil {
				v, _ := c.declaredMember(typeRef{sym: sym}, name, true)
				return v
			}
		}
		if p.sym != nil && isClass(p.sym) {
			v, _ := c.declaredMember(p, name, false)
			return v
		}
	}
	return typeRef{}
}

// declaredMember returns the type of a member that a class of the project declares, which may be
// private. ok is false if it declares no such member.
func (c *Code) declaredMember(of typeRef, name string, static bool) (t typeRef, ok bool) {
	sym := of.sym
	for _, d := range sym.decls {
		if d.node.Kind != dts.Class {
			continue
		}
		p := &prop{name: name, owner: sym}
		for n := range d.node.Children() {
			if n.IsMember() && n.Kind != dts.Constructor && n.Has(dts.FlagStatic) == static && n.Name() == name {
				p.decls = append(p.decls, decl{n, d.scope})
			}
			if n.Kind == dts.Constructor && !static {
				for q := range n.All(dts.Param) {
					if q.Text == name && q.Flags&(dts.FlagPrivate|dts.FlagPublic|dts.FlagProtected|dts.FlagReadonly) != 0 {
						p.decls = append(p.decls, decl{asProperty(q), d.scope})
					}
				}
			}
		}
		if len(p.decls) > 0 {
			return c.propertyType(of, p), true
		}
	}
	return typeRef{}, false
}

// memberOfSymbol finds a member of an instance of a class or interface, or of an enumeration.
func (c *Code) memberOfSymbol(p typeRef, name string) (typeRef, existence) {
	sym := p.sym
	if !isClassOrInterface(sym) {
		if v := c.enumeration(sym); !v.unknown() && v.node.Text != "" && slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Kind == dts.Enum }) {
			return c.member(v, name)
		}
		return typeRef{}, uncertain
	}
	if isClass(sym) && sym.decls[0].scope.mod.pkg == c.r.main {
		if t, ok := c.declaredMember(p, name, false); ok {
			return t, exists
		}
	}
	var set props
	if p.node != nil {
		set = c.e.instanceProps(sym, p, p.node)
	} else {
		set = c.e.members(sym).props
	}
	if q := set.get(name); q != nil {
		return c.propertyType(p, q), exists
	}
	if !c.hasLibrary() && sym.decls[0].scope.mod.pkg != c.r.main && c.r.global(sym.name, typeMeaning) == sym {
		return typeRef{}, uncertain
	}
	l := c.e.members(sym)
	if set.open && !set.empty || l.incomplete || c.isPartial(p) || c.hides(sym, name, 0) || sym.name == "Object" || sym.name == "Function" {
		return typeRef{}, uncertain
	}
	calls := false
	for _, u := range l.unnamed {
		switch n := u.decls[0].node; n.Kind {
		case dts.IndexSig:
			for _, d := range u.decls {
				if q := d.node.Child(dts.Param); q == nil || q.Type() == nil || q.Type().Text != "number" {
					return typeRef{}, uncertain
				}
			}
		case dts.CallSig, dts.NewSig:
			calls = true
		}
	}
	if len(set.order) == 0 {
		return typeRef{}, uncertain // other types may be assigned to it
	}
	if calls {
		if v, how := c.globalMember("Function", name); how != missing {
			return v, how
		}
	}
	return c.globalMember("Object", name)
}

// isPartial reports whether a class or interface inherits members that are not known, because its
// bases depend on its type arguments.
func (c *Code) isPartial(p typeRef) bool {
	if !c.e.extendsParameter(p.sym) {
		return false
	}
	if p.node == nil {
		return true
	}
	for _, d := range p.sym.decls {
		in := typeRef{scope: d.scope, env: c.e.bind(d, p.node, p)}
		for b := range bases(d) {
			types := c.e.baseTypes(in.at(b), d.node.Kind)
			for _, t := range types {
				guesses := c.e.guesses
				if _, ok := c.e.props(t); !ok || c.e.guesses != guesses {
					return true
				}
			}
			if len(types) == 0 {
				return true
			}
		}
	}
	return false
}

// propertyType returns the type of a property of a value of type t, or the unknown type.
func (c *Code) propertyType(t typeRef, p *prop) typeRef {
	if len(p.merged) > 0 && p.typ.unknown() {
		return typeRef{}
	}
	if p.typ.unknown() {
		d := p.decls[0]
		switch d.node.Kind {
		case dts.Method, dts.Function:
			return typeRef{compound: &compound{parts: c.overloads(t, p), all: true}}
		case dts.Class, dts.Enum, dts.Namespace:
			return typeRef{}
		case dts.Setter:
			if i := slices.IndexFunc(p.decls, isGetter); i >= 0 {
				d = p.decls[i]
			}
		}
		if n := d.node.Type(); n == nil || n.Has(dts.FlagInferred) {
			return c.inferredProperty(d)
		}
	}
	v, ok := c.e.propType(t, p)
	if !ok {
		return typeRef{}
	}
	if v.node != nil && v.node.Kind == dts.Keyword && v.node.Text == "this" {
		return t
	}
	return v
}

// overloads returns the signatures of a method.
func (c *Code) overloads(t typeRef, p *prop) (all []typeRef) {
	env := c.e.envOf(p, t)
	for _, d := range c.r.callOrder(visible(p.decls)) {
		if d.node.Kind == dts.Method || d.node.Kind == dts.Function || d.node.Kind == dts.CallSig {
			all = append(all, typeRef{node: d.node, scope: d.scope, env: env})
		}
	}
	return all
}

// inferredProperty infers the type of a property of a class of the project from its value.
func (c *Code) inferredProperty(d decl) typeRef {
	if i := d.node.Child(dts.Initial); i != nil && d.node.Has(dts.FlagReadonly) && d.scope.mod.pkg != c.r.main {
		return c.literalType(i.Text)
	}
	place := c.placeOf(d.scope, d.node)
	if place.x == nil {
		return typeRef{}
	}
	switch {
	case place.x.Kind == dts.ExprProp && place.x.Type != nil:
		return c.inferredIn(place.f, c.property(place.f, place.x))
	case place.x.Kind == dts.ExprFunc && d.node.Kind == dts.Getter:
		return c.inferredIn(place.f, c.body(place.f, place.x, typeRef{}))
	}
	return typeRef{}
}

// inferredIn returns a type that was inferred in a class, where type parameters have the types that they extend. It
// returns the unknown type if the class has such parameters, unless the type is primitive.
func (c *Code) inferredIn(f *frame, t typeRef) typeRef {
	if f.this.sym == nil || !slices.ContainsFunc(f.this.sym.decls, func(d decl) bool {
		return d.node.Kind == dts.Class && slices.ContainsFunc(slices.Collect(d.node.All(dts.TypeParam)), func(p *dts.Node) bool { return p.Constraint() != nil })
	}) {
		return t
	}
	parts, ok := c.e.parts(t)
	if !ok || slices.ContainsFunc(parts, func(p typeRef) bool { return primitiveName(p) == "" && !isNothing(p) }) {
		return typeRef{}
	}
	return t
}
