package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// prop is a member of a class, an interface or another type.
type prop struct {
	name  string
	decls []decl
	// owner declares it; nil for a member of a type that has no name.
	owner *symbol
	// base is what it overrides, which may lend it a doc comment.
	base *prop
	// typ is its type where that is not the one that decls say.
	typ typeRef
}

// memberList is all that a class or interface has.
type memberList struct {
	props   props // of an instance
	statics props
	// unnamed are constructors, call, construct and index signatures.
	unnamed []*prop
	// overloads are those of unnamed that several signatures share.
	overloads map[dts.Kind]*prop
}

// props is a set of members in order.
type props struct {
	at    map[string]int // index into order
	order []*prop
}

func (p *props) get(name string) *prop {
	if i, ok := p.at[name]; ok {
		return p.order[i]
	}
	return nil
}

// add adds a member unless there is one of its name.
func (p *props) add(x *prop) {
	if p.at == nil {
		p.at = map[string]int{}
	}
	if _, ok := p.at[x.name]; !ok {
		p.at[x.name] = len(p.order)
		p.order = append(p.order, x)
	}
}

// merge is add for an intersection, where a member that two sides have is
// declared by both.
func (p *props) merge(x *prop) {
	i, ok := p.at[x.name]
	if !ok {
		p.add(x)
		return
	}
	both := *p.order[i]
	both.decls = slices.Clip(both.decls)
	for _, d := range x.decls {
		if !slices.Contains(both.decls, d) {
			both.decls = append(both.decls, d)
		}
	}
	p.order[i] = &both
}

// typeRef is a type where it is written: its node, the scope in which its
// names are looked up, and what type parameters stand for. One without a node
// is an instance of sym, the literal lit, or unknown.
type typeRef struct {
	node  *dts.Node
	scope *scope
	env   *env
	sym   *symbol
	lit   string
	isLit bool
}

func (t typeRef) at(n *dts.Node) typeRef { return typeRef{node: n, scope: t.scope, env: t.env} }

// env binds type parameters.
type env struct {
	name string
	val  typeRef
	next *env
}

func (e *env) get(name string) (typeRef, bool) {
	for ; e != nil; e = e.next {
		if e.name == name {
			return e.val, true
		}
	}
	return typeRef{}, false
}

// evaluator works out the properties of types. Types can be made to have no
// end, so it counts its steps.
type evaluator struct {
	r     *Reader
	steps int
	depth int
}

const (
	maxSteps     = 200_000    // for the members of one symbol
	maxAllSteps  = 50_000_000 // for those of a package
	maxTypeDepth = 100
)

func (e *evaluator) enter() bool {
	e.steps++
	e.r.steps++
	if e.steps > maxSteps || e.depth >= maxTypeDepth || e.r.steps > maxAllSteps || e.r.steps%4096 == 0 && !e.r.check() {
		return false
	}
	e.depth++
	return true
}

func (e *evaluator) leave() { e.depth-- }

// membersOf lists the members of a class or interface, inherited ones
// included.
func (r *Reader) membersOf(sym *symbol) *memberList {
	e := evaluator{r: r}
	return e.members(sym)
}

func (e *evaluator) members(sym *symbol) *memberList {
	if sym.members != nil {
		return sym.members
	}
	if sym.listing || !e.enter() {
		return &memberList{}
	}
	sym.listing = true
	defer func() { sym.listing = false; e.leave() }()
	l := &memberList{}
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class || d.node.Kind == dts.Interface {
			e.own(l, d, sym)
		}
	}
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class || d.node.Kind == dts.Interface {
			e.inherit(l, d)
		}
	}
	sym.members = l
	return l
}

