package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// classType is a class with what is known about it.
type classType struct {
	e      *entity
	stub   *binding // the class in docent's own stubs, or nil
	name   string
	params []string // type parameters
	bases  []*typ   // with type arguments, in terms of params
	mro    []*classType
	// whole is false if a base is unknown.
	whole     bool
	mixin     bool             // whether only objects of the class itself are closed, once it is known whether the class is
	setters   []declaredMember // methods that add attributes if code of another package calls them
	adds      []string         // the attributes that code adds when it creates the class, see added
	closed    [2]int8          // whether all attributes are known, of its objects and of the class itself: 0 if not yet known, 1 for no, 2 for yes
	ready     bool
	attribute map[string]*inference
	runs      map[string]*inference // attributes that methods assign, by name
	methods   map[int]bool          // lines of the methods that were evaluated for them
	body      *source.Code
	parsed    bool
	// calls are the ways to call the class, once they are constructed.
	calls       []signature
	constructed bool
}

// classOf returns the class that an entity declares.
func (t *Types) classOf(e *entity) *classType {
	e = t.canonical(e)
	b := e.main()
	if c := t.classes[b]; c != nil {
		return c
	}
	c := &classType{e: e, name: b.name, whole: true, attribute: map[string]*inference{}, runs: map[string]*inference{}, methods: map[int]bool{}}
	t.classes[b] = c
	c.stub = t.stubbed(e)
	c.mro = []*classType{c}
	t.findBases(c)
	return c
}

// canonical returns the class of the standard library that a stub of docent describes.
func (t *Types) canonical(e *entity) *entity {
	if e.mod == nil || e.mod.dist != t.stubs || e.mod.name == "builtins" {
		return e
	}
	if m := t.r.module(t.r.main, e.mod.name); m != nil {
		if found := t.r.lookup(m, e.path, false); found.known() && found.path != "" && found.isClass() {
			return found
		}
	}
	return e
}

// findBases finds the bases, the method resolution order and the type parameters of a class.
func (t *Types) findBases(c *classType) {
	defer func() { c.ready = true }()
	b := c.e.typed()
	if c.stub != nil {
		b = c.stub
	}
	if b.stmt == nil || b.stmt.Kind != source.Class {
		c.whole = false
		return
	}
	c.params = append(c.params, typeParams(b.stmt.TypeParams)...)
	generic := false
	for _, a := range b.stmt.Call().Args {
		if a.Kind != source.Subscript {
			continue
		}
		name := lastOf("." + a.X.Dotted())
		if (name == "Generic" || name == "Protocol") && !generic {
			generic = true
			c.params = nil
		}
		if generic && name != "Generic" && name != "Protocol" {
			continue
		}
		for _, x := range a.Args {
			t.variables(b.scope, x, &c.params, maxTypeDepth)
		}
	}
	seen := map[*classType]bool{c: true}
	add := func(k *classType) {
		if !seen[k] {
			seen[k] = true
			c.mro = append(c.mro, k)
		}
	}
	order := t.r.mro(c.e)[1:]
	if len(order) > maxAncestors {
		c.whole = false
		return
	}
	for _, e := range order {
		k := t.base(e)
		switch {
		case k == nil && ignoredBases[cmp.Or(e.external, e.full())]:
		case k == nil:
			c.whole = false
		default:
			c.whole = c.whole && k.ready && k.whole
			add(k)
			if k.e.mod.dist == t.stubs { // order does not contain the bases of builtin classes
				for _, inner := range k.mro {
					if inner.name != "object" {
						add(inner)
					}
				}
			}
		}
	}
	for name, is := range map[string]bool{"tuple": t.isNamedTuple(c), "dict": t.r.styleOf(c.e) == typedDict} {
		if is && c.whole {
			if k := t.builtin(name); k != nil {
				add(k)
			}
		}
	}
	for _, stmtBinding := range []*binding{c.stub, c.e.main()} {
		if stmtBinding == nil || stmtBinding.stmt == nil || stmtBinding.stmt.Kind != source.Class {
			continue
		}
		for _, a := range stmtBinding.stmt.Call().Args {
			if a.Kind == source.Keyword || a.Kind == source.Starred {
				continue
			}
			if x := t.annotation(stmtBinding.scope, a, nil, maxTypeDepth); x != nil && x.kind == instanceType && x.class != c {
				c.bases = append(c.bases, x)
			}
		}
	}
	if c.name != "object" || c.e.mod.dist != t.stubs {
		if object := t.builtin("object"); object != nil {
			add(object)
		}
	}
}

