package module

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// entity is a declaration, such as a type, a member or a function, with its place in
// the package. Types of modules whose sources are not read are entities without a
// declaration.
type entity struct {
	decl *source.Decl
	file *file
	unit *unit // nil for types of other packages
	// parent is the type of which the entity is a member, even if an extension
	// declares the entity.
	parent *entity
	ext    *extension // extension that declares it, or nil
	name   string
	path   string // path with argument labels

	// These fields are set for types.
	members    []*entity // members of the type itself and of extensions
	nested     map[string]*entity
	extensions []*extension

	// These fields are set for types of other packages.
	world           *world
	external        string // name of their module, or "" if it is unknown
	protocol, class bool
	copyable        bool
	bases           []string // names of inherited types and protocols

	access source.Access
	facts  *facts
	names  *names
}

// facts are properties of an entity that are computed only once.
type facts struct {
	visibility   visibility
	conforms     []conformance
	conforming   bool             // whether conforms is complete or is being computed
	conformsTo   map[*entity]bool // the protocols of conforms
	closure      []*entity
	closed       map[*entity]bool // the entities of closure
	available    []source.Availability
	availability bool
	superclass   *entity
	superSet     bool
	inferred     string
	inferring    bool
	callKeys     map[string]bool // the callKeys of the first members; callable is the number of these members
	callable     int
	parameters   map[string]bool // names of generic parameters, if there are many
}

type visibility uint8

const (
	undecided visibility = iota
	visible
	hidden
)

// extension is one extension of a type.
type extension struct {
	decl   *source.Decl
	file   *file
	unit   *unit
	target *entity
	// where contains the written requirements, and those of type arguments, as in extension Box<Int>.
	where   []source.Requirement
	members []*entity
	// stated contains the requirements of the extension if required is true.
	stated   []requirement
	required bool
	hidden   bool // whether its members are hidden
}

// isType reports whether the entity can have members.
func (e *entity) isType() bool {
	if e.decl == nil {
		return true
	}
	switch e.decl.Kind {
	case source.Struct, source.Class, source.Actor, source.Enum, source.Protocol:
		return true
	}
	return false
}

func (e *entity) isProtocol() bool {
	if e.decl == nil {
		return e.protocol
	}
	return e.decl.Kind == source.Protocol
}

func (e *entity) isClass() bool {
	if e.decl == nil {
		return e.class
	}
	return e.decl.Kind == source.Class || e.decl.Kind == source.Actor
}

func (e *entity) is(kind source.Kind) bool {
	return e != nil && e.decl != nil && e.decl.Kind == kind
}

// kind returns the kind of the entity in the terms of symbol graphs. It returns
// "" for other declarations.
func (e *entity) kind() string {
	static := e.decl.Static()
	member := e.parent != nil
	switch e.decl.Kind {
	case source.Struct:
		return "struct"
	case source.Class, source.Actor:
		return "class"
	case source.Enum:
		return "enum"
	case source.Case:
		return "enum.case"
	case source.Protocol:
		return "protocol"
	case source.AssociatedType:
		return "associatedtype"
	case source.TypeAlias:
		return "typealias"
	case source.Init:
		return "init"
	case source.Macro:
		return "macro"
	case source.Subscript:
		if static {
			return "type.subscript"
		}
		return "subscript"
	case source.Var:
		switch {
		case static && member:
			return "type.property"
		case member:
			return "property"
		}
		return "var"
	case source.Func:
		switch {
		case isOperator(e.name):
			return "func.op"
		case static && member:
			return "type.method"
		case member:
			return "method"
		}
		return "func"
	}
	return ""
}

// isOperator reports whether a name is the name of an operator.
func isOperator(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return name != "" && r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// labeled returns the name of a declaration with its argument labels.
func labeled(d *source.Decl) string {
	switch d.Kind {
	case source.Func, source.Init, source.Subscript, source.Macro:
	case source.Case:
		if len(d.Params) == 0 {
			return d.Name
		}
	default:
		return d.Name
	}
	var b strings.Builder
	b.WriteString(d.Name)
	if d.Kind == source.Macro && !d.HasParams {
		return d.Name + "()"
	}
	b.WriteByte('(')
	for i := range d.Params {
		label := d.Params[i].Label
		if label == "" || d.Kind == source.Func && isOperator(d.Name) {
			label = "_"
		}
		b.WriteString(label + ":")
	}
	b.WriteByte(')')
	return b.String()
}

// isPrivateName reports whether a declaration is hidden by convention because
// its name, or the name of a parameter, begins with an underscore.
func isPrivateName(d *source.Decl) bool {
	private := func(name string) bool { return len(name) > 1 && name[0] == '_' }
	if d.Kind != source.Extension && private(d.Name) {
		return true
	}
	switch d.Kind {
	case source.Func, source.Init, source.Subscript:
		for i := range d.Params {
			if private(d.Params[i].Label) || private(d.Params[i].Name) {
				return true
			}
		}
	}
	return false
}

// isUnavailable reports whether a declaration cannot be used anywhere.
func (u *unit) isUnavailable(d *source.Decl) bool {
	p := &u.w.platform
	for _, a := range d.Availability() {
		if !u.hold(a.Conditions) {
			continue
		}
		if a.Unavailable && (a.Domain == "*" || a.Domain == "swift") {
			return true
		}
		if a.Domain == "swift" && a.Obsoleted != "" && !compares(p.swift, "<"+a.Obsoleted) {
			return true
		}
	}
	return false
}

// isUndocumented reports whether an attribute hides a declaration from
// documentation.
func isUndocumented(d *source.Decl) bool {
	a := d.Attribute("_documentation")
	if a == nil {
		return false
	}
	_, level, ok := strings.Cut(strings.ReplaceAll(a.Args, " ", ""), "visibility:")
	level, _, _ = strings.Cut(level, ",")
	return ok && level != "public" && level != "open"
}

// isVisible reports whether users of the package see the entity.
func (e *entity) isVisible() bool {
	if e.decl == nil {
		return !strings.HasPrefix(e.name, "_")
	}
	f := e.fact()
	if f.visibility == undecided {
		f.visibility = hidden // This is the result if the computation depends on itself.
		if e.seen() {
			f.visibility = visible
		}
	}
	return f.visibility == visible
}

func (e *entity) seen() bool {
	if e.access < e.unit.threshold() || isPrivateName(e.decl) || e.decl.Attribute("_spi") != nil || e.unit.isUnavailable(e.decl) || isUndocumented(e.decl) {
		return false
	}
	if e.ext != nil && e.ext.hidden {
		return false
	}
	return e.parent == nil || e.parent.isVisible()
}

func (e *entity) fact() *facts {
	if e.facts == nil {
		e.facts = &facts{}
	}
	return e.facts
}

// threshold returns the lowest access level that is shown.
func (u *unit) threshold() source.Access {
	if u.p.Own {
		return source.Package
	}
	return source.Public
}
