package modules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// entity returns the type of what an entity refers to.
func (t *Types) entity(e *entity) *typ {
	switch {
	case e == nil:
		return nil
	case e.external != "":
		if name, ok := strings.CutPrefix(e.external, "builtins."); ok {
			return t.builtinName(name)
		}
		if found := t.compiledEntity(e.external); found != nil {
			return t.entity(found)
		}
		return nil
	case e.path == "":
		return &typ{kind: moduleObject, mod: e.mod}
	case e.isClass():
		if e.main().alt != nil && e.main().alt != e.main() && !e.main().alt.typing {
			return nil // there are several classes with the name
		}
		return &typ{kind: classObject, class: t.classOf(e), exact: true}
	}
	if stub := t.stubbed(e); stub != nil {
		if x := t.binding(stub, nil); x != nil {
			return describing(x, t.binding(e.typed(), nil))
		}
	}
	b := e.typed()
	if b == nil {
		return nil
	}
	var owner *classType
	if b.scope.class != nil {
		if c := t.r.declared(b.scope.class); c.known() && c.isClass() {
			owner = t.classOf(c)
		}
	}
	return t.binding(b, owner)
}

// compiledEntity returns what docent's own stubs declare for a dotted name of a compiled module, or nil.
func (t *Types) compiledEntity(dotted string) *entity {
	top, rest, _ := strings.Cut(dotted, ".")
	m := t.r.moduleIn(t.stubs, top)
	if m == nil || m.stub == nil {
		return nil
	}
	if rest == "" {
		if t.r.module(t.r.main, top) != nil {
			return nil
		}
		return &entity{mod: m}
	}
	if b := m.stub.scope.names[rest]; b != nil && b.imported {
		return t.r.followAny(b)
	}
	if b := t.r.at(m.stub.scope, rest); b != nil {
		return t.r.declared(b)
	}
	return nil
}

// compiledName returns the type that docent's own stubs declare for a name that varies because a compiled module has it, and
// Python code for interpreters without that module. It returns nil if no stub declares it.
func (t *Types) compiledName(b *binding) *typ {
	for range maxAlternatives {
		if e := t.r.unreadable(b); e != nil {
			return t.entity(e)
		}
		if b == nil || !b.imported || b.attr == "" {
			return nil
		}
		m := t.r.module(b.scope.file.mod.dist, b.from)
		if m == nil || m.code == nil {
			return nil
		}
		b = m.code.scope.names[b.attr]
	}
	return nil
}

// describing returns the type of what a stub of docent declares, with the function in the code that it describes.
func describing(x, code *typ) *typ {
	if x.kind != functionType || code == nil || code.kind != functionType {
		return x
	}
	def, out := *x.def, *x
	def.code = code.def
	out.def = &def
	return &out
}

// builtinName returns the type of a builtin class or function.
func (t *Types) builtinName(name string) *typ {
	if b := t.builtinBinding(name); b != nil && b.stmt != nil && b.stmt.Kind == source.Def {
		return t.binding(b, nil)
	}
	if c := t.builtin(name); c != nil {
		return &typ{kind: classObject, class: c, exact: true}
	}
	return nil
}

// global returns the type of a name in a module.
func (t *Types) global(f *file, name string) *typ {
	b := f.scope.names[name]
	if b != nil && b.annotation == nil && reassigned(b) {
		return nil
	}
	if t.r.varies(b) {
		return t.compiledName(b)
	}
	if b != nil && !b.imported && b.stmt != nil && b.stmt.Kind == source.Assign && f.mod.stub == nil {
		return t.binding(b, nil)
	}
	e := t.r.lookup(f.mod, name, f.stub)
	if e == nil {
		if f.scope.computed() || f.computed() {
			return nil
		}
		return t.builtinName(name)
	}
	return t.entity(e)
}

// computed reports whether imports of all names of a module may bind further names.
func (s *scope) computed() bool { return len(s.stars) > 0 }

// binding returns the type of a declaration. owner is the class that contains it, or nil.
func (t *Types) binding(b *binding, owner *classType) *typ {
	v := t.values[b]
	if v != nil {
		if !v.done {
			return nil
		}
		return v.t
	}
	v = &inference{}
	t.values[b] = v
	if t.depth++; t.depth <= maxInference {
		v.t = t.findBinding(b, owner)
	}
	t.depth--
	v.done = true
	return v.t
}

