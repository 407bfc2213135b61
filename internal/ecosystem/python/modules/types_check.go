package modules

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// Member is a member of a value that its type does not have.
type Member struct {
	Offset int
	Name   string
	Text   string // the expression
	// Owners are the types of the value.
	Owners []Owner
	Names  []string // the members that the types have
	// Unless contains the methods that returned the value, if derived types may override them.
	Unless []Override
}

// Owner is a type.
type Owner struct {
	Module, Path string
	Own          bool // whether it belongs to the program
	Exact        bool // whether the type itself created the value
	Builtin      bool
	// Made is true if the class may be one that code makes while it runs, which has more attributes.
	Made bool
	// Setters are methods that add members with computed names if code calls them.
	Setters []Override
}

// memberCheck collects the members of values in a file.
type memberCheck struct {
	decided, undecided int
	missing            []Member
	wrong              []WrongCall
	deprecated         []Deprecated
	seen               map[int]bool
	replaced           map[string]bool // see Replaced; nil until it is needed
}

func (c *memberCheck) add(f *frame, x *source.Tree, owner, m *typ, missing bool) {
	offset := x.Pos + len(x.Text) - len(x.Name)
	switch {
	case owner == nil:
		return
	case m == nil && !missing:
		c.undecided++
		return
	}
	c.decided++
	if !missing || c.seen[offset] || strings.HasPrefix(x.Name, "_") {
		return
	}
	member := Member{Offset: offset, Name: x.Name, Text: x.Text}
	for _, v := range owner.variants() {
		if v.kind == noneType {
			continue
		}
		if v.class == nil {
			return
		}
		if f.isElsewhere(v.class, x.Name) || f.quiet >= conditional && !f.isEverywhere(v.class, x.Name) {
			return
		}
		e := v.class.e
		if f.isOwn(e.mod.dist) && f.mayBorrow(v, x.Name) {
			return
		}
		module := e.mod.name
		member.Owners = append(member.Owners, Owner{Module: module, Path: e.path, Own: f.isOwn(e.mod.dist), Exact: v.exact && v.kind == instanceType, Builtin: e.mod.dist == f.stubs, Made: v.made || v.kind == classObject && !v.exact, Setters: f.settersOf(v.class)})
		member.Names = append(member.Names, f.memberNames(v.class)...)
	}
	c.seen[offset] = true
	member.Unless = f.exported(owner.overrides())
	c.missing = append(c.missing, member)
}

// settersOf returns the methods of a class that add members.
func (t *Types) settersOf(c *classType) (all []Override) {
	for _, m := range c.setters {
		all = append(all, Override{Owner{Module: m.class.mod.name, Path: m.class.path}, m.name})
	}
	return all
}

// mayBorrow reports whether a class around that of a value may have a member. Test frameworks copy the members of a class
// to the classes in it.
func (f *frame) mayBorrow(v *typ, name string) bool {
	if v.class.e.code == nil {
		return false
	}
	s := v.class.e.code.scope
	for n := 0; s.class != nil && n < maxAncestors; n++ {
		e := f.r.declared(s.class)
		if !e.known() || !e.isClass() {
			return true
		}
		outer := *v
		outer.class = f.classOf(e)
		if _, missing := f.member(&outer, name); !missing {
			return true
		}
		s = s.class.scope
	}
	return false
}

// Deprecated is the use of a method that is deprecated.
type Deprecated struct {
	Offset int
	Text   string
	Name   string
	Method Owner
	Notice string
}

// checkDeprecated reports the use of a method that is deprecated.
func (f *frame) checkDeprecated(x *source.Tree, m *typ) {
	if m == nil || m.kind != functionType || m.def.b == nil || m.def.owner == nil {
		return
	}
	notice := ""
	for _, stmt := range m.def.stmts {
		if notice = deprecated(stmt); notice == "" {
			break
		}
	}
	e := f.r.declared(m.def.b)
	if b := m.def.b; notice == "" && len(b.overloads) == 0 && !f.isOwn(e.mod.dist) {
		if doc := docOf(b); strings.Contains(doc, "eprecated") {
			notice = f.r.documentation(doc).Deprecated
		}
	}
	if notice == "" {
		return
	}
	offset := x.Pos + len(x.Text) - len(x.Name)
	if !f.report.seen[offset] {
		f.report.seen[offset] = true
		f.report.deprecated = append(f.report.deprecated, Deprecated{offset, x.Text, x.Name, Owner{Module: e.mod.name, Path: e.path, Own: f.isOwn(e.mod.dist)}, notice})
	}
}

