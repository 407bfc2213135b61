package crate

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// namespace is one of Rust's three namespaces. A name can be bound separately in each of them.
type namespace uint8

const (
	types namespace = iota
	values
	macroNames
	namespaces
)

// external is the kind of a definition in a crate whose sources are not available.
const (
	external source.ItemKind = iota + 100
	primitive
	procMacro // a function of a proc-macro crate
	deriveMacro
	attributeMacro
)

// def is the definition of a named item of a crate.
type def struct {
	kind   source.ItemKind
	name   string
	item   *source.Item
	unit   *unit
	krate  *krate
	mod    *module // the module that contains it
	parent *def    // the enum of a variant
	sub    *module // the contents of a module or an enum
	cfg    []*predicate
	off    bool
	public bool    // whether it is pub, or part of an enum or trait
	vis    *module // the module in which it is visible if it is not public
	macro  *macroDef
	path   string // the path of an external definition
	// foreign is true within extern "C".
	foreign     bool
	wrapped     bool // whether an attribute macro may turn it into something else
	abi         string
	scope       *scope          // macros that its types and items may call
	items       []*def          // the items of a trait
	itemNames   map[string]*def // those items by name, once they are looked up
	callee      *parameters     // of a function, once it is called
	member      bool            // whether it is an item of an implementation or a trait
	constant    bool            // whether it is a function of a const impl
	self        string          // the type of the enclosing implementation of a member
	params      map[string]bool // the type parameters of the enclosing item of a member
	lifetimes   int             // number of lifetime parameters, if counted
	counted     bool
	impls       []*impl
	changes     answer   // whether a function is what it seems to be; no if that is not known yet
	helpers     []string // names of the attributes of a derive macro
	quoted      answer   // whether a derive macro adds implementations of traits and no others; maybe if that is unknown
	alternative answer   // whether a type is the same in all builds; no if that is not known yet
	itemless    answer   // whether a procedural macro declares no items; no if that is not known yet
	moduleUnit  *unit    // the file that contains a module
	never       bool     // whether it is excluded for all features and targets
}

// macroDef is a macro by example.
type macroDef struct {
	def    *def
	parsed bool
	rules  *macros.Rules
	err    error
}

// scope is a linked list of the macros that are in textual scope, the newest first.
type scope struct {
	name string
	def  *def
	next *scope
}

// entry is a name that a module binds by a declaration or a use.
type entry struct {
	name    string
	ns      namespace
	def     *def // set for a declaration
	use     *source.UsePath
	item    *source.Item
	unit    *unit
	mod     *module
	public  bool
	vis     *module
	cfg     []*predicate
	off     bool
	scope   *scope
	found   [namespaces]*def    // the definitions to which an import was resolved
	lookups *[namespaces]lookup // the resolution of an import
}

// module is a module, an enum with its variants, or a block.
type module struct {
	krate  *krate
	parent *module
	name   string
	def    *def
	names  map[string][]*entry
	order  []*entry
	globs  []*entry
	// dir is the directory with the files of its modules. fileDir is the directory of its own file,
	// to which #[path] attributes are relative.
	dir, fileDir string
	inline       bool
	generates    bool // whether a macro that cannot be expanded may add items
	block        bool // whether it shares the names of the enclosing module
	open         bool // whether macros in a block may declare more
	depth        int
	loaded       bool
	macros       map[string]*def // macros by example that the module declares
	load, drop   func()          // set if the contents are read on demand
	impls        []*impl         // the implementations in contents that were read on demand, for allImpls
	resolved     map[lookupKey]*def
	epoch        int // the epoch in which resolved was computed
}

