package manifest

import "slices"

// eval evaluates an expression. hint is the expected type.
func (in *interpreter) eval(n node, env *scope, hint typ) value {
	if !in.step(1) {
		return unknown{}
	}
	switch n := n.(type) {
	case *literalExpr:
		return n.value
	case *stringExpr:
		return in.text(n, env)
	case *nameExpr:
		return in.name(n, env, hint)
	case *implicitExpr:
		return in.implicit(n, nil, env, hint)
	case *memberExpr:
		return in.memberOf(n, env, hint)
	case *callExpr:
		return in.call(n, env, hint)
	case *indexExpr:
		return in.index(n, env)
	case *arrayExpr:
		return in.array(n, env, hint)
	case *dictExpr:
		d := &dict{}
		for i, key := range n.keys {
			d.keys = append(d.keys, in.eval(key, env, typ{}))
			d.values = append(d.values, in.eval(n.values[i], env, typ{}))
		}
		return d
	case *tupleExpr:
		t := &tuple{}
		for _, a := range n.elems {
			t.labels = append(t.labels, a.label)
			t.items = append(t.items, in.eval(a.value, env, typ{}))
		}
		if len(t.items) == 0 {
			return absent{}
		}
		return t
	case *closureExpr:
		return &function{code: &n.code, env: env, self: env.self, typ: env.typ}
	case *ternaryExpr:
		if in.isTrue(in.eval(n.cond, env, typ{}), n.at()) {
			return in.eval(n.yes, env, hint)
		}
		return in.eval(n.no, env, hint)
	case *binaryExpr:
		return in.binary(n, env, hint)
	case *unaryExpr:
		switch v := in.eval(n.operand, env, hint).(type) {
		case bool:
			return !v
		case int64:
			if n.op == "-" {
				return -v
			}
			return v
		}
	case *castExpr:
		v := in.eval(n.operand, env, n.typ)
		if !n.test {
			return v
		}
		if t := typeOf(v); t.known() && n.typ.known() {
			return t == n.typ || n.typ == named("Any")
		}
	case *operatorExpr:
		return &function{native: func(args []evaluated) value {
			if len(args) != 2 {
				return unknown{}
			}
			return in.operate(n.op, args[0].value, args[1].value, n.at())
		}}
	case *keyPathExpr:
		return in.keyPath(n.names)
	case *ifStmt, *switchStmt:
		v, _ := in.exec(n, env, hint)
		return v
	}
	return unknown{}
}

func (in *interpreter) binary(n *binaryExpr, env *scope, hint typ) value {
	switch n.op {
	case "&&", "||":
		left, known := truth(in.eval(n.left, env, typ{}))
		if known && left == (n.op == "||") {
			return left
		}
		right := in.eval(n.right, env, typ{})
		if yes, ok := truth(right); !known && ok && yes == (n.op == "||") {
			return yes
		}
		if !known {
			return unknown{}
		}
		return right
	case "??":
		left := in.eval(n.left, env, hint)
		if _, ok := left.(absent); !ok {
			return left
		}
		return in.eval(n.right, env, hint)
	}
	left := in.eval(n.left, env, hint)
	typeHint := typeOf(left)
	if n.op == "+" && !typeHint.known() {
		typeHint = hint
	}
	return in.operate(n.op, left, in.eval(n.right, env, typeHint), n.at())
}

func (in *interpreter) array(n *arrayExpr, env *scope, hint typ) value {
	l := &list{elem: hint.elem(), items: make([]value, 0, len(n.elems))}
	for _, e := range n.elems {
		v := in.eval(e, env, hint.elem())
		if t, ok := v.(typ); ok && len(n.elems) == 1 {
			return t.array() // The brackets contain a type, as in [Target]().
		}
		if l.elem == (typ{}) {
			l.elem = typeOf(v)
		}
		l.items = append(l.items, v)
	}
	return l
}

