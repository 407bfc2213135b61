package program

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Type is a type, an alias of one, or an associated type.
type Type struct {
	name   string
	module *unit
	parent *Type
	decls  []declaration // several if they are under conditions
	nested map[string]*Type

	extended   bool // whether extensions are in this type's fields
	extensions []*extension
	members    map[string][]*member

	target *value // what an alias represents, or nil before it is needed

	local      bool             // whether it is declared in a function, or a generic parameter: it has no extensions
	locals     map[string]value // for a local type, the local declarations that its members can use
	parameters map[string]*Type // the results of Program.parameter

	generated generated // the members that macros add
	dynamic   bool      // whether values have members that a subscript looks up

	supers      []*Type
	systems     []string // names of supertypes that are not in the program
	superKnown  bool
	supersBuilt bool
}

// declaration is a declaration of a type and its file.
type declaration struct {
	decl *source.Decl
	file *file
}

func (t *Type) kind() source.Kind { return t.decls[0].decl.Kind }

func (t *Type) isAlias() bool {
	return t.kind() == source.TypeAlias || t.kind() == source.AssociatedType
}

// path returns the path of the type in its module.
func (t *Type) path() string {
	if t.parent == nil {
		return t.name
	}
	return t.parent.path() + "." + t.name
}

func (t *Type) isVisible(from *file) bool {
	for _, d := range t.decls {
		m := &member{decl: d.decl, file: d.file}
		if p := d.decl.Parent; p != nil && p.Kind == source.Extension {
			m.extension = p
		}
		if m.isVisible(from) {
			return true
		}
	}
	return false
}

func (t *Type) hasGeneric(name string) bool {
	for _, d := range t.decls {
		if d.decl.Kind == source.Protocol {
			continue
		}
		for i := range d.decl.Generics {
			if d.decl.Generics[i].Name == name {
				return true
			}
		}
	}
	return false
}

// inGeneric reports whether the type or one around it has a generic parameter with the given name.
func (t *Type) inGeneric(name string) bool {
	for ; t != nil; t = t.parent {
		if t.hasGeneric(name) {
			return true
		}
	}
	return false
}

// matches reports whether an extension may extend a type.
func (p *Program) matches(x *extension, t *Type) bool {
	path := x.path
	for s := t; ; s = s.parent {
		if len(path) == 0 || path[len(path)-1] != s.name {
			return slices.ContainsFunc(x.path, func(name string) bool { return p.aliased[name] })
		}
		path = path[:len(path)-1]
		if s.parent == nil {
			return len(path) == 0 || len(path) == 1 && (path[0] == s.module.Name || p.modules[path[0]] != nil && p.topLevel(p.modules[path[0]], s.name) == s) || slices.ContainsFunc(x.path, func(name string) bool { return p.aliased[name] })
		}
	}
}

// extend collects the extensions of a type, and their members.
func (p *Program) extendType(t *Type) {
	if t.extended {
		return
	}
	t.extended = true
	t.members = map[string][]*member{}
	for _, d := range t.decls {
		for _, m := range d.decl.Members {
			if isType(m) {
				continue
			}
			t.members[m.Name] = append(t.members[m.Name], &member{decl: m, file: d.file, owner: t})
		}
	}
	if t.local {
		return
	}
	names := append([]string{t.name}, p.aliases[t.name]...)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		for _, x := range p.extensions[name] {
			if i == 0 && !p.matches(x, t) {
				continue
			}
			t.extensions = append(t.extensions, x)
			for _, m := range x.decl.Members {
				if isType(m) {
					p.nest(t, m, x.file)
					continue
				}
				t.members[m.Name] = append(t.members[m.Name], &member{decl: m, file: x.file, extension: x.decl, owner: t})
			}
		}
	}
}

