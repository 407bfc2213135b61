package modules

import (
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// mistyped records a call whose arguments none of the signatures accepts because of their types. count is the number of
// signatures of the function, and types are those of the arguments.
func (c *Code) mistyped(f *frame, candidates []call, bound []*variables, count int, types []typeRef, args []*dts.Expr, x *dts.Expr) {
	refused := -1
	for k, s := range candidates {
		i := c.refusedArgument(f, s, bound[k], types, args)
		if i < 0 {
			return
		}
		refused = max(refused, i)
	}
	if refused < 0 {
		return
	}
	problem := fmt.Sprintf("none of its %d declarations accepts the types of these arguments", count)
	if count == 1 {
		problem = fmt.Sprintf("it does not accept the type of the argument for %s", candidates[0].parameterName(refused))
	}
	c.reportCall(f, x, problem)
	f.file.values[len(f.file.values)-1].argument = pathOf(args[refused])
}

// parameterName returns the name of the parameter that takes an argument.
func (s call) parameterName(i int) string {
	list := s.params()
	return list[min(i, len(list)-1)].Text
}

// refusedArgument returns the index of an argument that a signature is certain not to accept because of its type, or -1.
func (c *Code) refusedArgument(f *frame, s call, v *variables, types []typeRef, args []*dts.Expr) int {
	if !isTyped(s) {
		return -1
	}
	in := c.with(s, v, true)
	for i, t := range types {
		want := c.parameter([]call{in}, i, false)
		if want.unknown() || t.unknown() || !v.given && len(c.variablesIn(c.parameter([]call{s}, i, false), v, 0)) > 0 {
			continue
		}
		if a := args[i]; a.Kind != dts.ExprObject && c.refuses(want, t) && !f.file.tests(a) {
			return i
		}
	}
	return -1
}

// isTyped reports whether the parameters of a signature have the types that the file with its declaration gives them.
func isTyped(s call) bool {
	m := s.context.scope
	return m != nil && m.mod != nil && m.mod.file != nil && m.mod.file.Language != dts.JavaScript
}

// refuses reports whether no value of type t is assignable to a type.
func (c *Code) refuses(want, t typeRef) bool {
	if !c.isWritten(want, 0) || !c.e.settled(want, 0) || !c.e.settled(t, 0) {
		return false
	}
	parts, ok := c.e.parts(want)
	values, known := c.e.parts(t)
	return ok && known && len(parts) > 0 && len(values) > 0 && len(parts)*len(values) <= maxDistributed && !slices.ContainsFunc(values, func(v typeRef) bool {
		return slices.ContainsFunc(parts, func(p typeRef) bool { return !c.refusesPart(p, v) })
	})
}

// isWritten reports whether a type is not computed from others, as conditional types are.
func (c *Code) isWritten(t typeRef, depth int) bool {
	if depth > maxNesting {
		return false
	}
	if t.compound != nil {
		return !slices.ContainsFunc(t.compound.parts, func(p typeRef) bool { return !c.isWritten(p, depth+1) })
	}
	if t.node == nil {
		return t.isLit || t.sym != nil
	}
	switch n := t.node; n.Kind {
	case dts.Keyword, dts.Literal, dts.TypeLiteral, dts.FuncType, dts.NewType, dts.Array, dts.Tuple:
		return true
	case dts.Union, dts.Intersection, dts.Paren:
		for k := range n.Children() {
			if !c.isWritten(t.at(k), depth+1) {
				return false
			}
		}
		return true
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return c.isWritten(v, depth+1)
		}
		if body, ok := c.aliased(t); ok {
			return c.isWritten(body, depth+1)
		}
		sym := c.r.target(c.r.entity(t.scope, n.Text, typeMeaning))
		return sym != nil && isClassOrInterface(sym)
	}
	return false
}

// refusesPart is like refuses, for parts of unions.
func (c *Code) refusesPart(want, t typeRef) bool {
	name, function := primitiveName(t), c.interfaceOf(t) == "Function"
	object := isList(t) || isAnonymous(t) || t.sym != nil && isClassOrInterface(t.sym)
	switch {
	case name == "" && !function && !object || isTop(want), want.sym != nil && !isClassOrInterface(want.sym):
		return false
	case isNothing(want):
		return true
	case primitiveName(want) != "":
		return primitiveName(want) != name
	case isList(want) && t.sym != nil && !isList(t):
		return c.e.isNoList(t)
	case isList(want):
		return !isList(t)
	case c.interfaceOf(want) == "Function":
		return name != "" || isList(t)
	}
	guesses, cut := c.e.guesses, c.e.cut
	if c.isComputed(want, 0) {
		return false
	}
	if want.sym != nil && name == "" && c.r.isLib(want.sym.decls[0].scope.mod) {
		return false // Its members depend on the version of the library.
	}
	lacks := c.lacksMember(want, t) || function && c.isWeak(want)
	return lacks && c.e.guesses == guesses && c.e.cut == cut
}

// isWeak reports whether an object has only optional properties, so that the compiler accepts only values with one of them.
func (c *Code) isWeak(t typeRef) bool {
	set, ok := c.e.props(t)
	return ok && !set.open && len(set.order) > 0 && len(c.unnamed(t)) == 0 && !slices.ContainsFunc(set.order, func(p *prop) bool {
		_, how := c.globalMember("Function", p.name)
		return !p.optional() || how != missing
	})
}

// tests reports whether a condition in the file tests a value, other than a call, so that its type may be more specific there.
func (f *codeFile) tests(x *dts.Expr) bool {
	path := pathOf(x)
	if path == "" {
		return slices.ContainsFunc(x.List, func(k *dts.Expr) bool {
			return k != nil && x.Kind != dts.ExprFunc && x.Kind != dts.ExprCall && f.tests(k)
		})
	}
	if f.tested == nil {
		f.tested = map[string]bool{}
		for _, s := range f.list {
			f.findTested(s)
		}
	}
	return f.tested[path]
}

// findTested records the paths of the values that conditions test.
func (f *codeFile) findTested(x *dts.Expr) {
	if x == nil {
		return
	}
	add := func(list ...*dts.Expr) {
		for _, k := range list {
			for range maxPath {
				if k == nil || pathOf(k) == "" {
					break
				}
				f.tested[pathOf(k)] = true
				if k.Kind != dts.ExprMember {
					break
				}
				k = k.List[0] // A condition about a member may reveal the type of the value.
			}
		}
	}
	switch x.Kind {
	case dts.ExprUnary, dts.ExprBinary, dts.ExprConditional, dts.StmtOther:
		add(x.List...)
	}
	for _, k := range x.List {
		f.findTested(k)
	}
}