// name evaluates a name, which refers to a variable, a member of self or a type.
func (in *interpreter) name(n *nameExpr, env *scope, hint typ) value {
	if s := env.find(n.name); s != nil {
		v := s.vars[n.name]
		if f, ok := v.(*function); ok && f.code != nil && f.code.kind == getterCode {
			return in.invoke(f, nil, hint)
		}
		return v
	}
	switch n.name {
	case "self":
		if env.self != nil {
			return env.self
		}
		return env.typ
	case "Self":
		return env.typ
	case "Context", "ProcessInfo", "CommandLine":
		return environment{}
	case "PackageDescription":
		return module{}
	}
	if env.self != nil {
		if v, ok := in.ownMember(env.self, n.name, hint); ok {
			return v
		}
		if _, isObject := env.self.(*object); !isObject {
			if v := in.builtinProperty(env.self, n.name, n.at()); v != (unknown{}) {
				return v
			}
		}
	}
	if env.typ.known() {
		if v, ok := in.static(env.typ, n.name, nil, false, hint, n.at()); ok {
			return v
		}
		if t := in.resolve(named(n.name), env.typ); t != named(n.name) {
			return t
		}
	}
	if c := n.name[0]; c >= 'A' && c <= 'Z' || c == '_' && in.types[named(n.name)] != nil {
		return named(n.name)
	}
	return unknown{}
}

// memberOf evaluates base.name.
func (in *interpreter) memberOf(n *memberExpr, env *scope, hint typ) value {
	if n.name == "init" {
		if t, ok := in.eval(n.base, env, typ{}).(typ); ok {
			return t
		}
	}
	base := in.eval(n.base, env, chainHint(n.base, hint))
	return in.property(base, n.name, hint, n.at())
}

// chainHint returns the expected type of the base of a member. If the base begins
// with an implicit member, that is the type expected of the whole chain. It
// returns the unknown type for other bases.
func chainHint(base node, hint typ) typ {
	if isImplicit(base) {
		return hint
	}
	return typ{}
}

// property returns a member of a value without calling it.
func (in *interpreter) property(base value, name string, hint typ, line int) value {
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
			return &list{elem: named("String")}
		case "gitInformation":
			return absent{}
		}
		return unknown{}
	case module:
		return named(name)
	case typ:
		if name == "self" {
			return b
		}
		if nested := b.member(name); in.isDeclared(nested) || isType(nested) {
			return nested
		}
		if v, ok := in.static(b, name, nil, false, hint, line); ok {
			return v
		}
		if in.isDeclared(b) {
			if name == "allCases" {
				return in.allCases(in.types[b])
			}
			return unknown{}
		}
		if !isType(b) && b.depth == 0 {
			return unknown{}
		}
		return &object{typ: b, ctor: name, line: line}
	}
	if v, ok := in.ownMember(base, name, hint); ok {
		return v
	}
	return in.builtinProperty(base, name, line)
}

func (in *interpreter) allCases(d *declared) value {
	l := &list{elem: d.typ}
	for _, c := range d.order {
		l.items = append(l.items, &object{typ: d.typ, ctor: c.name, line: c.at()})
	}
	return l
}

// ownMember returns a field of an instance, or evaluates a computed property that
// the manifest declares for the instance's type. It returns false if there is no
// such member.
func (in *interpreter) ownMember(self value, name string, hint typ) (value, bool) {
	if o, isObject := self.(*object); isObject {
		if v := o.field(name); v != nil {
			return v, true
		}
		if name == "rawValue" && in.types[o.typ] != nil {
			if c := in.types[o.typ].cases[o.ctor]; c != nil {
				if c.raw != nil {
					return in.eval(c.raw, in.globals, typ{}), true
				}
				return c.name, true
			}
		}
	}
	for _, t := range typesOf(self) {
		d := in.types[t]
		if d == nil {
			continue
		}
		if v := d.getters[name]; v != nil {
			return in.invoke(&function{code: v.getter, env: in.globals, self: self, typ: t}, nil, hint), true
		}
		if methods := d.methods[name]; len(methods) > 0 {
			return &function{code: &methods[0].code, env: in.globals, self: self, typ: t}, true
		}
	}
	return nil, false
}

