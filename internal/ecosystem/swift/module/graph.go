package module

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// Graph is the content of a module in the form of the compiler's symbol graphs, which
// contain more details than documentation. It is used to measure the accuracy of the
// reader.
type Graph struct {
	Module    string
	Symbols   []Node
	Relations []Relation
}

// Node is one symbol of a module.
type Node struct {
	// Path is the path with argument labels, such as "Point.move(by:_:in:)".
	Path string
	// Kind is the kind in the terms of symbol graphs, such as "struct" or "type.method".
	Kind        string
	Declaration string
	Open        bool // whether it can be subclassed or overridden in other modules
	// File is relative to the root of the package. It is empty for symbols that
	// the compiler creates.
	File string
	Line int
	// Doc is the documentation comment without markers.
	Doc          string
	Availability []source.Availability
	// Type is the origin of the type of a property.
	Type TypeOrigin
}

// TypeOrigin is the origin of the type of a property.
type TypeOrigin int

// These are the origins of types.
const (
	Written  TypeOrigin = iota // written in the declaration
	Inferred                   // inferred from the initial value
	Unknown                    // neither written nor inferred
)

// RelationKind is the kind of a relation in the terms of symbol graphs.
type RelationKind string

// These are the kinds of relations.
const (
	ConformsTo              RelationKind = "conformsTo"
	InheritsFrom            RelationKind = "inheritsFrom"
	Overrides               RelationKind = "overrides"
	RequirementOf           RelationKind = "requirementOf"
	DefaultImplementationOf RelationKind = "defaultImplementationOf"
	// InheritedMember relates a member to a type that inherits it from an extension
	// of a protocol.
	InheritedMember RelationKind = "inherited"
)

// Relation is a relation between two symbols, such as conformance or
// membership.
type Relation struct {
	Kind RelationKind
	// Path is the path of the symbol, and Target the path of the other symbol. If the
	// module of Target does not belong to the package, its path begins with the
	// module, as in "Swift.Sendable".
	Path, Target string
	// Where are the constraints under which a conformance holds.
	Where []string
}

