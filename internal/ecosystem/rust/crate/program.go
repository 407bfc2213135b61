package crate

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Program resolves names, types and members in the code of a program. It is not safe for concurrent
// use.
type Program struct {
	w     *world
	files map[*krate]map[string]*module // modules by file
	// standard is the outline of std, or nil if it could not be read.
	standard  *krate
	inference int           // nesting depth of inferences
	nesting   int           // nesting depth of types
	expanding map[*def]bool // traits whose supertraits are being read
	visible   map[*module]*visibleTraits
	proving   map[proof]bool            // the proofs that are running
	proven    map[implementation]answer // the results of implements for types without arguments
	constants map[string]*def           // integers that are arguments of types, by value
	closed    closedTypes
	locals    int // number of implementations in functions
}

// maxLocals is the maximum number of implementations in functions in a program that is used again. They remain in memory.
const maxLocals = 2000

// NewProgram returns a program that imports crates with imp.
func NewProgram(ctx context.Context, imp Importer) *Program {
	w := newWorld(ctx, func(from *Source, name string) (*Source, error) {
		if src := standardCrates()[name]; src != nil && (from.Deps[name] == "" || standardCrates()[from.Name] == from) {
			return src, nil
		}
		if imp == nil {
			return nil, fs.ErrNotExist
		}
		return imp(from, name)
	})
	w.program = true
	p := &Program{w: w, files: map[*krate]map[string]*module{}, visible: map[*module]*visibleTraits{}, proving: map[proof]bool{}, proven: map[implementation]answer{}, constants: map[string]*def{}, closed: newClosedTypes(), expanding: map[*def]bool{}}
	p.standard, _ = w.open(standardCrates()["std"]) // without it, the types of the standard library are unknown
	w.standard = p.standard
	w.linkPrimitives()
	return p
}

// Resume replaces the context of a program that is used again.
func (p *Program) Resume(ctx context.Context) { p.w.resume(ctx) }

// Spent reports whether the program failed or is close to a limit, so that it should not be used again.
func (p *Program) Spent() bool {
	w := p.w
	return w.err != nil || w.items > maxItems/2 || w.bytes > maxBytes/2 || w.files > maxFiles/2 || w.calls < maxCalls/2 || w.budget.Steps < maxSteps/2 || w.budget.Bytes < maxExpanded/2 || p.locals > maxLocals
}

// Scope returns the scope of the items in a file of a crate, or nil if the crate does not contain the
// file.
func (p *Program) Scope(src *Source, file string) *Scope {
	k, err := p.w.open(src)
	if err != nil {
		return nil
	}
	files := p.files[k]
	if files == nil {
		files = map[string]*module{k.unit.path: k.root}
		p.files[k] = files
		filesOf(k.root, files)
	}
	if m := files[file]; m != nil {
		return &Scope{m: m, p: p}
	}
	return nil
}

// filesOf finds the files of the modules below m.
func filesOf(m *module, files map[string]*module) {
	eachModule(m, func(sub *module) {
		if u := sub.def.moduleUnit; u != nil && files[u.path] == nil {
			files[u.path] = sub
		}
		sub.ensure()
	})
}

// eachModule calls visit with the modules that are declared below m, each before those in it.
func eachModule(m *module, visit func(*module)) {
	for _, e := range m.order {
		if d := e.def; d != nil && d.kind == source.Module && d.krate == m.krate && d.sub != nil && d.sub != m && d.mod == m {
			visit(d.sub)
			eachModule(d.sub, visit)
		}
	}
}

// Scope is a part of a program in which paths and types are resolved.
type Scope struct {
	p    *Program
	m    *module
	self *Type
	// trait is the bound whose items are in the scope, or nil.
	trait *Type
	// selfText is the type of an implementation.
	selfText string
	params   map[string]*Type // type parameters; nil for an unknown type
	bounds   []*Type          // the bounds of the parameters of the item and of those around it
	assumed  []assumption     // the bounds of other types in where clauses
	// where are the bounds of the parameters of an item that is called.
	where   map[string][]string
	visible *visibleTraits // the traits in scope, if they are known
	vague   bool           // whether it is the scope of an implementation for a type that is partly unknown
}

