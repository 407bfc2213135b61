package modules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// frame is a function, class or module whose code is evaluated.
type frame struct {
	*Types
	file  *file
	scope *scope
	outer *frame     // the function around it, or nil
	class *classType // the class around it, or nil
	def   *callable  // the function itself, or nil
	// locals are the indices of variables in env, and of attributes whose types are narrowed.
	locals map[string]int
	env    *environment
	all    []*slot // the union of all types of each variable
	// narrowed contains the keys of attributes in locals.
	narrowed []string
	// quiet is greater than 0 if members that do not exist are not reported.
	quiet   int
	failing int // greater than 0 if calls are expected to fail
	limit   int // the expressions that may still be evaluated; 0 for no limit other than that of the file
	line    int // the line of the statement that is evaluated outside functions, or 0
	self    string
	results []*typ
	yields  []*typ
	yielded bool
	loops   []*loopState
	tries   []*environment
	report  *memberCheck
	stopped bool
	// isolated is true if the variables of the functions around the frame are unknown.
	isolated bool
	inferred *source.Stmt // the function whose result is inferred, or nil
	depth    int
	nested   []*typ          // functions in the function
	escaped  map[string]bool // variables that functions in the function assign
	imports  map[string]bool // variables that imports in the function bind
}

// slot is the type of a variable. Its type may be unknown. A nil slot is not assigned.
type slot struct{ t *typ }

// environment contains the types of variables at a point of the program.
type environment struct {
	slots []*slot
	dead  bool // whether the point is not reached
}

// maxExpression is the maximum nesting of an expression.
const maxExpression = 200

// value returns the type of an expression, after it has evaluated its parts.
func (f *frame) value(x *source.Tree) *typ {
	if x == nil {
		return nil
	}
	if f.steps--; f.steps < 0 || f.depth > maxExpression {
		f.stopped = true
		return nil
	}
	if f.steps%stepsPerCheck == 0 && f.ctx.Err() != nil {
		f.steps, f.stopped = -1, true
		return nil
	}
	if f.limit > 0 {
		if f.limit--; f.limit == 0 {
			f.stopped, f.limit = true, -1
		}
	}
	if f.limit < 0 {
		return nil
	}
	f.depth++
	defer func() { f.depth-- }()
	switch x.Kind {
	case source.Name:
		return f.name(x.Name)
	case source.Attribute:
		return f.attribute(x)
	case source.Call:
		return f.callValue(x)
	case source.Subscript:
		return f.subscript(x)
	case source.String, source.Number, source.Constant:
		return f.literal(x)
	case source.Format:
		f.muted(func() {
			for _, a := range x.Args {
				f.value(a)
			}
		})
		return f.literal(x)
	case source.Other:
		return f.literal(x)
	case source.Tuple:
		return f.tupleValue(x)
	case source.List:
		return f.collection("list", x.Args)
	case source.Set:
		return f.collection("set", x.Args)
	case source.Dict:
		return f.dict(x)
	case source.Binary:
		return f.binary(x)
	case source.Logical:
		return f.logical(x)
	case source.Not:
		f.value(x.X)
		return f.instance(f.builtin("bool"))
	case source.Unary:
		v := f.value(x.X)
		if isNumber(v) {
			if v.class.name == "bool" {
				return f.instance(f.builtin("int"))
			}
			return v
		}
		return nil
	case source.Compare:
		return f.compare(x)
	case source.Condition:
		return f.condition(x)
	case source.Lambda:
		return f.lambda(x, nil)
	case source.Starred, source.Keyword:
		f.value(x.X)
		return nil
	case source.Loop, source.DictLoop:
		return f.comprehension(x)
	case source.Await:
		return f.await(f.value(x.X))
	case source.Yield:
		v := f.value(x.X)
		f.yielded = true
		if x.Name == "yield from" {
			if !f.callsItself(x.X) { // otherwise, the elements are those of the other statements
				f.yields = append(f.yields, f.element(v))
			}
			return nil
		}
		if x.X == nil {
			v = none
		}
		f.yields = append(f.yields, v)
		return nil
	case source.Walrus:
		v := f.value(x.X)
		f.assignName(x.Name, v)
		return v
	case source.Slice:
		f.value(x.X)
		for _, a := range x.Args {
			f.value(a)
		}
	}
	return nil
}

