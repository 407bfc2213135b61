package manifest

import (
	"slices"
	"strings"
)

// eval evaluates an expression. hint is the expected type, or "" if it is
// unknown.
func (in *interpreter) eval(n *node, env *scope, hint string) value {
	if !in.step(1) {
		return unknown{}
	}
	switch n.kind {
	case nInteger:
		return number(n.text)
	case nString:
		return in.text(n, env)
	case nNil:
		return absent{}
	case nBool:
		return n.text == "true"
	case nName:
		return in.name(n, env, hint)
	case nImplicit:
		return in.implicit(n, nil, env, hint)
	case nMember:
		return in.memberOf(n, env, hint)
	case nCall:
		return in.call(n, env, hint)
	case nIndex:
		return in.index(n, env)
	case nArray:
		return in.array(n, env, hint)
	case nDict:
		d := &dict{}
		for i := 0; i+1 < len(n.kids); i += 2 {
			d.keys = append(d.keys, in.eval(n.kids[i], env, ""))
			d.values = append(d.values, in.eval(n.kids[i+1], env, ""))
		}
		return d
	case nTuple:
		t := &tuple{}
		for _, a := range n.args {
			t.labels = append(t.labels, a.label)
			t.items = append(t.items, in.eval(a.value, env, ""))
		}
		if len(t.items) == 0 {
			return absent{}
		}
		return t
	case nClosure:
		return &function{node: n, env: env, self: env.self, typ: env.typ}
	case nTernary:
		yes, known := truth(in.eval(n.kids[0], env, ""))
		if !known {
			in.problem(n.line, "a condition depends on something that only the compiler knows, and is assumed to be false")
		}
		if yes && known {
			return in.eval(n.kids[1], env, hint)
		}
		return in.eval(n.kids[2], env, hint)
	case nBinary:
		return in.binary(n, env, hint)
	case nUnary:
		v := in.eval(n.kids[0], env, hint)
		switch v := v.(type) {
		case bool:
			return !v
		case int64:
			if n.text == "-" {
				return -v
			}
			return v
		}
		return unknown{}
	case nCast:
		v := in.eval(n.kids[0], env, n.typ)
		if n.text == "is" {
			return unknown{}
		}
		return v
	case nKeyPath:
		return in.keyPath(n.text)
	case nIf, nSwitch:
		v, _ := in.exec(n, env, hint)
		return v
	}
	return unknown{}
}

func (in *interpreter) binary(n *node, env *scope, hint string) value {
	switch n.text {
	case "&&", "||":
		left, known := truth(in.eval(n.kids[0], env, ""))
		if known && left == (n.text == "||") {
			return left
		}
		right := in.eval(n.kids[1], env, "")
		if yes, ok := truth(right); !known && ok && yes == (n.text == "||") {
			return yes
		}
		if !known {
			return unknown{}
		}
		return right
	case "??":
		left := in.eval(n.kids[0], env, hint)
		if _, ok := left.(absent); !ok {
			return left
		}
		return in.eval(n.kids[1], env, hint)
	}
	left := in.eval(n.kids[0], env, hint)
	expected := typeOf(left)
	if n.text == "+" && (expected == "" || expected == "[]") {
		expected = hint
	}
	return in.operate(n.text, left, in.eval(n.kids[1], env, expected), n.line)
}

func (in *interpreter) array(n *node, env *scope, hint string) value {
	elem := elementType(hint)
	l := &list{elem: elem, items: make([]value, 0, len(n.kids))}
	for _, k := range n.kids {
		v := in.eval(k, env, elem)
		if t, ok := v.(typeName); ok && len(n.kids) == 1 && t != "" {
			return typeName("[" + string(t) + "]") // the brackets name a type, as in [Target]()
		}
		if l.elem == "" {
			l.elem = typeOf(v)
		}
		l.items = append(l.items, v)
	}
	return l
}

// name evaluates a name, which refers to a variable, a member of self or a type.
func (in *interpreter) name(n *node, env *scope, hint string) value {
	if s := env.find(n.text); s != nil {
		v := s.vars[n.text]
		if f, ok := v.(*function); ok && f.node != nil && f.node.kind == nVar {
			return in.invoke(f, nil, hint, n.line)
		}
		return v
	}
	switch n.text {
	case "self":
		if env.self != nil {
			return env.self
		}
		return typeName(env.typ)
	case "Self":
		return typeName(env.typ)
	case "Context", "ProcessInfo", "CommandLine":
		return environment{}
	}
	if env.self != nil {
		if v, ok := in.ownMember(env.self, n.text, hint, n.line); ok {
			return v
		}
	}
	if env.typ != "" {
		if v, ok := in.static(env.typ, n.text, nil, false, hint, n.line); ok {
			return v
		}
		for outer := env.typ; outer != ""; outer = outerType(outer) {
			if in.types[outer+"."+n.text] != nil {
				return typeName(outer + "." + n.text)
			}
		}
	}
	if c := n.text[0]; c >= 'A' && c <= 'Z' || n.text[0] == '_' && in.types[n.text] != nil {
		if n.text == "PackageDescription" {
			return typeName("")
		}
		return typeName(n.text)
	}
	return unknown{}
}