// assumption is a bound in a where clause of a type that is no parameter, such as Range<T>: Iterator.
type assumption struct {
	def    *def
	bounds []*Type
}

// Holds reports whether the condition of a cfg attribute is true for the target and the features of the crate.
func (s *Scope) Holds(cfg string) bool { return s.m.krate.platform.holds(parsePredicate(cfg, 0)) }

// Module returns the scope of a module that is declared in the scope, or nil if it is unknown.
func (s *Scope) Module(name string) *Scope {
	d := s.m.lookup(name, types)
	if d == nil || d.kind != source.Module || d.sub == nil || d.krate != s.m.krate {
		return nil
	}
	d.sub.ensure()
	return &Scope{p: s.p, m: d.sub}
}

// DeclaresMacro reports whether the crate declares a macro with a name, or the module imports one by name.
func (s *Scope) DeclaresMacro(name string) bool {
	if s.HasRules(name) {
		return true
	}
	for m := s.m; m != nil; m = m.parent {
		if len(m.names[name]) > 0 {
			return slices.ContainsFunc(m.names[name], func(e *entry) bool {
				if e.use == nil {
					return false
				}
				d := e.imported(macroNames)
				return d == nil || d.krate == nil || !d.krate.standard()
			})
		}
		if !m.block {
			break
		}
	}
	return false
}

// HasRules reports whether the crate declares a macro with a name by macro_rules.
func (s *Scope) HasRules(name string) bool { return s.m.krate.ruleNames[name] }

// MayExpandTo reports whether a macro with a path that macro_rules defines may add a word to the code. Such a macro is not expanded in the
// bodies of functions.
func (s *Scope) MayExpandTo(path, word string) bool {
	names := strings.Split(path, "::")
	if last := names[len(names)-1]; s.m.krate.ruleNames[last] || builtin(last) {
		return false // the words of the project's own macros count as declared
	}
	d := s.m.krate.resolve(s.m, names, macroNames)
	if d == nil || d.kind == external {
		return true
	}
	return d.item != nil && d.unit != nil && !d.krate.standard() && !d.krate.src.ProcMacro && hasWord(d.item.Body.Text(d.unit.Text), word)
}

// HasModule reports whether a path may begin with the name of a module or crate whose contents are known.
func (s *Scope) HasModule(name string) bool {
	d := s.m.krate.lexical(s.m, name, types)
	return d != nil && d.kind == source.Module && d.sub != nil
}

// Impl returns the scope of the items in an implementation of a trait, or "", for a type.
func (s *Scope) Impl(trait, self string) *Scope {
	inner := *s
	inner.self, inner.selfText, inner.visible = s.Type(self), self, nil
	inner.bounds = slices.Concat(s.bounds, s.boundsOf(trait, 0)) // its methods are in scope
	return &inner
}

// Trait returns the scope of the items in a trait.
func (s *Scope) Trait(name, generics string) *Scope {
	inner := *s
	b := &Type{}
	if d := s.m.lookup(name, types); d != nil && d.kind == source.Trait {
		b.def = d
		for _, param := range arguments(generics) {
			if !strings.HasPrefix(param, "'") {
				b.args = append(b.args, inner.params[param])
			}
		}
	}
	inner.self = &Type{bounds: []*Type{b}}
	inner.bounds, inner.visible = slices.Concat(s.bounds, []*Type{b}), nil
	return &inner
}

// Block returns the scope of a block with the given items.
//
// If open is true, a macro may declare more.
func (s *Scope) Block(items string, open bool) *Scope {
	k := s.m.krate
	b := &module{krate: k, parent: s.m, names: map[string][]*entry{}, dir: s.m.dir, fileDir: s.m.fileDir, block: true, depth: s.m.depth + 1, loaded: true, def: s.m.def, open: open}
	if b.depth < 2*maxModules {
		n := len(k.impls)
		u := &unit{File: k.parse(items), krate: k, path: k.unit.path}
		k.collect(b, u.Items, u, nil)
		for _, im := range k.impls[n:] {
			k.linkOne(im)
			s.p.locals++
			clear(s.p.proven)
		}
		k.impls = k.impls[:n]
	}
	inner := *s
	inner.m, inner.visible = b, nil
	return &inner
}

