package modules

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/quote"
)

// symbol is a name with its declarations, such as merged interfaces, a class
// with a namespace, or overloads, or an alias of another symbol.
type symbol struct {
	name  string
	decls []decl
	// exports are the symbols in a namespace.
	exports *table
	// alias is the target of an import or export specifier; nil for a symbol
	// that is declared here.
	alias *alias
	// methods are the functions that JavaScript assigns to a function's prototype.
	methods []decl
	// typ is the type of a property that is exported as a symbol.
	typ typeRef
	// namespaceOf is the imported module of import * as x.
	namespaceOf *module

	target    *symbol // the symbol that an alias refers to, once resolved
	resolving bool    // whether target is being resolved, to detect cycles of aliases
	resolved  bool

	members *memberList // members, computed on demand
	listing bool
}

// decl is a declaration with its scope.
type decl struct {
	node  *dts.Node
	scope *scope
}

// alias refers to a symbol elsewhere.
type alias struct {
	scope *scope
	// spec is the module specifier. It is empty for a name in the same scope.
	spec string
	// name is the exported name, "*" for the module itself, or a dotted name in
	// the same scope.
	name string
	// equals is set for import x = require("y").
	equals bool
	// hidden is set for export {x}, which declares no local name.
	hidden bool
	node   *dts.Node
}

