package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// utility tells whether a name is that of a type of TypeScript's library which
// is worked out here.
func utility(name string) bool {
	switch name {
	case "Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Record", "Exclude", "Extract", "InstanceType", "NoInfer", "ThisType":
		return true
	}
	return false
}

// utility works out the properties of Partial<T> and its like.
func (e *evaluator) utility(t typeRef) (props, bool) {
	first := t.node.First
	if first == nil {
		return props{}, false
	}
	switch t.node.Text {
	case "Partial", "Required", "Readonly", "NonNullable", "NoInfer":
		return e.props(t.at(first))
	case "ThisType":
		return props{}, true
	case "Pick", "Omit":
		if first.Next == nil {
			return props{}, false
		}
		set, ok := e.props(t.at(first))
		keys, known := e.keys(t.at(first.Next))
		if !known && t.node.Text == "Pick" {
			return props{}, false
		}
		return set.filter(keys, t.node.Text == "Pick"), ok && known
	case "Record":
		if first.Next == nil {
			return props{}, false
		}
		keys, ok := e.keys(t.at(first))
		var out props
		for _, k := range keys {
			out.add(made(k, first.Next, t.scope))
		}
		return out, ok
	case "Exclude", "Extract":
		return e.props(t.at(first))
	case "InstanceType":
		var out props
		for _, c := range e.constructed(t.at(first), t) {
			p, _ := e.props(c)
			for _, x := range p.order {
				out.add(x)
			}
		}
		return out, len(out.order) > 0
	}
	return props{}, false
}

// filter keeps the members with one of the names, or those with none of them.
func (p *props) filter(names []string, keep bool) props {
	in := map[string]bool{}
	for _, n := range names {
		in[n] = true
	}
	var out props
	for _, x := range p.order {
		if in[x.name] == keep {
			out.add(x)
		}
	}
	return out
}

// made is a property that no declaration wrote.
func made(name string, typ *dts.Node, s *scope) *prop {
	n := &dts.Node{Kind: dts.Property, Text: quoteName(name)}
	if typ != nil {
		own := *typ
		own.Next = nil
		n.First = &own
		n.Pos = typ.Pos
	}
	return &prop{name: name, decls: []decl{{n, s}}}
}

// quoteName writes a name as a member has it: in quotes if it is no word.
func quoteName(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && c != '$' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') && c < 0x80 && name[0] != '[' {
			return `"` + name + `"`
		}
	}
	return name
}

// mapped works out the properties of { [K in T]: U }.
func (e *evaluator) mapped(t typeRef) (props, bool) {
	n := t.node
	param := n.First
	constraint := t.at(param.First)
	value := param.Next
	var as *dts.Node
	if value != nil && value.Has(dts.FlagAs) {
		as, value = value, value.Next
	}
	// Whose properties are mapped: T of keyof T, or of a U that is T[K].
	var source props
	var known bool
	var keys []string
	if of, ok := e.keyofOperand(constraint); ok {
		source, known = e.props(of)
		for _, p := range source.order {
			keys = append(keys, p.name)
		}
	} else {
		keys, known = e.keys(constraint)
		if value != nil && value.Kind == dts.Indexed && value.First.Next.Kind == dts.Ref && value.First.Next.Text == param.Text {
			source, _ = e.props(t.at(value.First))
		}
	}
	var out props
	if as != nil && !known && len(keys) == 0 {
		return e.mappedObjects(t, constraint, as, value)
	}
	for _, k := range keys {
		name := k
		if as != nil {
			in := t
			in.env = &env{name: param.Text, val: typeRef{lit: k, isLit: true}, next: t.env}
			renamed, ok := e.keys(in.at(as))
			switch {
			case ok && len(renamed) == 0:
				continue
			case ok:
				name = renamed[0]
			}
		}
		p := source.get(k)
		if p == nil {
			p = made(name, value, t.scope)
		} else if name != k || value != nil && value.Kind != dts.Indexed {
			p = &prop{name: name, decls: p.decls, owner: p.owner}
		}
		if value != nil && value.Kind != dts.Indexed {
			p.typ = t.at(value)
			p.typ.env = &env{name: param.Text, val: typeRef{lit: k, isLit: true}, next: t.env}
		}
		out.add(p)
	}
	return out, known
}