// own adds the members that one declaration has itself.
func (e *evaluator) own(l *memberList, d decl, owner *symbol) {
	for n := d.node.First; n != nil; n = n.Next {
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

// asProperty is the property that a parameter of a constructor makes.
func asProperty(p *dts.Node) *dts.Node {
	n := *p
	n.Kind, n.Next = dts.Property, nil
	return &n
}

func (e *evaluator) member(l *memberList, n *dts.Node, s *scope, owner *symbol) {
	switch {
	case n.Kind == dts.Constructor || n.Kind == dts.CallSig || n.Kind == dts.NewSig || n.Kind == dts.IndexSig:
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
	case n.Has(dts.FlagPrivate) || strings.HasPrefix(n.Text, "#"):
		// Nobody can reach it.
	case n.Has(dts.FlagStatic):
		e.put(&l.statics, n, s, owner)
	default:
		e.put(&l.props, n, s, owner)
	}
}

func (e *evaluator) put(to *props, n *dts.Node, s *scope, owner *symbol) {
	name := n.Name()
	if strings.HasPrefix(name, "[") && !strings.HasPrefix(name, "[Symbol.") {
		name = e.computed(name, s)
	}
	if p := to.get(name); p != nil {
		p.decls = append(p.decls, decl{n, s})
		return
	}
	to.add(&prop{name: name, decls: []decl{{n, s}}, owner: owner})
}

// computed resolves the name [x] of a member, if x is a constant string or
// number.
func (e *evaluator) computed(name string, s *scope) string {
	inner := strings.TrimSpace(name[1 : len(name)-1])
	if inner == "" || strings.ContainsAny(inner, "()[]{}`+ ") || !e.enter() {
		return name
	}
	defer e.leave()
	if n := strings.LastIndexByte(inner, '.'); n > 0 {
		if of := e.r.entityLocal(s, inner[:n]); of != nil {
			if t, ok := valueType(of); ok {
				set, _ := e.props(t)
				if v, ok := e.propType(t, set.get(inner[n+1:])); ok {
					if keys, ok := e.keys(v); ok && len(keys) == 1 {
						return keys[0]
					}
				}
			}
		}
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
				if keys, ok := e.keys(typeRef{node: t, scope: d.scope}); ok && len(keys) == 1 {
					return keys[0]
				}
			}
		}
	}
	return name
}

func isLiteral(s string) bool {
	return s != "" && (s[0] == '"' || s[0] == '\'' || s[0] >= '0' && s[0] <= '9')
}

// unnamed is what a member without a name is called.
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

// inherit adds what a declaration gets from what it extends.
func (e *evaluator) inherit(l *memberList, d decl) {
	h := d.node.Child(dts.Extends)
	if h == nil {
		return
	}
	at := typeRef{scope: d.scope, env: opaque(d)}
	for b := h.First; b != nil; b = b.Next {
		if d.node.Kind == dts.Class {
			e.inheritClass(l, at.at(b))
			continue
		}
		base, known := e.props(at.at(b))
		l.inherit(&l.props, base)
		sym := e.symbolOf(at.at(b))
		if sym == nil && !known && b.Kind == dts.Ref && !utility(b.Text) {
			e.r.warn("members inherited from %s are left out, as it is not to be found", b.Text)
		}
		if sym != nil {
			l.inheritUnnamed(e.members(sym), dts.CallSig, dts.NewSig, dts.IndexSig)
		}
	}
}

// opaque binds the type parameters of a declaration to what they extend, so
// that no other type is found by their names.
func opaque(d decl) *env {
	var out *env
	var made []*env
	for p := range d.node.All(dts.TypeParam) {
		out = &env{name: p.Text, next: out}
		if p.First != nil && p.First.Has(dts.FlagConstraint) {
			out.val = typeRef{node: p.First, scope: d.scope}
			made = append(made, out)
		}
	}
	for _, x := range made {
		x.val.env = out
	}
	return out
}

func (l *memberList) inherit(to *props, base props) {
	for _, b := range base.order {
		if own := to.get(b.name); own == nil {
			to.add(b)
		} else if own.base == nil && own != b {
			own.base = b
		}
	}
}

func (l *memberList) inheritUnnamed(base *memberList, kinds ...dts.Kind) {
	for _, k := range kinds {
		has := false
		for _, u := range l.unnamed {
			has = has || u.decls[0].node.Kind == k
		}
		if has {
			continue
		}
		for _, u := range base.unnamed {
			if u.decls[0].node.Kind == k {
				l.unnamed = append(l.unnamed, u)
			}
		}
	}
}

// inheritClass adds what a class gets from the expression that it extends: a
// class, or a value with construct signatures.
func (e *evaluator) inheritClass(l *memberList, t typeRef) {
	if t.node.Kind != dts.Ref {
		return
	}
	sym := e.r.target(e.r.entity(t.scope, t.node.Text, valueMeaning))
	if sym == nil {
		e.r.warn("members inherited from %s are left out, as it is not to be found", t.node.Text)
		return
	}
	if isClass(sym) {
		base := e.members(sym)
		l.inherit(&l.props, base.props)
		l.inherit(&l.statics, base.statics)
		l.inheritUnnamed(base, dts.Constructor, dts.IndexSig)
		return
	}
	value, ok := valueType(sym)
	if !ok {
		return
	}
	for _, instance := range e.constructed(value, t) {
		base, _ := e.props(instance)
		l.inherit(&l.props, base)
	}
	statics, _ := e.props(value)
	for _, s := range statics.order {
		if s.name != "prototype" && l.statics.get(s.name) == nil {
			l.statics.add(s)
		}
	}
}

