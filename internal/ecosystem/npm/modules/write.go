package modules

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// maxWritten is the maximum number of nodes of a type in which type parameters are
// replaced.
const maxWritten = 400

// writer copies types and replaces type parameters with the types that they are bound
// to.
type writer struct {
	e     *evaluator
	nodes int
	depth int
	// free is true if properties of type parameters without an argument, as T["x"], are written as they are instead of with the
	// types that the constraints of the parameters give them.
	free bool
}

// written returns a type in which type parameters are replaced with the types that
// they are bound to. It returns nil if the result is too large.
func (e *evaluator) written(t typeRef) *dts.Node {
	w := writer{e: e}
	n := w.typ(e.chosenBy(t))
	if w.nodes > maxWritten {
		return nil
	}
	return n.Unparen()
}

// chosenBy returns the type that a generic alias chooses by conditions on its
// arguments, or the type itself if it does not choose.
func (e *evaluator) chosenBy(t typeRef) typeRef {
	for range 4 * maxNesting {
		if t.node == nil || t.node.Kind != dts.Ref || !t.node.HasArgs() {
			break
		}
		body, how := e.step(t)
		if how != resolved || body.node.Kind != dts.Conditional {
			break
		}
		branch, ok := e.chosen(body)
		for ok && branch.node != nil && branch.node.Kind == dts.Conditional {
			branch, ok = e.chosen(branch)
		}
		if !ok || branch.node.Is(dts.Indexed) && isFramework(branch.scope.mod.pkg) && !isFramework(t.scope.mod.pkg) {
			break // React.ComponentProps<"div"> says more than a property of JSX.IntrinsicElements.
		}
		t = branch
	}
	return t
}

// bindsAny reports whether bindings replace a type parameter.
func (e *env) bindsAny() bool {
	for ; e != nil; e = e.next {
		if !e.free && !e.val.unknown() && !(e.val.node != nil && e.val.node.Kind == dts.Ref && e.val.node.Text == e.name) {
			return true
		}
	}
	return false
}

func (w *writer) typ(t typeRef) *dts.Node {
	if w.nodes++; w.nodes > maxWritten || w.depth > maxTypeDepth {
		return t.node
	}
	w.depth++
	defer func() { w.depth-- }()
	switch {
	case t.isLit:
		if t.lit != "" && strings.Trim(t.lit, "0123456789") == "" {
			return &dts.Node{Kind: dts.Literal, Text: t.lit}
		}
		return &dts.Node{Kind: dts.Literal, Text: strconv.Quote(t.lit)}
	case t.compound != nil:
		if !t.compound.all {
			return w.union(t.compound.parts)
		}
		var parts []*dts.Node
		for _, p := range t.compound.parts {
			parts = append(parts, w.typ(p))
		}
		if out := dts.New(dts.Intersection, "", parts...); out.HasChildren() {
			return out
		}
		return dts.New(dts.Keyword, "never")
	case t.node == nil && t.sym != nil:
		return &dts.Node{Kind: dts.Ref, Text: t.sym.name}
	case t.node == nil:
		return nil
	}
	if t.node.Kind == dts.Method || t.node.Kind == dts.Function {
		return enclosed(asFuncType(w.copy(t)))
	}
	if t.node.Kind == dts.Ref {
		if x := t.env.find(t.node.Text); x != nil {
			if x.free || x.val.unknown() || x.val.node == t.node {
				return t.node
			}
			if n := w.typ(x.val); n != nil {
				return enclosed(n)
			}
			return t.node
		}
	}
	if w.e.chooses && t.node.Kind == dts.Ref && t.node.HasArgs() && w.depth > 1 {
		if c := w.e.chosenBy(t); c != t {
			if n := w.typ(c); n != nil {
				return enclosed(n)
			}
		}
	}
	if w.e.chooses && t.node.Kind == dts.TypeQuery {
		if n := w.queried(t); n != nil {
			return n
		}
	}
	if t.node.Kind == dts.Indexed && t.env.bindsAny() {
		if n := w.accessed(t); n != nil {
			return enclosed(n)
		}
	}
	if t.env == nil && !(w.e.chooses && hasQuery(t.node)) {
		return t.node
	}
	if t.node.Kind == dts.Paren && t.node.Inner().Kind == dts.Conditional {
		if n := w.typ(t.at(t.node.Inner())); n != nil {
			return enclosed(n) // The branch that the condition takes may not need the parentheses.
		}
	}
	if t.node.Kind == dts.Conditional {
		if branch, ok := w.e.chosen(t); ok {
			w.depth--
			n := w.typ(branch)
			if w.depth++; n != nil {
				return enclosed(n)
			}
		}
	}
	return w.copy(t)
}