// table contains symbols by name, in the order of their first declarations.
type table struct {
	order []*symbol
	names map[string]*symbol // nil for small tables
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

// make returns the symbol with the name, and adds it if necessary.
func (t *table) make(name string) *symbol {
	s := t.get(name)
	if s == nil {
		s = &symbol{name: name}
		t.set(s)
	}
	return s
}

// set adds a symbol. In lookups, it replaces a symbol with the same name.
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

// scope is a file or the body of a namespace.
type scope struct {
	parent  *scope
	locals  *table
	exports *table
	mod     *module
	// name is the dotted name of the namespace.
	name string
}

// module is a file, or a declare module "x" block.
type module struct {
	pkg *pkg
	// path is the path of the file, or the name of an ambient module.
	path    string
	file    *dts.File
	ambient bool
	scope   *scope
	// script is true for a file whose declarations are global.
	script  bool
	equals  *symbol  // symbol assigned to export =
	global  string   // name in export as namespace
	stars   []string // modules in export * from
	starsAt []*scope
	starred map[string]*symbol // names found by stars, cached
	imports []link
	closed  bool // whether its imports have been loaded
	// computes is 2 if exportsResult found that the names it exports are unknown, and 1 if it found that they are known.
	computes uint8
	// combined is true once combine was called.
	combined bool
}

// link is an imported module.
type link struct {
	spec     string
	reexport bool
	bound    bool // whether it is the value of require
	types    bool // whether it is from /// <reference types="x" />
	from     *module
}

// augmentation is a declare module "x" block in a module.
type augmentation struct {
	node  *dts.Node
	scope *scope
}

// load reads a file and binds its names, without following its imports. It
// returns nil if the file cannot be read, or belongs to another part of the package.
func (r *Reader) load(p *pkg, name string) *module {
	key := fileKey{p, name}
	if m, ok := r.files[key]; ok {
		return m
	}
	if !r.check() || r.skips(p, name) {
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
		r.meter.Grant(int64(len(src)))
		f, err = dts.ParseMetered(r.meter, src, lang)
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
	b.body(m.scope, f.Root, m.script || b.ambient && !hasExports(f.Root))
	b.exportedObject()
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

// texts is a file system that has its files in memory.
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

// hasExports reports whether one of the statements exports other declarations.
// Without such a statement, the body of an ambient module exports all its
// declarations.
func hasExports(parent *dts.Node) bool {
	for n := range parent.Children() {
		switch n.Kind {
		case dts.Export, dts.ExportStar, dts.ExportDefault, dts.ExportEquals:
			return true
		}
	}
	return false
}

// binder adds the declarations of one file to its scopes.
type binder struct {
	r       *Reader
	m       *module
	ambient bool
}

// body binds the statements in a node. all is true if every declaration is exported.
func (b *binder) body(s *scope, parent *dts.Node, all bool) {
	added := false
	for n := range parent.Children() {
		if added = added || n.Kind == dts.MemberAssign; n.Kind != dts.MemberAssign {
			b.statement(s, n, all)
		}
	}
	// Assignments to a function may precede its declaration.
	if added {
		for n := range parent.All(dts.MemberAssign) {
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
		b.body(in, n, true)
	case dts.Import:
		// The statement import "x" only runs the module, or augments it.
		b.link(n.Text, !n.HasChildren())
		for c := range n.Children() {
			a := &alias{scope: s, spec: n.Text, name: "default", node: c}
			switch c.Kind {
			case dts.ImportStar:
				a.name = "*"
			case dts.Specifier:
				a.name = c.Text
				if name := c.Child(dts.Name); name != nil {
					a.name = name.Text
				}
			}
			b.alias(s.locals, c.Text, a)
		}
	case dts.ImportEquals:
		t := s.locals
		if n.Has(dts.FlagExport) {
			t = s.exports
		}
		target := n.Value()
		if target == nil {
			return
		}
		a := &alias{scope: s, name: target.Text, node: n}
		if target.Kind == dts.Require {
			b.link(target.Text, n.Has(dts.FlagExport))
			a.spec, a.name, a.equals = target.Text, "*", true
		}
		b.alias(t, n.Text, a)
	case dts.Export:
		if n.Text != "" {
			b.link(n.Text, true)
		}
		for c := range n.Children() {
			a := &alias{scope: s, spec: n.Text, name: c.Text, node: c, hidden: true}
			if name := c.Child(dts.Name); name != nil {
				a.name = name.Text
			}
			b.alias(s.exports, c.Text, a)
		}
	case dts.ExportStar:
		if ref := n.Child(dts.Ref); ref != nil {
			// Object.keys(x).forEach(…) re-exports the module from which x was
			// required.
			if x := s.locals.get(ref.Text); x != nil && x.alias != nil && x.alias.spec != "" {
				s.mod.stars = append(s.mod.stars, x.alias.spec)
				s.mod.starsAt = append(s.mod.starsAt, s)
			}
			return
		}
		b.link(n.Text, true)
		if as := n.Child(dts.Name); as != nil {
			b.alias(s.exports, as.Text, &alias{scope: s, spec: n.Text, name: "*", node: n, hidden: true})
			return
		}
		s.mod.stars = append(s.mod.stars, n.Text)
		s.mod.starsAt = append(s.mod.starsAt, s)
	case dts.ExportDefault:
		b.value(s, s.exports.make("default"), n, n.Value())
	case dts.ExportEquals:
		if s.mod.equals == nil || production(s.mod.equals) && n.Value().Is(dts.Require) {
			s.mod.equals = &symbol{name: "export="}
		}
		b.value(s, s.mod.equals, n, n.Value())
		if v := n.Value(); v.Is(dts.Object) {
			b.object(s, v)
		}
	case dts.ExportAssign:
		if v := n.Value(); v != nil {
			b.value(s, s.exports.make(n.Text), n, v)
		}
	case dts.ExportNamespace:
		b.m.global = n.Text
		b.global(n.Text)
	}
}

// production reports whether a module assigns its production build to export =. That build contains
// less documentation than the development build.
func production(equals *symbol) bool {
	a := equals.alias
	return a != nil && (strings.Contains(a.spec, "production") || strings.Contains(a.spec, ".min."))
}

// global binds export as namespace x, and merges global declarations of x into
// the module.
func (b *binder) global(name string) {
	s := b.r.globals.get(name)
	if s == nil {
		b.r.globals.set(&symbol{name: name, namespaceOf: b.m})
		return
	}
	if s.alias != nil || s.namespaceOf != nil || s.exports == nil || len(s.decls) == 0 || s.decls[0].scope.exports != b.r.globals || s.decls[0].scope.mod.script {
		return
	}
	exports := b.m.scope.exports
	for _, x := range s.exports.order {
		if exports.get(x.name) == nil {
			exports.set(x)
		}
	}
	s.decls, s.exports, s.namespaceOf = nil, nil, b.m
}

func (b *binder) alias(t *table, name string, a *alias) {
	sym := t.make(name)
	switch {
	case sym.alias != nil:
	case len(sym.decls) == 0:
		sym.alias = a
	case a.hidden && a.spec == "" && a.name == name:
		// export interface x and export { x } combine a type and a value with the
		// same name.
		if local := a.scope.locals.get(name); local != nil && local.alias == nil && local != sym && sym.meaning()&valueMeaning == 0 {
			sym.decls = append(sym.decls, local.decls...)
		}
	}
}

// value binds an expression that is exported under a name.
func (b *binder) value(s *scope, sym *symbol, n, v *dts.Node) {
	if v == nil || sym.alias != nil || len(sym.decls) > 0 {
		return
	}
	switch v.Kind {
	case dts.Ref:
		sym.alias = &alias{scope: s, name: v.Text, node: n, hidden: true}
		switch name, ok := ownExport(s, v.Text); {
		case ok && name == "*": // module.exports.default = module.exports
			sym.alias = &alias{scope: s, spec: selfSpec, name: "*", equals: true, node: n}
		case ok && name != sym.name:
			sym.alias.name, sym.alias.spec = name, selfSpec
		}
	case dts.Require:
		sym.alias = b.required(s, v, n)
	case dts.Function, dts.Class:
		sym.decls = append(sym.decls, decl{v, s})
	default:
		sym.decls = append(sym.decls, decl{n, s})
	}
}

// ownExport returns the name x of an export of the same module that is written as exports.x or
// module.exports.x, and "*" for module.exports. ok is false for any other text.
func ownExport(s *scope, text string) (name string, ok bool) {
	if s.mod.file == nil || s.mod.file.Language != dts.JavaScript {
		return "", false
	}
	text = strings.TrimPrefix(text, "module.")
	if name, ok = strings.CutPrefix(text, "exports."); text == "exports" {
		name, ok = "*", true
	}
	return name, ok && !strings.Contains(name, ".") && s.locals.get("exports") == nil && s.locals.get("module") == nil
}

// required returns an alias for the value of require("x") or require("x").y.
func (b *binder) required(s *scope, v, n *dts.Node) *alias {
	b.m.imports = append(b.m.imports, link{spec: v.Text, reexport: true, bound: true})
	if member := v.Child(dts.Name); member != nil {
		return &alias{scope: s, spec: v.Text, name: member.Text, node: n}
	}
	return &alias{scope: s, spec: v.Text, name: "*", equals: true, node: n}
}

func (b *binder) declare(s *scope, n *dts.Node, all bool) *symbol {
	name := n.Name()
	t := s.locals
	if n.Has(dts.FlagDefault) {
		sym := s.exports.make("default")
		sym.decls = append(sym.decls, decl{n, s})
		// The declaration has another name in its own file.
		if name != "" && s.locals.get(name) == nil {
			b.alias(s.locals, name, &alias{scope: s, name: "default", spec: selfSpec})
		}
		return sym
	}
	if all || n.Has(dts.FlagExport) {
		t = s.exports
	}
	if n.Kind == dts.Variable && n.Value().Is(dts.Require) {
		b.alias(t, name, b.required(s, n.Value(), n))
		return t.get(name)
	}
	sym := t.make(name)
	if sym.namespaceOf != nil {
		return sym
	}
	sym.decls = append(sym.decls, decl{n, s})
	return sym
}

// selfSpec is the specifier by which a file refers to its own exports.
const selfSpec = "\x00self"

func (b *binder) namespace(s *scope, sym *symbol, n *dts.Node) {
	into := sym.exports
	switch {
	case sym.namespaceOf != nil && sym.namespaceOf.equals == nil:
		into = sym.namespaceOf.scope.exports
	case into == nil:
		sym.exports = newTable()
		into = sym.exports
	}
	name := n.Text
	if s.name != "" {
		name = s.name + "." + name
	}
	in := &scope{parent: s, locals: newTable(), exports: into, mod: s.mod, name: name}
	all := (b.ambient || n.Has(dts.FlagDeclare)) && !hasExports(n)
	b.body(in, n, all)
}

// module binds declare module "x", which is an ambient module in a script and
// an augmentation in a module.
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
	// Each block has its own imports, but all blocks of a module share their
	// exports.
	part := &module{pkg: b.m.pkg, path: b.m.path, file: b.m.file, ambient: true}
	part.scope = &scope{locals: newTable(), exports: m.scope.exports, mod: part}
	in := binder{r: b.r, m: part, ambient: true}
	in.body(part.scope, n, !hasExports(n))
	m.equals = cmp.Or(m.equals, part.equals)
	m.stars = append(m.stars, part.stars...)
	m.starsAt = append(m.starsAt, part.starsAt...)
	m.imports = append(m.imports, part.imports...)
	b.m.imports = append(b.m.imports, part.imports...)
}
