package modules

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// Code infers the types of expressions in the TypeScript files of a project, as far as these are
// certain. It is not safe for concurrent use.
//
// A type that it infers may be a union with more parts than in TypeScript, because it does not
// narrow types and considers all overloads of a function. So it reports only members that no part
// has. If code narrows a type to a more specific one, the type is unknown.
type Code struct {
	r       *Reader
	e       evaluator
	files   map[*module]*codeFile
	spare   codeFile // the memory of a file that was checked
	pending map[*symbol]bool
	queries map[*symbol]typeRef
	// checked is the module whose uses are determined.
	checked *module
	globals *scope
	names   int // number of names that were made for types
	// spaces contains the namespace JSX that applies to each module, and adapting the results of adaptsIn.
	spaces   map[*module]*symbol
	adapting map[*module]bool
}

// MemberUse is the use of a member of a value in a file.
type MemberUse struct {
	Offset int
	Name   string
	// Owner is the name of the type of the value, or "" if it has none. Package is the package that
	// declares it, or nil if it is declared by the project itself.
	Owner   string
	Package *Package
	// Types are the types of the value and those that they inherit from.
	Types []TypeName
	// Absent is true if the value does not have the member. Members contains the names of the
	// members that it has.
	Absent  bool
	Members []string
	// Field is true if the member is a field of an object literal. Literal contains the offsets of the
	// first and the last of its fields.
	Field   bool
	Literal [2]int
	// Element is the name of the JSX element if the member is an attribute, or "".
	Element string
	// Arguments is what is wrong with the arguments of a call of the member or function, or "".
	Arguments string
}

// TypeName is the name of a type, and that of the package that declares it, which is empty for the project. Without a
// name, it stands for a module of the package.
type TypeName struct {
	Package, Name string
	Nested        bool // whether the type is declared in a namespace
	Global        bool // whether the type is declared in the global scope
}

// AnyType stands for a type that is not known.
var AnyType = TypeName{Name: "*"}

// located is the code of a declaration, with its context.
type located struct {
	x *dts.Expr
	f *frame
}

// codeFile is a file whose code was parsed.
type codeFile struct {
	mod    *module
	list   []*dts.Expr
	top    *frame
	types  []exprType            // by the indexes of expressions
	bodies map[*dts.Expr]typeRef // the results of functions
	// places contains the code of declarations by the offsets of their names.
	places map[uint32]located
	uses   []MemberUse
	values []usedValue // the values of uses
	// fresh contains object literals whose fields the compiler checks.
	fresh map[*dts.Expr]bool
	// conditions contains calls whose results are conditions.
	conditions map[*dts.Expr]bool
	// predicates contains calls that may narrow the types of values.
	predicates map[*dts.Expr]bool
	tested     map[string]bool // the paths of values that conditions test; nil until it is needed
}

// exprType is the type of an expression, once it is known.
type exprType struct {
	typeRef
	known bool
}

// frame is the context of an expression.
type frame struct {
	file  *codeFile
	scope *scope
	outer *scope // the scope of the enclosing function
	env   *env
	this  typeRef
	fn    *function
	*narrowing
}

// usedValue is the value that a member belongs to.
type usedValue struct {
	*narrowing
	path     string
	argument string // the path of an argument whose type matters
}

// function is the state of a function whose body is visited.
type function struct {
	results   []typeRef
	declared  typeRef // the type of results that it declares, or unknown
	generator bool
}

// NewCode returns a Code for the files of the reader's package. options returns the options for the files in a directory of
// the package. extended reports whether files of the program may add members to an interface that has none.
func (r *Reader) NewCode(options func(dir string) CompilerOptions, extended func(TypeName) bool) *Code {
	r.exact, r.compilerOptions, r.options, r.extended = true, options, map[string]*CompilerOptions{}, extended
	return &Code{
		r: r, e: evaluator{r: r}, files: map[*module]*codeFile{}, pending: map[*symbol]bool{},
		queries: map[*symbol]typeRef{}, spaces: map[*module]*symbol{}, adapting: map[*module]bool{},
		globals: &scope{locals: newTable(), exports: newTable(), mod: &module{pkg: r.main, file: &dts.File{}}},
	}
}