// impl is an impl block. Without an item, it represents those of a module whose reading was deferred.
type impl struct {
	item    *source.Item
	unit    *unit
	mod     *module
	cfg     []*predicate
	off     bool
	derived string // the trait that a derive implements
	// constant is true for an implementation by #[derive_const].
	constant bool
	text     string // the header of a derived implementation, if the name of the derive differs from the trait's name
	arg      string // the type argument of a derived From
	forDef   *def   // the type that derives it
	self     *def
	// traitDef is the result of trait once traitKnown is true.
	traitDef   *def
	traitKnown bool
	blanket    bool
	items      []*def
	scope      *scope
}

// offModule is a module that another build has.
type offModule struct {
	parent *module
	file   string
}

type pendingCall struct {
	mod   *module
	item  *source.Item
	unit  *unit
	scope *scope
	cfg   []*predicate
	off   bool
	into  *[]*def // list to which the items of an impl or trait are appended
	inner *krate  // see unit.inner
}

func (m *module) ensure() {
	if !m.loaded {
		m.loaded = true
		if m.load != nil {
			m.load()
		}
	}
}

func (m *module) add(e *entry) {
	e.mod = m
	m.krate.w.unfinished.names++
	m.order = append(m.order, e)
	if e.use != nil && e.use.Glob {
		m.globs = append(m.globs, e)
		return
	}
	m.names[e.name] = append(m.names[e.name], e)
}

// normal returns the module itself or, for a block, the innermost module around
// it that is not a block.
func (m *module) normal() *module {
	for m.block && m.parent != nil {
		m = m.parent
	}
	return m
}

// visibility returns where an item of a module is visible: everywhere if public
// is true, or else only in vis and the modules below it.
func (k *krate) visibility(it *source.Item, u *unit, m *module) (public bool, vis *module) {
	m = m.normal()
	switch it.Vis {
	case source.Public:
		return true, nil
	case source.Restricted:
		within := m
		for i, seg := range strings.Split(strings.Join(strings.Fields(it.VisPath.Text(u.Text)), ""), "::") {
			switch {
			case seg == "crate" || seg == "" && i == 0 || strings.HasPrefix(seg, source.CrateMark):
				within = k.root
			case seg == "self":
			case seg == "super":
				if within.parent != nil {
					within = within.parent.normal()
				}
			default:
				return false, k.root
			}
		}
		return false, within
	}
	if it.Kind == source.Module && k.src == standardCrates()[k.src.Name] { // the outline does not contain pub(super)
		return false, k.root
	}
	return false, m
}

// sees reports whether a module may use an item, which is public, or visible only within
// vis and below it.
func (m *module) sees(public bool, vis *module) bool {
	if public {
		return true
	}
	for ; m != nil; m = m.parent {
		if m == vis {
			return true
		}
	}
	return false
}

