package modules

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// casing returns the function for a string mapping type of TypeScript's library,
// such as Uppercase, or nil for other names.
func casing(name string) func(string) string {
	first := func(change func(string) string) func(string) string {
		return func(s string) string {
			if s == "" {
				return s
			}
			_, size := utf8.DecodeRuneInString(s)
			return change(s[:size]) + s[size:]
		}
	}
	switch name {
	case "Uppercase":
		return strings.ToUpper
	case "Lowercase":
		return strings.ToLower
	case "Capitalize":
		return first(strings.ToUpper)
	case "Uncapitalize":
		return first(strings.ToLower)
	}
	return nil
}

// utility reports whether name is a utility type of TypeScript's library that
// is evaluated here.
func utility(name string) bool {
	switch name {
	case "Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Record", "Exclude", "Extract", "InstanceType", "NoInfer", "ThisType", "Awaited":
		return true
	}
	return false
}

// utility evaluates the properties of a utility type, such as Partial<T>. It
// returns false for other types and if the properties are unknown.
func (e *evaluator) utility(t typeRef) (props, bool) {
	first, second := t.node.Arg(0), t.node.Arg(1)
	if first == nil {
		return props{}, false
	}
	switch t.node.Text {
	case "Partial":
		return e.changedProps(t.at(first), change{optional: 1})
	case "Required":
		return e.changedProps(t.at(first), change{optional: -1})
	case "Readonly":
		return e.changedProps(t.at(first), change{readonly: 1})
	case "NonNullable", "NoInfer":
		return e.props(t.at(first))
	case "ThisType":
		return props{}, true
	case "Awaited":
		return e.common(t)
	case "Pick", "Omit":
		if second == nil {
			return props{}, false
		}
		set, ok := e.props(t.at(first))
		// If the omitted names are unknown, no property is certain to remain.
		if t.node.Text == "Omit" && t.at(second).free() {
			return props{}, true
		}
		keys, known := e.keys(t.at(second))
		if t.node.Text == "Pick" {
			if !known {
				return props{}, false
			}
			return e.picked(t, set, keys), ok
		}
		if set.open || !known && e.wide(t.at(second)) {
			return props{open: set.open}, true
		}
		return set.filter(keys), ok && known
	case "Record":
		if second == nil {
			return props{}, false
		}
		keys, ok := e.keys(t.at(first))
		if !ok && e.isString(e.shape(t.at(first))) {
			return props{open: true}, true // Only an index signature remains.
		}
		var out props
		for _, k := range keys {
			p := made(k, second, t.scope)
			p.env = t.env
			out.add(p)
		}
		return out, ok
	case "Exclude", "Extract":
		if parts, ok := e.parts(t); ok && len(parts) > 0 {
			return e.common(t)
		}
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

// changedProps evaluates the properties of a type and changes their modifiers. It
// returns false if they are unknown.
func (e *evaluator) changedProps(t typeRef, c change) (props, bool) {
	set, known := e.props(t)
	e.spend(len(set.order))
	out := props{open: set.open}
	for _, p := range set.order {
		out.add(p.changed(c))
	}
	return out, known
}

// filter returns the members without those that have one of the names.
func (p *props) filter(names []string) props {
	in := map[string]bool{}
	for _, n := range names {
		in[n] = true
	}
	var out props
	for _, x := range p.order {
		if !in[x.name] {
			out.add(x)
		}
	}
	return out
}

// picked returns the members in Pick<T, K>, in the order of T. A name that only
// an index signature of T allows becomes a new member.
func (e *evaluator) picked(t typeRef, set props, names []string) props {
	in := make(map[string]bool, len(names))
	for _, n := range names {
		in[n] = true
	}
	var out props
	for _, x := range set.order {
		if in[x.name] {
			out.add(x)
		}
	}
	if len(out.order) < len(in) {
		for _, n := range names {
			if out.get(n) == nil {
				out.add(made(n, nil, t.scope))
			}
		}
	}
	return out
}

// wide reports whether a key type includes all strings.
func (e *evaluator) wide(t typeRef) bool {
	parts, _ := e.parts(t)
	for _, p := range parts {
		if n := p.node; n != nil && (n.Kind == dts.Keyword && (n.Text == "string" || n.Text == "any") ||
			n.Kind == dts.Operator && n.Text == "keyof" && (n.Inner().Kind == dts.Keyword || isAny(e.shape(p.at(n.Inner()))))) {
			return true
		}
	}
	return false
}

// made returns a property that does not have a declaration, such as a property of a mapped type.
func made(name string, typ *dts.Node, s *scope) *prop {
	n := dts.New(dts.Property, quoteName(name), typ)
	if typ != nil {
		n.Pos = typ.Pos
	}
	return &prop{name: name, decls: []decl{{n, s}}, made: true}
}

// quoteName quotes a property name, unless it is an identifier or a number.
func quoteName(name string) string {
	if strings.Trim(name, "0123456789") == "" && name != "" {
		return name
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && c != '$' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') && c < 0x80 && name[0] != '[' {
			return `"` + name + `"`
		}
	}
	return name
}

// mapped evaluates the properties of { [K in T]: U }. It returns false if they are
// unknown.
func (e *evaluator) mapped(t typeRef) (props, bool) {
	n := t.node
	m := n.Mapping()
	param, constraint, as, value := m.Param, t.at(m.Keys), m.As, m.Value
	// source contains the properties of the mapped object, which is T in keyof T,
	// or in U if that is T[K].
	var source props
	same, direct := copies(m), accesses(m)
	var known bool
	var keys []string
	if operand, ok := e.keyofOperand(constraint); ok {
		source, known = e.props(operand)
		for _, p := range source.order {
			keys = append(keys, p.name)
		}
	} else {
		keys, known = e.keys(constraint)
		if value.Is(dts.Indexed) {
			if access := value.Access(); access.Key.Kind == dts.Ref && access.Key.Text == param.Text {
				source, _ = e.props(t.at(access.Object))
			}
		}
	}
	e.spend(4 * len(keys))
	out := props{open: source.open && as == nil}
	c := changeOf(n)
	if as != nil && !known && len(keys) == 0 {
		return e.mappedObjects(t, constraint, as, value)
	}
	for _, k := range keys {
		in := t
		in.env = e.r.memo.bind(param.Text, literalOf(k), t.env)
		names := []string{k}
		if as != nil {
			if renamed, ok := e.keys(in.at(as)); ok {
				names = renamed
			}
		}
		for _, name := range names {
			p := source.get(k)
			if p != nil && same && name == k {
				out.add(p.changed(c))
				continue
			}
			if p == nil {
				p = made(name, value, t.scope)
			} else if name != k || p.made || value != nil && !direct {
				p = &prop{name: name, decls: p.decls, owner: p.owner, made: p.made, change: p.change, env: p.env, renamed: p.renamed || name != k}
			}
			if value != nil && (p.made || !direct) {
				p.typ, p.retyped = in.at(value), true
			}
			out.add(p.changed(c))
		}
	}
	return out, known
}

// copies reports whether the properties of a mapped type have the same types as in the mapped
// object, as in { [K in keyof T]: T[K] }.
func copies(m dts.Mapping) bool {
	if !m.Keys.Is(dts.Operator) || m.Keys.Text != "keyof" || !m.Value.Is(dts.Indexed) {
		return false
	}
	mapped, access := m.Keys.Inner(), m.Value.Access()
	return isName(mapped) && isName(access.Object) && access.Object.Text == mapped.Text && isName(access.Key) && access.Key.Text == m.Param.Text
}

// accesses reports whether the properties of a mapped type have the types of properties of the mapped
// object with the same names. The object may have another name than in "keyof".
func accesses(m dts.Mapping) bool {
	if !m.Value.Is(dts.Indexed) {
		return false
	}
	access := m.Value.Access()
	if !isName(access.Key) || access.Key.Text != m.Param.Text || access.Object.Kind == dts.Indexed {
		return false
	}
	return !m.Keys.Is(dts.Operator) || m.Keys.Text != "keyof" || equal(m.Keys.Inner(), access.Object)
}

// equal reports whether two types are written the same.
func equal(a, b *dts.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || a.Text != b.Text || a.Flags != b.Flags {
		return a == b
	}
	next, stop := iter.Pull(b.Children())
	defer stop()
	for c := range a.Children() {
		if d, ok := next(); !ok || !equal(c, d) {
			return false
		}
	}
	_, more := next()
	return !more
}

func isName(n *dts.Node) bool { return n != nil && n.Kind == dts.Ref && !n.HasArgs() }

// changeOf returns the modifiers that a mapped type adds or removes.
func changeOf(n *dts.Node) (c change) {
	switch {
	case n.Has(dts.FlagOptionalMinus):
		c.optional = -1
	case n.Has(dts.FlagOptional) || n.Has(dts.FlagOptionalPlus):
		c.optional = 1
	}
	switch {
	case n.Has(dts.FlagReadonlyMinus):
		c.readonly = -1
	case n.Has(dts.FlagReadonly) || n.Has(dts.FlagReadonlyPlus):
		c.readonly = 1
	}
	return c
}

// mappedObjects evaluates { [N in T as N["type"]]: U } for a union of objects. It
// returns false if the objects or their names are unknown.
func (e *evaluator) mappedObjects(t, constraint typeRef, as, value *dts.Node) (props, bool) {
	parts, known := e.parts(constraint)
	var out props
	for _, part := range parts {
		in := t
		in.env = e.r.memo.bind(t.node.Mapping().Param.Text, part, t.env)
		names, ok := e.keys(in.at(as))
		if !ok {
			return props{}, false
		}
		for _, n := range names {
			p := made(n, value, t.scope)
			if value != nil {
				p.typ, p.retyped = in.at(value), true
			}
			out.add(p.changed(changeOf(t.node)))
		}
	}
	return out, known
}

// enumKeys returns the values of the members of an enumeration. It returns false if a value
// is computed.
func enumKeys(enum *dts.Node) (keys []string, ok bool) {
	for m := range enum.Children() {
		key, ok := enumKey(m)
		if !ok {
			return nil, false
		}
		keys = append(keys, key...)
	}
	return keys, true
}

// enumKey returns the value of one member as a list with one key. It returns false
// if the value is computed.
func enumKey(m *dts.Node) ([]string, bool) {
	i := m.Child(dts.Initial)
	if i == nil || !isLiteral(i.Text) {
		return nil, false
	}
	return []string{(&dts.Node{Text: i.Text}).Name()}, true
}

// keyofOperand returns the type T of keyof T. It also follows a type parameter
// whose constraint is keyof T. It returns false for other types.
func (e *evaluator) keyofOperand(t typeRef) (typeRef, bool) {
	for range 10 {
		if t.node == nil {
			break
		}
		switch {
		case t.node.Kind == dts.Operator && t.node.Text == "keyof":
			return t.at(t.node.Inner()), true
		case t.node.Kind == dts.Paren:
			t = t.at(t.node.Inner())
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

// keys evaluates the literals of a type: the strings in a union, or the property
// names in keyof T. It returns false if the type may have other values.
func (e *evaluator) keys(t typeRef) ([]string, bool) {
	if t.isLit {
		return []string{t.lit}, true
	}
	if t.compound != nil {
		return e.compoundKeys(t.compound)
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
		return e.keys(t.at(n.Inner()))
	case dts.Union:
		var out []string
		known := true
		for c := range n.Children() {
			k, ok := e.keys(t.at(c))
			out, known = append(out, k...), known && ok
			if e.steps += len(out) / 16; e.steps > maxSteps {
				return nil, false
			}
		}
		return out, known
	case dts.Intersection:
		var all []typeRef
		for c := range n.Children() {
			all = append(all, t.at(c))
		}
		return e.compoundKeys(&compound{parts: all, all: true})
	case dts.Operator:
		if n.Text != "keyof" {
			return nil, false
		}
		set, ok := e.props(t.at(n.Inner()))
		out := make([]string, 0, len(set.order))
		for _, p := range set.order {
			out = append(out, p.name)
		}
		return out, ok && !set.open
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
	case dts.Conditional, dts.Indexed:
		return e.partKeys(t)
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.keys(v)
		}
		if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
			if keys, ok := e.utilityKeys(t); ok {
				return keys, true
			}
			return e.partKeys(t)
		}
		if change := casing(n.Text); change != nil && n.HasArgs() && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
			keys, ok := e.keys(t.at(n.Arg(0)))
			out := make([]string, len(keys))
			for i, k := range keys {
				out[i] = change(k)
			}
			return out, ok
		}
		sym := e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
		if sym == nil {
			return nil, false
		}
		for _, d := range sym.decls {
			switch d.node.Kind {
			case dts.TypeAlias:
				return e.keys(typeRef{node: d.node.Type(), scope: d.scope, env: e.bind(d, n, t)})
			case dts.EnumMember:
				return enumKey(d.node)
			case dts.Enum:
				return enumKeys(d.node)
			}
		}
	}
	return nil, false
}

// partKeys is like keys, for types that must be evaluated first.
func (e *evaluator) partKeys(t typeRef) ([]string, bool) {
	parts, known := e.parts(t)
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if k, ok := literal(p); ok {
			out = append(out, k)
			continue
		}
		// This part is an intersection of a literal and its brand, or a template.
		if p.compound == nil && (p.node == nil || p.node.Kind != dts.Intersection && p.node.Kind != dts.Literal) {
			known = false
			continue
		}
		k, ok := e.keys(p)
		out, known = append(out, k...), known && ok
	}
	return out, known
}

// compoundKeys is like keys, for a union or an intersection.
func (e *evaluator) compoundKeys(c *compound) ([]string, bool) {
	if !e.enter() {
		return nil, false
	}
	defer e.leave()
	var out []string
	var patterns []typeRef
	known := !c.all
	for _, p := range c.parts {
		k, ok := e.keys(p)
		if s := e.shape(p); e.r.exact && c.all && (s.sym != nil || s.node != nil && s.node.Kind == dts.TypeLiteral) {
			return nil, false // An object is no key.
		}
		if c.all && !ok {
			if s := e.shape(p); s.node != nil && s.node.Kind == dts.Literal && s.node.Text[0] == '`' {
				patterns = append(patterns, s)
				continue
			}
		}
		switch {
		case !c.all:
			out, known = append(out, k...), known && ok
		case !ok && len(k) == 0:
			// In keyof T & string, parts other than literals do not restrict the result.
		case !known:
			out, known = k, true
		default:
			out = both(out, k)
		}
	}
	for _, p := range patterns { // The patterns restrict the names, as in keyof T & `${number}`.
		out = slices.DeleteFunc(slices.Clone(out), func(k string) bool {
			fits, sure, _ := e.templateExtends([]string{k}, p)
			return sure && !fits
		})
	}
	return out, known
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
	first, second := t.node.Arg(0), t.node.Arg(1)
	if second == nil {
		return nil, false
	}
	a, ok := e.keys(t.at(first))
	if t.node.Text == "Exclude" && t.at(second).free() {
		return nil, ok
	}
	b, known := e.keys(t.at(second))
	if t.node.Text == "Exclude" && !known && e.wide(t.at(second)) {
		return nil, ok
	}
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
		if !known && e.isString(t.at(second)) {
			return a, ok
		}
		return both(a, b), ok && known
	}
	return nil, false
}

func (e *evaluator) isString(t typeRef) bool {
	return t.node != nil && t.node.Kind == dts.Keyword && (t.node.Text == "string" || t.node.Text == "any" || t.node.Text == "unknown")
}

// template evaluates `a${B}c` if B consists of literals. Otherwise, it returns
// false.
func (e *evaluator) template(t typeRef) ([]string, bool) {
	texts, types := e.r.memo.template(t.node)
	out := texts[:1:1]
	for i, typ := range types {
		keys, ok := e.keys(t.at(typ))
		if !ok || len(out)*len(keys) > maxParts {
			return nil, false
		}
		e.spend(len(out) * len(keys))
		next := make([]string, 0, len(out)*len(keys))
		for _, before := range out {
			for _, k := range keys {
				next = append(next, before+k+texts[i+1])
			}
		}
		out = next
	}
	return out, !strings.Contains(t.node.Text, "${") || len(types) > 0
}
