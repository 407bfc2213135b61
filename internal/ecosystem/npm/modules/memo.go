package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// memo caches evaluated types. Equal bindings share one env, so that the node and the env together
// identify a type.
type memo struct {
	envs map[env]*env
	// free contains the opaque bindings by declaration. forget does not empty it, because members refer
	// to them.
	free  map[*dts.Node]*env
	parts map[place]*evaluated[[]typeRef]
	props map[place]*evaluated[props]
	// templates are the parsed template literal types.
	templates map[*dts.Node]*templateParts
	// lists contains the parameters of functions as tuples.
	lists map[*dts.Node]*dts.Node
	// imports contains the symbols that import("x").Y refers to.
	imports map[*dts.Node]*symbol
	// dynamic records which classes and interfaces extend a type parameter.
	dynamic map[*symbol]bool
	// aliased caches the results of Reader.aliased by the node of the type. forget
	// does not empty it.
	aliased map[*dts.Node]*aliased
}

// place identifies a type by its node and the bindings of type parameters in
// it.
type place struct {
	node *dts.Node
	env  *env
}

// evaluated is the state and result of an evaluation.
type evaluated[T any] struct {
	result      T
	known, done bool
}

type templateParts struct {
	texts []string
	types []*dts.Node
}

func (m *memo) template(n *dts.Node) ([]string, []*dts.Node) {
	t := m.templates[n]
	if t == nil {
		t = &templateParts{}
		t.texts, t.types = n.Template()
		m.templates[n] = t
	}
	return t.texts, t.types
}

// maxMemo is the number of cached results above which forget empties the cache.
const maxMemo = 100_000

// forget empties the cache if it has grown beyond maxMemo.
func (m *memo) forget() {
	if m.envs == nil || len(m.envs)+len(m.parts)+len(m.props) > maxMemo {
		known, free := m.aliased, m.free
		if known == nil {
			known, free = map[*dts.Node]*aliased{}, map[*dts.Node]*env{}
		}
		*m = memo{
			aliased: known, free: free,
			envs:  map[env]*env{},
			parts: map[place]*evaluated[[]typeRef]{}, props: map[place]*evaluated[props]{}, imports: map[*dts.Node]*symbol{},
			templates: map[*dts.Node]*templateParts{}, lists: map[*dts.Node]*dts.Node{}, dynamic: map[*symbol]bool{},
		}
	}
}

// bind returns the bindings in next with an additional binding.
func (m *memo) bind(name string, val typeRef, next *env) *env {
	return m.add(env{name: name, val: closed(val), next: next})
}

func (m *memo) add(x env) *env {
	if known := m.envs[x]; known != nil {
		return known
	}
	added := &x
	m.envs[x] = added
	return added
}

// closed removes the bindings that a type does not use.
func closed(t typeRef) typeRef {
	for range 20 {
		x, ok := t.param()
		if !ok || x.free {
			break
		}
		t = x.val
	}
	if n := t.node; n != nil && t.sym == nil && !n.HasChildren() {
		switch n.Kind {
		case dts.Keyword:
			if x := t.env.find(n.Text); x != nil && n.Text == "this" {
				return x.val
			}
			t.scope, t.env = nil, nil
		case dts.Literal:
			if n.Text[0] != '`' {
				t.scope, t.env = nil, nil
			}
		case dts.TypeQuery:
			t.env = nil
		case dts.Ref:
			if t.env.find(n.Text) == nil {
				t.env = nil
			}
		}
	}
	return t
}

// append returns the bindings of a followed by those of b.
func (m *memo) append(a, b *env) *env {
	if a == nil {
		return b
	}
	x := *a
	x.next = m.append(a.next, b)
	return m.add(x)
}

// memorable reports whether the result for a type is worth caching.
func memorable(t typeRef) bool {
	if t.node == nil || t.sym != nil {
		return false
	}
	switch t.node.Kind {
	case dts.Conditional, dts.Indexed, dts.Mapped, dts.Union, dts.Intersection, dts.TypeLiteral:
		return true
	case dts.Ref, dts.ImportType:
		return t.node.HasArgs()
	}
	return false
}

// parts lists the parts of a union, each evaluated by shape, or the type itself
// if it is not a union. Conditional types distribute over unions. It returns
// false if there may be other parts. For the type never, the list is empty.
func (e *evaluator) parts(t typeRef) ([]typeRef, bool) {
	return remember(e, e.r.memo.parts, t, e.findParts)
}

// props evaluates the properties of a type. It returns false if they are not
// completely known.
func (e *evaluator) props(t typeRef) (props, bool) {
	return remember(e, e.r.memo.props, t, e.findProps)
}

// remember returns the cached result of find for t, or calls find. If t depends
// on itself, the inner result is unknown.
func remember[T any](e *evaluator, cache map[place]*evaluated[T], t typeRef, find func(typeRef) (T, bool)) (T, bool) {
	if !memorable(t) {
		return find(t)
	}
	key := place{t.node, t.env}
	if w := cache[key]; w != nil {
		return w.result, w.done && w.known
	}
	w := &evaluated[T]{}
	cache[key] = w
	cut := e.cut
	w.result, w.known = find(t)
	if w.done = true; e.cut != cut { // The result is incomplete because of a limit, so it is not cached.
		delete(cache, key)
	}
	return w.result, w.known
}