// collect binds the names of the items in a module. It returns the macros that
// are in scope after the last item.
func (k *krate) collect(m *module, items []*source.Item, u *unit, sc *scope) *scope {
	if k.w.failed() {
		return sc
	}
	k.prefetch(m, items, u)
	if len(m.order) == 0 && len(items) > 0 {
		m.order, m.names = make([]*entry, 0, len(items)), make(map[string][]*entry, len(items))
	}
	// Imports come first, because macros may be called by imported names.
	for _, it := range items {
		if it.Kind == source.Use || it.Kind == source.ExternCrate {
			k.collectUse(m, it, u, sc)
		}
	}
	for _, it := range items {
		if k.w.failed() {
			break
		}
		switch it.Kind {
		case source.Use, source.ExternCrate:
			continue
		}
		cfg, off, never := k.conditions(it, u)
		if never {
			continue
		}
		off = off || m.off()
		public, vis := k.visibility(it, u, m)
		switch it.Kind {
		case source.Module:
			if k.primitive(it, u, m) {
				continue
			}
			sc = k.collectModule(m, it, u, sc, cfg, off)
		case source.MacroRules:
			d := &def{kind: it.Kind, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: cfg, off: off}
			d.macro = &macroDef{def: d}
			if k.ruleNames == nil {
				k.ruleNames = map[string]bool{}
			}
			k.ruleNames[it.Name] = true
			if !off {
				sc = &scope{it.Name, d, sc}
				if m.macros == nil {
					m.macros = map[string]*def{}
				}
				m.macros[it.Name] = d
				k.w.unfinished.names++
			}
			if k.has(it, u, "macro_export") {
				d.public = true
				k.root.add(&entry{name: it.Name, ns: macroNames, def: d, item: it, unit: u, public: true, cfg: cfg, off: off})
			}
		case source.MacroDecl:
			d := &def{kind: it.Kind, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: cfg, off: off, public: public, vis: vis}
			d.macro = &macroDef{def: d}
			k.builtinMacro(d)
			m.add(&entry{name: it.Name, ns: macroNames, def: d, item: it, unit: u, public: public, vis: vis, cfg: cfg, off: off})
		case source.MacroCall:
			call := &pendingCall{mod: m, item: it, unit: u, scope: sc, cfg: cfg, off: off}
			after, ok := k.call(call)
			if !ok {
				k.pending = append(k.pending, call)
				continue
			}
			sc = after
		case source.Impl:
			k.impls = append(k.impls, &impl{item: it, unit: u, mod: m, cfg: cfg, off: off, scope: sc})
		case source.ForeignMod:
			wrapped := k.loseForeign(it, u, off)
			for _, f := range it.Items {
				fcfg, foff, never := k.conditions(f, &unit{File: u.File})
				if never {
					continue
				}
				public, vis := k.visibility(f, u, m)
				d := &def{kind: f.Kind, name: f.Name, item: f, unit: u, krate: k, mod: m, cfg: slices.Concat(cfg, fcfg), off: off || foff, public: public, vis: vis, foreign: true, wrapped: wrapped, abi: it.ABI.Text(u.Text)}
				k.bind(m, d)
			}
		case source.ConstBlock:
			b := &module{krate: k, parent: m, names: map[string][]*entry{}, dir: m.dir, fileDir: m.fileDir, block: true, depth: m.depth + 1, loaded: true, def: m.def}
			if b.depth < 2*maxModules {
				k.collect(b, it.Items, u, sc)
			}
		default:
			d := &def{kind: it.Kind, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: cfg, off: off, public: public, vis: vis}
			d.scope = sc
			if it.Name == "_" {
				continue
			}
			if it.Kind == source.Enum {
				k.variants(d)
			}
			if k.src.ProcMacro && m == k.root && it.Kind == source.Func {
				k.procMacro(d)
				continue
			}
			k.bind(m, d)
			k.derives(d)
			if it.Kind == source.TypeAlias && len(it.Attrs) > 0 && k.w.program && !k.plain(it, u) {
				k.macroAliases = append(k.macroAliases, d)
			}
		}
	}
	return sc
}

// loseForeign counts the macro attributes of an extern block that declare items themselves, such as
// #[declare_sql_function] and #[wasm_bindgen], as macros that were not expanded. It reports whether
// there are any. If the block is off, it does not count them.
func (k *krate) loseForeign(it *source.Item, u *unit, off bool) (found bool) {
	for _, a := range k.attributes(it, u) {
		if a.comment != "" {
			continue
		}
		switch a.meta.Path {
		case "cfg", "doc", "link", "allow", "warn", "deny", "forbid", "expect", "deprecated", "must_use", "automatically_derived", "rustfmt::skip":
		default:
			if strings.HasPrefix(a.meta.Path, "clippy::") {
				continue
			}
			found = true
			if !off {
				k.lost["#["+a.meta.Path+"]"]++
			}
		}
	}
	return found
}

// bind binds a definition in the namespaces of its kind.
func (k *krate) bind(m *module, d *def) {
	e := entry{name: d.name, def: d, item: d.item, unit: d.unit, public: d.public, vis: d.vis, cfg: d.cfg, off: d.off}
	switch d.kind {
	case source.Func, source.Const, source.Static:
		e.ns = values
	default:
		e.ns = types
	}
	first := e
	m.add(&first)
	if d.kind == source.Struct && d.item.Shape != source.Braced {
		second := e
		second.ns = values
		m.add(&second)
	}
}