// callsItself reports whether an expression calls the function whose result is inferred.
func (f *frame) callsItself(x *source.Tree) bool {
	if f.inferred == nil || x == nil || x.Kind != source.Call {
		return false
	}
	callee := f.silently(x.X)
	return callee != nil && callee.kind == functionType && !callee.def.opaque && len(callee.def.stmts) == 1 && callee.def.stmts[0] == f.inferred
}

// muted calls a function without reporting members.
func (f *frame) muted(body func()) {
	f.quiet++
	body()
	f.quiet--
}

// name returns the type of a variable.
func (f *frame) name(name string) *typ {
	if f.locals != nil {
		if i, ok := f.locals[name]; ok {
			if f.env != nil && i < len(f.env.slots) && f.env.slots[i] != nil {
				return f.env.slots[i].t
			}
			if f.def != nil {
				return nil
			}
		}
	}
	for o := f.outer; o != nil; o = o.outer {
		if i, ok := o.locals[name]; ok && o.def != nil {
			if i < len(o.all) && !f.isolated && o.all[i] != nil {
				return o.all[i].t
			}
			return nil
		}
	}
	if f.def == nil && f.scope.class != nil {
		if b := f.scope.names[name]; b != nil && !b.instance && b.stmt != nil && (f.line == 0 || b.stmt.Line < f.line || b.scope.file != f.file) {
			return f.binding(b, f.class)
		}
	}
	return f.global(f.file, name)
}

// attribute returns the type of a member, and reports one that does not exist.
func (f *frame) attribute(x *source.Tree) *typ {
	owner := f.value(x.X)
	if key := reference(x); key != "" && f.locals != nil {
		if i, ok := f.locals[key]; ok && f.env != nil && i < len(f.env.slots) && f.env.slots[i] != nil {
			return f.env.slots[i].t
		}
	}
	m, missing := f.member(owner, x.Name)
	m = m.depending(owner.overrides())
	if f.report != nil && f.quiet == 0 && f.limit == 0 && (owner == nil || owner.kind != moduleObject) {
		f.report.add(f, x, owner, m, missing)
		f.checkDeprecated(x, m)
	}
	return m
}

// reference returns the dotted name of a variable or attribute whose type conditions can narrow.
func reference(x *source.Tree) string {
	if x.Kind == source.Walrus {
		return x.Name
	}
	name := x.Dotted()
	if strings.Count(name, ".") > 3 {
		return ""
	}
	return name
}

func (f *frame) tupleValue(x *source.Tree) *typ {
	elements := make([]*typ, 0, len(x.Args))
	starred := false
	for _, a := range x.Args {
		elements = append(elements, f.value(a))
		starred = starred || a.Kind == source.Starred
	}
	if starred || len(elements) > maxVariants*4 {
		return f.instance(f.builtin("tuple"), nil)
	}
	return f.tuple(elements)
}

// collection returns the type of a list or set.
func (f *frame) collection(name string, args []*source.Tree) *typ {
	var element *typ
	for i, a := range args {
		var v *typ
		if a.Kind == source.Starred {
			v = f.element(f.value(a.X))
		} else {
			v = f.value(a)
		}
		if i == 0 {
			element = v
		} else {
			element = join(element, v)
		}
	}
	return f.made(name, widen(element))
}

// made returns the type of an object of exactly a builtin class.
func (f *frame) made(name string, args ...*typ) *typ {
	c := f.builtin(name)
	if c == nil {
		return nil
	}
	return &typ{kind: instanceType, class: c, args: args, exact: true, open: isOpen(args)}
}

// isNumber reports whether a value is an object of a builtin class of numbers.
func isNumber(v *typ) bool {
	return isBuiltin(v, "int") || isBuiltin(v, "float") || isBuiltin(v, "bool") || isBuiltin(v, "complex")
}

