package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// This file binds the members that JavaScript code adds to values by
// assignments.

// assign binds JavaScript's assignments to a declared value: x.y = … to x, and
// x.prototype.y = … and x.prototype = { y: … } to its instances.
func (b *binder) assign(s *scope, n *dts.Node) {
	to := n.Child(dts.Name)
	sym := s.locals.get(to.Text)
	switch {
	case to.Has(dts.FlagExport): // The target is exports.x.y.
		sym = s.exports.get(to.Text)
	case sym == nil:
		sym = s.exports.get(to.Text)
	case sym.alias != nil && sym.alias.spec == selfSpec: // The name x is declared by export default function x.
		sym = s.exports.get(sym.alias.name)
	}
	if sym == nil || sym.alias != nil || sym.namespaceOf != nil || len(sym.decls) == 0 {
		return
	}
	v := n.Value()
	if !to.Has(dts.FlagStatic) {
		sym.method(s, n, v)
		return
	}
	if n.Text == "prototype" {
		if v != nil && v.Kind == dts.Object {
			for c := range v.Children() {
				switch {
				case c.Name() == "constructor":
				case c.Kind == dts.Method:
					sym.method(s, c, c)
				case c.Kind == dts.Property:
					sym.method(s, c, c.Value())
				}
			}
		}
		return
	}
	if sym.exports == nil {
		sym.exports = newTable()
	}
	b.value(s, sym.exports.make(n.Text), n, v)
}

// method adds a function that is assigned to the prototype of a function under
// the name n, and the members that its body assigns to this.
func (s *symbol) method(in *scope, n, v *dts.Node) {
	if v == nil || len(s.methods) >= maxMethods || n.Name() == "constructor" {
		return
	}
	if v.Kind == dts.Ref { // The value is a name, as in X.prototype.run = run.
		if f := in.locals.get(v.Text); f != nil && f.alias == nil && len(f.decls) == 1 && f.decls[0].node.Kind == dts.Function {
			v = f.decls[0].node
		}
	}
	m := &dts.Node{}
	switch v.Kind {
	case dts.Function, dts.Method:
		m = v.Alone()
		m.Kind = dts.Method
	case dts.Initial, dts.Literal:
		m = dts.New(dts.Property, "", v)
	default:
		m.Kind = dts.Property
	}
	m.Text, m.Pos = n.Text, n.Pos
	if m.SetDoc(n); in.mod.file.Doc(n) == "" {
		m.SetDoc(v)
	}
	s.instanceMember(m, in)
	if n.Kind != dts.MemberAssign { // If the whole prototype is assigned, TypeScript does not count these members as members of the function.
		return
	}
	for c := range v.All(dts.Property) {
		s.instanceMember(c.Alone(), in)
	}
}

// instanceMember adds a member to the instances of a JavaScript constructor
// function, unless they already have a member with that name.
func (s *symbol) instanceMember(m *dts.Node, in *scope) {
	for _, d := range s.methods {
		if d.node.Text == m.Text {
			return
		}
	}
	for _, d := range s.decls {
		for c := range d.node.All(dts.Property) {
			if d.node.Kind == dts.Function && c.Text == m.Text {
				return
			}
		}
	}
	s.methods = append(s.methods, decl{m, in})
}

// maxMethods is the maximum number of methods that are added to one function.
const maxMethods = 5000

// exportedObject binds the properties of the object literal in a variable that
// the module exports.
func (b *binder) exportedObject() {
	equals := b.m.equals
	if equals == nil || equals.alias == nil || equals.alias.spec != "" {
		return
	}
	sym := b.m.scope.locals.get(equals.alias.name)
	if sym == nil || sym.alias != nil {
		return
	}
	for _, d := range sym.decls {
		if o := d.node.Child(dts.Object); d.node.Kind == dts.Variable && o != nil {
			b.object(b.m.scope, o)
		}
	}
}

// asFunction returns a method as the function that a module exports.
func asFunction(n *dts.Node) *dts.Node {
	if n.Kind != dts.Method {
		return n
	}
	f := *n
	f.Kind = dts.Function
	return &f
}

// object binds the exports in module.exports = {…}.
func (b *binder) object(s *scope, o *dts.Node) {
	for c := range o.Children() {
		switch c.Kind {
		case dts.Specifier:
			b.alias(s.exports, c.Text, &alias{scope: s, name: c.Text, node: c, hidden: true})
		case dts.Spread:
			if c.Value().Is(dts.Require) {
				b.link(c.Value().Text, true)
				s.mod.stars = append(s.mod.stars, c.Value().Text)
				s.mod.starsAt = append(s.mod.starsAt, s)
			}
		case dts.Property:
			b.value(s, s.exports.make(c.Name()), c, c.Value())
		case dts.Method, dts.Getter:
			sym := s.exports.make(c.Name())
			sym.decls = append(sym.decls, decl{asFunction(c), s})
		}
	}
}