// variants makes an enum a module that contains its variants.
func (k *krate) variants(d *def) {
	d.sub = &module{krate: k, parent: d.mod, name: d.name, def: d, names: map[string][]*entry{}, loaded: true, depth: d.mod.depth + 1}
	for _, v := range d.item.Items {
		cfg, off, never := k.conditions(v, d.unit)
		if never {
			continue
		}
		vd := &def{kind: source.Variant, name: v.Name, item: v, unit: d.unit, krate: k, mod: d.mod, parent: d, cfg: cfg, off: off || d.off, public: true}
		for _, ns := range []namespace{types, values} {
			d.sub.add(&entry{name: v.Name, ns: ns, def: vd, item: v, unit: d.unit, public: true, cfg: cfg, off: off || d.off})
		}
	}
}

// collectUse binds the names that a use or extern crate declaration imports.
func (k *krate) collectUse(m *module, it *source.Item, u *unit, sc *scope) {
	cfg, off, never := k.conditions(it, u)
	if never {
		return
	}
	off = off || m.off()
	public, vis := k.visibility(it, u, m)
	for i := range it.Uses {
		p := &it.Uses[i]
		e := &entry{name: p.As, use: p, item: it, unit: u, public: public, vis: vis, cfg: cfg, off: off, scope: sc}
		if it.Kind == source.ExternCrate {
			if k.has(it, u, "macro_use") && !off && p.Path[0] != "self" {
				if d := k.dep(p.Path[0]); d != nil {
					k.macroUse = append(k.macroUse, d)
				}
			}
			e.ns = types
			e.def = k.crateDef(p.Path[0])
			e.use = nil
			if k.w.program && p.As != p.Path[0] && k.knows(p.As) && len(e.cfg) > 0 { // a build chooses one of two crates
				if off {
					continue
				}
				e.def = &def{kind: external, name: p.As, path: p.As, public: true}
			}
			if m == k.root {
				k.aliases[p.As] = e.def
			}
		}
		m.add(e)
	}
}

// crateDef returns the definition of the crate that a name in paths refers to.
func (k *krate) crateDef(name string) *def {
	if name == "self" {
		return k.root.def
	}
	if d := k.dep(name); d != nil && d.root != nil {
		return d.root.def
	}
	return &def{kind: external, name: name, path: name, public: true}
}

