package modules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// loopState collects the states in which a loop is left or continued.
type loopState struct{ exit, continued *environment }

func (e *environment) clone() *environment {
	return &environment{slots: slices.Clone(e.slots), dead: e.dead}
}

// merge returns the state after two branches.
func merge(a, b *environment) *environment {
	switch {
	case a == nil || a.dead:
		if b == nil {
			return a
		}
		return b
	case b == nil || b.dead:
		return a
	}
	out := &environment{slots: make([]*slot, max(len(a.slots), len(b.slots)))}
	for i := range out.slots {
		var x, y *slot
		if i < len(a.slots) {
			x = a.slots[i]
		}
		if i < len(b.slots) {
			y = b.slots[i]
		}
		switch {
		case x == y:
			out.slots[i] = x
		case x == nil || y == nil:
			out.slots[i] = absentSlot(x, y)
		default:
			out.slots[i] = &slot{join(x.t, y.t)}
		}
	}
	return out
}

// absentSlot returns the type of a variable that only one of two branches assigns.
func absentSlot(x, y *slot) *slot {
	if x == nil {
		return y
	}
	return x
}

// mergeStates is like merge, and removes attributes that are narrowed in only one of two states.
func (f *frame) mergeStates(a, b *environment) *environment {
	out := merge(a, b)
	if a == nil || b == nil || a.dead || b.dead || out == nil {
		return out
	}
	f.steps -= (len(out.slots) + len(f.narrowed)) / slotsPerStep
	for _, name := range f.narrowed {
		if i := f.locals[name]; i < len(out.slots) && (i >= len(a.slots) || a.slots[i] == nil || i >= len(b.slots) || b.slots[i] == nil) {
			out.slots[i] = nil
		}
	}
	return out
}

// slotOf returns the index of a variable or reference.
func (f *frame) slotOf(name string) int {
	i, ok := f.locals[name]
	if !ok {
		i = len(f.all)
		f.locals[name] = i
		f.all = append(f.all, nil)
		if strings.IndexByte(name, '.') >= 0 {
			f.narrowed = append(f.narrowed, name)
		}
	}
	for len(f.env.slots) <= i {
		f.env.slots = append(f.env.slots, nil)
	}
	return i
}

// assignName assigns a variable.
func (f *frame) assignName(name string, x *typ) {
	if f.locals == nil || f.env == nil {
		return
	}
	if f.escaped[name] {
		x = nil
	}
	i := f.slotOf(name)
	f.env.slots[i] = &slot{x}
	if f.all[i] == nil {
		f.all[i] = &slot{x}
	} else {
		f.all[i] = &slot{join(f.all[i].t, x)}
	}
	for _, e := range f.tries {
		for len(e.slots) <= i {
			e.slots = append(e.slots, nil)
		}
		if e.slots[i] == nil {
			e.slots[i] = &slot{x}
		} else {
			e.slots[i] = &slot{join(e.slots[i].t, x)}
		}
	}
	f.dropBelow(name)
}

// dropBelow forgets what is known about the attributes of a reference.
func (f *frame) dropBelow(name string) {
	for _, key := range f.narrowed {
		if len(key) > len(name) && key[len(name)] == '.' && key[:len(name)] == name {
			i := f.locals[key]
			if i < len(f.env.slots) {
				f.env.slots[i] = nil
			}
			for _, e := range f.tries {
				if i < len(e.slots) {
					e.slots[i] = nil
				}
			}
		}
	}
}

// assign assigns a value to a target.
func (f *frame) assign(target *source.Tree, v *typ) {
	switch target.Kind {
	case source.Name:
		f.assignName(target.Name, v)
	case source.Attribute:
		f.muted(func() { f.value(target.X) })
		f.assignAttribute(target, v)
	case source.Subscript:
		f.value(target)
	case source.Tuple, source.List:
		for i, a := range target.Args {
			f.assign(a, f.unpacked(v, i, target.Args))
		}
	case source.Starred:
		f.assign(target.X, f.made("list", widen(v)))
	}
}

// assignAttribute forgets the narrowed type of an attribute, and records what a method assigns to one of self.
func (f *frame) assignAttribute(target *source.Tree, v *typ) {
	key := reference(target)
	if key == "" || f.locals == nil || f.env == nil {
		return
	}
	if target.Name == "__class__" {
		f.assignName(target.X.Dotted(), nil)
	}
	if i, ok := f.locals[key]; ok {
		if i < len(f.env.slots) {
			f.env.slots[i] = nil
		}
		for _, e := range f.tries {
			if i < len(e.slots) {
				e.slots[i] = nil
			}
		}
	}
	f.dropBelow(key)
	if v == nil {
		f.unknown(key) // The declared type of the attribute says less than the value.
	}
	if f.self != "" && f.report == nil && f.class != nil && target.X.Kind == source.Name && target.X.Name == f.self {
		old := f.class.runs[target.Name]
		v = widen(v).receivedBy(nil, nil)
		if old == nil {
			f.class.runs[target.Name] = &inference{t: v, done: true}
		} else {
			old.t = join(old.t, v)
		}
	}
}