// ignoredBases are bases that have no public members. Docent's own stubs do not import Generic.
var ignoredBases = set("Generic", "typing.Generic", "typing_extensions.Generic", "typing.Protocol", "typing_extensions.Protocol", "object", "builtins.object", "abc.ABC",
	"typing.NamedTuple", "typing_extensions.NamedTuple", "typing.TypedDict", "typing_extensions.TypedDict")

// base returns the class of a base, or nil if it is unknown.
func (t *Types) base(e *entity) *classType {
	switch {
	case e.external != "":
		if name, ok := strings.CutPrefix(e.external, "builtins."); ok {
			return t.builtin(name)
		}
		if found := t.compiledEntity(e.external); found != nil && found.path != "" && found.isClass() {
			return t.classOf(found)
		}
		return nil
	case e.path == "":
		return nil
	case e.isClass():
		return t.classOf(e)
	case e.known() && e.code != nil && e.stub == nil && e.code.stmt != nil && e.code.stmt.Kind == source.Assign:
		return t.madeClass(e.code)
	}
	return nil
}

// typeParams returns the names of the type parameters in brackets.
func typeParams(text string) (names []string) {
	if text == "" {
		return nil
	}
	for _, p := range source.Params(text) {
		names = append(names, strings.TrimLeft(p.Name, "*"))
	}
	return names
}

// variables adds the type variables in a tree of a type.
func (t *Types) variables(s *scope, x *source.Tree, names *[]string, depth int) {
	if x == nil || depth == 0 {
		return
	}
	if x.Kind == source.Name || x.Kind == source.Attribute {
		if v := t.annotation(s, x, nil, 1); v != nil && v.kind == variableType && !slices.Contains(*names, v.name) {
			*names = append(*names, v.name)
		}
		return
	}
	t.variables(s, x.X, names, depth-1)
	for _, a := range x.Args {
		t.variables(s, a, names, depth-1)
	}
}

// isClosed reports whether all members of the objects of a class are known or, if itself is true, those of the class.
func (t *Types) isClosed(c *classType, itself bool) bool {
	closed := &c.closed[0]
	if itself {
		closed = &c.closed[1]
	}
	if *closed == 0 {
		*closed = 1
		if t.findClosed(c, itself) {
			*closed = 2
		}
	}
	return *closed == 2
}

// completeStubs are docent's own stubs that contain all public members of their classes.
var completeStubs = set("builtins", "re", "types", "_asyncio", "_collections", "_contextvars", "_csv", "_decimal", "_hashlib", "_io", "_socket", "_sqlite3", "_thread", "posix")

func (t *Types) findClosed(c *classType, itself bool) bool {
	if !c.whole {
		return false
	}
	if c.e.mod.dist == t.stubs {
		return completeStubs[c.e.mod.name] && c.name != "object" && c.name != "type" && c.name != "property" && c.name != "staticmethod" && c.name != "classmethod"
	}
	switch style := t.r.styleOf(c.e); {
	case style == typedDict || t.isNamedTuple(c):
		return !slices.ContainsFunc(c.mro, func(k *classType) bool { return k.e.mod.dist != t.stubs && !t.r.tellsAll(k.e) }) && slices.ContainsFunc(c.mro, func(k *classType) bool {
			return k.e.mod.dist == t.stubs && k.name != "object"
		})
	case style == protocol:
		return false // objects of any class with the members of the protocol may have others
	}
	if t.isComplete(c.e) {
		return true
	}
	setters, closed := t.doc.closedUnless(c.e, nil, itself)
	if closed {
		c.setters, c.mixin = setters, t.r.hasMixin(t.r.mro(c.e))
		c.adds = t.r.added(c.e)
	}
	return closed && !slices.ContainsFunc(setters, func(m declaredMember) bool { return t.isOwn(m.class.mod.dist) })
}

