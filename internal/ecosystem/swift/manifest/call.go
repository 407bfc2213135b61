package manifest

import (
	"slices"
	"strconv"
	"strings"
)

// call evaluates a call.
func (in *interpreter) call(n *callExpr, env *scope, hint typ) value {
	switch callee := n.callee.(type) {
	case *implicitExpr:
		return in.implicit(callee, n, env, hint)
	case *memberExpr:
		return in.method(n, callee, env, hint)
	}
	name, _ := n.callee.(*nameExpr)
	v := in.eval(n.callee, env, typ{})
	switch f := v.(type) {
	case *function:
		if name != nil && f.code != nil && f.code.kind == functionCode && !fits(f.code.params, n.args) {
			return unknown{}
		}
		return in.invoke(f, in.arguments(f, n.args, env), hint)
	case typ:
		return in.construct(f, n.args, env, n.at())
	}
	if _, isUnknown := v.(unknown); !isUnknown && len(n.args) == 0 {
		return v // the value is an autoclosure
	}
	if name != nil {
		if _, isObject := env.self.(*object); env.self != nil && !isObject && env.find(name.name) == nil {
			self := &memberExpr{line: n.line, base: &nameExpr{n.line, "self"}, name: name.name}
			if v := in.builtinMethod(env.self, n, self, env, hint); v != (unknown{}) {
				return v
			}
		}
		switch name.name {
		case "getenv", "strdup", "print", "precondition", "assert", "setenv":
			return absent{}
		case "zip":
			return in.zipped(n.args, env)
		}
	}
	return unknown{}
}

// method evaluates base.name(args).
func (in *interpreter) method(n *callExpr, callee *memberExpr, env *scope, hint typ) value {
	base := in.eval(callee.base, env, chainHint(callee.base, hint))
	name := callee.name
	switch b := base.(type) {
	case unknown, absent:
		return base
	case environment:
		return unknown{}
	case module:
		return in.construct(named(name), n.args, env, n.at())
	case typ:
		return in.staticCall(b, name, n, env, hint)
	}
	for _, t := range typesOf(base) {
		d := in.types[t]
		if d == nil {
			continue
		}
		for _, m := range d.methods[name] {
			if fits(m.params, n.args) {
				f := &function{code: &m.code, env: in.globals, self: base, typ: t}
				return in.invoke(f, in.arguments(f, n.args, env), hint)
			}
		}
	}
	if o, ok := base.(*object); ok {
		if f, ok := o.field(name).(*function); ok {
			return in.invoke(f, in.arguments(f, n.args, env), hint)
		}
	}
	return in.builtinMethod(base, n, callee, env, hint)
}

// staticCall evaluates Type.name(args).
func (in *interpreter) staticCall(t typ, name string, n *callExpr, env *scope, hint typ) value {
	if name == "init" {
		return in.construct(t, n.args, env, n.at())
	}
	if nested := t.member(name); in.isDeclared(nested) || isType(nested) {
		return in.construct(nested, n.args, env, n.at())
	}
	if v, ok := in.static(t, name, n.args, true, hint, n.at()); ok {
		if f, isFunction := v.(*function); isFunction {
			return in.invoke(f, in.arguments(f, n.args, env), hint)
		}
		return unknown{}
	}
	if d := in.types[t]; d == nil && !isType(t) || in.isDeclared(t) && d.cases[name] == nil {
		return unknown{}
	}
	o := &object{typ: t, ctor: name, line: n.at()}
	in.fill(o, n.args, env)
	return o
}

// isDeclared reports whether the manifest declares a type, and not only extends it.
func (in *interpreter) isDeclared(t typ) bool { return in.types[t] != nil && in.types[t].declared }

