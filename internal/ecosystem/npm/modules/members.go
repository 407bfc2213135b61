package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// memberList contains the members of a class or interface.
type memberList struct {
	props   props // members of instances
	statics props
	// unnamed are constructors, call, construct and index signatures.
	unnamed []*prop
	// overloads groups the unnamed members that have several signatures, by kind.
	overloads map[dts.Kind]*prop
	// private contains the names of inaccessible members, which hide members of a base class.
	private, privateStatic map[string]bool
	// incomplete is true if the type may have inherited members that are not listed.
	incomplete bool
	// partialStatics is true if a class may have inherited static members that are not listed.
	partialStatics bool
}

// partial is a list of members that was cut off by a limit, with the depth of
// the evaluator that began it.
type partial struct {
	list  *memberList
	depth int
}

// listedSteps is the number of steps counted for each listed member.
const listedSteps = 8

// membersOf lists the members of a class or interface, including inherited ones.
func (r *Reader) membersOf(sym *symbol) *memberList {
	e := evaluator{r: r}
	return e.members(sym)
}

func (e *evaluator) members(sym *symbol) *memberList {
	if sym.members != nil {
		return sym.members
	}
	// A list that was cut off by a limit would not be better at a greater depth.
	if known := e.partial[sym]; known.list != nil && known.depth <= e.depth {
		e.cut++
		return known.list
	}
	if e.r.exact && e.steps > 0 && !sym.listing {
		// The list is complete unless it exceeds the limits for one symbol.
		own := evaluator{r: e.r, depth: e.depth}
		return own.members(sym)
	}
	if sym.listing || !e.enter() {
		return &memberList{incomplete: true}
	}
	sym.listing = true
	defer func() { sym.listing = false; e.leave() }()
	cut, fresh := e.cut, e.steps == 1
	l := &memberList{}
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class || d.node.Kind == dts.Interface {
			e.declaredMembers(l, d, sym)
		}
	}
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class || d.node.Kind == dts.Interface {
			e.inherit(l, d)
		}
	}
	if e.r.exact && isEmpty(sym) && e.r.extended(e.r.typeName(sym)) {
		l.props.open, l.props.empty = true, true
	}
	e.implement(l, sym)
	e.r.meter.Step(listedSteps * (len(l.props.order) + len(l.statics.order)))
	// An evaluator that had already taken steps may have reached its limit early.
	if e.cut == cut || fresh {
		l.incomplete = l.incomplete || e.r.exact && e.cut != cut
		sym.members = l
	} else {
		if e.partial == nil {
			e.partial = map[*symbol]partial{}
		}
		l.incomplete = true
		e.partial[sym] = partial{l, e.depth - 1}
	}
	return l
}

// isEmpty reports whether a symbol is an interface that declares no members, to which other code may add some.
func isEmpty(sym *symbol) bool {
	return !slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Kind != dts.Interface || hasMembers(d.node) })
}

// hasMembers reports whether an interface declares members.
func hasMembers(n *dts.Node) bool {
	for m := range n.Children() {
		if m.IsMember() {
			return true
		}
	}
	return false
}

// implement records the interface members that the members of a class
// implement. Their doc comments may be inherited.
func (e *evaluator) implement(l *memberList, sym *symbol) {
	if !slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Kind == dts.Class && d.node.Child(dts.Implements) != nil }) {
		return
	}
	var bare []*prop
	for _, p := range l.props.order {
		if p.owner == sym && !slices.ContainsFunc(p.decls, func(d decl) bool {
			return d.scope.mod.file != nil && d.scope.mod.file.Doc(d.node) != "" && !inheritsDoc(d)
		}) {
			bare = append(bare, p)
		}
	}
	if len(bare) == 0 {
		return
	}
	for _, d := range sym.decls {
		h := d.node.Child(dts.Implements)
		if h == nil || d.node.Kind != dts.Class {
			continue
		}
		context := typeRef{scope: d.scope, env: e.opaque(d)}
		for b := range h.Children() {
			if b.Kind != dts.Ref {
				continue
			}
			set, _ := e.props(context.at(b))
			for _, p := range bare {
				if q := set.get(p.name); q != nil && q != p {
					p.implements = append(p.implements, q)
				}
			}
		}
	}
}

// declaredMembers adds the members of one declaration.
func (e *evaluator) declaredMembers(l *memberList, d decl, owner *symbol) {
	for n := range d.node.Children() {
		if !n.IsMember() {
			continue
		}
		e.member(l, n, d.scope, owner)
		if n.Kind == dts.Constructor {
			for p := range n.All(dts.Param) {
				if p.Flags&(dts.FlagPublic|dts.FlagProtected|dts.FlagReadonly|dts.FlagOverride) != 0 && !p.Has(dts.FlagPrivate) {
					e.put(&l.props, asProperty(p), d.scope, owner)
				}
			}
		}
	}
}