// isComplete reports whether docent's own stubs declare all public members of a class.
func (t *Types) isComplete(e *entity) bool {
	if e.external != "" {
		e = t.compiledEntity(e.external)
	}
	if e == nil || e.mod == nil || e.path == "" {
		return false
	}
	stub := t.stubbed(e)
	return stub != nil && completeStubs[stub.scope.file.mod.name] || e.mod.dist == t.stubs && completeStubs[e.mod.name]
}

// superArgs returns the types of the type parameters of a class that an object inherits from.
func (t *Types) superArgs(x *typ, owner *classType, depth int) bindings {
	if x == nil || owner == nil || len(owner.params) == 0 || depth == 0 {
		return nil
	}
	if x.class == owner {
		v := bindings{}
		switch {
		case x.fixed && owner.name == "tuple":
			v[owner.params[0]] = joinAll(x.args)
		default:
			for i, p := range owner.params {
				if i < len(x.args) {
					v[p] = x.args[i]
				}
			}
		}
		return v
	}
	if x.class == nil {
		return nil
	}
	for _, base := range x.class.bases {
		if base.class == nil || !slices.Contains(base.class.mro, owner) {
			continue
		}
		v := bindings{}
		for i, p := range x.class.params {
			if i < len(x.args) {
				v[p] = x.args[i]
			}
		}
		return t.superArgs(v.apply(base, maxTypeDepth), owner, depth-1)
	}
	return nil
}

// declares returns the declarations of a member in the class itself.
func (t *Types) declares(c *classType, name string) (code, stub, extra *binding) {
	find := func(b *binding) *binding {
		if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
			return nil
		}
		return t.r.inner(b).names[name]
	}
	return find(c.e.code), find(c.e.stub), find(c.stub)
}

// has reports whether a class declares a member without saying more about it.
func (t *Types) has(c *classType, name string) bool {
	return c.e.mod.dist == t.stubs && slices.Contains(compiled()["builtins."+c.name], name)
}

// member returns the type of a member of a value. missing is true if the value does not have it.
func (t *Types) member(x *typ, name string) (m *typ, missing bool) {
	if x == nil {
		return nil, false
	}
	switch x.kind {
	case unionType:
		var found []*typ
		some, all := false, true
		for _, v := range x.args {
			if v.kind == noneType {
				continue
			}
			some = true
			m, none := t.member(v, name)
			if !none {
				all = false
				if found = append(found, m); m == nil {
					return nil, false
				}
			}
		}
		if some && all {
			return nil, true
		}
		return joinAll(found), false
	case moduleObject:
		if x.mod.code != nil && t.r.varies(x.mod.code.scope.names[name]) {
			return t.compiledName(x.mod.code.scope.names[name]), false
		}
		return t.entity(t.r.attribute(&entity{mod: x.mod}, name)), false
	case instanceType, classObject:
		if x.self != nil { // super(), which may also find members of other bases of a derived class
			m, _ := t.classMember(x, x.self, x.class, name, 0)
			return m, false
		}
		return t.classMember(x, x, x.class, name, 0)
	}
	return nil, false
}

