package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// maxClosedTexts is the maximum number of texts in closedTypes.
const maxClosedTexts = 50_000

// closedTypes are types that depend on no parameters and of which no part is inferred. All expressions with such a type share it.
type closedTypes struct {
	plainTypes map[*def]*Type // types without arguments
	texts      map[typeText]closedText
}

// typeText is the text of a type in a module.
type typeText struct {
	m    *module
	text string
}

type closedText struct {
	t     *Type
	epoch int // of the crate, in which the text was resolved
}

func newClosedTypes() closedTypes {
	return closedTypes{map[*def]*Type{}, map[typeText]closedText{}}
}

// plain returns the type of a definition without parameters.
func (c *closedTypes) plain(d *def) *Type {
	t := c.plainTypes[d]
	if t == nil {
		t = &Type{def: d}
		c.plainTypes[d] = t
	}
	return t
}

// isPlain reports whether a definition is that of a type without parameters.
func (d *def) isPlain() bool {
	switch d.kind {
	case source.Struct, source.Enum, source.Union:
		return d.item.Generics.Empty()
	case primitive:
		return d.item != nil && primitives[d.name]
	}
	return false
}

// isClosed reports whether a type in the scope does not depend on parameters.
func (s *Scope) isClosed(text string) bool {
	return len(s.params) == 0 && !s.m.block && s.p.nesting == 0 && (s.self == nil || !strings.Contains(text, "Self"))
}

// isClosed reports whether no part of a type is inferred, unknown or known by its traits.
func (t *Type) isClosed(depth int) bool {
	if t == nil || t.def == nil || t.variable || t.function || t.output != nil || len(t.bounds) > 0 || depth > maxTypeDepth {
		return false
	}
	if !t.def.isPlain() && (t.def.item == nil || t.def.kind != primitive && t.def.arity() != len(t.args)) {
		return false
	}
	for _, arg := range t.args {
		if !arg.isClosed(depth + 1) {
			return false
		}
	}
	return true
}

// text returns the type with a text in a module, or nil if it has not been added.
func (c *closedTypes) text(m *module, text string) *Type {
	if found := c.texts[typeText{m, text}]; found.epoch == m.krate.epoch {
		return found.t
	}
	return nil
}

// addText adds the type with a text in a module, unless a name in it may refer to something else later.
func (c *closedTypes) addText(m *module, text string, t *Type) {
	if m.krate.building || m.krate.w.unfinished.depth > 0 {
		return
	}
	if len(c.texts) >= maxClosedTexts {
		clear(c.texts)
	}
	c.texts[typeText{m, strings.Clone(text)}] = closedText{t, m.krate.epoch} // not a part of the text of a file
}