// queried returns the type of the variable in typeof x, if it is short. It returns nil for other values.
func (w *writer) queried(t typeRef) *dts.Node {
	sym := w.e.r.target(w.e.r.entity(t.scope, t.node.Text, valueMeaning))
	if sym == nil || len(sym.decls) == 0 || sym.decls[0].node.Kind != dts.Variable {
		return nil
	}
	v, ok := valueType(sym)
	if !ok || v.node == nil || v.node.Kind == dts.TypeQuery {
		return nil
	}
	if n := w.typ(v); n != nil && len(n.String()) < longType {
		return enclosed(n)
	}
	return nil
}

// hasQuery reports whether a type contains typeof x.
func hasQuery(n *dts.Node) bool {
	for c := range n.Children() {
		if c.Kind == dts.TypeQuery || c.HasChildren() && hasQuery(c) {
			return true
		}
	}
	return false
}

// union writes a computed union. It writes each part once, and undefined at the end.
func (w *writer) union(parts []typeRef) *dts.Node {
	var out unionWriter
	var undefined *dts.Node
	for _, p := range parts {
		n := bare(w.typ(p))
		if n == nil {
			continue
		}
		for c := range unionParts(n) {
			if part := bare(c); part.Kind == dts.Keyword && part.Text == "undefined" {
				undefined = part
			} else {
				out.add(part)
			}
		}
	}
	if undefined != nil {
		out.parts = append(out.parts, undefined)
	}
	switch len(out.parts) {
	case 0:
		return dts.New(dts.Keyword, "never")
	case 1:
		return out.parts[0].Alone()
	}
	for i, part := range out.parts {
		out.parts[i] = enclosedPart(part)
	}
	return dts.New(dts.Union, "", out.parts...)
}

// unionParts yields the parts of a union, or the type itself if it is not a union.
func unionParts(n *dts.Node) iter.Seq[*dts.Node] {
	if n.Kind == dts.Union {
		return n.Children()
	}
	return func(yield func(*dts.Node) bool) { yield(n) }
}

// bare removes parentheses, except around an intersection, where they help readers.
func bare(n *dts.Node) *dts.Node {
	for n.Is(dts.Paren) && n.Inner().Kind != dts.Intersection {
		n = n.Inner()
	}
	return n
}

// accessed returns the type of the property that an indexed access T["x"] refers to.
// It returns nil if the access is shorter than that type or if the property has
// overloads.
func (w *writer) accessed(t typeRef) *dts.Node {
	if w.free && isFree(t) {
		return nil
	}
	v, ok := w.e.indexed(t)
	for range maxNesting {
		if !ok || v.node == nil || v.node.Kind != dts.Indexed {
			break
		}
		next, found := w.e.indexed(v)
		if !found {
			break
		}
		v = next
	}
	switch {
	case !ok || v.node == nil:
	case v.node.Kind == dts.Method || v.node.Kind == dts.Function:
		access := t.node.Access()
		names, _ := w.e.keys(t.at(access.Key))
		set, _ := w.e.props(t.at(access.Object))
		if p := set.get(names[0]); p != nil && len(p.decls) == 1 {
			return asFuncType(w.copy(v))
		}
	case w.depth == 1 || isShort(v.node):
		return w.typ(v)
	case w.e.isCertain(t.at(t.node.Access().Object), 0):
		if n := w.typ(v); n != nil && len(n.String()) <= len(w.copy(t).String()) {
			return n
		}
	}
	return nil
}

// isFree reports whether a type is a type parameter without an argument, or a property of such a type.
func isFree(t typeRef) bool {
	for range maxNesting {
		switch {
		case t.node == nil:
			return false
		case t.node.Kind == dts.Indexed:
			t = t.at(t.node.Access().Object)
		default:
			x := t.env.find(t.node.Text)
			if x == nil || t.node.Kind != dts.Ref {
				return false
			}
			if x.free {
				return true
			}
			t = x.val
		}
	}
	return false
}