func isClass(s *symbol) bool {
	for _, d := range s.decls {
		if d.node.Kind == dts.Class {
			return true
		}
	}
	return false
}

// valueType is the type of a variable or property.
func valueType(s *symbol) (typeRef, bool) {
	for _, d := range s.decls {
		switch d.node.Kind {
		case dts.Variable, dts.Property, dts.Getter, dts.Param:
			if t := d.node.Type(); t != nil {
				return typeRef{node: t, scope: d.scope}, true
			}
		case dts.ExportDefault, dts.ExportEquals:
			if v := d.node.First; v != nil && v.Kind == dts.Expression && v.First != nil {
				return typeRef{node: v.First, scope: d.scope}, true
			}
		}
	}
	return typeRef{}, false
}

// propertySymbol is a property of a value as a symbol, or nil.
func (r *Reader) propertySymbol(sym *symbol, name string) *symbol {
	e := evaluator{r: r}
	var set props
	if isClass(sym) {
		set = e.members(sym).statics
	} else if t, ok := valueType(sym); ok {
		set, _ = e.props(t)
	}
	p := set.get(name)
	if p == nil {
		return nil
	}
	return &symbol{name: name, decls: p.decls}
}

// symbolOf is the class or interface that a reference means, or nil.
func (e *evaluator) symbolOf(t typeRef) *symbol {
	if t.node == nil || t.node.Kind != dts.Ref {
		return t.sym
	}
	if _, param := t.env.get(t.node.Text); param {
		return nil
	}
	if utility(t.node.Text) && e.r.lookup(t.scope, t.node.Text, typeMeaning) == nil {
		return nil
	}
	return e.r.target(e.r.entity(t.scope, t.node.Text, typeMeaning))
}

// bind binds the type parameters of a declaration to arguments, or to their
// defaults.
func bind(d decl, args *dts.Node, at typeRef) *env {
	var out *env
	for p := range d.node.All(dts.TypeParam) {
		x := &env{name: p.Text, next: out}
		if args != nil {
			x.val = at.at(args)
			args = args.Next
		} else {
			for c := p.First; c != nil; c = c.Next {
				if c.Has(dts.FlagDefault) || x.val.node == nil {
					x.val = typeRef{node: c, scope: d.scope, env: out}
				}
			}
		}
		out = x
	}
	return out
}

// props works out the properties of a type; false if it is not known what
// they are, or not all of them.
func (e *evaluator) props(t typeRef) (props, bool) {
	if !e.enter() {
		return props{}, false
	}
	defer e.leave()
	if t.node == nil {
		if t.sym == nil {
			return props{}, t.isLit
		}
		return e.members(t.sym).props, true
	}
	switch n := t.node; n.Kind {
	case dts.Ref:
		return e.reference(t)
	case dts.Paren:
		return e.props(t.at(n.First))
	case dts.Operator:
		if n.Text == "readonly" {
			return e.props(t.at(n.First))
		}
		return props{}, true
	case dts.TypeLiteral:
		var l memberList
		for m := n.First; m != nil; m = m.Next {
			if m.IsMember() {
				e.member(&l, m, t.scope, nil)
			}
		}
		return l.props, true
	case dts.Intersection:
		var out props
		known := true
		for c := n.First; c != nil; c = c.Next {
			p, ok := e.props(t.at(c))
			known = known && ok
			for _, x := range p.order {
				out.merge(x)
			}
		}
		return out, known
	case dts.Union:
		return e.common(t)
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			return props{}, false
		}
		return e.valueProps(sym)
	case dts.ImportType:
		return e.importType(t)
	case dts.Mapped:
		return e.mapped(t)
	case dts.Indexed:
		if v, ok := e.indexed(t); ok {
			return e.props(v)
		}
		return props{}, false
	case dts.Conditional:
		if b, ok := e.branch(t); ok {
			return e.props(b)
		}
		return props{}, false
	case dts.Array, dts.Tuple:
		if sym := e.r.global("Array", typeMeaning); sym != nil {
			return e.members(sym).props, true
		}
		return props{}, false
	}
	return props{}, true
}