// ReadGraph returns the graph of a module of a package.
func ReadGraph(ctx context.Context, p Package) (*Graph, error) {
	r, err := open(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.graph(), nil
}

// reading is the reading of one module, along with the modules that it
// re-exports.
type reading struct {
	w     *world
	unit  *unit
	shown []*unit
	sees  []*unit // all modules of the package that the module depends on, including itself
	// picked contains the declarations that are re-exported individually and not with
	// their whole module.
	picked []*entity
}

// pick fills r.picked with the declarations that the shown modules re-export
// individually.
func (r *reading) pick() {
	for _, u := range r.shown {
		for _, pick := range u.picked {
			x := r.w.units[pick[0]]
			if x == nil || r.shows(x) {
				continue
			}
			for _, e := range x.top {
				if e.name == pick[1] && e.isVisible() && !slices.Contains(r.picked, e) {
					r.picked = append(r.picked, e)
				}
			}
		}
	}
}

// isPicked reports whether an entity, or an enclosing type, is re-exported
// individually.
func (r *reading) isPicked(e *entity) bool {
	if len(r.picked) == 0 {
		return false
	}
	for e.parent != nil {
		e = e.parent
	}
	return slices.Contains(r.picked, e)
}

// shows reports whether the module lists the declarations of another module.
func (r *reading) shows(u *unit) bool { return slices.Contains(r.shown, u) }

// isWalked reports whether all yields a type of another module that is re-exported
// individually. Members declared by extensions in other modules are not included.
func (r *reading) isWalked(e *entity) bool {
	if !r.isPicked(e) {
		return false
	}
	for ; e != nil; e = e.parent {
		if e.ext != nil {
			return false
		}
	}
	return true
}

// all yields the entities that the module lists. A type comes before its
// members.
func (r *reading) all(yield func(*entity) bool) {
	var walk func(list []*entity) bool
	walk = func(list []*entity) bool {
		for _, e := range list {
			if e.is(source.Operator) || e.is(source.PrecedenceGroup) || !e.isVisible() || !r.shows(e.unit) && (e.ext != nil || !r.isPicked(e)) {
				continue
			}
			if !yield(e) || !walk(e.members) {
				return false
			}
		}
		return true
	}
	for _, u := range r.shown {
		if !walk(u.top) {
			return
		}
	}
	if !walk(r.picked) {
		return
	}
	for _, t := range r.extended() {
		members := slices.DeleteFunc(slices.Clone(t.members), func(m *entity) bool { return !r.shows(m.unit) })
		if !r.isWalked(t) && !walk(members) {
			return
		}
	}
}

// extended returns the types of other modules that the module extends, in
// order.
func (r *reading) extended() []*entity {
	var all []*entity
	for _, u := range r.shown {
		for _, x := range u.extensions {
			if t := x.target; t != nil && (t.unit == nil || !r.shows(t.unit)) && !slices.Contains(all, t) && !x.hidden && t.isVisible() {
				all = append(all, t)
			}
		}
	}
	return all
}

func (r *reading) graph() *Graph {
	g := &Graph{Module: r.unit.name}
	for e := range r.all {
		g.add(e)
		r.relate(g, e)
		if e.unit == r.unit {
			g.synthesize(e)
		}
	}
	for _, t := range r.extended() {
		if t.unit != nil && !r.isPicked(t) {
			for _, x := range t.extensions {
				if r.shows(x.unit) {
					r.relateExtension(g, t, x)
				}
			}
		}
		if !t.isProtocol() {
			r.relateInherited(g, t)
		}
	}
	g.Relations = unique(g.Relations)
	return g
}

func unique(all []Relation) []Relation {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(r Relation) bool {
		key := string(r.Kind) + "\x00" + r.Path + "\x00" + r.Target + "\x00" + strings.Join(r.Where, ",")
		was := seen[key]
		seen[key] = true
		return was
	})
}

func (g *Graph) add(e *entity) {
	n := Node{
		Path: e.path, Kind: e.kind(), Declaration: e.declaration(), Open: e.decl.Access == source.Open, File: e.file.Name, Line: e.decl.Line,
		Doc: e.decl.Doc(), Availability: e.availability(),
	}
	if e.ext != nil && e.is(source.Var) && e.unit.name != g.Module {
		for i := range e.ext.where {
			// In extensions of types from other modules, the compiler writes the type
			// that Self represents.
			if r := &e.ext.where[i]; r.Op == "==" && r.Left == "Self" && !strings.Contains(r.Right, "<") {
				n.Declaration = substitute(n.Declaration, map[string]string{"Self": source.PrintType(r.Right)})
			}
		}
	}
	if e.is(source.Var) && e.decl.Type == "" {
		n.Type = Inferred
		if e.inferred() == "" {
			n.Type = Unknown
		}
	}
	g.Symbols = append(g.Symbols, n)
}

// synthesize adds the initializers that the compiler creates.
func (g *Graph) synthesize(e *entity) {
	for _, s := range e.synthesized() {
		g.Symbols = append(g.Symbols, Node{Path: e.path + "." + s.name, Kind: "init", Declaration: s.declaration, Availability: s.availability})
	}
}