// Merge adds to the declarations of packages what files of the project add to them. It does not change earlier results.
func (c *Code) Merge(names []string) {
	for _, name := range names {
		if m := c.r.load(c.r.main, name); m != nil {
			c.r.closure(m)
		}
	}
	clear(c.queries)
}

// Uses returns the uses of members of values of known types in a file of the project. The result is valid until the next
// call.
func (c *Code) Uses(name string) []MemberUse {
	m := c.r.load(c.r.main, name)
	if m == nil {
		return nil
	}
	c.checked = m
	f := c.file(m)
	if f == nil {
		return nil
	}
	c.statements(f.top, f.list)
	uses := f.uses[:0]
	partial := c.lacksAugmentations(m)
	for i, u := range f.uses {
		v := f.values[i]
		widened := func() bool {
			return u.Absent && slices.ContainsFunc(v.wider(v.path), func(t typeRef) bool { _, how := c.member(t, u.Name); return how != missing })
		}
		if !v.hides(v.path) && !v.hides(v.argument) && !(partial && u.Absent && u.Package != nil) && !widened() {
			uses = append(uses, u)
		}
	}
	slices.SortStableFunc(uses, func(a, b MemberUse) int { return cmp.Compare(a.Offset, b.Offset) })
	uses = slices.CompactFunc(uses, func(a, b MemberUse) bool { return a.Offset == b.Offset && a.Arguments == b.Arguments })
	c.release(f)
	return uses
}

// release removes the code of a file that has been checked, to save memory. It is parsed again if another file needs
// types that are inferred from it.
func (c *Code) release(f *codeFile) {
	delete(c.files, f.mod)
	clear(f.values)
	clear(f.types)
	c.spare = codeFile{types: f.types[:0], uses: f.uses[:0], values: f.values[:0]}
}

// file parses the code of a module of the project. It returns nil if that is not possible.
func (c *Code) file(m *module) *codeFile {
	if f, ok := c.files[m]; ok {
		return f
	}
	if m.file != nil && m.file.Language == dts.JavaScript && m != c.checked {
		return nil // Other files may assign anything to its variables and members.
	}
	c.files[m] = nil
	if m.pkg != c.r.main || m.file == nil || m.file.Language == dts.Declarations {
		return nil
	}
	code, err := dts.ParseCodeOf(c.r.meter, m.file, m.path)
	if err != nil {
		return nil
	}
	c.loadReferences(m)
	f := &codeFile{
		mod: m, list: code.Statements, types: slices.Grow(c.spare.types, code.Size)[:code.Size], uses: c.spare.uses, values: c.spare.values,
		bodies: map[*dts.Expr]typeRef{}, places: map[uint32]located{}, fresh: map[*dts.Expr]bool{}, conditions: map[*dts.Expr]bool{}, predicates: map[*dts.Expr]bool{},
	}
	f.top = &frame{file: f, scope: m.scope, outer: m.scope, narrowing: newNarrowing(nil)}
	c.spare = codeFile{}
	c.files[m] = f
	for _, x := range f.list {
		f.top.findNarrowed(x)
		if m.file.Language == dts.JavaScript {
			f.top.findAssigned(x)
		}
	}
	c.locate(f.top, f.list)
	return f
}

// loadReferences loads the files to which the imported packages refer with /// <reference path="x" />.
// They may add members to the types of the package.
func (c *Code) loadReferences(m *module) {
	for _, l := range m.imports {
		if l.types || isNear(l.spec) {
			continue
		}
		of := c.r.moduleOf(m, l.spec)
		if of != nil && of.pkg != c.r.main && of.file != nil && slices.ContainsFunc(of.file.References, func(ref dts.Reference) bool { return ref.Kind == "path" }) {
			c.r.closure(of)
		}
	}
}