// run evaluates statements.
func (f *frame) run(body []source.Code) {
	quiet := f.quiet
	for i := 0; i < len(body) && !f.env.dead && !f.stopped; i++ {
		f.statement(&body[i])
	}
	f.quiet = quiet
}

func (f *frame) statement(s *source.Code) {
	if f.def == nil && f.scope.class != nil { // names that the class binds later are still those of the module
		f.line = f.file.lineOf(s.Pos)
	}
	switch s.Kind {
	case source.ExprCode:
		f.value(s.Value)
		if f.neverReturns(s.Value) {
			f.env.dead = true
		}
	case source.AssignCode:
		f.assignment(s)
	case source.AugmentCode:
		a, b := f.value(s.Targets[0]), f.value(s.Value)
		f.assign(s.Targets[0], f.operate(a, b, strings.TrimSuffix(s.Name, "=")))
	case source.ReturnCode:
		v := none
		if s.Value != nil {
			v = f.value(s.Value)
		}
		f.results = append(f.results, v)
		f.env.dead = true
	case source.RaiseCode:
		f.value(s.Value)
		f.env.dead = true
	case source.AssertCode:
		if s.Value != nil && s.Value.Kind == source.Tuple && len(s.Value.Args) == 2 { // with a message
			f.value(s.Value.Args[0])
			f.narrow(s.Value.Args[0], true)
			f.muted(func() { f.value(s.Value.Args[1]) })
			break
		}
		f.value(s.Value)
		f.narrow(s.Value, true)
	case source.DelCode:
		f.deleted(s.Value)
	case source.IfCode:
		f.branch(s)
	case source.WhileCode, source.ForCode:
		f.loop(s)
	case source.WithCode:
		f.with(s)
	case source.TryCode:
		f.try(s)
	case source.MatchCode:
		f.match(s)
	case source.BreakCode:
		if n := len(f.loops); n > 0 {
			f.loops[n-1].exit = f.mergeStates(f.loops[n-1].exit, f.env)
		}
		f.env = &environment{slots: f.env.slots, dead: true}
	case source.ContinueCode:
		if n := len(f.loops); n > 0 {
			f.loops[n-1].continued = f.mergeStates(f.loops[n-1].continued, f.env)
		}
		f.env = &environment{slots: f.env.slots, dead: true}
	case source.ImportCode:
		f.imported(s.Import)
	case source.DefCode:
		f.declare(s)
	case source.ClassCode:
		f.declareClass(s)
	}
}

func (f *frame) deleted(x *source.Tree) {
	if x == nil {
		return
	}
	switch x.Kind {
	case source.Name:
		f.assignName(x.Name, nil)
	case source.Tuple, source.List:
		for _, a := range x.Args {
			f.deleted(a)
		}
	case source.Attribute, source.Subscript:
		f.muted(func() { f.value(x.X) })
		if x.Kind == source.Attribute {
			f.assignAttribute(x, nil)
		}
	}
}

func (f *frame) assignment(s *source.Code) {
	var v *typ
	if s.Value != nil {
		v = f.value(s.Value)
	}
	if v == nil && s.Annotation == nil && len(s.Targets) == 1 && s.Targets[0].Kind == source.Name {
		v = f.madeClassOf(s)
	}
	if s.Annotation != nil {
		declared := f.localAnnotation(s.Annotation)
		switch name := lastOf("." + s.Annotation.Dotted()); {
		case name == "Final":
			declared = v
		case declared != nil && v != nil && s.Value != nil:
			declared = f.declaredValue(declared, v)
		}
		f.assign(s.Targets[0], declared)
		return
	}
	for _, target := range s.Targets {
		f.assign(target, v)
	}
}

// declaredValue returns the type of a variable after a value was assigned to it: the declared type, without None if the
// value cannot be None.
func (f *frame) declaredValue(declared, v *typ) *typ {
	if declared.kind == unionType && !slices.ContainsFunc(v.variants(), isNone) {
		return declared.without(isNone)
	}
	return declared
}