// inherit resolves the supertypes of a type.
func (p *Program) inherit(t *Type) {
	if t.supersBuilt {
		return
	}
	t.supersBuilt, t.superKnown = true, true
	if t.kind() == source.Actor {
		t.systems = append(t.systems, "Actor")
		t.superKnown = !t.decls[0].decl.Has("distributed")
	}
	p.extendType(t)
	var compositions []*Type
	var local func(name string) (value, bool)
	if t.locals != nil {
		local = func(name string) (value, bool) { v, ok := t.locals[name]; return v, ok }
	}
	var add func(text string, f *file)
	add = func(text string, f *file) {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "~") {
			return
		}
		for part := range strings.SplitSeq(text, "&") {
			n, ok := parseType(part)
			if !ok || n.array {
				t.superKnown = false
				continue
			}
			v := p.resolve(n.path, context{file: f, scope: t.parent, local: local}, 1)
			switch last := n.path[len(n.path)-1]; {
			case v.t != nil && t.kind() == source.Enum && isConcrete(v.t): // a raw type
				t.systems = append(t.systems, "RawRepresentable", "Hashable")
			case v.t != nil && v.t != t:
				t.supers = append(t.supers, v.t)
			case v.t == t:
			case len(n.path) == 1 && len(compositions) < maxSteps && p.composition(n.path[0], f) != nil:
				if alias := p.composition(n.path[0], f); !slices.Contains(compositions, alias) {
					compositions = append(compositions, alias)
					for _, d := range alias.decls { // several if they are under conditions
						add(d.decl.Type, d.file)
					}
				}
			case t.kind() == source.Enum && contains(rawTypes, last):
				t.systems = append(t.systems, "RawRepresentable", "Hashable")
			case !contains(standardSupers, last) && p.importsMissing(f):
				t.superKnown = false
			case contains(" NSObject NSObjectProtocol ", last) && !p.importsKnownSystems(f.module): // such as UIKit, which extends NSObject
				t.superKnown = false
				t.systems = append(t.systems, last)
			default:
				t.systems = append(t.systems, last)
			}
		}
	}
	for _, d := range t.decls {
		if d.decl.Attribute("globalActor") != nil {
			t.systems = append(t.systems, "GlobalActor")
		}
		for _, name := range d.decl.Inherits {
			add(name, d.file)
		}
		for i := range d.decl.Where {
			if r := &d.decl.Where[i]; r.Left == "Self" && r.Op == ":" {
				add(r.Right, d.file)
			}
		}
		if d.decl.Kind == source.AssociatedType || d.decl.Kind == source.TypeAlias {
			t.superKnown = false
		}
		if !d.file.module.complete {
			t.superKnown = false
		}
	}
	for _, x := range t.extensions {
		for _, name := range x.decl.Inherits {
			add(name, x.file)
		}
		for i := range x.decl.Where {
			if r := &x.decl.Where[i]; r.Left == "Self" && t.kind() == source.Protocol {
				add(r.Right, x.file) // members of the extension can be used only by such types; this adds more than there is
			}
		}
	}
	// The attributes of properties may be types that supertypes declare.
	for _, d := range t.decls {
		p.addGenerated(t, d.decl, d.file)
	}
	for _, x := range t.extensions {
		p.addGenerated(t, x.decl, x.file)
	}
	for _, c := range t.generated.conformances {
		add(c.name, c.file)
	}
	t.superKnown = t.superKnown && !t.generated.arbitrary
}

// standardSupers are supertypes in the standard library that no other module declares under the same name.
const standardSupers = " AnyObject Sendable Equatable Hashable Comparable Codable Encodable Decodable CaseIterable String Int "

// composition returns the alias of protocols of which some are no types of the program, as in typealias A = B & C, that a
// name in a file refers to, or nil.
func (p *Program) composition(name string, f *file) *Type {
	t := p.global(name, f)
	if t == nil || slices.ContainsFunc(t.decls, func(d declaration) bool {
		return d.decl.Kind != source.TypeAlias || strings.ContainsAny(d.decl.Type, "(<")
	}) {
		return nil
	}
	return t
}

