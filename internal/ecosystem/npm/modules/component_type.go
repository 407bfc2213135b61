package modules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxSpelled is the maximum number of literals in a union that is spelled out.
const maxSpelled = 60

// propKey identifies a prop that several components have.
type propKey struct {
	node     *dts.Node
	env      *env
	optional bool
}

// propSignature returns the declaration of a prop. It is written once for all components that have
// the prop.
func (w *documenter) propSignature(e *evaluator, p acceptedProp, decls []decl) string {
	if len(decls) != 1 || len(p.merged) > 0 || p.retyped {
		return e.propSignature(p)
	}
	key := propKey{decls[0].node, e.envOf(p.prop, p.object), p.partly || p.optional()}
	text, ok := w.signatures[key]
	if !ok {
		if w.signatures == nil {
			w.signatures = map[propKey]string{}
		}
		text = e.propSignature(p)
		w.signatures[key] = text
	}
	return text
}

// propSignature returns the declaration of a prop with its type in the component. Unions of
// literals are spelled out instead of shown by name.
func (e *evaluator) propSignature(p acceptedProp) string {
	sub := e.r.short(maxTextSteps * 4)
	sub.chooses = true
	optional := p.partly || p.optional()
	name := quoteName(p.name)
	if optional {
		name += "?"
	}
	decls := e.r.ownDecls(p.prop)
	if n := decls[0].node; len(decls) == 1 && !p.retyped && (n.Kind == dts.Method || n.Kind == dts.Function) {
		in := typeRef{node: n, scope: decls[0].scope, env: e.envOf(p.prop, p.object)}
		if w := (writer{e: &sub}); in.env.bindsAny() {
			n = w.copy(in)
		}
		method := &dts.Node{Kind: dts.Method}
		method.ShareChildren(n)
		return markup.Clean(name + strings.TrimPrefix(method.Signature(), "function "))
	}
	typ := cmp.Or(sub.propText(p.prop, p.object, optional), "any")
	return markup.Clean(name + ": " + typ)
}

// ownDecls returns the declarations of a prop outside frameworks or, if there are none, all
// its declarations.
func (r *Reader) ownDecls(p *prop) []decl {
	all := visible(p.decls)
	decls := slices.DeleteFunc(slices.Clone(all), func(d decl) bool { return isFramework(d.scope.mod.pkg) || r.isLib(d.scope.mod) })
	if len(decls) == 0 {
		return all
	}
	return decls
}

// propText returns the type of a prop of an object as text: the intersection or union of
// its types in the parts of the object.
func (e *evaluator) propText(p *prop, object typeRef, optional bool) string {
	n := e.propNode(p, object, optional, 0)
	if n.Is(dts.Union) {
		n = simplified(n, optional)
	}
	return n.String()
}

func (e *evaluator) propNode(p *prop, object typeRef, optional bool, depth int) *dts.Node {
	var out unionWriter
	add := func(n *dts.Node) {
		if n = bare(n); n != nil {
			out.add(n)
		}
	}
	switch {
	case len(p.merged) > 0 && depth < maxNesting:
		for _, q := range p.merged {
			if e.r.isOwn(q) || !e.r.isOwn(p) {
				add(e.propNode(q, object, optional, depth+1))
			}
		}
	case p.retyped && !p.typ.unknown():
		add(e.spelled(p.typ, optional))
	default:
		for _, d := range e.r.ownDecls(p) {
			one := *p
			one.decls = []decl{d}
			if d.node.Kind == dts.Method || d.node.Kind == dts.Function {
				add(e.spelled(typeRef{node: asFuncType(d.node), scope: d.scope, env: e.envOf(&one, object)}, false))
			} else if t, _ := one.declaredType(); t != nil {
				add(e.spelled(typeRef{node: t, scope: d.scope, env: e.envOf(&one, object)}, optional))
			}
		}
	}
	if p.either {
		return flattened(out.parts)
	}
	return intersected(out.parts)
}

// flattened returns the union of types, without nested unions.
func flattened(all []*dts.Node) *dts.Node {
	var out unionWriter
	for _, n := range all {
		for c := range unionParts(n) {
			out.add(enclosedPart(c))
		}
	}
	return out.union()
}

// intersected returns the intersection of types. It returns the literals that unions of literals have
// in common.
func intersected(all []*dts.Node) *dts.Node {
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(n *dts.Node) bool { return n.Kind == dts.Keyword && n.Text == "unknown" })
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0].Alone()
	}
	if common := commonLiterals(all); common != nil {
		return common
	}
	parts := make([]*dts.Node, len(all))
	for i, n := range all {
		if parts[i] = enclosedPart(n); n.Kind == dts.Union {
			parts[i] = enclosed(n)
		}
	}
	return dts.New(dts.Intersection, "", parts...)
}