// valueProps works out the properties of a value: the static side of a class,
// the exports of a namespace, what a variable's type has.
func (e *evaluator) valueProps(sym *symbol) (props, bool) {
	if isClass(sym) {
		return e.members(sym).statics, true
	}
	if v, ok := valueType(sym); ok {
		return e.props(v)
	}
	var inner []*symbol
	switch {
	case sym.of != nil:
		inner = e.r.exportsOf(sym.of)
	case sym.exports != nil:
		inner = sym.exports.order
	default:
		return props{}, false
	}
	var out props
	for _, s := range inner {
		if t := e.r.target(s); t != nil && len(t.decls) > 0 && t.meaning()&valueMeaning != 0 {
			out.add(&prop{name: s.name, decls: t.decls})
		}
	}
	return out, true
}

// common works out what all constituents of a union have.
func (e *evaluator) common(t typeRef) (props, bool) {
	var out props
	for c := t.node.First; c != nil; c = c.Next {
		p, ok := e.props(t.at(c))
		if !ok {
			return props{}, false
		}
		if c == t.node.First {
			out = p
			continue
		}
		var both props
		for _, x := range out.order {
			if p.get(x.name) != nil {
				both.add(x)
			}
		}
		out = both
	}
	return out, true
}

// reference works out the properties of a named type.
func (e *evaluator) reference(t typeRef) (props, bool) {
	n := t.node
	if v, ok := t.env.get(n.Text); ok {
		if v.node == nil && v.sym == nil && !v.isLit {
			return props{}, false
		}
		return e.props(v)
	}
	if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
		return e.utility(t)
	}
	sym := e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
	if sym == nil {
		return props{}, false
	}
	return e.named(sym, t, n.First)
}

// named works out the properties of a symbol with type arguments.
func (e *evaluator) named(sym *symbol, t typeRef, args *dts.Node) (props, bool) {
	for _, d := range sym.decls {
		if d.node.Kind == dts.TypeAlias {
			return e.props(typeRef{node: d.node.Type(), scope: d.scope, env: bind(d, args, t)})
		}
	}
	return e.members(sym).props, true
}

// importType works out the properties of import("x").Y.
func (e *evaluator) importType(t typeRef) (props, bool) {
	sym := e.importSymbol(t)
	if sym == nil {
		return props{}, false
	}
	if t.node.Has(dts.FlagTypeof) {
		return e.valueProps(sym)
	}
	return e.named(sym, t, t.node.First.Next)
}

func (e *evaluator) importSymbol(t typeRef) *symbol {
	m := e.r.moduleOf(t.scope.mod, t.node.First.Name())
	if m == nil {
		return nil
	}
	sym := &symbol{of: m}
	if m.equals != nil {
		sym = e.r.target(m.equals)
	}
	for name := range strings.SplitSeq(t.node.Text, ".") {
		if sym == nil || name == "" {
			break
		}
		sym = e.r.target(e.r.within(sym, name))
	}
	return sym
}

// indexed finds the type of T["x"].
func (e *evaluator) indexed(t typeRef) (typeRef, bool) {
	keys, ok := e.keys(t.at(t.node.First.Next))
	if !ok || len(keys) != 1 {
		return typeRef{}, false
	}
	of := t.at(t.node.First)
	set, _ := e.props(of)
	return e.propType(of, set.get(keys[0]))
}

// propType is the type of a property p of an object of type t.
func (e *evaluator) propType(t typeRef, p *prop) (typeRef, bool) {
	switch {
	case p == nil:
		return typeRef{}, false
	case p.typ.node != nil || p.typ.isLit:
		return p.typ, true
	case p.decls[0].node.Kind == dts.Method || p.decls[0].node.Kind == dts.Function:
		// A method is its own type.
		return typeRef{node: p.decls[0].node, scope: p.decls[0].scope, env: e.envOf(p, t)}, true
	case p.decls[0].node.Type() == nil:
		return typeRef{}, false
	}
	return typeRef{node: p.decls[0].node.Type(), scope: p.decls[0].scope, env: e.envOf(p, t)}, true
}

// envOf binds the type parameters of the class or interface that declares a
// property of an object of type t.
func (e *evaluator) envOf(p *prop, t typeRef) *env {
	at := e.shape(t)
	if p.owner == nil {
		return at.env
	}
	for _, d := range p.owner.decls {
		if d.scope != p.decls[0].scope || d.node.Kind != dts.Class && d.node.Kind != dts.Interface {
			continue
		}
		if at.sym == p.owner && at.node != nil {
			return bind(d, typeArgs(at.node), at)
		}
		if at.sym != nil && at.node != nil {
			if up, ok := e.inherited(at, p.owner, 0); ok {
				return bind(d, typeArgs(up.node), up)
			}
		}
		return opaque(d)
	}
	return nil
}