// static returns a static member of a type that the manifest declares, called
// with args if called is true. It returns false if there is no such member.
func (in *interpreter) static(t typ, name string, args []arg, called bool, hint typ, line int) (value, bool) {
	d := in.types[t]
	if d == nil {
		return nil, false
	}
	if d.cases[name] != nil && !called {
		return &object{typ: t, ctor: name, line: line}, true
	}
	for _, f := range d.staticFuncs[name] {
		if !called || fits(f.params, args) {
			return &function{code: &f.code, env: in.globals, typ: t}, true
		}
	}
	v := d.staticVars[name]
	switch {
	case v == nil:
		return nil, false
	case v.getter != nil:
		return in.invoke(&function{code: v.getter, env: in.globals, typ: t}, nil, hint), true
	}
	if v, ok := d.values[name]; ok {
		return v, true
	}
	d.values[name] = unknown{} // The value is unknown while it is evaluated.
	if v.value != nil {
		typeHint := v.typ
		if typeHint == (typ{}) || typeHint == named("Self") {
			typeHint = t
		}
		d.values[name] = in.eval(v.value, &scope{up: in.globals, typ: t}, typeHint)
	}
	return d.values[name], true
}

// fits reports whether a function can be called with these arguments.
func fits(params []param, args []arg) bool {
	i := 0
	for _, a := range args {
		if i > 0 && params[i-1].variadic && a.label == "" {
			continue
		}
		for i < len(params) && params[i].label != a.label && params[i].isOptional() {
			i++
		}
		if i >= len(params) || params[i].label != a.label && a.label != "" {
			return false
		}
		i++
	}
	for ; i < len(params); i++ {
		if !params[i].isOptional() {
			return false
		}
	}
	return true
}

// implicit evaluates .name or .name(args).
func (in *interpreter) implicit(n *implicitExpr, call *callExpr, env *scope, hint typ) value {
	var args []arg
	if call != nil {
		args = call.args
	}
	for _, t := range in.candidates(n.name, args, call != nil, hint) {
		v, ok := in.static(t, n.name, args, call != nil, hint, n.at())
		if !ok {
			continue
		}
		if f, isFunction := v.(*function); isFunction && call != nil {
			return in.invoke(f, in.arguments(f, args, env), hint)
		}
		return v
	}
	o := &object{typ: hint, ctor: n.name, line: n.at()}
	if call != nil {
		if n.name == "init" && hint != (typ{}) {
			return in.construct(hint, args, env, n.at())
		}
		in.fill(o, args, env)
	}
	return o
}

// candidates returns the types that may have an implicit member as a static
// member: the expected type or, if no type is expected, the only type with such a
// member.
func (in *interpreter) candidates(name string, args []arg, called bool, hint typ) []typ {
	if hint != (typ{}) {
		return []typ{hint}
	}
	var found []typ
	for t, d := range in.types {
		if d.cases[name] != nil && !called {
			return nil
		}
		if slices.ContainsFunc(d.staticFuncs[name], func(f *funcDecl) bool { return !called || fits(f.params, args) }) || !called && d.staticVars[name] != nil {
			found = append(found, t)
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
		o.labels, o.values = append(o.labels, a.label), append(o.values, typed(in.eval(a.value, env, hint), hint))
	}
}

// index evaluates base[args].
func (in *interpreter) index(n *indexExpr, env *scope) value {
	base := in.eval(n.base, env, typ{})
	if len(n.args) == 0 {
		return unknown{}
	}
	key := in.eval(n.args[0].value, env, typ{})
	switch b := base.(type) {
	case environment, absent:
		if len(n.args) > 1 {
			return in.eval(n.args[1].value, env, typ{})
		}
		return absent{}
	case *dict:
		for i, k := range b.keys {
			if same, known := equal(k, key); same && known {
				return b.values[i]
			}
		}
		if len(n.args) > 1 && n.args[1].label == "default" {
			return in.eval(n.args[1].value, env, typ{})
		}
		return absent{}
	case *list:
		if i, ok := key.(int64); ok && i >= 0 && int(i) < len(b.items) {
			return b.items[i]
		}
	case typ: // The expression is the type of a dictionary or a generic type.
		return unknown{}
	}
	return unknown{}
}
