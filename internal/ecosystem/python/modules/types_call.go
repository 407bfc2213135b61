package modules

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// argument is an argument of a call.
type argument struct {
	name   string // of a named argument
	t      *typ
	spread bool // whether the argument represents any number of arguments
	tree   *source.Tree
}

// callValue returns the type of the result of a call.
func (f *frame) callValue(x *source.Tree) *typ {
	callee := f.value(x.X)
	f.checkCall(x, callee)
	if name := lastOf("." + x.X.Dotted()); strings.HasPrefix(name, "assertRaises") || name == "raises" { // as in assertRaises(AttributeError, lambda: x.y)
		f.quiet++
		defer func() { f.quiet-- }()
	}
	args := make([]argument, 0, len(x.Args))
	for _, a := range x.Args {
		switch a.Kind {
		case source.Keyword:
			var v *typ
			if a.Name == "key" && a.X != nil && a.X.Kind == source.Lambda {
				v = f.lambda(a.X, f.compared(x, callee, args))
			} else {
				v = f.value(a.X)
			}
			args = append(args, argument{name: a.Name, t: v, tree: a.X})
		case source.Starred:
			f.value(a.X)
			args = append(args, argument{spread: true})
		default:
			args = append(args, argument{t: f.value(a), tree: a})
		}
	}
	for _, a := range args {
		if a.tree != nil && f.isEmpty(a.t) {
			f.unknown(reference(a.tree)) // the function may fill the object
		}
	}
	f.observe(x)
	name := lastOf("." + x.X.Dotted())
	switch name {
	case "cast":
		if len(x.Args) == 2 && special(f.r.resolve(f.scope, x.X.Dotted())) == "cast" {
			return f.annotation(f.scope, x.Args[0], nil, maxTypeDepth)
		}
	case "type":
		if x.X.Kind == source.Name && len(args) == 1 && f.isBuiltinName("type") {
			var all []*typ
			for _, v := range args[0].t.variants() {
				if v.kind != instanceType {
					return nil
				}
				c := *v
				c.kind = classObject
				all = append(all, &c)
			}
			return joinAll(all)
		}
	case "sum":
		if x.X.Kind == source.Name && len(args) == 1 && f.isBuiltinName("sum") {
			if v := f.element(args[0].t); isNumber(v) { // of other objects, __add__ may return anything
				return widen(f.operate(v, f.instance(f.builtin("int")), "+"))
			}
			return nil
		}
	case "super":
		if x.X.Kind == source.Name && len(x.Args) == 0 && f.isBuiltinName("super") {
			return f.super()
		}
	case "open":
		if x.X.Kind == source.Name && f.isBuiltinName("open") {
			return f.opened(x, 1)
		}
		if callee != nil && callee.kind == functionType && callee.self != nil && callee.self.class != nil && callee.def.owner != nil && callee.def.owner.e.full() == "pathlib.Path" {
			return f.opened(x, 0)
		}
	}
	if callee == nil {
		return nil
	}
	if callee.kind == unionType {
		var all []*typ
		for _, v := range callee.args {
			if v.kind != noneType {
				all = append(all, f.call(v, args).depending(v.unless))
			}
		}
		return joinAll(all)
	}
	return f.call(callee, args).depending(callee.overrides())
}

// compared returns the type of the objects that the function key of a call of sorted, max, min or list.sort gets.
func (f *frame) compared(x *source.Tree, callee *typ, args []argument) *typ {
	switch {
	case x.X.Kind == source.Name && (x.X.Name == "sorted" || x.X.Name == "max" || x.X.Name == "min") && f.isBuiltinName(x.X.Name):
		if len(args) == 0 || slices.ContainsFunc(args, func(a argument) bool { return a.spread }) {
			return nil
		}
		if len(args) > 1 && args[1].name == "" {
			var all []*typ
			for _, a := range args {
				if a.name == "" {
					all = append(all, a.t)
				}
			}
			return joinAll(all)
		}
		return f.element(args[0].t)
	case x.X.Kind == source.Attribute && x.X.Name == "sort" && callee != nil && callee.kind == functionType && isBuiltin(callee.self, "list"):
		return f.element(callee.self)
	}
	return nil
}