// isBuiltin reports whether a value is an object of a builtin class.
func isBuiltin(v *typ, name string) bool {
	return v != nil && v.kind == instanceType && v.class != nil && v.class.name == name && v.class.e.mod.name == "builtins"
}

// binary returns the type of an arithmetic expression.
func (f *frame) binary(x *source.Tree) *typ {
	a, b := f.value(x.X), f.value(x.Args[0])
	return f.operate(a, b, x.Name)
}

func (f *frame) operate(a, b *typ, op string) *typ {
	switch {
	case a == nil || a.kind == unionType || b != nil && b.kind == unionType:
		return nil
	case op == "%" && (isBuiltin(a, "str") || isBuiltin(a, "bytes")):
		return &typ{kind: instanceType, class: a.class, exact: a.exact}
	case op == "*" && (isBuiltin(a, "str") || isBuiltin(a, "bytes") || isBuiltin(a, "list")) && isBuiltin(b, "int"):
		return a
	case op == "+" && b != nil && a.class != nil && a.class == b.class && (isBuiltin(a, "str") || isBuiltin(a, "bytes")):
		return f.instance(a.class)
	case op == "+" && isBuiltin(a, "list") && isBuiltin(b, "list"):
		if len(a.args) == 1 && len(b.args) == 1 {
			return f.made("list", join(a.args[0], b.args[0]))
		}
		return f.made("list")
	case isNumber(a) && isNumber(b):
		switch {
		case isBuiltin(a, "complex") || isBuiltin(b, "complex"):
			return f.instance(f.builtin("complex"))
		case op == "/" || isBuiltin(a, "float") || isBuiltin(b, "float"):
			if op == "**" {
				return nil
			}
			return f.instance(f.builtin("float"))
		case op == "**":
			return nil
		}
		return f.instance(f.builtin("int"))
	}
	method := operators[op]
	if a.kind != instanceType || method == "" || b == nil {
		return nil
	}
	if m, _ := f.member(a, method); m != nil && m.kind == functionType {
		return f.call(m, []argument{{t: b}})
	}
	return nil
}

