package modules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// branch returns the branch that a conditional type takes. It returns false if the condition cannot
// be decided.
func (e *evaluator) branch(t typeRef) (typeRef, bool) {
	if !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	c := t.node.Cond()
	yes := t.at(c.True)
	holds, known, bound := e.extends(t.at(c.Check), t.at(c.Extends))
	switch {
	case !known:
		return typeRef{}, false
	case holds:
		yes.env = e.r.memo.append(bound, yes.env)
		return yes, true
	}
	return t.at(c.False), true
}

// extends reports whether t extends u. known is false if that cannot be decided. bound
// contains the bindings of "infer" in u. Objects are compared by the names of their
// properties, and by the types of discriminating properties.
func (e *evaluator) extends(t, u typeRef) (holds, known bool, bound *env) {
	if !e.enter() {
		return false, false, nil
	}
	defer e.leave()
	if u.free() {
		return false, false, nil
	}
	if e.isNumericEnum(u) {
		if s := e.shape(t); s.node != nil && s.node.Kind == dts.Keyword && s.node.Text == "number" {
			return true, true, nil
		}
	}
	if e.mayBeAbsent(u) {
		if s := e.shape(t); s.node != nil && s.node.Kind == dts.Keyword && s.node.Text == "undefined" {
			return true, true, nil
		}
	}
	if u = e.shape(u); u.unknown() {
		return false, false, nil
	}
	if n := u.node; n != nil {
		if n.Kind == dts.Intersection && u.sym == nil && e.containsAny(u) {
			return true, true, nil // as in 0 extends 1 & T
		}
		if isTop(u) {
			return true, true, nil
		}
		if n.Kind == dts.Infer {
			return e.inferred(t, u)
		}
		if n.Kind == dts.Keyword && n.Text == "number" && e.isNumericEnum(t) {
			return true, true, nil
		}
		if n.Kind == dts.FuncType || n.Kind == dts.NewType {
			if holds, bound := e.parameters(t, u); holds {
				return true, true, bound
			}
		}
	}
	if a, b, ok := e.tuples(t, u); ok {
		return e.tupleExtends(a, b)
	}
	if all := e.branded(u); all != nil {
		return e.extendsEvery(t, all)
	}
	if u.isLit {
		u.node = nil
	}
	if keys, ok := e.keys(t); ok {
		if alternatives, ok := e.parts(u); ok && len(alternatives) != 1 && !e.isLiterals(u) {
			if parts, ok := e.parts(t); ok && len(parts) > 1 {
				return e.extendsEach(parts, u)
			}
			return e.extendsAny(t, alternatives)
		}
		return e.literalExtends(keys, t, u)
	}
	parts, ok := e.parts(t)
	switch {
	case !ok:
		return false, false, nil
	case len(parts) == 0:
		return true, true, nil
	case len(parts) > 1:
		return e.extendsEach(parts, u)
	}
	t = parts[0]
	if t.unknown() || isAny(t) {
		return false, false, nil
	}
	if t == u || t.node != nil && t.node == u.node && t.env == u.env {
		return true, true, nil
	}
	if alternatives, ok := e.parts(u); !ok || len(alternatives) != 1 {
		if u.node != nil && u.node.Kind == dts.Keyword && u.node.Text == "boolean" {
			return e.primitiveExtends(t, u)
		}
		if ok && len(alternatives) == 0 {
			return false, true, nil
		}
		holds, known, bound := e.extendsAny(t, alternatives)
		return holds, known && (ok || holds), bound
	} else if u.sym == nil {
		u = alternatives[0]
	}
	switch {
	case t.compound != nil:
		return e.allExtend(t, u)
	case e.branded(t) != nil:
		return e.brandedExtends(e.branded(t), u)
	case u.compound != nil && u.compound.all:
		return e.extendsAll(t, u)
	case t.isLit:
		return false, false, nil
	case t.node.Is(dts.Operator) && t.node.Text == "unique":
		return e.uniqueExtends(u)
	case t.node != nil && (t.node.Kind == dts.Keyword || t.node.Kind == dts.Literal):
		return e.primitiveExtends(t, u)
	}
	return e.objectExtends(t, u)
}