// super returns the type of the result of super() in a method, or nil if the class that follows in the method resolution
// order is not known.
func (f *frame) super() *typ {
	self := f.name(f.self)
	if f.class == nil || f.self == "" || self == nil || self.class == nil || !f.class.whole || len(f.class.mro) < 3 || len(f.class.bases) == 0 || f.class.bases[0].class != f.class.mro[1] {
		return nil
	}
	base := *f.class.bases[0]
	base.kind, base.exact, base.open, base.self = self.kind, false, false, self
	if isOpen(base.args) {
		base.args = make([]*typ, len(base.args))
	}
	return &base
}

// isBuiltinName reports whether a name refers to what builtins declares.
func (f *frame) isBuiltinName(name string) bool {
	if _, ok := f.locals[name]; ok && f.def != nil {
		return false
	}
	return f.file.scope.names[name] == nil
}

// opened returns the type of the result of the builtin function open, or of a method that calls it. position is that of
// the argument mode.
func (f *frame) opened(x *source.Tree, position int) *typ {
	mode := "r"
	if a := x.Argument("mode", position); a != nil {
		if a.Kind != source.String {
			return nil
		}
		mode = a.Name
	}
	class := "TextIOWrapper"
	if strings.Contains(mode, "b") {
		if x.Argument("buffering", position+1) != nil {
			return nil
		}
		class = "BufferedReader"
		switch {
		case strings.Contains(mode, "+"):
			class = "BufferedRandom"
		case strings.ContainsAny(mode, "wax"):
			class = "BufferedWriter"
		}
	}
	return f.instance(f.standard("_pyio", class))
}

// call returns the type of the result of calling a value.
func (t *Types) call(callee *typ, args []argument) *typ {
	if callee == nil {
		return nil
	}
	switch callee.kind {
	case classObject:
		return t.construct(callee, args)
	case functionType:
		return t.callDef(callee.def, callee.self, args)
	case instanceType:
		m, _ := t.member(callee, "__call__")
		if m != nil && m.kind == functionType {
			return t.callDef(m.def, m.self, args)
		}
	}
	return nil
}

// construct returns the object that a call of a class creates.
func (t *Types) construct(callee *typ, args []argument) *typ {
	c := callee.class
	if c == nil {
		if len(callee.args) == 1 {
			return callee.args[0]
		}
		return nil
	}
	if c.e.mod.dist == t.stubs {
		return t.constructBuiltin(callee, args)
	}
	if !c.whole {
		if b, owner := t.find(c, "__new__"); b != nil && owner.name != "object" {
			return nil
		}
	}
	if slices.ContainsFunc(c.mro, func(k *classType) bool { return k.name == "type" && k.e.mod.dist == t.stubs }) {
		return nil // a class, whose attributes are those of its bases
	}
	out := &typ{kind: instanceType, class: c, args: callee.args, exact: callee.exact, made: !callee.exact, received: callee.received}
	if meta := t.r.metaclass(c.e); meta != nil && !plainMetaclasses[meta.full()] {
		if meta.known() && meta.isClass() {
			if b, _ := t.find(t.classOf(meta), "__call__"); b != nil {
				return nil
			}
		} else {
			return nil
		}
	}
	if b, owner := t.find(c, "__new__"); b != nil && owner.e.mod.dist != t.stubs && b.stmt != nil {
		if b.stmt.Kind != source.Def {
			return nil
		}
		out.exact = false // It may return an object of a derived class.
		if b.stmt.Returns != "" && !makesItself(b.stmt.Returns, owner.name) {
			if x := t.annotation(b.scope, source.Annotation(b.stmt.Returns).Type(), b.stmt, maxTypeDepth); x == nil || x.kind != variableType {
				return nil
			}
		}
	}
	if len(c.params) > 0 && len(callee.args) == 0 {
		v := bindings{}
		if b, owner := t.find(c, "__init__"); b != nil && owner == c && b.stmt != nil && b.stmt.Kind == source.Def {
			t.solveConstructor(c, b, args, v)
		}
		for _, p := range c.params {
			out.args = append(out.args, widen(v[p]))
		}
	}
	return out
}

// solveConstructor finds the types of the type parameters of a class from the arguments of its constructor, or from the type
// that an overload declares for self.
func (t *Types) solveConstructor(c *classType, b *binding, args []argument, v bindings) {
	stmts := b.overloads
	if len(stmts) == 0 {
		stmts = []*source.Stmt{b.stmt}
	}
	def := &callable{b: b, owner: c}
	var stmt *source.Stmt
	for _, s := range stmts {
		if len(stmts) > 1 && (!t.accepts(def, s, none, args) || t.rejects(def, s, none, args)) {
			continue
		}
		if stmt != nil {
			return // either of two overloads may apply
		}
		stmt = s
		if t.matches(def, s, none, args) {
			break
		}
	}
	if stmt == nil {
		return
	}
	t.solve(b, stmt, true, args, v)
	params := source.Params(stmt.Params)
	if len(params) == 0 || params[0].Annotation == "" {
		return
	}
	self := t.annotation(b.scope, source.Parse(params[0].Annotation), stmt, maxTypeDepth)
	if self == nil || self.class != c {
		return
	}
	for i, p := range c.params {
		if i < len(self.args) && self.args[i] != nil && !self.args[i].open {
			v[p] = self.args[i]
		}
	}
}

