package modules

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/quote"
)

// symbol is a name with all that declares it: merged interfaces, a class with
// a namespace, overloads, or an alias for a symbol of another scope.
type symbol struct {
	name  string
	decls []decl
	// exports are the symbols inside of a namespace.
	exports *table
	// alias is what an import or export specifier refers to; nil for a symbol
	// that is declared here.
	alias *alias
	// methods are those that JavaScript adds to the prototype of a function.
	methods []decl
	// typ is the type of a property that is taken for a symbol.
	typ typeRef
	// of is the module whose namespace object the symbol is: import * as x.
	of *module

	target    *symbol // of an alias, once found
	resolving bool    // an alias that leads to itself
	resolved  bool

	members *memberList // once asked for
	listing bool
}

// decl is one declaration and the scope that it stands in.
type decl struct {
	node  *dts.Node
	scope *scope
}

// alias refers to a symbol elsewhere.
type alias struct {
	scope *scope
	// spec is the module; empty for a name of the scope itself.
	spec string
	// name is the export of the module, "*" for the module itself, or the
	// dotted name in the scope.
	name string
	// equals is true for import x = require("y"): what y assigns to export =.
	equals bool
	// hidden is true for export {x}: the name is not there for the scope itself.
	hidden bool
	node   *dts.Node
}

// table holds symbols by name, in the order of their first declaration.
type table struct {
	order []*symbol
	names map[string]*symbol // once there are more than few
}

func newTable() *table { return &table{} }

func (t *table) get(name string) *symbol {
	if t == nil {
		return nil
	}
	if t.names != nil {
		return t.names[name]
	}
	for _, s := range slices.Backward(t.order) {
		if s.name == name {
			return s
		}
	}
	return nil
}

// make returns the symbol of that name, a new one if need be.
func (t *table) make(name string) *symbol {
	s := t.get(name)
	if s == nil {
		s = &symbol{name: name}
		t.set(s)
	}
	return s
}

// set adds a symbol. It takes the place of one of its name when that is asked
// for.
func (t *table) set(s *symbol) {
	t.order = append(t.order, s)
	switch {
	case t.names != nil:
		t.names[s.name] = s
	case len(t.order) > few:
		t.names = make(map[string]*symbol, 4*few)
		for _, s := range t.order {
			t.names[s.name] = s
		}
	}
}

// scope is where names are looked up: a file, or the body of a namespace.
type scope struct {
	parent  *scope
	locals  *table
	exports *table
	mod     *module
	// name is the dotted name of the namespace.
	name string
}

// module is a file, or what declare module "x" declares.
type module struct {
	pkg *pkg
	// path is that of the file; of an ambient module, its name.
	path    string
	file    *dts.File
	ambient bool
	scope   *scope
	// script is true for a file whose declarations are global.
	script  bool
	equals  *symbol  // export =
	stars   []string // export * from
	starsAt []*scope
	starred map[string]*symbol // what was found by stars
	imports []link
	closed  bool // its imports have been followed
	// combined is true once export = has what is exported beside it.
	combined bool
}

// link is a module that another one imports.
type link struct {
	spec     string
	reexport bool
	types    bool // a triple-slash directive with the name of a package
	from     *module
}

// augmentation is declare module "x" in a file that is a module itself.
type augmentation struct {
	node  *dts.Node
	scope *scope
}

// load reads a file and binds its names. It does not follow its imports. It
// returns nil if the file cannot be read.
func (r *Reader) load(p *pkg, name string) *module {
	key := fileKey{p, name}
	if m, ok := r.files[key]; ok {
		return m
	}
	if !r.check() {
		return nil
	}
	r.files[key] = nil
	lang, ok := dts.LanguageOf(name)
	if !ok {
		return nil
	}
	src, err := r.readFile(p, name)
	var f *dts.File
	if err == nil {
		f, err = dts.Parse(src, lang)
	}
	if errors.Is(err, dts.ErrTooMuch) {
		r.err = errTooMuch
		return nil
	}
	if err != nil {
		r.warn("%s of %s cannot be read: %v", name, nameOf(p.Package), quote.Error(err))
		return nil
	}
	r.bytes += len(f.Source)
	if r.bytes > maxBytes || len(r.files) > maxFiles {
		r.err = errTooMuch
		return nil
	}
	if p == r.main || p == r.main.types {
		for _, w := range f.Warnings {
			r.warn("%s, %s", name, w)
		}
	}
	m := &module{pkg: p, path: name, file: f}
	r.files[key] = m
	m.script = !f.Module && lang != dts.JavaScript
	m.scope = &scope{locals: newTable(), exports: newTable(), mod: m}
	if m.script {
		m.scope.exports = r.globals
	}
	b := binder{r: r, m: m, ambient: lang == dts.Declarations}
	b.body(m.scope, f.Root.First, m.script || b.ambient && !hasExports(f.Root.First))
	for _, ref := range f.References {
		switch ref.Kind {
		case "path":
			m.imports = append(m.imports, link{spec: "./" + strings.TrimPrefix(ref.Target, "./"), reexport: true})
		case "types":
			m.imports = append(m.imports, link{spec: ref.Target, types: true})
		}
	}
	return m
}