// isCertain reports whether a type is certain to be an object, and does not depend on a condition.
func (e *evaluator) isCertain(t typeRef, depth int) bool {
	t = e.shape(t)
	var parts []typeRef
	switch {
	case t.sym != nil:
		return true
	case t.compound != nil && t.compound.all:
		parts = t.compound.parts
	case t.node == nil:
		return false
	case t.node.Kind == dts.Intersection:
		for c := range t.node.Children() {
			parts = append(parts, t.at(c))
		}
	default:
		return t.node.Kind == dts.TypeLiteral || t.node.Kind == dts.Mapped
	}
	return depth < maxNesting && !slices.ContainsFunc(parts, func(p typeRef) bool { return !e.isCertain(p, depth+1) })
}

// maxShort is the maximum number of words in the type of a property that is shown
// instead of the access O["o"].
const maxShort = 3

func isShort(n *dts.Node) bool {
	words := shortWords(n)
	return words > 0 && words <= maxShort
}

// shortWords counts the words of a name, a list or a union. It returns 0 for
// other types.
func shortWords(n *dts.Node) int {
	switch n.Kind {
	case dts.Keyword, dts.Literal:
		return 1
	case dts.Array, dts.Paren:
		return shortWords(n.Inner())
	case dts.Ref, dts.Union:
		words := 0
		if n.Kind == dts.Ref {
			words = 1
		}
		for c := range n.Children() {
			each := shortWords(c)
			if each == 0 {
				return 0
			}
			words += each
		}
		return words
	}
	return 0
}

// copy copies a node and all its descendants.
func (w *writer) copy(t typeRef) *dts.Node {
	for c := range t.node.Children() {
		if c.Kind == dts.TypeParam || c.Kind == dts.Infer {
			t.env = w.e.r.memo.add(env{name: c.Text, next: t.env, free: true})
		}
	}
	var out unionWriter
	for c := range t.node.Children() {
		var n *dts.Node
		if c.Kind >= dts.Keyword {
			n = w.typ(t.at(c))
		} else {
			w.nodes++
			n = w.copy(t.at(c))
		}
		n = cmp.Or(n, c)
		if n.Kind == dts.Paren && c.Kind != dts.Paren && (t.node.Kind < dts.Keyword || t.node.Kind == dts.Ref) {
			n = n.Inner() // no brackets are needed where a declaration or argument ends with the type
		}
		switch {
		case t.node.Kind == dts.Union && n.Kind == dts.Paren && n.Inner().Kind == dts.Union:
			for part := range n.Inner().Children() {
				out.add(part)
			}
		case t.node.Kind == dts.Union:
			out.add(n)
		case t.node.Kind == dts.Tuple && n.Kind == dts.Rest && n.Inner().Kind == dts.Tuple: // The element is a tuple itself, as in [...[A, B], C].
			out.parts = slices.AppendSeq(out.parts, n.Inner().Children())
		default:
			// These flags describe the role of a child: a constraint, a default or a name type.
			if role := c.Flags & (dts.FlagConstraint | dts.FlagDefault | dts.FlagAs); n.Flags|role != n.Flags {
				n = n.Alone()
				n.Flags |= role
			}
			out.parts = append(out.parts, n)
		}
	}
	n := t.node.Alone()
	n.SetChildren(out.parts...)
	return n
}

// unionWriter collects the parts of a union, each of them once.
type unionWriter struct{ parts []*dts.Node }

func (w *unionWriter) add(part *dts.Node) {
	same := func(c *dts.Node) bool {
		return c.Kind == part.Kind && c.Text == part.Text && (!part.HasChildren() && !c.HasChildren() || c.String() == part.String())
	}
	if !slices.ContainsFunc(w.parts, same) {
		w.parts = append(w.parts, part)
	}
}

// union returns the union, its only part, or nil if there are no parts.
func (w *unionWriter) union() *dts.Node {
	switch len(w.parts) {
	case 0:
		return nil
	case 1:
		return w.parts[0].Alone()
	}
	return dts.New(dts.Union, "", w.parts...)
}

