package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// ReplaceImports replaces a file in the crates that contain it, if it differs only in bodies of functions and in private
// imports at its top level. mentions reports whether the file contains a name elsewhere. ReplaceImports returns false if
// more of the program may depend on the imports. The crates must then be dropped.
func (p *Program) ReplaceImports(files *ParsedFiles, name, text string, mentions func(name string) bool) bool {
	before := files.file(name)
	if before == nil {
		return true // no crate contains it
	}
	after := source.ParseMetered(p.w.meter, text)
	if !sameWithoutImports(before, after, mentions) {
		return false
	}
	for _, k := range p.w.crates {
		if k.src.Parsed == files && !p.replaceImports(k, name, before, after) {
			return false
		}
	}
	files.add(name, after)
	return !p.w.failed()
}

// sameWithoutImports reports whether only the module of a file depends on the private imports that differ.
func sameWithoutImports(before, after *source.File, mentions func(name string) bool) bool {
	if before.Lost > 0 || after.Lost > 0 {
		return false
	}
	changed := map[string]int{} // the difference in the number of imports, by path and name
	for i, f := range []*source.File{before, after} {
		for _, it := range f.Items {
			if it.Kind == source.MacroCall || it.Kind == source.Module && it.Flags&source.Semicolon != 0 {
				return false // its items can use the imports without mentioning them
			}
			if !isPrivateUse(it) {
				continue
			}
			for k := range it.Uses {
				u := &it.Uses[k]
				bound := u.As
				if u.Glob {
					bound = "*"
				}
				changed[strings.Join(u.Path, "::")+" "+bound] += 2*i - 1
			}
		}
	}
	for use, difference := range changed {
		_, bound, _ := strings.Cut(use, " ")
		if difference != 0 && (bound == "*" || bound != "_" && mentions(bound)) {
			return false
		}
	}
	return true
}

func isPrivateUse(it *source.Item) bool {
	return it.Kind == source.Use && it.Vis == source.Inherited
}

// replaceImports replaces the private imports of a file in a crate. It returns false if several modules have the file.
func (p *Program) replaceImports(k *krate, name string, before, after *source.File) bool {
	var modules []*module
	if k.unit.path == name {
		modules = append(modules, k.root)
	}
	eachModule(k.root, func(m *module) {
		if u := m.def.moduleUnit; u != nil && u.path == name {
			modules = append(modules, m)
		}
	})
	if len(modules) != 1 {
		return len(modules) == 0
	}
	m := modules[0]
	isOld := func(e *entry) bool { return e.use != nil && isPrivateUse(e.item) }
	var sc *scope // of macros at the beginning of the file
	switch i := slices.IndexFunc(m.order, isOld); {
	case i >= 0:
		sc = m.order[i].scope
	case len(k.ruleNames) > 0:
		return false
	}
	others := slices.DeleteFunc(slices.Clone(m.order), isOld)
	for _, e := range m.order {
		if isOld(e) {
			delete(k.attrs, e.item)
			if m.names[e.name] = slices.DeleteFunc(m.names[e.name], isOld); len(m.names[e.name]) == 0 {
				delete(m.names, e.name)
			}
		}
	}
	m.order, m.globs = nil, slices.DeleteFunc(m.globs, isOld)
	u := &unit{File: after, krate: k, path: name}
	for _, it := range after.Items {
		if isPrivateUse(it) {
			k.collectUse(m, it, u, sc)
		}
	}
	m.order = append(m.order, others...)
	if m == k.root {
		k.unit = u
	} else {
		m.def.moduleUnit = u
	}
	k.counted(after.Count - before.Count)
	k.epoch++
	for m := range p.visible {
		if m.krate == k {
			delete(p.visible, m)
		}
	}
	clear(p.proven)
	p.closed = newClosedTypes()
	return true
}