// operators are the methods of operators.
var operators = map[string]string{"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "|": "__or__", "&": "__and__", "^": "__xor__", "@": "__matmul__", "<<": "__lshift__", ">>": "__rshift__", "**": "__pow__"}

func (f *frame) compare(x *source.Tree) *typ {
	a, b := f.value(x.X), f.value(x.Args[0])
	if x.Name == "is" || x.Name == "is not" || x.Name == "in" || x.Name == "not in" {
		return f.instance(f.builtin("bool"))
	}
	if a != nil && b != nil && a.kind == instanceType && a.class.e.mod.dist == f.stubs && (b.kind == noneType || b.kind == instanceType && b.class.e.mod.dist == f.stubs) {
		return f.instance(f.builtin("bool"))
	}
	return nil
}

// logical returns the type of an and or or expression. The right side is evaluated only if the left one is true or
// false.
func (f *frame) logical(x *source.Tree) *typ {
	a := f.value(x.X)
	saved := f.env
	isAnd := x.Name == "and"
	if saved != nil {
		f.env = saved.clone()
		f.narrow(x.X, isAnd)
	}
	b := f.value(x.Args[0])
	if saved != nil {
		f.env = merge(saved, f.env.revive(saved))
	}
	rest := f.truthy(a)
	if isAnd {
		if a != nil && a.kind == noneType {
			return none
		}
		rest = f.falsy(a)
	}
	if rest == nil && a != nil { // the result is always the right side
		return b
	}
	return join(rest, b)
}

// revive makes a state after an expression that cannot be true reachable.
func (e *environment) revive(before *environment) *environment {
	if e.dead && !before.dead {
		e.dead = false
	}
	return e
}

// truthy returns the type of a value that is true.
func (f *frame) truthy(x *typ) *typ { return x.without(isNone) }

// falsy returns the type of a value that is false.
func (f *frame) falsy(x *typ) *typ {
	if x == nil {
		return nil
	}
	return x.without(func(v *typ) bool {
		if v.kind == instanceType && v.class.whole && v.class.e.mod.dist != f.stubs {
			for _, name := range [...]string{"__bool__", "__len__"} {
				if b, _ := f.find(v.class, name); b != nil {
					return false
				}
			}
			return v.exact
		}
		return v.kind == moduleObject || v.kind == functionType
	})
}

func (f *frame) condition(x *source.Tree) *typ {
	f.value(x.X)
	saved := f.env
	if saved == nil {
		return join(f.value(x.Args[0]), f.value(x.Args[1]))
	}
	f.env = saved.clone()
	f.narrow(x.X, true)
	doubt := f.doubts(x.X)
	f.quiet += doubt
	a := f.value(x.Args[0])
	yes := f.env
	f.env = saved.clone()
	f.narrow(x.X, false)
	b := f.value(x.Args[1])
	f.quiet -= doubt
	f.env = merge(yes.revive(saved), f.env.revive(saved))
	return join(a, b)
}

// lambda returns the type of a lambda. first is the type of its first parameter, or nil.
func (f *frame) lambda(x *source.Tree, first *typ) *typ {
	def := &callable{static: true, local: &localFunction{value: x, outer: f, class: f.class}}
	out := &typ{kind: functionType, def: def}
	// The body is evaluated with the variables as they are here, because most lambdas are called at once.
	saved := f.env
	if f.locals == nil || f.env == nil {
		return out
	}
	f.env = saved.clone()
	constant := f.isConstant(x.X)
	hidden := map[string]int{}
	for n, p := range source.Params(x.Name) {
		if i, ok := f.locals[p.Name]; ok {
			hidden[p.Name] = i
		}
		var value *typ
		if n == 0 && p.Kind <= source.Positional && p.Default == "" {
			value = first
		}
		f.locals[p.Name] = f.hiddenSlot(value)
		for _, key := range f.narrowed { // those of another variable with the name
			if i := f.locals[key]; strings.HasPrefix(key, p.Name+".") && i < len(f.env.slots) {
				f.env.slots[i] = nil
			}
		}
	}
	if result := f.value(x.X); constant && first == nil {
		def.result = result
	}
	for _, p := range source.Params(x.Name) {
		if i, ok := hidden[p.Name]; ok {
			f.locals[p.Name] = i
		} else {
			delete(f.locals, p.Name)
		}
	}
	f.env = saved
	return out
}

// isConstant reports whether no name in an expression is a variable to which a later statement may assign another value.
func (f *frame) isConstant(x *source.Tree) bool {
	if f.hidesAny(x) {
		return false
	}
	constant := true
	eachTree(x, func(x *source.Tree) {
		if x.Kind == source.Name {
			b := f.file.scope.names[x.Name]
			constant = constant && (b == nil || b.imported || b.stmt != nil && (b.stmt.Kind == source.Def || b.stmt.Kind == source.Class) && b.alt == nil)
		}
	})
	return constant
}

// hiddenSlot returns the index of a new variable with a type.
func (f *frame) hiddenSlot(x *typ) int {
	i := len(f.all)
	f.all = append(f.all, &slot{})
	for len(f.env.slots) <= i {
		f.env.slots = append(f.env.slots, nil)
	}
	f.env.slots[i] = &slot{x}
	return i
}

// comprehension returns the type of a comprehension, whose variables are its own.
func (f *frame) comprehension(x *source.Tree) *typ {
	if f.locals == nil || f.env == nil {
		g := *f
		g.locals, g.env, g.all = map[string]int{}, &environment{}, nil
		if f.locals == nil && f.def == nil {
			g.def = nil
		}
		return g.comprehension(x)
	}
	saved := f.env
	f.env = saved.clone()
	hidden := map[string]int{}
	var added []string
	bind := func(name string, v *typ) {
		if i, ok := f.locals[name]; ok && !slices.Contains(added, name) {
			hidden[name] = i
		}
		if !slices.Contains(added, name) {
			added = append(added, name)
		}
		f.locals[name] = f.hiddenSlot(v)
		for _, key := range f.narrowed { // those of another variable with the name
			if i := f.locals[key]; strings.HasPrefix(key, name+".") && i < len(f.env.slots) {
				f.env.slots[i] = nil
			}
		}
	}
	doubt := 0
	for _, loop := range x.Args {
		if loop.Kind != source.For || len(loop.Args) == 0 {
			continue
		}
		v := f.value(loop.Args[0])
		var element *typ
		if loop.Name == "async" {
			element = f.asyncElement(v)
		} else {
			element = f.element(v)
		}
		f.bindTarget(loop.X, element, bind)
		for _, c := range loop.Args[1:] {
			f.value(c)
			f.narrow(c, true)
			d := f.doubts(c)
			doubt += d
			f.quiet += d
		}
	}
	f.env.dead = false
	var key *typ
	if len(x.Keys) > 0 {
		key = f.value(x.Keys[0])
	}
	element := f.value(x.X)
	f.quiet -= doubt
	for _, name := range added {
		if i, ok := hidden[name]; ok {
			f.locals[name] = i
		} else {
			delete(f.locals, name)
		}
	}
	f.env = saved
	switch {
	case x.Kind == source.DictLoop:
		return f.made("dict", key, element)
	case x.Name == "]":
		return f.made("list", element)
	case x.Name == "}":
		return f.made("set", element)
	}
	if c := f.standard("_collections_abc", "Generator"); c != nil {
		return f.instance(c, element, none, none)
	}
	return nil
}

// bindTarget calls bind for the variables of a target.
func (f *frame) bindTarget(target *source.Tree, v *typ, bind func(string, *typ)) {
	switch target.Kind {
	case source.Name:
		bind(target.Name, v)
	case source.Tuple, source.List:
		for i, a := range target.Args {
			f.bindTarget(a, f.unpacked(v, i, target.Args), bind)
		}
	case source.Starred:
		f.bindTarget(target.X, f.made("list"), bind)
	}
}

// unpacked returns the type of an element of a value that is assigned to several targets.
func (f *frame) unpacked(v *typ, i int, targets []*source.Tree) *typ {
	var all []*typ
	for _, x := range v.variants() {
		switch {
		case f.elements(x) != nil:
			elements := f.elements(x)
			starred := slices.IndexFunc(targets, func(a *source.Tree) bool { return a.Kind == source.Starred })
			k := i
			if starred >= 0 && i > starred {
				k = len(elements) - (len(targets) - i)
			}
			if k < 0 || k >= len(elements) || starred < 0 && len(targets) != len(elements) {
				return nil
			}
			all = append(all, elements[k])
		default:
			all = append(all, f.element(x))
		}
	}
	return joinAll(all)
}

// elements returns the types of the elements of a tuple with a fixed length or of a named tuple, or nil.
func (t *Types) elements(x *typ) (all []*typ) {
	switch {
	case x.kind != instanceType || x.class == nil:
		return nil
	case x.fixed:
		return x.args
	case !x.class.whole || t.r.styleOf(x.class.e) != namedTuple:
		return nil
	}
	if b, _ := t.find(x.class, "__iter__"); b == nil || b.scope.file.mod.dist != t.stubs {
		return nil
	}
	for _, field := range t.r.fields(x.class.e) {
		m, _ := t.member(x, field.name)
		all = append(all, m)
	}
	return all
}

// element returns the type of the elements over which a loop iterates.
func (f *frame) element(v *typ) *typ {
	if v == nil {
		return nil
	}
	if v.kind == unionType {
		var all []*typ
		for _, x := range v.args {
			if x.kind != noneType {
				all = append(all, f.element(x))
			}
		}
		return joinAll(all)
	}
	return f.elementOf(v).depending(v.unless)
}

func (f *frame) elementOf(v *typ) *typ {
	if v.kind == classObject && v.class != nil && f.r.styleOf(v.class.e) == enumeration {
		return f.instance(v.class)
	}
	if v.kind != instanceType || v.class == nil {
		return nil
	}
	if v.fixed {
		return joinAll(v.args)
	}
	return f.iterated(v, "__iter__", "__next__")
}

func (f *frame) asyncElement(v *typ) *typ {
	if v == nil || v.kind != instanceType {
		return nil
	}
	return f.await(f.iterated(v, "__aiter__", "__anext__"))
}

// iterated calls the methods of an iterable and of its iterator.
func (f *frame) iterated(v *typ, iter, next string) *typ {
	m, _ := f.member(v, iter)
	if m == nil || m.kind != functionType {
		return nil
	}
	iterator := f.call(m, nil)
	if iterator == nil || iterator.kind != instanceType {
		return nil
	}
	m, _ = f.member(iterator, next)
	if m == nil || m.kind != functionType {
		return nil
	}
	return f.call(m, nil)
}

// await returns the result of an awaitable.
func (f *frame) await(v *typ) *typ {
	if v == nil {
		return nil
	}
	if v.kind == unionType {
		var all []*typ
		for _, x := range v.args {
			all = append(all, f.await(x))
		}
		return joinAll(all)
	}
	if v.kind != instanceType || v.class == nil {
		return nil
	}
	switch v.class.name {
	case "Coroutine", "CoroutineType":
		if len(v.args) == 3 {
			return v.args[2]
		}
	case "Awaitable", "Future", "Task":
		if len(v.args) == 1 {
			return v.args[0]
		}
	}
	m, _ := f.member(v, "__await__")
	if m == nil || m.kind != functionType {
		return nil
	}
	if g := f.call(m, nil); g != nil && g.kind == instanceType && g.class != nil && g.class.name == "Generator" && len(g.args) == 3 {
		return g.args[2]
	}
	return nil
}

// subscript returns the type of an element.
func (f *frame) subscript(x *source.Tree) *typ {
	v := f.value(x.X)
	var keys []*typ
	for _, a := range x.Args {
		keys = append(keys, f.value(a))
	}
	if v == nil || len(x.Args) != 1 || x.Args[0] == nil {
		if v != nil && v.kind == classObject {
			return f.genericClass(v, x)
		}
		return nil
	}
	var all []*typ
	for _, u := range v.variants() {
		if u.kind == noneType {
			continue
		}
		all = append(all, f.item(u, x, keys))
	}
	return joinAll(all)
}

// genericClass returns a class with type arguments.
func (f *frame) genericClass(v *typ, x *source.Tree) *typ {
	if o := f.annotation(f.scope, x, nil, maxTypeDepth); o != nil && o.kind == instanceType && o.class == v.class {
		c := *o
		c.kind = classObject
		return &c
	}
	return v
}

func (f *frame) item(u *typ, x *source.Tree, keys []*typ) *typ {
	index := x.Args[0]
	switch {
	case u.kind == classObject:
		if u.class != nil && f.r.styleOf(u.class.e) == enumeration {
			return f.instance(u.class)
		}
		return f.genericClass(u, x)
	case u.kind != instanceType || u.class == nil:
		return nil
	case f.elements(u) != nil:
		elements := f.elements(u)
		if index.Kind == source.Slice {
			return f.instance(f.builtin("tuple"), joinAll(elements))
		}
		n, err := strconv.Atoi(index.Text)
		if err != nil || index.Kind != source.Number && index.Kind != source.Unary {
			return joinAll(elements)
		}
		if n < 0 {
			n += len(elements)
		}
		if n < 0 || n >= len(elements) {
			return nil
		}
		return elements[n]
	case index.Kind == source.String && f.r.styleOf(u.class.e) == typedDict:
		m, _ := f.member(u, index.Name)
		return m
	case index.Kind == source.Slice:
		if isBuiltin(u, "list") || isBuiltin(u, "str") || isBuiltin(u, "bytes") || isBuiltin(u, "tuple") || isBuiltin(u, "bytearray") {
			return u
		}
	case isBuiltin(u, "list") || isBuiltin(u, "tuple"):
		if len(u.args) == 1 {
			return u.args[0]
		}
		return nil
	case isBuiltin(u, "bytes") || isBuiltin(u, "bytearray"):
		return f.instance(f.builtin("int"))
	}
	m, _ := f.member(u, "__getitem__")
	if m == nil || m.kind != functionType {
		return nil
	}
	return f.call(m, []argument{{t: keys[0]}})
}
