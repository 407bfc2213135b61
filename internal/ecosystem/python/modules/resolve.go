package modules

import (
	"cmp"
	"math"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// entity is the meaning of a name: a module, or a declaration in the code of a
// module, in its stub, or in both.
type entity struct {
	mod *module
	// path is the name within the module, such as "Session" or "Outer.Inner", or "" for the module
	// itself.
	path string
	codeStub
	// external is the name of an entity that was not found, such as "numpy.ndarray".
	external string
	name     string // full name, once computed
}

// codeStub contains the declarations of one name in the code and in a stub. Either may be nil.
type codeStub struct{ code, stub *binding }

// main returns the declaration that determines the kind of the entity: the declaration in the code,
// or else the one in the stub.
func (d *codeStub) main() *binding { return cmp.Or(d.code, d.stub) }

// typed returns the declaration that contains the types: the declaration in the stub, or else the
// one in the code.
func (d *codeStub) typed() *binding { return cmp.Or(d.stub, d.code) }

// known reports whether the declaration was found.
func (e *entity) known() bool { return e != nil && e.external == "" }

// made reports whether only a compiled module declares the entity. A stub that refers to
// the entity then has more information.
func (e *entity) made() bool {
	return e.known() && e.code == nil && e.stub != nil && e.stub.scope.file.made
}

// full returns the full name, such as "requests.sessions.Session".
func (e *entity) full() string {
	switch {
	case e.external != "":
		return e.external
	case e.path == "":
		return e.mod.name
	case e.name == "":
		e.name = e.mod.name + "." + e.path
	}
	return e.name
}

// isClass reports whether the entity is declared as a class.
func (e *entity) isClass() bool {
	b := e.main()
	return b != nil && b.stmt != nil && b.stmt.Kind == source.Class
}

// isBuiltin reports whether the entity is in builtins or typing, which have the members of all classes.
func (e *entity) isBuiltin() bool {
	return strings.HasPrefix(e.full(), "typing.") || strings.HasPrefix(e.full(), "builtins.")
}

func (e *entity) isDef() bool {
	b := e.main()
	return b != nil && b.stmt != nil && b.stmt.Kind == source.Def
}

// These are the steps of looking up a name in a module.
const (
	inFirst  = iota // in the code, or in the stub for a name that a stub uses
	inSecond        // in the stub, or in the code for a name that a stub uses
	inLazy          // in the names that __getattr__ provides
	inBelow         // in the modules of the package
	steps
)

type lookupKey struct {
	mod  *module
	name string
	stub bool
}

type lookupState struct {
	step  int // the current step
	depth int // depth of the lookup, from 1
	found *entity
	done  bool
	// reach is the depth of the outermost unfinished lookup on which this one
	// depends through a cycle. That lookup may still find the name in its later
	// steps. reach is noReach if there is no cycle.
	reach int
}

const noReach = math.MaxInt

// lookupSteps is the number of steps that are counted for a lookup, because its result stays in
// memory.
const lookupSteps = 4

// lookupsOf returns the lookups in a module. preferStub is true for names that
// stubs use.
func (m *module) lookupsOf(preferStub bool) map[string]*lookupState {
	index := 0
	if preferStub {
		index = 1
	}
	if m.lookups[index] == nil {
		m.lookups[index] = map[string]*lookupState{}
	}
	return m.lookups[index]
}

// lookup returns the entity that a name refers to in a module, or nil if the module does not
// contain it. preferStub is true for a name that a stub uses.
func (r *Reader) lookup(m *module, name string, preferStub bool) *entity {
	key := lookupKey{m, name, preferStub}
	known := m.lookupsOf(preferStub)
	state := known[name]
	first := 0
	if state == nil {
		state = &lookupState{depth: r.depth + 1, reach: noReach}
		known[name] = state
	} else if state.done {
		r.reach = min(r.reach, state.reach)
		return state.found
	} else {
		first = state.step + 1 // a cycle: repeating the current step finds nothing new
		r.reach = min(r.reach, state.depth)
	}
	if r.depth++; r.depth > maxFollowed || !r.check() || !r.meter.Step(lookupSteps) {
		r.depth--
		return nil
	}
	before, reach, open := state.step, r.reach, len(r.unsettled)
	r.reach = noReach
	var weak *entity
	for step := first; step < steps; step++ {
		state.step = step
		e := r.lookupStep(m, name, preferStub, step)
		if e.known() && !e.made() {
			if weak.made() && e.stub != nil && e.stub != weak.stub {
				if !e.isDef() && !e.isClass() && weak.isDef() && !strings.HasSuffix(weak.stub.stmt.Params, unknownParams) {
					break // the stub has airy: ufunc, the docstring airy(z, out=None)
				}
				e.stub.compiled = weak.stub
			}
			weak = e
			break
		}
		if e != nil && (weak == nil || e.made() && !weak.known()) {
			weak = e
		}
	}
	r.depth--
	state.step = before
	if first == 0 {
		state.found, state.done = weak, true
		switch {
		case r.reach >= state.depth:
			r.settle(open, state.depth, weak.known())
			r.reach = noReach
		case !weak.known():
			state.reach = r.reach
			r.unsettled = append(r.unsettled, key)
		}
	}
	r.reach = min(r.reach, reach)
	return weak
}

// settle is called when the lookup at the given depth has ended. It settles the unsettled lookups,
// beginning at index from, that depend on it through a cycle. If that lookup found the name, they
// are forgotten, because they may find it as well.
func (r *Reader) settle(from, depth int, found bool) {
	rest := r.unsettled[:from]
	for _, key := range r.unsettled[from:] {
		switch state := key.mod.lookupsOf(key.stub)[key.name]; {
		case state.reach < depth:
			rest = append(rest, key)
		case found:
			delete(key.mod.lookupsOf(key.stub), key.name)
		default:
			state.reach = noReach
		}
	}
	r.unsettled = rest
}

func (r *Reader) lookupStep(m *module, name string, preferStub bool, step int) *entity {
	switch step {
	case inFirst, inSecond:
		f := m.code
		if (step == inFirst) == preferStub {
			f = m.stub
		}
		if f == nil {
			return nil
		}
		return r.lookupFile(f, name)
	case inLazy:
		if m.code != nil && m.code.scope.names["__getattr__"] != nil {
			if e := r.lazy(m.code, name); e != nil {
				return e
			}
			return r.lazyMentioned(m, name)
		}
		if m.native && m.code == nil && (m.stub == nil || m.stub.made) {
			return r.loose(m, name)
		}
	case inBelow:
		if m.pkg && isName(name) {
			if below := r.moduleIn(m.dist, m.name+"."+name); below != nil {
				return &entity{mod: below}
			}
		}
	}
	return nil
}

// lookupFile looks for a name in the scope of a file. It returns nil if there is
// none.
func (r *Reader) lookupFile(f *file, name string) *entity {
	var weak *entity
	if b := f.scope.names[name]; b != nil {
		if e := r.followAny(b); e.known() {
			return e
		} else if e != nil {
			weak = e
		}
	}
	if strings.HasPrefix(name, "_") && len(f.scope.stars) > 0 && weak != nil {
		return weak
	}
	if e := r.lookupStars(f, f.scope.stars, name); e != nil {
		return e
	}
	return weak
}

// followAny follows a binding. If that finds nothing, it follows the bindings over which
// it took precedence. It returns nil if none of them refers to an entity.
func (r *Reader) followAny(b *binding) *entity {
	var weak *entity
	if b.runs != nil && b.stmt != nil && b.stmt.Kind == source.Assign && isDotted(b.value.Text()) { // There is one class for type checkers and another that runs.
		if e := r.follow(b.runs); e.known() && (e.isClass() || e.isDef()) {
			return e
		}
	}
	for n := 0; b != nil && n <= maxAlternatives; n++ {
		e := r.follow(b)
		if e.known() {
			if b.alt != nil && b.alt.fallback && !b.fallback && isCalled(e.main()) { // The else clause has a better value.
				if other := r.follow(b.alt); other.known() && (other.isClass() || other.isDef()) {
					return other
				}
			}
			return e
		}
		weak = cmp.Or(weak, e)
		b = b.alt
	}
	return weak
}

// unreadable returns what a name refers to if it takes precedence over the entity that followAny finds, but cannot be
// read: a module or a name in it that is not installed. It returns nil if there is none.
func (r *Reader) unreadable(b *binding) *entity {
	if b == nil || b.alt == nil {
		return nil
	}
	e := r.follow(b)
	if b.imported && !e.known() && r.followAny(b).known() {
		return e
	}
	return nil
}

// varies reports whether a name is imported, directly or through other modules, from several modules that declare different
// classes or functions, one of which the running program chooses, or from a module that cannot be read, with a declaration for
// programs without that module.
func (r *Reader) varies(b *binding) bool {
	for range maxAlternatives {
		if r.unreadable(b) != nil {
			return true
		}
		if b == nil || !b.imported || b.attr == "" {
			return false
		}
		var first *entity
		for n, other := 0, b; b.alt != nil && other != nil && other.imported && n <= maxAlternatives; other, n = other.alt, n+1 {
			e := r.follow(other)
			switch {
			case other.typing || !e.known() || !e.isClass() && !e.isDef():
			case first == nil:
				first = e
			case e.full() != first.full():
				return true
			}
		}
		m := r.module(b.scope.file.mod.dist, b.from)
		if m == nil || m.code == nil {
			return false
		}
		b = m.code.scope.names[b.attr]
	}
	return false
}

// isCalled reports whether the value of a variable is the result of a call.
func isCalled(b *binding) bool {
	return b != nil && b.stmt != nil && b.stmt.Kind == source.Assign && b.annotation == nil && strings.HasSuffix(b.value.Text(), ")")
}

// follow returns the entity that a binding refers to.
func (r *Reader) follow(b *binding) *entity {
	f := b.scope.file
	if b.imported {
		m := r.module(f.mod.dist, b.from)
		if b.attr == "" {
			if m == nil {
				return &entity{external: b.from}
			}
			return &entity{mod: m}
		}
		if m != nil {
			if e := r.lookup(m, b.attr, f.stub); e != nil {
				return e
			}
		}
		if below := r.module(f.mod.dist, b.from+"."+b.attr); below != nil {
			return &entity{mod: below}
		}
		return &entity{external: b.from + "." + b.attr}
	}
	if b.stmt != nil && b.stmt.Kind == source.Assign && (b.annotation == nil || b.annotation.Type().Kind == source.Subscript && strings.EqualFold(typeName(b.annotation.Type()), "type")) && !b.stmt.TypeAlias {
		if e := r.alias(b); e != nil {
			return e
		}
		if e := r.madeFunction(b); e != nil {
			return e
		}
	}
	return r.declared(b)
}

// declared returns the entity of a declaration, with the declaration with the same name in the stub
// or the code.
func (r *Reader) declared(b *binding) *entity {
	path := b.name
	for s := b.scope; s.class != nil; s = s.class.scope {
		path = s.class.name + "." + path
	}
	f := b.scope.file
	e := &entity{mod: f.mod, path: path}
	if f.stub {
		e.stub = b
		if f.mod.code != nil {
			e.code = r.at(f.mod.code.scope, path)
		}
	} else {
		e.code = b
		if f.mod.stub != nil {
			e.stub = r.at(f.mod.stub.scope, path)
		}
	}
	return e
}

// at returns the declaration at the given path within a scope, or nil if there is none.
func (r *Reader) at(s *scope, path string) *binding {
	name, rest, more := strings.Cut(path, ".")
	b := s.names[name]
	if b == nil || b.imported || b.stmt == nil {
		return nil
	}
	if !more {
		return b
	}
	if b.stmt.Kind != source.Class {
		return nil
	}
	return r.at(r.inner(b), rest)
}

// alias follows an assignment of a name to a name. It returns nil for other
// assignments.
func (r *Reader) alias(b *binding) *entity {
	if b.used || len(b.value.Text()) > maxAliasText || b.value.Text() == "" {
		return nil
	}
	value := r.chosen(b)
	if !isDotted(value) {
		return nil
	}
	b.used = true
	defer func() { b.used = false }()
	e := r.resolve(b.scope, value)
	if !e.known() || e.path == "" && e.mod == nil {
		return nil
	}
	if m := e.main(); m != nil && m.stmt != nil && m.stmt.Kind == source.Assign && !r.isMadeClass(m) {
		return nil // the value is documented under its own name
	}
	return e
}

// chosen returns the value of a binding. For A if condition else B, it returns the
// alternative that the condition chooses.
func (r *Reader) chosen(b *binding) string {
	if !strings.Contains(b.value.Text(), " if ") {
		return b.value.Text()
	}
	t := b.value.Tree()
	for depth := 0; t.Kind == source.Condition && depth < maxDepth; depth++ {
		switch b.scope.truth(r, t.X, 0) {
		case yes:
			t = t.Args[0]
		case no:
			t = t.Args[1]
		default:
			return b.value.Text()
		}
	}
	return t.Text
}

func isDotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return false
		}
	}
	return s != "None" && s != "True" && s != "False"
}