// constructBuiltin returns the object that a call of a builtin class creates.
func (t *Types) constructBuiltin(callee *typ, args []argument) *typ {
	c := callee.class
	out := &typ{kind: instanceType, class: c, args: callee.args, exact: callee.exact}
	first := func() *typ {
		if len(args) == 1 && args[0].name == "" && !args[0].spread {
			return t.frame().element(args[0].t)
		}
		return nil
	}
	switch c.name {
	case "list", "set", "frozenset", "tuple":
		if len(out.args) == 0 {
			out.args = []*typ{widen(first())}
		}
	case "dict":
		if len(out.args) == 0 {
			out.args = []*typ{nil, nil}
			if len(args) == 1 && isBuiltin(args[0].t, "dict") && args[0].name == "" && len(args[0].t.args) == 2 {
				out.args = args[0].t.args
			} else {
				out.args = t.entries(args)
			}
		}
	case "type", "super", "property", "staticmethod", "classmethod", "object":
		return nil
	default:
		if b, owner := t.find(c, "__init__"); len(out.args) == 0 && len(c.params) > 0 && owner == c {
			v := bindings{}
			t.solveConstructor(c, b, args, v)
			for _, p := range c.params {
				out.args = append(out.args, widen(v[p]))
			}
		}
	}
	return out
}

// frame returns a frame in which only types are computed.
func (t *Types) frame() *frame { return &frame{Types: t, quiet: 1} }

// maxCandidates is the maximum number of overloads that may accept the arguments of a call.
const maxCandidates = 16

// callDef returns the type of the result of a function.
func (t *Types) callDef(def *callable, self *typ, args []argument) *typ {
	switch {
	case def == nil || def.opaque:
		return nil
	case def.local != nil:
		return t.localResult(def)
	case def.b == nil:
		return def.result
	case t.replacesCopy(def, args):
		return nil
	}
	var results []*typ
	var candidates []map[*argument]string
	for _, stmt := range def.stmts {
		if len(def.stmts) > 1 && (!t.accepts(def, stmt, self, args) || t.rejects(def, stmt, self, args)) {
			continue
		}
		if slices.ContainsFunc(candidates, func(unfit map[*argument]string) bool { return t.shadows(unfit, def, stmt, self, args) }) {
			continue
		}
		r := t.result(def, stmt, self, args)
		if len(def.stmts) == 1 {
			return r
		}
		results = append(results, r)
		unfit := t.unfit(def, stmt, self, args)
		if len(unfit) == 0 {
			break
		}
		if candidates = append(candidates, unfit); len(candidates) > maxCandidates {
			return nil
		}
	}
	if len(results) == 0 {
		return nil
	}
	if len(results) > 1 {
		for _, r := range results[1:] {
			if !same(r, results[0], maxTypeDepth) {
				return nil
			}
		}
	}
	return results[len(results)-1]
}

// replacesCopy reports whether a call of copy.copy or copy.deepcopy copies an object whose class has a method that creates
// the copy, which may be of another class.
func (t *Types) replacesCopy(def *callable, args []argument) bool {
	if mod := def.b.scope.file.mod; mod.dist != t.stubs || mod.name != "copy" {
		return false
	}
	for _, a := range args {
		for _, x := range a.t.variants() {
			for _, name := range []string{"__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"} {
				if x == nil || x.class == nil {
					continue
				}
				if b, _ := t.find(x.class, name); b != nil {
					return true
				}
			}
		}
	}
	return false
}

// parameters returns the parameters of a function that callers pass.
func parameters(def *callable, stmt *source.Stmt, self *typ) []source.Param {
	params := source.Params(stmt.Params)
	if def.owner != nil && !def.static && (self != nil || def.class) && len(params) > 0 && params[0].Kind <= source.Positional {
		params = params[1:]
	}
	return params
}

