package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// memo keeps what evaluators have worked out. The same bindings are made but
// once, so that a type is known again by its node and them.
type memo struct {
	envs  map[env]*env
	free  map[*dts.Node]*env // of declarations, by themselves
	parts map[place]*partsWork
	props map[place]*propsWork
	// templates are the parts of template literal types.
	templates map[*dts.Node]*templateParts
	// imports are what import("x").Y means.
	imports map[*dts.Node]*symbol
}

// place is a type under bindings.
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

// maxMemo limits how much is kept from one symbol to the next.
const maxMemo = 100_000

// forget makes room.
func (m *memo) forget() {
	if m.envs == nil || len(m.envs)+len(m.parts)+len(m.props) > maxMemo {
		*m = memo{
			envs: map[env]*env{}, free: map[*dts.Node]*env{},
			parts: map[place]*partsWork{}, props: map[place]*propsWork{}, imports: map[*dts.Node]*symbol{},
			templates: map[*dts.Node]*templateParts{},
		}
	}
}

// bind adds a binding to others.
func (m *memo) bind(name string, val typeRef, next *env) *env {
	return m.add(env{name: name, val: closed(val), next: next})
}

func (m *memo) add(x env) *env {
	if known := m.envs[x]; known != nil {
		return known
	}
	kept := &x
	m.envs[x] = kept
	return kept
}

// closed takes off a type the bindings that mean nothing to it.
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

// append puts the bindings of a before those of b.
func (m *memo) append(a, b *env) *env {
	if a == nil {
		return b
	}
	x := *a
	x.next = m.append(a.next, b)
	return m.add(x)
}

// memorable reports whether it is worth it to keep what comes of a type.
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

// parts lists what a union consists of, or the type itself if it is none, each
// one as shape has it: conditions are spread over the unions that they test. It
// is false if there may be other parts as well. never has none.
func (e *evaluator) parts(t typeRef) ([]typeRef, bool) {
	if !memorable(t) {
		return e.findParts(t)
	}
	at := place{t.node, t.env}
	if w := e.r.memo.parts[at]; w != nil {
		return w.parts, w.done && w.known
	}
	w := &partsWork{}
	e.r.memo.parts[at] = w
	cut := e.cut
	w.parts, w.known = e.findParts(t)
	if w.done = true; e.cut != cut {
		delete(e.r.memo.parts, at)
	}
	return w.parts, w.known
}

// props works out the properties of a type; false if it is not known what
// they are, or not all of them.
func (e *evaluator) props(t typeRef) (props, bool) {
	if !memorable(t) {
		return e.findProps(t)
	}
	at := place{t.node, t.env}
	if w := e.r.memo.props[at]; w != nil {
		return w.props, w.done && w.known
	}
	w := &propsWork{}
	e.r.memo.props[at] = w
	cut := e.cut
	w.props, w.known = e.findProps(t)
	if w.done = true; e.cut != cut {
		delete(e.r.memo.props, at)
	}
	return w.props, w.known
}
