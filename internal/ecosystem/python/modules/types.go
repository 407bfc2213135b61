package modules

import (
	"context"
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// The files types*.go infer the types of expressions in a program, as a type checker does. A nil
// type is unknown: whatever depends on it is not decided.
//
//	the model of types                     types.go
//	classes, bases, members                types_class.go
//	annotation -> type                     types_annotation.go
//	name of a module -> type               types_name.go
//	expression -> type                     types_value.go
//	call -> type of the result             types_call.go
//	arguments -> overloads that apply      types_overload.go
//	call -> arguments that do not fit      types_arguments.go
//	assignment -> class that it creates    types_made.go
//	literals that choose overloads         types_literal.go
//	statements -> types of variables       types_flow.go
//	functions and classes in functions     types_local.go
//	condition -> types in its branches     types_narrow.go
//	file -> members that do not exist      types_check.go

//go:embed all:stubs
var stubFiles embed.FS

// Types infers types in the modules of a program. It is not safe for concurrent use.
type Types struct {
	// Own reports whether the modules in a directory belong to the program. If it is nil, none do, except the checked
	// ones.
	Own func(dir string) bool

	ctx     context.Context // of the current file
	r       *Reader
	doc     *documenter
	stubs   *dist
	classes map[*binding]*classType
	made    map[*binding]*classType // classes that assignments create
	values  map[*binding]*inference
	results map[*source.Stmt]*inference
	nested  map[*source.Code]*inference // results of functions in functions of the current file
	bodies  []*classType                // classes whose code is in memory
	depth   int
	steps   int // the steps that remain for the current file
}

// inference is a cached type. It is not done while it is being inferred.
type inference struct {
	t    *typ
	done bool
}

const (
	// maxInference is the maximum nesting of functions and variables whose types are inferred for one expression.
	maxInference = 8
	// maxAncestors is the maximum number of classes from which a class inherits whose members are looked up.
	maxAncestors = 100
	// maxTypedText is the maximum size in bytes of a file in which the types of values are inferred.
	maxTypedText = 512 << 10
	// maxTypeDepth is the maximum nesting of a type.
	maxTypeDepth = 20
	// maxVariants is the maximum number of types of a union.
	maxVariants = 12
	// maxBodies is the maximum number of classes whose code stays in memory after a file was checked.
	maxBodies = 50
	// maxTypeSteps is the maximum number of expressions that are evaluated for one file.
	maxTypeSteps = 1_000_000
	// stepsPerCheck is the number of expressions that are evaluated between checks whether the context is done. It is
	// a power of two.
	stepsPerCheck = 1024
	// slotsPerStep is the number of variables whose types are copied or merged in the time that one expression takes.
	slotsPerStep = 16
	// maxResultSteps is the maximum number of expressions in a function whose result is inferred.
	maxResultSteps = 2000
)

// NewTypes returns the types of a program that r reads.
func NewTypes(r *Reader) *Types {
	files, err := fs.Sub(stubFiles, "stubs")
	if err != nil {
		panic(err) // the name is a constant
	}
	t := &Types{ctx: r.ctx, r: r, doc: &documenter{Reader: r}, classes: map[*binding]*classType{}, made: map[*binding]*classType{}, values: map[*binding]*inference{}, results: map[*source.Stmt]*inference{}}
	t.doc.isComplete = t.isComplete
	t.stubs = &dist{Source: &Source{Root: files, Python: r.main.Python, Platform: r.main.Platform}, modules: map[string]*module{}}
	return t
}

// isOwn reports whether a distribution belongs to the program.
func (t *Types) isOwn(d *dist) bool {
	return d == t.r.main || t.Own != nil && d.Dir != "" && t.Own(d.Dir)
}

// typeKind is the kind of a type.
type typeKind uint8

const (
	instanceType typeKind = iota + 1 // an object of class
	classObject                      // class itself
	moduleObject                     // mod
	functionType                     // def, bound to self unless that is nil
	propertyType                     // an attribute that calls def
	noneType
	unionType    // one of args
	variableType // the type variable with name
)

// typ is a type. A nil type is unknown.
type typ struct {
	kind  typeKind
	exact bool // whether the class itself created the object, so that it is of no derived class
	fixed bool // whether a tuple has the elements args
	open  bool // whether the type contains type variables
	made  bool // whether a class that is not known by name created the object
	// limited is true if a bound or constraints limit the types that a type variable stands for.
	limited bool
	// received is true if the value is the receiver of the method that is evaluated, its class, or an object of that class.
	received bool
	unless   []override // the methods on which the type depends
	class    *classType
	args     []*typ // type arguments, elements of a fixed tuple, or variants of a union
	name     string
	def      *callable
	self     *typ // of a bound function, or of the object that super() creates
	mod      *module
}

// callable is a function, or an object that is called like one.
type callable struct {
	b      *binding // the declaration, or nil
	stmts  []*source.Stmt
	owner  *classType // the class that declares a method
	static bool
	class  bool // whether it is a class method
	async  bool
	manage bool // whether the result is a context manager that wraps a generator
	opaque bool // whether an unknown decorator replaces it
	// forwarded is true if the decorators that replace it pass all arguments on to it.
	forwarded bool
	result    *typ // the result of a callable type that has no declaration
	local     *localFunction
	code      *callable // the function that this declaration in docent's own stubs describes, or nil
}

// localFunction is a function in a function, or a lambda.
type localFunction struct {
	code  *source.Code
	value *source.Tree // the body of a lambda
	outer *frame
	class *classType
}

var none = &typ{kind: noneType}

// isOpen reports whether one of the types contains type variables.
func isOpen(args []*typ) bool {
	return slices.ContainsFunc(args, func(a *typ) bool { return a != nil && a.open })
}

func (t *Types) instance(c *classType, args ...*typ) *typ {
	if c == nil {
		return nil
	}
	return &typ{kind: instanceType, class: c, args: args, open: isOpen(args)}
}

// tuple returns the type of a tuple with the given elements.
func (t *Types) tuple(elements []*typ) *typ {
	c := t.builtin("tuple")
	if c == nil {
		return nil
	}
	return &typ{kind: instanceType, class: c, args: elements, fixed: true, exact: true, open: isOpen(elements)}
}

// variants returns the types of a union, or the type itself.
func (x *typ) variants() []*typ {
	switch {
	case x == nil:
		return nil
	case x.kind == unionType:
		return x.args
	}
	return []*typ{x}
}

// same reports whether two types are equal.
func same(a, b *typ, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || depth == 0 || a.kind != b.kind || a.class != b.class || a.fixed != b.fixed || a.name != b.name || a.mod != b.mod || a.def != b.def || len(a.args) != len(b.args) || !same(a.self, b.self, depth-1) {
		return false
	}
	for i := range a.args {
		if !same(a.args[i], b.args[i], depth-1) {
			return false
		}
	}
	return true
}

// join returns the union of two types. It is unknown if one of them is.
func join(a, b *typ) *typ {
	switch {
	case a == nil || b == nil:
		return nil
	case a == b:
		return a
	case same(a, b, maxTypeDepth):
		if a.exact && !b.exact {
			return b.depending(a.overrides())
		}
		return a.depending(b.overrides())
	}
	variants := slices.Clone(a.variants())
	for _, v := range b.variants() {
		if i := slices.IndexFunc(variants, func(x *typ) bool { return same(x, v, maxTypeDepth) }); i < 0 {
			variants = append(variants, v)
		} else if variants[i] = join(variants[i], v); variants[i] == nil {
			return nil
		}
	}
	if len(variants) > maxVariants {
		return nil
	}
	if len(variants) == 1 {
		return variants[0]
	}
	return &typ{kind: unionType, args: variants, open: a.open || b.open}
}

// joinAll returns the union of types.
func joinAll(all []*typ) *typ {
	if len(all) == 0 {
		return nil
	}
	u := all[0]
	for _, x := range all[1:] {
		u = join(u, x)
	}
	return u
}

// without returns a union without the variants for which drop returns true. It returns nil if there are no others.
func (x *typ) without(drop func(*typ) bool) *typ {
	if x == nil {
		return nil
	}
	if x.kind != unionType {
		if drop(x) {
			return nil
		}
		return x
	}
	var rest []*typ
	for _, v := range x.args {
		if v != nil && !drop(v) {
			rest = append(rest, v)
		}
	}
	return joinAll(rest)
}

func isNone(x *typ) bool { return x.kind == noneType }

// bindings are the types of type variables.
type bindings map[string]*typ

// apply replaces type variables. Those without a type become unknown.
func (v bindings) apply(x *typ, depth int) *typ {
	if x == nil || !x.open {
		return x
	}
	if depth == 0 {
		return nil
	}
	if x.kind == variableType {
		return v[x.name]
	}
	out := *x
	out.args = make([]*typ, len(x.args))
	for i, a := range x.args {
		out.args[i] = v.apply(a, depth-1)
	}
	if x.kind == unionType {
		return joinAll(out.args)
	}
	if x.def != nil && x.def.result != nil {
		def := *x.def
		def.result = v.apply(def.result, depth-1)
		out.def = &def
		out.open = def.result != nil && def.result.open
		return &out
	}
	out.open = isOpen(out.args)
	return &out
}

// builtin returns a builtin class.
func (t *Types) builtin(name string) *classType {
	name = nameOfBuiltin(name)
	b := t.builtinBinding(name)
	if b == nil || b.stmt == nil || b.stmt.Kind != source.Class {
		return t.builtinError(name)
	}
	return t.classOf(&entity{mod: b.scope.file.mod, path: name, codeStub: codeStub{stub: b}})
}

func (t *Types) builtinBinding(name string) *binding {
	m := t.r.moduleIn(t.stubs, "builtins")
	if m == nil || m.stub == nil {
		return nil
	}
	return m.stub.scope.names[name]
}

// builtinError returns a builtin exception, which has no stub.
func (t *Types) builtinError(name string) *classType {
	base := t.builtinBinding("BaseException")
	if base == nil || !builtins[name] || !strings.HasSuffix(name, "Error") && !strings.HasSuffix(name, "Exception") && !strings.HasSuffix(name, "Warning") && !strings.Contains(name, "Exit") && !strings.Contains(name, "Stop") && !strings.Contains(name, "Interrupt") && !strings.Contains(name, "Group") {
		return nil
	}
	m := base.scope.file
	b := m.scope.names["\x00"+name]
	if b == nil {
		b = &binding{name: name, scope: m.scope, stmt: &source.Stmt{Kind: source.Class, Name: name, Params: "BaseException"}}
		m.scope.names["\x00"+name] = b
	}
	return t.classOf(&entity{mod: m.mod, path: name, codeStub: codeStub{stub: b}})
}

// standard returns a class of a module of the standard library, or of docent's own stubs if there is no library.
func (t *Types) standard(module, name string) *classType {
	m := t.r.module(t.r.main, module)
	if m == nil {
		m = t.r.moduleIn(t.stubs, module)
	}
	if m == nil {
		return nil
	}
	e := t.r.lookup(m, name, false)
	if !e.known() || e.path == "" || !e.isClass() {
		return nil
	}
	return t.classOf(e)
}

// implementations are modules of the standard library that contain the code of others.
var implementations = map[string]string{"_pydatetime": "datetime", "pathlib._local": "pathlib"}

// stubbed returns the declaration of a class or function of the standard library in docent's own stubs, or nil.
func (t *Types) stubbed(e *entity) *binding {
	if e.mod == nil || e.mod.dist == t.stubs || e.mod.dist == t.r.main {
		return nil
	}
	name := e.mod.name
	if public := implementations[name]; public != "" {
		name = public
	}
	m := t.r.moduleIn(t.stubs, name)
	if m == nil || m.stub == nil || e.mod.stub != nil && !e.mod.stub.made {
		return nil
	}
	return t.r.at(m.stub.scope, e.path)
}