// collectModule binds a module and reads its file. It returns the scope of the
// items that follow.
func (k *krate) collectModule(m *module, it *source.Item, u *unit, sc *scope, cfg []*predicate, off bool) *scope {
	public, vis := k.visibility(it, u, m)
	d := &def{kind: source.Module, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: cfg, off: off, public: public, vis: vis}
	sub := &module{krate: k, parent: m, name: it.Name, def: d, names: map[string][]*entry{}, depth: m.depth + 1}
	d.sub = sub
	m.add(&entry{name: it.Name, ns: types, def: d, item: it, unit: u, public: public, vis: vis, cfg: cfg, off: off})
	if sub.depth > maxModules {
		sub.loaded = true
		return sc
	}
	around := m.normal()
	dir, base := around.dir, around.pathBase()
	if u.dir != "" && !around.inline {
		dir, base = u.dir, u.dir
	}
	pathAttr := ""
	for _, a := range k.attributes(it, u) {
		if a.meta.Path == "path" {
			pathAttr, _ = source.Unquote(a.meta.Value)
		}
	}
	if it.Flags&source.Semicolon == 0 {
		sub.loaded, sub.inline = true, true
		sub.dir = path.Join(dir, it.Name)
		if pathAttr != "" {
			sub.dir = path.Join(base, pathAttr)
		}
		sub.fileDir = sub.dir
		after := k.collect(sub, it.Items, u, sc)
		if k.has(it, u, "macro_use") && !off {
			return after
		}
		return sc
	}
	locate := func() (file, below string) {
		if pathAttr == "" {
			below = path.Join(dir, it.Name)
			return k.moduleFile(below), below
		}
		if strings.HasPrefix(pathAttr, "/") {
			return "", ""
		}
		file = path.Join(base, strings.ReplaceAll(pathAttr, `\`, "/"))
		return file, path.Dir(file)
	}
	if off && k.w.program && slices.ContainsFunc(cfg, func(p *predicate) bool { return p.negatesFeature(false) }) { // another build has it
		if file, _ := locate(); file != "" {
			if text, err := k.read(file); err == nil {
				if k.offTexts == nil {
					k.offTexts = map[string]string{}
				}
				k.offTexts[file] = text
				k.offModules = append(k.offModules, offModule{m, file})
			}
		}
	}
	reread := k.defersPrivate(it)
	var read func() *scope
	read = func() *scope {
		file, below := locate()
		if file == "" || !k.exists(file) {
			if !off {
				k.missing = append(k.missing, k.modulePath(sub))
			}
			return sc
		}
		unit, err := k.file(file)
		if err != nil {
			k.missing = append(k.missing, k.modulePath(sub))
			return sc
		}
		if reread && unit.isInert() {
			reread = false
			k.counted(-unit.Count)
			sub.loaded, sub.load = false, func() { read() }
			return sc
		}
		sub.dir, sub.fileDir = below, path.Dir(file)
		// The module has the attributes of both the declaration and the file.
		inner := it.WithInner(unit.Inner)
		all := slices.Clone(k.attributes(it, u))
		for _, a := range unit.Inner {
			all = k.attribute(all, a, unit)
		}
		k.moduleAttrs[inner] = all
		d.item, sub.def.item = inner, inner
		d.moduleUnit = unit
		if never, off := k.innerConditions(unit); never || off {
			d.off = true
			if never {
				d.never = true
				return sc
			}
		}
		return k.collect(sub, unit.Items, unit, sc)
	}
	if off && !k.has(it, u, "macro_use") {
		sub.load = func() { read() }
		sub.drop = func() {
			delete(k.moduleAttrs, d.item)
			if d.moduleUnit != nil {
				k.counted(-d.moduleUnit.Count)
			}
			d.item, d.moduleUnit = it, nil
		}
		return sc
	}
	if k.deferred != nil && !k.generates && !k.has(it, u, "macro_use") {
		if file, below := locate(); k.exists(file) && k.defers(file, below, 0) {
			k.deferModule(sub, func() { read() })
			return sc
		}
	}
	sub.loaded = true
	after := read()
	if !off && (k.has(it, u, "macro_use") || d.moduleUnit != nil && k.hasInner(d.moduleUnit, "macro_use")) {
		return after
	}
	return sc
}

// moduleFile returns the file of the module whose submodules are in the directory below.
func (k *krate) moduleFile(below string) string {
	if file := below + ".rs"; k.exists(file) || !k.exists(below+"/mod.rs") {
		return file
	}
	return below + "/mod.rs"
}

// pathBase returns the directory to which #[path] attributes in a module are
// relative.
func (m *module) pathBase() string {
	if m.inline {
		return m.dir
	}
	return m.fileDir
}

// exists reports whether there is a file or directory with the given name.
func (k *krate) exists(name string) bool {
	name = path.Clean(name)
	found, ok := k.existing[name]
	if !ok && k.src.Parsed.file(name) != nil {
		return true
	}
	if !ok {
		_, err := fs.Stat(k.src.FS, name)
		found = err == nil
		k.existing[name] = found
	}
	return found
}

// modulePath returns the path of a module.
func (k *krate) modulePath(m *module) string {
	var names []string
	for ; m != nil && m.parent != nil; m = m.parent {
		if !m.block {
			names = append([]string{m.name}, names...)
		}
	}
	return strings.Join(names, "::")
}