// construct creates an instance of a type.
func (in *interpreter) construct(t typ, args []arg, env *scope, line int) value {
	if t.depth > 0 || t.name == "Array" || t.name == "Set" {
		if len(args) == 0 {
			return &list{elem: t.elem()}
		}
		if args[0].label == "repeating" {
			if n, ok := in.eval(args[len(args)-1].value, env, typ{}).(int64); ok && n >= 0 && n <= maxSteps && in.step(int(n)) {
				return &list{t.elem(), slices.Repeat([]value{in.eval(args[0].value, env, t.elem())}, int(n))}
			}
			return unknown{}
		}
		switch v := in.eval(args[0].value, env, t).(type) {
		case *list:
			return v
		case *dict:
			return &list{items: in.items(v, line)}
		}
		return unknown{}
	}
	if d := in.types[t]; d != nil && (d.declared || len(d.inits) > 0) {
		if v, ok := in.initialise(d, args, env, line); ok {
			return v
		}
	}
	switch t.name {
	case "Package":
		o := &object{typ: t, line: line}
		in.fill(o, args, env)
		in.pkg = o
		return o
	case "String", "Int", "Bool", "Version", "URL", "Substring":
		return in.convert(t.name, args, env)
	case "Dictionary":
		if len(args) == 0 {
			return &dict{}
		}
		if l, ok := in.eval(args[0].value, env, typ{}).(*list); ok && args[0].label == "uniqueKeysWithValues" {
			return in.dictionary(l)
		}
		return unknown{}
	}
	if isType(t) {
		if len(args) == 1 && args[0].label == "stringLiteral" {
			return in.eval(args[0].value, env, named("String"))
		}
		o := &object{typ: t, line: line}
		in.fill(o, args, env)
		return o
	}
	return unknown{}
}

// dictionary returns the dictionary with the pairs in a list.
func (in *interpreter) dictionary(pairs *list) value {
	d := &dict{}
	for _, item := range pairs.items {
		pair, ok := item.(*tuple)
		if !ok || len(pair.items) != 2 || !in.step(len(d.keys)) {
			return unknown{}
		}
		d = d.with(pair.items[0], pair.items[1])
	}
	return d
}

// zipped evaluates zip(a, b).
func (in *interpreter) zipped(args []arg, env *scope) value {
	if len(args) != 2 {
		return unknown{}
	}
	a, okA := in.eval(args[0].value, env, typ{}).(*list)
	b, okB := in.eval(args[1].value, env, typ{}).(*list)
	if !okA || !okB || !in.step(min(len(a.items), len(b.items))) {
		return unknown{}
	}
	out := &list{}
	for i := range min(len(a.items), len(b.items)) {
		out.items = append(out.items, &tuple{[]string{"", ""}, []value{a.items[i], b.items[i]}})
	}
	return out
}