// mappedObjects works out { [N in T as N["type"]]: U } for a union of objects.
func (e *evaluator) mappedObjects(t, constraint typeRef, as, value *dts.Node) (props, bool) {
	of := e.shape(constraint)
	if of.node == nil || of.node.Kind != dts.Union {
		return props{}, false
	}
	var out props
	for c := of.node.First; c != nil; c = c.Next {
		in := t
		in.env = &env{name: t.node.First.Text, val: of.at(c), next: t.env}
		names, ok := e.keys(in.at(as))
		if !ok {
			return props{}, false
		}
		for _, n := range names {
			p := made(n, value, t.scope)
			if value != nil {
				p.typ = in.at(value)
			}
			out.add(p)
		}
	}
	return out, true
}

// keyofOperand is T of keyof T, also behind a type parameter.
func (e *evaluator) keyofOperand(t typeRef) (typeRef, bool) {
	for range 10 {
		if t.node == nil {
			break
		}
		switch {
		case t.node.Kind == dts.Operator && t.node.Text == "keyof":
			return t.at(t.node.First), true
		case t.node.Kind == dts.Paren:
			t = t.at(t.node.First)
			continue
		case t.node.Kind == dts.Ref:
			if v, ok := t.env.get(t.node.Text); ok {
				t = v
				continue
			}
		}
		break
	}
	return typeRef{}, false
}

// keys works out the literals that a type consists of: the names in a union of
// strings, or those of the properties in keyof T. It is false if the type may
// be something else as well.
func (e *evaluator) keys(t typeRef) ([]string, bool) {
	if t.isLit {
		return []string{t.lit}, true
	}
	if t.node == nil || !e.enter() {
		return nil, false
	}
	defer e.leave()
	switch n := t.node; n.Kind {
	case dts.Literal:
		if c := n.Text[0]; c == '`' {
			return e.template(t)
		} else if c == '"' || c == '\'' || c >= '0' && c <= '9' {
			return []string{n.Name()}, true
		}
		return nil, false
	case dts.Keyword:
		return nil, n.Text == "never"
	case dts.Paren:
		return e.keys(t.at(n.First))
	case dts.Union:
		var out []string
		known := true
		for c := n.First; c != nil; c = c.Next {
			k, ok := e.keys(t.at(c))
			out, known = append(out, k...), known && ok
			if e.steps += len(out) / 16; e.steps > maxSteps {
				return nil, false
			}
		}
		return out, known
	case dts.Intersection:
		// keyof T & string: what is not made of literals narrows nothing.
		var out []string
		known := false
		for c := n.First; c != nil; c = c.Next {
			k, ok := e.keys(t.at(c))
			switch {
			case !ok && len(k) == 0:
			case !known:
				out, known = k, true
			default:
				out = both(out, k)
			}
		}
		return out, known
	case dts.Operator:
		if n.Text != "keyof" {
			return nil, false
		}
		set, ok := e.props(t.at(n.First))
		out := make([]string, 0, len(set.order))
		for _, p := range set.order {
			out = append(out, p.name)
		}
		return out, ok
	case dts.TypeQuery:
		if sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym != nil {
			for _, d := range sym.decls {
				if i := d.node.Child(dts.Initial); i != nil && isLiteral(i.Text) {
					return []string{(&dts.Node{Text: i.Text}).Name()}, true
				}
			}
			if v, ok := valueType(sym); ok {
				return e.keys(v)
			}
		}
	case dts.Conditional:
		return e.conditionalKeys(t)
	case dts.Indexed:
		if index := n.First.Next; index.Kind == dts.Keyword && index.Text == "number" {
			return e.elements(t.at(n.First))
		}
		return e.indexedKeys(t)
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.keys(v)
		}
		if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
			return e.utilityKeys(t)
		}
		sym := e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
		if sym == nil {
			return nil, false
		}
		for _, d := range sym.decls {
			if d.node.Kind == dts.TypeAlias {
				return e.keys(typeRef{node: d.node.Type(), scope: d.scope, env: bind(d, n.First, t)})
			}
		}
	}
	return nil, false
}