// texts is a file system that has the texts of its files in memory.
type texts interface {
	ReadText(name string) (string, error)
}

var errTooLarge = errors.New("it is too large")

func (r *Reader) readFile(p *pkg, name string) (string, error) {
	if t, ok := p.FS.(texts); ok {
		return t.ReadText(name)
	}
	f, err := p.FS.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() > dts.MaxSize {
		return "", errTooLarge
	}
	if r.buf == nil {
		r.buf = make([]byte, 64<<10)
	}
	var b strings.Builder
	b.Grow(int(info.Size()))
	for {
		n, err := f.Read(r.buf)
		b.Write(r.buf[:n])
		switch {
		case errors.Is(err, io.EOF):
			return b.String(), nil
		case err != nil:
			return "", err
		case b.Len() > dts.MaxSize:
			return "", errTooLarge
		}
	}
}

// hasExports reports whether one of the statements exports what is declared by
// another one. If none does, an ambient body exports all that it declares.
func hasExports(first *dts.Node) bool {
	for n := first; n != nil; n = n.Next {
		switch n.Kind {
		case dts.Export, dts.ExportStar, dts.ExportDefault, dts.ExportEquals:
			return true
		}
	}
	return false
}

// binder puts the declarations of one file into its scopes.
type binder struct {
	r       *Reader
	m       *module
	ambient bool
}

// body binds statements; all is true where everything is exported.
func (b *binder) body(s *scope, first *dts.Node, all bool) {
	added := false
	for n := first; n != nil; n = n.Next {
		if added = added || n.Kind == dts.MemberAssign; n.Kind != dts.MemberAssign {
			b.statement(s, n, all)
		}
	}
	// A function may be declared after what is added to it.
	for n := first; added && n != nil; n = n.Next {
		if n.Kind == dts.MemberAssign {
			b.assign(s, n)
		}
	}
}

func (b *binder) link(spec string, reexport bool) {
	b.m.imports = append(b.m.imports, link{spec: spec, reexport: reexport})
}

func (b *binder) statement(s *scope, n *dts.Node, all bool) {
	switch n.Kind {
	case dts.Variable, dts.Function, dts.Class, dts.Interface, dts.TypeAlias, dts.Enum:
		b.declare(s, n, all)
	case dts.Namespace:
		if c := n.Text[0]; c == '"' || c == '\'' {
			b.module(s, n)
			return
		}
		sym := b.declare(s, n, all)
		b.namespace(s, sym, n)
	case dts.Global:
		in := &scope{parent: s, locals: newTable(), exports: b.r.globals, mod: b.m}
		b.body(in, n.First, true)
	case dts.Import:
		// import "x" is for what x does, or adds to others.
		b.link(n.Text, n.First == nil)
		for c := n.First; c != nil; c = c.Next {
			a := &alias{scope: s, spec: n.Text, name: "default", node: c}
			switch c.Kind {
			case dts.ImportStar:
				a.name = "*"
			case dts.Specifier:
				a.name = c.Text
				if c.First != nil {
					a.name = c.First.Text
				}
			}
			b.alias(s.locals, c.Text, a)
		}
	case dts.ImportEquals:
		t := s.locals
		if n.Has(dts.FlagExport) {
			t = s.exports
		}
		if n.First == nil {
			return
		}
		a := &alias{scope: s, name: n.First.Text, node: n}
		if n.First.Kind == dts.Require {
			b.link(n.First.Text, n.Has(dts.FlagExport))
			a.spec, a.name, a.equals = n.First.Text, "*", true
		}
		b.alias(t, n.Text, a)
	case dts.Export:
		if n.Text != "" {
			b.link(n.Text, true)
		}
		for c := n.First; c != nil; c = c.Next {
			a := &alias{scope: s, spec: n.Text, name: c.Text, node: c, hidden: true}
			if c.First != nil {
				a.name = c.First.Text
			}
			b.alias(s.exports, c.Text, a)
		}
	case dts.ExportStar:
		if n.First != nil && n.First.Kind == dts.Ref {
			// Object.keys(x).forEach(…): what x was required from.
			if x := s.locals.get(n.First.Text); x != nil && x.alias != nil && x.alias.spec != "" {
				s.mod.stars = append(s.mod.stars, x.alias.spec)
				s.mod.starsAt = append(s.mod.starsAt, s)
			}
			return
		}
		b.link(n.Text, true)
		if n.First != nil {
			b.alias(s.exports, n.First.Text, &alias{scope: s, spec: n.Text, name: "*", node: n, hidden: true})
			return
		}
		s.mod.stars = append(s.mod.stars, n.Text)
		s.mod.starsAt = append(s.mod.starsAt, s)
	case dts.ExportDefault:
		b.value(s, s.exports.make("default"), n, n.First)
	case dts.ExportEquals:
		if s.mod.equals == nil {
			s.mod.equals = &symbol{name: "export="}
		}
		b.value(s, s.mod.equals, n, n.First)
		if n.First != nil && n.First.Kind == dts.Object {
			b.object(s, n.First)
		}
	case dts.ExportAssign:
		if n.First != nil {
			b.value(s, s.exports.make(n.Text), n, n.First)
		}
	case dts.ExportNamespace:
		b.global(n.Text)
	}
}

