package manifest

import (
	"slices"
	"strings"
)

// call evaluates a call.
func (in *interpreter) call(n *node, env *scope, hint string) value {
	callee := n.kids[0]
	switch callee.kind {
	case nImplicit:
		return in.implicit(callee, n, env, hint)
	case nMember:
		return in.method(n, callee, env, hint)
	}
	v := in.eval(callee, env, "")
	switch f := v.(type) {
	case *function:
		if callee.kind == nName && f.node != nil && f.node.kind == nFunc && !fits(f.node.params, n.args) {
			return unknown{}
		}
		return in.invoke(f, in.arguments(f, n.args, env), hint, n.line)
	case typeName:
		return in.construct(string(f), n.args, env, n.line)
	}
	if _, isUnknown := v.(unknown); !isUnknown && len(n.args) == 0 {
		return v // the value is an autoclosure
	}
	if callee.kind == nName {
		switch callee.text {
		case "getenv", "strdup":
			return absent{}
		case "print", "precondition", "assert", "setenv":
			return absent{}
		}
	}
	return unknown{}
}

// method evaluates base.name(args).
func (in *interpreter) method(n, callee *node, env *scope, hint string) value {
	base := in.eval(callee.kids[0], env, in.chainHint(callee.kids[0], hint))
	name := callee.text
	switch b := base.(type) {
	case unknown, absent:
		return base
	case environment:
		return unknown{}
	case typeName:
		return in.staticCall(string(b), name, n, env, hint)
	}
	for _, typ := range typesOf(base) {
		t := in.types[typ]
		if t == nil {
			continue
		}
		for _, m := range t.methods[name] {
			if m.kind == nFunc && fits(m.params, n.args) {
				f := &function{node: m, env: in.globals, self: base, typ: typ}
				return in.invoke(f, in.arguments(f, n.args, env), hint, n.line)
			}
		}
	}
	if o, ok := base.(*object); ok {
		if f, ok := o.field(name).(*function); ok {
			return in.invoke(f, in.arguments(f, n.args, env), hint, n.line)
		}
	}
	return in.builtinMethod(base, name, n, callee, env, hint)
}

// staticCall evaluates Type.name(args).
func (in *interpreter) staticCall(typ, name string, n *node, env *scope, hint string) value {
	if typ == "" {
		return in.construct(name, n.args, env, n.line)
	}
	if name == "init" {
		return in.construct(typ, n.args, env, n.line)
	}
	if full := typ + "." + name; in.types[full] != nil && in.types[full].declared || isType(full) {
		return in.construct(full, n.args, env, n.line)
	}
	if v, ok := in.static(typ, name, n.args, true, hint, n.line); ok {
		if f, isFunction := v.(*function); isFunction {
			return in.invoke(f, in.arguments(f, n.args, env), hint, n.line)
		}
		return unknown{}
	}
	if t := in.types[typ]; t != nil && t.declared && t.cases[name] == nil || !isType(typ) && in.types[typ] == nil {
		return unknown{}
	}
	o := &object{typ: typ, ctor: name, line: n.line}
	in.fill(o, n.args, env)
	return o
}

// construct creates an instance of a type.
func (in *interpreter) construct(typ string, args []arg, env *scope, line int) value {
	if typ == "[]" || elementType(typ) != "" || typ == "Array" || typ == "Set" {
		if len(args) == 0 {
			return &list{elem: elementType(typ)}
		}
		switch v := in.eval(args[0].value, env, typ).(type) {
		case *list:
			return v
		case *dict:
			return &list{items: in.items(v, line)}
		}
		return unknown{}
	}
	if t := in.types[typ]; t != nil && (t.declared || len(t.inits) > 0) {
		if v, ok := in.initialise(t, args, env, line); ok {
			return v
		}
	}
	switch typ {
	case "Package":
		o := &object{typ: typ, line: line}
		in.fill(o, args, env)
		in.pkg = o
		return o
	case "String", "Int", "Bool", "Version", "URL", "Substring":
		return in.convert(typ, args, env)
	case "Dictionary":
		return &dict{}
	}
	if isType(typ) {
		o := &object{typ: typ, line: line}
		in.fill(o, args, env)
		return o
	}
	return unknown{}
}

// convert evaluates String(x), Int(x), Bool(x) and Version(x).
func (in *interpreter) convert(typ string, args []arg, env *scope) value {
	if len(args) == 0 {
		return ""
	}
	v := in.eval(args[0].value, env, "")
	switch typ {
	case "String", "Substring":
		if s, ok := describe(v); ok {
			return s
		}
	case "Int":
		if s, ok := v.(string); ok {
			if n, ok := number(s).(int64); ok {
				return n
			}
			return absent{}
		}
		if n, ok := v.(int64); ok {
			return n
		}
	case "Bool":
		switch v := v.(type) {
		case bool:
			return v
		case string:
			if v == "true" || v == "false" {
				return v == "true"
			}
			return absent{}
		}
	case "Version":
		if s, ok := v.(string); ok {
			return s
		}
		parts := make([]string, 0, len(args))
		for _, a := range args {
			if s, ok := describe(in.eval(a.value, env, "")); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ".")
	}
	return unknown{}
}

