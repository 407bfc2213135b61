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

// appendEnv puts the bindings of a before those of b.
func appendEnv(a, b *env) *env {
	if a == nil {
		return b
	}
	return &env{name: a.name, val: a.val, next: appendEnv(a.next, b)}
}