// simplified returns a union without never, without true and false beside boolean, and, if optional
// is true, without undefined.
func simplified(n *dts.Node, optional bool) *dts.Node {
	has := func(text string) bool {
		for c := range n.Children() {
			if c.Text == text && (c.Kind == dts.Keyword || c.Kind == dts.Literal) {
				return true
			}
		}
		return false
	}
	boolean := has("boolean") || has("true") && has("false")
	var out unionWriter
	for c := range n.Children() {
		switch {
		case c.Kind == dts.Keyword && (c.Text == "never" || c.Text == "undefined" && optional):
			continue
		case c.Kind == dts.Literal && boolean && (c.Text == "true" || c.Text == "false"):
			c = dts.New(dts.Keyword, "boolean")
		}
		out.add(c)
	}
	return cmp.Or(out.union(), n)
}

// commonLiterals returns the literals that several unions of strings have in common. It
// returns nil if they have none in common or have other members.
func commonLiterals(all []*dts.Node) *dts.Node {
	var common []*dts.Node
	first := true
	for _, n := range all {
		if n.Kind == dts.Keyword && n.Text == "string" {
			continue
		}
		var members []*dts.Node
		for m := range unionParts(n) {
			if m.Kind != dts.Literal || m.Text[0] != '"' {
				return nil
			}
			members = append(members, m)
		}
		if first {
			common, first = members, false
			continue
		}
		common = slices.DeleteFunc(common, func(m *dts.Node) bool {
			return !slices.ContainsFunc(members, func(c *dts.Node) bool { return c.Text == m.Text })
		})
	}
	return (&unionWriter{parts: common}).union()
}

// asFuncType returns the type of a function or method.
func asFuncType(n *dts.Node) *dts.Node {
	out := &dts.Node{Kind: dts.FuncType, Pos: n.Pos}
	out.ShareChildren(n)
	return out
}

// spelled returns a type in which names and operators that evaluate to literals are
// replaced with the literals, and names of type parameters with the types that they are
// bound to. If optional is true, undefined is omitted from a union.
func (e *evaluator) spelled(t typeRef, optional bool) *dts.Node {
	n := e.spell(t, 0).Unparen()
	if n.Is(dts.Union) {
		return simplified(n, optional)
	}
	return n
}

func (e *evaluator) spell(t typeRef, depth int) *dts.Node {
	if t.node == nil || depth > maxNesting {
		return e.written(t)
	}
	switch n := t.node; n.Kind {
	case dts.Literal:
		if n.Text[0] == '\'' {
			return literalText(n.Name())
		}
		return n
	case dts.Keyword, dts.FuncType, dts.TypeLiteral:
		return e.written(t)
	case dts.Paren:
		if inner := e.spell(t.at(n.Inner()), depth+1); inner != nil {
			return enclosed(inner)
		}
	case dts.Union:
		var out unionWriter
		for c := range n.Children() {
			part := e.spell(t.at(c), depth+1)
			for part.Is(dts.Paren) && part.Inner().Kind == dts.Union {
				part = part.Inner()
			}
			switch {
			case part == nil:
			case part.Kind == dts.Union:
				for q := range part.Children() {
					out.add(q)
				}
			default:
				out.add(enclosedPart(part))
			}
		}
		return out.union()
	case dts.Ref:
		if x := t.env.find(n.Text); x != nil && !x.free && !x.val.unknown() && !n.HasArgs() {
			return e.spell(x.val, depth+1)
		}
		if lits := e.spelledLiterals(t); lits != nil {
			return lits
		}
	case dts.Mapped:
		if l := e.spelledObject(t, depth); l != nil {
			return l
		}
	case dts.Conditional, dts.Indexed, dts.ImportType, dts.Operator, dts.TypeQuery:
		if keys, ok := e.keys(t); ok && n.Kind == dts.TypeQuery && len(keys) == 1 {
			return literalNode(keys[0])
		}
		if lits := e.spelledLiterals(t); lits != nil {
			return lits
		}
		if n.Kind == dts.Indexed {
			if v, ok := e.indexed(t); ok && v.node != nil && v.node != n {
				if v.node.Kind == dts.Method || v.node.Kind == dts.Function {
					v.node = asFuncType(v.node)
				}
				return e.spell(v, depth+1)
			}
		}
	}
	w := cmp.Or(e.written(t), t.node)
	if n := e.shorter(t, w); n != nil {
		return n
	}
	return e.spelledArguments(t, w)
}

// maxSpelledArgument is the maximum number of literals that replace a type argument.
const maxSpelledArgument = 16