// mayBeAbsent reports whether a type T[K] contains undefined because T has an optional property K.
func (e *evaluator) mayBeAbsent(t typeRef) bool {
	for range maxNesting {
		x, ok := t.param()
		if !ok || x.free {
			break
		}
		t = x.val
	}
	if t.node == nil || t.node.Kind != dts.Indexed {
		return false
	}
	access := t.node.Access()
	names, known := e.keys(t.at(access.Key))
	set, ok := e.props(t.at(access.Object))
	return known && ok && slices.ContainsFunc(names, func(name string) bool {
		p := set.get(name)
		return p != nil && p.optional()
	})
}

// containsAny reports whether an intersection is any because one of its parts is.
func (e *evaluator) containsAny(t typeRef) bool {
	for c := range t.node.Children() {
		if isAny(e.shape(t.at(c))) {
			return true
		}
	}
	return false
}

// branded returns the parts of an intersection of a primitive type with objects, such as string & { brand: "id" }. It
// returns nil for other types.
func (e *evaluator) branded(t typeRef) (parts []typeRef) {
	if t.node == nil || t.sym != nil || t.node.Kind != dts.Intersection {
		return nil
	}
	primitive := false
	for c := range t.node.Children() {
		n := e.shape(t.at(c)).node
		primitive = primitive || n != nil && n.Kind == dts.Keyword && (n.Text == "string" || n.Text == "number" || n.Text == "bigint" || n.Text == "symbol")
		parts = append(parts, t.at(c))
	}
	if !primitive {
		return nil
	}
	return parts
}

// brandedExtends evaluates extends for the parts of a branded primitive: it is enough if one of them extends u.
func (e *evaluator) brandedExtends(parts []typeRef, u typeRef) (holds, known bool, bound *env) {
	known = true
	for _, p := range parts {
		h, k, b := e.extends(p, u)
		if h && k {
			return true, true, b
		}
		known = known && k
	}
	return false, known, nil
}

// isNumericEnum reports whether a type is an enumeration of numbers or one of its members, to which
// every number can be assigned.
func (e *evaluator) isNumericEnum(t typeRef) bool {
	_, sym := e.namedBy(t)
	if sym == nil || len(sym.decls) == 0 {
		return false
	}
	n := sym.decls[0].node
	if n.Kind == dts.Enum {
		n = n.Child(dts.EnumMember)
	}
	if n == nil || n.Kind != dts.EnumMember {
		return false
	}
	i := n.Child(dts.Initial)
	return i == nil || i.Text != "" && i.Text[0] != '"' && i.Text[0] != '\'' && i.Text[0] != '`'
}

// tuples returns the elements of two tuples of the same length, as in [A] extends [B], which
// does not distribute over unions. ok is false for other types.
func (e *evaluator) tuples(t, u typeRef) (a, b []typeRef, ok bool) {
	if u.node == nil || u.node.Kind != dts.Tuple || t.node == nil || t.node.Kind != dts.Tuple {
		return nil, nil, false
	}
	plain := func(t typeRef) (all []typeRef, ok bool) {
		for c := range t.node.Children() {
			if c.Kind == dts.Rest || c.Kind == dts.Optional || c.Kind == dts.TupleMember {
				return nil, false
			}
			all = append(all, t.at(c))
		}
		return all, true
	}
	a, ok = plain(t)
	b, same := plain(u)
	return a, b, ok && same && len(a) == len(b) && len(a) > 0
}

// tupleExtends evaluates extends for the elements of two tuples.
func (e *evaluator) tupleExtends(a, b []typeRef) (holds, known bool, bound *env) {
	known = true
	for i, t := range a {
		h, k, more := e.elementExtends(t, b[i])
		if k && !h {
			return false, true, nil
		}
		known = known && k
		bound = e.r.memo.append(bound, more)
	}
	return known, known, bound
}

// elementExtends evaluates extends for an element of a tuple.
func (e *evaluator) elementExtends(t, u typeRef) (holds, known bool, bound *env) {
	never := func(t typeRef) (is, known bool) {
		parts, ok := e.parts(t)
		return ok && len(parts) == 0, ok
	}
	if is, ok := never(u); ok && is {
		is, ok = never(t)
		return is, ok, nil
	}
	s := e.shape(t)
	if isAny(s) {
		if v := e.shape(u); v.node == nil || v.node.Kind != dts.Infer {
			return true, true, nil
		}
	}
	if s.node != nil && s.node.Kind == dts.Keyword && s.node.Text == "unknown" {
		v := e.shape(u)
		return v.node != nil && v.node.Kind == dts.Keyword && (v.node.Text == "unknown" || v.node.Text == "any"), !v.unknown() && v.node != nil && v.node.Kind != dts.Infer, nil
	}
	return e.extends(t, u)
}

