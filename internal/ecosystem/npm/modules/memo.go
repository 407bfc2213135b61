package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// memo caches evaluated types. Equal bindings share one env, so that a type is
// identified by its node and env.
type memo struct {
	envs  map[env]*env
	free  map[*dts.Node]*env // opaque bindings by declaration
	parts map[place]*partsWork
	props map[place]*propsWork
	// templates are the parsed template literal types.
	templates map[*dts.Node]*templateParts
	// imports are the symbols of import("x").Y.
	imports map[*dts.Node]*symbol
}

// place identifies a type: a node under bindings.
type place struct {
	node *dts.Node
	env  *env
}

type partsWork struct {
	parts       []typeRef
	known, done bool
}

type propsWork struct {
	props       props
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

// maxMemo bounds the cache between symbols.
const maxMemo = 100_000

// forget empties the cache if it is large.
func (m *memo) forget() {
	if m.envs == nil || len(m.envs)+len(m.parts)+len(m.props) > maxMemo {
		*m = memo{
			envs: map[env]*env{}, free: map[*dts.Node]*env{},
			parts: map[place]*partsWork{}, props: map[place]*propsWork{}, imports: map[*dts.Node]*symbol{},
			templates: map[*dts.Node]*templateParts{},
		}
	}
}

// bind adds a binding to next.
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

// closed removes bindings that a type does not use.
func closed(t typeRef) typeRef {
	for range 20 {
		x, ok := t.param()
		if !ok || x.free {
			break
		}
		t = x.val
	}
	if n := t.node; n != nil && t.sym == nil && n.First == nil {
		switch n.Kind {
		case dts.Keyword:
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
		return typeArgs(t.node) != nil
	}
	return false
}

// parts lists the parts of a union, or the type itself if it is none, each
// evaluated by shape. Conditional types distribute over unions. It returns
// false if there may be other parts. never has no parts.
func (e *evaluator) parts(t typeRef) ([]typeRef, bool) {
	if !memorable(t) {
		return e.findParts(t)
	}
	key := place{t.node, t.env}
	if w := e.r.memo.parts[key]; w != nil {
		return w.parts, w.done && w.known
	}
	w := &partsWork{}
	e.r.memo.parts[key] = w
	cut := e.cut
	w.parts, w.known = e.findParts(t)
	if w.done = true; e.cut != cut {
		delete(e.r.memo.parts, key)
	}
	return w.parts, w.known
}

// props evaluates the properties of a type. It returns false if they are not
// completely known.
func (e *evaluator) props(t typeRef) (props, bool) {
	if !memorable(t) {
		return e.findProps(t)
	}
	key := place{t.node, t.env}
	if w := e.r.memo.props[key]; w != nil {
		return w.props, w.done && w.known
	}
	w := &propsWork{}
	e.r.memo.props[key] = w
	cut := e.cut
	w.props, w.known = e.findProps(t)
	if w.done = true; e.cut != cut {
		delete(e.r.memo.props, key)
	}
	return w.props, w.known
}
