package crate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

const (
	// maxIndexed is the maximum number of names in one index.
	maxIndexed = 300_000
	// maxOutlined is the maximum number of names for which an index has outlines.
	maxOutlined = 10_000
)

// Index returns a symbol for each public module of a crate, and for each module of a dependency
// that its root re-exports. Its members are the exports of the module, including those that are
// off: as outlines, or only by name if onlyNames is true or the crate exports more than maxOutlined
// names. After an error, the Reader must not be used again.
func (r *Reader) Index(ctx context.Context, onlyNames bool) (*apidoc.Package, error) {
	k, w := r.k, r.k.w
	w.resume(ctx)
	x := &indexer{k: k, seen: map[*module]bool{k.root: true}}
	x.list(k.root, k.src.Name, false)
	if x.names > maxIndexed && w.err == nil {
		w.err = errTooMuch
	}
	out := &apidoc.Package{Name: k.src.Name, Module: k.src.Name, LocalName: k.src.Name, Symbols: x.symbols}
	if x.names <= maxOutlined && !onlyNames {
		w.symbols = 0
		for i, m := range x.modules {
			on, off := (&documenter{k: k, mod: m}).symbols(m.exportsOf())
			out.Symbols[i].Members = ecosystem.Outline(append(on, off...))
		}
	}
	if w.err != nil {
		return nil, fmt.Errorf("index the crate %s: %w", k.src.Name, w.err)
	}
	return out, nil
}

// indexer lists the exports of a crate's modules.
type indexer struct {
	k       *krate
	seen    map[*module]bool
	symbols []apidoc.Symbol // one for each module
	modules []*module       // the modules, or nil once there are more than maxOutlined names
	names   int
	found   []indexed
}

// indexed is a name that a module exports.
type indexed struct {
	name string
	def  *def
	kind apidoc.Kind
}

// list adds a module and the modules below it. If unloads is true, it drops the
// contents of modules that were read only for the index, once there are more
// than maxOutlined names.
func (x *indexer) list(m *module, path string, unloads bool) {
	k := x.k
	impls := len(k.impls)
	doc := &documenter{k: k, mod: m}
	exports := m.modulesFirst()
	position := len(x.symbols)
	x.symbols = append(x.symbols, apidoc.Symbol{Path: path, Kind: apidoc.Module, File: m.def.unit.path})
	if x.modules = append(x.modules, m); x.names > maxOutlined {
		x.modules = nil
	}
	var below []export
	isOn := namesOn(exports)
	x.found = x.found[:0]
	for i := range exports {
		e := &exports[i]
		if e.off && isOn[e.name] || doc.hidden(e) || e.def.kind == external && e.ns != types || x.names+len(x.found) > maxIndexed {
			continue
		}
		if e.def.kind == source.Module && e.def.sub != nil && (e.def.krate == m.krate || m == k.root && ofDependency(e)) {
			if !x.seen[e.def.sub] {
				x.seen[e.def.sub] = true
				below = append(below, *e)
				x.names++
			}
			continue
		}
		x.found = append(x.found, indexed{e.name, e.def, kindOf(e.def)})
	}
	x.symbols[position].Members = x.members()
	x.names += len(x.symbols[position].Members)
	slices.SortFunc(below, func(a, b export) int { return strings.Compare(a.name, b.name) })
	for i := range below {
		sub := below[i].def.sub
		x.list(sub, path+"::"+below[i].name, !sub.loaded && sub.krate == k)
	}
	if unloads && x.names > maxOutlined {
		m.unload()
		clear(k.impls[impls:])
		k.impls = k.impls[:impls]
		clear(k.attrs)
	}
}

// ofDependency reports whether an export is a module of a dependency that is
// re-exported by name, such as std::vec, which is declared in alloc. It returns
// false for a dependency itself and for names imported by a glob.
func ofDependency(e *export) bool {
	return e.def.sub != e.def.krate.root && len(e.via) > 0 && e.via[0].use != nil && !e.via[0].use.Glob
}

// members returns the names that were found, with each definition only once. The result does not
// refer to the text of the files, so that the text can be freed.
func (x *indexer) members() []apidoc.Symbol {
	slices.SortStableFunc(x.found, func(a, b indexed) int {
		return cmp.Or(signature.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
	})
	x.found = slices.CompactFunc(x.found, func(a, b indexed) bool { return a.name == b.name && a.def == b.def })
	if len(x.found) == 0 {
		return nil
	}
	var all strings.Builder
	for i := range x.found {
		all.WriteString(x.found[i].name)
	}
	names := all.String()
	members := make([]apidoc.Symbol, len(x.found))
	for i := range x.found {
		n := len(x.found[i].name)
		members[i].Path, members[i].Kind = names[:n], x.found[i].kind
		names = names[n:]
	}
	clear(x.found)
	return members
}

// unload drops the contents of a module. They are read again on demand.
func (m *module) unload() {
	if m.drop == nil {
		return
	}
	m.loaded = false
	m.drop()
	m.names, m.order, m.globs, m.macros, m.resolved = map[string][]*entry{}, nil, nil, nil, nil
}

// kinds maps kinds of definitions to kinds of symbols.
var kinds = map[source.ItemKind]apidoc.Kind{
	source.Func:       apidoc.Function,
	source.Struct:     apidoc.Struct,
	source.Union:      apidoc.Union,
	source.Enum:       apidoc.Enum,
	source.Variant:    apidoc.Variant,
	source.Trait:      apidoc.Trait,
	source.TraitAlias: apidoc.TraitAlias,
	source.TypeAlias:  apidoc.TypeAlias,
	source.Const:      apidoc.Const,
	source.Static:     apidoc.Static,
	source.Module:     apidoc.Module,
	source.MacroRules: apidoc.Macro,
	source.MacroDecl:  apidoc.Macro,
	procMacro:         apidoc.Macro,
	attributeMacro:    apidoc.AttributeMacro,
	deriveMacro:       apidoc.DeriveMacro,
	primitive:         apidoc.PrimitiveType,
}

// kindOf returns the kind of the symbol for a definition.
func kindOf(d *def) apidoc.Kind {
	if k, ok := kinds[d.kind]; ok {
		return k
	}
	return apidoc.Reexport
}