// spelledArguments returns the reference written, which is the text of t, with the literals of arguments such as Variants["size"].
// It does not spell out the types of frameworks, such as CSSProperties["color"].
func (e *evaluator) spelledArguments(t typeRef, written *dts.Node) *dts.Node {
	if t.node.Kind != dts.Ref || written.Kind != dts.Ref || !t.node.HasArgs() || !written.HasArgs() {
		return written
	}
	declared, args := slices.Collect(t.node.Args()), slices.Collect(written.Args())
	if len(declared) != len(args) {
		return written
	}
	changed := false
	for i, arg := range declared {
		if arg.Kind != dts.Indexed {
			continue
		}
		if _, sym := e.namedBy(t.at(arg.Inner())); sym == nil || len(sym.decls) == 0 || isFramework(sym.decls[0].scope.mod.pkg) {
			continue
		}
		if lits := e.spelledLiterals(t.at(arg)); lits != nil && len(slices.Collect(unionParts(lits))) <= maxSpelledArgument {
			args[i], changed = lits, true
		}
	}
	if !changed {
		return written
	}
	return dts.New(dts.Ref, written.Text, args...)
}

// longType is the length, in bytes, above which a type is replaced with the result of
// evaluating it, if that is shorter.
const longType = 100

// shorter returns the union to which a generic alias evaluates. It returns nil if the union
// is unknown or not shorter.
func (e *evaluator) shorter(t typeRef, written *dts.Node) *dts.Node {
	if t.node.Kind != dts.Ref && t.node.Kind != dts.ImportType || !t.node.HasArgs() {
		return nil
	}
	length := len(written.String())
	if length < longType {
		return nil
	}
	parts, known := e.parts(t)
	if !known || len(parts) == 0 || len(parts) > maxSpelledProps || len(parts) == 1 && parts[0].node == t.node {
		return nil
	}
	n := e.written(unionOf(parts))
	if n == nil || len(n.String()) >= length {
		return nil
	}
	return n
}

// spelledLiterals returns the union of the literals of a type, in their order. It returns
// nil if other values are possible or if there are too many literals.
func (e *evaluator) spelledLiterals(t typeRef) *dts.Node {
	parts, known := e.parts(t)
	if !known || len(parts) == 0 || len(parts) > maxSpelled {
		return nil
	}
	var out unionWriter
	for _, p := range parts {
		n := p.node
		switch {
		case p.isLit:
			n = literalNode(p.lit)
		case n == nil || p.sym != nil:
			return nil
		case n.Kind == dts.Literal && n.Text[0] == '\'':
			n = literalText(n.Name())
		case n.Kind == dts.Literal && n.Text[0] != '`':
		case n.Kind == dts.Keyword && n.Text != "any" && n.Text != "unknown" && n.Text != "object" && n.Text != "this" && n.Text != "never":
		case n.Kind == dts.Intersection && anyOther(n) != "":
			n = dts.New(dts.Paren, "", dts.New(dts.Intersection, "", dts.New(dts.Keyword, anyOther(n)), dts.New(dts.TypeLiteral, "")))
		default:
			return nil
		}
		out.add(n)
	}
	n := out.union()
	if n.Is(dts.Union) {
		n = simplified(n, false)
	}
	return n
}

// maxSpelledProps is the maximum number of properties of a mapped type that is written as
// an object.
const maxSpelledProps = 16

// spelledObject returns a mapped type as an object type. It returns nil if its properties
// are unknown or too many.
func (e *evaluator) spelledObject(t typeRef, depth int) *dts.Node {
	set, known := e.props(t)
	if !known || set.open || len(set.order) == 0 || len(set.order) > maxSpelledProps {
		return nil
	}
	members := make([]*dts.Node, 0, len(set.order))
	for _, p := range set.order {
		n := dts.New(dts.Property, quoteName(p.name))
		if p.optional() {
			n.Flags = dts.FlagOptional
		}
		if v, ok := e.propType(t, p); ok {
			n.SetChildren(e.spell(v, depth+1).Unparen())
		}
		members = append(members, n)
	}
	return dts.New(dts.TypeLiteral, "", members...)
}

// literalNode returns the literal for a key, which is a string or a number.
func literalNode(s string) *dts.Node {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		return &dts.Node{Kind: dts.Literal, Text: s}
	}
	return literalText(s)
}

func literalText(s string) *dts.Node { return &dts.Node{Kind: dts.Literal, Text: strconv.Quote(s)} }

// anyOther returns the primitive type of string & {} or number & {}, which represent any other string or number in a
// union with the literals that editors suggest. It returns "" for other types.
func anyOther(n *dts.Node) string {
	parts := slices.Collect(n.Children())
	if len(parts) != 2 {
		return ""
	}
	a, b := parts[0], parts[1]
	if a.Kind != dts.Keyword {
		a, b = b, a
	}
	if b = b.Unparen(); a.Kind == dts.Keyword && (b.Kind == dts.TypeLiteral && !b.HasChildren() || b.Kind == dts.Ref && b.Text == "Record") {
		return a.Text
	}
	return ""
}
