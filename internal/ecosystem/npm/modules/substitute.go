package modules

import "slices"

// maxBindings is the maximum nesting of the bindings in which type parameters are replaced.
const maxBindings = 5

// substitution replaces the type parameters of a class or interface in the bindings of the members
// that it inherits. The members were listed for the declaration, and are now needed for a reference
// with type arguments.
type substitution struct {
	e *evaluator
	// args binds the type parameters of each declaration, by their unbound form.
	args  map[*env]*env
	known map[*env]*env // cached results for the bindings of members
	depth int
}

// substitution returns the substitution for t, a reference to a class or interface. It returns nil if
// that is not generic.
func (e *evaluator) substitution(t typeRef) *substitution {
	var s *substitution
	for _, d := range t.sym.decls {
		params := e.opaque(d)
		if params == nil || t.node == nil {
			continue
		}
		if s == nil {
			s = &substitution{e: e, args: map[*env]*env{}}
		}
		args := e.bind(d, t.node, t)
		for p := params; p != nil; p = p.next {
			s.args[p] = args.find(p.name)
		}
	}
	return s
}

// prop returns a member in which the type parameters are replaced. It returns p itself if there are none.
func (s *substitution) prop(p *prop) *prop {
	if s.e.spend(symbolSteps); s.e.steps > maxSteps {
		return p
	}
	args, env, typ := s.env(p.args), s.env(p.env), s.typ(p.typ)
	merged := s.props(p.merged)
	if args == p.args && env == p.env && typ == p.typ && merged == nil {
		return p
	}
	out := *p
	out.args, out.env, out.typ, out.rendered = args, env, typ, renderedMember{}
	if merged != nil {
		out.merged = merged
	}
	return &out
}

// props returns members in which the type parameters are replaced, or nil if there are none.
func (s *substitution) props(all []*prop) (out []*prop) {
	if s.depth >= maxBindings {
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	for i, p := range all {
		if q := s.prop(p); q != p {
			if out == nil {
				out = slices.Clone(all)
			}
			out[i] = q
		}
	}
	return out
}

func (s *substitution) env(x *env) *env {
	if x == nil || s.depth > maxBindings {
		return x
	}
	if known, ok := s.known[x]; ok {
		return known
	}
	if s.e.spend(symbolSteps); s.e.steps > maxSteps {
		return x
	}
	s.depth++
	defer func() { s.depth-- }()
	out := *x
	out.next = s.env(x.next)
	if arg := s.args[x]; arg != nil {
		out.val, out.free = arg.val, arg.free
	} else if !x.free {
		out.val = closed(s.typ(x.val))
	}
	result := x
	if out.val != x.val || out.next != x.next {
		result = s.e.r.memo.add(out)
	}
	if s.depth == 1 {
		if s.known == nil {
			s.known = map[*env]*env{}
		}
		s.known[x] = result
	}
	return result
}

func (s *substitution) typ(t typeRef) typeRef {
	t.env = s.env(t.env)
	if t.compound == nil || s.depth > maxBindings {
		return t
	}
	s.depth++
	defer func() { s.depth-- }()
	var parts []typeRef
	for i, p := range t.compound.parts {
		if q := s.typ(p); q != p {
			if parts == nil {
				parts = slices.Clone(t.compound.parts)
			}
			parts[i] = q
		}
	}
	if parts != nil {
		t.compound = &compound{parts: parts, all: t.compound.all}
	}
	return t
}