// classMember looks for a member of x, beginning after the first skip classes of the method resolution order of c. The
// member is bound to self.
func (t *Types) classMember(x, self *typ, c *classType, name string, skip int) (m *typ, missing bool) {
	if c == nil || !c.ready {
		return nil, false
	}
	for i, owner := range c.mro {
		if i < skip {
			continue
		}
		code, stub, extra := t.declares(owner, name)
		if code == nil && stub == nil && extra == nil {
			if t.has(owner, name) {
				return nil, false
			}
			continue
		}
		if owner.name == "object" && owner.e.mod.dist == t.stubs && !c.whole {
			return nil, false
		}
		if stub == nil && extra == nil && code.instance && code.annotation == nil && t.isSet(c.mro[i+1:], name) {
			continue
		}
		if owner.e.mod.name == enumModule && x.kind == instanceType && t.r.styleOf(c.e) == enumeration {
			if m := t.enumAttribute(c, name); m != nil {
				return m, false
			}
		}
		a := t.attributeOf(owner, name, code, stub, extra)
		return t.bind(x, self, owner, a), false
	}
	if m := t.namedTupleMember(x, c, name); m != nil {
		return m, false
	}
	if !t.isClosed(c, x.kind == classObject) || c.mixin && !x.exact || strings.HasPrefix(name, "__") || isAdded(c.adds, name) {
		return nil, false
	}
	for _, owner := range c.mro { // in ways that the declarations do not show, such as targets over several lines
		if body := t.bodyOf(owner); body != nil && assigns(body.Body, source.Attribute, name) {
			return nil, false
		}
	}
	if x.kind == classObject {
		if meta := t.r.metaclass(c.e); meta != nil && !plainMetaclasses[meta.full()] && meta.full() != modelMetaclass {
			return nil, false
		}
		if name == "mro" || name == "register" || strings.HasPrefix(name, "_") { // members of type and abc.ABCMeta
			return nil, false
		}
	}
	return nil, true
}

// namedTupleMember returns a method that a named tuple class or object has besides its fields, or nil.
func (t *Types) namedTupleMember(x *typ, c *classType, name string) *typ {
	if !c.whole || !t.isNamedTuple(c) {
		return nil
	}
	var result *typ
	switch {
	case name == "_make" || name == "_replace" && x.kind == instanceType:
		result = widen(x)
		if x.kind == classObject {
			result = t.instance(c)
		}
	case name == "_asdict" && x.kind == instanceType:
		result = t.frame().made("dict", t.instance(t.builtin("str")), nil)
	default:
		return nil
	}
	return &typ{kind: functionType, def: &callable{static: true, result: result}}
}

// isSet reports whether the first of the classes that declares an attribute declares it as a property, which stores
// what methods of derived classes assign to it.
func (t *Types) isSet(classes []*classType, name string) bool {
	for _, c := range classes {
		code, stub, extra := t.declares(c, name)
		for _, b := range [...]*binding{extra, stub, code} {
			if b != nil && !b.instance {
				return b.stmt != nil && b.stmt.Kind == source.Def && isProperty(b.stmt)
			}
		}
	}
	return false
}

// modelMetaclass gives classes of models only private attributes that they do not declare.
const modelMetaclass = "pydantic._internal._model_construction.ModelMetaclass"

// bind returns the type of a member as it is found in an object.
func (t *Types) bind(x, self *typ, owner *classType, a *typ) *typ {
	if a == nil {
		return nil
	}
	if x.kind == instanceType && a.open {
		if v := t.superArgs(x, owner, maxTypeDepth); v != nil || len(owner.params) > 0 {
			if a.def == nil || a.def.result != nil {
				a = v.withSelf(self).apply(a, maxTypeDepth)
			}
		} else if a.kind != functionType && a.kind != propertyType {
			a = bindings{}.withSelf(self).apply(a, maxTypeDepth)
		}
		if a == nil {
			return nil
		}
	}
	switch a.kind {
	case functionType:
		if a.def.static || a.def.owner == nil || a.self != nil {
			return a
		}
		if x.kind == classObject && !a.def.class {
			return a
		}
		bound := *a
		bound.self = self
		if a.def.class && self.kind == instanceType {
			class := *self
			class.kind = classObject
			bound.self = &class
		}
		return &bound
	case propertyType:
		if x.kind == classObject {
			return nil
		}
		return t.callDef(a.def, self, nil)
	case moduleObject:
		return nil // a derived class or the object itself may replace it
	case instanceType:
		if code, _ := t.find(a.class, "__get__"); code != nil || !a.class.whole {
			if !a.class.whole {
				return nil
			}
			return t.descriptor(x, a)
		}
		if code, _ := t.find(a.class, "__set__"); code != nil && x.kind == instanceType {
			return nil // the object stores another value
		}
	}
	return a
}