// asProperty returns the property that a constructor parameter declares.
func asProperty(p *dts.Node) *dts.Node {
	n := p.Alone()
	n.Kind = dts.Property
	if n.Has(dts.FlagDefault) {
		n.Flags &^= dts.FlagDefault | dts.FlagOptional // The property always has a value.
	}
	return n
}

func (e *evaluator) member(l *memberList, n *dts.Node, s *scope, owner *symbol) {
	switch {
	case isSignature(n):
		if p := n.Child(dts.Param); n.Kind == dts.IndexSig && p != nil && p.HasChildren() && p.Type().Text == "string" && !n.Has(dts.FlagStatic) {
			l.props.open = true
		}
		if u := l.overloads[n.Kind]; u != nil {
			u.decls = append(u.decls, decl{n, s})
			return
		}
		u := &prop{name: unnamed(n), decls: []decl{{n, s}}, owner: owner}
		l.unnamed = append(l.unnamed, u)
		if n.Kind != dts.IndexSig {
			if l.overloads == nil {
				l.overloads = map[dts.Kind]*prop{}
			}
			l.overloads[n.Kind] = u
		}
	case strings.HasPrefix(n.Text, "#"):
		// Private members are inaccessible.
	case n.Has(dts.FlagPrivate):
		if n.Has(dts.FlagStatic) {
			hide(&l.privateStatic, n.Name())
		} else {
			hide(&l.private, n.Name())
		}
	case n.Has(dts.FlagStatic):
		e.put(&l.statics, n, s, owner)
	default:
		e.put(&l.props, n, s, owner)
	}
}

func hide(names *map[string]bool, name string) {
	if *names == nil {
		*names = map[string]bool{}
	}
	(*names)[name] = true
}

func (e *evaluator) put(to *props, n *dts.Node, s *scope, owner *symbol) {
	name := n.Name()
	if strings.HasPrefix(name, "[") && !strings.HasPrefix(name, "[Symbol.") {
		if name = e.computed(name, s); name == "" {
			return
		}
	}
	if p := to.get(name); p != nil {
		p.decls = append(p.decls, decl{n, s})
		return
	}
	to.add(&prop{name: name, decls: []decl{{n, s}}, owner: owner})
}

// computed resolves a member name [x] if x is a constant string or number. It
// returns an empty name if x may be any symbol.
func (e *evaluator) computed(name string, s *scope) string {
	inner := strings.TrimSpace(strings.Trim(name, "[]"))
	if inner == "" || strings.ContainsAny(inner, "()[]{}`+ ") || !e.enter() {
		return name
	}
	defer e.leave()
	if key, ok := e.computedProperty(inner, s); ok {
		return key
	}
	sym := e.r.entityLocal(s, inner)
	if sym == nil {
		return name
	}
	for _, d := range sym.decls {
		switch d.node.Kind {
		case dts.Variable, dts.Property, dts.EnumMember:
			if i := d.node.Child(dts.Initial); i != nil && isLiteral(i.Text) {
				return (&dts.Node{Text: i.Text}).Name()
			}
			if t := d.node.Type(); t != nil {
				if d.node.Kind == dts.Variable && t.Kind == dts.Keyword && t.Text == "symbol" {
					return ""
				}
				if keys, ok := e.keys(typeRef{node: t, scope: d.scope}); ok && len(keys) == 1 {
					return keys[0]
				}
			}
		}
	}
	return name
}

// computedProperty resolves a member name [x.y] if x is a constant and its
// property y has a single string or number as its type. It returns false
// otherwise.
func (e *evaluator) computedProperty(inner string, s *scope) (key string, ok bool) {
	n := strings.LastIndexByte(inner, '.')
	if n <= 0 {
		return "", false
	}
	constant := e.r.entityLocal(s, inner[:n])
	if constant == nil {
		return "", false
	}
	t, ok := valueType(constant)
	if !ok {
		return "", false
	}
	set, _ := e.props(t)
	if v, ok := e.propType(t, set.get(inner[n+1:])); ok {
		if keys, ok := e.keys(v); ok && len(keys) == 1 {
			return keys[0], true
		}
	}
	return "", false
}

func isLiteral(s string) bool {
	return s != "" && (s[0] == '"' || s[0] == '\'' || s[0] >= '0' && s[0] <= '9')
}