// lacksAugmentations reports whether a module names a package that cannot be read with /// <reference types="x" /> or
// import "x". Such a package may add members to the types of other packages.
func (c *Code) lacksAugmentations(m *module) bool {
	return slices.ContainsFunc(m.imports, func(l link) bool {
		switch name, _ := splitSpecifier(l.spec); {
		case l.types:
			return l.spec != "node" && c.r.typesReference(m, l.spec) == nil
		case !l.reexport || l.bound || isNear(l.spec) || Builtin(l.spec):
			return false
		default:
			return c.r.dep(m.pkg, name) == nil && c.r.moduleOf(m, l.spec) == nil
		}
	})
}

// locate records the declarations in statements.
func (c *Code) locate(f *frame, list []*dts.Expr) {
	for _, x := range list {
		if x == nil {
			continue
		}
		switch x.Kind {
		case dts.StmtVar:
			for _, b := range x.List {
				c.locateNames(f, b, b.List[0])
				c.place(f, b.Pos, b)
			}
		case dts.ExprFunc:
			c.place(f, x.Pos, x)
		case dts.ExprClass:
			c.locateClass(f, x)
		}
	}
}

func (c *Code) place(f *frame, pos uint32, x *dts.Expr) {
	f.file.places[pos] = located{x, f}
}

// placeOf returns the code of a declaration, or nothing if there is none.
func (c *Code) placeOf(s *scope, n *dts.Node) located {
	if s == nil || s.mod == nil {
		return located{}
	}
	f := c.file(s.mod)
	if f == nil {
		return located{}
	}
	return f.places[n.Pos]
}

// locateNames records the names in a destructuring pattern of a binding.
func (c *Code) locateNames(f *frame, b, pattern *dts.Expr) {
	if pattern == nil {
		return
	}
	if pattern.Kind == dts.ExprName {
		c.place(f, pattern.Pos, b)
		return
	}
	for _, x := range pattern.List {
		if x != nil {
			c.locateNames(f, b, x.List[0])
		}
	}
}

// locateClass records the members of a class.
func (c *Code) locateClass(f *frame, x *dts.Expr) {
	c.place(f, x.Pos, x)
	for _, m := range x.List {
		c.place(c.classFrame(f, x, m.Static), m.Pos, m)
	}
}

// classFrame returns the context of the members of a class.
func (c *Code) classFrame(f *frame, x *dts.Expr, static bool) *frame {
	in := *f
	in.this = typeRef{}
	in.narrowing = newNarrowing(f.narrowing)
	var sym *symbol
	if x.Text != "" {
		sym = c.r.target(c.r.lookup(f.scope, x.Text, valueMeaning))
	}
	if sym != nil && isClass(sym) {
		if static {
			in.this = c.query(sym)
		} else {
			in.this = c.self(sym)
		}
	}
	in.env = c.free(x.Type, f)
	return &in
}

// free binds the type parameters of a declaration to their constraints.
func (c *Code) free(n *dts.Node, f *frame) *env {
	inner := c.e.opaque(decl{n, f.scope})
	if inner == nil {
		return f.env
	}
	return c.r.memo.append(inner, f.env)
}

// block visits statements in a new scope.
func (c *Code) block(f *frame, list []*dts.Expr) {
	in := *f
	in.scope = &scope{parent: f.scope, locals: newTable(), exports: newTable(), mod: f.file.mod}
	c.declare(&in, list)
	c.statements(&in, list)
}

// declare adds the names that statements declare to the scope.
func (c *Code) declare(f *frame, list []*dts.Expr) {
	for _, x := range list {
		if x == nil {
			continue
		}
		switch x.Kind {
		case dts.StmtVar:
			for _, b := range x.List {
				c.declareBinding(f, b, x.Text == "var")
			}
		case dts.ExprFunc:
			if x.Text != "" {
				c.local(f, x.Text, x.Type)
			}
		case dts.ExprClass:
			if x.Text != "" {
				c.local(f, x.Text, x.Type)
			}
		case dts.StmtType:
			if x.Type != nil && x.Type.Kind != dts.Namespace && x.Type.Kind != dts.Global {
				c.local(f, x.Type.Name(), x.Type)
			}
		}
	}
	c.locate(f, list)
}