// inferred binds "infer X" or "infer X extends C".
func (e *evaluator) inferred(t, u typeRef) (holds, known bool, bound *env) {
	if c := u.node.Inner(); c != nil {
		holds, known, bound = e.extends(t, u.at(c))
		if !holds || !known {
			return holds, known, nil
		}
	}
	return true, true, e.r.memo.bind(u.node.Text, t, bound)
}

// isLiterals reports whether a union consists only of literals.
func (e *evaluator) isLiterals(t typeRef) bool {
	_, ok := e.keys(t)
	return ok
}

// extendsAny evaluates extends for a union u: t must extend one of the parts.
func (e *evaluator) extendsAny(t typeRef, alternatives []typeRef) (holds, known bool, bound *env) {
	known = true
	lit, isLit := literal(t)
	for _, u := range alternatives {
		if isLit {
			if want, ok := literal(u); ok {
				if want == lit {
					return true, true, nil
				}
				continue
			}
		}
		h, k, b := e.extends(t, u)
		if k && h {
			return true, true, b
		}
		known = known && k
	}
	return false, known, nil
}

// extendsEach evaluates extends for a union t: every part must extend u.
func (e *evaluator) extendsEach(parts []typeRef, u typeRef) (holds, known bool, bound *env) {
	return e.allHold(parts, func(t typeRef) (bool, bool, *env) { return e.extends(t, u) })
}

// extendsAll evaluates extends for an intersection u: t must extend every part.
func (e *evaluator) extendsAll(t, u typeRef) (holds, known bool, bound *env) {
	return e.extendsEvery(t, u.compound.parts)
}

func (e *evaluator) extendsEvery(t typeRef, alternatives []typeRef) (holds, known bool, bound *env) {
	return e.allHold(alternatives, func(u typeRef) (bool, bool, *env) { return e.extends(t, u) })
}

// allHold reports whether ask holds for every type. known is false if that cannot be
// decided. bound contains the bindings of all types.
func (e *evaluator) allHold(types []typeRef, ask func(typeRef) (bool, bool, *env)) (holds, known bool, bound *env) {
	known = true
	for _, t := range types {
		h, k, b := ask(t)
		if k && !h {
			return false, true, nil
		}
		known = known && k
		bound = e.r.memo.append(bound, b)
	}
	return known, known, bound
}

// allExtend evaluates extends for an intersection t: it is enough if one part extends u;
// otherwise, t is compared as an object.
func (e *evaluator) allExtend(t, u typeRef) (holds, known bool, bound *env) {
	for _, p := range t.compound.parts {
		if h, k, b := e.extends(p, u); h && k {
			return true, true, b
		}
	}
	return e.objectExtends(t, u)
}

