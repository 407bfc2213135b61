package module

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// inherited resolves the types after a colon to protocols and classes. It
// splits compositions and aliases of compositions.
func (u *unit) inherited(texts []string, scope *entity, f *file) []*entity {
	var c bounds
	for _, text := range texts {
		c.add(u, text, scope, f, maxSteps)
	}
	return c.all
}

// bounds resolves a type, which may be a composition, to protocols and classes.
func (u *unit) bounds(text string, scope *entity, f *file) []*entity {
	var c bounds
	c.add(u, text, scope, f, maxSteps)
	return c.all
}

// bounds collects protocols and classes without duplicates.
type bounds struct {
	all     []*entity
	aliases map[*entity]bool // the aliases that were followed
}

func (c *bounds) add(u *unit, text string, scope *entity, f *file, steps int) {
	if steps == 0 || !u.w.meter.Step(1) {
		return
	}
	text = trimType(text)
	if topLevel(text, '&') >= 0 {
		for _, part := range splitTop(text, '&') {
			c.add(u, part, scope, f, steps-1)
		}
		return
	}
	if text == "" || text[0] == '~' {
		return
	}
	path := typePath(text)
	if len(path) == 0 {
		return
	}
	e := u.lookup(path, scope, f, false)
	if e == nil {
		if to, ok := toolchainAliases[path[len(path)-1]]; ok && len(path) <= 2 {
			c.add(u, to, nil, nil, steps-1)
			return
		}
		e = u.w.outside(path)
	}
	if e != nil && e.is(source.TypeAlias) {
		if !c.aliases[e] {
			if c.aliases == nil {
				c.aliases = map[*entity]bool{}
			}
			c.aliases[e] = true
			c.add(e.unit, e.decl.Type, e.parent, e.file, steps-1)
		}
		return
	}
	if e != nil && !slices.Contains(c.all, e) {
		u.w.meter.Step(len(c.all) / 8)
		c.all = append(c.all, e)
	}
}
