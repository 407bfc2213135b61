package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// construct evaluates new X(…).
func (c *Code) construct(f *frame, x *dts.Expr, want typeRef) typeRef {
	t := c.expr(f, x.List[0], typeRef{})
	args := x.List[1:]
	if t.unknown() {
		c.all(f, args)
		return typeRef{}
	}
	shape := c.e.shape(t)
	if shape.node != nil && shape.node.Kind == dts.TypeQuery {
		sym := c.classOf(shape)
		if sym == nil {
			c.all(f, args)
			return typeRef{}
		}
		return c.instance(f, sym, x, want)
	}
	signatures := c.constructors(shape)
	if len(signatures) == 0 {
		c.all(f, args)
		return typeRef{}
	}
	return c.results(f, signatures, x.Args, args, typeRef{}, x, want)
}

// constructors returns the signatures with which a value that is no class constructs objects.
func (c *Code) constructors(t typeRef) (signatures []call) {
	if t.sym != nil {
		for _, u := range c.e.members(t.sym).unnamed {
			for _, d := range c.r.callOrder(u.decls) {
				if d.node.Kind == dts.NewSig {
					signatures = append(signatures, call{node: d.node, context: typeRef{scope: d.scope, env: c.e.envOf(u, t)}})
				}
			}
		}
	} else if t.node != nil && t.node.Kind == dts.TypeLiteral {
		for k := range t.node.All(dts.NewSig) {
			signatures = append(signatures, call{node: k, context: t})
		}
	}
	return signatures
}

// instance evaluates new X(…), where X is a class.
func (c *Code) instance(f *frame, sym *symbol, x *dts.Expr, want typeRef) typeRef {
	var params []*dts.Node
	var class decl
	for _, d := range sym.decls {
		if d.node.Kind == dts.Class {
			class = d
			for p := range d.node.All(dts.TypeParam) {
				params = append(params, p)
			}
			break
		}
	}
	signatures, own := c.declaredConstructors(sym)
	args := x.List[1:]
	if len(params) == 0 || len(x.Args) > 0 {
		var given []typeRef
		for _, a := range x.Args {
			given = append(given, typeRef{node: a, scope: f.scope, env: f.env})
		}
		env := c.e.bind(class, nil, typeRef{})
		for i, p := range params {
			if i < len(given) {
				env = c.r.memo.bind(p.Text, given[i], env)
			}
		}
		for i := range signatures {
			if signatures[i].context.env == nil {
				signatures[i].context.env = env
			}
		}
		if len(signatures) > 0 {
			c.results(f, signatures, nil, args, typeRef{}, x, typeRef{})
		} else {
			c.all(f, args)
		}
		for i := len(given); i < len(params); i++ {
			var t typeRef
			for k := range params[i].Children() {
				if k.Has(dts.FlagDefault) {
					t = typeRef{node: k, scope: class.scope, env: env}
				}
			}
			given = append(given, t)
		}
		if len(params) == 0 {
			return c.refer(sym, nil)
		}
		return c.refer(sym, given)
	}
	// The constructor's parameters determine the type arguments.
	spread := slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread })
	count := len(args)
	if spread {
		count = maxArguments
	} else if len(signatures) > 0 {
		c.miscounted(f, signatures, args, x)
	}
	// defaultOf returns the default of a type parameter on which the arguments do not depend.
	defaultOf := func(p *dts.Node) (t typeRef) {
		if slices.ContainsFunc(signatures, func(s call) bool { return mentions(s.node, p.Text, count) }) {
			return t
		}
		for k := range p.Children() {
			if k.Has(dts.FlagDefault) {
				t = typeRef{node: k, scope: class.scope}
			}
		}
		return t
	}
	if signatures = slices.DeleteFunc(signatures, func(s call) bool { return !spread && !c.accepts(s, args) }); len(signatures) != 1 {
		c.all(f, args)
		var given []typeRef
		for _, p := range params {
			given = append(given, defaultOf(p))
		}
		return c.refer(sym, given)
	}
	v := newVariables(params, class.scope)
	v.args = count
	s := signatures[0]
	v.expect(c, typeRef{node: instanceNode(sym, params), scope: class.scope}, want)
	c.arguments(f, signatures, []*variables{v}, false, args, func(i int) bool { return own && !c.inferredFrom(s, i) })
	env := c.with(s, v, true).context.env
	var given []typeRef
	for _, p := range params {
		t, _ := env.get(p.Text)
		given = append(given, t)
	}
	return c.refer(sym, given)
}

// declaredConstructors returns the constructors of a class. A class that neither declares nor inherits one has a constructor
// without parameters. own is true if the class does not inherit them.
func (c *Code) declaredConstructors(sym *symbol) (signatures []call, own bool) {
	own = true
	for _, u := range c.e.members(sym).unnamed {
		for _, d := range visible(u.decls) {
			if d.node.Kind == dts.Constructor {
				own = own && u.owner == sym
				s := call{node: d.node, context: typeRef{scope: d.scope}}
				if u.owner != sym {
					s.context.env = c.e.envOf(u, typeRef{sym: sym})
				}
				signatures = append(signatures, s)
			}
		}
	}
	if len(signatures) == 0 && c.lacksConstructor(sym, 0) {
		signatures = []call{{node: &dts.Node{Kind: dts.Constructor}, context: typeRef{scope: sym.decls[0].scope}}}
	}
	return signatures, own
}

// lacksConstructor reports whether neither a class nor the classes that it extends declare a constructor.
func (c *Code) lacksConstructor(sym *symbol, depth int) bool {
	if depth > maxNesting || sym == nil || c.e.members(sym).incomplete {
		return false
	}
	for _, d := range sym.decls {
		if d.node.Kind != dts.Class || d.node.Child(dts.Constructor) != nil {
			if d.node.Kind == dts.Interface || d.node.Kind == dts.Namespace {
				continue
			}
			return false
		}
		if h := d.node.Child(dts.Extends); h != nil {
			for b := range h.Children() {
				if b.Kind != dts.Ref {
					return false
				}
				if base := c.r.target(c.r.entity(d.scope, b.Text, valueMeaning)); base == nil || base == sym || !isClass(base) || !c.lacksConstructor(base, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

// superclass evaluates a call of the constructor of the class that the class of the code extends.
func (c *Code) superclass(f *frame, x *dts.Expr) {
	args := x.List[1:]
	if sym := f.this.sym; sym != nil {
		for _, d := range sym.decls {
			if d.node.Kind != dts.Class {
				continue
			}
			for b := range bases(d) {
				base := c.r.target(c.r.entity(d.scope, b.Text, valueMeaning))
				if base == nil || !isClass(base) {
					continue
				}
				for _, e := range base.decls {
					if e.node.Kind == dts.Class && (e.node.Child(dts.TypeParam) == nil) != b.HasArgs() {
						c.superclassOf(f, base, c.e.bind(e, b, typeRef{scope: d.scope, env: f.env}), x)
						return
					}
				}
			}
		}
	}
	c.all(f, args)
}

func (c *Code) superclassOf(f *frame, base *symbol, env *env, x *dts.Expr) {
	signatures, _ := c.declaredConstructors(base)
	for i := range signatures {
		if signatures[i].context.env == nil {
			signatures[i].context.env = env
		}
	}
	if len(signatures) == 0 {
		c.all(f, x.List[1:])
		return
	}
	c.results(f, signatures, nil, x.List[1:], typeRef{}, x, typeRef{})
}