// memberNames returns the names of the members of a class.
func (t *Types) memberNames(c *classType) (names []string) {
	for _, k := range c.mro {
		if k.e.mod.dist == t.stubs {
			names = append(names, compiled()["builtins."+k.name]...)
		}
		for _, b := range [...]*binding{k.e.code, k.e.stub, k.stub} {
			if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
				continue
			}
			for _, x := range t.r.inner(b).order {
				if !strings.HasPrefix(x.name, "_") {
					names = append(names, x.name)
				}
			}
		}
	}
	return names
}

// Check is what is known about the members of values in a file.
type Check struct {
	Missing            []Member // members that do not exist
	Wrong              []WrongCall
	Deprecated         []Deprecated
	Decided, Undecided int // the numbers of members that exist or not, and of those of which this is not known
}

// Check checks the members of values in a file of the program, and the calls of functions that no import binds. The
// module is the one that the file contains, or a new one if its name is empty. Nothing is decided in a very large file. The check
// ends early, with what it has found, if ctx is done.
func (t *Types) Check(ctx context.Context, module, text string) (out Check) {
	if len(text) > maxTypedText {
		return out
	}
	f := t.fileOf(module, text)
	if f == nil || !t.r.check() {
		return out
	}
	t.ctx, t.steps, t.depth, t.nested = ctx, maxTypeSteps, 0, map[*source.Code]*inference{}
	check := &memberCheck{seen: map[int]bool{}}
	code := source.ParseCode(f.source)
	top := &frame{Types: t, file: f, scope: f.scope, report: check, locals: map[string]int{}, env: &environment{}}
	top.run(code)
	t.checkFunctions(top, code, f.scope)
	if len(t.bodies) > maxBodies {
		for _, c := range t.bodies {
			c.body, c.parsed = nil, false
		}
		t.bodies = nil
	}
	return Check{check.missing, check.wrong, check.deprecated, check.decided, check.undecided}
}

// fileOf returns the code of a module with the given text.
func (t *Types) fileOf(name, text string) *file {
	if name != "" {
		if m := t.r.moduleIn(t.r.main, name); m != nil && m.code != nil && m.code.source == text {
			return m.code
		}
	}
	m := &module{name: name, dist: t.r.main}
	if name == "" {
		m.name = "__main__"
	}
	if old := t.r.moduleIn(t.r.main, name); old != nil {
		m.pkg = old.pkg
	}
	parsed := source.Read(text)
	f := &file{mod: m, name: strings.ReplaceAll(m.name, ".", "/") + ".py", source: text, text: []byte(text), computes: no}
	f.scope = &scope{file: f, names: map[string]*binding{}}
	m.code = f
	f.scope.bindAll(t.r, parsed.Body, branch{})
	return f
}

// checkFunctions evaluates the functions in statements of a module or class.
func (t *Types) checkFunctions(top *frame, body []source.Code, s *scope) {
	for i := range body {
		c := &body[i]
		switch c.Kind {
		case source.DefCode:
			t.checkFunction(top, c, s, nil)
		case source.ClassCode:
			t.checkClass(top, c, s)
		default:
			doubt := 0
			if c.Kind == source.IfCode {
				doubt = top.doubts(c.Value)
			}
			top.quiet += doubt
			t.checkFunctions(top, c.Body, s)
			t.checkFunctions(top, c.Else, s)
			top.quiet -= doubt
			t.checkFunctions(top, c.Handlers, s)
			t.checkFunctions(top, c.Finally, s)
		}
	}
}

// checkClass evaluates the body of a class and its methods.
func (t *Types) checkClass(top *frame, c *source.Code, s *scope) {
	b := s.names[c.Name]
	line := s.file.lineOf(c.Pos)
	for n := 0; b != nil && (b.stmt == nil || b.stmt.Kind != source.Class || line < b.stmt.Line || b.stmt.Line < line-len(c.Decorators)*maxDecoratorLines); n++ {
		if b = b.alt; n > maxAlternatives {
			b = nil
		}
	}
	var class *classType
	inner := s
	if b != nil {
		if e := t.r.declared(b); e.known() && e.isClass() && e.code == b {
			class = t.classOf(e)
			inner = t.r.inner(b)
		}
	}
	skips := top.skips(c)
	top.quiet += skips
	body := &frame{Types: t, file: top.file, scope: inner, class: class, report: top.report, quiet: top.quiet, locals: map[string]int{}, env: &environment{}}
	body.run(c.Body)
	t.checkMethods(top, c.Body, inner, class)
	top.quiet -= skips
}