// initialise creates an instance of a struct that the manifest declares. It
// returns false if the manifest does not declare the struct.
func (in *interpreter) initialise(t *declared, args []arg, env *scope, line int) (value, bool) {
	o := &object{typ: t.name, line: line}
	inner := &scope{up: in.globals, typ: t.name}
	for _, init := range t.inits {
		if !fits(init.params, args) {
			continue
		}
		for _, f := range t.fields {
			if len(f.kids) > 0 {
				o.set(f.names0(), in.eval(f.kids[0], inner, in.resolve(f.typ, t.name)))
			}
		}
		fn := &function{node: init, env: in.globals, self: o, typ: t.name}
		in.invoke(fn, in.arguments(fn, args, env), "", line)
		return o, true
	}
	if !t.declared {
		return nil, false
	}
	if len(args) == 1 && args[0].label == "rawValue" {
		raw := in.eval(args[0].value, env, "")
		for name, c := range t.cases {
			var v value = name
			if len(c.kids) > 0 {
				v = in.eval(c.kids[0], inner, "")
			}
			if v == raw {
				return &object{typ: t.name, ctor: name, line: line}, true
			}
		}
		return absent{}, true
	}
	for _, f := range t.fields {
		name := f.names0()
		switch i := slices.IndexFunc(args, func(a arg) bool { return a.label == name }); {
		case i >= 0:
			o.set(name, in.eval(args[i].value, env, in.resolve(f.typ, t.name)))
		case len(f.kids) > 0:
			o.set(name, in.eval(f.kids[0], inner, in.resolve(f.typ, t.name)))
		default:
			o.set(name, absent{})
		}
	}
	return o, true
}

// arguments evaluates the arguments of a function call.
func (in *interpreter) arguments(f *function, args []arg, env *scope) []evaluated {
	var params []param
	if f.node != nil {
		params = f.node.params
	}
	out := make([]evaluated, 0, len(args))
	i := 0
	for _, a := range args {
		for i < len(params) && f.node.kind == nFunc && labelOf(params[i]) != a.label && params[i].value != nil && a.label != "" {
			i++
		}
		hint := ""
		if i < len(params) {
			hint = in.resolve(params[i].typ, f.typ)
		}
		out = append(out, evaluated{a.label, in.eval(a.value, env, hint)})
		i++
	}
	return out
}

// resolve returns the full name of a type that is used within another type.
func (in *interpreter) resolve(typ, within string) string {
	if typ == "Self" {
		return within
	}
	if elem := elementType(typ); elem != "" {
		return "[" + in.resolve(elem, within) + "]"
	}
	for outer := within; outer != ""; outer = outerType(outer) {
		if in.types[outer+"."+typ] != nil {
			return outer + "." + typ
		}
	}
	return typ
}

// invoke calls a function, a closure or a getter.
func (in *interpreter) invoke(f *function, args []evaluated, hint string, line int) value {
	if f.native != nil {
		return f.native(args)
	}
	if in.calls++; in.calls > maxCalls || !in.step(1) {
		in.calls--
		return unknown{}
	}
	defer func() { in.calls-- }()
	env := &scope{up: f.env, self: f.self, typ: f.typ}
	if f.self == nil && f.typ == "" && f.env != nil {
		env.self, env.typ = f.env.self, f.env.typ
	}
	n := f.node
	in.bindParameters(f, args, env)
	if t := in.resolve(n.typ, f.typ); t != "" {
		hint = t
	}
	body := n.body
	if n.kind == nClosure {
		body = n
	}
	if body == nil {
		return unknown{}
	}
	v, l := in.block(&node{kind: nBlock, kids: body.kids, line: line}, env, hint)
	if l == returned || len(body.kids) == 1 {
		return v
	}
	return absent{}
}

// bindParameters declares the parameters of a function.
func (in *interpreter) bindParameters(f *function, args []evaluated, env *scope) {
	n := f.node
	if n.kind == nClosure {
		if len(n.params) == 0 {
			for i, a := range args {
				env.declare("$"+string(rune('0'+min(i, 9))), a.value)
			}
			if t, ok := first(args).(*tuple); ok && len(args) == 1 && len(t.items) > 1 {
				env.declare("$1", t.items[1])
			}
			return
		}
		if t, ok := first(args).(*tuple); ok && len(args) == 1 && len(n.params) > 1 {
			for i, p := range n.params {
				if i < len(t.items) {
					env.declare(p.name, t.items[i])
				}
			}
			return
		}
		for i, p := range n.params {
			if i < len(args) {
				env.declare(p.name, args[i].value)
			} else {
				env.declare(p.name, unknown{})
			}
		}
		return
	}
	i := 0
	for _, p := range n.params {
		if i < len(args) && (args[i].label == labelOf(p) || args[i].label == "" && p.value == nil) {
			v := args[i].value
			if l, ok := v.(*list); ok && l.elem == "" {
				if elem := elementType(p.typ); elem != "" {
					v = &list{elem, l.items}
				}
			}
			env.declare(p.name, v)
			i++
			continue
		}
		if p.value != nil {
			env.declare(p.name, in.eval(p.value, &scope{up: in.globals, typ: f.typ}, in.resolve(p.typ, f.typ)))
		} else {
			env.declare(p.name, unknown{})
		}
	}
}

func first(args []evaluated) value {
	if len(args) == 0 {
		return nil
	}
	return args[0].value
}

// keyPath returns a function that evaluates a key path.
func (in *interpreter) keyPath(path string) value {
	return &function{native: func(args []evaluated) value {
		v := first(args)
		if v == nil {
			return unknown{}
		}
		for name := range strings.SplitSeq(path, ".") {
			if name != "self" && name != "" {
				v = in.property(v, name, "", 0)
			}
		}
		return v
	}}
}