func (t *Types) findBinding(b *binding, owner *classType) *typ {
	switch {
	case b.imported:
		if t.r.varies(b) {
			return t.compiledName(b)
		}
		return t.entity(t.r.followAny(b))
	case b.annotation != nil:
		return t.variable(b)
	case b.stmt == nil:
		return nil
	case b.stmt.Kind == source.Class:
		if b.alt != nil {
			return nil
		}
		if e := t.r.declared(b); e.known() && e.isClass() {
			return &typ{kind: classObject, class: t.classOf(e), exact: true}
		}
		return nil
	case b.stmt.Kind == source.Def:
		return t.function(b, owner)
	case b.stmt.Kind != source.Assign || b.value.Text() == "":
		return nil
	}
	if reassigned(b) {
		return nil
	}
	if c := t.madeClass(b); c != nil {
		return &typ{kind: classObject, class: c, exact: true}
	}
	// All values that the scope assigns.
	var all []*typ
	for n, x := 0, b; x != nil; n, x = n+1, x.alt {
		if n > maxAlternatives || x.imported || x.stmt == nil || x.stmt.Kind != source.Assign || x.stmt.Op != "" && x.stmt.Op != "+=" && x.stmt.Op != "|=" || len(x.value.Text()) > maxKeptValue {
			return nil
		}
		if len(x.stmt.Targets) != 1 && x.stmt.Kind == source.Assign && !slices.Contains(x.stmt.Targets, x.name) {
			return nil
		}
		if !slices.ContainsFunc(x.stmt.Targets, func(target string) bool { return target == x.name || strings.HasSuffix(target, "."+x.name) }) {
			return nil // as in a, b = c
		}
		if x.stmt.Op == "" {
			all = append(all, t.static(x.scope, x.value.Tree(), x.stmt.Line))
		}
	}
	return widen(joinAll(all))
}

// maxKeptValue is the maximum size in bytes of a value whose type is inferred.
const maxKeptValue = 16 << 10

// widen returns the type of a variable that other code may assign: an object that is not known to be of exactly the
// class.
func widen(x *typ) *typ {
	if x == nil || !x.exact {
		return x
	}
	y := *x
	y.exact = false
	return &y
}

// variable returns the type that an annotation of a variable declares.
func (t *Types) variable(b *binding) *typ {
	tree := b.annotation.Type()
	switch lastOf("." + tree.Dotted()) {
	case "Final":
		if b.value.Text() != "" && len(b.value.Text()) < maxKeptValue && !b.instance { // a method's value contains its variables
			return t.static(b.scope, b.value.Tree(), 0)
		}
		return nil
	case "TypeAlias":
		return nil
	}
	return t.annotation(b.scope, tree, nil, maxTypeDepth)
}

// globalStatement matches statements that let functions assign a variable of the module.
var globalStatement = regexp.MustCompile(`(?m)^[ \t]+global[ \t]+([\w, \t]+)`)

// reassigned reports whether a function may assign a variable of a module.
func reassigned(b *binding) bool {
	f := b.scope.file
	if b.scope.class != nil || f.source == "" {
		return false
	}
	if f.globals == nil {
		f.globals = map[string]bool{}
		if strings.Contains(f.source, "global ") {
			for _, found := range globalStatement.FindAllStringSubmatch(f.source, -1) {
				for name := range strings.SplitSeq(found[1], ",") {
					f.globals[strings.TrimSpace(name)] = true
				}
			}
		}
	}
	return f.globals[b.name]
}

// static returns the type of an expression in a module or class outside functions. line is the line of its statement, or
// 0 if it is not known.
func (t *Types) static(s *scope, x *source.Tree, line int) *typ {
	f := &frame{Types: t, file: s.file, scope: s, quiet: 1, limit: maxResultSteps, line: line}
	return f.value(x)
}

// function returns the type of a function.
func (t *Types) function(b *binding, owner *classType) *typ {
	stmt := b.stmt
	def := &callable{b: b, stmts: b.overloads, owner: owner, async: stmt.Async}
	if len(def.stmts) == 0 {
		def.stmts = []*source.Stmt{stmt}
	} else if !isOverload(stmt) && b.scope.file.stub {
		def.stmts = append(slices.Clip(def.stmts), stmt)
	}
	def.opaque = b.varies || b.alt != nil && !b.alt.typing && b.alt.stmt != nil && b.alt.stmt.Kind == source.Def && !isOverload(b.alt.stmt) && otherResult(stmt, b.alt.stmt)
	out := &typ{kind: functionType, def: def}
	if owner != nil {
		def.static = stmt.Name == "__new__"
		def.class = stmt.Name == "__init_subclass__" || stmt.Name == "__class_getitem__"
	}
	for _, d := range slices.Backward(stmt.Decorators) {
		tree := d.Tree()
		name := lastOf("." + tree.Function())
		switch name {
		case "staticmethod":
			def.static = true
		case "classmethod":
			def.class = true
		case "property", "cached_property", "abstractproperty", "hybrid_property", "getter", "setter", "deleter":
			if name == "cached_property" || name == "hybrid_property" {
				if e := t.r.resolve(b.scope, tree.Function()); e != nil && !strings.HasPrefix(e.full(), "functools.") && !strings.HasPrefix(e.full(), "werkzeug.") && !strings.HasPrefix(e.full(), "django.") {
					return t.described(b.scope, stmt, out)
				}
			}
			out.kind = propertyType
		case "abstractmethod", "overload", "override", "final", "wraps", "deprecated", "no_type_check", "coroutine":
			if name == "no_type_check" || name == "coroutine" || name == "wraps" {
				def.opaque, def.forwarded = true, false
			}
		case "lru_cache", "cache":
			// A call has the same result; its attributes are not looked up.
		case "contextmanager", "asynccontextmanager":
			if e := t.r.resolve(b.scope, tree.Function()); e.known() && e.mod.name != "contextlib" {
				out = t.decorated(b.scope, tree, out)
				break
			}
			def.manage = true
			def.async = name == "asynccontextmanager"
		default:
			if x := t.described(b.scope, stmt, out); x != nil {
				return x
			}
			if !t.preserves(b.scope, tree) {
				out = t.decorated(b.scope, tree, out)
			}
		}
		def = out.def
	}
	if def.opaque && out.kind == propertyType {
		return nil
	}
	return out
}