// indexedKeys works out the literals in T["x" | "y"], of each T in a union.
func (e *evaluator) indexedKeys(t typeRef) ([]string, bool) {
	names, known := e.keys(t.at(t.node.First.Next))
	of := e.shape(t.at(t.node.First))
	if of.node == nil && of.sym == nil {
		return nil, false
	}
	parts := []typeRef{of}
	if of.node != nil && of.node.Kind == dts.Union {
		parts = parts[:0]
		for c := of.node.First; c != nil; c = c.Next {
			parts = append(parts, of.at(c))
		}
	}
	var out []string
	for _, part := range parts {
		set, _ := e.props(part)
		for _, n := range names {
			v, ok := e.propType(part, set.get(n))
			if !ok {
				return nil, false
			}
			k, ok := e.keys(v)
			out, known = append(out, k...), known && ok
		}
	}
	return out, known && len(names) > 0
}

// elements works out the literals in a tuple or array: T[number].
func (e *evaluator) elements(t typeRef) ([]string, bool) {
	if t.node == nil || !e.enter() {
		return nil, false
	}
	defer e.leave()
	switch n := t.node; n.Kind {
	case dts.Paren, dts.Operator, dts.Rest:
		return e.elements(t.at(n.First))
	case dts.Array:
		return e.keys(t.at(n.First))
	case dts.Tuple:
		var out []string
		for c := n.First; c != nil; c = c.Next {
			find := e.keys
			if c.Kind == dts.Rest {
				find = e.elements
			}
			k, ok := find(t.at(c))
			if !ok {
				return nil, false
			}
			out = append(out, k...)
		}
		return out, true
	case dts.TypeQuery:
		if sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym != nil {
			if v, ok := valueType(sym); ok {
				return e.elements(v)
			}
		}
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.elements(v)
		}
		sym := e.symbolOf(t)
		if sym == nil {
			break
		}
		for _, d := range sym.decls {
			if d.node.Kind == dts.TypeAlias {
				return e.elements(typeRef{node: d.node.Type(), scope: d.scope, env: bind(d, n.First, t)})
			}
		}
	}
	return nil, false
}

func both(a, b []string) []string {
	in := map[string]bool{}
	for _, x := range b {
		in[x] = true
	}
	var out []string
	for _, x := range a {
		if in[x] {
			out = append(out, x)
		}
	}
	return out
}

func (e *evaluator) utilityKeys(t typeRef) ([]string, bool) {
	first := t.node.First
	if first == nil || first.Next == nil {
		return nil, false
	}
	a, ok := e.keys(t.at(first))
	b, known := e.keys(t.at(first.Next))
	switch t.node.Text {
	case "Exclude":
		in := map[string]bool{}
		for _, x := range b {
			in[x] = true
		}
		var out []string
		for _, x := range a {
			if !in[x] {
				out = append(out, x)
			}
		}
		return out, ok && known
	case "Extract":
		if !known && e.isString(t.at(first.Next)) {
			return a, ok
		}
		return both(a, b), ok && known
	}
	return nil, false
}

func (e *evaluator) isString(t typeRef) bool {
	return t.node != nil && t.node.Kind == dts.Keyword && (t.node.Text == "string" || t.node.Text == "any" || t.node.Text == "unknown")
}

// template works out `a${B}c` if B consists of literals.
func (e *evaluator) template(t typeRef) ([]string, bool) {
	s := strings.Trim(t.node.Text, "`")
	if !strings.Contains(s, "${") {
		return []string{s}, true
	}
	before, rest, _ := strings.Cut(s, "${")
	inner, after, _ := strings.Cut(rest, "}")
	if strings.Contains(after, "${") || inner == "" || strings.ContainsAny(inner, "<{( &|") {
		return nil, false
	}
	keys, ok := e.keys(t.at(&dts.Node{Kind: dts.Ref, Text: strings.TrimSpace(inner)}))
	if !ok {
		return nil, false
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = before + k + after
	}
	return out, true
}

// conditionalKeys works out a condition over a union of literals, each on its
// own, as TypeScript does for a type parameter.
func (e *evaluator) conditionalKeys(t typeRef) ([]string, bool) {
	check := t.node.First
	if check.Kind == dts.Ref {
		if v, ok := t.env.get(check.Text); ok && !v.isLit {
			keys, known := e.keys(v)
			if !known {
				return nil, false
			}
			var out []string
			for _, k := range keys {
				in := t
				in.env = &env{name: check.Text, val: typeRef{lit: k, isLit: true}, next: t.env}
				got, ok := e.conditionalKeys(in)
				if !ok {
					return nil, false
				}
				out = append(out, got...)
			}
			return out, true
		}
	}
	b, ok := e.branch(t)
	if !ok {
		return nil, false
	}
	return e.keys(b)
}