// plainAttributes are the attributes that do not add members to types.
var plainAttributes = map[string]bool{
	"cfg": true, "cfg_attr": true, "doc": true, "allow": true, "warn": true, "deny": true, "forbid": true, "expect": true, "deprecated": true, "must_use": true, "non_exhaustive": true,
	"repr": true, "derive": true, "automatically_derived": true, "serde": true, "inline": true, "cold": true, "default": true, "async_trait::async_trait": true, "async_trait": true,
	"error": true, "command": true, "arg": true, "group": true, "clap": true, "value": true, "strum": true, "strum_discriminants": true, "snafu": true, "track_caller": true, "rustfmt::skip": true,
	"macro_use": true, "macro_export": true, "path": true, "link": true, "no_implicit_prelude": true, "no_std": true, "recursion_limit": true, "type_length_limit": true, "feature": true,
	"no_link": true, "global_allocator": true, "used": true, "crate_name": true, "crate_type": true,
}

// mayBeRewritten reports whether a type has an attribute macro, which may change it.
func (d *def) mayBeRewritten() bool {
	return slices.ContainsFunc(d.krate.attributes(d.item, d.unit), func(a attr) bool { return !a.plain() && !d.helper(a.meta.Path) })
}

// closed reports whether all members of a type are known, except those of traits.
func (d *def) closed() bool {
	k := d.krate
	if d.mod != nil && d.mod.open {
		return false
	}
	for _, im := range d.impls {
		im.associated() // may lose macro calls
	}
	if k.opaque || len(k.missing) > 0 || k.w.failed() || k.extends(d.name) {
		return false
	}
	if d.kind != primitive && d.mayBeRewritten() {
		return false
	}
	for _, im := range d.impls {
		if im.self != d {
			continue
		}
		if im.derived != "" {
			if !im.derives() {
				return false
			}
			continue
		}
		if !k.plain(im.item, im.unit) {
			return false
		}
	}
	return true
}

// plain reports whether no attribute of an item may add members to types or change the item.
func (k *krate) plain(it *source.Item, u *unit) bool {
	return !slices.ContainsFunc(k.attributes(it, u), func(a attr) bool { return !a.plain() })
}

// plain reports whether an attribute adds no members to types and does not change the item.
func (a attr) plain() bool {
	return a.comment != "" || plainAttributes[a.meta.Path] || strings.HasPrefix(a.meta.Path, "clippy::") || strings.HasPrefix(a.meta.Path, "diagnostic::")
}

// plainDerives are derives that add no members except those of a trait.
var plainDerives = map[string]bool{
	"Clone": true, "Copy": true, "Debug": true, "Default": true, "PartialEq": true, "Eq": true, "PartialOrd": true, "Ord": true, "Hash": true, "Serialize": true, "Deserialize": true, "Error": true,
}

// traitDerives are derives that implement several traits and add no other members.
var traitDerives = map[string]bool{
	"Parser": true, "Args": true, "Subcommand": true, "ValueEnum": true, "EnumString": true, "IntoStaticStr": true, "EnumIter": true, "AsRefStr": true, "Display": true, "EnumDiscriminants": true,
	"Snafu": true, "JsonSchema": true, "FromStr": true, "VariantNames": true, "EnumCount": true, "Zeroize": true, "ZeroizeOnDrop": true, "From": true, "Into": true,
}

// typeDerives are the traitDerives that add types, such as iterators, but no modules or functions.
var typeDerives = map[string]bool{"EnumIter": true, "EnumDiscriminants": true, "Snafu": true}

// traitItems returns the items of a trait.
func (d *def) traitItems() []*def {
	if d.items == nil {
		d.items = d.krate.members(d.item.Items, d.unit, d.mod, d.scope, nil, 0, d, typeParams(d.item.Generics.Text(d.unit.Text)))
	}
	return d.items
}

// fullPath returns the path of a type or module for users, starting with the name of its crate.
func (d *def) fullPath() string {
	if d.mod == nil { // the root of a crate
		return d.krate.src.Name
	}
	if public, _ := d.krate.pathOf(d); public != "" {
		return d.krate.src.Name + "::" + public
	}
	if m := d.krate.modulePath(d.mod.normal()); m != "" {
		return d.krate.src.Name + "::" + m + "::" + d.name
	}
	return d.krate.src.Name + "::" + d.name
}