func outerType(typ string) string {
	i := strings.LastIndexByte(typ, '.')
	if i < 0 {
		return ""
	}
	return typ[:i]
}

// memberOf evaluates base.name.
func (in *interpreter) memberOf(n *node, env *scope, hint string) value {
	if n.text == "init" {
		if t, ok := in.eval(n.kids[0], env, "").(typeName); ok {
			return t
		}
	}
	base := in.eval(n.kids[0], env, in.chainHint(n.kids[0], hint))
	return in.property(base, n.text, hint, n.line)
}

// chainHint returns the expected type of the base of a member. If the base begins
// with an implicit member, that is the type expected of the whole chain. It
// returns "" for other bases.
func (in *interpreter) chainHint(base *node, hint string) string {
	if hint == "" || in.root(base).kind != nImplicit {
		return ""
	}
	return hint
}

// root returns the expression at the beginning of a chain of members and calls.
// The result is cached for all parts of the chain.
func (in *interpreter) root(n *node) *node {
	part := n
	for part.root == nil && (part.kind == nMember || part.kind == nCall) && in.step(1) {
		part = part.kids[0]
	}
	root := part
	if part.root != nil {
		root = part.root
	}
	for ; n != part; n = n.kids[0] {
		n.root = root
	}
	return root
}

// property returns a member of a value without calling it.
func (in *interpreter) property(base value, name, hint string, line int) value {
	switch b := base.(type) {
	case unknown:
		return b
	case absent:
		return b // the base is an optional chain that is nil
	case environment:
		switch name {
		case "environment", "processInfo":
			return b
		case "arguments":
			return &list{elem: "String"}
		case "gitInformation":
			return absent{}
		}
		return unknown{}
	case typeName:
		typ := string(b)
		if typ == "" {
			return typeName(name)
		}
		if name == "self" {
			return b
		}
		full := typ + "." + name
		if in.types[full] != nil && in.types[full].declared || isType(full) {
			return typeName(full)
		}
		if v, ok := in.static(typ, name, nil, false, hint, line); ok {
			return v
		}
		if in.types[typ] != nil && in.types[typ].declared {
			if name == "allCases" {
				return in.allCases(in.types[typ])
			}
			return unknown{}
		}
		if !isType(typ) && !strings.HasPrefix(typ, "[") {
			return unknown{}
		}
		return &object{typ: typ, ctor: name, line: line}
	}
	if v, ok := in.ownMember(base, name, hint, line); ok {
		return v
	}
	return in.builtinProperty(base, name, line)
}

func (in *interpreter) allCases(t *declared) value {
	l := &list{elem: t.name}
	cases := make([]*node, 0, len(t.cases))
	for _, c := range t.cases {
		cases = append(cases, c)
	}
	slices.SortFunc(cases, func(a, b *node) int { return strings.Compare(a.text, b.text) })
	slices.SortStableFunc(cases, func(a, b *node) int { return a.line - b.line })
	for _, c := range cases {
		l.items = append(l.items, &object{typ: t.name, ctor: c.text, line: c.line})
	}
	return l
}

// ownMember returns a field of an instance, or evaluates a computed property that
// the manifest declares for the instance's type. It returns false if there is no
// such member.
func (in *interpreter) ownMember(self value, name, hint string, line int) (value, bool) {
	o, isObject := self.(*object)
	if isObject {
		if v := o.field(name); v != nil {
			return v, true
		}
		if name == "rawValue" && in.types[o.typ] != nil {
			if c := in.types[o.typ].cases[o.ctor]; c != nil {
				if len(c.kids) > 0 {
					return in.eval(c.kids[0], in.globals, ""), true
				}
				return c.text, true
			}
		}
	}
	for _, typ := range typesOf(self) {
		t := in.types[typ]
		if t == nil {
			continue
		}
		for _, m := range t.methods[name] {
			if m.kind == nVar {
				return in.invoke(&function{node: m, env: in.globals, self: self, typ: typ}, nil, hint, line), true
			}
			return &function{node: m, env: in.globals, self: self, typ: typ}, true
		}
	}
	return nil, false
}