// unnamed returns the label of a member without a name.
func unnamed(n *dts.Node) string {
	switch n.Kind {
	case dts.Constructor:
		return "constructor"
	case dts.CallSig:
		return "()"
	case dts.NewSig:
		return "new()"
	}
	sig := n.Signature()
	if end := strings.Index(sig, "]"); end > 0 {
		if start := strings.Index(sig, "["); start >= 0 && start < end {
			return sig[start : end+1]
		}
	}
	return "[]"
}

// inherit adds the members that a declaration inherits.
func (e *evaluator) inherit(l *memberList, d decl) {
	h := d.node.Child(dts.Extends)
	if h == nil {
		return
	}
	context := typeRef{scope: d.scope, env: e.opaque(d)}
	for b := range h.Children() {
		if d.node.Kind == dts.Class {
			e.inheritClass(l, context.at(b))
			continue
		}
		sym := e.symbolOf(context.at(b))
		var list *memberList
		if sym != nil { // The members of the base come before the class's own properties, which are at a greater depth.
			list = e.unnamedOf(sym, context.at(b))
		}
		base, known := e.props(context.at(b))
		l.inherit(&l.props, base, l.private)
		l.incomplete = l.incomplete || !known || sym != nil && e.isPartial(sym)
		if sym == nil && !known && b.Kind == dts.Ref && !utility(b.Text) {
			e.r.warn("members inherited from %s are omitted because that type was not found", b.Text)
		}
		if sym != nil {
			unnamed := list.unnamed
			if b.Kind == dts.Ref {
				unnamed = e.bound(props{order: unnamed}, typeRef{node: b, scope: d.scope, env: context.env, sym: sym}).order
			}
			l.inheritUnnamed(unnamed, dts.CallSig, dts.NewSig, dts.IndexSig)
		}
	}
}

// isPartial reports whether a class or interface may have members that are not listed, or members
// of a type parameter.
func (e *evaluator) isPartial(sym *symbol) bool {
	return slices.ContainsFunc(sym.decls, func(d decl) bool {
		return d.node.Kind == dts.Class || d.node.Kind == dts.Interface
	}) && e.members(sym).incomplete || e.extendsParameter(sym)
}

// unnamedOf lists the members of the base of an interface, which inherits its
// unnamed members. The base is a class, an interface, or an alias of other
// types.
func (e *evaluator) unnamedOf(sym *symbol, base typeRef) *memberList {
	if !slices.ContainsFunc(sym.decls, func(d decl) bool { return d.node.Kind == dts.TypeAlias }) {
		return e.members(sym)
	}
	l := &memberList{}
	e.unnamedIn(l, base, 0)
	return l
}

// unnamedIn adds the unnamed members of a type.
func (e *evaluator) unnamedIn(l *memberList, t typeRef, depth int) {
	if depth > maxNesting {
		return
	}
	operand := e.shape(t)
	switch {
	case operand.sym != nil:
		l.inheritUnnamed(e.members(operand.sym).unnamed, dts.CallSig, dts.NewSig, dts.IndexSig)
	case operand.compound != nil && operand.compound.all:
		for _, p := range operand.compound.parts {
			e.unnamedIn(l, p, depth+1)
		}
	case operand.node == nil:
	case operand.node.Kind == dts.Intersection:
		for c := range operand.node.Children() {
			e.unnamedIn(l, operand.at(c), depth+1)
		}
	case operand.node.Kind == dts.FuncType || operand.node.Kind == dts.NewType:
		n := operand.node.Alone()
		if n.Kind = dts.CallSig; operand.node.Kind == dts.NewType {
			n.Kind = dts.NewSig
		}
		e.member(l, n, operand.scope, nil)
	case operand.node.Kind == dts.TypeLiteral:
		for n := range operand.node.Children() {
			if n.Kind == dts.CallSig || n.Kind == dts.NewSig || n.Kind == dts.IndexSig {
				e.member(l, n, operand.scope, nil)
			}
		}
	}
}

func (l *memberList) inherit(to *props, base props, private map[string]bool) {
	to.empty = (to.empty || !to.open) && (base.empty || !base.open)
	to.open = to.open || base.open
	for _, b := range base.order {
		if private[b.name] {
			continue
		}
		if existing := to.get(b.name); existing == nil {
			to.add(b)
		} else if existing.base == nil && existing != b {
			existing.base = b
		}
	}
}