// resolve returns the entity that a dotted name refers to in a scope, or nil if it is unknown.
func (r *Reader) resolve(s *scope, dotted string) *entity {
	name, rest, _ := strings.Cut(dotted, ".")
	var e *entity
	for outer := s; outer.class != nil; outer = outer.class.scope {
		if b := outer.names[name]; b != nil && !b.used && !b.instance {
			if e = r.followAny(b); e != nil {
				break
			}
		}
	}
	if e == nil {
		e = r.lookup(s.file.mod, name, s.file.stub)
	}
	if e == nil {
		if builtins[name] {
			return &entity{external: "builtins." + dotted}
		}
		return nil
	}
	for rest != "" && e != nil {
		name, rest, _ = strings.Cut(rest, ".")
		e = r.attribute(e, name)
	}
	return e
}

// attribute returns the entity that an attribute of an entity refers to, or nil if there is none.
func (r *Reader) attribute(e *entity, name string) *entity {
	switch {
	case e.external != "":
		return &entity{external: e.external + "." + name}
	case e.path == "":
		if found := r.lookup(e.mod, name, false); found != nil {
			return found
		}
		return &entity{external: e.mod.name + "." + name}
	case e.isClass():
		for _, c := range r.mro(e) {
			for _, b := range []*binding{c.code, c.stub} {
				if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
					continue
				}
				if m := r.inner(b).names[name]; m != nil && !m.used {
					return r.followAny(m)
				}
			}
		}
		if meta := r.metaclass(e); meta.known() && meta.isClass() && meta.main() != e.main() {
			return r.attribute(meta, name)
		}
	}
	return nil
}

