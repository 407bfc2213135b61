package modules

import (
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
}

// written returns a type in which type parameters are replaced with the types that
// they are bound to. It returns nil if the result is too large.
func (e *evaluator) written(t typeRef) *dts.Node {
	w := writer{e: e}
	n := w.typ(e.chosenBy(t))
	if w.nodes > maxWritten {
		return nil
	}
	for n != nil && n.Kind == dts.Paren {
		n = n.First
	}
	return n
}

// chosenBy returns the type that a generic alias chooses by conditions on its
// arguments, or the type itself if it does not choose.
func (e *evaluator) chosenBy(t typeRef) typeRef {
	for range 4 * maxNesting {
		if t.node == nil || t.node.Kind != dts.Ref || t.node.First == nil {
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
		if !ok {
			break
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
		out := &dts.Node{Kind: dts.Intersection}
		last := &out.First
		for _, p := range t.compound.parts {
			if n := w.typ(p); n != nil {
				*last = single(n)
				last = &(*last).Next
			}
		}
		if out.First == nil {
			return &dts.Node{Kind: dts.Keyword, Text: "never"}
		}
		return out
	case t.node == nil && t.sym != nil:
		return &dts.Node{Kind: dts.Ref, Text: t.sym.name}
	case t.node == nil:
		return nil
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
	if w.e.chooses && t.node.Kind == dts.Ref && t.node.First != nil && w.depth > 1 {
		if c := w.e.chosenBy(t); c != t {
			if n := w.typ(c); n != nil {
				return enclosed(n)
			}
		}
	}
	if t.node.Kind == dts.Indexed && t.env.bindsAny() {
		if n := w.accessed(t); n != nil {
			return enclosed(n)
		}
	}
	if t.env == nil {
		return t.node
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

// union writes a computed union. It writes each part once, and undefined at the end.
func (w *writer) union(parts []typeRef) *dts.Node {
	out := &dts.Node{Kind: dts.Union}
	last := &out.First
	var undefined *dts.Node
	for _, p := range parts {
		n := bare(w.typ(p))
		if n == nil {
			continue
		}
		inner := n
		if n.Kind == dts.Union {
			inner = n.First
		}
		for c := inner; c != nil; c = c.Next {
			if part := bare(c); part.Kind == dts.Keyword && part.Text == "undefined" {
				undefined = single(part)
			} else {
				last = addPart(out, last, part)
			}
			if inner == n {
				break
			}
		}
	}
	*last = undefined
	switch {
	case out.First == nil:
		return &dts.Node{Kind: dts.Keyword, Text: "never"}
	case out.First.Next == nil:
		return out.First
	}
	for at := &out.First; *at != nil; at = &(*at).Next {
		next := (*at).Next
		*at = enclosedPart(*at)
		(*at).Next = next
	}
	return out
}

// bare removes parentheses, except around an intersection, where they help readers.
func bare(n *dts.Node) *dts.Node {
	for n != nil && n.Kind == dts.Paren && n.First.Kind != dts.Intersection {
		n = n.First
	}
	return n
}

// accessed returns the type of the property that an indexed access T["x"] refers to.
// It returns nil if the access is shorter than that type or if the property has
// overloads.
func (w *writer) accessed(t typeRef) *dts.Node {
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
		object, keys := t.node.First, t.node.First.Next
		names, _ := w.e.keys(t.at(keys))
		set, _ := w.e.props(t.at(object))
		if p := set.get(names[0]); p != nil && len(p.decls) == 1 {
			n := w.copy(v)
			return &dts.Node{Kind: dts.FuncType, First: n.First, Pos: n.Pos}
		}
	case w.depth == 1 || isShort(v.node):
		return w.typ(v)
	case w.e.isCertain(t.at(t.node.First), 0):
		if n := w.typ(v); n != nil && len(n.String()) <= len(w.copy(t).String()) {
			return n
		}
	}
	return nil
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
		return shortWords(n.First)
	case dts.Ref, dts.Union:
		words := 0
		if n.Kind == dts.Ref {
			words = 1
		}
		for c := n.First; c != nil; c = c.Next {
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
	out := *t.node
	out.First, out.Next = nil, nil
	for c := t.node.First; c != nil; c = c.Next {
		if c.Kind == dts.TypeParam || c.Kind == dts.Infer {
			t.env = w.e.r.memo.add(env{name: c.Text, next: t.env, free: true})
		}
	}
	last := &out.First
	for c := t.node.First; c != nil; c = c.Next {
		var n *dts.Node
		if c.Kind >= dts.Keyword {
			n = w.typ(t.at(c))
		} else {
			w.nodes++
			n = w.copy(t.at(c))
		}
		if n == nil {
			n = c
		}
		if n.Kind == dts.Paren && c.Kind != dts.Paren && (t.node.Kind < dts.Keyword || t.node.Kind == dts.Ref) {
			n = n.First // no brackets are needed where a declaration or argument ends with the type
		}
		if t.node.Kind == dts.Union && n.Kind == dts.Paren && n.First.Kind == dts.Union {
			for part := n.First.First; part != nil; part = part.Next {
				last = addPart(&out, last, part)
			}
			continue
		}
		if t.node.Kind == dts.Union {
			last = addPart(&out, last, n)
			continue
		}
		if t.node.Kind == dts.Tuple && n.Kind == dts.Rest && n.First.Kind == dts.Tuple {
			for part := n.First.First; part != nil; part = part.Next { // as in [...[A, B], C]
				*last = single(part)
				last = &(*last).Next
			}
			continue
		}
		n = single(n)
		// These flags describe the role of a child: a constraint, a default or a name type.
		n.Flags |= c.Flags & (dts.FlagConstraint | dts.FlagDefault | dts.FlagAs)
		*last = n
		last = &n.Next
	}
	return &out
}

// addPart adds a part to a union, unless the union already has the same part. It
// returns the place for the next part.
func addPart(union *dts.Node, last **dts.Node, part *dts.Node) **dts.Node {
	for c := union.First; c != nil; c = c.Next {
		if c.Kind == part.Kind && c.Text == part.Text && (part.First == nil && c.First == nil || c.String() == part.String()) {
			return last
		}
	}
	*last = single(part)
	return &(*last).Next
}

// single returns a copy of a node without its siblings.
func single(n *dts.Node) *dts.Node {
	out := *n
	out.Next = nil
	return &out
}

// enclosed puts a type in parentheses if it needs them as a part of another type.
func enclosed(n *dts.Node) *dts.Node {
	switch n.Kind {
	case dts.Union, dts.Intersection, dts.Operator:
		return &dts.Node{Kind: dts.Paren, First: single(n)}
	}
	return enclosedPart(n)
}

// enclosedPart puts a type in parentheses if it needs them as a part of a union.
func enclosedPart(n *dts.Node) *dts.Node {
	switch n.Kind {
	case dts.FuncType, dts.NewType, dts.Conditional, dts.Infer:
		return &dts.Node{Kind: dts.Paren, First: single(n)}
	}
	return n
}

// written returns the declarations of a member with the modifiers, the type and the
// type arguments that it has in a particular type.
func (p *prop) written(e *evaluator) []decl {
	retyped := p.retyped && !p.typ.unknown()
	bound := p.env.bindsAny()
	if p.change == (change{}) && !retyped && !bound && !p.renamed {
		return p.decls
	}
	out := make([]decl, 0, len(p.decls))
	for _, d := range p.decls {
		n := single(d.node)
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
			n = &dts.Node{Kind: dts.Property, Flags: n.Flags, Pos: n.Pos, Text: quoteName(p.name), First: typ}
			n.SetDoc(d.node)
			if d.node.Kind == dts.Getter && !slices.ContainsFunc(p.decls, isSetter) {
				n.Flags |= dts.FlagReadonly
			}
		}
		switch {
		case retyped:
			n.First = nil
			if typ := e.written(p.typ); typ != nil {
				n.First = single(typ)
			}
		case bound:
			w := writer{e: e}
			if c := w.copy(typeRef{node: n, scope: d.scope, env: p.env}); w.nodes <= maxWritten {
				n.First = c.First
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
