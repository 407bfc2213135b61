package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// shape resolves names and what else stands for a type, until the type itself
// is met: a literal, an object, a union. A class or interface stays a
// reference, with sym set. It is empty if the type is not known.
func (e *evaluator) shape(t typeRef) typeRef {
	for range 50 {
		if t.isLit || t.node == nil || !e.enter() {
			return t
		}
		e.leave()
		next, ok := typeRef{}, false
		switch n := t.node; n.Kind {
		case dts.Paren:
			next, ok = t.at(n.First), true
		case dts.Operator:
			if n.Text != "readonly" {
				return t
			}
			next, ok = t.at(n.First), true
		case dts.Conditional:
			next, ok = e.branch(t)
		case dts.Indexed:
			next, ok = e.indexed(t)
		case dts.TypeQuery:
			sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
			if sym == nil {
				return typeRef{}
			}
			if next, ok = valueType(sym); !ok {
				return t
			}
		case dts.Ref, dts.ImportType:
			var sym *symbol
			if n.Kind == dts.Ref {
				if v, param := t.env.get(n.Text); param {
					next, ok = v, true
					break
				}
				if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
					return t
				}
				sym = e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
			} else if sym = e.importSymbol(t); n.Has(dts.FlagTypeof) {
				return t
			}
			if sym == nil {
				return typeRef{}
			}
			for _, d := range sym.decls {
				if d.node.Kind == dts.TypeAlias {
					next, ok = typeRef{node: d.node.Type(), scope: d.scope, env: bind(d, typeArgs(n), t)}, true
					break
				}
			}
			if !ok {
				t.sym = sym
				return t
			}
		default:
			return t
		}
		if !ok {
			return typeRef{}
		}
		t = next
	}
	return typeRef{}
}

// branch chooses the branch of a condition, if it can be told which.
func (e *evaluator) branch(t typeRef) (typeRef, bool) {
	if !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	check := t.node.First
	extends := check.Next
	yes, no := t.at(extends.Next), t.at(extends.Next.Next)
	holds, known, bound := e.extends(t.at(check), t.at(extends))
	switch {
	case !known:
		return typeRef{}, false
	case holds:
		yes.env = appendEnv(bound, yes.env)
		return yes, true
	}
	return no, true
}

// extends tells whether a type extends another one, if it is known, and what
// "infer" in the latter stands for. Objects are compared by the names of their
// properties alone.
func (e *evaluator) extends(t, u typeRef) (holds, known bool, bound *env) {
	if !e.enter() {
		return false, false, nil
	}
	defer e.leave()
	if n := u.node; n != nil {
		if n.Kind == dts.Keyword && (n.Text == "any" || n.Text == "unknown") {
			return true, true, nil
		}
		if n.Kind == dts.Infer {
			return true, true, &env{name: n.Text, val: t}
		}
	}
	t, u = e.shape(t), e.shape(u)
	if u.node == nil && !u.isLit || t.node == nil && !t.isLit && t.sym == nil {
		return false, false, nil
	}
	if u.isLit {
		u.node = nil
	} else if u.node.Kind == dts.Union && !e.literals(u) {
		return e.extendsAny(t, u)
	}
	if keys, ok := e.keys(t); ok {
		return e.literalExtends(keys, t, u)
	}
	if t.isLit || t.node == nil && t.sym == nil {
		return false, false, nil
	}
	if t.node != nil && t.node.Kind == dts.Keyword {
		return e.keywordExtends(t.node.Text, u)
	}
	return e.objectExtends(t, u)
}

// literals tells whether a union consists of literals alone.
func (e *evaluator) literals(t typeRef) bool {
	_, ok := e.keys(t)
	return ok
}

func (e *evaluator) extendsAny(t, u typeRef) (holds, known bool, bound *env) {
	known = true
	for c := u.node.First; c != nil; c = c.Next {
		h, k, b := e.extends(t, u.at(c))
		if k && h {
			return true, true, b
		}
		known = known && k
	}
	return false, known, nil
}