// find returns the first declaration of a name in the classes of the method resolution order.
func (t *Types) find(c *classType, name string) (b *binding, owner *classType) {
	for _, owner := range c.mro {
		code, stub, extra := t.declares(owner, name)
		for _, b := range []*binding{extra, stub, code} {
			if b != nil {
				return b, owner
			}
		}
	}
	return nil, nil
}

// descriptor returns the result of __get__ of an attribute.
func (t *Types) descriptor(x, a *typ) *typ {
	get, _ := t.member(a, "__get__")
	if get == nil || get.kind != functionType {
		return nil
	}
	first, second := none, x
	if x.kind == instanceType {
		class := *x
		class.kind = classObject
		first, second = x, &class
	}
	return t.call(get, []argument{{t: first}, {t: second}})
}

// withSelf adds the type Self.
func (v bindings) withSelf(self *typ) bindings {
	if v == nil {
		v = bindings{}
	}
	if self != nil && self.kind == classObject {
		object := *self
		object.kind, object.made = instanceType, object.made || !object.exact
		self = &object
	}
	v["Self"] = self
	return v
}

// attributeOf returns the type of a member as its class declares it.
func (t *Types) attributeOf(c *classType, name string, code, stub, extra *binding) *typ {
	v := c.attribute[name]
	if v != nil {
		if !v.done {
			return nil
		}
		return v.t
	}
	v = &inference{}
	c.attribute[name] = v
	if t.depth++; t.depth <= maxInference {
		v.t = t.findAttribute(c, name, code, stub, extra)
	}
	t.depth--
	v.done = true
	return v.t
}

func (t *Types) findAttribute(c *classType, name string, code, stub, extra *binding) *typ {
	if extra != nil {
		if x := t.binding(extra, c); x != nil {
			if x.def != nil && code != nil && code.stmt != nil && code.stmt.Kind == source.Def {
				def := *x.def
				def.static, def.class, def.owner = name == "__new__", false, c
				for _, d := range code.stmt.Decorators {
					def.static = def.static || d.Text() == "staticmethod"
					def.class = def.class || d.Text() == "classmethod"
				}
				if f := t.binding(code, c); f != nil && f.kind == functionType {
					def.code = f.def
				}
				y := *x
				y.def = &def
				if isProperty(code.stmt) {
					y.kind = propertyType
				}
				return &y
			}
			return x
		}
	}
	b := stub
	if b == nil {
		b = code
	}
	if b == nil {
		return nil
	}
	if t.r.styleOf(c.e) == enumeration && b.stmt != nil && b.stmt.Kind == source.Assign && !b.instance && b.annotation == nil && !strings.HasPrefix(name, "_") {
		return t.instance(c)
	}
	if b.annotation == nil && b.stmt != nil && b.stmt.Kind == source.Assign && t.r.computes(c.e, name) {
		return nil
	}
	if b.instance && (b.annotation == nil || b.stmt.Annotation == nil && t.assignsParameter(c, b.value.Text())) {
		return t.assigned(c, name)
	}
	if (!c.whole || t.replacesAny(c)) && b.annotation == nil && b.stmt != nil && b.stmt.Kind == source.Assign {
		return nil // the metaclass of an unknown base, or a computed name, may give objects another attribute
	}
	x := t.binding(b, c)
	if b.annotation == nil && b.stmt != nil && b.stmt.Kind == source.Assign { // methods may assign other values
		if slices.ContainsFunc(x.variants(), func(v *typ) bool { return v.kind == functionType && (v.def.local != nil || v.def.owner == nil) }) {
			return nil // an instance binds a function that no method declares
		}
		more, found := t.assignedIn(c, name)
		if found {
			x = join(x, more)
		}
	}
	return x
}