// local declares a name.
func (c *Code) local(f *frame, name string, n *dts.Node) {
	sym := f.scope.locals.make(name)
	sym.decls = append(sym.decls, decl{n, f.scope})
}

func (c *Code) declareBinding(f *frame, b *dts.Expr, hoisted bool) {
	add := func(name string, pos uint32) {
		n := &dts.Node{Kind: dts.Variable, Text: name, Pos: pos}
		c.local(f, name, n)
		if hoisted && f.outer != f.scope && f.outer != f.file.mod.scope {
			sym := f.outer.locals.make(name)
			sym.decls = append(sym.decls, decl{n, f.scope})
		}
	}
	if b.List[0] == nil {
		add(b.Text, b.Pos)
		return
	}
	names(b.List[0], add)
}

// names calls add for each name that a pattern binds.
func names(pattern *dts.Expr, add func(name string, pos uint32)) {
	if pattern == nil {
		return
	}
	if pattern.Kind == dts.ExprName {
		add(pattern.Text, pattern.Pos)
		return
	}
	for _, x := range pattern.List {
		if x != nil {
			names(x.List[0], add)
		}
	}
}

func (c *Code) statements(f *frame, list []*dts.Expr) {
	for i, x := range list {
		if !c.r.check() {
			return
		}
		c.statement(f, x)
		if x != nil && x.Kind == dts.StmtOther && x.Text == "if" && len(x.List) == 2 && leaves(x.List[1]) {
			f = c.narrowed(f, x.List[0], false, list[i+1:]...)
		}
	}
}

func (c *Code) statement(f *frame, x *dts.Expr) {
	if x == nil {
		return
	}
	switch x.Kind {
	case dts.StmtBlock:
		c.block(f, x.List)
	case dts.StmtVar:
		for _, b := range x.List {
			t := c.bindingType(f, b)
			if v := b.List[1]; v != nil && v.Kind != dts.ExprObject { // The pattern determines the type of a literal.
				c.usePattern(f, b.List[0], t, pathOf(v))
			}
		}
	case dts.StmtReturn:
		var t typeRef
		if x.List[0] == nil {
			t = c.keyword("undefined")
		} else {
			var want typeRef
			if f.fn != nil && !f.fn.declared.unknown() {
				want = f.fn.declared
				f.mark(x.List[0])
			}
			t = c.expr(f, x.List[0], want)
		}
		if f.fn != nil {
			f.fn.results = append(f.fn.results, t)
		}
	case dts.StmtForOf:
		in := *f
		in.scope = &scope{parent: f.scope, locals: newTable(), exports: newTable(), mod: f.file.mod}
		t := c.expr(f, x.List[1], typeRef{})
		if v := x.List[0]; v != nil && v.Kind == dts.StmtVar {
			element := c.keyword("string")
			if x.Text != "in" {
				element = c.iterated(t, x.Text == "await")
			}
			for _, b := range v.List {
				if b.Type == nil && b.List[1] == nil {
					c.bind(&in, b, element)
					c.usePattern(&in, b.List[0], element, "")
				}
			}
		} else {
			c.expr(f, v, typeRef{})
		}
		c.statement(&in, x.List[2])
	case dts.StmtType:
	case dts.StmtOther:
		for i, s := range x.List {
			in := f
			if i > 0 && (x.Text == "if" || x.Text == "while") {
				in = c.narrowed(f, x.List[0], i == 1, s)
			}
			c.statement(in, s)
		}
	case dts.ExprFunc, dts.ExprClass:
		c.expr(f, x, typeRef{})
	default:
		c.expr(f, x, typeRef{})
	}
}

// bind declares the names of a binding whose value has a type.
func (c *Code) bind(f *frame, b *dts.Expr, t typeRef) {
	if b.List[0] == nil {
		c.value(f, b.Text, t)
		return
	}
	c.bindPattern(f, b.List[0], t)
}

// value declares a variable with a type.
func (c *Code) value(f *frame, name string, t typeRef) {
	f.scope.locals.set(&symbol{name: name, typ: t, decls: []decl{{&dts.Node{Kind: dts.Param, Text: name}, f.scope}}})
}

