package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// awaited returns the type of the value that a promise results in.
func (c *Code) awaited(t typeRef) typeRef {
	if t.unknown() {
		return t
	}
	parts, ok := c.e.parts(t)
	if !ok {
		return typeRef{}
	}
	var all []typeRef
	for _, p := range parts {
		if isNothing(p) || primitiveName(p) != "" {
			all = append(all, p)
			continue
		}
		if _, how := c.memberOfPart(p, "then", 0); how == missing {
			all = append(all, p)
			continue
		}
		if p.sym == nil || p.node == nil {
			return typeRef{}
		}
		promise := p
		if !c.isLibrary(p.sym, "Promise", "PromiseLike") {
			up, found := typeRef{}, false
			for _, name := range [...]string{"Promise", "PromiseLike"} {
				if sym := c.r.global(name, typeMeaning); sym != nil && !found {
					up, found = c.e.inherited(p, sym, 0)
				}
			}
			if !found {
				return typeRef{}
			}
			promise = up
		}
		if !promise.node.HasArgs() {
			return typeRef{}
		}
		inner := c.awaited(promise.at(promise.node.Arg(0)))
		if inner.unknown() {
			return inner
		}
		all = append(all, inner)
	}
	return unionOf(all)
}

// isLibrary reports whether a symbol is a global type of TypeScript's library.
func (c *Code) isLibrary(sym *symbol, names ...string) bool {
	return slices.Contains(names, sym.name) && c.r.global(sym.name, typeMeaning) == sym
}

// elementAt returns the type of the element of an array or a tuple with an index.
func (c *Code) elementAt(t typeRef, i int) typeRef {
	if t.unknown() {
		return t
	}
	p := c.e.shape(t)
	if p.node.Is(dts.Mapped) {
		if values, ok := c.e.mappedElements(p); ok && i < len(values) {
			return values[i]
		}
	}
	if p.node != nil && p.node.Kind == dts.Tuple {
		k := 0
		for n := range p.node.Children() {
			if n.Kind == dts.Rest || n.Has(dts.FlagRest) {
				break
			}
			if k == i {
				if n.Kind == dts.TupleMember || n.Kind == dts.Optional {
					return p.at(n.Inner())
				}
				return p.at(n)
			}
			k++
		}
	}
	return c.iterated(t, false)
}

// iterated returns the type of the elements of a value that can be iterated over.
func (c *Code) iterated(t typeRef, async bool) typeRef {
	if t.unknown() {
		return t
	}
	t = c.present(t)
	if parts, ok := c.e.elements(t); ok && len(parts) > 0 {
		if async {
			return c.awaited(unionOf(parts))
		}
		return unionOf(parts)
	}
	if c.isString(t) {
		return c.keyword("string")
	}
	name := "[Symbol.iterator]"
	if async {
		name = "[Symbol.asyncIterator]"
	}
	m, how := c.member(t, name)
	if how != exists || m.unknown() {
		return typeRef{}
	}
	calls := c.signatures(m)
	if len(calls) != 1 {
		return typeRef{}
	}
	r := c.e.shape(c.resultOf(calls[0]))
	if r.sym == nil || r.node == nil || !r.node.HasArgs() {
		return typeRef{}
	}
	switch r.sym.name {
	case "Iterator", "IterableIterator", "IteratorObject", "ArrayIterator", "MapIterator", "SetIterator", "StringIterator", "Generator", "AsyncIterator", "AsyncIterableIterator", "AsyncIteratorObject", "AsyncGenerator":
		return r.at(r.node.Arg(0))
	}
	return typeRef{}
}