// literalExtends evaluates extends for a union of literals, or never.
func (e *evaluator) literalExtends(keys []string, t, u typeRef) (holds, known bool, bound *env) {
	if len(keys) == 0 {
		return true, true, nil // never extends every type.
	}
	if u.node != nil && u.node.Kind == dts.Keyword {
		switch u.node.Text {
		case "string":
			return !e.hasNumber(t), true, nil
		case "number":
			return e.numbers(t), true, nil
		case "never", "symbol", "boolean", "undefined", "void", "object", "bigint":
			return false, true, nil
		}
		return false, false, nil
	}
	if u.node != nil && u.node.Kind == dts.Literal && strings.HasPrefix(u.node.Text, "`") && strings.Contains(u.node.Text, "${") {
		return e.templateExtends(keys, u)
	}
	if u.node != nil && u.node.Kind == dts.Operator && u.node.Text == "keyof" && e.isGlobalThis(u.at(u.node.Inner())) {
		return e.areGlobal(keys), true, nil
	}
	want, ok := e.keys(u)
	if !ok {
		// A string is not an object, although it has all members of {}.
		switch {
		case u.sym != nil, u.node.Is(dts.TypeLiteral):
			return e.boxedExtends("String", u)
		case u.node == nil:
			return false, false, nil
		}
		k := u.node.Kind
		return false, k == dts.FuncType || k == dts.NewType || k == dts.Array || k == dts.Tuple || k == dts.Literal && u.node.Text[0] != '`', nil
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

// isGlobalThis reports whether a type is typeof globalThis.
func (e *evaluator) isGlobalThis(t typeRef) bool {
	t = t.at(t.node.Unparen())
	return t.node.Kind == dts.TypeQuery && t.node.Text == "globalThis" && e.r.lookup(t.scope, t.node.Text, anything) == nil
}

// areGlobal reports whether all names are properties of globalThis, which declarations with const,
// let and class do not create.
func (e *evaluator) areGlobal(names []string) bool {
	for _, name := range names {
		sym := e.r.target(e.r.global(name, valueMeaning))
		if sym == nil || !slices.ContainsFunc(sym.decls, func(d decl) bool {
			k := d.node.Kind
			return k == dts.Function || k == dts.Namespace || k == dts.Variable && kindOf([]decl{d}) == apidoc.Var
		}) {
			return false
		}
	}
	return true
}

// numbers reports whether a union of literals consists of numbers.
func (e *evaluator) numbers(t typeRef) bool {
	parts, ok := e.parts(t)
	for _, p := range parts {
		if primitiveName(p) != "number" || p.node.Kind != dts.Literal {
			return false
		}
	}
	return ok
}

// hasNumber reports whether a number is among the literals of a union.
func (e *evaluator) hasNumber(t typeRef) bool {
	parts, _ := e.parts(t)
	return slices.ContainsFunc(parts, func(p typeRef) bool {
		return !p.isLit && p.node != nil && p.node.Kind == dts.Literal && strings.IndexByte("-0123456789", p.node.Text[0]) >= 0
	})
}

// templateExtends reports whether literals match a template literal type such as `on${string}`.
// known and bound have the same meaning as in extends.
func (e *evaluator) templateExtends(keys []string, u typeRef) (holds, known bool, bound *env) {
	texts, types := e.r.memo.template(u.node)
	if len(types) == 0 || len(keys)*len(types) > maxParts {
		return false, false, nil
	}
	e.spend(len(keys) * len(types))
	chosen := make([][]typeRef, len(types))
	for _, k := range keys {
		parts, ok := splitTemplate(k, texts)
		if !ok {
			return false, true, nil
		}
		for i, typ := range types {
			if holds, known = e.fits(parts[i], u.at(typ)); !known || !holds {
				return false, known, nil
			}
			chosen[i] = append(chosen[i], literalOf(parts[i]))
		}
	}
	for i, typ := range types {
		if want := e.shape(u.at(typ)); want.node != nil && want.node.Kind == dts.Infer && len(keys) > 0 {
			bound = e.r.memo.bind(want.node.Text, unionOf(chosen[i]), bound)
		}
	}
	return true, true, bound
}

// splitTemplate returns the parts of s that match the substitutions between
// strings. Each substitution matches as few characters as possible, and exactly one
// if another substitution follows it directly. ok is false if s does not match.
func splitTemplate(s string, texts []string) (parts []string, ok bool) {
	last := texts[len(texts)-1]
	rest, ok := strings.CutPrefix(s, texts[0])
	if !ok || len(rest) < len(last) || !strings.HasSuffix(rest, last) {
		return nil, false
	}
	rest = rest[:len(rest)-len(last)]
	for _, text := range texts[1 : len(texts)-1] {
		if text == "" {
			_, size := utf8.DecodeRuneInString(rest)
			if size == 0 {
				return nil, false
			}
			parts, rest = append(parts, rest[:size]), rest[size:]
			continue
		}
		before, after, ok := strings.Cut(rest, text)
		if !ok {
			return nil, false
		}
		parts, rest = append(parts, before), after
	}
	return append(parts, rest), true
}

// fits reports whether a substitution of type t matches s. known is false if that
// cannot be decided.
func (e *evaluator) fits(s string, t typeRef) (holds, known bool) {
	t = e.shape(t)
	if t.node != nil && t.node.Kind == dts.Infer {
		if t.node.Inner() == nil {
			return true, true
		}
		t = e.shape(t.at(t.node.Inner()))
	}
	if t.node != nil && t.node.Kind == dts.Keyword {
		switch t.node.Text {
		case "string", "any":
			return true, true
		case "number", "bigint":
			holds = isNumber(s, t.node.Text == "bigint")
			// A string such as "1e3" or " 1" also represents a number.
			return holds, holds || !strings.ContainsAny(s, "0123456789") && (s == "" || strings.TrimSpace(s) != "")
		case "boolean":
			return s == "true" || s == "false", true
		}
		return false, false
	}
	holds, known, _ = e.literalExtends([]string{s}, literalOf(s), t)
	return holds, known
}

// isNumber reports whether s is a number in the form in which TypeScript writes it. If whole
// is true, it must be an integer.
func isNumber(s string, whole bool) bool {
	digits, point := strings.TrimPrefix(s, "-"), false
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9':
		case c == '.' && !whole && !point && i > 0 && i < len(digits)-1:
			point = true
		default:
			return false
		}
	}
	return digits != ""
}