// typeArgs is the first type argument of a reference.
func typeArgs(n *dts.Node) *dts.Node {
	if n.Kind == dts.ImportType {
		return n.First.Next
	}
	return n.First
}

// inherited is the reference by which a class or interface comes to extend
// another one, in the terms of t.
func (e *evaluator) inherited(t typeRef, owner *symbol, depth int) (typeRef, bool) {
	if depth > 20 || !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	for _, d := range t.sym.decls {
		h := d.node.Child(dts.Extends)
		if h == nil || d.node.Kind != dts.Class && d.node.Kind != dts.Interface {
			continue
		}
		in := typeRef{scope: d.scope, env: bind(d, typeArgs(t.node), t)}
		for b := h.First; b != nil; b = b.Next {
			up := e.shape(in.at(b))
			if up.sym == nil || up.node == nil {
				continue
			}
			if up.sym == owner {
				return up, true
			}
			if found, ok := e.inherited(up, owner, depth+1); ok {
				return found, true
			}
		}
	}
	return typeRef{}, false
}

// constructed lists the types of which new makes instances: one, or several
// for a mixin, whose instances are all of them. use is where the value is
// extended, with its type arguments.
func (e *evaluator) constructed(t, use typeRef) []typeRef {
	if t.node == nil || !e.enter() {
		return nil
	}
	defer e.leave()
	switch n := t.node; n.Kind {
	case dts.Paren:
		return e.constructed(t.at(n.First), use)
	case dts.NewType:
		return e.returned(n, t, use)
	case dts.TypeLiteral:
		for m := range n.All(dts.NewSig) {
			return e.returned(m, t, use)
		}
	case dts.Intersection:
		var out []typeRef
		for c := n.First; c != nil; c = c.Next {
			out = append(out, e.constructed(t.at(c), use)...)
		}
		return out
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			return nil
		}
		if isClass(sym) {
			return []typeRef{{sym: sym, scope: t.scope}}
		}
		if v, ok := valueType(sym); ok {
			return e.constructed(v, use)
		}
	case dts.ImportType:
		sym := e.importSymbol(t)
		switch {
		case sym == nil:
		case n.Has(dts.FlagTypeof) && isClass(sym):
			return []typeRef{{sym: sym, scope: t.scope}}
		default:
			return e.constructedBy(sym, t, n.First.Next, use)
		}
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.constructed(v, use)
		}
		return e.constructedBy(e.r.target(e.r.entity(t.scope, n.Text, typeMeaning)), t, n.First, use)
	case dts.Indexed:
		if v, ok := e.indexed(t); ok {
			return e.constructed(v, use)
		}
	case dts.Conditional:
		if b, ok := e.branch(t); ok {
			return e.constructed(b, use)
		}
	}
	return nil
}

// constructedBy is constructed for a named type.
func (e *evaluator) constructedBy(sym *symbol, t typeRef, args *dts.Node, use typeRef) []typeRef {
	if sym == nil {
		return nil
	}
	for _, d := range sym.decls {
		in := typeRef{scope: d.scope, env: bind(d, args, t)}
		switch d.node.Kind {
		case dts.TypeAlias:
			return e.constructed(in.at(d.node.Type()), use)
		case dts.Interface:
			for m := range d.node.All(dts.NewSig) {
				return e.returned(m, in, use)
			}
			if h := d.node.Child(dts.Extends); h != nil {
				for b := h.First; b != nil; b = b.Next {
					if out := e.constructed(in.at(b), use); out != nil {
						return out
					}
				}
			}
		}
	}
	return nil
}

// returned is what a construct signature returns, with its own type parameters
// bound to the arguments of the class that extends it.
func (e *evaluator) returned(n *dts.Node, t, use typeRef) []typeRef {
	result := n.Type()
	if result == nil {
		return nil
	}
	in := t
	in.env = appendEnv(bind(decl{n, t.scope}, use.node.First, use), t.env)
	return []typeRef{in.at(result)}
}

// appendEnv puts the bindings of a before those of b.
func appendEnv(a, b *env) *env {
	if a == nil {
		return b
	}
	return &env{name: a.name, val: a.val, next: appendEnv(a.next, b)}
}