// closure returns a type and its supertypes. known is false if there may be others whose members are unknown. systems
// are the names of supertypes in systems.
func (p *Program) closure(t *Type) (all []*Type, systems []string, known bool) {
	all, known = []*Type{t}, true
	for i := 0; i < len(all); i++ {
		if i > maxSteps {
			return all, systems, false
		}
		p.inherit(all[i])
		known = known && all[i].superKnown
		for _, name := range all[i].systems {
			if !slices.Contains(systems, name) {
				systems = append(systems, name)
				if _, ok := closedSystems[name]; !ok {
					known = false
				}
			}
		}
		for _, s := range all[i].supers {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all, withSupers(systems), known
}

// withSupers adds the protocols from which protocols of systems inherit.
func withSupers(systems []string) []string {
	for i := 0; i < len(systems); i++ {
		for super := range strings.FieldsSeq(systemSupers[systems[i]]) {
			if !slices.Contains(systems, super) {
				systems = append(systems, super)
			}
		}
	}
	return systems
}

// hasKnownSupers reports whether all supertypes of a type are known, although the members of those in systems may not be.
func (p *Program) hasKnownSupers(t *Type) bool {
	all, _, _ := p.closure(t)
	return len(all) <= maxSteps && !slices.ContainsFunc(all, func(s *Type) bool { return !s.superKnown })
}

// nestedIn finds a type that is a member of a type or of a supertype. known is false if the type may have unknown
// members.
func (p *Program) nestedIn(t *Type, name string, depth int) (n *Type, known bool) {
	if depth > maxSteps {
		return nil, false
	}
	p.extendType(t)
	if n := t.nested[name]; n != nil {
		return n, true
	}
	if t.isAlias() {
		return nil, false
	}
	all, systems, known := p.closure(t)
	known = known && !slices.ContainsFunc(systems, func(s string) bool { return contains(closedSystems[s], name) }) &&
		!slices.ContainsFunc(all, func(s *Type) bool { return s.generated.mayBe(name) })
	for _, s := range systems {
		known = known && !slices.ContainsFunc(p.extensions[s], func(x *extension) bool {
			return slices.ContainsFunc(x.decl.Members, func(m *source.Decl) bool { return m.Name == name && isType(m) })
		})
	}
	for _, s := range all[1:] {
		p.extendType(s)
		if n := s.nested[name]; n != nil && n.kind() != source.AssociatedType {
			return n, true
		}
	}
	for _, s := range all[1:] {
		if s.nested[name] != nil { // the type that the associated type stands for may be inferred
			return s.nested[name], true
		}
	}
	return nil, known
}

// find returns the members of a type that have a name. complete is true if there are certainly no others.
func (p *Program) find(t *Type, name string) (found []*member, complete bool) {
	all, systems, known := p.closure(t)
	for _, s := range all {
		p.extendType(s)
		found = append(found, s.members[name]...)
		known = known && !s.dynamic && !s.generated.mayBe(name)
	}
	for _, s := range systems {
		for _, x := range p.extensions[s] {
			for _, m := range x.decl.Members {
				if m.Name == name && !isType(m) {
					found = append(found, &member{decl: m, file: x.file, extension: x.decl, owner: t})
				}
			}
		}
		if members, ok := closedSystems[s]; ok && contains(members, name) {
			known = false
		}
	}
	return slices.DeleteFunc(found, func(m *member) bool { return m.decl.Kind == source.Deinit }), known && !isInherent(t, name) && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "$")
}

// isInherent reports whether a type may have a member without a declaration, apart from those that its supertypes declare.
func isInherent(t *Type, name string) bool {
	return contains(" self Type Protocol dynamicType callAsFunction CodingKeys ID AllCases RawValue ", name) || t.kind() == source.Enum && contains(" hash hashValue ", name)
}

// addGenerated adds the members that the attributes of a declaration of a type, and those of its members, add to the type.
func (p *Program) addGenerated(t *Type, d *source.Decl, f *file) {
	t.dynamic = t.dynamic || d.Attribute("dynamicMemberLookup") != nil
	t.generated.arbitrary = t.generated.arbitrary || d.Attribute("dynamicCallable") != nil
	t.generated.add(p.expanded(f.File))
	p.addAttributes(&t.generated, d, false, t.parent, f)
	for _, m := range d.Members {
		p.addAttributes(&t.generated, m, true, t, f)
	}
}

// isPlainAttribute reports whether an attribute in a type, or outside types if scope is nil, is not a macro.
func (p *Program) isPlainAttribute(name string, scope *Type, f *file) bool {
	if strings.HasPrefix(name, "_") || contains(plainAttributes, name) {
		return true
	}
	return p.attributeType(name, scope, f) != nil
}

// attributeType returns the property wrapper, result builder or global actor that an attribute names, or nil.
func (p *Program) attributeType(name string, scope *Type, f *file) *Type {
	n, ok := parseType(name)
	if !ok || n.array {
		return nil
	}
	t := p.resolve(n.path, context{file: f, scope: scope}, 1).t
	if t == nil || !slices.ContainsFunc(t.decls, func(d declaration) bool {
		return d.decl.Attribute("propertyWrapper") != nil || d.decl.Attribute("resultBuilder") != nil || d.decl.Attribute("globalActor") != nil
	}) {
		return nil
	}
	return t
}