// localAnnotation returns the type that an annotation in a function declares. Its names may be those of the function.
func (f *frame) localAnnotation(x *source.Tree) *typ {
	if f.hidesAny(x) {
		return nil
	}
	var stmt *source.Stmt
	if f.def != nil && f.def.b != nil {
		stmt = f.def.b.stmt
	}
	return f.annotation(f.scope, x, stmt, maxTypeDepth)
}

// hidesAny reports whether a variable of the function has the name of a part of an annotation.
func (f *frame) hidesAny(x *source.Tree) bool {
	if x == nil {
		return false
	}
	switch x.Kind {
	case source.Name:
		for o := f; o != nil; o = o.outer {
			if _, ok := o.locals[x.Name]; ok && o.def != nil {
				return true
			}
		}
		return false
	case source.String:
		return f.hidesAny(source.Parse(x.Name))
	}
	return f.hidesAny(x.X) || slices.ContainsFunc(x.Args, f.hidesAny)
}

// neverReturns reports whether a call ends the program or raises an exception.
func (f *frame) neverReturns(x *source.Tree) bool {
	if x == nil || x.Kind != source.Call {
		return false
	}
	switch x.X.Dotted() {
	case "sys.exit", "os._exit", "exit", "quit", "pytest.skip", "pytest.fail", "pytest.xfail", "pytest.exit", "os.abort":
		return true
	}
	if x.X.Kind != source.Name && x.X.Kind != source.Attribute {
		return false
	}
	if e := f.r.resolve(f.scope, x.X.Dotted()); e.known() && e.isDef() && !f.isLocal(topOf(x.X.Dotted())) {
		name := lastOf("." + e.typed().stmt.Returns)
		return name == "NoReturn" || name == "Never"
	}
	if x.X.Kind == source.Attribute {
		var m *typ
		f.muted(func() { m = f.value(x.X) })
		if m != nil && m.kind == functionType && m.def.b != nil {
			name := lastOf("." + m.def.b.stmt.Returns)
			return name == "NoReturn" || name == "Never"
		}
	}
	return false
}

// isLocal reports whether a name is that of a variable of the function.
func (f *frame) isLocal(name string) bool {
	_, ok := f.locals[name]
	return ok && f.def != nil
}

func (f *frame) branch(s *source.Code) {
	f.value(s.Value)
	before := f.env
	doubt := f.doubts(s.Value)
	f.steps -= len(before.slots) / slotsPerStep
	f.env = before.clone()
	f.narrow(s.Value, true)
	f.quiet += doubt
	f.run(s.Body)
	yes := f.env
	f.env = before.clone()
	f.narrow(s.Value, false)
	f.run(s.Else)
	f.quiet -= doubt
	if doubt > 0 && yes.dead != f.env.dead && versions().MatchString(s.Value.Text) {
		f.quiet += conditional // until the end of the block, which runs only for other versions
	}
	f.env = f.mergeStates(yes, f.env)
}

// versions matches conditions on versions and platforms.
var versions = lazyregexp.New(`\b(?:version_info|hexversion|platform|os\.name)\b`)

// maxLoopPasses is the maximum number of times that the body of a loop is evaluated before its members are reported.
const maxLoopPasses = 3

func (f *frame) loop(s *source.Code) {
	var element *typ
	if s.Kind == source.ForCode {
		v := f.value(s.Value)
		if s.Async {
			element = f.asyncElement(v)
		} else {
			element = f.element(v)
		}
	}
	head := f.env
	passes := 0
	var state *loopState
	pass := func() {
		f.env = head.clone()
		state = &loopState{}
		f.loops = append(f.loops, state)
		doubt := 0
		if s.Kind == source.ForCode {
			f.assign(s.Targets[0], element)
		} else {
			f.value(s.Value)
			doubt = f.doubts(s.Value)
			f.narrow(s.Value, true)
		}
		f.quiet += doubt
		f.run(s.Body)
		f.quiet -= doubt
		f.loops = f.loops[:len(f.loops)-1]
	}
	// The variables at the beginning may also have the types that the body assigns.
	results, yields, nested := len(f.results), len(f.yields), len(f.nested)
	report := f.report
	for f.report = nil; passes < maxLoopPasses && !f.stopped; passes++ {
		f.quiet++
		pass()
		f.quiet--
		f.results, f.yields, f.nested = f.results[:results], f.yields[:yields], f.nested[:nested]
		next := f.mergeStates(f.mergeStates(head, f.env), state.continued)
		stable := f.sameState(head, next)
		if passes == maxLoopPasses-1 && !stable {
			for i := range next.slots {
				if i >= len(head.slots) || !sameSlot(head.slots[i], next.slots[i]) {
					next.slots[i] = &slot{}
				}
			}
		}
		next.dead = false
		head = next
		if stable || len(f.loops) >= 2 {
			break
		}
	}
	f.report = report
	pass()
	end := f.mergeStates(f.env, state.continued)
	f.env = f.mergeStates(head.clone(), end)
	f.env.dead = head.dead
	endless := s.Kind == source.WhileCode && s.Value != nil && (s.Value.Kind == source.Constant && s.Value.Name == "True" || s.Value.Kind == source.Number && s.Value.Name == "1")
	if endless {
		f.env.dead = true
	} else {
		if s.Kind == source.WhileCode {
			f.narrow(s.Value, false)
			f.env.dead = false
		}
		f.run(s.Else)
	}
	f.env = f.mergeStates(f.env, state.exit)
}