func (c *Code) bindPattern(f *frame, pattern *dts.Expr, t typeRef) {
	if pattern == nil {
		return
	}
	if pattern.Kind == dts.ExprName {
		c.value(f, pattern.Text, t)
		return
	}
	c.destructure(f, pattern, t, func(name *dts.Expr, t typeRef) { c.value(f, name.Text, t) })
}

// destructure calls bind for each name in a pattern.
func (c *Code) destructure(f *frame, pattern *dts.Expr, t typeRef, bind func(name *dts.Expr, t typeRef)) {
	for i, x := range pattern.List {
		if x == nil {
			continue
		}
		var v typeRef
		switch {
		case x.Kind == dts.ExprSpread:
			if pattern.Kind == dts.ExprArray {
				v = c.list(c.iterated(t, false))
			} else if f.file.mod.file.Language == dts.TypeScript { // An object in JavaScript may have more properties.
				v = c.rest(t, pattern)
			}
		case pattern.Kind == dts.ExprArray:
			v = c.elementAt(t, i)
		case x.Text != "":
			v, _ = c.member(t, x.Text)
		}
		if len(x.List) > 1 && x.List[1] != nil {
			d := c.expr(f, x.List[1], v)
			if !v.unknown() {
				v = c.either(v, d)
			}
		}
		if target := x.List[0]; target == nil {
		} else if target.Kind == dts.ExprName {
			bind(target, v)
		} else {
			c.destructure(f, target, v, bind)
		}
	}
}

// bindingType evaluates the type of the value of a binding, and visits its value.
func (c *Code) bindingType(f *frame, b *dts.Expr) typeRef {
	var declared typeRef
	if b.Type != nil {
		declared = typeRef{node: b.Type, scope: f.scope, env: f.env}
		f.mark(b.List[1])
	}
	if b.List[1] == nil {
		return declared
	}
	t := c.expr(f, b.List[1], declared)
	if b.Type != nil {
		return declared
	}
	return c.widened(t)
}

// symbolType returns the type of a value, or the unknown type.
func (c *Code) symbolType(sym *symbol) typeRef {
	sym = c.r.target(sym)
	if sym == nil {
		return typeRef{}
	}
	if sym.namespaceOf != nil {
		return c.query(sym)
	}
	if !sym.typ.unknown() || len(sym.decls) == 0 {
		return sym.typ
	}
	for _, d := range sym.decls {
		switch d.node.Kind {
		case dts.Class, dts.Function, dts.Enum, dts.Namespace:
			return c.query(sym)
		}
	}
	if c.pending[sym] {
		return typeRef{}
	}
	values := slices.DeleteFunc(slices.Clone(sym.decls), func(d decl) bool {
		return d.node.Kind != dts.Variable && d.node.Kind != dts.ExportDefault && d.node.Kind != dts.Param
	})
	if len(values) == 0 || len(values) > 1 && values[0].scope.mod.pkg == c.r.main {
		return typeRef{}
	}
	d := values[0]
	if t := d.node.Type(); t != nil && !t.Has(dts.FlagInferred) {
		return typeRef{node: t, scope: d.scope}
	}
	c.pending[sym] = true
	defer delete(c.pending, sym)
	t := c.declaredValue(d)
	if !t.unknown() {
		sym.typ = t
	}
	return t
}

// declaredValue infers the type of a variable from its value.
func (c *Code) declaredValue(d decl) typeRef {
	if i := d.node.Child(dts.Initial); i != nil && d.scope.mod.file != nil && d.scope.mod.file.Language == dts.Declarations {
		return c.literalType(i.Text)
	}
	place := c.placeOf(d.scope, d.node)
	if place.x == nil || place.x.Kind != dts.StmtBinding {
		return typeRef{}
	}
	t := c.bindingType(place.f, place.x)
	if place.x.List[0] == nil {
		return t
	}
	var found typeRef
	c.destructure(place.f, place.x.List[0], t, func(name *dts.Expr, v typeRef) {
		if name.Pos == d.node.Pos {
			found = v
		}
	})
	return found
}