// global binds export as namespace x. What declare global adds to x, it adds to
// the module.
func (b *binder) global(name string) {
	s := b.r.globals.get(name)
	if s == nil {
		b.r.globals.set(&symbol{name: name, of: b.m})
		return
	}
	if s.alias != nil || s.of != nil || s.exports == nil || len(s.decls) == 0 || s.decls[0].scope.exports != b.r.globals || s.decls[0].scope.mod.script {
		return
	}
	own := b.m.scope.exports
	for _, x := range s.exports.order {
		if own.get(x.name) == nil {
			own.set(x)
		}
	}
	s.decls, s.exports, s.of = nil, nil, b.m
}

// assign binds what JavaScript adds to a value after it was declared: x.y = …
// to x, and x.prototype.y = … and x.prototype = { y: … } to what new x() makes.
func (b *binder) assign(s *scope, n *dts.Node) {
	to := n.First
	sym := s.locals.get(to.Text)
	if sym == nil {
		sym = s.exports.get(to.Text)
	}
	if sym == nil || sym.alias != nil || sym.of != nil || len(sym.decls) == 0 {
		return
	}
	v := to.Next
	if !to.Has(dts.FlagStatic) {
		sym.method(s, n, v)
		return
	}
	if n.Text == "prototype" {
		if v != nil && v.Kind == dts.Object {
			for c := v.First; c != nil; c = c.Next {
				switch {
				case c.Name() == "constructor":
				case c.Kind == dts.Method:
					sym.method(s, c, c)
				case c.Kind == dts.Property:
					sym.method(s, c, c.First)
				}
			}
		}
		return
	}
	if sym.exports == nil {
		sym.exports = newTable()
	}
	b.value(s, sym.exports.make(n.Text), n, v)
}

// method adds function v to what new makes of a function, as n names it.
func (s *symbol) method(in *scope, n, v *dts.Node) {
	if v == nil || v.Kind != dts.Function && v.Kind != dts.Method || len(s.methods) >= maxMethods {
		return
	}
	m := *v
	m.Kind, m.Text, m.Pos, m.Next = dts.Method, n.Text, n.Pos, nil
	s.methods = append(s.methods, decl{&m, in})
}

// maxMethods limits how many methods may be added to one function.
const maxMethods = 5000

func (b *binder) alias(t *table, name string, a *alias) {
	sym := t.make(name)
	switch {
	case sym.alias != nil:
	case len(sym.decls) == 0:
		sym.alias = a
	case a.hidden && a.spec == "" && a.name == name:
		// export interface x, and export { x } for the value of that name.
		if own := a.scope.locals.get(name); own != nil && own.alias == nil && own != sym && sym.meaning()&valueMeaning == 0 {
			sym.decls = append(sym.decls, own.decls...)
		}
	}
}