// solve finds the types of type variables from the arguments of a call.
func (t *Types) solve(b *binding, stmt *source.Stmt, bound bool, args []argument, v bindings) {
	def := &callable{b: b}
	var self *typ
	if bound {
		def.owner, self = &classType{}, none
	}
	t.eachArgument(def, stmt, self, args, func(p *source.Param, a *argument) {
		if p == nil || p.Annotation == "" {
			return
		}
		if declared := t.annotation(b.scope, source.Parse(p.Annotation), stmt, maxTypeDepth); declared != nil && declared.open {
			t.unify(declared, a.t, v, maxTypeDepth)
		}
	})
}

// unify finds the types of the type variables in a declared type for which a value has that type. A variable for which
// this fails is nil in v.
func (t *Types) unify(declared, x *typ, v bindings, depth int) {
	switch {
	case declared == nil || !declared.open || depth == 0:
		return
	case x == nil && declared.kind == instanceType:
		for _, d := range declared.args {
			t.unify(d, nil, v, depth-1)
		}
		return
	}
	switch declared.kind {
	case variableType:
		if old, ok := v[declared.name]; ok && declared.name != "Self" {
			v[declared.name] = join(old, x)
		} else {
			v[declared.name] = widen(x)
		}
	case unionType:
		var rest *typ
		if x != nil {
			rest = x.without(func(u *typ) bool {
				return slices.ContainsFunc(declared.args, func(d *typ) bool {
					return !d.open && same(d, u, maxTypeDepth) || d.kind == noneType && u.kind == noneType
				})
			})
		}
		for _, d := range declared.args {
			isClass := d.kind == classObject && d.class == nil && rest != nil && rest.kind == classObject
			isFunction := d.kind == functionType && rest != nil && (rest.kind == functionType || rest.kind == classObject)
			if d.kind == variableType || isClass || isFunction || rest != nil && d.class != nil && rest.class != nil && slices.Contains(rest.class.mro, d.class) {
				t.unify(d, rest, v, depth-1)
				return
			}
		}
	case instanceType:
		if x == nil || x.kind != instanceType || x.class == nil {
			if x != nil && len(declared.args) == 1 && (declared.class.name == "Iterable") {
				t.unify(declared.args[0], t.frame().element(x), v, depth-1)
			}
			return
		}
		if x.class == declared.class && !x.fixed && !declared.fixed {
			for i, d := range declared.args {
				if i < len(x.args) {
					t.unify(d, x.args[i], v, depth-1)
				}
			}
			return
		}
		if x.fixed && declared.fixed && len(x.args) == len(declared.args) {
			for i, d := range declared.args {
				t.unify(d, x.args[i], v, depth-1)
			}
			return
		}
		switch declared.class.name {
		case "Iterable", "Iterator", "Sequence", "Collection", "Set", "Generator", "Container", "Reversible":
			t.unify(declared.args[0], t.frame().element(x), v, depth-1)
		case "Awaitable", "Coroutine":
			t.unify(declared.args[len(declared.args)-1], t.frame().await(x), v, depth-1)
		case "Mapping", "MutableMapping":
			if isBuiltin(x, "dict") && len(x.args) == 2 && len(declared.args) == 2 {
				t.unify(declared.args[0], x.args[0], v, depth-1)
				t.unify(declared.args[1], x.args[1], v, depth-1)
			}
		default:
			if s := t.superArgs(x, declared.class, maxTypeDepth); s != nil {
				for i, p := range declared.class.params {
					if i < len(declared.args) {
						t.unify(declared.args[i], s[p], v, depth-1)
					}
				}
			}
		}
	case classObject:
		if x != nil && x.kind == classObject && len(declared.args) == 1 && x.class != nil {
			o := *x
			o.kind, o.exact = instanceType, false
			t.unify(declared.args[0], &o, v, depth-1)
		}
	case functionType:
		if x == nil || declared.def.result == nil {
			return
		}
		switch {
		case x.kind == functionType && x.def.b != nil && len(x.def.stmts) == 1:
			t.unify(declared.def.result, t.callDef(x.def, x.self, nil), v, depth-1)
		case x.kind == functionType && x.def.result != nil:
			t.unify(declared.def.result, x.def.result, v, depth-1)
		case x.kind == classObject:
			t.unify(declared.def.result, widen(t.construct(x, nil)), v, depth-1)
		}
	}
}