// qualified returns the full name of the entity that a dotted name refers to, and the
// full name of the import that binds it, without following the import.
func (r *Reader) qualified(s *scope, dotted string) (full, imported string) {
	name, rest, more := strings.Cut(dotted, ".")
	if b := s.file.scope.names[name]; b != nil && b.imported {
		imported = b.from
		if b.attr != "" {
			imported += "." + b.attr
		}
		if more {
			imported += "." + rest
		}
	}
	if e := r.resolve(s, dotted); e != nil {
		full = e.full()
	}
	return full, imported
}

// is reports whether a dotted name refers to one of the given full names.
func (r *Reader) is(s *scope, dotted string, names map[string]bool) bool {
	if dotted == "" {
		return false
	}
	full, imported := r.qualified(s, dotted)
	return names[full] || names[imported] || full == "" && imported == "" && names[dotted]
}

// builtins are the types that are available in every module.
var builtins = set("int", "str", "float", "bool", "bytes", "bytearray", "complex", "list", "dict", "set", "frozenset", "tuple", "object", "type", "range",
	"slice", "memoryview", "property", "classmethod", "staticmethod", "super", "BaseException", "Exception", "ArithmeticError", "AssertionError",
	"AttributeError", "BufferError", "EOFError", "ImportError", "ModuleNotFoundError", "LookupError", "IndexError", "KeyError", "MemoryError", "NameError",
	"NotImplementedError", "OSError", "IOError", "EnvironmentError", "BlockingIOError", "ChildProcessError", "ConnectionError", "BrokenPipeError",
	"ConnectionAbortedError", "ConnectionRefusedError", "ConnectionResetError", "FileExistsError", "FileNotFoundError", "InterruptedError",
	"IsADirectoryError", "NotADirectoryError", "PermissionError", "ProcessLookupError", "TimeoutError", "OverflowError", "RecursionError",
	"ReferenceError", "RuntimeError", "StopIteration", "StopAsyncIteration", "SyntaxError", "SystemError", "SystemExit", "TypeError", "UnboundLocalError",
	"UnicodeError", "UnicodeDecodeError", "UnicodeEncodeError", "ValueError", "ZeroDivisionError", "KeyboardInterrupt", "GeneratorExit", "Warning",
	"DeprecationWarning", "FutureWarning", "PendingDeprecationWarning", "RuntimeWarning", "SyntaxWarning", "UserWarning", "ImportWarning",
	"UnicodeWarning", "BytesWarning", "ResourceWarning", "EncodingWarning", "BaseExceptionGroup", "ExceptionGroup")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