// value binds the expression that a name is exported as.
func (b *binder) value(s *scope, sym *symbol, n, v *dts.Node) {
	if v == nil || sym.alias != nil || len(sym.decls) > 0 {
		return
	}
	switch v.Kind {
	case dts.Ref:
		sym.alias = &alias{scope: s, name: v.Text, node: n, hidden: true}
	case dts.Require:
		b.link(v.Text, true)
		sym.alias = &alias{scope: s, spec: v.Text, name: "*", equals: true, node: n}
	case dts.Function, dts.Class:
		sym.decls = append(sym.decls, decl{v, s})
	default:
		sym.decls = append(sym.decls, decl{n, s})
	}
}

// object binds what module.exports = {…} exports.
func (b *binder) object(s *scope, o *dts.Node) {
	for c := o.First; c != nil; c = c.Next {
		switch c.Kind {
		case dts.Specifier:
			b.alias(s.exports, c.Text, &alias{scope: s, name: c.Text, node: c, hidden: true})
		case dts.Spread:
			if c.First != nil && c.First.Kind == dts.Require {
				b.link(c.First.Text, true)
				s.mod.stars = append(s.mod.stars, c.First.Text)
				s.mod.starsAt = append(s.mod.starsAt, s)
			}
		case dts.Property:
			b.value(s, s.exports.make(c.Name()), c, c.First)
		case dts.Method, dts.Getter:
			sym := s.exports.make(c.Name())
			sym.decls = append(sym.decls, decl{c, s})
		}
	}
}

func (b *binder) declare(s *scope, n *dts.Node, all bool) *symbol {
	name := n.Name()
	t := s.locals
	if n.Has(dts.FlagDefault) {
		sym := s.exports.make("default")
		sym.decls = append(sym.decls, decl{n, s})
		// The declaration has its own name in its own file.
		if name != "" && s.locals.get(name) == nil {
			b.alias(s.locals, name, &alias{scope: s, name: "default", spec: selfSpec})
		}
		return sym
	}
	if all || n.Has(dts.FlagExport) {
		t = s.exports
	}
	if n.Kind == dts.Variable && n.First != nil && n.First.Kind == dts.Require {
		b.link(n.First.Text, true)
		b.alias(t, name, &alias{scope: s, spec: n.First.Text, name: "*", equals: true, node: n})
		return t.get(name)
	}
	sym := t.make(name)
	if sym.of != nil {
		return sym
	}
	sym.decls = append(sym.decls, decl{n, s})
	return sym
}

// selfSpec refers from a file to its own exports.
const selfSpec = "\x00self"

func (b *binder) namespace(s *scope, sym *symbol, n *dts.Node) {
	into := sym.exports
	switch {
	case sym.of != nil && sym.of.equals == nil:
		into = sym.of.scope.exports
	case into == nil:
		sym.exports = newTable()
		into = sym.exports
	}
	name := n.Text
	if s.name != "" {
		name = s.name + "." + name
	}
	in := &scope{parent: s, locals: newTable(), exports: into, mod: s.mod, name: name}
	all := (b.ambient || n.Has(dts.FlagDeclare)) && !hasExports(n.First)
	b.body(in, n.First, all)
}

// module binds declare module "x": a module of its own in a script, and an
// addition to another in a module.
func (b *binder) module(s *scope, n *dts.Node) {
	name := n.Name()
	if !b.m.script {
		b.r.augments = append(b.r.augments, augmentation{n, s})
		return
	}
	m := b.r.ambient[name]
	if m == nil {
		m = &module{pkg: b.m.pkg, path: name, file: b.m.file, ambient: true}
		m.scope = &scope{locals: newTable(), exports: newTable(), mod: m}
		b.r.ambient[name] = m
		if strings.Contains(name, "*") {
			b.r.patterns = append(b.r.patterns, m)
		}
	}
	// Each declaration has its own imports, all share what they export.
	part := &module{pkg: b.m.pkg, path: b.m.path, file: b.m.file, ambient: true}
	part.scope = &scope{locals: newTable(), exports: m.scope.exports, mod: part}
	in := binder{r: b.r, m: part, ambient: true}
	in.body(part.scope, n.First, !hasExports(n.First))
	if m.equals == nil {
		m.equals = part.equals
	}
	m.stars = append(m.stars, part.stars...)
	m.starsAt = append(m.starsAt, part.starsAt...)
	m.imports = append(m.imports, part.imports...)
	b.m.imports = append(b.m.imports, part.imports...)
}