// static returns a static member of a type that the manifest declares, called
// with args if called is true. It returns false if there is no such member.
func (in *interpreter) static(typ, name string, args []arg, called bool, hint string, line int) (value, bool) {
	t := in.types[typ]
	if t == nil {
		return nil, false
	}
	if t.cases[name] != nil && !called {
		return &object{typ: typ, ctor: name, line: line}, true
	}
	for _, m := range t.statics[name] {
		f := &function{node: m, env: in.globals, typ: typ}
		switch {
		case m.kind == nFunc && called && fits(m.params, args):
			return f, true
		case m.kind == nFunc && !called:
			return f, true
		case m.kind == nVar && m.body != nil:
			return in.invoke(f, nil, hint, line), true
		case m.kind == nVar:
			if v, ok := t.values[name]; ok {
				return v, true
			}
			t.values[name] = unknown{} // the value is unknown while it is evaluated
			if len(m.kids) > 0 {
				env := &scope{up: in.globals, typ: typ}
				want := m.typ
				if want == "" || want == "Self" {
					want = typ
				}
				t.values[name] = in.eval(m.kids[0], env, want)
			}
			return t.values[name], true
		}
	}
	return nil, false
}

// fits reports whether a function can be called with these arguments.
func fits(params []param, args []arg) bool {
	i := 0
	for _, a := range args {
		for i < len(params) && labelOf(params[i]) != a.label && params[i].value != nil {
			i++
		}
		if i >= len(params) || labelOf(params[i]) != a.label && a.label != "" {
			return false
		}
		i++
	}
	for ; i < len(params); i++ {
		if params[i].value == nil {
			return false
		}
	}
	return true
}

func labelOf(p param) string {
	if p.label == "_" {
		return ""
	}
	return p.label
}

// implicit evaluates .name or .name(args).
func (in *interpreter) implicit(n *node, call *node, env *scope, hint string) value {
	var args []arg
	if call != nil {
		args = call.args
	}
	for _, typ := range in.candidates(n.text, args, call != nil, hint) {
		v, ok := in.static(typ, n.text, args, call != nil, hint, n.line)
		if !ok {
			continue
		}
		if f, isFunction := v.(*function); isFunction && call != nil {
			return in.invoke(f, in.arguments(f, args, env), hint, n.line)
		}
		return v
	}
	o := &object{typ: hint, ctor: n.text, line: n.line}
	if call != nil {
		if n.text == "init" && hint != "" {
			return in.construct(hint, args, env, n.line)
		}
		in.fill(o, args, env)
	}
	return o
}

// candidates returns the types that may have an implicit member as a static
// member: the expected type or, if no type is expected, the only type with such a
// member.
func (in *interpreter) candidates(name string, args []arg, called bool, hint string) []string {
	if hint != "" {
		return []string{hint}
	}
	var found []string
	for typ, t := range in.types {
		if t.cases[name] != nil && !called {
			return nil
		}
		for _, m := range t.statics[name] {
			if !called || m.kind == nFunc && fits(m.params, args) {
				found = append(found, typ)
				break
			}
		}
	}
	if len(found) == 1 {
		return found
	}
	return nil
}

// fill evaluates arguments and stores them in the fields of an object.
func (in *interpreter) fill(o *object, args []arg, env *scope) {
	for i, a := range args {
		hint := hintOf(o.ctor, a.label)
		if a.label == "" {
			hint = positionHint(o.ctor, i)
		}
		v := in.eval(a.value, env, hint)
		if l, ok := v.(*list); ok && l.elem == "" && elementType(hint) != "" {
			v = &list{elementType(hint), l.items}
		}
		o.labels, o.values = append(o.labels, a.label), append(o.values, v)
	}
}

// index evaluates base[args].
func (in *interpreter) index(n *node, env *scope) value {
	base := in.eval(n.kids[0], env, "")
	if len(n.args) == 0 {
		return unknown{}
	}
	key := in.eval(n.args[0].value, env, "")
	switch b := base.(type) {
	case environment, absent:
		if len(n.args) > 1 {
			return in.eval(n.args[1].value, env, "")
		}
		return absent{}
	case *dict:
		for i, k := range b.keys {
			if same, known := equal(k, key); same && known {
				return b.values[i]
			}
		}
		if len(n.args) > 1 && n.args[1].label == "default" {
			return in.eval(n.args[1].value, env, "")
		}
		return absent{}
	case *list:
		if i, ok := key.(int64); ok && i >= 0 && int(i) < len(b.items) {
			return b.items[i]
		}
	case typeName: // the type of a dictionary or a generic type
		return unknown{}
	}
	return unknown{}
}