// primitiveExtends evaluates extends for a keyword, true, false or null.
func (e *evaluator) primitiveExtends(t, u typeRef) (holds, known bool, bound *env) {
	if t.node == nil || t.node.Text == "" || t.node.Text == "this" {
		return false, false, nil
	}
	word := t.node.Text
	if u.node == nil {
		return false, true, nil
	}
	nothing := word == "null" || word == "undefined" || word == "void" || word == "unknown"
	switch n := u.node; n.Kind {
	case dts.Keyword:
		ok := word == n.Text || word == "undefined" && n.Text == "void" || word[0] == '`' && n.Text == "string" ||
			(word == "true" || word == "false") && n.Text == "boolean"
		return ok, true, nil
	case dts.Literal:
		if n.Text[0] == '`' && (word[0] == '`' || word == "string") && word != n.Text {
			// Strings of one pattern may have another one, but not all strings have a pattern with text.
			texts, _ := e.r.memo.template(n)
			return false, word == "string" && slices.ContainsFunc(texts, func(text string) bool { return text != "" }), nil
		}
		return word == n.Text, true, nil
	case dts.TypeLiteral, dts.Ref, dts.ImportType:
		if nothing {
			return false, true, nil
		}
		if boxed := boxedName(t); boxed != "" {
			return e.boxedExtends(boxed, u)
		}
		return n.Kind == dts.TypeLiteral && !n.HasChildren() || n.Text == "Object", true, nil
	}
	return false, true, nil
}

// boxedName returns the name of the global interface with the members of a primitive type, or "" if there is none.
func boxedName(t typeRef) string {
	switch primitiveName(t) {
	case "string":
		return "String"
	case "number":
		return "Number"
	case "boolean":
		return "Boolean"
	case "bigint":
		return "BigInt"
	case "symbol":
		return "Symbol"
	}
	return ""
}

// boxedExtends evaluates extends for a primitive type with the members of a global interface, and an object u. A string has,
// for example, a length and can be iterated.
func (e *evaluator) boxedExtends(name string, u typeRef) (holds, known bool, bound *env) {
	switch {
	case u.sym != nil && (u.sym.name == name || u.sym.name == "Object"), u.node.Is(dts.TypeLiteral) && !u.node.HasChildren():
		return true, true, nil
	case u.sym != nil && isClass(u.sym):
		return false, true, nil
	}
	want, ok := e.props(u)
	boxed := e.r.global(name, typeMeaning)
	if !ok || boxed == nil {
		return false, !e.r.exact, nil
	}
	members := e.members(boxed)
	for _, p := range want.order {
		if !p.optional() && members.props.get(p.name) == nil && !slices.Contains(objectMembers, p.name) {
			return false, !members.incomplete, nil
		}
	}
	return false, !e.r.exact, nil
}

// uniqueExtends evaluates extends for the type of one symbol, which differs from u.
func (e *evaluator) uniqueExtends(u typeRef) (holds, known bool, bound *env) {
	switch {
	case u.node == nil:
		return false, false, nil
	case u.node.Kind == dts.Keyword:
		return u.node.Text == "symbol", true, nil
	case u.node.Kind == dts.Operator, u.node.Kind == dts.Literal:
		return false, true, nil
	}
	return false, false, nil
}