// maxDecoratorLines is the maximum number of lines of a decorator that is taken into account.
const maxDecoratorLines = 50

// offsetOf returns the offset at which a line of the source begins, or -1 if there is no such line.
func (f *file) offsetOf(line int) int {
	if f.starts == nil {
		f.starts = []int{0}
		for i := range len(f.source) {
			if f.source[i] == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	if line < 1 || line > len(f.starts) {
		return -1
	}
	return f.starts[line-1]
}

// lineOf returns the line that contains an offset in the source.
func (f *file) lineOf(offset int) int {
	f.offsetOf(1)
	i, ok := slices.BinarySearch(f.starts, offset)
	if ok {
		i++
	}
	return i
}

func (t *Types) checkMethods(top *frame, body []source.Code, s *scope, class *classType) {
	for i := range body {
		c := &body[i]
		switch c.Kind {
		case source.DefCode:
			t.checkFunction(top, c, s, class)
		case source.ClassCode:
			t.checkClass(top, c, s)
		default:
			doubt := 0
			if c.Kind == source.IfCode {
				doubt = top.doubts(c.Value)
			}
			top.quiet += doubt
			t.checkMethods(top, c.Body, s, class)
			t.checkMethods(top, c.Else, s, class)
			top.quiet -= doubt
			t.checkMethods(top, c.Handlers, s, class)
			t.checkMethods(top, c.Finally, s, class)
		}
	}
}

// checkFunction evaluates a function and the functions in it.
func (t *Types) checkFunction(top *frame, c *source.Code, s *scope, class *classType) {
	f := t.functionFrame(top.file, s, c, class, nil)
	f.report, f.quiet = top.report, top.quiet+top.skips(c)
	f.run(c.Body)
	f.runNested(0)
}

// skips returns the doubts about a function or class that has decorators, such as unittest.skipUnless, because of which it may not
// run, or may fail.
func (f *frame) skips(c *source.Code) (n int) {
	for _, d := range c.Decorators {
		n += f.doubts(d)
		if d != nil {
			n += skipping[lastOf("."+d.Function())]
		}
	}
	return n
}

// skipping are decorators of tests that may not run, or may fail.
var skipping = map[string]int{"skipif": conditional, "skipIf": conditional, "skipUnless": conditional, "requires": conditional, "xfail": guarded, "expectedFailure": guarded}

// runNested evaluates the functions in a function, for which the variables of that function may have all their types.
func (f *frame) runNested(depth int) {
	if depth > maxInference {
		return
	}
	for _, x := range f.nested {
		l := x.def.local
		inner := f.functionFrame(f.file, f.scope, l.code, l.class, f)
		inner.report, inner.quiet = f.report, f.quiet
		inner.run(l.code.Body)
		inner.runNested(depth + 1)
	}
}

// functionFrame returns a frame for the body of a function, with its parameters.
func (t *Types) functionFrame(file *file, s *scope, c *source.Code, class *classType, outer *frame) *frame {
	f := &frame{Types: t, file: file, scope: s, class: class, outer: outer, locals: map[string]int{}, env: &environment{}}
	if class == nil && outer != nil {
		f.class = nil
	}
	stmt := &source.Stmt{Kind: source.Def, Name: c.Name, Params: c.Params, Returns: c.Returns, Async: c.Async}
	f.def = &callable{async: c.Async, b: &binding{name: c.Name, scope: s, stmt: stmt}, stmts: []*source.Stmt{stmt}}
	declaredNames(c.Body, f)
	static, classMethod := c.Name == "__new__" || c.Name == "__init_subclass__" || c.Name == "__class_getitem__", false
	if static {
		static, classMethod = false, true
	}
	for _, d := range c.Decorators {
		if d == nil {
			continue
		}
		switch d.Dotted() {
		case "staticmethod":
			static = true
		case "classmethod":
			classMethod = true
		}
	}
	for i, p := range source.Params(c.Params) {
		var x *typ
		switch {
		case i == 0 && class != nil && !static && p.Kind <= source.Positional:
			if (receivers[p.Name] || t.isConstructed(class) && !t.isValue(class, c.Name)) && t.isUsualReceiver(p.Annotation) {
				x = t.receiver(class, classMethod)
				if !classMethod {
					f.self = p.Name
				}
			}
		case p.Annotation != "":
			x = t.annotation(s, source.Parse(p.Annotation), stmt, maxTypeDepth)
			x = bindings{}.apply(x, maxTypeDepth)
			if p.Default == "None" && !slices.ContainsFunc(x.variants(), isNone) {
				x = nil // the annotation is incomplete
			}
			if outer != nil && x != nil && f.outer.hidesAny(source.Parse(p.Annotation)) {
				x = nil
			}
		}
		switch p.Kind {
		case source.VarPositional:
			x = t.instance(t.builtin("tuple"), x)
		case source.VarKeyword:
			x = t.instance(t.builtin("dict"), t.instance(t.builtin("str")), x)
		}
		f.assignName(p.Name, x)
	}
	return f
}

// receivers are the usual names of the first parameter of a method.
var receivers = set("self", "cls")

// isConstructed reports whether a class has a constructor. Frameworks may call the functions in a class without one,
// such as a configuration, without an object of the class.
func (t *Types) isConstructed(class *classType) bool {
	b, owner := t.find(class, "__init__")
	return b != nil && owner.e.mod.dist != t.stubs
}

// isValue reports whether the body of a class uses a function in it as a value, which other code may call without an object of
// the class.
func (t *Types) isValue(class *classType, name string) (found bool) {
	body := t.bodyOf(class)
	if body == nil {
		return false
	}
	find := func(x *source.Tree) {
		eachTree(x, func(x *source.Tree) { found = found || x.Kind == source.Name && x.Name == name })
	}
	for i := range body.Body {
		for _, d := range body.Body[i].Decorators {
			find(d)
		}
		find(body.Body[i].Value)
	}
	return found
}

// isUsualReceiver reports whether the receiver of a method has no annotation that restricts its class.
func (t *Types) isUsualReceiver(annotation string) bool {
	return annotation == "" || strings.HasSuffix(annotation, "Self")
}

// receiver returns the type of self or cls.
func (t *Types) receiver(class *classType, classMethod bool) *typ {
	var args []*typ
	for _, p := range class.params {
		args = append(args, &typ{kind: variableType, name: p, open: true})
	}
	x := t.instance(class, args...)
	if x != nil {
		x.received = true
		if classMethod {
			x.kind = classObject
		}
	}
	return x
}

// declaredNames makes the names that statements bind variables of a function.
func declaredNames(body []source.Code, f *frame) {
	var global []string
	var target func(x *source.Tree)
	target = func(x *source.Tree) {
		if x == nil {
			return
		}
		switch x.Kind {
		case source.Name:
			f.slotOf(x.Name)
		case source.Tuple, source.List:
			for _, a := range x.Args {
				target(a)
			}
		case source.Starred:
			target(x.X)
		}
	}
	var expression func(x *source.Tree)
	expression = func(x *source.Tree) {
		if x == nil {
			return
		}
		if x.Kind == source.Walrus {
			f.slotOf(x.Name)
		}
		expression(x.X)
		for _, a := range x.Args {
			expression(a)
		}
	}
	var all func(body []source.Code)
	all = func(body []source.Code) {
		for i := range body {
			s := &body[i]
			for _, x := range s.Targets {
				target(x)
			}
			for _, item := range s.Items {
				target(item.Target)
				expression(item.Value)
			}
			expression(s.Value)
			switch s.Kind {
			case source.DefCode, source.ClassCode:
				f.slotOf(s.Name)
				escaping(s.Body, f)
				continue
			case source.HandlerCode:
				if s.Name != "" {
					f.slotOf(s.Name)
				}
			case source.GlobalCode:
				global = append(global, s.Names...)
			case source.CaseCode:
				for _, name := range readPattern(s.Name).variables {
					f.slotOf(name)
				}
			case source.ImportCode:
				for _, n := range s.Import.Names {
					switch {
					case n.As != "":
						f.slotOf(n.As)
					case n.Name != "*":
						f.slotOf(topOf(n.Name))
					}
				}
			}
			all(s.Body)
			all(s.Handlers)
			all(s.Else)
			all(s.Finally)
		}
	}
	all(body)
	for _, name := range global { // A variable of the module or of the function around it may have any type.
		f.assignName(name, nil)
		f.all[f.locals[name]] = &slot{}
	}
}

// escaping records the variables of a function that the functions in it assign.
func escaping(body []source.Code, f *frame) {
	for i := range body {
		s := &body[i]
		if s.Kind == source.GlobalCode {
			for _, name := range s.Names {
				if f.escaped == nil {
					f.escaped = map[string]bool{}
				}
				f.escaped[name] = true
			}
		}
		escaping(s.Body, f)
		escaping(s.Else, f)
		escaping(s.Handlers, f)
		escaping(s.Finally, f)
	}
}

// runMethod evaluates a method to find what it assigns to attributes of self.
func (t *Types) runMethod(c *classType, method *source.Code) {
	if t.depth++; t.depth <= maxInference {
		b := c.e.code
		f := t.functionFrame(b.scope.file, t.r.inner(b), method, c, nil)
		f.quiet, f.limit = 1, maxResultSteps
		if f.self != "" {
			f.run(method.Body)
		}
		if f.stopped || f.self == "" {
			assignedUnknown(method.Body, c)
		}
	} else {
		assignedUnknown(method.Body, c)
	}
	t.depth--
}

// assignedUnknown makes the types of the attributes that statements assign unknown.
func assignedUnknown(body []source.Code, c *classType) {
	var mark func(x *source.Tree)
	mark = func(x *source.Tree) {
		switch {
		case x == nil:
		case x.Kind == source.Attribute:
			c.runs[x.Name] = &inference{done: true}
		default:
			for _, a := range x.Args {
				mark(a)
			}
		}
	}
	for i := range body {
		for _, x := range body[i].Targets {
			mark(x)
		}
		for _, item := range body[i].Items {
			mark(item.Target)
		}
		assignedUnknown(body[i].Body, c)
		assignedUnknown(body[i].Else, c)
		assignedUnknown(body[i].Handlers, c)
		assignedUnknown(body[i].Finally, c)
	}
}

// codeOf parses a function.
func (t *Types) codeOf(f *file, stmt *source.Stmt) *source.Code {
	c := source.ParseFunction(f.source, f.offsetOf(stmt.Line))
	if c == nil || c.Kind != source.DefCode || c.Name != stmt.Name {
		return nil
	}
	for _, d := range stmt.Decorators {
		c.Decorators = append(c.Decorators, d.Tree())
	}
	return c
}

// inferred returns the type of the results of a function without an annotation.
func (t *Types) inferred(def *callable, stmt *source.Stmt) *typ {
	v := t.results[stmt]
	if v != nil {
		if !v.done {
			return nil
		}
		return v.t
	}
	v = &inference{}
	t.results[stmt] = v
	if t.depth++; t.depth <= maxInference {
		v.t = t.findResult(def, stmt)
	}
	t.depth--
	v.done = true
	return v.t
}

func (t *Types) findResult(def *callable, stmt *source.Stmt) *typ {
	file := def.b.scope.file
	if file.stub || file.source == "" || len(def.b.overloads) > 0 || stmt.Kind != source.Def || def.b.alt != nil {
		return nil
	}
	c := t.codeOf(file, stmt)
	if c == nil {
		return nil
	}
	f := t.functionFrame(file, def.b.scope, c, def.owner, nil)
	f.quiet, f.limit, f.inferred = 1, maxResultSteps, stmt
	f.run(c.Body)
	if f.stopped {
		return nil
	}
	return f.returned()
}

// returned returns the type of the results of the function that was evaluated.
func (f *frame) returned() *typ {
	if f.yielded {
		name := "Generator"
		if f.def.async {
			name = "AsyncGenerator"
		}
		return f.instance(f.standard("_collections_abc", name), joinAll(f.yields), nil, nil)
	}
	if !f.env.dead {
		f.results = append(f.results, none)
	}
	if len(f.results) == 0 {
		return nil // it always raises an exception, which another class may change
	}
	return bindings{}.apply(widen(joinAll(f.results)), maxTypeDepth)
}