// convert evaluates String(x), Int(x), Bool(x) and Version(x).
func (in *interpreter) convert(name string, args []arg, env *scope) value {
	if len(args) == 0 {
		return ""
	}
	v := in.eval(args[0].value, env, typ{})
	switch name {
	case "String", "Substring":
		s, ok := describe(v)
		if ok && args[0].label == "repeating" {
			n, isCount := in.eval(args[len(args)-1].value, env, typ{}).(int64)
			if !isCount || n < 0 || n*int64(len(s)) > maxText || n > maxText || !in.step(int(n)) {
				return unknown{}
			}
			s = strings.Repeat(s, int(n))
		}
		if ok {
			return s
		}
	case "Int":
		if s, ok := v.(string); ok {
			radix := int64(10)
			if last := args[len(args)-1]; last.label == "radix" {
				if radix, ok = in.eval(last.value, env, typ{}).(int64); !ok || radix < 2 || radix > 36 {
					return unknown{}
				}
			}
			if n, err := strconv.ParseInt(s, int(radix), 64); err == nil {
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
			if s, ok := describe(in.eval(a.value, env, typ{})); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ".")
	}
	return unknown{}
}

// initialise creates an instance of a struct that the manifest declares. It
// returns false if the manifest does not declare the struct.
func (in *interpreter) initialise(d *declared, args []arg, env *scope, line int) (value, bool) {
	o := &object{typ: d.typ, line: line}
	inner := &scope{up: in.globals, typ: d.typ}
	for _, init := range d.inits {
		if !fits(init.params, args) {
			continue
		}
		for _, f := range d.fields {
			if f.value != nil {
				o.set(f.name(), in.eval(f.value, inner, in.resolve(f.typ, d.typ)))
			}
		}
		fn := &function{code: &init.code, env: in.globals, self: o, typ: d.typ}
		in.invoke(fn, in.arguments(fn, args, env), typ{})
		return o, true
	}
	if !d.declared {
		return nil, false
	}
	if len(args) == 1 && args[0].label == "rawValue" {
		raw := in.eval(args[0].value, env, typ{})
		for name, c := range d.cases {
			var v value = name
			if c.raw != nil {
				v = in.eval(c.raw, inner, typ{})
			}
			if v == raw {
				return &object{typ: d.typ, ctor: name, line: line}, true
			}
		}
		return absent{}, true
	}
	for _, f := range d.fields {
		name := f.name()
		switch i := slices.IndexFunc(args, func(a arg) bool { return a.label == name }); {
		case i >= 0:
			o.set(name, in.eval(args[i].value, env, in.resolve(f.typ, d.typ)))
		case f.value != nil:
			o.set(name, in.eval(f.value, inner, in.resolve(f.typ, d.typ)))
		default:
			o.set(name, absent{})
		}
	}
	return o, true
}

// arguments evaluates the arguments of a function call.
func (in *interpreter) arguments(f *function, args []arg, env *scope) []evaluated {
	var c code
	if f.code != nil {
		c = *f.code
	}
	out := make([]evaluated, 0, len(args))
	i := 0
	for _, a := range args {
		if i > 0 && i <= len(c.params) && c.params[i-1].variadic && a.label == "" {
			i--
		}
		for i < len(c.params) && c.kind == functionCode && c.params[i].label != a.label && c.params[i].isOptional() && a.label != "" {
			i++
		}
		var hint typ
		if i < len(c.params) {
			if hint = in.resolve(c.params[i].typ, f.typ); c.params[i].variadic {
				hint = hint.elem()
			}
		}
		out = append(out, evaluated{a.label, in.eval(a.value, env, hint)})
		i++
	}
	return out
}

// resolve returns the full name of a type that is used within another type.
func (in *interpreter) resolve(t, within typ) typ {
	if t.name == "Self" {
		return typ{within.name, within.depth + t.depth}
	}
	for outer := within; outer.known(); outer = outer.outer() {
		if full := outer.member(t.name); in.types[full] != nil {
			return typ{full.name, t.depth}
		}
	}
	return t
}

// invoke calls a function, a closure or a getter.
func (in *interpreter) invoke(f *function, args []evaluated, hint typ) value {
	if f.native != nil {
		return f.native(args)
	}
	if in.calls++; in.calls > maxCalls || !in.step(1) {
		in.calls--
		return unknown{}
	}
	defer func() { in.calls-- }()
	env := &scope{up: f.env, self: f.self, typ: f.typ}
	if f.self == nil && !f.typ.known() && f.env != nil {
		env.self, env.typ = f.env.self, f.env.typ
	}
	in.bindParameters(f, args, env)
	if t := in.resolve(f.code.result, f.typ); t != (typ{}) {
		hint = t
	}
	if f.code.body == nil {
		return unknown{}
	}
	stmts := f.code.body.stmts
	if v, l := in.block(stmts, env, hint); l == returned || len(stmts) == 1 {
		return v
	}
	return absent{}
}

// bindParameters declares the parameters of a function.
func (in *interpreter) bindParameters(f *function, args []evaluated, env *scope) {
	n := f.code
	if n.kind == closureCode {
		if len(n.params) == 0 {
			for i, a := range args {
				env.declare("$"+string(rune('0'+min(i, 9))), a.value)
			}
			if t, ok := first(args).(*tuple); ok && len(args) == 1 && len(t.items) > 1 && n.second {
				env.declare("$0", t.items[0])
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
		if p.variadic {
			l := &list{elem: in.resolve(p.typ, f.typ).elem()}
			for i < len(args) && (args[i].label == "" || args[i].label == p.label && len(l.items) == 0) {
				l.items = append(l.items, args[i].value)
				i++
			}
			env.declare(p.name, l)
			continue
		}
		if i < len(args) && (args[i].label == p.label || args[i].label == "" && p.value == nil) {
			env.declare(p.name, typed(args[i].value, p.typ))
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
func (in *interpreter) keyPath(names []string) value {
	return &function{native: func(args []evaluated) value {
		v := first(args)
		if v == nil {
			return unknown{}
		}
		for _, name := range names {
			if name != "self" && name != "" {
				v = in.property(v, name, typ{}, 0)
			}
		}
		return v
	}}
}
