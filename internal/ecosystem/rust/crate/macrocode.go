package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// A crate can contain several procedural macros. The code of one of them consists of its function and, as an approximation, of all
// items of the crate and its dependencies whose names occur in code that belongs to it. Implementations have the names of their types.

// macroCode is the code of the procedural macros of a crate.
type macroCode struct {
	parts map[string][]*macroPart // by name; those without names belong to all macros
	items int
	open  bool // whether there may be other code
}

// macroPart is an item in the code of procedural macros.
type macroPart struct {
	text   string
	read   bool
	traits int  // the number of implementations of traits that it quotes
	ok     bool // whether it adds no other members
	names  []string
}

const (
	// maxMacroDepth is the maximum depth of the dependencies of a derive macro that are searched for code that it adds.
	maxMacroDepth = 5
	// maxMacroItems is the maximum number of items of a crate of procedural macros and its dependencies.
	maxMacroItems = 100_000
)

// code returns the code of the procedural macros of the crate.
func (k *krate) code() *macroCode {
	if k.macroCode == nil {
		k.macroCode = &macroCode{parts: map[string][]*macroPart{}}
		k.macroCode.addCrate(k, 0, map[*krate]bool{})
	}
	return k.macroCode
}

// addsTraits reports whether a derive macro adds implementations of traits and no others.
func (d *def) addsTraits() bool {
	if d.quoted == no {
		d.quoted = maybe
		if d.krate.code().addsTraits(d.unit.Text[d.item.Start:d.item.End]) {
			d.quoted = yes
		}
	}
	return d.quoted == yes
}

// addsTraits reports whether the code to which a function belongs quotes implementations of traits and no others.
func (c *macroCode) addsTraits(function string) bool {
	traits := 0
	all := c.each(function, func(p *macroPart) bool {
		traits += p.traits
		return p.ok
	})
	return all && traits > 0 && !c.open
}

// declaresItems reports whether a procedural macro may declare items beside the one to which it is applied.
func (d *def) declaresItems() bool {
	if d.itemless == no {
		d.itemless = maybe
		if !d.krate.code().declaresItems(d.unit.Text[d.item.Start:d.item.End]) {
			d.itemless = yes
		}
	}
	return d.itemless == maybe
}

// declaresItems reports whether the code to which a function belongs may declare items.
func (c *macroCode) declaresItems(function string) bool {
	quotes := false
	all := c.each(function, func(p *macroPart) bool {
		declares, quoted := quotedItems(p.text)
		quotes = quotes || quoted
		return !declares
	})
	return !all || !quotes || c.open
}

// each visits the parts of the code to which a function belongs. It returns false as soon as visit does.
func (c *macroCode) each(function string, visit func(*macroPart) bool) bool {
	seen := map[*macroPart]bool{}
	names := map[string]bool{} // those whose parts have been added, because many parts can have one name
	for next := append([]*macroPart{{text: function}}, c.parts[""]...); len(next) > 0; {
		part := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[part] {
			continue
		}
		seen[part] = true
		if part.scan(); !visit(part) {
			return false
		}
		for _, name := range part.names {
			if !names[name] {
				names[name] = true
				next = append(next, c.parts[name]...)
			}
		}
	}
	return true
}

// scan reads the text once.
func (p *macroPart) scan() {
	if p.read {
		return
	}
	p.read = true
	p.traits, p.ok = quotedTraits(p.text)
	names := map[string]bool{}
	s := source.Scanner{Text: p.text}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind == source.Ident {
			names[strings.TrimPrefix(p.text[t.Start:t.End], "r#")] = true
		}
	}
	p.names = slices.Collect(maps.Keys(names))
}

// addCrate adds the items of a crate and its dependencies.
func (c *macroCode) addCrate(k *krate, depth int, seen map[*krate]bool) {
	if seen[k] {
		return
	}
	seen[k] = true
	if depth > maxMacroDepth || c.items > maxMacroItems || k.w.failed() || len(k.missing) > 0 {
		c.open = true
		return
	}
	var load func(m *module)
	load = func(m *module) {
		m.ensure()
		for _, e := range m.order {
			if d := e.def; d != nil && d.kind == source.Module && d.krate == k && d.sub != nil && d.sub != m && d.mod == m {
				load(d.sub)
			}
		}
	}
	load(k.root)
	for _, u := range k.allUnits() {
		c.addItems(u.Items, u.Text)
	}
	for _, name := range slices.Sorted(maps.Keys(k.src.Deps)) {
		if compilerCrates[name] {
			continue
		}
		if other := k.dep(name); other != nil {
			c.addCrate(other, depth+1, seen)
		} else {
			c.open = true
		}
	}
}

// addItems adds items of a file.
func (c *macroCode) addItems(items []*source.Item, text string) {
	c.items += len(items)
	for _, it := range items {
		switch it.Kind {
		case source.Module:
			c.addItems(it.Items, text)
		case source.Use:
			for _, u := range it.Uses {
				if n := len(u.Path); n > 0 && u.As != u.Path[n-1] {
					c.add(u.As, text[it.Start:it.End])
				}
			}
		case source.Impl, source.Trait:
			name := it.Name
			if it.Kind == source.Impl {
				if segs, ok := source.PathOf(selfTypes(it.Type.Text(text))[0]); ok {
					name = segs[len(segs)-1]
				}
			}
			c.add(name, text[it.Start:it.End])
			for _, member := range it.Items {
				c.add(member.Name, text[member.Start:member.End])
			}
		case source.MacroCall, source.ConstBlock:
			c.add("", text[it.Start:it.End])
		default:
			c.add(it.Name, text[it.Start:it.End])
		}
	}
}

func (c *macroCode) add(name, text string) {
	c.parts[name] = append(c.parts[name], &macroPart{text: text})
}