// literalExtends is extends for a union of literals, or never.
func (e *evaluator) literalExtends(keys []string, t, u typeRef) (holds, known bool, bound *env) {
	if u.node != nil && u.node.Kind == dts.Keyword {
		switch u.node.Text {
		case "string":
			return true, true, nil
		case "never":
			return len(keys) == 0, true, nil
		case "number", "symbol", "boolean", "undefined", "object", "bigint":
			return len(keys) == 0, true, nil
		}
		return false, false, nil
	}
	if len(keys) == 0 && t.node != nil && t.node.Kind == dts.Keyword {
		return true, true, nil
	}
	if u.node != nil && u.node.Kind == dts.Literal && strings.HasPrefix(u.node.Text, "`") && strings.Contains(u.node.Text, "${") {
		return templateExtends(keys, u.node)
	}
	want, ok := e.keys(u)
	if !ok {
		// A string is no object.
		return false, u.sym != nil || u.node != nil && (u.node.Kind == dts.TypeLiteral || u.node.Kind == dts.FuncType || u.node.Kind == dts.Array), nil
	}
	in := map[string]bool{}
	for _, w := range want {
		in[w] = true
	}
	for _, k := range keys {
		if !in[k] {
			return false, true, nil
		}
	}
	return true, true, nil
}

// templateExtends tells whether literals match `on${string}` and the like.
func templateExtends(keys []string, pattern *dts.Node) (holds, known bool, bound *env) {
	before, rest, _ := strings.Cut(strings.Trim(pattern.Text, "`"), "${")
	inner, after, _ := strings.Cut(rest, "}")
	infer, isInfer := strings.CutPrefix(inner, "infer ")
	if inner != "string" && inner != "any" && !isInfer || strings.Contains(after, "${") {
		return false, false, nil
	}
	for _, k := range keys {
		if len(k) < len(before)+len(after) || !strings.HasPrefix(k, before) || !strings.HasSuffix(k, after) {
			return false, true, nil
		}
	}
	if isInfer && len(keys) == 1 {
		k := keys[0]
		name, _, _ := strings.Cut(infer, " ")
		bound = &env{name: name, val: typeRef{lit: k[len(before) : len(k)-len(after)], isLit: true}}
	}
	return true, true, bound
}

func (e *evaluator) keywordExtends(word string, u typeRef) (holds, known bool, bound *env) {
	if word == "any" || word == "unknown" || word == "this" {
		return false, false, nil
	}
	if u.node == nil || u.node.Kind == dts.Literal || u.node.Kind == dts.Union {
		return false, true, nil
	}
	if u.node.Kind == dts.Keyword {
		return word == u.node.Text, true, nil
	}
	if e.literals(u) {
		return false, true, nil
	}
	return false, u.sym != nil || u.node.Kind == dts.TypeLiteral || u.node.Kind == dts.FuncType || u.node.Kind == dts.Array, nil
}

// objectExtends is extends for what has properties.
func (e *evaluator) objectExtends(t, u typeRef) (holds, known bool, bound *env) {
	if u.node == nil {
		return false, true, nil
	}
	calls, makes := e.callable(t)
	switch n := u.node; n.Kind {
	case dts.Keyword:
		return n.Text == "object" || n.Text == "void" && false, true, nil
	case dts.Literal:
		return false, true, nil
	case dts.FuncType:
		return calls && takesAnything(n), !calls || takesAnything(n), nil
	case dts.NewType:
		return makes && takesAnything(n), !makes || takesAnything(n), nil
	case dts.Array, dts.Tuple:
		return e.arrayExtends(t, u)
	case dts.Ref, dts.ImportType:
		if u.sym != nil && u.sym == t.sym {
			return true, true, e.matchArgs(t, u)
		}
		if n.Text == "Function" {
			return calls || makes, true, nil
		}
		if u.sym != nil && t.sym != nil && t.node != nil {
			if up, ok := e.inherited(t, u.sym, 0); ok {
				return true, true, e.matchArgs(up, u)
			}
		}
	}
	want, ok := e.props(u)
	have, okHave := e.props(t)
	if !ok || !okHave {
		return false, false, nil
	}
	for _, p := range want.order {
		if have.get(p.name) == nil && !p.decls[0].node.Has(dts.FlagOptional) {
			return false, true, nil
		}
	}
	if len(want.order) == 0 && u.node.Kind != dts.TypeLiteral {
		return false, false, nil
	}
	return true, true, e.matchProps(t, u, have, want)
}