// isProperty reports whether a function becomes an attribute.
func isProperty(stmt *source.Stmt) bool {
	return slices.ContainsFunc(stmt.Decorators, func(d *source.Expression) bool {
		name := lastOf("." + d.Text())
		return name == "property" || name == "cached_property"
	})
}

// assignsParameter reports whether __init__ may assign a parameter, which has another type then.
func (t *Types) assignsParameter(c *classType, name string) bool {
	body := t.bodyOf(c)
	return body != nil && slices.ContainsFunc(body.Body, func(s source.Code) bool {
		return s.Kind == source.DefCode && s.Name == "__init__" && assigns(s.Body, source.Name, name)
	})
}

// assigned returns the type of an attribute that methods assign.
func (t *Types) assigned(c *classType, name string) *typ {
	x, _ := t.assignedIn(c, name)
	return x
}

// assignedIn returns the union of the types of the values that the methods of a class assign to an attribute. found is
// false if none assigns it.
func (t *Types) assignedIn(c *classType, name string) (x *typ, found bool) {
	body := t.bodyOf(c)
	if body == nil {
		return nil, true
	}
	t.eachMethod(body.Body, func(method *source.Code) {
		if c.methods[method.Pos] || !assigns(method.Body, source.Attribute, name) {
			return
		}
		c.methods[method.Pos] = true
		t.runMethod(c, method)
	})
	v := c.runs[name]
	if v == nil {
		return nil, false
	}
	return v.t, true
}

// bodyOf returns the statements of a class and of its methods, or nil if they are not known.
func (t *Types) bodyOf(c *classType) *source.Code {
	if !c.parsed {
		c.parsed = true
		t.bodies = append(t.bodies, c)
		if main := c.e.code; main != nil && main.stmt != nil && main.stmt.Kind == source.Class && main.stmt.Line > 0 {
			if body := source.ParseFunction(main.scope.file.source, main.scope.file.offsetOf(main.stmt.Line)); body != nil && body.Kind == source.ClassCode {
				c.body = body
			}
		}
	}
	return c.body
}

// eachMethod calls a function for the methods in the body of a class.
func (t *Types) eachMethod(body []source.Code, f func(*source.Code)) {
	for i := range body {
		switch s := &body[i]; s.Kind {
		case source.DefCode:
			f(s)
		case source.IfCode, source.TryCode:
			t.eachMethod(s.Body, f)
			t.eachMethod(s.Else, f)
		}
	}
}

// assigns reports whether statements may assign a variable or an attribute with a name.
func assigns(body []source.Code, kind source.Node, name string) bool {
	return slices.ContainsFunc(body, func(s source.Code) bool {
		for _, target := range s.Targets {
			if targets(target, kind, name) {
				return true
			}
		}
		for _, item := range s.Items {
			if item.Target != nil && targets(item.Target, kind, name) {
				return true
			}
		}
		return assigns(s.Body, kind, name) || assigns(s.Else, kind, name) || assigns(s.Handlers, kind, name) || assigns(s.Finally, kind, name)
	})
}

// targets reports whether a target contains a variable or an attribute with a name.
func targets(x *source.Tree, kind source.Node, name string) bool {
	switch x.Kind {
	case kind:
		return x.Name == name
	case source.Tuple, source.List:
		return slices.ContainsFunc(x.Args, func(a *source.Tree) bool { return targets(a, kind, name) })
	case source.Starred:
		return targets(x.X, kind, name)
	}
	return false
}
