package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// parameterType returns a type that stands for a generic parameter of a declaration: it has the members of all types that
// requirements name, including those of extensions and members, some of which do not apply everywhere.
func (p *Program) parameterType(name string, decls []declaration, requirements []source.Requirement, scope *Type) *Type {
	d := &source.Decl{Kind: source.Protocol, Name: name}
	f := decls[0].file
	for _, x := range decls {
		if impliesRequirement(x.decl, name) {
			return nil
		}
		for i := range x.decl.Generics {
			if g := &x.decl.Generics[i]; g.Name == name {
				if g.Each || g.Value {
					return nil
				}
				if g.Bound != "" {
					d.Inherits = append(d.Inherits, g.Bound)
				}
			}
		}
	}
	for i := range requirements {
		r := &requirements[i]
		if isArgument(r.Right, name) {
			return nil
		}
		if r.Left == name {
			if r.Op != ":" {
				return nil
			}
			d.Inherits = append(d.Inherits, r.Right)
		}
	}
	return &Type{name: name, module: f.module, parent: scope, decls: []declaration{{d, f}}, local: true}
}

// impliesRequirement reports whether a declaration uses a generic parameter as the argument of a type, whose requirements
// then apply to it.
func impliesRequirement(d *source.Decl, name string) bool {
	return isArgument(d.Result, name) || slices.ContainsFunc(d.Params, func(p source.Param) bool { return isArgument(p.Type, name) }) ||
		slices.ContainsFunc(d.Generics, func(g source.GenericParam) bool { return isArgument(g.Bound, name) })
}

// isArgument reports whether a type contains a name in angle brackets, or as the key of a dictionary.
func isArgument(text, name string) bool {
	i := strings.IndexAny(text, "<:")
	return i >= 0 && strings.Contains(text[strings.LastIndexByte(text[:i+1], '[')+1:], name)
}

// parameter returns the type that stands for a generic parameter of a type, or nil if its members are unknown.
func (p *Program) parameter(t *Type, name string) *Type {
	if g, ok := t.parameters[name]; ok {
		return g
	}
	p.extendType(t)
	unknown := source.Requirement{Left: name}
	var all []source.Requirement
	add := func(d *source.Decl) {
		for i := range d.Where {
			r := d.Where[i]
			if !strings.Contains(r.Left, ".") && !t.hasGeneric(r.Left) && !slices.ContainsFunc(d.Generics, func(g source.GenericParam) bool { return g.Name == r.Left }) {
				r = unknown // the type may be an alias of the parameter
			}
			all = append(all, r)
		}
	}
	addAll := func(d *source.Decl) {
		add(d)
		for _, m := range d.Members {
			add(m)
		}
	}
	for _, d := range t.decls {
		addAll(d.decl)
	}
	for _, x := range t.extensions {
		if strings.Contains(x.decl.Name, "<") || x.path[len(x.path)-1] != t.name { // it, or the alias, may specify the argument
			all = append(all, unknown)
		}
		addAll(x.decl)
	}
	g := p.parameterType(name, t.decls, all, t.parent)
	if t.parameters == nil {
		t.parameters = map[string]*Type{}
	}
	t.parameters[name] = g
	return g
}