// result returns the type of the result of one declaration of a function.
func (t *Types) result(def *callable, stmt *source.Stmt, self *typ, args []argument) *typ {
	s := def.b.scope
	if stmt.Returns == "" {
		if x, ok := t.stubResult(def); ok {
			return x
		}
		return t.wrapped(def, t.inferred(def, stmt).inferredFor(def, self), stmt)
	}
	declared := t.declaredResult(s, stmt)
	if declared == nil {
		return nil
	}
	if declared.open {
		v := bindings{}
		if self != nil {
			o := self
			if def.owner != nil {
				maps.Copy(v, t.superArgs(o, def.owner, maxTypeDepth))
			}
			v = v.withSelf(o)
			// The annotation of self may be a type variable.
			if params := source.Params(stmt.Params); len(params) > 0 && params[0].Annotation != "" && def.owner != nil && !def.static {
				if p := t.annotation(s, source.Parse(params[0].Annotation), stmt, maxTypeDepth); p != nil && p.open {
					t.unify(p, o, v, maxTypeDepth)
				}
			}
		} else if def.owner != nil && !def.static {
			return nil
		} else if stmt.Name == "__new__" && len(args) > 0 && args[0].name == "" {
			v = v.withSelf(args[0].t)
		}
		t.eachArgument(def, stmt, self, args, func(p *source.Param, a *argument) {
			if p == nil || p.Annotation == "" {
				return
			}
			if d := t.annotation(s, source.Parse(p.Annotation), stmt, maxTypeDepth); d != nil && d.open {
				t.unify(d, a.t, v, maxTypeDepth)
			}
		})
		declared = v.apply(declared, maxTypeDepth)
	}
	return t.wrapped(def, t.created(def.b, def.owner, self, declared), stmt)
}

// created returns the type of the result that docent's own stubs declare. The functions of the standard library, and the
// methods of its own objects, create strings and numbers of exactly that class.
func (t *Types) created(b *binding, owner *classType, self, x *typ) *typ {
	if x == nil || x.exact || b.scope.file.mod.dist != t.stubs || owner != nil && (self == nil || self.kind != instanceType || !self.exact) || !isBuiltin(x, "str") && !isBuiltin(x, "bytes") && !isNumber(x) {
		return x
	}
	out := *x
	out.exact = true
	return &out
}

// declaredResult returns the annotation of the result of a function.
func (t *Types) declaredResult(s *scope, stmt *source.Stmt) *typ {
	v := t.results[stmt]
	if v == nil {
		v = &inference{t: t.annotation(s, source.Annotation(stmt.Returns).Type(), stmt, maxTypeDepth), done: true}
		t.results[stmt] = v
	}
	return v.t
}

// stubResult returns the result that docent's own stubs declare for a function of the standard library.
func (t *Types) stubResult(def *callable) (x *typ, ok bool) {
	if def.b.scope.file.stub || def.owner != nil {
		return nil, false
	}
	stub := t.stubbed(t.r.declared(def.b))
	if stub == nil || stub.stmt == nil || stub.stmt.Kind != source.Def || stub.stmt.Returns == "" {
		return nil, false
	}
	return t.created(stub, nil, nil, bindings{}.apply(t.declaredResult(stub.scope, stub.stmt), maxTypeDepth)), true
}

// wrapped returns the result of calling a function, which may be a coroutine or a context manager.
func (t *Types) wrapped(def *callable, x *typ, stmt *source.Stmt) *typ {
	if def.manage {
		var inner *typ
		if x != nil && x.kind == instanceType && len(x.args) > 0 {
			inner = x.args[0]
		}
		name := "_GeneratorContextManager"
		if def.async {
			name = "_AsyncGeneratorContextManager"
		}
		c := t.standard("contextlib", name)
		if c == nil {
			return nil
		}
		return t.instance(c, inner)
	}
	if !stmt.Async || x != nil && x.kind == instanceType && x.class != nil && isAsyncIterator(x.class.name) && t.generates(def, stmt) {
		return x
	}
	if x == nil {
		return nil
	}
	return t.instance(t.standard("_collections_abc", "Coroutine"), nil, nil, x)
}

// generates reports whether a function contains yield, so that its declared result is not that of a coroutine.
func (t *Types) generates(def *callable, stmt *source.Stmt) bool {
	f := def.b.scope.file
	if f.stub || f.source == "" {
		return false
	}
	c := t.codeOf(f, stmt)
	return c != nil && yields(c.Body)
}

// isAsyncIterator reports whether a name is that of a type that asynchronous generators return.
func isAsyncIterator(name string) bool {
	return name == "AsyncGenerator" || name == "AsyncIterator" || name == "AsyncIterable"
}