// inheritUnnamed adds unnamed members of a base to l. Call and construct
// signatures are always added; members of another kind are added only if l has
// none of that kind.
func (l *memberList) inheritUnnamed(base []*prop, kinds ...dts.Kind) {
	for _, k := range kinds {
		mine := slices.IndexFunc(l.unnamed, func(u *prop) bool { return u.decls[0].node.Kind == k })
		for _, u := range base {
			switch {
			case u.decls[0].node.Kind != k:
			case mine < 0:
				l.unnamed = append(l.unnamed, u)
			case k == dts.CallSig || k == dts.NewSig:
				both := *l.unnamed[mine]
				both.decls, both.rendered = slices.Clip(both.decls), renderedMember{}
				for _, d := range u.decls {
					if !slices.Contains(both.decls, d) {
						both.decls = append(both.decls, d)
					}
				}
				l.unnamed[mine] = &both
			}
		}
	}
}

// inheritClass adds the members inherited from the expression that a class
// extends: a class, or a value with construct signatures.
func (e *evaluator) inheritClass(l *memberList, t typeRef) {
	if t.node.Kind == dts.Expression {
		value, ok := e.called(t)
		if ok {
			e.inheritValue(l, value, typeRef{node: &dts.Node{Kind: dts.Ref}, scope: t.scope})
		}
		l.incomplete = l.incomplete || !ok
		return
	}
	if t.node.Kind != dts.Ref {
		l.incomplete = true
		return
	}
	sym := e.r.target(e.r.entity(t.scope, t.node.Text, valueMeaning))
	if sym == nil {
		l.incomplete = true
		e.r.warn("members inherited from %s are omitted because that type was not found", t.node.Text)
		return
	}
	if isClass(sym) {
		base := e.members(sym)
		l.incomplete = l.incomplete || base.incomplete || e.extendsParameter(sym)
		l.partialStatics = l.partialStatics || base.partialStatics
		instance := typeRef{node: t.node, scope: t.scope, env: t.env, sym: sym}
		l.inherit(&l.props, e.bound(e.instanceProps(sym, t, t.node), instance), l.private)
		for _, s := range base.statics.order {
			// A namespace merged with the base may export a different value with that name.
			if x := sym.exports.get(s.name); x == nil || s.owner == sym || x.meaning()&valueMeaning == 0 {
				l.inherit(&l.statics, props{order: []*prop{s}}, l.privateStatic)
			}
		}
		l.inheritUnnamed(e.bound(props{order: base.unnamed}, instance).order, dts.Constructor, dts.IndexSig)
		return
	}
	value, ok := valueType(sym)
	if ok {
		e.inheritValue(l, value, t)
	}
	l.incomplete = l.incomplete || !ok
}

// inheritValue adds the instance and static members of a constructor value. use
// is the heritage clause, with its type arguments.
func (e *evaluator) inheritValue(l *memberList, value, use typeRef) {
	instances := e.constructed(value, use)
	l.incomplete = l.incomplete || len(instances) == 0
	for _, instance := range instances {
		base, known := e.props(instance)
		l.inherit(&l.props, base, l.private)
		l.incomplete = l.incomplete || !known || instance.sym != nil && e.isPartial(instance.sym)
	}
	l.inheritConstructors(e.constructors(value, 0))
	statics, known := e.props(value)
	l.partialStatics = l.partialStatics || !known
	for _, s := range statics.order {
		if s.name != "prototype" && l.statics.get(s.name) == nil {
			l.statics.add(s)
		}
	}
}

// inheritConstructors adds the base's constructors to a class that declares
// none.
func (l *memberList) inheritConstructors(decls []decl) {
	if len(decls) == 0 || slices.ContainsFunc(l.unnamed, func(u *prop) bool { return u.decls[0].node.Kind == dts.Constructor }) {
		return
	}
	p := &prop{name: "constructor"}
	for _, d := range decls {
		p.decls = append(p.decls, decl{asConstructor(d.node), d.scope})
	}
	l.unnamed = append(l.unnamed, p)
}

// asConstructor converts a construct signature to a constructor, without the
// result type unless it has type arguments.
func asConstructor(n *dts.Node) *dts.Node {
	if n.Kind == dts.Constructor {
		return n
	}
	var parts []*dts.Node
	for c := range n.Children() {
		if c.Kind >= dts.Keyword && (c.Kind != dts.Ref && c.Kind != dts.ImportType || !c.HasArgs()) {
			continue
		}
		parts = append(parts, c)
	}
	out := n.Alone()
	out.Kind = dts.Constructor
	out.SetChildren(parts...)
	return out
}

func isClass(s *symbol) bool {
	return slices.ContainsFunc(s.decls, func(d decl) bool { return d.node.Kind == dts.Class })
}
