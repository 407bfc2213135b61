package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// generated are the names of the declarations that macros add to a type, or beside a declaration.
type generated struct {
	arbitrary bool
	names     []string // with an asterisk for any characters at the beginning or the end
	// conformances are types to which macros make a type conform, with the files of the macros.
	conformances []conformance
}

// conformance is a type to which a macro makes a type conform.
type conformance struct {
	name string
	file *file
}

// mayBe reports whether a macro may add a declaration with the given name.
func (g *generated) mayBe(name string) bool {
	return g.arbitrary || slices.ContainsFunc(g.names, func(pattern string) bool {
		prefix, suffix, ok := strings.Cut(pattern, "*")
		return pattern == name || ok && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
	})
}

// addAttributes adds what the attributes of a declaration add to that declaration, or what they add beside it if peers is
// true. The declaration is a member of scope, or outside types if that is nil.
func (p *Program) addAttributes(g *generated, d *source.Decl, peers bool, scope *Type, f *file) {
	for i := range d.Attributes {
		name := d.Attributes[i].Name
		if p.isPlainAttribute(name, scope, f) || strings.HasPrefix(name, "dynamic") && peers {
			continue // a type with dynamic members adds nothing beside itself
		}
		macros := p.macros(name, f)
		if len(macros) == 0 {
			g.arbitrary = true
		}
		for _, m := range macros {
			g.addMacro(m, d, peers)
		}
	}
}

// macros returns the macros that an attribute in a file may name.
func (p *Program) macros(name string, f *file) (found []*member) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, u := range slices.Concat([]*unit{f.module}, p.visible(f)) {
		for _, m := range u.values[name] {
			if m.decl.Kind == source.Macro && m.isVisible(f) {
				found = append(found, m)
			}
		}
	}
	return found
}

// addMacro adds what a macro adds to a declaration, or what it adds beside the declaration if peers is true.
func (g *generated) addMacro(m *member, d *source.Decl, peers bool) {
	for i := range m.decl.Attributes {
		a := &m.decl.Attributes[i]
		if a.Name != "attached" {
			continue
		}
		role, rest, _ := strings.Cut(a.Args, ",")
		switch strings.TrimSpace(role) {
		case "peer":
			if peers {
				g.addNames(rest, d)
			}
		case "member":
			if !peers {
				g.addNames(rest, d)
			}
		case "extension", "conformance":
			if peers {
				continue
			}
			g.addNames(rest, d)
			_, names, ok := strings.Cut(rest, "conformances:")
			if !ok && strings.TrimSpace(role) == "conformance" {
				g.arbitrary = true
			}
			names, _, _ = strings.Cut(names, "names:")
			for _, name := range split(names, ',') {
				if name = strings.TrimSpace(name); name != "" {
					g.conformances = append(g.conformances, conformance{name, m.file})
				}
			}
		case "memberAttribute": // the attributes may be macros
			g.arbitrary = g.arbitrary || !peers
		}
	}
}

// addNames adds the names that a role of a macro declares, such as names: named(a), prefixed(_).
func (g *generated) addNames(text string, d *source.Decl) {
	_, text, ok := strings.Cut(text, "names:")
	if !ok {
		return
	}
	for _, part := range split(text, ',') {
		kind, name, _ := strings.Cut(strings.TrimSpace(part), "(")
		name = unquoted(strings.TrimSpace(strings.TrimSuffix(name, ")")))
		switch kind {
		case "named":
			name, _, _ = strings.Cut(name, "(")
			g.names = append(g.names, unquoted(name))
		case "prefixed":
			g.names = append(g.names, name+"*")
		case "suffixed":
			g.names = append(g.names, "*"+name)
		case "overloaded":
			g.names = append(g.names, d.Name)
		default:
			g.arbitrary = true
		}
	}
}

// expanded returns the names that the expansions of freestanding macros in a file, such as #declare, may declare.
func (p *Program) expanded(f *source.File) *generated {
	g := &generated{}
	if !p.declaringKnown {
		p.declaringKnown = true
		for _, u := range p.modules {
			for _, all := range u.values {
				for _, m := range all {
					if m.decl.Kind == source.Macro && slices.ContainsFunc(m.decl.Attributes, declaresNames) {
						p.declaringMacros = append(p.declaringMacros, m)
					}
				}
			}
		}
	}
	for _, m := range p.declaringMacros {
		if !strings.Contains(f.Text, "#"+m.decl.Name) {
			continue
		}
		for i := range m.decl.Attributes {
			if declaresNames(m.decl.Attributes[i]) {
				g.addNames(m.decl.Attributes[i].Args, m.decl)
			}
		}
	}
	slices.Sort(g.names)
	return g
}

// declaresNames reports whether an attribute is @freestanding(declaration), with which a macro declares what it expands to.
func declaresNames(a source.Attribute) bool {
	return a.Name == "freestanding" && strings.HasPrefix(strings.TrimSpace(a.Args), "declaration")
}

// sameExpanded reports whether the expansions of macros in two files declare the same names.
func (p *Program) sameExpanded(a, b *source.File) bool {
	x, y := p.expanded(a), p.expanded(b)
	return x.arbitrary == y.arbitrary && slices.Equal(x.names, y.names)
}

// add adds the names of other generated declarations.
func (g *generated) add(other *generated) {
	g.arbitrary = g.arbitrary || other.arbitrary
	g.names = append(g.names, other.names...)
}
