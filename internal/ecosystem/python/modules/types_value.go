package modules

import (
	"slices"
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
	// quiet is greater than 0 if members that do not exist are not reported, see doubts.
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
	if f.report != nil && f.quiet&guards == 0 && f.limit == 0 && (owner == nil || owner.kind != moduleObject) {
		f.report.add(f, x, owner, m, missing)
		if f.quiet == 0 {
			f.checkDeprecated(x, m)
		}
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
	doubt := f.doubts(x.X) & conditional
	f.quiet += doubt
	b := f.value(x.Args[0])
	f.quiet -= doubt
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
	if isEmptyDisplay(x.Args[0]) && rest != nil && rest.class != nil && b != nil && rest.class == b.class {
		return widen(rest)
	}
	return join(rest, b)
}

// isEmptyDisplay reports whether an expression is an empty list or dictionary.
func isEmptyDisplay(x *source.Tree) bool {
	return (x.Kind == source.List || x.Kind == source.Dict) && len(x.Args) == 0
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
		f.bindTarget(target.X, f.made("list", widen(v)), bind)
	}
}