// arrayExtends is extends for an array or tuple: T extends (infer U)[].
func (e *evaluator) arrayExtends(t, u typeRef) (holds, known bool, bound *env) {
	if t.node == nil || t.node.Kind != dts.Array && t.node.Kind != dts.Tuple {
		return false, t.sym == nil || t.sym.name != "Array" && t.sym.name != "ReadonlyArray", nil
	}
	if t.node.Kind == dts.Array && u.node.Kind == dts.Array {
		return e.extends(t.at(t.node.First), u.at(u.node.First))
	}
	return false, false, nil
}

// takesAnything tells whether a function type has the parameters (...args: any)
// or none, so that any function extends it as far as these go.
func takesAnything(n *dts.Node) bool {
	p := n.Child(dts.Param)
	if p == nil {
		return true
	}
	if !p.Has(dts.FlagRest) || p.First == nil {
		return false
	}
	t := p.First
	for t.Kind == dts.Array || t.Kind == dts.Operator || t.Kind == dts.Paren {
		t = t.First
	}
	return t.Kind == dts.Infer || t.Kind == dts.Keyword && (t.Text == "any" || t.Text == "never" || t.Text == "unknown")
}

// callable tells whether a type has call signatures, and construct signatures.
func (e *evaluator) callable(t typeRef) (calls, makes bool) {
	if t.sym != nil {
		for _, u := range e.members(t.sym).unnamed {
			calls = calls || u.decls[0].node.Kind == dts.CallSig
			makes = makes || u.decls[0].node.Kind == dts.NewSig
		}
		return calls, makes
	}
	if t.node == nil || !e.enter() {
		return false, false
	}
	defer e.leave()
	switch t.node.Kind {
	case dts.FuncType, dts.Method, dts.Function:
		return true, false
	case dts.NewType:
		return false, true
	case dts.TypeLiteral:
		return t.node.Child(dts.CallSig) != nil, t.node.Child(dts.NewSig) != nil
	case dts.Intersection:
		for c := t.node.First; c != nil; c = c.Next {
			c, m := e.callable(e.shape(t.at(c)))
			calls, makes = calls || c, makes || m
		}
		return calls, makes
	case dts.TypeQuery:
		if sym := e.r.target(e.r.entity(t.scope, t.node.Text, valueMeaning)); sym != nil {
			return !isClass(sym) && sym.meaning()&valueMeaning != 0, isClass(sym)
		}
	}
	return false, false
}

// matchArgs binds what "infer" stands for in the type arguments of u, by those
// of t, which is the same type.
func (e *evaluator) matchArgs(t, u typeRef) *env {
	var bound *env
	a, b := typeArgs(t.node), typeArgs(u.node)
	for a != nil && b != nil {
		if b.Kind == dts.Infer {
			bound = &env{name: b.Text, val: t.at(a), next: bound}
		}
		a, b = a.Next, b.Next
	}
	return bound
}

// matchProps binds what "infer" stands for in the properties of u.
func (e *evaluator) matchProps(t, u typeRef, have, want props) *env {
	var bound *env
	if u.node.Kind != dts.TypeLiteral {
		return nil
	}
	for _, w := range want.order {
		typ := w.decls[0].node.Type()
		h := have.get(w.name)
		if typ == nil || h == nil {
			continue
		}
		got, ok := e.propType(t, h)
		if !ok {
			continue
		}
		switch typ.Kind {
		case dts.Infer:
			bound = &env{name: typ.Text, val: got, next: bound}
		case dts.TypeLiteral:
			if holds, known, more := e.extends(got, u.at(typ)); holds && known {
				bound = appendEnv(more, bound)
			}
		}
	}
	return bound
}