// described returns the type of an attribute whose class the only decorator of a method is: that of the result of __get__, or of
// the method if the name of the decorator says that it is a property. It returns nil if the decorator is another one, or if the method
// does not declare its result.
func (t *Types) described(s *scope, stmt *source.Stmt, method *typ) *typ {
	if method.kind != functionType || method.def.owner == nil || stmt.Returns == "" || len(stmt.Decorators) != 1 || stmt.Decorators[0].Tree().Dotted() == "" {
		return nil
	}
	decorator := t.static(s, stmt.Decorators[0].Tree(), 0)
	if decorator == nil || decorator.kind != classObject || decorator.class == nil {
		return nil
	}
	get, _ := t.find(decorator.class, "__get__")
	switch {
	case get == nil || get.stmt == nil:
		return nil
	case get.stmt.Returns != "":
		return widen(t.construct(decorator, []argument{{t: method}}))
	case !stmt.Async && strings.HasSuffix(decorator.class.name, "property"):
		property := *method
		property.kind = propertyType
		return &property
	}
	return nil
}

// decorated returns the type of what a decorator returns for a function, according to its declaration. The result is opaque if
// it is not a function.
func (t *Types) decorated(s *scope, tree *source.Tree, function *typ) *typ {
	opaque, out := *function.def, *function
	opaque.forwarded = (!opaque.opaque || opaque.forwarded) && t.r.forwards(s, tree) != forwardsNothing
	opaque.opaque = true
	out.def = &opaque
	if function.def.owner != nil && function.def.b != nil && function.def.b.stmt.Returns == "" {
		return &out // a derived class may override it
	}
	e := t.r.resolve(s, tree.Function())
	if tree.Kind == source.Call || function.kind != functionType || function.def.opaque || function.def.class || function.def.static || !e.known() || !e.isDef() || e.typed().stmt.Returns == "" {
		return &out
	}
	x := t.call(t.static(s, tree, 0), []argument{{t: function}})
	if x == nil || x.kind != functionType || x.def.b != nil || x.def.result == nil || x.open {
		return &out
	}
	def := *function.def
	def.b, def.stmts, def.result = nil, nil, x.def.result
	out.def = &def
	return &out
}

// preserves reports whether a decorator returns the function that it gets, or one with the same results, according to its
// declaration or code.
func (t *Types) preserves(s *scope, tree *source.Tree) bool {
	if t.r.forwards(s, tree) == forwardsCall {
		return true
	}
	e := t.r.resolve(s, tree.Function())
	if !e.known() || !e.isDef() {
		return false
	}
	b := e.typed()
	stmt := b.stmt
	if len(b.overloads) > 0 {
		return false
	}
	variable := func(text string) string {
		text = strings.Trim(text, `"' `)
		if x := t.annotation(b.scope, source.Parse(text), stmt, 2); x != nil && x.kind == variableType {
			return x.name
		}
		return ""
	}
	returns := source.Annotation(stmt.Returns).Type()
	if tree.Kind == source.Call { // a function that returns the decorator
		if returns.Kind != source.Subscript || lastOf("."+returns.X.Dotted()) != "Callable" || len(returns.Args) != 2 || returns.Args[0].Kind != source.List || len(returns.Args[0].Args) != 1 {
			return false
		}
		in := variable(returns.Args[0].Args[0].Text)
		return in != "" && in == variable(returns.Args[1].Text)
	}
	params := source.Params(stmt.Params)
	if b.scope.class != nil && len(params) > 0 {
		params = params[1:]
	}
	if len(params) == 0 || stmt.Returns == "" {
		return false
	}
	in := variable(params[0].Annotation)
	return in != "" && in == variable(stmt.Returns)
}