// enclosed puts a type in parentheses if it needs them as a part of another type.
func enclosed(n *dts.Node) *dts.Node {
	switch n.Kind {
	case dts.Union, dts.Intersection, dts.Operator:
		return dts.New(dts.Paren, "", n)
	}
	return enclosedPart(n)
}

// enclosedPart puts a type in parentheses if it needs them as a part of a union.
func enclosedPart(n *dts.Node) *dts.Node {
	switch n.Kind {
	case dts.FuncType, dts.NewType, dts.Conditional, dts.Infer:
		return dts.New(dts.Paren, "", n)
	}
	return n
}

// written returns the declarations of a member with the modifiers, the type and the
// type arguments that it has in a particular type.
func (p *prop) written(e *evaluator) []decl {
	retyped := p.retyped && !p.typ.unknown()
	bound := p.env.bindsAny()
	if p.change == (change{}) && !retyped && !bound && !p.renamed {
		return p.inherited(e)
	}
	bindings := p.env
	if p.owner != nil && p.args.bindsAny() {
		bindings, bound = p.args, true
	}
	out := make([]decl, 0, len(p.decls))
	for _, d := range p.decls {
		n := d.node.Alone()
		if retyped && len(out) > 0 || n.Kind == dts.Setter && (len(out) > 0 || slices.ContainsFunc(p.decls, isGetter)) {
			continue
		}
		if n.Kind != dts.Property && n.Kind != dts.Method || retyped {
			typ := n.Type()
			if n.Kind == dts.Setter {
				typ, _ = p.declaredType()
			}
			if !retyped && typ == nil {
				out = append(out, d)
				continue
			}
			property := dts.New(dts.Property, quoteName(p.name), typ)
			property.Flags, property.Pos = n.Flags, n.Pos
			n = property
			n.SetDoc(d.node)
			if d.node.Kind == dts.Getter && !slices.ContainsFunc(p.decls, isSetter) {
				n.Flags |= dts.FlagReadonly
			}
		}
		switch {
		case retyped:
			n.SetChildren(e.written(p.typ))
		case bound:
			w := writer{e: e}
			if c := w.copy(typeRef{node: n, scope: d.scope, env: bindings}); w.nodes <= maxWritten {
				n.ShareChildren(c)
			}
		}
		if p.renamed {
			n.Text = quoteName(p.name)
		}
		set(n, dts.FlagOptional, p.change.optional)
		set(n, dts.FlagReadonly, p.change.readonly)
		out = append(out, decl{n, d.scope})
	}
	return out
}

// inherited returns the declarations of a member with the type arguments of its class or interface.
func (p *prop) inherited(e *evaluator) []decl {
	if p.owner == nil || !p.args.bindsAny() {
		return p.decls
	}
	out := slices.Clone(p.decls)
	for i, d := range out {
		if !usesBinding(d.node, p.args) {
			continue
		}
		w := writer{e: e, free: true}
		if c := w.copy(typeRef{node: d.node, scope: d.scope, env: p.args}); w.nodes <= maxWritten {
			n := d.node.Alone()
			n.SetDoc(d.node)
			n.ShareChildren(c)
			out[i].node = n
		}
	}
	return out
}

// usesBinding reports whether a type contains the name of a bound type parameter.
func usesBinding(n *dts.Node, bindings *env) bool {
	for c := range n.Children() {
		if c.Kind == dts.Ref && bindings.find(c.Text) != nil || c.HasChildren() && usesBinding(c, bindings) {
			return true
		}
	}
	return false
}

// isSignature reports whether a member is a constructor, or a call, construct or index signature.
func isSignature(n *dts.Node) bool {
	return n.Kind == dts.Constructor || n.Kind == dts.CallSig || n.Kind == dts.NewSig || n.Kind == dts.IndexSig
}

func isSetter(d decl) bool { return d.node.Kind == dts.Setter }
func isGetter(d decl) bool { return d.node.Kind == dts.Getter }

func set(n *dts.Node, f dts.Flags, how int8) {
	switch {
	case how > 0 && (f != dts.FlagReadonly || n.Kind == dts.Property):
		n.Flags |= f
	case how < 0:
		n.Flags &^= f
	}
}