func sameSlot(a, b *slot) bool {
	return a == b || a != nil && b != nil && same(a.t, b.t, maxTypeDepth)
}

func (f *frame) sameState(a, b *environment) bool {
	if len(a.slots) < len(b.slots) && slices.ContainsFunc(b.slots[len(a.slots):], func(s *slot) bool { return s != nil }) {
		return false
	}
	for i := range a.slots {
		if i >= len(b.slots) || !sameSlot(a.slots[i], b.slots[i]) {
			return false
		}
	}
	return true
}

func (f *frame) with(s *source.Code) {
	doubt := 0
	swallows, failing := false, 0
	before := f.env.clone()
	for _, item := range s.Items {
		v := f.value(item.Value)
		name := lastOf("." + item.Value.Function())
		if name == "raises" || name == "suppress" || name == "warns" || strings.HasPrefix(name, "assertRaises") {
			swallows, failing = true, 1
			if expectsAttributeError(item.Value) {
				doubt++
			}
		}
		var entered *typ
		if s.Async {
			entered = f.await(f.enter(v, "__aenter__"))
		} else {
			entered = f.enter(v, "__enter__")
		}
		if item.Target != nil {
			f.assign(item.Target, entered)
		}
	}
	f.quiet += doubt
	f.failing += failing
	f.run(s.Body)
	f.failing -= failing
	f.quiet -= doubt
	if swallows || f.env.dead && !f.stopped && swallowing(s) {
		f.env.dead = false
		f.env = f.mergeStates(before, f.env)
	}
}

// swallowing reports whether a context manager may suppress exceptions in its body.
func swallowing(s *source.Code) bool {
	return slices.ContainsFunc(s.Items, func(item source.WithItem) bool {
		name := item.Value.Function()
		return name != "open" && !strings.HasSuffix(strings.ToLower(name), "lock")
	})
}

func (f *frame) enter(v *typ, name string) *typ {
	if v == nil || v.kind != instanceType {
		return nil
	}
	m, _ := f.member(v, name)
	if m == nil || m.kind != functionType {
		return nil
	}
	return f.call(m, nil)
}

// attributeErrors are exceptions that code expects if an attribute may be absent.
var attributeErrors = []string{"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError", "Exception", "BaseException"}

// expectsAttributeError reports whether a call of a context manager that expects exceptions may expect that of an
// absent attribute.
func expectsAttributeError(x *source.Tree) bool {
	named := false
	for _, a := range x.Args {
		for _, name := range exceptionNames(a) {
			if slices.Contains(attributeErrors, name) || strings.Contains(name, "Attribute") {
				return true
			}
			named = named || name != "" && name[0] >= 'A' && name[0] <= 'Z' || strings.HasSuffix(name, "error") // such as socket.gaierror
		}
	}
	return !named
}

// exceptionNames returns the last names of the classes in an expression.
func exceptionNames(x *source.Tree) (names []string) {
	if x == nil {
		return nil
	}
	if x.Kind == source.Tuple {
		for _, a := range x.Args {
			names = append(names, exceptionNames(a)...)
		}
		return names
	}
	if name := x.Dotted(); name != "" {
		return []string{lastOf("." + name)}
	}
	return nil
}