// inferred returns the types that generic parameters of a function have in a call, by their names, as far as they are
// evident from the arguments, including the results of closures if their parameters are known.
func (w *walker) inferred(m *member, a *arguments, closures bool) map[string]value {
	names := map[string]bool{}
	for i := range m.decl.Generics {
		names[m.decl.Generics[i].Name] = true
	}
	if m.decl.Kind == source.Init && m.owner != nil { // the arguments of the type may be those of the parameters
		for i := range m.owner.decls[0].decl.Generics {
			names[m.owner.decls[0].decl.Generics[i].Name] = true
		}
	}
	if len(names) == 0 || a == nil {
		return nil
	}
	var params []int
	if w.mismatch(m, a, &params) != "" {
		return nil
	}
	bound := map[string]value{}
	set := func(name string, v value) {
		if before, ok := bound[name]; ok && !same(before, v) {
			v = value{}
		}
		bound[name] = v
	}
	for n, start := range a.starts {
		if n >= len(params) || params[n] < 0 {
			continue
		}
		text := m.decl.Params[params[n]].Type
		if _, returned, ok := functionParams(text); ok {
			if name := strings.TrimSpace(returned); closures && names[name] && w.isMapped(start) {
				set(name, w.closureResult(start))
			}
			continue
		}
		t, ok := parseType(text)
		if name := keyPathTarget(&t, names); closures && ok && name != "" && w.at(start) == `\` {
			set(name, w.keyPath(start))
			continue
		}
		if !ok || t.array || t.optional > 1 || len(t.path) == 0 || !names[t.path[0]] {
			continue
		}
		switch {
		case len(t.path) == 2 && t.path[1] == "Type" && t.optional == 0:
			set(t.path[0], w.metatype(start))
		case len(t.path) == 1:
			v := value{}
			if w.at(start) == "nil" {
				continue
			}
			if !w.isLiteral(start) {
				if r := w.initializer(start); contains(" , ) ] ", w.at(r.end)) {
					v = r.value
				}
			}
			if t.optional == 1 {
				v.optional = max(0, v.optional-1)
			}
			set(t.path[0], v)
		}
	}
	return bound
}

// inferredArguments returns the generic arguments of a type that the arguments of its initializer determine, or nil if these
// determine none.
func (w *walker) inferredArguments(t *Type, accepting []*member, a *arguments) []value {
	generics := t.decls[0].decl.Generics
	if len(generics) == 0 || len(accepting) != 1 || accepting[0].owner != t {
		return nil
	}
	bound := w.inferred(accepting[0], a, true)
	args := make([]value, len(generics))
	for i := range generics {
		args[i] = bound[generics[i].Name]
	}
	if !slices.ContainsFunc(args, value.isKnown) {
		return nil
	}
	return args
}

// metatype returns the value of type A if the argument that begins at a token is A.self.
func (w *walker) metatype(start int) value {
	for k := start; k < len(w.tokens); k++ {
		switch text := w.at(k); {
		case text == "." && w.at(k+1) == "self" && contains(" , ) ] ", w.at(k+2)):
			return w.written(start, k)
		case contains(" , ) ] } ", text):
			return value{}
		case w.at(k) != "" && w.at(k)[0] == '<' && w.kind(k) == source.Oper:
			if c := w.angle(k); c > 0 {
				k = c - 1
			}
		case w.closing[k] > 0:
			k = w.closing[k]
		}
	}
	return value{}
}

// closureResult returns the value of a closure: the result that it declares, its only expression, or what all of its return
// statements return.
func (w *walker) closureResult(open int) value {
	if r, ok := w.closureResults[open]; ok || w.depth > maxDepth {
		return r
	}
	if w.at(open) == `\` {
		return w.keyPath(open)
	}
	w.closureResults[open] = value{} // ends a cycle
	w.depth++
	defer func() { w.depth-- }()
	if first, end := w.writtenResult(open); first < end {
		w.closureResults[open] = w.written(first, end)
		return w.closureResults[open]
	}
	vars := len(w.vars)
	body := w.closureStart(open)
	if w.at(body) == "return" {
		body++
	}
	r := result{end: body}
	if body < w.closing[open] {
		r = w.initializer(body)
	}
	w.forget(vars)
	switch {
	case r.end == w.closing[open]:
		w.closureResults[open] = r.value
	case !w.walked[open] && body < w.closing[open]:
		returns := w.returns
		w.returns = &[]value{}
		w.measured = open
		w.functions++
		w.closure(open)
		w.functions--
		w.walked[open] = true
		all := *w.returns
		w.returns = returns
		if len(all) > 0 && !slices.ContainsFunc(all, func(v value) bool { return !same(v, all[0]) }) {
			w.closureResults[open] = all[0]
		}
	}
	return w.closureResults[open]
}