// relate adds the relations between an entity and other entities.
func (r *reading) relate(g *Graph, e *entity) {
	add := func(kind RelationKind, target string) {
		g.Relations = append(g.Relations, Relation{Kind: kind, Path: e.path, Target: target})
	}
	if p := e.parent; p != nil && p.isProtocol() && p.decl != nil && e.ext == nil && e.isRequirement() {
		add(RequirementOf, p.path)
	}
	if e.ext != nil && e.parent.isProtocol() {
		for _, p := range r.w.closureOf(e.parent) {
			for _, m := range p.members {
				if m.ext == nil && m.isRequirement() && m.isVisible() && lastName(m) == lastName(e) && m.decl.Static() == e.decl.Static() {
					add(DefaultImplementationOf, m.path)
				}
			}
			if p.decl == nil && contains(toolchainRequirements[p.path], lastName(e)) {
				add(DefaultImplementationOf, r.target(p)+"."+lastName(e))
			}
		}
	}
	for _, o := range e.overridden() {
		add(Overrides, o)
	}
	if !e.isType() {
		return
	}
	if super := e.superclass(); super != nil && super.isVisible() {
		add(InheritsFrom, r.target(super))
	}
	if e.isProtocol() {
		for _, p := range r.w.closureOf(e)[1:] {
			if p.isVisible() && p.path != "AnyObject" {
				add(ConformsTo, r.target(p))
			}
		}
		return
	}
	for _, c := range e.conformances() {
		if !c.protocol.isVisible() || c.protocol.path == "AnyObject" {
			continue
		}
		if c.derived && c.protocol.path == "SendableMetatype" && e.unit == r.unit {
			continue // the member is visible only in modules that import the type's module
		}
		rel := Relation{Kind: ConformsTo, Path: e.path, Target: r.target(c.protocol)}
		if c.ext != nil {
			if !r.shows(c.ext.unit) && !r.isPicked(e) {
				continue
			}
			rel.Where = c.ext.constraints()
		}
		g.Relations = append(g.Relations, rel)
	}
	for _, x := range e.extensions {
		if r.shows(x.unit) {
			r.relateExtension(g, e, x)
		}
	}
	r.relateInherited(g, e)
}

// relateExtension adds the conformances that an extension declares.
func (r *reading) relateExtension(g *Graph, t *entity, x *extension) {
	if x.hidden || t.isProtocol() || len(x.decl.Inherits) == 0 {
		return
	}
	where := x.constraints()
	for _, b := range x.unit.inherited(x.decl.Inherits, t, x.file) {
		if !b.isVisible() {
			continue
		}
		copyable, escapable := false, false
		for _, p := range r.w.closureOf(b) {
			copyable = copyable || p.requires("Copyable")
			escapable = escapable || p.requires("Escapable")
			if p.isVisible() && p.path != "AnyObject" {
				g.Relations = append(g.Relations, Relation{Kind: ConformsTo, Path: t.path, Target: r.target(p), Where: where})
			}
		}
		if copyable {
			g.Relations = append(g.Relations, Relation{Kind: ConformsTo, Path: t.path, Target: "Swift.Copyable", Where: where})
		}
		if escapable {
			g.Relations = append(g.Relations, Relation{Kind: ConformsTo, Path: t.path, Target: "Swift.Escapable", Where: where})
		}
	}
}

// relateInherited adds the members that a type inherits from extensions of protocols.
func (r *reading) relateInherited(g *Graph, t *entity) {
	for _, m := range r.inheritedMembers(t) {
		g.Relations = append(g.Relations, Relation{Kind: InheritedMember, Path: t.path + "." + lastName(m), Target: m.path})
	}
}

// target returns the path of a type in a relation. It begins with the module
// unless the module belongs to the package or is re-exported.
func (r *reading) target(e *entity) string {
	if e.unit == nil && e.external != "" && !slices.ContainsFunc(r.shown, func(u *unit) bool { return slices.Contains(u.exported, e.external) }) {
		return e.external + "." + e.path
	}
	return e.path
}

// lastName returns the last component of a member's path, with argument labels.
func lastName(e *entity) string {
	if e.parent == nil {
		return e.path
	}
	return e.path[len(e.parent.path)+1:]
}

// isRequirement reports whether a member of a protocol is one of its
// requirements.
func (e *entity) isRequirement() bool {
	return e.ext == nil && !e.is(source.TypeAlias)
}