func (f *frame) try(s *source.Code) {
	doubt := 0
	for i := range s.Handlers {
		h := &s.Handlers[i]
		names := exceptionNames(h.Value)
		broad := h.Value == nil
		for _, name := range names {
			switch name {
			case "AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError":
				doubt = 1
			case "Exception", "BaseException":
				broad = true
			}
		}
		if h.Value != nil && len(names) == 0 || broad && len(s.Body) <= 2 {
			doubt = 1
		}
	}
	before := f.env.clone()
	f.tries = append(f.tries, before)
	f.quiet += doubt
	f.run(s.Body)
	f.quiet -= doubt
	f.tries = f.tries[:len(f.tries)-1]
	for _, name := range f.narrowed { // narrowed attributes may have other types when an exception is raised
		if i := f.locals[name]; i < len(before.slots) && (i >= len(f.env.slots) || f.env.slots[i] != before.slots[i]) {
			before.slots[i] = nil
		}
	}
	f.run(s.Else)
	end := f.env
	for i := range s.Handlers {
		h := &s.Handlers[i]
		f.env = before.clone()
		f.env.dead = false
		var caught *typ
		f.muted(func() { caught = f.value(h.Value) })
		if h.Group { // the variable is a group of such exceptions
			caught = nil
		}
		if h.Name != "" {
			f.assignName(h.Name, f.raised(caught))
		}
		f.quiet += doubt
		f.run(h.Body)
		f.quiet -= doubt
		end = f.mergeStates(end, f.env)
	}
	f.env = end
	if len(s.Finally) > 0 {
		dead := end.dead
		if dead || len(s.Handlers) == 0 {
			f.env = f.mergeStates(before, end)
		}
		f.env.dead = false
		f.run(s.Finally)
		f.env.dead = f.env.dead || dead
	}
}

// raised returns the type of a caught exception.
func (f *frame) raised(v *typ) *typ {
	if v != nil && v.kind == instanceType && v.fixed {
		var all []*typ
		for _, a := range v.args {
			all = append(all, f.raised(a))
		}
		return joinAll(all)
	}
	if v == nil || v.kind != classObject || v.class == nil {
		return nil
	}
	return f.instance(v.class)
}

// unknown makes the type of a reference unknown.
func (f *frame) unknown(key string) {
	if key == "" || f.locals == nil || f.env == nil {
		return
	}
	i := f.slotOf(key)
	f.env.slots[i] = &slot{}
	f.dropBelow(key)
	for _, name := range f.narrowed { // its attributes, too
		if k := f.locals[name]; strings.HasPrefix(name, key+".") && k < len(f.env.slots) {
			f.env.slots[k] = nil
		}
	}
}

// imported binds the names that an import in a function binds.
func (f *frame) imported(stmt *source.Stmt) {
	if stmt == nil {
		return
	}
	module := f.file.absolute(stmt.Level, stmt.Name)
	if f.imports == nil {
		f.imports = map[string]bool{}
	}
	for _, n := range stmt.Names {
		f.imports[cmp.Or(n.As, topOf(n.Name))] = true
		switch {
		case n.Name == "*":
		case stmt.Kind == source.Import && n.As == "":
			top := topOf(n.Name)
			f.assignName(top, f.module(top))
		case stmt.Kind == source.Import:
			f.assignName(n.As, f.module(n.Name))
		default:
			name := n.As
			if name == "" {
				name = n.Name
			}
			b := &binding{name: n.Name, scope: f.file.scope, from: module, attr: n.Name, imported: true}
			if f.r.varies(b) {
				f.assignName(name, f.compiledName(b))
			} else {
				f.assignName(name, f.entity(f.r.follow(b)))
			}
		}
	}
}

func (f *frame) module(name string) *typ {
	if m := f.r.module(f.file.mod.dist, name); m != nil {
		return &typ{kind: moduleObject, mod: m}
	}
	return f.entity(&entity{external: name})
}

// eachFunction calls a function for the functions in statements, except those in other functions and classes.
func eachFunction(body []source.Code, do func(*source.Code)) {
	for i := range body {
		s := &body[i]
		if s.Kind == source.DefCode {
			do(s)
		}
		if s.Kind == source.DefCode || s.Kind == source.ClassCode {
			continue
		}
		eachFunction(s.Body, do)
		eachFunction(s.Else, do)
		eachFunction(s.Handlers, do)
		eachFunction(s.Finally, do)
	}
}

// yields reports whether statements of a function contain yield.
func yields(body []source.Code) bool {
	return slices.ContainsFunc(body, func(s source.Code) bool {
		if s.Kind == source.DefCode || s.Kind == source.ClassCode {
			return false
		}
		return yieldsIn(s.Value) || yields(s.Body) || yields(s.Else) || yields(s.Handlers) || yields(s.Finally) ||
			slices.ContainsFunc(s.Items, func(item source.WithItem) bool { return yieldsIn(item.Value) })
	})
}

func yieldsIn(x *source.Tree) bool {
	if x == nil || x.Kind == source.Lambda {
		return false
	}
	return x.Kind == source.Yield || yieldsIn(x.X) || slices.ContainsFunc(x.Args, yieldsIn)
}
